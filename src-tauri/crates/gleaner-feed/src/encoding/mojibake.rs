//! Repairs UTF-8 that was decoded as Windows-1252 or Latin-1 and encoded again. Only if certain: every non-ASCII
//! character of the document must belong to such a sequence.

use encoding_rs::{Encoding, WINDOWS_1252};

/// Returns the original text; `None` if it was not encoded twice.
pub(super) fn repair(text: &str) -> Option<String> {
    let first = Encoding::ascii_valid_up_to(text.as_bytes());
    // A quick and mostly sufficient check: the first non-ASCII character must be a lead byte.
    let lead = byte_of(text.get(first..)?.chars().next()?)?;
    if !(0xc2..=0xf4).contains(&lead) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        bytes.push(byte_of(c)?);
    }
    String::from_utf8(bytes).ok()
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
        assert_eq!(repair("plain"), None);
        assert_eq!(repair("SÃO PAULO é"), None);
        assert_eq!(repair("日本 Ã©"), None);
    }
}
