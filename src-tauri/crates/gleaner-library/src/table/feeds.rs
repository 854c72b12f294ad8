//! `feeds`: the subscriptions. The feed's own data (`title`, `description`, `home_url`, `language`) and the user's (`custom_title`,
//! `folder_id`, `position`) are separate columns; the state of polling is in `polls`. An unsubscribed feed keeps its row, with
//! `unsubscribed_at`, for a day in which it can be restored.

use crate::{
    FeedHead, LOCAL_ACCOUNT, LibraryError, Millis, Refusal, Undoable,
    database::{Database, Value, repository, undo::UndoStep},
    feed_key,
    json::from_json,
    table::feed_playback::{self, FeedPlayback},
};
use futures::future::BoxFuture;
use serde::Deserialize;
use sqlx::{SqliteConnection, SqliteExecutor};
use url::Url;

/// A subscribed feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FeedRow {
    /// Id.
    pub id: i64,
    /// Address of the feed.
    pub url: String,
    /// The feed's own title.
    pub title: Option<String>,
    /// The user's title for it.
    pub custom_title: Option<String>,
    /// Address of the site.
    pub home_url: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// When its icon was stored, if it has one.
    pub icon_at: Option<Millis>,
    /// Id of its folder; `None`: no folder.
    pub folder_id: Option<i64>,
    /// Id of its account; [`LOCAL_ACCOUNT`] if Gleaner polls it.
    pub account_id: i64,
    /// Bundled with Gleaner, never polled.
    pub local: bool,
    /// Unknown attributes of its outline, JSON.
    pub outline: Option<String>,
    /// The address that it moved from.
    pub former_url: Option<String>,
    /// The `file:` address that the user picked; no other file is read.
    pub picked_file: Option<String>,
    /// How its episodes are played.
    #[sqlx(flatten)]
    pub playback: FeedPlayback,
}

impl FeedRow {
    /// Returns the user's title, else the feed's own, else its host, else its address.
    pub fn shown_title(&self) -> String {
        shown_title(self.custom_title.as_deref(), self.title.as_deref(), &self.url)
    }
}

/// The data of a feed that queries need.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct FeedTexts {
    /// Id.
    pub id: i64,
    /// Address of the feed.
    pub url: String,
    /// Address of the site.
    pub home_url: Option<String>,
    /// The user's title for it.
    pub custom_title: Option<String>,
    /// The feed's own title.
    pub title: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// Id of its folder; `None`: no folder.
    pub folder_id: Option<i64>,
}

impl FeedTexts {
    /// As [`FeedRow::shown_title`].
    pub fn shown_title(&self) -> String {
        shown_title(self.custom_title.as_deref(), self.title.as_deref(), &self.url)
    }
}

repository!(
    /// The subscribed feeds.
    Feeds
);

impl Feeds<'_> {
    /// Returns the data of the subscribed feeds that queries need.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn query_texts(self) -> Result<Vec<FeedTexts>, LibraryError> {
        let sql = "SELECT json_group_array(json_array(id, url, home_url, custom_title, title, language, folder_id))
             FROM feeds WHERE unsubscribed_at IS NULL";
        let feeds: String = sqlx::query_scalar(sql).fetch_one(&self.db.readers).await?;
        from_json(&feeds)
    }
}

/// Returns the title of a feed in a list of subscriptions: its address if it has none. Readers recognise that an address is not a name that
/// the user chose.
pub(crate) fn listed_title(custom_title: Option<&str>, title: Option<&str>, url: &str) -> String {
    let is_named = [custom_title, title].into_iter().flatten().any(|title| !title.trim().is_empty());
    if is_named { shown_title(custom_title, title, url) } else { url.to_owned() }
}

pub(crate) fn shown_title(custom_title: Option<&str>, title: Option<&str>, url: &str) -> String {
    // A title is one line.
    let named = |title: Option<&str>| {
        let title = title?.trim();
        let line = || title.split(char::is_control).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>();
        let title = if title.contains(char::is_control) { line().join(" ") } else { title.to_owned() };
        Some(title).filter(|title| !title.is_empty())
    };
    named(custom_title)
        .or_else(|| named(title))
        .or_else(|| Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)))
        .unwrap_or_else(|| url.to_owned())
}

/// How long an unsubscribed feed can be restored.
pub(crate) const UNSUBSCRIBED_STORED_FOR: Millis = 24 * 60 * 60 * 1000;

const COLUMNS: &str = "id, url, title, custom_title, home_url, language, CASE WHEN icon IS NOT NULL THEN ifnull(icon_at, 0) END AS icon_at, folder_id, account_id, local, outline, former_url, \
    picked_file, playback_speed, skip_intro, skip_outro";

impl Feeds<'_> {
    /// Returns all subscribed feeds, in order.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<FeedRow>, LibraryError> {
        Ok(list(&self.db.readers).await?)
    }

    /// Returns one subscribed feed.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn get(self, id: i64) -> Result<FeedRow, LibraryError> {
        get(&self.db.readers, id).await
    }

    /// Returns the id of the subscription with an address.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn find_by_url(self, url: &str) -> Result<Option<i64>, LibraryError> {
        Ok(find_by_key(&self.db.readers, LOCAL_ACCOUNT, &feed_key(url)).await?)
    }

    /// Returns the id of the subscription with an address, of this computer or else of an account.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn find_in_any_account(self, url: &str) -> Result<Option<i64>, LibraryError> {
        Ok(find_in_any_account(&self.db.readers, &feed_key(url)).await?)
    }

    /// Sets the user's title for a feed; an empty one removes it.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn rename(self, id: i64, title: &str) -> Result<Undoable, LibraryError> {
        let row = get(&self.db.readers, id).await?;
        // The server may have stored the new title, so the former one is sent to it.
        let before = row.custom_title.or_else(|| row.title.filter(|_| row.account_id != LOCAL_ACCOUNT));
        self.set_title(id, Some(title.trim()).filter(|title| !title.is_empty())).await?;
        Ok(self.db.undo.push(1, Renamed { id, before }))
    }

    async fn set_title(self, id: i64, title: Option<&str>) -> Result<(), LibraryError> {
        let sql = "UPDATE feeds SET custom_title = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL";
        self.update(sql, id, Value::Text(title)).await
    }

    /// Allows reading a feed from its `file:` address, because the user picked that file.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn pick_file(self, id: i64, url: &str) -> Result<(), LibraryError> {
        let sql = "UPDATE feeds SET picked_file = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL";
        self.update(sql, id, Value::Text(Some(url))).await
    }

    /// Sets how the episodes of a feed are played.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Refused`] for an invalid value; when the library cannot be written.
    pub async fn set_playback(self, id: i64, playback: FeedPlayback) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        feed_playback::set_playback(&mut transaction, id, playback).await?;
        Ok(transaction.commit().await?)
    }

    /// Returns whether a feed has articles with audio or video.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn has_media(self, id: i64) -> Result<bool, LibraryError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM items WHERE feed_id = ? AND media IS NOT NULL)";
        Ok(sqlx::query_scalar(sql).bind(id).fetch_one(&self.db.readers).await?)
    }

    async fn update(self, sql: &'static str, id: i64, value: Value<'_>) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
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

    /// Dismisses the inactivity of a feed until it has posted and become inactive again.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn dismiss_inactive(self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
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
        Ok(self.db.undo.push(1, InactivityDismissed { feed: id, before }))
    }

    async fn restore_inactive(self, id: i64, before: Option<Millis>) -> Result<(), LibraryError> {
        self.update("UPDATE feeds SET kept_silent = ?2 WHERE id = ?1", id, Value::Number(before)).await
    }

    /// Returns the metadata of a feed.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn head(self, feed: i64) -> Result<FeedHead, LibraryError> {
        head(&self.db.readers, feed).await
    }

    /// Returns the description of a feed.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn description(self, feed: i64) -> Result<Option<String>, LibraryError> {
        let sql = "SELECT description FROM feeds WHERE id = ? AND unsubscribed_at IS NULL";
        sqlx::query_scalar(sql).bind(feed).fetch_optional(&self.db.readers).await?.ok_or(LibraryError::NotFound("feed"))
    }
}

/// Returns the metadata of a feed.
pub(crate) async fn head<'c>(reader: impl SqliteExecutor<'c>, feed: i64) -> Result<FeedHead, LibraryError> {
    let sql = "SELECT head FROM feeds WHERE id = ? AND unsubscribed_at IS NULL";
    let json: Option<Option<String>> = sqlx::query_scalar(sql).bind(feed).fetch_optional(reader).await?;
    let json = json.ok_or(LibraryError::NotFound("feed"))?;
    Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

/// Returns whether a server fetches a feed.
pub(crate) async fn is_of_server<'c>(reader: impl SqliteExecutor<'c>, id: i64) -> sqlx::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM feeds WHERE id = ? AND account_id <> 1)";
    sqlx::query_scalar(sql).bind(id).fetch_one(reader).await
}

/// Returns all subscribed feeds, in order.
pub(crate) async fn list<'c>(reader: impl SqliteExecutor<'c>) -> sqlx::Result<Vec<FeedRow>> {
    let sql = format!("SELECT {COLUMNS} FROM feeds WHERE unsubscribed_at IS NULL ORDER BY position, id");
    sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(reader).await
}

/// Returns one subscribed feed.
pub(crate) async fn get<'c>(reader: impl SqliteExecutor<'c>, id: i64) -> Result<FeedRow, LibraryError> {
    let sql = format!("SELECT {COLUMNS} FROM feeds WHERE id = ? AND unsubscribed_at IS NULL");
    let found = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(reader).await?;
    found.ok_or(LibraryError::NotFound("feed"))
}

/// Returns the subscribed feed of an account with this `url_key`.
pub(crate) async fn find_by_key(reader: impl SqliteExecutor<'_>, account: i64, key: &str) -> sqlx::Result<Option<i64>> {
    let sql = "SELECT id FROM feeds WHERE account_id = ? AND url_key = ? AND unsubscribed_at IS NULL";
    sqlx::query_scalar(sql).bind(account).bind(key).fetch_optional(reader).await
}

/// Returns the id of the subscription with this key, of this computer or else of an account.
pub(crate) async fn find_in_any_account(reader: impl SqliteExecutor<'_>, key: &str) -> sqlx::Result<Option<i64>> {
    // This computer is the first account.
    let sql = "SELECT f.id FROM accounts a CROSS JOIN feeds f ON f.account_id = a.id AND f.url_key = ? AND f.unsubscribed_at IS NULL
         ORDER BY a.id LIMIT 1";
    sqlx::query_scalar(sql).bind(key).fetch_optional(reader).await
}

/// Returns the average number of words of a feed's newest articles.
pub(crate) async fn average_words<'c>(reader: impl SqliteExecutor<'c>, feed: i64) -> sqlx::Result<Option<f64>> {
    let sql = "SELECT avg(word_count) FROM (SELECT word_count FROM items WHERE feed_id = ? ORDER BY sort_at DESC, id DESC LIMIT 30)";
    sqlx::query_scalar(sql).bind(feed).fetch_one(reader).await
}

/// The newest article when the feed's inactivity was dismissed before.
#[derive(Debug)]
struct InactivityDismissed {
    feed: i64,
    before: Option<Millis>,
}

/// A feed that the user renamed, and the title that the user had given it before.
#[derive(Debug)]
struct Renamed {
    id: i64,
    before: Option<String>,
}

impl UndoStep for Renamed {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Feeds::new(db).set_title(self.id, self.before.as_deref()).await })
    }
}

impl UndoStep for InactivityDismissed {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Feeds::new(db).restore_inactive(self.feed, self.before).await })
    }
}

/// Changes the address of a feed that has moved, and stores the old one (politeness P37). If another subscription has the new address,
/// nothing changes, and merging them is suggested to the user.
pub(crate) async fn set_moved_address(connection: &mut SqliteConnection, id: i64, url: &str) -> sqlx::Result<()> {
    sqlx::query("UPDATE OR IGNORE feeds SET former_url = url, url = ?2, url_key = ?3 WHERE id = ?1 AND stays = 0")
        .bind(id)
        .bind(url)
        .bind(feed_key(url))
        .execute(connection)
        .await?;
    Ok(())
}

/// Maximum number of merges in a row that are followed.
const MAX_MERGES: usize = 8;

/// Returns the article itself, or its counterpart in the feed that its unsubscribed feed was merged into.
///
/// # Errors
/// [`LibraryError::NotFound`]; [`LibraryError::Refused`] if its feed is unsubscribed and it has no counterpart.
pub(crate) async fn in_a_subscription(
    db: &Database,
    connection: &mut SqliteConnection,
    mut item: i64,
) -> Result<i64, LibraryError> {
    for _ in 0..MAX_MERGES {
        let sql = "SELECT f.unsubscribed_at IS NOT NULL FROM items i JOIN feeds f ON f.id = i.feed_id WHERE i.id = ?";
        let left: Option<bool> = sqlx::query_scalar(sql).bind(item).fetch_optional(&mut *connection).await?;
        if !left.ok_or(LibraryError::NotFound("article"))? {
            return Ok(item);
        }
        let Some(counterpart) = db.undo.counterpart(item) else { break };
        item = counterpart;
    }
    Err(LibraryError::from(Refusal::FeedUnsubscribed))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Library;
    use crate::NewSubscription;

    #[tokio::test]
    async fn undoing_a_change_of_address_restores_all_of_it_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let id = library.subscriptions().add(&NewSubscription::new("https://a.example/old")).await.unwrap();
        let run = async |sql: &'static str| {
            let mut writer = library.db.writer().await;
            sqlx::raw_sql(sql).execute(writer.connection()).await.unwrap();
        };
        run("UPDATE feeds SET former_url = 'https://a.example/older', stays = 1").await;
        let step = library.feeds().set_url(id, "https://a.example/new").await.unwrap().step;
        run("CREATE TRIGGER fails BEFORE UPDATE OF former_url ON feeds WHEN new.former_url IS NOT NULL BEGIN SELECT RAISE(ABORT, 'no'); END").await;
        library.undo(step).await.unwrap_err();
        assert_eq!(library.feeds().get(id).await.unwrap().url, "https://a.example/new");
        run("DROP TRIGGER fails").await;
        library.undo(step).await.unwrap();
        let feed = library.feeds().get(id).await.unwrap();
        assert_eq!(
            (feed.url.as_str(), feed.former_url.as_deref()),
            ("https://a.example/old", Some("https://a.example/older"))
        );
        let stays: bool = sqlx::query_scalar("SELECT stays FROM feeds").fetch_one(&library.db.readers).await.unwrap();
        assert!(stays, "it was taken back once, and is not followed again");
    }
}
