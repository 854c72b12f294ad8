//! Counts words, also of scripts without spaces.

use unicode_segmentation::UnicodeSegmentation;

/// Returns the number of words in a plain text; each ideograph and kana counts as one.
///
/// Thai, Lao, Khmer and Burmese are written without spaces: five of their letters count as a word.
#[must_use]
pub fn word_count(text: &str) -> u32 {
    let (words, single) = count_words_and_ideographs(text);
    u32::try_from(words + single).unwrap_or(u32::MAX)
}

/// Returns the reading time in minutes at 230 words or 500 ideographs a minute; at least one if there is text.
#[must_use]
pub fn reading_minutes(text: &str) -> u32 {
    let (words, signs) = count_words_and_ideographs(text);
    let minutes = (words * 500 + signs * 230).div_ceil(230 * 500);
    u32::try_from(minutes).unwrap_or(u32::MAX)
}

fn count_words_and_ideographs(text: &str) -> (usize, usize) {
    let (mut words, mut signs, mut unspaced) = (0, 0, 0_usize);
    // Words never contain white space.
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, length) = ascii_piece(rest.as_bytes());
        match piece {
            Piece::Nothing => {}
            Piece::Word => words += 1,
            Piece::Other => {
                for word in rest[..length].unicode_words() {
                    if word.is_ascii() {
                        words += 1;
                        continue;
                    }
                    let ideographs = word.chars().filter(|c| is_ideograph(*c)).count();
                    let letters = word.chars().filter(|c| is_southeast_asian(*c)).count();
                    signs += ideographs;
                    unspaced += letters;
                    words += usize::from(ideographs == 0 && letters == 0);
                }
            }
        }
        rest = rest.get(length + 1..).unwrap_or_default();
    }
    (words + unspaced.div_ceil(5), signs)
}

/// The text between two white spaces.
enum Piece {
    /// No word.
    Nothing,
    /// One word of ASCII letters and digits, perhaps with punctuation around it: the most common case.
    Word,
    /// Anything else, which needs segmentation.
    Other,
}

/// The class of a byte in [`ascii_piece`].
#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// An ASCII letter or digit.
    Letter,
    /// ASCII punctuation that ends a word.
    Around,
    /// ASCII white space.
    Space,
    /// Anything else.
    Other,
}

/// The class of each byte: one lookup instead of several comparisons, for every byte of every article.
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'\t'..=b'\r' | b' ' => Class::Space,
            b'_' => Class::Other,
            _ if byte.is_ascii_alphanumeric() => Class::Letter,
            _ if byte.is_ascii_punctuation() => Class::Around,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Returns the piece at the start of a text, and its length up to the next ASCII white space.
fn ascii_piece(bytes: &[u8]) -> (Piece, usize) {
    let is = |class: Class| move |byte: u8| CLASSES[usize::from(byte)] == class;
    let start = run(bytes, is(Class::Around));
    let letters = run(&bytes[start..], is(Class::Letter));
    let end = start + letters + run(&bytes[start + letters..], is(Class::Around));
    let rest = run(&bytes[end..], |byte| CLASSES[usize::from(byte)] != Class::Space);
    let piece = match (letters, rest) {
        (0, 0) => Piece::Nothing,
        (_, 0) => Piece::Word,
        _ => Piece::Other,
    };
    (piece, end + rest)
}

/// Returns the number of bytes of this kind at the start.
pub(super) fn run(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !is(*byte)).unwrap_or(bytes.len())
}

pub(crate) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}' | '々' | '〆')
}

fn is_southeast_asian(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

pub(super) fn is_unspaced(c: char) -> bool {
    is_ideograph(c) || is_southeast_asian(c) || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}')
}
