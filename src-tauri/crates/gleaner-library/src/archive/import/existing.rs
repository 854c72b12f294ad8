//! Finds the articles of an archive that the library has.

use crate::{KnownItem, LibraryError, Millis, archive::records::ItemRecord, json::json};
use gleaner_identity::{Counterparts, SharedAddresses, Traits, addresses};
use sqlx::SqliteConnection;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher},
};

/// What finding the articles of an archive in the library needs to know about all of them.
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
    /// Adds an article of the archive: the number of its feed there, its key and its canonical address. Before any of them is looked up.
    pub fn add(&mut self, feed: i64, key: &str, canonical_url: Option<&str>) {
        self.keys.insert(hash(feed, key));
        if let Some(url) = canonical_url {
            self.shared.add(feed, url);
        }
    }
}

fn hash(feed: i64, key: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((feed, key))
}

const BY_KEY: &str = "SELECT j.key, i.id FROM json_each(?) j
     CROSS JOIN items i ON i.feed_id = j.value ->> '$[0]' AND i.key = j.value ->> '$[1]'";

const BY_ADDRESS: &str = "SELECT i.feed_id, i.id, i.key, i.canonical_url, i.title, i.published_at FROM json_each(?) j
     CROSS JOIN items i ON i.canonical_url = j.value ->> '$[1]' AND i.feed_id = j.value ->> '$[0]'";

type AddressRow = (i64, i64, String, Option<String>, String, Option<Millis>);

/// Returns the library's ids of articles of an archive, each with the library's id of its feed: by key, else by address.
pub(super) async fn existing(
    connection: &mut SqliteConnection,
    lookup: &mut ArchiveLookup,
    items: &[(i64, &ItemRecord)],
) -> Result<Vec<Option<i64>>, LibraryError> {
    let mut existing = vec![None; items.len()];
    let keys: Vec<(i64, &str)> = items.iter().map(|(feed, item)| (*feed, item.key.as_str())).collect();
    let by_key: Vec<(i64, i64)> = sqlx::query_as(BY_KEY).bind(json(&keys)?).fetch_all(&mut *connection).await?;
    for (at, id) in by_key {
        if let Some(found) = usize::try_from(at).ok().and_then(|at| existing.get_mut(at)) {
            *found = Some(id);
            lookup.found.insert(id);
        }
    }
    let others = || items.iter().enumerate().filter(|(at, _)| existing[*at].is_none());
    let places: BTreeSet<(i64, String)> = others()
        .flat_map(|(_, (feed, item))| {
            addresses(item.canonical_url.as_deref().into_iter()).into_iter().map(|url| (*feed, url))
        })
        .collect();
    if places.is_empty() {
        return Ok(existing);
    }
    let rows: Vec<AddressRow> = sqlx::query_as(BY_ADDRESS).bind(json(&places)?).fetch_all(connection).await?;
    let mut at_addresses: HashMap<i64, Vec<KnownItem>> = HashMap::new();
    let numbers: BTreeSet<(i64, i64)> = items.iter().map(|(feed, item)| (*feed, item.feed)).collect();
    for (feed, id, key, canonical_url, title, published_at) in rows {
        // The archive has this one under its own key, perhaps in a later batch.
        let mut of_feed = numbers.range((feed, i64::MIN)..=(feed, i64::MAX));
        if of_feed.any(|(_, number)| lookup.keys.contains(&hash(*number, &key))) {
            lookup.found.insert(id);
        }
        let item = KnownItem { id, key, canonical_url, title, published_at, digest: Vec::new(), gone: None };
        at_addresses.entry(feed).or_default().push(item);
    }
    let feeds: HashMap<i64, Counterparts<'_>> =
        at_addresses.iter().map(|(feed, items)| (*feed, Counterparts::new(items))).collect();
    let found: Vec<(usize, i64)> = others()
        .filter_map(|(at, (feed, item))| {
            let canonical_url = item.canonical_url.as_deref()?;
            let traits = Traits {
                key: &item.key,
                canonical_url: Some(canonical_url),
                title: &item.title,
                published_at: item.published_at,
                ..Traits::default()
            };
            let is_shared = lookup.shared.contains(item.feed, canonical_url);
            Some((at, feeds.get(feed)?.find(&traits, is_shared, &mut lookup.found)?))
        })
        .collect();
    found.into_iter().for_each(|(at, id)| existing[at] = Some(id));
    Ok(existing)
}
