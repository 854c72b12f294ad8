//! Limits how deep the elements of a web page are nested, and how many attributes they have.

use crate::attributes::AttributeWriter;
use gleaner_html::{
    elements::is_void,
    tokens::{Tag, Token, Tokens},
};
use std::borrow::Cow;

/// Maximum depth of elements; the deepest real pages have some tens.
const DEPTH: usize = 300;
/// Maximum number of attributes of an element; further ones are removed.
const ATTRIBUTES: usize = 100;
/// Maximum length of a tag in bytes that is kept as written. A longer one may be several to other parsers, which end it earlier.
const TAG: usize = 4 << 10;

/// Removes the tags of the deepest elements, and what is too much in a tag: parsers take quadratic time for both.
pub(super) fn limited(html: &str) -> Cow<'_, str> {
    let html = match has_long_tags(html, false) {
        true => Cow::Owned(without_long_tags(html, false)),
        false => Cow::Borrowed(html),
    };
    match html {
        Cow::Borrowed(html) => shallow(html),
        Cow::Owned(html) => Cow::Owned(shallow(&html).into_owned()),
    }
}

fn is_long(tag: &Tag<'_>) -> bool {
    tag.length > TAG || tag.length > ATTRIBUTES && tag.attributes.clone().nth(ATTRIBUTES).is_some()
}

/// `foreign`: whether the content of elements such as `title` is markup, as it is to parsers inside of SVG and `select`.
fn tokens(html: &str, foreign: bool) -> Tokens<'_> {
    let mut tokens = Tokens::new(html);
    tokens.foreign = foreign;
    tokens
}

fn has_long_tags(html: &str, foreign: bool) -> bool {
    tokens(html, foreign).any(|token| match token {
        Token::Start(tag) => is_long(&tag),
        Token::Raw { text, .. } => text.len() > ATTRIBUTES && has_long_tags(text, true),
        _ => false,
    })
}

fn without_long_tags(html: &str, foreign: bool) -> String {
    let mut out = String::with_capacity(html.len());
    let mut tokens = tokens(html, foreign);
    let mut copied = 0;
    while let Some(token) = tokens.next() {
        let (start, replacement) = match &token {
            Token::Start(tag) if is_long(tag) => (tokens.position() - tag.length, shortened(tag)),
            Token::Raw { text, .. } if has_long_tags(text, true) => {
                (tokens.position() - text.len(), without_long_tags(text, true))
            }
            _ => continue,
        };
        out.push_str(&html[copied..start]);
        out.push_str(&replacement);
        copied = tokens.position();
    }
    out + &html[copied..]
}

fn shortened(tag: &Tag<'_>) -> String {
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_:".contains(&b));
    let mut out = AttributeWriter(String::from("<"));
    // Another name would not be that of a known element.
    out.0.push_str(Some(&*tag.name).filter(|name| name.len() < 100 && is_name(name)).unwrap_or("span"));
    for (name, value) in tag.attributes.clone().take(ATTRIBUTES).filter(|(name, _)| name.len() < 100 && is_name(name)) {
        out.set(&name, &value);
    }
    out.0 + if tag.self_closing { "/>" } else { ">" }
}

fn shallow(html: &str) -> Cow<'_, str> {
    if deepest(html) <= DEPTH {
        return Cow::Borrowed(html);
    }
    let mut out = String::with_capacity(html.len());
    let mut tokens = Tokens::new(html);
    let (mut depth, mut from) = (0_usize, 0);
    while let Some(token) = tokens.next() {
        let source = &html[from..tokens.position()];
        from = tokens.position();
        let keep = match &token {
            Token::Start(tag) if nests(&tag.name) => {
                depth += 1;
                depth <= DEPTH
            }
            Token::End(name) if nests(name) => {
                let keep = depth <= DEPTH;
                depth = depth.saturating_sub(1);
                keep
            }
            _ => true,
        };
        if keep {
            out.push_str(source);
        }
    }
    Cow::Owned(out)
}

fn deepest(html: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if nests(&tag.name) => depth += 1,
            Token::End(name) if nests(&name) => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
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
            assert!(limited.matches('=').count() <= ATTRIBUTES && limited.len() < 4000, "{page}");
        }
        // A value that would be a tag to a parser that ends the tag before it.
        let value = format!("<![CDATA[<a title='> <p{many}'>b");
        assert!(!limited(&value).contains("<p"));
    }

    #[test]
    fn removes_only_the_deepest_tags() {
        assert!(matches!(shallow("<div><p>a</div>"), Cow::Borrowed(_)));
        let deep = format!("{}a<!-- c -->{}b", "<div>".repeat(1000), "</div>".repeat(1000));
        let shallow = shallow(&deep);
        assert_eq!((shallow.matches("<div>").count(), shallow.matches("</div>").count()), (DEPTH, DEPTH));
    }
}
