//! Imports from other readers: lists of feeds, exports and databases. [`find()`] recognises the content of a file or folder, [`open`] reads its
//! feeds, and [`import()`] imports them with their articles, under the same identities as polling. Other programs' files are never written:
//! databases are read from a copy.

mod bookmarks;
mod bundle;
mod copy;
mod database;
mod find;
mod freshrss;
mod google;
mod gpodder;
mod import;
mod installed;
mod json;
mod liferea;
mod lists;
mod netnewswire;
mod newsboat;
mod programs;
mod quiterss;
mod raw;
mod rssguard;
mod thunderbird;

pub use bookmarks::{Bookmark, bookmarks};
pub use find::{Found, Kind, find};
pub use import::{Comparison, ImportResult, Step, Survey, compare, import, survey};
pub use installed::{Installed, Places, browsers, installed};

use database::Database;
use gleaner_feed::{
    Item,
    opml::{self, NotOpml},
};
use gleaner_library::{LibraryError, Marks, NewSubscription};
use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;

/// Why a file was not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read, or there is no space for a copy.
    #[error("{} could not be read: {why}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// A pipe, socket or device.
    #[error("{} is not a regular file", path.display())]
    NotAFile {
        /// Its path.
        path: PathBuf,
    },
    /// Not a list of feeds.
    #[error(transparent)]
    NotOpml(#[from] NotOpml),
    /// An unknown format.
    #[error("this is {0}")]
    Other(#[from] OtherFile),
    /// A known program's database, of an unknown version.
    #[error("this is a database of {program}, of a version that Gleaner does not know: {missing}")]
    AnotherForm {
        /// The program.
        program: &'static str,
        /// What is missing.
        missing: String,
    },
    /// The file is damaged.
    #[error("the file of {program} is damaged: {why}. What could be read was imported")]
    Damaged {
        /// The program.
        program: &'static str,
        /// The error.
        why: String,
    },
    /// The file was changed while it was copied.
    #[error("another program is writing to {}: close it and try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file is longer than the limit.
    #[error("the file is larger than {} MB", .limit >> 20)]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The file has more feeds, bookmarks, articles or files than the limit.
    #[error("the file has more than {limit} entries")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

impl ImportError {
    fn unreadable(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        move |error| Self::Unreadable { path: path.to_owned(), why: error }
    }

    /// Returns the error of copying a file: about the copy if its disk is full, or else about the file.
    fn uncopied<'a>(path: &'a Path, copy: &'a Path) -> impl Fn(io::Error) -> Self + 'a {
        move |error| match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::unreadable(copy)(error),
            _ => Self::unreadable(path)(error),
        }
    }
}

/// A file of no format that can be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OtherFile {
    /// A folder without any file that can be imported.
    #[error("a folder without a known file")]
    Folder,
    /// A ZIP file without any file that can be imported.
    #[error("a ZIP file without a known file")]
    Zip,
    /// A damaged or incomplete ZIP file: the error.
    #[error("a damaged ZIP file: {0}")]
    DamagedZip(String),
    /// A JSON Feed.
    #[error("a JSON Feed")]
    JsonFeed,
    /// JSON without articles.
    #[error("JSON without articles")]
    OtherJson,
    /// Damaged or incomplete JSON: the error.
    #[error("damaged JSON: {0}")]
    DamagedJson(String),
    /// A damaged SQLite database: the error.
    #[error("a damaged database: {0}")]
    DamagedDatabase(String),
    /// A database of another program: some of its tables.
    #[error("a database of another program; its tables: {0}")]
    UnknownDatabase(String),
    /// The database of a Gleaner library.
    #[error("a library of Gleaner")]
    Library,
}

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its name in the file; may be empty.
    pub what: String,
    /// Why it was left out.
    pub why: SkipReason,
}

/// Why something was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// An outline of a list of feeds.
    Outline(opml::SkipReason),
    /// A search of newsboat.
    NewsboatSearch,
    /// An article that names neither its feed nor its own address.
    NoFeed,
    /// Further articles of this kind.
    MoreWithoutFeed {
        /// Their number.
        count: usize,
    },
    /// A feed of an account with a service that does not give its address.
    NoAddress,
    /// Articles of feeds that no longer exist.
    FeedsGone {
        /// Their number.
        count: usize,
    },
}

/// A feed of another reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// Id by which the other reader's articles refer to it.
    pub id: String,
    /// The subscription to create.
    pub subscription: NewSubscription,
}

impl Feed {
    /// Returns whether it is polled after the import. It is not if the file does not list it as subscribed, or if it has no web address.
    #[must_use]
    pub fn is_polled(&self) -> bool {
        self.subscription.refresh_minutes != Some(0)
    }
}

/// An article of another reader.
#[derive(Debug, Clone, PartialEq)]
pub struct Article {
    /// Its feed's [`Feed::id`].
    pub feed: String,
    /// The article as an item of a feed.
    pub item: Item,
    /// Its marks.
    pub marks: Marks,
    /// Tags that may be only the folders of its feed.
    pub labels: Vec<String>,
}

/// The content of another reader's file.
#[derive(Debug)]
pub struct ReaderData {
    /// The program, or the format.
    pub program: &'static str,
    /// Title of the file.
    pub title: Option<String>,
    /// Its feeds.
    pub feeds: Vec<Feed>,
    /// Paths of folders, empty ones included.
    pub folders: Vec<Vec<String>>,
    /// Repairs that were needed to read it.
    pub repairs: Vec<gleaner_feed::Repair>,
    /// Things that were left out.
    pub skipped: Vec<Skipped>,
    articles: Articles,
    /// The temporary folder that its articles are read from.
    _unpacked: Option<Arc<TempDir>>,
}

/// Source of the articles.
#[derive(Debug)]
enum Articles {
    None,
    Coming(tokio::sync::mpsc::Receiver<Result<Vec<Article>, ImportError>>),
    Database(Box<Database>, database::Query),
}

/// Programs whose databases do not say which feeds are subscribed.
const FEEDS_IN_LIST: [&str; 2] = [newsboat::NAME, netnewswire::NAME];

/// Number of articles imported per transaction.
const BATCH: usize = 500;

impl ReaderData {
    fn list(program: &'static str, feeds: Vec<Feed>) -> Self {
        Self {
            program,
            title: None,
            feeds,
            folders: Vec::new(),
            repairs: Vec::new(),
            skipped: Vec::new(),
            articles: Articles::None,
            _unpacked: None,
        }
    }

    /// Whether it is data that may contain articles, and not only a list of feeds.
    #[must_use]
    pub fn has_articles(&self) -> bool {
        !matches!(self.articles, Articles::None)
    }

    /// Returns the next articles; none at the end.
    async fn next(&mut self) -> Result<Vec<Article>, ImportError> {
        match &mut self.articles {
            Articles::None => Ok(Vec::new()),
            Articles::Coming(batches) => batches.recv().await.unwrap_or(Ok(Vec::new())),
            Articles::Database(database, query) => database.articles(query, BATCH).await,
        }
    }
}

/// Reads the feeds of a file; its articles are read during the import.
///
/// # Errors
/// [`ImportError`].
pub async fn open(found: &Found) -> Result<ReaderData, ImportError> {
    let mut data = match found.kind {
        Kind::Database => programs::open(&found.path).await?,
        Kind::List | Kind::Urls | Kind::Thunderbird | Kind::Json => {
            let (path, kind) = (found.path.clone(), found.kind);
            let reading = tokio::task::spawn_blocking(move || match kind {
                Kind::Json => google::read(&path),
                Kind::Thunderbird => thunderbird::read(&path),
                Kind::Urls => Ok(lists::urls(&lists::read(&path)?)),
                Kind::List | Kind::Database => lists::opml(&lists::read(&path)?),
            });
            let failed = |error: tokio::task::JoinError| ImportError::Unreadable {
                path: found.path.clone(),
                why: io::Error::other(error),
            };
            reading.await.map_err(failed)??
        }
    };
    data._unpacked = found.unpacked.clone();
    if found.has_list && FEEDS_IN_LIST.contains(&data.program) {
        // The list next to it names the subscribed feeds; others were unsubscribed.
        for feed in &mut data.feeds {
            feed.subscription.refresh_minutes = Some(0);
        }
    }
    Ok(data)
}
