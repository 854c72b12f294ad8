//! Articles and their texts.

use super::{Record, moment, moments};
use crate::{
    ArticleMetadata, ArticleText, Body, Enclosure, LibraryError, Millis, Passage, archive::Archive, body,
    table::transcripts,
};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use std::borrow::Cow;

/// Returns whether an address runs code.
fn is_code(url: &str) -> bool {
    let scheme = url.trim_start().split(':').next().unwrap_or_default().to_ascii_lowercase();
    matches!(scheme.as_str(), "javascript" | "vbscript")
}

/// An article as its feed published it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemRecord {
    /// Id.
    pub item: i64,
    /// Id of its feed.
    pub feed: i64,
    /// Identity within the feed.
    pub key: String,
    /// Address that the browser opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Canonical form of the address.
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
    /// Publication date as the feed gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Millis>,
    /// Date of the last change as the feed gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Millis>,
    /// The date has no time zone, or an implausible form.
    #[serde(default)]
    pub date_uncertain: bool,
    /// When it was received.
    pub received_at: Millis,
    /// Position in lists.
    pub sort_at: Millis,
    /// The start of its text.
    pub excerpt: String,
    /// Number of words in its text.
    pub word_count: i64,
    /// Address of a small image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail_url: Option<String>,
    /// "audio" or "video", by the first enclosure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<String>,
    /// Address of the page with comments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments_url: Option<String>,
    /// Digest of everything that the feed says about it, hexadecimal; a change of it is a change of the article.
    pub digest: String,
    /// Equal for equal titles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title_key: Option<i64>,
    /// Names of its categories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// Its HTML as published, not sanitised, and the base of its relative links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Body>,
    /// The short form, if the feed has both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Body>,
    /// Enclosures: url, mime_type, length in bytes, title, duration_seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enclosures: Vec<Enclosure>,
    /// Comments, credits and chapters.
    #[serde(rename = "beside", default, skip_serializing_if = "ArticleMetadata::is_empty")]
    pub metadata: ArticleMetadata,
    /// When it appears in lists, for an article dated in the future.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_until: Option<Millis>,
    /// The first article of its group of duplicates.
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
    #[sqlx(rename = "beside")]
    metadata: Option<String>,
    enclosures: Option<String>,
}

impl Record for ItemRecord {
    const FILE: &'static str = "items.jsonl";
    type Row = ItemRowOut;
    const SELECT: &'static str = "SELECT i.id AS item, i.feed_id AS feed, i.key, i.url, i.canonical_url, i.title, i.author, i.language,
            i.published_at, i.updated_at, i.date_uncertain, i.received_at, i.sort_at, i.excerpt, i.word_count, i.thumbnail_url, i.media,
            i.comments_url, lower(hex(i.digest)) AS digest, i.title_key, h.until AS held_until,
            (SELECT min(t.item_id) FROM stories a JOIN stories t ON t.story_id = a.story_id JOIN items x ON x.id = t.item_id
             WHERE a.item_id = i.id AND x.feed_id NOT IN {left} AND x.id NOT IN (SELECT item_id FROM going)) AS story,
            b.codec, b.content, b.content_base, b.summary, b.summary_base, b.categories, b.beside,
            (SELECT json_group_array(json_object('url', url, 'mime_type', mime_type, 'length', length, 'title', title,
                'duration_seconds', duration_seconds)) FROM (SELECT * FROM enclosures e WHERE e.item_id = i.id ORDER BY e.position)) AS enclosures
        FROM items i LEFT JOIN bodies b ON b.item_id = i.id LEFT JOIN held h ON h.item_id = i.id
        WHERE {there} ORDER BY i.id";

    fn of(row: ItemRowOut, archive: &Archive<'_>) -> Result<Self, LibraryError> {
        let wrong = |error: serde_json::Error| LibraryError::Invalid(format!("article {}: {error}", row.item));
        let list = |json: Option<&str>| json.map_or(Ok(Vec::new()), serde_json::from_str);
        let categories = list(row.categories.as_deref()).map_err(wrong)?;
        let enclosures = row.enclosures.as_deref().map_or(Ok(Vec::new()), serde_json::from_str).map_err(wrong)?;
        let unpack = |bytes, base| archive.db.unpack(row.item, row.codec.unwrap_or(0), bytes, base);
        let text = ArticleText {
            content: unpack(row.content, row.content_base)?,
            summary: unpack(row.summary, row.summary_base)?,
            categories,
            metadata: ArticleMetadata::of_stored(row.metadata.as_deref(), row.url.as_deref()),
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
            metadata: text.metadata,
            held_until: row.held_until,
            story: row.story,
        })
    }

    fn repair(&mut self) -> Result<(), Cow<'static, str>> {
        moments([&mut self.published_at, &mut self.updated_at, &mut self.held_until]);
        moment(&mut self.received_at);
        moment(&mut self.sort_at);
        self.word_count = self.word_count.clamp(0, 100_000_000);
        self.media = self.media.take().filter(|media| matches!(media.as_str(), "audio" | "video"));
        for url in [&mut self.url, &mut self.comments_url] {
            *url = url.take().filter(|url| !is_code(url));
        }
        self.metadata = std::mem::take(&mut self.metadata).repaired();
        self.enclosures.retain(|enclosure| !is_code(&enclosure.url));
        for enclosure in &mut self.enclosures {
            enclosure.length = enclosure.length.filter(|length| *length >= 0);
        }
        Ok(())
    }
}

/// An earlier version of an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionRecord {
    /// Id of the article.
    pub item: i64,
    /// When the next version replaced it.
    pub at: Millis,
    /// Plain text.
    pub title: String,
    /// Its HTML and the base of its relative links.
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
        WHERE {there} ORDER BY v.item_id, v.at";

    fn of(row: VersionRowOut, archive: &Archive<'_>) -> Result<Self, LibraryError> {
        // A version may be compressed with the text of an older one.
        let text = |bytes: Option<Vec<u8>>, on: Option<Vec<u8>>, base: Option<String>| {
            let on = archive.db.unpack(row.item, row.on_codec, on, None)?.unwrap_or_default().html;
            let unpacked = |bytes: Vec<u8>| match row.codec {
                body::ZSTD_WITH => body::unpack_with(&bytes, &on),
                codec => archive.db.dictionaries.unpack(codec, &bytes),
            };
            let html = bytes.map(unpacked).transpose();
            let html = html.map_err(|why| LibraryError::Damaged {
                folder: archive.db.folder().to_owned(),
                why: format!("an earlier version of article {}: {why}", row.item),
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

    fn repair(&mut self) -> Result<(), Cow<'static, str>> {
        moment(&mut self.at);
        Ok(())
    }
}

/// The full text of an article, from its page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FullTextRecord {
    /// Id of the article.
    pub item: i64,
    /// Final address of the page; the base of its links.
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
        FROM full_texts t JOIN items i ON i.id = t.item_id WHERE {there} ORDER BY t.item_id";

    fn of(row: FullTextRowOut, archive: &Archive<'_>) -> Result<Self, LibraryError> {
        let body = archive.db.unpack(row.item, row.codec, Some(row.content), None)?.unwrap_or_default();
        Ok(Self { item: row.item, url: row.url, html: body.html, fetched_at: row.fetched_at })
    }

    fn repair(&mut self) -> Result<(), Cow<'static, str>> {
        moment(&mut self.fetched_at);
        Ok(())
    }
}

/// The transcript of an article's recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TranscriptRecord {
    /// Id of the article.
    pub item: i64,
    /// Address of the document.
    pub url: String,
    /// Language code in lower case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Passages in their order: start and end in seconds, speaker, text.
    pub passages: Vec<Passage>,
    /// When it was fetched.
    pub fetched_at: Millis,
}

#[derive(Debug, FromRow)]
pub struct TranscriptRowOut {
    item: i64,
    url: String,
    language: Option<String>,
    codec: i64,
    content: Vec<u8>,
    fetched_at: Millis,
}

impl Record for TranscriptRecord {
    const FILE: &'static str = "transcripts.jsonl";
    type Row = TranscriptRowOut;
    const SELECT: &'static str = "SELECT t.item_id AS item, t.url, t.language, t.codec, t.content, t.fetched_at
        FROM transcripts t JOIN items i ON i.id = t.item_id WHERE {there} ORDER BY t.item_id";

    fn of(row: TranscriptRowOut, archive: &Archive<'_>) -> Result<Self, LibraryError> {
        let passages = transcripts::unpacked(archive.db, row.item, row.codec, row.content)?;
        let TranscriptRowOut { item, url, language, fetched_at, .. } = row;
        Ok(Self { item, url, language, passages, fetched_at })
    }

    fn repair(&mut self) -> Result<(), Cow<'static, str>> {
        moment(&mut self.fetched_at);
        self.passages.retain(|passage| !passage.text.trim().is_empty());
        if self.passages.is_empty() { Err("a transcript without text".into()) } else { Ok(()) }
    }
}
