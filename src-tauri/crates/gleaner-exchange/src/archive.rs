//! Archives: one file with all data of a library, which other programs can also read. docs/archive.md describes the format.
//!
//! An export writes one snapshot line by line into a temporary file. An import reads line by line, too. It trusts nothing in an archive,
//! uses no name in it as a path, and imports everything that is readable.

mod export;
mod import;
mod imported;
mod lines;
mod listed;
mod lookup;
mod reader;

pub use crate::error::ArchiveError;
pub use export::{Exported, export};
pub use import::{import, is_archive};
pub use imported::{Imported, Skipped};
pub use listed::ListedFeed;

use serde::{Deserialize, Serialize};

/// Description of the format, stored in each archive as README.txt.
pub const FORM: &str = include_str!("../../../../docs/archive.md");

const FORMAT: &str = "gleaner-archive";
const VERSION: u32 = 1;
/// Version of the language of queries: 2 has `NOT`, 1 is that of version 0.2.0.
const QUERIES: u32 = 2;
/// Name of the first file of each archive.
const FIRST: &str = "README.txt";
const MANIFEST: &str = "manifest.json";
const SETTINGS: &str = "settings.json";

/// Progress of an export or import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The file of the archive that is being written or read.
    pub file: &'static str,
    /// Number of articles done.
    pub done: u64,
    /// Number of articles; 0 if unknown.
    pub total: u64,
}

/// Kinds of problems in archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// The file is missing.
    Missing,
    /// The file is too long.
    TooLong,
    /// The file cannot be read.
    Unreadable,
    /// The file does not match its digest. What could be read was imported.
    Damaged,
    /// Nothing from this line on can be read.
    RestUnreadable,
    /// The record on this line is invalid.
    InvalidRecord,
    /// Records beyond the limit.
    TooMany {
        /// Their number.
        count: usize,
    },
    /// Feeds with invalid addresses.
    InvalidAddresses {
        /// Their number.
        count: usize,
    },
    /// Articles of feeds that the archive does not contain.
    UnknownFeeds {
        /// Their number.
        count: usize,
    },
    /// The image does not match its record.
    InvalidImage,
    /// The images are far larger than the archive.
    ImagesTooLarge,
    /// Images that no article shows.
    UnusedImages {
        /// Their number.
        count: usize,
    },
}

/// Contents of `manifest.json`.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: String,
    version: u32,
    #[serde(default)]
    gleaner: String,
    #[serde(default)]
    queries: u32,
    #[serde(default)]
    made_at: String,
    #[serde(default)]
    files: Vec<Listed>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Listed {
    name: String,
    bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<u64>,
    sha256: String,
}
