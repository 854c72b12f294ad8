//! One window per library. A second start passes its files and addresses to the first and ends.
//!
//! A lock in the library's folder decides who is the first; the system releases it when the process ends, however that happens. The first
//! listens on a socket in the same folder, which only the user may enter. Without a response, the second opens its own window: two windows
//! with one library are safe (invariant 3), and otherwise the user would see nothing.

use std::{
    fs::{File, OpenOptions, Permissions},
    io::{self, Read as _, Write as _},
    os::fd::AsRawFd as _,
    os::unix::{
        ffi::{OsStrExt as _, OsStringExt as _},
        fs::{OpenOptionsExt as _, PermissionsExt as _},
        net::{UnixListener, UnixStream},
    },
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// The file whose lock the first instance holds.
const LOCK: &str = "window.lock";
/// The socket of the first instance.
const SOCKET: &str = "window.socket";
/// How long the second waits for each answer of the first, and the first for the rest of a request.
const WITHIN: Duration = Duration::from_secs(3);
/// Time after which requests are accepted again when that has failed.
const RETRY_ACCEPT: Duration = Duration::from_millis(100);
/// Maximum size of a request, in bytes. A command line of Linux is at most 2 MiB long.
const MAX_REQUEST: u64 = 4 << 20;
/// The answer to a request that was received completely.
const RECEIVED: &[u8] = b"received";

/// Who this process is.
#[derive(Debug)]
pub enum Instance {
    /// The first on this library.
    First(First),
    /// Another one. It has the files, and this process can end.
    Second,
}

/// The first instance. It stays the first as long as this exists.
#[derive(Debug)]
pub struct First {
    lock: File,
    listener: UnixListener,
    quitting: Arc<AtomicBool>,
}

/// The request of a later start.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    /// Files and addresses to open.
    pub files: Vec<PathBuf>,
    /// The token of the launcher that allows the window to take the focus.
    pub token: Option<String>,
}

/// Gives the library up, for the next start, while the rest of this process ends.
#[derive(Debug)]
pub struct Claim {
    lock: File,
    quitting: Arc<AtomicBool>,
}

impl Claim {
    /// Stops accepting later starts, so that the next one opens its own window.
    ///
    /// # Errors
    /// The library stays locked until the process ends.
    pub fn release(&self) -> io::Result<()> {
        self.quitting.store(true, Ordering::Relaxed);
        self.lock.unlock()
    }
}

/// Longest address of a socket in bytes, on all systems (`sun_path` of `sockaddr_un`, with the zero byte at its end).
const MAX_ADDRESS: usize = 103;

/// Returns an address for the socket in `folder`. A long path is reached through the opened folder, which has to stay open while the
/// address is used.
fn address(folder: &Path) -> io::Result<(PathBuf, Option<File>)> {
    let socket = folder.join(SOCKET);
    if socket.as_os_str().len() <= MAX_ADDRESS {
        return Ok((socket, None));
    }
    if cfg!(target_os = "linux") {
        let opened = File::open(folder)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", opened.as_raw_fd())).join(SOCKET);
        return Ok((path, Some(opened)));
    }
    Err(io::Error::new(io::ErrorKind::InvalidFilename, "the path of the library is too long for a socket"))
}

/// Claims the library in `folder`, or passes `files` and the launcher's token to the process that has claimed it. A start in the background
/// without files sends nothing, so that the window stays as it is.
///
/// # Errors Whether there is another process can't be found out, or it does not respond.
pub fn claim(folder: &Path, files: &[PathBuf], token: Option<&str>, background: bool) -> io::Result<Instance> {
    let (socket, _folder) = address(folder)?;
    if let Some(first) = claim_first(folder, &socket)? {
        return Ok(first);
    }
    if background && files.is_empty() {
        return Ok(Instance::Second);
    }
    let takes_tokens = std::fs::metadata(folder.join(LOCK)).is_ok_and(|lock| lock.len() > 0);
    match hand_over(&socket, files, token.filter(|_| takes_tokens)) {
        Ok(()) => Ok(Instance::Second),
        // The other process may have quit in the meantime.
        Err(error) => claim_first(folder, &socket)?.ok_or(error),
    }
}

/// Claims the library; `None` if another process has it.
fn claim_first(folder: &Path, socket: &Path) -> io::Result<Option<Instance>> {
    let lock = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(folder.join(LOCK))?;
    match lock.try_lock() {
        Ok(()) => {
            // A crashed process leaves its socket.
            if let Err(error) = std::fs::remove_file(socket)
                && error.kind() != io::ErrorKind::NotFound
            {
                return Err(error);
            }
            // If the lock file is not empty, the process understands tokens: version 0.2.0 would take them for files.
            lock.set_len(1)?;
            let listener = UnixListener::bind(socket)?;
            std::fs::set_permissions(socket, Permissions::from_mode(0o600))?;
            Ok(Some(Instance::First(First { lock, listener, quitting: Arc::default() })))
        }
        Err(std::fs::TryLockError::WouldBlock) => Ok(None),
        Err(std::fs::TryLockError::Error(error)) => Err(error),
    }
}

fn hand_over(socket: &Path, files: &[PathBuf], token: Option<&str>) -> io::Result<()> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(WITHIN))?;
    stream.set_write_timeout(Some(WITHIN))?;
    // No path contains a zero byte, and none is empty: two zero bytes end the files.
    let request: Vec<&[u8]> = files.iter().map(|file| file.as_os_str().as_bytes()).collect();
    stream.write_all(&request.join(&0))?;
    if let Some(token) = token {
        stream.write_all(&[b"\0\0", token.as_bytes()].concat())?;
    }
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut answer = Vec::new();
    stream.take(RECEIVED.len() as u64).read_to_end(&mut answer)?;
    if answer == RECEIVED { Ok(()) } else { Err(io::Error::other("the other window does not answer")) }
}

impl First {
    /// Returns the handle that releases the library.
    ///
    /// # Errors
    /// The process has too many open files.
    pub fn releasable(&self) -> io::Result<Claim> {
        Ok(Claim { lock: self.lock.try_clone()?, quitting: Arc::clone(&self.quitting) })
    }

    /// Calls `open` with the request of each later start, on a thread of its own, until the process ends.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn listen(self, open: impl Fn(Request) + Send + 'static) -> io::Result<()> {
        let listening = move || {
            // The closure must own all of it: the lock is held until the process ends.
            let first = self;
            for stream in first.listener.incoming() {
                // No window is left for the request of a later start. Without a response, it claims the library itself.
                if first.quitting.load(Ordering::Relaxed) {
                    return;
                }
                match stream.map(receive) {
                    Ok(Ok(request)) => open(request),
                    Ok(Err(error)) => tracing::warn!(%error, "a second start was not understood"),
                    Err(error) => {
                        tracing::warn!(%error, "a second start was not accepted");
                        // pause: too many files may be open at the moment.
                        std::thread::sleep(RETRY_ACCEPT);
                    }
                }
            }
        };
        std::thread::Builder::new().name("instance".to_owned()).spawn(listening).map(drop)
    }
}

/// Reads a request and answers it.
fn receive(mut stream: UnixStream) -> io::Result<Request> {
    stream.set_read_timeout(Some(WITHIN))?;
    stream.set_write_timeout(Some(WITHIN))?;
    let mut request = Vec::new();
    (&mut stream).take(MAX_REQUEST + 1).read_to_end(&mut request)?;
    if request.len() as u64 > MAX_REQUEST {
        return Err(io::Error::other("the request is too long"));
    }
    stream.write_all(RECEIVED)?;
    let file = |bytes: &[u8]| PathBuf::from(std::ffi::OsString::from_vec(bytes.to_vec()));
    let end = request.windows(2).position(|bytes| bytes == b"\0\0");
    let (files, token) = request.split_at(end.unwrap_or(request.len()));
    let token = token.strip_prefix(b"\0\0").and_then(|token| String::from_utf8(token.to_vec()).ok());
    let files = files.split(|byte| *byte == 0).filter(|bytes| !bytes.is_empty()).map(file).collect();
    Ok(Request { files, token })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    fn claim(folder: &Path, files: &[PathBuf]) -> io::Result<Instance> {
        super::claim(folder, files, None, false)
    }

    fn first(folder: &Path) -> Receiver<Vec<PathBuf>> {
        let Instance::First(first) = claim(folder, &[]).unwrap() else { panic!("there is no other") };
        let (sender, received) = channel();
        first.listen(move |request| sender.send(request.files).unwrap()).unwrap();
        received
    }

    #[test]
    fn a_second_start_hands_its_files_to_the_first_on_the_same_library() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (of_one, of_two) = (first(one.path()), first(two.path()));
        let odd = PathBuf::from(std::ffi::OsString::from_vec(b"/a \xff\n.opml".to_vec()));
        let files = [odd, PathBuf::from("feed:https://example.org/")];
        assert!(matches!(claim(one.path(), &files).unwrap(), Instance::Second));
        assert_eq!(of_one.recv().unwrap(), files);
        assert!(matches!(claim(one.path(), &[]).unwrap(), Instance::Second));
        assert_eq!(of_one.recv().unwrap(), Vec::<PathBuf>::new());
        assert!(of_two.try_recv().is_err(), "another library has a window of its own");
    }

    #[test]
    fn the_first_receives_the_token_of_the_launcher() {
        let folder = tempfile::tempdir().unwrap();
        let Instance::First(first) = claim(folder.path(), &[]).unwrap() else { panic!("there is no other") };
        let (sender, received) = channel();
        first.listen(move |request| sender.send(request).unwrap()).unwrap();
        for files in [vec![], vec![PathBuf::from("/a"), PathBuf::from("/b")]] {
            super::claim(folder.path(), &files, Some("panel-7_TIME42"), false).unwrap();
            assert_eq!(received.recv().unwrap(), Request { files, token: Some("panel-7_TIME42".to_owned()) });
        }
    }

    #[test]
    fn a_start_in_the_background_does_not_raise_the_window() {
        let folder = tempfile::tempdir().unwrap();
        let received = first(folder.path());
        let start = |files: &[PathBuf]| super::claim(folder.path(), files, None, true).unwrap();
        assert!(matches!(start(&[]), Instance::Second));
        let files = [PathBuf::from("/a")];
        assert!(matches!(start(&files), Instance::Second));
        assert_eq!(received.recv().unwrap(), files, "it only hands over files");
    }

    #[test]
    fn a_first_of_version_0_2_0_receives_no_token() {
        let folder = tempfile::tempdir().unwrap();
        let Instance::First(first) = claim(folder.path(), &[]).unwrap() else { panic!("there is no other") };
        let (sender, received) = channel();
        first.listen(move |request| sender.send(request).unwrap()).unwrap();
        // Its lock file is empty.
        File::create(folder.path().join(LOCK)).unwrap();
        super::claim(folder.path(), &[], Some("panel-7_TIME42"), false).unwrap();
        assert_eq!(received.recv().unwrap(), Request { files: Vec::new(), token: None });
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_library_with_a_long_path_has_one_window() {
        let folder = tempfile::tempdir().unwrap();
        let long = folder.path().join("l".repeat(200));
        std::fs::create_dir(&long).unwrap();
        let received = first(&long);
        assert!(matches!(claim(&long, &[PathBuf::from("/a")]).unwrap(), Instance::Second));
        assert_eq!(received.recv().unwrap(), [PathBuf::from("/a")]);
        let mode = std::fs::metadata(long.join(SOCKET)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn only_the_user_may_reach_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let _first = claim(folder.path(), &[]).unwrap();
        for name in [LOCK, SOCKET] {
            let mode = std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }

    #[test]
    fn the_socket_of_a_window_that_crashed_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        drop(claim(folder.path(), &[]).unwrap());
        assert!(folder.path().join(SOCKET).exists());
        assert!(matches!(claim(folder.path(), &[]).unwrap(), Instance::First(_)));
    }

    #[test]
    fn a_first_that_does_not_answer_is_an_error_and_keeps_no_one_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let silent = claim(folder.path(), &[]).unwrap();
        assert!(claim(folder.path(), &[]).is_err());
        drop(silent);
    }

    #[test]
    fn a_start_while_the_first_quits_is_the_next_first() {
        let folder = tempfile::tempdir().unwrap();
        let Instance::First(quitting) = claim(folder.path(), &[]).unwrap() else { panic!("there is no other") };
        let claimed = quitting.releasable().unwrap();
        let (sender, received) = channel();
        quitting.listen(move |request| sender.send(request.files).unwrap()).unwrap();
        claimed.release().unwrap();
        let of_next = first(folder.path());
        assert!(matches!(claim(folder.path(), &[PathBuf::from("/a")]).unwrap(), Instance::Second));
        assert_eq!(of_next.recv().unwrap(), [PathBuf::from("/a")]);
        assert!(received.try_recv().is_err(), "the former window receives nothing");
    }

    #[test]
    fn a_start_that_is_not_answered_because_the_first_quits_claims_the_library() {
        let folder = tempfile::tempdir().unwrap();
        let Instance::First(quitting) = claim(folder.path(), &[]).unwrap() else { panic!("there is no other") };
        let claimed = quitting.releasable().unwrap();
        let path = folder.path().to_owned();
        let second = std::thread::spawn(move || claim(&path, &[PathBuf::from("/a")]).unwrap());
        // It waits for an answer.
        let (waiting, _) = quitting.listener.accept().unwrap();
        claimed.release().unwrap();
        drop(waiting);
        assert!(matches!(second.join().unwrap(), Instance::First(_)));
    }

    #[test]
    fn junk_is_refused_and_the_next_start_is_received() {
        let folder = tempfile::tempdir().unwrap();
        let received = first(folder.path());
        let mut stream = UnixStream::connect(folder.path().join(SOCKET)).unwrap();
        let junk = vec![b'x'; usize::try_from(MAX_REQUEST).unwrap() + 1];
        // The first may stop reading before everything is written.
        stream.write_all(&junk).and_then(|()| stream.shutdown(std::net::Shutdown::Write)).ok();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok();
        assert_eq!(answer, b"");
        assert!(matches!(claim(folder.path(), &[PathBuf::from("/a")]).unwrap(), Instance::Second));
        assert_eq!(received.recv().unwrap(), [PathBuf::from("/a")]);
    }
}
