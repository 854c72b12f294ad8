//! Arguments of `glean search`.

use super::number::whole;
use clap::{Args as ClapArgs, ValueEnum};
use std::ffi::OsString;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Queries:
  word \"a phrase\" pre* -not NOT OR ( )
  title: author: text: tag: note: url: feed: folder: lang: category:
                          values with spaces are in quotes
  is:                     unread, read, starred, updated, hidden, kept, tagged,
                          highlighted, noted
  has:                    audio, video, image, enclosure
  after: before: during:  2026, 2026-01, 2026-01-05, today, yesterday,
                          \"last week\", 7d, 3w, 2m, 1y
  words:>1000, words:500..1000

  glean search 'rust \"async fn\" -feed:\"Ars Technica\" after:3m'")]
pub struct Search {
    /// Maximum number of articles to show
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u32>(0..=u32::MAX.into()))]
    pub limit: u32,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Sort by date, newest first, or by rank, best match first
    #[arg(long, value_enum, default_value_t = Sort::Date)]
    pub sort: Sort,
    /// Run the saved search with this name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["query", "save", "list_saved"])]
    pub saved: Option<String>,
    /// Save this search under a name; the window lists it in its sidebar
    #[arg(long, value_name = "NAME", requires = "query")]
    pub save: Option<String>,
    /// List the saved searches and their number of unread articles
    #[arg(long, conflicts_with_all = ["query", "save"])]
    pub list_saved: bool,
    /// Delete the saved search with this name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["query", "save", "saved", "list_saved"])]
    pub delete_saved: Option<String>,
    /// Search query, as described below
    #[arg(required_unless_present_any = ["saved", "list_saved", "delete_saved"], value_name = "QUERY", allow_hyphen_values = true, value_parser = query_word)]
    pub query: Vec<String>,
}

/// Moves the options of `glean search` before its query.
///
/// A query may contain `-word`. Therefore clap treats everything after the query's first word as part of the query.
pub fn options_first(words: Vec<OsString>) -> Vec<OsString> {
    let Some(command) = command_at(&words) else { return words };
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len()).max(command);
    let mut words = words;
    if matches!(words[command].to_str(), Some("search" | "rules" | "download")) {
        words.iter_mut().skip(end + 1).for_each(quote_option);
    }
    let Some(search) = Some(command + 1).filter(|_| words[command] == "search") else { return words };
    let end = end.max(search);
    let (mut options, mut query) = (Vec::new(), Vec::new());
    let mut arguments = words[search..end].iter();
    while let Some(word) = arguments.next() {
        match word.to_str().map(|word| word.split_once('=').map_or((word, false), |(name, _)| (name, true))) {
            Some(
                ("--json" | "--list-saved" | "--help" | "-h", false)
                | ("--limit" | "--sort" | "--saved" | "--save" | "--delete-saved" | "--library", true),
            ) => options.push(word),
            Some(("--limit" | "--sort" | "--saved" | "--save" | "--delete-saved" | "--library", false)) => {
                options.push(word);
                options.extend(arguments.next());
            }
            _ => query.push(word),
        }
    }
    words[..search].iter().chain(options).chain(query).chain(&words[end..]).cloned().collect()
}

/// Quotes a word of a query that looks like an option. After `--` there are no options.
fn quote_option(word: &mut OsString) {
    if let Some(text) = word.to_str().filter(|text| query_word(text).is_err()) {
        *word = format!("\"{text}\"").into();
    }
}

/// Returns the place of the command: the first word that is neither the program nor an option or its value.
pub(super) fn command_at(words: &[OsString]) -> Option<usize> {
    let mut at = 1;
    loop {
        match words.get(at)?.to_str() {
            Some("--library") => at += 2,
            Some(option) if option.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    Date,
    Rank,
}

/// Returns a word of a query. `-word` is one, but a misspelled or misplaced option must not change what a query finds.
pub fn query_word(word: &str) -> Result<String, &'static str> {
    let is_option = word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
    if is_option {
        Err("unknown option here; options come before the query, and after -- all words are part of it")
    } else {
        Ok(word.to_owned())
    }
}
