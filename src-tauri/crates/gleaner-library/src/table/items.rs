//! `items`: what feeds say of their articles, without the long texts. `key` is the item's identity within its feed
//! (decided in polling); `sort_at` is its place in every list: when it was published, or received where that is
//! unknown or in the future; it never changes once the item is in them, so lists do not jump. Some are `held` back first.

use super::states::json;
use crate::{Library, LibraryError, Millis};

const WEEK: Millis = 7 * 24 * 60 * 60 * 1000;
/// So many weeks are counted at most.
const WEEKS: u32 = 520;
/// So many postings tell a feed's habits.
const POSTINGS: i64 = 500;

/// An article, without its text.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemRow {
    /// Its number.
    pub id: i64,
    /// Its feed.
    pub feed_id: i64,
    /// What the browser opens.
    pub url: Option<String>,
    /// Plain text; may be empty.
    pub title: String,
    /// Plain text.
    pub author: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// As the feed says.
    pub published_at: Option<Millis>,
    /// As the feed says.
    pub updated_at: Option<Millis>,
    /// When it came into the lists.
    pub received_at: Millis,
    /// Its place in lists.
    pub sort_at: Millis,
    /// Words of its text.
    pub word_count: i64,
    /// The page that people comment on.
    pub comments_url: Option<String>,
    /// The user's state.
    pub read: bool,
    /// The user's state.
    pub starred: bool,
    /// In no list but that of hidden ones.
    pub hidden: bool,
    /// No rule of retention lets it go.
    pub kept: bool,
}

impl Library {
    /// One article.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn item(&self, id: i64) -> Result<ItemRow, LibraryError> {
        sqlx::query_as(
            "SELECT i.id, i.feed_id, i.url, i.title, i.author, i.language, i.published_at, i.updated_at, i.received_at, i.sort_at,
                    i.word_count, i.comments_url, s.read, s.starred, s.hidden <> 0 AS hidden, s.kept
             FROM items i JOIN states s ON s.item_id = i.id WHERE i.id = ?",
        )
        .bind(id)
        .fetch_optional(&self.readers)
        .await?
        .ok_or(LibraryError::NotFound("article"))
    }

    /// The addresses of those of these articles that name one, in their order.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn addresses(&self, ids: &[i64]) -> Result<Vec<String>, LibraryError> {
        // What is joined crosswise comes as the list goes.
        let sql = "SELECT i.url FROM json_each(?) k CROSS JOIN items i ON i.id = k.value WHERE i.url IS NOT NULL";
        Ok(sqlx::query_scalar(sql).bind(json(ids)?).fetch_all(&self.readers).await?)
    }

    /// When the newest articles of a feed were published, or came where that is not known; so many at most as tell its habits.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn postings(&self, feed: i64) -> Result<Vec<Millis>, LibraryError> {
        let sql = "SELECT sort_at FROM items WHERE feed_id = ? ORDER BY sort_at DESC, id DESC LIMIT ?";
        Ok(sqlx::query_scalar(sql).bind(feed).bind(POSTINGS).fetch_all(&self.readers).await?)
    }

    /// How many articles of a feed lie in each of so many weeks, the first of which begins at `from`.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn items_by_week(&self, feed: i64, from: Millis, weeks: u32) -> Result<Vec<i64>, LibraryError> {
        let starts: Vec<Millis> = (0..weeks.min(WEEKS)).map(|week| from + i64::from(week) * WEEK).collect();
        let starts = serde_json::to_string(&starts).map_err(|error| LibraryError::Invalid(error.to_string()))?;
        // Each week is a piece of the index; they come in the order in which they are asked for.
        let sql = "SELECT (SELECT count(*) FROM items i WHERE i.feed_id = ?1 AND i.sort_at >= w.value AND i.sort_at < w.value + ?3)
             FROM json_each(?2) w";
        Ok(sqlx::query_scalar(sql).bind(feed).bind(starts).bind(WEEK).fetch_all(&self.readers).await?)
    }
}
