//! Full texts on demand.

use crate::setup::{TEXT, article, item, page, prefer, round, subscribed, text};
use gleaner_polling::{FullTextError, NoText};
use gleaner_testserver::{Reply, Server};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn downloads_a_full_text_on_demand_and_reports_its_failure() {
    let server = Server::start().await;
    server.on_each("/a", [page("First."), page("Second."), Reply::status(404)]);
    server.on("/none", Reply::ok("<html><body></body></html>").header("Content-Type", "text/html"));
    let (scratch, _) =
        subscribed(&server, &[item(&server.url("/a"), "A", "x"), item(&server.url("/none"), "N", "x")]).await;
    let (a, none, cancel) = (article(&scratch, "A").await, article(&scratch, "N").await, CancellationToken::new());
    for words in ["First.", "Second."] {
        scratch.poller.full_text(a, &cancel).await.unwrap();
        assert!(text(&scratch, "A").await.unwrap().body.html.contains(words), "it is downloaded again");
    }
    let refused = scratch.poller.full_text(a, &cancel).await.unwrap_err();
    assert!(matches!(&refused, FullTextError::Fetch(error) if error.to_string().contains("404")), "{refused}");
    assert!(text(&scratch, "A").await.unwrap().body.html.contains("Second."), "the stored text stays");
    let refused = scratch.poller.full_text(none, &cancel).await.unwrap_err();
    assert!(matches!(refused, FullTextError::NoText(NoText::NoArticle)), "{refused}");
    cancel.cancel();
    assert!(matches!(scratch.poller.full_text(a, &cancel).await, Err(FullTextError::Cancelled)));
}

#[tokio::test]
async fn joins_a_text_of_several_pages() {
    let server = Server::start().await;
    let part = |words: &str, next: &str| {
        let paragraph =
            format!("<p>{words} The harbour was quiet, the boats were in, and no one was about to repair a net.</p>");
        Reply::ok(format!(
            "<html><head><title>T</title>{next}</head><body><article>{}</article></body></html>",
            paragraph.repeat(6)
        ))
        .header("Content-Type", "text/html")
    };
    server.on("/a", part("Part one.", "<link rel=next href='/a/2'>"));
    server.on("/a/2", part("Part two.", "<link rel=next href='http://127.0.0.1:1/elsewhere'>"));
    let (scratch, feed) = subscribed(&server, &[item(&server.url("/a"), "A", "x")]).await;
    prefer(&scratch, feed, TEXT).await;
    assert_eq!(round(&scratch).await.texts, 1);
    let html = text(&scratch, "A").await.unwrap().body.html;
    assert!(html.contains("Part one.") && html.contains("Part two."), "{html}");
}
