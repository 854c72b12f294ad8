//! Documents made to cost more than their length: each takes the time of its length. The limit is generous, since a machine may
//! be busy; what is quadratic takes minutes. The largest are for optimised code and a machine at leisure:
//! `cargo test --release -p gleaner-feed --test linear -- --ignored --test-threads 1`.

use gleaner_feed::{Context, parse};
use std::time::{Duration, Instant};

fn feed(inside: &str) -> String {
    format!("<rss version=\"2.0\"><channel><title>t</title><item><title>x</title>{inside}</item></channel></rss>")
}

#[track_caller]
fn quick(document: &str) {
    let start = Instant::now();
    let _ = parse(document.as_bytes(), Context::default());
    let _ = gleaner_feed::opml::read(document.as_bytes());
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
}

#[test]
fn tags_within_tags() {
    quick(&feed(&format!("<description>{}</description>", "<b>".repeat(500_000))));
    quick(&feed(&format!("<description>{}{}</description>", "<b>".repeat(200_000), "</b>".repeat(200_000))));
}

/// A megabyte of a feed, and two, in the same run: what is linear takes twice the time, what is quadratic four times.
#[track_caller]
fn doubles(make: impl Fn(usize) -> String, size: usize) {
    let time = |document: &str| {
        let start = Instant::now();
        assert!(parse(document.as_bytes(), Context::default()).is_ok());
        start.elapsed()
    };
    let (one, two) = (make(size), make(2 * size));
    let (mut once, mut twice) = (Duration::MAX, Duration::MAX);
    // The best of several tries each: a machine that is busy in one of them does not count.
    for _ in 0..12 {
        once = once.min(time(&one));
        twice = twice.min(time(&two));
        if twice < once * 3 {
            return;
        }
    }
    panic!("{once:?}, and {twice:?} for twice as much");
}

fn items(count: usize) -> String {
    let item = "<item><title>Plums &amp; pears</title><link>https://orchard.example/1</link><guid>https://orchard.example/1</guid>\
                <pubDate>Tue, 03 Mar 2020 04:05:06 GMT</pubDate><description>&lt;p&gt;Ripe at last.&lt;/p&gt;</description></item>\n";
    format!("<rss version=\"2.0\"><channel><title>t</title>{}</channel></rss>", item.repeat(count))
}

fn broken_items(count: usize) -> String {
    items(count).replace("Plums &amp; pears</title>", "Plums & pears&nbsp;")
}

fn json_items(count: usize) -> String {
    let item = r#"{"id":"1","url":"https://orchard.example/1","title":"Plums","content_html":"<p>Ripe at last.</p>"},"#;
    // The comma too many makes it pass through the mending too.
    format!(r#"{{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{}]}}"#, item.repeat(count))
}

#[test]
fn twice_the_document_is_twice_the_time() {
    doubles(items, 1_000);
    doubles(broken_items, 1_000);
    doubles(json_items, 2_000);
}

#[test]
#[ignore = "a hundred megabytes, for optimised code"]
fn the_largest_documents() {
    doubles(items, 200_000);
    doubles(broken_items, 200_000);
    doubles(json_items, 400_000);
    let paragraph = "plum ".repeat(2_000_000);
    quick(&feed(&format!("<description><![CDATA[<p>{paragraph}</p>]]></description>")));
    quick(&feed(&format!("<description>&lt;p>{paragraph}&lt;/p></description>")));
    quick(&feed(&format!("<description>{}</description>", "<b>".repeat(1_000_000))));
    quick(&feed(&format!("<description>{}{}</description>", "<b>".repeat(1_000_000), "</b>".repeat(1_000_000))));
    quick(&items(100_000));
}

#[test]
fn attributes_without_end() {
    let attributes: String = (0..100_000).map(|n| format!(" a{n}=\"{n}\"")).collect();
    quick(&feed(&format!("<link{attributes}>http://a/</link>")));
}

#[test]
fn things_that_never_end() {
    for piece in [
        "&",
        "<",
        "<!--",
        "<![CDATA[",
        "<?x ",
        "<b c=\"",
        "</x>",
        "&lt;b ",
        "&lt;a href='",
        "&lt;! ",
        "&lt;script>",
        "&lt;!-- ",
        "<!DOCTYPE x [",
        "<!DOCTYPE x [>",
        "<!-- x>",
        "<?x>",
        "<a b='c\" >",
    ] {
        quick(&feed(&format!("<description>{}</description>", piece.repeat(50_000))));
        quick(&feed(&piece.repeat(50_000)));
        quick(&format!("<rss><channel><item><title>{}", piece.repeat(50_000)));
    }
}

#[test]
fn json_that_never_ends() {
    for piece in ["[", "{\"a\":", "\"", "\\", "\"\\u", "/*", "//", ",", "1 ", "{\"a\":1},", "\"a\" "] {
        quick(&format!(r#"{{"version":"https://jsonfeed.org/version/1.1","items":[{}"#, piece.repeat(100_000)));
    }
}

#[test]
fn entities_of_entities() {
    let levels: String =
        (1..20).map(|n| format!("<!ENTITY a{n} \"{}\">", format!("&a{};", n - 1).repeat(10))).collect();
    quick(&format!(
        "<!DOCTYPE x [<!ENTITY a0 \"lol\">{levels}]><rss><channel><title>&a19;&nope;</title></channel></rss>"
    ));
}

#[test]
fn one_long_entity_many_times() {
    // Expanded, each would be 3 gigabytes.
    let entity = format!("<!DOCTYPE x [<!ENTITY a \"{}\">]>", "ha ".repeat(33_000));
    quick(&format!("{entity}{}", feed(&format!("<description>{}</description>", "&a;".repeat(30_000)))));
    quick(&format!("{entity}{}", feed(&"<category>&a;</category>".repeat(30_000))));
    quick(&format!("{entity}{}", feed(&"<enclosure url=\"&a;\"/>".repeat(30_000))));
}

#[test]
fn one_long_paragraph_and_many_short_items() {
    quick(&feed(&format!("<description><![CDATA[<p>{}</p>]]></description>", "plum ".repeat(1_000_000))));
    quick(&feed(&"</item><item><title>a</title>".repeat(50_000)));
    quick(&feed(&format!(
        "<c:chapters xmlns:c=\"http://podlove.org/simple-chapters\">{}</c:chapters>",
        "<c:chapter start=\"1\"/>".repeat(50_000)
    )));
    quick(&feed(&"<category>a</category><enclosure url=\"http://a/1\"/>".repeat(50_000)));
}
