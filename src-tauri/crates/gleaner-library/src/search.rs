//! Searches the index (`table/search.rs`) for articles, by date or by rank. Paged by key, as lists are.

use crate::{
    LibraryError, Row, RuleScope,
    database::repository,
    list::columns,
    table::{
        feeds::Feeds,
        folders::{Folders, folder_paths},
        index_words::BEGINNING,
        notes::Notes,
        search::SearchIndex,
    },
};
use chrono::{DateTime, TimeZone};
use compile::{Common, Compiler, KnownFeed, Plan};
use gleaner_query::{Expr, Field, State};

mod combined;
mod compile;
#[cfg(test)]
mod tests;
mod within;

/// Number of newest hits that are ranked; older hits of very frequent words are not read.
const RANKED: u32 = 5000;
/// Maximum number of words that stand for the prefixes in a query.
const MAX_COMMON: usize = 1000;
/// Cost of looking up one article in the index, in articles walked over.
const LOOKING_UP: i64 = 300;

/// Maximum number of unread articles that are counted for a saved search.
pub const MAX_COUNTED: u32 = 999;

/// The number of unread articles that match a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnreadFound {
    /// At most [`MAX_COUNTED`].
    pub unread: u32,
    /// Whether there are more.
    pub more: bool,
}

/// The order of a search's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchOrder {
    /// Newest first.
    #[default]
    Date,
    /// By rank (BM25), among the newest hits up to a limit; by date if a query has no words, or words on only one side of an OR.
    Rank,
}

/// A position in the results: a hit's sort key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchCursor {
    /// Row number in the index.
    pub docid: i64,
    /// Rank, less is better; `None` by date.
    pub score: Option<f64>,
}

/// The results of a search that are to be returned.
#[derive(Debug, Clone, Copy)]
pub struct SearchPage {
    /// Their order.
    pub order: SearchOrder,
    /// The last result of the page before; `None` for the first page.
    pub after: Option<SearchCursor>,
    /// Maximum number of results.
    pub limit: u32,
}

impl SearchPage {
    /// Returns the first page.
    #[must_use]
    pub fn first(order: SearchOrder, limit: u32) -> Self {
        Self { order, after: None, limit }
    }
}

/// An article that matches a query.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct Hit {
    /// The row as lists show it.
    #[sqlx(flatten)]
    pub row: Row,
    /// Row number in the index.
    pub docid: i64,
    /// Rank, less is better; `None` by date.
    pub score: Option<f64>,
}

impl Hit {
    /// Returns its position in the results.
    pub fn cursor(&self) -> SearchCursor {
        SearchCursor { docid: self.docid, score: self.score }
    }
}

const HIT: &str =
    "search CROSS JOIN search_docs d ON d.docid = search.rowid CROSS JOIN states s ON s.item_id = d.item_id";
const MARKED: &str = "CROSS JOIN search_docs d ON d.item_id = s.item_id";
const NUMBERED: &str = "search_docs d CROSS JOIN states s ON s.item_id = d.item_id";
const NUMBERED_HIT: &str =
    "search_docs d CROSS JOIN search ON search.rowid = d.docid CROSS JOIN states s ON s.item_id = d.item_id";
const MARKED_HIT: &str =
    "CROSS JOIN search_docs d ON d.item_id = s.item_id CROSS JOIN search ON search.rowid = d.docid";
/// Joined last and only where it is needed: most rows are excluded by `states`, whose rows are a tenth as long.
const ITEM: &str = " CROSS JOIN items i ON i.id = s.item_id";

/// How articles with a rare mark are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marked {
    /// Along the index; the mark is checked.
    Checked,
    /// Along the index; the row numbers with the mark are in memory.
    AtHand(State),
    /// Each article with the mark is looked up in the index.
    LookedUp(State),
    /// The articles with certain row numbers are looked up in the index. A condition of the plan names the numbers.
    Numbered,
}

fn mark_condition(state: State, table: &str) -> String {
    match state {
        State::Starred => format!("{table}.starred = 1 AND {table}.hidden = 0"),
        State::Highlighted => format!("{table}.noted > 0 AND {table}.noted & 1 AND {table}.hidden = 0"),
        State::Noted => format!("{table}.noted > 0 AND {table}.noted & 2 AND {table}.hidden = 0"),
        _ => format!("{table}.read = 0 AND {table}.hidden = 0"),
    }
}

/// Returns articles with a mark, by its index: without statistics the planner would read every article.
fn marked_only(state: State) -> &'static str {
    match state {
        State::Starred => "states s INDEXED BY states_starred",
        State::Highlighted | State::Noted => "states s INDEXED BY states_noted",
        _ => "states s INDEXED BY states_unread",
    }
}

/// Returns the query for a page. Parameters: the expression, the first and last row number, the limit, the cursor's rank and row
/// number.
pub(crate) fn page_sql(plan: &Plan, marked: Marked, ranked: bool, after: bool) -> String {
    page_of(&columns("i", "s"), plan, marked, ranked, after)
}

/// Returns the query for a page with other columns.
fn page_of(columns: &str, plan: &Plan, marked: Marked, ranked: bool, after: bool) -> String {
    let (mut tables, number, matches) = match marked {
        // Without words there is nothing to look up.
        Marked::LookedUp(state) if plan.matches_all() => {
            (format!("{} {MARKED}", marked_only(state)), "d.docid", "?1 IS NOT NULL")
        }
        Marked::LookedUp(state) => (format!("{} {MARKED_HIT}", marked_only(state)), "d.docid", "search MATCH ?1"),
        // The plus keeps the planner from walking over the range of numbers.
        Marked::Numbered if plan.matches_all() => (NUMBERED.to_owned(), "+d.docid", "?1 IS NOT NULL"),
        Marked::Numbered => (NUMBERED_HIT.to_owned(), "+d.docid", "search MATCH ?1"),
        _ => (HIT.to_owned(), "search.rowid", "search MATCH ?1"),
    };
    let mut conditions = vec![
        format!("{matches} AND {number} >= ?2 AND {number} <= ?3"),
        "s.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)".to_owned(),
    ];
    match marked {
        Marked::Checked | Marked::Numbered => {}
        // The plus keeps the planner from asking FTS5 for one row number after the other.
        Marked::AtHand(state) => conditions.push(format!(
            "+search.rowid IN (SELECT m.docid FROM states t CROSS JOIN search_docs m ON m.item_id = t.item_id WHERE {})",
            mark_condition(state, "t")
        )),
        Marked::LookedUp(state) => conditions.push(mark_condition(state, "s")),
    }
    // Apart from those above, which the planner needs in a row to find its index.
    conditions.push(compile::balanced(&plan.conditions, " AND "));
    let conditions = conditions.join(" AND ");
    if !ranked && columns.contains("i.") || conditions.contains("i.word_count") {
        tables.push_str(ITEM);
    }
    if !ranked {
        // Articles that are looked up by their numbers are wanted in any order.
        let order = if marked == Marked::Numbered { String::new() } else { format!("ORDER BY {number} DESC") };
        return format!(
            "SELECT {columns}, d.docid AS docid, NULL AS score FROM {tables} WHERE {conditions} {order} LIMIT ?4"
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

repository!(
    /// Searches for articles.
    Search
);

impl Search<'_> {
    /// Searches the articles that a rule of this scope applies to; duplicates are not combined.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn find_within<Zone: TimeZone>(
        self,
        scope: RuleScope,
        query: &Expr,
        now: &DateTime<Zone>,
        page: SearchPage,
    ) -> Result<(Vec<Hit>, bool), LibraryError> {
        let plans = self.plans(scope, query, now, page.order).await?;
        self.page(&plans, is_ranked(&plans, page.order), page.after, page.limit).await
    }

    async fn page(
        self,
        plans: &[Plan],
        ranked: bool,
        after: Option<SearchCursor>,
        limit: u32,
    ) -> Result<(Vec<Hit>, bool), LibraryError> {
        let mut hits: Vec<Hit> = Vec::new();
        for plan in plans {
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

    async fn hits(
        self,
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

    /// Returns hits with a rare mark, in slices from the newest until there are enough.
    async fn hits_among(
        self,
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
            .fetch_all(&self.db.readers)
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
        self,
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
        Ok(statement.fetch_all(&self.db.readers).await?)
    }

    /// Returns how to find the articles of a plan by its rarest mark.
    async fn marked(self, plan: &Plan, limit: u32) -> Result<Marked, LibraryError> {
        let wanted = |state| plan.marks.contains(&state);
        // The indexes of marks contain only articles that lists show.
        let by_index = [State::Unread, State::Starred, State::Highlighted, State::Noted];
        if plan.hidden || !by_index.into_iter().any(wanted) {
            return Ok(Marked::Checked);
        }
        let noted = if wanted(State::Highlighted) || wanted(State::Noted) {
            Notes::new(self.db).count_articles().await?
        } else {
            0
        };
        let (items, unread, starred): (i64, i64, i64) =
            sqlx::query_as("SELECT ifnull(sum(items), 0), ifnull(sum(unread), 0), ifnull(sum(starred), 0) FROM counts")
                .fetch_one(&self.db.readers)
                .await?;
        // A page is found among items × limit / count hits, each of which would be read. With the marked row numbers in memory each
        // read is cheap, but loading them costs time in proportion to count.
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

    /// Returns the common words that the prefixes in a query match. If there are too many, searching all words is faster, and none are
    /// returned.
    async fn common(self, query: &Expr, order: SearchOrder) -> Result<Common, LibraryError> {
        // Ranking looks at each word separately, and two letters are the prefix of hundreds.
        let least = if order == SearchOrder::Rank { BEGINNING } else { 2 };
        let mut common = Common::new();
        for beginning in compile::beginnings(query, least) {
            let words = SearchIndex::new(self.db).common_words_from(&beginning).await?;
            common.insert(beginning, words);
            if common.values().map(|words| words.len() + 1).sum::<usize>() > MAX_COMMON {
                return Ok(Common::new());
            }
        }
        Ok(common)
    }

    async fn known_feeds(self) -> Result<Vec<KnownFeed>, LibraryError> {
        let paths = folder_paths(&Folders::new(self.db).list().await?);
        let known = Feeds::new(self.db).query_texts().await?.into_iter().map(|feed| KnownFeed {
            id: feed.id,
            title: feed.shown_title(),
            addresses: [Some(feed.url), feed.home_url],
            folder: feed.folder_id.and_then(|folder| paths.get(&folder).cloned()),
        });
        Ok(known.collect())
    }
}

/// Returns whether results are in the order of their rank.
fn is_ranked(plans: &[Plan], order: SearchOrder) -> bool {
    order == SearchOrder::Rank && matches!(plans, [plan] if plan.words)
}

fn asks_for_feeds(query: &Expr) -> bool {
    match query {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().any(asks_for_feeds),
        Expr::Not(part) => asks_for_feeds(part),
        Expr::Text { field, .. } => matches!(field, Field::Feed | Field::Folder),
        _ => false,
    }
}
