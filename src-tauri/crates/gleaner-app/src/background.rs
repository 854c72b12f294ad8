//! Background work while Gleaner runs. It starts when the window listens, so that it does not delay the start.

use crate::{
    App, backups, collections, connection, episodes, error::Result, icons, import, index, offline, refresh, retention,
    sharing, sync, tray,
};
use gleaner_contract::RefreshProgress;

/// Called when the window is ready: sends the changes that it missed, starts background work, and imports the files of the command line.
pub async fn ready(app: &App, (): ()) -> Result<Option<RefreshProgress>> {
    if app.events().window_listens() {
        start(app);
    }
    import::start_waiting(app);
    Ok(app.session().refresh.progress())
}

pub async fn notice_changes(app: &App, (): ()) -> Result<()> {
    if app.core().await?.library.changed_by_others().await? {
        app.library_changed(true, true);
    }
    Ok(())
}

/// Starts all background loops. Each ends with the process.
fn start(app: &App) {
    app.spawn(refresh::poll_automatically(app.clone()));
    app.spawn(sync::sync_automatically(app.clone()));
    app.spawn(backups::back_up_daily(app.clone()));
    app.spawn(index::follow(app.clone()));
    app.spawn(offline::download_automatically(app.clone()));
    app.spawn(episodes::download_automatically(app.clone()));
    app.spawn(icons::follow(app.clone()));
    app.spawn(retention::clean_up_automatically(app.clone()));
    app.spawn(collections::follow(app.clone()));
    app.spawn(sharing::follow(app.clone()));
    app.spawn(tray::follow(app.clone()));
    connection::start_moving_passwords(app);
}
