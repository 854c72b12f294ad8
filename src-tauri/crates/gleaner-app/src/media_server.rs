//! Serves downloaded episodes to the window's player, on this computer only: WebKitGTK plays no other protocol than HTTP. Each address
//! contains a random token, without which nothing is served, and names one downloaded file. Nothing else is readable.

use crate::{
    App,
    error::{Result, internal},
};
use std::{
    hash::{BuildHasher as _, RandomState},
    io::SeekFrom,
    net::Ipv4Addr,
};
use tokio::{
    fs::File,
    io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// Maximum length of a request's head, in bytes.
const LONGEST_HEAD: usize = 16 << 10;

/// The running server.
pub(crate) struct MediaServer {
    port: u16,
    token: String,
}

impl MediaServer {
    /// Starts the server, which runs until the process ends.
    pub(crate) async fn start(app: &App) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(internal)?;
        let port = listener.local_addr().map_err(internal)?.port();
        let token = token();
        let (app, prefix) = (app.clone(), format!("/{token}/"));
        let serving = app.clone();
        app.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (app, prefix) = (serving.clone(), prefix.clone());
                serving.spawn(async move {
                    // A player that closes the connection is no error.
                    let _ = serve(&app, &prefix, stream).await;
                });
            }
        });
        Ok(Self { port, token })
    }

    /// Returns the address of a downloaded file.
    pub(crate) fn address(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/{}/{name}", self.port, self.token)
    }
}

/// Returns 256 bits that cannot be guessed: the keys of `RandomState` are random.
fn token() -> String {
    (0..4).map(|part| format!("{:016x}", RandomState::new().hash_one(part))).collect()
}

async fn serve(app: &App, prefix: &str, mut stream: TcpStream) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= LONGEST_HEAD {
            return Ok(());
        }
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut words = head.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let found = match (method, target.strip_prefix(prefix)) {
        ("GET" | "HEAD", Some(name)) => file(app, name).await,
        _ => None,
    };
    let Some((mut file, mime_type)) = found else {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await;
    };
    let length = file.metadata().await?.len();
    let wanted = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("range").then(|| range(value.trim(), length))
    });
    let (status, first, end) = match wanted {
        None => ("200 OK", 0, length),
        Some(Some((first, end))) => ("206 Partial Content", first, end),
        Some(None) => {
            let refused = format!(
                "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */{length}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
            return stream.write_all(refused.as_bytes()).await;
        }
    };
    let range = match wanted {
        Some(_) => format!("Content-Range: bytes {first}-{}/{length}\r\n", end.saturating_sub(1)),
        None => String::new(),
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {mime_type}\r\nContent-Length: {}\r\n{range}Accept-Ranges: bytes\r\n\
         X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'; sandbox\r\nCache-Control: no-store\r\n\
         Connection: close\r\n\r\n",
        end - first
    );
    stream.write_all(answer.as_bytes()).await?;
    if method == "GET" {
        file.seek(SeekFrom::Start(first)).await?;
        tokio::io::copy(&mut file.take(end - first), &mut stream).await?;
    }
    stream.shutdown().await
}

/// Opens a downloaded file by its name. Its type is one of audio or video, whatever the feed says.
async fn file(app: &App, name: &str) -> Option<(File, String)> {
    let library = app.core().await.ok()?.library;
    let (path, mime_type) = library.episodes().by_name(name).await.ok()??;
    let plain = |mime: &String| {
        let known = mime.starts_with("audio/") || mime.starts_with("video/");
        known && mime.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/.+-".contains(&byte))
    };
    let mime_type = mime_type.filter(plain).unwrap_or_else(|| "audio/mpeg".to_owned());
    Some((File::open(path).await.ok()?, mime_type))
}

/// Returns the requested part: its first byte and the one after its last; `None` if the file has no such part. Only one range is
/// supported (RFC 9110, section 14.1.2).
fn range(value: &str, length: u64) -> Option<(u64, u64)> {
    let (first, last) = value.strip_prefix("bytes=")?.split_once('-')?;
    let (first, end) = match (first.parse::<u64>().ok(), last.parse::<u64>().ok()) {
        (Some(first), Some(last)) => (first, last.saturating_add(1).min(length)),
        (Some(first), None) if last.is_empty() => (first, length),
        (None, Some(suffix)) if first.is_empty() => (length.saturating_sub(suffix), length),
        _ => return None,
    };
    (first < end).then_some((first, end))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Enclosure, Incoming, Intent, NewItem, NewSubscription, Poll};
    use std::io::Write as _;
    use tokio::runtime::Handle;

    #[test]
    fn reads_ranges() {
        for (value, part) in [
            ("bytes=0-", Some((0, 10))),
            ("bytes=4-6", Some((4, 7))),
            ("bytes=4-99", Some((4, 10))),
            ("bytes=-3", Some((7, 10))),
            ("bytes=-99", Some((0, 10))),
            ("bytes=10-", None),
            ("bytes=6-4", None),
            ("bytes=0-1,4-5", None),
            ("items=0-1", None),
        ] {
            assert_eq!(range(value, 10), part, "{value}");
        }
    }

    /// An app with a downloaded episode, and the address of its file.
    async fn with_episode(folder: &std::path::Path) -> (App, String) {
        let app = App::without_window(folder.to_owned(), Handle::current());
        let library = app.core().await.unwrap().library;
        let url = "https://a.example/feed".to_owned();
        let feed_id =
            library.subscriptions().add(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        let enclosure = Enclosure {
            url: "https://a.example/1.mp3".to_owned(),
            mime_type: Some("audio/ogg".to_owned()),
            ..Enclosure::default()
        };
        let item = NewItem { key: "1".to_owned(), enclosures: vec![enclosure], ..NewItem::default() };
        let poll = Poll { feed_id, ..Poll::default() };
        let intents = vec![Intent::Insert(Box::new(item))];
        library.polls().store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
        library.episodes().queue(&[1], None).await.unwrap();
        let mut episode = library.episodes().due().await.unwrap().remove(0);
        library.episodes().open(1, &episode.url, 0).unwrap().write_all(b"0123456789").unwrap();
        episode.bytes = 10;
        library.episodes().complete(&episode).await.unwrap();
        let shown = crate::episodes::episodes(&app, ()).await.unwrap().remove(0);
        (app, shown.local_url.unwrap())
    }

    /// Sends a request for a path and returns the head and the body of the answer.
    async fn request(address: &str, path: &str, header: &str) -> (String, String) {
        let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let mut stream = TcpStream::connect(host).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{header}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    #[tokio::test]
    async fn serves_downloaded_files_in_parts_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (_app, address) = with_episode(folder.path()).await;
        let path = address.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap();
        let (head, body) = request(&address, &path, "").await;
        assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("Content-Type: audio/ogg\r\n"), "{head}");
        assert_eq!(body, "0123456789");
        let (head, body) = request(&address, &path, "Range: bytes=3-5\r\n").await;
        assert!(head.starts_with("HTTP/1.1 206 ") && head.contains("Content-Range: bytes 3-5/10\r\n"), "{head}");
        assert_eq!(body, "345");
        assert!(request(&address, &path, "Range: bytes=10-\r\n").await.0.starts_with("HTTP/1.1 416 "));
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
            assert!(request(&address, &other, "").await.0.starts_with("HTTP/1.1 404 "), "{other}");
        }
    }
}
