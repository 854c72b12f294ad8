//! A message bus for a test.
#![allow(clippy::unwrap_used)]

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};
use zbus::connection::Builder;

/// A bus of our own. It ends with the test.
pub struct Bus {
    daemon: Child,
    pub address: String,
}

impl Bus {
    pub fn start() -> Self {
        let mut daemon = Command::new("dbus-daemon");
        daemon.args(["--session", "--nofork", "--nosyslog", "--print-address=1"]).stdout(Stdio::piped());
        let mut daemon = daemon.spawn().unwrap();
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { daemon, address: address.trim().to_owned() }
    }

    pub fn connect(&self) -> Builder<'_> {
        Builder::address(self.address.as_str()).unwrap()
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        self.daemon.kill().unwrap();
        self.daemon.wait().unwrap();
    }
}
