//! Removes boilerplate from an article: sharing buttons, links to other articles, newsletter forms, bylines.

mod cards;
mod dated_bylines;
mod dates;
mod emptied;
mod lost;
pub(super) mod names;
mod neighbours;
mod notices;
mod outline;
mod requests;
mod shares;

use super::tree::{self, Tree};
pub(super) use dates::{begins_with_date, worded_date};
use gleaner_html::tokens::Tag;
use names::Kind;
pub(super) use names::{has_word, is_named};
use outline::Outline;
use std::ops::Range;
use url::Url;

type Element = tree::Element<Known>;

/// Maximum length of the text of a label, such as a byline, in bytes.
const MAX_LABEL: usize = 200;
/// Maximum length of a box that leads to another article, in bytes.
const MAX_TEASER: usize = 600;
/// Maximum length of the description of an author, in bytes.
const MAX_BIOGRAPHY: usize = 1000;
/// Maximum length of a paragraph that only refers to another article, in bytes.
const MAX_REFERENCE: usize = 400;

/// Maximum length of the label of an image, in bytes.
const MAX_IMAGE_LABEL: usize = 30;
/// Maximum length of the HTML of an image with its label, in bytes.
const MAX_IMAGE: usize = 4000;

/// Minimum length in bytes of the text after a date for the date to belong to it.
const MIN_EVENT: usize = 30;

/// Maximum number of labels of links in an article that is not a list of links.
const MAX_LISTS: usize = 2;

/// Properties of an element that follow from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Known {
    kind: Option<Kind>,
    /// Whether its names are those of a description of the author.
    is_biography: bool,
    /// Whether its class is that of line numbers of code.
    is_gutter: bool,
    is_block: bool,
    is_list: bool,
    is_navigation: bool,
    /// Whether it is an item of a list or a cell of a table.
    is_item: bool,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let is_item = matches!(&*tag.name, "li" | "td" | "th" | "dd" | "dt");
        let is_list = matches!(&*tag.name, "ul" | "ol");
        let is_navigation = tag.name == "nav";
        let mut known = Self { is_block: is_block(&tag.name), is_list, is_navigation, is_item, ..Self::default() };
        if tag.name.contains('-') {
            known.kind = names::kind(&tag.name);
        }
        for (name, value) in tag.attributes.clone().filter(|(name, _)| matches!(&**name, "class" | "id")) {
            let kind = if name == "class" { names::kind_of_class(&value) } else { names::kind(&value) };
            known.kind = known.kind.max(kind);
            known.is_biography |= value.to_ascii_lowercase().contains("autho");
            known.is_gutter |= name == "class" && names::is_gutter(&value);
        }
        known
    }
}

/// Whether an element can stand alone and be removed.
#[rustfmt::skip]
fn is_block(name: &str) -> bool {
    name.contains('-') || matches!(
        name,
        "div" | "section" | "article" | "aside" | "ul" | "ol" | "p" | "nav" | "footer" | "header" | "form" | "table" | "li" | "dl" | "center" | "blockquote"
            | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
    )
}

/// Returns the page at an address without the parts that are certainly not its article, which Readability would misjudge.
pub(super) fn without_certain(page: &str, address: Option<&Url>) -> String {
    let page = notices::without_notices(page);
    let page = shares::without_shares(&page);
    let page = requests::without_requests(&page);
    neighbours::without_neighbours(&page, address).into_owned()
}

/// Removes elements whose names or words mark them as boilerplate. Large ones stay: the name may be wrong.
/// `source`: the page, with its address `page` and its description.
pub(super) fn remove(html: &str, source: &str, page: Option<&Url>, description: Option<&str>) -> String {
    let tree = Tree::read(html, Known::read);
    let outline = Outline::read(&tree);
    let lost = lost::names(&tree, html, source, description);
    let mut removal = Removal {
        html,
        tree: &tree,
        lost,
        page,
        outline,
        is_list_of_links: false,
        budget: html.len() * 8,
        gone: 0,
        ranges: Vec::new(),
    };
    removal.is_list_of_links = removal.labels() > MAX_LISTS;
    removal.budget = html.len() * 8;
    removal.within(Tree::<Known>::ROOT, false);
    removal.cards_at_end();
    removal.links_at_end();
    removal.emptied_headings(source);
    removal.last_headings();
    let mut out = String::with_capacity(html.len());
    let mut from = 0;
    for range in removal.ranges {
        // The last heading may contain ranges that were removed before it.
        out.push_str(html.get(from..range.start).unwrap_or_default());
        from = from.max(range.end);
    }
    out.push_str(&html[from..]);
    out
}

struct Removal<'a> {
    html: &'a str,
    tree: &'a Tree<Known>,
    /// What the names of elements that Readability replaced say about them.
    lost: Vec<Option<Known>>,
    page: Option<&'a Url>,
    outline: Option<Outline>,
    /// Whether the article has many labels of links, as lists of links do.
    is_list_of_links: bool,
    /// How many more bytes may be read for their words; limited, because nested elements have the same words.
    budget: usize,
    /// Length of the text removed because of names.
    gone: usize,
    /// The removed parts, in order.
    ranges: Vec<Range<usize>>,
}

impl Removal<'_> {
    /// Removes boilerplate within an element. `in_item`: whether it is all of an item.
    fn within(&mut self, parent: usize, in_item: bool) {
        // Whether the last element was a heading of links to other articles.
        let mut after_heading = false;
        let mut children = self.tree.children(parent).peekable();
        while let Some(at) = children.next() {
            let element = &self.tree.elements[at];
            let is_item = element.known.is_item || in_item && element.text() == self.tree.elements[parent].text();
            let next_at = children.peek().copied();
            let next = next_at.map(|next| &self.tree.elements[next]);
            let words = self.words(element);
            let is_label = words.as_deref().is_some_and(|words| self.labels_links(element, words, next));
            let removed = is_label
                || element.known.is_navigation && self.is_navigation(element)
                || after_heading && !element.is_heading && (is_links(element) || element.text() == 0)
                || element.known.is_gutter && !element.has_words
                || words.as_deref().is_some_and(|words| {
                    is_boilerplate(element, words, next, is_item) && !self.labels_sources(element, words, next)
                        || self.is_linked_heading(element, words)
                        || self.is_misplaced(element, words, next)
                        || self.is_offer(element, words)
                        || names::is_about_author(words) && next_at.is_some_and(|next| self.is_named(next))
                })
                || self.is_named_boilerplate(at);
            if removed {
                self.ranges.push(element.range());
                after_heading |= is_label
                    || element.is_heading
                        && words
                            .as_deref()
                            .is_some_and(|words| names::is_reference(words) && !names::is_section(words));
            } else {
                after_heading &= element.text() == 0;
                self.within(at, is_item);
            }
        }
    }

    /// Whether a short block is boilerplate because of its position: a date before or after the prose; a link with a label or in capitals
    /// within it; links to the legal pages of the site, or a copyright notice, after it.
    fn is_misplaced(&self, element: &Element, words: &str, next: Option<&Element>) -> bool {
        let Some(outline) = self.outline else { return false };
        let range = element.range();
        // The text that follows a date after the prose may describe an event of that date.
        let is_event = || next.is_some_and(|next| next.text() >= MIN_EVENT && next.links() == 0 && !next.is_heading);
        let is_outside = range.end <= outline.first || range.start >= outline.last && !is_event();
        let is_paragraph = !element.is_heading && !element.in_quote && !element.known.is_item;
        let is_dated = || dates::is_date(words) || range.end <= outline.first && dated_bylines::is_dated_byline(words);
        is_paragraph && is_outside && is_dated() && !self.html[range.clone()].contains("<img")
            || is_paragraph && range.start >= outline.last && element.links() > 0 && names::is_legal_row(words)
            // Below a heading, these are copyright notices of other works.
            || is_paragraph
                && range.start >= outline.last
                && outline.heading.is_none_or(|heading| range.start < heading)
                && outline::is_claim_of_rights(words)
            || is_paragraph
                && range.start > outline.first
                && element.links() * 10 >= element.text() * 4
                && (outline::is_labelled_link(&self.html[range.clone()], self.page)
                    || range.end < outline.last && outline::is_link_in_capitals(&self.html[range], self.page))
    }

    /// Returns the number of paragraphs that introduce links to other articles.
    fn labels(&mut self) -> usize {
        let tree = self.tree;
        let mut count = 0;
        let mut open = vec![Tree::<Known>::ROOT];
        while let Some(parent) = open.pop() {
            for at in tree.children(parent) {
                open.push(at);
                let element = &tree.elements[at];
                let is_label = element.text() <= MAX_LABEL / 2 && element.links() == 0 && !element.is_heading;
                let words = if is_label { self.words(element) } else { None };
                count += usize::from(words.is_some_and(|words| names::is_reference(&words)));
            }
        }
        count
    }

    /// Whether a paragraph only says that links to other articles follow.
    fn labels_links(&self, element: &Element, words: &str, next: Option<&Element>) -> bool {
        let is_paragraph = !element.is_heading && !element.known.is_item && !element.in_quote;
        is_paragraph
            && !self.is_list_of_links
            && element.links() == 0
            && element.text() <= MAX_LABEL / 2
            && names::is_label_of_articles(words)
            && next.is_some_and(|next| {
                let html = &self.html[next.range()];
                is_links(next) && outline::leads_away(html, self.page) && !outline::offers_files(html)
            })
    }

    /// Whether a label, such as "See also:", introduces links to other sites or files, or is one of many.
    fn labels_sources(&self, element: &Element, words: &str, next: Option<&Element>) -> bool {
        element.links() == 0
            && names::is_bare_reference(words)
            && next.is_some_and(|next| {
                let html = &self.html[next.range()];
                is_links(next)
                    && (self.is_list_of_links || !outline::leads_away(html, self.page) || outline::offers_files(html))
            })
    }

    /// Whether an element is the navigation of the site, and not a table of contents.
    fn is_navigation(&self, element: &Element) -> bool {
        let is_part = element.text() * 2 <= self.tree.elements[Tree::<Known>::ROOT].text();
        is_part && outline::leaves_page(&self.html[element.range()])
    }

    /// Whether a heading is a link to another article.
    fn is_linked_heading(&self, element: &Element, words: &str) -> bool {
        element.is_heading
            && is_links(element)
            && names::is_reference(words)
            && !names::is_section(words)
            && outline::leads_to_others(&self.html[element.range()], self.page)
    }

    /// Whether a part of the article is an offer of a subscription.
    fn is_offer(&self, element: &Element, words: &str) -> bool {
        let is_part = element.text() * 2 <= self.tree.elements[Tree::<Known>::ROOT].text();
        is_part && element.links() > 0 && names::is_offer(words)
    }

    /// Removes boxes that lead to other articles after the prose.
    fn cards_at_end(&mut self) {
        let cards = cards::at_end(self.html, self.tree, self.page);
        self.ranges.retain(|range| {
            let at = cards.partition_point(|card| card.end <= range.start);
            cards.get(at).is_none_or(|card| range.start < card.start)
        });
        self.ranges.extend(cards);
        self.ranges.sort_by_key(|range| range.start);
    }

    /// Removes links to other articles after the prose.
    fn links_at_end(&mut self) {
        let Some(outline) = self.outline else { return };
        let ranges = outline::links_at_end(self.html, self.tree, outline, &self.ranges, self.page);
        if let Some(first) = ranges.first() {
            self.ranges.retain(|range| range.start < first.start);
            self.ranges.extend(ranges);
        }
    }

    /// Removes headings whose sections are missing.
    fn emptied_headings(&mut self, source: &str) {
        let left = |part: Range<usize>| self.left(part);
        let emptied = emptied::headings(self.html, self.tree, source, &self.ranges, left);
        self.ranges.extend(emptied);
        self.ranges.sort_by_key(|range| range.start);
    }

    /// Removes the last heading if nothing follows it, and those before it from which everything was removed.
    fn last_headings(&mut self) {
        let mut end = self.html.len();
        let mut empty = Vec::new();
        for heading in self.tree.elements.iter().rev().filter(|element| element.is_heading) {
            let Range { start, end: from } = heading.range();
            let at = self.ranges.partition_point(|range| range.end <= start);
            if self.ranges.get(at).is_some_and(|range| range.start <= start) {
                continue;
            }
            let is_empty = from <= end && is_empty(&self.left(from..end));
            // A long one is text.
            let is_title = heading.text() <= MAX_LABEL / 2 && !heading.in_quote;
            if !is_empty || !is_title || !empty.is_empty() && self.ranges.get(at).is_none_or(|range| range.start >= end)
            {
                break;
            }
            empty.push(start..from);
            end = start;
        }
        self.ranges.extend(empty);
        self.ranges.sort_by_key(|range| range.start);
    }

    /// Returns the remaining HTML of a part.
    fn left(&self, part: Range<usize>) -> String {
        let mut left = String::new();
        let mut from = part.start;
        let first = self.ranges.partition_point(|range| range.end <= part.start);
        for range in self.ranges[first..].iter().take_while(|range| range.start < part.end) {
            left.push_str(self.html.get(from..range.start).unwrap_or_default());
            from = from.max(range.end);
        }
        left.push_str(self.html.get(from..part.end).unwrap_or_default());
        left
    }

    /// Returns the words of a short block in lower case.
    fn words(&mut self, element: &Element) -> Option<String> {
        let length = element.range().len();
        let is_short = (1..=MAX_REFERENCE).contains(&element.text()) && length <= (MAX_REFERENCE * 10).min(self.budget);
        if !is_short || !element.known.is_block {
            return None;
        }
        self.budget -= length;
        Some(crate::plain_text(&self.html[element.range()]).to_lowercase())
    }

    /// Whether an element is boilerplate by its names. Counts its text, if it is.
    fn is_named_boilerplate(&mut self, at: usize) -> bool {
        let is_boilerplate = self.is_named(at);
        self.gone += if is_boilerplate { self.tree.elements[at].text() } else { 0 };
        is_boilerplate
    }

    /// Whether an element is an image with a short label, which may be one for screen readers.
    fn is_labelled_image(&self, element: &Element) -> bool {
        let range = element.range();
        element.text() <= MAX_IMAGE_LABEL && range.len() <= MAX_IMAGE && self.html[range].contains("<img")
    }

    fn is_named(&self, at: usize) -> bool {
        let element = &self.tree.elements[at];
        let total = self.tree.elements[Tree::<Known>::ROOT].text();
        let gone = self.gone + element.text();
        // One may be an eighth of the text, and all together a quarter; or half of the text.
        let is_small = element.text() * 8 <= total && gone * 4 <= total;
        let is_part = gone * 2 <= total;
        let lost = self.lost[at].filter(|lost| {
            element.known.kind.is_none() && !(lost.kind == Some(Kind::Certain) && self.is_labelled_image(element))
        });
        let known = lost.map_or(element.known, |lost| Known { is_block: element.known.is_block, ..lost });
        match known.kind {
            None => false,
            Some(Kind::Certain) => is_part,
            Some(Kind::Boilerplate) => is_small && known.is_block,
            Some(Kind::CertainLabel) => is_part && element.text() <= MAX_LABEL,
            Some(Kind::Teaser) => is_part && known.is_block && element.links() > 0 && element.text() <= MAX_TEASER,
            Some(Kind::Label) => {
                let length = if known.is_biography { MAX_BIOGRAPHY } else { MAX_LABEL };
                is_small && known.is_block && !element.in_quote && element.text() <= length
            }
        }
    }
}

/// Whether the words of a block are boilerplate. `next`: the block after it. `is_item`: whether it is all of an item.
fn is_boilerplate(element: &Element, words: &str, next: Option<&Element>, is_item: bool) -> bool {
    match element.is_heading {
        true => {
            names::is_phrase(words) && (!names::is_ambiguous(words) || next.is_none_or(is_links))
                || names::is_request(words) && is_links(element)
                || names::is_reference(words) && !names::is_section(words) && next.is_none_or(is_links)
        }
        false => {
            names::is_phrase(words) && !(is_item && names::is_ambiguous(words))
                || names::is_notice(words)
                || names::is_newsletter(words)
                || names::is_bare_reference(words)
                || names::is_bare_label(words) && next.is_some_and(is_links)
                || names::is_date(words)
                || names::is_reference(words)
                    && element.links() * 10 >= element.text() * 4
                    && !names::is_sentence(words)
                || names::is_request(words) && element.links() > 0
                || names::is_label(words) && element.links() * 10 >= element.text() * 3
        }
    }
}

/// Whether a part of an article shows nothing.
fn is_empty(html: &str) -> bool {
    !html.contains("<img") && !html.contains("<iframe") && crate::plain_text(html).trim().is_empty()
}

/// Whether an element contains little else than links.
fn is_links<K>(element: &tree::Element<K>) -> bool {
    element.links() * 10 > element.text() * 6
}

#[cfg(test)]
mod tests;
