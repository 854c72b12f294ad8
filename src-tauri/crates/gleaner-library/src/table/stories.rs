//! `stories`: articles of different feeds that tell one story: they have the same address, or nearly the same title and text
//! about the same time. Lists of several feeds show a story once, reading it once reads it everywhere, and each of its
//! articles says where else it is. Stories are always gathered; whether they count as one is the user's choice.

use crate::{Library, LibraryError, Millis, now};
use sqlx::SqliteConnection;
use std::{
    collections::{BTreeMap, HashSet},
    sync::atomic::Ordering,
};

/// The setting that takes stories apart: "false".
pub(crate) const SETTING: &str = "one_story";
/// Articles with one title further apart than this are about different things: "Weekly links", "Open thread". `items_by_title` has
/// spans of this length.
const WITHIN: Millis = 345_600_000;
/// So much of the words of two excerpts must be the same.
const ALIKE: f64 = 0.7;
/// Of fewer words nothing can be told.
const WORDS: usize = 8;
/// A title that so many articles of one span have says nothing.
const COMMON: usize = 40;

/// The same story in another feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Elsewhere {
    /// The article there.
    pub id: i64,
    /// Its feed.
    pub feed_id: i64,
}

#[derive(sqlx::FromRow)]
struct Pair {
    new: i64,
    old: i64,
    new_excerpt: String,
    old_excerpt: String,
}

/// Unread articles that take longer to go through than the stories of several feeds.
const MUCH_UNREAD: i64 = if cfg!(test) { 3 } else { 10_000 };

impl Library {
    /// Whether the articles of a story count as one.
    pub fn stories_are_one(&self) -> bool {
        self.one_story.load(Ordering::Relaxed)
    }

    /// Makes the articles of a story count as one, or not.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_stories_are_one(&self, one: bool) -> Result<(), LibraryError> {
        self.set_setting(SETTING, if one { "true" } else { "false" }).await?;
        self.one_story.store(one, Ordering::Relaxed);
        Ok(())
    }

    /// Where else a story is, in subscribed feeds. Nowhere, where stories do not count as one.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn elsewhere(&self, item: i64) -> Result<Vec<Elsewhere>, LibraryError> {
        if !self.stories_are_one() {
            return Ok(Vec::new());
        }
        Ok(sqlx::query_as(
            "SELECT i.item_id AS id, i.feed_id FROM stories a JOIN stories b ON b.story_id = a.story_id JOIN states i ON i.item_id = b.item_id
             WHERE a.item_id = ?1 AND b.item_id <> ?1
                AND i.hidden = 0 AND i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL) ORDER BY i.item_id",
        )
        .bind(item)
        .fetch_all(&self.readers)
        .await?)
    }

    /// How many unread articles at or after `since` lists leave out, since another of their story stands for them.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn unread_doubles(&self, since: Millis) -> Result<i64, LibraryError> {
        if !self.stories_are_one() {
            return Ok(0);
        }
        let sql = "SELECT ifnull(sum(articles - 1), 0) FROM (
                SELECT count(*) AS articles FROM stories s JOIN states t ON t.item_id = s.item_id
                WHERE t.read = 0 AND t.hidden = 0 AND t.sort_at >= ? AND t.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)
                GROUP BY s.story_id)";
        // SQLite goes through what is unread; where that is much, stories are fewer.
        let through_stories = sql.replace("JOIN states", "CROSS JOIN states");
        let unread: i64 =
            sqlx::query_scalar("SELECT ifnull(sum(unread), 0) FROM counts").fetch_one(&self.readers).await?;
        let much = since == Millis::MIN && unread > MUCH_UNREAD;
        let sql = if much { sqlx::AssertSqlSafe(through_stories) } else { sqlx::AssertSqlSafe(sql.to_owned()) };
        Ok(sqlx::query_scalar(sql).bind(since).fetch_one(&self.readers).await?)
    }
}

/// The condition that leaves out of a list what an earlier article of its story stands for there. `id` and `read` name the
/// row's columns; an unread list asks that the earlier one is unread too.
pub(crate) fn stands_for_itself(id: &str, unread: bool) -> String {
    let unread = if unread { "AND r.read = 0 AND r.hidden = 0" } else { "AND r.hidden = 0" };
    format!(
        " AND NOT EXISTS (SELECT 1 FROM stories a JOIN stories b ON b.story_id = a.story_id AND b.item_id < a.item_id
            JOIN states r ON r.item_id = b.item_id {unread}
            WHERE a.item_id = {id} AND r.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL))"
    )
}

/// The other articles of the stories that these belong to.
pub(crate) const TWINS: &str = "SELECT b.item_id FROM stories a JOIN stories b ON b.story_id = a.story_id
    WHERE a.item_id IN (SELECT value FROM json_each(?3))";

/// Whether the story of the row of `items` that is looked at was read elsewhere.
pub(crate) const READ_ELSEWHERE: &str = "EXISTS (SELECT 1 FROM stories a JOIN stories b ON b.story_id = a.story_id
    JOIN states r ON r.item_id = b.item_id WHERE a.item_id = items.id AND r.read = 1)";

/// Finds the stories that articles from the number `first` on belong to. Those whose story was read elsewhere come in read,
/// where stories count as one.
pub(crate) async fn gather(connection: &mut SqliteConnection, first: i64, one: bool) -> Result<(), LibraryError> {
    let mut leads: BTreeMap<i64, i64> = BTreeMap::new();
    // http and https are one. An address that one feed gives to several articles is a page about all of them.
    let by_address: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT n.id, min(o.id) FROM items n JOIN items o ON o.feed_id <> n.feed_id AND o.canonical_url IN (n.canonical_url,
            iif(n.canonical_url LIKE 'https:%', 'http' || substr(n.canonical_url, 6), 'https' || substr(n.canonical_url, 5)))
         WHERE n.id >= ? AND n.canonical_url IS NOT NULL AND o.id < n.id
            AND NOT EXISTS (SELECT 1 FROM items x WHERE x.canonical_url = n.canonical_url AND x.feed_id = n.feed_id AND x.id <> n.id)
            AND NOT EXISTS (SELECT 1 FROM items x WHERE x.canonical_url = o.canonical_url AND x.feed_id = o.feed_id AND x.id <> o.id)
         GROUP BY n.id",
    )
    .bind(first)
    .fetch_all(&mut *connection)
    .await?;
    leads.extend(by_address);
    let by_title: Vec<Pair> = sqlx::query_as(
        "SELECT n.id AS new, o.id AS old, n.excerpt AS new_excerpt, o.excerpt AS old_excerpt
         FROM items n CROSS JOIN json_each('[-1, 0, 1]') span
         CROSS JOIN items o INDEXED BY items_by_title ON o.title_key = n.title_key AND o.sort_at / 345600000 = n.sort_at / 345600000 + span.value
         WHERE n.id >= ?1 AND n.title_key IS NOT NULL AND o.id < n.id AND o.feed_id <> n.feed_id AND abs(o.sort_at - n.sort_at) <= ?2
            AND (SELECT count(*) FROM (SELECT 1 FROM items x INDEXED BY items_by_title
                WHERE x.title_key = n.title_key AND x.sort_at / 345600000 = n.sort_at / 345600000 + span.value LIMIT ?3)) < ?3",
    )
    .bind(first)
    .bind(WITHIN)
    .bind(i64::try_from(COMMON).unwrap_or(i64::MAX))
    .fetch_all(&mut *connection)
    .await?;
    for pair in by_title {
        if !leads.contains_key(&pair.new) && alike(&pair.new_excerpt, &pair.old_excerpt) {
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
                SELECT a.item_id FROM stories a CROSS JOIN stories b ON b.story_id = a.story_id CROSS JOIN states r ON r.item_id = b.item_id
                WHERE a.item_id >= ?1 AND r.read = 1)",
        )
        .bind(first)
        .bind(now())
        .execute(connection)
        .await?;
    }
    Ok(())
}

/// Whether two excerpts say nearly the same.
fn alike(one: &str, other: &str) -> bool {
    let words = |text: &str| -> HashSet<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    let shared = one.intersection(&other).count();
    one.len().min(other.len()) >= WORDS && shared as f64 >= ALIKE * one.union(&other).count() as f64
}

#[cfg(test)]
mod tests {
    use super::alike;

    #[test]
    fn excerpts_that_say_nearly_the_same_are_alike() {
        let text = "The council has decided on Tuesday that the old bridge will be closed for a year";
        assert!(alike(text, "The Council has decided on Tuesday that the old bridge will be closed for one year."));
        assert!(!alike(text, "Photos from the old bridge, which the council wants to close, by our readers"));
        assert!(!alike("Read more", "Read more"), "too little to tell");
    }
}
