//! The list of articles on a web page that has no feed.
//!
//! Links at the same place in the same structure are a group. The best group has the longest titles and texts, and the most dates and
//! headings. Navigation and lists next to the content do not count, and a page of one article has no list.

mod data;
mod dates;
mod extents;
mod groups;
mod links;
mod title;
mod tree;

use chrono::{DateTime, NaiveDate, Utc};
use dates::Shown;
use gleaner_address::is_web;
use gleaner_feed::{Body, ContentKind, Encoding, EncodingSource, Feed, Format, Item, Parsed};
use gleaner_html::{charset, one_line};
use std::collections::HashMap;
use tree::Tree;
use url::Url;

/// Maximum number of items of a page.
pub const MAX_PAGE_ITEMS: usize = 1000;
/// Maximum length of a page that is read, in bytes.
const MAX_PAGE: usize = 16 << 20;
/// Maximum length in bytes of a title that is made from the text.
const MAX_START: usize = 100;
/// Maximum length of a summary, in bytes.
const MAX_SUMMARY: usize = 1000;

/// An item of the list on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageItem {
    /// Absolute http or https URL.
    pub url: Url,
    /// Plain text.
    pub title: String,
    /// The day that the page shows.
    pub day: Option<NaiveDate>,
    /// The time of that date; midnight if the page shows none.
    pub date: Option<DateTime<Utc>>,
    /// Plain text.
    pub summary: Option<String>,
    /// URL of an image.
    pub image: Option<Url>,
}

/// The list of articles on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PageList {
    /// In the page's order; empty if the page has no list.
    pub items: Vec<PageItem>,
    /// What the page says about itself.
    pub feed: Feed,
}

/// Finds the items of the list of articles on a page, in the page's order. Empty if there is none. Pure.
#[must_use]
pub fn items(html: &[u8], content_type: Option<&str>, base: &Url) -> Vec<PageItem> {
    PageList::read(html, content_type, base).items
}

impl PageList {
    /// Finds the list of articles on a page. Pure.
    #[must_use]
    pub fn read(html: &[u8], content_type: Option<&str>, base: &Url) -> Self {
        let html = html.get(..MAX_PAGE).unwrap_or(html);
        let text = charset::decode_page(html, content_type);
        let tree = Tree::read(&text);
        let page = links::Page::new(&tree, base);
        let list = page.best().unwrap_or_default();
        let data = data::read(&tree.data, &page.base);
        let day_first = dates::is_day_first(list.iter().map(|entry| tree.text_of(entry.from, entry.to)));
        let mut titles: HashMap<&str, usize> = HashMap::new();
        for entry in &list {
            *titles.entry(&entry.title).or_default() += 1;
        }
        // Words that all items share, such as "Download the file", are not a title.
        let names_item = |title: &str| titles.get(title).is_none_or(|count| *count < 3 || count * 2 <= list.len());
        let item = |entry: &groups::Entry| {
            let date = dates::find(&tree, entry.named, entry.from, entry.to, day_first, entry.year)
                .or_else(|| data.dates.get(entry.url.as_str()).copied())
                .or_else(|| dates::in_address(entry.url.path()).filter(|_| entry.url.fragment().is_none()))
                .or(entry.day);
            item(&tree, &page.base, entry, date, names_item(&entry.title))
        };
        Self {
            items: newest(list.iter().map(item).filter(|item| !item.title.is_empty()).collect()),
            feed: feed(&tree, base),
        }
    }

    /// Returns the list as a feed. The URLs of the items are their ids.
    #[must_use]
    pub fn into_parsed(self) -> Parsed {
        let encoding = Encoding { name: "UTF-8", from: EncodingSource::Detected };
        let items = self.items.into_iter().map(Item::from).collect();
        Parsed { format: Format::Page, encoding, well_formed: true, repairs: Vec::new(), feed: self.feed, items }
    }
}

fn feed(tree: &Tree<'_>, base: &Url) -> Feed {
    let meta = |name: &str| {
        let found = tree.nodes.iter().find(|node| node.get("name") == Some(name) || node.get("property") == Some(name));
        found.and_then(|node| node.get("content")).map(one_line).filter(|content| !content.is_empty())
    };
    let language = tree.nodes.iter().find(|node| node.name == "html").and_then(|node| node.get("lang"));
    Feed {
        title: tree.title.clone().filter(|title| !title.is_empty()).or_else(|| meta("og:site_name")),
        description: meta("description").or_else(|| meta("og:description")),
        home_url: Some(base.to_string()),
        language: language.map(|language| language.trim().to_lowercase()).filter(|language| !language.is_empty()),
        ..Feed::default()
    }
}

fn item(tree: &Tree<'_>, base: &Url, entry: &groups::Entry, date: Option<Shown>, names_item: bool) -> PageItem {
    let image = tree.nodes[entry.from..entry.to.min(tree.nodes.len())].iter().find(|node| node.name == "img");
    let image = image.and_then(|image| {
        let address = image.get("data-src").or_else(|| image.get("src"))?;
        base.join(address.trim()).ok().filter(is_web)
    });
    let is_title = |text: &str| {
        title::is_title(text) || title::length(text) > 0 && !title::is_generic(text) && !dates::is_date(text)
    };
    let is_place = entry.url.fragment().is_some() && !entry.title.is_empty();
    let has_title = is_place || names_item && is_title(&entry.title);
    let title = if has_title { entry.title.clone() } else { start(tree.text_of(entry.from, entry.to)) };
    PageItem {
        url: entry.url.clone(),
        title,
        day: date.map(|date| date.day),
        date: date.map(|date| date.at),
        summary: summary(tree, entry),
        image,
    }
}

/// Returns the start of a text, in place of a title.
fn start(text: &str) -> String {
    let cut = &text[..text.floor_char_boundary(MAX_START)];
    match cut.rsplit_once(' ').filter(|_| cut.len() < text.len()) {
        Some((whole, _)) => format!("{whole} …"),
        None => cut.to_owned(),
    }
}

impl From<PageItem> for Item {
    fn from(item: PageItem) -> Self {
        let summary = item.summary.map(|text| Body { html: gleaner_html::escape::text(&text), base: None });
        Self {
            id: item.url.to_string(),
            url: Some(item.url.to_string()),
            title: Some(item.title),
            published: item.date,
            content_kind: if summary.is_some() { ContentKind::Summary } else { ContentKind::None },
            content: summary,
            thumbnail_url: item.image.map(String::from),
            ..Self::default()
        }
    }
}

/// Returns the longest paragraph of an item.
fn summary(tree: &Tree<'_>, entry: &groups::Entry) -> Option<String> {
    let inside = (entry.from..entry.to.min(tree.nodes.len())).filter(|at| {
        let node = &tree.nodes[*at];
        node.name == "p"
            || node.names().any(|name| {
                let name = name.to_ascii_lowercase();
                ["summary", "excerpt", "description", "teaser", "intro"].iter().any(|word| name.contains(word))
            })
    });
    let longest = inside.map(|at| tree.text(at)).filter(|text| *text != entry.title).max_by_key(|text| text.len())?;
    let cut = &longest[..longest.floor_char_boundary(MAX_SUMMARY)];
    (cut.len() > 20).then(|| cut.to_owned())
}

/// Limits the number of items. In a list with dates the newest remain, since the oldest may be first.
fn newest(mut items: Vec<PageItem>) -> Vec<PageItem> {
    if items.len() > MAX_PAGE_ITEMS {
        let mut dates: Vec<_> = items.iter().map(|item| item.date).collect();
        if dates.iter().all(Option::is_some) {
            dates.sort_unstable_by(|one, other| other.cmp(one));
            let oldest = dates[MAX_PAGE_ITEMS - 1];
            items.retain(|item| item.date >= oldest);
        }
        items.truncate(MAX_PAGE_ITEMS);
    }
    items
}
