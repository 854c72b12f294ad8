//! Cancels a command by Ctrl-C.

use gleaner_app::App;

/// Lets Ctrl-C cancel the running command, which keeps the results until then. Without this, Ctrl-C kills the process, which loses no data
/// either.
pub fn cancel_on_ctrl_c(app: &App) {
    let app = app.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            app.jobs().close();
        }
        // A second Ctrl-C ends a command that does not check for its cancellation.
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(130);
        }
    });
}
