//! Documents made to expand to many times their length. Each kind that fuzzing found must stay within the limits.
#![allow(clippy::unwrap_used)]

use gleaner_feed::{Context, Parsed, opml, parse};
use gleaner_fuzz::{cost, measure};

const MEGABYTE: usize = 1 << 20;
const KILOBYTE: usize = 1 << 10;

/// Repeats a part until it has this length.
fn fill(part: &str, length: usize) -> String {
    part.repeat(length / part.len() + 1)
}

fn rss(head: &str, items: &str) -> String {
    format!("<rss version=\"2.0\"><channel><title>t</title>{head}{items}</channel></rss>")
}

/// Returns the document with an unescaped ampersand, so that the recovering parser reads it.
fn ill_formed(document: &str) -> String {
    document.replacen("<title>t</title>", "<title>t & u</title>", 1)
}

#[track_caller]
fn assert_bounded(document: &str) {
    cost(document.as_bytes());
    cost(ill_formed(document).as_bytes());
}

fn read(document: &str) -> Parsed {
    parse(document.as_bytes(), Context { content_type: None, base_url: Some("https://a.example/feed") }).unwrap()
}

#[track_caller]
fn assert_says(parsed: &Parsed, code: &str) {
    let codes: Vec<_> = parsed.repairs.iter().map(|repair| repair.detail.code()).collect();
    assert_eq!(codes, [code]);
}

#[test]
fn limits_a_long_author_of_many_items() {
    let name = fill("Ann ", 256 * KILOBYTE);
    let item = "<item><title>a</title></item>";
    for head in [
        format!("<managingEditor>{name}</managingEditor>"),
        format!("<author>{name}</author>"),
        format!("<dc:creator xmlns:dc=\"http://purl.org/dc/elements/1.1/\">{name}</dc:creator>"),
        (0..200).map(|n| format!("<author>{n} {}</author>", fill("Ann ", 1200))).collect(),
    ] {
        let document = rss(&head, &item.repeat(5000));
        assert_bounded(&document);
        let parsed = read(&document);
        assert_eq!(parsed.items.len(), 5000);
        assert!(!parsed.items[0].authors.is_empty());
        assert_says(&parsed, "repeated_too_much");
        // The text that code reading all items would copy.
        let text = parsed.items.iter().flat_map(|item| item.authors.iter()).filter_map(|person| person.name.as_ref());
        assert!(text.map(String::len).sum::<usize>() <= 8 * MEGABYTE + 8 * document.len());
    }
    let few = read(&rss("<author>ann@a.example (Ann)</author>", &item.repeat(50)));
    assert!(few.well_formed && few.items.iter().all(|item| item.authors[0].name.as_deref() == Some("Ann")));
}

#[test]
fn limits_a_long_author_of_json_items() {
    let name = fill("Ann ", 256 * KILOBYTE);
    let items = vec![r#"{"id":"1","title":"a"}"#; 5000].join(",");
    let document = format!(
        r#"{{"version":"https://jsonfeed.org/version/1.1","title":"t","authors":[{{"name":"{name}"}}],"items":[{items}]}}"#
    );
    cost(document.as_bytes());
    assert_eq!(read(&document).items.len(), 5000);
}

#[test]
fn limits_a_long_base_of_many_links() {
    let base = format!("https://a.example/{}/", fill("base/", 256 * KILOBYTE));
    let relative =
        "<item><link>a</link><description>b</description><comments>c</comments><enclosure url=\"d\"/></item>";
    for document in [
        format!(
            "<rss version=\"2.0\" xml:base=\"{base}\"><channel><title>t</title>{}</channel></rss>",
            relative.repeat(3000)
        ),
        rss(&format!("<link>{base}</link>"), &relative.repeat(3000)),
        format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"{base}\"><title>t</title>{}</feed>",
            "<entry><link href=\"a\"/><link href=\"\"/><content type=\"html\">b</content></entry>".repeat(3000)
        ),
        rss(
            "",
            &format!(
                "<item xml:base=\"{base}\">{}</item>",
                "<enclosure url=\"d\"/><author><uri>e</uri></author>".repeat(5000)
            ),
        ),
    ] {
        assert_bounded(&document);
    }
    // Bases within bases.
    let nested = format!("{}{}", "<a xml:base=\"b/\">".repeat(400), "</a>".repeat(400));
    assert_bounded(&rss("", &fill(&format!("<item>{nested}</item>"), 64 * KILOBYTE)));
    // A base of a usual length applies to all items.
    let base = "https://a.example/a/base/of/a/usual/length/";
    let document = format!(
        "<rss version=\"2.0\" xml:base=\"{base}\"><channel><title>t</title>{}</channel></rss>",
        "<item><link>a</link><description>b</description></item>".repeat(5000)
    );
    let parsed = read(&document);
    assert!(parsed.well_formed);
    assert!(parsed.items.iter().all(|item| item.url.as_deref() == Some(&format!("{base}a"))));
    assert!(parsed.items.iter().all(|item| item.content.as_ref().unwrap().base.as_deref() == Some(base)));
}

#[test]
fn limits_a_long_description_of_a_media_group() {
    let content: String = (0..400).map(|n| format!("<m:content url=\"https://a.example/{n}\"/>")).collect();
    let group =
        format!("<m:group><m:description>{}</m:description>{content}</m:group>", fill("Ripe. ", 256 * KILOBYTE));
    let xmlns = "xmlns:m=\"http://search.yahoo.com/mrss/\"";
    assert_bounded(&rss("", &format!("<item {xmlns}>{group}</item>")));
}

#[test]
fn limits_the_number_of_items() {
    let document = rss("", &fill("<item/>", 512 * KILOBYTE));
    assert_bounded(&document);
    let parsed = read(&document);
    assert_says(&parsed, "too_many_items");
    let left_out: usize = parsed.repairs[0].detail.values()[0].parse().unwrap();
    assert_eq!(parsed.items.len() + left_out, document.matches("<item/>").count());
    let atom = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title>{}</feed>",
        fill("<entry/>", 512 * KILOBYTE)
    );
    assert_bounded(&atom);
    let json = format!(
        r#"{{"version":"https://jsonfeed.org/version/1","items":[{}{{}}]}}"#,
        fill(r#"{"id":1},"#, 512 * KILOBYTE)
    );
    cost(json.as_bytes());
    assert_says(&read(&json), "too_many_items");
}

#[test]
fn limits_the_members_of_json() {
    let feed = |inside: &str| format!(r#"{{"version":"https://jsonfeed.org/version/1","items":[],{inside}"x":0}}"#);
    for (part, length) in [
        (r#"{"":0},"#, 2 * MEGABYTE),
        (r#"{"url":0},"#, 2 * MEGABYTE),
        ("[],", 64 * KILOBYTE),
        ("0,", 64 * KILOBYTE),
        ("[[[[]]]],", 64 * KILOBYTE),
        (r#""","#, 64 * KILOBYTE),
        ("{},", 64 * KILOBYTE),
    ] {
        for member in ["authors", "items", "unknown"] {
            let list = format!("\"{member}\":[{}0],", fill(part, length));
            cost(feed(&list).as_bytes());
            let item = format!("\"items\":[{{\"id\":1,{}\"y\":1}}],", list);
            cost(feed(&item).as_bytes());
        }
    }
}

#[test]
fn limits_the_values_of_transcripts_and_chapters() {
    for part in [r#"{"":0},"#, r#"{"text":0},"#, r#"{"toc":0},"#, r#"{"url":{"url":{}}},"#, "[],", "{},", "0,"] {
        for list in ["segments", "chapters", "text", "unknown"] {
            let json = format!(r#"{{"{list}":[{}0]}}"#, fill(part, 4 * MEGABYTE));
            for (kind, cost) in [
                ("transcript", measure(|| gleaner_feed::transcript(json.as_bytes(), None)).1),
                ("chapters", measure(|| gleaner_feed::chapters(json.as_bytes(), None)).1),
            ] {
                assert!(cost.peak <= 96 * MEGABYTE, "{kind} {list} {part}: {cost:?}");
            }
        }
    }
}

#[test]
fn limits_the_values_of_linked_data() {
    let text = fill("<p>The boats were in the harbour, and no one was about to repair a net.</p>", KILOBYTE);
    let page = format!(
        "<script type='application/ld+json'>[{}0]</script><article><h1>Nets</h1>{text}</article>",
        fill(r#"{"":0},"#, 4 * MEGABYTE)
    );
    let (found, cost) = measure(|| gleaner_content::extract(&page, "https://a.example/b"));
    assert!(found.is_some_and(|found| found.content_text.contains("harbour")));
    assert!(cost.peak <= 128 * MEGABYTE, "{cost:?}");
}

#[test]
fn limits_the_relations_of_a_link() {
    let base = url::Url::parse("https://a.example/").unwrap();
    for page in [
        format!("<link rel=\"{}\" href=\"/feed\">", fill("a ", 4 * MEGABYTE)),
        fill(&format!("<a rel=\"{}\" href=\"/feed\">b</a>", fill("a ", 3 * KILOBYTE)), 4 * MEGABYTE),
    ] {
        let cost = measure(|| gleaner_discovery::offered(page.as_bytes(), None, &base)).1;
        assert!(cost.peak <= 32 * MEGABYTE, "{cost:?}");
    }
}

#[test]
fn limits_the_paragraphs_of_linked_data() {
    let body = fill("a\\n", 6 * MEGABYTE);
    let page = format!(
        "<script type='application/ld+json'>{{\"@type\":\"Article\",\"articleBody\":\"{body}\"}}</script><article>b</article>"
    );
    let (found, cost) = measure(|| gleaner_content::extract(&page, "https://a.example/b"));
    assert!(found.is_some_and(|found| found.content_html.starts_with("<p>a</p>")));
    assert!(cost.peak <= 256 * MEGABYTE, "{cost:?}");
}

#[test]
fn limits_the_path_of_a_category() {
    let document = rss("", &format!("<item><category>{}</category></item>", fill("a/", 2 * MEGABYTE)));
    cost(document.as_bytes());
    let parsed = read(&document);
    assert!(parsed.items[0].categories[0].path().len() <= 32);
}

#[test]
fn elements_and_attributes_cost_little() {
    for part in
        ["<a/>", "<a b=\"\"/>", "<a xml:base=\"b\"/>", "<a xml:lang=\"\"/>", "a<b/>", "<x:a/>", "<a xmlns=\"b\"/>"]
    {
        assert_bounded(&rss(&fill(part, 64 * KILOBYTE), ""));
        assert_bounded(&rss("", &format!("<item>{}</item>", fill(part, 64 * KILOBYTE))));
    }
    for part in ["<category>a</category>", "<author>a</author>", "<enclosure url=\"a\"/>", "<a>", "<a b='c'>", "<link>"]
    {
        assert_bounded(&rss("", &format!("<item>{}</item>", fill(part, 64 * KILOBYTE))));
        assert_bounded(&rss("", &fill(&format!("<item>{part}</item>"), 64 * KILOBYTE)));
    }
}

#[test]
fn long_namespaces_cost_little() {
    // The strict parser copies all namespaces for each element.
    let long: String = (0..500).map(|n| format!(" xmlns:n{n}=\"https://a.example/{}\"", "n".repeat(200))).collect();
    assert_bounded(&rss("", &format!("<item{long}>{}</item>", fill("<a/>", 128 * KILOBYTE))));
    let entity = format!("<!DOCTYPE rss [<!ENTITY e \"{}\">]>", "e".repeat(50_000));
    assert_bounded(&format!("{entity}{}", rss("", &fill("<a xmlns=\"&e;\"/>", 64 * KILOBYTE))));
    assert_bounded(&format!(
        "{entity}{}",
        rss("", &fill("<item xml:base=\"http://a/&e;\"><link>b</link></item>", 64 * KILOBYTE))
    ));
}

#[test]
fn searches_for_the_ends_of_unclosed_elements_cost_little() {
    let names = |count: usize| (0..count).map(|n| format!("<x:n{n}>")).collect::<String>();
    cost(rss(&names(20_000), &fill("<item><foo><link>a</link></item>", MEGABYTE / 4)).as_bytes());
    let items: String = (0..10_000).map(|n| format!("<x:n{n}><item><n{n}><guid>a</guid><![CDATA[</item>")).collect();
    cost(rss("", &items).as_bytes());
    let long = format!("<item><foo a=\"{}\"><guid>", "b".repeat(200));
    for part in
        ["<item><foo><!-- ><guid>", "<item><foo><![CDATA[ ><guid>", "<item><foo><? ><guid>", "<foo><guid>", &long]
    {
        cost(rss("", &fill(part, MEGABYTE / 4)).as_bytes());
        let tail = fill("text ", MEGABYTE / 4);
        cost(rss("", &format!("{}{tail}", fill(part, MEGABYTE / 8))).as_bytes());
    }
}

#[test]
fn items_within_many_elements_cost_little() {
    let feed = |inside: &str, items: &str| format!("<feed xmlns=\"http://www.w3.org/2005/Atom\">{inside}{items}");
    let (start, entries, end) = ("<a>".repeat(30_000), "<entry/>".repeat(30_000), "</a>".repeat(30_000));
    cost(feed(&format!("<content>{start}"), &entries).as_bytes());
    cost(feed(&format!("{start}<x:y>"), &format!("{entries}</x:y>{end}")).as_bytes());
}

#[test]
fn very_many_attributes_of_a_tag() {
    let attributes = |part: &str| (0..40_000).map(|n| part.replace('#', &n.to_string())).collect::<String>();
    for part in [" a#", " a#=b", " a#=\"b\"", " a#='b", "/a#", " a=# \"b#\"", " a:#=\"b\"", "a#=\"\""] {
        let many = attributes(part);
        for tag in [format!("<a{many}>"), format!("<a{many}/>"), format!("<a{many}"), format!("</item{many}>")] {
            assert_bounded(&rss("", &format!("<item>{tag}<title>b</title></item>")));
        }
        assert_bounded(&format!("<rss{many}><channel><title>t</title></channel></rss>"));
        assert_bounded(&format!("<rss><channel><title>t</title></item{many}"));
        cost(format!("<html><body><a{many}>b</a><p{many}").as_bytes());
        cost(format!("<opml{many}><body><outline{many} xmlUrl=\"https://a.example/\"/></body></opml>").as_bytes());
    }
}

/// The memory of a process is limited, however many elements a document has.
#[test]
fn more_elements_than_fit_into_memory() {
    for (name, document) in [
        ("elements", rss(&fill("<a/>", 6 * MEGABYTE), "<item><title>a</title></item>")),
        ("attributes", rss(&fill("<a b=\"\" c=\"\"/>", 6 * MEGABYTE), "")),
        ("elements of an item", rss("", &format!("<item>{}<title>a</title></item>", fill("<a/>", 6 * MEGABYTE)))),
        ("open elements", fill("<p>a", 6 * MEGABYTE)),
        ("open elements of an item", rss("", &format!("<item><title>a</title>{}", fill("<p>a", 6 * MEGABYTE)))),
    ] {
        for document in [ill_formed(&document), document] {
            let context = Context { content_type: None, base_url: None };
            let (parsed, cost) = measure(|| parse(document.as_bytes(), context));
            assert!(cost.peak <= 48 * MEGABYTE, "{name}: {cost:?}");
            assert!(name == "open elements" || parsed.is_ok(), "{name}");
        }
    }
}

#[test]
fn limits_a_list_of_deep_folders() {
    let deep = format!("{}{}", "<outline text=\"a folder\">".repeat(400), "</outline>".repeat(400));
    let feeds = "<outline text=\"b\" xmlUrl=\"https://a.example/\"/>".repeat(5000);
    let list = |inside: &str| format!("<opml version=\"2.0\"><body>{inside}</body></opml>");
    cost(list(&fill(&deep, 128 * KILOBYTE)).as_bytes());
    let deep_feeds = format!("{}{feeds}{}", "<outline text=\"a folder\">".repeat(400), "</outline>".repeat(400));
    cost(list(&deep_feeds).as_bytes());
    let long = format!("<outline text=\"{}\">{feeds}</outline>", fill("folder ", MEGABYTE / 2));
    cost(list(&long).as_bytes());
    let read = opml::read(list(&long).as_bytes()).unwrap();
    assert_eq!(read.feeds.len(), 5000);
    assert_eq!(read.repairs.last().map(|repair| repair.detail.code()), Some("folders_flattened"));
}

/// Each ampersand of a plain text takes five bytes in HTML.
#[test]
fn a_text_of_nothing_but_ampersands_costs_little() {
    let ampersands = "&".repeat(2 * MEGABYTE);
    let item = |inside: String| rss("", &format!("<item><guid>b</guid>{inside}</item>"));
    let entry = |inside: String| {
        format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title><entry><id>b</id>{inside}</entry></feed>")
    };
    for document in [
        item(format!("<description>{ampersands}</description>")),
        item(format!("<description><b>c</b>{ampersands}</description>")),
        item(format!("<enclosure url=\"{ampersands}\"/>")),
        entry(format!("<content type=\"text\">{ampersands}\n{ampersands}</content>")),
        entry(format!("<content type=\"xhtml\"><div>{ampersands}</div></content>")),
    ] {
        let (parsed, cost) = measure(|| parse(document.as_bytes(), Context::default()));
        assert!(parsed.is_ok());
        let per_byte = cost.peak / document.len();
        assert!(per_byte <= 8, "{per_byte}: {}", &document[..100]);
    }
}

#[test]
fn limits_the_namespaces_that_a_tag_declares() {
    let many = |part: &str| (0..60_000).map(|n| part.replace('#', &n.to_string())).collect::<String>();
    for part in [" xmlns:n#=\"https://a.example/#\"", " xmlns:n#='a'"] {
        let many = many(part);
        for document in [
            format!("<rss{many}><channel><item><title>b</title></item></channel></rss>"),
            format!("<rss><channel><item><title{many}>b</title></item></channel></rss>"),
            format!("<opml{many}><body><outline text='b' xmlUrl='https://a.example/'/></body></opml>"),
        ] {
            let (parsed, cost) = measure(|| parse(document.as_bytes(), Context::default()).ok());
            let (list, cost_of_list) = measure(|| opml::read(document.as_bytes()).ok());
            assert!(parsed.is_some_and(|parsed| parsed.items[0].title.as_deref() == Some("b")) || list.is_some());
            let per_byte = cost.peak.max(cost_of_list.peak) / document.len();
            assert!(per_byte <= 4, "{per_byte}: {}", &document[..100]);
        }
    }
}

#[test]
fn the_allocator_counts_memory() {
    let (kept, cost) = measure(|| {
        drop(vec![0_u8; 3000]);
        vec![0_u8; 1000]
    });
    assert_eq!((kept.len(), cost.peak, cost.total), (1000, 3000, 4000));
}
