//! Checks of pages that are searched for feeds.

use std::collections::HashSet;
use url::Url;

/// Asserts that the feeds found in a page have web addresses, each once. The first line is the `Content-Type`, the rest the page.
pub fn page(data: &[u8]) {
    let line = data.iter().position(|b| *b == b'\n').unwrap_or(data.len());
    let content_type = String::from_utf8_lossy(&data[..line]);
    let base = Url::parse("https://base.example/blog/").unwrap_or_else(|error| panic!("{error}"));
    let html = data.get(line + 1..).unwrap_or_default();
    let found = gleaner_discovery::in_page(html, Some(&content_type), &base);
    let mut seen = HashSet::new();
    for feed in &found {
        assert!(matches!(feed.url.scheme(), "http" | "https"), "{}", feed.url);
        assert!(seen.insert(&feed.url), "{} is offered twice", feed.url);
        assert!(feed.title.as_ref().is_none_or(|title| !title.trim().is_empty()), "{:?}", feed.title);
    }
    let again = gleaner_discovery::in_page(html, Some(&content_type), &base);
    assert!(found.iter().map(|feed| &feed.url).eq(again.iter().map(|feed| &feed.url)), "the same page, the same feeds");
    list(html, &content_type, &base);
}

/// Asserts that the items of a page's list have titles and web addresses, each once.
fn list(html: &[u8], content_type: &str, base: &Url) {
    let items = gleaner_discovery::items(html, Some(content_type), base);
    let mut seen = HashSet::new();
    for item in &items {
        let urls = [Some(&item.url), item.image.as_ref()];
        assert!(urls.into_iter().flatten().all(|url| matches!(url.scheme(), "http" | "https")), "{item:?}");
        assert!(seen.insert(&item.url), "{} is listed twice", item.url);
        assert!(!item.title.trim().is_empty(), "{}", item.url);
    }
    assert!(items.len() <= gleaner_discovery::MAX_PAGE_ITEMS, "{}", items.len());
    assert_eq!(items, gleaner_discovery::items(html, Some(content_type), base), "the same page, the same list");
}
