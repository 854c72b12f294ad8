//! What Readability finds one part of, joined to the others.
//!
//! An article may stand in several parts, between them advertisements and boxes. A part is a twin of what was found
//! when it is built alike (the same classes up to the third element around its paragraphs) and stands within the same
//! `article` or `main`. And a few words that many answered may be lost for the answers: where those were found, what
//! stands before them belongs to it.

use crate::tokens::{Token, Tokens};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// Bytes of text that make a paragraph one of prose.
const PROSE: usize = 80;

/// Elements around a paragraph by which it is known.
const AROUND: usize = 3;

#[derive(Debug)]
struct Open {
    name: String,
    class: String,
    /// Where the content starts.
    start: usize,
    number: usize,
    answers: bool,
    /// Navigation and the like, and what stands in it.
    around: bool,
}

/// A paragraph of prose in the page.
#[derive(Debug)]
struct Paragraph {
    /// How it is built.
    like: String,
    /// The element that it stands in.
    parent: usize,
    /// The article that it stands in; 0 for none.
    article: usize,
    /// Among answers, by the names of what it stands in.
    answer: bool,
    found: bool,
    length: usize,
}

/// What was found, with its twins before and after it.
pub(super) fn joined(found: &str, page: &str) -> String {
    let texts: HashSet<String> = paragraphs_of(found);
    let (paragraphs, contents) = paragraphs(page, &texts);
    let mut known: HashMap<(&str, usize), usize> = HashMap::new();
    let (mut whole, mut answers) = (0, 0);
    for paragraph in paragraphs.iter().filter(|paragraph| paragraph.found) {
        *known.entry((&paragraph.like, paragraph.article)).or_default() += 1;
        whole += 1;
        answers += usize::from(paragraph.answer);
    }
    let homes: HashSet<usize> = paragraphs.iter().filter(|p| p.found).map(|p| p.parent).collect();
    let (Some(first), Some(last)) = (
        paragraphs.iter().position(|paragraph| paragraph.found),
        paragraphs.iter().rposition(|paragraph| paragraph.found),
    ) else {
        return found.to_owned();
    };
    let mut parts: Vec<(usize, bool)> = Vec::new();
    let mut length = 0;
    for (number, paragraph) in paragraphs.iter().enumerate() {
        // What is missing in the midst was left out, not overlooked.
        if (first..=last).contains(&number) || homes.contains(&paragraph.parent) {
            continue;
        }
        let twin =
            paragraph.article > 0 && known.get(&(&*paragraph.like, paragraph.article)).is_some_and(|count| *count > 1);
        let answered = number < first && !paragraph.answer && answers * 2 > whole;
        if twin || answered {
            length += paragraph.length;
            if parts.last().is_none_or(|(parent, _)| *parent != paragraph.parent) {
                parts.push((paragraph.parent, number < first));
            }
        }
    }
    // More than what was found, and it was not found for a reason.
    let shown: usize = paragraphs.iter().filter(|paragraph| paragraph.found).map(|paragraph| paragraph.length).sum();
    if parts.is_empty() || length > shown * 3 {
        return found.to_owned();
    }
    let part = |before: bool| -> String {
        let ranges = parts.iter().filter(|(_, first)| *first == before).filter_map(|(parent, _)| contents.get(parent));
        ranges.map(|range| format!("<div>{}</div>", &page[range.clone()])).collect()
    };
    part(true) + found + &part(false)
}

fn paragraphs_of(html: &str) -> HashSet<String> {
    let mut all = HashSet::new();
    let mut text: Option<String> = None;
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if tag.name == "p" => all.extend(text.replace(String::new()).map(|text| key(&text))),
            Token::End(name) if name == "p" => all.extend(text.take().map(|text| key(&text))),
            Token::Text(more) => {
                if let Some(text) = &mut text {
                    text.push_str(more);
                }
            }
            _ => {}
        }
    }
    all
}

/// A paragraph's letters, by which it is known again.
fn key(source: &str) -> String {
    let text = htmlize::unescape(source);
    text.chars().filter(|c| c.is_alphanumeric()).take(60).collect()
}

/// The paragraphs of prose, and where the contents of their parents stand.
fn paragraphs(page: &str, texts: &HashSet<String>) -> (Vec<Paragraph>, HashMap<usize, Range<usize>>) {
    let mut open: Vec<Open> = Vec::new();
    let mut all: Vec<Paragraph> = Vec::new();
    let mut contents: HashMap<usize, Range<usize>> = HashMap::new();
    let mut text: Option<String> = None;
    let mut number = 0;
    let mut parents: HashSet<usize> = HashSet::new();
    let mut tokens = Tokens::new(page);
    let mut to = 0;
    while let Some(token) = tokens.next() {
        let from = to;
        to = tokens.position();
        match token {
            Token::Start(tag) if tag.name == "p" => {
                parents.extend(end_paragraph(&mut text, &open, texts, &mut all));
                text = Some(String::new());
            }
            Token::End(name) if name == "p" => parents.extend(end_paragraph(&mut text, &open, texts, &mut all)),
            Token::Text(more) => {
                if let Some(text) = &mut text {
                    text.push_str(more);
                }
            }
            Token::Start(tag) if is_part(&tag.name) => {
                parents.extend(end_paragraph(&mut text, &open, texts, &mut all));
                number += 1;
                let class = tag.attributes.clone().find(|(name, _)| name == "class");
                let (answers, around) = open.last().map_or((false, false), |open| (open.answers, open.around));
                let mut names = tag.attributes.clone().filter(|(name, _)| matches!(&**name, "class" | "id"));
                open.push(Open {
                    answers: answers || names.any(|(_, value)| value.split_ascii_whitespace().any(is_of_answers)),
                    around: around || matches!(&*tag.name, "aside" | "header" | "footer" | "nav"),
                    name: tag.name.to_string(),
                    class: class.map_or_else(String::new, |(_, value)| value.into_owned()),
                    start: to,
                    number,
                });
            }
            Token::End(name) if is_part(&name) => {
                parents.extend(end_paragraph(&mut text, &open, texts, &mut all));
                // One that was never opened ends nothing; what it crosses ends with it.
                if let Some(at) = open.iter().rposition(|open| open.name == *name) {
                    for closed in open.drain(at..).filter(|closed| parents.contains(&closed.number)) {
                        contents.insert(closed.number, closed.start..from);
                    }
                }
            }
            _ => {}
        }
    }
    (all, contents)
}

/// Takes the paragraph that ends here, and gives the number of what it stands in where it is one of prose.
fn end_paragraph(
    text: &mut Option<String>,
    open: &[Open],
    texts: &HashSet<String>,
    all: &mut Vec<Paragraph>,
) -> Option<usize> {
    let text = text.take().filter(|text| text.trim().len() >= PROSE)?;
    let article = open.iter().rfind(|open| matches!(&*open.name, "article" | "main"));
    let &Open { number: parent, answers, .. } = open.last().filter(|open| !open.around)?;
    let around: Vec<String> =
        open.iter().rev().take(AROUND).map(|open| format!("{}.{}", open.name, open.class)).collect();
    all.push(Paragraph {
        like: around.join(" "),
        parent,
        article: article.map_or(0, |open| open.number),
        answer: answers,
        found: texts.contains(&key(&text)),
        length: text.trim().len(),
    });
    Some(parent)
}

/// Whether a name is one that answers stand under.
fn is_of_answers(name: &str) -> bool {
    ["comment", "answer", "repl", "disqus", "respon"].iter().any(|start| {
        name.split(['-', '_']).any(|word| word.get(..start.len()).is_some_and(|word| word.eq_ignore_ascii_case(start)))
    })
}

fn is_part(name: &str) -> bool {
    matches!(
        name,
        "ul" | "ol"
            | "form"
            | "nav"
            | "div"
            | "section"
            | "article"
            | "main"
            | "aside"
            | "blockquote"
            | "header"
            | "footer"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(of: &str) -> String {
        format!(
            "<p>{of} boats were in the harbour, and nobody, as far as we could see, was about to mend a net before noon.</p>"
        )
    }

    #[test]
    fn parts_built_alike_are_joined() {
        let [a, b, c, d] = ["First", "Second", "Third", "Fourth"].map(prose);
        let part = |inside: &str| format!("<div class=c><div class=b>{inside}</div></div>");
        let page =
            format!("<article>{}<div>Buy!</div>{}</article>", part(&format!("{a}{b}")), part(&format!("{c}{d}")));
        let found = format!("{a}{b}");
        assert_eq!(joined(&found, &page), format!("{found}<div>{c}{d}</div>"));
        assert_eq!(joined(&format!("{c}{d}"), &page), format!("<div>{a}{b}</div>{c}{d}"));
        let others = page.replace("<div>Buy!</div>", "</article><article>");
        assert_eq!(joined(&found, &others), found);
    }

    #[test]
    fn what_was_answered_stays() {
        let [a, b, c] = ["First", "Second", "Third"].map(prose);
        let page = format!("<aside>{c}</aside><div class=question>{a}</div><ul class=comments><li>{b}{c}</li></ul>");
        let found = format!("{b}{c}");
        assert_eq!(joined(&found, &page.replace("<aside>", "<aside class=x>")), format!("<div>{a}</div>{found}"));
        assert_eq!(joined(&found, &page.replace("comments", "story")), found);
    }
}
