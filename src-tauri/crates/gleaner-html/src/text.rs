//! Puts plain text of documents on one line.

/// Returns a text on one line: white space of any kind as one blank each, and none at its ends.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_text_on_one_line() {
        assert_eq!(one_line(" a\r\n\tb\u{a0} \u{2003}c\u{3000}"), "a b c");
        assert_eq!(one_line("one word"), "one word");
        assert_eq!(one_line(" \n\u{2028} "), "");
        // These have no width, but are not white space.
        assert_eq!(one_line("a\u{200b}b\u{feff}"), "a\u{200b}b\u{feff}");
    }
}
