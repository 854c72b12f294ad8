//! The words of the search index that are not words of a text: facts about articles, and prefixes of words.

use gleaner_query::{Synonyms, category_key};
use std::collections::HashSet;

/// Words that no text contains, mostly for the column `facts`. The first character gives their kind.
pub(crate) mod fact {
    use gleaner_query::Media;

    /// Every article has it.
    pub const ANY: &str = "\u{e001}";
    /// The article has earlier versions.
    pub const UPDATED: &str = "\u{e002}";
    /// Before a word of the address.
    pub const ADDRESS: char = '\u{e00a}';
    /// Before a word of a note or highlight.
    pub const NOTE: char = '\u{e00e}';
    /// Before a prefix.
    pub const BEGINNING: char = '\u{e00c}';

    pub fn media(media: Media) -> &'static str {
        match media {
            Media::Audio => "\u{e003}",
            Media::Video => "\u{e004}",
            Media::Image => "\u{e005}",
            Media::Enclosure => "\u{e006}",
        }
    }

    pub fn feed(feed: i64) -> String {
        format!("\u{e007}{feed}")
    }

    /// Before a language.
    pub const LANGUAGE: char = '\u{e008}';

    /// Returns the word for a language tag or its first subtags.
    pub fn language(tag: &str) -> String {
        format!("{LANGUAGE}{}", tag.replace('-', "\u{e00b}"))
    }

    /// Returns the language of a word, where that is a primary subtag.
    pub fn language_of(word: &str) -> Option<&str> {
        let tag = word.strip_prefix(LANGUAGE)?;
        ((2..=3).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(tag)
    }

    /// Before the key of a category.
    pub const CATEGORY: char = '\u{e00d}';
    /// Offset of the characters that replace ASCII characters which would end a word of the index.
    const SHIFT: u32 = 0xe100;

    /// Returns the word for a category or a parent of it, by its key.
    pub fn category(key: &str) -> String {
        let shifted =
            |c: char| if c.is_ascii_alphanumeric() { c } else { char::from_u32(u32::from(c) + SHIFT).unwrap_or(c) };
        let shifted = |c: char| if c.is_ascii() { shifted(c) } else { c };
        std::iter::once(CATEGORY).chain(key.chars().map(shifted)).collect()
    }

    /// Returns the key of the category of a word.
    pub fn category_of(word: &str) -> Option<String> {
        let back = |c: char| match u32::from(c).checked_sub(SHIFT) {
            Some(ascii @ 0..0x80) => char::from_u32(ascii).unwrap_or(c),
            _ => c,
        };
        Some(word.strip_prefix(CATEGORY)?.chars().map(back).collect())
    }

    /// Returns the word for a number of words.
    pub fn words(bits: u32) -> String {
        format!("\u{e009}{bits}")
    }
}

/// Returns the number of bits of a number of words: 0 for none, 1 for one, 2 for two and three, …
pub(crate) fn bits(words: u32) -> u32 {
    u32::BITS - words.leading_zeros()
}

/// Number of letters of the prefixes in the index.
pub(crate) const BEGINNING: usize = 3;

/// Returns the prefix of a word that is long enough.
pub(crate) fn first_letters(word: &str) -> Option<&str> {
    word.char_indices().nth(BEGINNING - 1).map(|(last, c)| &word[..last + c.len_utf8()])
}

/// Returns a word as a phrase of FTS5.
pub(crate) fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

/// Returns an expression of FTS5 that one of the parts matches.
pub(crate) fn one_of(parts: &[String]) -> String {
    if let [part] = parts { part.clone() } else { format!("({})", parts.join(" OR ")) }
}

/// Returns the expression for articles in a category: the index has their categories and the parents of these, as their feeds wrote
/// them.
pub(crate) fn in_category(category: &str, synonyms: &Synonyms) -> String {
    let key = category_key(category).unwrap_or_default();
    one_of(&synonyms.asking(&key).iter().map(|key| quoted(&fact::category(key))).collect::<Vec<_>>())
}

/// Words without prefixes in the index.
#[derive(Debug, Clone, Default)]
pub struct CommonWords(HashSet<Box<str>>);

impl CommonWords {
    /// Returns whether a folded word is one of them.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    /// Returns whether there are none yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Box<str>> for CommonWords {
    fn from_iter<T: IntoIterator<Item = Box<str>>>(words: T) -> Self {
        Self(words.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_is_one_word_of_the_index_and_can_be_read_back() {
        for key in ["sci-tech/deep learning", "c++", "\"quoted\"", "ｸﾞﾙﾒ/東京", "a\u{1}b"] {
            let word = fact::category(key);
            assert!(word.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric()), "{word}");
            assert_eq!(fact::category_of(&word).as_deref(), Some(key));
        }
        assert_eq!(fact::category_of("word"), None);
    }

    #[test]
    fn numbers_of_words_are_grouped_by_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 1000, u32::MAX].map(bits), [0, 1, 2, 2, 3, 10, 32]);
    }
}
