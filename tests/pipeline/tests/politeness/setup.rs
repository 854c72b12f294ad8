//! A feed on a scripted server.

use gleaner_pipeline::{Scratch, rss};
use gleaner_testserver::{Reply, Request, Server};

pub fn header(request: &Request, name: &str) -> Option<String> {
    request.header(name).map(|value| String::from_utf8_lossy(value).into_owned())
}

/// Returns a scratch library with one feed, whose path has these replies.
pub async fn one_feed(replies: impl IntoIterator<Item = Reply>) -> (Server, Scratch, i64) {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_each("/feed", replies);
    let feed = scratch.subscribe(&server.url("/feed")).await;
    (server, scratch, feed)
}

/// Returns the time until the next automatic poll of the feed.
pub async fn wait(scratch: &Scratch, feed: i64) -> i64 {
    let poll = scratch.poll(feed).await;
    poll.next_at.unwrap() - poll.checked_at.unwrap()
}

pub fn good() -> Reply {
    Reply::ok(rss(&["a"])).header("ETag", "\"one\"").header("Last-Modified", "Fri, 20 Nov 2026 10:00:00 GMT")
}
