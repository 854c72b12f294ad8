//! What the shell holds while it runs.

use crate::{convert, welcome};
use gleaner_contract::IpcError;
use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::{Library, default_folder};
use gleaner_polling::Poller;
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex as BlockingMutex, MutexGuard, PoisonError, atomic::AtomicBool},
};
use tokio::sync::{Mutex, Notify};
use tokio_util::sync::CancellationToken;
use url::Url;

/// The core, once the library is open.
#[derive(Clone)]
pub struct Core {
    pub library: Arc<Library>,
    pub fetcher: Fetcher,
    pub poller: Poller,
}

/// Tauri's managed state.
#[derive(Default)]
pub struct Shell {
    core: Mutex<Option<Core>>,
    /// Files named on the command line, until the window can show what comes of them.
    files: BlockingMutex<Vec<PathBuf>>,
    /// One refresh at a time; see [`crate::refresh`].
    pub refreshing: Mutex<()>,
    pub refresh: Slot,
    /// True when what runs is stopped only to let something else go first.
    pub interrupted: AtomicBool,
    /// Feeds that a refresh had still to ask when it was interrupted.
    pub left_over: BlockingMutex<Vec<i64>>,
    pub refresh_progress: BlockingMutex<Option<gleaner_contract::RefreshProgress>>,
    pub import: Slot,
    pub discovery: Slot,
    /// The feeds whose history is being fetched, and what stops that.
    backfills: BlockingMutex<HashMap<i64, CancellationToken>>,
    /// The file that the user picked last, to subscribe to it.
    pub picked_file: BlockingMutex<Option<Url>>,
    /// Says that feeds may have become due, or that the wish to poll by itself has changed.
    pub polling_changed: Notify,
}

/// Something long that can be stopped.
#[derive(Default)]
pub struct Slot(BlockingMutex<Option<CancellationToken>>);

impl Slot {
    /// Begins it: what ran here before is stopped.
    pub fn begin(&self) -> CancellationToken {
        let token = CancellationToken::new();
        if let Some(before) = self.lock().replace(token.clone()) {
            before.cancel();
        }
        token
    }

    pub fn cancel(&self) {
        if let Some(token) = self.lock().take() {
            token.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shell {
    pub fn new(files: Vec<PathBuf>) -> Self {
        Self { files: BlockingMutex::new(files), ..Self::default() }
    }

    /// The core. Opens the library at the first call, and at each further one while that fails: so "try again" is a call.
    pub async fn core(&self) -> Result<Core, IpcError> {
        let mut core = self.core.lock().await;
        if let Some(core) = core.as_ref() {
            return Ok(core.clone());
        }
        let folder = default_folder().ok_or_else(|| convert::internal("this system names no home folder"))?;
        let library = Arc::new(Library::open(&folder).await.map_err(convert::library_error)?);
        let fetcher = Fetcher::new(Limits::default()).map_err(|error| convert::fetch_error(&error))?;
        welcome::install(&library).await.map_err(convert::library_error)?;
        let opened = Core { poller: Poller::new(library.clone(), fetcher.clone()), library, fetcher };
        *core = Some(opened.clone());
        Ok(opened)
    }

    /// The files named on the command line, once.
    pub fn take_files(&self) -> Vec<PathBuf> {
        std::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn backfills(&self) -> MutexGuard<'_, HashMap<i64, CancellationToken>> {
        self.backfills.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops what runs, and closes the library.
    pub async fn close(&self) {
        self.refresh.cancel();
        self.import.cancel();
        self.discovery.cancel();
        self.backfills().values().for_each(CancellationToken::cancel);
        let Some(core) = self.core.lock().await.take() else { return };
        let library = core.library.clone();
        drop(core);
        // Where a task still holds it the log stays beside the library, and the next opening writes it back.
        if let Ok(library) = Arc::try_unwrap(library)
            && let Err(error) = library.close().await
        {
            eprintln!("gleaner: {error}");
        }
    }
}
