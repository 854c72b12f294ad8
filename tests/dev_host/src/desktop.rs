//! A desktop for tests. It records the addresses that it should open, and its file dialogs return the files that the test chose before.

use futures::future::BoxFuture;
use gleaner_app::{FileFilter, Notice, Platform, TrayState, UpdateError};
use gleaner_contract::{ArticleWindow, LoginStart, Theme, UpdateProgress};
use parking_lot::Mutex;
use std::{path::PathBuf, sync::Arc};
use url::Url;

/// A desktop that records requests. Clones share one record.
#[derive(Clone, Default)]
pub struct Desktop(Arc<Mutex<Record>>);

/// The record of a desktop.
#[derive(Default)]
pub struct Record {
    /// Addresses opened in the browser.
    pub opened: Vec<String>,
    /// The files that the next dialog returns.
    pub picked: Vec<PathBuf>,
    /// Notifications shown.
    pub notices: Vec<Notice>,
    /// Articles opened in windows of their own, or printed.
    pub article_windows: Vec<ArticleWindow>,
    /// Whether there is a tray.
    pub tray: bool,
    /// How the program starts at login, once that was set.
    pub login_start: Option<LoginStart>,
}

impl Desktop {
    /// Reads or changes the record.
    pub fn with<T>(&self, work: impl FnOnce(&mut Record) -> T) -> T {
        work(&mut self.0.lock())
    }
}

impl Platform for Desktop {
    fn open_url(&self, url: Url, _behind: bool, _failed: Box<dyn FnOnce() + Send>) {
        self.with(|record| record.opened.push(url.to_string()));
    }

    fn pick_files(&self, _filters: Vec<FileFilter>, _several: bool) -> BoxFuture<'_, Vec<PathBuf>> {
        Box::pin(async { self.with(|record| std::mem::take(&mut record.picked)) })
    }

    fn pick_folder(&self) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async { self.with(|record| record.picked.pop()) })
    }

    fn save_file(&self, _name: String, _filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async { self.with(|record| record.picked.pop()) })
    }

    fn show_folder(&self, folder: PathBuf) -> BoxFuture<'_, Result<(), String>> {
        self.with(|record| record.opened.push(folder.display().to_string()));
        Box::pin(async { Ok(()) })
    }

    fn versions(&self) -> String {
        "none".to_owned()
    }

    fn has_tray(&self) -> bool {
        self.with(|record| record.tray)
    }

    fn update_tray(&self, _state: TrayState) {}

    fn raise_window(&self) {}

    fn open_article(&self, window: ArticleWindow) -> Result<(), String> {
        self.with(|record| record.article_windows.push(window));
        Ok(())
    }

    fn hide_window(&self) {}

    fn unload_window(&self) {}

    fn use_theme(&self, _theme: Theme) {}

    fn quit(&self) {}

    fn updates_itself(&self) -> bool {
        false
    }

    fn find_update(&self, _daily: bool) -> BoxFuture<'_, Result<Option<String>, UpdateError>> {
        Box::pin(async { Err(UpdateError::BySystem) })
    }

    fn install_update(
        &self,
        _progress: Box<dyn FnMut(UpdateProgress) + Send>,
    ) -> BoxFuture<'_, Result<(), UpdateError>> {
        Box::pin(async { Err(UpdateError::BySystem) })
    }

    fn restart(&self) {}

    fn login_start(&self) -> Option<LoginStart> {
        Some(self.with(|record| record.login_start).unwrap_or(LoginStart::Off))
    }

    fn set_login_start(&self, start: LoginStart) -> Result<(), String> {
        self.with(|record| record.login_start = Some(start));
        Ok(())
    }

    fn notify(&self, notice: Notice) {
        self.with(|record| record.notices.push(notice));
    }
}
