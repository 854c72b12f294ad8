//! `transcripts`: the transcripts of recordings. Downloaded when the user opens a transcript, then stored, so that it is searched and
//! available offline. Compressed as in `bodies`.

use crate::{Body, LibraryError, Millis, body, database::Database, json::json, table::items::Articles};
use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;

/// A transcript of an article's recording.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    /// Address of the document.
    pub url: String,
    /// Language code in lower case, if the feed states one.
    pub language: Option<String>,
    /// Passages in their order.
    pub passages: Vec<Passage>,
}

/// About one sentence of one speaker.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Passage {
    /// Start in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// End in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// Plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// Plain text.
    pub text: String,
}

impl Transcript {
    /// Returns its words as plain text.
    #[must_use]
    pub fn plain_text(&self) -> String {
        let lines: Vec<&str> = self.passages.iter().map(|passage| passage.text.as_str()).collect();
        lines.join("\n")
    }
}

/// Returns the stored form of passages.
pub(crate) fn packed(passages: &[Passage]) -> Result<body::Packed, LibraryError> {
    let html = json(passages)?;
    Ok(body::pack(Some(&Body { html, base: None }), None))
}

/// Reads the stored form of passages.
pub(crate) fn unpacked(db: &Database, item: i64, codec: i64, content: Vec<u8>) -> Result<Vec<Passage>, LibraryError> {
    let json = db.unpack(item, codec, Some(content), None)?.unwrap_or_default().html;
    serde_json::from_str(&json).map_err(|error| LibraryError::Invalid(format!("transcript of article {item}: {error}")))
}

/// Returns whether the transcript of an article was downloaded.
pub(crate) async fn is_stored(reader: &mut SqliteConnection, item: i64) -> Result<bool, LibraryError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM transcripts WHERE item_id = ?)";
    Ok(sqlx::query_scalar(sql).bind(item).fetch_one(reader).await?)
}

impl Articles<'_> {
    /// Returns the transcript of an article, if it was downloaded.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn transcript(self, item: i64) -> Result<Option<Transcript>, LibraryError> {
        let mut reader = self.db.readers.acquire().await?;
        let sql = "SELECT url, language, codec, content FROM transcripts WHERE item_id = ?";
        let row: Option<(String, Option<String>, i64, Vec<u8>)> =
            sqlx::query_as(sql).bind(item).fetch_optional(&mut *reader).await?;
        let Some((url, language, codec, content)) = row else { return Ok(None) };
        self.db.dictionaries.learn(&mut *reader, codec).await?;
        Ok(Some(Transcript { url, language, passages: unpacked(self.db, item, codec, content)? }))
    }

    /// Stores the transcript of an article. Nothing is stored for an article that was deleted in the meantime.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn store_transcript(self, item: i64, transcript: &Transcript, now: Millis) -> Result<(), LibraryError> {
        let packed = packed(&transcript.passages)?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query(
            "INSERT INTO transcripts (item_id, url, language, codec, content, fetched_at)
             SELECT id, ?2, ?3, ?4, ?5, ?6 FROM items WHERE id = ?1
             ON CONFLICT (item_id) DO UPDATE SET url = ?2, language = ?3, codec = ?4, content = ?5, fetched_at = ?6",
        )
        .bind(item)
        .bind(&transcript.url)
        .bind(&transcript.language)
        .bind(packed.codec)
        .bind(packed.content.unwrap_or_default())
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }
}
