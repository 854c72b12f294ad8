//! What the tray shows, and what its menu does.

use crate::{
    App,
    catalogue::{Catalogue, Message},
    desktop,
    error::Result,
    lists,
    platform::{TrayAction, TrayState},
    refresh, settings, sidebar,
};
use chrono::{DateTime, TimeZone};
use gleaner_contract::{Event, ListOrder, MarkAll, MarkScope, RefreshScope, Settings, Source};
use gleaner_library::{Millis, now_local};
use std::{fmt, time::Duration};

/// Changes within this time are shown once.
const GROUP_WITHIN: Duration = Duration::from_millis(500);

/// Updates the tray after each change.
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
    let next = *app.session().refresh.next.lock();
    let next = next.map(|next| catalogue.text(Message::NextRefresh).replace("{time}", &time(next, &now_local())));
    Ok(TrayState {
        unread: catalogue.count(Message::Unread, unread.max(0).unsigned_abs()),
        unread_count: unread,
        next_refresh: next.unwrap_or_default(),
        paused: !settings.refresh_automatically,
        right_to_left: catalogue.is_right_to_left(),
        show: catalogue.text(Message::Show),
        refresh: catalogue.text(Message::Refresh),
        mark_all_read: catalogue.text(Message::MarkAllRead),
        pause: catalogue.text(Message::Pause),
        quit: catalogue.text(Message::Quit),
    })
}

/// Returns a time of today, or a date and time.
fn time<Tz: TimeZone<Offset: fmt::Display>>(at: Millis, now: &DateTime<Tz>) -> String {
    let Some(at) = DateTime::from_timestamp_millis(at) else { return String::new() };
    let at = at.with_timezone(&now.timezone());
    let format = if at.date_naive() == now.date_naive() { "%H:%M" } else { "%Y-%m-%d %H:%M" };
    at.format(format).to_string()
}

/// Performs the action of a menu item, in the background.
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
        TrayAction::Quit => desktop::quit(app)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_time_of_another_day_has_its_date() {
        let now = DateTime::parse_from_rfc3339("2026-11-29T23:10:00+09:00").unwrap();
        let at = |text: &str| time(DateTime::parse_from_rfc3339(text).unwrap().timestamp_millis(), &now);
        assert_eq!(at("2026-11-29T14:45:59Z"), "23:45");
        assert_eq!(at("2026-11-29T15:00:00Z"), "2026-11-30 00:00");
    }
}
