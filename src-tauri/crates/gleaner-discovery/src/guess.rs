//! Guessed addresses: common paths, and the site's list under `/.well-known/`. Used only on a user's request, never when
//! polling.

use crate::candidates::{essence, ranked};
use crate::source::Source;
use crate::verify::{self, MAX_FETCHED, Site, Verdict, is_unavailable};
use crate::{Found, From};
use gleaner_address::is_web;
use gleaner_fetch::Request;
use url::Url;

/// Common paths of feeds, in the order in which they are tried.
const COMMON_PATHS: [&str; 7] =
    ["/feed", "/rss", "/atom.xml", "/feed.xml", "/rss.xml", "/index.xml", "/feeds/posts/default"];

/// Maximum length of a site's list of feeds, in bytes.
const MAX_LIST: u64 = 1 << 20;

/// Returns the first common path with a feed. Stops at a server that is overloaded or does not respond.
pub(crate) async fn common_path(source: &impl Source, site: &Site) -> Vec<Found> {
    for path in COMMON_PATHS {
        let Ok(url) = site.url.join(path) else { break };
        // The page itself was read before and is not a feed.
        if url == site.url {
            continue;
        }
        let candidate = Found::new(url, None, None, From::CommonPath);
        match verify::check(source, site, &candidate).await {
            Verdict::Feed(found) => return vec![*found],
            Verdict::NoFeed => {}
            Verdict::Unknown(kind) if is_unavailable(kind) => break,
            Verdict::Unknown(_) => {}
        }
    }
    Vec::new()
}

/// Reads `/.well-known/feeds`, an OPML list, then `/.well-known/feed-menu.json` (draft-nottingham-feed-menu).
pub(crate) async fn well_known(source: &impl Source, site: &Site) -> Vec<Found> {
    for (path, read) in
        [("/.well-known/feeds", opml as fn(&[u8], &Url) -> Vec<Found>), ("/.well-known/feed-menu.json", feed_menu)]
    {
        let Ok(url) = site.url.join(path) else { break };
        let public_only = site.is_public_only(&url);
        let request = Request { public_only, at_most: Some(MAX_LIST), ..Request::new(url) };
        let response = match source.get(request).await {
            Ok(response) => response,
            Err(error) if is_unavailable(error.kind) => break,
            Err(_) => continue,
        };
        let listed = read(response.body.as_deref().unwrap_or_default(), &response.url);
        let found = verify::read(source, site, ranked(listed), MAX_FETCHED).await;
        if !found.is_empty() {
            return found;
        }
        // Some sites serve the feed itself instead of a list.
        let body = response.body.as_deref().unwrap_or_default();
        if let Ok(found) = crate::candidates::itself(body, response.content_type.as_deref(), &response.url) {
            return vec![Found { from: From::WellKnown, response: Some(verify::kept(response)), ..found }];
        }
    }
    Vec::new()
}

fn listed(url: &str, base: &Url, title: Option<String>, mime_type: Option<&str>) -> Option<Found> {
    let url = base.join(url.trim()).ok().filter(is_web)?;
    Some(Found::new(url, title, mime_type.map(essence), From::WellKnown))
}

fn opml(bytes: &[u8], base: &Url) -> Vec<Found> {
    let Ok(list) = gleaner_feed::opml::read(bytes) else { return Vec::new() };
    list.feeds.into_iter().filter_map(|feed| listed(&feed.url, base, feed.title, None)).collect()
}

fn feed_menu(bytes: &[u8], base: &Url) -> Vec<Found> {
    const KINDS: [(&str, &str); 4] = [
        ("rss", "application/rss+xml"),
        ("atom", "application/atom+xml"),
        ("jsonfeed", "application/feed+json"),
        ("json", "application/feed+json"),
    ];
    let Ok(menu) = serde_json::from_slice::<serde_json::Value>(bytes) else { return Vec::new() };
    let items = menu.get("items").and_then(serde_json::Value::as_array).into_iter().flatten();
    items
        .filter_map(|item| {
            let text = |key: &str| item.get(key).and_then(serde_json::Value::as_str);
            let (url, mime_type) = KINDS.iter().find_map(|(key, mime_type)| Some((text(key)?, *mime_type)))?;
            listed(url, base, text("feed-title").map(str::to_owned), Some(mime_type))
        })
        .collect()
}
