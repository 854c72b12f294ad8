//! Escaping of text and attribute values, so that HTML and XML parsers read them back unchanged.

use memchr::{memchr, memchr_iter, memchr3};

/// Length in bytes from which the space for an escaped text is reserved: it may be five times as long, and is copied whenever it outgrows its space.
const LONG: usize = 64 << 10;

/// Appends text as HTML text.
pub fn push_text(out: &mut String, text: &str) {
    push(out, text, markup_in_text);
}

/// Returns the position of the first character that is escaped in text.
fn markup_in_text(bytes: &[u8]) -> Option<usize> {
    memchr3(b'&', b'<', b'>', bytes)
}

/// Appends text as the value of an attribute in double quotes.
pub fn push_attribute(out: &mut String, value: &str) {
    push(out, value, |bytes| bytes.iter().position(|b| matches!(b, b'&' | b'<' | b'>' | b'"')));
}

/// Returns text as HTML text.
#[must_use]
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONG));
    push_text(&mut out, text);
    out
}

/// Returns text as the value of an attribute in double quotes. It is safe as HTML text, too.
#[must_use]
pub fn attribute(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    push_attribute(&mut out, value);
    out
}

/// Returns plain text as HTML, with its line breaks as `<br>`.
#[must_use]
pub fn lines(plain: &str) -> String {
    let plain = plain.trim();
    let breaks = memchr_iter(b'\n', plain.as_bytes()).count();
    if breaks == 0 {
        return text(plain);
    }
    let mut out = String::with_capacity(escaped_length(plain, markup_in_text) + breaks * ("<br>\n".len() - 1));
    let mut rest = plain;
    while let Some(at) = memchr(b'\n', rest.as_bytes()) {
        let line = &rest[..at];
        push_text(&mut out, line.strip_suffix('\r').unwrap_or(line));
        rest = &rest[at + 1..];
        let second = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'));
        out.push_str(if second.is_some() { "<br><br>" } else { "<br>\n" });
        rest = second.unwrap_or(rest);
    }
    push_text(&mut out, rest);
    out
}

/// Appends text with the characters escaped that `find` finds.
fn push(out: &mut String, text: &str, find: impl Fn(&[u8]) -> Option<usize>) {
    if text.len() >= LONG {
        out.reserve(escaped_length(text, &find));
    }
    let mut rest = text;
    while let Some(at) = find(rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push_str(escaped(rest.as_bytes()[at]));
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

/// Returns the length of a text with the characters escaped that `find` finds.
fn escaped_length(text: &str, find: impl Fn(&[u8]) -> Option<usize>) -> usize {
    let (mut rest, mut length) = (text.as_bytes(), text.len());
    while let Some(at) = find(rest) {
        length += escaped(rest[at]).len() - 1;
        rest = &rest[at + 1..];
    }
    length
}

/// Returns the reference that stands for a character.
fn escaped(byte: u8) -> &'static str {
    match byte {
        b'&' => "&amp;",
        b'<' => "&lt;",
        b'>' => "&gt;",
        _ => "&quot;",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_text_and_attribute_values() {
        assert_eq!(text("a\"b<c>&amp;é"), "a\"b&lt;c&gt;&amp;amp;é");
        assert_eq!(attribute("a\"b<c>&amp;é"), "a&quot;b&lt;c&gt;&amp;amp;é");
    }

    #[test]
    fn a_long_text_takes_no_more_space_than_its_length() {
        for part in ["&", "a<b>", "plums"] {
            let out = text(&part.repeat(LONG));
            assert_eq!(out.capacity(), out.len(), "{part}");
        }
    }

    #[test]
    fn keeps_the_line_breaks_of_plain_text() {
        assert_eq!(lines(" a < b "), "a &lt; b");
        assert_eq!(lines("a\r\nb\n\nc"), "a<br>\nb<br><br>c");
        assert_eq!(lines("a\n\r\n\nb & \r\r\nc"), "a<br><br><br>\nb &amp; \r<br>\nc");
        let long = lines(&"a &\n\n".repeat(LONG));
        assert!(long.ends_with("<br><br>a &amp;") && long.capacity() <= long.len() / 7 * 8, "{}", long.capacity());
    }
}
