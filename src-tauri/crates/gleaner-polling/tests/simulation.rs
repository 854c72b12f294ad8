//! Simulates thirty days of polling 5,000 feeds: how many requests publishers receive, and how late users see posts. docs/politeness.md has
//! the table that it prints: `cargo test -p gleaner-polling --test simulation -- --nocapture`.
#![allow(clippy::unwrap_used)]

use gleaner_polling::{
    posting_frequency::PostingFrequency,
    schedule::{self, Hints, Record},
};
use std::time::Duration;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// 2026-11-01, a Sunday.
const START: i64 = 1_793_491_200_000;
const DAYS: i64 = 30;
const FEEDS: usize = 5_000;

/// A linear congruential generator, determined by its seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn happens(&mut self, chance: f64) -> bool {
        self.next() < chance
    }

    /// Returns a random gap between two posts.
    fn random_gap(&mut self, mean: i64) -> i64 {
        (-(1.0 - self.next()).ln() * mean as f64) as i64
    }
}

/// How often feeds post, and how many of a hundred do so: a user's list has few busy feeds and many quiet ones.
const CLASSES: [(&str, i64, u32); 7] = [
    ("hourly", HOUR, 4),
    ("every few hours", 5 * HOUR, 9),
    ("daily", DAY, 17),
    ("every few days", 3 * DAY, 18),
    ("weekly", 7 * DAY, 22),
    ("monthly", 30 * DAY, 18),
    ("yearly", 365 * DAY, 12),
];

struct Feed {
    class: usize,
    /// Times of all posts, oldest first.
    posts: Vec<i64>,
    hints: Hints,
    validators: bool,
    /// Start and end of its outage.
    down: (i64, i64),
    /// Whether it answers 429 to requests within an hour.
    strict: bool,
}

fn feed(number: usize) -> Feed {
    let mut chance = Chance(number as u64 * 7919 + 17);
    // The first numbers of adjacent seeds are similar.
    (0..3).for_each(|_| {
        chance.next();
    });
    let mut class = (number * 37 % 100) as u32;
    let class = CLASSES
        .iter()
        .position(|(_, _, share)| {
            class < *share || {
                class -= share;
                false
            }
        })
        .unwrap();
    let gap = CLASSES[class].1;
    // Half of them post at about the same time of day, the others at random.
    let regular = chance.happens(0.5);
    let mut posts = Vec::new();
    let mut at = START - 20 * gap.max(DAY) - chance.random_gap(gap);
    let rounded = (chance.next() * 24.0) as i64 * HOUR;
    while at < START + DAYS * DAY {
        at += if regular { gap } else { chance.random_gap(gap) };
        let noise = if regular { ((chance.next() - 0.5) * 0.2 * gap as f64) as i64 } else { 0 };
        // Spread within the hour.
        posts.push(at + noise + if regular && gap >= DAY { rounded } else { 0 });
        at += MINUTE;
    }
    posts.sort_unstable();
    let hints = Hints {
        fresh_for: match (chance.next() * 100.0) as u32 {
            0..20 => Some(Duration::from_secs(600)),
            20..35 => Some(Duration::from_secs(3600)),
            35..37 => Some(Duration::from_secs(86_400)),
            _ => None,
        },
        ttl_minutes: chance.happens(0.25).then_some(60),
        update_period_minutes: chance.happens(0.3).then_some(60),
        skip_hours: if chance.happens(0.02) { schedule::hours(&[0, 1, 2, 3, 4, 5]) } else { 0 },
        skip_days: if chance.happens(0.01) { schedule::days(&["sunday".to_owned()]) } else { 0 },
    };
    let down_from = START + (chance.next() * (DAYS * DAY) as f64) as i64;
    let down = if chance.happens(0.1) { (down_from, down_from + chance.random_gap(DAY)) } else { (0, 0) };
    Feed { class, posts, hints, validators: chance.happens(0.85), down, strict: chance.happens(0.01) }
}

#[derive(Default, Clone)]
struct Tally {
    feeds: usize,
    requests: usize,
    unchanged: usize,
    delays: Vec<i64>,
}

fn poll_for_a_month(number: usize, feed: &Feed) -> Tally {
    let mut tally = Tally { feeds: 1, ..Tally::default() };
    let (mut failures, mut last_asked, mut record) =
        (0, None::<i64>, Record { hints: feed.hints, ..Record::default() });
    let mut seen = feed.posts.iter().filter(|post| **post <= START).count();
    // Subscribed at some time in the first hour.
    let mut now = START + number as i64 * HOUR / FEEDS as i64;
    while now < START + DAYS * DAY {
        tally.requests += 1;
        let too_soon = feed.strict && last_asked.is_some_and(|last| now - last < HOUR);
        last_asked = Some(now);
        if too_soon || (feed.down.0..feed.down.1).contains(&now) {
            failures += 1;
            let wait = too_soon.then_some(Duration::from_secs(7200));
            now = schedule::after_failure(&record, failures, wait, now, number as u64).at;
            continue;
        }
        failures = 0;
        let there = feed.posts.iter().filter(|post| **post <= now).count();
        if there > seen || record.frequency == PostingFrequency::default() {
            tally.delays.extend(feed.posts[seen..there].iter().map(|post| now - post));
            seen = there;
            // The document has the last fifteen posts.
            record.frequency = PostingFrequency::of(feed.posts[there.saturating_sub(15)..there].iter().copied(), now);
        } else {
            tally.unchanged += usize::from(feed.validators);
        }
        record.bare = if feed.validators { 0 } else { record.bare + 1 };
        now = schedule::after_success(&record, now, number as u64).at;
    }
    tally
}

fn of_hundred(delays: &[i64], share: usize) -> i64 {
    delays.get(delays.len() * share / 100).copied().unwrap_or(0)
}

#[test]
fn sends_a_fifth_of_an_hourly_pollers_requests_and_finds_daily_posts_within_the_hour() {
    let mut classes = vec![Tally::default(); CLASSES.len()];
    for number in 0..FEEDS {
        let feed = feed(number);
        let tally = poll_for_a_month(number, &feed);
        let class = &mut classes[feed.class];
        class.feeds += 1;
        class.requests += tally.requests;
        class.unchanged += tally.unchanged;
        class.delays.extend(tally.delays);
    }
    println!(
        "| feeds that post | feeds | requests per feed and day | compared with hourly polling | 304 responses | delay, median | delay, 95 % |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let mut all = Tally::default();
    for ((name, ..), class) in CLASSES.iter().zip(&mut classes) {
        print_row(name, class);
        all.feeds += class.feeds;
        all.requests += class.requests;
        all.unchanged += class.unchanged;
        all.delays.append(&mut class.delays.clone());
    }
    print_row("all", &mut all);
    let hourly = all.feeds * 24 * DAYS as usize;
    assert!(all.requests * 5 <= hourly, "{} of {hourly} requests", all.requests);
    let daily = &classes[2].delays;
    assert!(of_hundred(daily, 50) < HOUR, "{} min", of_hundred(daily, 50) / MINUTE);
}

fn print_row(name: &str, tally: &mut Tally) {
    tally.delays.sort_unstable();
    let days = tally.feeds as f64 * DAYS as f64;
    let requests = tally.requests as f64 / days;
    let time = |delay: i64| format!("{} h {:02} min", delay / HOUR, delay % HOUR / MINUTE);
    println!(
        "| {name} | {} | {requests:.1} | {:.0} % | {:.0} % | {} | {} |",
        tally.feeds,
        requests / 24.0 * 100.0,
        tally.unchanged as f64 / tally.requests as f64 * 100.0,
        time(of_hundred(&tally.delays, 50)),
        time(of_hundred(&tally.delays, 95)),
    );
}
