//! Cancels a command by Ctrl-C.

use gleaner_app::App;
use std::{
    process,
    sync::atomic::{AtomicBool, Ordering},
};

/// Whether the next Ctrl-C ends the program at once.
static ENDS: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C cancel the running command, which keeps its results so far. Without this, Ctrl-C kills the process, which loses no data
/// either.
pub fn cancel_on_ctrl_c(app: &App) {
    // The signal is registered here, since the task may start later.
    #[cfg(unix)]
    let pressed = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt());
    #[cfg(windows)]
    let pressed = tokio::signal::windows::ctrl_c();
    let Ok(mut pressed) = pressed else { return };
    let app = app.clone();
    tokio::spawn(async move {
        while pressed.recv().await.is_some() {
            // A second Ctrl-C ends a command that does not check for its cancellation.
            end_on_ctrl_c();
            app.jobs().close();
        }
    });
}

/// Makes the next Ctrl-C end the program. If Ctrl-C was pressed since the start of the command, ends the program now.
pub fn end_on_ctrl_c() {
    if ENDS.swap(true, Ordering::Relaxed) {
        process::exit(130);
    }
}
