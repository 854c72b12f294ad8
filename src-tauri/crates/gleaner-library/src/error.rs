//! The error of the library.

use crate::Refusal;
use std::path::PathBuf;

/// An error of the library: a variant and its parameters. `Display` is for logs; the catalogues word it for the user.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The folder or the file cannot be written.
    #[error("cannot write the library in {}: {why}", folder.display())]
    ReadOnly {
        /// The library's folder.
        folder: PathBuf,
        /// The system's message.
        why: String,
    },
    /// Written by a newer Gleaner: left untouched.
    #[error("the library in {} was written by a newer Gleaner (schema {found}, known up to {known})", folder.display())]
    Newer {
        /// The library's folder.
        folder: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest schema version that this program knows.
        known: i64,
    },
    /// Not a SQLite file, not a library, or damaged.
    #[error("cannot read the library in {}: {why}", folder.display())]
    Damaged {
        /// The library's folder.
        folder: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The disk is full.
    #[error("the library's disk is full")]
    DiskFull,
    /// Reading or writing the disk failed: SQLite's message.
    #[error("the library's disk failed: {0}")]
    DiskFailed(String),
    /// A process of an older Gleaner has the library open, so its schema cannot be updated.
    #[error("an older Gleaner has the library open; quit it, then try again")]
    OlderInUse,
    /// Another process held the library for too long.
    #[error("another process has locked the library")]
    Locked,
    /// An object does not exist: its kind, such as "feed", "folder" or "article".
    #[error("no such {0}")]
    NotFound(&'static str),
    /// The library refuses a value.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// Stored data or a value has an unexpected form: a message for the log.
    #[error("{0}")]
    Invalid(String),
    /// The feed is subscribed already: its id.
    #[error("already subscribed as feed {0}")]
    AlreadySubscribed(i64),
    /// Another error of SQLite.
    #[error("SQLite: {0}")]
    Sql(sqlx::Error),
}

impl LibraryError {
    /// Returns whether the library's file is damaged: it does not open, or a part of it is unreadable.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Sql(sqlx::Error::ColumnDecode { source, .. }) => source.is::<std::str::Utf8Error>(),
            Self::Sql(error) => matches!(primary_code(error), Some(11 | 26)),
            _ => false,
        }
    }

    /// Returns whether the error is about the values to be stored, not about the library: other values may be stored all the same.
    pub(crate) fn is_of_data(&self) -> bool {
        match self {
            Self::Refused(_) | Self::Invalid(_) | Self::NotFound(_) => true,
            // SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH.
            Self::Sql(error) => matches!(error, sqlx::Error::Encode(_)) || matches!(primary_code(error), Some(18..=20)),
            _ => false,
        }
    }
}

/// Returns SQLite's primary result code, the low byte (<https://www.sqlite.org/rescode.html>).
fn primary_code(error: &sqlx::Error) -> Option<i64> {
    Some(extended_code(error)? & 0xff)
}

fn extended_code(error: &sqlx::Error) -> Option<i64> {
    error.as_database_error()?.code()?.parse().ok()
}

/// `SQLITE_IOERR_SHMSIZE`: there is no room for the file that the processes share. SQLite needs it to open a library, also for reading.
const SHARED_MEMORY_SIZE: i64 = 4874;

impl From<sqlx::Error> for LibraryError {
    fn from(error: sqlx::Error) -> Self {
        match primary_code(&error) {
            Some(5 | 6) => Self::Locked,
            Some(13) => Self::DiskFull,
            Some(10) if extended_code(&error) == Some(SHARED_MEMORY_SIZE) => Self::DiskFull,
            Some(10 | 14) => Self::DiskFailed(error.to_string()),
            _ => Self::Sql(error),
        }
    }
}
