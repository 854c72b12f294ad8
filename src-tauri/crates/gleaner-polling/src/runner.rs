//! The poller of a library: its HTTP clients, its clock and the polling lock. [`Poller::refresh`] polls many feeds at once.

mod batch;
mod hosts;
mod polled;
mod read;
mod refresh;
mod request;
mod round;

use crate::{
    FeedError, FeedErrorCode,
    host_limiter::{Hosts, SharedLimiter},
    host_queue::HostLocks,
    record,
    rules::Rules,
};
use gleaner_fetch::{FetchError, Fetcher, Request, Response};
use gleaner_library::{Library, LibraryError, Millis, PollingLock};
use parking_lot::Mutex as BlockingMutex;
use std::{
    num::NonZero,
    sync::{Arc, Weak, atomic::AtomicBool},
};
use tokio::sync::Semaphore;

/// An error that ends polling.
#[derive(Debug, thiserror::Error)]
pub enum PollError {
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A task panicked: a bug.
    #[error("polling failed: {0}")]
    Task(#[from] tokio::task::JoinError),
}

/// Polls a library's feeds.
#[derive(Debug, Clone)]
pub struct Poller {
    pub(crate) library: Arc<Library>,
    /// For services that a person uses.
    fetcher: Fetcher,
    /// For pages and feeds that a person names.
    naming: Fetcher,
    /// For all others, with a pause after each.
    pub(crate) pacing: Fetcher,
    contacted: Hosts,
    clock: fn() -> Millis,
    /// Limits the number of documents that are parsed at once to the number of cores: more would cost memory and save no time.
    pub(crate) cores: Arc<Semaphore>,
    pub(crate) hosts: HostLocks,
    /// Whether image rows and image files were reconciled since the start.
    pub(crate) reconciled: Arc<AtomicBool>,
    /// Shared by all polling of this process.
    lock: Arc<BlockingMutex<Weak<PollingLock>>>,
}

impl Poller {
    /// Creates a poller for a library.
    pub fn new(library: Arc<Library>, fetcher: Fetcher) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let poller = Self {
            library,
            naming: fetcher.clone(),
            pacing: fetcher.clone(),
            fetcher,
            contacted: Hosts::default(),
            clock: gleaner_library::now,
            cores: Arc::new(Semaphore::new(cores)),
            hosts: HostLocks::default(),
            reconciled: Arc::default(),
            lock: Arc::default(),
        };
        poller.with_clock(gleaner_library::now)
    }

    /// Returns the HTTP client for services that a person uses: one connection per host, without pauses in between.
    pub fn fetcher(&self) -> &Fetcher {
        &self.fetcher
    }

    /// Requests a page or feed that the user named, without a pause afterwards. A host that asked for a pause is not contacted. If a host
    /// asks for one now, it is not contacted until the pause ends (P31).
    ///
    /// # Errors
    /// [`FetchError`]; of kind [`Waiting`](gleaner_fetch::FetchErrorKind::Waiting) if nothing was sent.
    pub async fn fetch_named(&self, request: Request) -> Result<Response, FetchError> {
        let response = self.naming.fetch(request).await;
        if let Err(error) = &response
            && let Some((host, until)) = record::host_wait(error, self.now())
            && let Err(error) = self.library.hosts().wait_until(&host, until).await
        {
            // For this process, the limiter knows it.
            tracing::warn!(host, %error, "a pause that a host asked for was not stored");
        }
        response
    }

    /// Replaces the system's clock.
    #[must_use]
    pub fn with_clock(self, clock: fn() -> Millis) -> Self {
        let limited = |pauses, insists| {
            let (library, hosts) = (self.library.clone(), self.contacted.clone());
            self.fetcher.with_limiter(Arc::new(SharedLimiter { library, clock, hosts, pauses, insists }))
        };
        Self {
            fetcher: limited(false, true),
            naming: limited(false, false),
            pacing: limited(true, false),
            clock,
            ..self
        }
    }

    /// Returns the current rules.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn rules(&self) -> Result<Rules, LibraryError> {
        let searches = self.library.saved_searches().list().await?;
        let rules = Rules::compile(&self.library.rules().list_uncounted().await?).and_notify_of(&searches);
        if rules.is_empty() {
            return Ok(rules);
        }
        let (feeds, folders) = (self.library.feeds().query_texts().await?, self.library.folders().list().await?);
        Ok(rules.about(feeds, &folders, self.library.categories().synonym_map().await?))
    }

    pub(crate) fn now(&self) -> Millis {
        (self.clock)()
    }

    /// Returns the lock that allows this process to poll, shared by all of its polling; `None` if another process has it.
    pub(crate) fn lock(&self) -> Result<Option<Arc<PollingLock>>, LibraryError> {
        let mut shared = self.lock.lock();
        if let Some(lock) = shared.upgrade() {
            return Ok(Some(lock));
        }
        let lock = self.library.polling_lock()?.map(Arc::new);
        *shared = lock.as_ref().map(Arc::downgrade).unwrap_or_default();
        Ok(lock)
    }
}

/// Logs an error of the program or of the library, and returns what is stored of it.
fn internal(feed: i64, error: &impl std::fmt::Display) -> FeedError {
    tracing::error!(feed, %error, "polling failed");
    FeedErrorCode::Internal.into()
}
