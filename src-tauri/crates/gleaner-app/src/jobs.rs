//! Long work by name: one run at a time per name, with cancellation and a bounded shutdown.

use parking_lot::{Mutex, MutexGuard};
use std::{collections::HashMap, sync::Arc, time::Duration};
use tokio::sync::{Mutex as AsyncMutex, Notify, OwnedMutexGuard};
use tokio_util::sync::CancellationToken;

/// The name of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Job {
    /// Polling feeds, or one feed for the inspector.
    Refresh,
    /// Updating the search index, or a rule that needs it.
    Index,
    /// Downloading for offline reading.
    Downloads,
    /// Downloading episodes.
    Episodes,
    /// Downloading feed icons.
    Icons,
    /// Deleting articles after the user changed a retention policy.
    Retention,
    /// Deleting expired articles in the background.
    Cleanup,
    /// Synchronising accounts with their servers.
    Sync,
    /// Saving articles in one service.
    Share(i64),
    /// Importing files.
    Import,
    /// Writing an archive of the library.
    ExportArchive,
    /// Writing articles as a document.
    SaveDocument,
    /// Finding the feeds behind an address.
    Discovery,
    /// Downloading the full text of the open article.
    FullText,
    /// Downloading the comments of the open article.
    Comments,
    /// Downloading the chapters of the open article.
    Chapters,
    /// Downloading the transcript of the open article.
    Transcript,
    /// Downloading an image of the open article to save or copy it.
    Image,
    /// Applying a rule to all articles.
    ApplyRule,
    /// Updating the program.
    Update,
    /// Downloading older articles of a feed.
    Backfill(i64),
}

/// Why a run was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// The user or the shutdown stopped it.
    Stopped,
    /// More important work goes first; the rest continues afterwards.
    Interrupted,
}

/// All jobs of an app.
#[derive(Clone, Default)]
pub struct Jobs(Arc<Inner>);

#[derive(Default)]
struct Inner {
    table: Mutex<Table>,
    /// Notified whenever a run ends.
    ended: Notify,
}

#[derive(Default)]
struct Table {
    jobs: HashMap<Job, Entry>,
    /// New runs are cancelled from the start while the library is being closed.
    closing: bool,
    next_run: u64,
}

#[derive(Default)]
struct Entry {
    /// Held by the current run.
    turn: Arc<AsyncMutex<()>>,
    /// The newest run, which may still wait for its turn.
    newest: Option<Run>,
    running: bool,
    /// Number of stops so far. A run that waited for its turn during one is stopped, too.
    stops: u64,
}

struct Run {
    number: u64,
    token: CancellationToken,
    cancelled: Option<Cancelled>,
}

/// One run of a job. The job ends when this is dropped.
pub struct Running {
    jobs: Jobs,
    job: Job,
    number: u64,
    token: CancellationToken,
    turn: Option<OwnedMutexGuard<()>>,
}

impl Jobs {
    /// Starts a job. An earlier run is cancelled and awaited.
    pub async fn replace(&self, job: Job) -> Running {
        let mut run = self.announce(job, Cancelled::Interrupted);
        run.turn = Some(self.turn(job).lock_owned().await);
        self.table().jobs.entry(job).or_default().running = true;
        run
    }

    /// Starts a job after the runs that are already in progress, which continue undisturbed.
    pub async fn queue(&self, job: Job) -> Running {
        let stops = self.stops(job);
        let turn = self.turn(job).lock_owned().await;
        self.begin(job, turn, stops)
    }

    /// Starts a job unless it is already running.
    pub fn try_start(&self, job: Job) -> Option<Running> {
        let stops = self.stops(job);
        let turn = self.turn(job).try_lock_owned().ok()?;
        Some(self.begin(job, turn, stops))
    }

    /// Waits until no run of a job is in progress.
    pub async fn idle(&self, job: Job) {
        drop(self.turn(job).lock_owned().await);
    }

    /// Returns whether a run of a job is in progress.
    pub fn is_running(&self, job: Job) -> bool {
        self.table().jobs.get(&job).is_some_and(|entry| entry.running)
    }

    /// Cancels a job for good: its newest run, and the queued ones.
    pub fn cancel(&self, job: Job) {
        cancel(&mut self.table(), job, Cancelled::Stopped);
    }

    /// Cancels the newest run of a job so that other work can go first.
    pub fn interrupt(&self, job: Job) {
        cancel(&mut self.table(), job, Cancelled::Interrupted);
    }

    /// Cancels all jobs, and every job that starts before [`Self::reopen`].
    pub fn close(&self) {
        let mut table = self.table();
        table.closing = true;
        let jobs: Vec<Job> = table.jobs.keys().copied().collect();
        jobs.into_iter().for_each(|job| cancel(&mut table, job, Cancelled::Stopped));
    }

    /// Allows jobs again after [`Self::close`].
    pub fn reopen(&self) {
        self.table().closing = false;
    }

    /// Cancels all jobs and waits until they have ended, but not longer than `bound`. Returns whether all have ended.
    pub async fn shut_down(&self, bound: Duration) -> bool {
        self.close();
        let all_ended = async {
            loop {
                let ended = self.0.ended.notified();
                tokio::pin!(ended);
                ended.as_mut().enable();
                if self.table().jobs.values().all(|entry| !entry.running) {
                    return;
                }
                ended.await;
            }
        };
        tokio::time::timeout(bound, all_ended).await.is_ok()
    }

    /// Cancels earlier runs and makes a new one the newest, before its turn has come: a later one can cancel it too.
    fn announce(&self, job: Job, reason: Cancelled) -> Running {
        let mut table = self.table();
        cancel(&mut table, job, reason);
        self.add(&mut table, job, false)
    }

    /// `stops`: their number when the run began to wait.
    fn begin(&self, job: Job, turn: OwnedMutexGuard<()>, stops: u64) -> Running {
        let mut table = self.table();
        let entry = table.jobs.entry(job).or_default();
        entry.running = true;
        let stopped = entry.stops != stops;
        let mut run = self.add(&mut table, job, stopped);
        run.turn = Some(turn);
        run
    }

    fn add(&self, table: &mut Table, job: Job, stopped: bool) -> Running {
        table.next_run += 1;
        let (number, token) = (table.next_run, CancellationToken::new());
        let cancelled = (table.closing || stopped).then_some(Cancelled::Stopped);
        if cancelled.is_some() {
            token.cancel();
        }
        table.jobs.entry(job).or_default().newest = Some(Run { number, token: token.clone(), cancelled });
        Running { jobs: self.clone(), job, number, token, turn: None }
    }

    fn turn(&self, job: Job) -> Arc<AsyncMutex<()>> {
        self.table().jobs.entry(job).or_default().turn.clone()
    }

    fn stops(&self, job: Job) -> u64 {
        self.table().jobs.entry(job).or_default().stops
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock()
    }
}

/// The reason and the cancellation are stored together, so no run is ever cancelled without a reason.
fn cancel(table: &mut Table, job: Job, reason: Cancelled) {
    let Some(entry) = table.jobs.get_mut(&job) else { return };
    if reason == Cancelled::Stopped {
        entry.stops += 1;
    }
    if let Some(run) = &mut entry.newest {
        // A stop is final: a later interruption does not revive the run.
        if run.cancelled != Some(Cancelled::Stopped) {
            run.cancelled = Some(reason);
        }
        run.token.cancel();
    }
}

impl Running {
    /// The token that cancels this run.
    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// Returns whether this run was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Completes when this run is cancelled.
    pub async fn cancelled(&self) {
        self.token.cancelled().await;
    }

    /// Returns why this run was cancelled, if it was.
    pub fn why_cancelled(&self) -> Option<Cancelled> {
        if !self.token.is_cancelled() {
            return None;
        }
        let table = self.jobs.table();
        let newest = table.jobs.get(&self.job).and_then(|entry| entry.newest.as_ref());
        // A newer run has replaced this one.
        let own = newest.filter(|run| run.number == self.number);
        own.map_or(Some(Cancelled::Interrupted), |run| run.cancelled)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut table = self.jobs.table();
        if let Some(entry) = table.jobs.get_mut(&self.job) {
            if self.turn.is_some() {
                entry.running = false;
            }
            if entry.newest.as_ref().is_some_and(|run| run.number == self.number) {
                entry.newest = None;
            }
        }
        self.turn = None;
        drop(table);
        self.jobs.0.ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use futures::poll;
    use std::pin::pin;

    #[tokio::test]
    async fn a_new_run_cancels_the_earlier_one_and_waits_for_it() {
        let jobs = Jobs::default();
        let first = jobs.replace(Job::Discovery).await;
        let second = tokio::spawn({
            let jobs = jobs.clone();
            async move { jobs.replace(Job::Discovery).await.is_cancelled() }
        });
        first.cancelled().await;
        assert_eq!(first.why_cancelled(), Some(Cancelled::Interrupted));
        assert!(!second.is_finished(), "one at a time");
        drop(first);
        assert!(!second.await.unwrap());
    }

    #[tokio::test]
    async fn a_run_that_waits_is_cancelled_by_a_newer_one() {
        let jobs = Jobs::default();
        let first = jobs.replace(Job::Comments).await;
        let second = jobs.announce(Job::Comments, Cancelled::Interrupted);
        let third = jobs.announce(Job::Comments, Cancelled::Interrupted);
        assert!(second.is_cancelled() && !third.is_cancelled());
        assert!(jobs.turn(Job::Comments).try_lock().is_err());
        drop(first);
    }

    #[tokio::test]
    async fn the_reason_of_a_cancellation_is_never_lost() {
        let jobs = Jobs::default();
        let run = jobs.queue(Job::Refresh).await;
        assert_eq!(run.why_cancelled(), None);
        jobs.interrupt(Job::Refresh);
        assert_eq!(run.why_cancelled(), Some(Cancelled::Interrupted));
        jobs.cancel(Job::Refresh);
        jobs.interrupt(Job::Refresh);
        assert_eq!(run.why_cancelled(), Some(Cancelled::Stopped), "a stop is final");
    }

    #[tokio::test]
    async fn stopping_a_job_stops_its_queued_runs() {
        let jobs = Jobs::default();
        let first = jobs.queue(Job::Import).await;
        let mut second = pin!(jobs.queue(Job::Import));
        assert!(poll!(&mut second).is_pending());
        jobs.cancel(Job::Import);
        let mut third = pin!(jobs.queue(Job::Import));
        assert!(poll!(&mut third).is_pending());
        drop(first);
        let second = second.await;
        assert_eq!(second.why_cancelled(), Some(Cancelled::Stopped));
        drop(second);
        assert_eq!(third.await.why_cancelled(), None, "it was queued afterwards");
    }

    #[tokio::test]
    async fn a_job_that_runs_is_not_started_twice() {
        let jobs = Jobs::default();
        let run = jobs.try_start(Job::Backfill(1)).unwrap();
        assert!(jobs.try_start(Job::Backfill(1)).is_none());
        assert!(jobs.try_start(Job::Backfill(2)).is_some());
        drop(run);
        assert!(jobs.try_start(Job::Backfill(1)).is_some());
    }

    #[tokio::test]
    async fn a_shutdown_cancels_everything_and_waits_for_it() {
        let jobs = Jobs::default();
        let run = jobs.queue(Job::Index).await;
        let waiting = tokio::spawn({
            let jobs = jobs.clone();
            async move { jobs.shut_down(Duration::from_secs(60)).await }
        });
        run.cancelled().await;
        assert_eq!(run.why_cancelled(), Some(Cancelled::Stopped));
        drop(run);
        assert!(waiting.await.unwrap());
        assert!(jobs.queue(Job::Index).await.is_cancelled(), "nothing starts any more");
        jobs.reopen();
        assert!(!jobs.queue(Job::Index).await.is_cancelled());
    }

    #[tokio::test]
    async fn a_shutdown_does_not_wait_longer_than_its_bound() {
        let jobs = Jobs::default();
        let _stuck = jobs.queue(Job::Import).await;
        assert!(!jobs.shut_down(Duration::ZERO).await);
    }
}
