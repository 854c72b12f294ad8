//! `bodies`: the raw HTML of articles, compressed by zstd. Separate from `items`, so that lists read short rows. Sanitised only
//! when shown, so that a better sanitiser applies to the whole library (invariant 7).

use crate::{ArticleMetadata, Body, LibraryError, database::Database, table::items::Articles};
use sqlx::SqliteConnection;

/// An article's texts as published by the feed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ArticleText {
    /// The most complete body.
    pub content: Option<Body>,
    /// The short form if the item has both.
    pub summary: Option<Body>,
    /// Categories, in the feed's order.
    pub categories: Vec<String>,
    /// Comments, credits and chapters.
    pub metadata: ArticleMetadata,
}

#[derive(sqlx::FromRow)]
struct BodyRow {
    codec: i64,
    content: Option<Vec<u8>>,
    content_base: Option<String>,
    summary: Option<Vec<u8>>,
    summary_base: Option<String>,
    categories: Option<String>,
    #[sqlx(rename = "beside")]
    metadata: Option<String>,
    url: Option<String>,
}

impl Articles<'_> {
    /// Returns the texts of an article.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] without such an article.
    pub async fn text(self, item: i64) -> Result<ArticleText, LibraryError> {
        let mut reader = self.db.readers.acquire().await?;
        text(self.db, &mut reader, item).await
    }
}

/// Returns the texts of an article.
pub(crate) async fn text(db: &Database, reader: &mut SqliteConnection, item: i64) -> Result<ArticleText, LibraryError> {
    let row: BodyRow = sqlx::query_as(
        "SELECT b.codec, b.content, b.content_base, b.summary, b.summary_base, b.categories, b.beside, i.url
         FROM bodies b JOIN items i ON i.id = b.item_id WHERE b.item_id = ?",
    )
    .bind(item)
    .fetch_optional(&mut *reader)
    .await?
    .ok_or(LibraryError::NotFound("article"))?;
    db.dictionaries.learn(reader, row.codec).await?;
    let unpack = |bytes, base| db.unpack(item, row.codec, bytes, base);
    let categories = row.categories.as_deref().map_or(Ok(Vec::new()), serde_json::from_str);
    Ok(ArticleText {
        content: unpack(row.content, row.content_base)?,
        summary: unpack(row.summary, row.summary_base)?,
        categories: categories.map_err(|error| LibraryError::Invalid(format!("article {item}: {error}")))?,
        metadata: ArticleMetadata::of_stored(row.metadata.as_deref(), row.url.as_deref()),
    })
}
