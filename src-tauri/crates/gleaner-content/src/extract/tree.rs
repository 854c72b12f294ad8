//! The blocks of a page as a tree, with the lengths of their texts.

use gleaner_html::{
    elements::{is_block, is_void},
    tokens::{Tag, Token, Tokens},
};
use std::{borrow::Cow, ops::Range};

/// Maximum depth of elements; deeper ones are left out.
const MAX_DEPTH: usize = 500;

/// A block, or another element that the caller asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<K> {
    /// The caller's data about it.
    pub known: K,
    pub is_heading: bool,
    /// Whether it is inside a quotation or the caption of an image.
    pub in_quote: bool,
    /// Whether it contains text other than numbers.
    pub has_words: bool,
    start: u32,
    end: u32,
    text: u32,
    links: u32,
    /// Number of the element after its last descendant.
    next: u32,
}

impl<K> Element<K> {
    /// Its positions in the source.
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Length of its text in bytes, without white space around words.
    pub(super) fn text(&self) -> usize {
        self.text as usize
    }

    /// Length of its text in links.
    pub(super) fn links(&self) -> usize {
        self.links as usize
    }
}

/// All blocks of a document in order; the first is its root.
#[derive(Debug)]
pub(super) struct Tree<K> {
    pub elements: Vec<Element<K>>,
}

/// An element whose end is not reached.
struct Open<'a> {
    name: Cow<'a, str>,
    /// Its number, if it is in the tree.
    number: Option<usize>,
}

impl<K: Default + PartialEq + Copy> Tree<K> {
    pub(super) const ROOT: usize = 0;

    /// Reads HTML of less than 4 GiB. `know` returns the caller's data about an element from its tag; inline elements without data are left
    /// out. An element without an end tag ends with the one around it.
    pub(super) fn read(html: &str, know: impl Fn(&Tag<'_>) -> K) -> Self {
        let mut tree = Self { elements: Vec::new() };
        tree.add(K::default(), false, false, 0);
        let mut open = vec![Open { name: Cow::Borrowed(""), number: Some(Self::ROOT) }];
        // How many links and quotations are open.
        let (mut links, mut quotes) = (0_usize, 0_usize);
        let mut from = 0;
        let mut tokens = Tokens::new(html);
        while let Some(token) = tokens.next() {
            let to = tokens.position();
            let mut closed = open.len();
            match token {
                Token::Text(text) => {
                    let length = size(text.trim().len());
                    if let Some(element) =
                        open.iter().rev().find_map(|open| open.number).and_then(|at| tree.elements.get_mut(at))
                    {
                        element.text += length;
                        element.links += if links > 0 { length } else { 0 };
                        element.has_words |= text.bytes().any(|b| !b.is_ascii_digit() && !b.is_ascii_whitespace());
                    }
                }
                Token::Start(tag) if !is_void(&tag.name) && !tag.self_closing => {
                    if open.last().is_some_and(|open| ends(&open.name, &tag.name)) {
                        tree.close(open.pop(), from, &mut links, &mut quotes);
                    }
                    if open.len() > MAX_DEPTH {
                        from = to;
                        continue;
                    }
                    links += usize::from(tag.name == "a");
                    let known = know(&tag);
                    let is_heading = matches!(&*tag.name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
                    let is_kept = is_block(&tag.name) || known != K::default();
                    let number = is_kept.then(|| tree.add(known, is_heading, quotes > 0, from));
                    quotes += usize::from(is_quote(&tag.name));
                    open.push(Open { name: tag.name, number });
                    closed = open.len();
                }
                Token::End(name) => {
                    closed = open.iter().skip(1).rposition(|open| open.name == name).map_or(closed, |at| at + 1);
                }
                _ => {}
            }
            while open.len() > closed {
                tree.close(open.pop(), to, &mut links, &mut quotes);
            }
            from = to;
        }
        while let Some(last) = open.pop() {
            tree.close(Some(last), html.len(), &mut links, &mut quotes);
        }
        tree.add_up();
        tree
    }

    fn add(&mut self, known: K, is_heading: bool, in_quote: bool, start: usize) -> usize {
        let start = size(start);
        self.elements.push(Element {
            known,
            is_heading,
            in_quote,
            has_words: false,
            start,
            end: start,
            text: 0,
            links: 0,
            next: 0,
        });
        self.elements.len() - 1
    }

    fn close(&mut self, closed: Option<Open<'_>>, end: usize, links: &mut usize, quotes: &mut usize) {
        let Some(closed) = closed else { return };
        *links -= usize::from(closed.name == "a");
        *quotes -= usize::from(is_quote(&closed.name));
        let next = size(self.elements.len());
        if let Some(element) = closed.number.and_then(|at| self.elements.get_mut(at)) {
            element.end = size(end);
            element.next = next;
        }
    }

    /// Adds the lengths of all elements to those around them.
    fn add_up(&mut self) {
        // From the last to the first, so that the elements inside are complete.
        for at in (0..self.elements.len()).rev() {
            let mut sum = self.elements[at];
            for child in self.children(at) {
                let Element { text, links, has_words, .. } = self.elements[child];
                sum.text += text;
                sum.links += links;
                sum.has_words |= has_words;
            }
            self.elements[at] = sum;
        }
    }

    /// Returns the numbers of the blocks directly inside an element, in order.
    pub(super) fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        let end = self.elements[parent].next as usize;
        let first = parent + 1;
        std::iter::successors((first < end).then_some(first), move |at| {
            let next = self.elements[*at].next as usize;
            (next < end).then_some(next)
        })
    }
}

/// Whether a start tag ends an open element that has no end tag (HTML standard, § 13.1.2.4).
fn ends(open: &str, start: &str) -> bool {
    match open {
        "p" => is_block(start),
        "li" | "dt" | "dd" | "tr" | "td" | "th" | "option" => open == start,
        _ => false,
    }
}

/// Whether its content is quoted, or belongs to an image.
fn is_quote(name: &str) -> bool {
    matches!(name, "blockquote" | "figure" | "figcaption" | "q")
}

/// Returns a position or length in a page, which is much shorter than 4 GiB.
fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Returns a page without these elements, which are in the order of their starts. Elements inside of them are removed with them.
pub(super) fn without(page: &str, elements: impl IntoIterator<Item = Range<usize>>) -> Cow<'_, str> {
    let mut out = String::new();
    let mut from = 0;
    for range in elements {
        if range.start >= from {
            out.push_str(&page[from..range.start]);
            from = range.end;
        }
    }
    if from == 0 { Cow::Borrowed(page) } else { Cow::Owned(out + &page[from..]) }
}
