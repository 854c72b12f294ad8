//! Texts of publishers outside of the window's own pages: notifications and file names.

/// Whether a character embeds, overrides or isolates the direction of text (Unicode Standard Annex 9, section 2), or is a deprecated one
/// for this: if it is not closed, the text around it is reordered. Direction marks affect only their neighbours, so they are not included.
#[must_use]
pub fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

/// Returns a text on one line, without control characters and controls of direction.
pub(crate) fn one_line(text: &str) -> String {
    let plain: String =
        text.chars().filter(|c| !is_bidi_control(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    gleaner_query::one_line(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_words_and_no_controls() {
        assert_eq!(one_line("a\u{202e}fdp\u{2066}\n b\u{9b}31m\u{1b}[2J\u{2028}c"), "afdp b 31m [2J c");
        assert_eq!(one_line("שלום\u{200f} עולם"), "שלום\u{200f} עולם");
    }
}
