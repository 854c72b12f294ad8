//! Requests of the commands that need no library. If the user has a library, servers that asked it to wait are not contacted (P31).

use crate::messages::Failure;
use gleaner_address::{has_web_scheme, split_login};
use gleaner_app::App;
use gleaner_discovery::Source;
use gleaner_fetch::{FetchError, Fetcher, Limits, Request, Response};
use gleaner_library::{Library, default_folder};
use gleaner_polling::{
    Poller,
    file::{self, FeedFileError},
};
use std::{
    io::{Read as _, stdin},
    path::{Path, PathBuf},
};
use tokio::runtime::Runtime;
use url::Url;

/// Returns the address that the user gave for a file's contents, without a password, which would be in every link.
pub fn base_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("the base URL is invalid: {error}"))?;
    Ok(split_login(&url).map_or(url, |(bare, _)| bare))
}

/// Returns the path of a `file:` address.
pub fn path_of_address(address: &str) -> Option<PathBuf> {
    Url::parse(address).ok().filter(|url| url.scheme() == "file")?.to_file_path().ok()
}

/// Reads a whole file, of at most `limit` bytes; `-` is the standard input.
pub fn contents(file: &Path, limit: u64) -> Result<Vec<u8>, FeedFileError> {
    if file != Path::new("-") {
        let path = file.to_str().and_then(path_of_address);
        return file::contents(path.as_deref().unwrap_or(file), limit);
    }
    let mut bytes = Vec::new();
    let read = stdin().lock().take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| FeedFileError::Io { path: file.to_owned(), error })?;
    if bytes.len() as u64 > limit {
        return Err(FeedFileError::TooLarge { path: file.to_owned(), limit });
    }
    Ok(bytes)
}

/// Whether a source is an address on the web, and not a file.
pub fn is_web_address(source: &str) -> bool {
    has_web_scheme(&source.to_ascii_lowercase())
}

/// The web, with the pauses of a library if there is one.
pub struct Web {
    runtime: Runtime,
    library: Option<(App, Poller)>,
    fetcher: Fetcher,
}

impl Web {
    /// Opens the library in this folder, or the window's. A library that is missing or cannot be opened is not needed here.
    pub fn open(folder: Option<PathBuf>) -> Result<Self, Failure> {
        let runtime = Runtime::new()?;
        let fetcher = Fetcher::new(Limits::default())?;
        let folder = folder.or_else(default_folder).filter(|folder| Library::exists(folder));
        let library = folder.and_then(|folder| {
            let app = App::without_window(folder, runtime.handle().clone());
            let core = runtime.block_on(app.core()).ok()?;
            let poller = core.poller().ok()?.clone();
            Some((app, poller))
        });
        Ok(Self { runtime, library, fetcher })
    }

    /// Opens no library, so that no server has a pause.
    pub fn without_library() -> Result<Self, Failure> {
        Ok(Self { runtime: Runtime::new()?, library: None, fetcher: Fetcher::new(Limits::default())? })
    }

    /// Waits for requests, and closes the library.
    pub fn run<T>(self, requests: impl AsyncFnOnce(&Self) -> T) -> T {
        let result = self.runtime.block_on(requests(&self));
        self.close();
        result
    }

    /// Waits for a request, on any thread.
    pub fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        self.runtime.block_on(self.get(request))
    }

    /// Closes the library.
    pub fn close(self) {
        if let Some((app, poller)) = self.library {
            drop(poller);
            // Nothing was changed, so no data can be lost.
            let _closed = self.runtime.block_on(app.quit());
        }
    }
}

impl Source for Web {
    async fn get(&self, request: Request) -> Result<Response, FetchError> {
        match &self.library {
            Some((_, poller)) => poller.fetch_named(request).await,
            None => self.fetcher.fetch(request).await,
        }
    }
}
