//! Fetches candidates, so that only feeds are offered, with their titles and latest items.

use crate::candidates::{essence, itself, ranked};
use crate::source::Source;
use crate::{Discovery, Found, From, languages};
use futures::future::join_all;
use gleaner_address::is_private_host;
use gleaner_fetch::{FetchErrorKind, Held, Request, Response};
use std::{collections::HashMap, ops::Range};
use url::Url;

/// Maximum number of candidates to fetch. Further feeds of a page are fetched when the user subscribes.
pub(crate) const MAX_FETCHED: usize = 5;
/// Maximum length of a candidate that is fetched, in bytes: several are in memory at once. A longer feed is fetched when the user
/// subscribes.
const MAX_CANDIDATE: u64 = 8 << 20;

/// The result of fetching a candidate.
pub(crate) enum Verdict {
    Feed(Box<Found>),
    /// It is missing or not a feed.
    NoFeed,
    /// It could not be fetched now.
    Unknown(FetchErrorKind),
}

/// The page that names candidates.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub url: Url,
    /// Whether its own host may be private: it responded from a private address, or the user named it and it has not responded.
    pub private: bool,
}

impl Site {
    /// Returns the site of a page that was fetched.
    pub fn of(response: &Response) -> Self {
        Self { url: response.url.clone(), private: response.private }
    }

    /// Whether a URL that it names may be requested from public addresses only. A public page must not make the app read the private
    /// network; only the host that the user named may be there.
    pub fn is_public_only(&self, url: &Url) -> bool {
        !self.private || (url.host() != self.url.host() && !is_private_host(&self.url))
    }

    /// Returns its feeds as the result of discovery.
    pub fn with(self, feeds: Vec<Found>) -> Discovery {
        let public = feeds.iter().map(|found| &found.url).filter(|url| self.is_public_only(url)).cloned().collect();
        Discovery { source: self.url, feeds, public }
    }

    fn may_name(&self, candidate: &Found) -> bool {
        !self.is_public_only(&candidate.url) || !is_private_host(&candidate.url)
    }
}

/// Fetches the first candidates (hosts in parallel, the candidates of one host one after another), and as many more if none of them is a
/// feed. Returns the feeds, best first, including unverified ones that `site`, the page with the links, names itself.
pub(crate) async fn read(source: &impl Source, site: &Site, mut candidates: Vec<Found>, at_most: usize) -> Vec<Found> {
    candidates.retain(|candidate| site.may_name(candidate));
    let mut verdicts = HashMap::new();
    let mut next = 0;
    // If all are missing or not feeds, others are fetched before one is offered.
    while next < candidates.len().min(2 * at_most) && are_missing(&verdicts) {
        let end = candidates.len().min(next + at_most);
        verdicts.extend(check_all(source, site, &candidates, next..end).await);
        next = end;
    }
    if next > 0 && are_missing(&verdicts) {
        return Vec::new();
    }
    let remaining = candidates.into_iter().enumerate().filter_map(|(index, candidate)| {
        let named_by_site = matches!(candidate.from, From::Link | From::WellKnown);
        match verdicts.remove(&index) {
            Some(Verdict::Feed(found)) => Some(*found),
            Some(Verdict::NoFeed) => None,
            Some(Verdict::Unknown(_)) | None => named_by_site.then_some(candidate),
        }
    });
    languages::named(ranked(remaining.collect()))
}

fn are_missing(verdicts: &HashMap<usize, Verdict>) -> bool {
    verdicts.values().all(|verdict| matches!(verdict, Verdict::NoFeed))
}

/// Fetches some of the candidates, hosts in parallel.
async fn check_all(
    source: &impl Source,
    site: &Site,
    candidates: &[Found],
    which: Range<usize>,
) -> HashMap<usize, Verdict> {
    let mut hosts: HashMap<String, Vec<(usize, &Found)>> = HashMap::new();
    for (index, candidate) in candidates.iter().enumerate().take(which.end).skip(which.start) {
        hosts.entry(candidate.url.origin().ascii_serialization()).or_default().push((index, candidate));
    }
    let groups = hosts.into_values().map(|candidates| async move {
        let mut verdicts = Vec::with_capacity(candidates.len());
        for (index, candidate) in candidates {
            let verdict = check(source, site, candidate).await;
            let unavailable = matches!(verdict, Verdict::Unknown(kind) if is_unavailable(kind));
            verdicts.push((index, verdict));
            if unavailable {
                break;
            }
        }
        verdicts
    });
    join_all(groups).await.into_iter().flatten().collect()
}

/// Fetches a candidate.
pub(crate) async fn check(source: &impl Source, site: &Site, candidate: &Found) -> Verdict {
    let public_only = site.is_public_only(&candidate.url);
    let request = Request { public_only, at_most: Some(MAX_CANDIDATE), ..Request::new(candidate.url.clone()) };
    let response = match source.get(request).await {
        Ok(response) => response,
        Err(error) => {
            return match error.kind {
                FetchErrorKind::Http(404 | 410 | 204 | 400 | 405 | 406) | FetchErrorKind::Scheme => Verdict::NoFeed,
                FetchErrorKind::TooManyRedirects | FetchErrorKind::PrivateAddress => Verdict::NoFeed,
                kind => Verdict::Unknown(kind),
            };
        }
    };
    let body = response.body.as_deref().unwrap_or_default();
    let _reading = gleaner_fetch::to_read(body.len()).await;
    let Ok(read) = itself(body, response.content_type.as_deref(), &response.url) else { return Verdict::NoFeed };
    let title =
        candidate.title.clone().filter(|title| !is_generic_title(title)).or(read.title).or(candidate.title.clone());
    Verdict::Feed(Box::new(Found {
        url: permanent_url(&candidate.url, &response),
        title,
        mime_type: candidate.mime_type.clone().or_else(|| response.content_type.as_deref().map(essence)),
        parsed: read.parsed,
        response: Some(kept(response)),
        ..candidate.clone()
    }))
}

/// Returns a response to be stored if the user subscribes. It no longer counts against the memory that polls share: polls must not wait
/// until the user decides.
pub(crate) fn kept(response: Response) -> Box<Response> {
    Box::new(Response { held: Held::default(), ..response })
}

/// Whether no further requests should go to a host after this error: it is overloaded or does not respond.
pub(crate) fn is_unavailable(kind: FetchErrorKind) -> bool {
    match kind {
        FetchErrorKind::Http(status) => status == 429 || status == 503,
        kind => kind != FetchErrorKind::TooLarge,
    }
}

/// Returns the address to subscribe to: after the permanent redirects up to the first temporary one.
pub(crate) fn permanent_url(requested: &Url, response: &Response) -> Url {
    let permanent = response.hops.iter().take_while(|hop| matches!(hop.status, 301 | 308)).last();
    let Some(hop) = permanent else { return requested.clone() };
    let mut url = hop.to.clone();
    if url.origin() == requested.origin() {
        // Keep the user's credentials. This fails only for URLs that cannot have any.
        let _ = url.set_username(requested.username());
        let _ = url.set_password(requested.password());
    }
    url
}

/// Whether a title names only the format.
fn is_generic_title(title: &str) -> bool {
    const WORDS: [&str; 17] = [
        "rss",
        "rss1",
        "rss2",
        "atom",
        "xml",
        "json",
        "rdf",
        "feed",
        "feeds",
        "subscribe",
        "to",
        "the",
        "via",
        "by",
        "1",
        "2",
        "0",
    ];
    let lower = title.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(|word| WORDS.contains(&word))
}
