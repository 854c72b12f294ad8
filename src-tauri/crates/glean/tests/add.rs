//! `glean add`: what it requests, and what is in the library afterwards.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, json, run};
use gleaner_testserver::{Reply, Server};
use std::{fs, path::Path};

/// A feed with this many items of more than 3 KB each.
fn large(items: usize) -> String {
    let text = "oats and barley ".repeat(200);
    let items: String = (0..items)
        .map(|n| format!("<item><guid>{n}</guid><title>{n}</title><description>{text}</description></item>"))
        .collect();
    format!("<rss version='2.0'><channel><title>Granary</title>{items}</channel></rss>")
}

fn small() -> Reply {
    Reply::ok("<rss version='2.0'><channel><title>Mill</title><item><title>Rye</title></item></channel></rss>")
}

fn articles(library: &Path) -> serde_json::Value {
    json(&glean(library, &["stats", "--json"]))["articles"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn p01_a_large_feed_is_stored_with_the_request_that_found_it() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    server.on("/feed", Reply::ok(large(2_900)).header("ETag", "\"one\""));
    let (code, output) = run(folder.path(), &["add", &server.url("/feed")]);
    assert!(code == Some(0) && output.contains("Subscribed to Granary"), "{output}");
    assert_eq!((articles(folder.path()), server.requests().len()), (2_900.into(), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_was_too_large_to_be_verified_is_checked_when_it_is_added() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let page = "<html><head><link rel=alternate type=application/rss+xml title=Granary href=/feed></head></html>";
    server.on("/", Reply::ok(page).header("Content-Type", "text/html"));
    server.on("/feed", Reply::ok(large(2_900)));
    let (code, output) = run(folder.path(), &["add", &server.url("/")]);
    assert_eq!(code, Some(0), "{output}");
    assert_eq!(articles(folder.path()), 2_900);
    server.on_each("/feed", [Reply::status(500), Reply::status(500)]);
    let other = tempfile::tempdir().unwrap();
    let (code, output) = run(other.path(), &["add", &server.url("/")]);
    assert!(code == Some(1) && output.contains("Subscribed") && output.contains("error 500"), "{output}");
}

#[test]
fn a_file_is_read_when_it_is_added() {
    let folder = tempfile::tempdir().unwrap();
    let (library, file) = (folder.path().join("library"), folder.path().join("feed.xml"));
    fs::write(&file, large(2)).unwrap();
    let add = ["add", file.to_str().unwrap()];
    let (code, output) = run(&library, &add);
    assert!(code == Some(0) && output.contains("Subscribed to Granary"), "{output}");
    assert_eq!(articles(&library), 2);
    let (code, output) = run(&library, &add);
    assert!(code == Some(0) && output.contains("Already subscribed"), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn p31_a_host_that_asked_to_wait_is_not_contacted_for_an_address_that_is_entered() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let page = "<article><p>The miller slept, and the wheel turned on, as it had for years.</p></article>".repeat(6);
    server.on("/feed", small());
    server.on("/other", small());
    server.on("/page", Reply::ok(page).header("Content-Type", "text/html"));
    server.on_each("/busy", [Reply::status(503).header("Retry-After", "7200"), small()]);
    assert_eq!(run(folder.path(), &["add", &server.url("/feed")]).0, Some(0));
    assert_eq!(run(folder.path(), &["add", &server.url("/busy")]).0, Some(1));
    server.forget_requests();
    for (command, path) in [
        ("add", "/busy"),
        ("add", "/other"),
        ("discover", "/other"),
        ("discover", "/feed"),
        ("extract", "/page"),
        ("inspect", "/other"),
    ] {
        let (code, output) = run(folder.path(), &[command, &server.url(path)]);
        assert!(code == Some(1) && output.contains("asked Gleaner to wait until 2"), "{command} {path}: {output}");
    }
    let (code, output) = run(folder.path(), &["add", &server.url("/feed")]);
    assert!(code == Some(0) && output.contains("Already subscribed to Mill"), "{output}");
    assert_eq!(server.requests().len(), 0);

    let none = folder.path().join("none");
    for words in [["discover", &server.url("/other")], ["extract", &server.url("/page")]] {
        assert_eq!(run(&none, &words).0, Some(0));
    }
    assert!(!none.exists(), "these commands create no library");
}
