//! Years of other calendars, and numbers that contain a whole date.

use super::{
    Token::{self, Number, Sign, Word},
    islamic, vocabulary,
};
use chrono::{Days, NaiveDate};

/// Japanese eras and the Chinese republic, and the years before their first one.
const ERAS: [(&str, u64); 9] = [
    ("令和", 2018),
    ("平成", 1988),
    ("昭和", 1925),
    ("大正", 1911),
    ("明治", 1867),
    ("民國", 1911),
    ("民国", 1911),
    ("reiwa", 2018),
    ("heisei", 1988),
];

/// The months of the Persian calendar.
const PERSIAN: [&str; 12] =
    ["فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد", "شهریور", "مهر", "آبان", "آذر", "دی", "بهمن", "اسفند"];

/// Splits numbers that contain a date and a time, completes the years of eras, and removes the numbers of weekdays.
pub(super) fn rewrite(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let mut list: Vec<Token<'_>> = Vec::with_capacity(tokens.len() + 10);
    let vietnamese = is_vietnamese(&tokens);
    for token in tokens {
        let word = match list.iter().rev().find(|token| **token != Sign('.')) {
            Some(Word(word)) => *word,
            _ => "",
        };
        // 20250113 143000
        if let (Some(Number { value: date, digits: 8 }), Number { value: time, digits: digits @ (4 | 6) }) =
            (list.last(), &token)
            && let Some(parts) = compact(date * 1_000_000 + if *digits == 4 { time * 100 } else { *time })
        {
            list.pop();
            list.extend(parts);
            continue;
        }
        match token {
            Number { value, digits: 14 } => list.extend(compact(value).into_iter().flatten()),
            Number { value, digits: 12 } if compact(value * 100).is_some() => {
                list.extend(compact(value * 100).into_iter().flatten().take(8));
            }
            Number { value, digits: 1..=3 } if years_before(word).is_some() => {
                list.extend(years_before(word).map(|before| Number { value: before + value, digits: 4 }));
            }
            // A year in Thai has two digits, too. Smaller numbers are days.
            Number { value: value @ 43.., digits: 2 } if word.contains(is_thai) => {
                list.push(Number { value: 2500 + value, digits: 4 });
            }
            // In Vietnamese, weekdays and months have numbers.
            Number { digits: 1, .. } if word == "thứ" || vietnamese && list == [Word("t")] => {}
            Number { value: month @ 1..=12, digits: 1..=2 } if vietnamese && is_vietnamese_month(&list) => {
                list.pop();
                list.extend(month_name(month));
            }
            // The name of a month, as in `3月 5, 2020`, but not a Monday, as in `2020/3/5 月`.
            Word("月" | "월") if is_numbered_month(&list) => {
                let month = list.pop().and_then(|number| number.number()).and_then(|(month, _)| month_name(month));
                list.extend(month);
            }
            // Years of the Chinese republic are also written without its name.
            Word("年") if matches!(list.last(), Some(Number { value: 100..=199, digits: 3 })) => {
                let year = list.pop().and_then(|number| number.number());
                list.extend(year.map(|(value, _)| Number { value: 1911 + value, digits: 4 }));
                list.push(token);
            }
            // The first year of an era has no number.
            Word(first) if first.strip_suffix("元年").and_then(years_before).is_some() => {
                let year = first.strip_suffix("元年").and_then(years_before).map(|before| before + 1);
                list.extend(year.map(|value| Number { value, digits: 4 }));
                list.push(Word("年"));
            }
            // An era may be next to the year of the usual calendar, as in `令和6年(2024年)`.
            Sign(')') if is_repeated_year(&list) => {
                let opening = list.iter().rposition(|token| *token == Sign('('));
                list.truncate(opening.unwrap_or(list.len()));
            }
            _ => list.push(token),
        }
    }
    rewrite_initial_of_era(&mut list);
    islamic::remove_second_date(&mut list);
    list
}

/// Whether tokens end with a year, and with the same year after an opening parenthesis.
fn is_repeated_year(tokens: &[Token<'_>]) -> bool {
    let without_unit = |tokens: &[Token<'_>]| match tokens {
        [.., Number { value, digits: 4 }] | [.., Number { value, digits: 4 }, Word("年")] => Some(*value),
        _ => None,
    };
    let Some(opening) = tokens.iter().rposition(|token| *token == Sign('(')) else { return false };
    let (before, inside) = tokens.split_at(opening);
    without_unit(before).is_some_and(|year| without_unit(inside) == Some(year)) && inside.len() <= 4
}

/// Completes the year of `R7.3.5`, as offices in Japan write dates: the initial of an era, and three numbers that one sign joins.
fn rewrite_initial_of_era(tokens: &mut Vec<Token<'_>>) {
    let [
        Word(initial @ ("r" | "h")),
        Number { value: year @ 1..=31, .. },
        Sign(one @ ('.' | '/' | '-')),
        Number { digits: 1..=2, .. },
        Sign(other),
        Number { digits: 1..=2, .. },
        ..,
    ] = tokens.as_slice()
    else {
        return;
    };
    if one == other {
        let before = if *initial == "r" { "令和" } else { "平成" };
        let year = years_before(before).map(|before| Number { value: before + year, digits: 4 });
        tokens.splice(..2, year);
    }
}

/// The months in Roman numerals.
const ROMAN: [&str; 12] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];

/// Replaces a month in Roman numerals between a day and a year, such as `27.III.2024` or `27 III 2024`. A single letter needs signs around
/// it.
pub(super) fn rewrite_roman(tokens: &mut [Token<'_>]) {
    let month = tokens.windows(5).enumerate().find_map(|(at, part)| match part {
        [
            Number { value: 1..=31, digits: 1..=2 },
            Sign(one @ ('.' | '-' | '/')),
            Word(word),
            Sign(other),
            Number { digits: 4, .. },
        ] if one == other => Some((at + 2, *word)),
        _ => None,
    });
    let without_signs = || {
        tokens.windows(3).enumerate().find_map(|(at, part)| match part {
            [Number { value: 1..=31, digits: 1..=2 }, Word(word), Number { digits: 4, .. }] if word.len() > 1 => {
                Some((at + 1, *word))
            }
            _ => None,
        })
    };
    let Some((at, word)) = month.or_else(without_signs) else { return };
    let name = (1..).zip(ROMAN).find(|(_, roman)| *roman == word).and_then(|(month, _)| month_name(month));
    if let (Some(name), Some(token)) = (name, tokens.get_mut(at)) {
        *token = name;
    }
}

/// Whether a date has the word for "month" of Vietnamese, and no name of a month: "Th 5 March" is a Thursday.
fn is_vietnamese(tokens: &[Token<'_>]) -> bool {
    let has_word = tokens.iter().any(|token| matches!(token, Word("tháng" | "thg" | "th")));
    has_word && !tokens.iter().any(|token| matches!(token, Word(word) if vocabulary::month(word).is_some()))
}

/// Whether the last token is the word for "month" of Vietnamese, or its abbreviation; it looks like the English ending of `4th`.
fn is_vietnamese_month(tokens: &[Token<'_>]) -> bool {
    match tokens {
        [.., Word("tháng" | "thg")] | [Word("th")] => true,
        [.., before, Word("th")] => before.number().is_none(),
        _ => false,
    }
}

/// Whether the last token is the number of a month that no separator joins to another number.
fn is_numbered_month(tokens: &[Token<'_>]) -> bool {
    matches!(
        tokens,
        [Number { value: 1..=12, .. }] | [.., Number { .. } | Word(_) | Sign(','), Number { value: 1..=12, .. }]
    )
}

fn month_name(month: u64) -> Option<Token<'static>> {
    usize::try_from(month.checked_sub(1)?).ok().and_then(|at| vocabulary::RFC_822.get(at)).map(|name| Word(name))
}

fn is_thai(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}')
}

fn years_before(era: &str) -> Option<u64> {
    ERAS.iter().find(|(name, _)| era.ends_with(name)).map(|(_, before)| *before)
}

/// Splits `YYYYMMDDhhmmss`, if it is plausible: such a number may also count milliseconds since 1970.
pub(super) fn compact(value: u64) -> Option<[Token<'static>; 10]> {
    let at = |hundreds: u32| value / 100_u64.pow(hundreds) % 100;
    let (year, hour, minute, second) = (value / 10_000_000_000, at(2), at(1), at(0));
    let plausible = (1970..2100).contains(&year) && hour < 24 && minute < 60 && second < 60;
    gregorian(year, at(4), at(3)).filter(|_| plausible)?;
    let two = |value| Number { value, digits: 2 };
    let date = [Number { value: year, digits: 4 }, Sign('-'), two(at(4)), Sign('-'), two(at(3))];
    let time = [two(hour), Sign(':'), two(minute), Sign(':'), two(second)];
    let mut both = date.into_iter().chain(time);
    Some(std::array::from_fn(|_| both.next().unwrap_or(Sign(' '))))
}

/// Returns the day of a date with a month of the Islamic or the Persian calendar; `Some(None)` if the day does not exist.
pub(super) fn with_own_month(tokens: &[Token<'_>], numbers: &[(u64, usize)]) -> Option<Option<NaiveDate>> {
    if let Some(day) = islamic::day(tokens) {
        return Some(Some(day));
    }
    let month = tokens.iter().find_map(|token| if let Word(word) = token { persian_month(word) } else { None })?;
    let ([year @ (_, 4), day] | [day, year @ (_, 4)]) = numbers else { return Some(None) };
    Some(persian(year.0, month, day.0))
}

/// Returns the month of a Persian name.
fn persian_month(word: &str) -> Option<u64> {
    (1..).zip(PERSIAN).find(|(_, name)| *name == word).map(|(month, _)| month)
}

/// Whether a year of four digits is one of the Buddhist, the Persian or the Islamic calendar, which no feed has otherwise.
pub(super) fn is_of_another_calendar(year: u64) -> bool {
    (1300..=1500).contains(&year) || is_buddhist(year)
}

/// Whether a year is one of the Buddhist calendar. Thai dates with numbers begin with the day.
pub(super) fn is_buddhist(year: u64) -> bool {
    (2400..=2700).contains(&year)
}

/// Returns the day of a year, a month and a day. The number of a current year shows its calendar. Persian and Islamic years after 1419
/// cannot be distinguished, so such dates are ignored.
pub(super) fn date(year: u64, month: u64, day: u64) -> Option<NaiveDate> {
    match year {
        1300..=1419 => persian(year, month, day),
        1420..=1500 => None,
        _ if is_buddhist(year) => gregorian(year - 543, month, day),
        _ => gregorian(year, month, day),
    }
}

fn gregorian(year: u64, month: u64, day: u64) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, u32::try_from(month).ok()?, u32::try_from(day).ok()?)
}

/// Converts a date of the Persian calendar, in years from 1300 to 1500.
fn persian(year: u64, month: u64, day: u64) -> Option<NaiveDate> {
    // Right for the years from 1178 to 1633.
    let is_leap = |year: u64| (25 * year + 11) % 33 < 8;
    let length = match month {
        1..=6 => 31,
        7..=11 => 30,
        12 => 29 + u64::from(is_leap(year)),
        _ => return None,
    };
    if !(1300..=1500).contains(&year) || !(1..=length).contains(&day) {
        return None;
    }
    let years: u64 = (1300..year).map(|year| 365 + u64::from(is_leap(year))).sum();
    let months = (month - 1) * 30 + (month - 1).min(6);
    NaiveDate::from_ymd_opt(1921, 3, 21)?.checked_add_days(Days::new(years + months + day - 1))
}
