//! Dates and periods in queries.

use chrono::{DateTime, Datelike as _, Days, Months, NaiveDate, NaiveTime, TimeZone};
use std::{fmt, ops::Range};

/// A date in a query. Relative dates stay relative, so that a saved search moves with time.
///
/// Days, months and years start at midnight in the user's time zone, weeks on Monday. `after:` and `before:` use the start,
/// `during:` the whole period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Date {
    /// `2026`.
    Year(i32),
    /// `2026-01`.
    Month(i32, u32),
    /// `2026-01-05`.
    Day(NaiveDate),
    /// `today`.
    Today,
    /// `yesterday`.
    Yesterday,
    /// `7d`, `3w`, `2m`, `1y`: from exactly this long ago until now.
    Ago(u32, Unit),
    /// `"this week"`, `"this month"`, `"this year"`.
    This(Unit),
    /// `"last week"`, `"last month"`, `"last year"`: the previous one.
    Last(Unit),
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A calendar day.
    Day,
    /// A week from Monday.
    Week,
    /// A calendar month.
    Month,
    /// A calendar year.
    Year,
}

const UNITS: [(char, &str, Unit); 4] =
    [('d', "day", Unit::Day), ('w', "week", Unit::Week), ('m', "month", Unit::Month), ('y', "year", Unit::Year)];

impl Date {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        match text.as_str() {
            "today" => return Some(Self::Today),
            "yesterday" => return Some(Self::Yesterday),
            _ => {}
        }
        if let Some((which, unit)) = text.split_once([' ', '-', '_'])
            && let Some((.., unit)) = UNITS[1..].iter().find(|(_, name, _)| *name == unit)
        {
            match which {
                "this" => return Some(Self::This(*unit)),
                "last" => return Some(Self::Last(*unit)),
                _ => {}
            }
        }
        if let Some((.., unit)) = UNITS.iter().find(|(letter, ..)| text.ends_with(*letter)) {
            let number = &text[..text.len() - 1];
            return if is_number(number, 1..=5) { Some(Self::Ago(number.parse().ok()?, *unit)) } else { None };
        }
        let parts: Vec<&str> = text.split('-').collect();
        let (year, rest) = parts.split_first()?;
        let well_formed = is_number(year, 4..=4) && rest.iter().all(|part| is_number(part, 1..=2));
        let number = |part: &str| part.parse::<u32>().ok();
        let year = if well_formed { year.parse().ok()? } else { return None };
        match rest {
            [] => NaiveDate::from_ymd_opt(year, 1, 1).map(|_| Self::Year(year)),
            [month] => {
                let month = number(month)?;
                NaiveDate::from_ymd_opt(year, month, 1).map(|_| Self::Month(year, month))
            }
            [month, day] => NaiveDate::from_ymd_opt(year, number(month)?, number(day)?).map(Self::Day),
            _ => None,
        }
    }

    /// Returns the period in Unix milliseconds, excluding its end, in the time zone of `now`.
    pub fn range<Zone: TimeZone>(self, now: &DateTime<Zone>) -> Range<i64> {
        let today = now.date_naive();
        let days =
            |from: NaiveDate, to: Option<NaiveDate>| midnight(now, from)..to.map_or(i64::MAX, |to| midnight(now, to));
        let period = |from: Option<NaiveDate>, unit| {
            let from = from.unwrap_or(NaiveDate::MIN);
            days(from, end_of(from, unit))
        };
        match self {
            Self::Year(year) => period(NaiveDate::from_ymd_opt(year, 1, 1), Unit::Year),
            Self::Month(year, month) => period(NaiveDate::from_ymd_opt(year, month, 1), Unit::Month),
            Self::Day(day) => period(Some(day), Unit::Day),
            Self::Today => period(Some(today), Unit::Day),
            Self::Yesterday => period(today.pred_opt(), Unit::Day),
            Self::This(unit) => period(Some(start_of(today, unit)), unit),
            Self::Last(unit) => {
                let before = start_of(today, unit).pred_opt();
                period(before.map(|day| start_of(day, unit)), unit)
            }
            Self::Ago(number, unit) => {
                let ago = match unit {
                    Unit::Day => now.clone().checked_sub_days(Days::new(number.into())),
                    Unit::Week => now.clone().checked_sub_days(Days::new(u64::from(number) * 7)),
                    Unit::Month => now.clone().checked_sub_months(Months::new(number)),
                    Unit::Year => now.clone().checked_sub_months(Months::new(number.saturating_mul(12))),
                };
                // The time does not exist if clocks went forward then; the day is close enough.
                let ago = ago.unwrap_or_else(|| now.clone() - chrono::Duration::days(i64::from(number)));
                ago.timestamp_millis()..now.timestamp_millis().saturating_add(1)
            }
        }
    }
}

fn is_number(text: &str, digits: std::ops::RangeInclusive<usize>) -> bool {
    digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn end_of(day: NaiveDate, unit: Unit) -> Option<NaiveDate> {
    match unit {
        Unit::Day => day.checked_add_days(Days::new(1)),
        Unit::Week => day.checked_add_days(Days::new(7)),
        Unit::Month => day.checked_add_months(Months::new(1)),
        Unit::Year => day.checked_add_months(Months::new(12)),
    }
}

fn start_of(day: NaiveDate, unit: Unit) -> NaiveDate {
    let start = match unit {
        Unit::Day => Some(day),
        Unit::Week => day.checked_sub_days(Days::new(day.weekday().num_days_from_monday().into())),
        Unit::Month => day.with_day(1),
        Unit::Year => NaiveDate::from_ymd_opt(day.year(), 1, 1),
    };
    start.unwrap_or(day)
}

/// Returns the first moment of a day: midnight, or an hour later if clocks went forward then.
fn midnight<Zone: TimeZone>(now: &DateTime<Zone>, day: NaiveDate) -> i64 {
    let naive = day.and_time(NaiveTime::MIN);
    let zone = now.timezone();
    let local = (0..4).find_map(|hours| zone.from_local_datetime(&(naive + chrono::Duration::hours(hours))).earliest());
    local.map_or_else(|| naive.and_utc().timestamp_millis(), |local| local.timestamp_millis())
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |unit: Unit| {
            UNITS.iter().find(|(.., known)| *known == unit).map_or(("d", "day"), |(_, name, _)| (&name[..1], *name))
        };
        match self {
            Self::Year(year) => write!(f, "{year:04}"),
            Self::Month(year, month) => write!(f, "{year:04}-{month:02}"),
            Self::Day(day) => write!(f, "{}", day.format("%Y-%m-%d")),
            Self::Today => f.write_str("today"),
            Self::Yesterday => f.write_str("yesterday"),
            Self::Ago(number, unit) => write!(f, "{number}{}", named(*unit).0),
            Self::This(unit) => write!(f, "\"this {}\"", named(*unit).1),
            Self::Last(unit) => write!(f, "\"last {}\"", named(*unit).1),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use chrono::{FixedOffset, SecondsFormat};

    #[test]
    fn dates_are_periods_in_the_users_time_zone() {
        // A Saturday.
        let now = DateTime::parse_from_rfc3339("2026-11-21T06:30:00+01:00").unwrap();
        let shown = |at: i64| {
            let at = DateTime::from_timestamp_millis(at).unwrap().with_timezone(&FixedOffset::east_opt(3600).unwrap());
            at.to_rfc3339_opts(SecondsFormat::Secs, true).replace("T00:00:00+01:00", "")
        };
        for (text, from, to) in [
            ("2026", "2026-01-01", "2027-01-01"),
            ("2026-02", "2026-02-01", "2026-03-01"),
            ("2026-2-5", "2026-02-05", "2026-02-06"),
            ("today", "2026-11-21", "2026-11-22"),
            ("Yesterday", "2026-11-20", "2026-11-21"),
            ("this week", "2026-11-16", "2026-11-23"),
            ("last-week", "2026-11-09", "2026-11-16"),
            ("last month", "2026-10-01", "2026-11-01"),
            ("last_year", "2025-01-01", "2026-01-01"),
        ] {
            let range = Date::parse(text).unwrap().range(&now);
            assert_eq!((shown(range.start), shown(range.end)), (from.to_owned(), to.to_owned()), "{text}");
        }
        assert_eq!(shown(Date::parse("7d").unwrap().range(&now).start), "2026-11-14T06:30:00+01:00");
        assert_eq!(shown(Date::parse("2m").unwrap().range(&now).start), "2026-09-21T06:30:00+01:00");
        for text in [
            "",
            "soon",
            "2026-13",
            "2026-02-30",
            "26",
            "2026-01-01-01",
            "d",
            "-7d",
            "99999999d",
            "last",
            "last day",
            "20é6",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        for far in ["99999y", "99999d", "0001", "9999-12-31"] {
            let range = Date::parse(far).unwrap().range(&now);
            assert!(range.start < range.end, "{far}: {range:?}");
        }
    }
}
