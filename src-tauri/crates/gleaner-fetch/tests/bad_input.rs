//! What a broken or hostile server can do within one exchange: each ends in a clear error within the limits.
#![allow(clippy::unwrap_used)]

mod common;

use common::{fetcher, fetcher_with_names, get, limits, request};
use gleaner_fetch::{FetchErrorKind, Fetcher, Limits, Request, Settings};
use gleaner_testserver::{Reply, Server};
use std::io::Write as _;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_hang_before_or_in_the_head_ends_at_the_first_byte_limit() {
    let server = Server::start().await;
    for reply in [Reply::ok("x").hang_before_head(), Reply::ok("x").hang_in_head()] {
        server.on("/feed", reply);
        let error = get(&server, "/feed").await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::Timeout);
        assert_eq!(error.message, "The server did not answer within 0.4 seconds");
    }
}

#[tokio::test]
async fn a_hang_after_the_head_or_a_byte_at_a_time_ends_at_the_whole_limit() {
    let server = Server::start().await;
    let body = "x".repeat(1000);
    for reply in [
        Reply::ok(body.clone()).hang_after_head(),
        Reply::ok(body.clone()).hang_in_body(10),
        Reply::ok(body).drip(Duration::from_millis(50)),
    ] {
        server.on("/feed", reply);
        let start = Instant::now();
        let error = get(&server, "/feed").await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::Timeout);
        assert_eq!(error.message, "The answer was not complete after 0.9 seconds");
        assert!(start.elapsed() < Duration::from_millis(1800));
    }
}

#[tokio::test]
async fn many_slow_redirects_end_at_the_whole_limit() {
    let server = Server::start().await;
    server.on_request("*", |request| {
        Reply::redirect(302, format!("{}1", request.path())).delay(Duration::from_millis(200))
    });
    assert_eq!(get(&server, "/").await.unwrap_err().kind, FetchErrorKind::Timeout);
}

#[tokio::test]
async fn a_redirect_whose_body_hangs_is_followed_all_the_same() {
    let server = Server::start().await;
    server.on("/a", Reply::redirect(302, "/b").body("never sent").hang_after_head());
    server.on("/b", Reply::ok("x"));
    assert_eq!(get(&server, "/a").await.unwrap().body.unwrap(), b"x");
}

#[tokio::test]
async fn an_endless_body_ends_at_the_body_limit() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok("x".repeat(4096)).endless());
    let error = get(&server, "/feed").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::TooLarge);
    assert_eq!(error.message, "The answer is larger than 1 MB");
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_good_and_one_byte_more_is_not() {
    let server = Server::start().await;
    server.on("/just", Reply::ok(vec![b'x'; 1 << 20]));
    server.on("/over", Reply::ok(vec![b'x'; (1 << 20) + 1]));
    server.on("/chunked", Reply::ok(vec![b'x'; (1 << 20) + 1]).chunked(70_000));
    assert_eq!(get(&server, "/just").await.unwrap().body.unwrap().len(), 1 << 20);
    assert_eq!(get(&server, "/over").await.unwrap_err().kind, FetchErrorKind::TooLarge);
    assert_eq!(get(&server, "/chunked").await.unwrap_err().kind, FetchErrorKind::TooLarge);
}

#[tokio::test]
async fn bombs_stop_at_the_body_limit() {
    let server = Server::start().await;
    let zeros = vec![0; 64 << 20];
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(&zeros).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut twice = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    twice.write_all(&gzip).unwrap();
    let mut brotli = Vec::new();
    brotli::CompressorWriter::new(&mut brotli, 4096, 5, 20).write_all(&zeros).unwrap();
    let zstd = zstd::encode_all(&zeros[..], 3).unwrap();
    let fetcher = Fetcher::new(Limits { body: 1 << 20, ..Limits::default() }).unwrap();
    for (coding, body) in [("gzip", gzip), ("gzip, gzip", twice.finish().unwrap()), ("br", brotli), ("zstd", zstd)] {
        assert!(body.len() < 1 << 17, "{coding}: {} bytes", body.len());
        server.on("/feed", Reply::ok(body).header("Content-Encoding", coding));
        let error = fetcher.fetch(request(&server.url("/feed"))).await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::TooLarge, "{coding}");
    }
}

#[tokio::test]
async fn a_zstd_window_beyond_what_the_web_allows_is_refused() {
    let server = Server::start().await;
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(b"small").unwrap();
    server.on("/feed", Reply::ok(encoder.finish().unwrap()).header("Content-Encoding", "zstd"));
    assert_eq!(get(&server, "/feed").await.unwrap_err().kind, FetchErrorKind::Broken);
}

#[tokio::test]
async fn damaged_and_cut_compression_is_an_error() {
    let server = Server::start().await;
    let text = "a feed, and another feed, ".repeat(2000);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(text.as_bytes(), 3).unwrap();
    let mut brotli = Vec::new();
    brotli::CompressorWriter::new(&mut brotli, 4096, 5, 20).write_all(text.as_bytes()).unwrap();
    for (coding, body) in [("gzip", gzip), ("zstd", zstd), ("br", brotli)] {
        let cut = body[..body.len() - 9].to_vec();
        let mut damaged = body.clone();
        let middle = damaged.len() / 2;
        for byte in &mut damaged[middle..middle + 8] {
            *byte ^= 0x5a;
        }
        // Brotli and this zstd have no checksum: damage in a literal is just another letter.
        let bodies = if coding == "gzip" { vec![cut, damaged] } else { vec![cut] };
        for body in bodies {
            server.on("/feed", Reply::ok(body).header("Content-Encoding", coding));
            let error = get(&server, "/feed").await.unwrap_err();
            assert_eq!(error.kind, FetchErrorKind::Broken, "{coding}");
            assert_eq!(error.message, "The answer's compression is damaged");
        }
    }
}

#[tokio::test]
async fn a_content_length_that_lies() {
    let server = Server::start().await;
    server.on("/too-much", Reply::ok("short").content_length(5000));
    server.on("/huge", Reply::ok("short").content_length(1 << 40));
    server.on("/too-little", Reply::ok("longer than it says").content_length(6));
    let error = get(&server, "/too-much").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Broken);
    assert_eq!(error.message, "The connection broke off in the middle of the answer");
    assert_eq!(get(&server, "/huge").await.unwrap_err().kind, FetchErrorKind::TooLarge);
    assert_eq!(get(&server, "/too-little").await.unwrap().body.unwrap(), b"longer");
}

#[tokio::test]
async fn broken_chunks_and_early_close() {
    let server = Server::start().await;
    server.on("/chunks", Reply::ok("one good chunk").broken_chunks());
    server.on("/cut", Reply::ok("cut in the middle").cut_after(5));
    server.on("/cut-chunks", Reply::ok("cut in the middle").chunked(4).cut_after(12));
    for path in ["/chunks", "/cut", "/cut-chunks"] {
        let error = get(&server, path).await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::Broken, "{path}");
    }
    server.on("/until-close", Reply::ok("the end of the connection is the end").until_close());
    assert_eq!(get(&server, "/until-close").await.unwrap().body.unwrap().len(), 36);
}

#[tokio::test]
async fn what_is_not_http() {
    let server = Server::start().await;
    server.on("/0.9", Reply::raw("<rss><channel><title>HTTP/0.9</title></channel></rss>"));
    server.on("/binary", Reply::raw(vec![0xff; 300]));
    server.on("/nothing", Reply::raw(""));
    for path in ["/0.9", "/binary"] {
        let error = get(&server, path).await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::Broken, "{path}");
        assert_eq!(error.message, "The server's answer is not HTTP", "{path}");
    }
    let error = get(&server, "/nothing").await.unwrap_err();
    assert_eq!(error.message, "The server closed the connection without an answer");
}

#[tokio::test]
async fn a_hundred_thousand_headers_are_refused_and_two_hundred_are_not() {
    let server = Server::start().await;
    let with = |number| (0..number).fold(Reply::ok("x"), |reply, at| reply.header(&format!("X-{at}"), "y"));
    server.on("/many", with(100_000));
    server.on("/some", with(200));
    let error = get(&server, "/many").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Broken);
    assert_eq!(error.message, "The server's answer begins with too many headers");
    assert!(get(&server, "/some").await.is_ok());
}

#[tokio::test]
async fn headers_that_are_no_utf_8_or_no_headers_do_no_harm() {
    let server = Server::start().await;
    let reply = Reply::ok("x")
        .header("Content-Type", b"application/rss+xml; charset=\xe9\xff".to_vec())
        .header("Content-Disposition", b"\x80\x81".to_vec())
        .header("Retry-After", b"\xff".to_vec())
        .header("Bad Name\u{e9}", "y");
    server.on("/feed", reply);
    let answer = get(&server, "/feed").await.unwrap();
    assert!(answer.content_type.unwrap().starts_with("application/rss+xml"));
}

#[tokio::test]
async fn redirects_that_lead_nowhere_good() {
    let server = Server::start().await;
    for (location, words) in [
        ("file:///etc/passwd", "The server redirects to an address that begins with file:"),
        ("ftp://example.com/feed", "The server redirects to an address that begins with ftp:"),
        ("javascript:alert(1)", "The server redirects to an address that begins with javascript:"),
        ("data:text/xml,<rss/>", "The server redirects to an address that begins with data:"),
        ("http://[", "The server redirects to “http://[”, which is no address"),
    ] {
        server.on("/feed", Reply::redirect(301, location));
        let error = get(&server, "/feed").await.unwrap_err();
        assert_eq!((error.kind, error.to_string().as_str()), (FetchErrorKind::Scheme, words));
    }
    let error = fetcher().fetch(request("file:///etc/passwd")).await.unwrap_err();
    assert_eq!(error.message, "Addresses that begin with file: are not fetched, only http: and https:");
}

#[tokio::test]
async fn a_public_server_cannot_send_us_into_the_private_network() {
    let server = Server::start().await;
    let fetcher = fetcher_with_names(&server, &["public.example"]);
    let port = server.address().port();
    server.on("/secret", Reply::ok("x"));
    for target in [
        server.url("/secret"),
        format!("http://localhost:{port}/secret"),
        format!("http://LOCALHOST.:{port}/secret"),
        format!("http://[::ffff:127.0.0.1]:{port}/secret"),
        format!("http://2130706433:{port}/secret"),
        "http://10.1.2.3/secret".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
    ] {
        server.on("/feed", Reply::redirect(302, target.clone()));
        let error = fetcher.fetch(request(&server.url_at("public.example", "/feed"))).await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::PrivateAddress, "{target}");
    }
    assert!(server.requests_to("/secret").is_empty());
}

#[tokio::test]
async fn what_the_user_has_at_home_may_redirect_at_home() {
    let server = Server::start().await;
    server.on("/feed", Reply::redirect(302, format!("http://localhost:{}/there", server.address().port())));
    server.on("/there", Reply::ok("x"));
    assert!(get(&server, "/feed").await.is_ok());
}

#[tokio::test]
async fn an_unknown_name_and_a_refused_connection() {
    let names = [
        ("notfound.example".to_owned(), vec![]),
        (gleaner_fetch::KNOWN_NAME.to_owned(), vec!["127.0.0.1:0".parse().unwrap()]),
    ];
    let settings = Settings { limits: limits(), names: names.into(), ..Settings::default() };
    let error = Fetcher::with(settings).unwrap().fetch(request("http://notfound.example/")).await.unwrap_err();
    match error.kind {
        FetchErrorKind::Dns => {
            assert_eq!(error.message, "The server's name notfound.example could not be found");
        }
        // On a machine without any way out every unknown name is that, and says nothing against the server.
        kind => assert_eq!(kind, FetchErrorKind::Offline),
    }
    let server = Server::start().await;
    let url = server.url("/");
    drop(server);
    tokio::task::yield_now().await;
    let error = fetcher().fetch(request(&url)).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Connect);
    assert_eq!(error.message, "The server refused the connection");
}

#[tokio::test]
async fn what_a_public_page_names_may_not_be_private_from_the_first_hop_on() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok("x"));
    for url in [server.url("/feed"), server.url_at("localhost", "/feed")] {
        let request = Request { public_only: true, ..request(&url) };
        assert_eq!(fetcher().fetch(request).await.unwrap_err().kind, FetchErrorKind::PrivateAddress, "{url}");
    }
    let public = Request { public_only: true, ..request(&server.url_at("public.example", "/feed")) };
    assert!(fetcher_with_names(&server, &["public.example"]).fetch(public).await.is_ok());
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_proxy_is_asked_for_everything_but_this_machine() {
    let (proxy, server) = (Server::start().await, Server::start().await);
    proxy.on_request("*", |request| Reply::ok(request.target.clone()));
    server.on("/feed", Reply::ok("direct"));
    let settings = Settings { limits: limits(), proxy: Some(proxy.url("").parse().unwrap()), ..Settings::default() };
    let fetcher = Fetcher::with(settings).unwrap();
    let answer = fetcher.fetch(request("http://public.example/feed")).await.unwrap();
    assert_eq!(answer.body.unwrap(), b"http://public.example/feed");
    assert_eq!(fetcher.fetch(request(&server.url("/feed"))).await.unwrap().body.unwrap(), b"direct");
}
