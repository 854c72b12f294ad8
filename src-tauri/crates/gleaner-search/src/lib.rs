//! Search in a library: the index is brought up to what has come in ([`catch_up`]), and what a query finds is shown with the
//! words that answer it ([`search`]). Above the library because it needs the plain text of articles.

mod apply;
mod follow;
mod snippet;

pub use apply::{Applying, Preview, apply, preview};
pub use follow::{catch_up, index};
pub use snippet::{Snippet, snippet};

use chrono::{DateTime, TimeZone};
use gleaner_library::{Hit, Library, LibraryError, SearchCursor, SearchOrder};
use gleaner_query::{Expr, Field, Marks};
use std::ops::Range;

/// Why a search or the index broke off.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A bug: a task of ours died.
    #[error("search broke down: {0}")]
    Task(#[from] tokio::task::JoinError),
}

/// An article that answers a query, and what of it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The article.
    pub hit: Hit,
    /// Bytes of its title.
    pub title: Vec<Range<usize>>,
    /// A piece of its text.
    pub snippet: Snippet,
}

/// What is damaged shows nothing of its text, and what is wrong is said when it is opened: the others must not wait.
fn unless_damaged<T: Default>(text: Result<T, LibraryError>) -> Result<T, LibraryError> {
    match text {
        Err(LibraryError::Damaged { .. }) => Ok(T::default()),
        text => text,
    }
}

/// A page of the articles that answer a query and stand after a place in the results, and whether there are more.
///
/// # Errors
/// When the library cannot be read.
pub async fn search<Zone: TimeZone>(
    library: &Library,
    query: &Expr,
    now: &DateTime<Zone>,
    order: SearchOrder,
    after: Option<SearchCursor>,
    limit: u32,
) -> Result<(Vec<Found>, bool), SearchError> {
    let (hits, more) = library.search(query, now, order, after, limit).await?;
    let marks = Marks::of(query);
    let mut texts = Vec::with_capacity(hits.len());
    for hit in hits {
        let id = hit.row.id;
        let text = match library.article_text(id).await {
            // Gone since it was found.
            Err(LibraryError::NotFound(_)) => continue,
            text => unless_damaged(text)?,
        };
        let full = unless_damaged(library.full_text(id).await)?;
        texts.push((hit, text, full));
    }
    let shown = move || {
        let found = texts.into_iter().map(|(hit, text, full)| {
            let full = full.as_ref().map(|full| &full.body);
            let text = follow::plain_text([full, text.content.as_ref(), text.summary.as_ref()]);
            Found { title: marks.find(Field::Title, &hit.row.title), snippet: snippet(&text, &marks), hit }
        });
        found.collect()
    };
    Ok((tokio::task::spawn_blocking(shown).await?, more))
}
