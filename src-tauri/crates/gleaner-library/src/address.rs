//! Changes the address of a feed, and undoes that.

use crate::{
    LibraryError, Millis, Refusal, Undoable,
    database::{Database, undo::UndoStep},
    feed_key,
    json::json,
    table::{
        access::{self, Access},
        feeds::{Feeds, is_of_server},
        logins::{self, Place},
        preferences,
    },
};
use futures::future::BoxFuture;
use gleaner_address::is_web;
use sqlx::SqliteConnection;
use url::Url;

impl Feeds<'_> {
    /// Changes the address of a feed. Its validators and errors belonged to the old address and are removed (politeness P11); its articles
    /// stay. A feed that returns to the address it moved from stays there. A login in the address becomes the feed's. A feed that was never
    /// checked automatically because it had no web address is checked like others.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::AlreadySubscribed`] if another subscription has this address.
    pub async fn set_url(self, id: i64, url: &str) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let before: Option<Fetched> =
            sqlx::query_as("SELECT url, former_url, stays FROM feeds WHERE id = ? AND unsubscribed_at IS NULL")
                .bind(id)
                .fetch_optional(&mut *transaction)
                .await?;
        let before = before.ok_or(LibraryError::NotFound("feed"))?;
        if is_of_server(&mut *transaction, id).await? {
            return Err(Refusal::FeedOfServer.into());
        }
        let stays = before.former_url.as_deref().is_some_and(|former| feed_key(former) == feed_key(url));
        let Place { url, login, there, .. } = logins::place(&mut transaction, url, Some(id)).await?;
        if let Some(other) = there {
            return Err(LibraryError::AlreadySubscribed(other));
        }
        let access = match &login {
            Some(_) => Some(access::get(&mut transaction, id).await?.map(Box::new)),
            None => None,
        };
        let is_checked_now = !has_web_address(&before.url)
            && has_web_address(&url)
            && sqlx::query("UPDATE feeds SET refresh_minutes = NULL WHERE id = ? AND refresh_minutes = 0")
                .bind(id)
                .execute(&mut *transaction)
                .await?
                .rows_affected()
                > 0;
        fetch_at(&mut transaction, id, &Fetched { url, former_url: None, stays }, self.db.now()).await?;
        if let Some(login) = &login {
            logins::store(&mut transaction, id, login, true).await?;
        }
        transaction.commit().await?;
        Ok(self.db.undo.push(1, AddressChanged { feed: id, before, access, is_checked_now }))
    }

    async fn restore_url(self, change: &AddressChanged) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        fetch_at(&mut transaction, change.feed, &change.before, self.db.now()).await?;
        match &change.access {
            Some(Some(access)) => access::write(&mut transaction, access).await?,
            Some(None) => access::remove(&mut transaction, change.feed).await?,
            None => {}
        }
        if change.is_checked_now {
            // Unless the user chose an interval since.
            sqlx::query("UPDATE feeds SET refresh_minutes = 0 WHERE id = ? AND refresh_minutes IS NULL")
                .bind(change.feed)
                .execute(&mut *transaction)
                .await?;
            preferences::update_next_polls_of(&mut transaction, &json(&[change.feed])?, self.db.now()).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// The address before.
#[derive(Debug)]
struct AddressChanged {
    feed: i64,
    before: Fetched,
    /// The connection settings before, where the new address contained a login.
    access: Option<Option<Box<Access>>>,
    /// Whether the feed was never checked automatically before, since that was not a web address.
    is_checked_now: bool,
}

impl UndoStep for AddressChanged {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Feeds::new(db).restore_url(self).await })
    }

    fn keyring_entry(&self) -> Option<&str> {
        self.access.as_ref()?.as_ref()?.keyring_entry.as_deref()
    }
}

fn has_web_address(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| is_web(&url))
}

/// The address of a feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
struct Fetched {
    url: String,
    /// The address that it moved from.
    former_url: Option<String>,
    /// Redirects to a new address are not followed.
    stays: bool,
}

async fn fetch_at(connection: &mut SqliteConnection, id: i64, at: &Fetched, now: Millis) -> Result<(), LibraryError> {
    let key = feed_key(&at.url);
    let other: Option<i64> = sqlx::query_scalar(
        "SELECT id FROM feeds WHERE account_id = 1 AND url_key = ? AND unsubscribed_at IS NULL AND id <> ?",
    )
    .bind(&key)
    .bind(id)
    .fetch_optional(&mut *connection)
    .await?;
    if let Some(other) = other {
        return Err(LibraryError::AlreadySubscribed(other));
    }
    let done = sqlx::query(
        "UPDATE feeds SET url = ?2, url_key = ?3, former_url = ?4, stays = ?5 WHERE id = ?1 AND unsubscribed_at IS NULL",
    )
    .bind(id)
    .bind(&at.url)
    .bind(key)
    .bind(&at.former_url)
    .bind(at.stays)
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 0 {
        return Err(LibraryError::NotFound("feed"));
    }
    sqlx::query(
        "UPDATE polls SET etag = NULL, last_modified = NULL, body_digest = NULL, next_at = ?2, next_reason = NULL, failures = 0,
                error_code = NULL, error_parameters = '{}', error_since = NULL, fresh_seconds = NULL, bare = 0,
                final_url = NULL, offered_url = NULL, offered_title = NULL, moved_to = NULL, moved_times = 0, moved_since = NULL,
                private = nullif(private, 1)
         WHERE feed_id = ?1",
    )
    .bind(id)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{FeedScope, Library, NewSubscription, Preferences};

    async fn checks(library: &Library, feed: i64) -> (Option<i64>, bool) {
        let own = library.preferences().get(FeedScope::Feed(feed)).await.unwrap().own;
        let sql = "SELECT next_at IS NOT NULL FROM polls WHERE feed_id = ?";
        let due = sqlx::query_scalar(sql).bind(feed).fetch_one(&library.db.readers).await.unwrap();
        (own.refresh_minutes, due)
    }

    #[tokio::test]
    async fn a_feed_without_a_web_address_is_checked_once_it_has_one() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let imported = |url: &str| NewSubscription { refresh_minutes: Some(0), ..NewSubscription::new(url) };
        let feed = library.subscriptions().add(&imported("htp:/oops")).await.unwrap();
        let step = library.feeds().set_url(feed, "https://a.example/feed").await.unwrap().step;
        assert_eq!(checks(&library, feed).await, (None, true));
        library.undo(step).await.unwrap();
        assert_eq!(checks(&library, feed).await, (Some(0), false));

        let step = library.feeds().set_url(feed, "https://a.example/feed").await.unwrap().step;
        let hourly = Preferences { refresh_minutes: Some(60), ..Preferences::default() };
        library.preferences().set(FeedScope::Feed(feed), hourly).await.unwrap();
        library.undo(step).await.unwrap();
        assert_eq!(checks(&library, feed).await.0, Some(60), "the user chose it since");

        let never = library.subscriptions().add(&imported("https://a.example/never")).await.unwrap();
        library.feeds().set_url(never, "https://a.example/other").await.unwrap();
        assert_eq!(checks(&library, never).await.0, Some(0), "the user's own choice stays");
        let odd = library.subscriptions().add(&imported("htp:/odd")).await.unwrap();
        library.feeds().set_url(odd, "htp:/other").await.unwrap();
        assert_eq!(checks(&library, odd).await.0, Some(0));
    }
}
