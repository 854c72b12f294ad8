//! `bodies`: an article's raw HTML, apart from `items` so that lists read no long rows; compressed by zstd where that
//! pays. Never sanitised here: a mended policy mends the whole library (house rule 7).

use crate::{Beside, Body, Library, LibraryError};

/// An article's texts, as the feed gave them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ArticleText {
    /// The fullest body there is.
    pub content: Option<Body>,
    /// The short form when the item carries both.
    pub summary: Option<Body>,
    /// Terms, in the feed's order.
    pub categories: Vec<String>,
    /// What the feed says beside them.
    pub beside: Beside,
}

#[derive(sqlx::FromRow)]
struct BodyRow {
    codec: i64,
    content: Option<Vec<u8>>,
    content_base: Option<String>,
    summary: Option<Vec<u8>>,
    summary_base: Option<String>,
    categories: Option<String>,
    beside: Option<String>,
    url: Option<String>,
}

impl Library {
    /// The texts of an item.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] without such an item.
    pub async fn article_text(&self, item: i64) -> Result<ArticleText, LibraryError> {
        let row: BodyRow = sqlx::query_as(
            "SELECT b.codec, b.content, b.content_base, b.summary, b.summary_base, b.categories, b.beside, i.url
             FROM bodies b JOIN items i ON i.id = b.item_id WHERE b.item_id = ?",
        )
        .bind(item)
        .fetch_optional(&self.readers)
        .await?
        .ok_or(LibraryError::NotFound("article"))?;
        self.learn(vec![row.codec]).await?;
        let unpack = |bytes, base| self.unpacked(item, row.codec, bytes, base);
        let categories = row.categories.as_deref().map_or(Ok(Vec::new()), serde_json::from_str);
        Ok(ArticleText {
            content: unpack(row.content, row.content_base)?,
            summary: unpack(row.summary, row.summary_base)?,
            categories: categories.map_err(|error| LibraryError::Invalid(format!("article {item}: {error}")))?,
            beside: Beside::of_stored(row.beside.as_deref(), row.url.as_deref()),
        })
    }

    /// A text of an item out of the form that it is stored in; the codec is one that was learnt ([`Library::learn`]).
    pub(crate) fn unpacked(
        &self,
        item: i64,
        codec: i64,
        bytes: Option<Vec<u8>>,
        base: Option<String>,
    ) -> Result<Option<Body>, LibraryError> {
        bytes.map(|bytes| self.dictionaries.unpack(codec, &bytes).map(|html| Body { html, base })).transpose().map_err(
            |why| LibraryError::Damaged { folder: self.folder().to_owned(), why: format!("article {item}: {why}") },
        )
    }
}
