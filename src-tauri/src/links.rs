//! Links to the world outside: only kinds that cannot run code, and only through the system's own browser.

use crate::{convert, events, shell::Shell};
use gleaner_contract::{ErrorCode, IpcError};
use std::{
    collections::HashSet,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tauri::{AppHandle, Manager as _};
use url::Url;

/// Schemes that an article's link may have. All else could start programs that nobody asked for.
const OPENED: [&str; 3] = ["https", "http", "mailto"];

/// Addresses of the article on the page that deceive by their words, letters or user names. The window tells them, since only it
/// knows what stands on the page.
#[derive(Debug, Default)]
pub struct Doubted(Mutex<HashSet<Url>>);

impl Doubted {
    fn lock(&self) -> MutexGuard<'_, HashSet<Url>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another article is on the page.
    pub fn replace(&self, addresses: &[String]) {
        *self.lock() = addresses.iter().filter_map(|address| Url::parse(address).ok()).collect();
    }

    pub fn holds(&self, url: &Url) -> bool {
        self.lock().contains(url)
    }
}

/// A link was clicked: it is opened, or asked about first.
pub fn follow(app: &AppHandle, url: &Url) {
    if app.state::<Shell>().doubted.holds(url) {
        events::emit(app, "link_doubted", url.to_string());
    } else {
        open(app, url);
    }
}

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

/// Where a feed's search box sends a text: its link with the text under its name (RSS 2.0, `textInput`).
pub fn answer_to(link: &str, name: &str, text: &str) -> Option<Url> {
    let mut url = Url::parse(link).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.query_pairs_mut().append_pair(name, text);
    Some(url)
}

/// So long a browser that was to open something behind the window may take to come to the front.
const BEHIND: Duration = Duration::from_secs(3);

/// Hands a URL to the system's browser, and the window keeps the focus. No system has a way to ask a browser for that, so the window takes
/// it back, once, when it loses it right after; where a window may not take it (Wayland without a token), a browser may not either.
pub fn open_behind(app: &AppHandle, url: &Url) {
    *app.state::<Shell>().stay_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + BEHIND);
    open(app, url);
}

/// The window has lost the focus: it takes it back from a browser that was to stay behind it.
pub fn stay(app: &AppHandle) {
    let until = app.state::<Shell>().stay_until.lock().unwrap_or_else(PoisonError::into_inner).take();
    if until.is_some_and(|until| Instant::now() < until)
        && let Some(window) = app.get_webview_window(events::WINDOW)
        && let Err(error) = window.set_focus()
    {
        eprintln!("gleaner: the window could not keep the focus: {error}");
    }
}

/// Shows a folder of Gleaner's own in the system's file manager: never one that the window names.
pub async fn show_folder(folder: PathBuf) -> Result<(), IpcError> {
    let shown = tauri::async_runtime::spawn_blocking(move || {
        tauri_plugin_opener::open_path(&folder, None::<&str>).map_err(|error| IpcError {
            code: ErrorCode::File,
            message: format!("{} could not be shown: {error}", folder.display()),
            detail: Some(folder.display().to_string()),
        })
    });
    shown.await.map_err(|error| convert::internal(&error.to_string()))?
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_search_box_leads_to_its_site_and_nowhere_else() {
        let to = |link: &str, text: &str| answer_to(link, "q", text).map(|url| url.to_string());
        assert_eq!(
            to("https://a.example/find", "rice & wheat").as_deref(),
            Some("https://a.example/find?q=rice+%26+wheat")
        );
        assert_eq!(to("http://a.example/?in=all", "ü#").as_deref(), Some("http://a.example/?in=all&q=%C3%BC%23"));
        for link in ["javascript:alert(1)", "file:///etc/passwd", "mailto:a@b.example", "/find", ""] {
            assert_eq!(to(link, "x"), None, "{link}");
        }
    }

    #[test]
    fn what_is_doubted_is_known_however_it_is_written() {
        let doubted = Doubted::default();
        doubted.replace(&["HTTPS://Evil.example".to_owned(), "no address".to_owned()]);
        assert!(doubted.holds(&Url::parse("https://evil.example/").unwrap()));
        assert!(!doubted.holds(&Url::parse("https://evil.example/other").unwrap()));
        doubted.replace(&[]);
        assert!(!doubted.holds(&Url::parse("https://evil.example/").unwrap()));
    }
}
