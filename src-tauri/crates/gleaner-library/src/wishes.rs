//! What the reader wishes to be fetched ahead, of all feeds, of one, of starred articles; and the articles that were not decided about
//! yet. `ahead_undecided` and the setting [`SEEN`] say which: each is decided about once, by `gleaner-polling`.

use crate::{
    Library, LibraryError, Millis,
    table::{
        ahead::{AheadWhat, queue},
        settings::set,
        states::json,
    },
};
use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;

/// The setting that holds [`AheadSettings`].
const SETTING: &str = "ahead";
/// The setting that holds the newest item that was decided about.
const SEEN: &str = "ahead_seen";
/// So many new items are looked at in one go.
const AT_ONCE: i64 = 2000;

/// What is wished of some articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AheadWish {
    /// Their full text.
    pub text: bool,
    /// Their pictures.
    pub pictures: bool,
}

impl AheadWish {
    /// Out of the form that it is kept in: bit 0 the text, bit 1 the pictures.
    pub fn of_bits(bits: i64) -> Self {
        Self { text: bits & 1 != 0, pictures: bits & 2 != 0 }
    }

    /// In the form that it is kept in.
    pub fn bits(self) -> i64 {
        i64::from(self.text) | i64::from(self.pictures) << 1
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { text: self.text || other.text, pictures: self.pictures || other.pictures }
    }

    /// Nothing is wished.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// This is among what is wished.
    pub fn has(self, what: AheadWhat) -> bool {
        match what {
            AheadWhat::Text => self.text,
            AheadWhat::Pictures => self.pictures,
        }
    }
}

/// What the reader wishes of all feeds, and how much room it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AheadSettings {
    /// Of feeds that say nothing of their own.
    pub all: AheadWish,
    /// Of starred articles, whatever their feed.
    pub starred: AheadWish,
    /// Bytes of all pictures together.
    pub room: u64,
    /// Bytes of one picture.
    pub largest: u64,
    /// Nothing is fetched for now: the network is dear.
    pub paused: bool,
}

impl Default for AheadSettings {
    fn default() -> Self {
        let nothing = AheadWish::default();
        Self { all: nothing, starred: nothing, room: 2_000_000_000, largest: 10_000_000, paused: false }
    }
}

/// An article, as far as the decision about it needs it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Candidate {
    /// Its number.
    pub id: i64,
    /// Its feed.
    pub feed_id: i64,
    /// Its page.
    pub url: Option<String>,
    /// Its place in lists.
    pub sort_at: Millis,
    /// The reader's state.
    pub read: bool,
    /// The reader's state.
    pub starred: bool,
    /// What is wished of its feed, by itself or by its folders, as bits; `None`: as of all.
    pub wish: Option<i64>,
    /// Its full text is there.
    pub has_text: bool,
    /// Its pictures were fetched, or some of them.
    pub has_pictures: bool,
}

/// To be followed by which ones.
pub(crate) const CANDIDATES: &str = "SELECT i.id, i.feed_id, i.url, i.sort_at, s.read, s.starred, w.ahead AS wish,
        EXISTS (SELECT 1 FROM full_texts t WHERE t.item_id = i.id) AS has_text,
        EXISTS (SELECT 1 FROM item_images m WHERE m.item_id = i.id) AS has_pictures
    FROM items i JOIN states s ON s.item_id = i.id JOIN feeds f ON f.id = i.feed_id JOIN feed_preferences w ON w.feed_id = f.id
    WHERE s.hidden = 0 AND f.local = 0 AND f.unsubscribed_at IS NULL AND i.id";

impl Library {
    /// What the reader wishes of all feeds.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn ahead_settings(&self) -> Result<AheadSettings, LibraryError> {
        let json = self.setting(SETTING).await?;
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
    }

    /// Wishes this of all feeds and of starred articles, and puts `queued` into the queue. What was only queued for a wish that
    /// is no more leaves it.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_ahead_settings(
        &self,
        settings: &AheadSettings,
        queued: &[(i64, AheadWhat)],
        now: Millis,
    ) -> Result<(), LibraryError> {
        let json = serde_json::to_string(settings).map_err(|error| LibraryError::Invalid(error.to_string()))?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        begin_wishing(&mut transaction).await?;
        set(&mut transaction, SETTING, &json).await?;
        queue(&mut transaction, queued, true, now).await?;
        withdraw(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// The newest articles of a feed, or with `None` the newest starred ones, so many at most.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn newest_candidates(&self, feed: Option<i64>, limit: i64) -> Result<Vec<Candidate>, LibraryError> {
        let which = match feed {
            Some(_) => "SELECT id FROM items WHERE feed_id = ?1 ORDER BY sort_at DESC, id DESC LIMIT ?2",
            None => {
                "SELECT item_id FROM states WHERE starred = 1 AND hidden = 0 AND ?1 IS NULL ORDER BY sort_at DESC, item_id DESC LIMIT ?2"
            }
        };
        let sql = format!("{CANDIDATES} IN ({which})");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(feed).bind(limit).fetch_all(&self.readers).await?)
    }

    /// One article; `None` where no list shows it.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn candidate(&self, item: i64) -> Result<Option<Candidate>, LibraryError> {
        let sql = format!("{CANDIDATES} = ?");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(item).fetch_optional(&self.readers).await?)
    }

    /// The articles that came in, were starred or let go since the last [`Library::decided_ahead`], a bounded number of them; and what to hand
    /// to that function. `None` when there are none. Where nothing at all is wished none are read.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn undecided(&self) -> Result<Option<(Vec<Candidate>, Undecided)>, LibraryError> {
        let newest: i64 = sqlx::query_scalar("SELECT ifnull(max(id), 0) FROM items").fetch_one(&self.readers).await?;
        let seen = self.setting(SEEN).await?.and_then(|seen| seen.parse::<i64>().ok());
        let others: Vec<i64> = sqlx::query_scalar("SELECT item_id FROM ahead_undecided ORDER BY item_id LIMIT ?")
            .bind(AT_ONCE)
            .fetch_all(&self.readers)
            .await?;
        let wished = is_anything_wished(&mut *self.readers.acquire().await?).await?;
        let from = if wished { seen.unwrap_or(newest) } else { newest };
        // After a restored backup the numbers begin lower again.
        let from = from.min(newest);
        let until = newest.min(from + AT_ONCE);
        if others.is_empty() && seen == Some(until) {
            return Ok(None);
        }
        let mut found = Vec::new();
        if wished {
            let sql = format!("{CANDIDATES} > ?1 AND i.id <= ?2");
            found = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(from).bind(until).fetch_all(&self.readers).await?;
            let sql = format!("{CANDIDATES} IN (SELECT value FROM json_each(?1)) AND NOT (i.id > ?2 AND i.id <= ?3)");
            let more: Vec<Candidate> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
                .bind(json(&others)?)
                .bind(from)
                .bind(until)
                .fetch_all(&self.readers)
                .await?;
            found.extend(more);
        }
        Ok(Some((found, Undecided { until, others })))
    }

    /// Puts what was decided into the queue, and remembers up to where it was.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn decided_ahead(
        &self,
        decided: &Undecided,
        queued: &[(i64, AheadWhat)],
        now: Millis,
    ) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
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

/// Up to where articles are being decided about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    until: i64,
    others: Vec<i64>,
}

async fn is_anything_wished(connection: &mut SqliteConnection) -> Result<bool, LibraryError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM feeds WHERE ahead > 0 AND unsubscribed_at IS NULL) OR EXISTS (SELECT 1 FROM folders WHERE ahead > 0)";
    if sqlx::query_scalar(sql).fetch_one(&mut *connection).await? {
        return Ok(true);
    }
    let settings = of_all(connection).await?;
    Ok(!settings.all.and(settings.starred).is_none())
}

pub(crate) async fn of_all(connection: &mut SqliteConnection) -> Result<AheadSettings, LibraryError> {
    let json: Option<String> =
        sqlx::query_scalar("SELECT value FROM settings WHERE key = ?").bind(SETTING).fetch_optional(connection).await?;
    Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

/// With the first wish everything that is there already counts as decided about.
pub(crate) async fn begin_wishing(connection: &mut SqliteConnection) -> Result<(), LibraryError> {
    if is_anything_wished(connection).await? {
        return Ok(());
    }
    let newest: i64 = sqlx::query_scalar("SELECT ifnull(max(id), 0) FROM items").fetch_one(&mut *connection).await?;
    set(connection, SEEN, &newest.to_string()).await?;
    sqlx::query("DELETE FROM ahead_undecided").execute(connection).await?;
    Ok(())
}

/// Takes out of the queue what no wish asks for any more.
pub(crate) async fn withdraw(connection: &mut SqliteConnection) -> Result<(), LibraryError> {
    let settings = of_all(connection).await?;
    let sql = "DELETE FROM ahead WHERE wished = 1 AND what = ?1 AND item_id NOT IN (
            SELECT a.item_id FROM ahead a JOIN items i ON i.id = a.item_id JOIN feed_preferences w ON w.feed_id = i.feed_id
                JOIN states s ON s.item_id = i.id
            WHERE ifnull(w.ahead, ?3) & ?2 OR (s.starred AND ?4 & ?2))";
    for (what, bit) in [(AheadWhat::Text, 1), (AheadWhat::Pictures, 2)] {
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
