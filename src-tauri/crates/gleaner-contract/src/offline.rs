//! Offline reading: its settings and downloads, and full texts.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The content to download for offline reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct OfflineContent {
    /// Full text, from the article's web page.
    pub text: bool,
    pub images: bool,
}

/// Settings of offline reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfflineSettings {
    /// Content for feeds without their own preference.
    pub all: OfflineContent,
    /// Content for starred articles of any feed.
    pub starred: OfflineContent,
    /// Maximum size of all images together, in bytes.
    pub max_total_bytes: i64,
    /// Maximum size of one image, in bytes.
    pub max_image_bytes: i64,
    /// Whether downloads are paused.
    pub paused: bool,
}

/// State of the downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct OfflineState {
    pub settings: OfflineSettings,
    /// Number of full texts and of articles with images that are still to be downloaded.
    pub queued: i64,
    /// Number of downloads that failed for good.
    pub failed: i64,
    pub texts: i64,
    pub images: i64,
    /// Size of the images.
    pub bytes: i64,
    pub running: bool,
    /// Why automatic downloads wait, if they do.
    pub wait: Option<DownloadsWait>,
}

/// Why automatic downloads wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DownloadsWait {
    /// The network connection is paid by volume.
    Metered,
    /// The computer runs on battery.
    Battery,
}

/// Progress of the downloads. Sent while they run and once at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct OfflineProgress {
    pub running: bool,
    pub texts: i64,
    pub images: i64,
    pub failed: i64,
    /// Number of downloads that are left.
    pub remaining: i64,
    /// Whether the computer is offline. The rest is downloaded later.
    pub offline: bool,
    /// Whether another process is polling the library, so that nothing was downloaded.
    pub other_process: bool,
}

/// Opens an article with its full text or with the feed's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct ShowText {
    pub id: i64,
    pub full: bool,
}

/// An image that is stored for offline reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct OfflineImage {
    /// URL in the article.
    pub url: String,
    /// URL under which the window loads the stored image.
    pub local_url: String,
}

/// When the full text of an article is downloaded on opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FullTextWhen {
    /// Only on demand. Opening an article sends no request.
    #[default]
    Never,
    /// If the feed gives an excerpt only.
    Short,
    Always,
}
