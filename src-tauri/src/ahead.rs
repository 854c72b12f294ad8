//! Fetching ahead, behind the reader's back: after refreshes, one round at a time.

use crate::{convert, events, shell::Shell};
use gleaner_contract::{AheadProgress, IpcError};
use gleaner_library::now;
use gleaner_polling::Ahead;
use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};
use tauri::{AppHandle, Manager as _};

/// What waits may become due by other hands (another process), or the machine be online again: look at least so often.
const LOOK_EVERY: Duration = Duration::from_secs(300);
/// The window hears of progress at most so often.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// Fetches what is wished whenever something may have come in or become due, for as long as the window is open.
pub fn follow(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        loop {
            let wait = match round(&app).await {
                Ok(wait) => wait,
                Err(error) => {
                    eprintln!("gleaner: fetching ahead: {}", error.message);
                    events::emit(&app, "ahead_progress", told(&Ahead::default(), false));
                    LOOK_EVERY
                }
            };
            let shell = app.state::<Shell>();
            tokio::select! {
                () = shell.ahead_wanted.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    });
}

/// One round, and how long to wait for the next.
async fn round(app: &AppHandle) -> Result<Duration, IpcError> {
    let shell = app.state::<Shell>();
    // What a refresh brings is fetched at its end.
    drop(shell.refreshing.lock().await);
    let core = shell.core().await?;
    let cancel = shell.ahead.begin();
    let mut told_at = None::<Instant>;
    let mut any = false;
    let done = core.poller.ahead(cancel, |so_far| {
        shell.ahead_running.store(true, Ordering::SeqCst);
        any = true;
        if told_at.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
            told_at = Some(Instant::now());
            events::emit(app, "ahead_progress", told(so_far, true));
        }
    });
    let done = done.await;
    shell.ahead_running.store(false, Ordering::SeqCst);
    if any {
        // What came is searched, too.
        shell.index_behind.notify_one();
        let end = done.as_ref().cloned().unwrap_or_default();
        events::emit(app, "ahead_progress", told(&end, false));
    }
    let done = done.map_err(convert::poll_error)?;
    if done.offline || done.elsewhere || done.paused || done.cancelled {
        return Ok(LOOK_EVERY);
    }
    let next = core.library.next_ahead_at().await.map_err(convert::library_error)?;
    let wait = next.map_or(LOOK_EVERY, |next| Duration::from_millis(next.saturating_sub(now()).max(0).unsigned_abs()));
    Ok(wait.clamp(Duration::from_secs(5), LOOK_EVERY))
}

fn told(ahead: &Ahead, running: bool) -> AheadProgress {
    AheadProgress {
        running,
        texts: convert::count(ahead.texts),
        pictures: convert::count(ahead.pictures),
        failed: convert::count(ahead.failed),
        left: convert::count(ahead.left),
        offline: ahead.offline,
        elsewhere: ahead.elsewhere,
    }
}
