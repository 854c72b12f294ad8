//! Compares a server's list of subscriptions with the known ones and with the changes that wait to be sent (`feed_outbox`). A change is
//! sent only for the feed that it was made for: a server that was installed again has other feeds under the known ids, and another device
//! may have unsubscribed from the feed.

use crate::{
    FolderRow, LibraryError, account_folders, feed_key,
    table::{
        feed_outbox::forget_left_feed,
        remote_feed::{RemoteFeed, is_same_title},
    },
};
use sqlx::SqliteConnection;
use std::collections::{HashMap, HashSet};
use url::Url;

/// A known subscription: id and key of the feed, title and folder as the server last had them, and whether it is subscribed here.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(super) struct Known {
    /// Empty: none.
    pub(super) remote_id: String,
    pub(super) feed_id: Option<i64>,
    pub(super) url_key: Option<String>,
    pub(super) title: Option<String>,
    pub(super) label: Option<String>,
    pub(super) subscribed: bool,
}

impl Known {
    /// Returns the key of its address, without the id that the key of a second feed with this address ends with.
    fn address(&self) -> Option<&str> {
        self.url_key.as_deref().and_then(|key| key.split('\n').next())
    }

    /// Whether a feed with another address is another feed: it also has another title, and is on another host. If the feed here was deleted,
    /// only the title is known.
    fn is_another(&self, feed: &RemoteFeed) -> bool {
        let titles = self.title.as_deref().filter(|title| !title.is_empty()).zip(Some(feed.title.as_str()));
        let has_title = titles.filter(|(_, now)| !now.is_empty()).is_none_or(|(had, now)| is_same_title(had, now));
        !has_title && self.address().is_none_or(|address| host(address) != host(&feed_key(&feed.url)))
    }
}

/// Returns the host of a feed's key.
fn host(key: &str) -> Option<String> {
    let host = |url: &str| Url::parse(url).ok()?.host_str().map(str::to_owned);
    host(&format!("http://{key}")).or_else(|| host(key))
}

/// Returns the known feeds that are still the same feeds in a list of the server, or are missing there.
pub(super) fn same<'k>(known: &'k [Known], feeds: &[RemoteFeed]) -> Vec<&'k Known> {
    // A feed whose address is now under another id did not move: a new installation of a server reuses ids.
    let addresses: Vec<(&str, String)> =
        feeds.iter().map(|feed| (feed.remote_id.as_str(), feed_key(&feed.url))).collect();
    let (keys, pairs): (HashSet<&str>, HashSet<(&str, &str)>) =
        addresses.iter().map(|(id, key)| (key.as_str(), (*id, key.as_str()))).unzip();
    let is_at_its_id = |id: &str, key: &str| pairs.contains(&(id, key));
    // Nor did it become another known feed whose own id is no longer listed with its address.
    let listed_at: HashMap<&str, &str> = addresses.iter().map(|(id, key)| (*id, key.as_str())).collect();
    let displaced: HashSet<&str> = known
        .iter()
        .filter_map(|known| Some((known.remote_id.as_str(), known.url_key.as_deref()?)))
        .filter(|(id, key)| !is_at_its_id(id, key))
        .map(|(_, key)| key)
        .collect();
    let by_id: HashMap<&str, &RemoteFeed> = feeds.iter().map(|feed| (feed.remote_id.as_str(), feed)).collect();
    let is_same = |known: &&Known| {
        let (id, key) = (known.remote_id.as_str(), known.url_key.as_deref().unwrap_or_default());
        // Without the id that the key of a second feed with this address ends with.
        let address = key.split('\n').next();
        let is_of_another = || listed_at.get(id).is_some_and(|at| Some(*at) != address && displaced.contains(at));
        let is_replaced = || by_id.get(id).is_some_and(|feed| known.is_another(feed));
        is_at_its_id(id, key) || (!keys.contains(key) && !is_of_another() && !is_replaced())
    };
    known.iter().filter(is_same).collect()
}

/// Returns the known subscriptions of an account. Those whose ids were given to others before have none.
pub(super) async fn known(connection: &mut SqliteConnection, account: i64) -> Result<Vec<Known>, LibraryError> {
    let sql = "SELECT r.remote_id, r.feed_id, f.url_key, r.title, r.label, f.id IS NOT NULL AND f.unsubscribed_at IS NULL AS subscribed
         FROM remote_feeds r LEFT JOIN feeds f ON f.id = r.feed_id WHERE r.account_id = ?1
         UNION ALL SELECT '', f.id, f.url_key, NULL, NULL, 1 FROM feeds f WHERE f.account_id = ?1 AND f.unsubscribed_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM remote_feeds WHERE feed_id = f.id)
            AND NOT EXISTS (SELECT 1 FROM feed_outbox WHERE feed_id = f.id AND what = 'subscribe')";
    Ok(sqlx::query_as(sql).bind(account).fetch_all(connection).await?)
}

/// A change that waits to be sent, of a feed that the server had.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct WaitingChange {
    pub(super) seq: i64,
    feed_id: i64,
    remote_id: String,
    what: String,
    url: Option<String>,
    custom_title: Option<String>,
    folder_id: Option<i64>,
    /// Whether its id now belongs to another feed.
    #[sqlx(skip)]
    pub(super) replaced: bool,
}

impl WaitingChange {
    /// Whether the server has the change already.
    fn is_done(&self, feed: &RemoteFeed, wanted: Option<&str>) -> bool {
        match self.what.as_str() {
            "rename" => self.custom_title.as_deref().is_some_and(|title| is_same_title(&feed.title, title)),
            "move" => feed.label.as_deref() == wanted && feed.other_labels.is_empty() && !feed.is_folder_unknown,
            _ => false,
        }
    }
}

/// Compares the waiting changes of an account, whose folder is `own`, with a list of its server. Those of feeds that have other ids now get
/// these ids, and those that the server has already are removed. Returns those of feeds that are not in the list.
pub(super) async fn compare_waiting(
    connection: &mut SqliteConnection,
    (account, own): (i64, i64),
    folders: &[FolderRow],
    known: &[Known],
    feeds: &[RemoteFeed],
) -> Result<Vec<WaitingChange>, LibraryError> {
    let waiting: Vec<WaitingChange> = sqlx::query_as(
        "SELECT o.seq, o.feed_id, o.remote_id, o.what, f.url, f.custom_title, f.folder_id
         FROM feed_outbox o LEFT JOIN feeds f ON f.id = o.feed_id
         WHERE o.account_id = ? AND o.remote_id IS NOT NULL AND o.what <> 'subscribe'
            AND NOT (o.what IN ('rename', 'move') AND f.account_id IS NOT o.account_id) ORDER BY o.seq",
    )
    .bind(account)
    .fetch_all(&mut *connection)
    .await?;
    let mut missing = Vec::new();
    if waiting.is_empty() {
        return Ok(missing);
    }
    let same: HashSet<(&str, Option<i64>)> =
        same(known, feeds).into_iter().map(|known| (known.remote_id.as_str(), known.feed_id)).collect();
    let owners: HashMap<&str, &Known> = known.iter().map(|known| (known.remote_id.as_str(), known)).collect();
    let (mut by_id, mut by_key): (HashMap<&str, &RemoteFeed>, HashMap<String, Vec<&RemoteFeed>>) = Default::default();
    for feed in feeds {
        by_id.insert(&feed.remote_id, feed);
        by_key.entry(feed_key(&feed.url)).or_default().push(feed);
    }
    for mut change in waiting {
        let key = change.url.as_deref().map(feed_key);
        let at_its_id = by_id.get(change.remote_id.as_str()).copied();
        let is_its = |feed: &&RemoteFeed| {
            let is_known = |feed| same.contains(&(change.remote_id.as_str(), feed));
            Some(feed_key(&feed.url)) == key || is_known(Some(change.feed_id)) || is_known(None)
        };
        if let Some(feed) = at_its_id.filter(is_its) {
            let wanted = account_folders::label(folders, change.folder_id, Some(own));
            if change.is_done(feed, wanted.as_deref()) {
                let sql = "DELETE FROM feed_outbox WHERE seq = ?";
                sqlx::query(sql).bind(change.seq).execute(&mut *connection).await?;
            }
            continue;
        }
        // A server may have two feeds with one address.
        let is_of_another = |feed: &RemoteFeed| {
            let owner = owners.get(feed.remote_id.as_str());
            owner.is_some_and(|owner| {
                owner.feed_id.is_some_and(|feed| feed != change.feed_id) && owner.address() == key.as_deref()
            })
        };
        let moved = key.as_ref().and_then(|key| by_key.get(key)?.iter().find(|feed| !is_of_another(feed)));
        if let Some(feed) = moved {
            let sql = "UPDATE feed_outbox SET remote_id = ?2, sending = 0 WHERE seq = ?1";
            sqlx::query(sql).bind(change.seq).bind(&feed.remote_id).execute(&mut *connection).await?;
        } else {
            change.replaced = at_its_id.is_some();
            missing.push(change);
        }
    }
    Ok(missing)
}

/// Removes the changes of feeds that the server no longer has: there is nothing left to change.
pub(super) async fn forget_missing(
    connection: &mut SqliteConnection,
    account: i64,
    missing: &[WaitingChange],
) -> Result<(), LibraryError> {
    for change in missing {
        if change.what == "leave" {
            forget_left_feed(connection, account, change.feed_id, Some(&change.remote_id)).await?;
        }
        let sql = "DELETE FROM feed_outbox WHERE seq = ?";
        sqlx::query(sql).bind(change.seq).execute(&mut *connection).await?;
    }
    Ok(())
}
