//! Decodes bytes to text. In order: a byte order mark confirmed by the bytes, the HTTP charset, the XML declaration,
//! detection, UTF-8. Labels follow the WHATWG Encoding Standard. Every claim must agree with the bytes.

mod mojibake;
mod utf32;

use crate::model::{Encoding, EncodingSource, RepairDetail};
use crate::repair::truncated;
use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use gleaner_html::charset;
use std::borrow::Cow;

/// A decoded document.
#[derive(Debug)]
pub(crate) struct Decoded<'b> {
    pub(crate) text: Cow<'b, str>,
    pub(crate) encoding: Encoding,
    /// Set if bytes fit no encoding, or contradict the declared one.
    pub(crate) mismatch: Option<RepairDetail>,
    /// Whether the document was UTF-8 encoded twice, and was repaired.
    pub(crate) double_encoded: bool,
}

pub(crate) fn decode<'b>(bytes: &'b [u8], content_type: Option<&str>) -> Decoded<'b> {
    let mut decoded = decode_claimed(bytes, content_type);
    if let Some(repaired) = mojibake::repair(&decoded.text) {
        decoded.text = Cow::Owned(repaired);
        decoded.double_encoded = true;
    }
    decoded
}

/// Repairs references to C1 controls in correctly decoded text: UTF-8 bytes written as references, such as
/// `&#226;&#128;&#166;`, or Windows-1252 characters, as in HTML.
pub(crate) fn repair_controls(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| matches!(c, '\u{80}'..='\u{9f}');
    // Such a control is encoded as C2 and a second byte.
    if memchr::memchr(0xc2, text.as_bytes()).is_none() || !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    if let Some(repaired) = mojibake::repair(text) {
        return Cow::Owned(repaired);
    }
    Cow::Owned(text.chars().map(|c| if is_control(c) { crate::text::numbered(u32::from(c)) } else { c }).collect())
}

fn named(encoding: &'static encoding_rs::Encoding, from: EncodingSource) -> Encoding {
    Encoding { name: encoding.name(), from }
}

fn plain(text: Cow<'_, str>, encoding: Encoding) -> Decoded<'_> {
    Decoded { text, encoding, mismatch: None, double_encoded: false }
}

fn decode_claimed<'b>(bytes: &'b [u8], content_type: Option<&str>) -> Decoded<'b> {
    if let Some(decoded) = wide(bytes) {
        return decoded;
    }
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf")
        && let Ok(text) = str::from_utf8(rest)
    {
        return plain(Cow::Borrowed(text.trim_start_matches('\u{feff}')), named(UTF_8, EncodingSource::Bom));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let http = content_type.and_then(charset::content_type_charset).and_then(charset::for_label);
    let (declared_label, declared) = declaration(bytes);
    let claims = [(http, EncodingSource::Http), (declared, EncodingSource::Xml)];
    let mut claims = claims.into_iter().filter_map(|(e, from)| Some((e?, from)));
    // The declaration was readable as ASCII, so the document is not UTF-16.
    let claim = claims.find(|(e, _)| *e != UTF_16LE && *e != UTF_16BE);
    let utf8 = str::from_utf8(bytes);
    let Some((encoding, from)) = claim else {
        let mismatch = declared_label.filter(|_| declared.is_none_or(|e| e == UTF_16LE || e == UTF_16BE));
        let mismatch = mismatch.map(|label| RepairDetail::DeclaredEncoding(truncated(&label)));
        let mut decoded = match utf8 {
            Ok(text) => plain(Cow::Borrowed(text), named(UTF_8, EncodingSource::Default)),
            Err(_) => decode_mixed(bytes, EncodingSource::Default),
        };
        decoded.mismatch = decoded.mismatch.or(mismatch);
        return decoded;
    };
    if encoding == UTF_8 {
        return match utf8 {
            Ok(text) => plain(Cow::Borrowed(text), named(UTF_8, from)),
            Err(_) => match claims.next() {
                // Servers often send UTF-8 as a default; the document knows better.
                Some((other, from)) if other != UTF_8 && !other.decode_without_bom_handling(bytes).1 => {
                    let text = other.decode_without_bom_handling(bytes).0;
                    Decoded { mismatch: Some(RepairDetail::NotUtf8AsDeclared), ..plain(text, named(other, from)) }
                }
                _ => decode_mixed(bytes, from),
            },
        };
    }
    let (text, errors) = encoding.decode_without_bom_handling(bytes);
    if let Ok(utf8) = utf8
        && (errors || (encoding.is_single_byte() && has_multibyte(utf8)))
    {
        let mismatch = Some(RepairDetail::DeclaredButUtf8(encoding.name()));
        return Decoded { mismatch, ..plain(Cow::Borrowed(utf8), named(UTF_8, EncodingSource::Detected)) };
    }
    let mismatch = errors.then(|| RepairDetail::InvalidBytes(encoding.name()));
    Decoded { mismatch, ..plain(text, named(encoding, from)) }
}

/// Whether text is valid UTF-8 with multibyte characters, and not by chance: text in a one-byte encoding is not,
/// beyond a letter or two.
fn has_multibyte(utf8: &str) -> bool {
    !utf8.is_ascii()
}

/// Decodes UTF-16 and UTF-32, with or without a byte order mark.
fn wide(bytes: &[u8]) -> Option<Decoded<'_>> {
    let (skip, from) = match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => (4, EncodingSource::Bom),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => (2, EncodingSource::Bom),
        _ => (0, EncodingSource::Detected),
    };
    if let Some((text, name)) = utf32::decode(bytes) {
        return Some(plain(Cow::Owned(text), Encoding { name, from }));
    }
    let head = bytes.get(skip..)?;
    let head = head.get(..head.len().min(64)).unwrap_or(head);
    // Markup is ASCII, so every other byte is zero.
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|b| **b == 0).count() * 3;
    let enough = head.len() / 2;
    let encoding = match bytes {
        [0xff, 0xfe, ..] if zeros(1) >= enough => UTF_16LE,
        [0xfe, 0xff, ..] if zeros(0) >= enough => UTF_16BE,
        [b'<' | b'{' | b' ' | b'\n', 0, ..] if zeros(1) >= enough && zeros(0) == 0 => UTF_16LE,
        [0, b'<' | b'{' | b' ' | b'\n', ..] if zeros(0) >= enough && zeros(1) == 0 => UTF_16BE,
        _ => return None,
    };
    let (text, errors) = encoding.decode_without_bom_handling(bytes.get(skip..)?);
    let mismatch = errors.then(|| RepairDetail::InvalidBytes(encoding.name()));
    Some(Decoded { mismatch, ..plain(text, named(encoding, from)) })
}

/// Returns the label in the XML declaration, and its encoding.
fn declaration(bytes: &[u8]) -> (Option<String>, Option<&'static encoding_rs::Encoding>) {
    let label = charset::xml_declaration_label(bytes);
    let encoding = label.as_deref().and_then(charset::for_label);
    (label.filter(|l| !l.is_empty()), encoding)
}

/// Decodes a document declared as UTF-8 that is partly invalid. If most non-ASCII text is UTF-8, the invalid bytes are
/// pasted Windows-1252; otherwise the document has another encoding, and parts resemble UTF-8 by chance.
fn decode_mixed(bytes: &[u8], from: EncodingSource) -> Decoded<'_> {
    let genuine: usize = bytes.utf8_chunks().map(|chunk| chunk.valid().chars().filter(|c| !c.is_ascii()).count()).sum();
    let broken = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    if genuine < broken * 2 {
        let encoding = charset::detect(bytes);
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        let mismatch = Some(RepairDetail::OtherEncoding(encoding.name()));
        return Decoded { mismatch, ..plain(text, named(encoding, EncodingSource::Detected)) };
    }
    let mut text = String::with_capacity(bytes.len() + broken * 2);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    Decoded { mismatch: Some(RepairDetail::InvalidBytes("UTF-8")), ..plain(Cow::Owned(text), named(UTF_8, from)) }
}
