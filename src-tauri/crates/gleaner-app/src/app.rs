//! The app: the library with everything that works on it, shared by all use cases.

use crate::{
    error::{self, AppError, Result},
    events::Events,
    jobs::Jobs,
    platform::Platform,
    session::{Session, Signals},
    welcome,
};
use gleaner_contract::{ErrorCode, Event, LibraryChanged};
use gleaner_fetch::{DesktopProxies, Fetcher, Settings};
use gleaner_library::{Library, LibraryError};
use gleaner_polling::Poller;
use parking_lot::Mutex as BlockingMutex;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};
use tokio::{
    runtime::Handle,
    sync::{Mutex, MutexGuard, Notify},
    task::JoinHandle,
};

/// How long the window waits for another process that uses the library, before it says so.
const OPEN_WITHIN: Duration = Duration::from_secs(2);
/// How long replacing the library waits for the work that still uses it.
const CLOSE_WITHIN: Duration = Duration::from_secs(30);
/// How long quitting waits for running jobs.
const QUIT_WITHIN: Duration = Duration::from_secs(5);

/// The open library, with the poller and the proxy settings that it uses.
#[derive(Clone)]
pub struct Core {
    /// The library.
    pub library: Arc<Library>,
    /// Created on first use, since reading the system's certificates takes time and may fail.
    poller: Arc<OnceLock<Poller>>,
    proxies: Option<Arc<dyn DesktopProxies>>,
}

impl Core {
    /// Returns the poller, which polls feeds and downloads articles.
    ///
    /// # Errors
    /// TLS cannot be set up on this computer.
    pub fn poller(&self) -> Result<&Poller> {
        if let Some(poller) = self.poller.get() {
            return Ok(poller);
        }
        let fetcher = Fetcher::with(Settings { desktop: self.proxies.clone(), ..Settings::default() })?;
        Ok(self.poller.get_or_init(|| Poller::new(self.library.clone(), fetcher)))
    }
}

/// The application layer. Clones share one app.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    folder: Option<PathBuf>,
    runtime: Handle,
    platform: Option<Box<dyn Platform>>,
    core: Mutex<Option<Core>>,
    /// Receives the reason why the library is only read; without it, a library that cannot be written does not open.
    reading: Option<fn(AppError)>,
    /// When another process was last found to use the library, so that it did not open.
    in_use: BlockingMutex<Option<Instant>>,
    events: Events,
    jobs: Jobs,
    signals: Signals,
    session: Session,
}

impl Inner {
    fn without_window(runtime: Handle) -> Self {
        Self {
            folder: None,
            runtime,
            platform: None,
            core: Mutex::default(),
            reading: None,
            in_use: BlockingMutex::default(),
            events: Events::default(),
            jobs: Jobs::default(),
            signals: Signals::default(),
            session: Session::default(),
        }
    }
}

impl App {
    /// Creates an app on the library in `folder`, which is opened on first use. `files` are imported when the window listens.
    pub fn new(folder: Option<PathBuf>, files: Vec<PathBuf>, runtime: Handle, platform: impl Platform) -> Self {
        let session = Session { files: BlockingMutex::new(files), ..Session::default() };
        Self(Arc::new(Inner { folder, platform: Some(Box::new(platform)), session, ..Inner::without_window(runtime) }))
    }

    /// Creates an app for a program without a window. It adds no welcome feed.
    pub fn without_window(folder: PathBuf, runtime: Handle) -> Self {
        Self(Arc::new(Inner { folder: Some(folder), ..Inner::without_window(runtime) }))
    }

    /// Creates an app for a program without a window that only reads the library. If the library cannot be written, it is opened all the same,
    /// and `notice` receives the reason.
    pub fn only_reading(folder: PathBuf, runtime: Handle, notice: fn(AppError)) -> Self {
        Self(Arc::new(Inner { folder: Some(folder), reading: Some(notice), ..Inner::without_window(runtime) }))
    }

    /// Returns the core. Opens the library on the first call, and again on each call while that fails.
    ///
    /// # Errors
    /// Why the library does not open.
    pub async fn core(&self) -> Result<Core> {
        let asked = Instant::now();
        let mut core = self.0.core.lock().await;
        if let Some(core) = core.as_ref() {
            return Ok(core.clone());
        }
        // Each of the window's first requests would wait for the other process again, one after another.
        if self.0.in_use.lock().is_some_and(|found| asked <= found) {
            return Err(LibraryError::Locked.into());
        }
        let library = Arc::new(self.open().await?);
        if self.0.platform.is_some() {
            welcome::install(&library).await?;
        }
        let opened = Core {
            library,
            poller: Arc::default(),
            proxies: self.0.platform.as_ref().and_then(|platform| platform.proxies()),
        };
        *core = Some(opened.clone());
        self.wake();
        Ok(opened)
    }

    /// Opens the library. The window soon says that another process uses it; a program without one waits.
    async fn open(&self) -> Result<Library> {
        let folder = self.folder()?;
        if self.0.platform.is_none() {
            return self.open_without_window(folder).await;
        }
        let opened = Library::open_within(folder, OPEN_WITHIN).await;
        if matches!(opened, Err(LibraryError::Locked)) {
            *self.0.in_use.lock() = Some(Instant::now());
        }
        Ok(opened?)
    }

    /// Opens the library only to read it if it cannot be written and that is enough.
    async fn open_without_window(&self, folder: &Path) -> Result<Library> {
        let error = match (Library::open(folder).await, self.0.reading) {
            (Err(error @ (LibraryError::ReadOnly { .. } | LibraryError::DiskFull)), Some(notice)) => {
                match Library::open_to_read(folder).await {
                    Ok(library) => {
                        notice(error.into());
                        return Ok(library);
                    }
                    // Why it cannot be written says more.
                    Err(_) => error,
                }
            }
            (opened, _) => return Ok(opened?),
        };
        Err(error.into())
    }

    /// Wakes the background work. Work that found no library or another one, or that was cancelled to close the library, would otherwise
    /// wait for a long time.
    fn wake(&self) {
        let Signals { index, polling, sharing, sync_intervals, .. } = self.signals();
        [index, polling, sharing, sync_intervals].into_iter().for_each(Notify::notify_one);
    }

    /// The folder of the library, whether it opens or not.
    ///
    /// # Errors
    /// The system names no home folder.
    pub fn folder(&self) -> Result<&Path> {
        self.0
            .folder
            .as_deref()
            .ok_or_else(|| AppError::new(ErrorCode::NoHomeFolder, "this system names no home folder"))
    }

    /// The events of this app.
    pub fn events(&self) -> &Events {
        &self.0.events
    }

    /// The jobs of this app.
    pub fn jobs(&self) -> &Jobs {
        &self.0.jobs
    }

    pub(crate) fn platform(&self) -> Result<&dyn Platform> {
        self.0.platform.as_deref().ok_or_else(|| error::internal("this program has no window"))
    }

    pub(crate) fn signals(&self) -> &Signals {
        &self.0.signals
    }

    pub(crate) fn session(&self) -> &Session {
        &self.0.session
    }

    /// Runs a task in the background, also when called from outside the runtime.
    pub(crate) fn spawn<F>(&self, task: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.0.runtime.spawn(task)
    }

    pub(crate) fn emit(&self, event: Event) {
        self.0.events.send(&event);
    }

    /// Updates counts and accounts after marks that the window already shows.
    pub(crate) fn marks_changed(&self) {
        self.signals().collections.notify_one();
        self.signals().marks.notify_one();
        self.signals().tray.notify_one();
    }

    /// Announces a change of the library: of feeds and folders (`structure`), or of articles.
    pub(crate) fn library_changed(&self, structure: bool, articles: bool) {
        let signals = self.signals();
        if articles {
            signals.index.notify_one();
            signals.downloads.notify_one();
        }
        if structure {
            signals.icons.notify_one();
        }
        self.marks_changed();
        self.0.events.library_changed(LibraryChanged { structure, articles });
    }

    /// Cancels all jobs and closes the library, which stays closed while the returned guard is held.
    ///
    /// # Errors
    /// `busy` if something does not stop using the library, which stays open then.
    pub(crate) async fn closed(&self) -> Result<MutexGuard<'_, Option<Core>>> {
        let begun = Instant::now();
        let busy = || AppError::new(ErrorCode::Busy, "a task still uses the library");
        self.jobs().close();
        let mut is_in_use = false;
        let closed = loop {
            let mut core = self.0.core.lock().await;
            let Some(open) = core.take() else {
                // The program quits meanwhile, and the task may still use the library.
                if is_in_use {
                    return Err(busy());
                }
                break Ok(core);
            };
            let (library, proxies) = (open.library.clone(), open.proxies.clone());
            drop(open);
            self.forget_servers();
            match Arc::try_unwrap(library) {
                Ok(library) => {
                    // A damaged library may fail to close; its log is then moved aside with it.
                    if let Err(error) = library.close().await {
                        tracing::warn!(%error, "the library did not close cleanly");
                    }
                    break Ok(core);
                }
                // Work that still uses the library may have to open it again before it is done.
                Err(library) => *core = Some(Core { library, poller: Arc::default(), proxies }),
            }
            drop(core);
            is_in_use = true;
            if begun.elapsed() >= CLOSE_WITHIN {
                break Err(busy());
            }
            // pause: nothing announces that the last user of the library is done.
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        self.jobs().reopen();
        if closed.is_err() {
            self.wake();
        }
        closed
    }

    /// Ends the sessions on servers, whose requests use the library. One that synchronises keeps its session until it has ended.
    fn forget_servers(&self) {
        if let Ok(mut servers) = self.session().servers.try_lock() {
            servers.clear();
        }
    }

    /// Cancels all jobs, waits a bounded time for them, and closes the library.
    ///
    /// # Errors
    /// The library did not close cleanly. Nothing is lost: the next start does the rest.
    pub async fn quit(&self) -> Result<()> {
        if !self.jobs().shut_down(QUIT_WITHIN).await {
            tracing::warn!("some jobs did not end in time");
        }
        // The library may be in the middle of a replacement. Then either the old or the new one is in place.
        let Some(core) = self.0.core.try_lock().ok().and_then(|mut core| core.take()) else { return Ok(()) };
        let library = core.library.clone();
        drop(core);
        self.forget_servers();
        // If a task still uses the library, the write-ahead log stays next to it and is applied at the next opening.
        match Arc::try_unwrap(library) {
            Ok(library) => Ok(library.close().await?),
            Err(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_sync::{Client, Connection, Kind};
    use std::pin::pin;

    #[tokio::test]
    async fn an_app_without_a_window_only_opens_the_library() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let core = app.core().await.unwrap();
        assert_eq!(core.library.feeds().list().await.unwrap(), []);
        assert!(core.poller.get().is_none(), "an HTTP client is created when it is needed");
        assert!(app.platform().is_err());
        drop(core);
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn what_waited_for_a_library_in_use_does_not_wait_again() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let opening = app.0.core.lock().await;
        let mut waiting = pin!(app.core());
        assert!(futures::poll!(&mut waiting).is_pending());
        *app.0.in_use.lock() = Some(Instant::now());
        drop(opening);
        assert_eq!(waiting.await.err().unwrap().code(), ErrorCode::LibraryInUse);
        drop(app.core().await.unwrap());
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn a_session_at_a_server_does_not_keep_the_library_open() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let core = app.core().await.unwrap();
        let fetcher = core.poller().unwrap().fetcher().clone();
        drop(core);
        let connection = Connection { fetcher, base: "https://rss.example/".parse().unwrap(), certificate: None };
        let client = Client::new(Kind::Miniflux, connection, "anna", String::new());
        app.session().servers.lock().await.insert(2, (client, Arc::default()));
        drop(app.closed().await.unwrap());
    }
}
