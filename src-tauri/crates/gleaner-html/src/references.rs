//! Character references such as `&amp;` and `&#8230;`.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use std::borrow::Cow;

/// Decodes the character references in text as browsers do: some need no semicolon.
#[must_use]
pub fn decode(text: &str) -> Cow<'_, str> {
    htmlize::unescape(text)
}

/// Decodes the character references in an attribute value as browsers do.
#[must_use]
pub fn decode_attribute(value: &str) -> Cow<'_, str> {
    if value.contains('&') { htmlize::unescape_attribute(value) } else { Cow::Borrowed(value) }
}

/// Decodes only the character references that end with a semicolon.
#[must_use]
pub fn decode_terminated(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        match reference(from) {
            Some((characters, length)) => {
                characters.push_to(&mut out);
                rest = &from[length..];
            }
            None => {
                out.push('&');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The one or two characters that a reference stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Characters {
    /// The first character.
    pub first: char,
    /// The second character, of the few references that have two.
    pub second: Option<char>,
}

impl Characters {
    /// Appends the characters to a text.
    pub fn push_to(self, out: &mut String) {
        out.push(self.first);
        out.extend(self.second);
    }
}

/// Reads the character reference at the start of `text`, which begins with `&`. Returns its characters and its length in bytes.
///
/// The semicolon is required: `&copy=2` is part of an address. References to both halves of a surrogate pair are one.
#[must_use]
pub fn reference(text: &str) -> Option<(Characters, usize)> {
    if let Some((first, length)) = surrogate_pair(text) {
        return Some((Characters { first, second: None }, length));
    }
    let rest = text.get(1..)?;
    let end = rest.as_bytes().iter().take(40).position(|b| !b.is_ascii_alphanumeric() && *b != b'#')?;
    if rest.as_bytes().get(end) != Some(&b';') {
        return None;
    }
    let name = rest.get(..end)?;
    let length = end + 2;
    if let Some(number) = name.strip_prefix('#') {
        return Some((Characters { first: numbered(value(number)?), second: None }, length));
    }
    let (first, second) = *NAMED_ENTITIES.get(rest.get(..=end)?)?;
    let first = char::from_u32(first).filter(|c| *c != '\0')?;
    Some((Characters { first, second: char::from_u32(second).filter(|c| *c != '\0') }, length))
}

/// Returns the value of the digits of a numeric reference.
fn value(number: &str) -> Option<u32> {
    match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => number.parse().ok(),
    }
}

/// Reads references to a high and a low surrogate, as programs write that encode UTF-16 unit by unit.
fn surrogate_pair(text: &str) -> Option<(char, usize)> {
    let unit = |text: &str| {
        let number = text.strip_prefix("&#")?;
        let end = number.as_bytes().iter().take(8).position(|b| *b == b';')?;
        let unit = u16::try_from(value(number.get(..end)?)?).ok()?;
        (0xd800..=0xdfff).contains(&unit).then_some((unit, end + 3))
    };
    let (high, length) = unit(text)?;
    let (low, more) = unit(text.get(length..)?)?;
    Some((char::decode_utf16([high, low]).next()?.ok()?, length + more))
}

/// Replaces references to surrogate pairs by their characters; HTML decodes neither half.
#[must_use]
pub fn join_surrogates(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for at in memchr::memchr_iter(b'&', text.as_bytes()) {
        if let Some((character, length)) = text.get(at..).and_then(surrogate_pair) {
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push(character);
            copied = at + length;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// Returns the character of a numeric reference. C1 controls become characters of Windows-1252, as in browsers.
#[must_use]
pub fn numbered(value: u32) -> char {
    let c1 = value.checked_sub(0x80).and_then(|i| C1_REPLACEMENTS.get(i as usize)).copied().flatten();
    c1.or_else(|| char::from_u32(value)).filter(|c| *c != '\0').unwrap_or('\u{fffd}')
}

/// Whether the text has an ampersand that begins no character reference.
#[must_use]
pub fn has_bare_ampersand(text: &str) -> bool {
    text.match_indices('&').any(|(at, _)| reference(&text[at..]).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminated_reference_needs_its_semicolon() {
        assert_eq!(reference("&eacute;x").map(|(c, n)| (c.first, n)), Some(('é', 8)));
        assert_eq!(reference("&#150;").map(|(c, _)| c.first), Some('–'));
        assert_eq!(reference("&copy=1;"), None);
        assert_eq!(reference("&#xD800;").map(|(c, _)| c.first), Some('\u{fffd}'));
        assert_eq!(decode_terminated("?a=1&copy=2&amp;b &eacute;"), "?a=1&copy=2&b é");
        assert!(has_bare_ampersand("a & b") && !has_bare_ampersand("a &amp; b"));
    }

    #[test]
    fn references_to_a_surrogate_pair_are_one_character() {
        assert_eq!(reference("&#55356;&#xDF50;!").map(|(c, n)| (c.first, n)), Some(('🍐', 16)));
        assert_eq!(decode_terminated("a &#xD83C;&#xdf50; &#55356; &#57168;&#55356;"), "a 🍐 \u{fffd} \u{fffd}\u{fffd}");
        assert_eq!(join_surrogates("&#8230; <b>&#55356;&#57168;&#55356;&#57169;</b>"), "&#8230; <b>🍐🍑</b>");
        assert!(matches!(join_surrogates("&#55356; &#8230;"), Cow::Borrowed(_)));
    }

    #[test]
    fn decodes_as_browsers_do() {
        assert_eq!(decode("&copy 1 &lt; &notit;"), "© 1 < ¬it;");
        assert_eq!(decode_attribute("?a&copy=1&amp;b"), "?a&copy=1&b");
    }
}
