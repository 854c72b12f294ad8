//! Serves downloaded episodes to the window's player, on this computer only: WebKitGTK plays files by HTTP only. Each address names one
//! downloaded file and contains a random token, without which nothing is served. No other files are readable.

use crate::{
    App,
    error::{Result, internal},
    session::MediaServer,
};
use hyper::{
    Request, Response, StatusCode,
    body::Incoming,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{net::Ipv4Addr, path::PathBuf, time::Duration};
use tokio::net::{TcpListener, TcpStream};
use tower_http::services::{ServeFile, fs::ServeFileSystemResponseBody as Body};
use uuid::Uuid;

/// Time limit for the head of each request on a connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Pause after a failure to accept a connection.
const RETRY_ACCEPT: Duration = Duration::from_millis(100);

/// Starts the server, which runs until the process ends.
pub(crate) async fn start(app: &App) -> Result<MediaServer> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(internal)?;
    let port = listener.local_addr().map_err(internal)?.port();
    let token = Uuid::new_v4().simple().to_string();
    let (serving, prefix) = (app.clone(), format!("/{token}/"));
    app.spawn(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // pause: too many files may be open at the moment.
                tokio::time::sleep(RETRY_ACCEPT).await;
                continue;
            };
            let (app, prefix) = (serving.clone(), prefix.clone());
            serving.spawn(async move {
                if let Err(error) = serve(&app, &prefix, stream).await {
                    // Players close connections when they have enough.
                    tracing::debug!(%error, "a connection of the player ended");
                }
            });
        }
    });
    Ok(MediaServer { port, token })
}

async fn serve(app: &App, prefix: &str, stream: TcpStream) -> hyper::Result<()> {
    let service = service_fn(|request| answer(app, prefix, request));
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    server.serve_connection(TokioIo::new(stream), service).await
}

async fn answer(app: &App, prefix: &str, request: Request<Incoming>) -> std::io::Result<Response<Body>> {
    let found = match request.uri().path().strip_prefix(prefix) {
        Some(name) => file(app, name).await,
        None => None,
    };
    let Some((path, mime_type)) = found else {
        let mut missing = Response::new(Body::default());
        *missing.status_mut() = StatusCode::NOT_FOUND;
        return Ok(missing);
    };
    let mut response = ServeFile::new(path).try_call(request).await?;
    response.headers_mut().extend([
        (CONTENT_TYPE, mime_type),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]);
    Ok(response)
}

/// Returns the path of a downloaded file by its name. Its type is always an audio or video type, whatever the feed says.
async fn file(app: &App, name: &str) -> Option<(PathBuf, HeaderValue)> {
    let library = app.core().await.ok()?.library;
    let (path, mime_type) = library.episodes().by_name(name).await.ok()??;
    let media = mime_type.filter(|mime| mime.starts_with("audio/") || mime.starts_with("video/"));
    let media = media.and_then(|mime| HeaderValue::from_str(&mime).ok());
    Some((path, media.unwrap_or(HeaderValue::from_static("audio/mpeg"))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Enclosure, Incoming, Intent, NewItem, NewSubscription};
    use std::io::Write as _;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        runtime::Handle,
    };

    /// An app with a downloaded episode, and the address of its file.
    async fn with_episode(folder: &std::path::Path) -> (App, String) {
        let app = App::without_window(folder.to_owned(), Handle::current());
        let library = app.core().await.unwrap().library;
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let enclosure = Enclosure {
            url: "https://a.example/1.mp3".to_owned(),
            mime_type: Some("audio/ogg".to_owned()),
            ..Enclosure::default()
        };
        let item = NewItem { key: "1".to_owned(), enclosures: vec![enclosure], ..NewItem::default() };
        let intents = vec![Intent::Insert(Box::new(item))];
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
        library.episodes().queue(&[1], None).await.unwrap();
        let mut episode = library.episodes().due().await.unwrap().remove(0);
        library.episodes().open(1, &episode.url, 0).unwrap().write_all(b"0123456789").unwrap();
        episode.bytes = 10;
        library.episodes().complete(&episode).await.unwrap();
        let shown = crate::episodes::episodes(&app, ()).await.unwrap().remove(0);
        (app, shown.local_url.unwrap())
    }

    /// Sends a request for a path and returns the head, in lower case, and the body of the response.
    async fn request(address: &str, path: &str, header: &str) -> (String, String) {
        let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let mut stream = TcpStream::connect(host).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{header}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.to_lowercase(), body.to_owned())
    }

    #[tokio::test]
    async fn serves_downloaded_files_in_parts_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (_app, address) = with_episode(folder.path()).await;
        let path = address.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap();
        let (head, body) = request(&address, &path, "").await;
        assert!(head.starts_with("http/1.1 200 ") && head.contains("content-type: audio/ogg\r\n"), "{head}");
        assert_eq!(body, "0123456789");
        let (head, body) = request(&address, &path, "Range: bytes=3-5\r\n").await;
        assert!(head.starts_with("http/1.1 206 ") && head.contains("content-range: bytes 3-5/10\r\n"), "{head}");
        assert_eq!(body, "345");
        for value in ["10-", "6-4", "0-1,4-5"] {
            let (head, _) = request(&address, &path, &format!("Range: bytes={value}\r\n")).await;
            assert!(head.starts_with("http/1.1 416 "), "{value}: {head}");
        }
        let (_, body) = request(&address, &path, "Range: bytes=-3\r\n").await;
        assert_eq!(body, "789");
        let name = path.rsplit('/').next().unwrap();
        let token = path.split('/').nth(1).unwrap();
        for other in [
            format!("/{name}"),
            format!("/0123/{name}"),
            format!("/{token}/../library.db"),
            format!("/{token}/..%2flibrary.db"),
            format!("/{token}/2-{}", name.split_once('-').unwrap().1),
            format!("/{token}/"),
        ] {
            assert!(request(&address, &other, "").await.0.starts_with("http/1.1 404 "), "{other}");
        }
    }
}
