//! The shell: the only code that knows Tauri. It makes the window and hands each command of the contract to the app.

mod desktop;
mod images;
mod window;

use gleaner_app::{App, logs::LevelFilter};
use serde_json::Value;
use tauri::{Manager as _, RunEvent, async_runtime, ipc::InvokeBody};

/// Opens the window. Returns when it is closed.
pub fn run() {
    let folder = gleaner_library::default_folder();
    if let Some(folder) = &folder
        && let Err(error) = gleaner_app::logs::start(folder, LevelFilter::WARN)
    {
        eprintln!("gleaner: no log is written: {error}");
    }
    let files: Vec<_> = std::env::args_os().skip(1).map(std::path::PathBuf::from).collect();
    let built = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .register_asynchronous_uri_scheme_protocol(gleaner_app::images::SCHEME, |context, request, responder| {
            let app = context.app_handle().state::<App>().inner().clone();
            async_runtime::spawn(async move { responder.respond(images::respond(&app, request).await) });
        })
        .invoke_handler(|invoke| {
            let app = invoke.message.webview().state::<App>().inner().clone();
            let name = invoke.message.command().to_owned();
            let request = match invoke.message.payload() {
                InvokeBody::Json(payload) => payload.get("args").cloned().unwrap_or(Value::Null),
                InvokeBody::Raw(_) => Value::Null,
            };
            invoke.resolver.respond_async(async move { Ok(gleaner_app::dispatch(&app, &name, request).await?) });
            true
        })
        .setup(move |tauri| {
            let handle = tauri.handle();
            let desktop = desktop::Desktop::new(handle.clone());
            let runtime = async_runtime::block_on(async { tokio::runtime::Handle::current() });
            let app = App::new(folder, files, runtime, desktop);
            let to_window = handle.clone();
            app.events().subscribe(move |event| window::emit(&to_window, event));
            handle.manage(app.clone());
            let opening = app.clone();
            // The library opens while the window is made. The window shows why it does not open.
            async_runtime::spawn(async move { opening.core().await.map(drop) });
            window::open(handle, &app)?;
            Ok(())
        })
        .build(tauri::generate_context!());
    match built {
        Ok(tauri) => tauri.run(|tauri, event| {
            if matches!(event, RunEvent::Exit)
                && let Err(error) = async_runtime::block_on(tauri.state::<App>().quit())
            {
                tracing::warn!(%error, "the library did not close cleanly");
            }
        }),
        Err(error) => {
            eprintln!("gleaner: the window could not be opened: {error}");
            std::process::exit(1);
        }
    }
}
