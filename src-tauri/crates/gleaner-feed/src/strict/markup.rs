//! Gives the `xml` crate a document without its texts. It reads character by character, and nearly all characters of a feed are text, which
//! needs no parser: only its references are decoded. So the crate reads one placeholder for each text, and the text is put back when
//! it reports the placeholder.
//!
//! A document for which this could make any difference is refused, and is then read by the crate as it is.

use crate::sections;
use memchr::{memchr, memchr2, memmem};
use std::{
    borrow::Cow,
    collections::VecDeque,
    io::{self, Read},
};

/// Stands for a text. What else the crate reads outside of tags is white space.
const PLACEHOLDER: &[u8] = b"x";

/// A document that is read without its texts.
pub(super) struct Markup<'a> {
    document: &'a str,
    /// Where the next piece of the document begins.
    at: usize,
    /// What is still to be read of the current piece.
    piece: &'a [u8],
    /// The texts whose placeholders were read and not reported yet.
    texts: VecDeque<Cow<'a, str>>,
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
        Some(Self { document, at: 0, piece: &[], texts: VecDeque::new() })
    }

    /// Returns the text that an event stands for, in which each text is a placeholder.
    pub(super) fn restore<'e>(&mut self, event: &'e str) -> Cow<'e, str>
    where
        'a: 'e,
    {
        if event.as_bytes() == PLACEHOLDER {
            return self.texts.pop_front().unwrap_or_default();
        }
        if memmem::find(event.as_bytes(), PLACEHOLDER).is_none() {
            return Cow::Borrowed(event);
        }
        let mut text = String::new();
        for character in event.chars() {
            match character {
                'x' => text.push_str(&self.texts.pop_front().unwrap_or_default()),
                space => text.push(space),
            }
        }
        Cow::Owned(text)
    }

    /// Proceeds to the next piece, which is empty at the end; `None` for a document that is refused.
    fn proceed(&mut self) -> Option<()> {
        let rest = self.document.get(self.at..)?;
        let section = matches!(rest.as_bytes(), [b'<', b'!' | b'?', ..]).then(|| sections::kind(rest)).flatten();
        let (is_defective, section_length) = match section {
            Some(kind) => kind.examine(self.document, self.at)?,
            None => (false, 0),
        };
        if is_defective {
            return None;
        }
        let (length, piece) = if let Some(section) = rest.strip_prefix("<![CDATA[") {
            let text = section.get(..section_length.checked_sub("<![CDATA[]]>".len())?)?;
            self.texts.push_back(unified_line_ends(text));
            ("<![CDATA[".len() + text.len() + "]]>".len(), PLACEHOLDER)
        } else if rest.starts_with('<') {
            let piece = rest.get(..markup_length(rest)?)?.as_bytes();
            (piece.len(), piece)
        } else {
            let text = rest.get(..memchr(b'<', rest.as_bytes()).unwrap_or(rest.len()))?;
            if text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
                (text.len(), text.as_bytes())
            } else {
                self.texts.push_back(decoded(text)?);
                (text.len(), PLACEHOLDER)
            }
        };
        self.at += length;
        self.piece = piece;
        Some(())
    }
}

impl Read for Markup<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.is_empty() {
            self.proceed().ok_or(io::ErrorKind::InvalidData)?;
        }
        self.piece.read(buffer)
    }
}

/// Whether XML allows this character in no document. A carriage return is a line end.
fn is_forbidden(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Returns the length of the tag, comment or processing instruction at the start of a text; `None` if it is anything else.
fn markup_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let until = |from: usize, end: &[u8]| Some(from + memmem::find(bytes.get(from..)?, end)? + end.len());
    match bytes.get(1)? {
        b'!' if rest.starts_with("<!--") => until(4, b"-->"),
        // A document type can declare what references mean.
        b'!' => None,
        b'?' => {
            let length = until(2, b"?>")?;
            // XML 1.1 has other rules about characters.
            let declares = rest.starts_with("<?xml");
            let other = |written: &str| written.contains("1.1") || written.contains('&');
            (!declares || !rest.get(..length).is_some_and(other)).then_some(length)
        }
        _ => tag_length(bytes),
    }
}

/// Returns the length of a tag. One with `<` inside is not well-formed, and is left to the parser.
fn tag_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'>' => return Some(at + 1),
            b'<' => return None,
            quote @ (b'"' | b'\'') => {
                let inside = bytes.get(at + 1..)?;
                let end = memchr2(*quote, b'<', inside).filter(|end| inside.get(*end) == Some(quote))?;
                at += end + 2;
            }
            _ => at += 1,
        }
    }
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
