//! Opening a library: its files, its schema, and its settings that are kept in memory.

use crate::{
    LibraryError, Millis,
    clock::Clock,
    database::{Database, data_version},
    file_header::{check_header, header_says_wal, is_sqlite_file, refuse_other_program, schema_version},
    files::{
        DATABASE, IN_USE, create_private_folder, in_use_lock, lock_error, lock_file, make_private, open_error,
        private_options, write_error,
    },
    schema::{migrate, newest_schema},
    table::{
        duplicates,
        feeds::UNSUBSCRIBED_STORED_FOR,
        logins,
        scheduled::{self, Scheduled},
        settings, versions,
    },
};
use sqlx::{
    ConnectOptions as _, SqliteConnection,
    sqlite::{SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// Maximum number of articles of a feed that is deleted while opening; `retention.rs` deletes larger ones in slices later.
pub(crate) const PURGED_AT_ONCE: i64 = 500;

/// How long a statement waits for another process.
const BUSY_WAIT: Duration = Duration::from_secs(15);
/// Sets [`BUSY_WAIT`] for a connection that was opened with another.
const BUSY_TIMEOUT: &str = "PRAGMA busy_timeout = 15000";

/// The name of a library's folder next to the program, which makes the installation portable.
const PORTABLE: &str = "gleaner-library";

/// Returns the folder that the window and `glean` share by default: `GLEANER_LIBRARY`, else `gleaner-library` next to the program, else
/// the platform's data directory. `None` if the system names no home.
pub fn default_folder() -> Option<PathBuf> {
    let platform =
        || directories::ProjectDirs::from("net", "Gleaner", "Gleaner").map(|dirs| dirs.data_dir().to_owned());
    named_folder().or_else(portable_folder).or_else(platform)
}

/// Returns the folder `gleaner-library` next to the program, if there is one, unless `GLEANER_LIBRARY` names another.
pub fn portable_folder() -> Option<PathBuf> {
    let program = std::env::current_exe().ok().filter(|_| named_folder().is_none())?;
    portable(&program)
}

fn named_folder() -> Option<PathBuf> {
    std::env::var_os("GLEANER_LIBRARY").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

fn portable(program: &Path) -> Option<PathBuf> {
    Some(program.parent()?.join(PORTABLE)).filter(|folder| folder.is_dir())
}

/// Opens the library in `folder`, creates it if there is none, and updates its schema.
///
/// # Errors
/// [`LibraryError::ReadOnly`], [`LibraryError::Newer`], [`LibraryError::OlderInUse`] and [`LibraryError::Damaged`], before anything was
/// changed. [`LibraryError::Locked`] when another process uses it for longer than `wait`; `None` waits for one that opens it as long as
/// that takes.
pub(crate) async fn open(folder: &Path, clock: Clock, wait: Option<Duration>) -> Result<Database, LibraryError> {
    let folder = folder.to_owned();
    let read_only = |error: std::io::Error| write_error(&folder, &error);
    if folder.to_str().is_none() {
        // SQLite itself would open it, sqlx does not.
        return Err(read_only(std::io::Error::other("its path is not valid UTF-8")));
    }
    create_private_folder(&folder).map_err(read_only)?;
    let opening = match wait {
        None => lock_opening(&folder).await.map_err(read_only)?,
        Some(wait) => lock_opening_within(&folder, wait).await?,
    };
    let in_use = in_use_lock(&folder).map_err(read_only)?;
    in_use.try_lock_shared().map_err(|error| lock_error(&folder, error))?;
    let file = folder.join(DATABASE);
    check_header(&folder, &file)?;
    refuse_other_program(&folder, &file).await?;
    // SQLite opens a file that it cannot write for reading only, and would report that much later.
    drop(private_options().append(true).create(true).open(&file).map_err(read_only)?);
    check_writable(&folder).map_err(read_only)?;
    // SQLite creates the log and the journal with the permissions of the library.
    make_private(&folder).map_err(read_only)?;

    let options = connect_options(&file);
    let damaged = |error: sqlx::Error| open_error(&folder, error);
    let writing = options.clone().pragma("cache_size", "-8192");
    let opening_with = wait.map_or_else(|| writing.clone(), |wait| writing.clone().busy_timeout(wait));
    let mut writer = connect_writer(&folder, &file, &opening_with).await?;
    migrate(&folder, &in_use, &mut writer, &clock).await?;
    purge_unsubscribed(&mut writer, clock.now()).await.map_err(damaged)?;
    match logins::move_all(&mut writer).await {
        // A full disk must not keep the library from opening; the next opening tries again.
        Ok(()) | Err(LibraryError::DiskFull) => {}
        Err(error) => return Err(error),
    }

    drop(opening);
    let last_change = data_version(&mut writer).await?;
    if wait.is_some() {
        sqlx::raw_sql(BUSY_TIMEOUT).execute(&mut writer).await.map_err(damaged)?;
    }

    let db = with_readers(&folder, in_use, clock, (writer, writing), options).await?;
    db.last_change.store(last_change, Ordering::Relaxed);
    Scheduled::new(&db).release_due(db.now()).await?;
    Ok(db)
}

/// Opens a library that cannot be written, such as one on a full disk. Nothing is created or changed, and changes fail.
///
/// # Errors
/// [`LibraryError::Locked`] while another process has the library open and SQLite cannot share it; [`LibraryError::Damaged`]; and
/// [`LibraryError::ReadOnly`] when there is no library, or it has the schema of another version.
pub(crate) async fn open_to_read(folder: &Path, clock: Clock) -> Result<Database, LibraryError> {
    let file = folder.join(DATABASE);
    check_header(folder, &file)?;
    let unwritable = |why: &str| LibraryError::ReadOnly { folder: folder.to_owned(), why: why.to_owned() };
    if schema_version(&file) != Some(newest_schema()) {
        return Err(unwritable("its schema is not that of this version"));
    }
    let in_use = File::open(folder.join(IN_USE)).map_err(|error| write_error(folder, &error))?;
    // Only a file that nothing changes can be read without the files that the processes share.
    let is_alone = in_use.try_lock().is_ok();
    if !is_alone {
        in_use.try_lock_shared().map_err(|error| lock_error(folder, error))?;
    }
    let log = fs::metadata(folder.join("library.sqlite-wal")).map_or(0, |log| log.len());
    let options = SqliteConnectOptions::new()
        .filename(&file)
        .read_only(true)
        .immutable(is_alone && log == 0)
        .busy_timeout(BUSY_WAIT)
        .statement_cache_capacity(200)
        .disable_statement_logging();
    let writer = options.connect().await.map_err(|error| open_error(folder, error))?;
    with_readers(folder, in_use, clock, (writer, options.clone()), options).await
}

/// Reads the settings that are kept in memory, and opens the connections that read.
async fn with_readers(
    folder: &Path,
    in_use: File,
    clock: Clock,
    (mut writer, writing): (SqliteConnection, SqliteConnectOptions),
    options: SqliteConnectOptions,
) -> Result<Database, LibraryError> {
    let damaged = |error: sqlx::Error| open_error(folder, error);
    let combine = settings::get(&mut writer, duplicates::SETTING).await.map_err(damaged)?;
    let schedule = settings::get(&mut writer, scheduled::SETTING).await.map_err(damaged)?;
    let version_limit = settings::get(&mut writer, versions::SETTING).await.map_err(damaged)?;
    // A connection is tested when it is returned. Another test before each statement would wake its thread once more.
    let readers = SqlitePoolOptions::new().max_connections(4).test_before_acquire(false).connect_lazy_with(
        options.pragma("query_only", "on").pragma("mmap_size", "268435456").optimize_on_close(false, None),
    );
    let db = Database::new(folder.to_owned(), in_use, clock, (writer, writing), readers);
    db.combine_duplicates.store(combine.as_deref() != Some("false"), Ordering::Relaxed);
    db.schedule_future.store(schedule.as_deref() == Some("true"), Ordering::Relaxed);
    db.version_limit.store(versions::limit_of(version_limit.as_deref()), Ordering::Relaxed);
    Ok(db)
}

/// Waits until no other process opens the library, so that only one creates it or updates its schema.
async fn lock_opening(folder: &Path) -> std::io::Result<File> {
    let folder = folder.to_owned();
    // Waiting for the lock must not block a thread that the other process may need.
    let locked = tokio::task::spawn_blocking(move || {
        let file = lock_file(&folder, "opening.lock")?;
        file.lock()?;
        Ok(file)
    });
    locked.await.unwrap_or_else(|error| Err(std::io::Error::other(error)))
}

/// Waits until no other process opens the library, for at most `wait`. No thread waits on when the time is over.
async fn lock_opening_within(folder: &Path, wait: Duration) -> Result<File, LibraryError> {
    let unwritable = |error: std::io::Error| write_error(folder, &error);
    let file = lock_file(folder, "opening.lock").map_err(unwritable)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) if begun.elapsed() < wait => {}
            locked => return locked.map(|()| file).map_err(|error| lock_error(folder, error)),
        }
        // pause: nothing announces that another process is done with the lock.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Returns the options of all connections.
fn connect_options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .page_size(8192)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_WAIT)
        .statement_cache_capacity(200)
        .disable_statement_logging()
}

/// Opens the connection that writes.
async fn connect_writer(
    folder: &Path,
    file: &Path,
    options: &SqliteConnectOptions,
) -> Result<SqliteConnection, LibraryError> {
    let damaged = |error: sqlx::Error| open_error(folder, error);
    let mut options = options.clone();
    // Read before SQLite opens the file: closing it again would remove the locks of this process, and another program could delete
    // the log that is in use (https://www.sqlite.org/howtocorrupt.html, 2.2).
    let exists = is_sqlite_file(file);
    let says_wal = header_says_wal(file).map_err(|error| write_error(folder, &error))?;
    if !exists {
        // Setting this for an existing library would be a write, for which a full disk has no room.
        options = options.auto_vacuum(SqliteAutoVacuum::Incremental);
    }
    let mut writer = options.connect().await.map_err(damaged)?;
    if !says_wal {
        // After a power cut during creation the log can be there while the header does not mention it; readers would then ignore it.
        sqlx::raw_sql("PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL")
            .execute(&mut writer)
            .await
            .map_err(damaged)?;
    }
    Ok(writer)
}

/// Deletes feeds that were unsubscribed a day ago or more, with their data.
async fn purge_unsubscribed(writer: &mut SqliteConnection, now: Millis) -> Result<(), sqlx::Error> {
    sqlx::query(
        "DELETE FROM feeds WHERE unsubscribed_at IS NOT NULL AND unsubscribed_at < ?1
            AND (SELECT count(*) FROM (SELECT 1 FROM items WHERE feed_id = feeds.id LIMIT ?2 + 1)) <= ?2",
    )
    .bind(now - UNSUBSCRIBED_STORED_FOR)
    .bind(PURGED_AT_ONCE)
    .execute(writer)
    .await?;
    Ok(())
}

/// Checks that files can be created in the folder, as SQLite needs to.
fn check_writable(folder: &Path) -> std::io::Result<()> {
    // Several openings, also of this process, must not use the same name.
    static OPENINGS: AtomicU64 = AtomicU64::new(0);
    let probe = folder.join(format!(".writable-{}-{}", std::process::id(), OPENINGS.fetch_add(1, Ordering::Relaxed)));
    drop(private_options().write(true).create_new(true).open(&probe)?);
    fs::remove_file(probe)
}

#[cfg(test)]
mod tests;
