//! Feeds behind a login, and files as feeds. Secrets are stored in the library here, so that tests do not touch the user's keyring;
//! `src-tauri/crates/glean/tests/access.rs` tests the keyring with one of its own.
#![allow(clippy::unwrap_used)]

use gleaner_library::{Access, Auth, Headers, Secret, Source};
use gleaner_pipeline::{DAY, Scratch, rss, travel};
use gleaner_polling::Ended;
use gleaner_testserver::{Reply, Request, Server};
use std::fs;
use url::Url;

/// Returns true when the request is from Ada with the password "sesame" (RFC 7617).
fn is_ada(request: &Request) -> bool {
    request.text("Authorization").as_deref() == Some("Basic YWRhOnNlc2FtZQ==")
}

fn ada(feed_id: i64, url: &str) -> Access {
    Access {
        feed_id,
        origin: Url::parse(url).unwrap().origin().ascii_serialization(),
        headers: Headers(vec![("X-Key".to_owned(), "one".to_owned())]),
        user_agent: Some("Ada/1".to_owned()),
        auth: Some(Auth::Basic),
        user_name: Some("ada".to_owned()),
        secret: Some(Secret("sesame".to_owned())),
        ..Access::default()
    }
}

#[tokio::test]
async fn credentials_are_sent_and_survive_a_restart() {
    let server = Server::start().await;
    let older = "<channel><link xmlns=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"/older\"/>";
    for (path, document) in [("/feed", rss(&["One"]).replace("<channel>", older)), ("/older", rss(&["Zero"]))] {
        server.on_request(path, move |request| match is_ada(request) {
            true => Reply::ok(document.clone()),
            false => Reply::status(401),
        });
    }
    let scratch = Scratch::new().await;
    let url = server.url("/feed");
    let feed = scratch.subscribe(&url).await;
    scratch.refresh().await;
    assert_eq!(scratch.poll(feed).await.failure.error_code.as_deref(), Some("unauthorized"));
    assert_eq!(scratch.refresh_due().await.requested, 0);
    let wrong = Access { secret: Some(Secret("sesam".to_owned())), ..ada(feed, &url) };
    scratch.library.connections().set(&wrong).await.unwrap();
    scratch.refresh_due().await;
    assert_eq!(scratch.poll(feed).await.failure.error_code.as_deref(), Some("login_refused"));
    assert_eq!(scratch.refresh_due().await.requested, 0, "it is polled less often, as without a login");
    scratch.library.connections().set(&ada(feed, &url)).await.unwrap();
    let scratch = scratch.restart().await;
    assert_eq!(scratch.refresh_due().await.items_new, 1, "it is polled at once with the new login");
    let last = server.requests().pop().unwrap();
    assert_eq!((last.text("X-Key").as_deref(), last.text("User-Agent").as_deref()), (Some("one"), Some("Ada/1")));
    let history = scratch.backfill(feed, 5).await;
    assert_eq!(
        (history.pages, history.items, history.ended),
        (2, 1, Some(Ended::Complete)),
        "older articles use the login too"
    );
}

#[tokio::test]
async fn p38_credentials_are_sent_for_pages_and_images_of_their_origin_and_to_no_other() {
    let (home, away) = (Server::start().await, Server::start().await);
    let text =
        format!("<html><body><article>{}</article></body></html>", "<p>For Ada, and no one else.</p>".repeat(20));
    home.on_request("/page", move |request| match is_ada(request) {
        true => Reply::ok(text.clone()).header("Content-Type", "text/html"),
        false => Reply::status(401),
    });
    let image = away.url("/p.png");
    let item = format!(
        "<item><title>A</title><link>{}</link><description>&lt;img src='{image}'&gt;</description></item>",
        home.url("/page")
    );
    home.on("/feed", Reply::ok(format!("<rss version=\"2.0\"><channel><title>T</title>{item}</channel></rss>")));
    away.on("/p.png", Reply::ok(&b"\x89PNG\r\n\x1a\n.."[..]));
    let scratch = Scratch::new().await;
    let url = home.url("/feed");
    let feed = scratch.subscribe(&url).await;
    scratch.library.connections().set(&ada(feed, &url)).await.unwrap();
    scratch.refresh().await;
    let both = gleaner_library::OfflineContent { text: true, images: true };
    let both = gleaner_library::Preferences { offline: Some(both.bits()), ..Default::default() };
    gleaner_polling::offline::prefer(
        &scratch.library,
        gleaner_library::FeedScope::Feed(feed),
        both,
        gleaner_pipeline::now(),
    )
    .await
    .unwrap();
    let done = scratch.poller.download(tokio_util::sync::CancellationToken::new(), |_| {}).await.unwrap();
    assert_eq!((done.texts, done.images, done.failed), (1, 1, 0));
    assert!(is_ada(&home.requests_to("/page")[0]));
    let requests = away.requests();
    assert_eq!(requests.len(), 1);
    assert!(
        requests[0].header("Authorization").is_none() && requests[0].header("X-Key").is_none(),
        "{:?}",
        requests[0]
    );
}

#[tokio::test]
async fn p38_credentials_stay_with_their_origin_after_redirects_and_a_move() {
    let (home, away) = (Server::start().await, Server::start().await);
    let (url, other) = (home.url("/feed"), away.url("/feed"));
    home.on("/feed", Reply::redirect(301, other.clone()));
    away.on("/feed", Reply::ok(rss(&["One"])));
    let scratch = Scratch::new().await;
    let feed = scratch.subscribe(&url).await;
    scratch.library.connections().set(&ada(feed, &url)).await.unwrap();
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert!(is_ada(&home.requests()[0]));
    scratch.library.feeds().set_url(feed, &other).await.unwrap();
    travel(DAY);
    assert_eq!(scratch.refresh().await.failed, 0);
    assert_eq!(away.requests().len(), 2);
    for request in away.requests() {
        assert_eq!((request.header("Authorization"), request.header("X-Key")), (None, None));
    }
}

#[tokio::test]
async fn a_feed_without_its_secret_or_its_proxy_is_not_requested() {
    let server = Server::start().await;
    let scratch = Scratch::new().await;
    let url = server.url("/feed");
    let feed = scratch.subscribe(&url).await;
    let ada = ada(feed, &url);
    for (access, code) in [
        (Access { secret: None, ..ada.clone() }, "secret_gone"),
        (Access { proxy: Some("nowhere".to_owned()), ..ada }, "invalid_proxy"),
    ] {
        scratch.library.connections().set(&access).await.unwrap();
        travel(DAY);
        assert_eq!(scratch.refresh().await.failed, 1);
        assert_eq!(scratch.feed_error(feed).await.as_deref(), Some(code));
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_file_is_read_when_it_has_changed() {
    let scratch = Scratch::new().await;
    let file = scratch.path().join("feed.xml");
    fs::write(&file, rss(&["One"])).unwrap();
    let url = Url::from_file_path(&file).unwrap().to_string();
    let feed = scratch.subscribe(&url).await;
    assert_eq!(scratch.refresh().await.unsupported, 1, "a file named by a subscription list is not read");
    assert_eq!(scratch.feed_error(feed).await.as_deref(), Some("file_not_picked"));
    scratch.library.feeds().pick_file(feed, &url).await.unwrap();
    travel(DAY);
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert_eq!(scratch.feed_error(feed).await, None);
    travel(DAY);
    assert_eq!(scratch.refresh().await.not_modified, 1);
    fs::write(&file, rss(&["Two", "One"])).unwrap();
    travel(DAY);
    assert_eq!(scratch.refresh().await.items_new, 1);
    fs::remove_file(&file).unwrap();
    travel(DAY);
    assert_eq!(scratch.refresh().await.failed, 1);
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["Two", "One"], "its articles stay");
    // The permission is for one file, not for the address that the subscription has later.
    let other = scratch.path().join("other.xml");
    fs::write(&other, rss(&["Three"])).unwrap();
    scratch.library.feeds().set_url(feed, Url::from_file_path(&other).unwrap().as_str()).await.unwrap();
    travel(DAY);
    assert_eq!(scratch.refresh().await.items_new, 0);
}

#[tokio::test]
async fn rejects_files_above_the_size_limit() {
    let scratch = Scratch::new().await;
    let file = scratch.path().join("large.xml");
    fs::File::create(&file).unwrap().set_len((32 << 20) + 1).unwrap();
    for (path, code) in [(file.as_path(), "too_large"), (scratch.path(), "not_a_file")] {
        let url = Url::from_file_path(path).unwrap().to_string();
        let feed = scratch.subscribe(&url).await;
        scratch.library.feeds().pick_file(feed, &url).await.unwrap();
        scratch.refresh().await;
        assert_eq!(scratch.feed_error(feed).await.as_deref(), Some(code));
    }
}
