//! The library: everything Gleaner keeps, in one SQLite file. One connection writes, a few only read; what was
//! acknowledged survives a kill. Feed data, the reader's own state and the record of polling are apart from each other.

mod backup;
mod body;
mod check;
mod error;
mod list;
mod merge;
mod open;
mod recover;
mod search;
mod store;
mod subscriptions;
mod undo;
pub mod table {
    //! One file a table: its SQL, its row type, what reads and writes it.
    pub mod access;
    pub mod bodies;
    pub mod counts;
    pub mod enclosures;
    pub mod feeds;
    pub mod folders;
    pub mod held;
    pub mod hosts;
    pub mod items;
    pub mod poll_log;
    pub mod polls;
    pub mod search;
    pub mod settings;
    pub mod states;
    pub mod stories;
    pub mod versions;

    /// What a column is set to.
    pub(crate) enum Value<'a> {
        Text(Option<&'a str>),
        Number(Option<i64>),
    }
}

pub use backup::{Backup, Occasion, backups};
pub use body::Body;
pub use check::{Finding, Verified};
pub use error::LibraryError;
pub use list::{Cursor, ListQuery, MarkScope, Row, Source};
pub use open::{Library, PollingLock, default_folder};
pub use recover::{Recovered, recover, restore};
pub use search::{Hit, RANKED, SearchCursor, SearchOrder};
pub use store::{FeedFacts, Incoming, Intent, KnownItem, NewItem, Stored, Texts};
pub use subscriptions::{ImportCounts, NewSubscription, OutlineFeed, SubscriptionTree};
pub use table::access::{Access, Auth, Headers, Secret};
pub use table::bodies::ArticleText;
pub use table::counts::FeedCount;
pub use table::enclosures::Enclosure;
pub use table::feeds::{FeedRow, feed_key};
pub use table::folders::FolderRow;
pub use table::items::ItemRow;
pub use table::poll_log::{Exchange, PollLogRow};
pub use table::polls::{Failure, Poll, PollTotals};
pub use table::search::{IndexState, Indexed, Unindexed};
pub use table::stories::Elsewhere;
pub use table::versions::Version;
pub use undo::Undoable;

/// A moment: Unix milliseconds, UTC.
pub type Millis = i64;

/// The account of feeds that this computer polls itself: the first, and so far the only kind.
pub const LOCAL_ACCOUNT: i64 = 1;

/// Now, by the system's clock.
pub fn now() -> Millis {
    chrono::Utc::now().timestamp_millis()
}
