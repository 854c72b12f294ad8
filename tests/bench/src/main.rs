//! `make bench` measures the figures of docs/benchmarks.md. Compare figures of one run only: machines differ.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod feeds;
mod hostile;
mod process;
mod reading;
mod scale;
mod soak;
mod sync;
mod window;

use gleaner_testserver::{Reply, Server};
use process::{Ran, run};
use std::{fs, net::Ipv4Addr, path::Path};

const FEEDS: usize = 1_000;
const ITEMS: usize = 30;
/// Number of hosts that share the feeds: one host gets one request at a time.
const HOSTS: usize = 250;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [what, sizes @ ..] = words.as_slice()
        && what == "reading"
    {
        let size = |at: usize, usual: usize| sizes.get(at).map_or(usual, |size| size.parse().unwrap());
        runtime.block_on(reading::measure(size(0, 1_000_000), size(1, 10) as u64));
        return;
    }
    if words == ["sync"] {
        runtime.block_on(sync::measure());
        return;
    }
    if let [what, sizes @ ..] = words.as_slice()
        && what == "hostile"
    {
        runtime.block_on(hostile::measure(sizes.first().map_or(500, |hosts| hosts.parse().unwrap())));
        return;
    }
    if let [what, options @ ..] = words.as_slice()
        && what == "soak"
    {
        let size = |at: usize, usual: usize| options.get(at).map_or(usual, |size| size.parse().unwrap());
        let picture = options.get(2).map(Path::new);
        runtime.block_on(soak::measure(size(0, 60) as u64, size(1, 500), picture, size(3, 0)));
        return;
    }
    if let [what, sizes @ ..] = words.as_slice() {
        assert_eq!(
            what, "scale",
            "gleaner-bench, or gleaner-bench scale [ARTICLES [FOLDER]], or gleaner-bench reading [ARTICLES [MINUTES]], \
             or gleaner-bench soak [MINUTES [FEEDS [PICTURE [ARTICLES]]]], or gleaner-bench hostile [HOSTS], or gleaner-bench sync"
        );
        let articles = sizes.first().map_or(100_000, |articles| articles.parse().unwrap());
        runtime.block_on(scale::measure(articles, sizes.get(1).map(Into::into)));
        return;
    }
    runtime.block_on(async {
        println!("| what | figure |\n|---|---|");
        core().await;
        window::measure().await;
        package();
    });
}

fn row(what: &str, figure: &str) {
    println!("| {what} | {figure} |");
}

fn shown(ran: &Ran) -> String {
    format!("{:.2} s wall, {:.2} s CPU, {:.0} MB at its peak", ran.wall, ran.cpu, ran.peak_megabytes)
}

/// Measures import and refresh by `glean`, with the servers in this process.
async fn core() {
    let scratch = tempfile::tempdir().unwrap();
    let documents: Vec<String> = (0..FEEDS).map(|feed| feeds::document(feed, ITEMS)).collect();
    let bytes: usize = documents.iter().map(String::len).sum();
    let mut servers = Vec::new();
    for host in 0..HOSTS {
        let server = Server::start_at(Ipv4Addr::new(127, 0, 1, u8::try_from(host).unwrap() + 1)).await;
        for feed in (host..FEEDS).step_by(HOSTS) {
            let document = documents[feed].clone();
            server.on_request(&format!("/{feed}"), move |request| match request.header("If-None-Match") {
                Some(_) => Reply::status(304),
                None => {
                    Reply::ok(document.clone()).header("ETag", "\"1\"").header("Content-Type", "application/rss+xml")
                }
            });
        }
        servers.push(server);
    }
    let urls: Vec<String> = (0..FEEDS).map(|feed| servers[feed % HOSTS].url(&format!("/{feed}"))).collect();
    let list = scratch.path().join("list.opml");
    fs::write(&list, feeds::list(&urls)).unwrap();
    let library = scratch.path().join("library");

    row(&format!("import of {FEEDS} feeds"), &shown(&run(&library, &["import", list.to_str().unwrap()]).await));
    row(
        &format!("refresh of {FEEDS} feeds × {ITEMS} items ({} MB), cold", bytes / 1_000_000),
        &shown(&run(&library, &["refresh", "--all", "--json"]).await),
    );
    row("the same with nothing changed (304)", &shown(&run(&library, &["refresh", "--all", "--json"]).await));
    row("the library after that", &format!("{:.0} MB", megabytes(&library)));
}

fn megabytes(folder: &Path) -> f64 {
    let bytes: u64 = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    bytes as f64 / 1e6
}

/// Reports the size of the package if there is one.
fn package() {
    let Ok(folder) = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../dist")) else { return };
    for entry in folder.flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "deb" || extension == "rpm") {
            let name = entry.file_name().to_string_lossy().into_owned();
            row(&name, &format!("{:.1} MB", entry.metadata().unwrap().len() as f64 / 1e6));
        }
    }
}
