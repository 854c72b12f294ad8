//! `servers.position`, `servers.listed_at`: how far the articles of an account were read, where its server says what arrived and changed.

use crate::{LibraryError, Millis, SyncStore, json::json};

/// How far the articles of an account were read.
#[derive(Debug, Clone, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct SyncPosition {
    /// The position, in the form of the server's API; `None`: reading has not begun.
    pub position: Option<String>,
    /// When all articles, or the lists of all unread and starred ones, were last read. Where a server lists its newest articles: when all of
    /// those were downloaded; `None` while some may be missing below the known ones.
    pub listed_at: Option<Millis>,
}

impl SyncStore<'_> {
    /// Returns how far the articles of an account were read.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn position(self, account: i64) -> Result<SyncPosition, LibraryError> {
        let sql = "SELECT position, listed_at FROM servers WHERE account_id = ?";
        let found = sqlx::query_as(sql).bind(account).fetch_optional(&self.db.readers).await?;
        Ok(found.unwrap_or_default())
    }

    /// Records how far the articles of an account were read. What was read until there is stored already.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_position(self, account: i64, position: &str) -> Result<(), LibraryError> {
        let sql = "UPDATE servers SET position = ?2 WHERE account_id = ?1";
        self.db.execute(sqlx::query(sql).bind(account).bind(position)).await
    }

    /// Records that all articles, or the lists of all unread and starred ones, were read.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_listed(self, account: i64) -> Result<(), LibraryError> {
        let sql = "UPDATE servers SET listed_at = ?2 WHERE account_id = ?1";
        self.db.execute(sqlx::query(sql).bind(account).bind(self.db.now())).await
    }

    /// Records that articles may be missing below the known ones.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_unlisted(self, account: i64) -> Result<(), LibraryError> {
        let sql = "UPDATE servers SET listed_at = NULL WHERE account_id = ?";
        self.db.execute(sqlx::query(sql).bind(account)).await
    }

    /// Makes articles unknown that were deleted here, so that they are downloaded again, except those of feeds that are not subscribed and
    /// those that can't be downloaded. Returns their ids.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn bring_back(self, account: i64, remote_ids: &[String]) -> Result<Vec<String>, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let back: Vec<String> = sqlx::query_scalar(
            "DELETE FROM remote_items WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?2))
                AND item_id IS NULL AND foreign_feed IS NULL RETURNING remote_id",
        )
        .bind(account)
        .bind(json(&remote_ids)?)
        .fetch_all(&mut *transaction)
        .await?;
        if back.is_empty() {
            return Ok(back);
        }
        let sql = "DELETE FROM tombstones WHERE (feed_id, key) IN (SELECT f.id, j.value FROM feeds f JOIN json_each(?2) AS j WHERE f.account_id = ?1)";
        sqlx::query(sql).bind(account).bind(json(&back)?).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(back)
    }

    /// Returns the title of an article; an empty one where it was deleted here.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn article_title(self, account: i64, remote_id: &str) -> Result<String, LibraryError> {
        let sql = "SELECT i.title FROM remote_items r JOIN items i ON i.id = r.item_id WHERE r.account_id = ? AND r.remote_id = ?";
        let found = sqlx::query_scalar(sql).bind(account).bind(remote_id).fetch_optional(&self.db.readers).await?;
        Ok(found.unwrap_or_default())
    }

    /// Returns the ids of articles whose feed was not subscribed when they were downloaded, and is now.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn awaited(self, account: i64) -> Result<Vec<String>, LibraryError> {
        let sql = "SELECT i.remote_id FROM remote_items i
             JOIN remote_feeds r ON r.account_id = i.account_id AND r.remote_id = i.foreign_feed
             JOIN feeds f ON f.id = r.feed_id
             WHERE i.account_id = ? AND i.foreign_feed IS NOT NULL AND f.unsubscribed_at IS NULL";
        Ok(sqlx::query_scalar(sql).bind(account).fetch_all(&self.db.readers).await?)
    }
}
