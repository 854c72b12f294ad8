//! `glean account` against a scripted server: adding, synchronising, removing and restoring, and what fails.
#![allow(clippy::unwrap_used)]

mod common;

use common::{json, run};
use gleaner_testserver::{
    Reply, Server, fever,
    google_reader::{Dialect, GoogleReader},
};
use std::{fs, path::Path};

/// Runs `glean account` with these words, the password being in a file.
fn account(home: &Path, words: &[&str]) -> (Option<i32>, String) {
    let (code, text) = run(&home.join("library"), &[&["account"], words].concat());
    assert!(!text.contains("sesame"), "a password is never printed: {text}");
    (code, text)
}

fn add<'a>(address: &'a str, file: &'a str) -> [&'a str; 9] {
    ["add", address, "--user", "alice", "--password-file", file, "--password-in-library", "--name", "Mine"]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_added_synchronised_removed_and_restored() {
    let home = tempfile::tempdir().unwrap();
    let library = home.path().join("library");
    let file = home.path().join("password");
    fs::write(&file, "sesame\n").unwrap();
    let server = GoogleReader::start(Dialect::FreshRss, 2, 10).await;
    let (code, text) = account(home.path(), &add(&server.address(), file.to_str().unwrap()));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("Mine: 20 new articles") && text.contains("2 feeds added"), "{text}");
    let (_, text) = account(home.path(), &["list"]);
    assert!(text.contains("alice at http://127.0.0.1") && text.contains("synchronised on"), "{text}");
    let (code, text) = account(home.path(), &add(&server.address(), file.to_str().unwrap()));
    assert!(code == Some(1) && text.contains("added already"), "{text}");

    // The feeds are in the library, and only the server is contacted.
    let stats = json(&common::glean(&library, &["stats", "--json"]));
    assert_eq!((&stats["feeds"], &stats["articles"]), (&2.into(), &20.into()));
    server.server.forget_requests();
    let report = json(&common::glean(&library, &["refresh", "--all", "--json"]));
    assert_eq!(report["feeds"], 0);
    assert!(run(&library, &["refresh"]).1.contains("`glean account sync`"));
    assert!(server.server.requests().is_empty());
    let (code, text) = run(&library, &["backfill", "Feed 1"]);
    assert!(code == Some(1) && text.contains("a feed of an account on a server"), "{text}");

    let (code, text) = run(&library, &["feed", "Feed 1", "--folder", "Land/New"]);
    assert!(code == Some(1) && text.contains("in the folders of its own account"), "{text}");
    assert_eq!(
        json(&common::glean(&library, &["stats", "--json"]))["folders"],
        stats["folders"],
        "none is left behind"
    );
    assert!(run(&library, &["why", "Feed 1"]).1.contains("The server of Mine checks this feed."));
    let (code, text) = account(home.path(), &["rename", "2", "Work"]);
    assert!(code == Some(0) && text.contains("Renamed Mine to Work."), "{text}");
    assert!(run(&library, &["feed"]).1.contains("Work"), "its folder has the name, too");
    let (code, text) = account(home.path(), &["rename", "work", " "]);
    assert!(code == Some(1) && text.contains("an account needs a name"), "{text}");
    assert_eq!(account(home.path(), &["rename", "Work", "Mine"]).0, Some(0));
    let (code, text) = account(home.path(), &["restore", "mine"]);
    assert!(code == Some(1) && text.contains("Mine was not removed"), "{text}");

    // Rules mark articles, and the server is informed.
    let (code, text) = run(&library, &["rules", "add", "--do", "star", "is:unread"]);
    assert_eq!(code, Some(0), "{text}");
    server.state().add("feed/1");
    let report = json(&common::glean(&library, &["account", "sync", "mine", "--json"]));
    assert_eq!((&report["items_new"], &report["sent"]), (&1.into(), &1.into()), "{report}");
    assert_eq!(server.state().entries.values().filter(|entry| entry.starred).count(), 1);

    let (code, text) = account(home.path(), &["subscribe", "Mine", "http://feeds.test/new.xml", "--folder", "Tech"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(server.state().feeds.values().any(|feed| feed.url == "http://feeds.test/new.xml" && feed.folder == "Tech"));
    let (code, text) = run(&library, &["feed", "--title", "Plums", "http://feeds.test/new.xml"]);
    assert_eq!(code, Some(0), "a feed of an account is found by its address: {text}");
    let (code, text) = account(home.path(), &["subscribe", "Mine", "http://feeds.test/nothing"]);
    assert!(code == Some(1) && text.contains("can't subscribe to http://feeds.test/nothing"), "{text}");

    let (code, text) = account(home.path(), &["subscribe", "Mine", "http://ann:sesame-too@feeds.test/private.xml"]);
    assert!(code == Some(0) && text.contains("Subscribed to http://feeds.test/private.xml"), "{text}");
    assert!(server.state().feeds.values().any(|feed| feed.url.contains("ann:sesame-too@")), "the server gets it");
    let (code, _) = account(home.path(), &["remove", "Mine"]);
    assert_eq!(code, Some(2), "what becomes of the articles has to be said");
    for part in ["", " ", "h", "http", "min", "http://127.0.0.1"] {
        let (code, text) = account(home.path(), &["remove", part, "--delete"]);
        assert!(code == Some(1) && text.contains("there is no account"), "{part}: {text}");
    }
    let (code, text) = account(home.path(), &["remove", "Mine", "--delete"]);
    assert!(code == Some(0) && text.contains("glean account restore 2"), "{text}");
    let left = json(&common::glean(&library, &["stats", "--json"]));
    assert_eq!((&left["feeds"], &left["folders"]), (&0.into(), &0.into()));
    assert_eq!(server.state().feeds.len(), 4, "the server keeps everything");
    let (code, text) = account(home.path(), &["restore", "2"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(json(&common::glean(&library, &["stats", "--json"]))["feeds"], 4);
    let (code, text) = account(home.path(), &["remove", "2", "--keep"]);
    assert!(code == Some(0) && text.contains("Gleaner checks its feeds from now on"), "{text}");
    assert_eq!(json(&common::glean(&library, &["stats", "--json"]))["articles"], 21);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_failure_is_named() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("password");
    fs::write(&file, "sesame\n").unwrap();
    let file = file.to_str().unwrap();
    let failed = |address: &str| {
        let (code, text) = account(home.path(), &add(address, file));
        assert_eq!(code, Some(1), "{text}");
        text
    };
    let other = Server::start().await;
    assert!(failed(&other.url("/")).contains("no feed reader server was found"));
    other.on_request("*", |_| Reply::status(503));
    assert!(failed(&other.url("/api/greader.php")).contains("API is turned off"));
    let server = GoogleReader::start(Dialect::FreshRss, 1, 1).await;
    server.state().password = "other".to_owned();
    assert!(failed(&server.address()).contains("rejected the user name or password"));
    let gone = Server::start().await.url("/");
    assert!(failed(&gone).contains("refused the connection"));
    assert!(failed("not an address").contains("valid web address"));

    // Of an account that exists: stored, and listed.
    server.state().password = "sesame".to_owned();
    assert_eq!(account(home.path(), &add(&server.address(), file)).0, Some(0));
    server.state().replies.insert("/subscription/list".to_owned(), Reply::ok("[]"));
    let (code, text) = account(home.path(), &["sync"]);
    assert!(code == Some(1) && text.contains("the server's response can't be read"), "{text}");
    assert!(account(home.path(), &["list"]).1.contains("the server's response can't be read"));
    server.state().replies.insert("/subscription/list".to_owned(), Reply::status(429).header("Retry-After", "600"));
    assert!(account(home.path(), &["sync"]).1.contains("asked Gleaner to wait until"));
    server.state().replies.clear();
    server.server.forget_requests();
    let (code, text) = account(home.path(), &["sync"]);
    assert!(code == Some(1) && text.contains("asked Gleaner to wait until"), "{text}");
    assert!(server.server.requests().is_empty(), "it waits");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_password_is_entered_again() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("password");
    fs::write(&file, "sesame\n").unwrap();
    let server = GoogleReader::start(Dialect::Miniflux, 1, 3).await;
    assert_eq!(account(home.path(), &add(&server.address(), file.to_str().unwrap())).0, Some(0));
    server.state().password = "open".to_owned();
    let (code, text) = account(home.path(), &["sync"]);
    assert!(code == Some(1) && text.contains("rejected the user name or password"), "{text}");
    let password = ["password", "Mine", "--password-file", file.to_str().unwrap(), "--password-in-library"];
    assert_eq!(account(home.path(), &password).0, Some(1), "the old one is not accepted");
    fs::write(&file, "open\n").unwrap();
    assert_eq!(account(home.path(), &password).0, Some(0));
    assert_eq!(account(home.path(), &["sync"]).0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_follows_its_server_to_another_address() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("password");
    fs::write(&file, "sesame\n").unwrap();
    let former = GoogleReader::start(Dialect::Miniflux, 1, 3).await;
    let moved = GoogleReader::start(Dialect::Miniflux, 1, 3).await;
    let other = GoogleReader::start(Dialect::Miniflux, 1, 3).await;
    assert_eq!(account(home.path(), &add(&former.address(), file.to_str().unwrap())).0, Some(0));
    let found = json(&common::glean(&home.path().join("library"), &["search", "--json", "is:unread"]));
    let article = found["hits"][0]["id"].to_string();
    assert_eq!(run(&home.path().join("library"), &["mark", "--read", &article]).0, Some(0));
    let mut second = add("", file.to_str().unwrap());
    let address = other.address();
    (second[1], second[8]) = (&address, "Other");
    assert_eq!(account(home.path(), &second).0, Some(0));

    former.server.on("*", Reply::status(410));
    assert_eq!(account(home.path(), &["sync", "Mine"]).0, Some(1));
    let password = ["password", "Mine", "--password-file", file.to_str().unwrap(), "--password-in-library"];
    let to = |address: &str| account(home.path(), &[&password[..], &["--address", address]].concat());
    let nothing = Server::start().await;
    assert!(to(&nothing.url("/")).1.contains("no feed reader server was found"));
    assert!(to(&other.address()).1.contains("added already"), "that is another account");
    let (code, text) = to(&moved.address());
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = account(home.path(), &["sync", "Mine"]);
    assert!(code == Some(0) && text.contains("Mine: 0 new articles") && text.contains("1 change sent"), "{text}");
    assert_eq!(moved.state().entries.values().filter(|entry| entry.read).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_with_the_fever_api_says_what_it_cannot_do() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("password");
    fs::write(&file, "sesame\n").unwrap();
    let server = fever::Fever::start(fever::Dialect::Yarr, 2, 10).await;
    let address = server.server.url("/");
    let words = add(&address, file.to_str().unwrap());
    let (code, text) = account(home.path(), &[&words[..], &["--api", "google-reader"]].concat());
    assert!(code == Some(1) && text.contains("no feed reader server was found"), "{text}");
    let (code, text) = account(home.path(), &[&words[..], &["--api", "fever"]].concat());
    assert!(code == Some(0) && text.contains("Mine: 20 new articles"), "{text}");
    assert_eq!(account(home.path(), &["list"]).0, Some(0));
    let (code, text) = account(home.path(), &["subscribe", "Mine", "http://feeds.test/new.xml"]);
    assert!(code == Some(1) && text.contains("API can't change subscriptions"), "{text}");
    let password = ["password", "Mine", "--password-file", file.to_str().unwrap(), "--password-in-library"];
    assert_eq!(account(home.path(), &password).0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_says_what_each_synchronisation_did_and_why_an_article_is_unread() {
    let home = tempfile::tempdir().unwrap();
    let library = home.path().join("library");
    let file = home.path().join("password");
    fs::write(&file, "sesame\n").unwrap();
    let server = GoogleReader::start(Dialect::FreshRss, 1, 3).await;
    assert_eq!(account(home.path(), &add(&server.address(), file.to_str().unwrap())).0, Some(0));
    let (_, text) = account(home.path(), &["log", "mine"]);
    assert!(text.contains("3 new articles, 1 feed added") && text.contains(" requests, "), "{text}");

    // A rule reads an article, and another client marks it as unread.
    assert_eq!(run(&library, &["rules", "add", "--name", "All", "--do", "read"]).0, Some(0));
    let id = server.state().add("feed/1");
    assert_eq!(account(home.path(), &["sync"]).0, Some(0));
    assert!(server.state().entries[&id].read);
    server.state().entries.get_mut(&id).unwrap().read = false;
    assert_eq!(account(home.path(), &["sync"]).0, Some(0));
    let log = json(&common::glean(&library, &["account", "log", "mine", "--json"]));
    let numbers = |at: usize| (log[at]["items_new"].clone(), log[at]["sent"].clone(), log[at]["items_changed"].clone());
    assert_eq!(numbers(0), (0.into(), 0.into(), 1.into()), "{log}");
    assert_eq!(numbers(1), (1.into(), 1.into(), 0.into()), "{log}");
    assert!(log[0]["requests"].as_i64().unwrap() > 2 && log[0]["bytes"].as_i64().unwrap() > 0, "{log}");
    let newest = json(&common::glean(&library, &["search", "--json", "is:unread", "--limit", "1"]));
    let article = newest["hits"][0]["id"].to_string();
    let (code, text) = run(&library, &["why", "--article", &article]);
    assert_eq!(code, Some(0), "{text}");
    let causes: Vec<usize> = ["changed at Mine", "sent to Mine", "by the rule All", "received from Mine"]
        .iter()
        .map(|cause| text.find(cause).unwrap_or_else(|| panic!("{cause} is missing in {text}")))
        .collect();
    assert!(causes.is_sorted(), "newest first: {text}");
    assert!(run(&library, &["why", "--article", "999999"]).1.contains("there is no article 999999"));

    // Repeated failures with the same reason are counted.
    server.state().replies.insert("/subscription/list".to_owned(), Reply::ok("[]"));
    for _ in 0..3 {
        assert_eq!(account(home.path(), &["sync"]).0, Some(1));
    }
    let (_, text) = account(home.path(), &["log", "mine"]);
    assert!(text.contains("try again later; 3 times in a row"), "{text}");

    let (_, text) = account(home.path(), &["settings", "mine"]);
    assert!(text.contains("synchronised every 15 minutes") && text.contains("the newest 10000"), "{text}");
    let (_, text) = account(home.path(), &["settings", "mine", "--every", "0", "--history", "500"]);
    assert!(text.contains("synchronised only by hand") && text.contains("the newest 500"), "{text}");
    assert_eq!(account(home.path(), &["settings", "mine", "--every", "2000"]).0, Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn older_articles_are_downloaded_after_their_number_was_raised() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("password");
    fs::write(&file, "sesame\n").unwrap();
    let server = GoogleReader::start(Dialect::FreshRss, 1, 30).await;
    server.state().entries.values_mut().for_each(|entry| entry.read = true);
    let address = server.address();
    let words = [&add(&address, file.to_str().unwrap())[..], &["--history", "10"]].concat();
    let (code, text) = account(home.path(), &words);
    assert!(code == Some(0) && text.contains("10 new articles"), "{text}");
    assert_eq!(account(home.path(), &["settings", "mine", "--history", "25"]).0, Some(0));
    let (_, text) = account(home.path(), &["sync"]);
    assert!(text.contains("15 new articles"), "{text}");
    let (_, text) = account(home.path(), &["sync"]);
    assert!(text.contains("0 new articles"), "{text}");
}
