//! Writes files atomically: into a temporary file next to the target, which replaces it when it is complete and on the disk.

use crate::error::ArchiveError;
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// Writes a whole file. Blocks the thread.
///
/// # Errors
/// [`ArchiveError::Write`], [`ArchiveError::Full`]. An existing file is unchanged then, and no unfinished file remains.
pub fn save(file: &Path, bytes: &[u8]) -> Result<(), ArchiveError> {
    let (unfinished, mut out) = Unfinished::create(file)?;
    out.write_all(bytes).map_err(|error| failure(file, error))?;
    unfinished.into_place(file, out)
}

/// Creates a temporary folder that other users cannot read: articles, and copies of other readers' files, are as private as the library.
///
/// # Errors
/// When it cannot be created.
pub fn temporary_folder() -> io::Result<TempDir> {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut folder = tempfile::Builder::new();
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    folder.tempdir()
}

/// Returns the error for a failure to write a file.
pub(crate) fn failure(file: &Path, error: io::Error) -> ArchiveError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ArchiveError::Full(file.to_owned()),
        _ => ArchiveError::Write { file: file.to_owned(), why: error },
    }
}

/// A temporary file, deleted unless it replaces its target.
pub(crate) struct Unfinished {
    temporary: PathBuf,
    target: PathBuf,
    placed: bool,
}

impl Unfinished {
    pub(crate) fn create(file: &Path) -> Result<(Self, File), ArchiveError> {
        Self::create_with(file, File::options())
    }

    /// As [`Self::create`]; only the user can read a new file, whatever the umask.
    pub(crate) fn create_private(file: &Path) -> Result<(Self, File), ArchiveError> {
        #[cfg_attr(not(unix), expect(unused_mut))]
        let mut options = File::options();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Self::create_with(file, options)
    }

    fn create_with(file: &Path, mut options: OpenOptions) -> Result<(Self, File), ArchiveError> {
        options.write(true).create_new(true);
        // The target of a symbolic link is replaced, not the link.
        let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        match fs::metadata(&target) {
            Ok(there) if !there.is_file() => return Err(ArchiveError::NotAFile(file.to_owned())),
            _ => {}
        }
        if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
            let why = format!("the folder {} does not exist", folder.display());
            return Err(ArchiveError::Write {
                file: file.to_owned(),
                why: io::Error::new(io::ErrorKind::NotFound, why),
            });
        }
        let mut name = target.clone().into_os_string();
        name.push(".part");
        let temporary = PathBuf::from(name);
        let begin = || options.open(&temporary);
        let begun = begin().or_else(|error| {
            if error.kind() != io::ErrorKind::AlreadyExists {
                return Err(error);
            }
            // An unlocked file was left behind by a killed process.
            match File::open(&temporary)?.try_lock() {
                Err(TryLockError::WouldBlock) => Err(io::Error::other("another program is writing it")),
                Err(TryLockError::Error(error)) => Err(error),
                Ok(()) => fs::remove_file(&temporary).and_then(|()| begin()),
            }
        });
        let out = begun.map_err(|error| failure(file, error))?;
        // The permissions of an existing file are kept. Some file systems have no permissions.
        #[cfg(unix)]
        let _set = fs::metadata(&target).and_then(|there| out.set_permissions(there.permissions()));
        let unfinished = Self { temporary, target, placed: false };
        out.lock().map_err(|error| failure(file, error))?;
        Ok((unfinished, out))
    }

    /// Replaces the target once `out` is on the disk.
    pub(crate) fn into_place(mut self, file: &Path, out: File) -> Result<(), ArchiveError> {
        let mut place = || {
            out.sync_all()?;
            fs::rename(&self.temporary, &self.target)?;
            self.placed = true;
            // The new name must reach the disk too. Only Unix can open folders.
            let folder = self.target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
        };
        place().map_err(|error| failure(file, error))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.placed {
            // If it cannot be deleted, its name shows that it is unfinished.
            let _deleted = fs::remove_file(&self.temporary);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_file_that_is_replaced_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list.opml");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        save(&file, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_private_file_is_readable_by_the_user_only_unless_it_replaces_a_shared_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("everything.zip");
        let mode_after_writing = || {
            let (unfinished, out) = Unfinished::create_private(&file).unwrap();
            unfinished.into_place(&file, out).unwrap();
            fs::metadata(&file).unwrap().permissions().mode() & 0o777
        };
        assert_eq!(mode_after_writing(), 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(mode_after_writing(), 0o644);
    }

    #[test]
    fn other_users_cannot_read_temporary_folders() {
        let folder = temporary_folder().unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
