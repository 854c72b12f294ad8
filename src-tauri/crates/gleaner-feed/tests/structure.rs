//! Where the channel and the items of a feed are found.

#![allow(clippy::unwrap_used)]

use gleaner_feed::{Context, Parsed, parse};

fn read(document: &str) -> Parsed {
    parse(document.as_bytes(), Context::default()).unwrap_or_else(|error| panic!("{error}: {document}"))
}

fn titles(parsed: &Parsed) -> Vec<&str> {
    parsed.items.iter().map(|item| item.title.as_deref().unwrap_or("")).collect()
}

const RSS: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Orchard</title><link>https://a.example/</link>\
    <item><title>Plums</title><guid>1</guid></item><item><title>Pears</title><guid>2</guid></item></channel></rss>";

const ATOM: &str = "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Orchard</title>\
    <link href=\"https://a.example/\"/><id>f</id><entry><title>Plums</title><id>1</id></entry>\
    <entry><title>Pears</title><id>2</id></entry></feed>";

#[test]
fn a_repeated_beginning_loses_nothing() {
    for whole in [RSS, ATOM] {
        let tags = whole.match_indices('<').map(|(at, _)| at).skip(2).filter(|at| *at < whole.rfind("</").unwrap());
        for cut in tags {
            let document = format!("{}{whole}", &whole[..cut]);
            let parsed = read(&document);
            assert!(titles(&parsed).ends_with(&["Plums", "Pears"]), "{:?}: {document}", titles(&parsed));
            assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
            assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{document}");
        }
    }
}

#[test]
fn code_in_xhtml_keeps_its_markers() {
    let document = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><id>f</id><entry><id>1</id><title>A</title>\
        <content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><pre>&lt;![CDATA[ x ]]&gt;</pre></div></content>\
        </entry></feed>";
    let parsed = read(document);
    assert!(
        parsed.items[0].content.as_ref().unwrap().html.contains("&lt;![CDATA[ x ]]"),
        "{:?}",
        parsed.items[0].content
    );
}

#[test]
fn a_root_within_the_root_is_the_feed() {
    for (whole, root) in [(RSS, "<rss"), (ATOM, "<feed")] {
        let inside = &whole[whole.find(root).unwrap()..];
        let tag = &inside[..=inside.find('>').unwrap()];
        let outer = format!("{tag}{inside}</{}>", &root[1..]);
        for document in [outer, format!("<wrapper>{inside}</wrapper>")] {
            let parsed = read(&document);
            assert!(parsed.well_formed);
            assert_eq!(titles(&parsed), ["Plums", "Pears"], "{document}");
            assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
        }
        let page = format!("<html><body><p>A sample:</p><pre/>{inside}</body></html>");
        assert!(parse(page.as_bytes(), Context::default()).is_err(), "a page that contains a feed");
    }
}

#[test]
fn of_several_channels_the_first_with_a_title_is_the_feed() {
    let channel = |title: &str, link: &str| {
        format!("<channel><title>{title}</title><link>{link}</link><item><title>of {title}</title></item></channel>")
    };
    let document = format!(
        "<rss version=\"2.0\">{}{}{}</rss>",
        channel("", "https://a.example/"),
        channel("B", "https://b.example/"),
        channel("C", "https://c.example/")
    );
    let parsed = read(&document);
    assert_eq!(titles(&parsed), ["of", "of B", "of C"]);
    assert_eq!(parsed.feed.title.as_deref(), Some("B"));
    assert_eq!(parsed.feed.home_url.as_deref(), Some("https://b.example/"));
}

#[test]
fn items_may_be_in_a_list_that_no_format_has() {
    let item = "<item><title>Plums</title></item>";
    for wrapper in ["group", "div", "entries", "rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""] {
        let end = wrapper.split(' ').next().unwrap();
        let document = RSS.replacen("<item>", &format!("<{wrapper}>{item}</{end}><item>"), 1);
        let parsed = read(&document);
        assert!(parsed.well_formed);
        assert_eq!(titles(&parsed), ["Plums", "Plums", "Pears"], "{document}");
    }
    let lists = ATOM.replacen("<entry>", "<entries><entry>", 1).replacen("</feed>", "</entries></feed>", 1);
    assert_eq!(titles(&read(&lists)), ["Plums", "Pears"]);
    for other in ["textInput", "description", "x:list xmlns:x=\"urn:x\"", "item><related"] {
        let end = if other.starts_with("item") { "related></item" } else { other.split(' ').next().unwrap() };
        let document = RSS.replacen("<item>", &format!("<{other}><item><title>Other</title></item></{end}><item>"), 1);
        let parsed = read(&document);
        assert!(!titles(&parsed).contains(&"Other"), "{document}");
        assert!(titles(&parsed).ends_with(&["Plums", "Pears"]), "{document}");
    }
}

#[test]
fn a_default_namespace_of_a_channel_or_item_is_not_a_modules() {
    for namespace in [
        "urn:x",
        "http://www.w3.org/2005/Atom",
        "http://search.yahoo.com/mrss/",
        "http://www.itunes.com/dtds/podcast-1.0.dtd",
        "http://purl.org/rss/1.0/modules/content/",
    ] {
        for element in ["rss version=\"2.0\"", "channel", "item"] {
            let document = RSS.replace(&format!("<{element}>"), &format!("<{element} xmlns=\"{namespace}\">"));
            assert_ne!(document, RSS);
            let parsed = read(&document);
            assert_eq!(titles(&parsed), ["Plums", "Pears"], "{document}");
            assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
            assert_eq!(parsed.items[0].id, "1", "{document}");
        }
    }
    let entry = ATOM.replace("<entry>", "<entry xmlns=\"urn:x\">");
    assert_eq!(titles(&read(&entry)), ["Plums", "Pears"]);
    let foreign = RSS.replacen("<item>", "<x:item xmlns:x=\"urn:x\"><title>Other</title></x:item><item>", 1);
    assert_eq!(titles(&read(&foreign)), ["Plums", "Pears"]);
}

#[test]
fn a_tag_before_the_root_hides_no_feed() {
    let rdf = "<rdf:RDF xmlns=\"http://purl.org/rss/1.0/\" xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
               <channel><title>Orchard</title></channel><item><title>Plums</title></item></rdf:RDF>";
    let atom =
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Orchard</title><entry><title>Plums</title></entry></feed>";
    for root in [rdf, atom] {
        let document = format!("<?xml version=\"1.0\"?><br>\n{root}");
        let parsed = parse(document.as_bytes(), Context::default()).unwrap();
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
        assert_eq!(parsed.items[0].title.as_deref(), Some("Plums"), "{document}");
    }
}

#[test]
fn items_without_a_start_tag_are_items() {
    let rss = |number: u32| {
        format!("<item><title>T{number}</title><link>https://a.example/{number}</link><guid>{number}</guid>\n</item>\n")
    };
    let atom =
        |number: u32| format!("<entry><id>{number}</id><title>T{number}</title><link href=\"/{number}\"/></entry>");
    let prefixed = |number: u32| format!("<a:entry><a:id>{number}</a:id><a:title>T{number}</a:title></a:entry>");
    let rss_head = "<rss version=\"2.0\"><channel><title>Orchard</title><link>https://a.example/</link>\
                    <description>d</description><pubDate>Tue, 03 Mar 2020 04:05:06 GMT</pubDate>";
    let atom_head = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>f</id><title>Orchard</title><link rel=\"self\" href=\"/f\"/>\
                     <link href=\"https://a.example/\"/>";
    let prefixed_head = "<a:feed xmlns:a=\"http://www.w3.org/2005/Atom\"><a:id>f</a:id><a:title>Orchard</a:title>\
                         <a:link href=\"https://a.example/\"/>";
    let makers: [fn(u32) -> String; 3] = [rss, atom, prefixed];
    let formats = [
        (rss_head, "<item>", "</channel></rss>"),
        (atom_head, "<entry>", "</feed>"),
        (prefixed_head, "<a:entry>", "</a:feed>"),
    ];
    for ((head, start, end), item) in formats.into_iter().zip(makers) {
        for missing in 1..8 {
            let item = |number: u32| {
                let whole = item(number);
                if missing >> (number - 1) & 1 == 1 { whole.replace(start, "") } else { whole }
            };
            let document = format!("{head}{}{}{}{end}", item(1), item(2), item(3));
            let parsed = read(&document);
            assert_eq!(titles(&parsed), ["T1", "T2", "T3"], "{document}");
            assert_eq!(parsed.items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), ["1", "2", "3"]);
            assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
            assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{document}");
        }
    }
}

#[test]
fn an_item_that_is_closed_too_early_is_not_divided() {
    let rest = "<link>http://a/1</link><description>d</description></item>";
    let document = format!("<rss><channel><title>F & G</title><item><title>A</title></item>{rest}</channel></rss>");
    let parsed = parse(document.as_bytes(), Context::default()).unwrap();
    let titles: Vec<_> = parsed.items.iter().map(|item| item.title.as_deref()).collect();
    assert_eq!(titles, [Some("A")]);
}

#[test]
fn an_end_tag_of_an_item_alone_makes_no_item() {
    for between in ["</item>", "<pubDate>2020-03-03</pubDate></item>", "<image><url>/i</url></image><title>x</title>"] {
        let document = RSS.replace("<item><title>Pears", &format!("{between}<item><title>Pears"));
        assert_eq!(titles(&read(&document)), ["Plums", "Pears"], "{document}");
        let document = RSS.replace("</channel>", &format!("{between}</channel>"));
        assert_eq!(titles(&read(&document)), ["Plums", "Pears"], "{document}");
    }
}

#[test]
fn a_defect_does_not_change_the_ends_of_lines() {
    let document = "<rss version=\"2.0\"><channel><title>Orchard</title><item><description>Ripe\r\nplums\rand <![CDATA[<b>\r\npears</b>]]>&#13;\
                    </description></item></channel></rss>";
    let whole = read(document);
    let defective = read(&document.replace("<item>", "& <item>"));
    assert!(whole.well_formed && !defective.well_formed);
    assert_eq!(whole.items[0].content.as_ref().unwrap().html, "Ripe\nplums\nand <b>\npears</b>\r");
    assert_eq!(whole.items, defective.items);
}

#[test]
fn tags_of_items_that_do_not_match_make_no_empty_items() {
    for changed in [
        RSS.replace("<item>", "<item/>"),
        RSS.replace("</item>", "<item>"),
        RSS.replace("<item>", "<item><item>"),
        ATOM.replace("<entry>", "<entry/>"),
        ATOM.replace("</entry>", "<entry>"),
    ] {
        let parsed = read(&changed);
        assert_eq!(titles(&parsed), ["Plums", "Pears"], "{changed}");
        assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{changed}");
    }
}

#[test]
fn a_list_of_entries_belongs_to_the_feed() {
    let document = ATOM.replacen("<entry>", "<items><entry>", 1).replace("</feed>", "</items></feed>");
    assert_eq!(titles(&read(&document)), ["Plums", "Pears"]);
}

#[test]
fn says_that_lists_were_too_long() {
    let namespaces = "xmlns:p='https://podcastindex.org/namespace/1.0' xmlns:s='http://podlove.org/simple-chapters' \
        xmlns:m='http://search.yahoo.com/mrss/' xmlns:a='http://www.w3.org/2005/Atom' xmlns:dc='http://purl.org/dc/elements/1.1/'";
    let details = |channel: &str, item: &str| {
        let document = format!(
            "<rss version='2.0' {namespaces}><channel><title>a</title>{channel}<item><title>b</title>{item}</item></channel></rss>"
        );
        read(&document).repairs.iter().map(|repair| repair.detail.code()).collect::<Vec<_>>()
    };
    let of_items = [
        "<p:transcript url='https://a.example/N'/>",
        "<s:chapters><s:chapter start='N' title='N'/></s:chapters>",
        "<enclosure url='https://a.example/N'/>",
        "<m:content url='https://a.example/N'/>",
        "<dc:source>N</dc:source>",
    ];
    let of_both = ["<category>N</category>", "<author>N</author>", "<p:person role='guest'>N</p:person>"];
    let of_feeds =
        ["<a:link rel='hub' href='https://a.example/N'/>", "<p:funding url='https://a.example/N'>a</p:funding>"];
    let many = |entry: &str, count: usize| (0..count).map(|n| entry.replace('N', &n.to_string())).collect::<String>();
    for entry in of_items.iter().chain(&of_both) {
        assert_eq!(details("", &many(entry, 500)), [""; 0], "{entry}");
        assert_eq!(details("", &many(entry, 501)), ["repeated_too_much"], "{entry}");
    }
    for entry in of_feeds.iter().chain(&of_both) {
        assert_eq!(details(&many(entry, 500), ""), [""; 0], "{entry}");
        assert_eq!(details(&many(entry, 501), ""), ["repeated_too_much"], "{entry}");
    }
}

#[test]
fn the_lists_of_many_items_leave_the_feed_its_own() {
    let categories = |item: usize| (0..7).map(move |n| format!("<category>{item} {n}</category>")).collect::<String>();
    let items: String = (0..13_000)
        .map(|item| format!("<item><title>a</title>{}<link>/{item}</link></item>", categories(item)))
        .collect();
    let document = format!("<rss version='2.0'><channel><title>a</title><author>Ann</author>{items}</channel></rss>");
    let parsed = read(&document);
    assert_eq!(parsed.repairs[0].detail.code(), "repeated_too_much");
    assert_eq!(parsed.feed.authors.len(), 1);
    assert!(parsed.items.iter().all(|item| item.authors.len() == 1));
}

#[test]
fn many_short_names_are_not_repeated_in_all_items() {
    let authors: String = (0..200).map(|n| format!("<author>{n}</author>")).collect();
    let items = "<item><title>a</title></item>".repeat(20_000);
    let document = format!("<rss version='2.0'><channel><title>a</title>{authors}{items}</channel></rss>");
    let parsed = read(&document);
    let inherited: usize = parsed.items.iter().map(|item| item.authors.len()).sum();
    assert!((20_000..200_000).contains(&inherited), "{inherited}");
    assert_eq!(parsed.repairs.last().unwrap().detail.code(), "repeated_too_much");
}

#[test]
fn a_large_document_does_not_repeat_its_base_in_all_items() {
    let base = format!("https://a.example/{}/", "b".repeat(3000));
    let items: String = (0..70_000).map(|n| format!("<item><guid>{n}</guid><link>{n}</link></item>")).collect();
    let parsed =
        read(&format!("<rss version='2.0' xml:base='{base}'><channel><title>a</title>{items}</channel></rss>"));
    let resolved: usize = parsed.items.iter().filter_map(|item| item.url.as_ref()).map(String::len).sum();
    assert_eq!(parsed.items.len(), 70_000);
    assert!((15 << 20..17 << 20).contains(&resolved), "{resolved}");
    assert_eq!(parsed.repairs.last().unwrap().detail.code(), "repeated_too_much");
}

#[test]
fn a_prefix_with_a_damaged_declaration_keeps_its_usual_meaning() {
    let damaged = ["\u{201c}URI\u{201d}", "'URI\"", "\\\"URI\\\"", "&quot;URI&quot;", "=URI\"", "\"\"URI\"\"", "\"\""];
    for value in damaged {
        let uri = |uri: &str| value.replace("URI", uri);
        let rss = RSS.replace("<rss", &format!("<rss xmlns:dc={} a='b'", uri("http://purl.org/dc/elements/1.1/")));
        let rss = rss.replace("<guid>1", "<dc:creator>Ann</dc:creator><guid>1");
        let rdf = format!(
            "<rdf:RDF xmlns={} xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><channel><title>Orchard</title>\
             </channel><item><title>Plums</title></item><item><title>Pears</title></item></rdf:RDF>",
            uri("http://purl.org/rss/1.0/")
        );
        for document in [&rss, &rdf] {
            let parsed = read(document);
            assert_eq!(titles(&parsed), ["Plums", "Pears"], "{document}");
            assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
        }
        assert_eq!(read(&rss).items[0].authors[0].name.as_deref(), Some("Ann"), "{rss}");
    }
}

#[test]
fn a_root_is_not_empty_if_something_follows() {
    let atom = ATOM.replace("\"http://www.w3.org/2005/Atom\"", "http://www.w3.org/2005/Atom/");
    for document in [atom, ATOM.replacen("Atom\">", "Atom\"/>", 1), RSS.replacen("2.0\">", "2.0\" />", 1)] {
        let parsed = read(&document);
        assert_eq!(titles(&parsed), ["Plums", "Pears"], "{document}");
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document}");
    }
    // A template wrote it twice; the document is complete.
    let parsed = read(&format!("<feed/>\n{ATOM}"));
    assert_eq!((titles(&parsed), parsed.is_cut_off()), (vec!["Plums", "Pears"], false));
    let (cut, _) = ATOM.rsplit_once("<entry>").unwrap();
    for document in [format!("<feed/>\n{cut}"), cut.replacen("Atom\">", "Atom\"/>", 1)] {
        let parsed = read(&document);
        assert_eq!((titles(&parsed), parsed.is_cut_off()), (vec!["Plums"], true), "{document}");
    }
    assert_eq!(read("<rss version=\"2.0\"/>\u{1}").items.len(), 0);
}

#[test]
fn non_breaking_spaces_and_nuls_in_tags_are_read() {
    for document in [RSS.replace(' ', "\u{a0}"), ATOM.replace(' ', "\u{a0}"), ATOM.replace('t', "t\0")] {
        let parsed = read(&document);
        assert_eq!(titles(&parsed), ["Plums", "Pears"], "{document:?}");
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{document:?}");
        assert_eq!(parsed.feed.home_url.as_deref(), Some("https://a.example/"), "{document:?}");
    }
    let nuls = format!("\0\0\0{RSS}");
    assert_eq!(titles(&read(&nuls)), ["Plums", "Pears"]);
}

#[test]
fn a_document_that_is_escaped_as_a_whole_is_read() {
    let html = RSS.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    for document in [serde_json::to_string(RSS).unwrap(), RSS.replace('"', "\\\""), RSS.replace('"', "\\'"), html] {
        let parsed = read(&document);
        assert_eq!(titles(&parsed), ["Plums", "Pears"], "{document}");
        assert!(!parsed.well_formed);
    }
    // An article about feeds.
    assert!(parse(b"&lt;rss version=\"2.0\"&gt; is the <b>root</b>", Context::default()).is_err());
}

#[test]
fn an_item_without_a_link_has_the_address_of_its_player() {
    let player = "<media:player xmlns:media=\"http://search.yahoo.com/mrss/\" url=\"https://a.example/play\"/>";
    let parsed = read(&RSS.replace("<guid>1", &format!("{player}<guid>1")));
    assert_eq!(parsed.items[0].url.as_deref(), Some("https://a.example/play"));
    let linked = read(&RSS.replace("<guid>1", &format!("{player}<link>https://a.example/1</link><guid>1")));
    assert_eq!(linked.items[0].url.as_deref(), Some("https://a.example/1"));
}

#[test]
fn items_of_modules_alone_are_read() {
    let document = "<rss version='2.0' xmlns:g='http://base.google.com/ns/1.0' xmlns:source='http://source.scripting.com/'><channel>\
        <item><g:id>1</g:id><g:title>Plums</g:title><g:link>https://a.example/plums</g:link><g:description>Ripe</g:description></item>\
        <item><guid>2</guid><source:markdown>One **two**\n\nThree &lt;four&gt;</source:markdown></item>\
        <item><guid>3</guid><description>Five</description><source:markdown>Six</source:markdown></item></channel></rss>";
    let parsed = read(document);
    assert_eq!(titles(&parsed), ["Plums", "One **two**", "Five"]);
    let html = |index: usize| &*parsed.items[index].content.as_ref().unwrap().html;
    assert_eq!((parsed.items[0].url.as_deref(), html(0)), (Some("https://a.example/plums"), "Ripe"));
    assert_eq!(html(1), "One **two**<br><br>Three &lt;four&gt;");
    assert_eq!((html(2), &parsed.items[2].summary), ("Five", &None));
}

#[test]
fn media_and_categories_in_nested_elements_of_any_case_are_read() {
    let document = r#"<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
        xmlns:xlink="http://www.w3.org/1999/xlink"><channel><title>T</title><itunes:image xlink:href="https://a.example/i.png"/>
        <itunes:category text="Arts"><ITUNES:CATEGORY TEXT="Food"/></itunes:category>
        <item><title>x</title><media:group><media:group><media:Content url="https://a.example/1.mp4"/>
        <media:thumbnail url="https://a.example/1.png"/><media:description>Sweet</media:description></media:group></media:group></item></channel></rss>"#;
    let parsed = parse(document.as_bytes(), Context::default()).unwrap();
    let [media] = parsed.items[0].media.as_slice() else { panic!("{:?}", parsed.items[0].media) };
    assert_eq!(media.url, "https://a.example/1.mp4");
    assert_eq!(media.description.as_deref(), Some("Sweet"));
    assert_eq!(parsed.items[0].thumbnail_url.as_deref(), Some("https://a.example/1.png"));
    assert_eq!(parsed.feed.image.map(|image| image.url).as_deref(), Some("https://a.example/i.png"));
    let terms: Vec<_> = parsed.feed.categories.iter().map(|category| category.term.as_str()).collect();
    assert_eq!(terms, ["Arts", "Food"]);
}

#[test]
fn text_before_the_end_tag_of_an_element_without_a_start_tag_is_in_it() {
    let item = |inside: &str| {
        let rss = "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>Orchard</title>";
        read(&format!("{rss}<item>{inside}</item><item><title>Pears</title></item></channel></rss>"))
    };
    let parsed = item(
        "Plums &amp; figs</title><link>https://a.example/1</link>Tue, 03 Mar 2020 04:05:06 GMT</pubDate>Ann</dc:creator>",
    );
    assert_eq!(titles(&parsed), ["Plums & figs", "Pears"]);
    assert_eq!(parsed.items[0].url.as_deref(), Some("https://a.example/1"));
    assert!(parsed.items[0].published.is_some());
    assert_eq!(parsed.items[0].authors[0].name.as_deref(), Some("Ann"));
    assert_eq!(titles(&item("<title/>Plums</title><guid>1</guid>")), ["Plums", "Pears"]);
    // These texts are in no element.
    for other in
        ["words</b><title>Plums</title>", "words<title>Plums</title>", "words</description><title>Plums</title>"]
    {
        assert_eq!(titles(&item(other)), ["Plums", "Pears"], "{other}");
    }
}

#[test]
fn white_space_before_the_name_of_a_tag_is_ignored() {
    let rss =
        |inside: &str| read(&format!("<rss version='2.0'><channel><title>Orchard</title>{inside}</channel></rss>"));
    let item = "<item>< title>a < b > c</ title >< link >https://a.example/1</ link ><description>x < y > z</description></item>";
    let parsed = rss(&format!("{item}< item ><title>Pears</title></ item>"));
    assert_eq!(titles(&parsed), ["a < b > c", "Pears"]);
    assert_eq!(parsed.items[0].url.as_deref(), Some("https://a.example/1"));
    let text = parsed.items[0].content.as_ref().or(parsed.items[0].summary.as_ref()).unwrap();
    assert_eq!(text.html, "x < y > z");
}

#[test]
fn a_text_that_a_program_wrote_for_none_is_none() {
    for none in ["null", " undefined "] {
        let item = format!("<item><title>Plums</title><description>{none}</description></item>");
        let parsed = read(&format!("<rss version='2.0'><channel><title>Orchard</title>{item}</channel></rss>"));
        assert!(parsed.items[0].content.is_none() && parsed.items[0].summary.is_none(), "{none}");
    }
}

#[test]
fn a_channel_in_a_root_of_another_name_is_a_feed() {
    for root in ["xml", "rssfeed", "RSS-2.0"] {
        let parsed = read(&RSS.replace("rss version=\"2.0\"", root).replace("/rss", &format!("/{root}")));
        assert_eq!(
            (titles(&parsed), parsed.feed.title.as_deref()),
            (vec!["Plums", "Pears"], Some("Orchard")),
            "{root}"
        );
    }
    let other = RSS.replace("rss version=\"2.0\"", "tv").replace("/rss", "/tv");
    assert!(parse(other.as_bytes(), Context::default()).is_err());
}
