//! Measures feed parsing: `cargo bench -p gleaner-inspect` (and `make bench`) prints MB/s, the best of several
//! interleaved rounds, for generated documents and, if present, for those in `../shared/conformance/realfeeds`.
#![allow(clippy::unwrap_used)]

use gleaner_feed::{Context, Parsed, parse};
use quick_xml::events::Event;
use std::{
    hint::black_box,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};
use xml::reader::{EventReader, ParserConfig, XmlEvent};

const ROUNDS: usize = 7;

type Documents = Vec<Vec<u8>>;

/// Reads a document and returns a count of its results, so that the compiler cannot remove the work.
type Reader = fn(&[u8]) -> Option<usize>;

/// The readers compared. A reader returns `None` for a document that it cannot read completely.
const READERS: [(&str, Reader); 5] = [
    ("parse", |bytes| Some(read(bytes)?.items.len())),
    ("with sanitised HTML and text", |bytes| Some(inspect(&read(bytes)?))),
    ("feed-rs", |bytes| Some(feed_rs::parser::parse(bytes).ok()?.entries.len())),
    ("`xml` events", xml_events),
    ("`quick-xml` events", quick_xml_events),
];

fn main() {
    let generated = ["rss", "rss-cdata", "atom-xhtml", "rdf", "json", "rss-broken"];
    let mut sets: Vec<(String, Documents)> =
        generated.map(|name| (format!("{name}, generated"), vec![document(name).into_bytes(); 4])).into();
    let real = real();
    if !real.is_empty() {
        let strict: Documents =
            real.iter().filter(|bytes| READERS.iter().all(|(_, reader)| reader(bytes).is_some())).cloned().collect();
        sets.push((format!("{} real documents that all readers accept", strict.len()), strict));
        sets.push((format!("all {} real documents", real.len()), real));
    }
    println!("| documents | MB |{} parse : `xml` |", READERS.map(|(name, _)| format!(" {name} |")).concat());
    println!("|---|---|{}---|", "---|".repeat(READERS.len()));
    for (name, documents) in &sets {
        compare(name, documents);
    }
    println!();
    for (name, documents) in &sets {
        in_parallel(name, documents);
    }
    println!();
    for (name, documents) in &sets {
        articles(name, documents);
    }
}

/// Prints a row: MB/s of each reader, and the complete parser relative to bare `xml` events.
fn compare(name: &str, documents: &Documents) {
    let bytes: usize = documents.iter().map(Vec::len).sum();
    let mut best = [Some(Duration::MAX); READERS.len()];
    for _ in 0..ROUNDS {
        for (best, (_, reader)) in best.iter_mut().zip(READERS) {
            let start = Instant::now();
            let read =
                documents.iter().map(|bytes| black_box(reader(black_box(bytes)))).filter(Option::is_some).count();
            let took = start.elapsed();
            // A reader may reject a few documents; one that rejects more is not measured.
            *best = best.filter(|_| read * 100 >= documents.len() * 95).map(|best| best.min(took));
        }
    }
    let speed = |took: Option<Duration>| took.map(|took| bytes as f64 / took.as_secs_f64() / 1e6);
    let shown = |speed: Option<f64>| speed.map_or("–".to_owned(), |speed| format!("{speed:.0}"));
    let ratio =
        speed(best[0]).zip(speed(best[3])).map_or("–".to_owned(), |(parse, xml)| format!("{:.2}", parse / xml));
    let speeds = best.map(|took| format!(" {} |", shown(speed(took)))).concat();
    println!("| {name} | {:.1} |{speeds} {ratio} |", bytes as f64 / 1e6);
}

/// Parses on all cores, as in a large refresh.
fn in_parallel(name: &str, documents: &Documents) {
    let cores = thread::available_parallelism().unwrap().get();
    let bytes: usize = documents.iter().map(Vec::len).sum();
    let speed = |threads: usize| {
        let took = (0..ROUNDS).map(|_| {
            let next = AtomicUsize::new(0);
            let start = Instant::now();
            thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        // Repeats the documents, so that the longest one does not dominate.
                        while let at @ 0.. = next.fetch_add(1, Ordering::Relaxed)
                            && at < 8 * documents.len()
                        {
                            black_box(read(&documents[at % documents.len()]));
                        }
                    });
                }
            });
            start.elapsed()
        });
        8.0 * bytes as f64 / took.min().unwrap().as_secs_f64() / 1e6
    };
    let (one, all) = (speed(1), speed(cores));
    println!("- {name}: {one:.0} MB/s on one core, {all:.0} on {cores} ({:.2} times)", all / one);
}

/// Sanitises the bodies of the documents and extracts their text.
fn articles(name: &str, documents: &Documents) {
    let parsed: Vec<Parsed> = documents.iter().filter_map(|bytes| read(bytes)).collect();
    let bodies: Vec<_> = parsed.iter().flat_map(|p| &p.items).filter_map(|item| item.content.as_ref()).collect();
    let bytes: usize = bodies.iter().map(|body| body.html.len()).sum();
    let speed = |work: &dyn Fn(&gleaner_feed::Body) -> usize| {
        let took = (0..ROUNDS).map(|_| {
            let start = Instant::now();
            black_box(bodies.iter().map(|body| work(body)).sum::<usize>());
            start.elapsed()
        });
        bytes as f64 / took.min().unwrap().as_secs_f64() / 1e6
    };
    let ours = speed(&|body| gleaner_content::sanitise(&body.html, body.base.as_deref()).len());
    let ammonia = speed(&|body| ammonia::clean(&body.html).len());
    let text = speed(&|body| gleaner_content::plain_text(&body.html).len());
    let megabytes = bytes as f64 / 1e6;
    println!(
        "- {name}, {megabytes:.1} MB of bodies: sanitise {ours:.0} MB/s, ammonia alone {ammonia:.0}, plain text {text:.0}"
    );
}

fn read(bytes: &[u8]) -> Option<Parsed> {
    parse(bytes, Context::default()).ok()
}

/// Does the additional work of the inspect report for each item: sanitised HTML and plain text.
fn inspect(parsed: &Parsed) -> usize {
    let bodies = parsed.items.iter().flat_map(|item| [&item.content, &item.summary]).flatten();
    let work = |body: &gleaner_feed::Body| {
        gleaner_content::sanitise(&body.html, body.base.as_deref()).len()
            + gleaner_content::plain_text(&body.html).len()
    };
    bodies.map(work).sum()
}

fn xml_events(bytes: &[u8]) -> Option<usize> {
    let config = ParserConfig::new().cdata_to_characters(true).whitespace_to_characters(true);
    let mut reader = EventReader::new_with_config(bytes, config);
    let mut events = 0_usize;
    while reader.next().ok()? != XmlEvent::EndDocument {
        events += 1;
    }
    Some(events)
}

/// Reads events with `quick_xml`, and resolves namespaces, attributes and references as `xml` always does.
fn quick_xml_events(bytes: &[u8]) -> Option<usize> {
    let mut reader = quick_xml::NsReader::from_reader(bytes);
    let mut events = 0_usize;
    loop {
        match reader.read_resolved_event().ok()? {
            (_, Event::Eof) => return (events > 0).then_some(events),
            (_, Event::Start(tag) | Event::Empty(tag)) => events += 1 + tag.attributes().filter(Result::is_ok).count(),
            _ => {}
        }
    }
}

/// Returns real documents, if present.
fn real() -> Documents {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/conformance/realfeeds/files");
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Returns an article of about 2 KB with some markup.
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
            "json" => format!(
                "{}{}",
                if number == 0 { "" } else { "," },
                serde_json::json!({
                    "id": number, "title": "Fruit", "url": format!("https://orchard.example/{number}"), "tags": ["Fruit"],
                    "date_published": "2020-03-03T04:05:06Z", "authors": [{ "name": "Pomona" }], "content_html": article(number, false),
                })
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
        "json" => {
            format!("{{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"Orchard\",\"items\":[{items}]}}")
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
