//! Texts of feeds, pages and lists that try to control the terminal, or to make a line read differently than it is.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, json, text};
use gleaner_testserver::{Reply, Server};
use serde_json::Value;
use std::{fs, path::Path};

/// Escapes that clear the screen and set the title, C1 controls, unclosed overrides and isolates, and line breaks.
const HOSTILE: &str = "A\u{9b}31m\u{202e}gpj\u{2066}b\u{2067}\u{202a}c\u{90}d\u{85}e\u{2028}f";

fn feed(title: &str) -> String {
    format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>{title} feed</title><generator>{title}</generator>\
         <entry><id>1</id><title>{title} entry</title><author><name>{title} author</name></author>\
         <link href=\"https://example.com/{title}\"/><category term=\"{title}\"/><content>Words of {title}</content></entry>\
         <entry><id>2</id><title>Plain entry</title><content>plain</content></entry></feed>"
    )
}

fn is_bidi(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Checks that a terminal can print the output as it is.
fn assert_harmless(what: &str, text: &str) {
    let bad: Vec<char> = text.chars().filter(|c| is_bidi(*c) || c.is_control() && !matches!(c, '\n' | '\t')).collect();
    assert!(bad.is_empty(), "{what}: {bad:?} in {text:?}");
}

fn run(library: &Path, words: &[&str]) -> String {
    let output = glean(library, words);
    let text = text(&output);
    assert_harmless(&words.join(" "), &text);
    text
}

fn contains(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text.contains(wanted),
        Value::Array(values) => values.iter().any(|value| contains(value, wanted)),
        Value::Object(values) => values.values().any(|value| contains(value, wanted)),
        _ => false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_of_feeds_reach_the_terminal_without_controls() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    server.on("/feed", Reply::ok(feed(HOSTILE)).header("Content-Type", "application/atom+xml"));
    server.on(
        "/page",
        Reply::ok(format!(
            "<html><title>{HOSTILE}</title><link rel=alternate type=application/atom+xml title='{HOSTILE}' href=/feed>\
             <article><h1>{HOSTILE}</h1><p>{}</p></article></html>",
            format!("{HOSTILE} came back at dawn, and no one, as far as one could see, spoke of it. ").repeat(20)
        ))
        .header("Content-Type", "text/html; charset=utf-8"),
    );
    server.on("/gone", Reply::redirect(302, format!("http://{HOSTILE}:x/").into_bytes()));
    let list = folder.path().join("list.opml");
    let title = HOSTILE.replace('\u{9b}', "&#10;");
    fs::write(
        &list,
        format!(
            "<opml version=\"2.0\"><body><outline type=\"rss\" text=\"Listed {title}\" xmlUrl=\"{}\"/>\
             <outline text=\"No {title} address\" type=\"rss\"/></body></opml>",
            server.url("/gone")
        ),
    )
    .unwrap();
    let (library, list) = (folder.path().join("library"), list.display().to_string());
    let (feed, page) = (server.url("/feed"), server.url("/page"));
    for words in [
        &["discover", &page][..],
        &["discover", "--json", &page],
        &["inspect", &feed],
        &["inspect", "--json", &feed],
        &["inspect", "--jsonl", &feed],
        &["extract", &page],
        &["extract", "--json", &page],
        &["import", "--dry-run", &list],
        &["import", "--dry-run", "--json", &list],
        &["add", &page],
        &["import", &list],
        &["import", "--json", &list],
        &["refresh", "--all"],
        &["refresh", "--all", "--verbose"],
        &["why", &feed],
        &["why", "Listed"],
        &["access", &feed],
        &["search", "entry"],
        &["search", "words"],
        &["search", "--json", "entry"],
        &["rules", "add", "--do", "star", "title:entry"],
        &["rules", "preview", "--do", "star", "title:entry"],
        &["rules", "preview", "--json", "--do", "star", "title:entry"],
        &["retention", "--days", "1", "--preview"],
        &["backfill", &feed],
        &["stats"],
        &["add", HOSTILE],
        &["why", HOSTILE],
    ] {
        let text = run(&library, words);
        assert!(!text.is_empty(), "{words:?}");
    }
    let found = run(&library, &["search", "entry"]);
    assert!(found.contains("gpj") && found.contains("Plain entry"), "{found}");
    // A title stays on its line.
    assert_eq!(run(&library, &["why", "Listed"]).lines().filter(|line| line.contains("Listed")).count(), 1);
    for words in [&["search", "--json", "entry"][..], &["discover", "--json", &page], &["inspect", "--json", &feed]] {
        let document = json(&glean(&library, words));
        assert!(contains(&document, "\u{202e}gpj\u{2066}b"), "JSON has the exact text: {words:?} {document}");
    }
}
