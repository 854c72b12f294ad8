//! Errors in queries, with suggestions.

use std::ops::Range;

/// Maximum length of a query in bytes.
pub const MAX_QUERY: usize = 4000;

/// An error in a query, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct QueryError {
    /// What is wrong.
    pub problem: Problem,
    /// Position in bytes of the query.
    pub bytes: Range<usize>,
    /// Position in characters of the query.
    pub characters: Range<usize>,
}

/// What is wrong with a query. `Display` is for the command line; the window has its own messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Similar to the name of a field.
    #[error("unknown field `{name}:`; did you mean `{meant}:`? (Put it in quotes to search for the text.)")]
    UnknownField {
        /// The name as written.
        name: String,
        /// The most similar field.
        meant: &'static str,
    },
    /// A field without a value.
    #[error("`{0}:` needs a word directly after it, or several words in quotes")]
    NoValue(&'static str),
    /// Not one of the allowed values.
    #[error("`{field}:` needs one of {}{}", .takes.join(", "), .meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default())]
    NotOneOf {
        /// The field.
        field: &'static str,
        /// The allowed values.
        takes: Vec<&'static str>,
        /// The most similar value, if any is similar.
        meant: Option<&'static str>,
    },
    /// Not a date.
    #[error("`{0}:` needs a date such as 2026, 2026-01, 2026-01-05, today, yesterday, \"last week\", 7d, 3w, 2m or 1y")]
    NoDate(&'static str),
    /// Not a number or a range.
    #[error("`words:` needs a number or a range such as >1000, <500 or 500..1000")]
    NoNumber,
    /// Not a language tag.
    #[error("`lang:` needs a language such as en or pt-br")]
    NoLanguage,
    /// A quotation mark that is not closed.
    #[error("this quotation mark is never closed")]
    UnclosedQuote,
    /// A parenthesis that is not closed.
    #[error("this parenthesis is never closed")]
    UnclosedParenthesis,
    /// A parenthesis that was not opened.
    #[error("this parenthesis was never opened")]
    UnopenedParenthesis,
    /// Parentheses without content.
    #[error("these parentheses are empty")]
    EmptyParentheses,
    /// Only signs that are not indexed.
    #[error("only words, numbers and most emoji can be searched for")]
    NoWords,
    /// Nested too deeply.
    #[error("parentheses are nested too deeply")]
    TooDeep,
    /// Longer than [`MAX_QUERY`].
    #[error("the query is too long (at most {} bytes)", MAX_QUERY)]
    TooLong,
}

impl QueryError {
    pub(crate) fn at(query: &str, bytes: Range<usize>, problem: Problem) -> Self {
        let characters = |at: usize| query[..at].chars().count();
        Self { problem, characters: characters(bytes.start)..characters(bytes.end), bytes }
    }
}
