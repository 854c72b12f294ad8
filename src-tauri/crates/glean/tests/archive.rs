//! `glean export` and `glean import` with archives and documents, as a person uses them.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, text};
use gleaner_testserver::{Reply, Server};
use std::fs;

/// A library with three articles of one feed.
async fn library() -> (tempfile::TempDir, Server) {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let items: String = (0..3)
        .map(|n| format!("<item><guid isPermaLink=\"false\">{n}</guid><title>Boat {n}</title><description>&lt;p&gt;Text &lt;b&gt;{n}&lt;/b&gt;&lt;/p&gt;</description></item>"))
        .collect();
    server
        .on("/feed", Reply::ok(format!("<rss version=\"2.0\"><channel><title>Harbour</title>{items}</channel></rss>")));
    let list = folder.path().join("list.opml");
    fs::write(
        &list,
        format!(
            "<opml version='2.0'><body><outline type='rss' text='Harbour' xmlUrl='{}'/></body></opml>",
            server.url("/feed")
        ),
    )
    .unwrap();
    for words in [["import", list.to_str().unwrap()], ["refresh", "--all"]] {
        let output = glean(folder.path(), &words);
        assert!(output.status.success(), "{}", text(&output));
    }
    (folder, server)
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_goes_out_and_comes_in() {
    let (one, _server) = library().await;
    let two = tempfile::tempdir().unwrap();
    let file = one.path().join("all.zip");
    let archive = file.to_str().unwrap();
    let out = glean(one.path(), &["export", "--everything", archive]);
    assert!(
        out.status.success() && text(&out).contains("1 feeds, 3 articles") && text(&out).contains("Passwords"),
        "{}",
        text(&out)
    );
    let look = glean(two.path(), &["import", "--dry-run", archive]);
    assert!(look.status.success() && text(&look).contains("1 feeds and 3 articles would come"), "{}", text(&look));
    let came = glean(two.path(), &["import", archive]);
    assert!(came.status.success() && text(&came).contains("1 feeds and 3 articles came"), "{}", text(&came));
    let again = glean(two.path(), &["import", "--json", archive]);
    let again: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(
        (&again["added"], &again["archive"]["articles_added"], &again["archive"]["articles_there"]),
        (&0.into(), &0.into(), &3.into())
    );
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 40]).unwrap();
    let half = glean(two.path(), &["import", archive]);
    assert!(half.status.code() == Some(1) && text(&half).contains("no whole archive"), "{}", text(&half));
    let nowhere = glean(one.path(), &["export", "--everything", "/nowhere/at/all.zip"]);
    assert!(nowhere.status.code() == Some(1) && text(&nowhere).contains("could not be written"), "{}", text(&nowhere));
    assert_eq!(glean(one.path(), &["export", "--everything"]).status.code(), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_search_finds_goes_out_as_documents() {
    let (one, _server) = library().await;
    let out = glean(one.path(), &["export", "--format", "markdown", "boat", "2"]);
    let said = text(&out);
    assert!(
        out.status.success()
            && said.starts_with("# Boat 2\n\nHarbour")
            && said.contains("Text **2**")
            && !said.contains("Boat 1"),
        "{said}"
    );
    let page = one.path().join("boats.html");
    let out = glean(one.path(), &["export", "--format", "html", "--output", page.to_str().unwrap(), "boat"]);
    assert!(out.status.success() && text(&out).contains("3 articles"), "{}", text(&out));
    assert_eq!(fs::read_to_string(&page).unwrap().matches("<article").count(), 3);
    let book = one.path().join("boats.epub");
    assert!(
        glean(one.path(), &["export", "--format", "epub", "--output", book.to_str().unwrap(), "--", "boat", "-2"])
            .status
            .success()
    );
    for (words, status) in [
        (&["export", "--format", "epub", "boat"][..], 2),
        (&["export", "--format", "html", "autor:x"], 2),
        (&["export", "--format", "html", "nothinglikethis"], 1),
        (&["export", "--output", "x", "boat"], 2),
    ] {
        assert_eq!(glean(one.path(), words).status.code(), Some(status), "{words:?}");
    }
}
