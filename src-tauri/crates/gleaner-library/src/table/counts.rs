//! `counts`: how many items, unread and starred ones each feed has. Kept by triggers on `states`, so they are exact
//! whoever writes.

use crate::{Library, LibraryError, Millis};

/// A feed's counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct FeedCount {
    /// Which feed.
    pub feed_id: i64,
    /// All its items.
    pub items: i64,
    /// Those not read.
    pub unread: i64,
    /// Those with a star.
    pub starred: i64,
}

impl Library {
    /// The counts of every subscribed feed.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feed_counts(&self) -> Result<Vec<FeedCount>, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT c.feed_id, c.items, c.unread, c.starred FROM counts c JOIN feeds f ON f.id = c.feed_id WHERE f.unsubscribed_at IS NULL",
        )
        .fetch_all(&self.readers)
        .await?)
    }

    /// How many unread articles are at or after `since`, as the lists show them: those of today.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn unread_since(&self, since: Millis) -> Result<i64, LibraryError> {
        let unread: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM states INDEXED BY states_unread WHERE read = 0 AND hidden = 0 AND sort_at >= ?
             AND feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)",
        )
        .bind(since)
        .fetch_one(&self.readers)
        .await?;
        Ok(unread - self.unread_doubles(since).await?)
    }
}

#[cfg(test)]
mod property;
