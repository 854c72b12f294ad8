//! OPML in: the attributes of outlines whatever their case, folders however deep, and nothing lost that has an address.

use super::{NotOpml, Skipped, Subscription, SubscriptionList, writer};
use crate::{
    address,
    builder::{Builder, Handler},
    encoding, recover,
    repair::Repairs,
    sniff, strict, text,
    tree::{Element, Tree},
};
use std::collections::HashSet;

/// The largest list that is read, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// The attributes that have a place of their own; the others are kept as they are.
const KNOWN: [&str; 6] = ["text", "title", "xmlurl", "htmlurl", "type", "category"];

/// Only the tree is wanted: nothing to hear as it grows.
struct Whole;

impl Handler for Whole {
    fn opened(&mut self, _: &Tree, _: u32, _: usize) {}
    fn closed(&mut self, _: &mut Tree, _: u32, _: usize, _: bool) {}
}

pub(super) fn read(bytes: &[u8]) -> Result<SubscriptionList, NotOpml> {
    if bytes.len() > MAX_BYTES {
        return Err(NotOpml::TooLarge { limit: format!("more than {} MB", MAX_BYTES >> 20) });
    }
    if let Some(what) = sniff::binary(bytes) {
        return Err(NotOpml::Other { what: what.to_owned() });
    }
    let decoded = encoding::decode(bytes, None);
    let document: &str = &decoded.text;
    if document.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0').is_empty() {
        return Err(NotOpml::Empty);
    }
    let mut repairs = Repairs::new(document);
    let mut builder = Builder::new(Whole);
    if strict::read(document, &mut builder).is_err() {
        builder = Builder::new(Whole);
        recover::read(document, &mut builder, &mut repairs);
    }
    let mut list = SubscriptionList::default();
    list.repairs.extend(decoded.bad.map(|what| format!("encoding: {what}")));
    list.repairs.extend(decoded.double_encoded.then(|| "UTF-8 that was encoded twice".to_owned()));
    list.repairs.extend(repairs.list.iter().map(|r| format!("line {}, column {}: {}", r.line, r.column, words(r))));

    let not_opml = |root: Option<&str>| NotOpml::Other { what: what_else(root, document) };
    if builder.tree.is_empty() {
        return Err(not_opml(None));
    }
    let mut walk = Walk { list, path: Vec::new(), folders: HashSet::new(), is_opml: false };
    // What lost its head or its root still has its outlines.
    for root in builder.tree.roots() {
        let name = root.name().to_ascii_lowercase();
        walk.is_opml |= name == "opml";
        match name.as_str() {
            "outline" => walk.outline(root),
            _ => walk.children(root, matches!(name.as_str(), "opml" | "body")),
        }
    }
    if !walk.is_opml {
        return Err(not_opml(Some(builder.tree.element(0).name())));
    }
    Ok(walk.list)
}

fn words(repair: &crate::model::Repair) -> String {
    use crate::model::RepairKind as Kind;
    let kind = match repair.kind {
        Kind::UndefinedEntity => "an entity that is not defined",
        Kind::BareAmpersand => "an ampersand that stands for itself",
        Kind::MismatchedTag => "tags that do not match",
        Kind::BadEncoding => "bytes of another encoding",
        Kind::ControlCharacter => "a control character",
        Kind::DoubleEncodedUtf8 => "UTF-8 encoded twice",
        Kind::UndeclaredPrefix => "a prefix without a namespace",
        Kind::JunkBeforeXml => "something before the document",
        Kind::Truncated => "cut off",
        Kind::Other => "not well-formed",
    };
    if repair.detail.is_empty() { kind.to_owned() } else { format!("{kind} ({})", repair.detail) }
}

fn what_else(root: Option<&str>, document: &str) -> String {
    match root.map(str::to_ascii_lowercase).as_deref() {
        Some("rss" | "rdf" | "feed" | "channel") => "a feed".to_owned(),
        _ => sniff::text(root, document),
    }
}

struct Walk {
    list: SubscriptionList,
    path: Vec<String>,
    /// Those of the list, to find again at once.
    folders: HashSet<Vec<String>>,
    is_opml: bool,
}

impl Walk {
    /// Looks for head, body and outlines in an element that is none of them. Depth is bounded by the tree's own.
    fn children(&mut self, element: Element<'_>, in_opml: bool) {
        for child in element.children() {
            match child.name().to_ascii_lowercase().as_str() {
                "outline" if in_opml => self.outline(child),
                "title" if in_opml && self.list.title.is_none() && self.path.is_empty() => {
                    self.list.title = text::line_of_html(&child.text())
                }
                "opml" => {
                    self.is_opml = true;
                    self.children(child, true);
                }
                "head" | "body" => self.children(child, in_opml),
                _ => {}
            }
        }
    }

    fn outline(&mut self, outline: Element<'_>) {
        self.is_opml = true;
        let attribute = |name: &str| outline.attribute(name);
        // The text is what is shown; the title is often the same, and sometimes the only one.
        let title = ["text", "title"].iter().find_map(|name| attribute(name)).and_then(text::line_of_html);
        let kind = attribute("type").map(str::to_ascii_lowercase);
        let url = attribute("xmlurl").or_else(|| {
            // Some write `url` for a feed; for a link or an include it is something else.
            attribute("url").filter(|_| matches!(kind.as_deref(), Some("rss" | "atom" | "rdf" | "feed")))
        });
        let has_children = outline.children().any(|c| c.name().eq_ignore_ascii_case("outline"));
        match url {
            Some(url) => self.feed(outline, url, title.clone(), kind.as_deref()),
            None if has_children => {}
            None => self.empty(outline, title.as_deref(), kind.as_deref()),
        }
        if has_children {
            // A folder without a name is no folder: what is in it stands where it stands.
            let named = url.is_none().then_some(title).flatten();
            let depth = self.path.len();
            self.path.extend(named);
            if self.path.len() > depth {
                self.folder(self.path.clone());
            }
            outline.children().filter(|c| c.name().eq_ignore_ascii_case("outline")).for_each(|c| self.outline(c));
            self.path.truncate(depth);
        }
    }

    fn folder(&mut self, path: Vec<String>) {
        if self.folders.insert(path.clone()) {
            self.list.folders.push(path);
        }
    }

    fn feed(&mut self, outline: Element<'_>, url: &str, title: Option<String>, kind: Option<&str>) {
        let Some(url) = address::absolute(url, None) else {
            return self.skip("its address can run code", url);
        };
        let mut folder = self.path.clone();
        let category = outline.attribute("category");
        if folder.is_empty()
            && let Some(first) = category.and_then(|c| c.split(',').map(str::trim).find(|c| !c.is_empty()))
        {
            folder = first.split('/').filter_map(text::line).collect();
            for depth in 1..=folder.len() {
                self.folder(folder.iter().take(depth).cloned().collect());
            }
        }
        let mut other: Vec<(String, String)> = Vec::new();
        for (_, name, value) in outline.attributes() {
            // What cannot be written again came of quotes in the wrong place, or of two namespaces.
            let is_new = writer::is_name(name) && other.iter().all(|(known, _)| known != name);
            if is_new && !KNOWN.contains(&name.to_ascii_lowercase().as_str()) {
                other.push((name.to_owned(), value.to_owned()));
            }
        }
        if let Some(kind) = kind.filter(|k| *k != "rss") {
            other.push(("type".to_owned(), kind.to_owned()));
        }
        if let Some(category) = category {
            other.push(("category".to_owned(), category.to_owned()));
        }
        // As XML has it for attributes (section 3.3.3).
        other.iter_mut().for_each(|(_, value)| *value = value.replace(['\t', '\n', '\r'], " "));
        let home_url = outline.attribute("htmlurl").and_then(|u| address::absolute(u, None));
        self.list.feeds.push(Subscription { url, title, home_url, folder, other });
    }

    /// An outline without an address and without children: a folder that is empty, or a note, or a link.
    fn empty(&mut self, outline: Element<'_>, title: Option<&str>, kind: Option<&str>) {
        let link = outline.attribute("url").or_else(|| outline.attribute("htmlurl"));
        let told = title.or(link).unwrap_or("an outline without a word").to_owned();
        match (kind, link, title) {
            (Some("rss" | "atom"), _, _) => self.skip("no address of a feed", &told),
            (Some(kind), _, _) if kind != "folder" => self.skip(&format!("of type {kind}"), &told),
            (_, Some(_), _) => self.skip("a link, not a feed", &told),
            (_, None, Some(title)) => {
                self.path.push(title.to_owned());
                self.folder(self.path.clone());
                self.path.pop();
            }
            (_, None, None) => self.skip("empty", &told),
        }
    }

    fn skip(&mut self, reason: &str, outline: &str) {
        self.list.skipped.push(Skipped { reason: reason.to_owned(), outline: outline.chars().take(200).collect() });
    }
}
