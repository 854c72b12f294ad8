//! Adds the parts of an article that Readability misses.
//!
//! An article may consist of several parts with advertisements and boxes between them. A part belongs to the one that
//! Readability found if its markup is similar (the same classes on the three elements around its paragraphs) and it is in
//! the same `article` or `main`. If Readability found the comments on a short post, the post before them is added.

use gleaner_html::tokens::{Token, Tokens};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// Minimum length in bytes of a paragraph of prose.
const MIN_PROSE: usize = 80;

/// Number of elements around a paragraph that make up its signature.
const AROUND: usize = 3;

#[derive(Debug)]
struct Open {
    name: String,
    class: String,
    /// Position of its content.
    start: usize,
    number: usize,
    in_comments: bool,
    /// Whether it is inside navigation, a header or similar.
    is_chrome: bool,
}

/// A paragraph of prose in the page.
#[derive(Debug)]
struct Paragraph {
    /// Names and classes of the elements around it.
    signature: String,
    /// Number of its parent element.
    parent: usize,
    /// Number of the `article` or `main` around it; 0 for none.
    article: usize,
    /// Whether it is in a reader's comment, judging by the names of the elements around it.
    is_comment: bool,
    found: bool,
    length: usize,
}

/// Returns the found part with the related parts before and after it.
pub(super) fn with_related_parts(found: &str, page: &str) -> String {
    let texts: HashSet<String> = paragraphs_of(found);
    let (paragraphs, contents) = paragraphs(page, &texts);
    let mut known: HashMap<(&str, usize), usize> = HashMap::new();
    let (mut whole, mut comments) = (0, 0);
    for paragraph in paragraphs.iter().filter(|paragraph| paragraph.found) {
        *known.entry((&paragraph.signature, paragraph.article)).or_default() += 1;
        whole += 1;
        comments += usize::from(paragraph.is_comment);
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
        // Paragraphs missing within the found part were left out on purpose.
        if (first..=last).contains(&number) || homes.contains(&paragraph.parent) {
            continue;
        }
        let related = paragraph.article > 0
            && known.get(&(&*paragraph.signature, paragraph.article)).is_some_and(|count| *count > 1);
        let is_post = number < first && !paragraph.is_comment && comments * 2 > whole;
        if related || is_post {
            length += paragraph.length;
            if parts.last().is_none_or(|(parent, _)| *parent != paragraph.parent) {
                parts.push((paragraph.parent, number < first));
            }
        }
    }
    // If this adds much more text than was found, Readability left it out for a reason.
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

/// Returns the key of a paragraph: its first letters.
fn key(source: &str) -> String {
    let text = gleaner_html::references::decode(source);
    text.chars().filter(|c| c.is_alphanumeric()).take(60).collect()
}

/// Returns the paragraphs of prose, and the positions of the contents of their parents.
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
                let (in_comments, is_chrome) =
                    open.last().map_or((false, false), |open| (open.in_comments, open.is_chrome));
                let mut names = tag.attributes.clone().filter(|(name, _)| matches!(&**name, "class" | "id"));
                open.push(Open {
                    in_comments: in_comments
                        || names.any(|(_, value)| value.split_ascii_whitespace().any(is_comments_name)),
                    is_chrome: is_chrome || matches!(&*tag.name, "aside" | "header" | "footer" | "nav"),
                    name: tag.name.to_string(),
                    class: class.map_or_else(String::new, |(_, value)| value.into_owned()),
                    start: to,
                    number,
                });
            }
            Token::End(name) if is_part(&name) => {
                parents.extend(end_paragraph(&mut text, &open, texts, &mut all));
                // An end tag without a start tag is ignored; elements that it crosses end with it.
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

/// Ends the current paragraph, and returns the number of its parent if it is prose.
fn end_paragraph(
    text: &mut Option<String>,
    open: &[Open],
    texts: &HashSet<String>,
    all: &mut Vec<Paragraph>,
) -> Option<usize> {
    let text = text.take().filter(|text| text.trim().len() >= MIN_PROSE)?;
    let article = open.iter().rfind(|open| matches!(&*open.name, "article" | "main"));
    let &Open { number: parent, in_comments, .. } = open.last().filter(|open| !open.is_chrome)?;
    let around: Vec<String> =
        open.iter().rev().take(AROUND).map(|open| format!("{}.{}", open.name, open.class)).collect();
    all.push(Paragraph {
        signature: around.join(" "),
        parent,
        article: article.map_or(0, |open| open.number),
        is_comment: in_comments,
        found: texts.contains(&key(&text)),
        length: text.trim().len(),
    });
    Some(parent)
}

/// Whether a class or id names comments.
fn is_comments_name(name: &str) -> bool {
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
            "<p>{of} boats were in the harbour, and no one, as far as we could see, was about to repair a net before noon.</p>"
        )
    }

    #[test]
    fn joins_parts_with_the_same_markup() {
        let [a, b, c, d] = ["First", "Second", "Third", "Fourth"].map(prose);
        let part = |inside: &str| format!("<div class=c><div class=b>{inside}</div></div>");
        let page =
            format!("<article>{}<div>Buy!</div>{}</article>", part(&format!("{a}{b}")), part(&format!("{c}{d}")));
        let found = format!("{a}{b}");
        assert_eq!(with_related_parts(&found, &page), format!("{found}<div>{c}{d}</div>"));
        assert_eq!(with_related_parts(&format!("{c}{d}"), &page), format!("<div>{a}{b}</div>{c}{d}"));
        let others = page.replace("<div>Buy!</div>", "</article><article>");
        assert_eq!(with_related_parts(&found, &others), found);
    }

    #[test]
    fn keeps_the_post_before_its_comments() {
        let [a, b, c] = ["First", "Second", "Third"].map(prose);
        let page = format!("<aside>{c}</aside><div class=question>{a}</div><ul class=comments><li>{b}{c}</li></ul>");
        let found = format!("{b}{c}");
        assert_eq!(
            with_related_parts(&found, &page.replace("<aside>", "<aside class=x>")),
            format!("<div>{a}</div>{found}")
        );
        assert_eq!(with_related_parts(&found, &page.replace("comments", "story")), found);
    }
}
