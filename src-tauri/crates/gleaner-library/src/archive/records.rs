//! The records of an archive, one type for each file. Ids are valid within the archive only.

mod articles;
mod marks;
mod preferences;

pub use articles::{FullTextRecord, ItemRecord, TranscriptRecord, VersionRecord};
pub use marks::{
    ImageRecord, ItemImageRecord, NoteRecord, PlayQueueRecord, PlaybackRecord, ProgressRecord, ReadingStatsRecord,
    StateRecord, TagRecord, TaggedRecord, TombstoneRecord,
};
pub use preferences::{RetentionRecord, RuleRecord, SavedSearchRecord, SynonymRecord, TouchRecord};

use crate::{
    FeedHead, FeedPlayback, LibraryError, Millis, Preferences,
    archive::Archive,
    table::{feeds::listed_title, folders::gone_and_used, preferences::BEST},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sqlx::{FromRow, sqlite::SqliteRow};
use std::borrow::Cow;

/// The row that a record is made of, before its texts are decompressed.
pub trait Record: Serialize + DeserializeOwned + Send + Sized + 'static {
    /// Name of the archive file with these records.
    const FILE: &'static str;
    /// The row type of the query.
    #[doc(hidden)]
    type Row: for<'r> FromRow<'r, SqliteRow> + Send + Unpin;
    /// The query for all records. `{left}` stands for the feeds that are not exported, `{there}` for the condition that the article
    /// `i` is.
    #[doc(hidden)]
    const SELECT: &'static str;
    #[doc(hidden)]
    fn of(row: Self::Row, archive: &Archive<'_>) -> Result<Self, LibraryError>;

    /// Limits the values of an archive to what the library accepts.
    ///
    /// # Errors
    /// Why the record must be left out.
    fn repair(&mut self) -> Result<(), Cow<'static, str>>;
}

/// The end of the year 9999.
const FAR: Millis = 253_402_300_799_999;

/// Limits a date to a range that can be calculated with.
fn moment(at: &mut Millis) {
    *at = (*at).clamp(-FAR, FAR);
}

fn moments<'a>(all: impl IntoIterator<Item = &'a mut Option<Millis>>) {
    all.into_iter().flatten().for_each(moment);
}

/// Limits a position so that others can follow it.
fn place(position: &mut i64) {
    *position = (*position).clamp(0, 1_000_000_000);
}

/// Implements a record whose row has the same fields.
macro_rules! plain {
    ($name:ident, $file:literal, $select:expr, |$record:ident| $repair:expr) => {
        impl Record for $name {
            const FILE: &'static str = $file;
            type Row = Self;
            const SELECT: &'static str = $select;
            fn of(row: Self, _archive: &$crate::archive::Archive<'_>) -> Result<Self, LibraryError> {
                Ok(row)
            }
            fn repair(&mut self) -> Result<(), Cow<'static, str>> {
                let $record = self;
                $repair
            }
        }
    };
}
use plain;

/// Fields that older versions do not know are left out where they have their default.
#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_no(flag: &bool) -> bool {
    !flag
}

/// A folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct FolderRecord {
    /// Id.
    pub folder: i64,
    /// Id of the parent folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<i64>,
    /// Name.
    pub name: String,
    /// Position among its siblings.
    pub position: i64,
    /// Whether its feeds are shown.
    pub open: bool,
    /// Preferences of the feeds in it, as in [`FeedRecord`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_minutes: Option<i64>,
    /// As in [`FeedRecord`].
    #[serde(rename = "ahead", default, skip_serializing_if = "Option::is_none")]
    #[sqlx(rename = "ahead")]
    pub offline: Option<i64>,
    /// As in [`FeedRecord`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_text_when: Option<i64>,
    /// As in [`FeedRecord`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_text_first: Option<bool>,
    /// As in [`FeedRecord`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_images: Option<bool>,
    /// As in [`FeedRecord`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify: Option<bool>,
}
impl FolderRecord {
    /// Returns the preferences of its feeds, without invalid ones.
    pub(crate) fn preferences(&self) -> Preferences {
        let Self { refresh_minutes, offline, full_text_when, full_text_first, load_images, notify, .. } = *self;
        Preferences { refresh_minutes, offline, full_text_when, full_text_first, load_images, notify }.repaired()
    }
}
// Parents come before their children. Empty folders of removed accounts are hidden.
plain!(
    FolderRecord,
    "folders.jsonl",
    concat!(
        "WITH RECURSIVE reached (id, depth) AS (
        SELECT id, 0 FROM folders WHERE parent_id IS NULL
        UNION ALL SELECT f.id, r.depth + 1 FROM folders f JOIN reached r ON f.parent_id = r.id), ",
        gone_and_used!(),
        " SELECT f.id AS folder, f.parent_id AS parent, f.name, f.position, f.open, f.refresh_minutes, f.ahead, f.full_text_when, f.full_text_first,
        f.load_images, f.notify FROM reached r JOIN folders f ON f.id = r.id
     WHERE f.id NOT IN (SELECT id FROM gone EXCEPT SELECT id FROM used) ORDER BY r.depth, f.id"
    ),
    |record| {
        place(&mut record.position);
        if record.name.trim().is_empty() { Err("the name is missing".into()) } else { Ok(()) }
    }
);

/// A subscribed feed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct FeedRecord {
    /// Id.
    pub feed: i64,
    /// Address of the feed.
    pub url: String,
    /// The feed's own title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The user's title for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_title: Option<String>,
    /// The feed's description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Address of the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home_url: Option<String>,
    /// A language tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// A data: URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// Id of the folder that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<i64>,
    /// Whether it is, or was, a feed of an account on a server.
    #[serde(default, skip_serializing_if = "is_no")]
    pub of_account: bool,
    /// Position among its siblings.
    pub position: i64,
    /// Unknown attributes of its OPML outline: JSON, [[name, value], …].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<String>,
    /// When it was subscribed.
    pub added_at: Millis,
    /// The user's update interval in minutes; 0: never automatically.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_minutes: Option<u32>,
    /// The interval is automatic, regardless of the folder.
    #[serde(default, skip_serializing_if = "is_no")]
    pub refresh_best: bool,
    /// The address that it moved from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former_url: Option<String>,
    /// Redirects to a new address are not followed.
    #[serde(default)]
    pub stays: bool,
    /// Date of its newest article when the user dismissed its inactivity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_silent: Option<Millis>,
    /// Downloads for offline reading: 1 full text, 2 images, 3 both, 0 neither; none: as for all feeds.
    #[serde(rename = "ahead", default, skip_serializing_if = "Option::is_none")]
    #[sqlx(rename = "ahead")]
    pub offline: Option<i64>,
    /// Articles open with their full text if there is one.
    #[serde(default)]
    pub full_text_first: bool,
    /// Articles open without their full text, regardless of the folder.
    #[serde(default, skip_serializing_if = "is_no")]
    pub full_text_later: bool,
    /// When the full text is fetched on opening: 0 never, 1 for excerpts, 2 always; none: as for all feeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_text_when: Option<i64>,
    /// Remote images are shown; none: as for all feeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_images: Option<bool>,
    /// New articles are notified; none: as for all feeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify: Option<bool>,
    /// How its episodes are played.
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub playback: FeedPlayback,
    /// Its image and search box: JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}
impl FeedRecord {
    /// Returns its preferences, without invalid ones.
    pub(crate) fn preferences(&self) -> Preferences {
        let Self { offline, full_text_when, load_images, notify, .. } = *self;
        let refresh_minutes = self.refresh_minutes.map(i64::from).or(self.refresh_best.then_some(BEST));
        // Older versions wrote `false` for a missing value.
        let full_text_first = self.full_text_first.then_some(true).or(self.full_text_later.then_some(false));
        Preferences { refresh_minutes, offline, full_text_when, full_text_first, load_images, notify }.repaired()
    }

    /// Returns the title as it is in a list of subscriptions: the address if it has none.
    #[must_use]
    pub fn listed_title(&self) -> String {
        listed_title(self.custom_title.as_deref(), self.title.as_deref(), &self.url)
    }
}

plain!(
    FeedRecord,
    "feeds.jsonl",
    "SELECT id AS feed, url, title, custom_title, description, home_url, language, icon, folder_id AS folder, position, outline, added_at,
        account_id <> 1 OR id IN (SELECT j.value FROM settings s JOIN json_each(s.value) j WHERE s.key = 'former_account_feeds') AS of_account,
        nullif(refresh_minutes, -1) AS refresh_minutes, refresh_minutes IS -1 AS refresh_best, former_url, stays, kept_silent, ahead,
        full_text_first = 1 AS full_text_first, full_text_first = 2 AS full_text_later, full_text_when, load_images, notify, playback_speed, skip_intro,
        skip_outro, head
     FROM feeds WHERE id NOT IN {left} ORDER BY id",
    |record| {
        place(&mut record.position);
        moment(&mut record.added_at);
        moments([&mut record.kept_silent]);
        record.playback = record.playback.repaired();
        let head = record.head.take().and_then(|json| serde_json::from_str::<FeedHead>(&json).ok());
        record.head = head.and_then(|head| head.repaired().stored().ok().flatten());
        Ok(())
    }
);
