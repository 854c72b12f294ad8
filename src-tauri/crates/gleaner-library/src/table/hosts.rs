//! `hosts`: servers that asked for a pause (Retry-After), which applies to all feeds on them. Kept over a restart
//! (politeness P31).

use crate::{LibraryError, Millis, database::repository};
use sqlx::SqliteConnection;
use std::collections::HashMap;

repository!(
    /// Hosts that asked for a pause.
    Hosts
);

impl Hosts<'_> {
    /// Returns the hosts that are not to be contacted at `now`, and until when. A time after `latest` was set by a wrong clock and
    /// is ignored.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn waiting(self, now: Millis, latest: Millis) -> Result<HashMap<String, Millis>, LibraryError> {
        let rows: Vec<(String, Millis)> =
            sqlx::query_as("SELECT host, wait_until FROM hosts WHERE wait_until > ? AND wait_until <= ?")
                .bind(now)
                .bind(latest)
                .fetch_all(&self.db.readers)
                .await?;
        Ok(rows.into_iter().collect())
    }

    /// Records that a host is not to be contacted until then.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn wait_until(self, host: &str, until: Millis) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
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
