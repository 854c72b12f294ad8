//! The document as a whole, and the feed in it.

use crate::item::Item;
use chrono::{DateTime, SecondsFormat, Utc};
use gleaner_feed as feed;
use serde::Serialize;

/// What is printed for one source.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Document {
    /// A feed.
    Report(Box<Report>),
    /// None, and why.
    Failure {
        /// The argument as given.
        source: String,
        /// What went wrong.
        error: Error,
    },
}

impl Document {
    /// Whether the source was a feed.
    pub fn is_feed(&self) -> bool {
        matches!(self, Document::Report(_))
    }
}

/// Why there is no feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Error {
    /// To branch on.
    pub kind: ErrorKind,
    /// For a person.
    pub message: String,
}

/// The kinds of failure that the contract names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// No such file, or it cannot be read.
    NotFound,
    /// The server cannot be reached or answered with an error.
    Http,
    /// It was read, and is something else.
    NotAFeed,
    /// Past a limit on size.
    TooLarge,
    /// Nothing in it.
    Empty,
}

/// A feed as Gleaner reads it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The argument as given.
    pub source: String,
    /// Such as `rss-2.0`.
    pub format: &'static str,
    /// What the bytes were decoded with.
    pub encoding: Encoding,
    /// True when the document parsed with no repair at all.
    pub well_formed: bool,
    /// What had to be forgiven, in document order.
    pub repairs: Vec<Repair>,
    /// The feed.
    pub feed: Feed,
    /// Its items, in document order.
    pub items: Vec<Item>,
}

/// The encoding used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Encoding {
    /// The WHATWG name, lower-cased.
    pub name: String,
    /// `http`, `bom`, `xml`, `detected` or `default`.
    pub from: &'static str,
}

/// One thing that had to be forgiven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// Its kind in the contract's words.
    pub kind: &'static str,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
    /// The place or the reason.
    pub detail: String,
    /// The line as the document has it; of a long one what stands around the place.
    pub text: String,
    /// How many characters of `text` stand before the place.
    pub at: u32,
}

/// The feed of a report. Times are RFC 3339 in UTC.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)] // The contract describes each field; the names are its own.
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

/// Where to give money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Funding {
    pub url: String,
    pub title: Option<String>,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Person {
    pub name: Option<String>,
    pub email: Option<String>,
    pub url: Option<String>,
    pub role: Option<String>,
    pub image_url: Option<String>,
}

/// A category, with the key that groups it and its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Category {
    pub term: String,
    pub scheme: Option<String>,
    pub label: Option<String>,
    pub key: String,
    pub path: Vec<String>,
}

/// The program that made the feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Generator {
    pub name: Option<String>,
    pub url: Option<String>,
    pub version: Option<String>,
}

/// The feed's picture.
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

/// RSS's notification by cloud.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Cloud {
    pub domain: Option<String>,
    pub port: Option<u16>,
    pub path: Option<String>,
    pub procedure: Option<String>,
    pub protocol: Option<String>,
}

/// RSS's text input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct TextInput {
    pub title: Option<String>,
    pub description: Option<String>,
    pub name: Option<String>,
    pub link: Option<String>,
}

impl Report {
    /// The report on a parsed feed.
    pub fn new(source: &str, parsed: &feed::Parsed) -> Self {
        Self { items: parsed.items.iter().map(Item::from).collect(), ..Self::of_feed(source, parsed) }
    }

    /// The report without its items, which are what costs time and room.
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
        use feed::RepairKind as Kind;
        let kind = match repair.kind {
            Kind::UndefinedEntity => "undefined-entity",
            Kind::BareAmpersand => "bare-ampersand",
            Kind::MismatchedTag => "mismatched-tag",
            Kind::BadEncoding => "bad-encoding",
            Kind::ControlCharacter => "control-character",
            Kind::DoubleEncodedUtf8 => "double-encoded-utf8",
            Kind::UndeclaredPrefix => "undeclared-prefix",
            Kind::JunkBeforeXml => "junk-before-xml",
            Kind::Truncated => "truncated",
            Kind::Other => "other",
        };
        Self {
            kind,
            line: repair.line,
            column: repair.column,
            detail: repair.detail.clone(),
            text: repair.text.clone(),
            at: repair.at,
        }
    }
}

pub(crate) fn moment(at: Option<DateTime<Utc>>) -> Option<String> {
    at.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true))
}

pub(crate) fn people(list: &[feed::Person]) -> Vec<Person> {
    let one = |p: &feed::Person| {
        let feed::Person { name, email, url, role, image_url } = p.clone();
        Person { name, email, url, role, image_url }
    };
    list.iter().map(one).collect()
}

pub(crate) fn categories(list: &[feed::Category]) -> Vec<Category> {
    let one = |c: &feed::Category| {
        let feed::Category { term, scheme, label, key, path } = c.clone();
        Category { term, scheme, label, key, path }
    };
    list.iter().map(one).collect()
}

impl From<&feed::Feed> for Feed {
    fn from(feed: &feed::Feed) -> Self {
        let f = feed.clone();
        Self {
            title: f.title,
            description: f.description,
            home_url: f.home_url,
            feed_url: f.feed_url,
            id: f.id,
            language: f.language,
            published: moment(f.published),
            updated: moment(f.updated),
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
