//! One file with all that a library holds, which needs no Gleaner to be read: docs/archive.md says what is in it.
//!
//! Writing reads one snapshot and passes it on line by line, beside its place first. Reading passes on lines too: nothing of an
//! archive is trusted, no name in it is used as a path, and what can be read of it comes in.

mod lines;
mod read;
mod write;

pub use read::{Imported, Trouble, import, is_archive};
pub use write::{Exported, export};

use gleaner_library::LibraryError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What an archive says of its form, for a person: its README.txt.
pub const FORM: &str = include_str!("../../../../docs/archive.md");

const FORMAT: &str = "gleaner-archive";
const VERSION: u32 = 1;
/// The first file of each.
const FIRST: &str = "README.txt";
const MANIFEST: &str = "manifest.json";
const SETTINGS: &str = "settings.json";

/// How far an archive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The file of it that is written or read.
    pub file: &'static str,
    /// Articles that are done.
    pub done: u64,
    /// Of so many; 0 where that is not known.
    pub total: u64,
}

/// What can go wrong, in words for a person.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The library's own trouble.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The archive could not be written; nothing of it is left.
    #[error("{} could not be written: {why}; nothing was left there", file.display())]
    Write {
        /// Where to.
        file: PathBuf,
        /// The system's words.
        why: String,
    },
    /// There is no room for it; nothing of it is left.
    #[error("there is not room enough for {}: make room, or write it to another disk; nothing was left there", .0.display())]
    Full(PathBuf),
    /// The file could not be read.
    #[error("{} could not be read: {why}", file.display())]
    Read {
        /// Which.
        file: PathBuf,
        /// The system's words.
        why: String,
    },
    /// Not a zip, or its end is missing.
    #[error("{} is no whole archive: its table of contents, which is at its end, cannot be read ({why}); if it was copied, copy it again", file.display())]
    CutOff {
        /// Which.
        file: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A zip of something else.
    #[error("{} is a zip, but no archive of Gleaner's: {why}", file.display())]
    Other {
        /// Which.
        file: PathBuf,
        /// What is missing.
        why: String,
    },
    /// Of a form that this program does not know.
    #[error("{} was written by a newer Gleaner (form {found}; this one knows {VERSION}): it takes a newer Gleaner to read it; nothing was changed", file.display())]
    Newer {
        /// Which.
        file: PathBuf,
        /// Its form.
        found: u32,
    },
    /// Stopped as was wished.
    #[error("stopped")]
    Cancelled,
}

/// `manifest.json`.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: String,
    version: u32,
    #[serde(default)]
    gleaner: String,
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

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
