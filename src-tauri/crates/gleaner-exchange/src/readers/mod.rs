//! What other readers leave behind: lists of feeds, exports and databases. [`find`] tells by content what a file or folder holds,
//! [`open`] reads its feeds, and [`take`] brings them and their articles into the library, each under the identity that polling
//! will know it by. Other programs' files are never written: databases are read from a copy.

mod bundle;
mod copy;
mod database;
mod find;
mod freshrss;
mod google;
mod json;
mod liferea;
mod lists;
mod netnewswire;
mod newsboat;
mod quiterss;
mod raw;
mod rssguard;
mod take;

pub use find::{Found, Kind, find};
pub use take::{Step, Survey, Took, survey, take};

use database::Database;
use gleaner_feed::{Item, opml::NotOpml};
use gleaner_library::{LibraryError, Marks, NewSubscription};
use std::{path::PathBuf, sync::Arc};
use tempfile::TempDir;

/// What can be taken in, in words.
pub const READABLE: &str = "OPML lists; exports of FreshRSS, Inoreader, Feedly, The Old Reader and Google Reader; and the databases of \
    Liferea, newsboat, RSS Guard, QuiteRSS, NetNewsWire and FreshRSS";

/// Why a file was not taken in.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    /// The system does not let us read it, or has no room for a copy of it.
    #[error("{} could not be read: {why}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        why: String,
    },
    /// No list of feeds.
    #[error(transparent)]
    NotOpml(#[from] NotOpml),
    /// Something else: it says what.
    #[error("this is {what}. What can be taken in: {READABLE}")]
    Other {
        /// Names it for a person.
        what: String,
    },
    /// A known program's database, in a form of another version.
    #[error("this is a database of {program}, in a form that Gleaner does not know: {missing}")]
    AnotherForm {
        /// The program.
        program: &'static str,
        /// What is not where it should be.
        missing: String,
    },
    /// It is broken.
    #[error("the file of {program} is damaged: {why}. What could be read of it has come in")]
    Damaged {
        /// The program.
        program: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// It was written to while it was copied.
    #[error("another program is writing to {}: close it and try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Past a limit on size.
    #[error("the file is too large: {limit}")]
    TooLarge {
        /// The limit, in words.
        limit: String,
    },
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

/// Something that was left out, or changed on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// What, as a person would recognise it.
    pub what: String,
    /// Why.
    pub why: String,
}

/// A feed of another reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// What that reader's articles name it by.
    pub id: String,
    /// As it is to be subscribed to.
    pub subscription: NewSubscription,
}

/// An article of another reader.
#[derive(Debug, Clone, PartialEq)]
pub struct Article {
    /// Its feed's [`Feed::id`].
    pub feed: String,
    /// As a feed would bring it.
    pub item: Item,
    /// What was made of it.
    pub marks: Marks,
    /// Tags of it that may be no more than the folders of its feed.
    pub labels: Vec<String>,
}

/// What another reader kept.
#[derive(Debug)]
pub struct Kept {
    /// The program, or the form.
    pub program: &'static str,
    /// What the file calls itself.
    pub title: Option<String>,
    /// Its feeds.
    pub feeds: Vec<Feed>,
    /// Folders by their paths, empty ones too.
    pub folders: Vec<Vec<String>>,
    /// What had to be forgiven, in words.
    pub repairs: Vec<String>,
    /// What is left out.
    pub skipped: Vec<Skipped>,
    articles: Articles,
    /// Where its articles are read from.
    _unpacked: Option<Arc<TempDir>>,
}

/// Where the articles come from.
#[derive(Debug)]
enum Articles {
    None,
    Coming(tokio::sync::mpsc::Receiver<Result<Vec<Article>, NotTaken>>),
    Database(Box<Database>, database::Query),
}

/// Programs whose databases do not say what is subscribed.
const LISTED_ELSEWHERE: [&str; 2] = [newsboat::NAME, netnewswire::NAME];

/// So many articles are taken in at once.
const BATCH: usize = 500;

impl Kept {
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

    /// The next articles; none at the end.
    async fn next(&mut self) -> Result<Vec<Article>, NotTaken> {
        match &mut self.articles {
            Articles::None => Ok(Vec::new()),
            Articles::Coming(batches) => batches.recv().await.unwrap_or(Ok(Vec::new())),
            Articles::Database(database, query) => database.articles(query, BATCH).await,
        }
    }
}

/// Reads the feeds of what was found; its articles are read as they are taken in.
///
/// # Errors
/// [`NotTaken`].
pub async fn open(found: &Found) -> Result<Kept, NotTaken> {
    let mut kept = match found.kind {
        Kind::Database => database::open(&found.path).await?,
        Kind::List | Kind::Urls | Kind::Json => {
            let (path, kind) = (found.path.clone(), found.kind);
            let reading = tokio::task::spawn_blocking(move || match kind {
                Kind::Json => google::read(&path),
                Kind::Urls => Ok(lists::urls(&find::read(&path)?)),
                Kind::List | Kind::Database => lists::opml(&find::read(&path)?),
            });
            let failed = |error: tokio::task::JoinError| NotTaken::Unreadable {
                path: found.path.clone(),
                why: error.to_string(),
            };
            reading.await.map_err(failed)??
        }
    };
    kept._unpacked = found.unpacked.clone();
    if found.beside_list && LISTED_ELSEWHERE.contains(&kept.program) {
        // The list beside it says what is subscribed; what that does not name was left.
        for feed in &mut kept.feeds {
            feed.subscription.refresh_minutes = Some(0);
        }
    }
    Ok(kept)
}
