//! HTML as a sequence of tokens (HTML standard, § 13.2.5), borrowed from the source.
//!
//! The time is linear in the length of the source for every document, since untrusted documents may be made to be slow. A browser, which
//! knows the tree, reads raw text inside SVG differently; here the caller has to set [`Tokens::foreign`].

use memchr::{memchr, memchr2, memmem};
use std::borrow::Cow;

/// A token.
#[derive(Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A start tag; its name is in lower case.
    Start(Tag<'a>),
    /// An end tag; its name is in lower case.
    End(Cow<'a, str>),
    /// Text in which character references are not decoded.
    Text(&'a str),
    /// The content of an element that contains no markup, such as `script`. It follows the element's start tag.
    Raw {
        /// The name of the element.
        of: &'static str,
        /// The content. Browsers decode character references only in `textarea` and `title`.
        text: &'a str,
    },
}

/// A start tag.
#[derive(Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name in lower case.
    pub name: Cow<'a, str>,
    /// The attributes.
    pub attributes: Attributes<'a>,
    /// Whether the tag ends with `/>`.
    pub self_closing: bool,
    /// Length of the tag in the source, in bytes.
    pub length: usize,
}

/// Tracks which tokens are in the head of a page. Some feeds publish whole pages as articles.
#[derive(Debug, Default)]
pub struct Head {
    is_open: bool,
}

impl Head {
    /// Handles a token of `tokens`, the next one. Returns whether it is the text of the page's title, which browsers do not display.
    pub fn is_title(&mut self, token: &Token<'_>, tokens: &Tokens<'_>) -> bool {
        match token {
            Token::Start(tag) if matches!(&*tag.name, "html" | "head") => self.is_open = true,
            Token::Start(tag) if tag.name == "body" => self.is_open = false,
            Token::End(name) if name == "head" => self.is_open = false,
            Token::Text(text) if !text.trim_ascii().is_empty() => self.is_open = false,
            // A title without an end tag would contain the article.
            Token::Raw { of: "title", .. } => return self.is_open && !tokens.is_at_end(),
            _ => {}
        }
        false
    }
}

/// The elements whose content is text to the tokenizer.
const RAW_TEXT: [&str; 9] =
    ["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext", "textarea", "title"];

/// The tokens of a document or fragment.
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    source: &'a str,
    at: usize,
    raw: Option<&'static str>,
    /// Whether the position is inside a CDATA section.
    cdata: bool,
    xhtml: bool,
    /// Set by the caller while inside SVG or MathML, where the content of every element is markup.
    pub foreign: bool,
}

impl<'a> Tokens<'a> {
    /// Creates a tokenizer for HTML.
    #[must_use]
    pub fn new(source: &'a str) -> Self {
        Self { source, at: 0, raw: None, cdata: false, xhtml: false, foreign: false }
    }

    /// Creates a tokenizer for XHTML, in which `<script/>` has no content.
    #[must_use]
    pub fn xhtml(source: &'a str) -> Self {
        Self { xhtml: true, ..Self::new(source) }
    }

    /// Returns the position in the source after the last token, in bytes.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether all of the source was read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.source.len()
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    /// Returns the text up to the end tag of `of`, which is the next token.
    fn raw_text(&mut self, of: &'static str) -> Token<'a> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let mut end = bytes.len();
        let mut from = 0;
        while of != "plaintext"
            && let Some(found) = memmem::find(&bytes[from..], b"</")
        {
            let name = from + found + 2;
            let after = name + of.len();
            let named = bytes.get(name..after).is_some_and(|n| n.eq_ignore_ascii_case(of.as_bytes()));
            if named && bytes.get(after).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>')) {
                end = from + found;
                break;
            }
            from = name;
        }
        self.at += end;
        Token::Raw { of, text: &rest[..end] }
    }

    /// Skips the comment, declaration or processing instruction at the current position.
    fn skip_comment(&mut self) {
        let rest = self.rest();
        // HTML treats CDATA as a comment, but authors of feeds mean its content to be read.
        if rest.starts_with("<![CDATA[") {
            self.at += "<![CDATA[".len();
            self.cdata = true;
            return;
        }
        let length = if let Some(body) = rest.strip_prefix("<!--") {
            if body.starts_with('>') {
                5
            } else if body.starts_with("->") {
                6
            } else {
                comment_length(body.as_bytes()).map_or(rest.len(), |length| 4 + length)
            }
        } else {
            memchr(b'>', rest.as_bytes()).map_or(rest.len(), |i| i + 1)
        };
        self.at += length;
    }

    fn end_tag(&mut self) -> Option<Token<'a>> {
        let rest = &self.rest()[2..];
        let name = tag_name(rest);
        let length = tag_length(&rest[name.len()..])?;
        self.at += 2 + name.len() + length;
        Some(Token::End(lower(name)))
    }

    fn start_tag(&mut self) -> Option<Token<'a>> {
        let rest = &self.rest()[1..];
        let name = tag_name(rest);
        let rest = &rest[name.len()..];
        let length = tag_length(rest)?;
        self.at += 1 + name.len() + length;
        let inside = &rest[..length - 1];
        let length = 1 + name.len() + length;
        let name = lower(name);
        let self_closing = inside.ends_with('/');
        if !(self.foreign || (self.xhtml && self_closing)) {
            self.raw = RAW_TEXT.into_iter().find(|raw| **raw == *name);
        }
        Some(Token::Start(Tag { name, attributes: Attributes { rest: inside }, self_closing, length }))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if let Some(of) = self.raw.take() {
            let token = self.raw_text(of);
            if !matches!(token, Token::Raw { text: "", .. }) {
                return Some(token);
            }
        }
        loop {
            let rest = self.rest();
            let bytes = rest.as_bytes();
            if bytes.is_empty() {
                return None;
            }
            let markup = next_markup(bytes, self.cdata);
            if markup > 0 {
                self.at += markup;
                return Some(Token::Text(&rest[..markup]));
            }
            let token = match (bytes[0], bytes.get(1), bytes.get(2)) {
                (b'<', Some(b'/'), Some(b'>')) => {
                    self.at += 3;
                    continue;
                }
                (b'<', Some(b'/'), Some(c)) if c.is_ascii_alphabetic() => self.end_tag(),
                (b'<', Some(b'!' | b'?' | b'/'), _) => {
                    self.skip_comment();
                    continue;
                }
                (b']', _, _) => {
                    self.at += 3;
                    self.cdata = false;
                    continue;
                }
                _ => self.start_tag(),
            };
            if token.is_none() {
                // A document that ends inside a tag: the standard drops the tag.
                self.at = self.source.len();
            }
            return token;
        }
    }
}

/// Returns the length of a comment after its `<!--`, including its end `-->` or `--!>`.
///
/// Searches for both ends at once: a separate search would scan the rest of the document for the one that is missing.
fn comment_length(body: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let after = from + memmem::find(&body[from..], b"--")? + 2;
        match (body.get(after), body.get(after + 1)) {
            (Some(b'>'), _) => return Some(after + 1),
            (Some(b'!'), Some(b'>')) => return Some(after + 2),
            // The second dash may be the first one of the end.
            _ => from = after - 1,
        }
    }
}

/// Returns the position of the next tag or comment, or the length if there is none.
fn next_markup(bytes: &[u8], cdata: bool) -> usize {
    let mut from = 0;
    while let Some(found) = memchr2(b'<', b']', &bytes[from..]) {
        let at = from + found;
        let opens = match (bytes[at], bytes.get(at + 1), bytes.get(at + 2)) {
            (b'<', Some(b'/'), Some(_)) => true,
            (b'<', Some(c), _) => c.is_ascii_alphabetic() || matches!(c, b'!' | b'?'),
            // The end of a CDATA section is skipped like its start.
            (b']', Some(b']'), Some(b'>')) => cdata,
            _ => false,
        };
        if opens {
            return at;
        }
        from = at + 1;
    }
    bytes.len()
}

fn tag_name(rest: &str) -> &str {
    let end = rest.bytes().position(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>')).unwrap_or(rest.len());
    &rest[..end]
}

/// Returns the length of the rest of a tag after its name, including the closing `>`.
fn tag_length(rest: &str) -> Option<usize> {
    let mut attributes = Attributes { rest };
    while attributes.next_raw().is_some() {}
    attributes.rest.starts_with('>').then(|| rest.len() - attributes.rest.len() + 1)
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|b| b.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// The attributes of a tag in source order: names in lower case, values decoded. If a name is repeated, its first value
/// counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Attributes<'a> {
    /// Returns the value of an attribute; empty if it has none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        self.clone().find(|(given, _)| given == name).map(|(_, value)| value)
    }

    fn next_raw(&mut self) -> Option<(&'a str, &'a str)> {
        let bytes = self.rest.as_bytes();
        let skip = |mut i: usize, slash: bool| {
            while i < bytes.len() && (bytes[i].is_ascii_whitespace() || slash && bytes[i] == b'/') {
                i += 1;
            }
            i
        };
        let name = skip(0, true);
        if name >= bytes.len() || bytes[name] == b'>' {
            self.rest = &self.rest[name..];
            return None;
        }
        let mut end = name + 1;
        while end < bytes.len() && !bytes[end].is_ascii_whitespace() && !matches!(bytes[end], b'/' | b'>' | b'=') {
            end += 1;
        }
        // The first character of the name may have several bytes.
        while !self.rest.is_char_boundary(end) {
            end += 1;
        }
        let equals = skip(end, false);
        if bytes.get(equals) != Some(&b'=') {
            let found = &self.rest[name..end];
            self.rest = &self.rest[end..];
            return Some((found, ""));
        }
        let value = skip(equals + 1, false);
        let (from, to, next) = match bytes.get(value) {
            Some(&quote @ (b'"' | b'\'')) => {
                let Some(length) = memchr(quote, &bytes[value + 1..]) else {
                    // The document ends inside the value.
                    self.rest = "";
                    return None;
                };
                (value + 1, value + 1 + length, value + 2 + length)
            }
            _ => {
                let mut to = value;
                while to < bytes.len() && !bytes[to].is_ascii_whitespace() && bytes[to] != b'>' {
                    to += 1;
                }
                (value, to, to)
            }
        };
        let found = (&self.rest[name..end], &self.rest[from..to]);
        self.rest = &self.rest[next..];
        Some(found)
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (Cow<'a, str>, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.next_raw()?;
        Some((lower(name), crate::references::decode_attribute(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(tokens: Tokens<'_>) -> String {
        let mut out = String::new();
        for token in tokens {
            match token {
                Token::Start(tag) => {
                    out += &format!("<{}", tag.name);
                    for (name, value) in tag.attributes {
                        out += &format!(" {name}={value}|");
                    }
                    out += if tag.self_closing { "/>" } else { ">" };
                }
                Token::End(name) => out += &format!("</{name}>"),
                Token::Text(text) => out += &format!("[{text}]"),
                Token::Raw { of, text } => out += &format!("{{{of}:{text}}}"),
            }
        }
        out
    }

    fn html(source: &str) -> String {
        written(Tokens::new(source))
    }

    #[test]
    fn reads_attributes_in_every_quoting() {
        assert_eq!(html("<A HREF=x/y a='1>2' b=\"3\" c d = 4 =e=5>t"), "<a href=x/y| a=1>2| b=3| c=| d=4| =e=5|>[t]");
        assert_eq!(html("<br/><img/src=x>"), "<br/><img src=x|>");
        assert_eq!(html("<a é=ü ñ>"), "<a é=ü| ñ=|>");
        assert_eq!(html("<a b=&lt;&amp;c d='&copy=1'>"), "<a b=<&c| d=&copy=1|>");
    }

    #[test]
    fn skips_comments_and_declarations() {
        assert_eq!(
            html("a<!-- <b> -->b<!-->c<!--->d<!doctype x>e<?pi ?>f</ x>g</>h<!--x--!>i"),
            "[a][b][c][d][e][f][g][h][i]"
        );
        assert_eq!(html("a<!-- never closed <b>"), "[a]");
    }

    #[test]
    fn reads_the_content_of_cdata() {
        assert_eq!(html("<![CDATA[a <b>c</b>]]>d]]>"), "[a ]<b>[c]</b>[d]]>]");
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        assert_eq!(html("<script>a</b></scriptx></SCRIPT >c"), "<script>{script:a</b></scriptx>}</script>[c]");
        assert_eq!(html("<iframe></iframe>c"), "<iframe></iframe>[c]");
        assert_eq!(html("<style>p{}"), "<style>{style:p{}}");
    }

    #[test]
    fn a_self_closing_script_has_no_content_in_xhtml_only() {
        assert_eq!(html("<script/><a>"), "<script/>{script:<a>}");
        assert_eq!(written(Tokens::xhtml("<script/><a>")), "<script/><a>");
    }

    #[test]
    fn finds_the_first_attribute_of_a_name() {
        let Some(Token::Start(tag)) = Tokens::new("<a B=1 b=2 c>").next() else { panic!("no tag") };
        assert_eq!((tag.attributes.get("b").as_deref(), tag.attributes.get("c").as_deref()), (Some("1"), Some("")));
        assert_eq!(tag.attributes.get("d"), None);
    }

    #[test]
    fn a_less_than_sign_that_opens_no_tag_is_text() {
        assert_eq!(html("1 < 2 <3 a<"), "[1 < 2 <3 a<]");
        assert_eq!(html("a<b c"), "[a]");
        assert_eq!(html("a<b c='"), "[a]");
    }
}
