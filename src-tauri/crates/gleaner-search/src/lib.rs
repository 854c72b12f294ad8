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
        match library.article_text(hit.row.id).await {
            Ok(text) => texts.push((hit, text)),
            // Gone since it was found.
            Err(LibraryError::NotFound(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let shown = move || {
        let found = texts.into_iter().map(|(hit, text)| {
            let text = follow::plain_text(text.content.as_ref(), text.summary.as_ref());
            Found { title: marks.find(Field::Title, &hit.row.title), snippet: snippet(&text, &marks), hit }
        });
        found.collect()
    };
    Ok((tokio::task::spawn_blocking(shown).await?, more))
}
