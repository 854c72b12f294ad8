//! Articles that are made to be slow take time in proportion to their length, and no stack.
//!
//! The limit is far above what any of these takes and far below what a quadratic step would take.

use gleaner_content::{plain_text, sanitise};
use std::time::{Duration, Instant};

fn quick(name: &str, html: &str) -> String {
    let start = Instant::now();
    let clean = sanitise(html, Some("https://blog.example/"));
    let text = plain_text(html);
    assert!(text.len() <= html.len() + 1, "{name}");
    assert!(start.elapsed() < Duration::from_secs(60), "{name} took {:?}", start.elapsed());
    clean
}

#[test]
fn a_million_nested_tags() {
    for tag in ["<div>", "<b>", "<table>", "<svg>", "<blockquote>", "<span>", "<ruby>"] {
        let clean = quick(tag, &tag.repeat(1_000_000));
        assert!(clean.len() < 10_000, "{tag} {}", clean.len());
    }
}

#[test]
fn a_paragraph_of_ten_megabytes() {
    let text = "Netze & Boote – «Hafen» ".repeat(400_000);
    assert!(quick("text", &format!("<p>{text}")).len() > text.len());
}

#[test]
fn a_hundred_thousand_attributes() {
    let attributes: String = (0..100_000).map(|n| format!(" a{n}=1 title=t{n}")).collect();
    assert_eq!(quick("attributes", &format!("<p{attributes}>x")), "<p title=\"t0\">x</p>");
}

#[test]
fn tags_that_never_end() {
    for piece in ["<", "</", "<!--", "<a b='", "<![CDATA[", "&", "<iframe src=//a.example/>", "</p>", "<title>", "]]"] {
        quick(piece, &piece.repeat(200_000));
    }
}

#[test]
fn crossed_tags_do_not_multiply() {
    let html = ("<b>".repeat(60) + &"<i>".repeat(60) + &"</b>".repeat(60) + &"</i>".repeat(60)).repeat(200);
    assert!(quick("crossed", &html).len() < html.len() * 8);
    let html = "<a href=x><div>".repeat(20_000);
    assert!(quick("links", &html).len() < html.len() * 8);
}
