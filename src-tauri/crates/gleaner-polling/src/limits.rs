//! The maximum lengths of the single-line values that are stored from feeds. Lists, searches and exports read these for many articles at
//! once, so a hostile feed must not make them megabytes long. The texts of articles have no such limit. Pure.

/// Maximum length of a title, in characters. Lists and searches show whole titles.
pub(crate) const TITLE: usize = 2000;
/// Maximum length of the names of authors, in characters. Papers of physicists have thousands of authors.
pub(crate) const AUTHOR: usize = 50_000;
/// Maximum length of a category, in characters.
pub(crate) const CATEGORY: usize = 1000;
/// Maximum length of a language tag, in characters; RFC 5646 (section 4.4.1) recommends 35.
pub(crate) const LANGUAGE: usize = 100;
/// Maximum length of a MIME type, in characters; RFC 6838 (section 4.2) allows 255.
pub(crate) const MIME_TYPE: usize = 300;
/// Maximum length of a feed's description, in characters.
pub(crate) const DESCRIPTION: usize = 20_000;
/// Maximum length of an address, in bytes. Servers refuse addresses of more than 8 or 16 kilobytes.
pub(crate) const URL: usize = 64 << 10;

/// Returns a line of text as it is stored: one of more than `most` characters is cut.
pub(crate) fn line(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => gleaner_content::excerpt(text, most),
    }
}

/// Returns an address as it is stored; `None` if it is too long for any server.
pub(crate) fn url(url: Option<&str>) -> Option<String> {
    url.filter(|url| url.len() <= URL).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_very_long_lines() {
        let long = "plum ".repeat(TITLE / 5);
        assert_eq!(line(&long, TITLE), long);
        for long in ["plum ".repeat(100_000), "x".repeat(TITLE + 1)] {
            let cut = line(&long, TITLE);
            assert!(cut.ends_with('…') && cut.chars().count() <= TITLE);
        }
    }

    #[test]
    fn drops_addresses_that_no_server_answers() {
        let long = |length| format!("https://a.example/{}", "a".repeat(length));
        assert_eq!(url(Some(&long(8000))), Some(long(8000)));
        assert_eq!(url(Some(&long(URL))), None);
    }
}
