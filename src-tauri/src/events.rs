//! Events to the window.

use gleaner_contract::LibraryChanged;
use serde::Serialize;
use tauri::{AppHandle, Emitter as _};

/// The one window.
pub const WINDOW: &str = "main";

/// Tells the window. It may be gone by now, and then nobody wants to know.
pub fn emit<P: Serialize + Clone>(app: &AppHandle, event: &str, payload: P) {
    debug_assert!(gleaner_contract::EVENTS.iter().any(|known| known.name == event), "{event} is in the contract");
    if let Err(error) = app.emit_to(WINDOW, event, payload) {
        eprintln!("gleaner: the window did not hear of {event}: {error}");
    }
}

pub fn library_changed(app: &AppHandle, structure: bool, articles: bool) {
    emit(app, "library_changed", LibraryChanged { structure, articles });
}
