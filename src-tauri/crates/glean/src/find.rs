//! Finds the feeds, folders and articles that arguments name.

use crate::{messages::Failure, output::inline};
use gleaner_address::without_password;
use gleaner_library::{FeedRow, Library, LibraryError};

/// Maximum number of subscriptions that are listed where several match.
const MATCHES_SHOWN: usize = 10;

/// Finds a subscription by its address, its title, or a part of its title that no other one has.
pub async fn find_feed(library: &Library, wanted: &str) -> Result<FeedRow, Failure> {
    let id = library.feeds().find_by_url(wanted).await?;
    let mut feeds = library.feeds().list().await?;
    if let Some(found) = feeds.iter().position(|feed| Some(feed.id) == id) {
        return Ok(feeds.swap_remove(found));
    }
    let title = wanted.trim().to_lowercase();
    let of = |feed: &FeedRow| feed.shown_title().trim().to_lowercase();
    let is_whole = feeds.iter().any(|feed| of(feed) == title);
    // An empty text is the value of a variable that is not set, and a part of every title.
    feeds.retain(|feed| !title.is_empty() && if is_whole { of(feed) == title } else { of(feed).contains(&title) });
    match feeds.len() {
        1 => Ok(feeds.swap_remove(0)),
        0 => Err(format!("no subscription matches {}", without_password(wanted)).into()),
        matches => {
            let shown =
                |feed: &FeedRow| format!("\n  {} ({})", inline(&feed.shown_title()), without_password(&feed.url));
            let first: String = feeds.iter().take(MATCHES_SHOWN).map(shown).collect();
            let more = if matches > MATCHES_SHOWN { "\n  …" } else { "" };
            let wanted = without_password(wanted);
            Err(format!("{matches} subscriptions match {wanted}; use the address of one:{first}{more}").into())
        }
    }
}

/// Checks that articles exist.
pub async fn check_articles(library: &Library, ids: &[i64]) -> Result<(), Failure> {
    for id in ids {
        match library.articles().get(*id).await {
            Err(LibraryError::NotFound(_)) => {
                Err(format!("there is no article {id}; `glean search --json` lists their numbers as `id`"))?;
            }
            row => {
                row?;
            }
        }
    }
    Ok(())
}

/// Returns the id of the folder at a path such as News/Local.
pub async fn find_folder(library: &Library, path: &str) -> Result<i64, Failure> {
    let folders = library.folders().list().await?;
    let mut at = None;
    for name in path.split('/').map(str::trim).filter(|name| !name.is_empty()) {
        let folder = folders.iter().find(|folder| folder.parent_id == at && folder.name == name);
        at =
            Some(folder.ok_or_else(|| format!("there is no folder {path}; use its full path, such as News/Local"))?.id);
    }
    at.ok_or_else(|| "the folder path is empty".into())
}
