//! Refreshing, one at a time: what a person asks for goes before what the clock asks for.

use crate::{convert, events, shell::Shell};
use gleaner_contract::{IpcError, RefreshProgress};
use gleaner_library::now;
use gleaner_polling::{Progress, Scope};
use std::{
    sync::PoisonError,
    time::{Duration, Instant},
};
use tauri::{AppHandle, Manager as _};

/// Feeds may become due by other hands (another process): look at least so often.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// The window hears of progress at most so often.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// And looks for new articles at most so often.
const SHOW_EVERY: Duration = Duration::from_millis(700);

/// Starts a refresh that a person asked for; its end comes as an event.
pub fn start(app: AppHandle, scope: Scope) {
    app.state::<Shell>().refresh.cancel();
    tauri::async_runtime::spawn(async move {
        if let Err(error) = run(&app, scope, true).await {
            eprintln!("gleaner: {}", error.message);
            events::library_changed(&app, true, true);
        }
    });
}

async fn run(app: &AppHandle, scope: Scope, by_hand: bool) -> Result<(), IpcError> {
    let shell = app.state::<Shell>();
    let _one_at_a_time = shell.refreshing.lock().await;
    let cancel = shell.refresh.begin();
    let core = shell.core().await?;
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
    let done = core
        .poller
        .refresh(scope, cancel, |progress| {
            // The clock's round says nothing until it has something to ask.
            if by_hand || progress.total > 0 {
                tell(running(&progress), false);
            }
            if progress.new + progress.changed > changed && shown.is_none_or(|shown| shown.elapsed() >= SHOW_EVERY) {
                changed = progress.new + progress.changed;
                shown = Some(Instant::now());
                events::library_changed(app, false, true);
            }
        })
        .await;
    let summary = done.as_ref().cloned().unwrap_or_default();
    let end = RefreshProgress {
        running: false,
        done: count(summary.asked),
        total: count(summary.feeds - summary.skipped),
        new_articles: count(summary.items_new),
        failed: count(summary.failed),
        waiting: count(summary.skipped),
        cancelled: summary.cancelled,
        elsewhere: summary.elsewhere,
    };
    if by_hand || summary.asked > 0 {
        tell(end, true);
        events::library_changed(app, true, true);
    }
    done.map(|_| ()).map_err(convert::poll_error)
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn running(progress: &Progress) -> RefreshProgress {
    RefreshProgress {
        running: true,
        done: count(progress.done),
        total: count(progress.total),
        new_articles: count(progress.new),
        failed: count(progress.failed),
        waiting: 0,
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
    match crate::commands::settings::read(&core).await {
        Ok(settings) if settings.refresh_automatically => {}
        _ => return LOOK_EVERY,
    }
    let next = core.library.next_poll_at().await.ok().flatten().unwrap_or(i64::MAX);
    if next <= now()
        && let Err(error) = run(app, Scope::Due, false).await
    {
        eprintln!("gleaner: {}", error.message);
        return LOOK_EVERY;
    }
    let wait = next.saturating_sub(now()).max(0).unsigned_abs();
    Duration::from_millis(wait).clamp(Duration::from_secs(5), LOOK_EVERY)
}
