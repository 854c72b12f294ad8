//! Reduces a byline to the names of the authors: pages write dates, links and counters next to them.

use super::boilerplate;
use gleaner_html::one_line;

/// Words before the names of authors, in lower case.
#[rustfmt::skip]
const BY: [&str; 13] = [
    "by", "written by", "posted by", "text by", "words by", "story by", "artikel von", "beitrag von", "beitragvon", "author", "autor", "auteur", "автор",
];
/// Words before names that are also the first word of some names, as in "Von Miller".
const BY_OR_NAME: [&str; 3] = ["par", "por", "von"];
/// Words between the names of authors and a date, in lower case.
const ON: [&str; 8] = ["am", "el", "le", "on", "published", "updated", "vom", "posted"];
/// Maximum length of a date, in bytes.
const MAX_DATE: usize = 60;
/// Labels without names, in lower case.
#[rustfmt::skip]
const LABELS: [&str; 13] = [
    "alle beiträge", "author", "authors", "autor", "autoren", "by", "datum", "name (erforderlich)", "name (required)", "posted", "published by",
    "veröffentlicht", "von",
];

/// Returns the names in a byline; `None` if there are none.
pub(super) fn names(byline: &str) -> Option<String> {
    let line = one_line(byline);
    let names = before_other(&line);
    if !is_label(names) {
        return Some(names.to_owned());
    }
    // "Posted on 5 May 2026 by A. Writer"
    let rest = ["by ", "von ", "par "].iter().find_map(|by| line.split_once(&format!(" {by}")).map(|(_, rest)| rest));
    rest.map(before_other).filter(|names| !is_label(names)).map(str::to_owned)
}

fn is_label(names: &str) -> bool {
    names.is_empty() || LABELS.contains(&&*names.to_lowercase())
}

/// Returns the names at the start of a line, without the rest.
fn before_other(line: &str) -> &str {
    let text = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@');
    // The publication, or a role, may follow.
    let text = text.split_once(" | ").map_or(text, |(names, _)| names);
    let mut text = &text[..end(text)];
    loop {
        text = text.trim_end_matches([' ', ',', '|', '·', '•', '-', '–', '—', '»', '(', ':']);
        match text.rsplit_once(' ') {
            Some((rest, last)) if ON.contains(&&*last.to_lowercase()) => text = rest,
            _ => return without_by(text),
        }
    }
}

/// Returns the position of the date, account or email address that follows the names.
fn end(text: &str) -> usize {
    let mut before = ' ';
    let mut word = 0;
    for (at, c) in text.char_indices() {
        // A date without space before it begins with the year.
        let is_glued = || before.is_alphabetic() && text[at..].bytes().take_while(u8::is_ascii_digit).count() == 4;
        let is_start = c.is_alphanumeric() && (!before.is_alphanumeric() || is_glued());
        let rest = || text[at..text.floor_char_boundary(at + MAX_DATE)].to_lowercase();
        if is_start && boilerplate::begins_with_date(&rest()) {
            return at;
        }
        word = if before == ' ' { at } else { word };
        if c == '@' && word > 0 {
            return word;
        }
        before = c;
    }
    text.len()
}

/// Returns the byline without the word before the names.
fn without_by(text: &str) -> &str {
    let lower = text.to_lowercase();
    // Lower case may have another length.
    let rest = |by: &str| {
        let rest = lower.strip_prefix(by)?;
        let after = rest.trim_start_matches([':', ' ']);
        let is_apart = after.len() < rest.len() && lower.len() == text.len();
        text.get(text.len().checked_sub(after.len())?..).filter(|_| is_apart)
    };
    let names = BY.iter().filter_map(|by| rest(by)).min_by_key(|rest| rest.len());
    let names = names.or_else(|| {
        BY_OR_NAME
            .iter()
            .find_map(|of| rest(of))
            .filter(|names| names.contains(' ') || text.starts_with(char::is_lowercase))
    });
    names.unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_names_only() {
        for (byline, expected) in [
            ("Ana Costa", Some("Ana Costa")),
            ("By\n   Ana\u{a0}Costa  and Rui Silva", Some("Ana Costa and Rui Silva")),
            ("By: Ana Costa    August 18, 2010 3:21 PM PDT     Print E-mail", Some("Ana Costa")),
            ("by Ana Costa | Apr 19, 2013", Some("Ana Costa")),
            ("By Ana Costa2014-01-26 21:32:46 UTC", Some("Ana Costa")),
            ("By Ana Costa\n  on June  29, 2014 08:08 pm\n  @ana\n 76Comments", Some("Ana Costa")),
            ("Ana Costa (@ana)", Some("Ana Costa")),
            ("@ana", Some("@ana")),
            ("Par ANA COSTA, RUI SILVA", Some("ANA COSTA, RUI SILVA")),
            ("Von Anna Müller am 3. Mai 2026", Some("Anna Müller")),
            ("Von Miller", Some("Von Miller")),
            (", von ana54 » 21.01.2009, 05:42", Some("ana54")),
            ("Posted on September 21, 2020  by Ana Costa", Some("Ana Costa")),
            ("Byron Costa", Some("Byron Costa")),
            ("May Costa", Some("May Costa")),
            ("Author: Ana Costa", Some("Ana Costa")),
            ("Studio 54", Some("Studio 54")),
            ("9:39AM BST 05 Oct 2011", None),
            ("Authors", None),
            ("Published by", None),
            ("Artikel von: Ana Costa", Some("Ana Costa")),
        ] {
            assert_eq!(names(byline).as_deref(), expected, "{byline}");
        }
    }
}
