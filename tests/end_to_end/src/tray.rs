//! A tray for tests: the desktop's side of the StatusNotifierItem protocol, on the session bus of the test.

use crate::settled;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use zbus::{
    Connection, Proxy, connection, interface,
    zvariant::{OwnedObjectPath, OwnedValue, Value},
};

const NAME: &str = "org.kde.StatusNotifierWatcher";

/// The service at which programs register their items.
struct Watcher(Arc<Mutex<Vec<String>>>);

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, service: String) {
        self.0.lock().unwrap().push(service);
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }
}

/// A tray with the items that programs have registered. It disappears when it is dropped.
pub struct Tray {
    bus: Connection,
    items: Arc<Mutex<Vec<String>>>,
}

/// An item of a menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrayMenuItem {
    id: i32,
    /// The text.
    pub label: String,
    /// Whether it can be chosen.
    pub enabled: bool,
    /// Whether it has a check mark.
    pub checked: bool,
}

/// The id, properties and children of an item in the layout of a menu.
type Layout = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

impl Tray {
    /// Starts a tray.
    pub async fn start() -> Self {
        let items = Arc::<Mutex<Vec<String>>>::default();
        let bus = connection::Builder::session()
            .unwrap()
            .serve_at("/StatusNotifierWatcher", Watcher(items.clone()))
            .unwrap()
            .name(NAME)
            .unwrap()
            .build()
            .await
            .unwrap();
        Self { bus, items }
    }

    /// Removes the tray from the desktop.
    pub async fn stop(self) {
        self.bus.close().await.unwrap();
    }

    /// Returns the item of this test's window. The bus may also have that of a program that another test left.
    async fn item(&self) -> Result<Proxy<'static>, String> {
        let registered = self.items.lock().unwrap().clone();
        let service = registered.into_iter().rev().find(|service| {
            // The name contains the number of the process.
            let pid = service.split('-').nth(1).and_then(|pid| pid.parse().ok());
            pid.is_some_and(is_descendant)
        });
        let service = service.ok_or("no item is registered")?;
        let item = Proxy::new(&self.bus, service, "/StatusNotifierItem", "org.kde.StatusNotifierItem").await;
        item.map_err(|error| error.to_string())
    }

    async fn menu_proxy(&self) -> Result<Proxy<'static>, String> {
        let item = self.item().await?;
        let path: OwnedObjectPath = item.get_property("Menu").await.map_err(|error| error.to_string())?;
        let menu = Proxy::new(&self.bus, item.destination().to_owned(), path, "com.canonical.dbusmenu").await;
        menu.map_err(|error| error.to_string())
    }

    /// Returns a property of the item, as text.
    pub async fn text(&self, property: &str) -> Result<String, String> {
        self.item().await?.get_property(property).await.map_err(|error| error.to_string())
    }

    /// Returns the menu of the item, without its separators.
    pub async fn menu(&self) -> Result<Vec<TrayMenuItem>, String> {
        let reply = self.menu_proxy().await?.call("GetLayout", &(0, -1, Vec::<String>::new())).await;
        let (_, layout): (u32, Layout) = reply.map_err(|error| error.to_string())?;
        let items = layout.2.into_iter().map(|item| Layout::try_from(item).unwrap());
        let text = |item: &Layout, name: &str| match item.1.get(name).map(|value| &**value) {
            Some(Value::Str(text)) => text.to_string(),
            _ => String::new(),
        };
        Ok(items
            .filter(|item| text(item, "type") != "separator")
            .map(|item| TrayMenuItem {
                id: item.0,
                label: text(&item, "label"),
                enabled: !matches!(item.1.get("enabled").map(|value| &**value), Some(Value::Bool(false))),
                checked: matches!(item.1.get("toggle-state").map(|value| &**value), Some(Value::I32(1))),
            })
            .collect())
    }

    /// Waits until the menu has an item with this text, and returns it.
    pub async fn find(&self, label: &str) -> TrayMenuItem {
        settled(&format!("{label:?} in the tray"), || async {
            let menu = self.menu().await?;
            menu.iter().find(|item| item.label == label).cloned().ok_or_else(|| format!("{menu:?}"))
        })
        .await
    }

    /// Chooses an item of the menu.
    pub async fn choose(&self, label: &str) {
        let item = self.find(label).await;
        assert!(item.enabled, "{item:?}");
        let menu = self.menu_proxy().await.unwrap();
        let () = menu.call("Event", &(item.id, "clicked", Value::from(""), 0_u32)).await.unwrap();
    }

    /// Clicks the icon.
    pub async fn click(&self) {
        let () = self.item().await.unwrap().call("Activate", &(0, 0)).await.unwrap();
    }
}

/// Returns whether this process started a process, or one that started it.
fn is_descendant(mut pid: u32) -> bool {
    while pid > 1 {
        if pid == std::process::id() {
            return true;
        }
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        pid = parent.and_then(|parent| parent.trim().parse().ok()).unwrap_or(0);
    }
    false
}
