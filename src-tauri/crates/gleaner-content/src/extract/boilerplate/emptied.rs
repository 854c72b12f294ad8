//! Finds the headings of sections that Readability removed.

use super::{Known, MAX_LABEL, is_empty, is_links, names};
use crate::extract::{container::letters, prepare, tree::Tree};
use gleaner_html::{
    elements::is_void,
    references,
    tokens::{Tag, Token, Tokens},
};
use std::{collections::HashMap, ops::Range};

/// Maximum number of headings next to each other that are removed. More of them are questions whose answers are hidden.
const MAX_ROW: usize = 2;

/// Minimum number of letters of a section. Fewer belong to a button or label.
const MIN_LETTERS: usize = 40;

/// The section that follows a heading in the page.
#[derive(Debug, Default)]
struct Section {
    /// Whether it is more than links, buttons, and boilerplate.
    has_content: bool,
    /// Letters of the next heading.
    next: String,
    /// Whether another heading has the same text.
    is_repeated: bool,
}

/// Returns the positions of headings after which the page has text, and the article has a heading of the same or a
/// higher level. `left` returns the remaining HTML of a part.
pub(super) fn headings(
    html: &str,
    tree: &Tree<Known>,
    page: &str,
    removed: &[Range<usize>],
    left: impl Fn(Range<usize>) -> String,
) -> Vec<Range<usize>> {
    let is_removed = |range: &Range<usize>| {
        let at = removed.partition_point(|removed| removed.end <= range.start);
        removed.get(at).is_some_and(|removed| removed.start <= range.start)
    };
    let shown = tree.elements.iter().filter(|element| element.is_heading && !is_removed(&element.range()));
    let shown: Vec<_> = shown.collect();
    // Pairs of headings with nothing between them.
    let mut empty: Vec<bool> = shown
        .windows(2)
        .map(|pair| {
            let (first, next) = (pair[0].range(), pair[1].range());
            first.end <= next.start && is_empty(&left(first.end..next.start))
        })
        .collect();
    if !empty.contains(&true) {
        return Vec::new();
    }
    empty.push(false);
    let sections = sections(page);
    let mut all = Vec::new();
    let mut from = 0;
    while from < shown.len() {
        let row = empty[from..].iter().take_while(|empty| **empty).count();
        let mut next = shown[from + row].range();
        let mut emptied = Vec::new();
        for heading in shown[from..from + row].iter().rev() {
            let range = heading.range();
            // The headings of a list of articles are links.
            let is_title = heading.text() <= MAX_LABEL / 2 && !heading.in_quote && !is_links(heading);
            let (own, other) = (letters(&html[range.clone()]), letters(&html[next.clone()]));
            let is_emptied = sections
                .get(&own)
                .is_some_and(|section| !section.is_repeated && (section.has_content || section.next != other));
            if is_title && is_emptied && level(html, &next) <= level(html, &range) {
                emptied.push(range);
            } else {
                next = range;
            }
        }
        if emptied.len() <= MAX_ROW {
            all.extend(emptied);
        }
        from += row + 1;
    }
    all
}

/// Returns the level of a heading, as its digit.
fn level(html: &str, heading: &Range<usize>) -> u8 {
    html.as_bytes().get(heading.start + 2).copied().unwrap_or_default()
}

/// Returns the sections of a page by the letters of their headings.
fn sections(page: &str) -> HashMap<String, Section> {
    let mut all: HashMap<String, Section> = HashMap::new();
    let mut in_heading = false;
    // The name of the open element that is hidden or is not content, and how many elements of this name are open. Users expand the hidden
    // ones at the heading.
    let mut hidden: Option<(String, usize)> = None;
    // The letters of the current heading, and the number of those before and after it.
    let (mut heading, mut count) = (String::new(), 0);
    let mut before: Option<(String, usize)> = None;
    let end = |before: Option<(String, usize)>, next: &str, all: &mut HashMap<String, Section>| {
        if let Some((heading, count)) = before {
            all.entry(heading).and_modify(|section| section.is_repeated = true).or_insert_with(|| Section {
                has_content: count >= MIN_LETTERS,
                next: next.to_owned(),
                is_repeated: false,
            });
        }
    };
    for token in Tokens::new(page) {
        if let Some((name, open)) = &mut hidden {
            match &token {
                Token::Start(tag) if is_heading(&tag.name) => hidden = None,
                Token::Start(tag) => *open += usize::from(*name == *tag.name),
                Token::End(end) => *open -= usize::from(*name == **end),
                _ => {}
            }
            hidden = hidden.filter(|(_, open)| *open > 0);
            if hidden.is_some() {
                continue;
            }
        }
        match token {
            Token::Start(tag) if is_heading(&tag.name) => {
                before = before.map(|(before, letters)| (before, letters + count));
                (in_heading, count) = (true, 0);
                heading.clear();
            }
            Token::End(name) if in_heading && is_heading(&name) => {
                in_heading = false;
                end(before.take(), &heading, &mut all);
                before = Some((heading.clone(), 0));
            }
            Token::Start(tag)
                if !is_void(&tag.name) && (prepare::is_hidden(&tag) || !in_heading && is_no_content(&tag)) =>
            {
                hidden = Some((tag.name.into_owned(), 1));
            }
            Token::Text(text) => {
                let letters = references::decode(text);
                let letters = letters.chars().filter(|c| c.is_alphanumeric());
                match in_heading {
                    true => heading.extend(letters),
                    false => count += letters.count(),
                }
            }
            _ => {}
        }
    }
    end(before.map(|(before, letters)| (before, letters + count)), "", &mut all);
    all
}

/// Whether an element is a link, a button, or has the name of boilerplate.
fn is_no_content(tag: &Tag<'_>) -> bool {
    matches!(&*tag.name, "a" | "button")
        || tag.attributes.get("class").is_some_and(|class| names::kind_of_class(&class).is_some())
        || tag.attributes.get("id").is_some_and(|id| names::is_named(&id))
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}
