//! Taking in what another library gave: the small things in one transaction, articles and what hangs on them in batches of one
//! transaction each. Numbers of the archive are told apart from the library's own by tables that only this connection sees.
// long: each kind of line with its SQL, as records.rs has them on the way out.

use super::{
    OWN_SETTINGS,
    records::{
        FeedRecord, FolderRecord, FullTextRecord, ImageRecord, ItemRecord, PictureRecord, PlaybackRecord,
        ProgressRecord, RetentionRecord, RuleRecord, SavedSearchRecord, StateRecord, SynonymRecord, TagRecord,
        TaggedRecord, TombstoneRecord, TouchRecord, VersionRecord,
    },
};
use crate::{
    Body, LOCAL_ACCOUNT, Library, LibraryError, NewItem, Texts, body, feed_key, now, store,
    table::{folders, held, images, stories},
    tag_key,
};
use serde::Serialize;
use sqlx::SqliteConnection;
use std::{
    collections::{HashMap, HashSet},
    path::Path,
    sync::atomic::Ordering,
};
use tokio::sync::MutexGuard;

/// Of each number of the archive, what it is here. `new`: it came with this archive.
const ARRIVED: &str = "
    CREATE TEMP TABLE IF NOT EXISTS arrived_folders (number INTEGER PRIMARY KEY, id INTEGER NOT NULL, new INTEGER NOT NULL);
    CREATE TEMP TABLE IF NOT EXISTS arrived_feeds (number INTEGER PRIMARY KEY, id INTEGER NOT NULL, new INTEGER NOT NULL);
    CREATE TEMP TABLE IF NOT EXISTS arrived_rules (number INTEGER PRIMARY KEY, id INTEGER NOT NULL);
    CREATE TEMP TABLE IF NOT EXISTS arrived_items (number INTEGER PRIMARY KEY, id INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS temp.arrived_items_by_id ON arrived_items (id);
    DELETE FROM temp.arrived_folders; DELETE FROM temp.arrived_feeds; DELETE FROM temp.arrived_rules; DELETE FROM temp.arrived_items;";

/// All of an archive but articles and what hangs on them.
#[derive(Debug, Clone, Default)]
pub struct Head {
    /// Each after the one that it is in.
    pub folders: Vec<FolderRecord>,
    /// Subscriptions.
    pub feeds: Vec<FeedRecord>,
    /// Rules, deleted ones too.
    pub rules: Vec<RuleRecord>,
    /// Searches that are kept.
    pub saved_searches: Vec<SavedSearchRecord>,
    /// What categories mean.
    pub synonyms: Vec<SynonymRecord>,
    /// How much is kept.
    pub retention: Vec<RetentionRecord>,
    /// Tags, those of no article too.
    pub tags: Vec<TagRecord>,
    /// What the reader has set, JSON by key.
    pub settings: Vec<(String, String)>,
}

/// What came of a [`Head`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeadCounts {
    /// The numbers of the feeds that are new, in this library.
    pub feeds_added: Vec<i64>,
    /// Feeds that were there.
    pub feeds_there: usize,
    /// Folders that are new.
    pub folders_added: usize,
    /// Rules that are new.
    pub rules_added: u64,
    /// Searches that are new.
    pub searches_added: u64,
}

/// What came of some articles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ItemCounts {
    /// Articles that are new.
    pub added: usize,
    /// Articles that were there.
    pub there: usize,
    /// Articles of feeds that the archive does not name.
    pub lost: usize,
}

/// An archive on its way into the library. One at a time.
#[derive(Debug)]
pub struct Arrival<'a> {
    library: &'a Library,
    _alone: MutexGuard<'a, ()>,
    /// There was no article when it began: none can be a double, and stories are as the archive says.
    empty: bool,
}

/// What tells an article from others, for finding it.
#[derive(Serialize)]
struct Sought<'a> {
    feed: i64,
    key: &'a str,
    canonical_url: Option<&'a str>,
}

fn json<T: Serialize + ?Sized>(records: &T) -> Result<String, LibraryError> {
    serde_json::to_string(records).map_err(|error| LibraryError::Invalid(error.to_string()))
}

impl Library {
    /// Begins to take an archive in: what is small comes at once, all of it or nothing. Waits for another archive's end.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn arrive(&self, head: &Head) -> Result<(Arrival<'_>, HeadCounts), LibraryError> {
        let alone = self.arriving.lock().await;
        let mut writer = self.writer().await;
        sqlx::raw_sql(ARRIVED).execute(writer.connection()).await?;
        let mut transaction = writer.begin().await?;
        let (empty, no_feeds): (bool, bool) = sqlx::query_as(
            "SELECT NOT EXISTS (SELECT 1 FROM items i JOIN feeds f ON f.id = i.feed_id WHERE f.local = 0),
                NOT EXISTS (SELECT 1 FROM feeds WHERE local = 0)",
        )
        .fetch_one(&mut *transaction)
        .await?;
        let mut counts = HeadCounts::default();
        take_folders(&mut transaction, &head.folders, &mut counts).await?;
        take_feeds(&mut transaction, &head.feeds, &mut counts).await?;
        take_rules(&mut transaction, head, &mut counts).await?;
        sqlx::query(
            "INSERT INTO category_synonyms (key, means) SELECT value ->> '$.key', value ->> '$.means' FROM json_each(?) WHERE true
             ON CONFLICT DO NOTHING",
        )
        .bind(json(&head.synonyms)?)
        .execute(&mut *transaction)
        .await?;
        // Nothing that is here already may be let go of by what another library wished.
        sqlx::query(
            "INSERT INTO retention (scope, scope_id, days, articles, bytes, keep_unread)
             SELECT r.scope, ifnull(f.id, ifnull(d.id, 0)), r.days, r.articles, r.bytes, r.keep_unread FROM (
                SELECT value ->> '$.scope' AS scope, value ->> '$.of' AS number, value ->> '$.days' AS days,
                    value ->> '$.articles' AS articles, value ->> '$.bytes' AS bytes, value ->> '$.keep_unread' AS keep_unread
                FROM json_each(?1)) r
             LEFT JOIN temp.arrived_feeds f ON r.scope = 'feed' AND f.number = r.number AND f.new
             LEFT JOIN temp.arrived_folders d ON r.scope = 'folder' AND d.number = r.number AND d.new
             WHERE (r.scope = 'all' AND ?2) OR f.id IS NOT NULL OR d.id IS NOT NULL ON CONFLICT DO NOTHING",
        )
        .bind(json(&head.retention)?)
        .bind(no_feeds)
        .execute(&mut *transaction)
        .await?;
        for tag in &head.tags {
            if !tag_key(&tag.tag).is_empty() {
                crate::table::tags::named(&mut transaction, &tag.tag).await?;
            }
        }
        for (key, value) in head.settings.iter().filter(|(key, _)| !OWN_SETTINGS.contains(&key.as_str())) {
            sqlx::query("INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING")
                .bind(key)
                .bind(value)
                .execute(&mut *transaction)
                .await?;
        }
        let set =
            |key: &'static str| sqlx::query_scalar::<_, String>("SELECT value FROM settings WHERE key = ?").bind(key);
        let one_story = set(stories::SETTING).fetch_optional(&mut *transaction).await?.as_deref() != Some("false");
        let hold = set(held::SETTING).fetch_optional(&mut *transaction).await?.as_deref() == Some("true");
        transaction.commit().await?;
        self.one_story.store(one_story, Ordering::Relaxed);
        self.hold_future.store(hold, Ordering::Relaxed);
        Ok((Arrival { library: self, _alone: alone, empty }, counts))
    }
}

impl Library {
    /// How many of these articles are here, each in the feed with this number of the library's.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn items_there(&self, items: &[(i64, &ItemRecord)]) -> Result<usize, LibraryError> {
        let sought: Vec<Sought<'_>> = items
            .iter()
            .map(|(feed, item)| Sought { feed: *feed, key: &item.key, canonical_url: item.canonical_url.as_deref() })
            .collect();
        let there: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM json_each(?) j WHERE EXISTS (SELECT 1 FROM items WHERE feed_id = j.value ->> '$.feed' AND key = j.value ->> '$.key')
                OR EXISTS (SELECT 1 FROM items WHERE canonical_url = j.value ->> '$.canonical_url' AND feed_id = j.value ->> '$.feed')",
        )
        .bind(json(&sought)?)
        .fetch_one(&self.readers)
        .await?;
        Ok(usize::try_from(there).unwrap_or(0))
    }
}

async fn take_folders(
    connection: &mut SqliteConnection,
    records: &[FolderRecord],
    counts: &mut HeadCounts,
) -> Result<(), LibraryError> {
    let last: i64 =
        sqlx::query_scalar("SELECT ifnull(max(position), 0) FROM folders").fetch_one(&mut *connection).await?;
    let there: i64 = sqlx::query_scalar("SELECT count(*) FROM folders").fetch_one(&mut *connection).await?;
    let mut arrived: HashMap<i64, i64> = HashMap::new();
    for record in records {
        let name = record.name.trim();
        if name.is_empty() {
            continue;
        }
        // One whose own folder is not known is in none.
        let parent = record.parent.and_then(|parent| arrived.get(&parent).copied());
        let (id, new) = folders::ensure(connection, parent, name).await?;
        if new {
            counts.folders_added += 1;
            let position = if there == 0 { record.position } else { last.saturating_add(record.position) };
            sqlx::query("UPDATE folders SET open = ?, position = ? WHERE id = ?")
                .bind(record.open)
                .bind(position)
                .bind(id)
                .execute(&mut *connection)
                .await?;
        }
        arrived.insert(record.folder, id);
        sqlx::query("INSERT OR IGNORE INTO temp.arrived_folders (number, id, new) VALUES (?, ?, ?)")
            .bind(record.folder)
            .bind(id)
            .bind(new)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn take_feeds(
    connection: &mut SqliteConnection,
    records: &[FeedRecord],
    counts: &mut HeadCounts,
) -> Result<(), LibraryError> {
    let last: Option<i64> =
        sqlx::query_scalar("SELECT max(position) FROM feeds WHERE local = 0").fetch_one(&mut *connection).await?;
    let at = now();
    for record in records {
        let key = feed_key(&record.url);
        let there: Option<i64> =
            sqlx::query_scalar("SELECT id FROM feeds WHERE account_id = ? AND url_key = ? AND unsubscribed_at IS NULL")
                .bind(LOCAL_ACCOUNT)
                .bind(&key)
                .fetch_optional(&mut *connection)
                .await?;
        let id = match there {
            Some(id) => {
                counts.feeds_there += 1;
                id
            }
            None => {
                let id: i64 = sqlx::query_scalar(
                    "INSERT INTO feeds (account_id, url, url_key, title, custom_title, description, home_url, language, icon, folder_id,
                        position, outline, added_at, refresh_minutes, former_url, stays, kept_silent, ahead, full_text_first)
                     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM temp.arrived_folders WHERE number = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)
                     RETURNING id",
                )
                .bind(LOCAL_ACCOUNT)
                .bind(record.url.trim())
                .bind(key)
                .bind(&record.title)
                .bind(&record.custom_title)
                .bind(&record.description)
                .bind(&record.home_url)
                .bind(&record.language)
                .bind(&record.icon)
                .bind(record.folder)
                .bind(last.map_or(record.position, |last| last.saturating_add(record.position)))
                .bind(&record.outline)
                .bind(record.added_at)
                .bind(record.refresh_minutes)
                .bind(&record.former_url)
                .bind(record.stays)
                .bind(record.kept_silent)
                .bind(record.ahead)
                .bind(record.full_text_first)
                .fetch_one(&mut *connection)
                .await?;
                sqlx::query("INSERT INTO polls (feed_id, next_at) VALUES (?, ?)")
                    .bind(id)
                    .bind(Some(at).filter(|_| record.refresh_minutes != Some(0)))
                    .execute(&mut *connection)
                    .await?;
                counts.feeds_added.push(id);
                id
            }
        };
        sqlx::query("INSERT OR IGNORE INTO temp.arrived_feeds (number, id, new) VALUES (?, ?, ?)")
            .bind(record.feed)
            .bind(id)
            .bind(there.is_none())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Rules and saved searches, which are known again by what they say.
async fn take_rules(
    connection: &mut SqliteConnection,
    head: &Head,
    counts: &mut HeadCounts,
) -> Result<(), LibraryError> {
    // A rule for a feed or folder that is not known must not become one for all.
    let rules = "WITH r AS (SELECT j.value ->> '$.rule' AS number, j.value ->> '$.name' AS name, j.value ->> '$.query' AS query, f.id AS feed_id,
            d.id AS folder_id, j.value ->> '$.actions' AS actions, j.value ->> '$.enabled' AS enabled, j.value ->> '$.position' AS position,
            j.value ->> '$.created_at' AS created_at, j.value ->> '$.deleted_at' AS deleted_at
        FROM json_each(?1) j LEFT JOIN temp.arrived_feeds f ON f.number = j.value ->> '$.feed'
            LEFT JOIN temp.arrived_folders d ON d.number = j.value ->> '$.folder'
        WHERE (j.value ->> '$.feed' IS NULL) = (f.id IS NULL) AND (j.value ->> '$.folder' IS NULL) = (d.id IS NULL))";
    let same = "x.name = r.name AND x.query = r.query AND x.feed_id IS r.feed_id AND x.folder_id IS r.folder_id
        AND x.actions = r.actions AND (x.deleted_at IS NULL) = (r.deleted_at IS NULL)";
    let records = json(&head.rules)?;
    let sql = format!(
        "{rules} INSERT INTO rules (name, query, feed_id, folder_id, actions, enabled, position, created_at, deleted_at)
         SELECT name, query, feed_id, folder_id, actions, enabled, position + (SELECT ifnull(max(position), 0) FROM rules), created_at, deleted_at
         FROM r WHERE NOT EXISTS (SELECT 1 FROM rules x WHERE {same}) ORDER BY number"
    );
    let done = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(&records).execute(&mut *connection).await?;
    counts.rules_added = done.rows_affected();
    let sql = format!(
        "{rules} INSERT OR IGNORE INTO temp.arrived_rules (number, id) SELECT number, (SELECT min(x.id) FROM rules x WHERE {same}) FROM r
         WHERE number IS NOT NULL"
    );
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(&records).execute(&mut *connection).await?;
    let done = sqlx::query(
        "INSERT INTO saved_searches (name, query, position)
         SELECT value ->> '$.name', value ->> '$.query', (value ->> '$.position') + (SELECT ifnull(max(position), 0) FROM saved_searches)
         FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM saved_searches x WHERE x.name = value ->> '$.name' AND x.query = value ->> '$.query')",
    )
    .bind(json(&head.saved_searches)?)
    .execute(connection)
    .await?;
    counts.searches_added = done.rows_affected();
    Ok(())
}

fn bytes_of(digits: &str) -> Vec<u8> {
    let digit = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len() / 2).filter_map(|pair| digit(2 * pair)).collect()
}

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
        due_at: record.held_until,
        texts: Texts::pack(record.content.as_ref(), record.summary.as_ref()),
        ..NewItem::default()
    }
}

impl Arrival<'_> {
    /// Takes articles in, in the order of the archive. Those that are there, by their key within the feed or their address, stay as they are.
    ///
    /// # Errors
    /// When the library cannot be written; then none of them is in it.
    pub async fn items(&mut self, records: &[ItemRecord]) -> Result<ItemCounts, LibraryError> {
        // Compressed before the writer is waited for.
        let items: Vec<NewItem> = records.iter().map(new_item).collect();
        let sought: Vec<Sought<'_>> = records
            .iter()
            .map(|item| Sought { feed: item.feed, key: &item.key, canonical_url: item.canonical_url.as_deref() })
            .collect();
        let hold = self.library.holds_future();
        let mut counts = ItemCounts::default();
        let mut writer = self.library.writer().await;
        let mut transaction = writer.begin().await?;
        // An address that two articles of the archive share makes no double of the second.
        let found: Vec<(i64, i64, Option<i64>)> = sqlx::query_as(
            "SELECT j.key, f.id, coalesce(
                (SELECT id FROM items WHERE feed_id = f.id AND key = j.value ->> '$.key'),
                (SELECT min(id) FROM items WHERE canonical_url = j.value ->> '$.canonical_url' AND feed_id = f.id
                    AND id NOT IN (SELECT id FROM temp.arrived_items)))
             FROM json_each(?1) j JOIN temp.arrived_feeds f ON f.number = j.value ->> '$.feed'",
        )
        .bind(json(&sought)?)
        .fetch_all(&mut *transaction)
        .await?;
        let first: i64 =
            sqlx::query_scalar("SELECT ifnull(max(id), 0) + 1 FROM items").fetch_one(&mut *transaction).await?;
        let (mut next, mut new, mut arrived) = (first, Vec::new(), Vec::with_capacity(found.len()));
        let mut keys: HashSet<(i64, &str)> = HashSet::new();
        counts.lost = records.len() - found.len();
        for (at, feed, there) in found {
            let Some((record, item)) = usize::try_from(at).ok().and_then(|at| records.get(at).zip(items.get(at)))
            else {
                continue;
            };
            let id = match there {
                Some(id) => {
                    counts.there += 1;
                    id
                }
                // The archive says it twice.
                None if !keys.insert((feed, &record.key)) => continue,
                None => {
                    new.push((next, feed, item));
                    next += 1;
                    next - 1
                }
            };
            arrived.push((record.item, id));
        }
        counts.added = new.len();
        store::insert_all(&mut transaction, &new, hold).await?;
        sqlx::query(
            "INSERT OR IGNORE INTO temp.arrived_items (number, id) SELECT value ->> '$[0]', value ->> '$[1]' FROM json_each(?)",
        )
        .bind(json(&arrived)?)
        .execute(&mut *transaction)
        .await?;
        // They are here again.
        sqlx::query("DELETE FROM tombstones WHERE (feed_id, key) IN (SELECT feed_id, key FROM items WHERE id >= ?)")
            .bind(first)
            .execute(&mut *transaction)
            .await?;
        let told: Vec<(i64, i64)> = records.iter().filter_map(|item| Some((item.item, item.story?))).collect();
        sqlx::query(
            "INSERT OR IGNORE INTO stories (item_id, story_id) SELECT a.id, b.id FROM json_each(?) j
             JOIN temp.arrived_items a ON a.number = j.value ->> '$[0]' JOIN temp.arrived_items b ON b.number = j.value ->> '$[1]'",
        )
        .bind(json(&told)?)
        .execute(&mut *transaction)
        .await?;
        if !self.empty && next > first {
            stories::gather(&mut transaction, first, false).await?;
        }
        transaction.commit().await?;
        Ok(counts)
    }

    /// What is marked in the archive or here is marked from now on. Gives how many articles were given a mark.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn states(&mut self, records: &[StateRecord]) -> Result<u64, LibraryError> {
        let (one_story, records) = (self.library.stories_are_one(), json(records)?);
        let mut writer = self.library.writer().await;
        let mut transaction = writer.begin().await?;
        // What shows in the archive shows here, though it would be held back.
        let shown: Vec<i64> = sqlx::query_scalar(
            "SELECT a.id FROM json_each(?) j JOIN temp.arrived_items a ON a.number = j.value ->> '$.item' JOIN held h ON h.item_id = a.id",
        )
        .bind(&records)
        .fetch_all(&mut *transaction)
        .await?;
        for item in shown {
            held::release(&mut transaction, held::Which::One(item), now(), one_story).await?;
        }
        // Two of the archive may be one here: what either says counts.
        let done = sqlx::query(
            "UPDATE states SET read = max(read, j.now_read), read_at = iif(read = 0 AND j.now_read, j.now_read_at, read_at),
                starred = max(starred, j.now_starred), starred_at = iif(starred = 0 AND j.now_starred, j.now_starred_at, starred_at),
                hidden = iif(hidden = 0, j.now_hidden, hidden), kept = max(kept, j.now_kept)
             FROM (SELECT a.id, max(e.value ->> '$.read') AS now_read, max(e.value ->> '$.read_at') AS now_read_at,
                    max(e.value ->> '$.starred') AS now_starred, max(e.value ->> '$.starred_at') AS now_starred_at,
                    max(e.value ->> '$.hidden') AS now_hidden, max(e.value ->> '$.kept') AS now_kept
                FROM json_each(?) e JOIN temp.arrived_items a ON a.number = e.value ->> '$.item' GROUP BY a.id) j
             WHERE states.item_id = j.id
                AND (read < j.now_read OR starred < j.now_starred OR (hidden = 0 AND j.now_hidden) OR kept < j.now_kept)",
        )
        .bind(&records)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(done.rows_affected())
    }

    /// Gives articles their tags.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn tagged(&mut self, records: &[TaggedRecord]) -> Result<u64, LibraryError> {
        let names: HashSet<&str> = records.iter().map(|record| record.tag.as_str()).collect();
        let rows: Vec<(i64, String, i64)> =
            records.iter().map(|record| (record.item, tag_key(&record.tag), record.at)).collect();
        let mut writer = self.library.writer().await;
        let mut transaction = writer.begin().await?;
        for name in names.into_iter().filter(|name| !tag_key(name).is_empty()) {
            crate::table::tags::named(&mut transaction, name).await?;
        }
        let done = sqlx::query(
            "INSERT INTO item_tags (tag_id, sort_at, item_id, at) SELECT t.id, i.sort_at, i.id, j.value ->> '$[2]' FROM json_each(?) j
             JOIN temp.arrived_items a ON a.number = j.value ->> '$[0]' JOIN items i ON i.id = a.id JOIN tags t ON t.key = j.value ->> '$[1]'
             WHERE true ON CONFLICT DO NOTHING",
        )
        .bind(json(&rows)?)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(done.rows_affected())
    }

    /// Takes in what articles said before.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn versions(&mut self, records: &[VersionRecord]) -> Result<u64, LibraryError> {
        let packed: Vec<_> =
            records.iter().map(|record| body::pack(record.content.as_ref(), record.summary.as_ref())).collect();
        let mut writer = self.library.writer().await;
        let mut transaction = writer.begin().await?;
        let mut added = 0;
        for (record, packed) in records.iter().zip(packed) {
            let base = |body: &Option<Body>| body.as_ref().and_then(|body| body.base.clone());
            let done = sqlx::query(
                "INSERT INTO versions (item_id, at, title, codec, content, content_base, summary, summary_base)
                 SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM temp.arrived_items WHERE number = ?1 ON CONFLICT DO NOTHING",
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

    /// Takes in articles' texts from their own pages.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn full_texts(&mut self, records: &[FullTextRecord]) -> Result<u64, LibraryError> {
        let pack = |record: &FullTextRecord| body::pack(Some(&Body { html: record.html.clone(), base: None }), None);
        let packed: Vec<_> = records.iter().map(pack).collect();
        let mut writer = self.library.writer().await;
        let mut transaction = writer.begin().await?;
        let mut added = 0;
        for (record, packed) in records.iter().zip(packed) {
            let done = sqlx::query(
                "INSERT INTO full_texts (item_id, url, codec, content, fetched_at)
                 SELECT id, ?2, ?3, ?4, ?5 FROM temp.arrived_items WHERE number = ?1 ON CONFLICT DO NOTHING",
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

    /// Takes in how far articles were read.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn progress(&mut self, records: &[ProgressRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO progress (item_id, position, at) SELECT a.id, min(max(j.value ->> '$.position', 0), 1), j.value ->> '$.at'
             FROM json_each(?) j JOIN temp.arrived_items a ON a.number = j.value ->> '$.item' WHERE true ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Takes in how far enclosures were played.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn playback(&mut self, records: &[PlaybackRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO playback (item_id, url, seconds, duration, finished, at) SELECT a.id, j.value ->> '$.url', j.value ->> '$.seconds',
                j.value ->> '$.duration', j.value ->> '$.finished', j.value ->> '$.at'
             FROM json_each(?) j JOIN temp.arrived_items a ON a.number = j.value ->> '$.item' WHERE true ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Takes in which rule did something to which article.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn touches(&mut self, records: &[TouchRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO rule_touches (item_id, rule_id, at, actions) SELECT a.id, r.id, j.value ->> '$.at', j.value ->> '$.actions' FROM json_each(?) j
             JOIN temp.arrived_items a ON a.number = j.value ->> '$.item' JOIN temp.arrived_rules r ON r.number = j.value ->> '$.rule'
             WHERE true ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Takes in what was let go of, but for what is here.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn tombstones(&mut self, records: &[TombstoneRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO tombstones (feed_id, key, canonical_url, title, published_at, digest, at) SELECT f.id, j.value ->> '$.key',
                j.value ->> '$.canonical_url', j.value ->> '$.title', j.value ->> '$.published_at', ifnull(unhex(j.value ->> '$.digest'), x''), j.value ->> '$.at'
             FROM json_each(?) j JOIN temp.arrived_feeds f ON f.number = j.value ->> '$.feed'
             WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.feed_id = f.id AND i.key = j.value ->> '$.key') ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Says that pictures are on their way: a file is never without its row. Those that do not come are cleared away.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn images(&mut self, records: &[ImageRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO images (digest, mime_type, bytes, fetched_at) SELECT unhex(value ->> '$.digest'), value ->> '$.mime_type',
                value ->> '$.bytes', value ->> '$.fetched_at' FROM json_each(?) WHERE unhex(value ->> '$.digest') IS NOT NULL ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Puts a picture into its place ([`Library::image_file`]), whole or not at all. Says whether it was not there yet.
    ///
    /// # Errors
    /// When the disk is full or the folder cannot be written.
    pub fn image_bytes(&self, place: &Path, bytes: &[u8]) -> Result<bool, LibraryError> {
        if place.is_file() {
            return Ok(false);
        }
        images::write(place, bytes).map_err(|error| self.library.not_written(&error))?;
        Ok(true)
    }

    /// Gives articles their pictures, whose files are in their places.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn pictures(&mut self, records: &[PictureRecord]) -> Result<u64, LibraryError> {
        let records = json(records)?;
        let mut writer = self.library.writer().await;
        let mut transaction = writer.begin().await?;
        let shown = sqlx::query(
            "INSERT INTO item_images (item_id, url, digest) SELECT a.id, j.value ->> '$.url', g.digest FROM json_each(?) j
             JOIN temp.arrived_items a ON a.number = j.value ->> '$.item' JOIN images g ON g.digest = unhex(j.value ->> '$.digest')
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

    async fn insert<T: Serialize>(&mut self, sql: &'static str, records: &[T]) -> Result<u64, LibraryError> {
        let mut writer = self.library.writer().await;
        let mut transaction = writer.begin().await?;
        let done = sqlx::query(sql).bind(json(records)?).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected())
    }
}
