//! `search`, `search_docs`, `search_queue`: the full-text index, the article of each of its rows, and the articles that are not
//! indexed yet.
//!
//! The index follows the articles. Triggers on `items` queue new and changed articles in the writer's own transaction, and remove deleted
//! ones from the index at once. An indexer reads a batch without a lock, prepares its words on other cores, and writes it in one short
//! transaction that also removes the batch from the queue. A row that changed in between has another stamp and stays queued. If the process
//! dies in between, nothing has changed.
//!
//! Row numbers of the index rise with the articles' dates, so that the newest hits come first without sorting. There is one number per
//! second, which is as precise as most feeds' dates; more precise numbers would take more bytes for each word. If a number is taken, the
//! next free one below is used; `search_drift` in `settings` is the largest distance so far, so that dates can be derived from numbers.
//!
//! Each column of words begins with the prefixes of its words: three letters, each prefix once, stored as separate words. So prefixes are
//! found like words, also in combinations and within a column. FTS5's own prefix index stores every position, which would take half as much
//! space again. Very common words have no prefixes there: they are in `search_common` and are searched for as whole words, a few for each
//! prefix. Common words are taken from a library's first thousands of articles. They are never removed from the table, so that articles
//! indexed with fewer of them are still found.
//!
//! The column `facts` does not contain words of the article but facts that the index can combine with words: see `index_words.rs`.

use crate::{
    LibraryError, Millis, Transcript,
    body::HEAD,
    database::repository,
    json::json,
    table::{
        categories,
        index_article::{Indexed, Unindexed, media},
        search_docs::{number_of, numbers},
        text_sizes::{TextSize, last_that_fits},
        transcripts,
    },
};
use sqlx::SqliteConnection;
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

/// Number of rows per INSERT statement.
const CHUNK: usize = 16;
/// Number of index pages that are merged at once, which takes some milliseconds.
const MERGED: i64 = 64;
/// Time after which indexing lets others write; writing the added rows to disk comes on top.
const SOON: Duration = Duration::from_millis(6);

/// The state of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexState {
    /// Number of indexed articles.
    pub indexed: i64,
    /// Number of new or changed articles that are not indexed yet.
    pub waiting: i64,
}

/// The result of indexing a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexedBatch {
    /// Number of articles added.
    pub articles: usize,
    /// Time that the writer was held.
    pub held: Duration,
}

#[derive(sqlx::FromRow)]
struct UnindexedRow {
    item_id: i64,
    stamp: i64,
    sort_at: Millis,
    title: String,
    author: Option<String>,
    url: Option<String>,
    language: Option<String>,
    word_count: i64,
    feed_id: i64,
    updated: bool,
    thumbnail_url: Option<String>,
    mime_types: String,
    codec: Option<i64>,
    content: Option<Vec<u8>>,
    summary: Option<Vec<u8>>,
    full_codec: Option<i64>,
    full: Option<Vec<u8>>,
    transcript_codec: Option<i64>,
    transcript: Option<Vec<u8>>,
    categories: Option<String>,
    /// The user's tags.
    tags: String,
    /// Highlights and notes, some of them empty.
    notes: String,
}

repository!(
    /// The full-text index.
    SearchIndex
);

impl SearchIndex<'_> {
    /// Returns the state of the index.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn state(self) -> Result<IndexState, LibraryError> {
        let (indexed, waiting) =
            sqlx::query_as("SELECT (SELECT count(*) FROM search_docs), (SELECT count(*) FROM search_queue)")
                .fetch_one(&self.db.readers)
                .await?;
        Ok(IndexState { indexed, waiting })
    }

    /// Returns articles whose current form is not indexed, the newest first; with `before`, those older than that one. At most `limit`, and
    /// fewer if their texts are long.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn pending(self, before: Option<i64>, limit: usize) -> Result<Vec<Unindexed>, LibraryError> {
        let sizes = self.pending_sizes(before, limit).await?;
        let (Some(newest), Some(oldest)) = (sizes.first().map(|size| size.item_id), last_that_fits(&sizes)) else {
            return Ok(Vec::new());
        };
        let rows: Vec<UnindexedRow> = sqlx::query_as(
            "SELECT q.item_id, q.stamp, i.sort_at, i.title, i.author, i.url, ifnull(i.language, f.language) AS language, i.word_count,
                    i.feed_id, EXISTS (SELECT 1 FROM versions v WHERE v.item_id = i.id) AS updated, i.thumbnail_url,
                    (SELECT json_group_array(ifnull(e.mime_type, '')) FROM enclosures e WHERE e.item_id = i.id) AS mime_types,
                    b.codec, b.content, b.summary, b.categories, t.codec AS full_codec, t.content AS full,
                    (SELECT codec FROM transcripts WHERE item_id = i.id) AS transcript_codec,
                    (SELECT content FROM transcripts WHERE item_id = i.id) AS transcript,
                    (SELECT json_group_array(t.name) FROM item_tags m JOIN tags t ON t.id = m.tag_id WHERE m.item_id = i.id) AS tags,
                    (SELECT json_group_array(v.value) FROM notes n, json_each(json_array(ifnull(n.quote, ''), n.note)) v WHERE n.item_id = i.id) AS notes
             FROM (SELECT item_id, stamp FROM search_queue WHERE item_id BETWEEN ? AND ? ORDER BY item_id DESC) q
             JOIN items i ON i.id = q.item_id JOIN feeds f ON f.id = i.feed_id LEFT JOIN bodies b ON b.item_id = i.id
             LEFT JOIN full_texts t ON t.item_id = i.id ORDER BY q.item_id DESC",
        )
        .bind(oldest)
        .bind(newest)
        .fetch_all(&self.db.readers)
        .await?;
        self.db
            .learn(rows.iter().flat_map(|row| [row.codec, row.full_codec, row.transcript_codec]).flatten().collect())
            .await?;
        rows.into_iter().map(|row| self.unindexed_from(row)).collect()
    }

    /// Returns the lengths of titles and texts of the next articles to index, the newest first.
    async fn pending_sizes(self, before: Option<i64>, limit: usize) -> Result<Vec<TextSize>, LibraryError> {
        let mut sizes: Vec<TextSize> = sqlx::query_as(
            "WITH next (item_id) AS (SELECT item_id FROM search_queue WHERE item_id < ?1 ORDER BY item_id DESC LIMIT ?2)
             SELECT item_id, 0 AS codec, NULL AS head, 
                length(title) + ifnull(length(author), 0) + ifnull(length(url), 0) AS stored FROM next CROSS JOIN items ON id = item_id
             UNION ALL SELECT item_id, codec, substr(content, 1, ?3), length(content) FROM next CROSS JOIN bodies USING (item_id) WHERE content IS NOT NULL
             UNION ALL SELECT item_id, codec, substr(summary, 1, ?3), length(summary) FROM next CROSS JOIN bodies USING (item_id) WHERE summary IS NOT NULL
             UNION ALL SELECT item_id, codec, substr(content, 1, ?3), length(content) FROM next CROSS JOIN full_texts USING (item_id)
             UNION ALL SELECT item_id, ifnull((SELECT codec FROM transcripts t WHERE t.item_id = next.item_id), 0),
                (SELECT substr(content, 1, ?3) FROM transcripts t WHERE t.item_id = next.item_id),
                ifnull((SELECT length(content) FROM transcripts t WHERE t.item_id = next.item_id), 0) FROM next",
        )
        .bind(before.unwrap_or(i64::MAX))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .bind(HEAD as i64)
        .fetch_all(&self.db.readers)
        .await?;
        sizes.sort_by_key(|size| std::cmp::Reverse(size.item_id));
        Ok(sizes)
    }

    fn unindexed_from(self, row: UnindexedRow) -> Result<Unindexed, LibraryError> {
        let listed = |text: &str| -> Result<Vec<String>, LibraryError> {
            serde_json::from_str(text)
                .map_err(|error| LibraryError::Invalid(format!("article {}: {error}", row.item_id)))
        };
        // An article with a damaged text is found by its title. The damage is reported when it is opened, and must not stop the
        // others.
        let body = |codec: Option<i64>, bytes| {
            self.db.unpack(row.item_id, codec.unwrap_or_default(), bytes, None).ok().flatten()
        };
        let transcript = row.transcript_codec.zip(row.transcript);
        let transcript = transcript.and_then(|(codec, content)| {
            let passages = transcripts::unpacked(self.db, row.item_id, codec, content).ok()?;
            Some(Transcript { passages, ..Transcript::default() }.plain_text())
        });
        Ok(Unindexed {
            item: row.item_id,
            stamp: row.stamp,
            sort_at: row.sort_at,
            author: row.author,
            url: row.url,
            language: row.language,
            words: u32::try_from(row.word_count).unwrap_or(0),
            feed: row.feed_id,
            updated: row.updated,
            media: media(&listed(&row.mime_types)?, row.thumbnail_url.is_some()),
            categories: row.categories.as_deref().map_or(Ok(Vec::new()), listed)?,
            tags: listed(&row.tags)?,
            notes: listed(&row.notes)?,
            title: row.title,
            content: body(row.codec, row.content),
            summary: body(row.codec, row.summary),
            full: body(row.full_codec, row.full),
            transcript,
        })
    }

    /// Indexes articles and removes them from the queue: all of them or none. Those that changed or were deleted since they were
    /// read are skipped. When another task wants to write, the rest stays queued.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn add(self, articles: &[Indexed]) -> Result<IndexedBatch, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let began = Instant::now();
        let enough = || self.db.writer_is_wanted() && began.elapsed() >= SOON;
        let articles = index(&mut transaction, articles, enough).await?;
        transaction.commit().await?;
        Ok(IndexedBatch { articles, held: began.elapsed() })
    }

    /// Merges parts of the index for a moment: a search reads each part. Returns whether there was anything to merge.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn merge(self) -> Result<bool, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let changes = "SELECT total_changes()";
        let before: i64 = sqlx::query_scalar(changes).fetch_one(&mut *transaction).await?;
        sqlx::query("INSERT INTO search (search, rank) VALUES ('merge', ?)")
            .bind(MERGED)
            .execute(&mut *transaction)
            .await?;
        let after: i64 = sqlx::query_scalar(changes).fetch_one(&mut *transaction).await?;
        transaction.commit().await?;
        // FTS5 counts itself as one change.
        Ok(after - before > 1)
    }
}

/// Indexes articles in a few statements, which share the cost. Returns their number, which is smaller if `enough` stopped it.
pub(crate) async fn index(
    connection: &mut SqliteConnection,
    articles: &[Indexed],
    enough: impl Fn() -> bool,
) -> Result<usize, LibraryError> {
    let stamps = json(&articles.iter().map(|article| (article.item, article.stamp)).collect::<Vec<_>>())?;
    let queued: Vec<(i64, Option<i64>)> = sqlx::query_as(
        "SELECT q.item_id, d.docid FROM json_each(?) j CROSS JOIN search_queue q ON q.item_id = j.value ->> 0 AND q.stamp = j.value ->> 1
         LEFT JOIN search_docs d ON d.item_id = q.item_id",
    )
    .bind(&stamps)
    .fetch_all(&mut *connection)
    .await?;
    let queued: HashMap<i64, Option<i64>> = queued.into_iter().collect();
    let (mut new, mut rows): (Vec<&Indexed>, Vec<(i64, &Indexed)>) = (Vec::new(), Vec::new());
    for article in articles {
        match queued.get(&article.item) {
            Some(Some(docid)) => rows.push((*docid, article)),
            Some(None) => new.push(article),
            None => {}
        }
    }
    let replaced = !rows.is_empty();
    if replaced {
        sqlx::query("DELETE FROM search WHERE rowid IN (SELECT value FROM json_each(?))")
            .bind(json(&rows.iter().map(|(docid, _)| docid).collect::<Vec<_>>())?)
            .execute(&mut *connection)
            .await?;
    }
    // From the newest down, since a number in use moves the next one down: this keeps results in the order of lists.
    new.sort_by_key(|article| std::cmp::Reverse((article.sort_at, article.item)));
    let numbers =
        numbers(connection, &new.iter().map(|article| number_of(article.sort_at)).collect::<Vec<_>>()).await?;
    rows.extend(numbers.into_iter().zip(new));
    // In rising order: FTS5 would write out its buffer at each step back.
    rows.sort_by_key(|(docid, _)| *docid);
    let mut done = 0;
    for chunk in rows.chunks(CHUNK) {
        let values = vec!["(?,?,?,?,?,?)"; chunk.len()].join(",");
        let sql = format!("INSERT INTO search (rowid, text, title, author, tags, facts) VALUES {values}");
        let mut statement = sqlx::query(sqlx::AssertSqlSafe(sql));
        for (docid, article) in chunk {
            statement = statement.bind(docid);
            for column in &article.columns {
                statement = statement.bind(column.as_str());
            }
        }
        statement.execute(&mut *connection).await?;
        done += chunk.len();
        // The removed rows must be added again.
        if !replaced && enough() {
            break;
        }
    }
    let pairs = json(&rows[..done].iter().map(|(docid, article)| (docid, article.item)).collect::<Vec<_>>())?;
    for sql in [
        "INSERT OR IGNORE INTO search_docs (docid, item_id) SELECT value ->> 0, value ->> 1 FROM json_each(?)",
        "DELETE FROM search_queue WHERE item_id IN (SELECT value ->> 1 FROM json_each(?))",
    ] {
        sqlx::query(sql).bind(&pairs).execute(&mut *connection).await?;
    }
    // The oldest spelling of a category counts.
    categories::name(connection, rows[..done].iter().rev().flat_map(|(_, article)| &article.categories)).await?;
    Ok(done)
}
