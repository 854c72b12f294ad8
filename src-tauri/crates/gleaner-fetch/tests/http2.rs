//! Requests that a server of HTTP/2 did not process.
#![allow(clippy::unwrap_used)]

mod common;

use common::{limits, request};
use gleaner_fetch::{FetchCause, FetchError, Fetcher, Method, Payload, Request, Settings};
use gleaner_testserver::Certificate;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const GO_AWAY: u8 = 7;
const NO_ERROR: u8 = 0;
const REFUSED_STREAM: u8 = 7;
const ENHANCE_YOUR_CALM: u8 = 11;
const HTTP_1_1_REQUIRED: u8 = 13;

/// What a server does with a request.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// Responds with status 200.
    Respond,
    /// Resets the stream for this reason.
    Reset(u8),
    /// Ends the connection for this reason, with the number of streams that it processes.
    GoAway(u8, u32),
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes()[..], payload].concat()
}

/// Answers the requests on a connection by the acts from the number `count` on.
async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, acts: &[Act], count: &AtomicUsize) -> Option<()> {
    let mut preface = [0; 24];
    stream.read_exact(&mut preface).await.ok()?;
    if !preface.starts_with(b"PRI") {
        return serve_http1(&preface, stream, count).await;
    }
    stream.write_all(&frame(SETTINGS, 0, 0, &[])).await.ok()?;
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await.ok()?;
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        stream.read_exact(&mut payload).await.ok()?;
        let id = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        if head[3] != HEADERS {
            continue;
        }
        let reply = match acts[count.fetch_add(1, Ordering::SeqCst).min(acts.len() - 1)] {
            Act::Respond => frame(HEADERS, 5, id, &[0x88]),
            Act::Reset(reason) => frame(RESET, 0, id, &[0, 0, 0, reason]),
            Act::GoAway(reason, last) => frame(GO_AWAY, 0, 0, &[&last.to_be_bytes()[..], &[0, 0, 0, reason]].concat()),
        };
        stream.write_all(&reply).await.ok()?;
    }
}

/// Responds to all requests on a connection by HTTP/1.1. `first` was read already.
async fn serve_http1(first: &[u8], stream: impl AsyncRead + AsyncWrite, count: &AtomicUsize) -> Option<()> {
    let (reader, mut writer) = tokio::io::split(stream);
    let mut reader = BufReader::new(first.chain(reader));
    loop {
        let (mut line, mut length) = (String::new(), 0);
        while line != "\r\n" {
            line.clear();
            (reader.read_line(&mut line).await.ok()? > 0).then_some(())?;
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
        }
        reader.read_exact(&mut vec![0; length]).await.ok()?;
        count.fetch_add(1, Ordering::SeqCst);
        writer.write_all(b"HTTP/1.1 203 Non-Authoritative Information\r\nContent-Length: 0\r\n\r\n").await.ok()?;
    }
}

/// Sends these requests to a server that does this with them. Returns the last result and the number of requests that were received.
async fn fetch(acts: &'static [Act], paths: &[&str], payload: Option<Payload>) -> (Result<u16, FetchError>, usize) {
    let certificate = Certificate::good(&["127.0.0.1"]);
    let acceptor = certificate.acceptor(&["h2", "http/1.1"]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let received = Arc::clone(&count);
    let server = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, count) = (acceptor.clone(), Arc::clone(&count));
            tokio::spawn(async move { serve(acceptor.accept(stream).await.ok()?, acts, &count).await });
        }
    });
    let authorities = certificate.authority.into_iter().collect();
    let fetcher = Fetcher::with(Settings { limits: limits(), authorities, ..Settings::default() }).unwrap();
    let mut result = None;
    for path in paths {
        let request = Request { payload: payload.clone(), ..request(&format!("https://{address}{path}")) };
        result = Some(fetcher.fetch(request).await.map(|response| response.status));
    }
    server.abort();
    (result.unwrap(), received.load(Ordering::SeqCst))
}

#[tokio::test]
async fn a_request_that_was_not_processed_is_sent_again() {
    for act in [&[Act::Reset(REFUSED_STREAM), Act::Respond], &[Act::GoAway(NO_ERROR, 0), Act::Respond]] {
        let (result, requests) = fetch(act, &["/"], None).await;
        assert_eq!((result.unwrap(), requests), (200, 2), "{act:?}");
        // Also one that changes something.
        let post = Payload { method: Method::Post, content_type: "text/plain", body: b"x".to_vec() };
        let (result, requests) = fetch(act, &["/"], Some(post)).await;
        assert_eq!((result.unwrap(), requests), (200, 2), "{act:?}");
    }
    // On a connection that was open already.
    let (result, requests) = fetch(&[Act::Respond, Act::GoAway(NO_ERROR, 1), Act::Respond], &["/", "/"], None).await;
    assert_eq!((result.unwrap(), requests), (200, 3));
}

#[tokio::test]
async fn a_request_that_the_server_answers_by_http_1_only_is_sent_so() {
    for act in [&[Act::Reset(HTTP_1_1_REQUIRED)], &[Act::GoAway(HTTP_1_1_REQUIRED, 0)]] {
        let post = Payload { method: Method::Post, content_type: "text/plain", body: b"x".to_vec() };
        for payload in [None, Some(post)] {
            let (result, requests) = fetch(act, &["/"], payload.clone()).await;
            assert_eq!((result.unwrap(), requests), (203, 2), "{act:?}");
            // Later ones are sent so at once.
            let (result, requests) = fetch(act, &["/", "/", "/other"], payload).await;
            assert_eq!((result.unwrap(), requests), (203, 4), "{act:?}");
        }
    }
}

#[tokio::test]
async fn a_server_that_processes_nothing_is_asked_twice_at_most() {
    for act in [&[Act::Reset(REFUSED_STREAM)], &[Act::GoAway(NO_ERROR, 0)]] {
        let (result, requests) = fetch(act, &["/"], None).await;
        assert_eq!((*result.unwrap_err().cause, requests), (FetchCause::HeadersLost, 2), "{act:?}");
    }
}

#[tokio::test]
async fn a_request_that_may_have_been_processed_is_sent_once() {
    const INTERNAL_ERROR: u8 = 2;
    for act in [
        &[Act::Reset(INTERNAL_ERROR), Act::Respond],
        &[Act::Reset(NO_ERROR), Act::Respond],
        // The server asks for fewer requests.
        &[Act::GoAway(ENHANCE_YOUR_CALM, 0), Act::Respond],
    ] {
        let (result, requests) = fetch(act, &["/"], None).await;
        assert_eq!((*result.unwrap_err().cause, requests), (FetchCause::HeadersLost, 1), "{act:?}");
    }
}
