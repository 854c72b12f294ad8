//! The library: everything Gleaner keeps, in one SQLite file. One connection writes, a few only read; what was
//! acknowledged survives a kill. Feed data, the reader's own state and the record of polling are apart from each other.

pub mod archive;
mod arrange;
mod backup;
mod beside;
mod body;
mod check;
mod error;
mod keeping;
mod languages;
mod list;
mod merge;
mod open;
mod recover;
mod search;
mod store;
mod subscriptions;
mod take_over;
mod undo;
mod wishes;
pub mod table {
    //! One file a table: its SQL, its row type, what reads and writes it.
    pub mod access;
    pub mod ahead;
    pub mod bodies;
    pub mod categories;
    pub mod counts;
    pub mod dictionaries;
    pub mod enclosures;
    pub mod feeds;
    pub mod folders;
    pub mod full_texts;
    pub mod going;
    pub mod held;
    pub mod hosts;
    pub mod icons;
    pub mod images;
    pub mod items;
    pub mod notes;
    pub(crate) mod numbers;
    pub mod opened;
    pub mod poll_log;
    pub mod polls;
    pub mod preferences;
    pub mod progress;
    pub mod reports;
    pub mod retention;
    pub mod rule_touches;
    pub mod rules;
    pub mod saved_searches;
    pub mod search;
    pub mod search_common;
    pub mod search_docs;
    pub mod settings;
    pub mod states;
    pub mod stories;
    pub mod tags;
    pub mod tombstones;
    pub mod versions;
    pub mod views;

    /// What a column is set to.
    pub(crate) enum Value<'a> {
        Text(Option<&'a str>),
        Number(Option<i64>),
    }
}

pub use arrange::Rearrangement;
pub use backup::{Backup, Occasion, backups};
pub use beside::{Beside, Chapter, Credit, FeedHead, FullTextWhen, HeadImage, TextInput};
pub use body::Body;
pub use check::{Finding, Verified};
pub use error::LibraryError;
pub use keeping::Preview;
pub use list::{ArrangedQuery, Arrangement, Cursor, ListQuery, MarkScope, Place, Row, Source};
pub use open::{Library, PollingLock, default_folder};
pub use recover::{Recovered, recover, restore};
pub use search::{Hit, RANKED, SearchCursor, SearchOrder};
pub use store::{FeedFacts, Incoming, Intent, KnownItem, NewItem, Stored, Texts};
pub use subscriptions::{ImportCounts, NewSubscription, OutlineFeed, SubscriptionTree};
pub use table::access::{Access, Auth, Headers, Secret};
pub use table::ahead::{AheadJob, AheadState, AheadWhat};
pub use table::bodies::ArticleText;
pub use table::categories::{Facet, Synonym};
pub use table::counts::FeedCount;
pub use table::dictionaries::PackedTexts;
pub use table::enclosures::Enclosure;
pub use table::feeds::{FeedRow, FeedTexts, feed_key};
pub use table::folders::{FolderRow, folder_paths};
pub use table::full_texts::FullText;
pub use table::going::Going;
pub use table::icons::{ICON_TYPES, WithoutIcon};
pub use table::images::{ItemImage, StoredImage, image_type};
pub use table::items::ItemRow;
pub use table::notes::{COLORS, LONGEST_NOTE, NoteRow, Quote};
pub use table::opened::{FeedStatistics, Statistics};
pub use table::poll_log::{Exchange, PollLogRow};
pub use table::polls::{Failure, Poll, PollTotals};
pub use table::preferences::{BEST, Preferences, Said, SaidBy};
pub use table::progress::Playback;
pub use table::reports::{LONGEST_REPORT, PackedReport};
pub use table::retention::{FeedScope, Keep};
pub use table::rule_touches::{RuleTouch, Ruled};
pub use table::rules::{Action, NewRule, Rule, RuleScope};
pub use table::saved_searches::{COUNTED, SavedSearch, UnreadFound};
pub use table::search::{IndexState, Indexed, TakenIn, Unindexed};
pub use table::search_common::CommonWords;
pub use table::states::Mark;
pub use table::stories::Elsewhere;
pub use table::tags::{Tag, tag_key};
pub use table::tombstones::NOTICED;
pub use table::versions::Version;
pub use take_over::{Marks, TakenOver, TookOver};
pub use undo::Undoable;
pub use wishes::{AheadSettings, AheadWish, Candidate, Undecided};

/// A moment: Unix milliseconds, UTC.
pub type Millis = i64;

/// The account of feeds that this computer polls itself: the first, and so far the only kind.
pub const LOCAL_ACCOUNT: i64 = 1;

/// Now, by the system's clock.
pub fn now() -> Millis {
    chrono::Utc::now().timestamp_millis()
}
