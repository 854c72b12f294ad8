//! Imports of files and other readers’ data, and exports of articles and archives.

use crate::{IpcError, ReportRepair};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ImportPhase {
    Reading,
    Subscribing,
    /// The total is known for archives only.
    Articles,
}

/// Progress of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ImportProgress {
    pub file: String,
    pub phase: ImportPhase,
    pub done: i64,
    pub total: i64,
}

/// The importable content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
pub struct ImportPreview {
    pub file: String,
    /// Name of the program or format, such as `OPML`.
    pub program: String,
    /// Number of feeds that would be added and checked automatically; for an archive, of all that would be added.
    pub new_feeds: i64,
    /// Number of further feeds that would be added and not be checked automatically.
    pub manual_feeds: i64,
    /// Number of feeds that are subscribed already.
    pub subscribed: i64,
    /// Number of entries that repeat a feed of the file.
    pub repeated: i64,
    /// Number of folders in the file.
    pub folders: i64,
    /// Whether it may contain new articles.
    pub has_articles: bool,
    /// Number of new articles among those that were looked up; for an archive with too many, the number of all articles.
    pub articles: Option<i64>,
    /// Number of articles that the library already has, among those that were looked up.
    pub existing_articles: i64,
    /// Whether it may have marks for articles that the library has, if it has no new ones.
    pub has_marks: bool,
    /// Number of entries that can't be imported.
    pub skipped: i64,
    /// Whether the file is cut off, so that entries may be missing.
    pub truncated: bool,
    /// The first feeds: new ones that are checked automatically, then `manual_feeds`, then the others.
    pub feeds: Vec<PreviewFeed>,
    /// Why the file can't be imported.
    pub error: Option<IpcError>,
}

/// A feed in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct PreviewFeed {
    pub title: String,
    /// Path of its folder; may be empty.
    pub folder: String,
    pub subscribed: bool,
}

/// An import that was undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ImportUndone {
    /// The step that redoes the import when it is undone. Then the step of the import can be undone again.
    pub redo: i64,
    /// Number of feeds that were removed.
    pub feeds: i64,
    /// Number of folders that were removed.
    pub folders: i64,
    /// Titles of feeds that stay because articles of them were starred, tagged or annotated after the import.
    pub kept: Vec<String>,
}

/// Result of an import. Sent as an event at its end.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
pub struct ImportSummary {
    pub file: String,
    pub feeds_added: i64,
    /// Number of new feeds that are not checked automatically.
    pub manual_feeds: i64,
    pub folders_added: i64,
    /// Titles of feeds that were already subscribed to.
    pub already_subscribed: Vec<String>,
    /// Titles of entries that repeat a feed of the file.
    pub repeated: Vec<String>,
    /// Number of new articles, from another reader's file.
    pub articles: i64,
    /// Number of new articles that are starred.
    pub starred: i64,
    /// Number of articles that existed already.
    pub existing_articles: i64,
    /// Number of these that were marked as read or starred, or tagged, by another reader's file.
    pub marked: i64,
    /// Entries that were not imported.
    pub skipped: Vec<SkippedOutline>,
    /// Repairs of the file.
    pub repairs: Vec<ReportRepair>,
    pub cancelled: bool,
    /// Further counts for an archive.
    pub archive: Option<ArchiveCounts>,
    /// The step that undoes the import of this file; `null` if it added no feeds, folders or tags, and marked no articles.
    pub undo: Option<i64>,
    /// Whether undoing it keeps new articles, which are in feeds that existed already.
    pub undo_keeps_articles: bool,
    /// Why the file could not be read; nothing was changed then. `null` if it was read.
    pub error: Option<IpcError>,
}

/// Result of the import of an archive, except its feeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ArchiveCounts {
    pub existing_feeds: i64,
    pub articles_added: i64,
    pub existing_articles: i64,
    /// Number of existing articles that received marks from the archive.
    pub marked: i64,
    pub rules_added: i64,
    pub searches_added: i64,
    pub images: i64,
    /// Number of entries that could not be imported. `ImportSummary::skipped` lists the first ones.
    pub skipped: i64,
}

/// Progress of an export. The event's payload is `null` at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ExportProgress {
    pub file: String,
    pub done: i64,
    pub total: i64,
}

/// An archive that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ExportSummary {
    pub path: String,
    pub feeds: i64,
    pub articles: i64,
    pub bytes: i64,
    /// Number of feeds whose logins, headers and proxies were not exported.
    pub feeds_without_connection: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DocumentFormat {
    Markdown,
    Html,
    Epub,
    /// Highlights and notes as Markdown.
    Notes,
}

/// Articles to save as a document.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SaveArticles {
    /// Articles to save.
    pub ids: Vec<i64>,
    /// Query whose matches are saved, too. Without articles and a query, `notes` saves all notes.
    pub query: Option<String>,
    /// Title of the document.
    pub title: String,
    pub format: DocumentFormat,
}

/// A document that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SavedDocument {
    pub path: String,
    pub articles: i64,
}

/// Something in a file that was not imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SkippedOutline {
    /// Its name, or its place in an archive such as `items.jsonl:3`; may be empty.
    pub outline: String,
    pub reason: SkipReason,
}

/// Why something in a file was not imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SkipReason {
    /// The address has a scheme that can run code.
    UnsafeUrl,
    /// A feed without an address.
    NoUrl,
    /// An outline of another type than a feed or folder.
    OtherType {
        name: String,
    },
    /// A link to a page.
    Link,
    Empty,
    /// A search of newsboat.
    NewsboatSearch,
    /// An article that names neither its feed nor its own address.
    NoFeed,
    /// Further articles of this kind.
    MoreWithoutFeed {
        count: i64,
    },
    /// A feed of an account with a service that does not give its address.
    NoAddress,
    /// Articles of feeds that no longer exist in the other reader.
    FeedsGone {
        count: i64,
    },
    /// The rest of a damaged database.
    RestOfDatabase,
    /// A file of the archive is missing.
    Missing,
    TooLong,
    Unreadable,
    /// A file of the archive is damaged. What could be read was imported.
    Damaged,
    /// Nothing from this line on can be read.
    RestUnreadable,
    /// The entry on this line is not valid.
    InvalidRecord,
    /// Entries beyond the limit.
    TooMany {
        count: i64,
    },
    /// Feeds with invalid addresses.
    InvalidAddresses {
        count: i64,
    },
    /// Articles of feeds that the archive does not contain.
    UnknownFeeds {
        count: i64,
    },
    /// The image does not match its entry.
    InvalidImage,
    /// The images are far larger than the archive.
    ImagesTooLarge,
    /// Images that no article shows.
    UnusedImages {
        count: i64,
    },
}

/// A browser whose bookmarks are on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Browser {
    /// Name of the program.
    pub name: String,
}

/// A bookmarked site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Bookmark {
    /// Plain text; may be empty.
    pub title: String,
    /// http or https.
    pub url: String,
    /// Name of the folder that it is in; left out if it is in none of the user's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub folder: Option<String>,
}

/// Another reader whose data is on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InstalledReader {
    /// Name of the program.
    pub name: String,
}
