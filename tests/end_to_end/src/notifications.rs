//! A notification service for tests, on the session bus of the test.

use crate::settled;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use zbus::{Connection, connection, interface, zvariant::OwnedValue};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

/// A notification that is on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// Its id.
    pub id: u32,
    /// The title.
    pub summary: String,
    /// The text, which may contain markup.
    pub body: String,
    /// Keys and labels of its actions, in turn.
    pub actions: Vec<String>,
}

/// What the service shows.
#[derive(Default)]
struct Shown {
    notifications: Vec<Notification>,
    /// Number of calls received.
    calls: u32,
    last_id: u32,
}

struct Service {
    shown: Arc<Mutex<Shown>>,
    hangs: bool,
}

#[interface(name = "org.freedesktop.Notifications")]
impl Service {
    async fn get_capabilities(&self) -> Vec<String> {
        ["actions", "body", "body-markup"].map(str::to_owned).to_vec()
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of the specification")]
    async fn notify(
        &self,
        _program: String,
        replaces: u32,
        _icon: String,
        summary: String,
        body: String,
        actions: Vec<String>,
        _hints: HashMap<String, OwnedValue>,
        _timeout: i32,
    ) -> u32 {
        let id = {
            let mut shown = self.shown.lock().unwrap();
            shown.calls += 1;
            if replaces == 0 {
                shown.last_id += 1;
            }
            let id = if replaces == 0 { shown.last_id } else { replaces };
            shown.notifications.retain(|notification| notification.id != id);
            shown.notifications.push(Notification { id, summary, body, actions });
            id
        };
        if self.hangs {
            std::future::pending::<()>().await;
        }
        id
    }
}

/// A notification service. It disappears when it is dropped.
pub struct Notifications {
    bus: Connection,
    shown: Arc<Mutex<Shown>>,
}

impl Notifications {
    /// Starts a service that shows everything.
    pub async fn start() -> Self {
        Self::serve(false).await
    }

    /// Starts a service that never responds.
    pub async fn start_hanging() -> Self {
        Self::serve(true).await
    }

    async fn serve(hangs: bool) -> Self {
        let shown = Arc::<Mutex<Shown>>::default();
        let builder = connection::Builder::session().unwrap().name(NAME).unwrap();
        let bus = builder.serve_at(PATH, Service { shown: shown.clone(), hangs }).unwrap().build().await.unwrap();
        Self { bus, shown }
    }

    /// Removes the service from the desktop.
    pub async fn stop(self) {
        self.bus.close().await.unwrap();
    }

    /// Returns what is on the screen, oldest first.
    pub fn all(&self) -> Vec<Notification> {
        self.shown.lock().unwrap().notifications.clone()
    }

    /// Returns the number of notifications received so far.
    pub fn calls(&self) -> u32 {
        self.shown.lock().unwrap().calls
    }

    /// Waits for a notification with this title, and returns it.
    pub async fn find(&self, summary: &str) -> Notification {
        settled(&format!("the notification {summary:?}"), || async {
            let all = self.all();
            all.iter().find(|shown| shown.summary == summary).cloned().ok_or_else(|| format!("{all:?}"))
        })
        .await
    }

    /// Chooses an action of a notification, which closes it.
    pub async fn choose(&self, notification: &Notification, key: &str) {
        assert!(notification.actions.iter().step_by(2).any(|action| action == key), "{notification:?}");
        self.shown.lock().unwrap().notifications.retain(|shown| shown.id != notification.id);
        let to = None::<&str>;
        self.bus.emit_signal(to, PATH, NAME, "ActionInvoked", &(notification.id, key)).await.unwrap();
        self.bus.emit_signal(to, PATH, NAME, "NotificationClosed", &(notification.id, 2_u32)).await.unwrap();
    }
}
