//! Quotation marks, and signs that are not indexed.

/// Returns the quotation marks that close one; none for other characters.
pub(crate) fn closing(open: char) -> &'static [char] {
    match open {
        '"' => &['"'],
        '“' | '”' | '„' | '‟' => &['"', '“', '”', '„', '‟'],
        '«' => &['»'],
        '»' => &['«', '»'],
        '「' => &['」'],
        '『' => &['』'],
        _ => &[],
    }
}

/// Whether the text starts with a quotation mark. Signs that are also separators, as in "News » Weather", are ignored unless closed.
pub(crate) fn opens_quote(text: &str) -> bool {
    let Some(open) = text.chars().next() else { return false };
    let inside = &text[open.len_utf8()..];
    match open {
        '"' | '“' | '”' | '„' | '‟' => true,
        '»' if inside.starts_with(char::is_whitespace) => false,
        open => inside.contains(closing(open)),
    }
}

/// As [`opens_quote`], in version 0.2.0.
pub(crate) fn opens_former_quote(text: &str) -> bool {
    text.starts_with(['"', '“', '”', '„', '‟'])
}

/// Whether a character is a sign that users may search for, but that the index does not contain.
pub(crate) fn is_sign(c: char) -> bool {
    matches!(c, '#' | '$' | '%' | '&' | '+' | '<'..='>' | '@' | '^' | '`' | '|' | '~' | '¢'..='©' | '¬' | '®'..='±' | '×' | '÷'
        | '\u{20a0}'..='\u{20cf}' | '\u{2100}'..='\u{2bff}')
}
