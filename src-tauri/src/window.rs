//! The one window, and what may go on in it: our own page, frames without an address of their own, and nothing else.

use crate::{events, links, opml};
use tauri::{AppHandle, DragDropEvent, WebviewUrl, WebviewWindowBuilder, WindowEvent, webview::NewWindowResponse};
use url::Url;

/// The scheme of links that the window puts into an article's page for itself; see `ui/src/lib/article/acts.ts`.
const ACT: &str = "gleaner-act";

/// Where the window's own page comes from: `tauri://localhost`, on Windows `http(s)://tauri.localhost`.
fn ours(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        // Article frames: srcdoc, and the empty document before it.
        "about" => matches!(url.path(), "srcdoc" | "blank"),
        _ => false,
    }
}

pub fn open(app: &AppHandle) -> tauri::Result<()> {
    let for_links = app.clone();
    let window = WebviewWindowBuilder::new(app, events::WINDOW, WebviewUrl::App("index.html".into()))
        .title("Gleaner")
        .inner_size(1280.0, 820.0)
        .min_inner_size(480.0, 400.0)
        .on_navigation(ours)
        .on_new_window(move |url, _| {
            // The page's own links ask the window for something; whether one is really the page's own, the window knows.
            match url.scheme() {
                ACT => events::emit(&for_links, "article_act", url.to_string()),
                _ => links::follow(&for_links, &url),
            }
            NewWindowResponse::Deny
        })
        .build()?;
    #[cfg(target_os = "linux")]
    window.with_webview(|webview| refuse_cookies(&webview.inner()))?;
    let app = app.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::Focused(false) = event {
            links::stay(&app);
        }
        if let WindowEvent::DragDrop(event) = event {
            match event {
                DragDropEvent::Enter { paths, .. } if !paths.is_empty() => events::emit(&app, "files_over", true),
                DragDropEvent::Drop { paths, .. } => {
                    events::emit(&app, "files_over", false);
                    opml::import(app.clone(), paths.clone());
                }
                DragDropEvent::Leave => events::emit(&app, "files_over", false),
                _ => {}
            }
        }
    });
    Ok(())
}

/// Pictures come from anywhere, and nobody who gives one is to know the reader again by the next.
#[cfg(target_os = "linux")]
fn refuse_cookies(page: &webkit2gtk::WebView) {
    use webkit2gtk::{CookieAcceptPolicy, CookieManagerExt as _, WebContextExt as _, WebViewExt as _};
    if let Some(cookies) = page.context().and_then(|context| context.cookie_manager()) {
        cookies.set_accept_policy(CookieAcceptPolicy::Never);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_our_page_and_article_frames_are_navigated_to() {
        for fine in ["tauri://localhost/index.html", "http://tauri.localhost/", "about:srcdoc", "about:blank"] {
            assert!(ours(&Url::parse(fine).unwrap()), "{fine}");
        }
        for refused in [
            "https://example.com/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "tauri://example.com/",
            "data:text/html,x",
            "gleaner-image://localhost/00",
            "gleaner-act://token/zoom/1",
        ] {
            assert!(!ours(&Url::parse(refused).unwrap()), "{refused}");
        }
    }
}
