//! `enclosures`: files attached to articles, the most important first.

use serde::{Deserialize, Serialize};
use sqlx::{SqliteConnection, SqliteExecutor};

/// A file attached to an article.
#[derive(Debug, Clone, PartialEq, Default, sqlx::FromRow, Serialize, Deserialize)]
pub struct Enclosure {
    /// Absolute address.
    pub url: String,
    /// MIME type as the feed gives it.
    pub mime_type: Option<String>,
    /// Size in bytes as the feed gives it.
    pub length: Option<i64>,
    /// Plain text.
    pub title: Option<String>,
    /// Duration in seconds.
    pub duration_seconds: Option<f64>,
}

/// Returns the enclosures of an article.
pub(crate) async fn of_article<'c>(reader: impl SqliteExecutor<'c>, item: i64) -> sqlx::Result<Vec<Enclosure>> {
    let sql =
        "SELECT url, mime_type, length, title, duration_seconds FROM enclosures WHERE item_id = ? ORDER BY position";
    sqlx::query_as(sql).bind(item).fetch_all(reader).await
}

/// Replaces the enclosures of an article.
pub(crate) async fn replace(
    connection: &mut SqliteConnection,
    item: i64,
    enclosures: &[Enclosure],
    is_new: bool,
) -> sqlx::Result<()> {
    if !is_new {
        sqlx::query("DELETE FROM enclosures WHERE item_id = ?").bind(item).execute(&mut *connection).await?;
    }
    for (position, enclosure) in (0_i64..).zip(enclosures) {
        sqlx::query(
            "INSERT INTO enclosures (item_id, position, url, mime_type, length, title, duration_seconds) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(item)
        .bind(position)
        .bind(&enclosure.url)
        .bind(&enclosure.mime_type)
        .bind(enclosure.length)
        .bind(&enclosure.title)
        .bind(enclosure.duration_seconds)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
