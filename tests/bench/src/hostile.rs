//! A refresh of many hosts that each send the maximum: the peak memory, and the results of the feeds.

use crate::{
    feeds,
    process::{run, run_to_any_end},
    row,
};
use gleaner_testserver::{Reply, Server};
use std::{fs, net::Ipv4Addr, sync::Arc};

/// Maximum memory of the process, in megabytes.
const MEMORY: f64 = 300.0;
const LENGTH: usize = 31 << 20;

/// Returns a document of about [`LENGTH`] bytes.
fn document(head: &str, part: &str) -> Vec<u8> {
    format!("{head}{}", part.repeat(LENGTH / part.len())).into_bytes()
}

/// Refreshes one feed of each host; one in ten is an ordinary feed, which has to be read in spite of the others.
pub async fn measure(hosts: u16) {
    let scratch = tempfile::tempdir().unwrap();
    let item = "<item><title>A title of usual length</title><description>Some words of a text.</description></item>";
    let rss = "<rss version=\"2.0\"><channel><title>t</title>";
    let kinds = [
        feeds::document(0, 30).into_bytes(),
        document(rss, item),
        document(rss, "<a/>"),
        document(rss, "<a b=\"\"/>"),
        document("<html><body>", "<p>text "),
        document("", "only text "),
        document(&format!("{rss}<item><title>a</title><description><![CDATA["), "x < y "),
        document("{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[", "{\"id\":1},"),
        document(rss, "<item><x>"),
        document(rss, "<item/>"),
    ]
    .map(Arc::new);
    let (mut servers, mut urls) = (Vec::new(), Vec::new());
    for host in 0..hosts {
        let [high, low] = [host / 250, 1 + host % 250].map(|part| u8::try_from(part).unwrap());
        let server = Server::start_at(Ipv4Addr::new(127, 1, high, low)).await;
        // A function, so that the server does not keep a copy for each host.
        let body = Arc::clone(&kinds[usize::from(host) % kinds.len()]);
        server.on_request("*", move |_| Reply::ok(body.to_vec()));
        urls.push(server.url("/feed"));
        servers.push(server);
    }
    let list = scratch.path().join("list.opml");
    fs::write(&list, feeds::list(&urls)).unwrap();
    let library = scratch.path().join("library");
    run(&library, &["import", list.to_str().unwrap()]).await;
    let ran = run_to_any_end(&library, &["refresh", "--json"]).await;
    row(&format!("refresh of {hosts} hosts of 31 MB each"), &crate::shown(&ran));
    assert!(ran.peak_megabytes <= MEMORY, "more than {MEMORY} MB");
}
