//! What a screen reader hears: the tree of the window on the accessibility bus (AT-SPI).

use crate::settled;
use std::{collections::HashMap, fmt};
use zbus::{
    blocking::{Connection, Proxy, connection::Builder},
    zvariant::OwnedObjectPath,
};

/// Names of states by their bits (AtspiStateType), of those that are looked at here.
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

/// Names of roles by their numbers (AtspiRole), of those that are looked at here: WebKit gives them no others.
const ROLES: [(u32, &str); 16] = [
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
    (88, "link"),
    (91, "tree item"),
    (95, "document"),
    (98, "list box"),
];

/// Something that is read out.
#[derive(Debug, Clone)]
pub struct Node {
    /// How far below the program.
    pub depth: usize,
    /// As `ROLES` calls it, else its number.
    pub role: String,
    /// What it is called.
    pub name: String,
    /// Of the states that are looked at, those it is in.
    pub states: Vec<&'static str>,
    /// Such as its level in a tree.
    pub attributes: HashMap<String, String>,
}

impl Node {
    /// Whether it is in a state.
    pub fn is(&self, state: &str) -> bool {
        self.states.contains(&state)
    }

    /// What an attribute is worth.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// All that can be heard at one moment, in its order.
#[derive(Debug)]
pub struct Heard {
    /// In the order of the page.
    pub nodes: Vec<Node>,
}

/// Says that somebody listens, as a screen reader does when it starts; false where there is no bus for it.
pub fn listen() -> bool {
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

impl Heard {
    /// Listens to the one program there is, now.
    fn now() -> zbus::Result<Self> {
        let bus = bus()?;
        let root: Place =
            ("org.a11y.atspi.Registry".to_owned(), OwnedObjectPath::try_from("/org/a11y/atspi/accessible/root")?);
        let mut heard = Self { nodes: Vec::new() };
        let programs: Vec<Place> = accessible(&bus, &root)?.call("GetChildren", &())?;
        for program in &programs {
            let name: String = accessible(&bus, program)?.get_property("Name")?;
            if name.to_lowercase().contains("gleaner") {
                heard.descend(&bus, program, 0)?;
            }
        }
        Ok(heard)
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
        // The page is another process's: GTK names it only to those who ask for it by its number.
        if children.is_empty()
            && let Ok(page) = it.call::<_, _, Place>("GetChildAtIndex", &0)
            && !page.1.as_str().ends_with("/null")
        {
            children.push(page);
        }
        // What goes while it is read is not there any more.
        for child in &children {
            let _gone = self.descend(bus, child, depth + 1);
        }
        Ok(())
    }

    /// Listens until something can be heard.
    pub async fn until(what: &str, there: impl Fn(&Self) -> bool) -> Self {
        settled(&format!("{what}, read out"), || async {
            let heard = tokio::task::block_in_place(Self::now).map_err(|error| error.to_string())?;
            if there(&heard) { Ok(heard) } else { Err(heard.to_string()) }
        })
        .await
    }

    /// The first of a role whose name is this or begins with it.
    pub fn find(&self, role: &str, name: &str) -> Option<&Node> {
        self.named(role).into_iter().find(|node| node.name.starts_with(name))
    }

    /// All of a role.
    pub fn named(&self, role: &str) -> Vec<&Node> {
        self.nodes.iter().filter(|node| node.role == role).collect()
    }
}

impl fmt::Display for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for node in &self.nodes {
            let level = node.attribute("level").map(|level| format!(" level {level}")).unwrap_or_default();
            writeln!(f, "{}{} {:?}{level} {}", "  ".repeat(node.depth), node.role, node.name, node.states.join(" "))?;
        }
        Ok(())
    }
}
