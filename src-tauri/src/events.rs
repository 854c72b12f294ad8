//! Events to the window.

use crate::shell::Shell;
use gleaner_contract::LibraryChanged;
use serde::Serialize;
use tauri::{AppHandle, Emitter as _, Manager as _};

/// The one window.
pub const WINDOW: &str = "main";

/// Tells the window. It may be gone by now, and then nobody wants to know.
pub fn emit<P: Serialize + Clone>(app: &AppHandle, event: &str, payload: P) {
    debug_assert!(gleaner_contract::EVENTS.iter().any(|known| known.name == event), "{event} is in the contract");
    if let Err(error) = app.emit_to(WINDOW, event, payload) {
        eprintln!("gleaner: the window did not hear of {event}: {error}");
    }
}

/// The index follows, too.
pub fn library_changed(app: &AppHandle, structure: bool, articles: bool) {
    let shell = app.state::<Shell>();
    if articles {
        shell.index_behind.notify_one();
        shell.ahead_wanted.notify_one();
    }
    if structure {
        shell.icons_wanted.notify_one();
    }
    shell.collections_changed.notify_one();
    emit(app, "library_changed", LibraryChanged { structure, articles });
}
