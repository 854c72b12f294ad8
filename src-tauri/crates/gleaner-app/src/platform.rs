//! What only the program around the app can do: file dialogs, the browser, notifications.

use crate::catalogue::{Catalogue, Message};
use futures::future::BoxFuture;
use gleaner_contract::{ArticleWindow, LoginStart, RequestedList, Theme, UpdateProgress};
use gleaner_fetch::DesktopProxies;
use std::{borrow::Cow, fmt, path::PathBuf, sync::Arc};
use url::Url;

/// The files that a dialog offers.
#[derive(Debug, Clone)]
pub struct FileFilter {
    /// Name shown in the dialog.
    pub name: Cow<'static, str>,
    /// File name extensions without the dot; `*` is any.
    pub extensions: &'static [&'static str],
}

impl FileFilter {
    pub(crate) const fn new(name: &'static str, extensions: &'static [&'static str]) -> Self {
        Self { name: Cow::Borrowed(name), extensions }
    }

    /// All files, in the user's language.
    pub(crate) fn all(catalogue: &Catalogue) -> Self {
        Self { name: catalogue.text(Message::AllFiles).into(), extensions: &["*"] }
    }
}

/// Why the program was not updated, with the reason for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateError {
    /// Something else updates it.
    BySystem,
    /// The number of the latest version could not be requested, or the version not be downloaded.
    Unreachable(String),
    /// The update is not signed with the project's key, or is signed for another version.
    Untrusted(String),
    /// The program's file could not be replaced.
    Failed(String),
}

impl fmt::Display for UpdateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BySystem => f.write_str("this program does not update itself"),
            Self::Unreachable(reason) => write!(f, "no update was received: {reason}"),
            Self::Untrusted(reason) => write!(f, "the update is not trusted: {reason}"),
            Self::Failed(reason) => write!(f, "the update was not installed: {reason}"),
        }
    }
}

/// A notification, in the language of the window.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notice {
    /// The articles that it is about.
    pub articles: Vec<i64>,
    /// What the window shows when the user opens a notice of several articles.
    pub list: Option<RequestedList>,
    /// The title of the only article, or the number of articles and where they are.
    pub title: String,
    /// The feed of the only article, or the titles of the newest ones.
    pub lines: Vec<String>,
    /// The label of [`NoticeAction::Open`].
    pub open: String,
    /// The label of [`NoticeAction::MarkRead`].
    pub mark_read: String,
    /// The label of [`NoticeAction::Star`].
    pub star: String,
}

/// What the user chose in a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeAction {
    /// Opens the article, or the window for several.
    Open,
    /// Marks the articles as read.
    MarkRead,
    /// Stars the article.
    Star,
}

/// What the tray shows, in the language of the window.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrayState {
    /// The number of unread articles, as text.
    pub unread: String,
    /// The same as a number, for the icon in a dock.
    pub unread_count: i64,
    /// When feeds are checked next, as text; empty while that is paused.
    pub next_refresh: String,
    /// Whether feeds are not refreshed automatically.
    pub paused: bool,
    /// Whether the language is written from right to left.
    pub right_to_left: bool,
    /// The label of [`TrayAction::Show`].
    pub show: String,
    /// The label of [`TrayAction::Refresh`].
    pub refresh: String,
    /// The label of [`TrayAction::MarkAllRead`].
    pub mark_all_read: String,
    /// The label of [`TrayAction::Pause`].
    pub pause: String,
    /// The label of [`TrayAction::Quit`].
    pub quit: String,
}

/// An item of the tray's menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrayAction {
    /// Brings the window to the front.
    Show,
    /// Refreshes all feeds.
    Refresh,
    /// Marks all articles as read.
    MarkAllRead,
    /// Stops automatic refreshing, or starts it again.
    Pause,
    /// Ends the program.
    Quit,
}

/// The services of the desktop. The window and the tests have one each.
pub trait Platform: Send + Sync + 'static {
    /// Opens an address in the browser, without waiting for it. With `behind`, the window keeps the focus where possible.
    /// `failed` is called if no browser could be started.
    fn open_url(&self, url: Url, behind: bool, failed: Box<dyn FnOnce() + Send>);

    /// Lets the user choose files to open. Empty if the dialog was cancelled.
    fn pick_files(&self, filters: Vec<FileFilter>, several: bool) -> BoxFuture<'_, Vec<PathBuf>>;

    /// Lets the user choose a folder. `None` if the dialog was cancelled.
    fn pick_folder(&self) -> BoxFuture<'_, Option<PathBuf>>;

    /// Lets the user choose where to save a file.
    fn save_file(&self, name: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>>;

    /// Shows a folder in the file manager.
    ///
    /// # Errors
    /// The reason, for the log.
    fn show_folder(&self, folder: PathBuf) -> BoxFuture<'_, Result<(), String>>;

    /// Returns the proxy settings of the desktop, if the environment does not contain any.
    fn proxies(&self) -> Option<Arc<dyn DesktopProxies>> {
        None
    }

    /// Returns the versions of the libraries that show the window, for diagnostics.
    fn versions(&self) -> String;

    /// Returns whether the desktop has a tray that shows Gleaner.
    fn has_tray(&self) -> bool;

    /// Shows this in the tray, if there is one.
    fn update_tray(&self, state: TrayState);

    /// Brings the window to the front.
    fn raise_window(&self);

    /// Shows the page of an article in a separate window, or prints it. A window that already shows the article is raised.
    ///
    /// # Errors
    /// The reason, for the log.
    fn open_article(&self, window: ArticleWindow) -> Result<(), String>;

    /// Hides the window, which stays loaded.
    fn hide_window(&self);

    /// Unloads the window if it is hidden. [`Self::raise_window`] loads it again.
    fn unload_window(&self);

    /// Paints the window in the colours of this theme before its page is there, now and at the next start.
    fn use_theme(&self, theme: Theme);

    /// Ends the program.
    fn quit(&self);

    /// Returns whether the program updates itself.
    fn updates_itself(&self) -> bool;

    /// Returns the latest version if it is newer than this one. With `daily`, sends a request only if the last response is more than a day
    /// old.
    fn find_update(&self, daily: bool) -> BoxFuture<'_, Result<Option<String>, UpdateError>>;

    /// Replaces the program with the latest version after verifying its signature. Nothing is replaced if the future is dropped earlier.
    fn install_update(&self, progress: Box<dyn FnMut(UpdateProgress) + Send>)
    -> BoxFuture<'_, Result<(), UpdateError>>;

    /// Ends the program and starts it again, after an update.
    fn restart(&self);

    /// Returns how Gleaner starts at login, or `None` if it cannot.
    fn login_start(&self) -> Option<LoginStart>;

    /// Sets how Gleaner starts at login.
    ///
    /// # Errors
    /// The reason, for the log.
    fn set_login_start(&self, start: LoginStart) -> Result<(), String>;

    /// Shows a desktop notification, without waiting for it.
    fn notify(&self, notice: Notice);
}
