//! What was made of articles, and what hangs on them.

use super::{FAR, Record, moment, moments, plain};
use crate::{
    COLORS, Library, LibraryError, Millis,
    table::notes::{unfit_note, unfit_quote},
    tag_key,
};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

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
     WHERE feed_id NOT IN {left} AND hidden <> 2 ORDER BY item_id",
    |record| {
        moments([&mut record.read_at, &mut record.starred_at]);
        Ok(())
    }
);

/// A tag.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct TagRecord {
    /// As the reader wrote it first.
    pub tag: String,
}
plain!(
    TagRecord,
    "tags.jsonl",
    "SELECT name AS tag FROM tags ORDER BY id",
    |record| if tag_key(&record.tag).is_empty() { Err("a tag needs a name") } else { Ok(()) }
);

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
     WHERE {there} ORDER BY i.id, t.id",
    |record| {
        moment(&mut record.at);
        if tag_key(&record.tag).is_empty() { Err("a tag needs a name") } else { Ok(()) }
    }
);

/// A passage of an article that the reader has marked, or what they wrote about it or about the whole article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct NoteRecord {
    /// The article.
    pub item: i64,
    /// The passage's words; none: it is on the whole article.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// What stood before it.
    #[serde(default)]
    pub prefix: String,
    /// What stood behind it.
    #[serde(default)]
    pub suffix: String,
    /// How far into the article's text it began.
    #[serde(default)]
    pub start: i64,
    /// Which of the colours, from 0.
    #[serde(default)]
    pub color: u8,
    /// The reader's own words.
    #[serde(default)]
    pub note: String,
    /// When it was made.
    pub created_at: Millis,
    /// When its words were written last.
    pub changed_at: Millis,
}
plain!(
    NoteRecord,
    "notes.jsonl",
    "SELECT n.item_id AS item, n.quote, n.prefix, n.suffix, n.start, n.color, n.note, n.created_at, n.changed_at
     FROM items i CROSS JOIN notes n ON n.item_id = i.id WHERE {there} ORDER BY i.id, n.created_at, n.id",
    |record| {
        moment(&mut record.created_at);
        moment(&mut record.changed_at);
        record.color = record.color.min(COLORS - 1);
        record.start = record.start.clamp(0, i64::from(u32::MAX));
        let unfit = match &record.quote {
            Some(quote) => unfit_quote(quote, &record.prefix, &record.suffix),
            None => record.note.trim().is_empty().then_some("a note on an article has words"),
        };
        unfit.or_else(|| unfit_note(&record.note)).map_or(Ok(()), Err)
    }
);

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
    "SELECT p.item_id AS item, p.position, p.at FROM progress p JOIN items i ON i.id = p.item_id WHERE {there} ORDER BY p.item_id",
    |record| {
        moment(&mut record.at);
        record.position = record.position.clamp(0.0, 1.0);
        Ok(())
    }
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
     WHERE {there} ORDER BY p.item_id, p.url",
    |record| {
        moment(&mut record.at);
        record.seconds = record.seconds.max(0.0);
        Ok(())
    }
);

/// How many unread articles of a feed were opened in an hour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct OpenedRecord {
    /// Hours since 1970, UTC.
    pub hour: i64,
    /// The feed.
    pub feed: i64,
    /// How many.
    pub articles: i64,
}
plain!(
    OpenedRecord,
    "opened.jsonl",
    "SELECT hour, feed_id AS feed, articles FROM opened WHERE feed_id NOT IN {left} ORDER BY hour, feed_id",
    |record| {
        record.hour = record.hour.clamp(0, FAR / 3_600_000);
        record.articles = record.articles.clamp(0, 1_000_000);
        Ok(())
    }
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
     FROM items i JOIN states s ON s.item_id = i.id WHERE s.hidden = 2 AND i.feed_id NOT IN {left} ORDER BY 1, 2",
    |record| {
        moment(&mut record.at);
        moments([&mut record.published_at]);
        Ok(())
    }
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
        AND EXISTS (SELECT 1 FROM item_images p JOIN items i ON i.id = p.item_id WHERE p.digest = g.digest AND {there})
     ORDER BY g.digest",
    |record| {
        moment(&mut record.fetched_at);
        if record.bytes < 0 { Err("no picture has so many bytes") } else { Ok(()) }
    }
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
        JOIN images g ON g.digest = p.digest WHERE g.there = 1 AND {there} ORDER BY p.item_id, p.url",
    |_record| Ok(())
);
