//! A real Coldsweat, a server with the Fever API. `COLDSWEAT_BIN` names the `bin` folder of a virtual environment with Coldsweat.

use super::Running;
use std::path::{Path, PathBuf};

/// A running Coldsweat; it ends when this is dropped.
pub struct Coldsweat(Running);

impl Coldsweat {
    /// Name of its user.
    pub const USER: &str = "alice@example.com";
    /// Password of its user.
    pub const PASSWORD: &str = "secret-password";

    /// Starts a server with the feeds of an OPML list; `None` without the script or the packages. Blocks.
    ///
    /// # Panics
    /// If it does not start.
    #[must_use]
    pub fn start(list: &str) -> Option<Self> {
        let running = Running::of("coldsweat-up.sh")?;
        if !Path::new(&std::env::var_os("COLDSWEAT_BIN")?).join("coldsweat").exists() {
            return None;
        }
        let server = Self(running);
        std::fs::write(server.list(), list).unwrap();
        server.up();
        Some(server)
    }

    /// Starts it again after [`Self::down`]. Blocks.
    ///
    /// # Panics
    /// If it does not start.
    pub fn up(&self) {
        let started = self.run("up");
        assert!(started.contains("up: http"), "the server did not start: {started}");
    }

    /// Ends the server; what it has stays. Blocks.
    pub fn down(&self) {
        self.run("down");
    }

    /// Returns the address of the server as a user enters it.
    #[must_use]
    pub fn address(&self) -> String {
        self.0.address()
    }

    fn list(&self) -> PathBuf {
        self.0.folder.path().join("list.opml")
    }

    fn run(&self, command: &str) -> String {
        self.0.run(command, self.list(), &[])
    }
}

impl Drop for Coldsweat {
    fn drop(&mut self) {
        self.down();
    }
}
