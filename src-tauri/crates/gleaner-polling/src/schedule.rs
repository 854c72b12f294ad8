//! Decides when a feed is polled next, and why: record, result of the last poll, now → time and reason. Pure.
//! Numbers such as P20 refer to the politeness rules (docs/politeness.md).

use crate::posting_frequency::{PostingFrequency, wait_of_silent};
use chrono::{DateTime, Datelike as _, Timelike as _, Utc};
use gleaner_library::Millis;
use std::time::Duration;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// Default interval (P20).
const DEFAULT_INTERVAL: Millis = HOUR;
/// Minimum interval of automatic polls (P20).
const MIN_INTERVAL: Millis = 15 * MINUTE;
/// Maximum interval that a hint can ask for (P22).
pub const MAX_BY_HINT: Millis = 7 * DAY;
/// Maximum interval after failures (P33).
pub const MAX_AFTER_FAILURE: Millis = 2 * DAY;
/// Maximum wait that Retry-After can ask for (P30).
pub const MAX_RETRY_AFTER: Millis = 7 * DAY;
/// Maximum time until the next poll. A later one was computed with a wrong clock.
pub const MAX_INTERVAL: Millis = 15 * DAY;
/// Number of consecutive full responses without validators after which the server counts as sending none (P20).
const BARE: i64 = 3;
/// How long "not modified" responses are believed before the feed is requested unconditionally once (P13): in general, and if its posting
/// frequency suggests that something should have been posted.
const UNCHANGED_AT_MOST: Millis = 30 * DAY;
const UNCHANGED_THOUGH_DUE: Millis = 7 * DAY;
/// Numbers of requests without any response, and of all time-outs, after which the other feeds of a host wait for the next run (P49).
const NO_RESPONSE: usize = 2;
const TIMEOUTS: usize = 3;
/// Number of 429 responses in a row, without Retry-After, after which all feeds of a host wait (P32).
const TOO_MANY: usize = 2;
/// Number of manual refreshes of a feed that are allowed at once, and the time after which one more is allowed (P28).
const BY_HAND: i64 = 5;
const BY_HAND_EVERY: Millis = 10 * MINUTE;
/// Number of consecutive responses, and the time they span, after which a permanent redirect is believed (P37).
pub(crate) const MOVED_TIMES: i64 = 3;
const MOVED_FOR: Millis = DAY;

/// The schedule that a feed and its server request from pollers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints {
    /// HTTP freshness: max-age or Expires, less Age.
    pub fresh_for: Option<Duration>,
    /// RSS `ttl`.
    pub ttl_minutes: Option<u32>,
    /// Syndication module: period divided by frequency.
    pub update_period_minutes: Option<u32>,
    /// RSS `skipHours`: bit n is the hour n, GMT.
    pub skip_hours: u32,
    /// RSS `skipDays`: bit 0 is Monday.
    pub skip_days: u8,
}

/// Everything that the schedule depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// Hints of the feed and its server.
    pub hints: Hints,
    /// Posting frequency of its items.
    pub frequency: PostingFrequency,
    /// Interval set by the user.
    pub interval_set: Option<Duration>,
    /// Number of consecutive full responses without validators.
    pub bare: i64,
    /// Since when a subscribed feed has posted nothing: the date of its newest item or, if it is unknown, the last change, but not before
    /// the subscription.
    pub silent_since: Option<Millis>,
}

/// Reason for a poll, or for the time of the next one. Stored by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The first poll.
    First,
    /// The user requested a refresh.
    ByHand,
    /// The default interval.
    Usual,
    /// The feed's posting frequency.
    PostingFrequency,
    /// The user's interval.
    Preference,
    /// The server sends no validators, and the feed rarely changes.
    NoValidators,
    /// The response is fresh until then (max-age, Expires).
    Fresh,
    /// The feed's `ttl`.
    Ttl,
    /// The feed's own update period.
    Period,
    /// The feed asked not to be polled at the earlier hour or day.
    Skipped,
    /// The last poll failed.
    Failed,
    /// The server asked to wait (Retry-After).
    RetryAfter,
    /// The server did not respond to the checks of its other feeds.
    SilentHost,
}

impl Reason {
    const ALL: [Self; 13] = [
        Self::First,
        Self::ByHand,
        Self::Usual,
        Self::PostingFrequency,
        Self::Preference,
        Self::NoValidators,
        Self::Fresh,
        Self::Ttl,
        Self::Period,
        Self::Skipped,
        Self::Failed,
        Self::RetryAfter,
        Self::SilentHost,
    ];

    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::ByHand => "hand",
            Self::Usual => "usual",
            Self::PostingFrequency => "posting_frequency",
            Self::Preference => "preference",
            Self::NoValidators => "no_validators",
            Self::Fresh => "fresh",
            Self::Ttl => "ttl",
            Self::Period => "period",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::RetryAfter => "retry_after",
            Self::SilentHost => "silent_host",
        }
    }

    /// Returns the reason with this stored name; `None` for a name that this version does not know.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// The time of the next poll and its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The time.
    pub at: Millis,
    /// The reason.
    pub reason: Reason,
}

/// Plans the next poll after a success. `seed` spreads feeds over time (P25): equal seeds give equal times.
pub fn after_success(record: &Record, now: Millis, seed: u64) -> Plan {
    let own = match record.interval_set {
        Some(interval_set) => (millis(interval_set, MAX_BY_HINT).max(MIN_INTERVAL), Reason::Preference),
        None => match record.frequency.wait(now).or_else(|| wait_of_silent(now.saturating_sub(record.silent_since?))) {
            Some(wait) if wait > DEFAULT_INTERVAL => (wait, Reason::PostingFrequency),
            _ => (DEFAULT_INTERVAL, Reason::Usual),
        },
    };
    // A feed with too few dates for a frequency does not change rarely if it has just changed.
    let rare = match record.frequency.mean() {
        Some(mean) => mean > DAY,
        None => record.frequency.newest().is_none_or(|newest| now - newest > DAY),
    };
    let bare = if record.bare >= BARE && rare && record.interval_set.is_none() { DAY } else { 0 };
    let (interval, reason) =
        [(bare, Reason::NoValidators)].into_iter().chain(requested_intervals(&record.hints)).fold(own, longer);
    plan(interval, reason, &record.hints, now, seed)
}

/// Plans the next poll after a failure: the interval doubles each time, up to a maximum (P32, P33). It is never shorter than the server
/// asks for (P30) or than after a success.
pub fn after_failure(record: &Record, failures: i64, retry_after: Option<Duration>, now: Millis, seed: u64) -> Plan {
    let doublings = u32::try_from(failures.clamp(1, 10) - 1).unwrap_or(0);
    let backoff = (DEFAULT_INTERVAL << doublings).min(MAX_AFTER_FAILURE);
    let wait = retry_after.map_or(0, |wait| millis(wait, MAX_RETRY_AFTER));
    let interval_set = record.interval_set.map_or(0, |interval_set| millis(interval_set, MAX_BY_HINT));
    let (interval, reason) = [(wait, Reason::RetryAfter), (interval_set, Reason::Preference)]
        .into_iter()
        .chain(requested_intervals(&record.hints))
        .fold((backoff, Reason::Failed), longer);
    plan(interval, reason, &record.hints, now, seed)
}

/// Whether a host does not respond, by the numbers of requests in a run without any response and of all time-outs (P49).
pub fn is_silent(no_response: usize, timeouts: usize) -> bool {
    no_response >= NO_RESPONSE || timeouts >= TIMEOUTS
}

/// Whether a host limits all requests, judging by the number of 429 responses in a row (P32): a single one may concern only one feed.
pub fn limits_host(too_many: usize) -> bool {
    too_many >= TOO_MANY
}

/// Plans the next poll of a feed that was left out because its host did not respond (P49).
pub fn after_silence(now: Millis, seed: u64) -> Plan {
    Plan { at: now + MIN_INTERVAL + jitter(MIN_INTERVAL, seed), reason: Reason::SilentHost }
}

/// Returns until when no feed of a host that sent Retry-After is polled: as long as it asks, but at least an hour (P31, P32).
pub fn host_waits_until(retry_after: Duration, now: Millis) -> Millis {
    now + millis(retry_after, MAX_RETRY_AFTER).max(DEFAULT_INTERVAL)
}

/// Returns a duration in milliseconds, at most `at_most`.
pub(crate) fn millis(duration: Duration, at_most: Millis) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(at_most).min(at_most)
}

fn requested_intervals(hints: &Hints) -> [(Millis, Reason); 3] {
    let minutes = |minutes: Option<u32>| minutes.map_or(0, |minutes| (i64::from(minutes) * MINUTE).min(MAX_BY_HINT));
    [
        (hints.fresh_for.map_or(0, |fresh| millis(fresh, MAX_BY_HINT)), Reason::Fresh),
        (minutes(hints.ttl_minutes), Reason::Ttl),
        (minutes(hints.update_period_minutes), Reason::Period),
    ]
}

fn longer(one: (Millis, Reason), other: (Millis, Reason)) -> (Millis, Reason) {
    if other.0 > one.0 { other } else { one }
}

fn plan(interval: Millis, reason: Reason, hints: &Hints, now: Millis, seed: u64) -> Plan {
    let at = now + interval + jitter(interval, seed ^ now.unsigned_abs());
    let outside = outside_skipped(at, hints);
    Plan { at: outside, reason: if outside == at { reason } else { Reason::Skipped } }
}

/// Returns when a due feed is polled instead, if it asked not to be polled at this hour or day (P23). One that was not polled for a week is
/// polled nevertheless: the computer may be on in the skipped hours only.
pub fn postponed(hints: &Hints, checked_at: Option<Millis>, now: Millis, seed: u64) -> Option<Plan> {
    if !(0..MAX_BY_HINT).contains(&now.saturating_sub(checked_at?)) {
        return None;
    }
    // Any moment of this hour, so that feeds that wait for the same hour are spread over the beginning of that one.
    let moment = now - now.rem_euclid(HOUR) + jitter(10 * HOUR, seed ^ now.unsigned_abs());
    let outside = outside_skipped(moment, hints);
    (outside != moment).then_some(Plan { at: outside, reason: Reason::Skipped })
}

/// Returns up to a tenth of the interval, to be added, so that feeds are not all polled together. It is never negative, so no hint is undercut.
fn jitter(interval: Millis, seed: u64) -> Millis {
    // The multiplier of a linear congruential generator spreads adjacent seeds over the whole range.
    let spread = (seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33) % 1000;
    interval / 10 * i64::try_from(spread).unwrap_or(0) / 1000
}

/// Returns the first time from `at` on that is not in a skipped hour or day. If everything is skipped, returns `at`.
fn outside_skipped(at: Millis, hints: &Hints) -> Millis {
    let skipped = |moment: Millis| {
        DateTime::<Utc>::from_timestamp_millis(moment).is_some_and(|moment| {
            hints.skip_hours >> moment.hour() & 1 == 1
                || hints.skip_days >> moment.weekday().num_days_from_monday() & 1 == 1
        })
    };
    if !skipped(at) {
        return at;
    }
    // Not at the full hour, when other pollers come back (P25).
    let (hour, within) = (at - at.rem_euclid(HOUR), at.rem_euclid(HOUR) / 4);
    (1..=7 * 24).map(|hours| hour + hours * HOUR + within).find(|moment| !skipped(*moment)).unwrap_or(at)
}

/// Converts RSS `skipHours` to bits; invalid hours are ignored. RSS 0.91 calls midnight 24.
pub fn hours(hours: &[u8]) -> u32 {
    hours.iter().filter(|hour| **hour <= 24).fold(0, |bits, hour| bits | 1 << (hour % 24))
}

/// Converts RSS `skipDays` (lower-case English names) to bits.
pub fn days(days: &[String]) -> u8 {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    (0_u8..).zip(DAYS).filter(|(_, day)| days.iter().any(|skip| skip == day)).fold(0, |bits, (bit, _)| bits | 1 << bit)
}

/// Whether a server has responded "not modified" for so long that the feed is requested unconditionally (P13).
pub fn is_full_fetch_due(full_at: Option<Millis>, frequency: &PostingFrequency, now: Millis) -> bool {
    let Some(full_at) = full_at else { return false };
    let should_have_come =
        frequency.mean().is_some_and(|mean| full_at.saturating_add(3 * mean.min(MAX_INTERVAL)) < now);
    now - full_at > if should_have_come { UNCHANGED_THOUGH_DUE } else { UNCHANGED_AT_MOST }
}

/// Uses up one refresh by hand (P28). Returns the new state of the allowance.
///
/// # Errors
/// The time from which the feed may be refreshed by hand again.
pub fn by_hand(allowance: Option<Millis>, now: Millis) -> Result<Millis, Millis> {
    // If the clock was set back, at most the full allowance is used up.
    let used = allowance.unwrap_or(now).clamp(now, now + BY_HAND * BY_HAND_EVERY);
    let after = used + BY_HAND_EVERY;
    if after <= now + BY_HAND * BY_HAND_EVERY { Ok(after) } else { Err(after - BY_HAND * BY_HAND_EVERY) }
}

/// Returns the allowance after a refresh by hand that sent no request.
pub fn not_by_hand(allowance: Option<Millis>) -> Option<Millis> {
    allowance.map(|used| used - BY_HAND_EVERY)
}

/// Whether permanent redirects, seen `times` times since `since`, are believed (P37).
pub fn is_moved(times: i64, since: Millis, now: Millis) -> bool {
    times >= MOVED_TIMES && now - since >= MOVED_FOR
}

#[cfg(test)]
mod tests;
