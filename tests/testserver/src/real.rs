//! Real feed reader servers, where the scripts that start them are next to the checkout (`shared/servers`). Their packages must be installed
//! if `CI` is set; elsewhere a test is skipped without them. `make core-test` and `make end-to-end-test` install them.
#![allow(clippy::unwrap_used)]

mod coldsweat;
mod tt_rss;

pub use coldsweat::Coldsweat;
pub use tt_rss::TtRss;

use crate::Reply;
use std::{
    ffi::OsStr,
    fmt::Write as _,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A server that a script starts and ends.
struct Running {
    script: PathBuf,
    folder: TempDir,
    port: u16,
}

impl Running {
    /// Prepares a server on a free port; `None` without the script. The script may use the next port, too.
    fn of(name: &str) -> Option<Self> {
        Some(Self { script: script(name)?, folder: tempfile::tempdir().unwrap(), port: free_port() })
    }

    /// Returns the address of the server as a user enters it.
    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Runs the script, and returns what it printed. Blocks.
    fn run(&self, command: &str, last: impl AsRef<OsStr>, environment: &[(&str, &str)]) -> String {
        let mut run = Command::new("bash");
        run.arg(&self.script).args([command, &self.port.to_string()]).arg(self.folder.path().join("server"));
        let done = run.arg(last).envs(environment.iter().copied()).output().unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr)
    }
}

/// Returns a script that starts a server.
fn script(name: &str) -> Option<PathBuf> {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.map(|folder| folder.join("shared/servers").join(name)).find(|script| script.exists())
}

/// Explains why a test does nothing.
///
/// # Panics
/// In CI, if the scripts are there: then the packages must be, too.
pub fn skip(name: &str, needs: &str) {
    let ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
    assert!(!ci || script(name).is_none(), "needs {needs}");
    println!("skipped: needs shared/servers/{name} and {needs}");
}

/// Returns a free port that is followed by another one. Systems give no such port to others, who take those above 32,768.
///
/// # Panics
/// Panics when no port is free.
#[must_use]
pub fn free_port() -> u16 {
    let first = 20_000 + u16::try_from(std::process::id() % 6_000).unwrap() * 2;
    let is_free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    (first..32_000).chain(20_000..first).step_by(2).find(|port| is_free(*port) && is_free(port + 1)).unwrap()
}

/// Whether a program can be run.
fn runs(program: impl AsRef<OsStr>, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok_and(|done| done.status.success())
}

/// Returns a feed whose number is in its address, with as many items.
pub fn feed(target: &str, items: usize) -> Reply {
    let number = target.rsplit('/').next().and_then(|name| name.strip_suffix(".xml")).unwrap_or_default();
    let mut rows = String::new();
    for item in 0..items {
        let (hour, minute) = (item / 60, item % 60);
        write!(
            rows,
            "<item><title>Article {item} of {number}</title><link>http://feeds.test/{number}/{item}</link>\
             <guid isPermaLink=\"false\">{number}-{item}</guid><pubDate>Sun, 22 Nov 2026 {hour:02}:{minute:02}:00 GMT</pubDate>\
             <description>&lt;p&gt;Text {item} of {number}&lt;/p&gt;</description></item>"
        )
        .unwrap();
    }
    let feed = format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Feed {number} &amp; co</title>\
         <link>http://feeds.test/</link><description>x</description>{rows}</channel></rss>"
    );
    Reply::ok(feed).header("Content-Type", "application/rss+xml")
}
