//! Reading statistics.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Requests the statistics of the last days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StatisticsQuery {
    /// 1 to 366.
    pub days: u32,
}

/// Articles that were opened within an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct ReadingHour {
    /// Start of the hour.
    pub at: i64,
    pub articles: i64,
}

/// Statistics of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct FeedStatistics {
    pub feed_id: i64,
    /// When the user subscribed to it.
    pub subscribed: i64,
    /// Number of received articles.
    pub articles: i64,
    /// Number of received articles that are unread.
    pub unread: i64,
    /// Number of articles that were opened while unread.
    pub opened: i64,
    /// Number of starred articles of any age.
    pub starred: i64,
    pub newest: Option<i64>,
}

/// Reading statistics. They never leave this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Statistics {
    /// Start of the requested period.
    pub from: i64,
    /// When counting began; `null` if nothing was opened yet.
    pub since: Option<i64>,
    /// Hours in which an article was opened, earliest first.
    pub hours: Vec<ReadingHour>,
    pub feeds: Vec<FeedStatistics>,
}
