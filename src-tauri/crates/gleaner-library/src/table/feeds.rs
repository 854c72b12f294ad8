//! `feeds`: the subscriptions. What the feed says of itself (`title`, `description`, `home_url`, `language`) and what the
//! user says of it (`custom_title`, `folder_id`, `position`) stand side by side; how polling it goes is in `polls`.
//! A feed that the user left keeps its row, with `unsubscribed_at`, for a day, so that it can be brought back whole.

use super::{Value, preferences, search::from_json};
use crate::{Library, LibraryError, Millis, Undoable, now, open::UNSUBSCRIBED_KEPT, undo::Undo};
use sqlx::SqliteConnection;
use url::Url;

/// A subscribed feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FeedRow {
    /// Its number.
    pub id: i64,
    /// Where it is fetched.
    pub url: String,
    /// Its own title.
    pub title: Option<String>,
    /// The user's name for it.
    pub custom_title: Option<String>,
    /// The site.
    pub home_url: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// When its icon came, where it has one.
    pub icon_at: Option<Millis>,
    /// `None`: in no folder.
    pub folder_id: Option<i64>,
    /// Bundled with Gleaner, never polled.
    pub local: bool,
    /// Attributes of its outline that we do not know, JSON.
    pub outline: Option<String>,
    /// Where it was fetched before it moved.
    pub former_url: Option<String>,
    /// The `file:` address that the user picked: no other file is read.
    pub picked_file: Option<String>,
}

impl FeedRow {
    /// The user's name for it, else its own, else its host, else its address.
    pub fn shown_title(&self) -> String {
        shown_title(self.custom_title.as_deref(), self.title.as_deref(), &self.url)
    }
}

/// What a query may ask of a feed, without the rest.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
pub struct FeedTexts {
    /// Its number.
    pub id: i64,
    /// Where it is fetched.
    pub url: String,
    /// The site.
    pub home_url: Option<String>,
    /// The user's name for it.
    pub custom_title: Option<String>,
    /// Its own title.
    pub title: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// `None`: in no folder.
    pub folder_id: Option<i64>,
}

impl FeedTexts {
    /// As [`FeedRow::shown_title`].
    pub fn shown_title(&self) -> String {
        shown_title(self.custom_title.as_deref(), self.title.as_deref(), &self.url)
    }
}

impl Library {
    /// What a query may ask of the subscribed feeds.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feed_texts(&self) -> Result<Vec<FeedTexts>, LibraryError> {
        let sql = "SELECT json_group_array(json_array(id, url, home_url, custom_title, title, language, folder_id))
             FROM feeds WHERE unsubscribed_at IS NULL";
        let feeds: String = sqlx::query_scalar(sql).fetch_one(&self.readers).await?;
        from_json(&feeds)
    }
}

pub(crate) fn shown_title(custom_title: Option<&str>, title: Option<&str>, url: &str) -> String {
    let named = |title: Option<&str>| title.map(str::trim).filter(|title| !title.is_empty()).map(str::to_owned);
    named(custom_title)
        .or_else(|| named(title))
        .or_else(|| Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)))
        .unwrap_or_else(|| url.to_owned())
}

/// What makes two addresses the same feed: the URL without its scheme (http and https are one), with its host
/// lower-cased, without default port, fragment and trailing slash. The query stays as it is.
pub fn feed_key(url: &str) -> String {
    let Ok(mut parsed) = Url::parse(url.trim()) else { return url.trim().to_owned() };
    parsed.set_fragment(None);
    let text = match parsed.scheme() {
        "http" | "https" => parsed.as_str().split_once("://").map_or(parsed.as_str(), |(_, rest)| rest),
        _ => parsed.as_str(),
    };
    match text.strip_suffix('/') {
        Some(shorter) if parsed.query().is_none() => shorter.to_owned(),
        _ => text.to_owned(),
    }
}

const COLUMNS: &str = "id, url, title, custom_title, home_url, language, CASE WHEN icon IS NOT NULL THEN ifnull(icon_at, 0) END AS icon_at, folder_id, local, outline, former_url, \
    picked_file";

impl Library {
    /// All subscribed feeds, in the order that they are shown in.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feeds(&self) -> Result<Vec<FeedRow>, LibraryError> {
        let sql = format!("SELECT {COLUMNS} FROM feeds WHERE unsubscribed_at IS NULL ORDER BY position, id");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.readers).await?)
    }

    /// One subscribed feed.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn feed(&self, id: i64) -> Result<FeedRow, LibraryError> {
        let sql = format!("SELECT {COLUMNS} FROM feeds WHERE id = ? AND unsubscribed_at IS NULL");
        sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(id)
            .fetch_optional(&self.readers)
            .await?
            .ok_or(LibraryError::NotFound("feed"))
    }

    /// The subscription to an address, where there is one.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feed_at(&self, url: &str) -> Result<Option<i64>, LibraryError> {
        Ok(sqlx::query_scalar("SELECT id FROM feeds WHERE account_id = 1 AND url_key = ? AND unsubscribed_at IS NULL")
            .bind(feed_key(url))
            .fetch_optional(&self.readers)
            .await?)
    }

    /// Gives a feed the user's own name; an empty one gives it back its own.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn rename_feed(&self, id: i64, title: &str) -> Result<(), LibraryError> {
        let title = Some(title.trim()).filter(|title| !title.is_empty());
        self.change_feed(
            "UPDATE feeds SET custom_title = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL",
            id,
            Value::Text(title),
        )
        .await
    }

    /// Lets a feed be read from its `file:` address, since the user picked that file.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn pick_file(&self, id: i64, url: &str) -> Result<(), LibraryError> {
        let sql = "UPDATE feeds SET picked_file = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL";
        self.change_feed(sql, id, Value::Text(Some(url))).await
    }

    /// Puts a feed into a folder, or out of all.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn move_feed(&self, id: i64, folder: Option<i64>) -> Result<(), LibraryError> {
        if let Some(folder) = folder {
            self.folder_exists(folder).await?;
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "UPDATE feeds SET folder_id = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL";
        let done = sqlx::query(sql).bind(id).bind(folder).execute(&mut *transaction).await?;
        if done.rows_affected() == 0 {
            return Err(LibraryError::NotFound("feed"));
        }
        preferences::moved(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Fetches a feed elsewhere from now on. Its validators and what is wrong belonged to the old address and go (politeness
    /// P11); its articles stay. One that is taken back to where it was before it moved stays there.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::AlreadySubscribed`] where another subscription has this address.
    pub async fn change_feed_url(&self, id: i64, url: &str) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let before: Option<Fetched> =
            sqlx::query_as("SELECT url, former_url, stays FROM feeds WHERE id = ? AND unsubscribed_at IS NULL")
                .bind(id)
                .fetch_optional(&mut *transaction)
                .await?;
        let before = before.ok_or(LibraryError::NotFound("feed"))?;
        let stays = before.former_url.as_deref().is_some_and(|former| feed_key(former) == feed_key(url));
        fetch_at(&mut transaction, id, &Fetched { url: url.to_owned(), former_url: None, stays }).await?;
        transaction.commit().await?;
        Ok(self.undo.push(1, Undo::ChangedAddress { feed: id, before }))
    }

    pub(crate) async fn restore_url(&self, id: i64, before: &Fetched) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        fetch_at(&mut transaction, id, before).await?;
        Ok(transaction.commit().await?)
    }

    async fn change_feed(&self, sql: &'static str, id: i64, value: Value<'_>) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let query = match value {
            Value::Text(text) => sqlx::query(sql).bind(id).bind(text),
            Value::Number(number) => sqlx::query(sql).bind(id).bind(number),
        };
        let done = query.execute(&mut *transaction).await?;
        if done.rows_affected() == 0 {
            return Err(LibraryError::NotFound("feed"));
        }
        Ok(transaction.commit().await?)
    }

    /// Keeps a feed that has fallen silent: that is not mentioned again until it has posted and fallen silent anew.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn keep_silent(&self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let before: Option<Option<Millis>> =
            sqlx::query_scalar("SELECT kept_silent FROM feeds WHERE id = ? AND unsubscribed_at IS NULL")
                .bind(id)
                .fetch_optional(&mut *transaction)
                .await?;
        let before = before.ok_or(LibraryError::NotFound("feed"))?;
        sqlx::query("UPDATE feeds SET kept_silent = (SELECT newest_at FROM polls WHERE feed_id = id) WHERE id = ?")
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(self.undo.push(1, Undo::KeptSilent { feed: id, before }))
    }

    pub(crate) async fn restore_silent(&self, id: i64, before: Option<Millis>) -> Result<(), LibraryError> {
        self.change_feed("UPDATE feeds SET kept_silent = ?2 WHERE id = ?1", id, Value::Number(before)).await
    }

    /// Leaves feeds, all of them or none. They and their articles are gone from every list, and can be brought back for a day.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn unsubscribe(&self, ids: &[i64]) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let at = now();
        for id in ids {
            let sql = "UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL";
            if sqlx::query(sql).bind(id).bind(at).execute(&mut *transaction).await?.rows_affected() == 0 {
                return Err(LibraryError::NotFound("feed"));
            }
        }
        transaction.commit().await?;
        Ok(self.undo.push(ids.len(), Undo::Unsubscribed(ids.to_vec())))
    }

    pub(crate) async fn resubscribe(&self, ids: &[i64]) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        for id in ids {
            resubscribe(&mut transaction, *id).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Where a feed is fetched.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct Fetched {
    url: String,
    /// Where it was before it moved.
    former_url: Option<String>,
    /// It is not to be followed.
    stays: bool,
}

async fn fetch_at(connection: &mut SqliteConnection, id: i64, at: &Fetched) -> Result<(), LibraryError> {
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
                error_code = NULL, error_message = NULL, error_detail = NULL, error_since = NULL, fresh_seconds = NULL, bare = 0,
                final_url = NULL, offered_url = NULL, offered_title = NULL, moved_to = NULL, moved_times = 0, moved_since = NULL
         WHERE feed_id = ?1",
    )
    .bind(id)
    .bind(now())
    .execute(connection)
    .await?;
    Ok(())
}

/// Brings a feed back that was left no longer ago than it is kept: after that some of its articles may be gone.
pub(crate) async fn resubscribe(connection: &mut SqliteConnection, id: i64) -> Result<(), LibraryError> {
    let sql = "UPDATE OR IGNORE feeds SET unsubscribed_at = NULL WHERE id = ?1 AND ifnull(unsubscribed_at >= ?2, TRUE)";
    let done = sqlx::query(sql).bind(id).bind(now() - UNSUBSCRIBED_KEPT).execute(connection).await?;
    if done.rows_affected() == 0 {
        return Err(LibraryError::NotFound("feed"));
    }
    Ok(())
}

/// Deletes some articles of a feed that was left too long ago to be brought back, or the feed where it has no more. Says how many
/// articles; `None` where there is no such feed.
pub(crate) async fn delete_some(
    connection: &mut SqliteConnection,
    now: Millis,
    at_most: usize,
) -> Result<Option<usize>, LibraryError> {
    let sql = "SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL AND unsubscribed_at < ? LIMIT 1";
    let left: Option<i64> =
        sqlx::query_scalar(sql).bind(now - UNSUBSCRIBED_KEPT).fetch_optional(&mut *connection).await?;
    let Some(feed) = left else { return Ok(None) };
    let sql = "DELETE FROM items WHERE id IN (SELECT id FROM items WHERE feed_id = ? LIMIT ?)";
    let at_most = i64::try_from(at_most).unwrap_or(i64::MAX);
    let gone = sqlx::query(sql).bind(feed).bind(at_most).execute(&mut *connection).await?.rows_affected();
    if gone == 0 {
        sqlx::query("DELETE FROM feeds WHERE id = ?").bind(feed).execute(connection).await?;
    }
    Ok(Some(usize::try_from(gone).unwrap_or(usize::MAX)))
}

/// Takes over the address that a feed has moved to, and remembers the old one (politeness P37). Where another subscription has
/// that address nothing happens: the two are offered for merging instead.
pub(crate) async fn follow(connection: &mut SqliteConnection, id: i64, url: &str) -> sqlx::Result<()> {
    sqlx::query("UPDATE OR IGNORE feeds SET former_url = url, url = ?2, url_key = ?3 WHERE id = ?1 AND stays = 0")
        .bind(id)
        .bind(url)
        .bind(feed_key(url))
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::NewSubscription;

    #[tokio::test]
    async fn an_address_comes_back_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let url = "https://a.example/old".to_owned();
        let id = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        let run = async |sql: &'static str| {
            let mut writer = library.writer().await;
            sqlx::raw_sql(sql).execute(writer.connection()).await.unwrap();
        };
        run("UPDATE feeds SET former_url = 'https://a.example/older', stays = 1").await;
        let step = library.change_feed_url(id, "https://a.example/new").await.unwrap().step;
        run("CREATE TRIGGER fails BEFORE UPDATE OF former_url ON feeds WHEN new.former_url IS NOT NULL BEGIN SELECT RAISE(ABORT, 'no'); END").await;
        library.undo(step).await.unwrap_err();
        assert_eq!(library.feed(id).await.unwrap().url, "https://a.example/new");
        run("DROP TRIGGER fails").await;
        library.undo(step).await.unwrap();
        let feed = library.feed(id).await.unwrap();
        assert_eq!(
            (feed.url.as_str(), feed.former_url.as_deref()),
            ("https://a.example/old", Some("https://a.example/older"))
        );
        let stays: bool = sqlx::query_scalar("SELECT stays FROM feeds").fetch_one(&library.readers).await.unwrap();
        assert!(stays, "it was taken back once, and is not followed again");
    }

    #[test]
    fn the_same_feed_has_one_key() {
        let key = feed_key("https://example.com/feed");
        for same in [
            "http://example.com/feed",
            " https://EXAMPLE.com/feed ",
            "https://example.com:443/feed/",
            "https://example.com/feed#top",
        ] {
            assert_eq!(feed_key(same), key, "{same}");
        }
        for other in [
            "https://example.com/Feed",
            "https://example.com/feed?x=1",
            "https://example.com:8080/feed",
            "https://example.org/feed",
        ] {
            assert_ne!(feed_key(other), key, "{other}");
        }
        assert_eq!(feed_key("gleaner:welcome"), "gleaner:welcome");
    }
}
