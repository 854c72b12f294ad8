//! Escaping of text and attribute values, so that HTML and XML parsers read them back unchanged.

use memchr::memchr3;

/// Appends text as HTML text.
pub fn push_text(out: &mut String, text: &str) {
    push(out, text, |bytes| memchr3(b'&', b'<', b'>', bytes));
}

/// Appends text as the value of an attribute in double quotes.
pub fn push_attribute(out: &mut String, value: &str) {
    push(out, value, |bytes| bytes.iter().position(|b| matches!(b, b'&' | b'<' | b'>' | b'"')));
}

/// Returns text as HTML text.
#[must_use]
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
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
    let out = text(plain.trim());
    if !out.contains('\n') {
        return out;
    }
    out.replace("\r\n", "\n").replace("\n\n", "<br><br>").replace('\n', "<br>\n")
}

/// Appends text with the characters escaped that `find` finds.
fn push(out: &mut String, text: &str, find: impl Fn(&[u8]) -> Option<usize>) {
    let mut rest = text;
    while let Some(at) = find(rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => "&quot;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
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
    fn keeps_the_line_breaks_of_plain_text() {
        assert_eq!(lines(" a < b "), "a &lt; b");
        assert_eq!(lines("a\r\nb\n\nc"), "a<br>\nb<br><br>c");
    }
}
