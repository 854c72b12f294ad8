//! Requests on connections that the server has closed in the meantime.
#![allow(clippy::unwrap_used)]

mod common;

use common::{fetcher, request};
use gleaner_fetch::{FetchCause, FetchErrorKind, Method, Payload, Request};
use gleaner_testserver::{Reply, Server};

#[tokio::test]
async fn a_request_on_a_connection_that_was_closed_is_sent_again() {
    let server = Server::start().await;
    server.on("/first", Reply::ok("first"));
    server.on_each("/closed", [Reply::raw(""), Reply::ok("second")]);
    server.on_each("/idle", [Reply::status(408), Reply::ok("third")]);
    let fetcher = fetcher();
    for path in ["/closed", "/idle"] {
        fetcher.fetch(request(&server.url("/first"))).await.unwrap();
        let response = fetcher.fetch(request(&server.url(path))).await;
        assert_eq!(response.unwrap().status, 200, "{path}");
        assert_eq!(server.requests_to(path).len(), 2, "{path}");
    }
}

#[tokio::test]
async fn a_request_that_is_refused_on_a_new_connection_is_sent_once() {
    let server = Server::start().await;
    server.on("/nothing", Reply::raw(""));
    server.on("/408", Reply::status(408).header("Connection", "close"));
    let fetcher = fetcher();
    let error = fetcher.fetch(request(&server.url("/nothing"))).await.unwrap_err();
    assert_eq!(*error.cause, FetchCause::EmptyResponse);
    assert_eq!(server.requests().len(), 1);
    // After a response that announces the end of the connection, too.
    for path in ["/408", "/nothing"] {
        server.forget_requests();
        fetcher.fetch(request(&server.url(path))).await.unwrap_err();
        assert_eq!(server.requests().len(), 1, "{path}");
    }
}

#[tokio::test]
async fn a_server_that_never_responds_is_asked_twice_at_most() {
    let server = Server::start().await;
    server.on("/first", Reply::ok("first"));
    server.on("/nothing", Reply::raw(""));
    server.on("/408", Reply::status(408));
    let fetcher = fetcher();
    fetcher.fetch(request(&server.url("/first"))).await.unwrap();
    for requests in [2, 1] {
        server.forget_requests();
        fetcher.fetch(request(&server.url("/nothing"))).await.unwrap_err();
        assert_eq!(server.requests().len(), requests);
    }
    fetcher.fetch(request(&server.url("/first"))).await.unwrap();
    let error = fetcher.fetch(request(&server.url("/408"))).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Http(408));
    assert_eq!(server.requests_to("/408").len(), 2);
}

#[tokio::test]
async fn a_request_that_changes_something_is_never_sent_again() {
    let server = Server::start().await;
    server.on("/first", Reply::ok("first"));
    server.on("/edit", Reply::raw(""));
    let fetcher = fetcher();
    fetcher.fetch(request(&server.url("/first"))).await.unwrap();
    let payload = Payload { method: Method::Post, content_type: "text/plain", body: b"x".to_vec() };
    let post = Request { payload: Some(payload), ..request(&server.url("/edit")) };
    assert_eq!(*fetcher.fetch(post).await.unwrap_err().cause, FetchCause::EmptyResponse);
    assert_eq!(server.requests_to("/edit").len(), 1);
}
