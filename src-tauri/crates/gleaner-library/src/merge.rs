//! Merges two subscriptions that lead to the same address (politeness P39), and undoes that.

use crate::{
    LibraryError, Millis, Refusal, Undoable,
    database::{Database, undo::UndoStep},
    json::json,
    subscriptions::Subscriptions,
    table::{
        feeds::{self, Feeds},
        mark_log::Cause,
        notes, reading_stats, rules, scheduled,
        tags::{self, Tagged},
    },
};
use futures::future::BoxFuture;
use sqlx::SqliteConnection;
use std::collections::BTreeMap;

/// The result of a merge, for undoing it.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    from: i64,
    into: i64,
    /// Articles that only the first feed had.
    moved: Vec<i64>,
    /// Articles of the second feed that got the mark of their counterpart.
    read: Vec<i64>,
    starred: Vec<i64>,
    /// Rules of the first feed that now apply to the second.
    rules: Vec<i64>,
    kept: Vec<i64>,
    /// Keys of tombstones that were copied to the second feed.
    tombstones: Vec<String>,
    /// Reading statistics of the first feed: hours and numbers of articles.
    opened: Vec<(i64, i64)>,
    /// Tags that were copied to counterparts, with the articles that did not have them.
    tagged: Vec<Tagged>,
    /// Notes that were moved to counterparts, each with its former article.
    notes: Vec<(i64, i64)>,
}

impl Merged {
    fn remembered(&self) -> usize {
        let tagged = self.tagged.iter().map(|tagged| tagged.items.len()).sum::<usize>();
        self.notes.len()
            + self.moved.len()
            + self.read.len()
            + self.starred.len()
            + self.kept.len()
            + self.tombstones.len()
            + tagged
    }
}

/// Articles of the feed ?1 with their counterparts in the feed ?2.
const COUNTERPARTS: &str = "WITH counterparts AS (
    SELECT a.id AS one, b.id AS other FROM items a JOIN items b ON b.feed_id = ?2 AND b.key = a.key WHERE a.feed_id = ?1
    UNION SELECT a.id, b.id FROM items a JOIN items b ON b.canonical_url = a.canonical_url AND b.feed_id = ?2 WHERE a.feed_id = ?1)";

impl Subscriptions<'_> {
    /// Unsubscribes the feed `from`; articles that only it had move to `into`, and read, starred, kept, tagged and noted articles
    /// are so there too.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] where one of them is not subscribed, [`LibraryError::Refused`] where they are the same.
    pub async fn merge(self, from: i64, into: i64) -> Result<Undoable, LibraryError> {
        if from == into {
            return Err(LibraryError::from(Refusal::SameFeed));
        }
        let feeds = Feeds::new(self.db);
        feeds.get(from).await?;
        feeds.get(into).await?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let merged = merge_in(self.db, &mut transaction, from, into).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(1, merged))
    }

    async fn part(self, merged: &Merged) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        part_in(self.db, &mut transaction, merged).await?;
        Ok(transaction.commit().await?)
    }
}

/// Merges as [`Subscriptions::merge`] does, in a transaction of the caller's.
pub(crate) async fn merge_in(
    db: &Database,
    transaction: &mut SqliteConnection,
    from: i64,
    into: i64,
) -> Result<Merged, LibraryError> {
    // An article that lists show must not disappear because its counterpart is scheduled.
    let shown = format!(
        "{COUNTERPARTS} SELECT DISTINCT other FROM counterparts JOIN states ON states.item_id = counterparts.one JOIN held ON held.item_id = counterparts.other"
    );
    let shown: Vec<i64> =
        sqlx::query_scalar(sqlx::AssertSqlSafe(shown)).bind(from).bind(into).fetch_all(&mut *transaction).await?;
    for item in shown {
        scheduled::release(&mut *transaction, scheduled::Which::One(item), db.now(), db.combines_duplicates()).await?;
    }
    let mark = |set: &str| {
        let column = set.split(' ').next().unwrap_or_default();
        format!(
            "{COUNTERPARTS} UPDATE states SET {set} WHERE {column} = 0 AND ?3 IS NOT NULL AND item_id IN
                (SELECT other FROM counterparts JOIN states ON states.item_id = counterparts.one WHERE states.{column} = 1) RETURNING item_id"
        )
    };
    let mut marked = Vec::new();
    for set in ["read = 1, read_at = ?3", "starred = 1, starred_at = ?3", "kept = 1"] {
        let ids: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(mark(set)))
            .bind(from)
            .bind(into)
            .bind(db.now())
            .fetch_all(&mut *transaction)
            .await?;
        marked.push(ids);
    }
    let tagged = tag_counterparts(&mut *transaction, from, into, db.now()).await?;
    let pairs = format!(
        "{COUNTERPARTS} SELECT one, min(other) FROM counterparts WHERE EXISTS (SELECT 1 FROM notes n WHERE n.item_id = one) GROUP BY one"
    );
    let pairs: Vec<(i64, i64)> =
        sqlx::query_as(sqlx::AssertSqlSafe(pairs)).bind(from).bind(into).fetch_all(&mut *transaction).await?;
    let notes = notes::move_notes(&mut *transaction, &pairs).await?;
    let alone =
        format!("{COUNTERPARTS} SELECT id FROM items WHERE feed_id = ?1 AND id NOT IN (SELECT one FROM counterparts)");
    let moved: Vec<i64> =
        sqlx::query_scalar(sqlx::AssertSqlSafe(alone)).bind(from).bind(into).fetch_all(&mut *transaction).await?;
    move_articles(&mut *transaction, &moved, from, into).await?;
    let opened = reading_stats::move_counts(&mut *transaction, from, into).await?;
    let rules = rules::change_feed(&mut *transaction, from, into).await?;
    // Articles deleted from one feed must not return with the other.
    let tombstones: Vec<String> = sqlx::query_scalar(
        "INSERT OR IGNORE INTO tombstones (feed_id, key, canonical_url, title, published_at, digest, at)
         SELECT ?2, key, canonical_url, title, published_at, digest, at FROM tombstones WHERE feed_id = ?1 RETURNING key",
    )
    .bind(from)
    .bind(into)
    .fetch_all(&mut *transaction)
    .await?;
    sqlx::query("UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1")
        .bind(from)
        .bind(db.now())
        .execute(&mut *transaction)
        .await?;
    let mut marked = marked.into_iter();
    let mut next = || marked.next().unwrap_or_default();
    let (read, starred, kept) = (next(), next(), next());
    Ok(Merged { from, into, moved, read, starred, rules, kept, tombstones, opened, tagged, notes })
}

/// Undoes a merge.
pub(crate) async fn part_in(
    db: &Database,
    transaction: &mut SqliteConnection,
    merged: &Merged,
) -> Result<(), LibraryError> {
    feeds::resubscribe(&mut *transaction, merged.from, db.now()).await?;
    move_articles(&mut *transaction, &merged.moved, merged.into, merged.from).await?;
    reading_stats::move_back(&mut *transaction, &merged.opened, merged.into, merged.from).await?;
    sqlx::query("UPDATE rules SET feed_id = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND feed_id = ?3")
        .bind(merged.from)
        .bind(json(&merged.rules)?)
        .bind(merged.into)
        .execute(&mut *transaction)
        .await?;
    let tombstones =
        serde_json::to_string(&merged.tombstones).map_err(|error| LibraryError::Invalid(error.to_string()))?;
    sqlx::query("DELETE FROM tombstones WHERE feed_id = ? AND key IN (SELECT value FROM json_each(?))")
        .bind(merged.into)
        .bind(tombstones)
        .execute(&mut *transaction)
        .await?;
    for (sql, ids) in [
        ("UPDATE states SET read = 0, read_at = NULL WHERE item_id IN (SELECT value FROM json_each(?))", &merged.read),
        (
            "UPDATE states SET starred = 0, starred_at = NULL WHERE item_id IN (SELECT value FROM json_each(?))",
            &merged.starred,
        ),
        ("UPDATE states SET kept = 0 WHERE item_id IN (SELECT value FROM json_each(?))", &merged.kept),
    ] {
        sqlx::query(sql).bind(json(ids)?).execute(&mut *transaction).await?;
    }
    notes::move_back(&mut *transaction, &merged.notes).await?;
    for tagged in &merged.tagged {
        tags::set(&mut *transaction, tagged.tag, false, &tagged.items, db.now(), Cause::Undo).await?;
    }
    Ok(())
}

impl UndoStep for Merged {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Subscriptions::new(db).part(self).await })
    }

    fn articles(&self) -> usize {
        self.remembered()
    }

    fn merged_into(&self, feed: i64) -> Option<i64> {
        (self.from == feed).then_some(self.into)
    }
}

/// Tags the counterparts of tagged articles.
async fn tag_counterparts(
    connection: &mut SqliteConnection,
    from: i64,
    into: i64,
    now: Millis,
) -> Result<Vec<Tagged>, LibraryError> {
    let sql =
        format!("{COUNTERPARTS} SELECT DISTINCT m.tag_id, other FROM counterparts JOIN item_tags m ON m.item_id = one");
    let pairs: Vec<(i64, i64)> =
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(from).bind(into).fetch_all(&mut *connection).await?;
    let mut by_tag: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (tag, item) in pairs {
        by_tag.entry(tag).or_default().push(item);
    }
    let mut tagged = Vec::new();
    for (tag, items) in by_tag {
        tagged.push(tags::set(connection, tag, true, &items, now, Cause::Here).await?);
    }
    Ok(tagged)
}

/// Moves articles and their states to another feed, and updates the counts. Articles that were moved elsewhere since stay there.
async fn move_articles(
    connection: &mut SqliteConnection,
    items: &[i64],
    from: i64,
    to: i64,
) -> Result<(), LibraryError> {
    for sql in [
        "UPDATE items SET feed_id = ?2 WHERE id IN (SELECT value FROM json_each(?1)) AND feed_id = ?3",
        "UPDATE states SET feed_id = ?2 WHERE item_id IN (SELECT value FROM json_each(?1)) AND feed_id = ?3",
    ] {
        sqlx::query(sql).bind(json(items)?).bind(to).bind(from).execute(&mut *connection).await?;
    }
    sqlx::query(
        "UPDATE counts SET (items, unread, starred) =
            (SELECT count(*), ifnull(sum(s.read = 0), 0), ifnull(sum(s.starred), 0) FROM items i CROSS JOIN states s ON s.item_id = i.id
             WHERE i.feed_id = counts.feed_id AND s.hidden = 0)
         WHERE feed_id IN (?, ?)",
    )
    .bind(from)
    .bind(to)
    .execute(connection)
    .await?;
    Ok(())
}
