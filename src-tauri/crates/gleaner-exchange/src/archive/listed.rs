//! The feeds of an archive, to be shown before they are imported.

use gleaner_library::archive::{FeedRecord, FolderRecord};
use std::collections::HashMap;

/// Maximum number of feeds that are listed, and of folders around one.
const MAX_LISTED: usize = 500;
const DEPTH: usize = 32;

/// A feed of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFeed {
    /// The user's title, the feed's own, or its address.
    pub title: String,
    /// Names of the folders that it is in, the outermost first.
    pub folder: Vec<String>,
    /// Whether it is subscribed already.
    pub there: bool,
}

/// Lists the first feeds, those that are not subscribed yet before the others. `there`: whether each of them is subscribed already.
pub(super) fn list(
    feeds: &[FeedRecord],
    folders: &[FolderRecord],
    there: impl Fn(&FeedRecord) -> bool,
) -> Vec<ListedFeed> {
    let folders: HashMap<i64, &FolderRecord> = folders.iter().map(|folder| (folder.folder, folder)).collect();
    let path = |feed: &FeedRecord| {
        let mut names = Vec::new();
        let mut at = feed.folder;
        // In a damaged archive, a folder may be within itself.
        while let Some(folder) = at.and_then(|id| folders.get(&id)).filter(|_| names.len() < DEPTH) {
            names.push(folder.name.clone());
            at = folder.parent;
        }
        names.reverse();
        names
    };
    let title = |feed: &FeedRecord| {
        let given = [&feed.custom_title, &feed.title].into_iter().flatten().find(|title| !title.trim().is_empty());
        given.unwrap_or(&feed.url).clone()
    };
    let (old, new): (Vec<&FeedRecord>, Vec<&FeedRecord>) = feeds.iter().partition(|feed| there(feed));
    let listed = |feed, there| ListedFeed { title: title(feed), folder: path(feed), there };
    let new = new.into_iter().map(|feed| listed(feed, false));
    new.chain(old.into_iter().map(|feed| listed(feed, true))).take(MAX_LISTED).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::{from_value, json};

    #[test]
    fn feeds_are_listed_with_their_folders() {
        let folder = |id: i64, parent: Option<i64>, name: &str| {
            from_value(json!({ "folder": id, "parent": parent, "name": name, "position": 0, "open": true })).unwrap()
        };
        let feed = |title: &str, folder: Option<i64>| {
            let url = "https://rye.example/feed";
            from_value(json!({ "feed": 1, "url": url, "custom_title": title, "folder": folder, "position": 0,
                "added_at": 0 }))
            .unwrap()
        };
        // The folders 3 and 4 are within each other.
        let folders =
            [folder(1, None, "Mill"), folder(2, Some(1), "Fields"), folder(3, Some(4), "a"), folder(4, Some(3), "b")];
        let feeds = [feed("Rye", Some(2)), feed(" ", None), feed("Lost", Some(9)), feed("Loop", Some(3))];
        let all = list(&feeds, &folders, |feed| feed.folder.is_none());
        let shown: Vec<_> = all.iter().map(|feed| (&*feed.title, feed.folder.len(), feed.there)).collect();
        assert_eq!(
            shown,
            [("Rye", 2, false), ("Lost", 0, false), ("Loop", DEPTH, false), ("https://rye.example/feed", 0, true)]
        );
        assert_eq!(all[0].folder, ["Mill", "Fields"]);
        // A new feed is listed, even after many others.
        let many: Vec<FeedRecord> = (0..=MAX_LISTED).map(|at| feed(&at.to_string(), Some(1))).chain(feeds).collect();
        let all = list(&many, &folders, |feed| feed.folder == Some(1));
        assert_eq!((all.len(), &*all[0].title, all[4].there), (MAX_LISTED, "Rye", true));
    }
}
