//! The first of two days in words, such as the beginning of an event, or the first publication.

use super::{
    Day,
    Token::{self, Number, Sign, Word},
    month_of,
};

/// Maximum number of places where two days may meet that are read.
const MAX_PLACES: usize = 4;

/// Finds the first of two days whose months are named. One of them may have no year: `27 March - 2 April 2024`.
pub(super) fn first_day(tokens: &[Token<'_>]) -> Option<Day> {
    let places = (1..tokens.len()).filter_map(|at| {
        let (first, second) = tokens.split_at_checked(at)?;
        let ends_with_year = matches!(first.last(), Some(Number { digits: 4, .. }));
        (ends_with_year || begins_with_separator(second)).then_some((first, second))
    });
    // The numbers are cheap to compare, the months are not.
    let days = places.filter_map(|(first, second)| {
        let numbers = (numbers(first), numbers(second));
        match (numbers.0.as_slice(), numbers.1.as_slice()) {
            ([day @ (_, 1..=2)], [(_, 1..=2), year @ (_, 4), ..]) => Some((first, second, vec![*day], Some(*year))),
            ([(_, 1..=2), (_, 4)] | [(_, 4), (_, 1..=2)], [_, ..]) => Some((first, second, numbers.0, None)),
            _ => None,
        }
    });
    days.take(MAX_PLACES).find_map(|(first, second, mut day, year)| {
        let (month, second_month) = (month_of(first)?, month_of(second)?);
        if let Some((year, digits)) = year {
            day.push((if month > second_month { year.checked_sub(1)? } else { year }, digits));
        }
        Day::with_month(month, &day)
    })
}

fn numbers(tokens: &[Token<'_>]) -> Vec<(u64, usize)> {
    tokens.iter().filter_map(Token::number).collect()
}

/// Whether tokens begin with a hyphen, or with a word for "until".
fn begins_with_separator(tokens: &[Token<'_>]) -> bool {
    let until = |word: &str| {
        matches!(word, "to" | "until" | "till" | "through" | "bis" | "au" | "al" | "tot" | "til" | "do" | "до" | "по")
    };
    matches!(tokens, [Sign('-' | '—'), ..]) || matches!(tokens, [Word(word), ..] if until(word))
}
