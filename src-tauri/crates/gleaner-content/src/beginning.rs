//! Whether what a feed gives of an article is only its beginning.

/// What is told of an article's text before its page is asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'a> {
    /// Plain text.
    pub text: &'a str,
    /// Plain text.
    pub title: &'a str,
    /// Words of its feed's articles, on the average.
    pub usual_words: Option<f64>,
    /// It carries a recording or a film, of which the text only speaks.
    pub is_media: bool,
}

/// A text of so many words is an article, however it ends.
pub const LONG: usize = 350;
/// A text of fewer words may be a beginning though it does not say so.
const SHORT: usize = 80;
/// Where a feed's articles are so many times as long, a short one is a short article.
const LONGER: f64 = 3.0;

/// What stands at the end of a beginning, lower-cased: the last words of the link to the rest.
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

/// Whether the page of an article most likely has more than its feed: nothing is there but a title; the text breaks off, or ends with a
/// link to the rest; or it is short, and so are the others, and it is not what its own title was made of, as the posts of a microblog are.
#[must_use]
pub fn is_beginning(given: &Given<'_>) -> bool {
    let text = without_colophon(given.text.trim());
    if text.is_empty() {
        return !given.is_media;
    }
    let words = crate::word_count(text) as usize;
    if words >= LONG {
        return false;
    }
    if breaks_off(text) {
        return true;
    }
    if given.is_media || words >= SHORT {
        return false;
    }
    let longer = given.usual_words.is_some_and(|usual| usual >= LONGER * words.max(1) as f64 && usual >= SHORT as f64);
    !longer && !is_titled_by_itself(text, given.title)
}

/// Without the line that WordPress puts beneath: "The post … appeared first on …".
fn without_colophon(text: &str) -> &str {
    let begin = text.rfind("The post ").filter(|at| text[*at..].contains(" appeared first on "));
    begin.map_or(text, |at| text[..at].trim_end())
}

fn breaks_off(text: &str) -> bool {
    // A link to the rest may have an arrow behind it, and stand in brackets.
    let decoration =
        |c: char| c.is_whitespace() || matches!(c, '→' | '»' | '›' | '>' | '⟶' | '➜' | ']' | ')' | '[' | '(' | ':');
    let end = text.trim_end_matches(decoration);
    if end.ends_with(['…', '⋯']) || end.ends_with("...") {
        return true;
    }
    let last = end.lines().next_back().unwrap_or(end).trim();
    let last = last.trim_start_matches(decoration).trim_end_matches('.').to_lowercase();
    // By itself on its line, or behind a sentence: "more" ends many a sentence.
    MORE.iter().any(|more| {
        let Some(before) = last.strip_suffix(more) else { return false };
        let before = before.trim_end();
        before.is_empty() || before.ends_with(['.', '…', '!', '?', '[', '(', '。', '»', '|'])
    })
}

/// A post without a title was given one of its own first words.
fn is_titled_by_itself(text: &str, title: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let title = letters(title);
    title.is_empty() || letters(text).starts_with(&title)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: usize) -> String {
        let sentence = "It was a bright cold day in April and the clocks were striking thirteen. ";
        sentence.repeat(words / 13 + 1).split(' ').take(words).collect::<Vec<_>>().join(" ") + "."
    }

    fn short(text: &str, usual_words: Option<f64>) -> bool {
        is_beginning(&Given { text, title: "The news", usual_words, is_media: false })
    }

    #[test]
    fn a_title_alone_is_a_beginning_unless_it_is_of_a_recording() {
        assert!(short("", None) && short(" \n ", Some(900.0)));
        assert!(!is_beginning(&Given { is_media: true, ..Given::default() }));
    }

    #[test]
    fn a_text_that_breaks_off_is_a_beginning_however_long_the_others_are() {
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
            "当日。\n阅读全文",
            "then. اقرأ المزيد",
            "and then […]\nThe post News appeared first on Example.",
        ] {
            let text = format!("{} {end}", of(100));
            assert!(short(&text, Some(2000.0)), "{end}");
        }
        for end in
            ["and we want more.", "I continue", "Read more in the next chapter, which is about rice.", "the end."]
        {
            let text = format!("{} {end}", of(100));
            assert!(!short(&text, Some(2000.0)), "{end}");
        }
        assert!(!short(&format!("{} and then…", of(400)), None), "so long a text is an article");
    }

    #[test]
    fn a_short_text_is_a_beginning_where_the_others_are_short_too() {
        for (words, usual, expected) in [
            (30, None, true),
            (30, Some(35.0), true),
            (30, Some(80.0), true),
            (30, Some(400.0), false),
            (79, Some(100.0), true),
            (120, Some(100.0), false),
            (120, None, false),
        ] {
            assert_eq!(short(&of(words), usual), expected, "{words} of {usual:?}");
        }
    }

    #[test]
    fn a_post_that_is_its_own_title_is_whole() {
        let post = |title| Given { text: "Good morning! It rains.", title, usual_words: Some(20.0), is_media: false };
        for title in ["", "Good morning! It rains.", "Good morning! It…"] {
            assert!(!is_beginning(&post(title)), "{title}");
        }
        assert!(is_beginning(&post("Weather in the valley")));
    }

    #[test]
    fn notes_on_a_recording_are_whole_unless_they_break_off() {
        let notes = |text| Given { text, title: "Episode 7", usual_words: None, is_media: true };
        assert!(!is_beginning(&notes("We talk about rice.")));
        assert!(is_beginning(&notes("We talk about…")));
    }
}
