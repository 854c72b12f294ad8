//! Passwords in addresses become logins, wherever an address enters the library, and appear nowhere else. No keyring is used here:
//! `src-tauri/crates/glean/tests/access.rs` has one of its own.
#![allow(clippy::unwrap_used)]

use gleaner_library::{Library, NewSubscription, Source};
use gleaner_pipeline::{DAY, Scratch, rss, travel};
use gleaner_testserver::{Reply, Request, Server};
use std::fs;

const PASSWORD: &str = "open sesame";

/// Returns an address with a login, percent-encoded.
fn with_login(url: &str, user: &str) -> String {
    url.replacen("://", &format!("://{user}:open%20sesame@"), 1)
}

/// Whether the request is from Ada with the password (RFC 7617).
fn is_ada(request: &Request) -> bool {
    request.text("Authorization").as_deref() == Some("Basic YWRhOm9wZW4gc2VzYW1l")
}

async fn server() -> Server {
    let server = Server::start().await;
    let older = "<channel><link xmlns=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"/older\"/>";
    for (path, document) in [("/feed", rss(&["One"]).replace("<channel>", older)), ("/older", rss(&["Zero"]))] {
        server.on_request(path, move |request| match is_ada(request) {
            true => Reply::ok(document.clone()),
            false => Reply::status(401),
        });
    }
    server
}

/// Returns all that the library shows of its feeds and of their polls.
async fn shown(library: &Library) -> String {
    let mut shown =
        format!("{:?} {:?}", library.feeds().list().await.unwrap(), library.subscriptions().tree().await.unwrap());
    for poll in library.polls().list().await.unwrap() {
        let log = library.polls().log(poll.feed_id).await.unwrap();
        shown += &format!("{poll:?} {log:?} {:?}", library.polls().report(poll.feed_id).await.unwrap());
    }
    shown
}

#[tokio::test]
async fn a_password_in_an_address_becomes_a_login() {
    let (server, scratch) = (server().await, Scratch::new().await);
    let (url, typed) = (server.url("/feed"), with_login(&server.url("/feed"), "ada"));
    let feed = scratch.subscribe(&typed).await;
    assert_eq!(scratch.library.feeds().get(feed).await.unwrap().url, url);
    for address in [&url, &typed] {
        assert_eq!(scratch.library.feeds().find_by_url(address).await.unwrap(), Some(feed), "{address}");
    }
    let scratch = scratch.restart().await;
    scratch.refresh_due().await;
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["One"]);
    assert_eq!(scratch.backfill(feed, 5).await.items, 1, "older articles use the login too");
    let shown = shown(&scratch.library).await;
    assert!(!shown.contains("sesame") && !shown.contains('@'), "{shown}");
    let access = scratch.library.connections().list().await.unwrap().remove(&feed).unwrap();
    assert_eq!((access.secret.unwrap().0.as_str(), access.from_address), (PASSWORD, true));

    // Its server is no longer the one that the password was for.
    let other = Server::start_at([127, 0, 0, 2]).await;
    other.on("/feed", Reply::ok(rss(&["Two"])));
    scratch.library.feeds().set_url(feed, &other.url("/feed")).await.unwrap();
    scratch.refresh().await;
    assert!(other.requests().iter().all(|request| request.header("Authorization").is_none()));
}

#[tokio::test]
async fn different_users_of_one_address_are_different_feeds() {
    let (server, scratch) = (server().await, Scratch::new().await);
    let url = server.url("/feed");
    let list = ["ada", "bob", "ada"].map(|user| with_login(&url, user));
    let feeds: Vec<_> = list.iter().map(|url| NewSubscription::new(url.clone())).collect();
    let counts = scratch.library.subscriptions().import(&[], &feeds, |_| true).await.unwrap();
    assert_eq!((counts.added.len(), counts.already.len(), counts.repeated.len()), (2, 0, 1));
    assert!(!format!("{:?}", counts.repeated).contains("sesame"));
    let urls: Vec<String> = scratch.library.feeds().list().await.unwrap().into_iter().map(|feed| feed.url).collect();
    assert_eq!(urls, [url.clone(), url.replacen("://", "://bob@", 1)]);
    scratch.refresh_due().await;
    assert_eq!(scratch.feed_error(counts.added[0]).await, None);
    assert_eq!(scratch.feed_error(counts.added[1]).await.as_deref(), Some("login_refused"));
    assert_eq!(scratch.library.subscriptions().import(&[], &feeds, |_| true).await.unwrap().added.len(), 0);
    assert!(!shown(&scratch.library).await.contains("sesame"));
}

#[tokio::test]
async fn a_password_in_an_edited_address_is_undone_with_it() {
    let (server, scratch) = (server().await, Scratch::new().await);
    let url = server.url("/feed");
    let feed = scratch.subscribe(&url).await;
    scratch.refresh_due().await;
    assert_eq!(scratch.feed_error(feed).await.as_deref(), Some("unauthorized"));
    let step = scratch.library.feeds().set_url(feed, &with_login(&url, "ada")).await.unwrap().step;
    assert_eq!(scratch.library.feeds().get(feed).await.unwrap().url, url);
    scratch.refresh_due().await;
    assert_eq!((scratch.feed_error(feed).await, scratch.titles(Source::Feed(feed)).await.len()), (None, 1));
    assert!(!shown(&scratch.library).await.contains("sesame"));
    scratch.library.undo(step).await.unwrap();
    assert!(scratch.library.connections().list().await.unwrap().is_empty());
    travel(DAY);
    scratch.refresh_due().await;
    assert_eq!(scratch.feed_error(feed).await.as_deref(), Some("unauthorized"));
}

#[tokio::test]
async fn passwords_in_redirects_and_pages_are_not_stored() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/moved", Reply::redirect(301, with_login(&server.url("/feed"), "eve")));
    server.on("/feed", Reply::ok(rss(&["One"])));
    let (page, offered) = (server.url("/page"), with_login(&server.url("/other"), "eve"));
    server.on("/page", Reply::ok(format!("<html><link rel=alternate type=application/rss+xml href='{offered}'>Gone")));
    server.on("/broken", Reply::redirect(302, "http://eve:open%20sesame@:bad/"));
    let feeds = [server.url("/moved"), page, server.url("/broken")];
    for url in &feeds {
        scratch.subscribe(url).await;
    }
    for _ in 0..4 {
        scratch.refresh_due().await;
        travel(3 * DAY);
    }
    let shown = shown(&scratch.library).await;
    assert!(shown.contains("/other") && !shown.contains("sesame"), "{shown}");
    assert!(server.requests_to("/feed").iter().all(|request| request.header("Authorization").is_none()));
    scratch.library.back_up(gleaner_library::Occasion::ByHand).await.unwrap();
    for file in fs::read_dir(scratch.path()).unwrap().flatten().filter(|file| file.path().is_file()) {
        let bytes = fs::read(file.path()).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("sesame"), "{}", file.path().display());
    }
}
