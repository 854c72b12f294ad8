//! `polls`: how polling a feed goes: the validators to send, the digest of the last body, when it was asked, when it is
//! asked next, and what is wrong. Errors never erase validators (politeness P09).

use crate::{Incoming, Library, LibraryError, Millis};
use sqlx::SqliteConnection;

/// The state of polling one feed.
#[derive(Debug, Clone, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct Poll {
    /// Which feed.
    pub feed_id: i64,
    /// Where it is fetched.
    pub url: String,
    /// Byte for byte as the server sent it.
    pub etag: Option<Vec<u8>>,
    /// Byte for byte as the server sent it.
    pub last_modified: Option<Vec<u8>>,
    /// Of the last body that was read.
    pub body_digest: Option<Vec<u8>>,
    /// When it was last asked.
    pub checked_at: Option<Millis>,
    /// When it last answered as it should.
    pub succeeded_at: Option<Millis>,
    /// When something new last came.
    pub changed_at: Option<Millis>,
    /// When it is asked next by itself; `None`: not.
    pub next_at: Option<Millis>,
    /// Failures since the last success.
    pub failures: i64,
    /// What is wrong.
    #[sqlx(flatten)]
    pub failure: Failure,
}

/// What is wrong with a feed: nothing where there is no code.
#[derive(Debug, Clone, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct Failure {
    /// To branch on: a name of the window's contract.
    pub error_code: Option<String>,
    /// In words.
    pub error_message: Option<String>,
    /// The status, the host, the date.
    pub error_detail: Option<String>,
    /// Since when.
    pub error_since: Option<Millis>,
}

const SELECT: &str = "SELECT p.feed_id, f.url, p.etag, p.last_modified, p.body_digest, p.checked_at, p.succeeded_at, p.changed_at, p.next_at,
        p.failures, p.error_code, p.error_message, p.error_detail, p.error_since
    FROM polls p JOIN feeds f ON f.id = p.feed_id WHERE f.unsubscribed_at IS NULL AND f.local = 0";

impl Library {
    /// The state of polling of all feeds that are polled.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn polls(&self) -> Result<Vec<Poll>, LibraryError> {
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(SELECT)).fetch_all(&self.readers).await?)
    }

    /// Those of the feeds whose time has come at `now`.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn polls_due(&self, now: Millis) -> Result<Vec<Poll>, LibraryError> {
        let sql = format!("{SELECT} AND p.next_at <= ? ORDER BY p.next_at");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(now).fetch_all(&self.readers).await?)
    }

    /// When the next feed's time comes.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn next_poll_at(&self) -> Result<Option<Millis>, LibraryError> {
        Ok(sqlx::query_scalar("SELECT min(next_at) FROM polls WHERE next_at IS NOT NULL")
            .fetch_one(&self.readers)
            .await?)
    }

    /// The numbers of the feeds in a folder and in the folders in it.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feeds_below(&self, folder: i64) -> Result<Vec<i64>, LibraryError> {
        let sql = format!(
            "{} SELECT id FROM feeds WHERE folder_id IN (SELECT id FROM below) AND unsubscribed_at IS NULL",
            super::folders::BELOW
        );
        Ok(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(folder).fetch_all(&self.readers).await?)
    }

    /// Requests sent, answers that said "not modified", and bytes received, over all feeds.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn poll_totals(&self) -> Result<(i64, i64, i64), LibraryError> {
        Ok(sqlx::query_as(
            "SELECT ifnull(sum(requests), 0), ifnull(sum(not_modified), 0), ifnull(sum(bytes), 0) FROM polls",
        )
        .fetch_one(&self.readers)
        .await?)
    }
}

/// Keeps what came of a poll.
pub(crate) async fn record(connection: &mut SqliteConnection, incoming: &Incoming) -> sqlx::Result<()> {
    let poll = &incoming.poll;
    sqlx::query(
        "UPDATE polls SET etag = ?2, last_modified = ?3, body_digest = ?4, checked_at = ?5, succeeded_at = ?6, changed_at = ?7, next_at = ?8,
                failures = ?9, error_code = ?10, error_message = ?11, error_detail = ?12, error_since = ?13,
                requests = requests + ?16, not_modified = not_modified + ?14, bytes = bytes + ?15
         WHERE feed_id = ?1",
    )
    .bind(poll.feed_id)
    .bind(&poll.etag)
    .bind(&poll.last_modified)
    .bind(&poll.body_digest)
    .bind(poll.checked_at)
    .bind(poll.succeeded_at)
    .bind(poll.changed_at)
    .bind(poll.next_at)
    .bind(poll.failures)
    .bind(&poll.failure.error_code)
    .bind(&poll.failure.error_message)
    .bind(&poll.failure.error_detail)
    .bind(poll.failure.error_since)
    .bind(incoming.not_modified)
    .bind(i64::try_from(incoming.bytes).unwrap_or(i64::MAX))
    .bind(incoming.asked)
    .execute(connection)
    .await?;
    Ok(())
}
