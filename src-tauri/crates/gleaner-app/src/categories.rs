//! The categories of feeds, and the user's synonyms for them.

use crate::{App, collections::step, error::Result};
use gleaner_contract::{Categories, Facet, SetSynonym, Synonym, UndoStep};

pub async fn categories(app: &App, (): ()) -> Result<Categories> {
    let library = app.core().await?.library;
    let facets = library.categories().list().await?;
    let synonyms = library.categories().synonyms().await?;
    Ok(Categories {
        facets: facets
            .into_iter()
            .map(|facet| Facet { key: facet.key, name: facet.name, articles: facet.articles })
            .collect(),
        synonyms: synonyms.into_iter().map(|row| Synonym { key: row.key, means: row.means }).collect(),
    })
}

pub async fn set_category_synonym(app: &App, args: SetSynonym) -> Result<UndoStep> {
    let library = app.core().await?.library;
    step(app, library.categories().set_synonym(&args.category, args.means.as_deref()).await)
}
