//! Offline reading: downloads the full text of articles from their pages, and their images. This module decides, purely, which articles the
//! preferences select ([`wanted`]) and when a failed download is tried again; `Poller::download` acts. Downloads follow the rules of
//! polling (docs/politeness.md). There is one request at a time per host with a pause after it, alternating with the feeds. A host that
//! asked to wait is not contacted. A login is sent to its own origin only.

pub(crate) mod fetch;
mod text;
mod work;

use gleaner_fetch::{FetchError, FetchErrorKind};
use gleaner_library::{
    Candidate, DownloadKind, FeedScope, Library, LibraryError, Millis, OfflineContent, OfflineSettings, Preferences,
};
use std::{collections::HashMap, time::Duration};

pub use text::{FullTextError, NoText, other_than_page};
pub use work::DownloadProgress;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// Maximum number of a feed's articles that are queued at once, when its preference is set or new ones arrive.
const MAX_OF_FEED: usize = 50;
/// Maximum number of starred articles that are queued when their preference is set.
const MAX_STARRED: i64 = 500;
/// Maximum age of articles to download; starred ones have none.
const MAX_AGE: Millis = 90 * DAY;

/// Delays before each further attempt; after the last one the download has failed.
const AGAIN: [Millis; 4] = [10 * MINUTE, HOUR, 6 * HOUR, DAY];
/// Delays where the server responded with 429 without saying how long to wait.
const TOO_MUCH: [Millis; 4] = [HOUR, 6 * HOUR, DAY, 3 * DAY];

/// Returns the articles whose texts and images are downloaded by preference: of each feed the newest fifty unread articles of the last
/// ninety days, and all starred ones.
#[must_use]
pub fn wanted(candidates: &[Candidate], settings: &OfflineSettings, now: Millis) -> Vec<(i64, DownloadKind)> {
    let mut newest: Vec<&Candidate> = candidates.iter().collect();
    newest.sort_by_key(|article| std::cmp::Reverse((article.sort_at, article.id)));
    let mut of_feeds: HashMap<i64, usize> = HashMap::new();
    let mut wanted = Vec::new();
    for article in newest {
        let mut content = if article.starred { settings.starred } else { OfflineContent::default() };
        if (!article.read || article.starred) && article.sort_at > now - MAX_AGE {
            let of_feed = article.preference.map_or(settings.all, OfflineContent::of_bits);
            let counted = of_feeds.entry(article.feed_id).or_default();
            if !of_feed.is_none() && *counted < MAX_OF_FEED {
                *counted += 1;
                content = content.and(of_feed);
            }
        }
        if content.text && !article.has_text && article.url.is_some() {
            wanted.push((article.id, DownloadKind::Text));
        }
        if content.images && !article.has_images {
            wanted.push((article.id, DownloadKind::Images));
        }
    }
    wanted
}

/// Sets preferences of a feed, a folder or all feeds. If they change what is downloaded, the newest articles of the affected feeds are
/// queued. Returns the number of texts and images queued.
///
/// # Errors
/// [`LibraryError::NotFound`], [`LibraryError::Invalid`]; when the library cannot be written.
pub async fn prefer(
    library: &Library,
    scope: FeedScope,
    preferences: Preferences,
    now: Millis,
) -> Result<usize, LibraryError> {
    let feeds = match scope {
        FeedScope::All => Vec::new(),
        FeedScope::Feed(id) => vec![id],
        FeedScope::Folder(id) => library.polls().feeds_in_folder(id).await?,
    };
    let before = library.preferences().downloads(&feeds).await?;
    library.preferences().set(scope, preferences).await?;
    let after = library.preferences().downloads(&feeds).await?;
    let settings = library.downloads().settings().await?;
    let mut queued = Vec::new();
    for feed in feeds.into_iter().filter(|feed| before.get(feed) != after.get(feed)) {
        let newest =
            library.downloads().newest_candidates(Some(feed), MAX_OF_FEED.try_into().unwrap_or(i64::MAX)).await?;
        queued.extend(wanted(&newest, &OfflineSettings { starred: OfflineContent::default(), ..settings }, now));
    }
    library.preferences().queue_downloads(&queued, now).await?;
    Ok(queued.len())
}

/// Sets what to download for all feeds and for starred articles. Queues the newest starred articles; of all feeds, articles are queued as
/// they arrive. Returns the number of texts and images queued.
///
/// # Errors
/// [`LibraryError::Invalid`] for bounds that make no sense; when the library cannot be written.
pub async fn set_for_all(library: &Library, settings: &OfflineSettings, now: Millis) -> Result<usize, LibraryError> {
    if settings.largest == 0 || settings.largest > settings.room {
        return Err(LibraryError::Invalid(
            "the limit for one image cannot be larger than the limit for all images".to_owned(),
        ));
    }
    let starred = if settings.starred.is_none() { 0 } else { MAX_STARRED };
    let newest = library.downloads().newest_candidates(None, starred).await?;
    let queued = wanted(&newest, &OfflineSettings { all: OfflineContent::default(), ..*settings }, now);
    library.downloads().set_settings(settings, &queued, now).await?;
    Ok(queued.len())
}

/// When a failed download is tried again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Retry {
    /// The server asked to wait until then.
    Wait(Millis),
    /// Try again then.
    Again(Millis),
    /// Do not try again: it would fail again.
    GiveUp,
    /// This computer is offline.
    Offline,
}

impl Retry {
    /// Returns when to try again; `None` if there is no such time.
    pub(crate) fn at(&self) -> Option<Millis> {
        match self {
            Self::Wait(at) | Self::Again(at) => Some(*at),
            Self::GiveUp | Self::Offline => None,
        }
    }
}

/// Returns when to try again after `tries` failed attempts before this one, if the server does not say; `None`: not at all.
pub(crate) fn again(tries: i64, now: Millis) -> Option<Millis> {
    next(AGAIN, tries, now)
}

fn next(pauses: [Millis; 4], tries: i64, now: Millis) -> Option<Millis> {
    Some(now + usize::try_from(tries).ok().and_then(|tries| pauses.get(tries).copied())?)
}

/// Decides when to try again after `tries` failed attempts before this one.
pub(crate) fn retry(error: &FetchError, tries: i64, now: Millis) -> Retry {
    let after = |pauses| next(pauses, tries, now).map_or(Retry::GiveUp, Retry::Again);
    let asked_for = || {
        let after = error.retry_after.unwrap_or(Duration::ZERO).max(Duration::from_secs(60));
        now + Millis::try_from(after.as_millis()).unwrap_or(Millis::MAX / 2).min(crate::schedule::MAX_INTERVAL)
    };
    match error.kind {
        FetchErrorKind::Offline => Retry::Offline,
        // The proxy may be used by this feed only, so other downloads continue.
        _ if error.is_own_network() => Retry::Wait(now + AGAIN[0]),
        // The server may always refuse it.
        FetchErrorKind::Http(403) if error.retry_after.is_some() => match after(AGAIN) {
            Retry::Again(at) => Retry::Again(at.max(asked_for())),
            other => other,
        },
        FetchErrorKind::Waiting | FetchErrorKind::Http(_) if error.retry_after.is_some() => Retry::Wait(asked_for()),
        FetchErrorKind::Http(429) => after(TOO_MUCH),
        FetchErrorKind::Http(408 | 425 | 500..) => after(AGAIN),
        FetchErrorKind::Waiting
        | FetchErrorKind::Dns
        | FetchErrorKind::Connect
        | FetchErrorKind::Tls
        | FetchErrorKind::Timeout
        | FetchErrorKind::Broken => after(AGAIN),
        FetchErrorKind::Http(_)
        | FetchErrorKind::Scheme
        | FetchErrorKind::TooManyRedirects
        | FetchErrorKind::PrivateAddress
        | FetchErrorKind::TooLarge => Retry::GiveUp,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const NOW: Millis = 1_000 * DAY;
    const TEXT: OfflineContent = OfflineContent { text: true, images: false };
    const BOTH: OfflineContent = OfflineContent { text: true, images: true };

    fn article(id: i64) -> Candidate {
        Candidate {
            id,
            feed_id: 1,
            url: Some("https://a.example/".to_owned()),
            sort_at: NOW - DAY + id,
            read: false,
            starred: false,
            preference: None,
            has_text: false,
            has_images: false,
        }
    }

    fn settings(all: OfflineContent, starred: OfflineContent) -> OfflineSettings {
        OfflineSettings { all, starred, ..OfflineSettings::default() }
    }

    #[test]
    fn prefers_a_feeds_own_preference_to_that_of_all() {
        use DownloadKind::{Images, Text};
        let of = |preference: Option<i64>, all: OfflineContent| {
            wanted(&[Candidate { preference, ..article(1) }], &settings(all, OfflineContent::default()), NOW)
        };
        assert_eq!(of(None, OfflineContent::default()), []);
        assert_eq!(of(None, TEXT), [(1, Text)]);
        assert_eq!(of(Some(0), BOTH), []);
        assert_eq!(of(Some(2), TEXT), [(1, Images)]);
        assert_eq!(of(Some(3), OfflineContent::default()), [(1, Text), (1, Images)]);
    }

    #[test]
    fn skips_articles_that_are_downloaded_read_or_old() {
        let all = settings(BOTH, OfflineContent::default());
        for (article, count) in [
            (Candidate { has_text: true, ..article(1) }, 1),
            (Candidate { has_images: true, ..article(1) }, 1),
            (Candidate { url: None, ..article(1) }, 1),
            (Candidate { read: true, ..article(1) }, 0),
            (Candidate { sort_at: NOW - 91 * DAY, ..article(1) }, 0),
        ] {
            assert_eq!(wanted(std::slice::from_ref(&article), &all, NOW).len(), count, "{article:?}");
        }
    }

    #[test]
    fn wants_all_starred_articles_whatever_their_age() {
        let starred = |id| Candidate { starred: true, read: true, sort_at: id, ..article(id) };
        let many: Vec<Candidate> = (1..=200).map(starred).collect();
        assert_eq!(wanted(&many, &settings(OfflineContent::default(), TEXT), NOW).len(), 200);
        assert_eq!(wanted(&many, &settings(BOTH, OfflineContent::default()), NOW), []);
    }

    #[test]
    fn limits_articles_per_feed_newest_first() {
        let mut many: Vec<Candidate> = (1..=3000).map(article).collect();
        many.push(Candidate { feed_id: 2, ..article(5000) });
        let found = wanted(&many, &settings(TEXT, OfflineContent::default()), NOW);
        assert_eq!((found.len(), found[0].0, found[1].0), (51, 5000, 3000));
    }

    #[test]
    fn retries_with_growing_delays_and_gives_up() {
        let error = |kind, retry_after| FetchError {
            kind,
            cause: Box::new(gleaner_fetch::FetchCause::ConnectionLost),
            retry_after,
            quota: None,
            detour: false,
            conditional: false,
            login_sent: false,
            url: Box::new("https://a.example/".parse().unwrap()),
            certificate: None,
        };
        let timeout = error(FetchErrorKind::Timeout, None);
        let pauses: Vec<Retry> = (0..5).map(|tries| retry(&timeout, tries, 0)).collect();
        let again = |at| Retry::Again(at);
        assert_eq!(pauses, [again(10 * MINUTE), again(HOUR), again(6 * HOUR), again(DAY), Retry::GiveUp]);
        for status in [401, 402, 403, 404, 410, 451] {
            assert_eq!(retry(&error(FetchErrorKind::Http(status), None), 0, 0), Retry::GiveUp, "{status}");
        }
        assert_eq!(retry(&error(FetchErrorKind::Http(429), None), 0, 0), Retry::Again(HOUR));
        let hour = Some(Duration::from_secs(3600));
        assert_eq!(retry(&error(FetchErrorKind::Http(503), hour), 4, 0), Retry::Wait(HOUR));
        assert_eq!(retry(&error(FetchErrorKind::Http(403), hour), 0, 0), Retry::Again(HOUR));
        assert_eq!(retry(&error(FetchErrorKind::Http(403), hour), 2, 0), Retry::Again(6 * HOUR));
        assert_eq!(retry(&error(FetchErrorKind::Http(403), hour), 4, 0), Retry::GiveUp);
        let proxy = Box::new(gleaner_fetch::FetchCause::ProxyRefused { proxy: "proxy.example".to_owned() });
        let proxy = FetchError { cause: proxy, ..error(FetchErrorKind::Connect, None) };
        assert_eq!(retry(&proxy, 4, 0), Retry::Wait(10 * MINUTE));
        let forever = Some(Duration::from_secs(u64::MAX / 1000));
        assert_eq!(retry(&error(FetchErrorKind::Http(429), forever), 0, 0), Retry::Wait(crate::schedule::MAX_INTERVAL));
        assert_eq!(retry(&error(FetchErrorKind::Offline, None), 0, 0), Retry::Offline);
        assert_eq!(retry(&error(FetchErrorKind::TooLarge, None), 0, 0), Retry::GiveUp);
    }
}
