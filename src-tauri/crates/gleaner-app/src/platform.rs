//! What only the program around the app can do: file dialogs, the browser, notifications.

use futures::future::BoxFuture;
use gleaner_contract::NewArticlesNotice;
use std::path::PathBuf;
use url::Url;

/// The files that a dialog offers.
#[derive(Debug, Clone)]
pub struct FileFilter {
    /// Name shown in the dialog.
    pub name: &'static str,
    /// File name extensions without the dot; `*` is any.
    pub extensions: &'static [&'static str],
}

/// The services of the desktop. The window and the tests have one each.
pub trait Platform: Send + Sync + 'static {
    /// Opens an address in the browser, without waiting for it. With `behind`, the window keeps the focus where possible.
    /// `failed` is called if no browser could be started.
    fn open_url(&self, url: Url, behind: bool, failed: Box<dyn FnOnce() + Send>);

    /// Lets the user choose files to open. Empty if the dialog was cancelled.
    fn pick_files(&self, filters: Vec<FileFilter>, several: bool) -> BoxFuture<'_, Vec<PathBuf>>;

    /// Lets the user choose where to save a file.
    fn save_file(&self, name: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>>;

    /// Shows a folder in the file manager.
    ///
    /// # Errors
    /// The reason, for the log.
    fn show_folder(&self, folder: PathBuf) -> BoxFuture<'_, Result<(), String>>;

    /// Shows a desktop notification.
    fn notify(&self, notice: NewArticlesNotice) -> BoxFuture<'_, ()>;
}
