//! Bytes to a [`Feed`] and its [`Item`]s, and a report of what had to be forgiven. Pure: no network, no clock, no disk.

#![allow(missing_docs)]
mod model;
pub mod opml;

pub use model::*;

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
    let _ = (bytes, context);
    Err(NotAFeed::Empty)
}
