//! The steps from an address to its feeds.

use crate::address::complete;
use crate::candidates::{anchored, itself, linked, looks_like_feed, ranked};
use crate::page::Page;
use crate::source::{Source, Timed};
use crate::verify::{self, MAX_FETCHED, Site, kept, permanent_url};
use crate::{Discovery, DiscoveryError, Found, From, guess, sites};
use gleaner_feed::NotAFeed;
use gleaner_fetch::{Accept, FetchError, FetchErrorKind, Fetcher, Request, Response};
use url::Url;

/// Maximum number of anchors to fetch. Anchors are guesses, so all that are offered are fetched first.
const MAX_ANCHORS: usize = 8;
/// Maximum length of all documents that a result keeps, in bytes.
const MAX_KEPT: usize = 32 << 20;

/// Finds the feeds behind an address, best first. The first few are fetched, so that their titles and items can be shown.
///
/// # Errors
/// [`DiscoveryError`].
pub async fn discover(fetcher: &Fetcher, input: &str) -> Result<Discovery, DiscoveryError> {
    discover_with(fetcher, input).await
}

/// Finds the feeds behind an address using any [`Source`].
///
/// # Errors
/// [`DiscoveryError`].
pub async fn discover_with(source: &impl Source, input: &str) -> Result<Discovery, DiscoveryError> {
    let source = &Timed::new(source);
    let mut found = find(source, input).await?;
    let mut length = 0;
    for feed in &mut found.feeds {
        length += feed.response.as_ref().and_then(|response| response.body.as_ref()).map_or(0, Vec::len);
        if length > MAX_KEPT {
            feed.response = None;
        }
    }
    Ok(found)
}

async fn find(source: &impl Source, input: &str) -> Result<Discovery, DiscoveryError> {
    let (url, guessed) = complete(input)?;
    if !looks_like_feed(&url) {
        let mut known = sites::feeds(&url, None, false);
        if let Some(lookup) = sites::lookup(&url)
            && let Ok(response) = source.get(Request::new(lookup)).await
        {
            known.extend(sites::lookup_response(response.body.as_deref().unwrap_or_default()));
        }
        let site = Site { url: url.clone(), private: true };
        let feeds = verify::read(source, &site, known, MAX_FETCHED).await;
        if !feeds.is_empty() {
            return Ok(site.with(feeds));
        }
    }
    let (url, response) = match page(source, &url, guessed).await {
        Ok(found) => found,
        // These errors concern the page only; the site may still have feeds.
        Err(error) if matches!(error.kind, FetchErrorKind::Http(400 | 403 | 404 | 405 | 406 | 410 | 451)) => {
            let site = Site { url: (*error.url).clone(), private: error.url.host() == url.host() };
            let feeds = guesses(source, &site).await;
            return if feeds.is_empty() { Err(error.into()) } else { Ok(site.with(feeds)) };
        }
        Err(error) => return Err(error.into()),
    };
    let body = response.body.as_deref().unwrap_or_default();
    let content_type = response.content_type.as_deref();
    let moved = match itself(body, content_type, &response.url) {
        Ok(found) => {
            let site = Site { url: permanent_url(&url, &response), ..Site::of(&response) };
            let found = Found { url: site.url.clone(), response: Some(kept(response)), ..found };
            return Ok(site.with(vec![found]));
        }
        Err(NotAFeed::Moved { to }) => Url::parse(&to).ok(),
        Err(_) => None,
    };
    let mut site = Site::of(&response);
    let mut page = Page::read(body, content_type, &site.url).with_header(response.link.as_deref(), &site.url);
    page.refresh = moved.or(page.refresh);
    // A notice of a new address, or a redirect by `<meta http-equiv=refresh>` or a frame, is followed once.
    if let Some(target) = page.refresh.take().filter(|_| linked(&page).is_empty())
        && let Ok(response) = source.get(redirect_request(&site, target)).await
    {
        let body = response.body.as_deref().unwrap_or_default();
        if let Ok(found) = itself(body, response.content_type.as_deref(), &response.url) {
            return Ok(Site::of(&response).with(vec![Found { response: Some(kept(response)), ..found }]));
        }
        page = Page::read(body, response.content_type.as_deref(), &response.url)
            .with_header(response.link.as_deref(), &response.url);
        site = Site::of(&response);
    }
    let feeds = feeds_of_page(source, &page, &site).await;
    if feeds.is_empty() { Err(DiscoveryError::NoFeed(site.url)) } else { Ok(site.with(feeds)) }
}

fn redirect_request(from: &Site, to: Url) -> Request {
    Request { public_only: from.is_public_only(&to), ..Request::new(to).accept(Accept::Page) }
}

/// Fetches the page; by http if https was only guessed and no connection is possible.
async fn page(source: &impl Source, url: &Url, guessed: bool) -> Result<(Url, Response), FetchError> {
    let fetch = |url: Url| source.get(Request::new(url).accept(Accept::Page));
    let error = match fetch(url.clone()).await {
        Ok(response) => return Ok((url.clone(), response)),
        Err(error) => error,
    };
    let no_connection = matches!(error.kind, FetchErrorKind::Connect | FetchErrorKind::Tls | FetchErrorKind::Timeout);
    // Only for the guessed address itself, not after a redirect.
    if guessed && no_connection && error.url.scheme() == "https" && error.url.host() == url.host() {
        let mut plain = url.clone();
        if plain.set_scheme("http").is_ok() {
            // If both fail, the error for https is reported.
            return fetch(plain.clone()).await.map(|response| (plain, response)).map_err(|_| error);
        }
    }
    Err(error)
}

/// Tries the steps in order until one finds feeds.
async fn feeds_of_page(source: &impl Source, page: &Page, site: &Site) -> Vec<Found> {
    let at = &site.url;
    let mut named = linked(page);
    let known = sites::feeds(at, Some(page), !named.is_empty());
    named.extend(known);
    let feeds = verify::read(source, site, ranked(named), MAX_FETCHED).await;
    if !feeds.is_empty() {
        return feeds;
    }
    let feeds = guesses(source, site).await;
    if !feeds.is_empty() {
        return feeds;
    }
    let mut anchors = ranked(anchored(page, at));
    // Feeds on the site's own host first.
    anchors.sort_by_key(|anchor| anchor.url.host() != at.host());
    anchors.truncate(MAX_ANCHORS);
    let feeds = verify::read(source, site, anchors, MAX_ANCHORS).await;
    debug_assert!(feeds.iter().all(|found| found.from == From::Anchor && found.parsed.is_some()));
    feeds
}

async fn guesses(source: &impl Source, site: &Site) -> Vec<Found> {
    let feeds = guess::common_path(source, site).await;
    if feeds.is_empty() { guess::well_known(source, site).await } else { feeds }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::future::Future;
    use tokio::time::Instant;

    struct Silent;

    impl Source for Silent {
        fn get(&self, _: Request) -> impl Future<Output = Result<Response, FetchError>> + Send {
            std::future::pending()
        }
    }

    #[tokio::test]
    async fn requests_nothing_after_the_time_is_over() {
        let source = Timed { source: &Silent, until: Instant::now() };
        let url = Url::parse("https://user:secret@example.org/").unwrap();
        let error = source.get(Request::new(url.clone())).await.unwrap_err();
        assert_eq!((error.kind, error.url.as_str()), (FetchErrorKind::Timeout, "https://example.org/"));
        assert!(guesses(&source, &Site { url, private: true }).await.is_empty());
    }
}
