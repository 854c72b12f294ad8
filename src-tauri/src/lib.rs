//! The shell: the only code that knows Tauri. It makes the window and hands each command of the contract to the app.

mod article;
mod autostart;
#[cfg(target_os = "linux")]
mod badge;
#[cfg(target_os = "linux")]
mod computer;
mod desktop;
#[cfg(target_os = "linux")]
mod find_bar;
mod focus;
mod geometry;
mod graphics;
mod images;
#[cfg(unix)]
mod instance;
mod notifications;
#[cfg(target_os = "linux")]
mod page_menu;
#[cfg(target_os = "linux")]
mod page_process;
#[cfg(target_os = "linux")]
mod portal;
#[cfg(target_os = "linux")]
mod proxies;
mod restart;
mod start;
mod system;
#[cfg(all(test, target_os = "linux"))]
mod test_bus;
mod tray;
#[cfg_attr(not(feature = "updater"), path = "no_updates.rs")]
mod updates;
mod window;

use gleaner_app::{App, logs::LevelFilter};
use gleaner_contract::Event;
use restart::Program;
use serde_json::Value;
use start::Start;
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    time::Duration,
};
use tauri::{
    AppHandle, Manager as _, RunEvent, Wry, async_runtime,
    ipc::{Invoke, InvokeBody},
};
use tokio::sync::watch;
use tray::Tray;

/// How long a hidden window waits for a tray: at a start in the background, and when the tray is gone.
const TRAY_WITHIN: Duration = Duration::from_secs(20);

/// How long quitting may take after a signal before the process ends anyway.
#[cfg(unix)]
const END_WITHIN: Duration = Duration::from_secs(20);

/// Opens the window, or raises the one that is open on the same library. Returns when the window is closed.
pub fn run() {
    graphics::prepare();
    gleaner_app::memory::limit();
    // The desktop's media controls show this name.
    #[cfg(target_os = "linux")]
    gtk::glib::set_application_name("Gleaner");
    let here = std::env::current_dir().unwrap_or_default();
    match start::parse(std::env::args_os().skip(1), &here) {
        Start::Window { library, files, background } => {
            let program = Program::started(library.as_deref());
            let portable = if library.is_none() { gleaner_library::portable_folder() } else { None };
            let page_data = window::PageData(portable.as_ref().map(|folder| folder.join(PAGE_DATA)));
            let library = library.or_else(gleaner_library::default_folder);
            run_program(program, library, page_data, files, background);
        }
        Start::Help => print(start::HELP),
        Start::Version => print(&format!("gleaner {}\n", env!("CARGO_PKG_VERSION"))),
        Start::Invalid(argument) => {
            print_error(format_args!("unknown option or missing value: {argument}\n\n{}", start::HELP));
            std::process::exit(2);
        }
    }
}

/// The folder of a portable library in which WebKit stores its cache.
const PAGE_DATA: &str = "webview";

/// The first window on a library, if this process has it.
#[cfg(unix)]
type First = Option<instance::First>;
/// Windows has no sockets in the standard library: each start opens a window.
#[cfg(not(unix))]
type First = ();

/// Claims the library. Returns `None` if another process has it and shows its window.
#[cfg(unix)]
fn claim(folder: Option<&Path>, files: &[PathBuf], background: bool) -> Option<First> {
    let Some(folder) = folder else { return Some(None) };
    match instance::claim(folder, files, activation_token().as_deref(), background) {
        Ok(instance::Instance::First(first)) => Some(Some(first)),
        Ok(instance::Instance::Second) => None,
        Err(error) => {
            tracing::warn!(%error, "whether another window is open is unknown");
            Some(None)
        }
    }
}

/// Returns the token of the launcher that started this process. GTK takes it from the environment of a process that opens a window.
#[cfg(unix)]
fn activation_token() -> Option<String> {
    let named = |name| std::env::var(name).ok().filter(|token: &String| !token.is_empty());
    named("XDG_ACTIVATION_TOKEN").or_else(|| named("DESKTOP_STARTUP_ID"))
}

#[cfg(not(unix))]
fn claim(_folder: Option<&Path>, _files: &[PathBuf], _background: bool) -> Option<First> {
    Some(())
}

/// Opens the files of later starts in this window, and raises it.
#[cfg(unix)]
fn receive(first: First, tauri: &AppHandle, app: &App) {
    let Some(first) = first else { return };
    match first.releasable() {
        Ok(claim) => tauri.state::<Program>().keep(claim),
        Err(error) => tracing::warn!(%error, "a start while this one quits will not find the library's window free"),
    }
    let (tauri, app) = (tauri.clone(), app.clone());
    let listening = first.listen(move |instance::Request { files, token }| {
        tauri.state::<window::ActivationToken>().keep(token);
        window::raise(&tauri);
        // The later start may be of a newer program.
        window::announce_update(&tauri);
        gleaner_app::open_files(&app, files);
    });
    if let Err(error) = listening {
        tracing::warn!(%error, "a second start will not be noticed");
    }
}

#[cfg(not(unix))]
fn receive(_first: First, _tauri: &AppHandle, _app: &App) {}

/// Shows a hidden window, minimised, whenever there is no tray to open it from. The tray disappears for a moment if the desktop's panel
/// restarts.
async fn show_without_tray(tauri: AppHandle, mut shown: watch::Receiver<Option<bool>>) {
    loop {
        let wait = tokio::time::timeout(TRAY_WITHIN, shown.wait_for(|shown| *shown == Some(true)));
        if !wait.await.is_ok_and(|shown| shown.is_ok()) {
            window::show_minimised(&tauri);
        }
        // Without a sender, there is never a tray.
        for state in [true, false] {
            if shown.wait_for(|shown| *shown == Some(state)).await.is_err() {
                return;
            }
        }
    }
}

/// Writes to standard output, which may be closed.
fn print(text: &str) {
    if std::io::stdout().write_all(text.as_bytes()).is_err() {
        std::process::exit(1);
    }
}

/// Writes a line to standard error, if that can be written: its disk may be full, or its terminal closed.
fn print_error(line: std::fmt::Arguments<'_>) {
    let _unreportable = writeln!(std::io::stderr(), "gleaner: {line}");
}

/// Runs the program: with its window, or hidden in the tray if `background`.
fn run_program(
    program: Program,
    folder: Option<PathBuf>,
    page_data: window::PageData,
    files: Vec<PathBuf>,
    background: bool,
) {
    if let Some(folder) = &folder {
        if let Err(error) = gleaner_app::logs::start(folder, LevelFilter::WARN) {
            print_error(format_args!("no log is written: {error}"));
        }
        gleaner_app::crashes::record(folder);
    }
    let Some(first) = claim(folder.as_deref(), &files, background) else { return };
    // Tauri would panic, and the next start would offer the report.
    #[cfg(target_os = "linux")]
    if gtk::init().is_err() {
        print_error(format_args!("there is no display for the window; DISPLAY or WAYLAND_DISPLAY names one"));
        std::process::exit(1);
    }
    let builder = tauri::Builder::default();
    #[cfg(feature = "updater")]
    let builder = builder.plugin(updates::plugin());
    let built = builder
        .plugin(tauri_plugin_dialog::init())
        .register_asynchronous_uri_scheme_protocol(gleaner_app::images::SCHEME, |context, request, responder| {
            let app = context.app_handle().state::<App>().inner().clone();
            async_runtime::spawn(async move { responder.respond(images::respond(&app, request).await) });
        })
        .register_uri_scheme_protocol(article::SCHEME, |context, request| {
            article::respond(context.app_handle(), context.webview_label(), request)
        })
        .manage(article::Pages::default())
        .manage(window::Loaded::default())
        .manage(window::ActivationToken::default())
        .manage(page_data)
        .manage(program)
        .invoke_handler(run_command)
        .setup(move |tauri| {
            let handle = tauri.handle();
            let stored = folder.as_deref().map(geometry::Geometry::read).unwrap_or_default();
            if let Some(folder) = &folder {
                handle.manage(geometry::Keeper::new(folder, stored));
            }
            let shown = start_app(handle, folder, files);
            let app = handle.state::<App>();
            window::open(handle, &app, stored, !background)?;
            async_runtime::spawn(show_without_tray(handle.clone(), shown));
            receive(first, handle, &app);
            Ok(())
        })
        .build(tauri::generate_context!());
    match built {
        Ok(tauri) => tauri.run(|tauri, event| handle_run_event(tauri, &event)),
        Err(error) => {
            print_error(format_args!("the window could not be opened: {error}"));
            std::process::exit(1);
        }
    }
}

/// Hands a command of the window to the app.
fn run_command(invoke: Invoke<Wry>) -> bool {
    let app = invoke.message.webview().state::<App>().inner().clone();
    let name = invoke.message.command().to_owned();
    let request = match invoke.message.payload() {
        InvokeBody::Json(payload) => payload.get("args").cloned().unwrap_or(Value::Null),
        InvokeBody::Raw(_) => Value::Null,
    };
    invoke.resolver.respond_async(async move { Ok(gleaner_app::dispatch(&app, &name, request).await?) });
    true
}

/// Starts the app and its desktop services. Returns whether the tray is shown; `None` until that is known.
fn start_app(tauri: &AppHandle, folder: Option<PathBuf>, files: Vec<PathBuf>) -> watch::Receiver<Option<bool>> {
    let (tray, unstarted) = Tray::new();
    let shown = tray.watch();
    let (notifications, notices) = notifications::Notifications::new();
    let desktop = desktop::Desktop::new(tauri.clone(), tray, notifications);
    let runtime = async_runtime::block_on(async { tokio::runtime::Handle::current() });
    let app = App::new(folder, files, runtime, desktop);
    let to_window = tauri.clone();
    app.events().subscribe(move |event| {
        if matches!(event, Event::QuitRequested(())) {
            // The page works on for a moment. The next start opens its own window.
            to_window.state::<Program>().release();
            window::on_main_thread(&to_window, |tauri| {
                geometry::keep(tauri, window::NAME, true);
                window::hide(tauri);
            });
        }
        window::emit(&to_window, event);
    });
    tauri.manage(app.clone());
    tauri.manage(updates::Updates::new(tauri));
    let opening = app.clone();
    // The library opens while the window is made. The window shows why it does not open.
    async_runtime::spawn(async move { opening.core().await.map(drop) });
    unstarted.start(tauri, &app);
    let program = tauri.clone();
    async_runtime::spawn_blocking(move || start_at_login_from_here(&program.state::<Program>()));
    async_runtime::spawn(notifications::run(notices, app.clone(), tauri.clone()));
    #[cfg(unix)]
    async_runtime::spawn(quit_on_signal(app.clone()));
    #[cfg(target_os = "linux")]
    async_runtime::spawn(computer::watch(app));
    shown
}

/// Quits when the system or the user ends the process with `SIGTERM`. If it does not end in time, or at a second signal, it ends at once.
#[cfg(unix)]
async fn quit_on_signal(app: App) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut ended) = signal(SignalKind::terminate()) else { return };
    if ended.recv().await.is_none() {
        return;
    }
    if let Err(error) = gleaner_app::quit(&app) {
        tracing::warn!(%error, "the program cannot quit");
    }
    drop(tokio::time::timeout(END_WITHIN, ended.recv()).await);
    // As a shell names the signal.
    std::process::exit(128 + SignalKind::terminate().as_raw_value());
}

/// Updates the path of the program in the autostart file, if it starts at login.
fn start_at_login_from_here(program: &Program) {
    if let (Some(folder), Some(command)) = (autostart::folder(), program.command())
        && let Err(error) = autostart::follow(&folder, command)
    {
        tracing::warn!(%error, "the program was moved, and does not start at login");
    }
}

/// Closes the library when the program ends, and keeps the program running in the tray after its last window.
fn handle_run_event(tauri: &AppHandle, event: &RunEvent) {
    match event {
        RunEvent::ExitRequested { code: None, api, .. } if tauri.state::<window::Loaded>().is_unloaded() => {
            api.prevent_exit();
        }
        RunEvent::Exit => {
            geometry::keep(tauri, window::NAME, true);
            tauri.state::<Program>().release();
            if let Err(error) = async_runtime::block_on(tauri.state::<App>().quit()) {
                tracing::warn!(%error, "the library did not close cleanly");
            }
            tauri.state::<Program>().start_again();
        }
        _ => {}
    }
}
