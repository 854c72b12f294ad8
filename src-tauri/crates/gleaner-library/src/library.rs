//! An open library: opening, closing, checking, backing up, undoing, and access to its repositories.

use crate::{
    Backup, LibraryError, Millis, Occasion, PollingLock, SyncLock, Verified,
    archive::Archive,
    backup::{self, Backups},
    check::Check,
    clock::Clock,
    database::{
        Database,
        undo::{self, Undone},
    },
    files::DATABASE,
    list::Lists,
    open,
    search::Search,
    subscriptions::Subscriptions,
    table::{
        access::Connections, accounts::Accounts, categories::Categories, counts::Counts, dictionaries::Dictionaries,
        downloads::Downloads, duplicates::Duplicates, episodes::Episodes, feeds::Feeds, folders::Folders, hosts::Hosts,
        icons::Icons, images::Images, items::Articles, notes::Notes, play_queue::PlayQueue, polls::Polls,
        preferences::PreferenceStore, progress::Progress, reading_stats::ReadingStats, remote_items::SyncStore,
        retention_policies::Retention, rules::Rules, saved_searches::SavedSearches, scheduled::Scheduled,
        search::SearchIndex, settings::Settings, share_services::ShareServices, tags::Tags, versions::Versions,
    },
};
use std::{path::Path, time::Duration};

/// An open library. Several processes may have one open at the same time.
#[derive(Debug)]
pub struct Library {
    pub(crate) db: Database,
}

impl Library {
    /// Whether there is a library in `folder`, damaged or not.
    #[must_use]
    pub fn exists(folder: &Path) -> bool {
        folder.join(DATABASE).is_file()
    }

    /// Opens the library in `folder`, creates it if there is none, and updates its schema.
    ///
    /// # Errors
    /// [`LibraryError::ReadOnly`], [`LibraryError::Newer`] and [`LibraryError::Damaged`], before anything was changed.
    pub async fn open(folder: &Path) -> Result<Self, LibraryError> {
        Self::open_with(folder, Clock::system()).await
    }

    /// Opens a library as [`Self::open`] does; it reads the time from `clock`.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_with(folder: &Path, clock: Clock) -> Result<Self, LibraryError> {
        Ok(Self { db: open::open(folder, clock, None).await? })
    }

    /// Opens a library as [`Self::open`] does, but does not wait long for another process that uses it.
    ///
    /// # Errors
    /// As [`Self::open`]; [`LibraryError::Locked`] when another process uses it for longer than `wait`.
    pub async fn open_within(folder: &Path, wait: Duration) -> Result<Self, LibraryError> {
        Ok(Self { db: open::open(folder, Clock::system(), Some(wait)).await? })
    }

    /// Opens a library that cannot be written, such as one on a full disk. Nothing is created or changed, and changes fail.
    ///
    /// # Errors
    /// As [`Self::open`]; [`LibraryError::ReadOnly`] when there is no library, or it has the schema of another version.
    pub async fn open_to_read(folder: &Path) -> Result<Self, LibraryError> {
        Ok(Self { db: open::open_to_read(folder, Clock::system()).await? })
    }

    /// Returns the library's folder.
    pub fn folder(&self) -> &Path {
        self.db.folder()
    }

    /// Returns the present moment by the library's clock.
    pub fn now(&self) -> Millis {
        self.db.now()
    }

    /// Returns the size of the library's files on the disk, in bytes.
    pub fn bytes_on_disk(&self) -> u64 {
        self.db.bytes_on_disk()
    }

    /// Returns whether another process, such as `glean`, has changed the library since the last call, or since it was opened.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn changed_by_others(&self) -> Result<bool, LibraryError> {
        self.db.changed_by_others().await
    }

    /// Takes the lock of the one process that polls; `None` while another process has it.
    ///
    /// # Errors
    /// [`LibraryError::ReadOnly`] when the lock file cannot be created.
    pub fn polling_lock(&self) -> Result<Option<PollingLock>, LibraryError> {
        self.db.polling_lock()
    }

    /// Takes the lock of the one process that synchronises accounts; `None` while another process has it.
    ///
    /// # Errors
    /// [`LibraryError::ReadOnly`] when the lock file cannot be created.
    pub fn sync_lock(&self) -> Result<Option<SyncLock>, LibraryError> {
        self.db.sync_lock()
    }

    /// Writes the log back into the file and closes it.
    ///
    /// # Errors
    /// When the log could not be written back; nothing is lost, the next opening does it.
    pub async fn close(self) -> Result<(), LibraryError> {
        self.db.close().await
    }

    /// Undoes a step. Each can be undone once, in any order; if that fails, it can be tried again.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] when the step was undone already or is too old.
    pub async fn undo(&self, step: i64) -> Result<Undone, LibraryError> {
        undo::undo(&self.db, step).await
    }

    /// Checks the library's integrity: SQLite's own check, references, counts, and whether each text can be read. `repair` restores
    /// what can be derived from the rest.
    ///
    /// # Errors
    /// When the library cannot be read, or with `repair` cannot be written.
    pub async fn check(&self, repair: bool) -> Result<Verified, LibraryError> {
        Check::new(&self.db).run(repair, true).await
    }

    /// Lists the library's backups, newest first.
    pub fn backups(&self) -> Vec<Backup> {
        backup::backups(self.folder())
    }

    /// Makes a backup.
    ///
    /// # Errors
    /// [`LibraryError::DiskFull`] and [`LibraryError::ReadOnly`]; an unfinished copy is removed.
    pub async fn back_up(&self, occasion: Occasion) -> Result<Backup, LibraryError> {
        Backups::new(&self.db).create(occasion).await
    }

    /// Makes a backup if the last one is a day old and something was written since then.
    ///
    /// # Errors
    /// As [`Self::back_up`].
    pub async fn back_up_daily(&self) -> Result<Option<Backup>, LibraryError> {
        Backups::new(&self.db).create_daily().await
    }
}

macro_rules! accessors {
    ($($(#[$doc:meta])* $name:ident: $repository:ident,)+) => {
        impl Library {
            $($(#[$doc])*
            #[must_use]
            pub fn $name(&self) -> $repository<'_> {
                $repository::new(&self.db)
            })+
        }
    };
}

accessors! {
    /// Returns the accounts on servers.
    accounts: Accounts,
    /// Returns the export and import of archives.
    archive: Archive,
    /// Returns the articles.
    articles: Articles,
    /// Returns the categories of articles.
    categories: Categories,
    /// Returns the connection settings of feeds that differ from the default.
    connections: Connections,
    /// Returns the numbers of articles.
    counts: Counts,
    /// Returns the dictionaries that texts are compressed with.
    dictionaries: Dictionaries,
    /// Returns the downloads for offline reading.
    downloads: Downloads,
    /// Returns the groups of duplicate articles.
    duplicates: Duplicates,
    /// Returns the downloaded episodes.
    episodes: Episodes,
    /// Returns the subscribed feeds.
    feeds: Feeds,
    /// Returns the folders of feeds.
    folders: Folders,
    /// Returns the hosts that asked for a pause.
    hosts: Hosts,
    /// Returns the icons of feeds.
    icons: Icons,
    /// Returns the stored images.
    images: Images,
    /// Returns the lists of articles.
    lists: Lists,
    /// Returns the notes on articles.
    notes: Notes,
    /// Returns the play queue.
    play_queue: PlayQueue,
    /// Returns the state of polling.
    polls: Polls,
    /// Returns the preferences of feeds and folders.
    preferences: PreferenceStore,
    /// Returns how far articles were read and played.
    progress: Progress,
    /// Returns the reading statistics.
    reading_stats: ReadingStats,
    /// Returns retention.
    retention: Retention,
    /// Returns the rules.
    rules: Rules,
    /// Returns the saved searches.
    saved_searches: SavedSearches,
    /// Returns the articles dated in the future.
    scheduled: Scheduled,
    /// Returns searching.
    search: Search,
    /// Returns the full-text index.
    search_index: SearchIndex,
    /// Returns the settings.
    settings: Settings,
    /// Returns the services that articles are saved in.
    share_services: ShareServices,
    /// Returns subscribing and importing.
    subscriptions: Subscriptions,
    /// Returns the data by which accounts on servers and the library are kept in agreement.
    sync: SyncStore,
    /// Returns the tags.
    tags: Tags,
    /// Returns the earlier versions of articles.
    versions: Versions,
}
