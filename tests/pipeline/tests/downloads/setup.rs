//! Feeds, pages and images on a scripted server, and which of them were downloaded.

use gleaner_library::{FeedScope, FullText, OfflineContent, Preferences};
use gleaner_pipeline::{Scratch, now};
use gleaner_polling::{DownloadProgress, offline};
use gleaner_testserver::{Reply, Server};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tokio_util::sync::CancellationToken;

pub const TEXT: OfflineContent = OfflineContent { text: true, images: false };

pub const IMAGES: OfflineContent = OfflineContent { text: false, images: true };

pub const BOTH: OfflineContent = OfflineContent { text: true, images: true };

/// Returns an image of a supported type with this number of bytes; the seed makes it unique.
pub fn png(seed: u8, bytes: usize) -> Vec<u8> {
    let mut image = b"\x89PNG\r\n\x1a\n".to_vec();
    image.resize(bytes.max(9), seed);
    image
}

pub fn item(link: &str, title: &str, html: &str) -> String {
    let html = html.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<item><guid isPermaLink=\"false\">{title}</guid><title>{title}</title><link>{link}</link><description>{html}</description></item>"
    )
}

pub fn rss(items: &[String]) -> Reply {
    Reply::ok(format!("<rss version=\"2.0\"><channel><title>T</title>{}</channel></rss>", items.concat()))
}

pub fn page(words: &str) -> Reply {
    let paragraph =
        format!("<p>{words} The harbour was quiet, the boats were in, and no one was about to repair a net.</p>");
    let body =
        format!("<html><head><title>T</title></head><body><article>{}</article></body></html>", paragraph.repeat(6));
    Reply::ok(body).header("Content-Type", "text/html; charset=utf-8")
}

pub async fn round(scratch: &Scratch) -> DownloadProgress {
    scratch.poller.download(CancellationToken::new(), |_| {}).await.unwrap()
}

pub async fn prefer(scratch: &Scratch, feed: i64, content: OfflineContent) -> usize {
    let preferences = Preferences { offline: Some(content.bits()), ..Preferences::default() };
    offline::prefer(&scratch.library, FeedScope::Feed(feed), preferences, now()).await.unwrap()
}

pub async fn article(scratch: &Scratch, title: &str) -> i64 {
    let rows = scratch.list(gleaner_library::Source::All).await;
    rows.into_iter().find(|row| row.title == title).unwrap_or_else(|| panic!("{title} is there")).id
}

pub async fn full_text_error(scratch: &Scratch, id: i64) -> Option<String> {
    let stored = scratch.library.snapshot().await.unwrap().article(id).await.unwrap();
    stored.full_text_error.map(|(code, _)| code)
}

pub async fn text(scratch: &Scratch, title: &str) -> Option<FullText> {
    scratch.library.articles().full_text(article(scratch, title).await).await.unwrap()
}

/// Returns all image files with their sizes.
pub fn files(folder: &Path) -> Vec<(PathBuf, usize)> {
    let listed = |folder: &Path| {
        fs::read_dir(folder)
            .map_or(Vec::new(), |entries| entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>())
    };
    let parts = listed(&folder.join("images"));
    let files = parts.iter().flat_map(|part| listed(part));
    files
        .map(|path| {
            let length = fs::read(&path).unwrap().len();
            (path, length)
        })
        .collect()
}

pub async fn whole(scratch: &Scratch) {
    let verified = scratch.library.check(false).await.unwrap();
    assert_eq!(verified.findings, [], "the library is intact");
}

/// Returns a subscription to a feed with these items, polled once.
pub async fn subscribed(server: &Server, items: &[String]) -> (Scratch, i64) {
    let scratch = Scratch::new().await;
    server.on("/feed", rss(items));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.refresh().await.items_new, items.len());
    (scratch, feed)
}
