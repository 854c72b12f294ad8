//! A real Coldsweat, a server with the Fever API. `COLDSWEAT_BIN` names the `bin` folder of a virtual environment with Coldsweat.

use super::{free_port, script};
use std::{
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A running Coldsweat; it ends when this is dropped.
pub struct Coldsweat {
    script: PathBuf,
    folder: TempDir,
    port: u16,
}

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
        let script = script("coldsweat-up.sh")?;
        if !Path::new(&std::env::var_os("COLDSWEAT_BIN")?).join("coldsweat").exists() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("list.opml"), list).unwrap();
        let server = Self { script, folder, port: free_port() };
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
        format!("http://127.0.0.1:{}/", self.port)
    }

    fn run(&self, command: &str) -> String {
        let mut run = Command::new("bash");
        run.arg(&self.script).args([command, &self.port.to_string()]).arg(self.folder.path().join("server"));
        let done = run.arg(self.folder.path().join("list.opml")).output().unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr)
    }
}

impl Drop for Coldsweat {
    fn drop(&mut self) {
        self.down();
    }
}
