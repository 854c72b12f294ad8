use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where the library is, and the copies of it. Told whether the library opens or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Backups {
    /// The library's folder.
    pub folder: String,
    /// The folder in which a library is set aside when another takes its place.
    pub aside: String,
    /// Newest first.
    pub backups: Vec<Backup>,
}

/// A copy of the library in its folder `backups`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Backup {
    /// Its file's name, without a folder.
    pub name: String,
    /// Unix milliseconds.
    pub at: i64,
    pub bytes: i64,
    pub occasion: BackupOccasion,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum BackupOccasion {
    /// A day had gone by.
    Daily,
    /// A newer Gleaner was about to change the library.
    Upgrade,
    ByHand,
}

/// Puts a backup in the library's place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct RestoreBackup {
    /// As [`Backup`] has it: only what is in the library's own folder of backups is restored.
    pub name: String,
}

/// The library that took the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Renewed {
    pub feeds: i64,
    pub articles: i64,
    /// What could not be read of the damaged one; nothing where a backup was restored.
    pub lost: Vec<LostPart>,
    /// The backup that was restored, or that filled the gaps.
    pub from: Option<Backup>,
    /// The folder in which the one before it is now.
    pub aside: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct LostPart {
    /// A table, or what the system said.
    pub what: String,
    pub pieces: i64,
}
