//! Copies another program's database with its log, so that the original is never written. The original may change meanwhile.

use super::ImportError;
use crate::temporary_folder;
use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};
use tempfile::TempDir;

/// Number of attempts to copy a file that changes meanwhile.
const TRIES: usize = 3;

/// Ends of the names of a database's logs: they exist while its program runs, and after a crash.
pub(super) const LOGS: [&str; 2] = ["-wal", "-journal"];

/// Copies a database with its log.
pub(super) fn copy(path: &Path) -> Result<(TempDir, PathBuf), ImportError> {
    let folder = temporary_folder().map_err(ImportError::unreadable(&env::temp_dir()))?;
    let file = folder.path().join("copy.db");
    for _ in 0..TRIES {
        let before = state(path).map_err(ImportError::unreadable(path))?;
        for end in [""].into_iter().chain(LOGS) {
            let target = folder.path().join(format!("copy.db{end}"));
            match fs::copy(sibling(path, end), &target) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && !end.is_empty() => {
                    if let Err(error) = fs::remove_file(&target)
                        && error.kind() != io::ErrorKind::NotFound
                    {
                        return Err(ImportError::unreadable(path)(error));
                    }
                }
                Err(error) => return Err(ImportError::uncopied(path, folder.path())(error)),
                // The copy must be writable even if the original is not.
                Ok(_) => writable(&target).map_err(ImportError::unreadable(path))?,
            }
        }
        forget_super_journal(&folder.path().join("copy.db-journal")).map_err(ImportError::unreadable(path))?;
        if state(path).map_err(ImportError::unreadable(path))? == before {
            return Ok((folder, file));
        }
    }
    Err(ImportError::Busy { path: path.to_owned() })
}

/// End of a journal that names a super-journal (<https://www.sqlite.org/fileformat2.html#the_rollback_journal>). SQLite deletes the named
/// file after rolling back, and an untrusted journal could name any file.
const NAMES_ANOTHER: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// Removes the name of a super-journal from the end of a journal, if it has one.
fn forget_super_journal(journal: &Path) -> io::Result<()> {
    let mut file = match fs::File::options().read(true).write(true).open(journal) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    let mut end = [0; NAMES_ANOTHER.len()];
    let Ok(at) = file.seek(SeekFrom::End(-8)) else { return Ok(()) };
    file.read_exact(&mut end)?;
    if end == NAMES_ANOTHER {
        file.seek(SeekFrom::Start(at))?;
        // Overwritten and not truncated, since the preceding bytes might also be such an end.
        file.write_all(&[0; NAMES_ANOTHER.len()])?;
    }
    Ok(())
}

fn writable(file: &Path) -> io::Result<()> {
    let mut permissions = fs::metadata(file)?.permissions();
    if permissions.readonly() {
        #[cfg(unix)]
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o600);
        #[cfg(not(unix))]
        permissions.set_readonly(false);
        fs::set_permissions(file, permissions)?;
    }
    Ok(())
}

fn sibling(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    PathBuf::from(name)
}

type State = Vec<Option<(u64, Option<SystemTime>)>>;

fn state(path: &Path) -> io::Result<State> {
    let state = |end| match fs::metadata(sibling(path, end)) {
        Ok(file) => Ok(Some((file.len(), file.modified().ok()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    [""].into_iter().chain(LOGS).map(state).collect()
}
