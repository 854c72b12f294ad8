//! CDATA sections, comments and processing instructions whose terminator is missing, belongs to another section or is nested.

#![allow(clippy::unwrap_used)]

use gleaner_feed::{Context, Parsed, parse};

fn read(document: &str) -> Parsed {
    parse(document.as_bytes(), Context::default()).unwrap_or_else(|error| panic!("{error}: {document}"))
}

fn rss(items: &str) -> String {
    format!(
        "<rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel><title>Orchard</title>\
         <link>https://a.example/</link>{items}</channel></rss>"
    )
}

fn item(title: &str, body: &str) -> String {
    format!("<item><title>{title}</title>{body}<link>https://a.example/{title}</link></item>")
}

#[track_caller]
fn assert_items(items: &str, expected: &[&str]) -> Parsed {
    let document = rss(items);
    let parsed = read(&document);
    let urls: Vec<_> = parsed.items.iter().map(|item| item.url.as_deref().unwrap_or("")).collect();
    let expected: Vec<_> = expected.iter().map(|title| format!("https://a.example/{title}")).collect();
    assert_eq!(urls, expected, "{document}");
    parsed
}

fn html(parsed: &Parsed, index: usize) -> &str {
    parsed.items[index].content.as_ref().map_or("", |body| body.html.as_str())
}

#[test]
fn an_unterminated_section_ends_with_its_element() {
    for (unterminated, text) in [
        ("<![CDATA[Ripe", "Ripe"),
        ("<![CDATA[Ripe]>", "Ripe"),
        ("<![CDATA[Ripe]]", "Ripe"),
        ("<![CDATA[Ripe]]&gt;", "Ripe"),
        ("<![CDATA[<p>Ripe <b>plums</b></p>", "<p>Ripe <b>plums</b></p>"),
        ("Ripe<!--more", "Ripe"),
        ("Ripe<?php echo", "Ripe"),
    ] {
        for name in ["description", "content:encoded"] {
            let first = item("1", &format!("<{name}>{unterminated}</{name}>"));
            for later in ["<![CDATA[Sweet]]>", "Sweet<!--more-->", "Sweet<?php echo ?>"] {
                let later = item("3", &format!("<{name}>{later}</{name}>"));
                let items = format!("{first}{}{later}{}", item("2", ""), item("4", ""));
                let parsed = assert_items(&items, &["1", "2", "3", "4"]);
                assert!(!parsed.well_formed);
                assert_eq!((html(&parsed, 0), html(&parsed, 2)), (text, "Sweet"));
            }
        }
    }
}

#[test]
fn a_section_with_a_misspelled_opening_is_one() {
    for opening in ["<! [CDATA[", "<![ CDATA[", "<![cdata [", "<!CDATA[", "< ![CDATA["] {
        let body = format!("<description>{opening}<b>Ripe</b> & sweet]]></description>");
        let parsed = assert_items(&item("1", &body), &["1"]);
        assert_eq!(html(&parsed, 0), "<b>Ripe</b> & sweet", "{opening}");
    }
    let parsed = assert_items(&item("1", "<description>Ripe<! CDATA ></description>"), &["1"]);
    assert_eq!(html(&parsed, 0), "Ripe");
}

#[test]
fn an_unterminated_section_does_not_contain_the_next_elements_of_its_item() {
    for title in ["<![CDATA[Plums", "<![CDATA[Plums]>", "Plums<!--", "Plums <?php"] {
        for body in ["<![CDATA[Ripe]]>", "Ripe<!-- -->", "Ripe"] {
            let document = rss(&format!(
                "<item><title>{title}</title><guid>1</guid><description>{body}</description></item>{}",
                item("2", "")
            ));
            let parsed = read(&document);
            assert_eq!(parsed.items.len(), 2, "{document}");
            assert_eq!(parsed.items[0].title.as_deref(), Some("Plums"), "{document}");
            assert_eq!(parsed.items[0].id, "1", "{document}");
            assert_eq!(html(&parsed, 0), "Ripe", "{document}");
        }
    }
}

#[test]
fn several_unterminated_sections_each_end_with_their_element() {
    let unterminated = |title: &str| item(title, &format!("<description><![CDATA[Ripe {title}]></description>"));
    let last = item("3", "<description><![CDATA[x]]></description>");
    let parsed = assert_items(&format!("{}{}{last}", unterminated("1"), unterminated("2")), &["1", "2", "3"]);
    assert_eq!((html(&parsed, 0), html(&parsed, 1), html(&parsed, 2)), ("Ripe 1", "Ripe 2", "x"));
}

/// XML has no comments within comments. A part with a comment in it that was commented out has two terminators.
#[test]
fn an_unterminated_comment_does_not_extend_to_the_end_of_a_later_one() {
    let items = format!("{}{}", item("1", ""), item("2", "<!-- -->"));
    assert_items(&format!("<!-- items {items}"), &["1", "2"]);
    let one = item("1", "");
    for (later, count) in [(rss(&items), 2), (rss(&format!("{one}<!-- -->")), 1), (rss(&one) + "<!-- fast -->", 1)] {
        let document = format!("<?xml version=\"1.0\"?><!-- written by hand\n{later}");
        assert_eq!(read(&document).items.len(), count, "{document}");
    }
    for terminator in ["-->", "--->"] {
        assert_items(&format!("<!-- {items} {terminator}{}", item("3", "")), &["3"]);
    }
    assert_items(&format!("<!-- <!-- {} -->{}", item("1", ""), item("2", "")), &["2"]);
}

/// It is hidden in a page, too.
#[test]
fn complete_items_in_a_comment_are_hidden() {
    let (shown, hidden) = (item("1", ""), item("2", ""));
    assert_items(&format!("{shown}<!-- {hidden} <!-- /draft -->"), &["1"]);
    assert_items(&format!("<!-- {hidden}{hidden} <!-- /drafts -->{shown}<!-- end -->"), &["1"]);
    let parsed = assert_items(&item("1", "<description>Ripe<!-- ad: <b>buy</b> <!-- end ad --></description>"), &["1"]);
    assert_eq!(html(&parsed, 0), "Ripe");
}

/// Articles that show the source of feeds, in sections that are terminated.
#[test]
fn an_article_about_feeds_is_whole() {
    for code in [
        "<item><title>a</title><description>b</description></item><item><description>c</description></item>",
        "<item><title>a</title><description><![CDATA[b]]]]><![CDATA[></description></item><item><title>c</title></item>",
        "<item><description>a</description></item><item><description><![CDATA[b]]]]><![CDATA[></description></item>",
        "never write </description></item><item><description> in it",
        "never write </description> and <![CDATA[ in it",
    ] {
        let items = format!(
            "{}{}",
            item("1", &format!("<description><![CDATA[<p>See {code} there</p>]]></description>")),
            item("2", "<description><![CDATA[b]]></description>")
        );
        let expected = format!("<p>See {} there</p>", code.replace("]]]]><![CDATA[>", "]]>"));
        let parsed = assert_items(&items, &["1", "2"]);
        assert!(parsed.well_formed, "{items}");
        assert_eq!(html(&parsed, 0), expected);
        // The same if something else is wrong with the document.
        assert_eq!(html(&assert_items(&format!("R&D{items}"), &["1", "2"]), 0), expected);
    }
    assert_items(&format!("<!-- {} {} -->{}", item("1", ""), item("2", ""), item("3", "")), &["3"]);
}

#[test]
fn a_section_may_contain_another() {
    for script in [
        "<script>/* <![CDATA[ */ if (1 < 2 && 3) x(\"<b>\"); /* ]]> */</script>",
        "<script>//<![CDATA[\nx();\n//]]></script><p>and</p><style><![CDATA[ p {} ]]></style>",
    ] {
        let body = format!("<p>Ripe</p>{script}<p>and <b>sweet</b></p>");
        for name in ["description", "content:encoded"] {
            let first = item("1", &format!("<{name}><![CDATA[{body}]]></{name}>"));
            let parsed = assert_items(&format!("{first}{}", item("2", "")), &["1", "2"]);
            assert_eq!(html(&parsed, 0), body);
        }
    }
}

#[test]
fn other_spellings_of_cdata_are_read() {
    for (opening, terminator) in [("<![cdata[", "]]>"), ("<![CDATA [", "]]>"), ("<!--[CDATA[", "]]-->")] {
        let written = |text: &str| format!("{opening}{text}{terminator}");
        let document = rss(&format!(
            "<item><title>{}</title><description>{}</description></item>{}",
            written("Plums"),
            written("<p>Ripe</p>"),
            item("2", "")
        ));
        let parsed = read(&document);
        assert_eq!(parsed.items.len(), 2, "{document}");
        assert_eq!(parsed.items[0].title.as_deref(), Some("Plums"), "{document}");
        assert_eq!(html(&parsed, 0), "<p>Ripe</p>", "{document}");
    }
}

#[test]
fn a_declaration_without_its_question_mark_loses_nothing() {
    let document = format!("<?xml version=\"1.0\">{}", rss(&item("1", "<description>a <?php ?></description>")));
    let parsed = read(&document);
    assert_eq!(parsed.items.len(), 1);
    assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"));
}

#[test]
fn an_unterminated_section_in_a_container_is_no_item() {
    for unterminated in ["<![CDATA[Orchard", "Orchard<!--", "Orchard<![CDATA["] {
        let image = format!(
            "<image><url>https://a.example/i.png</url><title>{unterminated}</title><link>https://a.example/</link></image>"
        );
        for later in ["<![CDATA[Sweet]]>", "Sweet<!--more-->"] {
            let items = format!("{image}{}", item("1", &format!("<description>{later}</description>")));
            let parsed = assert_items(&items, &["1"]);
            assert_eq!(parsed.feed.image.map(|image| image.url).as_deref(), Some("https://a.example/i.png"), "{items}");
        }
    }
}

#[test]
fn a_section_between_items_loses_nothing() {
    let [first, second] = ["1", "2"].map(|title| item(title, "<description><![CDATA[Sweet]]></description>"));
    for items in
        [format!("<![CDATA[{first}{second}"), format!("{first}<![CDATA[{second}"), format!("{first}{second}<![CDATA[")]
    {
        let parsed = assert_items(&items, &["1", "2"]);
        assert_eq!((html(&parsed, 0), html(&parsed, 1)), ("Sweet", "Sweet"));
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"));
    }
    for document in [format!("<![CDATA[{}", rss(&first)), format!("<![CDATA[{}]]>", rss(&item("1", "")))] {
        assert_eq!(read(&document).items.len(), 1, "{document}");
    }
}

#[test]
fn a_declaration_without_an_end_loses_nothing() {
    let part = "<textInput><name>q<!uery</name></textInput>";
    let parsed = assert_items(&format!("<x:y>hou<!rly</x:y>{part}{}", item("1", "")), &["1"]);
    assert_eq!(parsed.feed.text_input.and_then(|input| input.name).as_deref(), Some("q"));

    let with_cdata = rss(&item("1", "<description><![CDATA[Sweet]]></description>"));
    for doctype in ["<!DOCTYPE rss", "<!DOCTYPE rss [<!ENTITY nbsp \"&#160;\">", "<!DOCTYPE rss [<!-- a -->"] {
        let parsed = read(&format!("{doctype}\n{with_cdata}"));
        assert_eq!((parsed.items.len(), html(&parsed, 0)), (1, "Sweet"), "{doctype}");
        assert_eq!(parsed.feed.title.as_deref(), Some("Orchard"), "{doctype}");
    }
}
