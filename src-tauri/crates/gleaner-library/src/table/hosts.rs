//! `hosts`: servers that asked to be left alone for a while (Retry-After), all feeds of theirs together. It holds over a
//! restart (politeness P31).

use crate::{Library, LibraryError, Millis};
use sqlx::SqliteConnection;
use std::collections::HashMap;

impl Library {
    /// Hosts that want to be left alone at `now`, and until when. A time after `latest` was made by a clock that was wrong.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn waiting_hosts(&self, now: Millis, latest: Millis) -> Result<HashMap<String, Millis>, LibraryError> {
        let rows: Vec<(String, Millis)> =
            sqlx::query_as("SELECT host, wait_until FROM hosts WHERE wait_until > ? AND wait_until <= ?")
                .bind(now)
                .bind(latest)
                .fetch_all(&self.readers)
                .await?;
        Ok(rows.into_iter().collect())
    }

    /// A host wants to be left alone until then.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn wait_for_host(&self, host: &str, until: Millis) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        wait(&mut transaction, host, until).await?;
        Ok(transaction.commit().await?)
    }
}

pub(crate) async fn wait(connection: &mut SqliteConnection, host: &str, until: Millis) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO hosts (host, wait_until) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET wait_until = excluded.wait_until")
        .bind(host)
        .bind(until)
        .execute(connection)
        .await?;
    Ok(())
}
