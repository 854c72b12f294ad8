//! Shared by the tests of the exchange.
#![allow(dead_code)]

use gleaner_fetch::{FetchError, Fetcher, Limits, Request, Response, Settings, Validators};
use gleaner_testserver::Server;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

/// Time limits that no test reaches, even on a busy machine. A test that waits for a limit sets a short one.
pub fn limits() -> Limits {
    Limits { body: 1 << 20, redirects: 10, ..Limits::default() }
}

/// A limit that is certainly reached.
pub const SHORT: Duration = Duration::from_millis(300);

pub fn fetcher() -> Fetcher {
    Fetcher::new(limits()).unwrap()
}

/// A fetcher that resolves these names to this server as public hosts.
pub fn fetcher_with_names(server: &Server, names: &[&str]) -> Fetcher {
    let address = SocketAddr::new(server.address().ip(), 0);
    let names: HashMap<_, _> = names.iter().map(|name| ((*name).to_owned(), vec![address])).collect();
    Fetcher::with(Settings { limits: limits(), names, ..Settings::default() }).unwrap()
}

pub async fn get(server: &Server, path: &str) -> Result<Response, FetchError> {
    fetcher().fetch(request(&server.url(path))).await
}

pub fn request(url: &str) -> Request {
    Request::new(url.parse().unwrap())
}

pub fn validators(etag: Option<&[u8]>, last_modified: Option<&[u8]>) -> Validators {
    Validators { etag: etag.map(<[u8]>::to_vec), last_modified: last_modified.map(<[u8]>::to_vec) }
}
