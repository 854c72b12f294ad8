//! `full_texts`: articles' texts from their own pages, as they were extracted. Sanitised when they are shown, as everything
//! is; compressed as `bodies` are. The feed's own text stays beside it.

use crate::{
    Body, Library, LibraryError, Millis, body,
    table::ahead::{self, AheadWhat},
};

/// An article's text from its own page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullText {
    /// Not sanitised; its base is where it came from.
    pub body: Body,
    /// When.
    pub fetched_at: Millis,
}

impl Library {
    /// The full text of an article, where it was fetched.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn full_text(&self, item: i64) -> Result<Option<FullText>, LibraryError> {
        let sql = "SELECT url, codec, content, fetched_at FROM full_texts WHERE item_id = ?";
        let row: Option<(String, i64, Vec<u8>, Millis)> =
            sqlx::query_as(sql).bind(item).fetch_optional(&self.readers).await?;
        let Some((url, codec, content, fetched_at)) = row else { return Ok(None) };
        self.learn(vec![codec]).await?;
        let body = self.unpacked(item, codec, Some(content), Some(url))?.unwrap_or_default();
        Ok(Some(FullText { body, fetched_at }))
    }

    /// Keeps the full text of an article; its place in the queue is done with. With `pictures` these are asked for next, since the
    /// text may have others than the feed's. An article that is gone meanwhile keeps nothing.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn keep_full_text(
        &self,
        item: i64,
        url: &str,
        html: &str,
        pictures: bool,
        now: Millis,
    ) -> Result<(), LibraryError> {
        let body = Body { html: html.to_owned(), base: None };
        let packed = body::pack(Some(&body), None);
        let mut writer = self.writer().await;
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
        ahead::done(&mut transaction, item, AheadWhat::Text).await?;
        if pictures {
            ahead::queue(&mut transaction, &[(item, AheadWhat::Pictures)], true, now).await?;
        }
        Ok(transaction.commit().await?)
    }
}
