//! Gives the `xml` crate the tags of a document only, since it reads character by character. Texts and values of attributes need no parser:
//! only their references are decoded. So the crate reads placeholders instead of texts, empty values, and empty elements instead of those
//! that contain only text. If such an element has a start tag without attributes that was read before, it becomes a placeholder, too. The
//! crate reads no namespaces, either. The parts left out are put back when it reports its events.
//!
//! A document for which this could make a difference is refused, and is then read by the crate unchanged.

use super::{
    scopes::{Declaration, MAX_IN_FORCE, Resolved, Scopes},
    source::{MAX_DEPTH, Source, StartElement},
};
use crate::{
    builder::{Builder, Handler},
    namespace::{Namespaces, Ns},
    sections::{self, CDATA},
};
use memchr::{memchr, memchr2, memmem};
use std::{
    borrow::Cow,
    collections::VecDeque,
    io::{self, Read},
};

/// Stands for a text or an element. Everything else that the crate reads outside of tags is white space.
const PLACEHOLDER: &[u8] = b"x";
/// Stands for the colon after a prefix. Documents that have it in names themselves are refused.
const COLON: u8 = b'.';
/// Maximum number of attributes of an element, since prefixed ones are compared with each other.
const MAX_ATTRIBUTES: usize = 64;

/// Maximum number of names that are remembered, since they are searched one by one.
const MAX_KNOWN: usize = 32;

/// A document that is read without its texts.
pub(super) struct Markup<'a> {
    document: &'a str,
    /// Where the next piece of the document begins.
    at: usize,
    /// The current piece as the parser reads it.
    piece: Vec<u8>,
    /// Length of the part of it that was read.
    read: usize,
    /// What was read as a placeholder and not reported yet: texts, each with the name of its element if that is left out, too.
    texts: VecDeque<(Option<&'a str>, Cow<'a, str>)>,
    /// Names of elements whose start tags without attributes were read.
    known: Vec<&'a str>,
    /// The same as `texts` for start tags.
    tags: VecDeque<StartTag<'a>>,
    /// The same for their attributes: names, and values unless the parser reads them.
    attributes: VecDeque<(&'a str, Option<Cow<'a, str>>)>,
    scopes: Scopes<'a>,
}

/// The parts left out of a start tag.
struct StartTag<'a> {
    name: &'a str,
    declarations: Vec<Declaration<'a>>,
    /// The text of the element, if it contains nothing else.
    content: Option<Cow<'a, str>>,
}

impl<'a> Markup<'a> {
    /// Returns `None` for a document with characters that XML forbids, so that the parser finds them.
    pub(super) fn of(document: &'a str) -> Option<Self> {
        let bytes = document.as_bytes();
        // Without an early end, so that many bytes are compared at once.
        let forbidden = |part: &[u8]| part.iter().fold(false, |any, byte| any | is_forbidden(*byte));
        let ends_plane = |at: usize| matches!(bytes.get(at + 2), Some(0xbe | 0xbf));
        if bytes.chunks(4096).any(forbidden) || memmem::find_iter(bytes, b"\xef\xbf").any(ends_plane) {
            return None;
        }
        Some(Self {
            document,
            at: 0,
            piece: Vec::new(),
            read: 0,
            texts: VecDeque::new(),
            known: Vec::new(),
            tags: VecDeque::new(),
            attributes: VecDeque::new(),
            scopes: Scopes::default(),
        })
    }

    /// Proceeds to the next piece, which is empty at the end; `None` for a document that is refused.
    fn proceed(&mut self) -> Option<()> {
        self.piece.clear();
        self.read = 0;
        let rest = self.document.get(self.at..)?;
        let section = matches!(rest.as_bytes(), [b'<', b'!' | b'?', ..]).then(|| sections::kind(rest)).flatten();
        self.at += if section == Some(&CDATA) {
            let (text, length) = self.section(self.at)?;
            self.leave_out(None, text);
            length
        } else if let Some(kind) = section {
            if kind.examine(self.document, self.at)?.0 {
                return None;
            }
            let piece = rest.get(..section_length(rest)?)?;
            self.piece.extend_from_slice(piece.as_bytes());
            piece.len()
        } else if rest.starts_with('<') {
            self.tag(rest)?
        } else {
            let text = rest.get(..memchr(b'<', rest.as_bytes()).unwrap_or(rest.len()))?;
            if text.chars().all(is_space) {
                self.piece.extend_from_slice(text.as_bytes());
            } else {
                self.leave_out(None, decoded(text)?);
            }
            text.len()
        };
        Some(())
    }

    /// Proceeds to a placeholder.
    fn leave_out(&mut self, element: Option<&'a str>, text: Cow<'a, str>) {
        self.piece.clear();
        self.piece.extend_from_slice(PLACEHOLDER);
        self.texts.push_back((element, text));
    }

    /// Returns the text of a CDATA section, and the length of the section.
    fn section(&self, at: usize) -> Option<(Cow<'a, str>, usize)> {
        let (is_defective, length) = CDATA.examine(self.document, at)?;
        let end = (at + length).checked_sub(CDATA.terminator.len())?;
        let text = self.document.get(at + CDATA.opening.len()..end).filter(|_| !is_defective)?;
        Some((unified_line_ends(text), length))
    }

    /// Proceeds past the tag at the start of `rest`, and past its element if that contains only text. Returns the length. A tag with `<`
    /// inside is not well-formed, and is left to the parser; a document type can declare what references mean.
    fn tag(&mut self, rest: &'a str) -> Option<usize> {
        let bytes = rest.as_bytes();
        if bytes.get(1) == Some(&b'!') {
            return None;
        }
        let is_end = bytes.get(1) == Some(&b'/');
        let (mut declarations, mut attributes) = (Vec::new(), 0);
        // `between` is where the last value ended.
        let (mut at, mut between) = (1, 0);
        loop {
            match bytes.get(at)? {
                b'>' => break,
                b'<' | &COLON => return None,
                // An end tag has no attributes.
                b'"' | b'\'' if is_end => return None,
                quote @ (b'"' | b'\'') => {
                    let end = at + 1 + memchr2(*quote, b'<', bytes.get(at + 1..)?)?;
                    let written = rest.get(at + 1..end).filter(|_| bytes.get(end) == Some(quote))?;
                    let before = rest.get(between..at)?.trim_ascii_end().strip_suffix('=')?.trim_ascii_end();
                    let (before, name) = before.split_at(before.rfind(is_space).map_or(0, |space| space + 1));
                    let value = decoded_value(written);
                    if let Some(prefix) = declared_prefix(name) {
                        // It is left out, so its place is checked here: it must follow the name of the tag or another value.
                        let is_next = before.split_ascii_whitespace().count() == usize::from(between == 0);
                        let ends = bytes.get(end + 1).is_some_and(|next| b" \t\r\n/>".contains(next));
                        if !is_next || !before.ends_with(is_space) || !ends {
                            return None;
                        }
                        // Far more than can be in force would fill the memory before they are counted.
                        if declarations.len() > MAX_IN_FORCE {
                            return None;
                        }
                        self.push(before);
                        declarations.push(Declaration { prefix, uri: value? });
                    } else {
                        attributes += 1;
                        if attributes > MAX_ATTRIBUTES {
                            return None;
                        }
                        self.push(rest.get(between..=at)?);
                        if value.is_none() {
                            self.piece.extend_from_slice(written.as_bytes());
                        }
                        self.piece.push(*quote);
                        self.attributes.push_back((name, value));
                    }
                    at = end + 1;
                    between = at;
                }
                _ => at += 1,
            }
        }
        let length = at + 1;
        self.push(rest.get(between..length)?);
        if is_end {
            return Some(length);
        }
        let name = rest.get(1..at)?.split(|c| is_space(c) || c == '/').next()?;
        let content = if rest.get(..at)?.ends_with('/') { None } else { self.content_of(name, length)? };
        let is_bare = at == 1 + name.len();
        let (content, length) = match content {
            None => (None, length),
            // The parser has nothing left to check.
            Some((text, after)) if is_bare && self.known.contains(&name) => {
                self.leave_out(Some(name), text);
                return Some(length + after);
            }
            Some((text, after)) => {
                self.piece.insert(self.piece.len() - 1, b'/');
                (Some(text), length + after)
            }
        };
        if is_bare && self.known.len() < MAX_KNOWN && !self.known.contains(&name) {
            self.known.push(name);
        }
        self.tags.push_back(StartTag { name, declarations, content });
        Some(length)
    }

    /// Adds markup without values to the piece.
    fn push(&mut self, markup: &str) {
        self.piece.extend(markup.bytes().map(|byte| if byte == b':' { COLON } else { byte }));
    }

    /// Returns the text of an element if it contains nothing else, and the length to the end of its end tag. The start tag of `length` bytes
    /// is next. `None` for a document that is refused.
    fn content_of(&self, name: &str, length: usize) -> Option<Option<(Cow<'a, str>, usize)>> {
        let start = self.at + length;
        let rest = self.document.get(start..)?;
        let after_end = |length: usize| {
            let end = rest.get(length..)?.strip_prefix("</")?.strip_prefix(name)?.strip_prefix('>')?;
            Some(rest.len() - end.len())
        };
        if rest.starts_with(CDATA.opening) {
            let (text, length) = self.section(start)?;
            return Some(after_end(length).map(|after| (text, after)));
        }
        let length = memchr(b'<', rest.as_bytes())?;
        Some(match after_end(length) {
            Some(after) => Some((decoded(rest.get(..length)?)?, after)),
            None => None,
        })
    }

    /// Whether an attribute with a prefix may be the same as one of the `later` attributes that follow it in its element.
    fn may_repeat(&self, name: &str, later: usize) -> bool {
        let Some((_, local)) = name.split_once(':') else { return false };
        let mut others = self.attributes.iter().take(later).filter_map(|(other, _)| other.split_once(':'));
        others.any(|(_, other)| other == local)
    }
}

impl Source for Markup<'_> {
    fn open<H: Handler>(
        &mut self,
        event: &StartElement,
        namespaces: &mut Namespaces,
        builder: &mut Builder<H>,
    ) -> Option<()> {
        let StartTag { name, declarations, content } = self.tags.pop_front()?;
        self.scopes.enter(builder.depth(), declarations)?;
        if builder.depth() == 0 {
            builder.tree.declared = self.scopes.in_force(namespaces);
        }
        let element = self.scopes.resolve(name, false, namespaces)?;
        builder.start(element.ns, element.prefix.is_some(), element.local);
        if event.attributes.len() > MAX_ATTRIBUTES {
            return None;
        }
        for (read, later) in event.attributes.iter().zip((0..event.attributes.len()).rev()) {
            let (name, value) = self.attributes.pop_front()?;
            if self.may_repeat(name, later) {
                return None;
            }
            let Resolved { ns, uri, prefix, local } = self.scopes.resolve(name, true, namespaces)?;
            if let (Ns::Other(_), Some(prefix)) = (ns, prefix) {
                builder.tree.add_prefix(ns, prefix, uri);
            }
            builder.attribute(ns, local, value.as_deref().unwrap_or(&read.value));
        }
        if let Some(text) = content {
            builder.text(&text);
        }
        Some(())
    }

    fn text<H: Handler>(&mut self, event: &str, namespaces: &mut Namespaces, builder: &mut Builder<H>) -> Option<()> {
        // Texts and white space up to an element are one text.
        let (mut rest, mut before) = (event, Cow::Borrowed(""));
        while !rest.is_empty() {
            let spaces = rest.find('x').unwrap_or(rest.len());
            before += rest.get(..spaces)?;
            rest = rest.get(spaces..)?;
            if rest.is_empty() {
                break;
            }
            rest = rest.get(1..)?;
            let (element, text) = self.texts.pop_front()?;
            let Some(name) = element else {
                before += text;
                continue;
            };
            builder.text(&std::mem::take(&mut before));
            if builder.depth() >= MAX_DEPTH {
                return None;
            }
            self.scopes.enter(builder.depth(), Vec::new())?;
            let element = self.scopes.resolve(name, false, namespaces)?;
            builder.start(element.ns, element.prefix.is_some(), element.local);
            builder.text(&text);
            builder.end();
        }
        builder.text(&before);
        Some(())
    }
}

impl Read for Markup<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.piece.len() {
            self.proceed().ok_or(io::ErrorKind::InvalidData)?;
        }
        // The parser reads byte by byte.
        if let ([into], Some(byte)) = (&mut *buffer, self.piece.get(self.read)) {
            *into = *byte;
            self.read += 1;
            return Ok(1);
        }
        let length = self.piece.get(self.read..).unwrap_or_default().read(buffer)?;
        self.read += length;
        Ok(length)
    }
}

/// Whether XML allows this character in no document. A carriage return is a line end.
fn is_forbidden(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Returns the length of the comment or processing instruction at the start of a text.
fn section_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let until = |from: usize, end: &[u8]| Some(from + memmem::find(bytes.get(from..)?, end)? + end.len());
    if rest.starts_with("<!--") {
        return until(4, b"-->");
    }
    let length = until(2, b"?>")?;
    // XML 1.1 has other rules about characters.
    let declares = rest.starts_with("<?xml");
    let other = |written: &str| written.contains("1.1") || written.contains('&');
    (!declares || !rest.get(..length).is_some_and(other)).then_some(length)
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Returns the prefix that an attribute declares; empty if it declares the default namespace. Prefixes other than usual ones are not declared.
fn declared_prefix(name: &str) -> Option<&str> {
    let prefix = name.strip_prefix("xmlns")?;
    if prefix.is_empty() {
        return Some(prefix);
    }
    let is_usual = |prefix: &&str| prefix.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    prefix.strip_prefix(':').filter(|prefix| !prefix.is_empty()).filter(is_usual)
}

/// Returns the value of an attribute with its references decoded; `None` if it needs the parser.
fn decoded_value(value: &str) -> Option<Cow<'_, str>> {
    // White space is normalised, and the parser has its own opinion on the end of a section.
    let needs_parser = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b']');
    if value.bytes().any(needs_parser) { None } else { decoded(value) }
}

/// Returns a text with its references decoded; `None` if it is not well-formed.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if memmem::find(text.as_bytes(), b"]]>").is_some() {
        return None;
    }
    let Some(mut at) = memchr(b'&', text.as_bytes()) else { return Some(unified_line_ends(text)) };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        out.push_str(&unified_line_ends(rest.get(..at)?));
        let reference = rest.get(at + 1..)?;
        let length = memchr(b';', reference.as_bytes())?;
        out.push(character(reference.get(..length)?)?);
        rest = reference.get(length + 1..)?;
        let Some(next) = memchr(b'&', rest.as_bytes()) else { break };
        at = next;
    }
    out.push_str(&unified_line_ends(rest));
    Some(Cow::Owned(out))
}

/// Returns the character of a reference, if XML defines it.
fn character(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
            // A sign is accepted by `from_str_radix` only.
            let value = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)?;
            let character = char::from_u32(u32::from_str_radix(value, radix).ok()?)?;
            let allowed = matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
            allowed.then_some(character)?
        }
    })
}

/// Returns a text with each line end as a line feed (XML, section 2.11).
fn unified_line_ends(text: &str) -> Cow<'_, str> {
    if memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}
