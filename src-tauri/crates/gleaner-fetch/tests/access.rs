//! Settings of a single feed: its proxy and its accepted certificate.
#![allow(clippy::unwrap_used)]

mod common;

use common::{SHORT, limits, request};
use gleaner_fetch::{
    DesktopProxies, FetchCause, FetchErrorKind, Fetcher, KNOWN_NAME, Limits, Request, Route, Settings,
};
use gleaner_testserver::{Certificate, ClosedPort, Reply, Server};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use url::{Position, Url};

const LOOPBACK: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// A fetcher that resolves `feeds.example` to loopback as a public host, since a proxy is never used for this machine.
fn fetcher() -> Fetcher {
    let names = [("feeds.example".to_owned(), vec![LOOPBACK]), ("proxy.example".to_owned(), vec![LOOPBACK])].into();
    Fetcher::with(Settings { limits: limits(), names, ..Settings::default() }).unwrap()
}

fn through(url: &str, proxy: &str) -> Request {
    Request { route: proxy.parse().unwrap(), ..request(url) }
}

/// A SOCKS5 proxy (RFC 1928) without authentication that connects every address and name to loopback. Reports the
/// requested hosts.
async fn socks5() -> (String, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (connected, targets) = unbounded_channel();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let connected = connected.clone();
            tokio::spawn(async move {
                let mut greeting = [0; 2];
                client.read_exact(&mut greeting).await.unwrap();
                let mut methods = vec![0; greeting[1].into()];
                client.read_exact(&mut methods).await.unwrap();
                client.write_all(&[5, 0]).await.unwrap();
                let mut head = [0; 4];
                client.read_exact(&mut head).await.unwrap();
                let host = if head[3] == 3 {
                    let mut name = vec![0; client.read_u8().await.unwrap().into()];
                    client.read_exact(&mut name).await.unwrap();
                    String::from_utf8(name).unwrap()
                } else {
                    Ipv4Addr::from(client.read_u32().await.unwrap()).to_string()
                };
                let port = client.read_u16().await.unwrap();
                connected.send(format!("{host}:{port}")).unwrap();
                client.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0]).await.unwrap();
                let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap();
                // Either side may close first.
                let _ = copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    (address, targets)
}

/// A proxy for CONNECT (RFC 9110, section 9.3.6) that connects every name to loopback. Reports the requested hosts.
async fn tunnel() -> (String, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (connected, targets) = unbounded_channel();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(client.read_u8().await.unwrap());
            }
            let head = String::from_utf8(head).unwrap();
            let target = head.split(' ').nth(1).unwrap().to_owned();
            let port: u16 = target.rsplit(':').next().unwrap().parse().unwrap();
            connected.send(target).unwrap();
            client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
            let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap();
            tokio::spawn(async move { copy_bidirectional(&mut client, &mut server).await });
        }
    });
    (address, targets)
}

#[tokio::test]
async fn sends_each_request_through_its_own_proxy() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok("x"));
    let (url, fetcher) = (server.url_at("feeds.example", "/feed"), fetcher());
    let ((one, mut first_targets), (two, mut second_targets)) = (socks5().await, socks5().await);
    for _ in 0..2 {
        fetcher.fetch(through(&url, &format!("socks5h://{one}"))).await.unwrap();
        fetcher.fetch(through(&url, &format!("socks5://{two}"))).await.unwrap();
        fetcher.fetch(request(&url)).await.unwrap();
    }
    let port = server.address().port();
    assert_eq!(first_targets.recv().await.unwrap(), format!("feeds.example:{port}"), "the proxy resolves names");
    assert_eq!(second_targets.recv().await.unwrap(), format!("127.0.0.1:{port}"), "names are resolved locally");
    assert!(
        first_targets.try_recv().is_err() && second_targets.try_recv().is_err(),
        "connections through proxies are reused too"
    );
    assert_eq!((server.requests().len(), server.connections()), (6, 3));
}

#[tokio::test]
async fn sends_absolute_urls_to_an_http_proxy_and_tunnels_https() {
    let proxy = Server::start().await;
    proxy.on("http://feeds.example/feed", Reply::ok("from the proxy"));
    // By name too, although the name resolves to a private address: the user entered it.
    let address = format!("http://proxy.example:{}", proxy.address().port());
    let response = fetcher().fetch(through("http://feeds.example/feed", &address)).await.unwrap();
    assert_eq!(response.body.unwrap(), b"from the proxy");

    let certificate = Certificate::self_signed(&["feeds.example"]);
    let server = Server::start_tls(&certificate).await;
    server.on("/feed", Reply::ok("through the tunnel"));
    let ((tunnel, mut targets), url) = (tunnel().await, server.url_at("feeds.example", "/feed"));
    let accepting_proxy = through(&url, &format!("http://{tunnel}"));
    let refused = fetcher().fetch(accepting_proxy.clone()).await.unwrap_err();
    let exception = Some(refused.certificate.unwrap().fingerprint);
    let response = fetcher().fetch(Request { exception, ..accepting_proxy }).await.unwrap();
    assert_eq!(response.body.unwrap(), b"through the tunnel");
    assert_eq!(targets.recv().await.unwrap(), format!("feeds.example:{}", server.address().port()));
}

#[tokio::test]
async fn bypasses_the_proxy_for_this_machine_and_reports_a_dead_proxy() {
    let (server, closed) = (Server::start().await, ClosedPort::new());
    let dead = format!("socks5://{}", closed.address());
    server.on("/feed", Reply::ok("x"));
    fetcher().fetch(through(&server.url("/feed"), &dead)).await.unwrap();
    let error = fetcher().fetch(through(&server.url_at("feeds.example", "/feed"), &dead)).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Connect);
    assert_eq!(*error.cause, FetchCause::ProxyRefused { proxy: "127.0.0.1".to_owned() });
    assert_eq!(server.requests().len(), 1, "no request bypasses a dead proxy");
}

/// A proxy that sends this once a client has sent something, and then nothing more.
async fn scripted_proxy(reply: &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            tokio::spawn(async move {
                // The check whether the proxy can be reached sends nothing.
                if client.read(&mut [0; 1024]).await.is_ok_and(|read| read > 0) {
                    client.write_all(reply).await.unwrap();
                    let _ = client.read_to_end(&mut Vec::new()).await;
                }
            });
        }
    });
    address
}

#[tokio::test]
async fn p27_a_proxy_is_distinguished_from_the_servers_behind_it() {
    let names = [
        ("feeds.example".to_owned(), vec![LOOPBACK]),
        ("unknown.example".to_owned(), vec![]),
        // Connecting to the broadcast address fails at once and sends nothing.
        ("unreachable.example".to_owned(), vec![SocketAddr::from(([255, 255, 255, 255], 0))]),
    ];
    let settings = Settings { limits: limits(), names: names.into(), ..Settings::default() };
    let fetcher = Fetcher::with(settings.clone()).unwrap();
    let ask = async |fetcher: &Fetcher, scheme: &str, proxy: &str| {
        let request = through(&format!("{scheme}://feeds.example/feed"), proxy);
        let error = fetcher.fetch(request).await.unwrap_err();
        (error.is_own_network(), *error.cause)
    };
    let own_network = async |scheme: &str, proxy: &str| ask(&fetcher, scheme, proxy).await;
    let proxy = |name: &str| name.to_owned();
    for kind in ["http", "socks5", "socks5h", "socks4", "socks4a"] {
        for scheme in ["http", "https"] {
            let (own, cause) = own_network(scheme, &format!("{kind}://unknown.example:3128")).await;
            // Without a network there is no route to a name server either.
            let expected = [FetchCause::UnknownProxy { proxy: proxy("unknown.example") }, FetchCause::Offline];
            assert!(own && expected.contains(&cause), "{kind} {scheme}: {cause:?}");
            let (own, cause) = own_network(scheme, &format!("{kind}://unreachable.example:3128")).await;
            let expected = [FetchCause::ProxyUnreachable { proxy: proxy("unreachable.example") }, FetchCause::Offline];
            assert!(own && expected.contains(&cause), "{kind} {scheme}: {cause:?}");
        }
    }
    let login = scripted_proxy(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n").await;
    for scheme in ["http", "https"] {
        let expected = FetchCause::ProxyLogin { proxy: proxy("127.0.0.1") };
        assert_eq!(own_network(scheme, &format!("http://{login}")).await, (true, expected));
    }
    // The response of a proxy that can be reached concerns the server, or says nothing.
    let failed = FetchCause::ProxyFailed { proxy: proxy("127.0.0.1") };
    let closed = scripted_proxy(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n").await;
    assert_eq!(own_network("https", &format!("http://{closed}")).await, (false, failed.clone()));
    let no_route = scripted_proxy(&[5, 0, 5, 4, 0, 1, 0, 0, 0, 0, 0, 0]).await;
    assert_eq!(own_network("http", &format!("socks5h://{no_route}")).await, (false, failed));
    let mute = scripted_proxy(b"").await;
    let hasty = Settings { limits: Limits { connect: SHORT, ..limits() }, ..settings };
    let expected = FetchCause::NoResponse { limit: SHORT };
    let hasty = Fetcher::with(hasty).unwrap();
    assert_eq!(ask(&hasty, "https", &format!("http://{mute}")).await, (false, expected));
}

#[tokio::test]
async fn a_network_that_wants_a_login_is_not_the_servers_error() {
    let server = Server::start().await;
    server.on("/feed", Reply::status(511).body("log in"));
    let error = fetcher().fetch(request(&server.url("/feed"))).await.unwrap_err();
    assert_eq!((error.is_own_network(), *error.cause), (true, FetchCause::NetworkLogin));
}

#[derive(Debug)]
struct DesktopSettings(String);

impl DesktopProxies for DesktopSettings {
    fn lookup(&self, url: &Url) -> Vec<String> {
        // A configuration script gets the site only.
        assert_eq!(&url[Position::BeforePath..], "/");
        match url.host_str() {
            Some("intranet.example") => vec!["direct://".to_owned()],
            _ => vec![self.0.clone()],
        }
    }
}

#[tokio::test]
async fn follows_the_settings_of_the_desktop_where_no_proxy_is_set() {
    let (proxy, other, server) = (Server::start().await, Server::start().await, Server::start().await);
    proxy.on_request("*", |request| Reply::ok(format!("proxy: {}", request.target)));
    other.on_request("*", |_| Reply::ok("other proxy"));
    server.on("/feed", Reply::ok("direct"));
    server.on("/away", Reply::redirect(302, "http://feeds.example/feed?key=1"));
    let names = [("feeds.example".to_owned(), vec![]), ("intranet.example".to_owned(), vec![LOOPBACK])].into();
    let desktop: Option<Arc<dyn DesktopProxies>> = Some(Arc::new(DesktopSettings(proxy.url(""))));
    let settings = Settings { limits: limits(), names, desktop, ..Settings::default() };
    let body = async |settings: &Settings, request: Request| {
        let response = Fetcher::with(settings.clone()).unwrap().fetch(request).await.unwrap();
        String::from_utf8(response.body.unwrap()).unwrap()
    };
    let feed = || request("http://feeds.example/feed?key=1");
    assert_eq!(body(&settings, feed()).await, "proxy: http://feeds.example/feed?key=1");
    let (excepted, machine) = (server.url_at("intranet.example", "/feed"), server.url("/feed"));
    assert_eq!(body(&settings, request(&excepted)).await, "direct");
    assert_eq!(body(&settings, request(&machine)).await, "direct");
    let away = server.url_at("intranet.example", "/away");
    assert_eq!(body(&settings, request(&away)).await, "proxy: http://feeds.example/feed?key=1", "after a redirect");
    // Settings of the user for the program or for a feed take precedence.
    let own = Settings { proxy: Some(other.url("").parse().unwrap()), ..settings.clone() };
    assert_eq!(body(&own, feed()).await, "other proxy");
    assert_eq!(body(&settings, through(feed().url.as_str(), &other.url(""))).await, "other proxy");
}

#[test]
fn parses_routes() {
    assert_eq!("direct".parse(), Ok(Route::Direct));
    assert!(matches!("socks5h://127.0.0.1:9050".parse(), Ok(Route::Proxy(_))));
    for wrong in ["", "127.0.0.1:9050", "ftp://127.0.0.1", "http:"] {
        assert!(wrong.parse::<Route>().is_err(), "{wrong}");
    }
}

#[tokio::test]
async fn returns_a_rejected_certificate_which_can_be_accepted() {
    let server = Server::start_tls(&Certificate::expired(&["127.0.0.1", "feeds.example"], (2024, 5, 3))).await;
    server.on("/feed", Reply::ok("x"));
    let (fetcher, url) = (fetcher(), server.url("/feed"));
    let error = fetcher.fetch(request(&url)).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Tls);
    let shown = error.certificate.unwrap();
    assert_eq!((shown.subject.as_str(), shown.issuer.as_str()), ("CN=A server for tests", "CN=An authority for tests"));
    assert_eq!(shown.names, ["127.0.0.1", "feeds.example"]);
    assert_eq!(shown.not_after.unwrap().to_rfc3339(), "2024-05-03T00:00:00+00:00");
    assert_eq!(shown.not_before.unwrap().to_rfc3339(), "2023-05-03T00:00:00+00:00");
    let accepting = Request { exception: Some(shown.fingerprint), ..request(&url) };
    assert_eq!(fetcher.fetch(accepting).await.unwrap().status, 200);
    // Neither the connection nor the TLS session accepted by exception is used by other requests.
    assert_eq!(fetcher.fetch(request(&url)).await.unwrap_err().kind, FetchErrorKind::Tls);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn an_exception_applies_to_one_certificate_at_one_host() {
    let accepted = Certificate::self_signed(&["127.0.0.1", "feeds.example"]);
    let server = Server::start_tls(&accepted).await;
    let other = Server::start_tls(&Certificate::self_signed(&["127.0.0.1"])).await;
    server.on("/feed", Reply::ok("x"));
    server.on("/away", Reply::redirect(301, server.url_at("feeds.example", "/feed")));
    other.on("/feed", Reply::ok("x"));
    let fetcher = fetcher();
    let exception =
        Some(fetcher.fetch(request(&server.url("/feed"))).await.unwrap_err().certificate.unwrap().fingerprint);
    let ask = |url: String| fetcher.fetch(Request { exception, ..request(&url) });
    assert_eq!(ask(server.url("/feed")).await.unwrap().status, 200);
    let error = ask(other.url("/feed")).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Tls, "another certificate at the same host");
    assert_ne!(error.certificate.map(|certificate| certificate.fingerprint), exception);
    assert!(other.requests().is_empty());
    let error = ask(server.url("/away")).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Tls, "the same certificate at another host");
    assert_eq!(error.url.host_str(), Some("feeds.example"));
}

#[tokio::test]
async fn a_good_certificate_needs_no_exception() {
    let certificate = Certificate::good(&["127.0.0.1"]);
    let server = Server::start_tls(&certificate).await;
    server.on("/feed", Reply::ok("x"));
    let authorities = certificate.authority.into_iter().collect();
    let fetcher = Fetcher::with(Settings { limits: limits(), authorities, ..Settings::default() }).unwrap();
    let outdated = Some("00".repeat(32).parse().unwrap());
    assert_eq!(
        fetcher.fetch(Request { exception: outdated, ..request(&server.url("/feed")) }).await.unwrap().status,
        200
    );
}

/// Requests an unknown name, with the given addresses of the name that always exists.
async fn unknown_name(known: &[SocketAddr]) -> FetchErrorKind {
    let names = [("feeds.example".to_owned(), vec![]), (KNOWN_NAME.to_owned(), known.to_vec())].into();
    let fetcher = Fetcher::with(Settings { limits: limits(), names, ..Settings::default() }).unwrap();
    fetcher.fetch(request("http://feeds.example/feed")).await.unwrap_err().kind
}

// On other systems connecting to it fails differently.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn p27_the_machine_is_offline_if_no_host_is_reachable() {
    // Connecting to the broadcast address fails at once and sends nothing.
    let nowhere = vec![SocketAddr::from(([255, 255, 255, 255], 0))];
    let mut names: std::collections::HashMap<_, _> =
        ["a", "b", "c"].map(|name| (format!("{name}.example"), nowhere.clone())).into();
    names.insert(KNOWN_NAME.to_owned(), vec![LOOPBACK]);
    let fetcher = Fetcher::with(Settings { limits: limits(), names, ..Settings::default() }).unwrap();
    let mut kinds = Vec::new();
    for host in ["a", "b", "b", "c", "a"] {
        kinds.push(fetcher.fetch(request(&format!("http://{host}.example/feed"))).await.unwrap_err().kind);
    }
    let (one, all) = (FetchErrorKind::Connect, FetchErrorKind::Offline);
    assert_eq!(kinds, [one, one, one, all, all], "without a lookup, which would have another result");
}

#[tokio::test]
async fn p27_the_machine_is_offline_if_no_name_resolves() {
    assert_eq!(unknown_name(&[]).await, FetchErrorKind::Offline);
}
