//! Limits the requests to each host: one connection at a time, with a pause after each request (P44), and none before the end of a pause
//! that the host asked for (P31). This also applies to the hosts that redirects lead to.

use crate::{host_queue::host, record, schedule};
use gleaner_fetch::{Acquiring, HostLimiter, HostPermit};
use gleaner_library::{Library, Millis};
use parking_lot::{Mutex as BlockingMutex, MutexGuard};
use std::{
    collections::HashMap,
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::{Mutex, OwnedMutexGuard};
use url::Url;

/// Number of hosts after which those that are idle are forgotten.
const REMEMBERED: usize = 1024;

/// How long the pauses read from the library are used before they are read again. Those of this process are known at once; another process
/// may add one.
const REREAD: Duration = Duration::from_secs(1);

/// The hosts that this process contacts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hosts {
    states: Arc<BlockingMutex<HashMap<String, Arc<Mutex<State>>>>>,
    stored: Arc<Mutex<Stored>>,
}

/// The pauses in the library, so that a refresh of a thousand hosts does not read them a thousand times.
#[derive(Debug, Default)]
struct Stored {
    read: Option<Instant>,
    waiting: HashMap<String, Millis>,
    /// Pauses that may not be in the library yet.
    coming: HashMap<String, Millis>,
}

#[derive(Debug, Default)]
struct State {
    /// When the pause after the last request ends.
    rested: Option<Instant>,
    /// The end of the pause that the host asked for. The library has it as well, once the response is stored.
    waits: Option<Millis>,
}

impl Hosts {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Mutex<State>>>> {
        self.states.lock()
    }

    /// Waits until no other request goes to the host.
    async fn lock(&self, host: &str, now: Millis) -> OwnedMutexGuard<State> {
        let state = {
            let mut all = self.all();
            if all.len() >= REMEMBERED {
                let is_used = |state: &Arc<Mutex<State>>| {
                    Arc::strong_count(state) > 1 || state.try_lock().is_ok_and(|state| state.is_needed(now))
                };
                all.retain(|_, state| is_used(state));
            }
            all.entry(host.to_owned()).or_default().clone()
        };
        state.lock_owned().await
    }

    /// Starts a pause for a host that did not say how long to wait. The library has it as well, once the response is stored.
    pub(crate) async fn wait(&self, host: &str, until: Millis, now: Millis) {
        let mut stored = self.stored.lock().await;
        stored.coming.retain(|_, until| *until > now);
        stored.coming.insert(host.to_owned(), until);
    }

    /// Returns the end of a host's pause that is in the library or about to be stored.
    async fn stored_wait(&self, library: &Library, host: &str, now: Millis) -> Option<Millis> {
        let mut stored = self.stored.lock().await;
        if stored.read.is_none_or(|read| read.elapsed() >= REREAD) {
            // If the library cannot be read, the refresh fails elsewhere. The pauses known here still apply.
            if let Ok(waiting) = library.hosts().waiting(now, now + schedule::MAX_INTERVAL).await {
                (stored.read, stored.waiting) = (Some(Instant::now()), waiting);
            }
        }
        stored.waiting.get(host).max(stored.coming.get(host)).copied()
    }
}

impl State {
    fn is_needed(&self, now: Millis) -> bool {
        self.waits.is_some_and(|until| until > now) || self.rested.is_some_and(|rested| rested > Instant::now())
    }
}

/// The limiter of all requests of a poller.
#[derive(Clone)]
pub(crate) struct SharedLimiter {
    pub(crate) library: Arc<Library>,
    pub(crate) clock: fn() -> Millis,
    pub(crate) hosts: Hosts,
    /// Whether to pause after each request. A person does not wait for it.
    pub(crate) pauses: bool,
    /// Whether a host is contacted in spite of its pause, unless another host redirects to it. Used for services that record themselves
    /// when they may be used.
    pub(crate) insists: bool,
}

impl fmt::Debug for SharedLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedLimiter")
            .field("pauses", &self.pauses)
            .field("insists", &self.insists)
            .finish_non_exhaustive()
    }
}

impl HostLimiter for SharedLimiter {
    fn acquire<'a>(&'a self, url: &'a Url, redirected: bool) -> Acquiring<'a> {
        Box::pin(async move {
            let host = host(url.as_str());
            let state = self.hosts.lock(&host, (self.clock)()).await;
            if redirected || !self.insists {
                let now = (self.clock)();
                let stored = self.hosts.stored_wait(&self.library, &host, now).await;
                let valid = |until: &Millis| (now..=now + schedule::MAX_INTERVAL).contains(until);
                let until = stored.filter(valid).max(state.waits.filter(valid));
                if let Some(left) = until.map(|until| until - now).filter(|left| *left > 0) {
                    return Err(Duration::from_millis(left.unsigned_abs()));
                }
            }
            if let Some(rested) = state.rested.filter(|_| self.pauses) {
                tokio::time::sleep_until(rested.into()).await;
            }
            let entered = Entered {
                state: BlockingMutex::new(state),
                url: url.clone(),
                since: Instant::now(),
                clock: self.clock,
            };
            Ok(Box::new(entered) as Box<dyn HostPermit>)
        })
    }
}

/// A host while a request goes to it.
struct Entered {
    state: BlockingMutex<OwnedMutexGuard<State>>,
    url: Url,
    since: Instant,
    clock: fn() -> Millis,
}

impl HostPermit for Entered {
    fn wait(&self, retry_after: Duration) {
        let until = schedule::host_waits_until(retry_after, (self.clock)());
        self.state.lock().waits = Some(until);
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let rest = record::rest(self.since.elapsed(), &self.url);
        self.state.get_mut().rested = Some(Instant::now() + rest);
    }
}
