//! Polls feeds concurrently, one connection per host, and stores the results, many feeds in one transaction.
//! [`crate::decide`] decides what to store, [`crate::schedule`] when to poll again.

mod polled;
mod read;

pub(crate) use polled::Polled;

use crate::{
    FeedError, FeedErrorCode, access, address, file,
    host_limiter::{Hosts, SharedLimiter},
    host_queue::{HostLocks, group, host, within_allowance},
    network, record,
    report::Captured,
    rules::Rules,
    schedule, secrets,
    still_polled::StillPolled,
    summary::{Progress, Scope, Summary},
};
use futures::{StreamExt as _, stream};
use gleaner_fetch::{Answer, FetchCause, FetchError, FetchErrorKind, Fetcher, Request, Validators};
use gleaner_library::{Access, Incoming, Library, LibraryError, Millis, Poll, PollingLock, Stored};
use polled::Timeout;
use std::{
    collections::{HashMap, HashSet},
    num::NonZero,
    sync::{Arc, Mutex as BlockingMutex, PoisonError, Weak, atomic::AtomicBool},
    time::{Duration, Instant},
};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Number of hosts that are contacted concurrently.
const HOSTS_AT_ONCE: usize = 32;
/// Maximum number of feeds per transaction.
const BATCH: usize = 64;
/// How long a transaction waits for more results: one for 64 feeds costs little more than one for three.
const COLLECTING: Duration = Duration::from_millis(20);
/// How often it looks for them.
const LOOKING: Duration = Duration::from_millis(4);
/// Maximum number of new and changed articles for which it waits, since they take memory.
const COLLECTED_ARTICLES: usize = 500;
/// Pause between two hosts in a scheduled refresh: after the computer has slept, all feeds are due at once (P27).
const BETWEEN_HOSTS: Duration = Duration::from_millis(25);

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
    /// Shared by everything here that polls.
    lock: Arc<BlockingMutex<Weak<PollingLock>>>,
}

/// What is read once per refresh.
pub(crate) struct Round {
    accesses: HashMap<i64, Access>,
    rules: Rules,
    by_hand: bool,
    /// Whether the user named one feed, and is to hear why it cannot be requested.
    named: bool,
    /// Where to put the whole document for the inspector; then validators are not sent.
    captured: Option<Captured>,
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

    /// Requests a page or feed that a person named, without a pause afterwards. A host that asked to be left alone is not contacted, and
    /// one that asks now is not contacted by anything until then (P31).
    ///
    /// # Errors
    /// [`FetchError`]; of kind [`FetchErrorKind::Waiting`] if nothing was sent.
    pub async fn fetch_named(&self, request: Request) -> Result<Answer, FetchError> {
        let answer = self.naming.fetch(request).await;
        if let Err(error) = &answer
            && let Some((host, until)) = record::host_wait(error, self.now())
            && let Err(error) = self.library.hosts().wait_until(&host, until).await
        {
            // For this process, the limiter knows it.
            tracing::warn!(host, %error, "a pause that a host asked for was not stored");
        }
        answer
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

    /// Returns the lock that lets this process poll, shared by everything here that polls; `None` if another process has it.
    pub(crate) fn lock(&self) -> Result<Option<Arc<PollingLock>>, LibraryError> {
        let mut shared = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = shared.upgrade() {
            return Ok(Some(lock));
        }
        let lock = self.library.polling_lock()?.map(Arc::new);
        *shared = lock.as_ref().map(Arc::downgrade).unwrap_or_default();
        Ok(lock)
    }

    /// Refreshes the feeds of a scope and reports progress. Cancelling keeps what was stored until then.
    ///
    /// # Errors
    /// When the library cannot be read or written. A feed's own error is stored with the feed and is no error here.
    pub async fn refresh(
        &self,
        scope: Scope,
        cancel: CancellationToken,
        progress: impl FnMut(Progress),
    ) -> Result<Summary, PollError> {
        self.refresh_capturing(scope, None, cancel, progress).await
    }

    pub(crate) async fn refresh_capturing(
        &self,
        scope: Scope,
        captured: Option<Captured>,
        cancel: CancellationToken,
        mut progress: impl FnMut(Progress),
    ) -> Result<Summary, PollError> {
        let started = Instant::now();
        let Some(_lock) = self.lock()? else {
            return Ok(Summary { other_process: true, ..Summary::default() });
        };
        let begun = self.now();
        let released = self.library.scheduled().release_due(begun).await?;
        let polls = match &scope {
            Scope::Due => self.library.polls().due(begun, begun + schedule::LATEST).await?,
            Scope::All => self.library.polls().list().await?,
            Scope::Feeds(ids) => {
                let wanted: HashSet<i64> = ids.iter().copied().collect();
                let mut polls = self.library.polls().list().await?;
                polls.retain(|poll| wanted.contains(&poll.feed_id));
                polls
            }
        };
        let by_hand = scope != Scope::Due;
        let mut summary =
            Summary { feeds: polls.len(), items_new: released.new, notify: released.notify, ..Summary::default() };
        let polls = if by_hand { within_allowance(polls, begun, &mut summary) } else { polls };
        let named = matches!(&scope, Scope::Feeds(ids) if ids.len() == 1);
        let round = Arc::new(Round { named, ..self.round(by_hand, captured).await? });
        let still_polled = StillPolled::new(&polls);
        let waiting = self.library.hosts().waiting(begun, begun + schedule::LATEST).await?;
        let (by_host, skipped) = group(polls, &waiting);
        let skipped = skipped + summary.limited;
        summary.skipped = skipped;
        let mut remaining: HashSet<i64> = by_host.iter().flatten().map(|poll| poll.feed_id).collect();
        let mut so_far = Progress { total: summary.feeds - skipped, new: released.new, ..Progress::default() };
        progress(so_far.waiting_for(&remaining));
        let (sender, mut receiver) = mpsc::channel::<Polled>(BATCH);
        let asking = tokio::spawn({
            let (poller, cancel) = (self.clone(), cancel.clone());
            async move {
                let spread = stream::iter(by_host).then(|feeds| async {
                    if !by_hand && feeds.iter().any(|poll| poll.checked_at.is_some()) {
                        tokio::time::sleep(BETWEEN_HOSTS).await;
                    }
                    feeds
                });
                // Boxed: the future is several kilobytes long, and is moved before it runs.
                let hosts = spread.for_each_concurrent(HOSTS_AT_ONCE, |feeds| {
                    Box::pin(poller.ask_host(feeds, &round, &still_polled, sender.clone()))
                });
                tokio::select! {
                    () = hosts => {}
                    () = cancel.cancelled() => {}
                }
            }
        });
        let mut batch = Vec::with_capacity(BATCH);
        while receive(&mut receiver, &mut batch, remaining.len()).await {
            batch.retain(|polled| {
                if polled.unsubscribed {
                    remaining.remove(&polled.incoming.poll.feed_id);
                    summary.feeds -= 1;
                    so_far.total -= 1;
                }
                !polled.unsubscribed
            });
            let first = |polled: &&Polled| polled.before.succeeded_at.is_none() && polled.incoming.facts.is_some();
            let named = so_far.named + batch.iter().filter(first).count();
            let stored = match self.store(&batch).await {
                Ok(stored) => stored,
                Err(error) => {
                    asking.abort();
                    return Err(error.into());
                }
            };
            for (polled, stored) in batch.drain(..).zip(stored) {
                remaining.remove(&polled.incoming.poll.feed_id);
                summary.add(&polled, stored);
            }
            so_far = Progress {
                done: summary.requested + summary.skipped - skipped,
                total: so_far.total,
                new: summary.items_new,
                changed: summary.items_changed,
                failed: summary.failed,
                named,
                ..Progress::default()
            };
            progress(so_far.waiting_for(&remaining));
        }
        asking.await?;
        secrets::forget_left(&self.library).await?;
        summary.cancelled = cancel.is_cancelled() && !remaining.is_empty();
        if summary.cancelled {
            summary.remaining = remaining.into_iter().collect();
            summary.remaining.sort_unstable();
        }
        summary.seconds = started.elapsed().as_secs_f64();
        Ok(summary)
    }

    /// Reads what a refresh needs of the library.
    pub(crate) async fn round(&self, by_hand: bool, captured: Option<Captured>) -> Result<Round, LibraryError> {
        let accesses = self.library.connections().list().await?;
        Ok(Round { accesses, rules: self.rules().await?, by_hand, named: false, captured })
    }

    /// Stores a batch of results. A feed whose result cannot be stored, `None`, keeps its former validators and is recorded as failed, so
    /// that its items come again and its server is not contacted in a loop.
    pub(crate) async fn store(&self, batch: &[Polled]) -> Result<Vec<Option<Stored>>, LibraryError> {
        let incoming: Vec<&Incoming> = batch.iter().map(|polled| &polled.incoming).collect();
        let mut stored = Vec::with_capacity(batch.len());
        for (polled, result) in batch.iter().zip(self.library.polls().store_each(&incoming).await?) {
            let Err(error) = result else {
                stored.push(result.ok());
                continue;
            };
            let failed =
                record::failed(polled.before.clone(), internal(polled.before.feed_id, &error), None, self.now());
            let failed = Incoming { exchange: polled.incoming.exchange.clone(), ..failed };
            // Where even that cannot be stored, the feed stays as it was.
            let _recorded = self.library.polls().store_each(&[&failed]).await?;
            stored.push(None);
        }
        Ok(stored)
    }

    /// Polls the feeds of one host one after the other. The limiter puts a pause between them (P44).
    async fn ask_host(
        &self,
        feeds: Vec<Poll>,
        round: &Round,
        still_polled: &StillPolled,
        sender: mpsc::Sender<Polled>,
    ) {
        let mut wait: Option<(String, Millis)> = None;
        let (mut unanswered, mut timeouts, mut too_many) = (0, 0, 0);
        let Some(first) = feeds.first() else { return };
        let own_host = host(&first.url);
        let lock = self.hosts.lock(own_host.clone()).await;
        for (earlier, poll) in feeds.into_iter().enumerate() {
            let mut polled = if !still_polled.contains(poll.feed_id, earlier > 0, &self.library).await {
                let before = poll.clone();
                Polled { unsubscribed: true, ..Polled::skipped(before, record::skipped(poll, None, false)) }
            } else if wait.is_some() {
                // The host has just asked to wait: its other feeds wait as well (P31).
                let until = wait.as_ref().map(|(_, until)| *until);
                let before = poll.clone();
                Polled::skipped(before, record::skipped(poll, until, round.by_hand))
            } else if schedule::is_silent(unanswered, timeouts) {
                // It does not respond, and its other feeds would hold up the refresh (P49).
                let before = poll.clone();
                let incoming = record::not_requested(poll, round.by_hand, self.now());
                Polled { silent: true, ..Polled::skipped(before, incoming) }
            } else {
                self.ask(poll, round).await
            };
            too_many = if polled.too_many { too_many + 1 } else { 0 };
            if schedule::limits_host(too_many) {
                // Each further request is too many, and may make the server stricter (P32).
                let until = schedule::host_waits_until(Duration::ZERO, self.now());
                self.contacted.wait(&own_host, until, self.now()).await;
                polled.incoming.wait = Some((own_host.clone(), until));
            }
            // It may also have been a host that a feed redirects to.
            wait = wait.or_else(|| polled.incoming.wait.clone().filter(|(host, _)| *host == own_host));
            unanswered += usize::from(polled.timeout == Some(Timeout::Unanswered));
            timeouts += usize::from(polled.timeout.is_some());
            if sender.send(Polled { _host: Some(lock.clone()), ..polled }).await.is_err() {
                return;
            }
        }
    }

    async fn ask(&self, mut poll: Poll, round: &Round) -> Polled {
        let before = poll.clone();
        let (access, by_hand) = (round.accesses.get(&poll.feed_id), round.by_hand);
        let began = Instant::now();
        let why = match (&poll.next_reason, poll.checked_at) {
            (_, None) => schedule::Reason::First.name().to_owned(),
            _ if by_hand => schedule::Reason::ByHand.name().to_owned(),
            (reason, Some(_)) => reason.clone().unwrap_or_else(|| schedule::Reason::Usual.name().to_owned()),
        };
        let url = match address::requestable(&poll) {
            Ok(url) => url,
            Err(error) if round.named => {
                return Polled::failed(before, record::failed(poll, error, None, self.now()), None);
            }
            Err(error) => {
                return Polled {
                    unsupported: true,
                    ..Polled::skipped(before, record::unsupported(poll, error, by_hand, self.now()))
                };
            }
        };
        let full_at = poll.full_at;
        let mut validators = Validators { etag: poll.etag.clone(), last_modified: poll.last_modified.clone() };
        // A server that always says "not modified" is not believed forever (P13). One unconditional request is enough.
        if round.captured.is_some()
            || record::may_refuse_validators(&poll)
            || schedule::is_full_fetch_due(poll.full_at, &record::of(&poll).frequency, self.now())
        {
            validators = Validators::default();
            poll.full_at = Some(self.now());
        }
        if url.scheme() == "file" {
            return self.read_file(before, poll, url, validators, round).await;
        }
        let validated = poll.final_url.as_deref().and_then(|url| Url::parse(url).ok());
        let request = match access::authorized(Request { validators, validated, ..Request::new(url) }, access).await {
            Ok(request) => request,
            Err(error) => {
                let failed = record::failed(poll, error, None, self.now());
                return Polled::failed(before, failed, None);
            }
        };
        match self.fetch_feed(&mut poll, request).await {
            Ok(answer) => {
                let exchange = record::exchange(why, &answer);
                self.answered(before, poll, answer, Some(exchange), round).await
            }
            // The host that it redirects to asked to be left alone before: that is no failure of the feed.
            Err(FetchError { kind: FetchErrorKind::Waiting, retry_after, url, .. }) => {
                let until = retry_after.map(|after| self.now() + schedule::millis(after, schedule::LATEST));
                let nothing_sent = url.host_str() == Some(host(&before.url).as_str());
                let incoming = record::skipped(before.clone(), until, by_hand && nothing_sent);
                Polled::skipped(before, incoming)
            }
            Err(error) => {
                // No request was sent, so the allowance is not used up.
                if error.is_own_network() {
                    poll.full_at = full_at;
                    if by_hand {
                        record::give_back(&mut poll);
                    }
                }
                let exchange = record::no_answer(why, &error, began.elapsed());
                // A host that redirects is not to blame for the next one.
                let own_host = error.url.host_str() == Some(host(&before.url).as_str());
                let too_many = own_host && error.kind == FetchErrorKind::Http(429) && error.retry_after.is_none();
                let timeout = match &*error.cause {
                    _ if !own_host => None,
                    FetchCause::NoResponse { .. } => Some(Timeout::Unanswered),
                    _ if error.kind == FetchErrorKind::Timeout => Some(Timeout::Incomplete),
                    _ => None,
                };
                let offline = error.kind == FetchErrorKind::Offline;
                let has_login = access.is_some_and(|access| access.auth.is_some());
                let polled = Polled::failed(before, record::refused(poll, &error, has_login, self.now()), exchange);
                Polled { timeout, too_many, offline, ..polled }
            }
        }
    }

    /// Requests a feed on the network that it belongs to, and learns that network from its first answer.
    async fn fetch_feed(&self, poll: &mut Poll, request: Request) -> Result<Answer, FetchError> {
        let url = request.url.clone();
        let public_only = network::is_public_only(poll.private, &url);
        let mut result = self.pacing.fetch(Request { public_only, ..request.clone() }).await;
        let mut private = !public_only;
        if let Err(error) = &result
            && network::may_be_private(poll.private, &url, error)
        {
            private = true;
            result = self.pacing.fetch(Request { public_only: false, ..request }).await;
        }
        if result.is_ok() {
            poll.private = Some(private);
        }
        result
    }

    /// Reads a file that the user picked.
    async fn read_file(&self, before: Poll, poll: Poll, url: Url, validators: Validators, round: &Round) -> Polled {
        let read = match tokio::task::spawn_blocking(move || file::read_unless(&url, &validators)).await {
            Ok(read) => read.map_err(|error| FeedError::from(&error)),
            Err(error) => Err(internal(poll.feed_id, &error)),
        };
        match read {
            Ok(answer) => self.answered(before, poll, answer, None, round).await,
            Err(error) => Polled::failed(before, record::failed(poll, error, None, self.now()), None),
        }
    }
}

/// Receives a batch of results, of at most `outstanding` feeds. Returns whether there are any.
async fn receive(receiver: &mut mpsc::Receiver<Polled>, batch: &mut Vec<Polled>, outstanding: usize) -> bool {
    receiver.recv_many(batch, BATCH).await;
    let until = tokio::time::Instant::now() + COLLECTING;
    let articles = |batch: &[Polled]| batch.iter().map(|polled| polled.incoming.intents.len()).sum::<usize>();
    while (1..BATCH.min(outstanding)).contains(&batch.len())
        && articles(batch) < COLLECTED_ARTICLES
        && tokio::time::Instant::now() < until
    {
        // Waking up for each result would take longer than storing it.
        tokio::time::sleep(LOOKING).await;
        while batch.len() < BATCH
            && articles(batch) < COLLECTED_ARTICLES
            && let Ok(polled) = receiver.try_recv()
        {
            batch.push(polled);
        }
    }
    !batch.is_empty()
}

/// Logs an error of the program or of the library, and returns what is stored of it.
fn internal(feed: i64, error: &impl std::fmt::Display) -> FeedError {
    tracing::error!(feed, %error, "polling failed");
    FeedErrorCode::Internal.into()
}
