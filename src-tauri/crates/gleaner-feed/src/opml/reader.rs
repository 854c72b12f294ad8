//! Reads OPML: attribute names in any case, folders of any depth, and every outline with a URL.

use super::{NotOpml, SkipReason, Skipped, Subscription, SubscriptionList};
use crate::{
    address,
    base::{Base, Budget},
    builder::{Builder, End, Handler},
    encoding,
    model::{RepairDetail, RepairKind},
    recover,
    repair::Repairs,
    sniff::{self, DocumentKind},
    strict, text,
    tree::{Element, Tree},
    wrapped,
};
use memchr::memmem;
use std::{collections::HashSet, rc::Rc};
use xml::common::{is_name_char, is_name_start_char};

/// Maximum length of a list, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// Maximum depth of a folder. Deeper ones are next to the deepest one that is in it: the work for a feed grows with the length of its path.
const MAX_DEPTH: usize = 64;

/// Maximum depth of a folder that is written as a category.
const MAX_PATH: usize = 32;

/// Maximum number of folders of a list.
const MAX_FOLDERS: usize = 10_000;

/// Maximum number of feeds of a list, and of outlines that are reported as skipped.
pub(super) const MAX_ENTRIES: usize = 200_000;

/// Title of the lists that gPodder writes (`opml.Exporter`).
const GPODDER: &str = "gPodder subscriptions";

/// Line breaks and tabs, which are spaces in the value of an attribute, unless they are written as references.
const BREAKS: [char; 3] = ['\t', '\n', '\r'];

/// Maximum length of the number of a reference to one, in bytes.
const MAX_REFERENCE: usize = 10;

/// Name of an outline that is not a folder of the user, and the titles of the lists of podcast apps that have all feeds in one.
const ALL_FEEDS: (&str, [&str; 2]) = ("feeds", ["Overcast Podcast Subscriptions", "Pocket Casts Feeds"]);

/// Attributes with a field of their own; others are preserved unchanged.
const KNOWN: [&str; 6] = ["text", "title", "xmlurl", "htmlurl", "type", "category"];

/// Names that programs use for the address of a feed, the standard one first.
const FEED_URLS: [&str; 6] = ["xmlurl", "feedurl", "rssurl", "atomurl", "xml_url", "feed_url"];

/// Beginning of the name of an attribute that declares a prefix.
pub(super) const DECLARES: &str = "xmlns:";

/// Ignores events; only the complete tree is used.
struct TreeOnly;

impl Handler for TreeOnly {
    fn opened(&mut self, _: &Tree, _: u32, _: usize) {}
    fn closed(&mut self, _: &mut Tree, _: u32, _: usize, _: End) {}
}

pub(super) fn read(bytes: &[u8]) -> Result<SubscriptionList, NotOpml> {
    if bytes.len() > MAX_BYTES {
        return Err(NotOpml::TooLarge { limit: MAX_BYTES });
    }
    if let Some(kind) = sniff::binary(bytes) {
        return Err(NotOpml::Other { kind });
    }
    let decoded = encoding::decode(bytes, None);
    let unescaped = wrapped::unescaped(&decoded.text);
    let document: &str = unescaped.as_ref().unwrap_or(&decoded.text);
    if document.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0').is_empty() {
        return Err(NotOpml::Empty);
    }
    let mut repairs = Repairs::new(document);
    decoded.note(&mut repairs);
    if unescaped.is_some() {
        repairs.note(RepairKind::JunkBeforeXml, 0, decoded.text.trim().lines().next().unwrap_or(""));
    }
    let new = || Builder::of_list(TreeOnly, Base::of_document(None, document.len()));
    let builder = strict::read(document, new).unwrap_or_else(|_| {
        let mut builder = new();
        recover::read(document, &mut builder, &mut repairs);
        builder
    });
    let not_opml = |root: Option<&str>| NotOpml::Other { kind: identify(root, document) };
    if builder.tree.is_empty() {
        return Err(not_opml(None));
    }
    let budget = Rc::clone(&builder.tree.document().budget);
    let list = SubscriptionList::default();
    let (path, folders) = (Vec::new(), HashSet::new());
    let (flattened, left_out) = (builder.flattened, builder.left_out);
    let has_breaks = refers_to_breaks(document);
    let mut walk = Walk { list, path, folders, is_opml: false, has_breaks, flattened, left_out, budget: &budget };
    // A list without head or root, or with a misspelled root, still has its outlines.
    for root in builder.tree.roots() {
        let name = root.name().to_ascii_lowercase();
        walk.is_opml |= name == "opml";
        match name.as_str() {
            "outline" => walk.outline(root),
            "opml" | "body" => walk.children(root, true),
            _ => walk.children(root, root.children().any(|body| body.is_named("body") && has_feeds(body))),
        }
    }
    if !walk.is_opml {
        return Err(not_opml(Some(builder.tree.element(0).name())));
    }
    if walk.left_out > 0 {
        repairs.note_last(RepairDetail::TooManyItems(walk.left_out));
    }
    if walk.flattened || budget.is_exceeded() {
        repairs.note_last(RepairDetail::FoldersFlattened);
    }
    Ok(SubscriptionList { repairs: repairs.list, ..walk.list })
}

/// Whether a document refers to line breaks or tabs by number, as FreshRSS does between its filters. Only such line breaks belong to the
/// value of an attribute; the others are spaces.
fn refers_to_breaks(document: &str) -> bool {
    memmem::find_iter(document.as_bytes(), "&#").any(|at| {
        let rest = document.as_bytes().iter().skip(at + 2).take(MAX_REFERENCE);
        let number: String = rest.take_while(|byte| **byte != b';').map(|byte| char::from(*byte)).collect();
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        code.ok().and_then(char::from_u32).is_some_and(|c| BREAKS.contains(&c))
    })
}

/// Whether the body of a document begins with the outlines of a list.
fn has_feeds(body: Element<'_>) -> bool {
    let first = body.children().next().filter(|first| first.is_named("outline"));
    first.is_some_and(|first| ["text", "title"].iter().chain(&FEED_URLS).any(|name| first.attribute(name).is_some()))
}

fn identify(root: Option<&str>, document: &str) -> DocumentKind {
    match root.map(str::to_ascii_lowercase).as_deref() {
        Some("rss" | "rdf" | "feed" | "channel") => DocumentKind::Feed,
        _ => sniff::text(root, document),
    }
}

struct Walk<'b> {
    list: SubscriptionList,
    path: Vec<String>,
    /// The folders of the list, as a set.
    folders: HashSet<Vec<String>>,
    is_opml: bool,
    /// Whether line breaks in the values of attributes are kept.
    has_breaks: bool,
    /// Whether feeds were moved to a folder above their own, because that is too deep or there are too many folders.
    flattened: bool,
    /// Number of outlines beyond the limits.
    left_out: usize,
    budget: &'b Budget,
}

impl Walk<'_> {
    /// Finds head, body and outlines in another element. The tree limits the depth of recursion.
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
                // An unknown element without an end tag contains the outlines after it.
                _ if in_opml => self.children(child, true),
                _ => {}
            }
        }
    }

    fn is_titled(&self, titles: &[&str]) -> bool {
        self.list.title.as_deref().is_some_and(|title| titles.contains(&title))
    }

    fn outline(&mut self, outline: Element<'_>) {
        self.is_opml = true;
        let attribute = |name: &str| outline.attribute(name);
        // `text` is displayed; `title` is usually the same, and sometimes the only one. gPodder's `text` is a description.
        let names = if self.is_titled(&[GPODDER]) { ["title", "text"] } else { ["text", "title"] };
        let title = names.iter().find_map(|name| attribute(name)).and_then(text::line_of_html);
        let own_title = attribute("title").and_then(text::line_of_html).filter(|own| title.as_ref() != Some(own));
        let kind = attribute("type").map(str::to_ascii_lowercase);
        // A placeholder that a template left is not an address.
        let named = |name: &str| attribute(name).filter(|url| !(url.starts_with('{') && url.ends_with('}')));
        let url = FEED_URLS.into_iter().find_map(named).or_else(|| {
            // Some use `url` for a feed; for a link or an include it means something else.
            let is_feed = matches!(kind.as_deref(), Some("rss" | "atom" | "rdf" | "feed"));
            ["url", "href"].into_iter().find_map(named).filter(|_| is_feed)
        });
        let has_children = outline.children().any(|c| c.name().eq_ignore_ascii_case("outline"));
        if url.is_none() && has_children && is_data(outline) {
            return self.skip(SkipReason::Empty, title.as_deref().unwrap_or_default());
        }
        match url {
            Some(url) => {
                self.feed(outline, url, [title.clone(), own_title], kind.as_deref());
                if let Some(episodes) = type_of_episodes(outline) {
                    return self.skip(SkipReason::OtherType(episodes), title.as_deref().unwrap_or(url));
                }
            }
            None if has_children => {}
            None => self.empty(outline, title.as_deref(), kind.as_deref()),
        }
        if has_children {
            // A folder without a name is dissolved: its contents move to its parent.
            let depth = self.path.len();
            let is_all = |name: &String| depth == 0 && name == ALL_FEEDS.0 && self.is_titled(&ALL_FEEDS.1);
            let named = url.is_none().then_some(title).flatten().filter(|name| !is_all(name));
            let inside = named.map(|name| self.path_of(name)).filter(|path| self.folder(path));
            let outside = inside.map(|path| std::mem::replace(&mut self.path, path));
            self.children(outline, true);
            if let Some(outside) = outside {
                self.path = outside;
            }
        }
    }

    /// Returns the path of a folder in the current one, or next to it if that is as deep as folders may be.
    fn path_of(&mut self, name: String) -> Vec<String> {
        self.flattened |= self.path.len() >= MAX_DEPTH;
        self.path.iter().take(MAX_DEPTH - 1).cloned().chain([name]).collect()
    }

    /// Adds a folder. Returns false if the list has too many, so that its contents move to its parent.
    fn folder(&mut self, path: &[String]) -> bool {
        if self.folders.contains(path) {
            return true;
        }
        if self.folders.len() >= MAX_FOLDERS {
            self.flattened = true;
            return false;
        }
        if self.take(path) {
            self.folders.insert(path.to_owned());
            self.list.folders.push(path.to_owned());
        }
        true
    }

    /// Counts a copy of a path; false if the paths of the list are too long for its length.
    fn take(&self, path: &[String]) -> bool {
        self.budget.take(path.iter().map(|name| size_of::<String>() + name.len()).sum())
    }

    fn feed(&mut self, outline: Element<'_>, url: &str, [title, own_title]: [Option<String>; 2], kind: Option<&str>) {
        let Some(url) = address::normalized(&address::subscription_url(url)) else {
            return self.skip(SkipReason::UnsafeUrl, url);
        };
        if self.list.feeds.len() >= MAX_ENTRIES {
            self.left_out += 1;
            return;
        }
        // Beyond the budget, feeds are at the root.
        let mut folder = if self.take(&self.path) { self.path.clone() } else { Vec::new() };
        let category = outline.attribute("category");
        if self.path.is_empty()
            && let Some(category) = category
        {
            folder = folder_of_category(category);
            let added =
                (1..=folder.len()).take_while(|depth| self.folder(folder.get(..*depth).unwrap_or_default())).count();
            folder.truncate(added);
        }
        let mut other: Vec<(String, String)> = Vec::new();
        for (ns, name, value) in outline.attributes() {
            let prefix = outline.prefix(ns).filter(|(prefix, uri)| self.budget.take(prefix.len() + uri.len()));
            if !is_name(name) || prefix.is_none() && KNOWN.contains(&name.to_ascii_lowercase().as_str()) {
                continue;
            }
            let declaration = prefix.map(|(prefix, uri)| (format!("{DECLARES}{prefix}"), uri.to_owned()));
            let name = prefix.map_or_else(|| name.to_owned(), |(prefix, _)| format!("{prefix}:{name}"));
            for attribute in declaration.into_iter().chain([(name, value.to_owned())]) {
                // A repeated name is caused by misplaced quotes, or is in two namespaces.
                if other.iter().all(|(known, _)| *known != attribute.0) {
                    other.push(attribute);
                }
            }
        }
        if let Some(kind) = kind.filter(|k| *k != "rss") {
            other.push(("type".to_owned(), kind.to_owned()));
        }
        if let Some(category) = category {
            other.push(("category".to_owned(), category.to_owned()));
        }
        // Attribute-value normalization (XML, section 3.3.3).
        if !self.has_breaks {
            other.iter_mut().for_each(|(_, value)| *value = value.replace(BREAKS, " "));
        }
        let home_url = outline.attribute("htmlurl").and_then(address::normalized);
        self.list.feeds.push(Subscription { url, title, own_title, home_url, folder, other });
    }

    /// Handles an outline without URL and children: an empty folder, a note or a link.
    fn empty(&mut self, outline: Element<'_>, title: Option<&str>, kind: Option<&str>) {
        let link = ["url", "htmlurl", "href"].into_iter().find_map(|name| outline.attribute(name));
        let label = title.or(link).unwrap_or_default().to_owned();
        // The list that a folder of FreshRSS follows.
        let follows = outline.attributes().any(|(_, name, _)| name.eq_ignore_ascii_case("opmlUrl"));
        if follows || outline.attribute("xmlurl").is_some() {
            let reason = if follows { SkipReason::OtherType("include".to_owned()) } else { SkipReason::NoUrl };
            return self.skip(reason, &label);
        }
        match (kind, link, title) {
            (Some("rss" | "atom"), _, _) => self.skip(SkipReason::NoUrl, &label),
            (Some(kind), _, _) if kind != "folder" => self.skip(SkipReason::OtherType(kind.to_owned()), &label),
            (_, Some(_), _) => self.skip(SkipReason::Link, &label),
            (_, None, Some(title)) => {
                let path = self.path_of(title.to_owned());
                self.folder(&path);
            }
            (_, None, None) => self.skip(SkipReason::Empty, &label),
        }
    }

    fn skip(&mut self, reason: SkipReason, outline: &str) {
        if self.list.skipped.len() >= MAX_ENTRIES {
            self.left_out += 1;
            return;
        }
        self.list.skipped.push(Skipped { reason, outline: outline.chars().take(200).collect() });
    }
}

/// Attributes that say how a folder is shown: an outline with one of them is a folder without a name.
const OF_FOLDERS: [&str; 6] = ["isopen", "isexpanded", "expanded", "open", "collapsed", "isselected"];

/// Types of outlines that are feeds or folders, or that the user may have put in a folder.
const OF_USERS: [&str; 7] = ["folder", "rss", "atom", "rdf", "feed", "link", "include"];

/// Whether an outline contains data of the reader that wrote the list, such as the filters of Tiny Tiny RSS or the rules of a search folder
/// of Liferea: outlines without an address that have no name, or a type of their own.
fn is_data(outline: Element<'_>) -> bool {
    outline.children().filter(|child| child.name().eq_ignore_ascii_case("outline")).all(|child| {
        let has = |name: &&str| child.attribute(name).is_some();
        let kind = child.attribute("type").map(str::to_ascii_lowercase);
        let is_folder = kind.as_deref() == Some("folder")
            || child.attributes().any(|(_, name, _)| OF_FOLDERS.contains(&name.to_ascii_lowercase().as_str()));
        let has_own_type = kind.is_some_and(|kind| !OF_USERS.contains(&kind.as_str()));
        !["url", "htmlurl"].iter().chain(&FEED_URLS).any(has)
            && (has_own_type || !["text", "title"].iter().any(has))
            && child.attributes().next().is_some()
            && !is_folder
            && !child.children().any(|inner| inner.name().eq_ignore_ascii_case("outline"))
    })
}

/// Returns the type of the outlines in a feed if they are its episodes, of which Overcast lists thousands: outlines without a feed that all
/// have one type of their own. In a damaged list, the outlines and folders after a feed may be inside of it.
fn type_of_episodes(outline: Element<'_>) -> Option<String> {
    let is_episode = |child: &Element<'_>| {
        child.name().eq_ignore_ascii_case("outline")
            && child.children().next().is_none()
            && FEED_URLS.iter().all(|name| child.attribute(name).is_none())
    };
    let mut types = outline.children().map(|child| child.attribute("type").filter(|_| is_episode(&child)));
    let first = types.next().flatten()?.to_ascii_lowercase();
    let is_same = |kind: Option<&str>| kind.is_some_and(|kind| kind.eq_ignore_ascii_case(&first));
    (!OF_USERS.contains(&first.as_str()) && types.all(is_same)).then_some(first)
}

/// Whether this is a valid attribute name.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c| c != ':' && is_name_start_char(c))
        && name.chars().all(|c| c != ':' && is_name_char(c))
        && name != "xmlns"
}

/// Returns the folder that the first of an outline's categories names.
pub(super) fn folder_of_category(categories: &str) -> Vec<String> {
    let first = categories.split(',').map(str::trim).find(|category| !category.is_empty());
    first.map(|first| first.splitn(MAX_PATH, '/').filter_map(text::line).collect()).unwrap_or_default()
}
