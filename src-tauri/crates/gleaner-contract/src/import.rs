use crate::IpcError;
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
    /// Number of new articles, from another reader's file.
    pub articles: i64,
    /// Number of new articles that are starred.
    pub starred: i64,
    /// Number of articles that existed already.
    pub existing_articles: i64,
    /// Outlines that could not be read.
    pub skipped: Vec<SkippedOutline>,
    /// Repairs of the file, as English messages.
    pub repairs: Vec<String>,
    pub cancelled: bool,
    /// Further counts for an archive.
    pub archive: Option<ArchiveCounts>,
    /// Set if the file could not be read. Nothing was changed then.
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
    /// Articles to save, …
    pub ids: Vec<i64>,
    /// … or else a query. Without both, `notes` saves all notes.
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SkippedOutline {
    pub outline: String,
    pub reason: String,
}
