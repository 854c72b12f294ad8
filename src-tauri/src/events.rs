//! Events to the window.

use crate::shell::Shell;
use gleaner_contract::LibraryChanged;
use serde::Serialize;
use std::sync::PoisonError;
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
    {
        let mut unheard = shell.unheard.lock().unwrap_or_else(PoisonError::into_inner);
        if !*shell.window_hears.borrow() {
            let before = unheard.take().unwrap_or(LibraryChanged { structure: false, articles: false });
            let changed =
                LibraryChanged { structure: structure || before.structure, articles: articles || before.articles };
            *unheard = Some(changed);
            return;
        }
    }
    emit(app, "library_changed", LibraryChanged { structure, articles });
}

/// The window listens from now on, and hears what changed while it did not.
pub fn heard(app: &AppHandle) {
    let shell = app.state::<Shell>();
    let unheard = {
        let mut unheard = shell.unheard.lock().unwrap_or_else(PoisonError::into_inner);
        shell.window_hears.send_replace(true);
        unheard.take()
    };
    if let Some(changed) = unheard {
        emit(app, "library_changed", changed);
    }
}
