//! The window as a screen reader finds it: the tree of elements on the accessibility bus (AT-SPI).

use crate::settled;
use std::{collections::HashMap, fmt};
use zbus::{
    blocking::{Connection, Proxy, connection::Builder},
    zvariant::OwnedObjectPath,
};

/// Names of the states that tests use, by their bits (AtspiStateType).
const STATES: [(u32, &str); 9] = [
    (8, "enabled"),
    (9, "expandable"),
    (10, "expanded"),
    (11, "focusable"),
    (12, "focused"),
    (23, "selected"),
    (25, "showing"),
    (30, "visible"),
    (4, "checked"),
];

/// Names of the roles that tests use, by their numbers (AtspiRole). WebKit gives only numbers.
const ROLES: [(u32, &str); 18] = [
    (7, "check box"),
    (16, "dialog"),
    (20, "filler"),
    (23, "frame"),
    (31, "list"),
    (32, "list item"),
    (35, "menu item"),
    (43, "button"),
    (62, "toggle button"),
    (65, "tree"),
    (79, "entry"),
    (83, "heading"),
    (85, "section"),
    (88, "link"),
    (91, "tree item"),
    (95, "document"),
    (98, "list box"),
    (110, "landmark"),
];

/// An element of the tree.
#[derive(Debug, Clone)]
pub struct Node {
    /// Depth below the program.
    pub depth: usize,
    /// Name in `ROLES`, or the number of a role that is not there.
    pub role: String,
    /// Accessible name.
    pub name: String,
    /// States of `STATES` that are set.
    pub states: Vec<&'static str>,
    /// Attributes, such as `level` in a tree.
    pub attributes: HashMap<String, String>,
}

impl Node {
    /// Returns true when the state is set.
    pub fn is(&self, state: &str) -> bool {
        self.states.contains(&state)
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// All elements at one moment.
#[derive(Debug)]
pub struct AccessibilityTree {
    /// Elements in the order of the page.
    pub nodes: Vec<Node>,
}

/// Announces a screen reader, as one does when it starts. Returns false if there is no accessibility bus.
pub fn announce_screen_reader() -> bool {
    let set = || -> zbus::Result<()> {
        let session = Connection::session()?;
        let status = Proxy::new(&session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Status")?;
        status.set_property("IsEnabled", true)?;
        status.set_property("ScreenReaderEnabled", true)?;
        Ok(())
    };
    set().is_ok()
}

fn bus() -> zbus::Result<Connection> {
    let session = Connection::session()?;
    let address: String =
        Proxy::new(&session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus")?.call("GetAddress", &())?;
    Builder::address(&*address)?.build()
}

type Place = (String, OwnedObjectPath);

fn accessible<'a>(bus: &Connection, (owner, path): &Place) -> zbus::Result<Proxy<'a>> {
    Proxy::new(bus, owner.clone(), path.clone(), "org.a11y.atspi.Accessible")
}

impl AccessibilityTree {
    /// Reads the tree of the one Gleaner that runs.
    fn now() -> zbus::Result<Self> {
        let bus = bus()?;
        let root: Place =
            ("org.a11y.atspi.Registry".to_owned(), OwnedObjectPath::try_from("/org/a11y/atspi/accessible/root")?);
        let mut tree = Self { nodes: Vec::new() };
        let programs: Vec<Place> = accessible(&bus, &root)?.call("GetChildren", &())?;
        for program in &programs {
            let name: String = accessible(&bus, program)?.get_property("Name")?;
            if name.to_lowercase().contains("gleaner") {
                tree.descend(&bus, program, 0)?;
            }
        }
        Ok(tree)
    }

    fn descend(&mut self, bus: &Connection, place: &Place, depth: usize) -> zbus::Result<()> {
        if depth > 60 || self.nodes.len() > 5_000 {
            return Ok(());
        }
        let it = accessible(bus, place)?;
        let bits: Vec<u32> = it.call("GetState", &())?;
        let has = |bit: u32| bits.get(bit as usize / 32).is_some_and(|word| word & (1 << (bit % 32)) != 0);
        let number: u32 = it.call("GetRole", &())?;
        let named = ROLES.iter().find(|(role, _)| *role == number);
        self.nodes.push(Node {
            depth,
            role: named.map_or_else(|| number.to_string(), |(_, name)| (*name).to_owned()),
            name: it.get_property("Name")?,
            states: STATES.iter().filter(|(bit, _)| has(*bit)).map(|(_, name)| *name).collect(),
            attributes: it.call("GetAttributes", &()).unwrap_or_default(),
        });
        let mut children: Vec<Place> = it.call("GetChildren", &())?;
        // The page belongs to another process: GTK does not list it, but gives it by its index.
        if children.is_empty()
            && let Ok(page) = it.call::<_, _, Place>("GetChildAtIndex", &0)
            && !page.1.as_str().ends_with("/null")
        {
            children.push(page);
        }
        // An element that was removed meanwhile gives an error.
        for child in &children {
            let _gone = self.descend(bus, child, depth + 1);
        }
        Ok(())
    }

    /// Reads the tree until it meets a condition.
    pub async fn until(what: &str, condition: impl Fn(&Self) -> bool) -> Self {
        settled(&format!("{what} in the accessibility tree"), || async {
            let tree = tokio::task::block_in_place(Self::now).map_err(|error| error.to_string())?;
            if condition(&tree) { Ok(tree) } else { Err(tree.to_string()) }
        })
        .await
    }

    /// Returns the first element of a role whose name begins with `name`.
    pub fn find(&self, role: &str, name: &str) -> Option<&Node> {
        self.with_role(role).into_iter().find(|node| node.name.starts_with(name))
    }

    /// Returns all elements of a role.
    pub fn with_role(&self, role: &str) -> Vec<&Node> {
        self.nodes.iter().filter(|node| node.role == role).collect()
    }
}

impl fmt::Display for AccessibilityTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for node in &self.nodes {
            let level = node.attribute("level").map(|level| format!(" level {level}")).unwrap_or_default();
            writeln!(f, "{}{} {:?}{level} {}", "  ".repeat(node.depth), node.role, node.name, node.states.join(" "))?;
        }
        Ok(())
    }
}
