//! Errors of exports and imports of archives.

use gleaner_library::LibraryError;
use std::{io, path::PathBuf};

/// Why an export or import failed.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The file could not be written; no part of it remains.
    #[error("{} could not be written: {why}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// A folder, device or pipe, which is not replaced.
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// The disk is full; no part of the file remains.
    #[error("there is not enough space for {}", .0.display())]
    Full(PathBuf),
    /// The file could not be read.
    #[error("{} could not be read: {why}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// Not a ZIP file, or its end is missing.
    #[error("{} is damaged or incomplete: {why}", file.display())]
    CutOff {
        /// The file.
        file: PathBuf,
        /// The error.
        why: String,
    },
    /// A ZIP file with other content.
    #[error("{} is a ZIP file, but not an archive of Gleaner: {why}", file.display())]
    Other {
        /// The file.
        file: PathBuf,
        /// What is missing.
        why: String,
    },
    /// A format version that this program does not know.
    #[error("{} was written by a newer Gleaner (format {found})", file.display())]
    Newer {
        /// The file.
        file: PathBuf,
        /// Its format version.
        found: u32,
    },
    /// The user cancelled it.
    #[error("cancelled")]
    Cancelled,
}
