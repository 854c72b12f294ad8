//! Background work while Gleaner runs. It starts when the window listens, so that it does not delay the start.

use crate::{
    App, backups, collections, connection, episodes, icons, index, offline, refresh, retention, sharing, sync, tray,
};

/// Starts all background loops. Each ends with the process.
pub(crate) fn start(app: &App) {
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
