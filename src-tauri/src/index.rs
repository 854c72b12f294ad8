//! The search index follows what comes in, behind the reader's back: one at a time, and never beside a refresh.

use crate::{convert, events, shell::Shell};
use gleaner_contract::IpcError;
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager as _};

/// The window hears how much is left at most so often.
const TELL_EVERY: Duration = Duration::from_millis(500);

/// Takes in what the index has not seen whenever something may have come, for as long as the window is open.
pub fn follow(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let shell = app.state::<Shell>();
        loop {
            shell.index_behind.notified().await;
            // What a refresh brings is taken in at its end.
            drop(shell.refreshing.lock().await);
            if let Err(error) = catch_up(&app).await {
                eprintln!("gleaner: the search index: {}", error.message);
            }
        }
    });
}

async fn catch_up(app: &AppHandle) -> Result<(), IpcError> {
    let shell = app.state::<Shell>();
    let library = shell.core().await?.library;
    let _until_done = shell.indexing.lock().await;
    let cancel = shell.index.begin();
    let waiting = library.index_state().await.map_err(convert::library_error)?.waiting;
    let mut told = Instant::now();
    let done = gleaner_search::catch_up(&library, |done| {
        if told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            events::emit(app, "index_progress", (waiting - convert::count(done)).max(0));
        }
        if shell.refreshing.try_lock().is_err() {
            // The rest comes after it.
            shell.index_behind.notify_one();
            return false;
        }
        !cancel.is_cancelled()
    });
    if done.await.map_err(convert::search_error)? > 0 {
        let left = library.index_state().await.map_err(convert::library_error)?.waiting;
        events::emit(app, "index_progress", left);
        shell.collections_changed.notify_one();
    }
    Ok(())
}
