//! Settings of downloads for offline reading, and the articles for which it is not decided yet what to download. These are in the table
//! `ahead_undecided` and after the setting [`SEEN`]; `gleaner-polling` decides once about each.

use crate::{
    LibraryError, Millis,
    json::json,
    table::{
        downloads::{DownloadKind, Downloads, queue},
        settings::{self, Settings, set},
    },
};
use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;

/// The setting that holds [`OfflineSettings`].
const SETTING: &str = "ahead";
/// The setting that holds the newest decided item.
const SEEN: &str = "ahead_seen";
/// Maximum number of new items per batch.
const MAX_BATCH: i64 = 2000;

/// The content to download for articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OfflineContent {
    /// The full text.
    pub text: bool,
    /// The images.
    #[serde(rename = "pictures")]
    pub images: bool,
}

impl OfflineContent {
    /// Reads the stored form: bit 0 the text, bit 1 the images.
    pub fn of_bits(bits: i64) -> Self {
        Self { text: bits & 1 != 0, images: bits & 2 != 0 }
    }

    /// Returns the stored form.
    pub fn bits(self) -> i64 {
        i64::from(self.text) | i64::from(self.images) << 1
    }

    /// Returns the union of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { text: self.text || other.text, images: self.images || other.images }
    }

    /// Returns whether nothing is downloaded.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Returns whether this is downloaded.
    pub fn has(self, what: DownloadKind) -> bool {
        match what {
            DownloadKind::Text => self.text,
            DownloadKind::Images => self.images,
        }
    }
}

/// Download settings for all feeds, and limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OfflineSettings {
    /// For feeds without their own preference.
    pub all: OfflineContent,
    /// For starred articles of any feed.
    pub starred: OfflineContent,
    /// Maximum size of all images, in bytes.
    pub room: u64,
    /// Maximum size of one image, in bytes.
    pub largest: u64,
    /// Downloads are paused, as on a metered network.
    pub paused: bool,
}

impl Default for OfflineSettings {
    fn default() -> Self {
        let nothing = OfflineContent::default();
        Self { all: nothing, starred: nothing, room: 2_000_000_000, largest: 10_000_000, paused: false }
    }
}

/// An article with the data to decide about its downloads.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Candidate {
    /// Id.
    pub id: i64,
    /// Id of its feed.
    pub feed_id: i64,
    /// Address of its page.
    pub url: Option<String>,
    /// Position in lists.
    pub sort_at: Millis,
    /// Whether it was read.
    pub read: bool,
    /// Whether it has a star.
    pub starred: bool,
    /// Preference of its feed or folders, as bits; `None`: as for all feeds.
    pub preference: Option<i64>,
    /// Whether it has its full text.
    pub has_text: bool,
    /// Whether some of its images were downloaded.
    pub has_images: bool,
}

/// A query for candidates; a condition on `i.id` follows.
pub(crate) const CANDIDATES: &str = "SELECT i.id, i.feed_id, i.url, i.sort_at, s.read, s.starred, w.ahead AS preference,
        EXISTS (SELECT 1 FROM full_texts t WHERE t.item_id = i.id) AS has_text,
        EXISTS (SELECT 1 FROM item_images m WHERE m.item_id = i.id) AS has_images
    FROM items i JOIN states s ON s.item_id = i.id JOIN feeds f ON f.id = i.feed_id JOIN feed_preferences w ON w.feed_id = f.id
    WHERE s.hidden = 0 AND f.local = 0 AND f.unsubscribed_at IS NULL AND i.id";

impl Downloads<'_> {
    /// Returns the settings for all feeds.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn settings(self) -> Result<OfflineSettings, LibraryError> {
        let json = Settings::new(self.db).get(SETTING).await?;
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
    }

    /// Stores the settings and queues downloads. Removes queued downloads that no preference asks for any more.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_settings(
        self,
        settings: &OfflineSettings,
        queued: &[(i64, DownloadKind)],
        now: Millis,
    ) -> Result<(), LibraryError> {
        let json = json(settings)?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        begin(&mut transaction).await?;
        set(&mut transaction, SETTING, &json).await?;
        queue(&mut transaction, queued, true, now).await?;
        remove_unwanted(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Returns the newest articles of a feed, or with `None` the newest starred ones.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn newest_candidates(self, feed: Option<i64>, limit: i64) -> Result<Vec<Candidate>, LibraryError> {
        let which = match feed {
            Some(_) => "SELECT id FROM items WHERE feed_id = ?1 ORDER BY sort_at DESC, id DESC LIMIT ?2",
            None => {
                "SELECT item_id FROM states WHERE starred = 1 AND hidden = 0 AND ?1 IS NULL ORDER BY sort_at DESC, item_id DESC LIMIT ?2"
            }
        };
        let sql = format!("{CANDIDATES} IN ({which})");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(feed).bind(limit).fetch_all(&self.db.readers).await?)
    }

    /// Returns one article; `None` if no list shows it.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn candidate(self, item: i64) -> Result<Option<Candidate>, LibraryError> {
        let sql = format!("{CANDIDATES} = ?");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(item).fetch_optional(&self.db.readers).await?)
    }

    /// Returns a batch of the articles that were added, starred or released since the last [`Self::record_decisions`], and the argument for
    /// that method; `None` when there are none. Reads nothing if no preference asks for downloads.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn undecided(self) -> Result<Option<(Vec<Candidate>, Undecided)>, LibraryError> {
        let newest: i64 =
            sqlx::query_scalar("SELECT ifnull(max(id), 0) FROM items").fetch_one(&self.db.readers).await?;
        let seen = Settings::new(self.db).get(SEEN).await?.and_then(|seen| seen.parse::<i64>().ok());
        let others: Vec<i64> = sqlx::query_scalar("SELECT item_id FROM ahead_undecided ORDER BY item_id LIMIT ?")
            .bind(MAX_BATCH)
            .fetch_all(&self.db.readers)
            .await?;
        let requested = is_any_enabled(&mut *self.db.readers.acquire().await?).await?;
        let from = if requested { seen.unwrap_or(newest) } else { newest };
        // After restoring a backup ids begin lower again.
        let from = from.min(newest);
        let until = newest.min(from + MAX_BATCH);
        if others.is_empty() && seen == Some(until) {
            return Ok(None);
        }
        let mut found = Vec::new();
        if requested {
            let sql = format!("{CANDIDATES} > ?1 AND i.id <= ?2");
            found = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(from).bind(until).fetch_all(&self.db.readers).await?;
            let sql = format!("{CANDIDATES} IN (SELECT value FROM json_each(?1)) AND NOT (i.id > ?2 AND i.id <= ?3)");
            let more: Vec<Candidate> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
                .bind(json(&others)?)
                .bind(from)
                .bind(until)
                .fetch_all(&self.db.readers)
                .await?;
            found.extend(more);
        }
        Ok(Some((found, Undecided { until, others })))
    }

    /// Queues the decided downloads, and records how far decisions are made.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn record_decisions(
        self,
        decided: &Undecided,
        queued: &[(i64, DownloadKind)],
        now: Millis,
    ) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        queue(&mut transaction, queued, true, now).await?;
        set(&mut transaction, SEEN, &decided.until.to_string()).await?;
        sqlx::query("DELETE FROM ahead_undecided WHERE item_id IN (SELECT value FROM json_each(?))")
            .bind(json(&decided.others)?)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }
}

/// The range of articles that are being decided about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    until: i64,
    others: Vec<i64>,
}

async fn is_any_enabled(connection: &mut SqliteConnection) -> Result<bool, LibraryError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM feeds WHERE ahead > 0 AND unsubscribed_at IS NULL) OR EXISTS (SELECT 1 FROM folders WHERE ahead > 0)";
    if sqlx::query_scalar(sql).fetch_one(&mut *connection).await? {
        return Ok(true);
    }
    let settings = of_all(connection).await?;
    Ok(!settings.all.and(settings.starred).is_none())
}

pub(crate) async fn of_all(connection: &mut SqliteConnection) -> Result<OfflineSettings, LibraryError> {
    let json = settings::get(connection, SETTING).await?;
    Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

/// Marks all existing articles as decided before the first preference is set.
pub(crate) async fn begin(connection: &mut SqliteConnection) -> Result<(), LibraryError> {
    if is_any_enabled(connection).await? {
        return Ok(());
    }
    let newest: i64 = sqlx::query_scalar("SELECT ifnull(max(id), 0) FROM items").fetch_one(&mut *connection).await?;
    set(connection, SEEN, &newest.to_string()).await?;
    sqlx::query("DELETE FROM ahead_undecided").execute(connection).await?;
    Ok(())
}

/// Removes queued downloads that no preference asks for any more.
pub(crate) async fn remove_unwanted(connection: &mut SqliteConnection) -> Result<(), LibraryError> {
    let settings = of_all(connection).await?;
    let sql = "DELETE FROM ahead WHERE wished = 1 AND what = ?1 AND item_id NOT IN (
            SELECT a.item_id FROM ahead a JOIN items i ON i.id = a.item_id JOIN feed_preferences w ON w.feed_id = i.feed_id
                JOIN states s ON s.item_id = i.id
            WHERE ifnull(w.ahead, ?3) & ?2 OR (s.starred AND ?4 & ?2))";
    for (what, bit) in [(DownloadKind::Text, 1), (DownloadKind::Images, 2)] {
        sqlx::query(sql)
            .bind(what.name())
            .bind(bit)
            .bind(settings.all.bits())
            .bind(settings.starred.bits())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}
