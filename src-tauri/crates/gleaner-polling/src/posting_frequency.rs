//! Estimates how often a feed posts from the dates of its items, and when to poll it next (politeness P24). Pure.

use gleaner_library::Millis;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// Number of gaps between posts that are remembered.
const MAX_GAPS: usize = 20;
/// Items published within this time count as one post.
const TOGETHER: Millis = 10 * MINUTE;
/// Probability of a new post at which a poll is worthwhile.
const CHANCE: f64 = 0.115;
/// Maximum interval that the posting frequency alone can cause.
pub(crate) const MAX_INTERVAL: Millis = DAY;
/// Silence after which a feed whose frequency is unknown is polled less often than by default.
const SILENT: Millis = 2 * DAY;
/// Precision of the interval.
const STEP: Millis = 5 * MINUTE;

/// The gaps between a feed's last posts, newest first, and the date of the newest post.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PostingFrequency {
    gaps: Vec<Millis>,
    newest: Option<Millis>,
}

impl PostingFrequency {
    /// Computes the posting frequency from publication dates; dates after `now` are ignored.
    pub fn of(moments: impl IntoIterator<Item = Millis>, now: Millis) -> Self {
        let mut moments: Vec<Millis> = moments.into_iter().filter(|moment| *moment <= now).collect();
        moments.sort_unstable_by(|a, b| b.cmp(a));
        let newest = moments.first().copied();
        let mut gaps = Vec::new();
        let mut later = newest.unwrap_or(0);
        for moment in moments {
            if later - moment >= TOGETHER && gaps.len() < MAX_GAPS {
                gaps.push(later - moment);
                later = moment;
            }
        }
        Self { gaps, newest }
    }

    /// Adds an undated post that was received at `now`.
    #[must_use]
    pub fn and_one(mut self, now: Millis) -> Self {
        match self.newest {
            Some(newest) if now - newest < TOGETHER => return self,
            Some(newest) => self.gaps.insert(0, now - newest),
            None => {}
        }
        self.gaps.truncate(MAX_GAPS);
        self.newest = Some(now);
        self
    }

    /// Restores what [`Self::minutes`] returned.
    pub fn remembered(minutes: &str, newest: Option<Millis>) -> Self {
        let gaps = minutes.split(' ').filter_map(|gap| gap.parse::<Millis>().ok());
        Self { gaps: gaps.map(|gap| gap.saturating_mul(MINUTE).max(TOGETHER)).take(MAX_GAPS).collect(), newest }
    }

    /// Returns the gaps in minutes, to be stored; `None` if none are known.
    pub fn minutes(&self) -> Option<String> {
        let gaps: Vec<String> = self.gaps.iter().map(|gap| (gap / MINUTE).to_string()).collect();
        (!gaps.is_empty()).then(|| gaps.join(" "))
    }

    /// Returns the date of the newest item.
    pub fn newest(&self) -> Option<Millis> {
        self.newest
    }

    /// Returns the mean time between posts; `None` if fewer than three gaps are known.
    pub fn mean(&self) -> Option<Millis> {
        let gaps = i64::try_from(self.gaps.len()).unwrap_or(1);
        (gaps >= 3).then(|| self.gaps.iter().fold(0, |sum: Millis, gap| sum.saturating_add(*gap)) / gaps)
    }

    /// Returns how long to wait until a new post is sufficiently likely, between an hour and [`MAX_INTERVAL`]; `None` if too little is
    /// known.
    pub fn wait(&self, now: Millis) -> Option<Millis> {
        let (mean, newest) = (self.mean()?, self.newest?);
        let age = (now - newest).max(0);
        // A feed that has been inactive for longer than ever before has probably slowed down.
        let longest = self.gaps.iter().copied().max().unwrap_or(mean);
        let mean = if age > longest { mean.max(age) } else { mean } as f64;
        let silent_so_far = self.silent(age, mean);
        // The probability grows with the wait, so it is found by bisection.
        let (mut too_soon, mut worth) = (HOUR, MAX_INTERVAL);
        let chance = |wait| 1.0 - self.silent(age.saturating_add(wait), mean) / silent_so_far;
        if chance(HOUR) >= CHANCE {
            return Some(HOUR);
        }
        while worth - too_soon > STEP {
            let between = too_soon + (worth - too_soon) / 2;
            if chance(between) >= CHANCE { worth = between } else { too_soon = between }
        }
        Some(worth)
    }

    /// Returns the probability that no post follows within this time: half of it by the known gaps, each spread by a quarter either way, half
    /// of it as if posts were random.
    fn silent(&self, length: Millis, mean: f64) -> f64 {
        let length = length as f64;
        let random = (-length / mean.max(1.0)).exp();
        let longer: f64 =
            self.gaps.iter().map(|gap| ((1.25 * *gap as f64 - length) / (0.5 * *gap as f64)).clamp(0.0, 1.0)).sum();
        (random + longer / self.gaps.len().max(1) as f64) / 2.0 + f64::MIN_POSITIVE
    }
}

/// Returns how long to wait if too little is known for a frequency and the feed has posted nothing for `silent` milliseconds, as if posts
/// were random and as rare as that, at most [`MAX_INTERVAL`]; `None` if it has posted recently.
pub(crate) fn wait_of_silent(silent: Millis) -> Option<Millis> {
    (silent > SILENT).then(|| ((silent as f64 * -(1.0 - CHANCE).ln()) as Millis).min(MAX_INTERVAL))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn every(gap: Millis, age: Millis) -> PostingFrequency {
        PostingFrequency::of((0..15).map(|number| -age - number * gap), 0)
    }

    #[test]
    fn p24_polls_infrequent_feeds_less_often() {
        let wait = |gap| every(gap, gap / 2).wait(0).unwrap();
        assert_eq!(wait(HOUR), HOUR);
        assert!((HOUR..9 * HOUR).contains(&wait(DAY)), "{}", wait(DAY));
        assert!(wait(7 * DAY) > wait(DAY), "{}", wait(7 * DAY));
        assert_eq!(wait(60 * DAY), MAX_INTERVAL);
    }

    #[test]
    fn p24_polls_a_regular_feed_most_when_a_post_is_due() {
        let (before, then) =
            (every(7 * DAY, 3 * DAY).wait(0).unwrap(), every(7 * DAY, 7 * DAY - HOUR).wait(0).unwrap());
        assert!(then * 3 < before, "{then} {before}");
    }

    #[test]
    fn polls_an_inactive_feed_less_often() {
        assert_eq!(every(HOUR, HOUR).wait(0), Some(HOUR));
        assert_eq!(every(HOUR, 30 * DAY).wait(0), Some(MAX_INTERVAL));
    }

    #[test]
    fn needs_enough_dates_for_a_frequency() {
        assert_eq!(PostingFrequency::default().wait(0), None);
        assert_eq!(PostingFrequency::of([-HOUR, -HOUR + 1, -HOUR + 2], 0).wait(0), None, "one post of three items");
        assert_eq!(
            PostingFrequency::of([-HOUR, DAY, 2 * DAY, 3 * DAY, 4 * DAY], 0),
            PostingFrequency::of([-HOUR], 0),
            "dates in the future"
        );
        let counted = (1..6).fold(PostingFrequency::default(), |frequency, day| frequency.and_one(day * DAY));
        assert_eq!(counted.mean(), Some(DAY), "undated items count by their arrival");
    }

    proptest! {
        #[test]
        fn waits_within_limits_and_restores_what_was_stored(
            moments in proptest::collection::vec(0_i64..1_800_000_000_000, 0..60), now in 0_i64..1_900_000_000_000,
        ) {
            let frequency = PostingFrequency::of(moments, now);
            if let Some(wait) = frequency.wait(now) {
                prop_assert!((HOUR..=MAX_INTERVAL).contains(&wait));
            }
            let again = PostingFrequency::remembered(&frequency.minutes().unwrap_or_default(), frequency.newest());
            prop_assert_eq!(again.minutes(), frequency.minutes());
        }
    }
}
