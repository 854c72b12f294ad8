//! Parses dates in every form used by feeds: RFC 822 and its variants, RFC 3339 and ISO 8601, Unix time, and vocabulary of
//! many languages. The text is split into numbers, vocabulary and signs; the time of day is found first, then the zone
//! after it, and the rest is the day.

mod calendar;
mod clock;
mod islamic;
mod local;
mod order;
mod scripts;
mod spans;
mod vocabulary;

use crate::text;
use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use clock::Clock;
use gleaner_html::tokens::{Token as HtmlToken, Tokens};
pub(crate) use local::Names;
use order::Order;
pub(crate) use order::Orders;
use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// A point in time, and whether it had to be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Time in UTC; a missing zone is read as UTC.
    pub at: DateTime<Utc>,
    /// Whether the zone is missing, or the form is ambiguous or implausible.
    pub uncertain: bool,
    /// Whether it has a time of day.
    pub(crate) has_time: bool,
    /// The day as written, where the date has a zone other than UTC.
    local_day: Option<NaiveDate>,
    order: Order<DateTime<Utc>>,
}

/// Hours from the start of a day in UTC within which that day is in some time zone.
const HOURS_OF_DAY: std::ops::Range<i64> = -14..36;

/// Returns the first of some dates. If it is only a day, another date with a time on that day is more precise and used instead. In dates
/// with a zone, the day is that of the zone; if the time is in UTC, the site may have written the day in its own zone.
pub(crate) fn first(dates: impl IntoIterator<Item = Option<Moment>>) -> Option<Moment> {
    let mut dates = dates.into_iter().flatten();
    let first = dates.next()?;
    let day = first.local_day.unwrap_or_else(|| first.at.date_naive());
    let is_same_day = |other: &Moment| match other.local_day {
        Some(local_day) => local_day == day || other.at.date_naive() == day,
        None => HOURS_OF_DAY.contains(&(other.at - first.at).num_minutes().div_euclid(60)),
    };
    let precise = dates.filter(|other| !first.has_time && other.has_time).find(is_same_day);
    Some(precise.unwrap_or(first))
}

/// The dates that programs write if they have none, as Unix times: the zero of Unix, and the days zero and two of spreadsheets.
const ZEROS_OF_CLOCKS: [i64; 3] = [0, -2_209_161_600, -2_208_988_800];
/// Largest offset of a time zone, in seconds.
const ZONES: i64 = 14 * 3600;

/// Whether a date is that of a program's clock at zero, in any time zone: the date is missing.
#[must_use]
pub fn is_zero(at: DateTime<Utc>) -> bool {
    let seconds = at.timestamp();
    // An error of Unix.
    seconds == -1 || ZEROS_OF_CLOCKS.iter().any(|zero| (seconds - zero).abs() <= ZONES && (seconds - zero) % 900 == 0)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Number { value: u64, digits: usize },
    Word(&'t str),
    Sign(char),
}

use Token::{Number, Sign, Word};

impl Token<'_> {
    /// Returns the value and the number of digits.
    fn number(&self) -> Option<(u64, usize)> {
        if let Number { value, digits } = self { Some((*value, *digits)) } else { None }
    }
}

/// Parses a date, which may be HTML. `None` if it is not a date, or does not exist (such as 30 February).
pub fn parse(text: &str) -> Option<Moment> {
    parse_in(text, None, &mut |_| {})
}

/// Does the same for a date in a language. Calls `depends_on` with each language in which the date may be another one.
pub(crate) fn parse_in(text: &str, names: Option<&Names>, depends_on: &mut dyn FnMut(&'static str)) -> Option<Moment> {
    if text.contains('<') { of_html(text, names, depends_on) } else { of_text(text, names, depends_on) }
}

/// Maximum length of a date in HTML, in bytes.
const MAX_HTML: usize = 2000;

/// Reads a date that a program wrote as HTML: the machine-readable one of a `time` element, or else its text.
fn of_html(html: &str, names: Option<&Names>, depends_on: &mut dyn FnMut(&'static str)) -> Option<Moment> {
    let (mut text, mut machine) = (String::new(), None);
    for token in Tokens::new(Some(html).filter(|html| html.len() <= MAX_HTML)?) {
        match token {
            HtmlToken::Start(tag) if tag.name == "time" && machine.is_none() => {
                machine = tag.attributes.get("datetime").and_then(|written| of_text(&written, None, &mut |_| {}));
            }
            HtmlToken::Text(part) => {
                text.push(' ');
                text.push_str(&text::decode(part));
            }
            _ => {}
        }
    }
    machine.or_else(|| of_text(&text, names, depends_on))
}

fn of_text(text: &str, names: Option<&Names>, depends_on: &mut dyn FnMut(&'static str)) -> Option<Moment> {
    let text = text.trim();
    if text.is_empty() || text.len() > 160 {
        return None;
    }
    let plain = scripts::with_digits(plain(text));
    let plain = with_plus(&plain).unwrap_or(plain);
    let tokens = tokens(&plain)?;
    if let Some(moment) = unix_time(&tokens) {
        return Some(moment);
    }
    local::languages(&tokens).for_each(depends_on);
    let mut tokens = match names {
        Some(names) => local::rewrite(&tokens, names),
        None => tokens,
    };
    calendar::rewrite_roman(&mut tokens);
    let tokens = calendar::rewrite(tokens);
    let found = Clock::find(&tokens)?;
    let day = Day::find(&tokens, &found)?;
    let has_offset = found.offset.is_some() || found.zone.is_some();
    let at = found.at(day.date)?;
    let order = match day.order {
        Order::Clear => Order::Clear,
        Order::Proven { day_first } => Order::Proven { day_first },
        Order::Guessed { day_first, other } => Order::Guessed { day_first, other: found.at(other)? },
    };
    // Years before 1400 or with five digits are mistakes.
    let plausible = (1400..=9999).contains(&at.year());
    let uncertain = !has_offset || found.time.is_none() || found.odd || day.ambiguous;
    let local_day = Some(day.date).filter(|_| found.zone.is_some() || found.offset.is_some_and(|offset| offset != 0));
    plausible.then_some(Moment { at, uncertain, has_time: found.time.is_some(), local_day, order })
}

/// Restores the plus sign of `2025-01-04t12:30:00 02:00`, which became a space as in the query of an address. Without seconds, or if no
/// zone has the offset, it is more likely the end of a time span.
fn with_plus(text: &str) -> Option<Cow<'static, str>> {
    let (time, offset) = text.rsplit_once(' ')?;
    let (date, clock) = time.split_once('t')?;
    let numbers = clock.split(|c: char| !c.is_ascii_digit() && c != ':').next()?;
    let has_seconds = numbers.bytes().filter(u8::is_ascii_digit).count() >= 6;
    let (hours, minutes) = offset.split_at_checked(2)?;
    let minutes = minutes.strip_prefix(':').unwrap_or(minutes);
    let is_hours = hours.bytes().all(|byte| byte.is_ascii_digit());
    let is_offset =
        is_hours && (hours < "14" && matches!(minutes, "00" | "15" | "30" | "45") || (hours, minutes) == ("14", "00"));
    (is_offset && has_seconds && date.ends_with(|c: char| c.is_ascii_digit()) && !time.contains(' '))
        .then(|| format!("{time}+{offset}").into())
}

/// Returns the text in lower case and with ASCII digits in place of those of other scripts and full-width ones.
fn plain(text: &str) -> Cow<'static, str> {
    if text.is_ascii() {
        return Cow::Owned(text.to_ascii_lowercase());
    }
    // The last one is a remainder of the Turkish İ in lower case.
    let is_invisible = |c: &char| matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{307}');
    let text = text.to_lowercase();
    Cow::Owned(text.nfkc().filter(|c| !is_invisible(c)).map(simple).collect())
}

/// The zero of each set of decimal digits in Unicode 16 that NFKC does not replace; the other digits follow in order.
const ZEROS: [u32; 58] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
    0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
    0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450,
    0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1e140, 0x1e2f0, 0x1e950,
];

/// Returns the ASCII digit for a digit of another script, and an apostrophe for a letter that is used as one.
fn simple(c: char) -> char {
    if matches!(c, '\u{2bb}' | '\u{2bc}' | '\u{a78c}') {
        return '\'';
    }
    let zero = u32::from(c).checked_sub(9).map_or(0, |least| ZEROS.partition_point(|zero| *zero < least));
    let value = ZEROS.get(zero).and_then(|zero| u32::from(c).checked_sub(*zero)).filter(|value| *value < 10);
    value.and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut list = Vec::with_capacity(16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if end > 18 {
                return None;
            }
            list.push(Number { value: rest.get(..end)?.parse().ok()?, digits: end });
            end
        } else if c.is_alphabetic() {
            let end = rest.find(|c: char| !c.is_alphabetic() && !is_combining_mark(c)).unwrap_or(rest.len());
            list.push(Word(rest.get(..end)?));
            end
        } else {
            if !c.is_whitespace() {
                list.push(Sign(if matches!(c, '\u{2212}' | '\u{2013}') { '-' } else { c }));
            }
            c.len_utf8()
        };
        rest = rest.get(length..)?;
    }
    Some(list)
}

/// Reads seconds, milliseconds or microseconds since 1970, depending on the number of digits; also `@1583208306` (GNU date)
/// and `/Date(1583208306000)/` (.NET).
fn unix_time(tokens: &[Token<'_>]) -> Option<Moment> {
    let number = match tokens {
        [Sign('@'), number @ ..] => number,
        [Sign('/'), Word("date"), Sign('('), number, ..]
        | [Sign('\\'), Sign('/'), Word("date"), Sign('('), number, ..]
        | [Word("date"), Sign('('), number, ..] => std::slice::from_ref(number),
        [Number { value, digits: 12 }] if calendar::compact(value * 100).is_some() => return None,
        number => number,
    };
    let value = match number {
        [Number { value, digits }] | [Number { value, digits }, Sign('.'), Number { .. }] if *digits >= 9 => {
            (*value, *digits)
        }
        _ => return None,
    };
    let at = match value {
        (v, 9..=11) => DateTime::from_timestamp(i64::try_from(v).ok()?, 0),
        (v, 12..=13) => DateTime::from_timestamp_millis(i64::try_from(v).ok()?),
        (v, 15..=16) => DateTime::from_timestamp_micros(i64::try_from(v).ok()?),
        _ => None,
    };
    Some(Moment { at: at?, uncertain: false, has_time: true, local_day: None, order: Order::Clear })
}

/// The day, from the tokens not used by the clock.
struct Day {
    date: NaiveDate,
    ambiguous: bool,
    order: Order<NaiveDate>,
}

impl Day {
    fn find(tokens: &[Token<'_>], clock: &Clock) -> Option<Day> {
        let left: Vec<Token<'_>> =
            tokens.iter().zip(&clock.used).filter(|(_, used)| !**used).map(|(t, _)| *t).collect();
        let all: Vec<(u64, usize)> = left.iter().filter_map(Token::number).collect();
        let joined = joined_numbers(&left);
        let numbers = joined.as_ref().map_or(all.as_slice(), |joined| joined.as_slice());
        if let Some(date) = iso_special(&left) {
            return Some(Day { date, ambiguous: false, order: Order::Clear });
        }
        if let Some(date) = calendar::with_own_month(&left, numbers) {
            return Some(Day { date: date?, ambiguous: true, order: Order::Clear });
        }
        let separated = tokens.iter().zip(&clock.used).map(|(token, used)| if *used { CLOCK } else { *token });
        let separated: Vec<_> = separated.filter(|_| joined.is_none()).collect();
        if let Some(month) = month_of(&separated) {
            return spans::first_day(&separated).or_else(|| Self::with_month(month, numbers));
        }
        let bare = clock.time.is_none()
            && !left.iter().any(|t| matches!(t, Word(word) if !vocabulary::is_filler(word) || word.len() < 2));
        let others = all.len() > 3;
        match numbers {
            [(value, 8)] => Self::new(value / 10_000, value / 100 % 100, value % 100, false),
            [(year, 4)] if bare && left.len() == 1 => Self::new(*year, 1, 1, false),
            [(month, 1..=2), (year, 4)] if bare && matches!(left.as_slice(), [_, Sign('/' | '-'), _]) => {
                Self::new(*year, *month, 1, false)
            }
            [(year, 4), (month, 1..=2)] if bare => Self::new(*year, *month, 1, false),
            [(year, 4), (month, 1..=2), (day, 1..=2), ..] => Self::new(*year, *month, *day, others),
            [(a, 1..=2), (b, 1..=2), (year, digits @ (2 | 4)), ..] => {
                let year = full_year(*year, *digits);
                let ambiguous = *a <= 12 && *b <= 12 && a != b;
                let by_weekday = if ambiguous { is_month_first_by_weekday(tokens, year, *a, *b) } else { None };
                let by_weekday = by_weekday.or(calendar::is_buddhist(year).then_some(*a == *b));
                let month_first = match by_weekday {
                    Some(month_first) => month_first,
                    None if ambiguous => is_american(tokens, joined.is_some()),
                    None => *a <= 12 && (*b > 12 || a == b),
                };
                let (month, day) = if month_first { (*a, *b) } else { (*b, *a) };
                let order = if ambiguous && by_weekday.is_none() {
                    Order::Guessed { day_first: !month_first, other: calendar::date(year, day, month)? }
                } else if a == b {
                    Order::Clear
                } else {
                    Order::Proven { day_first: !month_first }
                };
                Self::new(year, month, day, ambiguous).map(|found| Day { order, ..found })
            }
            _ => None,
        }
    }

    fn new(year: u64, month: u64, day: u64, ambiguous: bool) -> Option<Day> {
        let date = calendar::date(year, month, day)?;
        Some(Day { date, ambiguous: ambiguous || calendar::is_of_another_calendar(year), order: Order::Clear })
    }

    fn with_month(month: u32, numbers: &[(u64, usize)]) -> Option<Day> {
        let is_year = |(value, digits): &(u64, usize)| *digits == 4 || *value > 31;
        // Without a day, the first of the month is a guess.
        let ambiguous = numbers.len() == 1;
        let (year, day) = match numbers {
            [year] if is_year(year) => (*year, 1),
            [year, (day, 1..=2), ..] if is_year(year) => (*year, *day),
            // Several days, such as "June 12-14, 2021".
            [(day, 1..=2), (_, 1..=2), year @ (1900..=2099, 4), ..] => (*year, *day),
            [(day, 1..=2), year @ (_, 2 | 4) | year @ (100..=199, 3), ..] => (*year, *day),
            _ => return None,
        };
        // The Persian calendar has other months.
        let year = Some(full_year(year.0, year.1)).filter(|year| !(1300..=1500).contains(year))?;
        Self::new(year, u64::from(month), day, ambiguous)
    }
}

fn words<'a, 't>(tokens: &'a [Token<'t>]) -> impl Iterator<Item = &'t str> + use<'a, 't> {
    tokens.iter().filter_map(|token| if let Word(word) = token { Some(*word) } else { None })
}

/// Whether two numbers that could both be the month are month and day, by an English weekday. `None` if it does not tell.
fn is_month_first_by_weekday(tokens: &[Token<'_>], year: u64, a: u64, b: u64) -> Option<bool> {
    let weekday = words(tokens).find_map(|word| word.parse::<chrono::Weekday>().ok())?;
    let is_on = |month, day| calendar::date(year, month, day).is_some_and(|date| date.weekday() == weekday);
    let (month_first, day_first) = (is_on(a, b), is_on(b, a));
    (month_first != day_first).then_some(month_first)
}

/// Whether two numbers that could both be the month are read as month and day: between slashes, but not next to words in other scripts or
/// with accents, or next to the Vietnamese words for morning and afternoon.
fn is_american(tokens: &[Token<'_>], is_joined: bool) -> bool {
    let is_plain = |word: &str| word.is_ascii() && !matches!(word, "sa" | "ch");
    // `Europe/Berlin` has a slash, too.
    let has_slash = tokens.windows(2).any(|two| matches!(two, [Number { .. }, Sign('/')]));
    is_joined && has_slash && words(tokens).all(is_plain)
}

/// Stands for the time of day and the zone among the other tokens. No text contains this character.
const CLOCK: Token<'static> = Sign('\0');

/// Returns the month that is named. A weekday may look like one ("mar." is Tuesday in French), and so may other words, such as those of a zone's
/// name. So the last one next to a number counts, else the last one. Some languages have names of several words.
fn month_of(tokens: &[Token<'_>]) -> Option<u32> {
    let named = |last: usize| named_month(tokens, last);
    // Whether the last token that is not passed over is a number.
    let follows_number = |is_number: &mut bool, token: &Token<'_>| {
        let follows = *is_number;
        if !is_passed_over(token) {
            *is_number = matches!(token, Number { .. });
        }
        Some(follows)
    };
    let after: Vec<bool> = tokens.iter().scan(false, follows_number).collect();
    let before = tokens.iter().rev().scan(false, follows_number);
    let places = (0..tokens.len()).rev();
    let next_to_number = places.clone().zip(before).filter(|(at, before)| *before || after.get(*at) == Some(&true));
    next_to_number.map(|(at, _)| at).find_map(named).or_else(|| places.into_iter().find_map(named))
}

/// Returns the month whose name ends at `last`.
fn named_month(tokens: &[Token<'_>], last: usize) -> Option<u32> {
    let Some(Word(word)) = tokens.get(last) else { return None };
    name_of_several_words(tokens.get(..last)?, word).or_else(|| vocabulary::month(word))
}

/// Whether a token between a month and its number has no meaning, such as a preposition.
fn is_passed_over(token: &Token<'_>) -> bool {
    match token {
        Sign(_) => *token != CLOCK,
        Word(word) => word.chars().count() <= 3,
        Number { .. } => false,
    }
}

/// Returns the month whose name ends with this word and begins with one of the words before it.
fn name_of_several_words(before: &[Token<'_>], last: &str) -> Option<u32> {
    let mut name = String::new();
    let mut found = None;
    let mut count = 1;
    for token in before.iter().rev() {
        match token {
            Word(word) => {
                name = format!("{word} {}", if count == 1 { last } else { &name });
                found = vocabulary::month(&name).or(found);
                count += 1;
            }
            Sign('\'' | '’' | '.' | '-') => {}
            Sign(_) | Number { .. } => break,
        }
        if count == vocabulary::MONTH_WORDS {
            break;
        }
    }
    found
}

/// Returns three numbers that one separator joins, such as `25/03/2021`. They are the date, regardless of other numbers and words.
fn joined_numbers(tokens: &[Token<'_>]) -> Option<[(u64, usize); 3]> {
    tokens.windows(5).find_map(|part| match part {
        [first, Sign(one @ ('/' | '.' | '-')), second @ Number { digits: 1..=2, .. }, Sign(other), third]
            if one == other =>
        {
            let numbers = [first.number()?, second.number()?, third.number()?];
            (numbers[0].1 == 4 || numbers[2].1 == 4).then_some(numbers)
        }
        _ => None,
    })
}

/// Returns the day of ISO 8601's less usual forms, such as `2024-W03-1` and `2024-015`.
fn iso_special(tokens: &[Token<'_>]) -> Option<NaiveDate> {
    match tokens {
        [
            Number { value: year, digits: 4 },
            Sign('-'),
            Word("w"),
            Number { value: week, digits: 2 },
            Sign('-'),
            Number { value: day, digits: 1 },
            ..,
        ] => {
            let weekday = chrono::Weekday::try_from(u8::try_from(day.checked_sub(1)?).ok()?).ok()?;
            NaiveDate::from_isoywd_opt(i32::try_from(*year).ok()?, u32::try_from(*week).ok()?, weekday)
        }
        // A month with a superfluous zero.
        [
            Number { value: year, digits: 4 },
            Sign('-'),
            Number { value: month @ 1..=12, digits: 3 },
            Sign('-'),
            Number { value: day, digits: 1..=2 },
            ..,
        ] => calendar::date(*year, *month, *day),
        // ISO 8601:1988 with two-digit years: -03-12, -0312, 03-12-31, 031231, 03335.
        [Sign('-'), Number { value: year, digits: 2 }, Sign('-'), Number { value: month, digits: 2 }] => {
            calendar::date(full_year(*year, 2), *month, 1)
        }
        [Sign('-'), Number { value, digits: 4 }] => calendar::date(full_year(value / 100, 2), value % 100, 1),
        [
            Number { value: year, digits: 2 },
            Sign('-'),
            Number { value: month, digits: 2 },
            Sign('-'),
            Number { value: day, digits: 2 },
        ]
        | [
            Number { value: year, digits: 2 },
            Sign('-'),
            Number { value: month, digits: 2 },
            Sign('-'),
            Number { value: day, digits: 2 },
            Word("t"),
            ..,
        ] => calendar::date(full_year(*year, 2), *month, *day),
        [Number { value, digits: 6 }] => calendar::date(full_year(value / 10_000, 2), value / 100 % 100, value % 100),
        [Number { value, digits: 5 }] => {
            NaiveDate::from_yo_opt(i32::try_from(full_year(value / 1000, 2)).ok()?, u32::try_from(value % 1000).ok()?)
        }
        [Number { value, digits: 7 }] => {
            NaiveDate::from_yo_opt(i32::try_from(value / 1000).ok()?, u32::try_from(value % 1000).ok()?)
        }
        [Number { value: year, digits: 4 }, Sign('-'), Number { value: day, digits: 3 }]
        | [Number { value: year, digits: 4 }, Sign('-'), Number { value: day, digits: 3 }, Word("t"), ..] => {
            NaiveDate::from_yo_opt(i32::try_from(*year).ok()?, u32::try_from(*day).ok()?)
        }
        _ => None,
    }
}

/// Completes a year of two digits as in RFC 2822 (section 4.3) and POSIX, which differ only from 50 to 68. Programs that count from 1900
/// write three.
fn full_year(year: u64, digits: usize) -> u64 {
    match digits {
        4.. => year,
        3 => year + 1900,
        _ if year < 69 => year + 2000,
        _ => year + 1900,
    }
}

#[cfg(test)]
mod tests;
