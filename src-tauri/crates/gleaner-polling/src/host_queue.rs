//! Selects the feeds of a refresh, grouped by host, and lets only one request at a time go to each host.

use crate::{schedule, summary::Summary};
use gleaner_library::{Millis, Poll};
use parking_lot::Mutex as BlockingMutex;
use std::{collections::HashMap, sync::Arc};
use tokio::sync::{Mutex, OwnedMutexGuard};
use url::Url;

/// One lock per host: refreshing its feeds, downloading their history and everything else that is requested there takes turns (P44).
#[derive(Debug, Clone, Default)]
pub(crate) struct HostLocks(Arc<BlockingMutex<HashMap<String, Arc<Mutex<()>>>>>);

impl HostLocks {
    /// Waits for a host's lock.
    pub(crate) async fn lock(&self, host: String) -> Arc<OwnedMutexGuard<()>> {
        let lock = self.0.lock().entry(host).or_default().clone();
        Arc::new(lock.lock_owned().await)
    }
}

/// Leaves out feeds that were refreshed by hand too often (P28), and uses up the allowance of the others. The first refresh is free.
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

/// Groups feeds by host, without hosts that asked to wait. Returns the groups and the number of feeds left out.
pub(crate) fn group(polls: Vec<Poll>, waiting: &HashMap<String, Millis>) -> (Vec<Vec<Poll>>, usize) {
    let waits = |url: &str| waiting.contains_key(&host(url));
    let mut hosts: HashMap<String, usize> = HashMap::new();
    let (mut groups, mut skipped): (Vec<Vec<Poll>>, usize) = (Vec::new(), 0);
    for poll in polls {
        let host = host(&poll.url);
        // A feed that redirects to a host that asked to wait would not be fetched either.
        if waits(&poll.url) || poll.final_url.as_deref().is_some_and(waits) {
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

/// Returns the host of an address, or the whole address if it has none.
pub(crate) fn host(url: &str) -> String {
    Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_else(|| url.to_owned())
}
