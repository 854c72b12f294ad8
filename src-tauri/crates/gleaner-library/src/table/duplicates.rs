//! `stories`: groups of duplicates: articles of different feeds with the same address, or with nearly the same title and text at
//! about the same time. Lists of several feeds show one article of a group, reading one marks all as read, and each article lists
//! the others. Groups are always stored; combining them is the user's choice.

use crate::{
    LibraryError, Millis,
    database::{Database, repository},
    table::settings::Settings,
};
use sqlx::{SqliteConnection, SqliteExecutor};
use std::{
    collections::{BTreeMap, HashSet},
    sync::atomic::Ordering,
};

/// The setting that does not combine duplicates: "false".
pub(crate) const SETTING: &str = "one_story";
/// Maximum distance of duplicates with the same title. Articles further apart differ: "Weekly links", "Open thread".
/// `items_by_title` has spans of this length.
const MAX_DISTANCE: Millis = 345_600_000;
/// Minimum share of equal words in two excerpts.
const MIN_ALIKE: f64 = 0.7;
/// Minimum number of words for comparing excerpts.
const MIN_WORDS: usize = 8;
/// Number of articles with one title in a span above which the title does not identify duplicates.
const COMMON: usize = 40;

/// Number of articles with an address that a new one is compared with. All of them are in the same group, however many feeds have it.
const COMPARED: i64 = 100;

/// A duplicate in another feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Duplicate {
    /// Id of the duplicate.
    pub id: i64,
    /// Id of its feed.
    pub feed_id: i64,
}

#[derive(sqlx::FromRow)]
struct Pair {
    new: i64,
    old: i64,
    new_excerpt: String,
    old_excerpt: String,
}

/// Number of unread articles from which scanning the groups is faster.
const MUCH_UNREAD: i64 = if cfg!(test) { 3 } else { 10_000 };

repository!(
    /// Articles of several feeds that tell the same.
    Duplicates
);

impl Duplicates<'_> {
    /// Returns whether duplicates count as one article.
    pub fn are_combined(self) -> bool {
        self.db.combine_duplicates.load(Ordering::Relaxed)
    }

    /// Sets whether duplicates count as one article.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_combined(self, one: bool) -> Result<(), LibraryError> {
        Settings::new(self.db).set(SETTING, if one { "true" } else { "false" }).await?;
        self.db.combine_duplicates.store(one, Ordering::Relaxed);
        Ok(())
    }

    /// Returns how many unread articles at or after `since` lists leave out as duplicates.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_unread(self, since: Millis) -> Result<i64, LibraryError> {
        if !self.db.combines_duplicates() {
            return Ok(0);
        }
        let sql = "SELECT ifnull(sum(articles - 1), 0) FROM (
                SELECT count(*) AS articles FROM stories s JOIN states t ON t.item_id = s.item_id
                WHERE t.read = 0 AND t.hidden = 0 AND t.sort_at >= ? AND t.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)
                GROUP BY s.story_id)";
        // By default SQLite scans the unread articles. If there are many, scanning the groups is faster.
        let by_group = sql.replace("JOIN states", "CROSS JOIN states");
        let unread: i64 =
            sqlx::query_scalar("SELECT ifnull(sum(unread), 0) FROM counts").fetch_one(&self.db.readers).await?;
        let much = since == Millis::MIN && unread > MUCH_UNREAD;
        let sql = if much { sqlx::AssertSqlSafe(by_group) } else { sqlx::AssertSqlSafe(sql.to_owned()) };
        Ok(sqlx::query_scalar(sql).bind(since).fetch_one(&self.db.readers).await?)
    }
}

/// Returns the duplicates of an article in subscribed feeds. Empty if duplicates are not combined.
pub(crate) async fn of_article<'c>(
    db: &Database,
    reader: impl SqliteExecutor<'c>,
    item: i64,
) -> sqlx::Result<Vec<Duplicate>> {
    if !db.combines_duplicates() {
        return Ok(Vec::new());
    }
    let sql = "SELECT i.item_id AS id, i.feed_id FROM stories a JOIN stories b ON b.story_id = a.story_id JOIN states i ON i.item_id = b.item_id
         WHERE a.item_id = ?1 AND b.item_id <> ?1
            AND i.hidden = 0 AND i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL) ORDER BY i.item_id";
    sqlx::query_as(sql).bind(item).fetch_all(reader).await
}

/// Returns the condition that leaves out of a list articles after the first of their group in it. `id` names the column; the list may
/// have only unread articles, and only those at or after `since`.
pub(crate) fn is_first_of_group(id: &str, unread: bool, since: Option<Millis>) -> String {
    let unread = if unread { " AND r.read = 0" } else { "" };
    let since = since.map(|moment| format!(" AND r.sort_at >= {moment}")).unwrap_or_default();
    format!(
        " AND NOT EXISTS (SELECT 1 FROM stories a JOIN stories b ON b.story_id = a.story_id AND b.item_id < a.item_id
            JOIN states r ON r.item_id = b.item_id AND r.hidden = 0{unread}{since}
            WHERE a.item_id = {id} AND r.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL))"
    )
}

/// The other articles of the groups of these.
pub(crate) const OTHERS_OF_GROUP: &str = "SELECT item_id FROM stories INDEXED BY stories_by_story
    WHERE story_id IN (SELECT story_id FROM stories WHERE item_id IN (SELECT value FROM json_each(?3)))";

/// Returns the number of these articles, a JSON list of ids, with duplicates counted as one.
pub(crate) async fn count_groups(connection: &mut SqliteConnection, ids: &str) -> Result<usize, LibraryError> {
    let sql =
        "SELECT count(DISTINCT ifnull((SELECT story_id FROM stories WHERE item_id = value), -value)) FROM json_each(?)";
    let count: i64 = sqlx::query_scalar(sql).bind(ids).fetch_one(connection).await?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Whether a duplicate of the current row of `items` was read.
pub(crate) const DUPLICATE_WAS_READ: &str = "EXISTS (SELECT 1 FROM stories a JOIN stories b ON b.story_id = a.story_id
    JOIN states r ON r.item_id = b.item_id WHERE a.item_id = items.id AND r.read = 1)";

/// Groups the articles with ids of at least `first`. If duplicates are combined, those with a read duplicate are marked as read.
pub(crate) async fn group_new(
    connection: &mut SqliteConnection,
    first: i64,
    one: bool,
    now: Millis,
) -> Result<(), LibraryError> {
    let mut leads: BTreeMap<i64, i64> = BTreeMap::new();
    // http and https are equal. An address that one feed gives to several articles is a page about all of them.
    let by_address: Vec<(i64, Option<i64>)> = sqlx::query_as(
        "SELECT n.id, (SELECT min(o.id) FROM (
                SELECT id, feed_id, canonical_url FROM items WHERE canonical_url IN (n.canonical_url,
                    iif(n.canonical_url LIKE 'https:%', 'http' || substr(n.canonical_url, 6), 'https' || substr(n.canonical_url, 5)))
                AND feed_id <> n.feed_id AND id < n.id LIMIT ?2) o
            WHERE NOT EXISTS (SELECT 1 FROM items x WHERE x.canonical_url = o.canonical_url AND x.feed_id = o.feed_id AND x.id <> o.id))
         FROM items n WHERE n.id >= ?1 AND n.canonical_url IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM items x WHERE x.canonical_url = n.canonical_url AND x.feed_id = n.feed_id AND x.id <> n.id)",
    )
    .bind(first)
    .bind(COMPARED)
    .fetch_all(&mut *connection)
    .await?;
    leads.extend(by_address.into_iter().filter_map(|(new, lead)| Some((new, lead?))));
    let by_title: Vec<Pair> = sqlx::query_as(
        "SELECT n.id AS new, o.id AS old, n.excerpt AS new_excerpt, o.excerpt AS old_excerpt
         FROM items n CROSS JOIN json_each('[-1, 0, 1]') span
         CROSS JOIN items o INDEXED BY items_by_title ON o.title_key = n.title_key AND o.sort_at / 345600000 = n.sort_at / 345600000 + span.value
         WHERE n.id >= ?1 AND n.title_key IS NOT NULL AND o.id < n.id AND o.feed_id <> n.feed_id AND abs(o.sort_at - n.sort_at) <= ?2
            AND (SELECT count(*) FROM (SELECT 1 FROM items x INDEXED BY items_by_title
                WHERE x.title_key = n.title_key AND x.sort_at / 345600000 = n.sort_at / 345600000 + span.value LIMIT ?3)) < ?3",
    )
    .bind(first)
    .bind(MAX_DISTANCE)
    .bind(i64::try_from(COMMON).unwrap_or(i64::MAX))
    .fetch_all(&mut *connection)
    .await?;
    for pair in by_title {
        if !leads.contains_key(&pair.new) && are_similar(&pair.new_excerpt, &pair.old_excerpt) {
            leads.insert(pair.new, pair.old);
        }
    }
    for (new, old) in &leads {
        sqlx::query(
            "INSERT OR IGNORE INTO stories (item_id, story_id)
             SELECT value, ifnull((SELECT story_id FROM stories WHERE item_id = ?2), ?2) FROM json_each(json_array(?2, ?1))",
        )
        .bind(new)
        .bind(old)
        .execute(&mut *connection)
        .await?;
    }
    if one && !leads.is_empty() {
        sqlx::query(
            "UPDATE states SET read = 1, read_at = ?2 WHERE item_id >= ?1 AND read = 0 AND item_id IN (
                SELECT a.item_id FROM stories a WHERE a.item_id >= ?1 AND a.story_id IN (
                    SELECT b.story_id FROM stories b INDEXED BY stories_by_story CROSS JOIN states r ON r.item_id = b.item_id
                    WHERE r.read = 1 AND b.story_id IN (SELECT story_id FROM stories WHERE item_id >= ?1)))",
        )
        .bind(first)
        .bind(now)
        .execute(connection)
        .await?;
    }
    Ok(())
}

/// Returns whether two excerpts have nearly the same words.
fn are_similar(one: &str, other: &str) -> bool {
    let words = |text: &str| -> HashSet<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    let shared = one.intersection(&other).count();
    one.len().min(other.len()) >= MIN_WORDS && shared as f64 >= MIN_ALIKE * one.union(&other).count() as f64
}

#[cfg(test)]
mod tests {
    use super::are_similar;

    #[test]
    fn nearly_equal_excerpts_are_alike() {
        let text = "The council has decided on Tuesday that the old bridge will be closed for a year";
        assert!(are_similar(
            text,
            "The Council has decided on Tuesday that the old bridge will be closed for one year."
        ));
        assert!(!are_similar(text, "Photos from the old bridge, which the council wants to close, by our readers"));
        assert!(!are_similar("Read more", "Read more"), "too little to tell");
    }
}
