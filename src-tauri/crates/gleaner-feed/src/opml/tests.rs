#![allow(clippy::unwrap_used)]
use super::*;

fn urls(list: &SubscriptionList) -> Vec<&str> {
    list.feeds.iter().map(|f| f.url.as_str()).collect()
}

#[test]
fn reads_folders_and_feeds_and_skips_the_rest() {
    let list = read(
        br#"<?xml version="1.0"?><opml version="7"><head><title>Mine</title></head><body>
        <outline text="News"><outline title="A" XMLURL=" http://a.example/f?x&y " htmlurl="http://a.example/"/>
          <outline text="Deep"><outline text="B" xmlUrl="http://b.example/f" custom="1"/></outline></outline>
        <outline text="Empty"/><outline text="Link" type="link" url="http://l.example/"/></body></opml>"#,
    )
    .unwrap();
    assert_eq!(list.title.as_deref(), Some("Mine"));
    assert_eq!(urls(&list), ["http://a.example/f?x&y", "http://b.example/f"]);
    assert_eq!(list.feeds[1].folder, ["News", "Deep"]);
    assert_eq!(list.feeds[1].other, [("custom".to_owned(), "1".to_owned())]);
    assert_eq!(list.folders, [vec!["News"], vec!["News", "Deep"], vec!["Empty"]]);
    assert_eq!(list.skipped.len(), 1);
    assert_eq!(list.repairs.len(), 1);
}

#[test]
fn reads_a_list_that_is_escaped_as_a_whole_or_has_a_misspelled_root() {
    let list = r#"<opml version="2.0"><head><title>Mine</title></head><body><outline text="A &amp; B" xmlUrl="http://a.example/f"/></body></opml>"#;
    let escaped = list.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let quotes = list.replace('"', "\\\"");
    for document in [
        escaped.clone(),
        format!("&lt;?xml version=\"1.0\"?&gt;\n{escaped}"),
        quotes.clone(),
        format!("\"{quotes}\""),
        list.replace("opml", "omlp"),
        list.replacen("<opml", "<opm", 1),
    ] {
        let read = read(document.as_bytes()).unwrap_or_else(|error| panic!("{error}: {document}"));
        assert_eq!(urls(&read), ["http://a.example/f"], "{document}");
        assert_eq!(read.feeds[0].title.as_deref(), Some("A & B"), "{document}");
    }
    for other in ["<rss><channel><outline text='A'/></channel></rss>", "<x><body><p/><outline text='A'/></body></x>"] {
        assert!(read(other.as_bytes()).is_err(), "{other}");
    }
}

#[test]
fn completes_the_addresses_of_feeds() {
    for (written, url) in [
        ("feed://a.example/f", "http://a.example/f"),
        ("feed:https://a.example/f", "https://a.example/f"),
        ("pcast://a.example/f", "http://a.example/f"),
        ("ITPC://a.example/f", "http://a.example/f"),
        ("//a.example/f", "https://a.example/f"),
        ("www.a.example", "https://www.a.example"),
        ("a.example:8080/f", "https://a.example:8080/f"),
        ("HTTP://a.example/f", "HTTP://a.example/f"),
        ("|/bin/feed", "|/bin/feed"),
        ("/home/a.b/feed.xml", "/home/a.b/feed.xml"),
        ("feed.xml", "feed.xml"),
        ("urn:a.b/c", "urn:a.b/c"),
    ] {
        let list = read(format!("<opml><body><outline xmlUrl='{written}'/></body></opml>").as_bytes()).unwrap();
        assert_eq!(urls(&list), [url], "{written}");
    }
    let list = read(b"<opml><body><outline xmlUrl='feed:javascript:x()'/></body></opml>").unwrap();
    assert_eq!(list.skipped[0].reason, SkipReason::UnsafeUrl);
}

#[test]
fn reads_addresses_in_the_attributes_of_other_programs() {
    for attribute in
        ["xmlUrl", "feedUrl", "rssUrl", "atomURL", "xml_url", "feed_url", "type='rss' url", "type='RSS' href"]
    {
        let outline = format!("<opml><body><outline text='A' {attribute}='http://a.example/f'/></body></opml>");
        let list = read(outline.as_bytes()).unwrap();
        assert_eq!(urls(&list), ["http://a.example/f"], "{attribute}");
        assert_eq!(list.folders.len(), 0, "{attribute}");
    }
    let list = read(b"<opml><body><outline text='A' xmlUrl='{feedUrl}' feedUrl='http://a.example/f'/></body></opml>");
    assert_eq!(urls(&list.unwrap()), ["http://a.example/f"]);
}

#[test]
fn reports_outlines_without_a_feed() {
    let list = read(
        b"<opml xmlns:frss='https://freshrss.org/opml'><body><outline text='A' frss:opmlUrl='http://a.example/list'/>\
          <outline text='B' xmlUrl='{feedUrl}'/><outline text='C' href='http://a.example/'/></body></opml>",
    )
    .unwrap();
    let skipped: Vec<_> = list.skipped.iter().map(|skipped| (&skipped.reason, skipped.outline.as_str())).collect();
    let include = SkipReason::OtherType("include".to_owned());
    assert_eq!(skipped, [(&include, "A"), (&SkipReason::NoUrl, "B"), (&SkipReason::Link, "C")]);
    assert_eq!((list.feeds.len(), list.folders.len()), (0, 0));
}

#[test]
fn reads_a_written_list_unchanged() {
    let list = SubscriptionList {
        title: Some("A & B".to_owned()),
        folders: vec![vec!["X".to_owned()], vec!["X".to_owned(), "Y <z>".to_owned()]],
        feeds: vec![Subscription {
            url: "http://a.example/?a=1&b=\"2\"".to_owned(),
            title: Some("T".to_owned()),
            own_title: Some("The feed's own".to_owned()),
            home_url: Some("http://a.example/".to_owned()),
            folder: vec!["X".to_owned(), "Y <z>".to_owned()],
            other: vec![("priority".to_owned(), "<1 & \"2\">".to_owned())],
        }],
        ..SubscriptionList::default()
    };
    assert_eq!(read(write(&list).unwrap().as_bytes()).unwrap(), list);
}

#[test]
fn attributes_in_the_namespace_of_another_program_stay_in_it() {
    let list = read(
        br#"<opml xmlns:frss="https://freshrss.org/opml" xmlns:f="urn:f"><body>
            <outline text="A" xmlUrl="http://a.example/f" frss:priority="main" frss:text="x" priority="2"/></body></opml>"#,
    )
    .unwrap();
    let names: Vec<&str> = list.feeds[0].other.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["xmlns:frss", "frss:priority", "frss:text", "priority"]);
    let written = write(&list).unwrap();
    assert!(written.contains(r#"<opml xmlns:frss="https://freshrss.org/opml" version"#), "{written}");
    assert_eq!(read(written.as_bytes()).unwrap().feeds, list.feeds);
}

#[test]
fn line_breaks_in_values_stay_line_breaks() {
    let list = |value: &str| {
        let outline =
            format!("<outline text='A' xmlUrl='http://a.example/f' description='{value}' frss:filters='{value}'/>");
        read(format!("<opml xmlns:frss='urn:f'><body>{outline}</body></opml>").as_bytes()).unwrap()
    };
    let values = |list: &SubscriptionList| {
        let is_value = |name: &str| ["description", "frss:filters"].contains(&name);
        list.feeds[0].other.iter().filter(|(name, _)| is_value(name)).map(|(_, v)| v.clone()).collect::<Vec<_>>()
    };
    for (written, value) in [
        ("intitle:a&#10;author:b", "intitle:a\nauthor:b"),
        ("a&#x0A;b&#9;c&#13;d & e", "a\nb\tc\rd & e"),
        ("a\nb\tc", "a b c"),
    ] {
        let read_list = list(written);
        let found = values(&read_list);
        assert!(found.iter().all(|found| *found == value), "{written}: {found:?}");
        let text = write(&read_list).unwrap();
        assert_eq!(values(&read(text.as_bytes()).unwrap()), found, "{text}");
    }
    let text = write(&list("a&#10;b")).unwrap();
    assert_eq!(text.matches("a&#10;b").count(), 2, "{text}");
}

#[test]
fn attributes_that_xml_does_not_allow_are_left_out() {
    let names = ["text", "a", "a", "xmlns:xml", "xmlns:b", "b:c", "xmlns:d", "d:e"];
    let values = ["x", "1", "2", "urn:x", "", "3", "urn:d", "4"];
    let other = names.iter().zip(values).map(|(name, value)| ((*name).to_owned(), value.to_owned())).collect();
    let feed = Subscription { url: "http://a.example/f".to_owned(), other, ..Subscription::default() };
    let list = SubscriptionList { feeds: vec![feed], ..SubscriptionList::default() };
    let kept = read(write(&list).unwrap().as_bytes()).unwrap();
    let kept: Vec<&str> = kept.feeds[0].other.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(kept, ["a", "xmlns:d", "d:e"]);
}

#[test]
fn identifies_other_documents() {
    assert_eq!(read(b"  "), Err(NotOpml::Empty));
    assert_eq!(read(b"<rss><channel/></rss>"), Err(NotOpml::Other { kind: DocumentKind::Feed }));
    assert_eq!(read(b"<!doctype html><p>x"), Err(NotOpml::Other { kind: DocumentKind::WebPage }));
}

#[test]
fn feeds_in_folders_that_are_too_deep_or_too_many_are_in_the_folder_above() {
    let details = |list: &SubscriptionList| list.repairs.iter().map(|repair| repair.detail.code()).collect::<Vec<_>>();
    let (open, close) = ("<outline text='Barn'>".repeat(600), "</outline>".repeat(600));
    let feed = |n: usize| format!("<outline text='{n}' xmlUrl='https://a.example/{n}'/>");
    let list =
        read(format!("<opml><body>{open}{}{}{close}{}</body></opml>", feed(1), feed(2), feed(3)).as_bytes()).unwrap();
    assert_eq!(urls(&list), ["https://a.example/1", "https://a.example/2", "https://a.example/3"]);
    assert_eq!((list.feeds[0].folder.len(), &list.feeds[1].folder), (64, &list.feeds[0].folder));
    assert!(list.feeds[2].folder.is_empty() && list.skipped.is_empty(), "{:?}", list.skipped);
    assert_eq!(details(&list), ["folders_flattened"]);

    // Deeper folders keep their names, next to each other.
    let nested: String = (0..100).map(|n| format!("<outline text='f{n}'>{}", feed(n))).collect();
    let list = read(format!("<opml><body>{nested}{}</body></opml>", "</outline>".repeat(100)).as_bytes()).unwrap();
    assert_eq!((list.feeds.len(), list.folders.len(), details(&list)), (100, 100, vec!["folders_flattened"]));
    for (feed, name) in list.feeds.iter().zip((0..100).map(|n| format!("f{n}"))) {
        assert_eq!(feed.folder.last(), Some(&name));
        assert!(feed.folder.len() <= 64 && list.folders.contains(&feed.folder));
    }

    let folders: String = (0..10_001).map(|n| format!("<outline text='{n}'>{}</outline>", feed(n))).collect();
    let list = read(format!("<opml><body>{folders}</body></opml>").as_bytes()).unwrap();
    assert_eq!((list.feeds.len(), list.folders.len(), details(&list)), (10_001, 10_000, vec!["folders_flattened"]));
    assert_eq!((list.feeds[9_999].folder.len(), list.feeds[10_000].folder.len()), (1, 0));
}

#[test]
fn a_feed_outside_of_folders_is_written_without_a_category_that_names_one() {
    let mut list =
        read(br#"<opml><body><outline xmlUrl="http://a.example/f" category="/Tech/Rust,/News"/></body></opml>"#)
            .unwrap();
    assert_eq!(list.feeds[0].folder, ["Tech", "Rust"]);
    assert!(write(&list).unwrap().contains("category=\"/Tech/Rust,/News\""));
    list.feeds[0].folder.clear();
    assert!(read(write(&list).unwrap().as_bytes()).unwrap().feeds[0].folder.is_empty());
}

#[test]
fn settings_of_the_reader_that_wrote_the_list_are_no_folders() {
    let list = read(
        br#"<opml><body>
            <outline text="News"><outline text="a" xmlUrl="http://a.example/f"/></outline>
            <outline text="Empty"/>
            <outline text="Begun"><outline/></outline>
            <outline text="prefs" schema-version="1"><outline pref-name="A" value="true"/><outline pref-name="B" value=""/></outline>
            <outline text="Unread" type="vfolder"><outline type="rule" text="matches" rule="unread"/></outline>
            <outline text="filters"><outline filter-type="2">{}</outline></outline>
            </body></opml>"#,
    )
    .unwrap();
    assert_eq!(list.folders, [["News"], ["Empty"], ["Begun"]]);
    assert_eq!(urls(&list), ["http://a.example/f"]);
    let skipped: Vec<(&SkipReason, &str)> = list.skipped.iter().map(|it| (&it.reason, it.outline.as_str())).collect();
    assert_eq!(
        skipped,
        [
            (&SkipReason::Empty, ""),
            (&SkipReason::Empty, "prefs"),
            (&SkipReason::Empty, "Unread"),
            (&SkipReason::Empty, "filters")
        ]
    );
}

#[test]
fn the_episodes_in_a_feed_are_one_entry() {
    let feed = |n: u32, inner: &str| {
        format!("<outline type='rss' text='{n}' xmlUrl='http://a.example/{n}'>{}</outline>", inner.repeat(3))
    };
    let episode =
        "<outline type='podcast-episode' title='E' url='https://a.example/e' enclosureUrl='https://a.example/e.mp3'/>";
    let list = format!(
        "<opml><body><outline text='F'>{}{}{}</outline></body></opml>",
        feed(1, episode),
        feed(2, "<outline type='link' text='L' url='https://a.example/'/>"),
        feed(3, "<outline type='podcast' text='P' xmlUrl='http://a.example/p'/>"),
    );
    let list = read(list.as_bytes()).unwrap();
    let inner = "http://a.example/p";
    assert_eq!(urls(&list), ["http://a.example/1", "http://a.example/2", "http://a.example/3", inner, inner, inner]);
    let skipped: Vec<(&SkipReason, &str)> = list.skipped.iter().map(|it| (&it.reason, it.outline.as_str())).collect();
    let (episodes, link) =
        (SkipReason::OtherType("podcast-episode".to_owned()), SkipReason::OtherType("link".to_owned()));
    assert_eq!(skipped, [(&episodes, "1"), (&link, "L"), (&link, "L"), (&link, "L")]);
}

#[test]
fn the_folders_after_a_feed_that_is_not_closed_are_not_its_episodes() {
    let inner = "<outline xmlUrl='http://a.example/2'/>";
    for folder in
        [format!("<outline type='category' text='F'>{inner}</outline>"), format!("<outline type='x'/><p>{inner}</p>")]
    {
        let list = format!("<opml><body><outline xmlUrl='http://a.example/1'>{folder}</body></opml>");
        assert_eq!(urls(&read(list.as_bytes()).unwrap()), ["http://a.example/1", "http://a.example/2"], "{folder}");
    }
}

#[test]
fn a_folder_that_contains_only_folders_without_a_name_is_kept() {
    for inner in ["<outline isOpen='true'/>", "<outline type='folder' ID='1' expanded='no'/><outline created='x'/>"] {
        let list = read(format!("<opml><body><outline text='News'>{inner}</outline></body></opml>").as_bytes());
        assert_eq!(list.unwrap().folders, [["News"]], "{inner}");
    }
    let of_programs =
        "<opml><body><outline text='tags'><outline type='tag' id='3' created='x'/></outline></body></opml>";
    assert!(read(of_programs.as_bytes()).unwrap().folders.is_empty());
}

#[test]
fn attributes_of_other_programs_keep_their_prefixes_wherever_these_are_declared() {
    let outline = "<outline text='a' xmlUrl='http://a.example/f' XMLNSx:max='9'/>";
    for list in [
        format!("<opml xmlns:x='urn:x'><body>{outline}</body></opml>"),
        format!("<opml xmlns:x='urn:x'><body>{outline}<outline text='R&D'></body></opml>"),
        format!("<opml><body><outline text='Folder' xmlns:x='urn:x'>{outline}</outline></body></opml>"),
        format!("<opml><body>{}</body></opml>", outline.replace("XMLNS", "xmlns:x='urn:x' ")),
        format!("<opml><body>{} & </body></opml>", outline.replace("XMLNS", "xmlns:x='urn:x' ")),
    ] {
        let read = read(list.replace("XMLNS", "").as_bytes()).unwrap();
        let written = write(&read).unwrap();
        assert!(written.contains("xmlns:x=\"urn:x\"") && written.contains("x:max=\"9\""), "{list}: {written}");
    }
}

#[test]
fn an_unclosed_element_loses_no_feeds() {
    let outline = |n: u32| format!("<outline text='{n}' xmlUrl='http://a.example/{n}'/>");
    let folder = format!("<outline text='F'>{}<x:foo>{}</outline>", outline(1), outline(2));
    let list = read(format!("<opml><body><foo>bar{folder}{}</body></opml>", outline(3)).as_bytes()).unwrap();
    assert_eq!(urls(&list), ["http://a.example/1", "http://a.example/2", "http://a.example/3"]);
    assert_eq!([0, 1, 2].map(|n| list.feeds[n].folder.len()), [1, 1, 0]);
}
