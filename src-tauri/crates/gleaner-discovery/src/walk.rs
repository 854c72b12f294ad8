//! The walk from an address to its feeds.

use crate::address::complete;
use crate::offer::{self, READ_AT_MOST, settled};
use crate::page::Page;
use crate::said::{anchored, itself, linked, looks_like_feed, ranked};
use crate::{Discovery, DiscoveryError, Found, From, guess, sites};
use gleaner_fetch::{Accept, Answer, FetchError, FetchErrorKind, Fetcher, Request};
use std::future::Future;
use url::Url;

/// Anchors are a guess at what they lead to, so all that are offered are read: more than this would be rude.
const ANCHORS_AT_MOST: usize = 8;

/// Where documents come from: the network, or a test's own memory.
pub trait Source: Sync {
    /// One exchange.
    fn get(&self, request: Request) -> impl Future<Output = Result<Answer, FetchError>> + Send;
}

impl Source for Fetcher {
    async fn get(&self, request: Request) -> Result<Answer, FetchError> {
        self.fetch(request).await
    }
}

/// The feeds behind an address, best first; the first few are read so that their titles and items can be shown.
///
/// # Errors
/// [`DiscoveryError`].
pub async fn discover(fetcher: &Fetcher, input: &str) -> Result<Discovery, DiscoveryError> {
    discover_with(fetcher, input).await
}

/// The same over any [`Source`].
///
/// # Errors
/// [`DiscoveryError`].
pub async fn discover_with(source: &impl Source, input: &str) -> Result<Discovery, DiscoveryError> {
    let (url, guessed) = complete(input)?;
    if !looks_like_feed(&url) {
        let mut known = sites::feeds(&url, None, false);
        if let Some(question) = sites::question(&url)
            && let Ok(answer) = source.get(Request::new(question)).await
        {
            known.extend(sites::reply(answer.body.as_deref().unwrap_or_default()));
        }
        let feeds = offer::read(source, &url, known, READ_AT_MOST).await;
        if !feeds.is_empty() {
            return Ok(Discovery { source: url, feeds });
        }
    }
    let (url, answer) = match page(source, &url, guessed).await {
        Ok(found) => found,
        // A page that is gone or closed to us says nothing about the site's feeds; anything else does.
        Err(error) if matches!(error.kind, FetchErrorKind::Http(400 | 403 | 404 | 405 | 406 | 410 | 451)) => {
            let asked = (*error.url).clone();
            let feeds = guesses(source, &asked).await;
            return if feeds.is_empty() { Err(error.into()) } else { Ok(Discovery { source: asked, feeds }) };
        }
        Err(error) => return Err(error.into()),
    };
    let body = answer.body.as_deref().unwrap_or_default();
    let content_type = answer.content_type.as_deref();
    if let Some(found) = itself(body, content_type, &answer.url) {
        let url = settled(&url, &answer);
        return Ok(Discovery { source: url.clone(), feeds: vec![Found { url, ..found }] });
    }
    let mut at = answer.url.clone();
    let mut page = Page::read(body, content_type, &at);
    // A page that only sends its reader on (`<meta http-equiv=refresh>`) is followed once, as a browser would.
    if let Some(target) = page.refresh.take().filter(|_| linked(&page).is_empty())
        && let Ok(answer) = source.get(onward(&at, target)).await
    {
        let body = answer.body.as_deref().unwrap_or_default();
        if let Some(found) = itself(body, answer.content_type.as_deref(), &answer.url) {
            return Ok(Discovery { source: answer.url.clone(), feeds: vec![found] });
        }
        page = Page::read(body, answer.content_type.as_deref(), &answer.url);
        at = answer.url;
    }
    let feeds = behind(source, &page, &at).await;
    if feeds.is_empty() { Err(DiscoveryError::NoFeed(at)) } else { Ok(Discovery { source: at, feeds }) }
}

fn onward(from: &Url, to: Url) -> Request {
    let public_only = to.host() != from.host() && !offer::is_at_home(from);
    Request { public_only, ..Request::new(to).accept(Accept::Page) }
}

/// The page; over http where https was only our guess and no connection came of it.
async fn page(source: &impl Source, url: &Url, guessed: bool) -> Result<(Url, Answer), FetchError> {
    let ask = |url: Url| source.get(Request::new(url).accept(Accept::Page));
    let error = match ask(url.clone()).await {
        Ok(answer) => return Ok((url.clone(), answer)),
        Err(error) => error,
    };
    let no_connection = matches!(error.kind, FetchErrorKind::Connect | FetchErrorKind::Tls | FetchErrorKind::Timeout);
    // Only the guessed address itself: a server that answered and redirected has its say.
    if guessed && no_connection && error.url.scheme() == "https" && error.url.host() == url.host() {
        let mut plain = url.clone();
        if plain.set_scheme("http").is_ok() {
            // The first error is the one about the address that most sites have.
            return ask(plain.clone()).await.map(|answer| (plain, answer)).map_err(|_| error);
        }
    }
    Err(error)
}

/// Step after step, until one finds something.
async fn behind(source: &impl Source, page: &Page, at: &Url) -> Vec<Found> {
    let mut told = linked(page);
    let known = sites::feeds(at, Some(page), !told.is_empty());
    told.extend(known);
    let feeds = offer::read(source, at, ranked(told), READ_AT_MOST).await;
    if !feeds.is_empty() {
        return feeds;
    }
    let feeds = guesses(source, at).await;
    if !feeds.is_empty() {
        return feeds;
    }
    let mut anchors = ranked(anchored(page, at));
    // The site's own first: a link to somebody else's feed is no feed of this site.
    anchors.sort_by_key(|anchor| anchor.url.host() != at.host());
    anchors.truncate(ANCHORS_AT_MOST);
    let feeds = offer::read(source, at, anchors, ANCHORS_AT_MOST).await;
    debug_assert!(feeds.iter().all(|found| found.from == From::Anchor && found.parsed.is_some()));
    feeds
}

async fn guesses(source: &impl Source, at: &Url) -> Vec<Found> {
    let feeds = guess::common_path(source, at).await;
    if feeds.is_empty() { guess::well_known(source, at).await } else { feeds }
}
