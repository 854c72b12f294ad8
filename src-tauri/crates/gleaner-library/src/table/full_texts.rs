//! `full_texts`: texts of articles as extracted from their pages. Compressed as in `bodies`, and sanitised when shown. The feed's
//! own text stays.

use crate::{
    Body, LibraryError, Millis, body,
    database::Database,
    table::{
        downloads::{self, DownloadKind},
        items::Articles,
    },
};
use sqlx::SqliteConnection;

/// The full text of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullText {
    /// Not sanitised; the base is the final address of the page.
    pub body: Body,
    /// When it was fetched.
    pub fetched_at: Millis,
}

impl Articles<'_> {
    /// Returns the full text of an article, where it was fetched.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn full_text(self, item: i64) -> Result<Option<FullText>, LibraryError> {
        let mut reader = self.db.readers.acquire().await?;
        full_text(self.db, &mut reader, item).await
    }

    /// Stores the full text of an article, and removes the download from the queue. With `images` the images are queued next, since the
    /// text may have other images than the feed's. Nothing is stored for an article that was deleted meanwhile.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn store_full_text(
        self,
        item: i64,
        url: &str,
        html: &str,
        images: bool,
        now: Millis,
    ) -> Result<(), LibraryError> {
        let body = Body { html: html.to_owned(), base: None };
        let packed = body::pack(Some(&body), None);
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query(
            "INSERT INTO full_texts (item_id, url, codec, content, fetched_at) SELECT id, ?2, ?3, ?4, ?5 FROM items WHERE id = ?1
             ON CONFLICT (item_id) DO UPDATE SET url = ?2, codec = ?3, content = ?4, fetched_at = ?5",
        )
        .bind(item)
        .bind(url)
        .bind(packed.codec)
        .bind(packed.content.unwrap_or_default())
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        downloads::done(&mut transaction, item, DownloadKind::Text).await?;
        if images {
            downloads::queue(&mut transaction, &[(item, DownloadKind::Images)], true, now).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Returns the full text of an article, where it was fetched.
pub(crate) async fn full_text(
    db: &Database,
    reader: &mut SqliteConnection,
    item: i64,
) -> Result<Option<FullText>, LibraryError> {
    let sql = "SELECT url, codec, content, fetched_at FROM full_texts WHERE item_id = ?";
    let row: Option<(String, i64, Vec<u8>, Millis)> =
        sqlx::query_as(sql).bind(item).fetch_optional(&mut *reader).await?;
    let Some((url, codec, content, fetched_at)) = row else { return Ok(None) };
    db.dictionaries.learn(reader, codec).await?;
    let body = db.unpack(item, codec, Some(content), Some(url))?.unwrap_or_default();
    Ok(Some(FullText { body, fetched_at }))
}
