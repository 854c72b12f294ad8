//! HTML as a row of tokens, after the tokenisation of the HTML standard (§ 13.2.5), borrowing from the source.
//!
//! Every byte is looked at a bounded number of times, whatever the document does: a sanitiser meets documents that are
//! made to be slow. What the browser's own parser decides by the tree it has built (raw text inside SVG) is left to the
//! reader of the tokens, who says it through [`Tokens::foreign`].

use memchr::{memchr, memchr2, memmem};
use std::borrow::Cow;

/// One token.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A start tag; its name is in lower case.
    Start(Tag<'a>),
    /// An end tag; its name is in lower case.
    End(Cow<'a, str>),
    /// Text with its character references as they stand in the source.
    Text(&'a str),
    /// The content of an element whose content is no markup: the one that the last start tag opened.
    Raw { of: &'static str, text: &'a str },
}

/// A start tag.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) attributes: Attributes<'a>,
    pub(crate) self_closing: bool,
    /// Bytes of the tag in the source.
    pub(crate) length: usize,
}

/// The elements whose content is text to the tokenizer, references decoded in the last two.
const RAW_TEXT: [&str; 9] =
    ["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext", "textarea", "title"];

/// The tokens of a document or fragment.
#[derive(Debug)]
pub(crate) struct Tokens<'a> {
    source: &'a str,
    at: usize,
    raw: Option<&'static str>,
    /// Inside a CDATA section.
    cdata: bool,
    /// Inside SVG or MathML, where every element's content is markup.
    pub(crate) foreign: bool,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        Self { source, at: 0, raw: None, cdata: false, foreign: false }
    }

    /// How much of the source the tokens so far took.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    /// Text up to the end tag of `of`, which itself comes as the next token.
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
            if named && bytes.get(after).is_none_or(|b| is_space(*b) || matches!(b, b'/' | b'>')) {
                end = from + found;
                break;
            }
            from = name;
        }
        self.at += end;
        Token::Raw { of, text: &rest[..end] }
    }

    /// Past a comment, declaration or processing instruction that starts here.
    fn skip_comment(&mut self) {
        let rest = self.rest();
        // CDATA is no comment to a feed's author: its content was meant to be read.
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
        if !self.foreign {
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
                // The document ends inside a tag, which then is none.
                self.at = self.source.len();
            }
            return token;
        }
    }
}

/// The length of a comment behind its start, with its end `-->` or `--!>`. One look through it: looking for each end
/// alone would look through all the rest for the one that does not come.
fn comment_length(body: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let after = from + memmem::find(&body[from..], b"--")? + 2;
        match (body.get(after), body.get(after + 1)) {
            (Some(b'>'), _) => return Some(after + 1),
            (Some(b'!'), Some(b'>')) => return Some(after + 2),
            // The second dash may be the first of the end.
            _ => from = after - 1,
        }
    }
}

/// Where the next tag or comment starts; the length where there is none.
fn next_markup(bytes: &[u8], cdata: bool) -> usize {
    let mut from = 0;
    while let Some(found) = memchr2(b'<', b']', &bytes[from..]) {
        let at = from + found;
        let opens = match (bytes[at], bytes.get(at + 1), bytes.get(at + 2)) {
            (b'<', Some(b'/'), Some(_)) => true,
            (b'<', Some(c), _) => c.is_ascii_alphabetic() || matches!(c, b'!' | b'?'),
            // The end of a CDATA section, whose start is read as nothing too.
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
    let end = rest.bytes().position(|b| is_space(b) || matches!(b, b'/' | b'>')).unwrap_or(rest.len());
    &rest[..end]
}

/// The length of the rest of a tag after its name, the closing `>` included.
fn tag_length(rest: &str) -> Option<usize> {
    let mut attributes = Attributes { rest };
    while attributes.next_raw().is_some() {}
    attributes.rest.starts_with('>').then(|| rest.len() - attributes.rest.len() + 1)
}

pub(crate) fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

/// The last place up to `at` where a text can be cut.
pub(crate) fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|b| b.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// The attributes of a tag in their order, values decoded. A name may come twice; the first counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Attributes<'a> {
    fn next_raw(&mut self) -> Option<(&'a str, &'a str)> {
        let bytes = self.rest.as_bytes();
        let skip = |mut i: usize, slash: bool| {
            while i < bytes.len() && (is_space(bytes[i]) || slash && bytes[i] == b'/') {
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
        while end < bytes.len() && !is_space(bytes[end]) && !matches!(bytes[end], b'/' | b'>' | b'=') {
            end += 1;
        }
        // A name starts on a character: skipped and closing bytes are ASCII.
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
                while to < bytes.len() && !is_space(bytes[to]) && bytes[to] != b'>' {
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
        let value = if value.contains('&') { htmlize::unescape_attribute(value) } else { Cow::Borrowed(value) };
        Some((lower(name), value))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn said(html: &str) -> String {
        let mut out = String::new();
        for token in Tokens::new(html) {
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

    #[test]
    fn attributes_in_every_quoting() {
        assert_eq!(said("<A HREF=x/y a='1>2' b=\"3\" c d = 4 =e=5>t"), "<a href=x/y| a=1>2| b=3| c=| d=4| =e=5|>[t]");
        assert_eq!(said("<br/><img/src=x>"), "<br/><img src=x|>");
        assert_eq!(said("<a é=ü ñ>"), "<a é=ü| ñ=|>");
        assert_eq!(said("<a b=&lt;&amp;c d='&copy=1'>"), "<a b=<&c| d=&copy=1|>");
    }

    #[test]
    fn comments_and_declarations_are_nothing() {
        assert_eq!(
            said("a<!-- <b> -->b<!-->c<!--->d<!doctype x>e<?pi ?>f</ x>g</>h<!--x--!>i"),
            "[a][b][c][d][e][f][g][h][i]"
        );
        assert_eq!(said("a<!-- never closed <b>"), "[a]");
    }

    #[test]
    fn the_content_of_cdata_is_read() {
        assert_eq!(said("<![CDATA[a <b>c</b>]]>d]]>"), "[a ]<b>[c]</b>[d]]>]");
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        assert_eq!(said("<script>a</b></scriptx></SCRIPT >c"), "<script>{script:a</b></scriptx>}</script>[c]");
        assert_eq!(said("<iframe></iframe>c"), "<iframe></iframe>[c]");
        assert_eq!(said("<style>p{}"), "<style>{style:p{}}");
    }

    #[test]
    fn less_than_signs_that_open_nothing_are_text() {
        assert_eq!(said("1 < 2 <3 a<"), "[1 < 2 <3 a<]");
        assert_eq!(said("a<b c"), "[a]");
        assert_eq!(said("a<b c='"), "[a]");
    }
}
