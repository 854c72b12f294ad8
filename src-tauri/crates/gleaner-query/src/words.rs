//! Splits text into words. Words consist of letters and digits of any script; case, accents and width are ignored. Scripts without spaces
//! (and Korean, where users search for parts of words) are split into overlapping pairs of characters and the last single character. So any
//! part of a run of such characters is found as a phrase of pairs.
//!
//! An index must store the words unchanged, separated by spaces, without further folding or splitting.

use std::ops::Range;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Separates tags, so that no phrase spans two of them. It is never a word of a text.
pub const BETWEEN: &str = "\u{e000}";

/// Maximum length of a word in characters; longer ones are truncated.
const MAX_WORD: usize = 64;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The folded word.
    pub text: String,
    /// Byte range in the original text.
    pub range: Range<usize>,
    /// End of the first character of a pair.
    first: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    /// Two adjacent characters of a run.
    Pair,
    /// The last character of a run of several.
    Last,
    /// The only character of a run.
    Only,
}

/// Returns the words of a text in order.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for_each_word(text, |text, range, first, kind| words.push(Word { text: text.to_owned(), range, first, kind }));
    words
}

/// Appends the words of a text, separated by spaces.
pub fn write(text: &str, out: &mut String) {
    for_each_word(text, |word, _, _, _| {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    });
}

/// Returns the searchable part of an address: without scheme and `www.`.
#[must_use]
pub fn of_address(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.strip_prefix("www.").unwrap_or(rest)
}

/// A sequence of words to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// The folded words; never empty.
    pub words: Vec<String>,
    /// Whether the last word is a prefix.
    pub prefix: bool,
}

impl Phrase {
    /// Makes a phrase; `None` if the text has no words. A `prefix` of one letter is searched as a word, since as a prefix it
    /// would match too much.
    #[must_use]
    pub fn of(text: &str, prefix: bool) -> Option<Self> {
        let mut found = words(text);
        let last = found.last()?;
        let prefix = match last.kind {
            Kind::Word => prefix && last.text.chars().nth(1).is_some(),
            Kind::Pair => false,
            // The run may continue in the text, and its last pair already contains this character.
            Kind::Last => {
                found.pop();
                false
            }
            // A single character is the start of a pair, or the last one of a run.
            Kind::Only => true,
        };
        Some(Self { words: found.into_iter().map(|word| word.text).collect(), prefix })
    }

    /// Returns the byte ranges of its occurrences in the original text.
    pub fn find(&self, text: &[Word]) -> impl Iterator<Item = Range<usize>> {
        text.windows(self.words.len()).filter(|window| self.is(window)).map(|window| self.range(window))
    }

    /// Whether a text contains it.
    #[must_use]
    pub fn is_in(&self, text: &[Word]) -> bool {
        text.windows(self.words.len()).any(|window| self.is(window))
    }

    /// Whether a text that is not split into words contains it. Fast, since most texts do not even contain the letters.
    #[must_use]
    pub fn is_in_text(&self, text: &str) -> bool {
        let has = |word: &String| {
            let letters = word.trim_end_matches(SYMBOLS).as_bytes();
            text.as_bytes().windows(letters.len().max(1)).any(|part| part.eq_ignore_ascii_case(letters))
        };
        (!text.is_ascii() || self.words.iter().all(has)) && self.is_in(&words(text))
    }

    /// Returns the byte range of an occurrence. If only the first character of a pair matches, the range ends after it.
    fn range(&self, found: &[Word]) -> Range<usize> {
        let end = found
            .last()
            .map_or(0, |last| if self.prefix && last.kind == Kind::Pair { last.first } else { last.range.end });
        found.first().map_or(end, |first| first.range.start)..end
    }

    fn is(&self, window: &[Word]) -> bool {
        let Some((last, rest)) = self.words.split_last() else { return false };
        let Some((end, start)) = window.split_last() else { return false };
        let ends = if self.prefix { end.text.starts_with(last.as_str()) } else { end.text == *last };
        ends && rest.iter().zip(start).all(|(wanted, word)| *wanted == word.text)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    /// A character of a script that is split into pairs.
    Dense,
    /// A symbol that is a word of its own.
    Symbol,
    /// An ignored character.
    Ignored,
    Other,
}

fn class(c: char) -> Class {
    match c {
        '0'..='9' | 'a'..='z' | 'A'..='Z' => Class::Letter,
        '\0'..='\x7f' => Class::Other,
        // Soft hyphen, zero-width space and joiners, tatweel, variation selectors, byte order mark.
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{640}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => Class::Ignored,
        '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' => Class::Symbol,
        _ if !c.is_alphanumeric() => Class::Other,
        '\u{e00}'..='\u{eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' // Myanmar
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7ff}' | '\u{ffa0}'..='\u{ffdc}' // Hangul
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{312f}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' // kana, bopomofo
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => Class::Dense,
        _ => Class::Letter,
    }
}

/// Whether a character continues the one before it: marks, half-width voicing marks, vowels and finals of decomposed Hangul.
fn continues(c: char) -> bool {
    c >= '\u{300}' && (matches!(c, '\u{ff9e}' | '\u{ff9f}' | '\u{1160}'..='\u{11ff}') || is_combining_mark(c))
}

/// Whether a mark is ignored: accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. Vowel signs of other
/// scripts are letters.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6ed}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Appends a character with its marks, folded.
fn fold(cluster: &str, out: &mut String) {
    let mut characters = cluster.chars();
    if let (Some(c), None) = (characters.next(), characters.next()) {
        match c {
            '\0'..='\x7f' => return out.push(c.to_ascii_lowercase()),
            // Fast path for characters without a decomposition: most of Cyrillic, kana, Han and Hangul.
            'а'..='и' | 'к'..='я' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' =>
            {
                return out.push(c);
            }
            _ => {}
        }
    }
    let mut before = '\0';
    let plain = cluster.nfkd().filter(|c| {
        // й is not an accented и.
        let keep = !is_accent(*c) || (*c == '\u{306}' && matches!(before, 'и' | 'И'));
        before = *c;
        keep && (c.is_alphanumeric() || is_combining_mark(*c))
    });
    for c in plain.flat_map(char::to_lowercase).nfc() {
        match c {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' => out.push('d'),
            'ı' => out.push('i'),
            'ς' => out.push('σ'),
            c => out.push(c),
        }
    }
}

fn for_each_word(text: &str, mut word: impl FnMut(&str, Range<usize>, usize, Kind)) {
    let mut at = 0;
    let mut folded = String::new();
    let mut run: Vec<(char, Range<usize>)> = Vec::new();
    while let Some(c) = text[at..].chars().next() {
        let kind = class(c);
        match kind {
            Class::Other | Class::Ignored => at += c.len_utf8(),
            Class::Symbol => {
                let mut sign = [0; 4];
                let end = at + c.len_utf8();
                word(c.encode_utf8(&mut sign), at..end, end, Kind::Word);
                at += c.len_utf8();
            }
            Class::Letter => {
                let start = at;
                folded.clear();
                let end = read_run(text, &mut at, kind, |cluster| fold(&text[cluster], &mut folded));
                let end = language_suffix(&text[end..], &mut folded).map_or(end, |signs| end + signs);
                at = at.max(end);
                if let Some((cut, _)) = folded.char_indices().nth(MAX_WORD) {
                    folded.truncate(cut);
                }
                if !folded.is_empty() {
                    word(&folded, start..end, end, Kind::Word);
                }
            }
            Class::Dense => {
                run.clear();
                read_run(text, &mut at, kind, |cluster| {
                    folded.clear();
                    fold(&text[cluster.clone()], &mut folded);
                    run.extend(folded.chars().map(|c| (c, cluster.clone())));
                });
                for pair in run.windows(2) {
                    if let [(one, first), (other, second)] = pair {
                        folded.clear();
                        folded.extend([*one, *other]);
                        word(&folded, first.start..second.end, first.end, Kind::Pair);
                    }
                }
                if let Some((c, range)) = run.last() {
                    folded.clear();
                    folded.push(*c);
                    word(&folded, range.clone(), range.end, if run.len() > 1 { Kind::Last } else { Kind::Only });
                }
            }
        }
    }
}

/// Reads the characters of one class from `at` on, each with its marks, and returns the end of the last one.
fn read_run(text: &str, at: &mut usize, kind: Class, mut cluster: impl FnMut(Range<usize>)) -> usize {
    let mut end = *at;
    while let Some(c) = text[*at..].chars().next() {
        let found = class(c);
        if found == Class::Ignored {
            *at += c.len_utf8();
            continue;
        }
        if found != kind {
            break;
        }
        let start = *at;
        *at += c.len_utf8();
        while let Some(mark) = text[*at..].chars().next().filter(|c| continues(*c)) {
            *at += mark.len_utf8();
        }
        end = *at;
        cluster(start..end);
    }
    end
}

/// Private-use characters that represent `++` and `#` in words.
const SYMBOLS: [char; 2] = ['\u{e020}', '\u{e021}'];

/// Reads `++` or `#` after a single letter, so that C++, C# and F# are words.
fn language_suffix(rest: &str, folded: &mut String) -> Option<usize> {
    if folded.len() != 1 || !folded.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let (signs, as_word) = if rest.starts_with("++") {
        (2, SYMBOLS[0])
    } else if rest.starts_with('#') {
        (1, SYMBOLS[1])
    } else {
        return None;
    };
    if rest[signs..].starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    folded.push(as_word);
    Some(signs)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        write(text, &mut out);
        out
    }

    fn finds(wanted: &str, text: &str) -> bool {
        let phrase = Phrase::of(wanted, false).unwrap();
        let found = phrase.is_in(&words(text));
        assert_eq!(phrase.is_in_text(text), found, "{wanted} in {text}");
        found
    }

    #[test]
    fn ignores_case_accents_and_width() {
        assert_eq!(folded("Straße GROẞ Łódź Ærø cœur ﬁn"), "strasse gross lodz aero coeur fin");
        assert_eq!(folded("İstanbul ısı IŞIK"), "istanbul isi isik");
        assert_eq!(folded("Ёлка елка Йод йод"), "елка елка йод йод");
        assert_eq!(folded("Ὀδυσσεύς ΟΔΥΣΣΕΥΣ"), "οδυσσευσ οδυσσευσ");
        assert_eq!(folded("مُحَمَّد محـــمد أحمد"), "محمد محمد احمد");
        assert_eq!(folded("ＡＢＣ１２"), "abc12");
        assert_eq!(folded("e\u{301}te\u{301} co\u{ad}operate"), "ete cooperate");
        assert_eq!(folded("हिन्दी"), "हिन्दी", "vowel signs are letters");
        assert_eq!(folded("don't 3.5 a_b"), "don t 3 5 a b");
        assert_eq!(folded("C++ and C# but not c"), "c\u{e020} and c\u{e021} but not c");
        assert_eq!(folded("a🎉b ☂"), "a 🎉 b ☂");
    }

    #[test]
    fn finds_any_part_of_a_run() {
        assert_eq!(folded("東京都x"), "東京 京都 都 x");
        for (text, parts) in [
            ("我喜欢东京都的夜景。", &["东京", "喜欢", "京都的夜景", "我", "景"][..]),
            ("彼はプログラミングが好きです", &["プログラ", "グラミング", "が", "す", "好き"]),
            ("ﾌﾟﾛｸﾞﾗﾑ", &["プログラム", "グラ"]),
            ("대한민국의 수도", &["민국", "대한", "국", "도"]),
            ("대한민국", &["대한민국"]),
            ("ฉันรักประเทศไทย", &["ประเทศ", "ไทย", "รัก"]),
            ("iPhone手机壳", &["iphone手机", "手机", "手机壳"]),
            ("手机iPhone", &["手机iphone", "机 iPhone", "机"]),
        ] {
            for part in parts {
                assert!(finds(part, text), "{part} in {text}");
            }
        }
        assert!(!finds("东都", "东京都"));
        assert!(!finds("京東", "東京 東"), "no pair reaches over a space");
        assert!(!finds("手机iphone", "手机壳iphone"));
    }

    #[test]
    fn ranges_are_positions_in_the_original_text() {
        let text = "«Ünïcode» – 東京タワー!";
        let found: Vec<&str> = words(text).iter().map(|word| &text[word.range.clone()]).collect();
        assert_eq!(found, ["Ünïcode", "東京", "京タ", "タワ", "ワー", "ー"]);
    }

    #[test]
    fn matches_prefixes() {
        let text = words("rusty nails");
        assert!(Phrase::of("rus", true).unwrap().is_in(&text));
        assert!(!Phrase::of("rus", false).unwrap().is_in(&text));
        assert!(Phrase::of("rusty na", true).unwrap().is_in(&text));
        assert!(!Phrase::of("r", true).unwrap().is_in(&text), "one letter is a word");
        assert_eq!(Phrase::of("– !", true), None);
    }
}
