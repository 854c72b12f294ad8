//! `glean export` and `glean import` with archives and documents, as a person uses them.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, text};
use gleaner_testserver::{Reply, Server};
use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    process::{Command, Stdio},
};

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

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_through_a_pipe_or_in_a_zip_is_taken_for_what_it_is() {
    let (one, _server) = library().await;
    let two = tempfile::tempdir().unwrap();
    let file = one.path().join("all.zip");
    let list = fs::read(one.path().join("list.opml")).unwrap();
    assert!(glean(one.path(), &["export", "--everything", file.to_str().unwrap()]).status.success());
    let piped = |library: &Path, words: &[&str], bytes: &[u8]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        command.arg("--library").arg(library).args(words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        child.wait_with_output().unwrap()
    };
    let look = piped(two.path(), &["import", "--dry-run", "-"], &list);
    assert!(look.status.success() && text(&look).contains("1 feeds"), "{}", text(&look));
    let came = piped(two.path(), &["import", "-"], &list);
    assert!(came.status.success() && text(&came).contains("-: 1 feeds added"), "{}", text(&came));
    let came = piped(two.path(), &["import", "-"], &fs::read(&file).unwrap());
    assert!(came.status.success() && text(&came).contains("3 articles came"), "{}", text(&came));

    // Another reader's export is a zip, too.
    let bundle = one.path().join("other.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&bundle).unwrap());
    zip.start_file("feeds.opml.xml", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&list).unwrap();
    zip.finish().unwrap();
    let three = tempfile::tempdir().unwrap();
    let came = glean(three.path(), &["import", bundle.to_str().unwrap()]);
    assert!(came.status.success() && text(&came).contains("1 feeds added"), "{}", text(&came));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_archive_has_lost_is_a_failure_that_is_named() {
    let (one, _server) = library().await;
    let two = tempfile::tempdir().unwrap();
    let (file, part) = (one.path().join("all.zip"), one.path().join("part.zip"));
    assert!(glean(one.path(), &["export", "--everything", file.to_str().unwrap()]).status.success());
    let mut from = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
    let mut to = zip::ZipWriter::new(fs::File::create(&part).unwrap());
    for number in 0..from.len() {
        let member = from.by_index_raw(number).unwrap();
        if &*member.name().unwrap() != "states.jsonl" {
            to.raw_copy_file(member).unwrap();
        }
    }
    to.finish().unwrap();
    let came = glean(two.path(), &["import", part.to_str().unwrap()]);
    assert_eq!(came.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&came.stderr).contains("left out: states.jsonl (it is not there)"),
        "{}",
        text(&came)
    );
    assert!(String::from_utf8_lossy(&came.stdout).contains("3 articles came"), "{}", text(&came));
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn output_that_nobody_takes_ends_in_words_or_quietly() {
    let (one, _server) = library().await;
    for words in [&["stats"][..], &["export"], &["search", "--json", "boat"], &["export", "--format", "html", "boat"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        command.arg("--library").arg(one.path()).args(words);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        let said = text(&output);
        assert!(
            output.status.code() == Some(1) && said.contains("standard output could not be written"),
            "{words:?}: {said}"
        );
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = command.stdout(writer).output().unwrap();
        assert!(output.status.success() && text(&output).is_empty(), "{words:?}: {}", text(&output));
    }
    for (words, told) in [
        (&["export", "/dev/null"][..], "a device or pipe is there"),
        (&["export", "--everything", "/dev/null"], "a device or pipe is there"),
        (&["export", "--format", "markdown", "--article", "99999"], "none of these articles is there"),
        (&["restore", "/nowhere/backup"], "there is no backup /nowhere/backup"),
        (&["restore", "/dev/null"], "is no backup of a library"),
    ] {
        let output = glean(one.path(), words);
        assert!(output.status.code() == Some(1) && text(&output).contains(told), "{words:?}: {}", text(&output));
    }
    for words in [&["export", "--format", "html"][..], &["keep", "--days", "-5"]] {
        assert_eq!(glean(one.path(), words).status.code(), Some(2), "{words:?}");
    }
}
