//! The first of two days in words, such as the beginning of an event, or the first publication.

use super::{
    Day,
    Token::{self, Number, Sign, Word},
    month_of,
};

/// Finds the first of two days whose months are named. One of them may have no year: `27 March - 2 April 2024`.
pub(super) fn first_day(tokens: &[Token<'_>]) -> Option<Day> {
    let is_long_enough = tokens.iter().filter(|token| matches!(token, Number { .. })).count() >= 3;
    (1..tokens.len()).filter(|_| is_long_enough).find_map(|at| {
        let (first, second) = tokens.split_at_checked(at)?;
        let ends_with_year = matches!(first.last(), Some(Number { digits: 4, .. }));
        if !ends_with_year && !begins_with_separator(second) {
            return None;
        }
        let (first_numbers, second_numbers) = (numbers(first), numbers(second));
        let (month, second_month) = (month_of(first)?, month_of(second)?);
        match (first_numbers.as_slice(), second_numbers.as_slice()) {
            ([day @ (_, 1..=2)], [(_, 1..=2), (year, 4), ..]) => {
                let year = if month > second_month { year.checked_sub(1)? } else { *year };
                Day::with_month(month, &[*day, (year, 4)])
            }
            ([(_, 1..=2), (_, 4)] | [(_, 4), (_, 1..=2)], [_, ..]) => Day::with_month(month, &first_numbers),
            _ => None,
        }
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
