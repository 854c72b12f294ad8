//! Moves feeds into accounts on servers, and back to this computer. A feed keeps its id, and with it its articles and settings. The servers
//! are informed by the next synchronisation. A kill before that loses nothing, since the move and the changes to send are one transaction.
//! If the account has a feed with the same address, the two are merged.

use crate::{
    FolderRow, LOCAL_ACCOUNT, LibraryError, Millis, Undoable, account_folders,
    database::{Database, undo::UndoStep},
    feed_key,
    json::json,
    merge::{self, Merged},
    subscriptions::Subscriptions,
    table::{
        feeds,
        folders::{self, Folders},
        preferences, server_only_feeds,
    },
};
use futures::future::BoxFuture;
use sqlx::SqliteConnection;

/// A place that feeds can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AccountPlace {
    pub account: i64,
    pub folder: Option<i64>,
    /// `None`: unchanged.
    pub position: Option<i64>,
}

/// The title of a feed, and the address of its site. A server may have others.
#[derive(Debug, sqlx::FromRow)]
struct Names {
    title: Option<String>,
    custom_title: Option<String>,
    home_url: Option<String>,
}

#[derive(Debug, sqlx::FromRow)]
struct Row {
    account_id: i64,
    folder_id: Option<i64>,
    position: i64,
    url: String,
}

impl Subscriptions<'_> {
    /// Moves feeds into an account on a server, or to this computer ([`LOCAL_ACCOUNT`]), all of them or none. Feeds that are there already
    /// are left out. Their articles, marks, tags and notes stay; those that the server has are sent their marks.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn move_to_account(self, feeds: &[i64], account: i64) -> Result<Undoable, LibraryError> {
        let all_folders = Folders::new(self.db).list().await?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        check_account(&mut transaction, account).await?;
        let mut step = Moved { account, feeds: Vec::new(), merged: Vec::new() };
        for id in feeds {
            let row = row(&mut transaction, *id).await?.ok_or(LibraryError::NotFound("feed"))?;
            if row.account_id == account {
                continue;
            }
            if let Some(there) = feeds::find_by_key(&mut *transaction, account, &feed_key(&row.url)).await? {
                step.merged.push(merge::merge_in(self.db, &mut transaction, *id, there).await?);
                continue;
            }
            let names = names(&mut transaction, *id).await?;
            let folder = new_folder(&mut transaction, &all_folders, &row, account).await?;
            let place = AccountPlace { account, folder, position: None };
            transfer(&mut transaction, *id, place, self.db.now()).await?;
            let before = AccountPlace { account: row.account_id, folder: row.folder_id, position: Some(row.position) };
            step.feeds.push((*id, before, names));
        }
        preferences::after_move(&mut transaction, self.db.now()).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(step.feeds.len() + step.merged.len(), step))
    }

    async fn move_back(self, step: &Moved) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        for merged in step.merged.iter().rev() {
            merge::unmerge_in(self.db, &mut transaction, merged).await?;
        }
        for (id, before, names) in &step.feeds {
            // Feeds that the user moved or unsubscribed from since stay as they are.
            if row(&mut transaction, *id).await?.is_none_or(|row| row.account_id != step.account) {
                continue;
            }
            check_account(&mut transaction, before.account).await?;
            let folder = match folders::existing(&mut *transaction, before.folder).await? {
                None if before.account != LOCAL_ACCOUNT => {
                    Some(account_folders::folder(&mut transaction, before.account).await?)
                }
                folder => folder,
            };
            transfer(&mut transaction, *id, AccountPlace { folder, ..*before }, self.db.now()).await?;
            restore_names(&mut transaction, *id, names).await?;
        }
        preferences::after_move(&mut transaction, self.db.now()).await?;
        Ok(transaction.commit().await?)
    }
}

/// Where moved feeds were before.
#[derive(Debug)]
struct Moved {
    account: i64,
    feeds: Vec<(i64, AccountPlace, Names)>,
    merged: Vec<Merged>,
}

impl UndoStep for Moved {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Subscriptions::new(db).move_back(self).await })
    }

    fn articles(&self) -> usize {
        self.merged.iter().map(UndoStep::articles).sum()
    }

    fn counterpart(&self, article: i64) -> Option<i64> {
        self.merged.iter().find_map(|merged| merged.counterpart(article))
    }
}

async fn row(connection: &mut SqliteConnection, id: i64) -> Result<Option<Row>, LibraryError> {
    let sql = "SELECT account_id, folder_id, position, url FROM feeds WHERE id = ? AND unsubscribed_at IS NULL";
    Ok(sqlx::query_as(sql).bind(id).fetch_optional(connection).await?)
}

async fn names(connection: &mut SqliteConnection, id: i64) -> Result<Names, LibraryError> {
    let sql = "SELECT title, custom_title, home_url FROM feeds WHERE id = ?";
    Ok(sqlx::query_as(sql).bind(id).fetch_one(connection).await?)
}

/// Restores the names that a feed had before the server of its account changed them. A title that the user set later stays.
async fn restore_names(connection: &mut SqliteConnection, id: i64, names: &Names) -> Result<(), LibraryError> {
    let sql = "UPDATE feeds SET title = ?2, home_url = ?3, custom_title = iif(account_id = ?5, ifnull(custom_title, ?4), custom_title)
         WHERE id = ?1";
    sqlx::query(sql)
        .bind(id)
        .bind(&names.title)
        .bind(&names.home_url)
        .bind(&names.custom_title)
        .bind(LOCAL_ACCOUNT)
        .execute(connection)
        .await?;
    Ok(())
}

/// Refuses accounts that do not exist or were removed.
async fn check_account(connection: &mut SqliteConnection, account: i64) -> Result<(), LibraryError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM servers WHERE account_id = ? AND removed_at IS NULL)";
    let exists = account == LOCAL_ACCOUNT || sqlx::query_scalar(sql).bind(account).fetch_one(connection).await?;
    if exists { Ok(()) } else { Err(LibraryError::NotFound("account")) }
}

/// Returns the folder of the same name in another account. Servers have one level of folders.
async fn new_folder(
    connection: &mut SqliteConnection,
    all: &[FolderRow],
    row: &Row,
    account: i64,
) -> Result<Option<i64>, LibraryError> {
    let former_own = match row.account_id {
        LOCAL_ACCOUNT => None,
        former => Some(account_folders::folder(connection, former).await?),
    };
    let name = account_folders::label(all, row.folder_id, former_own);
    let own = match account {
        LOCAL_ACCOUNT => None,
        account => Some(account_folders::folder(connection, account).await?),
    };
    let Some(name) = name else { return Ok(own) };
    let folder = folders::ensure(connection, own, &name).await?.0;
    let sql = "SELECT EXISTS (SELECT 1 FROM servers WHERE folder_id = ?)";
    let is_an_accounts: bool = sqlx::query_scalar(sql).bind(folder).fetch_one(connection).await?;
    Ok(if is_an_accounts { own } else { Some(folder) })
}

/// Moves a feed, and records what the servers have to be informed of.
async fn transfer(
    connection: &mut SqliteConnection,
    id: i64,
    to: AccountPlace,
    now: Millis,
) -> Result<(), LibraryError> {
    let from = row(connection, id).await?.ok_or(LibraryError::NotFound("feed"))?;
    // Changes that the former account does not have yet.
    let sql = "DELETE FROM feed_outbox WHERE feed_id = ? AND what <> 'leave'";
    sqlx::query(sql).bind(id).execute(&mut *connection).await?;
    let sql = "INSERT INTO feed_outbox (account_id, feed_id, remote_id, what, stamp)
         SELECT account_id, feed_id, remote_id, 'leave', random() FROM remote_feeds WHERE feed_id = ?1 AND account_id = ?2 AND account_id <> ?3
         ON CONFLICT (feed_id, what) DO UPDATE SET stamp = excluded.stamp";
    sqlx::query(sql).bind(id).bind(from.account_id).bind(to.account).execute(&mut *connection).await?;
    if to.account != LOCAL_ACCOUNT {
        release(connection, id, to.account).await?;
        // Not left yet.
        let sql = "DELETE FROM feed_outbox WHERE feed_id = ? AND account_id = ? AND what = 'leave' AND sending = 0";
        let stayed = sqlx::query(sql).bind(id).bind(to.account).execute(&mut *connection).await?.rows_affected() > 0;
        if !stayed && !server_only_feeds::take(connection, to.account, &from.url).await? {
            sqlx::query(
                "INSERT INTO feed_outbox (account_id, feed_id, what, stamp, was_local, former_folder)
                 VALUES (?, ?, 'subscribe', random(), ?, ?)",
            )
            .bind(to.account)
            .bind(id)
            .bind(from.account_id == LOCAL_ACCOUNT)
            .bind(from.folder_id)
            .execute(&mut *connection)
            .await?;
        }
    }
    let sql = "UPDATE OR IGNORE feeds SET account_id = ?2, url_key = ?3, folder_id = ?4, position = ifnull(?5, position) WHERE id = ?1";
    let done = sqlx::query(sql)
        .bind(id)
        .bind(to.account)
        .bind(feed_key(&from.url))
        .bind(to.folder)
        .bind(to.position)
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        return Err(LibraryError::AlreadySubscribed(id));
    }
    let sql = "UPDATE polls SET next_at = CASE WHEN ?3 = 1 AND (SELECT ifnull(refresh_minutes, 1) FROM feeds WHERE id = ?1) <> 0 THEN ?2 END
         WHERE feed_id = ?1";
    sqlx::query(sql).bind(id).bind(now).bind(to.account).execute(connection).await?;
    Ok(())
}

/// Releases a feed and its articles from all accounts but one. Subscriptions that are to be removed are removed without it.
async fn release(connection: &mut SqliteConnection, feed: i64, but: i64) -> Result<(), LibraryError> {
    let sql = "SELECT account_id FROM remote_feeds WHERE feed_id = ?1 AND account_id <> ?2
         UNION SELECT r.account_id FROM items i CROSS JOIN remote_items r ON r.item_id = i.id WHERE i.feed_id = ?1 AND r.account_id <> ?2";
    let others: Vec<i64> = sqlx::query_scalar(sql).bind(feed).bind(but).fetch_all(&mut *connection).await?;
    for account in others {
        unlink(connection, account, feed).await?;
    }
    for sql in [
        "UPDATE remote_feeds SET feed_id = NULL WHERE feed_id = ?1 AND account_id <> ?2",
        "UPDATE feed_outbox SET feed_id = -seq WHERE feed_id = ?1 AND account_id <> ?2 AND what = 'leave'",
    ] {
        sqlx::query(sql).bind(feed).bind(but).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Separates the articles of a feed from an account that no longer has it. They are downloaded again only when it has the feed again.
pub(crate) async fn unlink(connection: &mut SqliteConnection, account: i64, feed: i64) -> Result<(), LibraryError> {
    let of_feed = "(SELECT r.remote_id FROM remote_items r JOIN items i ON i.id = r.item_id WHERE i.feed_id = ?2 AND r.account_id = ?1)";
    for sql in [
        format!("DELETE FROM outbox WHERE account_id = ?1 AND remote_id IN {of_feed}"),
        format!("DELETE FROM remote_labels WHERE account_id = ?1 AND remote_id IN {of_feed}"),
        "UPDATE remote_items SET item_id = NULL,
            foreign_feed = ifnull((SELECT remote_id FROM remote_feeds WHERE account_id = ?1 AND feed_id = ?2), '')
         WHERE account_id = ?1 AND item_id IN (SELECT id FROM items WHERE feed_id = ?2)"
            .to_owned(),
    ] {
        sqlx::query(sqlx::AssertSqlSafe(sql)).bind(account).bind(feed).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Records that an account no longer has a feed, whose articles stay as they are. Articles that are deleted in the meantime are downloaded
/// again when the account has the feed again.
pub(crate) async fn part(
    connection: &mut SqliteConnection,
    account: i64,
    feed: i64,
    remote_id: &str,
) -> Result<(), LibraryError> {
    // Those that have expired stay deleted.
    sqlx::query(
        "UPDATE remote_items SET foreign_feed = ?3 WHERE account_id = ?1
            AND item_id IN (SELECT i.id FROM items i JOIN states s ON s.item_id = i.id WHERE i.feed_id = ?2 AND s.hidden < 2)",
    )
    .bind(account)
    .bind(feed)
    .bind(remote_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Records that an account has a feed again: articles that were to be deleted since [`part`] stay, and deleted ones may return.
pub(crate) async fn rejoin(
    connection: &mut SqliteConnection,
    account: i64,
    feed: i64,
    remote_id: &str,
) -> Result<(), LibraryError> {
    let sql = "SELECT i.id FROM items i JOIN remote_items r ON r.item_id = i.id
         WHERE i.feed_id = ? AND r.account_id = ? AND r.foreign_feed IS NOT NULL";
    let parted: Vec<i64> = sqlx::query_scalar(sql).bind(feed).bind(account).fetch_all(&mut *connection).await?;
    let parted = json(&parted)?;
    for sql in [
        "UPDATE states SET hidden = (SELECT was_hidden FROM going WHERE going.item_id = states.item_id)
         WHERE hidden = 2 AND item_id IN (SELECT item_id FROM going WHERE item_id IN (SELECT value FROM json_each(?)))",
        "DELETE FROM going WHERE item_id IN (SELECT value FROM json_each(?))",
        "UPDATE remote_items SET foreign_feed = NULL WHERE item_id IN (SELECT value FROM json_each(?))",
    ] {
        sqlx::query(sql).bind(&parted).execute(&mut *connection).await?;
    }
    sqlx::query(
        "DELETE FROM tombstones WHERE feed_id = ?1 AND key IN
            (SELECT remote_id FROM remote_items WHERE account_id = ?2 AND foreign_feed = ?3 AND item_id IS NULL)",
    )
    .bind(feed)
    .bind(account)
    .bind(remote_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Moves a feed that a server does not subscribe to back to this computer. If this computer now has one with the same address, they are
/// merged.
pub(crate) async fn return_refused(
    db: &Database,
    connection: &mut SqliteConnection,
    feed: i64,
    folder: Option<i64>,
) -> Result<(), LibraryError> {
    let Some(row) = row(connection, feed).await? else { return Ok(()) };
    if let Some(there) = feeds::find_by_key(&mut *connection, LOCAL_ACCOUNT, &feed_key(&row.url)).await? {
        merge::merge_in(db, connection, feed, there).await?;
        return Ok(());
    }
    let folder = folders::existing(&mut *connection, folder).await?;
    let place = AccountPlace { account: LOCAL_ACCOUNT, folder, position: None };
    transfer(connection, feed, place, db.now()).await
}
