//! Bases of relative URLs, and limits on the items of a document and on the data that they inherit.

use crate::{address, model::Item};
use std::{cell::Cell, rc::Rc, sync::Arc};
use url::Url;

/// Maximum number of items of a document.
const MAX_ITEMS: usize = 100_000;
/// Memory that items without content may take, in bytes: this and [`ITEM_BYTES_PER_BYTE`] for each byte of the document.
const ITEM_BYTES: usize = 16 << 20;
const ITEM_BYTES_PER_BYTE: usize = 32;
/// Length of the data that items may inherit, in bytes: this and [`REPEATED_PER_BYTE`] for each byte of the document.
const REPEATED: usize = 8 << 20;
const REPEATED_PER_BYTE: usize = 8;

/// How much more a document may expand. A feed states an author or a base once and each of its items inherits it, so
/// without a limit a document of two megabytes could become gigabytes.
#[derive(Debug)]
pub(crate) struct Budget {
    items: Cell<usize>,
    left_out: Cell<usize>,
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
            bytes: Cell::new(REPEATED.saturating_add(length.saturating_mul(REPEATED_PER_BYTE))),
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

    /// Counts bytes of inherited data; false if there are too many.
    pub(crate) fn take(&self, length: usize) -> bool {
        let left = self.bytes.get().checked_sub(length);
        match left {
            Some(left) => self.bytes.set(left),
            None => self.is_exceeded.set(true),
        }
        left.is_some()
    }

    /// Number of items that were left out.
    pub(crate) fn items_left_out(&self) -> usize {
        self.left_out.get()
    }

    /// Whether inherited data was left out because of the limit.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }
}

/// The base of relative URLs: parsed once, shared by everything that inherits it.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    url: Option<Url>,
    text: Option<Arc<str>>,
    pub(crate) budget: Rc<Budget>,
}

impl Base {
    /// Returns the base of a document of `length` bytes; `url` is the document's own URL.
    pub(crate) fn of_document(url: Option<&str>, length: usize) -> Self {
        let parsed = url.and_then(|url| Url::parse(url).ok()).filter(|url| !url.cannot_be_a_base());
        Self { text: url.map(Arc::from), url: parsed, budget: Rc::new(Budget::new(length)) }
    }

    /// Returns the base that a URL in the document declares; `None` if relative URLs cannot be resolved against it.
    pub(crate) fn declared(&self, written: &str) -> Option<Base> {
        self.at(&self.absolute(written)?)
    }

    /// Returns the base of an absolute URL; `None` if relative URLs cannot be resolved against it.
    pub(crate) fn at(&self, url: &str) -> Option<Base> {
        let parsed = address::base(url)?;
        Some(Self { url: Some(parsed), text: Some(Arc::from(url)), budget: Rc::clone(&self.budget) })
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
        if !self.budget.take(base.as_str().len() + url.len()) {
            return Some(url);
        }
        match base.join(&url) {
            Ok(joined) => Some(joined.into()),
            Err(_) => Some(url),
        }
    }
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
        assert_eq!(at(Some("http://a/"), "news:comp.x").as_deref(), Some("news:comp.x"));
        assert_eq!(at(None, "HTTP://A/ b").as_deref(), Some("HTTP://A/ b"));
        for url in ["javascript:alert(1)", " JaVaScript:x", "java\nscript:x", "data:text/html,x", "vbscript:x", ""] {
            assert_eq!(at(Some("http://a/"), url), None, "{url}");
        }
    }

    #[test]
    fn a_long_base_is_not_repeated_without_end() {
        let base = Base::of_document(Some(&format!("https://a.example/{}/", "x".repeat(1 << 20))), 0);
        let resolved = (0..100).filter(|_| base.absolute("b").is_some_and(|url| url.len() > 1)).count();
        assert_eq!(resolved, 7);
        assert!(base.budget.is_exceeded());
    }
}
