//! What every feed becomes, whatever format it was written in. Texts that are called plain are plain: markup removed,
//! entities decoded, white space collapsed. HTML is the publisher's own, neither sanitised nor made absolute: that is
//! done when it is shown (house rule 7), from [`Body::base`].

use chrono::{DateTime, Utc};

/// A parsed document: the feed, and what had to be forgiven to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// What the root element or the version says.
    pub format: Format,
    /// What the bytes were decoded with.
    pub encoding: Encoding,
    /// True when the document parsed with no repair at all.
    pub well_formed: bool,
    /// In document order.
    pub repairs: Vec<Repair>,
    /// The feed itself.
    pub feed: Feed,
    /// Its items, in document order.
    pub items: Vec<Item>,
}

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// RSS 0.90 (Netscape, RDF).
    Rss090,
    /// RSS 0.91, Netscape's and UserLand's.
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
    /// RSS 2.0 and what came of it.
    Rss20,
    /// RSS of a version that it does not say.
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

/// The encoding of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoding {
    /// The name.
    pub name: &'static str,
    /// Who said so.
    pub from: EncodingSource,
}

/// Where the encoding was learnt from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingSource {
    /// The HTTP charset.
    Http,
    /// The byte order mark.
    Bom,
    /// The XML declaration.
    Xml,
    /// The bytes themselves.
    Detected,
    /// Nobody: UTF-8.
    Default,
}

/// One thing that had to be forgiven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// What it was.
    pub kind: RepairKind,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
    /// The place or the reason, for a person.
    pub detail: String,
    /// The line as the document has it; of a long one what stands around the place.
    pub text: String,
    /// How many characters of `text` stand before the place.
    pub at: u32,
}

/// The kinds of repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepairKind {
    /// An entity that XML does not define.
    UndefinedEntity,
    /// `&` for itself.
    BareAmpersand,
    /// An end tag that is missing or too much.
    MismatchedTag,
    /// Bytes that are not what was claimed.
    BadEncoding,
    /// A character that XML forbids.
    ControlCharacter,
    /// UTF-8 encoded twice.
    DoubleEncodedUtf8,
    /// A prefix without a namespace.
    UndeclaredPrefix,
    /// Something before the document.
    JunkBeforeXml,
    /// The document ends in the middle.
    Truncated,
    /// Anything else that is not well-formed.
    Other,
}

/// The feed itself, whatever its format.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Feed {
    /// Plain text.
    pub title: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    /// The site: RSS `link`, Atom `alternate`, JSON Feed `home_page_url`.
    pub home_url: Option<String>,
    /// The feed's own claim about its address.
    pub feed_url: Option<String>,
    /// `atom:id` or `rdf:about`.
    pub id: Option<String>,
    /// Lower-cased.
    pub language: Option<String>,
    /// When it was first published.
    pub published: Option<DateTime<Utc>>,
    /// When it last changed.
    pub updated: Option<DateTime<Utc>>,
    /// Who wrote it.
    pub authors: Vec<Person>,
    /// Who helped.
    pub contributors: Vec<Person>,
    /// One of each, without regard to case.
    pub categories: Vec<Category>,
    /// The program that made it.
    pub generator: Option<Generator>,
    /// Plain text.
    pub rights: Option<String>,
    /// The licence's address.
    pub license_url: Option<String>,
    /// `atom:icon`, JSON Feed `favicon`.
    pub icon_url: Option<String>,
    /// RSS `image`, `atom:logo`, JSON Feed `icon`.
    pub image: Option<Image>,
    /// As written; the author of last resort of items.
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
    /// Lower-case English day names.
    pub skip_days: Vec<String>,
    /// The syndication module: period divided by frequency.
    pub update_period_minutes: Option<u32>,
    /// RSS `cloud`.
    pub cloud: Option<Cloud>,
    /// RSS `textInput`.
    pub text_input: Option<TextInput>,
    /// WebSub hubs.
    pub hubs: Vec<String>,
    /// The next page of the feed (RFC 5005, JSON Feed).
    pub next_url: Option<String>,
    /// Whether a podcast says that it is not for children.
    pub explicit: Option<bool>,
    /// Where to give money.
    pub funding: Vec<Funding>,
}

/// One item or entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Item {
    /// guid, atom:id, rdf:about or JSON Feed id, else the URL, else a digest of title and content. Never empty.
    pub id: String,
    /// RSS only.
    pub guid_is_permalink: Option<bool>,
    /// As the feed wrote it, made absolute; `None` for schemes that can run code.
    pub url: Option<String>,
    /// What the item is about: JSON Feed `external_url`, Atom `related` or `via`.
    pub external_url: Option<String>,
    /// Where it was found, and what it is about: Atom's `via` and `related`, Dublin Core's source.
    pub via: Vec<ItemSource>,
    /// Plain text; made from the content when the item has none.
    pub title: Option<String>,
    /// True when the title was made.
    pub title_from_content: bool,
    /// Who wrote it.
    pub authors: Vec<Person>,
    /// Who helped.
    pub contributors: Vec<Person>,
    /// When it was first published.
    pub published: Option<DateTime<Utc>>,
    /// When it last changed.
    pub updated: Option<DateTime<Utc>>,
    /// No time zone, or an ambiguous or implausible form.
    pub date_uncertain: bool,
    /// The short form when the item carries both a short and a full one.
    pub summary: Option<Body>,
    /// The fullest body there is.
    pub content: Option<Body>,
    /// How much of the article the content is.
    pub content_kind: ContentKind,
    /// Atom's out-of-line content: its URL.
    pub content_src: Option<String>,
    /// One of each, without regard to case.
    pub categories: Vec<Category>,
    /// The most important first.
    pub enclosures: Vec<Enclosure>,
    /// Media RSS content.
    pub media: Vec<Media>,
    /// A small picture.
    pub thumbnail_url: Option<String>,
    /// The page of comments.
    pub comments_url: Option<String>,
    /// The feed of comments.
    pub comments_feed_url: Option<String>,
    /// How many comments there are.
    pub comments_count: Option<u32>,
    /// The feed that the item was copied from.
    pub source: Option<ItemSource>,
    /// Lower-cased.
    pub language: Option<String>,
    /// Plain text.
    pub rights: Option<String>,
    /// The licence's address.
    pub license_url: Option<String>,
    /// Where the parts of a recording begin.
    pub chapters: Option<Chapters>,
    /// What is said in a recording.
    pub transcripts: Vec<Transcript>,
    /// The number of a podcast's season.
    pub season: Option<u32>,
    /// The number of a podcast's episode; some have halves.
    pub episode: Option<f64>,
    /// `full`, `trailer` or `bonus`.
    pub episode_type: Option<String>,
    /// Whether an episode is said not to be for children.
    pub explicit: Option<bool>,
}

/// The chapters of a recording: in the feed, or in a document of their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chapters {
    /// Where the document is (Podcasting 2.0).
    pub url: Option<String>,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// Those that stand in the feed, in order of time.
    pub list: Vec<Chapter>,
}

/// One chapter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chapter {
    /// Seconds from the beginning.
    pub start_seconds: f64,
    /// Plain text.
    pub title: Option<String>,
    /// What it is about.
    pub url: Option<String>,
    /// A picture.
    pub image_url: Option<String>,
}

/// A text of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transcript {
    /// The address.
    pub url: String,
    /// The MIME type.
    pub mime_type: Option<String>,
    /// Lower-cased.
    pub language: Option<String>,
    /// `captions` where it follows the time.
    pub rel: Option<String>,
}

/// Where to give money to who makes a feed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Funding {
    /// The address.
    pub url: String,
    /// Plain text.
    pub title: Option<String>,
}

/// HTML as the publisher wrote it (plain text is escaped into HTML), and the URL that its relative links hang on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    /// The publisher's own HTML.
    pub html: String,
    /// What its relative links hang on.
    pub base: Option<String>,
}

/// How much of the article an item carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContentKind {
    /// The article.
    Full,
    /// A snippet: the page may have more.
    Summary,
    /// Nothing.
    #[default]
    None,
}

/// An author or contributor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Person {
    /// The name.
    pub name: Option<String>,
    /// The mail address.
    pub email: Option<String>,
    /// The address.
    pub url: Option<String>,
    /// What they did, lower-cased, where it is more than writing: `host`, `guest`, `photographer` …
    pub role: Option<String>,
    /// A picture of them.
    pub image_url: Option<String>,
}

/// A category, keyword or tag.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Category {
    /// As written, trimmed.
    pub term: String,
    /// The taxonomy.
    pub scheme: Option<String>,
    /// For a person.
    pub label: Option<String>,
    /// Case-folded, for grouping.
    pub key: String,
    /// The term cut at its slashes.
    pub path: Vec<String>,
}

/// The program that made a feed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Generator {
    /// The name.
    pub name: Option<String>,
    /// The address.
    pub url: Option<String>,
    /// The version.
    pub version: Option<String>,
}

/// The feed's picture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image {
    /// The address.
    pub url: String,
    /// Plain text.
    pub title: Option<String>,
    /// Where it leads.
    pub link: Option<String>,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
    /// Plain text.
    pub description: Option<String>,
}

/// Where to ask to be told of changes (RSS `cloud`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cloud {
    /// The host.
    pub domain: Option<String>,
    /// The port.
    pub port: Option<u16>,
    /// The term cut at its slashes.
    pub path: Option<String>,
    /// What to call.
    pub procedure: Option<String>,
    /// `xml-rpc`, `soap` or `http-post`.
    pub protocol: Option<String>,
}

/// A text box of old (RSS `textInput`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextInput {
    /// Plain text.
    pub title: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    /// The name.
    pub name: Option<String>,
    /// Where it leads.
    pub link: Option<String>,
}

/// A file that belongs to an item.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Enclosure {
    /// The address.
    pub url: String,
    /// The MIME type.
    pub mime_type: Option<String>,
    /// In bytes.
    pub length: Option<u64>,
    /// Plain text.
    pub title: Option<String>,
    /// In seconds.
    pub duration_seconds: Option<f64>,
}

/// A picture, film or sound that Media RSS names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Media {
    /// The address.
    pub url: String,
    /// The MIME type.
    pub mime_type: Option<String>,
    /// `image`, `audio`, `video` …
    pub medium: Option<String>,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
    /// Plain text.
    pub description: Option<String>,
}

/// The feed that an item came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemSource {
    /// Plain text.
    pub title: Option<String>,
    /// The address.
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
    Other {
        /// Names it for a person.
        what: String,
    },
    /// Past the limit on size, depth or expansion that `limit` names.
    #[error("the document is too large: {limit}")]
    TooLarge {
        /// The limit, in words.
        limit: String,
    },
}
