use crate::IpcError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ImportPhase {
    Reading,
    Subscribing,
    /// How many there are in all is known of an archive only.
    Articles,
}

/// How far an import is. Sent as an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ImportProgress {
    pub file: String,
    pub phase: ImportPhase,
    pub done: i64,
    pub total: i64,
}

/// What came of an import. Sent as an event at its end.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
pub struct ImportSummary {
    pub file: String,
    pub added: i64,
    /// New feeds that are not asked for news by themselves.
    pub unasked: i64,
    pub folders_added: i64,
    /// Titles of feeds that were there already.
    pub already: Vec<String>,
    /// New articles, from another reader's file.
    pub articles: i64,
    /// Those of them that have a star.
    pub starred: i64,
    /// Articles that were there already.
    pub known: i64,
    /// Outlines that could not be read, and why.
    pub skipped: Vec<ImportTrouble>,
    /// What had to be forgiven, in words.
    pub repairs: Vec<String>,
    pub cancelled: bool,
    /// What else came where it is an archive.
    pub archive: Option<ArchiveCounts>,
    /// The whole file could not be read: nothing was changed.
    pub error: Option<IpcError>,
}

/// What came of an archive beside its feeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ArchiveCounts {
    pub feeds_there: i64,
    pub articles_added: i64,
    pub articles_there: i64,
    /// Articles that were marked as they are in the archive.
    pub marked: i64,
    pub rules_added: i64,
    pub searches_added: i64,
    pub pictures: i64,
    /// All that could not be taken in; `skipped` holds the first of it.
    pub left_out: i64,
}

/// How far writing everything, or articles, is. Sent as an event; `null` when it has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ExportProgress {
    pub file: String,
    pub done: i64,
    pub total: i64,
}

/// An archive that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Exported {
    pub path: String,
    pub feeds: i64,
    pub articles: i64,
    pub bytes: i64,
    /// Feeds whose logins, headers and proxies were left out.
    pub without_access: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DocumentForm {
    Markdown,
    Html,
    Epub,
    /// What the reader has marked in them and written about them, as Markdown.
    Notes,
}

/// Articles to be written as a document.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SaveArticles {
    /// These, …
    pub ids: Vec<i64>,
    /// … or else what this search finds; without both, as notes: all that have some.
    pub query: Option<String>,
    /// What the document is called.
    pub title: String,
    pub form: DocumentForm,
}

/// A document that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SavedDocument {
    pub path: String,
    pub articles: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ImportTrouble {
    pub outline: String,
    pub reason: String,
}
