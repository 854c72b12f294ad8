//! `counts`: the numbers of all, unread and starred articles of each feed. Triggers on `states` keep them exact.

use crate::{LibraryError, Millis, database::repository, json::from_json, table::duplicates::Duplicates};

/// The counts of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedCount {
    /// Id of the feed.
    pub feed_id: i64,
    /// All articles.
    pub items: i64,
    /// Unread articles.
    pub unread: i64,
    /// Starred articles.
    pub starred: i64,
}

repository!(
    /// Numbers of articles.
    Counts
);

impl Counts<'_> {
    /// Returns the counts of all subscribed feeds.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn by_feed(self) -> Result<Vec<FeedCount>, LibraryError> {
        // One row for all is faster than five thousand rows.
        let sql = "SELECT json_group_array(json_array(feed_id, items, unread, starred)) FROM counts
             WHERE feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";
        let counts: String = sqlx::query_scalar(sql).fetch_one(&self.db.readers).await?;
        let counts: Vec<(i64, i64, i64, i64)> = from_json(&counts)?;
        let count = |(feed_id, items, unread, starred)| FeedCount { feed_id, items, unread, starred };
        Ok(counts.into_iter().map(count).collect())
    }

    /// Returns the number of unread articles at or after `since`, as lists show them.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn unread_since(self, since: Millis) -> Result<i64, LibraryError> {
        let unread: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM states INDEXED BY states_unread WHERE read = 0 AND hidden = 0 AND sort_at >= ?
             AND feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)",
        )
        .bind(since)
        .fetch_one(&self.db.readers)
        .await?;
        Ok(unread - Duplicates::new(self.db).count_unread(since).await?)
    }
}

#[cfg(test)]
mod property;
