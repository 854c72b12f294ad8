use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// HTML as the publisher wrote it, and the URL that its relative links hang on. Kept raw, sanitised when it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Body {
    /// Not sanitised.
    pub html: String,
    /// An absolute URL.
    pub base: Option<String>,
}

/// Below this many bytes zstd's frame costs more than it saves.
const WORTH_PACKING: usize = 200;

/// As it is, or zstd: the `codec` column.
pub(crate) const PLAIN: i64 = 0;
pub(crate) const ZSTD: i64 = 1;

/// Both bodies of an item in the form that they are stored in. Made where there are cores to spare, not in the writer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Packed {
    pub codec: i64,
    pub content: Option<Vec<u8>>,
    pub summary: Option<Vec<u8>>,
}

thread_local! {
    /// Made once a thread: making one costs more than compressing an article. Level 3 would spare one byte in a hundred, for half as much
    /// time again.
    static COMPRESSOR: RefCell<Option<zstd::bulk::Compressor<'static>>> = RefCell::new(zstd::bulk::Compressor::new(1).ok());
}

pub(crate) fn pack(content: Option<&Body>, summary: Option<&Body>) -> Packed {
    let bytes = |body: Option<&Body>| body.map_or(0, |body| body.html.len());
    if bytes(content) + bytes(summary) >= WORTH_PACKING {
        let zstd = |body: &Body| COMPRESSOR.with_borrow_mut(|zstd| zstd.as_mut()?.compress(body.html.as_bytes()).ok());
        let (packed_content, packed_summary) = (content.and_then(zstd), summary.and_then(zstd));
        if packed_content.is_some() == content.is_some() && packed_summary.is_some() == summary.is_some() {
            return Packed { codec: ZSTD, content: packed_content, summary: packed_summary };
        }
    }
    let plain = |body: Option<&Body>| body.map(|body| body.html.clone().into_bytes());
    Packed { codec: PLAIN, content: plain(content), summary: plain(summary) }
}

pub(crate) fn unpack(codec: i64, bytes: &[u8]) -> Result<String, String> {
    let bytes = match codec {
        PLAIN => bytes.to_vec(),
        ZSTD => zstd::stream::decode_all(bytes).map_err(|error| error.to_string())?,
        other => return Err(format!("unknown codec {other}")),
    };
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_packed_unpacks() {
        for html in [String::new(), "short".to_owned(), "<p>long &amp; wide</p>".repeat(1000)] {
            let body = Body { html: html.clone(), base: None };
            let packed = pack(Some(&body), None);
            assert_eq!(unpack(packed.codec, &packed.content.unwrap()).unwrap(), html);
            assert!(packed.summary.is_none());
        }
    }
}
