//! Lists by title or author. No index has these texts: it would slow down storing, and few lists are sorted so. They are compared here
//! once for a list; the sorted ids stay in memory for its further pages, 8 bytes each, until another such list is read.

use super::{
    Cursor, ListQuery, Lists, Order, Row, SUBSCRIBED, Source, list_condition,
    orders::{all_feeds, feeds_sql, list_tables},
};
use crate::{LibraryError, Millis, database::Database, json::json};
use futures::TryStreamExt as _;
use gleaner_query::words;
use std::{cmp::Reverse, sync::Arc};

/// Characters of a text that are compared. Equal ones are sorted by date.
const COMPARED: usize = 64;

/// The sort key of an article. Articles without the text come last in both directions.
#[derive(sqlx::FromRow)]
struct Key {
    id: i64,
    sort_at: Millis,
    text: Option<String>,
}

impl Order {
    /// Returns whether the order is by title or author.
    pub(super) fn by_text(self) -> bool {
        matches!(self, Self::Title | Self::TitleDescending | Self::Author | Self::AuthorDescending)
    }

    fn descending(self) -> bool {
        matches!(self, Self::TitleDescending | Self::AuthorDescending)
    }

    /// Returns the SQL expression of the compared text of a row of `items`. An article without a title is shown by its excerpt.
    fn text(self, item: &str) -> String {
        match self {
            Self::Author | Self::AuthorDescending => format!("substr({item}.author, 1, {COMPARED})"),
            _ => format!("substr(coalesce(nullif({item}.title, ''), {item}.excerpt), 1, {COMPARED})"),
        }
    }
}

impl Key {
    /// Reduces the text to its words, without case, accents and punctuation.
    fn fold(mut self) -> Self {
        let mut folded = String::new();
        words::write(self.text.as_deref().unwrap_or_default(), &mut folded);
        self.text = (!folded.is_empty()).then_some(folded);
        self
    }
}

fn sort(keys: &mut [Key], order: Order) {
    let newest = |key: &Key| Reverse((key.sort_at, key.id));
    keys.sort_unstable_by(|one, other| {
        let by_text = if order.descending() {
            // `None` is less than any text.
            other.text.cmp(&one.text)
        } else {
            one.text.is_none().cmp(&other.text.is_none()).then_with(|| one.text.cmp(&other.text))
        };
        by_text.then_with(|| newest(one).cmp(&newest(other)))
    });
}

/// Returns a query for the sort keys of a list. Parameter: as of [`list_tables`].
fn keys_sql(query: &ListQuery, combine: bool) -> String {
    let (tables, id, item) = list_tables(query);
    let text = query.order.text(item);
    format!(
        "SELECT {id} AS id, t.sort_at, {text} AS text FROM {tables} WHERE {}",
        list_condition(&query.dated(), combine)
    )
}

/// Returns the ids of the unread articles before or after a position, in JSON.
pub(super) async fn ids_beyond(
    db: &Database,
    query: &ListQuery,
    row: Cursor,
    above: bool,
) -> Result<String, LibraryError> {
    let lists = Lists::new(db);
    let ids = lists.sorted(query, Some(row.id), lists.combines(query)).await?;
    let at = ids.iter().position(|id| *id == row.id);
    match at.and_then(|at| ids.split_at_checked(at)) {
        Some((before, _)) if above => json(before),
        Some((_, [_, after @ ..])) => json(after),
        _ => json::<[i64]>(&[]),
    }
}

impl Lists<'_> {
    pub(super) async fn page_by_text(self, query: &ListQuery, more: usize) -> Result<Vec<Row>, LibraryError> {
        let (ids, begin) = self.ids_and_position(query).await?;
        // Since the list was sorted, articles may have been read, hidden or removed.
        let hidden = i32::from(query.source == Source::Hidden);
        let read = if query.unread() { " AND s.read = 0" } else { "" };
        let condition = format!("s.hidden = {hidden}{read} AND t.{SUBSCRIBED}");
        let mut rows = Vec::new();
        for some in ids.get(begin..).unwrap_or_default().chunks(more) {
            rows.extend(self.rows_of(some, &condition).await?);
            if rows.len() >= more {
                break;
            }
        }
        rows.truncate(more);
        Ok(rows)
    }

    /// Returns the ids of a list in order, and the index where a page of it begins. Only a list's first page sorts it, and one after
    /// an article that is not in the ids in memory.
    async fn ids_and_position(self, query: &ListQuery) -> Result<(Arc<Vec<i64>>, usize), LibraryError> {
        let combine = self.combines(query);
        let name = format!("{:?} {}", query.order, keys_sql(query, combine));
        let position = |ids: &[i64], row: Cursor| ids.iter().position(|id| *id == row.id).map(|at| at + 1);
        if let Some(row) = query.after
            && let Some(ids) = self.db.sorted_list.get(&name)
            && let Some(begin) = position(&ids, row)
        {
            return Ok((ids, begin));
        }
        let ids = Arc::new(self.sorted(query, query.after.map(|row| row.id), combine).await?);
        self.db.sorted_list.set(name, &ids);
        let begin = query.after.map_or(0, |row| position(&ids, row).unwrap_or(ids.len()));
        Ok((ids, begin))
    }

    /// Returns the ids of a list in order, with an article that may no longer be part of it.
    async fn sorted(self, query: &ListQuery, with: Option<i64>, combine: bool) -> Result<Vec<i64>, LibraryError> {
        let mut statement = sqlx::query_as::<_, Key>(sqlx::AssertSqlSafe(keys_sql(query, combine)));
        if all_feeds(query.source) {
            let sql = format!("SELECT id FROM ({})", feeds_sql(query));
            let feeds: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&self.db.readers).await?;
            statement = statement.bind(json(&feeds)?);
        }
        let mut keys: Vec<Key> = statement.fetch(&self.db.readers).map_ok(Key::fold).try_collect().await?;
        if let Some(id) = with.filter(|id| keys.iter().all(|key| key.id != *id)) {
            let sql = format!("SELECT i.id, i.sort_at, {} AS text FROM items i WHERE i.id = ?", query.order.text("i"));
            let key = sqlx::query_as::<_, Key>(sqlx::AssertSqlSafe(sql)).bind(id);
            keys.extend(key.fetch_optional(&self.db.readers).await?.map(Key::fold));
        }
        let order = query.order;
        let sorted = move || {
            sort(&mut keys, order);
            keys.into_iter().map(|key| key.id).collect()
        };
        tokio::task::spawn_blocking(sorted).await.map_err(|stopped| LibraryError::Invalid(stopped.to_string()))
    }
}
