//! Searches with duplicates combined: of a group of duplicates (`table/duplicates.rs`), one of the articles that match is found.

use super::{
    Hit, Marked, Plan, SearchCursor, SearchOrder, SearchPage, UnreadFound, compile::FIRST_PARAMETER, is_ranked,
};
use crate::{LibraryError, RuleScope, json::json, search::Search};
use chrono::{DateTime, TimeZone};
use gleaner_query::{Expr, State};
use std::collections::{HashMap, HashSet};

/// Maximum number of hits that are read at once to fill a page.
const MAX_STEP: u32 = 2000;

/// An article of a group of duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Member {
    id: i64,
    docid: i64,
}

impl Search<'_> {
    /// Returns a page of the articles that match a query, and whether there are more. `now` also gives the user's
    /// time zone. The index lags behind incoming articles: `search_index().state` says by how many.
    ///
    /// If duplicates are combined, only one article of a group is found: the first received one that matches, as in lists; by rank the
    /// newest one.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn find<Zone: TimeZone>(
        self,
        query: &Expr,
        now: &DateTime<Zone>,
        page: SearchPage,
    ) -> Result<(Vec<Hit>, bool), LibraryError> {
        let SearchPage { order, mut after, limit } = page;
        let plans = self.plans(RuleScope::Everywhere, query, now, order).await?;
        let ranked = is_ranked(&plans, order);
        if !self.db.combines_duplicates() {
            return self.page(&plans, ranked, after, limit).await;
        }
        let (mut found, mut first, mut more, mut step) = (Vec::new(), HashMap::new(), true, limit.saturating_add(1));
        while more && found.len() <= limit as usize {
            let (hits, goes_on) = self.page(&plans, ranked, after, step).await?;
            after = hits.last().map(Hit::cursor);
            more = goes_on;
            let left_out = self.left_out(&plans, ranked, &hits, &mut first).await?;
            found.extend(hits.into_iter().filter(|hit| !left_out.contains(&hit.row.id)));
            step = step.saturating_mul(2).min(MAX_STEP.max(limit));
        }
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        Ok((found, more))
    }

    /// Counts the unread articles that match a query, up to `most`, with duplicates counted as lists show them, and returns whether
    /// there are more.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_unread<Zone: TimeZone>(
        self,
        query: &Expr,
        now: &DateTime<Zone>,
        most: u32,
    ) -> Result<UnreadFound, LibraryError> {
        let mut found = HashSet::new();
        for mut plan in self.plans(RuleScope::Everywhere, query, now, SearchOrder::Date).await? {
            plan.conditions.push("s.read = 0".to_owned());
            plan.marks.push(State::Unread);
            let marked = self.marked(&plan, most).await?;
            let (mut after, limit) = (None, most.saturating_add(1));
            // If many are duplicates, the first ones are too few.
            while found.len() <= most as usize {
                let rows = self.ids_by(&plan, marked, after, limit).await?;
                let ids: Vec<i64> = rows.iter().map(|(_, id)| *id).collect();
                let groups = self.groups_of(&ids).await?;
                found.extend(ids.iter().map(|id| groups.get(id).map_or((*id, false), |group| (*group, true))));
                if rows.len() < limit as usize {
                    break;
                }
                after = rows.last().map(|(docid, _)| SearchCursor { docid: *docid, score: None });
            }
        }
        let unread = u32::try_from(found.len()).unwrap_or(u32::MAX);
        Ok(UnreadFound { unread: unread.min(most), more: unread > most })
    }

    /// Returns the groups of these articles, as far as they are duplicates. Empty if duplicates are not combined.
    async fn groups_of(self, ids: &[i64]) -> Result<HashMap<i64, i64>, LibraryError> {
        if ids.is_empty() || !self.db.combines_duplicates() {
            return Ok(HashMap::new());
        }
        let sql = "SELECT a.item_id, a.story_id FROM json_each(?) j CROSS JOIN stories a ON a.item_id = j.value";
        let groups: Vec<(i64, i64)> = sqlx::query_as(sql).bind(json(ids)?).fetch_all(&self.db.readers).await?;
        Ok(groups.into_iter().collect())
    }

    /// Returns the hits that are left out because another article of their group is found. `first` has the first matching articles of the
    /// groups examined so far; those of the others are added.
    async fn left_out(
        self,
        plans: &[Plan],
        ranked: bool,
        hits: &[Hit],
        first: &mut HashMap<i64, Member>,
    ) -> Result<HashSet<i64>, LibraryError> {
        // By rank only the newest hits are examined, so an older one may be missing among them.
        let before = |one: &Member, other: &Member| if ranked { one.docid > other.docid } else { one.id < other.id };
        let ids: Vec<i64> = hits.iter().map(|hit| hit.row.id).collect();
        let groups = self.groups_of(&ids).await?;
        let member = |hit: &Hit| Member { id: hit.row.id, docid: hit.docid };
        let mut found: HashMap<i64, Member> = HashMap::new();
        for hit in hits {
            if let Some(group) = groups.get(&hit.row.id).filter(|group| !first.contains_key(group)) {
                let of_group = found.entry(*group).or_insert(member(hit));
                if before(&member(hit), of_group) {
                    *of_group = member(hit);
                }
            }
        }
        if !found.is_empty() {
            let sql = "SELECT DISTINCT b.story_id, b.item_id, d.docid FROM json_each(?) j CROSS JOIN stories b ON b.story_id = j.value
                 CROSS JOIN search_docs d ON d.item_id = b.item_id";
            let rows: Vec<(i64, i64, i64)> = sqlx::query_as(sql)
                .bind(json(&found.keys().copied().collect::<Vec<_>>())?)
                .fetch_all(&self.db.readers)
                .await?;
            let members = rows.into_iter().map(|(group, id, docid)| (group, Member { id, docid }));
            let is_before = |(group, one): &(i64, Member)| found.get(group).is_some_and(|first| before(one, first));
            let unknown: Vec<(i64, Member)> = members.filter(is_before).collect();
            let matching = self.matching(plans, &unknown.iter().map(|(_, one)| *one).collect()).await?;
            for (group, one) in unknown.into_iter().filter(|(_, one)| matching.contains(&one.id)) {
                found.entry(group).and_modify(|first| {
                    if before(&one, first) {
                        *first = one
                    }
                });
            }
            first.extend(found);
        }
        let is_left_out = |hit: &&Hit| {
            let first = groups.get(&hit.row.id).and_then(|group| first.get(group));
            first.is_some_and(|first| before(first, &member(hit)))
        };
        Ok(hits.iter().filter(is_left_out).map(|hit| hit.row.id).collect())
    }

    /// Returns those of these articles that match.
    async fn matching(self, plans: &[Plan], members: &HashSet<Member>) -> Result<HashSet<i64>, LibraryError> {
        let numbers: Vec<i64> = members.iter().map(|one| one.docid).collect();
        let (Some(first), Some(last)) = (numbers.iter().min(), numbers.iter().max()) else {
            return Ok(HashSet::new());
        };
        let limit = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let mut found = HashSet::new();
        for plan in plans {
            let (mut plan, marked) = numbered(plan, &numbers)?;
            plan.numbers = *plan.numbers.start().max(first)..=*plan.numbers.end().min(last);
            found.extend(self.ids_by(&plan, marked, None, limit).await?.into_iter().map(|(_, id)| id));
        }
        Ok(found)
    }
}

/// Restricts a plan to these row numbers, and returns how its articles are found.
pub(super) fn numbered(plan: &Plan, numbers: &[i64]) -> Result<(Plan, Marked), LibraryError> {
    let mut plan = plan.clone();
    plan.parameters.push(json(numbers)?);
    let parameter = FIRST_PARAMETER - 1 + plan.parameters.len();
    // Each look-up of a prefix would read all words that begin with it.
    let (marked, number) =
        if plan.prefixes { (Marked::Checked, "+search.rowid") } else { (Marked::Numbered, "d.docid") };
    plan.conditions.push(format!("{number} IN (SELECT value FROM json_each(?{parameter}))"));
    Ok((plan, marked))
}
