//! What the reader has marked in articles and written about them, as Markdown: passages as quotations, the reader's own words as they are.

use super::markdown::words::{address, escaped, one_line, tidy};
use crate::{archive::ArchiveError, whole};
use chrono::DateTime;
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

/// The notes of articles as Markdown, feed by feed; those without any are passed over. `progress` hears how many are done and says whether to
/// go on. Gives how many articles have some.
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
        match noted(library, *id).await {
            Ok(article) if article.notes.is_empty() => {}
            Ok(article) => all.push(article),
            Err(LibraryError::NotFound(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let count = all.len();
    Ok((written(all), count))
}

/// The same into a file; where no article has any, nothing is written.
///
/// # Errors
/// As for articles ([`super::save`]); then nothing is left behind.
pub async fn save_notes(
    library: &Library,
    ids: &[i64],
    file: &Path,
    progress: impl FnMut(usize) -> bool,
) -> Result<usize, ArchiveError> {
    let (text, count) = notes(library, ids, progress).await?;
    if count > 0 {
        whole::save(file, text.as_bytes())?;
    }
    Ok(count)
}

async fn noted(library: &Library, id: i64) -> Result<Noted, LibraryError> {
    let notes = library.notes(id).await?;
    let item = library.item(id).await?;
    let feed = library.feed(item.feed_id).await?.shown_title();
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
            out.push_str(&format!("\n> {}\n", tidy(&escaped(&one_line(quote)))));
        }
        if !note.note.is_empty() {
            out.push_str(&format!("\n{}\n", note.note.replace("\r\n", "\n")));
        }
        if let Some(date) = day(note.created_at) {
            out.push_str(&format!("\n*{date}*\n"));
        }
    }
}
