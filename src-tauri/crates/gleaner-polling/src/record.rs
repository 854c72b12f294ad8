//! What an answer or a failure makes of a feed's record. Pure: the record before, what came, and now → the record after.
//! The numbers are those of the politeness rules (docs/politeness.md).

use crate::{
    parked,
    rhythm::Rhythm,
    schedule::{self, Hints, Plan, Record},
    trouble,
};
use gleaner_feed::Parsed;
use gleaner_fetch::{Answer, FetchError, FetchErrorKind, Hop};
use gleaner_library::{Exchange, Failure, Incoming, Intent, Millis, Poll, feed_key};
use std::time::Duration;
use url::Url;

/// The feed is asked by hand.
pub(crate) const BY_HAND: &str = "hand";
/// The feed is asked for the first time.
pub(crate) const FIRST: &str = "first";

/// What the schedule needs of a record.
pub(crate) fn of(poll: &Poll) -> Record {
    Record {
        hints: Hints {
            fresh_for: poll.fresh_seconds.and_then(|seconds| u64::try_from(seconds).ok()).map(Duration::from_secs),
            ttl_minutes: poll.ttl_minutes,
            update_period_minutes: poll.period_minutes,
            skip_hours: poll.skip_hours,
            skip_days: poll.skip_days,
        },
        rhythm: Rhythm::remembered(poll.rhythm.as_deref().unwrap_or_default(), poll.newest_at),
        wish: poll.refresh_minutes.map(|minutes| Duration::from_secs(u64::from(minutes) * 60)),
        bare: poll.bare,
    }
}

fn keep(poll: &mut Poll, plan: Plan) {
    // A wish of never is one.
    poll.next_at = (poll.refresh_minutes != Some(0)).then_some(plan.at);
    poll.next_reason = Some(plan.reason.name().to_owned());
}

fn seed(feed: i64) -> u64 {
    feed.unsigned_abs()
}

/// What came of a poll, before anything is known of it.
pub(crate) fn nothing(poll: Poll) -> Incoming {
    Incoming { poll, ..Incoming::default() }
}

/// An answer as it should be. `read` is what its body said, where it had to be read, and what is to be done with it.
pub(crate) fn answered(
    mut poll: Poll,
    answer: &Answer,
    digest: Option<Vec<u8>>,
    read: Option<(&Parsed, Vec<Intent>)>,
    now: Millis,
) -> Incoming {
    let whole = answer.status != 304;
    let sent = &answer.validators;
    if whole {
        // Both together, an absent one too (P04, P05, P06).
        poll.etag.clone_from(&sent.etag);
        poll.last_modified.clone_from(&sent.last_modified);
        poll.bare = if sent.is_empty() { poll.bare + 1 } else { 0 };
        poll.full_at = Some(now);
        poll.full_bytes = bytes(answer);
        poll.body_digest = digest;
    } else {
        // A validator that a 304 carries is newer than ours, one that it does not carry stands (P07, P08).
        poll.etag = sent.etag.clone().or(poll.etag);
        poll.last_modified = sent.last_modified.clone().or(poll.last_modified);
    }
    let fresh = answer.freshness.fresh_for.map(|fresh| i64::try_from(fresh.as_secs()).unwrap_or(i64::MAX));
    // A 304 that says nothing of it confirms what the whole answer said (RFC 9111, section 4.3.4).
    poll.fresh_seconds = if whole { fresh } else { fresh.or(poll.fresh_seconds) };
    if let Some((parsed, intents)) = &read {
        let feed = &parsed.feed;
        poll.ttl_minutes = feed.ttl_minutes;
        poll.period_minutes = feed.update_period_minutes;
        poll.skip_hours = schedule::hours(&feed.skip_hours);
        poll.skip_days = schedule::days(&feed.skip_days);
        let rhythm = rhythm(&poll, parsed, intents, now);
        poll.rhythm = rhythm.minutes();
        poll.newest_at = rhythm.newest();
        if !intents.is_empty() {
            poll.changed_at = Some(now);
        }
    }
    let moved = movement(&mut poll, answer, now);
    poll.checked_at = Some(now);
    poll.succeeded_at = Some(now);
    poll.failures = 0;
    poll.failure = Failure::default();
    (poll.offered_url, poll.offered_title) = (None, None);
    let plan = schedule::after_success(&of(&poll), now, seed(poll.feed_id));
    keep(&mut poll, plan);
    let (facts, intents) = match read {
        Some((parsed, intents)) => (Some(crate::decide::facts(parsed)), intents),
        None => (None, Vec::new()),
    };
    Incoming { facts, intents, not_modified: !whole, moved, ..nothing(poll) }
}

/// The dates of the items tell; where the feed gives too few of them, when they came does.
fn rhythm(poll: &Poll, parsed: &Parsed, intents: &[Intent], now: Millis) -> Rhythm {
    let dates = parsed.items.iter().filter_map(|item| item.published).map(|moment| moment.timestamp_millis());
    let told = Rhythm::of(dates, now);
    if told.mean().is_some() {
        return told;
    }
    let counted = of(poll).rhythm;
    // The few dates that there are say since when it is silent.
    let counted = if counted.newest().is_some() { counted } else { told };
    let first = poll.succeeded_at.is_none();
    let any_new = intents.iter().any(|intent| matches!(intent, Intent::Insert(_)));
    if any_new && !first { counted.and_one(now) } else { counted }
}

/// Remembers where permanent redirects lead, and says where the feed has moved once that is believed (P37).
fn movement(poll: &mut Poll, answer: &Answer, now: Millis) -> Option<String> {
    let elsewhere = !answer.hops.is_empty() && feed_key(answer.url.as_str()) != feed_key(&poll.url);
    poll.final_url = elsewhere.then(|| answer.url.to_string());
    // Only as far as every hop says that it is for good.
    let for_good = answer.hops.iter().take_while(|hop| matches!(hop.status, 301 | 308)).last();
    let Some(to) = for_good.map(|hop| hop.to.to_string()).filter(|to| *to != poll.url) else {
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

/// No answer, or one that is an error.
pub(crate) fn refused(poll: Poll, error: &FetchError, now: Millis) -> Incoming {
    if error.kind == FetchErrorKind::Offline {
        return offline(poll, error, now);
    }
    let asked = Url::parse(&poll.url);
    if parked::is_parking_host(&error.url) && asked.is_ok_and(|asked| !parked::is_parking_host(&asked)) {
        return given_up(poll, &error.url, now);
    }
    let mut incoming = failed(poll, trouble::of_fetch(error), trouble::words(error), error.retry_after, now);
    match error.kind {
        // Gone for good: it is not asked again by itself (P35).
        FetchErrorKind::Http(410) => incoming.poll.next_at = None,
        // The whole host is left alone for so long (P31).
        FetchErrorKind::Http(429 | 503) if error.retry_after.is_some() => {
            incoming.wait = error.url.host_str().map(str::to_owned).zip(incoming.poll.next_at);
        }
        _ => {}
    }
    incoming
}

/// The machine's trouble, not the feed's: try again soon, and do not hold it against the feed. Not all together, lest going
/// online again becomes a burst (P27).
fn offline(mut poll: Poll, error: &FetchError, now: Millis) -> Incoming {
    let apart = Millis::try_from(seed(poll.feed_id) % 300).unwrap_or(0) * 1000;
    // One that is not due, and was asked by hand, is not asked before its time for that.
    poll.next_at = poll.next_at.map(|next| if next > now { next } else { now + 5 * 60_000 + apart });
    // Its own trouble stays its own.
    if poll.failure.error_code.is_none() || trouble::is_offline(&poll.failure) {
        poll.failure = trouble::failure(trouble::of_fetch(error), error.message.clone(), &poll.failure, now);
    }
    nothing(poll)
}

/// A failure of any kind: validators and items stay (P09), the next time comes later and later.
pub(crate) fn failed(
    mut poll: Poll,
    code: (&'static str, Option<String>),
    message: String,
    retry_after: Option<Duration>,
    now: Millis,
) -> Incoming {
    poll.checked_at = Some(now);
    poll.failures += 1;
    let plan = schedule::after_failure(&of(&poll), poll.failures, retry_after, now, seed(poll.feed_id));
    keep(&mut poll, plan);
    poll.failure = trouble::failure(code, message, &poll.failure, now);
    nothing(poll)
}

/// What answers is a page that offers the domain for sale, or advertisements. It is asked on, ever more rarely: domains are bought
/// back. Where it redirects is nowhere to follow it.
pub(crate) fn given_up(mut poll: Poll, at: &Url, now: Millis) -> Incoming {
    (poll.moved_to, poll.moved_times, poll.moved_since) = (None, 0, None);
    let host = Url::parse(&poll.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let message = format!("The domain seems to have been given up: {at} is no page of its own");
    failed(poll, trouble::of_parked(host.as_deref()), message, None, now)
}

/// Its server wants to be left alone: nothing was sent.
pub(crate) fn left_alone(mut poll: Poll, until: Option<Millis>) -> Incoming {
    if let Some(until) = until
        && poll.next_at.is_some_and(|next| next < until)
    {
        poll.next_at = Some(until);
        poll.next_reason = Some(schedule::Reason::RetryAfter.name().to_owned());
    }
    nothing(poll)
}

/// Of an answer, for the record.
pub(crate) fn exchange(why: String, conditional: bool, answer: &Answer) -> Exchange {
    let took_ms = i64::try_from(answer.took.as_millis()).unwrap_or(i64::MAX);
    Exchange { why, conditional, status: Some(answer.status), hops: hops(&answer.hops), took_ms, bytes: bytes(answer) }
}

/// Of a failure, for the record. Where the machine is offline nothing was sent.
pub(crate) fn no_answer(why: String, conditional: bool, error: &FetchError, took: Duration) -> Option<Exchange> {
    let status = match error.kind {
        FetchErrorKind::Offline => return None,
        FetchErrorKind::Http(status) => Some(status),
        _ => None,
    };
    let took_ms = i64::try_from(took.as_millis()).unwrap_or(i64::MAX);
    Some(Exchange { why, conditional, status, hops: None, took_ms, bytes: 0 })
}

fn bytes(answer: &Answer) -> i64 {
    i64::try_from(answer.wire_bytes).unwrap_or(i64::MAX)
}

fn hops(hops: &[Hop]) -> Option<String> {
    let lines: Vec<String> = hops.iter().map(|hop| format!("{} {}", hop.status, hop.to)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// How long a host is left in peace between two requests (P44): as long as it needed for the last one, so that it is never busy
/// with us for more than half of the time, and at least half a second where it is not a machine of the user's own.
pub(crate) fn rest(took: Duration, url: &Url) -> Duration {
    let (least, most) = if is_own(url) { (20, 1_000) } else { (500, 5_000) };
    took.clamp(Duration::from_millis(least), Duration::from_millis(most))
}

/// Whether the host is a machine of the user's own: this one, or one of the private network by its address.
fn is_own(url: &Url) -> bool {
    url.host().is_some_and(|host| match host {
        url::Host::Ipv4(address) => gleaner_fetch::is_private(address.into()),
        url::Host::Ipv6(address) => gleaner_fetch::is_private(address.into()),
        url::Host::Domain(name) => name == "localhost",
    })
}
