//! UTF-8 with broken bytes: how likely it is, and its text.

use encoding_rs::Encoding;

/// The evidence for UTF-8, and for a legacy encoding.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Evidence {
    pub(super) utf8: usize,
    pub(super) legacy: usize,
}

/// A part of the bytes.
enum Piece<'b> {
    /// A run of ASCII.
    Ascii(&'b str),
    /// A valid sequence.
    Valid(&'b str),
    /// Two surrogates, each encoded as a sequence of its own (CESU-8).
    Pair(char),
    /// The first bytes of a sequence, at least two, or one surrogate.
    Cut(&'b [u8]),
    /// A byte that is in no sequence.
    Stray(u8),
}

/// Weighs each piece by how rare it is in text of another encoding.
///
/// A letter before a sign in Windows-1252 can be a valid sequence of two bytes, hardly one of three. A lone lead byte below
/// E0 is a capital there, a lone no-break space is typical of UTF-8 that a program edited byte by byte.
pub(super) fn evidence(bytes: &[u8]) -> Evidence {
    let mut evidence = Evidence::default();
    for_each_piece(bytes, |piece| match piece {
        Piece::Valid(text) => {
            evidence.utf8 += match *text.as_bytes() {
                // A no-break space before a French quotation mark.
                [_, 0xa0, _] | [_, _] => 2,
                [_, _, _] => 4,
                _ => 6,
            };
        }
        Piece::Pair(_) => evidence.utf8 += 6,
        // Only UTF-8 has sequences like those of typographic signs and emoji.
        Piece::Cut([0xe2, 0x80] | [0xf0, 0x9f, ..]) => evidence.utf8 += 2,
        Piece::Ascii(_) | Piece::Cut(_) => {}
        Piece::Stray(0xa0 | 0xc2..=0xdf) => evidence.legacy += 1,
        Piece::Stray(_) => evidence.legacy += 2,
    });
    evidence
}

/// Decodes UTF-8. Stray bytes are read in a single-byte encoding.
pub(super) fn decode(bytes: &[u8], strays: &'static Encoding) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for_each_piece(bytes, |piece| match piece {
        Piece::Ascii(valid) | Piece::Valid(valid) => text.push_str(valid),
        Piece::Pair(character) => text.push(character),
        Piece::Cut(_) => text.push('\u{fffd}'),
        Piece::Stray(byte) => text.push_str(&strays.decode_without_bom_handling(&[byte]).0),
    });
    text
}

/// Calls `found` with each run of ASCII, and with each character and each broken part between them.
fn for_each_piece<'b>(bytes: &'b [u8], mut found: impl FnMut(Piece<'b>)) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, length) = first_piece(rest);
        found(piece);
        rest = rest.get(length..).unwrap_or(&[]);
    }
}

fn first_piece(bytes: &[u8]) -> (Piece<'_>, usize) {
    let ascii = Encoding::ascii_valid_up_to(bytes);
    if let Some(text) = bytes.get(..ascii).filter(|ascii| !ascii.is_empty()) {
        return (Piece::Ascii(str::from_utf8(text).unwrap_or_default()), ascii);
    }
    if let Some(unit) = surrogate(bytes) {
        let low = bytes.get(3..).and_then(surrogate);
        let pair = low.and_then(|low| char::decode_utf16([unit, low]).next()?.ok());
        return match pair {
            Some(character) => (Piece::Pair(character), 6),
            None => (Piece::Cut(bytes.get(..3).unwrap_or(bytes)), 3),
        };
    }
    let head = bytes.get(..4).unwrap_or(bytes);
    let Some(chunk) = head.utf8_chunks().next() else { return (Piece::Stray(0), 1) };
    if let Some(first) = chunk.valid().chars().next() {
        let length = first.len_utf8();
        return (Piece::Valid(chunk.valid().get(..length).unwrap_or_default()), length);
    }
    match chunk.invalid() {
        [byte] => (Piece::Stray(*byte), 1),
        cut => (Piece::Cut(cut), cut.len()),
    }
}

/// Reads a surrogate that is encoded like a character of three bytes.
fn surrogate(bytes: &[u8]) -> Option<u16> {
    match *bytes {
        [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ..] => {
            Some(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f))
        }
        _ => None,
    }
}
