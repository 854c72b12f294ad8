//! The window. It shows only our own page, and frames without their own address.

use crate::{
    focus,
    geometry::{self, Geometry},
    restart::Program,
};
#[cfg(target_os = "linux")]
use crate::{page_menu, page_process};
use gleaner_app::{App, Close};
use gleaner_contract::{Event, Theme};
use parking_lot::Mutex;
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tauri::{
    AppHandle, DragDropEvent, Emitter as _, LogicalPosition, Manager as _, WebviewUrl, WebviewWindow,
    WebviewWindowBuilder, WindowEvent, async_runtime, webview::NewWindowResponse, window::Color,
};
use url::Url;

/// The label of the window.
pub const NAME: &str = "main";
/// Least size of the content, in logical pixels.
const MIN_WIDTH: f64 = 480.0;
const MIN_HEIGHT: f64 = 400.0;
/// The scheme of links by which an article's page asks the window for something; see `ui/src/lib/article/page-actions.ts`.
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

/// The event of Tauri that carries the core's: a subscription to each of them would delay the start of the window.
const CORE_EVENT: &str = "core";

/// Sends an event to the window, which may be closed already.
pub fn emit(tauri: &AppHandle, event: &Event) {
    if let Err(error) = tauri.emit_to(NAME, CORE_EVENT, (event.name(), event)) {
        tracing::warn!(%error, event = event.name(), "the window did not receive an event");
    }
}

/// Where the data of pages is stored, if not in the system's default folder.
pub struct PageData(pub Option<PathBuf>);

/// Begins to build a window.
pub fn builder<'a>(
    tauri: &'a AppHandle,
    label: &str,
    url: WebviewUrl,
) -> WebviewWindowBuilder<'a, tauri::Wry, AppHandle> {
    let builder = WebviewWindowBuilder::new(tauri, label, url);
    match &tauri.state::<PageData>().0 {
        Some(folder) => builder.data_directory(folder.clone()),
        None => builder,
    }
}

/// Whether the window's page is loaded. A hidden window is unloaded after a while, since the page takes about half of the memory.
#[derive(Debug, Default)]
pub struct Loaded(Mutex<State>);

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Loaded,
    /// It is being closed. `wanted`: it has to be opened again afterwards.
    Closing {
        wanted: bool,
    },
    Unloaded,
}

impl Loaded {
    fn get(&self) -> State {
        *self.0.lock()
    }

    fn set(&self, state: State) {
        *self.0.lock() = state;
    }

    /// Whether the program goes on without the window.
    pub fn is_unloaded(&self) -> bool {
        self.get() != State::Loaded
    }
}

/// The token that allows the window to take the focus the next time it is raised: of XDG Activation on Wayland, of the startup notification
/// on X11. Without a token, some desktops only announce that the window is ready.
#[derive(Debug, Default)]
pub struct ActivationToken(Mutex<Option<String>>);

impl ActivationToken {
    /// Stores the token of the user's last action, if there is one.
    #[cfg(unix)]
    pub fn keep(&self, token: Option<String>) {
        *self.0.lock() = token;
    }
}

/// Runs something on the main thread, so that nothing else shows or closes the window at the same time.
pub fn on_main_thread(tauri: &AppHandle, what: fn(&AppHandle)) {
    let handle = tauri.clone();
    if let Err(error) = tauri.run_on_main_thread(move || what(&handle)) {
        tracing::warn!(%error, "the main thread has ended");
    }
}

/// Unloads the window if it is hidden and no article has a window of its own.
pub fn unload(tauri: &AppHandle) {
    on_main_thread(tauri, |tauri| {
        let windows = tauri.webview_windows();
        let (Some(window), 1) = (windows.get(NAME), windows.len()) else { return };
        if window.is_visible().unwrap_or(true) || tauri.state::<Loaded>().is_unloaded() {
            return;
        }
        tauri.state::<Loaded>().set(State::Closing { wanted: false });
        tauri.state::<App>().events().window_unloaded();
        if let Err(error) = window.destroy() {
            tracing::warn!(%error, "the window could not be unloaded");
            tauri.state::<Loaded>().set(State::Loaded);
        }
    });
}

/// Called when the window was destroyed. Ends the program, unless the window was only unloaded.
fn destroyed(tauri: &AppHandle) {
    let loaded = tauri.state::<Loaded>();
    match loaded.get() {
        State::Closing { wanted } => {
            loaded.set(State::Unloaded);
            if wanted {
                let tauri = tauri.clone();
                // Not within the event of the window that is gone.
                async_runtime::spawn(async move { raise(&tauri) });
            }
        }
        // Its articles in windows of their own close with it.
        State::Loaded | State::Unloaded => tauri.exit(0),
    }
}

/// Brings the window to the front, and loads it if it was unloaded.
pub fn raise(tauri: &AppHandle) {
    on_main_thread(tauri, |tauri| {
        let loaded = tauri.state::<Loaded>();
        match loaded.get() {
            State::Loaded => show(tauri),
            State::Closing { .. } => loaded.set(State::Closing { wanted: true }),
            State::Unloaded => match open(tauri, &tauri.state::<App>(), geometry::stored(tauri), true) {
                Ok(()) => {
                    loaded.set(State::Loaded);
                    show(tauri);
                }
                Err(error) => tracing::error!(%error, "the window could not be opened"),
            },
        }
    });
}

fn show(tauri: &AppHandle) {
    let Some(window) = tauri.get_webview_window(NAME) else { return };
    use_token(tauri, &window);
    let shown = put_back(tauri, &window).and_then(|()| window.unminimize()).and_then(|()| window.show());
    if let Err(error) = shown.and_then(|()| window.set_focus()) {
        tracing::warn!(%error, "the window could not be raised");
    }
}

/// Gives the window the token of the user's last action.
fn use_token(tauri: &AppHandle, window: &WebviewWindow) {
    let token = tauri.state::<ActivationToken>().0.lock().take();
    #[cfg(target_os = "linux")]
    if let (Some(token), Ok(window)) = (&token, window.gtk_window()) {
        gtk::prelude::GtkWindowExt::set_startup_id(&window, token);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (token, window);
}

/// Moves a hidden window back to its place. On X11, window managers choose another place when it is shown again.
fn put_back(tauri: &AppHandle, window: &WebviewWindow) -> tauri::Result<()> {
    let place = geometry::stored(tauri).fitted(&geometry::screens(tauri), (MIN_WIDTH, MIN_HEIGHT));
    match place.position {
        Some((x, y)) if !window.is_visible()? => window.set_position(LogicalPosition::new(x, y)),
        _ => Ok(()),
    }
}

/// Shows the window, minimised, if it is hidden. Loads it if it was unloaded.
pub fn show_minimised(tauri: &AppHandle) {
    on_main_thread(tauri, |tauri| {
        let loaded = tauri.state::<Loaded>();
        let opened = match loaded.get() {
            State::Loaded => Ok(()),
            State::Closing { .. } => return loaded.set(State::Closing { wanted: true }),
            State::Unloaded => open(tauri, &tauri.state::<App>(), geometry::stored(tauri), false),
        };
        let shown = opened.and_then(|()| {
            loaded.set(State::Loaded);
            match tauri.get_webview_window(NAME) {
                Some(window) if !window.is_visible()? => {
                    put_back(tauri, &window).and_then(|()| window.minimize()).and_then(|()| window.show())
                }
                _ => Ok(()),
            }
        });
        if let Err(error) = shown {
            tracing::warn!(%error, "the window could not be shown");
        }
    });
}

/// Hides the window. Its page stays loaded.
pub fn hide(tauri: &AppHandle) {
    if let Some(window) = tauri.get_webview_window(NAME)
        && let Err(error) = window.hide()
    {
        tracing::warn!(%error, "the window could not be hidden");
    }
}

/// Returns the background of the page, `--bg` of `ui/src/styles/tokens.css`, whose test compares them.
fn background(theme: Theme, dark_system: bool) -> Color {
    match (theme, dark_system) {
        (Theme::Light, _) | (Theme::System, false) => Color(253, 253, 251, 255),
        (Theme::Dark, _) | (Theme::System, true) => Color(25, 24, 21, 255),
        (Theme::Sepia, _) => Color(247, 240, 226, 255),
        (Theme::Contrast, false) => Color(255, 255, 255, 255),
        (Theme::Contrast, true) => Color(0, 0, 0, 255),
    }
}

/// Returns a script that gives the page its theme before its first frame. The settings follow.
fn first_theme(theme: Theme) -> String {
    let (light, dark) = match theme {
        Theme::System => ("light", "dark"),
        Theme::Light => ("light", "light"),
        Theme::Dark => ("dark", "dark"),
        Theme::Sepia => ("sepia", "sepia"),
        Theme::Contrast => ("contrast", "contrast-dark"),
    };
    format!(
        "document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? '{dark}' : '{light}'"
    )
}

/// Returns a script that gives the page the languages of the system, in which the tray and notifications are. WebKitGTK would leave out those
/// whose locales were not generated. Other systems have settings for languages, which their pages follow.
fn languages(tags: &[String]) -> String {
    match tags {
        _ if cfg!(any(windows, target_os = "macos")) => String::new(),
        [] => String::new(),
        tags => format!("Object.defineProperty(navigator, 'languages', {{ value: {tags:?} }})"),
    }
}

/// The commands whose answers the page needs first; see `ui/src/lib/state/start.ts`.
const FIRST: [&str; 5] = ["settings", "views", "collections", "window_state", "overview"];

/// Returns a script that calls the first commands before the page has loaded its own script, which takes about as long as their responses.
/// The page reuses them by their names; see `ui/src/lib/ipc/index.ts`.
fn first_calls() -> String {
    format!(
        "window.__GLEANER_EARLY__ = Object.fromEntries({FIRST:?}.map((name) => [name, window.__TAURI_INTERNALS__.invoke(name)]));
         for (const answer of Object.values(window.__GLEANER_EARLY__)) answer.catch(() => {{}})"
    )
}

/// Paints the window behind its page in the colour of a theme, so that it is not white before the page is drawn.
pub fn paint(tauri: &AppHandle, theme: Theme) {
    let Some(window) = tauri.get_webview_window(NAME) else { return };
    let painted = window.clone();
    let painting = window.run_on_main_thread(move || {
        if let Err(error) = painted.set_background_color(Some(background(theme, is_dark(&painted)))) {
            tracing::warn!(%error, "the window has no background");
        }
    });
    if let Err(error) = painting {
        tracing::warn!(%error, "the main thread has ended");
    }
}

/// Returns whether the system is dark, as WebKit decides it for pages. Tauri would ask the desktop's portal alone, which may not respond.
#[cfg(target_os = "linux")]
fn is_dark(_window: &tauri::WebviewWindow) -> bool {
    use gtk::prelude::GtkSettingsExt as _;

    gtk::Settings::default().is_some_and(|settings| {
        let name = settings.gtk_theme_name().unwrap_or_default().to_lowercase();
        settings.is_gtk_application_prefer_dark_theme() || name.ends_with("-dark") || name == "highcontrastinverse"
    })
}

#[cfg(not(target_os = "linux"))]
fn is_dark(window: &tauri::WebviewWindow) -> bool {
    window.theme().is_ok_and(|system| system == tauri::Theme::Dark)
}

/// Opens the window where the last one was.
pub fn open(tauri: &AppHandle, app: &App, stored: Geometry, visible: bool) -> tauri::Result<()> {
    let (for_links, click) = (app.clone(), focus::Click::default());
    let last_click = click.clone();
    let place = stored.fitted(&geometry::screens(tauri), (MIN_WIDTH, MIN_HEIGHT));
    let mut window = builder(tauri, NAME, WebviewUrl::App("index.html".into()))
        .title("Gleaner")
        .inner_size(place.width, place.height)
        .maximized(place.maximised)
        // Shown when it has its background.
        .visible(false)
        .initialization_script(first_theme(place.theme))
        .initialization_script(languages(&gleaner_app::system_languages()))
        .initialization_script(first_calls())
        .min_inner_size(MIN_WIDTH, MIN_HEIGHT)
        // For the address in a new "Add feed" dialog. Only the window's own scripts run.
        .enable_clipboard_access()
        .on_navigation(ours)
        .on_new_window(move |url, _| {
            // A token in the address tells the window whether the link is really its own.
            match url.scheme() {
                ACT => for_links.events().send(&Event::ArticleAction(url.to_string())),
                _ => drop(gleaner_app::follow_link(&for_links, &url, last_click.opens_behind())),
            }
            NewWindowResponse::Deny
        });
    if let Some((x, y)) = place.position {
        window = window.position(x, y);
    }
    let window = window.build()?;
    paint(tauri, place.theme);
    if visible {
        window.show()?;
    }
    // Whether a link, an image or a text of the window itself is being dragged.
    let dragging = Arc::new(AtomicBool::new(false));
    #[cfg(target_os = "linux")]
    {
        let (for_menus, for_drags) = (app.clone(), dragging.clone());
        let for_reloads = tauri.clone();
        window.with_webview(move |webview| {
            page_process::reload_when_ended(&webview.inner(), for_reloads, NAME, unload);
            refuse_cookies(&webview.inner());
            keep_one_page(&webview.inner());
            page_menu::replace(&webview.inner(), for_menus);
            notice_drags(&webview.inner(), for_drags);
            click.notice(&webview.inner());
        })?;
    }
    let (tauri, app) = (tauri.clone(), app.clone());
    window.on_window_event(move |event| {
        let own_drag = matches!(event, WindowEvent::DragDrop(_)) && dragging.load(Ordering::Relaxed);
        if !own_drag {
            on_event(&tauri, &app, event);
        }
    });
    Ok(())
}

fn on_event(tauri: &AppHandle, app: &App, event: &WindowEvent) {
    let files_over = |over| app.events().send(&Event::FilesDraggedOver(over));
    match event {
        WindowEvent::Destroyed => destroyed(tauri),
        WindowEvent::Focused(true) => announce_update(tauri),
        WindowEvent::Focused(false) => {
            geometry::keep(tauri, NAME, true);
            focus::keep(tauri, NAME);
        }
        WindowEvent::Resized(_) | WindowEvent::Moved(_) => geometry::keep(tauri, NAME, false),
        WindowEvent::CloseRequested { api, .. } => {
            geometry::keep(tauri, NAME, true);
            match gleaner_app::close_requested(app) {
                Close::Quit => {}
                Close::Ask | Close::Store => api.prevent_close(),
                Close::Hide => {
                    api.prevent_close();
                    hide(tauri);
                }
            }
        }
        WindowEvent::DragDrop(DragDropEvent::Enter { paths, .. }) if !paths.is_empty() => files_over(true),
        WindowEvent::DragDrop(DragDropEvent::Leave) => files_over(false),
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            files_over(false);
            gleaner_app::import_files(app, paths.clone());
        }
        _ => {}
    }
}

/// Tells the window if an update has replaced the program while it runs.
pub fn announce_update(tauri: &AppHandle) {
    let tauri = tauri.clone();
    async_runtime::spawn_blocking(move || {
        if tauri.state::<Program>().is_replaced() {
            tauri.state::<App>().events().send(&Event::ProgramUpdated(()));
        }
    });
}

/// Refuses all cookies. Images come from any server, and cookies would let a server recognise the user.
#[cfg(target_os = "linux")]
pub fn refuse_cookies(page: &webkit2gtk::WebView) {
    use webkit2gtk::{CookieAcceptPolicy, CookieManagerExt as _, WebContextExt as _, WebViewExt as _};
    if let Some(cookies) = page.context().and_then(|context| context.cookie_manager()) {
        cookies.set_accept_policy(CookieAcceptPolicy::Never);
    }
}

/// The window has one page and never goes back to another, so WebKit keeps neither earlier pages nor their processes. Images are cached.
#[cfg(target_os = "linux")]
fn keep_one_page(page: &webkit2gtk::WebView) {
    use webkit2gtk::{CacheModel, WebContextExt as _, WebViewExt as _};
    if let Some(context) = page.context() {
        context.set_cache_model(CacheModel::DocumentBrowser);
    }
}

/// Notices drags that begin in the window: the links and images of an article are not for the window itself.
#[cfg(target_os = "linux")]
fn notice_drags(page: &webkit2gtk::WebView, dragging: Arc<AtomicBool>) {
    use gtk::prelude::WidgetExt as _;
    let ended = dragging.clone();
    page.connect_drag_begin(move |_, _| dragging.store(true, Ordering::Relaxed));
    page.connect_drag_end(move |_, _| ended.store(false, Ordering::Relaxed));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_first_calls_are_commands() {
        for name in FIRST {
            assert!(gleaner_contract::COMMANDS.iter().any(|command| command.name == name), "{name}");
        }
    }

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
