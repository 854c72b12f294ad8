use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is fetched before anybody asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct AheadWish {
    /// The full text, from the article's own page.
    pub text: bool,
    pub pictures: bool,
}

/// What is wished of all feeds and of starred articles, and how much room it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AheadSettings {
    /// Of feeds that say nothing of their own.
    pub all: AheadWish,
    /// Of starred articles, whatever their feed.
    pub starred: AheadWish,
    /// Bytes of all pictures together.
    pub room: i64,
    /// Bytes of one picture.
    pub largest: i64,
    /// Nothing is fetched for now.
    pub paused: bool,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct AheadState {
    pub settings: AheadSettings,
    /// Texts and articles' pictures that are to be fetched.
    pub waiting: i64,
    /// Those that were given up.
    pub failed: i64,
    pub texts: i64,
    pub pictures: i64,
    /// Of the pictures.
    pub bytes: i64,
    pub running: bool,
}

/// Sent as an event while something is fetched ahead, and once at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct AheadProgress {
    pub running: bool,
    pub texts: i64,
    pub pictures: i64,
    pub failed: i64,
    /// Still to be fetched now.
    pub left: i64,
    /// This machine is off the network: the rest waits.
    pub offline: bool,
    /// Another process is polling: nothing was done.
    pub elsewhere: bool,
}

/// Opens an article with the one or the other of its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct ShowText {
    pub id: i64,
    pub full: bool,
}

/// A picture that needs no network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct KeptPicture {
    /// As the article names it.
    pub url: String,
    /// Where the window has it from.
    pub here: String,
}
