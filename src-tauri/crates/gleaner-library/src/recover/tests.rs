#![allow(clippy::unwrap_used)]
use super::*;
use crate::{Body, CommonWords, Incoming, Intent, Millis, NewItem, NewSubscription, Occasion, Texts, restore};
use std::{
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    iter,
};

const ASIDE: &str = "aside";

const ARTICLES: i64 = 300;

async fn filled(folder: &Path) -> Library {
    let library = Library::open(folder).await.unwrap();
    let new = NewSubscription {
        url: "https://a.example/".to_owned(),
        folder: vec!["F".to_owned()],
        ..NewSubscription::default()
    };
    let feed_id = library.subscriptions().add(&new).await.unwrap();
    let item = |number: i64| {
        // Long and incompressible, so that texts are spread over the file.
        let html: String =
            (0..40).map(|n| blake3::hash(format!("{number} {n}").as_bytes()).to_hex().to_string()).collect();
        let texts = Texts::pack(Some(&Body { html, base: None }), None);
        let (key, title) = (number.to_string(), format!("Article {number}"));
        Intent::Insert(Box::new(NewItem { key, title, texts, digest: vec![0; 16], ..NewItem::default() }))
    };
    let intents = (0..ARTICLES).map(item).collect();
    library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
    library.articles().mark(&[7], None, Some(true)).await.unwrap();
    let unindexed = library.search_index().pending(None, 100).await.unwrap();
    library
        .search_index()
        .add(&unindexed.iter().map(|article| article.indexed("text", &CommonWords::default())).collect::<Vec<_>>())
        .await
        .unwrap();
    library
}

async fn starred(library: &Library) -> i64 {
    library.counts().by_feed().await.unwrap().iter().map(|feed| feed.starred).sum()
}

fn scribble(folder: &Path, page: u64) {
    let mut file = File::options().write(true).open(folder.join("library.sqlite")).unwrap();
    file.seek(SeekFrom::Start(page * 8192)).unwrap();
    file.write_all(&[0xa5; 8192]).unwrap();
}

#[tokio::test]
async fn restores_a_backup_and_moves_the_library_aside() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path()).await;
    let backup = library.back_up(Occasion::ByHand).await.unwrap();
    library.articles().mark(&[8], None, Some(true)).await.unwrap();
    assert!(matches!(restore(folder.path(), &backup.path).await, Err(LibraryError::Locked)), "it is open");
    library.close().await.unwrap();
    let aside = restore(folder.path(), &backup.path).await.unwrap();
    let (back, before) = (Library::open(folder.path()).await.unwrap(), Library::open(&aside).await.unwrap());
    assert_eq!((starred(&back).await, starred(&before).await), (1, 2));
    // A file that is not a library does not replace one.
    back.close().await.unwrap();
    let junk = folder.path().join("junk");
    fs::write(&junk, "x".repeat(9000)).unwrap();
    assert!(matches!(restore(folder.path(), &junk).await, Err(LibraryError::Damaged { .. })));
    assert_eq!(starred(&Library::open(folder.path()).await.unwrap()).await, 1);
}

#[tokio::test]
async fn restores_a_backup_where_there_is_no_library() {
    let (folder, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let library = filled(folder.path()).await;
    let backup = library.back_up(Occasion::ByHand).await.unwrap();
    let new = new.path().join("new");
    restore(&new, &backup.path).await.unwrap();
    assert_eq!(starred(&Library::open(&new).await.unwrap()).await, 1);
}

#[tokio::test]
async fn restores_what_is_only_in_the_log() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    filled(folder.path()).await.close().await.unwrap();
    // What is written while the library is open stays in the log, as after a kill.
    let open = filled(other.path()).await;
    assert!(fs::metadata(other.path().join("library.sqlite-wal")).unwrap().len() > 0);
    restore(folder.path(), &other.path().join(DATABASE)).await.unwrap();
    open.close().await.unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    assert_eq!((library.feeds().list().await.unwrap().len(), starred(&library).await), (1, 1));
}

#[tokio::test]
async fn does_not_recover_a_newer_library() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path()).await.close().await.unwrap();
    let file = folder.path().join(DATABASE);
    let mut bytes = fs::read(&file).unwrap();
    bytes[60..64].copy_from_slice(&900_u32.to_be_bytes());
    fs::write(&file, &bytes).unwrap();
    assert!(matches!(recover(folder.path()).await, Err(LibraryError::Newer { found: 900, .. })));
    assert!(fs::read(&file).unwrap() == bytes && !folder.path().join(ASIDE).exists());
}

#[tokio::test]
async fn recovers_the_rest_whichever_page_is_damaged() {
    let origin = tempfile::tempdir().unwrap();
    let library = filled(origin.path()).await;
    let backup = library.back_up(Occasion::Daily).await.unwrap();
    library.close().await.unwrap();
    let mut whole = Vec::new();
    File::open(origin.path().join("library.sqlite")).unwrap().read_to_end(&mut whole).unwrap();
    let pages = whole.len() as u64 / 8192;
    let empty = tempfile::tempdir().unwrap();
    Library::open(empty.path()).await.unwrap().close().await.unwrap();
    let roots = fs::metadata(empty.path().join("library.sqlite")).unwrap().len() / 8192;
    // The first pages are the schema and the roots of tables and indexes, whose content comes from the backup: these roots are damaged
    // four at a time. For the other pages, and the very first, the rest is enough.
    let quarter = (roots - 1).div_ceil(4);
    let roots_together = (1..=quarter).map(|first| ((first..roots).step_by(quarter as usize).collect(), true));
    let others = iter::once(0).chain((roots..pages).step_by(3)).map(|page| (vec![page], false));
    for (damaged, backed) in roots_together.chain(others) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("library.sqlite"), &whole).unwrap();
        if backed {
            fs::create_dir(folder.path().join("backups")).unwrap();
            fs::copy(&backup.path, folder.path().join("backups").join(backup.path.file_name().unwrap())).unwrap();
        }
        for page in &damaged {
            scribble(folder.path(), *page);
        }
        let recovered = recover(folder.path()).await.unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let verified = library.check(false).await.unwrap();
        // The article whose text was on the damaged page has none.
        assert!(verified.findings.iter().all(|f| f.fault == crate::Fault::MissingTexts), "{damaged:?}: {verified:?}");
        let without: i64 = verified.findings.iter().map(|f| f.count).sum();
        if backed {
            assert_eq!((recovered.feeds, verified.articles, without), (1, ARTICLES, 0), "{damaged:?}: {recovered:?}");
        } else {
            assert!(verified.articles >= ARTICLES - 200 && without < 12, "{damaged:?}: {without}, {recovered:?}");
        }
        assert_eq!(verified.articles, recovered.articles);
        assert_eq!(fs::metadata(recovered.aside.join("library.sqlite")).unwrap().len(), whole.len() as u64);
    }
}

#[tokio::test]
async fn replaces_damaged_texts_by_those_of_the_backup() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path()).await;
    library.back_up(Occasion::Daily).await.unwrap();
    let sql = "UPDATE bodies SET content = substr(content, 1, 20) || x'00' WHERE item_id IN (5, 6)";
    library.db.execute(sqlx::query(sql)).await.unwrap();
    library.close().await.unwrap();
    let backups = folder.path().join("backups");
    let kept = folder.path().join("kept");
    // First without the backup.
    fs::rename(&backups, &kept).unwrap();
    let recovered = recover(folder.path()).await.unwrap();
    assert_eq!((recovered.articles, recovered.lost), (ARTICLES, vec![("texts".to_owned(), 2)]));
    fs::rename(&kept, &backups).unwrap();
    fs::copy(recovered.aside.join(DATABASE), folder.path().join(DATABASE)).unwrap();
    let recovered = recover(folder.path()).await.unwrap();
    assert_eq!((recovered.articles, recovered.lost), (ARTICLES, Vec::new()));
    assert!(recovered.filled_from.is_some());
    let library = Library::open(folder.path()).await.unwrap();
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn recovers_all_rows_if_the_first_page_of_their_table_is_damaged() {
    let origin = tempfile::tempdir().unwrap();
    let library = filled(origin.path()).await;
    let sql = "SELECT rootpage - 1 FROM sqlite_schema WHERE name = ?";
    let mut pages = Vec::new();
    for table in ["items", "bodies"] {
        pages.push(sqlx::query_scalar::<_, i64>(sql).bind(table).fetch_one(&library.db.readers).await.unwrap());
    }
    library.close().await.unwrap();
    for page in pages {
        let folder = tempfile::tempdir().unwrap();
        fs::copy(origin.path().join(DATABASE), folder.path().join(DATABASE)).unwrap();
        scribble(folder.path(), page.try_into().unwrap());
        let recovered = recover(folder.path()).await.unwrap();
        assert_eq!((recovered.articles, recovered.lost), (ARTICLES, Vec::new()));
        let library = Library::open(folder.path()).await.unwrap();
        assert_eq!((starred(&library).await, library.check(false).await.unwrap().findings), (1, Vec::new()));
    }
}

#[tokio::test]
async fn finds_tables_that_the_schema_has_lost() {
    let origin = tempfile::tempdir().unwrap();
    filled(origin.path()).await.close().await.unwrap();
    // Its tables are in another order.
    let restored = tempfile::tempdir().unwrap();
    restore(restored.path(), &origin.path().join(DATABASE)).await.unwrap();
    for origin in [origin, restored] {
        let file = origin.path().join(DATABASE);
        let pages = first_page::schema_pages(&mut File::open(&file).unwrap()).unwrap();
        assert!(pages.len() > 3);
        for page in &pages {
            let folder = tempfile::tempdir().unwrap();
            fs::copy(&file, folder.path().join(DATABASE)).unwrap();
            scribble(folder.path(), u64::from(page.number) - 1);
            let recovered = recover(folder.path()).await.unwrap();
            assert_eq!(recovered.lost, [(DATABASE.to_owned(), 1)], "{}", page.number);
            assert_eq!((recovered.feeds, recovered.articles), (1, ARTICLES));
            let library = Library::open(folder.path()).await.unwrap();
            assert_eq!((starred(&library).await, library.check(false).await.unwrap().findings), (1, Vec::new()));
        }
    }
}

#[tokio::test]
async fn recovers_the_rest_of_a_file_without_its_end() {
    let origin = tempfile::tempdir().unwrap();
    filled(origin.path()).await.close().await.unwrap();
    let whole = fs::read(origin.path().join(DATABASE)).unwrap();
    let tenth = whole.len() / 10;
    for kept in [whole.len() - tenth, whole.len() - tenth / 2, whole.len() - 1] {
        // Cut off, and overwritten by zeros from the middle of a page on.
        for zeros in [false, true] {
            let kept = kept / 8192 * 8192 + 4096;
            let mut rest = whole[..kept].to_vec();
            rest.resize(if zeros { whole.len() } else { kept }, 0);
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(DATABASE), rest).unwrap();
            let recovered = recover(folder.path()).await.unwrap();
            let texts = recovered.lost.iter().find(|(part, _)| part == "texts").map_or(0, |(_, number)| *number);
            let library = Library::open(folder.path()).await.unwrap();
            let found = library.check(false).await.unwrap().findings;
            assert_eq!(found.iter().map(|found| found.count).sum::<i64>(), texts, "{kept}: {found:?}");
            assert!(recovered.articles > ARTICLES * 8 / 10 && !recovered.lost.is_empty(), "{kept}: {recovered:?}");
            assert!(texts < ARTICLES * 6 / 10, "{kept}: {recovered:?}");
        }
    }
}

#[tokio::test]
async fn fills_gaps_from_the_newest_backup() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path()).await;
    library.back_up(Occasion::Daily).await.unwrap();
    library.close().await.unwrap();
    // The first page contains the schema: without it nothing is readable.
    scribble(folder.path(), 0);
    assert!(matches!(Library::open(folder.path()).await, Err(LibraryError::Damaged { .. })));
    let recovered = recover(folder.path()).await.unwrap();
    assert_eq!((recovered.feeds, recovered.articles), (1, ARTICLES));
    assert!(!recovered.lost.is_empty() && recovered.filled_from.is_some());
    let library = Library::open(folder.path()).await.unwrap();
    assert!(library.check(false).await.unwrap().is_intact());
    assert_eq!(starred(&library).await, 1);
    let index = library.search_index().state().await.unwrap();
    assert_eq!((index.indexed, index.waiting), (0, ARTICLES), "the search index is rebuilt");
}

#[tokio::test]
async fn settings_of_the_damaged_library_are_newer_than_those_of_the_backup() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path()).await;
    let own = library.settings().get("library_id").await.unwrap().unwrap();
    library.settings().set("theme", "1").await.unwrap();
    library.settings().set("language", "1").await.unwrap();
    library.back_up(Occasion::Daily).await.unwrap();
    library.settings().set("theme", "2").await.unwrap();
    let sql = "SELECT rootpage - 1 FROM sqlite_schema WHERE name = ?";
    let page =
        async |name: &str| -> i64 { sqlx::query_scalar(sql).bind(name).fetch_one(&library.db.readers).await.unwrap() };
    let (texts, settings) = (page("bodies").await, page("settings").await);
    library.close().await.unwrap();
    // The texts are found again below their damaged page, so nothing is missing; the settings have only one page.
    for (page, theme, is_filled) in [(texts, "2", false), (settings, "1", true)] {
        scribble(folder.path(), page.try_into().unwrap());
        assert_eq!(recover(folder.path()).await.unwrap().filled_from.is_some(), is_filled);
        let library = Library::open(folder.path()).await.unwrap();
        let settings = library.settings();
        assert_eq!(settings.get("theme").await.unwrap().as_deref(), Some(theme));
        assert_eq!(settings.get("language").await.unwrap().as_deref(), Some("1"));
        assert_eq!(settings.get("library_id").await.unwrap(), Some(own.clone()));
        assert_eq!(settings.get("packed_up_to").await.unwrap().as_deref(), Some("0"));
        library.close().await.unwrap();
    }
}

#[tokio::test]
async fn sets_an_emptied_library_aside_with_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path()).await;
    let backup = library.back_up(Occasion::Daily).await.unwrap();
    library.close().await.unwrap();
    let newer = folder.path().join("backups/29991231T000000000-daily.sqlite");
    fs::write(&newer, "").unwrap();
    let leave_log_only = || {
        fs::write(folder.path().join(DATABASE), "").unwrap();
        fs::write(folder.path().join("library.sqlite-wal"), "the newest pages").unwrap();
    };
    let log_of = |aside: &Path| fs::read_to_string(aside.join("library.sqlite-wal")).unwrap_or_default();
    leave_log_only();
    let recovered = recover(folder.path()).await.unwrap();
    assert_eq!(log_of(&recovered.aside), "the newest pages");
    assert_eq!((recovered.articles, recovered.filled_from), (ARTICLES, Some(backup.clone())));
    assert_eq!(recovered.lost, [(DATABASE.to_owned(), 1)]);
    leave_log_only();
    assert_eq!(log_of(&restore(folder.path(), &backup.path).await.unwrap()), "the newest pages");
    // Where only a page is damaged, an emptied backup fills no gap and is none.
    fs::remove_file(&backup.path).unwrap();
    scribble(folder.path(), 0);
    let recovered = recover(folder.path()).await.unwrap();
    assert_eq!((recovered.filled_from, recovered.lost), (None, vec![(DATABASE.to_owned(), 1)]));
}

#[tokio::test]
async fn reports_notes_lost_with_their_articles() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path()).await;
    for article in [5, 6] {
        library.notes().add(article, None, 0, "Mine.").await.unwrap();
    }
    library.close().await.unwrap();
    let file = folder.path().join("library.sqlite");
    let mut connection = SqliteConnectOptions::new().filename(file).foreign_keys(false).connect().await.unwrap();
    sqlx::query("DELETE FROM items WHERE id = 5").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let recovered = recover(folder.path()).await.unwrap();
    assert_eq!((recovered.articles, recovered.lost), (ARTICLES - 1, vec![("notes".to_owned(), 1)]));
    let library = Library::open(folder.path()).await.unwrap();
    assert_eq!(library.notes().articles().await.unwrap(), [6]);
}

#[tokio::test]
async fn keeps_the_stored_images() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path()).await;
    let png = b"\x89PNG\r\n\x1a\n".to_vec();
    let digest = *blake3::hash(&png).as_bytes();
    library.images().store(5, "https://a.example/a.png", png, Millis::MIN).await.unwrap();
    library.close().await.unwrap();
    recover(folder.path()).await.unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    assert!(library.images().get(&digest).await.unwrap().unwrap().path.is_file());
    assert_eq!(library.check(true).await.unwrap().findings, []);
}
