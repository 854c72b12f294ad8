//! The lines of docs/politeness.md that concern a single exchange; each test is named by its line.
#![allow(clippy::unwrap_used)]

mod common;

use common::{fetcher, fetcher_with_names, get, request, validators};
use gleaner_fetch::{Accept, FetchCause, FetchErrorKind, Fetcher, Limits, Request, USER_AGENT};
use gleaner_testserver::{Reply, Server};
use std::io::Write as _;
use std::time::Duration;

#[tokio::test]
async fn p01_the_first_fetch_is_one_unconditional_get() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok("<rss/>"));
    let response = get(&server, "/feed").await.unwrap();
    assert_eq!((response.status, response.body.as_deref()), (200, Some(&b"<rss/>"[..])));
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].method, "GET");
    assert_eq!(requests[0].header("If-None-Match"), None);
    assert_eq!(requests[0].header("If-Modified-Since"), None);
}

#[tokio::test]
async fn p02_both_validators_are_sent_byte_for_byte() {
    let server = Server::start().await;
    server.on("/feed", Reply::status(304));
    for etag in [&b"W/\"weak, with \xe9 bytes\""[..], b"\"strong\"", b"unquoted", b"\"a--gzip\""] {
        let date = &b"Tue, 01 Apr 2025 08:00:00 GMT"[..];
        let request = request(&server.url("/feed")).validators(validators(Some(etag), Some(date)));
        let response = fetcher().fetch(request).await.unwrap();
        assert_eq!((response.status, response.body), (304, None));
        let sent = server.requests().pop().unwrap();
        assert_eq!(sent.header("If-None-Match"), Some(etag));
        assert_eq!(sent.header("If-Modified-Since"), Some(date));
    }
}

#[tokio::test]
async fn p03_echoes_a_last_modified_that_is_not_a_date() {
    let server = Server::start().await;
    let odd = &b"yesterday, 25 o'clock \xff"[..];
    server.on_each("/feed", [Reply::ok("x").header("Last-Modified", odd), Reply::status(304)]);
    let first = get(&server, "/feed").await.unwrap();
    assert_eq!(first.validators, validators(None, Some(odd)));
    let second = request(&server.url("/feed")).validators(first.validators);
    assert_eq!(fetcher().fetch(second).await.unwrap().status, 304);
    assert_eq!(server.requests()[1].header("If-Modified-Since"), Some(odd));
}

#[tokio::test]
async fn p06_p07_p08_an_answer_has_exactly_the_validators_of_the_response() {
    let server = Server::start().await;
    let sent = validators(Some(b"\"1\""), Some(b"Tue, 01 Apr 2025 08:00:00 GMT"));
    server.on("/none", Reply::ok("x"));
    server.on("/new-etag", Reply::status(304).header("ETag", "\"2\""));
    let none = fetcher().fetch(request(&server.url("/none")).validators(sent.clone())).await.unwrap();
    assert_eq!(none.validators, validators(None, None));
    let new = fetcher().fetch(request(&server.url("/new-etag")).validators(sent)).await.unwrap();
    assert_eq!(new.validators, validators(Some(b"\"2\""), None));
}

#[tokio::test]
async fn p09_a_304_to_an_unconditional_request_is_an_error() {
    let server = Server::start().await;
    server.on("/feed", Reply::status(304));
    let error = get(&server, "/feed").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Http(304));
    assert_eq!(server.requests().len(), 1, "no retry");
}

#[tokio::test]
async fn p21_freshness_is_read_on_200_and_on_304() {
    let server = Server::start().await;
    server.on("/200", Reply::ok("x").header("Cache-Control", "max-age=7200").header("Age", "200"));
    server.on("/304", Reply::status(304).header("Cache-Control", "max-age=600, no-store"));
    let fresh = get(&server, "/200").await.unwrap().freshness;
    assert_eq!((fresh.fresh_for, fresh.no_store), (Some(Duration::from_secs(7000)), false));
    let conditional = request(&server.url("/304")).validators(validators(Some(b"\"1\""), None));
    let fresh = fetcher().fetch(conditional).await.unwrap().freshness;
    assert_eq!((fresh.fresh_for, fresh.no_store), (Some(Duration::from_secs(600)), true));
}

#[tokio::test]
async fn p30_reports_retry_after_on_403_429_and_503_only() {
    let server = Server::start().await;
    for (status, wait) in [(403, Some(120)), (429, Some(120)), (503, Some(120)), (500, None), (404, None)] {
        server.on("/feed", Reply::status(status).header("Retry-After", "120"));
        let error = get(&server, "/feed").await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::Http(status));
        assert_eq!(error.retry_after.map(|wait| wait.as_secs()), wait, "{status}");
    }
    server.on("/moved", Reply::redirect(301, "/ok").header("Retry-After", "120"));
    server.on("/ok", Reply::ok("x"));
    assert!(get(&server, "/moved").await.is_ok());
}

#[tokio::test]
async fn p37_each_redirect_is_recorded_with_its_status() {
    let server = Server::start().await;
    server.on("/a", Reply::redirect(301, "/b"));
    server.on("/b", Reply::redirect(302, server.url("/c?d=é#f")));
    server.on("/c", Reply::redirect(308, "e").body("with a body that is read away"));
    server.on("/e", Reply::ok("x"));
    let response = get(&server, "/a").await.unwrap();
    let hops: Vec<_> = response.hops.iter().map(|hop| (hop.status, hop.to.to_string())).collect();
    assert_eq!(hops, [(301, server.url("/b")), (302, server.url("/c?d=%C3%A9#f")), (308, server.url("/e"))]);
    assert_eq!(response.url.as_str(), server.url("/e"));
    assert_eq!(server.connections(), 1, "all hops of one host over one connection");
}

#[tokio::test]
async fn p38_limits_redirects_and_detects_loops_at_once() {
    let server = Server::start().await;
    server.on_request("*", |request| {
        let number: u32 = request.path()[1..].parse().unwrap();
        Reply::redirect(302, format!("/{}", number + 1))
    });
    let error = get(&server, "/0").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::TooManyRedirects);
    assert_eq!(*error.cause, FetchCause::TooManyRedirects { limit: 10 });
    assert_eq!(server.requests().len(), 11);

    let server = Server::start().await;
    server.on("/a", Reply::redirect(302, "/b"));
    server.on("/b", Reply::redirect(302, "/a"));
    let error = get(&server, "/a").await.unwrap_err();
    assert_eq!(*error.cause, FetchCause::RedirectLoop);
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn names_of_headers_are_capitalized_as_browsers_do() {
    let server = Server::start().await;
    server.on("/feed", Reply::status(304));
    let sent = validators(Some(b"\"1\""), Some(b"Tue, 01 Apr 2025 08:00:00 GMT"));
    fetcher().fetch(request(&server.url("/feed")).validators(sent)).await.unwrap();
    let names: std::collections::BTreeSet<String> =
        server.requests()[0].headers.iter().map(|(name, _)| name.clone()).collect();
    let wanted = ["Accept", "Accept-Encoding", "Host", "If-Modified-Since", "If-None-Match", "User-Agent"];
    assert!(names.iter().map(String::as_str).eq(wanted), "{names:?}");
}

#[tokio::test]
async fn p38_sends_credentials_to_their_own_origin_only() {
    let server = Server::start().await;
    let fetcher = fetcher_with_names(&server, &["mine.example", "other.example"]);
    server.on("/feed", Reply::redirect(302, "/here"));
    server.on("/here", Reply::redirect(302, server.url_at("other.example", "/there")));
    server.on("/there", Reply::ok("x").header("Set-Cookie", "a=b"));
    let address = server.url_at("mine.example", "/feed").replace("http://", "http://us%40er:pa%3Ass@");
    let mut request = request(&address);
    request.headers.push(("X-Key".to_owned(), "secret".to_owned()));
    let response = fetcher.fetch(request).await.unwrap();
    let sent = server.requests();
    for at_origin in &sent[..2] {
        assert_eq!(at_origin.text("Authorization").unwrap(), "Basic dXNAZXI6cGE6c3M=");
        assert_eq!(at_origin.text("X-Key").unwrap(), "secret");
    }
    assert_eq!((sent[2].header("Authorization"), sent[2].header("X-Key")), (None, None));
    assert!(!response.url.as_str().contains("pa"), "{}", response.url);
    assert!(response.hops.iter().all(|hop| hop.to.username().is_empty()));
}

#[tokio::test]
async fn p38_explicit_authentication_overrides_that_of_the_url() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok("x"));
    let url = server.url("/feed").replace("http://", "http://a:b@");
    let basic = Request { basic_auth: Some(("user".into(), "word".into())), ..request(&url) };
    fetcher().fetch(basic).await.unwrap();
    fetcher().fetch(Request { bearer: Some("token".into()), ..request(&url) }).await.unwrap();
    let sent: Vec<_> = server.requests().iter().map(|request| request.text("Authorization").unwrap()).collect();
    assert_eq!(sent, ["Basic dXNlcjp3b3Jk", "Bearer token"]);
}

#[tokio::test]
async fn p38_a_login_is_proved_to_its_own_origin_where_the_server_wants_digest_authentication() {
    let server = Server::start().await;
    let fetcher = fetcher_with_names(&server, &["mine.example", "other.example"]);
    let challenge = || Reply::status(401).header("WWW-Authenticate", "Digest realm=\"a\", nonce=\"n\", qop=\"auth\"");
    let other = server.url_at("other.example", "/there");
    server.on_request("/feed", move |request| match request.text("Authorization") {
        Some(proof) if proof.starts_with("Digest username=\"ada\"") && proof.contains("uri=\"/feed?a=b\"") => {
            Reply::redirect(302, other.clone())
        }
        _ => challenge(),
    });
    server.on("/there", challenge());
    let login = Some(("ada".to_owned(), "sesame".to_owned()));
    let url = server.url_at("mine.example", "/feed?a=b");
    let error = fetcher.fetch(Request { basic_auth: login.clone(), ..request(&url) }).await.unwrap_err();
    assert_eq!((error.kind, error.url.host_str()), (FetchErrorKind::Http(401), Some("other.example")));
    assert!(!error.login_sent);
    let sent = server.requests();
    assert_eq!(sent.len(), 3, "{sent:?}");
    assert_eq!(sent[2].header("Authorization"), None);

    // A wrong password ends after one attempt, and one in the address is used, too.
    server.on("/closed", challenge());
    let url = server.url("/closed").replace("http://", "http://ada:wrong@");
    let error = fetcher.fetch(request(&url)).await.unwrap_err();
    assert_eq!((error.kind, error.login_sent), (FetchErrorKind::Http(401), true));
    let sent: Vec<_> = server.requests_to("/closed").iter().map(|sent| sent.text("Authorization").unwrap()).collect();
    assert_eq!((sent.len(), &sent[0][..6], &sent[1][..7]), (2, "Basic ", "Digest "));
    // Without a login the challenge can't be answered.
    assert!(!fetcher.fetch(request(&server.url("/closed"))).await.unwrap_err().login_sent);
    assert_eq!(server.requests_to("/closed").len(), 3);
}

#[tokio::test]
async fn p41_a_cookie_that_a_redirect_sets_is_sent_in_the_same_exchange_to_its_origin_only() {
    let server = Server::start().await;
    let fetcher = fetcher_with_names(&server, &["mine.example", "other.example"]);
    // A site that checks for cookies: it redirects to itself until it gets its own.
    let end = server.url_at("other.example", "/end");
    server.on_request("/feed", move |request| match request.text("Cookie").as_deref() {
        Some("own=1; id=1; seen=a=b") => Reply::redirect(302, end.clone()).header("Set-Cookie", "late=1"),
        _ => Reply::redirect(302, "/feed")
            .header("Set-Cookie", "id=1")
            .header("Set-Cookie", "id=2; Path=/; Secure")
            .header("Set-Cookie", "seen=a=b")
            .header("Set-Cookie", "gone=; Max-Age=0")
            .header("Set-Cookie", "flag"),
    });
    server.on("/end", Reply::ok("x"));
    for _ in 0..2 {
        let mut request = request(&server.url_at("mine.example", "/feed"));
        request.headers.push(("Cookie".to_owned(), "own=1".to_owned()));
        fetcher.fetch(request).await.unwrap();
    }
    let sent: Vec<_> = server.requests().iter().map(|request| request.text("Cookie")).collect();
    let one = [Some("own=1".to_owned()), Some("own=1; id=1; seen=a=b".to_owned()), None];
    assert_eq!(sent, [&one[..], &one[..]].concat());
}

#[tokio::test]
async fn each_origin_may_check_for_cookies() {
    let server = Server::start().await;
    let fetcher = fetcher_with_names(&server, &["mine.example", "other.example"]);
    let there = server.url_at("other.example", "/there");
    server.on("/feed", Reply::redirect(302, there).header("Set-Cookie", "first=1"));
    server.on_request("/there", |request| match request.text("Cookie").as_deref() {
        Some("check=1") => Reply::ok("x"),
        _ => Reply::redirect(302, "/there").header("Set-Cookie", "check=1"),
    });
    let response = fetcher.fetch(request(&server.url_at("mine.example", "/feed"))).await.unwrap();
    assert_eq!(response.body.as_deref(), Some(&b"x"[..]));
}

#[tokio::test]
async fn p38_a_loop_in_which_cookies_change_ends() {
    let server = Server::start().await;
    let number = std::sync::atomic::AtomicUsize::new(0);
    server.on_request("/feed", move |_| {
        let number = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Reply::redirect(302, "/feed").header("Set-Cookie", format!("id={number}"))
    });
    let error = get(&server, "/feed").await.unwrap_err();
    assert_eq!((*error.cause, server.requests().len()), (FetchCause::RedirectLoop, 2));
}

#[tokio::test]
async fn p41_keeps_no_cookies_sends_no_referer_and_keeps_the_query() {
    let server = Server::start().await;
    let fetcher = fetcher();
    server.on("/set", Reply::redirect(302, "/feed?b=2&a=%7E&&c"));
    server.on("/feed", Reply::ok("x").header("Set-Cookie", "id=2; Path=/"));
    for _ in 0..2 {
        fetcher.fetch(request(&server.url("/set"))).await.unwrap();
    }
    for request in server.requests() {
        assert_eq!(request.header("Cookie"), None);
        assert_eq!(request.header("Referer"), None);
        assert_eq!(request.header("Cache-Control"), None);
    }
    assert_eq!(server.requests()[1].target, "/feed?b=2&a=%7E&&c");
}

#[tokio::test]
async fn p42_one_honest_user_agent() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok("x"));
    for accept in [Accept::Feed, Accept::Page, Accept::Image, Accept::Photograph] {
        fetcher().fetch(request(&server.url("/feed")).accept(accept)).await.unwrap();
    }
    for request in server.requests() {
        let agent = request.text("User-Agent").unwrap();
        assert_eq!(agent, USER_AGENT);
        assert!(agent.starts_with("Gleaner/") && agent.contains("(+http") && !agent.contains("Mozilla"), "{agent}");
    }
    let own = Request { user_agent: Some("Mine/1".into()), ..request(&server.url("/feed")) };
    fetcher().fetch(own).await.unwrap();
    assert_eq!(server.requests().last().unwrap().text("User-Agent").unwrap(), "Mine/1");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn raw_deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    brotli::CompressorWriter::new(&mut out, 4096, 5, 20).write_all(bytes).unwrap();
    out
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

#[tokio::test]
async fn p43_requests_and_decodes_four_codings() {
    let server = Server::start().await;
    // Long enough for several decoder rounds, and not repetitive.
    let text: Vec<u8> = (0..60_000u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let two_members = [gzip(&text[..1000]), gzip(&text[1000..])].concat();
    let padded = [gzip(&text), vec![0; 12]].concat();
    for (coding, body) in [
        ("gzip", gzip(&text)),
        ("x-gzip", gzip(&text)),
        ("GZIP", two_members),
        ("gzip", padded),
        ("br", brotli(&text)),
        ("zstd", zstd(&text)),
        ("zstd", [zstd(&text[..7]), zstd(&text[7..])].concat()),
        ("deflate", zlib(&text)),
        ("deflate", raw_deflate(&text)),
        ("identity", text.clone()),
        ("gzip", text.clone()),
        ("gzip, br", brotli(&gzip(&text))),
        ("utf-8", text.clone()),
    ] {
        let wire = body.len() as u64;
        for reply in [Reply::ok(body.clone()), Reply::ok(body).chunked(997)] {
            server.on("/feed", reply.header("Content-Encoding", coding));
            let response = get(&server, "/feed").await.unwrap();
            assert!(response.body.as_deref() == Some(&text[..]), "{coding}");
            assert_eq!(response.wire_bytes, wire, "{coding}");
        }
    }
    let sent = server.requests()[0].text("Accept-Encoding").unwrap();
    assert_eq!(sent, "gzip, br, zstd, deflate");
}

#[tokio::test]
async fn p43_decodes_short_and_empty_bodies() {
    let server = Server::start().await;
    for (coding, body, text) in [
        ("gzip", gzip(b""), &b""[..]),
        ("gzip", Vec::new(), b""),
        ("br", brotli(b""), b""),
        ("br", brotli(b"a"), b"a"),
        ("deflate", raw_deflate(b""), b""),
        ("zstd", zstd(b""), b""),
        ("gzip", b"hi".to_vec(), b"hi"),
    ] {
        server.on("/feed", Reply::ok(body).header("Content-Encoding", coding));
        assert_eq!(get(&server, "/feed").await.unwrap().body.as_deref(), Some(text), "{coding}");
    }
}

#[tokio::test]
async fn p44_reuses_a_connection_for_consecutive_requests() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok("x"));
    server.on("/gone", Reply::status(410).body("gone"));
    let fetcher = Fetcher::new(Limits::default()).unwrap();
    for _ in 0..3 {
        fetcher.fetch(request(&server.url("/feed"))).await.unwrap();
        fetcher.fetch(request(&server.url("/gone"))).await.unwrap_err();
    }
    assert_eq!((server.requests().len(), server.connections()), (6, 1));
}

#[tokio::test]
async fn p47_reports_the_status_of_a_failure() {
    let server = Server::start().await;
    for (status, message) in [
        (500, "The server responded with status 500 (Internal Server Error)"),
        (404, "The server responded with status 404 (Not Found)"),
        (410, "The server responded with status 410 (Gone)"),
        (299, "The server responded with status 299"),
        (204, "The server responded with status 204 (No Content)"),
        (226, "The server responded with status 226 (IM Used)"),
        (300, "The server responded with status 300 (Multiple Choices)"),
    ] {
        server.on("/feed", Reply::status(status));
        assert_eq!(get(&server, "/feed").await.unwrap_err().to_string(), message);
    }
    server.on("/nowhere", Reply::status(302));
    assert_eq!(get(&server, "/nowhere").await.unwrap_err().kind, FetchErrorKind::Http(302));
}
