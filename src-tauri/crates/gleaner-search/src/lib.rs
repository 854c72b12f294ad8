//! Search in a library: updates the index ([`catch_up`]), and returns matching articles with the matching words marked
//! ([`search`]). It is a crate of its own, above the library, because it needs the plain text of articles.

mod apply;
mod index;
mod snippet;

pub use apply::{Preview, RuleProgress, apply, preview};
pub use index::{catch_up, index};
pub use snippet::{Snippet, snippet};

use chrono::{DateTime, TimeZone};
use gleaner_library::{Hit, Library, LibraryError, SearchPage, Transcript};
use gleaner_query::{Expr, Field, Marks, QueryError};
use std::{ops::Range, sync::Arc};

/// Why searching or indexing failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The query of a rule is invalid.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A background task panicked, which is a bug.
    #[error("internal error in the search: {0}")]
    Task(#[from] tokio::task::JoinError),
}

/// An article that matches a query, and where it matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The article.
    pub hit: Hit,
    /// Byte ranges of matches in the title.
    pub title: Vec<Range<usize>>,
    /// Byte ranges of matches in the author.
    pub author: Vec<Range<usize>>,
    /// An extract of its text, or of its notes if only they match, or its tags and categories with the words if nothing else matches.
    pub snippet: Snippet,
}

/// Returns an empty text if it is damaged, so that other results are still shown. The error is reported when the article is
/// opened.
fn empty_if_damaged<T: Default>(text: Result<T, LibraryError>) -> Result<T, LibraryError> {
    match text {
        Err(LibraryError::Damaged { .. }) => Ok(T::default()),
        text => text,
    }
}

/// Returns the tags and categories that match, each once.
fn of_labels(labels: &[String], marks: &Marks) -> Option<Snippet> {
    let mut matching: Vec<&str> = Vec::new();
    for label in labels {
        if !matching.contains(&label.as_str()) && !marks.find(Field::Tag, label).is_empty() {
            matching.push(label);
        }
    }
    (!matching.is_empty()).then(|| snippet(Field::Tag, &matching.join(" · "), marks))
}

/// Returns a page of the articles that match a query, and whether there are more.
///
/// # Errors
/// If the library cannot be read.
pub async fn search<Zone: TimeZone>(
    library: &Library,
    query: &Expr,
    now: &DateTime<Zone>,
    page: SearchPage,
) -> Result<(Vec<Found>, bool), SearchError> {
    let (hits, more) = library.search().find(query, now, page).await?;
    let marks = Arc::new(Marks::of(query));
    let mut found = Vec::with_capacity(hits.len());
    for hit in hits {
        let id = hit.row.id;
        let text = match library.articles().text(id).await {
            // Deleted since it was found.
            Err(LibraryError::NotFound(_)) => continue,
            text => empty_if_damaged(text)?,
        };
        let full = empty_if_damaged(library.articles().full_text(id).await)?;
        let transcript = empty_if_damaged(library.articles().transcript(id).await)?;
        let notes = if marks.search_only(Field::Note) { library.notes().of_article(id).await? } else { Vec::new() };
        let mut labels = text.categories.clone();
        labels.extend(library.tags().names(id).await?);
        let marks = Arc::clone(&marks);
        // One after the other: their texts may be long.
        let shown = move || {
            let full = full.as_ref().map(|full| &full.body);
            let transcript = transcript.as_ref().map(Transcript::plain_text);
            let texts = [full, text.content.as_ref(), text.summary.as_ref()];
            let text = index::plain_text(texts, transcript.as_deref());
            let of_text = snippet(Field::Text, &text, &marks);
            let of_notes = || notes.iter().flat_map(|note| [note.quote.as_deref(), Some(note.note.as_str())]).flatten();
            let matching =
                |note: &str| Some(snippet(Field::Note, note, &marks)).filter(|found| !found.marks.is_empty());
            let of_note = if of_text.marks.is_empty() { of_notes().find_map(matching) } else { None };
            let title = marks.find(Field::Title, &hit.row.title);
            let author = marks.find(Field::Author, hit.row.author.as_deref().unwrap_or_default());
            let is_found = !(title.is_empty() && author.is_empty() && of_text.marks.is_empty() && of_note.is_none());
            let of_label = if is_found { None } else { of_labels(&labels, &marks) };
            Found { title, author, snippet: of_note.or(of_label).unwrap_or(of_text), hit }
        };
        found.push(tokio::task::spawn_blocking(shown).await?);
    }
    Ok((found, more))
}
