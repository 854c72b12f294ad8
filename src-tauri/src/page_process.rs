//! The process of a page. It may end at any time: because of a fault in WebKit, or because the system is short of memory. Without its page,
//! a window is frozen.

use gleaner_app::App;
use std::{
    cell::RefCell,
    time::{Duration, Instant},
};
use tauri::{AppHandle, Manager as _, async_runtime};
use webkit2gtk::{WebProcessTerminationReason, WebView, WebViewExt as _};

/// Ends within this period are likely to have the same cause.
const PERIOD: Duration = Duration::from_secs(60);

/// Loads the page of a window again when its process has ended. If the window is hidden and no other one is open, calls `unload` instead.
pub fn reload_when_ended(page: &WebView, tauri: AppHandle, name: &'static str, unload: fn(&AppHandle)) {
    on_end(page, move |page, times| {
        let windows = tauri.webview_windows();
        let is_hidden = windows.get(name).is_some_and(|window| !window.is_visible().unwrap_or(true));
        if is_hidden && windows.len() == 1 {
            unload(&tauri);
        } else {
            load_again(&tauri, page, name, times);
        }
    });
}

/// Calls `ended` when the process of a page has ended and Gleaner did not end it, with how often that was within the last minute.
pub fn on_end(page: &WebView, ended: impl Fn(&WebView, usize) + 'static) {
    let ends = RefCell::new(Vec::new());
    page.connect_web_process_terminated(move |page, reason| {
        if reason == WebProcessTerminationReason::TerminatedByApi {
            return;
        }
        tracing::error!(?reason, "the process of a page has ended");
        let times = recent(&mut ends.borrow_mut(), Instant::now());
        ended(page, times);
    });
}

/// Maximum number of times that the page is loaded again within a minute.
const MAX_RELOADS: usize = 3;

/// Loads a page again, whose process has ended `times` times within a minute. After the second time, the window starts without an article:
/// the last one may be the cause.
fn load_again(tauri: &AppHandle, page: &WebView, name: &'static str, times: usize) {
    let app = tauri.state::<App>();
    app.events().window_unloaded();
    match times {
        1 => page.reload(),
        2..=MAX_RELOADS => {
            let (app, tauri) = (app.inner().clone(), tauri.clone());
            async_runtime::spawn(async move {
                if let Err(error) = gleaner_app::forget_open_article(&app).await {
                    tracing::warn!(%error, "the last article is opened again");
                }
                if let Some(window) = tauri.get_webview_window(name)
                    && let Err(error) = window.with_webview(|webview| webview.inner().reload())
                {
                    tracing::error!(%error, "the page could not be loaded again");
                }
            });
        }
        _ => {
            tracing::error!("the page ends again and again, so Gleaner quits");
            tauri.exit(1);
        }
    }
}

/// Adds an end, and returns how many there were within the period.
fn recent(ends: &mut Vec<Instant>, now: Instant) -> usize {
    ends.retain(|end| now.duration_since(*end) < PERIOD);
    ends.push(now);
    ends.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_ends_of_the_last_minute() {
        let (mut ends, start) = (Vec::new(), Instant::now());
        let counted = [0, 10, 59, 60, 200].map(|seconds| recent(&mut ends, start + Duration::from_secs(seconds)));
        assert_eq!(counted, [1, 2, 3, 3, 1]);
    }
}
