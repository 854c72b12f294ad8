//! The user's marks on articles, and other data of articles.

use super::{FAR, Record, moment, moments, plain};
use crate::{
    LibraryError, Millis, Refusal,
    table::notes::{COLORS, unfit_note, unfit_quote},
    tag_key,
};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use std::borrow::Cow;

/// The state of an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct StateRecord {
    /// Id of the article.
    pub item: i64,
    /// Whether it was read.
    #[serde(default)]
    pub read: bool,
    /// Whether it has a star.
    #[serde(default)]
    pub starred: bool,
    /// Whether it is hidden: shown in the list of hidden articles only.
    #[serde(default)]
    pub hidden: bool,
    /// Whether retention never deletes it.
    #[serde(default)]
    pub kept: bool,
    /// When it was marked read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<Millis>,
    /// When it was starred.
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
    /// Its name as first written.
    pub tag: String,
}
plain!(
    TagRecord,
    "tags.jsonl",
    "SELECT name AS tag FROM tags ORDER BY id",
    |record| if tag_key(&record.tag).is_empty() { Err("a tag needs a name".into()) } else { Ok(()) }
);

/// A tag on an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct TaggedRecord {
    /// Id of the article.
    pub item: i64,
    /// Name of the tag.
    pub tag: String,
    /// When it was set.
    pub at: Millis,
}
plain!(
    TaggedRecord,
    "tagged.jsonl",
    "SELECT m.item_id AS item, t.name AS tag, m.at FROM items i CROSS JOIN item_tags m ON m.item_id = i.id JOIN tags t ON t.id = m.tag_id
     WHERE {there} ORDER BY i.id, t.id",
    |record| {
        moment(&mut record.at);
        if tag_key(&record.tag).is_empty() { Err("a tag needs a name".into()) } else { Ok(()) }
    }
);

/// A highlight in an article, or a note on it or on the whole article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct NoteRecord {
    /// Id of the article.
    pub item: i64,
    /// The highlighted text; none: a note on the whole article.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The text before it.
    #[serde(default)]
    pub prefix: String,
    /// The text after it.
    #[serde(default)]
    pub suffix: String,
    /// Where it began, in characters of the article's text.
    #[serde(default)]
    pub start: i64,
    /// Index of its colour.
    #[serde(default)]
    pub color: u8,
    /// The user's text.
    #[serde(default)]
    pub note: String,
    /// When it was created.
    pub created_at: Millis,
    /// When its text last changed.
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
            None => record.note.trim().is_empty().then_some(Refusal::NoteEmpty),
        };
        unfit.or_else(|| unfit_note(&record.note)).map_or(Ok(()), |refusal| Err(refusal.to_string().into()))
    }
);

/// The reading position in an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct ProgressRecord {
    /// Id of the article.
    pub item: i64,
    /// 0 the beginning, 1 the end.
    pub position: f64,
    /// When it was saved.
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

/// The playback position in an enclosure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct PlaybackRecord {
    /// Id of the article.
    pub item: i64,
    /// Address of the enclosure.
    pub url: String,
    /// Position, in seconds.
    pub seconds: f64,
    /// Duration, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Whether it was played to its end.
    #[serde(default)]
    pub finished: bool,
    /// When it was saved.
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

/// A file in the play queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromRow)]
pub struct PlayQueueRecord {
    /// Id of the article.
    pub item: i64,
    /// Address of the enclosure.
    pub url: String,
}
plain!(
    PlayQueueRecord,
    "play-queue.jsonl",
    "SELECT q.item_id AS item, q.url FROM play_queue q JOIN items i ON i.id = q.item_id WHERE {there} ORDER BY q.position, q.item_id, q.url",
    |_record| Ok(())
);

/// The number of unread articles of a feed that were opened in an hour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct ReadingStatsRecord {
    /// Hours since 1970, UTC.
    pub hour: i64,
    /// Id of the feed.
    pub feed: i64,
    /// Number of articles.
    pub articles: i64,
}
plain!(
    ReadingStatsRecord,
    "opened.jsonl",
    "SELECT hour, feed_id AS feed, articles FROM opened WHERE feed_id NOT IN {left} ORDER BY hour, feed_id",
    |record| {
        record.hour = record.hour.clamp(0, FAR / 3_600_000);
        record.articles = record.articles.clamp(0, 1_000_000);
        Ok(())
    }
);

/// A tombstone: a deleted article that its feed must not add again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct TombstoneRecord {
    /// Id of its feed.
    pub feed: i64,
    /// Identity within the feed.
    pub key: String,
    /// Canonical form of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical_url: Option<String>,
    /// Plain text.
    pub title: String,
    /// Publication date as the feed gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Millis>,
    /// Digest of everything that the feed said about it, hexadecimal.
    pub digest: String,
    /// When it was deleted.
    pub at: Millis,
}
// Articles pending deletion count as deleted.
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

/// A stored image; its bytes are in `images/` under its digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct ImageRecord {
    /// BLAKE3 of its bytes, hexadecimal.
    pub digest: String,
    /// MIME type.
    pub mime_type: String,
    /// Size in bytes.
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
        if record.bytes < 0 { Err("the size of an image is negative".into()) } else { Ok(()) }
    }
);

/// An image of an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct ItemImageRecord {
    /// Id of the article.
    pub item: i64,
    /// Address in the article.
    pub url: String,
    /// Digest of the image.
    pub digest: String,
}
plain!(
    ItemImageRecord,
    "pictures.jsonl",
    "SELECT p.item_id AS item, p.url, lower(hex(p.digest)) AS digest FROM item_images p JOIN items i ON i.id = p.item_id
        JOIN images g ON g.digest = p.digest WHERE g.there = 1 AND {there} ORDER BY p.item_id, p.url",
    |_record| Ok(())
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_note_says_what_is_wrong_with_it() {
        let note = |quote: Option<&str>, prefix: usize, note: usize| NoteRecord {
            item: 1,
            quote: quote.map(str::to_owned),
            prefix: "p".repeat(prefix),
            suffix: String::new(),
            start: 0,
            color: 0,
            note: "n".repeat(note),
            created_at: 1,
            changed_at: 1,
        };
        for (mut note, why) in [
            (note(None, 0, 0), Refusal::NoteEmpty),
            (note(None, 0, 1_000_000), Refusal::NoteTooLong),
            (note(Some(" "), 0, 1), Refusal::HighlightEmpty),
            (note(Some("q"), 10_000, 1), Refusal::ContextTooLong),
        ] {
            assert_eq!(note.repair(), Err(why.to_string().into()));
        }
        assert_eq!(note(Some("q"), 1, 0).repair(), Ok(()));
    }
}
