//! Episodes that are downloaded to play them offline.

use crate::IpcError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeState {
    /// Queued, or being downloaded.
    Queued,
    Downloaded,
    /// It is not tried again automatically.
    Failed,
}

/// A download of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct EpisodeDownload {
    /// Id of the article.
    pub id: i64,
    pub feed_id: i64,
    /// Title of the article.
    pub title: String,
    /// URL of the enclosure.
    pub url: String,
    pub state: EpisodeState,
    /// Number of bytes received.
    pub bytes: i64,
    /// Size of the whole file in bytes; `null` if it is not known.
    pub total: Option<i64>,
    /// Why the last attempt failed.
    pub error: Option<IpcError>,
    /// URL under which the window plays the downloaded file.
    pub local_url: Option<String>,
}

/// How much of an episode was received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct EpisodeProgress {
    /// Id of the article.
    pub id: i64,
    /// URL of the enclosure.
    pub url: String,
    pub bytes: i64,
    pub total: Option<i64>,
}

/// Audio or video files of articles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EpisodeFiles {
    /// Ids of articles.
    pub ids: Vec<i64>,
    /// URL of the enclosure; otherwise the first audio or video file of each article.
    pub url: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EpisodeSettings {
    /// Maximum size of all downloaded episodes in bytes.
    pub max_total_bytes: i64,
    /// Days after which a downloaded episode that was played to its end is removed, unless it is starred; `null` for never.
    pub remove_after_days: Option<u32>,
}
