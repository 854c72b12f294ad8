use crate::IpcError;
use serde::Serialize;
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ImportPhase {
    Reading,
    Subscribing,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ImportSummary {
    pub file: String,
    pub added: i64,
    pub folders_added: i64,
    /// Titles of feeds that were there already.
    pub already: Vec<String>,
    /// Outlines that could not be read, and why.
    pub skipped: Vec<ImportTrouble>,
    /// What had to be forgiven, in words.
    pub repairs: Vec<String>,
    pub cancelled: bool,
    /// The whole file could not be read: nothing was changed.
    pub error: Option<IpcError>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ImportTrouble {
    pub outline: String,
    pub reason: String,
}
