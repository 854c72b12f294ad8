use crate::IpcError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// All that the sidebar shows, in one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Overview {
    /// Parents before children, in the order they are shown in.
    pub folders: Vec<Folder>,
    /// In the order they are shown in.
    pub feeds: Vec<Feed>,
    pub counts: Counts,
    /// True until the user has subscribed to anything or has closed the welcome view: show the welcome view.
    pub first_run: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Folder {
    pub id: i64,
    pub parent_id: Option<i64>,
    pub name: String,
    pub open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Feed {
    pub id: i64,
    pub folder_id: Option<i64>,
    /// The user's own name for it, else the feed's, else the host.
    pub title: String,
    pub url: String,
    pub home_url: Option<String>,
    /// Where the window has it from: the protocol of kept pictures. It came from the site itself.
    pub icon: Option<String>,
    /// Whether its remote pictures are shown, as it or its folders say; `null`: as in the settings.
    pub load_images: Option<bool>,
    /// True for the bundled welcome feed, which is never polled.
    pub local: bool,
    pub trouble: Option<Trouble>,
    /// What can be done about it, if anything.
    pub remedies: Vec<crate::Remedy>,
    /// Unix milliseconds of the last answer.
    pub checked: Option<i64>,
}

/// Why a feed does not come in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Trouble {
    pub error: IpcError,
    /// Unix milliseconds.
    pub since: i64,
    /// When it is asked again; `None` when it is not.
    pub next: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Counts {
    pub smart: SmartCounts,
    /// Feeds that have unread articles; all others have none.
    pub unread: Vec<FeedUnread>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SmartCounts {
    /// Unread ones of today.
    pub today: i64,
    pub unread: i64,
    /// All starred ones.
    pub starred: i64,
    /// All articles there are.
    pub all: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct FeedUnread {
    pub feed_id: i64,
    pub unread: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Mark {
    pub ids: Vec<i64>,
    /// `null`: leave as it is.
    pub read: Option<bool>,
    pub starred: Option<bool>,
    /// In no list but that of hidden ones.
    pub hidden: Option<bool>,
    /// No rule of retention lets it go.
    pub kept: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MarkScope {
    All,
    /// Those above this one in the list, without it.
    Above {
        cursor: crate::Cursor,
    },
    /// Those below this one in the list, without it.
    Below {
        cursor: crate::Cursor,
    },
}

/// Marks a whole list read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MarkAll {
    pub source: crate::Source,
    pub order: crate::ListOrder,
    pub scope: MarkScope,
    /// Only what had come in by then (Unix milliseconds, the moment the list was loaded): what nobody has seen stays unread.
    pub received_before: Option<i64>,
}

/// What was done, and the step that undoes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Marked {
    pub count: i64,
    pub undo: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UndoStep {
    pub undo: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Unsubscribe {
    /// All of them or none.
    pub feed_ids: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RenameFeed {
    pub feed_id: i64,
    /// Empty: the feed's own title again.
    pub title: String,
}

/// Puts feeds and folders elsewhere in the tree, all of them or none. In each folder its folders stand above its feeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Arrange {
    /// In the order that they are to have.
    pub feeds: Vec<i64>,
    /// The same, each with all that is in it.
    pub folders: Vec<i64>,
    /// The folder that they are put into; `null`: at the top.
    pub parent_id: Option<i64>,
    /// The feed there that the feeds come before; `null`: they are the last.
    pub before_feed: Option<i64>,
    /// The folder there that the folders come before; `null`: they are the last.
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

/// How far a refresh is. Sent as an event while one runs, and once at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RefreshProgress {
    pub running: bool,
    pub done: i64,
    pub total: i64,
    pub new_articles: i64,
    pub failed: i64,
    /// Feeds that were not asked since their server wants to be left alone for now.
    pub waiting: i64,
    /// Feeds that were not asked since they were refreshed by hand too often just now, and when the first may be again.
    pub limited: i64,
    pub limited_until: Option<i64>,
    /// True when the user stopped it.
    pub cancelled: bool,
    /// True when another process (a `glean refresh`, a second window) is polling this library: nothing was asked here.
    pub elsewhere: bool,
}

/// The library changed: what to look at anew. Several changes in quick succession come as one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct LibraryChanged {
    /// Feeds, folders, titles, troubles: ask for `overview`.
    pub structure: bool,
    /// Articles came or changed: ask for `counts`, and for what is new in the list.
    pub articles: bool,
}
