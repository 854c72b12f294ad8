//! Throughput of the operations on an article, compared with plain ammonia.

use divan::{Bencher, counter::BytesCount};
use std::{fs, path::Path};

fn main() {
    divan::main();
}

/// Returns an article of about 100 KB made of the fixtures, which together contain every kind of markup.
fn article() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/content");
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut piece = String::new();
    for fixture in files.iter().filter_map(|file| fs::read_to_string(file).ok()) {
        let html = fixture.split_once("-->\n").and_then(|(_, rest)| rest.split_once("<!-- becomes -->"));
        // An unclosed comment would hide everything after it.
        if let Some((html, _)) = html.filter(|(html, _)| !html.contains("<!--")) {
            piece.push_str(html);
            piece.push_str("<p>A sentence of the length that sentences have, and a second one after it, with <em>stress</em>.</p>\n");
        }
    }
    piece.repeat(12)
}

#[divan::bench]
fn sanitise(bencher: Bencher<'_, '_>) {
    let html = article();
    bencher
        .counter(BytesCount::of_str(&html))
        .bench(|| gleaner_content::sanitise(&html, Some("https://blog.example/post")));
}

#[divan::bench]
fn ammonia_alone(bencher: Bencher<'_, '_>) {
    let html = article();
    bencher.counter(BytesCount::of_str(&html)).bench(|| ammonia::clean(&html));
}

#[divan::bench]
fn plain_text(bencher: Bencher<'_, '_>) {
    let html = article();
    bencher.counter(BytesCount::of_str(&html)).bench(|| gleaner_content::plain_text(&html));
}

#[divan::bench]
fn word_count(bencher: Bencher<'_, '_>) {
    let text = gleaner_content::plain_text(&article());
    bencher.counter(BytesCount::of_str(&text)).bench(|| gleaner_content::word_count(&text));
}
