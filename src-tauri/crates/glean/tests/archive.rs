//! `glean export` and `glean import` with archives and documents, and Ctrl-C in both.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, text};
use gleaner_testserver::{Reply, Server};
use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    process::{Command, Stdio},
};

/// Returns a library with three articles of one feed.
async fn library() -> (tempfile::TempDir, Server) {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let items: String = (0..3)
        .map(|n| format!("<item><guid isPermaLink=\"false\">{n}</guid><title>Boat {n}</title><description>&lt;p&gt;Text &lt;b&gt;{n}&lt;/b&gt;&lt;/p&gt;</description></item>"))
        .collect();
    server
        .on("/feed", Reply::ok(format!("<rss version=\"2.0\"><channel><title>Harbour</title>{items}</channel></rss>")));
    let list = folder.path().join("list.opml");
    fs::write(
        &list,
        format!(
            "<opml version='2.0'><body><outline type='rss' text='Harbour' xmlUrl='{}'/></body></opml>",
            server.url("/feed")
        ),
    )
    .unwrap();
    for words in [["import", list.to_str().unwrap()], ["refresh", "--all"]] {
        let output = glean(folder.path(), &words);
        assert!(output.status.success(), "{}", text(&output));
    }
    assert!(glean(folder.path(), &["mark", "--star", "--tag", "quay", "1"]).status.success());
    (folder, server)
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_and_imports_everything() {
    let (one, _server) = library().await;
    let two = tempfile::tempdir().unwrap();
    let file = one.path().join("all.zip");
    let archive = file.to_str().unwrap();
    let out = glean(one.path(), &["export", "--everything", archive]);
    assert!(
        out.status.success() && text(&out).contains("1 feed, 3 articles") && text(&out).contains("Passwords"),
        "{}",
        text(&out)
    );
    let preview = glean(two.path(), &["import", "--dry-run", archive]);
    assert!(
        preview.status.success() && text(&preview).contains("1 feed and 3 articles would be added"),
        "{}",
        text(&preview)
    );
    let preview = common::json(&glean(two.path(), &["import", "--dry-run", "--json", archive]));
    assert_eq!((&preview["added"], &preview["archive"]["articles_added"]), (&1.into(), &3.into()));
    assert_eq!(preview["folders_added"], 0);
    for unknown in ["marked", "tagged", "versions", "pictures", "rules_added", "searches_added"] {
        assert_eq!(preview["archive"][unknown], 0, "{unknown}: {preview}");
    }
    let imported = glean(two.path(), &["import", archive]);
    assert!(
        imported.status.success() && text(&imported).contains("1 feed and 3 articles added"),
        "{}",
        text(&imported)
    );
    let again = glean(two.path(), &["import", "--json", archive]);
    let again: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(
        (&again["added"], &again["archive"]["articles_added"], &again["archive"]["articles_there"]),
        (&0.into(), &0.into(), &3.into())
    );
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 40]).unwrap();
    let half = glean(two.path(), &["import", archive]);
    assert!(half.status.code() == Some(1) && text(&half).contains("damaged or incomplete"), "{}", text(&half));
    let nowhere = glean(one.path(), &["export", "--everything", "/nowhere/at/all.zip"]);
    assert!(nowhere.status.code() == Some(1) && text(&nowhere).contains("could not be written"), "{}", text(&nowhere));
    assert_eq!(glean(one.path(), &["export", "--everything"]).status.code(), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_matches_of_a_search_as_documents() {
    let (one, _server) = library().await;
    let out = glean(one.path(), &["export", "--format", "markdown", "boat", "2"]);
    let output = text(&out);
    assert!(
        out.status.success()
            && output.starts_with("# Boat 2\n\nHarbour")
            && output.contains("Text **2**")
            && !output.contains("Boat 1"),
        "{output}"
    );
    let page = one.path().join("boats.html");
    let out = glean(one.path(), &["export", "--format", "html", "--output", page.to_str().unwrap(), "boat"]);
    assert!(out.status.success() && text(&out).contains("3 articles"), "{}", text(&out));
    assert_eq!(fs::read_to_string(&page).unwrap().matches("<article").count(), 3);
    let book = one.path().join("boats.epub");
    assert!(
        glean(one.path(), &["export", "--format", "epub", "--output", book.to_str().unwrap(), "--", "boat", "-2"])
            .status
            .success()
    );
    for (words, status) in [
        (&["export", "--format", "epub", "boat"][..], 2),
        (&["export", "--format", "html", "autor:x"], 2),
        (&["export", "--format", "html", "nothinglikethis"], 1),
        (&["export", "--output", "x", "boat"], 2),
    ] {
        assert_eq!(glean(one.path(), words).status.code(), Some(status), "{words:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_copy_of_articles_remains_when_the_output_is_closed() {
    let (one, _server) = library().await;
    let temporary = tempfile::tempdir().unwrap();
    let mut export = Command::new(env!("CARGO_BIN_EXE_glean"))
        .env("TMPDIR", temporary.path())
        .arg("--library")
        .arg(one.path())
        .args(["export", "--format", "html", "boat"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(export.stdout.take());
    assert!(export.wait().unwrap().success());
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn no_copy_of_articles_exists_while_it_is_printed() {
    let (one, _server) = library().await;
    let (temporary, long) = (tempfile::tempdir().unwrap(), one.path().join("long.xml"));
    let item = format!("<item><title>Cable</title><description>{}</description></item>", "rope ".repeat(100_000));
    fs::write(&long, format!("<rss version='2.0'><channel><title>Ropes</title>{item}</channel></rss>")).unwrap();
    assert!(glean(one.path(), &["add", long.to_str().unwrap()]).status.success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    command.env("TMPDIR", temporary.path()).arg("--library").arg(one.path()).stdout(Stdio::piped());
    command.args(["export", "--format", "html", "cable"]);
    for interrupted in [false, true] {
        let mut export = command.spawn().unwrap();
        let mut output = export.stdout.take().unwrap();
        output.read_exact(&mut [0]).unwrap();
        // The program waits, because the rest does not fit into the pipe.
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
        if interrupted {
            common::interrupt(&export);
            assert_eq!(export.wait().unwrap().code(), Some(130));
        } else {
            drop(output);
            assert!(export.wait().unwrap().success());
        }
    }
}

#[cfg(unix)]
#[test]
fn a_cancelled_import_reports_the_files_that_it_did_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("damaged.txt"), "no list").unwrap();
    let item = |n| format!(r#"{{"guid":"{n}","title":"T{n}","origin":{{"streamId":"feed/https://a.example/feed"}}}}"#);
    let items: Vec<String> = (0..20_000).map(item).collect();
    fs::write(folder.path().join("long.json"), format!(r#"{{"items":[{}]}}"#, items.join(","))).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    command.current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args(["--library", "library", "import", "--json", "damaged.txt", "long.json", "long.json"]);
    let mut import = command.spawn().unwrap();
    let mut errors = BufReader::new(import.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert!(line.starts_with("glean: damaged.txt: "), "{line}");
    // Now it imports the first of the long files, which takes seconds.
    common::interrupt(&import);
    errors.read_to_string(&mut line).unwrap();
    let output = import.wait_with_output().unwrap();
    assert!(output.status.code() == Some(1) && line.contains("the import was cancelled"), "{line}{output:?}");
    let reports: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // The first may not have begun yet, either.
    assert!(reports[1]["cancelled"] == true && reports[2]["cancelled"] == true, "{reports}");
    assert_eq!(reports[2]["error"], "cancelled", "{reports}");
    assert_eq!(reports.as_array().unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn detects_the_kind_of_piped_and_zipped_data() {
    let (one, _server) = library().await;
    let two = tempfile::tempdir().unwrap();
    let file = one.path().join("all.zip");
    let bytes_of_list = fs::read(one.path().join("list.opml")).unwrap();
    assert!(glean(one.path(), &["export", "--everything", file.to_str().unwrap()]).status.success());
    let piped = |library: &Path, words: &[&str], bytes: &[u8]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        command.arg("--library").arg(library).args(words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        child.wait_with_output().unwrap()
    };
    let preview = piped(two.path(), &["import", "--dry-run", "-"], &bytes_of_list);
    assert!(preview.status.success() && text(&preview).contains("1 feed"), "{}", text(&preview));
    let imported = piped(two.path(), &["import", "-"], &bytes_of_list);
    assert!(
        imported.status.success() && text(&imported).contains("-: 1 feed and 0 folders added"),
        "{}",
        text(&imported)
    );
    let preview =
        piped(two.path(), &["import", "--dry-run", "--json", "-", "/nowhere.opml"], &fs::read(&file).unwrap());
    let reports: serde_json::Value = serde_json::from_slice(&preview.stdout).unwrap();
    assert!(reports[0]["error"].is_string() && reports[1]["archive"]["articles_added"] == 3, "{reports}");
    let preview = piped(two.path(), &["import", "--dry-run", "-", "/nowhere.opml"], &fs::read(&file).unwrap());
    let preview = (preview.status.code(), text(&preview), String::from_utf8_lossy(&preview.stderr).into_owned());
    assert!(preview.0 == Some(1) && preview.1.starts_with("-, exported"), "named as given: {preview:?}");
    assert_eq!(preview.2.matches("/nowhere.opml").count(), 1, "{preview:?}");
    let list = one.path().join("list.opml");
    let words = ["import", "--dry-run", "/nowhere.opml", file.to_str().unwrap(), list.to_str().unwrap()];
    let refused = glean(two.path(), &words);
    assert!(refused.status.code() == Some(2) && text(&refused).contains("/nowhere.opml"), "{}", text(&refused));
    let imported = piped(two.path(), &["import", "-"], &fs::read(&file).unwrap());
    assert!(imported.status.success() && text(&imported).contains("3 articles added"), "{}", text(&imported));

    // Another reader's export is a zip, too.
    let bundle = one.path().join("other.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&bundle).unwrap());
    zip.start_file("feeds.opml.xml", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&bytes_of_list).unwrap();
    zip.finish().unwrap();
    let three = tempfile::tempdir().unwrap();
    let imported = glean(three.path(), &["import", bundle.to_str().unwrap()]);
    assert!(imported.status.success() && text(&imported).contains("1 feed and 0 folders added"), "{}", text(&imported));
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_missing_parts_of_an_archive() {
    let (one, _server) = library().await;
    let two = tempfile::tempdir().unwrap();
    let (file, part) = (one.path().join("all.zip"), one.path().join("part.zip"));
    assert!(glean(one.path(), &["export", "--everything", file.to_str().unwrap()]).status.success());
    let mut from = zip::ZipArchive::new(fs::File::open(&file).unwrap()).unwrap();
    let mut to = zip::ZipWriter::new(fs::File::create(&part).unwrap());
    for number in 0..from.len() {
        let member = from.by_index_raw(number).unwrap();
        if &*member.name().unwrap() != "states.jsonl" {
            to.raw_copy_file(member).unwrap();
        }
    }
    to.finish().unwrap();
    let imported = glean(two.path(), &["import", part.to_str().unwrap()]);
    assert_eq!(imported.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&imported.stderr).contains("skipped: states.jsonl (the file is missing)"),
        "{}",
        text(&imported)
    );
    assert!(String::from_utf8_lossy(&imported.stdout).contains("3 articles added"), "{}", text(&imported));
}

/// On a terminal, which `script` provides.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_reports_of_an_import_do_not_follow_its_progress_on_the_same_line() {
    let (one, _server) = library().await;
    let list = one.path().join("list.opml");
    let line = format!(
        "'{}' --library '{}' import '{}' /nowhere.opml '{2}'",
        env!("CARGO_BIN_EXE_glean"),
        one.path().display(),
        list.display()
    );
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env("TERM", "xterm").stdin(Stdio::null());
    let output = script.output().unwrap_or_else(|error| panic!("`script` (of util-linux) can't be run: {error}"));
    let output = text(&output);
    let report = format!("{}: 0 feeds and 0 folders added", list.display());
    assert!(output.contains("/1 feeds") && output.matches(&report).count() == 2, "{output:?}");
    for (at, _) in output.match_indices(&report) {
        // The bar is removed by this escape.
        assert!(output[..at].ends_with("\u{1b}[2K"), "{output:?}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn reports_a_full_disk_and_ignores_a_closed_pipe() {
    let (one, _server) = library().await;
    for words in [&["stats"][..], &["export"], &["search", "--json", "boat"], &["export", "--format", "html", "boat"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        command.arg("--library").arg(one.path()).args(words);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        let printed = text(&output);
        assert!(
            output.status.code() == Some(1) && printed.contains("couldn't write to standard output"),
            "{words:?}: {printed}"
        );
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = command.stdout(writer).output().unwrap();
        assert!(output.status.success() && text(&output).is_empty(), "{words:?}: {}", text(&output));
    }
    for words in [&["inspect", "/nowhere"][..], &["discover", "/nowhere"], &["search", "(a"], &["restore", "/nowhere"]]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        command.arg("--library").arg(one.path()).args(words);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command.stderr(full).output().unwrap();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{words:?} with a full standard error: {}", output.status);
    }
    for (words, expected) in [
        (&["export", "/dev/null"][..], "is not a regular file"),
        (&["export", "--everything", "/dev/null"], "is not a regular file"),
        (&["export", "--format", "markdown", "--article", "99999"], "there is no article 99999"),
        (&["restore", "/nowhere/backup"], "there is no backup /nowhere/backup"),
        (&["restore", "/dev/null"], "is not a backup of a library"),
    ] {
        let output = glean(one.path(), words);
        assert!(output.status.code() == Some(1) && text(&output).contains(expected), "{words:?}: {}", text(&output));
    }
    let damaged = one.path().join("damaged.sqlite");
    fs::write(&damaged, [&b"SQLite format 3\0"[..], &[0x5a; 9000]].concat()).unwrap();
    let output = glean(one.path(), &["restore", damaged.to_str().unwrap()]);
    assert!(
        output.status.code() == Some(1) && text(&output).contains("damaged.sqlite is damaged or incomplete"),
        "the error is about the backup, not the library: {}",
        text(&output)
    );
    for words in [&["export", "--format", "html"][..], &["retention", "--days", "-5"]] {
        assert_eq!(glean(one.path(), words).status.code(), Some(2), "{words:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn saved_searches_of_two_libraries_keep_their_queries_and_have_different_names() {
    let ((one, _server), two) = (library().await, tempfile::tempdir().unwrap());
    for (library, query) in [(one.path(), "boat"), (two.path(), "ship")] {
        let saved = glean(library, &["search", "--save", "Harbour", query]);
        assert!(saved.status.success() && text(&saved).ends_with("Saved the search Harbour.\n"), "{}", text(&saved));
    }
    let file = one.path().join("all.zip");
    assert!(glean(one.path(), &["export", "--everything", file.to_str().unwrap()]).status.success());
    for added in [1, 0] {
        let report = common::json(&glean(two.path(), &["import", "--json", file.to_str().unwrap()]));
        assert_eq!(report["archive"]["searches_added"], added);
    }
    let saved = common::json(&glean(two.path(), &["search", "--list-saved", "--json"]));
    let saved: Vec<_> = saved.as_array().unwrap().iter().map(|search| (&search["name"], &search["query"])).collect();
    assert_eq!(saved, [(&"Harbour".into(), &"ship".into()), (&"Harbour (2)".into(), &"boat".into())]);
    let found = common::json(&glean(two.path(), &["search", "--json", "--saved", "harbour (2)"]));
    assert_eq!(found["hits"].as_array().unwrap().len(), 3, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_exported_where_one_of_the_articles_does_not_exist() {
    let (one, _server) = library().await;
    let file = one.path().join("boats.html");
    let words =
        ["export", "--format", "html", "--article", "1", "--article", "999", "--output", file.to_str().unwrap()];
    let output = glean(one.path(), &words);
    assert!(output.status.code() == Some(1) && text(&output).contains("no article 999"), "{}", text(&output));
    assert!(!file.exists());
    let output = glean(one.path(), &["export", "--format", "html", "--article", "1", "--output", "-"]);
    assert!(output.status.success() && text(&output).contains("<title>"), "{}", text(&output));
}
