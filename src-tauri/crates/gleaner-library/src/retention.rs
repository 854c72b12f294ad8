//! Retention, in steps: articles expire, which hides them for a day during which they can be restored. Then they are deleted and leave a
//! tombstone. Then free pages are returned to the system. Each step works in slices that hold the writer for about 10 ms, and can stop
//! between two slices; the next run continues.
//!
//! These articles never expire:
//!
//! - those that are starred, tagged, noted or kept, and scheduled ones;
//! - unread ones, if the policy says so (hidden ones are never read, and expire);
//! - those with a recording that is in the play queue, or that is not finished and was begun, downloaded or queued for download;
//! - those that are still to be saved in a service;
//! - those that were read or played within a day.

use crate::{
    FeedScope, LibraryError, Millis, RetentionPolicy, Undoable,
    database::{Database, undo::UndoStep},
    table::{
        pending_deletion::{self, RESTORABLE_FOR},
        retention_policies::{self, Policies, Retention},
        tombstones,
    },
    unsubscribing,
};
use futures::future::BoxFuture;
use std::{
    ops::RangeInclusive,
    time::{Duration, Instant},
};

const DAY: Millis = 24 * 60 * 60 * 1000;

/// Time that a slice should hold the writer.
const SLICE: Duration = Duration::from_millis(10);
/// Number of articles in the first slice, and the limits.
const INITIAL_SLICE: usize = 32;
const MIN_SLICE: usize = 4;
const MAX_SLICE: usize = 2000;

/// Pages that are returned at a time, and the number of free pages that is left.
const PAGES: i64 = 32;
const FREE: i64 = 64;

/// The articles that a policy would expire.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    /// Number of articles.
    pub articles: i64,
    /// Size of their stored texts, in bytes.
    pub bytes: i64,
    /// Number of articles by feed, the most first.
    pub feeds: Vec<(i64, i64)>,
    /// Date and title of the oldest.
    pub oldest: Option<(Millis, String)>,
    /// Date and title of the newest.
    pub newest: Option<(Millis, String)>,
}

/// The parameters of the statement that expires articles of a feed.
struct Bounds {
    feed: i64,
    /// Upper limit of the date.
    before: Millis,
    /// Articles last touched before this expire.
    aged: Millis,
    /// Articles before this position expire.
    beyond: (Millis, i64),
    /// Articles that were read or played after this stay.
    at_hand: Millis,
    keep_unread: bool,
}

/// `?1` the feed; `?2` to `?7` as in [`Bounds`].
const EXPIRES: &str = "FROM items i JOIN states s ON s.item_id = i.id LEFT JOIN progress r ON r.item_id = i.id
    WHERE i.feed_id = ?1 AND i.sort_at <= ?2 AND s.hidden < 2 AND s.starred = 0 AND s.kept = 0 AND s.noted = 0 AND (s.read = 1 OR s.hidden = 1 OR ?7 = 0)
        AND (max(i.received_at, ifnull(s.read_at, 0), ifnull(r.at, 0)) < ?3 OR (i.sort_at, i.id) < (?4, ?5))
        AND max(ifnull(s.read_at, 0), ifnull(r.at, 0)) < ?6
        AND NOT EXISTS (SELECT 1 FROM item_tags t WHERE t.item_id = i.id)
        AND NOT EXISTS (SELECT 1 FROM playback p WHERE p.item_id = i.id AND (p.finished = 0 OR p.at >= ?6 OR p.at >= ?3 AND (i.sort_at, i.id) >= (?4, ?5)))
        AND NOT EXISTS (SELECT 1 FROM play_queue q WHERE q.item_id = i.id)
        AND NOT EXISTS (SELECT 1 FROM share_queue h WHERE h.item_id = i.id)
        AND NOT EXISTS (SELECT 1 FROM episodes e WHERE e.item_id = i.id AND e.state < 2
            AND NOT EXISTS (SELECT 1 FROM playback p WHERE p.item_id = e.item_id AND p.url = e.url AND p.finished = 1))";

const BYTES: &str = "ifnull((SELECT ifnull(length(b.content), 0) + ifnull(length(b.summary), 0) FROM bodies b WHERE b.item_id = i.id), 0)";

macro_rules! bound {
    ($query:expr, $bounds:expr) => {
        $query
            .bind($bounds.feed)
            .bind($bounds.before)
            .bind($bounds.aged)
            .bind($bounds.beyond.0)
            .bind($bounds.beyond.1)
            .bind($bounds.at_hand)
            .bind($bounds.keep_unread)
    };
}

impl Retention<'_> {
    /// Returns the articles that a policy for a feed, a folder or all feeds would expire at once.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn preview(
        self,
        scope: FeedScope,
        policy: Option<RetentionPolicy>,
        now: Millis,
    ) -> Result<Preview, LibraryError> {
        let mut policies = self.policies().await?;
        match policy {
            Some(policy) => policies.own.insert(scope, policy),
            None => policies.own.remove(&scope),
        };
        let mut preview = Preview::default();
        for feed in policies.within(scope) {
            let Some(bounds) = self.bounds(&policies, feed, now).await? else { continue };
            let sql = format!("SELECT count(*), ifnull(sum({BYTES}), 0) {EXPIRES}");
            let (articles, bytes): (i64, i64) =
                bound!(sqlx::query_as(sqlx::AssertSqlSafe(sql)), bounds).fetch_one(&self.db.readers).await?;
            if articles == 0 {
                continue;
            }
            preview.articles += articles;
            preview.bytes += bytes;
            preview.feeds.push((feed, articles));
            for (edge, order) in [(&mut preview.oldest, "ASC"), (&mut preview.newest, "DESC")] {
                let sql =
                    format!("SELECT i.sort_at, i.title {EXPIRES} ORDER BY i.sort_at {order}, i.id {order} LIMIT 1");
                let found: (Millis, String) =
                    bound!(sqlx::query_as(sqlx::AssertSqlSafe(sql)), bounds).fetch_one(&self.db.readers).await?;
                let further =
                    edge.as_ref().is_none_or(|(at, _)| if order == "ASC" { found.0 < *at } else { found.0 > *at });
                if further {
                    *edge = Some(found);
                }
            }
        }
        preview.feeds.sort_by_key(|(feed, articles)| (-articles, *feed));
        Ok(preview)
    }

    /// Sets a policy and expires articles by it. After each slice `keep_going` gets the number of expired articles and returns whether
    /// to continue. Undoing restores them and the former policy.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`], [`LibraryError::Refused`]; then nothing expired.
    pub async fn set(
        self,
        scope: FeedScope,
        policy: Option<RetentionPolicy>,
        now: Millis,
        keep_going: impl FnMut(usize) -> bool,
    ) -> Result<Undoable, LibraryError> {
        let before = {
            let mut writer = self.db.writer().await;
            let mut transaction = writer.begin().await?;
            let before = retention_policies::set_in(&mut transaction, scope, policy).await?;
            transaction.commit().await?;
            before
        };
        let (count, step) = self.expire_in(scope, now, keep_going).await?;
        Ok(self.db.undo.push(count, PolicySet { scope, before, step }))
    }

    /// Expires articles, deletes those that expired a day ago, and returns free pages to the system: after a refresh, and
    /// regularly. `expired` receives the number of expired articles, if any; after each slice `keep_going` returns whether to continue.
    ///
    /// # Errors
    /// When the library cannot be read or written. Finished slices stay.
    pub async fn clean_up(
        self,
        now: Millis,
        mut keep_going: impl FnMut() -> bool,
        expired: impl FnOnce(usize),
    ) -> Result<(), LibraryError> {
        let gone = self.expire(now, |_| keep_going()).await?;
        if gone > 0 {
            expired(gone);
        }
        if keep_going() {
            self.delete_expired(now, |_| keep_going()).await?;
        }
        Ok(())
    }

    /// Expires articles by the policies. Returns their number.
    ///
    /// # Errors
    /// When the library cannot be read or written. Expired articles can be restored.
    pub async fn expire(self, now: Millis, keep_going: impl FnMut(usize) -> bool) -> Result<usize, LibraryError> {
        Ok(self.expire_in(FeedScope::All, now, keep_going).await?.0)
    }

    async fn expire_in(
        self,
        scope: FeedScope,
        now: Millis,
        mut keep_going: impl FnMut(usize) -> bool,
    ) -> Result<(usize, Millis), LibraryError> {
        let policies = self.policies().await?;
        let last = async || -> sqlx::Result<Option<Millis>> {
            sqlx::query_scalar("SELECT max(at) FROM going").fetch_one(&self.db.readers).await
        };
        if last().await?.is_some_and(|last| last > now + RESTORABLE_FOR) {
            // The clock was wrong then, so these articles are examined again.
            self.restore_from(now + RESTORABLE_FOR + 1..=Millis::MAX, false).await?;
        }
        let last = last().await?;
        // Each step has its own time, even if the clock was set back.
        let step = last.map_or(now, |last| now.max(last + 1));
        let (mut done, mut size) = (0, INITIAL_SLICE);
        let feeds = if policies.own.is_empty() { Vec::new() } else { policies.within(scope) };
        for feed in feeds {
            let Some(bounds) = self.bounds(&policies, feed, now).await? else { continue };
            loop {
                let sql = format!(
                    "INSERT INTO going (item_id, at, was_hidden) SELECT i.id, ?8, s.hidden {EXPIRES} ORDER BY i.sort_at, i.id LIMIT ?9 RETURNING item_id"
                );
                let mut writer = self.db.writer().await;
                let begun = Instant::now();
                let mut transaction = writer.begin().await?;
                if retention_policies::all(&mut transaction).await? != policies.own {
                    // The policies changed meanwhile, here or in another process.
                    return Ok((done, step));
                }
                let gone: Vec<i64> = bound!(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)), bounds)
                    .bind(step)
                    .bind(i64::try_from(size).unwrap_or(i64::MAX))
                    .fetch_all(&mut *transaction)
                    .await?;
                if gone.is_empty() {
                    break;
                }
                sqlx::query("UPDATE states SET hidden = 2 WHERE item_id IN (SELECT value FROM json_each(?))")
                    .bind(crate::json::json(&gone)?)
                    .execute(&mut *transaction)
                    .await?;
                transaction.commit().await?;
                drop(writer);
                done += gone.len();
                let last = gone.len() < size;
                size = next_size(size, begun.elapsed());
                if !keep_going(done) {
                    return Ok((done, step));
                }
                if last {
                    break;
                }
            }
        }
        Ok((done, step))
    }

    /// Returns the bounds of a feed; `None` if everything is kept.
    async fn bounds(self, policies: &Policies, feed: i64, now: Millis) -> Result<Option<Bounds>, LibraryError> {
        let (_, policy) = policies.effective(FeedScope::Feed(feed), true);
        if policy.is_everything() {
            return Ok(None);
        }
        let aged = policy.days.map_or(Millis::MIN, |days| now.saturating_sub(days.saturating_mul(DAY)));
        let mut beyond = (Millis::MIN, 0);
        if let Some(articles) = policy.articles {
            let last: Option<(Millis, i64)> = sqlx::query_as(
                "SELECT i.sort_at, i.id FROM items i JOIN states s ON s.item_id = i.id WHERE i.feed_id = ? AND s.hidden = 0
                 ORDER BY i.sort_at DESC, i.id DESC LIMIT 1 OFFSET ?",
            )
            .bind(feed)
            .bind(articles - 1)
            .fetch_optional(&self.db.readers)
            .await?;
            beyond = last.unwrap_or(beyond);
        }
        if let Some(bytes) = policy.bytes {
            let sql = format!(
                "SELECT sort_at, id + 1 FROM (SELECT i.sort_at, i.id, sum({BYTES}) OVER (ORDER BY i.sort_at DESC, i.id DESC) AS total
                    FROM items i JOIN states s ON s.item_id = i.id WHERE i.feed_id = ?1 AND s.hidden = 0)
                 WHERE total > ?2 ORDER BY sort_at DESC, id DESC LIMIT 1"
            );
            let first: Option<(Millis, i64)> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
                .bind(feed)
                .bind(bytes)
                .fetch_optional(&self.db.readers)
                .await?;
            beyond = first.map_or(beyond, |first| first.max(beyond));
        }
        if aged == Millis::MIN && beyond.0 == Millis::MIN {
            return Ok(None);
        }
        let before = aged.max(beyond.0);
        Ok(Some(Bounds { feed, before, aged, beyond, at_hand: now - DAY, keep_unread: policy.keep_unread }))
    }

    /// Restores all expired articles and keeps them forever. Returns their number.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn restore_all(self) -> Result<usize, LibraryError> {
        self.restore_from(Millis::MIN..=Millis::MAX, true).await
    }

    async fn undo_set(
        self,
        scope: FeedScope,
        before: Option<RetentionPolicy>,
        step: Millis,
    ) -> Result<(), LibraryError> {
        {
            let mut writer = self.db.writer().await;
            let mut transaction = writer.begin().await?;
            match retention_policies::set_in(&mut transaction, scope, before).await {
                // The feed or folder no longer exists, nor does its policy.
                Ok(_) | Err(LibraryError::NotFound(_)) => transaction.commit().await?,
                Err(error) => return Err(error),
            }
        }
        self.restore_from(step..=step, false).await?;
        Ok(())
    }

    async fn restore_from(self, when: RangeInclusive<Millis>, keep_forever: bool) -> Result<usize, LibraryError> {
        let (mut done, mut size) = (0, INITIAL_SLICE);
        loop {
            let mut writer = self.db.writer().await;
            let begun = Instant::now();
            let mut transaction = writer.begin().await?;
            let back = pending_deletion::restore(
                &mut transaction,
                &when,
                keep_forever,
                i64::try_from(size).unwrap_or(i64::MAX),
            )
            .await?;
            transaction.commit().await?;
            drop(writer);
            if back == 0 {
                return Ok(done);
            }
            done += back;
            size = next_size(size, begun.elapsed());
        }
    }

    /// Deletes articles that expired a day ago and feeds that were unsubscribed a day ago, removes old tombstones, and returns free
    /// pages to the system. Returns the number of deleted articles.
    ///
    /// # Errors
    /// When the library cannot be written. Deleted articles stay deleted.
    pub async fn delete_expired(
        self,
        now: Millis,
        mut keep_going: impl FnMut(usize) -> bool,
    ) -> Result<usize, LibraryError> {
        let (mut done, mut size) = (0, INITIAL_SLICE);
        loop {
            let mut writer = self.db.writer().await;
            let begun = Instant::now();
            let mut transaction = writer.begin().await?;
            let Some(deleted) = unsubscribing::delete_some(&mut transaction, now, size).await? else { break };
            transaction.commit().await?;
            drop(writer);
            done += deleted;
            size = next_size(size, begun.elapsed());
            if !keep_going(done) {
                return Ok(done);
            }
        }
        let before = done;
        loop {
            let mut writer = self.db.writer().await;
            let begun = Instant::now();
            let mut transaction = writer.begin().await?;
            let items: Vec<i64> =
                sqlx::query_scalar("SELECT item_id FROM going WHERE at <= ? ORDER BY at, item_id LIMIT ?")
                    .bind(now - RESTORABLE_FOR)
                    .bind(i64::try_from(size).unwrap_or(i64::MAX))
                    .fetch_all(&mut *transaction)
                    .await?;
            if items.is_empty() {
                if done > before {
                    tombstones::remove_old(&mut transaction, now).await?;
                    transaction.commit().await?;
                }
                break;
            }
            tombstones::delete_articles(&mut transaction, &crate::json::json(&items)?, now).await?;
            transaction.commit().await?;
            drop(writer);
            done += items.len();
            size = next_size(size, begun.elapsed());
            if !keep_going(done) {
                return Ok(done);
            }
        }
        while self.shrink().await? && keep_going(done) {}
        Ok(done)
    }

    /// Returns some free pages to the system, and whether there are more. A library from before incremental vacuum keeps them for
    /// new articles.
    async fn shrink(self) -> Result<bool, LibraryError> {
        let mut writer = self.db.writer().await;
        let connection = writer.connection();
        let free: i64 = sqlx::query_scalar("PRAGMA freelist_count").fetch_one(&mut *connection).await?;
        if free <= FREE {
            return Ok(false);
        }
        let sql = format!("PRAGMA incremental_vacuum({PAGES})");
        sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(&mut *connection).await?;
        let left: i64 = sqlx::query_scalar("PRAGMA freelist_count").fetch_one(connection).await?;
        Ok(left < free && left > FREE)
    }
}

/// The policy before, and the step that expired articles.
#[derive(Debug)]
struct PolicySet {
    scope: FeedScope,
    before: Option<RetentionPolicy>,
    step: Millis,
}

impl UndoStep for PolicySet {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Retention::new(db).undo_set(self.scope, self.before, self.step).await })
    }
}

/// Returns the size of the next slice, after one that held the writer for this long.
fn next_size(size: usize, held: Duration) -> usize {
    if held > SLICE {
        (size / 2).max(MIN_SLICE)
    } else if held * 2 < SLICE {
        (size + size / 2).min(MAX_SLICE)
    } else {
        size
    }
}

#[cfg(test)]
mod tests;
