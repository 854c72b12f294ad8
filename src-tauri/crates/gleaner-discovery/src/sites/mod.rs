//! Rules for the feeds of popular sites. They never send requests to third parties.
//!
//! A rule is a row of [`RULES`]: hosts, and a function from an address (and the page, if it was fetched) to feeds. To add
//! a site, write the function in the file of its kind, and add the row and a test.

mod code;
mod hosts;
mod media;
mod social;
mod writing;

use crate::page::Page;
use crate::{Found, From};
use url::Url;

/// The input of a rule.
pub(crate) struct Place<'a> {
    pub(crate) url: &'a Url,
    /// The host without `www.`, `m.` and the like.
    pub(crate) host: &'a str,
    /// The non-empty segments of the path.
    pub(crate) path: Vec<&'a str>,
    /// The page, if it was fetched.
    pub(crate) page: Option<&'a Page>,
}

impl Place<'_> {
    fn query(&self, name: &str) -> Option<String> {
        self.url
            .query_pairs()
            .find(|(key, value)| key == name && !value.is_empty())
            .map(|(_, value)| value.into_owned())
    }

    /// Returns the origin with scheme and port, such as `https://example.com:8443`.
    fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

/// The address of a feed, and a title if the feed's own would be ambiguous.
pub(crate) type Feed = (String, Option<String>);

pub(crate) fn feed(url: impl Into<String>) -> Vec<Feed> {
    vec![(url.into(), None)]
}

fn named(url: impl Into<String>, title: impl Into<String>) -> Feed {
    (url.into(), Some(title.into()))
}

/// The hosts of a rule.
enum Hosts {
    /// Exactly these hosts.
    Are(&'static [&'static str]),
    /// Subdomains, such as `someone.tumblr.com`.
    Below(&'static str),
    /// Any host: the rule examines the path or the page, and its feeds are fetched to verify them.
    Any,
}

impl Hosts {
    fn matches(&self, host: &str) -> bool {
        match self {
            Hosts::Are(hosts) => hosts.contains(&host),
            Hosts::Below(parent) => {
                host.strip_suffix(parent).and_then(|rest| rest.strip_suffix('.')).is_some_and(|rest| !rest.is_empty())
            }
            Hosts::Any => true,
        }
    }
}

struct Rule {
    hosts: Hosts,
    /// Whether the rule applies even if the page names feeds itself.
    adds: bool,
    feeds: fn(&Place<'_>) -> Vec<Feed>,
}

const fn rule(hosts: Hosts, feeds: fn(&Place<'_>) -> Vec<Feed>) -> Rule {
    Rule { hosts, adds: false, feeds }
}

const fn adding(hosts: Hosts, feeds: fn(&Place<'_>) -> Vec<Feed>) -> Rule {
    Rule { hosts, adds: true, feeds }
}

/// The rules; the first that returns feeds is used.
const RULES: &[Rule] = &[
    rule(
        Hosts::Are(&["youtube.com", "youtu.be", "music.youtube.com", "gaming.youtube.com", "youtube-nocookie.com"]),
        media::youtube,
    ),
    rule(Hosts::Are(&["vimeo.com"]), media::vimeo),
    rule(Hosts::Are(&["dailymotion.com"]), media::dailymotion),
    rule(Hosts::Are(&["podcasts.apple.com", "itunes.apple.com"]), media::apple_podcasts),
    rule(Hosts::Are(&["soundcloud.com"]), media::soundcloud),
    rule(Hosts::Are(&["flickr.com"]), media::flickr),
    rule(Hosts::Are(&["deviantart.com"]), media::deviantart),
    rule(Hosts::Are(&["letterboxd.com"]), media::letterboxd),
    rule(Hosts::Are(&["store.steampowered.com", "steamcommunity.com"]), media::steam),
    rule(Hosts::Are(&["reddit.com", "redd.it"]), social::reddit),
    // old., new., np., and one for each language.
    rule(Hosts::Below("reddit.com"), social::reddit),
    rule(Hosts::Are(&["bsky.app"]), social::bluesky),
    rule(Hosts::Below("bsky.social"), social::bluesky_handle),
    rule(Hosts::Are(&["lobste.rs"]), social::lobsters),
    rule(Hosts::Are(&["news.ycombinator.com"]), social::hacker_news),
    adding(Hosts::Are(&["github.com"]), code::github),
    rule(Hosts::Are(&["gist.github.com"]), code::gist),
    adding(
        Hosts::Are(&["gitlab.com", "framagit.org", "salsa.debian.org", "invent.kde.org", "0xacab.org"]),
        code::gitlab,
    ),
    adding(Hosts::Are(&["codeberg.org", "gitea.com", "code.forgejo.org", "disroot.org"]), code::forgejo),
    rule(Hosts::Are(&["git.sr.ht"]), code::sourcehut),
    rule(Hosts::Are(&["pypi.org"]), code::pypi),
    rule(Hosts::Are(&["crates.io"]), code::crates),
    rule(
        Hosts::Are(&[
            "stackoverflow.com",
            "serverfault.com",
            "superuser.com",
            "askubuntu.com",
            "mathoverflow.net",
            "stackapps.com",
        ]),
        code::stack_exchange,
    ),
    rule(Hosts::Below("stackexchange.com"), code::stack_exchange),
    rule(Hosts::Below("stackoverflow.com"), code::stack_exchange),
    rule(Hosts::Are(&["arxiv.org"]), writing::arxiv),
    rule(Hosts::Below("arxiv.org"), writing::arxiv),
    rule(Hosts::Are(&["medium.com"]), writing::medium),
    rule(Hosts::Below("medium.com"), writing::feed_path),
    rule(Hosts::Below("substack.com"), writing::substack),
    rule(Hosts::Below("wordpress.com"), writing::wordpress),
    rule(Hosts::Below("tumblr.com"), writing::tumblr_blog),
    rule(Hosts::Are(&["tumblr.com"]), writing::tumblr),
    rule(Hosts::Below("livejournal.com"), writing::livejournal),
    rule(Hosts::Below("dreamwidth.org"), writing::livejournal),
    rule(Hosts::Below("bearblog.dev"), writing::bear),
    rule(Hosts::Are(&["dev.to"]), writing::dev),
    rule(Hosts::Are(&["news.google.com"]), hosts::google_news),
    rule(Hosts::Are(&["odysee.com"]), hosts::odysee),
    rule(Hosts::Are(&["itch.io"]), hosts::itch),
    rule(Hosts::Below("itch.io"), hosts::itch),
    rule(Hosts::Are(&["pinterest.com"]), hosts::pinterest),
    rule(Hosts::Are(&["openstreetmap.org"]), hosts::open_street_map),
    rule(Hosts::Are(&["blog.naver.com"]), hosts::naver),
    rule(Hosts::Are(&["zenn.dev", "qiita.com", "note.com", "velog.io", "blog.csdn.net"]), hosts::authors),
    rule(Hosts::Are(&["neocities.org", "royalroad.com", "packagist.org", "sourceforge.net"]), hosts::entries),
    rule(Hosts::Any, writing::blogger),
    // These recognise software on any host by the page's generator or the form of the path.
    adding(Hosts::Any, code::forge_by_page),
    rule(Hosts::Any, social::discourse),
    rule(Hosts::Any, social::fediverse),
];

/// Returns the feeds by the site's rule. `has_links`: whether the page names feeds itself.
pub(crate) fn feeds(url: &Url, page: Option<&Page>, has_links: bool) -> Vec<Found> {
    // Rules for paths must not match IP addresses, which are often devices at home; their page may be examined.
    let host = if page.is_some() { url.host_str() } else { url.domain() };
    let Some(host) = host.map(|host| host.trim_end_matches('.')) else { return Vec::new() };
    let host = ["www.", "m.", "mobile."].iter().find_map(|prefix| host.strip_prefix(prefix)).unwrap_or(host);
    let path = url.path().split('/').filter(|segment| !segment.is_empty()).collect();
    let place = Place { url, host, path, page };
    let rules = RULES.iter().filter(|rule| rule.hosts.matches(host) && (rule.adds || !has_links));
    let feeds = rules.map(|rule| (rule.feeds)(&place)).find(|feeds| !feeds.is_empty()).unwrap_or_default();
    feeds.into_iter().filter_map(|(url, title)| found(&url, title)).collect()
}

/// Returns the address of the site's own API that names the feed: Apple's podcast directory.
pub(crate) fn lookup(url: &Url) -> Option<Url> {
    let id = match url.domain()? {
        "podcasts.apple.com" | "itunes.apple.com" | "geo.itunes.apple.com" | "embed.podcasts.apple.com" => {
            media::apple_id(url)?
        }
        _ => return None,
    };
    Url::parse(&format!("https://itunes.apple.com/lookup?id={id}")).ok()
}

/// Returns the feeds in a response of the [`lookup`] address.
pub(crate) fn lookup_response(json: &[u8]) -> Vec<Found> {
    let Ok(lookup_response) = serde_json::from_slice::<serde_json::Value>(json) else { return Vec::new() };
    let text = |value: &serde_json::Value, key: &str| value.get(key).and_then(|text| text.as_str()).map(str::to_owned);
    let results = lookup_response.get("results").and_then(serde_json::Value::as_array).into_iter().flatten();
    results.filter_map(|result| found(&text(result, "feedUrl")?, text(result, "collectionName"))).collect()
}

fn found(url: &str, title: Option<String>) -> Option<Found> {
    Some(Found::new(Url::parse(url).ok()?, title, None, From::SiteRule))
}

/// Checks the feeds that the rules return for an address and page.
#[cfg(test)]
pub(crate) fn assert_feeds(url: &str, html: Option<&str>, expected: &[&str]) {
    let url: Url = url.parse().expect("a URL");
    let page = html.map(|html| Page::read(html.as_bytes(), None, &url));
    let found: Vec<String> = feeds(&url, page.as_ref(), false).into_iter().map(|found| found.url.to_string()).collect();
    assert_eq!(found, expected, "{url}");
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn matches_whole_hosts() {
        assert_feeds("https://notgithub.com/someone", None, &[]);
        assert_feeds("https://github.com.example.net/someone", None, &[]);
        assert_feeds("https://substack.com/@someone/note/1", None, &[]);
        assert_feeds("https://127.0.0.1/@someone", None, &[]);
    }

    #[test]
    fn looks_up_the_feed_of_an_apple_podcast() {
        let lookup_url = |url: &str| lookup(&url.parse().unwrap()).map(|url| url.to_string());
        let lookup = "https://itunes.apple.com/lookup?id=123456";
        assert_eq!(lookup_url("https://podcasts.apple.com/us/podcast/a-show/id123456?i=9").as_deref(), Some(lookup));
        assert_eq!(lookup_url("https://podcasts.apple.com/us/browse"), None);
        assert_eq!(lookup_url("https://example.com/podcast/id123456"), None);
        let json = br#"{"resultCount":1,"results":[{"collectionName":"A show","feedUrl":"https://example.com/show"}]}"#;
        let found = &lookup_response(json)[0];
        assert_eq!((found.url.as_str(), found.title.as_deref()), ("https://example.com/show", Some("A show")));
        assert!(lookup_response(b"{}").is_empty() && lookup_response(b"").is_empty());
    }

    #[test]
    fn links_of_the_page_take_precedence_over_rules() {
        let url: Url = "https://someone.substack.com/".parse().unwrap();
        assert_eq!(feeds(&url, None, false).len(), 1);
        assert!(feeds(&url, None, true).is_empty());
        let url: Url = "https://github.com/someone/thing".parse().unwrap();
        assert_eq!(feeds(&url, None, true).len(), 3);
    }
}
