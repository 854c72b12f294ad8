//! Imports articles and their data in batches.

use super::{
    ArchiveImport, ArchiveLookup, ItemCounts,
    existing::{bytes_of, existing},
};
use crate::{
    Body, GainedMarks, LibraryError, Mark, NewItem, Texts,
    archive::records::{
        FullTextRecord, ImageRecord, ItemImageRecord, ItemRecord, NoteRecord, ReadingStatsRecord, StateRecord,
        TaggedRecord, TombstoneRecord, TouchRecord, TranscriptRecord, VersionRecord,
    },
    body,
    json::json,
    store,
    table::{
        duplicates,
        id_sequences::{self, Numbered},
        images::{self, Images},
        scheduled,
        states::Marked,
        tags::{self, Tagged},
        transcripts,
    },
    tag_key,
};
use serde::Serialize;
use sqlx::SqliteConnection;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
};

fn new_item(record: &ItemRecord) -> NewItem {
    let record = record.clone();
    NewItem {
        key: record.key,
        url: record.url,
        canonical_url: record.canonical_url,
        title: record.title,
        title_key: record.title_key,
        author: record.author,
        language: record.language,
        published_at: record.published_at,
        updated_at: record.updated_at,
        date_uncertain: record.date_uncertain,
        received_at: record.received_at,
        sort_at: record.sort_at,
        excerpt: record.excerpt,
        word_count: record.word_count,
        thumbnail_url: record.thumbnail_url,
        media: record.media,
        comments_url: record.comments_url,
        digest: bytes_of(&record.digest),
        categories: record.categories,
        enclosures: record.enclosures,
        metadata: record.metadata,
        due_at: record.held_until,
        texts: Texts::pack(record.content.as_ref(), record.summary.as_ref()),
        ..NewItem::default()
    }
}

/// Selects the marks that articles have in the archive. Two articles of the archive may be one here; then the marks of both count.
const NOW: &str = "SELECT a.id, max(e.value ->> '$.read') AS now_read, max(e.value ->> '$.read_at') AS now_read_at,
        max(e.value ->> '$.starred') AS now_starred, max(e.value ->> '$.starred_at') AS now_starred_at,
        max(e.value ->> '$.hidden') AS now_hidden, max(e.value ->> '$.kept') AS now_kept
    FROM json_each(?) e JOIN temp.imported_items a ON a.number = e.value ->> '$.item' GROUP BY a.id";
/// Whether an article gains one of the marks `j`.
const GAINS: &str =
    "read < j.now_read OR starred < j.now_starred OR (hidden = 0 AND j.now_hidden) OR kept < j.now_kept";

/// Returns the marks that articles which the library had are about to gain from these states, a JSON list.
async fn gained_marks(connection: &mut SqliteConnection, states: &str) -> Result<GainedMarks, LibraryError> {
    let sql = format!(
        "SELECT j.id, read < j.now_read, starred < j.now_starred, hidden = 0 AND j.now_hidden, kept < j.now_kept
         FROM ({NOW}) j CROSS JOIN states s ON s.item_id = j.id
         WHERE ({GAINS}) AND NOT EXISTS (SELECT 1 FROM temp.imported_items n WHERE n.id = j.id AND n.new)"
    );
    let rows: Vec<(i64, bool, bool, bool, bool)> =
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(states).fetch_all(connection).await?;
    let marked = |mark, gains: fn(&(i64, bool, bool, bool, bool)) -> bool| {
        let items = rows.iter().filter(|row| gains(row)).map(|row| row.0).collect();
        Marked { mark, on: true, items }
    };
    let marks = vec![
        marked(Mark::Read, |row| row.1),
        marked(Mark::Starred, |row| row.2),
        marked(Mark::Hidden, |row| row.3),
        marked(Mark::Kept, |row| row.4),
    ];
    Ok(GainedMarks { marks, ..GainedMarks::default() })
}

impl ArchiveImport<'_> {
    /// Imports articles, in the order of the archive. Existing ones, found by key within the feed or by address, stay
    /// as they are. `lookup` is that of the archive.
    ///
    /// # Errors
    /// When the library cannot be written; then none was imported.
    pub async fn items(
        &mut self,
        lookup: &mut ArchiveLookup,
        records: &[ItemRecord],
    ) -> Result<ItemCounts, LibraryError> {
        // Compressing does not need the writer.
        let mut items: Vec<NewItem> = records.iter().map(new_item).collect();
        let schedules = self.db.schedules_future();
        let mut counts = ItemCounts::default();
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let rows: Vec<(i64, i64, bool)> =
            sqlx::query_as("SELECT number, id, new FROM temp.imported_feeds").fetch_all(&mut *transaction).await?;
        let new_feeds: HashSet<i64> = rows.iter().filter(|(_, _, new)| *new).map(|(_, id, _)| *id).collect();
        let feeds: HashMap<i64, i64> = rows.into_iter().map(|(number, id, _)| (number, id)).collect();
        let sought: Vec<(i64, &ItemRecord)> =
            records.iter().filter_map(|record| Some((*feeds.get(&record.feed)?, record))).collect();
        let existing = existing(&mut transaction, lookup, &sought).await?;
        let of_feeds = items.iter_mut().zip(records).filter(|(_, record)| feeds.contains_key(&record.feed));
        for ((item, _), found) in of_feeds.zip(&existing) {
            if let Some(key) = &found.key {
                item.key.clone_from(key);
            }
        }
        let of_feeds = records.iter().zip(&items);
        let of_feeds = of_feeds.filter_map(|(record, item)| Some((record, item, *feeds.get(&record.feed)?)));
        let first = id_sequences::next(&mut transaction, Numbered::Items).await?;
        let (mut next, mut new, mut imported) = (first, Vec::new(), Vec::with_capacity(existing.len()));
        let mut keys: HashSet<(i64, &str)> = HashSet::new();
        counts.lost = records.len() - existing.len();
        for ((record, item, feed), there) in of_feeds.zip(existing) {
            let id = match there.id {
                Some(id) => {
                    counts.there += 1;
                    id
                }
                // The archive has it twice.
                None if !keys.insert((feed, &item.key)) => continue,
                None => {
                    new.push((next, feed, item));
                    lookup.found.insert(next);
                    next += 1;
                    next - 1
                }
            };
            imported.push((record.item, id, there.id.is_none()));
        }
        counts.added = new.len();
        counts.added_to_existing = new.iter().filter(|(_, feed, _)| !new_feeds.contains(feed)).count();
        store::insert_all(&mut transaction, &new, schedules).await?;
        sqlx::query(
            "INSERT OR IGNORE INTO temp.imported_items (number, id, new)
             SELECT value ->> '$[0]', value ->> '$[1]', value ->> '$[2]' FROM json_each(?)",
        )
        .bind(json(&imported)?)
        .execute(&mut *transaction)
        .await?;
        // They exist again, so their tombstones are removed.
        sqlx::query("DELETE FROM tombstones WHERE (feed_id, key) IN (SELECT feed_id, key FROM items WHERE id >= ?)")
            .bind(first)
            .execute(&mut *transaction)
            .await?;
        let groups: Vec<(i64, i64)> = records.iter().filter_map(|item| Some((item.item, item.story?))).collect();
        sqlx::query(
            "INSERT OR IGNORE INTO stories (item_id, story_id) SELECT a.id, b.id FROM json_each(?) j
             JOIN temp.imported_items a ON a.number = j.value ->> '$[0]' JOIN temp.imported_items b ON b.number = j.value ->> '$[1]'",
        )
        .bind(json(&groups)?)
        .execute(&mut *transaction)
        .await?;
        if !self.empty && next > first {
            duplicates::group_new(&mut transaction, first, false, self.db.now()).await?;
        }
        transaction.commit().await?;
        Ok(counts)
    }

    /// Sets the marks that an article has in the archive. Returns how many articles were marked.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn states(&mut self, records: &[StateRecord]) -> Result<u64, LibraryError> {
        let (combine, records) = (self.db.combines_duplicates(), json(records)?);
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        // An article that the archive shows must not stay scheduled here.
        let shown: Vec<i64> = sqlx::query_scalar(
            "SELECT a.id FROM json_each(?) j JOIN temp.imported_items a ON a.number = j.value ->> '$.item' JOIN held h ON h.item_id = a.id",
        )
        .bind(&records)
        .fetch_all(&mut *transaction)
        .await?;
        for item in shown {
            scheduled::release(&mut transaction, scheduled::Which::One(item), self.db.now(), combine).await?;
        }
        let gained = gained_marks(&mut transaction, &records).await?;
        let done = sqlx::query(sqlx::AssertSqlSafe(format!(
            "UPDATE states SET read = max(read, j.now_read), read_at = iif(read = 0 AND j.now_read, j.now_read_at, read_at),
                starred = max(starred, j.now_starred), starred_at = iif(starred = 0 AND j.now_starred, j.now_starred_at, starred_at),
                hidden = iif(hidden = 0, j.now_hidden, hidden), kept = max(kept, j.now_kept)
             FROM ({NOW}) j WHERE states.item_id = j.id AND ({GAINS})",
        )))
        .bind(&records)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        self.gained.extend(gained);
        Ok(done.rows_affected())
    }

    /// Tags articles.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn tagged(&mut self, records: &[TaggedRecord]) -> Result<u64, LibraryError> {
        let names: HashSet<&str> = records.iter().map(|record| record.tag.as_str()).collect();
        let rows: Vec<(i64, String, i64)> =
            records.iter().map(|record| (record.item, tag_key(&record.tag), record.at)).collect();
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut created = Vec::new();
        for name in names {
            created.extend(tags::ensure(&mut transaction, name).await?.1);
        }
        let done: Vec<(i64, i64, bool)> = sqlx::query_as(
            "INSERT INTO item_tags (tag_id, sort_at, item_id, at) SELECT t.id, i.sort_at, i.id, j.value ->> '$[2]' FROM json_each(?) j
             JOIN temp.imported_items a ON a.number = j.value ->> '$[0]' JOIN items i ON i.id = a.id JOIN tags t ON t.key = j.value ->> '$[1]'
             WHERE true ON CONFLICT DO NOTHING
             RETURNING tag_id, item_id, EXISTS (SELECT 1 FROM temp.imported_items n WHERE n.id = item_id AND n.new)",
        )
        .bind(json(&rows)?)
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        let mut known: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for (tag, item, _) in done.iter().filter(|(_, _, new)| !new) {
            known.entry(*tag).or_default().push(*item);
        }
        let tags = known.into_iter().map(|(tag, items)| Tagged { tag, on: true, items }).collect();
        self.gained.extend(GainedMarks { marks: Vec::new(), tags, created });
        Ok(done.len() as u64)
    }

    /// Returns the marks that articles of the library have gained so far, and the tags that were created, for
    /// [`crate::Subscriptions::remember_import`].
    #[must_use]
    pub fn into_gained(self) -> GainedMarks {
        self.gained
    }

    /// Imports notes; existing ones keep their text.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn notes(&mut self, records: &[NoteRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO notes (item_id, quote, prefix, suffix, start, color, note, created_at, changed_at)
             SELECT s.item_id, j.value ->> '$.quote', j.value ->> '$.prefix', j.value ->> '$.suffix', j.value ->> '$.start', j.value ->> '$.color',
                j.value ->> '$.note', j.value ->> '$.created_at', j.value ->> '$.changed_at'
             FROM json_each(?) j JOIN temp.imported_items a ON a.number = j.value ->> '$.item' JOIN states s ON s.item_id = a.id
             WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.item_id = s.item_id AND n.created_at = j.value ->> '$.created_at'
                AND n.quote IS j.value ->> '$.quote')",
            records,
        )
        .await
    }

    /// Imports earlier versions of articles.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn versions(&mut self, records: &[VersionRecord]) -> Result<u64, LibraryError> {
        let packed: Vec<_> =
            records.iter().map(|record| body::pack(record.content.as_ref(), record.summary.as_ref())).collect();
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut added = 0;
        for (record, packed) in records.iter().zip(packed) {
            let base = |body: &Option<Body>| body.as_ref().and_then(|body| body.base.clone());
            let done = sqlx::query(
                "INSERT INTO versions (item_id, at, title, codec, content, content_base, summary, summary_base)
                 SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM temp.imported_items WHERE number = ?1 ON CONFLICT DO NOTHING",
            )
            .bind(record.item)
            .bind(record.at)
            .bind(&record.title)
            .bind(packed.codec)
            .bind(packed.content)
            .bind(base(&record.content))
            .bind(packed.summary)
            .bind(base(&record.summary))
            .execute(&mut *transaction)
            .await?;
            added += done.rows_affected();
        }
        transaction.commit().await?;
        Ok(added)
    }

    /// Imports full texts.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn full_texts(&mut self, records: &[FullTextRecord]) -> Result<u64, LibraryError> {
        let pack = |record: &FullTextRecord| body::pack(Some(&Body { html: record.html.clone(), base: None }), None);
        let packed: Vec<_> = records.iter().map(pack).collect();
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut added = 0;
        for (record, packed) in records.iter().zip(packed) {
            let done = sqlx::query(
                "INSERT INTO full_texts (item_id, url, codec, content, fetched_at)
                 SELECT id, ?2, ?3, ?4, ?5 FROM temp.imported_items WHERE number = ?1 ON CONFLICT DO NOTHING",
            )
            .bind(record.item)
            .bind(&record.url)
            .bind(packed.codec)
            .bind(packed.content)
            .bind(record.fetched_at)
            .execute(&mut *transaction)
            .await?;
            added += done.rows_affected();
        }
        transaction.commit().await?;
        Ok(added)
    }

    /// Imports transcripts.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn transcripts(&mut self, records: &[TranscriptRecord]) -> Result<u64, LibraryError> {
        let packed = records.iter().map(|record| transcripts::packed(&record.passages));
        let packed: Vec<_> = packed.collect::<Result<_, _>>()?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut added = 0;
        for (record, packed) in records.iter().zip(packed) {
            let done = sqlx::query(
                "INSERT INTO transcripts (item_id, url, language, codec, content, fetched_at)
                 SELECT id, ?2, ?3, ?4, ?5, ?6 FROM temp.imported_items WHERE number = ?1 ON CONFLICT DO NOTHING",
            )
            .bind(record.item)
            .bind(&record.url)
            .bind(&record.language)
            .bind(packed.codec)
            .bind(packed.content)
            .bind(record.fetched_at)
            .execute(&mut *transaction)
            .await?;
            added += done.rows_affected();
        }
        transaction.commit().await?;
        Ok(added)
    }

    /// Imports which rule was applied to which article.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn touches(&mut self, records: &[TouchRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO rule_touches (item_id, rule_id, at, actions) SELECT a.id, r.id, j.value ->> '$.at', j.value ->> '$.actions' FROM json_each(?) j
             JOIN temp.imported_items a ON a.number = j.value ->> '$.item' JOIN temp.imported_rules r ON r.number = j.value ->> '$.rule'
             WHERE true ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Imports tombstones, except those of existing articles.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn tombstones(&mut self, records: &[TombstoneRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO tombstones (feed_id, key, canonical_url, title, published_at, digest, at) SELECT f.id, j.value ->> '$.key',
                j.value ->> '$.canonical_url', j.value ->> '$.title', j.value ->> '$.published_at', ifnull(unhex(j.value ->> '$.digest'), x''), j.value ->> '$.at'
             FROM json_each(?) j JOIN temp.imported_feeds f ON f.number = j.value ->> '$.feed'
             WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.feed_id = f.id AND i.key = j.value ->> '$.key') ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Imports reading statistics; hours that both sides counted are not added up.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn reading_stats(&mut self, records: &[ReadingStatsRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO opened (hour, feed_id, articles) SELECT j.value ->> '$.hour', f.id, j.value ->> '$.articles'
             FROM json_each(?) j JOIN temp.imported_feeds f ON f.number = j.value ->> '$.feed' WHERE TRUE
             ON CONFLICT DO UPDATE SET articles = max(articles, excluded.articles)",
            records,
        )
        .await
    }

    /// Announces images: a file never exists without its row. Rows whose files do not follow are removed later.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn images(&mut self, records: &[ImageRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO images (digest, mime_type, bytes, fetched_at) SELECT unhex(value ->> '$.digest'), value ->> '$.mime_type',
                value ->> '$.bytes', value ->> '$.fetched_at' FROM json_each(?) WHERE unhex(value ->> '$.digest') IS NOT NULL ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Writes an image file (`archive().image_file`), whole or not at all. Returns whether it was missing.
    ///
    /// # Errors
    /// When the disk is full or the folder cannot be written.
    pub fn image_bytes(&self, place: &Path, bytes: &[u8]) -> Result<bool, LibraryError> {
        if place.is_file() {
            return Ok(false);
        }
        images::write(place, bytes).map_err(|error| Images::new(self.db).write_error(&error))?;
        Ok(true)
    }

    /// Imports which articles have which images; the files are in place.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn item_images(&mut self, records: &[ItemImageRecord]) -> Result<u64, LibraryError> {
        let records = json(records)?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let shown = sqlx::query(
            "INSERT INTO item_images (item_id, url, digest) SELECT a.id, j.value ->> '$.url', g.digest FROM json_each(?) j
             JOIN temp.imported_items a ON a.number = j.value ->> '$.item' JOIN images g ON g.digest = unhex(j.value ->> '$.digest')
             WHERE true ON CONFLICT DO UPDATE SET digest = excluded.digest, error = NULL WHERE item_images.digest IS NULL",
        )
        .bind(&records)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "UPDATE images SET there = 1 WHERE there = 0 AND digest IN (SELECT unhex(value ->> '$.digest') FROM json_each(?))
                AND EXISTS (SELECT 1 FROM item_images p WHERE p.digest = images.digest AND p.digest IS NOT NULL)",
        )
        .bind(&records)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(shown.rows_affected())
    }

    pub(super) async fn insert<T: Serialize>(&mut self, sql: &'static str, records: &[T]) -> Result<u64, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let done = sqlx::query(sql).bind(json(records)?).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected())
    }
}
