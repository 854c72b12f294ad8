//! The play queue.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An audio or video file to play later.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct QueuedEpisode {
    /// Id of the article.
    pub id: i64,
    pub feed_id: i64,
    /// Title of the article.
    pub title: String,
    /// URL of the enclosure.
    pub url: String,
    pub video: bool,
    /// In seconds.
    pub duration: Option<f64>,
    /// Playback position in seconds.
    pub seconds: f64,
    /// Whether it was played to the end.
    pub finished: bool,
    /// http or https URL of the article's image.
    pub thumbnail: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AddToPlayQueue {
    /// Ids of articles.
    pub ids: Vec<i64>,
    /// URL of the enclosure; otherwise the first audio or video file of each article.
    pub url: Option<String>,
    /// Whether it is added at the beginning.
    pub next: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MoveInPlayQueue {
    pub id: i64,
    pub url: String,
    /// Position, from 0.
    pub to: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RemoveFromPlayQueue {
    pub id: i64,
    pub url: String,
}
