//! Imports an archive: the small data in one transaction, articles and their data in batches of one transaction each. Temporary
//! tables map the archive's ids to the library's.

mod articles;
mod existing;
mod playback;

pub use existing::ArchiveLookup;

use super::{
    OWN_SETTINGS,
    records::{
        FeedRecord, FolderRecord, ItemRecord, RetentionRecord, RuleRecord, SavedSearchRecord, SynonymRecord, TagRecord,
    },
};
use crate::{
    FeedScope, GainedMarks, LOCAL_ACCOUNT, LibraryError, Millis,
    archive::Archive,
    database::Database,
    former_feeds,
    json::json,
    table::{
        categories, duplicates, feed_playback, folders,
        id_sequences::{self, Numbered},
        logins::{self, Place},
        preferences, scheduled, settings,
        tags::{self, tag_key},
        versions,
    },
};
use gleaner_address::without_stored_password;
use gleaner_query::category_key;
use sqlx::SqliteConnection;
use std::{
    collections::{HashMap, HashSet},
    sync::atomic::Ordering,
};
use tokio::sync::MutexGuard;

/// Tables from ids of the archive to ids of the library. `new`: this import created it.
const ID_MAPS: &str = "
    CREATE TEMP TABLE IF NOT EXISTS imported_folders (number INTEGER PRIMARY KEY, id INTEGER NOT NULL, new INTEGER NOT NULL);
    CREATE TEMP TABLE IF NOT EXISTS imported_feeds (number INTEGER PRIMARY KEY, id INTEGER NOT NULL, new INTEGER NOT NULL);
    CREATE TEMP TABLE IF NOT EXISTS imported_rules (number INTEGER PRIMARY KEY, id INTEGER NOT NULL);
    CREATE TEMP TABLE IF NOT EXISTS imported_items (number INTEGER PRIMARY KEY, id INTEGER NOT NULL, new INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS temp.imported_items_by_id ON imported_items (id);
    DELETE FROM temp.imported_folders; DELETE FROM temp.imported_feeds; DELETE FROM temp.imported_rules; DELETE FROM temp.imported_items;";

/// Everything in an archive but articles and their data.
#[derive(Debug, Clone, Default)]
pub struct Head {
    /// Parents before their children.
    pub folders: Vec<FolderRecord>,
    /// Subscriptions.
    pub feeds: Vec<FeedRecord>,
    /// Including deleted rules.
    pub rules: Vec<RuleRecord>,
    /// Saved searches.
    pub saved_searches: Vec<SavedSearchRecord>,
    /// Synonyms of categories.
    pub synonyms: Vec<SynonymRecord>,
    /// Retention policies.
    pub retention: Vec<RetentionRecord>,
    /// Including tags without articles.
    pub tags: Vec<TagRecord>,
    /// Settings, JSON by key.
    pub settings: Vec<(String, String)>,
}

/// Counts of what importing a [`Head`] added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeadCounts {
    /// Library ids of the new feeds.
    pub feeds_added: Vec<i64>,
    /// Feeds that existed already.
    pub feeds_there: usize,
    /// Library ids of the new folders, parents before their subfolders.
    pub folders_added: Vec<i64>,
    /// New rules.
    pub rules_added: u64,
    /// New saved searches.
    pub searches_added: u64,
}

/// Counts of imported articles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ItemCounts {
    /// New articles.
    pub added: usize,
    /// Articles that existed already.
    pub there: usize,
    /// Articles of feeds that are missing from the archive.
    pub lost: usize,
    /// New articles of feeds that existed already.
    pub added_to_existing: usize,
}

impl std::ops::AddAssign for ItemCounts {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.there += other.there;
        self.lost += other.lost;
        self.added_to_existing += other.added_to_existing;
    }
}

/// An import in progress. There is one at a time.
#[derive(Debug)]
pub struct ArchiveImport<'a> {
    db: &'a Database,
    _alone: MutexGuard<'a, ()>,
    /// Whether the library had no articles at the start: then there can be no duplicates, and groups of duplicates come from the
    /// archive.
    empty: bool,
    gained: GainedMarks,
}

impl<'a> Archive<'a> {
    /// Begins to import an archive: imports its small data, all of it or nothing. Waits for another import to end.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was imported.
    pub async fn import(self, head: &Head) -> Result<(ArchiveImport<'a>, HeadCounts), LibraryError> {
        let alone = self.db.importing.lock().await;
        let mut writer = self.db.writer().await;
        sqlx::raw_sql(ID_MAPS).execute(writer.connection()).await?;
        let mut transaction = writer.begin().await?;
        let (empty, no_feeds): (bool, bool) = sqlx::query_as(
            "SELECT NOT EXISTS (SELECT 1 FROM items i JOIN feeds f ON f.id = i.feed_id WHERE f.local = 0),
                NOT EXISTS (SELECT 1 FROM feeds WHERE local = 0)",
        )
        .fetch_one(&mut *transaction)
        .await?;
        let mut counts = HeadCounts::default();
        import_folders(&mut transaction, &head.folders, &mut counts).await?;
        import_feeds(&mut transaction, &head.feeds, &mut counts, self.db.now()).await?;
        import_rules(&mut transaction, &head.rules, &mut counts).await?;
        import_searches(&mut transaction, &head.saved_searches, &mut counts).await?;
        import_synonyms(&mut transaction, &head.synonyms).await?;
        // A policy of another library must not expire articles that are here already.
        sqlx::query(
            "INSERT INTO retention (scope, scope_id, days, articles, bytes, keep_unread)
             SELECT r.scope, ifnull(f.id, ifnull(d.id, 0)), r.days, r.articles, r.bytes, r.keep_unread FROM (
                SELECT value ->> '$.scope' AS scope, value ->> '$.of' AS number, value ->> '$.days' AS days,
                    value ->> '$.articles' AS articles, value ->> '$.bytes' AS bytes, value ->> '$.keep_unread' AS keep_unread
                FROM json_each(?1)) r
             LEFT JOIN temp.imported_feeds f ON r.scope = 'feed' AND f.number = r.number AND f.new
             LEFT JOIN temp.imported_folders d ON r.scope = 'folder' AND d.number = r.number AND d.new
             WHERE (r.scope = 'all' AND ?2) OR f.id IS NOT NULL OR d.id IS NOT NULL ON CONFLICT DO NOTHING",
        )
        .bind(json(&head.retention)?)
        .bind(no_feeds)
        .execute(&mut *transaction)
        .await?;
        let mut gained = GainedMarks::default();
        for tag in &head.tags {
            gained.created.extend(tags::ensure(&mut transaction, &tag.tag).await?.1);
        }
        // Existing feeds keep their polling preferences.
        let meant = |key: &str| !OWN_SETTINGS.contains(&key) && (no_feeds || key != preferences::SETTING);
        for (key, value) in head.settings.iter().filter(|(key, _)| meant(key)) {
            sqlx::query("INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING")
                .bind(key)
                .bind(value)
                .execute(&mut *transaction)
                .await?;
        }
        preferences::update_next_polls(&mut transaction, self.db.now()).await?;
        let combine = settings::get(&mut *transaction, duplicates::SETTING).await?.as_deref() != Some("false");
        let schedules = settings::get(&mut *transaction, scheduled::SETTING).await?.as_deref() == Some("true");
        let limit = versions::limit_of(settings::get(&mut *transaction, versions::SETTING).await?.as_deref());
        transaction.commit().await?;
        self.db.version_limit.store(limit, Ordering::Relaxed);
        self.db.combine_duplicates.store(combine, Ordering::Relaxed);
        self.db.schedule_future.store(schedules, Ordering::Relaxed);
        Ok((ArchiveImport { db: self.db, _alone: alone, empty, gained }, counts))
    }
}

impl Archive<'_> {
    /// Returns how many of these articles exist, each with the library's id of its feed. `lookup` is that of their archive.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_existing(
        self,
        lookup: &mut ArchiveLookup,
        items: &[(i64, &ItemRecord)],
    ) -> Result<usize, LibraryError> {
        let mut reader = self.db.readers.acquire().await?;
        Ok(existing::existing(&mut reader, lookup, items).await?.iter().filter(|found| found.id.is_some()).count())
    }
}

async fn import_folders(
    connection: &mut SqliteConnection,
    records: &[FolderRecord],
    counts: &mut HeadCounts,
) -> Result<(), LibraryError> {
    let last: i64 =
        sqlx::query_scalar("SELECT ifnull(max(position), 0) FROM folders").fetch_one(&mut *connection).await?;
    let there: i64 = sqlx::query_scalar("SELECT count(*) FROM folders").fetch_one(&mut *connection).await?;
    let mut imported: HashMap<i64, i64> = HashMap::new();
    for record in records {
        let name = record.name.trim();
        // A folder whose parent is unknown goes to the top level.
        let parent = record.parent.and_then(|parent| imported.get(&parent).copied());
        let (id, new) = folders::ensure(connection, parent, name).await?;
        if new {
            counts.folders_added.push(id);
            let position = if there == 0 { record.position } else { last.saturating_add(record.position) };
            preferences::set_in(connection, FeedScope::Folder(id), record.preferences()).await?;
            sqlx::query("UPDATE folders SET open = ?, position = ? WHERE id = ?")
                .bind(record.open)
                .bind(position)
                .bind(id)
                .execute(&mut *connection)
                .await?;
        }
        imported.insert(record.folder, id);
        sqlx::query("INSERT OR IGNORE INTO temp.imported_folders (number, id, new) VALUES (?, ?, ?)")
            .bind(record.folder)
            .bind(id)
            .bind(new)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn import_feeds(
    connection: &mut SqliteConnection,
    records: &[FeedRecord],
    counts: &mut HeadCounts,
    now: Millis,
) -> Result<(), LibraryError> {
    let last: Option<i64> =
        sqlx::query_scalar("SELECT max(position) FROM feeds WHERE local = 0").fetch_one(&mut *connection).await?;
    let mut former = Vec::new();
    for record in records {
        // Archives of older versions may contain logins.
        let Place { url, key, login, there } = logins::imported_place(connection, &record.url).await?;
        let id = match there {
            Some(id) => {
                counts.feeds_there += 1;
                id
            }
            None => {
                let id = id_sequences::next(connection, Numbered::Feeds).await?;
                sqlx::query(
                    "INSERT INTO feeds (id, account_id, url, url_key, title, custom_title, description, home_url, language, icon, folder_id,
                        position, outline, added_at, former_url, stays, kept_silent, head)
                     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM temp.imported_folders WHERE number = ?), ?, ?, ?, ?, ?, ?, ?)",
                )
                .bind(id)
                .bind(LOCAL_ACCOUNT)
                .bind(url)
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
                .bind(record.former_url.as_deref().map(without_stored_password))
                .bind(record.stays)
                .bind(record.kept_silent)
                .bind(&record.head)
                .execute(&mut *connection)
                .await?;
                preferences::set_in(connection, FeedScope::Feed(id), record.preferences()).await?;
                feed_playback::set_playback(connection, id, record.playback).await?;
                sqlx::query("INSERT INTO polls (feed_id, next_at) VALUES (?, ?)")
                    .bind(id)
                    .bind(now)
                    .execute(&mut *connection)
                    .await?;
                counts.feeds_added.push(id);
                former.extend(record.of_account.then_some(id));
                id
            }
        };
        if let Some(login) = &login {
            logins::add(connection, id, login).await?;
        }
        sqlx::query("INSERT OR IGNORE INTO temp.imported_feeds (number, id, new) VALUES (?, ?, ?)")
            .bind(record.feed)
            .bind(id)
            .bind(there.is_none())
            .execute(&mut *connection)
            .await?;
    }
    former_feeds::add(connection, &former).await
}

/// Imports rules; those with the same content are the same.
async fn import_rules(
    connection: &mut SqliteConnection,
    records: &[RuleRecord],
    counts: &mut HeadCounts,
) -> Result<(), LibraryError> {
    // A rule for an unknown feed or folder must not become a rule for all feeds.
    let rules = "WITH r AS (SELECT j.value ->> '$.rule' AS number, j.value ->> '$.name' AS name, j.value ->> '$.query' AS query, f.id AS feed_id,
            d.id AS folder_id, j.value ->> '$.actions' AS actions, j.value ->> '$.enabled' AS enabled, j.value ->> '$.position' AS position,
            j.value ->> '$.created_at' AS created_at, j.value ->> '$.deleted_at' AS deleted_at
        FROM json_each(?1) j LEFT JOIN temp.imported_feeds f ON f.number = j.value ->> '$.feed'
            LEFT JOIN temp.imported_folders d ON d.number = j.value ->> '$.folder'
        WHERE (j.value ->> '$.feed' IS NULL) = (f.id IS NULL) AND (j.value ->> '$.folder' IS NULL) = (d.id IS NULL))";
    let same = "x.name = r.name AND x.query = r.query AND x.feed_id IS r.feed_id AND x.folder_id IS r.folder_id
        AND x.actions = r.actions AND (x.deleted_at IS NULL) = (r.deleted_at IS NULL)";
    let records = json(records)?;
    let sql = format!(
        "{rules} INSERT INTO rules (name, query, feed_id, folder_id, actions, enabled, position, created_at, deleted_at)
         SELECT name, query, feed_id, folder_id, actions, enabled, position + (SELECT ifnull(max(position), 0) FROM rules), created_at, deleted_at
         FROM r WHERE NOT EXISTS (SELECT 1 FROM rules x WHERE {same}) ORDER BY number"
    );
    let done = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(&records).execute(&mut *connection).await?;
    counts.rules_added = done.rows_affected();
    let sql = format!(
        "{rules} INSERT OR IGNORE INTO temp.imported_rules (number, id) SELECT number, (SELECT min(x.id) FROM rules x WHERE {same}) FROM r
         WHERE number IS NOT NULL"
    );
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(&records).execute(&mut *connection).await?;
    Ok(())
}

/// Imports saved searches. Those with the same name and query are the same; a name that another query has gets a number.
async fn import_searches(
    connection: &mut SqliteConnection,
    records: &[SavedSearchRecord],
    counts: &mut HeadCounts,
) -> Result<(), LibraryError> {
    let there: Vec<(String, String)> =
        sqlx::query_as("SELECT name, query FROM saved_searches").fetch_all(&mut *connection).await?;
    let last: i64 =
        sqlx::query_scalar("SELECT ifnull(max(position), 0) FROM saved_searches").fetch_one(&mut *connection).await?;
    // The searches of the archive have the names from its library.
    let taken: HashSet<String> = there.iter().map(|(name, _)| tag_key(name)).collect();
    // A search that got a number is the same when the archive is imported again.
    let mut same: HashSet<(String, &str)> = there
        .iter()
        .flat_map(|(name, query)| [name.as_str(), without_number(name)].map(|name| (tag_key(name), query.as_str())))
        .collect();
    let mut numbers: HashMap<String, u64> = HashMap::new();
    for record in records {
        let key = tag_key(&record.name);
        if !same.insert((key.clone(), &record.query)) {
            continue;
        }
        let mut name = record.name.clone();
        let number = numbers.entry(key).or_insert(1);
        while taken.contains(&tag_key(&name)) {
            *number += 1;
            name = format!("{} ({number})", record.name);
        }
        sqlx::query("INSERT INTO saved_searches (name, query, notify, position) VALUES (?, ?, ?, ?)")
            .bind(name)
            .bind(&record.query)
            .bind(record.notify)
            .bind(last.saturating_add(record.position))
            .execute(&mut *connection)
            .await?;
        counts.searches_added += 1;
    }
    Ok(())
}

/// Returns the name without the number in parentheses at its end.
fn without_number(name: &str) -> &str {
    let number = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    match number {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}

/// Imports synonyms for categories that have none, unless they would form a circle.
async fn import_synonyms(connection: &mut SqliteConnection, records: &[SynonymRecord]) -> Result<(), LibraryError> {
    for record in records {
        let Some(key) = category_key(&record.key) else { continue };
        let there: Option<String> = sqlx::query_scalar("SELECT means FROM category_synonyms WHERE key = ?")
            .bind(&key)
            .fetch_optional(&mut *connection)
            .await?;
        if there.is_some() {
            continue;
        }
        match categories::set_synonym_in(connection, &key, Some(&record.means)).await {
            Ok(_) | Err(LibraryError::Refused(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
