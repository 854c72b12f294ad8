//! `glean search`: searches the library in the window's query syntax.

use crate::{
    args::Search,
    messages::{Failure, message, query_problem},
    output::{count, inline, printable_char},
};
use chrono::{DateTime, Local};
use gleaner_app::{App, FoundArticles};
use gleaner_contract::{DeleteSearch, SaveSearch};
use gleaner_library::{Library, LibraryError, SavedSearch, SearchOrder, SearchPage, now_local};
use gleaner_query::QueryError;
use gleaner_search::Found;
use serde::Serialize;
use std::{collections::HashMap, ffi::OsString, io::IsTerminal as _, ops::Range, process::ExitCode, time::Duration};
use unicode_width::UnicodeWidthStr as _;

/// Maximum time for updating the index before a search.
pub const INDEXING: Duration = Duration::from_secs(10);

/// Output of `glean search --json`; a public contract. Ranges are in characters, end exclusive.
#[derive(Serialize)]
struct Report {
    /// The query as parsed.
    query: String,
    /// Whether there are more matches.
    more: bool,
    /// Number of new or changed articles that are not indexed yet.
    waiting: i64,
    hits: Vec<HitReport>,
    error: Option<ErrorReport>,
}

#[derive(Serialize)]
struct HitReport {
    id: i64,
    title: String,
    title_marks: Vec<[usize; 2]>,
    snippet: String,
    snippet_marks: Vec<[usize; 2]>,
    url: Option<String>,
    feed: String,
    feed_url: String,
    author: Option<String>,
    /// Date by which lists sort it, in RFC 3339.
    date: Option<String>,
    words: i64,
    read: bool,
    starred: bool,
}

#[derive(Serialize)]
struct ErrorReport {
    message: String,
    start: usize,
    end: usize,
}

pub async fn run(app: &App, library: &Library, args: &Search) -> Result<ExitCode, Failure> {
    if args.list_saved {
        return list_saved(app, library, args.json).await;
    }
    if let Some(name) = &args.delete_saved {
        let search = saved(library, name).await?;
        gleaner_app::delete_saved_search(app, DeleteSearch { search_id: search.id }).await?;
        println!("Deleted the saved search {}.", inline(&search.name));
        return Ok(ExitCode::SUCCESS);
    }
    let text = match &args.saved {
        Some(name) => saved(library, name).await?.query,
        None => args.query.join(" "),
    };
    let query = match gleaner_query::parse(&text) {
        Ok(query) => query,
        Err(error) => return report_query_error(&text, &error, args.json),
    };
    index(app, INDEXING).await;
    let order = if args.sort == crate::args::Sort::Rank { SearchOrder::Rank } else { SearchOrder::Date };
    let FoundArticles { hits: found, more, unindexed: waiting } =
        gleaner_app::find_articles(app, &query, SearchPage::first(order, args.limit)).await?;
    // Only a valid search is saved.
    if let Some(name) = &args.save {
        let search = SaveSearch { name: name.clone(), query: text.clone() };
        gleaner_app::save_search(app, search).await?;
    }
    let feeds: HashMap<i64, (String, String)> =
        library.feeds().list().await?.into_iter().map(|feed| (feed.id, (feed.shown_title(), feed.url))).collect();
    let mut hits = Vec::with_capacity(found.len());
    for found in found {
        let url = library.articles().get(found.hit.row.id).await?.url;
        hits.push(report(found, url, &feeds));
    }
    if args.json {
        let report = Report { query: query.to_string(), more, waiting, hits, error: None };
        crate::output::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    let highlight = std::io::stdout().is_terminal() && takes_escapes(|name| std::env::var_os(name));
    for hit in &hits {
        print_hit(hit, highlight);
    }
    if hits.is_empty() && !more {
        println!("No matches.");
    }
    if more {
        let shown = match args.limit {
            0 => "No match is".to_owned(),
            1 => "Only the first match is".to_owned(),
            limit => format!("Only the first {} are", count(limit, "match")),
        };
        println!("{shown} shown; use --limit N for more.");
    }
    if let Some(name) = &args.save {
        println!("Saved the search {}.", inline(name));
    }
    if waiting > 0 {
        eprintln!("glean: {} not indexed yet", count(waiting, "article"));
    }
    Ok(ExitCode::SUCCESS)
}

async fn saved(library: &Library, name: &str) -> Result<SavedSearch, Failure> {
    match library.saved_searches().find_by_name(name).await {
        Err(LibraryError::NotFound(_)) => {
            Err(format!("there is no saved search {}; `glean search --list-saved` lists all", inline(name)).into())
        }
        found => Ok(found?),
    }
}

/// Output of `glean search --list-saved --json`; a public contract.
#[derive(Serialize)]
struct SavedReport {
    name: String,
    query: String,
    unread: u32,
    /// Whether there are more unread articles than counted.
    more: bool,
}

async fn list_saved(app: &App, library: &Library, json: bool) -> Result<ExitCode, Failure> {
    index(app, INDEXING).await;
    let counted = library.saved_searches().count_unread(&now_local()).await.unwrap_or_else(|error| {
        eprintln!("glean: couldn't count the unread articles: {}", message(error));
        Vec::new()
    });
    let counts: HashMap<i64, _> = counted.into_iter().collect();
    let report = |search: SavedSearch| {
        let found = counts.get(&search.id).copied().unwrap_or_default();
        SavedReport { name: search.name, query: search.query, unread: found.unread, more: found.more }
    };
    let saved: Vec<SavedReport> = library.saved_searches().list().await?.into_iter().map(report).collect();
    if json {
        crate::output::json(&saved)?;
        return Ok(ExitCode::SUCCESS);
    }
    for search in &saved {
        let more = if search.more { "+" } else { "" };
        println!("{}: {}{more} unread\n  {}", inline(&search.name), search.unread, inline(&search.query));
    }
    if saved.is_empty() {
        println!("No saved searches. `glean search --save NAME QUERY` saves one.");
    }
    Ok(ExitCode::SUCCESS)
}

/// Indexes new articles for at most the given time. An error is only printed, since the search works without them.
pub async fn index(app: &App, limit: Duration) {
    if let Err(error) = gleaner_app::update_index(app, limit, false).await {
        eprintln!("glean: couldn't update the search index: {}", message(error));
    }
}

/// Prints the error with the query, the wrong part underlined, and returns exit status 2.
pub fn report_query_error(query: &str, error: &QueryError, json: bool) -> Result<ExitCode, Failure> {
    let QueryError { characters: Range { start, end }, problem, .. } = error;
    let (start, end) = (*start, *end);
    if json {
        let error = ErrorReport { message: query_problem(problem), start, end };
        let report = Report { query: query.to_owned(), more: false, waiting: 0, hits: Vec::new(), error: Some(error) };
        crate::output::json(&report)?;
    }
    if matches!(problem, gleaner_query::Problem::TooLong) {
        eprintln!("glean: {}", query_problem(problem));
        return Ok(ExitCode::from(2));
    }
    // A line break or a tab would misplace the underline.
    let line = inline(query);
    let width = |from: usize, to: usize| {
        let part: String = query.chars().skip(from).take(to.saturating_sub(from)).collect();
        inline(&part).width()
    };
    eprintln!(
        "glean: {}\n  {line}\n  {}{}",
        query_problem(problem),
        " ".repeat(width(0, start)),
        "^".repeat(width(start, end).max(1))
    );
    Ok(ExitCode::from(2))
}

fn report(found: Found, url: Option<String>, feeds: &HashMap<i64, (String, String)>) -> HitReport {
    let row = found.hit.row;
    let (feed, feed_url) = feeds.get(&row.feed_id).cloned().unwrap_or_default();
    HitReport {
        id: row.id,
        title_marks: in_characters(&row.title, &found.title),
        title: row.title,
        snippet_marks: in_characters(&found.snippet.text, &found.snippet.marks),
        snippet: found.snippet.text,
        url,
        feed,
        feed_url,
        author: row.author,
        date: DateTime::from_timestamp_millis(row.sort_at).map(|date| date.to_rfc3339()),
        words: row.word_count,
        read: row.read,
        starred: row.starred,
    }
}

/// Returns ranges of bytes, which are in order and apart, as ranges of characters.
fn in_characters(text: &str, ranges: &[Range<usize>]) -> Vec<[usize; 2]> {
    let (mut at, mut characters) = (0, 0);
    let mut until = |end: usize| {
        characters += text.get(at..end).map_or(0, |part| part.chars().count());
        at = end;
        characters
    };
    ranges.iter().map(|range| [until(range.start), until(range.end)]).collect()
}

fn print_hit(hit: &HitReport, highlight: bool) {
    let date = hit.date.as_deref().and_then(|date| DateTime::parse_from_rfc3339(date).ok());
    let date = date.map(|date| date.with_timezone(&Local).format("%Y-%m-%d").to_string()).unwrap_or_default();
    let author = hit.author.as_ref().map(|author| format!(", {author}")).unwrap_or_default();
    let state = match (hit.read, hit.starred) {
        (false, true) => ", unread, starred",
        (false, false) => ", unread",
        (true, true) => ", starred",
        (true, false) => "",
    };
    let title = if hit.title.is_empty() { "(no title)" } else { &hit.title };
    crate::output::marked_line(&highlighted(title, &hit.title_marks, highlight));
    println!("  {}, {date}{}{state}, article {}", inline(&hit.feed), inline(&author), hit.id);
    if !hit.snippet.is_empty() {
        crate::output::marked_line(&format!("  {}", highlighted(&hit.snippet, &hit.snippet_marks, highlight)));
    }
    if let Some(url) = &hit.url {
        println!("  {}", inline(url));
    }
    println!();
}

/// Whether a terminal with these variables shows text in bold (<https://no-color.org>).
fn takes_escapes(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    variable("NO_COLOR").is_none_or(|value| value.is_empty()) && variable("TERM").is_none_or(|term| term != "dumb")
}

/// Returns the text with the matches in bold, if `highlight` is set.
fn highlighted(text: &str, marks: &[[usize; 2]], highlight: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut marks = marks.iter().filter(|_| highlight).peekable();
    for (at, c) in text.chars().enumerate() {
        if marks.peek().is_some_and(|mark| mark[0] == at) {
            out.push_str("\u{1b}[1m");
        }
        out.extend(printable_char(c));
        if marks.next_if(|mark| mark[1] == at + 1).is_some() {
            out.push_str("\u{1b}[0m");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_plain_where_the_user_or_the_terminal_wants_no_escapes() {
        let takes = |set: &'static str, value: &'static str| takes_escapes(|name| (name == set).then(|| value.into()));
        assert!(takes("TERM", "xterm-256color") && takes("NO_COLOR", "") && takes("SHELL", "sh"));
        assert!(!takes("TERM", "dumb") && !takes("NO_COLOR", "1"));
    }

    #[test]
    fn marks_matches_in_one_pass() {
        let text = "é plum, plum";
        let marks = in_characters(text, &[3..7, 9..13]);
        assert_eq!(marks, [[2, 6], [8, 12]]);
        assert_eq!(highlighted(text, &marks, true), "é \u{1b}[1mplum\u{1b}[0m, \u{1b}[1mplum\u{1b}[0m");
        assert_eq!(highlighted(text, &marks, false), text);
    }

    /// With quadratic work this test would not end.
    #[test]
    fn marks_very_many_matches() {
        let text = "plum, ".repeat(300_000);
        let ranges: Vec<_> = (0..300_000).map(|at| 6 * at..6 * at + 4).collect();
        let marks = in_characters(&text, &ranges);
        assert_eq!(highlighted(&text, &marks, true).len(), text.len() + 8 * marks.len());
    }
}
