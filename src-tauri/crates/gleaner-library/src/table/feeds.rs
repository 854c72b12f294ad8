//! `feeds`: the subscriptions. What the feed says of itself (`title`, `description`, `home_url`, `language`) and what the
//! user says of it (`custom_title`, `folder_id`, `position`) stand side by side; how polling it goes is in `polls`.
//! A feed that the user left keeps its row, with `unsubscribed_at`, for a day, so that it can be brought back whole.

use super::Value;
use crate::{Library, LibraryError, Undoable, now, undo::Undo};
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
    /// A `data:` URL.
    pub icon: Option<String>,
    /// `None`: in no folder.
    pub folder_id: Option<i64>,
    /// Bundled with Gleaner, never polled.
    pub local: bool,
    /// Attributes of its outline that we do not know, JSON.
    pub outline: Option<String>,
}

impl FeedRow {
    /// The user's name for it, else its own, else its host, else its address.
    pub fn shown_title(&self) -> String {
        let named = |title: &Option<String>| {
            title.as_deref().map(str::trim).filter(|title| !title.is_empty()).map(str::to_owned)
        };
        named(&self.custom_title)
            .or_else(|| named(&self.title))
            .or_else(|| Url::parse(&self.url).ok().and_then(|url| url.host_str().map(str::to_owned)))
            .unwrap_or_else(|| self.url.clone())
    }
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

const COLUMNS: &str = "id, url, title, custom_title, home_url, icon, folder_id, local, outline";

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

    /// Puts a feed into a folder, or out of all.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn move_feed(&self, id: i64, folder: Option<i64>) -> Result<(), LibraryError> {
        if let Some(folder) = folder {
            self.folder_exists(folder).await?;
        }
        self.change_feed(
            "UPDATE feeds SET folder_id = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL",
            id,
            Value::Number(folder),
        )
        .await
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

    /// Leaves a feed. It and its articles are gone from every list, and can be brought back for a day.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn unsubscribe(&self, id: i64) -> Result<Undoable, LibraryError> {
        self.change_feed(
            "UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1 AND unsubscribed_at IS NULL",
            id,
            Value::Number(Some(now())),
        )
        .await?;
        Ok(self.undo.push(1, Undo::Unsubscribed(id)))
    }

    pub(crate) async fn resubscribe(&self, id: i64) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let done = sqlx::query("UPDATE OR IGNORE feeds SET unsubscribed_at = NULL WHERE id = ?")
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        if done.rows_affected() == 0 {
            return Err(LibraryError::NotFound("feed"));
        }
        Ok(transaction.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    use super::feed_key;

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
