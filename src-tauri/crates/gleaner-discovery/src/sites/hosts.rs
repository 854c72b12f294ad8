//! Sites whose pages name no feeds, although each of them has one.

use super::{Feed, Place, feed};

/// Topics, searches and front pages of Google News, in the language and country of the address.
pub(super) fn google_news(place: &Place<'_>) -> Vec<Feed> {
    let wanted = ["q", "hl", "gl", "ceid"].into_iter().filter_map(|name| Some((name, place.query(name)?)));
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(wanted).finish();
    let query = if query.is_empty() { query } else { format!("?{query}") };
    let rss = |path: &str| feed(format!("https://news.google.com/rss{path}{query}"));
    match place.path[..] {
        [] | ["home" | "topstories"] => rss(""),
        ["search"] if place.query("q").is_some() => rss("/search"),
        ["topics" | "topic", ..] => rss(&format!("/{}", place.path.join("/"))),
        _ => Vec::new(),
    }
}

/// Channels of Odysee, and the channels of its videos.
pub(super) fn odysee(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        [name, ..] if name.starts_with('@') => feed(format!("https://odysee.com/$/rss/{name}")),
        _ => Vec::new(),
    }
}

/// Development logs of games, and lists of games.
pub(super) fn itch(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["games", .., last] if place.host == "itch.io" && !last.contains('.') => {
            feed(format!("https://itch.io/{}.xml", place.path.join("/")))
        }
        [game, ..] if place.host != "itch.io" => feed(format!("{}/{game}/devlog.rss", place.origin())),
        _ => Vec::new(),
    }
}

/// Users and boards.
pub(super) fn pinterest(place: &Place<'_>) -> Vec<Feed> {
    const NOT_USERS: [&str; 9] =
        ["pin", "search", "ideas", "today", "explore", "business", "categories", "login", "settings"];
    match place.path[..] {
        [name, ..] if NOT_USERS.contains(&name) => Vec::new(),
        [name] | [name, "_created" | "_saved" | "boards" | "pins"] => {
            feed(format!("https://www.pinterest.com/{name}/feed.rss"))
        }
        [name, board] => feed(format!("https://www.pinterest.com/{name}/{board}.rss")),
        _ => Vec::new(),
    }
}

/// Diaries of OpenStreetMap.
pub(super) fn open_street_map(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["user", name] | ["user", name, "diary", ..] => {
            feed(format!("https://www.openstreetmap.org/user/{name}/diary/rss"))
        }
        ["diary"] => feed("https://www.openstreetmap.org/diary/rss"),
        ["diary", language] => feed(format!("https://www.openstreetmap.org/diary/{language}/rss")),
        _ => Vec::new(),
    }
}

/// Naver's blogs are frames without links.
pub(super) fn naver(place: &Place<'_>) -> Vec<Feed> {
    let name = match place.path[..] {
        ["PostList.naver" | "PostView.naver", ..] => place.query("blogId"),
        [name, ..] => Some(name.to_owned()),
        [] => None,
    };
    name.map(|name| feed(format!("https://rss.blog.naver.com/{name}.xml"))).unwrap_or_default()
}

/// Sites of Japan, Korea and China whose authors have a feed below their page.
pub(super) fn authors(place: &Place<'_>) -> Vec<Feed> {
    const NOT_AUTHORS: [&str; 20] = [
        "about",
        "advent-calendar",
        "articles",
        "books",
        "categories",
        "contests",
        "events",
        "explore",
        "feed",
        "hashtag",
        "info",
        "login",
        "organizations",
        "search",
        "settings",
        "tags",
        "terms",
        "timeline",
        "topics",
        "trend",
    ];
    match (place.host, &place.path[..]) {
        ("zenn.dev", ["topics", topic, ..]) => feed(format!("https://zenn.dev/topics/{topic}/feed")),
        ("zenn.dev", ["p", name, ..]) => feed(format!("https://zenn.dev/p/{name}/feed")),
        ("zenn.dev" | "qiita.com", []) => Vec::new(),
        ("qiita.com", ["tags", tag, ..]) => feed(format!("https://qiita.com/tags/{tag}/feed")),
        (_, [name, ..]) if NOT_AUTHORS.contains(name) => Vec::new(),
        ("zenn.dev" | "qiita.com", [name, ..]) => feed(format!("https://{}/{name}/feed", place.host)),
        ("note.com", [name, ..]) => feed(format!("https://note.com/{name}/rss")),
        ("velog.io", [name, ..]) if name.starts_with('@') => feed(format!("https://v2.velog.io/rss/{name}")),
        ("blog.csdn.net", [name, ..]) => feed(format!("https://blog.csdn.net/{name}/rss/list")),
        _ => Vec::new(),
    }
}

/// Other sites with a feed for each entry of the list that they are.
pub(super) fn entries(place: &Place<'_>) -> Vec<Feed> {
    match (place.host, &place.path[..]) {
        ("neocities.org", ["site", name, ..]) => feed(format!("https://neocities.org/site/{name}.rss")),
        ("royalroad.com", ["fiction", id, ..]) if id.bytes().all(|byte| byte.is_ascii_digit()) => {
            feed(format!("https://www.royalroad.com/fiction/syndication/{id}"))
        }
        ("packagist.org", ["packages", vendor, name, ..]) => {
            feed(format!("https://packagist.org/feeds/package.{vendor}/{name}.rss"))
        }
        ("sourceforge.net", ["projects", name]) => feed(format!("https://sourceforge.net/projects/{name}/rss")),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::sites::assert_feeds;

    #[test]
    fn google_news_by_topic_and_search() {
        for (address, feed) in [
            ("?hl=de&gl=DE&ceid=DE:de", "https://news.google.com/rss?hl=de&gl=DE&ceid=DE%3Ade"),
            ("topics/CAA?hl=fr", "https://news.google.com/rss/topics/CAA?hl=fr"),
            ("topics/CAA/sections/CAQ", "https://news.google.com/rss/topics/CAA/sections/CAQ"),
            ("search?q=plum%20trees&x=1", "https://news.google.com/rss/search?q=plum+trees"),
        ] {
            assert_feeds(&format!("https://news.google.com/{address}"), None, &[feed]);
        }
        assert_feeds("https://news.google.com/rss/articles/CBM", None, &[]);
    }

    #[test]
    fn sites_whose_pages_name_no_feeds() {
        for (address, feed) in [
            ("https://odysee.com/@someone:1/a-video:2", "https://odysee.com/$/rss/@someone:1"),
            ("https://someone.itch.io/a-game", "https://someone.itch.io/a-game/devlog.rss"),
            ("https://itch.io/games/newest", "https://itch.io/games/newest.xml"),
            ("https://www.pinterest.com/someone/", "https://www.pinterest.com/someone/feed.rss"),
            ("https://www.pinterest.com/someone/plums/", "https://www.pinterest.com/someone/plums.rss"),
            ("https://www.openstreetmap.org/user/someone", "https://www.openstreetmap.org/user/someone/diary/rss"),
            ("https://blog.naver.com/someone/123", "https://rss.blog.naver.com/someone.xml"),
            ("https://m.blog.naver.com/PostView.naver?blogId=someone", "https://rss.blog.naver.com/someone.xml"),
            ("https://zenn.dev/topics/rust", "https://zenn.dev/topics/rust/feed"),
            ("https://qiita.com/someone/items/1", "https://qiita.com/someone/feed"),
            ("https://note.com/someone/n/1", "https://note.com/someone/rss"),
            ("https://velog.io/@someone/posts", "https://v2.velog.io/rss/@someone"),
            ("https://blog.csdn.net/someone", "https://blog.csdn.net/someone/rss/list"),
            ("https://neocities.org/site/someone", "https://neocities.org/site/someone.rss"),
            ("https://www.royalroad.com/fiction/12/a-story", "https://www.royalroad.com/fiction/syndication/12"),
            ("https://packagist.org/packages/a/b", "https://packagist.org/feeds/package.a/b.rss"),
            ("https://www.openstreetmap.org/diary/de", "https://www.openstreetmap.org/diary/de/rss"),
            ("https://sourceforge.net/projects/a/", "https://sourceforge.net/projects/a/rss"),
        ] {
            assert_feeds(address, None, &[feed]);
        }
        for address in [
            "https://itch.io/",
            "https://itch.io/games/newest.xml",
            "https://www.pinterest.com/pin/1/",
            "https://odysee.com/",
            "https://qiita.com/",
            "https://qiita.com/about",
            "https://note.com/login",
            "https://zenn.dev/articles",
            "https://sourceforge.net/projects/a/files/b",
            "https://www.royalroad.com/fiction/syndication/12",
        ] {
            assert_feeds(address, None, &[]);
        }
    }
}
