//! A real Tiny Tiny RSS, with PHP and PostgreSQL.

use super::{free_port, runs, script};
use std::{os::unix::fs::PermissionsExt, path::PathBuf, process::Command};
use tempfile::TempDir;

/// A running Tiny Tiny RSS; it ends when this is dropped.
pub struct TtRss {
    script: PathBuf,
    folder: TempDir,
    port: u16,
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
        let (script, php) = (script("ttrss-up.sh")?, runs("php", "--version"));
        if !php || !runs("psql", "--version") {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        // The database runs as another user.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        // The script also uses the next port.
        let server = Self { script, folder, port: free_port(), proxy };
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
        format!("http://127.0.0.1:{}/", self.port)
    }

    fn run(&self, command: &str) -> String {
        let mut run = Command::new("bash");
        run.arg(&self.script).args([command, &self.port.to_string()]).arg(self.folder.path().join("server"));
        let done = run.arg(Self::PASSWORD).env("FEEDS_PROXY", &self.proxy).output().unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr)
    }
}

impl Drop for TtRss {
    fn drop(&mut self) {
        self.run("down");
    }
}
