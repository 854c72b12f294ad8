//! Character encodings of web pages and feeds.

mod latin;
mod utf8;

use crate::tokens::{Token, Tokens};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{EUC_JP, EUC_KR, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252};
use std::borrow::Cow;
use utf8::Evidence;

/// Number of bytes at the start of a page that are searched for its own declaration.
const PRESCAN: usize = 4096;

/// Maximum number of bytes that encoding detection reads.
const SAMPLE: usize = 1 << 20;

/// Decodes the bytes of a web page (HTML standard, § 13.2.3.2).
///
/// The encoding comes from the byte order mark, the HTTP `Content-Type` or the page's own declaration, or else is detected from the bytes.
#[must_use]
pub fn decode_page(bytes: &[u8], content_type: Option<&str>) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    let wide = match bytes {
        [0, b'<', ..] => Some(UTF_16BE),
        [b'<', 0, ..] => Some(UTF_16LE),
        _ => None,
    };
    let http = || content_type.and_then(content_type_charset).and_then(for_label);
    let encoding = wide.or_else(http).or_else(|| declared(bytes)).unwrap_or_else(|| detect(bytes));
    // Markup in UTF-16 has zero bytes; without any, the claim is wrong.
    let is_ascii_compatible = encoding.is_ascii_compatible() || memchr::memchr(0, bytes).is_some();
    let encoding = if is_ascii_compatible { encoding } else { UTF_8 };
    decode_claimed(bytes, encoding).text.into_owned()
}

/// Text, and the encoding that was used to decode it.
#[derive(Debug)]
pub struct Decoded<'b> {
    /// The text.
    pub text: Cow<'b, str>,
    /// The encoding: the claimed one, unless the bytes contradict it.
    pub encoding: &'static Encoding,
    /// Whether some bytes are invalid in the encoding.
    pub has_invalid: bool,
}

/// Decodes bytes that are declared to be in the encoding `claim`, and corrects a wrong claim.
///
/// Bytes that are UTF-8 are read as UTF-8 despite another claim. Text whose language does not fit a declared Latin encoding is
/// read in the one that fits. Bytes that are declared to be UTF-8 but are not are read in the most likely legacy encoding, or in
/// ISO-2022-JP. Stray bytes in UTF-8 are read in the claimed encoding, or as Windows-1252; incomplete sequences become U+FFFD, and
/// surrogate pairs that were encoded one by one (CESU-8) their character.
#[must_use]
pub fn decode_claimed<'b>(bytes: &'b [u8], claim: &'static Encoding) -> Decoded<'b> {
    let in_encoding = |encoding: &'static Encoding| {
        let (text, has_invalid) = encoding.decode_without_bom_handling(bytes);
        Decoded { text, encoding, has_invalid }
    };
    if claim != ISO_2022_JP && is_iso_2022_jp(bytes) {
        return in_encoding(ISO_2022_JP);
    }
    // ISO-2022-JP has no other bytes than ASCII.
    let claim = if claim == ISO_2022_JP && !bytes.is_ascii() { UTF_8 } else { claim };
    if claim == UTF_8 {
        let is_utf8 = |evidence: Evidence| evidence.utf8 > evidence.legacy && !is_euc(bytes);
        return match utf8_if(bytes, WINDOWS_1252, is_utf8) {
            Some(decoded) => decoded,
            None => in_encoding(detect(bytes)),
        };
    }
    // Text in a legacy encoding is rarely valid UTF-8 by chance, least of all in a single-byte encoding.
    if bytes.is_ascii() || !claim.is_ascii_compatible() {
        return in_encoding(claim);
    }
    if claim.is_single_byte() {
        return utf8_for_the_most_part(bytes, claim).unwrap_or_else(|| {
            let is_other_script = claim == WINDOWS_1252 && is_unlike_latin(bytes);
            in_encoding(if is_other_script { detect(bytes) } else { latin::other(bytes, claim).unwrap_or(claim) })
        });
    }
    let decoded = in_encoding(claim);
    let is_certain = |utf8: &Decoded<'_>| {
        decoded.has_invalid && !utf8.has_invalid
            || utf8.text.chars().filter(|c| !c.is_ascii()).nth(MULTIBYTE_BY_CHANCE).is_some()
    };
    match utf8_for_the_most_part(bytes, WINDOWS_1252).filter(is_certain) {
        Some(utf8) => utf8,
        None => decoded,
    }
}

/// Whether bytes are text in EUC-JP or EUC-KR: pairs of bytes, many of which are sequences of UTF-8 in words in Katakana. One byte that is
/// broken in UTF-8 is broken there, too.
fn is_euc(bytes: &[u8]) -> bool {
    let encoding = detect(bytes);
    (encoding == EUC_JP || encoding == EUC_KR) && !encoding.decode_without_bom_handling(bytes).1
}

/// Number of consecutive bytes outside of ASCII that text in Western European languages does not have.
const RUN: usize = 4;
/// Number of different bytes in such runs from which they are text and not a line of dashes or the like.
const DIFFERENT: usize = 10;

/// Whether most bytes outside of ASCII are next to each other, as in other scripts. Servers and programs often declare
/// Latin-1 without knowing.
fn is_unlike_latin(bytes: &[u8]) -> bool {
    let (mut all, mut in_runs) = (0_usize, 0_usize);
    let mut seen = [false; 128];
    for run in bytes.split(u8::is_ascii) {
        all += run.len();
        if run.len() >= RUN {
            in_runs += run.len();
            run.iter().for_each(|byte| seen[usize::from(byte & 0x7f)] = true);
        }
    }
    in_runs * 2 > all && seen.iter().filter(|seen| **seen).count() >= DIFFERENT
}

/// Whether bytes are text in ISO-2022-JP, which is ASCII with escape sequences that no other text has.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    [b"\x1b$B".as_slice(), b"\x1b$@"].iter().any(|escape| memchr::memmem::find(bytes, escape).is_some())
        && bytes.is_ascii()
        && !ISO_2022_JP.decode_without_bom_handling(bytes).1
}

/// Number of consecutive characters in a two-byte legacy encoding that may be valid UTF-8 by chance.
const MULTIBYTE_BY_CHANCE: usize = 6;

/// Decodes bytes as UTF-8 if most of those that are not ASCII are valid, despite a claim of another encoding. Stray bytes
/// are read in `strays`, a single-byte encoding.
#[must_use]
pub fn utf8_for_the_most_part<'b>(bytes: &'b [u8], strays: &'static Encoding) -> Option<Decoded<'b>> {
    utf8_if(bytes, strays, |evidence| evidence.utf8 > 0 && evidence.utf8 >= evidence.legacy * 2)
}

/// Decodes bytes as UTF-8 if they are valid, or if the evidence suffices.
fn utf8_if<'b>(bytes: &'b [u8], strays: &'static Encoding, suffices: impl Fn(Evidence) -> bool) -> Option<Decoded<'b>> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Some(Decoded { text: Cow::Borrowed(text), encoding: UTF_8, has_invalid: false });
    }
    if !suffices(utf8::evidence(bytes)) {
        return None;
    }
    Some(Decoded { text: Cow::Owned(utf8::decode(bytes, strays)), encoding: UTF_8, has_invalid: true })
}

/// Returns the `charset` parameter of a `Content-Type` (RFC 9110, section 8.3.2).
#[must_use]
pub fn content_type_charset(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).trim())
    })
}

/// Returns the encoding label of an XML declaration in the first kilobyte.
#[must_use]
pub fn xml_declaration_label(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..1024).unwrap_or(bytes);
    let rest = head.get(memchr::memmem::find(head, b"<?xml")?..)?;
    let declaration = rest.get(..memchr::memchr(b'>', rest)?)?;
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = declaration.get(at + 8..)?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first()?;
    let value = value.get(..memchr::memchr(*quote, value)?)?;
    Some(String::from_utf8_lossy(value).trim().to_owned())
}

/// Returns the encoding for a label of the WHATWG Encoding Standard, for another spelling of one, or for a common name that
/// the standard omits.
#[must_use]
pub fn for_label(label: &str) -> Option<&'static Encoding> {
    // Labels of encodings that the standard does not decode are ignored.
    let by_label = |label: &str| Encoding::for_label_no_replacement(label.as_bytes());
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
            "maccyrillic" | "macintoshcyrillic" | "macukrainian" => "x-mac-cyrillic",
            _ => return by_label(&dashed).or_else(|| by_label(bare)),
        };
        by_label(usual)
    })
}

/// Detects the encoding of bytes that do not declare one: UTF-8 if they are valid, else the most likely legacy encoding.
#[must_use]
pub fn detect(bytes: &[u8]) -> &'static Encoding {
    if str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes.get(..SAMPLE).unwrap_or(bytes), true);
    let likely = detector.guess(None, Utf8Detection::Deny);
    if likely == WINDOWS_1252 && latin::is_hungarian(bytes) { WINDOWS_1250 } else { likely }
}

/// Returns the encoding that a page declares in a `meta` element or an XML declaration.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(bytes.get(..PRESCAN).unwrap_or(bytes));
    let by_meta = Tokens::new(&head).find_map(|token| match token {
        Token::Start(tag) if tag.name == "meta" => {
            let label =
                tag.attributes.get("charset").or_else(|| meta_content_charset(tag.attributes.get("content")?))?;
            for_label(label.trim())
        }
        _ => None,
    });
    by_meta.or_else(|| for_label(&xml_declaration_label(bytes)?))
}

/// Extracts a label from the `content` of a `meta` element (HTML standard, § 2.4.4).
fn meta_content_charset(content: Cow<'_, str>) -> Option<Cow<'_, str>> {
    let lower = content.to_ascii_lowercase();
    let label = lower.split("charset").skip(1).find_map(|rest| rest.trim_start().strip_prefix('='))?;
    let label = label.trim_start().trim_start_matches(['"', '\'']);
    let end = label.find(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | '"' | '\'')).unwrap_or(label.len());
    Some(Cow::Owned(label[..end].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_a_page_by_its_declaration() {
        assert_eq!(decode_page(b"<meta charset=windows-1251>\xcf", None), "<meta charset=windows-1251>П");
        let pragma =
            b"<!-- <meta charset=gbk> --><META http-equiv=content-type content='text/html; charset = \"koi8-r\"'>\xf0";
        assert!(decode_page(pragma, None).ends_with('П'));
        let xhtml = b"<?xml version='1.0' encoding='iso-8859-2'?><html>\xb1";
        assert!(decode_page(xhtml, None).ends_with('ą'));
        assert_eq!(decode_page(b"<meta charset=utf-16>a", None), "<meta charset=utf-16>a");
    }

    #[test]
    fn a_byte_order_mark_wins_over_http() {
        assert_eq!(decode_page(b"\xef\xbb\xbf\xc3\xa9", Some("text/html; charset=koi8-r")), "é");
        assert_eq!(decode_page(b"\xff\xfe<\0a\0>\0", Some("text/html; charset=koi8-r")), "<a>");
    }

    #[test]
    fn http_wins_over_the_page() {
        assert_eq!(decode_page(b"\xe9t\xe9, un caf\xe9", Some("text/html;charset=\"iso-8859-1\"")), "été, un café");
        let page = b"<meta charset=gbk>\xcf";
        assert!(decode_page(page, Some("text/html; charset=windows-1251")).ends_with('П'));
        assert_eq!(decode_page(b"<p>a", Some("text/html; charset=utf-16")), "<p>a");
    }

    #[test]
    fn detects_an_undeclared_encoding() {
        assert_eq!(decode_page("été".as_bytes(), None), "été");
        assert_eq!(decode_page(b"<\0p\0>\0\xe9\0", None), "<p>é");
        assert_eq!(decode_page(b"<p>un caf\xe9 cr\xe8me", None), "<p>un café crème");
    }

    #[test]
    fn the_bytes_win_over_a_claim_that_they_contradict() {
        let page = |text: &str| format!("<meta charset=gb2312><p>{text}");
        let chinese = page("春天的果园里有苹果树和梨树");
        assert_eq!(decode_page(chinese.as_bytes(), None), chinese);
        assert_eq!(decode_page(chinese.as_bytes(), Some("text/html; charset=big5")), chinese);
        let mut stray = chinese.clone().into_bytes();
        stray.push(0xa0);
        assert_eq!(decode_page(&stray, None), format!("{chinese}\u{a0}"));
        let latin = |bytes: &[u8]| decode_page(bytes, Some("text/html; charset=iso-8859-1"));
        assert_eq!(latin("Äpfel, Öl".as_bytes()), "Äpfel, Öl");
        assert_eq!(latin(b"\xc3\x84pfel, \xc3\x96l \x96 1"), "Äpfel, Öl – 1");
        assert_eq!(latin(b"\xc4pfel, \xd6l \xc3\x84"), "Äpfel, Öl Ã„");
        let cyrillic = encoding_rs::WINDOWS_1251.encode("яблоки и груши").0;
        assert_eq!(decode_page(&cyrillic, Some("text/html; charset=windows-1251")), "яблоки и груши");
        assert_eq!(
            decode_page(b"<meta charset=utf-8>un caf\xe9 cr\xe8me br\xfbl\xe9e", None),
            "<meta charset=utf-8>un café crème brûlée"
        );
        for text in ["春天的果园里有苹果树和梨树", "联通", "果园"] {
            let gbk = encoding_rs::GBK.encode(text).0;
            assert_eq!(decode_page(&gbk, Some("text/html; charset=gb2312")), text);
        }
    }

    #[test]
    fn a_few_broken_bytes_leave_utf_8_as_it_is() {
        let page = |bytes: &[u8]| decode_page(&[b"<meta charset=utf-8>", bytes].concat(), None)[20..].to_owned();
        let (pear, half) = (b"\xed\xa0\xbc\xed\xbd\x90", b"\xed\xa0\xbc");
        assert_eq!(page(&[b"Ein Apfel und eine Birne ".as_slice(), pear].concat()), "Ein Apfel und eine Birne 🍐");
        assert_eq!(page(&["Süß: ".as_bytes(), pear, b" ", half].concat()), "Süß: 🍐 \u{fffd}");
        for (cut, text) in [
            (b"\xe2\x80\x98Plums\xe2\x80...".as_slice(), "‘Plums\u{fffd}..."),
            (b"Plums \xf0\x9f\x8d</p>", "Plums \u{fffd}</p>"),
            (b"\xe6\xa2\xa8 \xe6\x9e", "梨 \u{fffd}"),
            (b"\xc3\x84pfel, gr\xc3...", "Äpfel, grÃ..."),
            (b"\xe2\x80\x98Plums\x92", "‘Plums’"),
            (b"caf\xc3\xa9\xa0!", "café\u{a0}!"),
        ] {
            assert_eq!(page(cut), text);
        }
    }

    #[test]
    fn other_scripts_are_not_latin_1() {
        let latin = |bytes: &[u8]| decode_page(bytes, Some("text/html; charset=iso-8859-1"));
        for (text, encoding) in [
            ("Это статья в русском блоге. Сегодня хорошая погода, и мы пошли гулять", encoding_rs::WINDOWS_1251),
            ("Это статья в русском блоге. Сегодня хорошая погода, и мы пошли гулять", encoding_rs::KOI8_R),
            ("春の果樹園にはリンゴの木があります。カタカナ", encoding_rs::SHIFT_JIS),
            ("春天的果园里有苹果树和梨树", encoding_rs::GBK),
            ("Αυτό είναι ένα άρθρο στα ελληνικά. Σήμερα ο καιρός είναι καλός", encoding_rs::ISO_8859_7),
        ] {
            assert_eq!(latin(&encoding.encode(text).0), text, "{}", encoding.name());
        }
        for text in ["ÀÉÈ ÄÖÜ – «Été» …", "—————————— ••••••", "ÄÖÜß"]
        {
            assert_eq!(latin(&WINDOWS_1252.encode(text).0), text);
        }
    }

    #[test]
    fn a_charset_label_that_contradicts_the_bytes_is_ignored() {
        for label in ["iso-2022-jp", "iso-2022-kr", "hz-gb-2312"] {
            assert_eq!(
                decode_page("<p>梨".as_bytes(), Some(&format!("text/html; charset={label}"))),
                "<p>梨",
                "{label}"
            );
        }
    }

    #[test]
    fn finds_iso_2022_jp_by_its_escape_sequences() {
        let page = b"<p>\x1b$BNS8i\x1b(B 1";
        assert_eq!(decode_page(page, Some("text/html; charset=utf-8")), "<p>林檎 1");
        assert_eq!(decode_page(b"<p>\x1b$Bx\xff", None), "<p>\u{1b}$Bxÿ");
    }

    #[test]
    fn text_in_a_legacy_encoding_is_found_despite_a_few_sequences_of_utf_8() {
        let page = |bytes: &[u8]| decode_page(&[b"<meta charset=utf-8>", bytes].concat(), None)[20..].to_owned();
        let french = "« Le café\u{a0}» – À l’hôtel, un CAFÉ”";
        assert_eq!(page(&WINDOWS_1252.encode(french).0), french);
        let chinese = "名画每天都很美，苹果园里的酶和妹妹，联通";
        assert_eq!(page(&encoding_rs::GBK.encode(chinese).0), chinese);
        let japanese = "春の果樹園にはリンゴの木があります。カタカナ";
        assert_eq!(page(&encoding_rs::SHIFT_JIS.encode(japanese).0), japanese);
        for japanese in ["日本語のニュース", "ゲームソフトのレビューとランキング"] {
            assert_eq!(page(&EUC_JP.encode(japanese).0), japanese);
        }
    }

    #[test]
    fn knows_labels_beyond_the_standard() {
        assert_eq!(for_label("UTF_8").map(Encoding::name), Some("UTF-8"));
        assert_eq!(for_label("x-cp936").map(Encoding::name), Some("GBK"));
        for label in ["MacCyrillic", "mac-cyrillic", "x-MacCyrillic", "x-mac-ukrainian"] {
            assert_eq!(for_label(label).map(Encoding::name), Some("x-mac-cyrillic"), "{label}");
        }
        assert_eq!(for_label("no such label"), None);
    }
}
