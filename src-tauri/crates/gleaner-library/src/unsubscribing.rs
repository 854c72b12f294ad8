//! Unsubscribing from feeds, which can be undone for a day, and deleting them after that.

use crate::{
    LOCAL_ACCOUNT, LibraryError, Millis, Undoable,
    database::{
        Database,
        undo::{UndoStep, Undone},
    },
    feed_key,
    table::{
        feeds::{Feeds, UNSUBSCRIBED_STORED_FOR, find_by_key, get},
        server_only_feeds,
    },
};
use futures::future::BoxFuture;
use sqlx::SqliteConnection;

impl Feeds<'_> {
    /// Unsubscribes from feeds, all of them or none. They and their articles are in no list, and can be restored for a day.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn unsubscribe(self, ids: &[i64]) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let at = self.db.now();
        let mut feeds = Vec::with_capacity(ids.len());
        for id in ids {
            feeds.push((*id, get(&mut *transaction, *id).await?.shown_title()));
            let sql = "UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL";
            if sqlx::query(sql).bind(id).bind(at).execute(&mut *transaction).await?.rows_affected() == 0 {
                return Err(LibraryError::NotFound("feed"));
            }
        }
        transaction.commit().await?;
        Ok(self.db.undo.push(ids.len(), Unsubscribed(feeds)))
    }

    /// Restores the feed with an address that was unsubscribed last, with its articles and settings. Returns its id; `None` if none was
    /// unsubscribed within the last day, or if the address is subscribed.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn restore_unsubscribed(self, url: &str) -> Result<Option<i64>, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let (key, now) = (feed_key(url), self.db.now());
        if find_by_key(&mut *transaction, LOCAL_ACCOUNT, &key).await?.is_some() {
            return Ok(None);
        }
        let sql = "SELECT id FROM feeds WHERE unsubscribed_at >= ? AND account_id = ? AND url_key = ? ORDER BY unsubscribed_at DESC LIMIT 1";
        let found: Option<i64> = sqlx::query_scalar(sql)
            .bind(now - UNSUBSCRIBED_STORED_FOR)
            .bind(LOCAL_ACCOUNT)
            .bind(key)
            .fetch_optional(&mut *transaction)
            .await?;
        if let Some(id) = found {
            resubscribe(&mut transaction, id, now).await?;
        }
        transaction.commit().await?;
        Ok(found)
    }

    /// Restores those feeds, by their ids and titles, that can be.
    async fn resubscribe(self, feeds: &[(i64, String)]) -> Result<Undone, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let (mut undone, mut failure) = (Undone::default(), None);
        for (id, title) in feeds {
            match resubscribe(&mut transaction, *id, self.db.now()).await {
                Err(error @ (LibraryError::NotFound(_) | LibraryError::AlreadySubscribed(_))) => {
                    undone.lost_feeds.push(title.clone());
                    failure = Some(error);
                }
                done => done?,
            }
        }
        match failure {
            Some(error) if undone.lost_feeds.len() == feeds.len() => return Err(error),
            _ => transaction.commit().await?,
        }
        Ok(undone)
    }
}

/// Feeds that were unsubscribed, with their titles.
#[derive(Debug)]
struct Unsubscribed(Vec<(i64, String)>);

impl UndoStep for Unsubscribed {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { self.undo_what_exists(db).await.map(drop) })
    }

    fn undo_what_exists<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<Undone, LibraryError>> {
        Box::pin(async move { Feeds::new(db).resubscribe(&self.0).await })
    }
}

/// Restores a feed that was unsubscribed less than [`UNSUBSCRIBED_STORED_FOR`] ago: after that some of its articles may be deleted.
///
/// # Errors
/// [`LibraryError::AlreadySubscribed`] if another subscription has its address, [`LibraryError::NotFound`] if it was deleted.
pub(crate) async fn resubscribe(connection: &mut SqliteConnection, id: i64, now: Millis) -> Result<(), LibraryError> {
    let sql = "UPDATE OR IGNORE feeds SET unsubscribed_at = NULL WHERE id = ?1 AND ifnull(unsubscribed_at >= ?2, TRUE)";
    let stored_since = now - UNSUBSCRIBED_STORED_FOR;
    let done = sqlx::query(sql).bind(id).bind(stored_since).execute(&mut *connection).await?;
    if done.rows_affected() == 0 {
        let sql = "SELECT o.id FROM feeds f JOIN feeds o ON o.account_id = f.account_id AND o.url_key = f.url_key AND o.unsubscribed_at IS NULL
             WHERE f.id = ? AND f.unsubscribed_at >= ?";
        let other: Option<i64> =
            sqlx::query_scalar(sql).bind(id).bind(stored_since).fetch_optional(&mut *connection).await?;
        return Err(other.map_or(LibraryError::NotFound("feed"), LibraryError::AlreadySubscribed));
    }
    server_only_feeds::rejoin(connection, id).await
}

/// Deletes some articles of a feed that can no longer be restored, or the feed when it has no more. Returns the number of articles;
/// `None` if there is no such feed.
pub(crate) async fn delete_some(
    connection: &mut SqliteConnection,
    now: Millis,
    at_most: usize,
) -> Result<Option<usize>, LibraryError> {
    let sql = "SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL AND unsubscribed_at < ? LIMIT 1";
    let left: Option<i64> =
        sqlx::query_scalar(sql).bind(now - UNSUBSCRIBED_STORED_FOR).fetch_optional(&mut *connection).await?;
    let Some(feed) = left else { return Ok(None) };
    let sql = "DELETE FROM items WHERE id IN (SELECT id FROM items WHERE feed_id = ? LIMIT ?)";
    let at_most = i64::try_from(at_most).unwrap_or(i64::MAX);
    let gone = sqlx::query(sql).bind(feed).bind(at_most).execute(&mut *connection).await?.rows_affected();
    if gone == 0 {
        sqlx::query("DELETE FROM feeds WHERE id = ?").bind(feed).execute(connection).await?;
    }
    Ok(Some(usize::try_from(gone).unwrap_or(usize::MAX)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Library, LibraryError, NewSubscription};

    async fn subscribe(library: &Library, name: &str) -> i64 {
        let url = format!("https://a.example/{name}");
        let title = Some(name.to_owned());
        library.subscriptions().add(&NewSubscription { url, title, ..NewSubscription::default() }).await.unwrap()
    }

    async fn subscribed(library: &Library) -> Vec<i64> {
        library.feeds().list().await.unwrap().iter().map(|feed| feed.id).collect()
    }

    #[tokio::test]
    async fn undoing_restores_the_feeds_that_can_be_and_names_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let (rye, oats, plums) =
            (subscribe(&library, "rye").await, subscribe(&library, "oats").await, subscribe(&library, "plums").await);
        let all = library.feeds().unsubscribe(&[rye, oats, plums]).await.unwrap().step;
        let again = subscribe(&library, "oats").await;
        let sql = format!("DELETE FROM feeds WHERE id = {plums}");
        let mut writer = library.db.writer().await;
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(writer.connection()).await.unwrap();
        drop(writer);
        assert_eq!(library.undo(all).await.unwrap().lost_feeds, ["oats", "plums"]);
        assert_eq!(subscribed(&library).await, [rye, again]);
        assert!(matches!(library.undo(all).await, Err(LibraryError::NotFound("step"))), "it is undone");
    }

    #[tokio::test]
    async fn undoing_fails_where_no_feed_can_be_restored_and_can_be_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let rye = subscribe(&library, "rye").await;
        let step = library.feeds().unsubscribe(&[rye]).await.unwrap().step;
        let again = subscribe(&library, "rye").await;
        let refused = library.undo(step).await;
        assert!(matches!(refused, Err(LibraryError::AlreadySubscribed(id)) if id == again), "{refused:?}");
        library.feeds().unsubscribe(&[again]).await.unwrap();
        assert!(library.undo(step).await.unwrap().lost_feeds.is_empty());
        assert_eq!(subscribed(&library).await, [rye]);
    }
}
