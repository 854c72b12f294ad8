//! `poll_log`: each request to a feed's server: when and why then, what was sent, what came, and what follows. The last ones
//! of each feed are kept.

use crate::{Incoming, Library, LibraryError, Millis};
use sqlx::SqliteConnection;

/// So many are kept of each feed.
const KEPT: i64 = 50;

/// A request as polling tells of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exchange {
    /// Why the feed was asked then: "hand", or the reason that the poll before had given.
    pub why: String,
    /// Validators were sent.
    pub conditional: bool,
    /// The HTTP status; `None` where no answer came.
    pub status: Option<u16>,
    /// The redirects that were followed, one a line: status and address.
    pub hops: Option<String>,
    /// From the call to the last byte, in milliseconds.
    pub took_ms: i64,
    /// Bytes over the wire.
    pub bytes: i64,
}

/// A request as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct PollLogRow {
    /// When.
    pub at: Millis,
    /// Why then.
    pub why: String,
    /// Validators were sent.
    pub conditional: bool,
    /// The HTTP status; `None` where no answer came.
    pub status: Option<u16>,
    /// What went wrong: a name of the window's contract.
    pub code: Option<String>,
    /// The same in words.
    pub message: Option<String>,
    /// The redirects that were followed, one a line.
    pub hops: Option<String>,
    /// Milliseconds.
    pub took_ms: i64,
    /// Over the wire.
    pub bytes: i64,
    /// Articles that were new.
    pub new_items: i64,
    /// Articles that had changed.
    pub changed: i64,
    /// When the feed was to be asked next.
    pub next_at: Option<Millis>,
    /// Why then.
    pub next_reason: Option<String>,
}

impl Library {
    /// The last requests to a feed's server, newest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn poll_log(&self, feed: i64) -> Result<Vec<PollLogRow>, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT at, why, conditional, status, code, message, hops, took_ms, bytes, new_items, changed, next_at, next_reason
             FROM poll_log WHERE feed_id = ? ORDER BY at DESC, slot DESC",
        )
        .bind(feed)
        .fetch_all(&self.readers)
        .await?)
    }
}

/// Writes a line, in place of the oldest one where there are enough. The request is counted in `polls` already.
pub(crate) async fn write(
    connection: &mut SqliteConnection,
    incoming: &Incoming,
    exchange: &Exchange,
) -> sqlx::Result<()> {
    let (poll, (new, changed)) = (&incoming.poll, incoming.counts());
    sqlx::query(
        "INSERT OR REPLACE INTO poll_log (feed_id, slot, at, why, conditional, status, code, message, hops, took_ms, bytes, new_items,
                changed, next_at, next_reason)
         SELECT feed_id, requests % ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 FROM polls WHERE feed_id = ?1",
    )
    .bind(poll.feed_id)
    .bind(KEPT)
    .bind(poll.checked_at)
    .bind(&exchange.why)
    .bind(exchange.conditional)
    .bind(exchange.status)
    .bind(&poll.failure.error_code)
    .bind(&poll.failure.error_message)
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
