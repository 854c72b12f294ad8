//! `items`: what feeds say of their articles, without the long texts. `key` is the item's identity within its feed
//! (decided in polling); `sort_at` is its place in every list: when it was published, or received where that is
//! unknown or in the future; it never changes once the item is in them, so lists do not jump. Some are `held` back first.

use super::states::json;
use crate::{Library, LibraryError, Millis};

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
}
