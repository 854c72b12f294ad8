//! Feeds' icons, fetched behind the reader's back: after refreshes, where the reader wishes to see them.

use crate::{commands::settings, convert, events, shell::Shell};
use gleaner_contract::{IpcError, LibraryChanged};
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager as _};

/// Sites may be asked again, or another process be done polling: look at least so often.
const LOOK_EVERY: Duration = Duration::from_secs(3600);
/// The window draws new ones at most so often.
const SHOW_EVERY: Duration = Duration::from_secs(2);

/// Looks for icons whenever feeds may have come, for as long as the window is open.
pub fn follow(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let shell = app.state::<Shell>();
        loop {
            tokio::select! {
                () = shell.icons_wanted.notified() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            if let Err(error) = round(&app).await {
                eprintln!("gleaner: feeds' icons: {}", error.message);
            }
        }
    });
}

async fn round(app: &AppHandle) -> Result<(), IpcError> {
    let shell = app.state::<Shell>();
    // Feeds go first.
    drop(shell.refreshing.lock().await);
    let core = shell.core().await?;
    if !settings::read(&core).await?.fetches_icons() {
        return Ok(());
    }
    // Told to the window only: what is known of feeds is the same, and nothing is to be fetched for that.
    let show = || events::emit(app, "library_changed", LibraryChanged { structure: true, articles: false });
    let (mut shown, mut shown_at) = (0, Instant::now());
    let done = core.poller.icons(shell.icons.begin(), |so_far| {
        if so_far.came > shown && shown_at.elapsed() >= SHOW_EVERY {
            (shown, shown_at) = (so_far.came, Instant::now());
            show();
        }
    });
    if done.await.map_err(convert::poll_error)?.came > shown {
        show();
    }
    Ok(())
}
