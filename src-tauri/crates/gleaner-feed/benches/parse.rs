//! The whole parse against the bare events of the `xml` crate, on documents made here: what the parse adds to reading XML at
//! all. `cargo bench -p gleaner-feed`.

use divan::{Bencher, counter::BytesCount};
use gleaner_feed::{Context, parse};
use xml::reader::{EventReader, ParserConfig, XmlEvent};

fn main() {
    divan::main();
}

const DOCUMENTS: [&str; 5] = ["rss", "rss-cdata", "atom-xhtml", "rdf", "rss-broken"];

/// About 2 KB of an article, some of it markup.
fn article(number: usize, escaped: bool) -> String {
    let paragraph = format!(
        "<p>Number {number} of the orchard: <a href=\"https://orchard.example/{number}\">plums &amp; pears</a>, <em>ripe</em> at last.</p>\n"
    );
    let html = paragraph.repeat(16);
    if escaped { html.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;") } else { html }
}

fn document(name: &str) -> String {
    let mut items = String::new();
    for number in 0..100 {
        let date = format!("Tue, 03 Mar 2020 04:{:02}:06 GMT", number % 60);
        let head = format!(
            "<title>Fruit number {number} &amp; more</title><link>https://orchard.example/{number}?a=1&amp;b=2</link>"
        );
        items += &match name {
            "atom-xhtml" => format!(
                "<entry><id>urn:{number}</id><title>Fruit</title><link href=\"https://orchard.example/{number}\"/><updated>2020-03-03T04:05:06Z</updated>\
                 <author><name>Pomona</name></author><content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">{}</div></content></entry>\n",
                article(number, false)
            ),
            "rdf" => format!(
                "<item rdf:about=\"https://orchard.example/{number}\">{head}<description>{}</description></item>\n",
                article(number, true)
            ),
            "rss-cdata" => format!(
                "<item>{head}<guid isPermaLink=\"false\">{number}</guid><pubDate>{date}</pubDate><dc:creator>Pomona</dc:creator>\
                 <content:encoded><![CDATA[{}]]></content:encoded></item>\n",
                article(number, false)
            ),
            _ => format!(
                "<item>{head}<guid isPermaLink=\"false\">{number}</guid><pubDate>{date}</pubDate><category>Fruit</category>\
                 <description>{}</description></item>\n",
                article(number, true)
            ),
        };
    }
    let namespaces =
        "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"";
    match name {
        "atom-xhtml" => {
            format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Orchard</title><id>urn:o</id>{items}</feed>")
        }
        "rdf" => format!(
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">\
             <channel><title>Orchard</title><link>https://orchard.example/</link></channel>{items}</rdf:RDF>"
        ),
        "rss-broken" => {
            format!("<rss version=\"2.0\" {namespaces}><channel><title>Plums & pears</title>{items}</channel></rss>")
        }
        _ => format!(
            "<rss version=\"2.0\" {namespaces}><channel><title>Orchard</title><link>https://orchard.example/</link>{items}</channel></rss>"
        ),
    }
}

#[divan::bench(args = DOCUMENTS)]
fn whole_parse(bencher: Bencher<'_, '_>, name: &str) {
    let document = document(name);
    bencher.counter(BytesCount::of_str(&document)).bench_local(|| parse(document.as_bytes(), Context::default()));
}

/// Until the end, or the first thing that is not well-formed.
#[divan::bench(args = DOCUMENTS)]
fn bare_xml_events(bencher: Bencher<'_, '_>, name: &str) {
    let document = document(name);
    bencher.counter(BytesCount::of_str(&document)).bench_local(|| {
        let config = ParserConfig::new().cdata_to_characters(true).whitespace_to_characters(true);
        let mut reader = EventReader::new_with_config(document.as_bytes(), config);
        let mut events = 0_usize;
        while !matches!(reader.next(), Ok(XmlEvent::EndDocument) | Err(_)) {
            events += 1;
        }
        events
    });
}
