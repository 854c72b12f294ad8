//! The report document and its feed.

use crate::{
    item::Item,
    parts::{Category, Person, categories, format_time, people},
};
use gleaner_feed as feed;
use serde::Serialize;

/// The result of inspecting one source.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Document {
    /// A feed was read.
    Report(Box<Report>),
    /// The source could not be read.
    Failure {
        /// Source as given.
        source: String,
        /// Reason.
        error: Error,
    },
}

impl Document {
    /// Whether the source is a feed.
    pub fn is_feed(&self) -> bool {
        matches!(self, Document::Report(_))
    }
}

/// Why a source could not be read as a feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Error {
    /// Code to branch on.
    pub kind: ErrorKind,
    /// Short English description.
    pub message: String,
}

/// The failure codes of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The file does not exist or cannot be read.
    NotFound,
    /// The server is unreachable or returned an error.
    Http,
    /// The document is not a feed.
    NotAFeed,
    /// A size limit was exceeded.
    TooLarge,
    /// The document is empty.
    Empty,
}

/// A feed as Gleaner reads it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Source as given.
    pub source: String,
    /// Format, such as `rss-2.0`.
    pub format: &'static str,
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

/// The encoding of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Encoding {
    /// WHATWG name in lower case.
    pub name: String,
    /// Source of the encoding: `http`, `bom`, `xml`, `detected` or `default`.
    pub from: &'static str,
}

/// A repair that was needed to read the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// Code of the repair.
    pub kind: &'static str,
    /// Line, starting at 1.
    pub line: u32,
    /// Column in characters, starting at 1.
    pub column: u32,
    /// What was repaired, or why, in English.
    pub detail: String,
    /// Code of the detail; empty if there is none.
    pub detail_code: &'static str,
    /// Values of the detail: text of the document, or names of elements and encodings.
    pub detail_values: Vec<String>,
    /// The source line, or the part of a long line around the repair.
    pub text: String,
    /// Offset of the repair in `text`, in characters.
    pub at: u32,
}

/// The feed of a report. Times are RFC 3339 in UTC.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)] // docs/formats.md describes the fields.
pub struct Feed {
    pub title: Option<String>,
    pub description: Option<String>,
    pub home_url: Option<String>,
    pub feed_url: Option<String>,
    pub id: Option<String>,
    pub language: Option<String>,
    pub published: Option<String>,
    pub updated: Option<String>,
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
    pub skip_hours: Vec<u8>,
    pub skip_days: Vec<String>,
    pub update_period_minutes: Option<u32>,
    pub cloud: Option<Cloud>,
    pub text_input: Option<TextInput>,
    pub hubs: Vec<String>,
    pub next_url: Option<String>,
    pub license_url: Option<String>,
    pub explicit: Option<bool>,
    pub funding: Vec<Funding>,
}

/// A donation link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Funding {
    pub url: String,
    pub title: Option<String>,
}

/// The program that generated the feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Generator {
    pub name: Option<String>,
    pub url: Option<String>,
    pub version: Option<String>,
}

/// The feed's image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Image {
    pub url: String,
    pub title: Option<String>,
    pub link: Option<String>,
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub description: Option<String>,
}

/// The `cloud` element of RSS.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Cloud {
    pub domain: Option<String>,
    pub port: Option<u16>,
    pub path: Option<String>,
    pub procedure: Option<String>,
    pub protocol: Option<String>,
}

/// The `textInput` element of RSS.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct TextInput {
    pub title: Option<String>,
    pub description: Option<String>,
    pub name: Option<String>,
    pub link: Option<String>,
}

impl Report {
    /// Creates the report of a parsed feed.
    pub fn new(source: &str, parsed: &feed::Parsed) -> Self {
        Self { items: parsed.items.iter().map(Item::from).collect(), ..Self::of_feed(source, parsed) }
    }

    /// Creates the report without its items, which take most of the time and space.
    pub fn of_feed(source: &str, parsed: &feed::Parsed) -> Self {
        Self {
            source: source.to_owned(),
            format: parsed.format.name(),
            encoding: Encoding {
                name: parsed.encoding.name.to_lowercase(),
                from: encoding_source(parsed.encoding.from),
            },
            well_formed: parsed.well_formed,
            repairs: parsed.repairs.iter().map(Repair::from).collect(),
            feed: Feed::from(&parsed.feed),
            items: Vec::new(),
        }
    }
}

fn encoding_source(from: feed::EncodingSource) -> &'static str {
    match from {
        feed::EncodingSource::Http => "http",
        feed::EncodingSource::Bom => "bom",
        feed::EncodingSource::Xml => "xml",
        feed::EncodingSource::Detected => "detected",
        feed::EncodingSource::Default => "default",
    }
}

impl From<&feed::Repair> for Repair {
    fn from(repair: &feed::Repair) -> Self {
        Self {
            kind: repair.kind.name(),
            line: repair.line,
            column: repair.column,
            detail: repair.detail.to_string(),
            detail_code: repair.detail.code(),
            detail_values: repair.detail.values(),
            text: repair.text.clone(),
            at: repair.at,
        }
    }
}

impl From<&feed::Feed> for Feed {
    fn from(feed: &feed::Feed) -> Self {
        let f = feed.clone();
        Self {
            title: f.title,
            description: f.description,
            home_url: f.home_url,
            feed_url: f.feed_url.as_deref().map(gleaner_address::without_stored_password),
            id: f.id,
            language: f.language,
            published: format_time(f.published),
            updated: format_time(f.updated),
            authors: people(&f.authors),
            contributors: people(&f.contributors),
            categories: categories(&f.categories),
            generator: f.generator.map(|g| Generator { name: g.name, url: g.url, version: g.version }),
            rights: f.rights,
            icon_url: f.icon_url,
            image: f.image.map(|i| Image {
                url: i.url,
                title: i.title,
                link: i.link,
                width: i.width,
                height: i.height,
                description: i.description,
            }),
            managing_editor: f.managing_editor,
            web_master: f.web_master,
            docs_url: f.docs_url,
            rating: f.rating,
            ttl_minutes: f.ttl_minutes,
            skip_hours: f.skip_hours,
            skip_days: f.skip_days,
            update_period_minutes: f.update_period_minutes,
            cloud: f.cloud.map(|c| Cloud {
                domain: c.domain,
                port: c.port,
                path: c.path,
                procedure: c.procedure,
                protocol: c.protocol,
            }),
            text_input: f.text_input.map(|t| TextInput {
                title: t.title,
                description: t.description,
                name: t.name,
                link: t.link,
            }),
            hubs: f.hubs,
            next_url: f.next_url,
            license_url: f.license_url,
            explicit: f.explicit,
            funding: f.funding.into_iter().map(|f| Funding { url: f.url, title: f.title }).collect(),
        }
    }
}
