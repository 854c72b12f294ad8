//! Kept pictures, for articles shown without a network: the protocol `gleaner-image`. It gives a picture by its digest, and nothing
//! else: no other method, no other path, no type but those of pictures that are kept, and nothing that could be taken for a page.

use crate::shell::Shell;
use gleaner_contract::KeptPicture;
use gleaner_library::ItemImage;
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

/// Where the window has the pictures from that an article's page names.
pub fn kept(images: Vec<ItemImage>) -> Vec<KeptPicture> {
    let here = |image: ItemImage| {
        let name: String = image.digest?.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(KeptPicture { url: image.url, here: place(&name) })
    };
    images.into_iter().filter_map(here).collect()
}

/// The digest that a request names; `None` for everything that this protocol does not give.
fn asked(method: &Method, path: &str, query: Option<&str>) -> Option<[u8; 32]> {
    let name = path.strip_prefix('/')?;
    let fine = method == Method::GET && query.is_none() && name.len() == 64;
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
    let Some(digest) = asked(request.method(), uri.path(), uri.query()) else {
        return nothing(StatusCode::BAD_REQUEST);
    };
    let Ok(core) = app.state::<Shell>().core().await else { return nothing(StatusCode::SERVICE_UNAVAILABLE) };
    let Ok(Some(image)) = core.library.image(&digest).await else { return nothing(StatusCode::NOT_FOUND) };
    drop(core);
    let read = tauri::async_runtime::spawn_blocking(move || (fs::read(&image.path), image.mime_type)).await;
    let Ok((Ok(bytes), mime_type)) = read else { return nothing(StatusCode::NOT_FOUND) };
    let built = Response::builder()
        .header("Content-Type", mime_type)
        .header("X-Content-Type-Options", "nosniff")
        .header("Content-Security-Policy", "default-src 'none'; sandbox")
        .header("Cross-Origin-Resource-Policy", "same-site")
        // Its name is its digest: it never changes.
        .header("Cache-Control", "private, max-age=31536000, immutable")
        .body(bytes);
    built.unwrap_or_else(|_| nothing(StatusCode::INTERNAL_SERVER_ERROR))
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
        assert_eq!(asked(&Method::GET, path, None), Some([0xa5; 32]));
        assert_eq!(asked(&Method::GET, path, Some("")), None);
        for method in [Method::POST, Method::HEAD, Method::PUT, Method::OPTIONS, Method::DELETE] {
            assert_eq!(asked(&method, path, None), None, "{method}");
        }
        for refused in ["/", "", "/../library.sqlite", &path.to_uppercase(), &format!("{path}0"), &format!("/{path}")] {
            assert_eq!(asked(&Method::GET, refused, None), None, "{refused}");
        }
    }
}
