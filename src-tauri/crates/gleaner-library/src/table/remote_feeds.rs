//! `remote_feeds`: the subscriptions of accounts on servers as the server last had them. Titles, folders and subscriptions are compared
//! three ways: the server's state now, its last known state, and the state here. Feeds in `feed_outbox` are skipped.

use crate::{
    LibraryError, Millis, account_folders, account_moves, feed_key,
    json::json,
    table::{
        feed_outbox::forget,
        feeds,
        folders::{self, FolderRow, Folders},
        id_sequences::{self, Numbered},
        listed_feeds::{Known, compare_waiting, forget_missing, known, same},
        logins, preferences,
        remote_feed::{RemoteFeed, is_same_title},
        remote_items::SyncStore,
        server_only_feeds::{self, Listed},
    },
};
use gleaner_address::without_stored_password;
use sqlx::SqliteConnection;
use std::collections::{HashMap, HashSet};

/// If at least this many feeds, and more than half of all, are missing on the server, they stay until the user confirms their removal.
const MISSING: usize = 3;

/// The changes made by a list of subscriptions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedsStored {
    /// New feeds.
    pub added: Vec<i64>,
    /// Feeds that the server no longer has.
    pub left: Vec<i64>,
    /// Feeds with a new title, address or folder.
    pub changed: usize,
    /// Number of feeds that the server no longer has, but that stay here because they are more than half of all.
    pub missing: usize,
    /// Numbers of the changes that must not be sent now, since the list does not show which feeds of the server they concern.
    pub waiting: HashSet<i64>,
}

/// An account as it is here, before a list of its server is stored.
struct Here {
    account: i64,
    /// The account's folder.
    own: i64,
    folders: Vec<FolderRow>,
    /// The feeds with changes that the server does not have yet, and what changed.
    pending: HashSet<(i64, String)>,
    /// Ids on the server of the feeds that were unsubscribed here or moved to another account, which the server does not know yet.
    leaving: HashSet<String>,
}

impl Here {
    /// `replaced`: the numbers of changes whose ids now belong to other feeds.
    async fn read(
        connection: &mut SqliteConnection,
        account: i64,
        (own, folders): (i64, Vec<FolderRow>),
        replaced: &HashSet<i64>,
    ) -> Result<Self, LibraryError> {
        let sql = "SELECT feed_id, what FROM feed_outbox WHERE account_id = ?";
        let pending: Vec<(i64, String)> = sqlx::query_as(sql).bind(account).fetch_all(&mut *connection).await?;
        let sql =
            "SELECT seq, remote_id FROM feed_outbox WHERE account_id = ? AND what = 'leave' AND remote_id IS NOT NULL";
        let leaving: Vec<(i64, String)> = sqlx::query_as(sql).bind(account).fetch_all(connection).await?;
        let leaving = leaving.into_iter().filter(|(seq, _)| !replaced.contains(seq)).map(|(_, id)| id).collect();
        let pending = pending.into_iter().collect();
        Ok(Self { account, own, folders, pending, leaving })
    }

    fn is_pending(&self, feed: i64, what: &str) -> bool {
        self.pending.contains(&(feed, what.to_owned()))
    }

    /// Returns the name that the server has for the folder of a feed here.
    async fn label(&self, connection: &mut SqliteConnection, feed: i64) -> Result<Option<String>, LibraryError> {
        let sql = "SELECT folder_id FROM feeds WHERE id = ?";
        let at: Option<i64> = sqlx::query_scalar(sql).bind(feed).fetch_one(connection).await?;
        Ok(account_folders::label(&self.folders, at, Some(self.own)))
    }

    /// Updates the address, title and folder of a known feed from the server, unless a change of the user waits to be sent. Returns whether
    /// something changed.
    async fn update(
        &self,
        transaction: &mut SqliteConnection,
        before: &Known,
        id: i64,
        feed: &RemoteFeed,
    ) -> Result<bool, LibraryError> {
        let mut changed = set_address(transaction, self.account, id, feed).await?;
        if before.title.as_ref() != Some(&feed.title) && !self.is_pending(id, "rename") {
            let sql = "SELECT custom_title FROM feeds WHERE id = ?";
            let own: Option<String> = sqlx::query_scalar(sql).bind(id).fetch_one(&mut *transaction).await?;
            // The user's title stays if the server never had it: some servers can't rename feeds, and use the feeds' own titles.
            let renamed = before.title.as_deref().zip(own.as_deref()).is_some_and(|(had, own)| is_same_title(had, own));
            let sql = "UPDATE feeds SET title = ?2, custom_title = iif(?3, NULL, custom_title) WHERE id = ?1";
            sqlx::query(sql).bind(id).bind(&feed.title).bind(renamed).execute(&mut *transaction).await?;
            changed |= before.title.is_some();
        }
        let from = match &before.label {
            Some(before) if feed.is_folder_unknown => before.clone(),
            before => feed.in_one_of([before.as_deref(), None]).label.unwrap_or_default(),
        };
        let in_one;
        let mut feed = feed;
        if !feed.other_labels.is_empty() {
            let here = self.label(transaction, id).await?;
            in_one = feed.in_one_of([here.as_deref(), before.label.as_deref()]);
            feed = &in_one;
        }
        let label = match &before.label {
            Some(before) if feed.is_folder_unknown => before.clone(),
            _ => feed.label.clone().unwrap_or_default(),
        };
        let is_moved = !feed.is_folder_unknown && before.label.as_ref() != Some(&label) && !self.is_pending(id, "move");
        if is_moved && self.label(transaction, id).await? != feed.label {
            let folder = folder_of(transaction, self.own, feed).await?;
            let sql = "UPDATE feeds SET folder_id = ?2 WHERE id = ?1";
            sqlx::query(sql).bind(id).bind(folder).execute(&mut *transaction).await?;
            forget(transaction, id, "move").await?;
            changed = true;
        }
        if before.title.as_ref() != Some(&feed.title) || before.label.as_ref() != Some(&label) {
            let keep_title =
                if self.is_pending(id, "rename") { before.title.clone() } else { Some(feed.title.clone()) };
            // A waiting change moves the feed from where it is now.
            let keep_label = if self.is_pending(id, "move") { from } else { label };
            let sql = "UPDATE remote_feeds SET title = ?3, label = ?4 WHERE account_id = ?1 AND remote_id = ?2";
            sqlx::query(sql)
                .bind(self.account)
                .bind(&feed.remote_id)
                .bind(keep_title)
                .bind(keep_label)
                .execute(&mut *transaction)
                .await?;
        }
        Ok(changed)
    }
}

impl SyncStore<'_> {
    /// Returns the subscribed feeds of an account by their ids on the server.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feeds(self, account: i64) -> Result<HashMap<String, i64>, LibraryError> {
        let sql = "SELECT r.remote_id, r.feed_id FROM remote_feeds r JOIN feeds f ON f.id = r.feed_id
             WHERE r.account_id = ? AND f.account_id = r.account_id AND f.unsubscribed_at IS NULL";
        let rows: Vec<(String, i64)> = sqlx::query_as(sql).bind(account).fetch_all(&self.db.readers).await?;
        Ok(rows.into_iter().collect())
    }

    /// Subscribes to a feed in an account. The server is informed with the next synchronisation.
    ///
    /// # Errors
    /// [`LibraryError::AlreadySubscribed`]; when the library cannot be written.
    pub async fn subscribe(
        self,
        account: i64,
        url: &str,
        title: Option<&str>,
        label: Option<&str>,
    ) -> Result<i64, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        if let Some(there) = feeds::find_by_key(&mut *transaction, account, &feed_key(url)).await? {
            return Err(LibraryError::AlreadySubscribed(there));
        }
        let feed = RemoteFeed { url: url.to_owned(), label: label.map(str::to_owned), ..RemoteFeed::default() };
        let login = logins::of(url);
        let id = insert(&mut transaction, account, &feed, self.db.now()).await?;
        if let Some(title) = title {
            let sql = "UPDATE feeds SET custom_title = ?2 WHERE id = ?1";
            sqlx::query(sql).bind(id).bind(title).execute(&mut *transaction).await?;
        }
        if let Some(login) = login {
            // It is sent to the server.
            logins::store(&mut transaction, id, &login, true).await?;
        }
        if !server_only_feeds::take(&mut transaction, account, url).await? {
            let sql = "INSERT INTO feed_outbox (account_id, feed_id, what, stamp) VALUES (?, ?, 'subscribe', random())";
            sqlx::query(sql).bind(account).bind(id).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(id)
    }

    /// Stores the complete list of an account's subscriptions. Feeds that are no longer in it are also unsubscribed here, and can be
    /// restored for a day; if they have starred, tagged, annotated or kept articles, they stay with these. If more than half of the feeds
    /// are missing, they stay unless `accept_missing` is set.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was stored.
    pub async fn store_feeds(
        self,
        account: i64,
        feeds: &[RemoteFeed],
        accept_missing: bool,
    ) -> Result<FeedsStored, LibraryError> {
        self.store_listed(account, feeds, Some(accept_missing)).await
    }

    /// Stores some of an account's subscriptions on its server, where the others can't be read: known ones that are not among them stay.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn store_some_feeds(self, account: i64, feeds: &[RemoteFeed]) -> Result<FeedsStored, LibraryError> {
        self.store_listed(account, feeds, None).await
    }

    /// `accept_missing`: whether feeds are left though most are missing; `None`: none is left.
    async fn store_listed(
        self,
        account: i64,
        feeds: &[RemoteFeed],
        accept_missing: Option<bool>,
    ) -> Result<FeedsStored, LibraryError> {
        let feeds: Vec<RemoteFeed> = feeds.iter().map(RemoteFeed::shown).collect();
        let feeds = feeds.as_slice();
        let folders = Folders::new(self.db).list().await?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let own = account_folders::folder(&mut transaction, account).await?;
        let known = known(&mut transaction, account).await?;
        let waiting = compare_waiting(&mut transaction, (account, own), &folders, &known, feeds).await?;
        let replaced: HashSet<i64> = waiting.iter().filter(|change| change.replaced).map(|change| change.seq).collect();
        let here = Here::read(&mut transaction, account, (own, folders), &replaced).await?;
        let listed: HashSet<&str> = feeds.iter().map(|feed| feed.remote_id.as_str()).collect();
        let is_listed = |known: &&Known| listed.contains(known.remote_id.as_str());
        let same = same(&known, feeds);
        // A feed here is one feed of the server, which may list several with the same address.
        let mut taken: HashSet<i64> =
            same.iter().copied().filter(is_listed).filter_map(|known| known.feed_id).collect();
        let by_id: HashMap<&str, &Known> = same.into_iter().map(|known| (known.remote_id.as_str(), known)).collect();
        let mut stored = FeedsStored::default();
        let listed: Vec<Listed> = feeds
            .iter()
            .map(|feed| Listed { remote_id: &feed.remote_id, url: &feed.url, title: &feed.title })
            .collect();
        let server_only = server_only_feeds::listed(&mut transaction, account, &listed).await?;
        let is_wanted =
            |feed: &&RemoteFeed| !here.leaving.contains(&feed.remote_id) && !server_only.contains(&feed.remote_id);
        for feed in feeds.iter().filter(is_wanted) {
            let before = by_id.get(feed.remote_id.as_str()).copied();
            let Some((before, id)) = before.and_then(|before| Some((before, before.feed_id?))) else {
                let (id, new) = find_or_add(&mut transaction, account, feed, &taken, self.db.now()).await?;
                taken.insert(id);
                if new {
                    stored.added.push(id);
                }
                account_moves::rejoin(&mut transaction, account, id, &feed.remote_id).await?;
                remember(&mut transaction, account, feed, id).await?;
                continue;
            };
            if !before.subscribed {
                // The user subscribed to it again on the server.
                let sql = "UPDATE OR IGNORE feeds SET unsubscribed_at = NULL WHERE id = ?";
                sqlx::query(sql).bind(id).execute(&mut *transaction).await?;
                forget(&mut transaction, id, "subscribe").await?;
                stored.added.push(id);
            }
            let changed = here.update(&mut transaction, before, id, feed).await?;
            stored.changed += usize::from(changed);
        }
        // A feed that has another id now is not missing, and unsubscribing from it would be sent to the server.
        let is_here = |known: &Known| match known.feed_id {
            Some(feed) => taken.contains(&feed),
            None => is_listed(&known),
        };
        let is_leaving = |known: &Known| {
            here.leaving.contains(&known.remote_id) || known.feed_id.is_some_and(|feed| here.is_pending(feed, "leave"))
        };
        let missing: Vec<&Known> = known.iter().filter(|known| !is_here(known) && !is_leaving(known)).collect();
        let subscribed = |known: &&&Known| known.subscribed;
        let (gone, all) = (missing.iter().filter(subscribed).count(), known.iter().filter(|k| k.subscribed).count());
        // The ids of some may have been given to new feeds since, which are among all of them now.
        let stayed = missing.iter().any(|known| known.remote_id.is_empty());
        if (stayed || gone >= MISSING && gone * 2 > all) && accept_missing == Some(false) {
            stored.missing = gone;
            stored.waiting = waiting.iter().map(|change| change.seq).collect();
        } else if accept_missing.is_none() {
            // Their feeds may be among those that can't be read.
            stored.waiting = replaced;
        } else {
            forget_missing(&mut transaction, account, &waiting).await?;
            for known in missing {
                leave(&mut transaction, account, known, self.db.now()).await?;
                stored.left.extend(known.feed_id.filter(|_| known.subscribed));
            }
        }
        preferences::after_move(&mut transaction, self.db.now()).await?;
        transaction.commit().await?;
        Ok(stored)
    }
}

/// Finds the feed of an account for a subscription that is new on the server, restores it or adds it. Returns its id, and whether it was
/// restored or added. `taken` are the feeds that belong to other subscriptions of the server.
async fn find_or_add(
    connection: &mut SqliteConnection,
    account: i64,
    feed: &RemoteFeed,
    taken: &HashSet<i64>,
    now: Millis,
) -> Result<(i64, bool), LibraryError> {
    match feeds::find_by_key(&mut *connection, account, &feed_key(&feed.url)).await? {
        // Unknown to the server until now, or under another id: the user subscribed to it here.
        Some(id) if !taken.contains(&id) => Ok((id, false)),
        _ => match restored(connection, account, feed).await? {
            Some(id) => Ok((id, true)),
            None => Ok((insert(connection, account, feed, now).await?, true)),
        },
    }
}

/// Subscribes again to a feed of an account that was left and is not deleted yet, unless a change of it waits to be sent.
async fn restored(
    connection: &mut SqliteConnection,
    account: i64,
    feed: &RemoteFeed,
) -> Result<Option<i64>, LibraryError> {
    let sql = "UPDATE OR IGNORE feeds SET unsubscribed_at = NULL WHERE id = (
            SELECT id FROM feeds WHERE account_id = ?1 AND url_key = ?2 AND unsubscribed_at IS NOT NULL
                AND id NOT IN (SELECT feed_id FROM feed_outbox WHERE account_id = ?1)
            ORDER BY unsubscribed_at DESC LIMIT 1)
         RETURNING id";
    let key = key(connection, account, feed, -1).await?;
    let id = sqlx::query_scalar(sql).bind(account).bind(key).fetch_optional(&mut *connection).await?;
    if let Some(id) = id {
        // As on the server, where it may now be in another folder.
        let own = account_folders::folder(connection, account).await?;
        let folder = folder_of(connection, own, feed).await?;
        let sql = "UPDATE feeds SET folder_id = ?2 WHERE id = ?1";
        sqlx::query(sql).bind(id).bind(folder).execute(&mut *connection).await?;
        for what in ["subscribe", "move"] {
            forget(connection, id, what).await?;
        }
    }
    Ok(id)
}

/// Returns the folder that a feed belongs in, created if it is missing: one in the folder of its account, or that folder itself.
async fn folder_of(connection: &mut SqliteConnection, own: i64, feed: &RemoteFeed) -> Result<i64, LibraryError> {
    Ok(match &feed.label {
        Some(label) => folders::ensure(connection, Some(own), label).await?.0,
        None => own,
    })
}

/// Returns the key of a feed's address. A server may have two feeds with one address; then the key of the second one also contains its id.
async fn key(
    connection: &mut SqliteConnection,
    account: i64,
    feed: &RemoteFeed,
    own: i64,
) -> Result<String, LibraryError> {
    let key = feed_key(&feed.url);
    Ok(match feeds::find_by_key(connection, account, &key).await? {
        Some(other) if other != own => format!("{key}\n{}", feed.remote_id),
        _ => key,
    })
}

async fn insert(
    connection: &mut SqliteConnection,
    account: i64,
    feed: &RemoteFeed,
    now: i64,
) -> Result<i64, LibraryError> {
    let own = account_folders::folder(connection, account).await?;
    let folder = folder_of(connection, own, feed).await?;
    let id = id_sequences::next(connection, Numbered::Feeds).await?;
    let key = key(connection, account, feed, id).await?;
    sqlx::query(
        "INSERT INTO feeds (id, account_id, url, url_key, title, home_url, folder_id, added_at, position)
         VALUES (?1, ?2, ?3, ?4, nullif(?5, ''), ?6, ?7, ?8, ?1)",
    )
    .bind(id)
    .bind(account)
    .bind(without_stored_password(&feed.url).trim())
    .bind(key)
    .bind(&feed.title)
    .bind(&feed.home_url)
    .bind(folder)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    sqlx::query("INSERT INTO polls (feed_id) VALUES (?)").bind(id).execute(connection).await?;
    Ok(id)
}

async fn remember(
    connection: &mut SqliteConnection,
    account: i64,
    feed: &RemoteFeed,
    id: i64,
) -> Result<(), LibraryError> {
    let sql = "DELETE FROM remote_feeds WHERE account_id = ? AND feed_id = ?";
    sqlx::query(sql).bind(account).bind(id).execute(&mut *connection).await?;
    sqlx::query(
        "INSERT INTO remote_feeds (account_id, remote_id, feed_id, title, label) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (account_id, remote_id) DO UPDATE SET feed_id = excluded.feed_id, title = excluded.title, label = excluded.label",
    )
    .bind(account)
    .bind(&feed.remote_id)
    .bind(id)
    .bind(&feed.title)
    .bind(feed.label.as_deref().unwrap_or(""))
    .execute(&mut *connection)
    .await?;
    let sql = "UPDATE feeds SET title = ifnull(nullif(?2, ''), title), home_url = ifnull(?3, home_url) WHERE id = ?1";
    sqlx::query(sql).bind(id).bind(&feed.title).bind(&feed.home_url).execute(connection).await?;
    Ok(())
}

/// Stores the address of a feed where the server has another. Returns whether it has.
async fn set_address(
    connection: &mut SqliteConnection,
    account: i64,
    id: i64,
    feed: &RemoteFeed,
) -> Result<bool, LibraryError> {
    let key = key(connection, account, feed, id).await?;
    let sql = "UPDATE feeds SET url = ?2, url_key = ?3, home_url = ifnull(?4, home_url)
         WHERE id = ?1 AND (url <> ?2 OR home_url IS NOT ifnull(?4, home_url))";
    let done =
        sqlx::query(sql).bind(id).bind(feed.url.trim()).bind(key).bind(&feed.home_url).execute(connection).await?;
    Ok(done.rows_affected() > 0)
}

/// Unsubscribes from a feed that the server no longer has. If it has articles that the user marked, it stays with these.
async fn leave(connection: &mut SqliteConnection, account: i64, known: &Known, now: i64) -> Result<(), LibraryError> {
    // Done first, so that this is not sent to the server, where its id may now belong to another feed.
    let sql = "DELETE FROM remote_feeds WHERE account_id = ? AND remote_id = ? AND feed_id IS ?";
    sqlx::query(sql).bind(account).bind(&known.remote_id).bind(known.feed_id).execute(&mut *connection).await?;
    let Some(feed) = known.feed_id.filter(|_| known.subscribed) else { return Ok(()) };
    account_moves::part(connection, account, feed, &known.remote_id).await?;
    for what in ["rename", "move"] {
        forget(connection, feed, what).await?;
    }
    let marked: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM items i JOIN states s ON s.item_id = i.id WHERE i.feed_id = ?
            AND (s.starred = 1 OR s.kept = 1 OR s.noted > 0 OR EXISTS (SELECT 1 FROM item_tags WHERE item_id = i.id)))",
    )
    .bind(feed)
    .fetch_one(&mut *connection)
    .await?;
    if !marked {
        let sql = "UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1";
        sqlx::query(sql).bind(feed).bind(now).execute(connection).await?;
        return Ok(());
    }
    let others: Vec<i64> = sqlx::query_scalar(
        "INSERT INTO going (item_id, at, was_hidden) SELECT i.id, ?2, s.hidden FROM items i JOIN states s ON s.item_id = i.id
         WHERE i.feed_id = ?1 AND s.hidden < 2 AND s.starred = 0 AND s.kept = 0 AND s.noted = 0
            AND NOT EXISTS (SELECT 1 FROM item_tags WHERE item_id = i.id) ON CONFLICT DO NOTHING RETURNING item_id",
    )
    .bind(feed)
    .bind(now)
    .fetch_all(&mut *connection)
    .await?;
    let sql = "UPDATE states SET hidden = 2 WHERE item_id IN (SELECT value FROM json_each(?))";
    sqlx::query(sql).bind(json(&others)?).execute(connection).await?;
    Ok(())
}
