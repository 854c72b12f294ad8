//! Downloads of files: whole ones, the rest of one, and servers that send something else.

#![allow(clippy::unwrap_used)]

mod common;

use common::{fetcher, limits, request};
use gleaner_fetch::{Accept, Download, FetchCause, FetchError, FetchErrorKind, Fetcher, Limits, Request, Resume};
use gleaner_testserver::{Reply, Server};
use std::io::Write as _;
use std::time::Duration;

const FILE: &[u8] = b"0123456789";

fn resume(server: &Server, from: u64) -> Request {
    let resume = Some(Resume { from, validator: b"\"one\"".to_vec() });
    Request { accept: Accept::Media, resume, ..request(&server.url("/a.mp3")) }
}

async fn read(mut download: Download) -> Result<Vec<u8>, FetchError> {
    let mut all = Vec::new();
    while let Some(chunk) = download.chunk().await? {
        all.extend(chunk);
    }
    Ok(all)
}

#[tokio::test]
async fn receives_a_whole_file_and_its_validator() {
    let server = Server::start().await;
    server.on("/a.mp3", Reply::ok(FILE).header("ETag", "\"one\"").header("Content-Type", "audio/mpeg"));
    let whole = Request { accept: Accept::Media, ..request(&server.url("/a.mp3")) };
    let download = fetcher().download(whole).await.unwrap();
    assert_eq!((download.from, download.total), (0, Some(10)));
    assert_eq!(download.validator.as_deref(), Some(&b"\"one\""[..]));
    assert_eq!(download.content_type.as_deref(), Some("audio/mpeg"));
    assert_eq!(read(download).await.unwrap(), FILE);
    let sent = &server.requests_to("/a.mp3")[0];
    assert_eq!(sent.header("Accept-Encoding"), Some(&b"identity"[..]));
    assert_eq!((sent.header("Range"), sent.header("If-Range")), (None, None));
}

#[tokio::test]
async fn requests_the_rest_also_after_a_redirect() {
    let server = Server::start().await;
    server.on("/a.mp3", Reply::redirect(302, "/b.mp3"));
    server.on("/b.mp3", Reply::status(206).body(&FILE[4..]).header("Content-Range", "bytes 4-9/10"));
    let download = fetcher().download(resume(&server, 4)).await.unwrap();
    assert_eq!((download.from, download.total, &download.validator), (4, Some(10), &None));
    assert_eq!(read(download).await.unwrap(), &FILE[4..]);
    let sent = &server.requests_to("/b.mp3")[0];
    assert_eq!((sent.header("Range"), sent.header("If-Range")), (Some(&b"bytes=4-"[..]), Some(&b"\"one\""[..])));
}

#[tokio::test]
async fn says_that_a_changed_file_is_sent_whole() {
    let server = Server::start().await;
    server.on("/a.mp3", Reply::ok("another").header("ETag", "W/\"two\"").header("Last-Modified", "today"));
    let download = fetcher().download(resume(&server, 4)).await.unwrap();
    assert_eq!((download.from, download.total), (0, Some(7)));
    assert_eq!(download.validator.as_deref(), Some(&b"today"[..]), "a weak ETag cannot resume");
}

#[tokio::test]
async fn a_part_that_was_not_requested_is_the_file_if_it_is_whole() {
    let server = Server::start().await;
    server.on("/a.mp3", Reply::status(206).body(FILE).header("Content-Range", "bytes 0-9/10"));
    let download = fetcher().download(request(&server.url("/a.mp3"))).await.unwrap();
    assert_eq!((download.from, download.total), (0, Some(10)));
    assert_eq!(read(download).await.unwrap(), FILE);
    for range in ["bytes 0-9/*", "bytes 0-9/11", "bytes 0-4/10"] {
        server.on("/a.mp3", Reply::status(206).body(FILE).header("Content-Range", range));
        let refused = fetcher().download(request(&server.url("/a.mp3"))).await;
        assert_eq!(*refused.err().unwrap().cause, FetchCause::Status { status: 206 }, "{range}");
    }
}

#[tokio::test]
async fn refuses_other_parts_and_errors() {
    let server = Server::start().await;
    for reply in [
        Reply::status(206).body("x").header("Content-Range", "bytes 3-3/10"),
        Reply::status(206).body("x"),
        Reply::status(416).header("Content-Range", "bytes */10"),
        Reply::status(404),
        Reply::status(206).body("x").header("Content-Range", "bytes 4-4/10").header("Content-Encoding", "gzip"),
        Reply::ok("x").header("Content-Encoding", "gzip, gzip"),
        Reply::ok("x").header("Content-Encoding", "gzip").header("Content-Encoding", "br"),
    ] {
        server.on("/a.mp3", reply);
        let refused = fetcher().download(resume(&server, 4)).await;
        assert!(refused.is_err());
    }
}

#[tokio::test]
async fn decodes_a_file_that_is_compressed_unasked() {
    // Long enough for several steps of the decoder, and for a step of which the output is longer than its input.
    let file: Vec<u8> = (0..400_000_u32).flat_map(|n| (n / 9).to_le_bytes()).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&file).unwrap();
    let gzip = gzip.finish().unwrap();
    // A program that compresses in blocks makes a gzip member of each.
    let blocks: Vec<u8> = file
        .chunks(1000)
        .flat_map(|block| {
            let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            member.write_all(block).unwrap();
            member.finish().unwrap()
        })
        .collect();
    let server = Server::start().await;
    let coded =
        |body: &[u8], coding: &str| Reply::ok(body).header("Content-Encoding", coding).header("ETag", "\"one\"");
    for (body, coding) in
        [(&gzip, "gzip"), (&zstd::encode_all(&file[..], 1).unwrap(), "zstd"), (&file, "gzip"), (&blocks, "gzip")]
    {
        server.on("/a.mp3", coded(body, coding));
        let download = fetcher().download(resume(&server, 4)).await.unwrap();
        assert_eq!(
            (download.from, download.total, &download.validator),
            (0, None, &None),
            "a part cannot be requested"
        );
        assert!(read(download).await.unwrap() == file, "{coding}");
    }
    server.on("/a.mp3", coded(&gzip[..gzip.len() / 2], "gzip"));
    let cut = fetcher().download(resume(&server, 4)).await.unwrap();
    assert_eq!(read(cut).await.unwrap_err().kind, FetchErrorKind::Broken);
}

#[tokio::test]
async fn a_file_with_an_unknown_coding_is_a_file() {
    let server = Server::start().await;
    for coding in ["aws-chunked", "utf-8", "", "identity", "none"] {
        let coded = |reply: Reply| reply.header("ETag", "\"one\"").header("Content-Encoding", coding);
        server.on("/a.mp3", coded(Reply::ok(FILE)));
        let whole = fetcher().download(request(&server.url("/a.mp3"))).await.unwrap();
        assert_eq!((whole.total, whole.validator.as_deref()), (Some(10), Some(&b"\"one\""[..])), "{coding}");
        assert_eq!(read(whole).await.unwrap(), FILE, "{coding}");
        server.on("/a.mp3", coded(Reply::status(206).body(&FILE[4..]).header("Content-Range", "bytes 4-9/10")));
        assert_eq!(read(fetcher().download(resume(&server, 4)).await.unwrap()).await.unwrap(), &FILE[4..], "{coding}");
    }
}

#[tokio::test]
async fn a_lost_or_silent_connection_is_an_error() {
    let server = Server::start().await;
    server.on("/a.mp3", Reply::ok(FILE).cut_after(4));
    let lost = fetcher().download(resume(&server, 4)).await.unwrap();
    assert_eq!(read(lost).await.unwrap_err().kind, FetchErrorKind::Broken);
    server.on("/a.mp3", Reply::ok(FILE).hang_in_body(4));
    // The head, which has the same limit as each part of the file, arrives long before.
    let silent = Fetcher::new(Limits { first_byte: Duration::from_secs(10), ..limits() }).unwrap();
    let silent = silent.download(resume(&server, 4)).await.unwrap();
    assert_eq!(read(silent).await.unwrap_err().kind, FetchErrorKind::Timeout);
}
