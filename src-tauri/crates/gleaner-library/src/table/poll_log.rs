//! `poll_log`: the last requests to each feed's server: when and why, what was sent and received, and the next time.

use crate::{LibraryError, Millis, parameters::Parameters, table::polls::Polls};

/// Number of requests that are kept of each feed.
pub(crate) const LOGGED_REQUESTS: i64 = 50;

/// A request, as reported by polling.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exchange {
    /// Why the feed was polled: "hand", or the reason of the poll before.
    pub why: String,
    /// Whether validators were sent.
    pub conditional: bool,
    /// HTTP status; `None` without a response.
    pub status: Option<u16>,
    /// Redirects that were followed, one per line: status and address.
    pub hops: Option<String>,
    /// From the start to the last byte, in milliseconds.
    pub took_ms: i64,
    /// Bytes received.
    pub bytes: i64,
}

/// A request from the log.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct PollLogRow {
    /// When it was sent.
    pub at: Millis,
    /// Why the feed was polled.
    pub why: String,
    /// Whether validators were sent.
    pub conditional: bool,
    /// HTTP status; `None` without a response.
    pub status: Option<u16>,
    /// Code of the error, as defined by polling.
    pub code: Option<String>,
    /// Parameters of its message.
    #[sqlx(try_from = "String")]
    pub parameters: Parameters,
    /// The error in English, from versions before schema 16.
    pub message: Option<String>,
    /// Redirects that were followed, one per line.
    pub hops: Option<String>,
    /// Duration in milliseconds.
    pub took_ms: i64,
    /// Bytes received.
    pub bytes: i64,
    /// Number of new articles.
    pub new_items: i64,
    /// Number of changed articles.
    pub changed: i64,
    /// When the next poll was due.
    pub next_at: Option<Millis>,
    /// Why the next poll is at that time.
    pub next_reason: Option<String>,
}

impl Polls<'_> {
    /// Returns the last requests to a feed's server, newest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn log(self, feed: i64) -> Result<Vec<PollLogRow>, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT at, why, conditional, status, code, parameters, message, hops, took_ms, bytes, new_items, changed, next_at,
                    next_reason
             FROM poll_log WHERE feed_id = ? ORDER BY at DESC, slot DESC",
        )
        .bind(feed)
        .fetch_all(&self.db.readers)
        .await?)
    }
}
