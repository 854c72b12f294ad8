//! The zstd dictionaries that were needed so far, kept in memory. The table `dictionaries` has them all.

use crate::body;
use parking_lot::{Mutex, RwLock};
use sqlx::SqliteExecutor;
use std::{collections::HashMap, sync::Arc};
use zstd::dict::{DecoderDictionary, EncoderDictionary};

/// Compression level of texts: a tenth smaller than level 9, for three times the time; higher levels gain nothing with so small a dictionary.
const LEVEL: i32 = 15;
/// The lowest id of a dictionary, above the other codecs.
pub(crate) const FIRST: i64 = body::ZSTD_WITH + 1;

pub(crate) type Encoder = Arc<EncoderDictionary<'static>>;

/// Dictionaries in memory.
#[derive(Default)]
pub(crate) struct DictionaryCache {
    known: RwLock<HashMap<i64, Arc<DecoderDictionary<'static>>>>,
    newest: Mutex<Option<(i64, Encoder)>>,
}

impl std::fmt::Debug for DictionaryCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = self.known.read();
        f.debug_set().entries(known.keys()).finish()
    }
}

impl DictionaryCache {
    /// Loads the dictionary of a codec. A missing or damaged one is reported when a text needs it.
    pub async fn learn<'c>(&self, reader: impl SqliteExecutor<'c>, codec: i64) -> sqlx::Result<()> {
        if codec < FIRST || self.get(codec).is_some() {
            return Ok(());
        }
        if let Some(content) = whole(reader, codec).await? {
            let dictionary = Arc::new(DecoderDictionary::copy(&content));
            self.known.write().insert(codec, dictionary);
        }
        Ok(())
    }

    /// Whether a codec needs no dictionary, or its dictionary is loaded.
    pub(crate) fn has(&self, codec: i64) -> bool {
        codec < FIRST || self.get(codec).is_some()
    }

    fn get(&self, codec: i64) -> Option<Arc<DecoderDictionary<'static>>> {
        self.known.read().get(&codec).cloned()
    }

    pub(crate) fn encoder(&self, id: i64) -> Option<(i64, Encoder)> {
        let newest = self.newest.lock();
        newest.clone().filter(|(known, _)| *known == id)
    }

    pub(crate) fn encode_with(&self, id: i64, content: &[u8]) -> (i64, Encoder) {
        let encoder = (id, Arc::new(EncoderDictionary::copy(content, LEVEL)));
        *self.newest.lock() = Some(encoder.clone());
        encoder
    }

    /// Decompresses a text; the dictionary of its codec is loaded.
    pub fn unpack(&self, codec: i64, bytes: &[u8]) -> Result<String, String> {
        body::unpack(codec, bytes, self.get(codec).as_deref())
    }
}

/// Returns the content of a dictionary, from its first undamaged copy.
pub(crate) async fn whole<'c>(reader: impl SqliteExecutor<'c>, id: i64) -> sqlx::Result<Option<Vec<u8>>> {
    let copies: Vec<(Vec<u8>, Vec<u8>)> =
        sqlx::query_as("SELECT content, digest FROM dictionaries WHERE id = ? ORDER BY copy")
            .bind(id)
            .fetch_all(reader)
            .await?;
    Ok(copies.into_iter().find(|(content, digest)| is_intact(content, digest)).map(|(content, _)| content))
}

pub(crate) fn is_intact(content: &[u8], digest: &[u8]) -> bool {
    blake3::hash(content).as_bytes() == digest
}
