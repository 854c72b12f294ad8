//! The services of the desktop: file dialogs, the browser, the file manager, notifications.

use crate::{autostart, tray::Tray, window};
use futures::future::BoxFuture;
use gleaner_app::{FileFilter, Platform, TrayState};
use gleaner_contract::{LoginStart, NewArticlesNotice};
use notify_rust::{Notification, Timeout};
use std::{
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tauri::{AppHandle, Manager as _, async_runtime};
use tauri_plugin_dialog::{DialogExt as _, FilePath};
use tokio::sync::oneshot;
use url::Url;

/// How long a browser that should stay behind the window may take to come to the front.
const BEHIND_WITHIN: Duration = Duration::from_secs(3);
/// How long the desktop may take to accept a notification.
const NOTIFY_WITHIN: Duration = Duration::from_secs(5);
/// Maximum length of a title in a notification, in characters.
const LONGEST_TITLE: usize = 120;

/// The desktop that the window is on.
pub struct Desktop {
    tauri: AppHandle,
    tray: Tray,
    notifications_refused: AtomicBool,
}

/// Until when the window takes the focus back from a browser that was opened behind it.
#[derive(Default)]
pub struct KeepFocus(Mutex<Option<Instant>>);

impl KeepFocus {
    fn begin(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + BEHIND_WITHIN);
    }

    /// Returns once whether the window should take the focus back now.
    pub fn take(&self) -> bool {
        let until = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        until.is_some_and(|until| Instant::now() < until)
    }
}

impl Desktop {
    pub fn new(tauri: AppHandle, tray: Tray) -> Self {
        tauri.manage(KeepFocus::default());
        Self { tauri, tray, notifications_refused: AtomicBool::new(false) }
    }
}

fn paths(files: Vec<FilePath>) -> Vec<PathBuf> {
    let path = |file: FilePath| file.into_path().inspect_err(|error| tracing::warn!(%error, "not a path")).ok();
    files.into_iter().filter_map(path).collect()
}

impl Platform for Desktop {
    /// No system has a way to ask a browser to stay behind. So the window takes the focus back when it loses it right after.
    /// Where a window may not do that (Wayland without a token), a browser may not take the focus either.
    fn open_url(&self, url: Url, behind: bool, failed: Box<dyn FnOnce() + Send>) {
        if behind {
            self.tauri.state::<KeepFocus>().begin();
        }
        // Starting a browser takes a while, and the window must not wait for it.
        async_runtime::spawn_blocking(move || {
            if let Err(error) = tauri_plugin_opener::open_url(url.as_str(), None::<&str>) {
                tracing::warn!(%error, "the browser could not be opened");
                failed();
            }
        });
    }

    fn pick_files(&self, filters: Vec<FileFilter>, several: bool) -> BoxFuture<'_, Vec<PathBuf>> {
        let mut dialog = self.tauri.dialog().file();
        for filter in filters {
            dialog = dialog.add_filter(filter.name, filter.extensions);
        }
        let (sender, picked) = oneshot::channel();
        // A send fails only if the command was dropped meanwhile.
        if several {
            dialog.pick_files(move |files| drop(sender.send(files.unwrap_or_default())));
        } else {
            dialog.pick_file(move |file| drop(sender.send(file.into_iter().collect())));
        }
        Box::pin(async move { picked.await.map(paths).unwrap_or_default() })
    }

    fn save_file(&self, name: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        let (sender, picked) = oneshot::channel();
        let dialog = self.tauri.dialog().file().set_file_name(name).add_filter(filter.name, filter.extensions);
        dialog.save_file(move |file| drop(sender.send(file)));
        Box::pin(async move { paths(picked.await.ok().flatten().into_iter().collect()).pop() })
    }

    fn show_folder(&self, folder: PathBuf) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move {
            let shown = async_runtime::spawn_blocking(move || {
                tauri_plugin_opener::open_path(&folder, None::<&str>).map_err(|error| error.to_string())
            });
            shown.await.map_err(|error| error.to_string())?
        })
    }

    fn has_tray(&self) -> bool {
        self.tray.is_shown()
    }

    fn update_tray(&self, state: TrayState) {
        self.tray.update(state);
    }

    fn raise_window(&self) {
        window::raise(&self.tauri);
    }

    fn hide_window(&self) {
        window::hide(&self.tauri);
    }

    fn quit(&self) {
        self.tauri.exit(0);
    }

    fn login_start(&self) -> Option<LoginStart> {
        autostart::folder().map(|folder| autostart::read(&folder))
    }

    fn set_login_start(&self, start: LoginStart) -> Result<(), String> {
        let folder = autostart::folder().ok_or("this system has no folder for programs to start")?;
        // An AppImage is started by its own path; inside it, the program has a temporary one.
        let program = std::env::var_os("APPIMAGE").map_or_else(std::env::current_exe, |path| Ok(path.into()));
        program.and_then(|program| autostart::write(&folder, start, &program)).map_err(|error| error.to_string())
    }

    fn notify(&self, notice: NewArticlesNotice) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let (summary, body) = (line(&notice.summary), body(&notice));
            let shown = async_runtime::spawn_blocking(move || {
                Notification::new()
                    .appname("Gleaner")
                    .icon("gleaner")
                    .summary(&summary)
                    .body(&body)
                    .timeout(Timeout::Default)
                    .show()
                    .map(|_| ())
                    .map_err(|error| error.to_string())
            });
            // A desktop that does not respond must not keep anything else waiting.
            let failed = match tokio::time::timeout(NOTIFY_WITHIN, shown).await {
                Ok(Ok(Ok(()))) => return,
                Ok(Ok(Err(error))) => error,
                Ok(Err(error)) => error.to_string(),
                Err(_) => "timeout".to_owned(),
            };
            // Once is enough: where there is no notification service, every notification fails.
            if !self.notifications_refused.swap(true, Ordering::Relaxed) {
                tracing::warn!(error = failed, "notifications cannot be shown");
            }
        })
    }
}

/// Takes the focus back if the window has lost it to a browser that should stay behind it.
pub fn keep_focus(tauri: &AppHandle) {
    if tauri.state::<KeepFocus>().take()
        && let Some(window) = tauri.get_webview_window(window::NAME)
        && let Err(error) = window.set_focus()
    {
        tracing::warn!(%error, "the window could not keep the focus");
    }
}

/// The newest articles, one on each line.
fn body(notice: &NewArticlesNotice) -> String {
    let mut lines: Vec<String> = notice.titles.iter().map(|title| line(title)).collect();
    if usize::try_from(notice.articles).is_ok_and(|articles| articles > lines.len()) {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

/// A title on one line. Free desktops interpret markup in notifications, so that of publishers is escaped.
fn line(title: &str) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = title.chars().take(LONGEST_TITLE).collect();
    let cut = if cut.len() < title.len() { format!("{cut}…") } else { cut };
    if cfg!(any(windows, target_os = "macos")) {
        return cut;
    }
    cut.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(articles: u32, titles: &[&str]) -> String {
        let titles = titles.iter().map(|title| (*title).to_owned()).collect();
        body(&NewArticlesNotice { articles, titles, summary: "…".to_owned() })
    }

    #[test]
    fn a_notification_names_the_newest_articles_on_a_line_each() {
        assert_eq!(text(1, &["Wheat\n<b>rye</b> & oats"]), "Wheat &lt;b&gt;rye&lt;/b&gt; &amp; oats");
        let long = "x".repeat(200);
        assert_eq!(text(9, &[&long, "Ohne Titel"]), format!("{}…\nOhne Titel\n…", "x".repeat(LONGEST_TITLE)));
        assert_eq!(text(9, &["a", "b", "c", "d"]), "a\nb\nc\nd\n…");
    }
}
