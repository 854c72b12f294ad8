//! Refreshing, one at a time: what a person asks for goes before what the clock asks for.

use crate::{
    convert, events, notifications,
    shell::{Core, Shell},
};
use gleaner_contract::{IpcError, RefreshProgress};
use gleaner_inspect::Told;
use gleaner_library::{Millis, Poll, now};
use gleaner_polling::{Inspected, Progress, Scope};
use std::{
    sync::{MutexGuard, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};
use tauri::{AppHandle, Manager as _};
use tokio_util::sync::CancellationToken;

/// Feeds may become due by other hands (another process): look at least so often.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// The window hears of progress at most so often.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// And looks for new articles at most so often.
const SHOW_EVERY: Duration = Duration::from_millis(700);

/// Starts a refresh that a person asked for; its end comes as an event. One that runs is interrupted, and goes on afterwards.
pub fn start(app: AppHandle, scope: Scope) {
    interrupt(&app);
    tauri::async_runtime::spawn(async move {
        if let Err(error) = run(&app, scope, true).await {
            eprintln!("gleaner: {}", error.message);
            events::library_changed(&app, true, true);
        }
    });
}

/// Asks a feed as by hand for its whole document, and gives what that says; `None` where it was not asked, or no feed came.
pub async fn inspect(app: &AppHandle, feed: i64) -> Result<Option<(Millis, Told)>, IpcError> {
    interrupt(app);
    let told = {
        let shell = app.state::<Shell>();
        let _one_at_a_time = shell.refreshing.lock().await;
        let core = shell.core().await?;
        let cancel = shell.refresh.begin();
        shell.interrupted.store(false, Ordering::SeqCst);
        let inspected = once(app, &core, Work::Inspect(feed), cancel, true).await?;
        shell.keeping_due.notify_one();
        inspected.told
    };
    let left = std::mem::take(&mut *left_over(&app.state::<Shell>()));
    if !left.is_empty() {
        start(app.clone(), Scope::Feeds(left));
    }
    Ok(told)
}

/// Stops what runs, to go on afterwards.
fn interrupt(app: &AppHandle) {
    let shell = app.state::<Shell>();
    shell.interrupted.store(true, Ordering::SeqCst);
    shell.refresh.cancel();
}

/// Stops what runs, for good.
pub fn stop(shell: &Shell) {
    shell.interrupted.store(false, Ordering::SeqCst);
    left_over(shell).clear();
    shell.refresh.cancel();
}

fn left_over(shell: &Shell) -> MutexGuard<'_, Vec<i64>> {
    shell.left_over.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Refreshes, and then what earlier ones left over. Says how many feeds were asked.
async fn run(app: &AppHandle, scope: Scope, by_hand: bool) -> Result<usize, IpcError> {
    let shell = app.state::<Shell>();
    let _one_at_a_time = shell.refreshing.lock().await;
    let core = shell.core().await?;
    let (mut next, mut asked) = (Some(scope), 0);
    while let Some(scope) = next.take() {
        let cancel = shell.refresh.begin();
        shell.interrupted.store(false, Ordering::SeqCst);
        let begun = now();
        let summary = once(app, &core, Work::Refresh(scope.clone()), cancel, by_hand).await?.summary;
        asked += summary.asked;
        shell.keeping_due.notify_one();
        if !summary.cancelled {
            let left = std::mem::take(&mut *left_over(&shell));
            next = Some(Scope::Feeds(left)).filter(|scope| *scope != Scope::Feeds(Vec::new()));
        } else if shell.interrupted.load(Ordering::SeqCst) {
            let left = not_asked(&core, &scope, begun).await?;
            left_over(&shell).extend(left);
        }
    }
    Ok(asked)
}

/// The feeds of a scope that were not asked since it was begun.
async fn not_asked(core: &Core, scope: &Scope, begun: Millis) -> Result<Vec<i64>, IpcError> {
    let polls = core.library.polls().await.map_err(convert::library_error)?;
    let meant = |poll: &Poll| match scope {
        Scope::All => true,
        Scope::Due => poll.next_at.is_some_and(|next| next <= begun),
        Scope::Feeds(ids) => ids.contains(&poll.feed_id),
    };
    let left = polls.iter().filter(|poll| meant(poll) && poll.checked_at.is_none_or(|checked| checked < begun));
    Ok(left.map(|poll| poll.feed_id).collect())
}

/// What is done in one go.
enum Work {
    Refresh(Scope),
    Inspect(i64),
}

async fn once(
    app: &AppHandle,
    core: &Core,
    work: Work,
    cancel: CancellationToken,
    by_hand: bool,
) -> Result<Inspected, IpcError> {
    let shell = app.state::<Shell>();
    let (mut told, mut shown) = (None::<Instant>, None::<Instant>);
    let mut tell = |progress: RefreshProgress, at_once: bool| {
        if at_once || told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
            told = Some(Instant::now());
            *shell.refresh_progress.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(progress.clone()).filter(|progress| progress.running);
            events::emit(app, "refresh_progress", progress);
        }
    };
    let mut changed = 0;
    let heard = |progress: Progress| {
        // The clock's round says nothing until it has something to ask.
        if by_hand || progress.total > 0 {
            tell(running(&progress), false);
        }
        if progress.new + progress.changed > changed && shown.is_none_or(|shown| shown.elapsed() >= SHOW_EVERY) {
            changed = progress.new + progress.changed;
            shown = Some(Instant::now());
            events::library_changed(app, false, true);
        }
    };
    let done = match work {
        Work::Refresh(scope) => {
            let done = core.poller.refresh(scope, cancel, heard).await;
            done.map(|summary| Inspected { summary, told: None })
        }
        Work::Inspect(feed) => core.poller.inspect(feed, cancel, heard).await,
    };
    let summary = done.as_ref().map(|done| done.summary.clone()).unwrap_or_default();
    let end = RefreshProgress {
        running: false,
        done: convert::count(summary.asked),
        total: convert::count(summary.feeds - summary.skipped),
        new_articles: convert::count(summary.items_new),
        failed: convert::count(summary.failed),
        waiting: convert::count(summary.skipped - summary.limited),
        limited: convert::count(summary.limited),
        limited_until: summary.limited_until,
        cancelled: summary.cancelled,
        elsewhere: summary.elsewhere,
    };
    if by_hand || summary.asked > 0 || done.is_err() {
        tell(end, true);
        events::library_changed(app, true, true);
    }
    notifications::tell(app, core, &summary.notify).await;
    done.map_err(convert::poll_error)
}

fn running(progress: &Progress) -> RefreshProgress {
    RefreshProgress {
        running: true,
        done: convert::count(progress.done),
        total: convert::count(progress.total),
        new_articles: convert::count(progress.new),
        failed: convert::count(progress.failed),
        waiting: 0,
        limited: 0,
        limited_until: None,
        cancelled: false,
        elsewhere: false,
    }
}

/// Polls what is due, for as long as the window is open and the user wishes it.
pub fn poll_by_itself(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        loop {
            let wait = round(&app).await;
            let shell = app.state::<Shell>();
            let changed = &shell.polling_changed;
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = changed.notified() => {}
            }
        }
    });
}

/// One round, and how long to wait for the next.
async fn round(app: &AppHandle) -> Duration {
    let shell = app.state::<Shell>();
    let Ok(core) = shell.core().await else { return LOOK_EVERY };
    let held = release_held(app, &core).await.unwrap_or(Millis::MAX);
    match crate::commands::settings::read(&core).await {
        Ok(settings) if settings.refresh_automatically => {}
        _ => return until(held),
    }
    let next = core.library.next_poll_at().await.ok().flatten().unwrap_or(i64::MAX);
    // Whoever wants the library closed waits until nobody holds it, and `run` waits for them.
    drop(core);
    if next <= now() {
        match run(app, Scope::Due, false).await {
            // Due, but its server wants to be left alone, or another process polls: nothing to hurry for.
            Ok(0) => return LOOK_EVERY,
            Ok(_) => {}
            Err(error) => {
                eprintln!("gleaner: {}", error.message);
                return LOOK_EVERY;
            }
        }
    }
    until(next.min(held))
}

fn until(moment: Millis) -> Duration {
    let wait = moment.saturating_sub(now()).max(0).unsigned_abs();
    Duration::from_millis(wait).clamp(Duration::from_secs(5), LOOK_EVERY)
}

/// Shows the articles whose date has come, and says when the next one's does.
async fn release_held(app: &AppHandle, core: &Core) -> Option<Millis> {
    match core.library.release_held(now()).await {
        Ok(released) if released.new == 0 => {}
        Ok(released) => {
            events::library_changed(app, false, true);
            notifications::tell(app, core, &released.notify).await;
        }
        Err(error) => eprintln!("gleaner: {error}"),
    }
    core.library.next_held_at().await.ok().flatten()
}
