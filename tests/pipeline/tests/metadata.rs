//! Article metadata: from a feed into the library, and from the addresses that it names when the user asks for them.
#![allow(clippy::unwrap_used)]

use gleaner_library::{ArticleMetadata, LibraryError, SearchOrder, SearchPage, Source};
use gleaner_pipeline::Scratch;
use gleaner_polling::FullTextError;
use gleaner_testserver::{Reply, Server};
use tokio_util::sync::CancellationToken;

fn feed(server: &Server, channel: &str, item: &str) -> Reply {
    Reply::ok(format!(
        r#"<rss version="2.0" xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
            xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>T</title>{channel}
        <item><guid isPermaLink="false">1</guid><title>One</title><link>{}</link><description>Text</description>{item}</item></channel></rss>"#,
        server.url("/1/")
    ))
}

async fn only(scratch: &Scratch) -> i64 {
    scratch.list(Source::All).await[0].id
}

async fn metadata(scratch: &Scratch) -> ArticleMetadata {
    scratch.library.articles().text(only(scratch).await).await.unwrap().metadata
}

#[tokio::test]
async fn metadata_is_stored_with_new_articles_only() {
    let (scratch, server) = (Scratch::new().await, Server::start().await);
    let comments =
        format!("<wfw:commentRss>{}</wfw:commentRss><slash:comments>3</slash:comments>", server.url("/1/feed/"));
    server.on_each(
        "/feed",
        [feed(&server, "", ""), feed(&server, "<image><url>http://a.example/i.png</url></image>", &comments)],
    );
    let id = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    assert!(metadata(&scratch).await.is_empty());
    let changed = scratch.refresh().await.items_changed;
    assert_eq!(changed, 0, "metadata alone makes no new version of an article");
    let head = scratch.library.feeds().head(id).await.unwrap();
    assert_eq!(head.image.unwrap().url, "http://a.example/i.png");

    // A new article gets its metadata.
    let (scratch, server) = (Scratch::new().await, Server::start().await);
    let comments =
        format!("<wfw:commentRss>{}</wfw:commentRss><slash:comments>3</slash:comments>", server.url("/1/feed/"));
    server.on("/feed", feed(&server, "", &comments));
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let stored = metadata(&scratch).await;
    assert_eq!((stored.comments_feed, stored.comments), (Some(server.url("/1/feed/")), Some(3)));
    assert!(server.requests_to("/1/feed/").is_empty(), "comments are downloaded on request only");
}

#[tokio::test]
async fn downloads_comments_and_chapters_on_demand() {
    let (scratch, server) = (Scratch::new().await, Server::start().await);
    let item = format!(
        r#"<wfw:commentRss>{}</wfw:commentRss><podcast:chapters url="{}" type="application/json+chapters"/>"#,
        server.url("/1/feed/"),
        server.url("/chapters.json")
    );
    server.on("/feed", feed(&server, "", &item));
    server.on(
        "/1/feed/",
        Reply::ok(
            r#"<rss version="2.0"><channel><title>Comments</title>
            <item><guid isPermaLink="false">a</guid><title>By: Ada</title><description>&lt;b onclick="x()"&gt;Well&lt;/b&gt;&lt;script&gt;1&lt;/script&gt;</description></item>
            <item><guid isPermaLink="false">b</guid><author>bo@b.example (Bo)</author><description>No</description></item></channel></rss>"#,
        ),
    );
    server.on("/chapters.json", Reply::ok(r#"{"version":"1.2.0","chapters":[{"startTime":7,"title":"Seven"}]}"#));
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let (item, go) = (only(&scratch).await, CancellationToken::new());

    let found = scratch.poller.comments(item, &go).await.unwrap();
    let reported: Vec<_> = found.list.iter().map(|c| (c.author.as_deref().unwrap(), c.html.as_str())).collect();
    assert_eq!(reported, [("Ada", "<b>Well</b>"), ("Bo", "No")], "in the order of their feed, sanitised");
    assert!(!found.more);
    let chapters = scratch.poller.chapters(item, &go).await.unwrap();
    assert_eq!((chapters[0].start, chapters[0].title.as_deref()), (7.0, Some("Seven")));

    // Reports a response of another type.
    server.on("/1/feed/", Reply::ok("<html><body>Log in</body></html>"));
    assert!(matches!(scratch.poller.comments(item, &go).await, Err(FullTextError::NoText(_))));
    server.on("/1/feed/", Reply::status(503).header("Retry-After", "3600"));
    assert!(matches!(scratch.poller.comments(item, &go).await, Err(FullTextError::Wait(_))));
    let before = server.requests_to("/1/feed/").len();
    assert!(matches!(scratch.poller.comments(item, &go).await, Err(FullTextError::Wait(_))), "P31");
    assert_eq!(server.requests_to("/1/feed/").len(), before, "a server that asked for a pause gets no request");
}

#[tokio::test]
async fn a_transcript_is_downloaded_once_and_its_words_are_found() {
    let (scratch, server) = (Scratch::new().await, Server::start().await);
    let item = format!(
        r#"<podcast:transcript url="{}" type="text/html" language="de"/><podcast:transcript url="{}" type="text/vtt" language="en"/>"#,
        server.url("/t.html"),
        server.url("/t.vtt")
    );
    server.on("/feed", feed(&server, "<language>en</language>", &item));
    server.on("/t.vtt", Reply::ok("<html><body></body></html>"));
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let (item, go) = (only(&scratch).await, CancellationToken::new());
    let found = async |words: &str| {
        gleaner_search::catch_up(&scratch.library, |_| true).await.unwrap();
        let query = gleaner_query::parse(words).unwrap();
        let now = chrono::Utc::now();
        let found = gleaner_search::search(&scratch.library, &query, &now, SearchPage::first(SearchOrder::Date, 9));
        found.await.unwrap().0.into_iter().map(|found| found.snippet.text).collect::<Vec<_>>()
    };

    // A page instead of a transcript is reported, and not stored.
    assert!(matches!(scratch.poller.transcript(item, &go).await, Err(FullTextError::NoText(_))));
    assert_eq!(scratch.library.articles().transcript(item).await.unwrap(), None);
    assert!(found("thresher").await.is_empty());

    let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>The thresher\n\n00:02.000 --> 00:03.000\n<v Ada>is here.\n";
    server.on("/t.vtt", Reply::ok(vtt).header("Content-Type", "text/vtt"));
    let transcript = scratch.poller.transcript(item, &go).await.unwrap();
    assert_eq!((transcript.url.as_str(), transcript.language.as_deref()), (&*server.url("/t.vtt"), Some("en")));
    let passage = &transcript.passages[0];
    let read = (passage.start, passage.speaker.as_deref(), passage.text.as_str());
    assert_eq!(read, (Some(1.0), Some("Ada"), "The thresher is here."));
    assert_eq!(found("thresher").await, ["Text The thresher is here."]);

    // It is stored: the server gets no further request, and may be gone.
    server.on("/t.vtt", Reply::status(404));
    let requests = server.requests_to("/t.vtt").len();
    assert_eq!(scratch.poller.transcript(item, &go).await.unwrap(), transcript);
    assert_eq!(server.requests_to("/t.vtt").len(), requests);
    assert!(server.requests_to("/t.html").is_empty());
}

#[tokio::test]
async fn an_article_without_a_transcript_is_an_error_without_a_request() {
    let (scratch, server) = (Scratch::new().await, Server::start().await);
    server.on("/feed", feed(&server, "", ""));
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let item = only(&scratch).await;
    let failed = scratch.poller.transcript(item, &CancellationToken::new()).await;
    assert!(matches!(failed, Err(FullTextError::Library(LibraryError::NotFound("transcript")))), "{failed:?}");
}
