//! Responses in place of a feed: the page of a site that has another feed, or of an abandoned domain.
#![allow(clippy::unwrap_used)]

use gleaner_library::Source;
use gleaner_pipeline::{DAY, HOUR, Scratch, rss, travel};
use gleaner_polling::{RediscoverError, Suggestion};
use gleaner_testserver::{Reply, Server};

fn page(head: &str) -> Reply {
    Reply::ok(format!("<!doctype html><html><head>{head}</head><body>Hello</body></html>"))
        .header("Content-Type", "text/html")
}

const LINKS: &str = "<link rel=alternate type='application/rss+xml' title='Comments' href='/comments/feed'>\
    <link rel=alternate type='application/rss+xml' title='News' href='/news.xml'>";

/// Returns a feed that was valid once and then gives this reply.
async fn then(reply: Reply) -> (Server, Scratch, i64) {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_each("/feed", [Reply::ok(rss(&["a"])).header("ETag", "\"e\""), reply]);
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh_due().await;
    travel(2 * HOUR);
    scratch.refresh_due().await;
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"], "its articles stay");
    (server, scratch, feed)
}

#[tokio::test]
async fn suggests_the_feed_that_a_page_names_without_further_requests() {
    let (server, scratch, feed) = then(page(LINKS)).await;
    assert_eq!(server.requests().len(), 2);
    let switch = Suggestion::Switch { to: server.url("/news.xml"), title: Some("News".to_owned()) };
    assert_eq!(scratch.suggestions().await[&feed], [switch.clone(), Suggestion::NotAFeed]);

    // Subscribe to it, and undo.
    server.on("/news.xml", Reply::ok(rss(&["b", "a"])));
    let undo = scratch.library.feeds().set_url(feed, &server.url("/news.xml")).await.unwrap();
    assert!(!scratch.suggestions().await.contains_key(&feed));
    scratch.refresh_due().await;
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["b", "a"], "nothing twice");
    scratch.library.undo(undo.step).await.unwrap();
    scratch.refresh_due().await;
    assert_eq!(scratch.suggestions().await[&feed], [switch, Suggestion::NotAFeed]);

    // The suggestion is removed when the feed itself works again.
    server.on("/feed", Reply::ok(rss(&["c"])));
    travel(3 * DAY);
    scratch.refresh_due().await;
    assert!(!scratch.suggestions().await.contains_key(&feed));
    assert_eq!(scratch.poll(feed).await.offered_url, None);
}

#[tokio::test]
async fn suggests_the_address_that_a_notice_of_a_moved_feed_names() {
    let notice = "<redirect><newLocation>https://a.example/new.xml</newLocation></redirect>";
    let (_server, scratch, feed) = then(Reply::ok(notice)).await;
    let switch = Suggestion::Switch { to: "https://a.example/new.xml".to_owned(), title: None };
    assert_eq!(scratch.suggestions().await[&feed], [switch, Suggestion::NotAFeed]);
}

#[tokio::test]
async fn a_page_that_names_the_same_feed_or_none_gives_no_suggestion() {
    let itself = "<link rel=alternate type='application/rss+xml' href='/feed'>";
    for head in [itself, "", "<link rel=alternate type='application/rss+xml' title='Comments' href='/comments/feed'>"] {
        let (_server, scratch, feed) = then(page(head)).await;
        assert_eq!(scratch.suggestions().await[&feed], [Suggestion::NotAFeed], "{head}");
    }
}

#[tokio::test]
async fn searches_for_a_missing_feed_only_on_request() {
    let (server, scratch, feed) = then(Reply::status(410)).await;
    server.on("/", page(LINKS));
    server.on("/news.xml", Reply::ok(rss(&["b", "a"])));
    travel(30 * DAY);
    scratch.refresh_due().await;
    assert_eq!(server.requests().len(), 2, "feeds are not searched for automatically");
    assert_eq!(scratch.suggestions().await[&feed], [Suggestion::Gone]);
    let scratch = at_home(scratch, &server, feed).await;
    scratch.rediscover(feed).await.unwrap();
    let switch = Suggestion::Switch { to: server.url("/news.xml"), title: Some("Test".to_owned()) };
    assert_eq!(scratch.suggestions().await[&feed], [switch, Suggestion::Gone]);

    server.on("/", page(""));
    assert!(
        matches!(scratch.rediscover(feed).await, Err(RediscoverError::Discovery(_))),
        "the feed itself is no other"
    );
}

#[tokio::test]
async fn a_public_feed_leads_to_no_private_address() {
    let (server, mut scratch) = (Server::start().await, Scratch::new().await);
    // A name that resolves to loopback stands for a public host here.
    scratch.look_up(&[("public.example", true)]);
    let feed = scratch.subscribe(&server.url_at("public.example", "/feed")).await;
    let link = format!("<link rel=alternate type='application/rss+xml' title='News' href='{}'>", server.url("/secret"));
    server.on_each("/feed", [Reply::ok(rss(&["a"])), page(&link)]);
    server.on("/", page(&link));
    server.on("/secret", Reply::ok(rss(&["b"])));
    scratch.refresh().await;
    travel(DAY);
    scratch.refresh().await;
    assert_eq!(scratch.suggestions().await[&feed], [Suggestion::NotAFeed]);
    server.forget_requests();
    let scratch = at_home(scratch, &server, feed).await;
    assert!(scratch.rediscover(feed).await.is_err());
    assert_eq!(server.requests().len(), 0, "the document of a public feed named the site");
}

/// Makes this server the site of the feed, instead of the one that the documents name.
async fn at_home(scratch: Scratch, server: &Server, feed: i64) -> Scratch {
    let poll = scratch.poll(feed).await;
    let facts = gleaner_library::FeedFacts { home_url: Some(server.url("/")), ..Default::default() };
    let incoming = gleaner_library::Incoming { poll, facts: Some(facts), ..Default::default() };
    scratch.library.polls().store(&[&incoming]).await.unwrap();
    scratch
}

#[tokio::test]
async fn reports_an_abandoned_domain_without_following_it() {
    let parked = page("<title>garden.example is for sale - buy this domain</title>");
    let (server, scratch, feed) = then(Reply::redirect(301, "/lander")).await;
    server.on("/lander", parked);
    for _ in 0..8 {
        travel(3 * DAY);
        scratch.refresh_due().await;
    }
    assert_eq!(scratch.feed_error(feed).await.as_deref(), Some("parked"));
    assert_eq!(scratch.suggestions().await[&feed], [Suggestion::Parked]);
    let row = scratch.library.feeds().get(feed).await.unwrap();
    assert_eq!(
        (row.url, row.former_url),
        (server.url("/feed"), None),
        "a permanent redirect there is not followed for good"
    );
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
    assert!(scratch.poll(feed).await.next_at.is_some(), "it is still polled, since domains are bought back");
    assert_eq!(scratch.poll(feed).await.etag.as_deref(), Some(&b"\"e\""[..]));

    server.on("/feed", Reply::ok(rss(&["b"])));
    travel(3 * DAY);
    scratch.refresh_due().await;
    assert!(!scratch.suggestions().await.contains_key(&feed));
}

#[tokio::test]
async fn merges_with_a_suggested_feed_that_is_already_subscribed() {
    let (server, scratch, feed) = then(page(LINKS)).await;
    server.on("/news.xml", Reply::ok(rss(&["b"])));
    let other = scratch.subscribe(&server.url("/news.xml")).await;
    assert_eq!(scratch.suggestions().await[&feed], [Suggestion::Merge { with: other }, Suggestion::NotAFeed]);
}
