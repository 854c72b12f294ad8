//! Downloads of older articles of a feed.

use crate::IpcError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Starts to download older articles of a feed. Progress is sent as events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct StartBackfill {
    pub feed_id: i64,
    /// Maximum number of pages of the feed's archive.
    pub pages: u32,
}

/// Progress of the download of older articles. Sent while it runs and once at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct BackfillProgress {
    pub feed_id: i64,
    pub pages: i64,
    /// Number of new articles.
    pub articles: i64,
    /// `null` while it runs.
    pub ended: Option<BackfillOutcome>,
}

/// How the download of older articles ended. Articles received until then are stored in every case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BackfillOutcome {
    /// The whole archive was read.
    Complete,
    /// The feed offers no archive.
    NothingOffered,
    /// The maximum number of pages was reached.
    Limit,
    Cancelled,
    /// The address of the feed was changed, or it was unsubscribed or moved to an account.
    FeedChanged,
    /// The server asked to wait until then (Unix milliseconds).
    RetryAfter {
        until: i64,
    },
    /// Another process is polling the library, so nothing was downloaded.
    OtherProcess,
    Failed {
        error: IpcError,
    },
}
