//! A real Tiny Tiny RSS, where the script that starts one and its packages (PHP, PostgreSQL) are at hand.
#![allow(clippy::unwrap_used)]

use gleaner_fetch::{Accept, Fetcher, Limits, Method, Payload, Request};
use gleaner_library::{Library, NewAccount};
use gleaner_polling::rules::Rules;
use gleaner_sync::{Client, Connection, Kind, Options, Report, SyncError, find};
use gleaner_testserver::{Reply, Server};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fmt::Write,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use tokio_util::sync::CancellationToken;
use url::Url;

const PASSWORD: &str = "sesame";

/// Returns the script that starts the server.
fn script() -> Option<PathBuf> {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.map(|folder| folder.join("shared/servers/ttrss-up.sh")).find(|script| script.exists())
}

fn runs(program: impl AsRef<OsStr>, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok_and(|done| done.status.success())
}

struct TtRss {
    script: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    proxy: String,
}

impl TtRss {
    fn start(proxy: String) -> Option<Self> {
        let (script, php) = (script()?, runs("php", "--version"));
        if !php || !runs("psql", "--version") {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        // The database runs as another user.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        // The script also uses the next port.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Self { script, folder, port, proxy };
        let started = server.run("up");
        assert!(started.contains("session_id"), "the server did not start: {started}");
        Some(server)
    }

    fn run(&self, command: &str) -> String {
        let mut run = Command::new("bash");
        run.arg(&self.script).args([command, &self.port.to_string()]).arg(self.folder.path().join("server"));
        let done = run.arg(PASSWORD).env("FEEDS_PROXY", &self.proxy).output().unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr)
    }

    fn address(&self) -> Url {
        format!("http://127.0.0.1:{}/", self.port).parse().unwrap()
    }
}

impl Drop for TtRss {
    fn drop(&mut self) {
        self.run("down");
    }
}

fn feed(target: &str) -> Reply {
    let number = target.rsplit('/').next().and_then(|name| name.strip_suffix(".xml")).unwrap_or_default();
    let mut items = String::new();
    for item in 0..150 {
        let (hour, minute) = (item / 60, item % 60);
        write!(
            items,
            "<item><title>Article {item} of {number}</title><link>http://feeds.test/{number}/{item}</link>\
             <guid isPermaLink=\"false\">{number}-{item}</guid><pubDate>Sun, 22 Nov 2026 {hour:02}:{minute:02}:00 GMT</pubDate>\
             <description>&lt;p&gt;Text {item} of {number}&lt;/p&gt;</description></item>"
        )
        .unwrap();
    }
    let feed = format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Feed {number} &amp; co</title>\
         <link>http://feeds.test/</link><description>x</description>{items}</channel></rss>"
    );
    Reply::ok(feed).header("Content-Type", "application/rss+xml")
}

/// Sends a request to the API, and returns the content of the response.
async fn ask(address: &Url, body: Value) -> Value {
    let payload =
        Payload { method: Method::Post, content_type: "application/json", body: body.to_string().into_bytes() };
    let request = Request::new(address.join("api/").unwrap()).accept(Accept::Api);
    let request = Request { payload: Some(payload), ..request };
    let answer = Fetcher::new(Limits::default()).unwrap().fetch(request).await.unwrap();
    serde_json::from_slice::<Value>(&answer.body.unwrap()).unwrap()["content"].take()
}

/// A device with an account at the server.
struct Device {
    _folder: tempfile::TempDir,
    library: Library,
    account: i64,
    client: Client,
}

impl Device {
    async fn new(address: &Url) -> Self {
        let fetcher = Fetcher::new(Limits::default()).unwrap();
        let found = find(&fetcher, address, None, "admin", PASSWORD, None).await.unwrap();
        assert_eq!((found.kind, found.base.path(), found.labels), (Kind::TtRss, "/api", true));
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let new = NewAccount {
            kind: found.kind.name().to_owned(),
            name: "Server".to_owned(),
            labels: true,
            history: 10_000,
            ..NewAccount::default()
        };
        let account = library.accounts().add(&new).await.unwrap();
        let connection = Connection { fetcher, base: found.base, certificate: None };
        let client = Client::new(found.kind, connection, "admin", PASSWORD.to_owned());
        Self { _folder: folder, library, account, client }
    }

    async fn sync(&mut self) -> Report {
        let account = self.library.accounts().get(self.account).await.unwrap();
        let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
        self.client.sync(&self.library, &account, &rules, &options, &cancel).await.unwrap()
    }

    /// Read and starred by the id at the server.
    async fn marks(&self) -> BTreeMap<String, (bool, bool)> {
        let mut marks = BTreeMap::new();
        for (id, known) in self.library.sync().known(self.account).await.unwrap() {
            let row = self.library.articles().get(known.item.unwrap()).await.unwrap();
            marks.insert(id, (row.read, row.starred));
        }
        marks
    }

    async fn items(&self) -> Vec<i64> {
        let known = self.library.sync().known(self.account).await.unwrap();
        let known: BTreeMap<_, _> = known.into_iter().collect();
        known.into_values().filter_map(|known| known.item).collect()
    }
}

#[tokio::test]
async fn two_devices_agree_through_a_real_server() {
    let feeds = Server::start().await;
    feeds.on_request("*", |request| feed(&request.target));
    let proxy = feeds.address().to_string();
    let Some(server) = tokio::task::spawn_blocking(|| TtRss::start(proxy)).await.unwrap() else {
        println!("skipped: needs shared/servers/ttrss-up.sh, PHP and PostgreSQL");
        return;
    };
    let address = server.address();
    let fetcher = Fetcher::new(Limits::default()).unwrap();
    let refused = find(&fetcher, &address, None, "admin", "wrong", None).await;
    assert!(matches!(refused, Err(SyncError::Login)), "{refused:?}");

    let mut one = Device::new(&address).await;
    for number in 1..=3 {
        let url = format!("http://feeds.test/{number}.xml");
        one.library.sync().subscribe(one.account, &url, None, None).await.unwrap();
    }
    assert_eq!(one.sync().await.changes_sent, 3);
    let session = ask(&address, json!({ "op": "login", "user": "admin", "password": PASSWORD })).await;
    for feed in one.library.sync().feeds(one.account).await.unwrap().keys() {
        let fetched = ask(&address, json!({ "op": "updateFeed", "sid": session["session_id"], "feed_id": feed })).await;
        assert_eq!(fetched["status"], "OK");
    }
    one.sync().await;
    let first = one.marks().await;
    assert_eq!(first.len(), 450);
    assert!(first.values().all(|marks| *marks == (false, false)));
    assert_eq!(one.sync().await, Report::default(), "nothing changed");

    let mut two = Device::new(&address).await;
    let report = two.sync().await;
    assert_eq!((report.new, report.feeds_added, report.incomplete), (450, 3, false));
    assert_eq!(two.marks().await, first);

    let items = one.items().await;
    one.library.articles().mark(&items[..300], Some(true), None).await.unwrap();
    one.library.articles().mark(&items[290..310], None, Some(true)).await.unwrap();
    assert_eq!(one.sync().await.sent, 320);
    let report = two.sync().await;
    assert_eq!((report.changed, report.incomplete), (310, false));
    assert_eq!(two.marks().await, one.marks().await);

    // Both at the same time, and what both mark.
    let others = two.items().await;
    two.library.articles().mark(&others[295..305], Some(false), Some(false)).await.unwrap();
    one.library.articles().mark(&items[400..], Some(true), None).await.unwrap();
    one.sync().await;
    two.sync().await;
    one.sync().await;
    assert_eq!(two.marks().await, one.marks().await);
    assert_eq!(one.sync().await, Report::default());
    assert_eq!(two.sync().await, Report::default());

    let feeds = one.library.sync().feeds(one.account).await.unwrap();
    one.library.feeds().unsubscribe(&[*feeds.values().min().unwrap()]).await.unwrap();
    assert_eq!(one.sync().await.changes_sent, 1);
    assert_eq!(two.sync().await.feeds_left, 1);
    tokio::task::spawn_blocking(move || drop(server)).await.unwrap();
}
