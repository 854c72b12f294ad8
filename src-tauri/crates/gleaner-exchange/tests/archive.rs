//! Checks that an archive imported into an empty library results in an equal library.
#![allow(clippy::unwrap_used)]

mod common;

use common::{connection, content, export, file_of, fill, import, made};
use gleaner_exchange::archive::{self, ArchiveError};
use gleaner_library::{Body, Incoming, Intent, Library, Mark, NewItem, NewSubscription, Texts};
use proptest::prelude::*;
use std::{collections::BTreeSet, fs, io::Read as _, path::Path, sync::Arc};

/// Asserts that two libraries have the same contents.
fn assert_same(here: &[String], there: &[String]) {
    let missing = |from: &[String], of: &[String]| -> Vec<String> {
        from.iter().filter(|row| !of.contains(row)).cloned().collect()
    };
    assert_eq!((missing(here, there), missing(there, here), here.len()), (Vec::new(), Vec::new(), there.len()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 20, ..ProptestConfig::default() })]

    #[test]
    fn importing_into_an_empty_library_makes_a_copy_and_repeating_it_changes_nothing(seed: u64, feeds in 0_u64..7, items in 0_u64..25) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            fill(one.path(), seed, feeds, items).await;
            let file = one.path().join("all.zip");
            export(one.path(), &file).await;
            let imported = import(two.path(), &file).await.unwrap();
            assert_eq!(imported.problems, []);
            let wanted = content(one.path()).await;
            assert_same(&content(two.path()).await, &wanted);
            let again = import(two.path(), &file).await.unwrap();
            assert_eq!((again.articles.added, again.head.feeds_added.len(), again.marked, again.tagged), (0, 0, 0, 0));
            assert_same(&content(two.path()).await, &wanted);
        });
    }

    #[test]
    fn importing_into_a_used_library_loses_nothing(seed: u64, other: u64) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            // The libraries share some feeds and articles.
            fill(one.path(), seed, 4, 10).await;
            fill(two.path(), other, 5, 10).await;
            let file = one.path().join("all.zip");
            export(one.path(), &file).await;
            let before = content(two.path()).await;
            import(two.path(), &file).await.unwrap();
            let after: BTreeSet<String> = content(two.path()).await.into_iter().collect();
            // These rows may be replaced by those of the archive; marks are compared below.
            let keep = |row: &&String| !["states:", "held:", "tombstones:", "stories:", "items:"].iter().any(|table| row.starts_with(table));
            let lost: Vec<&String> = before.iter().filter(keep).filter(|row| !after.contains(*row)).collect();
            assert_eq!(lost, Vec::<&String>::new());
            let marks = "SELECT f.url || i.key || ' ' || m.column1 FROM states s JOIN items i ON i.id = s.item_id JOIN feeds f ON f.id = i.feed_id
                JOIN (VALUES ('read'), ('starred'), ('hidden'), ('kept')) m
                WHERE f.unsubscribed_at IS NULL AND CASE m.column1 WHEN 'read' THEN read WHEN 'starred' THEN starred WHEN 'hidden' THEN hidden ELSE kept END";
            let of = async |folder: &Path| -> BTreeSet<String> {
                let rows: Vec<String> = sqlx::query_scalar(marks).fetch_all(&mut connection(folder).await).await.unwrap();
                rows.into_iter().collect()
            };
            let merged = of(two.path()).await;
            let missing: Vec<String> = of(one.path()).await.difference(&merged).cloned().collect();
            // An article whose address this library has under another key was merged with that article, with its marks.
            let keys: BTreeSet<String> = sqlx::query_scalar("SELECT f.url || i.key FROM items i JOIN feeds f ON f.id = i.feed_id")
                .fetch_all(&mut connection(two.path()).await).await.unwrap().into_iter().collect();
            let missing: Vec<&String> = missing.iter().filter(|mark| keys.contains(mark.rsplit_once(' ').unwrap().0)).collect();
            assert_eq!(missing, Vec::<&String>::new());
            let once = content(two.path()).await;
            import(two.path(), &file).await.unwrap();
            assert_same(&content(two.path()).await, &once);
        });
    }
}

/// Returns all files of an archive except the manifest, which contains the time of creation.
fn files(archive: &Path) -> Vec<(String, Vec<u8>)> {
    let mut zip = zip::ZipArchive::new(fs::File::open(archive).unwrap()).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    let bytes = |name: String| {
        let mut bytes = Vec::new();
        zip.by_name(&name).unwrap().read_to_end(&mut bytes).unwrap();
        (name, bytes)
    };
    names.into_iter().filter(|name| name != "manifest.json").map(bytes).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_test_library_fills_every_column() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), 3, 5, 40).await;
    assert_eq!(common::unfilled_columns(folder.path()).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn exporting_an_import_gives_identical_files() {
    let (one, file) = made(19).await;
    let (two, three) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (second, third) = (one.path().join("second.zip"), one.path().join("third.zip"));
    for (library, from, to) in [(&two, &file, &second), (&three, &second, &third)] {
        assert_eq!(import(library.path(), from).await.unwrap().problems, []);
        export(library.path(), to).await;
    }
    // The first export is not compared: ids have gaps in a used library, but not in an imported one.
    let (second, third) = (files(&second), files(&third));
    assert_eq!(second.len(), files(&file).len());
    for ((name, bytes), (_, again)) in second.iter().zip(&third) {
        assert!(bytes == again, "{name}:\n{}\n{}", String::from_utf8_lossy(bytes), String::from_utf8_lossy(again));
    }
}

/// Articles pending deletion and unsubscribed feeds are not exported, and nothing refers to them.
#[tokio::test(flavor = "multi_thread")]
async fn every_number_refers_to_an_exported_record() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(one.path(), 23, 5, 40).await;
    let mut sql = connection(one.path()).await;
    // Half of the articles with notes, versions and other dependent data are pending deletion.
    sqlx::raw_sql(
        "CREATE TEMP TABLE gone AS SELECT s.item_id FROM states s JOIN feeds f ON f.id = s.feed_id
            WHERE f.unsubscribed_at IS NULL AND s.item_id % 2 = 0 AND s.item_id NOT IN (SELECT item_id FROM item_tags);
         UPDATE states SET hidden = 2, starred = 0, kept = 0 WHERE item_id IN (SELECT item_id FROM gone);
         INSERT INTO going (item_id, at, was_hidden) SELECT item_id, 5, 0 FROM gone",
    )
    .execute(&mut sql)
    .await
    .unwrap();
    let pending: i64 = sqlx::query_scalar("SELECT count(*) FROM going").fetch_one(&mut sql).await.unwrap();
    for table in ["notes", "versions", "full_texts", "progress", "playback", "rule_touches", "item_images", "stories"] {
        let query = format!("SELECT count(*) FROM {table} WHERE item_id IN (SELECT item_id FROM going)");
        let hanging: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(query)).fetch_one(&mut sql).await.unwrap();
        assert!(hanging > 0, "{table} is tried with nothing in it");
    }
    let file = one.path().join("all.zip");
    export(one.path(), &file).await;
    let lines = |name: &str| -> Vec<serde_json::Value> {
        let text = String::from_utf8(file_of(&file, name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let numbers = |name: &str, field: &str| -> BTreeSet<i64> {
        lines(name).iter().filter_map(|line| line[field].as_i64()).collect()
    };
    for (files, of, field) in [
        (
            &["states", "tagged", "notes", "versions", "full-texts", "progress", "playback", "touches", "pictures"][..],
            "items",
            "item",
        ),
        (&["items", "tombstones", "rules"], "feeds", "feed"),
        (&["feeds", "rules"], "folders", "folder"),
        (&["touches"], "rules", "rule"),
    ] {
        let there = numbers(&format!("{of}.jsonl"), field);
        for name in files {
            let said = numbers(&format!("{name}.jsonl"), field);
            assert!(said.is_subset(&there), "{name}.jsonl speaks of {:?}", said.difference(&there));
        }
    }
    let (items, groups) = (numbers("items.jsonl", "item"), numbers("items.jsonl", "story"));
    assert!(
        groups.is_subset(&items) && numbers("folders.jsonl", "parent").is_subset(&numbers("folders.jsonl", "folder"))
    );
    let digests = |name| lines(name).iter().map(|line| line["digest"].to_string()).collect::<BTreeSet<_>>();
    assert_eq!(digests("images.jsonl"), digests("pictures.jsonl"));
    // Articles pending deletion are imported as tombstones.
    let left: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM tombstones t JOIN feeds f ON f.id = t.feed_id WHERE f.unsubscribed_at IS NULL",
    )
    .fetch_one(&mut sql)
    .await
    .unwrap();
    assert_eq!(i64::try_from(lines("tombstones.jsonl").len()).unwrap(), left + pending);
    assert_eq!(import(two.path(), &file).await.unwrap().problems, []);
    let gone: i64 = sqlx::query_scalar("SELECT count(*) FROM tombstones")
        .fetch_one(&mut connection(two.path()).await)
        .await
        .unwrap();
    assert_eq!(gone, left + pending);
}

/// Texts packed with a dictionary and versions stored as differences are exported as plain text.
#[tokio::test(flavor = "multi_thread")]
async fn packed_texts_and_grouped_versions_are_exported() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let library = Library::open(one.path()).await.unwrap();
    let new = NewSubscription::new("https://e.example/feed");
    let feed_id = library.subscriptions().add(&new).await.unwrap();
    let text = |item: usize, turn: usize| {
        let words: String = (0..300).map(|n| format!("word{} ", (n * 31 + item * 7 + turn / 4) % 211)).collect();
        Some(Body { html: format!("<p>{words}turn {turn}"), base: Some("https://e.example/".to_owned()) })
    };
    let item = |number: usize, turn: usize| {
        let texts = Texts::pack(text(number, turn).as_ref(), None);
        Box::new(NewItem {
            key: number.to_string(),
            title: format!("{number} {turn}"),
            digest: vec![turn as u8],
            texts,
            ..NewItem::default()
        })
    };
    let store = async |intents: Vec<Intent>| {
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
    };
    store((0..4000).map(|number| Intent::Insert(item(number, 0))).collect()).await;
    let first: i64 =
        sqlx::query_scalar("SELECT min(id) FROM items").fetch_one(&mut connection(one.path()).await).await.unwrap();
    for turn in 1..20 {
        store(vec![Intent::Update(first, item(0, turn))]).await;
    }
    while library.dictionaries().recompress_texts().await.unwrap().is_some() {}
    library.close().await.unwrap();
    let mut sql = connection(one.path()).await;
    let count = async |sql: &mut sqlx::SqliteConnection, query: &'static str| -> i64 {
        sqlx::query_scalar(query).fetch_one(sql).await.unwrap()
    };
    assert!(count(&mut sql, "SELECT count(*) FROM bodies WHERE codec > 2").await > 1000, "packed by a dictionary");
    assert!(count(&mut sql, "SELECT count(*) FROM versions WHERE base_at IS NOT NULL").await > 5, "grouped");

    let file = one.path().join("all.zip");
    export(one.path(), &file).await;
    assert_eq!(import(two.path(), &file).await.unwrap().problems, []);
    let (one, two) = (Library::open(one.path()).await.unwrap(), Library::open(two.path()).await.unwrap());
    let second: i64 = sqlx::query_scalar("SELECT id FROM items WHERE key = '0'")
        .fetch_one(&mut connection(two.folder()).await)
        .await
        .unwrap();
    let (versions, again) =
        (one.versions().of_article(first).await.unwrap(), two.versions().of_article(second).await.unwrap());
    assert_eq!((versions.len(), &versions), (again.len(), &again));
    assert!(versions.len() > 10 && versions.iter().all(|version| version.damage.is_none()), "{versions:?}");
    for number in 0..4000 {
        let (here, there) =
            (one.articles().text(first + number).await.unwrap(), two.articles().text(second + number).await.unwrap());
        assert_eq!(here.content, there.content);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documentation_names_every_file_and_field_and_no_secret_is_exported() {
    let (folder, file) = made(3).await;
    let form = String::from_utf8(file_of(&file, "README.txt")).unwrap();
    assert_eq!(form, archive::FORM);
    let mut zip = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    for name in names {
        let mut text = Vec::new();
        zip.by_name(&name).unwrap().read_to_end(&mut text).unwrap();
        let text = String::from_utf8_lossy(&text).into_owned();
        for secret in
            ["ahead_seen", "library_id", "headersecret", "nameofuser", "passwordsecret", "proxysecret", "left.example"]
        {
            assert!(!text.contains(secret), "{name} contains {secret}");
        }
        if name == "README.txt" {
            continue;
        }
        let title = name.split_once('/').map_or(name.as_str(), |(folder, _)| folder);
        let section = form
            .split("\n## ")
            .find(|section| section.lines().next().is_some_and(|line| line.contains(title)))
            .unwrap_or_else(|| panic!("docs/archive.md does not describe {name}"));
        if !name.ends_with(".jsonl") {
            continue;
        }
        assert!(!text.is_empty(), "{name} is empty");
        for line in text.lines() {
            let line: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
            for field in line.keys() {
                assert!(section.contains(&format!("`{field}`")), "docs/archive.md does not describe {field} of {name}");
            }
        }
    }
    let manifest: serde_json::Value = serde_json::from_slice(&file_of(&file, "manifest.json")).unwrap();
    assert!(manifest["files"].as_array().unwrap().len() > 20);
    assert!(!folder.path().join("all.zip.part").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_leaves_no_partial_file_and_what_was_imported_stays() {
    let (one, file) = made(13).await;
    let library = Arc::new(Library::open(one.path()).await.unwrap());
    let there = fs::read(&file).unwrap();
    let stopped = archive::export(library, file.clone(), |so_far| so_far.file != "states.jsonl").await;
    assert!(matches!(stopped, Err(ArchiveError::Cancelled)));
    assert_eq!(fs::read(&file).unwrap(), there, "the existing file is unchanged");
    assert!(!one.path().join("all.zip.part").exists());

    let two = tempfile::tempdir().unwrap();
    let library = Arc::new(Library::open(two.path()).await.unwrap());
    let stopped =
        archive::import(library.clone(), file.clone(), false, |so_far| so_far.file != "states.jsonl").await.unwrap();
    assert!(stopped.cancelled && stopped.articles.added > 0);
    drop(library);
    import(two.path(), &file).await.unwrap();
    assert_same(&content(two.path()).await, &content(one.path()).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_changes_nothing_and_reports_what_would_be_imported() {
    let (_one, file) = made(17).await;
    let two = tempfile::tempdir().unwrap();
    fill(two.path(), 17, 2, 40).await;
    let before = content(two.path()).await;
    let library = Arc::new(Library::open(two.path()).await.unwrap());
    let would = archive::import(library.clone(), file.clone(), true, |_| true).await.unwrap();
    assert_eq!(content(two.path()).await, before);
    let does = archive::import(library, file, false, |_| true).await.unwrap();
    assert_eq!(
        (would.head.feeds_added.len(), would.head.feeds_there, would.articles.added + would.articles.there),
        (does.head.feeds_added.len(), does.head.feeds_there, does.articles.added + does.articles.there)
    );
    assert!(would.head.feeds_there == 2 && would.articles.there > 0);
    assert_eq!(would.listed.len(), would.head.feeds_added.len() + would.head.feeds_there, "each feed is listed");
    assert_eq!(would.listed.iter().filter(|feed| feed.there).count(), 2);
}

/// A day, in milliseconds.
const DAY: i64 = 86_400_000;

fn news(number: i64, url: &str) -> NewItem {
    NewItem {
        key: format!("g{number}"),
        title: format!("News {number}"),
        url: Some(url.to_owned()),
        canonical_url: Some(url.to_owned()),
        published_at: Some(number * DAY),
        digest: number.to_le_bytes().to_vec(),
        ..NewItem::default()
    }
}

/// Fills a library with articles of a feed, starred or not.
async fn fill_news(folder: &Path, items: Vec<NewItem>, are_starred: bool) {
    let library = Library::open(folder).await.unwrap();
    let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
    let ids: Vec<i64> = (1..).take(items.len()).collect();
    let intents = items.into_iter().map(|item| Intent::Insert(Box::new(item))).collect();
    library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
    if are_starred {
        library.articles().mark(&ids, None, Some(true)).await.unwrap();
    }
    library.close().await.unwrap();
}

/// Imports starred articles as an archive into a library that has other articles without stars. Returns how many the check and the import
/// count as existing, and the titles and keys of the articles, with a star if they have one.
async fn imported_news(archived: Vec<NewItem>, there: Vec<NewItem>) -> (usize, usize, Vec<String>) {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill_news(one.path(), archived, true).await;
    let file = one.path().join("all.zip");
    export(one.path(), &file).await;
    fill_news(two.path(), there, false).await;
    let library = Arc::new(Library::open(two.path()).await.unwrap());
    let would = archive::import(library.clone(), file.clone(), true, |_| true).await.unwrap().articles.there;
    drop(library);
    let does = import(two.path(), &file).await.unwrap().articles.there;
    let again = import(two.path(), &file).await.unwrap();
    assert_eq!((again.articles.added, again.marked), (0, 0), "importing it again changes nothing");
    let sql = "SELECT i.key || ' ' || i.title || iif(s.starred, '*', '') FROM items i JOIN states s ON s.item_id = i.id ORDER BY i.published_at, i.id";
    (would, does, sqlx::query_scalar(sql).fetch_all(&mut connection(two.path()).await).await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn articles_that_share_an_address_are_imported_each_with_its_marks() {
    let home = "https://a.example/";
    let several = |numbers: std::ops::Range<i64>| numbers.map(|number| news(number, home)).collect::<Vec<_>>();
    let expected = ["g0 News 0*", "g1 News 1*", "g2 News 2", "g3 News 3"].map(str::to_owned).to_vec();
    assert_eq!(imported_news(several(0..2), several(2..4)).await, (0, 0, expected.clone()));
    // It is enough that they share it in the archive, or in the library.
    assert_eq!(imported_news(several(0..2), several(2..3)).await, (0, 0, expected[..3].to_vec()));
    assert_eq!(imported_news(several(1..2), several(2..4)).await, (0, 0, expected[1..].to_vec()));
    // Those with the same title and date are the same, whatever their ids.
    let renamed = several(0..4).into_iter().map(|item| NewItem { key: format!("x{}", item.key), ..item }).collect();
    let expected = ["xg0 News 0*", "xg1 News 1*", "xg2 News 2", "xg3 News 3"].map(str::to_owned).to_vec();
    assert_eq!(imported_news(several(0..2), renamed).await, (2, 2, expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn articles_at_positions_and_with_one_title_and_date_are_imported_each_with_its_marks() {
    let page = "https://a.example/warnings";
    let bulletin = |day: i64| -> Vec<NewItem> {
        let warning = |at: i64| NewItem { key: format!("{page}#{at}"), ..news(day * 10 + at, page) };
        (1..3).map(warning).collect()
    };
    let (would, does, all) = imported_news(bulletin(1), bulletin(2)).await;
    let titles: Vec<&str> = all.iter().map(|article| article.rsplit_once(' ').unwrap().1).collect();
    assert_eq!((would, does, titles), (0, 0, ["11*", "12*", "21", "22"].to_vec()));
    // Different articles of one minute, each under an id of its own.
    let alert = |number: i64| NewItem {
        title: "Alert".to_owned(),
        published_at: Some(0),
        digest: vec![u8::try_from(number).unwrap(); 16],
        ..news(number, page)
    };
    let renamed = |number: i64| NewItem { key: format!("x{number}"), ..alert(number) };
    let expected = ["x2 Alert*", "x3 Alert", "g1 Alert*"].map(str::to_owned).to_vec();
    assert_eq!(imported_news(vec![alert(1), alert(2)], vec![renamed(2), renamed(3)]).await, (1, 1, expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn articles_share_an_address_also_where_a_thousand_others_are_between_them() {
    let home = "https://a.example/";
    let same_day = |number: i64| NewItem { published_at: Some(0), ..news(number, home) };
    let mut archived = vec![same_day(1)];
    archived.extend((2..1_100).map(|number| news(number, &format!("https://a.example/{number}"))));
    archived.push(same_day(2_000));
    let (would, does, all) = imported_news(archived, vec![same_day(3_000)]).await;
    assert_eq!((would, does, all.len()), (0, 0, 1_101));
    assert_eq!(all[..3], ["g3000 News 3000", "g1 News 1*", "g2000 News 2000*"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_article_with_a_changed_id_is_recognised_by_its_address() {
    let archived =
        || vec![news(1, "http://a.example/1"), news(2, "https://a.example/2"), news(3, "https://a.example/3")];
    let there = vec![
        NewItem { key: "x".to_owned(), ..news(1, "https://a.example/1") },
        NewItem { key: "y".to_owned(), title: "Corrected".to_owned(), ..news(2, "https://a.example/2") },
        NewItem { key: "z".to_owned(), published_at: Some(4 * DAY), ..news(3, "https://a.example/3") },
    ];
    let expected = ["x News 1*", "y Corrected*", "z News 3*"].map(str::to_owned).to_vec();
    assert_eq!(imported_news(archived(), there).await, (3, 3, expected));
}

/// Returns whether each of the first articles is read, starred and hidden, and its tags.
async fn marks_of(library: &Library, last: i64) -> Vec<(bool, bool, bool, Vec<String>)> {
    let mut marked = Vec::new();
    for id in 1..=last {
        let article = library.articles().get(id).await.unwrap();
        marked.push((article.read, article.starred, article.hidden, library.tags().names(id).await.unwrap()));
    }
    marked
}

#[tokio::test(flavor = "multi_thread")]
async fn marks_that_an_archive_gave_to_known_articles_and_tags_that_it_created_are_undone_and_redone() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let items = |last: i64| (1..=last).map(|number| news(number, &format!("https://a.example/{number}"))).collect();
    fill_news(one.path(), items(3), true).await;
    let library = Library::open(one.path()).await.unwrap();
    library.articles().mark(&[1], Some(true), None).await.unwrap();
    library.articles().set_marks(&[1], &[(Mark::Kept, true), (Mark::Hidden, true)]).await.unwrap();
    for (ids, tag) in [(vec![1, 2], "Both"), (vec![1], "Later"), (vec![3], "New"), (vec![2], "Empty")] {
        library.tags().set(&ids, tag, true).await.unwrap();
    }
    library.tags().set(&[2], "Empty", false).await.unwrap();
    library.close().await.unwrap();
    let file = one.path().join("all.zip");
    export(one.path(), &file).await;

    fill_news(two.path(), items(2), false).await;
    let library = Arc::new(Library::open(two.path()).await.unwrap());
    library.articles().mark(&[2], None, Some(true)).await.unwrap();
    library.tags().set(&[2], "Both", true).await.unwrap();
    let before = marks_of(&library, 2).await;
    let imported = archive::import(library.clone(), file, false, |_| true).await.unwrap();
    assert_eq!((imported.head.feeds_added.len(), imported.articles.added_to_existing), (0, 1));
    let step = library.subscriptions().remember_import(&[], &[], imported.gained).await.unwrap().unwrap().step;
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let after = marks_of(&library, 3).await;
    assert_eq!(
        after,
        [
            (true, true, true, names(&["Both", "Later"])),
            (false, true, false, names(&["Both"])),
            (false, true, false, names(&["New"]))
        ]
    );
    let tags =
        async || -> Vec<String> { library.tags().list().await.unwrap().into_iter().map(|tag| tag.name).collect() };
    for _ in 0..2 {
        let undone = library.subscriptions().undo_import(step).await.unwrap();
        assert_eq!(marks_of(&library, 2).await, before);
        assert_eq!(marks_of(&library, 3).await[2..], after[2..], "the new article stays as it is");
        assert_eq!(tags().await, ["Both", "New"]);
        library.undo(undone.redo.step).await.unwrap();
        assert_eq!(marks_of(&library, 3).await, after);
        assert_eq!(tags().await, ["Both", "Empty", "Later", "New"]);
    }
    assert!(library.check(false).await.unwrap().findings.is_empty());
}
