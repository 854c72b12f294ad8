//! The files of a library: created for the user alone (folders 0700, files 0600, whatever the umask), and locked.

use crate::LibraryError;
use std::{
    fs::{self, File, OpenOptions},
    io,
    path::Path,
};

/// The library's database.
pub(crate) const DATABASE: &str = "library.sqlite";
/// The lock file that every process shares while it has the library open.
pub(crate) const IN_USE: &str = "library.lock";

/// Returns options that create a file readable by the user alone.
pub(crate) fn private_options() -> OpenOptions {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a folder and those above it that are missing, for the user alone.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Copies a file into a new one that only the user can read, whatever the original's permissions are.
pub(crate) fn copy_private(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = private_options().write(true).create_new(true).open(to)?;
    io::copy(&mut source, &mut target)?;
    Ok(())
}

/// Removes the permissions of others from a library's folder and the files in it. Folders in it are created private, and the
/// library's own folder protects what older versions left in them.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    set_mode(folder, 0o700)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type() {
            Ok(kind) if kind.is_file() => set_mode(&entry.path(), 0o600)?,
            Ok(kind) if kind.is_dir() => set_mode(&entry.path(), 0o700)?,
            // Another process may have removed it in the meantime.
            _ => {}
        }
    }
    Ok(())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let current = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?.permissions().mode(),
    };
    if current & 0o077 == 0 {
        return Ok(());
    }
    match fs::set_permissions(path, fs::Permissions::from_mode(mode)) {
        // A file system without permissions, such as FAT, refuses; there is nothing to restrict.
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Opens the lock file [`IN_USE`]. The caller takes the lock.
pub(crate) fn in_use_lock(folder: &Path) -> io::Result<File> {
    lock_file(folder, IN_USE)
}

/// Opens a lock file, which is created if it is missing.
pub(crate) fn lock_file(folder: &Path, name: &str) -> io::Result<File> {
    private_options().create(true).append(true).open(folder.join(name))
}

/// Returns the error for a lock that could not be taken: another process has it, or the file system has no locks.
pub(crate) fn lock_error(folder: &Path, error: fs::TryLockError) -> LibraryError {
    match error {
        fs::TryLockError::WouldBlock => LibraryError::Locked,
        fs::TryLockError::Error(error) => write_error(folder, &error),
    }
}

/// Returns the error for a file or folder that could not be written.
pub(crate) fn write_error(path: &Path, error: &io::Error) -> LibraryError {
    let why = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => return LibraryError::DiskFull,
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => match (path.metadata(), path.read_link()) {
            (Ok(file), _) if !file.is_dir() => "it is a file, not a folder".to_owned(),
            // Such as a link to a drive that is not mounted.
            (Err(_), Ok(target)) => format!("it is a link to {}, which does not exist", target.display()),
            _ => error.to_string(),
        },
        _ => error.to_string(),
    };
    LibraryError::ReadOnly { folder: path.to_owned(), why }
}

/// Returns the error of a file that SQLite cannot open.
pub(crate) fn open_error(folder: &Path, error: sqlx::Error) -> LibraryError {
    match LibraryError::from(error) {
        LibraryError::Sql(error) => LibraryError::Damaged { folder: folder.to_owned(), why: error.to_string() },
        other => other,
    }
}

/// Removes a file; one that is missing is not an error.
pub(crate) fn remove_if_present(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Writes a folder to the disk, so that a rename in it survives a power cut.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Writes a file's content to the disk, so that it survives a power cut.
pub(crate) fn sync_file(file: &Path) -> io::Result<()> {
    File::options().append(true).open(file)?.sync_all()
}
