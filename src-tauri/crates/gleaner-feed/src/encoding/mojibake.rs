//! Repairs UTF-8 that was decoded as Windows-1252 or Latin-1 and encoded again. Only if certain: every non-ASCII
//! character of the document must belong to such a sequence, and one of them must not be text on its own, unlike `É’` in
//! `CAFÉ’S`.

use encoding_rs::{Encoding, WINDOWS_1252};

/// Whether a character is left by programs that join or cut files, and is not text: a byte order mark or a noncharacter.
fn is_residue(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns the original text; `None` if it was not encoded twice. Byte order marks within it, of files that a program joined, and
/// noncharacters are removed.
pub(super) fn repair(text: &str) -> Option<String> {
    let first = Encoding::ascii_valid_up_to(text.as_bytes());
    // A quick and mostly sufficient check: the first non-ASCII character must be a lead byte, and another byte must follow.
    let mut rest = text.get(first..)?.chars().filter(|c| !is_residue(*c)).skip_while(char::is_ascii);
    let (lead, next) = (byte_of(rest.next()?)?, byte_of(rest.next()?)?);
    if !(0xc2..=0xf4).contains(&lead) || !(0x80..=0xbf).contains(&next) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars().filter(|c| !is_residue(*c)) {
        bytes.push(byte_of(c)?);
    }
    let repaired = String::from_utf8(bytes).ok()?;
    is_certain(&repaired).then_some(repaired)
}

/// Minimum number of characters in a part of a document that were encoded twice, while the rest of it was not.
const MIN_CHARACTERS: usize = 4;
/// Beginnings of words in articles that may mention such text.
#[rustfmt::skip]
const SUBJECTS: [&str; 20] = [
    "1252", "8859", "accent", "akzent", "ansi", "broken", "charact", "charset", "codepage", "collation", "encod", "garbled", "latin-1", "latin1",
    "mojibake", "special", "umlaut", "unicode", "utf", "zeichen",
];

/// Whether a text may be about text that was encoded twice.
pub(super) fn is_about_encodings(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    SUBJECTS.iter().any(|subject| {
        lower
            .match_indices(subject)
            .any(|(at, _)| !lower.get(..at).unwrap_or_default().ends_with(char::is_alphanumeric))
    })
}

/// Returns the original text of a part of a document, such as a post of another site; `None` if it was not encoded twice. An
/// article may mention such text, so there must be more of it, within words.
pub(super) fn repair_part(text: &str) -> Option<String> {
    let repaired = repair(text)?;
    let (all, in_words) = repaired_characters(&repaired);
    (all >= MIN_CHARACTERS && in_words * 2 >= all).then_some(repaired)
}

/// Whether texts that were repaired together exclude a coincidence. Nearly all of their characters are in words, unlike those in
/// articles about such text.
pub(super) fn are_certain(repaired: &str) -> bool {
    let (all, in_words) = repaired_characters(repaired);
    all >= MIN_CHARACTERS && in_words * 4 >= all * 3
}

/// Returns the number of characters beyond ASCII, and of those in words.
fn repaired_characters(repaired: &str) -> (usize, usize) {
    let mut before = ' ';
    let (mut all, mut in_words) = (0, 0);
    let mut characters = repaired.chars().peekable();
    while let Some(c) = characters.next() {
        if !c.is_ascii() {
            let after = characters.peek().copied().unwrap_or(' ');
            all += 1;
            in_words += usize::from(before.is_alphabetic() || after.is_alphabetic());
        }
        before = c;
    }
    (all, in_words)
}

/// Whether the repaired text has a character whose bytes, as characters, would not occur in other text.
fn is_certain(repaired: &str) -> bool {
    let mut after_small = false;
    repaired.chars().any(|c| {
        let mut buffer = [0; 4];
        let certain = match *c.encode_utf8(&mut buffer).as_bytes() {
            // No word ends with Â.
            [0xc2, _] => true,
            // A capital before a sign, but not within a word.
            [0xc3..=0xc5 | 0xce..=0xd3 | 0xd7..=0xdb, sign] => after_small || !follows_words(sign),
            // â and a sign, most often €: typographic signs.
            [0xe2, _, _] => true,
            // A small letter before two signs.
            [_, one, other] => !follows_words(one) || !follows_words(other),
            [_, _, _, _] => true,
            _ => false,
        };
        after_small = c.is_ascii_lowercase();
        certain
    })
}

/// Whether the sign that Windows-1252 has at this byte is usual after a word: quotation marks, dashes, ellipsis, no-break
/// space, raised signs.
fn follows_words(byte: u8) -> bool {
    matches!(
        byte,
        0x82 | 0x84 | 0x85 | 0x8b | 0x91
            ..=0x97 | 0x99 | 0x9b | 0xa0 | 0xab | 0xae | 0xb0 | 0xb2 | 0xb3 | 0xb7 | 0xb9 | 0xbb
    )
}

/// Returns the byte of a character in Windows-1252, else in Latin-1.
fn byte_of(c: char) -> Option<u8> {
    if let Ok(byte) = u8::try_from(u32::from(c)) {
        return Some(byte);
    }
    let mut buffer = [0; 4];
    let (encoded, _, unmappable) = WINDOWS_1252.encode(c.encode_utf8(&mut buffer));
    match (&*encoded, unmappable) {
        ([byte], false) => Some(*byte),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_text_that_was_encoded_twice() {
        assert_eq!(repair("dÃ©jÃ\u{a0} vu â€” Â«").as_deref(), Some("déjà vu — «"));
        assert_eq!(repair("a \u{feff}<b>dÃ©jÃ\u{a0}\u{feff} vu").as_deref(), Some("a <b>déjà vu"));
        assert_eq!(repair("\u{fffe}dÃ©jÃ\u{a0} vu\u{ffff}").as_deref(), Some("déjà vu"));
        assert_eq!(repair("plain"), None);
        assert_eq!(repair("\u{feff}plain\u{feff}"), None);
        assert_eq!(repair("SÃO PAULO é"), None);
        assert_eq!(repair("日本 Ã©"), None);
        for (twice, once) in
            [("Itâ€™s", "It’s"), ("voilÃ\u{a0}", "voilà"), ("20Â°C", "20°C"), ("æ—¥", "日"), ("Ð¡Ñ‹Ñ€", "Сыр")]
        {
            assert_eq!(repair(twice).as_deref(), Some(once));
        }
    }

    #[test]
    fn a_part_needs_several_characters_in_words() {
        let part = "Itâ€™s dÃ©jÃ\u{a0} vu: donâ€™t go to the cafÃ©";
        assert_eq!(repair_part(part).as_deref(), Some("It’s déjà vu: don’t go to the café"));
        for text in [
            "Itâ€™s dÃ©jÃ\u{a0} vu",
            "“Itâ€™s dÃ©jÃ\u{a0} vu: donâ€™t go to the cafÃ©”",
            "Signs such as â€™, â€“, Â» and â€œ in my pages",
        ] {
            assert_eq!(repair_part(text), None, "{text}");
        }
    }

    #[test]
    fn texts_about_encodings_are_recognised() {
        for text in
            ["Why UTF-8 shows itâ€™s", "Accents are broken", "I set ISO-8859-1", "Statt der Umlaute steht MÃ¼ller"]
        {
            assert!(is_about_encodings(text), "{text}");
        }
        assert!(!is_about_encodings("Itâ€™s dÃ©jÃ\u{a0} vu"));
    }

    #[test]
    fn a_letter_before_a_sign_is_no_proof() {
        for text in [
            "ROSÉ’S",
            "CAFÉ\u{a0}: MENÜ\u{a0}1",
            "CAFÉ”, MENÜ…",
            "ROSÉ™",
            "MAMÃ…",
            "groß\u{a0}",
            "né\u{a0}»",
            "né…”",
            "CAFÉ²",
        ] {
            assert_eq!(repair(text), None, "{text}");
        }
    }
}
