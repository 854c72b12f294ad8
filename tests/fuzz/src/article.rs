//! Checks of articles: the sanitiser's output is read as a browser would.

use dom_query::{Document, NodeRef};
use gleaner_content as content;
use std::collections::HashSet;
use url::Url;

const BASE: &str = "https://base.example/post";

/// Elements that run code, load, send requests or hide content, and those that change how a parser reads what follows.
#[rustfmt::skip]
const NEVER: [&str; 34] = [
    "script", "style", "iframe", "frame", "frameset", "object", "embed", "param", "applet", "svg", "form", "input", "button", "select", "option",
    "textarea", "base", "meta", "link", "template", "noscript", "noembed", "noframes", "plaintext", "xmp", "title", "head", "foreignobject",
    "annotation-xml", "portal", "slot", "dialog", "canvas", "marquee",
];

/// Attributes with an address, including our own.
#[rustfmt::skip]
const ADDRESSES: [&str; 13] = [
    "href", "src", "poster", "cite", "action", "formaction", "xlink:href", "data", "background", "longdesc", "ping", "manifest", "srcdoc",
];

/// Asserts that sanitised HTML is safe, does not change when it is sanitised again, and has the intended structure.
pub fn sanitise(data: &[u8]) {
    let html = String::from_utf8_lossy(data);
    for base in [Some(BASE), None] {
        let clean = content::sanitise(&html, base);
        check_safe(&clean);
        assert_eq!(content::sanitise(&clean, base), clean, "twice, with base {base:?}");
        assert!(clean.len() <= 64 * html.len() + 1024, "{} bytes of {}", clean.len(), html.len());
        assert!(content::first_image(&clean, base).is_none_or(|url| url.starts_with("http")));
    }
    let text = content::plain_text(&html);
    assert!(text.trim_matches('\n').len() == text.len() && text.len() <= 2 * html.len() + 1, "{text:?}");
    assert!(content::word_count(&text) as usize <= text.len());
    assert!(content::excerpt(&text, 40).chars().count() <= 40);
    assert!(content::word_count(&text) == 0 || content::reading_minutes(&text) > 0);
}

/// Asserts that the article of any page is as safe as one of a feed.
pub fn extract(data: &[u8]) {
    let html = content::decode_page(data, None);
    let Some(article) = content::extract(&html, BASE) else { return };
    check_safe(&article.content_html);
    assert_eq!(article.content_text, content::plain_text(&article.content_html));
    for text in [&article.title, &article.byline, &article.excerpt].into_iter().flatten() {
        assert!(!text.trim().is_empty());
    }
    let next = article.next_page_url.map(|url| Url::parse(&url).map(|url| url.scheme().to_owned()));
    assert!(next.is_none_or(|scheme| scheme.is_ok_and(|s| s == "http" || s == "https")));
}

/// Asserts that a canonical URL is valid, leads to the same place, and is its own canonical form.
pub fn url(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Some(canonical) = content::canonical_url(&text) else { return };
    assert_eq!(content::canonical_url(&canonical).as_deref(), Some(&*canonical), "twice: {text:?}");
    // Only a `file:` URL changes when it is written and read again.
    let (was, is) = (Url::parse(text.trim()).and_then(|url| Url::parse(url.as_str())), Url::parse(&canonical));
    let (Ok(was), Ok(is)) = (was, is) else { panic!("{text:?} became {canonical:?}") };
    let place =
        |url: &Url| (url.scheme().to_owned(), url.username().to_owned(), url.host_str().map(str::to_owned), url.port());
    assert_eq!(place(&is), place(&was), "{text:?}");
}

fn check_safe(html: &str) {
    // Parsed as a whole document, like that of the frame. The parser's other functions would parse it as a fragment of a `div`.
    let document = Document::from(format!("<!doctype html><html><head></head><body><div>{html}</div></body></html>"));
    let body = document.select("body");
    let article = body.children();
    assert_eq!(article.length(), 1, "it stays inside of its element: {html:?}");
    assert_eq!(article.inner_html().to_string(), html, "a parser reads what was written");
    let mut ids = HashSet::new();
    for node in article.nodes().iter().flat_map(|node| node.descendants_it()) {
        assert!(node.is_element() || node.is_text(), "a comment in {html:?}");
        if let Some(name) = node.node_name().filter(|_| node.is_element()) {
            check_element(&node, &name.to_lowercase(), &mut ids, html);
        }
    }
}

fn check_element(node: &NodeRef<'_>, name: &str, ids: &mut HashSet<String>, html: &str) {
    assert!(!NEVER.contains(&name), "{name} in {html:?}");
    assert!(node.ancestors_it(None).count() < 130, "nested too deeply");
    for attribute in node.attrs() {
        let (local, value) = (attribute.name.local.to_lowercase(), attribute.value.to_string());
        assert!(!local.starts_with("on"), "{local} in {html:?}");
        assert!(!ADDRESSES.contains(&&*local) || may_be_at(name, &local, &value), "{local}={value:?} in {html:?}");
        match &*local {
            "srcset" => {
                let web = |url: &str| url.starts_with("http://") || url.starts_with("https://");
                assert!(value.split(", ").all(web), "{value:?}");
            }
            "style" => assert!(!value.contains(['(', '\\', '@', '<', '/']), "{value:?}"),
            "id" => assert!(value.starts_with("u-") && ids.insert(value.clone()), "{value:?} in {html:?}"),
            "name" | "target" | "autofocus" | "autoplay" | "http-equiv" | "is" | "slot" => {
                panic!("{local} in {html:?}")
            }
            _ => {}
        }
    }
}

/// Returns true when the element may have such an address.
fn may_be_at(name: &str, attribute: &str, value: &str) -> bool {
    if value.starts_with('#') {
        return name == "a";
    }
    let Ok(url) = Url::parse(value) else { return false };
    match (attribute, url.scheme()) {
        (_, "http" | "https") => true,
        ("src", "data") => name == "img" && value.starts_with("data:image/") && !value.contains("svg"),
        ("href", scheme) => {
            let runs = ["javascript", "vbscript", "data", "blob", "file", "about", "view-source", "filesystem"];
            name == "a" && !runs.contains(&scheme)
        }
        _ => false,
    }
}
