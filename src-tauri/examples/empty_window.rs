//! A Tauri window with a line of text and nothing else: `make bench` compares the start of Gleaner's with it.

use tauri::{WebviewUrl, WebviewWindowBuilder, http::Response};

fn main() -> tauri::Result<()> {
    tauri::Builder::default()
        .register_uri_scheme_protocol("empty", |_, _| {
            let page = b"<!doctype html><title>Empty</title><p>Empty".to_vec();
            Response::builder().header("Content-Type", "text/html").body(page).unwrap_or_default()
        })
        .setup(|app| {
            let page = "empty://localhost/".parse().map_err(|_| "no address")?;
            WebviewWindowBuilder::new(app, "main", WebviewUrl::CustomProtocol(page))
                .inner_size(1280.0, 820.0)
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
}
