//! `items`: the data of articles from their feeds, without the long texts. `key` is the identity within the feed (decided in polling).
//! `sort_at` is the position in every list: the publication date, or the date of receipt if that is unknown or in the future. It never
//! changes once lists show the article, so that lists do not jump. Scheduled articles are in `held` too.

use crate::{LibraryError, Millis, database::repository, json::json};
use sqlx::SqliteExecutor;

const WEEK: Millis = 7 * 24 * 60 * 60 * 1000;
/// Maximum number of weeks that are counted.
const MAX_WEEKS: u32 = 520;
/// Number of articles from which the posting frequency is derived.
const POSTINGS: i64 = 500;

/// An article without its text.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemRow {
    /// Id.
    pub id: i64,
    /// Id of its feed.
    pub feed_id: i64,
    /// Address that the browser opens.
    pub url: Option<String>,
    /// Plain text; may be empty.
    pub title: String,
    /// Plain text.
    pub author: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// Publication date as the feed gives it.
    pub published_at: Option<Millis>,
    /// Date of the last change as the feed gives it.
    pub updated_at: Option<Millis>,
    /// When lists first showed it.
    pub received_at: Millis,
    /// Position in lists.
    pub sort_at: Millis,
    /// Number of words in its text.
    pub word_count: i64,
    /// Address of the page with comments.
    pub comments_url: Option<String>,
    /// Address of its image in lists.
    pub thumbnail_url: Option<String>,
    /// Whether it was read.
    pub read: bool,
    /// Whether it has a star.
    pub starred: bool,
    /// Whether it is hidden: in the list of hidden articles only.
    pub hidden: bool,
    /// Whether retention never deletes it.
    pub kept: bool,
}

repository!(
    /// The articles: their texts, states and enclosures.
    Articles
);

impl Articles<'_> {
    /// Returns one article.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn get(self, id: i64) -> Result<ItemRow, LibraryError> {
        get(&self.db.readers, id).await
    }

    /// Returns the addresses of these articles, in order, without missing ones.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn addresses(self, ids: &[i64]) -> Result<Vec<String>, LibraryError> {
        // CROSS JOIN keeps the order of the list.
        let sql = "SELECT i.url FROM json_each(?) k CROSS JOIN items i ON i.id = k.value WHERE i.url IS NOT NULL";
        Ok(sqlx::query_scalar(sql).bind(json(ids)?).fetch_all(&self.db.readers).await?)
    }

    /// Returns the dates of a feed's newest articles, or when they were received.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn publication_dates(self, feed: i64) -> Result<Vec<Millis>, LibraryError> {
        let sql = "SELECT sort_at FROM items WHERE feed_id = ? ORDER BY sort_at DESC, id DESC LIMIT ?";
        Ok(sqlx::query_scalar(sql).bind(feed).bind(POSTINGS).fetch_all(&self.db.readers).await?)
    }

    /// Returns the number of articles of a feed in each week, the first of which begins at `from`.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_by_week(self, feed: i64, from: Millis, weeks: u32) -> Result<Vec<i64>, LibraryError> {
        let starts: Vec<Millis> = (0..weeks.min(MAX_WEEKS)).map(|week| from + i64::from(week) * WEEK).collect();
        let starts = json(&starts)?;
        // Each week is a range of the index; the rows are in the order of the weeks.
        let sql = "SELECT (SELECT count(*) FROM items i WHERE i.feed_id = ?1 AND i.sort_at >= w.value AND i.sort_at < w.value + ?3)
             FROM json_each(?2) w";
        Ok(sqlx::query_scalar(sql).bind(feed).bind(starts).bind(WEEK).fetch_all(&self.db.readers).await?)
    }
}

/// Returns one article.
pub(crate) async fn get<'c>(reader: impl SqliteExecutor<'c>, id: i64) -> Result<ItemRow, LibraryError> {
    sqlx::query_as(
        "SELECT i.id, i.feed_id, i.url, i.title, i.author, i.language, i.published_at, i.updated_at, i.received_at, i.sort_at,
                i.word_count, i.comments_url, i.thumbnail_url, s.read, s.starred, s.hidden <> 0 AS hidden, s.kept
         FROM items i JOIN states s ON s.item_id = i.id WHERE i.id = ?",
    )
    .bind(id)
    .fetch_optional(reader)
    .await?
    .ok_or(LibraryError::NotFound("article"))
}
