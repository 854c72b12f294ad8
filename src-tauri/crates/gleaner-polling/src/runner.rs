//! Polling: asks the feeds side by side, one connection a host, and keeps what comes, many feeds in one transaction.
//! What to keep and when to ask again is decided in [`crate::decide`] and [`crate::schedule`].

use crate::{
    access,
    decide::{self, Known},
    inspect::{self, Seen},
    instead::Instead,
    record,
    rules::{self, Rules},
    schedule, secrets, trouble,
    turn::{group, host, within_allowance},
};
use futures::{StreamExt as _, stream};
use gleaner_feed::{Context, Parsed};
use gleaner_fetch::{Answer, FetchErrorKind, Fetcher, Request, Validators};
use gleaner_library::{Access, Exchange, Incoming, Intent, Library, LibraryError, Millis, Poll, PollingLock};
use std::{
    collections::{HashMap, HashSet},
    num::NonZero,
    sync::{Arc, Mutex as BlockingMutex, PoisonError, Weak, atomic::AtomicBool},
    time::{Duration, Instant},
};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Hosts that are asked side by side.
const HOSTS_AT_ONCE: usize = 32;
/// So many feeds are kept in one transaction at most.
const BATCH: usize = 64;
/// Between one host and the next, when feeds are asked by the clock and not for the first time: after a night's sleep all are
/// due at once (P27).
const BETWEEN_HOSTS: Duration = Duration::from_millis(25);

/// Which feeds to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Those whose time has come.
    Due,
    /// All.
    All,
    /// These.
    Feeds(Vec<i64>),
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Feeds that are done.
    pub done: usize,
    /// Feeds to ask.
    pub total: usize,
    /// New items.
    pub new: usize,
    /// Changed items.
    pub changed: usize,
    /// Feeds that failed.
    pub failed: usize,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Feeds in the scope.
    pub feeds: usize,
    /// Requests sent.
    pub asked: usize,
    /// Answers that said "not modified", or gave the same bytes again.
    pub not_modified: usize,
    /// Feeds that had something new.
    pub updated: usize,
    /// Feeds that failed.
    pub failed: usize,
    /// Feeds that were not asked: their server wants to be left alone, or they were asked by hand too often.
    pub skipped: usize,
    /// Those of them that were asked by hand too often (P28), and when the first may be again.
    pub limited: usize,
    /// When the first of these may be asked by hand again.
    pub limited_until: Option<Millis>,
    /// New items.
    pub items_new: usize,
    /// Changed items.
    pub items_changed: usize,
    /// Those of the new ones that a rule wants the reader to be told of.
    pub notify: Vec<i64>,
    /// Bytes over the wire.
    pub bytes: u64,
    /// Wall time.
    pub seconds: f64,
    /// It was stopped before its end.
    pub cancelled: bool,
    /// Another process is polling: nothing was done.
    pub elsewhere: bool,
}

/// Why polling stopped.
#[derive(Debug, thiserror::Error)]
pub enum PollError {
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A bug: a task of ours died.
    #[error("polling broke down: {0}")]
    Task(#[from] tokio::task::JoinError),
}

/// Polls a library's feeds.
#[derive(Debug, Clone)]
pub struct Poller {
    pub(crate) library: Arc<Library>,
    pub(crate) fetcher: Fetcher,
    clock: fn() -> Millis,
    /// As many documents are read at once as there are cores: more would take memory and no time off.
    pub(crate) cores: Arc<Semaphore>,
    pub(crate) turns: Turns,
    /// Whether it was looked whether pictures and their files belong together: once is enough.
    pub(crate) reconciled: Arc<AtomicBool>,
    /// Held as long as anything here polls.
    lock: Arc<BlockingMutex<Weak<PollingLock>>>,
}

/// One at a time asks a host: refreshing its feeds, or reading the history of one (P44).
#[derive(Debug, Clone, Default)]
pub(crate) struct Turns(Arc<BlockingMutex<HashMap<String, Arc<Mutex<()>>>>>);

impl Turns {
    pub(crate) async fn of(&self, host: String) -> Arc<OwnedMutexGuard<()>> {
        let turn = self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(host).or_default().clone();
        Arc::new(turn.lock_owned().await)
    }
}

/// What is looked up once for a whole refresh.
struct Round {
    accesses: HashMap<i64, Access>,
    rules: Rules,
    by_hand: bool,
    /// The whole document is wanted, whether it changed or not, and shown to whoever inspects it.
    seen: Option<Seen>,
}

/// What one feed's poll came to, before the library has it.
struct Polled {
    incoming: Incoming,
    /// Not where its server wants to be left alone.
    asked: bool,
    failed: bool,
    unchanged: bool,
    /// Its host's turn lasts until this is kept.
    _turn: Option<Arc<OwnedMutexGuard<()>>>,
}

impl Poller {
    /// A poller of this library.
    pub fn new(library: Arc<Library>, fetcher: Fetcher) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            library,
            fetcher,
            clock: gleaner_library::now,
            cores: Arc::new(Semaphore::new(cores)),
            turns: Turns::default(),
            reconciled: Arc::default(),
            lock: Arc::default(),
        }
    }

    /// The same by another clock than the system's.
    #[must_use]
    pub fn with_clock(self, clock: fn() -> Millis) -> Self {
        Self { clock, ..self }
    }

    /// The rules as they are now.
    pub(crate) async fn rules(&self) -> Result<Rules, LibraryError> {
        let rules = Rules::compile(&self.library.rules_to_run().await?);
        if rules.is_empty() {
            return Ok(rules);
        }
        let (feeds, folders) = (self.library.feed_texts().await?, self.library.folders().await?);
        Ok(rules.about(feeds, &folders, self.library.synonyms().await?))
    }

    pub(crate) fn now(&self) -> Millis {
        (self.clock)()
    }

    /// The right to poll, shared by all that polls here; `None` where another process has it.
    pub(crate) fn lock(&self) -> Result<Option<Arc<PollingLock>>, LibraryError> {
        let mut held = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = held.upgrade() {
            return Ok(Some(lock));
        }
        let lock = self.library.polling_lock()?.map(Arc::new);
        *held = lock.as_ref().map(Arc::downgrade).unwrap_or_default();
        Ok(lock)
    }

    /// Asks the feeds of the scope, and tells `progress` as they come in. Cancelling keeps what came until then.
    ///
    /// # Errors
    /// When the library cannot be read or written. A feed's own trouble is kept with the feed and is no error here.
    pub async fn refresh(
        &self,
        scope: Scope,
        cancel: CancellationToken,
        progress: impl FnMut(Progress),
    ) -> Result<Summary, PollError> {
        self.refresh_seeing(scope, None, cancel, progress).await
    }

    pub(crate) async fn refresh_seeing(
        &self,
        scope: Scope,
        seen: Option<Seen>,
        cancel: CancellationToken,
        mut progress: impl FnMut(Progress),
    ) -> Result<Summary, PollError> {
        let started = Instant::now();
        let Some(_lock) = self.lock()? else {
            return Ok(Summary { elsewhere: true, ..Summary::default() });
        };
        let begun = self.now();
        let released = self.library.release_held(begun).await?;
        let polls = match &scope {
            Scope::Due => self.library.polls_due(begun, begun + schedule::LATEST).await?,
            Scope::All => self.library.polls().await?,
            Scope::Feeds(ids) => {
                let wanted: HashSet<i64> = ids.iter().copied().collect();
                let mut polls = self.library.polls().await?;
                polls.retain(|poll| wanted.contains(&poll.feed_id));
                polls
            }
        };
        let by_hand = scope != Scope::Due;
        let mut summary =
            Summary { feeds: polls.len(), items_new: released.new, notify: released.notify, ..Summary::default() };
        let polls = if by_hand { within_allowance(polls, begun, &mut summary) } else { polls };
        let accesses = self.library.accesses().await?;
        let round = Arc::new(Round { accesses, rules: self.rules().await?, by_hand, seen });
        let waiting = self.library.waiting_hosts(begun, begun + schedule::LATEST).await?;
        let (by_host, skipped) = group(polls, &waiting);
        let skipped = skipped + summary.limited;
        summary.skipped = skipped;
        let mut so_far = Progress { total: summary.feeds - skipped, new: released.new, ..Progress::default() };
        progress(so_far);

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
                let hosts =
                    spread.for_each_concurrent(HOSTS_AT_ONCE, |feeds| poller.ask_host(feeds, &round, sender.clone()));
                tokio::select! {
                    () = hosts => {}
                    () = cancel.cancelled() => {}
                }
            }
        });
        let mut batch = Vec::with_capacity(BATCH);
        while receiver.recv_many(&mut batch, BATCH).await > 0 {
            let incoming: Vec<&Incoming> = batch.iter().map(|polled| &polled.incoming).collect();
            let stored = match self.library.store(&incoming).await {
                Ok(stored) => stored,
                Err(error) => {
                    asking.abort();
                    return Err(error.into());
                }
            };
            for (polled, stored) in batch.drain(..).zip(stored) {
                let exchange = polled.incoming.exchange.as_ref();
                summary.asked += usize::from(polled.asked);
                summary.skipped += usize::from(!polled.asked);
                summary.bytes += exchange.map_or(0, |exchange| exchange.bytes.unsigned_abs());
                summary.failed += usize::from(polled.failed);
                summary.not_modified += usize::from(polled.unchanged);
                summary.updated += usize::from(stored.new + stored.changed > 0);
                summary.items_new += stored.new;
                summary.items_changed += stored.changed;
                summary.notify.extend(stored.notify);
            }
            so_far = Progress {
                done: summary.asked + summary.skipped - skipped,
                total: so_far.total,
                new: summary.items_new,
                changed: summary.items_changed,
                failed: summary.failed,
            };
            progress(so_far);
        }
        asking.await?;
        secrets::forget_left(&self.library).await?;
        summary.cancelled = cancel.is_cancelled() && summary.asked + summary.skipped < summary.feeds;
        summary.seconds = started.elapsed().as_secs_f64();
        Ok(summary)
    }

    /// The feeds of one host, one after the other, with a rest between them (P44).
    async fn ask_host(&self, feeds: Vec<Poll>, round: &Round, sender: mpsc::Sender<Polled>) {
        let mut wait: Option<(String, Millis)> = None;
        let mut rest = None;
        let Some(first) = feeds.first() else { return };
        let turn = self.turns.of(host(&first.url)).await;
        for poll in feeds {
            let polled = if wait.is_some() {
                // The host has just asked to be left alone: so are its other feeds (P31).
                let until = wait.as_ref().map(|(_, until)| *until);
                let incoming = record::left_alone(poll, until);
                Polled { incoming, asked: false, failed: false, unchanged: false, _turn: None }
            } else {
                if let Some(rest) = rest {
                    tokio::time::sleep(rest).await;
                }
                let (url, began) = (Url::parse(&poll.url), Instant::now());
                let polled = self.ask(poll, round).await;
                rest = url.ok().map(|url| record::rest(began.elapsed(), &url));
                polled
            };
            wait = wait.or_else(|| polled.incoming.wait.clone());
            if sender.send(Polled { _turn: Some(turn.clone()), ..polled }).await.is_err() {
                return;
            }
        }
    }

    async fn ask(&self, mut poll: Poll, round: &Round) -> Polled {
        let (access, by_hand) = (round.accesses.get(&poll.feed_id), round.by_hand);
        let began = Instant::now();
        let why = match (&poll.next_reason, poll.checked_at) {
            (_, None) => record::FIRST.to_owned(),
            _ if by_hand => record::BY_HAND.to_owned(),
            (reason, Some(_)) => reason.clone().unwrap_or_else(|| schedule::Reason::Usual.name().to_owned()),
        };
        let url = match Url::parse(&poll.url) {
            Ok(url) => url,
            Err(error) => {
                let message = format!("{} is no web address: {error}", poll.url);
                let trouble = ("invalid_address", Some(error.to_string()));
                return Polled::failed(record::failed(poll, trouble, message, None, self.now()), None);
            }
        };
        let full_at = poll.full_at;
        let mut validators = Validators { etag: poll.etag.clone(), last_modified: poll.last_modified.clone() };
        // A server that says "not modified" for ever is not believed (P13); whatever it says to this, once is enough.
        if round.seen.is_some() || schedule::is_due_whole(poll.full_at, &record::of(&poll).rhythm, self.now()) {
            validators = Validators::default();
            poll.full_at = Some(self.now());
        }
        if url.scheme() == "file" {
            return self.read_file(poll, url, validators, round).await;
        }
        let conditional = !validators.is_empty();
        let request = match access::dressed(Request { validators, ..Request::new(url) }, access).await {
            Ok(request) => request,
            Err((code, message)) => {
                return Polled::failed(record::failed(poll, (code, None), message, None, self.now()), None);
            }
        };
        match self.fetcher.fetch(request).await {
            Ok(answer) => {
                let exchange = record::exchange(why, conditional, &answer);
                self.answered(poll, answer, Some(exchange), round).await
            }
            Err(error) => {
                // Nothing was sent, and so nothing is used up.
                if error.kind == FetchErrorKind::Offline {
                    poll.full_at = full_at;
                    if by_hand && poll.checked_at.is_some() {
                        poll.hand_at = schedule::not_by_hand(poll.hand_at);
                    }
                }
                let exchange = record::no_answer(why, conditional, &error, began.elapsed());
                Polled::failed(record::refused(poll, &error, self.now()), exchange)
            }
        }
    }

    /// A file is read where the user picked it, and nowhere else: a list of subscriptions from elsewhere may name any file.
    async fn read_file(&self, poll: Poll, url: Url, validators: Validators, round: &Round) -> Polled {
        let read = if poll.picked_file.as_deref() == Some(poll.url.as_str()) {
            let reading = tokio::task::spawn_blocking(move || access::read_file(&url, &validators)).await;
            reading.unwrap_or_else(|error| Err(error.to_string()))
        } else {
            Err(format!("{} is read only once you have added the file yourself", poll.url))
        };
        match read {
            Ok(answer) => self.answered(poll, answer, None, round).await,
            Err(why) => {
                let trouble = ("file", Some(why.clone()));
                Polled::failed(record::failed(poll, trouble, why, None, self.now()), None)
            }
        }
    }

    async fn answered(&self, poll: Poll, mut answer: Answer, exchange: Option<Exchange>, round: &Round) -> Polled {
        let body = answer.body.take();
        if let (Some(seen), Some(body)) = (&round.seen, &body) {
            seen.show(body, &answer, self.now());
        }
        let digest = body.as_ref().map(|body| blake3::hash(body).as_bytes()[..16].to_vec());
        let Some(body) = body.filter(|_| poll.body_digest != digest) else {
            // Nothing to parse: not modified, or the same bytes again.
            return Polled::came(record::answered(poll, &answer, digest, None, self.now()), exchange, true);
        };
        let first = poll.body_digest.is_none() && poll.succeeded_at.is_none();
        match self.read(&poll, body, &answer, first, &round.rules).await {
            Ok(Ok((parsed, intents))) => {
                let report = inspect::kept(&poll.url, &parsed);
                let came = record::answered(poll, &answer, digest, Some((&parsed, intents)), self.now());
                Polled::came(Incoming { report, ..came }, exchange, false)
            }
            // What could not be read does not commit its validators (P12).
            Ok(Err(instead)) if instead.parked => {
                Polled::failed(record::given_up(poll, &answer.url, self.now()), exchange)
            }
            Ok(Err(Instead { error, offered, .. })) => {
                let mut failed =
                    record::failed(poll, trouble::of_document(&error), error.to_string(), None, self.now());
                if let Some((url, title)) = offered {
                    (failed.poll.offered_url, failed.poll.offered_title) = (Some(url), title);
                }
                Polled::failed(failed, exchange)
            }
            Err(error) => {
                let failed = record::failed(poll, ("internal", None), error.to_string(), None, self.now());
                Polled::failed(failed, exchange)
            }
        }
    }

    /// Parses on a thread that may be busy, and decides there.
    async fn read(
        &self,
        poll: &Poll,
        body: Vec<u8>,
        answer: &Answer,
        first: bool,
        rules: &Rules,
    ) -> Result<Result<(Parsed, Vec<Intent>), Instead>, PollError> {
        let feed = poll.feed_id;
        let (content_type, base, asked) = (answer.content_type.clone(), answer.url.clone(), Url::parse(&poll.url));
        let parse = move || {
            let content_type = content_type.as_deref();
            gleaner_feed::parse(&body, Context { content_type, base_url: Some(base.as_str()) })
                .map_err(|error| Instead::of(error, &body, content_type, asked.as_ref().unwrap_or(&base), &base))
        };
        // The semaphore is never closed; without it the document would only be read sooner.
        let _core = self.cores.acquire().await.ok();
        let now = self.now();
        let rules = rules.of(feed, rules::local(now));
        let decided = move |parsed: Parsed, known: Known| {
            let mut rules = rules;
            rules.hear(&decide::facts(&parsed));
            let intents = decide::intents(decide::identities(&parsed), &known, now, &rules);
            (parsed, intents)
        };
        // Its history may have come in before it was asked.
        if first && !self.library.has_items(feed).await? {
            return Ok(
                tokio::task::spawn_blocking(move || parse().map(|parsed| decided(parsed, Known::default()))).await?
            );
        }
        let parsed = match tokio::task::spawn_blocking(parse).await? {
            Ok(parsed) => parsed,
            Err(error) => return Ok(Err(error)),
        };
        let known = {
            let identified = decide::identities(&parsed);
            let keys: Vec<&str> = identified.iter().map(|(key, _)| key.as_str()).collect();
            self.library.known_items(feed, &keys, &decide::addresses(&identified)).await?
        };
        Ok(Ok(tokio::task::spawn_blocking(move || decided(parsed, Known::new(known))).await?))
    }
}

impl Polled {
    fn came(incoming: Incoming, exchange: Option<Exchange>, unchanged: bool) -> Self {
        Self { incoming: Incoming { exchange, ..incoming }, asked: true, failed: false, unchanged, _turn: None }
    }

    fn failed(incoming: Incoming, exchange: Option<Exchange>) -> Self {
        Self { incoming: Incoming { exchange, ..incoming }, asked: true, failed: true, unchanged: false, _turn: None }
    }
}
