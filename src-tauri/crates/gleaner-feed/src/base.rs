//! Bases of relative URLs, and limits on the items of a document and on the data that they inherit.

use crate::{
    address,
    dates::Orders,
    model::{Feed, Item, Person},
    repair::{RepairDetail, Repairs},
};
use std::{cell::Cell, rc::Rc, sync::Arc};
use url::Url;

/// Maximum number of items of a document.
const MAX_ITEMS: usize = 75_000;
/// Memory that items without content may take, in bytes: this and [`ITEM_BYTES_PER_BYTE`] for each byte of the document.
const ITEM_BYTES: usize = 16 << 20;
const ITEM_BYTES_PER_BYTE: usize = 32;
/// Memory that the lists of all items may take, in bytes: categories, authors, attached files. An entry of a few bytes takes hundreds. For
/// a document of more than twice this length, the limit is half the document's length.
const LIST_BYTES: usize = 16 << 20;
/// Maximum number of entries in a list of an item or feed.
const MAX_LISTED: usize = 500;
/// Number of entries that are collected: one more, so that the limit is reported.
pub(crate) const MAX_COLLECTED: usize = MAX_LISTED + 1;
/// Length of the data that items may inherit, in bytes: this and [`REPEATED_PER_BYTE`] for each byte of the document, at most
/// [`MAX_REPEATED`]. Much of it is copied several times until the items are stored.
const REPEATED: usize = 4 << 20;
const REPEATED_PER_BYTE: usize = 4;
const MAX_REPEATED: usize = 16 << 20;

/// How much more a document may expand. A feed states an author or a base once and each of its items inherits it, so
/// without a limit a document of two megabytes could become gigabytes.
#[derive(Debug)]
pub(crate) struct Budget {
    items: Cell<usize>,
    left_out: Cell<usize>,
    lists: Cell<usize>,
    bytes: Cell<usize>,
    is_exceeded: Cell<bool>,
}

impl Budget {
    /// Returns the budget of a document of `length` bytes.
    pub(crate) fn new(length: usize) -> Self {
        let memory = ITEM_BYTES.saturating_add(length.saturating_mul(ITEM_BYTES_PER_BYTE));
        Self {
            items: Cell::new((memory / size_of::<Item>()).min(MAX_ITEMS)),
            left_out: Cell::new(0),
            lists: Cell::new(LIST_BYTES.max(length / 2)),
            bytes: Cell::new(REPEATED.saturating_add(length.saturating_mul(REPEATED_PER_BYTE)).min(MAX_REPEATED)),
            is_exceeded: Cell::new(false),
        }
    }

    /// Counts an item; false if the document has too many.
    pub(crate) fn take_item(&self) -> bool {
        match self.items.get().checked_sub(1) {
            Some(left) => self.items.set(left),
            None => {
                self.left_out.set(self.left_out.get() + 1);
                return false;
            }
        }
        true
    }

    /// Counts the lists of an item, and drops the entries that are too many.
    pub(crate) fn take_lists(&self, item: &mut Item) {
        let authors = self.fitting::<Person>(item.authors.len());
        if authors < item.authors.len() {
            item.authors = item.authors.iter().take(authors).cloned().collect();
        }
        self.take_list(&mut item.enclosures);
        self.take_list(&mut item.categories);
        self.take_list(&mut item.media);
        self.take_list(&mut item.transcripts);
        self.take_list(&mut item.contributors);
        self.take_list(&mut item.via);
        if let Some(chapters) = &mut item.chapters {
            self.take_list(&mut chapters.list);
        }
    }

    /// Drops excess entries of the feed's lists. They do not count against the memory for the lists of items, since there is only one feed.
    pub(crate) fn limit_lists_of_feed(&self, feed: &mut Feed) {
        self.limit(&mut feed.authors);
        self.limit(&mut feed.contributors);
        self.limit(&mut feed.categories);
        self.limit(&mut feed.funding);
        self.limit(&mut feed.hubs);
    }

    fn limit<T>(&self, list: &mut Vec<T>) {
        if list.len() > MAX_LISTED {
            list.truncate(MAX_LISTED);
            self.exceed();
        }
    }

    fn take_list<T>(&self, list: &mut Vec<T>) {
        list.truncate(self.fitting::<T>(list.len()));
        list.shrink_to_fit();
    }

    /// Counts the entries of a list, and returns how many of them may stay.
    fn fitting<T>(&self, length: usize) -> usize {
        // The texts of an entry are part of the document, but each is in an allocation of its own.
        let entry = 2 * size_of::<T>();
        let fitting = length.min(MAX_LISTED).min(self.lists.get() / entry);
        self.lists.set(self.lists.get() - fitting * entry);
        if fitting < length {
            self.is_exceeded.set(true);
        }
        fitting
    }

    /// Counts bytes of inherited data; false if there are too many.
    pub(crate) fn take(&self, length: usize) -> bool {
        let left = self.bytes.get().checked_sub(length);
        match left {
            Some(left) => self.bytes.set(left),
            None => self.is_exceeded.set(true),
        }
        left.is_some()
    }

    /// Records that values of an item were left out.
    pub(crate) fn exceed(&self) {
        self.is_exceeded.set(true);
    }

    /// Whether inherited data was left out because of the limit.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }

    /// Records, at the end of the document, which limits it exceeded.
    pub(crate) fn note(&self, repairs: &mut Repairs<'_>) {
        let items = Some(self.left_out.get()).filter(|left_out| *left_out > 0);
        let repeated = self.is_exceeded().then_some(RepairDetail::RepeatedTooMuch);
        items.map(RepairDetail::TooManyItems).into_iter().chain(repeated).for_each(|detail| repairs.note_last(detail));
    }
}

/// What is known of a document before it is read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Origin<'a> {
    /// Its own URL.
    pub(crate) url: Option<&'a str>,
    /// The tag of its language.
    pub(crate) language: Option<&'a str>,
}

/// The base of relative URLs: parsed once, shared by everything that inherits it.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    url: Option<Url>,
    text: Option<Arc<str>>,
    pub(crate) budget: Rc<Budget>,
    /// The orders and the language of the dates of the document.
    pub(crate) orders: Rc<Orders>,
}

impl Base {
    /// Returns the base of a document of `length` bytes; `url` is the document's own URL.
    pub(crate) fn of_document(url: Option<&str>, length: usize) -> Self {
        let parsed = url.and_then(|url| Url::parse(url).ok()).filter(|url| !url.cannot_be_a_base());
        Self { text: url.map(Arc::from), url: parsed, budget: Rc::new(Budget::new(length)), orders: Rc::default() }
    }

    /// Does the same for a document of a known language.
    pub(crate) fn of_origin(origin: Origin<'_>, length: usize) -> Self {
        Self { orders: Rc::new(Orders::of_language(origin.language)), ..Self::of_document(origin.url, length) }
    }

    /// Returns a base that leaves relative URLs as they are.
    pub(crate) fn unknown(&self) -> Base {
        Self { url: None, text: None, budget: Rc::clone(&self.budget), orders: Rc::clone(&self.orders) }
    }

    /// Returns the base that a URL in the document declares; `None` if relative URLs cannot be resolved against it.
    pub(crate) fn declared(&self, written: &str) -> Option<Base> {
        self.at(&self.absolute(written)?)
    }

    /// Returns the base of an absolute URL; `None` if relative URLs cannot be resolved against it.
    pub(crate) fn at(&self, url: &str) -> Option<Base> {
        let parsed = address::base(url)?;
        Some(Self {
            url: Some(parsed),
            text: Some(Arc::from(url)),
            budget: Rc::clone(&self.budget),
            orders: Rc::clone(&self.orders),
        })
    }

    /// Returns the URL of the base.
    pub(crate) fn text(&self) -> Option<&Arc<str>> {
        self.text.as_ref()
    }

    /// Returns the trimmed URL, made absolute if the base is known and the budget allows it. `None` if it is empty or
    /// has a scheme that can run code.
    pub(crate) fn absolute(&self, written: &str) -> Option<String> {
        let url = address::normalized(written)?;
        if address::has_scheme(&url) {
            return Some(url);
        }
        let Some(base) = &self.url else { return Some(url) };
        if let Some(full) = without_scheme_at(base, &url) {
            return Some(full);
        }
        if !self.budget.take(base.as_str().len() + url.len()) {
            return Some(url);
        }
        match base.join(&url) {
            Ok(joined) => Some(joined.into()),
            Err(_) => Some(url),
        }
    }
}

/// Returns the address of a page at the host of the base whose scheme was left out, such as `example.com/page`.
fn without_scheme_at(base: &Url, url: &str) -> Option<String> {
    let bare = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_ascii_lowercase();
    let host = base.host_str().filter(|host| host.contains('.'))?;
    let (first, _) = url.split_once('/')?;
    // A relative address does not begin with a folder of this name that the base is in.
    let is_host = first.len() <= host.len() + 4 && bare(first) == bare(host) && !base.path().contains(first);
    is_host.then(|| format!("{}://{url}", base.scheme()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_relative_addresses() {
        let at = |base: Option<&str>, url: &str| Base::of_document(base, 0).absolute(url);
        assert_eq!(at(Some("http://a/b/c/d"), "../x?y").as_deref(), Some("http://a/b/x?y"));
        assert_eq!(at(Some("https://a/"), "//b/x").as_deref(), Some("https://b/x"));
        assert_eq!(at(None, "x").as_deref(), Some("x"));
        assert_eq!(at(Some("http://a/"), "\u{feff} http://b/x\u{200b}\n").as_deref(), Some("http://b/x"));
        assert_eq!(at(Some("https://a.example/b/"), "A.example/x").as_deref(), Some("https://A.example/x"));
        assert_eq!(at(Some("https://www.a.example/"), "a.example/x").as_deref(), Some("https://a.example/x"));
        assert_eq!(at(Some("https://a.example/"), "b.example/x").as_deref(), Some("https://a.example/b.example/x"));
        assert_eq!(at(Some("http://a/"), "\u{200b}javascript:x"), None);
        assert_eq!(at(Some("http://a/"), "news:comp.x").as_deref(), Some("news:comp.x"));
        assert_eq!(at(None, "HTTP://A/ b").as_deref(), Some("HTTP://A/ b"));
        assert_eq!(at(None, "http://a/?b=1&#038;c=2&amp;d=3#038;").as_deref(), Some("http://a/?b=1&c=2&d=3#038;"));
        for url in ["javascript:alert(1)", " JaVaScript:x", "java\nscript:x", "data:text/html,x", "vbscript:x", ""] {
            assert_eq!(at(Some("http://a/"), url), None, "{url}");
        }
    }

    #[test]
    fn the_lists_of_items_have_limits() {
        let budget = Budget::new(1 << 20);
        let category = |number: usize| crate::model::Category { term: number.to_string(), ..Default::default() };
        let mut item = Item { categories: (0..2 * MAX_LISTED).map(category).collect(), ..Item::default() };
        budget.take_lists(&mut item);
        assert_eq!(item.categories.len(), MAX_LISTED, "of an item");
        assert!(budget.is_exceeded());
        let mut listed = 0;
        for _ in 0..1000 {
            let mut item = Item { categories: item.categories.clone(), ..Item::default() };
            item.enclosures = vec![Default::default(); 10];
            budget.take_lists(&mut item);
            listed += size_of_val(&*item.categories) + size_of_val(&*item.enclosures);
        }
        assert!((LIST_BYTES / 4..=LIST_BYTES).contains(&listed), "of a document: {listed}");
    }

    #[test]
    fn a_long_base_is_not_repeated_without_end() {
        let base = Base::of_document(Some(&format!("https://a.example/{}/", "x".repeat(1 << 20))), 0);
        let resolved = (0..100).filter(|_| base.absolute("b").is_some_and(|url| url.len() > 1)).count();
        assert_eq!(resolved, 3);
        assert!(base.budget.is_exceeded());
    }
}
