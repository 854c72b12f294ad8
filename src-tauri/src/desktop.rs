//! The services of the desktop: file dialogs, the browser, the file manager, notifications.

use crate::{
    article, autostart, focus::KeepFocus, geometry, notifications::Notifications, restart::Program, system, tray::Tray,
    updates::Updates, window,
};
#[cfg(target_os = "linux")]
use crate::{portal, proxies::Proxies};
use futures::future::BoxFuture;
use gleaner_app::{FileFilter, Notice, Platform, TrayState, UpdateError};
use gleaner_contract::{ArticleWindow, LoginStart, Theme, UpdateProgress};
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use std::{io, time::Duration};
use tauri::{AppHandle, Manager as _, async_runtime};
use tauri_plugin_dialog::{DialogExt as _, FilePath};
use tokio::sync::oneshot;
use url::Url;

/// The desktop that the window is on.
pub struct Desktop {
    tauri: AppHandle,
    tray: Tray,
    notifications: Notifications,
}

impl Desktop {
    pub fn new(tauri: AppHandle, tray: Tray, notifications: Notifications) -> Self {
        tauri.manage(KeepFocus::default());
        Self { tauri, tray, notifications }
    }
}

/// How long to wait for the desktop's launcher to fail. It tries one browser after the other, which takes a quarter of a second on an idle
/// computer without a browser.
#[cfg(target_os = "linux")]
const LAUNCHER_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens an address in the browser. Blocks until a browser has started, or failed to start.
#[cfg(target_os = "linux")]
fn start_browser(address: &str) -> io::Result<()> {
    open::that_detached_with_timeout(address, LAUNCHER_TIMEOUT)
}

#[cfg(not(target_os = "linux"))]
fn start_browser(address: &str) -> Result<(), tauri_plugin_opener::Error> {
    tauri_plugin_opener::open_url(address, None::<&str>)
}

fn paths(files: Vec<FilePath>) -> Vec<PathBuf> {
    let path = |file: FilePath| file.into_path().inspect_err(|error| tracing::warn!(%error, "not a path")).ok();
    files.into_iter().filter_map(path).collect()
}

impl Platform for Desktop {
    /// No system can keep a browser in the background. So the window takes the focus back if it loses it right afterwards. On systems that
    /// do not allow that (Wayland without a token), the browser may not take the focus either.
    fn open_url(&self, url: Url, behind: bool, failed: Box<dyn FnOnce() + Send>) {
        if behind {
            self.tauri.state::<KeepFocus>().begin();
        }
        // Starting a browser takes a while, and the window must not wait for it.
        async_runtime::spawn_blocking(move || {
            if let Err(error) = start_browser(url.as_str()) {
                tracing::warn!(%error, "the browser could not be opened");
                failed();
            }
        });
    }

    #[cfg(target_os = "linux")]
    fn proxies(&self) -> Option<std::sync::Arc<dyn gleaner_app::DesktopProxies>> {
        Some(std::sync::Arc::new(Proxies))
    }

    fn pick_files(&self, filters: Vec<FileFilter>, several: bool) -> BoxFuture<'_, Vec<PathBuf>> {
        let mut dialog = self.tauri.dialog().file();
        for filter in filters {
            dialog = dialog.add_filter(filter.name, filter.extensions);
        }
        let (sender, picked) = oneshot::channel();
        // A send fails only if the command was dropped in the meantime.
        if several {
            dialog.pick_files(move |files| drop(sender.send(files.unwrap_or_default())));
        } else {
            dialog.pick_file(move |file| drop(sender.send(file.into_iter().collect())));
        }
        Box::pin(async move { picked.await.map(paths).unwrap_or_default() })
    }

    fn pick_folder(&self) -> BoxFuture<'_, Option<PathBuf>> {
        let (sender, picked) = oneshot::channel();
        self.tauri.dialog().file().pick_folder(move |folder| drop(sender.send(folder)));
        Box::pin(async move { paths(picked.await.ok().flatten().into_iter().collect()).pop() })
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

    fn versions(&self) -> String {
        let web_view = tauri::webview_version().unwrap_or_else(|error| error.to_string());
        let named = |names: &[&str]| {
            let found = names.iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
            found.unwrap_or_else(|| "unknown".to_owned())
        };
        let desktop = named(&["XDG_CURRENT_DESKTOP", "DESKTOP_SESSION"]);
        // Other desktops don't set their version.
        let version = std::env::var("KDE_SESSION_VERSION").map(|version| format!(" {version}")).unwrap_or_default();
        let session = named(&["XDG_SESSION_TYPE"]);
        format!("web view {web_view}, desktop {desktop}{version}, session {session}, system {}", system::version())
    }

    fn has_tray(&self) -> bool {
        self.tray.is_shown()
    }

    fn update_tray(&self, state: TrayState) {
        #[cfg(target_os = "macos")]
        if let Some(window) = self.tauri.get_webview_window(window::NAME)
            && let Err(error) = window.set_badge_count(Some(state.unread_count).filter(|count| *count > 0))
        {
            tracing::warn!(%error, "the dock cannot show the number of unread articles");
        }
        self.tray.update(state);
    }

    fn raise_window(&self) {
        window::raise(&self.tauri);
    }

    fn open_article(&self, window: ArticleWindow) -> Result<(), String> {
        article::open(&self.tauri, window).map_err(|error| error.to_string())
    }

    fn hide_window(&self) {
        window::hide(&self.tauri);
    }

    fn unload_window(&self) {
        window::unload(&self.tauri);
    }

    fn use_theme(&self, theme: Theme) {
        geometry::keep_theme(&self.tauri, theme);
        window::paint(&self.tauri, theme);
    }

    fn quit(&self) {
        self.tauri.exit(0);
    }

    fn updates_itself(&self) -> bool {
        self.tauri.state::<Updates>().is_on()
    }

    fn find_update(&self, daily: bool) -> BoxFuture<'_, Result<Option<String>, UpdateError>> {
        Box::pin(async move { self.tauri.state::<Updates>().find(&self.tauri, daily).await })
    }

    fn install_update(
        &self,
        progress: Box<dyn FnMut(UpdateProgress) + Send>,
    ) -> BoxFuture<'_, Result<(), UpdateError>> {
        Box::pin(async {
            self.tauri.state::<Updates>().install(progress).await?;
            window::announce_update(&self.tauri);
            Ok(())
        })
    }

    fn restart(&self) {
        self.tauri.state::<Program>().want_restart();
        self.tauri.exit(0);
    }

    fn login_start(&self) -> Option<LoginStart> {
        autostart::folder().map(|folder| autostart::read(&folder))
    }

    fn set_login_start(&self, start: LoginStart) -> Result<(), String> {
        let folder = autostart::folder().ok_or("this system has no folder for programs to start")?;
        let program = self.tauri.state::<Program>();
        let command: Vec<_> = program.command().ok_or("the path of this program is not known")?.collect();
        // A sandbox has its own autostart folder, in which the file only records the choice.
        #[cfg(target_os = "linux")]
        if portal::sandboxed() {
            let arguments: Vec<_> = command.iter().skip(1).filter_map(|word| word.to_str()).collect();
            let asked = portal::start_at_login(start, &arguments);
            tokio::task::block_in_place(|| tauri::async_runtime::block_on(asked))?;
        }
        autostart::write(&folder, start, command).map_err(|error| error.to_string())
    }

    fn notify(&self, notice: Notice) {
        self.notifications.show(notice);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::{env, fs, os::unix::fs::PermissionsExt as _, process::Command};

    /// Not a test of its own: the next test runs it with another launcher.
    #[test]
    fn started() {
        if env::var_os("GLEANER_TEST_LAUNCHER").is_some() {
            start_browser("https://a.example/").unwrap();
        }
    }

    #[test]
    fn a_launcher_that_fails_slowly_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let launcher = folder.path().join("xdg-open");
        let starts = |exit: u8| {
            // pause: longer than the 250 ms that `open` waits by default.
            fs::write(&launcher, format!("#!/bin/sh\n/bin/sleep 0.4\nexit {exit}\n")).unwrap();
            fs::set_permissions(&launcher, fs::Permissions::from_mode(0o755)).unwrap();
            let mut command = Command::new(env::current_exe().unwrap());
            command.args(["--exact", "desktop::tests::started"]);
            command.env("PATH", folder.path()).env("GLEANER_TEST_LAUNCHER", "1").output().unwrap().status.success()
        };
        assert!(starts(0));
        assert!(!starts(3));
    }
}
