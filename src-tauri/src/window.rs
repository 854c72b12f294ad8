//! The window. It shows our own page and frames without an address of their own, and nothing else.

use crate::desktop;
use gleaner_app::App;
use gleaner_contract::Event;
#[cfg(target_os = "linux")]
use gleaner_contract::WindowPoint;
use tauri::{
    AppHandle, DragDropEvent, Emitter as _, WebviewUrl, WebviewWindowBuilder, WindowEvent, webview::NewWindowResponse,
};
use url::Url;

/// The label of the window.
pub const NAME: &str = "main";
/// The scheme of links by which an article's page asks the window for something; see `ui/src/lib/article/acts.ts`.
const ACT: &str = "gleaner-act";

/// Whether an address is of the window's own page: `tauri://localhost`, on Windows `http(s)://tauri.localhost`.
fn ours(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        // Article frames: srcdoc, and the empty document before it.
        "about" => matches!(url.path(), "srcdoc" | "blank"),
        _ => false,
    }
}

/// Sends an event to the window, which may be closed already.
pub fn emit(tauri: &AppHandle, event: &Event) {
    if let Err(error) = tauri.emit_to(NAME, event.name(), event) {
        tracing::warn!(%error, event = event.name(), "the window did not receive an event");
    }
}

/// Opens the window.
pub fn open(tauri: &AppHandle, app: &App) -> tauri::Result<()> {
    let for_links = app.clone();
    let window = WebviewWindowBuilder::new(tauri, NAME, WebviewUrl::App("index.html".into()))
        .title("Gleaner")
        .inner_size(1280.0, 820.0)
        .min_inner_size(480.0, 400.0)
        // For the address in a new "Add feed" dialog. Only the window's own scripts run.
        .enable_clipboard_access()
        .on_navigation(ours)
        .on_new_window(move |url, _| {
            // A token in the address tells the window whether the link is really its own.
            match url.scheme() {
                ACT => for_links.events().send(&Event::ArticleAction(url.to_string())),
                _ => gleaner_app::follow_link(&for_links, &url),
            }
            NewWindowResponse::Deny
        })
        .build()?;
    #[cfg(target_os = "linux")]
    {
        let for_menus = app.clone();
        window.with_webview(move |webview| {
            refuse_cookies(&webview.inner());
            replace_menus(&webview.inner(), for_menus);
        })?;
    }
    let (tauri, app) = (tauri.clone(), app.clone());
    let files_over = |app: &App, over| app.events().send(&Event::FilesDraggedOver(over));
    window.on_window_event(move |event| match event {
        WindowEvent::Focused(false) => desktop::keep_focus(&tauri),
        WindowEvent::DragDrop(DragDropEvent::Enter { paths, .. }) if !paths.is_empty() => files_over(&app, true),
        WindowEvent::DragDrop(DragDropEvent::Leave) => files_over(&app, false),
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            files_over(&app, false);
            gleaner_app::import_files(&app, paths.clone());
        }
        _ => {}
    });
    Ok(())
}

/// Images come from any server, and cookies would let a server recognise the user.
#[cfg(target_os = "linux")]
fn refuse_cookies(page: &webkit2gtk::WebView) {
    use webkit2gtk::{CookieAcceptPolicy, CookieManagerExt as _, WebContextExt as _, WebViewExt as _};
    if let Some(cookies) = page.context().and_then(|context| context.cookie_manager()) {
        cookies.set_accept_policy(CookieAcceptPolicy::Never);
    }
}

/// WebKit's own menus could reload or leave the article. A text field keeps the commands for editing; for everything else, the
/// window shows its own menu.
#[cfg(target_os = "linux")]
fn replace_menus(page: &webkit2gtk::WebView, app: App) {
    use webkit2gtk::{ContextMenuExt as _, HitTestResultExt as _, WebViewExt as _};
    page.connect_context_menu(move |_, menu, event, hit| {
        if hit.context_is_editable() {
            keep_editing(menu);
            return menu.n_items() == 0;
        }
        // Without a place, the key for menus was pressed: the window knows what has the focus.
        let (x, y) = event.coords().unwrap_or((-1.0, -1.0));
        app.events().send(&Event::PageMenuRequested(WindowPoint { x, y }));
        true
    });
}

#[cfg(target_os = "linux")]
fn keep_editing(menu: &webkit2gtk::ContextMenu) {
    use webkit2gtk::{ContextMenuAction as Action, ContextMenuExt as _, ContextMenuItemExt as _};
    let kept = [Action::Cut, Action::Copy, Action::Paste, Action::Delete, Action::SelectAll, Action::SpellingGuess];
    for item in menu.items() {
        if item.is_separator() || !kept.contains(&item.stock_action()) {
            menu.remove(&item);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_our_page_and_article_frames_may_be_navigated_to() {
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
