//! Recognises files and the contents of folders by their content, not their names.

use super::{ImportError, OtherFile, bundle};
use gleaner_polling::file;
use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;

/// A file that can be imported.
#[derive(Debug, Clone)]
pub struct Found {
    /// Path of the file.
    pub path: PathBuf,
    /// Its format.
    pub kind: Kind,
    /// Whether a list of feeds was found next to it: only feeds in that list are polled.
    pub has_list: bool,
    /// The temporary folder that its ZIP file was unpacked to.
    pub(super) unpacked: Option<Arc<TempDir>>,
}

/// Format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// OPML, or another document, which the OPML reader identifies in its error.
    List,
    /// A plain list of addresses, as in newsboat.
    Urls,
    /// The list of feeds of Thunderbird.
    Thunderbird,
    /// JSON.
    Json,
    /// SQLite.
    Database,
}

/// Number of bytes at the start of a file by which it is recognised.
const HEAD: u64 = 64 * 1024;
/// Maximum depth and number of files of a folder.
const MAX_DEPTH: usize = 4;
const MAX_FILES: usize = 5000;

/// Finds everything that can be imported in a file or folder. Lists of feeds are first, since they contain the folders.
///
/// # Errors
/// [`ImportError`] when it cannot be read, or nothing in a folder or ZIP file is recognised.
pub fn find(path: &Path) -> Result<Vec<Found>, ImportError> {
    let metadata = fs::metadata(path).map_err(ImportError::unreadable(path))?;
    if metadata.is_dir() {
        return folder(path, None);
    }
    if !metadata.is_file() {
        return Err(ImportError::NotAFile { path: path.to_owned() });
    }
    let head = head(path)?;
    if head.starts_with(b"PK\x03\x04") {
        let unpacked = Arc::new(bundle::unpack(path, HEAD, |head| is_likely(kind(head), head))?);
        return folder(unpacked.path(), Some(&unpacked));
    }
    Ok(vec![Found { path: path.to_owned(), kind: kind(&head), has_list: false, unpacked: None }])
}

fn head(path: &Path) -> Result<Vec<u8>, ImportError> {
    let mut head = Vec::new();
    let file = file::open(path).map_err(ImportError::unreadable(path))?;
    file.take(HEAD).read_to_end(&mut head).map_err(ImportError::unreadable(path))?;
    Ok(head)
}

fn kind(head: &[u8]) -> Kind {
    let text = super::raw::text(head);
    let text = text.trim_start();
    if head.starts_with(b"SQLite format 3\0") {
        Kind::Database
    } else if super::thunderbird::is_list(text) {
        Kind::Thunderbird
    } else if text.starts_with(['{', '[']) {
        Kind::Json
    } else if super::lists::are_urls(whole_lines(head, text)) {
        Kind::Urls
    } else {
        Kind::List
    }
}

/// Returns the beginning of a file without its last line, if that may be cut off.
fn whole_lines<'a>(head: &[u8], text: &'a str) -> &'a str {
    let is_cut = head.len() as u64 >= HEAD;
    text.rsplit_once('\n').filter(|_| is_cut).map_or(text, |(whole, _)| whole)
}

/// Whether a file in a folder, which may contain many unrelated files, is one to import.
fn is_likely(kind: Kind, head: &[u8]) -> bool {
    let text = super::raw::text(head).to_ascii_lowercase();
    match kind {
        Kind::Database | Kind::Thunderbird => true,
        Kind::List => text.contains("<opml"),
        Kind::Urls => text.lines().any(|line| line.contains("://")),
        Kind::Json => {
            // Feedbin's articles come without an object around them; their texts may be long, and the keys after them cut off.
            let of_feedbin = ["\"title\"", "\"author\"", "\"content\""];
            let begins = || text.chars().filter(|c| !c.is_whitespace()).take(7).eq("[{\"id\":".chars());
            ["\"items\"", "\"origin\"", "\"alternate\""].iter().any(|sign| text.contains(sign))
                || begins() && of_feedbin.iter().all(|key| text.contains(key))
        }
    }
}

fn folder(root: &Path, unpacked: Option<&Arc<TempDir>>) -> Result<Vec<Found>, ImportError> {
    let (mut found, mut seen) = (Vec::new(), 0);
    let mut waiting = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        let listed = match fs::read_dir(&folder) {
            // Unrelated files may be in it.
            Err(_) if folder != root => continue,
            listed => listed.map_err(ImportError::unreadable(&folder))?,
        };
        let mut entries: Vec<PathBuf> = listed.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        entries.sort();
        for path in entries {
            seen += 1;
            // A symbolic link may point anywhere, also to a folder around it.
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            if metadata.is_dir() && depth < MAX_DEPTH {
                waiting.push((path, depth + 1));
            } else if metadata.is_file() && seen <= MAX_FILES {
                let Ok(head) = head(&path) else { continue };
                let kind = kind(&head);
                if is_likely(kind, &head) {
                    found.push(Found { path, kind, has_list: false, unpacked: unpacked.cloned() });
                }
            }
        }
    }
    if found.is_empty() {
        return Err(if unpacked.is_some() { OtherFile::Zip } else { OtherFile::Folder }.into());
    }
    let is_list = |found: &Found| matches!(found.kind, Kind::List | Kind::Urls | Kind::Thunderbird);
    found.sort_by_key(|found| !is_list(found));
    let any_list = found.first().is_some_and(is_list);
    for found in &mut found {
        found.has_list = any_list && !is_list(found);
    }
    Ok(found)
}
