//! The walk from an address to its feeds: what is asked for, in which order, and what is offered.
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
async fn an_address_that_is_a_feed_is_offered_itself_after_one_request() {
    let web = Web::new().rss("https://example.org/x", "A feed");
    let discovery = web.discover("example.org/x").await.unwrap();
    assert_eq!(web.asked(), ["https://example.org/x"]);
    let found = &discovery.feeds[0];
    assert_eq!((found.from, found.title.as_deref()), (From::SelfFeed, Some("A feed")));
    assert_eq!(found.parsed.as_ref().unwrap().items.len(), 1);
}

#[tokio::test]
async fn permanent_redirects_are_taken_over_and_passing_ones_are_not() {
    let web = Web::new()
        .redirect("https://example.org/old", 301, "https://example.org/new")
        .redirect("https://example.org/new", 302, "https://cdn.example.org/today")
        .rss("https://cdn.example.org/today", "A feed");
    assert_eq!(web.urls("https://example.org/old").await, ["https://example.org/new"]);
    assert_eq!(web.urls("https://example.org/new").await, ["https://example.org/new"]);
}

#[tokio::test]
async fn p46_nothing_is_guessed_where_the_page_names_its_feeds() {
    let web = Web::new().html(SITE, &link("/a", "A")).rss("https://example.org/a", "A");
    assert_eq!(web.urls("example.org").await, ["https://example.org/a"]);
    assert_eq!(web.asked(), [SITE, "https://example.org/a"]);
}

#[tokio::test]
async fn p46_guesses_are_made_in_order_once_each_and_end_at_the_first_feed() {
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
    assert_eq!(web.asked(), expected);
}

#[tokio::test]
async fn p46_a_server_that_asks_for_rest_is_not_asked_further() {
    let web = Web::new()
        .html(SITE, PLAIN)
        .fails("https://example.org/feed", FetchErrorKind::Http(429))
        .fails("https://example.org/.well-known/feeds", FetchErrorKind::Http(429));
    assert!(matches!(web.discover("example.org").await, Err(DiscoveryError::NoFeed(_))));
    assert_eq!(web.asked().len(), 3);
}

#[tokio::test]
async fn nothing_found_is_said_in_words_and_everything_was_asked_once() {
    let web = Web::new().html(SITE, PLAIN);
    let error = web.discover("example.org").await.unwrap_err();
    assert_eq!(error.to_string(), "No feed was found behind https://example.org/");
    let mut asked = web.asked();
    assert_eq!(asked.len(), 10, "the page, seven paths and two lists");
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), 10);
}

#[tokio::test]
async fn a_link_to_what_is_gone_is_not_offered_and_one_that_fails_for_now_is() {
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
async fn dead_links_lead_on_to_the_guesses() {
    let web = Web::new().html(SITE, &link("/gone", "Gone")).rss("https://example.org/feed", "Found");
    assert_eq!(web.urls("example.org").await, ["https://example.org/feed"]);
}

#[tokio::test]
async fn a_title_that_says_only_the_format_gives_way_to_the_feeds_own() {
    let page = link("/a", "RSS 2.0") + &link("/b", "Notes");
    let web = Web::new().html(SITE, &page).rss("https://example.org/a", "Letters").rss("https://example.org/b", "X");
    let discovery = web.discover("example.org").await.unwrap();
    let titles: Vec<_> = discovery.feeds.iter().map(|found| found.title.as_deref().unwrap()).collect();
    assert_eq!(titles, ["Letters", "Notes"]);
}

#[tokio::test]
async fn feeds_of_comments_come_last_by_their_own_title_too() {
    let page = link("/c", "RSS") + &link("/a", "Posts");
    let web = Web::new()
        .html(SITE, &page)
        .rss("https://example.org/c", "Comments on: A post")
        .rss("https://example.org/a", "Posts");
    assert_eq!(web.urls("example.org").await, ["https://example.org/a", "https://example.org/c"]);
}

#[tokio::test]
async fn many_links_are_offered_and_five_are_read() {
    let page: String = (0..9).map(|number| link(&format!("/{number}"), &format!("Feed {number}"))).collect();
    let web = (0..9).fold(Web::new().html(SITE, &page), |web, number| web.rss(&format!("{SITE}{number}"), "X"));
    let discovery = web.discover("example.org").await.unwrap();
    assert_eq!(discovery.feeds.len(), 9);
    assert_eq!(discovery.feeds.iter().filter(|found| found.parsed.is_some()).count(), 5);
    assert_eq!(web.asked().len(), 6);
}

#[tokio::test]
async fn https_that_we_guessed_gives_way_to_http_where_no_connection_is_made() {
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
async fn a_page_that_is_gone_says_nothing_about_the_site() {
    let web = Web::new().rss("https://example.org/feed", "Found");
    assert_eq!(web.urls("https://example.org/2009/gone.html").await, ["https://example.org/feed"]);
    let error = Web::new().discover("https://example.org/gone").await.unwrap_err();
    assert!(matches!(error, DiscoveryError::Fetch(error) if error.kind == FetchErrorKind::Http(404)));
}

#[tokio::test]
async fn a_known_site_is_asked_for_its_feed_at_once() {
    let feed = "https://someone.substack.com/feed";
    let web = Web::new().rss(feed, "Letters");
    let discovery = web.discover("someone.substack.com/p/a-letter").await.unwrap();
    assert_eq!((discovery.feeds[0].from, discovery.feeds[0].url.as_str()), (From::SiteRule, feed));
    assert_eq!(web.asked(), [feed]);
}

#[tokio::test]
async fn a_rule_that_no_longer_holds_does_not_stand_in_the_way() {
    let page = "https://social.example/@someone";
    let web = Web::new().html(page, &link("/elsewhere", "Posts")).rss("https://social.example/elsewhere", "Posts");
    assert_eq!(web.urls(page).await, ["https://social.example/elsewhere"]);
}

#[tokio::test]
async fn anchors_are_offered_only_when_they_are_feeds_the_sites_own_first() {
    let page = "<a href=//other.example/feed.xml>RSS</a> <a href=/a/rss>RSS</a> <a href=/dead.rss>RSS</a> <a href=/about>x</a>";
    let web = Web::new()
        .html(SITE, page)
        .rss("https://other.example/feed.xml", "Other")
        .rss("https://example.org/a/rss", "Own");
    assert_eq!(web.urls("example.org").await, ["https://example.org/a/rss", "https://other.example/feed.xml"]);
    assert!(!web.asked().contains(&"https://example.org/about".to_owned()));
}

#[tokio::test]
async fn the_sites_own_list_is_read() {
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
async fn p44_one_host_is_asked_over_one_connection() {
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
async fn a_public_page_cannot_make_us_read_the_private_network() {
    let server = Server::start().await;
    let page = link(&server.url("/secret"), "Secret") + &link(&server.url_at("localhost", "/secret"), "Secret");
    server.on("/", Reply::ok(page).header("Content-Type", "text/html"));
    let names = [("public.example".to_owned(), vec![(server.address().ip(), 0).into()])].into();
    let fetcher = Fetcher::with(Settings { names, ..Settings::default() }).unwrap();
    assert!(discover(&fetcher, &server.url_at("public.example", "/")).await.is_err());
    assert!(server.requests_to("/secret").is_empty());
    assert!(!server.requests_to("/feed").is_empty(), "its own host is asked");
}

#[tokio::test]
async fn a_page_that_only_sends_on_is_followed_once() {
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
async fn apples_directory_is_asked_for_a_podcasts_feed() {
    let json = r#"{"results":[{"collectionName":"A show","feedUrl":"https://example.org/show"}]}"#;
    let web = Web::new()
        .document("https://itunes.apple.com/lookup?id=42", "text/javascript", json)
        .rss("https://example.org/show", "A show");
    assert_eq!(web.urls("https://podcasts.apple.com/us/podcast/a-show/id42").await, ["https://example.org/show"]);
}

#[tokio::test]
async fn a_host_that_does_not_answer_is_not_asked_for_its_other_feeds() {
    let page = link("/a", "A") + &link("/b", "B") + &link("https://other.example/c", "C");
    for kind in [FetchErrorKind::Timeout, FetchErrorKind::Http(429), FetchErrorKind::Connect] {
        let web = Web::new()
            .html(SITE, &page)
            .fails("https://example.org/a", kind)
            .rss("https://example.org/b", "B")
            .rss("https://other.example/c", "C");
        assert_eq!(web.urls("example.org").await.len(), 3, "what the page names is offered all the same");
        assert!(!web.asked().contains(&"https://example.org/b".to_owned()));
        assert!(web.asked().contains(&"https://other.example/c".to_owned()));
    }
}
