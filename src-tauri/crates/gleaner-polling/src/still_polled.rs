//! Tracks which feeds are still to be polled while a refresh runs. A refresh of many feeds takes hours, during which some may be
//! unsubscribed, moved to an account, or get another address.

use gleaner_library::{Library, Poll};
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// How long the list that was read is used, so that a refresh of a thousand hosts does not read it a thousand times.
const REREAD: Duration = Duration::from_secs(1);

/// The feeds that were polled here when the library was read last, with their addresses.
#[derive(Debug)]
pub(crate) struct StillPolled {
    read: Mutex<(Instant, HashMap<i64, String>)>,
}

impl StillPolled {
    /// Starts with the feeds of a refresh, which were just read.
    pub(crate) fn new(feeds: &[Poll]) -> Self {
        Self { read: Mutex::new((Instant::now(), feeds.iter().map(|poll| (poll.feed_id, poll.url.clone())).collect())) }
    }

    /// Returns whether a feed is still polled, and at this address. If it `waited` for other requests, only this feed is looked up: a host
    /// may have very many feeds.
    pub(crate) async fn contains(&self, poll: &Poll, waited: bool, library: &Library) -> bool {
        // A library that cannot be read stops the refresh elsewhere.
        if waited && let Ok(url) = library.polls().address(poll.feed_id).await {
            return url.as_ref() == Some(&poll.url);
        }
        let mut read = self.read.lock().await;
        if read.0.elapsed() >= REREAD
            && let Ok(feeds) = library.polls().addresses().await
        {
            *read = (Instant::now(), feeds.into_iter().collect());
        }
        read.1.get(&poll.feed_id).is_some_and(|url| *url == poll.url)
    }
}
