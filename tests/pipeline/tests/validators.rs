//! When validators are not sent although the library has some.
#![allow(clippy::unwrap_used)]

use gleaner_library::{Access, Headers};
use gleaner_pipeline::{Scratch, rss};
use gleaner_testserver::{Reply, Request, Server};

fn conditional(request: &Request) -> bool {
    request.header("If-None-Match").is_some() || request.header("If-Modified-Since").is_some()
}

/// Returns which of the requests were conditional, when a server answers those with this status.
async fn refused(status: u16, requests: usize) -> Vec<bool> {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_request("/feed", move |request| match conditional(request) {
        true => Reply::status(status),
        false => Reply::ok(rss(&["a"])).header("ETag", "\"one\"").header("Last-Modified", "never"),
    });
    scratch.subscribe(&server.url("/feed")).await;
    for _ in 0..requests {
        scratch.refresh().await;
    }
    server.requests().iter().map(conditional).collect()
}

#[tokio::test]
async fn a_server_that_refuses_validators_is_asked_without() {
    for status in [400, 412, 431] {
        assert_eq!(refused(status, 3).await, [false, true, false], "{status}");
    }
    assert_eq!(refused(500, 4).await, [false, true, true, false]);
    assert_eq!(refused(503, 4).await, [false, true, true, true]);
}

#[tokio::test]
async fn a_changed_login_gets_the_whole_document() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    // Its validators are the same for everyone.
    server.on_request("/feed", |request| match (conditional(request), request.header("X-Key")) {
        (true, _) => Reply::status(304),
        (_, Some(_)) => Reply::ok(rss(&["b", "a"])).header("ETag", "\"one\""),
        _ => Reply::ok(rss(&["a"])).header("ETag", "\"one\""),
    });
    let feed_id = scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert_eq!(scratch.refresh().await.not_modified, 1);
    let headers = Headers(vec![("X-Key".to_owned(), "1".to_owned())]);
    let origin = server.url("");
    scratch.library.connections().set(&Access { feed_id, origin, headers, ..Access::default() }).await.unwrap();
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert_eq!(scratch.refresh().await.not_modified, 1);
    scratch.library.connections().delete(feed_id).await.unwrap();
    assert_eq!(scratch.refresh().await.not_modified, 0, "the validators were those of the login");
}

#[tokio::test]
async fn p02_validators_are_sent_to_the_address_that_gave_them() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let number = std::sync::atomic::AtomicUsize::new(0);
    server.on_request("/feed", move |_| {
        let number = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Reply::redirect(302, if number < 2 { format!("/a?signature={number}") } else { "/login".to_owned() })
    });
    server.on_request("*", |request| match conditional(request) {
        true => Reply::status(304),
        false => Reply::ok(rss(&["a"])).header("ETag", "\"one\"").header("Last-Modified", "never"),
    });
    let login = Reply::ok("<html><body>Log in</body></html>").header("Content-Type", "text/html");
    server.on_request("/login", move |request| if conditional(request) { Reply::status(304) } else { login.clone() });
    let feed = scratch.subscribe(&server.url("/feed")).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let conditional: Vec<bool> = server.requests().iter().map(conditional).collect();
    assert_eq!(conditional, [false, false, false, true, false, false]);
    let log = scratch.library.polls().log(feed).await.unwrap();
    let logged: Vec<bool> = log.iter().map(|line| line.conditional).collect();
    assert_eq!(logged, [false, true, false], "the newest one first: as the last request of each was");
    assert_eq!(scratch.feed_error(feed).await.as_deref(), Some("not_a_feed_web_page"));
}
