//! Feeds' icons, fetched behind the reader's back: after refreshes, where the reader wishes to see them.

use crate::{commands::settings, convert, events, shell::Shell};
use gleaner_contract::{IpcError, LibraryChanged};
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager as _};

/// Sites may be asked again, or another process be done polling: look at least so often.
const LOOK_EVERY: Duration = Duration::from_secs(3600);
/// Others may poll between one round and the rest of it.
const GO_ON_AFTER: Duration = Duration::from_secs(60);
/// The window draws new ones at most so often.
const SHOW_EVERY: Duration = Duration::from_secs(2);

/// Looks for icons whenever feeds may have come, for as long as the window is open.
pub fn follow(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let shell = app.state::<Shell>();
        let mut wait = LOOK_EVERY;
        loop {
            tokio::select! {
                () = shell.icons_wanted.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
            let more = round(&app).await.unwrap_or_else(|error| {
                eprintln!("gleaner: feeds' icons: {}", error.message);
                false
            });
            wait = if more { GO_ON_AFTER } else { LOOK_EVERY };
        }
    });
}

/// One round; says whether there is more to ask for than one has time for.
async fn round(app: &AppHandle) -> Result<bool, IpcError> {
    let shell = app.state::<Shell>();
    // Feeds go first.
    drop(shell.refreshing.lock().await);
    let core = shell.core().await?;
    // Before the wish is looked at: whoever takes it back from here on stops this round.
    let cancel = shell.icons.begin();
    if !settings::read(&core).await?.fetches_icons() {
        return Ok(false);
    }
    // Told to the window only: what is known of feeds is the same, and nothing is to be fetched for that.
    let show = || events::emit(app, "library_changed", LibraryChanged { structure: true, articles: false });
    let (mut shown, mut shown_at) = (0, Instant::now());
    let done = core.poller.icons(cancel, |so_far| {
        if so_far.came > shown && shown_at.elapsed() >= SHOW_EVERY {
            (shown, shown_at) = (so_far.came, Instant::now());
            show();
        }
    });
    let done = done.await.map_err(convert::poll_error)?;
    if done.came > shown {
        show();
    }
    Ok(done.more)
}
