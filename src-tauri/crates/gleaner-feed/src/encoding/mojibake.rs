//! UTF-8 that was taken for Windows-1252 or Latin-1 and encoded once more. Mended only when certain: when every character
//! beyond ASCII in the whole document belongs to such a sequence.

use encoding_rs::WINDOWS_1252;

/// The text as it was before it was encoded twice; `None` when it was not.
pub(super) fn mend(text: &str) -> Option<String> {
    let first = text.find(|c: char| !c.is_ascii())?;
    // Cheap and mostly decisive: the first foreign character must be the first byte of a sequence.
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

/// The byte that Windows-1252 or, for what that leaves out, Latin-1 has for a character.
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
    fn twice_is_once_too_often() {
        assert_eq!(mend("dÃ©jÃ\u{a0} vu â€” Â«").as_deref(), Some("déjà vu — «"));
        assert_eq!(mend("plain"), None);
        assert_eq!(mend("SÃO PAULO é"), None);
        assert_eq!(mend("日本 Ã©"), None);
    }
}
