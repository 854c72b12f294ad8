//! The part of a text around the matching words of a search.

use gleaner_query::{Field, Marks, one_line};
use std::ops::Range;

/// Maximum length of a snippet in characters.
const MAX_LENGTH: usize = 220;
/// Number of characters before the first match: in a narrow list, the line of an excerpt has some more.
const BEFORE: usize = 24;

/// Length in bytes of the parts of a text that are searched one after the other until one has a match: an article may be as long as a feed.
const PART: usize = 256 << 10;
/// Length in bytes that a part has in common with the one before it, for phrases.
const OVERLAP: usize = 1 << 10;
/// Length in bytes of what is searched of a text.
const SEARCHED: usize = 4 << 20;

/// An extract of an article's text on one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// Plain text with an ellipsis where text was omitted.
    pub text: String,
    /// Byte ranges of matches, in order.
    pub marks: Vec<Range<usize>>,
}

/// Returns the extract with the most matches of `field` from a plain text; its start if there are none. Of a long text, the first part with
/// matches counts.
#[must_use]
pub fn snippet(field: Field, text: &str, marks: &Marks) -> Snippet {
    let mut start = 0;
    while start < text.len().min(SEARCHED) {
        let end = part_end(text, start);
        let found = extract(field, text, start..end, marks);
        if !found.marks.is_empty() {
            return found;
        }
        if end == text.len() {
            break;
        }
        start = word_break(text, end - OVERLAP);
    }
    extract(field, text, 0..part_end(text, 0), marks)
}

/// Returns where a part ends: between two words if they are short.
fn part_end(text: &str, start: usize) -> usize {
    if text.len() - start <= PART { text.len() } else { word_break(text, start + PART) }
}

fn word_break(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    let from = text.floor_char_boundary(at.saturating_sub(OVERLAP / 2));
    text[from..at].rfind(char::is_whitespace).map_or(at, |found| from + found)
}

/// Returns the extract of a part of a text.
fn extract(field: Field, text: &str, part: Range<usize>, marks: &Marks) -> Snippet {
    let line = one_line(&text[part.clone()]);
    let found = marks.find(field, &line);
    let window = window(&line, &found);
    let before = if window.start > 0 || part.start > 0 { "…" } else { "" };
    let after = if window.end < line.len() || part.end < text.len() { "…" } else { "" };
    let shift = |at: usize| at.clamp(window.start, window.end) - window.start + before.len();
    let marks = found.iter().filter(|mark| mark.start < window.end && mark.end > window.start);
    Snippet {
        marks: marks.map(|mark| shift(mark.start)..shift(mark.end)).collect(),
        text: format!("{before}{}{after}", &line[window]),
    }
}

/// Returns the range with the most marks, starting shortly before the first of them, cut between words if they are short.
fn window(line: &str, found: &[Range<usize>]) -> Range<usize> {
    let end_of = |start: usize| line[start..].char_indices().nth(MAX_LENGTH).map_or(line.len(), |(at, _)| start + at);
    let inside = |start: usize, end: usize| found.iter().filter(|mark| mark.start >= start && mark.end <= end).count();
    let starts = found.iter().take(100).map(|mark| before_mark(line, mark.start));
    let best = starts.map(|start| (inside(start, end_of(start)), std::cmp::Reverse(start))).max();
    let start = best.map_or(0, |(_, start)| start.0);
    let end = end_of(start);
    // If the range reaches the end of the text, it starts earlier.
    let start = if end == line.len() && start > 0 {
        let room = line[..end].char_indices().rev().nth(MAX_LENGTH - 1).map_or(0, |(at, _)| at);
        start.min(word_start(line, room))
    } else {
        start
    };
    let cut =
        if end == line.len() { None } else { line[start..end].rfind(' ').filter(|cut| cut * 4 > (end - start) * 3) };
    start..cut.map_or(end, |cut| start + cut)
}

fn before_mark(line: &str, at: usize) -> usize {
    let from = line[..at].char_indices().rev().nth(BEFORE).map_or(0, |(at, _)| at);
    word_start(line, from).min(at)
}

/// Returns the start of the next word if it is near, else `from`.
fn word_start(line: &str, from: usize) -> usize {
    if from == 0 {
        return 0;
    }
    line[from..].char_indices().take(BEFORE / 2).find(|(_, c)| *c == ' ').map_or(from, |(at, _)| from + at + 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_query::parse;

    fn shown(text: &str, query: &str) -> String {
        let snippet = snippet(Field::Text, text, &Marks::of(&parse(query).unwrap()));
        assert!(snippet.text.chars().count() <= MAX_LENGTH + 2, "{}", snippet.text);
        let mut out = String::new();
        let mut at = 0;
        for mark in snippet.marks {
            out.push_str(&snippet.text[at..mark.start]);
            out.push_str(&format!("[{}]", &snippet.text[mark.clone()]));
            at = mark.end;
        }
        out + &snippet.text[at..]
    }

    #[test]
    fn finds_matches_far_into_a_long_text() {
        let marks = Marks::of(&parse("\"ripe plums\"").unwrap());
        for length in [PART - 10, PART - OVERLAP, PART, 2 * PART + 7] {
            for filler in ["a word ", "word", "é "] {
                let text = format!("{} ripe plums {}", filler.repeat(length / filler.len()), "the rest ".repeat(PART));
                let found = snippet(Field::Text, &text, &marks);
                assert_eq!(found.marks.len(), 1, "{length} {filler}");
                assert_eq!(&found.text[found.marks[0].clone()], "ripe plums");
                assert!(found.text.starts_with('…') && found.text.ends_with('…'));
            }
        }
        let none = snippet(Field::Text, &"a word ".repeat(2 * SEARCHED / 7), &marks);
        assert!(none.marks.is_empty() && none.text.starts_with("a word") && none.text.ends_with('…'));
    }

    #[test]
    fn marks_matches() {
        assert_eq!(shown("Some Rust\n\nand more  rusty nails", "rust*"), "Some [Rust] and more [rusty] nails");
        assert_eq!(shown("我喜欢东京都的夜景", "京都 OR 夜"), "我喜欢东[京都]的[夜]景");
        assert_eq!(shown("nothing", "rust"), "nothing");
        assert_eq!(shown("", "rust"), "");
        assert_eq!(shown("L’été à Köln", "ete title:koln"), "L’[été] à Köln");
        assert_eq!(shown("a rust b", "-rust"), "a rust b");
    }

    #[test]
    fn cuts_long_texts_around_the_match() {
        let text = format!("{} the grain is here {}", "chaff ".repeat(500), "straw ".repeat(500));
        let shown = shown(&text, "grain");
        assert!(
            shown.starts_with("…chaff") && shown.contains("the [grain] is here straw") && shown.ends_with("straw…"),
            "{shown}"
        );
        assert!(shown.find('[') <= Some(30), "it is not in the first line: {shown}");
        let end = super::tests::shown(&format!("{}grain", "chaff ".repeat(500)), "grain");
        assert!(end.ends_with("chaff [grain]") && end.len() > 200, "{end}");
        super::tests::shown(&"京".repeat(1000), "京");
    }
}
