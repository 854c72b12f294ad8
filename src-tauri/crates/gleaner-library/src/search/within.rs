//! Searches the articles that a rule applies to.

use super::{Compiler, Marked, Plan, SearchCursor, SearchOrder, asks_for_feeds, page_of};
use crate::{
    LibraryError, RuleScope,
    search::Search,
    table::{categories::Categories, folders::BELOW},
};
use chrono::{DateTime, TimeZone};
use gleaner_query::{Expr, Synonyms};

/// Number of ids that are read at once.
const PAGE: u32 = 5000;

impl Search<'_> {
    /// Returns plans that together find the articles of the scope that match the query.
    pub(super) async fn plans<Zone: TimeZone>(
        self,
        scope: RuleScope,
        query: &Expr,
        now: &DateTime<Zone>,
        order: SearchOrder,
    ) -> Result<Vec<Plan>, LibraryError> {
        let feeds = if asks_for_feeds(query) { self.known_feeds().await? } else { Vec::new() };
        let drift: Option<i64> =
            sqlx::query_scalar("SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'search_drift'")
                .fetch_optional(&self.db.readers)
                .await?;
        let hidden = query.asks_for_hidden();
        let drift = drift.unwrap_or_default();
        let synonyms = if query.asks_for_categories() {
            Categories::new(self.db).synonym_map().await?
        } else {
            Synonyms::default()
        };
        let common = self.common(query, order).await?;
        let compiler = Compiler { feeds: &feeds, now, drift, hidden, synonyms: &synonyms, common: &common };
        let mut plans = compiler.plans(query);
        let within = match scope {
            RuleScope::Everywhere => return Ok(plans),
            RuleScope::Feed(feed) => vec![feed],
            RuleScope::Folder(folder) => {
                let sql = format!("{BELOW} SELECT id FROM feeds WHERE folder_id IN (SELECT id FROM below)");
                sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(folder).fetch_all(&self.db.readers).await?
            }
        };
        plans.iter_mut().for_each(|plan| plan.within(&within));
        Ok(plans)
    }

    /// Returns the ids of the articles that match a query and that a rule of this scope applies to, the newest first. From time to
    /// time `keep_going` gets the number found so far and returns whether to continue.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn matching_articles<Zone: TimeZone>(
        self,
        scope: RuleScope,
        query: &Expr,
        now: &DateTime<Zone>,
        mut keep_going: impl FnMut(usize) -> bool,
    ) -> Result<Vec<i64>, LibraryError> {
        let plans = self.plans(scope, query, now, SearchOrder::Date).await?;
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let mut page: Vec<(i64, i64)> = Vec::new();
            for plan in &plans {
                page.extend(self.numbers_of(plan, after).await?);
            }
            page.sort_by_key(|(docid, _)| std::cmp::Reverse(*docid));
            page.dedup();
            let more = page.len() >= PAGE as usize;
            page.truncate(PAGE as usize);
            after = page.last().map(|(docid, _)| SearchCursor { docid: *docid, score: None });
            found.extend(page.into_iter().map(|(_, id)| id));
            if !more || !keep_going(found.len()) {
                return Ok(found);
            }
        }
    }

    async fn numbers_of(self, plan: &Plan, after: Option<SearchCursor>) -> Result<Vec<(i64, i64)>, LibraryError> {
        let marked = if plan.marks.is_empty() { Marked::Checked } else { self.marked(plan, PAGE).await? };
        self.ids_by(plan, marked, after, PAGE).await
    }

    /// Returns the row numbers and ids of the articles of a plan, the newest first.
    pub(super) async fn ids_by(
        self,
        plan: &Plan,
        marked: Marked,
        after: Option<SearchCursor>,
        limit: u32,
    ) -> Result<Vec<(i64, i64)>, LibraryError> {
        let sql = page_of("d.item_id", plan, marked, false, after.is_some());
        let last = after.map_or(*plan.numbers.end(), |at| at.docid.saturating_sub(1).min(*plan.numbers.end()));
        let mut statement = sqlx::query_as::<_, (i64, i64, Option<f64>)>(sqlx::AssertSqlSafe(sql))
            .bind(&plan.matching)
            .bind(*plan.numbers.start())
            .bind(last)
            .bind(i64::from(limit))
            .bind(None::<f64>)
            .bind(None::<i64>);
        for parameter in &plan.parameters {
            statement = statement.bind(parameter);
        }
        let rows = statement.fetch_all(&self.db.readers).await?;
        Ok(rows.into_iter().map(|(id, docid, _)| (docid, id)).collect())
    }
}
