//! Preferences of feeds, of the feeds in a folder, and of all feeds, in columns of `feeds` and `folders` and in the setting [`SETTING`].
//! Each preference is resolved separately, the nearest first: the feed's own, or else that of its folder, of the folder around it, or of
//! all feeds. The view `folder_preferences` resolves them for folders. The view `feed_preferences` resolves them for feeds, from the rows
//! of feeds (`own_preferences`), the folders, and the setting for all feeds (`preferences_of_all`). For all feeds, `ahead` is in
//! [`crate::OfflineSettings`]; when full texts are fetched and whether images are loaded are settings of the window. Retention policies are
//! in [`super::retention_policies`].

use crate::{
    DownloadKind, FeedScope, FullTextWhen, LibraryError, Millis, Refusal, database::repository, download_settings,
    json::json, table::settings::set,
};
use serde::{Deserialize, Serialize};
use sqlx::{SqliteConnection, SqliteExecutor};
use std::collections::HashMap;

/// The setting with the preferences of all feeds.
pub(crate) const SETTING: &str = "preferences";
/// The stored [`Preferences::refresh_minutes`] of an interval that is automatic, regardless of the folders.
pub(crate) const BEST: i64 = -1;
/// Maximum update interval in minutes: ten years.
const MAX_INTERVAL: i64 = 10 * 366 * 24 * 60;

/// The preferences of one scope, or the effective ones; `None`: inherited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, sqlx::FromRow)]
#[serde(default)]
pub struct Preferences {
    /// Minutes between polls; 0: never automatically; -1, or if nothing is set: automatic.
    pub refresh_minutes: Option<i64>,
    /// Downloads for offline reading, as [`crate::OfflineContent::bits`].
    #[serde(rename = "ahead")]
    #[sqlx(rename = "ahead")]
    pub offline: Option<i64>,
    /// When full texts are fetched on opening, as [`FullTextWhen::number`].
    pub full_text_when: Option<i64>,
    /// Articles open with their full text if there is one.
    pub full_text_first: Option<bool>,
    /// Remote images are shown.
    pub load_images: Option<bool>,
    /// New articles are notified.
    pub notify: Option<bool>,
}

/// Ids of the folders that a preference is inherited from; `None`: from all feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, sqlx::FromRow)]
#[allow(missing_docs)] // They are those of `Preferences`.
pub struct PreferenceSources {
    pub refresh_minutes_of: Option<i64>,
    #[sqlx(rename = "ahead_of")]
    pub offline_of: Option<i64>,
    pub full_text_when_of: Option<i64>,
    pub full_text_first_of: Option<i64>,
    pub load_images_of: Option<i64>,
    pub notify_of: Option<i64>,
}

/// Preferences of a feed or folder, and those that it inherits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScopePreferences {
    /// Its own.
    pub own: Preferences,
    /// Inherited from its folders, or else from those settings for all feeds that the library stores.
    pub inherited: Preferences,
    /// The folders that they come from.
    pub by: PreferenceSources,
}

impl Preferences {
    /// Returns these preferences, completed with the others.
    #[must_use]
    pub fn or(self, further: Self) -> Self {
        Self {
            refresh_minutes: self.refresh_minutes.or(further.refresh_minutes),
            offline: self.offline.or(further.offline),
            full_text_when: self.full_text_when.or(further.full_text_when),
            full_text_first: self.full_text_first.or(further.full_text_first),
            load_images: self.load_images.or(further.load_images),
            notify: self.notify.or(further.notify),
        }
    }

    /// Removes invalid values, which archives may have.
    #[must_use]
    pub fn repaired(self) -> Self {
        Self {
            refresh_minutes: self.refresh_minutes.filter(|minutes| (BEST..=MAX_INTERVAL).contains(minutes)),
            offline: self.offline.filter(|bits| (0..=3).contains(bits)),
            full_text_when: self.full_text_when.filter(|when| FullTextWhen::of_number(*when).is_some()),
            ..self
        }
    }
}

#[derive(sqlx::FromRow)]
struct Inherited {
    #[sqlx(flatten)]
    preferences: Preferences,
    #[sqlx(flatten)]
    by: PreferenceSources,
}

repository!(
    /// Preferences of feeds, folders and all feeds.
    PreferenceStore
);

impl PreferenceStore<'_> {
    /// Returns the preferences of a feed, a folder or all feeds, and the inherited ones.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn get(self, scope: FeedScope) -> Result<ScopePreferences, LibraryError> {
        let mut reader = self.db.readers.acquire().await?;
        let all = of_all(&mut reader).await?;
        let offline = Preferences {
            offline: Some(download_settings::of_all(&mut reader).await?.all.bits()),
            ..Preferences::default()
        };
        let (id, own, around) = match scope {
            FeedScope::All => return Ok(ScopePreferences { own: all, ..ScopePreferences::default() }),
            FeedScope::Folder(id) => {
                let own: Option<Preferences> = sqlx::query_as(OF_FOLDER).bind(id).fetch_optional(&mut *reader).await?;
                let around =
                    "SELECT * FROM folder_preferences WHERE folder_id = (SELECT parent_id FROM folders WHERE id = ?)";
                (id, own.ok_or(LibraryError::NotFound("folder"))?, around)
            }
            FeedScope::Feed(id) => {
                let sql = "SELECT o.* FROM own_preferences o JOIN feeds f ON f.id = o.feed_id WHERE f.id = ? AND f.unsubscribed_at IS NULL";
                let own: Option<Preferences> = sqlx::query_as(sql).bind(id).fetch_optional(&mut *reader).await?;
                let around =
                    "SELECT * FROM folder_preferences WHERE folder_id = (SELECT folder_id FROM feeds WHERE id = ?)";
                (id, own.ok_or(LibraryError::NotFound("feed"))?, around)
            }
        };
        let inherited: Option<Inherited> = sqlx::query_as(around).bind(id).fetch_optional(&mut *reader).await?;
        let (inherited, by) = inherited.map_or_else(Default::default, |found| (found.preferences, found.by));
        Ok(ScopePreferences { own, inherited: inherited.or(offline).or(all), by })
    }

    /// Returns the effective preferences of a feed, as far as the library stores them.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn effective(self, feed: i64) -> Result<Preferences, LibraryError> {
        effective(&self.db.readers, feed).await
    }

    /// Sets the preferences of a feed, a folder or all feeds. Updates the feeds' next polls, and removes queued downloads that no
    /// preference asks for any more. For all feeds, `ahead`, `full_text_when` and `load_images` are set elsewhere.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Refused`] for an invalid value; when the library cannot be written.
    pub async fn set(self, scope: FeedScope, new: Preferences) -> Result<(), LibraryError> {
        if new != new.repaired() {
            return Err(LibraryError::from(Refusal::Preference));
        }
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        download_settings::begin(&mut transaction).await?;
        set_in(&mut transaction, scope, new).await?;
        update_next_polls(&mut transaction, self.db.now()).await?;
        download_settings::remove_unwanted(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Returns the feeds with a preference for loading images, their own or of a folder.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn image_loading(self) -> Result<HashMap<i64, bool>, LibraryError> {
        let sql = "SELECT feed_id, load_images FROM feed_preferences WHERE load_images IS NOT NULL";
        let rows: Vec<(i64, bool)> = sqlx::query_as(sql).fetch_all(&self.db.readers).await?;
        Ok(rows.into_iter().collect())
    }

    /// Returns the download preferences of these feeds, their own or of a folder.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn downloads(self, feeds: &[i64]) -> Result<HashMap<i64, Option<i64>>, LibraryError> {
        let sql = "SELECT feed_id, ahead FROM feed_preferences WHERE feed_id IN (SELECT value FROM json_each(?))";
        let rows: Vec<(i64, Option<i64>)> = sqlx::query_as(sql).bind(json(feeds)?).fetch_all(&self.db.readers).await?;
        Ok(rows.into_iter().collect())
    }

    /// Queues downloads that preferences ask for.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn queue_downloads(self, queued: &[(i64, DownloadKind)], now: Millis) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        super::downloads::queue(&mut transaction, queued, true, now).await?;
        Ok(transaction.commit().await?)
    }
}

/// Returns the effective preferences of a feed, as far as the library stores them.
pub(crate) async fn effective<'c>(reader: impl SqliteExecutor<'c>, feed: i64) -> Result<Preferences, LibraryError> {
    let sql = "SELECT p.* FROM feed_preferences p JOIN feeds f ON f.id = p.feed_id WHERE f.id = ? AND f.unsubscribed_at IS NULL";
    let found: Option<Preferences> = sqlx::query_as(sql).bind(feed).fetch_optional(reader).await?;
    found.ok_or(LibraryError::NotFound("feed"))
}

/// Sets preferences.
pub(crate) async fn set_in(
    connection: &mut SqliteConnection,
    scope: FeedScope,
    new: Preferences,
) -> Result<(), LibraryError> {
    let (sql, id, kind) = match scope {
        FeedScope::All => {
            let all = Preferences { offline: None, full_text_when: None, load_images: None, ..new };
            let json = json(&all)?;
            return Ok(set(connection, SETTING, &json).await?);
        }
        FeedScope::Folder(id) => (
            "UPDATE folders SET refresh_minutes = ?2, ahead = ?3, full_text_when = ?4, full_text_first = ?5, load_images = ?6, notify = ?7
             WHERE id = ?1",
            id,
            "folder",
        ),
        FeedScope::Feed(id) => (
            "UPDATE feeds SET refresh_minutes = ?2, ahead = ?3, full_text_when = ?4,
                full_text_first = CASE ?5 WHEN 1 THEN 1 WHEN 0 THEN 2 ELSE 0 END, load_images = ?6, notify = ?7
             WHERE id = ?1 AND unsubscribed_at IS NULL",
            id,
            "feed",
        ),
    };
    let done = sqlx::query(sql)
        .bind(id)
        .bind(new.refresh_minutes)
        .bind(new.offline)
        .bind(new.full_text_when)
        .bind(new.full_text_first)
        .bind(new.load_images)
        .bind(new.notify)
        .execute(connection)
        .await?;
    if done.rows_affected() == 0 { Err(LibraryError::NotFound(kind)) } else { Ok(()) }
}

const OF_FOLDER: &str =
    "SELECT refresh_minutes, ahead, full_text_when, full_text_first, load_images, notify FROM folders WHERE id = ?";

/// Returns the preferences of a folder itself.
pub(crate) async fn of_folder(connection: &mut SqliteConnection, id: i64) -> sqlx::Result<Preferences> {
    sqlx::query_as(OF_FOLDER).bind(id).fetch_one(connection).await
}

/// Returns the preferences of all feeds.
async fn of_all(connection: &mut SqliteConnection) -> sqlx::Result<Preferences> {
    let sql = "SELECT refresh_minutes, NULL AS ahead, NULL AS full_text_when, full_text_first, NULL AS load_images, notify FROM preferences_of_all";
    Ok(sqlx::query_as(sql).fetch_optional(connection).await?.unwrap_or_default())
}

/// The feeds whose new articles are notified.
pub(crate) const NOTIFIED_FEEDS: &str = "SELECT feed_id FROM feed_preferences WHERE notify = 1";

/// Updates the next polls after a change of preferences: feeds that are never polled automatically have none, and feeds that are polled
/// automatically again are due. That poll plans the following one by the preference and all hints.
pub(crate) async fn update_next_polls(connection: &mut SqliteConnection, now: Millis) -> sqlx::Result<()> {
    sqlx::query(UPDATE_NEXT_POLLS).bind(now).execute(connection).await?;
    Ok(())
}

/// Updates next polls and downloads after feeds or folders moved.
pub(crate) async fn after_move(connection: &mut SqliteConnection, now: Millis) -> Result<(), LibraryError> {
    update_next_polls(connection, now).await?;
    download_settings::remove_unwanted(connection).await
}

/// Updates the next polls of these feeds (JSON), whose preferences may have changed since they were polled.
pub(crate) async fn update_next_polls_of(
    connection: &mut SqliteConnection,
    feeds: &str,
    now: Millis,
) -> sqlx::Result<()> {
    let sql = format!("{UPDATE_NEXT_POLLS} AND polls.feed_id IN (SELECT value FROM json_each(?2))");
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(now).bind(feeds).execute(connection).await?;
    Ok(())
}

/// Feeds that are gone (410) are not polled.
const UPDATE_NEXT_POLLS: &str = "UPDATE polls SET next_at = iif(w.refresh_minutes = 0, NULL, ?1) FROM feed_preferences w
    WHERE w.feed_id = polls.feed_id AND iif(w.refresh_minutes = 0, polls.next_at IS NOT NULL,
        polls.next_at IS NULL AND polls.error_code IS NOT 'gone' AND polls.feed_id IN (SELECT id FROM feeds WHERE local = 0 AND account_id = 1))";

/// Returns the articles with ids of at least `first` to notify about because of their feed's preference, with their feed. The first
/// articles of a feed are not notified. This reads the new articles, not all those feeds.
pub(crate) async fn to_notify(connection: &mut SqliteConnection, first: i64) -> sqlx::Result<Vec<(i64, i64)>> {
    let sql = format!(
        "SELECT i.id, i.feed_id FROM items i JOIN states s ON s.item_id = i.id WHERE i.id >= ?1 AND s.read = 0 AND s.hidden = 0
            AND +i.feed_id IN ({NOTIFIED_FEEDS}) AND EXISTS (SELECT 1 FROM items o WHERE o.feed_id = i.feed_id AND o.id < ?1)"
    );
    sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(first).fetch_all(connection).await
}
