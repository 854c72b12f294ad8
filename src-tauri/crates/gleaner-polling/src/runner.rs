//! Polling: asks the feeds side by side, one connection a host, and keeps what comes, many feeds in one transaction.
//! What to keep and when to ask again is decided in [`crate::decide`] and [`crate::schedule`].

use crate::{
    decide,
    schedule::{self, Hints},
    trouble,
};
use futures::{StreamExt as _, stream};
use gleaner_feed::{Context, NotAFeed, Parsed};
use gleaner_fetch::{Answer, FetchError, FetchErrorKind, Fetcher, Request, Validators};
use gleaner_library::{Failure, Incoming, KnownItem, Library, LibraryError, Millis, Poll, now};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Hosts that are asked side by side.
const HOSTS_AT_ONCE: usize = 32;
/// So many feeds are kept in one transaction at most.
const BATCH: usize = 64;

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
    /// Feeds that were left alone since their server asked for it.
    pub skipped: usize,
    /// New items.
    pub items_new: usize,
    /// Changed items.
    pub items_changed: usize,
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
    library: Arc<Library>,
    fetcher: Fetcher,
}

/// What one feed's poll came to, before the library has it.
struct Polled {
    incoming: Incoming,
    failed: bool,
    unchanged: bool,
}

impl Poller {
    /// A poller of this library.
    pub fn new(library: Arc<Library>, fetcher: Fetcher) -> Self {
        Self { library, fetcher }
    }

    /// Asks the feeds of the scope, and tells `progress` as they come in. Cancelling keeps what came until then.
    ///
    /// # Errors
    /// When the library cannot be read or written. A feed's own trouble is kept with the feed and is no error here.
    pub async fn refresh(
        &self,
        scope: Scope,
        cancel: CancellationToken,
        mut progress: impl FnMut(Progress),
    ) -> Result<Summary, PollError> {
        let started = Instant::now();
        let Some(_lock) = self.library.polling_lock()? else {
            return Ok(Summary { elsewhere: true, ..Summary::default() });
        };
        let begun = now();
        let polls = match &scope {
            Scope::Due => self.library.polls_due(begun).await?,
            Scope::All => self.library.polls().await?,
            Scope::Feeds(ids) => {
                let wanted: HashSet<i64> = ids.iter().copied().collect();
                let mut polls = self.library.polls().await?;
                polls.retain(|poll| wanted.contains(&poll.feed_id));
                polls
            }
        };
        let mut summary = Summary { feeds: polls.len(), ..Summary::default() };
        let waiting = self.library.waiting_hosts(begun).await?;
        let (by_host, skipped) = group(polls, &waiting);
        summary.skipped = skipped;
        let mut so_far = Progress { total: summary.feeds - skipped, ..Progress::default() };
        progress(so_far);

        let (sender, mut receiver) = mpsc::channel::<Polled>(BATCH);
        let asking = tokio::spawn({
            let (poller, cancel) = (self.clone(), cancel.clone());
            async move {
                let hosts = stream::iter(by_host)
                    .for_each_concurrent(HOSTS_AT_ONCE, |feeds| poller.ask_host(feeds, sender.clone()));
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
                summary.asked += usize::from(polled.incoming.asked);
                summary.skipped += usize::from(!polled.incoming.asked);
                summary.bytes += polled.incoming.bytes;
                summary.failed += usize::from(polled.failed);
                summary.not_modified += usize::from(polled.unchanged);
                summary.updated += usize::from(stored.new + stored.changed > 0);
                summary.items_new += stored.new;
                summary.items_changed += stored.changed;
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
        summary.cancelled = cancel.is_cancelled() && summary.asked + summary.skipped < summary.feeds;
        summary.seconds = started.elapsed().as_secs_f64();
        Ok(summary)
    }

    /// The feeds of one host, one after the other (P44).
    async fn ask_host(&self, feeds: Vec<Poll>, sender: mpsc::Sender<Polled>) {
        let mut wait: Option<(String, Millis)> = None;
        for poll in feeds {
            if wait.is_some() {
                // The host has just asked to be left alone: so are its other feeds (P31).
                let polled = Polled { incoming: left_alone(poll, wait.as_ref()), failed: false, unchanged: false };
                if sender.send(polled).await.is_err() {
                    return;
                }
                continue;
            }
            let polled = self.ask(poll).await;
            wait.clone_from(&polled.incoming.wait);
            if sender.send(polled).await.is_err() {
                return;
            }
        }
    }

    async fn ask(&self, poll: Poll) -> Polled {
        let url = match Url::parse(&poll.url) {
            Ok(url) => url,
            Err(error) => {
                let message = format!("{} is no web address: {error}", poll.url);
                return failed(poll, ("invalid_address", Some(error.to_string())), message, None, 0);
            }
        };
        let validators = Validators { etag: poll.etag.clone(), last_modified: poll.last_modified.clone() };
        let request = Request { validators, ..Request::new(url) };
        match self.fetcher.fetch(request).await {
            Ok(answer) => self.answered(poll, answer).await,
            Err(error) => not_answered(poll, &error),
        }
    }

    async fn answered(&self, mut poll: Poll, mut answer: Answer) -> Polled {
        let bytes = answer.wire_bytes;
        let Some(body) = answer.body.take() else {
            // 304: a validator that it carries is newer than ours, one that it does not carry stands (P07, P08).
            let Validators { etag, last_modified } = answer.validators;
            poll.etag = etag.or(poll.etag);
            poll.last_modified = last_modified.or(poll.last_modified);
            let hints = Hints { fresh_for: answer.freshness.fresh_for, ..Hints::default() };
            return Polled {
                incoming: Incoming { not_modified: true, bytes, ..unchanged(poll, &hints) },
                failed: false,
                unchanged: true,
            };
        };
        let digest = blake3::hash(&body).as_bytes()[..16].to_vec();
        let hints = Hints { fresh_for: answer.freshness.fresh_for, ..Hints::default() };
        if poll.body_digest.as_ref() == Some(&digest) {
            // The same bytes again: nothing to parse, only new validators to keep (P05).
            poll.etag = answer.validators.etag;
            poll.last_modified = answer.validators.last_modified;
            return Polled { incoming: Incoming { bytes, ..unchanged(poll, &hints) }, failed: false, unchanged: true };
        }
        let first = poll.body_digest.is_none() && poll.succeeded_at.is_none();
        match self.read(poll.feed_id, body, &answer, first).await {
            Ok(Ok((parsed, intents))) => {
                let hints = Hints {
                    ttl_minutes: parsed.feed.ttl_minutes,
                    update_period_minutes: parsed.feed.update_period_minutes,
                    skip_hours: parsed.feed.skip_hours.clone(),
                    skip_days: parsed.feed.skip_days.clone(),
                    ..hints
                };
                poll.etag = answer.validators.etag;
                poll.last_modified = answer.validators.last_modified;
                poll.body_digest = Some(digest);
                let mut incoming = unchanged(poll, &hints);
                if !intents.is_empty() {
                    incoming.poll.changed_at = incoming.poll.checked_at;
                }
                Polled {
                    incoming: Incoming { facts: Some(decide::facts(&parsed)), intents, bytes, ..incoming },
                    failed: false,
                    unchanged: false,
                }
            }
            // What could not be read does not commit its validators (P12).
            Ok(Err(error)) => failed(poll, trouble::of_document(&error), error.to_string(), None, bytes),
            Err(error) => failed(poll, ("internal", None), error.to_string(), None, bytes),
        }
    }

    /// Parses on a thread that may be busy, and decides there.
    async fn read(
        &self,
        feed: i64,
        body: Vec<u8>,
        answer: &Answer,
        first: bool,
    ) -> Result<Result<(Parsed, Vec<gleaner_library::Intent>), NotAFeed>, PollError> {
        let (content_type, base) = (answer.content_type.clone(), answer.url.to_string());
        let parse = move || {
            gleaner_feed::parse(&body, Context { content_type: content_type.as_deref(), base_url: Some(&base) })
        };
        let decided = |parsed: Parsed, known: HashMap<String, KnownItem>| {
            let intents = decide::intents(decide::identities(&parsed), &known, now());
            (parsed, intents)
        };
        if first {
            return Ok(
                tokio::task::spawn_blocking(move || parse().map(|parsed| decided(parsed, HashMap::new()))).await?
            );
        }
        let parsed = match tokio::task::spawn_blocking(parse).await? {
            Ok(parsed) => parsed,
            Err(error) => return Ok(Err(error)),
        };
        let known = {
            let identified = decide::identities(&parsed);
            let keys: Vec<&str> = identified.iter().map(|(key, _)| key.as_str()).collect();
            self.library.known_items(feed, &keys).await?
        };
        Ok(Ok(tokio::task::spawn_blocking(move || decided(parsed, known)).await?))
    }
}

/// One list a host, without hosts that want to be left alone; and how many feeds that left out.
fn group(polls: Vec<Poll>, waiting: &HashMap<String, Millis>) -> (Vec<Vec<Poll>>, usize) {
    let mut hosts: HashMap<String, usize> = HashMap::new();
    let (mut groups, mut skipped): (Vec<Vec<Poll>>, usize) = (Vec::new(), 0);
    for poll in polls {
        let host = host(&poll.url);
        if waiting.contains_key(&host) {
            skipped += 1;
            continue;
        }
        let at = *hosts.entry(host).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(poll);
    }
    (groups, skipped)
}

/// Feeds whose address has no host stand each for itself.
fn host(url: &str) -> String {
    Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_else(|| url.to_owned())
}

fn seed(feed: i64) -> u64 {
    feed.unsigned_abs()
}

/// An answer as it should be, that brought nothing.
fn unchanged(mut poll: Poll, hints: &Hints) -> Incoming {
    let now = now();
    poll.checked_at = Some(now);
    poll.succeeded_at = Some(now);
    poll.next_at = Some(schedule::after_success(hints, now, seed(poll.feed_id)));
    poll.failures = 0;
    poll.failure = Failure::default();
    Incoming { poll, facts: None, intents: Vec::new(), asked: true, not_modified: false, bytes: 0, wait: None }
}

fn left_alone(mut poll: Poll, wait: Option<&(String, Millis)>) -> Incoming {
    poll.next_at = wait.map(|(_, until)| *until).or(poll.next_at);
    Incoming { poll, facts: None, intents: Vec::new(), asked: false, not_modified: false, bytes: 0, wait: None }
}

fn not_answered(poll: Poll, error: &FetchError) -> Polled {
    let mut polled = failed(poll, trouble::of_fetch(error), error.message.clone(), error.retry_after, 0);
    match error.kind {
        // Gone for good: it is not asked again by itself (P35).
        FetchErrorKind::Http(410) => polled.incoming.poll.next_at = None,
        FetchErrorKind::Http(429 | 503) if error.retry_after.is_some() => {
            let next = polled.incoming.poll.next_at;
            polled.incoming.wait = error.url.host_str().map(str::to_owned).zip(next);
        }
        // The machine's trouble, not the feed's: try again soon, and do not hold it against the feed.
        FetchErrorKind::Offline => {
            polled.incoming.poll.failures -= 1;
            polled.incoming.poll.next_at = Some(now() + 5 * 60_000);
        }
        _ => {}
    }
    polled
}

fn failed(
    mut poll: Poll,
    code: (&'static str, Option<String>),
    message: String,
    retry_after: Option<Duration>,
    bytes: u64,
) -> Polled {
    let now = now();
    poll.checked_at = Some(now);
    poll.failures += 1;
    poll.next_at = Some(schedule::after_failure(poll.failures, retry_after, now, seed(poll.feed_id)));
    poll.failure = trouble::failure(code, message, &poll.failure, now);
    let incoming =
        Incoming { poll, facts: None, intents: Vec::new(), asked: true, not_modified: false, bytes, wait: None };
    Polled { incoming, failed: true, unchanged: false }
}
