//! The links to older articles of a public feed cannot lead to this computer or its network (decision 0007, invariant 32).
#![allow(clippy::unwrap_used)]

use gleaner_pipeline::{Scratch, rss};
use gleaner_polling::{Ended, FeedErrorCode};
use gleaner_testserver::{Reply, Server};

fn feed_with(rel: &str, next: &str) -> String {
    let link = format!("<channel><link xmlns=\"http://www.w3.org/2005/Atom\" rel=\"{rel}\" href=\"{next}\"/>");
    rss(&["now"]).replace("<channel>", &link)
}

#[tokio::test]
async fn a_public_feed_cannot_name_older_articles_at_private_addresses() {
    let (public, private) = (Server::start().await, Server::start().await);
    private.on_request("*", |_| Reply::ok(rss(&["secret"])));
    let port = private.address().port();
    public.on("/moved", Reply::redirect(302, private.url("/admin")));
    for (rel, next, code) in [
        ("prev-archive", private.url("/admin"), FeedErrorCode::PrivateAddress),
        ("next", private.url("/admin?paged=2"), FeedErrorCode::PrivateAddress),
        ("next", format!("http://localhost:{port}/"), FeedErrorCode::PrivateAddress),
        ("next", format!("http://LOCALHOST.:{port}/"), FeedErrorCode::PrivateAddress),
        ("next", format!("http://ada:sesame@127.0.0.1:{port}/"), FeedErrorCode::PrivateAddress),
        ("next", format!("http://127.1:{port}/"), FeedErrorCode::PrivateAddress),
        ("next", format!("http://2130706433:{port}/"), FeedErrorCode::PrivateAddress),
        ("next", format!("http://0x7f.1:{port}/"), FeedErrorCode::PrivateAddress),
        ("next", format!("http://0.0.0.0:{port}/"), FeedErrorCode::PrivateAddress),
        ("next", format!("http://[::1]:{port}/"), FeedErrorCode::PrivateAddress),
        ("next", format!("http://[::ffff:127.0.0.1]:{port}/"), FeedErrorCode::PrivateAddress),
        ("next", "http://192.168.1.1/".to_owned(), FeedErrorCode::PrivateAddress),
        ("next", "http://169.254.169.254/latest/meta-data/".to_owned(), FeedErrorCode::PrivateAddress),
        ("next", "http://router.lan/".to_owned(), FeedErrorCode::PrivateAddress),
        ("next", public.url_at("public.example", "/moved"), FeedErrorCode::RedirectToPrivateAddress),
    ] {
        let mut scratch = Scratch::new().await;
        // A name that resolves to loopback stands for a public host here.
        scratch.look_up(&[("public.example", true)]);
        public.on("/feed", Reply::ok(feed_with(rel, &next)));
        let feed = scratch.subscribe(&public.url_at("public.example", "/feed")).await;
        for polled in [false, true] {
            if polled {
                scratch.refresh().await;
            }
            let done = scratch.backfill(feed, 9).await;
            let Some(Ended::Failed(error)) = &done.ended else { panic!("{next}: {done:?}") };
            assert_eq!((error.code, done.pages), (code, 1), "{next}");
        }
    }
    assert!(private.requests().is_empty(), "{:?}", private.requests());
}
