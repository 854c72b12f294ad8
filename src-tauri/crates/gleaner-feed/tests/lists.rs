//! Checks the subscription list fixtures: each tests one fact and contains the expected results.

#![allow(clippy::unwrap_used)]

use gleaner_feed::opml;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn document(bytes: &[u8]) -> Value {
    match opml::read(bytes) {
        Err(error) => json!({ "error": error.to_string() }),
        Ok(list) => {
            let feeds = list
                .feeds
                .iter()
                .map(|f| json!({ "url": f.url, "title": f.title, "home_url": f.home_url, "folder": f.folder }));
            json!({ "title": list.title, "feeds": feeds.collect::<Vec<_>>(), "repairs": vec![(); list.repairs.len()], "skipped": vec![(); list.skipped.len()] })
        }
    }
}

#[test]
fn every_fixture_meets_its_expectations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/opml");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "opml"));
    assert!(files.len() > 10);
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let fact_file = std::fs::read_to_string(format!("{}.fact", file.display()));
        let fact =
            fact_file.unwrap_or_else(|_| String::from_utf8_lossy(&bytes).split("-->").next().unwrap().to_owned());
        let document = document(&bytes);
        for (path, value) in fact.lines().skip(1).filter_map(|line| line.split_once(" = ")) {
            let pointer = format!("/{}", path.trim().replace('[', "/").replace("].", "/").replace(']', ""));
            let found = match pointer.strip_suffix(".length") {
                Some(list) => Value::from(document.pointer(list).and_then(Value::as_array).unwrap().len()),
                None => document.pointer(&pointer).cloned().unwrap_or(Value::Null),
            };
            assert_eq!(found, serde_json::from_str::<Value>(value.trim()).unwrap(), "{}: {path}", file.display());
        }
    }
}

/// A search through all folders for each folder would take quadratic time.
#[test]
fn reads_and_writes_many_folders_in_linear_time() {
    let list = |count: usize| {
        let folder = |n| format!("<outline text=\"{n}\"><outline xmlUrl=\"http://a/{n}\"/></outline>");
        format!("<opml><body>{}</body></opml>", (0..count).map(folder).collect::<String>())
    };
    gleaner_cpu_time::assert_linear("folders", 5_000, list, |list| {
        let written = opml::write(&opml::read(list.as_bytes()).unwrap()).unwrap();
        assert!(written.len() > list.len());
    });
}

#[test]
fn feeds_keep_their_attributes_when_a_folder_continues() {
    let feed = |url: &str, folder: &[&str], mark: &str| opml::Subscription {
        url: url.to_owned(),
        title: None,
        own_title: None,
        home_url: None,
        folder: folder.iter().map(|name| (*name).to_owned()).collect(),
        other: vec![("mark".to_owned(), mark.to_owned())],
    };
    let feeds = vec![
        feed("https://a.example/", &["A"], "in A"),
        feed("https://b.example/", &[], "in none"),
        feed("https://c.example/", &["A"], "in A too"),
    ];
    let list = opml::SubscriptionList { feeds: feeds.clone(), ..opml::SubscriptionList::default() };
    let written = opml::write(&list).unwrap();
    let again = opml::read(written.as_bytes()).unwrap().feeds;
    for feed in feeds {
        let same = again.iter().find(|other| other.url == feed.url).unwrap();
        assert_eq!(same.other, feed.other, "{}", feed.url);
    }
}
