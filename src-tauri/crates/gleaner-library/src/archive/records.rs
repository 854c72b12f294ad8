//! The lines of an archive: one type a file. A number stands for a thing within its archive only.

mod articles;
mod marks;
mod wishes;

pub use articles::{FullTextRecord, ItemRecord, VersionRecord};
pub use marks::{
    ImageRecord, NoteRecord, OpenedRecord, PictureRecord, PlaybackRecord, ProgressRecord, StateRecord, TagRecord,
    TaggedRecord, TombstoneRecord,
};
pub use wishes::{RetentionRecord, RuleRecord, SavedSearchRecord, SynonymRecord, TouchRecord};

use crate::{BEST, FeedHead, Library, LibraryError, Millis, Preferences, table::feeds::shown_title};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sqlx::{FromRow, sqlite::SqliteRow};

/// What is read for a record, before its texts are unpacked.
pub trait Record: Serialize + DeserializeOwned + Send + Sized + 'static {
    /// The file of an archive that holds these.
    const FILE: &'static str;
    /// A row of what it is read from.
    #[doc(hidden)]
    type Row: for<'r> FromRow<'r, SqliteRow> + Send + Unpin;
    /// The query for all of them. `{left}` stands for the feeds that are no part of an archive, `{there}` for: the article `i` is part of it.
    #[doc(hidden)]
    const SELECT: &'static str;
    #[doc(hidden)]
    fn of(row: Self::Row, library: &Library) -> Result<Self, LibraryError>;

    /// Brings what an archive says within what a library can hold.
    ///
    /// # Errors
    /// Why it is to be left out.
    fn mend(&mut self) -> Result<(), &'static str>;
}

/// The end of the year 9999.
const FAR: Millis = 253_402_300_799_999;

/// A moment that can be reckoned with.
fn moment(at: &mut Millis) {
    *at = (*at).clamp(-FAR, FAR);
}

fn moments<'a>(all: impl IntoIterator<Item = &'a mut Option<Millis>>) {
    all.into_iter().flatten().for_each(moment);
}

/// A place in a list that others can come behind.
fn place(position: &mut i64) {
    *position = (*position).clamp(0, 1_000_000_000);
}

/// A record that is read as it is written.
macro_rules! plain {
    ($name:ident, $file:literal, $select:literal, |$record:ident| $mend:expr) => {
        impl Record for $name {
            const FILE: &'static str = $file;
            type Row = Self;
            const SELECT: &'static str = $select;
            fn of(row: Self, _library: &Library) -> Result<Self, LibraryError> {
                Ok(row)
            }
            fn mend(&mut self) -> Result<(), &'static str> {
                let $record = self;
                $mend
            }
        }
    };
}
use plain;

/// What older versions did not write is not written where it says nothing.
#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_no(flag: &bool) -> bool {
    !flag
}

/// A folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct FolderRecord {
    /// Its number.
    pub folder: i64,
    /// The folder that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<i64>,
    /// What it is called.
    pub name: String,
    /// Its place among the others.
    pub position: i64,
    /// Its feeds are shown below it.
    pub open: bool,
    /// What is said of the feeds in it, as of a feed: minutes between polls, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_minutes: Option<i64>,
    /// … what is fetched ahead, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<i64>,
    /// … when full texts are fetched, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_text_when: Option<i64>,
    /// … whether articles open with them, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_text_first: Option<bool>,
    /// … whether remote pictures are shown, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_images: Option<bool>,
    /// … and whether the desktop is told of new articles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify: Option<bool>,
}
impl FolderRecord {
    /// What is said of the feeds in it, without what cannot be meant.
    pub(crate) fn preferences(&self) -> Preferences {
        let Self { refresh_minutes, ahead, full_text_when, full_text_first, load_images, notify, .. } = *self;
        Preferences { refresh_minutes, ahead, full_text_when, full_text_first, load_images, notify }.mended()
    }
}
// A folder comes after the one that it is in.
plain!(
    FolderRecord,
    "folders.jsonl",
    "WITH RECURSIVE reached (id, depth) AS (
        SELECT id, 0 FROM folders WHERE parent_id IS NULL
        UNION ALL SELECT f.id, r.depth + 1 FROM folders f JOIN reached r ON f.parent_id = r.id)
     SELECT f.id AS folder, f.parent_id AS parent, f.name, f.position, f.open, f.refresh_minutes, f.ahead, f.full_text_when, f.full_text_first,
        f.load_images, f.notify FROM reached r JOIN folders f ON f.id = r.id ORDER BY r.depth, f.id",
    |record| {
        place(&mut record.position);
        if record.name.trim().is_empty() { Err("it has no name") } else { Ok(()) }
    }
);

/// A subscribed feed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct FeedRecord {
    /// Its number.
    pub feed: i64,
    /// Where it is fetched.
    pub url: String,
    /// Its own title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The reader's name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_title: Option<String>,
    /// What it says of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home_url: Option<String>,
    /// A language tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// A data: URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// The folder that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<i64>,
    /// Its place among the others.
    pub position: i64,
    /// Attributes of its OPML outline that Gleaner does not know: JSON, [[name, value], …].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<String>,
    /// When it was subscribed to.
    pub added_at: Millis,
    /// The reader's wish: minutes between polls; 0: never by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_minutes: Option<u32>,
    /// It is asked as Gleaner thinks best, whatever its folder says.
    #[serde(default, skip_serializing_if = "is_no")]
    pub refresh_best: bool,
    /// Where it was fetched before it moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former_url: Option<String>,
    /// It is not to be followed where it had moved.
    #[serde(default)]
    pub stays: bool,
    /// When its newest article was, as the reader said that it is to be kept though it is silent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_silent: Option<Millis>,
    /// What is fetched ahead: 1 the full text, 2 pictures, 3 both, 0 neither; none: as for all feeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<i64>,
    /// Articles open with their full text where it is there.
    #[serde(default)]
    pub full_text_first: bool,
    /// They do not, whatever its folder says.
    #[serde(default, skip_serializing_if = "is_no")]
    pub full_text_later: bool,
    /// When the full text is fetched as an article is opened: 0 never, 1 where the feed gives only a beginning, 2 always; none: as for all feeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_text_when: Option<i64>,
    /// Remote pictures are shown; none: as for all feeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_images: Option<bool>,
    /// The desktop is told of its new articles; none: as for all feeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify: Option<bool>,
    /// Its picture and its search box: JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}
impl FeedRecord {
    /// What is said of it, without what cannot be meant.
    pub(crate) fn preferences(&self) -> Preferences {
        let Self { ahead, full_text_when, load_images, notify, .. } = *self;
        let refresh_minutes = self.refresh_minutes.map(i64::from).or(self.refresh_best.then_some(BEST));
        // Older versions wrote no where nothing was said.
        let full_text_first = self.full_text_first.then_some(true).or(self.full_text_later.then_some(false));
        Preferences { refresh_minutes, ahead, full_text_when, full_text_first, load_images, notify }.mended()
    }

    /// What it is called where it is shown.
    #[must_use]
    pub fn shown_title(&self) -> String {
        shown_title(self.custom_title.as_deref(), self.title.as_deref(), &self.url)
    }
}

plain!(
    FeedRecord,
    "feeds.jsonl",
    "SELECT id AS feed, url, title, custom_title, description, home_url, language, icon, folder_id AS folder, position, outline, added_at,
        nullif(refresh_minutes, -1) AS refresh_minutes, refresh_minutes IS -1 AS refresh_best, former_url, stays, kept_silent, ahead,
        full_text_first = 1 AS full_text_first, full_text_first = 2 AS full_text_later, full_text_when, load_images, notify, head
     FROM feeds WHERE id NOT IN {left} ORDER BY id",
    |record| {
        place(&mut record.position);
        moment(&mut record.added_at);
        moments([&mut record.kept_silent]);
        let head = record.head.take().and_then(|json| serde_json::from_str::<FeedHead>(&json).ok());
        record.head = head.and_then(|head| head.mended().stored().ok().flatten());
        Ok(())
    }
);
