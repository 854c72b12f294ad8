//! `settings`: settings as JSON by key.

use crate::{LibraryError, database::repository};
use sqlx::{SqliteConnection, SqliteExecutor};

repository!(
    /// Settings of the window, as JSON by key.
    Settings
);

impl Settings<'_> {
    /// Returns a setting, JSON.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn get(self, key: &str) -> Result<Option<String>, LibraryError> {
        Ok(get(&self.db.readers, key).await?)
    }

    /// Stores a setting, JSON.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set(self, key: &str, value: &str) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        set(&mut transaction, key, value).await?;
        Ok(transaction.commit().await?)
    }
}

/// Returns a value, JSON.
pub(crate) async fn get(reader: impl SqliteExecutor<'_>, key: &str) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar("SELECT value FROM settings WHERE key = ?").bind(key).fetch_optional(reader).await
}

/// Stores a value, JSON.
pub(crate) async fn set(connection: &mut SqliteConnection, key: &str, value: &str) -> sqlx::Result<()> {
    let sql = "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    sqlx::query(sql).bind(key).bind(value).execute(connection).await?;
    Ok(())
}
