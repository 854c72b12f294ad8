//! Broken and hostile servers: every case ends in a clear error within the limits.
// long: many faults of servers, one after the other.
#![allow(clippy::unwrap_used)]

mod common;

use common::{SHORT, fetcher, fetcher_with_names, get, limits, request};
use gleaner_fetch::{Accept, FetchCause, FetchErrorKind, Fetcher, Limits, Request, Settings};
use gleaner_testserver::{ClosedPort, Reply, Server};
use std::io::Write as _;
use std::time::Duration;

#[tokio::test]
async fn ends_a_stalled_response_head_at_the_first_byte_limit() {
    let server = Server::start().await;
    let fetcher = Fetcher::new(Limits { first_byte: SHORT, ..limits() }).unwrap();
    for reply in [Reply::ok("x").hang_before_head(), Reply::ok("x").hang_in_head()] {
        server.on("/feed", reply);
        let error = fetcher.fetch(request(&server.url("/feed"))).await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::Timeout);
        assert_eq!(*error.cause, FetchCause::NoResponse { limit: SHORT });
    }
}

#[tokio::test]
async fn ends_a_stalled_or_trickling_body_at_the_total_limit() {
    let server = Server::start().await;
    let body = "x".repeat(1000);
    server.on("/stalled", Reply::ok(body.clone()).hang_after_head());
    server.on("/half", Reply::ok(body.clone()).hang_in_body(10));
    server.on("/trickling", Reply::ok(body).drip(Duration::from_millis(50)));
    // The head arrives long before its limit, which does not apply to the body.
    let whole = Duration::from_secs(11);
    let fetcher = Fetcher::new(Limits { first_byte: Duration::from_secs(10), whole, ..limits() }).unwrap();
    let fetch = |path| fetcher.fetch(request(&server.url(path)));
    let (stalled, half, trickling) = tokio::join!(fetch("/stalled"), fetch("/half"), fetch("/trickling"));
    for ended in [stalled, half, trickling] {
        let error = ended.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::Timeout);
        assert_eq!(*error.cause, FetchCause::IncompleteResponse { limit: whole });
    }
}

#[tokio::test]
async fn ends_slow_redirects_at_the_total_limit() {
    let server = Server::start().await;
    // Together they take longer than the limit.
    let pause = SHORT / 4;
    server.on_request("*", move |request| Reply::redirect(302, format!("{}1", request.path())).delay(pause));
    let fetcher = Fetcher::new(Limits { whole: SHORT, ..limits() }).unwrap();
    let error = fetcher.fetch(request(&server.url("/"))).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Timeout);
}

#[tokio::test]
async fn follows_a_redirect_with_a_stalled_body() {
    let server = Server::start().await;
    server.on("/a", Reply::redirect(302, "/b").body("never sent").hang_after_head());
    server.on("/b", Reply::ok("x"));
    assert_eq!(get(&server, "/a").await.unwrap().body.unwrap(), b"x");
}

#[tokio::test]
async fn ends_an_endless_body_at_the_body_limit() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok("x".repeat(4096)).endless());
    let error = get(&server, "/feed").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::TooLarge);
    assert_eq!(*error.cause, FetchCause::TooLarge { limit: 1 << 20 });
}

#[tokio::test]
async fn accepts_a_body_of_exactly_the_limit_and_rejects_one_byte_more() {
    let server = Server::start().await;
    server.on("/just", Reply::ok(vec![b'x'; 1 << 20]));
    server.on("/over", Reply::ok(vec![b'x'; (1 << 20) + 1]));
    server.on("/chunked", Reply::ok(vec![b'x'; (1 << 20) + 1]).chunked(70_000));
    assert_eq!(get(&server, "/just").await.unwrap().body.unwrap().len(), 1 << 20);
    assert_eq!(get(&server, "/over").await.unwrap_err().kind, FetchErrorKind::TooLarge);
    assert_eq!(get(&server, "/chunked").await.unwrap_err().kind, FetchErrorKind::TooLarge);
}

#[tokio::test]
async fn stops_decompression_bombs_at_the_body_limit() {
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
    let twice = twice.finish().unwrap();
    for (coding, body) in [
        ("gzip", gzip.clone()),
        ("gzip, gzip", twice.clone()),
        ("br", brotli),
        ("zstd", zstd),
        // The same as a file.
        ("identity", gzip),
        ("gzip", twice),
    ] {
        assert!(body.len() < 1 << 17, "{coding}: {} bytes", body.len());
        server.on("/feed", Reply::ok(body).header("Content-Encoding", coding));
        let error = fetcher.fetch(request(&server.url("/feed"))).await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::TooLarge, "{coding}");
    }
}

/// Returns a gzip member.
fn member(content: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(content).unwrap();
    gzip.finish().unwrap()
}

#[tokio::test]
async fn reads_bodies_of_many_parts_however_they_arrive() {
    let server = Server::start().await;
    let expected: Vec<u8> = (0..900).flat_map(|n| format!("part {n}, ").into_bytes()).collect();
    let parts = |part: &dyn Fn(&[u8]) -> Vec<u8>| -> Vec<u8> {
        (0..900).flat_map(|n| part(format!("part {n}, ").as_bytes())).collect()
    };
    let gzip = [parts(&member), b"padding".to_vec()].concat();
    let zstd = parts(&|content| zstd::encode_all(content, 1).unwrap());
    for (coding, body) in [("gzip", gzip), ("zstd", zstd)] {
        // Each boundary falls between two chunks somewhere.
        for size in [1, 7, 4096] {
            server.on("/feed", Reply::ok(body.clone()).header("Content-Encoding", coding).chunked(size));
            assert_eq!(get(&server, "/feed").await.unwrap().body.unwrap(), expected, "{coding} {size}");
        }
    }
}

#[tokio::test]
async fn reads_a_document_that_is_a_compressed_file() {
    let server = Server::start().await;
    let expected: Vec<u8> = (0..9000).flat_map(|n| format!("part {n}, ").into_bytes()).collect();
    let file = member(&expected);
    for (coding, body) in [("identity", file.clone()), ("gzip", member(&file))] {
        for size in [1, 7, 4096, 1 << 20] {
            let reply = Reply::ok(body.clone()).header("Content-Type", "application/gzip");
            server.on("/feed.xml.gz", reply.header("Content-Encoding", coding).chunked(size));
            let response = get(&server, "/feed.xml.gz").await.unwrap();
            assert_eq!(response.body.unwrap(), expected, "{coding} {size}");
        }
    }
    server.on("/feed.xml.gz", Reply::ok(file[..file.len() / 2].to_vec()));
    assert_eq!(*get(&server, "/feed.xml.gz").await.unwrap_err().cause, FetchCause::DamagedCompression);
    // An image is stored as it is.
    server.on("/image", Reply::ok(file.clone()));
    let request = request(&server.url("/image")).accept(Accept::Image);
    let fetcher = Fetcher::new(Limits::default()).unwrap();
    assert_eq!(fetcher.fetch(request).await.unwrap().body.unwrap(), file);
}

#[tokio::test]
async fn the_first_bytes_tell_the_coding_where_the_header_does_not() {
    let server = Server::start().await;
    let text = [b"<?xml version=\"1.0\"?>\n<rss>".to_vec(), b"an item, ".repeat(900), b"</rss>".to_vec()].concat();
    let zlib = || {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&text).unwrap();
        encoder.finish().unwrap()
    };
    let bodies = [("gzip", member(&text)), ("zstd", zstd::encode_all(&text[..], 3).unwrap()), ("deflate", zlib())];
    for (coding, body) in &bodies {
        for (label, size) in ["identity", "gzip", "zstd"].into_iter().flat_map(|label| [(label, 1), (label, 1 << 20)]) {
            server.on("/feed", Reply::ok(body.clone()).header("Content-Encoding", label).chunked(size));
            assert_eq!(get(&server, "/feed").await.unwrap().body.unwrap(), text, "{coding} as {label}");
        }
    }
    for (_, body) in &bodies[..2] {
        for label in ["br", "deflate"] {
            server.on("/feed", Reply::ok(body.clone()).header("Content-Encoding", label));
            assert_eq!(get(&server, "/feed").await.unwrap().body.unwrap(), text, "as {label}");
        }
    }
    for plain in ["<rss/>", "<!DOCTYPE html>", "\u{feff}<feed/>", "{\"version\": 1}", "{\n  \"version\": 1}"] {
        for label in ["gzip", "deflate", "br", "zstd", "br, gzip"] {
            server.on("/feed", Reply::ok(plain).header("Content-Encoding", label));
            assert_eq!(get(&server, "/feed").await.unwrap().body.unwrap(), plain.as_bytes(), "{plain} as {label}");
        }
    }
}

#[tokio::test]
async fn a_complete_document_needs_no_end_of_the_transfer() {
    let server = Server::start().await;
    let text = [b"<rss>".to_vec(), b"an item, ".repeat(900), b"</rss>\n".to_vec()].concat();
    let length = u64::try_from(text.len()).unwrap();
    let compressed = member(&text);
    for (name, reply) in [
        ("length", Reply::ok(text.clone()).content_length(length + 40)),
        ("chunks", Reply::ok(text.clone()).broken_chunks()),
        ("trailer", Reply::ok(&compressed[..compressed.len() - 6]).header("Content-Encoding", "gzip")),
    ] {
        server.on("/feed", reply);
        assert_eq!(get(&server, "/feed").await.unwrap().body.unwrap(), text, "{name}");
    }
    for cut in ["<rss></rss", "<rss></item>", "<rss><html></html>", "<rdf:RDF></rdf:RDF><!-- >", "{}", "</rss>"] {
        server.on("/feed", Reply::ok(cut).content_length(4000));
        assert_eq!(*get(&server, "/feed").await.unwrap_err().cause, FetchCause::ConnectionLost, "{cut}");
    }
    for whole in
        ["<?xml?><rdf:RDF\nx=''></rdf:RDF>", "<atom:feed></atom:feed >", "<!DOCTYPE html><html></HTML>\r\n\r\n"]
    {
        server.on("/feed", Reply::ok(whole).content_length(4000));
        assert_eq!(get(&server, "/feed").await.unwrap().body.unwrap(), whole.as_bytes());
    }
    // The end of an image is not known.
    server.on("/image", Reply::ok("<html></html>").content_length(4000));
    let image = request(&server.url("/image")).accept(Accept::Image);
    assert_eq!(*fetcher().fetch(image).await.unwrap_err().cause, FetchCause::ConnectionLost);
}

#[tokio::test]
async fn a_part_that_is_the_whole_document_is_the_document() {
    let server = Server::start().await;
    let part = |range: &str| Reply::status(206).body("<rss/>").header("Content-Range", range);
    server.on("/feed", part("bytes 0-5/6").header("ETag", "\"1\""));
    let response = get(&server, "/feed").await.unwrap();
    assert_eq!(
        (response.body.as_deref(), response.validators.etag.as_deref()),
        (Some(&b"<rss/>"[..]), Some(&b"\"1\""[..]))
    );
    for range in ["bytes 0-5/7", "bytes 1-5/6", "bytes 0-5/*", "", "bytes 0-18446744073709551615/0"] {
        server.on("/feed", part(range));
        assert_eq!(*get(&server, "/feed").await.unwrap_err().cause, FetchCause::Status { status: 206 }, "{range}");
    }
}

#[tokio::test]
async fn ends_a_body_of_parts_that_only_take_time() {
    let server = Server::start().await;
    let empty = zstd::encode_all(&b""[..], 1).unwrap();
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0].repeat(20_000);
    let gzip = member(b"").repeat(20_000);
    // The same again, as the content of another coding, and longer than any body.
    let long = [empty.clone(), vec![0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 4], vec![0; 64 << 20]].concat();
    for (coding, body, kind) in [
        ("gzip", gzip.clone(), FetchErrorKind::Broken),
        ("zstd", empty.repeat(20_000), FetchErrorKind::Broken),
        ("zstd", [empty, skipped].concat(), FetchErrorKind::Broken),
        ("gzip, zstd", zstd::encode_all(&gzip[..], 1).unwrap(), FetchErrorKind::Broken),
        ("zstd, gzip", member(&long), FetchErrorKind::TooLarge),
    ] {
        server.on("/feed", Reply::ok(body).header("Content-Encoding", coding));
        assert_eq!(get(&server, "/feed").await.unwrap_err().kind, kind, "{coding}");
    }
    // A million empty blocks of brotli (RFC 7932, section 9.2) and of deflate (RFC 1951, section 3.2.4) take a moment.
    let brotli = [vec![0x0c], vec![0x06; 1_000_000], vec![0x03]].concat();
    let deflate = [0, 0, 0, 0xff, 0xff].repeat(200_000);
    let deflate = [deflate, vec![1, 0, 0, 0xff, 0xff]].concat();
    for (coding, body) in [("br", brotli), ("deflate", deflate)] {
        server.on("/feed", Reply::ok(body).header("Content-Encoding", coding));
        let fetcher = Fetcher::new(Limits::default()).unwrap();
        assert_eq!(fetcher.fetch(request(&server.url("/feed"))).await.unwrap().body.unwrap(), b"", "{coding}");
    }
}

#[tokio::test]
async fn rejects_a_brotli_window_above_the_limit_for_http() {
    let server = Server::start().await;
    // The "large window" extension, with a window of a gigabyte, and an empty last block.
    server.on("/feed", Reply::ok(vec![0x11, 0x1e, 0x03, 0x00]).header("Content-Encoding", "br"));
    assert_eq!(get(&server, "/feed").await.unwrap_err().kind, FetchErrorKind::Broken);
}

#[tokio::test]
async fn rejects_a_zstd_window_above_the_limit_for_http() {
    let server = Server::start().await;
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(b"small").unwrap();
    server.on("/feed", Reply::ok(encoder.finish().unwrap()).header("Content-Encoding", "zstd"));
    assert_eq!(get(&server, "/feed").await.unwrap_err().kind, FetchErrorKind::Broken);
}

#[tokio::test]
async fn rejects_damaged_and_truncated_compression() {
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
        // Brotli and this zstd stream have no checksum, so damage to a literal goes unnoticed.
        let bodies = if coding == "gzip" { vec![cut, damaged] } else { vec![cut] };
        for body in bodies {
            server.on("/feed", Reply::ok(body).header("Content-Encoding", coding));
            let error = get(&server, "/feed").await.unwrap_err();
            assert_eq!(error.kind, FetchErrorKind::Broken, "{coding}");
            assert_eq!(*error.cause, FetchCause::DamagedCompression);
        }
    }
}

/// A feed that is cut off is read up to there, however it was transferred, and is requested again without validators.
#[tokio::test]
async fn returns_the_items_of_a_feed_that_is_cut_off() {
    let server = Server::start().await;
    let item = |number: u32| format!("<item><guid>{number}</guid><title>Title {number}</title></item>\n");
    let text: String = std::iter::once("<rss><channel>".to_owned()).chain((0..8_000).map(item)).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut damaged = gzip.clone();
    let checksum = damaged.len() - 8;
    damaged[checksum] ^= 1;
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(text.as_bytes()).unwrap();
    let mut brotli = Vec::new();
    brotli::CompressorWriter::new(&mut brotli, 4096, 5, 20).write_all(text.as_bytes()).unwrap();
    let cut = |whole: &[u8]| whole[..whole.len() * 3 / 4].to_vec();
    let zstd = zstd::encode_all(text.as_bytes(), 3).unwrap();
    let length = u64::try_from(text.len()).unwrap();
    let short = |from: usize| {
        let whole = text.clone();
        Reply::ok(whole[..from].to_owned()).content_length(length)
    };
    for (name, coding, reply, whole) in [
        ("cut gzip", "gzip", Reply::ok(cut(&gzip)), false),
        ("cut gzip file", "", Reply::ok(cut(&gzip)), false),
        ("wrong checksum", "gzip", Reply::ok(damaged), true),
        ("no trailer", "gzip", Reply::ok(gzip[..gzip.len() - 8].to_vec()), true),
        ("cut deflate", "deflate", Reply::ok(cut(&zlib.finish().unwrap())), false),
        ("cut brotli", "br", Reply::ok(cut(&brotli)), false),
        ("cut zstd", "zstd", Reply::ok(cut(&zstd)), false),
        ("short", "", short(text.len() / 2), false),
        ("early close", "", Reply::ok(text.clone()).cut_after(text.len() / 2), false),
        ("broken chunks", "", Reply::ok(text.clone()).broken_chunks(), false),
    ] {
        let reply = reply.header("ETag", "\"one\"").header("Content-Encoding", coding);
        server.on("/feed", reply.clone());
        let response = get(&server, "/feed").await.unwrap_or_else(|error| panic!("{name}: {error}"));
        let body = response.body.unwrap();
        assert!(text.as_bytes().starts_with(&body), "{name}");
        assert!(body.len() > 10_000 && (!whole || body.len() == text.len()), "{name}: {}", body.len());
        assert!(response.validators.is_empty(), "{name}");
        let whole = Request { whole: true, ..request(&server.url("/feed")) };
        let error = Fetcher::new(Limits::default()).unwrap().fetch(whole).await.unwrap_err();
        assert!(matches!(*error.cause, FetchCause::DamagedCompression | FetchCause::ConnectionLost), "{name}: {error}");
        // A page, or the response of an API, is complete or an error.
        for accept in [Accept::Page, Accept::Api] {
            server.on("/page", reply.clone());
            let fetcher = Fetcher::new(Limits::default()).unwrap();
            let error = fetcher.fetch(request(&server.url("/page")).accept(accept)).await;
            // Only its first bytes show that it is a compressed file.
            assert!(error.is_err() || name == "cut gzip file" && accept == Accept::Api, "{name} {accept:?}");
        }
    }
    let json = |items: usize| format!("{{\"items\": [{}", "{\"content_text\": \"x\"},\n".repeat(items));
    for (items, end, is_read) in [(2, "{\"id\": ", true), (1, "", false), (0, "{\"content_text\": \"", false)] {
        server.on("/feed", Reply::ok(format!("{}{end}", json(items))).content_length(4000));
        assert_eq!(get(&server, "/feed").await.is_ok(), is_read, "{items}");
    }
}

#[tokio::test]
async fn reports_a_wrong_content_length() {
    let server = Server::start().await;
    server.on("/too-much", Reply::ok("short").content_length(5000));
    server.on("/huge", Reply::ok("short").content_length(1 << 40));
    server.on("/too-little", Reply::ok("longer than it says").content_length(6));
    let error = get(&server, "/too-much").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Broken);
    assert_eq!(*error.cause, FetchCause::ConnectionLost);
    assert_eq!(get(&server, "/huge").await.unwrap_err().kind, FetchErrorKind::TooLarge);
    assert_eq!(get(&server, "/too-little").await.unwrap().body.unwrap(), b"longer");
}

#[tokio::test]
async fn reports_broken_chunks_and_early_close() {
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
async fn rejects_responses_that_are_not_http() {
    let server = Server::start().await;
    server.on("/0.9", Reply::raw("<rss><channel><title>HTTP/0.9</title></channel></rss>"));
    server.on("/binary", Reply::raw(vec![0xff; 300]));
    server.on("/nothing", Reply::raw(""));
    for path in ["/0.9", "/binary"] {
        let error = get(&server, path).await.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::Broken, "{path}");
        assert_eq!(*error.cause, FetchCause::NotHttp, "{path}");
    }
    let error = get(&server, "/nothing").await.unwrap_err();
    assert_eq!(*error.cause, FetchCause::EmptyResponse);
}

#[tokio::test]
async fn rejects_a_hundred_thousand_headers_but_accepts_two_hundred() {
    let server = Server::start().await;
    let with = |number| (0..number).fold(Reply::ok("x"), |reply, at| reply.header(&format!("X-{at}"), "y"));
    server.on("/many", with(100_000));
    server.on("/some", with(200));
    let error = get(&server, "/many").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Broken);
    assert_eq!(*error.cause, FetchCause::TooManyHeaders);
    assert!(get(&server, "/some").await.is_ok());
}

#[tokio::test]
async fn tolerates_malformed_headers() {
    let server = Server::start().await;
    let reply = Reply::ok("x")
        .header("Content-Type", b"application/rss+xml; charset=\xe9\xff".to_vec())
        .header("Content-Disposition", b"\x80\x81".to_vec())
        .header("Retry-After", b"\xff".to_vec())
        .header("Bad Name\u{e9}", "y");
    server.on("/feed", reply);
    let response = get(&server, "/feed").await.unwrap();
    assert!(response.content_type.unwrap().starts_with("application/rss+xml"));
}

#[tokio::test]
async fn follows_redirects_to_addresses_in_any_encoding() {
    let server = Server::start().await;
    server.on("/%C3%A4", Reply::ok("UTF-8"));
    server.on("/%E4/%C3%A4", Reply::ok("Latin-1"));
    for (location, body) in [(&b"/\xc3\xa4"[..], "UTF-8"), (b" /\xe4/%C3%A4", "Latin-1")] {
        server.on("/feed", Reply::redirect(302, location));
        assert_eq!(get(&server, "/feed").await.unwrap().body.as_deref(), Some(body.as_bytes()));
    }
}

#[tokio::test]
async fn rejects_redirects_to_invalid_targets() {
    let server = Server::start().await;
    let unsupported = |scheme: &str| FetchCause::RedirectToUnsupportedScheme { scheme: scheme.to_owned() };
    for (location, cause) in [
        ("file:///etc/passwd", unsupported("file")),
        ("ftp://example.com/feed", unsupported("ftp")),
        ("javascript:alert(1)", unsupported("javascript")),
        ("data:text/xml,<rss/>", unsupported("data")),
        ("http://[", FetchCause::InvalidRedirect { location: "http://[".to_owned() }),
    ] {
        server.on("/feed", Reply::redirect(301, location));
        let error = get(&server, "/feed").await.unwrap_err();
        assert_eq!((error.kind, *error.cause), (FetchErrorKind::Scheme, cause));
    }
    let error = fetcher().fetch(request("file:///etc/passwd")).await.unwrap_err();
    assert_eq!(*error.cause, FetchCause::UnsupportedScheme { scheme: "file".to_owned() });
}

#[tokio::test]
async fn rejects_redirects_from_a_public_server_into_the_private_network() {
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
async fn a_private_server_may_redirect_to_private_addresses() {
    let server = Server::start().await;
    server.on("/feed", Reply::redirect(302, format!("http://localhost:{}/there", server.address().port())));
    server.on("/there", Reply::ok("x"));
    assert!(get(&server, "/feed").await.is_ok());
}

#[tokio::test]
async fn reports_an_unknown_name_and_a_refused_connection() {
    let names = [
        ("notfound.example".to_owned(), vec![]),
        (gleaner_fetch::KNOWN_NAME.to_owned(), vec!["127.0.0.1:0".parse().unwrap()]),
    ];
    let settings = Settings { limits: limits(), names: names.into(), ..Settings::default() };
    let error = Fetcher::with(settings).unwrap().fetch(request("http://notfound.example/")).await.unwrap_err();
    match error.kind {
        FetchErrorKind::Dns => {
            assert_eq!(*error.cause, FetchCause::UnknownHost { host: "notfound.example".to_owned() });
        }
        // On an offline machine every unknown name is reported as offline.
        kind => assert_eq!(kind, FetchErrorKind::Offline),
    }
    let error = fetcher().fetch(request(&ClosedPort::new().url("/"))).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Connect);
    assert_eq!(*error.cause, FetchCause::ConnectionRefused);
}

#[tokio::test]
async fn public_only_rejects_private_addresses_from_the_first_hop_on() {
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
async fn uses_a_proxy_for_everything_but_this_machine() {
    let (proxy, server) = (Server::start().await, Server::start().await);
    proxy.on_request("*", |request| Reply::ok(request.target.clone()));
    server.on("/feed", Reply::ok("direct"));
    let settings = Settings { limits: limits(), proxy: Some(proxy.url("").parse().unwrap()), ..Settings::default() };
    let fetcher = Fetcher::with(settings).unwrap();
    let response = fetcher.fetch(request("http://public.example/feed")).await.unwrap();
    assert_eq!(response.body.unwrap(), b"http://public.example/feed");
    assert_eq!(fetcher.fetch(request(&server.url("/feed"))).await.unwrap().body.unwrap(), b"direct");
}

#[tokio::test]
async fn returns_all_values_of_link() {
    let server = Server::start().await;
    server.on("/", Reply::ok("x").header("Link", "</a>; rel=a").header("Link", "</b>; rel=b"));
    assert_eq!(get(&server, "/").await.unwrap().link.as_deref(), Some("</a>; rel=a,</b>; rel=b"));
    server.on("/", Reply::ok("x"));
    assert_eq!(get(&server, "/").await.unwrap().link, None);
}

#[tokio::test]
async fn ends_a_body_of_the_former_coding_identity_at_its_length() {
    let server = Server::start().await;
    let reply = |body: &str, length: u64| {
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
    };
    // The connection stays open.
    server.on("/feed", Reply::raw(reply("a feed, and no more", 6)).hang_in_body(usize::MAX));
    assert_eq!(get(&server, "/feed").await.unwrap().body.unwrap(), b"a feed");
    server.on("/cut", Reply::raw(reply("a feed", 60)));
    assert_eq!(*get(&server, "/cut").await.unwrap_err().cause, FetchCause::ConnectionLost);
}

#[tokio::test]
async fn decodes_a_skippable_frame_before_the_first_one_and_ignores_what_follows_brotli() {
    let server = Server::start().await;
    let mut body = vec![0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    body.extend(zstd::encode_all(&b"a feed"[..], 3).unwrap());
    server.on("/zstd", Reply::ok(body).header("Content-Encoding", "zstd"));
    let mut brotli = Vec::new();
    brotli::CompressorWriter::new(&mut brotli, 4096, 5, 20).write_all(b"a feed").unwrap();
    brotli.extend(b"\r\n");
    server.on("/br", Reply::ok(brotli).header("Content-Encoding", "br"));
    for path in ["/zstd", "/br"] {
        assert_eq!(get(&server, path).await.unwrap().body.unwrap(), b"a feed", "{path}");
    }
}
