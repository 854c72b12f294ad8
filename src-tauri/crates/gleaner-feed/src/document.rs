//! Reads an XML feed of any format: the format from the root, items as they close, and the channel at the end.

use crate::{
    address, atom,
    builder::{End, Handler},
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

impl Root {
    /// Whether elements of this namespace belong to the format itself in every document.
    fn defines(self, ns: Ns) -> bool {
        match self {
            Root::Rss(_) | Root::Channel(_) => ns.is_rss(),
            Root::Rdf | Root::Rss11 => ns.is_rss() || ns == Ns::Rdf,
            Root::Atom(_) | Root::Entry(_) => ns.is_atom() || ns == Ns::None,
            Root::Redirect => false,
        }
    }

    /// Whether the format has an element of this name.
    fn has_element(self, name: &str) -> bool {
        match self {
            Root::Atom(_) | Root::Entry(_) => atom::is_element(name),
            _ => rss::is_element(name),
        }
    }

    /// Whether a child of an item, channel or feed belongs to the format itself. Its namespace may also be that of the root or of its
    /// parent, or of the XHTML in it. If that namespace is a module's, the element belongs to the format if it could also be written
    /// without a namespace.
    fn owns(self, child: Element<'_>, parent: Element<'_>) -> bool {
        let ns = child.ns();
        self.defines(ns)
            || ((ns == parent.ns() || self.core() == Some(ns) || ns == Ns::Xhtml)
                && (matches!(ns, Ns::Other(_)) || (!child.is_prefixed() && self.has_element(child.name()))))
    }

    /// Namespace of the root, if it is used instead of the format's.
    fn core(self) -> Option<Ns> {
        match self {
            Root::Rss(core) | Root::Channel(core) | Root::Atom(core) | Root::Entry(core) => Some(core),
            Root::Rdf | Root::Rss11 | Root::Redirect => None,
        }
    }
}

/// Collects a feed from parser events.
#[derive(Debug, Default)]
pub(crate) struct FeedCollector {
    root: Option<Root>,
    pub(crate) root_name: Option<String>,
    version: Option<String>,
    pub(crate) has_channel: bool,
    /// Namespace of the channel or, without one, of an item; for RDF.
    core: Option<Ns>,
    is_cdf: bool,
    pub(crate) items: Vec<Item>,
    /// For each item, the number of items that began before it, since items may be nested.
    order: Vec<u32>,
    items_begun: u32,
    /// The elements of the open items, each with the number of items that began before it.
    open_items: Vec<(u32, u32)>,
    root_index: Option<u32>,
    /// Number of elements, from the outermost on, that are open and may contain items: the root, the channel, lists and
    /// items.
    holders: usize,
    /// Whether the root has children that are neither channel nor item.
    has_strays: bool,
    pub(crate) feed: Feed,
    schedule: Schedule,
    alternate: Alternate,
    /// The new URL of a feed that moved.
    pub(crate) moved_to: Option<String>,
}

impl FeedCollector {
    fn begin(&mut self, root: Element<'_>, depth: usize) {
        let ns = root.ns();
        let name = root.name().to_ascii_lowercase();
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
        if depth == 1 {
            self.root_name = Some(root.name().to_owned());
        } else {
            let is_channel = matches!(known, Some(Root::Channel(_))) && self.is_misnamed_rss();
            let is_feed = matches!(known, Some(Root::Rss(_) | Root::Rdf | Root::Atom(Ns::Atom | Ns::Atom03)));
            if !(is_feed || is_channel) || self.is_page_or_list() {
                return;
            }
        }
        // Some parsers put the attribute into a namespace.
        self.version =
            root.attributes().find(|(_, n, _)| n.eq_ignore_ascii_case("version")).map(|(_, _, v)| v.trim().to_owned());
        self.root = known;
        self.root_index = Some(root.index);
        self.holders = depth - 1;
    }

    /// Whether the outermost element has a name that programs give the root of RSS by mistake.
    fn is_misnamed_rss(&self) -> bool {
        let name = self.root_name.as_deref().unwrap_or_default().to_ascii_lowercase();
        name == "xml" || name.starts_with("rss")
    }

    /// Whether a feed inside of the outermost element would only be mentioned there.
    fn is_page_or_list(&self) -> bool {
        self.root_name
            .as_deref()
            .is_some_and(|name| ["html", "opml"].iter().any(|other| name.eq_ignore_ascii_case(other)))
    }

    fn is_atom(&self) -> bool {
        matches!(self.root, Some(Root::Atom(_) | Root::Entry(_)))
    }

    /// Whether an element of the feed's structure belongs to the format. Some feeds declare a default namespace at the
    /// channel or at an item.
    fn is_structure(&self, element: Element<'_>) -> bool {
        let ns = element.ns();
        self.root.is_some_and(|root| root.defines(ns) || root.core() == Some(ns))
            || ns == Ns::Rdf
            || !element.is_prefixed()
    }

    /// Whether the element at this depth is an item. An item without a root is still an item.
    fn is_item(&self, element: Element<'_>, depth: usize) -> bool {
        let is_root = self.root_index == Some(element.index);
        match self.root {
            // A second root element takes the place of the first in the tree.
            Some(Root::Entry(_)) => is_root && element.is_named("entry"),
            Some(_) => {
                depth == self.holders + 1
                    && !is_root
                    && (element.is_named("entry") || element.is_named("item"))
                    && self.is_structure(element)
                    && (self.open_items.is_empty() || self.may_be_nested(element))
            }
            None => false,
        }
    }

    /// Whether an element in an item may be another item. In Atom, one of another vocabulary is a part of the entry.
    fn may_be_nested(&self, element: Element<'_>) -> bool {
        let ns = element.ns();
        let is_own = self.root.is_some_and(|root| root.defines(ns) || root.core() == Some(ns));
        !self.is_atom() || element.is_named("entry") && is_own
    }

    /// Whether items may be children of this element, itself a child of such an element: the root (which a document may repeat), the
    /// channel, a list, or an item that was not closed.
    fn holds_items(&self, element: Element<'_>) -> bool {
        let Some(root) = self.root.filter(|_| self.is_structure(element)) else { return false };
        let is_any = |of: &[&str]| of.iter().any(|other| element.is_named(other));
        if self.is_atom()
            && (element.is_named("entry") || self.open_items.is_empty() && is_any(&["feed", "channel", "items"]))
            || !self.is_atom() && is_any(&["rss", "rss2", "rdf", "channel", "items", "item"])
        {
            return true;
        }
        // A list that no format has. Those in items are not lists of the feed.
        self.open_items.is_empty()
            && !element.is_prefixed()
            && (root.defines(element.ns()) || root.core() == Some(element.ns()))
            && !rss::is_element(element.name())
            && !atom::is_element(element.name())
    }

    fn item(&self, element: Element<'_>) -> Item {
        let mut draft = Draft { is_atom: self.is_atom(), ..Draft::default() };
        let mut alternate = Alternate::default();
        draft.about = element.attribute_in(Ns::Rdf, "about").filter(|a| !a.is_empty()).map(str::to_owned);
        // The format's own elements first: they take precedence over modules.
        let is_own = |child: Element<'_>| self.root.is_some_and(|root| root.owns(child, element));
        for child in element.children().filter(|c| is_own(*c)) {
            if draft.is_atom {
                atom::entry_child(&mut draft, child, &mut alternate);
            } else {
                rss::item_child(&mut draft, child);
            }
        }
        for child in element.children().filter(|c| !is_own(*c)) {
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
        let is_own = |child: Element<'_>| root.is_some_and(|root| root.owns(child, element));
        if self.feed.id.is_none() {
            self.feed.id = element.attribute_in(Ns::Rdf, "about").filter(|a| !a.is_empty()).map(str::to_owned);
        }
        for child in element.children().filter(|c| is_own(*c)) {
            if self.is_atom() {
                atom::feed_child(&mut self.feed, child, &mut self.alternate);
            } else {
                rss::channel_child(&mut self.feed, child);
            }
        }
        for child in element.children().filter(|c| !is_own(*c)) {
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

/// Whether an item has more than a title. A title alone is not enough to recognise it when the document is complete.
fn is_more_than_a_title(item: &Item) -> bool {
    let has_text = item.content.is_some() || item.summary.is_some() || !item.enclosures.is_empty();
    has_text || !item.id.is_empty() || item.url.is_some()
}

/// Whether an incomplete item has everything by which the complete one will be recognised and sorted.
pub(crate) fn is_recognisable(item: &Item) -> bool {
    let has_title = item.title.is_some() && !item.title_from_content;
    let has_date = item.published.or(item.updated).is_some();
    !item.id.is_empty() && item.url.is_some() && has_title && has_date && !item.date_uncertain
}

impl Handler for FeedCollector {
    fn opened(&mut self, tree: &Tree, element: u32, depth: usize) {
        let at = tree.element(element);
        if depth <= 2 && self.root.is_none() {
            self.begin(at, depth);
            if self.root == Some(Root::Rdf) {
                self.core = tree.declared.iter().copied().find(|ns| matches!(ns, Ns::Rss090 | Ns::Rss10 | Ns::Rss11));
            }
        }
        if depth != self.holders + 1 {
            return;
        }
        if self.root == Some(Root::Rdf) && (at.is_named("channel") || at.is_named("item")) {
            if at.ns().is_rss() {
                self.core = self.core.filter(|core| *core == at.ns()).or(Some(at.ns()));
            } else if matches!(at.ns(), Ns::Other(_)) && !at.is_prefixed() {
                // The default namespace is wrong.
                self.core = self.core.or(Some(at.ns()));
            }
        }
        let is_item = self.is_item(at, depth);
        if self.holds_items(at) {
            self.holders = depth;
        }
        if is_item {
            self.open_items.push((element, self.items_begun));
            self.items_begun += 1;
        }
    }

    /// In RSS, the feed's link is the base.
    fn leaves_relative(&self) -> bool {
        matches!(self.root, Some(Root::Rss(_) | Root::Rdf | Root::Rss11))
    }

    fn closed(&mut self, tree: &mut Tree, element: u32, depth: usize, end: End) {
        let Some(root) = self.root else { return };
        let at = tree.element(element);
        let holds_items = depth <= self.holders;
        self.holders = self.holders.min(depth - 1);
        if let Some((_, order)) = self.open_items.pop_if(|(open, _)| *open == element) {
            let is_cdf = matches!(root, Root::Channel(_)) && cdf::is_item(at);
            self.is_cdf |= is_cdf;
            let read = |at: Element<'_>| if is_cdf { cdf::item(at) } else { self.item(at) };
            let item = if matches!(end, End::Closed | End::Unclosed) || matches!(root, Root::Entry(_)) {
                // Otherwise a missing element would look as if the item did not have it.
                let item = Item { is_cut_off: end != End::Closed, ..read(at) };
                Some(item)
                    .filter(|item| !item.is_cut_off || matches!(root, Root::Entry(_)) || is_more_than_a_title(item))
            } else if end == End::BeforeNext {
                Some(Item { is_cut_off: true, ..read(at) }).filter(is_recognisable)
            } else {
                // The document ends within the last element of the item.
                at.children().last().map(|last| last.index).and_then(|last| {
                    tree.cut(last);
                    let item = Item { is_cut_off: true, ..read(tree.element(element)) };
                    Some(item).filter(is_recognisable)
                })
            };
            if let Some(mut item) = item.filter(|_| tree.document().budget.take_item()) {
                tree.document().budget.take_lists(&mut item);
                self.items.push(item);
                self.order.push(order);
            }
            tree.cut(element);
            return;
        }
        if self.root_index != Some(element) {
            let is_feed = match root {
                Root::Rss(_) | Root::Rdf => at.is_named("channel"),
                Root::Atom(_) => at.is_named("feed") || at.is_named("channel"),
                _ => false,
            };
            if holds_items && is_feed {
                self.has_channel = true;
                // If a document has several, for example because it repeats its beginning, the first one with a title is used.
                if self.feed.title.is_none() {
                    self.children_of_feed(at);
                }
                tree.cut(element);
            }
            return;
        }
        match root {
            Root::Rss(_) | Root::Rdf | Root::Atom(_) | Root::Rss11 => {
                self.has_strays = at.has_children();
                self.children_of_feed(at);
            }
            Root::Redirect => {
                let to = at.children().find(|child| child.name().eq_ignore_ascii_case("newlocation"));
                self.moved_to = to.and_then(|to| to.text_address()).filter(|to| address::is_web(to));
            }
            Root::Channel(_) => {
                if cdf::is_channel(at) {
                    self.is_cdf = true;
                    cdf::channel(&mut self.feed, at);
                } else {
                    self.children_of_feed(at);
                }
            }
            Root::Entry(_) => {}
        }
    }
}
