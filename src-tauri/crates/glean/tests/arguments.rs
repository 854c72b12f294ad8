//! Refused arguments, and the output of accepted ones.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, json, run};
use gleaner_testserver::{Reply, Server};
use std::{
    fs,
    io::{Read as _, Write as _},
    path::Path,
    process::{Command, Stdio},
};

const FEED: &str = "<rss version='2.0'><channel><title>Mill</title><item><title>Rye</title><link>/rye</link>\
                    <description>&lt;a href='/field'>grain&lt;/a></description></item></channel></rss>";

#[test]
fn passwords_in_addresses_are_never_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (library, feed, page) =
        (folder.path().join("library"), folder.path().join("feed.xml"), folder.path().join("page.html"));
    let sentence = "<p>The miller slept, <a href='/wheel'>and the wheel</a> turned on, as it had for years.</p>";
    fs::write(&feed, FEED).unwrap();
    fs::write(&page, format!("<article>{}</article>", sentence.repeat(6))).unwrap();
    let (feed, page, login) = (feed.to_str().unwrap(), page.to_str().unwrap(), "http://ada:sesame@127.0.0.1:1/feed");
    for words in [
        &["account", "log", login][..],
        &["account", "remove", login],
        &["share", "save", login, "1"],
        &["import", login],
        &["import", "--json", login],
        &["import", "--dry-run", "--json", login],
        &["add", login],
        &["discover", "--json", login],
        &["extract", "--json", login],
        &["inspect", "--json", login],
        &["why", login],
        &["add", "http:/ada:sesame@127.0.0.1 /feed"],
        &["inspect", "ada:sesame@127.0.0.1/feed"],
        &["inspect", "feed:http://ada:sesame@127.0.0.1:1/feed"],
        &["inspect", "http://ada:sesame@127.0.0.1:99999/"],
        &["extract", "http://ada:sesame@127.0.0.1:99999/"],
        &["add", "--header", "Authorization sesame", "http://127.0.0.1:1/feed"],
        &["discover", "--json", "--base-url", login, "--html", page],
        &["extract", "--json", "--base-url", login, page],
        &["inspect", "--json", "--base-url", login, feed],
        &["inspect", "--base-url", login, feed],
    ] {
        let (_, output) = run(&library, words);
        assert!(!output.contains("sesame") && !output.is_empty(), "{words:?}: {output}");
    }
    let found = json(&glean(&library, &["extract", "--json", "--base-url", login, page]));
    assert!(found["content_html"].as_str().unwrap().contains("http://127.0.0.1:1/wheel"), "{found}");
}

#[test]
fn base_urls_and_files_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (library, feed) = (folder.path().join("library"), folder.path().join("feed.xml"));
    fs::write(&feed, FEED).unwrap();
    let feed = feed.to_str().unwrap();
    for (words, status, problem) in [
        (&["inspect", "--base-url", "foo", feed][..], 2, "base URL is invalid"),
        (&["discover", "--base-url", "foo", "--html", feed], 1, "base URL is invalid"),
        (&["extract", "--base-url", "foo", feed], 1, "base URL is invalid"),
        (&["extract", "http://127.0.0.1:99999/"], 1, "isn't a valid web address"),
        (&["extract", "nowhere.html"], 1, "glean: nowhere.html does not exist"),
        (&["discover", "--html", "nowhere.html"], 1, "glean: nowhere.html does not exist"),
        (&["add", "./nowhere.xml"], 1, "glean: ./nowhere.xml does not exist"),
        (&["discover", "--html", feed, "https://example.com/"], 2, "cannot be used with"),
        (&["discover", "--base-url", "https://example.com/", "https://example.com/"], 2, "cannot be used with"),
        (&["add", "--password-in-library", feed, "https://example.com/"], 2, "--user <NAME>|--bearer"),
        (&["add", "--password-file", feed, "https://example.com/"], 2, "--user <NAME>|--bearer"),
        (&["add", "--header", "A: b", feed], 2, "is a local file and needs no login or headers"),
        (&["access", "Mill", "--forget", "--header", "A: b"], 2, "cannot be used with"),
        (&["export", "--everything", "a", "b"], 2, "--everything needs one FILE"),
        (&["mark", "--tag", "To  Eat", "--untag", "to eat", "1"], 2, "the same tag"),
        (&["share", "add", "folder"], 2, "ADDRESS of the service is missing"),
        (&["share", "add", "folder", ""], 2, "path of the folder is empty"),
        (&["export", ""], 2, "the name of FILE is empty"),
        (&["share", "add", "wallabag", "https://example.com/"], 2, "--client-id"),
        (&["account", "add", "https://example.com/", "--user", "ada", "--accept-certificate", "zz"], 2, "64 hexa"),
    ] {
        let (code, output) = run(&library, words);
        assert!(code == Some(status) && output.contains(problem), "{words:?}: {code:?} {output}");
    }
    let (_, output) = run(&library, &["export", "/nowhere/at/all/list.opml"]);
    assert_eq!(output.matches("list.opml").count(), 1, "{output}");
}

#[test]
fn a_subscription_is_named_by_its_address_its_title_or_a_part_that_no_other_title_has() {
    let folder = tempfile::tempdir().unwrap();
    let (library, list) = (folder.path().join("library"), folder.path().join("list.opml"));
    let feed = |name: &str| {
        let host = name.to_lowercase();
        format!("<outline text='{name}' title='{name}' xmlUrl='https://{host}.example/feed'/>")
    };
    let feeds = ["Mill", "Windmill", "Watermill"].map(feed).concat();
    fs::write(&list, format!("<opml version='2.0'><body>{feeds}</body></opml>")).unwrap();
    glean(&library, &["import", list.to_str().unwrap()]);
    for (wanted, found) in
        [("mill", "mill"), ("WIND", "windmill"), ("water", "watermill"), ("https://Windmill.example/feed", "windmill")]
    {
        let (code, output) = run(&library, &["access", wanted]);
        assert!(code == Some(0) && output.contains(&format!("https://{found}.example/")), "{wanted}: {output}");
    }
    for (wanted, problem) in [("", "no feed matches"), (" ", "no feed matches"), ("mi", "3 feeds match")] {
        let (code, output) = run(&library, &["access", wanted, "--user-agent", "x"]);
        assert!(code == Some(1) && output.contains(problem), "{wanted:?}: {output}");
    }
    let (_, output) = run(&library, &["why", "rmill"]);
    assert!(output.contains("https://watermill.example/"), "{output}");
    let (_, output) = run(&library, &["why", "dm"]);
    assert!(output.contains("windmill") && !output.contains("User-Agent"), "{output}");
    let (code, output) = run(&library, &["account", "move", "rmill", "--to", "local"]);
    assert!(code == Some(0) && output.contains("belong to this computer already"), "{output}");
}

#[test]
fn a_hyphen_is_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let program = Command::new(env!("CARGO_BIN_EXE_glean"))
        .current_dir(folder.path())
        .args(["--library", "library", "export", "-"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&program.stdout).contains("<opml"), "{program:?}");
    let program = Command::new(env!("CARGO_BIN_EXE_glean"))
        .current_dir(folder.path())
        .args(["--library", "library", "export", "--everything", "-"])
        .output()
        .unwrap();
    assert!(program.stdout.starts_with(b"PK") && program.stderr.is_empty(), "{program:?}");
    assert!(!folder.path().join("-").exists());
}

#[test]
fn an_import_reports_each_file_that_cannot_be_read_and_imports_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (library, list) = (folder.path().join("library"), folder.path().join("list.opml"));
    fs::write(&list, "<opml version='2.0'><body><outline text='A' xmlUrl='https://a.example/feed'/></body></opml>")
        .unwrap();
    let (list, missing) = (list.to_str().unwrap(), folder.path().join("missing.opml"));
    let missing = missing.to_str().unwrap();
    let document = |words: &[&str]| -> serde_json::Value {
        let output = glean(&library, words);
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    for device in [missing, "/dev/null"] {
        let one = document(&["import", "--json", "--dry-run", device]);
        assert!(one["source"] == device && one["error"].is_string(), "{one}");
        let one = document(&["import", "--json", device]);
        assert!(one["source"] == device && one["error"].is_string(), "{one}");
    }
    let all = document(&["import", "--json", "--dry-run", list, missing]);
    assert_eq!(all.as_array().unwrap().iter().filter(|plan| plan["error"].is_null()).count(), 1, "{all}");
    let all = document(&["import", "--json", missing, list]);
    assert_eq!((&all[0]["source"], &all[1]["added"]), (&missing.into(), &1.into()), "{all}");
    let (code, output) = run(&library, &["import", missing, list]);
    assert!(code == Some(1) && output.matches("missing.opml").count() == 1, "{output}");
    // This file can be opened, but not read.
    #[cfg(target_os = "linux")]
    for words in [&["import", "/proc/self/mem"][..], &["import", "--dry-run", "/proc/self/mem"]] {
        let (code, output) = run(&library, words);
        assert!(code == Some(1) && output.starts_with("glean: /proc/self/mem could not be read"), "{output}");
    }
}

#[test]
fn folders_that_are_too_deep_lose_no_feed() {
    let folder = tempfile::tempdir().unwrap();
    let (library, list) = (folder.path().join("library"), folder.path().join("list.opml"));
    let feed = "<outline text='A' xmlUrl='https://a.example/feed'/>";
    let (open, close) = ("<outline text='Barn'>".repeat(5_000), "</outline>".repeat(5_000));
    fs::write(&list, format!("<opml version='2.0'><body>{open}{feed}{close}</body></opml>")).unwrap();
    let list = list.to_str().unwrap();
    let plan = json(&glean(&library, &["import", "--dry-run", "--json", list]));
    assert_eq!(plan["feeds"][0]["url"], "https://a.example/feed", "{plan}");
    assert!(plan["repairs"][0].as_str().unwrap().contains("folders are too deep"), "{}", plan["repairs"]);
    let report = json(&glean(&library, &["import", "--json", list]));
    assert_eq!(report["added"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_say_what_was_done() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let library = folder.path().join("library");
    let glean_ = |words: &[&str]| run(&library, words);
    server.on("/feed", Reply::ok(FEED));
    server.on("/validated", Reply::ok(FEED).header("ETag", "\"one\""));
    server.on("/nothing", Reply::status(204));
    for path in ["/feed", "/validated"] {
        assert_eq!(glean_(&["add", &server.url(path)]).0, Some(0));
    }
    let (code, output) = glean_(&["refresh"]);
    assert!(code == Some(0) && output.contains("No feed is due. The next check is on 2"), "{output}");
    server.on("/validated", Reply::status(304));
    let report = json(&glean(&library, &["refresh", "--all", "--json"]));
    assert_eq!((&report["asked"], &report["not_modified"], &report["unchanged"]), (&2.into(), &1.into(), &1.into()));
    assert_eq!(json(&glean(&library, &["stats", "--json"]))["not_modified"], 1);
    let (code, output) = glean_(&["add", &server.url("/nothing")]);
    assert!(code == Some(1) && output.contains("no document (204)"), "{output}");

    let (code, output) = glean_(&["rules", "add", "--do", "star"]);
    assert!(code == Some(0) && output.contains("Added rule 1"), "{output}");
    assert_eq!(json(&glean(&library, &["rules", "--json"]))[0]["name"], "Every article");
    let chosen = json(&glean(&library, &["offline", "--starred", "--images", "--json"]));
    assert_eq!((&chosen["text"], &chosen["pictures"]), (&false.into(), &true.into()));

    let notes = folder.path().join("Notes");
    fs::create_dir(&notes).unwrap();
    assert_eq!(glean_(&["share", "add", "folder", notes.to_str().unwrap()]).0, Some(0));
    let (code, output) = glean_(&["share", "save", "1", "999"]);
    assert!(code == Some(1) && output.contains("there is no article 999"), "{output}");
    let file = folder.path().join("feed.xml");
    fs::write(&file, "<rss version='2.0'><channel><title>M</title><item><title>R</title><description>one</description></item></channel></rss>").unwrap();
    // `glean feed` shows the address of a file.
    for file in [file.to_str().unwrap(), &format!("file://{}", file.display())] {
        let (_, output) = glean_(&["inspect", file]);
        assert!(output.contains("  1 item\n") && output.contains(" 1 word,"), "{output}");
    }
}

#[test]
fn an_empty_variable_names_no_library() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    command.env("GLEANER_LIBRARY", "").env("HOME", home.path()).env("XDG_DATA_HOME", home.path().join("data"));
    let output = command.args(["stats", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", common::text(&output));
}

#[test]
fn completions_may_be_read_in_part() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    let mut child =
        command.args(["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(child.wait().unwrap().success() && errors.is_empty(), "{errors}");
}

#[test]
fn the_manual_page_has_every_command() {
    let page = include_str!("../../../packaging/linux/glean.1");
    let described: Vec<&str> = page
        .lines()
        .filter_map(|line| {
            line.strip_prefix(".BR ").or(line.strip_prefix(".B "))?.trim_start_matches('"').split(' ').next()
        })
        .collect();
    let help = run(Path::new("none"), &["--help"]).1;
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let names = commands.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
    // The lines of a long description begin with more spaces.
    for line in names.filter(|line| !line.starts_with(' ')) {
        let name = line.split_whitespace().next().unwrap();
        assert!(name == "help" || described.contains(&name), "{name}");
    }
}

#[test]
fn help_fits_into_80_columns() {
    let help = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        let output = command.env("COLUMNS", "80").args(words).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let of_all = help(&[]);
    let names = of_all.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for name in names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())) {
        for line in help(&[name]).lines().filter(|line| !line.contains("Usage:")) {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
}

#[test]
fn lists_that_are_empty_say_so() {
    let folder = tempfile::tempdir().unwrap();
    for (words, expected) in [
        (&["account", "sync"][..], "No accounts."),
        (&["feed"], "No feeds yet."),
        (&["refresh"], "No feeds yet."),
        (&["stats"], "0 bytes received"),
        (&["download"], "No episodes are queued."),
        (&["download", "boats"], "No episodes match."),
    ] {
        let (code, text) = run(folder.path(), words);
        assert!(code == Some(0) && text.contains(expected), "{words:?}: {text}");
    }
}

#[test]
fn numbers_that_are_refused_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let none = "not the number of an article; `glean search` shows them";
    for (words, expected) in [
        (&["mark", "--read", "x"][..], none),
        (&["mark", "--read", "99999999999999999999"], none),
        (&["versions", "1.5"], none),
        (&["why", "--article", ""], none),
        (&["download", "--article", "x"], none),
        (&["share", "save", "Notes", "x"], none),
        (&["export", "--format", "html", "--article", "x"], none),
        (&["search", "--limit", "x", "boats"], "a whole number from 0 to 4294967295"),
        (&["search", "--limit", "99999999999999999999", "boats"], "a whole number from 0 to 4294967295"),
        (&["backfill", "--pages", "0", "Mill"], "a whole number from 1 to 1000000"),
        (&["feed", "Mill", "--interval", "-1"], "a number from 15 to 10080"),
        (&["retention", "--days", "-1"], "a whole number from 1 to 36500"),
        (&["retention", "--bytes", "0"], "a whole number of at least 1"),
    ] {
        let (code, output) = run(folder.path(), words);
        assert!(code == Some(2) && output.contains(expected), "{words:?}: {output}");
    }
    for words in
        [&["versions", "7"][..], &["why", "--article", "7"], &["mark", "--read", "7"], &["download", "--article", "7"]]
    {
        let (code, output) = run(folder.path(), words);
        assert!(code == Some(1) && output.contains("there is no article 7"), "{words:?}: {output}");
    }
}

#[test]
fn a_limit_of_no_matches_is_no_search_without_matches() {
    let folder = tempfile::tempdir().unwrap();
    let (library, feed) = (folder.path().join("library"), folder.path().join("feed.xml"));
    fs::write(&feed, FEED).unwrap();
    assert_eq!(run(&library, &["add", feed.to_str().unwrap()]).0, Some(0));
    let (_, output) = run(&library, &["search", "--limit", "0", "rye"]);
    assert_eq!(output, "No match is shown; use --limit N for more.\n");
    assert!(run(&library, &["search", "--limit", "0", "wheat"]).1.contains("No matches."));
}

#[test]
fn a_dash_is_the_standard_input() {
    let article = format!(
        "<article>{}</article>",
        "<p>The miller slept, and the wheel turned on, as it had for years.</p>".repeat(6)
    );
    let page = "<link rel=alternate type='application/rss+xml' href='https://example.com/feed'>";
    for (words, input, expected) in [
        (&["inspect", "-"][..], FEED, "Mill"),
        (&["discover", "--html", "-"], FEED, "-\tself\tMill"),
        (&["extract", "-"], &article, "The miller slept"),
        (&["discover", "--html", "-"], page, "https://example.com/feed"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        let mut child = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        assert!(output.contains(expected), "{words:?}: {output}");
    }
}

#[test]
fn a_library_that_is_a_file_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lib"), "").unwrap();
    let device = if cfg!(unix) { "/dev/null" } else { "lib" };
    for path in [folder.path().join("lib").to_str().unwrap(), "lib", device] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        let output = command.current_dir(folder.path()).args(["--library", path, "stats"]).output().unwrap();
        let expected = format!("glean: the library in {path} can't be written (it is a file, not a folder)\n");
        assert_eq!((output.status.code(), common::text(&output)), (Some(1), expected));
    }
}

#[test]
fn a_failure_is_named_on_standard_error_also_with_json() {
    let folder = tempfile::tempdir().unwrap();
    let (library, other) = (folder.path().join("library"), folder.path().join("other.txt"));
    fs::write(&other, "no feed and no list").unwrap();
    let (other, missing) = (other.to_str().unwrap(), folder.path().join("missing.xml"));
    let missing = missing.to_str().unwrap();
    for words in [
        &["inspect", "--json", other][..],
        &["inspect", "--jsonl", missing],
        &["discover", "--json", "--html", missing],
        &["extract", "--json", missing],
        &["import", "--json", other],
        &["import", "--json", missing],
        &["import", "--json", "--dry-run", other],
        &["search", "--json", "(rye"],
        &["rules", "preview", "--json", "--do", "star", "(rye"],
    ] {
        let output = glean(&library, words);
        let errors = String::from_utf8_lossy(&output.stderr);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(!document["error"].is_null() && !output.status.success(), "{words:?}: {document}");
        let named = words.last().unwrap();
        assert!(errors.contains(named) && errors.starts_with("glean: "), "{words:?}: {errors}");
    }
    let (_, output) = run(&library, &["inspect", missing]);
    assert_eq!(output, format!("glean: {missing} does not exist\n"));
}

#[test]
fn the_options_of_a_search_may_follow_its_query_whatever_the_library_is_called() {
    let folder = tempfile::tempdir().unwrap();
    for library in [&["--library", "search"][..], &["--library=search"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
        command.current_dir(folder.path()).args(library).args(["search", "search", "-rye", "--json"]);
        assert_eq!(json(&command.output().unwrap())["query"], "search -rye");
    }
}

#[test]
fn a_misplaced_option_is_no_part_of_a_query() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        &["search", "boats", "--limt", "3"][..],
        &["rules", "add", "--do", "hide", "boats", "--feed", "Mill"],
        &["rules", "preview", "--do", "hide", "boats", "--json"],
        &["download", "boats", "--limit", "3"],
    ] {
        let (code, output) = run(folder.path(), words);
        assert!(code == Some(2) && output.contains("options come before the query"), "{words:?}: {output}");
    }
    assert_eq!(json(&glean(folder.path(), &["rules", "--json"])), serde_json::json!([]));
    assert_eq!(json(&glean(folder.path(), &["search", "--json", "rye", "-oats"]))["query"], "rye -oats");
    assert_eq!(json(&glean(folder.path(), &["search", "--json", "--", "rye", "--limt"]))["query"], "rye \"--limt\"");
    assert_eq!(run(folder.path(), &["rules", "add", "--do", "star", "--", "--feed"]).0, Some(0));
}

#[test]
fn commands_say_that_there_is_nothing_to_list() {
    let folder = tempfile::tempdir().unwrap();
    let (code, output) = run(folder.path(), &["feed"]);
    assert!(code == Some(0) && output.contains("No feeds yet"), "{output}");
    assert_eq!(json(&glean(folder.path(), &["feed", "--json"])), serde_json::json!([]));
    let backups = glean(folder.path(), &["backup", "--list"]);
    assert!(backups.status.success() && backups.stdout.is_empty() && !backups.stderr.is_empty(), "{backups:?}");
    fs::write(folder.path().join("backups"), "no folder").unwrap();
    let (code, output) = run(folder.path(), &["backup", "--list"]);
    assert!(code == Some(1) && output.contains("backups could not be read"), "{output}");
}

#[test]
fn a_local_file_takes_no_connection_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (library, feed) = (folder.path().join("library"), folder.path().join("feed.xml"));
    fs::write(&feed, FEED).unwrap();
    assert_eq!(run(&library, &["add", "--user-agent", "Ada/1", feed.to_str().unwrap()]).0, Some(0));
    let (code, output) = run(&library, &["access", "Mill", "--header", "A: b"]);
    assert!(code == Some(1) && output.contains("is a local file"), "{output}");
    assert_eq!(run(&library, &["access", "Mill"]).0, Some(0));
}

#[test]
fn a_library_that_a_command_did_not_expect_to_create_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let stderr = |library: &str, words: &[&str]| {
        let output = glean(&folder.path().join(library), words);
        assert!(output.status.success(), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    for (at, words) in
        [&["stats"][..], &["search", "mill"], &["export", "-"], &["refresh", "--json"]].iter().enumerate()
    {
        let library = format!("typo-{at}");
        let error = stderr(&library, words);
        assert!(error.contains("no library in") && error.contains(&library), "{words:?}: {error}");
        assert_eq!(stderr(&library, words), "", "{words:?}");
    }
    assert_eq!(stderr("new", &["rules"]), "");
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_files_need_not_be_unicode() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.xml");
    fs::write(folder.path().join(name), FEED).unwrap();
    for words in
        [&["inspect", "--json"][..], &["inspect", "--json", "--page"], &["discover", "--json", "--html"], &["extract"]]
    {
        let program = Command::new(env!("CARGO_BIN_EXE_glean"))
            .current_dir(folder.path())
            .args(words)
            .arg(name)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&program.stderr);
        assert!(program.status.code() != Some(2) && !error.contains("UTF-8"), "{words:?}: {error}");
        assert!(program.status.success() || error.contains("no article was found"), "{words:?}: {error}");
    }
}

#[test]
fn a_query_that_is_too_long_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (code, output) = run(&folder.path().join("library"), &["search", &"plum".repeat(10_000)]);
    assert!(code == Some(2) && output.contains("too long") && output.len() < 500, "{} bytes", output.len());
}
