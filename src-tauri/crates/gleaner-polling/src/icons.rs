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
use gleaner_fetch::{Accept, FetchErrorKind, Request, same_site};
use gleaner_library::{Millis, WithoutIcon};
use std::collections::{HashMap, HashSet};
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

/// What became of one feed.
enum Done {
    Came,
    Nothing,
    /// Its server is left alone, or it was stopped: it is looked at another time.
    Later,
    Offline,
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
        let stop = cancel.child_token();
        let one = |feed: WithoutIcon| self.icon_of(feed, &feeds, &stop);
        let hosts = by_host(without).into_iter().map(|feeds| Box::pin(stream::iter(feeds).then(one)));
        let mut done = stream::iter(hosts).flatten_unordered(HOSTS_AT_ONCE);
        while let Some(done) = done.next().await {
            match done? {
                Done::Came => so_far.came += 1,
                Done::Nothing => {}
                Done::Later => continue,
                Done::Offline => {
                    stop.cancel();
                    continue;
                }
            }
            so_far.asked += 1;
            came(&so_far);
        }
        Ok(so_far)
    }

    async fn icon_of(
        &self,
        feed: WithoutIcon,
        feeds: &HashMap<i64, Feed>,
        cancel: &CancellationToken,
    ) -> Result<Done, PollError> {
        let Some(reached) = feeds.get(&feed.id).filter(|_| !cancel.is_cancelled()) else { return Ok(Done::Later) };
        let sites = Sites::of(&feed);
        let mut tried = HashSet::new();
        let mut left = sites.named(feed.icon_url.as_deref());
        // The page is asked only where the feed names nothing that is there; and the root last.
        for step in 0..3 {
            match step {
                0 => {}
                1 => match self.icons_of_page(&sites, reached, cancel).await? {
                    Ok(named) => left = named,
                    Err(done) => return Ok(done),
                },
                _ => left = sites.root(),
            }
            for url in std::mem::take(&mut left).into_iter().filter(|url| tried.insert(url.clone())) {
                let wanted = (Accept::Photograph, FILE);
                match self.of_site(&url, wanted, reached, cancel).await? {
                    Ok(answer) => {
                        let Some((kind, bytes)) = picture::icon(&answer.body.unwrap_or_default()) else { continue };
                        self.library.set_icon(feed.id, Some((kind, bytes.as_slice())), self.now()).await?;
                        return Ok(Done::Came);
                    }
                    Err(Some(done)) => return Ok(done),
                    Err(None) => {}
                }
            }
        }
        self.library.set_icon(feed.id, None, self.now()).await?;
        Ok(Done::Nothing)
    }

    /// The icons of its own that the site's page names.
    async fn icons_of_page(
        &self,
        sites: &Sites,
        feed: &Feed,
        cancel: &CancellationToken,
    ) -> Result<Result<Vec<Url>, Done>, PollError> {
        let Some(page) = &sites.page else { return Ok(Ok(Vec::new())) };
        Ok(match self.of_site(page, (Accept::Page, PAGE), feed, cancel).await? {
            Ok(answer) => {
                let (body, kind, base) = (answer.body.unwrap_or_default(), answer.content_type, answer.url);
                let named =
                    tokio::task::spawn_blocking(move || gleaner_discovery::icons(&body, kind.as_deref(), &base));
                let own = named.await?.into_iter().filter(|url| sites.own(url));
                Ok(own.take(OF_A_PAGE).collect())
            }
            Err(Some(done)) => Err(done),
            Err(None) => Ok(Vec::new()),
        })
    }

    /// Asks a site for something of its own. `Err(None)`: there is nothing.
    async fn of_site(
        &self,
        url: &Url,
        (accept, at_most): (Accept, u64),
        feed: &Feed,
        cancel: &CancellationToken,
    ) -> Result<Result<gleaner_fetch::Answer, Option<Done>>, PollError> {
        let request = Request { accept, at_most: Some(at_most), own_site: true, ..Request::new(url.clone()) };
        Ok(match self.ask(request, feed, cancel).await {
            Ok(answer) => Ok(answer),
            Err(Trouble::Library(error)) => return Err(error.into()),
            Err(Trouble::Cancelled | Trouble::Wait(_)) => Err(Some(Done::Later)),
            Err(Trouble::Fetch(error)) if error.kind == FetchErrorKind::Offline => Err(Some(Done::Offline)),
            Err(Trouble::Fetch(_) | Trouble::Access(_)) => Err(None),
        })
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
        let page = feed.home_url.as_deref().and_then(web).or_else(root);
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

    fn root(&self) -> Vec<Url> {
        self.page.as_ref().and_then(|page| page.join("/favicon.ico").ok()).into_iter().collect()
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
        let root = |home| Sites::of(&feed(home)).root()[0].to_string();
        assert_eq!(root(Some("https://a.example/blog/?x")), "https://a.example/favicon.ico");
        assert_eq!(root(Some("mailto:a@a.example")), "https://feeds.example.net/favicon.ico");
        assert_eq!(root(None), "https://feeds.example.net/favicon.ico");
    }
}
