//! `feed_outbox`: changes of subscriptions that a server does not have yet, in their order. Triggers add them in the transaction that
//! changes a feed or folder. The values are read when they are sent, so that several changes are sent as one. `sending` is 1 if the
//! response is unknown, and equals `stamp` if the server refused this change once.

use crate::{
    FolderRow, LibraryError, account_folders, account_moves,
    json::json,
    merge,
    table::{
        feeds::shown_title,
        folders::Folders,
        remote_items::SyncStore,
        server_only_feeds::{self, ServerOnlyFeed},
    },
};
use sqlx::SqliteConnection;

/// A change of a subscription to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedChange {
    /// Its number in the order of the changes.
    pub seq: i64,
    stamp: i64,
    /// Id of the feed.
    pub feed: i64,
    /// Id of the feed on the server; `None` if it is not subscribed there.
    pub remote_id: Option<String>,
    /// Whether the server refused it before.
    pub refused: bool,
    /// Whether the feed was moved here from this computer, and not subscribed to by its address.
    pub moved: bool,
    /// The change.
    pub kind: FeedChangeKind,
}

/// The change of a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedChangeKind {
    /// Subscribe to it.
    Subscribe {
        /// Address of the feed.
        url: String,
        /// The user's title; `None`: the feed's own.
        title: Option<String>,
        /// Name of its folder.
        label: Option<String>,
    },
    /// Give it a title.
    Rename(String),
    /// Move it to another folder.
    Move {
        /// Name of the folder that the server has it in.
        from: Option<String>,
        /// Name of the new folder.
        to: Option<String>,
    },
    /// Unsubscribe from it.
    Leave,
}

/// A row of the table with what is sent of the feed.
#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    stamp: i64,
    refused: bool,
    feed_id: i64,
    was_local: bool,
    remote_id: Option<String>,
    what: String,
    url: Option<String>,
    custom_title: Option<String>,
    folder_id: Option<i64>,
    label: Option<String>,
}

impl SyncStore<'_> {
    /// Returns the changes of subscriptions to send, in their order.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn pending_feed_changes(self, account: i64) -> Result<Vec<FeedChange>, LibraryError> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT o.seq, o.stamp, o.sending = o.stamp AS refused, o.feed_id,
                -- Feeds of accounts are never polled, so one that was is or was local.
                o.was_local OR EXISTS (SELECT 1 FROM polls p WHERE p.feed_id = o.feed_id AND p.succeeded_at IS NOT NULL) AS was_local,
                ifnull(o.remote_id, r.remote_id) AS remote_id, o.what, f.url, f.custom_title, f.folder_id, r.label
             FROM feed_outbox o LEFT JOIN feeds f ON f.id = o.feed_id LEFT JOIN remote_feeds r ON r.feed_id = o.feed_id
             WHERE o.account_id = ? AND NOT (o.what IN ('rename', 'move') AND f.account_id IS NOT o.account_id) ORDER BY o.seq",
        )
        .bind(account)
        .fetch_all(&self.db.readers)
        .await?;
        let folders: Vec<FolderRow> = Folders::new(self.db).list().await?;
        let own: Option<i64> = sqlx::query_scalar("SELECT folder_id FROM servers WHERE account_id = ?")
            .bind(account)
            .fetch_optional(&self.db.readers)
            .await?
            .flatten();
        let (mut changes, mut void) = (Vec::new(), Vec::new());
        for row in rows {
            let to = account_folders::label(&folders, row.folder_id, own);
            let kind = match row.what.as_str() {
                "subscribe" => row.url.map(|url| FeedChangeKind::Subscribe { url, title: row.custom_title, label: to }),
                "rename" => row.custom_title.map(FeedChangeKind::Rename),
                "move" => Some(FeedChangeKind::Move { from: row.label.filter(|from| !from.is_empty()), to }),
                _ => Some(FeedChangeKind::Leave),
            };
            let Some(kind) = kind else {
                void.push((row.seq, row.stamp));
                continue;
            };
            let Row { seq, stamp, feed_id: feed, remote_id, refused, was_local: moved, .. } = row;
            changes.push(FeedChange { seq, stamp, feed, remote_id, refused, moved, kind });
        }
        if !void.is_empty() {
            self.remove_void(&void).await?;
        }
        Ok(changes)
    }

    /// Removes changes for which nothing has to be sent: a title that was set and reset, or a feed that was deleted. If a change was made
    /// again after they were read, it has another stamp.
    async fn remove_void(self, void: &[(i64, i64)]) -> Result<(), LibraryError> {
        let sql = "DELETE FROM feed_outbox WHERE (seq, stamp) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))";
        self.db.execute(sqlx::query(sql).bind(json(&void)?)).await
    }

    /// Returns the title of a feed, also of one that was unsubscribed.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feed_title(self, feed: i64) -> Result<String, LibraryError> {
        let sql = "SELECT custom_title, title, url FROM feeds WHERE id = ?";
        let found: Option<(Option<String>, Option<String>, String)> =
            sqlx::query_as(sql).bind(feed).fetch_optional(&self.db.readers).await?;
        Ok(found.map(|(own, title, url)| shown_title(own.as_deref(), title.as_deref(), &url)).unwrap_or_default())
    }

    /// Records that a change is being sent, before it is.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn feed_change_sending(self, change: &FeedChange) -> Result<(), LibraryError> {
        let sql = "UPDATE feed_outbox SET sending = 1 WHERE seq = ? AND sending <> stamp";
        self.db.execute(sqlx::query(sql).bind(change.seq)).await
    }

    /// Records that the server has a change. The change stays in the outbox if it was made again in the meantime. `remote_id` is the id of
    /// a new subscription, if the server says it. Returns the feed into which it was merged, if the server already has it as another feed
    /// of the account.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn feed_change_sent(
        self,
        account: i64,
        change: &FeedChange,
        remote_id: Option<&str>,
    ) -> Result<Option<i64>, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        finish(&mut transaction, change).await?;
        let mut merged = None;
        match &change.kind {
            FeedChangeKind::Subscribe { .. } => {
                if let Some(id) = remote_id {
                    merged = self.store_subscription_id(&mut transaction, account, change.feed, id).await?;
                }
            }
            FeedChangeKind::Rename(_) => {
                let sql = "UPDATE remote_feeds SET title = NULL WHERE feed_id = ?";
                sqlx::query(sql).bind(change.feed).execute(&mut *transaction).await?;
            }
            FeedChangeKind::Move { to, .. } => {
                let sql = "UPDATE remote_feeds SET label = ?2 WHERE feed_id = ?1";
                sqlx::query(sql).bind(change.feed).bind(to.as_deref().unwrap_or("")).execute(&mut *transaction).await?;
            }
            FeedChangeKind::Leave => {
                forget_left_feed(&mut transaction, account, change.feed, change.remote_id.as_deref()).await?;
            }
        }
        transaction.commit().await?;
        Ok(merged)
    }

    /// Stores the id that the server gave a new subscription of a feed. If the server has it as another feed of the account already, the
    /// feed is merged into that one, which is returned.
    async fn store_subscription_id(
        self,
        connection: &mut SqliteConnection,
        account: i64,
        feed: i64,
        remote_id: &str,
    ) -> Result<Option<i64>, LibraryError> {
        if let Some(there) = subscribed_as(connection, account, remote_id, feed).await? {
            let sql = "SELECT EXISTS (SELECT 1 FROM feeds WHERE id = ? AND account_id = ? AND unsubscribed_at IS NULL)";
            let stays: bool = sqlx::query_scalar(sql).bind(feed).bind(account).fetch_one(&mut *connection).await?;
            if !stays {
                return Ok(None);
            }
            merge::merge_in(self.db, connection, feed, there).await?;
            return Ok(Some(there));
        }
        sqlx::query(
            "INSERT INTO remote_feeds (account_id, remote_id, feed_id) SELECT ?1, ?2, id FROM feeds WHERE id = ?3
                AND NOT EXISTS (SELECT 1 FROM remote_feeds WHERE feed_id = ?3 AND account_id <> ?1)
             ON CONFLICT (account_id, remote_id) DO UPDATE SET feed_id = excluded.feed_id, title = NULL, label = NULL",
        )
        .bind(account)
        .bind(remote_id)
        .bind(feed)
        .execute(&mut *connection)
        .await?;
        account_moves::rejoin(connection, account, feed, remote_id).await?;
        // Unsubscribed or moved here while the server was being informed.
        sqlx::query(
            "INSERT INTO feed_outbox (account_id, feed_id, remote_id, what, stamp)
             SELECT ?1, id, ?2, 'leave', random() FROM feeds WHERE id = ?3 AND (unsubscribed_at IS NOT NULL OR account_id <> ?1)
             ON CONFLICT (feed_id, what) DO UPDATE SET stamp = excluded.stamp",
        )
        .bind(account)
        .bind(remote_id)
        .bind(feed)
        .execute(connection)
        .await?;
        Ok(None)
    }

    /// Records that the server refused a change for the first time: it is sent once more at the next synchronisation, unless it changes
    /// until then.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn feed_change_refused_once(self, change: &FeedChange) -> Result<(), LibraryError> {
        let sql = "UPDATE feed_outbox SET sending = stamp WHERE seq = ? AND stamp = ?";
        self.db.execute(sqlx::query(sql).bind(change.seq).bind(change.stamp)).await
    }

    /// Records that the server refuses a change for good. A feed that it does not subscribe to is unsubscribed here too, and can be restored for
    /// a day, or becomes a feed of this computer again if it was one. For one that it does not leave, see [`Self::feed_stays_at_server`].
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn feed_change_refused(self, change: &FeedChange) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "SELECT o.former_folder FROM feed_outbox o JOIN feeds f ON f.id = o.feed_id AND f.account_id = o.account_id
            WHERE o.seq = ? AND o.stamp = ? AND o.was_local = 1 AND f.id NOT IN (SELECT feed_id FROM remote_feeds WHERE feed_id IS NOT NULL)";
        let was_local: Option<Option<i64>> =
            sqlx::query_scalar(sql).bind(change.seq).bind(change.stamp).fetch_optional(&mut *transaction).await?;
        finish(&mut transaction, change).await?;
        if let Some(folder) = was_local {
            account_moves::return_refused(self.db, &mut transaction, change.feed, folder).await?;
        } else if matches!(change.kind, FeedChangeKind::Subscribe { .. }) {
            let sql = "UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL
                AND id NOT IN (SELECT feed_id FROM remote_feeds WHERE feed_id IS NOT NULL)";
            sqlx::query(sql).bind(change.feed).bind(self.db.now()).execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Returns the feeds of an account that the user unsubscribed from here and that the server keeps, by title.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn server_only_feeds(self, account: i64) -> Result<Vec<ServerOnlyFeed>, LibraryError> {
        let mut feeds = server_only_feeds::list(&mut *self.db.readers.acquire().await?, account).await?;
        feeds.sort_by_cached_key(|feed| (feed.title.to_lowercase(), feed.url.clone()));
        Ok(feeds)
    }

    /// Restores such a feed with the next synchronisation.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn restore_server_only(self, account: i64, remote_id: &str) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        if !server_only_feeds::remove(&mut transaction, account, remote_id).await? {
            return Err(LibraryError::NotFound("feed"));
        }
        Ok(transaction.commit().await?)
    }

    /// Records that the server keeps a feed that the user unsubscribed from here or moved out of the account.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn feed_stays_at_server(self, account: i64, change: &FeedChange) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        // The row of the feed is deleted after a day.
        let sql = "INSERT INTO server_only_feeds (account_id, remote_id, url, title)
             SELECT ?1, ?2, ifnull((SELECT url FROM feeds WHERE id = ?3), ''), coalesce(
                (SELECT title FROM remote_feeds WHERE account_id = ?1 AND remote_id = ?2), (SELECT title FROM feeds WHERE id = ?3), '')
             WHERE NOT EXISTS (SELECT 1 FROM feeds WHERE id = ?3 AND account_id = ?1 AND unsubscribed_at IS NULL)
             ON CONFLICT (account_id, remote_id) DO UPDATE SET url = excluded.url, title = excluded.title";
        let query = sqlx::query(sql).bind(account).bind(&change.remote_id).bind(change.feed);
        if query.execute(&mut *transaction).await?.rows_affected() > 0 {
            // Done first, so that it is never taken for a new feed. The rest is the same as if the server had unsubscribed.
            transaction.commit().await?;
            drop(writer);
            return self.feed_change_sent(account, change, None).await.map(drop);
        }
        // The user restored it while the server was being informed.
        finish(&mut transaction, change).await?;
        forget(&mut transaction, change.feed, "subscribe").await?;
        Ok(transaction.commit().await?)
    }
}

/// Forgets what the server had of a feed that it has unsubscribed from.
pub(crate) async fn forget_left_feed(
    connection: &mut SqliteConnection,
    account: i64,
    feed: i64,
    remote_id: Option<&str>,
) -> Result<(), LibraryError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM feeds WHERE id = ? AND account_id <> ?)";
    let moved: bool = sqlx::query_scalar(sql).bind(feed).bind(account).fetch_one(&mut *connection).await?;
    if moved {
        account_moves::unlink(connection, account, feed).await?;
        let sql = "DELETE FROM feed_outbox WHERE feed_id = ? AND account_id = ? AND what IN ('rename', 'move')";
        sqlx::query(sql).bind(feed).bind(account).execute(&mut *connection).await?;
    } else if let Some(id) = remote_id {
        account_moves::part(connection, account, feed, id).await?;
    }
    // The id may belong to another feed by now.
    let sql = "DELETE FROM remote_feeds WHERE account_id = ? AND remote_id = ? AND (feed_id IS NULL OR feed_id = ?)";
    sqlx::query(sql).bind(account).bind(remote_id).bind(feed).execute(connection).await?;
    Ok(())
}

/// Returns the other feed that an account has under an id of the server.
async fn subscribed_as(
    connection: &mut SqliteConnection,
    account: i64,
    remote_id: &str,
    feed: i64,
) -> Result<Option<i64>, LibraryError> {
    let sql = "SELECT f.id FROM remote_feeds r JOIN feeds f ON f.id = r.feed_id
         WHERE r.account_id = ?1 AND r.remote_id = ?2 AND f.id <> ?3 AND f.account_id = ?1 AND f.unsubscribed_at IS NULL";
    Ok(sqlx::query_scalar(sql).bind(account).bind(remote_id).bind(feed).fetch_optional(connection).await?)
}

/// Removes a change from the outbox that the server caused itself.
pub(crate) async fn forget(connection: &mut SqliteConnection, feed: i64, what: &str) -> Result<(), LibraryError> {
    let sql = "DELETE FROM feed_outbox WHERE feed_id = ? AND what = ?";
    sqlx::query(sql).bind(feed).bind(what).execute(connection).await?;
    Ok(())
}

pub(crate) async fn finish(connection: &mut SqliteConnection, change: &FeedChange) -> Result<(), LibraryError> {
    let sql = "DELETE FROM feed_outbox WHERE seq = ? AND stamp = ?";
    sqlx::query(sql).bind(change.seq).bind(change.stamp).execute(&mut *connection).await?;
    let sql = "UPDATE feed_outbox SET sending = 0 WHERE seq = ?";
    sqlx::query(sql).bind(change.seq).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Library;

    #[tokio::test]
    async fn a_change_that_was_made_again_is_not_void() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let sync = library.sync();
        let add = sqlx::query(
            "INSERT INTO feed_outbox (seq, account_id, feed_id, what, stamp) VALUES (1, 1, 1, 'rename', -5), (2, 1, 2, 'rename', 6)",
        );
        library.db.execute(add).await.unwrap();
        sync.remove_void(&[(1, -5), (2, i64::MIN), (3, 6)]).await.unwrap();
        let left: Vec<i64> =
            sqlx::query_scalar("SELECT seq FROM feed_outbox").fetch_all(&library.db.readers).await.unwrap();
        assert_eq!(left, [2]);
    }
}
