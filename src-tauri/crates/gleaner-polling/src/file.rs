//! Reads feeds from files of this computer.

use gleaner_feed::{Context, NotAFeed, Parsed};
use gleaner_fetch::{Answer, Freshness, Limits, Validators};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _},
    path::{Path, PathBuf},
    time::{Instant, UNIX_EPOCH},
};
use url::Url;

/// Why a file cannot be read as a feed.
#[derive(Debug, thiserror::Error)]
pub enum FeedFileError {
    /// A folder, pipe, socket or device.
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// Larger than any feed may be.
    #[error("{} is larger than {} MB", path.display(), limit >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Maximum size, in bytes.
        limit: u64,
    },
    /// A path that no `file:` address can express.
    #[error("{} cannot be written as an address", .0.display())]
    NoAddress(PathBuf),
    /// An address that names no file of this computer.
    #[error("{0} names no file on this computer")]
    NoPath(Url),
    /// The system cannot read it.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file is not a feed.
    #[error("{}: {error}", path.display())]
    NotAFeed {
        /// The file.
        path: PathBuf,
        /// Kind of document.
        error: NotAFeed,
    },
}

/// Reads and parses a feed file: regular files only, and none larger than a network answer may be. Blocks.
///
/// # Errors
/// [`FeedFileError`].
pub fn read(path: &Path) -> Result<(Url, Parsed), FeedFileError> {
    let path = path.canonicalize().map_err(|error| FeedFileError::Io { path: path.to_owned(), error })?;
    let url = Url::from_file_path(&path).map_err(|()| FeedFileError::NoAddress(path.clone()))?;
    let body = contents_unless(&path, &Validators::default())?.1.unwrap_or_default();
    let parsed = gleaner_feed::parse(&body, Context { content_type: None, base_url: Some(url.as_str()) });
    Ok((url, parsed.map_err(|error| FeedFileError::NotAFeed { path, error })?))
}

/// Reads the file at an address like a network answer. Its size and modification time are its validator: if `sent` has them, the answer
/// is "not modified".
pub(crate) fn read_unless(url: &Url, sent: &Validators) -> Result<Answer, FeedFileError> {
    let began = Instant::now();
    let path = url.to_file_path().map_err(|()| FeedFileError::NoPath(url.clone()))?;
    let (validator, body) = contents_unless(&path, sent)?;
    Ok(Answer {
        status: if body.is_some() { 200 } else { 304 },
        body,
        content_type: None,
        url: url.clone(),
        hops: Vec::new(),
        validators: Validators { etag: None, last_modified: Some(validator) },
        freshness: Freshness::default(),
        wire_bytes: 0,
        took: began.elapsed(),
    })
}

/// Opens a file without waiting: opening a pipe would block until something writes to it.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

/// Returns a file's validator, and its contents unless `sent` has that validator.
fn contents_unless(path: &Path, sent: &Validators) -> Result<(Vec<u8>, Option<Vec<u8>>), FeedFileError> {
    let failed = |error| FeedFileError::Io { path: path.to_owned(), error };
    let not_a_file = || FeedFileError::NotAFile(path.to_owned());
    let limit = Limits::default().body;
    let too_large = || FeedFileError::TooLarge { path: path.to_owned(), limit };
    // Opening some devices has effects, so they are recognized before; what is open is checked again, as it may be another file.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(not_a_file());
    }
    let file = open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(not_a_file());
    }
    let changed = metadata.modified().map_err(failed)?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let validator = format!("{}.{:09} {}", changed.as_secs(), changed.subsec_nanos(), metadata.len()).into_bytes();
    if sent.last_modified.as_ref() == Some(&validator) {
        return Ok((validator, None));
    }
    if metadata.len() > limit {
        return Err(too_large());
    }
    let mut body = Vec::new();
    file.take(limit + 1).read_to_end(&mut body).map_err(failed)?;
    if body.len() as u64 > limit {
        return Err(too_large());
    }
    Ok((validator, Some(body)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn reads_a_feed_and_names_what_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("feed.xml");
        std::fs::write(&path, "<rss><channel><title>Own</title></channel></rss>").unwrap();
        let (url, parsed) = read(&path).unwrap();
        assert!(url.scheme() == "file" && parsed.feed.title.as_deref() == Some("Own"), "{url}");
        std::fs::write(&path, "<html><p>hello</p></html>").unwrap();
        assert!(matches!(read(&path), Err(FeedFileError::NotAFeed { .. })));
        assert!(matches!(read(folder.path()), Err(FeedFileError::NotAFile(_))));
        assert!(matches!(read(&folder.path().join("none")), Err(FeedFileError::Io { .. })));
    }

    #[test]
    fn refuses_a_file_that_is_too_large_without_reading_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("feed.xml");
        File::create(&path).unwrap().set_len(Limits::default().body + 1).unwrap();
        assert!(matches!(read(&path), Err(FeedFileError::TooLarge { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn does_not_wait_at_a_pipe_or_read_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(matches!(read(&socket), Err(FeedFileError::NotAFile(_))));
        assert!(matches!(read(Path::new("/dev/zero")), Err(FeedFileError::NotAFile(_))));
        // The pipe of this process's own making: nothing ever writes to it.
        let (pipe, _writer) = io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&pipe));
        if Path::new(&path).exists() {
            assert!(matches!(
                contents_unless(Path::new(&path), &Validators::default()),
                Err(FeedFileError::NotAFile(_))
            ));
            assert!(!open(Path::new(&path)).unwrap().metadata().unwrap().is_file());
        }
    }
}
