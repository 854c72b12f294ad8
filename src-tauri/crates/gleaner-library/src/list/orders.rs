//! Lists in other orders than by date. SQLite never sorts.
//!
//! - By feed, the rows are read along each feed's own index, for feeds with articles in the list.
//! - By length, a list that is a large part of the library is read along two indexes, which find a page soon: episodes along
//!   `enclosures_by_length`, other articles along `items_by_length`. Of a smaller list the sort keys are collected along its own index and
//!   compared here.

use super::{
    Cursor, ListQuery, Lists, Order, Row, Source, columns, list_condition, page_sql, source_condition, tables,
};
use crate::{
    LibraryError,
    database::Database,
    json::{from_json, json},
    table::feeds::shown_title,
};
use sqlx::SqliteConnection;
use std::{
    cmp::{Ordering, Reverse},
    collections::HashMap,
};

/// The sort keys of lists with fewer articles are collected. A walk over a fiftieth of a million articles reads ten thousand rows
/// for a page.
const FEW: i64 = 20_000;

/// Condition for the enclosure `e` whose duration is the length of its article: the first one, as rows show it. Shorter and longer
/// durations are errors. The same as in the index `enclosures_by_length`.
const TIMED: &str = "e.position = 0 AND e.duration_seconds >= 1 AND e.duration_seconds < 1000000000";
/// The length of an article with this enclosure. The first key of the index `enclosures_by_length`.
const PLAYED_LENGTH: &str = "CAST(e.duration_seconds AS INTEGER) * 23 / 6";

/// Returns the length of a row in words. At 230 words a minute, which the reading times that rows show are based on, these are 23 in 6
/// seconds.
pub(super) fn length(row: &Row) -> i64 {
    let seconds = row.duration_seconds.filter(|seconds| row.media.is_some() && (1..1_000_000_000).contains(seconds));
    seconds.map_or(row.word_count, |seconds| seconds * 23 / 6)
}

impl ListQuery {
    /// Returns the query by date for the same articles.
    pub(super) fn dated(&self) -> Self {
        Self { order: Order::Newest, after: None, before: None, ..*self }
    }
}

/// The feeds of a list with their positions.
struct Feeds {
    /// Feeds with articles in the list, in order.
    with_articles: Vec<i64>,
    places: HashMap<i64, usize>,
    /// Maximum number of articles in the list.
    articles: i64,
}

impl Feeds {
    /// Returns the position of a feed; one that no longer exists comes last.
    fn place(&self, feed: i64) -> usize {
        self.places.get(&feed).copied().unwrap_or(usize::MAX)
    }

    fn compare(&self, order: Order, one: &Cursor, other: &Cursor) -> Ordering {
        let newest = |row: &Cursor| Reverse((row.sort_at, row.id));
        let by_feed = |row: &Cursor| (self.place(row.feed_id), row.feed_id, newest(row));
        match order {
            Order::Newest => newest(one).cmp(&newest(other)),
            Order::Oldest => newest(other).cmp(&newest(one)),
            Order::ByFeed | Order::InfrequentFirst => by_feed(one).cmp(&by_feed(other)),
            Order::Longest => (other.length, other.id).cmp(&(one.length, one.id)),
            Order::Shortest => (one.length, one.id).cmp(&(other.length, other.id)),
            // Their texts are compared in `by_text`.
            Order::Title | Order::TitleDescending | Order::Author | Order::AuthorDescending => Ordering::Equal,
        }
    }
}

#[derive(sqlx::FromRow)]
struct OrderedFeed {
    id: i64,
    url: String,
    title: Option<String>,
    custom_title: Option<String>,
    gaps: Option<String>,
    articles: i64,
}

/// Returns the average minutes between two articles; feeds without a known frequency count as infrequent.
fn pause(gaps: Option<&str>) -> i64 {
    let gaps: Vec<i64> = gaps.unwrap_or_default().split(' ').filter_map(|gap| gap.parse().ok()).collect();
    let sum = gaps.iter().fold(0, |sum: i64, gap| sum.saturating_add(*gap));
    sum.checked_div(i64::try_from(gaps.len()).unwrap_or(i64::MAX)).unwrap_or(i64::MAX)
}

/// Returns a query for the feeds that a list may have articles of.
pub(super) fn feeds_sql(query: &ListQuery) -> String {
    let within = match query.source {
        Source::Feed(id) => format!("f.id = {id}"),
        Source::Folder(_) => source_condition(query.source).replace("+t.feed_id", "f.id"),
        _ => "f.unsubscribed_at IS NULL".to_owned(),
    };
    let count = if query.unread() { "c.unread" } else { "c.items" };
    format!(
        "SELECT f.id, f.url, f.title, f.custom_title, p.rhythm AS gaps, {count} AS articles
         FROM feeds f JOIN counts c ON c.feed_id = f.id LEFT JOIN polls p ON p.feed_id = f.id
         WHERE f.unsubscribed_at IS NULL AND {within}"
    )
}

/// Returns whether a list has all articles of its feeds, or all unread ones.
pub(super) fn all_feeds(source: Source) -> bool {
    matches!(source, Source::All | Source::Unread | Source::Feed(_) | Source::Folder(_))
}

/// Returns the tables to read a whole list from, and the names of the article's id and of its row of `items` there. Parameter: the
/// list's feeds, if the list has [`all_feeds`].
pub(super) fn list_tables(query: &ListQuery) -> (&'static str, &'static str, &'static str) {
    let (usual, id, item, _) = tables(&query.dated());
    // Without statistics the planner would read every article's state; CROSS JOIN fixes the order.
    let tables = match query.source {
        source if all_feeds(source) && query.unread() => {
            "json_each(?) f CROSS JOIN states t ON t.feed_id = f.value CROSS JOIN items i ON i.id = t.item_id"
        }
        source if all_feeds(source) => {
            "json_each(?) f CROSS JOIN items t ON t.feed_id = f.value CROSS JOIN states s ON s.item_id = t.id"
        }
        Source::Since(_) if !query.unread() => {
            "items t INDEXED BY items_by_date CROSS JOIN states s ON s.item_id = t.id"
        }
        Source::Starred => "states t INDEXED BY states_starred CROSS JOIN items i ON i.id = t.item_id",
        Source::Noted => "states t INDEXED BY states_noted CROSS JOIN items i ON i.id = t.item_id",
        _ => usual,
    };
    (tables, id, item)
}

/// Returns a query for the sort keys of a list, in JSON. Parameter: as of [`list_tables`].
fn keys_sql(query: &ListQuery, combine: bool) -> String {
    let (tables, id, item) = list_tables(query);
    format!(
        "SELECT json_group_array(json_object('id', {id}, 'feed_id', {item}.feed_id, 'sort_at', t.sort_at, 'length',
             iif({item}.media IS NULL, {item}.word_count,
                 ifnull((SELECT {PLAYED_LENGTH} FROM enclosures e WHERE e.item_id = {id} AND {TIMED}), {item}.word_count))))
         FROM {tables} WHERE {}",
        list_condition(&query.dated(), combine)
    )
}

/// Returns a query along an index by length: for articles with an episode of known duration, or for all others. Parameters: the length,
/// length and id of the position if there is one; for the others the length of the last row that is of use; and the limit.
fn by_length_sql(query: &ListQuery, combine: bool, episodes: bool) -> String {
    let (direction, comparison) = if query.order == Order::Longest { ("DESC", "<") } else { ("ASC", ">") };
    let read = if query.unread() { " AND s.read = 0" } else { "" };
    // An index of `states` would have another order.
    let along = ListQuery { source: query.source, unread_only: false, ..query.dated() };
    let source = match along.source {
        Source::Unread => Source::All,
        source => source,
    };
    let within = source_condition(source);
    let (tables, condition, length, id) = if episodes {
        (
            // The rows of `states` are small, and enough to pass over read articles and those of other feeds.
            "enclosures e INDEXED BY enclosures_by_length CROSS JOIN states s ON s.item_id = e.item_id
             CROSS JOIN items t ON t.id = e.item_id",
            format!("{TIMED} AND t.media IS NOT NULL AND {}", within.replace("t.feed_id", "s.feed_id")),
            PLAYED_LENGTH,
            "e.item_id",
        )
    } else {
        let episode = format!("SELECT 1 FROM enclosures e WHERE e.item_id = t.id AND {TIMED}");
        (
            "items t INDEXED BY items_by_length CROSS JOIN states s ON s.item_id = t.id",
            format!("(t.media IS NULL OR NOT EXISTS ({episode})) AND {within}"),
            "t.word_count",
            "t.id",
        )
    };
    let mut sql = format!("SELECT {} FROM {tables} WHERE {condition} AND s.hidden = 0{read}", columns("t", "s"));
    if combine {
        sql.push_str(&crate::table::duplicates::is_first_of_group("t.id", query.unread(), None));
    }
    if query.after.is_some() {
        // SQLite does not find the position by a comparison of rows that begin with an expression.
        sql.push_str(&format!(" AND {length} {comparison}= ? AND ({length}, {id}) {comparison} (?, ?)"));
    }
    if !episodes {
        sql.push_str(if query.order == Order::Longest { " AND t.word_count >= ?" } else { " AND t.word_count <= ?" });
    }
    sql.push_str(&format!(" ORDER BY {length} {direction}, {id} {direction} LIMIT ?"));
    sql
}

/// Returns the ids of the unread articles before or after a position, in JSON.
pub(super) async fn ids_beyond(
    db: &Database,
    query: &ListQuery,
    row: Cursor,
    above: bool,
) -> Result<String, LibraryError> {
    let lists = Lists::new(db);
    let feeds = lists.feeds_of(query).await?;
    let mut keys = lists.keys(query, &feeds, lists.combines(query)).await?;
    let side = if above { Ordering::Less } else { Ordering::Greater };
    keys.retain(|key| feeds.compare(query.order, key, &row) == side);
    json(&keys.into_iter().map(|key| key.id).collect::<Vec<_>>())
}

impl Lists<'_> {
    /// Returns at most `more` rows of a list by feed or length.
    pub(super) async fn page_in_order(self, query: &ListQuery, more: usize) -> Result<Vec<Row>, LibraryError> {
        let by_length = matches!(query.order, Order::Longest | Order::Shortest);
        let feeds = self.feeds_of(query).await?;
        if all_feeds(query.source) && !by_length {
            self.feed_by_feed(query, &feeds, more).await
        } else if all_feeds(query.source) && feeds.articles > FEW {
            self.by_length_of(query, &feeds, more).await
        } else {
            self.collected(query, &feeds, more).await
        }
    }

    async fn feeds_of(self, query: &ListQuery) -> Result<Feeds, LibraryError> {
        let sql = feeds_sql(query);
        let mut feeds: Vec<OrderedFeed> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.db.readers).await?;
        let title = |feed: &OrderedFeed| {
            let title = shown_title(feed.custom_title.as_deref(), feed.title.as_deref(), &feed.url);
            (title.to_lowercase(), feed.id)
        };
        if query.order == Order::InfrequentFirst {
            feeds.sort_by_cached_key(|feed| (Reverse(pause(feed.gaps.as_deref())), title(feed)));
        } else {
            feeds.sort_by_cached_key(title);
        }
        Ok(Feeds {
            places: feeds.iter().enumerate().map(|(place, feed)| (feed.id, place)).collect(),
            articles: feeds.iter().map(|feed| feed.articles).sum(),
            with_articles: feeds.into_iter().filter(|feed| feed.articles > 0).map(|feed| feed.id).collect(),
        })
    }

    async fn feed_by_feed(self, query: &ListQuery, feeds: &Feeds, more: usize) -> Result<Vec<Row>, LibraryError> {
        let begin = query.after.map_or(0, |after| feeds.place(after.feed_id));
        let combine = self.combines(query);
        let mut rows = Vec::new();
        for feed in feeds.with_articles.iter().filter(|feed| feeds.place(**feed) >= begin) {
            let after = query.after.filter(|after| after.feed_id == *feed);
            let one = ListQuery { source: Source::Feed(*feed), unread_only: query.unread(), after, ..query.dated() };
            let mut statement = sqlx::query_as::<_, Row>(sqlx::AssertSqlSafe(page_sql(&one, combine)));
            if let Some(cursor) = one.after {
                statement = statement.bind(cursor.sort_at).bind(cursor.id);
            }
            let left = i64::try_from(more - rows.len()).unwrap_or(i64::MAX);
            rows.extend(statement.bind(left).fetch_all(&self.db.readers).await?);
            if rows.len() >= more {
                break;
            }
        }
        Ok(rows)
    }

    /// Reads a page as for a large list; for tests, whose lists are small.
    ///
    /// # Errors
    /// When the library cannot be read.
    #[doc(hidden)]
    pub async fn by_length(self, query: &ListQuery, more: usize) -> Result<Vec<Row>, LibraryError> {
        self.by_length_of(query, &self.feeds_of(query).await?, more).await
    }

    async fn by_length_of(self, query: &ListQuery, feeds: &Feeds, more: usize) -> Result<Vec<Row>, LibraryError> {
        // Both walks read the same state, so that an article whose duration is stored meanwhile is in one of them.
        let mut reader = self.db.readers.begin().await?;
        let mut rows = self.along_lengths(&mut reader, query, true, None, more).await?;
        // Others are of use as far as the last of a whole page of episodes.
        let last = rows.get(more - 1).map(Row::length);
        rows.extend(self.along_lengths(&mut reader, query, false, last, more).await?);
        rows.sort_unstable_by(|one, other| feeds.compare(query.order, &one.cursor(), &other.cursor()));
        rows.truncate(more);
        Ok(rows)
    }

    async fn along_lengths(
        self,
        reader: &mut SqliteConnection,
        query: &ListQuery,
        episodes: bool,
        last: Option<i64>,
        more: usize,
    ) -> Result<Vec<Row>, LibraryError> {
        let sql = by_length_sql(query, self.combines(query), episodes);
        let mut statement = sqlx::query_as::<_, Row>(sqlx::AssertSqlSafe(sql));
        if let Some(after) = query.after {
            statement = statement.bind(after.length).bind(after.length).bind(after.id);
        }
        if !episodes {
            statement = statement.bind(last.unwrap_or(if query.order == Order::Longest { 0 } else { i64::MAX }));
        }
        Ok(statement.bind(i64::try_from(more).unwrap_or(i64::MAX)).fetch_all(reader).await?)
    }

    async fn collected(self, query: &ListQuery, feeds: &Feeds, more: usize) -> Result<Vec<Row>, LibraryError> {
        let compare = |one: &Cursor, other: &Cursor| feeds.compare(query.order, one, other);
        let mut keys = self.keys(query, feeds, self.combines(query)).await?;
        if let Some(after) = query.after {
            keys.retain(|key| compare(key, &after) == Ordering::Greater);
        }
        if keys.len() > more {
            keys.select_nth_unstable_by(more - 1, compare);
            keys.truncate(more);
        }
        keys.sort_unstable_by(compare);
        self.rows_of(&keys.iter().map(|key| key.id).collect::<Vec<_>>(), "TRUE").await
    }

    /// Returns the rows of these articles, in their order, if they meet a condition on `items t` and `states s`.
    pub(super) async fn rows_of(self, ids: &[i64], condition: &str) -> Result<Vec<Row>, LibraryError> {
        let places: HashMap<i64, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let sql = format!(
            "SELECT {} FROM json_each(?) k CROSS JOIN items t ON t.id = k.value JOIN states s ON s.item_id = t.id WHERE {condition}",
            columns("t", "s")
        );
        let ids = json(ids)?;
        let mut rows: Vec<Row> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(ids).fetch_all(&self.db.readers).await?;
        rows.sort_unstable_by_key(|row| places.get(&row.id).copied());
        Ok(rows)
    }

    /// Returns the sort keys of all articles of a list. One row for all is faster than a row for each.
    async fn keys(self, query: &ListQuery, feeds: &Feeds, combine: bool) -> Result<Vec<Cursor>, LibraryError> {
        let sql = keys_sql(query, combine);
        let mut statement = sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(sql));
        if all_feeds(query.source) {
            statement = statement.bind(json(&feeds.with_articles)?);
        }
        from_json(&statement.fetch_one(&self.db.readers).await?)
    }
}
