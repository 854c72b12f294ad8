//! Bytes to text. The order: a byte order mark that the bytes bear out, the HTTP charset, the XML declaration, detection,
//! UTF-8. Labels mean what the WHATWG Encoding Standard says. Whatever is claimed has to agree with the bytes.

mod mojibake;
mod utf32;

use crate::model::{Encoding, EncodingSource};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// A document as text, and what it took.
#[derive(Debug)]
pub(crate) struct Decoded<'b> {
    pub(crate) text: Cow<'b, str>,
    pub(crate) encoding: Encoding,
    /// Bytes that fit no encoding, or a claim that the bytes refute.
    pub(crate) bad: Option<String>,
    /// Where UTF-8 was encoded twice, and was mended.
    pub(crate) double_encoded: bool,
}

pub(crate) fn decode<'b>(bytes: &'b [u8], content_type: Option<&str>) -> Decoded<'b> {
    let mut decoded = decode_claimed(bytes, content_type);
    if let Some(mended) = mojibake::mend(&decoded.text) {
        decoded.text = Cow::Owned(mended);
        decoded.double_encoded = true;
    }
    decoded
}

/// References to C1 controls in text that was decoded rightly: the bytes of UTF-8 written one by one as `&#226;&#128;&#166;`,
/// or else characters of Windows-1252, as HTML reads them.
pub(crate) fn mend_controls(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| matches!(c, '\u{80}'..='\u{9f}');
    // Such a control is C2 and a second byte: without the one there is none.
    if memchr::memchr(0xc2, text.as_bytes()).is_none() || !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    if let Some(mended) = mojibake::mend(text) {
        return Cow::Owned(mended);
    }
    Cow::Owned(text.chars().map(|c| if is_control(c) { crate::text::numbered(u32::from(c)) } else { c }).collect())
}

fn named(encoding: &'static encoding_rs::Encoding, from: EncodingSource) -> Encoding {
    Encoding { name: encoding.name(), from }
}

fn plain(text: Cow<'_, str>, encoding: Encoding) -> Decoded<'_> {
    Decoded { text, encoding, bad: None, double_encoded: false }
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
    let http = content_type.and_then(http_charset).and_then(label_of);
    let (declared_label, declared) = declaration(bytes);
    let claims = [(http, EncodingSource::Http), (declared, EncodingSource::Xml)];
    let mut claims = claims.into_iter().filter_map(|(e, from)| Some((e?, from)));
    // The claim itself was read as ASCII, so the document is not UTF-16.
    let claim = claims.find(|(e, _)| *e != UTF_16LE && *e != UTF_16BE);
    let utf8 = str::from_utf8(bytes);
    let Some((encoding, from)) = claim else {
        let bad = declared_label.filter(|_| declared.is_none_or(|e| e == UTF_16LE || e == UTF_16BE));
        let bad = bad.map(|label| format!("declared as {label}"));
        let mut decoded = match utf8 {
            Ok(text) => plain(Cow::Borrowed(text), named(UTF_8, EncodingSource::Default)),
            Err(_) => mixed(bytes, EncodingSource::Default),
        };
        decoded.bad = decoded.bad.or(bad);
        return decoded;
    };
    if encoding == UTF_8 {
        return match utf8 {
            Ok(text) => plain(Cow::Borrowed(text), named(UTF_8, from)),
            Err(_) => match claims.next() {
                // HTTP said UTF-8 by default; the document knows better.
                Some((other, from)) if other != UTF_8 && !other.decode_without_bom_handling(bytes).1 => {
                    let text = other.decode_without_bom_handling(bytes).0;
                    Decoded { bad: Some("not UTF-8, as HTTP says".to_owned()), ..plain(text, named(other, from)) }
                }
                _ => mixed(bytes, from),
            },
        };
    }
    let (text, errors) = encoding.decode_without_bom_handling(bytes);
    if let Ok(utf8) = utf8
        && (errors || (encoding.is_single_byte() && has_multibyte(utf8)))
    {
        let bad = Some(format!("said to be {}, is UTF-8", encoding.name()));
        return Decoded { bad, ..plain(Cow::Borrowed(utf8), named(UTF_8, EncodingSource::Detected)) };
    }
    let bad = errors.then(|| format!("bytes that are not {}", encoding.name()));
    Decoded { bad, ..plain(text, named(encoding, from)) }
}

/// Text beyond ASCII that is valid UTF-8 and not by chance: no text in a one-byte encoding is, past a letter or two.
fn has_multibyte(utf8: &str) -> bool {
    !utf8.is_ascii()
}

/// UTF-16 and UTF-32, with and without a byte order mark.
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
    // Markup is ASCII, so every other byte of it is zero.
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
    let bad = errors.then(|| format!("bytes that are not {}", encoding.name()));
    Some(Decoded { bad, ..plain(text, named(encoding, from)) })
}

/// The `charset` parameter of a `Content-Type` (RFC 9110, section 8.3.2).
fn http_charset(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).trim())
    })
}

/// The label in the XML declaration, and the encoding it means.
fn declaration(bytes: &[u8]) -> (Option<String>, Option<&'static encoding_rs::Encoding>) {
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or(bytes);
    let label = memchr::memmem::find(head, b"<?xml").and_then(|at| {
        let rest = head.get(at..)?;
        let declaration = rest.get(..memchr::memchr(b'>', rest)?)?;
        let at = memchr::memmem::find(declaration, b"encoding")?;
        let value = declaration.get(at + 8..)?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let (quote, value) = value.split_first()?;
        let value = value.get(..memchr::memchr(*quote, value)?)?;
        Some(String::from_utf8_lossy(value).trim().to_owned())
    });
    let encoding = label.as_deref().and_then(label_of);
    (label.filter(|l| !l.is_empty()), encoding)
}

/// The encoding of a label: the standard's labels, other spellings of them, and the commonest beyond them.
fn label_of(label: &str) -> Option<&'static encoding_rs::Encoding> {
    let by_label = |label: &str| encoding_rs::Encoding::for_label(label.as_bytes());
    by_label(label).or_else(|| {
        let dashed = label.to_ascii_lowercase().replace('_', "-");
        let bare = dashed.strip_prefix("x-").unwrap_or(&dashed);
        let squeezed: String = bare.chars().filter(char::is_ascii_alphanumeric).collect();
        let usual = match squeezed.as_str() {
            "utf8" | "utf" | "unicode" | "u8" | "cp65001" => "utf-8",
            "latin1" | "88591" | "iso885911987" | "win1252" | "windows1252" => "windows-1252",
            "win1251" | "windows1251" => "windows-1251",
            "cp936" | "ms936" | "windows936" | "euccn" | "eucgb2312cn" => "gbk",
            "gb180302000" => "gb18030",
            "cp949" | "ms949" | "uhc" => "euc-kr",
            "cp950" | "ms950" | "big5hkscs" => "big5",
            "cp932" | "mskanji" | "shiftjisx0213" | "shiftjis2004" => "shift_jis",
            "eucjis2004" | "eucjisx0213" | "ujis" => "euc-jp",
            "macroman" => "macintosh",
            _ => return by_label(&dashed).or_else(|| by_label(bare)),
        };
        by_label(usual)
    })
}

fn guess(bytes: &[u8]) -> &'static encoding_rs::Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes.get(..bytes.len().min(1 << 20)).unwrap_or(bytes), true);
    detector.guess(None, Utf8Detection::Deny)
}

/// UTF-8 by claim or by default, and not all of it. Where most of what is beyond ASCII is UTF-8 the odd bytes are Windows-1252, pasted
/// in; otherwise it is some other encoding altogether, parts of which look like UTF-8 by chance.
fn mixed(bytes: &[u8], from: EncodingSource) -> Decoded<'_> {
    let genuine: usize = bytes.utf8_chunks().map(|chunk| chunk.valid().chars().filter(|c| !c.is_ascii()).count()).sum();
    let broken = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    if genuine < broken * 2 {
        let encoding = guess(bytes);
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        let bad = Some(format!("not UTF-8, but {}", encoding.name()));
        return Decoded { bad, ..plain(text, named(encoding, EncodingSource::Detected)) };
    }
    let mut text = String::with_capacity(bytes.len() + broken * 2);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    Decoded { bad: Some("bytes that are not UTF-8".to_owned()), ..plain(Cow::Owned(text), named(UTF_8, from)) }
}
