//! Elements that were never closed do not change what is read after them.

#![allow(clippy::unwrap_used)]

use gleaner_feed::{Context, Format, Item, Parsed, parse};

fn read(document: &str) -> Parsed {
    parse(document.as_bytes(), Context::default()).unwrap_or_else(|error| panic!("{error}: {document}"))
}

const NAMESPACES: &str = r#"xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"
    xmlns:media="http://search.yahoo.com/mrss/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
    xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:x="urn:x""#;

/// Elements of channels and items, as they are written without an end tag.
const UNCLOSED: [&str; 19] = [
    r#"<itunes:category text="Plums">"#,
    r#"<itunes:image href="https://a.example/i.png">"#,
    r#"<itunes:explicit>no"#,
    r#"<atom:link href="https://a.example/other" rel="self">"#,
    r#"<media:thumbnail url="https://a.example/t.png">"#,
    r#"<media:content url="https://a.example/m.png">"#,
    r#"<media:group>"#,
    r#"<sy:updatePeriod>hourly"#,
    r#"<slash:comments>5"#,
    r#"<dc:rights>mine"#,
    r#"<x:y>"#,
    r#"<x:y>text"#,
    r#"<undeclared:z a="b">"#,
    r#"<foo>"#,
    r#"<foo bar="1">text"#,
    r#"<enclosure url="https://a.example/e.mp3" type="audio/mpeg" length="1">"#,
    r#"<source url="https://a.example/s">"#,
    r#"<textInput>"#,
    r#"<cloud domain="a.example">"#,
];

fn item(inside: &str) -> String {
    format!(
        "<item>{inside}<title>Ripe</title><link>https://a.example/1</link><guid>one</guid>\
         <pubDate>Tue, 03 Mar 2020 04:05:06 GMT</pubDate><description>Sweet.</description></item>"
    )
}

fn rss(channel: &str, items: &str) -> String {
    format!(
        "<rss version=\"2.0\" {NAMESPACES}><channel>{channel}<title>Orchard</title><link>https://a.example/</link>\
         {items}</channel></rss>"
    )
}

#[track_caller]
fn assert_whole(item: &Item, what: &str) {
    assert_eq!(item.title.as_deref(), Some("Ripe"), "{what}");
    assert_eq!(item.url.as_deref(), Some("https://a.example/1"), "{what}");
    assert_eq!(item.id, "one", "{what}");
    assert_eq!(item.published.map(|at| at.timestamp()), Some(1_583_208_306), "{what}");
    assert_eq!(item.content.as_ref().map(|body| body.html.as_str()), Some("Sweet."), "{what}");
}

#[test]
fn an_unclosed_element_in_a_channel_loses_nothing() {
    for unclosed in UNCLOSED {
        for separator in ["", "\n  ", "<a>b</a>"] {
            let document = rss(&format!("{unclosed}{separator}"), &item("").repeat(2));
            let parsed = read(&document);
            assert_eq!(parsed.items.len(), 2, "{document}");
            parsed.items.iter().for_each(|item| assert_whole(item, &document));
            assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
            assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{document}");
            assert!(!parsed.well_formed);
        }
    }
    // Several, one after the other.
    let parsed = read(&rss(&UNCLOSED.concat(), &item("")));
    assert_eq!(parsed.items.len(), 1);
    assert_whole(&parsed.items[0], "all");
}

#[test]
fn an_unclosed_element_between_items_loses_nothing() {
    for unclosed in UNCLOSED {
        let items = format!("{}{unclosed}{}{unclosed}{}", item(""), item(""), item(""));
        let parsed = read(&rss("", &items));
        assert_eq!(parsed.items.len(), 3, "{unclosed}");
        parsed.items.iter().for_each(|item| assert_whole(item, unclosed));
    }
}

#[test]
fn an_unclosed_element_in_an_item_loses_nothing() {
    for unclosed in UNCLOSED {
        for separator in ["", "\n  "] {
            let items = format!("{}{}", item(&format!("{unclosed}{separator}")), item(""));
            let parsed = read(&rss("", &items));
            assert_eq!(parsed.items.len(), 2, "{unclosed}");
            parsed.items.iter().for_each(|item| assert_whole(item, unclosed));
        }
    }
    let parsed = read(&rss("", &item(&UNCLOSED.concat())));
    assert_whole(&parsed.items[0], "all");
    assert_eq!(parsed.items[0].enclosures.len(), 1);
    assert_eq!(parsed.items[0].comments_count, Some(5));
}

#[test]
fn an_unclosed_element_in_an_entry_loses_nothing() {
    for unclosed in UNCLOSED.into_iter().filter(|unclosed| !unclosed.starts_with("<source")) {
        let document = format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" {NAMESPACES}>{unclosed}<title>Orchard</title><id>f</id>\
             <entry>{unclosed}<title>Ripe</title><link href=\"https://a.example/1\"/><id>one</id>\
             <published>2020-03-03T04:05:06Z</published><content type=\"html\">Sweet.</content></entry></feed>"
        );
        let parsed = read(&document);
        assert_eq!((parsed.format, parsed.items.len()), (Format::Atom10, 1), "{document}");
        assert_whole(&parsed.items[0], &document);
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
    }
}

/// The ampersand makes the document ill-formed, and nothing else is wrong with it.
#[test]
fn a_closed_element_keeps_what_it_contains() {
    let source = "<source url=\"https://a.example/s\"><title>Other</title><link>https://b.example/</link></source>";
    for inside in [
        source,
        "<author><name>Ann</name><title>Dr</title><link>https://b.example/</link></author>",
        "<media:group><media:title>Other</media:title><title>Other</title></media:group>",
        "<x:y><title>Other</title><guid>two</guid></x:y>",
        "<foo>\n<link>https://b.example/</link><foo><title>x</title></foo></foo>",
        "<image><title>Other</title><link>https://b.example/</link><url>https://b.example/i.png</url></image>",
    ] {
        let parsed = read(&rss("R&D", &item(inside)));
        assert_whole(&parsed.items[0], inside);
    }
    let wrapped = rss("<x:list>R&D", &format!("{}</x:list>{}", item("").replace("Ripe", "Foreign"), item("")));
    let parsed = read(&wrapped);
    assert_eq!(parsed.items.len(), 1, "items of another vocabulary are not the feed's");
    assert_whole(&parsed.items[0], &wrapped);
    let page = "<description>R&D <p>one <source src=\"a\"> <o:p>two</o:p></p> <summary>three</summary></description>";
    let parsed = read(&rss("", &item("").replace("<description>Sweet.</description>", page)));
    let html = &parsed.items[0].content.as_ref().unwrap().html;
    assert!(html.contains("one") && html.contains("two") && html.contains("three"), "{html}");
}

#[test]
fn a_value_without_its_closing_quote_loses_nothing() {
    for root in [
        "rss version=\"2.0 xmlns:atom=\"http://www.w3.org/2005/Atom\"",
        "rss version=\"2.0\" xmlns:a=\"urn:a xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"",
        "rss version='2.0 xmlns:content='http://purl.org/rss/1.0/modules/content/'",
        "rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/",
        "rss version=\"2.0",
    ] {
        let end = root.split(' ').next().unwrap();
        let parsed = read(&format!(
            "<{root}><channel><title>Orchard</title><link>https://a.example/</link>{}</channel></{end}>",
            item(
                "<enclosure url=\"https://a.example/a.mp3 length=\"5\" type=\"audio/mpeg\"/><x:y z=\"a b=\"c\">d</x:y>"
            )
        ));
        assert_eq!(parsed.items.len(), 1, "{root}");
        assert_whole(&parsed.items[0], root);
        assert_eq!(parsed.items[0].enclosures[0].url, "https://a.example/a.mp3", "{root}");
        assert_eq!(parsed.items[0].enclosures[0].length, Some(5), "{root}");
        assert_eq!(parsed.format, Format::Rss20, "{root}");
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{root}");
        assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{root}");
        let others = parsed.repairs.iter().map(|repair| repair.detail.to_string());
        assert!(!others.into_iter().any(|detail| detail.contains("root")), "{root}: {:?}", parsed.repairs);
    }
    let category = read(&rss("<itunes:category text=\"A\"><itunes:category text=B\"/></itunes:category>", &item("")));
    assert_eq!(category.items.len(), 1);
    assert_eq!(category.feed.title.as_deref(), Some("Orchard"));
}

#[test]
fn an_unclosed_part_of_a_container_leaves_the_others_whole() {
    let media = "<media:group><media:category>Fruit<media:title>Plums<media:content url=\"https://a.example/m.mp4\"/>\
                 <media:thumbnail url=\"https://a.example/t.png\"><media:description>Sweet.<media:community/></media:group>";
    let document = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" {NAMESPACES}><title>Orchard<subtitle>Fruit</subtitle><id>f</id>\
         <entry><id>one</id><title>Ripe</title><link href=\"https://a.example/1\"/>\
         <published>2020-03-03T04:05:06Z</published>\
         <author><name>Ann<uri>https://a.example/ann<uri><email>ann@a.example</author>{media}</entry></feed>"
    );
    let parsed = read(&document);
    assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"));
    assert_eq!(parsed.feed.description.as_deref(), Some("Fruit"));
    let entry = &parsed.items[0];
    assert_whole(entry, &document);
    let author = &entry.authors[0];
    assert_eq!(author.name.as_deref(), Some("Ann"));
    assert_eq!(author.url.as_deref(), Some("https://a.example/ann"));
    assert_eq!(author.email.as_deref(), Some("ann@a.example"));
    assert_eq!(entry.thumbnail_url.as_deref(), Some("https://a.example/t.png"));
    assert_eq!(entry.media[0].url, "https://a.example/m.mp4");

    let image = "<image><url>https://a.example/i.png<title>Other<link>https://a.example/</image>";
    let parsed = read(&rss(image, &item("")));
    assert_eq!(parsed.feed.image.as_ref().map(|image| image.url.as_str()), Some("https://a.example/i.png"));
    assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"));
    assert_whole(&parsed.items[0], image);
}

#[test]
fn an_unclosed_image_or_form_before_the_title_keeps_its_parts() {
    let parts = "<title>Other</title><description>Seek</description><link>https://a.example/seek</link>";
    for (container, others) in [
        ("<textInput>", parts),
        ("<image><url>https://a.example/i.png</url>", parts),
        ("<textInput>", "<title>Other</title>"),
        ("<textInput><name>q</name>", "<title>Other</title><image><title>Third</title></image>"),
        ("<image><url>https://a.example/i.png</url><title>Third</title><textInput>", "<title>Other</title>"),
    ] {
        let channel = format!("{container}{others}");
        let parsed = read(&rss(&channel, &item("")).replace("<item>", "<description>Fruit</description><item>"));
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{channel}");
        assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{channel}");
        assert_eq!(parsed.feed.description.as_deref(), Some("Fruit"), "{channel}");
        assert_whole(&parsed.items[0], &channel);
    }
    // The channel's title comes first, and that of a closed container is not another one.
    for other in [
        "<textInput><title>Seek</title><description>Seek</description><name>q</name><link>https://a.example/seek</link></textInput>",
        "<image><title>Seek</title><link>https://a.example/seek</link></image>",
        "<image/><textInput><title>Seek</title></textInput>",
    ] {
        let own = "<title>Orchard</title><link>https://a.example/</link><description>Fruit</description>";
        let parsed = read(&format!(
            "<rss version='2.0'><channel><image><url>https://a.example/i.png</url>{own}{other}{}</channel></rss>",
            item("")
        ));
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{other}");
        assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{other}");
        assert_eq!(parsed.feed.description.as_deref(), Some("Fruit"), "{other}");
        assert_whole(&parsed.items[0], other);
    }
    // The channel has no other title.
    let only =
        read("<rss version='2.0'><channel><image><title>Orchard</title><item><title>a</title></item></channel></rss>");
    assert_eq!((only.feed.title.as_deref(), only.items.len()), (Some("Orchard"), 1));
}

#[test]
fn an_unclosed_summary_does_not_swallow_the_content() {
    for (first, second) in [("summary", "content"), ("content", "summary")] {
        let document = format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Orchard</title><id>f</id><entry><title>Ripe</title>\
             <id>one</id><{first} type=\"html\">{first}<{second} type=\"html\">&lt;b&gt;{second}&lt;/b&gt;</{second}></entry></feed>"
        );
        let bodies =
            |item: &Item| [&item.content, &item.summary].map(|body| body.as_ref().unwrap().html.trim().to_owned());
        let [content, summary] = bodies(&read(&document).items[0]);
        assert!(content.contains("content"), "{document}: {content}");
        assert!(!content.contains("summary") && summary.contains("summary"), "{document}: {content}, {summary}");
    }
}

#[test]
fn the_slash_at_the_end_of_a_tag_is_not_part_of_a_value() {
    let enclosure = "<enclosure url=https://a.example/e.mp3 length=1 type=audio/mpeg/>";
    let parsed = read(&rss("", &item(enclosure)));
    assert_whole(&parsed.items[0], enclosure);
    assert_eq!(parsed.items[0].enclosures[0].mime_type.as_deref(), Some("audio/mpeg"));
    let entry = "<entry><title>Plums</title><link rel=alternate href=https://a.example/?v=1/></entry>";
    let atom = read(&format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Orchard</title>{entry}</feed>"));
    assert_eq!(atom.items[0].url.as_deref(), Some("https://a.example/?v=1"));
    for end in ["/>", " />", " / >"] {
        let quoted = read(&rss("R&D", &item(&format!("<enclosure length=1 url=\"https://a.example/\"{end}"))));
        assert_eq!(quoted.items[0].enclosures[0].url, "https://a.example/", "{end}");
    }
}

#[test]
fn an_unclosed_element_loses_nothing_if_the_format_has_a_prefix() {
    let entry = "<a:entry><a:title>Ripe</a:title><a:link href=\"https://a.example/1\"/><a:id>one</a:id>\
                 <a:published>2020-03-03T04:05:06Z</a:published><a:content type=\"html\">Sweet.</a:content></a:entry>";
    let item = item("").replace("</", "</r:").replace('<', "<r:").replace("<r:/r:", "</r:");
    let root = "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:r=\"http://purl.org/rss/1.0/\"";
    for unclosed in UNCLOSED.into_iter().chain(["<a:author><a:name>Ann</a:name>", "<a:updated>2020-03-03T04:05:06Z"]) {
        let atom = format!(
            "<a:feed xmlns:a=\"http://www.w3.org/2005/Atom\" {NAMESPACES}><a:title>Orchard</a:title>{unclosed}{entry}{unclosed}{entry}</a:feed>"
        );
        let rdf = format!(
            "<rdf:RDF {root} {NAMESPACES}><r:channel><r:title>Orchard</r:title>{unclosed}</r:channel>{item}{unclosed}{item}</rdf:RDF>"
        );
        for document in [&atom, &rdf].into_iter().take(if unclosed.starts_with("<a:") { 1 } else { 2 }) {
            let parsed = read(document);
            assert_eq!(parsed.items.len(), 2, "{document}");
            assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
            for item in &parsed.items {
                assert_eq!(item.title.as_deref(), Some("Ripe"), "{document}");
                assert_eq!(item.url.as_deref(), Some("https://a.example/1"), "{document}");
                assert!(item.content.as_ref().is_some_and(|body| body.html == "Sweet."), "{document}");
            }
        }
    }
}

#[test]
fn an_item_that_the_document_ends_in_is_marked() {
    const WHOLE: &str = "<item><guid>1</guid><link>https://a.example/1</link><title>One</title>\
        <pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate><description>Text</description></item></channel></rss>";
    let start = "<rss version='2.0'><channel><title>T</title>";
    let read = |end: &str| parse(format!("{start}{end}").as_bytes(), Context::default()).unwrap().items;
    assert!(!read(WHOLE)[0].is_cut_off);
    assert!(!read(WHOLE.split("</channel>").next().unwrap())[0].is_cut_off, "only the channel has no end");
    for after in ["</pubDate>", "<descr", "<description>Te", "Text</description>"] {
        let cut = WHOLE.find(after).unwrap() + after.len();
        let items = read(&WHOLE[..cut]);
        assert_eq!((items.len(), items[0].is_cut_off, &*items[0].id), (1, true, "1"), "{after}");
    }
    // By its title alone it would not be recognised later, and stay as another article.
    let titled = "<item><title>One</title>";
    for (end, items) in [("<gu", 0), ("</item></channel></rss>", 1), ("<description>Text</description><gu", 0)] {
        assert_eq!(read(&format!("{titled}{end}")).len(), items, "{end}");
    }
}

#[test]
fn an_item_that_is_cut_off_in_a_tag_is_kept_if_it_is_recognisable() {
    for whole in [
        "<rss version='2.0'><channel><title>T</title><item><title>One</title><guid>1</guid><link rel='a'>https://a.example/1</link>\
            <pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate><description><!-- a -->Text</description></item></channel></rss>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><entry><id>1</id><title>One</title><author><name>A</name></author>\
            <link href='https://a.example/1'/><published>2026-11-20T10:00:00Z</published><!-- a --><summary>Text</summary></entry></feed>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><entry><id>1</id><title>One</title><author><name>A</name></author>\
            <link href='https://a.example/1'/><updated>2026-11-20T10:00:00Z</updated><summary>Text</summary></entry></feed>",
    ] {
        let date = whole.find("10:00").unwrap();
        let complete = date + whole[date..].find("</").unwrap();
        let mut cuts = 0;
        for at in whole.match_indices('<').map(|(at, _)| at).filter(|at| *at > whole.find("One").unwrap()) {
            let tag = &whole[at..at + whole[at..].find('>').unwrap()];
            for length in 1..=tag.len() {
                let items = parse(&whole.as_bytes()[..at + length], Context::default()).unwrap().items;
                let is_kept = at > complete || at == complete && length == tag.len();
                assert_eq!(items.len(), usize::from(is_kept), "{}", &whole[..at + length]);
                assert!(items.iter().all(|item| item.id == "1" && item.url.is_some() && !item.date_uncertain));
                cuts += 1;
            }
        }
        assert!(cuts > 100);
    }
}

#[test]
fn a_document_with_a_defect_is_not_cut_off() {
    let item = "<item><title>One</title><description><![CDATA[Text]]></description></item>";
    let whole = format!("<rss version='2.0'><channel><title>T</title>{item}{item}</channel></rss>");
    let is_cut_off = |document: &str| parse(document.as_bytes(), Context::default()).unwrap().is_cut_off();
    for document in [
        whole.clone(),
        whole.replacen("]]>", "", 1),
        format!("{whole}<!-- generated"),
        whole.trim_end_matches('>').to_owned(),
    ] {
        assert!(!is_cut_off(&document), "{document}");
    }
    for end in ["</channel>", "</item>", "<item><ti", ">One", "<![CDATA[Te", "</descr"] {
        let cut = whole.rfind(end).unwrap() + end.len();
        let document = &whole[..cut];
        assert!(is_cut_off(document), "{document}");
    }
    assert!(is_cut_off(&format!("{}<!-- gen", whole.split("</channel>").next().unwrap())), "a comment");
}

#[test]
fn an_unclosed_live_item_leaves_the_channel_its_own_elements() {
    let live =
        "<podcast:liveItem status='live'><title>Live</title><link>https://a.example/live</link><guid>live</guid>";
    for (before, after) in [("", item("")), (&*item(""), item(""))] {
        let document = rss("", &format!("{before}{live}{after}"));
        let declared = format!("{NAMESPACES} xmlns:podcast='https://podcastindex.org/namespace/1.0'");
        let parsed = read(&document.replace(NAMESPACES, &declared));
        assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{document}");
        assert_eq!(parsed.items.len(), 1 + usize::from(!before.is_empty()), "{document}");
    }
}
