//! Recognises lines with the author, the date and the categories of an article, which a reader shows outside of it.

use super::dates;
use gleaner_html::{
    references,
    tokens::{Token, Tokens},
};

/// Maximum length of such a line, in bytes.
const LINE: usize = 200;
/// Maximum number of words in the names of authors.
const NAMES: usize = 8;
/// Minimum number of digits in the dates of a line.
const DIGITS: usize = 5;

/// What names of authors follow, in lower case.
#[rustfmt::skip]
const BY: [&str; 16] = [
    "af", "author", "authors", "autor", "autorin", "av", "by", "di", "door", "par", "por", "redaktion", "redazione", "text", "von", "words",
];

/// What links to categories follow, in lower case.
#[rustfmt::skip]
const CATEGORIES: [&str; 28] = [
    "abgelegt", "categoria", "categorie", "category", "categories", "categorías", "categoría", "catégorie", "catégories", "filed", "in", "kategorie", "kategorien", "kategoria",
    "rubrik", "rubrique", "schlagwort", "schlagworte", "schlagwörter", "section", "tag", "tagged", "tags", "thema", "themen", "topic", "topics", "under",
];

/// Other words of such lines, in lower case.
#[rustfmt::skip]
const OTHERS: [&str; 35] = [
    "actualizado", "aggiornato", "aktualisiert", "atualizado", "bearbeitet", "created", "date", "datum", "erstellt", "fecha", "first", "geändert", "jour",
    "last", "latest", "mis", "modified", "news", "post", "posted", "publicado", "publication", "published", "publié", "pubblicato", "stand", "unter",
    "updated", "und", "uhr", "veröffentlicht", "written", "zuletzt", "akst", "hst",
];

/// Words within names, in lower case.
#[rustfmt::skip]
const PARTICLES: [&str; 20] = [
    "al", "and", "bin", "da", "de", "del", "della", "den", "der", "di", "dos", "du", "e", "et", "for", "la", "und", "van", "von", "y",
];

/// What may follow in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Other,
    /// Names of authors.
    Names,
    /// Links to authors or categories.
    Links,
}

/// Whether a line consists of a date, and of authors or categories as links; `with_names`: or of authors without links.
pub(super) fn is_byline(html: &str, with_names: bool) -> bool {
    let (mut digits, mut names, mut length) = (0, 0, 0);
    // Whether a word said what the line is: an event may be on a day in a place.
    let (mut in_link, mut is_labelled, mut next) = (false, false, Next::Other);
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if tag.name == "a" => in_link = true,
            Token::End(name) if name == "a" => in_link = false,
            Token::Start(tag) if matches!(&*tag.name, "img" | "iframe" | "video" | "audio") => return false,
            Token::Text(text) => {
                let text = references::decode(text);
                length += text.trim().len();
                for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
                    let lower = word.to_lowercase();
                    let is_in = |list: &[&str]| list.contains(&&*lower);
                    let is_known = is_in(&BY) || is_in(&CATEGORIES) || is_in(&OTHERS);
                    if in_link && next != Next::Other {
                        // The name of an author or category, or a date.
                        let _ = dates::is_part(&lower, &mut digits);
                        continue;
                    }
                    if next == Next::Names
                        && with_names
                        && names < NAMES
                        && !word.starts_with(|c: char| c.is_ascii_digit() || c.is_lowercase())
                        && !is_known
                        && dates::month(&lower).is_none()
                    {
                        names += 1;
                    } else if is_in(&BY) {
                        next = Next::Names;
                    } else if is_in(&CATEGORIES) && (is_labelled || lower != "in") {
                        next = Next::Links;
                    } else if is_in(&OTHERS) {
                        next = Next::Other;
                    } else if next == Next::Names && names > 0 && is_in(&PARTICLES) {
                        // Part of a name.
                    } else if dates::is_part(&lower, &mut digits) {
                        next = Next::Other;
                    } else {
                        return false;
                    }
                    is_labelled |= is_known;
                }
            }
            _ => {}
        }
        if length > LINE {
            return false;
        }
    }
    digits >= DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_lines_with_author_date_and_categories() {
        for line in [
            "By <a href=a>A. Writer</a> on 5 May 2026 in <a href=b>Boats and nets</a>, <a href=c>Coast</a>",
            "24.01.2026 11:38<br>Kategorie: <a href=a>Neues vom Hafen</a>",
            "News date : 04/21/2026 &nbsp; Category : <a href=a>Press Releases</a>",
            "Posted by <a href=a>anna_k</a> | <a href=b>5 May 2026</a>",
            "Veröffentlicht am 5. Mai 2026 von <a href=a>Mira Schreiber</a>",
        ] {
            assert!(is_byline(line, false) && is_byline(line, true), "{line}");
        }
        for line in [
            "By HCN Staff | May 18, 2026 at 2:26 PM HST - Updated May 19, 2026 at 4:46 PM",
            "By Mira van der Berg and Jean Writer - 11/18/26 11:04 PM EST",
            "Von <b>Mira Schreiber</b> // 1. November 2026",
            "par Zoé Écrivain, le 5 mai 2026 à 10h30",
            "by 港町新聞社 ／ 2026.12.01",
            "5 May 2026, by A. Writer",
        ] {
            assert!(is_byline(line, true) && !is_byline(line, false), "{line}");
        }
        for other in [
            "By A. Writer",
            "Kategorie: <a href=a>Boote</a>",
            "5 de mayo de 1821: por la mañana murió Napoleón.",
            "Le 5 mai 1821 par un temps de tempête, Napoléon mourut.",
            "5 May 2026, by the harbour: the boats are in and the storm has passed.",
            "On 5 May 2026 by boat we left.",
            "12.05.2026 Tags der offenen Tür",
            "Montag, 5. Mai 2026: Kommentare zur Lage von Mira Schreiber",
            "01.05.2026 – Kategorie A: Boote über 5 Tonnen fahren nicht aus.",
            "5 May 2026: <a href=a>The storm is over</a>",
            "2026-05-05 <a href=a>Version 3.1</a>",
            "5 May 2026, <a href=a>Hamburg</a>",
            "5 May 2026 in <a href=a>Hamburg</a>",
            "Update, 5 May 2026:",
            "Von Hamburg nach Kiel, 5. Mai 2026",
            "Konzert von Mira Schreiber, 5. Mai 2026, 20 Uhr",
            "By the end of 12 May 2026, the boats were in.",
            "<img src=a>By <a href=a>A. Writer</a>, 5 May 2026",
        ] {
            assert!(!is_byline(other, true), "{other}");
        }
    }
}
