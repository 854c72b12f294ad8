//! Real servers, where the scripts that start them are next to the checkout. Their packages must be installed if `CI` is set;
//! elsewhere a test is skipped without them. `make core-test` installs them.
#![allow(clippy::unwrap_used)]

mod coldsweat;
mod tt_rss;

use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::{Library, NewAccount};
use gleaner_polling::rules::Rules;
use gleaner_sync::{Client, Connection, Kind, Options, Report, find};
use gleaner_testserver::Reply;
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fmt::Write,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Returns a script that starts a server.
pub(crate) fn script(name: &str) -> Option<PathBuf> {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.map(|folder| folder.join("shared/servers").join(name)).find(|script| script.exists())
}

/// Explains why a test does nothing.
///
/// # Panics
/// In CI, if the scripts are there: then the packages must be, too.
pub(crate) fn skip(name: &str, needs: &str) {
    let ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
    assert!(!ci || script(name).is_none(), "needs {needs}");
    println!("skipped: needs shared/servers/{name} and {needs}");
}

/// Returns a free port that is followed by another one. Systems give no such port to others, who take those above 32,768.
pub(crate) fn free_port() -> u16 {
    let first = 20_000 + u16::try_from(std::process::id() % 6_000).unwrap() * 2;
    let is_free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    (first..32_000).chain(20_000..first).step_by(2).find(|port| is_free(*port) && is_free(port + 1)).unwrap()
}

pub(crate) fn runs(program: impl AsRef<OsStr>, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok_and(|done| done.status.success())
}

/// Returns a feed whose number is in its address, with as many items.
pub(crate) fn feed(target: &str, items: usize) -> Reply {
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

/// A device with an account at the server.
pub(crate) struct Device {
    _folder: tempfile::TempDir,
    pub(crate) library: Library,
    pub(crate) account: i64,
    client: Client,
}

impl Device {
    /// Adds an account of the kind that is found at the address.
    pub(crate) async fn new(address: &Url, user: &str, password: &str, kind: Kind) -> Self {
        let fetcher = Fetcher::new(Limits::default()).unwrap();
        let found = find(&fetcher, address, None, user, password, None).await.unwrap();
        assert_eq!(found.kind, kind);
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let new = NewAccount {
            kind: found.kind.name().to_owned(),
            name: "Server".to_owned(),
            labels: found.labels,
            history: 10_000,
            ..NewAccount::default()
        };
        let account = library.accounts().add(&new).await.unwrap();
        let connection = Connection { fetcher, base: found.base, certificate: None };
        let client = Client::new(found.kind, connection, user, password.to_owned());
        Self { _folder: folder, library, account, client }
    }

    pub(crate) async fn sync(&mut self) -> Report {
        let account = self.library.accounts().get(self.account).await.unwrap();
        let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
        self.client.sync(&self.library, &account, &rules, &options, &cancel).await.unwrap()
    }

    /// Read and starred by the id at the server.
    pub(crate) async fn marks(&self) -> BTreeMap<String, (bool, bool)> {
        let mut marks = BTreeMap::new();
        for (id, known) in self.library.sync().known(self.account).await.unwrap() {
            let row = self.library.articles().get(known.item.unwrap()).await.unwrap();
            marks.insert(id, (row.read, row.starred));
        }
        marks
    }

    pub(crate) async fn items(&self) -> Vec<i64> {
        let known = self.library.sync().known(self.account).await.unwrap();
        let known: BTreeMap<_, _> = known.into_iter().collect();
        known.into_values().filter_map(|known| known.item).collect()
    }
}
