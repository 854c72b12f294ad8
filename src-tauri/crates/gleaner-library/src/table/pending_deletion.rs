//! `going`: expired articles, for a day, until they are deleted. They are in no list and no count (`states.hidden` is 2), and can be
//! restored. During this day, triggers restore those that the user stars, tags, annotates, keeps or marks as unread, adds to the play queue
//! or to the queue of a service, or whose episodes the user downloads.

use crate::{LibraryError, Millis, table::retention_policies::Retention};
use sqlx::SqliteConnection;
use std::ops::RangeInclusive;

/// How long expired articles can be restored.
pub(crate) const RESTORABLE_FOR: Millis = 24 * 60 * 60 * 1000;

/// The expired articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct PendingDeletion {
    /// Number of articles.
    pub articles: i64,
    /// When the first of them is deleted; `None` without any.
    pub next_at: Option<Millis>,
}

impl Retention<'_> {
    /// Returns the expired articles that can be restored.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn pending_deletion(self) -> Result<PendingDeletion, LibraryError> {
        Ok(sqlx::query_as("SELECT count(*) AS articles, min(at) + ? AS next_at FROM going")
            .bind(RESTORABLE_FOR)
            .fetch_one(&self.db.readers)
            .await?)
    }
}

/// Restores articles that expired at this time; with `keep`, also keeps them forever. Returns their number, at most `limit`.
pub(crate) async fn restore(
    connection: &mut SqliteConnection,
    when: &RangeInclusive<Millis>,
    keep_forever: bool,
    limit: i64,
) -> sqlx::Result<usize> {
    let chosen = "(SELECT item_id FROM going WHERE at BETWEEN ?1 AND ?2 ORDER BY at, item_id LIMIT ?3)";
    let (from, to) = (*when.start(), *when.end());
    // Done first, since setting `kept` would restore them by the trigger, one by one.
    let sql = format!(
        "UPDATE states SET hidden = (SELECT was_hidden FROM going WHERE going.item_id = states.item_id) WHERE hidden = 2 AND item_id IN {chosen}
         RETURNING item_id"
    );
    let back: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
        .bind(from)
        .bind(to)
        .bind(limit)
        .fetch_all(&mut *connection)
        .await?;
    if keep_forever {
        let json = serde_json::to_string(&back).unwrap_or_default();
        sqlx::query("UPDATE states SET kept = 1 WHERE item_id IN (SELECT value FROM json_each(?))")
            .bind(json)
            .execute(&mut *connection)
            .await?;
    }
    let sql = format!("DELETE FROM going WHERE item_id IN {chosen}");
    let gone = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(from).bind(to).bind(limit).execute(connection).await?;
    Ok(usize::try_from(gone.rows_affected()).unwrap_or(usize::MAX))
}
