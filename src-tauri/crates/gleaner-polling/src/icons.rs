//! Feeds' icons, from their own sites and from nobody else: what the feed names, else what its site's page names, else what lies at
//! the site's root. Each site is asked once; where nothing came, again after a week. As polite as everything that is fetched ahead: in
//! turn with the feeds at each host, with a rest after each request.

mod picture;

use crate::{
    ahead::fetch::{Feed, Trouble},
    runner::{PollError, Poller},
    turn::host,
};
use futures::{StreamExt as _, stream};
use gleaner_fetch::{Accept, Answer, FetchErrorKind, Request, is_private_host, same_site};
use gleaner_library::{LibraryError, Millis, WithoutIcon};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use tokio_util::sync::CancellationToken;
use url::Url;

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

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Icons {
    /// Feeds that were looked at.
    pub asked: usize,
    /// Icons that came.
    pub came: usize,
}

/// A picture, and its type.
type Icon = (&'static str, Vec<u8>);

/// Why a feed is not looked at to the end.
enum Stop {
    /// Its server is left alone, or the reader stopped it: another time.
    Later,
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
    /// What came of sites' pages: each is asked once, however many feeds the site has.
    sites: Mutex<HashMap<Url, Option<Icon>>>,
    cancel: CancellationToken,
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
        let round = Round { feeds, sites: Mutex::default(), cancel: cancel.child_token() };
        let one = |feed: WithoutIcon| self.icon_of(feed, &round);
        let hosts = by_host(without).into_iter().map(|feeds| Box::pin(stream::iter(feeds).then(one)));
        let mut done = stream::iter(hosts).flatten_unordered(HOSTS_AT_ONCE);
        while let Some(done) = done.next().await {
            match done {
                Ok(icon) => so_far.came += usize::from(icon),
                Err(Stop::Later) => continue,
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
        let sites = Sites::of(&feed);
        let mut icon = self.first(sites.named(feed.icon_url.as_deref()), reached, round).await?;
        if icon.is_none()
            && let Some(page) = &sites.page
        {
            let known = round.sites.lock().unwrap_or_else(PoisonError::into_inner).get(page).cloned();
            icon = match known {
                Some(known) => known,
                None => {
                    let came = self.icon_of_page(page, &sites, reached, round).await?;
                    let mut known = round.sites.lock().unwrap_or_else(PoisonError::into_inner);
                    known.insert(page.clone(), came.clone());
                    came
                }
            };
        }
        let kept = icon.as_ref().map(|(kind, bytes)| (*kind, bytes.as_slice()));
        self.library.set_icon(feed.id, kept, self.now()).await?;
        Ok(icon.is_some())
    }

    /// What a site's page names, else what lies at the site's root.
    async fn icon_of_page(&self, page: &Url, sites: &Sites, feed: &Feed, round: &Round) -> Result<Option<Icon>, Stop> {
        let mut named = Vec::new();
        if let Some(answer) = self.of_site(page, (Accept::Page, PAGE), feed, round).await? {
            let (body, kind, base) = (answer.body.unwrap_or_default(), answer.content_type, answer.url);
            let read = tokio::task::spawn_blocking(move || gleaner_discovery::icons(&body, kind.as_deref(), &base));
            let all = read.await.map_err(|error| Stop::Failed(error.into()))?;
            named.extend(all.into_iter().filter(|url| sites.own(url)).take(OF_A_PAGE));
        }
        let root = page.join("/favicon.ico").ok().filter(|root| !named.contains(root));
        named.extend(root);
        self.first(named, feed, round).await
    }

    /// The first of these that is an icon.
    async fn first(&self, urls: Vec<Url>, feed: &Feed, round: &Round) -> Result<Option<Icon>, Stop> {
        for url in urls {
            let answer = self.of_site(&url, (Accept::Photograph, FILE), feed, round).await?;
            if let Some(icon) = answer.and_then(|answer| picture::icon(&answer.body?)) {
                return Ok(Some(icon));
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
    ) -> Result<Option<Answer>, Stop> {
        let request = Request { accept, at_most: Some(at_most), own_site: true, ..Request::new(url.clone()) };
        match self.ask_beside(request, feed, &round.cancel).await {
            Ok(answer) => Ok(Some(answer)),
            Err(Trouble::Library(error)) => Err(error.into()),
            Err(Trouble::Cancelled | Trouble::Wait(_)) => Err(Stop::Later),
            Err(Trouble::Fetch(error)) if error.kind == FetchErrorKind::Offline => Err(Stop::Offline),
            Err(Trouble::Fetch(_) | Trouble::Access(_)) => Ok(None),
        }
    }
}

/// Where a feed is at home.
struct Sites {
    feed: Option<Url>,
    /// The site's page, as the feed names it; else the root of the feed's own host.
    page: Option<Url>,
}

impl Sites {
    fn of(feed: &WithoutIcon) -> Self {
        let web = |url: &str| Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let address = web(&feed.url);
        let root = || address.as_ref().and_then(|url| url.join("/").ok());
        // A feed of the private network has its own host asked, and nobody outside.
        let inside = address.as_ref().filter(|url| is_private_host(url));
        let known = |page: &Url| inside.is_none_or(|feed| feed.host() == page.host());
        let page = feed.home_url.as_deref().and_then(web).filter(known).or_else(root);
        Self { page, feed: address }
    }

    /// Whether an address is of the feed's own site.
    fn own(&self, url: &Url) -> bool {
        self.feed.iter().chain(&self.page).any(|site| same_site(site, url))
    }

    fn named(&self, icon: Option<&str>) -> Vec<Url> {
        let url = icon.and_then(|icon| Url::parse(icon).ok());
        url.filter(|url| matches!(url.scheme(), "http" | "https") && self.own(url)).into_iter().collect()
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
    fn an_icon_is_of_the_feeds_own_site_or_none() {
        let feed = |home: Option<&str>| WithoutIcon {
            id: 1,
            url: "https://feeds.example.net/a".to_owned(),
            home_url: home.map(str::to_owned),
            icon_url: None,
        };
        let named = |home, icon| Sites::of(&feed(home)).named(Some(icon)).len();
        assert_eq!(named(Some("https://a.example/blog/"), "https://static.a.example/i.png"), 1);
        assert_eq!(named(Some("https://a.example/blog/"), "https://feeds.example.net/i.png"), 1);
        for icon in ["https://icons.example.org/i.png", "data:image/png;base64,", "file:///i.png", "i.png"] {
            assert_eq!(named(Some("https://a.example/"), icon), 0, "{icon}");
        }
        let page = |home| Sites::of(&feed(home)).page.unwrap().to_string();
        assert_eq!(page(Some("https://a.example/blog/")), "https://a.example/blog/");
        assert_eq!(page(Some("mailto:a@a.example")), "https://feeds.example.net/");
        assert_eq!(page(None), "https://feeds.example.net/");
        let inside = WithoutIcon { url: "http://10.0.0.1/feed".to_owned(), ..feed(Some("https://a.example/")) };
        assert_eq!(Sites::of(&inside).page.unwrap().as_str(), "http://10.0.0.1/");
    }
}
