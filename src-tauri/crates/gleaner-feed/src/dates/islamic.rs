//! Dates of the Islamic calendar in Arabic. Its months begin when the moon is seen, so they may be off by a day.

use super::Token::{self, Number, Sign, Word};
use chrono::NaiveDate;

/// The years that no other calendar has today.
const YEARS: std::ops::RangeInclusive<u64> = 1380..=1500;
/// The years of the Gregorian calendar that may be next to them.
const GREGORIAN: std::ops::RangeInclusive<u64> = 1960..=2100;

/// A date among the tokens, and where it is.
struct Found {
    year: u64,
    month: u64,
    day: u64,
    from: usize,
    to: usize,
}

/// Removes a date of the Islamic calendar next to the same date of the Gregorian one.
pub(super) fn remove_second_date(tokens: &mut Vec<Token<'_>>) {
    let is_gregorian = |token: &Token<'_>| matches!(token, Number { value, digits: 4 } if GREGORIAN.contains(value));
    if tokens.iter().any(is_gregorian)
        && let Some(found) = find(tokens)
    {
        tokens.drain(found.from..found.to);
    }
}

/// Returns the day of a date in this calendar: with a name of a month, or with the sign of its era.
pub(super) fn day(tokens: &[Token<'_>]) -> Option<NaiveDate> {
    let found = find(tokens)?;
    let Found { year, month, day, .. } = found;
    // The tabular calendar: eleven leap years in thirty.
    let days = (11 * year + 3) / 30 + 354 * year + 30 * month - (month - 1) / 2 + day;
    NaiveDate::from_num_days_from_ce_opt(i32::try_from(days).ok()? + 226_630)
}

fn find(tokens: &[Token<'_>]) -> Option<Found> {
    let is_era = |token: &Token<'_>| matches!(token, Word("هـ" | "ه" | "هجري" | "هجرية"));
    (0..tokens.len()).find_map(|at| {
        let rest = tokens.get(at..)?;
        let (day, after_day) = match rest {
            [Number { value: day @ 1..=30, digits: 1..=2 }, after @ ..] => (*day, after),
            _ => (0, rest),
        };
        if let Some((month, length)) = month(after_day).filter(|_| day > 0) {
            let after = after_day.get(length..)?;
            let signs = after.iter().take_while(|token| matches!(token, Sign(_) | Word("عام" | "سنة"))).count();
            let Some(Number { value: year, digits: 4 }) = after.get(signs) else { return None };
            let to = tokens.len() - after.len() + signs + 1;
            let to = to + usize::from(tokens.get(to).is_some_and(is_era));
            return YEARS.contains(year).then_some(Found { year: *year, month, day, from: at, to });
        }
        let [first, Sign(one @ ('/' | '-' | '.')), second, Sign(other), third, era, ..] = rest else { return None };
        let [first, second, third] = [first.number()?.0, second.number()?.0, third.number()?.0];
        let (year, month, day) = if first > 31 { (first, second, third) } else { (third, second, first) };
        let is_date = one == other && is_era(era) && (1..=12).contains(&month) && (1..=30).contains(&day);
        (is_date && YEARS.contains(&year)).then_some(Found { year, month, day, from: at, to: at + 6 })
    })
}

/// Returns the month that tokens begin with, and the number of words of its name.
fn month(tokens: &[Token<'_>]) -> Option<(u64, usize)> {
    let [Word(first), rest @ ..] = tokens else { return None };
    let month = match *first {
        "محرم" | "المحرم" => 1,
        "صفر" => 2,
        "رجب" => 7,
        "شعبان" => 8,
        "رمضان" => 9,
        "شوال" => 10,
        _ => {
            let Some(Word(second)) = rest.first() else { return None };
            let month = match (*first, *second) {
                ("ربيع", "الأول" | "الاول" | "أول" | "اول") => 3,
                ("ربيع", "الآخر" | "الاخر" | "آخر" | "الثاني" | "الثانى" | "ثاني") => {
                    4
                }
                ("جمادى" | "جمادي", "الأولى" | "الاولى" | "الأول" | "الاول" | "أولى") => {
                    5
                }
                ("جمادى" | "جمادي", "الآخرة" | "الاخرة" | "الآخر" | "الثانية" | "الثاني" | "ثانية") => {
                    6
                }
                ("ذو" | "ذي", "القعدة" | "القعده") => 11,
                ("ذو" | "ذي", "الحجة" | "الحجه") => 12,
                _ => return None,
            };
            return Some((month, 2));
        }
    };
    Some((month, 1))
}
