//! Reports for the feed inspector: on a document that was requested for it, and on each document that is received.

use gleaner_feed::{Context, NotAFeed, Parsed};
use gleaner_fetch::Response;
use gleaner_inspect::{FlatReport, Report};
use gleaner_library::{Millis, PackedReport};
use parking_lot::Mutex;
use std::sync::Arc;

/// A document as received.
#[derive(Debug)]
pub(crate) struct Document {
    body: Vec<u8>,
    content_type: Option<String>,
    base: String,
    pub(crate) at: Millis,
}

/// Where a refresh puts the document for the inspector.
#[derive(Debug, Clone, Default)]
pub(crate) struct Captured(Arc<Mutex<Option<Document>>>);

impl Captured {
    pub(crate) fn put(&self, body: &[u8], response: &Response, at: Millis) {
        let document = Document {
            body: body.to_vec(),
            content_type: response.content_type.clone(),
            base: response.url.to_string(),
            at,
        };
        *self.0.lock() = Some(document);
    }

    pub(crate) fn take(&self) -> Option<Document> {
        self.0.lock().take()
    }
}

/// Returns the report on a whole document.
pub(crate) fn report(source: &str, document: &Document) -> Result<FlatReport, NotAFeed> {
    let context = Context { content_type: document.content_type.as_deref(), base_url: Some(&document.base) };
    let parsed = gleaner_feed::parse(&document.body, context)?;
    Ok(FlatReport::all(&Report::new(source, &parsed)))
}

/// Returns the report on a document that is stored until the next one.
pub(crate) fn packed_report(source: &str, parsed: &Parsed) -> Option<PackedReport> {
    PackedReport::pack(gleaner_inspect::to_stored(&Report::of_feed(source, parsed), parsed.items.len()))
}
