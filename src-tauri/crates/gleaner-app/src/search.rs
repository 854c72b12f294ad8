//! Search.

use crate::{
    App,
    article_rows::article_row,
    error::{Result, invalid_input},
    list_query::page_size,
};
use gleaner_contract::{self as contract, Search, SearchResult};
use gleaner_library::{SearchCursor, SearchOrder, SearchPage, now_local};
use gleaner_query::{Expr, Problem, QueryError};
use gleaner_search::Found;
use std::ops::Range;

pub async fn search(app: &App, args: Search) -> Result<SearchResult> {
    let query = match gleaner_query::parse(&args.query) {
        Ok(query) => query,
        Err(error) => return Ok(not_understood(&args.query, &error)),
    };
    let after = args.after.as_deref().map(search_cursor).transpose()?;
    let page = SearchPage { order: search_order(args.order), after, limit: page_size(args.limit)? };
    let found = find_articles(app, &query, page).await?;
    if found.unindexed > 0 {
        // Another process may have stored them.
        app.signals().index.notify_one();
    }
    let next = found.hits.last().filter(|_| found.more).map(|last| search_place(last.hit.cursor()));
    let hits = found.hits.into_iter().map(search_hit).collect();
    Ok(SearchResult::Found { hits, next, unindexed: found.unindexed })
}

/// A page of the articles that match a search.
#[derive(Debug)]
pub struct FoundArticles {
    /// The articles.
    pub hits: Vec<Found>,
    /// Whether there are more.
    pub more: bool,
    /// Number of new or changed articles that are not indexed yet.
    pub unindexed: i64,
}

/// Searches the articles.
///
/// # Errors
/// When the library cannot be read.
pub async fn find_articles(app: &App, query: &Expr, page: SearchPage) -> Result<FoundArticles> {
    let library = app.core().await?.library;
    let (hits, more) = gleaner_search::search(&library, query, &now_local(), page).await?;
    Ok(FoundArticles { hits, more, unindexed: library.search_index().state().await?.waiting })
}

fn search_order(order: contract::SearchOrder) -> SearchOrder {
    match order {
        contract::SearchOrder::Date => SearchOrder::Date,
        contract::SearchOrder::Relevance => SearchOrder::Rank,
    }
}

/// Returns a cursor as text: a number in the index and the bits of the score. JavaScript's numbers cannot hold either exactly.
fn search_place(cursor: SearchCursor) -> String {
    let SearchCursor { docid, score } = cursor;
    score.map_or_else(|| docid.to_string(), |score| format!("{docid} {:x}", score.to_bits()))
}

fn search_cursor(place: &str) -> Result<SearchCursor> {
    let read = || {
        let (docid, score) = place.split_once(' ').map_or((place, None), |(docid, score)| (docid, Some(score)));
        let score = score.map(|bits| u64::from_str_radix(bits, 16).map(f64::from_bits)).transpose().ok()?;
        Some(SearchCursor { docid: docid.parse().ok()?, score })
    };
    read().ok_or_else(|| invalid_input(format_args!("the place {place:?}")))
}

/// Converts a range of UTF-8 bytes to UTF-16 units, which JavaScript counts.
fn text_range(text: &str, bytes: &Range<usize>) -> contract::TextRange {
    let units = |at: usize| u32::try_from(text[..at].encode_utf16().count()).unwrap_or(u32::MAX);
    contract::TextRange { from: units(bytes.start), until: units(bytes.end) }
}

fn text_ranges(text: &str, ranges: &[Range<usize>]) -> Vec<contract::TextRange> {
    ranges.iter().map(|range| text_range(text, range)).collect()
}

fn search_hit(found: Found) -> contract::SearchHit {
    contract::SearchHit {
        title_marks: text_ranges(&found.hit.row.title, &found.title),
        author_marks: text_ranges(found.hit.row.author.as_deref().unwrap_or_default(), &found.author),
        snippet_marks: text_ranges(&found.snippet.text, &found.snippet.marks),
        snippet: found.snippet.text,
        row: article_row(found.hit.row),
    }
}

fn not_understood(query: &str, error: &QueryError) -> contract::SearchResult {
    let (problem, part, suggestion) = wrong_with(query, error);
    contract::SearchResult::InvalidQuery { problem, part, suggestion }
}

/// Returns what is wrong with a query, where, and the query that was probably meant.
pub(crate) fn wrong_with(
    query: &str,
    error: &QueryError,
) -> (contract::QueryProblem, contract::TextRange, Option<String>) {
    let meant = match &error.problem {
        Problem::UnknownField { meant, .. } => Some(format!("{meant}:")),
        Problem::NotOneOf { meant, .. } => meant.map(str::to_owned),
        _ => None,
    };
    let suggestion = meant.map(|meant| {
        let (before, after) = (&query[..error.bytes.start], &query[error.bytes.end..]);
        format!("{before}{meant}{after}")
    });
    (query_problem(&error.problem), text_range(query, &error.bytes), suggestion)
}

pub(crate) fn query_problem(problem: &Problem) -> contract::QueryProblem {
    use contract::QueryProblem as To;
    match problem {
        Problem::UnknownField { name, meant } => To::UnknownField { name: name.clone(), meant: (*meant).to_owned() },
        Problem::NoValue(field) => To::NoValue { field: (*field).to_owned() },
        Problem::NotOneOf { field, takes, meant } => To::NotOneOf {
            field: (*field).to_owned(),
            takes: takes.iter().map(|value| (*value).to_owned()).collect(),
            meant: meant.map(str::to_owned),
        },
        Problem::NoDate(field) => To::NoDate { field: (*field).to_owned() },
        Problem::NoNumber => To::NoNumber,
        Problem::NoLanguage => To::NoLanguage,
        Problem::UnclosedQuote => To::UnclosedQuote,
        Problem::UnclosedParenthesis => To::UnclosedParenthesis,
        Problem::UnopenedParenthesis => To::UnopenedParenthesis,
        Problem::EmptyParentheses => To::EmptyParentheses,
        Problem::NoWords => To::NoWords,
        Problem::TooDeep => To::TooDeep,
        Problem::TooLong => To::TooLong { most: u32::try_from(gleaner_query::MAX_QUERY).unwrap_or(u32::MAX) },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_contract::ErrorCode;

    /// The window completes exactly the fields and values of the query language.
    #[test]
    fn the_windows_fields_are_the_querys() {
        let typescript = gleaner_contract::typescript();
        let known = |name: &str, values: Vec<&str>| {
            let values: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
            let declared = format!("export type {name} = {};", values.join(" | "));
            assert!(typescript.contains(&declared), "the contract says: {declared}");
        };
        known("QueryField", gleaner_query::fields().collect());
        known("QueryState", gleaner_query::states().collect());
        known("QueryMedia", gleaner_query::media().collect());
    }

    #[test]
    fn a_position_in_results_survives_conversion_exactly() {
        for cursor in [
            SearchCursor { docid: i64::MAX, score: None },
            SearchCursor { docid: 1, score: Some(-0.1 - 0.2) },
            SearchCursor { docid: 0, score: Some(f64::MIN_POSITIVE) },
        ] {
            assert_eq!(search_cursor(&search_place(cursor)).unwrap(), cursor);
        }
        for bad in ["", "x", "1 ", "1 2 3"] {
            assert_eq!(search_cursor(bad).unwrap_err().code(), ErrorCode::InvalidInput, "{bad}");
        }
    }

    #[test]
    fn a_query_that_cannot_be_read_says_where_and_what_was_meant() {
        let problem_of = |query: &str| not_understood(query, &gleaner_query::parse(query).unwrap_err());
        let contract::SearchResult::InvalidQuery { part, suggestion, .. } = problem_of("\u{1f33e} is:unred x") else {
            panic!("it was understood");
        };
        assert_eq!((part.from, part.until), (6, 11), "an ear of rice is two units");
        assert_eq!(suggestion.as_deref(), Some("\u{1f33e} is:unread x"));
        assert!(
            matches!(problem_of("titel:x"), contract::SearchResult::InvalidQuery { suggestion: Some(whole), .. } if whole == "title:x")
        );
        assert!(matches!(problem_of("\"x"), contract::SearchResult::InvalidQuery { suggestion: None, .. }));
    }
}
