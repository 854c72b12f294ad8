//! Feeds' icons, from their own sites and from nobody else: what the feed names, else what its site's page names, else what lies at
//! the site's root. Each site is asked once; where nothing came, again after a week. As polite as everything that is fetched ahead: in
//! turn with the feeds at each host, with a rest after each request.

mod picture;
mod sites;

use crate::{
    ahead::fetch::{Feed, Trouble},
    runner::{PollError, Poller},
    turn::host,
};
use futures::{StreamExt as _, stream};
use gleaner_fetch::{Accept, Answer, FetchErrorKind, Request};
use gleaner_library::{LibraryError, Millis, WithoutIcon};
use sites::Sites;
use std::{
    collections::{HashMap, HashSet},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;
use url::{Origin, Url};

/// A site that gave nothing is asked again after so long.
const AGAIN: Millis = 7 * 86_400_000;
/// Hosts that are asked side by side.
const HOSTS_AT_ONCE: usize = 4;
/// Bytes of a page that names its icons.
const PAGE: u64 = 2 << 20;
/// Bytes of a file that may hold an icon.
const FILE: u64 = 64 << 10;
/// So many of the icons that a page names are tried.
const OF_A_PAGE: usize = 2;
/// So many of them are kept in mind for a site's other feeds.
const NAMED: usize = 32;
/// So many pages of a site are asked for in vain before it counts as one that names none.
const PAGES_IN_VAIN: usize = 3;
/// Once a round took so long, or asked for so much, what is left waits for the next: no other process polls meanwhile.
const AT_MOST: Duration = Duration::from_secs(120);
const REQUESTS: usize = 400;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Icons {
    /// Feeds that were looked at.
    pub asked: usize,
    /// Icons that came.
    pub came: usize,
    /// Some were left for another round: this one has had its time.
    pub more: bool,
}

/// A picture, and its type.
type Icon = (&'static str, Vec<u8>);

/// What came of a request.
enum Came {
    Answer(Box<Answer>),
    /// An error.
    Nothing,
    /// This feed's login or proxy is of no use; another's may be.
    NotAsked,
}

/// Why a feed is not looked at to the end.
enum Stop {
    /// Its server is left alone, or the reader stopped it: another time.
    Later,
    /// The round has had its time.
    Over,
    /// Its server was asked in this round, and wants to be left alone.
    Refused,
    Offline,
    Failed(PollError),
}

impl From<LibraryError> for Stop {
    fn from(error: LibraryError) -> Self {
        Self::Failed(error.into())
    }
}

/// What the feeds that are looked at together share.
struct Round {
    feeds: HashMap<i64, Feed>,
    known: Mutex<Known>,
    begun: Instant,
    requests: AtomicUsize,
    cancel: CancellationToken,
}

/// What is known in a round: nothing is asked for twice in it, however many feeds a site has.
#[derive(Default)]
struct Known {
    /// What a page of each site names. It holds for the site's other pages too: those of a thousand channels name the same.
    named: HashMap<Origin, Vec<Url>>,
    /// Pages that did not come.
    none: HashMap<Origin, Vec<Url>>,
    /// Files, and what they are.
    files: HashMap<Url, Option<Icon>>,
    /// Hosts that have said in this round that they want to be left alone.
    refusing: HashSet<String>,
}

impl Round {
    fn new(feeds: HashMap<i64, Feed>, cancel: CancellationToken) -> Self {
        Self { feeds, known: Mutex::default(), begun: Instant::now(), requests: AtomicUsize::new(0), cancel }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it has had its time: nobody else polls meanwhile.
    fn is_over(&self) -> bool {
        self.begun.elapsed() >= AT_MOST || self.requests.load(Ordering::Relaxed) >= REQUESTS
    }
}

impl Poller {
    /// Looks for the icons of feeds that have none. Does nothing while another process polls.
    ///
    /// # Errors
    /// When the library cannot be read or written.
    pub async fn icons(&self, cancel: CancellationToken, mut came: impl FnMut(&Icons)) -> Result<Icons, PollError> {
        let mut so_far = Icons::default();
        let Some(_lock) = self.lock()? else { return Ok(so_far) };
        let without = self.library.without_icon(self.now() - AGAIN).await?;
        if without.is_empty() {
            return Ok(so_far);
        }
        let feeds = self.feeds_reached().await?;
        let round = Round::new(feeds, cancel.child_token());
        let one = |feed: WithoutIcon| self.icon_of(feed, &round);
        let hosts = by_host(without).into_iter().map(|feeds| Box::pin(stream::iter(feeds).then(one)));
        let mut done = stream::iter(hosts).flatten_unordered(HOSTS_AT_ONCE);
        while let Some(done) = done.next().await {
            match done {
                Ok(icon) => so_far.came += usize::from(icon),
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
            so_far.asked += 1;
            came(&so_far);
        }
        Ok(so_far)
    }

    /// Looks for the icon of a feed; says whether there is one.
    async fn icon_of(&self, feed: WithoutIcon, round: &Round) -> Result<bool, Stop> {
        let Some(reached) = round.feeds.get(&feed.id).filter(|_| !round.cancel.is_cancelled()) else {
            return Err(Stop::Later);
        };
        if round.is_over() {
            return Err(Stop::Over);
        }
        let icon = match self.look_for_icon(&Sites::of(&feed), feed.icon_url.as_deref(), reached, round).await {
            // It is not asked again as soon as it may be: its feeds, which wait as well, go before that.
            Err(Stop::Refused) => None,
            found => found?,
        };
        let kept = icon.as_ref().map(|(kind, bytes)| (*kind, bytes.as_slice()));
        self.library.set_icon(feed.id, kept, self.now()).await?;
        Ok(icon.is_some())
    }

    async fn look_for_icon(
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

    /// What a site's page names, else what lies at the site's root.
    async fn icon_of_page(&self, page: &Url, sites: &Sites, feed: &Feed, round: &Round) -> Result<Option<Icon>, Stop> {
        let named = self.named_by(page, feed, round).await?;
        let mut named: Vec<Url> = named.into_iter().filter(|url| sites.own(url)).take(OF_A_PAGE).collect();
        let root = page.join("/favicon.ico").ok().filter(|root| !named.contains(root));
        named.extend(root);
        self.first(named, feed, round).await
    }

    /// The icons that a site's page names.
    async fn named_by(&self, page: &Url, feed: &Feed, round: &Round) -> Result<Vec<Url>, Stop> {
        let site = page.origin();
        {
            let known = round.known();
            if let Some(named) = known.named.get(&site) {
                return Ok(named.clone());
            }
            if known.none.get(&site).is_some_and(|pages| pages.len() >= PAGES_IN_VAIN || pages.contains(page)) {
                return Ok(Vec::new());
            }
        }
        let Came::Answer(answer) = self.of_site(page, (Accept::Page, PAGE), feed, round).await? else {
            round.known().none.entry(site).or_default().push(page.clone());
            return Ok(Vec::new());
        };
        let (body, kind, base) = (answer.body.unwrap_or_default(), answer.content_type, answer.url);
        let read = tokio::task::spawn_blocking(move || gleaner_discovery::icons(&body, kind.as_deref(), &base));
        let named = read.await.map_err(|error| Stop::Failed(error.into()))?;
        let named: Vec<Url> = named.into_iter().take(NAMED).collect();
        round.known().named.insert(site, named.clone());
        Ok(named)
    }

    /// The first of these that is an icon.
    async fn first(&self, urls: Vec<Url>, feed: &Feed, round: &Round) -> Result<Option<Icon>, Stop> {
        for url in urls {
            let known = round.known().files.get(&url).cloned();
            let icon = match known {
                Some(known) => known,
                None => {
                    let icon = match self.of_site(&url, (Accept::Photograph, FILE), feed, round).await? {
                        Came::Answer(answer) => answer.body.and_then(|body| picture::icon(&body)),
                        Came::Nothing => None,
                        Came::NotAsked => continue,
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

    /// Asks a site for something of its own.
    async fn of_site(
        &self,
        url: &Url,
        (accept, at_most): (Accept, u64),
        feed: &Feed,
        round: &Round,
    ) -> Result<Came, Stop> {
        let site = host(url.as_str());
        if round.known().refusing.contains(&site) {
            return Err(Stop::Refused);
        }
        let public_only = !feed.is_inside();
        let request =
            Request { accept, at_most: Some(at_most), own_site: true, public_only, ..Request::new(url.clone()) };
        let came = self.ask_beside(request, feed, &round.cancel).await;
        if !matches!(came, Err(Trouble::Wait { asked: false, .. })) {
            round.requests.fetch_add(1, Ordering::Relaxed);
        }
        match came {
            Ok(answer) => Ok(Came::Answer(Box::new(answer))),
            Err(Trouble::Library(error)) => Err(error.into()),
            Err(Trouble::Wait { asked: true, .. }) => {
                round.known().refusing.insert(site);
                Err(Stop::Refused)
            }
            Err(Trouble::Cancelled | Trouble::Wait { .. }) => Err(Stop::Later),
            Err(Trouble::Fetch(error)) if error.kind == FetchErrorKind::Offline => Err(Stop::Offline),
            Err(Trouble::Fetch(_)) => Ok(Came::Nothing),
            Err(Trouble::Access(_)) => Ok(Came::NotAsked),
        }
    }
}

/// One list a host, so that a slow one keeps no other waiting.
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
    fn a_round_ends() {
        let round = Round::new(HashMap::new(), CancellationToken::new());
        assert!(!round.is_over());
        round.requests.store(REQUESTS, Ordering::Relaxed);
        assert!(round.is_over());
        let long_ago = Instant::now().checked_sub(AT_MOST).unwrap();
        assert!(Round { begun: long_ago, ..Round::new(HashMap::new(), CancellationToken::new()) }.is_over());
    }
}
