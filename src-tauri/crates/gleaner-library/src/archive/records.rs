//! The lines of an archive: one type a file. A number stands for a thing within its archive only.
// long: each kind of line with its SQL, as take.rs has them on the way back.

use crate::{ArticleText, Body, Enclosure, Library, LibraryError, Millis, body, table::feeds::shown_title};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sqlx::{FromRow, sqlite::SqliteRow};

/// What is read for a record, before its texts are unpacked.
pub trait Record: Serialize + DeserializeOwned + Send + Sized + 'static {
    /// The file of an archive that holds these.
    const FILE: &'static str;
    /// A row of what it is read from.
    #[doc(hidden)]
    type Row: for<'r> FromRow<'r, SqliteRow> + Send + Unpin;
    /// The query for all of them. `{left}` stands for the feeds that are no part of an archive.
    #[doc(hidden)]
    const SELECT: &'static str;
    #[doc(hidden)]
    fn of(row: Self::Row, library: &Library) -> Result<Self, LibraryError>;
}

/// A record that is read as it is written.
macro_rules! plain {
    ($name:ident, $file:literal, $select:literal) => {
        impl Record for $name {
            const FILE: &'static str = $file;
            type Row = Self;
            const SELECT: &'static str = $select;
            fn of(row: Self, _library: &Library) -> Result<Self, LibraryError> {
                Ok(row)
            }
        }
    };
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
}
// A folder comes after the one that it is in.
plain!(
    FolderRecord,
    "folders.jsonl",
    "WITH RECURSIVE reached (id, depth) AS (
        SELECT id, 0 FROM folders WHERE parent_id IS NULL
        UNION ALL SELECT f.id, r.depth + 1 FROM folders f JOIN reached r ON f.parent_id = r.id)
     SELECT f.id AS folder, f.parent_id AS parent, f.name, f.position, f.open FROM reached r JOIN folders f ON f.id = r.id ORDER BY r.depth, f.id"
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
    /// Articles open with their full text.
    #[serde(default)]
    pub full_text_first: bool,
}
impl FeedRecord {
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
        refresh_minutes, former_url, stays, kept_silent, ahead, full_text_first FROM feeds WHERE id NOT IN {left} ORDER BY id"
);

/// An article as its feed gave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemRecord {
    /// Its number.
    pub item: i64,
    /// Its feed.
    pub feed: i64,
    /// Its identity within the feed.
    pub key: String,
    /// What the browser opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The address by which it is known again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical_url: Option<String>,
    /// Plain text; may be empty.
    pub title: String,
    /// Plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// A language tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// As the feed says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Millis>,
    /// As the feed says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Millis>,
    /// The date has no zone, or an implausible form.
    #[serde(default)]
    pub date_uncertain: bool,
    /// When it came.
    pub received_at: Millis,
    /// Its place in lists.
    pub sort_at: Millis,
    /// The start of its text.
    pub excerpt: String,
    /// Words of its text.
    pub word_count: i64,
    /// A small picture's URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail_url: Option<String>,
    /// "audio" or "video", after the first enclosure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<String>,
    /// The page that people comment on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments_url: Option<String>,
    /// Of all that the feed says of it, by which a change is told; in hexadecimal digits.
    pub digest: String,
    /// The same number for titles that say the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title_key: Option<i64>,
    /// What the feed says that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// Its HTML as it was published, not sanitised, and the URL that its relative links hang on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Body>,
    /// The short form, where the feed gives both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Body>,
    /// Files that it carries: url, mime_type, length in bytes, title, duration_seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enclosures: Vec<Enclosure>,
    /// Until when it is held back from lists, since it is dated in the future.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_until: Option<Millis>,
    /// The first of the articles of different feeds that tell one story with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub story: Option<i64>,
}

#[derive(Debug, FromRow)]
pub struct ItemRowOut {
    item: i64,
    feed: i64,
    key: String,
    url: Option<String>,
    canonical_url: Option<String>,
    title: String,
    author: Option<String>,
    language: Option<String>,
    published_at: Option<Millis>,
    updated_at: Option<Millis>,
    date_uncertain: bool,
    received_at: Millis,
    sort_at: Millis,
    excerpt: String,
    word_count: i64,
    thumbnail_url: Option<String>,
    media: Option<String>,
    comments_url: Option<String>,
    digest: String,
    title_key: Option<i64>,
    held_until: Option<Millis>,
    story: Option<i64>,
    codec: Option<i64>,
    content: Option<Vec<u8>>,
    content_base: Option<String>,
    summary: Option<Vec<u8>>,
    summary_base: Option<String>,
    categories: Option<String>,
    enclosures: Option<String>,
}

impl Record for ItemRecord {
    const FILE: &'static str = "items.jsonl";
    type Row = ItemRowOut;
    const SELECT: &'static str = "SELECT i.id AS item, i.feed_id AS feed, i.key, i.url, i.canonical_url, i.title, i.author, i.language,
            i.published_at, i.updated_at, i.date_uncertain, i.received_at, i.sort_at, i.excerpt, i.word_count, i.thumbnail_url, i.media,
            i.comments_url, lower(hex(i.digest)) AS digest, i.title_key, h.until AS held_until,
            (SELECT min(t.item_id) FROM stories a JOIN stories t ON t.story_id = a.story_id JOIN items x ON x.id = t.item_id
             WHERE a.item_id = i.id AND x.feed_id NOT IN {left}) AS story,
            b.codec, b.content, b.content_base, b.summary, b.summary_base, b.categories,
            (SELECT json_group_array(json_object('url', url, 'mime_type', mime_type, 'length', length, 'title', title,
                'duration_seconds', duration_seconds)) FROM (SELECT * FROM enclosures e WHERE e.item_id = i.id ORDER BY e.position)) AS enclosures
        FROM items i LEFT JOIN bodies b ON b.item_id = i.id LEFT JOIN held h ON h.item_id = i.id LEFT JOIN states s ON s.item_id = i.id
        WHERE i.feed_id NOT IN {left} AND s.hidden IS NOT 2 ORDER BY i.id";

    fn of(row: ItemRowOut, library: &Library) -> Result<Self, LibraryError> {
        let wrong = |error: serde_json::Error| LibraryError::Invalid(format!("article {}: {error}", row.item));
        let list = |json: Option<&str>| json.map_or(Ok(Vec::new()), serde_json::from_str);
        let categories = list(row.categories.as_deref()).map_err(wrong)?;
        let enclosures = row.enclosures.as_deref().map_or(Ok(Vec::new()), serde_json::from_str).map_err(wrong)?;
        let unpack = |bytes, base| library.unpacked(row.item, row.codec.unwrap_or(0), bytes, base);
        let text = ArticleText {
            content: unpack(row.content, row.content_base)?,
            summary: unpack(row.summary, row.summary_base)?,
            categories,
        };
        Ok(Self {
            item: row.item,
            feed: row.feed,
            key: row.key,
            url: row.url,
            canonical_url: row.canonical_url,
            title: row.title,
            author: row.author,
            language: row.language,
            published_at: row.published_at,
            updated_at: row.updated_at,
            date_uncertain: row.date_uncertain,
            received_at: row.received_at,
            sort_at: row.sort_at,
            excerpt: row.excerpt,
            word_count: row.word_count,
            thumbnail_url: row.thumbnail_url,
            media: row.media,
            comments_url: row.comments_url,
            digest: row.digest,
            title_key: row.title_key,
            categories: text.categories,
            content: text.content,
            summary: text.summary,
            enclosures,
            held_until: row.held_until,
            story: row.story,
        })
    }
}

/// What the reader has made of an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct StateRecord {
    /// The article.
    pub item: i64,
    /// It was read.
    #[serde(default)]
    pub read: bool,
    /// It has a star.
    #[serde(default)]
    pub starred: bool,
    /// It is in no list but that of hidden ones.
    #[serde(default)]
    pub hidden: bool,
    /// No rule of retention lets it go.
    #[serde(default)]
    pub kept: bool,
    /// When it was marked read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<Millis>,
    /// When it was given its star.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starred_at: Option<Millis>,
}
plain!(
    StateRecord,
    "states.jsonl",
    "SELECT item_id AS item, read, starred, hidden, kept, read_at, starred_at FROM states
     WHERE feed_id NOT IN {left} AND hidden <> 2 ORDER BY item_id"
);

/// A tag.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct TagRecord {
    /// As the reader wrote it first.
    pub tag: String,
}
plain!(TagRecord, "tags.jsonl", "SELECT name AS tag FROM tags ORDER BY id");

/// A tag on an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct TaggedRecord {
    /// The article.
    pub item: i64,
    /// The tag.
    pub tag: String,
    /// When it was given.
    pub at: Millis,
}
plain!(
    TaggedRecord,
    "tagged.jsonl",
    "SELECT m.item_id AS item, t.name AS tag, m.at FROM items i CROSS JOIN item_tags m ON m.item_id = i.id JOIN tags t ON t.id = m.tag_id
     WHERE i.feed_id NOT IN {left} ORDER BY i.id, t.id"
);

/// What an article said before it changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionRecord {
    /// The article.
    pub item: i64,
    /// When something else took its place.
    pub at: Millis,
    /// Plain text.
    pub title: String,
    /// Its HTML, and the URL that its relative links hang on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Body>,
    /// Its short form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Body>,
}

#[derive(Debug, FromRow)]
pub struct VersionRowOut {
    item: i64,
    at: Millis,
    title: String,
    codec: i64,
    content: Option<Vec<u8>>,
    content_base: Option<String>,
    summary: Option<Vec<u8>>,
    summary_base: Option<String>,
    on_codec: i64,
    on_content: Option<Vec<u8>>,
    on_summary: Option<Vec<u8>>,
}

impl Record for VersionRecord {
    const FILE: &'static str = "versions.jsonl";
    type Row = VersionRowOut;
    const SELECT: &'static str =
        "SELECT v.item_id AS item, v.at, v.title, v.codec, v.content, v.content_base, v.summary, v.summary_base,
            ifnull(b.codec, 0) AS on_codec, b.content AS on_content, b.summary AS on_summary
        FROM versions v JOIN items i ON i.id = v.item_id LEFT JOIN versions b ON b.item_id = v.item_id AND b.at = v.base_at
        WHERE i.feed_id NOT IN {left} ORDER BY v.item_id, v.at";

    fn of(row: VersionRowOut, library: &Library) -> Result<Self, LibraryError> {
        // A version may be compressed with the text of an older one.
        let text = |bytes: Option<Vec<u8>>, on: Option<Vec<u8>>, base: Option<String>| {
            let on = library.unpacked(row.item, row.on_codec, on, None)?.unwrap_or_default().html;
            let unpacked = |bytes: Vec<u8>| match row.codec {
                body::ZSTD_WITH => body::unpack_with(&bytes, &on),
                codec => library.dictionaries.unpack(codec, &bytes),
            };
            let html = bytes.map(unpacked).transpose();
            let html = html.map_err(|why| LibraryError::Damaged {
                folder: library.folder().to_owned(),
                why: format!("a former version of article {}: {why}", row.item),
            })?;
            Ok::<_, LibraryError>(html.map(|html| Body { html, base }))
        };
        Ok(Self {
            item: row.item,
            at: row.at,
            title: row.title,
            content: text(row.content, row.on_content, row.content_base)?,
            summary: text(row.summary, row.on_summary, row.summary_base)?,
        })
    }
}

/// An article's text from its own page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FullTextRecord {
    /// The article.
    pub item: i64,
    /// Where it came from in the end; its links hang on it.
    pub url: String,
    /// HTML.
    pub html: String,
    /// When it was fetched.
    pub fetched_at: Millis,
}

#[derive(Debug, FromRow)]
pub struct FullTextRowOut {
    item: i64,
    url: String,
    codec: i64,
    content: Vec<u8>,
    fetched_at: Millis,
}

impl Record for FullTextRecord {
    const FILE: &'static str = "full-texts.jsonl";
    type Row = FullTextRowOut;
    const SELECT: &'static str = "SELECT t.item_id AS item, t.url, t.codec, t.content, t.fetched_at
        FROM full_texts t JOIN items i ON i.id = t.item_id WHERE i.feed_id NOT IN {left} ORDER BY t.item_id";

    fn of(row: FullTextRowOut, library: &Library) -> Result<Self, LibraryError> {
        let body = library.unpacked(row.item, row.codec, Some(row.content), None)?.unwrap_or_default();
        Ok(Self { item: row.item, url: row.url, html: body.html, fetched_at: row.fetched_at })
    }
}

/// How far an article was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct ProgressRecord {
    /// The article.
    pub item: i64,
    /// 0 its beginning, 1 its end.
    pub position: f64,
    /// When.
    pub at: Millis,
}
plain!(
    ProgressRecord,
    "progress.jsonl",
    "SELECT p.item_id AS item, p.position, p.at FROM progress p JOIN items i ON i.id = p.item_id WHERE i.feed_id NOT IN {left} ORDER BY p.item_id"
);

/// How far an enclosure was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct PlaybackRecord {
    /// The article.
    pub item: i64,
    /// The enclosure's.
    pub url: String,
    /// How far.
    pub seconds: f64,
    /// Of so many seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// To its end.
    #[serde(default)]
    pub finished: bool,
    /// When.
    pub at: Millis,
}
plain!(
    PlaybackRecord,
    "playback.jsonl",
    "SELECT p.item_id AS item, p.url, p.seconds, p.duration, p.finished, p.at FROM playback p JOIN items i ON i.id = p.item_id
     WHERE i.feed_id NOT IN {left} ORDER BY p.item_id, p.url"
);

/// A rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct RuleRecord {
    /// Its number.
    pub rule: i64,
    /// What it is called.
    pub name: String,
    /// Which articles it is for, in Gleaner's language of queries.
    pub query: String,
    /// The one feed that it holds for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feed: Option<i64>,
    /// The one folder that it holds for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<i64>,
    /// What it does: JSON.
    pub actions: String,
    /// It is on.
    pub enabled: bool,
    /// Its place among the others.
    pub position: i64,
    /// When it was made.
    pub created_at: Millis,
    /// When it was deleted: it is named still where it did something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Millis>,
}
plain!(
    RuleRecord,
    "rules.jsonl",
    "SELECT id AS rule, name, query, feed_id AS feed, folder_id AS folder, actions, enabled, position, created_at, deleted_at
     FROM rules WHERE feed_id IS NULL OR feed_id NOT IN {left} ORDER BY id"
);

/// A rule did something to an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct TouchRecord {
    /// The article.
    pub item: i64,
    /// The rule.
    pub rule: i64,
    /// When.
    pub at: Millis,
    /// What it did: JSON, as a rule's actions.
    #[serde(default = "nothing")]
    pub actions: String,
}

fn nothing() -> String {
    "[]".to_owned()
}

plain!(
    TouchRecord,
    "touches.jsonl",
    "SELECT t.item_id AS item, t.rule_id AS rule, t.at, t.actions FROM rule_touches t JOIN items i ON i.id = t.item_id
     WHERE i.feed_id NOT IN {left} ORDER BY t.item_id, t.rule_id"
);

/// A search that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct SavedSearchRecord {
    /// What it is called.
    pub name: String,
    /// In Gleaner's language of queries.
    pub query: String,
    /// Its place among the others.
    pub position: i64,
}
plain!(
    SavedSearchRecord,
    "saved-searches.jsonl",
    "SELECT name, query, position FROM saved_searches ORDER BY position, id"
);

/// What a category of feeds means to the reader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct SynonymRecord {
    /// The category, in small letters.
    pub key: String,
    /// What it means.
    pub means: String,
}
plain!(SynonymRecord, "synonyms.jsonl", "SELECT key, means FROM category_synonyms ORDER BY key");

/// How much is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct RetentionRecord {
    /// "all", "folder" or "feed".
    pub scope: String,
    /// The folder's or feed's number; 0 for all.
    pub of: i64,
    /// So many days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<i64>,
    /// So many articles of each feed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub articles: Option<i64>,
    /// So many bytes of each feed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<i64>,
    /// What is unread stays.
    pub keep_unread: bool,
}
plain!(
    RetentionRecord,
    "retention.jsonl",
    "SELECT scope, scope_id AS of, days, articles, bytes, keep_unread FROM retention
     WHERE scope <> 'feed' OR scope_id NOT IN {left} ORDER BY scope, scope_id"
);

/// An article that was let go of, so that it does not come back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct TombstoneRecord {
    /// Its feed.
    pub feed: i64,
    /// Its identity within the feed.
    pub key: String,
    /// The address by which it is known again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical_url: Option<String>,
    /// Plain text.
    pub title: String,
    /// As the feed said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Millis>,
    /// Of all that the feed said of it; in hexadecimal digits.
    pub digest: String,
    /// When it was let go of.
    pub at: Millis,
}
// What retention is about to let go of is as good as gone.
plain!(
    TombstoneRecord,
    "tombstones.jsonl",
    "SELECT feed_id AS feed, key, canonical_url, title, published_at, lower(hex(digest)) AS digest, at FROM tombstones
     WHERE feed_id NOT IN {left}
     UNION ALL SELECT i.feed_id, i.key, i.canonical_url, i.title, i.published_at, lower(hex(i.digest)), i.received_at
     FROM items i JOIN states s ON s.item_id = i.id WHERE s.hidden = 2 AND i.feed_id NOT IN {left} ORDER BY 1, 2"
);

/// A picture that is kept; its bytes are in `images/` under its digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct ImageRecord {
    /// BLAKE3 of its bytes, in hexadecimal digits.
    pub digest: String,
    /// Its type.
    pub mime_type: String,
    /// How many bytes it has.
    pub bytes: i64,
    /// When it was fetched.
    pub fetched_at: Millis,
}
plain!(
    ImageRecord,
    "images.jsonl",
    "SELECT lower(hex(g.digest)) AS digest, g.mime_type, g.bytes, g.fetched_at FROM images g WHERE g.there = 1
        AND EXISTS (SELECT 1 FROM item_images p JOIN items i ON i.id = p.item_id WHERE p.digest = g.digest AND i.feed_id NOT IN {left})
     ORDER BY g.digest"
);

/// A picture of an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct PictureRecord {
    /// The article.
    pub item: i64,
    /// As the article names it.
    pub url: String,
    /// Which of the pictures it is.
    pub digest: String,
}
plain!(
    PictureRecord,
    "pictures.jsonl",
    "SELECT p.item_id AS item, p.url, lower(hex(p.digest)) AS digest FROM item_images p JOIN items i ON i.id = p.item_id
        JOIN images g ON g.digest = p.digest WHERE g.there = 1 AND i.feed_id NOT IN {left} ORDER BY p.item_id, p.url"
);
