//! Finds the class names and ids that Readability removes: it replaces an element that contains only another one, or only text, with a
//! paragraph.

use super::{Element, Known, MAX_BIOGRAPHY, MAX_LABEL, MAX_TEASER, names::Kind};
use crate::extract::{container, tree::Tree};
use gleaner_html::{
    references,
    tokens::{Token, Tokens},
};
use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher, RandomState},
};

/// What the page knows about the texts of an article.
#[derive(Debug, Default)]
struct Names {
    state: RandomState,
    /// What the names of the innermost element around a text say, by the hash of the text.
    texts: HashMap<u64, Texts>,
}

impl Names {
    /// Reads the names around the texts of an article from its page.
    fn read(article: &str, page: &str, description: Option<&str>) -> Self {
        let mut names = Self::default();
        let mut total = 0;
        let mut article_texts: HashSet<u64> = HashSet::new();
        let description = container::letters(description.unwrap_or_default());
        for (text, ..) in texts(article) {
            total += text.trim().len();
            // A lead may have the name of a label.
            if text.len() < container::MIN_SENTENCE || !description.contains(&key(text)) {
                article_texts.insert(names.hash(text));
            }
        }
        let tree = Tree::read(page, Known::read);
        let mut named = tree.elements.iter().filter(|element| is_named(element, total)).peekable();
        let mut open: Vec<&Element> = Vec::new();
        for (text, end, in_link) in texts(page) {
            while let Some(element) = named.next_if(|element| element.range().start < end) {
                open.push(element);
            }
            while open.pop_if(|element| element.range().end < end).is_some() {}
            let hash = names.hash(text);
            if article_texts.contains(&hash) {
                let known = open.last().map_or(Texts::Mixed, |element| Texts::Named(element.known));
                // The same text in another element has no name. If it is a link there, as in a list of all categories, that is ignored.
                let other = if in_link { Texts::None } else { Texts::Mixed };
                names
                    .texts
                    .entry(hash)
                    .and_modify(|all| *all = if known == *all { known } else { other })
                    .or_insert(known);
            }
        }
        names
    }

    fn of(&self, text: &str) -> Texts {
        self.texts.get(&self.hash(text)).copied().unwrap_or(Texts::Mixed)
    }

    fn hash(&self, text: &str) -> u64 {
        self.state.hash_one(key(text))
    }
}

fn key(text: &str) -> String {
    container::key(&references::decode(text))
}

/// The texts of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Texts {
    /// There are none, or all of them are links that are in other elements, too.
    None,
    /// They are in elements with the same names.
    Named(Known),
    Mixed,
}

impl Texts {
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, texts) | (texts, Self::None) => texts,
            _ if self == other => self,
            _ => Self::Mixed,
        }
    }
}

/// Returns what is known about each element of an article from the names of the page's element with the same texts.
pub(super) fn names(tree: &Tree<Known>, article: &str, page: &str, description: Option<&str>) -> Vec<Option<Known>> {
    let names = Names::read(article, page, description);
    let mut all = vec![Texts::None; tree.elements.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    for (text, end, _) in texts(article) {
        while tree.elements.get(next).is_some_and(|element| element.range().start < end) {
            open.push(next);
            next += 1;
        }
        while open.pop_if(|at| tree.elements[*at].range().end < end).is_some() {}
        if let Some(at) = open.last() {
            all[*at] = all[*at].with(names.of(text));
        }
    }
    for at in (0..tree.elements.len()).rev() {
        for child in tree.children(at) {
            all[at] = all[at].with(all[child]);
        }
    }
    let named = |texts| if let Texts::Named(known) = texts { Some(known) } else { None };
    all.into_iter().map(named).collect()
}

/// Returns the texts of a document that contain letters, the positions after them, and whether they are in links.
fn texts(html: &str) -> impl Iterator<Item = (&str, usize, bool)> {
    let mut tokens = Tokens::new(html);
    let mut in_link = false;
    std::iter::from_fn(move || {
        loop {
            match tokens.next()? {
                Token::Start(tag) if tag.name == "a" => in_link = true,
                Token::End(name) if name == "a" => in_link = false,
                Token::Text(text) if text.contains(char::is_alphanumeric) => {
                    return Some((text, tokens.position(), in_link));
                }
                _ => {}
            }
        }
    })
}

/// Whether an element is named like boilerplate and not too large for it, in an article of a length.
fn is_named(element: &Element, total: usize) -> bool {
    element.known.kind.is_some_and(|kind| {
        element.text()
            <= match kind {
                // An element around a short article may be named after its author.
                Kind::Label if element.known.is_biography => MAX_BIOGRAPHY.min(total / 4),
                Kind::Label => MAX_LABEL.min(total / 4),
                Kind::CertainLabel => MAX_LABEL,
                Kind::Teaser => MAX_TEASER,
                Kind::Boilerplate => total / 8,
                Kind::Certain => total / 2,
            }
    })
}
