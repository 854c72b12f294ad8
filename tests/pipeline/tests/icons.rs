//! Feed icons: requested politely, once, from the feeds' own sites only.
#![allow(clippy::unwrap_used)]

use gleaner_library::Access;
use gleaner_pipeline::{DAY, Scratch, travel};
use gleaner_polling::Icons;
use gleaner_testserver::{Reply, Server};
use tokio_util::sync::CancellationToken;

fn feed(said: &str) -> Reply {
    Reply::ok(format!("<rss version=\"2.0\"><channel><title>T</title>{said}</channel></rss>"))
}

fn png(seed: u8, bytes: usize) -> Vec<u8> {
    let mut image = b"\x89PNG\r\n\x1a\n".to_vec();
    image.resize(bytes, seed);
    image
}

async fn icons(scratch: &Scratch) -> Icons {
    scratch.poller.icons(CancellationToken::new(), |_| {}).await.unwrap()
}

fn looked(requested: usize, found: usize) -> Icons {
    Icons { requested, found, more: false }
}

fn requested(server: &Server) -> Vec<String> {
    let requests = server.requests();
    server.forget_requests();
    requests.iter().map(|request| request.path().to_owned()).collect()
}

#[tokio::test]
async fn the_icon_of_the_feed_has_priority_over_its_page() {
    let (scratch, server, other) = (Scratch::new().await, Server::start().await, Server::start().await);
    let image =
        |url: String| format!("<image><url>{url}</url><title>T</title><link>{}</link></image>", server.url("/"));
    server.on("/named", feed(&image(server.url("/named.png"))));
    server.on("/named.png", Reply::ok(png(1, 200)));
    // Another port is the same host; another name is another site and is not requested.
    let stranger = other.url_at("stranger.example", "/icon.png");
    server.on("/strange", feed(&image(stranger)));
    server.on("/plain", feed(""));
    server.on(
        "/",
        Reply::ok("<link rel=icon sizes=64x64 href=/large.png><link rel=icon sizes=32x32 href=/right.png>")
            .header("Content-Type", "text/html"),
    );
    server.on("/large.png", Reply::ok(png(2, 20_000)));
    server.on("/right.png", Reply::ok(png(3, 300)));
    let named = scratch.subscribe(&server.url("/named")).await;
    let strange = scratch.subscribe(&server.url("/strange")).await;
    let plain = scratch.subscribe(&server.url("/plain")).await;
    assert_eq!(icons(&scratch).await, Icons::default(), "none has answered yet");
    scratch.refresh().await;
    server.forget_requests();
    assert_eq!(icons(&scratch).await, looked(3, 3));
    assert_eq!(requested(&server), ["/named.png", "/", "/right.png"], "the page serves two feeds");
    assert!(other.requests().is_empty(), "another site was requested");
    let stored = async |feed| scratch.library.icons().get(feed).await.unwrap().unwrap();
    assert_eq!(stored(named).await, ("image/png", png(1, 200)));
    for feed in [strange, plain] {
        assert_eq!(stored(feed).await, ("image/png", png(3, 300)));
    }
    travel(30 * DAY);
    assert_eq!(icons(&scratch).await, Icons::default(), "the icon is requested once");
}

#[tokio::test]
async fn a_site_without_an_icon_is_checked_again_after_a_week() {
    let (scratch, server, other) = (Scratch::new().await, Server::start().await, Server::start().await);
    server.on("/feed", feed(""));
    server.on("/", Reply::ok("<svg>").header("Content-Type", "text/html"));
    // A redirect to another site is not followed.
    server.on("/favicon.ico", Reply::redirect(302, other.url_at("stranger.example", "/favicon.ico")));
    let id = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    server.forget_requests();
    assert_eq!(icons(&scratch).await, looked(1, 0));
    assert_eq!(requested(&server), ["/", "/favicon.ico"]);
    assert!(other.requests().is_empty());
    travel(6 * DAY);
    assert_eq!(icons(&scratch).await, Icons::default());
    travel(2 * DAY);
    server.on("/favicon.ico", Reply::ok("<html>not found, says the server</html>"));
    assert_eq!(icons(&scratch).await, looked(1, 0));
    travel(8 * DAY);
    server.on("/favicon.ico", Reply::ok(png(1, 100)));
    assert_eq!(icons(&scratch).await, looked(1, 1));
    assert!(scratch.library.icons().get(id).await.unwrap().is_some());
}

#[tokio::test]
async fn respects_a_server_that_asks_for_a_pause() {
    for status in [403, 429] {
        let (scratch, server) = (Scratch::new().await, Server::start().await);
        server.on("/feed", feed(""));
        server.on("/", Reply::status(status).header("Retry-After", "3600"));
        scratch.subscribe(&server.url("/feed")).await;
        scratch.refresh().await;
        server.forget_requests();
        let second = scratch.subscribe(&server.url("/second")).await;
        assert_eq!(icons(&scratch).await, looked(1, 0));
        assert_eq!(icons(&scratch).await, Icons::default());
        assert_eq!(requested(&server), ["/"], "it is not requested while it waits");
        // Nor at the end of the pause: its feeds would have to wait again.
        travel(DAY);
        assert_eq!(icons(&scratch).await, Icons::default());
        assert!(requested(&server).is_empty());
        // While it waits because of a feed, the state of its icon is unknown.
        server.on("/second", feed(""));
        scratch.refresh().await;
        server.on("/feed", Reply::status(429).header("Retry-After", "3600"));
        travel(DAY);
        scratch.refresh().await;
        server.forget_requests();
        assert_eq!(icons(&scratch).await, Icons::default());
        assert!(requested(&server).is_empty());
        travel(8 * DAY);
        server.on("/", Reply::status(404));
        server.on("/favicon.ico", Reply::ok(png(1, 100)));
        assert_eq!(icons(&scratch).await, looked(2, 2));
        assert_eq!(requested(&server), ["/", "/favicon.ico"]);
        assert!(scratch.library.icons().get(second).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn the_state_of_an_icon_is_unknown_while_the_network_requires_a_login() {
    let (scratch, server) = (Scratch::new().await, Server::start().await);
    server.on("/feed", feed(""));
    server.on("/", Reply::status(511));
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    assert_eq!(icons(&scratch).await, Icons::default());
    server.on("/", Reply::status(404));
    server.on("/favicon.ico", Reply::ok(png(1, 100)));
    assert_eq!(icons(&scratch).await, looked(1, 1));
}

#[tokio::test]
async fn feeds_of_a_site_share_the_icon_of_one_of_its_pages() {
    let (scratch, server) = (Scratch::new().await, Server::start().await);
    server.on("/icon.png", Reply::ok(png(1, 100)));
    let page = "<link rel=icon href=/none.png><link rel=icon href=/icon.png>";
    for channel in 0..6 {
        let home = server.url(&format!("/{channel}/"));
        server.on(&format!("/feed/{channel}"), feed(&format!("<link>{home}</link>")));
        // The first channel's page is missing, which says nothing about the others.
        if channel > 0 {
            server.on(&format!("/{channel}/"), Reply::ok(page).header("Content-Type", "text/html"));
        }
        scratch.subscribe(&server.url(&format!("/feed/{channel}"))).await;
    }
    scratch.refresh().await;
    server.forget_requests();
    assert_eq!(icons(&scratch).await, looked(6, 5));
    assert_eq!(requested(&server), ["/0/", "/favicon.ico", "/1/", "/none.png", "/icon.png"]);
}

#[tokio::test]
async fn a_site_that_refuses_is_not_requested_for_its_other_feeds() {
    let (scratch, server) = (Scratch::new().await, Server::start().await);
    server.on_request("*", |request| match request.path() {
        "/a" | "/b" | "/c" => feed(""),
        _ => Reply::status(503).header("Retry-After", "3600"),
    });
    for path in ["/a", "/b", "/c"] {
        scratch.subscribe(&server.url(path)).await;
    }
    scratch.refresh().await;
    server.forget_requests();
    assert_eq!(icons(&scratch).await, looked(3, 0));
    travel(DAY);
    assert_eq!(icons(&scratch).await, Icons::default());
    assert_eq!(requested(&server), ["/"]);
}

#[tokio::test]
async fn credentials_go_to_their_own_origin_only() {
    let (scratch, server, other) = (Scratch::new().await, Server::start().await, Server::start().await);
    // Another port of the host: the same site, but another origin.
    let home = format!("<link>{}</link>", other.url("/"));
    server.on("/feed", feed(&home));
    other.on("/", Reply::status(404));
    other.on("/favicon.ico", Reply::ok(png(1, 100)));
    let feed_id = scratch.subscribe(&server.url("/feed")).await;
    let origin = server.url("/").trim_end_matches('/').to_owned();
    let headers = gleaner_library::Headers(vec![("X-Key".to_owned(), "secret".to_owned())]);
    scratch.library.connections().set(&Access { feed_id, origin, headers, ..Access::default() }).await.unwrap();
    scratch.refresh().await;
    assert_eq!(server.requests_to("/feed")[0].text("X-Key").as_deref(), Some("secret"));
    assert_eq!(icons(&scratch).await.found, 1);
    assert!(
        other.requests().iter().all(|request| request.text("X-Key").is_none()),
        "headers are sent to the feed's own origin only"
    );
}
