//! The document as a flat tree: one list of nodes in document order, and one string with all text. So a subtree is a range that can be read
//! and then removed. This limits the memory for a feed of 100,000 items to that of its largest item, and needs no recursion.

use crate::{base::Base, namespace::Ns, text};
use gleaner_html::{elements::is_void, escape};
use std::{borrow::Cow, sync::Arc};

/// Range of a text in [`Tree::text`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

#[derive(Debug)]
struct Attribute {
    ns: Ns,
    name: Span,
    value: Span,
}

#[derive(Debug)]
enum Kind {
    Element { ns: Ns, is_prefixed: bool, name: Span, attributes: (u32, u32) },
    Text(Span),
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    parent: u32,
    /// Index after the last node of the subtree.
    end: u32,
    /// Length of the text when the node began.
    text_start: u32,
    /// Number of its base in [`Tree::bases`]; zero for that of the document.
    base: u32,
}

const NO_PARENT: u32 = u32::MAX;

/// Maximum number of prefixes of unknown namespaces that are kept.
const MAX_PREFIXES: usize = 32;

#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    text: String,
    /// The bases that elements declare, with the element.
    bases: Vec<(u32, Base)>,
    document: Base,
    /// The base of elements for which none is declared.
    undeclared: Base,
    /// Whether any `xml:lang` was found; most feeds have none and need no search for one.
    pub(crate) has_lang: bool,
    /// Namespaces declared by the root, whether used or not.
    pub(crate) declared: Vec<Ns>,
    /// Prefixes and URIs of unknown namespaces.
    prefixes: Vec<(Ns, String, String)>,
}

impl Tree {
    pub(crate) fn new(document: Base) -> Self {
        Self {
            nodes: Vec::new(),
            attributes: Vec::new(),
            text: String::new(),
            bases: Vec::new(),
            undeclared: document.clone(),
            document,
            has_lang: false,
            declared: Vec::new(),
            prefixes: Vec::new(),
        }
    }

    /// Returns the base of the document.
    pub(crate) fn document(&self) -> &Base {
        &self.document
    }

    /// Adds the prefix of an unknown namespace. The first one counts.
    pub(crate) fn add_prefix(&mut self, ns: Ns, prefix: &str, uri: &str) {
        if self.prefixes.len() < MAX_PREFIXES && self.prefixes.iter().all(|(known, ..)| *known != ns) {
            self.prefixes.push((ns, prefix.to_owned(), uri.to_owned()));
        }
    }

    /// Leaves relative URLs as they are, unless a base is declared for them.
    pub(crate) fn leave_relative(&mut self) {
        self.undeclared = self.document.unknown();
    }

    fn base(&self, index: u32) -> Option<&Base> {
        self.bases.get(usize::try_from(index.checked_sub(1)?).ok()?).map(|(_, base)| base)
    }

    /// Sets the base that an element declares (XML Base, section 4). Ignores one that is not a URL or can run code.
    fn declare_base(&mut self, element: u32, written: &str) {
        let Some(index) = self.nodes.get(element as usize).map(|node| node.base) else { return };
        let parent = self.base(index).unwrap_or(&self.document);
        if let Some(base) = Some(written).filter(|w| !w.is_empty()).and_then(|written| parent.declared(written)) {
            self.bases.push((element, base));
            let index = self.bases.len() as u32;
            if let Some(node) = self.nodes.get_mut(element as usize) {
                node.base = index;
            }
        }
    }

    fn span(&mut self, text: &str) -> Span {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        Span { start, end: self.text.len() as u32 }
    }

    fn str(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Opens an element below `parent`; attributes follow by [`Tree::attribute`] before anything else.
    pub(crate) fn open(&mut self, parent: Option<u32>, ns: Ns, is_prefixed: bool, name: &str) -> u32 {
        let index = self.nodes.len() as u32;
        let text_start = self.text.len() as u32;
        let name = self.span(name);
        let attributes = self.attributes.len() as u32;
        let base = parent.and_then(|parent| self.nodes.get(parent as usize)).map_or(0, |parent| parent.base);
        self.nodes.push(Node {
            kind: Kind::Element { ns, is_prefixed, name, attributes: (attributes, attributes) },
            parent: parent.unwrap_or(NO_PARENT),
            end: index + 1,
            text_start,
            base,
        });
        index
    }

    pub(crate) fn attribute(&mut self, element: u32, ns: Ns, name: &str, value: &str) {
        if ns == Ns::Xml {
            self.has_lang |= name == "lang";
            if name == "base" {
                self.declare_base(element, value.trim());
            }
        }
        let (name, value) = (self.span(name), self.span(value));
        self.attributes.push(Attribute { ns, name, value });
        let end = self.attributes.len() as u32;
        if let Some(Node { kind: Kind::Element { attributes, .. }, .. }) = self.nodes.get_mut(element as usize) {
            attributes.1 = end;
        }
    }

    pub(crate) fn text(&mut self, parent: u32, text: &str) {
        if text.is_empty() {
            return;
        }
        let text_start = self.text.len() as u32;
        let span = self.span(text);
        // Appends to the previous text, since a text with a million entities would otherwise be a million nodes.
        if let Some(Node { kind: Kind::Text(last), parent: of, .. }) = self.nodes.last_mut()
            && *of == parent
            && last.end == span.start
        {
            last.end = span.end;
            return;
        }
        let index = self.nodes.len() as u32;
        self.nodes.push(Node { kind: Kind::Text(span), parent, end: index + 1, text_start, base: 0 });
    }

    pub(crate) fn close(&mut self, element: u32) {
        let end = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(element as usize) {
            node.end = end;
        }
    }

    /// Removes an element and everything after it.
    pub(crate) fn cut(&mut self, element: u32) {
        let Some(node) = self.nodes.get(element as usize) else { return };
        if let Kind::Element { attributes, .. } = node.kind {
            self.attributes.truncate(attributes.0 as usize);
        }
        self.text.truncate(node.text_start as usize);
        self.bases.truncate(self.bases.partition_point(|(owner, _)| *owner < element));
        self.nodes.truncate(element as usize);
    }

    /// Returns the number of nodes and attributes.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len() + self.attributes.len()
    }

    pub(crate) fn element(&self, index: u32) -> Element<'_> {
        Element { tree: self, index }
    }

    /// Returns the elements without a parent: one, unless the document is broken.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Element<'_>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let node = self.nodes.get(next as usize)?;
            let index = next;
            next = node.end.max(next + 1);
            Some(self.element(index))
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// An element of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Element<'t> {
    tree: &'t Tree,
    pub(crate) index: u32,
}

/// A child of an element.
pub(crate) enum Child<'t> {
    Element(Element<'t>),
    Text(&'t str),
}

impl<'t> Element<'t> {
    fn node(&self) -> Option<&'t Node> {
        self.tree.nodes.get(self.index as usize)
    }

    pub(crate) fn ns(&self) -> Ns {
        match self.node() {
            Some(Node { kind: Kind::Element { ns, .. }, .. }) => *ns,
            _ => Ns::None,
        }
    }

    /// Whether the name has a prefix, so that the namespace is not the default one.
    pub(crate) fn is_prefixed(&self) -> bool {
        matches!(self.node(), Some(Node { kind: Kind::Element { is_prefixed: true, .. }, .. }))
    }

    /// Returns the local name as written.
    pub(crate) fn name(&self) -> &'t str {
        match self.node() {
            Some(Node { kind: Kind::Element { name, .. }, .. }) => self.tree.str(*name),
            _ => "",
        }
    }

    /// Returns the local name in lower case. Some programs change the case of tags.
    pub(crate) fn name_in_lower_case(&self) -> Cow<'t, str> {
        let name = self.name();
        if name.bytes().any(|b| b.is_ascii_uppercase()) { name.to_ascii_lowercase().into() } else { name.into() }
    }

    /// Whether the local name is this one, ignoring case.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name)
    }

    pub(crate) fn parent(&self) -> Option<Element<'t>> {
        let parent = self.node()?.parent;
        (parent != NO_PARENT).then_some(Element { tree: self.tree, index: parent })
    }

    fn raw_attributes(&self) -> &'t [Attribute] {
        match self.node() {
            Some(Node { kind: Kind::Element { attributes: (from, to), .. }, .. }) => {
                self.tree.attributes.get(*from as usize..*to as usize).unwrap_or(&[])
            }
            _ => &[],
        }
    }

    /// Returns namespace, local name and value of each attribute.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (Ns, &'t str, &'t str)> + use<'t> {
        let tree = self.tree;
        self.raw_attributes().iter().map(move |a| (a.ns, tree.str(a.name), tree.str(a.value)))
    }

    /// Returns the prefix and the URI of an unknown namespace.
    pub(crate) fn prefix(&self, wanted: Ns) -> Option<(&'t str, &'t str)> {
        let found = self.tree.prefixes.iter().find(|(ns, ..)| *ns == wanted);
        found.map(|(_, prefix, uri)| (prefix.as_str(), uri.as_str()))
    }

    /// Returns an attribute without namespace, or in that of the element, by name, ignoring case; trimmed, `None` if
    /// empty.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'t str> {
        let own = self.ns();
        self.attributes()
            .find(|(ns, n, _)| (*ns == Ns::None || *ns == own) && n.eq_ignore_ascii_case(name))
            .map(|(_, _, value)| value.trim())
            .filter(|value| !value.is_empty())
    }

    pub(crate) fn attribute_in(&self, wanted: Ns, name: &str) -> Option<&'t str> {
        self.attributes().find(|(ns, n, _)| *ns == wanted && *n == name).map(|(_, _, value)| value.trim())
    }

    /// Returns the children in document order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Child<'t>> + use<'t> {
        let tree = self.tree;
        let mut next = self.index + 1;
        let end = self.node().map_or(next, |n| n.end);
        std::iter::from_fn(move || {
            let node = (next < end).then(|| tree.nodes.get(next as usize)).flatten()?;
            let index = next;
            next = node.end.max(next + 1);
            Some(match node.kind {
                Kind::Element { .. } => Child::Element(Element { tree, index }),
                Kind::Text(span) => Child::Text(tree.str(span)),
            })
        })
    }

    /// Returns the child elements in document order.
    pub(crate) fn children(&self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        self.nodes().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        })
    }

    pub(crate) fn child(&self, ns: Ns, name: &str) -> Option<Element<'t>> {
        self.children().find(|c| c.ns() == ns && c.name() == name)
    }

    /// Returns the text that follows the element.
    pub(crate) fn text_behind(&self) -> Option<&'t str> {
        let node = self.node()?;
        match self.tree.nodes.get(node.end as usize)? {
            Node { kind: Kind::Text(span), parent, .. } if *parent == node.parent => Some(self.tree.str(*span)),
            _ => None,
        }
    }

    pub(crate) fn has_children(&self) -> bool {
        self.children().next().is_some()
    }

    /// Returns all text in the element and its descendants.
    pub(crate) fn text(&self) -> Cow<'t, str> {
        let Some(node) = self.node() else { return Cow::Borrowed("") };
        let inside = self.tree.nodes.get(self.index as usize + 1..node.end as usize).unwrap_or(&[]);
        let mut pieces = inside.iter().filter_map(|n| match n.kind {
            Kind::Text(span) => Some(self.tree.str(span)),
            Kind::Element { .. } => None,
        });
        let Some(first) = pieces.next() else { return Cow::Borrowed("") };
        match pieces.next() {
            None => text::repaired(first),
            Some(second) => {
                let mut all = String::with_capacity(first.len() + second.len());
                all.push_str(first);
                all.push_str(second);
                pieces.for_each(|piece| all.push_str(piece));
                Cow::Owned(all)
            }
        }
    }

    /// Returns the text of a date, as HTML if it has markup, such as `<time datetime="…">`.
    pub(crate) fn date(&self) -> Cow<'t, str> {
        if self.has_children() { Cow::Owned(self.inner_html()) } else { self.text() }
    }

    /// Returns the text of the element without that of its descendants.
    pub(crate) fn own_text(&self) -> Cow<'t, str> {
        let mut pieces = self.nodes().filter_map(|child| match child {
            Child::Text(text) => Some(text),
            Child::Element(_) => None,
        });
        let Some(first) = pieces.next() else { return Cow::Borrowed("") };
        match pieces.next() {
            None => Cow::Borrowed(first),
            Some(second) => Cow::Owned([first, second].into_iter().chain(pieces).collect()),
        }
    }

    /// Returns the trimmed text; `None` if it is empty.
    pub(crate) fn trimmed(&self) -> Option<String> {
        let text = self.text();
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Returns the content as HTML: elements by their local name, text escaped.
    pub(crate) fn inner_html(&self) -> String {
        self.write_html(|out, written| escape::push_text(out, &text::repaired_characters(written)))
    }

    /// Returns the content as HTML if its text already is HTML.
    pub(crate) fn inner_html_of_html(&self) -> String {
        self.write_html(|out, written| out.push_str(&text::repaired(written)))
    }

    /// Not recursive, so that deep documents cannot overflow the stack.
    fn write_html(&self, push_text: fn(&mut String, &str)) -> String {
        let mut out = String::new();
        let Some(node) = self.node() else { return out };
        let mut open: Vec<(u32, &str)> = Vec::new();
        for index in self.index + 1..node.end {
            while let Some((end, name)) = open.last().copied()
                && index >= end
            {
                close_tag(&mut out, name);
                open.pop();
            }
            let Some(inside) = self.tree.nodes.get(index as usize) else { break };
            match inside.kind {
                Kind::Text(span) => push_text(&mut out, self.tree.str(span)),
                Kind::Element { .. } => {
                    let element = Element { tree: self.tree, index };
                    let name = element.name();
                    out.push('<');
                    out.push_str(name);
                    for (ns, name, value) in element.attributes() {
                        if !matches!(ns, Ns::None | Ns::Xml) {
                            continue;
                        }
                        out.push(' ');
                        if ns == Ns::Xml {
                            out.push_str("xml:");
                        }
                        out.push_str(name);
                        out.push_str("=\"");
                        escape::push_attribute(&mut out, value);
                        out.push('"');
                    }
                    if inside.end == index + 1 && element.ns() == Ns::SvgOrMath {
                        out.push_str("/>");
                    } else {
                        out.push('>');
                        if !is_void(name) {
                            open.push((inside.end, name));
                        }
                    }
                }
            }
        }
        while let Some((_, name)) = open.pop() {
            close_tag(&mut out, name);
        }
        out
    }

    /// Returns the nearest value of an `xml:` attribute, here or on an ancestor.
    fn inherited(&self, name: &str) -> Option<&'t str> {
        let mut at = Some(*self);
        while let Some(element) = at {
            if let Some(value) = element.attribute_in(Ns::Xml, name) {
                return Some(value);
            }
            at = element.parent();
        }
        None
    }

    /// Returns the effective `xml:lang`. An empty string resets it.
    pub(crate) fn lang(&self) -> Option<&'t str> {
        self.tree.has_lang.then(|| self.inherited("lang")).flatten()
    }

    /// Returns the base of relative URLs: the effective `xml:base`, else that of the document, unless these URLs are
    /// left relative.
    pub(crate) fn base(&self) -> &'t Base {
        self.node().and_then(|node| self.tree.base(node.base)).unwrap_or(&self.tree.undeclared)
    }

    /// Returns the effective `xml:base`, for bodies, whose URLs are resolved later. `None` if there is none.
    pub(crate) fn xml_base(&self) -> Option<Arc<str>> {
        self.tree.base(self.node()?.base)?.text().cloned()
    }

    /// Returns the URL in an attribute, made absolute.
    pub(crate) fn address(&self, name: &str) -> Option<String> {
        self.base().absolute(self.attribute(name)?)
    }

    /// Returns the URL in the text, made absolute.
    pub(crate) fn text_address(&self) -> Option<String> {
        self.base().absolute(&self.text())
    }
}

fn close_tag(out: &mut String, name: &str) {
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}
