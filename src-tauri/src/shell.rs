//! What the shell holds while it runs.

use crate::{convert, links::Doubted, refresh, welcome};
use gleaner_contract::{ErrorCode, IpcError, LibraryChanged};
use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::{Library, UnreadFound, default_folder};
use gleaner_polling::Poller;
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex as BlockingMutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};
use tokio::sync::{Mutex, MutexGuard as CoreGuard, Notify};
use tokio_util::sync::CancellationToken;
use url::Url;

/// So long the library is waited for by whoever wants to put another in its place.
const LET_GO: Duration = Duration::from_secs(30);

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
    pub hearing: BlockingMutex<Hearing>,
    /// One refresh at a time; see [`crate::refresh`].
    pub refreshing: Mutex<()>,
    pub refresh: Slot,
    /// True when what runs is stopped only to let something else go first.
    pub interrupted: AtomicBool,
    /// Feeds that a refresh had still to ask when it was interrupted.
    pub left_over: BlockingMutex<Vec<i64>>,
    pub refresh_progress: BlockingMutex<Option<gleaner_contract::RefreshProgress>>,
    pub import: Slot,
    /// A rule that is being applied to all.
    pub apply: Slot,
    /// Everything in one archive, and articles as documents.
    pub export: Slot,
    pub save: Slot,
    pub discovery: Slot,
    /// The feeds whose history is being fetched, and what stops that.
    backfills: BlockingMutex<HashMap<i64, CancellationToken>>,
    /// Until when the window takes the focus back from a browser; see [`crate::links`].
    pub stay_until: BlockingMutex<Option<Instant>>,
    /// Links that are asked about before they are opened.
    pub doubted: Doubted,
    /// The file that the user picked last, to subscribe to it.
    pub picked_file: BlockingMutex<Option<Url>>,
    /// Says that feeds may have become due, or that the wish to poll by itself has changed.
    pub polling_changed: Notify,
    /// Says that articles may have come in or changed which cannot be found yet; see [`crate::index`].
    pub index_behind: Notify,
    /// Says that saved searches may find something else now, or that tags have changed; see [`crate::collections`].
    pub collections_changed: Notify,
    /// Unread articles of saved searches, as they were last counted.
    pub counted: BlockingMutex<HashMap<i64, UnreadFound>>,
    /// The same for the languages that articles are in.
    pub languages: BlockingMutex<Vec<(String, UnreadFound)>>,
    pub indexing: Mutex<()>,
    /// Says that there may be something to fetch ahead; see [`crate::ahead`].
    pub ahead_wanted: Notify,
    pub ahead: Slot,
    pub ahead_running: AtomicBool,
    pub full_text: Slot,
    /// Says that feeds may have answered that have no icon; see [`crate::icons`].
    pub icons_wanted: Notify,
    pub icons: Slot,
    pub comments: Slot,
    pub chapters: Slot,
    /// Says that there may be more than is to be kept; see [`crate::keeping`].
    pub keeping_due: Notify,
    /// What the user lets go at this moment, and what goes by itself.
    pub keeping: Slot,
    pub clearing: Slot,
    pub index: Slot,
}

/// Whether the window listens: what is said before that it does not hear.
#[derive(Default)]
pub struct Hearing {
    hears: bool,
    /// What changed in the library before.
    unheard: Option<LibraryChanged>,
}

impl Hearing {
    /// What the window is told of a change: nothing before it listens.
    pub fn changed(&mut self, changed: LibraryChanged) -> Option<LibraryChanged> {
        if self.hears {
            return Some(changed);
        }
        let before = self.unheard.take().unwrap_or(LibraryChanged { structure: false, articles: false });
        self.unheard = Some(LibraryChanged {
            structure: changed.structure || before.structure,
            articles: changed.articles || before.articles,
        });
        None
    }

    /// It listens from now on: whether that is new, and what it is told of what it did not hear.
    pub fn begin(&mut self) -> (bool, Option<LibraryChanged>) {
        (!std::mem::replace(&mut self.hears, true), self.unheard.take())
    }
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
        let folder = Self::folder()?;
        let library = Arc::new(Library::open(&folder).await.map_err(convert::library_error)?);
        let fetcher = Fetcher::new(Limits::default()).map_err(|error| convert::fetch_error(&error))?;
        welcome::install(&library).await.map_err(convert::library_error)?;
        let opened = Core { poller: Poller::new(library.clone(), fetcher.clone()), library, fetcher };
        *core = Some(opened.clone());
        self.index_behind.notify_one();
        Ok(opened)
    }

    /// The files named on the command line, once.
    pub fn take_files(&self) -> Vec<PathBuf> {
        std::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn backfills(&self) -> MutexGuard<'_, HashMap<i64, CancellationToken>> {
        self.backfills.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The library's folder, whether it opens or not.
    pub fn folder() -> Result<PathBuf, IpcError> {
        default_folder().ok_or_else(|| convert::internal("this system names no home folder"))
    }

    /// Stops what runs, and closes the library, which stays closed for as long as the answer is held.
    ///
    /// # Errors
    /// `busy` when something does not let go of it.
    pub async fn closed(&self) -> Result<CoreGuard<'_, Option<Core>>, IpcError> {
        let mut core = self.core.lock().await;
        let Some(open) = core.take() else { return Ok(core) };
        let mut library = open.library.clone();
        drop(open);
        let begun = Instant::now();
        loop {
            // With each look: what had just begun when it was told to stop has not heard it.
            self.stop();
            match Arc::try_unwrap(library) {
                Ok(library) => {
                    // A damaged one may fail to; its log is then set aside with it.
                    if let Err(error) = library.close().await {
                        eprintln!("gleaner: {error}");
                    }
                    return Ok(core);
                }
                Err(shared) if begun.elapsed() < LET_GO => library = shared,
                Err(_) => {
                    let message = "something in this window still uses the library".to_owned();
                    return Err(IpcError { code: ErrorCode::Busy, message, detail: None });
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn stop(&self) {
        refresh::stop(self);
        self.import.cancel();
        self.apply.cancel();
        self.export.cancel();
        self.save.cancel();
        self.discovery.cancel();
        self.index.cancel();
        self.ahead.cancel();
        self.full_text.cancel();
        self.icons.cancel();
        self.comments.cancel();
        self.chapters.cancel();
        self.keeping.cancel();
        self.clearing.cancel();
        self.backfills().values().for_each(CancellationToken::cancel);
    }

    /// Stops what runs, and closes the library.
    pub async fn close(&self) {
        self.stop();
        // A batch takes some 10 ms.
        let _idle = self.indexing.lock().await;
        // Where another is just put in its place, that may end at any moment: one of the two is there.
        let Ok(mut core) = self.core.try_lock() else { return };
        let Some(core) = core.take() else { return };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_before_the_window_listened_is_told_once_when_it_does() {
        let changed = |structure, articles| LibraryChanged { structure, articles };
        let mut hearing = Hearing::default();
        assert_eq!(hearing.changed(changed(false, true)), None);
        assert_eq!(hearing.changed(changed(true, false)), None);
        assert_eq!(hearing.begin(), (true, Some(changed(true, true))));
        assert_eq!(hearing.changed(changed(false, true)), Some(changed(false, true)));
        assert_eq!(hearing.begin(), (false, None));
    }
}
