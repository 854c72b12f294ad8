//! The elements of a page as a tree, with their texts.

use gleaner_html::{
    elements::{is_block, is_void},
    one_line, references,
    tokens::{Tag, Token, Tokens},
};
use std::{
    borrow::Cow,
    hash::{DefaultHasher, Hasher as _},
    ops::Range,
};

/// Maximum depth of elements; the tags of deeper ones are left out.
const MAX_DEPTH: usize = 200;
/// Maximum number of elements; the rest of a larger page is not read.
const MAX_ELEMENTS: usize = 100_000;
/// Maximum number of attributes of an element that are read.
const MAX_ATTRIBUTES: usize = 64;
/// Maximum length of the text, in bytes.
const MAX_TEXT: usize = 4 << 20;

/// The attributes that help to recognise a list.
const USEFUL: [&str; 26] = [
    "class",
    "id",
    "href",
    "datetime",
    "title",
    "itemprop",
    "itemtype",
    "content",
    "alt",
    "aria-label",
    "rel",
    "src",
    "data-src",
    "style",
    "hidden",
    "role",
    "data-date",
    "data-time",
    "data-datetime",
    "data-timestamp",
    "data-published",
    "data-pubdate",
    "lang",
    "type",
    "name",
    "property",
];

#[derive(Debug)]
pub(super) struct Node<'a> {
    pub name: Cow<'a, str>,
    attributes: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    pub parent: usize,
    /// Number of the element after its last descendant.
    pub end: usize,
    text: Range<usize>,
    /// Hash of the names and classes of the element and those around it.
    pub path: u64,
    /// Hash of the names only.
    pub coarse: u64,
}

impl Node<'_> {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(given, _)| given == name).map(|(_, value)| &**value)
    }

    /// Returns its classes and its id.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.get("class").unwrap_or_default().split_ascii_whitespace().take(20).chain(self.get("id"))
    }

    pub(super) fn is_heading(&self) -> bool {
        matches!(&*self.name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
    }

    /// Returns the properties that it has in common with the same element of other items: its name and its first class that is not specific
    /// to the item.
    pub(super) fn kind(&self) -> (&str, &str) {
        let class = self.get("class").unwrap_or_default().split_ascii_whitespace().take(20);
        (&self.name, class.into_iter().find(|class| is_shared(class)).unwrap_or_default())
    }
}

/// Whether a class is likely to be that of all items of a list.
fn is_shared(class: &str) -> bool {
    let lower = class.to_ascii_lowercase();
    let own = ["odd", "even", "first", "last", "active", "sticky", "current", "new", "alt", "clearfix", "featured"];
    let of_terms = ["category-", "tag-", "post_tag-", "status-", "format-", "author-", "item-"];
    let digits = lower.bytes().filter(u8::is_ascii_digit).count();
    !own.contains(&&*lower) && !of_terms.iter().any(|start| lower.starts_with(start)) && digits == 0
}

#[derive(Debug)]
pub(super) struct Tree<'a> {
    /// The elements in document order; the first is the root.
    pub nodes: Vec<Node<'a>>,
    text: String,
    /// The contents of scripts with linked data (JSON-LD).
    pub data: Vec<&'a str>,
    pub base: Option<String>,
    pub title: Option<String>,
}

impl<'a> Tree<'a> {
    pub(super) fn read(html: &'a str) -> Self {
        let mut tree = Self { nodes: Vec::new(), text: String::new(), data: Vec::new(), base: None, title: None };
        tree.nodes.push(Node {
            name: Cow::Borrowed(""),
            attributes: Vec::new(),
            parent: 0,
            end: 1,
            text: 0..0,
            path: 0,
            coarse: 0,
        });
        let mut open = vec![0];
        // The element whose content is not shown.
        let mut hidden: Option<usize> = None;
        let mut is_data = false;
        for token in Tokens::new(html) {
            if tree.nodes.len() >= MAX_ELEMENTS || tree.text.len() >= MAX_TEXT {
                break;
            }
            match token {
                Token::Text(text) if hidden.is_none() => tree.add_text(&references::decode(text)),
                Token::Raw { of: "script", text } if is_data && tree.data.len() < 50 => tree.data.push(text),
                Token::Raw { of: "title", text } if tree.title.is_none() => {
                    tree.title = Some(one_line(&references::decode(text)))
                }
                Token::Start(tag) => {
                    is_data = tag.name == "script"
                        && tag.attributes.clone().take(MAX_ATTRIBUTES).any(|(name, value)| {
                            name == "type" && value.trim().eq_ignore_ascii_case("application/ld+json")
                        });
                    if hidden.is_some() && is_void(&tag.name) {
                        continue;
                    }
                    tree.start(tag, &mut open, &mut hidden);
                }
                Token::End(name) => tree.end(&name, &mut open, &mut hidden),
                _ => {}
            }
        }
        while let Some(at) = open.pop() {
            tree.close(at);
        }
        tree
    }

    fn start(&mut self, tag: Tag<'a>, open: &mut Vec<usize>, hidden: &mut Option<usize>) {
        let block = is_block(&tag.name);
        if tag.name == "base" && self.base.is_none() {
            self.base = tag.attributes.get("href").map(Cow::into_owned);
        }
        while let Some(ended) =
            open.iter().rposition(|at| !stays(&self.nodes[*at].name, &tag.name)).filter(|at| *at > 0)
            && ends(&self.nodes[open[ended]].name, &tag.name)
        {
            self.close_from(ended, open, hidden);
        }
        if tag.name == "a" {
            self.end("a", open, hidden);
        }
        if open.len() > MAX_DEPTH && !is_void(&tag.name) {
            return;
        }
        if block || tag.name == "br" || tag.name == "td" {
            self.separate();
        }
        let parent = open.last().copied().unwrap_or(0);
        let given = tag.attributes.clone().take(MAX_ATTRIBUTES).filter(|(name, _)| USEFUL.contains(&&**name));
        let at = self.nodes.len();
        let mut node = Node {
            name: tag.name,
            attributes: given.collect(),
            parent,
            end: at + 1,
            text: self.text.len()..self.text.len(),
            path: 0,
            coarse: 0,
        };
        let (name, class) = node.kind();
        (node.path, node.coarse) =
            (hash(&(self.nodes[parent].path, name, class)), hash(&(self.nodes[parent].coarse, name)));
        if hidden.is_none() && is_hidden(&node) {
            *hidden = Some(at);
        }
        let is_empty = is_void(&node.name) || tag.self_closing && matches!(&*node.name, "path" | "use" | "svg");
        self.nodes.push(node);
        if !is_empty {
            open.push(at);
        } else if *hidden == Some(at) {
            *hidden = None;
        }
    }

    /// Ends the innermost open element with this name. The end of an inline element does not end blocks.
    fn end(&mut self, name: &str, open: &mut Vec<usize>, hidden: &mut Option<usize>) {
        let block = is_block(name) || matches!(name, "td" | "th" | "tr");
        // Where the search ends: the inside of a cell does not end the cell, and an inline element does not end a block.
        let stops = |other: &str| match name {
            "table" | "tbody" | "thead" | "tr" | "body" | "html" => false,
            "td" | "th" => other == "table",
            "a" => matches!(other, "td" | "th" | "table" | "li"),
            _ if block => matches!(other, "table" | "td" | "th"),
            _ => is_block(other) || matches!(other, "td" | "th"),
        };
        let found = open.iter().rposition(|at| *self.nodes[*at].name == *name || stops(&self.nodes[*at].name));
        let Some(found) = found.filter(|at| *at > 0 && *self.nodes[open[*at]].name == *name) else { return };
        if block {
            self.separate();
        }
        self.close_from(found, open, hidden);
    }

    fn close_from(&mut self, from: usize, open: &mut Vec<usize>, hidden: &mut Option<usize>) {
        for at in open.drain(from..).rev() {
            self.close(at);
            if *hidden == Some(at) {
                *hidden = None;
            }
        }
    }

    fn close(&mut self, at: usize) {
        let end = self.nodes.len();
        self.nodes[at].end = end;
        self.nodes[at].text.end = self.text.len();
    }

    fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    fn add_text(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.separate();
            } else if !matches!(c, '\u{ad}' | '\u{200b}' | '\u{feff}') {
                self.text.push(c);
            }
        }
    }

    /// Returns the text inside of an element, with single spaces.
    pub(super) fn text(&self, at: usize) -> &str {
        self.text[self.nodes[at].text.clone()].trim()
    }

    /// Returns the text of an element and of those that follow it up to another.
    pub(super) fn text_of(&self, from: usize, to: usize) -> &str {
        let position = |at: usize| self.nodes.get(at).map_or(self.text.len(), |node| node.text.start);
        self.text.get(position(from)..position(to)).unwrap_or_default().trim()
    }

    /// Returns the text between the end of an element and the start of a later one.
    pub(super) fn text_between(&self, before: usize, after: usize) -> &str {
        self.text.get(self.nodes[before].text.end..self.nodes[after].text.start).unwrap_or_default().trim()
    }

    /// Returns the elements around an element, from the inside, without the root.
    pub(super) fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(at), |at| Some(self.nodes[*at].parent)).take_while(|at| *at != 0)
    }

    /// Returns the elements directly inside of an element.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[at].end;
        std::iter::successors(Some(at + 1), |at| self.nodes.get(*at).map(|node| node.end))
            .take_while(move |at| *at < end)
    }
}

/// Whether the content of an element is not displayed.
fn is_hidden(node: &Node<'_>) -> bool {
    matches!(&*node.name, "script" | "style" | "noscript" | "template" | "select" | "svg" | "textarea" | "title")
        || node.get("hidden").is_some()
}

/// Whether a start tag ends an open element that has no end tag (HTML standard, § 13.1.2.4).
fn ends(open: &str, start: &str) -> bool {
    match open {
        "p" => is_block(start),
        "li" | "option" => open == start,
        "dt" | "dd" => matches!(start, "dt" | "dd"),
        "td" | "th" => matches!(start, "td" | "th" | "tr"),
        "tr" => start == "tr",
        "head" => start == "body",
        _ => false,
    }
}

/// Whether an open element does not affect which element a start tag ends.
fn stays(open: &str, start: &str) -> bool {
    !ends(open, start)
        && match start {
            "li" | "dt" | "dd" => {
                matches!(open, "div" | "p" | "address") || !is_block(open) && !matches!(open, "td" | "th")
            }
            "td" | "th" => !matches!(open, "tr" | "table"),
            "tr" => open != "table",
            _ => is_block(start) && !is_block(open) && !matches!(open, "td" | "th" | "a" | "button"),
        }
}

pub(super) fn hash(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
