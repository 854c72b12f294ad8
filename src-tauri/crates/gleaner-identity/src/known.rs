use crate::Millis;
use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher as _},
    sync::OnceLock,
};

/// Time between the publication of two items with the same id above which they may be different articles, in milliseconds.
const ANOTHER: Millis = 36 * 3_600_000;

/// Maximum length of a key, in bytes. The library stores each key twice.
pub(crate) const LONGEST_KEY: usize = 64 << 10;

/// The data by which an item is recognized.
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

/// The result of recognizing an item: its key and the known item.
#[derive(Debug)]
pub struct Match<'k> {
    /// The item's identity from now on.
    pub key: String,
    /// The known item; `None` for a new one.
    pub before: Option<&'k KnownItem>,
}

/// The known items of one feed, indexed by all data by which a received item can be recognized.
#[derive(Debug, Default)]
pub struct Known {
    items: Vec<KnownItem>,
    by_id: HashMap<i64, usize>,
    by_key: HashMap<String, usize>,
    by_url: HashMap<String, Vec<usize>>,
    /// By the hash of address and title: thousands of items may have one address.
    by_url_and_title: HashMap<u64, Vec<usize>>,
    /// By the hash of title and second of the date, for the same reason.
    by_title_and_date: HashMap<u64, Vec<usize>>,
    by_digest: HashMap<Vec<u8>, usize>,
    /// Those that no item is recognized as, but that show what identifies the others.
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
            }
            let identifies = !item.digest.is_empty();
            if identifies && (item.gone.is_none() || !known.by_digest.contains_key(&item.digest)) {
                known.by_digest.insert(item.digest.clone(), at);
            }
        }
        Self { items, ..known }
    }

    /// Hides all items but these: no item is recognized as one of the others.
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

    /// Recognizes one item of a document: by key, then by address and date, then by title and date, then by digest.
    ///
    /// `still_there` contains the keys of all items of the document: a known item that the document still contains under its own key
    /// is a different item. `taken` contains the ids of the known items recognized so far; this one's id is added.
    pub fn recognize(&self, item: &Traits<'_>, still_there: &HashSet<&str>, taken: &mut HashSet<i64>) -> Match<'_> {
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

    /// Returns the items and tombstones with the address of an item.
    pub(crate) fn at_address(&self, item: &Traits<'_>) -> impl Iterator<Item = &KnownItem> + Clone {
        let at_address = item.canonical_url.and_then(|url| self.by_url.get(without_scheme(url)));
        at_address.into_iter().flatten().map(|at| &self.items[*at])
    }

    /// Finds an item with a new id under its former id: same address and date; or an id that is another spelling of the address; or same
    /// title and date at another address, as when a site moves; or identical in everything but the id. Where several items have the same
    /// address and date, they differ by their titles; where several have the same title and date, by the last part of their addresses.
    fn renamed(&self, item: &Traits<'_>, still_there: &HashSet<&str>) -> Option<&KnownItem> {
        let same_url = item.canonical_url.iter().filter_map(|url| self.by_url.get(without_scheme(url))).flatten();
        let is_near = |known: &KnownItem| is_near(known.published_at, item.published_at);
        let has_dates = |known: &KnownItem| known.published_at.is_some() && item.published_at.is_some();
        let at_place = same_url.filter(|at| has_dates(&self.items[**at]) && is_near(&self.items[**at]));
        let is_shared = item.shared || at_place.clone().nth(1).is_some();
        let url = item.canonical_url.map(without_scheme);
        let same_title = url.and_then(|url| self.by_url_and_title.get(&hash(&(url, item.title))));
        let same_title = same_title.into_iter().flatten().filter(|at| {
            let known = &self.items[**at];
            known.title == item.title && known.canonical_url.as_deref().map(without_scheme) == url && is_near(known)
        });
        let same_url = same_title.chain((!is_shared).then_some(at_place).into_iter().flatten());
        let same_id = own_address(item.key, item.canonical_url).and_then(|own| self.by_own_address().get(&own));
        let same_date = item
            .published_at
            .iter()
            .filter_map(|date| self.by_title_and_date.get(&hash(&(item.title, second(*date)))))
            .flatten()
            .filter(|at| !item.title.is_empty() && self.items[**at].title == item.title)
            .filter(|at| self.items[**at].published_at.zip(item.published_at).is_some_and(is_same_moment));
        let is_shared = item.shared || same_date.clone().nth(1).is_some();
        let last = last_part(item.canonical_url);
        let same_date = same_date
            .filter(|at| !is_shared || last.is_some() && last_part(self.items[**at].canonical_url.as_deref()) == last);
        same_url
            .chain(same_id.into_iter().flatten())
            .chain(same_date)
            .chain(self.by_digest.get(item.digest))
            .filter(|at| self.is_visible(**at))
            .map(|at| &self.items[*at])
            .find(|known| !still_there.contains(known.key.as_str()))
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

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn second(date: Millis) -> i64 {
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

/// Returns a key that distinguishes items with the same id.
pub(crate) fn disambiguated_key(id: &str, url: Option<&str>, title: &str) -> String {
    short_key(&format!("{id}\n{}\n{title}", url.unwrap_or("")))
}

/// Returns an id as a key; one that is longer than any honest feed's is replaced by its digest.
pub(crate) fn short_key(id: &str) -> String {
    if id.len() <= LONGEST_KEY { id.to_owned() } else { blake3::hash(id.as_bytes()).to_hex().to_string() }
}

/// Returns an address without its scheme. Otherwise all items of a site that switches to https would be new.
pub(crate) fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_of_items_with_one_address_and_date_take_linear_time() {
        let known = |items: usize| {
            let item = |id: usize| KnownItem {
                id: i64::try_from(id).unwrap_or(0),
                key: format!("former {id}"),
                canonical_url: Some("https://a.example/".to_owned()),
                title: format!("Warning {id}"),
                published_at: Some(5_000),
                digest: Vec::new(),
                gone: None,
            };
            (items, Known::new((0..items).map(item).collect()))
        };
        gleaner_cpu_time::assert_linear("items with one address and date", 2_000, known, |(items, known)| {
            let mut taken = HashSet::new();
            for id in 0..*items {
                let (key, title) = (format!("new {id}"), format!("Notice {id}"));
                let item = Traits {
                    key: &key,
                    title: &title,
                    canonical_url: Some("https://a.example/"),
                    published_at: Some(5_000),
                    ..Traits::default()
                };
                assert!(known.recognize(&item, &HashSet::new(), &mut taken).before.is_none());
            }
        });
    }

    #[test]
    fn the_same_date_may_lack_its_fraction() {
        let item = |id, published_at| KnownItem {
            id,
            key: id.to_string(),
            canonical_url: None,
            title: "One".to_owned(),
            published_at: Some(published_at),
            digest: Vec::new(),
            gone: None,
        };
        let known = Known::new(vec![item(1, 5_250), item(2, 7_000)]);
        for (published_at, found) in
            [(5_250, Some(1)), (5_000, Some(1)), (5_300, None), (6_000, None), (7_999, Some(2)), (8_000, None)]
        {
            let traits = Traits { key: "new", title: "One", published_at: Some(published_at), ..Traits::default() };
            let before = known.recognize(&traits, &HashSet::new(), &mut HashSet::new()).before;
            assert_eq!(before.map(|item| item.id), found, "{published_at}");
        }
    }
}
