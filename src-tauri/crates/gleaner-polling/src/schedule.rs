//! When a feed is asked next: its hints, how the last poll went, and now → a moment. Pure. The numbers in brackets are
//! those of the politeness rules (docs/politeness.md).

use chrono::{DateTime, Datelike as _, Timelike as _, Utc};
use gleaner_library::Millis;
use std::time::Duration;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// An hour unless somebody says otherwise (P20).
const USUAL: Millis = HOUR;
/// Never sooner by itself (P20).
const SOONEST: Millis = 15 * MINUTE;
/// No hint keeps a feed away for longer (P22).
const LATEST_BY_HINT: Millis = 7 * DAY;
/// The longest wait that a server can ask for by Retry-After, and the longest after failures (P30, P33).
const LATEST_AFTER_FAILURE: Millis = 2 * DAY;

/// What the feed and its server say about polling.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hints {
    /// HTTP freshness: max-age or Expires, less Age.
    pub fresh_for: Option<Duration>,
    /// RSS `ttl`.
    pub ttl_minutes: Option<u32>,
    /// Syndication module: period divided by frequency.
    pub update_period_minutes: Option<u32>,
    /// RSS `skipHours`: hours of the day, GMT.
    pub skip_hours: Vec<u8>,
    /// RSS `skipDays`: lower-case English names.
    pub skip_days: Vec<String>,
}

/// After an answer as it should be. `seed` spreads the feeds (P25): the same seed, the same moment.
pub fn after_success(hints: &Hints, now: Millis, seed: u64) -> Millis {
    let minutes = |minutes: Option<u32>| minutes.map_or(0, |minutes| i64::from(minutes) * MINUTE);
    let fresh = hints.fresh_for.map_or(0, |fresh| i64::try_from(fresh.as_millis()).unwrap_or(LATEST_BY_HINT));
    let wish = fresh.max(minutes(hints.ttl_minutes)).max(minutes(hints.update_period_minutes)).min(LATEST_BY_HINT);
    let interval = wish.max(USUAL).max(SOONEST);
    outside_skipped(now + interval + jitter(interval, seed), &hints.skip_hours, &hints.skip_days)
}

/// After a failure: twice as long each time, with a cap (P33); as long as the server asks, where it does (P30).
pub fn after_failure(failures: i64, retry_after: Option<Duration>, now: Millis, seed: u64) -> Millis {
    let doublings = u32::try_from(failures.clamp(1, 10) - 1).unwrap_or(0);
    let backoff = (USUAL << doublings).min(LATEST_AFTER_FAILURE);
    let asked = retry_after
        .map_or(0, |wait| i64::try_from(wait.as_millis()).unwrap_or(LATEST_AFTER_FAILURE).min(LATEST_AFTER_FAILURE));
    let interval = backoff.max(asked);
    now + interval + jitter(interval, seed)
}

/// Up to a tenth of the interval, later only, so that no hint is undercut.
fn jitter(interval: Millis, seed: u64) -> Millis {
    // The multiplier of a linear congruential generator spreads neighbouring seeds over the whole range.
    let spread = (seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33) % 1000;
    interval / 10 * i64::try_from(spread).unwrap_or(0) / 1000
}

/// The first moment from `at` on that lies in no skipped hour of no skipped day. Where everything is skipped, nothing is.
fn outside_skipped(at: Millis, skip_hours: &[u8], skip_days: &[String]) -> Millis {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let Some(start) = DateTime::<Utc>::from_timestamp_millis(at) else { return at };
    let skipped = |moment: DateTime<Utc>| {
        let day = DAYS[moment.weekday().num_days_from_monday() as usize];
        skip_hours.iter().any(|hour| u32::from(*hour) == moment.hour()) || skip_days.iter().any(|skip| skip == day)
    };
    if !skipped(start) {
        return at;
    }
    let hour_start = at - at.rem_euclid(HOUR);
    (1..=7 * 24)
        .map(|hours| hour_start + hours * HOUR + at.rem_euclid(HOUR) / 4)
        .find(|moment| DateTime::<Utc>::from_timestamp_millis(*moment).is_some_and(|moment| !skipped(moment)))
        .unwrap_or(at)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Millis {
        DateTime::parse_from_rfc3339(text).unwrap().timestamp_millis()
    }

    #[test]
    fn an_hour_where_nobody_says_otherwise() {
        let next = after_success(&Hints::default(), 0, 7);
        assert!((HOUR..=HOUR + HOUR / 10).contains(&next), "{next}");
    }

    #[test]
    fn skipped_hours_and_days_are_skipped() {
        // 2026-11-20 is a Friday.
        let now = at("2026-11-20T22:30:00Z");
        let hints = Hints { skip_hours: vec![23, 0, 1], skip_days: vec!["saturday".to_owned()], ..Hints::default() };
        let next = DateTime::<Utc>::from_timestamp_millis(after_success(&hints, now, 3)).unwrap();
        assert_eq!((next.weekday().num_days_from_monday(), next.hour()), (6, 2), "{next}");
    }

    #[test]
    fn a_feed_that_skips_everything_is_asked_all_the_same() {
        let hints = Hints { skip_hours: (0..24).collect(), ..Hints::default() };
        assert!(after_success(&hints, 0, 1) < 2 * HOUR);
    }

    #[test]
    fn failures_back_off_to_a_cap() {
        assert!(after_failure(1, None, 0, 1) < 2 * HOUR);
        assert!(after_failure(3, None, 0, 1) >= 4 * HOUR);
        assert!(after_failure(500, None, 0, 1) <= LATEST_AFTER_FAILURE + LATEST_AFTER_FAILURE / 10);
    }

    proptest! {
        #[test]
        fn never_sooner_than_any_hint_and_never_past_the_cap(
            fresh in proptest::option::of(0_u64..1_000_000_000), ttl in proptest::option::of(any::<u32>()),
            period in proptest::option::of(any::<u32>()), now in 0_i64..4_000_000_000_000, seed in any::<u64>(),
        ) {
            let hints = Hints { fresh_for: fresh.map(Duration::from_secs), ttl_minutes: ttl, update_period_minutes: period, ..Hints::default() };
            let next = after_success(&hints, now, seed);
            let asked = [fresh.map_or(0, |s| s as i64 * 1000), ttl.map_or(0, |m| i64::from(m) * MINUTE), period.map_or(0, |m| i64::from(m) * MINUTE)];
            for wish in asked {
                prop_assert!(next >= now + wish.min(LATEST_BY_HINT));
            }
            prop_assert!(next >= now + SOONEST);
            prop_assert!(next <= now + LATEST_BY_HINT + LATEST_BY_HINT / 10);
            prop_assert_eq!(next, after_success(&hints, now, seed));
        }
    }
}
