//! JSON Feeds that are damaged, or written by programs that confuse lists and objects.

#![allow(clippy::unwrap_used)]

use gleaner_feed::{Context, Parsed, parse};

fn read(document: &str) -> Parsed {
    parse(document.as_bytes(), Context::default()).unwrap_or_else(|error| panic!("{error}: {document}"))
}

fn titles(parsed: &Parsed) -> Vec<&str> {
    parsed.items.iter().map(|item| item.title.as_deref().unwrap_or("")).collect()
}

fn item(number: u32) -> String {
    format!(r#"{{"id":"{number}","title":"T{number}","authors":[{{"name":"A"}}],"content_html":"<p>{number}</p>"}}"#)
}

const HEAD: &str = r#"{"version":"https://jsonfeed.org/version/1.1","title":"Orchard","items":["#;

#[test]
fn a_defect_of_an_item_does_not_concern_the_others() {
    let warning = "<br />\n<b>Warning</b>:  Undefined array key \"a\" in <b>/feed.php</b> on line <b>12</b><br />\n";
    for (damaged, title) in [
        (item(2).replace(r#","content"#, r#",`a "b"`,"content"#), Some("T2")),
        (item(2).replace("A\"}]", "A\"]"), Some("T2")),
        (item(2).replace("}]", "]"), Some("T2")),
        (item(2).replace("p>\"}", "p>\"}}"), Some("T2")),
        (item(2).replace("p>\"}", "p>\"]}"), Some("T2")),
        (item(2).replace("p>\"}", "p>\\\"}"), Some("T2")),
        (item(2).replace("p>\"}", &format!("p>\",{warning}}}")), Some("T2")),
        (format!("{warning}{}{warning}", item(2)), Some("T2")),
        (format!("{{{}}}", item(2)), Some("T2")),
        (format!("{}]", item(2)), Some("T2")),
        (item(2)[..12].to_owned(), None),
        (r#"{"id" "2" "title" "T2"}"#.to_owned(), None),
    ] {
        for separator in [",", ",\n"] {
            let items = [item(1), damaged.clone(), item(3), item(4)].join(separator);
            let document = format!("{HEAD}{items}]}}");
            let parsed = read(&document);
            let expected: Vec<&str> = ["T1"].into_iter().chain(title).chain(["T3", "T4"]).collect();
            assert_eq!(titles(&parsed), expected, "{document}");
            assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
            assert_eq!(parsed.items.last().unwrap().authors[0].name.as_deref(), Some("A"), "{document}");
            assert!(!parsed.well_formed);
        }
    }
}

#[test]
fn a_defect_of_a_member_of_the_feed_does_not_concern_the_items() {
    let whole = format!(
        r#"{}{},{}]}}"#,
        HEAD.replace("\"items", "\"home_page_url\":\"https:\\/\\/a.example\\/\",\"author\":{\"name\":\"Ann\"},\"items"),
        item(1),
        item(2)
    );
    let warning = "<br />\n<b>Warning</b>:  Undefined array key \"a\" in <b>/feed.php</b> on line <b>12</b><br />\n";
    for (from, to, title) in [
        ("\"version\"", "version\"", Some("Orchard")),
        ("\"version\"", "\"version", Some("Orchard")),
        ("\"version\":", "\"version:", Some("Orchard")),
        ("\"Orchard", "Orchard", Some("Orchard")),
        ("\"Orchard\"", warning, None),
        ("\"Orchard\"", &format!("{warning}null"), None),
        ("\"https://json", "https://json", Some("Orchard")),
    ] {
        let document = whole.replacen(from, to, 1);
        let parsed = read(&document);
        assert_eq!(titles(&parsed), ["T1", "T2"], "{document}");
        assert_eq!(parsed.feed.title.as_deref(), title, "{document}");
        assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{document}");
    }
}

#[test]
fn a_member_that_json_feed_does_not_have_is_in_no_other() {
    let nested = r#"{"title":"CC BY","description":"Nested","language":"fr","home_page_url":"https://b.example/"}"#;
    for (end, is_whole) in [(",]}", true), ("]}", false)] {
        for extension in [&format!("\"_license\":{nested}"), "\"_updated\":\"2026-11-01\"", "\"expired\":false"] {
            let items = format!("{},{}{end}", item(1), item(2));
            let head = HEAD.replace("\"items", &format!("{extension},\"items"));
            let head = head.replace(",\"title", &format!(",{extension},\"icon\":\"/i\",{extension},\"title"));
            let head = if is_whole { head } else { head.replace("\"version\"", "version\"") };
            let feed = read(&format!("{head}{items}")).feed;
            assert_eq!(feed.title.as_deref(), Some("Orchard"), "{head}");
            assert_eq!((feed.description, feed.language, feed.home_url), (None, None, None), "{head}");
            assert_eq!(feed.image.map(|image| image.url).as_deref(), Some("/i"), "{head}");
        }
    }
}

#[test]
fn an_apostrophe_before_a_word_is_part_of_it() {
    let damaged = item(2).replace("\"T2\"", "'Tis the season");
    let parsed = read(&format!("{HEAD}{},{damaged},{}]}}", item(1), item(3)));
    assert_eq!(titles(&parsed), ["T1", "Tis", "T3"]);
}

#[test]
fn single_quotation_marks_are_read() {
    let mut items = item(1).replace('"', "'");
    items.push_str(r#",{'id': '2', 'title': "T'2", 'content_html': '<a href="/b">it\'s, "x", y</a>', 'tags': ['a', 'b c'], 'url': None}"#);
    let parsed = read(&format!("{}{items}]}}", HEAD.replace('"', "'")));
    assert_eq!(titles(&parsed), ["T1", "T'2"]);
    assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"));
    assert_eq!(parsed.items[1].content.as_ref().unwrap().html, "<a href=\"/b\">it's, \"x\", y</a>");
    let tags: Vec<_> = parsed.items[1].categories.iter().map(|tag| &*tag.term).collect();
    assert_eq!(tags, ["a", "b c"]);
}

#[test]
fn a_feed_in_another_document_is_read() {
    let feed = format!("{HEAD}{}]}}", item(1));
    for document in [
        format!("{{\"data\":{feed}}}"),
        format!("[{feed}]"),
        format!("{{\"status\": \"ok\", \"feed\": {feed}, \"took\": 3}}"),
    ] {
        let parsed = read(&document);
        assert_eq!((titles(&parsed), parsed.well_formed), (vec!["T1"], false), "{document}");
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"));
    }
    for other in [
        "{\"about\":{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"x\"}}".to_owned(),
        format!("{{\"text\":{}}}", serde_json::Value::from(feed)),
    ] {
        assert!(parse(other.as_bytes(), Context::default()).is_err(), "{other}");
    }
}

#[test]
fn attachments_that_are_cut_off_are_no_items() {
    let attachments = r#","attachments":[{"id":"a","title":"t","url":"http://a/x.mp3"},{"id":"b","title":"t","url":"#;
    let document = format!(r#"{HEAD}{{"id":"1","content_text":"x"{attachments}"#);
    let parsed = read(&document);
    assert_eq!(parsed.items.iter().map(|item| &*item.id).collect::<Vec<_>>(), ["1"]);
    let damaged = format!(r#"{{"id":"1","content_text":"x"{attachments}}}"#);
    let document = format!("{HEAD}{damaged},{},{}]}}", item(2), item(3));
    assert_eq!(read(&document).items.len(), 3, "{document}");
}

#[test]
fn an_item_that_the_document_ends_in_is_marked() {
    let whole = format!("{HEAD}{},{}]}}", item(1), item(2));
    assert!(read(&whole).items.iter().all(|item| !item.is_cut_off));
    let last = whole.len() - item(2).len() - 2;
    for length in 1..item(2).len() {
        let Some(document) = whole.get(..last + length) else { continue };
        let marks: Vec<bool> = read(document).items.iter().map(|item| item.is_cut_off).collect();
        assert!(matches!(marks[..], [false] | [false, true]), "{document}: {marks:?}");
    }
    for end in ["", ",", "]"] {
        let document = format!("{HEAD}{},{}{end}", item(1), item(2));
        assert!(read(&document).items.iter().all(|item| !item.is_cut_off), "{document}");
    }
    // A defect is not an end.
    let document = format!("{HEAD}{},{}]}}", item(1), item(2).replacen("\",", ",", 1));
    assert!(read(&document).items.iter().all(|item| !item.is_cut_off), "{document}");
}

#[test]
fn an_item_that_is_cut_off_is_kept_if_it_is_recognisable() {
    let whole = r#"{"id":12,"url":"https://a.example/2","title":"Two","date_published":"2026-11-20T10:00:00Z","content_text":"x"}"#;
    let start = format!("{HEAD}{},", item(1));
    let complete = whole.find(",\"content").unwrap();
    for length in 1..whole.len() {
        let items = read(&format!("{start}{}", &whole[..length])).items;
        assert_eq!(items.len(), 1 + usize::from(length >= complete), "{}", &whole[..length]);
        assert!(items.iter().skip(1).all(|item| item.is_cut_off && item.id == "12" && item.url.is_some()));
    }
}

#[test]
fn a_missing_colon_or_quotation_mark_of_a_name_loses_its_item_at_most() {
    let whole = format!("{HEAD}{},{},{}]}}", item(1), item(2), item(3));
    let mut places = 0;
    let end = whole.find("\"2\"").unwrap();
    for (at, c) in whole.char_indices().filter(|(at, c)| *at > 0 && *at < end && matches!(c, '"' | ':')) {
        let mut damaged = whole.clone();
        damaged.remove(at);
        let parsed = read(&damaged);
        assert!(parsed.items.len() >= 2, "{c} at {at}: {damaged}");
        places += 1;
    }
    assert!(places > 20);
}

#[test]
fn items_are_found_if_their_list_or_a_bracket_is_damaged() {
    let head = HEAD.replace("\"items", "\"authors\":[{\"name\":\"A\"}],\"items");
    let whole = format!("{head}{},{},{}]}}", item(1), item(2), item(3));
    for (from, to, expected) in [
        ("\"items\":[", "items\":[", &["T1", "T2", "T3"][..]),
        ("\"items\":[", "\"items:[", &["T1", "T2", "T3"]),
        ("\"items\":[", "\"items\"::[", &["T1", "T2", "T3"]),
        ("\"items\":[", "\"items\"=[", &["T1", "T2", "T3"]),
        ("\"items\":[", "\"items\":{", &["T1", "T2", "T3"]),
        ("\"items\":[", "\"items\" [", &["T1", "T2", "T3"]),
        ("[{\"name\"", "[\"name\"", &["T1", "T2", "T3"]),
        ("\"A\"}],\"items", "\"A}],\"items", &["T1", "T2", "T3"]),
        ("\"A\"}],\"items", "\"A\"],\"items", &["T1", "T2", "T3"]),
        ("\"items\":[{", "\"items\":[", &["T2", "T3"]),
        ("{\"id\":\"2\"", "\"id\":\"2\"", &["T1", "T2", "T3"]),
        ("{\"id\":\"3\"", "\"id\":\"3\"", &["T1", "T2", "T3"]),
    ] {
        let document = whole.replacen(from, to, 1);
        assert_ne!(document, whole, "{from}");
        let parsed = read(&document);
        let found = titles(&parsed);
        assert!(found.ends_with(expected), "{document}: {found:?}");
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
        assert!(!parsed.well_formed, "{document}");
    }
}

#[test]
fn a_feed_whose_items_are_all_lost_is_not_an_empty_one() {
    for items in [r#"{"content_html" = "x"}]"#, r#"{"id":"1","content_html":]"#, r#""content_text":"x"]"#] {
        let document = format!("{HEAD}{items}}}");
        match parse(document.as_bytes(), Context::default()) {
            Ok(parsed) => assert!(!parsed.items.is_empty(), "{document}"),
            Err(error) => assert!(matches!(error, gleaner_feed::NotAFeed::Other { .. }), "{document}"),
        }
    }
    // An empty list, and the beginning of a feed.
    for document in [format!("{HEAD},]}}"), format!(r#"{HEAD}{{"id":"1","content_html":"x"#)] {
        assert!(read(&document).items.is_empty(), "{document}");
    }
}

#[test]
fn an_object_in_an_item_may_begin_like_an_item() {
    let item = |number: u32, defect: &str| {
        format!(
            r#"{{"url":"https://a.example/{number}","attachments":[{{"url":"/a"}},{{"url":"/b"}}],"title":"T{number}"{defect}}}"#
        )
    };
    let document = format!("{HEAD}{},{},{}]}}", item(1, ""), item(2, "}"), item(3, ""));
    let parsed = read(&document);
    assert_eq!(titles(&parsed), ["T1", "T2", "T3"], "{document}");
    assert!(parsed.items.iter().all(|item| item.enclosures.len() == 2));
}

#[test]
fn objects_of_numbered_members_are_lists() {
    let numbered = format!(
        r#"{HEAD}{},{}]}}"#,
        item(1),
        item(2).replace("[{\"name\":\"A\"}]", r#"{"0":{"name":"A"},"3":{"name":"B"}}"#)
    );
    let numbered =
        numbered.replace("\"items\":[", "\"items\":{\"0\":").replace("},{\"id\":\"2\"", "},\"2\":{\"id\":\"2\"");
    let numbered = numbered.strip_suffix("]}").unwrap().to_owned() + "}}";
    let parsed = read(&numbered);
    assert!(parsed.well_formed);
    assert_eq!(titles(&parsed), ["T1", "T2"], "{numbered}");
    let names: Vec<_> = parsed.items[1].authors.iter().filter_map(|author| author.name.as_deref()).collect();
    assert_eq!(names, ["A", "B"]);
}

#[test]
fn values_beyond_the_limit_of_an_item_are_reported() {
    let details = |tags: usize| {
        let tags = vec!["\"a\""; tags].join(",");
        let document = format!(r#"{HEAD}{{"id":"1","content_text":"x","author":{{"name":"A","avatar":[{tags}]}}}}]}}"#);
        read(&document).repairs.iter().map(|repair| repair.detail.code()).collect::<Vec<_>>()
    };
    assert!(details(9_000).is_empty());
    assert_eq!(details(11_000), ["repeated_too_much"]);
}

#[test]
fn a_list_of_items_with_another_name_is_read() {
    let named = |name: &str| HEAD.replace("\"items\"", &format!("\"{name}\""));
    let details = |parsed: &Parsed| parsed.repairs.iter().map(|repair| repair.detail.to_string()).collect::<Vec<_>>();
    for name in ["item", "Items", "entries", "posts", "articles", "contents"] {
        let parsed = read(&format!("{}{},{}]}}", named(name), item(1), item(2)));
        assert_eq!(titles(&parsed), ["T1", "T2"], "{name}");
        let reported = if name == "contents" { "items" } else { name };
        assert_eq!(details(&parsed), [reported], "{name}");
    }
    let without_text = r#"{"id":"1","url":"https://a.example/1","title":"T1"}"#;
    assert_eq!(titles(&read(&format!("{}{without_text}]}}", named("posts")))), ["T1"]);
    // These are no items, and the list of the right name counts.
    for other in [r#""posts":[1,2]"#, r#""news":[{"title":"T"}]"#, r#""entries":{"url":"https://a.example/"}"#] {
        let parsed = read(&format!("{}{}],{other}}}", HEAD, item(1)));
        assert_eq!((titles(&parsed), parsed.well_formed), (vec!["T1"], true), "{other}");
        let parsed = read(&format!("{}]}}", HEAD.replace("\"items\":[", &format!("{other},\"items\":["))));
        assert_eq!((titles(&parsed), parsed.well_formed), (vec![], true), "{other}");
    }
    let both = HEAD.replace("\"items\":[", &format!("\"posts\":[{}],\"items\":[", item(1)));
    assert_eq!(titles(&read(&format!("{both}{}]}}", item(2)))), ["T2"]);
}

#[test]
fn a_feed_without_a_list_of_items_says_so() {
    let parsed = read(r#"{"version":"https://jsonfeed.org/version/1.1","title":"Orchard"}"#);
    assert!(parsed.items.is_empty() && !parsed.well_formed);
    assert_eq!(parsed.repairs[0].detail.to_string(), "items");
    let empty = read(r#"{"version":"https://jsonfeed.org/version/1.1","title":"Orchard","items":[]}"#);
    assert!(empty.items.is_empty() && empty.well_formed);
}

#[test]
fn categories_are_tags_if_there_are_no_others() {
    let tagged = |members: &str| {
        let parsed = read(&format!("{HEAD}{}]}}", item(1).replacen('{', &format!("{{{members},"), 1)));
        parsed.items[0].categories.iter().map(|tag| tag.term.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(tagged(r#""categories":["a","b"]"#), ["a", "b"]);
    assert_eq!(tagged(r#""categories":["a"],"tags":["c"]"#), ["c"]);
}
