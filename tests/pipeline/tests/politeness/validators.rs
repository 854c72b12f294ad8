//! Rules P01 to P13: validators.

use crate::setup::{good, header, one_feed};
use gleaner_library::{NewSubscription, Source};
use gleaner_pipeline::{DAY, HOUR, SHORT, Scratch, rss, travel};
use gleaner_testserver::{Reply, Server};

#[tokio::test]
async fn p01_the_first_fetch_is_exactly_one_unconditional_get() {
    let (server, scratch, _) = one_feed([good()]).await;
    scratch.refresh_due().await;
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].method, "GET");
    assert_eq!((header(&requests[0], "If-None-Match"), header(&requests[0], "If-Modified-Since")), (None, None));
}

#[tokio::test]
async fn p01_subscribing_and_the_first_fetch_are_one_get() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/moved", Reply::redirect(301, "/feed"));
    server.on_each("/feed", [good().header("Cache-Control", "max-age=7200"), Reply::status(304)]);
    let page = "<html><link rel=alternate type=application/rss+xml href=/moved>A site</html>";
    server.on("/", Reply::ok(page).header("Content-Type", "text/html"));
    let found = gleaner_discovery::discover(scratch.poller.fetcher(), &server.url("/")).await.unwrap().feeds.remove(0);
    assert_eq!(found.url.as_str(), server.url("/feed"));
    let feed = NewSubscription { url: found.url.into(), fetched: true, ..NewSubscription::default() };
    let feed = scratch.library.subscriptions().add(&feed).await.unwrap();
    assert_eq!(scratch.refresh_due().await.requested, 0, "its document is at hand");
    let summary = scratch.poller.first_poll(feed, *found.response.unwrap()).await.unwrap();
    assert_eq!((summary.requested, summary.items_new, summary.failed), (1, 1, 0));
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
    let poll = scratch.poll(feed).await;
    assert_eq!((poll.private, poll.next_reason.as_deref()), (Some(true), Some("fresh")));
    let log = scratch.library.polls().log(feed).await.unwrap();
    assert_eq!((log.len(), log[0].status, log[0].new_items, log[0].why.as_str()), (1, Some(200), 1, "first"));
    scratch.refresh_due().await;
    assert_eq!(server.requests_to("/feed").len(), 1);
    // The next one is conditional.
    travel(3 * HOUR);
    scratch.refresh_due().await;
    let requests = server.requests_to("/feed");
    assert_eq!((requests.len(), header(&requests[1], "If-None-Match").as_deref()), (2, Some("\"one\"")));
    // A feed that was polled stays as it is.
    let answer = gleaner_discovery::discover(scratch.poller.fetcher(), &server.url("/feed")).await;
    assert!(answer.is_err(), "a 304 to an unconditional request");
}

#[tokio::test]
async fn p02_every_later_fetch_sends_both_validators_byte_for_byte() {
    let odd = b"W/\"a \xe9 b\"".to_vec();
    let reply =
        Reply::ok(rss(&["a"])).header("ETag", odd.clone()).header("Last-Modified", "Fri, 20 Nov 2026 10:00:00 GMT");
    let (server, scratch, _) = one_feed([reply, Reply::status(304)]).await;
    for _ in 0..4 {
        scratch.refresh().await;
    }
    for request in &server.requests()[1..] {
        assert_eq!(request.header("If-None-Match"), Some(&odd[..]));
        assert_eq!(header(request, "If-Modified-Since").as_deref(), Some("Fri, 20 Nov 2026 10:00:00 GMT"));
    }
}

#[tokio::test]
async fn p02_blank_validators_are_not_sent_back() {
    for (etag, last_modified) in [("", ""), (" ", "\t"), ("\"one\"", ""), ("", "yesterday")] {
        let reply = Reply::ok(rss(&["a"])).header("ETag", etag).header("Last-Modified", last_modified);
        let (server, scratch, feed) = one_feed([reply]).await;
        scratch.refresh().await;
        scratch.refresh().await;
        let last = server.requests().pop().unwrap();
        let sent = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        assert_eq!(header(&last, "If-None-Match"), sent(etag));
        assert_eq!(header(&last, "If-Modified-Since"), sent(last_modified));
        assert_eq!(scratch.poll(feed).await.bare > 0, etag.trim().is_empty() && last_modified.trim().is_empty());
    }
}

#[tokio::test]
async fn p03_a_last_modified_that_is_no_date_is_echoed() {
    let reply = Reply::ok(rss(&["a"])).header("Last-Modified", "yesterday, about noon");
    let (server, scratch, _) = one_feed([reply, Reply::status(304)]).await;
    scratch.refresh().await;
    scratch.refresh().await;
    assert_eq!(header(&server.requests()[1], "If-Modified-Since").as_deref(), Some("yesterday, about noon"));
}

#[tokio::test]
async fn p04_when_one_validator_changes_both_are_stored_again() {
    let second =
        Reply::ok(rss(&["b", "a"])).header("ETag", "\"two\"").header("Last-Modified", "Fri, 20 Nov 2026 10:00:00 GMT");
    let (server, scratch, _) = one_feed([good(), second, Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let last = server.requests().pop().unwrap();
    assert_eq!(header(&last, "If-None-Match").as_deref(), Some("\"two\""));
    assert_eq!(header(&last, "If-Modified-Since").as_deref(), Some("Fri, 20 Nov 2026 10:00:00 GMT"));
}

#[tokio::test]
async fn p05_the_same_body_with_new_validators_stores_them() {
    let again = Reply::ok(rss(&["a"])).header("ETag", "\"two\"");
    let (server, scratch, feed) = one_feed([good(), again, Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let last = server.requests().pop().unwrap();
    assert_eq!(
        (header(&last, "If-None-Match").as_deref(), header(&last, "If-Modified-Since")),
        (Some("\"two\""), None)
    );
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
}

#[tokio::test]
async fn p06_a_200_without_validators_clears_both() {
    let (server, scratch, _) = one_feed([good(), Reply::ok(rss(&["b", "a"])), Reply::ok(rss(&["b", "a"]))]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let last = server.requests().pop().unwrap();
    assert_eq!((header(&last, "If-None-Match"), header(&last, "If-Modified-Since")), (None, None));
}

#[tokio::test]
async fn p07_a_304_with_a_new_etag_stores_it() {
    let (server, scratch, _) =
        one_feed([good(), Reply::status(304).header("ETag", "\"two\""), Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    assert_eq!(header(&server.requests()[2], "If-None-Match").as_deref(), Some("\"two\""));
}

#[tokio::test]
async fn p08_a_304_without_last_modified_erases_nothing() {
    let (server, scratch, _) = one_feed([good(), Reply::status(304), Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let last = &server.requests()[2];
    assert_eq!(header(last, "If-None-Match").as_deref(), Some("\"one\""));
    assert_eq!(header(last, "If-Modified-Since").as_deref(), Some("Fri, 20 Nov 2026 10:00:00 GMT"));
}

#[tokio::test]
async fn p09_errors_never_erase_validators() {
    for failure in [
        Reply::status(404),
        Reply::status(500),
        Reply::status(503),
        Reply::status(429),
        Reply::ok("").hang_before_head(),
        Reply::ok(rss(&["x"])).cut_after(20),
    ] {
        let (server, mut scratch, _) = one_feed([good(), failure.clone(), Reply::status(304)]).await;
        for limit in [None, Some(SHORT), None] {
            scratch.limit(limit, None);
            scratch.refresh().await;
            travel(3 * DAY);
        }
        let last = server.requests().pop().unwrap();
        assert_eq!(header(&last, "If-None-Match").as_deref(), Some("\"one\""), "{failure:?}");
    }
}

#[tokio::test]
async fn p09_a_transfer_that_ends_too_early_keeps_those_of_the_last_complete_document() {
    let part = rss(&["b", "a"]);
    let part = &part[..part.find("</item>").unwrap() + "</item>".len() + 3];
    let cut = |tag: &str| Reply::ok(rss(&["b", "a"])).header("ETag", tag).cut_after(part.len());
    let (server, scratch, feed) = one_feed([good(), cut("\"two\""), cut("\"two\""), Reply::status(304)]).await;
    for _ in 0..4 {
        scratch.refresh().await;
    }
    let sent = server.requests().iter().map(|request| header(request, "If-None-Match")).collect::<Vec<_>>();
    let one = || Some("\"one\"".to_owned());
    assert_eq!(sent, [None, one(), one(), one()]);
    assert!(scratch.titles(Source::Feed(feed)).await.contains(&"b".to_owned()), "read up to there");
    // Those of an incomplete first document are not stored, and the next request is unconditional.
    let (server, scratch, _) = one_feed([cut("\"two\""), good()]).await;
    for _ in 0..2 {
        scratch.refresh().await;
    }
    assert_eq!(header(&server.requests()[1], "If-None-Match"), None);
}

#[tokio::test]
async fn p10_validators_survive_a_restart() {
    let (server, scratch, _) = one_feed([good(), Reply::status(304)]).await;
    scratch.refresh().await;
    let scratch = scratch.restart().await;
    scratch.refresh().await;
    assert_eq!(header(&server.requests()[1], "If-None-Match").as_deref(), Some("\"one\""));
}

#[tokio::test]
async fn p11_editing_a_feeds_url_drops_its_validators() {
    let (server, scratch, feed) = one_feed([good()]).await;
    server.on("/elsewhere", good());
    scratch.refresh().await;
    scratch.library.feeds().set_url(feed, &server.url("/elsewhere")).await.unwrap();
    scratch.refresh_due().await;
    let request = server.requests_to("/elsewhere").pop().unwrap();
    assert_eq!((header(&request, "If-None-Match"), header(&request, "If-Modified-Since")), (None, None));
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"], "its articles stay");
}

#[tokio::test]
async fn p12_a_document_that_could_not_be_read_does_not_commit_its_validators() {
    let broken = Reply::ok("<!doctype html><p>Down for maintenance").header("ETag", "\"down\"");
    let (server, scratch, _) = one_feed([good(), broken, Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    assert_eq!(header(&server.requests()[2], "If-None-Match").as_deref(), Some("\"one\""));
}

#[tokio::test]
async fn p12_a_document_that_is_cut_off_commits_its_validators_when_it_comes_again() {
    let whole = rss(&["a", "b"]);
    let cut = || Reply::ok(&whole[..whole.len() - 40]).header("ETag", "\"two\"");
    let (server, scratch, feed) = one_feed([good(), cut(), cut(), Reply::status(304)]).await;
    for _ in 0..4 {
        scratch.refresh().await;
    }
    let sent = server.requests().iter().map(|request| header(request, "If-None-Match")).collect::<Vec<_>>();
    let tag = |tag: &str| Some(format!("\"{tag}\""));
    assert_eq!(sent, [None, tag("one"), tag("one"), tag("two")]);
    assert!(scratch.titles(Source::Feed(feed)).await.contains(&"a".to_owned()));
}

#[tokio::test]
async fn p13_a_server_that_always_answers_304_gets_an_unconditional_request_now_and_then() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_request("/feed", |request| match request.header("If-None-Match") {
        Some(_) => Reply::status(304),
        None => good(),
    });
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh_due().await;
    for _ in 0..60 {
        travel(DAY + HOUR * 3);
        scratch.refresh_due().await;
    }
    let requests = server.requests();
    let whole = requests[1..].iter().filter(|request| request.header("If-None-Match").is_none()).count();
    assert!((1..=9).contains(&whole), "{whole} of {}", requests.len());
}
