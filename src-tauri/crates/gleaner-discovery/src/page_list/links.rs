//! The links of a page, and which parts of it are next to the content.

use super::{
    data, dates, title,
    tree::{Node, Tree},
};
use gleaner_address::is_web;
use std::collections::HashMap;
use url::Url;

/// Maximum number of links of a page that are read.
const MAX_LINKS: usize = 5000;
/// Maximum length of an address in bytes.
const MAX_ADDRESS: usize = 2048;
/// Maximum length of the heading of an item that is a place in the page, in bytes.
const MAX_HEADING: usize = 120;
/// Minimum number of places in the page for them to be items. Single headings with versions also occur in articles.
const MIN_PLACES: usize = 3;
/// Minimum number of footers in different elements for them to be footers of items.
const MIN_FOOTERS: u32 = 3;

/// A link that may lead to an item.
pub(super) struct Link {
    pub node: usize,
    pub url: Url,
    /// The heading of the item, if the link leads to that place in the page.
    pub heading: Option<usize>,
}

/// The links of a page.
pub(super) struct Page<'t, 'a> {
    pub tree: &'t Tree<'a>,
    pub address: &'t Url,
    pub base: Url,
    pub links: Vec<Link>,
    /// For each element, whether it is next to the content.
    pub side: Vec<bool>,
}

impl<'t, 'a> Page<'t, 'a> {
    pub(super) fn new(tree: &'t Tree<'a>, address: &'t Url) -> Self {
        let base = tree.base.as_deref().filter(|base| base.len() <= MAX_ADDRESS);
        let base = base.and_then(|base| address.join(base.trim()).ok()).unwrap_or_else(|| address.clone());
        let mut page = Self { tree, address, base, links: Vec::new(), side: Vec::new() };
        page.side = page.find_asides();
        page.links = page.all_links();
        page
    }

    /// Finds the parts next to the content: navigation, footers, boxes.
    fn find_asides(&self) -> Vec<bool> {
        let nodes = &self.tree.nodes;
        let total = self.tree.text(0).len();
        // For each element, the number of articles and headings with a link before it.
        let mut marks = vec![0_u32; nodes.len() + 1];
        let mut mains = vec![0_u32; nodes.len() + 1];
        for (at, node) in nodes.iter().enumerate() {
            let with_link = matches!(&*node.name, "h2" | "h3" | "h4")
                && (self.tree.around(node.parent).take(1).chain(at + 1..node.end.min(at + 10)))
                    .any(|at| nodes[at].name == "a");
            marks[at + 1] = marks[at] + u32::from(is_marked(node) || with_link);
            mains[at + 1] = mains[at] + u32::from(node.name == "main");
        }
        // For the elements of each name and class: the parent of the last one, and the number of their parents.
        let mut repeated: HashMap<(&str, Option<&str>), (usize, u32)> = HashMap::new();
        for node in nodes {
            let (parent, count) = repeated.entry((&node.name, node.get("class"))).or_default();
            *count += u32::from(*count == 0 || *parent != node.parent);
            *parent = node.parent;
        }
        // These are the footers of items, not that of the page.
        let is_repeated = |node: &Node<'_>| {
            repeated.get(&(&*node.name, node.get("class"))).is_some_and(|(_, count)| *count >= MIN_FOOTERS)
        };
        let mut side = vec![false; nodes.len()];
        let mut in_article = vec![false; nodes.len()];
        for at in 1..side.len() {
            let node = &nodes[at];
            in_article[at] = in_article[node.parent] || is_marked(node);
            let is_aside = match aside_by(node, &nodes[node.parent]) {
                None => false,
                Some(Aside::Footer) => !in_article[at] && !is_repeated(node),
                // Such a class is also that of a box of articles.
                Some(Aside::Box) => marks[node.end] - marks[at] < 2,
                Some(Aside::Surely) => true,
            };
            // A class of an element around the whole page has another meaning, such as "with-sidebar".
            let is_around = mains[node.end] > mains[at] || self.tree.text(at).len() * 10 > total * 9;
            let is_element = matches!(&*node.name, "nav" | "aside" | "footer");
            side[at] = side[node.parent] || is_aside && (is_element || !is_around);
        }
        side
    }

    fn all_links(&self) -> Vec<Link> {
        let mut links = Vec::new();
        for (at, node) in self.tree.nodes.iter().enumerate() {
            if links.len() >= MAX_LINKS {
                break;
            }
            if let Some(link) = self.place(at) {
                links.push(link);
                continue;
            }
            if node.name != "a" {
                continue;
            }
            let Some(href) = node.get("href").map(str::trim) else { continue };
            let is_of_page = href.is_empty() || href.starts_with('#') || href.len() > MAX_ADDRESS;
            let rel = node.get("rel").unwrap_or_default();
            let is_other =
                rel.split_ascii_whitespace().any(|rel| matches!(rel, "tag" | "author" | "category" | "prev" | "next"));
            if is_of_page || is_other {
                continue;
            }
            let Ok(mut url) = self.base.join(href) else { continue };
            url.set_fragment(None);
            let is_home = url.path() == "/" && url.query().is_none();
            if is_web(&url) && !is_home && !same_page(&url, self.address) && !title::is_of_comments(self.tree.text(at))
            {
                links.push(Link { node: at, url, heading: None });
            }
        }
        if links.iter().filter(|link| link.heading.is_some()).count() < MIN_PLACES {
            links.retain(|link| link.heading.is_none());
        }
        links
    }
}

impl Page<'_, '_> {
    /// Returns the link of a heading to itself, or to a heading with an id and without a link, if it belongs to a change log: the heading
    /// has a date or a version number.
    fn place(&self, at: usize) -> Option<Link> {
        let nodes = &self.tree.nodes;
        let node = &nodes[at];
        let is_dated = |heading: &usize| {
            let text = self.tree.text(*heading);
            text.len() <= MAX_HEADING && (dates::in_text(text, false).is_some() || has_version(text))
        };
        let is_heading = |at: &usize| matches!(&*nodes[*at].name, "h2" | "h3" | "h4") && is_dated(at);
        let (id, heading) = match &*node.name {
            "a" => {
                let id = node.get("href")?.trim().strip_prefix('#')?;
                let around = self.tree.around(at).take(4).find(is_heading);
                // A link next to the heading, alone in its element.
                let next = || self.tree.children(node.parent).take(3).find(is_heading);
                let is_pair = || self.tree.children(node.parent).take(4).count() <= 3;
                (id, around.or_else(|| next().filter(|_| is_pair()))?)
            }
            _ if is_heading(&at) && !nodes[at..node.end].iter().any(|node| node.name == "a") => (node.get("id")?, at),
            _ => return None,
        };
        if id.is_empty() || id.len() > MAX_ADDRESS {
            return None;
        }
        let mut url = self.address.clone();
        url.set_fragment(Some(id));
        Some(Link { node: at, url, heading: Some(heading) })
    }
}

/// Whether a text has the number of a version, such as "1.9".
fn has_version(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).trim_start_matches(['v', 'V']);
        let is_number = |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
        word.contains('.') && word.split('.').take(2).all(is_number)
    })
}

/// Whether an element is marked as an article.
pub(super) fn is_marked(node: &Node<'_>) -> bool {
    node.name == "article"
        || node.get("itemtype").is_some_and(data::is_article)
        || node.names().any(|name| matches!(name, "h-entry" | "hentry"))
}

enum Aside {
    /// Navigation and the like.
    Surely,
    /// A footer, unless it is that of an article.
    Footer,
    /// A box, unless it has articles.
    Box,
}

const ASIDE: [&str; 29] = [
    "nav",
    "navbar",
    "navigation",
    "navi",
    "submenu",
    "sidebar",
    "breadcrumb",
    "breadcrumbs",
    "pagination",
    "pager",
    "paginator",
    "paging",
    "tags",
    "tagcloud",
    "share",
    "sharing",
    "social",
    "related",
    "popular",
    "comments",
    "commentlist",
    "comment",
    "cookie",
    "cookies",
    "toc",
    "topbar",
    "offcanvas",
    "references",
    "reflist",
];

fn aside_by(node: &Node<'_>, parent: &Node<'_>) -> Option<Aside> {
    match &*node.name {
        "nav" | "aside" => return Some(Aside::Surely),
        "footer" => return Some(Aside::Footer),
        "header" if parent.name == "body" => return Some(Aside::Surely),
        "body" | "html" | "main" | "a" | "article" => return None,
        _ => {}
    }
    if matches!(node.get("role"), Some("navigation" | "contentinfo" | "complementary" | "search" | "banner" | "menu")) {
        return Some(Aside::Surely);
    }
    let mut found = None;
    for name in node.names() {
        let name = name.to_ascii_lowercase();
        if name.split(['-', '_']).any(|word| ASIDE.contains(&word)) {
            return Some(Aside::Surely);
        }
        let is_widget =
            matches!(&*name, "widget" | "widgets") || name.starts_with("widget_") || name.starts_with("widget-");
        if is_widget || name.contains("menu") || name.starts_with("recent") {
            found = Some(Aside::Box);
        } else if name.split(['-', '_']).any(|word| word == "footer") && found.is_none() {
            found = Some(Aside::Footer);
        }
    }
    found
}

pub(super) fn same_page(url: &Url, page: &Url) -> bool {
    let path = |url: &Url| url.path().trim_end_matches('/').to_owned();
    host(url) == host(page) && path(url) == path(page) && url.query() == page.query()
}

pub(super) fn host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether two addresses belong to one site: the hosts are the same, or one is a subdomain of the other.
pub(super) fn same_site(one: &Url, other: &Url) -> bool {
    let last_two = |url: &Url| {
        let host = host(url).to_owned();
        let start = host.rmatch_indices('.').map(|(at, _)| at + 1).nth(1).unwrap_or(0);
        host[start..].to_owned()
    };
    host(one) == host(other) || last_two(one) == last_two(other)
}
