//! Pages that are made to be slow, or to name more feeds than anyone can read.
#![allow(clippy::unwrap_used)]

mod common;

use common::Web;
use gleaner_cpu_time::assert_linear;
use gleaner_discovery::{icons, in_page, offered};
use std::hint::black_box;
use url::Url;

const SITE: &str = "https://example.org/";
/// Maximum number of feeds that are offered.
const OFFERED: usize = 500;

fn numbered(part: &str, count: usize) -> String {
    (0..count).map(|n| part.replace('#', &n.to_string())).collect()
}

const PARTS: [&str; 7] = [
    "<link rel=alternate type=application/rss+xml title='Feed #' href='/#.xml'>",
    "<link rel=icon href='/#.png'>",
    "<a href='/#/feed.xml'>Feed #</a>",
    "<a href='https://#.example/rss'><img alt=RSS></a>",
    "<meta name=m# content=c#>",
    "<link rel='alternate a# b#' type='text/xml;#' href='feed:https://#.example/'>",
    "<a href=#>",
];

#[test]
fn many_references_take_linear_time_and_have_a_limit() {
    let base = Url::parse(SITE).unwrap();
    for part in PARTS {
        assert_linear(
            part,
            10_000,
            |count| numbered(part, count),
            |page| {
                let found = in_page(page.as_bytes(), Some("text/html"), &base);
                assert!(found.len() <= OFFERED, "{part}");
                black_box((icons(page.as_bytes(), None, &base), offered(page.as_bytes(), None, &base)));
            },
        );
    }
}

#[test]
fn long_tags_and_addresses_take_linear_time() {
    let base = Url::parse(SITE).unwrap();
    let feed = "<link rel=alternate type=application/rss+xml href=a.xml>";
    for (name, make) in [
        ("attributes", (|n| format!("<a {} href=/feed.xml>Feed</a>", numbered(" a#=b", n))) as fn(usize) -> String),
        ("attributes of the same name", |n| format!("<link {}>", " href=/feed.xml rel=alternate".repeat(n))),
        ("a base", |n| format!("<base href='/{}/'>{}", "a/".repeat(n), "<a href=feed.xml>Feed</a>".repeat(5000))),
        ("addresses", |n| format!("<a href='/{}/feed.xml'>Feed</a>", "a/../".repeat(n))),
        ("tokens", |n| format!("<link rel='alternate {}' href=/feed.xml>", "a ".repeat(n))),
        ("text", |n| format!("<a href=/x>{}</a>", "RSS ".repeat(n))),
    ] {
        assert_linear(
            name,
            50_000,
            |count| make(count) + feed,
            |page| {
                let found = in_page(page.as_bytes(), Some("text/html"), &base);
                let length: usize = found.iter().map(|found| found.url.as_str().len()).sum();
                assert!(length <= 2 * page.len() && found.len() <= OFFERED, "{name}: {length}");
            },
        );
    }
}

#[tokio::test]
async fn requests_few_of_many_candidates() {
    for part in
        ["<link rel=alternate type=application/rss+xml href='/#.xml'>", "<a href='https://#.example/feed.xml'>Feed</a>"]
    {
        let web = Web::new().html(SITE, &numbered(part, 100_000));
        // Those that the page names itself are offered without a request.
        assert!(web.discover("example.org").await.map_or(0, |found| found.feeds.len()) <= OFFERED);
        assert!(web.requested().len() <= 30, "{}", web.requested().len());
    }
}
