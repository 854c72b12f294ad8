//! The article lists, paged by key (`sort_at`, `id`). Each reads along an index in its order, so that every page costs the same,
//! however many articles there are; lists by title or author are sorted in memory.

use crate::{
    LibraryError, Millis,
    database::{Database, repository},
    table::{
        duplicates, episodes,
        progress::{self, Played},
    },
};
mod by_text;
mod orders;

/// The articles that a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Articles at or after this moment.
    Since(Millis),
    /// Unread articles.
    Unread,
    /// Starred articles.
    Starred,
    /// All articles.
    All,
    /// Articles of one feed.
    Feed(i64),
    /// Articles of the feeds in a folder and its subfolders.
    Folder(i64),
    /// Articles with one of the user's tags.
    Tag(i64),
    /// Articles with notes or highlights.
    Noted,
    /// Articles hidden by the user or a rule, which no other list shows.
    Hidden,
    /// Articles with audio or video that was started and not finished. Sorted by when it was last played, in any order by date.
    Listening,
    /// Articles with a downloaded or queued episode. Sorted by when it was downloaded or queued, in any order by date.
    Downloads,
}

impl Source {
    fn since(self) -> Option<Millis> {
        match self {
            Self::Since(moment) => Some(moment),
            _ => None,
        }
    }
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Newest first.
    Newest,
    /// Oldest first.
    Oldest,
    /// By title of the feed; newest first within each.
    ByFeed,
    /// Infrequent feeds first; newest first within each.
    InfrequentFirst,
    /// Longest first: see [`Row::length`].
    Longest,
    /// Shortest first.
    Shortest,
    /// By title, from A to Z; newest first if titles are equal.
    Title,
    /// By title, from Z to A.
    TitleDescending,
    /// By author, from A to Z; newest first within each, and articles without an author last.
    Author,
    /// By author, from Z to A.
    AuthorDescending,
}

impl Order {
    /// Returns whether the order is by date.
    pub fn by_date(self) -> bool {
        matches!(self, Self::Newest | Self::Oldest)
    }
}

/// A position in a list: a row's sort keys in every order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
pub struct Cursor {
    /// Date of the row.
    pub sort_at: Millis,
    /// Id of the row.
    pub id: i64,
    /// Feed of the row.
    pub feed_id: i64,
    /// Length of the row.
    pub length: i64,
}

/// A request for a page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListQuery {
    /// The articles to show.
    pub source: Source,
    /// Leaves out read articles.
    pub unread_only: bool,
    /// The order.
    pub order: Order,
    /// Rows after this one.
    pub after: Option<Cursor>,
    /// The nearest rows before this one; only in an order by date.
    pub before: Option<Cursor>,
    /// Maximum number of rows.
    pub limit: u32,
}

impl ListQuery {
    /// Returns a query for the newest rows, read ones as well.
    pub fn newest(source: Source, limit: u32) -> Self {
        Self { source, unread_only: false, order: Order::Newest, after: None, before: None, limit }
    }

    /// Returns whether the rows are in an order by date.
    pub(crate) fn by_date(&self) -> bool {
        self.order.by_date() || own_tables(self.source).is_some()
    }

    fn unread(&self) -> bool {
        self.unread_only || self.source == Source::Unread
    }

    /// Returns whether the list shows only one article of a group, if duplicates are combined.
    fn may_combine(&self) -> bool {
        matches!(self.source, Source::Since(_) | Source::Unread | Source::All)
    }
}

/// Part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkScope {
    /// The whole list.
    All,
    /// The rows before this one.
    Above(Cursor),
    /// The rows after this one.
    Below(Cursor),
}

/// A row of a list.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Row {
    /// Id of the article.
    pub id: i64,
    /// Id of its feed.
    pub feed_id: i64,
    /// Plain text.
    pub title: String,
    /// Plain text.
    pub excerpt: String,
    /// Plain text.
    pub author: Option<String>,
    /// Language tag of the article, else of its feed.
    pub language: Option<String>,
    /// Publication date as the feed gives it.
    pub published_at: Option<Millis>,
    /// Position in lists: its date; in [`Source::Listening`] when it was last played, in [`Source::Downloads`] when it was
    /// downloaded or queued.
    pub sort_at: Millis,
    /// Number of words in its text.
    pub word_count: i64,
    /// Address of a small image.
    pub thumbnail_url: Option<String>,
    /// Hexadecimal digest of that image, if it is stored.
    pub stored_thumbnail: Option<String>,
    /// Address of the image of its feed, if it has audio or video and no image.
    pub show_image: Option<String>,
    /// Address of that feed.
    pub show_url: Option<String>,
    /// "audio" or "video", by the first enclosure.
    pub media: Option<String>,
    /// Duration of the first enclosure in seconds.
    pub duration_seconds: Option<i64>,
    /// Whether it has a web page.
    pub has_link: bool,
    /// Whether it has earlier versions.
    pub updated: bool,
    /// Whether it was read.
    pub read: bool,
    /// Whether it has a star.
    pub starred: bool,
    /// How far its audio or video was played, if it was started. An article without an episode, such as one with a recording in its
    /// text, has it only in [`Source::Listening`].
    pub played: Option<Played>,
}

impl Row {
    /// Returns its position in a list.
    pub fn cursor(&self) -> Cursor {
        Cursor { sort_at: self.sort_at, id: self.id, feed_id: self.feed_id, length: self.length() }
    }

    /// Returns how long the article takes, as a number of words: those of its text, or those that most adults read while its audio or
    /// video is played, if its duration is known.
    pub fn length(&self) -> i64 {
        orders::length(self)
    }
}

/// Condition for subscribed feeds. Unsubscribed ones are few, and deleted after a day.
const SUBSCRIBED: &str = "feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";

/// Returns the condition for a source, on the table `t` with `feed_id` and `sort_at`. Ids are part of the text, so that all sources
/// have the same parameters.
fn source_condition(source: Source) -> String {
    match source {
        Source::Since(moment) => format!("t.sort_at >= {moment} AND t.{SUBSCRIBED}"),
        Source::Unread | Source::All => format!("t.{SUBSCRIBED}"),
        Source::Starred => format!("t.starred = 1 AND t.{SUBSCRIBED}"),
        Source::Noted => format!("t.noted > 0 AND t.{SUBSCRIBED}"),
        Source::Hidden => format!("t.hidden = 1 AND t.{SUBSCRIBED}"),
        Source::Tag(id) => format!("t.tag_id = {id} AND i.{SUBSCRIBED}"),
        Source::Listening => format!("{} AND i.{SUBSCRIBED}", progress::LAST_STARTED),
        Source::Downloads => format!("{} AND i.{SUBSCRIBED}", episodes::LAST_OF_ARTICLE),
        Source::Feed(id) => format!("t.feed_id = {id} AND t.{SUBSCRIBED}"),
        // The plus keeps the planner on the index by date, instead of collecting and sorting the whole folder.
        Source::Folder(id) => format!(
            "+t.feed_id IN (WITH RECURSIVE below (id) AS (SELECT {id} UNION SELECT f.id FROM folders f JOIN below b ON f.parent_id = b.id)
             SELECT id FROM feeds WHERE folder_id IN (SELECT id FROM below) AND unsubscribed_at IS NULL)"
        ),
    }
}

/// Returns whether the list reads `states`, which has indexes for unread, starred, noted and hidden articles.
fn by_state(query: &ListQuery) -> bool {
    query.unread() && own_tables(query.source).is_none()
        || matches!(query.source, Source::Starred | Source::Noted | Source::Hidden)
}

/// Returns the columns of a row, of the row `item` of `items` and the row `state` of `states`.
pub(crate) fn columns(item: &str, state: &str) -> String {
    // Most articles have no episode, and so nothing to look up.
    let played = format!("iif({item}.media IS NULL, NULL, {}) AS played", progress::played(item));
    format!("{item}.sort_at, {}, {played}", other_columns(item, state))
}

/// Returns the columns of a row without its position and how far it was played.
fn other_columns(item: &str, state: &str) -> String {
    let of_show = |column: &str| {
        format!(
            "iif({item}.media IS NULL OR {item}.thumbnail_url IS NOT NULL, NULL,
                 (SELECT {column} FROM feeds f WHERE f.id = {item}.feed_id))"
        )
    };
    let (show_image, show_url) = (of_show("f.head ->> '$.image.url'"), of_show("f.url"));
    format!(
        "{item}.id, {item}.feed_id, {item}.title, {item}.excerpt, {item}.author, {item}.published_at, {item}.word_count,
         {item}.thumbnail_url, {item}.media, {item}.url IS NOT NULL AS has_link, {state}.read, {state}.starred,
         ifnull({item}.language, (SELECT f.language FROM feeds f WHERE f.id = {item}.feed_id)) AS language,
         (SELECT lower(hex(m.digest)) FROM item_images m JOIN images g ON g.digest = m.digest
             WHERE m.item_id = {item}.id AND m.url = {item}.thumbnail_url AND g.there = 1) AS stored_thumbnail,
         {show_image} AS show_image, {show_url} AS show_url,
         (SELECT CAST(e.duration_seconds AS INTEGER) FROM enclosures e WHERE e.item_id = {item}.id AND e.position = 0) AS duration_seconds,
         EXISTS (SELECT 1 FROM versions v WHERE v.item_id = {item}.id) AS updated"
    )
}

/// Returns the tables of a list whose rows are sorted by a time of their own, `t.at`, and not by the article's date.
fn own_tables(source: Source) -> Option<&'static str> {
    match source {
        Source::Listening => Some(
            "playback t INDEXED BY playback_started CROSS JOIN items i ON i.id = t.item_id CROSS JOIN states s ON s.item_id = t.item_id",
        ),
        Source::Downloads => Some(
            "episodes t INDEXED BY episodes_by_time CROSS JOIN items i ON i.id = t.item_id CROSS JOIN states s ON s.item_id = t.item_id",
        ),
        _ => None,
    }
}

/// Returns a list's tables, and the names of the article's id and of its rows of `items` and `states` there.
fn tables(query: &ListQuery) -> (&'static str, &'static str, &'static str, &'static str) {
    if matches!(query.source, Source::Tag(_)) {
        (
            "item_tags t CROSS JOIN items i ON i.id = t.item_id CROSS JOIN states s ON s.item_id = t.item_id",
            "t.item_id",
            "i",
            "s",
        )
    } else if let Some(tables) = own_tables(query.source) {
        (tables, "t.item_id", "i", "s")
    } else if by_state(query) {
        ("states t JOIN items i ON i.id = t.item_id", "t.item_id", "i", "t")
    } else {
        ("items t JOIN states s ON s.item_id = t.id", "t.id", "t", "s")
    }
}

/// Returns the condition for a list's articles. `combine`: of duplicates, only the first is shown.
fn list_condition(query: &ListQuery, combine: bool) -> String {
    let (_, id, _, state) = tables(query);
    let mut sql = source_condition(query.source);
    if query.source != Source::Hidden {
        sql.push_str(&format!(" AND {state}.hidden = 0"));
    }
    if query.unread() {
        sql.push_str(&format!(" AND {state}.read = 0"));
    }
    if combine {
        sql.push_str(&duplicates::is_first_of_group(id, by_state(query), query.source.since()));
    }
    sql
}

/// Returns the sort key of a list by date.
fn sort_key(source: Source) -> &'static str {
    if own_tables(source).is_some() { "t.at" } else { "t.sort_at" }
}

pub(crate) fn page_sql(query: &ListQuery, combine: bool) -> String {
    // Rows before a row are read backwards, and reversed afterwards.
    let descending = (query.order == Order::Oldest) == query.before.is_some();
    let (direction, comparison) = if descending { ("DESC", "<") } else { ("ASC", ">") };
    let (tables, id, item, state) = tables(query);
    let columns = if own_tables(query.source).is_some() {
        format!("t.at AS sort_at, {}, {} AS played", other_columns(item, state), progress::played(item))
    } else {
        columns(item, state)
    };
    let mut sql = format!("SELECT {columns} FROM {tables} WHERE {}", list_condition(query, combine));
    let key = sort_key(query.source);
    if query.after.or(query.before).is_some() {
        sql.push_str(&format!(" AND ({key}, {id}) {comparison} (?, ?)"));
    }
    sql.push_str(&format!(" ORDER BY {key} {direction}, {id} {direction} LIMIT ?"));
    sql
}

/// Returns a query for ids in JSON. Parameters: the last moment of receipt or NULL, and the scope's cursor. `combine`: lists show only
/// the first of duplicates, so a position applies to that one.
pub(crate) fn mark_sql(query: &ListQuery, scope: MarkScope, combine: bool) -> String {
    // Without statistics the planner would read every article instead of the index of starred or noted ones.
    let index = match query.source {
        Source::Starred => " INDEXED BY states_starred",
        Source::Noted => " INDEXED BY states_noted",
        _ => "",
    };
    let (tables, state) = match own_tables(query.source) {
        Some(tables) => (tables.to_owned(), "s"),
        None => (format!("states AS t{index}"), "t"),
    };
    let mut sql = format!(
        "SELECT json_group_array(t.item_id) FROM {tables} WHERE {state}.read = 0 AND {}
         AND (?1 IS NULL OR (SELECT received_at FROM items WHERE id = t.item_id) <= ?1)",
        match query.source {
            Source::Tag(id) => format!(
                "t.hidden = 0 AND t.item_id IN (SELECT item_id FROM item_tags WHERE tag_id = {id}) AND t.{SUBSCRIBED}"
            ),
            Source::Hidden => source_condition(query.source),
            source if own_tables(source).is_some() => format!("s.hidden = 0 AND {}", source_condition(source)),
            source => format!("t.hidden = 0 AND {}", source_condition(source)),
        }
    );
    let earlier = match scope {
        MarkScope::All => None,
        MarkScope::Above(_) => Some(query.order == Order::Oldest),
        MarkScope::Below(_) => Some(query.order != Order::Oldest),
    };
    if let Some(earlier) = earlier {
        let comparison = if earlier { "<" } else { ">" };
        sql.push_str(&format!(" AND ({}, t.item_id) {comparison} (?2, ?3)", sort_key(query.source)));
        if combine && query.may_combine() {
            sql.push_str(&duplicates::is_first_of_group("t.item_id", true, query.source.since()));
        }
    }
    sql
}

/// Returns the ids of the unread articles before or after a position of a list that is not by date, in JSON.
pub(crate) async fn ids_beyond(
    db: &Database,
    query: &ListQuery,
    row: Cursor,
    above: bool,
) -> Result<String, LibraryError> {
    if query.order.by_text() {
        by_text::ids_beyond(db, query, row, above).await
    } else {
        orders::ids_beyond(db, query, row, above).await
    }
}

repository!(
    /// Pages of the lists of articles, and how the window shows each list.
    Lists
);

impl Lists<'_> {
    fn combines(self, query: &ListQuery) -> bool {
        self.db.combines_duplicates() && query.may_combine()
    }

    /// Returns a page of a list, and whether more rows follow.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn page(self, query: ListQuery) -> Result<(Vec<Row>, bool), LibraryError> {
        if !query.by_date() {
            let more = query.limit as usize + 1;
            let mut rows = if query.order.by_text() {
                self.page_by_text(&query, more).await?
            } else {
                self.page_in_order(&query, more).await?
            };
            let goes_on = rows.len() == more;
            rows.truncate(query.limit as usize);
            return Ok((rows, goes_on));
        }
        let mut statement = sqlx::query_as::<_, Row>(sqlx::AssertSqlSafe(page_sql(&query, self.combines(&query))));
        if let Some(cursor) = query.after.or(query.before) {
            statement = statement.bind(cursor.sort_at).bind(cursor.id);
        }
        let mut rows = statement.bind(i64::from(query.limit) + 1).fetch_all(&self.db.readers).await?;
        let more = rows.len() > query.limit as usize;
        rows.truncate(query.limit as usize);
        if query.before.is_some() {
            rows.reverse();
        }
        Ok((rows, more))
    }
}
