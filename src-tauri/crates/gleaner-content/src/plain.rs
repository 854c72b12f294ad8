//! Articles that are plain text, such as posts of Bluesky and descriptions of episodes: HTML would run their lines together.

use std::borrow::Cow;

/// Maximum number of line breaks of a text. Further lines are joined.
const MAX_LINES: usize = 250_000;
/// Length in characters below which a line is short: text is not wrapped to such a small width.
const SHORT: usize = 30;
/// If the next word would have left this many characters free in a line, the line was not wrapped to fit a width.
const FREE: usize = 10;

/// Returns text without any tag as HTML with its paragraphs and lines; other HTML unchanged. Breaks that may only wrap the source are not
/// kept.
pub(crate) fn with_lines(html: String) -> String {
    let text = html.trim();
    if !text.contains('\n') || text.contains('<') {
        return html;
    }
    let text = with_fewer_lines(text);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let paragraphs: Vec<&[&str]> = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty()).collect();
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for lines in &paragraphs {
        if let [_] = *paragraphs {
            push_lines(&mut out, lines);
        } else {
            out.push_str("<p>");
            push_lines(&mut out, lines);
            out.push_str("</p>\n");
        }
    }
    out
}

fn with_fewer_lines(text: &str) -> Cow<'_, str> {
    let Some((at, _)) = text.match_indices('\n').nth(MAX_LINES) else { return Cow::Borrowed(text) };
    let (lines, rest) = text.split_at(at);
    Cow::Owned(lines.to_owned() + &rest.replace('\n', " "))
}

/// Whether HTML has a tag or a comment, and not only the sign, as in `1 < 2`.
pub(crate) fn has_tag(html: &str) -> bool {
    let begins_tag = |next: u8| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?');
    html.as_bytes().windows(2).any(|pair| matches!(pair, [b'<', next] if begins_tag(*next)))
}

/// Returns text whose tags were removed without its line breaks, which are not part of the text.
pub(crate) fn without_lines(html: String) -> String {
    if html.contains('<') { html } else { html.replace('\n', " ") }
}

/// Appends the lines of a paragraph.
fn push_lines(out: &mut String, lines: &[&str]) {
    let kind = Kind::of(lines);
    let mut before = None;
    for line in lines {
        if let Some(before) = before {
            out.push_str(if kind.has_break(before, line) { "<br>\n" } else { "\n" });
        }
        out.push_str(line);
        before = Some(*line);
    }
}

/// Properties of the lines of a paragraph.
struct Kind {
    /// Whether it has several lines that begin like those of a list.
    is_list: bool,
    /// Whether sentences continue on the next line.
    is_wrapped: bool,
    /// Whether its lines are indented like markup.
    is_indented: bool,
    /// Whether each line is short, as in lists of names and verse.
    is_short: bool,
    /// Length of the longest line that has several words, in characters.
    width: usize,
}

impl Kind {
    fn of(lines: &[&str]) -> Self {
        let rest = lines.get(1..).unwrap_or_default();
        Self {
            is_list: lines.iter().filter(|line| begins_item(line)).nth(1).is_some(),
            is_wrapped: lines.iter().zip(rest).any(|(before, line)| {
                begins_lower(line) && !is_address(line) && !ends_sentence(before) && length(before) >= SHORT
            }),
            is_indented: rest.iter().all(|line| line.starts_with("  ") || line.starts_with('\t')),
            is_short: lines.iter().all(|line| length(line) < SHORT),
            width: lines.iter().filter(|line| line.contains(' ')).map(|line| length(line)).max().unwrap_or(0),
        }
    }

    /// Whether a line break certainly belongs to the text.
    fn has_break(&self, before: &str, line: &str) -> bool {
        let ends = ends_sentence(before) || length(before) < SHORT;
        if begins_item(line) {
            return self.is_list || ends;
        }
        if self.is_indented || self.is_short {
            return !self.is_indented;
        }
        if begins_lower(line) {
            return !self.is_wrapped && (ends || is_address(line));
        }
        let word = line.split_whitespace().next().unwrap_or_default();
        let has_room = length(before) + 1 + length(word) + FREE <= self.width;
        if self.is_wrapped { has_room && ends } else { has_room || ends }
    }
}

fn length(line: &str) -> usize {
    line.trim_start().chars().count()
}

/// Whether a line begins like a line of a list, a quotation or a list of chapters.
fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(|c: char| c.is_ascii_digit() || "-*•>".contains(c)) || line.starts_with("&gt;")
}

fn begins_lower(line: &str) -> bool {
    line.trim_start().starts_with(char::is_lowercase)
}

fn is_address(line: &str) -> bool {
    line.trim_start().starts_with("http")
}

fn ends_sentence(line: &str) -> bool {
    line.ends_with(['.', '!', '?', ':', ';', '…', '。', '！', '？'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_keeps_its_lines() {
        for (text, html) in [
            ("Ripe plums", "Ripe plums"),
            ("\n  Ripe plums\n ", "\n  Ripe plums\n "),
            (" Ripe plums\r\n- red\r\n- blue ", "Ripe plums<br>\n- red<br>\n- blue"),
            (
                "Plums &amp; pears\n \n\n00:00 Figs\n01:00 Nuts",
                "<p>Plums &amp; pears</p>\n<p>00:00 Figs<br>\n01:00 Nuts</p>\n",
            ),
            ("<p>Ripe</p>\nplums\npears", "<p>Ripe</p>\nplums\npears"),
            ("Plums:\n  - red\n  - blue", "Plums:<br>\n  - red<br>\n  - blue"),
            (
                "&gt; The pier is broken, and the boats cannot land.\n&gt; When is it built again?",
                "&gt; The pier is broken, and the boats cannot land.<br>\n&gt; When is it built again?",
            ),
            (
                "We went to the harbour and saw the boats\nhttps://orchard.example/\nMira",
                "We went to the harbour and saw the boats<br>\nhttps://orchard.example/<br>\nMira",
            ),
            (
                "Plums are ripe.\nThe nets are dry, and the boats of the harbour return at dawn",
                "Plums are ripe.<br>\nThe nets are dry, and the boats of the harbour return at dawn",
            ),
        ] {
            assert_eq!(with_lines(text.to_owned()), html);
            assert_eq!(with_lines(html.to_owned()), html, "twice");
        }
    }

    #[test]
    fn joins_further_lines() {
        for line in ["a\n\n", "plums and pears\n", "Plums, pears, figs, nuts and plums\n  "] {
            let html = with_lines(line.repeat(MAX_LINES + 9) + "b\nc");
            assert!(html.matches('<').count() <= 2 * MAX_LINES && html.trim_end_matches("</p>\n").ends_with(" b c"));
            assert!(with_lines(html.clone()) == html, "{line}");
        }
    }

    #[test]
    fn a_sign_is_no_tag() {
        for (html, is_markup) in
            [("if a < b\nthen <3 <- c <", false), ("a\n<b>", true), ("a</p", true), ("<!-- a -->", true)]
        {
            assert_eq!(has_tag(html), is_markup, "{html}");
        }
    }

    #[test]
    fn long_lines_of_lists_are_lines_of_the_text() {
        for lines in [
            "00:00 Introduction to the show with all of our guests\n02:10 What has happened in the harbour since last week\n\
             14:00 The interview with the teacher of the village\n40:00 Bye",
            "1. The pier of the harbour is to be built again next year\n2. The nets are repaired by the children there\n3. End.",
            "2026-05-01 10:00:01 INFO server: started on port 8080 with 4 workers\n2026-05-01 10:00:04 INFO done",
        ] {
            assert_eq!(with_lines(lines.to_owned()), lines.replace('\n', "<br>\n"));
        }
    }

    #[test]
    fn lines_of_the_source_are_no_lines_of_the_text() {
        let line = "ripe plums and pears, ".repeat(3);
        let (line, indented) = (line.trim(), "Ripe plums\n    and pears\n    and figs");
        assert_eq!(with_lines(indented.to_owned()), indented);
        let wrapped = format!("{line}\n{line}\n{line}\nand figs");
        assert_eq!(with_lines(wrapped.clone()), wrapped);
        assert_eq!(with_lines(format!("{wrapped}\n\n{indented}")), format!("<p>{wrapped}</p>\n<p>{indented}</p>\n"));
        for wrapped in [
            "Here is some text containing an interesting\ndescription.",
            "The mayor spoke about the boats of the harbour in\nthe north.",
            "The council has decided that the pier of the harbour is to be\nbuilt again next year, with stone from the old quarry.",
            "The council has decided that the pier of the harbour is to be built again next year, and the stone\n\
             will come from the old quarry above the town, which was closed in 1956 after the accident that killed\n\
             two men of the village.",
            "The council has decided that the pier\nof the harbour is to be built again\nnext year, with stone from the old\nquarry.",
            "the new version of the library is out, and you can read about the\nchanges at\n\
             https://www.orchard.example/releases/library/2026/05/changes-of-the-version-2.html\n\
             which also has the list of all people who have helped us with it\nthis year.",
            "The old quarry above the town was closed in\n1956 after the accident.",
        ] {
            assert_eq!(with_lines(wrapped.to_owned()), wrapped);
        }
    }
}
