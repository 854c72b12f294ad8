//! Names of months and of parts of the day that are other words in most languages, or names of other months. They count in a feed in their
//! own language, next to a number.

use super::{
    Token::{self, Number, Sign, Word},
    is_passed_over, vocabulary,
};
use std::{collections::HashMap, sync::LazyLock};

/// The names of each language, one line for each, with the English word that they are read as: those of CLDR that `months.txt` and
/// `meridians.txt` do not have, or not with this meaning.
const NAMES: &str = include_str!("local.txt");

/// Maximum number of words in a name.
const MAX_WORDS: usize = 8;
/// Maximum number of tokens between a name and its number.
const MAX_DISTANCE: usize = 4;

/// The names of a language, and what they are read as.
pub(crate) type Names = HashMap<&'static str, &'static str>;

static NAMES_OF_LANGUAGE: LazyLock<HashMap<&str, Names>> = LazyLock::new(|| {
    let lines = NAMES.lines().filter_map(|line| line.split_once(';'));
    lines
        .map(|(language, names)| (language, names.split(';').filter_map(|pair| pair.split_once('=')).collect()))
        .collect()
});

/// For the first word of each name, the languages that have it.
static LANGUAGES_OF_WORD: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, Vec<&str>> = HashMap::new();
    for (language, names) in NAMES_OF_LANGUAGE.iter() {
        for word in names.keys().filter_map(|name| name.split(' ').next()) {
            languages.entry(word).or_default().push(language);
        }
    }
    languages
});

/// Returns the language of a tag, without country and script, if it has names of its own.
pub(super) fn names(tag: &str) -> Option<(&'static str, &'static Names)> {
    let language = tag.split(['-', '_']).next()?;
    NAMES_OF_LANGUAGE.get_key_value(language).map(|(language, names)| (*language, names))
}

/// Returns the languages in which a date may mean something else.
pub(super) fn languages(tokens: &[Token<'_>]) -> impl Iterator<Item = &'static str> {
    // Nearly all dates have only the words of RFC 822.
    let words = super::words(tokens).filter(|word| !vocabulary::RFC_822.contains(word));
    words.filter_map(|word| LANGUAGES_OF_WORD.get(word)).flatten().copied()
}

/// Replaces the names of a language by English words.
pub(super) fn rewrite<'t>(tokens: &[Token<'t>], names: &Names) -> Vec<Token<'t>> {
    let mut list = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let (token, length) = match name_at(tokens, at, names) {
            Some((word, length)) => (Word(word), length),
            None => (*token, 1),
        };
        list.push(token);
        at += length;
    }
    list
}

/// Returns what the longest name that begins at `at` is read as, and the number of its tokens.
fn name_at(tokens: &[Token<'_>], at: usize, names: &Names) -> Option<(&'static str, usize)> {
    let mut name = String::new();
    let (mut found, mut words) = (None, 0);
    for (length, token) in (1..).zip(tokens.get(at..)?) {
        match token {
            Word(word) if words < MAX_WORDS => {
                if words > 0 {
                    name.push(' ');
                }
                name.push_str(word);
                words += 1;
                found = names.get(name.as_str()).map(|meaning| (*meaning, length)).or(found);
            }
            Sign('\'' | '’' | '.' | '-') if words > 0 => {}
            _ => break,
        }
    }
    found.filter(|(meaning, length)| {
        let is_month = vocabulary::RFC_822.contains(meaning);
        let is_between =
            |token: &&Token<'_>| if is_month { is_passed_over(token) } else { matches!(token, Sign('.' | ',')) };
        let (before, rest) = tokens.split_at(at);
        let before = before.iter().rev().take(MAX_DISTANCE).find(|token| !is_between(token));
        let after = rest.iter().skip(*length).take(MAX_DISTANCE).find(|token| !is_between(token));
        [before, after].iter().any(|token| matches!(token, Some(Number { .. })))
    })
}
