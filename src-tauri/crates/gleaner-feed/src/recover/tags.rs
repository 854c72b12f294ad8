//! Single tags: where one ends, what has to be mended in it, and `xml5ever`'s reading of it.

use std::{borrow::Cow, cell::RefCell};
use xml5ever::{
    buffer_queue::BufferQueue,
    tendril::StrTendril,
    tokenizer::{ProcessResult, Tag, TagKind as Xml5Kind, Token, TokenSink, XmlTokenizer, XmlTokenizerOpts},
};

/// The tokenizer compares each attribute with those before it; past so many a tag is cut short before it gets there.
const MAX_ATTRIBUTES: usize = crate::builder::MAX_ATTRIBUTES;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagKind {
    Start,
    End,
    Empty,
}

/// A tag as read.
#[derive(Debug)]
pub(super) struct ReadTag {
    pub(super) kind: TagKind,
    pub(super) prefix: String,
    pub(super) name: String,
    /// Prefix, local name and value, in document order.
    pub(super) attributes: Vec<(String, String, String)>,
}

/// What a tag lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mend {
    Nothing,
    /// Its `>`.
    Close,
    /// The quote that ends its last value.
    Quote(char),
    /// All attributes past the byte offset are too many.
    TooMany(usize),
}

pub(super) enum Scan {
    NotATag,
    /// `quotes` are the offsets of quotes inside values, which do not end them.
    Tag {
        length: usize,
        mend: Mend,
        quotes: Vec<usize>,
    },
    CutOff,
}

/// Up to where the end of a value was looked for in vain, as bytes from there to the end of the document. Values that begin
/// before it end where the next tag begins: without this every tag of a long row would be looked through for each of them.
#[derive(Debug)]
pub(super) struct InVain(usize);

impl Default for InVain {
    fn default() -> Self {
        Self(usize::MAX)
    }
}

/// Finds the end of the tag at the start of `rest`, the rest of the document.
pub(super) fn scan(rest: &str, in_vain: &mut InVain) -> Scan {
    let bytes = rest.as_bytes();
    let first = rest.get(1..).and_then(|r| r.strip_prefix('/').or(Some(r))).and_then(|r| r.chars().next());
    match first {
        None => return Scan::CutOff,
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
            b'>' => return Scan::Tag { length: at + 1, mend: too_many.map_or(Mend::Nothing, Mend::TooMany), quotes },
            // The tag before was never closed. (Inside a value a `<` is passed over below.)
            b'<' => return Scan::Tag { length: at, mend: Mend::Close, quotes },
            b'=' => after_equals = true,
            b'"' | b'\'' if after_equals => match value_end(rest, at, &mut quotes, in_vain) {
                Value::Closed(end) => {
                    at = end;
                    after_equals = false;
                    attributes += 1;
                    if attributes == MAX_ATTRIBUTES {
                        too_many = Some(at + 1);
                    }
                }
                Value::Unclosed(end) => {
                    return Scan::Tag { length: end + 1, mend: Mend::Quote(char::from(*byte)), quotes: Vec::new() };
                }
                Value::CutOff => return Scan::CutOff,
            },
            b if b.is_ascii_whitespace() => {}
            _ => after_equals = false,
        }
        at += 1;
    }
    Scan::CutOff
}

enum Value {
    /// At the closing quote.
    Closed(usize),
    /// No closing quote before the next tag; at the `>` of this one.
    Unclosed(usize),
    CutOff,
}

fn value_end(source: &str, quote_at: usize, quotes: &mut Vec<usize>, in_vain: &mut InVain) -> Value {
    let bytes = source.as_bytes();
    let is_in_vain = source.len() - quote_at > in_vain.0;
    let quote = bytes.get(quote_at).copied().unwrap_or(b'"');
    let mut tag_end = None;
    // Whether a tag of HTML is open inside of the value, whose quotes come in pairs.
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
                        quotes.extend([here, end]);
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
                // A tag of XML behind a `>`: the quote was forgotten.
                if let Some(end) = tag_end.filter(|_| !is_html || is_in_vain) {
                    in_vain.0 = in_vain.0.min(source.len() - here);
                    return Value::Unclosed(end);
                }
                in_markup = is_html;
            }
        }
        at = here + 1;
    }
    in_vain.0 = 0;
    tag_end.map_or(Value::CutOff, Value::Unclosed)
}

/// The source of a tag with its ampersands made sound. `reference` reads what stands at an ampersand (its offset, and the
/// source from there), writes a sound form and gives the number of bytes it has read.
pub(super) fn mend<'s>(
    source: &'s str,
    mend: Mend,
    quotes: &[usize],
    mut reference: impl FnMut(usize, &str, &mut String) -> usize,
) -> Cow<'s, str> {
    if mend == Mend::Nothing && quotes.is_empty() && memchr::memchr2(b'&', 0, source.as_bytes()).is_none() {
        return Cow::Borrowed(source);
    }
    let empty = source.ends_with("/>");
    let body = match mend {
        Mend::Nothing => source,
        Mend::Close => source.trim_end(),
        Mend::Quote(_) => source.strip_suffix("/>").or_else(|| source.strip_suffix('>')).unwrap_or(source),
        Mend::TooMany(cut) => source.get(..cut).unwrap_or(source),
    };
    let mut out = String::with_capacity(source.len() + 16);
    let mut at = 0;
    let mut quotes = quotes.iter().copied().peekable();
    let next_special =
        |at: usize| memchr::memchr2(b'&', 0, body.as_bytes().get(at..).unwrap_or(&[])).map(|found| at + found);
    let mut special = next_special(0);
    loop {
        if special.is_some_and(|special| special < at) {
            special = next_special(at);
        }
        let quote = quotes.peek().copied().filter(|q| *q < body.len());
        let Some(here) = special.into_iter().chain(quote).min() else { break };
        out.push_str(body.get(at..here).unwrap_or(""));
        let rest = body.get(here..).unwrap_or("");
        at = here
            + if Some(here) == quote {
                quotes.next();
                out.push_str(if rest.starts_with('"') { "&quot;" } else { "&apos;" });
                1
            } else if rest.starts_with('&') {
                reference(here, rest, &mut out).max(1)
            } else {
                1
            };
        while quotes.next_if(|q| *q < at).is_some() {}
    }
    out.push_str(body.get(at..).unwrap_or(""));
    let close = if empty { "/>" } else { ">" };
    match mend {
        Mend::Nothing => {}
        Mend::Close => out.push('>'),
        Mend::Quote(quote) => {
            out.push(quote);
            out.push_str(close);
        }
        Mend::TooMany(_) => out.push_str(close),
    }
    Cow::Owned(out)
}

/// Keeps the one tag that the tokenizer was given.
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
    /// Reads one whole tag; `None` when it is none to the tokenizer.
    pub(super) fn read(&mut self, source: &str) -> Option<ReadTag> {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(source));
        let _ = self.0.feed(&input);
        let Some(tag) = self.0.sink.0.borrow_mut().take() else {
            // It may wait for more, in the middle of a tag: begin anew, or the next tag would be part of this one.
            *self = Self::default();
            return None;
        };
        let kind = match tag.kind {
            Xml5Kind::StartTag => TagKind::Start,
            Xml5Kind::EmptyTag => TagKind::Empty,
            Xml5Kind::EndTag | Xml5Kind::ShortTag => TagKind::End,
        };
        let attributes = tag.attrs.iter().map(|a| {
            (
                a.name.prefix.as_ref().map(ToString::to_string).unwrap_or_default(),
                a.name.local.to_string(),
                a.value.to_string(),
            )
        });
        Some(ReadTag {
            kind,
            prefix: tag.name.prefix.as_ref().map(ToString::to_string).unwrap_or_default(),
            name: tag.name.local.to_string(),
            attributes: attributes.collect(),
        })
    }
}
