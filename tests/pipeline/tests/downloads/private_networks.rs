//! Which addresses the articles of public and private feeds may lead to.

use crate::setup::{BOTH, TEXT, article, full_text_error, item, page, prefer, round, rss, subscribed};
use gleaner_pipeline::{DAY, Scratch, travel};
use gleaner_testserver::Server;

#[tokio::test]
async fn a_public_feed_cannot_request_private_addresses() {
    let private = Server::start().await;
    private.on_request("*", |_| page("Secrets."));
    let mut scratch = Scratch::new().await;
    // A name that resolves to loopback stands for a public host here.
    scratch.look_up(&[("public.example", true)]);
    let feed_at = private.url_at("public.example", "/feed");
    // Links to `localhost` and `127.0.0.1` are read as links to the feed's server.
    private.on(
        "/feed",
        rss(&[item(&private.url_at("[::ffff:127.0.0.1]", "/router"), "A", "<img src='http://127.0.0.1:1/p.png'>x")]),
    );
    let feed = scratch.subscribe(&feed_at).await;
    scratch.refresh().await;
    private.forget_requests();
    prefer(&scratch, feed, BOTH).await;
    round(&scratch).await;
    assert_eq!(private.requests().len(), 0);
    let reported = full_text_error(&scratch, article(&scratch, "A").await).await.unwrap();
    assert_eq!(reported, "private_address");
}

#[tokio::test]
async fn a_public_feed_stays_public_until_the_user_allows_the_private_network() {
    let server = Server::start().await;
    let mut scratch = Scratch::new().await;
    scratch.look_up(&[("public.example", true)]);
    server.on("/feed", rss(&[item(&server.url("/a"), "A", "x")]));
    let feed = scratch.subscribe(&server.url_at("public.example", "/feed")).await;
    let network = async || scratch.library.polls().list().await.unwrap()[0].private;
    assert_eq!(network().await, None);
    scratch.refresh().await;
    assert_eq!(network().await, Some(false));
    scratch.library.polls().allow_private_network(feed).await.unwrap();
    assert_eq!(network().await, Some(true));
    travel(DAY);
    scratch.refresh().await;
    assert_eq!(network().await, Some(true), "a response does not take it back");
    assert!(scratch.library.polls().allow_private_network(feed + 1).await.is_err());
}

#[tokio::test]
async fn a_private_feed_can_request_only_its_own_host() {
    let server = Server::start().await;
    let (scratch, feed) = subscribed(&server, &[item("http://127.0.0.2:1/router", "A", "x")]).await;
    prefer(&scratch, feed, TEXT).await;
    round(&scratch).await;
    let reported = full_text_error(&scratch, article(&scratch, "A").await).await.unwrap();
    assert_eq!(reported, "private_address");
}
