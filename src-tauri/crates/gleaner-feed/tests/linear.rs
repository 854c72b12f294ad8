//! Documents made to be slow: each takes processor time in proportion to its length.
//! The largest need optimised code: `cargo test --release -p gleaner-feed --test linear -- --ignored --test-threads 1`.

use gleaner_cpu_time::{FACTOR, assert_linear};
use gleaner_feed::{Context, parse};

fn feed(inside: &str) -> String {
    format!("<rss version=\"2.0\"><channel><title>t</title><item><title>x</title>{inside}</item></channel></rss>")
}

/// Asserts that reading `make(size)`, as a feed and as OPML, takes time in proportion to `size`.
#[track_caller]
fn is_linear(make: impl Fn(usize) -> String, size: usize) {
    let name: String = make(1).chars().take(200).collect();
    assert_linear(&name, size / FACTOR, make, |document| {
        let _ = parse(document.as_bytes(), Context::default());
        let _ = gleaner_feed::opml::read(document.as_bytes());
    });
}

/// Asserts the same of a document that is a feed.
#[track_caller]
fn feed_is_linear(make: impl Fn(usize) -> String, size: usize) {
    let name: String = make(1).chars().take(200).collect();
    assert_linear(&name, size / FACTOR, make, |document| {
        assert!(parse(document.as_bytes(), Context::default()).is_ok());
    });
}

#[test]
fn comments_in_text_that_was_escaped_twice_take_linear_time() {
    let escaped =
        |count| feed(&format!("<description><![CDATA[&lt;p&gt;{}&gt;]]></description>", "&lt;!--".repeat(count)));
    feed_is_linear(escaped, 200_000);
}

#[test]
fn nested_tags_take_linear_time() {
    is_linear(open_tags, 500_000);
    is_linear(nested_tags, 200_000);
}

fn open_tags(count: usize) -> String {
    feed(&format!("<description>{}</description>", "<b>".repeat(count)))
}

fn nested_tags(count: usize) -> String {
    feed(&format!("<description>{}{}</description>", "<b>".repeat(count), "</b>".repeat(count)))
}

fn items(count: usize) -> String {
    let item = "<item><title>Plums &amp; pears</title><link>https://orchard.example/1</link><guid>https://orchard.example/1</guid>\
                <pubDate>Tue, 03 Mar 2020 04:05:06 GMT</pubDate><description>&lt;p&gt;Ripe at last.&lt;/p&gt;</description></item>\n";
    format!("<rss version=\"2.0\"><channel><title>t</title>{}</channel></rss>", item.repeat(count))
}

fn broken_items(count: usize) -> String {
    items(count).replace("Plums &amp; pears</title>", "Plums & pears&nbsp;")
}

fn json_items(count: usize) -> String {
    let item = r#"{"id":"1","url":"https://orchard.example/1","title":"Plums","content_html":"<p>Ripe at last.</p>"},"#;
    // The trailing comma makes it pass through the repair of JSON as well.
    format!(r#"{{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{}]}}"#, item.repeat(count))
}

#[test]
fn many_items_take_linear_time() {
    feed_is_linear(items, 2_000);
    feed_is_linear(broken_items, 2_000);
    feed_is_linear(json_items, 4_000);
}

#[test]
#[ignore = "a hundred megabytes, for optimized code"]
fn the_largest_documents_take_linear_time() {
    feed_is_linear(items, 400_000);
    feed_is_linear(broken_items, 400_000);
    feed_is_linear(json_items, 800_000);
    let paragraph = |count: usize| "plum ".repeat(count);
    is_linear(|count| feed(&format!("<description><![CDATA[<p>{}</p>]]></description>", paragraph(count))), 2_000_000);
    is_linear(|count| feed(&format!("<description>&lt;p>{}&lt;/p></description>", paragraph(count))), 2_000_000);
    is_linear(open_tags, 1_000_000);
    is_linear(nested_tags, 1_000_000);
    is_linear(items, 100_000);
}

/// Each element would compare its namespace with the declared one.
#[test]
fn long_namespaces_take_linear_time() {
    let others = |count: usize| (0..count).map(|n| format!(" xmlns:n{n}=\"urn:{n}\"")).collect::<String>();
    let document = |others: &str, count: usize| {
        let uri = "a".repeat(10 * count);
        format!("<rss{others}><channel xmlns=\"{uri}\"><title>t</title>{}</channel></rss>", "<a/>".repeat(count))
    };
    is_linear(|count| document("", count), 20_000);
    // More than are remembered.
    is_linear(|count| document(&format!("><x{}/", others(60)).repeat(2), count), 20_000);
}

#[test]
fn many_attributes_take_linear_time() {
    let attributes = |count: usize| (0..count).map(|n| format!(" a{n}=\"{n}\"")).collect::<String>();
    is_linear(|count| feed(&format!("<link{}>http://a/</link>", attributes(count))), 100_000);
}

#[test]
fn unclosed_pieces_take_linear_time() {
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
        "<!DOCTYPE x [>",
        "<!-- x>",
        "<?x>",
        "<a b='c\" >",
    ] {
        is_linear(|count| feed(&format!("<description>{}</description>", piece.repeat(count))), 50_000);
        is_linear(|count| feed(&piece.repeat(count)), 50_000);
        is_linear(|count| format!("<rss><channel><item><title>{}", piece.repeat(count)), 50_000);
    }
}

/// Each search for a terminator or an opening would read the rest of the document.
#[test]
fn sections_without_terminators_take_linear_time() {
    for (piece, end) in [
        ("<item><title><![CDATA[a</title></item>", "<item><title><![CDATA[b]]></title></item>"),
        ("<item><title>a<!-- </title></item>", "<item><title>b<!-- --></title></item>"),
        ("<item><title>a<? </title></item>", "<item><title>b<? ?></title></item>"),
        ("<item><title><![CDATA[a <![CDATA[ b ]]>", ""),
        ("<item><title><![CDATA[a <![CDATA[ b ]]></title></item>", ""),
        ("<item><title><![cdata[a ]] <!--[CDATA[", "]]-->"),
    ] {
        is_linear(|count| feed(&format!("{}{end}", piece.repeat(count))), 5_000);
    }
}

/// The terminator after all of them could belong to each.
#[test]
fn comments_before_the_same_terminator_take_linear_time() {
    let names = |form: fn(usize) -> String, count: usize| (0..count).map(form).collect::<String>();
    for before in ["", "<item>"] {
        is_linear(|count| feed(&format!("{}{before}<!-- -->", "<!--".repeat(count))), 40_000);
        is_linear(|count| feed(&format!("{}{before}<!-- -->", "<!-- --> <!--<b>".repeat(count))), 20_000);
        is_linear(
            |count| feed(&format!("<p>{}{before}<!-- -->", names(|n| format!("<a{n}><!--</p><p>"), count))),
            10_000,
        );
    }
}

/// Each search for the next tag of an item could read the rest of the document.
#[test]
fn items_without_start_tags_take_linear_time() {
    for piece in [
        "<channel><title>a</title><title>b</title>",
        "<item></item><title>a<![CDATA[</title>",
        "<item></item><channel><guid>a</guid><!--",
        "<title>a</title></item>",
        "<guid>a</guid></item><channel>",
    ] {
        is_linear(|count| format!("<rss><channel>{}", piece.repeat(count)), 10_000);
    }
}

#[test]
fn values_without_quotes_take_linear_time() {
    is_linear(|count| feed(&format!("<x {}>", "a=\"b c=\"d e=\"".repeat(count))), 20_000);
    is_linear(|count| feed(&"<x a=\"b c=\"d\">".repeat(count)), 20_000);
}

#[test]
fn unclosed_json_takes_linear_time() {
    for piece in [
        "[",
        "{\"a\":",
        "\"",
        "\\",
        "\"\\u",
        "/*",
        "//",
        ",",
        "1 ",
        "{\"a\":1},",
        "\"a\" ",
        "{\"a\":[",
        "{\"a\":1,\"title\":\"",
    ] {
        is_linear(
            |count| format!(r#"{{"version":"https://jsonfeed.org/version/1.1","items":[{}"#, piece.repeat(count)),
            100_000,
        );
    }
}

#[test]
fn rss_in_json_takes_linear_time() {
    for piece in [
        r##"{"title":"a","guid":{"#value":"b","c":1}},"##,
        r#"{"title":"a"},,"#,
        r#""title":{"a":"b"},"#,
        r#""xmlns:a":"urn:b","a:c":"d","#,
        r#""category":["a"],"#,
        r#"{"item":["#,
        r#"{"rss":"#,
        "[",
        "\"",
    ] {
        is_linear(|count| format!(r#"{{"rss":{{"channel":{{"title":"t","item":[{}"#, piece.repeat(count)), 100_000);
        is_linear(|count| format!(r#"{{"rss":{{{}"channel":{{"title":"t"}}}}}}"#, piece.repeat(count)), 100_000);
    }
}

/// If expanded, each level of entities would be ten times as long as the level below it.
#[test]
fn entities_of_entities_are_not_expanded() {
    let document = |levels: usize| {
        let entities: String =
            (1..=levels).map(|n| format!("<!ENTITY a{n} \"{}\">", format!("&a{};", n - 1).repeat(10))).collect();
        format!(
            "<!DOCTYPE x [<!ENTITY a0 \"lol\">{entities}]><rss><channel><title>&a{levels};&nope;</title></channel></rss>"
        )
    };
    is_linear(document, 20);
    is_linear(document, 2_000);
}

#[test]
fn a_repeated_long_entity_takes_linear_time() {
    // If expanded, the longest documents would have 3 gigabytes each.
    let entity = format!("<!DOCTYPE x [<!ENTITY a \"{}\">]>", "ha ".repeat(33_000));
    let document = |inside: &str| format!("{entity}{}", feed(inside));
    is_linear(|count| document(&format!("<description>{}</description>", "&a;".repeat(count))), 30_000);
    is_linear(|count| document(&"<category>&a;</category>".repeat(count)), 30_000);
    is_linear(|count| document(&"<enclosure url=\"&a;\"/>".repeat(count)), 30_000);
}

#[test]
fn a_long_paragraph_and_many_short_items_take_linear_time() {
    let paragraph = |count: usize| format!("<description><![CDATA[<p>{}</p>]]></description>", "plum ".repeat(count));
    is_linear(|count| feed(&paragraph(count)), 1_000_000);
    is_linear(|count| feed(&"</item><item><title>a</title>".repeat(count)), 50_000);
    let chapters = |count: usize| "<c:chapter start=\"1\"/>".repeat(count);
    is_linear(
        |count| {
            let inside = chapters(count);
            feed(&format!("<c:chapters xmlns:c=\"http://podlove.org/simple-chapters\">{inside}</c:chapters>"))
        },
        50_000,
    );
    is_linear(|count| feed(&"<category>a</category><enclosure url=\"http://a/1\"/>".repeat(count)), 50_000);
}

#[test]
fn empty_bodies_and_unterminated_sections_take_linear_time() {
    let empty = |count: usize| {
        let body = format!("<description><![CDATA[{}]]></description>", "<p></p>".repeat(count));
        feed(&format!("{body}{}", "<description>y</description>".repeat(count / 8)))
    };
    feed_is_linear(empty, 40_000);
    let sections = |count: usize| {
        let space = " ".repeat(20 * count);
        feed(&format!("<description>{}{space}<!-- --></description>", "<x><!--</x><a/>".repeat(count)))
    };
    is_linear(sections, 20_000);
}
