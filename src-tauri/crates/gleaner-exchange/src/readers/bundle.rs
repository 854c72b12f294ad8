//! Unpacks exports that are ZIP files (FreshRSS, Google Takeout) into a temporary folder, except members that cannot be lists or exports.

use super::{ImportError, OtherFile};
use crate::temporary_folder;
use std::{
    env,
    fs::File,
    io::{self, Read as _},
    path::Path,
};
use tempfile::TempDir;

/// Maximum unpacked size, in bytes, whatever the file claims.
const MAX_UNPACKED: u64 = 2 << 30;
const MEMBERS: usize = 10_000;

/// Unpacks a ZIP file. Its members get new names, since their own could be paths outside of the folder.
pub(super) fn unpack(path: &Path) -> Result<TempDir, ImportError> {
    let damaged = |error: zip::result::ZipError| ImportError::from(OtherFile::DamagedZip(error.to_string()));
    let folder = temporary_folder().map_err(ImportError::unreadable(&env::temp_dir()))?;
    let mut zip = zip::ZipArchive::new(File::open(path).map_err(ImportError::unreadable(path))?).map_err(damaged)?;
    if zip.len() > MEMBERS {
        return Err(ImportError::TooMany { limit: MEMBERS });
    }
    let mut left = MAX_UNPACKED;
    for number in 0..zip.len() {
        let member = zip.by_index(number).map_err(damaged)?;
        let name = member.name().map_err(damaged)?.to_ascii_lowercase();
        if member.is_dir() || ![".json", ".opml", ".xml", ".sqlite", ".db"].iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let target = folder.path().join(format!("{number:05}"));
        let mut file = File::create(&target).map_err(ImportError::unreadable(folder.path()))?;
        let bytes = io::copy(&mut member.take(left + 1), &mut file);
        let bytes = bytes.map_err(ImportError::uncopied(path, folder.path()))?;
        if bytes > left {
            return Err(ImportError::TooLarge { limit: MAX_UNPACKED });
        }
        left -= bytes;
    }
    Ok(folder)
}
