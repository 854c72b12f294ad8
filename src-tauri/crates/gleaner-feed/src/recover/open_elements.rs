//! The open elements with their namespaces, and which of them an end tag closes if tags do not match.

// long: which elements end others depends on all that are open.

use super::{
    closing::Closing,
    missing_start::MissingStart,
    tags::{ReadTag, TagKind},
};
use crate::{
    builder::{Builder, Handler},
    model::{RepairDetail, RepairKind},
    namespace::{Namespaces, Ns},
    repair::{Repairs, truncated},
};
use std::{collections::HashMap, ops::Range};

#[derive(Debug)]
struct Open {
    /// Prefix and local name in lower case.
    name: String,
    /// Length of the prefix with its colon, if it is the prefix of the format itself.
    core: usize,
    /// Number of namespace bindings before its own.
    bindings: usize,
    /// Offset after its start tag.
    inside: usize,
    /// Whether its end tag follows within the item or channel; determined when it is first needed.
    is_closed: Option<bool>,
    /// Whether it is Atom's content or source, or inside one of them.
    in_content: bool,
    /// Number of elements with a prefix from the root to this one.
    prefixed: usize,
}

impl Open {
    /// Returns the name without the prefix of the format itself.
    fn key(&self) -> &str {
        self.name.get(self.core..).unwrap_or_default()
    }
}

/// Maximum number of namespace declarations in force; further ones are ignored.
const MAX_BINDINGS: usize = 1024;

/// Maximum number of open elements; further start tags are ignored. Elements deeper than a few hundred are not in the tree.
const MAX_OPEN: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct OpenElements {
    stack: Vec<Open>,
    /// Number of open elements by key, so that an end tag without a start tag needs no search.
    count: HashMap<String, usize>,
    /// Positions in the stack of the elements that contain items, and of items.
    holders: Vec<usize>,
    bindings: Vec<(String, Ns)>,
    namespaces: Namespaces,
    /// Prefix, with its colon, of the elements of the format itself; empty if they have none.
    core: String,
    closing: Closing,
    missing_start: MissingStart,
}

impl OpenElements {
    pub(super) fn len(&self) -> usize {
        self.stack.len()
    }

    /// Returns the innermost open element: prefix and local name in lower case.
    pub(super) fn top(&self) -> Option<&str> {
        self.stack.last().map(|open| open.name.as_str())
    }

    /// Returns the name of the innermost open element without the prefix of the format itself.
    pub(super) fn top_key(&self) -> &str {
        self.stack.last().map(Open::key).unwrap_or_default()
    }

    /// Whether the name of an open element begins with a part of a name, in any case.
    pub(super) fn has_beginning(&self, part: &str) -> bool {
        let begins = |name: &str| name.get(..part.len()).is_some_and(|start| start.eq_ignore_ascii_case(part));
        self.stack.iter().any(|open| begins(&open.name))
    }

    /// Whether a name is that of an element of an item with a single line of text, which is not open.
    pub(super) fn may_start_line(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let key = name.get(self.core_length(&name)..).unwrap_or_default();
        is_line(key) && is_item_element(key) && !self.count.contains_key(key)
    }

    /// Returns the offset of the next end tag of an open element in the rest of the document.
    pub(super) fn next_end(&self, rest: &str) -> Option<usize> {
        memchr::memmem::find_iter(rest.as_bytes(), b"</").find(|at| {
            let name = rest.get(at + 2..).unwrap_or("");
            let length = name.bytes().take(100).position(|b| b == b'>' || b.is_ascii_whitespace());
            let name = length.and_then(|length| name.get(..length)).unwrap_or("");
            let name = name.to_ascii_lowercase();
            self.count.contains_key(name.get(self.core_length(&name)..).unwrap_or_default())
        })
    }

    fn name(tag: &ReadTag) -> String {
        let mut name = if tag.prefix.is_empty() { tag.name.clone() } else { format!("{}:{}", tag.prefix, tag.name) };
        name.make_ascii_lowercase();
        name
    }

    /// Returns the length of the prefix of the format itself and its colon at the start of a name.
    fn core_length(&self, name: &str) -> usize {
        if name.starts_with(&self.core) { self.core.len() } else { 0 }
    }

    /// Returns the prefix, with its colon, of the elements of the format in a document with this root.
    fn core_prefix(&mut self, root: &ReadTag) -> String {
        let declared = root.attributes.iter().filter(|(prefix, ..)| prefix == "xmlns");
        let declared: Vec<(&str, Ns)> =
            declared.map(|(_, bound, uri)| (bound.as_str(), self.namespaces.resolve(uri.trim()))).collect();
        let own = declared.iter().find(|(bound, _)| *bound == root.prefix).map(|(_, ns)| *ns);
        let prefix = match own.or_else(|| Ns::of_usual_prefix(&root.prefix)) {
            Some(ns) if ns.is_atom() || ns.is_rss() => Some(root.prefix.as_str()),
            Some(Ns::Rdf) => declared.iter().find(|(_, ns)| ns.is_rss()).map(|(bound, _)| *bound),
            _ => None,
        };
        prefix.filter(|prefix| !prefix.is_empty()).map(|prefix| prefix.to_ascii_lowercase() + ":").unwrap_or_default()
    }

    fn lookup(&self, prefix: &str) -> Option<Ns> {
        let find = |is: fn(&str, &str) -> bool| self.bindings.iter().rev().find(|(p, _)| is(p, prefix));
        // Programs that change the case of tags also change that of their prefixes, but not that of the attributes that declare them.
        find(|p, prefix| p == prefix).or_else(|| find(str::eq_ignore_ascii_case)).map(|(_, ns)| *ns)
    }

    /// Whether an element is a void element of HTML.
    pub(super) fn is_void_html(&self, tag: &ReadTag) -> bool {
        tag.prefix.is_empty()
            && self.stack.len() > 2
            && matches!(tag.name.to_ascii_lowercase().as_str(), "br" | "hr" | "img" | "wbr" | "input")
    }

    /// Opens an element whose tag is at `tag_at` of the document. Returns false if too many are open.
    pub(super) fn start<H: Handler>(
        &mut self,
        tag: &ReadTag,
        (tag_at, document): (Range<usize>, &str),
        builder: &mut Builder<H>,
        repairs: &mut Repairs<'_>,
    ) -> bool {
        if self.stack.is_empty() {
            self.core = self.core_prefix(tag);
        }
        let name = Self::name(tag);
        let core = self.core_length(&name);
        let key = name.get(core..).unwrap_or_default();
        let at = tag_at.start;
        self.close_invalid_parents(key, (at, document), builder, repairs);
        self.start_missing_item(key, (at, document), builder, repairs);
        if self.stack.len() >= MAX_OPEN {
            return false;
        }
        let bindings = self.bindings.len();
        for (prefix, name, value) in &tag.attributes {
            let bound = match (prefix.as_str(), name.as_str()) {
                ("", "xmlns") => "",
                ("xmlns", bound) => bound,
                _ => continue,
            };
            let uri = value.trim();
            // The prefix keeps its usual meaning.
            if uri.is_empty() && !bound.is_empty() || uri.contains(is_in_no_uri) {
                continue;
            }
            let ns = self.namespaces.resolve(uri);
            if matches!(ns, Ns::Other(_)) && !bound.is_empty() {
                builder.tree.add_prefix(ns, bound, uri);
            }
            if self.bindings.len() < MAX_BINDINGS {
                self.bindings.push((bound.to_owned(), ns));
            }
        }
        if self.stack.is_empty() {
            builder.tree.declared = self.bindings.iter().map(|(_, ns)| *ns).collect();
        }
        let ns = match self.lookup(&tag.prefix) {
            Some(ns) => ns,
            None if tag.prefix.is_empty() => Ns::None,
            None => {
                repairs.note(RepairKind::UndeclaredPrefix, at, tag.prefix.as_str());
                // An unknown prefix stands for the same namespace throughout the document.
                Ns::of_usual_prefix(&tag.prefix)
                    .unwrap_or_else(|| self.namespaces.resolve(&format!("undeclared:{}", tag.prefix)))
            }
        };
        builder.start(ns, !tag.prefix.is_empty(), &tag.name);
        for (prefix, name, value) in &tag.attributes {
            if prefix == "xmlns" || (prefix.is_empty() && name == "xmlns") {
                continue;
            }
            let ns = if prefix.is_empty() {
                Ns::None
            } else {
                self.lookup(prefix).or_else(|| Ns::of_usual_prefix(prefix)).unwrap_or(Ns::Other(0))
            };
            builder.attribute(ns, name, value);
        }
        *self.count.entry(key.to_owned()).or_default() += 1;
        if holds_items(key) {
            self.holders.push(self.stack.len());
            if !matches!(key, "item" | "entry") {
                self.missing_start.begin();
            }
        }
        let in_content = match key {
            "item" | "entry" => false,
            "content" | "source" if ns.is_atom() => true,
            _ => self.inside_content(),
        };
        let prefixed = self.prefixed(self.stack.len()) + usize::from(key.contains(':'));
        self.stack.push(Open { name, core, bindings, inside: tag_at.end, is_closed: None, in_content, prefixed });
        true
    }

    /// Closes elements that cannot contain the new one: a new item closes the previous item, and a new element of an
    /// item or channel closes an unclosed one before it.
    fn close_invalid_parents<H: Handler>(
        &mut self,
        key: &str,
        (at, document): (usize, &str),
        builder: &mut Builder<H>,
        repairs: &mut Repairs<'_>,
    ) {
        let is_item = matches!(key, "item" | "entry");
        if is_item && self.count.get(key).is_some_and(|n| *n > 0) && !self.inside_content() {
            repairs.note(RepairKind::MismatchedTag, at, RepairDetail::NestedItem(truncated(key)));
            self.close_through(key, builder);
        }
        let Some(child) = self.holders.last().map(|holder| holder + 1).filter(|child| *child < self.stack.len()) else {
            return;
        };
        if is_item && !self.inside_content() {
            if self.is_unclosed_before_item(child, document) {
                repairs.note(RepairKind::MismatchedTag, at, RepairDetail::ItemInChannelElement(truncated(key)));
                self.close_to(child, builder);
            }
        } else if let Some(top) = self.stack.last()
            && is_line(top.key())
            && (is_item_element(key) || top.key() == key)
            && self.stack.len() > 2
        {
            repairs.note(RepairKind::MismatchedTag, at, RepairDetail::NotClosed(truncated(&top.name)));
            self.end_top(builder);
        } else if let [.., container, top] = self.stack.as_slice()
            && is_text_of(container.key(), top.key())
            && is_part_of(container.key(), key)
        {
            repairs.note(RepairKind::MismatchedTag, at, RepairDetail::NotClosed(truncated(&top.name)));
            self.end_top(builder);
        } else if self.is_element_of_item(key, child)
            && self.stack.get(child).is_some_and(|open| open.key() != "podcast:liveitem")
            && !self.is_closed(child, document)
            && !self.is_repeated_after(key, (child, at), document)
        {
            let unclosed = self.stack.get(child).map(|open| truncated(&open.name)).unwrap_or_default();
            repairs.note(RepairKind::MismatchedTag, at, RepairDetail::NotClosed(unclosed));
            self.close_to(child, builder);
        }
    }

    /// Opens the item whose start tag is missing before an element at `at`, if there is one.
    fn start_missing_item<H: Handler>(
        &mut self,
        key: &str,
        (at, document): (usize, &str),
        builder: &mut Builder<H>,
        repairs: &mut Repairs<'_>,
    ) {
        let Some(holder) = self.stack.last().map(Open::key).filter(|holder| holds_items(holder)) else { return };
        if matches!(holder, "item" | "entry" | "rss") {
            return;
        }
        let element = (key, holder == "feed");
        let Self { missing_start, closing, core, .. } = self;
        let Some(item) = missing_start.examine(element, (at, document), core, closing) else { return };
        let (prefix, name) = (core.trim_end_matches(':').to_owned(), item.to_owned());
        repairs.note(RepairKind::MismatchedTag, at, RepairDetail::EndWithoutStart(name.clone()));
        let tag = ReadTag { kind: TagKind::Start, prefix, name, attributes: Vec::new() };
        self.start(&tag, (at..at, document), builder, repairs);
    }

    /// Whether the element at this position of the stack, a child of the channel, ends before the items that follow. An
    /// element of the format itself always does; an element of a module may contain items if it has an end tag.
    fn is_unclosed_before_item(&mut self, child: usize, document: &str) -> bool {
        let is_core = self.prefixed(child) == self.prefixed(self.stack.len());
        is_core || !self.is_closed(child, document)
    }

    /// Whether an element belongs to an image or a form that is not closed, as the channel's own element of its name follows.
    fn is_repeated_after(&mut self, key: &str, (child, at): (usize, usize), document: &str) -> bool {
        let is_container = self.stack.get(child).is_some_and(|open| matches!(open.key(), "image" | "textinput"));
        is_container
            && matches!(key, "title" | "link" | "description")
            && self.stack.len() == child + 1
            && self.closing.follows(document, at + 1, (key, &self.core))
    }

    /// Whether an element belongs directly to an item or channel, not to its child at this position.
    fn is_element_of_item(&self, key: &str, child: usize) -> bool {
        let in_markup = self.stack.get(child).is_some_and(|open| has_markup(open.key()));
        let is_html = match key {
            "source" | "image" => in_markup,
            "summary" => in_markup && self.count.contains_key("details"),
            _ => false,
        };
        match key.split_once(':') {
            Some((prefix, _)) => {
                let ns = self.lookup(prefix).or_else(|| Ns::of_usual_prefix(prefix));
                !matches!(ns, None | Some(Ns::None | Ns::Xhtml | Ns::SvgOrMath | Ns::Other(_)))
            }
            None => is_item_element(key) && !is_html,
        }
    }

    /// Whether an end tag of the element at this position follows before the end of the item or channel.
    fn is_closed(&mut self, position: usize, document: &str) -> bool {
        let in_item = position
            .checked_sub(1)
            .and_then(|holder| self.stack.get(holder))
            .is_some_and(|holder| matches!(holder.key(), "item" | "entry"));
        let Some(open) = self.stack.get_mut(position) else { return true };
        let Open { name, inside, is_closed, .. } = open;
        *is_closed.get_or_insert_with(|| self.closing.closes(document, *inside, (name, &self.core), in_item))
    }

    /// Closes all elements from this position of the stack on.
    fn close_to<H: Handler>(&mut self, position: usize, builder: &mut Builder<H>) {
        while self.stack.len() > position {
            self.end_top(builder);
        }
    }

    /// Returns the number of elements with a prefix among the first `length` of the stack.
    fn prefixed(&self, length: usize) -> usize {
        length.checked_sub(1).and_then(|last| self.stack.get(last)).map_or(0, |open| open.prefixed)
    }

    /// Whether an element that contains markup is open in the current item.
    fn inside_content(&self) -> bool {
        self.stack.last().is_some_and(|top| top.in_content)
    }

    pub(super) fn end<H: Handler>(
        &mut self,
        tag: &ReadTag,
        at: usize,
        builder: &mut Builder<H>,
        repairs: &mut Repairs<'_>,
    ) {
        let name = Self::name(tag);
        let key = name.get(self.core_length(&name)..).unwrap_or_default();
        match self.stack.last() {
            Some(top) if top.key() == key => self.end_top(builder),
            _ if self.count.get(key).is_some_and(|n| *n > 0) => {
                repairs.note(RepairKind::MismatchedTag, at, RepairDetail::ClosesOthers(truncated(&name)));
                self.close_through(key, builder);
            }
            _ => repairs.note(RepairKind::MismatchedTag, at, RepairDetail::EndWithoutStart(truncated(&name))),
        }
    }

    fn close_through<H: Handler>(&mut self, key: &str, builder: &mut Builder<H>) {
        while let Some(top) = self.stack.last() {
            let last = top.key() == key;
            self.end_top(builder);
            if last {
                break;
            }
        }
    }

    pub(super) fn end_top<H: Handler>(&mut self, builder: &mut Builder<H>) {
        if let Some(open) = self.stack.pop() {
            if let Some(count) = self.count.get_mut(open.key()) {
                *count -= 1;
                if *count == 0 {
                    self.count.remove(open.key());
                }
            }
            if self.holders.last() == Some(&self.stack.len()) {
                self.holders.pop();
                if matches!(open.key(), "item" | "entry") {
                    self.missing_start.end_item();
                }
            }
            self.bindings.truncate(open.bindings);
            builder.end();
        }
    }
}

/// Whether an element contains items, or is one.
pub(super) fn holds_items(key: &str) -> bool {
    matches!(key, "rss" | "channel" | "rdf:rdf" | "rdf" | "items" | "feed" | "item" | "entry")
}

/// Whether a character can't be in a URI. If a namespace contains one, the quotes of its declaration are wrong.
fn is_in_no_uri(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | '<' | '>' | '“' | '”' | '„' | '‘' | '’' | '″')
}

/// Whether an element may contain markup of HTML.
fn has_markup(key: &str) -> bool {
    matches!(
        key,
        "description" | "content" | "summary" | "content:encoded" | "body" | "xhtml:body" | "xhtml:div" | "div"
    )
}

/// Whether an element contains a single line of text and no other elements.
pub(super) fn is_line(key: &str) -> bool {
    matches!(
        key,
        "title"
            | "link"
            | "guid"
            | "pubdate"
            | "comments"
            | "category"
            | "language"
            | "ttl"
            | "generator"
            | "copyright"
            | "docs"
            | "lastbuilddate"
            | "managingeditor"
            | "webmaster"
            | "id"
            | "updated"
            | "published"
            | "modified"
            | "issued"
            | "created"
            | "dc:creator"
            | "dc:subject"
            | "dc:date"
            | "dc:title"
    )
}

/// Whether an element is a part of a container in an item or channel, such as the name of an author.
pub(super) fn is_part_of(container: &str, key: &str) -> bool {
    match container {
        "author" | "contributor" => matches!(key, "name" | "uri" | "url" | "email"),
        "image" => matches!(key, "url" | "title" | "link" | "width" | "height" | "description"),
        "textinput" => matches!(key, "title" | "description" | "name" | "link"),
        "itunes:owner" => matches!(key, "itunes:name" | "itunes:email"),
        "media:group" | "media:content" => key.starts_with("media:"),
        _ => false,
    }
}

/// Whether a part of a container has no parts of the container in it.
fn is_text_of(container: &str, key: &str) -> bool {
    is_part_of(container, key) && !matches!(key, "media:content" | "media:community" | "media:group")
}

/// Whether an element is a direct child of an item or channel.
pub(super) fn is_item_element(key: &str) -> bool {
    matches!(
        key,
        "title"
            | "link"
            | "guid"
            | "pubdate"
            | "comments"
            | "category"
            | "description"
            | "author"
            | "enclosure"
            | "source"
            | "item"
            | "entry"
            | "rss"
            | "feed"
            | "channel"
            | "image"
            | "id"
            | "updated"
            | "published"
            | "summary"
            | "content"
            | "content:encoded"
            | "dc:creator"
            | "dc:date"
            | "dc:subject"
            | "language"
            | "lastbuilddate"
            | "subtitle"
            | "tagline"
            | "rights"
            | "copyright"
            | "generator"
            | "contributor"
            | "managingeditor"
            | "webmaster"
            | "skiphours"
            | "skipdays"
            | "textinput"
            | "cloud"
            | "ttl"
            | "modified"
            | "issued"
            | "created"
    )
}
