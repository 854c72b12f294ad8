//! A full disk causes an error message and no data loss, and work continues once there is space. Needs permission to mount.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::run;
use gleaner_testserver::{Reply, Server};
use std::{
    path::Path,
    process::{Command, Stdio},
};

/// A small disk, unmounted when dropped.
struct Disk(tempfile::TempDir);

impl Disk {
    /// Mounts a disk; returns `None` without the permission to mount.
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

/// Runs the program and returns whether it succeeded, and its output.
fn glean(library: &Path, words: &[&str]) -> (bool, String) {
    let (code, output) = run(library, words);
    (code == Some(0), output)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_loses_nothing() {
    let Some(disk) = Disk::new("5m") else {
        eprintln!("skipped: mounting a disk needs root");
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
    let (added, output) = glean(&library, &["add", &server.url("/feed")]);
    assert!(added, "{output}");
    let (refreshed, output) = glean(&library, &["refresh", "--all"]);
    assert!(refreshed, "{output}");

    let (refreshed, output) = glean(&library, &["refresh", "--all"]);
    assert!(!refreshed && output.contains("the library's disk is full"), "{output}");
    let (undamaged, output) = glean(&library, &["check"]);
    assert!(undamaged && output.contains("50 articles"), "{output}");
    let (copied, output) = glean(&library, &["backup"]);
    if !copied {
        assert!(output.contains("the library's disk is full"), "{output}");
        let begun = library.join("backups").join("begun.sqlite");
        assert!(!begun.exists(), "the incomplete backup is deleted");
    }

    assert!(disk.mount("remount,size=80m"));
    let (refreshed, output) = glean(&library, &["refresh", "--all"]);
    assert!(refreshed, "{output}");
    let (undamaged, output) = glean(&library, &["check"]);
    assert!(undamaged && output.contains("1800 articles"), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_on_a_full_or_read_only_disk_can_be_read() {
    let Some(disk) = Disk::new("4m") else {
        eprintln!("skipped: mounting a disk needs root");
        return;
    };
    let (library, server) = (disk.0.path().join("library"), Server::start().await);
    server.on("/feed", Reply::ok("<rss version='2.0'><channel><title>Big</title></channel></rss>"));
    let (added, output) = glean(&library, &["add", &server.url("/feed")]);
    assert!(added, "{output}");
    let only_reads = |why: &str| {
        for words in [&["backup"][..], &["refresh", "--all"], &["feed", "Big", "--title", "Small"]] {
            let (done, output) = glean(&library, words);
            assert!(!done && output.contains(why), "{words:?}: {output}");
        }
        for words in [&["stats"][..], &["feed"], &["why", "Big"], &["search", "boats"], &["export", "-"], &["check"]] {
            let (done, output) = glean(&library, words);
            assert!(
                done && output.contains("the library can only be read") && output.contains(why),
                "{words:?}: {output}"
            );
        }
    };
    let filler = disk.0.path().join("filler");
    std::fs::write(&filler, vec![0; 8 << 20]).unwrap_err();
    only_reads("the library's disk is full");
    std::fs::remove_file(&filler).unwrap();
    // No further file fits, though there is space.
    assert!(disk.mount("remount,nr_inodes=8"));
    let files = (0..8).map(|n| disk.0.path().join(n.to_string())).take_while(|file| std::fs::write(file, "").is_ok());
    assert!(files.count() < 8);
    only_reads("the library's disk is full");
    assert!(disk.mount("remount,nr_inodes=0,ro"));
    only_reads("can't be written");
    assert!(disk.mount("remount,size=80m,rw"));
    let (undamaged, output) = glean(&library, &["check"]);
    assert!(undamaged, "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn images_that_do_not_fit_leave_no_files_behind() {
    let Some(disk) = Disk::new("6m") else {
        eprintln!("skipped: mounting a disk needs root");
        return;
    };
    let library = disk.0.path().join("library");
    let server = Server::start().await;
    server.on_request("*", |request| {
        Reply::ok([b"\x89PNG\r\n\x1a\n", request.target.repeat(100_000).as_bytes()].concat())
    });
    let images: String = (0..12).map(|n| format!("&lt;img src='/{n}.png'&gt;")).collect();
    let item =
        format!("<item><title>A</title><link>{}</link><description>{images}</description></item>", server.url("/a"));
    server.on("/feed", Reply::ok(format!("<rss version='2.0'><channel><title>Big</title>{item}</channel></rss>")));
    for words in
        [vec!["add", &server.url("/feed")], vec!["refresh", "--all"], vec!["offline", "--feed", "Big", "--images"]]
    {
        let (success, output) = glean(&library, &words);
        assert!(success, "{output}");
    }
    let (fetched, output) = glean(&library, &["offline"]);
    assert!(!fetched && output.contains("the library's disk is full"), "{output}");
    let (undamaged, output) = glean(&library, &["check"]);
    assert!(undamaged, "{output}");

    assert!(disk.mount("remount,size=80m"));
    server.forget_requests();
    let (fetched, output) = glean(&library, &["offline"]);
    assert!(fetched && output.contains("12 images"), "{output}");
    assert!(server.requests().len() < 12, "downloaded images are not requested again");
    let (undamaged, output) = glean(&library, &["check"]);
    assert!(undamaged, "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_without_space_keeps_the_existing_file_and_an_import_can_be_repeated() {
    let Some(disk) = Disk::new("2m") else {
        eprintln!("skipped: mounting a disk needs root");
        return;
    };
    let (library, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    // Random digits compress to less than half.
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
        let (success, output) = glean(library.path(), &words);
        assert!(success, "{output}");
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
        let (success, output) = glean(library.path(), words);
        assert!(!success && output.contains("not enough space") && output.contains(target), "{words:?}: {output}");
        assert!(!output.contains("ZipWriter"), "{output}");
        assert_eq!(there(), ["all"], "{words:?} left something half-written");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "what was there", "{words:?}");
    }

    let archive = library.path().join("all.zip");
    let (written, output) = glean(library.path(), &["export", "--everything", archive.to_str().unwrap()]);
    assert!(written && output.contains("400 articles"), "{output}");
    std::fs::remove_file(&file).unwrap();
    let small = disk.0.path().join("library");
    let import = ["import", archive.to_str().unwrap()];
    let (imported, output) = glean(&small, &import);
    assert!(!imported && output.contains("the library's disk is full"), "{output}");
    assert!(disk.mount("remount,size=80m"));
    let (undamaged, output) = glean(&small, &["check"]);
    assert!(undamaged, "{output}");
    let (imported, output) = glean(&small, &import);
    assert!(imported, "{output}");
    let (undamaged, output) = glean(&small, &["check"]);
    assert!(undamaged && output.contains("400 articles"), "{output}");
    let (written, output) = glean(&small, &everything);
    assert!(written && output.contains("400 articles"), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_episode_that_does_not_fit_leaves_room_for_the_library_and_is_continued() {
    let Some(disk) = Disk::new("12m") else {
        eprintln!("skipped: mounting a disk needs root");
        return;
    };
    let library = disk.0.path().join("library");
    let server = Server::start().await;
    let sound = vec![7_u8; 20_000_000];
    let whole = sound.clone();
    server.on_request("/a.mp3", move |request| common::range(request, &whole));
    let item = format!(
        "<item><guid>1</guid><title>Long</title><enclosure url='{}' type='audio/mpeg'/></item>",
        server.url("/a.mp3")
    );
    server.on("/feed", Reply::ok(format!("<rss version='2.0'><channel><title>Big</title>{item}</channel></rss>")));
    for words in [vec!["add", &server.url("/feed")], vec!["refresh", "--all"]] {
        let (success, output) = glean(&library, &words);
        assert!(success, "{output}");
    }
    let (downloaded, output) = glean(&library, &["download", "--feed", "Big"]);
    assert!(!downloaded && output.contains("Long: the library's disk is full"), "{output}");
    let (undamaged, output) = glean(&library, &["check"]);
    assert!(undamaged, "{output}");
    let (changed, output) = glean(&library, &["rules", "add", "--do", "read", "--", "boats"]);
    assert!(changed, "the library can be written: {output}");

    assert!(disk.mount("remount,size=80m"));
    let (downloaded, output) = glean(&library, &["download", "--feed", "Big"]);
    assert!(downloaded && output.contains("1 episode downloaded"), "{output}");
    assert!(server.requests_to("/a.mp3").pop().unwrap().header("Range").is_some(), "the part was continued");
    let file = std::fs::read_dir(library.join("episodes")).unwrap().next().unwrap().unwrap().path();
    assert!(std::fs::read(file).unwrap() == sound, "the file is that of the server");
}

#[test]
fn a_missing_or_full_folder_for_temporary_files_is_named() {
    let Some(disk) = Disk::new("4k") else {
        eprintln!("skipped: mounting a disk needs root");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let database = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/readers/rssguard/database.db");
    let glean = |library: &str, temporary: &Path, words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        command.arg("--library").arg(folder.path().join(library)).args(words).env("TMPDIR", temporary);
        let output = command.stdin(std::fs::File::open(&database).unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        common::text(&output)
    };
    // SQLite's own temporary files.
    let output = glean("new", disk.0.path(), &["stats"]);
    assert!(output.contains("disk is full") && !output.contains("damaged"), "{output}");
    let full = format!("there is not enough space to write {}", disk.0.path().display());
    let missing = disk.0.path().join("missing");
    common::run(&folder.path().join("library"), &["stats"]);
    let file = database.to_str().unwrap();
    for words in [&["import", file][..], &["import", "--dry-run", file], &["import", "-"], &["import", "--json", "-"]] {
        let output = glean("library", disk.0.path(), words);
        assert!(output.contains(&full), "{words:?}: {output}");
        let output = glean("library", &missing, words);
        assert!(output.contains(missing.to_str().unwrap()) && !output.contains("database.db does"), "{output}");
    }
}
