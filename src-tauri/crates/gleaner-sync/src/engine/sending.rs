//! Sends what changed here: subscriptions, then marks.

use super::{Delayed, Run, Stage};
use crate::{Changed, Server, SyncError};
use gleaner_library::{FeedChange, FeedChangeKind, MarkKind, PendingMark};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    time::{Duration, Instant},
};

/// A request with marks that takes longer than this is followed by smaller ones.
const SLOW: Duration = Duration::from_millis(2500);
/// Maximum number of marks that are read from the outbox at once.
const BATCH: i64 = 5000;

/// Labels that the server did not accept.
#[derive(Default)]
pub(super) struct LabelFault {
    /// It failed at one, so that no more are sent this time.
    failed: bool,
    /// It refused these.
    refused: HashSet<MarkKind>,
}

impl<S: Server> Run<'_, S> {
    pub(super) async fn send_feed_changes(&mut self) -> Result<(), SyncError> {
        let store = self.library.sync();
        // Later changes of a feed wait for an earlier one.
        let mut delayed: HashSet<i64> = HashSet::new();
        for change in store.pending_feed_changes(self.account.id).await? {
            self.check()?;
            // Subscribed and left before the server knew, or a change of a feed that it does not have yet.
            if change.remote_id.is_none() && !matches!(change.kind, FeedChangeKind::Subscribe { .. }) {
                store.feed_change_sent(self.account.id, &change, None).await?;
                continue;
            }
            if delayed.contains(&change.feed) {
                continue;
            }
            store.feed_change_sending(&change).await?;
            match self.server.change(&change).await {
                Ok(Changed::Done(remote_id)) => {
                    self.report.changes_sent += 1;
                    store.feed_change_sent(self.account.id, &change, remote_id.as_deref()).await?;
                }
                Ok(Changed::Unsupported) => {
                    self.report.unsupported.push(self.title(&change).await);
                    store.feed_change_refused(&change).await?;
                }
                Ok(Changed::Refused) if change.refused => {
                    self.report.refused.push(self.title(&change).await);
                    store.feed_change_refused(&change).await?;
                }
                Ok(Changed::Refused) => {
                    store.feed_change_refused_once(&change).await?;
                    delayed.insert(change.feed);
                    self.report.delayed.push(Delayed { title: self.title(&change).await, refused: true });
                }
                Err(SyncError::ChangesWait(wait)) => {
                    self.report.changes_wait = Some(wait);
                    return Ok(());
                }
                Err(error) if error.is_failure_of_server() => {
                    delayed.insert(change.feed);
                    self.report.delayed.push(Delayed { title: self.title(&change).await, refused: false });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns what the user calls the feed of a change.
    async fn title(&self, change: &FeedChange) -> String {
        match &change.kind {
            FeedChangeKind::Subscribe { url, .. } => url.clone(),
            _ => self.library.sync().feed_title(change.feed).await.unwrap_or_default(),
        }
    }

    /// Sends the marks, each kind in its own requests, which grow while the server is fast.
    pub(super) async fn send_marks(&mut self) -> Result<(), SyncError> {
        let store = self.library.sync();
        let mut at_once = S::FIRST_MARKS.min(S::MARKS);
        // Marks that are set meanwhile wait for the next synchronisation.
        let mut seen: HashSet<(String, MarkKind, i64)> = HashSet::new();
        loop {
            let mut pending = store.pending_marks(self.account.id, BATCH).await?;
            pending.retain(|mark| seen.insert((mark.remote_id.clone(), mark.kind.clone(), mark.stamp)));
            if pending.is_empty() {
                return Ok(());
            }
            let spelling = self.label_spelling().await?;
            let mut groups: BTreeMap<(MarkKind, bool), Vec<PendingMark>> = BTreeMap::new();
            for mark in pending {
                groups.entry((mark.kind.clone(), mark.on)).or_default().push(mark);
            }
            for ((kind, on), marks) in groups {
                let kind = spelling(kind);
                let label = if let MarkKind::Label(name) = &kind { Some(name.clone()) } else { None };
                if label.is_some() && (self.label_fault.failed || self.label_fault.refused.contains(&kind)) {
                    continue;
                }
                let mut rest = marks.as_slice();
                while !rest.is_empty() {
                    self.check()?;
                    let (chunk, later) = rest.split_at(at_once.min(rest.len()));
                    store.marks_sending(self.account.id, chunk).await?;
                    let ids: Vec<String> = chunk.iter().map(|mark| mark.remote_id.clone()).collect();
                    let began = Instant::now();
                    match (self.server.mark(&ids, &kind, on).await, &label) {
                        (Err(SyncError::LabelRefused), Some(label)) => {
                            self.label_refused(label, rest).await?;
                            self.label_fault.refused.insert(kind.clone());
                            break;
                        }
                        (Err(error), Some(label)) if error.is_failure_of_server() => {
                            self.report.delayed.push(Delayed { title: label.clone(), refused: false });
                            self.label_fault.failed = true;
                            break;
                        }
                        (Err(SyncError::ChangesWait(wait)), _) => {
                            self.report.changes_wait = Some(wait);
                            return Ok(());
                        }
                        (done, _) => done?,
                    }
                    store.marks_sent(self.account.id, chunk).await?;
                    self.report.sent += chunk.len();
                    self.tell(Stage::Send, self.report.sent, None);
                    at_once = next_size(at_once, S::MARKS, began.elapsed());
                    rest = later;
                }
            }
        }
    }

    /// Abandons marks with a label that the server refused before; the tags stay here. The others are sent once more the next time.
    async fn label_refused(&mut self, label: &str, marks: &[PendingMark]) -> Result<(), SyncError> {
        let (again, first): (Vec<_>, Vec<_>) = marks.iter().cloned().partition(|mark| mark.refused);
        if !again.is_empty() {
            self.library.sync().marks_refused(self.account.id, &again).await?;
            self.report.refused.push(label.to_owned());
        }
        if !first.is_empty() {
            self.library.sync().marks_refused_once(self.account.id, &first).await?;
            self.report.delayed.push(Delayed { title: label.to_owned(), refused: true });
        }
        Ok(())
    }

    /// Returns how labels are spelled at the server: the tags here may differ in case.
    async fn label_spelling(&self) -> Result<impl Fn(MarkKind) -> MarkKind + use<S>, SyncError> {
        let labels = self.library.sync().labels(self.account.id).await?;
        let spelled: HashMap<String, String> =
            labels.into_keys().map(|label| (gleaner_library::tag_key(&label), label)).collect();
        Ok(move |kind| match kind {
            MarkKind::Label(name) => {
                let there = spelled.get(&gleaner_library::tag_key(&name)).cloned();
                MarkKind::Label(there.unwrap_or(name))
            }
            other => other,
        })
    }
}

/// Returns the number of marks of the next request.
fn next_size(at_once: usize, most: usize, took: Duration) -> usize {
    match took {
        took if took > SLOW => (at_once / 2).max(1),
        took if took < SLOW / 4 => (at_once * 2).min(most),
        _ => at_once,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_with_marks_grow_while_the_server_is_fast() {
        let (fast, medium, slow) = (Duration::from_millis(100), Duration::from_secs(1), Duration::from_secs(4));
        assert_eq!([next_size(100, 1000, fast), next_size(800, 1000, fast)], [200, 1000]);
        assert_eq!([next_size(400, 1000, medium), next_size(400, 1000, slow), next_size(1, 1000, slow)], [400, 200, 1]);
    }
}
