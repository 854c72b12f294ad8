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

pub use model::*;

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
        read_json(begins, context)?
    } else {
        read_xml(text, context, &mut repairs)?
    };
    finish::items(&mut items, &mut feed, context.base_url);
    let repairs = repairs.list;
    Ok(Parsed { format, encoding: decoded.encoding, well_formed: repairs.is_empty(), repairs, feed, items })
}

type Read = (Format, Feed, Vec<Item>);

fn read_json(text: &str, context: Context<'_>) -> Result<Read, NotAFeed> {
    let other = |what: &str| NotAFeed::Other { what: what.to_owned() };
    // Only the first value counts; what follows a whole feed is junk.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    match values.next() {
        Some(Ok(value)) => json_feed::read(&value, context.base_url).map_err(other),
        _ => Err(other(&sniff::text(None, text))),
    }
}

fn read_xml(text: &str, context: Context<'_>, repairs: &mut Repairs<'_>) -> Result<Read, NotAFeed> {
    let mut builder = Builder::new(Gatherer::new(context.base_url));
    if let Err(refusal) = strict::read(text, &mut builder) {
        builder = Builder::new(Gatherer::new(context.base_url));
        let before = repairs.list.len();
        recover::read(text, &mut builder, repairs);
        if repairs.list.len() == before {
            // The strict parser saw what the recovering one took in its stride.
            repairs.list.push(Repair {
                kind: RepairKind::Other,
                line: refusal.line,
                column: refusal.column,
                detail: refusal.to_string(),
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
