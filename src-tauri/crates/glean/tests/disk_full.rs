//! A disk without room: the words say so, nothing is lost, and all goes on once there is room. Needs the right to mount.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

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

fn glean(library: &Path, words: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    let output = command.arg("--library").arg(library).args(words).stdin(Stdio::null()).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.success(), said.concat())
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
    let (added, said) = glean(&library, &["add", &server.url("/feed")]);
    assert!(added, "{said}");
    let (refreshed, said) = glean(&library, &["refresh", "--all"]);
    assert!(refreshed, "{said}");

    let (refreshed, said) = glean(&library, &["refresh", "--all"]);
    assert!(!refreshed && said.contains("disk that holds the library is full"), "{said}");
    let (whole, said) = glean(&library, &["check"]);
    assert!(whole && said.contains("50 articles"), "{said}");
    let (copied, said) = glean(&library, &["backup"]);
    if !copied {
        assert!(said.contains("disk that holds the library is full"), "{said}");
        let begun = library.join("backups").join("begun.sqlite");
        assert!(!begun.exists(), "what was begun is taken away");
    }

    assert!(disk.mount("remount,size=80m"));
    let (refreshed, said) = glean(&library, &["refresh", "--all"]);
    assert!(refreshed, "{said}");
    let (whole, said) = glean(&library, &["check"]);
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
        let (done, said) = glean(&library, &words);
        assert!(done, "{said}");
    }
    let (fetched, said) = glean(&library, &["ahead"]);
    assert!(!fetched && said.contains("disk that holds the library is full"), "{said}");
    let (whole, said) = glean(&library, &["check"]);
    assert!(whole, "{said}");

    assert!(disk.mount("remount,size=80m"));
    server.forget_requests();
    let (fetched, said) = glean(&library, &["ahead"]);
    assert!(fetched && said.contains("12 pictures"), "{said}");
    assert!(server.requests().len() < 12, "what had come is not asked for again");
    let (whole, said) = glean(&library, &["check"]);
    assert!(whole, "{said}");
}
