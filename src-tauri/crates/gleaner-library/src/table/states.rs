//! `states`: what the reader has made of an item: read, starred. Apart from `items`, so that no feed can touch it.
//! Every item has a row here from the moment it comes in, which for one that is `held` is when it is let go.

use super::stories;
use crate::{Library, LibraryError, ListQuery, MarkScope, Source, Undoable, list, now, undo::Undo};
use sqlx::SqliteConnection;

impl Library {
    /// Marks items read or unread, starred or not; `None` leaves that as it is.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn mark(&self, ids: &[i64], read: Option<bool>, starred: Option<bool>) -> Result<Undoable, LibraryError> {
        let ids = serde_json::to_string(ids).map_err(|error| LibraryError::Invalid(error.to_string()))?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let (mut marked, mut stars) = (Vec::new(), Vec::new());
        if let Some(read) = read {
            marked = sqlx::query_scalar(
                "UPDATE states SET read = ?1, read_at = iif(?1, ?2, NULL)
                 WHERE item_id IN (SELECT value FROM json_each(?3)) AND read <> ?1 RETURNING item_id",
            )
            .bind(read)
            .bind(now())
            .bind(&ids)
            .fetch_all(&mut *transaction)
            .await?;
            marked.extend(self.mark_twins(&mut transaction, read, &ids).await?);
        }
        if let Some(starred) = starred {
            stars = sqlx::query_scalar(
                "UPDATE states SET starred = ?1, starred_at = iif(?1, ?2, NULL)
                 WHERE item_id IN (SELECT value FROM json_each(?3)) AND starred <> ?1 RETURNING item_id",
            )
            .bind(starred)
            .bind(now())
            .bind(&ids)
            .fetch_all(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        let count = marked.len().max(stars.len());
        Ok(self.undo.push(
            count,
            Undo::Marked { read: read.map(|read| (!read, marked)), starred: starred.map(|star| (!star, stars)) },
        ))
    }

    /// Marks a list, or the part of it above or below a row, read. Items that came after `received_before` stay unread:
    /// nobody has seen them.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn mark_list_read(
        &self,
        source: Source,
        oldest_first: bool,
        scope: MarkScope,
        received_before: Option<i64>,
    ) -> Result<Undoable, LibraryError> {
        let query = ListQuery { source, unread_only: true, oldest_first, after: None, before: None, limit: 0 };
        let sql = list::mark_sql(&query, scope);
        let mut statement = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql)).bind(now()).bind(received_before);
        if let MarkScope::Above(cursor) | MarkScope::Below(cursor) = scope {
            statement = statement.bind(cursor.sort_at).bind(cursor.id);
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let mut marked = statement.fetch_all(&mut *transaction).await?;
        let ids = serde_json::to_string(&marked).map_err(|error| LibraryError::Invalid(error.to_string()))?;
        marked.extend(self.mark_twins(&mut transaction, true, &ids).await?);
        transaction.commit().await?;
        Ok(self.undo.push(marked.len(), Undo::Marked { read: Some((false, marked)), starred: None }))
    }

    /// The other articles of their stories: what is read once is read everywhere.
    async fn mark_twins(
        &self,
        connection: &mut SqliteConnection,
        read: bool,
        ids: &str,
    ) -> Result<Vec<i64>, LibraryError> {
        if !self.stories_are_one() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "UPDATE states SET read = ?1, read_at = iif(?1, ?2, NULL) WHERE item_id IN ({}) AND read <> ?1 RETURNING item_id",
            stories::TWINS
        );
        Ok(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(read).bind(now()).bind(ids).fetch_all(connection).await?)
    }
}
