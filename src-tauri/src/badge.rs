//! The number of unread articles on Gleaner's icon in a dock: the signal of Unity's launcher, which KDE Plasma, Dash to Dock, Plank and
//! others understand (<https://wiki.ubuntu.com/Unity/LauncherAPI>). Without such a dock, nothing happens.

use crate::portal;
use gleaner_app::TrayState;
use std::collections::HashMap;
use tokio::sync::watch;
use zbus::{Connection, zvariant::Value};

/// Shows the number until the program ends.
pub async fn run(states: watch::Receiver<Option<TrayState>>) {
    let shown = async { show(&Connection::session().await?, states).await };
    if let Err(error) = shown.await {
        tracing::info!(%error, "docks cannot show the number of unread articles");
    }
}

async fn show(bus: &Connection, mut states: watch::Receiver<Option<TrayState>>) -> zbus::Result<()> {
    let entry = format!("application://{}.desktop", portal::entry());
    let mut last = None;
    // The sender ends with the program.
    while states.changed().await.is_ok() {
        let Some(count) = states.borrow_and_update().as_ref().map(|state| state.unread_count) else { continue };
        if last.replace(count) == Some(count) {
            continue;
        }
        let properties = HashMap::from([("count", Value::from(count)), ("count-visible", Value::from(count > 0))]);
        let interface = "com.canonical.Unity.LauncherEntry";
        bus.emit_signal(None::<&str>, "/net/gleaner/Gleaner", interface, "Update", &(&entry, properties)).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::test_bus::Bus;
    use futures::StreamExt as _;
    use zbus::{MatchRule, MessageStream, message::Type, zvariant::OwnedValue};

    #[tokio::test]
    async fn docks_receive_the_number_once_for_each_change() {
        let daemon = Bus::start();
        let dock = daemon.connect().build().await.unwrap();
        let rule = MatchRule::builder().msg_type(Type::Signal).interface("com.canonical.Unity.LauncherEntry").unwrap();
        let mut signals = MessageStream::for_match_rule(rule.build(), &dock, None).await.unwrap();
        let bus = daemon.connect().build().await.unwrap();
        let (sender, states) = watch::channel(None);
        let showing = tokio::spawn(async move { show(&bus, states).await });
        for (count, paused) in [(7, false), (7, true), (0, true)] {
            sender.send_replace(Some(TrayState { unread_count: count, paused, ..TrayState::default() }));
            if paused && count == 7 {
                continue;
            }
            let signal = signals.next().await.unwrap().unwrap();
            let (entry, mut properties): (String, HashMap<String, OwnedValue>) = signal.body().deserialize().unwrap();
            let count_shown = i64::try_from(properties.remove("count").unwrap()).unwrap();
            let visible = bool::try_from(properties.remove("count-visible").unwrap()).unwrap();
            assert_eq!((entry.as_str(), count_shown, visible), ("application://gleaner.desktop", count, count > 0));
        }
        drop(sender);
        showing.await.unwrap().unwrap();
    }
}
