use std::path::PathBuf;

/// What can go wrong with the library, in words for a person.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The folder or the file cannot be written.
    #[error("the library in {} cannot be written: {why}", folder.display())]
    ReadOnly {
        /// The library's folder.
        folder: PathBuf,
        /// The system's words.
        why: String,
    },
    /// Written by a newer Gleaner: left untouched.
    #[error("the library in {} was written by a newer Gleaner (schema {found}; this one knows {known}); it was left untouched", folder.display())]
    Newer {
        /// The library's folder.
        folder: PathBuf,
        /// Its schema's number.
        found: i64,
        /// The newest number that this program knows.
        known: i64,
    },
    /// Not a SQLite file, not a library, or damaged.
    #[error("the library in {} cannot be read: {why}", folder.display())]
    Damaged {
        /// The library's folder.
        folder: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// No room left.
    #[error(
        "the disk that holds the library is full; nothing was lost, but nothing more can be kept until there is room"
    )]
    DiskFull,
    /// The disk does not do what it should: SQLite's words.
    #[error(
        "the disk that holds the library does not read or write as it should ({0}); nothing that was kept is lost: try again, and look after the disk"
    )]
    DiskFailed(String),
    /// Another process held the library for too long.
    #[error("another program is writing to the library; try again in a moment")]
    Locked,
    /// The feed, folder or article is not there any more.
    #[error("the {0} is not there any more")]
    NotFound(&'static str),
    /// A value that makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// The feed is subscribed already.
    #[error("already subscribed")]
    AlreadySubscribed(i64),
    /// Anything else of SQLite's.
    #[error("the library failed: {0}")]
    Sql(sqlx::Error),
}

impl LibraryError {
    /// The library's file is damaged: it does not open, or a part of it cannot be read.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Sql(error) => matches!(primary_code(error), Some(11 | 26)),
            _ => false,
        }
    }
}

/// SQLite's primary result code: the low byte (<https://www.sqlite.org/rescode.html>).
fn primary_code(error: &sqlx::Error) -> Option<i64> {
    let code = error.as_database_error()?.code()?.parse::<i64>().ok()?;
    Some(code & 0xff)
}

impl From<sqlx::Error> for LibraryError {
    fn from(error: sqlx::Error) -> Self {
        match primary_code(&error) {
            Some(5 | 6) => Self::Locked,
            Some(13) => Self::DiskFull,
            Some(10 | 14) => Self::DiskFailed(error.to_string()),
            _ => Self::Sql(error),
        }
    }
}
