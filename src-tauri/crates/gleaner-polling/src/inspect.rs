//! Inspecting a feed: it is asked as by hand, with all that holds for that (its allowance, its host's turn and wishes, its login, the
//! record), but for the whole document, of which everything is told.

use crate::runner::{PollError, Poller, Progress, Scope, Summary};
use gleaner_feed::{Context, NotAFeed, Parsed};
use gleaner_fetch::Answer;
use gleaner_inspect::{Report, Told};
use gleaner_library::{Millis, PackedReport};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// A document as it came.
#[derive(Debug)]
struct Document {
    body: Vec<u8>,
    content_type: Option<String>,
    base: String,
    at: Millis,
}

/// Where a refresh leaves the document for whoever inspects it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Option<Document>>>);

impl Seen {
    pub(crate) fn show(&self, body: &[u8], answer: &Answer, at: Millis) {
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

/// What came of inspecting a feed.
#[derive(Debug, Default)]
pub struct Inspected {
    /// Of the refresh that it was.
    pub summary: Summary,
    /// When the document came, and all that it says; `None` where none came, or it was no feed.
    pub told: Option<(Millis, Told)>,
}

impl Poller {
    /// Asks a feed as by hand, for the whole document, and tells all that it says.
    ///
    /// # Errors
    /// As [`Poller::refresh`].
    pub async fn inspect(
        &self,
        feed: i64,
        cancel: CancellationToken,
        progress: impl FnMut(Progress),
    ) -> Result<Inspected, PollError> {
        let source = self.library.feed(feed).await?.url;
        let seen = Seen::default();
        let summary = self.refresh_seeing(Scope::Feeds(vec![feed]), Some(seen.clone()), cancel, progress).await?;
        let Some(document) = seen.take() else { return Ok(Inspected { summary, told: None }) };
        let _core = self.cores.acquire().await.ok();
        let at = document.at;
        let told = tokio::task::spawn_blocking(move || told(&source, &document).ok()).await?;
        Ok(Inspected { summary, told: told.map(|told| (at, told)) })
    }
}

fn told(source: &str, document: &Document) -> Result<Told, NotAFeed> {
    let context = Context { content_type: document.content_type.as_deref(), base_url: Some(&document.base) };
    let parsed = gleaner_feed::parse(&document.body, context)?;
    Ok(Told::all(&Report::new(source, &parsed)))
}

/// What is kept of a document until the next one comes.
pub(crate) fn kept(source: &str, parsed: &Parsed) -> Option<PackedReport> {
    PackedReport::pack(gleaner_inspect::keep(&Report::of_feed(source, parsed), parsed.items.len()))
}
