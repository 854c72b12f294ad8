//! A real Tiny Tiny RSS, with PHP and PostgreSQL.

use super::{Running, runs};
use std::os::unix::fs::PermissionsExt;

/// A running Tiny Tiny RSS; it ends when this is dropped.
pub struct TtRss {
    running: Running,
    proxy: String,
}

impl TtRss {
    /// Name of its user.
    pub const USER: &str = "admin";
    /// Password of its user.
    pub const PASSWORD: &str = "sesame";

    /// Starts a server that fetches feeds through this proxy; `None` without the script or the packages. Blocks.
    ///
    /// # Panics
    /// If it does not start.
    #[must_use]
    pub fn start(proxy: String) -> Option<Self> {
        let running = Running::of("ttrss-up.sh")?;
        if !runs("php", "--version") || !runs("psql", "--version") {
            return None;
        }
        // The database runs as another user.
        std::fs::set_permissions(running.folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let server = Self { running, proxy };
        let started = server.run("up");
        assert!(started.contains("session_id"), "the server did not start: {started}");
        Some(server)
    }

    /// Fetches all feeds that are due. Blocks.
    pub fn refresh(&self) {
        self.run("refresh");
    }

    /// Returns the address of the server as a user enters it.
    #[must_use]
    pub fn address(&self) -> String {
        self.running.address()
    }

    fn run(&self, command: &str) -> String {
        self.running.run(command, Self::PASSWORD, &[("FEEDS_PROXY", &self.proxy)])
    }
}

impl Drop for TtRss {
    fn drop(&mut self) {
        self.run("down");
    }
}
