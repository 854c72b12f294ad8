#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

fn at(text: &str) -> Millis {
    DateTime::parse_from_rfc3339(text).unwrap().timestamp_millis()
}

fn with(hints: Hints) -> Record {
    Record { hints, ..Record::default() }
}

fn weekly() -> PostingFrequency {
    PostingFrequency::of((0..10).map(|week| -week * 7 * DAY), 0)
}

#[test]
fn p20_polls_hourly_by_default_and_never_more_often_than_every_fifteen_minutes() {
    let usual = after_success(&Record::default(), 0, 7);
    assert!((HOUR..=HOUR + HOUR / 10).contains(&usual.at) && usual.reason == Reason::Usual, "{usual:?}");
    let interval_set = |minutes: u64| {
        after_success(&Record { interval_set: Some(Duration::from_secs(minutes * 60)), ..Record::default() }, 0, 7)
    };
    assert!(
        (30 * MINUTE..=33 * MINUTE).contains(&interval_set(30).at) && interval_set(30).reason == Reason::Preference
    );
    assert!(interval_set(1).at >= MIN_INTERVAL);
}

#[test]
fn p20_polls_daily_without_validators_if_the_feed_rarely_changes() {
    let bare = |bare, frequency| after_success(&Record { bare, frequency, ..Record::default() }, 0, 7);
    let daily = PostingFrequency::of((0..10).map(|hour| -hour * 3 * HOUR), 0);
    assert_eq!(bare(3, PostingFrequency::default()).reason, Reason::NoValidators);
    assert!(bare(3, weekly()).at >= DAY);
    assert!(bare(2, PostingFrequency::default()).at < 2 * HOUR, "not yet known");
    assert!(bare(9, daily).at < DAY, "it changes often");
    let one_post = |age: Millis| PostingFrequency::of((0..25).map(|minute| -age - minute * MINUTE / 3), 0);
    assert_eq!(one_post(HOUR).mean(), None);
    assert!(bare(9, one_post(HOUR)).at < 2 * HOUR, "it has just changed");
    assert!(bare(9, one_post(2 * DAY)).at >= DAY);
}

#[test]
fn p22_never_polls_more_often_because_of_hints_and_clamps_absurd_ones() {
    let never_faster = with(Hints { fresh_for: Some(Duration::ZERO), ttl_minutes: Some(0), ..Hints::default() });
    assert_eq!(after_success(&never_faster, 0, 1), after_success(&Record::default(), 0, 1));
    for absurd in [
        Hints { fresh_for: Some(Duration::MAX), ..Hints::default() },
        Hints { ttl_minutes: Some(u32::MAX), ..Hints::default() },
        Hints { update_period_minutes: Some(u32::MAX), ..Hints::default() },
    ] {
        let at = after_success(&with(absurd), 0, 1).at;
        assert!((MAX_BY_HINT..MAX_INTERVAL).contains(&at), "{absurd:?}: {at}");
    }
}

#[test]
fn p23_follows_and_names_every_hint_of_the_feed() {
    for (hints, least, reason) in [
        (Hints { ttl_minutes: Some(180), ..Hints::default() }, 3 * HOUR, Reason::Ttl),
        (Hints { update_period_minutes: Some(240), ..Hints::default() }, 4 * HOUR, Reason::Period),
        (Hints { fresh_for: Some(Duration::from_secs(7200)), ..Hints::default() }, 2 * HOUR, Reason::Fresh),
    ] {
        let plan = after_success(&with(hints), 0, 3);
        assert!((least..least + least / 10 + 1).contains(&plan.at) && plan.reason == reason, "{plan:?}");
        assert!(after_failure(&with(hints), 1, None, 0, 3).at >= least, "after a failure too");
    }
}

#[test]
fn p23_skips_hours_and_days() {
    // 2026-11-20 is a Friday.
    let now = at("2026-11-20T22:30:00Z");
    let record = with(Hints {
        skip_hours: hours(&[23, 24, 1, 200]),
        skip_days: days(&["saturday".to_owned(), "someday".to_owned()]),
        ..Hints::default()
    });
    for plan in [after_success(&record, now, 3), after_failure(&record, 1, None, now, 3)] {
        let next = DateTime::<Utc>::from_timestamp_millis(plan.at).unwrap();
        assert_eq!(
            (next.weekday().num_days_from_monday(), next.hour(), plan.reason),
            (6, 2, Reason::Skipped),
            "{next}"
        );
    }
}

#[test]
fn p23_polls_a_feed_that_skips_everything() {
    let everything = Hints { skip_hours: hours(&(0..24).collect::<Vec<_>>()), ..Hints::default() };
    assert!(after_success(&with(everything), 0, 1).at < 2 * HOUR);
}

#[test]
fn p23_an_overdue_feed_waits_until_the_skipped_hours_and_days_are_over() {
    // 2026-11-20 is a Friday.
    let (friday, at_six) = (at("2026-11-20T23:10:00Z"), at("2026-11-20T06:01:00Z"));
    let skips_days = Hints { skip_days: days(&["friday".to_owned(), "saturday".to_owned()]), ..Hints::default() };
    let skips_hours = Hints { skip_hours: hours(&[3, 4, 5, 6, 7, 8, 9, 10]), ..Hints::default() };
    for (hints, now, open) in
        [(skips_days, friday, at("2026-11-22T00:00:00Z")), (skips_hours, at_six, at("2026-11-20T11:00:00Z"))]
    {
        let next: Vec<Millis> = (0..100)
            .map(|seed| {
                let plan = postponed(&hints, Some(now - 6 * DAY), now, seed).unwrap();
                assert_eq!(plan.reason, Reason::Skipped);
                plan.at
            })
            .collect();
        let (first, last) = (*next.iter().min().unwrap(), *next.iter().max().unwrap());
        assert!(first >= open && last < open + HOUR && last - first > 10 * MINUTE, "{first} {last}");
        assert_eq!(postponed(&hints, Some(now - DAY), open + MINUTE, 3), None, "not skipped");
        assert_eq!(postponed(&hints, Some(now - 7 * DAY), now, 3), None, "a week without a poll");
        assert_eq!(postponed(&hints, Some(now + DAY), now, 3), None, "the clock was set back");
        assert_eq!(postponed(&hints, None, now, 3), None, "the first poll");
    }
    let everything = Hints { skip_hours: hours(&(0..24).collect::<Vec<_>>()), ..Hints::default() };
    assert_eq!(postponed(&everything, Some(0), HOUR, 3), None);
}

#[test]
fn p24_polls_a_silent_feed_without_a_known_frequency_less_and_less_often() {
    let after = |frequency: PostingFrequency, silent: Millis| {
        let record = Record { frequency, silent_since: Some(-silent), ..Record::default() };
        after_success(&record, 0, 1)
    };
    let two = || PostingFrequency::of([-100 * DAY, -465 * DAY], 0);
    for frequency in [PostingFrequency::default, two] {
        assert!(after(frequency(), DAY).at < 2 * HOUR, "it may post again soon");
        let (days, month) = (after(frequency(), 4 * DAY), after(frequency(), 30 * DAY));
        assert!((10 * HOUR..14 * HOUR).contains(&days.at), "{days:?}");
        assert!((DAY..DAY + DAY / 10).contains(&month.at), "{month:?}");
        assert_eq!((days.reason, month.reason), (Reason::PostingFrequency, Reason::PostingFrequency));
    }
    assert!(after(PostingFrequency::default(), Millis::MAX / 2).at <= DAY + DAY / 10);
}

#[test]
fn p24_does_not_poll_a_weekly_feed_hourly() {
    let plan = after_success(&Record { frequency: weekly(), ..Record::default() }, 0, 1);
    assert!(plan.at > 5 * HOUR && plan.reason == Reason::PostingFrequency, "{plan:?}");
}

#[test]
fn p25_spreads_feeds_that_were_polled_together() {
    let now = at("2026-11-20T10:00:00Z");
    let mut next: Vec<Millis> = (0..100).map(|seed| after_success(&Record::default(), now, seed).at).collect();
    next.sort_unstable();
    next.dedup();
    assert!(next.len() > 90, "{}", next.len());
    assert!(next[99.min(next.len() - 1)] - next[0] > 4 * MINUTE);
}

#[test]
fn p28_limits_refreshes_by_hand() {
    let mut allowance = None;
    for _ in 0..BY_HAND {
        allowance = Some(by_hand(allowance, DAY).unwrap());
    }
    let again = by_hand(allowance, DAY).unwrap_err();
    assert_eq!(again, DAY + BY_HAND_EVERY);
    assert!(by_hand(allowance, again - 1).is_err());
    assert!(by_hand(allowance, again).is_ok());
    assert!(by_hand(not_by_hand(allowance), DAY).is_ok(), "no request was sent");
    assert!(by_hand(allowance, 0).is_err(), "the clock was set back");
    assert_eq!(by_hand(Some(0), DAY), by_hand(None, DAY), "long past");
}

#[test]
fn p13_does_not_believe_not_modified_forever() {
    assert!(!is_full_fetch_due(None, &weekly(), DAY));
    assert!(!is_full_fetch_due(Some(0), &weekly(), 20 * DAY));
    assert!(is_full_fetch_due(Some(0), &weekly(), 22 * DAY));
    assert!(!is_full_fetch_due(Some(0), &PostingFrequency::default(), 8 * DAY));
    assert!(is_full_fetch_due(Some(0), &PostingFrequency::default(), 31 * DAY));
}

#[test]
fn p32_and_p33_back_off_after_failures_up_to_days() {
    let failed = |failures| after_failure(&Record::default(), failures, None, 0, 1).at;
    assert!((HOUR..2 * HOUR).contains(&failed(1)));
    assert!(failed(3) >= 4 * HOUR);
    assert!((MAX_AFTER_FAILURE..=MAX_AFTER_FAILURE + MAX_AFTER_FAILURE / 10).contains(&failed(500)));
}

#[test]
fn p30_follows_retry_after_within_limits() {
    let requested = |wait| after_failure(&Record::default(), 1, Some(wait), 0, 1);
    assert!(requested(Duration::from_secs(7200)).at >= 2 * HOUR);
    assert_eq!(requested(Duration::from_secs(7200)).reason, Reason::RetryAfter);
    assert!(requested(Duration::ZERO).at >= HOUR, "zero does not shorten the interval");
    for days in [3, 5, 7] {
        let wait = days * DAY;
        let at = requested(Duration::from_millis(wait.unsigned_abs())).at;
        assert!((wait..=wait + wait / 10).contains(&at), "{days} days");
        assert_eq!(host_waits_until(Duration::from_millis(wait.unsigned_abs()), 0), wait);
    }
    assert!(requested(Duration::from_secs(10 * 365 * 86_400)).at < MAX_INTERVAL, "ten years are a mistake");
    assert_eq!(host_waits_until(Duration::from_secs(10 * 365 * 86_400), 0), 7 * DAY);
    assert_eq!(host_waits_until(Duration::ZERO, 0), HOUR);
}

#[test]
fn p37_believes_a_move_after_several_answers_over_a_day() {
    assert!(!is_moved(2, 0, 9 * DAY));
    assert!(!is_moved(9, 0, HOUR));
    assert!(is_moved(3, 0, DAY));
}

proptest! {
    #[test]
    fn plans_between_every_hint_and_the_maximum(
        fresh in proptest::option::of(0_u64..1_000_000_000), ttl in proptest::option::of(any::<u32>()),
        period in proptest::option::of(any::<u32>()), skip_hours in any::<u32>(), skip_days in any::<u8>(),
        interval_set in proptest::option::of(0_u64..1_000_000_000), bare in 0_i64..9, failures in 1_i64..40,
        moments in proptest::collection::vec(0_i64..4_000_000_000_000, 0..30),
        now in 0_i64..4_000_000_000_000, seed in any::<u64>(),
    ) {
        let hints = Hints {
            fresh_for: fresh.map(Duration::from_secs), ttl_minutes: ttl, update_period_minutes: period,
            skip_hours: skip_hours & 0xff_ffff, skip_days: skip_days & 0x7f,
        };
        let record = Record { hints, frequency: PostingFrequency::of(moments, now), interval_set: interval_set.map(Duration::from_secs), bare, silent_since: None };
        let (good, bad) = (after_success(&record, now, seed), after_failure(&record, failures, None, now, seed));
        let minutes = |minutes: Option<u32>| minutes.map_or(0, |m| i64::from(m) * MINUTE);
        let hints = [fresh.map_or(0, |s| s as i64 * 1000), minutes(ttl), minutes(period), interval_set.map_or(0, |s| s as i64 * 1000)];
        for plan in [good, bad] {
            for hint in hints {
                prop_assert!(plan.at >= now + hint.min(MAX_BY_HINT));
            }
            prop_assert!(plan.at >= now + MIN_INTERVAL);
            // Skipped hours and days add a week at most.
            prop_assert!(plan.at <= now + MAX_BY_HINT + MAX_BY_HINT / 10 + MAX_BY_HINT);
        }
        prop_assert_eq!(good, after_success(&record, now, seed));
        prop_assert_eq!(bad, after_failure(&record, failures, None, now, seed));
    }
}
