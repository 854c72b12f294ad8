//! Suggests what to do about feeds that moved, disappeared or fail. The user decides. Pure.

use crate::{FeedErrorCode, schedule};
use gleaner_library::{Millis, Poll, feed_key};
use std::collections::HashMap;

const DAY: Millis = 24 * 3_600_000;
/// Time of failures after which a feed has the suggestion [`Suggestion::LongFailing`].
const FAILING_FOR: Millis = 7 * DAY;
/// Time without new items after which a feed counts as inactive.
const INACTIVE_AFTER: Millis = 365 * DAY;

/// Time after subscribing before a feed can count as inactive: a user who has just added a quiet feed wants it.
const NEW_FOR: Millis = 14 * DAY;

/// A suggestion for a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggestion {
    /// It redirects permanently: follow it now, or wait until enough responses confirm it.
    Follow {
        /// The new address.
        to: String,
    },
    /// It redirects to the address of another subscription: merge the two (P39).
    Merge {
        /// Id of the other feed.
        with: i64,
    },
    /// Its site offers another feed: switch to it.
    Switch {
        /// Address of that feed.
        to: String,
        /// Its title on the site.
        title: Option<String>,
    },
    /// Its domain seems to have expired.
    Parked,
    /// It is gone (410): unsubscribe, or look for another feed of the site (P35).
    Gone,
    /// Its address returns something else, usually a page: look for the feed again (P36).
    NotAFeed,
    /// Its certificate is invalid: wait, or accept it.
    Certificate,
    /// The name of its host now leads to a private network: allow it, or wait until that ends.
    PrivateNetwork,
    /// It has failed for more than a week.
    LongFailing,
    /// It has had nothing new for more than a year, the user has not chosen to keep it, and did not just subscribe to it.
    Inactive {
        /// Date of its last item.
        since: Millis,
    },
}

/// Number of failures in a row after which a feed's error is reported.
const REPORTED_AFTER: i64 = 3;

/// Time that the keyring may take until it can be used, as after a login, before the feed's error is reported.
const KEYRING_WITHIN: Millis = 15 * 60_000;

/// Returns whether the user should know about a feed's error: after three failures or a day, or when the feed is permanently gone. Most
/// errors disappear before that. Errors of this computer's connection or proxy, and a server that asks to wait, do not count.
#[must_use]
pub fn needs_attention(poll: &Poll, now: Millis) -> bool {
    let Some(code) = poll.failure.error_code.as_deref().map(FeedErrorCode::named) else { return false };
    let lasts = |time| poll.failure.error_since.is_some_and(|since| now - since >= time);
    match code {
        _ if code.is_own_network() => false,
        FeedErrorCode::TooManyRequests
        | FeedErrorCode::RetryAfter
        | FeedErrorCode::RetryAfterUntil
        | FeedErrorCode::Busy
        | FeedErrorCode::Cancelled => false,
        FeedErrorCode::Gone => true,
        // It counts as no failure, but the user can unlock the keyring.
        FeedErrorCode::SecretUnreadable => lasts(KEYRING_WITHIN),
        _ => poll.failures >= REPORTED_AFTER || lasts(DAY),
    }
}

/// Returns the suggestions for each feed that has any.
pub fn suggestions(polls: &[Poll], now: Millis) -> HashMap<i64, Vec<Suggestion>> {
    let at: HashMap<String, i64> = polls.iter().map(|poll| (feed_key(&poll.url), poll.feed_id)).collect();
    let of = |poll: &Poll| {
        let mut suggestions = Vec::new();
        // A replacement is suggested only for a failing feed.
        let offered = poll.offered_url.as_ref().filter(|_| poll.failure.error_code.is_some());
        let with = offered.into_iter().chain(&poll.final_url).find_map(|url| at.get(&feed_key(url)).copied());
        if let Some(with) = with.filter(|with| *with != poll.feed_id) {
            suggestions.push(Suggestion::Merge { with });
        } else if let Some(to) = poll.moved_to.as_ref().filter(|_| !poll.stays) {
            suggestions.push(Suggestion::Follow { to: to.clone() });
        }
        let failure = &poll.failure;
        if let Some(to) =
            offered.filter(|_| !suggestions.iter().any(|suggestion| matches!(suggestion, Suggestion::Merge { .. })))
        {
            suggestions.push(Suggestion::Switch { to: to.clone(), title: poll.offered_title.clone() });
        }
        match failure.error_code.as_deref().map(FeedErrorCode::named) {
            Some(FeedErrorCode::Gone) => suggestions.push(Suggestion::Gone),
            Some(FeedErrorCode::Parked) => suggestions.push(Suggestion::Parked),
            Some(code) if code.is_not_a_feed() => suggestions.push(Suggestion::NotAFeed),
            Some(code) if code.is_tls() => suggestions.push(Suggestion::Certificate),
            Some(FeedErrorCode::PrivateAddress) => suggestions.push(Suggestion::PrivateNetwork),
            Some(FeedErrorCode::RetryAfter) | None => {}
            Some(code) if code.is_own_network() => {}
            Some(_) if failure.error_since.is_some_and(|since| now - since >= FAILING_FOR) => {
                suggestions.push(Suggestion::LongFailing);
            }
            Some(_) => {}
        }
        let dismissed = |newest: Millis| poll.kept_silent.is_some_and(|until| newest <= until);
        let silent = poll.newest_at.filter(|newest| now - newest >= INACTIVE_AFTER && !dismissed(*newest));
        let is_new = now - poll.subscribed_at < NEW_FOR;
        if let (Some(since), None, false) = (silent, &failure.error_code, is_new) {
            suggestions.push(Suggestion::Inactive { since });
        }
        (poll.feed_id, suggestions)
    };
    polls.iter().map(of).filter(|(_, suggestions)| !suggestions.is_empty()).collect()
}

/// Returns the number of further responses after which a move is followed automatically.
pub fn responses_until_followed(poll: &Poll) -> i64 {
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
    fn suggests_nothing_for_a_working_feed() {
        let newest_at = Some(0);
        assert!(suggestions(&[Poll { newest_at, ..poll(1, "https://example.com/feed") }], DAY).is_empty());
    }

    #[test]
    fn suggests_following_a_move_or_merging_with_the_target() {
        let moved = Poll {
            moved_to: Some("https://example.org/feed".to_owned()),
            final_url: Some("https://example.org/feed".to_owned()),
            moved_times: 1,
            ..poll(1, "https://example.com/feed")
        };
        assert_eq!(responses_until_followed(&moved), 2);
        let alone = suggestions(std::slice::from_ref(&moved), 0);
        assert_eq!(alone[&1], [Suggestion::Follow { to: "https://example.org/feed".to_owned() }]);
        // http and https are equivalent.
        let both = suggestions(&[moved, poll(2, "http://example.org/feed/")], 0);
        assert_eq!(both.get(&1), Some(&vec![Suggestion::Merge { with: 2 }]));
        assert_eq!(both.get(&2), None);
    }

    #[test]
    fn suggests_switching_to_another_feed_or_merging_with_it() {
        let failure = Failure { error_code: Some("not_a_feed".to_owned()), ..Failure::default() };
        let replaced = Poll {
            offered_url: Some("https://example.com/new.xml".to_owned()),
            offered_title: Some("News".to_owned()),
            failure,
            ..poll(1, "https://example.com/feed")
        };
        let switch =
            Suggestion::Switch { to: "https://example.com/new.xml".to_owned(), title: Some("News".to_owned()) };
        assert_eq!(suggestions(std::slice::from_ref(&replaced), 0)[&1], [switch, Suggestion::NotAFeed]);
        let both = suggestions(&[replaced.clone(), poll(2, "https://example.com/new.xml")], 0);
        assert_eq!(both[&1], [Suggestion::Merge { with: 2 }, Suggestion::NotAFeed]);
        let working = Poll { failure: Failure::default(), ..replaced };
        assert!(suggestions(&[working], 0).is_empty());
    }

    #[test]
    fn asks_before_a_public_feed_uses_a_private_network() {
        let failing = |code: &str| Poll {
            failure: Failure { error_code: Some(code.to_owned()), ..Failure::default() },
            ..poll(1, "https://example.com/feed")
        };
        assert_eq!(suggestions(&[failing("private_address")], 0)[&1], [Suggestion::PrivateNetwork]);
        assert!(suggestions(&[failing("redirect_to_private_address")], 0).is_empty(), "a redirect is never allowed");
    }

    #[test]
    fn errors_need_attention_after_three_failures_or_a_day() {
        let failing = |code: &str, failures, since| Poll {
            failure: Failure { error_code: Some(code.to_owned()), error_since: Some(since), ..Failure::default() },
            failures,
            ..poll(1, "https://example.com/feed")
        };
        let now = 400 * DAY;
        for (code, failures, since, expected) in [
            ("connection_refused", 1, now, false),
            ("connection_refused", 2, now - 3_600_000, false),
            ("connection_refused", 3, now - 3_600_000, true),
            ("timeout", 1, now - DAY, true),
            ("gone", 1, now, true),
            ("too_many_requests", 9, now - 9 * DAY, false),
            ("retry_after", 9, now - 9 * DAY, false),
            ("offline", 9, now - 9 * DAY, false),
            ("secret_unreadable", 0, now - 60_000, false),
            ("secret_unreadable", 0, now - 3_600_000, true),
            ("proxy_refused", 0, now - 9 * DAY, false),
            ("proxy_not_found", 0, now - 9 * DAY, false),
        ] {
            assert_eq!(needs_attention(&failing(code, failures, since), now), expected, "{code} {failures}");
        }
        assert!(!needs_attention(&poll(1, "https://example.com/feed"), now));
    }

    #[test]
    fn distinguishes_inactivity_from_long_failure() {
        let silent = Poll { newest_at: Some(0), ..poll(1, "https://example.com/1") };
        let failing = |code: &str, since| Poll {
            failure: Failure { error_code: Some(code.to_owned()), error_since: Some(since), ..Failure::default() },
            newest_at: Some(0),
            ..poll(2, "https://example.com/2")
        };
        let now = 400 * DAY;
        let new = Poll { subscribed_at: now - NEW_FOR + 1, ..silent.clone() };
        assert_eq!(suggestions(&[silent], now)[&1], [Suggestion::Inactive { since: 0 }]);
        assert!(suggestions(&[new], now).is_empty(), "the user has just subscribed");
        assert_eq!(suggestions(&[failing("timeout", now - 8 * DAY)], now)[&2], [Suggestion::LongFailing]);
        assert!(suggestions(&[failing("timeout", now - DAY)], now).is_empty());
        for code in ["offline", "proxy_refused"] {
            assert!(suggestions(&[failing(code, now - 8 * DAY)], now).is_empty());
        }
    }
}
