//! Inspects a feed: refreshes it as by hand, with the same allowance, host lock, login and log, but requests the whole document and reports
//! everything in it.

use crate::runner::{PollError, Poller, Progress, Scope, Summary};
use gleaner_feed::{Context, NotAFeed, Parsed};
use gleaner_fetch::Answer;
use gleaner_inspect::{FlatReport, Report};
use gleaner_library::{Millis, PackedReport};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// A document as received.
#[derive(Debug)]
struct Document {
    body: Vec<u8>,
    content_type: Option<String>,
    base: String,
    at: Millis,
}

/// Where a refresh puts the document for the inspector.
#[derive(Debug, Clone, Default)]
pub(crate) struct Captured(Arc<Mutex<Option<Document>>>);

impl Captured {
    pub(crate) fn put(&self, body: &[u8], answer: &Answer, at: Millis) {
        let document = Document {
            body: body.to_vec(),
            content_type: answer.content_type.clone(),
            base: answer.url.to_string(),
            at,
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(document);
    }

    fn take(&self) -> Option<Document> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Result of inspecting a feed.
#[derive(Debug, Default)]
pub struct Inspected {
    /// Result of the refresh.
    pub summary: Summary,
    /// When the document was received, and its report; `None` if none was received or it is not a feed.
    pub report: Option<(Millis, FlatReport)>,
}

impl Poller {
    /// Refreshes a feed as by hand and returns the report on its whole document.
    ///
    /// # Errors
    /// As [`Poller::refresh`].
    pub async fn inspect(
        &self,
        feed: i64,
        cancel: CancellationToken,
        progress: impl FnMut(Progress),
    ) -> Result<Inspected, PollError> {
        let source = self.library.feeds().get(feed).await?.url;
        let captured = Captured::default();
        let summary =
            self.refresh_capturing(Scope::Feeds(vec![feed]), Some(captured.clone()), cancel, progress).await?;
        let Some(document) = captured.take() else { return Ok(Inspected { summary, report: None }) };
        let _core = self.cores.acquire().await.ok();
        let at = document.at;
        let report = tokio::task::spawn_blocking(move || report(&source, &document).ok()).await?;
        Ok(Inspected { summary, report: report.map(|report| (at, report)) })
    }
}

fn report(source: &str, document: &Document) -> Result<FlatReport, NotAFeed> {
    let context = Context { content_type: document.content_type.as_deref(), base_url: Some(&document.base) };
    let parsed = gleaner_feed::parse(&document.body, context)?;
    Ok(FlatReport::all(&Report::new(source, &parsed)))
}

/// Returns the report on a document that is stored until the next one.
pub(crate) fn packed_report(source: &str, parsed: &Parsed) -> Option<PackedReport> {
    PackedReport::pack(gleaner_inspect::to_stored(&Report::of_feed(source, parsed), parsed.items.len()))
}
