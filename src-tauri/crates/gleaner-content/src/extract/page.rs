//! A web page before it is read: its bytes as text, and nested no deeper than any page means to be.

use crate::tokens::{Token, Tokens};
use encoding_rs::Encoding;
use std::borrow::Cow;

/// Elements inside one another; the deepest pages of the web have some tens.
const DEPTH: usize = 300;

/// Text of a page's bytes, by the encoding that the byte order mark, the HTTP header, the page itself, or else its
/// bytes speak for (HTML standard, § 13.2.3.2).
#[must_use]
pub fn decode_page(bytes: &[u8], content_type: Option<&str>) -> String {
    let encoding = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .or_else(|| charset(content_type?.as_bytes()))
        .or_else(|| {
            let head = &bytes[..bytes.len().min(4096)];
            // A page that can be read as far as its own declaration is no UTF-16.
            charset(head).map(|found| match found.is_ascii_compatible() {
                true => found,
                false => encoding_rs::UTF_8,
            })
        })
        .unwrap_or_else(|| {
            let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
            detector.feed(bytes, true);
            detector.guess(None, chardetng::Utf8Detection::Allow)
        });
    encoding.decode(bytes).0.into_owned()
}

/// The encoding that the first `charset=` names.
fn charset(text: &[u8]) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(&lower[from..], b"charset") {
        from += found + "charset".len();
        let rest = lower[from..].trim_ascii_start();
        let Some(rest) = rest.strip_prefix(b"=") else { continue };
        let rest = rest.trim_ascii_start();
        let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
        let end = rest.iter().position(|b| !(b.is_ascii_alphanumeric() || b"-_:.".contains(b))).unwrap_or(rest.len());
        if let Some(encoding) = Encoding::for_label(&rest[..end]) {
            return Some(encoding);
        }
    }
    None
}

/// The page, its deepest elements without their tags: parsers take quadratic time for depth.
pub(super) fn shallow(html: &str) -> Cow<'_, str> {
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

/// Whether an element stays open until its end tag comes. Paragraphs, list items and cells end with the next.
fn nests(name: &str) -> bool {
    !matches!(
        name,
        "area" | "base" | "basefont" | "bgsound" | "br" | "col" | "embed" | "frame" | "hr" | "img" | "input" | "link" | "meta"
            | "param" | "source" | "track" | "wbr" | "p" | "li" | "dt" | "dd" | "td" | "th" | "tr" | "tbody" | "thead" | "tfoot" | "option"
            | "optgroup" | "rt" | "rp" | "colgroup" | "caption" | "html" | "head" | "body"
            // These are no markup inside, or close to none, and SVG's shapes close themselves.
            | "script" | "style" | "title" | "textarea" | "path" | "circle" | "rect" | "line" | "polygon" | "polyline" | "ellipse" | "use" | "stop"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_decoded_as_they_say() {
        assert_eq!(decode_page(b"<meta charset=windows-1251>\xcf", None), "<meta charset=windows-1251>П");
        assert_eq!(decode_page(b"\xef\xbb\xbf\xc3\xa9", Some("text/html; charset=koi8-r")), "é");
        assert_eq!(decode_page(b"\xe9t\xe9, un caf\xe9", Some("text/html;charset=\"iso-8859-1\"")), "été, un café");
        assert_eq!(decode_page("été".as_bytes(), None), "été");
        assert_eq!(decode_page(b"<meta charset=utf-16>a", None), "<meta charset=utf-16>a");
    }

    #[test]
    fn only_the_deepest_tags_go() {
        assert!(matches!(shallow("<div><p>a</div>"), Cow::Borrowed(_)));
        let deep = format!("{}a<!-- c -->{}b", "<div>".repeat(1000), "</div>".repeat(1000));
        let shallow = shallow(&deep);
        assert_eq!((shallow.matches("<div>").count(), shallow.matches("</div>").count()), (DEPTH, DEPTH));
    }
}
