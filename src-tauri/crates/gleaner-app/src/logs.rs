//! The log: one file in the library's folder, rotated when it is full. It contains no secrets and no article text.

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex},
};
pub use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::{fmt, layer::SubscriberExt as _, util::SubscriberInitExt as _};

/// The beginning of the address of a file.
const FILE: &str = "file://";
/// Size at which the log is rotated, in bytes. One rotated log is kept.
const ROTATE_AT: u64 = 1 << 20;

/// Returns the path of the log of the library in `folder`.
#[must_use]
pub fn path(folder: &Path) -> PathBuf {
    folder.join("gleaner.log")
}

/// Starts to write the log of the library in `folder`, and messages of at least the level `terminal` to standard error.
///
/// # Errors
/// The log cannot be opened. Messages then go to standard error only.
pub fn start(folder: &Path, terminal: LevelFilter) -> io::Result<()> {
    // An error of a layer would be printed to standard error, and printing panics if that cannot be written either, as on a full disk.
    let to_terminal = fmt::layer().with_writer(|| Redacted(io::stderr())).without_time().with_target(false);
    let to_terminal = to_terminal.with_ansi(false).log_internal_errors(false);
    let to_terminal = tracing_subscriber::Layer::with_filter(to_terminal, terminal);
    let (log, result) = match Log::open(path(folder)) {
        Ok(log) => (Some(log), Ok(())),
        Err(error) => (None, Err(error)),
    };
    let to_file = log.map(|log| {
        let layer = fmt::layer().with_ansi(false).log_internal_errors(false).with_writer(Mutex::new(Redacted(log)));
        tracing_subscriber::Layer::with_filter(layer, LevelFilter::INFO)
    });
    // A second start in one process keeps the first log.
    if let Err(error) = tracing_subscriber::registry().with(to_terminal).with(to_file).try_init() {
        return Err(io::Error::other(error));
    }
    result
}

/// A file that is renamed when it is full.
struct Log {
    path: PathBuf,
    file: File,
    size: u64,
}

impl Log {
    fn open(path: PathBuf) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            let mut builder = DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(folder)?;
        }
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        let size = file.metadata()?.len();
        Ok(Self { path, file, size })
    }

    /// Starts a new file. After an error, such as that of a full disk, the next message tries again.
    fn rotate(&mut self) -> io::Result<()> {
        match std::fs::rename(&self.path, self.path.with_extension("old.log")) {
            // Renamed before by this or another process, or deleted by the user.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            renamed => renamed?,
        }
        *self = Self::open(self.path.clone())?;
        Ok(())
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.size >= ROTATE_AT {
            self.rotate()?;
        }
        let written = self.file.write(bytes)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Removes possible secrets from addresses: user names, passwords, queries and fragments. Also removes the paths of file addresses, and the
/// user's folder from other paths.
struct Redacted<W>(W);

impl<W: Write> Write for Redacted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(redacted(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

pub(crate) fn redacted(text: &str) -> String {
    static HOME: LazyLock<Option<String>> = LazyLock::new(|| {
        let home = std::env::home_dir()?.to_str()?.trim_end_matches(['/', '\\']).to_owned();
        // The home folder of a system service may be the root.
        (!home.is_empty()).then_some(home)
    });
    without_home(&without_secrets(text), HOME.as_deref())
}

/// Writes `~` for the user's folder, whose path usually contains the user's name.
fn without_home(text: &str, home: Option<&str>) -> String {
    let Some(home) = home else { return text.to_owned() };
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(home) {
        let (before, after) = (&rest[..at], &rest[at + home.len()..]);
        // Only if it is not part of a longer name or of another path.
        let is_part = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        let alone = !after.starts_with(is_part) && !before.ends_with(|c| is_part(c) || c == '/');
        out.push_str(before);
        out.push_str(if alone { "~" } else { home });
        rest = after;
    }
    out.push_str(rest);
    out
}

fn without_secrets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Other characters, such as `)` and `'`, may be part of a password or query.
    let ends = |c: char| c.is_whitespace() || "\"<>".contains(c);
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let scheme = before.as_bytes();
        if scheme.len() >= FILE.len() && scheme[scheme.len() - FILE.len()..].eq_ignore_ascii_case(FILE.as_bytes()) {
            out.push('…');
            rest = &after[after.find(ends).unwrap_or(after.len())..];
            continue;
        }
        let authority = after.find(|c| ends(c) || "/?#".contains(c)).unwrap_or(after.len());
        let host = after[..authority].rfind('@').map_or(0, |at| at + 1);
        // Another address may follow in the path, or a scheme that is written twice.
        let begin = authority - usize::from(after[..authority].ends_with(':'));
        let path = after[begin..].find("://").map_or(after.len(), |at| begin + at);
        let path = after[begin..path].find(|c| ends(c) || "?#".contains(c)).map_or(path, |at| begin + at);
        out.push_str(&after[host..path]);
        rest = &after[path..];
        if rest.starts_with(['?', '#']) {
            out.push_str("?…");
            let query = &rest[..rest.find(ends).unwrap_or(rest.len())];
            rest = &rest[query.trim_end_matches([')', '\'', ':', ',']).len()..];
        }
    }
    out.push_str(rest);
    out
}

/// Returns the last lines of the log of the library in `folder`, at most `count`.
///
/// # Errors
/// The log cannot be read.
pub fn last_lines(folder: &Path, count: usize) -> io::Result<Vec<String>> {
    let text = String::from_utf8_lossy(&std::fs::read(path(folder))?).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    Ok(lines[lines.len().saturating_sub(count)..].iter().map(|line| (*line).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn secrets_in_addresses_are_not_logged() {
        for (text, logged) in [
            (
                "GET https://ada:secret@feeds.example/x.xml?token=abc#top failed",
                "GET https://feeds.example/x.xml?… failed",
            ),
            ("\"http://a.example?key=1\" and http://b.example/", "\"http://a.example?…\" and http://b.example/"),
            ("https://user@host", "https://host"),
            ("https://ada:p)w@host/x and https://ada:p'w@host/x", "https://host/x and https://host/x"),
            ("of (https://host/x?token=ab)cd'ef): gone", "of (https://host/x?…): gone"),
            ("'https://host/x','https://ada:pw@host/y?z'", "'https://host/x','https://host/y?…'"),
            ("https://host/x://ada:pw@host?y://z/secret end", "https://host/x://host?… end"),
            ("https://https://ada:pw@host/ and x://", "https://https://host/ and x://"),
            ("no address: a://", "no address: a://"),
            ("of \"file:///home/ada/My%20feed.xml\" failed", "of \"file://…\" failed"),
            ("é file:///x", "é file://…"),
        ] {
            assert_eq!(without_secrets(text), logged, "{text}");
        }
    }

    #[test]
    fn the_name_of_the_user_in_paths_is_not_logged() {
        for (text, logged) in [
            (
                "cannot read the library in /home/ada/.local/share/gleaner: x",
                "cannot read the library in ~/.local/share/gleaner: x",
            ),
            ("\"/home/ada\" and /home/ada", "\"~\" and ~"),
            ("/home/adam and /mnt/home/ada and /home/ada.old", "/home/adam and /mnt/home/ada and /home/ada.old"),
        ] {
            assert_eq!(without_home(text, Some("/home/ada")), logged, "{text}");
            assert_eq!(without_home(text, None), text);
        }
    }

    #[test]
    fn a_log_that_cannot_be_rotated_is_written_again_once_it_can() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::open(path(folder.path())).unwrap();
        let old = folder.path().join("gleaner.old.log");
        std::fs::create_dir(&old).unwrap();
        log.write_all(&vec![b'x'; ROTATE_AT as usize]).unwrap();
        for _ in 0..2 {
            log.write_all(b"lost\n").unwrap_err();
        }
        assert_eq!(std::fs::metadata(path(folder.path())).unwrap().len(), ROTATE_AT, "a full log does not grow");
        std::fs::remove_dir(&old).unwrap();
        log.write_all(b"one\n").unwrap();
        assert_eq!(last_lines(folder.path(), 2).unwrap(), ["one"]);
        // It was renamed, and then no new one could be created.
        log.write_all(&vec![b'x'; ROTATE_AT as usize]).unwrap();
        std::fs::remove_file(path(folder.path())).unwrap();
        log.write_all(b"two\n").unwrap();
        assert_eq!(last_lines(folder.path(), 2).unwrap(), ["two"]);
    }

    #[test]
    fn a_full_log_is_rotated_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::open(path(folder.path())).unwrap();
        log.write_all(&vec![b'x'; ROTATE_AT as usize]).unwrap();
        log.write_all(b"one\ntwo\nthree\n").unwrap();
        assert_eq!(last_lines(folder.path(), 2).unwrap(), ["two", "three"]);
        let old = folder.path().join("gleaner.old.log");
        assert_eq!(std::fs::metadata(&old).unwrap().len(), ROTATE_AT);
        #[cfg(unix)]
        for file in [old, path(folder.path())] {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
