//! Computes a feed's polling state after a response or a failure: state before, response, now → state after. Pure.
//! Numbers such as P31 refer to the politeness rules (docs/politeness.md).

use crate::{
    FeedError, FeedErrorCode, feed_error, parked,
    posting_frequency::PostingFrequency,
    schedule::{self, Hints, Plan, Record},
};
use gleaner_feed::Parsed;
use gleaner_fetch::{FetchError, FetchErrorKind, Hop, Response};
use gleaner_library::{Exchange, Failure, Incoming, Intent, Millis, Poll};
use std::time::Duration;
use url::Url;

/// Returns what the schedule needs of a polling state.
pub(crate) fn of(poll: &Poll) -> Record {
    Record {
        hints: Hints {
            fresh_for: poll.fresh_seconds.and_then(|seconds| u64::try_from(seconds).ok()).map(Duration::from_secs),
            ttl_minutes: poll.ttl_minutes,
            update_period_minutes: poll.period_minutes,
            skip_hours: poll.skip_hours,
            skip_days: poll.skip_days,
        },
        frequency: PostingFrequency::remembered(poll.gaps.as_deref().unwrap_or_default(), poll.newest_at),
        interval_set: poll.refresh_minutes.map(|minutes| Duration::from_secs(u64::from(minutes) * 60)),
        bare: poll.bare,
        silent_since: poll.newest_at.or(poll.changed_at).max(Some(poll.subscribed_at)),
    }
}

fn set_next(poll: &mut Poll, plan: Plan) {
    // 0 minutes: never automatically.
    poll.next_at = (poll.refresh_minutes != Some(0)).then_some(plan.at);
    poll.next_reason = Some(plan.reason.name().to_owned());
}

fn seed(feed: i64) -> u64 {
    feed.unsigned_abs()
}

/// Returns a result that stores nothing but the polling state.
pub(crate) fn state_only(poll: Poll) -> Incoming {
    Incoming { poll, ..Incoming::default() }
}

/// Computes the result of a successful response. `read` holds the document, if one was parsed, and what to do with its items.
pub(crate) fn succeeded(
    mut poll: Poll,
    response: &Response,
    digest: Option<Vec<u8>>,
    read: Option<(&Parsed, Vec<Intent>)>,
    now: Millis,
) -> Incoming {
    let whole = response.status != 304;
    let sent = &response.validators;
    // With its validators, the rest of a truncated document would not be sent until the feed changes. If the same bytes are received again,
    // there is no more (P12).
    let is_cut_off = read.as_ref().is_some_and(|(parsed, _)| parsed.is_cut_off());
    if whole {
        // The server has just said that those of the last complete document are no longer current, so with them it sends the rest (P09).
        let stay = !response.is_whole && response.conditional;
        if !is_cut_off && !stay {
            // Both together, and a missing one clears the old one (P04, P05, P06).
            poll.etag.clone_from(&sent.etag);
            poll.last_modified.clone_from(&sent.last_modified);
        }
        if response.is_whole {
            poll.bare = if sent.is_empty() { poll.bare + 1 } else { 0 };
        }
        poll.full_at = Some(now);
        poll.full_bytes = bytes(response);
        poll.body_digest = digest;
    } else {
        // A validator in a 304 replaces ours; one that it lacks stays (P07, P08).
        poll.etag = sent.etag.clone().or(poll.etag);
        poll.last_modified = sent.last_modified.clone().or(poll.last_modified);
    }
    let fresh = response.freshness.fresh_for.map(|fresh| i64::try_from(fresh.as_secs()).unwrap_or(i64::MAX));
    // A 304 without freshness confirms that of the full response (RFC 9111, section 4.3.4).
    poll.fresh_seconds = if whole { fresh } else { fresh.or(poll.fresh_seconds) };
    if let Some((parsed, intents)) = &read {
        let feed = &parsed.feed;
        poll.ttl_minutes = feed.ttl_minutes;
        poll.period_minutes = feed.update_period_minutes;
        poll.skip_hours = schedule::hours(&feed.skip_hours);
        poll.skip_days = schedule::days(&feed.skip_days);
        let frequency = frequency(&poll, parsed, intents, now);
        poll.gaps = frequency.minutes();
        poll.newest_at = frequency.newest();
        if !intents.is_empty() {
            poll.changed_at = Some(now);
        }
    }
    let moved = movement(&mut poll, response, now);
    poll.checked_at = Some(now);
    poll.succeeded_at = Some(now);
    poll.failures = 0;
    poll.failure = Failure::default();
    (poll.offered_url, poll.offered_title) = (None, None);
    let plan = schedule::after_success(&of(&poll), now, seed(poll.feed_id));
    set_next(&mut poll, plan);
    let (facts, intents) = match read {
        Some((parsed, intents)) => (Some(crate::decide::facts(parsed)), intents),
        None => (None, Vec::new()),
    };
    Incoming { facts, intents, not_modified: !whole, moved, ..state_only(poll) }
}

/// Computes the posting frequency from the items' dates or, if there are too few, from when items were received.
fn frequency(poll: &Poll, parsed: &Parsed, intents: &[Intent], now: Millis) -> PostingFrequency {
    let dates = parsed.items.iter().filter_map(|item| item.published).map(|moment| moment.timestamp_millis());
    let dated = PostingFrequency::of(dates, now);
    if dated.mean().is_some() {
        return dated;
    }
    let counted = of(poll).frequency;
    // The few known dates show since when the feed is inactive.
    let counted = if counted.newest().is_some() { counted } else { dated };
    let first = poll.succeeded_at.is_none();
    let any_new = intents.iter().any(|intent| matches!(intent, Intent::Insert(_)));
    if any_new && !first { counted.and_one(now) } else { counted }
}

/// Records where permanent redirects lead. Returns the new address once the move is believed (P37).
fn movement(poll: &mut Poll, response: &Response, now: Millis) -> Option<String> {
    poll.final_url = (!response.hops.is_empty()).then(|| response.url.to_string());
    // Up to the first temporary redirect.
    let permanent = response.hops.iter().take_while(|hop| matches!(hop.status, 301 | 308)).last();
    let Some(to) = permanent.map(|hop| hop.to.to_string()).filter(|to| *to != poll.url) else {
        (poll.moved_to, poll.moved_times, poll.moved_since) = (None, 0, None);
        return None;
    };
    if poll.moved_to.as_ref() != Some(&to) {
        (poll.moved_to, poll.moved_times, poll.moved_since) = (Some(to.clone()), 0, Some(now));
    }
    poll.moved_times += 1;
    if !schedule::is_moved(poll.moved_times, poll.moved_since.unwrap_or(now), now) {
        return None;
    }
    (poll.moved_to, poll.moved_times, poll.moved_since) = (None, 0, None);
    Some(to)
}

/// Computes the result of a failed request.
/// `has_login`: the feed has one.
pub(crate) fn refused(poll: Poll, error: &FetchError, has_login: bool, now: Millis) -> Incoming {
    if error.is_own_network() {
        return offline(poll, error, now);
    }
    let requested = Url::parse(&poll.url);
    if parked::is_parking_host(&error.url)
        && requested.as_ref().is_ok_and(|requested| !parked::is_parking_host(requested))
    {
        return domain_expired(poll, now);
    }
    let (mut poll, mut feed_error) = (poll, FeedError::from(error));
    let at_other_origin = requested.is_ok_and(|requested| requested.origin() != error.url.origin());
    // After a temporary redirect it is usually a page to log in.
    if error.kind == FetchErrorKind::Http(401) && at_other_origin && !error.detour {
        // The login is not sent there, so only the user can follow.
        (poll.offered_url, poll.offered_title) = (Some(error.url.to_string()), None);
        if has_login {
            // Its query may contain secrets, and is never shown.
            let mut location = (*error.url).clone();
            location.set_query(None);
            location.set_fragment(None);
            feed_error.parameters.0.insert("location".to_owned(), location.to_string());
        }
    }
    let mut incoming = failed(poll, feed_error, error.retry_after, now);
    if error.is_gone() {
        // It is not polled automatically any more (P35).
        incoming.poll.next_at = None;
    } else {
        incoming.wait = host_wait(error, now);
    }
    incoming
}

/// Returns the host that asked to wait with its response, and until when none of its feeds is polled (P31).
pub(crate) fn host_wait(error: &FetchError, now: Millis) -> Option<(String, Millis)> {
    if !error.asks_to_wait() {
        return None;
    }
    Some((error.url.host_str()?.to_owned(), schedule::host_waits_until(error.retry_after?, now)))
}

/// Whether the last request may have failed because of its validators. Servers refuse long ones (400, 431), read them as those of a change
/// (412), or fail if a date is invalid (500, which more often has other causes).
pub(crate) fn may_refuse_validators(poll: &Poll) -> bool {
    let failure = &poll.failure;
    let status = failure.error_parameters.0.get("status").map(String::as_str);
    failure.error_code.as_deref() == Some(FeedErrorCode::HttpStatus.name())
        && match status {
            Some("400" | "412" | "431") => true,
            Some("500") => poll.failures > 1,
            _ => false,
        }
}

/// Computes the result of a request if this computer is offline or its proxy cannot be reached, which is not an error of the feed. It is
/// tried again soon, at different times for different feeds, so that going online causes no burst (P27).
fn offline(mut poll: Poll, error: &FetchError, now: Millis) -> Incoming {
    try_again_soon(&mut poll, now);
    // The feed's own error stays.
    if poll.failure.error_code.is_none() || feed_error::is_offline(&poll.failure) {
        poll.failure = feed_error::failure(error.into(), &poll.failure, now);
    }
    state_only(poll)
}

fn try_again_soon(poll: &mut Poll, now: Millis) {
    let spread = Millis::try_from(seed(poll.feed_id) % 300).unwrap_or(0) * 1000;
    // A feed that is not due, because it was refreshed by hand, keeps its time.
    poll.next_at = poll.next_at.map(|next| if next > now { next } else { now + 5 * 60_000 + spread });
}

/// Computes the result for a feed that was not requested because its password cannot be read. The keyring may be locked, or start later, which
/// is not an error of the feed. `by_hand`: the allowance of a manual refresh is returned.
pub(crate) fn without_secret(mut poll: Poll, error: FeedError, by_hand: bool, now: Millis) -> Incoming {
    try_again_soon(&mut poll, now);
    if by_hand {
        refund_allowance(&mut poll);
    }
    poll.failure = feed_error::failure(error, &poll.failure, now);
    state_only(poll)
}

/// Computes the result of any failure: validators and items stay (P09), and the interval grows with each failure.
pub(crate) fn failed(mut poll: Poll, error: FeedError, retry_after: Option<Duration>, now: Millis) -> Incoming {
    poll.checked_at = Some(now);
    poll.failures += 1;
    let plan = schedule::after_failure(&of(&poll), poll.failures, retry_after, now, seed(poll.feed_id));
    set_next(&mut poll, plan);
    poll.failure = feed_error::failure(error, &poll.failure, now);
    state_only(poll)
}

/// Computes the result for a domain that is for sale or shows advertisements only. Polling continues, less and less often, since domains
/// are sometimes bought back. Its redirects are not followed.
pub(crate) fn domain_expired(mut poll: Poll, now: Millis) -> Incoming {
    (poll.moved_to, poll.moved_times, poll.moved_since) = (None, 0, None);
    let host = Url::parse(&poll.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    failed(poll, FeedError::parked(host.as_deref()), None, now)
}

/// Returns the allowance that a manual refresh used although it sent no request (P28). The first one used none.
pub(crate) fn refund_allowance(poll: &mut Poll) {
    if poll.checked_at.is_some() {
        poll.hand_at = schedule::not_by_hand(poll.hand_at);
    }
}

/// Computes the result for a feed that was not requested because its server asked to wait. `by_hand`: the allowance of a manual refresh is returned.
pub(crate) fn skipped(mut poll: Poll, until: Option<Millis>, by_hand: bool) -> Incoming {
    if let Some(until) = until
        && poll.next_at.is_some_and(|next| next < until)
    {
        poll.next_at = Some(until);
        poll.next_reason = Some(schedule::Reason::RetryAfter.name().to_owned());
    }
    if by_hand {
        refund_allowance(&mut poll);
    }
    state_only(poll)
}

/// Computes the result for a feed that was not requested because its host did not respond to others (P49). A feed that is not due, because
/// it was refreshed by hand, keeps its time and its allowance.
pub(crate) fn not_requested(mut poll: Poll, by_hand: bool, now: Millis) -> Incoming {
    let plan = schedule::after_silence(now, seed(poll.feed_id));
    if poll.next_at.is_some_and(|next| next < plan.at) {
        (poll.next_at, poll.next_reason) = (Some(plan.at), Some(plan.reason.name().to_owned()));
    }
    if by_hand {
        refund_allowance(&mut poll);
    }
    state_only(poll)
}

/// Computes the result for a due feed that is not requested because it asked not to be polled at this hour or day (P23); `None` if it is.
pub(crate) fn postponed(poll: &Poll, now: Millis) -> Option<Incoming> {
    let plan = schedule::postponed(&of(poll).hints, poll.checked_at, now, seed(poll.feed_id))?;
    let next_reason = Some(plan.reason.name().to_owned());
    Some(state_only(Poll { next_at: Some(plan.at), next_reason, ..poll.clone() }))
}

/// Computes the result for a feed whose address cannot be requested. That uses up no allowance.
pub(crate) fn unsupported(mut poll: Poll, error: FeedError, by_hand: bool, now: Millis) -> Incoming {
    if by_hand {
        refund_allowance(&mut poll);
    }
    failed(poll, error, None, now)
}

/// Returns the log entry of a request with a response.
pub(crate) fn exchange(why: String, response: &Response) -> Exchange {
    let took_ms = i64::try_from(response.took.as_millis()).unwrap_or(i64::MAX);
    let (conditional, status) = (response.conditional, Some(response.status));
    Exchange { why, conditional, status, hops: hops(&response.hops), took_ms, bytes: bytes(response) }
}

/// Returns the log entry of a failed request; `None` if nothing was sent.
pub(crate) fn failed_exchange(why: String, error: &FetchError, took: Duration) -> Option<Exchange> {
    let status = match error.kind {
        _ if error.is_own_network() => return None,
        FetchErrorKind::Http(status) => Some(status),
        _ => None,
    };
    let took_ms = i64::try_from(took.as_millis()).unwrap_or(i64::MAX);
    Some(Exchange { why, conditional: error.conditional, status, hops: None, took_ms, bytes: 0 })
}

fn bytes(response: &Response) -> i64 {
    i64::try_from(response.wire_bytes).unwrap_or(i64::MAX)
}

fn hops(hops: &[Hop]) -> Option<String> {
    let lines: Vec<String> = hops.iter().map(|hop| format!("{} {}", hop.status, hop.to)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Returns the pause between two requests to a host (P44). It is as long as the host took to respond, so that it is busy with us for at
/// most half of the time, and at least half a second unless the host is on the user's own network.
pub(crate) fn rest(took: Duration, url: &Url) -> Duration {
    let (least, most) = if gleaner_address::is_private_host(url) { (20, 1_000) } else { (500, 5_000) };
    took.clamp(Duration::from_millis(least), Duration::from_millis(most))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_fetch::FetchCause;

    #[test]
    fn a_keyring_that_cannot_be_used_counts_against_no_feed() {
        let due = || Poll { next_at: Some(1), ..Poll::default() };
        let without = without_secret(due(), FeedErrorCode::SecretUnreadable.into(), false, 1).poll;
        assert_eq!((without.failures, without.failure.error_code.as_deref()), (0, Some("secret_unreadable")));
        let soon = without.next_at.unwrap();
        assert!((5 * 60_000..=10 * 60_000).contains(&(soon - 1)), "{soon}");
        let failed = failed(due(), FeedErrorCode::SecretGone.into(), None, 1).poll;
        assert_eq!(failed.failures, 1, "only the user can help");
    }

    #[test]
    fn p27_a_proxy_that_cannot_be_reached_counts_against_no_feed() {
        let url = "https://example.com/feed".parse().unwrap();
        let proxy = || "proxy.example".to_owned();
        let poll = || Poll { url: "https://example.com/feed".to_owned(), next_at: Some(0), ..Poll::default() };
        for (cause, code) in [
            (FetchCause::ProxyRefused { proxy: proxy() }, "proxy_refused"),
            (FetchCause::ProxyUnreachable { proxy: proxy() }, "proxy_unreachable"),
            (FetchCause::ProxyLogin { proxy: proxy() }, "proxy_login"),
            (FetchCause::NetworkLogin, "network_login"),
            (FetchCause::UnknownProxy { proxy: proxy() }, "proxy_not_found"),
            (FetchCause::ProxyLookupFailed { proxy: proxy() }, "proxy_not_found"),
        ] {
            let error = FetchError::new(cause, &url);
            let after = refused(poll(), &error, true, 1).poll;
            assert_eq!((after.failures, after.failure.error_code.as_deref()), (0, Some(code)));
            assert!(after.next_at.unwrap() <= 11 * 60_000, "{:?}", after.next_at);
            assert!(failed_exchange(String::new(), &error, Duration::ZERO).is_none());
        }
        // Behind a proxy that responds, the server may be the cause.
        let error = FetchError::new(FetchCause::ProxyFailed { proxy: proxy() }, &url);
        assert_eq!(refused(poll(), &error, true, 1).poll.failures, 1);
        // The latest of these errors is shown.
        let refused_first =
            refused(poll(), &FetchError::new(FetchCause::ProxyRefused { proxy: proxy() }, &url), true, 1);
        let after = refused(refused_first.poll, &FetchError::new(FetchCause::Offline, &url), true, 2).poll;
        assert_eq!((after.failure.error_code.as_deref(), after.failure.error_since), (Some("offline"), Some(1)));
    }

    #[test]
    fn a_login_lost_by_a_permanent_redirect_is_requested_without_its_query() {
        let url = "https://other.example/feed?token=secret".parse().unwrap();
        let poll = || Poll { url: "https://example.com/feed".to_owned(), ..Poll::default() };
        let location = |detour, has_login| {
            let error = FetchError { detour, ..FetchError::new(FetchCause::Status { status: 401 }, &url) };
            let after = refused(poll(), &error, has_login, 1).poll;
            let location = after.failure.error_parameters.0.get("location").cloned();
            (location, after.offered_url.is_some())
        };
        assert_eq!(location(false, true), (Some("https://other.example/feed".to_owned()), true));
        assert_eq!(location(false, false), (None, true));
        assert_eq!(location(true, true), (None, false));
    }
}
