//! Limits how many elements a web page has, how deep they are nested, and how many attributes they have.

use crate::attributes::AttributeWriter;
use gleaner_html::{
    elements::is_void,
    tokens::{Tag, Token, Tokens},
};
use std::{borrow::Cow, collections::HashMap};

/// Maximum depth of elements; the deepest real pages have a few dozen levels.
const MAX_DEPTH: usize = 300;
/// Maximum number of attributes of an element; further ones are removed.
const MAX_ATTRIBUTES: usize = 100;
/// Maximum length of a tag in bytes that is kept as written. Other parsers may end a longer tag earlier and read it as several.
const MAX_TAG: usize = 4 << 10;

/// Maximum number of elements of a page: a tree takes a hundred times as much memory as the page's shortest tags. The largest real pages have
/// a hundred thousand.
const MAX_ELEMENTS: usize = 250_000;
/// Maximum number of attributes of all elements, for the same reason.
const MAX_ALL_ATTRIBUTES: usize = 500_000;

/// Removes the tags of the deepest elements, and excess attributes of a tag: parsers take quadratic time for both. Removes the rest of a
/// page that has too many elements.
pub(super) fn limited(html: &str) -> Cow<'_, str> {
    let html = &html[..admitted(html)];
    match without_long_tags(html, false, &mut Merged::default()) {
        None => shallow(html),
        Some(html) => Cow::Owned(shallow(&html).into_owned()),
    }
}

/// Returns the length of the start of a page that has no more than the maximum number of elements and attributes.
fn admitted(html: &str) -> usize {
    // Each element has at least three bytes, and each attribute two.
    if html.len() < 2 * MAX_ELEMENTS {
        return html.len();
    }
    let (mut elements, mut attributes, mut end) = (0, 0, 0);
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        match &token {
            Token::Start(tag) => {
                elements += 1;
                attributes += tag.attributes.clone().take(MAX_ATTRIBUTES).count();
            }
            // An end without a start makes an element, too.
            Token::End(name) if name == "p" || name == "br" => elements += 1,
            // To some parsers it is markup.
            Token::Raw { text, .. } => elements += text.bytes().filter(|byte| *byte == b'<').count(),
            Token::End(_) | Token::Text(_) => {}
        }
        if elements > MAX_ELEMENTS || attributes > MAX_ALL_ATTRIBUTES {
            return end;
        }
        end = tokens.position();
    }
    html.len()
}

/// Number of attributes of all `html` and `body` tags so far: parsers merge them into one element each.
#[derive(Default)]
struct Merged(usize);

impl Merged {
    /// Returns the number of attributes that a tag may have, and counts them.
    fn allowed(&mut self, tag: &Tag<'_>) -> usize {
        if !matches!(&*tag.name, "html" | "body") {
            return MAX_ATTRIBUTES;
        }
        let allowed = MAX_ATTRIBUTES.saturating_sub(self.0);
        self.0 += tag.attributes.clone().take(allowed).count();
        allowed
    }
}

/// Returns the page with its long tags shortened; `None` if it has none. `foreign`: whether the content of elements such as `title` is
/// markup, as it is to parsers inside of SVG and `select`.
fn without_long_tags(html: &str, foreign: bool, merged: &mut Merged) -> Option<String> {
    let mut out = String::new();
    let mut tokens = Tokens::new(html);
    tokens.foreign = foreign;
    let mut copied = 0;
    while let Some(token) = tokens.next() {
        let (length, replacement) = match &token {
            Token::Start(tag) => {
                let allowed = merged.allowed(tag);
                let many = tag.length > allowed && tag.attributes.clone().nth(allowed).is_some();
                (tag.length, (many || tag.length > MAX_TAG).then(|| shortened(tag, allowed)))
            }
            Token::Raw { text, .. } if text.contains('<') => (text.len(), without_long_tags(text, true, merged)),
            _ => continue,
        };
        if let Some(replacement) = replacement {
            out.push_str(&html[copied..tokens.position() - length]);
            out.push_str(&replacement);
            copied = tokens.position();
        }
    }
    (copied > 0).then(|| out + &html[copied..])
}

fn shortened(tag: &Tag<'_>, attributes: usize) -> String {
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_:".contains(&b));
    let mut out = AttributeWriter(String::from("<"));
    // Another name would not be that of a known element.
    out.0.push_str(Some(&*tag.name).filter(|name| name.len() < 100 && is_name(name)).unwrap_or("span"));
    for (name, value) in tag.attributes.clone().take(attributes).filter(|(name, _)| name.len() < 100 && is_name(name)) {
        out.set(&name, &value);
    }
    out.0 + if tag.self_closing { "/>" } else { ">" }
}

fn shallow(html: &str) -> Cow<'_, str> {
    if deepest(html) <= MAX_DEPTH {
        return Cow::Borrowed(html);
    }
    let mut out = String::with_capacity(html.len());
    let mut tokens = Tokens::new(html);
    let (mut open, mut from) = (Open::default(), 0);
    while let Some(token) = tokens.next() {
        let source = &html[from..tokens.position()];
        from = tokens.position();
        if open.count(&token) <= MAX_DEPTH {
            out.push_str(source);
        }
    }
    Cow::Owned(out)
}

fn deepest(html: &str) -> usize {
    let mut open = Open::default();
    Tokens::new(html).map(|token| open.count(&token)).max().unwrap_or(0)
}

/// The number of open elements.
#[derive(Default)]
struct Open {
    depth: usize,
    by_name: HashMap<String, usize>,
}

impl Open {
    /// Counts a tag, and returns the depth of its element; 0 for everything else. An end tag of an element that is not open counts nothing:
    /// parsers ignore it, so open elements stay open.
    fn count(&mut self, token: &Token<'_>) -> usize {
        match token {
            Token::Start(tag) if nests(&tag.name) => {
                match self.by_name.get_mut(&*tag.name) {
                    Some(count) => *count += 1,
                    None => _ = self.by_name.insert(tag.name.to_string(), 1),
                }
                self.depth += 1;
                self.depth
            }
            Token::End(name) => match self.by_name.get_mut(&**name) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    self.depth -= 1;
                    self.depth + 1
                }
                _ => 0,
            },
            _ => 0,
        }
    }
}

/// Whether an element stays open until its end tag. Paragraphs, list items and cells end with the next one.
#[rustfmt::skip]
fn nests(name: &str) -> bool {
    !is_void(name) && !matches!(
        name,
        "p" | "li" | "dt" | "dd" | "td" | "th" | "tr" | "tbody" | "thead" | "tfoot" | "option" | "optgroup" | "rt" | "rp" | "colgroup"
            | "caption" | "html" | "head" | "body"
            // They contain no elements.
            | "script" | "style" | "title" | "textarea"
            // Shapes of SVG close themselves.
            | "path" | "circle" | "rect" | "line" | "polygon" | "polyline" | "ellipse" | "use" | "stop"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortens_tags_with_too_many_attributes() {
        for kept in ["<p a b=c>d</p>".to_owned(), format!("<img src='{}'>", "a".repeat(4000))] {
            assert!(matches!(limited(&kept), Cow::Borrowed(_)));
        }
        let many: String = (0..1000).map(|n| format!(" a{n}=\"<\"")).collect();
        for (page, before, after) in [
            (format!("x<!-- y --><p class=z{many}>text"), "x<!-- y --><p class=\"z\" a0=\"", ">text"),
            (format!("<svg><title><p{many}></title>b"), "<svg><title><p a0=\"", "></title>b"),
            (format!("<select><style><p{many}/></style>"), "<select><style><p a0=\"", "/></style>"),
        ] {
            let limited = limited(&page);
            assert!(limited.starts_with(before) && limited.ends_with(after), "{}", &limited[..80]);
            assert!(limited.matches('=').count() <= MAX_ATTRIBUTES && limited.len() < 4000, "{page}");
        }
        // A value that another parser, which ends the tag before it, would read as a tag.
        let value = format!("<![CDATA[<a title='> <p{many}'>b");
        assert!(!limited(&value).contains("<p"));
    }

    #[test]
    fn limits_the_attributes_that_are_merged_into_one_element() {
        for (start, end) in [("", ""), ("<svg><title>", "</title></svg>"), ("<html b=c>", "")] {
            let page: String = (0..1000).map(|n| format!("{start}<body a{n}=b>{end}")).collect();
            let limited = limited(&page);
            assert_eq!(limited.matches('=').count(), MAX_ATTRIBUTES, "{start}");
            assert_eq!(limited.matches("<body").count(), 1000);
        }
    }

    #[test]
    fn removes_only_the_deepest_tags() {
        assert!(matches!(shallow("<div><p>a</div>"), Cow::Borrowed(_)));
        let deep = format!("{}a<!-- c -->{}b", "<div>".repeat(1000), "</div>".repeat(1000));
        let shallow = shallow(&deep);
        assert_eq!((shallow.matches("<div>").count(), shallow.matches("</div>").count()), (MAX_DEPTH, MAX_DEPTH));
    }

    #[test]
    fn other_end_tags_do_not_hide_the_depth() {
        for piece in ["<section></b>", "<b><section></b>"] {
            let deep = piece.repeat(1000);
            assert!(shallow(&deep).matches("<section>").count() <= MAX_DEPTH, "{piece}");
        }
    }
}
