//! Finding the feeds behind an address.

use crate::{
    App, Core, connection,
    error::{AppError, Result},
    jobs::Job,
    session::DiscoveredFeed,
};
use gleaner_address::Login;
use gleaner_contract::{Candidate, CandidateItem, Discover, Discovered, ErrorCode};
use gleaner_discovery::{AddressProblem, DiscoveryError};
use gleaner_feed::Parsed;
use gleaner_fetch::FetchErrorKind;
use gleaner_library::FeedRow;
use gleaner_polling::connection::AuthorizedFetcher;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use url::Url;

/// Number of items shown of each feed found.
const LATEST: usize = 4;

/// How long the documents that a search for feeds fetched count as the first poll of a new feed.
pub(crate) const FRESH: Duration = Duration::from_secs(600);

pub async fn discover(app: &App, args: Discover) -> Result<Discovered> {
    let core = app.core().await?;
    app.session().discovered.lock().clear();
    let (address, login) = gleaner_discovery::split_login(&args.address);
    if login.is_none()
        && args.connection.is_none()
        && let Some(feed) = find_subscribed(app, &address).await?
    {
        let url = Url::parse(&feed.url).map_err(AddressProblem::Malformed)?;
        let known = candidate(&core, url, Some(feed.shown_title()), None).await?;
        return Ok(Discovered::Feeds { candidates: vec![Candidate { home_url: feed.home_url, ..known }] });
    }
    let typed = login.and_then(|login| Some((gleaner_discovery::address(&address).ok()?, login)));
    let fetcher = connection::authorised(&core, args.connection, typed.as_ref())?;
    let run = app.jobs().replace(Job::Discovery).await;
    let found = tokio::select! {
        found = gleaner_discovery::discover_with(&fetcher, &address) => found,
        () = run.cancelled() => return Err(AppError::new(ErrorCode::Cancelled, "the search was cancelled")),
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => return question(&error, &fetcher).ok_or_else(|| error.into()),
    };
    let mut candidates = Vec::with_capacity(found.feeds.len());
    let mut discovered = Vec::with_capacity(found.feeds.len());
    for feed in found.feeds {
        let url = with_login(&feed.url, typed.as_ref());
        let shown = gleaner_address::split_login(&url).map_or_else(|| url.clone(), |(bare, _)| bare);
        candidates.push(candidate(&core, shown.clone(), feed.title, feed.parsed.as_deref()).await?);
        let response = feed.response.map(Arc::from);
        let public = found.public.contains(&feed.url);
        discovered.push(DiscoveredFeed { shown: shown.into(), url, public, response, at: Instant::now() });
    }
    *app.session().discovered.lock() = discovered;
    let task = app.clone();
    app.spawn(async move {
        tokio::time::sleep(FRESH).await;
        let mut discovered = task.session().discovered.lock();
        for found in discovered.iter_mut().filter(|found| found.at.elapsed() >= FRESH) {
            found.response = None;
        }
    });
    Ok(Discovered::Feeds { candidates })
}

/// Returns the feed that is subscribed at an address, without a request.
///
/// # Errors
/// When the library cannot be read.
pub async fn find_subscribed(app: &App, address: &str) -> Result<Option<FeedRow>> {
    let Ok(url) = gleaner_discovery::address(address) else { return Ok(None) };
    let feeds = app.core().await?.library;
    let Some(id) = feeds.feeds().find_by_url(url.as_str()).await? else { return Ok(None) };
    Ok(Some(feeds.feeds().get(id).await?))
}

/// Restores the feed at an address that was unsubscribed within the last day, with its articles and settings.
///
/// # Errors
/// When the library cannot be read or written.
pub async fn restore_unsubscribed(app: &App, url: &Url) -> Result<Option<FeedRow>> {
    let library = app.core().await?.library;
    let Some(id) = library.feeds().restore_unsubscribed(url.as_str()).await? else { return Ok(None) };
    app.library_changed(true, true);
    Ok(Some(library.feeds().get(id).await?))
}

/// Returns an address with the login that the user typed, if it is on the same server and has no login itself.
pub fn with_login(url: &Url, typed: Option<&(Url, Login)>) -> Url {
    let mut url = url.clone();
    if let Some((named, login)) = typed
        && named.origin() == url.origin()
        && url.password().is_none()
    {
        // Fails only for addresses that cannot have a login, and those of web servers can.
        let _ = url.set_username(&login.user);
        let _ = url.set_password(Some(&login.password));
    }
    url
}

/// The access request to answer so that discovery can continue.
fn question(error: &DiscoveryError, fetcher: &AuthorizedFetcher<'_>) -> Option<Discovered> {
    let DiscoveryError::Fetch(error) = error else { return None };
    let origin = error.url.origin().ascii_serialization();
    if let Some(certificate) = connection::certificate(error) {
        return Some(Discovered::Certificate { origin, certificate });
    }
    let refused = fetcher.has_login_for(&error.url);
    (error.kind == FetchErrorKind::Http(401)).then_some(Discovered::Login { origin, refused })
}

pub(crate) async fn candidate(
    core: &Core,
    url: Url,
    title: Option<String>,
    parsed: Option<&Parsed>,
) -> Result<Candidate> {
    let subscribed = core.library.feeds().find_by_url(url.as_str()).await?;
    let latest = parsed.map_or(Vec::new(), |parsed| {
        let shown = |item: &gleaner_feed::Item| CandidateItem {
            title: item.title.clone().unwrap_or_default(),
            published: item.published.or(item.updated).map(|moment| moment.timestamp_millis()),
        };
        parsed.items.iter().take(LATEST).map(shown).collect()
    });
    let title = parsed
        .and_then(|parsed| parsed.feed.title.clone())
        .or(title)
        .filter(|title| !title.trim().is_empty())
        .unwrap_or_else(|| url.host_str().unwrap_or(url.as_str()).to_owned());
    Ok(Candidate {
        title,
        kind: parsed.map(|parsed| kind(parsed.format)),
        description: parsed.and_then(|parsed| parsed.feed.description.clone()),
        home_url: parsed.and_then(|parsed| parsed.feed.home_url.clone()),
        latest,
        subscribed,
        url: url.to_string(),
    })
}

/// The format as people write it: "RSS 2.0".
fn kind(format: gleaner_feed::Format) -> String {
    let name = format.name();
    let (family, version) = match name.rsplit_once('-') {
        Some((family, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => (family, Some(version)),
        _ => (name, None),
    };
    let family = match family {
        "rss" => "RSS",
        "atom" => "Atom",
        "json-feed" => "JSON Feed",
        "cdf" => "CDF",
        other => other,
    };
    version.map_or_else(|| family.to_owned(), |version| format!("{family} {version}"))
}

pub async fn cancel_discover(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::Discovery);
    app.session().discovered.lock().clear();
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_typed_login_is_for_its_server_only() {
        let typed =
            ("https://a.example/".parse().unwrap(), Login { user: "ada".to_owned(), password: "a b".to_owned() });
        let with = |url: &str| with_login(&url.parse().unwrap(), Some(&typed)).to_string();
        assert_eq!(with("https://a.example/feed"), "https://ada:a%20b@a.example/feed");
        for other in ["http://a.example/feed", "https://b.example/feed", "https://eve:x@a.example/feed"] {
            assert_eq!(with(other), other);
        }
    }

    #[test]
    fn formats_are_named_as_people_write_them() {
        assert_eq!(kind(gleaner_feed::Format::Rss20), "RSS 2.0");
        assert_eq!(kind(gleaner_feed::Format::JsonFeed11), "JSON Feed 1.1");
        assert_eq!(kind(gleaner_feed::Format::Rss), "RSS");
    }
}
