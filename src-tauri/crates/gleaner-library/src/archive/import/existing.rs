//! Finds the articles of an archive that the library has.

use crate::{KnownItem, LibraryError, Millis, archive::records::ItemRecord, json::json};
use gleaner_identity::{Counterparts, SharedAddresses, Traits, addresses, disambiguated_key, is_other_with_key};
use sqlx::SqliteConnection;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher},
};

/// Data about all articles of an archive that is needed to find them in the library.
#[derive(Debug, Default)]
pub struct ArchiveLookup {
    /// By the archive's numbers of feeds.
    shared: SharedAddresses,
    /// Hashes of the archive's numbers of feeds and its keys.
    keys: HashSet<u64>,
    /// Articles of the library that are in the archive.
    pub(super) found: HashSet<i64>,
}

impl ArchiveLookup {
    /// Adds an article of the archive: the number of its feed there, and what identifies it. Before any of them is looked up.
    pub fn add(&mut self, feed: i64, article: &Traits<'_>) {
        self.keys.insert(hash(feed, article.key));
        self.shared.add(feed, article);
    }
}

/// What the library has of an article of an archive.
#[derive(Debug, Default)]
pub(super) struct Existing {
    /// The article.
    pub(super) id: Option<i64>,
    /// The article's key in the library, if another article has its own key there.
    pub(super) key: Option<String>,
}

/// Returns the bytes of a hexadecimal digest.
pub(super) fn bytes_of(digits: &str) -> Vec<u8> {
    let digit = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len() / 2).filter_map(|pair| digit(2 * pair)).collect()
}

fn hash(feed: i64, key: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((feed, key))
}

/// Number of articles of a feed with one address that are looked up.
const AT_ONE_ADDRESS: i64 = 5000;

/// Feed or place in the list, and what identifies an article.
type Row = (i64, i64, String, Option<String>, String, Option<Millis>, Vec<u8>);

const BY_KEY: &str = "SELECT j.key, i.id, i.key, i.canonical_url, i.title, i.published_at, i.digest FROM json_each(?) j
     CROSS JOIN items i ON i.feed_id = j.value ->> '$[0]' AND i.key = j.value ->> '$[1]'";

/// The oldest ones: those that the library had before the import.
const BY_ADDRESS: &str =
    "SELECT i.feed_id, i.id, i.key, i.canonical_url, i.title, i.published_at, i.digest FROM json_each(?1) j
     CROSS JOIN items i ON i.id IN (
        SELECT id FROM items WHERE canonical_url = j.value ->> '$[1]' AND feed_id = j.value ->> '$[0]' ORDER BY id LIMIT ?2)";

fn known((first, id, key, canonical_url, title, published_at, digest): Row) -> (i64, KnownItem) {
    (first, KnownItem { id, key, canonical_url, title, published_at, digest, gone: None })
}

/// Reads the articles with these keys, each with its place in the list.
async fn by_key(
    connection: &mut SqliteConnection,
    keys: &[(i64, &str)],
) -> Result<Vec<(usize, KnownItem)>, LibraryError> {
    let rows: Vec<Row> = sqlx::query_as(BY_KEY).bind(json(keys)?).fetch_all(connection).await?;
    Ok(rows.into_iter().map(known).filter_map(|(at, item)| Some((usize::try_from(at).ok()?, item))).collect())
}

/// Returns the library's counterparts of articles of an archive, each with the library's id of its feed: by key, or else by address.
pub(super) async fn existing(
    connection: &mut SqliteConnection,
    lookup: &mut ArchiveLookup,
    items: &[(i64, &ItemRecord)],
) -> Result<Vec<Existing>, LibraryError> {
    let digests: Vec<Vec<u8>> = items.iter().map(|(_, item)| bytes_of(&item.digest)).collect();
    let traits = |at: usize| {
        let (item, digest) = (items.get(at)?.1, digests.get(at)?);
        Some(Traits {
            key: &item.key,
            url: item.url.as_deref(),
            canonical_url: item.canonical_url.as_deref(),
            title: &item.title,
            published_at: item.published_at,
            digest,
            ..Traits::default()
        })
    };
    let mut existing: Vec<Existing> = items.iter().map(|_| Existing::default()).collect();
    let keys: Vec<(i64, &str)> = items.iter().map(|(feed, item)| (*feed, item.key.as_str())).collect();
    let mut others: Vec<usize> = Vec::new();
    for (at, known) in by_key(&mut *connection, &keys).await? {
        let Some(item) = traits(at) else { continue };
        if is_other_with_key(&known, &item) {
            existing[at].key = Some(disambiguated_key(item.key, item.url, item.title));
            others.push(at);
        } else {
            existing[at].id = Some(known.id);
            lookup.found.insert(known.id);
        }
    }
    let keys: Vec<(i64, &str)> =
        others.iter().filter_map(|at| Some((items[*at].0, existing[*at].key.as_deref()?))).collect();
    for (at, known) in by_key(&mut *connection, &keys).await? {
        if let Some(at) = others.get(at) {
            existing[*at].id = Some(known.id);
            lookup.found.insert(known.id);
        }
    }
    let others = || items.iter().enumerate().filter(|(at, _)| existing[*at].id.is_none());
    let places: BTreeSet<(i64, String)> = others()
        .flat_map(|(_, (feed, item))| {
            addresses(item.canonical_url.as_deref().into_iter()).into_iter().map(|url| (*feed, url))
        })
        .collect();
    if places.is_empty() {
        return Ok(existing);
    }
    let rows: Vec<Row> =
        sqlx::query_as(BY_ADDRESS).bind(json(&places)?).bind(AT_ONE_ADDRESS).fetch_all(connection).await?;
    let mut at_addresses: HashMap<i64, Vec<KnownItem>> = HashMap::new();
    let numbers: BTreeSet<(i64, i64)> = items.iter().map(|(feed, item)| (*feed, item.feed)).collect();
    for (feed, item) in rows.into_iter().map(known) {
        // The archive has this one under its own key, perhaps in a later batch.
        let mut of_feed = numbers.range((feed, i64::MIN)..=(feed, i64::MAX));
        if of_feed.any(|(_, number)| lookup.keys.contains(&hash(*number, &item.key))) {
            lookup.found.insert(item.id);
        }
        at_addresses.entry(feed).or_default().push(item);
    }
    let feeds: HashMap<i64, Counterparts<'_>> =
        at_addresses.iter().map(|(feed, items)| (*feed, Counterparts::new(items))).collect();
    let found: Vec<(usize, i64)> = others()
        .filter_map(|(at, (feed, item))| {
            let canonical_url = item.canonical_url.as_deref()?;
            let traits = traits(at)?;
            let traits = Traits { alike: lookup.shared.is_alike(item.feed, &traits), ..traits };
            let is_shared = lookup.shared.contains(item.feed, canonical_url);
            Some((at, feeds.get(feed)?.find(&traits, is_shared, &mut lookup.found)?))
        })
        .collect();
    found.into_iter().for_each(|(at, id)| existing[at].id = Some(id));
    Ok(existing)
}
