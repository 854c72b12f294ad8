//! Recognises items among those that the library has.

use crate::{Millis, identifying};
use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash},
    sync::OnceLock,
};

/// Time between the publication of two items with the same id above which they may be different articles, in milliseconds.
const ANOTHER: Millis = 36 * 3_600_000;

/// Maximum number of known items that an item is compared with for each of these: the same address, title and date; the same title, date
/// and last part of the address; ids that are spellings of the same address. More of them differ only by their ids.
const COMPARED: usize = 64;

/// Maximum length of a key, in bytes. The library stores each key twice.
pub(crate) const MAX_KEY: usize = 64 << 10;

/// The data by which an item is recognised.
#[derive(Debug, Clone, Copy, Default)]
pub struct Traits<'a> {
    /// Identity within the feed.
    pub key: &'a str,
    /// Address as the feed gives it.
    pub url: Option<&'a str>,
    /// Canonical form of the address.
    pub canonical_url: Option<&'a str>,
    /// Plain text; may be empty.
    pub title: &'a str,
    /// Publication date as the feed gives it.
    pub published_at: Option<Millis>,
    /// Digest of all data that users see; an empty one identifies nothing.
    pub digest: &'a [u8],
    /// Whether items of its document differ that have its address and date, or its title and date.
    pub shared: bool,
    /// Whether items of its document differ that have its address, title and date: only its id, or all of its data, identify it.
    pub alike: bool,
}

/// An item that the library has, or a tombstone of one that was deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownItem {
    /// The item's id in the library; meaningless for a tombstone.
    pub id: i64,
    /// Identity within the feed.
    pub key: String,
    /// Canonical form of the address.
    pub canonical_url: Option<String>,
    /// Plain text.
    pub title: String,
    /// Publication date as the feed gave it.
    pub published_at: Option<Millis>,
    /// Digest of all data that users see.
    pub digest: Vec<u8>,
    /// For a tombstone: when the feed was last seen to contain the item. A deleted item is not added again.
    pub gone: Option<Millis>,
}

impl KnownItem {
    /// Returns the data by which it is recognised in another copy of its feed.
    #[must_use]
    pub fn traits(&self) -> Traits<'_> {
        Traits {
            key: &self.key,
            canonical_url: self.canonical_url.as_deref(),
            title: &self.title,
            published_at: self.published_at,
            digest: &self.digest,
            ..Traits::default()
        }
    }
}

/// The result of recognising an item: its key and the known item.
#[derive(Debug)]
pub struct Match<'k> {
    /// The item's identity from now on.
    pub key: String,
    /// The known item; `None` for a new one.
    pub before: Option<&'k KnownItem>,
}

/// The known items of one feed, indexed by all data by which a received item can be recognised.
#[derive(Debug, Default)]
pub struct Known {
    items: Vec<KnownItem>,
    by_id: HashMap<i64, usize>,
    by_key: HashMap<String, usize>,
    /// In the order of their dates: thousands of items may have one address.
    by_url: HashMap<String, Vec<usize>>,
    /// By the hash of address and title, in the order of their dates.
    by_url_and_title: HashMap<u64, Vec<usize>>,
    /// By the hash of title and second of the date.
    by_title_and_date: HashMap<u64, Vec<usize>>,
    /// By the hash of title, second of the date, and last part of the address.
    by_title_date_and_last: HashMap<u64, Vec<usize>>,
    by_digest: HashMap<Vec<u8>, usize>,
    /// Items that are never matched, but show which properties identify the others.
    hidden: HashSet<usize>,
    /// Those whose ids are their addresses. Only needed for items with new ids.
    by_own_address: OnceLock<HashMap<OwnAddress, Vec<usize>>>,
}

/// An id that is an item's address: its canonical form without the scheme, and its fragment, which canonical addresses lack. So it has all
/// its spellings: `http` and `https`, with and without a slash at the end or parameters that track readers.
type OwnAddress = (String, Option<String>);

impl Known {
    /// Indexes the known items of a feed.
    #[must_use]
    pub fn new(mut items: Vec<KnownItem>) -> Self {
        let mut known = Self::default();
        for (at, item) in items.iter_mut().enumerate() {
            if item.gone.is_some() {
                // Tombstones have no ids; here they get different negative ones.
                item.id = -1 - i64::try_from(at).unwrap_or(0);
            }
            known.by_id.insert(item.id, at);
            // Items take precedence over tombstones.
            if item.gone.is_none() || !known.by_key.contains_key(&item.key) {
                known.by_key.insert(item.key.clone(), at);
            }
            if let Some(url) = &item.canonical_url {
                known.by_url.entry(without_scheme(url).to_owned()).or_default().push(at);
                known.by_url_and_title.entry(hash(&(without_scheme(url), &item.title))).or_default().push(at);
            }
            if let Some(date) = item.published_at {
                known.by_title_and_date.entry(hash(&(&item.title, second(date)))).or_default().push(at);
                if let Some(last) = last_part(item.canonical_url.as_deref()) {
                    let place = hash(&(&item.title, second(date), last));
                    known.by_title_date_and_last.entry(place).or_default().push(at);
                }
            }
            let digest = identifying(&item.digest);
            if !digest.is_empty() && (item.gone.is_none() || !known.by_digest.contains_key(digest)) {
                known.by_digest.insert(digest.to_vec(), at);
            }
        }
        for places in known.by_url.values_mut().chain(known.by_url_and_title.values_mut()) {
            places.sort_by_key(|at| items[*at].published_at);
        }
        Self { items, ..known }
    }

    /// Hides all items but these: no item is recognised as one of the others.
    #[must_use]
    pub fn only(mut self, visible: impl Fn(&KnownItem) -> bool) -> Self {
        self.hidden = (0..self.items.len()).filter(|at| !visible(&self.items[*at])).collect();
        self
    }

    fn is_visible(&self, at: usize) -> bool {
        !self.hidden.contains(&at)
    }

    /// Returns the item with this id.
    #[must_use]
    pub fn by_id(&self, id: i64) -> Option<&KnownItem> {
        self.by_id.get(&id).filter(|at| self.is_visible(**at)).map(|at| &self.items[*at])
    }

    /// Returns the item or tombstone with this key.
    #[must_use]
    pub fn by_key(&self, key: &str) -> Option<&KnownItem> {
        self.by_key.get(key).filter(|at| self.is_visible(**at)).map(|at| &self.items[*at])
    }

    /// Recognises one item of a document: by key, then by address and date, then by title and date, then by digest.
    ///
    /// `still_there` contains the keys of all items of the document: a known item that the document still contains under its own key
    /// is a different item. `taken` contains the ids of the known items recognised so far; this one's id is added.
    pub fn recognise(&self, item: &Traits<'_>, still_there: &HashSet<&str>, taken: &mut HashSet<i64>) -> Match<'_> {
        let found = match self.by_key(item.key) {
            // The feed reuses an id for another article. The article that had this id stays unchanged.
            Some(before) if is_another(before, item) => {
                let key = disambiguated_key(item.key, item.url, item.title);
                let before = self.by_key(&key);
                Match { key, before }
            }
            Some(before) => Match { key: item.key.to_owned(), before: Some(before) },
            None => {
                let renamed = self.renamed(item, still_there).filter(|known| !taken.contains(&known.id));
                Match { key: item.key.to_owned(), before: renamed }
            }
        };
        taken.extend(found.before.map(|before| before.id));
        found
    }

    /// Returns the items and tombstones with the address and title of an item; on a page of several, with its date, too.
    pub(crate) fn at_place(&self, item: &Traits<'_>) -> impl Iterator<Item = &KnownItem> {
        let url = item.canonical_url.map(without_scheme);
        let places = url.and_then(|url| self.by_url_and_title.get(&hash(&(url, item.title))));
        let mut places = places.map_or(&[][..], Vec::as_slice);
        if is_position_on_page(item.key) {
            places = self.with_date(places, item.published_at);
        }
        let known = places.iter().map(|at| &self.items[*at]);
        known
            .filter(move |known| known.title == item.title && known.canonical_url.as_deref().map(without_scheme) == url)
    }

    /// Finds an item with a new id under its former id. One of these must be true: the address and date are the same; the id is another
    /// spelling of the address; the title and date are the same at another address, as when a site moves; or all but the id is the same. If
    /// several items have the same address and date, their titles decide; if several have the same title and date, the last parts of their
    /// addresses decide. If several have the same address, title and date, only their ids and all of their data distinguish them.
    fn renamed(&self, item: &Traits<'_>, still_there: &HashSet<&str>) -> Option<&KnownItem> {
        let url = item.canonical_url.map(without_scheme);
        let at_url = url.and_then(|url| self.by_url.get(url)).map_or(&[][..], Vec::as_slice);
        let at_place = item.published_at.map_or(&[][..], |date| self.near(at_url, date));
        let same_title = url.and_then(|url| self.by_url_and_title.get(&hash(&(url, item.title))));
        let same_title = self.with_date(same_title.map_or(&[][..], Vec::as_slice), item.published_at);
        let same_title = same_title.iter().take(COMPARED).filter(|at| {
            let known = &self.items[**at];
            known.title == item.title && known.canonical_url.as_deref().map(without_scheme) == url
        });
        let is_alike = item.alike || self.differ(same_title.clone());
        let is_shared = is_alike || item.shared || at_place.len() > 1;
        let same_url = (!is_alike)
            .then_some(same_title)
            .into_iter()
            .flatten()
            .chain((!is_shared).then_some(at_place).into_iter().flatten());
        let same_id = own_address(item.key, item.canonical_url).and_then(|own| self.by_own_address().get(&own));
        let same_id = same_id.into_iter().flatten().take(COMPARED);
        let same_date = if is_alike { None } else { self.at_date(item) };
        same_url
            .chain(same_id)
            .chain(same_date)
            .chain(self.by_digest.get(identifying(item.digest)))
            .filter(|at| self.is_visible(**at))
            .map(|at| &self.items[*at])
            .find(|known| !still_there.contains(known.key.as_str()))
    }

    /// Returns the items that may have this date: those with it, or else those without a date. If the date is unknown, all items may have
    /// it. The items are in the order of their dates.
    fn with_date<'a>(&self, places: &'a [usize], date: Option<Millis>) -> &'a [usize] {
        let Some(date) = date else { return places };
        let near = self.near(places, date);
        let undated = places.partition_point(|at| self.items[*at].published_at.is_none());
        if near.is_empty() { &places[..undated] } else { near }
    }

    /// Returns those of the items, which are in the order of their dates, that are dated within a second of this.
    fn near<'a>(&self, places: &'a [usize], date: Millis) -> &'a [usize] {
        let before = |at: &usize| self.items[*at].published_at.is_none_or(|known| known <= date.saturating_sub(1000));
        let until = |at: &usize| self.items[*at].published_at.is_none_or(|known| known < date.saturating_add(1000));
        &places[places.partition_point(before)..places.partition_point(until)]
    }

    /// Whether the data of items differ. Those whose data are unknown do not.
    fn differ<'a>(&self, places: impl Iterator<Item = &'a usize>) -> bool {
        let mut digests = places.map(|at| identifying(&self.items[*at].digest)).filter(|digest| !digest.is_empty());
        digests.next().is_some_and(|first| digests.any(|digest| digest != first))
    }

    /// Returns the item with this title and date, and with the last part of this address where several have these.
    fn at_date(&self, item: &Traits<'_>) -> Option<&usize> {
        let (title, date) = (item.title, item.published_at.filter(|_| !item.title.is_empty())?);
        let is_it = |at: &&usize| {
            let known = &self.items[**at];
            known.title == title && known.published_at.is_some_and(|known| is_same_moment((known, date)))
        };
        let mut all = self.by_title_and_date.get(&hash(&(title, second(date))))?.iter().filter(is_it);
        let first = all.next();
        if !item.shared && all.next().is_none() {
            return first;
        }
        let last = last_part(item.canonical_url)?;
        let at_last = self.by_title_date_and_last.get(&hash(&(title, second(date), last)))?.iter().take(COMPARED);
        let mut at_last =
            at_last.filter(is_it).filter(|at| last_part(self.items[**at].canonical_url.as_deref()) == Some(last));
        let only = at_last.next();
        only.filter(|_| at_last.next().is_none())
    }

    fn by_own_address(&self) -> &HashMap<OwnAddress, Vec<usize>> {
        self.by_own_address.get_or_init(|| {
            let mut index: HashMap<OwnAddress, Vec<usize>> = HashMap::new();
            for (at, item) in self.items.iter().enumerate() {
                if let Some(own) = own_address(&item.key, item.canonical_url.as_deref()) {
                    index.entry(own).or_default().push(at);
                }
            }
            index
        })
    }
}

pub(crate) fn hash(value: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

pub(crate) fn second(date: Millis) -> i64 {
    date.div_euclid(1000)
}

/// Whether two dates may be the same. Imported items may lack the fraction of the date, or the date.
pub(crate) fn is_near(one: Option<Millis>, other: Option<Millis>) -> bool {
    one.zip(other).is_none_or(|(one, other)| (one - other).abs() < 1000)
}

/// Whether two dates are the same. A server or an import may give one of them without its fraction.
fn is_same_moment((one, other): (Millis, Millis)) -> bool {
    one == other || (second(one) == second(other) && [one, other].iter().any(|date| date.rem_euclid(1000) == 0))
}

/// Returns the last part of an address, which stays when a site moves.
fn last_part(url: Option<&str>) -> Option<&str> {
    url?.trim_end_matches('/').rsplit('/').next()
}

/// Returns an item's id as its address, if it is that.
fn own_address(key: &str, canonical: Option<&str>) -> Option<OwnAddress> {
    let canonical = canonical?;
    let is_own = !key.contains('\n') && gleaner_content::canonical_url(key).as_deref() == Some(canonical);
    is_own.then(|| {
        let fragment = key.split_once('#').map(|(_, fragment)| fragment.to_owned());
        (without_scheme(canonical).to_owned(), fragment)
    })
}

/// Whether an item with a known id is a different article: other address, other title, published long before or after.
fn is_another(before: &KnownItem, item: &Traits<'_>) -> bool {
    let far = before.published_at.zip(item.published_at).is_some_and(|(a, b)| (a - b).abs() > ANOTHER);
    far && item.canonical_url.is_some()
        && before.canonical_url.is_some()
        && before.canonical_url.as_deref() != item.canonical_url
        && before.title != item.title
}

/// Whether an article of another copy of a feed differs from the article that has its key here. The ids of some feeds are positions, such
/// as `1` or `page#1`, which belong to other articles in each document. Both title and date differ, and address, too, unless the key is a
/// position on a page; with a key that is not a position the dates differ by days.
#[must_use]
pub fn is_other_with_key(known: &KnownItem, item: &Traits<'_>) -> bool {
    let same_date = is_near(known.published_at, item.published_at);
    if known.title == item.title || same_date || is_position_on_page(item.key) {
        return known.title != item.title && !same_date;
    }
    let urls = known.canonical_url.as_deref().zip(item.canonical_url);
    let is_moved = urls.is_some_and(|(one, other)| without_scheme(one) != without_scheme(other));
    is_moved && (is_position(item.key) || is_another(known, item))
}

/// Whether a key may be the position of an item in its document.
fn is_position(key: &str) -> bool {
    (1..=3).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a key is an address with the position of an item there.
pub(crate) fn is_position_on_page(key: &str) -> bool {
    key.rsplit_once('#').is_some_and(|(_, fragment)| is_position(fragment))
}

/// Returns a key that distinguishes items with the same id.
#[must_use]
pub fn disambiguated_key(id: &str, url: Option<&str>, title: &str) -> String {
    short_key(&format!("{id}\n{}\n{title}", url.unwrap_or("")))
}

/// Returns an id as a key; an excessively long one is replaced with its digest.
pub(crate) fn short_key(id: &str) -> String {
    if id.len() <= MAX_KEY { id.to_owned() } else { blake3::hash(id.as_bytes()).to_hex().to_string() }
}

/// Returns an address without its scheme. Otherwise all items of a site that switches to https would be new.
pub(crate) fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

#[cfg(test)]
mod tests;
