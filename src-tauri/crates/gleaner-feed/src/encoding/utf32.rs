//! Decodes UTF-32, which the Encoding Standard omits but some feeds use.

/// Returns the text and the encoding's name, if the bytes are UTF-32.
pub(super) fn decode(bytes: &[u8]) -> Option<(String, &'static str)> {
    let (little, rest) = match bytes {
        [0xff, 0xfe, 0, 0, rest @ ..] => (true, rest),
        [0, 0, 0xfe, 0xff, rest @ ..] => (false, rest),
        [b'<' | b' ' | b'\n', 0, 0, 0, _, 0, 0, 0, ..] => (true, bytes),
        [0, 0, 0, b'<' | b' ' | b'\n', 0, 0, 0, ..] => (false, bytes),
        _ => return None,
    };
    let units = rest.chunks_exact(4).filter_map(|unit| <[u8; 4]>::try_from(unit).ok());
    let units = units.map(|unit| if little { u32::from_le_bytes(unit) } else { u32::from_be_bytes(unit) });
    let text: String = units.map(|unit| char::from_u32(unit).unwrap_or('\u{fffd}')).collect();
    // The bytes of another encoding are no characters.
    let is_other = text.chars().take(16).filter(|c| *c == '\u{fffd}').count() > 8;
    (!text.is_empty() && !is_other).then_some((text, if little { "utf-32le" } else { "utf-32be" }))
}
