//! `dictionaries`: zstd dictionaries of this library's texts, with which short texts compress well. The first is made from the library's
//! articles once there are a few thousand, another one when there are fifty times as many; `codec` in `bodies` names the dictionary of a
//! text. None is ever deleted, and each is stored twice.
//!
//! New texts are compressed without a dictionary, which is fast; later they are compressed again in the background, in the order of
//! ids, in slices (`packed_up_to` in `settings`). The rows of a slice are deleted and inserted, since shrinking rows leaves holes.

use crate::{
    LibraryError,
    body::{HEAD, Packed, Packer, unpacked_length},
    database::repository,
    dictionary_cache::{Encoder, FIRST, is_intact, whole},
    table::text_sizes::{TextSize, last_that_fits},
};
use sqlx::{Arguments as _, SqliteConnection, sqlite::SqliteArguments};
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};
use zstd::dict::EncoderDictionary;

/// Minimum number of articles for a dictionary, and how many are sampled.
const ENOUGH: i64 = 2_000;
const SAMPLES: i64 = 4_000;
/// Maximum bytes of each sample, compressed and not, and of all.
const SAMPLE: usize = 16 << 10;
const ALL_SAMPLES: usize = 6 << 20;
/// Maximum bytes of the texts that samples are the beginnings of.
const MAX_SAMPLED: u64 = 1 << 20;
/// Size of a dictionary; twice the size would save 1 %.
const LENGTH: usize = 64 << 10;
/// Growth of the number of articles after which another dictionary is made.
const OUTGROWN: i64 = 50;
/// Articles per slice; fewer wait for more.
const SLICE: usize = 256;
/// A slice is rewritten if it shrinks by more than one byte in this many.
const WORTH: usize = 20;
/// Ids of dictionaries lie between [`FIRST`] and this: three bytes in each row.
const HIGHEST: i64 = 1 << 23;

/// Returns the numbers of damaged copies and of dictionaries without an undamaged copy; `repair` repairs the former from the other
/// copy.
pub(crate) async fn check(connection: &mut SqliteConnection, repair: bool) -> Result<(i64, i64), LibraryError> {
    let copies: Vec<(i64, i64, Vec<u8>, Vec<u8>)> =
        sqlx::query_as("SELECT copy, id, content, digest FROM dictionaries ORDER BY copy")
            .fetch_all(&mut *connection)
            .await?;
    let whole: HashMap<i64, &Vec<u8>> =
        copies.iter().filter(|copy| is_intact(&copy.2, &copy.3)).map(|copy| (copy.1, &copy.2)).collect();
    let damaged: Vec<_> = copies.iter().filter(|copy| !is_intact(&copy.2, &copy.3)).collect();
    let (mut repairable, mut lost) = (0, std::collections::HashSet::new());
    for (copy, id, ..) in damaged {
        let Some(content) = whole.get(id) else {
            lost.insert(*id);
            continue;
        };
        repairable += 1;
        if repair {
            sqlx::query("UPDATE dictionaries SET content = ?2, digest = ?3 WHERE copy = ?1")
                .bind(copy)
                .bind(*content)
                .bind(&blake3::hash(content).as_bytes()[..])
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok((repairable, i64::try_from(lost.len()).unwrap_or(i64::MAX)))
}

#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
struct Row {
    item_id: i64,
    codec: i64,
    content: Option<Vec<u8>>,
    content_base: Option<String>,
    summary: Option<Vec<u8>>,
    summary_base: Option<String>,
    categories: Option<String>,
    #[sqlx(rename = "beside")]
    metadata: Option<String>,
}

impl Row {
    fn bytes(&self) -> usize {
        [&self.content, &self.summary].into_iter().flatten().map(Vec::len).sum()
    }

    /// Returns whether its texts are short enough for a sample to be a good part of them.
    fn is_short(&self) -> bool {
        let texts = [&self.content, &self.summary].into_iter().flatten();
        texts.map(|text| unpacked_length(self.codec, text, text.len() as u64)).sum::<u64>() <= MAX_SAMPLED
    }
}

const COLUMNS: &str = "item_id, codec, content, content_base, summary, summary_base, categories, beside";

/// The result of compressing a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedTexts {
    /// Number of articles read.
    pub articles: usize,
    /// Bytes saved.
    pub spared: usize,
    /// Time that the writer was held.
    pub held: Duration,
}

repository!(
    /// The dictionaries that texts are compressed with.
    Dictionaries
);

impl Dictionaries<'_> {
    /// Compresses the next texts with the library's dictionary. `None` when there is nothing to do for now.
    ///
    /// # Errors
    /// When the library cannot be read or written. Finished slices stay.
    pub async fn recompress_texts(self) -> Result<Option<PackedTexts>, LibraryError> {
        let up_to: i64 = sqlx::query_scalar("SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'packed_up_to'")
            .fetch_optional(&self.db.readers)
            .await?
            .unwrap_or_default();
        let sizes = self.next_sizes(up_to).await?;
        let articles = sizes.chunk_by(|one, other| one.item_id == other.item_id).count();
        let Some(last) = last_that_fits(&sizes).filter(|_| articles == SLICE) else { return Ok(None) };
        let sql = format!("SELECT {COLUMNS} FROM bodies WHERE item_id > ? AND item_id <= ? ORDER BY item_id");
        let rows: Vec<Row> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(up_to).bind(last).fetch_all(&self.db.readers).await?;
        let Some((codec, encoder)) = self.dictionary().await? else { return Ok(None) };
        self.db.learn(rows.iter().map(|row| row.codec).collect()).await?;
        let texts: Vec<_> = rows.iter().map(|row| self.texts_of(row)).collect();
        let packing = tokio::task::spawn_blocking(move || packed(codec, &encoder, &texts));
        let packed = packing.await.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        let packed = packed.map_err(|error| LibraryError::Invalid(format!("zstd: {error}")))?;
        let before: usize = rows.iter().map(Row::bytes).sum();
        let spared = |(packed, row): (&Option<Packed>, &Row)| {
            packed.as_ref().map_or(0, |packed| row.bytes().saturating_sub(packed.bytes()))
        };
        let spared: usize = packed.iter().zip(&rows).map(spared).sum();
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let began = Instant::now();
        if spared * WORTH > before {
            rewrite(&mut transaction, &rows, packed).await?;
        }
        sqlx::query("INSERT OR REPLACE INTO settings (key, value) VALUES ('packed_up_to', CAST(? AS TEXT))")
            .bind(rows.last().map_or(up_to, |row| row.item_id))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Some(PackedTexts { articles: rows.len(), spared, held: began.elapsed() }))
    }

    /// Returns the lengths of the texts of the next slice, in the order of ids.
    async fn next_sizes(self, after: i64) -> Result<Vec<TextSize>, LibraryError> {
        let mut sizes: Vec<TextSize> = sqlx::query_as(
            "WITH next (item_id) AS (SELECT item_id FROM bodies WHERE item_id > ?1 ORDER BY item_id LIMIT ?2)
             SELECT item_id, 0 AS codec, NULL AS head, ifnull(length(categories), 0) + ifnull(length(beside), 0) AS stored
             FROM next CROSS JOIN bodies USING (item_id)
             UNION ALL SELECT item_id, codec, substr(content, 1, ?3), length(content) FROM next CROSS JOIN bodies USING (item_id) WHERE content IS NOT NULL
             UNION ALL SELECT item_id, codec, substr(summary, 1, ?3), length(summary) FROM next CROSS JOIN bodies USING (item_id) WHERE summary IS NOT NULL",
        )
        .bind(after)
        .bind(i64::try_from(SLICE).unwrap_or(i64::MAX))
        .bind(HEAD as i64)
        .fetch_all(&self.db.readers)
        .await?;
        sizes.sort_by_key(|size| size.item_id);
        Ok(sizes)
    }

    /// Returns content and summary; `None` for unreadable ones, which stay as they are.
    fn texts_of(self, row: &Row) -> Option<[Option<String>; 2]> {
        let text = |bytes: &Option<Vec<u8>>| {
            bytes.as_ref().map(|bytes| self.db.dictionaries.unpack(row.codec, bytes)).transpose()
        };
        Some([text(&row.content).ok()?, text(&row.summary).ok()?])
    }

    /// Returns the newest dictionary; makes one if there is none or it is outgrown. `None` while there are too few articles.
    async fn dictionary(self) -> Result<Option<(i64, Encoder)>, LibraryError> {
        let newest: i64 =
            sqlx::query_scalar("SELECT ifnull(max(item_id), 0) FROM bodies").fetch_one(&self.db.readers).await?;
        let there: Option<(i64, i64)> =
            sqlx::query_as("SELECT id, made_at FROM dictionaries ORDER BY made_at DESC, copy LIMIT 1")
                .fetch_optional(&self.db.readers)
                .await?;
        if newest >= there.map_or(ENOUGH, |(_, made_at)| made_at.saturating_mul(OUTGROWN)) {
            let samples = self.samples(newest).await?;
            let training = tokio::task::spawn_blocking(move || zstd::dict::from_samples(&samples, LENGTH));
            // Texts that have nothing in common make no dictionary.
            if let Ok(Ok(content)) = training.await {
                let id = self.keep_dictionary(&content, newest).await?;
                return Ok(Some(self.db.dictionaries.encode_with(id, &content)));
            }
        }
        let Some((id, _)) = there else { return Ok(None) };
        if let Some(encoder) = self.db.dictionaries.encoder(id) {
            return Ok(Some(encoder));
        }
        Ok(whole(&self.db.readers, id).await?.map(|content| self.db.dictionaries.encode_with(id, &content)))
    }

    /// Returns sample texts from the whole library: short ones, since a dictionary mostly helps these.
    async fn samples(self, newest: i64) -> Result<Vec<Vec<u8>>, LibraryError> {
        let rows: Vec<Row> = sqlx::query_as(
            "WITH RECURSIVE picked (number) AS (SELECT 1 UNION ALL SELECT number + max(?1 / ?2, 1) FROM picked WHERE number + max(?1 / ?2, 1) <= ?1)
             SELECT b.item_id, b.codec, b.content, NULL AS content_base, b.summary, NULL AS summary_base, NULL AS categories, NULL AS beside
             FROM picked p CROSS JOIN bodies b ON b.item_id = p.number WHERE ifnull(length(b.content), 0) + ifnull(length(b.summary), 0) <= ?3",
        )
        .bind(newest)
        .bind(SAMPLES)
        .bind(SAMPLE as i64)
        .fetch_all(&self.db.readers)
        .await?;
        self.db.learn(rows.iter().map(|row| row.codec).collect()).await?;
        let (mut samples, mut left) = (Vec::new(), ALL_SAMPLES);
        for text in rows.iter().filter(|row| row.is_short()).filter_map(|row| self.texts_of(row)).flatten().flatten() {
            let mut text = text.into_bytes();
            text.truncate(SAMPLE.min(left));
            left -= text.len();
            if !text.is_empty() {
                samples.push(text);
            }
        }
        Ok(samples)
    }

    /// Both copies are stored before any text needs them.
    async fn keep_dictionary(self, content: &[u8], newest: i64) -> Result<i64, LibraryError> {
        let digest = blake3::hash(content);
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let id: i64 = sqlx::query_scalar(
            "WITH RECURSIVE lots (id) AS (SELECT ?2 + abs(random() % ?1) UNION ALL SELECT ?2 + abs(random() % ?1) FROM lots)
             SELECT id FROM lots WHERE id NOT IN (SELECT id FROM dictionaries) LIMIT 1",
        )
        .bind(HIGHEST - FIRST)
        .bind(FIRST)
        .fetch_one(&mut *transaction)
        .await?;
        for _ in 0..2 {
            sqlx::query("INSERT INTO dictionaries (id, content, digest, made_at) VALUES (?, ?, ?, ?)")
                .bind(id)
                .bind(content)
                .bind(&digest.as_bytes()[..])
                .bind(newest)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(id)
    }
}

fn packed(
    codec: i64,
    encoder: &EncoderDictionary<'static>,
    texts: &[Option<[Option<String>; 2]>],
) -> std::io::Result<Vec<Option<Packed>>> {
    let mut packer = Packer::new(codec, encoder)?;
    let mut packed = |text: &Option<[Option<String>; 2]>| {
        text.as_ref().map(|[content, summary]| packer.pack(content.as_deref(), summary.as_deref())).transpose()
    };
    texts.iter().map(&mut packed).collect()
}

/// Rewrites a slice: rows that have not changed since they were read are compressed, others stay as they are.
async fn rewrite(
    connection: &mut SqliteConnection,
    read: &[Row],
    packed: Vec<Option<Packed>>,
) -> Result<(), LibraryError> {
    let failed = |error: sqlx::error::BoxDynError| LibraryError::Sql(sqlx::Error::Encode(error));
    let (Some(first), Some(last)) = (read.first(), read.last()) else { return Ok(()) };
    let mut smaller: HashMap<i64, (&Row, Packed)> = read
        .iter()
        .zip(packed)
        .filter_map(|(row, packed)| Some((row.item_id, (row, packed.filter(|packed| packed.bytes() < row.bytes())?))))
        .collect();
    let sql = format!("DELETE FROM bodies WHERE item_id BETWEEN ? AND ? RETURNING {COLUMNS}");
    let mut now: Vec<Row> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(first.item_id)
        .bind(last.item_id)
        .fetch_all(&mut *connection)
        .await?;
    now.sort_by_key(|row| row.item_id);
    for chunk in now.chunks_mut(16) {
        let mut values = SqliteArguments::default();
        let rows = vec!["(?,?,?,?,?,?,?,?)"; chunk.len()].join(",");
        for row in chunk {
            let packed = match smaller.remove(&row.item_id) {
                Some((read, packed)) if *read == *row => packed,
                _ => Packed { codec: row.codec, content: row.content.take(), summary: row.summary.take() },
            };
            bind(&mut values, row, packed).map_err(failed)?;
        }
        let sql = format!("INSERT INTO bodies ({COLUMNS}) VALUES {rows}");
        sqlx::query_with(sqlx::AssertSqlSafe(sql), values).execute(&mut *connection).await?;
    }
    Ok(())
}

fn bind(values: &mut SqliteArguments, row: &mut Row, packed: Packed) -> Result<(), sqlx::error::BoxDynError> {
    values.add(row.item_id)?;
    values.add(packed.codec)?;
    values.add(packed.content)?;
    values.add(row.content_base.take())?;
    values.add(packed.summary)?;
    values.add(row.summary_base.take())?;
    values.add(row.categories.take())?;
    values.add(row.metadata.take())
}

#[cfg(test)]
mod tests;
