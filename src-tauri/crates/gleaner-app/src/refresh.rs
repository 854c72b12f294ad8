//! Refreshing, one run at a time. Requests of the user come before scheduled checks.

use crate::{
    App, Core,
    error::{AppError, Result},
    events::throttle,
    index,
    jobs::{Cancelled, Job, Running},
    notifications,
    numbers::to_number,
    retention, settings, sync,
};
use gleaner_contract::{Event, RefreshProgress, RefreshScope};
use gleaner_inspect::FlatReport;
use gleaner_library::{Millis, now};
use gleaner_polling::{Inspected, Progress, Scope, Summary, schedule, secrets};
use parking_lot::Mutex;
use std::{pin::pin, sync::atomic::Ordering, time::Duration};

/// Another process may make feeds due, so the clock is checked at least this often.
const CHECK_EVERY: Duration = Duration::from_secs(60);
/// A minute, in milliseconds.
const MINUTE: Millis = 60_000;
/// Minimum time between two progress events.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// Minimum time between two updates of the list during a refresh.
const SHOW_EVERY: Duration = Duration::from_millis(700);

/// Shows the articles of a feed whose first document was stored when subscribing, like after a refresh.
pub(crate) async fn first(app: &App, summary: &Summary) -> Result<()> {
    let core = app.core().await?;
    app.library_changed(true, true);
    app.signals().retention.notify_one();
    notifications::request(app, &core, &summary.notify, &summary.searches).await;
    Ok(())
}

/// Starts a refresh that the user asked for. A refresh in progress is interrupted and continues afterwards.
pub(crate) fn start(app: &App, scope: Scope) {
    secrets::ask_again();
    app.session().refresh.rest.end();
    app.jobs().interrupt(Job::Refresh);
    spawn(app, scope, true);
}

fn spawn(app: &App, scope: Scope, by_hand: bool) {
    let task = app.clone();
    app.spawn(async move {
        if let Err(error) = run(&task, scope, by_hand).await {
            tracing::warn!(%error, "refresh failed");
            task.library_changed(true, true);
            if by_hand {
                task.emit(Event::RefreshFailed(error.ipc));
            }
        }
    });
}

/// Downloads one feed on request, in full, and returns the report on it. Returns `None` if the feed may not be requested
/// now, or if the response is not a feed.
pub(crate) async fn inspect(app: &App, feed: i64) -> Result<Option<(Millis, FlatReport)>> {
    secrets::ask_again();
    app.jobs().interrupt(Job::Refresh);
    let inspected = {
        let job = app.jobs().queue(Job::Refresh).await;
        once(app, Work::Inspect(feed), &job, true).await
    };
    resume(app);
    app.signals().retention.notify_one();
    Ok(inspected?.report)
}

/// Starts the rest of interrupted refreshes.
fn resume(app: &App) {
    let next = app.session().refresh.left.lock().take();
    if let Some((scope, by_hand)) = next {
        spawn(app, scope, by_hand);
    }
}

/// Refreshes a scope, and then the rest of interrupted refreshes. Returns the number of feeds polled.
async fn run(app: &App, scope: Scope, by_hand: bool) -> Result<usize> {
    let (mut next, mut requested) = (Some((scope, by_hand)), 0);
    while let Some((scope, by_hand)) = next.take() {
        let job = app.jobs().queue(Job::Refresh).await;
        // Cancelled while it was queued.
        if job.why_cancelled() == Some(Cancelled::Stopped) {
            break;
        }
        let done = once(app, Work::Refresh(scope.clone()), &job, by_hand).await;
        if done.is_err() {
            resume(app);
        }
        let summary = done?.summary;
        requested += summary.requested;
        app.signals().retention.notify_one();
        let mut left = app.session().refresh.left.lock();
        if !summary.cancelled {
            next = left.take();
        } else if job.why_cancelled() == Some(Cancelled::Interrupted) {
            left.add(&scope, summary.remaining);
        }
    }
    Ok(requested)
}

/// Maximum time for indexing new articles in [`finish`]; the next search or the window indexes the rest.
const INDEX_WITHIN: Duration = Duration::from_millis(250);
/// Maximum number of new articles for which that time is useful.
const WORTH_INDEXING: usize = 1500;

/// Polls feeds once, in a program without background work. [`finish`] must be called afterwards.
///
/// # Errors
/// When the library cannot be read or written. Errors of single feeds are stored with them.
pub async fn poll(app: &App, scope: Scope, progress: impl FnMut(Progress)) -> Result<Summary> {
    let job = app.jobs().queue(Job::Refresh).await;
    Ok(app.core().await?.poller()?.refresh(scope, job.token(), progress).await?)
}

/// Indexes the new articles of a refresh and cleans up after it. Returns the errors of both, which do not make the refresh fail.
pub async fn finish(app: &App, summary: &Summary) -> (Result<()>, Result<()>) {
    let indexed = match summary.items_new + summary.items_changed {
        1..=WORTH_INDEXING => index::update_index(app, INDEX_WITHIN, true).await,
        _ => Ok(()),
    };
    let cleaned_up = if summary.cancelled { Ok(()) } else { retention::clean_up(app).await };
    (indexed, cleaned_up)
}

/// Starts a refresh that the user asked for.
pub async fn refresh(app: &App, args: RefreshScope) -> Result<()> {
    let scope = match args {
        RefreshScope::All => Scope::All,
        RefreshScope::Feed { id } => Scope::Feeds(vec![id]),
        RefreshScope::Feeds { ids } => Scope::Feeds(ids),
        RefreshScope::Folder { id } => Scope::Feeds(app.core().await?.library.polls().feeds_in_folder(id).await?),
    };
    // Accounts on servers are synchronised, and all other feeds are polled.
    sync::start(app);
    start(app, scope);
    Ok(())
}

/// Stops refreshing. Due feeds are then not polled for some time, unless the user refreshes. If the user had refreshed a single feed, only
/// that refresh ends.
pub async fn cancel_refresh(app: &App, (): ()) -> Result<()> {
    if !app.session().refresh.is_of_one_feed.load(Ordering::Relaxed) {
        app.session().refresh.rest.begin();
    }
    *app.session().refresh.left.lock() = Default::default();
    app.jobs().cancel(Job::Refresh);
    Ok(())
}

/// The work of one run.
enum Work {
    Refresh(Scope),
    Inspect(i64),
}

/// Sends the progress of a refresh, and what it has changed, at limited rates.
struct Display<'a> {
    app: &'a App,
    by_hand: bool,
    may_report: Box<dyn FnMut() -> bool + Send>,
    may_show: Box<dyn FnMut() -> bool + Send>,
    latest: Progress,
    reported: Progress,
    shown: Progress,
}

impl<'a> Display<'a> {
    fn new(app: &'a App, by_hand: bool) -> Self {
        let (may_report, may_show) = (Box::new(throttle(REPORT_EVERY)), Box::new(throttle(SHOW_EVERY)));
        let (latest, reported, shown) = Default::default();
        Self { app, by_hand, may_report, may_show, latest, reported, shown }
    }

    fn update(&mut self, progress: Progress) {
        self.latest = progress;
        self.send();
    }

    /// Sends what has changed since it was last sent.
    fn send(&mut self) {
        let Progress { total, new, changed, named, .. } = self.latest;
        // An automatic check is silent unless a feed is due.
        if self.latest != self.reported && (self.by_hand || total > 0) && (self.may_report)() {
            self.reported = self.latest.clone();
            report(self.app, running(&self.latest));
        }
        let (articles, names) = (new + changed > self.shown.new + self.shown.changed, named > self.shown.named);
        if (articles || names) && (self.may_show)() {
            self.shown = self.latest.clone();
            self.app.library_changed(names, articles);
        }
    }
}

fn report(app: &App, progress: RefreshProgress) {
    *app.session().refresh.progress.lock() = Some(progress.clone()).filter(|progress| progress.running);
    app.emit(Event::RefreshProgress(progress));
}

async fn once(app: &App, work: Work, job: &Running, by_hand: bool) -> Result<Inspected> {
    let is_of_one_feed = match &work {
        Work::Refresh(scope) => by_hand && matches!(scope, Scope::Feeds(ids) if ids.len() == 1),
        Work::Inspect(_) => true,
    };
    app.session().refresh.is_of_one_feed.store(is_of_one_feed, Ordering::Relaxed);
    let core = app.core().await?;
    let display = Mutex::new(Display::new(app, by_hand));
    let on_progress = |progress: Progress| display.lock().update(progress);
    let poller = core.poller()?;
    let mut polling = pin!(async {
        match work {
            Work::Refresh(scope) => {
                let done = poller.refresh(scope, job.token(), on_progress).await;
                done.map(|summary| Inspected { summary, report: None })
            }
            Work::Inspect(feed) => poller.inspect(feed, job.token(), on_progress).await,
        }
    });
    let done = loop {
        tokio::select! {
            done = &mut polling => break done,
            // A change too soon after the last report would otherwise wait for the next feed, which may not respond.
            () = tokio::time::sleep(SHOW_EVERY) => display.lock().send(),
        }
    };
    let done = done.map_err(AppError::from);
    let error = done.as_ref().err().map(|error| error.ipc.clone());
    let summary = done.as_ref().map(|done| done.summary.clone()).unwrap_or_default();
    let end = RefreshProgress {
        running: false,
        done: to_number(summary.requested),
        total: to_number(summary.feeds - summary.skipped),
        new_articles: to_number(summary.items_new),
        failed: to_number(summary.failed),
        offline: summary.offline > 0 && summary.offline == summary.failed,
        deferred_by_server: to_number(summary.skipped - summary.limited - summary.silent - summary.unsupported),
        throttled: to_number(summary.limited),
        throttled_until: summary.limited_until,
        cancelled: summary.cancelled,
        other_process: summary.other_process,
        waiting_for: Vec::new(),
        error,
    };
    // If progress was reported, its end is reported, too.
    if by_hand || summary.requested > 0 || done.is_err() || app.session().refresh.progress().is_some() {
        report(app, end);
        app.library_changed(true, true);
    }
    notifications::request(app, &core, &summary.notify, &summary.searches).await;
    done
}

fn running(progress: &Progress) -> RefreshProgress {
    RefreshProgress {
        running: true,
        done: to_number(progress.done),
        total: to_number(progress.total),
        new_articles: to_number(progress.new),
        failed: to_number(progress.failed),
        offline: false,
        deferred_by_server: 0,
        throttled: 0,
        throttled_until: None,
        cancelled: false,
        other_process: false,
        waiting_for: progress.waiting_for.clone(),
        error: None,
    }
}

/// Polls due feeds while automatic refresh is on.
pub(crate) async fn poll_automatically(app: App) {
    loop {
        let wait = round(&app).await;
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = app.signals().polling.notified() => {}
        }
    }
}

/// Polls once. Returns how long to wait for the next time.
async fn round(app: &App) -> Duration {
    let Ok(core) = app.core().await else { return CHECK_EVERY };
    let scheduled = release_scheduled(app, &core).await.unwrap_or(Millis::MAX);
    match settings::of(&core.library).await {
        Ok(settings) if settings.refresh_automatically => {}
        _ => {
            show_next(app, Millis::MAX);
            return until(scheduled);
        }
    }
    let next = next_due(core.library.polls().next_at().await.ok().flatten(), now());
    // Closing the library waits for all of its users, and `run` may wait for the closing. So this must not hold it.
    drop(core);
    // A due feed may have to wait for a server.
    show_next(app, if next > now() { next } else { Millis::MAX });
    if next <= now() {
        let rest = app.session().refresh.rest.remaining();
        let wait = if rest.is_zero() { app.session().saving.refresh_in() } else { rest };
        if !wait.is_zero() {
            show_next(app, now().saturating_add(Millis::try_from(wait.as_millis()).unwrap_or(Millis::MAX)));
            return wait.min(until(scheduled));
        }
        match run(app, Scope::Due, false).await {
            // The server asks to wait, or another process polls.
            Ok(0) => return CHECK_EVERY,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(%error, "automatic refresh failed");
                return CHECK_EVERY;
            }
        }
    }
    until(next.min(scheduled))
}

/// Shows in the tray when feeds are checked next; [`Millis::MAX`] for never.
fn show_next(app: &App, at: Millis) {
    let minute = Some(at - at % MINUTE).filter(|_| at < Millis::MAX);
    if std::mem::replace(&mut *app.session().refresh.next.lock(), minute) != minute {
        app.signals().tray.notify_one();
    }
}

/// Returns when to poll next. A time beyond all intervals was computed before the clock was set back, and is due.
fn next_due(next: Option<Millis>, now: Millis) -> Millis {
    next.map_or(Millis::MAX, |next| if next > now.saturating_add(schedule::MAX_INTERVAL) { now } else { next })
}

fn until(moment: Millis) -> Duration {
    let wait = moment.saturating_sub(now()).max(0).unsigned_abs();
    Duration::from_millis(wait).clamp(Duration::from_secs(5), CHECK_EVERY)
}

/// Shows the scheduled articles whose date has come. Returns the date of the next one.
async fn release_scheduled(app: &App, core: &Core) -> Option<Millis> {
    match core.library.scheduled().release_due(now()).await {
        Ok(released) if released.new == 0 => {}
        Ok(released) => {
            app.library_changed(false, true);
            notifications::request(app, core, &released.notify, &released.searches).await;
        }
        Err(error) => tracing::warn!(%error, "scheduled articles could not be shown"),
    }
    core.library.scheduled().next_at().await.ok().flatten()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use futures::poll;
    use gleaner_library::NewSubscription;
    use gleaner_testserver::{Reply, Server};
    use std::{path::Path, sync::Arc};
    use tokio::{
        runtime::Handle,
        sync::{
            Notify,
            mpsc::{UnboundedReceiver, unbounded_channel},
        },
    };

    /// An app with a feed of a server, and what it reports about refreshes.
    async fn with_feed(folder: &Path, server: &Server) -> (App, UnboundedReceiver<RefreshProgress>) {
        let app = App::without_window(folder.to_owned(), Handle::current());
        let new = NewSubscription::new(server.url("/feed.xml"));
        app.core().await.unwrap().library.subscriptions().add(&new).await.unwrap();
        let (sender, progress) = unbounded_channel();
        app.events().subscribe(move |event| {
            if let Event::RefreshProgress(progress) = event {
                sender.send(progress.clone()).unwrap();
            }
        });
        (app, progress)
    }

    /// Makes the server never respond, and returns a notifier of requests.
    fn hang(server: &Server) -> Arc<Notify> {
        let requested = Arc::new(Notify::new());
        let notified = requested.clone();
        server.on_request("/feed.xml", move |_| {
            notified.notify_one();
            Reply::status(200).hang_before_head()
        });
        requested
    }

    #[tokio::test]
    async fn cancelling_the_refresh_of_one_feed_leaves_the_automatic_ones() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let (app, mut progress) = with_feed(folder.path(), &server).await;
        let feed = app.core().await.unwrap().library.feeds().list().await.unwrap()[0].id;
        let requested = hang(&server);
        start(&app, Scope::Feeds(vec![feed]));
        requested.notified().await;
        cancel_refresh(&app, ()).await.unwrap();
        while progress.recv().await.unwrap().running {}
        assert_eq!(app.session().refresh.rest.remaining(), Duration::ZERO);
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn an_automatic_refresh_that_is_cancelled_ends_and_does_not_start_again() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let (app, mut progress) = with_feed(folder.path(), &server).await;
        let requested = hang(&server);
        let refreshing = tokio::spawn({
            let app = app.clone();
            async move { round(&app).await }
        });
        assert!(progress.recv().await.unwrap().running);
        requested.notified().await;
        cancel_refresh(&app, ()).await.unwrap();
        refreshing.await.unwrap();
        let mut end = progress.try_recv().unwrap();
        while let Ok(later) = progress.try_recv() {
            end = later;
        }
        assert!(end.cancelled && !end.running);
        assert_eq!(app.session().refresh.progress(), None);

        server.on("/feed.xml", Reply::ok("<rss version='2.0'><channel><title>Rye</title></channel></rss>"));
        server.forget_requests();
        round(&app).await;
        assert!(server.requests().is_empty(), "it is due, but the user cancelled it");
        // The user can refresh, and automatic refreshes continue.
        start(&app, Scope::All);
        assert_eq!(app.session().refresh.rest.remaining(), Duration::ZERO);
        while progress.recv().await.unwrap().running {}
        assert_eq!(server.requests_to("/feed.xml").len(), 1);
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn a_refresh_that_waits_for_another_is_cancelled_with_it() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let (app, mut progress) = with_feed(folder.path(), &server).await;
        let first = app.jobs().queue(Job::Refresh).await;
        let mut second = pin!(run(&app, Scope::Due, false));
        assert!(poll!(&mut second).is_pending());
        cancel_refresh(&app, ()).await.unwrap();
        drop(first);
        assert_eq!(second.await.unwrap(), 0);
        assert!(progress.try_recv().is_err() && server.requests().is_empty());
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn what_an_inspection_interrupts_continues_even_if_it_fails() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let (app, mut progress) = with_feed(folder.path(), &server).await;
        app.session().refresh.left.lock().add(&Scope::All, vec![1]);
        let error = inspect(&app, 9).await.unwrap_err();
        assert_eq!(progress.recv().await.unwrap().error, Some(error.ipc), "the window says why it ended");
        assert_eq!(app.session().refresh.left.lock().take(), None);
        app.quit().await.unwrap();
    }

    #[test]
    fn feeds_are_polled_after_the_clock_was_set_back() {
        let (now, hour, years) = (1_800_000_000_000, 3_600_000, 100_000_000_000);
        assert_eq!(next_due(Some(now + hour), now), now + hour);
        assert_eq!(next_due(Some(now - hour), now), now - hour);
        assert_eq!(next_due(Some(now + schedule::MAX_INTERVAL), now), now + schedule::MAX_INTERVAL);
        assert_eq!(next_due(Some(now + years), now), now);
        assert_eq!(next_due(None, now), Millis::MAX, "without feeds");
    }
}
