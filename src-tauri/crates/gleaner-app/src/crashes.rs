//! Reports of panics. A panic writes one to the library's folder, and the window offers to copy it at the next start.

use crate::logs::redacted;
use chrono::SecondsFormat;
use gleaner_library::now_utc;
use std::{
    backtrace::Backtrace,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    panic::PanicHookInfo,
    path::{Path, PathBuf},
};

/// Maximum length of the panic's message, in characters.
const MAX_MESSAGE: usize = 300;
/// Maximum length of a quoted part of the message, in characters. A longer one is left out, since it may be text of an article.
const MAX_QUOTE: usize = 40;
/// Marks of quotes in messages of Rust.
const QUOTES: [char; 2] = ['`', '"'];
/// Maximum size of the backtrace, in bytes.
const MAX_BACKTRACE: usize = 64 << 10;

fn path(folder: &Path) -> PathBuf {
    folder.join("gleaner-crash.txt")
}

/// Exists while the user has not seen that there is a report.
fn unannounced_path(folder: &Path) -> PathBuf {
    folder.join("gleaner-crash.new")
}

/// Writes a report to the library in `folder` whenever this process panics, in addition to what the previous panic hook does.
pub fn record(folder: &Path) {
    let (folder, before) = (folder.to_owned(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        if let Err(error) = write(&folder, panic) {
            tracing::warn!(%error, "the report of a crash was not written");
        }
        before(panic);
    }));
}

fn write(folder: &Path, panic: &PanicHookInfo<'_>) -> io::Result<()> {
    let payload = panic.payload();
    let panic_message = payload.downcast_ref::<&str>().copied();
    let panic_message =
        panic_message.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current().name().unwrap_or("unnamed").to_owned();
    let mut backtrace = Backtrace::force_capture().to_string();
    backtrace.truncate(backtrace.floor_char_boundary(MAX_BACKTRACE));
    let report = format!(
        "{}\n\n{}\n{place}, thread {thread}\n{}\n\n{backtrace}\n",
        now_utc().to_rfc3339_opts(SecondsFormat::Secs, true),
        versions(),
        message(panic_message),
    );
    for (path, text) in [(path(folder), report.as_str()), (unannounced_path(folder), "")] {
        let mut options = OpenOptions::new();
        options.create(true).write(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Removes secrets in addresses and long quotes from a panic's message.
fn message(text: &str) -> String {
    let (text, mut out) = (redacted(text), String::new());
    let mut rest = text.as_str();
    while let Some(begin) = rest.find(QUOTES) {
        // The text of a quote may contain marks of the other kind.
        let (before, quoted) = rest.split_at(begin + 1);
        let end = end_of_quote(quoted, rest.as_bytes()[begin]);
        let quote = &quoted[..end];
        out.push_str(before);
        out.push_str(if quote.chars().count() > MAX_QUOTE { "…" } else { quote });
        let after = (end + 1).min(quoted.len());
        out.push_str(&quoted[end..after]);
        rest = &quoted[after..];
    }
    out.push_str(rest);
    out.chars().take(MAX_MESSAGE).collect()
}

/// Returns where a quote ends: at the next such mark without a backslash, as Rust writes one inside of a quote.
fn end_of_quote(quoted: &str, mark: u8) -> usize {
    let mut escaped = false;
    let ends = |byte: u8| {
        let is_end = byte == mark && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_end
    };
    quoted.bytes().position(ends).unwrap_or(quoted.len())
}

/// Returns the last report.
pub(crate) fn last(folder: &Path) -> Option<String> {
    fs::read_to_string(path(folder)).ok()
}

/// Returns whether there is a report that was not announced yet. It is announced now.
///
/// # Errors The file that marks the report as new cannot be removed.
pub(crate) fn announce(folder: &Path) -> io::Result<bool> {
    match fs::remove_file(unannounced_path(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        removed => removed.map(|()| true),
    }
}

/// Returns the versions of Gleaner and the system, on a line each.
pub(crate) fn versions() -> String {
    format!("Gleaner {}\nSystem: {} {}\n", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_panic_leaves_a_report_that_is_announced_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!announce(folder.path()).unwrap());
        assert_eq!(last(folder.path()), None);
        record(folder.path());
        let failed =
            std::thread::Builder::new().name("poller".to_owned()).spawn(|| panic!("no \"{}\"", "text ".repeat(20)));
        failed.unwrap().join().unwrap_err();
        let report = last(folder.path()).unwrap();
        for part in ["crashes.rs", "thread poller", "no \"…\"", env!("CARGO_PKG_VERSION"), std::env::consts::OS] {
            assert!(report.contains(part), "{part}: {report}");
        }
        assert!(announce(folder.path()).unwrap());
        assert!(!announce(folder.path()).unwrap());
        assert!(last(folder.path()).is_some(), "the diagnostics contain it further on");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(path(folder.path())).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn reports_contain_no_secrets_and_little_text() {
        assert_eq!(message("GET https://ada:pw@a.example/?key=1"), "GET https://a.example/?…");
        assert_eq!(
            message("inside 'é' of `a text of a publisher that is rather long, as they are`"),
            "inside 'é' of `…`"
        );
        assert_eq!(
            message("inside 'é' of `she said \"a text of a publisher that is rather long\" and \"so on` at 7"),
            "inside 'é' of `…` at 7"
        );
        assert_eq!(message(r#"no "she said \"a text of a publisher that is rather long\"" here"#), "no \"…\" here");
        assert_eq!(message("of `a text of a publisher that is rather long, as th"), "of `…");
        assert_eq!(
            message("called `Option::unwrap()` on a `None` value"),
            "called `Option::unwrap()` on a `None` value"
        );
        assert_eq!(message(&"x".repeat(1000)).len(), MAX_MESSAGE);
    }
}
