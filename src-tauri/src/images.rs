//! Kept pictures, for articles shown without a network, and feeds' icons: the protocol `gleaner-image`. It gives a picture by its
//! digest and an icon by its feed's number, and nothing else: no other method, no other path, no type but those of pictures that are
//! kept, and nothing that could be taken for a page.

use crate::shell::{Core, Shell};
use gleaner_contract::KeptPicture;
use gleaner_library::{ItemImage, Millis};
use std::fs;
use tauri::{
    AppHandle, Manager as _,
    http::{Method, Request, Response, StatusCode},
};

/// Its name. Allowed for pictures, and for nothing else, by the policies of the window and of the article's frame.
pub const SCHEME: &str = "gleaner-image";

/// Where the window has a picture from, by its digest in hexadecimal. Windows knows no protocols but http.
pub fn place(name: &str) -> String {
    let protocol = if cfg!(windows) { "http://gleaner-image.localhost/" } else { "gleaner-image://localhost/" };
    format!("{protocol}{name}")
}

/// Where the window has the icon of a feed from, as it came at that moment: thousands of them are too much to be told with the feeds.
pub fn icon(feed: i64, at: Millis) -> String {
    place(&format!("icon/{feed}/{at}"))
}

/// Where the window has the pictures from that an article's page names.
pub fn kept(images: Vec<ItemImage>) -> Vec<KeptPicture> {
    let here = |image: ItemImage| {
        let name: String = image.digest?.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(KeptPicture { url: image.url, here: place(&name) })
    };
    images.into_iter().filter_map(here).collect()
}

/// What a request names.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    /// A kept picture, by its digest.
    Picture([u8; 32]),
    /// The icon of a feed.
    Icon(i64),
}

/// `None` for everything that this protocol does not give.
fn asked(method: &Method, path: &str, query: Option<&str>) -> Option<Asked> {
    if method != Method::GET || query.is_some() {
        return None;
    }
    let name = path.strip_prefix('/')?;
    let Some(icon) = name.strip_prefix("icon/") else { return digest(name).map(Asked::Picture) };
    let (feed, at) = icon.split_once('/')?;
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (number(feed) && number(at)).then(|| feed.parse().ok()).flatten().map(Asked::Icon)
}

fn digest(name: &str) -> Option<[u8; 32]> {
    let fine = name.len() == 64;
    let lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if !fine || !name.bytes().all(lower) {
        return None;
    }
    let mut digest = [0; 32];
    for (byte, two) in digest.iter_mut().zip(name.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok()?;
    }
    Some(digest)
}

/// The answer to a request.
pub async fn answer(app: AppHandle, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
    let uri = request.uri();
    let Some(asked) = asked(request.method(), uri.path(), uri.query()) else {
        return nothing(StatusCode::BAD_REQUEST);
    };
    let Ok(core) = app.state::<Shell>().core().await else { return nothing(StatusCode::SERVICE_UNAVAILABLE) };
    let Some((bytes, mime_type)) = read(core, asked).await else { return nothing(StatusCode::NOT_FOUND) };
    let built = Response::builder()
        .header("Content-Type", mime_type)
        .header("X-Content-Type-Options", "nosniff")
        .header("Content-Security-Policy", "default-src 'none'; sandbox")
        .header("Cross-Origin-Resource-Policy", "same-site")
        // Its name is its digest, or says when it came: it never changes.
        .header("Cache-Control", "private, max-age=31536000, immutable")
        .body(bytes);
    built.unwrap_or_else(|_| nothing(StatusCode::INTERNAL_SERVER_ERROR))
}

async fn read(core: Core, asked: Asked) -> Option<(Vec<u8>, String)> {
    match asked {
        Asked::Icon(feed) => {
            let (kind, bytes) = core.library.icon(feed).await.ok()??;
            Some((bytes, kind.to_owned()))
        }
        Asked::Picture(digest) => {
            let image = core.library.image(&digest).await.ok()??;
            drop(core);
            let read = tauri::async_runtime::spawn_blocking(move || fs::read(&image.path)).await;
            Some((read.ok()?.ok()?, image.mime_type))
        }
    }
}

fn nothing(status: StatusCode) -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn nothing_but_a_digest_is_asked_for() {
        let image = ItemImage { url: "https://a.example/x".to_owned(), digest: Some([0xa5; 32]), error: None };
        let here = kept(vec![image]).remove(0).here;
        let path = &here[here.rfind('/').unwrap()..];
        assert_eq!(asked(&Method::GET, path, None), Some(Asked::Picture([0xa5; 32])));
        let icon = icon(7, 1_700_000_000_000);
        assert_eq!(asked(&Method::GET, &icon[icon.find("/icon").unwrap()..], None), Some(Asked::Icon(7)));
        assert_eq!(asked(&Method::GET, path, Some("")), None);
        for method in [Method::POST, Method::HEAD, Method::PUT, Method::OPTIONS, Method::DELETE] {
            assert_eq!(asked(&method, path, None), None, "{method}");
        }
        for refused in [
            "/",
            "",
            "/icon/",
            "/icon/7",
            "/icon/7/",
            "/icon/-7/1",
            "/icon/7/1/",
            "/icon/9999999999999999999/1",
            "/../library.sqlite",
            &path.to_uppercase(),
            &format!("{path}0"),
            &format!("/{path}"),
        ] {
            assert_eq!(asked(&Method::GET, refused, None), None, "{refused}");
        }
    }
}
