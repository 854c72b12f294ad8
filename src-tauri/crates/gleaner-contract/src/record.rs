use crate::IpcError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FeedId {
    pub feed_id: i64,
}

/// Why a feed is or was asked when it is or was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PollReason {
    /// The first time.
    First,
    /// By hand.
    Hand,
    /// Nothing says otherwise.
    Usual,
    /// The feed posts about so often.
    Rhythm,
    /// The user wants it so.
    Wish,
    /// The server cannot say whether anything changed, and little does.
    Bare,
    /// The server says how long its answer stays good.
    Fresh,
    /// The feed says how long it stays good.
    Ttl,
    /// The feed says how often it is updated.
    Period,
    /// The feed wants to be left alone at some hours or days.
    Skipped,
    /// It failed.
    Failed,
    /// The server asked to wait.
    RetryAfter,
}

/// What polling knows of a feed, and what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedRecord {
    pub feed_id: i64,
    pub title: String,
    pub url: String,
    /// Where it was before it moved.
    pub former_url: Option<String>,
    /// The user's wish: minutes between polls; 0: never by itself; `null`: as Gleaner thinks best.
    pub refresh_minutes: Option<u32>,
    /// Unix milliseconds, as all moments here.
    pub checked: Option<i64>,
    pub succeeded: Option<i64>,
    /// When something new last came.
    pub changed: Option<i64>,
    pub next: Option<i64>,
    pub next_reason: Option<PollReason>,
    pub trouble: Option<IpcError>,
    /// Minutes from one posting to the next, on the average.
    pub rhythm_minutes: Option<i64>,
    /// When its newest article was published.
    pub newest: Option<i64>,
    pub asks: PollWishes,
    pub requests: i64,
    pub not_modified: i64,
    pub bytes: i64,
    /// Bytes that "not modified" spared.
    pub bytes_saved: i64,
    pub remedies: Vec<Remedy>,
    /// The last requests, newest first.
    pub polls: Vec<PollLine>,
}

/// What the feed and its server ask of those who poll.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct PollWishes {
    /// max-age or Expires.
    pub fresh_seconds: Option<i64>,
    pub ttl_minutes: Option<u32>,
    pub period_minutes: Option<u32>,
    /// Hours of the day, GMT.
    pub skip_hours: Vec<u8>,
    /// 0 is Monday.
    pub skip_days: Vec<u8>,
}

/// One request and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct PollLine {
    pub at: i64,
    pub why: Option<PollReason>,
    /// Asked whether anything had changed, not for the whole.
    pub conditional: bool,
    /// `null`: there was no answer.
    pub status: Option<u16>,
    pub trouble: Option<IpcError>,
    /// Redirects: "301 https://example.com/feed".
    pub hops: Vec<String>,
    pub took_ms: i64,
    pub bytes: i64,
    pub new_articles: i64,
    pub changed_articles: i64,
    pub next: Option<i64>,
    pub next_reason: Option<PollReason>,
}

/// A state of a feed with something to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Remedy {
    /// It says that it has moved for good; after so many more answers that say the same it is followed without asking.
    Follow { to: String, answers: i64 },
    /// It ends at the address of another subscription.
    Merge { feed_id: i64, title: String },
    /// Its site offers another feed.
    Switch { to: String, title: Option<String> },
    /// Its domain seems to have been given up.
    Parked,
    /// Its server says that it is gone.
    Gone,
    /// Something else is where it was.
    NotAFeed,
    /// Its certificate is not good.
    Certificate,
    /// It has failed for a week and more.
    Attention,
    /// It has had nothing new for a year and more.
    Silent { since: i64 },
    /// It moved and was followed: it can be taken back.
    Moved { from: String },
}

/// Fetches a feed elsewhere from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangeFeedAddress {
    pub feed_id: i64,
    pub url: String,
}

/// Makes one subscription of two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MergeFeeds {
    /// The one that goes.
    pub feed_id: i64,
    /// The one that gets its articles.
    pub into: i64,
}

/// What polling has cost and spared, over all feeds together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct Traffic {
    /// Requests sent.
    pub requests: i64,
    /// Answers that said "not modified".
    pub not_modified: i64,
    /// Bytes received.
    pub bytes: i64,
    /// Bytes that "not modified" spared.
    pub bytes_saved: i64,
}
