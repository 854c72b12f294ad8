//! Detects whether a feed publishes only the beginning of an article.

/// An article as its feed publishes it.
#[derive(Debug, Clone, Copy, Default)]
pub struct GivenText<'a> {
    /// Text as plain text.
    pub text: &'a str,
    /// Title as plain text.
    pub title: &'a str,
    /// Average number of words of the articles of its feed.
    pub usual_words: Option<f64>,
    /// Whether it has audio or video that the text only introduces.
    pub is_media: bool,
    /// Whether it has an image, which is all that comics and photos need.
    pub has_image: bool,
}

/// Number of words at which a text counts as complete, whatever its end looks like.
pub const NO_BEGINNING: usize = 350;
/// Number of words below which a text may be truncated even if its end does not show it.
const SHORT: usize = 80;
/// A short text counts as complete if articles of its feed are usually this many times longer,
const USUALLY_LONGER: f64 = 3.0;
/// or have usually this many words: beginnings are shorter than that.
const USUALLY_COMPLETE: f64 = 120.0;

/// Lower-case texts of links to the full article, at the end of a truncated text.
const MORE: [&str; 34] = [
    "read more",
    "read the rest",
    "read on",
    "read full article",
    "read the full article",
    "read full story",
    "read the full story",
    "read the whole story",
    "continue reading",
    "continue",
    "full story",
    "keep reading",
    "learn more",
    "more",
    "view article",
    "weiterlesen",
    "mehr lesen",
    "weiter lesen",
    "mehr",
    "lire la suite",
    "lire plus",
    "en savoir plus",
    "leer más",
    "seguir leyendo",
    "sigue leyendo",
    "leia mais",
    "leggi tutto",
    "lees verder",
    "читать далее",
    "続きを読む",
    "もっと読む",
    "阅读全文",
    "阅读更多",
    "اقرأ المزيد",
];

/// Lower-case words for the rest of a text, and for the units in which it is counted.
const REST_WORDS: [&str; 13] = [
    "remaining",
    "more",
    "noch",
    "weitere",
    "weiteren",
    "restliche",
    "restlichen",
    "restants",
    "autres",
    "restantes",
    "más",
    "rimanenti",
    "resterende",
];
const REST_UNITS: [&str; 18] = [
    "paragraph",
    "paragraphs",
    "word",
    "words",
    "sentence",
    "sentences",
    "absatz",
    "absätze",
    "wörter",
    "zeilen",
    "paragraphes",
    "mots",
    "párrafos",
    "palabras",
    "paragrafi",
    "parole",
    "alinea",
    "woorden",
];

/// Whether the page of an article most likely has more text than its feed.
///
/// True if there is only a title, if the text breaks off or ends with a link to the rest, or if it is short like the other articles of the
/// feed. Posts of microblogs, whose title is their own first words, are complete.
#[must_use]
pub fn is_beginning(given: &GivenText<'_>) -> bool {
    let text = without_wordpress_footer(given.text.trim());
    if text.is_empty() {
        return !given.is_media && !given.has_image;
    }
    let words = crate::word_count(text) as usize;
    if words >= NO_BEGINNING {
        return false;
    }
    if breaks_off(text) {
        return true;
    }
    if given.is_media || words >= SHORT {
        return false;
    }
    let longer = |usual: f64| usual >= USUALLY_LONGER * words.max(1) as f64 && usual >= SHORT as f64;
    let complete = given.usual_words.is_some_and(|usual| usual >= USUALLY_COMPLETE || longer(usual));
    !complete && !has_title_from_text(text, given.title)
}

/// The line that WordPress adds at the end: what is before and after the title.
const WORDPRESS_FOOTERS: [(&str, &str); 7] = [
    ("The post ", " appeared first on "),
    ("Der Beitrag ", " erschien zuerst auf "),
    ("L’article ", " est apparu en premier sur "),
    ("La entrada ", " se publicó primero en "),
    ("L'articolo ", " proviene da "),
    ("O post ", " apareceu primeiro em "),
    ("Het bericht ", " verscheen eerst op "),
];

/// Removes the last line that WordPress adds.
fn without_wordpress_footer(text: &str) -> &str {
    let begin = WORDPRESS_FOOTERS
        .iter()
        .find_map(|(before, after)| text.rfind(before).filter(|at| text[at + before.len()..].contains(after)));
    begin.map_or(text, |at| text[..at].trim_end())
}

/// Whether a line only offers the rest with its length: "Read 5 remaining paragraphs", "Noch 3 Absätze", "(240 more words)".
fn counts_the_rest(line: &str) -> bool {
    let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |some: &[&str]| words.iter().any(|word| some.contains(word));
    words.len() <= 8
        && words.iter().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        && has(&REST_UNITS)
        && has(&REST_WORDS)
}

fn breaks_off(text: &str) -> bool {
    // A link to the rest may be followed by an arrow or be in brackets.
    let decoration =
        |c: char| c.is_whitespace() || matches!(c, '→' | '»' | '›' | '>' | '⟶' | '➜' | ']' | ')' | '[' | '(' | ':');
    let end = text.trim_end_matches(decoration);
    if end.ends_with(['…', '⋯']) || end.ends_with("...") {
        return true;
    }
    let last = end.lines().next_back().unwrap_or(end).trim();
    let last = last.trim_start_matches(decoration).trim_end_matches('.').to_lowercase();
    let sentence = last.rsplit(['.', '!', '?', '…']).next().unwrap_or(&last);
    if counts_the_rest(sentence) {
        return true;
    }
    // Alone on its line or after a sentence: "more" also ends many sentences.
    MORE.iter().any(|more| {
        let Some(before) = last.strip_suffix(more) else { return false };
        let before = before.trim_end();
        before.is_empty() || before.ends_with(['.', '…', '!', '?', '[', '(', '。', '»', '|'])
    })
}

/// Whether the title was made of the first words of the text, as for posts without a title.
fn has_title_from_text(text: &str, title: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let title = letters(title);
    title.is_empty() || letters(text).starts_with(&title)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(words: usize) -> String {
        let sentence = "It was a bright cold day in April and the clocks were striking thirteen. ";
        sentence.repeat(words / 13 + 1).split(' ').take(words).collect::<Vec<_>>().join(" ") + "."
    }

    fn short(text: &str, usual_words: Option<f64>) -> bool {
        is_beginning(&GivenText { text, title: "The news", usual_words, ..GivenText::default() })
    }

    #[test]
    fn a_title_alone_is_truncated_unless_it_is_of_media() {
        assert!(short("", None) && short(" \n ", Some(900.0)));
        assert!(!is_beginning(&GivenText { is_media: true, ..GivenText::default() }));
    }

    #[test]
    fn an_image_alone_is_complete_but_not_one_above_a_short_text() {
        let picture = |text| GivenText { text, title: "Duty calls", has_image: true, ..GivenText::default() };
        assert!(!is_beginning(&picture("")));
        assert!(is_beginning(&picture("A short text below an image.")) && is_beginning(&picture("And then…")));
    }

    #[test]
    fn a_text_that_breaks_off_is_truncated_however_long_other_articles_are() {
        for end in [
            "and then…",
            "and then...",
            "and then [...]",
            "and then […]",
            "and then.\nRead more",
            "and then. Continue reading →",
            "and then… Read more »",
            "and then!\n[Weiterlesen]",
            "and then.\nLire la suite",
            "and then.\nRead 5 remaining paragraphs",
            "and then.\nRead 12 remaining paragraphs | Comments",
            "and then. Read 1 remaining paragraph",
            "and then.\n(240 more words)",
            "and then.\nNoch 3 Absätze",
            "当日。\n阅读全文",
            "then. اقرأ المزيد",
            "and then […]\nThe post News appeared first on Example.",
            "und dann […]\nDer Beitrag Neues erschien zuerst auf Beispiel.",
            "et puis […]\nL’article Nouvelles est apparu en premier sur Exemple.",
        ] {
            let text = format!("{} {end}", text_of(100));
            assert!(short(&text, Some(2000.0)), "{end}");
        }
        for end in [
            "and we want more.",
            "I continue",
            "Read more in the next chapter, which is about rice.",
            "the end.",
            "It has 5 paragraphs.",
        ] {
            let text = format!("{} {end}", text_of(100));
            assert!(!short(&text, Some(2000.0)), "{end}");
        }
        assert!(!short(&format!("{} and then…", text_of(400)), None), "a text of this length is complete");
    }

    #[test]
    fn a_short_text_is_truncated_if_other_articles_are_short() {
        for (words, usual, expected) in [
            (30, None, true),
            (30, Some(35.0), true),
            (30, Some(80.0), true),
            (30, Some(400.0), false),
            (79, Some(100.0), true),
            (79, Some(120.0), false),
            (60, Some(150.0), false),
            (120, Some(100.0), false),
            (120, None, false),
        ] {
            assert_eq!(short(&text_of(words), usual), expected, "{words} of {usual:?}");
        }
    }

    #[test]
    fn a_post_titled_by_its_own_text_is_complete() {
        let text = "Good morning! It rains.";
        let post = |title| GivenText { text, title, usual_words: Some(20.0), ..GivenText::default() };
        for title in ["", "Good morning! It rains.", "Good morning! It…"] {
            assert!(!is_beginning(&post(title)), "{title}");
        }
        assert!(is_beginning(&post("Weather in the valley")));
    }

    #[test]
    fn notes_on_media_are_complete_unless_they_break_off() {
        let notes = |text| GivenText { text, title: "Episode 7", is_media: true, ..GivenText::default() };
        assert!(!is_beginning(&notes("We talk about rice.")));
        assert!(is_beginning(&notes("We talk about…")));
    }
}
