//! The tray of free desktops: a StatusNotifierItem on the session bus. Tauri's own tray needs libayatana-appindicator and panics without
//! it, so this one implements the protocol itself. On other systems there is no tray yet, and closing the window quits.

use gleaner_app::{App, TrayState};
use tauri::AppHandle;
use tokio::sync::watch;

/// The tray. It appears with the first state, and as soon as the desktop has a place for it.
pub struct Tray {
    /// What it shows; `None` before that is known.
    state: watch::Sender<Option<TrayState>>,
    /// Whether the desktop shows it; `None` before that is known.
    shown: watch::Receiver<Option<bool>>,
}

impl Tray {
    /// Prepares the tray. [`Unstarted::start`] shows it.
    pub fn new() -> (Self, Unstarted) {
        let (state, states) = watch::channel(None);
        let (shows, shown) = watch::channel(None);
        (Self { state, shown }, Unstarted { states, shows })
    }

    /// Returns whether the desktop shows it.
    pub fn is_shown(&self) -> bool {
        *self.shown.borrow() == Some(true)
    }

    /// Returns a receiver of whether the desktop shows it; `None` before that is known.
    pub fn watch(&self) -> watch::Receiver<Option<bool>> {
        self.shown.clone()
    }

    /// Shows this from now on.
    pub fn update(&self, state: TrayState) {
        self.state.send_replace(Some(state));
    }
}

/// The part of the tray that works in the background.
pub struct Unstarted {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    states: watch::Receiver<Option<TrayState>>,
    shows: watch::Sender<Option<bool>>,
}

impl Unstarted {
    /// Shows the tray until the program ends.
    #[cfg(target_os = "linux")]
    pub fn start(self, tauri: &AppHandle, app: &App) {
        tauri::async_runtime::spawn(crate::badge::run(self.states.clone()));
        tauri::async_runtime::spawn(linux::run(self.states, self.shows, tauri.clone(), app.clone()));
    }

    /// Reports that there is no tray.
    #[cfg(not(target_os = "linux"))]
    pub fn start(self, _tauri: &AppHandle, _app: &App) {
        self.shows.send_replace(Some(false));
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use crate::{portal, window::ActivationToken};
    use gleaner_app::{App, TrayAction, TrayState, act_in_tray};
    use ksni::{
        Category, Icon, MenuItem, OfflineReason, TextDirection, ToolTip, Tray, TrayMethods as _,
        menu::{CheckmarkItem, StandardItem},
    };
    use std::{sync::Arc, time::Duration};
    use tauri::{AppHandle, Manager as _};
    use tokio::sync::watch;

    /// How long the desktop may take to add the icon.
    const WITHIN: Duration = Duration::from_secs(10);
    /// Time between two attempts to add the icon.
    const AGAIN_AFTER: Duration = Duration::from_secs(60);

    /// Returns the icon of the program, for desktops without one of that name.
    fn pixmap(tauri: &AppHandle) -> Option<Icon> {
        let icon = tauri.default_window_icon()?;
        let (width, height) = (i32::try_from(icon.width()).ok()?, i32::try_from(icon.height()).ok()?);
        // The protocol has alpha first.
        let data = icon.rgba().chunks_exact(4).flat_map(|pixel| [pixel[3], pixel[0], pixel[1], pixel[2]]).collect();
        Some(Icon { width, height, data })
    }

    struct Item {
        tauri: AppHandle,
        app: App,
        state: TrayState,
        pixmap: Option<Icon>,
        shows: Arc<watch::Sender<Option<bool>>>,
    }

    /// Shows the tray until the program ends.
    pub async fn run(
        mut states: watch::Receiver<Option<TrayState>>,
        shows: watch::Sender<Option<bool>>,
        tauri: AppHandle,
        app: App,
    ) {
        let pixmap = pixmap(&tauri);
        let shows = Arc::new(shows);
        if states.wait_for(Option::is_some).await.is_err() {
            return;
        }
        let handle = loop {
            let state = states.borrow_and_update().clone().unwrap_or_default();
            let (tauri, app, pixmap) = (tauri.clone(), app.clone(), pixmap.clone());
            let item = Item { tauri, app, state, pixmap, shows: shows.clone() };
            // The desktop may start its tray later than Gleaner.
            // A sandbox may not own a name on the bus; the tray finds the item without it.
            let item = item.assume_sni_available(true).disable_dbus_name(portal::sandboxed());
            match tokio::time::timeout(WITHIN, item.spawn()).await {
                Ok(Ok(handle)) => break handle,
                Ok(Err(error)) => tracing::info!(%error, "this desktop has no tray now"),
                Err(_) => tracing::info!("the tray of this desktop does not respond"),
            }
            // pause: nothing announces when a tray that failed, for example while the desktop starts, can be used.
            tokio::time::sleep(AGAIN_AFTER).await;
        };
        shows.send_if_modified(|shown| shown.is_none() && shown.replace(true).is_none());
        while states.changed().await.is_ok() {
            let state = states.borrow_and_update().clone().unwrap_or_default();
            handle.update(|item| item.state = state).await;
        }
    }

    impl Item {
        fn act(&self, action: TrayAction) {
            self.tauri.state::<ActivationToken>().keep(ksni::current_xdg_activation_token());
            act_in_tray(&self.app, action);
        }

        fn entry(label: &str, action: TrayAction) -> MenuItem<Self> {
            StandardItem {
                // An underline would mark an access key.
                label: label.replace('_', "__"),
                activate: Box::new(move |item: &mut Self| item.act(action)),
                ..StandardItem::default()
            }
            .into()
        }
    }

    impl Tray for Item {
        fn id(&self) -> String {
            "net.gleaner.Gleaner".to_owned()
        }

        fn title(&self) -> String {
            "Gleaner".to_owned()
        }

        fn category(&self) -> Category {
            Category::Communications
        }

        fn icon_name(&self) -> String {
            portal::entry().to_owned()
        }

        fn icon_pixmap(&self) -> Vec<Icon> {
            self.pixmap.iter().cloned().collect()
        }

        fn tool_tip(&self) -> ToolTip {
            ToolTip { title: "Gleaner".to_owned(), description: self.state.unread.clone(), ..ToolTip::default() }
        }

        fn text_direction(&self) -> TextDirection {
            if self.state.right_to_left { TextDirection::RightToLeft } else { TextDirection::LeftToRight }
        }

        fn activate(&mut self, _x: i32, _y: i32) {
            self.act(TrayAction::Show);
        }

        fn menu(&self) -> Vec<MenuItem<Self>> {
            let state = &self.state;
            let facts = [&state.unread, &state.next_refresh].into_iter().filter(|fact| !fact.is_empty());
            let facts = facts
                .map(|fact| StandardItem { label: fact.clone(), enabled: false, ..StandardItem::default() }.into());
            let choices = [
                MenuItem::Separator,
                Self::entry(&state.show, TrayAction::Show),
                Self::entry(&state.refresh, TrayAction::Refresh),
                Self::entry(&state.mark_all_read, TrayAction::MarkAllRead),
                CheckmarkItem {
                    label: state.pause.replace('_', "__"),
                    checked: state.paused,
                    activate: Box::new(|item: &mut Self| item.act(TrayAction::Pause)),
                    ..CheckmarkItem::default()
                }
                .into(),
                MenuItem::Separator,
                Self::entry(&state.quit, TrayAction::Quit),
            ];
            facts.chain(choices).collect()
        }

        fn watcher_online(&self) {
            self.shows.send_replace(Some(true));
        }

        fn watcher_offline(&self, reason: OfflineReason) -> bool {
            tracing::info!(?reason, "the desktop shows no tray now");
            self.shows.send_replace(Some(false));
            true
        }
    }
}
