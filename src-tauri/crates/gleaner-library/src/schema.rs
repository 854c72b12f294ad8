//! The version of the schema, and its updates.

use crate::{
    LibraryError,
    backup::{self, Occasion},
    clock::Clock,
    files::{lock_error, open_error, write_error},
    former_queries,
};
use sqlx::{
    SqliteConnection,
    migrate::{MigrateError, Migrator},
};
use std::{
    fs::{self, File},
    path::Path,
};

pub(crate) static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Returns the version of the schema of this program.
pub(crate) fn newest_schema() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// Refuses a library whose schema is newer than this program knows.
pub(crate) fn refuse_newer(folder: &Path, found: i64) -> Result<(), LibraryError> {
    let known = newest_schema();
    if found > known {
        return Err(LibraryError::Newer { folder: folder.to_owned(), found, known });
    }
    Ok(())
}

/// Updates the schema, unless another process has the library open: it knows only the older schema. `in_use` is locked for sharing.
pub(crate) async fn migrate(
    folder: &Path,
    in_use: &File,
    writer: &mut SqliteConnection,
    clock: &Clock,
) -> Result<(), LibraryError> {
    let sql = |error: sqlx::Error| open_error(folder, error);
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *writer).await.map_err(sql)?;
    // The header can lag behind the log when the newer program was killed.
    refuse_newer(folder, version)?;
    if version == newest_schema() {
        return Ok(());
    }
    // Some systems cannot make a shared lock exclusive. No other process can open the library in between: it waits for `opening.lock`.
    let unlocked = || in_use.unlock().map_err(|error| write_error(folder, &error));
    unlocked()?;
    match in_use.try_lock() {
        Err(fs::TryLockError::WouldBlock) => return Err(LibraryError::OlderInUse),
        locked => locked.map_err(|error| lock_error(folder, error))?,
    }
    if version > 0 {
        backup::copy(folder, writer, Occasion::Upgrade, clock.now()).await?;
    }
    // Before the update: if it is interrupted, this is done again.
    former_queries::convert(writer, version).await.map_err(sql)?;
    MIGRATIONS.run_direct(None, &mut *writer, false).await.map_err(|error| match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => sql(error),
        other => LibraryError::Damaged { folder: folder.to_owned(), why: other.to_string() },
    })?;
    sqlx::raw_sql("PRAGMA application_id = 1196183122; PRAGMA wal_checkpoint(TRUNCATE)")
        .execute(writer)
        .await
        .map_err(sql)?;
    unlocked()?;
    in_use.try_lock_shared().map_err(|error| lock_error(folder, error))
}
