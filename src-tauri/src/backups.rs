//! The library copies itself once a day, while the window is open.

use crate::shell::Shell;
use std::time::Duration;
use tauri::{AppHandle, Manager as _};

/// Not while the window opens.
const FIRST_AFTER: Duration = Duration::from_secs(120);
const LOOK_EVERY: Duration = Duration::from_secs(3600);

/// Looks from time to time whether a copy is due, for as long as the window is open.
pub fn keep(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let mut wait = FIRST_AFTER;
        loop {
            tokio::time::sleep(wait).await;
            wait = LOOK_EVERY;
            // Without a library there is nothing to copy; the window says why.
            let Ok(core) = app.state::<Shell>().core().await else { continue };
            if let Err(error) = core.library.back_up_daily().await {
                eprintln!("gleaner: no backup: {error}");
            }
        }
    });
}
