//! The window as the X server and its frame see it: whether it is visible, and how it is closed.

use crate::{Window, settled};
use x11rb::{
    connection::Connection as _,
    protocol::xproto::{AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, MapState, Window as Id},
    rust_connection::RustConnection,
};

/// A window of the program, and the server that shows it.
struct Shown {
    server: RustConnection,
    id: Id,
    visible: bool,
}

impl Window {
    /// Finds the window among those of its process: the one with a title that a frame could close.
    fn on_screen(&self) -> Result<Shown, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let (server, screen) = x11rb::connect(None).map_err(|error| text(&error))?;
        let root = server.setup().roots[screen].root;
        let atom = |name: &str| -> Result<u32, String> {
            let reply = server.intern_atom(false, name.as_bytes()).map_err(|error| text(&error))?.reply();
            Ok(reply.map_err(|error| text(&error))?.atom)
        };
        let (pid, protocols) = (atom("_NET_WM_PID")?, atom("WM_PROTOCOLS")?);
        let tree = server.query_tree(root).map_err(|error| text(&error))?.reply().map_err(|error| text(&error))?;
        let numbers = |id: Id, property: u32, kind: AtomEnum| -> Vec<u32> {
            let asked = server.get_property(false, id, property, kind, 0, 16).ok().and_then(|asked| asked.reply().ok());
            asked.and_then(|found| found.value32().map(Iterator::collect)).unwrap_or_default()
        };
        for id in tree.children {
            let ours = numbers(id, pid, AtomEnum::CARDINAL) == [self.pid];
            let titled = server
                .get_property(false, id, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 64)
                .ok()
                .and_then(|asked| asked.reply().ok())
                .is_some_and(|name| name.value == b"Gleaner");
            if ours && titled && !numbers(id, protocols, AtomEnum::ATOM).is_empty() {
                let attributes = server.get_window_attributes(id).map_err(|error| text(&error))?.reply();
                let visible = attributes.map_err(|error| text(&error))?.map_state == MapState::VIEWABLE;
                return Ok(Shown { server, id, visible });
            }
        }
        Err("the window is not on the screen".to_owned())
    }

    /// Asks the window to close, as its frame does when the user clicks its close button.
    pub fn request_close(&self) {
        let shown = self.on_screen().unwrap();
        let atom = |name: &str| shown.server.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        let message =
            ClientMessageEvent::new(32, shown.id, atom("WM_PROTOCOLS"), [atom("WM_DELETE_WINDOW"), 0, 0, 0, 0]);
        shown.server.send_event(false, shown.id, EventMask::NO_EVENT, message).unwrap().check().unwrap();
    }

    /// Returns whether the window is on the screen.
    pub fn is_visible(&self) -> bool {
        self.on_screen().is_ok_and(|shown| shown.visible)
    }

    /// Waits until the window is hidden.
    pub async fn hidden(&self) {
        settled("the window to hide", || async { if self.is_visible() { Err("visible".to_owned()) } else { Ok(()) } })
            .await;
    }

    /// Waits until the window is on the screen.
    pub async fn shown(&self) {
        settled("the window to show", || async { if self.is_visible() { Ok(()) } else { Err("hidden".to_owned()) } })
            .await;
    }
}
