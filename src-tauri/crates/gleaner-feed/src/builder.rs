//! Where the strict and the recovering parser meet: both tell a [`Builder`] what begins, what is said and what ends, and
//! the formats are read from the tree that it builds, each once.

use crate::{namespace::Ns, tree::Tree};

/// Elements deeper than this keep their text and lose their tags. Browsers stop at 512 too.
pub(crate) const MAX_DEPTH: usize = 512;
/// Attributes beyond this many in one tag are dropped.
pub(crate) const MAX_ATTRIBUTES: usize = 512;
/// Bytes that one document's entities may come to, all together; a billion laughs stay a title.
pub(crate) const MAX_EXPANSION: usize = 1_000_000;

/// Hears of elements as they close, and may cut them from the tree when it has read them.
pub(crate) trait Handler {
    /// `depth` is 1 for the root.
    fn opened(&mut self, tree: &Tree, element: u32, depth: usize);
    /// `whole` is false when the document ended inside the element.
    fn closed(&mut self, tree: &mut Tree, element: u32, depth: usize, whole: bool);
}

pub(crate) struct Builder<H> {
    pub(crate) tree: Tree,
    pub(crate) handler: H,
    open: Vec<u32>,
    too_deep: usize,
    fresh: Option<u32>,
    attributes: usize,
    /// Whether elements beyond [`MAX_DEPTH`] were met.
    pub(crate) flattened: bool,
}

impl<H: Handler> Builder<H> {
    pub(crate) fn new(handler: H) -> Self {
        Self {
            tree: Tree::default(),
            handler,
            open: Vec::new(),
            too_deep: 0,
            fresh: None,
            attributes: 0,
            flattened: false,
        }
    }

    /// Opens an element; its attributes follow.
    pub(crate) fn start(&mut self, ns: Ns, name: &str) {
        self.settle();
        self.attributes = 0;
        if self.open.len() >= MAX_DEPTH {
            self.too_deep += 1;
            self.flattened = true;
            return;
        }
        let element = self.tree.open(self.open.last().copied(), ns, name);
        self.open.push(element);
        self.fresh = Some(element);
    }

    pub(crate) fn attribute(&mut self, ns: Ns, name: &str, value: &str) {
        self.attributes += 1;
        if let Some(element) = self.fresh
            && self.attributes <= MAX_ATTRIBUTES
        {
            self.tree.attribute(element, ns, name, value);
        }
    }

    /// Tells the handler of an element once its attributes are there.
    fn settle(&mut self) {
        if let Some(element) = self.fresh.take() {
            self.handler.opened(&self.tree, element, self.open.len());
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.settle();
        let Some(parent) = self.open.last() else { return };
        // Indentation between a channel's items would pile up, and means nothing.
        if self.open.len() <= 2 && text.trim_ascii().is_empty() {
            return;
        }
        self.tree.text(*parent, text);
    }

    pub(crate) fn end(&mut self) {
        self.settle();
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let depth = self.open.len();
        if let Some(element) = self.open.pop() {
            self.tree.close(element);
            self.handler.closed(&mut self.tree, element, depth, true);
        }
    }

    /// The document is over: what is still open was cut off.
    pub(crate) fn finish(&mut self) {
        self.settle();
        self.too_deep = 0;
        let mut innermost = true;
        while let Some(element) = self.open.pop() {
            self.tree.close(element);
            // An item that ends between two of its elements has lost nothing that can be seen.
            let whole = innermost && self.tree.element(element).has_children();
            self.handler.closed(&mut self.tree, element, self.open.len() + 1, whole);
            innermost = false;
        }
    }

    /// Open elements, those beyond the depth limit among them.
    pub(crate) fn depth(&self) -> usize {
        self.open.len() + self.too_deep
    }
}
