//! Discovery from an address to its feeds: the requests, their order, and the result.
#![allow(clippy::unwrap_used)]

mod common;

use common::Web;
use gleaner_discovery::{DiscoveryError, From, discover};
use gleaner_fetch::{FetchErrorKind, Fetcher, Limits, Settings};
use gleaner_testserver::{Reply, Server};

const SITE: &str = "https://example.org/";
const PLAIN: &str = "<!doctype html><title>A page</title><p>Hello.";

fn link(href: &str, title: &str) -> String {
    format!("<link rel=alternate type=application/rss+xml title=\"{title}\" href=\"{href}\">")
}

#[tokio::test]
async fn offers_a_feed_address_after_one_request() {
    let web = Web::new().rss("https://example.org/x", "A feed");
    let discovery = web.discover("example.org/x").await.unwrap();
    assert_eq!(web.requested(), ["https://example.org/x"]);
    let found = &discovery.feeds[0];
    assert_eq!((found.from, found.title.as_deref()), (From::SelfFeed, Some("A feed")));
    assert_eq!(found.parsed.as_ref().unwrap().items.len(), 1);
}

#[tokio::test]
async fn adopts_permanent_redirects_only() {
    let web = Web::new()
        .redirect("https://example.org/old", 301, "https://example.org/new")
        .redirect("https://example.org/new", 302, "https://cdn.example.org/today")
        .rss("https://cdn.example.org/today", "A feed");
    assert_eq!(web.urls("https://example.org/old").await, ["https://example.org/new"]);
    assert_eq!(web.urls("https://example.org/new").await, ["https://example.org/new"]);
}

#[tokio::test]
async fn offers_the_feeds_of_link_headers() {
    let header = "</a>; rel=alternate; type=\"application/rss+xml\", </b>; rel=\"alternate\"; type=\"application/atom+xml\"; title=\"B\"";
    let web = Web::new().rss("https://example.org/a", "A").rss("https://example.org/b", "Other").link(SITE, header);
    let plain = web.html(SITE, PLAIN);
    assert_eq!(plain.urls("example.org").await, ["https://example.org/a", "https://example.org/b"]);
    assert_eq!(plain.discover("example.org").await.unwrap().feeds[1].title.as_deref(), Some("B"));
    // The page's own links are first, with their titles.
    let titled = plain.html(SITE, &link("/b", "Named"));
    let feeds = titled.discover("example.org").await.unwrap().feeds;
    let found: Vec<_> = feeds.iter().map(|found| (found.url.path(), found.title.as_deref().unwrap())).collect();
    assert_eq!(found, [("/b", "Named"), ("/a", "A")]);
}

#[tokio::test]
async fn p46_guesses_nothing_if_the_page_names_feeds() {
    let web = Web::new().html(SITE, &link("/a", "A")).rss("https://example.org/a", "A");
    assert_eq!(web.urls("example.org").await, ["https://example.org/a"]);
    assert_eq!(web.requested(), [SITE, "https://example.org/a"]);
}

#[tokio::test]
async fn p46_tries_guesses_in_order_until_the_first_feed() {
    let web = Web::new()
        .html(SITE, PLAIN)
        .html("https://example.org/rss", "<!doctype html><title>Not found</title><p>A soft 404.")
        .rss("https://example.org/rss.xml", "Found");
    let discovery = web.discover("example.org").await.unwrap();
    assert_eq!(discovery.feeds[0].from, From::CommonPath);
    let expected = [
        SITE,
        "https://example.org/feed",
        "https://example.org/rss",
        "https://example.org/atom.xml",
        "https://example.org/feed.xml",
        "https://example.org/rss.xml",
    ];
    assert_eq!(web.requested(), expected);
}

#[tokio::test]
async fn p46_stops_at_an_overloaded_server() {
    let web = Web::new()
        .html(SITE, PLAIN)
        .fails("https://example.org/feed", FetchErrorKind::Http(429))
        .fails("https://example.org/.well-known/feeds", FetchErrorKind::Http(429));
    assert!(matches!(web.discover("example.org").await, Err(DiscoveryError::NoFeed(_))));
    assert_eq!(web.requested().len(), 3);
}

#[tokio::test]
async fn reports_no_feed_after_trying_everything_once() {
    let web = Web::new().html(SITE, PLAIN);
    let error = web.discover("example.org").await.unwrap_err();
    assert_eq!(error.to_string(), "No feed was found at https://example.org/");
    let mut requested = web.requested();
    assert_eq!(requested.len(), 10, "the page, seven paths and two lists");
    requested.sort();
    requested.dedup();
    assert_eq!(requested.len(), 10);
}

#[tokio::test]
async fn offers_links_that_fail_temporarily_but_not_dead_ones() {
    let page = link("/gone", "Gone") + &link("/busy", "Busy") + &link("/page", "No feed");
    let web = Web::new()
        .html(SITE, &page)
        .fails("https://example.org/busy", FetchErrorKind::Http(500))
        .html("https://example.org/page", PLAIN);
    let discovery = web.discover("example.org").await.unwrap();
    assert_eq!(discovery.feeds.len(), 1);
    let busy = &discovery.feeds[0];
    assert_eq!((busy.title.as_deref(), busy.parsed.is_none()), (Some("Busy"), true));
}

#[tokio::test]
async fn tries_guesses_after_dead_links() {
    let web = Web::new().html(SITE, &link("/gone", "Gone")).rss("https://example.org/feed", "Found");
    assert_eq!(web.urls("example.org").await, ["https://example.org/feed"]);
}

#[tokio::test]
async fn replaces_a_generic_link_title_by_the_feeds_title() {
    let page = link("/a", "RSS 2.0") + &link("/b", "Notes");
    let web = Web::new().html(SITE, &page).rss("https://example.org/a", "Letters").rss("https://example.org/b", "X");
    let discovery = web.discover("example.org").await.unwrap();
    let titles: Vec<_> = discovery.feeds.iter().map(|found| found.title.as_deref().unwrap()).collect();
    assert_eq!(titles, ["Letters", "Notes"]);
}

#[tokio::test]
async fn recognises_comment_feeds_by_their_own_title() {
    let page = link("/c", "RSS") + &link("/a", "Posts");
    let web = Web::new()
        .html(SITE, &page)
        .rss("https://example.org/c", "Comments on: A post")
        .rss("https://example.org/a", "Posts");
    assert_eq!(web.urls("example.org").await, ["https://example.org/a", "https://example.org/c"]);
}

#[tokio::test]
async fn offers_many_links_and_fetches_five() {
    let page: String = (0..9).map(|number| link(&format!("/{number}"), &format!("Feed {number}"))).collect();
    let web = (0..9).fold(Web::new().html(SITE, &page), |web, number| web.rss(&format!("{SITE}{number}"), "X"));
    let discovery = web.discover("example.org").await.unwrap();
    assert_eq!(discovery.feeds.len(), 9);
    assert_eq!(discovery.feeds.iter().filter(|found| found.parsed.is_some()).count(), 5);
    assert_eq!(web.requested().len(), 6);
}

#[tokio::test]
async fn falls_back_to_http_if_https_was_guessed_and_fails() {
    for kind in [FetchErrorKind::Connect, FetchErrorKind::Tls, FetchErrorKind::Timeout] {
        let web = Web::new().fails(SITE, kind).rss("http://example.org/", "Old");
        assert_eq!(web.urls("example.org").await, ["http://example.org/"]);
        assert!(web.discover(SITE).await.is_err(), "the user's own https stays");
    }
    for kind in [FetchErrorKind::Dns, FetchErrorKind::Http(500), FetchErrorKind::Offline] {
        let web = Web::new().fails(SITE, kind).rss("http://example.org/", "Old");
        assert!(matches!(web.discover("example.org").await, Err(DiscoveryError::Fetch(error)) if error.kind == kind));
    }
}

#[tokio::test]
async fn looks_for_feeds_of_the_site_if_the_page_is_gone() {
    let web = Web::new().rss("https://example.org/feed", "Found");
    assert_eq!(web.urls("https://example.org/2009/gone.html").await, ["https://example.org/feed"]);
    let error = Web::new().discover("https://example.org/gone").await.unwrap_err();
    assert!(matches!(error, DiscoveryError::Fetch(error) if error.kind == FetchErrorKind::Http(404)));
}

#[tokio::test]
async fn fetches_the_feed_of_a_known_site_directly() {
    let feed = "https://someone.substack.com/feed";
    let web = Web::new().rss(feed, "Letters");
    let discovery = web.discover("someone.substack.com/p/a-letter").await.unwrap();
    assert_eq!((discovery.feeds[0].from, discovery.feeds[0].url.as_str()), (From::SiteRule, feed));
    assert_eq!(web.requested(), [feed]);
}

#[tokio::test]
async fn continues_after_an_outdated_rule() {
    let page = "https://social.example/@someone";
    let web = Web::new().html(page, &link("/elsewhere", "Posts")).rss("https://social.example/elsewhere", "Posts");
    assert_eq!(web.urls(page).await, ["https://social.example/elsewhere"]);
}

#[tokio::test]
async fn offers_anchors_only_if_they_are_feeds_own_host_first() {
    let page = "<a href=//other.example/feed.xml>RSS</a> <a href=/a/rss>RSS</a> <a href=/dead.rss>RSS</a> <a href=/about>x</a>";
    let web = Web::new()
        .html(SITE, page)
        .rss("https://other.example/feed.xml", "Other")
        .rss("https://example.org/a/rss", "Own");
    assert_eq!(web.urls("example.org").await, ["https://example.org/a/rss", "https://other.example/feed.xml"]);
    assert!(!web.requested().contains(&"https://example.org/about".to_owned()));
}

#[tokio::test]
async fn reads_the_sites_own_list() {
    let list = "<opml version=\"2.0\"><body><outline text=\"Posts\" type=\"rss\" xmlUrl=\"/posts\"/></body></opml>";
    let web = Web::new()
        .html(SITE, PLAIN)
        .document("https://example.org/.well-known/feeds", "text/x-opml", list)
        .rss("https://example.org/posts", "X");
    let discovery = web.discover("example.org").await.unwrap();
    let found = &discovery.feeds[0];
    assert_eq!((found.from, found.url.as_str()), (From::WellKnown, "https://example.org/posts"));
    assert_eq!(found.title.as_deref(), Some("Posts"));
}

#[tokio::test]
async fn p44_uses_one_connection_per_host() {
    let server = Server::start().await;
    let page: String = (0..4).map(|number| link(&format!("/{number}"), "Feed")).collect();
    server.on("/", Reply::ok(page).header("Content-Type", "text/html"));
    let rss = "<rss version=\"2.0\"><channel><title>T</title><link>x</link><description/></channel></rss>";
    server.on_request("*", move |_| Reply::ok(rss));
    let fetcher = Fetcher::new(Limits::default()).unwrap();
    let discovery = discover(&fetcher, &server.url("/")).await.unwrap();
    assert_eq!(discovery.feeds.len(), 4);
    assert_eq!((server.requests().len(), server.connections()), (5, 1));
}

#[tokio::test]
async fn a_public_page_cannot_make_the_app_read_the_private_network() {
    let server = Server::start().await;
    let page = link(&server.url("/secret"), "Secret") + &link(&server.url_at("localhost", "/secret"), "Secret");
    server.on("/", Reply::ok(page).header("Content-Type", "text/html"));
    let names = [("public.example".to_owned(), vec![(server.address().ip(), 0).into()])].into();
    let fetcher = Fetcher::with(Settings { names, ..Settings::default() }).unwrap();
    assert!(discover(&fetcher, &server.url_at("public.example", "/")).await.is_err());
    assert!(server.requests_to("/secret").is_empty());
    assert!(!server.requests_to("/feed").is_empty(), "its own host may be requested");
}

#[tokio::test]
async fn offers_no_private_address_that_a_public_page_names() {
    const PRIVATE: [&str; 8] = [
        "http://10.9.9.9:8601/a",
        "http://127.1/a",
        "http://2130706433/a",
        "http://[::1]/a",
        "http://[::ffff:192.168.1.1]/a",
        "http://feeds.localhost/a",
        "http://nas.local/a",
        "http://router/a",
    ];
    let fails = |web: Web, url: &str| web.fails(url, FetchErrorKind::Connect);
    let private: String = PRIVATE.map(|url| link(url, "Notes")).concat();
    let page: String = (0..9).map(|number| link(&format!("https://other.example/{number}"), "Notes")).collect();
    let page = private + &page + &link("/own", "Notes");
    let web = PRIVATE.into_iter().fold(Web::new().html(SITE, &page), fails);
    let discovery = fails(web, "https://other.example/0").discover("example.org").await.unwrap();
    let offered: Vec<_> = discovery.feeds.iter().map(|found| found.url.host_str().unwrap()).collect();
    assert_eq!(offered.len(), 10, "also those that were not fetched: {offered:?}");
    assert!(offered.iter().all(|host| host.ends_with(".example") || *host == "example.org"), "{offered:?}");
    assert!(discovery.feeds.iter().all(|found| discovery.public.contains(&found.url)), "and they stay public");

    let list = PRIVATE.map(|url| format!("<outline type='rss' xmlUrl='{url}'/>")).concat();
    let list = format!("<opml version='2.0'><body>{list}</body></opml>");
    let web = Web::new().html(SITE, PLAIN).document("https://example.org/.well-known/feeds", "text/x-opml", &list);
    let web = PRIVATE.into_iter().fold(web, fails);
    assert!(matches!(web.discover("example.org").await, Err(DiscoveryError::NoFeed(_))));
}

#[tokio::test]
async fn the_name_of_a_public_page_may_not_lead_to_a_private_address_afterwards() {
    let web = Web::new().html(SITE, &link("/a", "A")).rss("https://example.org/a", "A");
    let discovery = web.discover("example.org").await.unwrap();
    assert_eq!(web.not_public_only(), [SITE], "only what the user entered");
    assert!(discovery.public.contains(&discovery.feeds[0].url));
    let web = Web::new().html(SITE, PLAIN);
    assert!(web.discover("example.org").await.is_err());
    assert_eq!(web.not_public_only(), [SITE]);
}

#[tokio::test]
async fn follows_the_notice_of_a_feed_that_moved() {
    let notice = "<redirect><newLocation>https://example.net/feed</newLocation></redirect>";
    let web =
        Web::new().document("https://example.org/feed", "text/xml", notice).rss("https://example.net/feed", "Moved");
    assert_eq!(web.urls("https://example.org/feed").await, ["https://example.net/feed"]);
}

#[tokio::test]
async fn follows_a_meta_refresh_once() {
    let web = Web::new()
        .html(SITE, "<meta http-equiv=Refresh content=\"0; URL='/en/'\">")
        .html("https://example.org/en/", &link("f", "Posts"))
        .rss("https://example.org/en/f", "Posts");
    assert_eq!(web.urls("example.org").await, ["https://example.org/en/f"]);
    let web = Web::new()
        .html(SITE, "<meta http-equiv=refresh content=600>")
        .html("https://example.net/", "<meta http-equiv=refresh content='0;url=https://example.net/'>");
    assert!(web.discover("example.org").await.is_err() && web.discover("example.net").await.is_err());
}

#[tokio::test]
async fn follows_the_only_frame_of_a_page() {
    let frames = |frames: &str| format!("<html><frameset rows='100%,*'>{frames}</frameset></html>");
    let web = Web::new()
        .html(SITE, &frames("<frame src=' http://example.net/blog/ '>"))
        .html("http://example.net/blog/", &link("f", "Posts"))
        .rss("http://example.net/blog/f", "Posts");
    assert_eq!(web.urls("example.org").await, ["http://example.net/blog/f"]);
    // The parts of a page are not followed.
    let web = Web::new()
        .html(SITE, &frames("<frame src=/menu><frame src=/main>"))
        .html("https://example.org/menu", &link("f", "Posts"))
        .rss("https://example.org/f", "Posts");
    assert!(web.discover("example.org").await.is_err());
}

#[tokio::test]
async fn reads_links_to_xml_files_where_no_other_looks_like_a_feed() {
    let page = "<a href=/sitemap.xml>Map</a><a href=/schema/data.xml>Data</a><a href=/podcast.xml>Listen</a>";
    let web = Web::new().html(SITE, page).rss("https://example.org/podcast.xml", "A show");
    assert_eq!(web.urls("example.org").await, ["https://example.org/podcast.xml"]);
    assert!(!web.requested().contains(&"https://example.org/sitemap.xml".to_owned()));
    let page = format!("{page}<a href=/rss>RSS</a>");
    let web = Web::new().html(SITE, &page).rss("https://example.org/rss", "Posts");
    assert_eq!(web.urls("example.org").await, ["https://example.org/rss"]);
    assert!(!web.requested().contains(&"https://example.org/podcast.xml".to_owned()));
}

#[tokio::test]
async fn looks_up_podcasts_in_apples_directory() {
    let json = r#"{"results":[{"collectionName":"A show","feedUrl":"https://example.org/show"}]}"#;
    let web = Web::new()
        .document("https://itunes.apple.com/lookup?id=42", "text/javascript", json)
        .rss("https://example.org/show", "A show");
    assert_eq!(web.urls("https://podcasts.apple.com/us/podcast/a-show/id42").await, ["https://example.org/show"]);
}

#[tokio::test]
async fn stops_requests_to_a_host_that_does_not_respond() {
    let page = link("/a", "A") + &link("/b", "B") + &link("https://other.example/c", "C");
    for kind in [FetchErrorKind::Timeout, FetchErrorKind::Http(429), FetchErrorKind::Connect] {
        let web = Web::new()
            .html(SITE, &page)
            .fails("https://example.org/a", kind)
            .rss("https://example.org/b", "B")
            .rss("https://other.example/c", "C");
        assert_eq!(web.urls("example.org").await.len(), 3, "links of the page are offered anyway");
        assert!(!web.requested().contains(&"https://example.org/b".to_owned()));
        assert!(web.requested().contains(&"https://other.example/c".to_owned()));
    }
}

#[tokio::test]
async fn offers_no_link_unfetched_where_all_before_it_are_dead() {
    let dead: String = (0..5).map(|number| link(&format!("/dead/{number}"), "Dead")).collect();
    let page = dead.clone() + &link("/sixth", "Sixth");
    let web = Web::new().html(SITE, &page).rss("https://example.org/sixth", "Found");
    let discovery = web.discover("example.org").await.unwrap();
    assert!(discovery.feeds.len() == 1 && discovery.feeds[0].parsed.is_some(), "{:?}", discovery.feeds.len());
    let web = Web::new().html(SITE, &page);
    assert!(web.discover("example.org").await.is_err());
    let more: String = (0..9).map(|number| link(&format!("/dead/more/{number}"), "Dead")).collect();
    let web = Web::new().html(SITE, &(dead + &more));
    assert!(web.discover("example.org").await.is_err());
}
