//! Letting go of what the reader does not wish to keep, step by step: what goes is hidden for a day, in which it can be brought back;
//! then it is deleted, and leaves a tombstone; then the room is given back to the system. Each is done in slices that hold the writer
//! for about 10 ms, and can be stopped between any two of them: what is left is done by the next one.
//!
//! Never goes: what is starred, tagged, noted or kept; what is unread, where the reader wishes so (what is hidden is read by nobody, and goes);
//! what is held back until its date; what was begun to be listened to and not ended; what was read or listened to within a day.

use crate::{
    FeedScope, Keep, Library, LibraryError, Millis, Undoable,
    table::{
        feeds,
        going::{self, STAYS},
        retention::{self, Wishes},
        tombstones,
    },
    undo::Undo,
};
use std::{
    ops::RangeInclusive,
    time::{Duration, Instant},
};

const DAY: Millis = 24 * 60 * 60 * 1000;

/// The writer is held for so long at a time, about.
const SLICE: Duration = Duration::from_millis(10);
/// Articles of a slice: where it begins, and between what it moves.
const FIRST: usize = 32;
const LEAST: usize = 4;
const MOST: usize = 2000;

/// Pages that are given back at a time, and so many free ones that it is not worth while.
const PAGES: i64 = 32;
const FREE: i64 = 64;

/// What would go.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    /// How many.
    pub articles: i64,
    /// Of their texts, as they are stored.
    pub bytes: i64,
    /// Of which feeds how many, the most first.
    pub feeds: Vec<(i64, i64)>,
    /// The place in lists of the oldest, and its title.
    pub oldest: Option<(Millis, String)>,
    /// The same of the newest.
    pub newest: Option<(Millis, String)>,
}

/// What of a feed goes, as a statement's parameters.
struct Bounds {
    feed: i64,
    /// Older by its place in lists than this it must be.
    before: Millis,
    /// Touched longer ago than this it goes.
    aged: Millis,
    /// Before this place in lists it goes.
    beyond: (Millis, i64),
    /// What the reader had in hand after this stays.
    at_hand: Millis,
    keep_unread: bool,
}

/// `?1` the feed; `?2` to `?7` as in [`Bounds`].
const GOES: &str = "FROM items i JOIN states s ON s.item_id = i.id LEFT JOIN progress r ON r.item_id = i.id
    WHERE i.feed_id = ?1 AND i.sort_at <= ?2 AND s.hidden < 2 AND s.starred = 0 AND s.kept = 0 AND s.noted = 0 AND (s.read = 1 OR s.hidden = 1 OR ?7 = 0)
        AND (max(i.received_at, ifnull(s.read_at, 0), ifnull(r.at, 0)) < ?3 OR (i.sort_at, i.id) < (?4, ?5))
        AND max(ifnull(s.read_at, 0), ifnull(r.at, 0)) < ?6
        AND NOT EXISTS (SELECT 1 FROM item_tags t WHERE t.item_id = i.id)
        AND NOT EXISTS (SELECT 1 FROM playback p WHERE p.item_id = i.id AND (p.finished = 0 OR p.at >= ?6 OR p.at >= ?3 AND (i.sort_at, i.id) >= (?4, ?5)))";

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

impl Library {
    /// What would go at once, were this said of a feed, a folder or all.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn would_go(&self, scope: FeedScope, keep: Option<Keep>, now: Millis) -> Result<Preview, LibraryError> {
        let mut wishes = self.wishes().await?;
        match keep {
            Some(keep) => wishes.said.insert(scope, keep),
            None => wishes.said.remove(&scope),
        };
        let mut preview = Preview::default();
        for feed in wishes.within(scope) {
            let Some(bounds) = self.bounds(&wishes, feed, now).await? else { continue };
            let sql = format!("SELECT count(*), ifnull(sum({BYTES}), 0) {GOES}");
            let (articles, bytes): (i64, i64) =
                bound!(sqlx::query_as(sqlx::AssertSqlSafe(sql)), bounds).fetch_one(&self.readers).await?;
            if articles == 0 {
                continue;
            }
            preview.articles += articles;
            preview.bytes += bytes;
            preview.feeds.push((feed, articles));
            for (edge, order) in [(&mut preview.oldest, "ASC"), (&mut preview.newest, "DESC")] {
                let sql = format!("SELECT i.sort_at, i.title {GOES} ORDER BY i.sort_at {order}, i.id {order} LIMIT 1");
                let found: (Millis, String) =
                    bound!(sqlx::query_as(sqlx::AssertSqlSafe(sql)), bounds).fetch_one(&self.readers).await?;
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

    /// Says how much is kept, and lets go of what is more. After each slice `go_on` hears how many articles went and says whether to.
    /// Undoing it brings back what went and says again what was said before.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`], [`LibraryError::Invalid`]; then nothing went.
    pub async fn keep(
        &self,
        scope: FeedScope,
        keep: Option<Keep>,
        now: Millis,
        go_on: impl FnMut(usize) -> bool,
    ) -> Result<Undoable, LibraryError> {
        let before = {
            let mut writer = self.writer().await;
            let mut transaction = writer.begin().await?;
            let before = retention::say(&mut transaction, scope, keep).await?;
            transaction.commit().await?;
            before
        };
        let (count, step) = self.let_go_of(scope, now, go_on).await?;
        Ok(self.undo.push(count, Undo::Kept { scope, before, step }))
    }

    /// Lets go of what is more than is to be kept, deletes what went a day ago, and gives free room back: after a refresh, and from time to
    /// time. `went` hears how many articles went, if any; after each slice `go_on` says whether to.
    ///
    /// # Errors
    /// When the library cannot be read or written. What was done stays done.
    pub async fn tidy(
        &self,
        now: Millis,
        mut go_on: impl FnMut() -> bool,
        went: impl FnOnce(usize),
    ) -> Result<(), LibraryError> {
        let gone = self.let_go(now, |_| go_on()).await?;
        if gone > 0 {
            went(gone);
        }
        if go_on() {
            self.clear_out(now, |_| go_on()).await?;
        }
        Ok(())
    }

    /// Lets go of what is more than is to be kept. Says how many articles went.
    ///
    /// # Errors
    /// When the library cannot be read or written. What went can be brought back.
    pub async fn let_go(&self, now: Millis, go_on: impl FnMut(usize) -> bool) -> Result<usize, LibraryError> {
        Ok(self.let_go_of(FeedScope::All, now, go_on).await?.0)
    }

    async fn let_go_of(
        &self,
        scope: FeedScope,
        now: Millis,
        mut go_on: impl FnMut(usize) -> bool,
    ) -> Result<(usize, Millis), LibraryError> {
        let wishes = self.wishes().await?;
        let last = async || -> sqlx::Result<Option<Millis>> {
            sqlx::query_scalar("SELECT max(at) FROM going").fetch_one(&self.readers).await
        };
        if last().await?.is_some_and(|last| last > now + STAYS) {
            // The clock was wrong then: what it let go of is looked at anew.
            self.bring_back(now + STAYS + 1..=Millis::MAX, false).await?;
        }
        let last = last().await?;
        // Each step has a moment of its own, even where the clock was set back.
        let step = last.map_or(now, |last| now.max(last + 1));
        let (mut done, mut size) = (0, FIRST);
        let feeds = if wishes.said.is_empty() { Vec::new() } else { wishes.within(scope) };
        for feed in feeds {
            let Some(bounds) = self.bounds(&wishes, feed, now).await? else { continue };
            loop {
                let sql = format!(
                    "INSERT INTO going (item_id, at, was_hidden) SELECT i.id, ?8, s.hidden {GOES} ORDER BY i.sort_at, i.id LIMIT ?9 RETURNING item_id"
                );
                let mut writer = self.writer().await;
                let begun = Instant::now();
                let mut transaction = writer.begin().await?;
                if retention::all_said(&mut transaction).await? != wishes.said {
                    // Something else is wished by now, here or by another process.
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
                    .bind(crate::table::states::json(&gone)?)
                    .execute(&mut *transaction)
                    .await?;
                transaction.commit().await?;
                drop(writer);
                done += gone.len();
                let last = gone.len() < size;
                size = sized(size, begun.elapsed());
                if !go_on(done) {
                    return Ok((done, step));
                }
                if last {
                    break;
                }
            }
        }
        Ok((done, step))
    }

    /// The bounds of a feed; `None` where everything is kept.
    async fn bounds(&self, wishes: &Wishes, feed: i64, now: Millis) -> Result<Option<Bounds>, LibraryError> {
        let (_, keep) = wishes.holding(FeedScope::Feed(feed), true);
        if keep.is_everything() {
            return Ok(None);
        }
        let aged = keep.days.map_or(Millis::MIN, |days| now.saturating_sub(days.saturating_mul(DAY)));
        let mut beyond = (Millis::MIN, 0);
        if let Some(articles) = keep.articles {
            let last: Option<(Millis, i64)> = sqlx::query_as(
                "SELECT i.sort_at, i.id FROM items i JOIN states s ON s.item_id = i.id WHERE i.feed_id = ? AND s.hidden = 0
                 ORDER BY i.sort_at DESC, i.id DESC LIMIT 1 OFFSET ?",
            )
            .bind(feed)
            .bind(articles - 1)
            .fetch_optional(&self.readers)
            .await?;
            beyond = last.unwrap_or(beyond);
        }
        if let Some(bytes) = keep.bytes {
            let sql = format!(
                "SELECT sort_at, id + 1 FROM (SELECT i.sort_at, i.id, sum({BYTES}) OVER (ORDER BY i.sort_at DESC, i.id DESC) AS total
                    FROM items i JOIN states s ON s.item_id = i.id WHERE i.feed_id = ?1 AND s.hidden = 0)
                 WHERE total > ?2 ORDER BY sort_at DESC, id DESC LIMIT 1"
            );
            let first: Option<(Millis, i64)> =
                sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(feed).bind(bytes).fetch_optional(&self.readers).await?;
            beyond = first.map_or(beyond, |first| first.max(beyond));
        }
        if aged == Millis::MIN && beyond.0 == Millis::MIN {
            return Ok(None);
        }
        let before = aged.max(beyond.0);
        Ok(Some(Bounds { feed, before, aged, beyond, at_hand: now - DAY, keep_unread: keep.keep_unread }))
    }

    /// Brings everything back that can be, and keeps it for good. Says how many articles.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn bring_all_back(&self) -> Result<usize, LibraryError> {
        self.bring_back(Millis::MIN..=Millis::MAX, true).await
    }

    pub(crate) async fn undo_keep(
        &self,
        scope: FeedScope,
        before: Option<Keep>,
        step: Millis,
    ) -> Result<(), LibraryError> {
        {
            let mut writer = self.writer().await;
            let mut transaction = writer.begin().await?;
            match retention::say(&mut transaction, scope, before).await {
                // It is gone meanwhile, its wish with it.
                Ok(_) | Err(LibraryError::NotFound(_)) => transaction.commit().await?,
                Err(error) => return Err(error),
            }
        }
        self.bring_back(step..=step, false).await?;
        Ok(())
    }

    async fn bring_back(&self, when: RangeInclusive<Millis>, keep: bool) -> Result<usize, LibraryError> {
        let (mut done, mut size) = (0, FIRST);
        loop {
            let mut writer = self.writer().await;
            let begun = Instant::now();
            let mut transaction = writer.begin().await?;
            let back =
                going::bring_back(&mut transaction, &when, keep, i64::try_from(size).unwrap_or(i64::MAX)).await?;
            transaction.commit().await?;
            drop(writer);
            if back == 0 {
                return Ok(done);
            }
            done += back;
            size = sized(size, begun.elapsed());
        }
    }

    /// Deletes for good what was let go a day ago and feeds that were left a day ago, forgets old tombstones, and gives free room back to
    /// the system. Says how many articles were deleted.
    ///
    /// # Errors
    /// When the library cannot be written. What was deleted stays deleted.
    pub async fn clear_out(&self, now: Millis, mut go_on: impl FnMut(usize) -> bool) -> Result<usize, LibraryError> {
        let (mut done, mut size) = (0, FIRST);
        loop {
            let mut writer = self.writer().await;
            let begun = Instant::now();
            let mut transaction = writer.begin().await?;
            let Some(deleted) = feeds::delete_some(&mut transaction, now, size).await? else { break };
            transaction.commit().await?;
            drop(writer);
            done += deleted;
            size = sized(size, begun.elapsed());
            if !go_on(done) {
                return Ok(done);
            }
        }
        let before = done;
        loop {
            let mut writer = self.writer().await;
            let begun = Instant::now();
            let mut transaction = writer.begin().await?;
            let items: Vec<i64> =
                sqlx::query_scalar("SELECT item_id FROM going WHERE at <= ? ORDER BY at, item_id LIMIT ?")
                    .bind(now - STAYS)
                    .bind(i64::try_from(size).unwrap_or(i64::MAX))
                    .fetch_all(&mut *transaction)
                    .await?;
            if items.is_empty() {
                if done > before {
                    tombstones::forget(&mut transaction, now).await?;
                    transaction.commit().await?;
                }
                break;
            }
            tombstones::bury(&mut transaction, &crate::table::states::json(&items)?, now).await?;
            transaction.commit().await?;
            drop(writer);
            done += items.len();
            size = sized(size, begun.elapsed());
            if !go_on(done) {
                return Ok(done);
            }
        }
        while self.shrink().await? && go_on(done) {}
        Ok(done)
    }

    /// Gives some free pages back to the system; says whether there are more. A library that was made before this could be done keeps
    /// them, and writes new articles there.
    async fn shrink(&self) -> Result<bool, LibraryError> {
        let mut writer = self.writer().await;
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

/// The next slice's size, after one that held the writer for so long.
fn sized(size: usize, held: Duration) -> usize {
    if held > SLICE {
        (size / 2).max(LEAST)
    } else if held * 2 < SLICE {
        (size + size / 2).min(MOST)
    } else {
        size
    }
}

#[cfg(test)]
mod tests;
