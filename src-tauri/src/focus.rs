//! Keeps the focus in the window while a browser opens behind it.

use parking_lot::Mutex;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tauri::{AppHandle, Manager as _};

/// How long a browser that should stay behind the window may take to come to the front.
const BEHIND_WITHIN: Duration = Duration::from_secs(3);

/// Until when the window takes the focus back from a browser that was opened behind it.
#[derive(Default)]
pub struct KeepFocus(Mutex<Option<Instant>>);

impl KeepFocus {
    pub fn begin(&self) {
        *self.0.lock() = Some(Instant::now() + BEHIND_WITHIN);
    }

    /// Returns once whether the window should take the focus back now.
    fn take(&self) -> bool {
        let until = self.0.lock().take();
        until.is_some_and(|until| Instant::now() < until)
    }
}

/// Takes the focus back if the window has lost it to a browser that should stay behind it.
pub fn keep(tauri: &AppHandle, window: &str) {
    if tauri.state::<KeepFocus>().take()
        && let Some(window) = tauri.get_webview_window(window)
        && let Err(error) = window.set_focus()
    {
        tracing::warn!(%error, "the window could not keep the focus");
    }
}

/// Whether the last link was clicked with the middle button, or with Ctrl: then it opens in a browser behind the window (Linux).
#[derive(Clone, Default)]
pub struct Click(Arc<AtomicBool>);

impl Click {
    pub fn opens_behind(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Notices the clicks on links of a page. The pages of articles receive none; WebKit reports them when a link is about to open.
    #[cfg(target_os = "linux")]
    pub fn notice(self, page: &webkit2gtk::WebView) {
        use gtk::{gdk::ModifierType, glib::prelude::Cast as _};
        use webkit2gtk::{
            NavigationPolicyDecision, NavigationPolicyDecisionExt as _, PolicyDecisionType, WebViewExt as _,
        };
        page.connect_decide_policy(move |_, decision, kind| {
            if kind == PolicyDecisionType::NewWindowAction
                && let Some(link) = decision.downcast_ref::<NavigationPolicyDecision>()
                && let Some(action) = link.navigation_action()
            {
                let is_behind =
                    action.mouse_button() == 2 || action.modifiers() & ModifierType::CONTROL_MASK.bits() != 0;
                self.0.store(is_behind, Ordering::Relaxed);
            }
            false
        });
    }
}
