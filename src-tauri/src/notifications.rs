//! Desktop notifications (Desktop Notifications Specification 1.2 on free desktops). Because of a queue and a time limit, a notification
//! service that does not respond delays nothing else.

use gleaner_app::{App, Notice};
use tauri::AppHandle;
use tokio::sync::mpsc;

/// Number of notifications that wait for the service. Further ones are dropped: the articles are in their lists.
const QUEUE: usize = 8;
/// Maximum length of a title in a notification, in characters.
const MAX_TITLE: usize = 120;

/// Shows notifications one after the other.
pub struct Notifications(mpsc::Sender<Notice>);

impl Notifications {
    /// Prepares notifications. [`run`] shows them.
    pub fn new() -> (Self, mpsc::Receiver<Notice>) {
        let (sender, notices) = mpsc::channel(QUEUE);
        (Self(sender), notices)
    }

    /// Shows a notification, without waiting for it.
    pub fn show(&self, notice: Notice) {
        if self.0.try_send(notice).is_err() {
            tracing::warn!("a notification was dropped: the notification service does not respond");
        }
    }
}

/// Shows notifications until the program ends.
pub async fn run(mut notices: mpsc::Receiver<Notice>, app: App, tauri: AppHandle) {
    #[cfg(target_os = "linux")]
    linux::run(&mut notices, &app, &tauri).await;
    #[cfg(not(target_os = "linux"))]
    drop(tauri);
    #[cfg(not(target_os = "linux"))]
    while let Some(notice) = notices.recv().await {
        let _ = &app;
        let (title, body) = (line(&notice.title, false), body(&notice, false));
        let show =
            move || notify_rust::Notification::new().appname("Gleaner").summary(&title).body(&body).show().map(drop);
        match tokio::task::spawn_blocking(show).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "a notification could not be shown"),
            Err(error) => tracing::warn!(%error, "a notification could not be shown"),
        }
    }
}

/// The lines below the title.
fn body(notice: &Notice, markup: bool) -> String {
    let mut lines: Vec<String> = notice.lines.iter().map(|title| line(title, markup)).collect();
    if notice.articles.len() > 1 && notice.articles.len() > lines.len() {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

/// A text on one line. If the service interprets markup, that of publishers is escaped.
fn line(text: &str, markup: bool) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = text.chars().take(MAX_TITLE).collect();
    let cut = if cut.len() < text.len() { format!("{cut}…") } else { cut };
    if !markup {
        return cut;
    }
    cut.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{body, line};
    use crate::{portal, window::ActivationToken};
    use futures::StreamExt as _;
    use gleaner_app::{App, Notice, NoticeAction, act_on_notice};
    use std::{
        collections::{HashMap, VecDeque},
        time::Duration,
    };
    use tauri::{AppHandle, Manager as _};
    use tokio::sync::mpsc;
    use zbus::{Connection, Proxy, names::BusName, proxy::CacheProperties, zvariant::Value};

    const NAME: &str = "org.freedesktop.Notifications";
    /// Errors of the bus about a program that has ended. Services also forward such errors of programs that they need.
    const ENDED: [&str; 2] = ["org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner"];
    /// How long the service may take for each call.
    const WITHIN: Duration = Duration::from_secs(5);
    /// Number of notifications about single articles that are on the screen at a time. A further one replaces the oldest.
    const MAX_SINGLE: usize = 3;

    /// The service, and what it shows.
    struct Service {
        proxy: Proxy<'static>,
        actions: bool,
        markup: bool,
        /// Ids of the notifications about single articles, oldest first.
        single: VecDeque<u32>,
        /// Id of the notification about several articles; 0 if there is none.
        several: u32,
        /// The notices of the notifications on the screen, by their ids.
        shown: HashMap<u32, Notice>,
    }

    pub async fn run(notices: &mut mpsc::Receiver<Notice>, app: &App, tauri: &AppHandle) {
        let keep_token = |token| tauri.state::<ActivationToken>().keep(Some(token));
        run_on(Connection::session, notices, app, &keep_token).await;
    }

    /// Calls `keep_token` with the token that the service sends along with a click.
    pub async fn run_on<B: Future<Output = zbus::Result<Connection>>>(
        bus: impl Fn() -> B,
        notices: &mut mpsc::Receiver<Notice>,
        app: &App,
        keep_token: &(impl Fn(String) + Sync),
    ) {
        let mut failed = false;
        // The service is searched when there is something to show: it may start later than Gleaner, or be restarted.
        while let Some(notice) = notices.recv().await {
            let mut waiting = Some(notice);
            // A service that has ended leaves the notice to the next one. A service that is only forwarding such an error would receive it
            // forever.
            while let Some(notice) = waiting.take() {
                let mut left = Some(notice.clone());
                let connected = async { Service::connect(bus().await?).await };
                let served = match tokio::time::timeout(WITHIN, connected).await {
                    Ok(Ok(mut service)) => service.serve(&mut left, notices, app, keep_token).await,
                    Ok(Err(error)) => Err(error.to_string()),
                    Err(_) => Err("timeout".to_owned()),
                };
                let error = match served {
                    Ok(()) if left.as_ref() == Some(&notice) => "the service refuses notifications".to_owned(),
                    Ok(()) => {
                        waiting = left;
                        continue;
                    }
                    Err(error) => error,
                };
                // Once is enough: without a notification service, every notification fails.
                if !std::mem::replace(&mut failed, true) {
                    tracing::warn!(error, "notifications cannot be shown");
                }
            }
        }
    }

    async fn proxy(bus: &Connection, destination: BusName<'static>) -> zbus::Result<Proxy<'static>> {
        zbus::proxy::Builder::new(bus)
            .destination(destination)?
            .path("/org/freedesktop/Notifications")?
            .interface(NAME)?
            .cache_properties(CacheProperties::No)
            .build()
            .await
    }

    impl Service {
        async fn connect(bus: Connection) -> zbus::Result<Self> {
            let asked = proxy(&bus, BusName::try_from(NAME)?).await?;
            let reply = asked.call_method("GetCapabilities", &()).await?;
            let capabilities: Vec<String> = reply.body().deserialize()?;
            // The next service with this name starts again with its numbers.
            let header = reply.header();
            let sender = header.sender().ok_or(zbus::Error::MissingField)?.to_owned();
            let proxy = proxy(&bus, sender.into()).await?;
            let has = |name: &str| capabilities.iter().any(|capability| capability == name);
            Ok(Self {
                actions: has("actions"),
                markup: has("body-markup"),
                proxy,
                single: VecDeque::new(),
                several: 0,
                shown: HashMap::new(),
            })
        }

        /// Shows notices and does what the user chooses in them, until the service fails, or until it has ended when there is a notice to
        /// show. That notice then waits.
        async fn serve(
            &mut self,
            waiting: &mut Option<Notice>,
            notices: &mut mpsc::Receiver<Notice>,
            app: &App,
            keep_token: &(impl Fn(String) + Sync),
        ) -> Result<(), String> {
            let signals = self.proxy.receive_all_signals();
            let mut signals = tokio::time::timeout(WITHIN, signals)
                .await
                .map_err(|_| "timeout")?
                .map_err(|error| error.to_string())?;
            loop {
                if let Some(notice) = waiting.take() {
                    match self.show(&notice).await {
                        Ok(true) => {}
                        Ok(false) => {
                            *waiting = Some(notice);
                            return Ok(());
                        }
                        // Those on the screen can still be clicked.
                        Err(error) => tracing::warn!(error, "a notification was refused"),
                    }
                }
                tokio::select! {
                    notice = notices.recv() => match notice {
                        Some(notice) => *waiting = Some(notice),
                        None => return Ok(()),
                    },
                    signal = signals.next() => match signal {
                        Some(signal) => self.received(&signal, app, keep_token),
                        None => return Err("the session bus is gone".to_owned()),
                    },
                }
            }
        }

        /// Shows a notice. Returns false if the service has ended.
        async fn show(&mut self, notice: &Notice) -> Result<bool, String> {
            let several = notice.articles.len() > 1;
            let full = self.single.len() >= MAX_SINGLE;
            let replaced =
                if several { self.several } else { self.single.front().copied().filter(|_| full).unwrap_or(0) };
            let mut actions = Vec::new();
            if self.actions {
                actions.extend(["default", &notice.open, "read", &notice.mark_read]);
                if !several {
                    actions.extend(["star", &notice.star]);
                }
            }
            let hints: HashMap<&str, Value<'_>> = HashMap::from([
                ("desktop-entry", Value::from(portal::entry())),
                ("category", Value::from("im.received")),
            ]);
            let arguments = (
                "Gleaner",
                replaced,
                portal::entry(),
                // The summary is never interpreted as markup.
                line(&notice.title, false),
                body(notice, self.markup),
                actions,
                hints,
                -1_i32,
            );
            let shown = tokio::time::timeout(WITHIN, self.proxy.call("Notify", &arguments)).await;
            let id: u32 = match shown.map_err(|_| "timeout")? {
                Ok(id) => id,
                Err(zbus::Error::MethodError(name, ..)) if ENDED.contains(&name.as_str()) => return Ok(false),
                Err(error) => return Err(error.to_string()),
            };
            self.closed(replaced);
            self.shown.insert(id, notice.clone());
            if several {
                self.several = id;
            } else {
                self.single.push_back(id);
            }
            Ok(true)
        }

        fn received(&mut self, signal: &zbus::Message, app: &App, keep_token: &impl Fn(String)) {
            let (header, signal_body) = (signal.header(), signal.body());
            match header.member().map(|member| member.as_str()) {
                // It precedes the action.
                Some("ActivationToken") => {
                    let Ok((id, token)) = signal_body.deserialize::<(u32, String)>() else { return };
                    if self.shown.contains_key(&id) {
                        keep_token(token);
                    }
                }
                Some("ActionInvoked") => {
                    let Ok((id, key)) = signal_body.deserialize::<(u32, &str)>() else { return };
                    let action = match key {
                        "default" => NoticeAction::Open,
                        "read" => NoticeAction::MarkRead,
                        "star" => NoticeAction::Star,
                        _ => return,
                    };
                    // The service sends the actions of all programs.
                    if let Some(notice) = self.shown.get(&id) {
                        act_on_notice(app, notice, action);
                    }
                }
                Some("NotificationClosed") => {
                    let Ok((id, _reason)) = signal_body.deserialize::<(u32, u32)>() else { return };
                    self.closed(id);
                }
                _ => {}
            }
        }

        /// Forgets a notification that is no longer on the screen.
        fn closed(&mut self, id: u32) {
            self.shown.remove(&id);
            self.single.retain(|shown| *shown != id);
            if self.several == id {
                self.several = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(articles: usize, lines: &[&str]) -> String {
        let notice = Notice {
            articles: vec![1; articles],
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            ..Notice::default()
        };
        body(&notice, true)
    }

    #[test]
    fn a_notification_names_the_newest_articles_on_a_line_each() {
        assert_eq!(text(1, &["Wheat\n<b>rye</b> & oats"]), "Wheat &lt;b&gt;rye&lt;/b&gt; &amp; oats");
        let long = "x".repeat(200);
        assert_eq!(text(9, &[&long, "Ohne Titel"]), format!("{}…\nOhne Titel\n…", "x".repeat(MAX_TITLE)));
        assert_eq!(text(9, &["a", "b", "c", "d"]), "a\nb\nc\nd\n…");
        assert_eq!(line("a < b", false), "a < b");
    }
}

#[cfg(all(test, target_os = "linux"))]
mod service_tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::test_bus::Bus;
    use gleaner_testserver::notifications::{Answer, Notifications as Service};

    fn several(title: &str) -> Notice {
        Notice { articles: vec![1, 2], title: title.to_owned(), ..Notice::default() }
    }

    #[tokio::test]
    async fn a_service_that_fails_gets_each_notice_once() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), tokio::runtime::Handle::current());
        let daemon = Bus::start();
        let service = Service::start_on(daemon.connect(), Answer::Fails).await;
        let (notifications, mut notices) = Notifications::new();
        notifications.show(several("one"));
        notifications.show(several("two"));
        drop(notifications);
        let address = daemon.address.clone();
        let bus = || async { zbus::connection::Builder::address(address.as_str())?.build().await };
        linux::run_on(bus, &mut notices, &app, &drop).await;
        assert_eq!(service.calls(), 2);
    }

    #[tokio::test]
    async fn a_click_counts_after_the_service_refused_another_notification() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), tokio::runtime::Handle::current());
        let daemon = Bus::start();
        let service = Service::start_on(daemon.connect(), Answer::ShowsOne).await;
        let (notifications, mut notices) = Notifications::new();
        let (sender, mut tokens) = mpsc::unbounded_channel();
        let address = daemon.address.clone();
        let showing = tokio::spawn(async move {
            let bus = || async { zbus::connection::Builder::address(address.as_str())?.build().await };
            linux::run_on(bus, &mut notices, &app, &|token| sender.send(token).unwrap()).await;
        });
        notifications.show(several("one"));
        let one = service.find("one").await;
        notifications.show(several("two"));
        service.called(2).await;
        service.choose(&one, "default").await;
        assert_eq!(tokens.recv().await.unwrap(), "default", "the window may take the focus");
        showing.abort();
    }

    #[tokio::test]
    async fn a_notification_replaces_a_closed_one_before_the_oldest_one() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), tokio::runtime::Handle::current());
        let daemon = Bus::start();
        let service = Service::start_on(daemon.connect(), Answer::Shows).await;
        let (notifications, mut notices) = Notifications::new();
        let (sender, mut tokens) = mpsc::unbounded_channel();
        let address = daemon.address.clone();
        let showing = tokio::spawn(async move {
            let bus = || async { zbus::connection::Builder::address(address.as_str())?.build().await };
            linux::run_on(bus, &mut notices, &app, &|token| sender.send(token).unwrap()).await;
        });
        let show = async |title: &str| {
            notifications.show(Notice { articles: vec![1], title: title.to_owned(), ..Notice::default() });
            service.find(title).await
        };
        let (one, two) = (show("one").await, show("two").await);
        assert_eq!(show("three").await.replaces, 0);
        notifications.show(several("more"));
        let more = service.find("more").await;
        service.choose(&two, "read").await;
        tokens.recv().await.unwrap();
        // Signals arrive in their order: the second one is closed before the next click.
        service.choose(&more, "read").await;
        tokens.recv().await.unwrap();
        assert_eq!([show("four").await.replaces, show("five").await.replaces], [0, one.id]);
        showing.abort();
    }

    #[tokio::test]
    async fn a_service_that_starts_again_keeps_the_notifications_of_other_programs() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), tokio::runtime::Handle::current());
        let daemon = Bus::start();
        let former = Service::start_on(daemon.connect(), Answer::Shows).await;
        let (notifications, mut notices) = Notifications::new();
        let address = daemon.address.clone();
        let showing = tokio::spawn(async move {
            let bus = || async { zbus::connection::Builder::address(address.as_str())?.build().await };
            linux::run_on(bus, &mut notices, &app, &drop).await;
        });
        notifications.show(several("one"));
        let one = former.find("one").await;
        assert_eq!(one.replaces, 0);
        notifications.show(several("two"));
        assert_eq!(former.find("two").await.replaces, one.id, "it replaces the last one");

        assert_eq!(former.calls(), 2, "each notice is sent once");
        former.stop().await;
        let latter = Service::start_on(daemon.connect(), Answer::Shows).await;
        notifications.show(several("three"));
        assert_eq!(latter.find("three").await.replaces, 0, "the id is another program's now");
        assert_eq!(latter.calls(), 1, "each notice is sent once");
        showing.abort();
    }
}
