//! Relative URLs are resolved against the page that the feed belongs to.

#![allow(clippy::unwrap_used)]

use gleaner_feed::{Context, Parsed, parse};

/// Reads a feed that was received from a service that publishes the feeds of others.
fn read(document: &str) -> Parsed {
    let context = Context { base_url: Some("https://feeds.example/orchard"), ..Context::default() };
    parse(document.as_bytes(), context).unwrap()
}

const ITEM: &str = "<item><title>Plums</title><link>/1</link><description>a</description><comments>/1#c</comments>\
    <enclosure url=\"/1.mp3\"/><m:thumbnail url=\"1.png\"/><source url=\"/s\">S</source>\
    <p:person href=\"/ann\">Ann</p:person><author><name>Eve</name><uri>/eve</uri></author></item>";

fn rss(link: &str) -> String {
    format!(
        "<rss version=\"2.0\" xmlns:m=\"http://search.yahoo.com/mrss/\" xmlns:p=\"https://podcastindex.org/namespace/1.0\" \
         xmlns:a=\"http://www.w3.org/2005/Atom\"><channel><title>Orchard</title>{link}<a:link rel=\"self\" href=\"/feed\"/>{ITEM}\
         </channel></rss>"
    )
}

#[test]
fn the_link_of_an_rss_feed_is_the_base_of_its_urls() {
    for (link, base, home) in [
        ("<link>https://a.example/b/</link>", "https://a.example", Some("https://a.example/b/")),
        ("<link>/b/</link>", "https://feeds.example", Some("https://feeds.example/b/")),
        ("", "https://feeds.example", None),
    ] {
        let parsed = read(&rss(link));
        let item = &parsed.items[0];
        assert_eq!(parsed.feed.home_url.as_deref(), home);
        assert_eq!(parsed.feed.feed_url.as_deref(), Some("https://feeds.example/feed"), "its own document");
        assert_eq!(item.url, Some(format!("{base}/1")));
        assert_eq!(item.comments_url, Some(format!("{base}/1#c")));
        assert_eq!(item.enclosures[0].url, format!("{base}/1.mp3"));
        let folder = home.map_or(format!("{base}/"), str::to_owned);
        assert_eq!(item.thumbnail_url, Some(format!("{folder}1.png")));
        assert_eq!(item.source.as_ref().unwrap().url, Some(format!("{base}/s")));
        assert_eq!(item.contributors[0].url, Some(format!("{base}/ann")));
        assert_eq!(item.authors[0].url, Some(format!("{base}/eve")));
        assert_eq!(item.content.as_ref().unwrap().base.as_deref(), item.url.as_deref());
    }
}

#[test]
fn a_declared_base_applies_to_rss_too() {
    let declared = rss("<link>https://a.example/</link>").replace("<item>", "<item xml:base=\"/c/\">");
    let item = &read(&declared).items[0];
    assert_eq!(item.thumbnail_url.as_deref(), Some("https://feeds.example/c/1.png"));
    assert_eq!(item.url.as_deref(), Some("https://feeds.example/1"));
}

#[test]
fn the_document_is_the_base_of_atom() {
    let parsed = read(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Orchard</title><link href=\"https://a.example/\"/><id>f</id>\
         <entry><title>Plums</title><id>1</id><link href=\"/1\"/></entry></feed>",
    );
    assert_eq!(parsed.items[0].url.as_deref(), Some("https://feeds.example/1"));
}

#[test]
fn the_div_of_xhtml_may_declare_its_base() {
    for name in ["summary", "content"] {
        let parsed = read(&format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Orchard</title><id>f</id><entry><title>Plums</title><id>1</id>\
             <{name} type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\" xml:base=\"/img/\"><img src=\"1.png\"/></div></{name}>\
             </entry></feed>"
        ));
        let content = parsed.items[0].content.as_ref().unwrap();
        assert_eq!(content.base.as_deref(), Some("https://feeds.example/img/"), "{name}");
    }
}

#[test]
fn the_documents_of_an_rss_feed_are_relative_to_its_own_address_and_pages_to_its_link() {
    let document = "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel><title>T</title><link>https://site.example/</link>\
        <atom:link rel=\"self\" href=\"/feed\"/><atom:link rel=\"next\" href=\"/feed?page=2\"/><atom:link rel=\"hub\" href=\"/hub\"/>\
        <item><title>A</title><link>/a</link></item></channel></rss>";
    let context = Context { base_url: Some("https://feeds.example/feed"), ..Context::default() };
    let parsed = parse(document.as_bytes(), context).unwrap();
    assert_eq!(parsed.feed.feed_url.as_deref(), Some("https://feeds.example/feed"));
    assert_eq!(parsed.feed.next_url.as_deref(), Some("https://feeds.example/feed?page=2"));
    assert_eq!(parsed.feed.hubs, ["https://feeds.example/hub"]);
    assert_eq!(parsed.items[0].url.as_deref(), Some("https://site.example/a"));
}

#[test]
fn the_address_of_a_file_is_the_one_that_the_feed_names() {
    let documents = [
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><link rel='self' href='https://a.example/b/f.atom'/><entry>\
         <id>x</id><title>A</title><link href='c'/><content type='html'>x</content></entry></feed>",
        "<rss version='2.0' xmlns:a='http://www.w3.org/2005/Atom'><channel><title>T</title><a:link rel='self' \
         href='https://a.example/b/f.rss'/><item><title>A</title><link>c</link><description>x</description></item></channel></rss>",
        r#"{"version":"https://jsonfeed.org/version/1.1","title":"T","feed_url":"https://a.example/b/f.json",
            "items":[{"id":"1","url":"c","content_html":"x"}]}"#,
    ];
    for document in documents {
        let parsed = parse(document.as_bytes(), Context::default()).unwrap();
        let item = &parsed.items[0];
        assert_eq!(item.url.as_deref(), Some("https://a.example/b/c"), "{document}");
        assert_eq!(item.content.as_ref().unwrap().base.as_deref(), Some("https://a.example/b/c"), "{document}");
        // The address that the server really has comes first.
        let item = &read(document).items[0];
        assert_eq!(item.url.as_deref(), Some("https://feeds.example/c"), "{document}");
    }
}

#[test]
fn addresses_of_the_publishers_own_computer_are_those_of_the_server() {
    let document = |url: &str| {
        format!(
            "<rss version='2.0'><channel><title>T</title><link>{url}</link><item><title>A</title><link>{url}</link></item></channel></rss>"
        )
    };
    for url in ["http://localhost:1313/a?b", "http://127.0.0.1:4000/a?b", "https://localhost/a?b", "//localhost:80/a?b"]
    {
        let parsed = read(&document(url));
        assert_eq!(parsed.feed.home_url.as_deref(), Some("https://feeds.example/a?b"), "{url}");
        assert_eq!(parsed.items[0].url.as_deref(), Some("https://feeds.example/a?b"), "{url}");
    }
    let url = "http://localhost:1313/a";
    for base_url in [None, Some("http://localhost:8000/feed"), Some("http://127.0.0.1/feed"), Some("file:///feed")] {
        let parsed = parse(document(url).as_bytes(), Context { base_url, ..Context::default() }).unwrap();
        assert_eq!(parsed.items[0].url.as_deref(), Some(url), "{base_url:?}");
    }
    for url in ["http://localhost.example/a", "https://a.example/?u=http://localhost/"] {
        assert_eq!(read(&document(url)).items[0].url.as_deref(), Some(url));
    }
}
