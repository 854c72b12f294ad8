//! Searching: pages of articles that answer a query, the newest or the most fitting first, from the index
//! (`table/search.rs`). Paged by key, as lists are.

use crate::{
    Library, LibraryError, Row, RuleScope, UnreadFound,
    list::columns,
    table::{folders::folder_paths, search::BEGINNING},
};
use chrono::{DateTime, TimeZone};
pub(crate) use compile::about;
use compile::{Common, Compiler, KnownFeed, Plan};
use gleaner_query::{Expr, Field, State};
use std::collections::HashSet;

mod compile;
#[cfg(test)]
mod tests;
mod within;

/// So many of the newest hits are ranked; of words that stand nearly everywhere, older ones are not looked at.
pub const RANKED: u32 = 5000;
/// So many words stand for the beginnings in a query at most.
const MOST_COMMON: usize = 1000;
/// Looking one article up in the index takes as long as walking over so many.
const LOOKING_UP: i64 = 300;

/// The order of a search's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchOrder {
    /// Newest first.
    #[default]
    Date,
    /// Most fitting first (BM25), among the newest [`RANKED`] hits; by date where a query has no words, or has words on one side of
    /// an OR and something else on the other.
    Rank,
}

/// A place in a search's results: a hit's sort key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchCursor {
    /// Its number in the index.
    pub docid: i64,
    /// How well it fits, less is better; `None` by date.
    pub score: Option<f64>,
}

/// An article that answers a query.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct Hit {
    /// As lists show it.
    #[sqlx(flatten)]
    pub row: Row,
    /// Its place.
    pub docid: i64,
    /// How well it fits, less is better; `None` by date.
    pub score: Option<f64>,
}

impl Hit {
    /// Its place in the results.
    pub fn cursor(&self) -> SearchCursor {
        SearchCursor { docid: self.docid, score: self.score }
    }
}

const HIT: &str =
    "search CROSS JOIN search_docs d ON d.docid = search.rowid CROSS JOIN states s ON s.item_id = d.item_id";
const MARKED: &str = "CROSS JOIN search_docs d ON d.item_id = s.item_id";
const MARKED_HIT: &str =
    "CROSS JOIN search_docs d ON d.item_id = s.item_id CROSS JOIN search ON search.rowid = d.docid";
/// Last, and only where it is asked for: most that is looked at is left out for what `states` say, and those are a tenth as long.
const ITEM: &str = " CROSS JOIN items i ON i.id = s.item_id";

/// How articles with a rare mark are come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marked {
    /// Along the index; the mark is checked.
    Checked,
    /// Along the index; the numbers of those with the mark are held at hand.
    AtHand(State),
    /// Each of them is looked up in the index.
    LookedUp(State),
}

fn mark_condition(state: State, table: &str) -> String {
    match state {
        State::Starred => format!("{table}.starred = 1 AND {table}.hidden = 0"),
        State::Highlighted => format!("{table}.noted > 0 AND {table}.noted & 1 AND {table}.hidden = 0"),
        State::Noted => format!("{table}.noted > 0 AND {table}.noted & 2 AND {table}.hidden = 0"),
        _ => format!("{table}.read = 0 AND {table}.hidden = 0"),
    }
}

/// Those with a mark, by their index: without statistics the planner would rather look at every article.
fn marked_only(state: State) -> &'static str {
    match state {
        State::Starred => "states s INDEXED BY states_starred",
        State::Highlighted | State::Noted => "states s INDEXED BY states_noted",
        _ => "states s INDEXED BY states_unread",
    }
}

/// Parameters: the expression, the numbers' first and last, the limit, the cursor's score and number.
pub(crate) fn page_sql(plan: &Plan, marked: Marked, ranked: bool, after: bool) -> String {
    page_of(&columns("i", "s"), plan, marked, ranked, after)
}

/// The same of other columns.
fn page_of(columns: &str, plan: &Plan, marked: Marked, ranked: bool, after: bool) -> String {
    let (mut tables, number, matches) = match marked {
        // Without words there is nothing to look up.
        Marked::LookedUp(state) if plan.matches_all() => {
            (format!("{} {MARKED}", marked_only(state)), "d.docid", "?1 IS NOT NULL")
        }
        Marked::LookedUp(state) => (format!("{} {MARKED_HIT}", marked_only(state)), "d.docid", "search MATCH ?1"),
        _ => (HIT.to_owned(), "search.rowid", "search MATCH ?1"),
    };
    let mut conditions = vec![
        format!("{matches} AND {number} >= ?2 AND {number} <= ?3"),
        "s.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)".to_owned(),
    ];
    match marked {
        Marked::Checked => {}
        // The plus keeps the planner from asking FTS5 for one number after the other.
        Marked::AtHand(state) => conditions.push(format!(
            "+search.rowid IN (SELECT m.docid FROM states t CROSS JOIN search_docs m ON m.item_id = t.item_id WHERE {})",
            mark_condition(state, "t")
        )),
        Marked::LookedUp(state) => conditions.push(mark_condition(state, "s")),
    }
    conditions.extend(plan.conditions.iter().cloned());
    let conditions = conditions.join(" AND ");
    if !ranked && columns.contains("i.") || conditions.contains("i.word_count") {
        tables.push_str(ITEM);
    }
    if !ranked {
        return format!(
            "SELECT {columns}, d.docid AS docid, NULL AS score FROM {tables} WHERE {conditions} ORDER BY {number} DESC LIMIT ?4"
        );
    }
    let cursor = if after { "WHERE (found.score, -found.docid) > (?5, -?6)" } else { "" };
    format!(
        "SELECT {columns}, found.docid, found.score FROM (
            SELECT d.docid AS docid, d.item_id AS item_id, bm25(search, 1.0, 8.0, 4.0, 4.0, 0.0) AS score
            FROM {tables} WHERE {conditions} ORDER BY {number} DESC LIMIT {RANKED}) AS found
         CROSS JOIN items i ON i.id = found.item_id CROSS JOIN states s ON s.item_id = i.id {cursor}
         ORDER BY found.score, found.docid DESC LIMIT ?4"
    )
}

impl Library {
    /// A page of the articles that answer a query and stand after a place in the results, and whether there are more. `now` says the
    /// reader's time zone too. The index follows what comes in: [`Library::index_state`] tells by how much.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn search<Zone: TimeZone>(
        &self,
        query: &Expr,
        now: &DateTime<Zone>,
        order: SearchOrder,
        after: Option<SearchCursor>,
        limit: u32,
    ) -> Result<(Vec<Hit>, bool), LibraryError> {
        self.search_within(RuleScope::Everywhere, query, now, order, after, limit).await
    }

    /// The same of the articles that a rule of this scope is for.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn search_within<Zone: TimeZone>(
        &self,
        scope: RuleScope,
        query: &Expr,
        now: &DateTime<Zone>,
        order: SearchOrder,
        after: Option<SearchCursor>,
        limit: u32,
    ) -> Result<(Vec<Hit>, bool), LibraryError> {
        let plans = self.plans(scope, query, now, order).await?;
        let ranked = order == SearchOrder::Rank && matches!(plans.as_slice(), [plan] if plan.words);
        let mut hits: Vec<Hit> = Vec::new();
        for plan in &plans {
            hits.extend(self.hits(plan, ranked, after, limit.saturating_add(1)).await?);
        }
        if plans.len() > 1 {
            hits.sort_by_key(|hit| std::cmp::Reverse(hit.docid));
            hits.dedup_by_key(|hit| hit.docid);
        }
        let more = hits.len() > limit as usize;
        hits.truncate(limit as usize);
        Ok((hits, more))
    }

    /// How many unread articles answer a query, `most` at most, and whether there are more.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_unread<Zone: TimeZone>(
        &self,
        query: &Expr,
        now: &DateTime<Zone>,
        most: u32,
    ) -> Result<UnreadFound, LibraryError> {
        let mut found = HashSet::new();
        for mut plan in self.plans(RuleScope::Everywhere, query, now, SearchOrder::Date).await? {
            plan.conditions.push("s.read = 0".to_owned());
            plan.marks.push(State::Unread);
            let marked = self.marked(&plan, most).await?;
            let sql = page_of("d.item_id", &plan, marked, false, false);
            let mut statement = sqlx::query_as::<_, (i64, i64, Option<f64>)>(sqlx::AssertSqlSafe(sql))
                .bind(&plan.matching)
                .bind(*plan.numbers.start())
                .bind(*plan.numbers.end())
                .bind(i64::from(most) + 1)
                .bind(None::<f64>)
                .bind(None::<i64>);
            for parameter in &plan.parameters {
                statement = statement.bind(parameter);
            }
            found.extend(statement.fetch_all(&self.readers).await?.into_iter().map(|(id, ..)| id));
        }
        let unread = u32::try_from(found.len()).unwrap_or(u32::MAX);
        Ok(UnreadFound { unread: unread.min(most), more: unread > most })
    }

    async fn hits(
        &self,
        plan: &Plan,
        ranked: bool,
        after: Option<SearchCursor>,
        limit: u32,
    ) -> Result<Vec<Hit>, LibraryError> {
        let marked = self.marked(plan, limit).await?;
        match marked {
            Marked::LookedUp(state) if !ranked && !plan.matches_all() => {
                self.hits_among(plan, state, after, limit).await
            }
            _ => self.hits_by(plan, marked, ranked, after, limit).await,
        }
    }

    /// Those with a rare mark, a page at a time from the newest down until enough of them answer.
    async fn hits_among(
        &self,
        plan: &Plan,
        state: State,
        after: Option<SearchCursor>,
        limit: u32,
    ) -> Result<Vec<Hit>, LibraryError> {
        let sql = format!(
            "SELECT d.docid FROM {} {MARKED} WHERE {} AND d.docid >= ?1 AND d.docid <= ?2 ORDER BY d.docid DESC",
            marked_only(state),
            mark_condition(state, "s")
        );
        let numbers: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(*plan.numbers.start())
            .bind(after.map_or(i64::MAX, |cursor| cursor.docid - 1).min(*plan.numbers.end()))
            .fetch_all(&self.readers)
            .await?;
        let mut hits = Vec::new();
        for some in numbers.chunks(limit.max(1) as usize) {
            let (Some(newest), Some(oldest)) = (some.first(), some.last()) else { break };
            let part = Plan { numbers: *oldest..=*newest, ..plan.clone() };
            hits.extend(self.hits_by(&part, Marked::LookedUp(state), false, after, limit).await?);
            if hits.len() >= limit as usize {
                break;
            }
        }
        hits.truncate(limit as usize);
        Ok(hits)
    }

    async fn hits_by(
        &self,
        plan: &Plan,
        marked: Marked,
        ranked: bool,
        after: Option<SearchCursor>,
        limit: u32,
    ) -> Result<Vec<Hit>, LibraryError> {
        let mut statement =
            sqlx::query_as::<_, Hit>(sqlx::AssertSqlSafe(page_sql(plan, marked, ranked, after.is_some())));
        let last = match after {
            Some(cursor) if !ranked => (cursor.docid.saturating_sub(1)).min(*plan.numbers.end()),
            _ => *plan.numbers.end(),
        };
        statement = statement
            .bind(&plan.matching)
            .bind(*plan.numbers.start())
            .bind(last)
            .bind(i64::from(limit))
            .bind(after.and_then(|cursor| cursor.score))
            .bind(after.map(|cursor| cursor.docid));
        for parameter in &plan.parameters {
            statement = statement.bind(parameter);
        }
        Ok(statement.fetch_all(&self.readers).await?)
    }

    /// The rarest mark of a plan, and what that is worth.
    async fn marked(&self, plan: &Plan, limit: u32) -> Result<Marked, LibraryError> {
        let wanted = |state| plan.marks.contains(&state);
        // The indexes of marks are of what lists show.
        let by_index = [State::Unread, State::Starred, State::Highlighted, State::Noted];
        if plan.hidden || !by_index.into_iter().any(wanted) {
            return Ok(Marked::Checked);
        }
        let noted = if wanted(State::Highlighted) || wanted(State::Noted) { self.noted_count().await? } else { 0 };
        let (items, unread, starred): (i64, i64, i64) =
            sqlx::query_as("SELECT ifnull(sum(items), 0), ifnull(sum(unread), 0), ifnull(sum(starred), 0) FROM counts")
                .fetch_one(&self.readers)
                .await?;
        // A page is found among items × limit / count hits, each of which would be looked at; holding those with the mark at hand
        // makes a look cheap, and takes count.
        let worth = |count: i64, cost: i64| {
            count.saturating_mul(count).saturating_mul(cost) < items.saturating_mul(limit.into())
        };
        let rarest = by_index.into_iter().zip([unread, starred, noted, noted]).filter(|(state, _)| wanted(*state));
        Ok(match rarest.min_by_key(|(_, count)| *count) {
            Some((state, count)) if worth(count, LOOKING_UP) && !plan.prefixes => Marked::LookedUp(state),
            Some((state, count)) if worth(count, 1) => Marked::AtHand(state),
            _ => Marked::Checked,
        })
    }

    /// The common words that stand for the beginnings in a query. Too many are none: they would take longer than looking among all words.
    async fn common(&self, query: &Expr, order: SearchOrder) -> Result<Common, LibraryError> {
        // Each word that is looked for is weighed by itself, and two letters begin hundreds.
        let least = if order == SearchOrder::Rank { BEGINNING } else { 2 };
        let mut common = Common::new();
        for beginning in compile::beginnings(query, least) {
            let words = self.common_words_from(&beginning).await?;
            common.insert(beginning, words);
            if common.values().map(|words| words.len() + 1).sum::<usize>() > MOST_COMMON {
                return Ok(Common::new());
            }
        }
        Ok(common)
    }

    async fn known_feeds(&self) -> Result<Vec<KnownFeed>, LibraryError> {
        let paths = folder_paths(&self.folders().await?);
        let known = self.feed_texts().await?.into_iter().map(|feed| KnownFeed {
            id: feed.id,
            title: feed.shown_title(),
            addresses: [Some(feed.url), feed.home_url],
            folder: feed.folder_id.and_then(|folder| paths.get(&folder).cloned()),
        });
        Ok(known.collect())
    }
}

fn asks_for_feeds(query: &Expr) -> bool {
    match query {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().any(asks_for_feeds),
        Expr::Not(part) => asks_for_feeds(part),
        Expr::Text { field, .. } => matches!(field, Field::Feed | Field::Folder),
        _ => false,
    }
}
