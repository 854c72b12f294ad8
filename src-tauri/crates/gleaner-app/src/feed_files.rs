//! Files that are feeds: the user picks one, or opens some with Gleaner. The window may subscribe to these files and no others.

use crate::{App, discovery::candidate, error::Result, platform::FileFilter, refresh, settings};
use gleaner_contract::{Candidate, Event};
use gleaner_feed::Parsed;
use gleaner_polling::Scope;
use std::path::{Path, PathBuf};
use url::Url;

/// Lets the user pick a file and reads it as a feed. The window may then subscribe to this file and no other.
pub async fn pick_feed_file(app: &App, (): ()) -> Result<Option<Candidate>> {
    let extensions = &["xml", "rss", "atom", "rdf", "json", "XML", "RSS", "ATOM", "RDF", "JSON"];
    let filters = vec![
        FileFilter::new("RSS, Atom, JSON Feed", extensions),
        FileFilter::all(&settings::catalogue(&app.core().await?.library).await?),
    ];
    let picked = app.platform()?.pick_files(filters, false).await;
    let Some(path) = picked.into_iter().next() else { return Ok(None) };
    let (url, found) = open_feed_file(app, path).await?;
    *app.session().picked_files.lock() = vec![url];
    Ok(Some(found))
}

/// Reports those of the user's files that are feeds to the window, which may then subscribe to them. Returns the other files.
pub(crate) async fn open_feed_files(app: &App, files: Vec<PathBuf>) -> Vec<PathBuf> {
    let (mut others, mut urls, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        if !may_be_a_feed(&file) {
            others.push(file);
            continue;
        }
        match open_feed_file(app, file.clone()).await {
            Ok((url, found)) if is_json_feed_or_xml(&file, &found) => {
                urls.push(url);
                candidates.push(found);
            }
            // The import reads other formats, and reports what it cannot read.
            _ => others.push(file),
        }
    }
    if !candidates.is_empty() {
        *app.session().picked_files.lock() = urls;
        app.emit(Event::FeedFilesReceived(candidates));
    }
    others
}

fn extension(file: &Path) -> String {
    file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

fn may_be_a_feed(file: &Path) -> bool {
    ["rss", "atom", "rdf", "xml", "json", "jsonfeed"].contains(&extension(file).as_str())
}

/// Returns false for the JSON of other readers, which has items like a JSON Feed but no `version` of JSON Feed.
fn is_json_feed_or_xml(file: &Path, found: &Candidate) -> bool {
    extension(file) != "json" || found.kind.as_deref().is_some_and(|kind| kind.starts_with("JSON Feed 1"))
}

/// Reads a file that the user named as a feed.
async fn open_feed_file(app: &App, path: PathBuf) -> Result<(Url, Candidate)> {
    let core = app.core().await?;
    let (url, parsed) = tokio::task::spawn_blocking(move || feed_file(&path)).await??;
    let name = url.path_segments().and_then(|mut parts| parts.next_back().map(str::to_owned));
    let found = candidate(&core, url.clone(), name, Some(&parsed)).await?;
    if let Some(feed_id) = found.subscribed {
        // An imported list may have named the file before. Now it may be read.
        core.library.feeds().pick_file(feed_id, url.as_str()).await?;
        refresh::start(app, Scope::Feeds(vec![feed_id]));
    }
    Ok((url, found))
}

fn feed_file(path: &Path) -> Result<(Url, Parsed)> {
    Ok(gleaner_polling::file::read(path)?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::subscriptions::web_address;
    use gleaner_contract::ErrorCode;

    #[test]
    fn a_file_that_was_picked_is_read_as_a_feed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("feed.xml");
        std::fs::write(&path, "<rss><channel><title>Own</title></channel></rss>").unwrap();
        let (url, parsed) = feed_file(&path).unwrap();
        assert!(url.scheme() == "file" && parsed.feed.title.as_deref() == Some("Own"), "{url}");
        std::fs::write(&path, "<html><p>hello</p></html>").unwrap();
        assert_eq!(feed_file(&path).unwrap_err().code(), ErrorCode::NotAFeedWebPage);
        assert_eq!(feed_file(folder.path()).unwrap_err().code(), ErrorCode::NotAFile);
        assert!(web_address(url.as_str()).is_err(), "the window cannot name a file that the user did not choose");
    }
}
