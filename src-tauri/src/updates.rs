//! Updates that Gleaner installs itself: the AppImage, and the packages of macOS and Windows. Only builds with the feature `updater` and
//! the project's key do that (docs/releasing.md). Other packages are updated by the system.

use crate::restart;
use futures::future::{self, Either};
use gleaner_app::UpdateError;
use gleaner_contract::UpdateProgress;
use parking_lot::{Mutex, MutexGuard};
use std::{
    io,
    path::PathBuf,
    pin::pin,
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};
use tauri::{AppHandle, Wry, plugin::TauriPlugin};
use tauri_plugin_updater::{Config, Error, Update, UpdaterExt as _};
use tokio::sync::Notify;
use url::Url;

/// How long the answer with the latest version may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// How long a connection, and each pause of a download, may take.
const SILENT_FOR: Duration = Duration::from_secs(60);
/// Maximum size of an update, in bytes: it is verified in memory.
const MAX_BYTES: i64 = 512 << 20;
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// The updates of this program.
pub struct Updates {
    /// The file to replace; `None` if this program does not update itself.
    program: Option<PathBuf>,
    latest: Mutex<Latest>,
}

/// The known data about the latest version.
#[derive(Default)]
struct Latest {
    /// When the server answered last.
    answered: Option<SystemTime>,
    /// The update that was found last.
    update: Option<Update>,
}

/// Returns Tauri's updater. Its settings are in `tauri.conf.json`; builds that update themselves add the project's key.
pub fn plugin() -> TauriPlugin<Wry, Config> {
    let builder = tauri_plugin_updater::Builder::new();
    match chosen("GLEANER_UPDATE_KEY") {
        Some(key) => builder.pubkey(key).build(),
        None => builder.build(),
    }
}

/// Whether this build knows the key that signs updates.
fn has_key(config: &tauri::Config) -> bool {
    let key = config.plugins.0.get("updater").and_then(|updater| updater["pubkey"].as_str());
    key.is_some_and(|key| !key.is_empty()) || chosen("GLEANER_UPDATE_KEY").is_some()
}

/// The test's replacement for the configuration, in builds for development.
fn chosen(name: &str) -> Option<String> {
    if cfg!(debug_assertions) { std::env::var(name).ok() } else { None }
}

/// On Linux only an AppImage can replace itself.
fn replaceable() -> Option<PathBuf> {
    if cfg!(target_os = "linux") { restart::image() } else { std::env::current_exe().ok() }
}

impl Updates {
    pub fn new(tauri: &AppHandle) -> Self {
        Self { program: if has_key(tauri.config()) { replaceable() } else { None }, latest: Mutex::default() }
    }

    pub fn is_on(&self) -> bool {
        self.program.is_some()
    }

    /// Returns the latest version if it is newer than this one. With `daily`, sends a request only if the last response is more than a day
    /// old: the window calls this whenever its page is loaded.
    pub async fn find(&self, tauri: &AppHandle, daily: bool) -> Result<Option<String>, UpdateError> {
        let program = self.program.as_ref().ok_or(UpdateError::BySystem)?;
        if daily && self.is_known_today() {
            return Ok(None);
        }
        let mut builder = tauri.updater_builder().executable_path(program).timeout(ANSWER_WITHIN);
        if let Some(address) = chosen("GLEANER_UPDATE_ADDRESS") {
            let address = Url::parse(&address).map_err(|error| UpdateError::Unreachable(error.to_string()))?;
            builder = builder.endpoints(vec![address]).map_err(reason)?;
        }
        let client = |client: reqwest::ClientBuilder| client.connect_timeout(SILENT_FOR).read_timeout(SILENT_FOR);
        let found = builder.configure_client(client).build().map_err(reason)?.check().await.map_err(reason)?;
        let version = found.as_ref().map(|update| update.version.clone());
        *self.latest() = Latest { answered: Some(SystemTime::now()), update: found };
        Ok(version)
    }

    /// If the clock was set back, a request is sent.
    fn is_known_today(&self) -> bool {
        self.latest().answered.is_some_and(|answered| answered.elapsed().is_ok_and(|elapsed| elapsed < DAY))
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock()
    }

    /// Downloads the update that was found, verifies it and replaces the program.
    pub async fn install(&self, mut progress: Box<dyn FnMut(UpdateProgress) + Send>) -> Result<(), UpdateError> {
        let program = self.program.as_ref().ok_or(UpdateError::BySystem)?;
        let found = self.latest().update.clone();
        let update = found.ok_or_else(|| UpdateError::Unreachable("no update was found before".to_owned()))?;
        let (mut received, too_large) = (0, Notify::new());
        let download = update.download(
            |bytes, total| {
                received += i64::try_from(bytes).unwrap_or(MAX_BYTES);
                if received > MAX_BYTES {
                    too_large.notify_one();
                }
                progress(UpdateProgress { received, total: total.and_then(|total| i64::try_from(total).ok()) });
            },
            || {},
        );
        let bytes = match future::select(pin!(download), pin!(too_large.notified())).await {
            Either::Left((bytes, _)) => bytes.map_err(reason)?,
            Either::Right(_) => return Err(UpdateError::Unreachable("the update is too large".to_owned())),
        };
        let program = program.clone();
        let waiting = Arc::new(());
        let cancelled = Cancelled(Arc::downgrade(&waiting));
        let replaced = tauri::async_runtime::spawn_blocking(move || replace(&program, &update, &bytes, &cancelled));
        replaced.await.map_err(|error| UpdateError::Failed(error.to_string()))?
    }
}

/// Informs the thread that replaces the program whether the user has cancelled.
struct Cancelled(Weak<()>);

impl Cancelled {
    fn check(&self) -> io::Result<()> {
        if self.0.strong_count() == 0 { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}

/// Puts a verified update in the place of the program. If the disk is full or the power fails, the old one stays.
#[cfg(target_os = "linux")]
fn replace(
    program: &std::path::Path,
    _update: &Update,
    bytes: &[u8],
    cancelled: &Cancelled,
) -> Result<(), UpdateError> {
    use std::{fs, io::Write as _};
    let mut name = program.as_os_str().to_owned();
    name.push(".new");
    let written = || {
        let mut file = fs::File::create(&name)?;
        file.write_all(bytes)?;
        file.set_permissions(fs::metadata(program)?.permissions())?;
        file.sync_all()?;
        cancelled.check()?;
        fs::rename(&name, program)
    };
    written().map_err(|error| {
        // The incomplete file is useless. It may not exist.
        let _unfinished = fs::remove_file(&name);
        UpdateError::Failed(error.to_string())
    })
}

/// Puts a verified update in the place of the program. On Windows its installer ends this process.
#[cfg(not(target_os = "linux"))]
fn replace(
    _program: &std::path::Path,
    update: &Update,
    bytes: &[u8],
    cancelled: &Cancelled,
) -> Result<(), UpdateError> {
    cancelled.check().map_err(|error| UpdateError::Failed(error.to_string()))?;
    update.install(bytes).map_err(reason)
}

fn reason(error: Error) -> UpdateError {
    let text = error.to_string();
    match error {
        Error::Minisign(_)
        | Error::Base64(_)
        | Error::SignatureUtf8(_)
        | Error::SignedVersionMismatch { .. }
        | Error::MissingSignedVersion => UpdateError::Untrusted(text),
        Error::Reqwest(_)
        | Error::Network(_)
        | Error::ReleaseNotFound
        | Error::Serialization(_)
        | Error::Semver(_)
        | Error::TargetNotFound(_)
        | Error::TargetsNotFound(_) => UpdateError::Unreachable(text),
        _ => UpdateError::Failed(text),
    }
}
