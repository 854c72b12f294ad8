//! Killed (SIGKILL) at any moment of what it does, the library stays whole: what was acknowledged is there, nothing is doubled,
//! and doing it again ends where doing it once would have. `make torture` asks for thousands of rounds (TORTURE).
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use gleaner_library::{FeedScope, Keep, Library, ListQuery, MarkScope, Source, now};
use gleaner_testserver::{Reply, Server};
use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::Ipv4Addr,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

const HOSTS: u8 = 6;
const FEEDS: u64 = 2 * HOSTS as u64;
const ITEMS: usize = 30;

/// How many times each thing is killed.
fn rounds() -> u32 {
    std::env::var("TORTURE").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(15)
}

fn command(library: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    command.arg("--library").arg(library).args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn glean(library: &Path, words: &[&str]) -> Output {
    command(library, words).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap()
}

fn done(library: &Path, words: &[&str]) {
    let output = glean(library, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Feeds, articles, starred.
fn stats(library: &Path) -> (u64, u64, u64) {
    let output = glean(library, &["stats", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |name: &str| stats[name].as_u64().unwrap();
    (number("feeds"), number("articles"), number("starred"))
}

fn whole(library: &Path, what: &str) {
    let output = glean(library, &["check"]);
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
}

fn copied(library: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(library, copy.path());
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let (path, target) = {
            let path = entry.unwrap().path();
            let target = to.join(path.file_name().unwrap());
            (path, target)
        };
        if path.is_dir() {
            fs::create_dir(&target).unwrap();
            copy_folder(&path, &target);
        } else {
            fs::copy(path, target).unwrap();
        }
    }
}

/// Moments spread evenly over how long something takes, none twice.
fn moments(long: Duration) -> impl Iterator<Item = Duration> {
    (0..rounds()).map(move |round| long.mul_f64((f64::from(round) + 0.5) / f64::from(rounds())))
}

/// Kills a process so long after its start.
fn killed(mut child: Child, after: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < after && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(200)); // pause: what is sought is what a moment does
    }
    // One that has ended already is a round as well: everything is to be there.
    let _ended = child.kill();
    child.wait().unwrap();
}

fn document(feed: u8, items: usize) -> String {
    let items: String = (0..items)
        .map(|n| format!("<item><guid isPermaLink=\"false\">{feed}-{n}</guid><title>{feed} {n}</title><description>{}</description></item>", "Text of it. ".repeat(60)))
        .collect();
    format!("<rss version=\"2.0\"><channel><title>Feed {feed}</title>{items}</channel></rss>")
}

struct World {
    servers: Vec<Server>,
    folder: tempfile::TempDir,
    list: PathBuf,
}

impl World {
    async fn new() -> Self {
        let mut servers = Vec::new();
        for host in 0..HOSTS {
            servers.push(Server::start_at(Ipv4Addr::new(127, 0, 7, host + 1)).await);
        }
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list.opml");
        let outlines: String = servers
            .iter()
            .enumerate()
            .map(|(n, server)| format!("<outline text='F{n}'><outline type='rss' text='a' xmlUrl='{}'/><outline type='rss' text='b' xmlUrl='{}'/></outline>", server.url("/a"), server.url("/b")))
            .collect();
        fs::write(&list, format!("<opml version='2.0'><body>{outlines}</body></opml>")).unwrap();
        let world = Self { servers, folder, list };
        world.serve(ITEMS);
        world
    }

    fn serve(&self, items: usize) {
        for (host, server) in (0_u8..).zip(&self.servers) {
            server.on("/a", Reply::ok(document(2 * host, items)));
            server.on("/b", Reply::ok(document(2 * host + 1, items)));
        }
    }

    fn list(&self) -> &str {
        self.list.to_str().unwrap()
    }

    fn library(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Kills a command at many moments, each time on a copy of a library; then all is whole, and the command does its work.
fn tortured(base: &Path, words: &[&str], expected: (u64, u64, u64)) {
    let trial = copied(base);
    let begun = Instant::now();
    done(trial.path(), words);
    let long = begun.elapsed();
    let before = stats(base);
    for after in moments(long) {
        let what = format!("{words:?} killed after {after:?}");
        let trial = copied(base);
        killed(command(trial.path(), words).spawn().unwrap(), after);
        whole(trial.path(), &what);
        let (feeds, articles, starred) = stats(trial.path());
        assert!((before.0..=expected.0).contains(&feeds), "{what}: {feeds} feeds");
        assert!((before.1..=expected.1).contains(&articles), "{what}: {articles} articles");
        assert_eq!(starred, before.2, "{what}");
        done(trial.path(), words);
        assert_eq!(stats(trial.path()), expected, "{what}, and done again");
        whole(trial.path(), &what);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_the_library_is_whole() {
    let world = World::new().await;
    let (empty, imported, read) = (world.library("empty"), world.library("imported"), world.library("read"));
    done(&empty, &["stats"]);
    tortured(&empty, &["import", world.list()], (FEEDS, 0, 0));
    let kept = world.folder.path().join("kept.json");
    let item = |n: u64| {
        format!(
            "{{\"guid\":\"{n}\",\"title\":\"{n}\",\"content\":\"{n}\",\"origin\":{{\"streamId\":\"feed/http://127.0.7.9/{}\"}}}}",
            n % 7
        )
    };
    let items: Vec<String> = (0..3000).map(item).collect();
    fs::write(&kept, format!("{{\"items\":[{}]}}", items.join(","))).unwrap();
    tortured(&empty, &["import", kept.to_str().unwrap()], (7, 3000, 0));

    fs::create_dir(&imported).unwrap();
    copy_folder(&empty, &imported);
    done(&imported, &["import", world.list()]);
    let articles = FEEDS * ITEMS as u64;
    tortured(&imported, &["refresh", "--all"], (FEEDS, articles, 0));

    fs::create_dir(&read).unwrap();
    copy_folder(&imported, &read);
    done(&read, &["refresh", "--all"]);
    world.serve(ITEMS + 7);
    tortured(&read, &["refresh", "--all"], (FEEDS, articles + 7 * FEEDS, 0));
    tortured(&read, &["backup"], (FEEDS, articles, 0));
    let archive = world.library("all.zip");
    let archive = archive.to_str().unwrap();
    done(&read, &["export", "--everything", archive]);
    tortured(&empty, &["import", archive], (FEEDS, articles, 0));
    exported(&read, Path::new(archive));
    done(&read, &["backup"]);
    let backup = fs::read_dir(read.join("backups"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "sqlite"))
        .unwrap();
    tortured(&read, &["restore", backup.to_str().unwrap()], (FEEDS, articles, 0));
    tortured(&read, &["recover"], (FEEDS, articles, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_it_fetches_ahead_the_library_is_whole() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let base = folder.path().join("base");
    let page = format!(
        "<html><body><article>{}</article></body></html>",
        "<p>A page, with enough in it to be read.</p>".repeat(20)
    );
    server.on_request("*", move |request| match request.path().strip_suffix(".png") {
        // Each picture another, and each of them in two articles.
        Some(name) => Reply::ok([b"\x89PNG\r\n\x1a\n", name.repeat(500).as_bytes()].concat()),
        None => Reply::ok(page.clone()).header("Content-Type", "text/html"),
    });
    let items: String = (0..8)
        .map(|n| {
            let link = server.url(&format!("/{n}"));
            format!("<item><guid isPermaLink='false'>{n}</guid><title>{n}</title><link>{link}</link><description>&lt;img src='/{n}.png'>&lt;img src='/{}.png'>x</description></item>", (n + 1) % 8)
        })
        .collect();
    server.on("/feed", Reply::ok(format!("<rss version='2.0'><channel><title>Ahead</title>{items}</channel></rss>")));
    done(&base, &["add", &server.url("/feed")]);
    done(&base, &["refresh", "--all"]);
    done(&base, &["ahead", "--feed", "Ahead", "--text", "--pictures"]);
    let before = stats(&base);
    tortured(&base, &["ahead"], before);

    let begun = Instant::now();
    done(copied(&base).path(), &["ahead"]);
    for after in moments(begun.elapsed()) {
        let trial = copied(&base);
        killed(command(trial.path(), &["ahead"]).spawn().unwrap(), after);
        let output = glean(trial.path(), &["ahead", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let number = |name: &str| report[name].as_i64().unwrap();
        let kept = (number("texts_kept"), number("pictures_kept"), number("waiting"), number("given_up"));
        assert_eq!(kept, (8, 8, 0, 0), "killed after {after:?}");
        let there = fs::read_dir(trial.path().join("images")).unwrap();
        let files: usize = there.map(|part| fs::read_dir(part.unwrap().path()).unwrap().count()).sum();
        assert_eq!(files, 8, "killed after {after:?}: nothing is left over");
    }
}

/// Kills the writing of an archive over one that is there: the file is whole at each moment, the old one or the new one.
fn exported(library: &Path, archive: &Path) {
    let words = ["export", "--everything", archive.to_str().unwrap()];
    let begun = Instant::now();
    done(library, &words);
    for after in moments(begun.elapsed()) {
        killed(command(library, &words).spawn().unwrap(), after);
        let look = glean(library, &["import", "--dry-run", "--json", words[2]]);
        let seen: serde_json::Value = serde_json::from_slice(&look.stdout).unwrap();
        assert_eq!(
            (&seen["error"], &seen["archive"]["left_out"]),
            (&serde_json::Value::Null, &0.into()),
            "killed after {after:?}"
        );
        whole(library, &format!("exporting, killed after {after:?}"));
    }
}

/// Not a test of its own: what the next one kills. Marks, and says so line by line once it is done.
#[tokio::test]
async fn marker() {
    let Some(folder) = std::env::var_os("TORTURE_MARKER") else { return };
    let library = Library::open(Path::new(&folder)).await.unwrap();
    let query = ListQuery {
        source: Source::All,
        unread_only: false,
        oldest_first: false,
        after: None,
        before: None,
        limit: 200,
    };
    let (rows, _) = library.list(query).await.unwrap();
    for row in &rows {
        library.mark(&[row.id], Some(true), Some(true)).await.unwrap();
        println!("starred {}", row.id);
    }
    library.mark_list_read(Source::All, false, MarkScope::All, None).await.unwrap();
    println!("all read");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_marked_stays_marked() {
    let world = World::new().await;
    let base = world.library("base");
    done(&base, &["import", world.list()]);
    done(&base, &["refresh", "--all"]);
    let marker = |library: &Path| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "marker", "--nocapture"]).env("TORTURE_MARKER", library);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    };
    let begun = Instant::now();
    let trial = copied(&base);
    assert!(marker(trial.path()).wait_with_output().unwrap().status.success());
    for after in moments(begun.elapsed()) {
        let trial = copied(&base);
        let mut child = marker(trial.path());
        let said = child.stdout.take().unwrap();
        let reading =
            std::thread::spawn(move || BufReader::new(said).lines().map_while(Result::ok).collect::<Vec<_>>());
        killed(child, after);
        let said = reading.join().unwrap();
        whole(trial.path(), &format!("marking, killed after {after:?}"));
        let library = Library::open(trial.path()).await.unwrap();
        let mut starred = 0;
        for id in said.iter().filter_map(|line| line.strip_prefix("starred ")?.parse().ok()) {
            let item = library.item(id).await.unwrap();
            assert!(item.starred && item.read, "{id} was acknowledged");
            starred += 1;
        }
        let counts = library.feed_counts().await.unwrap();
        let kept: i64 = counts.iter().map(|feed| feed.starred).sum();
        assert!((starred..=starred + 1).contains(&kept), "{kept} of {starred}");
        if said.iter().any(|line| line == "all read") {
            assert_eq!(counts.iter().map(|feed| feed.unread).sum::<i64>(), 0);
        }
    }
}

const DAY: i64 = 24 * 60 * 60 * 1000;

/// So many articles of each feed are to stay.
const KEPT: usize = 4;

/// Not a test of its own: what the next one kills. Lets go of what is more than is kept, and deletes it as if days had gone by.
#[tokio::test]
async fn keeper() {
    let Some(folder) = std::env::var_os("TORTURE_KEEPER") else { return };
    let library = Library::open(Path::new(&folder)).await.unwrap();
    let keep = Keep { articles: Some(KEPT as i64), keep_unread: false, ..Keep::EVERYTHING };
    library.keep(FeedScope::All, Some(keep), now(), |_| true).await.unwrap();
    library.clear_out(now() + 2 * DAY, |_| true).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_let_go_is_let_go_whole_and_does_not_come_back() {
    let world = World::new().await;
    let base = world.library("base");
    done(&base, &["import", world.list()]);
    done(&base, &["refresh", "--all"]);
    // One of the oldest of each feed has a star: it never goes.
    let library = Library::open(&base).await.unwrap();
    let feeds = library.feeds().await.unwrap();
    let mut starred = Vec::new();
    for feed in &feeds {
        let source = Source::Feed(feed.id);
        let query = ListQuery { source, unread_only: false, oldest_first: true, after: None, before: None, limit: 1 };
        starred.push(library.list(query).await.unwrap().0[0].id);
    }
    library.mark(&starred, None, Some(true)).await.unwrap();
    library.close().await.unwrap();
    let keeper = |library: &Path| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "keeper"]).env("TORTURE_KEEPER", library);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let begun = Instant::now();
    assert!(keeper(copied(&base).path()).wait().unwrap().success());
    let left = FEEDS * (KEPT as u64 + 1);
    // Something new beside all that was let go of.
    world.serve(ITEMS + 1);
    for after in moments(begun.elapsed()) {
        let what = format!("letting go, killed after {after:?}");
        let trial = copied(&base);
        killed(keeper(trial.path()), after);
        whole(trial.path(), &what);
        let (feeds, articles, stars) = stats(trial.path());
        assert_eq!((feeds, stars), (FEEDS, FEEDS), "{what}");
        assert!((left..=FEEDS * ITEMS as u64).contains(&articles), "{what}: {articles} articles");
        // What the feeds still have does not come back, and doing it again ends where doing it once would have.
        assert!(keeper(trial.path()).wait().unwrap().success(), "{what}, and done again");
        let refreshed = glean(trial.path(), &["refresh", "--all", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&refreshed.stdout).unwrap();
        assert_eq!(report["items_new"], FEEDS, "{what}, and refreshed: {report}");
        // The refresh lets go of what the new ones are too many for.
        assert_eq!(stats(trial.path()), (FEEDS, left, FEEDS), "{what}, and refreshed");
        whole(trial.path(), &what);
    }
}
