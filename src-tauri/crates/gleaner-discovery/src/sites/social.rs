//! Social networks and forums.

use super::{Feed, Place, feed, named};

/// Subreddits, users, posts, multireddits and searches: any listing has its feed at its path with `.rss`.
pub(super) fn reddit(place: &Place<'_>) -> Vec<Feed> {
    // The query has the period of top listings and the words of searches; other parameters are dropped.
    let wanted = ["q", "restrict_sr", "sort", "t"].into_iter().filter_map(|name| Some((name, place.query(name)?)));
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(wanted).finish();
    let query = if query.is_empty() { query } else { format!("?{query}") };
    let rss = |path: &str| feed(format!("https://www.reddit.com/{path}.rss"));
    let with_query = |path: &str| feed(format!("https://www.reddit.com/{path}.rss{query}"));
    match place.path[..] {
        [id] if place.host == "redd.it" => rss(&format!("comments/{id}")),
        [] => feed("https://www.reddit.com/.rss"),
        ["r", name] => rss(&format!("r/{name}")),
        ["r", name, sort @ ("new" | "hot" | "top" | "rising" | "controversial")] => {
            with_query(&format!("r/{name}/{sort}"))
        }
        ["r", name, "search"] => with_query(&format!("r/{name}/search")),
        ["search"] if !query.is_empty() => with_query("search"),
        ["comments", id, ..] => rss(&format!("comments/{id}")),
        ["r", name, "comments", id, ..] => rss(&format!("r/{name}/comments/{id}")),
        ["r", name, ..] => rss(&format!("r/{name}")),
        ["u" | "user", name, "m", multi, ..] => rss(&format!("user/{name}/m/{multi}")),
        ["u" | "user", name, kind @ ("submitted" | "comments"), ..] => rss(&format!("user/{name}/{kind}")),
        ["u" | "user", name, ..] => rss(&format!("user/{name}")),
        ["domain", name, ..] => rss(&format!("domain/{name}")),
        _ => Vec::new(),
    }
}

pub(super) fn bluesky(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["profile", handle, ..] => feed(format!("https://bsky.app/profile/{}/rss", handle.trim_start_matches('@'))),
        _ => Vec::new(),
    }
}

/// Bluesky handles are host names.
pub(super) fn bluesky_handle(place: &Place<'_>) -> Vec<Feed> {
    feed(format!("https://bsky.app/profile/{}/rss", place.host))
}

pub(super) fn lobsters(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        [] | ["page" | "active", ..] => feed("https://lobste.rs/rss"),
        ["comments"] => feed("https://lobste.rs/comments.rss"),
        ["domain" | "domains", name] => feed(format!("https://lobste.rs/domains/{name}.rss")),
        ["newest"] | ["recent"] => feed("https://lobste.rs/newest.rss"),
        ["t", tags] => feed(format!("https://lobste.rs/t/{}.rss", tags.trim_end_matches(".rss"))),
        ["u", name, ..] | ["newest", name] => feed(format!("https://lobste.rs/newest/{name}.rss")),
        [name, ..] if name.starts_with('~') => feed(format!("https://lobste.rs/newest/{}.rss", &name[1..])),
        _ => Vec::new(),
    }
}

/// Only the front pages have feeds; others would need a third party.
pub(super) fn hacker_news(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        [] | ["news" | "front" | "newest" | "best"] => feed("https://news.ycombinator.com/rss"),
        ["show" | "shownew"] => feed("https://news.ycombinator.com/showrss"),
        _ => Vec::new(),
    }
}

/// Every listing of a Discourse forum has its feed at the same path with `.rss`. The page names the software.
pub(super) fn discourse(place: &Place<'_>) -> Vec<Feed> {
    let is_one = place.page.and_then(|page| page.meta("generator")).is_some_and(|name| name.starts_with("Discourse"));
    if !is_one {
        return Vec::new();
    }
    let origin = place.origin();
    match place.path[..] {
        ["c" | "t" | "tag", _, ..] => feed(format!("{origin}/{}.rss", place.path.join("/"))),
        _ => vec![
            named(format!("{origin}/latest.rss"), "Latest topics"),
            named(format!("{origin}/posts.rss"), "Latest posts"),
        ],
    }
}

/// Profiles in the Fediverse on any host, by the form of the address; each is fetched before it is offered.
pub(super) fn fediverse(place: &Place<'_>) -> Vec<Feed> {
    // These sites have addresses of the same form but no feeds.
    const OTHERS: [&str; 9] = [
        "medium.com",
        "youtube.com",
        "tiktok.com",
        "threads.net",
        "threads.com",
        "substack.com",
        "npmjs.com",
        "dev.to",
        "flipboard.com",
    ];
    if OTHERS.contains(&place.host) {
        return Vec::new();
    }
    let origin = place.origin();
    match place.path[..] {
        // Mastodon, Misskey, Pixelfed, Friendica.
        [name] | [name, "with_replies" | "media"] | ["web" | "deck", name] if is_profile(name) => {
            feed(format!("{}.rss", profile(&origin, name)))
        }
        // A post, and posts with a tag.
        [name, post] | ["web" | "deck", name, post]
            if is_profile(name) && post.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            feed(format!("{}.rss", profile(&origin, name)))
        }
        [name, "tagged", tag] if is_profile(name) => feed(format!("{}/tagged/{tag}.rss", profile(&origin, name))),
        _ => by_software(place, &origin),
    }
}

fn is_profile(name: &str) -> bool {
    name.len() > 1 && name.starts_with('@')
}

/// Returns the address of a profile. A profile of another server (`@name@host`) is on that server.
fn profile(origin: &str, name: &str) -> String {
    let (name, origin) = at_home(origin, &name[1..]);
    format!("{origin}/@{name}")
}

/// Returns a name and the server that it is on: the one in the name (`name@host`), or else this one.
fn at_home<'n>(origin: &str, name: &'n str) -> (&'n str, String) {
    match name.split_once('@').filter(|(name, home)| !name.is_empty() && !home.is_empty() && !home.contains('@')) {
        None => (name, origin.to_owned()),
        Some((name, home)) => (name, format!("https://{home}")),
    }
}

/// Paths that are meaningful only for the software that the page names.
fn by_software(place: &Place<'_>, origin: &str) -> Vec<Feed> {
    let Some(page) = place.page else { return Vec::new() };
    let lower = page.text.to_ascii_lowercase();
    let any = |names: &[&str]| names.iter().any(|name| lower.contains(name));
    match place.path[..] {
        ["c" | "video-channels", name, ..] if any(&["peertube"]) => {
            feed(format!("{origin}/feeds/videos.xml?videoChannelName={name}"))
        }
        ["a" | "accounts", name, ..] if any(&["peertube"]) => {
            feed(format!("{origin}/feeds/videos.xml?accountName={name}"))
        }
        ["users", name] if any(&["mastodon", "pixelfed"]) => feed(format!("{origin}/users/{name}.rss")),
        ["users", name] if any(&["pleroma", "akkoma"]) => feed(format!("{origin}/users/{name}/feed.rss")),
        ["tags", tag] if any(&["mastodon"]) => feed(format!("{origin}/tags/{tag}.rss")),
        // A server only has the feeds of its own communities and users.
        [kind @ ("c" | "u"), name] if any(&["lemmy"]) => {
            let (name, home) = at_home(origin, name);
            feed(format!("{home}/feeds/{kind}/{name}.xml"))
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::sites::assert_feeds;

    #[test]
    fn reddit_listings() {
        assert_feeds("https://www.reddit.com/", None, &["https://www.reddit.com/.rss"]);
        assert_feeds("https://old.reddit.com/r/rust/", None, &["https://www.reddit.com/r/rust.rss"]);
        assert_feeds(
            "https://www.reddit.com/r/rust/top/?t=week",
            None,
            &["https://www.reddit.com/r/rust/top.rss?t=week"],
        );
        for (address, feed) in [
            ("https://de.reddit.com/r/rust?utm_source=share", "https://www.reddit.com/r/rust.rss"),
            ("https://m.reddit.com/r/rust/wiki/index", "https://www.reddit.com/r/rust.rss"),
            (
                "https://www.reddit.com/r/rust/search/?q=tea+time&restrict_sr=1",
                "https://www.reddit.com/r/rust/search.rss?q=tea+time&restrict_sr=1",
            ),
            ("https://www.reddit.com/search?q=tea&x=y", "https://www.reddit.com/search.rss?q=tea"),
            ("https://www.reddit.com/comments/1abc/", "https://www.reddit.com/comments/1abc.rss"),
            ("https://redd.it/1abc", "https://www.reddit.com/comments/1abc.rss"),
            ("https://www.reddit.com/user/someone/submitted/", "https://www.reddit.com/user/someone/submitted.rss"),
        ] {
            assert_feeds(address, None, &[feed]);
        }
        assert_feeds(
            "https://www.reddit.com/r/rust/comments/1abc/some_title/",
            None,
            &["https://www.reddit.com/r/rust/comments/1abc.rss"],
        );
        assert_feeds("https://www.reddit.com/u/someone", None, &["https://www.reddit.com/user/someone.rss"]);
        assert_feeds(
            "https://www.reddit.com/user/someone/m/all",
            None,
            &["https://www.reddit.com/user/someone/m/all.rss"],
        );
    }

    #[test]
    fn bluesky_profiles() {
        assert_feeds(
            "https://bsky.app/profile/someone.example/post/1",
            None,
            &["https://bsky.app/profile/someone.example/rss"],
        );
    }

    #[test]
    fn bluesky_handles() {
        let rss = ["https://bsky.app/profile/someone.bsky.social/rss"];
        assert_feeds("https://someone.bsky.social", None, &rss);
        assert_feeds("https://bsky.app/profile/@someone.bsky.social/", None, &rss);
        assert_feeds(
            "https://bsky.app/profile/did:plc:abc/feed/x",
            None,
            &["https://bsky.app/profile/did:plc:abc/rss"],
        );
    }

    #[test]
    fn lobsters_and_hacker_news() {
        assert_feeds("https://lobste.rs/domains/example.com", None, &["https://lobste.rs/domains/example.com.rss"]);
        assert_feeds("https://lobste.rs/comments", None, &["https://lobste.rs/comments.rss"]);
        assert_feeds("https://lobste.rs/", None, &["https://lobste.rs/rss"]);
        assert_feeds("https://lobste.rs/t/rust,web", None, &["https://lobste.rs/t/rust,web.rss"]);
        assert_feeds("https://lobste.rs/~someone", None, &["https://lobste.rs/newest/someone.rss"]);
        assert_feeds("https://news.ycombinator.com/", None, &["https://news.ycombinator.com/rss"]);
        assert_feeds("https://news.ycombinator.com/show", None, &["https://news.ycombinator.com/showrss"]);
        assert_feeds("https://news.ycombinator.com/item?id=1", None, &[]);
    }

    #[test]
    fn recognises_discourse_by_its_page() {
        let page = Some(r#"<meta name="generator" content="Discourse 3.4.0">"#);
        let forum = ["https://forum.example/latest.rss", "https://forum.example/posts.rss"];
        assert_feeds("https://forum.example/", page, &forum);
        assert_feeds("https://forum.example/c/help/5", page, &["https://forum.example/c/help/5.rss"]);
        assert_feeds("https://forum.example/t/topic/12", page, &["https://forum.example/t/topic/12.rss"]);
        assert_feeds("https://forum.example/", None, &[]);
    }

    #[test]
    fn fediverse_profiles() {
        assert_feeds("https://social.example/@someone", None, &["https://social.example/@someone.rss"]);
        assert_feeds("https://social.example/@someone@else.example", None, &["https://else.example/@someone.rss"]);
        let pleroma = ["https://pleroma.example/users/someone/feed.rss"];
        assert_feeds("https://pleroma.example/users/someone", Some("<body data-by=Pleroma>"), &pleroma);
        assert_feeds(
            "https://lemmy.example/c/garden",
            Some("<p>Lemmy 0.19"),
            &["https://lemmy.example/feeds/c/garden.xml"],
        );
        assert_feeds(
            "https://lemmy.example/c/garden@else.example",
            Some("<p>Lemmy 0.19"),
            &["https://else.example/feeds/c/garden.xml"],
        );
        for path in ["@someone@else.example/123", "web/@someone@else.example", "deck/@someone@else.example/123"] {
            let rss = ["https://else.example/@someone.rss"];
            assert_feeds(&format!("https://social.example/{path}"), None, &rss);
        }
        for name in ["@someone@", "@someone@else.example@third.example"] {
            let rss = format!("https://social.example/{name}.rss");
            assert_feeds(&format!("https://social.example/{name}"), None, &[&rss]);
        }
        assert_feeds("https://blog.example/tags/garden", Some("<p>A weblog"), &[]);
        assert_feeds("https://www.tiktok.com/@someone", None, &[]);
        assert_feeds("https://social.example/@someone/123/", None, &["https://social.example/@someone.rss"]);
        assert_feeds(
            "https://social.example/@someone/tagged/tea",
            None,
            &["https://social.example/@someone/tagged/tea.rss"],
        );
        assert_feeds("https://social.example/@someone/about", None, &[]);
        let film = Some("<meta property='og:platform' content='PeerTube'>");
        assert_feeds(
            "https://film.example/c/garden/videos",
            film,
            &["https://film.example/feeds/videos.xml?videoChannelName=garden"],
        );
    }
}
