//! What the tray shows, and what its menu does.

use crate::{
    App,
    catalogue::{Catalogue, Message},
    error::Result,
    lists,
    platform::{TrayAction, TrayState},
    refresh, settings, sidebar,
};
use gleaner_contract::{Event, ListOrder, MarkAll, MarkScope, RefreshScope, Settings, Source};
use std::time::Duration;

/// Changes within this time are shown once.
const GROUP_WITHIN: Duration = Duration::from_millis(500);

/// Shows in the tray whatever changes.
pub(crate) async fn follow(app: App) {
    loop {
        match state(&app).await {
            Ok(state) => app.platform().map(|platform| platform.update_tray(state)).unwrap_or_default(),
            Err(error) => tracing::warn!(%error, "the tray cannot show what is unread"),
        }
        app.signals().tray.notified().await;
        // pause: several changes in quick succession are shown once.
        tokio::time::sleep(GROUP_WITHIN).await;
    }
}

async fn state(app: &App) -> Result<TrayState> {
    let library = app.core().await?.library;
    let settings = settings::of(&library).await?;
    let unread = sidebar::count(&library).await?.smart.unread;
    let catalogue = Catalogue::of(settings.language);
    Ok(TrayState {
        unread: catalogue.count(Message::Unread, unread.max(0).unsigned_abs()),
        unread_count: unread,
        paused: !settings.refresh_automatically,
        right_to_left: catalogue.is_right_to_left(),
        show: catalogue.text(Message::Show),
        refresh: catalogue.text(Message::Refresh),
        mark_all_read: catalogue.text(Message::MarkAllRead),
        pause: catalogue.text(Message::Pause),
        quit: catalogue.text(Message::Quit),
    })
}

/// Does what an item of the menu says, in the background.
pub fn act(app: &App, action: TrayAction) {
    let task = app.clone();
    app.spawn(async move {
        if let Err(error) = run(&task, action).await {
            tracing::warn!(%error, ?action, "an action of the tray failed");
        }
    });
}

async fn run(app: &App, action: TrayAction) -> Result<()> {
    match action {
        TrayAction::Show => app.platform()?.raise_window(),
        TrayAction::Refresh => refresh::refresh(app, RefreshScope::All).await?,
        TrayAction::MarkAllRead => {
            let all = MarkAll {
                source: Source::Unread,
                order: ListOrder::Newest,
                scope: MarkScope::All,
                received_before: None,
            };
            let marked = lists::mark_all_read(app, all).await?;
            app.library_changed(false, true);
            app.emit(Event::MarkedOutside(marked));
        }
        TrayAction::Pause => {
            let before = settings::settings(app, ()).await?;
            let after = Settings { refresh_automatically: !before.refresh_automatically, ..before };
            settings::save_settings(app, after.clone()).await?;
            app.emit(Event::SettingsChanged(Box::new(after)));
        }
        TrayAction::Quit => app.platform()?.quit(),
    }
    Ok(())
}
