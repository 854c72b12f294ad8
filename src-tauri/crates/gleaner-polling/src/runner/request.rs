//! Polls one feed: a request with its validators and login, and the response, or why there is none.

use super::{
    Poller, internal,
    polled::{Polled, Timeout},
    round::Round,
};
use crate::{FeedError, FeedErrorCode, access, address, file, host_queue::host, network, record, schedule};
use gleaner_fetch::{FetchCause, FetchError, FetchErrorKind, Request, Response, Validators};
use gleaner_library::{Exchange, Poll};
use std::time::Instant;
use url::Url;

impl Poller {
    /// Polls a feed.
    pub(super) async fn poll(&self, mut poll: Poll, round: &Round) -> Polled {
        let before = poll.clone();
        let began = Instant::now();
        let why = reason(&poll, round.by_hand);
        let url = match address::requestable(&poll) {
            Ok(url) => url,
            Err(error) if round.named => {
                return Polled::failed(before, record::failed(poll, error, None, self.now()), None);
            }
            Err(error) => {
                return Polled {
                    unsupported: true,
                    ..Polled::skipped(before, record::unsupported(poll, error, round.by_hand, self.now()))
                };
            }
        };
        let validators = self.validators(&mut poll, round);
        if url.scheme() == "file" {
            return self.read_file(before, poll, url, validators, round).await;
        }
        let validated = poll.final_url.as_deref().and_then(|url| Url::parse(url).ok());
        let request = Request { validators, validated, ..Request::new(url) };
        let request = match access::authorized(request, round.accesses.get(&poll.feed_id)).await {
            Ok(request) => request,
            Err(error) => {
                // No request was sent.
                poll.full_at = before.full_at;
                let failed = match error.code {
                    FeedErrorCode::SecretUnreadable => record::without_secret(poll, error, round.by_hand, self.now()),
                    _ => record::failed(poll, error, None, self.now()),
                };
                return Polled::failed(before, failed, None);
            }
        };
        match self.fetch_feed(&mut poll, request).await {
            Ok(response) => {
                let exchange = record::exchange(why, &response);
                self.read_response(before, poll, response, Some(exchange), round).await
            }
            Err(error) if error.kind == FetchErrorKind::Waiting => self.deferred_poll(before, &error, round),
            Err(error) => {
                let exchange = record::failed_exchange(why, &error, began.elapsed());
                self.failed_poll(before, poll, &error, exchange, round)
            }
        }
    }

    /// Returns the validators to send. If a server always says "not modified", one unconditional request is sent after some time (P13), and
    /// this is recorded.
    fn validators(&self, poll: &mut Poll, round: &Round) -> Validators {
        if round.captured.is_some()
            || record::may_refuse_validators(poll)
            || schedule::is_full_fetch_due(poll.full_at, &record::of(poll).frequency, self.now())
        {
            poll.full_at = Some(self.now());
            return Validators::default();
        }
        Validators { etag: poll.etag.clone(), last_modified: poll.last_modified.clone() }
    }

    /// Reads a file that the user picked.
    async fn read_file(&self, before: Poll, poll: Poll, url: Url, validators: Validators, round: &Round) -> Polled {
        let read = match tokio::task::spawn_blocking(move || file::read_unless(&url, &validators)).await {
            Ok(read) => read.map_err(|error| FeedError::from(&error)),
            Err(error) => Err(internal(poll.feed_id, &error)),
        };
        match read {
            Ok(response) => self.read_response(before, poll, response, None, round).await,
            Err(error) => Polled::failed(before, record::failed(poll, error, None, self.now()), None),
        }
    }

    /// Requests a feed on the network that it belongs to, and learns that network from its first response.
    async fn fetch_feed(&self, poll: &mut Poll, request: Request) -> Result<Response, FetchError> {
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

    /// Returns the result for a feed whose host, or the host that it redirects to, has asked for a pause. That is not an error of the feed.
    fn deferred_poll(&self, before: Poll, error: &FetchError, round: &Round) -> Polled {
        let until = error.retry_after.map(|after| self.now() + schedule::millis(after, schedule::MAX_INTERVAL));
        let nothing_sent = error.url.host_str() == Some(host(&before.url).as_str());
        let incoming = record::skipped(before.clone(), until, round.by_hand && nothing_sent);
        Polled::skipped(before, incoming)
    }

    /// Returns the result of a failed request.
    fn failed_poll(
        &self,
        before: Poll,
        mut poll: Poll,
        error: &FetchError,
        exchange: Option<Exchange>,
        round: &Round,
    ) -> Polled {
        // No request was sent, so the allowance is not used up.
        if error.is_own_network() {
            poll.full_at = before.full_at;
            if round.by_hand {
                record::refund_allowance(&mut poll);
            }
        }
        // A host that redirects is not to blame for the next one.
        let own_host = error.url.host_str() == Some(host(&before.url).as_str());
        let too_many = own_host && error.kind == FetchErrorKind::Http(429) && error.retry_after.is_none();
        let timeout = match &*error.cause {
            _ if !own_host => None,
            FetchCause::NoResponse { .. } => Some(Timeout::NoResponse),
            _ if error.kind == FetchErrorKind::Timeout => Some(Timeout::Incomplete),
            _ => None,
        };
        let offline = error.kind == FetchErrorKind::Offline;
        let has_login = round.accesses.get(&poll.feed_id).is_some_and(|access| access.auth.is_some());
        let polled = Polled::failed(before, record::refused(poll, error, has_login, self.now()), exchange);
        Polled { timeout, too_many, offline, ..polled }
    }
}

/// Returns the name of the reason for which a feed is polled.
fn reason(poll: &Poll, by_hand: bool) -> String {
    match (&poll.next_reason, poll.checked_at) {
        (_, None) => schedule::Reason::First.name().to_owned(),
        _ if by_hand => schedule::Reason::ByHand.name().to_owned(),
        (reason, Some(_)) => reason.clone().unwrap_or_else(|| schedule::Reason::Usual.name().to_owned()),
    }
}
