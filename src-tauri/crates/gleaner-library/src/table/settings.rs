//! `settings`: what the window remembers, as JSON by key.

use crate::{Library, LibraryError};
use sqlx::SqliteConnection;

impl Library {
    /// A remembered value, JSON.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn setting(&self, key: &str) -> Result<Option<String>, LibraryError> {
        Ok(sqlx::query_scalar("SELECT value FROM settings WHERE key = ?")
            .bind(key)
            .fetch_optional(&self.readers)
            .await?)
    }

    /// Remembers a value, JSON.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_setting(&self, key: &str, value: &str) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        set(&mut transaction, key, value).await?;
        Ok(transaction.commit().await?)
    }
}

/// Remembers a value, JSON.
pub(crate) async fn set(connection: &mut SqliteConnection, key: &str, value: &str) -> sqlx::Result<()> {
    let sql = "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    sqlx::query(sql).bind(key).bind(value).execute(connection).await?;
    Ok(())
}
