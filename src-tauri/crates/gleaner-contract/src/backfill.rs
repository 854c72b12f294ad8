use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Brings in what a feed published before; how far it is comes as events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct StartBackfill {
    pub feed_id: i64,
    /// At most so many pages of its archive.
    pub pages: u32,
}

/// How far the backfill of a feed is. Sent as an event while one runs, and once at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct BackfillProgress {
    pub feed_id: i64,
    pub pages: i64,
    /// Articles that were not there.
    pub articles: i64,
    /// `null` while it runs.
    pub ended: Option<BackfillEnd>,
}

/// How a backfill ended. What came until then is kept in each case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BackfillEnd {
    /// At the feed's own end.
    Whole,
    /// The feed has no archive that it names.
    NothingOffered,
    /// At the limit of pages.
    Limit,
    Cancelled,
    /// The server wants to be left alone until then (Unix milliseconds).
    Wait {
        until: i64,
    },
    /// Another process is polling: nothing was done.
    Elsewhere,
    /// `message` says why.
    Failed {
        message: String,
    },
}
