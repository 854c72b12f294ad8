//! Rewrites `noscript` elements, which Readability reads as elements and browsers as text: in a browser, nothing inside of one affects the
//! rest of the page.

use crate::{attributes::TagAttributes, style};
use gleaner_html::{
    elements::is_void,
    tokens::{Tag, Token, Tokens},
};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

/// File name extensions of images. Images without one are mostly counters.
const IMAGES: [&str; 7] = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg"];
/// Attributes of images with the address of the page or a description.
#[rustfmt::skip]
const OTHER: [&str; 10] = [
    "alt", "data-image-caption", "data-image-description", "data-image-title", "data-permalink", "data-pin-description", "data-pin-title", "data-pin-url",
    "sizes", "title",
];

/// Returns the page with every `noscript` closed at its end tag, and with images that exist only in a `noscript` outside of it.
pub(super) fn repaired(html: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut shown = None;
    // Whether the element before contains an image, which Readability replaces with the one of the `noscript`.
    let mut after_image = false;
    let (mut from, mut tokens) = (0, Tokens::new(html));
    while let Some(token) = tokens.next() {
        match token {
            Token::Start(tag) if tag.name == "noscript" => {
                let start = from + tokens.position();
                let Some(length) = end_tag(&html[start..]) else { break };
                let content = balanced(&html[start..start + length]);
                let end = start + length;
                let after = html[end..].find('>').map_or(html.len(), |at| end + at + 1);
                out.push_str(&html[copied..start]);
                let is_only = !after_image
                    && !precedes_image(&html[after..])
                    && images(&content).is_some_and(|names| {
                        let shown: &HashSet<String> = shown.get_or_insert_with(|| shown_images(html));
                        names.is_disjoint(shown)
                    });
                if is_only {
                    out.truncate(out.len() - tag.length);
                    out.push_str(&content);
                } else {
                    out.push_str(&content);
                    out.push_str("</noscript>");
                }
                copied = after;
                from = after;
                tokens = Tokens::new(&html[after..]);
                after_image = false;
            }
            Token::Start(tag) => after_image = tag.name == "img",
            Token::Text(text) => after_image &= text.trim().is_empty(),
            Token::End(_) | Token::Raw { .. } => {}
        }
    }
    if copied == 0 { Cow::Borrowed(html) } else { Cow::Owned(out + &html[copied..]) }
}

/// Returns the position of the next end tag of a `noscript`.
fn end_tag(html: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = html[from..].find("</") {
        let name = from + found + 2;
        if html.as_bytes()[name..].get(..8).is_some_and(|name| name.eq_ignore_ascii_case(b"noscript")) {
            return Some(name - 2);
        }
        from = name;
    }
    None
}

/// Returns HTML with its elements closed, and without the end tags of others.
fn balanced(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut open: Vec<Cow<'_, str>> = Vec::new();
    let mut counts: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut tokens = Tokens::new(html);
    let mut from = 0;
    while let Some(token) = tokens.next() {
        let source = &html[from..tokens.position()];
        from = tokens.position();
        match token {
            Token::End(name) => {
                // Without the counts, an end tag without a start tag would search through all open elements.
                if counts.get(&name).is_none_or(|count| *count == 0) {
                    continue;
                }
                while let Some(last) = open.pop() {
                    if let Some(count) = counts.get_mut(&last) {
                        *count -= 1;
                    }
                    if last == name {
                        break;
                    }
                }
            }
            Token::Start(tag) if !is_void(&tag.name) => {
                *counts.entry(tag.name.clone()).or_default() += 1;
                open.push(tag.name);
            }
            _ => {}
        }
        out.push_str(source);
    }
    for name in open.iter().rev() {
        out.push_str("</");
        out.push_str(name);
        out.push('>');
    }
    out
}

/// Returns the names of the images of an element; `None` if it has other content.
fn images(html: &str) -> Option<HashSet<String>> {
    let mut names = HashSet::new();
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if tag.name == "img" => {
                let given = TagAttributes::read(tag.attributes.clone());
                let address = given.get("src")?;
                let is_tiny = ["width", "height"].iter().any(|side| given.pixels(side).is_some_and(|side| side <= 2));
                let is_image = IMAGES.iter().any(|end| path(address).to_ascii_lowercase().ends_with(end));
                if is_tiny || !is_image || given.get("style").is_some_and(style::hides) {
                    return None;
                }
                names.insert(image_name(address));
            }
            Token::Start(tag) if !matches!(&*tag.name, "picture" | "source" | "a" | "span" | "p" | "div" | "br") => {
                return None;
            }
            Token::Text(text) if !text.trim().is_empty() => return None,
            Token::Raw { .. } => return None,
            _ => {}
        }
    }
    (!names.is_empty()).then_some(names)
}

/// Whether an image follows, before any text.
fn precedes_image(html: &str) -> bool {
    Tokens::new(html).take(3).find_map(|token| match token {
        Token::Start(tag) => Some(tag.name == "img"),
        Token::Text(text) if !text.trim().is_empty() => Some(false),
        _ => None,
    }) == Some(true)
}

/// Returns the names of the images outside of `noscript`.
fn shown_images(html: &str) -> HashSet<String> {
    let mut inside = false;
    let mut names = HashSet::new();
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if tag.name == "noscript" => inside = true,
            Token::End(name) if name == "noscript" => inside = false,
            Token::Start(tag) if !inside && matches!(&*tag.name, "img" | "source" | "amp-img") => {
                names.extend(image_names(&tag))
            }
            _ => {}
        }
    }
    names
}

/// Returns the names of all images that the attributes of a tag contain. Some attributes have a description in JSON.
pub(super) fn image_names(tag: &Tag<'_>) -> Vec<String> {
    let has_address = |value: &str| value.contains('.') && !value.starts_with("data:");
    let values = tag.attributes.clone().filter(|(name, value)| !OTHER.contains(&&**name) && has_address(value));
    let split =
        |value: &str| value.split([' ', ',']).filter(|part| part.contains('.')).map(image_name).collect::<Vec<_>>();
    values.flat_map(|(_, value)| split(&value)).filter(|name| !name.is_empty() && !name.contains('"')).collect()
}

/// Returns the file name of an image without its size and extension.
pub(super) fn image_name(address: &str) -> String {
    let path = path(address);
    let file = path.rsplit('/').next().unwrap_or(path);
    if let Some(parameter) = image_parameter(address, file) {
        let parameter = parameter.replace("%2f", "%2F").replace("%3f", "%3F");
        let name = parameter.rsplit_once("%2F").and_then(|(_, name)| name.split("%3F").next()?.split('&').next());
        return name.map_or_else(String::new, image_name);
    }
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_size = |size: &str| size.split('x').all(|side| !side.is_empty() && side.bytes().all(|b| b.is_ascii_digit()));
    match stem.rsplit_once('-') {
        Some((stem, size)) if size.contains('x') && is_size(size) => stem.to_owned(),
        _ => stem.to_owned(),
    }
}

/// Returns the part of an address that may contain the address of an image: the whole address, or the parameter of an image service, as in
/// `/_next/image?url=%2Fa.jpg&w=640`.
fn image_parameter<'a>(address: &'a str, file: &str) -> Option<&'a str> {
    if file.is_empty() {
        return Some(address);
    }
    let is_image = |parameter: &&str| parameter.starts_with("url=") && parameter.to_ascii_uppercase().contains("%2F");
    address.split(['?', '&']).skip(1).find(is_image).filter(|_| !file.contains('.'))
}

fn path(address: &str) -> &str {
    address.split(['?', '#']).next().unwrap_or(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closes_what_is_open() {
        for (html, expected) in [
            ("<noscript><div><p>a</noscript><p>b", "<noscript><div><p>a</p></div></noscript><p>b"),
            ("<noscript></div>a</NOSCRIPT >b", "<noscript>a</noscript>b"),
            ("<noscript><iframe src=x></noscript>b", "<noscript><iframe src=x></iframe></noscript>b"),
            ("<noscript>a<!-- </noscript>b", "<noscript>a</noscript>b"),
            ("<noscript><img alt='a</noscript>b'>", "<noscript></noscript>b'>"),
            ("<noscript><p>a", "<noscript><p>a"),
        ] {
            assert_eq!(repaired(html), expected);
        }
    }

    #[test]
    fn shows_images_that_exist_nowhere_else() {
        for (html, expected) in [
            ("<p><noscript><img src=/a.jpg></noscript></p>", "<p><img src=/a.jpg></p>"),
            ("<i data-src=/a.jpg></i><noscript><img src=/a.jpg></noscript>", "<i data-src=/a.jpg></i><img src=/a.jpg>"),
            (
                "<img src=/b.png></p><noscript><picture><source srcset=/a.webp><img src=/a.jpg></picture></noscript>",
                "<img src=/b.png></p><noscript><picture><source srcset=/a.webp><img src=/a.jpg></picture></noscript>",
            ),
        ] {
            assert_eq!(repaired(html), expected);
        }
        for kept in [
            "<noscript><img src=/a.jpg width=1></noscript>",
            "<noscript><img src=/count?a></noscript>",
            "<noscript><img src=/a.jpg>Text</noscript>",
            "<noscript><img src=/a.jpg></noscript><img data-src=/b.jpg>",
            "<img data-src=/a-300x200.jpg?x>Text<p><noscript><img src=/a.jpg></noscript></p>",
        ] {
            assert_eq!(repaired(kept), kept);
        }
    }
}
