//! Reads the response to a poll: parses its document, and decides about its items.

use super::{PollError, Poller, internal, polled::Polled, round::Round};
use crate::{
    decide,
    not_a_feed::NotFeed,
    record, report,
    rules::{self, Rules},
};
use gleaner_feed::{Context, Parsed};
use gleaner_fetch::{Reading, Response};
use gleaner_identity::{Known, short_digest};
use gleaner_library::{Exchange, Incoming, Intent, Poll};
use tokio::sync::OwnedSemaphorePermit;
use url::Url;

/// A document that was read.
struct Document {
    parsed: Parsed,
    /// Keys of all its items.
    keys: Vec<String>,
    /// What to do with its items.
    intents: Vec<Intent>,
    /// The next item's id when they were decided.
    since: Option<i64>,
    permit: Permit,
}

/// The permit to parse a document: a share of the memory, and a core. The parsing thread holds it, even if the refresh is cancelled in the
/// meantime.
struct Permit {
    reading: Reading,
    _core: Option<OwnedSemaphorePermit>,
}

impl Poller {
    /// Builds the result of a poll from its response.
    pub(crate) async fn read_response(
        &self,
        before: Poll,
        poll: Poll,
        mut response: Response,
        exchange: Option<Exchange>,
        round: &Round,
    ) -> Polled {
        let body = response.body.take();
        if let (Some(captured), Some(body)) = (&round.captured, &body) {
            captured.put(body, &response, self.now());
        }
        let digest = body.as_ref().map(|body| short_digest(body));
        let Some(body) = body.filter(|_| poll.body_digest != digest) else {
            // Nothing to parse: not modified, or the same bytes again.
            let incoming = record::succeeded(poll, &response, digest, None, self.now());
            return Polled::succeeded(before, incoming, exchange);
        };
        let first = poll.body_digest.is_none() && poll.succeeded_at.is_none();
        match self.read_document(&poll, body, &response, first, &round.rules).await {
            Ok(Ok(Document { parsed, keys, intents, since, permit })) => {
                let report = report::packed_report(&poll.url, &parsed);
                let incoming = record::succeeded(poll, &response, digest, Some((&parsed, intents)), self.now());
                drop(parsed);
                let incoming = Incoming { report, keys, since, ..incoming };
                // No further document is parsed during this time.
                let held = permit.reading.keep(incoming.memory()).await;
                Polled { _held: held, ..Polled::succeeded(before, incoming, exchange) }
            }
            // A document that cannot be read does not commit its validators (P12).
            Ok(Err(not_feed)) if not_feed.parked => {
                Polled::failed(before, record::domain_expired(poll, self.now()), exchange)
            }
            Ok(Err(NotFeed { error, offered, .. })) => {
                let mut failed = record::failed(poll, (&error).into(), None, self.now());
                let public = failed.poll.private != Some(true);
                let may_offer =
                    |to: &str| !public || Url::parse(to).is_ok_and(|to| !gleaner_address::is_private_host(&to));
                if let Some((url, title)) = offered.filter(|(url, _)| may_offer(url)) {
                    (failed.poll.offered_url, failed.poll.offered_title) = (Some(url), title);
                }
                Polled::failed(before, failed, exchange)
            }
            Err(error) => {
                let error = internal(poll.feed_id, &error);
                let failed = record::failed(poll, error, None, self.now());
                Polled::failed(before, failed, exchange)
            }
        }
    }

    /// Parses a document and decides about its items, on a blocking thread.
    async fn read_document(
        &self,
        poll: &Poll,
        body: Vec<u8>,
        response: &Response,
        first: bool,
        rules: &Rules,
    ) -> Result<Result<Document, NotFeed>, PollError> {
        let (feed, length) = (poll.feed_id, body.len());
        let (content_type, base, requested) =
            (response.content_type.clone(), response.url.clone(), Url::parse(&poll.url));
        let parse = move || {
            let content_type = content_type.as_deref();
            gleaner_feed::parse(&body, Context { content_type, base_url: Some(base.as_str()) })
                .map_err(|error| NotFeed::of(error, &body, content_type, requested.as_ref().unwrap_or(&base), &base))
        };
        let reading = gleaner_fetch::to_read(length).await;
        // The semaphore is never closed; without a permit the document would only be parsed sooner.
        let permit = Permit { reading, _core: self.cores.clone().acquire_owned().await.ok() };
        let now = self.now();
        let rules = rules.of(feed, rules::local(now)).at(Url::parse(&poll.url).ok());
        let since = Some(self.library.polls().next_item().await?);
        let decide = move |parsed: Parsed, known: Known, permit: Permit| {
            let mut rules = rules;
            rules.learn(&decide::facts(&parsed));
            let identified = decide::identities(&parsed);
            let keys = identified.iter().map(|item| item.key.clone()).collect();
            let intents = decide::intents(identified, &known, now, &rules);
            Document { parsed, keys, intents, since, permit }
        };
        // Its history may have been stored before its first poll.
        if first && !self.library.polls().has_items(feed).await? {
            let read = move || parse().map(|parsed| decide(parsed, Known::default(), permit));
            return Ok(tokio::task::spawn_blocking(read).await?);
        }
        let (parsed, permit) = match tokio::task::spawn_blocking(move || (parse(), permit)).await? {
            (Ok(parsed), permit) => (parsed, permit),
            (Err(error), _) => return Ok(Err(error)),
        };
        let known = {
            let identified = decide::identities(&parsed);
            let keys: Vec<&str> = identified.iter().map(|item| item.key.as_str()).collect();
            self.library.polls().known_items(feed, &keys, &decide::addresses(&identified)).await?
        };
        Ok(Ok(tokio::task::spawn_blocking(move || decide(parsed, Known::new(known), permit)).await?))
    }
}
