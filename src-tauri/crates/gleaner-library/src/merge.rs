//! Making one subscription of two that end at one address (politeness P39), and taking it back.

use crate::{
    Library, LibraryError, Undoable, now,
    table::{
        feeds, held, notes, opened, rules,
        states::json,
        tags::{self, Tagged},
    },
    undo::Undo,
};
use sqlx::SqliteConnection;
use std::collections::BTreeMap;

/// What a merge did, so that it can be undone.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    from: i64,
    into: i64,
    /// Articles that only the one had.
    moved: Vec<i64>,
    /// Articles of the other that took over its twin's mark.
    read: Vec<i64>,
    starred: Vec<i64>,
    /// Rules of the one that now hold for the other.
    rules: Vec<i64>,
    kept: Vec<i64>,
    /// Keys of articles that were let go of in the one, and now in the other too.
    buried: Vec<String>,
    /// What was opened of the one: hours, and how many articles.
    opened: Vec<(i64, i64)>,
    /// And over its twin's tags, each with the articles that had it not.
    tagged: Vec<Tagged>,
    /// And over its twin's notes: each with the article that it was on.
    notes: Vec<(i64, i64)>,
}

impl Merged {
    /// Where a feed went, if it is the one that was left.
    pub(crate) fn of(&self, feed: i64) -> Option<i64> {
        (self.from == feed).then_some(self.into)
    }

    /// How many articles it has in memory.
    pub(crate) fn articles(&self) -> usize {
        let tagged = self.tagged.iter().map(|tagged| tagged.items.len()).sum::<usize>();
        self.notes.len()
            + self.moved.len()
            + self.read.len()
            + self.starred.len()
            + self.kept.len()
            + self.buried.len()
            + tagged
    }
}

/// So many merges are followed, one after the other.
const MERGES: usize = 8;

/// Articles of the feed ?1 with their twins in the feed ?2.
const TWINS: &str = "WITH twins AS (
    SELECT a.id AS one, b.id AS other FROM items a JOIN items b ON b.feed_id = ?2 AND b.key = a.key WHERE a.feed_id = ?1
    UNION SELECT a.id, b.id FROM items a JOIN items b ON b.canonical_url = a.canonical_url AND b.feed_id = ?2 WHERE a.feed_id = ?1)";

impl Library {
    /// Leaves the feed `from`; the articles that only it had go to `into`, and what was read, starred, kept, tagged or noted in it is so there too.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] where one of them is no subscription, [`LibraryError::Invalid`] where they are one.
    pub async fn merge_feeds(&self, from: i64, into: i64) -> Result<Undoable, LibraryError> {
        if from == into {
            return Err(LibraryError::Invalid("a feed cannot be merged with itself".to_owned()));
        }
        self.feed(from).await?;
        self.feed(into).await?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        // What shows in the one goes on showing in the other, though it would be held back there.
        let shown = format!(
            "{TWINS} SELECT DISTINCT other FROM twins JOIN states ON states.item_id = twins.one JOIN held ON held.item_id = twins.other"
        );
        let shown: Vec<i64> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(shown)).bind(from).bind(into).fetch_all(&mut *transaction).await?;
        for item in shown {
            held::release(&mut transaction, held::Which::One(item), now(), self.stories_are_one()).await?;
        }
        let mark = |set: &str| {
            let column = set.split(' ').next().unwrap_or_default();
            format!(
                "{TWINS} UPDATE states SET {set} WHERE {column} = 0 AND ?3 IS NOT NULL AND item_id IN
                    (SELECT other FROM twins JOIN states ON states.item_id = twins.one WHERE states.{column} = 1) RETURNING item_id"
            )
        };
        let mut marked = Vec::new();
        for set in ["read = 1, read_at = ?3", "starred = 1, starred_at = ?3", "kept = 1"] {
            let ids: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(mark(set)))
                .bind(from)
                .bind(into)
                .bind(now())
                .fetch_all(&mut *transaction)
                .await?;
            marked.push(ids);
        }
        let tagged = tag_twins(&mut transaction, from, into).await?;
        let pairs = format!(
            "{TWINS} SELECT one, min(other) FROM twins WHERE EXISTS (SELECT 1 FROM notes n WHERE n.item_id = one) GROUP BY one"
        );
        let pairs: Vec<(i64, i64)> =
            sqlx::query_as(sqlx::AssertSqlSafe(pairs)).bind(from).bind(into).fetch_all(&mut *transaction).await?;
        let notes = notes::hand_over(&mut transaction, &pairs).await?;
        let alone = format!("{TWINS} SELECT id FROM items WHERE feed_id = ?1 AND id NOT IN (SELECT one FROM twins)");
        let moved: Vec<i64> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(alone)).bind(from).bind(into).fetch_all(&mut *transaction).await?;
        hand_over(&mut transaction, &moved, from, into).await?;
        let opened = opened::hand_over(&mut transaction, from, into).await?;
        let rules = rules::change_feed(&mut transaction, from, into).await?;
        // What was let go of in the one does not come back in the other.
        let buried: Vec<String> = sqlx::query_scalar(
            "INSERT OR IGNORE INTO tombstones (feed_id, key, canonical_url, title, published_at, digest, at)
             SELECT ?2, key, canonical_url, title, published_at, digest, at FROM tombstones WHERE feed_id = ?1 RETURNING key",
        )
        .bind(from)
        .bind(into)
        .fetch_all(&mut *transaction)
        .await?;
        sqlx::query("UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1")
            .bind(from)
            .bind(now())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let mut marked = marked.into_iter();
        let mut next = || marked.next().unwrap_or_default();
        let (read, starred, kept) = (next(), next(), next());
        let merged = Merged { from, into, moved, read, starred, rules, kept, buried, opened, tagged, notes };
        Ok(self.undo.push(1, Undo::Merged(merged)))
    }

    /// What an article is in a feed that is subscribed to: itself, or its twin in the one that its feed was merged into.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Invalid`] where its feed was left, and it has no twin.
    pub(crate) async fn in_a_subscription(
        &self,
        connection: &mut SqliteConnection,
        mut item: i64,
    ) -> Result<i64, LibraryError> {
        for _ in 0..MERGES {
            let sql = "SELECT i.feed_id, f.unsubscribed_at IS NOT NULL FROM items i JOIN feeds f ON f.id = i.feed_id WHERE i.id = ?";
            let found: Option<(i64, bool)> = sqlx::query_as(sql).bind(item).fetch_optional(&mut *connection).await?;
            let (feed, left) = found.ok_or(LibraryError::NotFound("article"))?;
            if !left {
                return Ok(item);
            }
            let Some(into) = self.undo.merged_into(feed) else { break };
            let twin: Option<i64> = sqlx::query_scalar(
                "SELECT b.id FROM items a JOIN items b ON b.feed_id = ?2 AND b.key = a.key WHERE a.id = ?1
                 UNION SELECT b.id FROM items a JOIN items b ON b.canonical_url = a.canonical_url AND b.feed_id = ?2 WHERE a.id = ?1
                 ORDER BY 1 LIMIT 1",
            )
            .bind(item)
            .bind(into)
            .fetch_optional(&mut *connection)
            .await?;
            let Some(twin) = twin else { break };
            item = twin;
        }
        Err(LibraryError::Invalid("the article's feed was left; subscribe to it again first".to_owned()))
    }

    pub(crate) async fn part(&self, merged: &Merged) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        feeds::resubscribe(&mut transaction, merged.from).await?;
        hand_over(&mut transaction, &merged.moved, merged.into, merged.from).await?;
        opened::hand_back(&mut transaction, &merged.opened, merged.into, merged.from).await?;
        sqlx::query("UPDATE rules SET feed_id = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND feed_id = ?3")
            .bind(merged.from)
            .bind(json(&merged.rules)?)
            .bind(merged.into)
            .execute(&mut *transaction)
            .await?;
        let buried = serde_json::to_string(&merged.buried).map_err(|error| LibraryError::Invalid(error.to_string()))?;
        sqlx::query("DELETE FROM tombstones WHERE feed_id = ? AND key IN (SELECT value FROM json_each(?))")
            .bind(merged.into)
            .bind(buried)
            .execute(&mut *transaction)
            .await?;
        for (sql, ids) in [
            (
                "UPDATE states SET read = 0, read_at = NULL WHERE item_id IN (SELECT value FROM json_each(?))",
                &merged.read,
            ),
            (
                "UPDATE states SET starred = 0, starred_at = NULL WHERE item_id IN (SELECT value FROM json_each(?))",
                &merged.starred,
            ),
            ("UPDATE states SET kept = 0 WHERE item_id IN (SELECT value FROM json_each(?))", &merged.kept),
        ] {
            sqlx::query(sql).bind(json(ids)?).execute(&mut *transaction).await?;
        }
        notes::hand_back(&mut transaction, &merged.notes).await?;
        for tagged in &merged.tagged {
            tags::set(&mut transaction, tagged.tag, false, &tagged.items).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// What was tagged in the one feed is so in the other.
async fn tag_twins(connection: &mut SqliteConnection, from: i64, into: i64) -> Result<Vec<Tagged>, LibraryError> {
    let sql = format!("{TWINS} SELECT DISTINCT m.tag_id, other FROM twins JOIN item_tags m ON m.item_id = one");
    let pairs: Vec<(i64, i64)> =
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(from).bind(into).fetch_all(&mut *connection).await?;
    let mut by_tag: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (tag, item) in pairs {
        by_tag.entry(tag).or_default().push(item);
    }
    let mut tagged = Vec::new();
    for (tag, items) in by_tag {
        tagged.push(tags::set(connection, tag, true, &items).await?);
    }
    Ok(tagged)
}

/// Articles change their feed, with their states, and the counts follow. Those that have gone elsewhere since stay there.
async fn hand_over(connection: &mut SqliteConnection, items: &[i64], from: i64, to: i64) -> Result<(), LibraryError> {
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
