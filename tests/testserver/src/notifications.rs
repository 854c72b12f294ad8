//! A notification service of free desktops, `org.freedesktop.Notifications`, on any message bus.

use std::{collections::HashMap, sync::Arc, time::Duration};
use tokio::sync::watch;
use zbus::{Connection, connection::Builder, fdo, interface, zvariant::OwnedValue};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// How long a test waits for a notification. A busy machine can be ten times slower, so this is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(90);

/// A notification that is on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// Its id.
    pub id: u32,
    /// Id of the notification that it was to replace; 0 for none.
    pub replaces: u32,
    /// The title.
    pub summary: String,
    /// The text, which may contain markup.
    pub body: String,
    /// Keys and labels of its actions, in turn.
    pub actions: Vec<String>,
}

/// How a service answers the request to show a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It shows the notification.
    Shows,
    /// It shows the notification, and never responds.
    Hangs,
    /// It shows one notification, and refuses further ones.
    ShowsOne,
    /// It returns the error of the bus that a program which it needs has ended.
    Fails,
}

/// What the service shows.
#[derive(Debug, Default)]
struct Shown {
    notifications: Vec<Notification>,
    /// Number of calls received.
    calls: u32,
    last_id: u32,
}

struct Service {
    shown: Arc<watch::Sender<Shown>>,
    answer: Answer,
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
    ) -> fdo::Result<u32> {
        let mut id = replaces;
        self.shown.send_modify(|shown| {
            shown.calls += 1;
            if self.answer == Answer::Fails || self.answer == Answer::ShowsOne && shown.calls > 1 {
                return;
            }
            if replaces == 0 {
                shown.last_id += 1;
                id = shown.last_id;
            }
            shown.notifications.retain(|notification| notification.id != id);
            shown.notifications.push(Notification { id, replaces, summary, body, actions });
        });
        match self.answer {
            Answer::ShowsOne if self.shown.borrow().calls > 1 => Err(fdo::Error::LimitsExceeded("too many".to_owned())),
            Answer::Shows | Answer::ShowsOne => Ok(id),
            Answer::Hangs => std::future::pending().await,
            Answer::Fails => Err(fdo::Error::ServiceUnknown("the backend".to_owned())),
        }
    }
}

/// A notification service. It disappears when it is dropped.
pub struct Notifications {
    bus: Connection,
    shown: Arc<watch::Sender<Shown>>,
}

impl Notifications {
    /// Starts a service on the session bus that shows everything.
    ///
    /// # Panics
    /// Panics when there is no session bus, or it has a service already.
    pub async fn start() -> Self {
        Self::start_on(Builder::session().expect("a session bus"), Answer::Shows).await
    }

    /// Starts a service on the session bus that never responds.
    ///
    /// # Panics
    /// Panics when there is no session bus, or it has a service already.
    pub async fn start_hanging() -> Self {
        Self::start_on(Builder::session().expect("a session bus"), Answer::Hangs).await
    }

    /// Starts a service on a bus.
    ///
    /// # Panics
    /// Panics when the bus has a service already.
    pub async fn start_on(bus: Builder<'_>, answer: Answer) -> Self {
        let shown = Arc::new(watch::Sender::default());
        let bus = bus.name(NAME).and_then(|bus| bus.serve_at(PATH, Service { shown: shown.clone(), answer }));
        let bus = bus.expect("names of the specification").build().await.expect("a bus without a service");
        Self { bus, shown }
    }

    /// Removes the service from the desktop.
    ///
    /// # Panics
    /// Panics when the bus has ended.
    pub async fn stop(self) {
        self.bus.close().await.expect("the bus");
    }

    /// Returns what is on the screen, oldest first.
    #[must_use]
    pub fn all(&self) -> Vec<Notification> {
        self.shown.borrow().notifications.clone()
    }

    /// Returns the number of notifications received so far.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.shown.borrow().calls
    }

    /// Waits until this many notifications were received.
    ///
    /// # Panics
    /// Panics when the service has ended.
    pub async fn called(&self, times: u32) {
        self.shown.subscribe().wait_for(|shown| shown.calls >= times).await.expect("the service");
    }

    /// Waits for a notification with this title, and returns it.
    ///
    /// # Panics
    /// Panics when none comes within `PATIENCE`.
    pub async fn find(&self, summary: &str) -> Notification {
        let found = |shown: &Shown| shown.notifications.iter().find(|one| one.summary == summary).cloned();
        let mut changes = self.shown.subscribe();
        let waiting = changes.wait_for(|shown| found(shown).is_some());
        let seen = tokio::time::timeout(PATIENCE, waiting).await.ok().and_then(Result::ok);
        seen.and_then(|shown| found(&shown))
            .unwrap_or_else(|| panic!("the notification did not appear: {summary:?}; last seen: {:?}", self.all()))
    }

    /// Chooses an action of a notification, which closes it. The key is the token of the click, too.
    ///
    /// # Panics
    /// Panics when the notification has no such action, or the bus has ended.
    pub async fn choose(&self, notification: &Notification, key: &str) {
        assert!(notification.actions.iter().step_by(2).any(|action| action == key), "{notification:?}");
        self.shown.send_modify(|shown| shown.notifications.retain(|shown| shown.id != notification.id));
        let to = None::<&str>;
        self.bus.emit_signal(to, PATH, NAME, "ActivationToken", &(notification.id, key)).await.expect("the bus");
        self.bus.emit_signal(to, PATH, NAME, "ActionInvoked", &(notification.id, key)).await.expect("the bus");
        self.bus.emit_signal(to, PATH, NAME, "NotificationClosed", &(notification.id, 2_u32)).await.expect("the bus");
    }
}
