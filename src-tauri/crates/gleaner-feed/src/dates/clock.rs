//! The time of day and the zone of a date.

// long: the time of day, its part of the day and its zone share the functions that read tokens.

use super::{
    Token::{self, Number, Sign, Word},
    vocabulary::{self, DayPart},
};
use chrono::{
    DateTime, Datelike as _, Days, NaiveDate, NaiveTime, Offset as _, TimeDelta, TimeZone as _, Utc, Weekday,
};
use chrono_tz::Tz;

/// The time of day and the zone, and the tokens they use.
#[derive(Debug, Default)]
pub(super) struct Clock {
    pub(super) time: Option<NaiveTime>,
    /// Days to add, for hour 24.
    pub(super) days: u64,
    /// Seconds to add, for second 60.
    pub(super) leap: i64,
    /// Minutes east of Greenwich.
    pub(super) offset: Option<i64>,
    /// A zone of the tz database, for dates without an offset.
    pub(super) zone: Option<Tz>,
    pub(super) odd: bool,
    /// Whether `sa` after a time past noon is the morning in Vietnamese or, on a Saturday, that day in German.
    pub(super) may_be_saturday: bool,
    pub(super) used: Vec<bool>,
}

/// What an abbreviation or words such as "Eastern Time" mean.
#[derive(Clone, Copy)]
enum Named {
    /// Minutes east of Greenwich.
    Offset(i64),
    /// Standard or daylight time, depending on the date.
    Zone(Tz),
}

impl Clock {
    /// Finds the time of day and the zone; `None` if the time of day is impossible.
    pub(super) fn find(tokens: &[Token<'_>]) -> Option<Clock> {
        let mut clock = Clock { used: vec![false; tokens.len()], ..Clock::default() };
        // Colons only occur between numbers.
        for (at, token) in tokens.iter().enumerate() {
            if *token == Sign(':')
                && matches!(tokens.get(at + 1), Some(Word(_)))
                && matches!(at.checked_sub(1).and_then(|b| tokens.get(b)), Some(Number { .. }))
            {
                return None;
            }
        }
        let Some((start, end, hour, minute, second, nanos)) = time_of_day(tokens)? else {
            if let Some(sign) = zone_of_day(tokens) {
                clock.zone(tokens, sign);
            }
            return Some(clock);
        };
        let mut hour = hour;
        let mut next = end;
        clock.may_be_saturday =
            hour == 12 && tokens.get(end) == Some(&Word("sa")) && has_dots(tokens.get(..start).unwrap_or_default());
        let afternoon = meridian(tokens, end).inspect(|(_, length)| next += length).map(|(pm, _)| pm);
        let afternoon = afternoon.or_else(|| match start.checked_sub(1).and_then(|b| tokens.get(b)) {
            // Before a time it is a Saturday in German.
            Some(Word(word)) if *word != "sa" => vocabulary::meridian(word),
            _ => None,
        });
        let may_have_part = hour <= 12 && afternoon.is_none();
        let is_noon = || {
            let around = [tokens.get(end), start.checked_sub(1).and_then(|before| tokens.get(before))];
            around.iter().any(|token| matches!(token, Some(Word(word)) if vocabulary::is_noon(word)))
        };
        let part = match afternoon {
            Some(true) if is_noon() => Some(DayPart::Noon),
            Some(true) => Some(DayPart::Afternoon),
            Some(false) => Some(DayPart::Morning),
            None if may_have_part => day_part(tokens, end).inspect(|(_, length)| next += length).map(|(part, _)| part),
            None => None,
        };
        let part = part.or_else(|| day_part_before(tokens, start).filter(|_| may_have_part));
        match (part, hour) {
            (Some(DayPart::Afternoon), ..12) | (Some(DayPart::Noon), ..10) | (Some(DayPart::Night), 6..12) => {
                hour += 12
            }
            (Some(DayPart::Morning | DayPart::Night), 12) => hour = 0,
            _ => {}
        }
        if hour == 24 {
            clock.days = 1;
            hour = 0;
        }
        let second = if second == 60 {
            clock.leap = 1;
            59
        } else {
            second
        };
        clock.time = Some(NaiveTime::from_hms_nano_opt(hour, minute, second, nanos)?);
        clock.mark(start, next);
        clock.zone(tokens, next);
        Some(clock)
    }

    /// Returns the time in UTC on a day.
    pub(super) fn at(&self, date: NaiveDate) -> Option<DateTime<Utc>> {
        let noon = if self.may_be_saturday && date.weekday() == Weekday::Sat {
            TimeDelta::hours(12)
        } else {
            TimeDelta::zero()
        };
        let naive = date.and_time(self.time.unwrap_or(NaiveTime::MIN)).checked_add_days(Days::new(self.days))?;
        let naive = naive.checked_add_signed(TimeDelta::seconds(self.leap) + noon)?;
        let offset = self.offset.map(TimeDelta::minutes).or_else(|| {
            let offset = self.zone?.offset_from_local_datetime(&naive).earliest()?;
            Some(TimeDelta::seconds(i64::from(offset.fix().local_minus_utc())))
        });
        naive.and_utc().checked_sub_signed(offset.unwrap_or_default())
    }

    fn mark(&mut self, from: usize, to: usize) {
        self.used.iter_mut().take(to).skip(from).for_each(|used| *used = true);
    }

    /// Whether the hyphen at `at` is the second one of a date.
    fn is_in_date(&self, tokens: &[Token<'_>], at: usize) -> bool {
        let before = tokens.get(at.saturating_sub(2)..at).unwrap_or(&[]);
        matches!(before, [Sign('-'), Number { .. }]) && self.used.get(at - 1) == Some(&false)
    }

    /// Reads the zone at or after `at`.
    fn zone(&mut self, tokens: &[Token<'_>], at: usize) {
        let mut at = at;
        let mut named = None;
        while let Some(token) = tokens.get(at) {
            if let Some((zone, length)) = named_zone(tokens.get(at..).unwrap_or(&[])) {
                self.zone = Some(zone);
                self.mark(at, at + length);
                at += length;
                continue;
            }
            match token {
                Sign('(') if self.offset.is_some() => return,
                // A suffix (RFC 9557) does not change the offset.
                Sign('[') if self.offset.is_some() || matches!(named, Some(Named::Offset(_))) => {
                    let rest = tokens.get(at..).unwrap_or_default();
                    let length = rest.iter().position(|token| *token == Sign(']')).map_or(rest.len(), |end| end + 1);
                    self.mark(at, at + length);
                    at += length;
                    continue;
                }
                Sign('-') if self.is_in_date(tokens, at) => {}
                Sign(sign @ ('+' | '-')) => {
                    let is_offset = *sign == '+' || named.is_some();
                    if let Some((minutes, length)) = offset(tokens, at + 1, is_offset) {
                        self.mark(at, at + 1 + length);
                        self.offset = Some(if *sign == '-' { -minutes } else { minutes });
                        at += length;
                        named = None;
                    }
                }
                Word(word) if self.offset.is_none() => {
                    // "At" is Atlantic Time only at the end.
                    let is_zone = at + 1 == tokens.len() || *word != "at";
                    if let Some((zone, length)) = abbreviation(tokens.get(at..).unwrap_or(&[])).filter(|_| is_zone) {
                        // The first one belongs to the time.
                        named = named.or(Some(zone));
                        self.mark(at, at + length);
                        at += length - 1;
                    } else if vocabulary::month(word).is_none() && !vocabulary::is_filler(word) {
                        self.odd = true;
                    }
                }
                Word(word) if word.len() > 1 && vocabulary::month(word).is_none() && !vocabulary::is_zone(word) => {
                    self.odd = true
                }
                _ => {}
            }
            at += 1;
        }
        match named {
            Some(Named::Offset(minutes)) if self.zone.is_none() => self.offset = Some(minutes),
            Some(Named::Zone(zone)) => self.zone = self.zone.or(Some(zone)),
            _ => {}
        }
        if named.is_some() || self.zone.is_some() {
            // "time of Brussels, CET" is clear enough.
            self.odd = false;
        }
    }
}

/// Reads a name of the tz database: the zone, and the number of tokens.
fn named_zone(tokens: &[Token<'_>]) -> Option<(Tz, usize)> {
    let [Word(area), Sign('/'), Word(_), ..] = tokens else { return None };
    let mut name = (*area).to_owned();
    let mut found = None;
    for (at, token) in tokens.iter().enumerate().skip(1).take(8) {
        match token {
            Word(word) => {
                if name.ends_with(char::is_alphabetic) {
                    name.push('_');
                }
                name.push_str(word);
            }
            Sign(sign @ ('/' | '_' | '-' | '+')) => name.push(*sign),
            Number { value, .. } => name.push_str(&value.to_string()),
            Sign(_) => break,
        }
        found = vocabulary::named_zone(&name).map(|zone| (zone, at + 1)).or(found);
    }
    found
}

/// Reads a zone such as `ET`, `Eastern Standard Time` or `EST5EDT`, and the number of tokens.
fn abbreviation(tokens: &[Token<'_>]) -> Option<(Named, usize)> {
    let [Word(word), after @ ..] = tokens else { return None };
    let posix = || match after {
        [Number { value, digits: 1 }, Word(daylight), ..] => {
            Some((vocabulary::named_zone(&format!("{word}{value}{daylight}"))?, 3))
        }
        _ => None,
    };
    let local = || match after {
        [Word("time"), ..] => Some((vocabulary::local_zone(word)?, 2)),
        _ if word.len() == 2 => Some((vocabulary::local_zone(word)?, 1)),
        _ => None,
    };
    if let Some((zone, length)) = posix().or_else(local) {
        return Some((Named::Zone(zone), length));
    }
    if let Some((minutes, length)) = zone_in_words(tokens).or_else(|| Some((vocabulary::zone(word)?, 1))) {
        return Some((Named::Offset(minutes), length));
    }
    // A name of the tz database without a slash, such as `Japan` or `NZ-CHAT`.
    let joined = || match after {
        [Sign('-'), Word(second), ..] => Some((vocabulary::named_zone(&format!("{word}-{second}"))?, 3)),
        _ => None,
    };
    let (zone, length) = joined().or_else(|| Some((vocabulary::named_zone(word)?, 1)))?;
    Some((Named::Zone(zone), length))
}

/// Returns the position of the zone at the end of a day, as in XML Schema: 2024-11-28+01:00. In addresses, `+` stands for a space.
fn zone_of_day(tokens: &[Token<'_>]) -> Option<usize> {
    let sign = tokens.iter().position(|token| *token == Sign('+'))?;
    match tokens.get(sign + 1..)? {
        [Number { digits: 2, .. }, Sign(':'), Number { digits: 2, .. }]
        | [Number { digits: 2, .. }, Sign(':'), Number { digits: 2, .. }, Sign(')')]
        | [Number { digits: 4, value: ..=1400 }] => Some(sign),
        _ => None,
    }
}

/// Returns a decimal fraction of a second in nanoseconds.
fn fraction(value: u64, digits: usize) -> u32 {
    let places = u32::try_from(digits).ok().and_then(|digits| 9_u32.checked_sub(digits));
    places.and_then(|places| u32::try_from(value).ok()?.checked_mul(10_u32.pow(places))).unwrap_or(0)
}

type TimeOfDay = (usize, usize, u32, u32, u32, u32);

/// Finds the time of day: its first and last token, hour, minute, second and nanosecond. The inner `None` means that the
/// time is impossible.
fn time_of_day(tokens: &[Token<'_>]) -> Option<Option<TimeOfDay>> {
    for at in 0..tokens.len() {
        let rest = tokens.get(at..).unwrap_or(&[]);
        match rest {
            [Number { value: hour, digits: 1..=2 }, Sign(':'), Number { value: minute, digits: 1..=2 }, after @ ..] => {
                if at > 0 && zone_of_day(tokens) == Some(at - 1) {
                    continue;
                }
                let (second, mut length) = match after {
                    [Sign(':'), Number { value, digits: 1..=2 }, ..] => (*value, 5),
                    [Sign(':'), ..] => return None,
                    _ => (0, 3),
                };
                let mut nanos = 0;
                if length == 5 {
                    match rest.get(5..) {
                        Some(
                            [Sign('.' | ','), Number { value, digits }, ..]
                            | [Sign(':'), Number { value, digits: digits @ 3 }, ..],
                        ) => {
                            nanos = fraction(*value, *digits);
                            length += 2;
                        }
                        Some([Sign(':'), Sign('+' | '-'), ..]) => length += 1,
                        Some([Sign(':'), ..]) => return None,
                        _ => {}
                    }
                }
                return checked(at, at + length, *hour, *minute, second, nanos).map(Some);
            }
            // 20240115T134500Z, 2014-11-05T19+0100
            [Word("t"), Number { value, digits: digits @ (2 | 4 | 6) }, after @ ..] => {
                // 2014-11-05T19:30, 2014-11-05T19h30
                if matches!(after, [Sign(':'), ..]) || matches!(after, [Word(word), ..] if vocabulary::is_hour(word)) {
                    continue;
                }
                let (hour, minute, second) = match digits {
                    2 => (*value, 0, 0),
                    4 => (value / 100, value % 100, 0),
                    _ => (value / 10_000, value / 100 % 100, value % 100),
                };
                let (minute, second, nanos, length) = match (digits, after) {
                    (6, [Sign('.' | ','), Number { value, digits }, ..]) => {
                        (minute, second, fraction(*value, *digits), 4)
                    }
                    // 2014-11-05T19.30.15
                    (2, [Sign('.'), Number { value: minute, digits: 2 }, after @ ..]) => match after {
                        [Sign('.'), Number { value: second, digits: 2 }, ..] => (*minute, *second, 0, 6),
                        _ => (*minute, 0, 0, 4),
                    },
                    _ => (minute, second, 0, 2),
                };
                return checked(at, at + length, hour, minute, second, nanos).map(Some);
            }
            // 14時30分, 14시 30분
            [Number { value: hour, digits: 1..=2 }, Word("時" | "时" | "시" | "點" | "点"), after @ ..] => {
                let (minute, length) = match after {
                    [Number { value, digits: 1..=2 }, Word("分" | "분"), ..] => (*value, 4),
                    _ => (0, 2),
                };
                let (second, length) = match rest.get(length..) {
                    Some([Number { value, digits: 1..=2 }, Word("秒" | "초"), ..]) => (*value, length + 2),
                    _ => (0, length),
                };
                return checked(at, at + length, *hour, minute, second, 0).map(Some);
            }
            // 14h30, 14 h 30, 14 Uhr
            [Number { value: hour, digits: 1..=2 }, Sign('.'), Number { value: minute, digits: 2 }, Word(word), ..]
                if vocabulary::is_hour(word) =>
            {
                return checked(at, at + 4, *hour, *minute, 0, 0).map(Some);
            }
            [Number { value: hour, digits: 1..=2 }, Word(word), after @ ..] if vocabulary::is_hour(word) => {
                let (minute, length) = match after {
                    [Number { value, digits: 2 }, ..] => (*value, 3),
                    [Sign('.'), Number { value, digits: 2 }, ..] => (*value, 4),
                    _ => (0, 2),
                };
                return checked(at, at + length, *hour, minute, 0, 0).map(Some);
            }
            _ => {}
        }
    }
    // The hour alone comes last: in `3/5 下午 2:30` it would be the day.
    Some(dotted_time(tokens).or_else(|| hour_alone(tokens)))
}

/// Finds an hour such as `2 pm` or `kl. 14`.
fn hour_alone(tokens: &[Token<'_>]) -> Option<TimeOfDay> {
    (0..tokens.len()).find_map(|at| match tokens.get(at..)? {
        [Number { value: hour @ 1..=12, digits: 1..=2 }, ..] if meridian(tokens, at + 1).is_some() => {
            checked(at, at + 1, *hour, 0, 0, 0)
        }
        [Number { .. }, Sign(_), ..] => None,
        [Number { value: hour, digits: 1..=2 }, ..] if vocabulary::precedes_time(word_before(tokens, at)) => {
            checked(at, at + 1, *hour, 0, 0, 0)
        }
        _ => None,
    })
}

/// Whether a date has dots after day and month.
fn has_dots(tokens: &[Token<'_>]) -> bool {
    tokens.windows(4).any(|four| matches!(four, [Number { .. }, Sign('.'), Number { .. }, Sign('.')]))
}

/// Returns the word before a token, also if it ends with the dot of an abbreviation; empty if there is none.
fn word_before<'t>(tokens: &[Token<'t>], at: usize) -> &'t str {
    match tokens.get(..at) {
        Some([.., Word(word)] | [.., Word(word), Sign('.')]) => word,
        _ => "",
    }
}

/// Whether a date ends with its year, or with the day after it. Not a date with dots, which may be the first of two days: `12.03.2020-14.03`.
fn ends_with_day(date: &[Token<'_>]) -> bool {
    match date {
        [.., Number { .. }, Sign('.'), Number { .. }] => false,
        [.., Number { digits: 4, .. }] => true,
        [.., Number { digits: 4, .. }, Sign(one @ ('-' | '/')), Number { .. }, Sign(other), Number { .. }] => {
            one == other
        }
        _ => false,
    }
}

/// Whether tokens have exactly one day, in words with its year, or in three numbers that a separator joins.
fn has_one_day(tokens: &[Token<'_>]) -> bool {
    let numbers = tokens.iter().filter_map(Token::number);
    let is_day = numbers.clone().count() == 2 && numbers.clone().any(|(_, digits)| digits == 4);
    is_day && super::month_of(tokens).is_some() || super::joined_numbers(tokens).is_some()
}

/// Finds a time with dots, such as `14.30`, after a complete date, before one, or after a word for "at".
fn dotted_time(tokens: &[Token<'_>]) -> Option<TimeOfDay> {
    let mut first_month: Option<Option<usize>> = None;
    for at in 0..tokens.len() {
        let [Number { value: hour, digits: 1..=2 }, Sign('.'), Number { value: minute, digits: 2 }, after @ ..] =
            tokens.get(at..)?
        else {
            continue;
        };
        let (second, length, after) = match after {
            // A fraction of a second has three or more digits.
            [Sign('.'), Number { value, digits: 2 }, Sign('.'), Number { digits: 3.., .. }, after @ ..] => {
                (*value, 7, after)
            }
            [Sign('.'), Number { value, digits: 2 }, after @ ..] => (*value, 5, after),
            after => (0, 3, after),
        };
        let (before, _) = tokens.split_at(at);
        let numbers = before.iter().filter(|token| matches!(token, Number { .. })).count();
        // The names are compared once for all times.
        let month = || (0..tokens.len()).find(|last| super::named_month(tokens, *last).is_some());
        let mut has_month = || first_month.get_or_insert_with(month).is_some_and(|month| month < at);
        // The dot of an abbreviation, as in `kl. 14.30`, is not a separator.
        let word = word_before(tokens, at);
        let is_complete = numbers >= 3 || (numbers == 2 && has_month());
        let is_after_sign = match before {
            // `14.03.` is a day.
            [date @ .., Sign('-')] => !is_complete || !ends_with_day(date) || after.first() == Some(&Sign('.')),
            _ => matches!(before.last(), Some(Sign('.' | '/' | '+' | ':'))),
        };
        // 14.30-15.30, but not 11.30-1.30 pm, where the first time may be in the morning.
        let (length, after) = match after {
            [Sign('-'), Number { digits: 1..=2, .. }, Sign('.'), Number { digits: 2, .. }, rest @ ..]
                if !matches!(rest, [Sign('.' | '-' | '/'), ..]) && meridian(rest, 0).is_none() =>
            {
                (length + 4, rest)
            }
            _ => (length, after),
        };
        // After a hyphen, three or four digits are an offset.
        let is_before_sign =
            matches!(after, [Sign('.' | '/'), Number { .. }, ..] | [Sign('-'), Number { digits: ..3, .. }, ..]);
        let continues = word.is_empty() && is_after_sign || is_before_sign;
        let is_first = numbers == 0 && has_one_day(after);
        if !continues && (is_complete || is_first || vocabulary::precedes_time(word)) {
            return checked(at, at + length, *hour, *minute, second, 0);
        }
    }
    None
}

fn checked(from: usize, to: usize, hour: u64, minute: u64, second: u64, nanos: u32) -> Option<TimeOfDay> {
    (hour <= 24 && minute <= 59 && second <= 60).then_some((
        from,
        to,
        u32::try_from(hour).ok()?,
        u32::try_from(minute).ok()?,
        u32::try_from(second).ok()?,
        nanos,
    ))
}

/// Reads `am` or `pm` at `at`: true for the afternoon, and the number of tokens.
fn meridian(tokens: &[Token<'_>], at: usize) -> Option<(bool, usize)> {
    match tokens.get(at..)? {
        [Word("a"), Sign('.'), Word("m"), Sign('.'), ..] => Some((false, 4)),
        [Word("p"), Sign('.'), Word("m"), Sign('.'), ..] => Some((true, 4)),
        [Word("a"), Sign('.'), Word("m"), ..] => Some((false, 3)),
        [Word("p"), Sign('.'), Word("m"), ..] => Some((true, 3)),
        [Word("π"), Sign('.'), Word("μ"), ..] => Some((false, 3)),
        [Word("μ"), Sign('.'), Word("μ"), ..] => Some((true, 3)),
        [Word("ق"), Sign('.'), Word("ظ"), ..] => Some((false, 3)),
        [Word("ب"), Sign('.'), Word("ظ"), ..] => Some((true, 3)),
        [Word(word), ..] => vocabulary::meridian(word).map(|pm| (pm, 1)),
        _ => None,
    }
}

/// Reads the name of a part of the day at `at`, and the number of tokens. Its words may be abbreviated.
fn day_part(tokens: &[Token<'_>], at: usize) -> Option<(DayPart, usize)> {
    let mut name = String::new();
    let (mut found, mut words) = (None, 0);
    for (length, token) in (1..).zip(tokens.get(at..)?) {
        match token {
            Word(word) if words < vocabulary::DAY_PART_WORDS => {
                if words > 0 {
                    name.push(' ');
                }
                name.push_str(word);
                words += 1;
                found = vocabulary::day_part(&name).map(|part| (part, length)).or(found);
            }
            Sign('.') if words > 0 => {
                found = found.map(|(part, end)| (part, if end + 1 == length { length } else { end }))
            }
            _ => break,
        }
    }
    // The letters of `G.M.T.` are a zone.
    let is_letter = |token: &&Token<'_>| matches!(token, Word(word) if word.chars().nth(1).is_none());
    found.filter(|(_, length)| {
        let name = tokens.get(at..at + length).unwrap_or_default();
        let after = tokens.get(at + length..).unwrap_or_default();
        let last = name.iter().rev().find(|token| matches!(token, Word(_)));
        let next = after.iter().find(|token| **token != Sign('.'));
        !(last.is_some_and(|last| is_letter(&last)) && next.is_some_and(|next| is_letter(&next)))
    })
}

/// Returns the part of the day whose name ends before `end`.
fn day_part_before(tokens: &[Token<'_>], end: usize) -> Option<DayPart> {
    let before = tokens.get(..end)?;
    if !matches!(before, [.., Word(_)] | [.., Word(_), Sign('.')]) {
        return None;
    }
    let starts = end.saturating_sub(2 * vocabulary::DAY_PART_WORDS)..end;
    starts.into_iter().find_map(|start| {
        // "Sa" before a time is a Saturday in German.
        let marker = || meridian(before, start).filter(|_| before.get(start) != Some(&Word("sa")));
        let of_marker = |(pm, length)| (if pm { DayPart::Afternoon } else { DayPart::Morning }, length);
        let (part, length) = day_part(before, start).or_else(|| marker().map(of_marker))?;
        let is_last = matches!(before.get(start + length..), Some([] | [Sign('.')]));
        is_last.then_some(part)
    })
}

/// Reads a zone such as `Eastern Standard Time`: minutes, and the number of tokens.
fn zone_in_words(tokens: &[Token<'_>]) -> Option<(i64, usize)> {
    let length = tokens.iter().take(4).position(|token| *token == Word("time"))?;
    let words = tokens.get(..length)?.iter().map(|token| if let Word(word) = token { Some(*word) } else { None });
    let words: Vec<&str> = words.collect::<Option<_>>()?;
    Some((vocabulary::zone_in_words(&words)?, length + 1))
}

/// Reads an offset of hours and minutes after its sign: minutes, and the number of tokens. If only the sign suggests an offset,
/// a number may also be a day.
fn offset(tokens: &[Token<'_>], at: usize, is_certain: bool) -> Option<(i64, usize)> {
    let (minutes, length) = match tokens.get(at..)? {
        [Number { value: hours @ ..=24, .. }, Sign(':'), Number { value: minutes, digits: 2 }, ..] => {
            (hours * 60 + minutes, 3)
        }
        [Number { value: hours, digits: 1..=2 }, Sign('.'), Number { value: 5, digits: 1 }, ..] if is_certain => {
            (hours * 60 + 30, 3)
        }
        [Number { .. }, Sign('-' | '/' | '.'), Number { .. }, ..] => return None,
        [Number { value, digits: 3..=4 }, ..] => (value / 100 * 60 + value % 100, 1),
        [Number { .. }, Word(word), ..]
            if vocabulary::month(word).is_some() || !is_certain && !vocabulary::is_zone(word) =>
        {
            return None;
        }
        [Number { value: hours, digits: 2 }, ..] | [Number { value: hours, digits: 1 }] => (hours * 60, 1),
        [Number { value: hours, digits: 1 }, Sign('(' | ')' | ']' | ';' | '.'), ..] => (hours * 60, 1),
        [Number { value: hours, digits: 1 }, ..] if is_certain => (hours * 60, 1),
        _ => return None,
    };
    (minutes <= 24 * 60).then_some((i64::try_from(minutes).ok()?, length))
}
