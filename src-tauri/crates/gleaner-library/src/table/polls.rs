//! `polls`: the state of polling each feed: validators, digest of the last body, dates of the last and next poll and its reason,
//! hints of the feed about polling, redirects, and errors. Errors never remove validators (politeness P09). Single requests are in
//! `poll_log`.

use crate::{LibraryError, Millis, database::repository, parameters::Parameters};
use gleaner_address::without_stored_password;
use std::collections::HashSet;

/// The state of polling one feed.
#[derive(Debug, Clone, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct Poll {
    /// Id of the feed.
    pub feed_id: i64,
    /// Address of the feed.
    pub url: String,
    /// When the user subscribed to it.
    pub subscribed_at: Millis,
    /// As the server sent it, byte for byte.
    pub etag: Option<Vec<u8>>,
    /// As the server sent it, byte for byte.
    pub last_modified: Option<Vec<u8>>,
    /// Digest of the last body.
    pub body_digest: Option<Vec<u8>>,
    /// When it was last polled.
    pub checked_at: Option<Millis>,
    /// When polling last succeeded.
    pub succeeded_at: Option<Millis>,
    /// When the document last changed.
    pub changed_at: Option<Millis>,
    /// When it is polled next automatically; `None`: never.
    pub next_at: Option<Millis>,
    /// The reason for this time: a name defined by polling.
    pub next_reason: Option<String>,
    /// HTTP freshness by the last response with one, in seconds.
    pub fresh_seconds: Option<i64>,
    /// RSS `ttl`.
    pub ttl_minutes: Option<u32>,
    /// Syndication module: period divided by frequency.
    pub period_minutes: Option<u32>,
    /// RSS `skipHours`: bit n is the hour n, GMT.
    pub skip_hours: u32,
    /// RSS `skipDays`: bit 0 is Monday.
    pub skip_days: u8,
    /// Minutes between its last articles, newest first, separated by spaces.
    #[sqlx(rename = "rhythm")]
    pub gaps: Option<String>,
    /// Date of the newest article.
    pub newest_at: Option<Millis>,
    /// Number of complete responses in a row without a validator.
    pub bare: i64,
    /// When a complete response last came, or was last requested in spite of validators.
    pub full_at: Option<Millis>,
    /// Bytes received for the last complete response.
    pub full_bytes: i64,
    /// Final address of the last answer, where redirects led to it.
    pub final_url: Option<String>,
    /// Target of permanent redirects.
    pub moved_to: Option<String>,
    /// Number of responses in a row with that target.
    pub moved_times: i64,
    /// Date of the first of these responses.
    pub moved_since: Option<Millis>,
    /// Address of the feed that the site offers instead.
    pub offered_url: Option<String>,
    /// Its title, plain text.
    pub offered_title: Option<String>,
    /// Until when part of the allowance of manual updates is used up.
    pub hand_at: Option<Millis>,
    /// The interval by preferences, in minutes; 0: never automatically.
    pub refresh_minutes: Option<u32>,
    /// Date of its newest article when the user dismissed its inactivity.
    pub kept_silent: Option<Millis>,
    /// Redirects to a new address are not followed.
    pub stays: bool,
    /// The `file:` address that the user picked; no other file is read.
    pub picked_file: Option<String>,
    /// Whether its first response came from a private address; `None` before that. A feed that was public, or that a public page named,
    /// stays public.
    pub private: Option<bool>,
    /// Number of failures since the last success.
    pub failures: i64,
    /// The error.
    #[sqlx(flatten)]
    pub failure: Failure,
}

/// The error of a feed; there is none if there is no code. The columns `error_message` and `error_detail` are no longer used.
#[derive(Debug, Clone, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct Failure {
    /// Code, as defined by polling.
    pub error_code: Option<String>,
    /// Parameters of its message.
    #[sqlx(try_from = "String")]
    pub error_parameters: Parameters,
    /// When the error first occurred.
    pub error_since: Option<Millis>,
}

const SELECT: &str = "SELECT p.feed_id, f.url, f.added_at AS subscribed_at, p.etag, p.last_modified, p.body_digest, p.checked_at, p.succeeded_at, p.changed_at, p.next_at,
        p.next_reason, p.fresh_seconds, p.ttl_minutes, p.period_minutes, p.skip_hours, p.skip_days, p.rhythm, p.newest_at, p.bare,
        p.full_at, p.full_bytes, p.final_url, p.moved_to, p.moved_times, p.moved_since, p.hand_at, nullif(w.refresh_minutes, -1) AS refresh_minutes, f.picked_file, f.stays,
        f.kept_silent, p.offered_url, p.offered_title, p.private,
        p.failures, p.error_code, p.error_parameters, p.error_since
    FROM polls p JOIN feeds f ON f.id = p.feed_id JOIN feed_preferences w ON w.feed_id = f.id WHERE f.unsubscribed_at IS NULL AND f.local = 0 AND f.account_id = 1";

/// Totals of polling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct PollTotals {
    /// Requests sent.
    pub requests: i64,
    /// Responses "not modified".
    pub not_modified: i64,
    /// Bytes received.
    pub bytes: i64,
    /// Bytes that "not modified" saved.
    pub bytes_saved: i64,
}

repository!(
    /// The state of polling, and storing what a poll brought.
    Polls
);

impl Polls<'_> {
    /// Returns the state of polling of all polled feeds.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<Poll>, LibraryError> {
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(SELECT)).fetch_all(&self.db.readers).await?)
    }

    /// Returns the feeds that are subscribed, and polled here rather than by a server, with their addresses.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn addresses(self) -> Result<Vec<(i64, String)>, LibraryError> {
        let sql = "SELECT id, url FROM feeds WHERE unsubscribed_at IS NULL AND local = 0 AND account_id = 1";
        Ok(sqlx::query_as(sql).fetch_all(&self.db.readers).await?)
    }

    /// Returns the address of a feed; `None` if it is not subscribed, or polled by a server.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn address(self, feed: i64) -> Result<Option<String>, LibraryError> {
        let sql = "SELECT url FROM feeds WHERE id = ? AND unsubscribed_at IS NULL AND local = 0 AND account_id = 1";
        Ok(sqlx::query_scalar(sql).bind(feed).fetch_optional(&self.db.readers).await?)
    }

    /// Returns the feeds that are due at `now`. A time after `latest` was set by a wrong clock, and is due too.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn due(self, now: Millis, latest: Millis) -> Result<Vec<Poll>, LibraryError> {
        let sql = format!("{SELECT} AND (p.next_at <= ?1 OR p.next_at > ?2) ORDER BY p.next_at");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(now).bind(latest).fetch_all(&self.db.readers).await?)
    }

    /// Returns when the next feed is due.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn next_at(self) -> Result<Option<Millis>, LibraryError> {
        let sql = "SELECT next_at FROM polls WHERE next_at IS NOT NULL
             AND feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL) ORDER BY next_at LIMIT 1";
        Ok(sqlx::query_scalar(sql).fetch_optional(&self.db.readers).await?)
    }

    /// Stores the feed that a site offers as a replacement for the one at `of`, unless that feed now has another address.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_offered_feed(
        self,
        feed: i64,
        of: &str,
        url: &str,
        title: Option<&str>,
    ) -> Result<(), LibraryError> {
        let sql = "UPDATE polls SET offered_url = ?3, offered_title = ?4
             WHERE feed_id = ?1 AND EXISTS (SELECT 1 FROM feeds WHERE id = ?1 AND url = ?2)";
        self.db.execute(sqlx::query(sql).bind(feed).bind(of).bind(without_stored_password(url)).bind(title)).await
    }

    /// Returns the feeds whose first response came from a private address.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn private_feeds(self) -> Result<HashSet<i64>, LibraryError> {
        let sql = "SELECT feed_id FROM polls WHERE private = 1";
        let feeds: Vec<i64> = sqlx::query_scalar(sql).fetch_all(&self.db.readers).await?;
        Ok(feeds.into_iter().collect())
    }

    /// Allows a feed to use a private network from now on, because the user confirmed it.
    ///
    /// # Errors
    /// When there is no such feed, or the library cannot be written.
    pub async fn allow_private_network(self, feed: i64) -> Result<(), LibraryError> {
        let allow = sqlx::query("UPDATE polls SET private = 1 WHERE feed_id = ?1").bind(feed);
        match allow.execute(self.db.writer().await.connection()).await?.rows_affected() {
            0 => Err(LibraryError::NotFound("feed")),
            _ => Ok(()),
        }
    }

    /// Returns the ids of the feeds in a folder and its subfolders.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feeds_in_folder(self, folder: i64) -> Result<Vec<i64>, LibraryError> {
        let sql = format!(
            "{} SELECT id FROM feeds WHERE folder_id IN (SELECT id FROM below) AND unsubscribed_at IS NULL",
            super::folders::BELOW
        );
        Ok(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(folder).fetch_all(&self.db.readers).await?)
    }

    /// Returns the totals of polling, for one feed or for all.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn totals(self, feed: Option<i64>) -> Result<PollTotals, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT ifnull(sum(requests), 0) AS requests, ifnull(sum(not_modified), 0) AS not_modified,
                    ifnull(sum(bytes), 0) AS bytes, ifnull(sum(bytes_saved), 0) AS bytes_saved
             FROM polls WHERE ?1 IS NULL OR feed_id = ?1",
        )
        .bind(feed)
        .fetch_one(&self.db.readers)
        .await?)
    }
}
