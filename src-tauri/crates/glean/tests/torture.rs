//! Kills commands with SIGKILL at many moments. The library stays undamaged: acknowledged changes are saved, nothing is duplicated,
//! and repeating the command leads to the same result as running it once. `make torture` runs thousands of rounds (TORTURE).
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use gleaner_library::{FeedScope, Library, ListQuery, MarkScope, Order, RetentionPolicy, Source, now};
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

/// Returns the number of times that each command is killed.
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

/// Runs a command and asserts that it succeeds.
fn succeed(library: &Path, words: &[&str]) {
    let output = glean(library, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the numbers of feeds, articles and starred articles.
fn stats(library: &Path) -> (u64, u64, u64) {
    let output = glean(library, &["stats", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |name: &str| stats[name].as_u64().unwrap();
    (number("feeds"), number("articles"), number("starred"))
}

/// Asserts that `glean check` finds no damage.
fn assert_undamaged(library: &Path, what: &str) {
    let output = glean(library, &["check"]);
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Copies a library to a temporary folder.
fn copy_of(library: &Path) -> tempfile::TempDir {
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

/// Returns moments spread evenly over a duration.
fn moments(duration: Duration) -> impl Iterator<Item = Duration> {
    (0..rounds()).map(move |round| duration.mul_f64((f64::from(round) + 0.5) / f64::from(rounds())))
}

/// Kills a process this long after its start.
fn kill_after(mut child: Child, after: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < after && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(200)); // pause: the moment of the kill is what is tested
    }
    // A process that has already ended counts as a round, too.
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

/// Kills a command at many moments, each time on a copy of a library. Checks the library, then repeats the command and checks the result.
fn torture(base: &Path, words: &[&str], expected: (u64, u64, u64)) {
    let trial = copy_of(base);
    let begun = Instant::now();
    succeed(trial.path(), words);
    let duration = begun.elapsed();
    let before = stats(base);
    for after in moments(duration) {
        let what = format!("{words:?} killed after {after:?}");
        let trial = copy_of(base);
        kill_after(command(trial.path(), words).spawn().unwrap(), after);
        assert_undamaged(trial.path(), &what);
        let (feeds, articles, starred) = stats(trial.path());
        assert!((before.0..=expected.0).contains(&feeds), "{what}: {feeds} feeds");
        assert!((before.1..=expected.1).contains(&articles), "{what}: {articles} articles");
        assert_eq!(starred, before.2, "{what}");
        succeed(trial.path(), words);
        assert_eq!(stats(trial.path()), expected, "{what}, and repeated");
        assert_undamaged(trial.path(), &what);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_killed_at_any_moment_leave_the_library_undamaged() {
    let world = World::new().await;
    let (empty, imported, read) = (world.library("empty"), world.library("imported"), world.library("read"));
    succeed(&empty, &["stats"]);
    torture(&empty, &["import", world.list()], (FEEDS, 0, 0));
    let export = world.folder.path().join("export.json");
    let item = |n: u64| {
        format!(
            "{{\"guid\":\"{n}\",\"title\":\"{n}\",\"content\":\"{n}\",\"origin\":{{\"streamId\":\"feed/http://127.0.7.9/{}\"}}}}",
            n % 7
        )
    };
    let items: Vec<String> = (0..3000).map(item).collect();
    fs::write(&export, format!("{{\"items\":[{}]}}", items.join(","))).unwrap();
    torture(&empty, &["import", export.to_str().unwrap()], (7, 3000, 0));

    fs::create_dir(&imported).unwrap();
    copy_folder(&empty, &imported);
    succeed(&imported, &["import", world.list()]);
    let articles = FEEDS * ITEMS as u64;
    torture(&imported, &["refresh", "--all"], (FEEDS, articles, 0));

    fs::create_dir(&read).unwrap();
    copy_folder(&imported, &read);
    succeed(&read, &["refresh", "--all"]);
    world.serve(ITEMS + 7);
    torture(&read, &["refresh", "--all"], (FEEDS, articles + 7 * FEEDS, 0));
    torture(&read, &["backup"], (FEEDS, articles, 0));
    let archive = world.library("all.zip");
    let archive = archive.to_str().unwrap();
    succeed(&read, &["export", "--everything", archive]);
    torture(&empty, &["import", archive], (FEEDS, articles, 0));
    torture_export(&read, Path::new(archive));
    succeed(&read, &["backup"]);
    let backup = fs::read_dir(read.join("backups"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "sqlite"))
        .unwrap();
    torture(&read, &["restore", backup.to_str().unwrap()], (FEEDS, articles, 0));
    torture(&read, &["recover"], (FEEDS, articles, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_killed_at_any_moment_leave_the_library_undamaged() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let base = folder.path().join("base");
    let page = format!(
        "<html><body><article>{}</article></body></html>",
        "<p>A page, with enough in it to be read.</p>".repeat(20)
    );
    server.on_request("*", move |request| match request.path().strip_suffix(".png") {
        // Each image is different and occurs in two articles.
        Some(name) => Reply::ok([b"\x89PNG\r\n\x1a\n", name.repeat(500).as_bytes()].concat()),
        None => Reply::ok(page.clone()).header("Content-Type", "text/html"),
    });
    let items: String = (0..8)
        .map(|n| {
            let link = server.url(&format!("/{n}"));
            format!("<item><guid isPermaLink='false'>{n}</guid><title>{n}</title><link>{link}</link><description>&lt;img src='/{n}.png'>&lt;img src='/{}.png'>x</description></item>", (n + 1) % 8)
        })
        .collect();
    server.on("/feed", Reply::ok(format!("<rss version='2.0'><channel><title>Offline</title>{items}</channel></rss>")));
    succeed(&base, &["add", &server.url("/feed")]);
    succeed(&base, &["refresh", "--all"]);
    succeed(&base, &["offline", "--feed", "Offline", "--text", "--images"]);
    let before = stats(&base);
    torture(&base, &["offline"], before);

    let begun = Instant::now();
    succeed(copy_of(&base).path(), &["offline"]);
    for after in moments(begun.elapsed()) {
        let trial = copy_of(&base);
        kill_after(command(trial.path(), &["offline"]).spawn().unwrap(), after);
        let output = glean(trial.path(), &["offline", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let number = |name: &str| report[name].as_i64().unwrap();
        let stored = (number("texts_kept"), number("pictures_kept"), number("waiting"), number("given_up"));
        assert_eq!(stored, (8, 8, 0, 0), "killed after {after:?}");
        let there = fs::read_dir(trial.path().join("images")).unwrap();
        let files: usize = there.map(|part| fs::read_dir(part.unwrap().path()).unwrap().count()).sum();
        assert_eq!(files, 8, "killed after {after:?}: no other files are left");
    }
}

/// Kills the export of an archive that replaces an existing one. The file is always the complete old or new archive.
fn torture_export(library: &Path, archive: &Path) {
    let words = ["export", "--everything", archive.to_str().unwrap()];
    let begun = Instant::now();
    succeed(library, &words);
    for after in moments(begun.elapsed()) {
        kill_after(command(library, &words).spawn().unwrap(), after);
        let look = glean(library, &["import", "--dry-run", "--json", words[2]]);
        let seen: serde_json::Value = serde_json::from_slice(&look.stdout).unwrap();
        assert_eq!(
            (&seen["error"], &seen["archive"]["left_out"]),
            (&serde_json::Value::Null, &0.into()),
            "killed after {after:?}"
        );
        assert_undamaged(library, &format!("exporting, killed after {after:?}"));
    }
}

/// The process that `acknowledged_marks_are_saved` kills; does nothing otherwise. Prints a line after each change.
#[tokio::test]
async fn marker() {
    let Some(folder) = std::env::var_os("TORTURE_MARKER") else { return };
    let library = Library::open(Path::new(&folder)).await.unwrap();
    let query = ListQuery::newest(Source::All, 200);
    let (rows, _) = library.lists().page(query).await.unwrap();
    for row in &rows {
        library.articles().mark(&[row.id], Some(true), Some(true)).await.unwrap();
        println!("starred {}", row.id);
    }
    library.articles().mark_list_read(Source::All, Order::Newest, MarkScope::All, None).await.unwrap();
    println!("all read");
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_marks_are_saved() {
    let world = World::new().await;
    let base = world.library("base");
    succeed(&base, &["import", world.list()]);
    succeed(&base, &["refresh", "--all"]);
    let marker = |library: &Path| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "marker", "--nocapture"]).env("TORTURE_MARKER", library);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    };
    let begun = Instant::now();
    let trial = copy_of(&base);
    assert!(marker(trial.path()).wait_with_output().unwrap().status.success());
    for after in moments(begun.elapsed()) {
        let trial = copy_of(&base);
        let mut child = marker(trial.path());
        let stdout = child.stdout.take().unwrap();
        let reading =
            std::thread::spawn(move || BufReader::new(stdout).lines().map_while(Result::ok).collect::<Vec<_>>());
        kill_after(child, after);
        let lines = reading.join().unwrap();
        assert_undamaged(trial.path(), &format!("marking, killed after {after:?}"));
        let library = Library::open(trial.path()).await.unwrap();
        let mut starred = 0;
        for id in lines.iter().filter_map(|line| line.strip_prefix("starred ")?.parse().ok()) {
            let item = library.articles().get(id).await.unwrap();
            assert!(item.starred && item.read, "{id} was acknowledged");
            starred += 1;
        }
        let counts = library.counts().by_feed().await.unwrap();
        let found: i64 = counts.iter().map(|feed| feed.starred).sum();
        assert!((starred..=starred + 1).contains(&found), "{found} of {starred}");
        if lines.iter().any(|line| line == "all read") {
            assert_eq!(counts.iter().map(|feed| feed.unread).sum::<i64>(), 0);
        }
    }
}

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Number of articles to keep of each feed.
const KEPT: usize = 4;

/// The process that `expired_articles_are_deleted_and_do_not_return` kills; does nothing otherwise.
/// Applies a retention policy, and permanently deletes articles as if two days had passed.
#[tokio::test]
async fn keeper() {
    let Some(folder) = std::env::var_os("TORTURE_KEEPER") else { return };
    let library = Library::open(Path::new(&folder)).await.unwrap();
    let keep = RetentionPolicy { articles: Some(KEPT as i64), keep_unread: false, ..RetentionPolicy::EVERYTHING };
    library.retention().set(FeedScope::All, Some(keep), now(), |_| true).await.unwrap();
    library.retention().delete_expired(now() + 2 * DAY, |_| true).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_articles_are_deleted_and_do_not_return() {
    let world = World::new().await;
    let base = world.library("base");
    succeed(&base, &["import", world.list()]);
    succeed(&base, &["refresh", "--all"]);
    // The oldest article of each feed is starred, and therefore never deleted.
    let library = Library::open(&base).await.unwrap();
    let feeds = library.feeds().list().await.unwrap();
    let mut starred = Vec::new();
    for feed in &feeds {
        let source = Source::Feed(feed.id);
        let query = ListQuery { order: Order::Oldest, ..ListQuery::newest(source, 1) };
        starred.push(library.lists().page(query).await.unwrap().0[0].id);
    }
    library.articles().mark(&starred, None, Some(true)).await.unwrap();
    library.close().await.unwrap();
    let keeper = |library: &Path| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "keeper"]).env("TORTURE_KEEPER", library);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let begun = Instant::now();
    assert!(keeper(copy_of(&base).path()).wait().unwrap().success());
    let left = FEEDS * (KEPT as u64 + 1);
    // The feeds have one more article than the expired ones.
    world.serve(ITEMS + 1);
    for after in moments(begun.elapsed()) {
        let what = format!("deleting, killed after {after:?}");
        let trial = copy_of(&base);
        kill_after(keeper(trial.path()), after);
        assert_undamaged(trial.path(), &what);
        let (feeds, articles, stars) = stats(trial.path());
        assert_eq!((feeds, stars), (FEEDS, FEEDS), "{what}");
        assert!((left..=FEEDS * ITEMS as u64).contains(&articles), "{what}: {articles} articles");
        // Deleted articles that are still in the feeds are not added again, and repeating leads to the same result.
        assert!(keeper(trial.path()).wait().unwrap().success(), "{what}, and repeated");
        let refreshed = glean(trial.path(), &["refresh", "--all", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&refreshed.stdout).unwrap();
        assert_eq!(report["items_new"], FEEDS, "{what}, and refreshed: {report}");
        // The refresh deletes articles beyond the limit.
        assert_eq!(stats(trial.path()), (FEEDS, left, FEEDS), "{what}, and refreshed");
        assert_undamaged(trial.path(), &what);
    }
}
