//! What is more than the reader wishes to keep goes by itself: after each refresh, and from time to time while the window is open.

use crate::{convert, events, shell::Shell};
use gleaner_contract::IpcError;
use gleaner_library::now;
use std::time::Duration;
use tauri::{AppHandle, Manager as _};

/// Not while the window opens.
const FIRST_AFTER: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_secs(3600);

/// Lets go of what is to go, and deletes what went a day ago, for as long as the window is open.
pub fn keep(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let shell = app.state::<Shell>();
        let mut wait = FIRST_AFTER;
        loop {
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = shell.keeping_due.notified() => {}
            }
            wait = LOOK_EVERY;
            // A refresh may be under way again: what it brings is looked at after it.
            drop(shell.refreshing.lock().await);
            if let Err(error) = round(&app).await {
                eprintln!("gleaner: letting go: {}", error.message);
            }
        }
    });
}

async fn round(app: &AppHandle) -> Result<(), IpcError> {
    let shell = app.state::<Shell>();
    let library = shell.core().await?.library;
    let cancel = shell.clearing.begin();
    let went = |_| events::library_changed(app, false, true);
    library.tidy(now(), || !cancel.is_cancelled(), went).await.map_err(convert::library_error)
}
