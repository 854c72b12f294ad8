//! The common model of all feed formats. Plain text fields have markup removed, entities decoded and white space
//! collapsed. HTML is stored as published; it is sanitised and its URLs are resolved when displayed, using
//! [`Body::base`].

pub use crate::repair::{Repair, RepairDetail, RepairKind};
use crate::sniff::DocumentKind;
use chrono::{DateTime, Utc};
use std::sync::Arc;

/// A parsed document with the repairs that were needed to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// Format, from the root element or version.
    pub format: Format,
    /// Encoding used to decode the bytes.
    pub encoding: Encoding,
    /// Whether the document parsed without any repair.
    pub well_formed: bool,
    /// Repairs, in document order.
    pub repairs: Vec<Repair>,
    /// The feed.
    pub feed: Feed,
    /// Items, in document order.
    pub items: Vec<Item>,
}

/// A supported feed format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// RSS 0.90 (Netscape, RDF).
    Rss090,
    /// RSS 0.91 (Netscape or UserLand).
    Rss091,
    /// RSS 0.92.
    Rss092,
    /// RSS 0.93.
    Rss093,
    /// RSS 0.94.
    Rss094,
    /// RSS 1.0 (RDF).
    Rss10,
    /// RSS 1.1.
    Rss11,
    /// RSS 2.0 and compatible versions.
    Rss20,
    /// RSS without a version.
    Rss,
    /// Atom 0.3.
    Atom03,
    /// Atom 1.0 (RFC 4287).
    Atom10,
    /// JSON Feed 1.0.
    JsonFeed10,
    /// JSON Feed 1.1.
    JsonFeed11,
    /// Channel Definition Format.
    Cdf,
    /// The list of articles on a web page, which is not a feed.
    Page,
}

impl Format {
    /// Returns the name used in the inspect report, such as `rss-2.0`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Rss090 => "rss-0.90",
            Format::Rss091 => "rss-0.91",
            Format::Rss092 => "rss-0.92",
            Format::Rss093 => "rss-0.93",
            Format::Rss094 => "rss-0.94",
            Format::Rss10 => "rss-1.0",
            Format::Rss11 => "rss-1.1",
            Format::Rss20 => "rss-2.0",
            Format::Rss => "rss",
            Format::Atom03 => "atom-0.3",
            Format::Atom10 => "atom-1.0",
            Format::JsonFeed10 => "json-feed-1.0",
            Format::JsonFeed11 => "json-feed-1.1",
            Format::Cdf => "cdf",
            Format::Page => "page",
        }
    }
}

/// The encoding of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoding {
    /// Encoding name.
    pub name: &'static str,
    /// How the encoding was determined.
    pub from: EncodingSource,
}

/// How the encoding of a document was determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingSource {
    /// HTTP charset.
    Http,
    /// Byte order mark.
    Bom,
    /// XML declaration.
    Xml,
    /// Guessed from the bytes.
    Detected,
    /// Default: UTF-8.
    Default,
}

/// The feed without its items.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Feed {
    /// Plain text.
    pub title: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    /// URL of the site: RSS `link`, Atom `alternate`, JSON Feed `home_page_url`.
    pub home_url: Option<String>,
    /// URL of the feed according to the feed itself.
    pub feed_url: Option<String>,
    /// `atom:id` or `rdf:about`.
    pub id: Option<String>,
    /// Language code in lower case.
    pub language: Option<String>,
    /// Time of first publication.
    pub published: Option<DateTime<Utc>>,
    /// Time of the last change.
    pub updated: Option<DateTime<Utc>>,
    /// Authors.
    pub authors: Vec<Person>,
    /// Contributors.
    pub contributors: Vec<Person>,
    /// Categories, unique ignoring case.
    pub categories: Vec<Category>,
    /// The program that generated the feed.
    pub generator: Option<Generator>,
    /// Plain text.
    pub rights: Option<String>,
    /// URL of the licence.
    pub license_url: Option<String>,
    /// `atom:icon`, JSON Feed `favicon`.
    pub icon_url: Option<String>,
    /// RSS `image`, `atom:logo`, JSON Feed `icon`.
    pub image: Option<Image>,
    /// As written; the fallback author of items.
    pub managing_editor: Option<String>,
    /// As written.
    pub web_master: Option<String>,
    /// RSS `docs`.
    pub docs_url: Option<String>,
    /// RSS `rating` (PICS).
    pub rating: Option<String>,
    /// RSS `ttl`.
    pub ttl_minutes: Option<u32>,
    /// Hours of the day, GMT, 0 to 23.
    pub skip_hours: Vec<u8>,
    /// English day names in lower case.
    pub skip_days: Vec<String>,
    /// Syndication module: period divided by frequency.
    pub update_period_minutes: Option<u32>,
    /// RSS `cloud`.
    pub cloud: Option<Cloud>,
    /// RSS `textInput`.
    pub text_input: Option<TextInput>,
    /// WebSub hubs.
    pub hubs: Vec<String>,
    /// URL of the next page of the feed (RFC 5005, JSON Feed).
    pub next_url: Option<String>,
    /// Whether a podcast is marked as explicit.
    pub explicit: Option<bool>,
    /// Donation links.
    pub funding: Vec<Funding>,
}

/// An item or entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Item {
    /// guid, atom:id, rdf:about or JSON Feed id, else the URL, else a digest of title and content. Never empty.
    pub id: String,
    /// RSS `guid` attribute.
    pub guid_is_permalink: Option<bool>,
    /// Absolute URL; `None` for schemes that can run code.
    pub url: Option<String>,
    /// URL of the page that the item is about: JSON Feed `external_url`, Atom `related` or `via`.
    pub external_url: Option<String>,
    /// Where the item was found and what it is about: Atom `via` and `related`, Dublin Core `source`.
    pub via: Vec<ItemSource>,
    /// Plain text; made from the content if the item has none.
    pub title: Option<String>,
    /// Whether the title was made from the content.
    pub title_from_content: bool,
    /// Authors; those of the feed are shared by its items.
    pub authors: Arc<[Person]>,
    /// Contributors.
    pub contributors: Vec<Person>,
    /// Time of first publication.
    pub published: Option<DateTime<Utc>>,
    /// Time of the last change.
    pub updated: Option<DateTime<Utc>>,
    /// Whether the date has no time zone, or an ambiguous or implausible form.
    pub date_uncertain: bool,
    /// Whether the order of day and month in a date is known only from other dates or the language, so that the date may be read
    /// differently in another version of the document.
    pub date_order_guessed: bool,
    /// The short body, if the item has both a short and a full one.
    pub summary: Option<Body>,
    /// The fullest body of the item.
    pub content: Option<Body>,
    /// Whether `content` is the complete article.
    pub content_kind: ContentKind,
    /// URL of Atom's out-of-line content.
    pub content_src: Option<String>,
    /// Categories, unique ignoring case.
    pub categories: Vec<Category>,
    /// Attached files, the most important first.
    pub enclosures: Vec<Enclosure>,
    /// Media RSS content.
    pub media: Vec<Media>,
    /// URL of a small image.
    pub thumbnail_url: Option<String>,
    /// URL of the comments page.
    pub comments_url: Option<String>,
    /// URL of the comments feed.
    pub comments_feed_url: Option<String>,
    /// Number of comments.
    pub comments_count: Option<u32>,
    /// The original feed of a republished item.
    pub source: Option<ItemSource>,
    /// Language code in lower case.
    pub language: Option<String>,
    /// Plain text.
    pub rights: Option<String>,
    /// URL of the licence.
    pub license_url: Option<String>,
    /// Chapters of a recording.
    pub chapters: Option<Chapters>,
    /// Transcripts of a recording.
    pub transcripts: Vec<Transcript>,
    /// Season number of a podcast.
    pub season: Option<u32>,
    /// Name of the season, shown instead of its number.
    pub season_name: Option<String>,
    /// Episode number of a podcast; may be fractional.
    pub episode: Option<f64>,
    /// Text shown instead of the episode's number.
    pub episode_display: Option<String>,
    /// `full`, `trailer` or `bonus`.
    pub episode_type: Option<String>,
    /// Whether the episode is marked as explicit.
    pub explicit: Option<bool>,
    /// Whether the document ends within the item, so that it has more than this.
    pub is_cut_off: bool,
}

/// The chapters of a recording: in the feed, or in a separate document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chapters {
    /// URL of the separate document (Podcasting 2.0).
    pub url: Option<String>,
    /// MIME type of the separate document.
    pub mime_type: Option<String>,
    /// Chapters in the feed, ordered by time.
    pub list: Vec<Chapter>,
}

/// A chapter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chapter {
    /// Start in seconds.
    pub start_seconds: f64,
    /// Plain text.
    pub title: Option<String>,
    /// URL of a related page.
    pub url: Option<String>,
    /// URL of an image.
    pub image_url: Option<String>,
}

/// A transcript of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transcript {
    /// URL.
    pub url: String,
    /// MIME type.
    pub mime_type: Option<String>,
    /// Language code in lower case.
    pub language: Option<String>,
    /// `captions` if it has timestamps.
    pub rel: Option<String>,
}

/// About one sentence of one speaker in a transcript.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Passage {
    /// Start in seconds.
    pub start: Option<f64>,
    /// End in seconds.
    pub end: Option<f64>,
    /// Plain text.
    pub speaker: Option<String>,
    /// Plain text. Never empty.
    pub text: String,
}

/// A donation link.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Funding {
    /// URL.
    pub url: String,
    /// Plain text.
    pub title: Option<String>,
}

/// HTML as published (plain text is escaped), with the base of its relative URLs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    /// HTML as published.
    pub html: String,
    /// Base of relative URLs.
    pub base: Option<Arc<str>>,
}

/// How complete an item's content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContentKind {
    /// The complete article.
    Full,
    /// A summary: the page may have more.
    Summary,
    /// No content.
    #[default]
    None,
}

/// An author or contributor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Person {
    /// Name.
    pub name: Option<String>,
    /// Email address.
    pub email: Option<String>,
    /// URL.
    pub url: Option<String>,
    /// Role in lower case, other than author: `host`, `guest`, `photographer` …
    pub role: Option<String>,
    /// URL of a portrait.
    pub image_url: Option<String>,
}

/// A category, keyword or tag.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Category {
    /// As written, trimmed.
    pub term: String,
    /// URI of the taxonomy.
    pub scheme: Option<String>,
    /// Display name.
    pub label: Option<String>,
    /// Case-folded term, for grouping.
    pub key: String,
}

/// The program that generated a feed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Generator {
    /// Name.
    pub name: Option<String>,
    /// URL.
    pub url: Option<String>,
    /// Version.
    pub version: Option<String>,
}

/// The feed's image.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image {
    /// URL.
    pub url: String,
    /// Plain text.
    pub title: Option<String>,
    /// URL that the image links to.
    pub link: Option<String>,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
    /// Plain text.
    pub description: Option<String>,
}

/// Endpoint for change notifications (RSS `cloud`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cloud {
    /// Host.
    pub domain: Option<String>,
    /// Port.
    pub port: Option<u16>,
    /// Path.
    pub path: Option<String>,
    /// Procedure to call.
    pub procedure: Option<String>,
    /// `xml-rpc`, `soap` or `http-post`.
    pub protocol: Option<String>,
}

/// A text input form (RSS `textInput`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextInput {
    /// Plain text.
    pub title: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    /// Name of the field.
    pub name: Option<String>,
    /// URL of the form's target.
    pub link: Option<String>,
}

/// A file attached to an item.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Enclosure {
    /// URL.
    pub url: String,
    /// MIME type.
    pub mime_type: Option<String>,
    /// Length in bytes.
    pub length: Option<u64>,
    /// Plain text.
    pub title: Option<String>,
    /// Duration in seconds.
    pub duration_seconds: Option<f64>,
}

/// An image, video or audio file of Media RSS.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Media {
    /// URL.
    pub url: String,
    /// MIME type.
    pub mime_type: Option<String>,
    /// `image`, `audio`, `video` …
    pub medium: Option<String>,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
    /// Plain text.
    pub description: Option<Arc<str>>,
}

/// The original feed of an item.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemSource {
    /// Plain text.
    pub title: Option<String>,
    /// URL.
    pub url: Option<String>,
}

/// Why bytes are not a feed; the only error of the parser.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAFeed {
    /// Nothing, or white space only.
    #[error("the document is empty")]
    Empty,
    /// Another kind of document.
    #[error("this is {kind}, not a feed")]
    Other {
        /// The kind of document.
        kind: DocumentKind,
    },
    /// A document that only says that the feed has moved.
    #[error("the feed has moved to {to}")]
    Moved {
        /// The new URL.
        to: String,
    },
    /// The document is longer than the limit.
    #[error("the document is larger than {} MB", .limit >> 20)]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}
