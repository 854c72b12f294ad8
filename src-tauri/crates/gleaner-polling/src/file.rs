//! Reads files of this computer that the user names: feeds, and files given to commands.

use gleaner_feed::{Context, NotAFeed, Parsed};
use gleaner_fetch::{Freshness, Held, Limits, Response, Validators};
#[cfg(unix)]
use rustix::fs::OFlags;
use std::{
    fs::{File, OpenOptions},
    io::{self, Cursor, Read},
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

/// Reads and parses a feed file: regular files only, and none larger than a network response may be. Blocks.
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

/// Reads the file at an address like a network response. Its size and modification time are its validator: if `sent` has them, the response
/// is "not modified".
pub(crate) fn read_unless(url: &Url, sent: &Validators) -> Result<Response, FeedFileError> {
    let began = Instant::now();
    let path = url.to_file_path().map_err(|()| FeedFileError::NoPath(url.clone()))?;
    let (validator, body) = contents_unless(&path, sent)?;
    Ok(Response {
        status: if body.is_some() { 200 } else { 304 },
        body,
        content_type: None,
        link: None,
        url: url.clone(),
        hops: Vec::new(),
        conditional: !sent.is_empty(),
        is_whole: true,
        validators: Validators { etag: None, last_modified: Some(validator) },
        freshness: Freshness::default(),
        quota: None,
        wire_bytes: 0,
        took: began.elapsed(),
        held: Held::default(),
        private: false,
    })
}

/// Reads a whole file, of at most `limit` bytes: a regular one, or a pipe that another program writes to. Blocks.
///
/// # Errors
/// [`FeedFileError`].
pub fn contents(path: &Path, limit: u64) -> Result<Vec<u8>, FeedFileError> {
    let failed = |error| FeedFileError::Io { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    input(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(FeedFileError::TooLarge { path: path.to_owned(), limit });
    }
    Ok(bytes)
}

/// Opens a regular file, or a pipe that another program writes to. Devices and sockets are refused: some have no end.
///
/// # Errors
/// [`FeedFileError`].
pub fn input(path: &Path) -> Result<Box<dyn Read>, FeedFileError> {
    let failed = |error| FeedFileError::Io { path: path.to_owned(), error };
    let metadata = path.metadata().map_err(failed)?;
    if !metadata.is_file() && !is_pipe(&metadata) {
        return Err(FeedFileError::NotAFile(path.to_owned()));
    }
    let mut file = open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_file() {
        return Ok(Box::new(file));
    }
    if !is_pipe(&metadata) {
        return Err(FeedFileError::NotAFile(path.to_owned()));
    }
    // It was opened without waiting for a writer. If there is one, its data is waited for.
    let mut first = [0];
    let read = match file.read(&mut first) {
        Ok(0) => return Err(FeedFileError::NotAFile(path.to_owned())),
        Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(failed(error)),
        Ok(read) => read,
        Err(_) => 0,
    };
    #[cfg(unix)]
    rustix::fs::fcntl_setfl(&file, OFlags::empty()).map_err(|error| failed(error.into()))?;
    Ok(Box::new(Cursor::new(first.into_iter().take(read).collect::<Vec<u8>>()).chain(file)))
}

fn is_pipe(metadata: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type());
    #[cfg(not(unix))]
    return false;
}

/// Opens a file without waiting: opening a pipe would block until something writes to it, and so would reading some files of the system,
/// such as `/proc/kmsg`, which say that they are regular ones.
///
/// # Errors
/// When the system cannot open it.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, OFlags::NONBLOCK.bits().cast_signed());
    options.open(path)
}

/// Returns a file's validator, and its contents unless `sent` has that validator.
fn contents_unless(path: &Path, sent: &Validators) -> Result<(Vec<u8>, Option<Vec<u8>>), FeedFileError> {
    let failed = |error| FeedFileError::Io { path: path.to_owned(), error };
    let not_a_file = || FeedFileError::NotAFile(path.to_owned());
    let limit = Limits::default().body;
    let too_large = || FeedFileError::TooLarge { path: path.to_owned(), limit };
    // Opening some devices has effects, so they are recognised before; what is open is checked again, as it may be another file.
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
    fn reads_a_pipe_while_there_is_a_writer_up_to_the_limit() {
        use std::io::Write as _;
        let (pipe, mut writer) = io::pipe().unwrap();
        let path = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&pipe)));
        if !path.exists() {
            return;
        }
        let written = std::thread::scope(|scope| {
            let reading = scope.spawn(|| contents(&path, 6));
            writer.write_all(b"a feed").unwrap();
            drop(writer);
            reading.join().unwrap()
        });
        assert_eq!(written.unwrap(), b"a feed");
        assert!(matches!(contents(&path, 6), Err(FeedFileError::NotAFile(_))), "nothing writes to it any more");
        let (pipe, mut writer) = io::pipe().unwrap();
        let path = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&pipe)));
        writer.write_all(b"a feed").unwrap();
        drop(writer);
        assert_eq!(contents(&path, 6).unwrap(), b"a feed", "its writer ended before");
        let (pipe, mut writer) = io::pipe().unwrap();
        let path = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&pipe)));
        writer.write_all(b"a feed").unwrap();
        assert!(matches!(contents(&path, 5), Err(FeedFileError::TooLarge { limit: 5, .. })));
        assert!(matches!(contents(Path::new("/dev/zero"), 5), Err(FeedFileError::NotAFile(_))));
    }

    #[cfg(unix)]
    #[test]
    fn does_not_wait_at_a_pipe_or_read_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(matches!(read(&socket), Err(FeedFileError::NotAFile(_))));
        assert!(matches!(read(Path::new("/dev/zero")), Err(FeedFileError::NotAFile(_))));
        // A pipe created by this test: nothing ever writes to it.
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
