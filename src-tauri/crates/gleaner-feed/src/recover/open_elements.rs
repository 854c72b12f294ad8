//! The open elements with their namespaces, and which of them an end tag closes if tags do not match.

use super::tags::ReadTag;
use crate::{
    builder::{Builder, Handler},
    model::{RepairDetail, RepairKind},
    namespace::{Namespaces, Ns},
    repair::{Repairs, truncated},
};
use std::collections::HashMap;

#[derive(Debug)]
struct Open {
    /// Prefix and local name in lower case.
    key: String,
    ns: Ns,
    /// Number of bindings before its own.
    bindings: usize,
}

/// Maximum number of namespace declarations in force; further ones are ignored.
const MAX_BINDINGS: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct OpenElements {
    stack: Vec<Open>,
    /// Number of open elements by key, so that an end tag without a start tag needs no search.
    count: HashMap<String, usize>,
    bindings: Vec<(String, Ns)>,
    namespaces: Namespaces,
}

impl OpenElements {
    pub(super) fn len(&self) -> usize {
        self.stack.len()
    }

    /// Returns the offset of the next end tag of an open element in the rest of the document.
    pub(super) fn next_end(&self, rest: &str) -> Option<usize> {
        memchr::memmem::find_iter(rest.as_bytes(), b"</").find(|at| {
            let name = rest.get(at + 2..).unwrap_or("");
            let length = name.bytes().take(100).position(|b| b == b'>' || b.is_ascii_whitespace());
            let name = length.and_then(|length| name.get(..length)).unwrap_or("");
            self.count.contains_key(&name.to_ascii_lowercase())
        })
    }

    fn key(tag: &ReadTag) -> String {
        let mut key = if tag.prefix.is_empty() { tag.name.clone() } else { format!("{}:{}", tag.prefix, tag.name) };
        key.make_ascii_lowercase();
        key
    }

    fn lookup(&self, prefix: &str) -> Option<Ns> {
        self.bindings.iter().rev().find(|(p, _)| p == prefix).map(|(_, ns)| *ns)
    }

    /// Whether an element is a void element of HTML.
    pub(super) fn is_void_html(&self, tag: &ReadTag) -> bool {
        tag.prefix.is_empty()
            && self.stack.len() > 2
            && matches!(tag.name.to_ascii_lowercase().as_str(), "br" | "hr" | "img" | "wbr" | "input")
    }

    pub(super) fn start<H: Handler>(
        &mut self,
        tag: &ReadTag,
        at: usize,
        builder: &mut Builder<H>,
        repairs: &mut Repairs<'_>,
    ) {
        let key = Self::key(tag);
        self.close_invalid_parents(&key, at, builder, repairs);
        let bindings = self.bindings.len();
        for (prefix, name, value) in &tag.attributes {
            let bound = match (prefix.as_str(), name.as_str()) {
                ("", "xmlns") => "",
                ("xmlns", bound) => bound,
                _ => continue,
            };
            let ns = self.namespaces.resolve(value.trim());
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
                // An unknown prefix means the same namespace throughout the document.
                Ns::of_usual_prefix(&tag.prefix)
                    .unwrap_or_else(|| self.namespaces.resolve(&format!("undeclared:{}", tag.prefix)))
            }
        };
        builder.start(ns, &tag.name);
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
        *self.count.entry(key.clone()).or_default() += 1;
        self.stack.push(Open { key, ns, bindings });
    }

    /// Closes elements that cannot contain the new one: a new item closes the previous item, and a new element of an
    /// item closes an unclosed title or link.
    fn close_invalid_parents<H: Handler>(
        &mut self,
        key: &str,
        at: usize,
        builder: &mut Builder<H>,
        repairs: &mut Repairs<'_>,
    ) {
        if matches!(key, "item" | "entry") && self.count.get(key).is_some_and(|n| *n > 0) && !self.inside_content() {
            repairs.note(RepairKind::MismatchedTag, at, RepairDetail::NestedItem(truncated(key)));
            self.close_through(key, builder);
        } else if matches!(key, "item" | "entry") && self.unclosed_elements() > 0 {
            repairs.note(RepairKind::MismatchedTag, at, RepairDetail::ItemInChannelElement(truncated(key)));
            for _ in 0..self.unclosed_elements() {
                self.end_top(builder);
            }
        } else if let Some(top) = self.stack.last()
            && is_line(&top.key)
            && (is_item_element(key) || top.key == key)
            && self.stack.len() > 2
        {
            repairs.note(RepairKind::MismatchedTag, at, RepairDetail::NotClosed(truncated(&top.key)));
            self.end_top(builder);
        }
    }

    /// Returns the number of unclosed elements below the channel: those above the nearest element that contains items.
    /// Zero if one belongs to a module, which may contain anything, or if there are too many for a single mistake.
    fn unclosed_elements(&self) -> usize {
        let holds_items = |open: &Open| {
            matches!(open.key.as_str(), "rss" | "channel" | "rdf:rdf" | "rdf" | "items" | "feed" | "item" | "entry")
        };
        let above = self.stack.iter().rev().take(8).position(holds_items).unwrap_or(0);
        if self.stack.iter().rev().take(above).any(|open| open.key.contains(':')) { 0 } else { above }
    }

    /// Whether an element that contains markup is open.
    fn inside_content(&self) -> bool {
        ["content", "description", "summary", "source", "content:encoded"]
            .iter()
            .any(|key| self.count.get(*key).is_some_and(|n| *n > 0))
            && self
                .stack
                .iter()
                .rev()
                .take_while(|o| !matches!(o.key.as_str(), "item" | "entry"))
                .any(|o| matches!(o.key.as_str(), "content" | "source") && o.ns.is_atom())
    }

    pub(super) fn end<H: Handler>(
        &mut self,
        tag: &ReadTag,
        at: usize,
        builder: &mut Builder<H>,
        repairs: &mut Repairs<'_>,
    ) {
        let key = Self::key(tag);
        match self.stack.last() {
            Some(top) if top.key == key => self.end_top(builder),
            _ if self.count.get(&key).is_some_and(|n| *n > 0) => {
                repairs.note(RepairKind::MismatchedTag, at, RepairDetail::ClosesOthers(truncated(&key)));
                self.close_through(&key, builder);
            }
            _ => repairs.note(RepairKind::MismatchedTag, at, RepairDetail::EndWithoutStart(truncated(&key))),
        }
    }

    fn close_through<H: Handler>(&mut self, key: &str, builder: &mut Builder<H>) {
        while let Some(top) = self.stack.last() {
            let last = top.key == key;
            self.end_top(builder);
            if last {
                break;
            }
        }
    }

    pub(super) fn end_top<H: Handler>(&mut self, builder: &mut Builder<H>) {
        if let Some(open) = self.stack.pop() {
            if let Some(count) = self.count.get_mut(&open.key) {
                *count -= 1;
                if *count == 0 {
                    self.count.remove(&open.key);
                }
            }
            self.bindings.truncate(open.bindings);
            builder.end();
        }
    }
}

/// Whether an element contains a single line of text and no other elements.
fn is_line(key: &str) -> bool {
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

/// Whether an element is a direct child of an item or channel.
fn is_item_element(key: &str) -> bool {
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
    )
}
