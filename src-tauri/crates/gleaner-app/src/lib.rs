//! The application layer: the use cases, one module per noun.
//!
//! A use case is `async fn name(app: &App, request: Request) -> Result<Response>`. [`dispatch()`] calls those that the contract declares as
//! commands, by their name. The use cases that `glean` also calls are exported here: they work with the types of the core and report
//! progress to a callback instead of sending events. The window's commands call them.

mod accounts;
mod app;
mod article_rows;
mod articles;
mod backfill;
mod background;
mod backups;
mod catalogue;
mod categories;
mod collections;
mod connection;
pub mod crashes;
mod days;
mod desktop;
mod diagnostics;
mod discovery;
mod dispatch;
mod economy;
mod episodes;
mod error;
mod events;
mod export;
mod feed_files;
mod feed_info;
mod feeds;
mod full_text;
mod icons;
pub mod images;
mod import;
mod import_files;
mod import_preview;
mod import_sources;
mod index;
mod inspect;
pub mod jobs;
mod links;
mod list_query;
mod lists;
pub mod logs;
mod media_server;
pub mod memory;
mod metadata;
mod notes;
mod notifications;
mod numbers;
mod offline;
mod plain;
mod platform;
mod play_queue;
mod preferences;
mod refresh;
mod retention;
mod rules;
mod search;
mod server_accounts;
mod session;
mod settings;
mod sharing;
mod sidebar;
mod starter;
mod statistics;
mod subscriptions;
mod sync;
mod tags;
mod tray;
mod undo;
mod welcome;

pub use accounts::{
    ServerAccount, add_account, changes_subscriptions, list_server_only_feeds, move_to_account, remove_account,
    rename_account, restore_account, restore_server_only, set_account_login, set_account_options, subscribe_in_account,
};
pub use app::{App, Core};
pub use articles::{VersionChange, version_changes};
pub use backfill::download_older;
pub use backups::{back_up, check, recover, restore};
pub use catalogue::system_languages;
pub use collections::{delete_saved_search, save_search};
pub use connection::{move_passwords, reset_connection, save_connection};
pub use desktop::{Close, close_requested, quit, resumed, set_economy};
pub use discovery::{find_subscribed, restore_unsubscribed, with_login};
pub use dispatch::dispatch;
pub use economy::Economy;
pub use episodes::{copy_episode, download_queued as download_queued_episodes};
pub use error::{AppError, Result};
pub use events::Events;
pub use export::{everything as export_everything, save_document, subscriptions as export_subscriptions};
pub use feed_info::change_feed_address;
pub use gleaner_fetch::DesktopProxies;
pub use import::{open_files, start as import_files};
pub use import_files::{ImportedData, ImportedFile, import_all};
pub use import_sources::{ImportSource, find_importable};
pub use index::update_index;
pub use links::follow as follow_link;
pub use lists::mark;
pub use notifications::act as act_on_notice;
pub use offline::{download, save_settings as save_download_settings};
pub use plain::is_bidi_control;
pub use platform::{FileFilter, Notice, NoticeAction, Platform, TrayAction, TrayState, UpdateError};
pub use preferences::set as set_preferences;
pub use refresh::{finish as finish_refresh, poll};
pub use retention::{clean_up, restore_expired, set as set_retention};
pub use rules::{apply as apply_rule, delete_rule, enable_rule, preview as preview_rule, save as save_rule};
pub use search::{FoundArticles, find_articles};
pub use settings::forget_open_article;
pub use sharing::{
    NewService, add_service, list_services, remove_service, save_in_service, send_again, set_service_login,
};
pub use sidebar::{arrange, create_folder, rename_feed, unsubscribe};
pub use subscriptions::{AddedFeed, NewFeed, add_feed};
pub use sync::{account_log, list_accounts, sync_account};
pub use tags::tag_articles;
pub use tray::act as act_in_tray;
