//! A copy of a database with its log, to read from: what is somebody else's is only read, and may change meanwhile.

use super::{NotTaken, find::unreadable};
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};
use tempfile::TempDir;

/// How often a file that changes while it is copied is copied again.
const TRIES: usize = 3;

/// Copies a database with its log.
pub(super) fn copy(path: &Path) -> Result<(TempDir, PathBuf), NotTaken> {
    let folder = tempfile::tempdir().map_err(unreadable(path))?;
    let file = folder.path().join("copy.db");
    for _ in 0..TRIES {
        let before = state(path).map_err(unreadable(path))?;
        for end in ["", "-wal", "-journal"] {
            let target = folder.path().join(format!("copy.db{end}"));
            match fs::copy(beside(path, end), &target) {
                // The log is there while the program runs, and after it was killed.
                Err(error) if error.kind() == io::ErrorKind::NotFound && !end.is_empty() => {
                    if let Err(error) = fs::remove_file(&target)
                        && error.kind() != io::ErrorKind::NotFound
                    {
                        return Err(unreadable(path)(error));
                    }
                }
                Err(error) => return Err(unreadable(path)(error)),
                // What may not be written there may be so here: it is ours.
                Ok(_) => writable(&target).map_err(unreadable(path))?,
            }
        }
        if state(path).map_err(unreadable(path))? == before {
            return Ok((folder, file));
        }
    }
    Err(NotTaken::Busy { path: path.to_owned() })
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

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    PathBuf::from(name)
}

type State = Vec<Option<(u64, Option<SystemTime>)>>;

fn state(path: &Path) -> io::Result<State> {
    let state = |end| match fs::metadata(beside(path, end)) {
        Ok(file) => Ok(Some((file.len(), file.modified().ok()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    ["", "-wal", "-journal"].into_iter().map(state).collect()
}
