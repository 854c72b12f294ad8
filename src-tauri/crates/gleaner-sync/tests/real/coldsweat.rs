//! A real Coldsweat, a server with the Fever API. `COLDSWEAT_BIN` names the `bin` folder of a virtual environment with Coldsweat.

use crate::{Device, feed, free_port, script, skip};
use gleaner_fetch::{Fetcher, Limits};
use gleaner_sync::{Kind, Report, SyncError, find};
use gleaner_testserver::Server;
use std::{
    path::{Path, PathBuf},
    process::Command,
};
use url::Url;

const USER: &str = "alice@example.com";
const PASSWORD: &str = "secret-password";

struct Coldsweat {
    script: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

impl Coldsweat {
    /// Starts a server with the feeds of a list.
    fn start(list: &str) -> Option<Self> {
        let script = script("coldsweat-up.sh")?;
        if !Path::new(&std::env::var_os("COLDSWEAT_BIN")?).join("coldsweat").exists() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let opml = folder.path().join("list.opml");
        std::fs::write(&opml, list).unwrap();
        let server = Self { script, folder, port: free_port() };
        let started = server.run(&["up"], Some(&opml));
        assert!(started.contains("up: http"), "the server did not start: {started}");
        Some(server)
    }

    fn run(&self, words: &[&str], opml: Option<&Path>) -> String {
        let mut run = Command::new("bash");
        run.arg(&self.script).args(words).arg(self.port.to_string()).arg(self.folder.path().join("server")).args(opml);
        let done = run.output().unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr)
    }

    fn address(&self) -> Url {
        format!("http://127.0.0.1:{}/", self.port).parse().unwrap()
    }
}

impl Drop for Coldsweat {
    fn drop(&mut self) {
        self.run(&["down"], None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_devices_agree_through_a_real_server() {
    let feeds = Server::start().await;
    feeds.on_request("*", |request| feed(&request.target, 60));
    let outlines: String = (1..=2)
        .map(|number| {
            format!("<outline type='rss' text='Feed {number}' xmlUrl='{}'/>", feeds.url(&format!("/{number}.xml")))
        })
        .collect();
    let list = format!("<opml version='2.0'><head/><body><outline text='News'>{outlines}</outline></body></opml>");
    let Some(server) = tokio::task::spawn_blocking(move || Coldsweat::start(&list)).await.unwrap() else {
        return skip("coldsweat-up.sh", "COLDSWEAT_BIN");
    };
    let address = server.address();
    let fetcher = Fetcher::new(Limits::default()).unwrap();
    let refused = find(&fetcher, &address, None, USER, "wrong", None).await;
    assert!(matches!(refused, Err(SyncError::Login)), "{refused:?}");

    let mut one = Device::new(&address, USER, PASSWORD, Kind::Fever).await;
    let report = one.sync().await;
    assert_eq!((report.new, report.feeds_added, report.incomplete), (120, 2, false));
    assert_eq!(one.sync().await, Report::default(), "nothing changed");
    let mut two = Device::new(&address, USER, PASSWORD, Kind::Fever).await;
    assert_eq!(two.sync().await.new, 120);
    assert_eq!(two.marks().await, one.marks().await);

    let items = one.items().await;
    one.library.articles().mark(&items[..20], Some(true), None).await.unwrap();
    one.library.articles().mark(&items[15..25], None, Some(true)).await.unwrap();
    assert_eq!(one.sync().await.sent, 30);
    assert_eq!(two.sync().await.changed, 25);
    assert_eq!(two.marks().await, one.marks().await);

    // Both at the same time, and what both mark.
    let others = two.items().await;
    two.library.articles().mark(&others[18..22], Some(false), Some(false)).await.unwrap();
    one.library.articles().mark(&items[100..], Some(true), None).await.unwrap();
    one.sync().await;
    two.sync().await;
    one.sync().await;
    assert_eq!(two.marks().await, one.marks().await);
    assert_eq!(one.sync().await, Report::default());
    tokio::task::spawn_blocking(move || drop(server)).await.unwrap();
}
