//! What is fetched before anybody asks for it: the full text of articles from their own pages, and their pictures. Which articles a
//! wish means ([`wanted`]), and what becomes of one that failed, is decided here, purely; [`Poller::ahead`] acts. It keeps to the manners of
//! polling (docs/politeness.md): one request at a time at each host with a rest after it, in turn with the feeds; hosts that want to
//! be left alone are; a login goes to its own origin only.

pub(crate) mod fetch;
mod text;
mod work;

use gleaner_fetch::{FetchError, FetchErrorKind};
use gleaner_library::{
    AheadSettings, AheadWhat, AheadWish, Candidate, FeedScope, Library, LibraryError, Millis, Preferences,
};
use std::{collections::HashMap, time::Duration};

pub use text::{FullTextError, NoText};
pub use work::Ahead;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// So many of a feed's articles are fetched ahead when a wish for it begins, and of those that come in at once.
const OF_A_FEED: usize = 50;
/// So many starred ones when a wish for them begins.
const STARRED: i64 = 500;
/// What is older is not fetched ahead, but starred articles.
const OLDEST: Millis = 90 * DAY;

/// When it is tried again after so many tries in vain; after the last it is given up.
const AGAIN: [Millis; 4] = [10 * MINUTE, HOUR, 6 * HOUR, DAY];
/// The same where the server said that it is asked too much, but not for how long to leave it alone.
const TOO_MUCH: [Millis; 4] = [HOUR, 6 * HOUR, DAY, 3 * DAY];

/// Which articles' texts and pictures the wishes ask for: of unread articles that are no older than ninety days the newest fifty of each
/// feed, and of starred ones all.
#[must_use]
pub fn wanted(candidates: &[Candidate], settings: &AheadSettings, now: Millis) -> Vec<(i64, AheadWhat)> {
    let mut newest: Vec<&Candidate> = candidates.iter().collect();
    newest.sort_by_key(|article| std::cmp::Reverse((article.sort_at, article.id)));
    let mut of_feeds: HashMap<i64, usize> = HashMap::new();
    let mut wanted = Vec::new();
    for article in newest {
        let mut wish = if article.starred { settings.starred } else { AheadWish::default() };
        if (!article.read || article.starred) && article.sort_at > now - OLDEST {
            let of_feed = article.wish.map_or(settings.all, AheadWish::of_bits);
            let counted = of_feeds.entry(article.feed_id).or_default();
            if !of_feed.is_none() && *counted < OF_A_FEED {
                *counted += 1;
                wish = wish.and(of_feed);
            }
        }
        if wish.text && !article.has_text && article.url.is_some() {
            wanted.push((article.id, AheadWhat::Text));
        }
        if wish.pictures && !article.has_pictures {
            wanted.push((article.id, AheadWhat::Pictures));
        }
    }
    wanted
}

/// Says this of a feed, a folder or all. Where what is fetched ahead changes by that, it is from the newest articles of its feeds on. Says how
/// many texts and pictures are asked for by that.
///
/// # Errors
/// [`LibraryError::NotFound`], [`LibraryError::Invalid`]; when the library cannot be written.
pub async fn prefer(
    library: &Library,
    scope: FeedScope,
    wish: Preferences,
    now: Millis,
) -> Result<usize, LibraryError> {
    let feeds = match scope {
        FeedScope::All => Vec::new(),
        FeedScope::Feed(id) => vec![id],
        FeedScope::Folder(id) => library.feeds_below(id).await?,
    };
    let before = library.ahead_preferences(&feeds).await?;
    library.prefer(scope, wish).await?;
    let after = library.ahead_preferences(&feeds).await?;
    let settings = library.ahead_settings().await?;
    let mut queued = Vec::new();
    for feed in feeds.into_iter().filter(|feed| before.get(feed) != after.get(feed)) {
        let newest = library.newest_candidates(Some(feed), OF_A_FEED.try_into().unwrap_or(i64::MAX)).await?;
        queued.extend(wanted(&newest, &AheadSettings { starred: AheadWish::default(), ..settings }, now));
    }
    library.queue_wished(&queued, now).await?;
    Ok(queued.len())
}

/// Wishes this of all feeds and of starred articles. Of the starred ones, the newest that are there are asked for; of all feeds, what comes
/// in from now on. Says how many texts and pictures are asked for by that.
///
/// # Errors
/// [`LibraryError::Invalid`] for bounds that make no sense; when the library cannot be written.
pub async fn wish_of_all(library: &Library, settings: &AheadSettings, now: Millis) -> Result<usize, LibraryError> {
    if settings.largest == 0 || settings.largest > settings.room {
        return Err(LibraryError::Invalid("one picture cannot be larger than all pictures together".to_owned()));
    }
    let starred = if settings.starred.is_none() { 0 } else { STARRED };
    let newest = library.newest_candidates(None, starred).await?;
    let queued = wanted(&newest, &AheadSettings { all: AheadWish::default(), ..*settings }, now);
    library.set_ahead_settings(settings, &queued, now).await?;
    Ok(queued.len())
}

/// What becomes of something that did not come.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Then {
    /// Its server wants to be left alone until then.
    Wait(Millis),
    /// It is tried again then.
    Again(Millis),
    /// It would come to nothing again.
    GiveUp,
    /// Nothing comes at all for now.
    Offline,
}

/// After so many tries in vain before this one.
fn then(error: &FetchError, tries: i64, now: Millis) -> Then {
    let again = |pauses: [Millis; 4]| {
        let pause = usize::try_from(tries).ok().and_then(|tries| pauses.get(tries).copied());
        pause.map_or(Then::GiveUp, |pause| Then::Again(now + pause))
    };
    match error.kind {
        FetchErrorKind::Offline => Then::Offline,
        FetchErrorKind::Http(429 | 503) if error.retry_after.is_some() => {
            let after = error.retry_after.unwrap_or(Duration::ZERO).max(Duration::from_secs(60));
            Then::Wait(
                now + Millis::try_from(after.as_millis()).unwrap_or(Millis::MAX / 2).min(crate::schedule::LATEST),
            )
        }
        FetchErrorKind::Http(429) => again(TOO_MUCH),
        FetchErrorKind::Http(408 | 425 | 500..) => again(AGAIN),
        FetchErrorKind::Dns
        | FetchErrorKind::Connect
        | FetchErrorKind::Tls
        | FetchErrorKind::Timeout
        | FetchErrorKind::Broken => again(AGAIN),
        FetchErrorKind::Http(_)
        | FetchErrorKind::Scheme
        | FetchErrorKind::TooManyRedirects
        | FetchErrorKind::PrivateAddress
        | FetchErrorKind::TooLarge => Then::GiveUp,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const NOW: Millis = 1_000 * DAY;
    const TEXT: AheadWish = AheadWish { text: true, pictures: false };
    const BOTH: AheadWish = AheadWish { text: true, pictures: true };

    fn article(id: i64) -> Candidate {
        Candidate {
            id,
            feed_id: 1,
            url: Some("https://a.example/".to_owned()),
            sort_at: NOW - DAY + id,
            read: false,
            starred: false,
            wish: None,
            has_text: false,
            has_pictures: false,
        }
    }

    fn settings(all: AheadWish, starred: AheadWish) -> AheadSettings {
        AheadSettings { all, starred, ..AheadSettings::default() }
    }

    #[test]
    fn a_feeds_own_wish_goes_before_that_of_all() {
        use AheadWhat::{Pictures, Text};
        let of = |wish: Option<i64>, all: AheadWish| {
            wanted(&[Candidate { wish, ..article(1) }], &settings(all, AheadWish::default()), NOW)
        };
        assert_eq!(of(None, AheadWish::default()), []);
        assert_eq!(of(None, TEXT), [(1, Text)]);
        assert_eq!(of(Some(0), BOTH), []);
        assert_eq!(of(Some(2), TEXT), [(1, Pictures)]);
        assert_eq!(of(Some(3), AheadWish::default()), [(1, Text), (1, Pictures)]);
    }

    #[test]
    fn what_is_there_read_or_old_is_not_wanted_again() {
        let all = settings(BOTH, AheadWish::default());
        for (article, count) in [
            (Candidate { has_text: true, ..article(1) }, 1),
            (Candidate { has_pictures: true, ..article(1) }, 1),
            (Candidate { url: None, ..article(1) }, 1),
            (Candidate { read: true, ..article(1) }, 0),
            (Candidate { sort_at: NOW - 91 * DAY, ..article(1) }, 0),
        ] {
            assert_eq!(wanted(std::slice::from_ref(&article), &all, NOW).len(), count, "{article:?}");
        }
    }

    #[test]
    fn starred_articles_are_wanted_whatever_their_age_and_number() {
        let starred = |id| Candidate { starred: true, read: true, sort_at: id, ..article(id) };
        let many: Vec<Candidate> = (1..=200).map(starred).collect();
        assert_eq!(wanted(&many, &settings(AheadWish::default(), TEXT), NOW).len(), 200);
        assert_eq!(wanted(&many, &settings(BOTH, AheadWish::default()), NOW), []);
    }

    #[test]
    fn a_flood_of_articles_is_bounded_for_each_feed_newest_first() {
        let mut many: Vec<Candidate> = (1..=3000).map(article).collect();
        many.push(Candidate { feed_id: 2, ..article(5000) });
        let found = wanted(&many, &settings(TEXT, AheadWish::default()), NOW);
        assert_eq!((found.len(), found[0].0, found[1].0), (51, 5000, 3000));
    }

    #[test]
    fn failures_are_tried_again_ever_later_and_then_no_more() {
        let error = |kind, retry_after| FetchError {
            kind,
            message: String::new(),
            retry_after,
            url: Box::new("https://a.example/".parse().unwrap()),
            certificate: None,
        };
        let timeout = error(FetchErrorKind::Timeout, None);
        let pauses: Vec<Then> = (0..5).map(|tries| then(&timeout, tries, 0)).collect();
        let again = |at| Then::Again(at);
        assert_eq!(pauses, [again(10 * MINUTE), again(HOUR), again(6 * HOUR), again(DAY), Then::GiveUp]);
        for status in [401, 402, 403, 404, 410, 451] {
            assert_eq!(then(&error(FetchErrorKind::Http(status), None), 0, 0), Then::GiveUp, "{status}");
        }
        assert_eq!(then(&error(FetchErrorKind::Http(429), None), 0, 0), Then::Again(HOUR));
        let hour = Some(Duration::from_secs(3600));
        assert_eq!(then(&error(FetchErrorKind::Http(503), hour), 4, 0), Then::Wait(HOUR));
        let for_ever = Some(Duration::from_secs(u64::MAX / 1000));
        assert_eq!(then(&error(FetchErrorKind::Http(429), for_ever), 0, 0), Then::Wait(crate::schedule::LATEST));
        assert_eq!(then(&error(FetchErrorKind::Offline, None), 0, 0), Then::Offline);
        assert_eq!(then(&error(FetchErrorKind::TooLarge, None), 0, 0), Then::GiveUp);
    }
}
