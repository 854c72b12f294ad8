//! RSS and Atom in JSON.

#![allow(clippy::unwrap_used)]

use gleaner_feed::{Context, Format, Parsed, parse};

fn read(document: &str) -> Parsed {
    parse(document.as_bytes(), Context::default()).unwrap_or_else(|error| panic!("{error}: {document}"))
}

fn titles(parsed: &Parsed) -> Vec<&str> {
    parsed.items.iter().map(|item| item.title.as_deref().unwrap_or("")).collect()
}

const RSS: &str = r##"{"rss": {"version": "2.0", "xmlns:dc": "http://purl.org/dc/elements/1.1/", "xmlns:m": "http://search.yahoo.com/mrss/",
    "channel": {"title": "Orchard &amp; Garden", "link": "https://a.example/", "ttl": 90, "language": null, "webMaster": "",
        "image": {"url": "/i.png", "title": "Tree", "width": 88},
        "cloud": {"domain": "rpc.a.example", "port": "80", "path": "/ping"},
        "category": ["Fruit", {"domain": "https://c.example/", "#value": "Trees"}],
        "skipHours": {"hour": [1, "2"]},
        "item": [
            {"title": "Plums", "link": "/plums", "description": "<p>Ripe &amp; <b>sweet</b></p>", "dc:creator": "Ann",
             "pubDate": "Sun, 19 May 2002 15:21:36 GMT", "guid": {"#value": "1", "isPermaLink": false},
             "enclosure": {"url": "https://a.example/a.mp3", "type": "audio/mpeg", "length": 12216320},
             "source": {"#value": "Other", "url": "https://b.example/rss"},
             "m:group": {"m:thumbnail": {"url": "https://a.example/t.png"}}},
            {"title": "Pears", "guid": "https://a.example/pears", "category": {"#value": "Pears", "domain": "d"}}
        ]}}}"##;

const ATOM: &str = r#""xmlns":"http://www.w3.org/2005/Atom","title":{"$t":"Orchard"}"#;

#[test]
fn rss_in_json_is_read_like_rss() {
    let parsed = read(RSS);
    assert_eq!((parsed.format, parsed.well_formed), (Format::Rss20, true));
    let feed = &parsed.feed;
    assert_eq!((feed.title.as_deref(), feed.ttl_minutes), (Some("Orchard & Garden"), Some(90)));
    let image = feed.image.as_ref().unwrap();
    assert_eq!((&*image.url, image.title.as_deref(), image.width), ("https://a.example/i.png", Some("Tree"), Some(88)));
    assert_eq!(feed.cloud.as_ref().unwrap().domain.as_deref(), Some("rpc.a.example"));
    let categories: Vec<_> = feed.categories.iter().map(|c| (&*c.term, c.scheme.as_deref())).collect();
    assert_eq!(categories, [("Fruit", None), ("Trees", Some("https://c.example/"))]);
    assert_eq!((feed.skip_hours.as_slice(), &feed.web_master), ([1, 2].as_slice(), &None));
    let [plums, pears] = &parsed.items[..] else { panic!("{:?}", titles(&parsed)) };
    assert_eq!((&*plums.id, plums.url.as_deref()), ("1", Some("https://a.example/plums")));
    assert_eq!(plums.content.as_ref().unwrap().html, "<p>Ripe &amp; <b>sweet</b></p>");
    assert_eq!(plums.authors[0].name.as_deref(), Some("Ann"));
    assert_eq!(plums.published.unwrap().to_rfc3339(), "2002-05-19T15:21:36+00:00");
    assert_eq!(plums.enclosures[0].length, Some(12_216_320));
    let source = plums.source.as_ref().unwrap();
    assert_eq!((source.title.as_deref(), source.url.as_deref()), (Some("Other"), Some("https://b.example/rss")));
    assert_eq!(plums.thumbnail_url.as_deref(), Some("https://a.example/t.png"));
    assert_eq!((pears.title.as_deref(), pears.url.as_deref()), (Some("Pears"), Some("https://a.example/pears")));
    assert_eq!(&*pears.categories[0].term, "Pears");
    let outside = RSS.replace("]}}}", "]}, \"item\": {\"title\": \"Figs\"}}}").replace("\"item\": [", "\"items\": [");
    assert_eq!(titles(&read(&outside)), ["Plums", "Pears", "Figs"]);
}

#[test]
fn xml_that_a_program_converted_is_read() {
    let lists = r#"{"rss":{"$":{"version":"2.0"},"channel":[{"title":["Orchard"],"item":[
        {"title":["Plums"],"guid":[{"_":"1","$":{"isPermaLink":"false"}}]},{"title":["Pears"]}]}]}}"#;
    let at = r##"{"rss":{"@version":"2.0","channel":{"title":"Orchard","item":[
        {"title":"Plums","guid":{"@isPermaLink":"false","#text":"1"}},{"title":"Pears"}]}}}"##;
    let atom_lists = r#"{"feed":{"$":{"xmlns":"http://www.w3.org/2005/Atom"},"title":["Orchard"],"entry":[
        {"id":["1"],"title":[{"_":"Plums","$":{"type":"text"}}]}]}}"#;
    let atom_at = r##"{"feed":{"@xmlns":"http://www.w3.org/2005/Atom","title":"Orchard","entry":
        {"id":"1","title":{"@type":"text","#text":"Plums"}}}}"##;
    for document in [atom_lists, atom_at] {
        let parsed = read(document);
        assert_eq!((parsed.format, titles(&parsed)), (Format::Atom10, vec!["Plums"]), "{document}");
    }
    for document in [lists, at] {
        let parsed = read(document);
        assert_eq!((parsed.format, titles(&parsed)), (Format::Rss20, vec!["Plums", "Pears"]), "{document}");
        assert_eq!((&*parsed.items[0].id, parsed.items[0].guid_is_permalink), ("1", Some(false)), "{document}");
    }
}

#[test]
fn atom_in_json_is_read_like_atom() {
    let parsed = read(
        r#"{"version":"1.0","encoding":"UTF-8","feed":{"xmlns":"http://www.w3.org/2005/Atom",
        "xmlns$thr":"http://purl.org/syndication/thread/1.0","id":{"$t":"tag:f"},"title":{"type":"text","$t":"Orchard"},
        "link":[{"rel":"alternate","type":"text/html","href":"https://a.example/"}],
        "entry":[{"id":{"$t":"tag:1"},"title":{"type":"text","$t":"A < B"},"published":{"$t":"2024-12-31T23:00:00Z"},
            "content":{"type":"html","$t":"\u003cp\u003ePlums\u003c/p\u003e"},"category":[{"scheme":"s","term":"Fruit"}],
            "link":[{"rel":"replies","href":"https://a.example/c"},{"rel":"alternate","href":"https://a.example/1"}],
            "author":[{"name":{"$t":"Ann"},"uri":{"$t":"https://ann.example/"}}],"thr$total":{"$t":"3"}}]}}"#,
    );
    assert_eq!((parsed.format, parsed.well_formed), (Format::Atom10, true));
    assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"));
    assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"));
    let item = &parsed.items[0];
    assert_eq!((&*item.id, item.url.as_deref()), ("tag:1", Some("https://a.example/1")));
    assert_eq!((item.title.as_deref(), item.comments_count), (Some("A < B"), Some(3)));
    assert_eq!(item.content.as_ref().unwrap().html, "<p>Plums</p>");
    assert_eq!((&*item.categories[0].term, item.authors[0].name.as_deref()), ("Fruit", Some("Ann")));
}

#[test]
fn damaged_documents_are_read_as_far_as_possible() {
    let after = format!("{RSS}<!-- 3 ms -->");
    let comma = RSS.replace("\"d\"}}\n", "\"d\"}},\n");
    let quote = RSS.replace("Ripe", "\"Ripe\"");
    for document in [&after, &comma, &quote] {
        let parsed = read(document);
        assert_eq!((titles(&parsed), parsed.well_formed), (vec!["Plums", "Pears"], false), "{document}");
        assert!(!parsed.is_cut_off(), "{document}");
    }
    let cut = &RSS[..RSS.find("\"guid\": \"https").unwrap()];
    let parsed = read(cut);
    assert_eq!((titles(&parsed), parsed.is_cut_off()), (vec!["Plums"], true));
    assert_eq!(parsed.feed.title.as_deref(), Some("Orchard & Garden"));
}

#[test]
fn a_document_that_was_cut_off_keeps_what_was_read() {
    let item = r#"{"title":"Plums","link":"https://a.example/1","guid":"1"}"#;
    let list = format!(r#"{{"rss":{{"version":"2.0","channel":{{"title":"Orchard","item":[{item},{item}"#);
    for (start, count, rest) in [
        (list.clone(), 2, r#"],"link":"https://a.example/","ttl":60}}}"#),
        (
            list.replace(r#"[{"title""#, r#"[{"description":"a "b" c","title""#),
            2,
            r#"],"link":"https://a.example/"}}}"#,
        ),
        (list.replace(&format!("[{item},"), ""), 1, r#","link":"https://a.example/"}}}"#),
        (list.replace("\"channel\":", "\"channel\":["), 2, r#"],"ttl":["60"]}]}}"#),
    ] {
        for end in 0..rest.len() {
            let document = format!("{start}{}", &rest[..end]);
            let parsed = read(&document);
            assert_eq!((parsed.items.len(), parsed.feed.title.as_deref()), (count, Some("Orchard")), "{document}");
            assert!(parsed.is_cut_off() && parsed.items.iter().all(|item| !item.is_cut_off), "{document}");
        }
    }
    // An item that the document ends in is marked, as in XML.
    let parsed = read(&format!(r#"{list},{{"title":"Figs","guid":"3","description":"Ri"#));
    let marks: Vec<_> = parsed.items.iter().map(|item| (&*item.id, item.is_cut_off)).collect();
    assert_eq!(marks, [("1", false), ("1", false), ("3", true)]);
}

#[test]
fn members_that_are_only_attributes_are_no_text() {
    let entry = r#"{"id":{"$t":"1"},"title":{"type":"text"},"content":{"type":"text/html","src":"https://a.example/1"},
        "summary":{"type":"text","$t":"Ripe"}}"#;
    let xhtml =
        r#"{"id":{"$t":"2"},"content":{"type":"xhtml","div":{"xmlns":"http://www.w3.org/1999/xhtml","p":"Sweet"}}}"#;
    let parsed = read(&format!(r#"{{"feed":{{{ATOM},"entry":[{entry},{xhtml}]}}}}"#));
    let [plums, pears] = &parsed.items[..] else { panic!("{:?}", titles(&parsed)) };
    assert_eq!((plums.title.as_deref(), plums.title_from_content), (Some("Ripe"), true));
    assert_eq!(plums.content.as_ref().unwrap().html, "Ripe");
    assert_eq!(pears.content.as_ref().unwrap().html, "<p>Sweet</p>");
    let links = r#"["https://a.example/",{"href":"https://a.example/feed","rel":"self"}]"#;
    let parsed = read(&format!(r#"{{"rss":{{"version":"2.0","channel":{{"title":"Orchard","link":{links}}}}}}}"#));
    assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"));
}

#[test]
fn namespaces_are_known_where_they_are_declared() {
    // Each entry declares the prefix again.
    let entry = |prefix: &str| {
        format!(
            r#"{{"title":{{"$t":"Plums"}},"{prefix}$thumbnail":{{"xmlns${prefix}":"http://search.yahoo.com/mrss/","url":"/t.png"}},
            "svg":{{"xmlns":"http://www.w3.org/2000/svg","path":"d"}}}}"#
        )
    };
    let mut entries = vec![entry("m"); 70];
    entries.push(entry("n"));
    let parsed = read(&format!(r#"{{"feed":{{{ATOM},"entry":[{}]}}}}"#, entries.join(",")));
    assert_eq!(parsed.items.len(), 71);
    assert!(parsed.items.iter().all(|item| item.title.is_some() && item.thumbnail_url.is_some()));
}

#[test]
fn a_list_of_items_may_contain_elements() {
    let items = r#"{"item":[{"title":"Plums"},{"title":"Pears"}]}"#;
    let parsed = read(&format!(r#"{{"rss":{{"version":"2.0","channel":{{"title":"Orchard","items":{items}}}}}}}"#));
    assert_eq!(titles(&parsed), ["Plums", "Pears"]);
}

#[test]
fn as_many_values_as_are_read_are_not_too_many() {
    // The list is a value as well.
    let document = |count: usize| {
        let list = vec!["1"; count - 1].join(",");
        [
            format!(r#"{{"rss":{{"channel":{{"title":"Orchard","x":[{list}]}}}}}}"#),
            format!(r#"{{"version":"https://jsonfeed.org/version/1","title":"Orchard","tags":[{list}],"items":[]}}"#),
        ]
    };
    for (count, is_limited) in [(10_000, false), (10_001, true)] {
        let limited = document(count).map(|document| !read(&document).well_formed);
        assert_eq!(limited, [is_limited; 2], "{count}");
    }
}

#[test]
fn a_json_feed_may_have_a_member_named_rss_or_feed() {
    let rest =
        r#""version":"https://jsonfeed.org/version/1","title":"Orchard","items":[{"id":"1","content_text":"Plums"}]}"#;
    for member in [
        r#""rss":{"url":"https://a.example/rss"}"#,
        r#""rss":{"channel":{"title":"Other"}}"#,
        r#""feed":{"xmlns":"http://www.w3.org/2005/Atom","title":"Other"}"#,
    ] {
        for rest in [rest, &rest.replace("}]", "},]")] {
            let parsed = read(&format!("{{{member},{rest}"));
            assert_eq!(
                (parsed.format, parsed.feed.title.as_deref()),
                (Format::JsonFeed10, Some("Orchard")),
                "{member}"
            );
            assert_eq!(parsed.items[0].content.as_ref().unwrap().html, "Plums");
        }
    }
}

#[test]
fn other_json_is_no_feed() {
    for other in [
        r#"{"rss": "https://a.example/rss", "items": []}"#,
        r#"{"rss": {"url": "https://a.example/rss"}}"#,
        r#"{"status": "ok", "feed": {"title": "Orchard", "link": "https://a.example/"}, "items": [{"title": "Plums"}]}"#,
        r#"{"data": {"rss": {"channel": {"title": "Orchard"}}}}"#,
        r#"{"rss": [1, 2, {"a": null}], "feed": 1}"#,
        r#"{"rss": {}}"#,
        r#"{"rss": {"channel": {"id": 5}}}"#,
        r#"{"rss": {"items": [{"title": "Plums"}]}}"#,
        r#"{"rss": {"url": "https://a.example/rss"}, "items": [{"title": "Plums"}]}"#,
        r#"{"rss": {"url": "https://a.example/rss"}, "item": {"title": "Plums"}}"#,
        r#"{"rss": {"url": "https://a.example/rss"}, "channel": {"title": "Plums"}}"#,
        r#"{"feed": {"xmlns": "x"}, "item": [{"title": "Plums"}]}"#,
        r#"{"feed": {"xmlns": "x", "title": "Orchard", "entry": [{"title": "Plums"}]}}"#,
    ] {
        assert!(parse(other.as_bytes(), Context::default()).is_err(), "{other}");
    }
}
