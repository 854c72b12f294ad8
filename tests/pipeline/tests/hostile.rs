//! Hostile servers, each with a valid feed on the same host: the state of the feed and of its neighbour.
#![allow(clippy::unwrap_used)]

use gleaner_fetch::KNOWN_NAME;
use gleaner_library::Source;
use gleaner_pipeline::{DAY, HOUR, MINUTE, Scratch, rss, travel};
use gleaner_testserver::{Certificate, Reply, Server};
use std::{io::Write as _, time::Duration};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

/// Bodies that are larger than the limit when they are decompressed.
fn bombs() -> [(&'static str, Vec<u8>); 3] {
    let zeros = vec![b' '; 8 << 20];
    let mut brotli = Vec::new();
    brotli::CompressorWriter::new(&mut brotli, 4096, 5, 20).write_all(&zeros).unwrap();
    [("gzip", gzip(&zeros)), ("br", brotli), ("zstd", zstd::encode_all(&zeros[..], 3).unwrap())]
}

/// Returns the replies of a server and the error code of each; none if the feed is read.
fn misdeeds(secure: &[(&str, &Server)]) -> Vec<Misdeed> {
    let feed = || Reply::ok(rss(&["new", "kept"]));
    let headers = |number| (0..number).fold(feed(), |reply, at| reply.header(&format!("X-{at}"), "y"));
    let half = gzip(rss(&["new", "kept"]).as_bytes());
    let mut rows: Vec<(&str, Reply, Option<&str>)> = vec![
        ("an endless body", Reply::ok("<rss>".repeat(4000)).endless(), Some("too_large")),
        ("a length too large", feed().content_length(9_000), None),
        ("a length too large for a part", Reply::ok("<rss><channel>").content_length(9_000), Some("connection_lost")),
        ("a length beyond all limits", feed().content_length(1 << 40), Some("too_large")),
        ("a length too small", feed().content_length(150), None),
        ("broken chunks after the document", feed().broken_chunks(), None),
        ("broken chunks", Reply::ok("<rss><channel>").broken_chunks(), Some("connection_lost")),
        ("an early close", feed().cut_after(70), Some("connection_lost")),
        ("an early close of chunks", feed().chunked(20).cut_after(70), Some("connection_lost")),
        ("a redirect to itself", Reply::redirect(302, "/feed"), Some("redirect_loop")),
        ("a circle", Reply::redirect(301, "/circle"), Some("redirect_loop")),
        ("a redirect to a file", Reply::redirect(301, "file:///etc/passwd"), Some("redirect_to_unsupported_scheme")),
        (
            "a redirect to loopback",
            Reply::redirect(301, "http://127.0.0.1:9/feed"),
            Some("redirect_to_private_address"),
        ),
        (
            "a redirect to localhost",
            Reply::redirect(302, "http://localhost:9/feed"),
            Some("redirect_to_private_address"),
        ),
        (
            "a redirect to a private address",
            Reply::redirect(308, "http://192.168.0.1/feed"),
            Some("redirect_to_private_address"),
        ),
        (
            "a redirect to metadata",
            Reply::redirect(307, "http://169.254.169.254/latest"),
            Some("redirect_to_private_address"),
        ),
        (
            "a redirect to private IPv6",
            Reply::redirect(302, "http://[fd00::1]/feed"),
            Some("redirect_to_private_address"),
        ),
        ("a redirect to an unknown host", Reply::redirect(302, "http://nowhere.example/feed"), Some("host_not_found")),
        (
            "a redirect to a closed port",
            Reply::redirect(302, "http://closed.example:1/feed"),
            Some("connection_refused"),
        ),
        ("a hundred thousand headers", headers(100_000), Some("invalid_response")),
        ("two hundred headers", headers(200), None),
        ("HTTP/0.9", Reply::raw(rss(&["new"])), Some("invalid_response")),
        ("babble", Reply::raw(vec![0xfe; 500]), Some("invalid_response")),
        ("nothing at all", Reply::raw(""), Some("connection_lost")),
        ("a wrong Content-Encoding", feed().header("Content-Encoding", "zstd"), None),
        (
            "a truncated encoding",
            Reply::ok(&half[..half.len() / 2]).header("Content-Encoding", "gzip"),
            Some("damaged_compression"),
        ),
        (
            "headers that are not text",
            feed().header("X-Name", b"\xff\xfe\x80".to_vec()).header("ETag", b"\"\xff\"".to_vec()),
            None,
        ),
        ("an image type", feed().header("Content-Type", "image/png"), None),
        ("an HTML type", feed().header("Content-Type", "text/html; charset=utf-8"), None),
        ("an invalid type", feed().header("Content-Type", b";;\xe9=".to_vec()), None),
        ("no content", Reply::status(204), Some("http_status")),
        ("a part", Reply::status(206).body(rss(&["new"])), Some("http_status")),
        ("a redirect to nowhere", Reply::status(302), Some("http_status")),
        ("304 to an unconditional request", Reply::status(304), None),
    ];
    let bombs =
        bombs().map(|(coding, body)| (coding, Reply::ok(body).header("Content-Encoding", coding), Some("too_large")));
    rows.extend(bombs);
    let mut rows: Vec<_> = rows.into_iter().map(|(what, reply, code)| (what.to_owned(), reply, code)).collect();
    for (host, server) in secure {
        let reply = Reply::redirect(302, server.url_at(host, "/feed"));
        let code = match *host {
            "expired.example" => "certificate_expired",
            "own.example" => "certificate_untrusted",
            _ => "certificate_wrong_host",
        };
        rows.push((format!("a certificate of {host}"), reply, Some(code)));
    }
    rows
}

type Misdeed = (String, Reply, Option<&'static str>);

/// Returns the replies of a server that takes too long.
fn delays() -> Vec<Misdeed> {
    let feed = || Reply::ok(rss(&["new", "kept"]));
    let rows = [
        ("hangs before the head", feed().hang_before_head(), "timeout"),
        ("hangs in the head", feed().hang_in_head(), "timeout"),
        ("hangs after the head", feed().hang_after_head(), "incomplete_response"),
        ("hangs in the body", feed().hang_in_body(60), "incomplete_response"),
        ("a byte at a time", feed().drip(Duration::from_millis(100)), "incomplete_response"),
    ];
    rows.into_iter().map(|(what, reply, code)| (what.to_owned(), reply, Some(code))).collect()
}

#[tokio::test]
async fn the_faults_of_a_server_affect_only_its_feed() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let certificates = [
        ("expired.example", Certificate::expired(&["expired.example"], (2024, 5, 3))),
        ("own.example", Certificate::self_signed(&["own.example"])),
        ("wrong.example", Certificate::good(&["right.example"])),
    ];
    let mut secure = Vec::new();
    for (host, certificate) in &certificates {
        secure.push((*host, Server::start_tls(certificate).await));
    }
    let secure: Vec<(&str, &Server)> = secure.iter().map(|(host, server)| (*host, server)).collect();
    let names = certificates.iter().map(|(host, _)| (*host, true));
    let names: Vec<_> =
        names.chain([("closed.example", true), ("nowhere.example", false), (KNOWN_NAME, true)]).collect();
    let trusted = certificates.iter().filter_map(|(_, certificate)| certificate.authority.clone());
    affect_only_their_feeds(server, scratch, misdeeds(&secure), &names, trusted.collect()).await;
}

#[tokio::test]
async fn a_server_that_takes_too_long_affects_only_its_feed() {
    let (server, mut scratch) = (Server::start().await, Scratch::new().await);
    scratch.limit(Some(Duration::from_secs(10)), Some(Duration::from_secs(12)));
    affect_only_their_feeds(server, scratch, delays(), &[], Vec::new()).await;
}

/// Refreshes a feed of each of these servers, and one of its neighbour.
async fn affect_only_their_feeds(
    server: Server,
    mut scratch: Scratch,
    rows: Vec<Misdeed>,
    others: &[(&str, bool)],
    trusted: Vec<Vec<u8>>,
) {
    let hosts: Vec<String> = (0..rows.len()).map(|number| format!("h{number}.example")).collect();
    let mut names: Vec<(&str, bool)> = hosts.iter().map(|host| (host.as_str(), true)).collect();
    names.extend(others);
    scratch.look_up_and_trust(&names, trusted);

    server.on("/circle", Reply::redirect(301, "/circle/2"));
    server.on("/circle/2", Reply::redirect(301, "/circle"));
    let mut feeds = Vec::new();
    for (host, (what, reply, code)) in hosts.iter().zip(rows) {
        // The path is the same for all, since some redirect to it: the query distinguishes them.
        let (bad, good) = (format!("/feed?{host}"), format!("/good?{host}"));
        server.on_each(&bad, [Reply::ok(rss(&["kept"])).header("ETag", "\"e\""), reply]);
        server.on_each(&good, [Reply::ok(rss(&["one"])), Reply::ok(rss(&["two", "one"]))]);
        let bad = scratch.subscribe(&server.url_at(host, &bad)).await;
        feeds.push((what, bad, scratch.subscribe(&server.url_at(host, &good)).await, code));
    }
    // A redirect without its query leads only to a redirect.
    server.on("/feed", Reply::redirect(302, "/feed"));
    assert_eq!(scratch.refresh_due().await.failed, 0);
    travel(2 * DAY);
    // It only returns because of the limits: some of these replies never end.
    let second = scratch.refresh_due().await;
    assert_eq!(second.requested, 2 * feeds.len());
    for (what, bad, good, code) in feeds {
        assert_eq!(scratch.feed_error(good).await, None, "{what}");
        assert_eq!(scratch.titles(Source::Feed(good)).await, ["two", "one"], "{what}: its neighbour");
        let poll = scratch.poll(bad).await;
        assert_eq!(poll.failure.error_code.as_deref(), code, "{what}: {:?}", poll.failure);
        let titles = scratch.titles(Source::Feed(bad)).await;
        assert!(titles.contains(&"kept".to_owned()), "{what}: {titles:?}");
        let wait = poll.next_at.unwrap() - poll.checked_at.unwrap();
        assert!((HOUR - MINUTE..3 * DAY).contains(&wait), "{what}: {wait}");
        if code.is_some() {
            assert_eq!((titles.len(), poll.failures, poll.etag.as_deref()), (1, 1, Some(&b"\"e\""[..])), "{what}");
        }
        let row = scratch.library.feeds().get(bad).await.unwrap();
        assert!(row.url.contains("/feed?") && row.former_url.is_none(), "{what}: its address stays");
    }

    // Each of them recovers when its server does.
    travel(4 * DAY);
    for host in &hosts {
        server.on(&format!("/feed?{host}"), Reply::ok(rss(&["newer", "kept"])));
    }
    assert_eq!(scratch.refresh_due().await.failed, 0);
    assert!(scratch.library.polls().list().await.unwrap().iter().all(|poll| poll.failure.error_code.is_none()));
    let newer = scratch.titles(Source::All).await.iter().filter(|title| *title == "newer").count();
    assert_eq!(newer, 1, "one duplicate group");
    scratch.library.duplicates().set_combined(false).await.unwrap();
    let newer = scratch.titles(Source::All).await.iter().filter(|title| *title == "newer").count();
    assert_eq!(newer, hosts.len());
}
