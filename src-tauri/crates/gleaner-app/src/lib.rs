//! The application layer: the use cases of the window, one module per noun. `glean` does not call them yet.
//!
//! A use case is `async fn name(app: &App, request: Request) -> Result<Response>`; [`dispatch()`] calls those that
//! the contract declares as commands by their name.

mod app;
mod articles;
mod background;
mod backups;
mod categories;
mod collections;
mod connection;
mod convert;
mod diagnostics;
mod dispatch;
mod error;
mod events;
mod export;
mod feed_info;
mod history;
mod icons;
pub mod images;
mod import;
mod index;
mod inspect;
pub mod jobs;
mod links;
mod lists;
pub mod logs;
mod metadata;
mod notes;
mod notifications;
mod offline;
mod platform;
mod preferences;
mod refresh;
mod retention;
mod rules;
mod search;
mod settings;
mod sidebar;
mod statistics;
mod subscriptions;
mod tags;
mod undo;
mod welcome;

pub use app::{App, Core};
pub use dispatch::dispatch;
pub use error::{AppError, Result};
pub use events::Events;
pub use import::start as import_files;
pub use links::follow as follow_link;
pub use platform::{FileFilter, Platform};
