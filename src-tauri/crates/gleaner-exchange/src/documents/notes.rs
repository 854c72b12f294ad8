//! Exports highlights and notes as Markdown: highlights as quotations, notes unchanged.

use super::markdown::escape::{address, escaped, trimmed};
use crate::{error::ArchiveError, file::failure};
use chrono::DateTime;
use gleaner_html::one_line;
use gleaner_library::{Library, LibraryError, Millis, NoteRow};
use std::path::Path;

/// An article with its notes.
struct Noted {
    title: String,
    author: Option<String>,
    feed: String,
    url: Option<String>,
    published: Option<Millis>,
    notes: Vec<NoteRow>,
}

/// Returns the notes of articles as Markdown, grouped by feed, and the number of articles that have notes. `progress` receives the number of
/// articles done and returns whether to continue.
///
/// # Errors
/// [`ArchiveError::Cancelled`], and when the library cannot be read.
pub async fn notes(
    library: &Library,
    ids: &[i64],
    mut progress: impl FnMut(usize) -> bool,
) -> Result<(String, usize), ArchiveError> {
    let mut all = Vec::new();
    for (done, id) in ids.iter().enumerate() {
        if !progress(done) {
            return Err(ArchiveError::Cancelled);
        }
        match read_notes(library, *id).await {
            Ok(article) if article.notes.is_empty() => {}
            Ok(article) => all.push(article),
            Err(LibraryError::NotFound(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let count = all.len();
    // Sorting and escaping thousands of notes would block the runtime.
    let text = tokio::task::spawn_blocking(move || written(all));
    let text = text.await.map_err(|error| LibraryError::Invalid(error.to_string()))?;
    Ok((text, count))
}

/// Writes the notes of articles into a file. Writes nothing if no article has notes. Returns the number of articles that have notes.
///
/// # Errors
/// As for articles ([`super::save`]). No unfinished file remains then.
pub async fn save_notes(
    library: &Library,
    ids: &[i64],
    file: &Path,
    progress: impl FnMut(usize) -> bool,
) -> Result<usize, ArchiveError> {
    let (text, count) = notes(library, ids, progress).await?;
    if count > 0 {
        let path = file.to_owned();
        let writing = tokio::task::spawn_blocking(move || crate::save(&path, text.as_bytes()));
        writing.await.unwrap_or_else(|error| Err(failure(file, std::io::Error::other(error))))?;
    }
    Ok(count)
}

async fn read_notes(library: &Library, id: i64) -> Result<Noted, LibraryError> {
    let notes = library.notes().of_article(id).await?;
    let item = library.articles().get(id).await?;
    let feed = library.feeds().get(item.feed_id).await?.shown_title();
    Ok(Noted {
        title: if item.title.is_empty() { feed.clone() } else { item.title },
        author: item.author,
        feed,
        url: item.url,
        published: item.published_at,
        notes,
    })
}

fn day(at: Millis) -> Option<String> {
    Some(DateTime::from_timestamp_millis(at)?.format("%Y-%m-%d").to_string())
}

fn written(mut all: Vec<Noted>) -> String {
    let mut out = String::new();
    if let [one] = all.as_slice() {
        article(&mut out, one, "#", Some(one.feed.as_str()));
        return out;
    }
    all.sort_by_cached_key(|article| article.feed.to_lowercase());
    let mut feed: Option<&str> = None;
    for one in &all {
        if feed != Some(one.feed.as_str()) {
            let between = if feed.is_some() { "\n" } else { "" };
            out.push_str(&format!("{between}# {}\n", escaped(&one_line(&one.feed))));
            feed = Some(one.feed.as_str());
        }
        out.push('\n');
        article(&mut out, one, "##", None);
    }
    out
}

fn article(out: &mut String, article: &Noted, mark: &str, feed: Option<&str>) {
    let date = article.published.and_then(day);
    let from = [feed, article.author.as_deref(), date.as_deref()];
    let mut from: Vec<String> = from.into_iter().flatten().filter(|part| !part.is_empty()).map(escaped).collect();
    from.extend(article.url.as_deref().map(|url| format!("<{}>", address(url))));
    out.push_str(&format!("{mark} {}\n", escaped(&one_line(&article.title))));
    if !from.is_empty() {
        out.push_str(&format!("\n{}\n", from.join(" · ")));
    }
    for note in &article.notes {
        if let Some(quote) = &note.quote {
            out.push_str(&format!("\n> {}\n", trimmed(&escaped(&one_line(quote)))));
        }
        if !note.note.is_empty() {
            out.push_str(&format!("\n{}\n", note.note.replace("\r\n", "\n")));
        }
        if let Some(date) = day(note.created_at) {
            out.push_str(&format!("\n*{date}*\n"));
        }
    }
}
