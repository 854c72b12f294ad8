//! The size, position and theme of the window, stored in the library's folder so that the next start uses them before the library is
//! open.

use gleaner_contract::Theme;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use tauri::{Manager as _, WebviewWindow, async_runtime};

/// The file in the library's folder.
const FILE: &str = "window.json";
/// Maximum size of the file, in bytes.
const MAX_FILE: u64 = 4096;
/// How long the window must stay in its place before the place is stored. It is stored soon, because a logout ends the program without
/// notice.
const QUIET: Duration = Duration::from_millis(500);
/// Part of the window that must be on a screen, in logical pixels, so that the mouse can reach it.
const REACHABLE: f64 = 100.0;

/// The place of the window. Lengths are in logical pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Geometry {
    /// Of the content, when the window is not maximised.
    pub width: f64,
    /// Of the content, when the window is not maximised.
    pub height: f64,
    /// Of the top left corner; `None` if the system decides, as on Wayland.
    pub position: Option<(f64, f64)>,
    /// Whether the window fills the screen.
    pub maximised: bool,
    /// The theme in the settings, for the first frame.
    #[serde(default)]
    pub theme: Theme,
    /// Width and height of the last window that showed one article.
    #[serde(default)]
    pub article: Option<(f64, f64)>,
}

impl Default for Geometry {
    fn default() -> Self {
        Self { width: 1280.0, height: 820.0, position: None, maximised: false, theme: Theme::System, article: None }
    }
}

fn is_size((width, height): (f64, f64)) -> bool {
    (100.0..1e5).contains(&width) && (100.0..1e5).contains(&height)
}

/// A screen: left, top, width and height in logical pixels.
pub type Screen = (f64, f64, f64, f64);

impl Geometry {
    /// Reads the geometry of the last window on a library. A file that is missing, damaged or out of range counts as none.
    pub fn read(folder: &Path) -> Self {
        let read = || -> Option<Self> {
            let path = folder.join(FILE);
            let small = fs::metadata(&path).ok()?.len() <= MAX_FILE;
            serde_json::from_slice(&fs::read(path).ok().filter(|_| small)?).ok()
        };
        read().filter(Self::is_sound).unwrap_or_default()
    }

    fn is_sound(&self) -> bool {
        let on_plane = |(x, y): (f64, f64)| x.abs() < 1e5 && y.abs() < 1e5;
        is_size((self.width, self.height)) && self.position.is_none_or(on_plane) && self.article.is_none_or(is_size)
    }

    /// Returns the geometry for these screens: a window on a removed screen is placed by the system, and a window larger than all screens
    /// is made smaller. `least` are the smallest width and height of a window.
    pub fn fitted(mut self, screens: &[Screen], least: (f64, f64)) -> Self {
        let largest = |side: fn(&Screen) -> f64| screens.iter().map(side).fold(0.0, f64::max);
        if !screens.is_empty() {
            let screen = (largest(|screen| screen.2), largest(|screen| screen.3));
            self.width = self.width.min(screen.0);
            self.height = self.height.min(screen.1);
            self.article = self.article.map(|(width, height)| (width.min(screen.0), height.min(screen.1)));
        }
        self.width = self.width.max(least.0);
        self.height = self.height.max(least.1);
        let reachable = |(x, y): (f64, f64)| {
            screens.iter().any(|&(left, top, width, height)| {
                let visible = (x + self.width).min(left + width) - x.max(left);
                visible >= REACHABLE && y >= top - 1.0 && y <= top + height - REACHABLE
            })
        };
        self.position = self.position.filter(|position| reachable(*position));
        self
    }
}

/// Writes the geometry when it has changed.
pub struct Keeper {
    path: PathBuf,
    /// Where the window is, and what the file contains.
    state: Mutex<(Geometry, Option<Geometry>)>,
    /// Number of changes so far: of the main window, and of those that show one article.
    changes: [AtomicU64; 2],
}

impl Keeper {
    /// Keeps the geometry in the folder of a library, beginning with `now`.
    pub fn new(folder: &Path, now: Geometry) -> Self {
        Self { path: folder.join(FILE), state: Mutex::new((now, None)), changes: Default::default() }
    }

    /// Notes where the window is now.
    ///
    /// # Errors
    /// The window is closed.
    pub fn note(&self, window: &WebviewWindow) -> tauri::Result<()> {
        let (maximised, scale) = (window.is_maximized()?, window.scale_factor()?);
        let hidden = window.is_minimized()? || window.is_fullscreen()? || !window.is_visible()?;
        let size = window.inner_size()?.to_logical::<f64>(scale);
        // Not all systems report it.
        let position = window.outer_position().ok().map(|position| position.to_logical::<f64>(scale));
        if !hidden {
            let mut state = self.state.lock();
            state.0 = moved(state.0, maximised, (size.width, size.height), position.map(|at| (at.x, at.y)));
        }
        Ok(())
    }

    /// Notes the size of a window that shows one article.
    fn note_article(&self, window: &WebviewWindow) -> tauri::Result<()> {
        if window.is_maximized()? || window.is_minimized()? || window.is_fullscreen()? {
            return Ok(());
        }
        let size = window.inner_size()?.to_logical::<f64>(window.scale_factor()?);
        self.state.lock().0.article = Some((size.width, size.height)).filter(|size| is_size(*size));
        Ok(())
    }

    /// Notes the theme in the settings.
    pub fn note_theme(&self, theme: Theme) {
        self.state.lock().0.theme = theme;
    }

    /// Writes the geometry, if it is not written already.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self) -> io::Result<()> {
        let mut state = self.state.lock();
        if state.1 == Some(state.0) {
            return Ok(());
        }
        let unfinished = self.path.with_extension("json.new");
        fs::write(&unfinished, serde_json::to_vec(&state.0)?)?;
        #[cfg(unix)]
        fs::set_permissions(&unfinished, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        fs::rename(&unfinished, &self.path)?;
        state.1 = Some(state.0);
        Ok(())
    }
}

/// Returns the geometry after a change. A maximised window keeps the size and position that it returns to.
fn moved(before: Geometry, maximised: bool, (width, height): (f64, f64), position: Option<(f64, f64)>) -> Geometry {
    if maximised {
        return Geometry { maximised, ..before };
    }
    let now = Geometry { width, height, position, maximised, ..before };
    if now.is_sound() { now } else { before }
}

/// Returns the screens that the window can be on.
pub fn screens(tauri: &tauri::AppHandle) -> Vec<Screen> {
    let monitors = tauri.available_monitors().unwrap_or_default();
    let screen = |monitor: &tauri::Monitor| {
        let (at, size) = (
            monitor.position().to_logical::<f64>(monitor.scale_factor()),
            monitor.size().to_logical::<f64>(monitor.scale_factor()),
        );
        (at.x, at.y, size.width, size.height)
    };
    monitors.iter().map(screen).collect()
}

/// Returns where the window was last.
pub fn stored(tauri: &tauri::AppHandle) -> Geometry {
    let keeper = tauri.try_state::<Keeper>();
    keeper.map(|keeper| keeper.state.lock().0).unwrap_or_default()
}

/// Notes the theme, and writes it.
pub fn keep_theme(tauri: &tauri::AppHandle, theme: Theme) {
    if let Some(keeper) = tauri.try_state::<Keeper>() {
        keeper.note_theme(theme);
        write(&keeper);
    }
}

fn is_article(label: &str) -> bool {
    label.starts_with("article-")
}

/// Records the place of the window with this label, or the size of a window that shows an article, and writes it: at once if `now`, or else
/// as soon as the window stops moving. While it moves, the system reports some of its properties before others: a window that is being
/// maximised already has the place of a maximised one, but is not reported as maximised.
pub fn keep(tauri: &tauri::AppHandle, window: &str, now: bool) {
    let Some(keeper) = tauri.try_state::<Keeper>() else { return };
    let kind = usize::from(is_article(window));
    let change = keeper.changes[kind].fetch_add(1, Ordering::Relaxed) + 1;
    if now {
        note(tauri, &keeper, window);
        return;
    }
    let (tauri, window) = (tauri.clone(), window.to_owned());
    async_runtime::spawn(async move {
        // pause: nothing says when a series of changes ends.
        tokio::time::sleep(QUIET).await;
        let settled = move |tauri: &tauri::AppHandle| {
            if let Some(keeper) = tauri.try_state::<Keeper>()
                && keeper.changes[kind].load(Ordering::Relaxed) == change
            {
                note(tauri, &keeper, &window);
            }
        };
        let handle = tauri.clone();
        if let Err(error) = tauri.run_on_main_thread(move || settled(&handle)) {
            tracing::debug!(%error, "the window is gone");
        }
    });
}

fn note(tauri: &tauri::AppHandle, keeper: &Keeper, window: &str) {
    let note = if is_article(window) { Keeper::note_article } else { Keeper::note };
    if let Some(window) = tauri.get_webview_window(window)
        && let Err(error) = note(keeper, &window)
    {
        tracing::debug!(%error, "the place of the window is not known");
    }
    write(keeper);
}

fn write(keeper: &Keeper) {
    if let Err(error) = keeper.write() {
        tracing::warn!(%error, "the place of the window was not stored");
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const SCREEN: Screen = (0.0, 0.0, 1920.0, 1080.0);
    const LEAST: (f64, f64) = (480.0, 400.0);

    fn at(x: f64, y: f64) -> Geometry {
        Geometry { width: 900.0, height: 700.0, position: Some((x, y)), ..Geometry::default() }
    }

    #[test]
    fn the_geometry_is_read_as_it_was_written_and_damaged_files_count_as_none() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Geometry::read(folder.path()), Geometry::default());
        let geometry = Geometry { maximised: true, ..at(-40.0, 20.5) };
        let keeper = Keeper::new(folder.path(), geometry);
        keeper.write().unwrap();
        assert_eq!(Geometry::read(folder.path()), geometry);
        keeper.note_theme(Theme::Dark);
        keeper.write().unwrap();
        assert_eq!(Geometry::read(folder.path()), Geometry { theme: Theme::Dark, ..geometry });
        keeper.state.lock().0.article = Some((700.0, 900.0));
        keeper.write().unwrap();
        assert_eq!(Geometry::read(folder.path()).article, Some((700.0, 900.0)));
        let of_a_former_version = r#"{"width":900,"height":700,"position":null,"maximised":false}"#;
        fs::write(folder.path().join(FILE), of_a_former_version).unwrap();
        assert_eq!(Geometry::read(folder.path()), Geometry { position: None, ..at(0.0, 0.0) });
        for junk in [
            "",
            "[]",
            r#"{"width":1e9,"height":800,"position":null,"maximised":false}"#,
            r#"{"width":-1,"height":800,"position":null,"maximised":false}"#,
            r#"{"width":900,"height":800,"position":[1e7,0],"maximised":false}"#,
        ] {
            fs::write(folder.path().join(FILE), junk).unwrap();
            assert_eq!(Geometry::read(folder.path()), Geometry::default(), "{junk}");
        }
    }

    #[test]
    fn a_window_is_never_out_of_reach() {
        for fine in [at(0.0, 0.0), at(-700.0, 300.0), at(1800.0, 900.0)] {
            assert_eq!(fine.fitted(&[SCREEN], LEAST), fine);
        }
        for lost in [at(-850.0, 0.0), at(1900.0, 0.0), at(0.0, 1000.0), at(0.0, -200.0), at(2500.0, 100.0)] {
            assert_eq!(lost.fitted(&[SCREEN], LEAST).position, None, "{lost:?}");
        }
        let second = (1920.0, 0.0, 1280.0, 1024.0);
        assert_eq!(at(2500.0, 100.0).fitted(&[SCREEN, second], LEAST), at(2500.0, 100.0));
        let huge = Geometry { width: 5000.0, height: 200.0, article: Some((800.0, 4000.0)), ..at(0.0, 0.0) };
        let fitted = huge.fitted(&[SCREEN], LEAST);
        assert_eq!((fitted.width, fitted.height, fitted.article), (1920.0, 400.0, Some((800.0, 1080.0))));
        assert_eq!(at(9.0, 9.0).fitted(&[], LEAST).position, None);
    }

    #[test]
    fn a_maximised_window_keeps_the_size_that_it_returns_to() {
        let maximised = moved(at(10.0, 20.0), true, (1920.0, 1080.0), Some((0.0, 0.0)));
        assert_eq!(maximised, Geometry { maximised: true, ..at(10.0, 20.0) });
        assert_eq!(
            moved(maximised, false, (500.0, 600.0), None),
            Geometry { width: 500.0, height: 600.0, position: None, ..Geometry::default() }
        );
        assert_eq!(moved(at(10.0, 20.0), false, (0.0, 0.0), None), at(10.0, 20.0));
    }
}
