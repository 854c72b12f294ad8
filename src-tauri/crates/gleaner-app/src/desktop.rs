//! What closing the window does, how Gleaner starts at login, how it updates itself, and what the desktop reports.

use crate::{
    App,
    economy::Economy,
    error::{AppError, Result, internal},
    events::throttle,
    jobs::Job,
    platform::Platform,
    settings,
};
use gleaner_contract::{
    AnswerClose, CloseAnswer, DesktopState, ErrorCode, Event, FindUpdate, OnClose, SetLoginStart, UpdateProgress,
};
use std::{sync::atomic::Ordering, time::Duration};

/// Minimum time between two reports of the progress of an update.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// How long the page may take to store its latest changes before the program quits.
const STORE_WITHIN: Duration = Duration::from_secs(2);

/// What the window does when the user closes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Close {
    /// It hides.
    Hide,
    /// It closes, and the program ends.
    Quit,
    /// It hides, and the program ends when the page has stored its latest changes.
    Store,
    /// It stays, and asks the user.
    Ask,
}

/// Returns what closing does. A user who closes the window a second time does not want to answer, or cannot.
fn decide(on_close: OnClose, tray: bool, listens: bool, asking: bool) -> Close {
    match (on_close, tray) {
        (OnClose::Background, true) => Close::Hide,
        (OnClose::Quit, _) | (OnClose::Ask, false) => Close::Quit,
        (OnClose::Ask, true) | (OnClose::Background, false) if listens && !asking => Close::Ask,
        _ => Close::Quit,
    }
}

/// Handles a request of the user to close the window. Returns what the window does, and asks the user if the setting says so.
pub fn close_requested(app: &App) -> Close {
    let closing = &app.session().closing;
    let tray = app.platform().is_ok_and(|platform| platform.has_tray());
    let on_close = *closing.on_close.lock();
    let close = decide(on_close, tray, app.events().is_listened_to(), closing.asking.load(Ordering::Relaxed));
    match close {
        Close::Ask => {
            closing.asking.store(true, Ordering::Relaxed);
            app.emit(Event::CloseRequested(tray));
            close
        }
        Close::Quit if ask_to_store(app) => Close::Store,
        _ => close,
    }
}

/// Ends the program after its page has stored its latest changes. A second call does not wait for the page.
///
/// # Errors
/// There is no window.
pub fn quit(app: &App) -> Result<()> {
    let platform = app.platform()?;
    if !ask_to_store(app) {
        platform.quit();
    }
    Ok(())
}

/// Asks the page to store its latest changes and to answer with [`answer_close`]. The program ends without an answer, too. Returns false if
/// there is no page, or if it was asked before.
fn ask_to_store(app: &App) -> bool {
    if !app.events().is_listened_to() || app.session().closing.storing.swap(true, Ordering::Relaxed) {
        return false;
    }
    app.emit(Event::QuitRequested(()));
    let task = app.clone();
    app.spawn(async move {
        // pause: a page that hangs never answers.
        tokio::time::sleep(STORE_WITHIN).await;
        task.platform().map(Platform::quit).unwrap_or_default();
    });
    true
}

pub async fn answer_close(app: &App, args: AnswerClose) -> Result<()> {
    app.session().closing.asking.store(false, Ordering::Relaxed);
    let platform = app.platform()?;
    let remembered = match args.answer {
        CloseAnswer::Background => Some(OnClose::Background),
        CloseAnswer::Quit => Some(OnClose::Quit),
        CloseAnswer::QuitOnce | CloseAnswer::Cancel => None,
    };
    if let Some(on_close) = remembered {
        let before = settings::settings(app, ()).await?;
        let after = gleaner_contract::Settings { on_close, ..before };
        settings::save_settings(app, after.clone()).await?;
        app.emit(Event::SettingsChanged(Box::new(after)));
    }
    match args.answer {
        CloseAnswer::Background => platform.hide_window(),
        CloseAnswer::Quit | CloseAnswer::QuitOnce => platform.quit(),
        CloseAnswer::Cancel => {}
    }
    Ok(())
}

pub async fn unload_window(app: &App, (): ()) -> Result<()> {
    app.platform()?.unload_window();
    Ok(())
}

pub async fn find_update(app: &App, args: FindUpdate) -> Result<Option<String>> {
    Ok(app.platform()?.find_update(args.daily).await?)
}

pub async fn install_update(app: &App, (): ()) -> Result<bool> {
    let run = app
        .jobs()
        .try_start(Job::Update)
        .ok_or_else(|| AppError::new(ErrorCode::Busy, "an update is being installed"))?;
    let (reporting, mut may_report) = (app.clone(), throttle(REPORT_EVERY));
    let progress = Box::new(move |progress: UpdateProgress| {
        if may_report() {
            reporting.emit(Event::UpdateProgress(progress));
        }
    });
    let platform = app.platform()?;
    match run.token().run_until_cancelled(platform.install_update(progress)).await {
        Some(installed) => installed.map(|()| true).map_err(Into::into),
        None => Ok(false),
    }
}

pub async fn cancel_update(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::Update);
    Ok(())
}

pub async fn restart(app: &App, (): ()) -> Result<()> {
    app.platform()?.restart();
    Ok(())
}

pub async fn desktop_state(app: &App, (): ()) -> Result<DesktopState> {
    let platform = app.platform()?;
    Ok(DesktopState {
        tray: platform.has_tray(),
        login_start: platform.login_start(),
        updates_itself: platform.updates_itself(),
    })
}

pub async fn set_login_start(app: &App, args: SetLoginStart) -> Result<DesktopState> {
    app.platform()?.set_login_start(args.login_start).map_err(internal)?;
    desktop_state(app, ()).await
}

/// Records whether the system reports a metered connection or battery power. Waiting work continues once neither is the case.
pub fn set_economy(app: &App, economy: Economy) {
    if app.session().saving.set(economy) != economy {
        tracing::info!(?economy, "downloads adapt to the computer");
        app.signals().polling.notify_one();
        app.signals().downloads.notify_one();
    }
}

/// Continues after the computer was suspended: timers may not have counted that time.
pub fn resumed(app: &App) {
    app.signals().polling.notify_one();
    app.signals().downloads.notify_one();
    app.signals().episodes.notify_one();
    app.signals().sync_intervals.notify_one();
    app.signals().sharing.notify_one();
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn closing_asks_once_and_never_hides_the_window_where_there_is_no_tray() {
        for (on_close, tray, close) in [
            (OnClose::Ask, true, Close::Ask),
            (OnClose::Ask, false, Close::Quit),
            (OnClose::Background, true, Close::Hide),
            (OnClose::Background, false, Close::Ask),
            (OnClose::Quit, true, Close::Quit),
            (OnClose::Quit, false, Close::Quit),
        ] {
            assert_eq!(decide(on_close, tray, true, false), close, "{on_close:?} {tray}");
            let without_answer = if close == Close::Ask { Close::Quit } else { close };
            assert_eq!(decide(on_close, tray, true, true), without_answer, "closed twice: {on_close:?} {tray}");
            assert_eq!(decide(on_close, tray, false, false), without_answer, "no page: {on_close:?} {tray}");
        }
    }

    #[tokio::test]
    async fn the_page_stores_what_it_has_not_stored_before_the_program_quits() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), tokio::runtime::Handle::current());
        let (sender, mut asked) = tokio::sync::mpsc::unbounded_channel();
        app.events().subscribe(move |event| {
            if let Event::QuitRequested(()) = event {
                sender.send(()).unwrap();
            }
        });
        app.session().closing.set(OnClose::Quit);
        assert_eq!(close_requested(&app), Close::Quit, "there is no page");
        app.events().window_listens();
        assert_eq!(close_requested(&app), Close::Store);
        asked.recv().await.unwrap();
        assert_eq!(close_requested(&app), Close::Quit, "closed twice");
        assert!(asked.try_recv().is_err());
    }
}
