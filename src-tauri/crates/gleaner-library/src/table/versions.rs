//! `versions`: what an article said before it changed: title and texts, compressed as in `bodies`. The last ones are kept.

use crate::{Body, Library, LibraryError, Millis, NewItem, now};
use sqlx::SqliteConnection;

/// So many former versions of an article are kept.
const KEPT: i64 = 20;

/// What an article once said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// When something else took its place.
    pub until: Millis,
    /// Plain text.
    pub title: String,
    /// Its text.
    pub content: Option<Body>,
    /// Its short form.
    pub summary: Option<Body>,
}

#[derive(sqlx::FromRow)]
struct Row {
    at: Millis,
    title: String,
    codec: i64,
    content: Option<Vec<u8>>,
    content_base: Option<String>,
    summary: Option<Vec<u8>>,
    summary_base: Option<String>,
}

impl Library {
    /// The former versions of an article, newest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn versions(&self, item: i64) -> Result<Vec<Version>, LibraryError> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT at, title, codec, content, content_base, summary, summary_base FROM versions WHERE item_id = ? ORDER BY at DESC",
        )
        .bind(item)
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter()
            .map(|row| {
                let text = |bytes, base| self.unpacked(item, row.codec, bytes, base);
                Ok(Version {
                    until: row.at,
                    title: row.title,
                    content: text(row.content, row.content_base)?,
                    summary: text(row.summary, row.summary_base)?,
                })
            })
            .collect()
    }
}

/// Keeps what the article says now, before `next` takes its place, unless that says the same.
pub(crate) async fn keep(connection: &mut SqliteConnection, item: i64, next: &NewItem) -> sqlx::Result<()> {
    let kept = sqlx::query(
        "INSERT OR IGNORE INTO versions (item_id, at, title, codec, content, content_base, summary, summary_base)
         SELECT i.id, ?2, i.title, b.codec, b.content, b.content_base, b.summary, b.summary_base
         FROM items i JOIN bodies b ON b.item_id = i.id
         WHERE i.id = ?1 AND (i.title <> ?3 OR b.content IS NOT ?4 OR b.summary IS NOT ?5)",
    )
    .bind(item)
    .bind(now())
    .bind(&next.title)
    .bind(next.texts.content())
    .bind(next.texts.summary())
    .execute(&mut *connection)
    .await?;
    if kept.rows_affected() == 0 {
        return Ok(());
    }
    sqlx::query(
        "DELETE FROM versions WHERE item_id = ?1
            AND at <= (SELECT at FROM versions WHERE item_id = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2)",
    )
    .bind(item)
    .bind(KEPT)
    .execute(connection)
    .await?;
    Ok(())
}
