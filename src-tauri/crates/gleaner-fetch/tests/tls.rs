//! Valid and invalid certificates, all generated here.
#![allow(clippy::unwrap_used)]

mod common;

use common::{fetcher, limits, request};
use gleaner_fetch::{FetchCause, FetchError, FetchErrorKind, Fetcher, Settings};
use gleaner_testserver::{Certificate, Reply, Server};

async fn fetch(certificate: Certificate) -> Result<u16, FetchError> {
    let server = Server::start_tls(&certificate).await;
    server.on("/feed", Reply::ok("x"));
    let authorities = certificate.authority.into_iter().collect();
    let fetcher = Fetcher::with(Settings { limits: limits(), authorities, ..Settings::default() }).unwrap();
    fetcher.fetch(request(&server.url("/feed"))).await.map(|response| response.status)
}

async fn rejected(certificate: Certificate) -> String {
    let error = fetch(certificate).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Tls);
    error.to_string()
}

#[tokio::test]
async fn accepts_a_valid_certificate() {
    assert_eq!(fetch(Certificate::good(&["127.0.0.1"])).await.unwrap(), 200);
}

#[tokio::test]
async fn p47_reports_when_a_certificate_expired() {
    let message = rejected(Certificate::expired(&["127.0.0.1"], (2024, 5, 3))).await;
    assert_eq!(message, "The certificate expired on 2024-05-03");
}

#[tokio::test]
async fn p47_rejects_a_certificate_for_another_host() {
    let message = rejected(Certificate::good(&["elsewhere.example"])).await;
    assert_eq!(message, "The certificate is not valid for 127.0.0.1");
}

#[tokio::test]
async fn p47_rejects_a_self_signed_certificate() {
    let message = rejected(Certificate::self_signed(&["127.0.0.1"])).await;
    assert_eq!(message, "The certificate is self-signed or from an untrusted authority");
}

#[tokio::test]
async fn p47_reports_a_server_without_tls() {
    let server = Server::start().await;
    let error = fetcher().fetch(request(&server.url("/").replace("http:", "https:"))).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Tls);
    assert_eq!(*error.cause, FetchCause::NotTls);
}

#[tokio::test]
async fn uses_http_2_where_the_server_supports_it() {
    let certificate = Certificate::good(&["127.0.0.1"]);
    let acceptor = certificate.acceptor(&["h2", "http/1.1"]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/feed", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut connection = h2::server::handshake(acceptor.accept(stream).await.unwrap()).await.unwrap();
        while let Some(Ok((request, mut respond))) = connection.accept().await {
            assert_eq!(request.headers()["if-none-match"], "\"1\"");
            let head = hyper::http::Response::builder().header("etag", "\"2\"").body(()).unwrap();
            respond.send_response(head, false).unwrap().send_data("over HTTP/2".into(), true).unwrap();
        }
    });
    let authorities = certificate.authority.into_iter().collect();
    let fetcher = Fetcher::with(Settings { limits: limits(), authorities, ..Settings::default() }).unwrap();
    let request = request(&url).validators(common::validators(Some(b"\"1\""), None));
    let response = fetcher.fetch(request).await.unwrap();
    assert_eq!(response.body.unwrap(), b"over HTTP/2");
    assert_eq!(response.validators.etag.unwrap(), b"\"2\"");
    drop(fetcher);
    server.abort();
}
