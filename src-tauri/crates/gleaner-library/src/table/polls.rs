//! `polls`: how polling a feed goes: the validators to send, the digest of the last body, when it was asked, when it is
//! asked next and why then, what it said about polling, where it seems to be moving, and what is wrong. Errors never
//! erase validators (politeness P09). What was asked, one by one, is in `poll_log`.

use crate::{Incoming, Library, LibraryError, Millis, table::poll_log};
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
    /// Why then: a name that polling gives.
    pub next_reason: Option<String>,
    /// HTTP freshness as the last answer that spoke of it said, in seconds.
    pub fresh_seconds: Option<i64>,
    /// RSS `ttl`.
    pub ttl_minutes: Option<u32>,
    /// Syndication module: period divided by frequency.
    pub period_minutes: Option<u32>,
    /// RSS `skipHours`: bit n is the hour n, GMT.
    pub skip_hours: u32,
    /// RSS `skipDays`: bit 0 is Monday.
    pub skip_days: u8,
    /// Minutes between its last postings, newest first, separated by spaces.
    pub rhythm: Option<String>,
    /// When the newest of them was.
    pub newest_at: Option<Millis>,
    /// Whole answers in a row that came without a validator.
    pub bare: i64,
    /// When a whole answer last came, or was last asked for in spite of validators.
    pub full_at: Option<Millis>,
    /// The bytes over the wire of the last whole answer.
    pub full_bytes: i64,
    /// Where redirects led in the end, where that is not `url`.
    pub final_url: Option<String>,
    /// Where permanent redirects lead.
    pub moved_to: Option<String>,
    /// Answers in a row that said so.
    pub moved_times: i64,
    /// Since when.
    pub moved_since: Option<Millis>,
    /// The feed that its site offers in place of it, and what that is called.
    pub offered_url: Option<String>,
    /// Plain text.
    pub offered_title: Option<String>,
    /// Until when its allowance of refreshes by hand is used up in part.
    pub hand_at: Option<Millis>,
    /// The wish that holds for it: minutes between polls; 0: never by itself.
    pub refresh_minutes: Option<u32>,
    /// When its newest article was, as the user said that it is to be kept though it is silent.
    pub kept_silent: Option<Millis>,
    /// It is not to be followed where it moves.
    pub stays: bool,
    /// The `file:` address that the user picked: no other file is read.
    pub picked_file: Option<String>,
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
        p.next_reason, p.fresh_seconds, p.ttl_minutes, p.period_minutes, p.skip_hours, p.skip_days, p.rhythm, p.newest_at, p.bare,
        p.full_at, p.full_bytes, p.final_url, p.moved_to, p.moved_times, p.moved_since, p.hand_at, nullif(w.refresh_minutes, -1) AS refresh_minutes, f.picked_file, f.stays,
        f.kept_silent, p.offered_url, p.offered_title,
        p.failures, p.error_code, p.error_message, p.error_detail, p.error_since
    FROM polls p JOIN feeds f ON f.id = p.feed_id JOIN feed_preferences w ON w.feed_id = f.id WHERE f.unsubscribed_at IS NULL AND f.local = 0";

/// What polling has cost and spared, over all feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct PollTotals {
    /// Requests sent.
    pub requests: i64,
    /// Answers that said "not modified".
    pub not_modified: i64,
    /// Bytes received.
    pub bytes: i64,
    /// Bytes that "not modified" spared.
    pub bytes_saved: i64,
}

impl Library {
    /// The state of polling of all feeds that are polled.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn polls(&self) -> Result<Vec<Poll>, LibraryError> {
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(SELECT)).fetch_all(&self.readers).await?)
    }

    /// Those of the feeds whose time has come at `now`. A time after `latest` was made by a clock that was wrong, and has
    /// come too.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn polls_due(&self, now: Millis, latest: Millis) -> Result<Vec<Poll>, LibraryError> {
        let sql = format!("{SELECT} AND (p.next_at <= ?1 OR p.next_at > ?2) ORDER BY p.next_at");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(now).bind(latest).fetch_all(&self.readers).await?)
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

    /// Remembers the feed that a site offers in place of one.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn offer(&self, feed: i64, url: &str, title: Option<&str>) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query("UPDATE polls SET offered_url = ?2, offered_title = ?3 WHERE feed_id = ?1")
            .bind(feed)
            .bind(url)
            .bind(title)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
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

    /// What polling has cost and spared, for one feed or for all.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn poll_totals(&self, feed: Option<i64>) -> Result<PollTotals, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT ifnull(sum(requests), 0) AS requests, ifnull(sum(not_modified), 0) AS not_modified,
                    ifnull(sum(bytes), 0) AS bytes, ifnull(sum(bytes_saved), 0) AS bytes_saved
             FROM polls WHERE ?1 IS NULL OR feed_id = ?1",
        )
        .bind(feed)
        .fetch_one(&self.readers)
        .await?)
    }
}

/// Keeps what came of a poll.
pub(crate) async fn record(connection: &mut SqliteConnection, incoming: &Incoming) -> sqlx::Result<()> {
    let (poll, exchange) = (&incoming.poll, incoming.exchange.as_ref());
    let saved = if incoming.not_modified { poll.full_bytes } else { 0 };
    sqlx::query(
        "UPDATE polls SET etag = ?2, last_modified = ?3, body_digest = ?4, checked_at = ?5, succeeded_at = ?6, changed_at = ?7, next_at = ?8,
                failures = ?9, error_code = ?10, error_message = ?11, error_detail = ?12, error_since = ?13,
                not_modified = not_modified + ?14, bytes = bytes + ?15, requests = requests + ?16, bytes_saved = bytes_saved + ?17,
                next_reason = ?18, fresh_seconds = ?19, ttl_minutes = ?20, period_minutes = ?21, skip_hours = ?22, skip_days = ?23,
                rhythm = ?24, newest_at = ?25, bare = ?26, full_at = ?27, full_bytes = ?28, final_url = ?29,
                moved_to = ?30, moved_times = ?31, moved_since = ?32, hand_at = ?33, offered_url = ?34, offered_title = ?35
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
    .bind(exchange.map_or(0, |exchange| exchange.bytes))
    .bind(exchange.is_some())
    .bind(saved)
    .bind(&poll.next_reason)
    .bind(poll.fresh_seconds)
    .bind(poll.ttl_minutes)
    .bind(poll.period_minutes)
    .bind(poll.skip_hours)
    .bind(poll.skip_days)
    .bind(&poll.rhythm)
    .bind(poll.newest_at)
    .bind(poll.bare)
    .bind(poll.full_at)
    .bind(poll.full_bytes)
    .bind(&poll.final_url)
    .bind(&poll.moved_to)
    .bind(poll.moved_times)
    .bind(poll.moved_since)
    .bind(poll.hand_at)
    .bind(&poll.offered_url)
    .bind(&poll.offered_title)
    .execute(&mut *connection)
    .await?;
    if let Some(exchange) = exchange {
        poll_log::write(connection, incoming, exchange).await?;
    }
    Ok(())
}
