//! Events to the window.

use crate::shell::{Hearing, Shell};
use gleaner_contract::LibraryChanged;
use serde::Serialize;
use std::sync::{MutexGuard, PoisonError};
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
    let told = hearing(&shell).changed(LibraryChanged { structure, articles });
    if let Some(told) = told {
        emit(app, "library_changed", told);
    }
}

/// The window listens from now on, and hears what changed while it did not; whether it listens for the first time.
pub fn heard(app: &AppHandle) -> bool {
    let (first, unheard) = hearing(&app.state::<Shell>()).begin();
    if let Some(changed) = unheard {
        emit(app, "library_changed", changed);
    }
    first
}

fn hearing(shell: &Shell) -> MutexGuard<'_, Hearing> {
    shell.hearing.lock().unwrap_or_else(PoisonError::into_inner)
}
