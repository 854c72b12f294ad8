//! Recognises the articles of a feed in another copy of it: an archive, or a second subscription.

use crate::{
    KnownItem, Millis, Traits, identifying,
    known::{hash, is_near, second, without_scheme},
};
use std::collections::{HashMap, HashSet};

/// The addresses that several articles of a feed share, such as those of feeds that link to the home page. They do not identify articles.
/// Nor do address, title and date, if articles with different data share all three.
///
/// Contains hashes: if a collision makes an address look shared, it is only compared more strictly.
#[derive(Debug, Default)]
pub struct SharedAddresses {
    seen: HashSet<u64>,
    shared: HashSet<u64>,
    /// Hashes of the data by those of address, title and date.
    data: HashMap<u64, u64>,
    alike: HashSet<u64>,
}

impl SharedAddresses {
    /// Adds one more article of a feed, if it has an address.
    pub fn add(&mut self, feed: i64, article: &Traits<'_>) {
        let Some(url) = article.canonical_url else { return };
        let address = hash(&(feed, without_scheme(url)));
        if !self.seen.insert(address) {
            self.shared.insert(address);
        }
        let (place, data) = (place(feed, url, article), hash(&identifying(article.digest)));
        if !article.digest.is_empty() && *self.data.entry(place).or_insert(data) != data {
            self.alike.insert(place);
        }
    }

    /// Returns whether articles of the feed differ that have the address, title and date of this one.
    #[must_use]
    pub fn is_alike(&self, feed: i64, article: &Traits<'_>) -> bool {
        article.canonical_url.is_some_and(|url| self.alike.contains(&place(feed, url, article)))
    }

    /// Returns whether several articles of the feed have this address.
    #[must_use]
    pub fn contains(&self, feed: i64, canonical_url: &str) -> bool {
        self.shared.contains(&hash(&(feed, without_scheme(canonical_url))))
    }
}

fn place(feed: i64, canonical_url: &str, article: &Traits<'_>) -> u64 {
    hash(&(feed, without_scheme(canonical_url), article.title, article.published_at.map(second)))
}

/// Number of articles with the same address, title and date, and of those without a date, that are compared with an article.
const COMPARED: usize = 200;

/// The articles of a feed, by their addresses. Used for articles of another copy of the feed whose keys it does not have.
#[derive(Debug)]
pub struct Counterparts<'k> {
    at_address: HashMap<&'k str, Vec<&'k KnownItem>>,
    /// In the order of their dates.
    by_title: HashMap<(&'k str, &'k str), Vec<&'k KnownItem>>,
    /// By address, title and digest, in the order of their dates.
    by_data: HashMap<(&'k str, &'k str, &'k [u8]), Vec<&'k KnownItem>>,
}

impl<'k> Counterparts<'k> {
    /// Indexes articles of a feed: all that have one of the addresses.
    pub fn new(items: impl IntoIterator<Item = &'k KnownItem>) -> Self {
        let mut counterparts = Self { at_address: HashMap::new(), by_title: HashMap::new(), by_data: HashMap::new() };
        for item in items {
            if let Some(url) = item.canonical_url.as_deref().map(without_scheme) {
                counterparts.at_address.entry(url).or_default().push(item);
                counterparts.by_title.entry((url, &item.title)).or_default().push(item);
                counterparts.by_data.entry((url, &item.title, identifying(&item.digest))).or_default().push(item);
            }
        }
        for known in counterparts.by_title.values_mut().chain(counterparts.by_data.values_mut()) {
            known.sort_by_key(|item| item.published_at);
        }
        counterparts
    }

    /// Finds an article by its address and its title or date. If several articles of either copy have the address, all three must agree; if
    /// different ones have all three, also their data.
    ///
    /// `is_shared`: whether several articles of its own copy have its address. `taken` contains the ids that were already matched; the id
    /// found is added.
    pub fn find(&self, item: &Traits<'_>, is_shared: bool, taken: &mut HashSet<i64>) -> Option<i64> {
        let url = without_scheme(item.canonical_url?);
        let has_date = |known: &KnownItem| is_near(known.published_at, item.published_at);
        let found = match self.at_address.get(url)?.as_slice() {
            [only] if !is_shared => {
                Some(*only).filter(|known| (known.title == item.title || has_date(known)) && !taken.contains(&known.id))
            }
            _ => {
                let at_date = |known: &[&'k KnownItem]| with_date(known, item.published_at);
                let same_title = at_date(self.by_title.get(&(url, item.title))?);
                let candidates = if item.alike || differ(same_title.iter()) {
                    at_date(self.by_data.get(&(url, item.title, identifying(item.digest)))?)
                } else {
                    same_title
                };
                let free = candidates.into_iter().filter(|known| !taken.contains(&known.id));
                // An article without a date is the last choice.
                free.min_by_key(|known| known.published_at.is_some() != item.published_at.is_some())
            }
        }?;
        taken.insert(found.id);
        Some(found.id)
    }
}

/// Returns the articles that may have this date, including those without one. The articles are in the order of their dates.
fn with_date<'k>(known: &[&'k KnownItem], date: Option<Millis>) -> Vec<&'k KnownItem> {
    let Some(date) = date else { return known.iter().take(COMPARED).copied().collect() };
    let undated = known.partition_point(|item| item.published_at.is_none());
    let near = known.partition_point(|item| item.published_at.is_none_or(|at| at <= date.saturating_sub(1000)));
    let near = known[near..].iter().take_while(|item| is_near(item.published_at, Some(date)));
    known[..undated].iter().take(COMPARED).chain(near.take(COMPARED)).copied().collect()
}

/// Whether the data of articles differ. Those whose data are unknown do not.
fn differ<'a>(articles: impl Iterator<Item = &'a &'a KnownItem>) -> bool {
    let mut digests = articles.map(|article| identifying(&article.digest)).filter(|digest| !digest.is_empty());
    digests.next().is_some_and(|first| digests.any(|digest| digest != first))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: &str = "https://a.example/";

    fn item(id: i64, url: &str, title: &str, published_at: Option<Millis>) -> KnownItem {
        let (canonical_url, title) = (Some(url.to_owned()), title.to_owned());
        KnownItem { id, key: id.to_string(), canonical_url, title, published_at, digest: Vec::new(), gone: None }
    }

    /// Finds the counterparts of articles with other keys.
    fn found(known: &[KnownItem], sought: &[KnownItem]) -> Vec<Option<i64>> {
        let mut shared = SharedAddresses::default();
        sought.iter().for_each(|item| shared.add(1, &item.traits()));
        let (counterparts, mut taken) = (Counterparts::new(known), HashSet::new());
        let find = |item: &KnownItem| {
            let traits = Traits { alike: shared.is_alike(1, &item.traits()), ..item.traits() };
            let is_shared = item.canonical_url.as_deref().is_some_and(|url| shared.contains(1, url));
            counterparts.find(&traits, is_shared, &mut taken)
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
    fn articles_that_differ_only_by_their_data_stay_apart() {
        let alert = |id, digest: u8| KnownItem { digest: vec![digest], ..item(id, HOME, "Alert", Some(2_000)) };
        let known = [alert(1, 1), alert(2, 2)];
        assert_eq!(found(&known, &[alert(3, 2), alert(4, 3), alert(5, 1)]), [Some(2), None, Some(1)]);
        // Also where one copy has only one of them.
        assert_eq!(found(&known, &[alert(3, 3)]), [None]);
        assert_eq!(found(&known[..1], &[alert(3, 2), alert(4, 3)]), [None; 2]);
        // Only one of them was edited.
        assert_eq!(found(&known[..1], &[alert(3, 2)]), [Some(1)]);
    }

    #[test]
    fn no_two_articles_are_the_same_one() {
        let alert = |id, published_at| item(id, HOME, "Alert", published_at);
        let known = [alert(1, None), alert(2, Some(2_000))];
        let sought = [alert(3, Some(2_000)), alert(4, Some(2_000)), alert(5, Some(2_000))];
        assert_eq!(found(&known, &sought), [Some(2), Some(1), None]);
    }

    #[test]
    fn thousands_of_articles_at_one_address_take_linear_time() {
        for (one_date, one_digest) in [(None, true), (Some(true), true), (Some(false), true), (Some(true), false)] {
            let copy = |items: i64, first: i64| -> Vec<KnownItem> {
                let date = |at| one_date.map(|one| if one { 2_000 } else { 100_000 * at });
                let digest = |at: i64| if one_digest { vec![1] } else { at.to_le_bytes().to_vec() };
                (0..items)
                    .map(|at| KnownItem { digest: digest(at), ..item(first + at, HOME, "Alert", date(at)) })
                    .collect()
            };
            let copies = |items: usize| {
                let items = i64::try_from(items).unwrap_or_default();
                (copy(items, 1), copy(items, 1 + items))
            };
            gleaner_cpu_time::assert_linear("articles at one address", 1_000, copies, |(known, sought)| {
                assert!(found(known, sought).iter().take(COMPARED).all(Option::is_some));
            });
        }
    }
}
