//! The connections to the library's file, and the data that all repositories share: the clock, the undo steps, the dictionaries and
//! settings that are needed too often to be read each time.

pub(crate) mod undo;

use crate::{
    Body, LibraryError, Millis,
    clock::Clock,
    dictionary_cache::DictionaryCache,
    files::{lock_file, write_error},
    sorted_list::SortedList,
};
use sqlx::{
    ConnectOptions as _, Connection as _, Execute, Executor as _, Sqlite, SqliteConnection, SqlitePool, Transaction,
    sqlite::SqliteConnectOptions,
};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering},
};
use tokio::sync::{Mutex, MutexGuard};
use undo::UndoStack;

/// Declares a repository: the methods on one part of a library, which it borrows.
macro_rules! repository {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<'a> {
            pub(crate) db: &'a crate::database::Database,
        }

        impl<'a> $name<'a> {
            pub(crate) fn new(db: &'a crate::database::Database) -> Self {
                Self { db }
            }
        }
    };
}
pub(crate) use repository;

/// Connections that only read. Statements that need one snapshot take a transaction.
pub(crate) type Reader = SqlitePool;

/// An open library's connections and shared state.
#[derive(Debug)]
pub(crate) struct Database {
    folder: PathBuf,
    writer: Mutex<SqliteConnection>,
    /// How the writing connection is opened.
    pub writing: SqliteConnectOptions,
    /// How many tasks wait for the writing connection.
    waiting: AtomicUsize,
    /// A shared lock, which restoring takes exclusively.
    _in_use: File,
    pub readers: Reader,
    clock: Clock,
    pub undo: UndoStack,
    /// Held while an archive is imported.
    pub importing: Mutex<()>,
    pub dictionaries: DictionaryCache,
    /// The list by title or author that was read last.
    pub sorted_list: SortedList,
    /// [`data_version`] when [`Self::changed_by_others`] was called last, or the library was opened.
    pub last_change: AtomicI64,
    /// The setting of `duplicates::SETTING`, which every list reads.
    pub combine_duplicates: AtomicBool,
    /// The setting of `scheduled::SETTING`, which every poll reads.
    pub schedule_future: AtomicBool,
    /// The setting of `versions::SETTING`, which every changed article reads.
    pub version_limit: AtomicI64,
}

/// Held by the one process that polls; released when dropped, or by the system when the process ends.
#[derive(Debug)]
pub struct PollingLock {
    _file: File,
}

/// Held by the one process that synchronises accounts with their servers; released as [`PollingLock`] is.
#[derive(Debug)]
pub struct SyncLock {
    _file: File,
}

impl Database {
    pub(crate) fn new(
        folder: PathBuf,
        in_use: File,
        clock: Clock,
        (writer, writing): (SqliteConnection, SqliteConnectOptions),
        readers: Reader,
    ) -> Self {
        Self {
            folder,
            writer: Mutex::new(writer),
            writing,
            waiting: AtomicUsize::new(0),
            last_change: AtomicI64::new(0),
            _in_use: in_use,
            readers,
            clock,
            undo: UndoStack::default(),
            importing: Mutex::new(()),
            dictionaries: DictionaryCache::default(),
            sorted_list: SortedList::default(),
            combine_duplicates: AtomicBool::new(true),
            schedule_future: AtomicBool::new(false),
            version_limit: AtomicI64::new(0),
        }
    }

    /// Returns the present moment by the library's clock.
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the articles of a group of duplicates count as one.
    pub(crate) fn combines_duplicates(&self) -> bool {
        self.combine_duplicates.load(Ordering::Relaxed)
    }

    /// Whether articles dated in the future stay out of lists until their date.
    pub(crate) fn schedules_future(&self) -> bool {
        self.schedule_future.load(Ordering::Relaxed)
    }

    /// Returns the size of the library's files on the disk, in bytes.
    pub(crate) fn bytes_on_disk(&self) -> u64 {
        ["library.sqlite", "library.sqlite-wal"]
            .iter()
            .filter_map(|name| fs::metadata(self.folder.join(name)).ok())
            .map(|file| file.len())
            .sum()
    }

    /// Takes the lock of the one process that polls; `None` while another process has it.
    pub(crate) fn polling_lock(&self) -> Result<Option<PollingLock>, LibraryError> {
        Ok(self.lock("polling.lock")?.map(|file| PollingLock { _file: file }))
    }

    /// Takes the lock of the one process that synchronises accounts; `None` while another process has it.
    pub(crate) fn sync_lock(&self) -> Result<Option<SyncLock>, LibraryError> {
        Ok(self.lock("sync.lock")?.map(|file| SyncLock { _file: file }))
    }

    fn lock(&self, name: &str) -> Result<Option<File>, LibraryError> {
        let file = lock_file(&self.folder, name).map_err(|error| write_error(&self.folder, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(write_error(&self.folder, &error)),
        }
    }

    /// Waits for the writing connection.
    pub(crate) async fn writer(&self) -> Writer<'_> {
        let _until_acquired = Waiting::among(&self.waiting);
        Writer { connection: self.writer.lock().await, options: &self.writing }
    }

    /// Returns whether another process has changed the library since the last call, or since it was opened. While this process writes, the
    /// next call reports it.
    pub(crate) async fn changed_by_others(&self) -> Result<bool, LibraryError> {
        let Ok(mut writer) = self.writer.try_lock() else { return Ok(false) };
        let now = data_version(&mut writer).await?;
        Ok(self.last_change.swap(now, Ordering::Relaxed) != now)
    }

    /// Opens a connection to read long texts of many articles, row by row: the others read up to fifty rows ahead, whatever their length.
    pub(crate) async fn text_reader(&self) -> Result<SqliteConnection, LibraryError> {
        let options = self.writing.clone().pragma("query_only", "on").row_buffer_size(1);
        Ok(options.connect().await?)
    }

    /// Executes one statement in a transaction.
    pub(crate) async fn execute<'q>(&self, query: impl Execute<'q, Sqlite> + 'q) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        transaction.execute(query).await?;
        Ok(transaction.commit().await?)
    }

    /// Whether a task of this process waits for the writing connection: long work should release it soon.
    pub(crate) fn writer_is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Writes the log back into the file and closes all connections.
    pub(crate) async fn close(self) -> Result<(), LibraryError> {
        self.readers.close().await;
        Ok(self.writer.into_inner().close().await?)
    }

    /// Loads the dictionaries that these codecs name, for [`Self::unpack`].
    pub(crate) async fn learn(&self, codecs: Vec<i64>) -> Result<(), LibraryError> {
        for codec in codecs {
            self.dictionaries.learn(&self.readers, codec).await?;
        }
        Ok(())
    }

    /// Decompresses a text of an article. Its codec's dictionary was loaded by [`Self::learn`].
    pub(crate) fn unpack(
        &self,
        item: i64,
        codec: i64,
        bytes: Option<Vec<u8>>,
        base: Option<String>,
    ) -> Result<Option<Body>, LibraryError> {
        bytes
            .map(|bytes| self.dictionaries.unpack(codec, &bytes).map(|html| Body { html, base }))
            .transpose()
            .map_err(|why| LibraryError::Damaged { folder: self.folder.clone(), why: format!("article {item}: {why}") })
    }
}

struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn among(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns SQLite's number for the last change by another connection. Only the writing connection changes anything in this process, so for
/// that one it is the last change by another process.
pub(crate) async fn data_version(writer: &mut SqliteConnection) -> Result<i64, LibraryError> {
    Ok(sqlx::query_scalar("PRAGMA data_version").fetch_one(writer).await?)
}

/// The writing connection, held by one task at a time.
pub(crate) struct Writer<'a> {
    connection: MutexGuard<'a, SqliteConnection>,
    options: &'a SqliteConnectOptions,
}

impl Writer<'_> {
    /// Begins a transaction that may write from its start, so that it never fails midway for lack of the write lock.
    pub(crate) async fn begin(&mut self) -> Result<Transaction<'_, Sqlite>, LibraryError> {
        // After a disk error SQLite has rolled the transaction back itself, which sqlx does not notice.
        if self.connection.ping().await.is_err() || self.connection.is_in_transaction() {
            *self.connection = self.options.connect().await?;
        }
        Ok(self.connection.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// Returns the connection, for statements that may not run in a transaction.
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }
}

/// A value that a column is set to.
pub(crate) enum Value<'a> {
    Text(Option<&'a str>),
    Number(Option<i64>),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Library;

    #[tokio::test]
    async fn reports_only_changes_by_others() {
        let folder = tempfile::tempdir().unwrap();
        let (library, other) =
            (Library::open(folder.path()).await.unwrap(), Library::open(folder.path()).await.unwrap());
        let changed = async || library.changed_by_others().await.unwrap();
        library.settings().set("a", "1").await.unwrap();
        assert!(!changed().await, "by this one");
        other.settings().set("a", "2").await.unwrap();
        other.settings().set("a", "3").await.unwrap();
        library.settings().set("a", "4").await.unwrap();
        assert!(changed().await);
        assert!(!changed().await, "reported already");
    }
}
