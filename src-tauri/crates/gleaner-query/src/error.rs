use std::ops::Range;

/// Why a query cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct QueryError {
    /// What is wrong.
    pub problem: Problem,
    /// Where: bytes of the query.
    pub bytes: Range<usize>,
    /// Where: characters of the query.
    pub characters: Range<usize>,
}

/// What is wrong with a query, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Almost a field.
    #[error("there is no field `{name}:`; did you mean `{meant}:`? (In quotes it is text.)")]
    UnknownField {
        /// As it was written.
        name: String,
        /// The field that is nearest.
        meant: &'static str,
    },
    /// A field without a value.
    #[error("`{0}:` needs a word right after it, or several in quotes")]
    NoValue(&'static str),
    /// Not one of the values that there are.
    #[error("`{field}:` takes one of {}{}", .takes.join(", "), .meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default())]
    NotOneOf {
        /// The field.
        field: &'static str,
        /// Its values.
        takes: Vec<&'static str>,
        /// The one that is nearest, where one is near.
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
    /// It begins and does not end.
    #[error("this quotation mark has no second one")]
    UnclosedQuote,
    /// It begins and does not end.
    #[error("this parenthesis is never closed")]
    UnclosedParenthesis,
    /// It ends and did not begin.
    #[error("this parenthesis was never opened")]
    UnopenedParenthesis,
    /// Nothing in it.
    #[error("there is nothing in these parentheses")]
    EmptyParentheses,
    /// Deeper than anyone writes.
    #[error("parentheses are nested too deeply")]
    TooDeep,
    /// Longer than anyone writes.
    #[error("the query is too long: {} bytes are the most", crate::LONGEST)]
    TooLong,
}

impl QueryError {
    pub(crate) fn at(query: &str, bytes: Range<usize>, problem: Problem) -> Self {
        let characters = |at: usize| query[..at].chars().count();
        Self { problem, characters: characters(bytes.start)..characters(bytes.end), bytes }
    }
}
