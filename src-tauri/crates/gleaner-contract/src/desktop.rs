//! Services of the desktop: the tray, starting at login, updates. Also where the library is.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What happens when the user closes the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OnClose {
    /// Asks the user, if there is a tray.
    #[default]
    Ask,
    /// Gleaner stays in the tray.
    Background,
    Quit,
}

/// How Gleaner starts when the user logs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LoginStart {
    Off,
    /// With its window.
    Window,
    /// In the tray.
    Background,
}

/// What Gleaner can do on this desktop besides its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct DesktopState {
    /// Whether there is a tray.
    pub tray: bool,
    /// `null` if Gleaner cannot start at login.
    pub login_start: Option<LoginStart>,
    /// Whether Gleaner updates itself. The packages of a system are updated by its package manager.
    pub updates_itself: bool,
}

/// How much of an update is downloaded, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct UpdateProgress {
    pub received: i64,
    /// `null` if the server does not state it.
    pub total: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct SetLoginStart {
    pub login_start: LoginStart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct FindUpdate {
    /// Send a request only if the last response is more than a day old, and return `null` otherwise.
    pub daily: bool,
}

/// The user's answer to the event `close_requested`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CloseAnswer {
    /// Stay in the tray, also in future.
    Background,
    /// Quit, also in future.
    Quit,
    /// Quit this time.
    QuitOnce,
    /// Leave the window open.
    Cancel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct AnswerClose {
    pub answer: CloseAnswer,
}

/// About this program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct About {
    pub version: String,
    /// The library's folder.
    pub library: String,
    /// Size of the library's folder.
    pub bytes: i64,
    /// Whether the licences of the software in Gleaner are installed.
    pub licences: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ShownFolder {
    /// The library, with the log.
    Library,
    Licences,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct ShowFolder {
    pub folder: ShownFolder,
}
