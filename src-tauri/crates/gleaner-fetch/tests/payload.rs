//! Requests with a body, for the APIs of servers.
#![allow(clippy::unwrap_used)]

use gleaner_fetch::{Accept, FetchErrorKind, Fetcher, Limits, Method, Payload, Request, USER_AGENT};
use gleaner_testserver::{Reply, Server};

fn request(url: &str, method: Method) -> Request {
    let payload =
        Payload { method, content_type: "application/x-www-form-urlencoded", body: b"Passwd=sesame".to_vec() };
    Request { payload: Some(payload), ..Request::new(url.parse().unwrap()).accept(Accept::Api) }
}

#[tokio::test]
async fn sends_a_body_with_its_method_and_type() {
    let (server, fetcher) = (Server::start().await, Fetcher::new(Limits::default()).unwrap());
    server.on("/api", Reply::ok("OK"));
    for (method, name) in [(Method::Post, "POST"), (Method::Put, "PUT"), (Method::Delete, "DELETE")] {
        let response = fetcher.fetch(request(&server.url("/api"), method)).await.unwrap();
        assert_eq!(response.body.as_deref(), Some(&b"OK"[..]));
        let sent = server.requests().pop().unwrap();
        assert_eq!((sent.method.as_str(), sent.body_text().as_str()), (name, "Passwd=sesame"));
        assert_eq!(sent.text("Content-Type").as_deref(), Some("application/x-www-form-urlencoded"));
        assert_eq!(sent.text("User-Agent").as_deref(), Some(USER_AGENT));
        assert!(sent.text("Accept").unwrap().starts_with("application/json"));
    }
    server.on("/none", Reply::status(204));
    assert_eq!(fetcher.fetch(request(&server.url("/none"), Method::Put)).await.unwrap().status, 204);
    let debug = format!("{:?}", request("http://a.example/", Method::Post));
    assert!(!debug.contains("sesame"), "{debug}");
}

#[tokio::test]
async fn a_body_is_sent_again_only_within_its_origin_and_by_a_redirect_that_says_so() {
    let (server, other) = (Server::start().await, Server::start_at([127, 0, 0, 2]).await);
    let fetcher = Fetcher::new(Limits::default()).unwrap();
    server.on("/new", Reply::ok("OK"));
    for status in [307, 308] {
        server.on("/old", Reply::redirect(status, "/new"));
        fetcher.fetch(request(&server.url("/old"), Method::Post)).await.unwrap();
        assert_eq!(server.requests_to("/new").pop().unwrap().body_text(), "Passwd=sesame");
        server.on("/away", Reply::redirect(status, other.url("/")));
        let refused = fetcher.fetch(request(&server.url("/away"), Method::Post)).await.unwrap_err();
        assert_eq!(refused.kind, FetchErrorKind::Http(status));
    }
    server.forget_requests();
    for status in [301, 302, 303] {
        server.on("/old", Reply::redirect(status, "/new"));
        let refused = fetcher.fetch(request(&server.url("/old"), Method::Post)).await.unwrap_err();
        assert_eq!(refused.kind, FetchErrorKind::Http(status));
    }
    assert!(server.requests_to("/new").is_empty() && other.requests().is_empty());
}
