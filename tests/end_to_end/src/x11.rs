//! The window as the X server and its frame see it: whether it is visible, and how it is closed.

use crate::{Window, settled};
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};
use x11rb::{
    connection::Connection as _,
    properties::WmSizeHints,
    protocol::{
        xproto::{
            AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ClientMessageEvent, ConnectionExt as _, EventMask,
            ImageFormat, InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, MapState, Window as Id,
        },
        xtest::ConnectionExt as _,
    },
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
        self.titled("Gleaner")
    }

    /// Returns whether a window of the process with this title is on the screen.
    pub fn is_titled_on_screen(&self, title: &str) -> bool {
        self.titled(title).is_ok_and(|shown| shown.visible)
    }

    fn titled(&self, title: &str) -> Result<Shown, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let (server, screen) = x11rb::connect(None).map_err(|error| text(&error))?;
        let root = server.setup().roots[screen].root;
        let atom = |name: &str| -> Result<u32, String> {
            let reply = server.intern_atom(false, name.as_bytes()).map_err(|error| text(&error))?.reply();
            Ok(reply.map_err(|error| text(&error))?.atom)
        };
        let (pid, protocols, leader) = (atom("_NET_WM_PID")?, atom("WM_PROTOCOLS")?, atom("WM_CLIENT_LEADER")?);
        let tree = server.query_tree(root).map_err(|error| text(&error))?.reply().map_err(|error| text(&error))?;
        let numbers = |id: Id, property: u32, kind: AtomEnum| -> Vec<u32> {
            let asked = server.get_property(false, id, property, kind, 0, 16).ok().and_then(|asked| asked.reply().ok());
            asked.and_then(|found| found.value32().map(Iterator::collect)).unwrap_or_default()
        };
        for id in tree.children {
            let ours = numbers(id, pid, AtomEnum::CARDINAL) == [self.pid];
            // GTK's own, invisible window has the name of the program.
            let is_leader = numbers(id, leader, AtomEnum::WINDOW) == [id];
            let titled = server
                .get_property(false, id, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 64)
                .ok()
                .and_then(|asked| asked.reply().ok())
                .is_some_and(|name| name.value == title.as_bytes());
            if ours && titled && !is_leader && !numbers(id, protocols, AtomEnum::ATOM).is_empty() {
                let attributes = server.get_window_attributes(id).map_err(|error| text(&error))?.reply();
                let visible = attributes.map_err(|error| text(&error))?.map_state == MapState::VIEWABLE;
                return Ok(Shown { server, id, visible });
            }
        }
        Err(format!("the window {title:?} is not on the screen"))
    }

    /// Returns the place that the window asks for when it is shown; without one, a window manager chooses it.
    pub fn asks_for_place(&self) -> Option<(i32, i32)> {
        let Shown { server, id, .. } = self.on_screen().unwrap();
        let hints = WmSizeHints::get_normal_hints(&server, id).unwrap().reply().unwrap();
        hints.and_then(|hints| hints.position).map(|(_, x, y)| (x, y))
    }

    /// Asks the window to close, as its frame does when the user clicks its close button.
    pub fn request_close(&self) {
        let shown = self.on_screen().unwrap();
        let atom = |name: &str| shown.server.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        let message =
            ClientMessageEvent::new(32, shown.id, atom("WM_PROTOCOLS"), [atom("WM_DELETE_WINDOW"), 0, 0, 0, 0]);
        shown.server.send_event(false, shown.id, EventMask::NO_EVENT, message).unwrap().check().unwrap();
    }

    /// Clicks a button with the mouse of the X server. A click by WebDriver would wait for a window that the click hides or closes.
    pub async fn click_on_screen(&self, name: &str) {
        self.use_mouse("button", name, 1).await;
    }

    /// Clicks something with the right button of the X server's mouse.
    pub async fn right_click_on_screen(&self, role: &str, name: &str) {
        self.use_mouse(role, name, 3).await;
    }

    /// Presses a button of the X server's mouse on something: 8 is "back" and 9 "forward".
    pub async fn press_mouse_on_screen(&self, role: &str, name: &str, button: u8) {
        self.use_mouse(role, name, button).await;
    }

    async fn use_mouse(&self, role: &str, name: &str, button: u8) {
        self.find(role, name).await;
        let centre = "const at = __e2e.all(arguments[0], arguments[1])[0].getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2]";
        let centre = self.script(centre, vec![json!(role), json!(name)]).await.unwrap();
        let pixel = |index: usize| centre[index].as_f64().unwrap() as i16;
        self.use_mouse_at(pixel(0), pixel(1), button);
    }

    /// Clicks a place of the window, in pixels of the screen, with the right button of the X server's mouse.
    pub fn right_click_at(&self, x: f64, y: f64) {
        self.use_mouse_at(x as i16, y as i16, 3);
    }

    fn use_mouse_at(&self, x: i16, y: i16, button: u8) {
        let Shown { server, id, .. } = self.on_screen().unwrap();
        let root = server.setup().roots[0].root;
        let at = server.translate_coordinates(id, root, x, y).unwrap().reply().unwrap();
        for (kind, button) in [(MOTION_NOTIFY_EVENT, 0), (BUTTON_PRESS_EVENT, button), (BUTTON_RELEASE_EVENT, button)] {
            server.xtest_fake_input(kind, button, 0, root, at.dst_x, at.dst_y, 0).unwrap().check().unwrap();
        }
    }

    /// Presses keys together on the keyboard of the X server, as GTK and the page see them. WebDriver's keys reach the page only.
    pub fn press_on_screen(&self, symbols: &[u32]) {
        self.press_in("Gleaner", symbols);
    }

    /// Gives the focus to the window with this title.
    pub fn focus(&self, title: &str) {
        let Shown { server, id, .. } = self.titled(title).unwrap();
        server.set_input_focus(InputFocus::POINTER_ROOT, id, 0_u32).unwrap().check().unwrap();
    }

    /// Presses keys together in the window with this title, as [`Self::press_on_screen`] does.
    pub fn press_in(&self, title: &str, symbols: &[u32]) {
        self.focus(title);
        let Shown { server, .. } = self.titled(title).unwrap();
        let root = server.setup().roots[0].root;
        let (first, last) = (server.setup().min_keycode, server.setup().max_keycode);
        let mapping = server.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let rows = || mapping.keysyms.chunks(usize::from(mapping.keysyms_per_keycode));
        let code = |symbol: &u32| first + u8::try_from(rows().position(|row| row[0] == *symbol).unwrap()).unwrap();
        let codes: Vec<u8> = symbols.iter().map(code).collect();
        let pressed = codes.iter().map(|code| (KEY_PRESS_EVENT, *code));
        for (kind, code) in pressed.chain(codes.iter().rev().map(|code| (KEY_RELEASE_EVENT, *code))) {
            server.xtest_fake_input(kind, code, 0, root, 0, 0, 0).unwrap().check().unwrap();
        }
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

/// Watches the screen for light areas, such as a window that is white before its page is drawn.
pub struct LightWatch {
    ended: Arc<AtomicBool>,
    watching: JoinHandle<f64>,
}

impl LightWatch {
    /// Hides windows that other tests left on the screen, and begins to watch.
    pub fn start() -> Self {
        clear_screen();
        let ended = Arc::new(AtomicBool::new(false));
        let until = ended.clone();
        let watching = std::thread::spawn(move || {
            let (server, screen) = x11rb::connect(None).unwrap();
            let screen = server.setup().roots[screen].clone();
            let mut most = 0.0_f64;
            while !until.load(Ordering::Relaxed) {
                for part in 1..4 {
                    let y = i16::try_from(screen.height_in_pixels / 4 * part).unwrap();
                    let line = server
                        .get_image(ImageFormat::Z_PIXMAP, screen.root, 0, y, screen.width_in_pixels, 1, !0)
                        .unwrap()
                        .reply()
                        .unwrap();
                    let light =
                        line.data.chunks_exact(4).filter(|pixel| pixel[..3].iter().all(|&part| part > 160)).count();
                    most = most.max(light as f64 / f64::from(screen.width_in_pixels));
                }
            }
            most
        });
        Self { ended, watching }
    }

    /// Ends watching, and returns the largest share of light pixels in a line of the screen at any time.
    pub fn end(self) -> f64 {
        self.ended.store(true, Ordering::Relaxed);
        self.watching.join().unwrap()
    }
}

/// Hides all windows of the screen.
fn clear_screen() {
    let (server, screen) = x11rb::connect(None).unwrap();
    let root = server.setup().roots[screen].root;
    for id in server.query_tree(root).unwrap().reply().unwrap().children {
        // One that ends meanwhile is no longer on the screen either.
        if server.unmap_window(id).unwrap().check().is_err() {
            println!("window {id} is gone");
        }
    }
}
