//! Gives the items of a document their keys.

use crate::{
    Traits, digest, identifying,
    known::{disambiguated_key, short_key, without_scheme},
};
use gleaner_feed::Item;
use std::collections::{HashMap, HashSet};

/// An item of a document with the data that identifies it.
#[derive(Debug)]
pub struct Identified<'a> {
    /// Identity within the feed.
    pub key: String,
    /// The item itself.
    pub item: &'a Item,
    /// Position in the document.
    pub position: usize,
    /// Canonical form of the item's address.
    pub canonical_url: Option<String>,
    /// Digest of all data that users see.
    pub digest: Vec<u8>,
    /// Whether items of the document differ that have its address and date, or its title and date.
    shared: bool,
    /// Whether items of the document differ that have its address, title and date.
    alike: bool,
}

impl<'a> Identified<'a> {
    fn new(key: String, item: &'a Item, position: usize) -> Self {
        let canonical_url = item.url.as_deref().and_then(gleaner_content::canonical_url);
        Self { key, item, position, canonical_url, digest: digest(item), shared: false, alike: false }
    }

    /// Returns the data by which this item is recognised.
    #[must_use]
    pub fn traits(&self) -> Traits<'_> {
        Traits {
            key: &self.key,
            url: self.item.url.as_deref(),
            canonical_url: self.canonical_url.as_deref(),
            title: self.item.title.as_deref().unwrap_or_default(),
            published_at: self.item.published.map(|moment| moment.timestamp_millis()),
            digest: &self.digest,
            shared: self.shared,
            alike: self.alike,
        }
    }
}

/// Identifies the items of a document: by id or, if several different items have the same id, each of them by id, address and title. An
/// item that occurs twice counts once; no item is lost.
pub fn identify<'a>(items: impl ExactSizeIterator<Item = &'a Item> + Clone) -> Vec<Identified<'a>> {
    let mut seen: HashMap<&str, &Item> = HashMap::with_capacity(items.len());
    // This also applies to the first one: its id would belong to another item when the next one is published.
    let mut shared: HashSet<&str> = HashSet::new();
    for item in items.clone() {
        let first = *seen.entry(&item.id).or_insert(item);
        if first.url != item.url || first.title != item.title {
            shared.insert(&item.id);
        }
    }
    let mut keys: HashSet<String> = HashSet::new();
    let mut identified = Vec::with_capacity(items.len());
    for (position, item) in items.enumerate() {
        let key = if shared.contains(item.id.as_str()) {
            disambiguated_key(&item.id, item.url.as_deref(), item.title.as_deref().unwrap_or_default())
        } else {
            short_key(&item.id)
        };
        if keys.insert(key.clone()) {
            identified.push(Identified::new(key, item, position));
        }
    }
    mark_shared(&mut identified);
    mark_alike(&mut identified);
    identified
}

/// Marks the items that differ in their titles at one address and date, or in their addresses with one title and date.
fn mark_shared(identified: &mut [Identified<'_>]) {
    let mut places: HashMap<(&str, i64), (usize, &str)> = HashMap::new();
    let mut titles: HashMap<(&str, i64), (usize, &str)> = HashMap::new();
    let mut shared = HashSet::new();
    for (at, item) in identified.iter().enumerate() {
        let (Some(url), Some(published)) = (item.canonical_url.as_deref().map(without_scheme), item.item.published)
        else {
            continue;
        };
        let (title, second) = (item.item.title.as_deref().unwrap_or_default(), published.timestamp());
        for (first, other) in [
            (places.entry((url, second)).or_insert((at, title)), title),
            (titles.entry((title, second)).or_insert((at, url)), url),
        ] {
            if first.1 != other {
                shared.extend([first.0, at]);
            }
        }
    }
    shared.into_iter().for_each(|at| identified[at].shared = true);
}

/// Marks the items that differ though they have the same address, title and date.
fn mark_alike(identified: &mut [Identified<'_>]) {
    type Place<'a> = (Option<&'a str>, &'a str, Option<i64>);
    fn place<'a>(item: &'a Identified<'_>) -> Place<'a> {
        let url = item.canonical_url.as_deref().map(without_scheme);
        (url, item.item.title.as_deref().unwrap_or_default(), item.item.published.map(|at| at.timestamp()))
    }
    let mut digests: HashMap<Place<'_>, &[u8]> = HashMap::with_capacity(identified.len());
    let differing = identified.iter().filter(|item| {
        let digest = identifying(&item.digest);
        *digests.entry(place(item)).or_insert(digest) != digest
    });
    let places: HashSet<Place<'_>> = differing.map(place).collect();
    if places.is_empty() {
        return;
    }
    let alike: Vec<bool> = identified.iter().map(|item| places.contains(&place(item))).collect();
    for (item, alike) in identified.iter_mut().zip(alike) {
        item.alike = alike;
    }
}

/// Returns the canonical addresses of items, each as http and as https. By them, and by their keys, the library finds known items.
#[must_use]
pub fn addresses<'a>(canonical: impl Iterator<Item = &'a str>) -> Vec<String> {
    canonical
        .flat_map(|url| [format!("http://{}", without_scheme(url)), format!("https://{}", without_scheme(url))])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str, url: &str, title: &str) -> Item {
        Item { id: id.to_owned(), url: Some(url.to_owned()), title: Some(title.to_owned()), ..Item::default() }
    }

    #[test]
    fn keeps_different_items_that_share_an_id() {
        let items = [item("x", "https://example.com/1", "One"), item("x", "https://example.com/2", "Two")];
        let keys =
            |items: &[Item]| -> Vec<String> { identify(items.iter()).into_iter().map(|item| item.key).collect() };
        assert_eq!(keys(&items).len(), 2);
        // Each has the same key when another one is published.
        let later = [item("x", "https://example.com/3", "Three"), items[0].clone(), items[1].clone()];
        assert_eq!(keys(&later)[1..], keys(&items));
    }

    #[test]
    fn counts_a_repeated_item_once() {
        let items = [item("x", "https://example.com/1", "One"), item("x", "https://example.com/1", "One")];
        assert_eq!(identify(items.iter()).len(), 1);
    }

    #[test]
    fn replaces_very_long_ids_by_their_digest() {
        use crate::known::MAX_KEY;
        let keys = |id: &str| -> Vec<String> {
            identify([item(id, "https://a.example/", "One")].iter()).into_iter().map(|item| item.key).collect()
        };
        let long = "x".repeat(MAX_KEY);
        assert_eq!(keys(&long)[0], long);
        let longer = keys(&format!("{long}x"));
        assert!(longer[0].len() < 100 && longer != keys(&format!("{long}y")), "{longer:?}");
        let shared = [item("x", "https://a.example/1", &long), item("x", "https://a.example/2", &long)];
        assert!(identify(shared.iter()).iter().all(|item| item.key.len() < 100), "ids that items share");
    }

    #[test]
    fn looks_addresses_up_under_both_schemes() {
        assert_eq!(addresses(["http://a.example/x"].into_iter()), ["http://a.example/x", "https://a.example/x"]);
    }
}
