//! What the reader says of a feed, of the feeds in a folder, or of all, in columns of `feeds` and `folders` and in the setting [`SETTING`]. Each
//! of them holds by itself, the nearest first: a feed's own, else that of the folder it stands in, else of the folder around that, else
//! that of all. The views `folder_preferences` and `feed_preferences` say what holds up to the folders; of all, `ahead` is in
//! [`crate::AheadSettings`], and when full texts and whether pictures come is the window's. How much is kept is said in [`super::retention`].

use super::{settings::set, states::json};
use crate::{AheadWhat, FeedScope, FullTextWhen, Library, LibraryError, Millis, now, wishes};
use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;
use std::collections::HashMap;

/// The setting that holds what is said of all feeds.
pub(crate) const SETTING: &str = "preferences";
/// A feed is asked as often as Gleaner thinks best, whatever is said further out.
pub const BEST: i64 = -1;
/// Minutes of ten years: nobody means more.
const LONGEST: i64 = 10 * 366 * 24 * 60;

/// What is said somewhere, or what holds there; `None`: as further out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, sqlx::FromRow)]
#[serde(default)]
pub struct Preferences {
    /// Minutes between polls; 0: never by itself; [`BEST`], and where nobody says anything: as Gleaner thinks best.
    pub refresh_minutes: Option<i64>,
    /// What is fetched ahead, as [`crate::AheadWish::bits`].
    pub ahead: Option<i64>,
    /// When full texts are fetched as articles are opened, as [`FullTextWhen::number`].
    pub full_text_when: Option<i64>,
    /// Articles open with their full text where it is there.
    pub full_text_first: Option<bool>,
    /// Remote pictures are shown.
    pub load_images: Option<bool>,
    /// The desktop is told of new articles.
    pub notify: Option<bool>,
}

/// The folders that say what holds, by number; `None`: it is as for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, sqlx::FromRow)]
#[allow(missing_docs)] // They are those of `Preferences`.
pub struct SaidBy {
    pub refresh_minutes_of: Option<i64>,
    pub ahead_of: Option<i64>,
    pub full_text_when_of: Option<i64>,
    pub full_text_first_of: Option<i64>,
    pub load_images_of: Option<i64>,
    pub notify_of: Option<i64>,
}

/// What is said of a feed or folder itself, and what would hold there if nothing were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Said {
    /// Of itself.
    pub own: Preferences,
    /// By the folders around it; of all feeds where none of these does, as far as that is in this library's hands.
    pub inherited: Preferences,
    /// Which folders.
    pub by: SaidBy,
}

impl Preferences {
    /// With what is said further out where nothing is said here.
    #[must_use]
    pub fn or(self, further: Self) -> Self {
        Self {
            refresh_minutes: self.refresh_minutes.or(further.refresh_minutes),
            ahead: self.ahead.or(further.ahead),
            full_text_when: self.full_text_when.or(further.full_text_when),
            full_text_first: self.full_text_first.or(further.full_text_first),
            load_images: self.load_images.or(further.load_images),
            notify: self.notify.or(further.notify),
        }
    }

    /// Without what cannot be meant; they come from archives, too.
    #[must_use]
    pub fn mended(self) -> Self {
        Self {
            refresh_minutes: self.refresh_minutes.filter(|minutes| (BEST..=LONGEST).contains(minutes)),
            ahead: self.ahead.filter(|bits| (0..=3).contains(bits)),
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
    by: SaidBy,
}

impl Library {
    /// What is said of a feed, a folder or all, and what would hold there if nothing were said.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn preferences(&self, scope: FeedScope) -> Result<Said, LibraryError> {
        let mut reader = self.readers.acquire().await?;
        let all = of_all(&mut reader).await?;
        let ahead =
            Preferences { ahead: Some(wishes::of_all(&mut reader).await?.all.bits()), ..Preferences::default() };
        let (id, own, around) = match scope {
            FeedScope::All => return Ok(Said { own: all, ..Said::default() }),
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
        Ok(Said { own, inherited: inherited.or(ahead).or(all), by })
    }

    /// What holds for a feed, as far as that is in this library's hands.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn preferred(&self, feed: i64) -> Result<Preferences, LibraryError> {
        let sql = "SELECT p.* FROM feed_preferences p JOIN feeds f ON f.id = p.feed_id WHERE f.id = ? AND f.unsubscribed_at IS NULL";
        let found: Option<Preferences> = sqlx::query_as(sql).bind(feed).fetch_optional(&self.readers).await?;
        found.ok_or(LibraryError::NotFound("feed"))
    }

    /// Says this of a feed, a folder or all, in place of what was said there. Feeds' next times are brought in line with it, and what was only to be
    /// fetched ahead for a wish that is no more is not. Of all feeds, `ahead`, `full_text_when` and `load_images` are said elsewhere.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Invalid`] where something cannot be meant; when the library cannot be written.
    pub async fn prefer(&self, scope: FeedScope, wish: Preferences) -> Result<(), LibraryError> {
        if wish != wish.mended() {
            return Err(LibraryError::Invalid("no such wish".to_owned()));
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        wishes::begin_wishing(&mut transaction).await?;
        say(&mut transaction, scope, wish).await?;
        settle(&mut transaction, now()).await?;
        wishes::withdraw(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// The feeds that say themselves, or whose folders say, whether pictures are shown.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn picture_preferences(&self) -> Result<HashMap<i64, bool>, LibraryError> {
        let sql = "SELECT feed_id, load_images FROM feed_preferences WHERE load_images IS NOT NULL";
        let rows: Vec<(i64, bool)> = sqlx::query_as(sql).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().collect())
    }

    /// What is wished to be fetched ahead of these feeds, by themselves or their folders.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn ahead_preferences(&self, feeds: &[i64]) -> Result<HashMap<i64, Option<i64>>, LibraryError> {
        let sql = "SELECT feed_id, ahead FROM feed_preferences WHERE feed_id IN (SELECT value FROM json_each(?))";
        let rows: Vec<(i64, Option<i64>)> = sqlx::query_as(sql).bind(json(feeds)?).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().collect())
    }

    /// Puts into the queue what the wish for their feeds asks for.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn queue_wished(&self, queued: &[(i64, AheadWhat)], now: Millis) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        super::ahead::queue(&mut transaction, queued, true, now).await?;
        Ok(transaction.commit().await?)
    }
}

/// Says this there in place of what was said.
pub(crate) async fn say(
    connection: &mut SqliteConnection,
    scope: FeedScope,
    wish: Preferences,
) -> Result<(), LibraryError> {
    let (sql, id, kind) = match scope {
        FeedScope::All => {
            let all = Preferences { ahead: None, full_text_when: None, load_images: None, ..wish };
            let json = serde_json::to_string(&all).map_err(|error| LibraryError::Invalid(error.to_string()))?;
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
        .bind(wish.refresh_minutes)
        .bind(wish.ahead)
        .bind(wish.full_text_when)
        .bind(wish.full_text_first)
        .bind(wish.load_images)
        .bind(wish.notify)
        .execute(connection)
        .await?;
    if done.rows_affected() == 0 { Err(LibraryError::NotFound(kind)) } else { Ok(()) }
}

const OF_FOLDER: &str =
    "SELECT refresh_minutes, ahead, full_text_when, full_text_first, load_images, notify FROM folders WHERE id = ?";

/// What is said of a folder itself.
pub(crate) async fn of_folder(connection: &mut SqliteConnection, id: i64) -> sqlx::Result<Preferences> {
    sqlx::query_as(OF_FOLDER).bind(id).fetch_one(connection).await
}

/// What is said of all feeds.
async fn of_all(connection: &mut SqliteConnection) -> sqlx::Result<Preferences> {
    let sql = "SELECT refresh_minutes, NULL AS ahead, NULL AS full_text_when, full_text_first, NULL AS load_images, notify FROM preferences_of_all";
    Ok(sqlx::query_as(sql).fetch_optional(connection).await?.unwrap_or_default())
}

/// The feeds of whose new articles the desktop is told.
pub(crate) const TOLD_OF: &str = "SELECT feed_id FROM feed_preferences WHERE notify = 1";

/// Brings the times at which feeds are asked in line with what holds for them by now: those that are never to be asked by themselves
/// have none, and those of which that is no longer wished are due. The next poll decides anew, from the wish and all hints.
pub(crate) async fn settle(connection: &mut SqliteConnection, now: Millis) -> sqlx::Result<()> {
    sqlx::query(SETTLE).bind(now).execute(connection).await?;
    Ok(())
}

/// Feeds or folders stand elsewhere now: what holds there is what counts.
pub(crate) async fn moved(connection: &mut SqliteConnection) -> Result<(), LibraryError> {
    settle(connection, now()).await?;
    wishes::withdraw(connection).await
}

/// The same of these feeds (JSON), whose answers were asked for by what held when they were asked.
pub(crate) async fn settle_these(connection: &mut SqliteConnection, feeds: &str, now: Millis) -> sqlx::Result<()> {
    let sql = format!("{SETTLE} AND polls.feed_id IN (SELECT value FROM json_each(?2))");
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(now).bind(feeds).execute(connection).await?;
    Ok(())
}

/// One that is gone (410) stays unasked.
const SETTLE: &str = "UPDATE polls SET next_at = iif(w.refresh_minutes = 0, NULL, ?1) FROM feed_preferences w
    WHERE w.feed_id = polls.feed_id AND iif(w.refresh_minutes = 0, polls.next_at IS NOT NULL,
        polls.next_at IS NULL AND polls.error_detail IS NOT '410' AND polls.feed_id IN (SELECT id FROM feeds WHERE local = 0))";

/// The new articles, from the number `first` on, of which the desktop is told since their feed's are, with the feed of each. Those of a feed
/// that had none before are no news. What has just come in is walked, not those feeds.
pub(crate) async fn news(connection: &mut SqliteConnection, first: i64) -> sqlx::Result<Vec<(i64, i64)>> {
    let sql = format!(
        "SELECT i.id, i.feed_id FROM items i JOIN states s ON s.item_id = i.id WHERE i.id >= ?1 AND s.read = 0 AND s.hidden = 0
            AND +i.feed_id IN ({TOLD_OF}) AND EXISTS (SELECT 1 FROM items o WHERE o.feed_id = i.feed_id AND o.id < ?1)"
    );
    sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(first).fetch_all(connection).await
}
