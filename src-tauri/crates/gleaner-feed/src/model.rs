//! What every feed becomes, whatever format it was written in. Texts that are called plain are plain: markup removed,
//! entities decoded, white space collapsed. HTML is the publisher's own, neither sanitised nor made absolute: that is
//! done when it is shown (house rule 7), from [`Body::base`].

use chrono::{DateTime, Utc};

/// A parsed document: the feed, and what had to be forgiven to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    pub format: Format,
    pub encoding: Encoding,
    /// True when the document parsed with no repair at all.
    pub well_formed: bool,
    /// In document order.
    pub repairs: Vec<Repair>,
    pub feed: Feed,
    pub items: Vec<Item>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    Rss090,
    Rss091,
    Rss092,
    Rss093,
    Rss094,
    Rss10,
    Rss11,
    Rss20,
    Rss,
    Atom03,
    Atom10,
    JsonFeed10,
    JsonFeed11,
    Cdf,
}

impl Format {
    /// The name in the inspect contract, such as `rss-2.0`.
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
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoding {
    pub name: &'static str,
    pub from: EncodingSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingSource {
    Http,
    Bom,
    Xml,
    Detected,
    Default,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    pub kind: RepairKind,
    pub line: u32,
    pub column: u32,
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepairKind {
    UndefinedEntity,
    BareAmpersand,
    MismatchedTag,
    BadEncoding,
    ControlCharacter,
    DoubleEncodedUtf8,
    UndeclaredPrefix,
    JunkBeforeXml,
    Truncated,
    Other,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Feed {
    /// Plain text.
    pub title: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    pub home_url: Option<String>,
    /// The feed's own claim about its address.
    pub feed_url: Option<String>,
    pub id: Option<String>,
    /// Lower-cased.
    pub language: Option<String>,
    pub published: Option<DateTime<Utc>>,
    pub updated: Option<DateTime<Utc>>,
    pub authors: Vec<Person>,
    pub contributors: Vec<Person>,
    pub categories: Vec<Category>,
    pub generator: Option<Generator>,
    pub rights: Option<String>,
    pub icon_url: Option<String>,
    pub image: Option<Image>,
    pub managing_editor: Option<String>,
    pub web_master: Option<String>,
    pub docs_url: Option<String>,
    pub rating: Option<String>,
    pub ttl_minutes: Option<u32>,
    /// Hours of the day, GMT, 0 to 23.
    pub skip_hours: Vec<u8>,
    /// Lower-case English day names.
    pub skip_days: Vec<String>,
    pub update_period_minutes: Option<u32>,
    pub cloud: Option<Cloud>,
    pub text_input: Option<TextInput>,
    pub hubs: Vec<String>,
    pub next_url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Item {
    /// guid, atom:id, rdf:about or JSON Feed id, else the URL, else a digest of title and content. Never empty.
    pub id: String,
    pub guid_is_permalink: Option<bool>,
    /// As the feed wrote it, made absolute; `None` for schemes that can run code.
    pub url: Option<String>,
    pub external_url: Option<String>,
    /// Plain text; made from the content when the item has none.
    pub title: Option<String>,
    pub title_from_content: bool,
    pub authors: Vec<Person>,
    pub contributors: Vec<Person>,
    pub published: Option<DateTime<Utc>>,
    pub updated: Option<DateTime<Utc>>,
    pub date_uncertain: bool,
    /// The short form when the item carries both a short and a full one.
    pub summary: Option<Body>,
    /// The fullest body there is.
    pub content: Option<Body>,
    pub content_kind: ContentKind,
    pub content_src: Option<String>,
    pub categories: Vec<Category>,
    pub enclosures: Vec<Enclosure>,
    pub media: Vec<Media>,
    pub thumbnail_url: Option<String>,
    pub comments_url: Option<String>,
    pub comments_feed_url: Option<String>,
    pub comments_count: Option<u32>,
    pub source: Option<ItemSource>,
    pub language: Option<String>,
    pub rights: Option<String>,
}

/// HTML as the publisher wrote it (plain text is escaped into HTML), and the URL that its relative links hang on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    pub html: String,
    pub base: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContentKind {
    Full,
    Summary,
    #[default]
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Person {
    pub name: Option<String>,
    pub email: Option<String>,
    pub url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Category {
    pub term: String,
    pub scheme: Option<String>,
    pub label: Option<String>,
    pub key: String,
    pub path: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Generator {
    pub name: Option<String>,
    pub url: Option<String>,
    pub version: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image {
    pub url: String,
    pub title: Option<String>,
    pub link: Option<String>,
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub description: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cloud {
    pub domain: Option<String>,
    pub port: Option<u16>,
    pub path: Option<String>,
    pub procedure: Option<String>,
    pub protocol: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextInput {
    pub title: Option<String>,
    pub description: Option<String>,
    pub name: Option<String>,
    pub link: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Enclosure {
    pub url: String,
    pub mime_type: Option<String>,
    pub length: Option<u64>,
    pub title: Option<String>,
    pub duration_seconds: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Media {
    pub url: String,
    pub mime_type: Option<String>,
    pub medium: Option<String>,
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub description: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemSource {
    pub title: Option<String>,
    pub url: Option<String>,
}

/// Why bytes are not a feed, and what they are instead (house rule 3: the only error there is).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAFeed {
    /// Nothing, or white space only.
    #[error("the document is empty")]
    Empty,
    /// Something else: `what` names it for a person, such as "a web page" or "an OPML list".
    #[error("this is {what}, not a feed")]
    Other { what: String },
    /// Past the limit on size, depth or expansion that `limit` names.
    #[error("the document is too large: {limit}")]
    TooLarge { limit: String },
}
