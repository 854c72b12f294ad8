//! Faults other than those of disks: a read-only folder, another process that locks the library or writes, a clock that is set back.
#![allow(clippy::unwrap_used)]

use gleaner_library::{
    Incoming, Intent, Library, LibraryError, ListQuery, NewItem, NewSubscription, Occasion, Poll, Source,
};
use gleaner_proofs::dump;
use sqlx::Connection as _;
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, SystemTime},
};

const DAY: i64 = 86_400_000;

fn feed(name: &str) -> NewSubscription {
    NewSubscription::new(format!("https://{name}.example/feed"))
}

async fn store(library: &Library, feed_id: i64, numbers: std::ops::Range<i64>) -> Result<(), LibraryError> {
    let item = |n: i64| Intent::Insert(Box::new(NewItem { key: n.to_string(), sort_at: n, ..NewItem::default() }));
    let incoming = Incoming::of_items(feed_id, numbers.map(item).collect());
    library.polls().store(&[&incoming]).await.map(|_| ())
}

async fn articles(library: &Library, source: Source) -> usize {
    let query = ListQuery::newest(source, 400);
    library.lists().page(query).await.unwrap().0.len()
}

/// Runs as the other process of the tests below. Prints a line when it has begun, and continues when it reads a line.
#[tokio::test]
async fn other() {
    let (Some(folder), Ok(what)) = (std::env::var_os("OTHER_FOLDER"), std::env::var("OTHER_WHAT")) else { return };
    let folder = Path::new(&folder);
    let wait = || {
        println!("begun");
        std::io::stdout().flush().unwrap();
        std::io::stdin().read_line(&mut String::new()).unwrap();
    };
    if what == "hold" {
        let mut connection = dump::connect(folder).await.unwrap();
        sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut connection).await.unwrap();
        wait();
        sqlx::raw_sql("COMMIT").execute(&mut connection).await.unwrap();
        return connection.close().await.unwrap();
    }
    let library = Library::open(folder).await.unwrap();
    let id = library.subscriptions().add(&feed(&what)).await.unwrap();
    wait();
    for n in 0..60 {
        store(&library, id, n..n + 1).await.unwrap();
        let newest = ListQuery { unread_only: true, ..ListQuery::newest(Source::Feed(id), 1) };
        let row = library.lists().page(newest).await.unwrap().0.remove(0);
        library.articles().mark(&[row.id], Some(n % 2 == 0), Some(true)).await.unwrap();
    }
    library.close().await.unwrap();
}

struct Other(Child);

impl Other {
    fn begin(folder: &Path, what: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "other", "--nocapture"]).env("OTHER_FOLDER", folder).env("OTHER_WHAT", what);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(said.any(|line| line.unwrap().ends_with("begun")));
        // Reads its further output, which would block it otherwise.
        std::thread::spawn(move || said.for_each(drop));
        Self(child)
    }

    fn go_on(&mut self) {
        self.0.stdin.take().unwrap().write_all(b"on\n").unwrap();
    }

    fn end(mut self) {
        assert!(self.0.wait().unwrap().success());
    }
}

#[tokio::test]
async fn a_lock_of_another_process_gives_an_error_and_does_not_stop_reading() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let id = library.subscriptions().add(&feed("a")).await.unwrap();
    store(&library, id, 0..5).await.unwrap();
    let mut other = Other::begin(folder.path(), "hold");
    // The other process keeps the lock until `go_on` below, so the error shows that the wait has a limit.
    let error = store(&library, id, 5..9).await.unwrap_err();
    assert!(matches!(error, LibraryError::Locked), "{error:?}");
    assert_eq!(articles(&library, Source::All).await, 5, "a writer does not block readers");
    other.go_on();
    other.end();
    store(&library, id, 5..9).await.unwrap();
    assert_eq!(articles(&library, Source::All).await, 9);
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn two_processes_write_at_the_same_time_without_loss() {
    let folder = tempfile::tempdir().unwrap();
    Library::open(folder.path()).await.unwrap().close().await.unwrap();
    let mut others = [Other::begin(folder.path(), "one"), Other::begin(folder.path(), "two")];
    others.iter_mut().for_each(Other::go_on);
    others.into_iter().for_each(Other::end);
    let library = Library::open(folder.path()).await.unwrap();
    let counts = library.counts().by_feed().await.unwrap();
    assert_eq!(counts.iter().map(|c| (c.items, c.unread, c.starred)).collect::<Vec<_>>(), [(60, 30, 60), (60, 30, 60)]);
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

/// A folder on a disk of its own that can be made read-only, since root ignores permissions.
struct Disk(tempfile::TempDir);

impl Disk {
    fn mount(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "gleaner-test"]).arg(self.0.path()).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _unmounted = Command::new("umount").arg("-l").arg(self.0.path()).stderr(Stdio::null()).status();
    }
}

#[tokio::test]
async fn a_read_only_folder_gives_an_error_and_stays_unchanged() {
    let disk = Disk(tempfile::tempdir().unwrap());
    let mounted = disk.mount("size=16m");
    let folder = disk.0.path().join("library");
    let library = Library::open(&folder).await.unwrap();
    let id = library.subscriptions().add(&feed("a")).await.unwrap();
    store(&library, id, 0..5).await.unwrap();
    library.close().await.unwrap();
    let before = dump::everything(&folder).await;
    let writable = |yes: bool| {
        if mounted {
            assert!(disk.mount(if yes { "remount,rw" } else { "remount,ro" }));
        } else {
            let mut permissions = fs::metadata(&folder).unwrap().permissions();
            std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, if yes { 0o755 } else { 0o555 });
            fs::set_permissions(&folder, permissions).unwrap();
        }
    };
    writable(false);
    if fs::write(folder.join("probe"), "").is_ok() {
        eprintln!("skipped: a user who may write everywhere but not mount cannot make a folder read-only");
        return;
    }
    let error = Library::open(&folder).await.unwrap_err();
    assert!(matches!(&error, LibraryError::ReadOnly { .. }), "{error:?}");
    assert!(error.to_string().contains("cannot write the library"), "{error}");
    writable(true);
    assert_eq!(dump::everything(&folder).await, before);
    let library = Library::open(&folder).await.unwrap();
    store(&library, id, 5..9).await.unwrap();
    assert_eq!(articles(&library, Source::All).await, 9);
}

fn dated(path: &Path, days_from_now: i64, name: &str) -> std::path::PathBuf {
    let day = Duration::from_millis(u64::try_from(days_from_now.abs() * DAY).unwrap());
    let moment = if days_from_now < 0 { SystemTime::now() - day } else { SystemTime::now() + day };
    let seconds = i64::try_from(moment.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()).unwrap();
    let moment = chrono::DateTime::from_timestamp(seconds, 0).unwrap().format("%Y%m%dT%H%M%S000");
    let dated = path.with_file_name(format!("{moment}-{name}.sqlite"));
    fs::rename(path, &dated).unwrap();
    dated
}

#[tokio::test]
async fn backups_continue_after_the_clock_was_set_back() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    library.subscriptions().add(&feed("a")).await.unwrap();
    // Created while the clock was years fast.
    let mut future = Vec::new();
    for days in [400, 401, 402] {
        let backup = library.back_up(Occasion::Daily).await.unwrap();
        future.push(dated(&backup.path, days, "daily"));
    }
    library.subscriptions().add(&feed("b")).await.unwrap();
    let made = library.back_up_daily().await.unwrap().expect("backups with future dates do not count");
    assert!(made.path.exists(), "the new backup is not deleted as the oldest");
    assert!(future.iter().all(|path| path.exists()), "backups with future dates are not deleted");
    assert_eq!(library.back_up_daily().await.unwrap(), None, "one a day");
    dated(&made.path, -2, "daily");
    library.subscriptions().add(&feed("c")).await.unwrap();
    assert!(library.back_up_daily().await.unwrap().is_some_and(|backup| backup.path.exists()));
}

#[tokio::test]
async fn former_versions_are_retained_after_the_clock_was_set_back() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed_id = library.subscriptions().add(&feed("a")).await.unwrap();
    store(&library, feed_id, 0..1).await.unwrap();
    let change = async |title: &str| {
        let item = NewItem { key: "0".to_owned(), title: title.to_owned(), ..NewItem::default() };
        let incoming = Incoming::of_items(feed_id, vec![Intent::Update(1, Box::new(item))]);
        library.polls().store(&[&incoming]).await.unwrap();
    };
    for edition in 0..30 {
        change(&format!("fast {edition}")).await;
    }
    let mut connection = dump::connect(folder.path()).await.unwrap();
    sqlx::query("UPDATE versions SET at = at + ?").bind(400 * DAY).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    for edition in 0..3 {
        change(&format!("now {edition}")).await;
    }
    let titles: Vec<String> =
        library.versions().of_article(1).await.unwrap().into_iter().map(|version| version.title).collect();
    assert_eq!(titles[..3], ["now 1", "now 0", "fast 29"], "newest first, by order of change");
    assert_eq!(titles.len(), 20);
}

#[tokio::test]
async fn polling_resumes_after_a_wrong_clock_postponed_it_for_years() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed_id = library.subscriptions().add(&feed("a")).await.unwrap();
    let now = gleaner_library::now();
    let poll = Poll { feed_id, next_at: Some(now + 4000 * DAY), ..Poll::default() };
    let wait = Some(("a.example".to_owned(), now + 4000 * DAY));
    library.polls().store(&[&Incoming { poll, wait, ..Incoming::default() }]).await.unwrap();
    let furthest = now + 40 * DAY;
    assert_eq!(library.polls().due(now, furthest).await.unwrap().len(), 1);
    assert!(library.hosts().waiting(now, furthest).await.unwrap().is_empty());
}
