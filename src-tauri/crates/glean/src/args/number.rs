//! Whole numbers, with errors that say which ones are accepted.

use std::{ops::RangeInclusive, str::FromStr};

/// Returns a parser of whole numbers within limits.
pub fn whole<T: TryFrom<i64>>(limits: RangeInclusive<i64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = i64::from_str(text.trim()).ok().filter(|number| limits.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match (limits.start(), limits.end()) {
            (start, &i64::MAX) => format!("must be a whole number of at least {start}"),
            (start, end) => format!("must be a whole number from {start} to {end}"),
        })
    }
}

/// Parses the number of an article.
pub fn article(text: &str) -> Result<i64, &'static str> {
    text.trim().parse().map_err(|_| "not the number of an article; `glean search` shows them")
}
