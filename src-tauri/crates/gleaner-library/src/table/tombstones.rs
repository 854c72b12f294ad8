//! `tombstones`: articles that were let go of and deleted, so that they do not come back while their feed still has them. They are
//! known again as items are: by id, by address and date, by digest. One that its feed has not named for years is forgotten: a feed
//! that brings an article back after so long means it anew.

use crate::Millis;
use sqlx::SqliteConnection;

/// One that was noticed less long ago than this is not written down again.
pub const NOTICED: Millis = 90 * 24 * 60 * 60 * 1000;

/// One that was not noticed for so long is forgotten.
const FORGOTTEN: Millis = 3 * 365 * 24 * 60 * 60 * 1000;

/// Deletes articles for good, all that is theirs with them. `items` is a JSON list of their numbers.
pub(crate) async fn bury(connection: &mut SqliteConnection, items: &str, now: Millis) -> sqlx::Result<()> {
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

/// Its feed still has it.
pub(crate) async fn noticed(connection: &mut SqliteConnection, feed: i64, key: &str, now: Millis) -> sqlx::Result<()> {
    sqlx::query("UPDATE tombstones SET at = ? WHERE feed_id = ? AND key = ?")
        .bind(now)
        .bind(feed)
        .bind(key)
        .execute(connection)
        .await?;
    Ok(())
}

/// Forgets what no feed has named for long.
pub(crate) async fn forget(connection: &mut SqliteConnection, now: Millis) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM tombstones WHERE feed_id IN (SELECT id FROM feeds) AND at < ?")
        .bind(now - FORGOTTEN)
        .execute(connection)
        .await?;
    Ok(())
}
