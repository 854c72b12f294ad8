//! The progress of a synchronisation.

use super::{Report, Run};
use crate::SyncError;

/// A stage of a synchronisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// Logging in.
    #[default]
    LogIn,
    /// Sending marks.
    Send,
    /// Reading the subscriptions.
    Feeds,
    /// Reading which articles are unread, starred and labelled.
    Lists,
    /// Downloading articles.
    Articles,
}

/// The progress of a synchronisation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// What it does.
    pub stage: Stage,
    /// Number of marks sent, or of articles downloaded.
    pub done: usize,
    /// Number of articles to download, if the server's API says.
    pub total: Option<usize>,
    /// The changes so far.
    pub report: Report,
}

impl Run<'_> {
    /// Reports the progress.
    pub(super) fn report_progress(&self, stage: Stage, done: usize, total: Option<usize>) {
        if let Some(progress) = &self.options.progress {
            progress.send_replace(Progress { stage, done, total, report: self.report.clone() });
        }
    }

    /// Records that older articles were downloaded, if the user had raised the number of articles.
    pub(super) async fn history_extended(&self) -> Result<(), SyncError> {
        if self.account.extend_history {
            self.library.accounts().set_history_extended(self.account.id).await?;
        }
        Ok(())
    }
}
