//! `servers.position`, `servers.listed_at`: up to where the articles of an account were read, if its server lists new and changed articles.

use crate::{LibraryError, Millis, SyncStore};

/// How far the articles of an account were read.
#[derive(Debug, Clone, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct SyncPosition {
    /// The position, in the form of the server's API; `None`: reading has not begun.
    pub position: Option<String>,
    /// When all articles, or the lists of all unread and starred ones, were last read. For servers that list their newest articles: when
    /// all of these were downloaded; `None` while some that are older than the known ones may be missing.
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

    /// Records up to where the articles of an account were read. Everything up to there is already stored.
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

    /// Returns the title of an article; empty if it was deleted here.
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
