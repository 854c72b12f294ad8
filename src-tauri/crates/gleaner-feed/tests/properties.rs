//! Properties of all documents: no bytes make the parser panic, the same bytes give the same feed, and a written list
//! reads back unchanged.

#![allow(clippy::unwrap_used)]

use gleaner_feed::{
    Context, dates,
    opml::{self, Subscription, SubscriptionList},
    parse,
};
use proptest::prelude::*;
use std::{
    ops::Range,
    path::{Path, PathBuf},
};

/// Parts of feeds, valid and broken, so that random documents reach deep into the parser.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "<rss version=\"2.0\">",
        "<channel>",
        "<item>",
        "</item>",
        "</channel>",
        "</rss>",
        "<title>",
        "</title>",
        "<link>",
        "</link>",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\">",
        "<entry>",
        "</entry>",
        "<content type=\"xhtml\"><div>",
        "</div></content>",
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<?xml version=\"1.0\" encoding=\"latin1\"?>",
        "<!DOCTYPE x [<!ENTITY a \"&a;&a;\">]>",
        "&a;",
        "&amp;",
        "&#x80;",
        "&",
        "<",
        ">",
        "\"",
        "'",
        "=",
        "<enclosure url=\"a",
        "<media:content url='b'>",
        "<dc:date>2020-01-02",
        "<guid isPermaLink='true'>",
        "<opml>",
        "<body>",
        "<outline xmlUrl='http://a/' text=\"<a href=\"b\">",
        "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[",
        "\"title\":\"a\",",
        "{\"id\":\"1\",\"content_text\":\"\\ud83c",
        "]}",
        "<psc:chapter start='1:2'/>",
        "<podcast:transcript url='a'/>",
        "<pubDate>Tue, 03 Mar 2020 04:05:06 +2500</pubDate>",
        "é",
        "\u{0}",
        "\u{feff}",
        "Ã©",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => ".{0,12}"]
}

/// Feed fixtures, which are also truncated and modified.
fn fixtures() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures");
    let files = ["feed", "whole"].iter().flat_map(|area| std::fs::read_dir(folder.join(area)).unwrap());
    let mut files: Vec<PathBuf> = files.map(|f| f.unwrap().path()).collect();
    files.retain(|f| f.extension().is_none_or(|e| e != "fact"));
    files.sort();
    files.iter().map(|f| std::fs::read(f).unwrap()).collect()
}

/// A modification of a document. Positions are in 1/10,000 of its length.
#[derive(Debug, Clone)]
enum Change {
    CutOff(usize),
    Flip(usize, u8),
    Drop(usize, usize),
    Repeat(usize, usize),
    Swap(usize, usize),
    Insert(usize, String),
}

fn change() -> impl Strategy<Value = Change> {
    let place = 0..10_000_usize;
    prop_oneof![
        place.clone().prop_map(Change::CutOff),
        (place.clone(), any::<u8>()).prop_map(|(at, byte)| Change::Flip(at, byte)),
        (place.clone(), 1..40_usize).prop_map(|(at, length)| Change::Drop(at, length)),
        (place.clone(), 1..200_usize).prop_map(|(at, length)| Change::Repeat(at, length)),
        (place.clone(), place.clone()).prop_map(|(one, other)| Change::Swap(one, other)),
        (place, piece()).prop_map(|(at, piece)| Change::Insert(at, piece)),
    ]
}

/// Returns the ranges of a document's tags, from `<` to `>`.
fn tags(document: &[u8]) -> Vec<Range<usize>> {
    let starts = (0..document.len()).filter(|at| document[*at] == b'<');
    starts.filter_map(|at| Some(at..at + document[at..].iter().position(|b| *b == b'>')? + 1)).collect()
}

fn changed(document: &[u8], change: &Change) -> Vec<u8> {
    let mut out = document.to_vec();
    let place = |part: usize| document.len() * part / 10_000;
    let upto = |at: usize, length: usize| (at + length).min(document.len());
    match change {
        Change::CutOff(at) => out.truncate(place(*at)),
        Change::Flip(at, byte) => out.iter_mut().skip(place(*at)).take(1).for_each(|b| *b ^= byte),
        Change::Drop(at, length) => drop(out.drain(place(*at)..upto(place(*at), *length))),
        Change::Repeat(at, length) => {
            let piece = document[place(*at)..upto(place(*at), *length)].to_vec();
            out.splice(place(*at)..place(*at), piece);
        }
        Change::Swap(one, other) => {
            let tags = tags(document);
            let tag = |part: usize| tags.get(tags.len() * part / 10_000).cloned();
            if let (Some(one), Some(other)) = (tag(*one.min(other)), tag(*one.max(other)))
                && one.end <= other.start
            {
                let (first, second) = (document[one.clone()].to_vec(), document[other.clone()].to_vec());
                out.splice(other, first);
                out.splice(one, second);
            }
        }
        Change::Insert(at, piece) => drop(out.splice(place(*at)..place(*at), piece.bytes())),
    }
    out
}

fn name() -> impl Strategy<Value = String> {
    // Titles are a single line of text without markup.
    "[A-Za-z0-9é&\"'.,!-]{1,8}( [A-Za-z0-9é&\"'.,!-]{1,8}){0,2}"
}

fn subscription() -> impl Strategy<Value = Subscription> {
    let folder = prop::collection::vec(name(), 0..3);
    let other = prop::collection::vec(("[a-z]{4,9}x", "[A-Za-z0-9<>&\"']{1,9}"), 0..3);
    (0..10_000_u32, prop::option::of(name()), prop::option::of(name()), prop::bool::ANY, folder, other).prop_map(
        |(number, title, own_title, home, folder, mut other)| {
            other.sort();
            other.dedup_by(|a, b| a.0 == b.0);
            Subscription {
                url: format!("https://example.com/{number}?a=1&b=%20"),
                // If the list has no title, the feed's own title is used.
                own_title: own_title.filter(|own| title.as_ref().is_some_and(|title| title != own)),
                title,
                home_url: home.then(|| "https://example.com/".to_owned()),
                folder,
                other,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn parse_never_panics_on_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&bytes, Context::default());
        let _ = opml::read(&bytes);
    }

    #[test]
    fn parse_never_panics_and_is_deterministic(pieces in prop::collection::vec(piece(), 0..40)) {
        let document = pieces.concat();
        let context = Context { content_type: Some("text/xml; charset=utf-8"), base_url: Some("https://example.com/feed") };
        let first = parse(document.as_bytes(), context);
        prop_assert_eq!(&first, &parse(document.as_bytes(), context));
        if let Ok(parsed) = first {
            prop_assert!(parsed.items.iter().all(|item| !item.id.is_empty()));
            prop_assert_eq!(parsed.well_formed, parsed.repairs.is_empty());
        }
        let _ = opml::read(document.as_bytes());
    }

    #[test]
    fn parse_never_panics_on_modified_feeds(which in any::<prop::sample::Index>(), changes in prop::collection::vec(change(), 1..6)) {
        let fixtures = fixtures();
        let document = changes.iter().fold(which.get(&fixtures).clone(), |document, change| changed(&document, change));
        let context = Context { content_type: None, base_url: Some("https://example.com/feed") };
        let first = parse(&document, context);
        prop_assert_eq!(&first, &parse(&document, context));
        if let Ok(parsed) = first {
            prop_assert!(parsed.items.iter().all(|item| !item.id.is_empty()));
            prop_assert_eq!(parsed.well_formed, parsed.repairs.is_empty());
            prop_assert!(parsed.repairs.iter().all(|repair| repair.line > 0 && repair.column > 0));
        }
        let _ = opml::read(&document);
    }

    #[test]
    fn date_parser_never_panics(text in "\\PC{0,40}", digits in "[0-9:T+. -]{0,30}") {
        let _ = dates::parse(&text);
        let _ = dates::parse(&digits);
    }

    #[test]
    fn written_lists_read_back_unchanged(title in prop::option::of(name()), mut feeds in prop::collection::vec(subscription(), 0..12)) {
        // Feeds of a folder are adjacent in a tree; reading returns the order of the tree.
        let list = SubscriptionList { title, feeds: std::mem::take(&mut feeds), ..SubscriptionList::default() };
        let once = opml::read(opml::write(&list).unwrap().as_bytes()).unwrap();
        prop_assert!(once.repairs.is_empty(), "{:?}", once.repairs);
        prop_assert_eq!(once.feeds.len(), list.feeds.len());
        for feed in &list.feeds {
            prop_assert!(once.feeds.contains(feed), "{feed:?} is not in {:?}", once.feeds);
        }
        let twice = opml::read(opml::write(&once).unwrap().as_bytes()).unwrap();
        prop_assert_eq!(once, twice);
    }
}
