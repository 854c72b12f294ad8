//! The shell: the only code that knows Tauri. It opens the library, makes the window, and hands each command of the
//! contract to the core.

mod ahead;
mod backups;
mod collections;
mod commands;
mod convert;
mod events;
mod export;
mod icons;
mod images;
mod index;
mod keeping;
mod links;
mod notifications;
mod opml;
mod reach;
mod refresh;
mod rules;
mod shell;
mod welcome;
mod window;

use tauri::{AppHandle, Manager as _, RunEvent};

/// Opens the window, and returns when it is closed.
pub fn run() {
    let files: Vec<_> = std::env::args_os().skip(1).map(std::path::PathBuf::from).collect();
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(shell::Shell::new(files))
        .register_asynchronous_uri_scheme_protocol(images::SCHEME, |context, request, responder| {
            let app = context.app_handle().clone();
            tauri::async_runtime::spawn(async move { responder.respond(images::answer(app, request).await) });
        })
        .invoke_handler(tauri::generate_handler![
            commands::library::overview,
            commands::library::hear,
            commands::library::counts,
            commands::library::leave_welcome,
            commands::library::rename_feed,
            commands::library::arrange,
            commands::library::unsubscribe,
            commands::library::create_folder,
            commands::library::rename_folder,
            commands::library::set_folder_open,
            commands::library::delete_folder,
            commands::library::undo,
            commands::articles::articles,
            commands::search::search,
            commands::articles::open_article,
            commands::articles::compare_versions,
            commands::articles::open_in_browser,
            commands::beside::comments,
            commands::beside::chapters,
            commands::beside::cancel_comments,
            commands::beside::feed_head,
            commands::beside::search_site,
            commands::articles::open_in_background,
            commands::articles::article_markdown,
            commands::articles::doubt_links,
            commands::articles::open_doubted,
            commands::articles::mark,
            commands::articles::mark_all_read,
            commands::lists::views,
            commands::lists::save_view,
            commands::lists::article_addresses,
            commands::collections::collections,
            commands::collections::save_search,
            commands::collections::change_saved_search,
            commands::collections::move_saved_search,
            commands::collections::delete_saved_search,
            commands::collections::tag,
            commands::collections::rename_tag,
            commands::collections::delete_tag,
            commands::notes::notes,
            commands::notes::add_note,
            commands::notes::change_note,
            commands::notes::delete_note,
            commands::notes::notes_markdown,
            commands::notes::noted_in_feed,
            commands::collections::keep_progress,
            commands::collections::keep_playback,
            commands::collections::categories,
            commands::collections::set_category_synonym,
            commands::subscribe::discover,
            commands::subscribe::cancel_discover,
            commands::subscribe::pick_feed_file,
            commands::subscribe::subscribe,
            commands::subscribe::starter_feeds,
            commands::subscribe::subscribe_many,
            commands::refresh::refresh,
            commands::refresh::cancel_refresh,
            commands::record::feed_record,
            commands::inspect::inspection,
            commands::inspect::inspect_feed,
            commands::record::traffic,
            commands::preferences::preferences,
            commands::preferences::set_preferences,
            commands::record::change_feed_address,
            commands::record::merge_feeds,
            commands::access::feed_access,
            commands::access::set_access,
            commands::access::feed_certificate,
            commands::access::accept_certificate,
            commands::ahead::ahead,
            commands::ahead::save_ahead,
            commands::ahead::run_ahead,
            commands::ahead::cancel_ahead,
            commands::ahead::fetch_full_text,
            commands::ahead::cancel_full_text,
            commands::ahead::show_text,
            commands::backfill::backfill,
            commands::backfill::cancel_backfill,
            commands::record::keep_silent_feed,
            commands::record::look_for_feed,
            commands::opml::import_opml,
            commands::opml::cancel_import,
            commands::opml::export_opml,
            commands::export::export_everything,
            commands::export::save_articles,
            commands::export::cancel_export,
            commands::backups::backups,
            commands::backups::back_up,
            commands::backups::restore_backup,
            commands::backups::recover_library,
            commands::backups::show_library_folder,
            commands::rules::rules,
            commands::rules::save_rule,
            commands::rules::enable_rule,
            commands::rules::order_rules,
            commands::rules::delete_rule,
            commands::rules::preview_rule,
            commands::rules::apply_rule,
            commands::rules::cancel_apply,
            commands::rules::rule_touches,
            commands::rules::notify,
            commands::keeping::keeping,
            commands::keeping::preview_keep,
            commands::keeping::set_keep,
            commands::keeping::cancel_keep,
            commands::keeping::bring_back,
            commands::inspect::statistics,
            commands::settings::settings,
            commands::settings::save_settings,
        ])
        .setup(|app| {
            let app = app.handle();
            let opening = app.clone();
            // The library opens while the window is made; the window says what is wrong with it.
            tauri::async_runtime::spawn(async move { opening.state::<shell::Shell>().core().await.map(drop) });
            window::open(app)?;
            Ok(())
        })
        .build(tauri::generate_context!());
    match app {
        Ok(app) => app.run(|app, event| {
            if matches!(event, RunEvent::Exit) {
                tauri::async_runtime::block_on(app.state::<shell::Shell>().close());
            }
        }),
        Err(error) => {
            eprintln!("gleaner: the window could not be opened: {error}");
            std::process::exit(1);
        }
    }
}

/// What goes on beside the window begins once that stands: before, it would only keep it waiting.
fn follow(app: &AppHandle) {
    refresh::poll_by_itself(app.clone());
    backups::keep(app.clone());
    index::follow(app.clone());
    ahead::follow(app.clone());
    icons::follow(app.clone());
    keeping::keep(app.clone());
    collections::follow(app.clone());
}
