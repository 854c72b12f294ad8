//! Single tags: finds their end, repairs them, and reads them with `xml5ever`.

use std::{borrow::Cow, cell::RefCell};
use xml5ever::{
    buffer_queue::BufferQueue,
    tendril::StrTendril,
    tokenizer::{ProcessResult, Tag, TagKind as Xml5Kind, Token, TokenSink, XmlTokenizer, XmlTokenizerOpts},
};

/// Maximum number of attributes passed to the tokenizer, which compares each attribute with all previous ones.
const MAX_ATTRIBUTES: usize = crate::builder::MAX_ATTRIBUTES;

/// Length in bytes of the parts of a tag that the tokenizer receives, which it copies.
const LONG: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagKind {
    Start,
    End,
    Empty,
}

/// A parsed tag.
#[derive(Debug)]
pub(super) struct ReadTag {
    pub(super) kind: TagKind,
    pub(super) prefix: String,
    pub(super) name: String,
    /// Prefix, local name and value, in document order.
    pub(super) attributes: Vec<(String, String, String)>,
}

/// A defect of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagDefect {
    Nothing,
    /// The `>`.
    Close,
    /// The quote that ends its last value.
    Quote(char),
    /// Attributes after this byte offset exceed the limit.
    TooMany(usize),
}

/// A quote to repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    /// Offset of a quote within a value, which does not end it.
    Inner(usize),
    /// Offset of the end of a value whose closing quote is missing.
    Missing(usize, char),
}

impl Quote {
    fn offset(self) -> usize {
        match self {
            Quote::Inner(at) | Quote::Missing(at, _) => at,
        }
    }
}

pub(super) enum Scan {
    NotATag,
    Tag { length: usize, defect: TagDefect, quotes: Vec<Quote> },
    Truncated,
}

/// Length of the rest of the document at the last point from which the end of a value was not found. Values that
/// begin before that point end at the next tag, which avoids a search through the document for every tag.
#[derive(Debug)]
pub(super) struct FailedSearch(usize);

impl Default for FailedSearch {
    fn default() -> Self {
        Self(usize::MAX)
    }
}

/// Finds the end of the tag at the start of `rest`, the rest of the document.
pub(super) fn scan(rest: &str, failed_search: &mut FailedSearch) -> Scan {
    let bytes = rest.as_bytes();
    let first = rest.get(1..).and_then(|r| r.strip_prefix('/').or(Some(r))).and_then(|r| r.chars().next());
    match first {
        None => return Scan::Truncated,
        Some(c) if c.is_alphabetic() || c == '_' || c == ':' => {}
        Some('>') if bytes.get(1) == Some(&b'/') => {}
        Some(_) => return Scan::NotATag,
    }
    let mut at = 1;
    let mut attributes = 0;
    let mut after_equals = false;
    let mut too_many = None;
    let mut quotes = Vec::new();
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'>' => {
                return Scan::Tag {
                    length: at + 1,
                    defect: too_many.map_or(TagDefect::Nothing, TagDefect::TooMany),
                    quotes,
                };
            }
            // The previous tag was never closed. (A `<` inside a value is skipped below.)
            b'<' => return Scan::Tag { length: at, defect: TagDefect::Close, quotes },
            b'=' => after_equals = true,
            b'"' | b'\'' if after_equals => match value_end(rest, at, &mut quotes, failed_search) {
                Value::Closed(mut end) => {
                    if let Some(missing) = missing_quote(rest, at, end) {
                        while quotes.pop_if(|quote| quote.offset() >= missing).is_some() {}
                        quotes.push(Quote::Missing(missing, char::from(*byte)));
                        end = missing - 1;
                    }
                    at = end;
                    after_equals = false;
                    attributes += 1;
                    if attributes == MAX_ATTRIBUTES {
                        too_many = Some(at + 1);
                    }
                }
                Value::Unclosed(end) => {
                    return Scan::Tag {
                        length: end + 1,
                        defect: TagDefect::Quote(char::from(*byte)),
                        quotes: Vec::new(),
                    };
                }
                Value::Truncated => return Scan::Truncated,
            },
            b if b.is_ascii_whitespace() => {}
            _ => after_equals = false,
        }
        at += 1;
    }
    Scan::Truncated
}

enum Value {
    /// Offset of the closing quote.
    Closed(usize),
    /// No closing quote before the next tag; offset of this tag's `>`.
    Unclosed(usize),
    Truncated,
}

/// Returns the offset at which the value between two quotes really ends, if the second one begins the value of another
/// attribute: `a="b c="d"`.
fn missing_quote(source: &str, quote_at: usize, end: usize) -> Option<usize> {
    let after = source.as_bytes().get(end + 1)?;
    if after.is_ascii_whitespace() || matches!(after, b'>' | b'/') {
        return None;
    }
    let value = source.get(quote_at + 1..end)?.strip_suffix('=')?;
    let name = value.rfind(|c: char| c.is_ascii_whitespace())? + 1;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let is_attribute = value.get(name..)?.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && value.get(name..)?.chars().all(is_name);
    is_attribute.then_some(quote_at + name)
}

fn value_end(source: &str, quote_at: usize, quotes: &mut Vec<Quote>, failed_search: &mut FailedSearch) -> Value {
    let bytes = source.as_bytes();
    let is_failed = source.len() - quote_at > failed_search.0;
    let quote = bytes.get(quote_at).copied().unwrap_or(b'"');
    let mut tag_end = None;
    // Whether an HTML tag, whose quotes are paired, is open within the value.
    let mut in_markup = false;
    let mut at = quote_at + 1;
    while let Some(found) = memchr::memchr3(quote, b'<', b'>', bytes.get(at..).unwrap_or(&[])) {
        let here = at + found;
        match bytes.get(here) {
            Some(b) if *b == quote => {
                let after_equals = bytes.get(here.wrapping_sub(1)) == Some(&b'=');
                let inner_end = || Some(here + 1 + memchr::memchr(quote, bytes.get(here + 1..)?)?);
                match (in_markup && after_equals).then(inner_end).flatten() {
                    Some(end) => {
                        quotes.extend([Quote::Inner(here), Quote::Inner(end)]);
                        at = end + 1;
                        continue;
                    }
                    None => return Value::Closed(here),
                }
            }
            Some(b'>') => {
                in_markup = false;
                tag_end.get_or_insert(here);
            }
            _ => {
                let next = source.get(here + 1..).unwrap_or("");
                let name = next.strip_prefix('/').unwrap_or(next);
                let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("").to_ascii_lowercase();
                let is_html = crate::text::is_html_name(&name)
                    && !matches!(name.as_str(), "link" | "title" | "source" | "body" | "head");
                // An XML tag after a `>`: the closing quote is missing.
                if let Some(end) = tag_end.filter(|_| !is_html || is_failed) {
                    failed_search.0 = failed_search.0.min(source.len() - here);
                    return Value::Unclosed(end);
                }
                in_markup = is_html;
            }
        }
        at = here + 1;
    }
    failed_search.0 = 0;
    tag_end.map_or(Value::Truncated, Value::Unclosed)
}

/// Returns the source of a tag with repaired ampersands. `reference` reads the text at an ampersand (its offset and
/// the source from there), writes the repaired form and returns the number of bytes read.
pub(super) fn repair<'s>(
    source: &'s str,
    defect: TagDefect,
    quotes: &[Quote],
    mut reference: impl FnMut(usize, &str, &mut String) -> usize,
) -> Cow<'s, str> {
    if defect == TagDefect::Nothing && quotes.is_empty() && memchr::memchr2(b'&', 0, source.as_bytes()).is_none() {
        return Cow::Borrowed(source);
    }
    let empty = source.ends_with("/>");
    let body = match defect {
        TagDefect::Nothing => source,
        TagDefect::Close => source.trim_end(),
        TagDefect::Quote(_) => source.strip_suffix("/>").or_else(|| source.strip_suffix('>')).unwrap_or(source),
        TagDefect::TooMany(cut) => source.get(..cut).unwrap_or(source),
    };
    let mut out = String::with_capacity(source.len() + 16);
    if source.len() >= LONG {
        // Each ampersand may become a reference; otherwise a value of nothing else would be copied as it grows.
        out.reserve(body.len() + 4 * memchr::memchr_iter(b'&', body.as_bytes()).count());
    }
    let mut at = 0;
    let mut quotes = quotes.iter().copied().peekable();
    let next_special =
        |at: usize| memchr::memchr2(b'&', 0, body.as_bytes().get(at..).unwrap_or(&[])).map(|found| at + found);
    let mut special = next_special(0);
    loop {
        if special.is_some_and(|special| special < at) {
            special = next_special(at);
        }
        let quote = quotes.peek().copied().filter(|quote| quote.offset() < body.len());
        let Some(here) = special.into_iter().chain(quote.map(Quote::offset)).min() else { break };
        out.push_str(body.get(at..here).unwrap_or(""));
        let rest = body.get(here..).unwrap_or("");
        at = here
            + if let Some(quote) = quote.filter(|quote| quote.offset() == here) {
                quotes.next();
                match quote {
                    Quote::Inner(_) => out.push_str(if rest.starts_with('"') { "&quot;" } else { "&apos;" }),
                    Quote::Missing(_, quote) => out.push(quote),
                }
                usize::from(matches!(quote, Quote::Inner(_)))
            } else if rest.starts_with('&') {
                reference(here, rest, &mut out).max(1)
            } else {
                1
            };
        while quotes.next_if(|quote| quote.offset() < at).is_some() {}
    }
    out.push_str(body.get(at..).unwrap_or(""));
    let close = if empty { "/>" } else { ">" };
    match defect {
        TagDefect::Nothing => {}
        TagDefect::Close => out.push('>'),
        TagDefect::Quote(quote) => {
            out.push(quote);
            out.push_str(close);
        }
        TagDefect::TooMany(_) => out.push_str(close),
    }
    Cow::Owned(out)
}

/// The part of a tag that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    /// Between a name or value and the next name.
    Space,
    Name,
    /// After a `=`, before the value.
    Equals,
    Unquoted,
    Quoted(u8),
}

/// Returns a tag without its attributes beyond [`MAX_ATTRIBUTES`], with or without quotes and values.
fn with_few_attributes(source: &str) -> Cow<'_, str> {
    if source.len() <= 2 * MAX_ATTRIBUTES {
        return Cow::Borrowed(source);
    }
    let (mut place, mut names) = (In::Name, 0);
    for (at, byte) in source.bytes().enumerate() {
        place = match (place, byte) {
            (In::Quoted(quote), _) if quote == byte => In::Space,
            (In::Quoted(_), _) => place,
            (In::Equals, b'"' | b'\'') => In::Quoted(byte),
            (In::Equals, _) if byte.is_ascii_whitespace() => In::Equals,
            (In::Equals, _) => In::Unquoted,
            (_, _) if byte.is_ascii_whitespace() => In::Space,
            (In::Unquoted, _) => In::Unquoted,
            (_, b'=') => In::Equals,
            (_, b'/') => In::Space,
            (In::Name, _) => In::Name,
            (In::Space, _) => {
                names += 1;
                if names > MAX_ATTRIBUTES
                    && let Some(kept) = source.get(..at)
                {
                    return Cow::Owned(format!("{kept}{}", if source.ends_with("/>") { "/>" } else { ">" }));
                }
                In::Name
            }
        };
    }
    Cow::Borrowed(source)
}

/// Returns a tag with plain spaces between its attributes. A tag that was copied from a page may have other white space.
fn with_plain_spaces(source: &str) -> Cow<'_, str> {
    let is_other_space = |c: char| c.is_whitespace() && !c.is_ascii();
    if !source.contains(is_other_space) {
        return Cow::Borrowed(source);
    }
    let mut quote = None;
    let plain = source.chars().map(|c| {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        if quote.is_none() && is_other_space(c) { ' ' } else { c }
    });
    Cow::Owned(plain.collect())
}

/// Stores the single tag that the tokenizer has read.
#[derive(Default)]
struct OneTag(RefCell<Option<Tag>>);

impl TokenSink for OneTag {
    type Handle = ();

    fn process_token(&self, token: Token) -> ProcessResult<()> {
        if let Token::Tag(tag) = token {
            self.0.borrow_mut().get_or_insert(tag);
        }
        ProcessResult::Continue
    }
}

pub(super) struct TagReader(XmlTokenizer<OneTag>);

impl Default for TagReader {
    fn default() -> Self {
        Self(XmlTokenizer::new(
            OneTag::default(),
            XmlTokenizerOpts { discard_bom: false, ..XmlTokenizerOpts::default() },
        ))
    }
}

impl TagReader {
    /// Reads a complete tag; `None` if the tokenizer does not accept it.
    pub(super) fn read(&mut self, source: &str) -> Option<ReadTag> {
        let source = &*with_plain_spaces(source);
        let tag = &*with_few_attributes(source);
        let input = BufferQueue::default();
        let mut read = 0;
        while let Some(part) = tag.get(read..tag.ceil_char_boundary(read + LONG)).filter(|part| !part.is_empty()) {
            input.push_back(StrTendril::from(part));
            let _ = self.0.feed(&input);
            read += part.len();
        }
        let Some(tag) = self.0.sink.0.borrow_mut().take() else {
            // The tokenizer may wait for more input; restart it, or the next tag would become part of this one.
            *self = Self::default();
            return None;
        };
        // The tokenizer takes a slash in a tag for its end, and the slash at its end for part of an unquoted value.
        // An Atom link is empty.
        let name = tag.name.local.to_ascii_lowercase();
        let is_html = tag.name.prefix.is_none() && crate::text::is_html_name(&name) && &*name != "link";
        let kind = match tag.kind {
            Xml5Kind::EndTag | Xml5Kind::ShortTag => TagKind::End,
            Xml5Kind::StartTag if is_html => TagKind::Start,
            Xml5Kind::StartTag | Xml5Kind::EmptyTag if source.ends_with("/>") => TagKind::Empty,
            Xml5Kind::StartTag | Xml5Kind::EmptyTag => TagKind::Start,
        };
        let attributes = tag.attrs.iter().map(|a| {
            (
                a.name.prefix.as_ref().map(ToString::to_string).unwrap_or_default(),
                a.name.local.to_string(),
                a.value.to_string(),
            )
        });
        let mut attributes: Vec<_> = attributes.collect();
        let is_unquoted = |c: char| !c.is_whitespace() && c != '"' && c != '\'';
        if kind == TagKind::Empty
            && source.strip_suffix("/>").is_some_and(|tag| tag.ends_with(is_unquoted))
            && let Some((_, _, value)) = attributes.last_mut()
            && value.ends_with('/')
        {
            value.pop();
        }
        Some(ReadTag {
            kind,
            prefix: tag.name.prefix.as_ref().map(ToString::to_string).unwrap_or_default(),
            name: tag.name.local.to_string(),
            attributes,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_long_tag_is_read_as_a_short_one() {
        let rest = "é&amp;&#233;\r\n日' c=\"&lt;d>\" e = 'f'/>";
        let plain = |value: &str| value.trim_start_matches('x').to_owned();
        let expected = TagReader::default().read(&format!("<a:b g='{rest}")).unwrap();
        for cut in 0..rest.len() + 4 {
            let source = format!("<a:b g='{}{rest}", "x".repeat(LONG - cut));
            let read = TagReader::default().read(&source).unwrap();
            let attributes: Vec<_> = read
                .attributes
                .iter()
                .map(|(prefix, name, value)| (prefix.clone(), name.clone(), plain(value)))
                .collect();
            assert_eq!((read.kind, &read.prefix, &read.name), (expected.kind, &expected.prefix, &expected.name));
            assert_eq!(attributes, expected.attributes, "{cut}");
        }
    }
}
