//! What can be done about a feed that moved, went or broke: proposed to the user, who decides. Pure.

use crate::schedule;
use gleaner_library::{Millis, Poll, feed_key};
use std::collections::HashMap;

const DAY: Millis = 24 * 3_600_000;
/// A feed that has failed for so long needs its reader's attention (politeness P33).
const FAILING_FOR: Millis = 7 * DAY;
/// A feed that has posted nothing for so long may be over.
const SILENT_FOR: Millis = 365 * DAY;

/// A state of a feed with something to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// It says that it has moved for good: follow it now, or wait until it has said so often enough.
    Follow {
        /// Where it says that it is.
        to: String,
    },
    /// It ends at the address of another subscription: make one of the two (P39).
    Merge {
        /// The other one.
        with: i64,
    },
    /// Its site offers another feed: fetch that from now on.
    Switch {
        /// Where that is.
        to: String,
        /// What the site calls it.
        title: Option<String>,
    },
    /// Its domain seems to have been given up: what answers offers it for sale.
    Parked,
    /// Its server says that it is gone (410): leave it, or look for another feed of the site (P35).
    Gone,
    /// Something else is where it was, a page most often: look for the feed anew (P36).
    NotAFeed,
    /// Its certificate is not good: wait, or make an exception.
    Certificate,
    /// It has failed for a week and more.
    Attention,
    /// It answers, and has had nothing new for a year and more, and the user has not said that it is to be kept all the same.
    Silent {
        /// When it last had something.
        since: Millis,
    },
}

/// The feeds that something can be done about.
pub fn remedies(polls: &[Poll], now: Millis) -> HashMap<i64, Vec<Remedy>> {
    let at: HashMap<String, i64> = polls.iter().map(|poll| (feed_key(&poll.url), poll.feed_id)).collect();
    let of = |poll: &Poll| {
        let mut remedies = Vec::new();
        // What is wrong comes with what may be in its place.
        let offered = poll.offered_url.as_ref().filter(|_| poll.failure.error_code.is_some());
        let with = offered.into_iter().chain(&poll.final_url).find_map(|url| at.get(&feed_key(url)).copied());
        if let Some(with) = with.filter(|with| *with != poll.feed_id) {
            remedies.push(Remedy::Merge { with });
        } else if let Some(to) = poll.moved_to.as_ref().filter(|_| !poll.stays) {
            remedies.push(Remedy::Follow { to: to.clone() });
        }
        let failure = &poll.failure;
        if let Some(to) = offered.filter(|_| !remedies.iter().any(|remedy| matches!(remedy, Remedy::Merge { .. }))) {
            remedies.push(Remedy::Switch { to: to.clone(), title: poll.offered_title.clone() });
        }
        match failure.error_code.as_deref() {
            Some("http_status") if failure.error_detail.as_deref() == Some("410") => remedies.push(Remedy::Gone),
            Some("parked") => remedies.push(Remedy::Parked),
            Some("not_a_feed") => remedies.push(Remedy::NotAFeed),
            Some("tls") => remedies.push(Remedy::Certificate),
            Some("offline" | "asked_to_wait") | None => {}
            Some(_) if failure.error_since.is_some_and(|since| now - since >= FAILING_FOR) => {
                remedies.push(Remedy::Attention);
            }
            Some(_) => {}
        }
        let kept = |newest: Millis| poll.kept_silent.is_some_and(|kept| newest <= kept);
        let silent = poll.newest_at.filter(|newest| now - newest >= SILENT_FOR && !kept(*newest));
        if let (Some(since), None) = (silent, &failure.error_code) {
            remedies.push(Remedy::Silent { since });
        }
        (poll.feed_id, remedies)
    };
    polls.iter().map(of).filter(|(_, remedies)| !remedies.is_empty()).collect()
}

/// How many more answers that say the same are waited for before a move is followed without asking.
pub fn answers_until_followed(poll: &Poll) -> i64 {
    (schedule::MOVED_TIMES - poll.moved_times).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gleaner_library::Failure;

    fn poll(feed_id: i64, url: &str) -> Poll {
        Poll { feed_id, url: url.to_owned(), ..Poll::default() }
    }

    #[test]
    fn a_feed_that_is_well_needs_nothing() {
        let newest_at = Some(0);
        assert!(remedies(&[Poll { newest_at, ..poll(1, "https://example.com/feed") }], DAY).is_empty());
    }

    #[test]
    fn a_move_is_offered_and_a_merge_in_its_place_where_the_other_is_there() {
        let moved = Poll {
            moved_to: Some("https://example.org/feed".to_owned()),
            final_url: Some("https://example.org/feed".to_owned()),
            moved_times: 1,
            ..poll(1, "https://example.com/feed")
        };
        assert_eq!(answers_until_followed(&moved), 2);
        let alone = remedies(std::slice::from_ref(&moved), 0);
        assert_eq!(alone[&1], [Remedy::Follow { to: "https://example.org/feed".to_owned() }]);
        // http and https are one.
        let both = remedies(&[moved, poll(2, "http://example.org/feed/")], 0);
        assert_eq!(both.get(&1), Some(&vec![Remedy::Merge { with: 2 }]));
        assert_eq!(both.get(&2), None);
    }

    #[test]
    fn another_feed_of_the_site_is_offered_or_merged_with_where_it_is_there() {
        let failure = Failure { error_code: Some("not_a_feed".to_owned()), ..Failure::default() };
        let instead = Poll {
            offered_url: Some("https://example.com/new.xml".to_owned()),
            offered_title: Some("News".to_owned()),
            failure,
            ..poll(1, "https://example.com/feed")
        };
        let switch = Remedy::Switch { to: "https://example.com/new.xml".to_owned(), title: Some("News".to_owned()) };
        assert_eq!(remedies(std::slice::from_ref(&instead), 0)[&1], [switch, Remedy::NotAFeed]);
        let both = remedies(&[instead.clone(), poll(2, "https://example.com/new.xml")], 0);
        assert_eq!(both[&1], [Remedy::Merge { with: 2 }, Remedy::NotAFeed]);
        let well = Poll { failure: Failure::default(), ..instead };
        assert!(remedies(&[well], 0).is_empty());
    }

    #[test]
    fn silence_and_long_failure_are_told_apart() {
        let silent = Poll { newest_at: Some(0), ..poll(1, "https://example.com/1") };
        let failing = |code: &str, since| Poll {
            failure: Failure { error_code: Some(code.to_owned()), error_since: Some(since), ..Failure::default() },
            newest_at: Some(0),
            ..poll(2, "https://example.com/2")
        };
        let now = 400 * DAY;
        assert_eq!(remedies(&[silent], now)[&1], [Remedy::Silent { since: 0 }]);
        assert_eq!(remedies(&[failing("timeout", now - 8 * DAY)], now)[&2], [Remedy::Attention]);
        assert!(remedies(&[failing("timeout", now - DAY)], now).is_empty());
        assert!(remedies(&[failing("offline", now - 8 * DAY)], now).is_empty());
    }
}
