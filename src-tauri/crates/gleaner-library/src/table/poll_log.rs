//! `poll_log`: the last requests to each feed's server: when and why, what was sent and received, and the next time.

use crate::{
    LibraryError, Millis,
    table::polls::{Parameters, Poll, Polls},
};
use sqlx::SqliteConnection;

/// Number of requests that are kept of each feed.
const MAX_ENTRIES: i64 = 50;

/// A request, as polling reports it.
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
    /// Code of the error, as polling defines them.
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
    /// Why then.
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

/// Writes a request in place of the oldest one. `polls.requests` already counts it.
pub(crate) async fn write(
    connection: &mut SqliteConnection,
    poll: &Poll,
    exchange: &Exchange,
    (new, changed): (usize, usize),
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT OR REPLACE INTO poll_log (feed_id, slot, at, why, conditional, status, code, parameters, hops, took_ms, bytes, new_items,
                changed, next_at, next_reason)
         SELECT feed_id, requests % ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 FROM polls WHERE feed_id = ?1",
    )
    .bind(poll.feed_id)
    .bind(MAX_ENTRIES)
    .bind(poll.checked_at)
    .bind(&exchange.why)
    .bind(exchange.conditional)
    .bind(exchange.status)
    .bind(&poll.failure.error_code)
    .bind(poll.failure.error_parameters.stored())
    .bind(&exchange.hops)
    .bind(exchange.took_ms)
    .bind(exchange.bytes)
    .bind(i64::try_from(new).unwrap_or(i64::MAX))
    .bind(i64::try_from(changed).unwrap_or(i64::MAX))
    .bind(poll.next_at)
    .bind(&poll.next_reason)
    .execute(connection)
    .await?;
    Ok(())
}
