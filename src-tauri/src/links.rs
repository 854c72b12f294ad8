//! Links to the world outside: only kinds that cannot run code, and only through the system's own browser.

use crate::events;
use tauri::AppHandle;
use url::Url;

/// Schemes that an article's link may have. All else could start programs that nobody asked for.
const OPENED: [&str; 3] = ["https", "http", "mailto"];

/// Hands a URL to the system's browser, or tells the window that it was refused.
pub fn open(app: &AppHandle, url: &Url) {
    if !OPENED.contains(&url.scheme()) {
        events::emit(app, "link_refused", url.to_string());
        return;
    }
    let (app, url) = (app.clone(), url.clone());
    // Starting a browser takes a while; the window must not wait for it.
    tauri::async_runtime::spawn_blocking(move || {
        if let Err(error) = tauri_plugin_opener::open_url(url.as_str(), None::<&str>) {
            eprintln!("gleaner: {url} could not be opened: {error}");
            events::emit(&app, "link_refused", url.to_string());
        }
    });
}
