//! A refresh: selects the feeds of a scope, polls them, stores the results in batches, and sums them up.
//! [`crate::schedule`] decides when to poll again.

use super::{
    PollError, Poller,
    batch::{BATCH, receive},
    polled::Polled,
    round::Round,
};
use crate::{
    host_queue::{group, within_allowance},
    record,
    report::Captured,
    schedule, secrets,
    still_polled::StillPolled,
    summary::{Progress, Scope, Summary},
};
use gleaner_library::{LibraryError, Millis, Poll, Stored};
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

impl Poller {
    /// Refreshes the feeds of a scope and reports progress. Cancelling keeps the results stored until then.
    ///
    /// # Errors
    /// When the library cannot be read or written. A feed's own error is stored with the feed and is not an error here.
    pub async fn refresh(
        &self,
        scope: Scope,
        cancel: CancellationToken,
        progress: impl FnMut(Progress),
    ) -> Result<Summary, PollError> {
        self.refresh_capturing(scope, None, cancel, progress).await
    }

    pub(crate) async fn refresh_capturing(
        &self,
        scope: Scope,
        captured: Option<Captured>,
        cancel: CancellationToken,
        mut progress: impl FnMut(Progress),
    ) -> Result<Summary, PollError> {
        let started = Instant::now();
        let Some(_lock) = self.lock()? else {
            return Ok(Summary { other_process: true, ..Summary::default() });
        };
        let begun = self.now();
        let released = self.library.scheduled().release_due(begun).await?;
        let polls = self.polls_of(&scope, begun).await?;
        let by_hand = scope != Scope::Due;
        let polls = if by_hand { polls } else { self.postpone(polls, begun).await? };
        let mut summary =
            Summary { feeds: polls.len(), items_new: released.new, notify: released.notify, ..Summary::default() };
        let polls = if by_hand { within_allowance(polls, begun, &mut summary) } else { polls };
        let named = matches!(&scope, Scope::Feeds(ids) if ids.len() == 1);
        let round = Round { named, ..self.round(by_hand, captured).await? };
        let still_polled = StillPolled::new(&polls);
        let waiting = self.library.hosts().waiting(begun, begun + schedule::MAX_INTERVAL).await?;
        let (by_host, waiting) = group(polls, &waiting);
        summary.skipped = waiting + summary.limited;

        let mut tally = Tally::new(summary, &by_host);
        progress(tally.progress());
        let (sender, mut receiver) = mpsc::channel(BATCH);
        let polling = tokio::spawn(self.clone().poll_hosts(by_host, round, still_polled, sender, cancel.clone()));
        let mut batch = Vec::with_capacity(BATCH);
        while receive(&mut receiver, &mut batch, tally.remaining.len()).await {
            tally.take_unsubscribed(&mut batch);
            let stored = match self.store(&batch).await {
                Ok(stored) => stored,
                Err(error) => {
                    polling.abort();
                    return Err(error.into());
                }
            };
            tally.add(batch.drain(..).zip(stored));
            progress(tally.progress());
        }
        polling.await?;
        secrets::delete_unused(&self.library).await?;
        Ok(tally.summary(cancel.is_cancelled(), started.elapsed()))
    }

    /// Postpones feeds that asked not to be polled now (P23). Returns the others.
    async fn postpone(&self, mut polls: Vec<Poll>, now: Millis) -> Result<Vec<Poll>, LibraryError> {
        let mut postponed = Vec::new();
        polls.retain(|poll| {
            let later = record::postponed(poll, now);
            let is_open = later.is_none();
            postponed.extend(later);
            is_open
        });
        for batch in postponed.chunks(BATCH) {
            for result in self.library.polls().store_each(&batch.iter().collect::<Vec<_>>()).await? {
                result?;
            }
        }
        Ok(polls)
    }

    /// Returns the feeds of a scope.
    async fn polls_of(&self, scope: &Scope, now: Millis) -> Result<Vec<Poll>, LibraryError> {
        match scope {
            Scope::Due => self.library.polls().due(now, now + schedule::MAX_INTERVAL).await,
            Scope::All => self.library.polls().list().await,
            Scope::Feeds(ids) => {
                let wanted: HashSet<i64> = ids.iter().copied().collect();
                let mut polls = self.library.polls().list().await?;
                polls.retain(|poll| wanted.contains(&poll.feed_id));
                Ok(polls)
            }
        }
    }
}

/// The results of a refresh so far.
struct Tally {
    summary: Summary,
    /// Number of feeds that were skipped before any was polled.
    left_out: usize,
    /// Number of feeds that responded for the first time.
    named: usize,
    /// Feeds that are still to be polled.
    remaining: HashSet<i64>,
}

impl Tally {
    fn new(summary: Summary, by_host: &[Vec<Poll>]) -> Self {
        let remaining = by_host.iter().flatten().map(|poll| poll.feed_id).collect();
        Self { left_out: summary.skipped, summary, named: 0, remaining }
    }

    /// Removes feeds from a batch that were unsubscribed or got another address in the meantime, and no longer counts them.
    fn take_unsubscribed(&mut self, batch: &mut Vec<Polled>) {
        batch.retain(|polled| {
            if polled.unsubscribed {
                self.leave_out(polled.incoming.poll.feed_id);
            }
            !polled.unsubscribed
        });
    }

    /// No longer counts a feed.
    fn leave_out(&mut self, feed: i64) {
        self.remaining.remove(&feed);
        self.summary.feeds -= 1;
    }

    /// Counts the results of a batch. What was stored of one is `None` if that failed.
    fn add(&mut self, batch: impl Iterator<Item = (Polled, Option<Stored>)>) {
        for (polled, stored) in batch {
            if stored.as_ref().is_some_and(|stored| stored.outdated) {
                self.leave_out(polled.incoming.poll.feed_id);
                continue;
            }
            let is_first = polled.before.succeeded_at.is_none() && polled.incoming.facts.is_some();
            self.named += usize::from(is_first);
            self.remaining.remove(&polled.incoming.poll.feed_id);
            self.summary.add(&polled, stored);
        }
    }

    fn progress(&self) -> Progress {
        let summary = &self.summary;
        let progress = Progress {
            done: summary.requested + summary.skipped - self.left_out,
            total: summary.feeds - self.left_out,
            new: summary.items_new,
            changed: summary.items_changed,
            failed: summary.failed,
            named: self.named,
            ..Progress::default()
        };
        progress.waiting_for(&self.remaining)
    }

    fn summary(self, cancelled: bool, took: Duration) -> Summary {
        let Self { mut summary, remaining, .. } = self;
        summary.cancelled = cancelled && !remaining.is_empty();
        if summary.cancelled {
            summary.remaining = remaining.into_iter().collect();
            summary.remaining.sort_unstable();
        }
        summary.seconds = took.as_secs_f64();
        summary
    }
}
