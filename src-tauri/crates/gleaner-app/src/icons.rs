//! Feed icons, downloaded in the background if the user allows images.

use crate::{App, error::Result, events::throttle, jobs::Job, settings};
use gleaner_contract::{Event, LibraryChanged};
use std::time::Duration;

/// Sites may be requested again after a while, so feeds are checked at least this often.
const CHECK_EVERY: Duration = Duration::from_secs(3600);
/// Pause between two parts of a long round, so that others can poll.
const CONTINUE_AFTER: Duration = Duration::from_secs(60);
/// Minimum time between two updates of the sidebar.
const SHOW_EVERY: Duration = Duration::from_secs(2);

/// Downloads icons whenever there may be feeds without one.
pub(crate) async fn follow(app: App) {
    let mut wait = CHECK_EVERY;
    loop {
        tokio::select! {
            () = app.signals().icons.notified() => {}
            () = tokio::time::sleep(wait) => {}
        }
        let more = round(&app).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "feed icons could not be downloaded");
            false
        });
        wait = if more { CONTINUE_AFTER } else { CHECK_EVERY };
    }
}

/// Downloads icons for a limited time. Returns whether there are more to download.
async fn round(app: &App) -> Result<bool> {
    // Feeds go first.
    app.jobs().idle(Job::Refresh).await;
    let core = app.core().await?;
    // Started before the setting is read, so that a change of the setting cancels this round.
    let run = app.jobs().replace(Job::Icons).await;
    if !settings::of(&core.library).await?.fetches_icons() {
        return Ok(false);
    }
    // Only the window is informed: no background work depends on icons.
    let show = || app.emit(Event::LibraryChanged(LibraryChanged { structure: true, articles: false }));
    let (mut shown, mut may_show) = (0, throttle(SHOW_EVERY));
    let done = core.poller()?.icons(run.token(), |so_far| {
        if so_far.found > shown && may_show() {
            shown = so_far.found;
            show();
        }
    });
    let done = done.await?;
    if done.found > shown {
        show();
    }
    Ok(done.more)
}
