//! Parses feeds: bytes to a [`Feed`] and its [`Item`]s, with a report of repairs. Pure: no network, no clock, no disk.
//!
//! [`encoding`] decodes the document. JSON goes to [`json_feed`], or to [`json_xml`] if it is RSS or Atom. XML is read by [`strict`] and, if it is not well-formed, by [`recover`].
//! Both feed one [`builder`], whose tree is read item by item by [`document`], with the readers of each format ([`rss`], [`atom`], [`cdf`])
//! and of their [`modules`]. [`finish`] completes items with data of the feed.

mod address;
mod atom;
mod base;
mod bounded_json;
mod builder;
mod categories;
mod cdf;
mod chapters;
pub mod dates;
mod document;
mod draft;
mod encoded_words;
mod encoding;
mod finish;
mod json_feed;
mod json_xml;
mod leftover;
mod links;
mod model;
mod modules;
mod namespace;
pub mod opml;
mod people;
mod recover;
mod repair;
mod rss;
mod sections;
mod services;
mod sniff;
mod strict;
mod text;
mod thumbnail;
mod transcript;
mod tree;
mod truncated;
mod wrapped;

use base::{Base, Origin};
use builder::Builder;
use document::FeedCollector;
use repair::Repairs;
use std::borrow::Cow;

pub use address::{has_feed_scheme, is_subscribable, subscription_url, without_feed_scheme, written_url};
pub use bounded_json::Bounded as BoundedJson;
pub use chapters::chapters;
pub use model::*;
pub use people::parse as parse_persons;
pub use sniff::DocumentKind;
pub use thumbnail::is_avatar;
pub use transcript::transcript;

/// Maximum length of a document, in bytes.
pub const MAX_BYTES: usize = 256 << 20;
/// Maximum length of a document in UTF-8, or twice its own length: one byte of Windows-1252 can become three.
const MAX_DECODED: usize = 32 << 20;

/// Information about the bytes to parse.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// Value of the HTTP `Content-Type` header, if fetched over HTTP.
    pub content_type: Option<&'a str>,
    /// URL of the document after redirects; the base of relative URLs.
    pub base_url: Option<&'a str>,
}

/// Parses a feed of any format, repairing it where necessary.
///
/// # Errors
/// [`NotAFeed`] if the bytes are something else.
pub fn parse(bytes: &[u8], context: Context<'_>) -> Result<Parsed, NotAFeed> {
    if bytes.len() > MAX_BYTES {
        return Err(NotAFeed::TooLarge { limit: MAX_BYTES });
    }
    if let Some(kind) = sniff::binary(bytes) {
        return Err(NotAFeed::Other { kind });
    }
    let decoded = encoding::decode(bytes, context.content_type);
    let text: &str = &decoded.text;
    let limit = MAX_DECODED.max(bytes.len().saturating_mul(2));
    if text.len() > limit {
        return Err(NotAFeed::TooLarge { limit });
    }
    let origin = Origin { url: context.base_url, language: None };
    let read_inner = |inner: Cow<'_, str>| {
        let mut parsed = read_text(&inner, &decoded, origin).ok().filter(|parsed| !parsed.items.is_empty())?;
        let mut repairs = Repairs::new(text);
        repairs.note(RepairKind::JunkBeforeXml, 0, text.trim().lines().next().unwrap_or(""));
        parsed.repairs.splice(..0, repairs.list);
        parsed.well_formed = false;
        Some(parsed)
    };
    if let Some(parsed) = wrapped::unescaped(text).and_then(read_inner) {
        return Ok(parsed);
    }
    read_text(text, &decoded, origin).or_else(|not_a_feed| {
        let inner = wrapped::feed(text).filter(|_| matches!(not_a_feed, NotAFeed::Other { .. }));
        inner.and_then(read_inner).ok_or(not_a_feed)
    })
}

/// Parses a feed in a decoded document.
fn read_text(text: &str, decoded: &encoding::Decoded<'_>, origin: Origin<'_>) -> Result<Parsed, NotAFeed> {
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
    if start.is_empty() {
        return Err(NotAFeed::Empty);
    }
    let new_repairs = || {
        let mut repairs = Repairs::new(text);
        decoded.note(&mut repairs);
        repairs
    };
    let mut repairs = new_repairs();
    let offset = text.len() - start.len();
    let new = || new_builder(text, origin);
    let in_json = json_xml::is_feed(start).then(|| json_xml::read(start, offset, new, &mut repairs)).flatten();
    let read = if let Some(builder) = in_json {
        read_tree(builder, text)
    } else if start.starts_with(['{', '[']) {
        repairs = new_repairs();
        read_json(start, text, origin, &mut repairs).or_else(|not_a_feed| {
            if let Some(inner) = json_feed::within(start) {
                repairs = new_repairs();
                repairs.note(RepairKind::JunkBeforeXml, 0, start.lines().next().unwrap_or(""));
                let read = read_json(inner, text, origin, &mut repairs).ok();
                if let Some(read) = read.filter(|(read, _)| !read.items.is_empty()) {
                    return Ok(read);
                }
            }
            if is_json(start) {
                return Err(not_a_feed);
            }
            // A line of a log, such as `[warning] …`, before the feed.
            repairs = new_repairs();
            read_after_junk(start, 1, text, origin, &mut repairs).map_err(|_| not_a_feed)
        })
    } else {
        read_after_junk(start, 0, text, origin, &mut repairs)
    };
    let (Read { format, mut feed, mut items }, base) = read?;
    // Names of months have other meanings in this language, which is known only now. The document is read again once.
    let is_first = origin.language.is_none();
    if let Some(tag) = feed.language.take_if(|tag| is_first && base.orders.depend_on(tag)) {
        drop((feed, items));
        return read_text(text, decoded, Origin { language: Some(&tag), ..origin });
    }
    if encoding::repair_items(&mut items) | encoding::repair_feed(&mut feed) {
        repairs.note(RepairKind::DoubleEncodedUtf8, 0, RepairDetail::None);
    }
    base.budget.limit_lists_of_feed(&mut feed);
    finish::items(&mut items, &mut feed, &base);
    base.budget.note(&mut repairs);
    let repairs = repairs.list;
    Ok(Parsed { format, encoding: decoded.encoding.clone(), well_formed: repairs.is_empty(), repairs, feed, items })
}

/// A feed as read from its format, before [`finish`].
struct Read {
    format: Format,
    feed: Feed,
    items: Vec<Item>,
}

/// Reads XML, or a JSON Feed that begins after `skip` bytes or later.
fn read_after_junk(
    start: &str,
    skip: usize,
    text: &str,
    origin: Origin<'_>,
    repairs: &mut Repairs<'_>,
) -> Result<(Read, Base), NotAFeed> {
    match start.get(skip..).and_then(json_after_junk) {
        Some(source) => {
            repairs.note(RepairKind::JunkBeforeXml, 0, start.lines().next().unwrap_or(""));
            read_json(source, text, origin, repairs)
        }
        None => read_xml(text, origin, repairs),
    }
}

/// Whether the text is valid JSON.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Reads a JSON Feed. `text` is the part of `source` from the start of the JSON on.
fn read_json(
    source: &str,
    text: &str,
    origin: Origin<'_>,
    repairs: &mut Repairs<'_>,
) -> Result<(Read, Base), NotAFeed> {
    let read = json_feed::read(source, text.len() - source.len(), origin, repairs);
    read.map_err(|kind| NotAFeed::Other { kind })
}

/// Finds a JSON Feed after a script's warnings or after an anti-hijacking prefix.
fn json_after_junk(text: &str) -> Option<&str> {
    let head = text.get(..text.floor_char_boundary(4096))?;
    let start = head.find('{')?;
    let lower = head.get(..start)?.to_ascii_lowercase();
    let other =
        ["<?xml", "<rss", "<feed", "<rdf", "<channel", "<html", "<!doctype", "<head", "<body", "<script", "<style"];
    let source = text.get(start..).filter(|_| !other.iter().any(|tag| lower.contains(tag)))?;
    let named = source.get(..source.floor_char_boundary(2048))?;
    named.contains("jsonfeed.org").then_some(source)
}

fn read_xml(text: &str, origin: Origin<'_>, repairs: &mut Repairs<'_>) -> Result<(Read, Base), NotAFeed> {
    let new = || new_builder(text, origin);
    let builder = strict::read(text, new).unwrap_or_else(|error| {
        let mut builder = new();
        let before = repairs.list.len();
        recover::read(text, &mut builder, repairs);
        if repairs.list.len() == before {
            // The recovering parser accepted what the strict one rejected.
            let (excerpt, at) = repair::excerpt(text, repair::offset_of(text, error.line, error.column));
            repairs.list.push(Repair {
                kind: RepairKind::Other,
                line: error.line,
                column: error.column,
                detail: RepairDetail::XmlError(repair::truncated(&error.to_string())),
                text: excerpt,
                at,
            });
        }
        builder
    });
    read_tree(builder, text)
}

fn new_builder(text: &str, origin: Origin<'_>) -> Builder<FeedCollector> {
    Builder::new(FeedCollector::default(), Base::of_origin(origin, text.len()))
}

fn read_tree(builder: Builder<FeedCollector>, text: &str) -> Result<(Read, Base), NotAFeed> {
    let (collector, base) = (builder.handler, builder.tree.document().clone());
    if builder.left_out > 0 {
        base.budget.exceed();
    }
    match collector.format() {
        Some(format) => {
            let (feed, items) = collector.finish();
            Ok((Read { format, feed, items }, base))
        }
        None => Err(match collector.moved_to {
            Some(to) => NotAFeed::Moved { to: gleaner_address::without_stored_password(&to) },
            None => NotAFeed::Other { kind: sniff::text(collector.root_name.as_deref(), text) },
        }),
    }
}

impl Parsed {
    /// Returns whether the document ends before its end, as after a transfer that was cut off.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        // An unclosed section may be anywhere, and after a truncated `</rss` nothing else is missing. In both cases elements are still open
        // at the end of the document.
        let is_at_end = |repair: &Repair| {
            use RepairDetail::{EndsWithinTag, UnterminatedCdata, UnterminatedComment, UnterminatedInstruction};
            let is_section = matches!(repair.detail, UnterminatedCdata | UnterminatedComment | UnterminatedInstruction);
            repair.kind == RepairKind::Truncated && !is_section && repair.detail != EndsWithinTag
        };
        self.items.iter().any(|item| item.is_cut_off) || self.repairs.iter().any(is_at_end)
    }
}
