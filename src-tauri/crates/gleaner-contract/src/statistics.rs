use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What was read in the last so many days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AskStatistics {
    /// 1 to 366.
    pub days: u32,
}

/// Articles that were opened in an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct OpenedHour {
    /// When it began.
    pub at: i64,
    pub articles: i64,
}

/// What was read of a feed, and what came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct FeedStatistics {
    pub feed_id: i64,
    /// Articles that came.
    pub articles: i64,
    /// Those of them that are unread.
    pub unread: i64,
    /// Articles that were opened while they were unread.
    pub opened: i64,
    /// Articles that are starred, of all times.
    pub starred: i64,
    pub newest: Option<i64>,
}

/// What was read, counted on this computer for the reader alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Statistics {
    /// The beginning of the time that was asked for.
    pub from: i64,
    /// Since when it is counted what is opened; `null`: nothing was opened yet.
    pub since: Option<i64>,
    /// Those in which something was opened, the first first.
    pub hours: Vec<OpenedHour>,
    pub feeds: Vec<FeedStatistics>,
}
