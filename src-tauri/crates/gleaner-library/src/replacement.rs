//! Replaces a library with a new one, for a restored backup or a recovered library. The former library is moved to the subfolder `aside`
//! and never deleted. Killed at any point, there is always a library: the old one or the new one.

use crate::{
    Clock, LibraryError,
    files::{
        copy_private, create_private_folder, in_use_lock, lock_error, make_private, remove_if_present, sync_file,
        sync_folder, write_error,
    },
};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};
use std::{
    fs::{self, File},
    io,
    ops::Deref,
    path::{Path, PathBuf},
};

const ASIDE: &str = "aside";
/// Subfolder of the new library, until it takes the old one's place.
const COMING: &str = "coming";

/// Takes the lock that every process with an open library shares.
pub(crate) fn lock_exclusively(folder: &Path) -> Result<File, LibraryError> {
    let lock = in_use_lock(folder).map_err(|error| write_error(folder, &error))?;
    lock.try_lock().map_err(|error| lock_error(folder, error))?;
    Ok(lock)
}

/// The folder of the new library. It is removed when dropped: after a failed attempt it would take up as much space as the library.
pub(crate) struct NewFolder(PathBuf);

impl NewFolder {
    /// Creates the folder, and removes what a killed process left in it.
    pub(crate) fn create(folder: &Path) -> Result<Self, LibraryError> {
        let new_folder = folder.join(COMING);
        match fs::remove_dir_all(&new_folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(write_error(&new_folder, &error)),
            _ => {}
        }
        create_private_folder(&new_folder).map_err(|error| write_error(&new_folder, &error))?;
        Ok(Self(new_folder))
    }
}

impl Deref for NewFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // If that fails, the next attempt removes it.
        let _removed = fs::remove_dir_all(&self.0);
    }
}

/// Writes the log of a library that is not open back into its file. Closing a library does so, too, but reports no error.
async fn write_back_log(file: &Path) -> Result<(), LibraryError> {
    let options = SqliteConnectOptions::new().filename(file).disable_statement_logging();
    let mut connection = options.connect().await?;
    let written = sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await;
    connection.close().await?;
    written?;
    Ok(())
}

/// Replaces the library in `folder` with the one in `new_folder`, after moving it aside.
pub(crate) async fn replace_library(folder: &Path, new_folder: NewFolder) -> Result<PathBuf, LibraryError> {
    let failed = |error: io::Error| write_error(folder, &error);
    let file = folder.join("library.sqlite");
    // Only the file is moved, not its log.
    write_back_log(&new_folder.join("library.sqlite")).await?;
    // The log is written back before the file is linked; if that fails, both are moved aside.
    if !is_empty(&file) {
        let _written_back = write_back_log(&file).await;
    }
    // A hard link has the permissions of the file.
    make_private(folder).map_err(failed)?;
    let aside = folder.join(ASIDE).join(Clock::system().now().to_string());
    create_private_folder(&aside).map_err(failed)?;
    for name in ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm"] {
        let (from, to) = (folder.join(name), aside.join(name));
        if from.try_exists().map_err(failed)? && fs::hard_link(&from, &to).is_err() {
            copy_private(&from, &to).map_err(failed)?;
            sync_file(&to).map_err(failed)?;
        }
    }
    for written in [&aside, &folder.join(ASIDE)] {
        sync_folder(written).map_err(failed)?;
    }
    // It was copied, and SQLite may not have written to it since.
    sync_file(&new_folder.join("library.sqlite")).map_err(failed)?;
    // The old log must be removed before the new file is there: SQLite would apply it to that.
    for name in ["library.sqlite-wal", "library.sqlite-shm"] {
        remove_if_present(&folder.join(name)).map_err(failed)?;
    }
    sync_folder(folder).map_err(failed)?;
    fs::rename(new_folder.join("library.sqlite"), &file).map_err(failed)?;
    sync_folder(folder).map_err(failed)?;
    Ok(aside)
}

/// Whether a file has no content or does not exist. SQLite would delete its log, which may be the last copy of the newest pages.
pub(crate) fn is_empty(file: &Path) -> bool {
    fs::metadata(file).map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |file| file.len() == 0)
}
