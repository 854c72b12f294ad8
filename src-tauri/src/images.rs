//! The protocol `gleaner-image`, by which the window loads stored images and feed icons.

use gleaner_app::{App, images};
use tauri::http::{Request, Response, StatusCode};

/// Responds to a request. Only images of known types are sent, and nothing that could be interpreted as a page.
pub async fn respond(app: &App, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
    let uri = request.uri();
    let Some(image) = images::stored(request.method().as_str(), uri.path(), uri.query()) else {
        return empty(StatusCode::BAD_REQUEST);
    };
    let Some((bytes, mime_type)) = images::read(app, image).await else { return empty(StatusCode::NOT_FOUND) };
    let built = Response::builder()
        .header("Content-Type", mime_type)
        .header("X-Content-Type-Options", "nosniff")
        .header("Content-Security-Policy", "default-src 'none'; sandbox")
        .header("Cross-Origin-Resource-Policy", "same-site")
        // An address contains a digest or a download time, so its content never changes.
        .header("Cache-Control", "private, max-age=31536000, immutable")
        .body(bytes);
    built.unwrap_or_else(|_| empty(StatusCode::INTERNAL_SERVER_ERROR))
}

fn empty(status: StatusCode) -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = status;
    response
}
