//! A file that is seen in its place only when it is whole. It is written beside that; what was there before is lost only for a whole one.

use crate::archive::ArchiveError;
use std::{
    fs::{self, File, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Writes a file of which all is there already.
///
/// # Errors
/// [`ArchiveError::Write`], [`ArchiveError::Full`]; then nothing is left behind.
pub fn save(file: &Path, bytes: &[u8]) -> Result<(), ArchiveError> {
    let (part, mut out) = Part::of(file)?;
    out.write_all(bytes).map_err(|error| failure(file, &error))?;
    part.into_place(file, out)
}

/// What was wrong while a file was written.
pub(crate) fn failure(file: &Path, error: &io::Error) -> ArchiveError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ArchiveError::Full(file.to_owned()),
        _ => ArchiveError::Write { file: file.to_owned(), why: error.to_string() },
    }
}

/// A file that is not whole yet; taken away unless it takes its place.
pub(crate) struct Part {
    beside: PathBuf,
    place: PathBuf,
    placed: bool,
}

impl Part {
    pub(crate) fn of(file: &Path) -> Result<(Self, File), ArchiveError> {
        let failed = |why: &str| ArchiveError::Write { file: file.to_owned(), why: why.to_owned() };
        // A link goes on leading to where it leads.
        let place = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        match fs::metadata(&place) {
            Ok(there) if there.is_dir() => return Err(failed("it is a folder; name a file in it")),
            Ok(there) if !there.is_file() => return Err(failed("a device or pipe is there; name a file")),
            _ => {}
        }
        if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
            return Err(failed(&format!("there is no folder {}; make it first", folder.display())));
        }
        let mut name = place.clone().into_os_string();
        name.push(".part");
        let beside = PathBuf::from(name);
        let begin = || File::options().write(true).create_new(true).open(&beside);
        let begun = begin().or_else(|error| {
            if error.kind() != io::ErrorKind::AlreadyExists {
                return Err(error);
            }
            // It was left by one that was killed, unless it is being written.
            match File::open(&beside)?.try_lock() {
                Err(TryLockError::WouldBlock) => Err(io::Error::other("another program is writing it just now")),
                Err(TryLockError::Error(error)) => Err(error),
                Ok(()) => fs::remove_file(&beside).and_then(|()| begin()),
            }
        });
        let out = begun.map_err(|error| failure(file, &error))?;
        let part = Self { beside, place, placed: false };
        out.lock().map_err(|error| failure(file, &error))?;
        Ok((part, out))
    }

    /// Once `out` is on the disk.
    pub(crate) fn into_place(mut self, file: &Path, out: File) -> Result<(), ArchiveError> {
        let mut place = || {
            out.sync_all()?;
            fs::rename(&self.beside, &self.place)?;
            self.placed = true;
            // The name, too; other systems than Unix open no folders.
            let folder = self.place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
        };
        place().map_err(|error| failure(file, &error))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.placed {
            // Where it cannot be taken away, its name says what it is.
            let _taken_away = fs::remove_file(&self.beside);
        }
    }
}
