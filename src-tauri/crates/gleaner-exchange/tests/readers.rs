//! Imports data of other readers into a real library, and then polls its feeds from a loopback server.
//! tests/fixtures/readers/README.md describes how the fixtures were made.
// long: one check for every reader, and the odd files of each.
#![allow(clippy::unwrap_used)]

use gleaner_exchange::readers::{self, ImportError, ImportResult, SkipReason};
use gleaner_fetch::{Fetcher, Settings};
use gleaner_library::{Library, NewSubscription};
use gleaner_polling::{Poller, Scope};
use gleaner_testserver::{Reply, Server};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Row as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A time later than all dates in the fixtures.
const NOW: i64 = 1_796_000_000_000;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/readers").join(name)
}

async fn library() -> (TempDir, Arc<Library>) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    (folder, Arc::new(library))
}

async fn import(library: &Library, path: &Path) -> Result<Vec<ImportResult>, ImportError> {
    let mut all = Vec::new();
    for found in readers::find(path)? {
        let mut data = readers::open(&found).await?;
        all.push(readers::import(library, &mut data, NOW, |_| true).await?);
    }
    Ok(all)
}

/// Opens a SQLite database.
async fn sqlite(file: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(file).connect().await.unwrap()
}

/// Returns the contents of a library as text.
async fn dump(folder: &TempDir, library: &Library) -> String {
    let mut lines = String::new();
    for feed in library.subscriptions().tree().await.unwrap().feeds {
        let id = library.feeds().find_by_url(&feed.url).await.unwrap().unwrap();
        let refresh_minutes =
            library.preferences().get(gleaner_library::FeedScope::Feed(id)).await.unwrap().own.refresh_minutes;
        writeln!(
            lines,
            "# {} | {} | {} | home {:?} | {refresh_minutes:?}",
            feed.folder.join("/"),
            feed.title,
            feed.url,
            feed.home_url
        )
        .unwrap();
    }
    let mut connection = sqlite(&folder.path().join("library.sqlite")).await;
    let rows = sqlx::query(
        "SELECT i.id, f.url, i.key, i.title, i.author, i.url, i.published_at, i.updated_at, i.sort_at, s.read, s.starred, s.hidden,
            (SELECT group_concat(t.name) FROM item_tags m JOIN tags t ON t.id = m.tag_id WHERE m.item_id = i.id),
            (SELECT group_concat(e.url || ' ' || ifnull(e.mime_type, '')) FROM enclosures e WHERE e.item_id = i.id)
         FROM items i JOIN feeds f ON f.id = i.feed_id JOIN states s ON s.item_id = i.id ORDER BY f.url, i.sort_at, i.key",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    for row in rows {
        let text = |at: usize| row.get::<Option<String>, _>(at).unwrap_or_default();
        let number = |at: usize| row.get::<Option<i64>, _>(at).unwrap_or_default();
        let marks: Vec<&str> = [(9, "read"), (10, "starred"), (11, "hidden")]
            .into_iter()
            .filter(|(at, _)| number(*at) != 0)
            .map(|(_, mark)| mark)
            .collect();
        writeln!(lines, "{} | {} | {} | by {:?} | {}", text(1), text(2), text(3), text(4), text(5)).unwrap();
        writeln!(lines, "    {} {} {} | {} | tags {:?}", number(6), number(7), number(8), marks.join(" "), text(12))
            .unwrap();
        let body = library.articles().text(row.get(0)).await.unwrap();
        if let Some(body) = body.content {
            writeln!(lines, "    {} @ {}", body.html, body.base.unwrap_or_default()).unwrap();
        }
        if let Some(body) = body.summary {
            writeln!(lines, "    summary {}", body.html).unwrap();
        }
        for more in [body.categories.join(", "), text(13)].iter().filter(|more| !more.is_empty()) {
            writeln!(lines, "    {more}").unwrap();
        }
    }
    lines
}

/// Polls the feeds of a library from the test's server: first those that are polled automatically, then all of that server.
/// Returns the numbers of new articles.
async fn poll(folder: &TempDir, library: &Arc<Library>) -> (usize, usize) {
    let server = Server::start().await;
    for name in ["news.xml", "notes.xml", "plain.xml"] {
        server.on(&format!("/{name}"), Reply::ok(fs::read_to_string(fixture("site").join(name)).unwrap()));
    }
    let mut connection = sqlite(&folder.path().join("library.sqlite")).await;
    let address = server.url("");
    let moved = sqlx::query_scalar("UPDATE feeds SET url = replace(url, ?1, ?2) WHERE instr(url, ?1) = 1 RETURNING id")
        .bind("http://127.0.0.1:47611")
        .bind(address.trim_end_matches('/'));
    let moved: Vec<i64> = moved.fetch_all(&mut connection).await.unwrap();
    let poller = Poller::new(library.clone(), Fetcher::with(Settings::default()).unwrap());
    let mut new = Vec::new();
    let all = moved.len();
    for (scope, least) in [(Scope::Due, 0), (Scope::Feeds(moved), all)] {
        let summary = poller.refresh(scope, CancellationToken::new(), |_| {}).await.unwrap();
        assert!(summary.failed == 0 && summary.requested >= least, "{summary:?}");
        new.push(summary.items_new);
    }
    (new[0], new[1])
}

/// Returns the titles that occur twice in a feed.
async fn doubles(folder: &TempDir) -> Vec<String> {
    let mut connection = sqlite(&folder.path().join("library.sqlite")).await;
    let sql = "SELECT title FROM items GROUP BY feed_id, title HAVING count(*) > 1";
    sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap()
}

/// Imports the data of another reader twice, which must have the same result as once, and polls. Only articles that the other reader did
/// not have may be new: first those of feeds that are polled automatically, then those of the others.
async fn check_import(name: &str, new_from_feeds: (usize, usize)) -> String {
    let (folder, library) = library().await;
    let before: Vec<(PathBuf, Vec<u8>)> = files(&fixture(name));
    let first = import(&library, &fixture(name)).await.unwrap();
    let (articles, known) = first.iter().fold((0, 0), |(a, k), done| (a + done.articles.articles, k + done.known));
    let whole = dump(&folder, &library).await;

    let second = import(&library, &fixture(name)).await.unwrap();
    assert_eq!(dump(&folder, &library).await, whole, "{name}: importing again changes nothing");
    for done in &second {
        assert_eq!(done.articles, gleaner_library::ImportedCounts::default(), "{name}");
        assert!(done.added.is_empty() && done.unpolled.is_empty() && done.folders.is_empty(), "{name}: {done:?}");
    }
    assert_eq!(second.iter().map(|done| done.known).sum::<usize>(), articles + known, "{name}");
    assert_eq!(files(&fixture(name)), before, "{name}: other programs' files are not touched");

    let marks = marks(&folder).await;
    assert_eq!(poll(&folder, &library).await, new_from_feeds, "{name}: {}", dump(&folder, &library).await);
    assert_eq!(doubles(&folder).await, Vec::<String>::new(), "{name}");
    let after = self::marks(&folder).await;
    assert!(marks.iter().all(|mark| after.contains(mark)), "{name}: {marks:?} {after:?}");
    assert!(library.check(false).await.unwrap().findings.is_empty(), "{name}");
    whole + &corrected(&folder).await
}

/// Returns the articles whose text in the feed differs from that of the other reader.
async fn corrected(folder: &TempDir) -> String {
    let mut connection = sqlite(&folder.path().join("library.sqlite")).await;
    let sql = "SELECT title FROM items WHERE id IN (SELECT item_id FROM versions) ORDER BY title";
    let titles: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap();
    format!("with another text in the feed: {titles:?}\n")
}

async fn marks(folder: &TempDir) -> Vec<(String, i64, i64, i64)> {
    let mut connection = sqlite(&folder.path().join("library.sqlite")).await;
    let sql = "SELECT i.title, s.read, s.starred, s.hidden FROM items i JOIN states s ON s.item_id = i.id";
    sqlx::query_as(sql).fetch_all(&mut connection).await.unwrap()
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

macro_rules! check_import {
    ($($test:ident, $fixture:literal, $new:expr;)*) => {$(
        #[tokio::test]
        async fn $test() {
            insta::assert_snapshot!($fixture, check_import($fixture, $new).await);
        }
    )*};
}

check_import! {
    liferea, "liferea", (0, 0);
    newsboat, "newsboat", (0, 0);
    quiterss, "quiterss", (0, 0);
    rssguard, "rssguard", (0, 0);
    // It has no plain.xml.
    gpodder, "gpodder", (0, 0);
    // Only the list of feeds.
    thunderbird, "thunderbird", (5, 0);
    // These have only some of the feeds' articles and do not follow plain.xml.
    netnewswire, "netnewswire", (2, 1);
    freshrss, "freshrss", (2, 0);
    freshrss_export, "freshrss-export", (1, 0);
    // These exports do not contain subscriptions.
    google_reader, "google", (0, 3);
    inoreader, "inoreader", (0, 1);
    feedly, "feedly", (0, 1);
    // Its articles do not name their feeds.
    feedbin, "feedbin", (0, 0);
}

#[tokio::test]
async fn existing_articles_keep_their_text_and_gain_marks() {
    let (folder, library) = library().await;
    library.subscriptions().add(&NewSubscription::new("http://127.0.0.1:47611/news.xml")).await.unwrap();
    assert_eq!(poll(&folder, &library).await, (3, 0));
    let mut connection = sqlite(&folder.path().join("library.sqlite")).await;
    let back = "UPDATE feeds SET url = 'http://127.0.0.1:47611/news.xml'";
    sqlx::query(back).execute(&mut connection).await.unwrap();
    let text = "SELECT hex(content) FROM bodies ORDER BY item_id";
    let before: Vec<Option<String>> = sqlx::query_scalar(text).fetch_all(&mut connection).await.unwrap();

    let done = import(&library, &fixture("rssguard")).await.unwrap().remove(0);
    assert_eq!((done.known, done.articles.articles, done.already.len()), (3, 4, 1), "{done:?}");
    // "First light" was read there, "Øresund" is important and has a label.
    assert_eq!(done.articles.marked, 2, "{done:?}");
    let after: Vec<Option<String>> = sqlx::query_scalar(text).fetch_all(&mut connection).await.unwrap();
    assert_eq!(after[..before.len()], before);
    let marks = marks(&folder).await;
    for wanted in [("First light", 1, 0), ("Øresund für Anfänger 港", 0, 1), ("The ferry is late & ", 0, 0)] {
        let found = marks.iter().find(|mark| mark.0.starts_with(wanted.0)).unwrap();
        assert_eq!((found.1, found.2, found.3), (wanted.1, wanted.2, 0), "{wanted:?}");
    }
}

#[tokio::test]
async fn deleted_articles_that_another_reader_starred_are_imported_again() {
    let (folder, library) = library().await;
    let done = import(&library, &fixture("rssguard")).await.unwrap().remove(0);
    let mut connection = sqlite(&folder.path().join("library.sqlite")).await;
    let delete = "INSERT INTO tombstones (feed_id, key, canonical_url, title, published_at, digest, at)
            SELECT feed_id, key, canonical_url, title, published_at, digest, 1 FROM items;
        DELETE FROM items";
    let starred = "SELECT title FROM items JOIN states ON item_id = id WHERE starred";
    let before: Vec<String> = sqlx::query_scalar(starred).fetch_all(&mut connection).await.unwrap();
    sqlx::raw_sql(delete).execute(&mut connection).await.unwrap();
    let again = import(&library, &fixture("rssguard")).await.unwrap().remove(0);
    let restored: Vec<String> = sqlx::query_scalar(starred).fetch_all(&mut connection).await.unwrap();
    assert_eq!((again.articles.articles, &restored), (before.len(), &before));
    assert!(!before.is_empty() && before.len() < done.articles.articles, "{before:?}");
    let rest: i64 = sqlx::query_scalar("SELECT count(*) FROM tombstones").fetch_one(&mut connection).await.unwrap();
    assert_eq!(rest as usize, done.articles.articles - again.articles.articles);
}

#[tokio::test]
async fn a_zip_file_is_imported_by_its_contents() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = |name: &str, members: &[(&str, Vec<u8>)]| {
        let path = folder.path().join(name);
        let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        for (name, bytes) in members {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut zip, bytes).unwrap();
        }
        zip.finish().unwrap();
        path
    };
    let members: Vec<(&str, Vec<u8>)> =
        [("../../starred_2026-11-21.json", "starred.json"), ("feeds.opml.xml", "feeds.opml.xml")]
            .into_iter()
            .map(|(name, file)| (name, fs::read(fixture("freshrss-export").join(file)).unwrap()))
            .collect();
    let export = bundle("export.zip", &members);
    let (into, library) = library().await;
    let done = import(&library, &export).await.unwrap();
    assert_eq!(done.iter().map(|done| (done.added.len(), done.articles.starred)).collect::<Vec<_>>(), [(1, 0), (0, 2)]);
    let (other, from_folder) = self::library().await;
    import(&from_folder, &fixture("freshrss-export")).await.unwrap();
    assert_eq!(dump(&into, &library).await, dump(&other, &from_folder).await);

    // A folder of newsboat: its list has no ending, and the log of its database has the only article.
    let cache = folder.path().join("cache.db");
    fs::copy(fixture("newsboat/cache.db"), &cache).unwrap();
    let mut newsboat = sqlite(&cache).await;
    let log = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; UPDATE rss_item SET flags = 's'";
    sqlx::raw_sql(log).execute(&mut newsboat).await.unwrap();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let members = [("n/cache.db", read("cache.db")), ("n/cache.db-wal", read("cache.db-wal"))];
    let list = ("n/urls", b"https://plums.example/feed Fruit".to_vec());
    let zipped = bundle("newsboat.zip", &[&members[..], &[list]].concat());
    let (_into, library) = self::library().await;
    let done = import(&library, &zipped).await.unwrap();
    let starred: usize = done.iter().map(|done| done.articles.starred).sum();
    assert_eq!((done[0].added.len(), starred > 0, starred), (1, true, done[1].articles.articles), "{done:?}");

    let nothing = bundle("nothing.zip", &[("picture.png", b"png".to_vec()), ("a.json", b"{\"a\":1}".to_vec())]);
    let error = import(&library, &nothing).await.unwrap_err().to_string();
    assert!(error.contains("a ZIP file without a known file"), "{error}");
    let whole = fs::read(&export).unwrap();
    fs::write(folder.path().join("cut.zip"), &whole[..whole.len() / 2]).unwrap();
    let error = import(&library, &folder.path().join("cut.zip")).await.unwrap_err().to_string();
    assert!(error.contains("a damaged ZIP file"), "{error}");
}

#[tokio::test]
async fn a_long_list_of_newsboat_is_recognised_wherever_its_beginning_ends() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("urls");
    let lines: String = (0..3000).map(|n| format!("https://grain{n}.example/feed\n")).collect();
    for indent in 0..32 {
        fs::write(&list, format!("# {}\n{lines}", "-".repeat(indent))).unwrap();
        let found = readers::find(&list).unwrap();
        assert_eq!((found.len(), found[0].kind), (1, readers::Kind::Urls), "{indent}");
    }
    assert_eq!(readers::open(&readers::find(&list).unwrap()[0]).await.unwrap().feeds.len(), 3000);
    // The list of downloads next to it contains no feeds.
    fs::write(folder.path().join("queue"), "https://grain.example/1.mp3 \"/home/ada/1.mp3\" played\n").unwrap();
    let found = readers::find(folder.path()).unwrap();
    assert_eq!(found.iter().map(|found| &found.path).collect::<Vec<_>>(), [&list]);
}

#[tokio::test]
async fn other_files_are_identified_in_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let (_into, library) = library().await;
    let database = |name: &str, sql: &str| {
        let (file, sql) = (folder.path().join(name), sql.to_owned());
        async move {
            let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut options.connect().await.unwrap()).await.unwrap();
        }
    };
    database("other.db", "CREATE TABLE cookies (a); CREATE TABLE hosts (b)").await;
    database("old.db", "CREATE TABLE rss_feed (rssurl, url, title); CREATE TABLE rss_item (guid, title, author, url)")
        .await;
    // Reading a view would run the SQL in its definition.
    database("view.db", "CREATE TABLE rss_feed (rssurl, url, title); CREATE VIEW rss_item AS SELECT 1 AS guid").await;
    let header = [b"SQLite format 3\0".as_slice(), &[7; 5000]].concat();
    let library_itself = _into.path().join("library.sqlite");
    for (name, bytes, words) in [
        ("other.db", None, "a database of another program; its tables: cookies, hosts"),
        (
            "old.db",
            None,
            "database of newsboat, of a version that Gleaner does not know: its table rss_item has no feedurl",
        ),
        ("view.db", None, "its tables: rss_feed"),
        ("header.db", Some(header.as_slice()), "a damaged database"),
        ("cut.json", Some(b"{\"items\": [{\"title\"".as_slice()), "damaged JSON"),
        ("bad.json", Some(b"{items: 1}"), "damaged JSON"),
        ("other.json", Some(b"{\"followers\": []}"), "JSON without articles"),
        ("feed.json", Some(b"{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": []}"), "a JSON Feed"),
        ("list.json", Some(b"[1, 2]"), "JSON without articles"),
        ("page.html", Some(b"<html><body>x</body></html>"), "a web page, not an OPML list"),
        ("empty", Some(b""), "the file is empty"),
        ("nowhere/file", None, "could not be read"),
    ] {
        let path = folder.path().join(name);
        if let Some(bytes) = bytes {
            fs::write(&path, bytes).unwrap();
        }
        let error = import(&library, &path).await.unwrap_err().to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
    let error = import(&library, &library_itself).await.unwrap_err().to_string();
    assert!(error.contains("a library of Gleaner"), "{error}");
    let nothing = tempfile::tempdir().unwrap();
    let error = import(&library, nothing.path()).await.unwrap_err().to_string();
    assert!(error.contains("a folder without a known file"), "{error}");
    assert!(library.feeds().list().await.unwrap().is_empty());
}

/// Damage at any position of a database causes a partial import or an error, never a crash.
#[tokio::test]
async fn damaged_databases_are_imported_in_part_or_reported() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(fixture("newsboat/cache.db")).unwrap();
    let file = folder.path().join("cache.db");
    let mut failures = 0;
    for at in (0..whole.len()).step_by(4096) {
        for cut in [true, false] {
            let mut bytes = whole.clone();
            if cut {
                bytes.truncate(at.max(100));
            } else {
                bytes[at..(at + 4096).min(whole.len())].fill(0xa5);
            }
            fs::write(&file, &bytes).unwrap();
            let (_into, library) = library().await;
            match import(&library, &file).await {
                Err(error) => {
                    failures += 1;
                    assert!(!error.to_string().is_empty());
                }
                Ok(done) => assert!(done.iter().all(|done| done.articles.articles <= 7), "{done:?}"),
            }
            assert!(library.check(false).await.unwrap().findings.is_empty());
        }
    }
    assert!(failures > 0);
}

#[tokio::test]
async fn reads_a_database_in_use_with_its_log_without_changing_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("liferea.db");
    fs::copy(fixture("liferea/liferea.db"), &file).unwrap();
    let options = SqliteConnectOptions::new().filename(&file).journal_mode(sqlx::sqlite::SqliteJournalMode::Wal);
    let mut program = options.connect().await.unwrap();
    for sql in ["UPDATE items SET marked = 1 WHERE title = 'Of rye'", "BEGIN IMMEDIATE", "UPDATE items SET marked = 1"]
    {
        sqlx::raw_sql(sql).execute(&mut program).await.unwrap();
    }
    let before = files(folder.path());
    assert!(before.iter().any(|(path, bytes)| path.ends_with("liferea.db-wal") && !bytes.is_empty()));
    let (into, library) = library().await;
    let done = import(&library, &file).await.unwrap().remove(0);
    assert_eq!((done.articles.articles, done.articles.starred), (7, 2), "committed data only");
    assert_eq!(marks(&into).await.iter().filter(|(_, _, starred, _)| *starred == 1).count(), 2);
    let after = files(folder.path());
    let without_shm = |files: &[(PathBuf, Vec<u8>)]| -> Vec<(PathBuf, Vec<u8>)> {
        files.iter().filter(|(path, _)| !path.ends_with("liferea.db-shm")).cloned().collect()
    };
    assert_eq!(without_shm(&after), without_shm(&before));
    sqlx::raw_sql("ROLLBACK").execute(&mut program).await.unwrap();
}

/// A SQLite journal can name a super-journal, which SQLite deletes after rolling back.
#[tokio::test]
async fn does_not_delete_a_file_that_a_journal_names() {
    let folder = tempfile::tempdir().unwrap();
    let precious = folder.path().join("precious");
    fs::write(&precious, "all I have").unwrap();
    let file = folder.path().join("liferea.db");
    fs::copy(fixture("liferea/liferea.db"), &file).unwrap();
    let name = precious.to_str().unwrap().as_bytes();
    let sum = name.iter().fold(0_u32, |sum, byte| sum.wrapping_add(byte.cast_signed() as u32));
    let mut journal = vec![1_u8; 1024];
    journal.extend(name);
    journal.extend(u32::try_from(name.len()).unwrap().to_be_bytes());
    journal.extend(sum.to_be_bytes());
    journal.extend([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
    fs::write(folder.path().join("liferea.db-journal"), &journal).unwrap();
    let (_home, library) = library().await;
    let imported = import(&library, &file).await.unwrap();
    assert!(!imported.is_empty());
    assert_eq!(fs::read_to_string(&precious).unwrap(), "all I have");
    assert_eq!(fs::read(folder.path().join("liferea.db-journal")).unwrap(), journal);
}

#[tokio::test]
async fn odd_exports_are_read_as_far_as_they_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("export");
    let item = |id: &str, more: &str| {
        format!(
            "{{\"guid\":\"{id}\",\"title\":\"T {id}\",\"origin\":{{\"streamId\":\"feed/https://a.example/feed\"}}{more}}}"
        )
    };
    // One article twice, once read and once starred; values of wrong types; an address that runs a script.
    let items = [
        item("a", ",\"categories\":[\"user/-/state/com.google/read\"]"),
        item("a", ",\"categories\":[\"user/-/state/com.google/starred\",\"user/-/label/x\"],\"unread\":true"),
        item(
            "b",
            ",\"published\":\"1600000000\",\"alternate\":{\"href\":\"javascript:alert(1)\"},\"categories\":7,\"enclosure\":null",
        ),
        item("c", ",\"published\":1e300,\"content\":[],\"summary\":\"text\",\"author\":{}"),
        "null".to_owned(),
    ];
    let text = format!("{{\"items\":[{}]}}", items.join(","));
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    for bytes in [text.clone().into_bytes(), format!("\u{feff}{text}").into_bytes(), wide] {
        fs::write(&file, bytes).unwrap();
        let (into, library) = library().await;
        let done = import(&library, &file).await.unwrap().remove(0);
        assert_eq!((done.articles.articles, done.articles.starred, done.articles.unread), (3, 1, 0), "{done:?}");
        assert_eq!((done.unpolled.len(), done.skipped.len()), (1, 1), "{done:?}");
        let dump = dump(&into, &library).await;
        assert!(!dump.contains("javascript") && dump.contains("tags \"x\""), "{dump}");
    }
}

/// Exports are imported while they are read: neither long nor malicious ones are loaded into memory.
#[tokio::test]
async fn a_long_export_is_imported_in_batches_and_malicious_ones_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("export.json");
    let items: Vec<String> = (0..5000)
        .map(|n| {
            format!("{{\"guid\":\"{n}\",\"title\":\"T{n}\",\"origin\":{{\"streamId\":\"feed/https://a.example/\"}}}}")
        })
        .collect();
    // A property of all articles may follow them.
    fs::write(&file, format!("{{\"items\":[{}],\"id\":\"user/1/state/com.google/starred\"}}", items.join(",")))
        .unwrap();
    let (_into, library) = library().await;
    let mut data = readers::open(&readers::find(&file).unwrap().remove(0)).await.unwrap();
    let mut steps = Vec::new();
    let step = |step| {
        steps.extend(matches!(step, readers::Step::Articles(_)).then_some(step));
        true
    };
    let done = readers::import(&library, &mut data, NOW, step).await.unwrap();
    assert_eq!((done.articles.articles, done.articles.starred), (5000, 5000));
    assert!(steps.len() >= 10, "{steps:?}");

    let odd = |text: String| {
        fs::write(&file, text).unwrap();
        async { import(&library, &file).await }
    };
    for (text, words) in [
        (format!("{{\"items\":[[{}1]]}}", "1,".repeat(9 << 20)), "longer than any article"),
        (format!("{{\"items\":[{{\"title\":\"{}\"}}]}}", "x".repeat(17 << 20)), "longer than any article"),
        (format!("{{\"items\":{}", "[".repeat(9000)), "recursion limit"),
        ("{\"items\":[{\"origin\":1},]}".to_owned(), "damaged JSON"),
        ("{\"items\":[{\"origin\":1}".to_owned(), "damaged JSON"),
        ("{\"items\":{\"origin\":1}}".to_owned(), "JSON without articles"),
    ] {
        let error = odd(text).await.unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
    }
    let unlisted = format!("{{\"items\":[{}{{}}]}}", "{\"origin\":{}},".repeat(5000));
    let done = odd(unlisted).await.unwrap().remove(0);
    assert!(
        done.skipped.len() < 200 && done.skipped.last().unwrap().why == SkipReason::MoreWithoutFeed { count: 4901 },
        "{:?}",
        done.skipped.last()
    );
}

#[tokio::test]
async fn cancelling_keeps_imported_articles_and_the_next_import_continues() {
    let folder = tempfile::tempdir().unwrap();
    let items: Vec<String> = (0..1200)
        .map(|n| {
            format!(
                "{{\"guid\":\"{n}\",\"title\":\"T{n}\",\"origin\":{{\"streamId\":\"feed/https://a.example/{}\"}}}}",
                n % 7
            )
        })
        .collect();
    let file = folder.path().join("export.json");
    fs::write(&file, format!("{{\"items\":[{}]}}", items.join(","))).unwrap();
    let (_into, library) = library().await;
    let found = readers::find(&file).unwrap().remove(0);
    let mut data = readers::open(&found).await.unwrap();
    let stop = |step| !matches!(step, readers::Step::Articles(_));
    let done = readers::import(&library, &mut data, NOW, stop).await.unwrap();
    assert!(done.cancelled);
    assert_eq!((done.unpolled.len(), done.articles.articles), (7, 500));
    let done = import(&library, &file).await.unwrap().remove(0);
    assert_eq!((done.articles.articles, done.known), (700, 500));
    let mut data = readers::open(&found).await.unwrap();
    let survey = readers::survey(&mut data).await.unwrap();
    assert_eq!((survey.articles, survey.read, survey.starred), (1200, 0, 0));
}
