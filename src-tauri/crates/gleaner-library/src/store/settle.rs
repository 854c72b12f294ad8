//! Repeats, inside the write transaction, the decisions about items that were made before it: imports, cleanup and other processes may have
//! added, renamed or deleted some in the meantime. Applies to new items and to ids that may have vanished.

use crate::{Intent, KnownItem, LibraryError, Millis, NewItem, json::json};
use gleaner_identity::{Known, Traits, addresses, is_changed, is_cut_off};
use sqlx::SqliteConnection;
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

/// Number of a feed's newest items that a new one is compared with.
const NEIGHBORS: i64 = 200;
/// Number of a feed's newest items with one address, or of one second, that a new one is compared with.
const AT_ONE_PLACE: i64 = 1000;

/// Items of a feed by key or id.
const NAMED: &str = "SELECT id, key, canonical_url, title, published_at, digest, NULL AS gone FROM items WHERE id IN (
        SELECT id FROM items WHERE feed_id = ?1 AND key IN (SELECT value FROM json_each(?2))
        UNION SELECT id FROM items WHERE id IN (SELECT value FROM json_each(?3)) AND feed_id = ?1)";

/// Items of a feed by key, address, id or second of the date, and its newest ones; tombstones by key or address, and the newest ones.
const KNOWN: &str = "SELECT id, key, canonical_url, title, published_at, digest, NULL AS gone FROM items WHERE id IN (
        SELECT id FROM items WHERE feed_id = ?1 AND key IN (SELECT value FROM json_each(?2))
        UNION SELECT i.id FROM (SELECT DISTINCT value FROM json_each(?3)) u CROSS JOIN items i
            ON i.id IN (SELECT id FROM items WHERE canonical_url = u.value AND feed_id = ?1 ORDER BY id DESC LIMIT ?7)
        UNION SELECT id FROM items WHERE id IN (SELECT value FROM json_each(?5)) AND feed_id = ?1
        UNION SELECT i.id FROM (SELECT DISTINCT value / 1000 * 1000 AS second FROM json_each(?6)) d CROSS JOIN items i
            ON i.id IN (SELECT id FROM items WHERE feed_id = ?1 AND sort_at BETWEEN d.second AND d.second + 999
                ORDER BY sort_at DESC, id DESC LIMIT ?7)
        UNION SELECT * FROM (SELECT id FROM items WHERE feed_id = ?1 ORDER BY sort_at DESC, id DESC LIMIT ?4))
     UNION ALL SELECT 0, key, canonical_url, title, published_at, digest, at FROM tombstones WHERE feed_id = ?1 AND key IN (
        SELECT value FROM json_each(?2)
        UNION SELECT key FROM tombstones WHERE canonical_url IN (SELECT value FROM json_each(?3)) AND feed_id = ?1
        UNION SELECT * FROM (SELECT key FROM tombstones WHERE feed_id = ?1 ORDER BY at DESC LIMIT ?4))";

type KnownRow = (i64, String, Option<String>, String, Option<i64>, Vec<u8>, Option<i64>);

/// Reads the known items of a feed with these keys, canonical addresses, ids or dates, and its newest ones.
pub(crate) async fn known_items(
    executor: impl sqlx::SqliteExecutor<'_>,
    feed: i64,
    keys: &[&str],
    urls: &[String],
    ids: &[i64],
    dates: &[Millis],
) -> Result<Vec<KnownItem>, LibraryError> {
    let rows: Vec<KnownRow> = sqlx::query_as(KNOWN)
        .bind(feed)
        .bind(json(keys)?)
        .bind(json(urls)?)
        .bind(NEIGHBORS)
        .bind(json(ids)?)
        .bind(json(dates)?)
        .bind(AT_ONE_PLACE)
        .fetch_all(executor)
        .await?;
    Ok(rows.into_iter().map(known_item).collect())
}

fn known_item((id, key, canonical_url, title, published_at, digest, gone): KnownRow) -> KnownItem {
    KnownItem { id, key, canonical_url, title, published_at, digest, gone }
}

/// The library's data of a subscribed feed at the start of a transaction that decides about its items.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub(crate) struct Before {
    feed_id: i64,
    has_items: bool,
    has_tombstones: bool,
    /// Whether it may have items that were added since the decision.
    #[sqlx(skip)]
    has_additions: bool,
}

/// Reads the library's data of these feeds, each with the address that was polled or an empty one. Feeds that were unsubscribed or got
/// another address in the meantime are left out. `since` is the lowest of all.
pub(crate) async fn before(
    connection: &mut SqliteConnection,
    feeds: &[(i64, &str)],
    since: Option<i64>,
) -> Result<HashMap<i64, Before>, LibraryError> {
    let sql = "SELECT f.id AS feed_id, EXISTS (SELECT 1 FROM items i WHERE i.feed_id = f.id) AS has_items,
            EXISTS (SELECT 1 FROM tombstones t WHERE t.feed_id = f.id) AS has_tombstones
         FROM json_each(?) j CROSS JOIN feeds f ON f.id = j.value ->> 0
         WHERE f.unsubscribed_at IS NULL AND j.value ->> 1 IN ('', f.url)";
    let rows: Vec<Before> = sqlx::query_as(sql).bind(json(feeds)?).fetch_all(&mut *connection).await?;
    let mut before: HashMap<i64, Before> = rows.into_iter().map(|row| (row.feed_id, row)).collect();
    if let Some(since) = since {
        // Those with the highest ids are read, not an index by feed.
        let sql = "SELECT DISTINCT feed_id FROM items NOT INDEXED WHERE id >= ?";
        let added: Vec<i64> = sqlx::query_scalar(sql).bind(since).fetch_all(connection).await?;
        for feed in added {
            before.entry(feed).and_modify(|before| before.has_additions = true);
        }
    }
    Ok(before)
}

/// Reads the items of a feed that may be counterparts now, as far as [`added_since`] needs them.
async fn known_now(
    connection: &mut SqliteConnection,
    before: Before,
    keys: &[&str],
    urls: impl FnOnce() -> Vec<String>,
    ids: &[i64],
) -> Result<Vec<KnownItem>, LibraryError> {
    if before.has_tombstones || before.has_additions {
        return known_items(connection, before.feed_id, keys, &urls(), ids, &[]).await;
    }
    if !before.has_items {
        return Ok(Vec::new());
    }
    let rows: Vec<KnownRow> =
        sqlx::query_as(NAMED).bind(before.feed_id).bind(json(keys)?).bind(json(ids)?).fetch_all(connection).await?;
    Ok(rows.into_iter().map(known_item).collect())
}

/// The change for an item, decided by the current contents of the library.
#[derive(Debug)]
pub(crate) enum Settled<'a> {
    Insert(Cow<'a, NewItem>),
    Update(i64, Cow<'a, NewItem>),
    Rename(i64, String),
    StillGone(&'a str),
}

fn traits(item: &NewItem) -> Traits<'_> {
    Traits {
        key: &item.key,
        url: item.url.as_deref(),
        canonical_url: item.canonical_url.as_deref(),
        title: &item.title,
        published_at: item.published_at,
        digest: &item.digest,
        ..Traits::default()
    }
}

fn with_key(item: &NewItem, key: String) -> Cow<'_, NewItem> {
    if item.key == key { Cow::Borrowed(item) } else { Cow::Owned(NewItem { key, ..item.clone() }) }
}

/// Indexes the possible counterparts of items that were decided to be new: items with these keys or ids, and those added since the
/// decision.
fn added_since(items: Vec<KnownItem>, since: Option<i64>, keys: &[&str], ids: &[i64]) -> Known {
    let (keys, ids): (HashSet<&str>, HashSet<i64>) = (keys.iter().copied().collect(), ids.iter().copied().collect());
    Known::new(items).only(|item| {
        let added = since.is_some_and(|since| item.gone.is_some() || item.id >= since);
        added || keys.contains(&item.key.as_str()) || (item.gone.is_none() && ids.contains(&item.id))
    })
}

/// Decides again about the items of one feed. `document_keys` are the keys of all items of its document, changed or not; `since` is the
/// next item's id when they were decided about (`Polls::next_item`). Without it only keys are compared.
pub(crate) async fn settle<'a>(
    connection: &mut SqliteConnection,
    before: Before,
    intents: &'a [Intent],
    document_keys: &[String],
    since: Option<i64>,
) -> Result<Vec<Settled<'a>>, LibraryError> {
    if intents.iter().all(|intent| matches!(intent, Intent::StillGone(_))) {
        let gone = intents.iter().filter_map(|intent| match intent {
            Intent::StillGone(key) => Some(Settled::StillGone(key)),
            _ => None,
        });
        return Ok(gone.collect());
    }
    let items = || {
        intents.iter().filter_map(|intent| match intent {
            Intent::Insert(item) | Intent::Update(_, item) => Some(&**item),
            Intent::Rename(..) | Intent::StillGone(_) => None,
        })
    };
    let renamed = intents.iter().filter_map(|intent| match intent {
        Intent::Rename(_, key) => Some(key.as_str()),
        _ => None,
    });
    let keys: Vec<&str> = items().map(|item| item.key.as_str()).chain(renamed).collect();
    let ids = intents.iter().filter_map(|intent| match intent {
        Intent::Update(id, _) | Intent::Rename(id, _) => Some(*id),
        _ => None,
    });
    let ids: Vec<i64> = ids.collect();
    let urls = || addresses(items().filter_map(|item| item.canonical_url.as_deref()));
    let known = added_since(known_now(connection, before, &keys, urls, &ids).await?, since, &keys, &ids);
    let still_there: HashSet<&str> = document_keys.iter().map(String::as_str).chain(keys.iter().copied()).collect();
    let mut taken: HashSet<i64> = ids.iter().copied().collect();
    let settled = intents.iter().filter_map(|intent| match intent {
        Intent::Insert(item) => {
            let found = known.recognise(&traits(item), &still_there, &mut taken);
            match found.before {
                None => Some(Settled::Insert(with_key(item, found.key))),
                Some(before) if before.gone.is_some() => None,
                // The library has all of it.
                Some(_) if is_cut_off(&item.digest) => None,
                Some(before) if is_changed(&before.digest, &item.digest) => {
                    Some(Settled::Update(before.id, with_key(item, found.key)))
                }
                Some(before) => (before.key != found.key).then_some(Settled::Rename(before.id, found.key)),
            }
        }
        Intent::Update(id, item) => {
            let before = known.by_id(*id)?;
            // Another item now has the new key: this one keeps its own.
            let taken = known.by_key(&item.key).is_some_and(|other| other.gone.is_none() && other.id != *id);
            let key = if taken { before.key.clone() } else { item.key.clone() };
            Some(Settled::Update(*id, with_key(item, key)))
        }
        Intent::Rename(id, key) => {
            let taken = known.by_key(key).is_some_and(|other| other.gone.is_none());
            (known.by_id(*id).is_some() && !taken).then(|| Settled::Rename(*id, key.clone()))
        }
        Intent::StillGone(key) => Some(Settled::StillGone(key)),
    });
    Ok(settled.collect())
}

/// Existing articles for items that were expected to be new.
#[derive(Debug, Default)]
pub(crate) struct Unknown<'a> {
    /// Items that are new, with their positions in the list.
    pub(crate) new: Vec<(usize, Cow<'a, NewItem>)>,
    /// Ids of items that are known after all, by position in the list.
    pub(crate) known: HashMap<usize, i64>,
}

/// Decides again which of these items are new. Deleted ones are neither new nor known. `document_keys` and `since` as for [`settle`].
pub(crate) async fn unknown<'a>(
    connection: &mut SqliteConnection,
    feed: i64,
    items: &[&'a NewItem],
    document_keys: &[String],
    since: Option<i64>,
) -> Result<Unknown<'a>, LibraryError> {
    let keys = items.iter().map(|item| item.key.as_str());
    let still_there: HashSet<&str> = document_keys.iter().map(String::as_str).chain(keys).collect();
    unknown_among(connection, feed, items, &still_there, since).await
}

/// Decides as [`unknown`] does. `still_there` are the keys of all items that the feed still has.
pub(crate) async fn unknown_among<'a>(
    connection: &mut SqliteConnection,
    feed: i64,
    items: &[&'a NewItem],
    still_there: &HashSet<&str>,
    since: Option<i64>,
) -> Result<Unknown<'a>, LibraryError> {
    let keys: Vec<&str> = items.iter().map(|item| item.key.as_str()).collect();
    let urls = addresses(items.iter().filter_map(|item| item.canonical_url.as_deref()));
    // Those without an address are recognised by these.
    let dates: Vec<Millis> = items.iter().filter_map(|item| item.published_at).collect();
    let known = added_since(known_items(connection, feed, &keys, &urls, &[], &dates).await?, since, &keys, &[]);
    let mut taken = HashSet::new();
    let mut unknown = Unknown::default();
    for (at, item) in items.iter().enumerate() {
        let found = known.recognise(&traits(item), still_there, &mut taken);
        match found.before {
            None => unknown.new.push((at, with_key(item, found.key))),
            Some(before) if before.gone.is_some() => {}
            Some(before) => {
                unknown.known.insert(at, before.id);
            }
        }
    }
    Ok(unknown)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn tens_of_thousands_of_items_take_linear_time() {
        let make = |items: usize| {
            let item = |id: usize| KnownItem {
                id: i64::try_from(id).unwrap(),
                key: format!("https://a.example/{id:06}"),
                canonical_url: None,
                title: String::new(),
                published_at: None,
                digest: Vec::new(),
                gone: None,
            };
            (0..items).map(item).collect::<Vec<_>>()
        };
        gleaner_cpu_time::assert_linear("the items of a feed", 3_000, make, |items| {
            let keys: Vec<&str> = items.iter().map(|item| item.key.as_str()).collect();
            let ids: Vec<i64> = items.iter().map(|item| -1 - item.id).collect();
            for (keys, ids) in [(&keys[..], &[][..]), (&[], &ids)] {
                let known = added_since(items.clone(), None, keys, ids);
                assert_eq!(known.by_key(&items[0].key).is_some(), ids.is_empty());
            }
        });
    }
}
