//! Reads an XML feed of any format: the format from the root, items as they close, and the channel at the end.

use crate::{
    address, atom,
    builder::Handler,
    cdf,
    draft::Draft,
    links::Alternate,
    model::{Feed, Format, Item},
    modules::{self, Schedule},
    namespace::Ns,
    rss,
    tree::{Element, Tree},
};

/// The kind of feed, from the root element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Root {
    /// `rss`, with the namespace of its core elements.
    Rss(Ns),
    /// `rdf:RDF`: RSS 0.90 and 1.0.
    Rdf,
    /// `Channel` of RSS 1.1.
    Rss11,
    /// `feed`.
    Atom(Ns),
    /// `entry`: a document with a single entry.
    Entry(Ns),
    /// `channel` as the root element: CDF, or RSS without its root.
    Channel(Ns),
    /// `redirect`: the feed has moved (RSS 2.0, "redirect an RSS feed").
    Redirect,
}

/// Whether elements of this namespace belong to the format itself.
fn is_core(root: Option<Root>, ns: Ns) -> bool {
    match root {
        Some(Root::Rss(core) | Root::Channel(core)) => ns == core || ns.is_rss(),
        Some(Root::Rdf | Root::Rss11) => ns.is_rss() || ns == Ns::Rdf,
        Some(Root::Atom(core) | Root::Entry(core)) => ns == core || ns.is_atom() || ns == Ns::None,
        Some(Root::Redirect) | None => false,
    }
}

/// Collects a feed from parser events.
#[derive(Debug, Default)]
pub(crate) struct FeedCollector {
    root: Option<Root>,
    pub(crate) root_name: Option<String>,
    version: Option<String>,
    has_channel: bool,
    /// Namespace of the channel or, without one, of an item; for RDF.
    core: Option<Ns>,
    is_cdf: bool,
    items: Vec<Item>,
    /// For each item, the number of items that began before it, since items may be nested.
    order: Vec<u32>,
    items_begun: u32,
    open_items: Vec<u32>,
    root_index: Option<u32>,
    /// Whether the root has children that are neither channel nor item.
    has_strays: bool,
    pub(crate) feed: Feed,
    schedule: Schedule,
    alternate: Alternate,
    /// The new URL of a feed that moved.
    pub(crate) moved_to: Option<String>,
}

impl FeedCollector {
    fn begin(&mut self, root: Element<'_>) {
        let ns = root.ns();
        let name = root.name().to_ascii_lowercase();
        // Some parsers put the attribute into a namespace.
        self.version =
            root.attributes().find(|(_, n, _)| n.eq_ignore_ascii_case("version")).map(|(_, _, v)| v.trim().to_owned());
        let known = match name.as_str() {
            "rss" | "rss2" => Some(Root::Rss(ns)),
            "rdf" => Some(Root::Rdf),
            "channel" if ns == Ns::Rss11 => Some(Root::Rss11),
            "channel" => Some(Root::Channel(ns)),
            "feed" => Some(Root::Atom(ns)),
            "entry" if ns.is_atom() => Some(Root::Entry(ns)),
            "redirect" => Some(Root::Redirect),
            _ => None,
        };
        self.root = known;
        self.root_name = Some(root.name().to_owned());
    }

    fn is_core(&self, ns: Ns) -> bool {
        is_core(self.root, ns)
    }

    fn is_atom(&self) -> bool {
        matches!(self.root, Some(Root::Atom(_) | Root::Entry(_)))
    }

    /// Whether the element at this depth is an item.
    fn is_item(&self, element: Element<'_>, depth: usize) -> bool {
        let name = element.name();
        match self.root {
            Some(Root::Atom(_)) => {
                (depth == 2 || (depth == 1 && self.root_index != Some(element.index)))
                    && matches!(name, "entry" | "item")
                    && self.is_core(element.ns())
            }
            Some(Root::Entry(_)) => depth == 1,
            Some(_) => {
                (name.eq_ignore_ascii_case("item") || name == "entry")
                    && self.is_core(element.ns())
                    // An item without a root is still an item.
                    && element.parent().map_or(depth == 1 && self.root_index != Some(element.index), |p| self.holds_items(p))
            }
            None => false,
        }
    }

    /// Whether items may be children of this element: the root, the channel, a list in either, or an unclosed item.
    fn holds_items(&self, element: Element<'_>) -> bool {
        self.is_core(element.ns())
            && matches!(
                element.name().to_ascii_lowercase().as_str(),
                "rss" | "rss2" | "rdf" | "channel" | "items" | "item"
            )
    }

    fn item(&self, element: Element<'_>) -> Item {
        let mut draft = Draft { is_atom: self.is_atom(), ..Draft::default() };
        let mut alternate = Alternate::default();
        draft.about = element.attribute_in(Ns::Rdf, "about").filter(|a| !a.is_empty()).map(str::to_owned);
        // The format's own elements first: they take precedence over modules.
        for child in element.children().filter(|c| self.is_core(c.ns())) {
            if draft.is_atom {
                atom::entry_child(&mut draft, child, &mut alternate);
            } else {
                rss::item_child(&mut draft, child);
            }
        }
        for child in element.children().filter(|c| !self.is_core(c.ns())) {
            if child.ns().is_atom() || (draft.is_atom && child.ns().is_rss()) {
                atom::entry_child(&mut draft, child, &mut alternate);
            } else {
                modules::item_child(&mut draft, child);
            }
        }
        if draft.item.language.is_none() {
            draft.item.language = element.attribute_in(Ns::Xml, "lang").and_then(rss::language);
        }
        draft.link = draft.link.or(alternate.url);
        draft.finish(element.base())
    }

    fn children_of_feed(&mut self, element: Element<'_>) {
        let root = self.root;
        if self.feed.id.is_none() {
            self.feed.id = element.attribute_in(Ns::Rdf, "about").filter(|a| !a.is_empty()).map(str::to_owned);
        }
        for child in element.children().filter(|c| is_core(root, c.ns())) {
            if self.is_atom() {
                atom::feed_child(&mut self.feed, child, &mut self.alternate);
            } else {
                rss::channel_child(&mut self.feed, child);
            }
        }
        for child in element.children().filter(|c| !is_core(root, c.ns())) {
            if child.ns().is_atom() || (self.is_atom() && child.ns().is_rss()) {
                atom::feed_child(&mut self.feed, child, &mut self.alternate);
            } else {
                modules::feed_child(&mut self.feed, child, &mut self.schedule);
            }
        }
        if let Some(lang) = element.lang().and_then(rss::language) {
            self.feed.language.get_or_insert(lang);
        }
    }

    /// Returns the format, or `None` if the document is not a feed.
    pub(crate) fn format(&self) -> Option<Format> {
        // An empty document of a known kind is an empty feed.
        let is_known_kind = self.has_channel || !self.items.is_empty() || !self.has_strays;
        match self.root? {
            Root::Redirect => None,
            Root::Rss(_) if !is_known_kind => None,
            Root::Rss(_) => Some(match self.version.as_deref() {
                Some("0.90") => Format::Rss090,
                Some("0.91") => Format::Rss091,
                Some("0.92") => Format::Rss092,
                Some("0.93") => Format::Rss093,
                Some("0.94") => Format::Rss094,
                Some("1.0") => Format::Rss10,
                Some(v) if v.starts_with('2') => Format::Rss20,
                _ => Format::Rss,
            }),
            Root::Rdf => (is_known_kind && self.core.is_some()).then_some(match self.core {
                Some(Ns::Rss090) => Format::Rss090,
                Some(Ns::Rss10) => Format::Rss10,
                Some(Ns::Rss11) => Format::Rss11,
                _ => Format::Rss,
            }),
            Root::Rss11 => Some(Format::Rss11),
            Root::Atom(Ns::Atom03) => Some(Format::Atom03),
            Root::Atom(Ns::None) if self.version.as_deref() == Some("0.3") => Some(Format::Atom03),
            Root::Entry(Ns::Atom03) => Some(Format::Atom03),
            Root::Atom(Ns::Atom | Ns::None) | Root::Entry(_) => Some(Format::Atom10),
            // A `feed` in another namespace counts as Atom only if it has a title or items like an Atom feed.
            Root::Atom(_) => (self.feed.title.is_some() || !self.items.is_empty()).then_some(Format::Atom10),
            Root::Channel(_) if self.is_cdf => Some(Format::Cdf),
            Root::Channel(_) => (!self.items.is_empty() || self.feed.title.is_some()).then_some(Format::Rss),
        }
    }

    /// Returns the feed and its items.
    pub(crate) fn finish(mut self) -> (Feed, Vec<Item>) {
        std::mem::take(&mut self.schedule).apply_to(&mut self.feed);
        if self.feed.home_url.is_none() {
            self.feed.home_url = self.alternate.url.take();
        }
        if !self.order.is_sorted() {
            let mut items: Vec<(u32, Item)> = self.order.into_iter().zip(self.items).collect();
            items.sort_by_key(|(order, _)| *order);
            self.items = items.into_iter().map(|(_, item)| item).collect();
        }
        (self.feed, self.items)
    }
}

impl Handler for FeedCollector {
    fn opened(&mut self, tree: &Tree, element: u32, depth: usize) {
        let at = tree.element(element);
        if depth == 1 && self.root.is_none() {
            self.root_index = Some(element);
            self.begin(at);
            if self.root == Some(Root::Rdf) {
                self.core = tree.declared.iter().copied().find(|ns| matches!(ns, Ns::Rss090 | Ns::Rss10 | Ns::Rss11));
            }
        }
        if depth == 2 && self.root == Some(Root::Rdf) && matches!(at.name(), "channel" | "item") && at.ns().is_rss() {
            self.core = self.core.filter(|core| *core == at.ns()).or(Some(at.ns()));
        }
        if self.is_item(at, depth) {
            self.open_items.push(self.items_begun);
            self.items_begun += 1;
        }
    }

    fn closed(&mut self, tree: &mut Tree, element: u32, depth: usize, complete: bool) {
        let Some(root) = self.root else { return };
        let at = tree.element(element);
        if self.is_item(at, depth) {
            let is_cdf = matches!(root, Root::Channel(_)) && cdf::is_item(at);
            self.is_cdf |= is_cdf;
            let order = self.open_items.pop().unwrap_or(self.items_begun);
            if (complete || matches!(root, Root::Entry(_))) && tree.document().budget.take_item() {
                let mut item = if is_cdf { cdf::item(at) } else { self.item(at) };
                tree.document().budget.take_lists(&mut item);
                self.items.push(item);
                self.order.push(order);
            }
            tree.cut(element);
            return;
        }
        let name = at.name();
        match root {
            Root::Rss(_) | Root::Rdf if depth == 2 && name.eq_ignore_ascii_case("channel") && self.is_core(at.ns()) => {
                self.has_channel = true;
                self.children_of_feed(at);
                tree.cut(element);
            }
            _ if depth == 1 && self.root_index != Some(element) => {}
            Root::Rss(_) | Root::Rdf | Root::Atom(_) | Root::Rss11 if depth == 1 => {
                self.has_strays = at.has_children();
                self.children_of_feed(at);
            }
            Root::Redirect if depth == 1 => {
                let to = at.children().find(|child| child.name().eq_ignore_ascii_case("newlocation"));
                self.moved_to = to.and_then(|to| to.text_address()).filter(|to| address::is_web(to));
            }
            Root::Channel(_) if depth == 1 => {
                if cdf::is_channel(at) {
                    self.is_cdf = true;
                    cdf::channel(&mut self.feed, at);
                } else {
                    self.children_of_feed(at);
                }
            }
            _ => {}
        }
    }
}
