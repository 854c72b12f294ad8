//! The start of an article's running text, for descriptions of it.

use crate::text::{excerpt, plain_text, text_of};

/// Returns the start of the running text of sanitised HTML on one line, at most `characters` long including the ellipsis: without headings,
/// unless there is nothing else.
#[must_use]
pub fn summary(html: &str, characters: usize) -> String {
    let text = text_of(html, false);
    let text = if text.trim().is_empty() { plain_text(html) } else { text };
    excerpt(&text, characters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_no_headings_unless_there_is_nothing_else() {
        assert_eq!(summary("<h1>Page</h1><p>One</p><h2>More <em>of it</em></h2><p>two</p>", 20), "One two");
        assert_eq!(summary("<p>One</p><h2>More</h2>two, three", 9), "One two…");
        assert_eq!(summary("<h1>Page</h1>", 20), "Page");
    }
}
