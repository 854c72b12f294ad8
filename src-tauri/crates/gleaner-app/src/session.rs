//! State that the app keeps in memory until it quits, and the signals that wake its background work. Each part belongs to the use cases of
//! one module.

use crate::{economy::Saving, import_sources::ImportSource};
use gleaner_contract::{OnClose, RefreshProgress, SyncProgress};
use gleaner_fetch::{RequestCounter, Response};
use gleaner_library::{Millis, Queued, UnreadFound, now};
use gleaner_polling::Scope;
use gleaner_sync::Client;
use parking_lot::Mutex as BlockingMutex;
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};
use tokio::sync::{Mutex, Notify, OnceCell};
use url::Url;

/// Wake-up calls for background work.
#[derive(Default)]
pub(crate) struct Signals {
    /// Feeds may be due, or automatic refresh was switched.
    pub(crate) polling: Notify,
    /// There may be articles that the search index does not contain.
    pub(crate) index: Notify,
    /// Saved searches may match other articles, or tags have changed.
    pub(crate) collections: Notify,
    /// There may be something to download for offline reading.
    pub(crate) downloads: Notify,
    /// There may be episodes to download.
    pub(crate) episodes: Notify,
    /// There may be feeds without an icon.
    pub(crate) icons: Notify,
    /// There may be articles that exceed a retention policy.
    pub(crate) retention: Notify,
    /// Accounts are to be synchronised now.
    pub(crate) sync: Notify,
    /// How often accounts are synchronised was changed.
    pub(crate) sync_intervals: Notify,
    /// The library was replaced, or replacing it failed after work was cancelled for that.
    pub(crate) replaced: Notify,
    /// Articles or feeds may have changes to send to a server.
    pub(crate) marks: Notify,
    /// There may be articles to send to a service.
    pub(crate) sharing: Notify,
    /// What the tray shows may have changed.
    pub(crate) tray: Notify,
}

/// What the app remembers until it quits.
#[derive(Default)]
pub(crate) struct Session {
    /// Files and addresses from command lines, until the window is ready.
    pub(crate) files: BlockingMutex<Vec<PathBuf>>,
    /// The files that wait for the user's confirmation to be imported.
    pub(crate) prepared: BlockingMutex<Prepared>,
    /// The files that the user picked or opened last, to subscribe to them.
    pub(crate) picked_files: BlockingMutex<Vec<Url>>,
    /// What the last search for feeds fetched.
    pub(crate) discovered: BlockingMutex<Vec<DiscoveredFeed>>,
    pub(crate) suspicious_links: SuspiciousLinks,
    pub(crate) refresh: RefreshState,
    /// Unread articles of saved searches, as last counted.
    pub(crate) search_counts: BlockingMutex<HashMap<i64, UnreadFound>>,
    /// Unread articles by language, as last counted.
    pub(crate) language_counts: BlockingMutex<Vec<(String, UnreadFound)>>,
    /// What closing the window does.
    pub(crate) closing: Closing,
    /// Whether downloads wait because the connection is metered or the computer runs on battery.
    pub(crate) saving: Saving,
    /// Pause of automatic downloads for offline reading after the user cancelled them.
    pub(crate) downloads_rest: Rest,
    /// Logins on servers.
    pub(crate) servers: Sessions,
    /// Serves downloaded episodes to the player.
    pub(crate) media_server: OnceCell<MediaServer>,
    /// The progress of the running synchronisation.
    pub(crate) syncing: BlockingMutex<Option<SyncProgress>>,
    /// Accounts that were not synchronised because this computer is offline.
    pub(crate) offline_accounts: BlockingMutex<HashSet<i64>>,
    /// Until when accounts wait, so that their servers' limits on requests are not exceeded.
    pub(crate) sync_pauses: BlockingMutex<HashMap<i64, Instant>>,
    /// For each service, the article at which sending last failed.
    pub(crate) failed_shares: BlockingMutex<HashMap<i64, Queued>>,
}

/// The files that wait for the user's confirmation.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) sources: Vec<ImportSource>,
    /// Incremented by each cancellation: files that were being read at that time are not shown.
    pub(crate) cancelled: u64,
}

/// A feed that a search found.
#[derive(Debug)]
pub(crate) struct DiscoveredFeed {
    /// Its address as the window shows it, without a password.
    pub(crate) shown: String,
    /// The same with the login that the user typed, or that the page names.
    pub(crate) url: Url,
    /// Whether a public page named it.
    pub(crate) public: bool,
    /// The response from this address.
    pub(crate) response: Option<Arc<Response>>,
    pub(crate) at: Instant,
}

/// The links of the open article that deceive by their text, look-alike letters or a user name. The window finds them,
/// because only the window knows the text on the page.
#[derive(Debug, Default)]
pub(crate) struct SuspiciousLinks(BlockingMutex<HashSet<Url>>);

impl SuspiciousLinks {
    pub(crate) fn replace(&self, addresses: &[String]) {
        *self.0.lock() = addresses.iter().filter_map(|address| Url::parse(address).ok()).collect();
    }

    pub(crate) fn contains(&self, url: &Url) -> bool {
        self.0.lock().contains(url)
    }
}

/// State of refreshing between runs.
#[derive(Default)]
pub(crate) struct RefreshState {
    /// When feeds are checked next, to the minute; `None` while that is paused or not known.
    pub(crate) next: BlockingMutex<Option<Millis>>,
    pub(crate) left: BlockingMutex<Left>,
    /// Pause of automatic refreshes after the user cancelled one.
    pub(crate) rest: Rest,
    /// Whether the running refresh is that of a single feed, started by the user.
    pub(crate) is_of_one_feed: AtomicBool,
    pub(crate) progress: BlockingMutex<Option<RefreshProgress>>,
}

/// How long automatic work rests after the user has cancelled it: the usual interval between two checks of a feed.
const REST: Millis = 3_600_000;

/// Keeps automatic work that the user has cancelled from starting again soon.
#[derive(Default)]
pub(crate) struct Rest(BlockingMutex<Option<Millis>>);

impl Rest {
    /// The user has cancelled the work.
    pub(crate) fn begin(&self) {
        *self.0.lock() = Some(now());
    }

    /// The user asks for the work.
    pub(crate) fn end(&self) {
        *self.0.lock() = None;
    }

    /// Returns how long the work still rests.
    pub(crate) fn remaining(&self) -> Duration {
        self.0.lock().map_or(Duration::ZERO, |begun| rest_after(now() - begun))
    }
}

/// Returns how long work still rests, given the time since it was cancelled. The time is negative if the clock was set back.
fn rest_after(passed: Millis) -> Duration {
    let rest = if passed < 0 { 0 } else { REST - passed };
    Duration::from_millis(u64::try_from(rest).unwrap_or(0))
}

/// Feeds that interrupted refreshes have not polled yet.
#[derive(Default)]
pub(crate) struct Left {
    feeds: Vec<i64>,
    /// Whether a refresh of due feeds was interrupted. It continues with whatever is due then.
    due: bool,
}

impl Left {
    pub(crate) fn add(&mut self, scope: &Scope, remaining: Vec<i64>) {
        match scope {
            Scope::Due => self.due = true,
            Scope::All | Scope::Feeds(_) => {
                self.feeds.extend(remaining);
                self.feeds.sort_unstable();
                self.feeds.dedup();
            }
        }
    }

    /// Takes the next scope to refresh, with whether the user asked for it.
    pub(crate) fn take(&mut self) -> Option<(Scope, bool)> {
        if self.feeds.is_empty() {
            return std::mem::take(&mut self.due).then_some((Scope::Due, false));
        }
        Some((Scope::Feeds(std::mem::take(&mut self.feeds)), true))
    }
}

impl RefreshState {
    /// The progress of the running refresh.
    pub(crate) fn progress(&self) -> Option<RefreshProgress> {
        self.progress.lock().clone()
    }
}

/// What closing the window does, as last read from the settings: a closing window cannot wait for the library.
#[derive(Default)]
pub(crate) struct Closing {
    pub(crate) on_close: BlockingMutex<OnClose>,
    /// Whether the window asks the user now.
    pub(crate) asking: AtomicBool,
    /// Whether the window is storing its latest changes before the program quits.
    pub(crate) storing: AtomicBool,
}

impl Closing {
    pub(crate) fn set(&self, on_close: OnClose) {
        *self.on_close.lock() = on_close;
    }
}

/// Sessions on servers, each with its number of requests. They are kept so that not every synchronisation has to log in.
pub(crate) type Sessions = Mutex<HashMap<i64, (Client, Arc<RequestCounter>)>>;

/// The server of downloaded episodes, which runs until the process ends.
pub(crate) struct MediaServer {
    pub(crate) port: u16,
    pub(crate) token: String,
}

impl MediaServer {
    /// Returns the address of a downloaded file.
    pub(crate) fn address(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/{}/{name}", self.port, self.token)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn interrupted_refreshes_continue_each_feed_once() {
        let mut left = Left::default();
        left.add(&Scope::All, vec![3, 1]);
        left.add(&Scope::Due, vec![9]);
        left.add(&Scope::Feeds(vec![1, 2]), vec![1, 2]);
        assert_eq!(left.take(), Some((Scope::Feeds(vec![1, 2, 3]), true)));
        assert_eq!(left.take(), Some((Scope::Due, false)), "what is due may have changed");
        assert_eq!(left.take(), None);
    }

    #[test]
    fn cancelled_work_rests_for_an_hour_and_not_longer_when_the_clock_is_set_back() {
        let minutes = [0, 1_200_000, REST, 9 * REST, -1].map(|passed| rest_after(passed).as_secs() / 60);
        assert_eq!(minutes, [60, 40, 0, 0, 0]);
    }

    #[test]
    fn suspicious_links_match_in_every_spelling() {
        let links = SuspiciousLinks::default();
        links.replace(&["HTTPS://Evil.example".to_owned(), "no address".to_owned()]);
        assert!(links.contains(&Url::parse("https://evil.example/").unwrap()));
        assert!(!links.contains(&Url::parse("https://evil.example/other").unwrap()));
        links.replace(&[]);
        assert!(!links.contains(&Url::parse("https://evil.example/").unwrap()));
    }
}
