//! Decodes bytes to text. In order: a byte order mark confirmed by the bytes, the HTTP charset, the XML declaration,
//! detection, UTF-8. Labels follow the WHATWG Encoding Standard. Every claim must agree with the bytes.

mod mojibake;
mod utf32;

use crate::model::{Encoding, EncodingSource, Feed, Item, RepairDetail, RepairKind};
use crate::repair::{Repairs, truncated};
use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use gleaner_html::{charset, references::numbered};
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

impl Decoded<'_> {
    /// Notes what was wrong with the bytes.
    pub(crate) fn note(&self, repairs: &mut Repairs<'_>) {
        if let Some(detail) = &self.mismatch {
            repairs.note(RepairKind::BadEncoding, 0, detail.clone());
        }
        if self.double_encoded {
            repairs.note(RepairKind::DoubleEncodedUtf8, 0, RepairDetail::None);
        }
    }
}

pub(crate) fn decode<'b>(bytes: &'b [u8], content_type: Option<&str>) -> Decoded<'b> {
    let mut decoded = decode_claimed(bytes, content_type);
    if let Some(repaired) = mojibake::repair(&decoded.text) {
        decoded.text = Cow::Owned(repaired);
        decoded.double_encoded = true;
    }
    decoded
}

/// Repairs items that were encoded twice, in a document that was not. Returns whether there were any.
pub(crate) fn repair_items(items: &mut [Item]) -> bool {
    repair_all(items) || items.iter_mut().map(repair_item).fold(false, |any, item| any | item)
}

/// Repairs the titles and bodies of all items if all of their non-ASCII characters were encoded twice: many titles with one such character
/// each are as certain as an article with many. Texts that may be about encodings are not changed; if there are many of these, no text is
/// changed.
fn repair_all(items: &mut [Item]) -> bool {
    let (mut evidence, mut all, mut about) = (String::new(), 0, 0);
    for text in items.iter().flat_map(texts_beyond_ascii) {
        all += 1;
        if mojibake::is_about_encodings(text) {
            about += 1;
            continue;
        }
        let Some(repaired) = mojibake::repair(&with_no_break_spaces(text)) else { return false };
        evidence.push_str(&repaired);
        evidence.push(' ');
    }
    if about * 4 > all || !mojibake::are_certain(&evidence) {
        return false;
    }
    for Item { title, content, summary, .. } in items {
        let bodies = [content, summary].into_iter().flatten().map(|body| &mut body.html);
        for text in title.iter_mut().chain(bodies).filter(|text| !mojibake::is_about_encodings(text)) {
            *text = mojibake::repair(&with_no_break_spaces(text)).unwrap_or_else(|| std::mem::take(text));
        }
    }
    true
}

/// Returns the title and the bodies of an item that are not ASCII.
fn texts_beyond_ascii(item: &Item) -> impl Iterator<Item = &String> {
    let bodies = [&item.content, &item.summary].into_iter().flatten().map(|body| &body.html);
    item.title.iter().chain(bodies).filter(|text| !text.is_ascii())
}

/// Restores the no-break spaces that are the second half of `à`: lines of text have none.
fn with_no_break_spaces(text: &str) -> String {
    text.replace("Ã ", "Ã\u{a0} ")
}

/// Repairs the title and the bodies of an item that was encoded twice, among others that were not. Returns whether it was.
fn repair_item(item: &mut Item) -> bool {
    let Item { title, content, summary, .. } = item;
    let mut bodies: Vec<&mut String> = [content, summary].into_iter().flatten().map(|body| &mut body.html).collect();
    let repaired: Vec<Option<String>> = bodies.iter().map(|body| mojibake::repair_part(body)).collect();
    let has_repaired = repaired.iter().any(Option::is_some);
    let repaired_title = title.as_ref().and_then(|title| {
        let written = with_no_break_spaces(title);
        // Next to a body, a short title may be repaired, too.
        if has_repaired { mojibake::repair(&written) } else { mojibake::repair_part(&written) }
    });
    let mut texts = title.iter().chain(bodies.iter().map(|body| &**body));
    if !has_repaired && repaired_title.is_none() || texts.any(|text| mojibake::is_about_encodings(text)) {
        return false;
    }
    for (body, repaired) in bodies.iter_mut().zip(repaired) {
        **body = repaired.unwrap_or_else(|| std::mem::take(*body));
    }
    *title = repaired_title.or_else(|| title.take());
    true
}

/// Repairs the title and the description of a feed that were encoded twice, in a document that was not. Returns whether they were.
pub(crate) fn repair_feed(feed: &mut Feed) -> bool {
    let texts = [&mut feed.title, &mut feed.description].into_iter().flatten();
    let mut texts: Vec<&mut String> = texts.filter(|text| !text.is_ascii()).collect();
    if texts.iter().any(|text| mojibake::is_about_encodings(text)) {
        return false;
    }
    let repaired: Vec<_> = texts.iter().map(|text| mojibake::repair(&with_no_break_spaces(text))).collect();
    let any = repaired.iter().any(Option::is_some);
    for (text, repaired) in texts.iter_mut().zip(repaired) {
        **text = repaired.unwrap_or_else(|| std::mem::take(*text));
    }
    any
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
    Cow::Owned(text.chars().map(|c| if is_control(c) { numbered(u32::from(c)) } else { c }).collect())
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
    // A byte order mark that the bytes contradict.
    let marks: [&[u8]; 5] = [b"\xff\xfe\0\0", b"\0\0\xfe\xff", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"];
    if let Some(rest) = marks.iter().find_map(|mark| bytes.strip_prefix(*mark)) {
        if let Some(decoded) = wide(rest) {
            return decoded;
        }
        // Without the mark, such bytes begin a text in a legacy encoding.
        if bytes.starts_with(b"\xef")
            || rest.trim_ascii_start().starts_with(b"<")
            || rest.trim_ascii_start().starts_with(b"{")
        {
            return decode_unmarked(bytes, rest, content_type);
        }
    }
    decode_unmarked(bytes, bytes, content_type)
}

/// Decodes a document that is not UTF-16 or UTF-32, from the bytes after its mark.
fn decode_unmarked<'b>(marked: &'b [u8], bytes: &'b [u8], content_type: Option<&str>) -> Decoded<'b> {
    if marked.starts_with(b"\xef\xbb\xbf")
        && let Ok(text) = str::from_utf8(bytes)
    {
        return plain(Cow::Borrowed(text.trim_start_matches('\u{feff}')), named(UTF_8, EncodingSource::Bom));
    }
    let http = content_type.and_then(charset::content_type_charset).and_then(charset::for_label);
    let (declared_label, declared) = declaration(bytes);
    let claims = [(http, EncodingSource::Http), (declared, EncodingSource::Xml)];
    let mut claims = claims.into_iter().filter_map(|(e, from)| Some((e?, from)));
    // The declaration was readable as ASCII, so the document is not UTF-16.
    let claim = claims.find(|(e, _)| *e != UTF_16LE && *e != UTF_16BE);
    let Some((encoding, from)) = claim else {
        let mismatch = declared_label.filter(|_| declared.is_none_or(|e| e == UTF_16LE || e == UTF_16BE));
        let mismatch = mismatch.map(|label| RepairDetail::DeclaredEncoding(truncated(&label)));
        let mut decoded = decode_as(bytes, UTF_8, EncodingSource::Default);
        decoded.mismatch = decoded.mismatch.or(mismatch);
        return decoded;
    };
    // Servers often send UTF-8 or Latin-1 as a default, so the document's own declaration is more reliable.
    if (encoding == UTF_8 || encoding == WINDOWS_1252)
        && let Some((other, from)) = claims.next().filter(|(other, _)| ![UTF_8, encoding].contains(other))
        && charset::utf8_for_the_most_part(bytes, other).is_none()
        && (encoding == UTF_8 || charset::detect(bytes) == other)
        && let (text, false) = other.decode_without_bom_handling(bytes)
    {
        let mismatch =
            if encoding == UTF_8 { RepairDetail::NotUtf8AsDeclared } else { RepairDetail::OtherEncoding(other.name()) };
        return Decoded { mismatch: Some(mismatch), ..plain(text, named(other, from)) };
    }
    decode_as(bytes, encoding, from)
}

/// Decodes a document that is declared to be in this encoding, if the bytes do not contradict that.
fn decode_as<'b>(bytes: &'b [u8], claim: &'static encoding_rs::Encoding, from: EncodingSource) -> Decoded<'b> {
    let charset::Decoded { text, encoding, has_invalid } = charset::decode_claimed(bytes, claim);
    let mismatch = match (encoding == claim, encoding == UTF_8) {
        (true, _) => has_invalid.then(|| RepairDetail::InvalidBytes(encoding.name())),
        (false, true) => Some(RepairDetail::DeclaredButUtf8(claim.name())),
        (false, false) => Some(RepairDetail::OtherEncoding(encoding.name())),
    };
    let from = if encoding == claim { from } else { EncodingSource::Detected };
    Decoded { mismatch, ..plain(text, named(encoding, from)) }
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
        [b'<' | b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n', 0, ..] if zeros(1) >= enough && zeros(0) == 0 => UTF_16LE,
        [0, b'<' | b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n', ..] if zeros(0) >= enough && zeros(1) == 0 => UTF_16BE,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_without_a_mark_may_begin_with_white_space() {
        for start in ["", " ", "\n", "\r\n", "\t"] {
            let text = format!("{start}<rss><title>Café 日本</title></rss>");
            let (little, big): (Vec<_>, Vec<_>) =
                text.encode_utf16().map(|unit| (unit.to_le_bytes(), unit.to_be_bytes())).unzip();
            for (bytes, name) in [(little.concat(), "UTF-16LE"), (big.concat(), "UTF-16BE")] {
                let decoded = decode(&bytes, None);
                assert_eq!((decoded.encoding.name, decoded.text.as_ref()), (name, &*text), "{start:?}");
            }
        }
    }

    #[test]
    fn a_mark_that_the_bytes_contradict_is_ignored() {
        let text = "<rss><title>Café 日本</title></rss>";
        let wide = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().map(bytes).collect::<Vec<_>>().concat();
        let (little, big) = (wide(u16::to_le_bytes), wide(u16::to_be_bytes));
        let cases: [(&[u8], &[u8]); 6] = [
            (b"\xff\xfe\0\0", text.as_bytes()),
            (b"\xff\xfe", text.as_bytes()),
            (b"\xef\xbb\xbf", &little),
            (b"\xef\xbb\xbf", &big),
            (b"\xff\xfe", &big),
            (b"\xfe\xff", &little),
        ];
        for (mark, bytes) in cases {
            let document = [mark, bytes].concat();
            assert_eq!(decode(&document, None).text.as_ref(), text, "{mark:x?}");
        }
    }

    #[test]
    fn the_declaration_wins_over_latin_1_by_http_if_the_bytes_agree() {
        let text = "<?xml version='1.0' encoding='iso-8859-2'?><t>Zażółć gęślą jaźń, święta są już blisko, źdźbło";
        let bytes = encoding_rs::ISO_8859_2.encode(text).0;
        let decoded = decode(&bytes, Some("text/xml; charset=iso-8859-1"));
        assert_eq!((decoded.encoding.name, decoded.text.as_ref()), ("ISO-8859-2", text));
        let text = "<?xml version='1.0' encoding='windows-1251'?><t>Un café crème, une crêpe brûlée";
        let bytes = WINDOWS_1252.encode(text).0;
        let decoded = decode(&bytes, Some("text/xml; charset=iso-8859-1"));
        assert_eq!((decoded.encoding.name, decoded.text.as_ref()), ("windows-1252", text));
    }
}
