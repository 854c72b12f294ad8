//! The scope, the progress and the result of a refresh.

use gleaner_library::Millis;
use std::collections::HashSet;

/// Which feeds to refresh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Feeds that are due.
    Due,
    /// All feeds.
    All,
    /// The feeds with these ids.
    Feeds(Vec<i64>),
}

/// Progress of a refresh.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// Number of feeds that are done.
    pub done: usize,
    /// Number of feeds to refresh.
    pub total: usize,
    /// Number of new items.
    pub new: usize,
    /// Number of changed items.
    pub changed: usize,
    /// Number of feeds that failed.
    pub failed: usize,
    /// Number of feeds that responded for the first time, so that their names are known.
    pub named: usize,
    /// Ids of the feeds that are not done yet, once they are few.
    pub waiting_for: Vec<i64>,
}

/// Maximum number of feeds that [`Progress::waiting_for`] names.
const MAX_WAITING_NAMED: usize = 3;

impl Progress {
    /// Returns this progress with the feeds that are not done yet, if they are few.
    pub(crate) fn waiting_for(&self, remaining: &HashSet<i64>) -> Self {
        let mut waiting_for = Vec::new();
        if remaining.len() <= MAX_WAITING_NAMED {
            waiting_for.extend(remaining);
            waiting_for.sort_unstable();
        }
        Self { waiting_for, ..self.clone() }
    }
}

/// Result of a refresh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Number of feeds in the scope.
    pub feeds: usize,
    /// Number of requests sent.
    pub requested: usize,
    /// Number of responses that said "not modified".
    pub not_modified: usize,
    /// Number of whole documents without new or changed items.
    pub unchanged: usize,
    /// Number of feeds with new or changed items.
    pub updated: usize,
    /// Number of feeds that failed.
    pub failed: usize,
    /// Number of these that failed because this computer is offline.
    pub offline: usize,
    /// Number of feeds that were skipped: their server asked to wait, or they were refreshed by hand too often.
    pub skipped: usize,
    /// Number of skipped feeds that were refreshed by hand too often (P28).
    pub limited: usize,
    /// When the first of these may be refreshed by hand again.
    pub limited_until: Option<Millis>,
    /// Number of skipped feeds whose server did not respond to the requests for others (P49).
    pub silent: usize,
    /// Number of skipped feeds whose addresses cannot be requested, such as those of programs or of FTP servers.
    pub unsupported: usize,
    /// Number of new items.
    pub items_new: usize,
    /// Number of changed items.
    pub items_changed: usize,
    /// New items to notify the reader of.
    pub notify: Vec<i64>,
    /// Those about which saved searches notify, each with the id of the search.
    pub searches: Vec<(i64, i64)>,
    /// Bytes received over the network.
    pub bytes: u64,
    /// Duration, in seconds.
    pub seconds: f64,
    /// Whether it was cancelled before its end.
    pub cancelled: bool,
    /// Feeds that were still to be refreshed when it was cancelled.
    pub remaining: Vec<i64>,
    /// Whether nothing was done because another process is polling.
    pub other_process: bool,
}
