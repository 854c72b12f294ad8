//! Downloads feeds' icons, from their own sites only: the icon that the feed names, or else that of its site's page, or else
//! `/favicon.ico`. Each site is contacted once, and again after a week if it had none. Requests follow the same rules as downloads: in turn
//! with the feeds of each host, with a pause after each.

mod image;
mod sites;

use crate::{
    host_queue::host,
    offline::fetch::{Feed, RequestError},
    runner::{PollError, Poller},
};
use futures::{StreamExt as _, stream};
use gleaner_fetch::{Accept, FetchErrorKind, Request, Response};
use gleaner_library::{LibraryError, Millis, WithoutIcon};
use parking_lot::{Mutex, MutexGuard};
use sites::Sites;
use std::{
    collections::{HashMap, HashSet},
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;
use url::{Origin, Url};

/// Time after which a site without an icon is tried again.
const AGAIN: Millis = 7 * 86_400_000;
/// Number of hosts that are contacted concurrently.
const HOSTS_AT_ONCE: usize = 4;
/// Maximum size of a page that names icons, in bytes.
const MAX_PAGE: u64 = 2 << 20;
/// Maximum size of an icon file, in bytes.
const MAX_FILE: u64 = 64 << 10;
/// Number of a page's icons that are tried.
const MAX_ICONS_OF_PAGE: usize = 2;
/// Number of a page's icons that are remembered for the site's other feeds.
const MAX_NAMED: usize = 32;
/// Number of a site's pages that may fail before the site counts as naming no icons.
const MAX_FAILED_PAGES: usize = 3;
/// Maximum duration and number of requests of a round: no other process can poll meanwhile. The rest waits for the next round.
const MAX_ROUND: Duration = Duration::from_secs(120);
const MAX_REQUESTS: usize = 400;

/// Result of looking for icons.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Icons {
    /// Number of feeds examined.
    pub requested: usize,
    /// Number of icons found.
    pub found: usize,
    /// Whether feeds are left for another round.
    pub more: bool,
}

/// An image and its type.
type Icon = (&'static str, Vec<u8>);

/// Result of a request.
enum Fetched {
    Received(Box<Response>),
    /// An error.
    Nothing,
    /// No request was sent: this feed's login or proxy cannot be used. Another feed's may work.
    NotSent,
}

/// Why a feed was not examined to the end.
enum Stop {
    /// The server asked to wait before, or the user cancelled: try another time.
    Later,
    /// The round is over.
    Over,
    /// The server asked to wait in this round.
    Refused,
    Offline,
    Failed(PollError),
}

impl From<LibraryError> for Stop {
    fn from(error: LibraryError) -> Self {
        Self::Failed(error.into())
    }
}

/// State shared by the feeds of a round.
struct Round {
    feeds: HashMap<i64, Feed>,
    known: Mutex<Known>,
    begun: Instant,
    requests: AtomicUsize,
    cancel: CancellationToken,
}

/// Results of a round, so that nothing is requested twice, however many feeds a site has.
#[derive(Default)]
struct Known {
    /// Icons that a page of each site names. They are also used for the site's other pages: the pages of a thousand channels name the same
    /// icons.
    named: HashMap<Origin, Vec<Url>>,
    /// Pages that could not be loaded.
    none: HashMap<Origin, Vec<Url>>,
    /// Icon files by address.
    files: HashMap<Url, Option<Icon>>,
    /// Hosts that asked to wait in this round.
    refusing: HashSet<String>,
}

impl Round {
    fn new(feeds: HashMap<i64, Feed>, cancel: CancellationToken) -> Self {
        Self { feeds, known: Mutex::default(), begun: Instant::now(), requests: AtomicUsize::new(0), cancel }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock()
    }

    /// Whether the round has reached its limits.
    fn is_over(&self) -> bool {
        self.begun.elapsed() >= MAX_ROUND || self.requests.load(Ordering::Relaxed) >= MAX_REQUESTS
    }
}

impl Poller {
    /// Downloads the icons of feeds that have none. Does nothing while another process polls.
    ///
    /// # Errors
    /// When the library cannot be read or written.
    pub async fn icons(&self, cancel: CancellationToken, mut progress: impl FnMut(&Icons)) -> Result<Icons, PollError> {
        let mut so_far = Icons::default();
        let Some(_lock) = self.lock()? else { return Ok(so_far) };
        let without = self.library.icons().missing(self.now() - AGAIN).await?;
        if without.is_empty() {
            return Ok(so_far);
        }
        let feeds = self.feed_connections().await?;
        let round = Round::new(feeds, cancel.child_token());
        let one = |feed: WithoutIcon| self.icon_of(feed, &round);
        let hosts = by_host(without).into_iter().map(|feeds| Box::pin(stream::iter(feeds).then(one)));
        let mut done = stream::iter(hosts).flatten_unordered(HOSTS_AT_ONCE);
        while let Some(done) = done.next().await {
            match done {
                Ok(icon) => so_far.found += usize::from(icon),
                Err(Stop::Over) => {
                    so_far.more = true;
                    continue;
                }
                Err(Stop::Later | Stop::Refused) => continue,
                Err(Stop::Offline) => {
                    round.cancel.cancel();
                    continue;
                }
                Err(Stop::Failed(error)) => return Err(error),
            }
            so_far.requested += 1;
            progress(&so_far);
        }
        Ok(so_far)
    }

    /// Looks for the icon of a feed. Returns whether it has one.
    async fn icon_of(&self, feed: WithoutIcon, round: &Round) -> Result<bool, Stop> {
        let Some(reached) = round.feeds.get(&feed.id).filter(|_| !round.cancel.is_cancelled()) else {
            return Err(Stop::Later);
        };
        if round.is_over() {
            return Err(Stop::Over);
        }
        let icon = match self.find_icon(&Sites::of(&feed), feed.icon_url.as_deref(), reached, round).await {
            // Stored as having none for now: the server's feeds, which also wait, take precedence.
            Err(Stop::Refused) => None,
            found => found?,
        };
        let icon = icon.as_ref().map(|(kind, bytes)| (*kind, bytes.as_slice()));
        self.library.icons().set(feed.id, icon, self.now()).await?;
        Ok(icon.is_some())
    }

    async fn find_icon(
        &self,
        sites: &Sites,
        named: Option<&str>,
        feed: &Feed,
        round: &Round,
    ) -> Result<Option<Icon>, Stop> {
        let icon = self.first(sites.named(named), feed, round).await?;
        match &sites.page {
            Some(page) if icon.is_none() => self.icon_of_page(page, sites, feed, round).await,
            _ => Ok(icon),
        }
    }

    /// Returns the icon that a site's page names, else `/favicon.ico`.
    async fn icon_of_page(&self, page: &Url, sites: &Sites, feed: &Feed, round: &Round) -> Result<Option<Icon>, Stop> {
        let named = self.named_by(page, feed, round).await?;
        let mut named: Vec<Url> = named.into_iter().filter(|url| sites.own(url)).take(MAX_ICONS_OF_PAGE).collect();
        let root = page.join("/favicon.ico").ok().filter(|root| !named.contains(root));
        named.extend(root);
        self.first(named, feed, round).await
    }

    /// Returns the addresses of the icons that a site's page names.
    async fn named_by(&self, page: &Url, feed: &Feed, round: &Round) -> Result<Vec<Url>, Stop> {
        let site = page.origin();
        {
            let known = round.known();
            if let Some(named) = known.named.get(&site) {
                return Ok(named.clone());
            }
            if known.none.get(&site).is_some_and(|pages| pages.len() >= MAX_FAILED_PAGES || pages.contains(page)) {
                return Ok(Vec::new());
            }
        }
        let Fetched::Received(response) = self.of_site(page, (Accept::Page, MAX_PAGE), feed, round).await? else {
            round.known().none.entry(site).or_default().push(page.clone());
            return Ok(Vec::new());
        };
        let (body, kind, base) = (response.body.unwrap_or_default(), response.content_type, response.url);
        let read = tokio::task::spawn_blocking(move || gleaner_discovery::icons(&body, kind.as_deref(), &base));
        let named = read.await.map_err(|error| Stop::Failed(error.into()))?;
        let named: Vec<Url> = named.into_iter().take(MAX_NAMED).collect();
        round.known().named.insert(site, named.clone());
        Ok(named)
    }

    /// Returns the first file that is an icon.
    async fn first(&self, urls: Vec<Url>, feed: &Feed, round: &Round) -> Result<Option<Icon>, Stop> {
        for url in urls {
            let known = round.known().files.get(&url).cloned();
            let icon = match known {
                Some(known) => known,
                None => {
                    let icon = match self.of_site(&url, (Accept::Photograph, MAX_FILE), feed, round).await? {
                        Fetched::Received(response) => response.body.and_then(|body| image::icon(&body)),
                        Fetched::Nothing => None,
                        Fetched::NotSent => continue,
                    };
                    round.known().files.insert(url, icon.clone());
                    icon
                }
            };
            if icon.is_some() {
                return Ok(icon);
            }
        }
        Ok(None)
    }

    /// Requests something from a feed's own site.
    async fn of_site(
        &self,
        url: &Url,
        (accept, at_most): (Accept, u64),
        feed: &Feed,
        round: &Round,
    ) -> Result<Fetched, Stop> {
        let site = host(url.as_str());
        if round.known().refusing.contains(&site) {
            return Err(Stop::Refused);
        }
        let request = Request { accept, at_most: Some(at_most), own_site: true, ..Request::new(url.clone()) };
        let result = self.request_for(request, feed, &round.cancel).await;
        if !matches!(result, Err(RequestError::Wait { requested: false, .. })) {
            round.requests.fetch_add(1, Ordering::Relaxed);
        }
        let asks_to_wait = match &result {
            Err(RequestError::Wait { requested, .. }) => *requested,
            // With status 403.
            Err(RequestError::Fetch(error)) => error.asks_to_wait(),
            _ => false,
        };
        match result {
            _ if asks_to_wait => {
                round.known().refusing.insert(site);
                Err(Stop::Refused)
            }
            Ok(response) => Ok(Fetched::Received(Box::new(response))),
            Err(RequestError::Library(error)) => Err(error.into()),
            Err(RequestError::Cancelled | RequestError::Wait { .. }) => Err(Stop::Later),
            Err(RequestError::Fetch(error)) if error.kind == FetchErrorKind::Offline => Err(Stop::Offline),
            // The proxy may be that of this feed only.
            Err(RequestError::Fetch(error)) if error.is_own_network() => Err(Stop::Later),
            Err(RequestError::Fetch(_)) => Ok(Fetched::Nothing),
            Err(RequestError::Access(_)) => Ok(Fetched::NotSent),
        }
    }
}

/// Groups feeds by host, so that a slow host delays no other.
fn by_host(feeds: Vec<WithoutIcon>) -> Vec<Vec<WithoutIcon>> {
    let mut hosts: HashMap<String, Vec<WithoutIcon>> = HashMap::new();
    for feed in feeds {
        hosts.entry(host(feed.home_url.as_deref().unwrap_or(&feed.url))).or_default().push(feed);
    }
    hosts.into_values().collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ends_a_round_at_its_limits() {
        let round = Round::new(HashMap::new(), CancellationToken::new());
        assert!(!round.is_over());
        round.requests.store(MAX_REQUESTS, Ordering::Relaxed);
        assert!(round.is_over());
        let long_ago = Instant::now().checked_sub(MAX_ROUND).unwrap();
        assert!(Round { begun: long_ago, ..Round::new(HashMap::new(), CancellationToken::new()) }.is_over());
    }
}
