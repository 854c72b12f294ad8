use gleaner_query::{Field, Marks};
use std::ops::Range;

/// So many characters of an article are shown.
const LENGTH: usize = 220;
/// So many of them before the first that answers.
const BEFORE: usize = 50;

/// A piece of an article's text on one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// Plain text; an ellipsis stands where something was left out.
    pub text: String,
    /// Bytes of it that answer the query, in order.
    pub marks: Vec<Range<usize>>,
}

/// The piece of a plain text that says most about why it was found; its beginning where nothing in it answers.
#[must_use]
pub fn snippet(text: &str, marks: &Marks) -> Snippet {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let found = marks.find(Field::Text, &line);
    let window = window(&line, &found);
    let (before, after) = (if window.start > 0 { "…" } else { "" }, if window.end < line.len() { "…" } else { "" });
    let shift = |at: usize| at.clamp(window.start, window.end) - window.start + before.len();
    let marks = found.iter().filter(|mark| mark.start < window.end && mark.end > window.start);
    Snippet {
        marks: marks.map(|mark| shift(mark.start)..shift(mark.end)).collect(),
        text: format!("{before}{}{after}", &line[window]),
    }
}

/// The part that holds the most marks, from a little before the first of them; not cut inside words where these are short.
fn window(line: &str, found: &[Range<usize>]) -> Range<usize> {
    let end_of = |start: usize| line[start..].char_indices().nth(LENGTH).map_or(line.len(), |(at, _)| start + at);
    let inside = |start: usize, end: usize| found.iter().filter(|mark| mark.start >= start && mark.end <= end).count();
    let starts = found.iter().take(100).map(|mark| back(line, mark.start));
    let best = starts.map(|start| (inside(start, end_of(start)), std::cmp::Reverse(start))).max();
    let start = best.map_or(0, |(_, start)| start.0);
    let end = end_of(start);
    // A text that ends soon after is shown from further before.
    let start = if end == line.len() && start > 0 {
        let room = line[..end].char_indices().rev().nth(LENGTH - 1).map_or(0, |(at, _)| at);
        start.min(word_start(line, room))
    } else {
        start
    };
    let cut =
        if end == line.len() { None } else { line[start..end].rfind(' ').filter(|cut| cut * 4 > (end - start) * 3) };
    start..cut.map_or(end, |cut| start + cut)
}

fn back(line: &str, at: usize) -> usize {
    let from = line[..at].char_indices().rev().nth(BEFORE).map_or(0, |(at, _)| at);
    word_start(line, from).min(at)
}

/// The next beginning of a word, where one is near.
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
        let snippet = snippet(text, &Marks::of(&parse(query).unwrap()));
        assert!(snippet.text.chars().count() <= LENGTH + 2, "{}", snippet.text);
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
    fn what_answers_is_marked_where_it_stands() {
        assert_eq!(shown("Some Rust\n\nand more  rusty nails", "rust*"), "Some [Rust] and more [rusty] nails");
        assert_eq!(shown("我喜欢东京都的夜景", "京都 OR 夜"), "我喜欢东[京都]的[夜]景");
        assert_eq!(shown("nothing", "rust"), "nothing");
        assert_eq!(shown("", "rust"), "");
        assert_eq!(shown("L’été à Köln", "ete title:koln"), "L’[été] à Köln");
        assert_eq!(shown("a rust b", "-rust"), "a rust b");
    }

    #[test]
    fn long_texts_are_cut_around_it() {
        let text = format!("{} the grain is here {}", "chaff ".repeat(500), "straw ".repeat(500));
        let shown = shown(&text, "grain");
        assert!(
            shown.starts_with("…chaff") && shown.contains("the [grain] is here straw") && shown.ends_with("straw…"),
            "{shown}"
        );
        let end = super::tests::shown(&format!("{}grain", "chaff ".repeat(500)), "grain");
        assert!(end.ends_with("chaff [grain]") && end.len() > 200, "{end}");
        super::tests::shown(&"京".repeat(1000), "京");
    }
}
