//! A scripted web server on loopback for tests. It can misbehave, and records every request.
//!
//! ```no_run
//! # async fn test() {
//! use gleaner_testserver::{Reply, Server};
//!
//! let server = Server::start().await;
//! server.on("/feed.xml", Reply::ok("<rss/>").header("ETag", "\"one\""));
//! server.on_each("/moved", [Reply::redirect(301, "/feed.xml"), Reply::status(410)]);
//! server.on_request("/conditional", |request| match request.header("If-None-Match") {
//!     Some(b"\"one\"") => Reply::status(304),
//!     _ => Reply::ok("<rss/>").header("ETag", "\"one\""),
//! });
//! // … a client requests server.url("/feed.xml") …
//! assert_eq!(server.requests_to("/feed.xml").len(), 1);
//! # }
//! ```
//!
//! The reply for a path without a script is 404. Dropping the server stops it and closes its connections.

#![allow(clippy::expect_used)]

mod api_server;
mod connection;
pub mod faults;
pub mod feedbin;
pub mod fever;
mod form;
pub mod google_reader;
pub mod miniflux;
pub mod nextcloud_news;
#[cfg(feature = "notifications")]
pub mod notifications;
#[cfg(unix)]
pub mod real;
mod reply;
mod request;
#[cfg(feature = "tls")]
mod tls;
pub mod tt_rss;

pub use api_server::ApiServer;
use parking_lot::Mutex;
pub use reply::{Gate, Reply};
pub use request::Request;
#[cfg(feature = "tls")]
pub use tls::Certificate;

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::{JoinHandle, JoinSet};

/// The script of one path.
enum Script {
    /// One reply after the other; the last is repeated.
    Replies(Vec<Reply>, usize),
    /// A function of the request.
    Function(Box<dyn Fn(&Request) -> Reply + Send>),
}

/// State shared by the connections and the test.
#[derive(Default)]
struct Shared {
    scripts: Mutex<HashMap<String, Script>>,
    requests: Mutex<Vec<Request>>,
    connections: AtomicUsize,
    open: AtomicUsize,
    most_open: AtomicUsize,
}

impl Shared {
    /// Records a request and returns the scripted reply: for its path with the query, else for its path alone.
    fn reply(&self, request: Request) -> Reply {
        let mut scripts = self.scripts.lock();
        let key =
            if scripts.contains_key(&request.target) { request.target.clone() } else { request.path().to_owned() };
        let reply = match scripts.get_mut(&key) {
            Some(Script::Replies(replies, next)) => {
                let reply = replies.get(*next).or(replies.last()).cloned().unwrap_or_else(|| Reply::status(404));
                *next += 1;
                reply
            }
            Some(Script::Function(function)) => function(&request),
            None => match scripts.get("*") {
                Some(Script::Function(function)) => function(&request),
                _ => Reply::status(404),
            },
        };
        self.requests.lock().push(request);
        reply
    }

    fn connected(&self) -> usize {
        let open = self.open.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_open.fetch_max(open, Ordering::SeqCst);
        self.connections.fetch_add(1, Ordering::SeqCst)
    }
}

/// The server. The documentation of the crate has an example.
pub struct Server {
    address: SocketAddr,
    scheme: &'static str,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl Server {
    /// Starts a server on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// Panics when no port is free.
    pub async fn start() -> Self {
        Self::start_at(Ipv4Addr::LOCALHOST).await
    }

    /// Starts a server on a free port of another loopback address, such as 127.0.0.7, which is a different host to a client.
    ///
    /// # Panics
    /// Panics when the address is not available.
    pub async fn start_at(address: impl Into<IpAddr>) -> Self {
        let (listener, address) = listen(address.into()).await;
        let shared = Arc::new(Shared::default());
        let task = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Self { address, scheme: "http", shared, task }
    }

    /// Starts a TLS server on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// Panics when no port is free or the certificate is not valid.
    #[cfg(feature = "tls")]
    pub async fn start_tls(certificate: &Certificate) -> Self {
        let (listener, address) = listen(Ipv4Addr::LOCALHOST.into()).await;
        let shared = Arc::new(Shared::default());
        let task = tokio::spawn(accept_tls(listener, Arc::clone(&shared), certificate.acceptor(&[])));
        Self { address, scheme: "https", shared, task }
    }

    /// Always answers a path with the same reply. A path with a query matches only that query.
    pub fn on(&self, path: &str, reply: Reply) {
        self.on_each(path, [reply]);
    }

    /// Answers a path with one reply after the other, then always with the last.
    pub fn on_each(&self, path: &str, replies: impl IntoIterator<Item = Reply>) {
        self.shared.scripts.lock().insert(path.to_owned(), Script::Replies(replies.into_iter().collect(), 0));
    }

    /// Answers a path with the result of a function. The path `*` matches every path without a script.
    pub fn on_request(&self, path: &str, function: impl Fn(&Request) -> Reply + Send + 'static) {
        self.shared.scripts.lock().insert(path.to_owned(), Script::Function(Box::new(function)));
    }

    /// Answers every path without a script from a state, which the test shares.
    fn on_state<S: Send + 'static>(
        &self,
        state: S,
        answer: impl Fn(&mut S, &Request) -> Reply + Send + 'static,
    ) -> Arc<Mutex<S>> {
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        self.on_request("*", move |request| answer(&mut shared.lock(), request));
        state
    }

    /// Returns the URL of a path, such as `http://127.0.0.1:40123/feed`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address)
    }

    /// Returns the URL of a path with another host name, for a client whose resolver knows that name.
    #[must_use]
    pub fn url_at(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", self.scheme, self.address.port())
    }

    /// Returns the address that the server listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns all requests so far, in the order received.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().clone()
    }

    /// Returns the requests for a path with any query.
    #[must_use]
    pub fn requests_to(&self, path: &str) -> Vec<Request> {
        self.shared.requests.lock().iter().filter(|request| request.path() == path).cloned().collect()
    }

    /// Clears the list of requests.
    pub fn forget_requests(&self) {
        self.shared.requests.lock().clear();
    }

    /// Returns the number of connections accepted so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Returns the maximum number of connections open at the same time.
    #[must_use]
    pub fn most_open(&self) -> usize {
        self.shared.most_open.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A port of loopback that refuses connections. No other program gets it as long as this value is there.
pub struct ClosedPort {
    address: SocketAddr,
    _bound: TcpSocket,
}

impl ClosedPort {
    /// Takes a free port of 127.0.0.1.
    ///
    /// # Panics
    /// Panics when no port is free.
    #[expect(clippy::new_without_default, reason = "each is another port")]
    #[must_use]
    pub fn new() -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a free port on loopback");
        Self { address: socket.local_addr().expect("the port of a socket"), _bound: socket }
    }

    /// Returns the URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the address that refuses connections.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

async fn listen(address: IpAddr) -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind((address, 0)).await.expect("a free port on loopback");
    let address = listener.local_addr().expect("the port of a listener");
    (listener, address)
}

/// Accepts connections. They are tasks in a set that ends with this one, so that a hanging connection does not outlive its test.
async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let shared = Arc::clone(&shared);
        connections.spawn(async move {
            let number = shared.connected();
            connection::serve(stream, &shared, number).await;
            shared.open.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

#[cfg(feature = "tls")]
async fn accept_tls(listener: TcpListener, shared: Arc<Shared>, acceptor: tokio_rustls::TlsAcceptor) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (shared, acceptor) = (Arc::clone(&shared), acceptor.clone());
        connections.spawn(async move {
            let number = shared.connected();
            // An error is a client that refuses the certificate, which tests expect.
            if let Ok(stream) = acceptor.accept(stream).await {
                connection::serve(stream, &shared, number).await;
            }
            shared.open.fetch_sub(1, Ordering::SeqCst);
        });
    }
}
