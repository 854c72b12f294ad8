//! Keeps the focus in the window while a browser opens behind it.

use parking_lot::Mutex;
use std::time::{Duration, Instant};
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

/// A link of an article that is clicked with the middle button, or with Ctrl, opens in a browser behind the window. The page of an article
/// receives no clicks; WebKit reports them when the link is about to open.
#[cfg(target_os = "linux")]
pub fn notice_clicks(page: &webkit2gtk::WebView, tauri: AppHandle) {
    use gtk::{gdk::ModifierType, glib::prelude::Cast as _};
    use webkit2gtk::{NavigationPolicyDecision, NavigationPolicyDecisionExt as _, PolicyDecisionType, WebViewExt as _};
    page.connect_decide_policy(move |_, decision, kind| {
        let action = decision.downcast_ref::<NavigationPolicyDecision>().and_then(|link| link.navigation_action());
        if kind == PolicyDecisionType::NewWindowAction
            && action.is_some_and(|action| {
                action.mouse_button() == 2 || action.modifiers() & ModifierType::CONTROL_MASK.bits() != 0
            })
        {
            tauri.state::<KeepFocus>().begin();
        }
        false
    });
}
