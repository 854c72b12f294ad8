//! Bytes to a [`Feed`] and its [`Item`]s, and a report of what had to be forgiven. Pure: no network, no clock, no disk.
//!
//! The way of a document: [`encoding`] makes text of it; JSON goes to [`json_feed`]; XML is first read by [`strict`] and, when
//! that refuses, by [`recover`]; both feed one [`builder`], whose tree [`document`] reads item by item with the readers
//! of each format ([`rss`], [`atom`], [`cdf`]) and of their [`modules`]; [`finish`] gives items what they owe to the feed.

mod address;
mod atom;
mod builder;
mod categories;
mod cdf;
mod chapters;
pub mod dates;
mod document;
mod draft;
mod encoding;
mod finish;
mod json_feed;
mod links;
mod model;
mod modules;
mod namespace;
pub mod opml;
mod people;
mod recover;
mod repair;
mod rss;
mod sniff;
mod strict;
mod text;
mod tree;

use builder::Builder;
use document::Gatherer;
use repair::Repairs;

pub use chapters::chapters;
pub use model::*;
pub use sniff::WEB_PAGE;

/// The largest document that is read, in bytes.
pub const MAX_BYTES: usize = 256 << 20;

/// What came with the bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// The HTTP `Content-Type` header's value, if the bytes came over HTTP.
    pub content_type: Option<&'a str>,
    /// Where the bytes were found (after redirects): the base of relative URLs.
    pub base_url: Option<&'a str>,
}

/// Reads a feed of any format, however broken.
///
/// # Errors
/// [`NotAFeed`] when the bytes are something else.
pub fn parse(bytes: &[u8], context: Context<'_>) -> Result<Parsed, NotAFeed> {
    if bytes.len() > MAX_BYTES {
        return Err(NotAFeed::TooLarge { limit: format!("more than {} MB", MAX_BYTES >> 20) });
    }
    if let Some(what) = sniff::binary(bytes) {
        return Err(NotAFeed::Other { what: what.to_owned() });
    }
    let decoded = encoding::decode(bytes, context.content_type);
    let text: &str = &decoded.text;
    let begins = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
    if begins.is_empty() {
        return Err(NotAFeed::Empty);
    }
    let mut repairs = Repairs::new(text);
    if let Some(detail) = &decoded.bad {
        repairs.note(RepairKind::BadEncoding, 0, detail.as_str());
    }
    if decoded.double_encoded {
        repairs.note(RepairKind::DoubleEncodedUtf8, 0, "the whole document");
    }
    let (format, mut feed, mut items) = if begins.starts_with(['{', '[']) {
        read_json(begins, text, context, &mut repairs)?
    } else if let Some(source) = json_behind_junk(begins) {
        repairs.note(RepairKind::JunkBeforeXml, 0, begins.lines().next().unwrap_or(""));
        read_json(source, text, context, &mut repairs)?
    } else {
        read_xml(text, context, &mut repairs)?
    };
    finish::items(&mut items, &mut feed, context.base_url);
    let repairs = repairs.list;
    Ok(Parsed { format, encoding: decoded.encoding, well_formed: repairs.is_empty(), repairs, feed, items })
}

type Read = (Format, Feed, Vec<Item>);

/// A JSON Feed that stands in the text from the beginning of `source` on.
fn read_json(source: &str, text: &str, context: Context<'_>, repairs: &mut Repairs<'_>) -> Result<Read, NotAFeed> {
    let read = json_feed::read(source, text.len() - source.len(), context.base_url, repairs);
    read.map_err(|what| NotAFeed::Other { what })
}

/// A JSON Feed behind a script's notices or another's guard against being run, of which the document begins with something else.
fn json_behind_junk(text: &str) -> Option<&str> {
    let head = text.get(..(0..=text.len().min(4096)).rev().find(|at| text.is_char_boundary(*at))?)?;
    let start = head.find('{')?;
    let lower = head.get(..start)?.to_ascii_lowercase();
    let other =
        ["<?xml", "<rss", "<feed", "<rdf", "<channel", "<html", "<!doctype", "<head", "<body", "<script", "<style"];
    let source = text.get(start..).filter(|_| !other.iter().any(|tag| lower.contains(tag)))?;
    let named = source.get(..(0..=source.len().min(2048)).rev().find(|at| source.is_char_boundary(*at))?)?;
    named.contains("jsonfeed.org").then_some(source)
}

fn read_xml(text: &str, context: Context<'_>, repairs: &mut Repairs<'_>) -> Result<Read, NotAFeed> {
    let mut builder = Builder::new(Gatherer::new(context.base_url));
    if let Err(refusal) = strict::read(text, &mut builder) {
        builder = Builder::new(Gatherer::new(context.base_url));
        let before = repairs.list.len();
        recover::read(text, &mut builder, repairs);
        if repairs.list.len() == before {
            // The strict parser saw what the recovering one took in its stride.
            let (excerpt, at) = repair::excerpt(text, repair::offset_of(text, refusal.line, refusal.column));
            repairs.list.push(Repair {
                kind: RepairKind::Other,
                line: refusal.line,
                column: refusal.column,
                detail: refusal.to_string(),
                text: excerpt,
                at,
            });
        }
    }
    let gatherer = builder.handler;
    match gatherer.format() {
        Some(format) => {
            let (feed, items) = gatherer.finish();
            Ok((format, feed, items))
        }
        None => Err(NotAFeed::Other { what: sniff::text(gatherer.root_name.as_deref(), text) }),
    }
}
