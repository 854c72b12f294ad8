//! Archives that are damaged, of another format, or malicious.
#![allow(clippy::unwrap_used)]

mod common;

use common::{changed, connection, content, export, file_of, import, made};
use gleaner_exchange::archive::{self, ArchiveError, Imported, Problem};
use gleaner_library::{Incoming, Intent, Library, NewItem, NewSubscription};
use std::{collections::BTreeSet, fs, sync::Arc};

#[tokio::test(flavor = "multi_thread")]
async fn reports_damaged_lines_and_imports_the_rest() {
    let (one, file) = made(5).await;
    let two = tempfile::tempdir().unwrap();
    changed(&file, "items.jsonl", |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        [&lines[..1], &["{\"item\": 5, \"feed", "[]", ""], &lines[2..]].concat().join("\n").into_bytes()
    });
    let imported = import(two.path(), &file).await.unwrap();
    let lines: Vec<Option<u64>> = imported.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(2), Some(3), Some(4), None], "{:?}", imported.problems);
    assert!(imported.problems.iter().all(|problem| problem.file == "items.jsonl"));
    let items: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM items i JOIN feeds f ON f.id = i.feed_id WHERE f.unsubscribed_at IS NULL",
    )
    .fetch_one(&mut connection(one.path()).await)
    .await
    .unwrap();
    assert_eq!(i64::try_from(imported.articles.added).unwrap(), items - 1);
}

/// A check reads every file that an import reads.
#[tokio::test(flavor = "multi_thread")]
async fn a_check_reports_the_damaged_lines_that_an_import_reports() {
    let (_one, file) = made(5).await;
    let names = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
    let names: Vec<String> = names.file_names().map(|name| name.unwrap().into_owned()).collect();
    let records: BTreeSet<&str> = names.iter().map(String::as_str).filter(|name| name.ends_with(".jsonl")).collect();
    for name in &records {
        changed(&file, name, |bytes| [&bytes[..], b"{\n"].concat());
    }
    let invalid = |imported: &Imported| {
        let invalid = imported.problems.iter().filter(|problem| problem.why == Problem::InvalidRecord);
        invalid.map(|problem| problem.file.clone()).collect::<BTreeSet<_>>()
    };
    let two = tempfile::tempdir().unwrap();
    let library = Arc::new(Library::open(two.path()).await.unwrap());
    let checked = archive::import(library.clone(), file.clone(), true, |_| true).await.unwrap();
    drop(library);
    let imported = import(two.path(), &file).await.unwrap();
    assert_eq!(invalid(&imported), records.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(invalid(&checked), invalid(&imported));
    assert_eq!(checked.problems_total, imported.problems_total);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_an_older_version_did_not_write_is_not_missing() {
    let (_one, file) = made(5).await;
    let name = "play-queue.jsonl";
    assert!(!file_of(&file, name).is_empty());
    let without = |unlisted: bool| {
        let mut from = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
        let mut to = zip::ZipWriter::new(fs::File::create(file.with_extension("older")).unwrap());
        let names: Vec<String> = from.file_names().map(|name| name.unwrap().into_owned()).collect();
        for entry in names.iter().filter(|entry| *entry != name) {
            to.raw_copy_file(from.by_name(entry).unwrap()).unwrap();
        }
        to.finish().unwrap();
        let older = file.with_extension("older");
        changed(&older, "manifest.json", |bytes| {
            let mut manifest: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            let files = manifest["files"].as_array_mut().unwrap();
            files.retain(|listed| !unlisted || listed["name"] != name);
            manifest.to_string().into_bytes()
        });
        older
    };
    for (unlisted, problems) in [(true, vec![]), (false, vec![Problem::Missing])] {
        let two = tempfile::tempdir().unwrap();
        let imported = import(two.path(), &without(unlisted)).await.unwrap();
        assert_eq!(imported.problems.into_iter().map(|problem| problem.why).collect::<Vec<_>>(), problems);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_of_an_archive_of_version_0_2_0_keep_their_meaning() {
    let one = tempfile::tempdir().unwrap();
    let library = Library::open(one.path()).await.unwrap();
    library.saved_searches().add("Plums", "plums NOT jam").await.unwrap();
    library.close().await.unwrap();
    let file = one.path().join("all.zip");
    export(one.path(), &file).await;
    let imported = async || {
        let two = tempfile::tempdir().unwrap();
        import(two.path(), &file).await.unwrap();
        let library = Library::open(two.path()).await.unwrap();
        library.saved_searches().list().await.unwrap().remove(0).query
    };
    assert_eq!(imported().await, "plums NOT jam");
    changed(&file, "manifest.json", |bytes| {
        let mut manifest: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(manifest.as_object_mut().unwrap().remove("queries"), Some(2.into()));
        manifest.to_string().into_bytes()
    });
    assert_eq!(imported().await, "plums \"NOT\" jam");
}

/// Other readers have feeds of programs and files, whose articles were imported from them.
#[tokio::test(flavor = "multi_thread")]
async fn feeds_without_a_web_address_are_copied_with_their_articles_and_not_polled() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let library = Library::open(one.path()).await.unwrap();
    let urls = ["exec:~/bin/plums", "python3#/home/ada/plums.py", "/home/ada/plums.xml", "ftp://a.example/plums.xml"];
    for url in urls {
        let new = NewSubscription { refresh_minutes: Some(0), ..NewSubscription::new(url) };
        let feed = library.subscriptions().add(&new).await.unwrap();
        let item = NewItem { key: url.to_owned(), title: "Plums".to_owned(), ..NewItem::default() };
        library.polls().store(&[&Incoming::of_items(feed, vec![Intent::Insert(Box::new(item))])]).await.unwrap();
    }
    library.close().await.unwrap();
    let file = one.path().join("all.zip");
    export(one.path(), &file).await;
    let imported = import(two.path(), &file).await.unwrap();
    assert_eq!((imported.problems.len(), imported.articles.added), (0, urls.len()), "{:?}", imported.problems);
    assert_eq!(content(two.path()).await, content(one.path()).await);
    let library = Library::open(two.path()).await.unwrap();
    assert!(library.polls().list().await.unwrap().iter().all(|poll| poll.next_at.is_none()));
    library.close().await.unwrap();
    // Still nothing that runs code, and not the feed that belongs to each library.
    for url in ["javascript:alert(1)", "gleaner:welcome", " "] {
        changed(&file, "feeds.jsonl", |bytes| {
            let text = String::from_utf8(bytes).unwrap();
            let (first, rest) = text.split_once('\n').unwrap();
            let mut feed: serde_json::Value = serde_json::from_str(first).unwrap();
            feed["url"] = url.into();
            format!("{feed}\n{rest}").into_bytes()
        });
        let three = tempfile::tempdir().unwrap();
        let imported = import(three.path(), &file).await.unwrap();
        let why: Vec<Problem> = imported.problems.iter().map(|problem| problem.why).collect();
        assert!(why.contains(&Problem::InvalidAddresses { count: 1 }), "{url}: {why:?}");
    }
}

/// Invalid values are dropped or limited, and the rest is imported.
#[tokio::test(flavor = "multi_thread")]
async fn rejects_invalid_records() {
    let (_one, file) = made(5).await;
    let two = tempfile::tempdir().unwrap();
    let first = |bytes: &[u8]| String::from_utf8(bytes.split(|byte| *byte == b'\n').next().unwrap().to_vec()).unwrap();
    let (far, feed) = (i64::MAX, r#""feed":1,"excerpt":"","digest":"zz","url":"javascript:alert(1)""#);
    for (name, lines) in [
        (
            "folders.jsonl",
            format!(
                r#"{{"folder":800,"parent":800,"name":"Self","position":{far},"open":true}}
            {{"folder":801,"name":"  ","position":-1,"open":true}}"#
            ),
        ),
        (
            "rules.jsonl",
            format!(
                r#"{{"rule":900,"name":"far","query":"((","actions":"[\"fly\"]","enabled":true,"position":{far},"created_at":{far}}}
            {{"rule":902,"name":"odd","query":"x","actions":"nonsense","enabled":true,"position":1,"created_at":1}}
            {{"rule":901,"name":"both","query":"x","actions":"[]","feed":1,"folder":1,"enabled":true,"position":1,"created_at":1}}"#
            ),
        ),
        (
            "saved-searches.jsonl",
            format!(
                r#"{{"name":"far","query":"((","position":{far}}}
            {{"name":" ","query":"x","position":1}}"#
            ),
        ),
        (
            "retention.jsonl",
            r#"{"scope":"all","of":0,"days":-5,"keep_unread":false}
            {"scope":"galaxy","of":0,"days":5,"keep_unread":false}"#
                .to_owned(),
        ),
        ("touches.jsonl", r#"{"item":1,"rule":900,"at":1,"actions":"nonsense"}"#.to_owned()),
        ("tags.jsonl", r#"{"tag":"  "}"#.to_owned()),
        ("progress.jsonl", r#"{"item":1,"position":1e308,"at":1}"#.to_owned()),
        (
            "items.jsonl",
            format!(
                r#"{{"item":{far},{feed},"key":"far","title":"far","received_at":{},"sort_at":{far},"published_at":{far},"word_count":-5,
            "media":"evil","enclosures":[{{"url":"javascript:x"}},{{"url":"https://e.example/a","length":-1}}]}}"#,
                i64::MIN
            ),
        ),
    ] {
        changed(&file, name, |bytes| {
            let lines = lines.replace("\n            {", "\r{").replace("\n            ", "").replace('\r', "\n");
            [bytes, lines.into_bytes(), b"\n".to_vec()].concat()
        });
    }
    changed(&file, "feeds.jsonl", |bytes| {
        let feed: serde_json::Value = serde_json::from_str(&first(&bytes)).unwrap();
        let (number, far) = (feed["feed"].to_string(), feed["position"].to_string());
        String::from_utf8(bytes)
            .unwrap()
            .replace(&format!("\"feed\":{number},"), "\"feed\":1,")
            .replace(&format!("\"position\":{far}"), &format!("\"position\":{}", i64::MAX))
            .into_bytes()
    });
    let imported = import(two.path(), &file).await.unwrap();
    let problems: BTreeSet<String> =
        imported.problems.iter().map(|problem| format!("{}: {:?}", problem.file, problem.why)).collect();
    for words in [
        "folders.jsonl: InvalidRecord",
        "rules.jsonl: InvalidRecord",
        "touches.jsonl: InvalidRecord",
        "saved-searches.jsonl: InvalidRecord",
        "retention.jsonl: InvalidRecord",
        "tags.jsonl: InvalidRecord",
    ] {
        assert!(problems.contains(words), "{words}: {problems:#?}");
    }
    let library = Library::open(two.path()).await.unwrap();
    assert!(library.rules().list().await.unwrap().iter().any(|rule| rule.name == "far"));
    assert!(library.saved_searches().list().await.unwrap().iter().any(|search| search.name == "far"));
    let folders = library.folders().list().await.unwrap();
    assert!(folders.iter().any(|folder| folder.name == "Self" && folder.parent_id.is_none()));
    let odd: (Option<String>, i64, Option<String>, i64) = sqlx::query_as(
        "SELECT url, word_count, media, (SELECT count(*) FROM enclosures e WHERE e.item_id = i.id AND length IS NULL) FROM items i WHERE key = 'far'",
    )
    .fetch_one(&mut connection(two.path()).await)
    .await
    .unwrap();
    assert_eq!(odd, (None, 0, None, 1));
    // Searches that are added later still get a position.
    library.saved_searches().add("next", "x").await.unwrap();
    library.saved_searches().add("after next", "x").await.unwrap();
    assert!(library.saved_searches().list().await.unwrap().len() > 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn rejects_other_files_and_newer_archives_without_changes() {
    let (one, file) = made(7).await;
    let two = tempfile::tempdir().unwrap();
    drop(Library::open(two.path()).await.unwrap());
    let before = content(two.path()).await;
    let whole = fs::read(&file).unwrap();
    let try_with = async |bytes: &[u8]| {
        let file = one.path().join("other.zip");
        fs::write(&file, bytes).unwrap();
        import(two.path(), &file).await.unwrap_err()
    };
    assert!(matches!(try_with(&whole[..whole.len() / 2]).await, ArchiveError::CutOff { .. }));
    assert!(matches!(try_with(b"").await, ArchiveError::CutOff { .. }));
    assert!(matches!(try_with(b"PK\x03\x04 and no more").await, ArchiveError::CutOff { .. }));
    changed(&file, "manifest.json", |bytes| {
        String::from_utf8(bytes).unwrap().replace("\"version\": 1", "\"version\": 2").into_bytes()
    });
    let newer = import(two.path(), &file).await.unwrap_err();
    assert!(newer.to_string().contains("newer Gleaner"), "{newer}");
    changed(&file, "manifest.json", |_| b"{\"format\": \"zoo\"}".to_vec());
    assert!(matches!(import(two.path(), &file).await, Err(ArchiveError::Other { .. })));
    assert_eq!(content(two.path()).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn resists_malicious_archives() {
    let (one, file) = made(11).await;
    let two = tempfile::tempdir().unwrap();
    // A decompression bomb, a replaced image, a path in place of a digest, a feed that is a script, internal settings.
    changed(&file, "states.jsonl", |_| vec![b' '; 80 << 20]);
    let image = blake3::hash(common::IMAGE).to_hex();
    changed(&file, &format!("images/{image}"), |_| b"\x89PNG\r\n\x1a\nanother".to_vec());
    changed(&file, "images.jsonl", |bytes| {
        let further =
            "{\"digest\":\"../../../../etc/passwd\",\"mime_type\":\"image/png\",\"bytes\":1,\"fetched_at\":1}\n";
        [bytes, further.into()].concat()
    });
    changed(&file, "pictures.jsonl", |bytes| {
        let shown = "{\"item\":1,\"url\":\"https://e.example/passwd\",\"digest\":\"../../../../etc/passwd\"}\n";
        [bytes, shown.into()].concat()
    });
    changed(&file, "feeds.jsonl", |bytes| {
        let further = "{\"feed\":900,\"url\":\"javascript:alert(1)\",\"position\":1,\"added_at\":1}\n";
        [bytes, further.into()].concat()
    });
    changed(&file, "settings.json", |_| b"{\"library_id\": \"mine\", \"search_drift\": 9, \"ahead_seen\": 9}".to_vec());
    let imported = import(two.path(), &file).await.unwrap();
    let problems: Vec<String> =
        imported.problems.iter().map(|problem| format!("{}: {:?}", problem.file, problem.why)).collect();
    for words in [
        "states.jsonl: RestUnreadable",
        "images/../../../../etc/passwd: InvalidImage",
        &format!("images/{image}: InvalidImage"),
        "InvalidAddresses",
    ] {
        assert!(problems.iter().any(|problem| problem.contains(words)), "{words}: {problems:#?}");
    }
    let mut sql = connection(two.path()).await;
    let feeds: Vec<String> =
        sqlx::query_scalar("SELECT url FROM feeds WHERE url LIKE 'java%'").fetch_all(&mut sql).await.unwrap();
    assert!(feeds.is_empty());
    let own: Vec<String> =
        sqlx::query_scalar("SELECT value FROM settings WHERE key IN ('library_id', 'search_drift', 'ahead_seen')")
            .fetch_all(&mut sql)
            .await
            .unwrap();
    assert!(!own.iter().any(|value| value.contains("mine") || value == "9"), "{own:?}");
    drop(one);
}

#[tokio::test(flavor = "multi_thread")]
async fn rejects_images_whose_size_does_not_match() {
    let (_one, file) = made(5).await;
    let two = tempfile::tempdir().unwrap();
    let whole = tempfile::tempdir().unwrap();
    assert!(import(whole.path(), &file).await.unwrap().images > 0);
    changed(&file, "images.jsonl", |bytes| {
        let lines = String::from_utf8(bytes).unwrap();
        let larger = |line: &str| {
            let mut image: serde_json::Value = serde_json::from_str(line).unwrap();
            image["bytes"] = i64::MAX.into();
            format!("{image}\n")
        };
        lines.lines().map(larger).collect::<String>().into_bytes()
    });
    let imported = import(two.path(), &file).await.unwrap();
    assert_eq!(imported.images, 0);
    assert!(imported.problems.iter().any(|problem| problem.why == Problem::InvalidImage), "{:?}", imported.problems);
    let library = Library::open(two.path()).await.unwrap();
    library.downloads().state().await.unwrap();
}
