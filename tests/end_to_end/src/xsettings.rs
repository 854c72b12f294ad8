//! The settings of a desktop, as the window receives them on X11 (<https://specifications.freedesktop.org/xsettings-spec/>).

use x11rb::{
    connection::Connection as _,
    protocol::xproto::{
        ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, Window as Id, WindowClass,
    },
    rust_connection::RustConnection,
};

/// A desktop that reports its text scale, until this is dropped.
pub struct TextScaleSetting {
    server: RustConnection,
    id: Id,
    property: u32,
    serial: u32,
}

impl TextScaleSetting {
    /// Starts the desktop with a text scale.
    pub fn new(scale: f64) -> Self {
        let (server, screen) = x11rb::connect(None).unwrap();
        let atom = |name: &str| server.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        let (manager, selection, property) =
            (atom("MANAGER"), atom(&format!("_XSETTINGS_S{screen}")), atom("_XSETTINGS_SETTINGS"));
        let (root, id) = (server.setup().roots[screen].root, server.generate_id().unwrap());
        let look = CreateWindowAux::new();
        server.create_window(0, id, root, -1, -1, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &look).unwrap().check().unwrap();
        let mut desktop = Self { server, id, property, serial: 0 };
        desktop.set(scale);
        let Self { server, .. } = &desktop;
        server.set_selection_owner(id, selection, 0_u32).unwrap().check().unwrap();
        let message = ClientMessageEvent::new(32, root, manager, [0, selection, id, 0, 0]);
        server.send_event(false, root, EventMask::STRUCTURE_NOTIFY, message).unwrap().check().unwrap();
        desktop
    }

    /// Changes the text scale.
    pub fn set(&mut self, scale: f64) {
        self.serial += 1;
        let mut settings = vec![u8::from(cfg!(target_endian = "big")), 0, 0, 0];
        settings.extend(self.serial.to_ne_bytes());
        settings.extend(1_u32.to_ne_bytes());
        // A number (0), and the length of its name, which is padded to four bytes.
        settings.extend([0, 0]);
        settings.extend(7_u16.to_ne_bytes());
        settings.extend(*b"Xft/DPI\0");
        settings.extend(self.serial.to_ne_bytes());
        settings.extend(((96.0 * 1024.0 * scale) as i32).to_ne_bytes());
        let Self { server, id, property, .. } = self;
        let length = u32::try_from(settings.len()).unwrap();
        server
            .change_property(PropMode::REPLACE, *id, *property, *property, 8, length, &settings)
            .unwrap()
            .check()
            .unwrap();
    }
}
