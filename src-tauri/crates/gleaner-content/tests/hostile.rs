//! Articles made to be slow: each takes processor time only in proportion to its length, and does not overflow the stack.

use gleaner_content::{extract, plain_text, sanitise};
use gleaner_cpu_time::{FACTOR, assert_linear};
use std::hint::black_box;

/// Asserts that `make(size)` is cleaned in linear time, and returns it with its clean form.
#[track_caller]
fn cleaned(name: &str, make: impl Fn(usize) -> String, size: usize) -> (String, String) {
    assert_linear(name, size / FACTOR, &make, |html| {
        black_box(sanitise(html, Some("https://blog.example/")));
        assert!(plain_text(html).len() <= html.len() + 1, "{name}");
    });
    let html = make(size);
    let clean = sanitise(&html, Some("https://blog.example/"));
    (html, clean)
}

#[test]
fn sanitises_a_million_nested_tags() {
    for tag in ["<div>", "<b>", "<table>", "<svg>", "<blockquote>", "<span>", "<ruby>"] {
        let (_, clean) = cleaned(tag, |count| tag.repeat(count), 1_000_000);
        assert!(clean.len() < 10_000, "{tag} {}", clean.len());
    }
}

#[test]
fn sanitises_a_paragraph_of_ten_megabytes() {
    let (html, clean) = cleaned("text", |count| format!("<p>{}", "Netze & Boote – «Hafen» ".repeat(count)), 400_000);
    assert!(clean.len() > html.len() - 3);
}

#[test]
fn sanitises_a_hundred_thousand_attributes() {
    let attributes = |count: usize| (0..count).map(|n| format!(" a{n}=1 title=t{n}")).collect::<String>();
    let (_, clean) = cleaned("attributes", |count| format!("<p{}>x", attributes(count)), 100_000);
    assert_eq!(clean, "<p title=\"t0\">x</p>");
}

#[test]
fn sanitises_unclosed_tags() {
    for piece in ["<", "</", "<!--", "<a b='", "<![CDATA[", "&", "<iframe src=//a.example/>", "</p>", "<title>", "]]"] {
        cleaned(piece, |count| piece.repeat(count), 200_000);
    }
}

#[test]
fn crossed_tags_do_not_multiply() {
    let crossed = "<b>".repeat(60) + &"<i>".repeat(60) + &"</b>".repeat(60) + &"</i>".repeat(60);
    let (html, clean) = cleaned("crossed", |count| crossed.repeat(count), 200);
    assert!(clean.len() < html.len() * 8);
    let (html, clean) = cleaned("links", |count| "<a href=x><div>".repeat(count), 20_000);
    assert!(clean.len() < html.len() * 8);
}

#[test]
fn full_text_of_a_page_with_very_many_attributes() {
    let text =
        "<p>The harbour was quiet, the boats were in, and no one, as far as we could see, was about to mend a net.</p>"
            .repeat(9);
    let attributes = |count: usize| (0..count).map(|n| format!(" a{n}=1")).collect::<String>();
    for (start, end) in
        [("<p", ">"), ("<svg><title><p", "></title></svg>"), ("<select><style><p", "></style></select>")]
    {
        let page = |count| {
            format!("<html><body><article>{text}{start}{}{end}{text}</article></body></html>", attributes(count))
        };
        assert_linear(start, 25_000, page, |page| {
            let found = extract(page, "https://blog.example/post").unwrap();
            assert!(found.content_text.contains("harbour"), "{start}");
        });
    }
}

#[test]
fn short_relative_addresses_with_a_long_base_do_not_multiply() {
    let directory = "b".repeat(15_000);
    let (base, deep) = (format!("https://blog.example/{directory}/"), format!("/{directory}/"));
    for piece in [
        "<a href=a>x</a> ",
        "<img src=a>",
        "<img srcset='a 1w, b 2w, c 3w, d 4w'>",
        "<q cite=a>x</q>",
        "<video src=a poster=b>",
    ] {
        let html = piece.repeat(20_000);
        let clean = sanitise(&html, Some(&base));
        assert!(clean.len() < 16 * html.len() + 4_000_000, "{piece}: {}", clean.len());
        assert!(clean.contains(&deep), "the first are absolute");
        assert_eq!(sanitise(&clean, Some(&base)), clean, "{piece}");

        let text =
            "<p>The harbour was quiet, the boats were in, and no one was about to mend a net or sell a fish.</p>"
                .repeat(9);
        let page =
            format!("<html><head><base href='{deep}'></head><body><article>{text}{html}</article></body></html>");
        let found = extract(&page, "https://blog.example/post").unwrap();
        assert!(found.content_html.len() < 16 * page.len() + 4_000_000, "{piece}: {}", found.content_html.len());
    }
    let longer = format!("https://blog.example/{}/", "b".repeat(60_000));
    assert_eq!(sanitise("<a href=a>x</a>", Some(&longer)), "<span>x</span>");
}
