//! Help, hints, and errors as JSON.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, run};
use std::{fs, process::Command};

const FEED: &str = "<rss version='2.0'><channel><title>Mill</title><item><title>Rye</title><link>/rye</link>\
                    <description>&lt;a href='/field'>grain&lt;/a></description></item></channel></rss>";

#[test]
fn without_a_command_the_help_is_printed() {
    let words = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_glean")).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(words(&[]).contains("Commands:"), "{}", words(&[]));
    let missing = words(&["--library", "/nowhere"]);
    assert!(missing.contains("offline") && !missing.contains("ahead") && !missing.contains("keep,"), "{missing}");
}

#[test]
fn a_command_that_fails_prints_a_document_if_one_was_requested() {
    let folder = tempfile::tempdir().unwrap();
    for words in [&["feed", "--json", "nope"][..], &["refresh", "nope", "--json"], &["versions", "--json", "9999"]] {
        let output = glean(folder.path(), words);
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let error = document["error"].as_str().unwrap();
        assert!(error.contains("nope") || error.contains("9999"), "{words:?}: {document}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(error), "{words:?}");
    }
    let plain = glean(folder.path(), &["feed", "nope", "--", "--json"]);
    assert!(!plain.status.success() && plain.stdout.is_empty());
}

#[test]
fn a_missing_file_that_may_be_an_address_has_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    for (source, hint) in [
        ("a.example/f", Some("does not exist; for the web address, use https://a.example/f")),
        ("a.example", Some("use https://a.example/")),
        ("feed.xml", None),
        ("./a.example/f", None),
        ("feeds/a", None),
    ] {
        let (code, output) = run(folder.path(), &["inspect", source]);
        assert_eq!((code, output.contains("web address")), (Some(1), hint.is_some()), "{source}: {output}");
        assert!(output.contains(hint.unwrap_or("does not exist")), "{source}: {output}");
    }
    let (_, output) = run(folder.path(), &["inspect", "feed://127.0.0.1:1/f"]);
    assert!(!output.contains("does not exist"), "{output}");
    let (_, output) = run(folder.path(), &["inspect", " http://127.0.0.1:1/f "]);
    assert!(!output.contains("does not exist"), "{output}");
}

#[test]
fn a_renamed_feed_is_found_by_its_own_title() {
    let folder = tempfile::tempdir().unwrap();
    let (library, feed) = (folder.path().join("library"), folder.path().join("feed.xml"));
    fs::write(&feed, FEED).unwrap();
    assert_eq!(run(&library, &["add", feed.to_str().unwrap()]).0, Some(0));
    assert_eq!(run(&library, &["feed", "mill", "--title", "Granary"]).0, Some(0));
    for name in ["mill", "mil", "Granary"] {
        assert_eq!(run(&library, &["feed", name]).0, Some(0), "{name}");
    }
    assert_eq!(run(&library, &["feed", "mills"]).0, Some(1));
    let (code, output) = run(&library, &["rules", "add", "--do", "star"]);
    assert!(code == Some(0) && output.contains("for every new article"), "{output}");
    let (code, output) = run(&library, &["download", "--to", feed.to_str().unwrap()]);
    assert!(code == Some(2) && output.contains("is not a folder"), "{output}");
}
