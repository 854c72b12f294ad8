//! The common target of the strict and the recovering parser: both send their events to a [`Builder`], which builds
//! the tree that the format readers use.

use crate::{base::Base, namespace::Ns, tree::Tree};

/// Maximum depth. Deeper elements keep their text and lose their tags, as in browsers; those of a list become siblings at this depth.
pub(crate) const MAX_DEPTH: usize = 512;
/// Maximum number of attributes of an element; more are dropped.
pub(crate) const MAX_ATTRIBUTES: usize = 512;
/// Maximum number of nodes and attributes that a tree has at once: those of the largest item, or of all elements that are
/// not in an item. Further elements keep their text and lose their tags.
pub(crate) const MAX_NODES: usize = 1 << 20;
/// The same for a list, whose tree has all of its outlines at once.
pub(crate) const MAX_NODES_OF_LIST: usize = 3 << 20;
/// Maximum total length of all expanded entities of a document, in bytes, against "billion laughs" attacks.
pub(crate) const MAX_EXPANSION: usize = 1_000_000;

/// Receives each element, and may remove elements from the tree when they close.
pub(crate) trait Handler {
    /// Receives an element that was opened. `depth` is 1 for the root.
    fn opened(&mut self, tree: &Tree, element: u32, depth: usize);
    /// Whether relative URLs belong to a page that is known at the end only, and not to the document.
    fn leaves_relative(&self) -> bool {
        false
    }
    /// Receives an element that was closed.
    fn closed(&mut self, tree: &mut Tree, element: u32, depth: usize, end: End);
}

/// How an element ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// With its end tag, or where the next element ends it.
    Closed,
    /// With the document, after the last of its elements so far.
    Unclosed,
    /// With the document, within a tag after the last of its elements so far, which is complete.
    BeforeNext,
    /// With the document, within one of its elements; or it is empty although tags do not match.
    Within,
}

pub(crate) struct Builder<H> {
    pub(crate) tree: Tree,
    pub(crate) handler: H,
    open: Vec<u32>,
    too_deep: usize,
    fresh: Option<u32>,
    attributes: usize,
    max_nodes: usize,
    keeps_deep: bool,
    /// Whether tags may not match. Then empty elements count as incomplete.
    pub(crate) is_recovering: bool,
    /// Whether the document ends within a tag, or other markup, that is not the end tag of an open element.
    pub(crate) ends_in_markup: bool,
    /// Whether elements were deeper than [`MAX_DEPTH`].
    pub(crate) flattened: bool,
    /// Number of elements that were left out because the tree has the maximum number of nodes.
    pub(crate) left_out: usize,
}

impl<H: Handler> Builder<H> {
    pub(crate) fn new(handler: H, document: Base) -> Self {
        Self {
            tree: Tree::new(document),
            handler,
            open: Vec::new(),
            too_deep: 0,
            fresh: None,
            attributes: 0,
            max_nodes: MAX_NODES,
            keeps_deep: false,
            is_recovering: false,
            ends_in_markup: false,
            flattened: false,
            left_out: 0,
        }
    }

    /// Builds the tree of a list.
    pub(crate) fn of_list(handler: H, document: Base) -> Self {
        Self { max_nodes: MAX_NODES_OF_LIST, keeps_deep: true, ..Self::new(handler, document) }
    }

    /// Opens an element; its attributes follow.
    pub(crate) fn start(&mut self, ns: Ns, is_prefixed: bool, name: &str) {
        self.announce();
        self.attributes = 0;
        let (is_full, is_deep) = (self.tree.size() >= self.max_nodes, self.open.len() >= MAX_DEPTH);
        self.left_out += usize::from(is_full);
        self.flattened |= is_deep;
        if is_full || is_deep {
            self.too_deep += 1;
        }
        if is_full || is_deep && !self.keeps_deep {
            return;
        }
        let element = self.tree.open(self.open.last().copied(), ns, is_prefixed, name);
        if !is_deep {
            self.open.push(element);
        }
        self.fresh = Some(element);
    }

    pub(crate) fn attribute(&mut self, ns: Ns, name: &str, value: &str) {
        self.attributes += 1;
        if let Some(element) = self.fresh
            && self.attributes <= MAX_ATTRIBUTES
            && self.tree.size() < self.max_nodes
        {
            self.tree.attribute(element, ns, name, value);
        }
    }

    /// Calls the handler once the attributes of an element are complete.
    fn announce(&mut self) {
        if let Some(element) = self.fresh.take() {
            self.handler.opened(&self.tree, element, self.open.len());
            // The handler knows this from the root.
            if self.open.len() <= 2 && self.handler.leaves_relative() {
                self.tree.leave_relative();
            }
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.announce();
        let Some(parent) = self.open.last() else { return };
        // Indentation between the items of a channel would accumulate in memory.
        if self.open.len() <= 2 && text.trim_ascii().is_empty() {
            return;
        }
        self.tree.text(*parent, text);
    }

    pub(crate) fn end(&mut self) {
        self.announce();
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let depth = self.open.len();
        if let Some(element) = self.open.pop() {
            self.tree.close(element);
            let at = self.tree.element(element);
            let has_content = !self.is_recovering || at.has_children() || at.attributes().next().is_some();
            let end = if has_content { End::Closed } else { End::Within };
            self.handler.closed(&mut self.tree, element, depth, end);
        }
    }

    /// Ends the document; elements that are still open were truncated.
    pub(crate) fn finish(&mut self) {
        self.announce();
        self.too_deep = 0;
        let mut innermost = true;
        while let Some(element) = self.open.pop() {
            self.tree.close(element);
            let between = innermost && self.tree.element(element).has_children();
            let end = match (between, self.ends_in_markup) {
                (true, true) => End::BeforeNext,
                (true, false) => End::Unclosed,
                (false, _) => End::Within,
            };
            self.handler.closed(&mut self.tree, element, self.open.len() + 1, end);
            innermost = false;
        }
    }

    /// Number of open elements, including those beyond the depth limit.
    pub(crate) fn depth(&self) -> usize {
        self.open.len() + self.too_deep
    }
}
