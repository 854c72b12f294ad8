//! `glean offline`.
#![allow(clippy::unwrap_used)]

mod common;

use common::{interrupt, run};
use gleaner_testserver::{Reply, Server};
use std::{
    process::{Command, Stdio},
    time::Duration,
};

#[tokio::test(flavor = "multi_thread")]
async fn sets_and_runs_downloads() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let glean = |words: &[&str]| run(folder.path(), words);
    let page = format!(
        "<html><body><article>{}</article></body></html>",
        "<p>The whole of it, on its own page.</p>".repeat(20)
    );
    server.on("/a", Reply::ok(page).header("Content-Type", "text/html"));
    server.on("/p.png", Reply::ok(&b"\x89PNG\r\n\x1a\n.."[..]));
    let item = |name: &str| {
        let link = server.url(&format!("/{name}"));
        format!(
            "<item><title>{name}</title><link>{link}</link><description>&lt;img src='/p.png'&gt;</description></item>"
        )
    };
    let feed = format!("<rss version='2.0'><channel><title>Harbour</title>{}{}</channel></rss>", item("a"), item("b"));
    server.on("/feed", Reply::ok(feed));
    assert_eq!(glean(&["add", &server.url("/feed")]).0, Some(0));
    assert_eq!(glean(&["refresh", "--all"]).0, Some(0));

    let (code, output) = glean(&["offline"]);
    assert!(code == Some(0) && output.contains("0 full texts and 0 images downloaded"), "{output}");
    let (code, output) = glean(&["offline", "--text"]);
    assert!(code == Some(2) && output.contains("--feed <FEED>|--starred|--all"), "{output}");
    assert_eq!(glean(&["offline", "--text", "--room", "500"]).0, Some(2), "no articles are chosen");
    assert_eq!(glean(&["offline", "--feed", "Harbour", "--all"]).0, Some(2));
    let (code, output) = glean(&["offline", "--feed", "Nowhere", "--text"]);
    assert!(code == Some(1), "{output}");
    let (code, output) = glean(&["offline", "--starred", "--text", "--room", "1"]);
    assert!(code == Some(0) && output.contains("Starred articles: full texts"), "{output}");
    let (code, output) = glean(&["offline", "--feed", "harbour", "--text", "--images"]);
    assert!(code == Some(0) && output.contains("full texts and images are downloaded"), "{output}");
    assert!(output.contains("4 downloads added (of images, where an article has any)"), "{output}");

    let (code, output) = glean(&["offline", "--json"]);
    assert_eq!(code, Some(1), "one page is missing: {output}");
    let report: serde_json::Value = serde_json::from_str(output.lines().next().unwrap()).unwrap();
    for (name, value) in [
        ("texts", 1),
        ("failed", 1),
        ("waiting", 0),
        ("given_up", 1),
        ("texts_kept", 1),
        ("pictures_kept", 1),
        ("picture_bytes", 10),
    ] {
        assert_eq!(report[name], value, "{name}: {report}");
    }
    assert_eq!((&report["offline"], &report["cancelled"]), (&false.into(), &false.into()));
    assert_eq!(server.requests_to("/p.png").len(), 1);
    let (code, output) = glean(&["offline", "--feed", "Harbour", "--as-all"]);
    assert!(code == Some(0) && output.contains("same as all feeds"), "{output}");
    assert_eq!(glean(&["check"]).0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_that_is_missing_is_a_failure() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let glean = |words: &[&str]| run(folder.path(), words);
    server.on("/p.png", Reply::ok(&b"\x89PNG\r\n\x1a\n.."[..]));
    let html = "&lt;img src='/p.png'&gt;&lt;img src='/gone.png'&gt;";
    let item =
        format!("<item><title>a</title><link>{}</link><description>{html}</description></item>", server.url("/a"));
    server.on("/feed", Reply::ok(format!("<rss version='2.0'><channel><title>Harbour</title>{item}</channel></rss>")));
    for words in [&["add", &server.url("/feed")][..], &["offline", "--feed", "Harbour", "--images"]] {
        assert_eq!(glean(words).0, Some(0));
    }
    let (code, output) = glean(&["offline"]);
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("1 image downloaded") && output.contains("glean: 1 download failed"), "{output}");
    let (code, output) = glean(&["offline", "--json"]);
    assert!(code == Some(0) && output.contains("\"failed\":0"), "it is not requested again: {output}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_is_no_success() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let item = format!("<item><title>a</title><link>{}</link></item>", server.url("/a"));
    server.on("/feed", Reply::ok(format!("<rss version='2.0'><channel><title>Harbour</title>{item}</channel></rss>")));
    let (requested, mut request) = tokio::sync::mpsc::unbounded_channel();
    server.on_request("/a", move |_| {
        requested.send(()).unwrap();
        Reply::ok("").hang_before_head()
    });
    for words in [&["add", &server.url("/feed")][..], &["offline", "--feed", "Harbour", "--text"]] {
        assert_eq!(run(folder.path(), words).0, Some(0));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    command.arg("--library").arg(folder.path()).args(["offline", "--json"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    tokio::time::timeout(Duration::from_secs(60), request.recv()).await.unwrap().unwrap();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && errors.contains("glean: cancelled"), "{}: {errors}", output.status);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["cancelled"], true);
}
