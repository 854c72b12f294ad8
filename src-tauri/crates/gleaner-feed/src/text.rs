//! Titles and other plain text: markup removed, entities decoded, white space collapsed, so that each ends as what its
//! author meant, whether it was written as text or as HTML, encoded once or twice.

use xml5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// The characters of a character reference at the start of `text` (which begins with `&`) and its length in bytes.
/// Only whole references with their semicolon count: `&copy=2` is part of an address.
pub(crate) fn reference(text: &str) -> Option<(Decoded, usize)> {
    let rest = text.get(1..)?;
    let end = rest.as_bytes().iter().take(40).position(|b| !b.is_ascii_alphanumeric() && *b != b'#')?;
    if rest.as_bytes().get(end) != Some(&b';') {
        return None;
    }
    let name = rest.get(..end)?;
    let length = end + 2;
    if let Some(number) = name.strip_prefix('#') {
        let value = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return Some((Decoded { first: numbered(value), second: None }, length));
    }
    let (first, second) = *NAMED_ENTITIES.get(rest.get(..=end)?)?;
    let first = char::from_u32(first).filter(|c| *c != '\0')?;
    Some((Decoded { first, second: char::from_u32(second).filter(|c| *c != '\0') }, length))
}

/// The character of a numeric reference; Windows-1252's where it names a C1 control, as HTML reads it.
pub(crate) fn numbered(value: u32) -> char {
    let c1 = value.checked_sub(0x80).and_then(|i| C1_REPLACEMENTS.get(i as usize)).copied().flatten();
    c1.or_else(|| char::from_u32(value)).filter(|c| *c != '\0').unwrap_or('\u{fffd}')
}

/// What a reference stands for: one or two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) first: char,
    pub(crate) second: Option<char>,
}

impl Decoded {
    pub(crate) fn push_to(self, out: &mut String) {
        out.push(self.first);
        out.extend(self.second);
    }
}

/// Whether an ampersand stands for itself.
pub(crate) fn has_bare_ampersand(text: &str) -> bool {
    text.match_indices('&').any(|(at, _)| reference(text.get(at..).unwrap_or("")).is_none())
}

/// Decodes character references.
pub(crate) fn decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        match reference(from) {
            Some((decoded, length)) => {
                decoded.push_to(&mut out);
                rest = from.get(length..).unwrap_or("");
            }
            None => {
                out.push('&');
                rest = from.get(1..).unwrap_or("");
            }
        }
    }
    out.push_str(rest);
    out
}

/// Runs of white space become one space; both ends are trimmed. A no-break space is white space here, as in a title line.
pub(crate) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c == '\u{feff}' || c.is_control()) {
        if !word.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    out
}

/// Collapsed text, or `None` where nothing is left.
pub(crate) fn line(text: &str) -> Option<String> {
    let text = collapse(text);
    (!text.is_empty()).then_some(text)
}

/// The plain text of HTML as one line.
pub(crate) fn line_of_html(html: &str) -> Option<String> {
    line(&strip(html, false))
}

/// The plain text of a person's name, in which `<ann@example.com>` is an address and no tag.
pub(crate) fn line_keeping_addresses(html: &str) -> Option<String> {
    // strip() keeps what bears no HTML name, and so an address; `a@b` begins with one.
    line(&if html.contains('@') { decode(html) } else { strip(html, false) })
}

/// The first line of the text of HTML, at most `most` characters, cut at a word.
pub(crate) fn first_line_of_html(html: &str, most: usize) -> Option<String> {
    // The head of a long article says what its first line is, and a long one may be ten megabytes.
    let head = html.get(..(0..=html.len().min(16_384)).rev().find(|at| html.is_char_boundary(*at))?)?;
    let text = strip(head, true);
    let first = text.split(['\n', '\r']).find_map(line).or_else(|| line(&text))?;
    Some(shorten(&first, most))
}

/// Cuts a line at a word so that it has at most `most` characters, and says so with an ellipsis.
fn shorten(text: &str, most: usize) -> String {
    let Some((cut, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let head = text.get(..cut).unwrap_or(text);
    let word = head.rfind(' ').filter(|at| *at > cut / 2).unwrap_or(cut);
    format!("{}…", head.get(..word).unwrap_or(head).trim_end_matches([' ', ',', ';', ':', '-']))
}

/// Removes markup and decodes references. What looks like a tag but bears no HTML name is text: `Vec<String>` stays.
fn strip(html: &str, lines: bool) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    // Behind the last `>` no tag can end: looking for one from each `<` would be quadratic.
    let last_end = html.rfind('>').map_or(usize::MAX, |at| html.len() - at);
    while let Some(at) = rest.find(['<', '&']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        if from.starts_with('&') {
            match reference(from) {
                Some((decoded, length)) => {
                    decoded.push_to(&mut out);
                    rest = from.get(length..).unwrap_or("");
                }
                None => {
                    out.push('&');
                    rest = from.get(1..).unwrap_or("");
                }
            }
            continue;
        }
        let tag = if from.len() >= last_end || from.starts_with("<!--") { markup(from) } else { None };
        match tag {
            Some(Markup { length, name }) => {
                rest = from.get(length..).unwrap_or("");
                if lines && is_block(&name) {
                    out.push('\n');
                } else if is_block(&name) {
                    out.push(' ');
                }
                if matches!(name.as_str(), "script" | "style") {
                    let end = find_ignoring_case(rest, &format!("</{name}"));
                    rest = end.and_then(|end| rest.get(end..)).unwrap_or("");
                }
            }
            None => {
                out.push('<');
                rest = from.get(1..).unwrap_or("");
            }
        }
    }
    out.push_str(rest);
    out
}

/// A tag, comment or the like at the start of a text.
struct Markup {
    length: usize,
    /// Lower-cased; with a leading `/` for end tags, empty for comments.
    name: String,
}

fn markup(from: &str) -> Option<Markup> {
    if let Some(comment) = from.strip_prefix("<!--") {
        let length = comment.find("-->").map_or(from.len(), |end| end + 7);
        return Some(Markup { length, name: String::new() });
    }
    if from.starts_with("<!") || from.starts_with("<?") {
        return Some(Markup { length: from.find('>')? + 1, name: String::new() });
    }
    let inside = from.get(1..)?;
    let closing = inside.starts_with('/');
    let start = inside.strip_prefix('/').unwrap_or(inside);
    let end = start.find(|c: char| !c.is_ascii_alphanumeric() && c != ':' && c != '-').unwrap_or(start.len());
    let name = start.get(..end)?.to_ascii_lowercase();
    let after = start.get(end..)?;
    if !is_html_name(&name) || !after.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/') {
        return None;
    }
    let mut quote = None;
    let tag_end = after.char_indices().find_map(|(at, c)| match (quote, c) {
        (None, '>') => Some(at),
        (None, '"' | '\'') => {
            quote = Some(c);
            None
        }
        (Some(q), c) if q == c => {
            quote = None;
            None
        }
        _ => None,
    });
    // An apostrophe in broken markup must not swallow the title.
    let tag_end = tag_end.or_else(|| after.find('>'))?;
    let length = from.len() - after.len() + tag_end + 1;
    let name = if closing { format!("/{name}") } else { name };
    Some(Markup { length, name })
}

fn find_ignoring_case(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes().windows(needle.len()).position(|w| w.eq_ignore_ascii_case(needle.as_bytes()))
}

/// Elements that begin a new line.
fn is_block(name: &str) -> bool {
    matches!(
        name.strip_prefix('/').unwrap_or(name),
        "p" | "div"
            | "br"
            | "hr"
            | "li"
            | "ul"
            | "ol"
            | "dl"
            | "dt"
            | "dd"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "tr"
            | "table"
            | "blockquote"
            | "pre"
            | "section"
            | "article"
            | "header"
            | "footer"
            | "figure"
            | "figcaption"
            | "aside"
            | "main"
            | "nav"
            | "address"
            | "center"
            | "form"
            | "fieldset"
            | "body"
            | "title"
    )
}

/// Whether HTML, of any age, has an element of this name.
pub(crate) fn is_html_name(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr"
            | "acronym"
            | "address"
            | "applet"
            | "area"
            | "article"
            | "aside"
            | "audio"
            | "b"
            | "base"
            | "basefont"
            | "bdi"
            | "bdo"
            | "big"
            | "blink"
            | "blockquote"
            | "body"
            | "br"
            | "button"
            | "canvas"
            | "caption"
            | "center"
            | "cite"
            | "code"
            | "col"
            | "colgroup"
            | "data"
            | "dd"
            | "del"
            | "details"
            | "dfn"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "em"
            | "embed"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "font"
            | "footer"
            | "form"
            | "frame"
            | "frameset"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "head"
            | "header"
            | "hr"
            | "html"
            | "i"
            | "iframe"
            | "img"
            | "input"
            | "ins"
            | "kbd"
            | "label"
            | "legend"
            | "li"
            | "link"
            | "main"
            | "map"
            | "mark"
            | "marquee"
            | "math"
            | "menu"
            | "meta"
            | "meter"
            | "nav"
            | "nobr"
            | "noscript"
            | "object"
            | "ol"
            | "optgroup"
            | "option"
            | "output"
            | "p"
            | "param"
            | "picture"
            | "pre"
            | "progress"
            | "q"
            | "rp"
            | "rt"
            | "ruby"
            | "s"
            | "samp"
            | "script"
            | "section"
            | "select"
            | "small"
            | "source"
            | "span"
            | "strike"
            | "strong"
            | "style"
            | "sub"
            | "summary"
            | "sup"
            | "svg"
            | "table"
            | "tbody"
            | "td"
            | "template"
            | "textarea"
            | "tfoot"
            | "th"
            | "thead"
            | "time"
            | "title"
            | "tr"
            | "track"
            | "tt"
            | "u"
            | "ul"
            | "var"
            | "video"
            | "wbr"
    )
}

/// Whether plain-looking text is HTML: it holds a tag with an HTML name, or a reference.
pub(crate) fn looks_like_html(text: &str) -> bool {
    let mut rest = text;
    let last_end = text.rfind('>').map_or(usize::MAX, |at| text.len() - at);
    while let Some(at) = rest.find(['<', '&']) {
        let from = rest.get(at..).unwrap_or("");
        let found = if from.starts_with('<') {
            from.len() >= last_end && markup(from).is_some()
        } else {
            reference(from).is_some()
        };
        if found {
            return true;
        }
        rest = from.get(1..).unwrap_or("");
    }
    false
}

/// Whether text is markup beyond doubt: it closes an element, or has one that is never closed. `<blink>` alone is talk of it.
pub(crate) fn looks_like_markup(text: &str) -> bool {
    // Behind the last `>` no tag can end.
    let mut rest = text.rfind('>').and_then(|end| text.get(..=end)).unwrap_or("");
    while let Some(at) = rest.find('<') {
        let from = rest.get(at..).unwrap_or("");
        let mut length = 1;
        if let Some(found) = markup(from) {
            if found.name.starts_with('/') || matches!(found.name.as_str(), "p" | "br" | "hr" | "img") {
                return true;
            }
            length = found.length;
        }
        rest = from.get(length..).unwrap_or("");
    }
    false
}

/// Plain text written as HTML: escaped, line breaks kept.
pub(crate) fn to_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    crate::tree::escape(text.trim(), false, &mut out);
    if out.contains('\n') {
        out = out.replace("\r\n", "\n").replace("\n\n", "<br><br>").replace('\n', "<br>\n");
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn titles_end_as_their_authors_meant() {
        for (html, plain) in [
            ("Plain text with <b>bold</b>", "Plain text with bold"),
            ("A & B, 1 < 2", "A & B, 1 < 2"),
            ("A &amp; B, 1 &lt; 2", "A & B, 1 < 2"),
            ("Vec<String> or not", "Vec<String> or not"),
            ("a<br>b", "a b"),
            ("x <!-- y --> z", "x z"),
            ("  two\n lines ", "two lines"),
            ("?a=1&copy=2", "?a=1&copy=2"),
        ] {
            assert_eq!(line_of_html(html).unwrap(), plain);
        }
        assert_eq!(line_of_html(" <p></p> "), None);
    }

    #[test]
    fn the_first_line_is_that_of_the_first_block() {
        assert_eq!(first_line_of_html("<p>One <b>two</b></p><p>Three</p>", 100).unwrap(), "One two");
        assert_eq!(first_line_of_html("aaaa bbbb cccc", 9).unwrap(), "aaaa bbbb…");
    }

    #[test]
    fn references_need_their_semicolon() {
        assert_eq!(reference("&eacute;x").map(|(d, n)| (d.first, n)), Some(('é', 8)));
        assert_eq!(reference("&#150;").map(|(d, _)| d.first), Some('–'));
        assert_eq!(reference("&copy=1;"), None);
        assert_eq!(reference("&#xD800;").map(|(d, _)| d.first), Some('\u{fffd}'));
    }
}
