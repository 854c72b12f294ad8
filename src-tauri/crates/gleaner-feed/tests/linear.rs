//! Documents made to cost more than their length: each takes the time of its length. The limit is generous, since a machine may
//! be busy; what is quadratic takes minutes.

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
    ] {
        quick(&feed(&format!("<description>{}</description>", piece.repeat(50_000))));
        quick(&feed(&piece.repeat(50_000)));
        quick(&format!("<rss><channel><item><title>{}", piece.repeat(50_000)));
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
fn one_long_paragraph_and_many_short_items() {
    quick(&feed(&format!("<description><![CDATA[<p>{}</p>]]></description>", "plum ".repeat(1_000_000))));
    quick(&feed(&"</item><item><title>a</title>".repeat(50_000)));
    quick(&feed(&"<category>a</category><enclosure url=\"http://a/1\"/>".repeat(50_000)));
}
