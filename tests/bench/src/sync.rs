//! Accounts on servers: `gleaner-bench sync` synchronises 10,000 articles in 200 feeds with scripted servers, and with the real ones whose
//! scripts and packages are available.

use crate::{process::run, row};
use gleaner_library::{Library, ListQuery, Source};
use gleaner_testserver::{
    Server,
    fever::{self, Fever},
    google_reader::{self, GoogleReader},
    miniflux::Miniflux,
    real::{Coldsweat, TtRss, feed},
    tt_rss,
};
use serde_json::Value;
use std::{
    fmt::Write as _,
    path::Path,
    time::{Duration, Instant},
};
use tokio::process::Command;

const FEEDS: usize = 200;
const ARTICLES: usize = 50;
const CHANGES: usize = 50;

pub async fn measure() {
    println!("\n| server | requests, seconds, megabytes |\n|---|---|");
    let greader = GoogleReader::start(google_reader::Dialect::FreshRss, FEEDS, ARTICLES).await;
    account("FreshRSS, scripted", &greader.address(), "alice", "sesame").await;
    let miniflux = Miniflux::start(FEEDS as u64, ARTICLES).await;
    account("Miniflux, scripted", &miniflux.server.url("/"), "alice", "sesame").await;
    let fever = Fever::start(fever::Dialect::Yarr, FEEDS as i64, ARTICLES).await;
    account("Fever (yarr), scripted", &fever.server.url("/fever/"), "alice", "sesame").await;
    let tt = tt_rss::TtRss::start(FEEDS as u64, ARTICLES).await;
    account("tt-rss, scripted", &tt.server.url("/"), "alice", "sesame").await;

    let feeds = Server::start().await;
    feeds.on_request("*", |request| feed(&request.target, ARTICLES));
    let urls = |base: &str| (1..=FEEDS).map(|number| format!("{base}{number}.xml")).collect::<Vec<_>>();
    let outlines: String = urls(&feeds.url("/")).iter().fold(String::new(), |mut all, url| {
        write!(all, "<outline type='rss' text='Feed' xmlUrl='{url}'/>").unwrap();
        all
    });
    let list = format!("<opml version='2.0'><head/><body>{outlines}</body></opml>");
    match tokio::task::spawn_blocking(move || Coldsweat::start(&list)).await.unwrap() {
        Some(server) => {
            account("Coldsweat, real", &server.address(), Coldsweat::USER, Coldsweat::PASSWORD).await;
            tokio::task::spawn_blocking(move || drop(server)).await.unwrap();
        }
        None => row("Coldsweat, real", "not at hand"),
    }
    let proxy = feeds.address().to_string();
    match tokio::task::spawn_blocking(move || TtRss::start(proxy)).await.unwrap() {
        Some(server) => {
            let scratch = tempfile::tempdir().unwrap();
            add(scratch.path(), &server.address(), TtRss::USER, TtRss::PASSWORD).await;
            let library = Library::open(scratch.path()).await.unwrap();
            for url in urls("http://feeds.test/") {
                library.sync().subscribe(1 + gleaner_library::LOCAL_ACCOUNT, &url, None, None).await.unwrap();
            }
            drop(library);
            run(scratch.path(), &["account", "sync"]).await;
            let server = tokio::task::spawn_blocking(move || {
                server.refresh();
                server
            });
            let server = server.await.unwrap();
            account("tt-rss, real", &server.address(), TtRss::USER, TtRss::PASSWORD).await;
            tokio::task::spawn_blocking(move || drop(server)).await.unwrap();
        }
        None => row("tt-rss, real", "not at hand"),
    }
}

/// Adds an account to a library, and synchronises it for the first time.
async fn add(library: &Path, address: &str, user: &str, password: &str) {
    let file = library.with_extension("password");
    std::fs::write(&file, password).unwrap();
    let file = file.to_str().unwrap();
    let words = ["account", "add", address, "--user", user, "--password-file", file, "--password-in-library"];
    run(library, &words).await;
}

/// Measures an account from its first synchronisation on.
async fn account(what: &str, address: &str, user: &str, password: &str) {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("library");
    let library = Library::open(&folder).await.unwrap();
    // Another process synchronises; here the list is opened all the time.
    let (mut opened, mut first, began) = (Vec::new(), None, Instant::now());
    let adding = add(&folder, address, user, password);
    tokio::pin!(adding);
    loop {
        tokio::select! {
            () = &mut adding => break,
            (took, rows) = open_list(&library) => {
                opened.push(took);
                if rows > 0 && first.is_none() {
                    first = Some(began.elapsed());
                }
            }
        }
    }
    opened.sort();
    let at = |part: usize| opened[(opened.len() - 1) * part / 100].as_secs_f64() * 1e3;
    let first = first.map_or(f64::NAN, |first| first.as_secs_f64());
    row(
        &format!("{what}: first synchronisation"),
        &format!(
            "{}; first articles after {first:.1} s; a list opens in {:.1} ms (median), {:.1} (p99), {:.1} at most",
            last(&folder).await,
            at(50),
            at(99),
            at(100)
        ),
    );
    let items: Vec<i64> = {
        let known = library.sync().known(1 + gleaner_library::LOCAL_ACCOUNT).await.unwrap();
        known.values().filter_map(|known| known.item).collect()
    };
    assert_eq!(items.len(), FEEDS * ARTICLES, "{what}");

    let (before, began) = (library.bytes_on_disk(), Instant::now());
    run(&folder, &["account", "sync"]).await;
    let wrote = if library.bytes_on_disk() == before { "nothing" } else { "something" };
    row(&format!("{what}: nothing changed"), &format!("{:.2} s, writes {wrote}", began.elapsed().as_secs_f64()));

    library.articles().mark(&items[..CHANGES - 10], Some(true), None).await.unwrap();
    library.articles().mark(&items[CHANGES - 10..CHANGES], None, Some(true)).await.unwrap();
    run(&folder, &["account", "sync"]).await;
    row(&format!("{what}: {CHANGES} changes"), &last(&folder).await);

    library.articles().mark(&items, Some(true), None).await.unwrap();
    run(&folder, &["account", "sync"]).await;
    row(&format!("{what}: {} marked as read", FEEDS * ARTICLES), &last(&folder).await);
}

/// Opens the list of all articles. Returns the time, and the number of its articles.
async fn open_list(library: &Library) -> (Duration, usize) {
    let query = ListQuery::newest(Source::All, 50);
    let began = Instant::now();
    let (rows, _) = library.lists().page(query).await.unwrap();
    let took = began.elapsed();
    // pause: so that this does not use a core of its own.
    tokio::time::sleep(Duration::from_millis(5)).await;
    (took, rows.len())
}

/// Returns what the log says of the last synchronisation.
async fn last(library: &Path) -> String {
    let program = crate::process::program("GLEANER_GLEAN", "glean");
    let log = Command::new(program).arg("--library").arg(library).args(["account", "log", "2", "--json"]).output();
    let log: Value = serde_json::from_slice(&log.await.unwrap().stdout).unwrap();
    let entry = &log[0];
    let number = |name: &str| entry[name].as_f64().unwrap();
    format!("{} requests, {:.2} s, {:.2} MB", number("requests"), number("took_ms") / 1e3, number("bytes") / 1e6)
}
