//! The folders, feeds and counts of the sidebar, changes to them, and refreshes.

use crate::IpcError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The content of the sidebar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Overview {
    /// In display order, parents before children.
    pub folders: Vec<Folder>,
    /// In display order.
    pub feeds: Vec<Feed>,
    pub counts: Counts,
    /// Whether to show the welcome view: the user has neither subscribed to a feed nor closed the view.
    pub first_run: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Folder {
    pub id: i64,
    pub parent_id: Option<i64>,
    pub name: String,
    pub open: bool,
    /// The account whose feeds are in this folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub account: Option<FolderAccount>,
}

/// An account on a feed reader server, as the sidebar shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FolderAccount {
    pub id: i64,
    /// Whether its password has to be entered again.
    pub needs_password: bool,
    /// Why the last synchronisation failed. `null` while the server asks to wait.
    pub error: Option<IpcError>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Feed {
    pub id: i64,
    pub folder_id: Option<i64>,
    /// The user's name for the feed, else the feed's title, else the host.
    pub title: String,
    pub url: String,
    pub home_url: Option<String>,
    /// URL of the stored icon, which was downloaded from the feed's site.
    pub icon: Option<String>,
    /// Whether remote images are shown, by preference of the feed or its folders; `null` for the general setting.
    pub load_images: Option<bool>,
    /// True for the bundled welcome feed, which is never polled.
    pub local: bool,
    /// The account on a server that the feed is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub account_id: Option<i64>,
    pub error: Option<FeedError>,
    /// Suggestions about the feed.
    pub suggestions: Vec<crate::FeedSuggestion>,
    /// When the server last responded, in Unix milliseconds.
    pub checked: Option<i64>,
    /// How its episodes are played; left out for the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub playback: Option<FeedPlayback>,
}

/// How the episodes of a feed are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct FeedPlayback {
    /// Playback speed in percent, 50 to 300; `null` for the speed of all feeds.
    pub speed_percent: Option<i64>,
    /// Seconds that are skipped at the beginning, up to 3600.
    pub skip_intro: i64,
    /// Seconds that are skipped at the end, up to 3600.
    pub skip_outro: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct SetFeedPlayback {
    pub feed_id: i64,
    pub playback: FeedPlayback,
}

/// Why a feed cannot be updated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedError {
    pub error: IpcError,
    /// Unix milliseconds.
    pub since: i64,
    /// When it is checked next; `null` if it is not checked any more.
    pub next: Option<i64>,
    /// Whether the user should know: after three failures or a day, or if the feed is not checked any more. Never while this
    /// computer is offline or the server asks to wait.
    pub needs_attention: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Counts {
    pub smart: SmartCounts,
    /// Feeds that have unread articles.
    pub unread: Vec<FeedUnread>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SmartCounts {
    /// Number of today's unread articles.
    pub today: i64,
    pub unread: i64,
    /// Number of starred articles.
    pub starred: i64,
    /// Number of all articles.
    pub all: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct FeedUnread {
    pub feed_id: i64,
    pub unread: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UndoStep {
    pub undo: i64,
}

/// A step that was undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Undone {
    /// Titles of the feeds that could not be restored with the others: they were deleted, or their addresses are subscribed again.
    pub lost_feeds: Vec<String>,
}

/// Feeds that were unsubscribed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Unsubscribed {
    pub undo: i64,
    /// Name of the account whose server keeps some of these feeds, because its API can't unsubscribe.
    pub kept_by: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Unsubscribe {
    /// Feeds to remove: all of them or none.
    pub feed_ids: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RenameFeed {
    pub feed_id: i64,
    /// New name; empty to restore the feed's title.
    pub title: String,
}

/// Moves feeds and folders in the tree, all of them or none. Within a folder, subfolders are above feeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Arrange {
    /// Feeds to move, in their new order.
    pub feeds: Vec<i64>,
    /// Folders to move, in their new order, each with its contents.
    pub folders: Vec<i64>,
    /// Target folder; `null` for the top level.
    pub parent_id: Option<i64>,
    /// Feed before which the feeds are inserted; `null` appends them.
    pub before_feed: Option<i64>,
    /// Folder before which the folders are inserted; `null` appends them.
    pub before_folder: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CreateFolder {
    pub name: String,
    pub parent_id: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RenameFolder {
    pub folder_id: i64,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SetFolderOpen {
    pub folder_id: i64,
    pub open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FolderId {
    pub folder_id: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RefreshScope {
    All,
    Feed { id: i64 },
    Feeds { ids: Vec<i64> },
    Folder { id: i64 },
}

/// Progress of a refresh. Sent while it runs and once at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RefreshProgress {
    pub running: bool,
    pub done: i64,
    pub total: i64,
    pub new_articles: i64,
    pub failed: i64,
    /// Whether all of these failed because this computer is offline.
    pub offline: bool,
    /// Number of feeds that were not checked because their server asked to wait.
    pub deferred_by_server: i64,
    /// Number of feeds that were not checked because they were refreshed manually too often.
    pub throttled: i64,
    pub throttled_until: Option<i64>,
    /// Whether the user cancelled it.
    pub cancelled: bool,
    /// Whether another process (`glean refresh`, a second window) is polling this library, so that nothing was checked.
    pub other_process: bool,
    /// Ids of the feeds that are not done yet, once they are few.
    pub waiting_for: Vec<i64>,
    /// Why it ended early, such as a full disk.
    pub error: Option<IpcError>,
}

/// What changed in the library. Changes in quick succession are combined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct LibraryChanged {
    /// Feeds, folders, titles or errors changed: call `overview`.
    pub structure: bool,
    /// Articles were added or changed: call `counts` and update the list.
    pub articles: bool,
}
