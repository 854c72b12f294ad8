//! Unpacks ZIP files, such as the exports of FreshRSS and Google Takeout and folders of other readers, into a temporary folder.

use super::{ImportError, OtherFile, copy::LOGS};
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

/// Unpacks those members of a ZIP file that the caller wants by their first `head` bytes, and the logs of databases. Members get new names,
/// since their own could be paths outside of the folder. A log is named after its database.
pub(super) fn unpack(path: &Path, head: u64, is_wanted: impl Fn(&[u8]) -> bool) -> Result<TempDir, ImportError> {
    let damaged = |error: zip::result::ZipError| ImportError::from(OtherFile::DamagedZip(error.to_string()));
    let folder = temporary_folder().map_err(ImportError::unreadable(&env::temp_dir()))?;
    let mut zip = zip::ZipArchive::new(File::open(path).map_err(ImportError::unreadable(path))?).map_err(damaged)?;
    if zip.len() > MEMBERS {
        return Err(ImportError::TooMany { limit: MEMBERS });
    }
    let mut left = MAX_UNPACKED;
    for number in 0..zip.len() {
        let name = zip.name_for_index(number).transpose().map_err(damaged)?.unwrap_or_default();
        let of = |end| name.strip_suffix(end).and_then(|base| zip.index_for_name_raw(base.as_bytes()));
        let log = LOGS.into_iter().find_map(|end| Some((of(end)?, end)));
        let mut member = zip.by_index(number).map_err(damaged)?.take(left + 1);
        let mut first = Vec::new();
        let read = member.by_ref().take(head).read_to_end(&mut first);
        // A picture that is damaged, for example, is no reason to import nothing.
        if log.is_none() && !is_wanted(&first) {
            continue;
        }
        read.map_err(ImportError::unreadable(path))?;
        let (number, end) = log.unwrap_or((number, ""));
        let target = folder.path().join(format!("{number:05}{end}"));
        let mut file = File::create(&target).map_err(ImportError::unreadable(folder.path()))?;
        let bytes = io::copy(&mut first.chain(member), &mut file);
        let bytes = bytes.map_err(ImportError::uncopied(path, folder.path()))?;
        if bytes > left {
            return Err(ImportError::TooLarge { limit: MAX_UNPACKED });
        }
        left -= bytes;
    }
    Ok(folder)
}
