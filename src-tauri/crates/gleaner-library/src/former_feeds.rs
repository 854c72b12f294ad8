//! Feeds of this computer that were an account's: those of an imported archive, and those that stayed when their account was removed. If an
//! account has such a feed again, the two are merged, since two sources of one article would cause duplicates.

use crate::{
    LOCAL_ACCOUNT, LibraryError,
    json::{from_json, json},
    merge,
    table::{folders, remote_items::SyncStore, settings},
};
use sqlx::SqliteConnection;

/// Key of the setting with their ids.
pub(crate) const SETTING: &str = "former_account_feeds";

async fn list(connection: &mut SqliteConnection) -> Result<Vec<i64>, LibraryError> {
    let stored = settings::get(&mut *connection, SETTING).await?;
    stored.map_or(Ok(Vec::new()), |stored| from_json(&stored))
}

/// Remembers feeds of this computer that were an account's.
pub(crate) async fn add(connection: &mut SqliteConnection, feeds: &[i64]) -> Result<(), LibraryError> {
    if feeds.is_empty() {
        return Ok(());
    }
    let mut all = list(connection).await?;
    all.extend(feeds);
    Ok(settings::set(connection, SETTING, &json(&all)?).await?)
}

impl SyncStore<'_> {
    /// Merges the feeds of this computer that were an account's into those of the account with the same addresses. Returns them, each with
    /// the feed that it became.
    ///
    /// # Errors
    /// When the library cannot be written; then none was merged.
    pub async fn merge_former_feeds(self, account: i64) -> Result<Vec<(i64, i64)>, LibraryError> {
        let sql = "SELECT l.id, f.id FROM settings s JOIN json_each(s.value) j JOIN feeds l ON l.id = j.value
             JOIN feeds f ON f.account_id = ?2 AND f.url_key = l.url_key AND f.unsubscribed_at IS NULL
             WHERE s.key = ?1 AND l.account_id = ?3 AND l.unsubscribed_at IS NULL";
        let twice: Vec<(i64, i64)> =
            sqlx::query_as(sql).bind(SETTING).bind(account).bind(LOCAL_ACCOUNT).fetch_all(&self.db.readers).await?;
        if twice.is_empty() {
            return Ok(twice);
        }
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut folders = Vec::new();
        for (local, feed) in &twice {
            let sql = "SELECT folder_id FROM feeds WHERE id = ? AND folder_id IS NOT NULL";
            folders.extend(sqlx::query_scalar::<_, i64>(sql).bind(local).fetch_optional(&mut *transaction).await?);
            merge::merge_in(self.db, &mut transaction, *local, *feed).await?;
        }
        folders::delete_empty(&mut transaction, folders, true, self.db.now()).await?;
        let mut left = list(&mut transaction).await?;
        left.retain(|id| !twice.iter().any(|(local, _)| local == id));
        settings::set(&mut transaction, SETTING, &json(&left)?).await?;
        transaction.commit().await?;
        Ok(twice)
    }
}
