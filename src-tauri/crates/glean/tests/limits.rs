//! Endless input, and servers whose responses do not fit into memory.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, run, text};
use gleaner_library::{Body, Incoming, Intent, Library, NewItem, NewSubscription, Poll, Texts};
use gleaner_testserver::{Reply, Server};
use std::{
    fs::{self, File},
    io::{Read as _, Seek as _, Write as _},
    net::Ipv4Addr,
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

const FEED: &str = "<rss version=\"2.0\"><channel><title>Piped</title><item><title>One</title></item></channel></rss>";

/// Runs the program with this standard input.
fn with_stdin(library: &Path, words: &[&str], stdin: impl Into<Stdio>, write: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    let command = command.arg("--library").arg(library).args(words).stdin(stdin);
    let mut child: Child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(write).unwrap();
    }
    child.wait_with_output().unwrap()
}

#[test]
fn refuses_devices_and_pipes_that_nothing_writes_to() {
    let scratch = tempfile::tempdir().unwrap();
    let (library, pipe) = (scratch.path().join("library"), scratch.path().join("pipe"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let feed = scratch.path().join("feed.xml");
    fs::write(&feed, FEED).unwrap();
    let added = glean(&library, &["add", feed.to_str().unwrap()]);
    assert!(added.status.success(), "{}", text(&added));
    for path in ["/dev/zero", "/dev/full", pipe.to_str().unwrap()] {
        let address = format!("file://{path}");
        for words in [
            &["inspect", path][..],
            &["inspect", "--json", path],
            &["discover", "--html", path],
            &["extract", path],
            &["add", path],
            &["add", &address],
            &["import", path],
            &["import", "--dry-run", path],
            &["access", "Piped", "--user", "me", "--password-file", path],
        ] {
            let (code, said) = run(&library, words);
            assert!(code == Some(1) && said.contains("not a regular file"), "{words:?}: {code:?} {said}");
        }
        let (code, said) = run(&library, &["restore", path]);
        assert!(code == Some(1) && said.contains("not a backup"), "{said}");
    }
}

#[test]
fn reads_standard_input_and_pipes_up_to_a_limit() {
    let scratch = tempfile::tempdir().unwrap();
    let library = scratch.path().join("library");
    let inspected = with_stdin(&library, &["inspect", "/dev/stdin"], Stdio::piped(), FEED.as_bytes());
    assert!(text(&inspected).contains("Piped"), "{}", text(&inspected));
    let list = b"<opml version=\"2.0\"><body><outline text=\"a\" xmlUrl=\"https://a.example/\"/></body></opml>";
    let imported = with_stdin(&library, &["import", "-"], Stdio::piped(), list);
    assert!(text(&imported).contains("1 feed"), "{}", text(&imported));
    for words in [&["import", "-"][..], &["import", "--dry-run", "-"]] {
        let endless = with_stdin(&library, words, File::open("/dev/zero").unwrap(), b"");
        assert!(!endless.status.success() && text(&endless).contains("too large to import"), "{}", text(&endless));
    }
}

/// Runs the program. Returns whether it succeeded, its output and the most memory that it used, in kilobytes.
async fn peak(library: &Path, words: &[&str]) -> (bool, Vec<u8>, u64) {
    let mut out = tempfile::tempfile().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_glean"))
        .arg("--library")
        .arg(library)
        .args(words)
        .stdout(out.try_clone().unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        peak = kilobytes.unwrap_or(peak);
        tokio::time::sleep(Duration::from_millis(10)).await; // pause: between two readings of the peak
    }
    let (succeeded, mut output) = (child.wait().unwrap().success(), Vec::new());
    out.rewind().unwrap();
    out.read_to_end(&mut output).unwrap();
    (succeeded, output, peak)
}

#[tokio::test(flavor = "multi_thread")]
async fn long_articles_are_checked_and_exported_one_after_the_other() {
    // More than fits into the allowed memory.
    const ARTICLES: u64 = 40;
    const LENGTH: usize = 4 << 20;
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("library");
    let library = Library::open(&path).await.unwrap();
    let url = "https://a.example/feed".to_owned();
    let feed_id = library.subscriptions().add(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
    for key in 0..ARTICLES {
        // Random letters, which hardly compress.
        let mut state = key + 1;
        let mut letter = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            char::from(b'!' + u8::try_from(state % 90).unwrap())
        };
        let html = (0..LENGTH).map(|_| letter()).collect();
        let texts = Texts::pack(Some(&Body { html, base: None }), None);
        let item = NewItem { key: key.to_string(), digest: vec![0; 16], texts, ..NewItem::default() };
        let poll = Poll { feed_id, ..Poll::default() };
        let incoming = Incoming { poll, intents: vec![Intent::Insert(Box::new(item))], ..Incoming::default() };
        library.polls().store(&[&incoming]).await.unwrap();
    }
    library.close().await.unwrap();
    let archive = scratch.path().join("all.zip");
    for words in [&["check"][..], &["export", "--everything", archive.to_str().unwrap()]] {
        let (succeeded, output, peak) = peak(&path, words).await;
        assert!(succeeded, "{}", String::from_utf8_lossy(&output));
        assert!(peak > 20_000 && peak / 1000 < 120, "{words:?}: {peak} kB");
    }
}

/// Maximum memory of the process, whatever servers send, in megabytes.
const MEMORY: u64 = 300;
/// Number of hosts that respond at once.
const HOSTS: u8 = 12;

/// Refreshes feeds of twelve hosts that all respond with this document. Returns the servers, the report and the most memory in kilobytes.
async fn refresh_many_hosts(library: &Path, document: Vec<u8>) -> (Vec<Server>, serde_json::Value, u64) {
    let list = library.with_extension("opml");
    let (mut servers, mut outlines) = (Vec::new(), String::new());
    for host in 1..=HOSTS {
        let server = Server::start_at(Ipv4Addr::new(127, 0, 3, host)).await;
        let document = document.clone();
        server.on_request("*", move |_| Reply::ok(document.clone()));
        outlines.push_str(&format!("<outline text=\"f{host}\" xmlUrl=\"{}\"/>", server.url("/feed")));
        servers.push(server);
    }
    fs::write(&list, format!("<opml version=\"2.0\"><body>{outlines}</body></opml>")).unwrap();
    let (code, said) = run(library, &["import", list.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}");
    let (_, output, peak) = peak(library, &["refresh", "--json"]).await;
    (servers, serde_json::from_slice(&output).unwrap(), peak)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bodies_of_many_hosts_are_not_in_memory_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let library = scratch.path().join("library");
    let (servers, report, peak) = refresh_many_hosts(&library, b"only text ".repeat(3_100_000)).await;
    // Each was received completely: the error says that a text is not a feed, not that the response was cut off.
    assert_eq!((&report["asked"], &report["failed"]), (&HOSTS.into(), &HOSTS.into()), "{report}");
    assert!(servers.iter().all(|server| server.requests().len() == 1));
    let codes = run(&library, &["why", "f1"]).1;
    assert!(codes.contains("plain text"), "{codes}");
    assert!(peak > 20_000 && peak / 1000 <= MEMORY, "{peak} kB");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_items_of_many_hosts_are_not_in_memory_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    // Each item takes a hundred times its length: its address is relative to a long one.
    let base = format!("https://a.example/{}/", "b".repeat(1500));
    let items: String = (0..8000).map(|n| format!("<item><guid>{n}</guid><link>{n}</link></item>")).collect();
    let document = format!("<rss version=\"2.0\" xml:base=\"{base}\"><channel><title>a</title>{items}</channel></rss>");
    let (_servers, report, peak) = refresh_many_hosts(&scratch.path().join("library"), document.into_bytes()).await;
    assert_eq!(report["items_new"], 8000 * u64::from(HOSTS), "{report}");
    assert!(peak > 20_000 && peak / 1000 <= MEMORY, "{peak} kB");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_with_many_elements_take_little_memory() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("page.html");
    let letters = || (b'a'..=b'z').map(char::from);
    let attributes: String =
        letters().flat_map(|one| letters().map(move |other| format!(" {one}{other}"))).take(90).collect();
    for part in ["<li>x".to_owned(), format!("<b{attributes}>x</b>")] {
        fs::write(&file, format!("<html><body>{}", part.repeat((7 << 20) / part.len()))).unwrap();
        for words in [&["extract"][..], &["inspect", "--page"]] {
            let (_, _, peak) = peak(scratch.path(), &[words, &[file.to_str().unwrap()]].concat()).await;
            assert!(peak > 10_000 && peak / 1000 < 220, "{words:?} {:.20}: {peak} kB", part);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_an_article_have_one_limit() {
    let server = Server::start().await;
    server.on_request("*", |request| {
        let number: usize = request.path().trim_start_matches('/').parse().unwrap_or(0);
        let text =
            format!("Sentence {number} of the article is long enough to count as a text, and no other page has it. ")
                .repeat(20);
        let padding = format!("<!--{}-->", "x".repeat(5 << 20));
        let head = format!("<html><head><title>Long</title><link rel=next href='/{}'>{padding}</head>", number + 1);
        Reply::ok(format!("{head}<body><article><p>{text}</p></article></body></html>"))
            .header("Content-Type", "text/html")
    });
    let (code, said) = run(tempfile::tempdir().unwrap().path(), &["extract", "--json", &server.url("/1")]);
    let found: serde_json::Value =
        serde_json::from_str(&said[said.find('{').unwrap()..=said.rfind('}').unwrap()]).unwrap();
    assert_eq!(code, Some(0), "{said}");
    // 16 MiB are three pages of 5 MiB; the rest of the fourth is not received.
    assert_eq!(found["next_page_url"], server.url("/4"));
    let text = found["content_text"].as_str().unwrap();
    assert!(text.contains("Sentence 3") && !text.contains("Sentence 4"), "{text}");
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_local_file_has_the_limit_of_a_response() {
    let scratch = tempfile::tempdir().unwrap();
    let (library, feed) = (scratch.path().join("library"), scratch.path().join("feed.xml"));
    File::create(&feed).unwrap().set_len((32 << 20) + 1).unwrap();
    let (code, said) = run(&library, &["inspect", feed.to_str().unwrap()]);
    assert!(code == Some(1) && said.contains("too large"), "{said}");
    let zero = || File::open("/dev/zero").unwrap();
    for (words, why) in [
        (&["add", "--user", "me", "--password-file", "-", "http://127.0.0.1:1/"][..], "too large to be a password"),
        (&["extract", "-"], "is larger than"),
    ] {
        let refused = text(&with_stdin(&library, words, zero(), b""));
        assert!(refused.contains(why), "{words:?}: {refused}");
    }
}

/// It says that it is a regular file, and reading it waits for the next message of the kernel.
#[test]
fn does_not_wait_for_files_of_the_system() {
    let scratch = tempfile::tempdir().unwrap();
    let library = scratch.path().join("library");
    if !nothing_to_read(Path::new("/proc/kmsg")) {
        return;
    }
    for words in [&["import"][..], &["import", "--dry-run"], &["restore"], &["inspect"]] {
        let (code, said) = run(&library, &[words, &["/proc/kmsg"]].concat());
        assert!(code == Some(1), "{words:?}: {said}");
    }
}

/// Whether a file can be opened, and has nothing to read for now.
fn nothing_to_read(path: &Path) -> bool {
    let mut byte = [0];
    let read = gleaner_polling::file::open(path).and_then(|mut file| file.read(&mut byte));
    read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_a_million_feeds_is_imported_up_to_a_limit() {
    use std::fmt::Write as _;
    let scratch = tempfile::tempdir().unwrap();
    let (library, list) = (scratch.path().join("library"), scratch.path().join("list.opml"));
    let mut opml = String::from("<opml version=\"2.0\"><body>");
    for number in 0..1_000_000 {
        write!(opml, "<outline xmlUrl=\"http://h.example/{number}\"/>").unwrap();
    }
    opml.push_str("</body></opml>");
    fs::write(&list, opml).unwrap();
    let (succeeded, output, peak) = peak(&library, &["import", "--dry-run", "--json", list.to_str().unwrap()]).await;
    let plan: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert!(succeeded && plan["feeds"].as_array().unwrap().len() == 200_000 && peak < 300 << 10, "{peak} kB");
    assert!(
        plan["repairs"].to_string().contains("800000") || plan["repairs"].to_string().contains("800,000"),
        "{}",
        plan["repairs"]
    );
}
