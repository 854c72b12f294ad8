//! The schedule of a feed, its requests, and suggestions about it.

use crate::IpcError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FeedId {
    pub feed_id: i64,
}

/// The reason for the time of a feed's next check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PollReason {
    /// First check.
    First,
    /// The user requested a refresh.
    Hand,
    /// Default interval.
    Usual,
    /// Based on the feed's posting frequency.
    PostingFrequency,
    /// The user's preference.
    Preference,
    /// The server sends no validators (ETag, Last-Modified) and the feed rarely changes.
    NoValidators,
    /// Caching header of the server (max-age or Expires).
    Fresh,
    /// `ttl` of the feed.
    Ttl,
    /// Update period of the feed (`sy:updatePeriod`).
    Period,
    /// Postponed by the feed's `skipHours` or `skipDays`.
    Skipped,
    /// Retry after a failure.
    Failed,
    /// The server asked to wait (Retry-After).
    RetryAfter,
    /// The server did not respond to the checks of its other feeds.
    SilentHost,
}

/// The schedule of a feed, its state and its latest requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedInfo {
    pub feed_id: i64,
    pub title: String,
    pub url: String,
    /// Address before the feed moved.
    pub former_url: Option<String>,
    /// The user's preference in minutes between checks; 0 for never automatically; `null` for automatic.
    pub refresh_minutes: Option<u32>,
    /// Time of the last check, in Unix milliseconds like all times here.
    pub checked: Option<i64>,
    pub succeeded: Option<i64>,
    /// When the document last changed.
    pub changed: Option<i64>,
    pub next: Option<i64>,
    pub next_reason: Option<PollReason>,
    pub error: Option<IpcError>,
    /// Average minutes between two articles.
    pub posting_interval_minutes: Option<i64>,
    /// Publication date of the newest article.
    pub newest: Option<i64>,
    pub requested: RequestedIntervals,
    pub requests: i64,
    pub not_modified: i64,
    pub bytes: i64,
    /// Bytes saved by "not modified" responses.
    pub bytes_saved: i64,
    pub suggestions: Vec<FeedSuggestion>,
    /// The latest requests, newest first.
    pub polls: Vec<PollLogEntry>,
}

/// Schedule hints of the feed and its server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RequestedIntervals {
    /// From max-age or Expires.
    pub max_age_seconds: Option<i64>,
    pub ttl_minutes: Option<u32>,
    pub period_minutes: Option<u32>,
    /// Hours of the day, GMT.
    pub skip_hours: Vec<u8>,
    /// 0 is Monday.
    pub skip_days: Vec<u8>,
}

/// A request and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct PollLogEntry {
    pub at: i64,
    pub reason: Option<PollReason>,
    /// Whether it was a conditional request.
    pub conditional: bool,
    /// `null` if there was no response.
    pub status: Option<u16>,
    pub error: Option<IpcError>,
    /// The error in English, if an older version of Gleaner stored it without a code.
    pub error_text: Option<String>,
    /// Redirects: `301 https://example.com/feed`.
    pub redirects: Vec<String>,
    pub duration_ms: i64,
    pub bytes: i64,
    pub new_articles: i64,
    pub changed_articles: i64,
    pub next: Option<i64>,
    pub next_reason: Option<PollReason>,
}

/// A suggestion to the user about a feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FeedSuggestion {
    /// The feed has moved permanently. It is followed automatically after `responses_left` more such responses.
    Follow { to: String, responses_left: i64 },
    /// It redirects to the address of another subscription.
    Merge { feed_id: i64, title: String },
    /// Its site offers another feed.
    Switch { to: String, title: Option<String> },
    /// Its domain seems to have expired.
    Parked,
    /// The server responded that it is gone.
    Gone,
    /// The address no longer returns a feed.
    NotAFeed,
    /// Its certificate is not valid.
    Certificate,
    /// The name of its host now resolves to a private address.
    PrivateNetwork,
    /// It has failed for a week or longer.
    LongFailing,
    /// It has had no new articles for a year or longer.
    Inactive { since: i64 },
    /// Its move was followed automatically, which can be reverted.
    Moved { from: String },
}

/// Changes the address of a feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangeFeedAddress {
    pub feed_id: i64,
    pub url: String,
}

/// Merges two subscriptions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MergeFeeds {
    /// The subscription that is removed.
    pub feed_id: i64,
    /// The subscription that receives its articles.
    pub into: i64,
}

/// Totals of the requests for all feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct Traffic {
    /// Requests sent.
    pub requests: i64,
    /// Number of "not modified" responses.
    pub not_modified: i64,
    /// Bytes received.
    pub bytes: i64,
    /// Bytes saved by "not modified" responses.
    pub bytes_saved: i64,
}
