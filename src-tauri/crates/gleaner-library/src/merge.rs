//! Making one subscription of two that end at one address (politeness P39), and taking it back.

use crate::{Library, LibraryError, Undoable, now, table::held, undo::Undo};
use sqlx::SqliteConnection;

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
}

/// Articles of the feed ?1 with their twins in the feed ?2.
const TWINS: &str = "WITH twins AS (
    SELECT a.id AS one, b.id AS other FROM items a JOIN items b ON b.feed_id = ?2 AND b.key = a.key WHERE a.feed_id = ?1
    UNION SELECT a.id, b.id FROM items a JOIN items b ON b.canonical_url = a.canonical_url AND b.feed_id = ?2 WHERE a.feed_id = ?1)";

impl Library {
    /// Leaves the feed `from`; the articles that only it had go to `into`, and what was read or starred in it is so there too.
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
        let mark = |column: &str, at: &str| {
            format!(
                "{TWINS} UPDATE states SET {column} = 1, {at} = ?3 WHERE {column} = 0 AND item_id IN
                    (SELECT other FROM twins JOIN states ON states.item_id = twins.one WHERE states.{column} = 1) RETURNING item_id"
            )
        };
        let mut marked = Vec::new();
        for (column, at) in [("read", "read_at"), ("starred", "starred_at")] {
            let ids: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(mark(column, at)))
                .bind(from)
                .bind(into)
                .bind(now())
                .fetch_all(&mut *transaction)
                .await?;
            marked.push(ids);
        }
        let alone = format!("{TWINS} SELECT id FROM items WHERE feed_id = ?1 AND id NOT IN (SELECT one FROM twins)");
        let moved: Vec<i64> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(alone)).bind(from).bind(into).fetch_all(&mut *transaction).await?;
        hand_over(&mut transaction, &moved, from, into).await?;
        sqlx::query("UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1")
            .bind(from)
            .bind(now())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let starred = marked.pop().unwrap_or_default();
        let read = marked.pop().unwrap_or_default();
        Ok(self.undo.push(1, Undo::Merged(Merged { from, into, moved, read, starred })))
    }

    pub(crate) async fn part(&self, merged: &Merged) -> Result<(), LibraryError> {
        self.resubscribe(merged.from).await?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        hand_over(&mut transaction, &merged.moved, merged.into, merged.from).await?;
        for (sql, ids) in [
            (
                "UPDATE states SET read = 0, read_at = NULL WHERE item_id IN (SELECT value FROM json_each(?))",
                &merged.read,
            ),
            (
                "UPDATE states SET starred = 0, starred_at = NULL WHERE item_id IN (SELECT value FROM json_each(?))",
                &merged.starred,
            ),
        ] {
            sqlx::query(sql).bind(json(ids)?).execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }
}

fn json(ids: &[i64]) -> Result<String, LibraryError> {
    serde_json::to_string(ids).map_err(|error| LibraryError::Invalid(error.to_string()))
}

/// Articles change their feed, with their states, and the counts follow.
async fn hand_over(connection: &mut SqliteConnection, items: &[i64], from: i64, to: i64) -> Result<(), LibraryError> {
    for sql in [
        "UPDATE items SET feed_id = ?2 WHERE id IN (SELECT value FROM json_each(?1))",
        "UPDATE states SET feed_id = ?2 WHERE item_id IN (SELECT value FROM json_each(?1))",
    ] {
        sqlx::query(sql).bind(json(items)?).bind(to).execute(&mut *connection).await?;
    }
    sqlx::query(
        "UPDATE counts SET (items, unread, starred) =
            (SELECT count(*), ifnull(sum(read = 0), 0), ifnull(sum(starred), 0) FROM states WHERE states.feed_id = counts.feed_id)
         WHERE feed_id IN (?, ?)",
    )
    .bind(from)
    .bind(to)
    .execute(connection)
    .await?;
    Ok(())
}
