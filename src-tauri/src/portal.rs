//! Actions that a Flatpak may do only through the desktop's portals (<https://flatpak.github.io/xdg-desktop-portal/>). File dialogs and
//! links use them automatically: GTK and `xdg-open` do it in the sandbox.

use futures::StreamExt as _;
use gleaner_contract::LoginStart;
use std::{collections::HashMap, path::Path, time::Duration};
use zbus::{
    Connection, Proxy,
    proxy::CacheProperties,
    zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value},
};

const NAME: &str = "org.freedesktop.portal.Desktop";
const PATH: &str = "/org/freedesktop/portal/desktop";
/// How long the user may take for the desktop's question.
const WITHIN: Duration = Duration::from_secs(120);
/// The last part of the path of our request.
const TOKEN: &str = "gleaner_login_start";

/// Whether this process runs in a Flatpak's sandbox.
pub fn sandboxed() -> bool {
    Path::new("/.flatpak-info").exists()
}

/// Returns the name of Gleaner's desktop entry and icon. What a Flatpak exports is named after its id.
pub fn entry() -> &'static str {
    if sandboxed() { "net.gleaner.Gleaner" } else { "gleaner" }
}

/// Asks the desktop to start Gleaner with these arguments at login, or no longer (`org.freedesktop.portal.Background`). The desktop may ask
/// the user.
///
/// # Errors
/// There is no portal, it does not respond within two minutes, or the user or the desktop refused. The text is for the log.
pub async fn start_at_login(start: LoginStart, arguments: &[&str]) -> Result<(), String> {
    let bus = Connection::session().await.map_err(|error| error.to_string())?;
    let asked = tokio::time::timeout(WITHIN, ask(&bus, start, arguments)).await;
    if asked.map_err(|_| "the portal did not respond")?.map_err(|error| error.to_string())? {
        Ok(())
    } else {
        Err("the desktop does not allow Gleaner to start at login".to_owned())
    }
}

/// Returns whether the desktop agreed.
async fn ask(bus: &Connection, start: LoginStart, arguments: &[&str]) -> zbus::Result<bool> {
    // The signal with the answer may be sent before the call returns, so it is subscribed to first, at the path that the portal will use.
    let sender = bus.unique_name().map_or("", |name| name.trim_start_matches(':')).replace('.', "_");
    let path = ObjectPath::try_from(format!("{PATH}/request/{sender}/{TOKEN}"))?;
    let mut answers = request(bus, path.clone()).await?.receive_signal("Response").await?;

    let portal = proxy(bus, ObjectPath::try_from(PATH)?, "org.freedesktop.portal.Background").await?;
    let wanted = start != LoginStart::Off;
    let mut command = vec!["gleaner"];
    command.extend(arguments);
    if start == LoginStart::Background {
        command.push(crate::autostart::BACKGROUND);
    }
    let options = HashMap::from([
        ("handle_token", Value::from(TOKEN)),
        ("autostart", Value::from(wanted)),
        ("commandline", Value::from(command)),
    ]);
    let used: OwnedObjectPath = portal.call("RequestBackground", &("", options)).await?;
    if used.as_str() != path.as_str() {
        // Portals before version 0.9 choose the path themselves.
        answers = request(bus, used.into_inner()).await?.receive_signal("Response").await?;
    }
    let Some(answer) = answers.next().await else {
        return Err(zbus::Error::Failure("the session bus is gone".to_owned()));
    };
    let (response, results): (u32, HashMap<String, OwnedValue>) = answer.body().deserialize()?;
    let started = results.get("autostart").and_then(|value| bool::try_from(value).ok()).unwrap_or(false);
    Ok(response == 0 && started == wanted)
}

async fn request<'a>(bus: &Connection, path: ObjectPath<'a>) -> zbus::Result<Proxy<'a>> {
    proxy(bus, path, "org.freedesktop.portal.Request").await
}

async fn proxy<'a>(bus: &Connection, path: ObjectPath<'a>, interface: &'static str) -> zbus::Result<Proxy<'a>> {
    zbus::proxy::Builder::new(bus)
        .destination(NAME)?
        .path(path)?
        .interface(interface)?
        .cache_properties(CacheProperties::No)
        .build()
        .await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::test_bus::Bus;
    use std::sync::{Arc, Mutex};
    use zbus::{message::Header, object_server::SignalEmitter};

    /// The request: whether to start, and the command.
    type Asked = Arc<Mutex<Vec<(bool, Vec<String>)>>>;

    /// A portal that agrees, or not.
    struct Background {
        agrees: bool,
        asked: Asked,
    }

    #[zbus::interface(name = "org.freedesktop.portal.Background")]
    impl Background {
        async fn request_background(
            &self,
            #[zbus(connection)] bus: &Connection,
            #[zbus(header)] header: Header<'_>,
            _parent: &str,
            options: HashMap<String, OwnedValue>,
        ) -> OwnedObjectPath {
            let token = <&str>::try_from(&options["handle_token"]).unwrap();
            let wanted = bool::try_from(&options["autostart"]).unwrap();
            let command = Vec::<String>::try_from(options["commandline"].clone()).unwrap();
            self.asked.lock().unwrap().push((wanted, command));
            let sender = header.sender().unwrap().trim_start_matches(':').replace('.', "_");
            let path = ObjectPath::try_from(format!("{PATH}/request/{sender}/{token}")).unwrap();
            let emitter = SignalEmitter::new(bus, path.clone()).unwrap();
            let results = HashMap::from([("autostart", Value::from(wanted && self.agrees))]);
            let response = u32::from(!self.agrees);
            emitter.emit("org.freedesktop.portal.Request", "Response", &(response, results)).await.unwrap();
            path.into()
        }
    }

    /// Connects to a bus with a portal.
    async fn portal(agrees: bool) -> (Connection, Connection, Bus, Asked) {
        let bus = Bus::start();
        let asked = Asked::default();
        let background = Background { agrees, asked: asked.clone() };
        let service = bus.connect().name(NAME).unwrap().serve_at(PATH, background).unwrap().build().await.unwrap();
        (bus.connect().build().await.unwrap(), service, bus, asked)
    }

    #[tokio::test]
    async fn the_portal_is_asked_to_start_gleaner() {
        let (bus, _service, _daemon, asked) = portal(true).await;
        for start in [LoginStart::Background, LoginStart::Window, LoginStart::Off] {
            assert!(ask(&bus, start, &["--library", "/a b"]).await.unwrap(), "{start:?}");
        }
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let shown = ["gleaner", "--library", "/a b"];
        let hidden = [&shown[..], &["--background"]].concat();
        assert_eq!(*asked.lock().unwrap(), [(true, words(&hidden)), (true, words(&shown)), (false, words(&shown))]);
    }

    #[tokio::test]
    async fn a_refusal_is_reported() {
        let (bus, _service, _daemon, _) = portal(false).await;
        assert!(!ask(&bus, LoginStart::Background, &[]).await.unwrap());
    }
}
