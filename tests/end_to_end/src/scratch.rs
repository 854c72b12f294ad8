//! A library and a home folder for one test.

use crate::opml;
use gleaner_testserver::Server;
use std::{
    fs,
    future::Future,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// How long a test waits for a condition. A busy machine can be ten times slower, so this is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(90);

/// Folders for one test, removed when it ends.
pub struct Scratch {
    folder: TempDir,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Scratch {
    /// Creates an empty home without a library. Its browser only records the addresses that it is asked to open.
    pub fn new() -> Self {
        let scratch = Self { folder: tempfile::tempdir().unwrap() };
        for name in ["home", "bin"] {
            fs::create_dir(scratch.path(name)).unwrap();
        }
        let browser = scratch.path("bin/xdg-open");
        fs::write(&browser, format!("#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\n", scratch.path("opened").display()))
            .unwrap();
        fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
        scratch
    }

    /// Returns the path of a file or folder in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the library's folder.
    pub fn library(&self) -> PathBuf {
        self.path("library")
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Returns the addresses that the system's browser was asked to open.
    pub fn opened(&self) -> Vec<String> {
        fs::read_to_string(self.path("opened")).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// Returns the environment for every program that is started.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let home = self.path("home").display().to_string();
        let mut variables = vec![
            ("GLEANER_LIBRARY", self.library().display().to_string()),
            ("HOME", home.clone()),
            ("XDG_DATA_HOME", format!("{home}/data")),
            ("XDG_CONFIG_HOME", format!("{home}/config")),
            ("XDG_CACHE_HOME", format!("{home}/cache")),
            ("PATH", format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap_or_default())),
            ("LANG", "C.UTF-8".to_owned()),
            ("TZ", "UTC".to_owned()),
        ];
        // WebKit's driver takes screenshots of an idle window only if layers are composed.
        if std::env::var_os("GLEANER_SCREENSHOTS").is_some() {
            variables.push(("WEBKIT_DISABLE_COMPOSITING_MODE", "0".to_owned()));
        }
        variables
    }

    /// Runs `glean` on the library. The window may be open at the same time.
    pub fn glean(&self, words: &[&str]) -> Output {
        Command::new(program("GLEANER_GLEAN", "glean")).args(words).envs(self.environment()).output().unwrap()
    }

    /// Starts the program of the window once more, in the folder of the test, while a window is open on the library. Returns when
    /// it has ended, which it does after the open window has received the arguments.
    pub fn start_again(&self, words: &[&str]) -> Output {
        let program = program("GLEANER_WINDOW", "gleaner").canonicalize().unwrap();
        Command::new(program).args(words).envs(self.environment()).current_dir(self.folder.path()).output().unwrap()
    }

    /// Returns a program in place of a newer Gleaner, which reports the arguments that it was started with.
    pub fn reporting_program(&self) -> String {
        let report = self.path("started");
        format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{0}.part'\nmv '{0}.part' '{0}'\n", report.display())
    }

    /// Waits until that program was started. Returns its arguments, a line each.
    pub async fn reported(&self) -> String {
        let read = || async { fs::read_to_string(self.path("started")).map_err(|error| error.to_string()) };
        settled("the new program", read).await
    }

    /// Returns the output of `glean stats --json`.
    pub fn stats(&self) -> serde_json::Value {
        let output = self.glean(&["stats", "--json"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Imports feeds, each a title and an address.
    pub fn import(&self, feeds: &[(impl AsRef<str>, String)]) {
        let list = self.write("list.opml", &opml(feeds));
        assert!(self.glean(&["import", list.to_str().unwrap()]).status.success());
    }

    /// Imports and refreshes the feeds Barley, Oats and Rye, and Wheat in the folder Mill, which a server has at `/Barley` and so on.
    pub fn import_granary(&self, server: &Server) {
        let outline = |name: &str| {
            format!("<outline type=\"rss\" text=\"{name}\" xmlUrl=\"{}\"/>", server.url(&format!("/{name}")))
        };
        let list = format!(
            "<opml version=\"2.0\"><head><title>T</title></head><body><outline text=\"Mill\">{}</outline>{}{}{}</body></opml>",
            outline("Wheat"),
            outline("Barley"),
            outline("Oats"),
            outline("Rye")
        );
        let list = self.write("list.opml", &list);
        assert!(self.glean(&["import", list.to_str().unwrap()]).status.success());
        assert!(self.glean(&["refresh", "--all"]).status.success());
    }
}

/// Returns the path of a program under test: from the environment, as `make test` sets it, or where cargo builds it.
pub fn program(variable: &str, name: &str) -> PathBuf {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/debug").join(name);
    std::env::var_os(variable).map_or_else(built, PathBuf::from)
}

/// Repeats an attempt until it succeeds. Panics with the last error after `PATIENCE`.
pub async fn settled<F: Future<Output = Result<T, String>>, T>(what: &str, mut attempt: impl FnMut() -> F) -> T {
    let started = Instant::now();
    loop {
        match attempt().await {
            Ok(value) => return value,
            Err(seen) if started.elapsed() > PATIENCE => {
                panic!("timed out waiting for {what}; last seen: {seen}")
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(30)).await,
        }
    }
}
