//! How the episodes of a feed are played: columns of `feeds`.

use crate::{LibraryError, Refusal};
use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;

/// Minimum and maximum playback speed in percent.
const SPEEDS: std::ops::RangeInclusive<i64> = 50..=300;
/// Maximum number of seconds that are skipped.
const MAX_SKIP: i64 = 3600;

/// How the episodes of a feed are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, sqlx::FromRow)]
#[serde(default)]
pub struct FeedPlayback {
    /// Playback speed in percent; `None`: as for all feeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playback_speed: Option<i64>,
    /// Seconds that are skipped at the beginning.
    #[serde(skip_serializing_if = "is_zero")]
    pub skip_intro: i64,
    /// Seconds that are skipped at the end.
    #[serde(skip_serializing_if = "is_zero")]
    pub skip_outro: i64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_zero(seconds: &i64) -> bool {
    *seconds == 0
}

impl FeedPlayback {
    /// Replaces invalid values, which archives may have.
    #[must_use]
    pub fn repaired(self) -> Self {
        let skip = |seconds: i64| seconds.clamp(0, MAX_SKIP);
        Self {
            playback_speed: self.playback_speed.filter(|speed| SPEEDS.contains(speed)),
            skip_intro: skip(self.skip_intro),
            skip_outro: skip(self.skip_outro),
        }
    }
}

/// Sets how the episodes of a feed are played.
pub(crate) async fn set_playback(
    connection: &mut SqliteConnection,
    id: i64,
    playback: FeedPlayback,
) -> Result<(), LibraryError> {
    if playback != playback.repaired() {
        return Err(LibraryError::from(Refusal::Preference));
    }
    let sql = "UPDATE feeds SET playback_speed = ?2, skip_intro = ?3, skip_outro = ?4 WHERE id = ?1 AND unsubscribed_at IS NULL";
    let FeedPlayback { playback_speed, skip_intro, skip_outro } = playback;
    let query = sqlx::query(sql).bind(id).bind(playback_speed).bind(skip_intro).bind(skip_outro);
    match query.execute(connection).await?.rows_affected() {
        0 => Err(LibraryError::NotFound("feed")),
        _ => Ok(()),
    }
}
