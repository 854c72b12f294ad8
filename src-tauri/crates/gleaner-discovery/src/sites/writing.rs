//! Blogs, journals and papers.

use super::{Feed, Place, feed, named};

/// Listings of a subject, and papers of an author with an identifier.
pub(super) fn arxiv(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["list" | "archive" | "catchup", subject, ..] => vec![
            named(format!("https://rss.arxiv.org/rss/{subject}"), format!("{subject} (RSS)")),
            named(format!("https://rss.arxiv.org/atom/{subject}"), format!("{subject} (Atom)")),
        ],
        ["a", author] => feed(format!("https://arxiv.org/a/{}.atom2", author.trim_end_matches(".html"))),
        _ => Vec::new(),
    }
}

/// Authors, publications and tags; a story belongs to an author or a publication.
pub(super) fn medium(place: &Place<'_>) -> Vec<Feed> {
    const NOT_AUTHORS: [&str; 9] = ["about", "m", "me", "search", "topics", "plans", "membership", "p", "feed"];
    match place.path[..] {
        ["tag", tag, ..] => feed(format!("https://medium.com/feed/tag/{tag}")),
        [name, ..] if !NOT_AUTHORS.contains(&name) => feed(format!("https://medium.com/feed/{name}")),
        _ => Vec::new(),
    }
}

/// A publication on its own host, or as shared by the app.
pub(super) fn substack(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["pub", name, ..] if place.host == "open.substack.com" => feed(format!("https://{name}.substack.com/feed")),
        _ if place.host == "open.substack.com" => Vec::new(),
        _ => feed_path(place),
    }
}

/// Hosts that are one publication each, with its feed at `/feed`, such as Medium's subdomains.
pub(super) fn feed_path(place: &Place<'_>) -> Vec<Feed> {
    feed(format!("{}/feed", place.origin()))
}

/// The blog, or one of its categories or tags, whose feed is below its path.
pub(super) fn wordpress(place: &Place<'_>) -> Vec<Feed> {
    const NOT_BLOGS: [&str; 5] = ["en", "public-api", "support", "developer", "learn"];
    if place.host.strip_suffix(".wordpress.com").is_some_and(|name| NOT_BLOGS.contains(&name)) {
        return Vec::new();
    }
    match place.path[..] {
        [kind @ ("category" | "tag" | "author"), name, ..] => feed(format!("{}/{kind}/{name}/feed/", place.origin())),
        _ => feed(format!("{}/feed/", place.origin())),
    }
}

/// The blog, or one of its labels. Blogger has domains in many countries.
pub(super) fn blogger(place: &Place<'_>) -> Vec<Feed> {
    let mut parts = place.host.split('.');
    let (name, site) = (parts.next(), parts.next());
    let is_one = name.is_some_and(|name| !name.is_empty()) && site == Some("blogspot") && parts.next().is_some();
    if !is_one {
        return Vec::new();
    }
    match place.path[..] {
        ["feeds", ..] => Vec::new(),
        ["search", "label", label, ..] => feed(format!("{}/feeds/posts/default/-/{label}", place.origin())),
        _ => feed(format!("{}/feeds/posts/default", place.origin())),
    }
}

pub(super) fn tumblr_blog(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["tagged", tag, ..] => feed(format!("{}/tagged/{tag}/rss", place.origin())),
        _ => feed(format!("{}/rss", place.origin())),
    }
}

/// `tumblr.com/name` is the same blog as `name.tumblr.com`.
pub(super) fn tumblr(place: &Place<'_>) -> Vec<Feed> {
    const NOT_AUTHORS: [&str; 9] =
        ["dashboard", "explore", "tagged", "search", "about", "login", "register", "settings", "communities"];
    match place.path[..] {
        ["blog", "view", name, ..] | ["blog", name, ..] => feed(format!("https://{name}.tumblr.com/rss")),
        ["blog"] | [] => Vec::new(),
        [name, "tagged", tag, ..] if !NOT_AUTHORS.contains(&name) => {
            feed(format!("https://{}.tumblr.com/tagged/{tag}/rss", name.trim_start_matches('@')))
        }
        [name, ..] if !NOT_AUTHORS.contains(&name) => {
            feed(format!("https://{}.tumblr.com/rss", name.trim_start_matches('@')))
        }
        _ => Vec::new(),
    }
}

pub(super) fn livejournal(place: &Place<'_>) -> Vec<Feed> {
    feed(format!("{}/data/rss", place.origin()))
}

pub(super) fn bear(place: &Place<'_>) -> Vec<Feed> {
    feed(format!("{}/feed/", place.origin()))
}

pub(super) fn dev(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        [] => feed("https://dev.to/feed"),
        ["t", tag, ..] => feed(format!("https://dev.to/feed/tag/{tag}")),
        [name] if !matches!(name, "about" | "tags" | "search" | "latest" | "top") => {
            feed(format!("https://dev.to/feed/{name}"))
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::sites::assert_feeds;

    #[test]
    fn arxiv_listings() {
        let listing = ["https://rss.arxiv.org/rss/cs.PL", "https://rss.arxiv.org/atom/cs.PL"];
        assert_feeds("https://arxiv.org/list/cs.PL/recent", None, &listing);
        assert_feeds("https://export.arxiv.org/list/cs.PL/new?skip=0&show=25", None, &listing);
        assert_feeds("https://arxiv.org/abs/2401.00001", None, &[]);
    }

    #[test]
    fn medium_people_publications_and_tags() {
        assert_feeds("https://medium.com/@someone", None, &["https://medium.com/feed/@someone"]);
        assert_feeds("https://medium.com/a-magazine/a-story-123", None, &["https://medium.com/feed/a-magazine"]);
        assert_feeds("https://medium.com/tag/tea", None, &["https://medium.com/feed/tag/tea"]);
        assert_feeds("https://someone.medium.com/a-story", None, &["https://someone.medium.com/feed"]);
        assert_feeds("https://medium.com/", None, &[]);
    }

    #[test]
    fn hosted_blogs() {
        assert_feeds("https://someone.substack.com/p/a-letter", None, &["https://someone.substack.com/feed"]);
        assert_feeds(
            "https://open.substack.com/pub/someone/p/a-letter?r=1",
            None,
            &["https://someone.substack.com/feed"],
        );
        assert_feeds("https://www.tumblr.com/blog/view/someone/1", None, &["https://someone.tumblr.com/rss"]);
        assert_feeds("https://someone.blogspot.com/?m=1", None, &["https://someone.blogspot.com/feeds/posts/default"]);
        assert_feeds("https://someone.wordpress.com/2024/01/02/x/", None, &["https://someone.wordpress.com/feed/"]);
        assert_feeds("https://someone.wordpress.com/tag/tea/", None, &["https://someone.wordpress.com/tag/tea/feed/"]);
        assert_feeds(
            "https://someone.blogspot.com/2024/01/x.html",
            None,
            &["https://someone.blogspot.com/feeds/posts/default"],
        );
        assert_feeds("https://someone.blogspot.co.uk/", None, &["https://someone.blogspot.co.uk/feeds/posts/default"]);
        assert_feeds(
            "https://someone.blogspot.com/search/label/tea",
            None,
            &["https://someone.blogspot.com/feeds/posts/default/-/tea"],
        );
        assert_feeds("https://someone.tumblr.com/post/1", None, &["https://someone.tumblr.com/rss"]);
        assert_feeds("https://someone.tumblr.com/tagged/tea", None, &["https://someone.tumblr.com/tagged/tea/rss"]);
        assert_feeds("https://www.tumblr.com/someone/1/x", None, &["https://someone.tumblr.com/rss"]);
        assert_feeds(
            "https://tumblr.com/someone/tagged/tea?source=share",
            None,
            &["https://someone.tumblr.com/tagged/tea/rss"],
        );
        assert_feeds("https://www.tumblr.com/explore", None, &[]);
        assert_feeds("https://someone.livejournal.com/", None, &["https://someone.livejournal.com/data/rss"]);
        assert_feeds("https://dev.to/someone", None, &["https://dev.to/feed/someone"]);
    }
}
