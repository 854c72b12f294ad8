//! Windows that show one article each. Their page is a document without scripts: its policy allows none, and the window has no
//! capability, so that not even a script could call the core.

#[cfg(target_os = "linux")]
use crate::{find_bar, page_menu, page_process};
use crate::{
    focus::{self, Click},
    geometry, window,
};
use gleaner_app::App;
use gleaner_contract::{ArticleId, ArticleWindow, Event};
use parking_lot::Mutex;
use std::collections::HashMap;
use tauri::{
    AppHandle, Manager as _, WebviewUrl, WebviewWindow, WindowEvent,
    http::{Request, Response, StatusCode},
    webview::{NewWindowResponse, PageLoadEvent},
};
use url::Url;

/// The name of the protocol by which a window loads its page, and the style sheet and fonts of pages.
pub const SCHEME: &str = "gleaner-article";
/// Size of a new window, in logical pixels.
const SIZE: (f64, f64) = (760.0, 820.0);
/// Minimum size of a window, in logical pixels.
const MIN_SIZE: (f64, f64) = (360.0, 300.0);
const MIN_ZOOM: f64 = 0.5;
const MAX_ZOOM: f64 = 4.0;
/// Factor by which a key zooms.
const ZOOM_STEP: f64 = 1.1;
/// The keys of the window. This script belongs to the window, not to its page; it asks the shell by a navigation, which the shell
/// refuses.
const KEYS: &str = "addEventListener('keydown', (event) => {
  const control = event.ctrlKey || event.metaKey;
  // On a keyboard without Latin letters, the key where a Latin one has the letter.
  const key = (/[^\\p{scx=Latin}\\p{scx=Common}]/u.test(event.key) ? event.code.replace('Key', '') : event.key).toLowerCase();
  const leaves = key === 'escape' && !document.querySelector(':popover-open');
  const keys = { w: '/close', p: '/print', f: SHELL_FINDS && '/find', '+': '/larger', '=': '/larger', '-': '/smaller', 0: '/unzoomed' };
  const wanted = leaves ? '/leave' : control && keys[key];
  if (!wanted) return;
  event.preventDefault();
  location.assign(wanted);
});";
/// Scrolls the page to the reading position, unless the user has scrolled before.
const SCROLL: &str = "addEventListener('load', () => {
  const page = document.scrollingElement;
  if (page.scrollTop === 0) page.scrollTo({ top: POSITION * (page.scrollHeight - innerHeight), behavior: 'instant' });
});";

/// Held while a window is created. Otherwise Tauri would create a second one for an article that is opened in the meantime.
static CREATING: Mutex<()> = Mutex::new(());

/// The pages of the open windows, by the windows' labels.
#[derive(Default)]
pub struct Pages(Mutex<HashMap<String, Page>>);

/// The content of a window.
struct Page {
    html: String,
    css: String,
    images: bool,
    /// Factor by which it is zoomed.
    zoom: f64,
}

impl Pages {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, Page>) -> T) -> T {
        work(&mut self.0.lock())
    }
}

/// The reaction of a window to a navigation of its page.
#[derive(Debug, PartialEq)]
enum Navigation {
    /// The page is loaded, or scrolls to a part of itself.
    Allow,
    /// The find bar closes, or else the window.
    Leave,
    /// The window closes.
    Close,
    /// The page is printed.
    Print,
    /// The find bar opens.
    Find,
    /// The page is zoomed by this factor; none: to its usual size.
    Zoom(Option<f64>),
    /// Nothing.
    Refuse,
}

/// Decides about a navigation. On Windows, the protocol is an http host.
fn decide(url: &Url) -> Navigation {
    let own = match url.scheme() {
        SCHEME => url.host_str() == Some("localhost"),
        "http" | "https" => url.host_str() == Some("gleaner-article.localhost"),
        _ => false,
    };
    match url.path() {
        _ if !own => Navigation::Refuse,
        "/" => Navigation::Allow,
        "/leave" => Navigation::Leave,
        "/close" => Navigation::Close,
        "/print" => Navigation::Print,
        "/find" => Navigation::Find,
        "/larger" => Navigation::Zoom(Some(ZOOM_STEP)),
        "/smaller" => Navigation::Zoom(Some(ZOOM_STEP.recip())),
        "/unzoomed" => Navigation::Zoom(None),
        _ => Navigation::Refuse,
    }
}

/// Returns the policy of a page. The page also has its own policy, and both apply.
fn policy(images: bool) -> String {
    let stored = "data: gleaner-image: http://gleaner-image.localhost";
    let (remote, media) = if images { ("http: https: ", "http: https:") } else { ("", "'none'") };
    format!(
        "default-src 'none'; script-src 'none'; img-src {remote}{stored}; media-src {media}; style-src 'self'; \
         style-src-attr 'unsafe-inline'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// Responds to a request of the window with this label: its page, the user's style sheet, or a style sheet or font of ours.
pub fn respond(tauri: &AppHandle, label: &str, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
    let page = |read: fn(&Page) -> (String, String)| {
        tauri
            .state::<Pages>()
            .with(|pages| pages.get(label).map(read))
            .map(|(text, policy)| (text.into_bytes(), policy))
    };
    let (found, mime_type) = match request.uri().path() {
        "/" => (page(|page| (page.html.clone(), policy(page.images))), "text/html; charset=utf-8".to_owned()),
        "/user.css" => (page(|page| (page.css.clone(), String::new())), "text/css; charset=utf-8".to_owned()),
        path if path.starts_with("/assets/") && (path.ends_with(".css") || path.ends_with(".woff2")) => {
            let asset = tauri.asset_resolver().get(path.to_owned());
            let mime_type = asset.as_ref().map(|asset| asset.mime_type.clone()).unwrap_or_default();
            (asset.map(|asset| (asset.bytes, String::new())), mime_type)
        }
        _ => (None, String::new()),
    };
    let (status, (bytes, policy)) = match found {
        Some(found) => (StatusCode::OK, found),
        None => (StatusCode::NOT_FOUND, (Vec::new(), String::new())),
    };
    let mut response = Response::builder()
        .status(status)
        .header("Content-Type", mime_type)
        .header("X-Content-Type-Options", "nosniff")
        .header("Cache-Control", "no-store");
    if !policy.is_empty() {
        response = response.header("Content-Security-Policy", policy);
    }
    response.body(bytes).unwrap_or_default()
}

/// Opens the window of an article, raises it if it is open, or prints the article.
///
/// # Errors
/// The window cannot be made.
pub fn open(tauri: &AppHandle, article: ArticleWindow) -> tauri::Result<()> {
    let ArticleWindow { id, title, html, css, images, print, find, position } = article;
    let label = if print { format!("print-{id}") } else { format!("article-{id}") };
    let _creating = CREATING.lock();
    if let Some(window) = tauri.get_webview_window(&label) {
        return if print {
            Ok(())
        } else {
            window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus())
        };
    }
    tauri.state::<Pages>().with(|pages| pages.insert(label.clone(), Page { html, css, images, zoom: 1.0 }));
    let made = build(tauri, &label, &title, position, print);
    if made.is_err() {
        tauri.state::<Pages>().with(|pages| pages.remove(&label));
    }
    let (tauri, window) = (tauri.clone(), made?);
    window.on_window_event(move |event| match event {
        WindowEvent::Resized(_) if !print => geometry::keep(&tauri, &label, false),
        WindowEvent::Focused(false) => focus::keep(&tauri, &label),
        WindowEvent::Destroyed => {
            tauri.state::<Pages>().with(|pages| pages.remove(&label));
            if !print {
                tauri.state::<App>().events().send(&Event::ArticleWindowClosed(ArticleId { id }));
            }
        }
        _ => {}
    });
    #[cfg(target_os = "linux")]
    let own = window.clone();
    #[cfg(target_os = "linux")]
    window.with_webview(move |webview| {
        let lost = own.clone();
        page_process::on_end(&webview.inner(), move |page, times| match times {
            1 => webkit2gtk::WebViewExt::reload(page),
            _ => report(lost.destroy()),
        });
        window::refuse_cookies(&webview.inner());
        keep_copying(&webview.inner());
        if let Some(words) = &find {
            find_bar::add(&webview.inner(), words, move |key| match key {
                'w' => {
                    report(own.destroy());
                    true
                }
                'p' => {
                    self::print(&own, false);
                    true
                }
                _ => false,
            });
        }
    })?;
    #[cfg(not(target_os = "linux"))]
    drop(find);
    Ok(())
}

fn build(tauri: &AppHandle, label: &str, title: &str, position: f64, hidden: bool) -> tauri::Result<WebviewWindow> {
    let url = Url::parse(&format!("{SCHEME}://localhost/")).map_err(tauri::Error::InvalidUrl)?;
    let (for_keys, for_links, name) = (tauri.clone(), tauri.clone(), label.to_owned());
    let click = Click::default();
    let last_click = click.clone();
    let last = geometry::stored(tauri).fitted(&geometry::screens(tauri), MIN_SIZE).article;
    let (width, height) = last.filter(|_| !hidden).unwrap_or(SIZE);
    let window = window::builder(tauri, label, WebviewUrl::CustomProtocol(url))
        .title(title)
        .inner_size(width, height)
        .min_inner_size(MIN_SIZE.0, MIN_SIZE.1)
        // Only Linux can print a page without showing it.
        .visible(!hidden || !cfg!(target_os = "linux"))
        // On other systems the browser finds text itself.
        .initialization_script(KEYS.replace("SHELL_FINDS", if cfg!(target_os = "linux") { "true" } else { "false" }))
        .initialization_script(SCROLL.replace("POSITION", &position.to_string()))
        .on_navigation(move |url| {
            let wanted = decide(url);
            if let Some(window) = for_keys.get_webview_window(&name).filter(|_| wanted != Navigation::Allow) {
                match wanted {
                    Navigation::Leave => leave(&window),
                    Navigation::Close => report(window.destroy()),
                    Navigation::Print => print(&window, false),
                    #[cfg(target_os = "linux")]
                    Navigation::Find => report(window.with_webview(|webview| find_bar::open(&webview.inner()))),
                    #[cfg(not(target_os = "linux"))]
                    Navigation::Find => {}
                    Navigation::Zoom(factor) => zoom(&window, factor),
                    Navigation::Allow | Navigation::Refuse => {}
                }
            }
            wanted == Navigation::Allow
        })
        .on_new_window(move |url, _| {
            // The main window asks.
            if gleaner_app::follow_link(&for_links.state::<App>(), &url, last_click.opens_behind()) {
                window::raise(&for_links);
            }
            NewWindowResponse::Deny
        })
        .on_page_load(move |window, load| {
            if hidden && load.event() == PageLoadEvent::Finished {
                print(&window, cfg!(target_os = "linux"));
            }
        })
        .build()?;
    #[cfg(target_os = "linux")]
    report(window.with_webview(move |webview| click.notice(&webview.inner())));
    Ok(window)
}

/// Closes the find bar, or else the window.
#[cfg(target_os = "linux")]
fn leave(window: &WebviewWindow) {
    let own = window.clone();
    report(window.with_webview(move |webview| {
        if !find_bar::close(&webview.inner()) {
            report(own.destroy());
        }
    }));
}

#[cfg(not(target_os = "linux"))]
fn leave(window: &WebviewWindow) {
    report(window.destroy());
}

/// Zooms a page by a factor, or to its usual size.
fn zoom(window: &WebviewWindow, factor: Option<f64>) {
    let new = window.state::<Pages>().with(|pages| {
        let page = pages.get_mut(window.label())?;
        page.zoom = factor.map_or(1.0, |factor| (page.zoom * factor).clamp(MIN_ZOOM, MAX_ZOOM));
        Some(page.zoom)
    });
    if let Some(new) = new {
        report(window.set_zoom(new));
    }
}

fn report(done: tauri::Result<()>) {
    if let Err(error) = done {
        tracing::warn!(%error, "a window of an article failed");
    }
}

/// Returns the system's default paper, with margins that leave space for a hole punch. WebKit ignores the margins of style sheets.
#[cfg(target_os = "linux")]
fn page_setup() -> gtk::PageSetup {
    /// In millimetres.
    const MARGIN: f64 = 18.0;
    let setup = gtk::PageSetup::new();
    setup.set_top_margin(MARGIN, gtk::Unit::Mm);
    setup.set_bottom_margin(MARGIN, gtk::Unit::Mm);
    setup.set_left_margin(MARGIN, gtk::Unit::Mm);
    setup.set_right_margin(MARGIN, gtk::Unit::Mm);
    setup
}

/// Prints the page of a window by the system's dialog, and closes the window afterwards if `closes`.
#[cfg(target_os = "linux")]
fn print(window: &WebviewWindow, closes: bool) {
    use webkit2gtk::{PrintOperation, PrintOperationExt as _, PrintOperationResponse};
    let parent = if closes { window.get_webview_window(window::NAME) } else { Some(window.clone()) };
    let own = window.clone();
    let close = move || {
        if closes {
            report(own.destroy());
        }
    };
    let printing = move |webview: tauri::webview::PlatformWebview| {
        let operation = PrintOperation::new(&webview.inner());
        operation.set_page_setup(&page_setup());
        let (finished, cancelled) = (close.clone(), close);
        operation.connect_finished(move |_| finished());
        operation.connect_failed(|_, error| tracing::warn!(%error, "the article was not printed"));
        let parent = parent.and_then(|parent| parent.gtk_window().ok());
        if operation.run_dialog(parent.as_ref()) == PrintOperationResponse::Cancel {
            cancelled();
        }
    };
    report(window.with_webview(printing));
}

/// Prints the page of a window by the system's dialog.
#[cfg(not(target_os = "linux"))]
fn print(window: &WebviewWindow, _closes: bool) {
    report(window.print());
}

/// WebKit's own menu could reload or leave the page: only the entries that copy stay.
#[cfg(target_os = "linux")]
fn keep_copying(page: &webkit2gtk::WebView) {
    use webkit2gtk::{ContextMenuAction as Action, WebViewExt as _};
    let kept = [Action::Copy, Action::SelectAll, Action::CopyLinkToClipboard, Action::CopyImageToClipboard];
    page.connect_context_menu(move |_, menu, _, _| page_menu::keep_actions(menu, &kept));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_page_of_an_article_opens_no_other_page() {
        for (address, expected) in [
            ("gleaner-article://localhost/", Navigation::Allow),
            ("gleaner-article://localhost/#part", Navigation::Allow),
            ("http://gleaner-article.localhost/", Navigation::Allow),
            ("gleaner-article://localhost/leave", Navigation::Leave),
            ("gleaner-article://localhost/close", Navigation::Close),
            ("http://gleaner-article.localhost/print", Navigation::Print),
            ("gleaner-article://localhost/find", Navigation::Find),
            ("gleaner-article://localhost/larger", Navigation::Zoom(Some(1.1))),
            ("gleaner-article://localhost/unzoomed", Navigation::Zoom(None)),
            ("gleaner-article://localhost/user.css", Navigation::Refuse),
            ("gleaner-article://example.com/", Navigation::Refuse),
            ("tauri://localhost/", Navigation::Refuse),
            ("https://example.com/close", Navigation::Refuse),
            ("about:blank", Navigation::Refuse),
            ("file:///", Navigation::Refuse),
            ("javascript:alert(1)", Navigation::Refuse),
        ] {
            assert_eq!(decide(&Url::parse(address).unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn the_policy_allows_no_script_and_remote_images_only_if_they_are_allowed() {
        for images in [true, false] {
            let policy = policy(images);
            assert!(policy.contains("default-src 'none'; script-src 'none'"), "{policy}");
            assert_eq!(policy.contains("https:"), images, "{policy}");
            assert!(!policy.contains("unsafe-eval") && !policy.contains("style-src 'self' 'unsafe"), "{policy}");
        }
    }
}
