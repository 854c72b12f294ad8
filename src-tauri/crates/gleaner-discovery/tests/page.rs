//! Feeds that a page names.
#![allow(clippy::unwrap_used)]

use gleaner_discovery::{From, in_page};
use url::Url;

fn urls_at(base: &str, html: &str) -> Vec<String> {
    in_page(html.as_bytes(), None, &Url::parse(base).unwrap()).iter().map(|found| found.url.to_string()).collect()
}

fn urls(html: &str) -> Vec<String> {
    urls_at("https://example.org/blog/", html)
}

const RSS: &str = "rel=alternate type=application/rss+xml";

#[test]
fn rel_is_a_set_of_words_in_any_order_and_case() {
    for rel in ["alternate", " ALTERNATE ", "home alternate", "Alternate\tnofollow", "&#97;lternate"] {
        let html = format!("<link rel=\"{rel}\" type=\"application/rss+xml\" href=/f>");
        assert_eq!(urls(&html), ["https://example.org/f"], "{rel}");
    }
    for rel in ["alternates", "x-alternate", "stylesheet alternate", "self", "", "application/rss+xml"] {
        let html = format!("<link rel=\"{rel}\" type=\"application/rss+xml\" href=/f>");
        assert!(urls(&html).is_empty(), "{rel}");
    }
    assert!(urls("<link rev=alternate type=application/rss+xml href=/f>").is_empty());
}

#[test]
fn recognises_types_with_parameters_and_in_any_case() {
    for kind in [
        "application/rss+xml",
        "application/atom+xml",
        "application/feed+json",
        "application/json",
        " Application/RSS+XML ; charset=utf-8",
        "application/x.atom+xml",
        "application/x-rss+xml",
        "text/rss+xml",
        "RSS",
    ] {
        assert_eq!(urls(&format!("<link rel=alternate type=\"{kind}\" href=/f>")), ["https://example.org/f"], "{kind}");
    }
    for kind in ["text/html", "application/json+oembed", "text/xml+oembed", "text/css", "application/pdf"] {
        assert!(urls(&format!("<link rel=alternate type=\"{kind}\" href=/feed>")).is_empty(), "{kind}");
    }
}

#[test]
fn accepts_xml_and_missing_types_if_the_address_suggests_a_feed() {
    assert_eq!(urls("<link rel=alternate type=text/xml href=/news.rss>"), ["https://example.org/news.rss"]);
    assert_eq!(urls("<link rel=alternate href=/feed.xml>"), ["https://example.org/feed.xml"]);
    assert_eq!(urls("<link rel=alternate type=text/xml title='RSS 2.0' href=/n>"), ["https://example.org/n"]);
    assert!(urls("<link rel=alternate type=application/xml title=Prices href=/prices>").is_empty());
    assert!(urls("<link rel=alternate href=/de/>").is_empty());
    assert!(urls("<link rel=alternate hreflang=de href=/de/feed>").is_empty());
}

#[test]
fn ignores_the_wordpress_api() {
    assert!(urls("<link rel=alternate type=application/json href=/wp-json/wp/v2/pages/2>").is_empty());
}

#[test]
fn makes_addresses_absolute() {
    for (href, url) in [
        ("feed", "https://example.org/blog/feed"),
        ("../feed", "https://example.org/feed"),
        ("?feed=rss2", "https://example.org/blog/?feed=rss2"),
        ("//other.example/f", "https://other.example/f"),
        ("/f?a=1&amp;b=2", "https://example.org/f?a=1&b=2"),
        ("/f?a=1&amp;amp;b=2", "https://example.org/f?a=1&b=2"),
        ("http://https://example.org/f", "https://example.org/f"),
        ("&#x2F;f", "https://example.org/f"),
        ("\n  /f\t ", "https://example.org/f"),
        ("feed:https://example.org/f", "https://example.org/f"),
        ("feed://example.org/f", "http://example.org/f"),
        ("/f#top", "https://example.org/f"),
    ] {
        assert_eq!(urls(&format!("<link {RSS} href=\"{href}\">")), [url], "{href}");
    }
    for href in ["", "  ", "#feed", "javascript:alert(1)", "mailto:a@example.org", "http://["] {
        assert!(urls(&format!("<link {RSS} href=\"{href}\">")).is_empty(), "{href}");
    }
    assert!(urls(&format!("<link {RSS}>")).is_empty());
}

#[test]
fn uses_the_first_base_with_an_address_anywhere() {
    let html = format!("<base target=_top><link {RSS} href=f><base href=/one/><base href=/two/>");
    assert_eq!(urls(&html), ["https://example.org/one/f"]);
    let html = format!("<base href='data:text/plain,x'><link {RSS} href=f>");
    assert_eq!(urls(&html), ["https://example.org/blog/f"]);
}

#[test]
fn a_page_without_an_address_has_only_absolute_links() {
    let html = format!("<link {RSS} href=/f><link {RSS} href=https://example.org/g>");
    assert_eq!(urls_at("about:blank", &html), ["https://example.org/g"]);
}

#[test]
fn ignores_links_in_raw_text() {
    for (before, after) in [
        ("<!--", "-->"),
        ("<script>", "</script>"),
        ("<style>", "</style>"),
        ("<title>", "</title>"),
        ("<textarea>", "</textarea>"),
    ] {
        assert!(urls(&format!("{before}<link {RSS} href=/f>{after}")).is_empty(), "{before}");
    }
    let xhtml = format!("<?xml version=\"1.0\"?><html><head><script src=\"x\"/><link {RSS} href=/f></head></html>");
    assert_eq!(urls(&xhtml), ["https://example.org/f"]);
}

#[test]
fn offers_each_feed_once_and_comments_last() {
    let html = format!(
        "<link {RSS} title='Site &raquo; Comments Feed' href=/comments/feed/>\
         <link {RSS} title='Kommentare zu: Hallo' href=/hallo/feed/>\
         <link {RSS} title='Tea' href=/category/tea/feed/>\
         <link {RSS} title='Site' href=/feed/><link {RSS} title='Again' href=https://example.org/feed/>"
    );
    assert_eq!(
        urls(&html),
        [
            "https://example.org/feed/",
            "https://example.org/category/tea/feed/",
            "https://example.org/comments/feed/",
            "https://example.org/hallo/feed/",
        ]
    );
}

#[test]
fn recognises_anchors_by_address_or_text() {
    for anchor in [
        "<a href=/feed.xml>subscribe</a>",
        "<a href=/news>RSS</a>",
        "<a href=/x/index.rdf>x</a>",
        "<a href='?feed=rss2'>x</a>",
        "<a href='/i.php?format=feed&amp;type=atom'>x</a>",
        "<a href=/n><img alt='RSS feed'></a>",
        "<a href=/n title='Atom feed'><i></i></a>",
        "<a href=/blog/feed/>x</a>",
        "<a href=/n>Subscribe (RSS)</a>",
        "<a type=application/atom+xml href=/n>x</a>",
        "<a href=/feeds/posts/default>x</a>",
        "<a href=https://feeds.example.net/show>Listen</a>",
        "<a href=/n aria-label='RSS feed'><i></i></a>",
        "<a href=/n class='social-icon icon-rss'></a>",
        "<a href=/n><i class='fa fa-rss'></i></a>",
        "<a href=/n><svg><use href='#rss'></use></svg></a>",
        "<a href=/n><svg><use xlink:href='/icons.svg#icon-rss'></use></svg></a>",
        "<a href=/n>RSSフィード</a>",
        "<a href=/n>订阅RSS</a>",
        "<a href=/n>RSS구독</a>",
        "<a href=/n>Subscribe to our RSS feed for news and updates</a>",
        "<a href=itpc://example.org/show>Subscribe</a>",
        "<a href=podcast://example.org/show>Subscribe</a>",
        "<a href=/services/rss/world>World</a>",
    ] {
        let found = in_page(anchor.as_bytes(), None, &Url::parse("https://example.org/").unwrap());
        assert_eq!(found.len(), 1, "{anchor}");
        assert_eq!(found[0].from, From::Anchor);
    }
    for anchor in [
        "<a href=/about>What is RSS?</a>",
        "<a href=/feed/cows>moo</a>",
        "<a href=/sitemap.xml>Sitemap</a>",
        "<a href=/rss.png>RSS</a>",
        "<a href=/help>Help with RSS</a>",
        "<a href=/>home</a>",
        "<a href=#feed>RSS</a>",
        "<a href=https://feedly.com/i/welcome>RSS</a>",
        "<a href=/n><b class=class-rssi></b>News</a>",
        "<a href=/n>All of the news of the coast, in RSS or by mail</a>",
        "<a href=/readers>RSS readers</a>",
    ] {
        assert!(urls(anchor).is_empty(), "{anchor}");
    }
}

#[test]
fn finds_the_feed_in_buttons_of_other_readers() {
    for href in [
        "https://cloud.feedly.com/#subscription/feed/https%3A%2F%2Fexample.org%2Ff%3Fa%3Db",
        "https://feedly.com/i/subscription/feed%2Fhttps%3A%2F%2Fexample.org%2Ff%3Fa%3Db",
        "https://feedly.com/i/subscription/feed/https://example.org/f?a=b",
        "https://www.inoreader.com/feed/https%3A%2F%2Fexample.org%2Ff%3Fa%3Db",
        "https://www.newsblur.com/?url=https%3A%2F%2Fexample.org%2Ff%3Fa%3Db",
        "https://www.subscribeonandroid.com/example.org/f?a=b",
    ] {
        assert_eq!(urls(&format!("<a href='{href}'>Follow</a>")), ["https://example.org/f?a=b"], "{href}");
    }
    assert!(urls("<a href='https://www.subscribeonandroid.com/about'>Follow</a>").is_empty());
}

#[test]
fn ignores_anchors_if_the_head_names_feeds() {
    assert_eq!(urls(&format!("<link {RSS} href=/f><a href=/feed.xml>RSS</a>")), ["https://example.org/f"]);
}

#[test]
fn reads_pages_in_other_encodings() {
    let html = format!("<html><head><title>Grüße</title><link {RSS} title=Grüße href=/f></head></html>");
    let base = Url::parse("https://example.org/").unwrap();
    let utf16: Vec<u8> = html.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin: Vec<u8> = html.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let with_mark = [b"\xff\xfe".to_vec(), utf16.clone()].concat();
    for (bytes, content_type) in
        [(utf16, None), (with_mark, None), (latin.clone(), None), (latin, Some("text/html; charset=iso-8859-1"))]
    {
        let found = in_page(&bytes, content_type, &base);
        assert_eq!(found[0].title.as_deref(), Some("Grüße"), "{content_type:?}");
    }
}

#[test]
fn a_document_that_is_a_feed_is_the_result() {
    let rss =
        b"<rss version='2.0'><channel><title>T</title><link>https://example.org/</link><description/></channel></rss>";
    let found = in_page(rss, Some("text/html"), &Url::parse("https://example.org/x").unwrap());
    assert_eq!((found[0].from, found[0].url.as_str()), (From::SelfFeed, "https://example.org/x"));
    assert!(found[0].parsed.is_some());
}

#[test]
fn broken_pages_do_not_panic() {
    let page = format!(
        "<!doctype html><meta http-equiv=refresh content='0;url=é'><base href='//é/'><meta charset=utf-16><title>é</title>\
         <link {RSS} title='é&raquo;' href='feed:é'><a href='/é?feed=é#é' title=é>é<img alt=é></a>\"channelId\":\"é"
    );
    let base = Url::parse("https://www.youtube.com/@é").unwrap();
    let bytes = page.as_bytes();
    for at in 0..bytes.len() {
        in_page(&bytes[..at], None, &base);
        in_page(&bytes[at..], Some("text/html; charset=\u{e9}"), &base);
        for byte in [0, b'<', b'"', b'&', 0xff] {
            let mut damaged = bytes.to_vec();
            damaged[at] = byte;
            in_page(&damaged, None, &base);
            let _ = gleaner_discovery::address(&String::from_utf8_lossy(&damaged[at..]));
        }
    }
}

#[test]
fn the_session_of_a_visitor_is_no_part_of_an_address() {
    let session = "0123456789abcdef0123456789abcdef";
    for (address, url) in [
        (format!("/feed?sid={session}"), "https://example.org/feed"),
        (format!("/feed?a=%2f&sid={session}&b=+"), "https://example.org/feed?a=%2f&b=+"),
        ("/feed?PHPSESSID=abc&x".to_owned(), "https://example.org/feed?x"),
        ("/feed?sid=12".to_owned(), "https://example.org/feed?sid=12"),
    ] {
        assert_eq!(urls(&format!("<link {RSS} href='{address}'>")), [url]);
    }
}

#[test]
fn reads_addresses_to_copy_and_those_in_scripts() {
    let copy = "<input readonly value=https://pod.example/show.rss><input value=https://pod.example/>";
    assert_eq!(urls(copy), ["https://pod.example/show.rss"]);
    let button = "<a href=/about><button data-clipboard-text='https://pod.example/feed'>Copy</button> RSS</a>";
    assert_eq!(urls(button), ["https://pod.example/feed"]);
    let script = r#"<script>{"rssUrl":"https://pod.example/f"}</script><a href=/prices.xml>Prices</a>"#;
    assert_eq!(urls(script), ["https://pod.example/f", "https://example.org/prices.xml"]);
    assert!(urls("<input type=hidden value=https://pod.example/show.rss>").is_empty());
    // Links come first.
    assert_eq!(urls(&format!("<link {RSS} href=/f>{script}")), ["https://example.org/f"]);
    assert_eq!(urls(&format!("<a href=/rss>RSS</a>{script}")), ["https://example.org/rss"]);
}
