//! A disk without room: the words say so, nothing is lost, and all goes on once there is room. Needs the right to mount.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::told;
use gleaner_testserver::{Reply, Server};
use std::{
    path::Path,
    process::{Command, Stdio},
};

/// A small disk, as long as the test runs.
struct Disk(tempfile::TempDir);

impl Disk {
    /// `None` for whoever may not mount one.
    fn new(size: &str) -> Option<Self> {
        let disk = Self(tempfile::tempdir().unwrap());
        disk.mount(&format!("size={size}")).then_some(disk)
    }

    fn mount(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "gleaner-test"]).arg(self.0.path()).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _unmounted = Command::new("umount").arg(self.0.path()).stderr(Stdio::null()).status();
    }
}

fn done(library: &Path, words: &[&str]) -> (bool, String) {
    let (code, said) = told(library, words);
    (code == Some(0), said)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_loses_nothing() {
    let Some(disk) = Disk::new("5m") else {
        eprintln!("not tried: nobody but root may mount a small disk");
        return;
    };
    let library = disk.0.path().join("library");
    let server = Server::start().await;
    let words =
        |seed: usize| (0..900).map(|n| format!("w{} ", (n * 7919 + seed * 104_729) % 1_000_003)).collect::<String>();
    let items = |from: usize, to: usize| -> String {
        (from..to)
            .map(|n| format!("<item><guid isPermaLink=\"false\">{n}</guid><title>{n}</title><description>{}</description></item>", words(n)))
            .collect()
    };
    let feed =
        |from, to| format!("<rss version=\"2.0\"><channel><title>Big</title>{}</channel></rss>", items(from, to));
    server.on_each("/feed", [Reply::ok(feed(0, 50)), Reply::ok(feed(0, 50)), Reply::ok(feed(0, 1800))]);
    let (added, said) = done(&library, &["add", &server.url("/feed")]);
    assert!(added, "{said}");
    let (refreshed, said) = done(&library, &["refresh", "--all"]);
    assert!(refreshed, "{said}");

    let (refreshed, said) = done(&library, &["refresh", "--all"]);
    assert!(!refreshed && said.contains("disk that holds the library is full"), "{said}");
    let (whole, said) = done(&library, &["check"]);
    assert!(whole && said.contains("50 articles"), "{said}");
    let (copied, said) = done(&library, &["backup"]);
    if !copied {
        assert!(said.contains("disk that holds the library is full"), "{said}");
        let begun = library.join("backups").join("begun.sqlite");
        assert!(!begun.exists(), "what was begun is taken away");
    }

    assert!(disk.mount("remount,size=80m"));
    let (refreshed, said) = done(&library, &["refresh", "--all"]);
    assert!(refreshed, "{said}");
    let (whole, said) = done(&library, &["check"]);
    assert!(whole && said.contains("1800 articles"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_that_find_no_room_on_the_disk_leave_nothing_behind() {
    let Some(disk) = Disk::new("6m") else {
        eprintln!("not tried: nobody but root may mount a small disk");
        return;
    };
    let library = disk.0.path().join("library");
    let server = Server::start().await;
    server.on_request("*", |request| {
        Reply::ok([b"\x89PNG\r\n\x1a\n", request.target.repeat(100_000).as_bytes()].concat())
    });
    let pictures: String = (0..12).map(|n| format!("&lt;img src='/{n}.png'&gt;")).collect();
    let item =
        format!("<item><title>A</title><link>{}</link><description>{pictures}</description></item>", server.url("/a"));
    server.on("/feed", Reply::ok(format!("<rss version='2.0'><channel><title>Big</title>{item}</channel></rss>")));
    for words in
        [vec!["add", &server.url("/feed")], vec!["refresh", "--all"], vec!["ahead", "--feed", "Big", "--pictures"]]
    {
        let (done, said) = done(&library, &words);
        assert!(done, "{said}");
    }
    let (fetched, said) = done(&library, &["ahead"]);
    assert!(!fetched && said.contains("disk that holds the library is full"), "{said}");
    let (whole, said) = done(&library, &["check"]);
    assert!(whole, "{said}");

    assert!(disk.mount("remount,size=80m"));
    server.forget_requests();
    let (fetched, said) = done(&library, &["ahead"]);
    assert!(fetched && said.contains("12 pictures"), "{said}");
    assert!(server.requests().len() < 12, "what had come is not asked for again");
    let (whole, said) = done(&library, &["check"]);
    assert!(whole, "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_that_finds_no_room_leaves_what_was_there_and_comes_in_once_there_is_some() {
    let Some(disk) = Disk::new("2m") else {
        eprintln!("not tried: nobody but root may mount a small disk");
        return;
    };
    let (library, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    // Digits by chance: what packs to less than half.
    let text = |seed: u64| {
        let mut chance = seed;
        let mut word = || {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("{} ", chance >> 20)
        };
        (0..900).map(|_| word()).collect::<String>()
    };
    let items: String = (0..400)
        .map(|n| {
            format!(
                "<item><guid isPermaLink=\"false\">{n}</guid><title>{n}</title><description>{}</description></item>",
                text(n)
            )
        })
        .collect();
    server.on("/feed", Reply::ok(format!("<rss version=\"2.0\"><channel><title>Big</title>{items}</channel></rss>")));
    for words in [vec!["add", &server.url("/feed")], vec!["refresh", "--all"]] {
        let (done, said) = done(library.path(), &words);
        assert!(done, "{said}");
    }
    let file = disk.0.path().join("all");
    let there =
        || std::fs::read_dir(disk.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    std::fs::write(&file, "what was there").unwrap();
    let target = file.to_str().unwrap();
    let everything = ["export", "--everything", target];
    for words in [
        &everything[..],
        &["export", "--format", "html", "--output", target, "after:1990"],
        &["export", "--format", "markdown", "--output", target, "after:1990"],
        &["export", "--format", "epub", "--output", target, "after:1990"],
    ] {
        let (done, said) = done(library.path(), words);
        assert!(!done && said.contains("not room enough") && said.contains(target), "{words:?}: {said}");
        assert_eq!(there(), ["all"], "{words:?} left something half-written");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "what was there", "{words:?}");
    }

    let elsewhere = library.path().join("all.zip");
    let (written, said) = done(library.path(), &["export", "--everything", elsewhere.to_str().unwrap()]);
    assert!(written && said.contains("400 articles"), "{said}");
    std::fs::remove_file(&file).unwrap();
    let small = disk.0.path().join("library");
    let import = ["import", elsewhere.to_str().unwrap()];
    let (came, said) = done(&small, &import);
    assert!(!came && said.contains("disk that holds the library is full"), "{said}");
    assert!(disk.mount("remount,size=80m"));
    let (whole, said) = done(&small, &["check"]);
    assert!(whole, "{said}");
    let (came, said) = done(&small, &import);
    assert!(came, "{said}");
    let (whole, said) = done(&small, &["check"]);
    assert!(whole && said.contains("400 articles"), "{said}");
    let (written, said) = done(&small, &everything);
    assert!(written && said.contains("400 articles"), "{said}");
}
