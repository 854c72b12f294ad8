//! What the system reports about this computer: whether the connection is metered (NetworkManager), whether it runs on battery (UPower),
//! and when it wakes up (logind). If a service is missing, its state counts as unmetered, or as mains power.

use futures::StreamExt as _;
use gleaner_app::{App, Economy, resumed, set_economy};
use std::time::Duration;
use tokio::time::timeout;
use zbus::{
    Connection, Proxy, fdo::PropertiesProxy, names::InterfaceName, proxy::CacheProperties, zvariant::OwnedValue,
};

const NETWORK: (&str, &str) = ("org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager");
const POWER: (&str, &str) = ("org.freedesktop.UPower", "/org/freedesktop/UPower");
const LOGIN: (&str, &str) = ("org.freedesktop.login1", "/org/freedesktop/login1");

/// Maximum time to wait for a response of a service.
const WITHIN: Duration = Duration::from_secs(5);

/// `NMMetered`: yes, and yes as far as NetworkManager can guess.
const METERED: [u32; 2] = [1, 3];

/// A report of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Report {
    Economy(Economy),
    /// The computer is awake again.
    Resumed,
}

/// Adapts Gleaner to the reports of the system, until the program ends.
pub async fn watch(app: App) {
    let watching = async {
        let bus = Connection::system().await?;
        listen(&bus, WITHIN, |what| match what {
            Report::Economy(economy) => set_economy(&app, economy),
            Report::Resumed => resumed(&app),
        })
        .await
    };
    if let Err(error) = watching.await {
        tracing::info!(%error, "the system does not report network and power");
    }
}

/// Calls `report` at first and whenever something changes. Returns when the bus is gone. A service that does not answer `within` this time
/// counts as missing.
async fn listen(bus: &Connection, within: Duration, report: impl Fn(Report)) -> zbus::Result<()> {
    let (network, power) = (properties(bus, NETWORK).await?, properties(bus, POWER).await?);
    let login: Proxy<'_> = zbus::proxy::Builder::new(bus)
        .destination(LOGIN.0)?
        .path(LOGIN.1)?
        .interface("org.freedesktop.login1.Manager")?
        .cache_properties(CacheProperties::No)
        .build()
        .await?;
    // A service that starts later reports its properties as changed.
    let mut network_changes = network.receive_properties_changed().await?;
    let mut power_changes = power.receive_properties_changed().await?;
    let mut sleeps = login.receive_signal("PrepareForSleep").await?;
    loop {
        let (metered, battery) = futures::join!(
            timeout(within, get(&network, NETWORK.0, "Metered")),
            timeout(within, get(&power, POWER.0, "OnBattery")),
        );
        let metered = metered.ok().flatten().and_then(|value| u32::try_from(value).ok());
        let battery = battery.ok().flatten().and_then(|value| bool::try_from(value).ok());
        report(Report::Economy(Economy {
            metered: metered.is_some_and(|metered| METERED.contains(&metered)),
            battery: battery.unwrap_or(false),
        }));
        tokio::select! {
            changed = network_changes.next() => if changed.is_none() { return Ok(()) },
            changed = power_changes.next() => if changed.is_none() { return Ok(()) },
            slept = sleeps.next() => match slept {
                Some(message) if message.body().deserialize().is_ok_and(|going: bool| !going) => report(Report::Resumed),
                Some(_) => {}
                None => return Ok(()),
            },
        }
    }
}

async fn properties<'a>(bus: &Connection, (name, path): (&'a str, &'a str)) -> zbus::Result<PropertiesProxy<'a>> {
    PropertiesProxy::builder(bus).destination(name)?.path(path)?.cache_properties(CacheProperties::No).build().await
}

/// Returns a property; `None` if the service is not there or has none.
async fn get(properties: &PropertiesProxy<'_>, interface: &'static str, name: &str) -> Option<OwnedValue> {
    properties.get(InterfaceName::from_static_str(interface).ok()?, name).await.ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::test_bus::Bus;
    use tokio::sync::mpsc;

    /// A time limit that no service reaches.
    const LONG: Duration = Duration::from_secs(600);

    struct Network(u32);

    #[zbus::interface(name = "org.freedesktop.NetworkManager")]
    impl Network {
        #[zbus(property)]
        fn metered(&self) -> u32 {
            self.0
        }
    }

    struct Power(bool);

    #[zbus::interface(name = "org.freedesktop.UPower")]
    impl Power {
        #[zbus(property)]
        fn on_battery(&self) -> bool {
            self.0
        }
    }

    #[tokio::test]
    async fn reports_network_power_and_sleep() {
        let daemon = Bus::start();
        let service = daemon.connect().name(NETWORK.0).unwrap().name(POWER.0).unwrap().name(LOGIN.0).unwrap();
        let service = service.serve_at(NETWORK.1, Network(4)).unwrap().serve_at(POWER.1, Power(false)).unwrap();
        let service = service.build().await.unwrap();
        let bus = daemon.connect().build().await.unwrap();
        let (sender, mut reports) = mpsc::unbounded_channel();
        let listening = tokio::spawn(async move { listen(&bus, LONG, |what| sender.send(what).unwrap()).await });
        let economy = |metered, battery| Report::Economy(Economy { metered, battery });
        assert_eq!(reports.recv().await, Some(economy(false, false)), "no, as NetworkManager guesses");

        let network = service.object_server().interface::<_, Network>(NETWORK.1).await.unwrap();
        network.get_mut().await.0 = 1;
        network.get().await.metered_changed(network.signal_emitter()).await.unwrap();
        assert_eq!(reports.recv().await, Some(economy(true, false)));

        let power = service.object_server().interface::<_, Power>(POWER.1).await.unwrap();
        power.get_mut().await.0 = true;
        power.get().await.on_battery_changed(power.signal_emitter()).await.unwrap();
        assert_eq!(reports.recv().await, Some(economy(true, true)));

        for going in [true, false] {
            let signal = ("org.freedesktop.login1.Manager", "PrepareForSleep");
            service.emit_signal(None::<&str>, LOGIN.1, signal.0, signal.1, &going).await.unwrap();
        }
        assert_eq!(reports.recv().await, Some(economy(true, true)));
        assert_eq!(reports.recv().await, Some(Report::Resumed));
        listening.abort();
    }

    /// A service that never answers.
    struct Hanging;

    #[zbus::interface(name = "org.freedesktop.UPower")]
    impl Hanging {
        #[zbus(property)]
        async fn on_battery(&self) -> bool {
            std::future::pending().await
        }
    }

    #[tokio::test]
    async fn a_service_that_hangs_counts_as_missing() {
        let daemon = Bus::start();
        let power = daemon.connect().name(POWER.0).unwrap().serve_at(POWER.1, Hanging).unwrap();
        let _power = power.build().await.unwrap();
        let network = daemon.connect().name(NETWORK.0).unwrap().serve_at(NETWORK.1, Network(1)).unwrap();
        let _network = network.build().await.unwrap();
        let login = daemon.connect().name(LOGIN.0).unwrap().build().await.unwrap();
        let bus = daemon.connect().build().await.unwrap();
        let (sender, mut reports) = mpsc::unbounded_channel();
        let within = Duration::from_millis(300);
        let listening = tokio::spawn(async move { listen(&bus, within, |what| sender.send(what).unwrap()).await });
        assert!(matches!(reports.recv().await, Some(Report::Economy(Economy { battery: false, .. }))));
        let signal = ("org.freedesktop.login1.Manager", "PrepareForSleep");
        login.emit_signal(None::<&str>, LOGIN.1, signal.0, signal.1, &false).await.unwrap();
        assert_eq!(reports.recv().await, Some(Report::Resumed));
        listening.abort();
    }

    #[tokio::test]
    async fn saves_nothing_without_the_services() {
        let daemon = Bus::start();
        let bus = daemon.connect().build().await.unwrap();
        let (sender, mut reports) = mpsc::unbounded_channel();
        let listening = tokio::spawn(async move { listen(&bus, LONG, |what| sender.send(what).unwrap()).await });
        assert_eq!(reports.recv().await, Some(Report::Economy(Economy::default())));
        assert!(!listening.is_finished(), "a service may start later");
        listening.abort();
    }
}
