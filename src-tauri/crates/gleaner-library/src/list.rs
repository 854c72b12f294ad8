//! The article lists: paged by key (`sort_at`, `id`), each along an index that has its order, so that the first page
//! and any later one cost the same, however many articles there are.

mod arranged;

pub(crate) use arranged::beside;
pub use arranged::{ArrangedQuery, Arrangement, Place};

use crate::{Library, LibraryError, Millis, table::stories};

/// What a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Everything at or after this moment: local midnight.
    Since(Millis),
    /// Not read.
    Unread,
    /// With a star.
    Starred,
    /// Everything.
    All,
    /// Of one feed.
    Feed(i64),
    /// Of all feeds in a folder and in the folders in it.
    Folder(i64),
    /// With one of the reader's tags.
    Tag(i64),
    /// With a passage marked, or something written on it.
    Noted,
    /// What the reader or a rule has hidden: in no other list.
    Hidden,
}

/// A place in a list: a row's sort key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// Of the row.
    pub sort_at: Millis,
    /// Of the row.
    pub id: i64,
}

/// A page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListQuery {
    /// What it shows.
    pub source: Source,
    /// Leave out what is read.
    pub unread_only: bool,
    /// Oldest first instead of newest first.
    pub oldest_first: bool,
    /// Rows that come after this one.
    pub after: Option<Cursor>,
    /// Rows that come before this one, those nearest to it.
    pub before: Option<Cursor>,
    /// At most so many rows.
    pub limit: u32,
}

/// Part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkScope {
    /// The whole list.
    All,
    /// What comes before this row.
    Above(Cursor),
    /// What comes after this row.
    Below(Cursor),
}

/// A row of a list.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Row {
    /// The item's.
    pub id: i64,
    /// Its feed.
    pub feed_id: i64,
    /// Plain text.
    pub title: String,
    /// Plain text.
    pub excerpt: String,
    /// Plain text.
    pub author: Option<String>,
    /// As the feed says.
    pub published_at: Option<Millis>,
    /// Its place.
    pub sort_at: Millis,
    /// Words of its text.
    pub word_count: i64,
    /// A small picture's URL.
    pub thumbnail_url: Option<String>,
    /// The digest of that picture where it is kept, in hexadecimal.
    pub thumbnail_kept: Option<String>,
    /// "audio" or "video", after the first enclosure.
    pub media: Option<String>,
    /// It said something else before.
    pub updated: bool,
    /// The user's state.
    pub read: bool,
    /// The user's state.
    pub starred: bool,
}

/// Only subscribed feeds: those that were left are few, and gone after a day.
const SUBSCRIBED: &str = "feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";

/// The condition that a source is, on the table `t` that has `feed_id` and `sort_at`. Numbers are our own, so they may
/// stand in the text: that keeps the parameters the same for every source.
fn condition(source: Source) -> String {
    match source {
        Source::Since(moment) => format!("t.sort_at >= {moment} AND t.{SUBSCRIBED}"),
        Source::Unread | Source::All => format!("t.{SUBSCRIBED}"),
        Source::Starred => format!("t.starred = 1 AND t.{SUBSCRIBED}"),
        Source::Noted => format!("t.noted > 0 AND t.{SUBSCRIBED}"),
        Source::Hidden => format!("t.hidden = 1 AND t.{SUBSCRIBED}"),
        Source::Tag(id) => format!("t.tag_id = {id} AND i.{SUBSCRIBED}"),
        Source::Feed(id) => format!("t.feed_id = {id} AND t.{SUBSCRIBED}"),
        // The plus keeps the planner on the index by date: it must not gather and sort the whole folder.
        Source::Folder(id) => format!(
            "+t.feed_id IN (WITH RECURSIVE below (id) AS (SELECT {id} UNION SELECT f.id FROM folders f JOIN below b ON f.parent_id = b.id)
             SELECT id FROM feeds WHERE folder_id IN (SELECT id FROM below) AND unsubscribed_at IS NULL)"
        ),
    }
}

/// True where the list is one of `states`: what is unread, starred, noted or hidden, which has indexes there.
fn by_state(query: &ListQuery) -> bool {
    query.unread_only || matches!(query.source, Source::Unread | Source::Starred | Source::Noted | Source::Hidden)
}

/// What a row is made of, where its article is the row `item` of `items` and the row `state` of `states`.
pub(crate) fn columns(item: &str, state: &str) -> String {
    format!(
        "{item}.id, {item}.feed_id, {item}.title, {item}.excerpt, {item}.author, {item}.published_at, {item}.sort_at, {item}.word_count,
         {item}.thumbnail_url, {item}.media, {state}.read, {state}.starred,
         (SELECT lower(hex(m.digest)) FROM item_images m JOIN images g ON g.digest = m.digest
             WHERE m.item_id = {item}.id AND m.url = {item}.thumbnail_url AND g.there = 1) AS thumbnail_kept,
         EXISTS (SELECT 1 FROM versions v WHERE v.item_id = {item}.id) AS updated"
    )
}

/// Where a list comes from: its tables, and what its article's number and its rows of `items` and `states` are called there.
fn tables(query: &ListQuery) -> (&'static str, &'static str, &'static str, &'static str) {
    if matches!(query.source, Source::Tag(_)) {
        (
            "item_tags t CROSS JOIN items i ON i.id = t.item_id CROSS JOIN states s ON s.item_id = t.item_id",
            "t.item_id",
            "i",
            "s",
        )
    } else if by_state(query) {
        ("states t JOIN items i ON i.id = t.item_id", "t.item_id", "i", "t")
    } else {
        ("items t JOIN states s ON s.item_id = t.id", "t.id", "t", "s")
    }
}

/// Which articles of its tables a list has. `one_story`: where it is of several feeds, an article stands for all of its story.
fn which(query: &ListQuery, one_story: bool) -> String {
    let (_, id, _, state) = tables(query);
    let mut sql = condition(query.source);
    if query.source != Source::Hidden {
        sql.push_str(&format!(" AND {state}.hidden = 0"));
    }
    if query.unread_only || query.source == Source::Unread {
        sql.push_str(&format!(" AND {state}.read = 0"));
    }
    if one_story && matches!(query.source, Source::Since(_) | Source::Unread | Source::All) {
        sql.push_str(&stories::stands_for_itself(id, by_state(query)));
    }
    sql
}

pub(crate) fn page_sql(query: &ListQuery, one_story: bool) -> String {
    // Read backwards from `before`; the rows are turned round afterwards.
    let descending = query.oldest_first == query.before.is_some();
    let (direction, comparison) = if descending { ("DESC", "<") } else { ("ASC", ">") };
    let (tables, id, item, state) = tables(query);
    let mut sql = format!("SELECT {} FROM {tables} WHERE {}", columns(item, state), which(query, one_story));
    if query.after.or(query.before).is_some() {
        sql.push_str(&format!(" AND (t.sort_at, {id}) {comparison} (?, ?)"));
    }
    sql.push_str(&format!(" ORDER BY t.sort_at {direction}, {id} {direction} LIMIT ?"));
    sql
}

/// A list of numbers in JSON. Parameters: the last moment of receipt or NULL, and the scope's cursor.
pub(crate) fn mark_sql(query: &ListQuery, scope: MarkScope) -> String {
    // Without statistics the planner would rather look at every article than at those with a star, or with notes.
    let index = match query.source {
        Source::Starred => " INDEXED BY states_starred",
        Source::Noted => " INDEXED BY states_noted",
        _ => "",
    };
    let mut sql = format!(
        "SELECT json_group_array(t.item_id) FROM states AS t{index} WHERE t.read = 0 AND {}
         AND (?1 IS NULL OR (SELECT received_at FROM items WHERE id = t.item_id) <= ?1)",
        match query.source {
            Source::Tag(id) => format!(
                "t.hidden = 0 AND t.item_id IN (SELECT item_id FROM item_tags WHERE tag_id = {id}) AND t.{SUBSCRIBED}"
            ),
            Source::Hidden => condition(query.source),
            source => format!("t.hidden = 0 AND {}", condition(source)),
        }
    );
    let earlier = match scope {
        MarkScope::All => None,
        MarkScope::Above(_) => Some(query.oldest_first),
        MarkScope::Below(_) => Some(!query.oldest_first),
    };
    if let Some(earlier) = earlier {
        sql.push_str(&format!(" AND (t.sort_at, t.item_id) {} (?2, ?3)", if earlier { "<" } else { ">" }));
    }
    sql
}

impl Library {
    /// A page of a list, in the list's order, and whether it goes on.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(&self, query: ListQuery) -> Result<(Vec<Row>, bool), LibraryError> {
        let mut statement = sqlx::query_as::<_, Row>(sqlx::AssertSqlSafe(page_sql(&query, self.stories_are_one())));
        if let Some(cursor) = query.after.or(query.before) {
            statement = statement.bind(cursor.sort_at).bind(cursor.id);
        }
        let mut rows = statement.bind(i64::from(query.limit) + 1).fetch_all(&self.readers).await?;
        let more = rows.len() > query.limit as usize;
        rows.truncate(query.limit as usize);
        if query.before.is_some() {
            rows.reverse();
        }
        Ok((rows, more))
    }
}
