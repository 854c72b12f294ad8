//! Cancels a command by Ctrl-C.

use gleaner_app::App;

/// Lets Ctrl-C cancel what runs, which keeps what is done. Without this, Ctrl-C kills the process, which loses no data either.
pub fn cancel_on_ctrl_c(app: &App) {
    let app = app.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            app.jobs().close();
        }
        // What does not look at its cancellation is ended by a second Ctrl-C.
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(130);
        }
    });
}
