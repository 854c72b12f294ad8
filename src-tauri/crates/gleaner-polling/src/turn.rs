//! Which feeds of a scope are asked now, and in what order: host by host.

use crate::{runner::Summary, schedule};
use gleaner_library::{Millis, Poll};
use std::collections::HashMap;
use url::Url;

/// Without the feeds that were refreshed by hand too often (P28); the others' allowance is used. The first time is free.
pub(crate) fn within_allowance(polls: Vec<Poll>, now: Millis, summary: &mut Summary) -> Vec<Poll> {
    let allowed = polls.into_iter().filter_map(|mut poll| {
        if poll.checked_at.is_none() {
            return Some(poll);
        }
        match schedule::by_hand(poll.hand_at, now) {
            Ok(used) => {
                poll.hand_at = Some(used);
                Some(poll)
            }
            Err(again) => {
                summary.limited += 1;
                summary.limited_until = Some(summary.limited_until.map_or(again, |until| until.min(again)));
                None
            }
        }
    });
    allowed.collect()
}

/// One list a host, without hosts that want to be left alone; and how many feeds that left out.
pub(crate) fn group(polls: Vec<Poll>, waiting: &HashMap<String, Millis>) -> (Vec<Vec<Poll>>, usize) {
    let mut hosts: HashMap<String, usize> = HashMap::new();
    let (mut groups, mut skipped): (Vec<Vec<Poll>>, usize) = (Vec::new(), 0);
    for poll in polls {
        let host = host(&poll.url);
        if waiting.contains_key(&host) {
            skipped += 1;
            continue;
        }
        let at = *hosts.entry(host).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(poll);
    }
    (groups, skipped)
}

/// Feeds whose address has no host stand each for itself.
pub(crate) fn host(url: &str) -> String {
    Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_else(|| url.to_owned())
}
