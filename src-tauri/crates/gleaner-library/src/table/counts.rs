//! `counts`: how many items, unread and starred ones each feed has. Kept by triggers on `states`, so they are exact
//! whoever writes.

use super::search::from_json;
use crate::{Library, LibraryError, Millis};

/// A feed's counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
        // In one row: five thousand would take longer to hand over than to read.
        let sql = "SELECT json_group_array(json_array(feed_id, items, unread, starred)) FROM counts
             WHERE feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";
        let counts: String = sqlx::query_scalar(sql).fetch_one(&self.readers).await?;
        let counts: Vec<(i64, i64, i64, i64)> = from_json(&counts)?;
        let count = |(feed_id, items, unread, starred)| FeedCount { feed_id, items, unread, starred };
        Ok(counts.into_iter().map(count).collect())
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
