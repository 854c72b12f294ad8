//! `tombstones`: deleted articles, so that they do not return while their feed still has them. They are recognised like articles: by id, by
//! address and date, by digest. A tombstone is removed when its feed has not listed the article for years: if the feed lists it again after
//! that time, it does so on purpose.

use crate::{LibraryError, Millis, json::json};
use sqlx::SqliteConnection;

/// A tombstone seen less long ago than this is not updated.
pub const NOTICED: Millis = 90 * 24 * 60 * 60 * 1000;

/// A tombstone not seen for this long is removed.
const REMOVED_AFTER: Millis = 3 * 365 * 24 * 60 * 60 * 1000;

/// Deletes articles with their data, and leaves tombstones. `items` is a JSON list of their ids.
pub(crate) async fn delete_articles(connection: &mut SqliteConnection, items: &str, now: Millis) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT OR REPLACE INTO tombstones (feed_id, key, canonical_url, title, published_at, digest, at)
         SELECT feed_id, key, canonical_url, title, published_at, digest, ?2 FROM items WHERE id IN (SELECT value FROM json_each(?1))",
    )
    .bind(items)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    sqlx::query("DELETE FROM items WHERE id IN (SELECT value FROM json_each(?))")
        .bind(items)
        .execute(connection)
        .await?;
    Ok(())
}

/// Records that its feed still has a deleted article.
pub(crate) async fn record_seen(
    connection: &mut SqliteConnection,
    feed: i64,
    key: &str,
    now: Millis,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE tombstones SET at = ? WHERE feed_id = ? AND key = ?")
        .bind(now)
        .bind(feed)
        .bind(key)
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes tombstones of a feed by their keys.
pub(crate) async fn remove(connection: &mut SqliteConnection, feed: i64, keys: &[String]) -> Result<(), LibraryError> {
    sqlx::query("DELETE FROM tombstones WHERE feed_id = ? AND key IN (SELECT value FROM json_each(?))")
        .bind(feed)
        .bind(json(keys)?)
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes tombstones that no feed has listed for long.
pub(crate) async fn remove_old(connection: &mut SqliteConnection, now: Millis) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM tombstones WHERE feed_id IN (SELECT id FROM feeds) AND at < ?")
        .bind(now - REMOVED_AFTER)
        .execute(connection)
        .await?;
    Ok(())
}
