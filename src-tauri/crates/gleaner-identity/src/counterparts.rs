//! Recognizes the articles of a feed in another copy of it: an archive, or a second subscription.

use crate::{
    KnownItem, Traits,
    known::{is_near, without_scheme},
};
use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher},
};

/// The addresses that several articles of a feed share, such as those of feeds that link to the home page. They do not identify articles.
///
/// Contains hashes: an address that is taken for a shared one is only compared more strictly.
#[derive(Debug, Default)]
pub struct SharedAddresses {
    seen: HashSet<u64>,
    shared: HashSet<u64>,
}

impl SharedAddresses {
    /// Adds the canonical address of one more article of a feed.
    pub fn add(&mut self, feed: i64, canonical_url: &str) {
        let hash = hash(feed, canonical_url);
        if !self.seen.insert(hash) {
            self.shared.insert(hash);
        }
    }

    /// Returns whether several articles of the feed have this address.
    #[must_use]
    pub fn contains(&self, feed: i64, canonical_url: &str) -> bool {
        self.shared.contains(&hash(feed, canonical_url))
    }
}

fn hash(feed: i64, canonical_url: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((feed, without_scheme(canonical_url)))
}

/// The articles of a feed, by their addresses. For articles of its other copy whose keys it does not have.
#[derive(Debug)]
pub struct Counterparts<'k> {
    at_address: HashMap<&'k str, Vec<&'k KnownItem>>,
    by_title: HashMap<(&'k str, &'k str), Vec<&'k KnownItem>>,
}

impl<'k> Counterparts<'k> {
    /// Indexes articles of a feed: all that have one of the addresses.
    pub fn new(items: impl IntoIterator<Item = &'k KnownItem>) -> Self {
        let mut counterparts = Self { at_address: HashMap::new(), by_title: HashMap::new() };
        for item in items {
            if let Some(url) = item.canonical_url.as_deref().map(without_scheme) {
                counterparts.at_address.entry(url).or_default().push(item);
                counterparts.by_title.entry((url, &item.title)).or_default().push(item);
            }
        }
        counterparts
    }

    /// Finds an article by its address and its title or date; where several articles of either copy have the address, by all three.
    ///
    /// `is_shared`: whether several articles of its own copy have its address. `taken` contains the ids of the articles that others are;
    /// the id found is added.
    pub fn find(&self, item: &Traits<'_>, is_shared: bool, taken: &mut HashSet<i64>) -> Option<i64> {
        let url = without_scheme(item.canonical_url?);
        let has_date = |known: &KnownItem| is_near(known.published_at, item.published_at);
        let found = match self.at_address.get(url)?.as_slice() {
            [only] if !is_shared => {
                Some(only).filter(|known| (known.title == item.title || has_date(known)) && !taken.contains(&known.id))
            }
            _ => {
                let alike = self.by_title.get(&(url, item.title))?.iter();
                let free = alike.filter(|known| has_date(known) && !taken.contains(&known.id));
                // One without a date is the last choice.
                free.min_by_key(|known| known.published_at.is_some() != item.published_at.is_some())
            }
        }?;
        taken.insert(found.id);
        Some(found.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Millis;

    const HOME: &str = "https://a.example/";

    fn item(id: i64, url: &str, title: &str, published_at: Option<Millis>) -> KnownItem {
        let (canonical_url, title) = (Some(url.to_owned()), title.to_owned());
        KnownItem { id, key: id.to_string(), canonical_url, title, published_at, digest: Vec::new(), gone: None }
    }

    /// Finds the counterparts of articles with other keys.
    fn found(known: &[KnownItem], sought: &[KnownItem]) -> Vec<Option<i64>> {
        let mut shared = SharedAddresses::default();
        sought.iter().filter_map(|item| item.canonical_url.as_deref()).for_each(|url| shared.add(1, url));
        let (counterparts, mut taken) = (Counterparts::new(known), HashSet::new());
        let find = |item: &KnownItem| {
            let canonical_url = item.canonical_url.as_deref();
            let traits =
                Traits { canonical_url, title: &item.title, published_at: item.published_at, ..Traits::default() };
            counterparts.find(&traits, canonical_url.is_some_and(|url| shared.contains(1, url)), &mut taken)
        };
        sought.iter().map(find).collect()
    }

    #[test]
    fn an_address_of_one_article_identifies_it_with_its_title_or_date() {
        let known = [item(1, "https://a.example/1", "One", Some(5_000))];
        for (title, published_at, expected) in [
            ("One", Some(5_000), Some(1)),
            ("One, corrected", Some(5_250), Some(1)),
            ("One", Some(9_000), Some(1)),
            ("One, corrected", None, Some(1)),
            ("Two", Some(9_000), None),
        ] {
            let sought = [item(0, "http://a.example/1", title, published_at)];
            assert_eq!(found(&known, &sought), [expected], "{title} {published_at:?}");
        }
    }

    #[test]
    fn an_address_that_several_share_identifies_with_title_and_date() {
        let several = |first: i64| -> Vec<KnownItem> {
            (first..first + 3).map(|at| item(at, HOME, &format!("News {at}"), Some(1_000 * at))).collect()
        };
        assert_eq!(found(&several(1), &several(4)), [None; 3]);
        assert_eq!(found(&several(1), &several(2)), [Some(2), Some(3), None]);
        // It is enough that they share it in one of the copies.
        let news = |title: &str| [item(9, HOME, title, Some(2_000))];
        assert_eq!(found(&several(1), &news("Other")), [None]);
        assert_eq!(found(&several(1), &news("News 2")), [Some(2)]);
        assert_eq!(found(&news("Other"), &several(1)), [None; 3]);
    }

    #[test]
    fn no_two_articles_are_the_same_one() {
        let alert = |id, published_at| item(id, HOME, "Alert", published_at);
        let known = [alert(1, None), alert(2, Some(2_000))];
        let sought = [alert(3, Some(2_000)), alert(4, Some(2_000)), alert(5, Some(2_000))];
        assert_eq!(found(&known, &sought), [Some(2), Some(1), None]);
    }
}
