//! Inspects a feed: refreshes it as by hand, with the same allowance, host lock, login and log, but requests the whole document and reports
//! everything in it.

use crate::{
    report::{Captured, report},
    runner::{PollError, Poller},
    summary::{Progress, Scope, Summary},
};
use gleaner_inspect::FlatReport;
use gleaner_library::Millis;
use tokio_util::sync::CancellationToken;

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
