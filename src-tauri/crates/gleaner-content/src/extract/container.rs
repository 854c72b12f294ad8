//! Finds the element that a page itself names as its article, for pages in which Readability finds something else: a cookie
//! notice, a comment, a form.

use super::tree::{Element, Tree};
use gleaner_html::{
    references,
    tokens::{Tag, Token, Tokens},
};
use std::{borrow::Cow, collections::HashSet};

/// Classes of the element around the text of an article.
#[rustfmt::skip]
const BODIES: [&str; 30] = [
    "article-body", "article-content", "article-text", "article__body", "article__content", "article__text", "articlebody", "articlecontent",
    "articletext", "blog-post-content", "content-body", "e-content", "entry", "entry-content", "entry-text", "entrytext", "field-name-body", "post-body", "post-content",
    "post-entry", "post-text", "post__content", "postcontent", "rich-text", "single-content", "story-body", "story-content", "storytext",
    "td-post-content", "wp-block-post-content",
];

/// Minimum length in bytes of a text that is worth more than what Readability found.
const MIN_LENGTH: usize = 100;

/// Minimum number of letters in a part of an article that Readability chose for a reason.
const MIN_PART: usize = 1000;

/// Minimum length in bytes of a text that can be part of a sentence.
pub(super) const MIN_SENTENCE: usize = 30;

/// What the tag of an element says about it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    #[default]
    None,
    /// `article` or `main`.
    Outer,
    /// A class or a property that only the body of an article has.
    Body,
}

impl Rank {
    fn read(tag: &Tag<'_>) -> Self {
        let is_body = tag.attributes.clone().any(|(name, value)| match &*name {
            "itemprop" => value.trim() == "articleBody",
            "class" => value.split_ascii_whitespace().any(|class| BODIES.contains(&&*class.to_ascii_lowercase())),
            _ => false,
        });
        match &*tag.name {
            _ if is_body => Self::Body,
            "article" | "main" => Self::Outer,
            _ => Self::None,
        }
    }
}

/// Returns the HTML of the element that the page names as its article, if `found` contains less than half of its text.
pub(super) fn missed<'a>(page: &'a str, found: &str) -> Option<&'a str> {
    let tree = Tree::read(page, Rank::read);
    let (best, has_several) = best(&tree)?;
    let html = &page[best.range()];
    let length = letters(found).len();
    // Readability left out the rest of a long text on purpose, and a text much longer than the element is the article.
    let is_part = length >= MIN_PART && share(found, &keys(html)) >= 0.5;
    // A table or list of short texts is not the article, if there is text around it.
    let is_table = prose(found) * 4 < length && prose(html) >= MIN_PART.max(length / 2);
    let is_missed =
        !has_several && own(best) * 2 >= length && (is_table || !is_part && share(html, &keys(found)) < 0.5);
    is_missed.then_some(html)
}

/// Length of the text outside of links.
fn own<K>(element: &Element<K>) -> usize {
    element.text() - element.links()
}

/// Returns the element of the highest rank with the most text outside of links, and whether others are as large: a list of
/// articles.
fn best(tree: &Tree<Rank>) -> Option<(&Element<Rank>, bool)> {
    let rank = tree.elements.iter().filter(|element| own(element) >= MIN_LENGTH).map(|element| element.known).max()?;
    let all = || tree.elements.iter().filter(|element| rank > Rank::None && element.known == rank);
    let best = all().max_by_key(|element| own(element))?;
    let range = best.range();
    let is_outside = |other: &Element<Rank>| other.range().end <= range.start || other.range().start >= range.end;
    Some((best, all().filter(|other| is_outside(other) && own(other) * 2 > own(best)).count() > 1))
}

/// Returns the share of the text of an element that has one of some keys; 1 if there is little text.
pub(super) fn share(html: &str, keys: &HashSet<String>) -> f64 {
    let (mut all, mut there) = (0_u32, 0_u32);
    for (text, _) in texts(html) {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        all = all.saturating_add(length);
        there += if keys.contains(&key(&text)) { length } else { 0 };
    }
    if (all as usize) < MIN_LENGTH { 1.0 } else { f64::from(there) / f64::from(all) }
}

/// Length in bytes of the texts of an element that are long enough to be part of a sentence, in several words.
fn prose(html: &str) -> usize {
    texts(html).filter(|(text, _)| text.split_whitespace().nth(4).is_some()).map(|(text, _)| text.len()).sum()
}

/// Whether a found text has almost nothing in common with an element.
pub(super) fn is_apart(found: &str, html: &str) -> bool {
    let (mut all, mut there) = (0, 0);
    let keys = keys(html);
    for (text, _) in texts(found) {
        all += text.len();
        there += if keys.contains(&key(&text)) { text.len() } else { 0 };
    }
    there * 10 <= all
}

/// Returns the texts outside of links that are long enough to be part of a sentence, and the positions after them.
pub(super) fn texts(html: &str) -> impl Iterator<Item = (Cow<'_, str>, usize)> {
    let mut in_link = false;
    let mut tokens = Tokens::new(html);
    std::iter::from_fn(move || {
        while let Some(token) = tokens.next() {
            match token {
                Token::Start(tag) if tag.name == "a" => in_link = true,
                Token::End(name) if name == "a" => in_link = false,
                Token::Text(text) if !in_link && text.trim().len() >= MIN_SENTENCE => {
                    return Some((references::decode(text), tokens.position()));
                }
                _ => {}
            }
        }
        None
    })
}

/// Returns the keys of the texts of an element.
pub(super) fn keys(html: &str) -> HashSet<String> {
    texts(html).map(|(text, _)| key(&text)).collect()
}

/// Returns the first letters of a text, by which it is recognised.
pub(super) fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).take(60).collect()
}

/// Returns the letters and digits of a plain text in lower case, by which titles are compared.
pub(super) fn title_letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the letters of the text of an element.
pub(super) fn letters(html: &str) -> String {
    crate::plain_text(html).chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORY: &str = "<p>The boats were in the harbour, and no one was about to repair a net or sell a fish before the \
sun had climbed over the sheds.</p><p>Then the bell of the chapel rang, and all of them looked up.</p>";

    #[test]
    fn finds_the_element_that_the_page_names() {
        let notice = "<p>We and our partners use what the visitors of our pages do to make our pages better.</p>";
        for body in ["<div itemprop=articleBody>", "<section class='x Entry-Content'>", "<article>", "<main>"] {
            let page = format!("<div>{notice}</div>{body}{STORY}");
            assert_eq!(missed(&page, notice), Some(&page[notice.len() + 11..]), "{body}");
            assert_eq!(missed(&page, STORY), None);
        }
    }

    #[test]
    fn finds_the_text_around_a_long_table() {
        let table =
            format!("<table>{}</table>", "<tr><td>Boat<td>someone.of.the.harbour@boats.example</tr>".repeat(90));
        let page = format!("<article>{}{table}</article>", STORY.repeat(9));
        assert_eq!(missed(&page, &table), Some(&*page));
        let short = format!("<article>{STORY}{table}</article>");
        assert_eq!(missed(&short, &table), None);
    }

    #[test]
    fn leaves_lists_of_articles_and_long_texts() {
        let article = |of: &str| format!("<article>{}</article>", STORY.replace("boats", of));
        let several = format!("{}{}{}", article("ships"), article("boats"), article("carts"));
        assert_eq!(missed(&several, "<p>Another text of the page, which is as long as a sentence.</p>"), None);
        let long = "<p>A text that is much longer than the article which the page names as such.</p>".repeat(20);
        assert_eq!(missed(&article("boats"), &long), None);
        // Comments inside the element, which Readability left out.
        let text = STORY.repeat(9);
        let page =
            format!("<article>{text}{}</article>", "<p>What a comment says about it, at some length.</p>".repeat(99));
        assert_eq!(missed(&page, &text), None);
    }
}
