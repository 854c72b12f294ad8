//! Candidates read, so that what is offered is a feed and can be shown with its title and its latest items.

use crate::said::{essence, itself, ranked};
use crate::walk::Source;
use crate::{Found, From};
use futures::future::join_all;
use gleaner_fetch::{Answer, FetchErrorKind, Request, is_private};
use std::collections::HashMap;
use url::{Host, Url};

/// So many are read before they are offered; who wants the eleventh feed of a page can read it on subscribing.
pub(crate) const READ_AT_MOST: usize = 5;

/// What reading a candidate said about it.
pub(crate) enum Verdict {
    Feed(Box<Found>),
    /// It answered, and is none; or it is not there.
    NoFeed,
    /// It could not be had now.
    Unknown(FetchErrorKind),
}

/// Reads the first candidates, hosts side by side and each host's one after the other, and gives what is left: the feeds,
/// and of those that the page itself names also what could not be checked. Best first. `page` is what named them.
pub(crate) async fn read(source: &impl Source, page: &Url, candidates: Vec<Found>, at_most: usize) -> Vec<Found> {
    let mut hosts: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, candidate) in candidates.iter().enumerate().take(at_most) {
        hosts.entry(candidate.url.origin().ascii_serialization()).or_default().push(index);
    }
    let candidates_ref = &candidates;
    let groups = hosts.into_values().map(|indices| async move {
        let mut verdicts = Vec::with_capacity(indices.len());
        for index in indices {
            let verdict = check(source, page, &candidates_ref[index]).await;
            let wall = matches!(verdict, Verdict::Unknown(kind) if is_wall(kind));
            verdicts.push((index, verdict));
            if wall {
                break;
            }
        }
        verdicts
    });
    let mut verdicts: HashMap<usize, Verdict> = join_all(groups).await.into_iter().flatten().collect();
    let left = candidates.into_iter().enumerate().filter_map(|(index, candidate)| {
        let told = matches!(candidate.from, From::Link | From::WellKnown);
        match verdicts.remove(&index) {
            Some(Verdict::Feed(found)) => Some(*found),
            Some(Verdict::NoFeed) => None,
            Some(Verdict::Unknown(_)) | None => told.then_some(candidate),
        }
    });
    ranked(left.collect())
}

/// Asks for one candidate.
pub(crate) async fn check(source: &impl Source, page: &Url, candidate: &Found) -> Verdict {
    // A page on the public network has no business in ours: only its own host may be where the user sent us.
    let public_only = candidate.url.host() != page.host() && !is_at_home(page);
    let request = Request { public_only, ..Request::new(candidate.url.clone()) };
    let answer = match source.get(request).await {
        Ok(answer) => answer,
        Err(error) => {
            return match error.kind {
                FetchErrorKind::Http(404 | 410 | 204 | 400 | 405 | 406) | FetchErrorKind::Scheme => Verdict::NoFeed,
                FetchErrorKind::TooManyRedirects | FetchErrorKind::PrivateAddress => Verdict::NoFeed,
                kind => Verdict::Unknown(kind),
            };
        }
    };
    let body = answer.body.as_deref().unwrap_or_default();
    let Some(read) = itself(body, answer.content_type.as_deref(), &answer.url) else { return Verdict::NoFeed };
    let title = candidate.title.clone().filter(|title| !says_nothing(title)).or(read.title).or(candidate.title.clone());
    Verdict::Feed(Box::new(Found {
        url: settled(&candidate.url, &answer),
        title,
        mime_type: candidate.mime_type.clone().or_else(|| answer.content_type.as_deref().map(essence)),
        from: candidate.from,
        parsed: read.parsed,
    }))
}

/// Whether a page's address is a private one by its letters.
pub(crate) fn is_at_home(page: &Url) -> bool {
    match page.host() {
        Some(Host::Ipv4(address)) => is_private(address.into()),
        Some(Host::Ipv6(address)) => is_private(address.into()),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// Whether a host that failed so is better left alone for now: it asks for rest, or does not answer at all.
pub(crate) fn is_wall(kind: FetchErrorKind) -> bool {
    !matches!(kind, FetchErrorKind::Http(status) if status != 429 && status != 503)
}

/// Where to subscribe: past the permanent redirects at the start, and not past the first passing one.
pub(crate) fn settled(asked: &Url, answer: &Answer) -> Url {
    let permanent = answer.hops.iter().take_while(|hop| matches!(hop.status, 301 | 308)).last();
    let Some(hop) = permanent else { return asked.clone() };
    let mut url = hop.to.clone();
    if url.origin() == asked.origin() {
        // The user's credentials stay where they were; these fail only for URLs that cannot hold any.
        let _ = url.set_username(asked.username());
        let _ = url.set_password(asked.password());
    }
    url
}

/// Titles that name the format and not the feed.
fn says_nothing(title: &str) -> bool {
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
