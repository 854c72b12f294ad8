//! `glean download`.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, run};
use gleaner_testserver::{Reply, Server};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

/// A library with a podcast of three episodes, the third one newest, and an article without one.
async fn podcast(server: &Server, library: &Path) {
    let item = |n: usize| {
        let url = server.url(&format!("/{n}.mp3"));
        format!(
            "<item><guid>{n}</guid><title>Episode {n}</title><pubDate>0{n} Jan 2026 10:00:00 GMT</pubDate>
             <enclosure url='{url}' type='audio/mpeg' length='9'/></item>"
        )
    };
    let items: String = (1..=3).rev().map(item).collect();
    let text = "<item><guid>4</guid><title>Only text</title><pubDate>04 Jan 2026 10:00:00 GMT</pubDate></item>";
    let feed = format!("<rss version='2.0'><channel><title>Harbour</title>{text}{items}</channel></rss>");
    server.on("/feed", Reply::ok(feed));
    assert_eq!(run(library, &["add", &server.url("/feed")]).0, Some(0));
    assert_eq!(run(library, &["refresh", "--all"]).0, Some(0));
}

fn report(library: &Path, words: &[&str]) -> (Option<i32>, serde_json::Value) {
    let output = glean(library, &[&["download", "--json"], words].concat());
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

fn titles(report: &serde_json::Value) -> Vec<&str> {
    let mut titles: Vec<&str> =
        report["episodes"].as_array().unwrap().iter().map(|episode| episode["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    titles
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_what_was_chosen_and_copies_it() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let (library, copies) = (folder.path().join("library"), folder.path().join("a").join("copies"));
    podcast(&server, &library).await;
    for n in 1..=3 {
        server.on(&format!("/{n}.mp3"), Reply::ok(format!("sound {n}")));
    }
    let (code, output) = run(&library, &["download"]);
    assert!(code == Some(0) && output.contains("No episodes are queued"), "nothing was queued: {output}");

    let (code, report_) = report(&library, &["--feed", "harbour", "--limit", "1"]);
    assert_eq!((code, titles(&report_)), (Some(0), vec!["Episode 3"]), "the newest with audio");
    assert_eq!(server.requests_to("/2.mp3").len(), 0, "and no other");

    let to = copies.to_str().unwrap();
    let (code, report_) = report(&library, &["--to", to, "title:\"Episode 1\" OR title:\"Episode 3\" OR title:text"]);
    assert_eq!((code, titles(&report_)), (Some(0), vec!["Episode 1", "Episode 3"]));
    assert_eq!(report_["downloaded"], 1, "the third is there already");
    let mut names: Vec<String> =
        fs::read_dir(&copies).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Harbour - Episode 1 (1).mp3", "Harbour - Episode 3 (3).mp3"]);
    assert_eq!(fs::read(copies.join(&names[0])).unwrap(), b"sound 1");

    fs::write(copies.join(&names[0]), "another file").unwrap();
    let (code, output) = run(&library, &["download", "--article", "1", "--article", "3", "--to", to]);
    assert!(code == Some(1) && output.contains("has another file of this name"), "{output}");
    assert_eq!(fs::read(copies.join(&names[0])).unwrap(), b"another file");
    assert_eq!(server.requests_to("/3.mp3").len(), 1, "a downloaded episode is not requested again");
}

#[tokio::test(flavor = "multi_thread")]
async fn says_what_failed() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    podcast(&server, folder.path()).await;
    server.on("/1.mp3", Reply::status(404));
    server.on("/2.mp3", Reply::ok("sound 2"));
    let (code, output) = run(folder.path(), &["download", "--article", "1", "--article", "2"]);
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("1 episode downloaded") && output.contains("glean: Episode 1: "), "{output}");
    for (words, status, problem) in [
        (["--article", "4"], 1, "Only text has no audio or video"),
        (["--article", "99"], 1, "there is no article 99"),
        (["--feed", "Nowhere"], 1, "no feed matches"),
        (["--limit", "0"], 2, "--limit"),
        (["--", "is:nonsense"], 2, "needs one of"),
    ] {
        let (code, output) = run(folder.path(), &[&["download"], &words[..]].concat());
        assert!(code == Some(status) && output.contains(problem), "{words:?}: {code:?} {output}");
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_keeps_the_received_part_for_the_next_run() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    podcast(&server, folder.path()).await;
    let sound = vec![7_u8; 6_000_000];
    server.on("/1.mp3", Reply::ok(sound.clone()).header("ETag", "\"one\"").hang_in_body(2_000_000));
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    command.arg("--library").arg(folder.path()).args(["download", "--article", "1", "--json"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let received = || {
        let files = fs::read_dir(folder.path().join("episodes")).into_iter().flatten();
        files.map(|file| file.unwrap().metadata().unwrap().len()).sum::<u64>()
    };
    while received() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "the program ended early");
        tokio::time::sleep(Duration::from_millis(20)).await; // pause: between two looks at the received part
    }
    common::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report_: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report_["cancelled"], &report_["episodes"][0]["state"]), (&true.into(), &"queued".into()));
    assert!(received() > 0);

    let rest = sound.clone();
    server.on_request("/1.mp3", move |request| common::range(request, &rest));
    let (code, report_) = report(folder.path(), &["--article", "1"]);
    assert_eq!((code, &report_["episodes"][0]["bytes"]), (Some(0), &sound.len().into()), "{report_}");
    let last = server.requests_to("/1.mp3").pop().unwrap();
    assert!(last.header("Range").is_some_and(|range| range != b"bytes=0-"), "the part was continued");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_web_page_is_no_episode_and_an_episode_no_page() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    podcast(&server, folder.path()).await;
    let page = "<!doctype html><html><body><p>Log in to listen to this episode.</p></body></html>";
    server.on("/1.mp3", Reply::ok(page).header("Content-Type", "text/html; charset=utf-8"));
    server.on("/2.mp3", Reply::ok(page));
    server.on("/3.mp3", Reply::ok("ID3 sound").header("Content-Type", "audio/mpeg"));
    let (code, report_) = report(folder.path(), &["--feed", "Harbour"]);
    assert_eq!((code, &report_["downloaded"], &report_["failed"]), (Some(1), &1.into(), &2.into()), "{report_}");
    let (_, output) = run(folder.path(), &["download", "--article", "1"]);
    assert!(output.contains("returns a web page in place of the audio"), "{output}");
    let sizes =
        fs::read_dir(folder.path().join("episodes")).unwrap().map(|file| file.unwrap().metadata().unwrap().len());
    assert_eq!(sizes.sum::<u64>(), 9, "nothing of the pages is stored");
    let (code, output) = run(folder.path(), &["extract", &server.url("/3.mp3")]);
    assert!(code == Some(1) && output.contains("returns audio/mpeg, not a web page"), "{output}");
}
