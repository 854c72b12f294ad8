//! Backups of the library, and the recovery of a damaged one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The library's folder and its backups. Available even if the library cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Backups {
    /// The library's folder.
    pub folder: String,
    /// Folder that replaced libraries are moved to.
    pub previous_libraries_folder: String,
    /// Backups, newest first.
    pub backups: Vec<Backup>,
}

/// A backup of the library, in its folder `backups`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Backup {
    /// File name without a folder.
    pub name: String,
    /// Unix milliseconds.
    pub at: i64,
    pub bytes: i64,
    pub occasion: BackupOccasion,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum BackupOccasion {
    /// Made automatically once a day.
    Daily,
    /// Made before a newer version of Gleaner changed the library.
    Upgrade,
    ByHand,
}

/// Replaces the library with a backup.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct RestoreBackup {
    /// Name as in [`Backup`]. Only files in the library's backup folder are restored.
    pub name: String,
}

/// The library after it was restored or recovered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RestoredLibrary {
    pub feeds: i64,
    pub articles: i64,
    /// Data of the damaged library that could not be read. Empty if a backup was restored.
    pub lost: Vec<LostPart>,
    /// The backup that was restored or that filled the gaps.
    pub backup: Option<Backup>,
    /// Folder that the previous library was moved to.
    pub previous_folder: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct LostPart {
    /// Name of a table, or an error message of the system.
    pub part: String,
    pub count: i64,
}
