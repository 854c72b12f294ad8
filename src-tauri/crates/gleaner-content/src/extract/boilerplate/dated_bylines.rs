//! Recognises lines with the date and the author or category of an article.

use super::{dates, names};

/// Words before authors, in lower case.
const BY: &[&str] = &["av", "by", "di", "door", "par", "por", "posted by", "publicado por", "von", "written by"];
/// Labels of authors and categories, in lower case.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "auteur", "author", "autor", "categoria", "categorie", "categories", "category", "categoría", "catégorie", "kategorie", "kategorien", "ressort", "rubrik",
    "tags",
];
/// Maximum length of a line with a date, in bytes.
const MAX_LINE: usize = 200;
/// Maximum number of words of an author or category in it.
const MAX_NAME: usize = 6;

/// Whether a text in lower case is a date next to an author or a category, such as "by a. writer | 5 may 2026".
pub(super) fn is_dated_byline(text: &str) -> bool {
    let is_update = |part: &str| names::after(part, names::DATED).any(dates::has_only_parts_of_dates);
    let is_name = |rest: &str| (1..=MAX_NAME).contains(&rest.split_whitespace().count());
    let is_author = |rest: &str| {
        let name = rest.trim_start().trim_start_matches(':');
        // With a colon or number, it may be a fact: "by train: 2 hours".
        is_name(name) && !name.contains(|c: char| c == ':' || c.is_numeric())
    };
    let is_label = |part: &str| {
        names::after(part, BY).any(is_author)
            || names::after(part, LABELS).any(|rest| rest.trim_start().strip_prefix(':').is_some_and(is_name))
    };
    let (mut has_date, mut has_label) = (false, false);
    text.len() <= MAX_LINE
        && dates::parts(text).all(|part| {
            let (is_date, is_label) = (dates::is_date(part), is_label(part));
            has_date |= is_date;
            has_label |= is_label;
            is_date || is_label || is_update(part)
        })
        && has_date
        && has_label
}
