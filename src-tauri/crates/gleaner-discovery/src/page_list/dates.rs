//! The dates that a list shows next to its items.

use super::tree::Tree;
use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime, Utc};

/// Maximum number of bytes of an item's text in which a date is searched.
const MAX_SEARCHED: usize = 1500;

/// Number of bytes at the start and at the end of an item's text in which a date belongs to the item.
const START: usize = 400;
const END: usize = 150;

/// A date as a page shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shown {
    /// The day as it is written.
    pub day: NaiveDate,
    pub at: DateTime<Utc>,
}

impl Shown {
    fn of_day(day: NaiveDate) -> Self {
        Self { day, at: day.and_time(NaiveTime::MIN).and_utc() }
    }

    /// Reads a date that stands alone.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() < 6 || !text.bytes().any(|b| b.is_ascii_digit()) && text.is_ascii() {
            return None;
        }
        let moment = gleaner_feed::dates::parse(text)?;
        let plausible = (1990..=2100).contains(&moment.at.year());
        // The day in the zone as it is written.
        let written = text.get(..10).and_then(|day| day.parse::<NaiveDate>().ok());
        plausible.then_some(Self { day: written.unwrap_or_else(|| moment.at.date_naive()), at: moment.at })
    }
}

const WORDS: [&str; 12] = [
    "date",
    "dates",
    "time",
    "published",
    "posted",
    "pubdate",
    "datetime",
    "timestamp",
    "updated",
    "created",
    "day",
    "when",
];

/// Maximum length in bytes of the text of an element that is a date.
const MAX_DATE: usize = 120;

/// Finds the date of an item: elements `from..to`, with the element of its title.
pub(super) fn find(
    tree: &Tree<'_>,
    title: usize,
    from: usize,
    to: usize,
    day_first: bool,
    year: Option<i32>,
) -> Option<Shown> {
    let elements = || tree.nodes.get(from..to).unwrap_or_default().iter().zip(from..to);
    let is_update = |node: &super::tree::Node<'_>| {
        node.get("itemprop") == Some("dateModified")
            || node.names().any(|name| name.contains("updated")) && !node.names().any(|name| name.contains("published"))
    };
    for updates in [false, true] {
        for (node, at) in elements().filter(|(node, _)| is_update(node) == updates) {
            if node.name == "time" {
                let text = Some(tree.text(at)).filter(|text| text.len() <= MAX_DATE);
                let found = node.get("datetime").and_then(Shown::read).or_else(|| in_text(text?, day_first));
                if found.is_some() {
                    return found;
                }
            }
            let property = node.get("itemprop").is_some_and(|name| name.starts_with("date"));
            let content = ["content", "datetime"].into_iter().filter(|_| property).find_map(|name| node.get(name));
            let data = ["data-date", "data-datetime", "data-published", "data-pubdate", "data-timestamp", "data-time"];
            let data = data.into_iter().find_map(|name| node.get(name));
            let title = node.get("title").filter(|_| matches!(&*node.name, "abbr" | "span" | "time"));
            if let Some(found) = [content, data, title].into_iter().flatten().find_map(Shown::read) {
                return Some(found);
            }
        }
    }
    let named = elements().filter(|(node, _)| {
        node.names().any(|name| name.split(['-', '_']).any(|word| WORDS.contains(&&*word.to_ascii_lowercase())))
    });
    for (_, at) in named {
        let text = tree.text(at);
        if text.len() <= MAX_DATE
            && let Some(found) = in_text(text, day_first).or_else(|| Shown::read(text))
        {
            return Some(found);
        }
    }
    // A title may have another date, and so may the middle of a long text.
    let before = tree.text_of(from, title);
    let after = tree.text_of(tree.nodes[title].end, to);
    let start = |text: &str| text.floor_char_boundary(START);
    let end = |text: &str| text.floor_char_boundary(text.len().saturating_sub(END));
    let text = tree.text_of(from, to);
    let parts = [&before[end(before)..], &after[..start(after)], &after[end(after)..], &text[..start(text)]];
    let found = parts.into_iter().find_map(|part| in_text(part, day_first));
    // A date may fill an element that has no space between it and the next text.
    let alone = || {
        let mut others = elements().filter(|(_, at)| !(title..tree.nodes[title].end).contains(at));
        others.find_map(|(_, at)| of_heading(tree.text(at)))
    };
    found.or_else(alone).or_else(|| without_year(text, year?))
}

/// Finds a date in an address such as `/2026/11/05/storm` or `/2026-11-05-storm`.
pub(super) fn in_address(path: &str) -> Option<Shown> {
    let mut numbers: [(u32, usize); 2] = [(0, 0); 2];
    for part in path.split(['/', '-', '_', '.']) {
        let value = part.parse::<u32>().ok().filter(|_| part.bytes().all(|b| b.is_ascii_digit()));
        let Some(value) = value else {
            numbers = [(0, 0); 2];
            continue;
        };
        if let [(year @ 1990..=2100, 4), (month @ 1..=12, _)] = numbers
            && part.len() <= 2
            && let Ok(full) = i32::try_from(year)
        {
            return NaiveDate::from_ymd_opt(full, month, value).map(Shown::of_day);
        }
        if part.len() == 8 && (19_900_101..=21_001_231).contains(&value) {
            let full = i32::try_from(value / 10_000).ok()?;
            return NaiveDate::from_ymd_opt(full, value / 100 % 100, value % 100).map(Shown::of_day);
        }
        numbers = [numbers[1], (value, part.len())];
    }
    None
}

/// A number or word of a text, and where it is.
#[derive(Debug, Clone, Copy)]
struct Part<'t> {
    text: &'t str,
    start: usize,
    number: Option<u32>,
}

impl Part<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    fn is_year(&self) -> bool {
        self.text.len() == 4 && self.number.is_some_and(|year| (1990..=2100).contains(&year))
    }

    fn is_short_number(&self) -> bool {
        self.text.len() <= 2 && self.number.is_some_and(|value| (1..=31).contains(&value))
    }
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut kind = 0;
    for (at, c) in text.char_indices() {
        let next = if c.is_ascii_digit() { 1 } else { 2 * i32::from(c.is_alphabetic()) };
        if next == 0 {
            kind = 0;
            continue;
        }
        match parts.last_mut().filter(|_| next == kind) {
            Some(last) => last.text = &text[last.start..at + c.len_utf8()],
            None => parts.push(Part { text: &text[at..at + c.len_utf8()], start: at, number: None }),
        }
        kind = next;
    }
    for part in &mut parts {
        part.number = part.text.parse().ok().filter(|_| part.text.len() <= 4);
    }
    parts
}

/// Finds the first date with a year in a text.
pub(super) fn in_text(text: &str, day_first: bool) -> Option<Shown> {
    let text = &text[..text.floor_char_boundary(MAX_SEARCHED)];
    let parts = parts(text);
    let found = |from: &Part<'_>, to: &Part<'_>| {
        let written = text.get(from.start..to.end()).filter(|written| written.len() <= 40)?;
        Shown::read(written)
    };
    let between = |one: &Part<'_>, other: &Part<'_>| text.get(one.end()..other.start).unwrap_or_default().trim();
    for (at, year) in parts.iter().enumerate().filter(|(_, part)| part.is_year()) {
        let part = |back: usize| at.checked_sub(back).and_then(|at| parts.get(at));
        // 2026-11-05, 2026/11/05, 2026. 11. 5., 2026年11月5日, 2026년 11월 5일.
        let after: Vec<&Part<'_>> = parts[at + 1..].iter().take(4).filter(|part| !is_date_word(part.text)).collect();
        if let [month, day, ..] = after.as_slice()
            && month.is_short_number()
            && day.is_short_number()
            && day.start - year.start <= 24
            && let (Some(y), Some(m), Some(d)) = (year.number, month.number, day.number)
            && let Some(date) = i32::try_from(y).ok().and_then(|y| NaiveDate::from_ymd_opt(y, m, d))
        {
            let sign = between(year, &parts[at + 1]);
            let is_joined = matches!(sign, "-" | "/" | "." | "‑" | "–") && between(month, day) == sign;
            if is_joined || is_date_word(parts[at + 1].text) {
                return Some(Shown::of_day(date));
            }
        }
        // 05/11/2026, 5.11.2026.
        if let (Some(a), Some(b)) = (part(2), part(1))
            && a.is_short_number()
            && b.is_short_number()
            && matches!(between(b, year), "/" | "." | "-")
            && between(a, b) == between(b, year)
            && let (Some(first), Some(second)) = (a.number, b.number)
        {
            let month_first = second > 12 || first <= 12 && between(a, b) == "/" && !day_first;
            let (month, day) = if month_first { (first, second) } else { (second, first) };
            let y = i32::try_from(year.number.unwrap_or_default()).ok();
            if let Some(day) = y.and_then(|y| NaiveDate::from_ymd_opt(y, month, day)) {
                return Some(Shown::of_day(day));
            }
        }
        // 5 November 2026, 5 de noviembre de 2026, November 5th, 2026.
        for back in (2..=4).rev() {
            let Some(first) = part(back) else { continue };
            let inside = &parts[at - back..at];
            let has_day = inside.iter().filter(|part| part.is_short_number()).count() == 1;
            let starts = first.is_short_number() || back == 2 || inside.get(1).is_some_and(Part::is_short_number);
            if has_day
                && starts
                && inside.iter().any(|part| part.number.is_none())
                && let Some(shown) = found(first, year)
            {
                return Some(shown);
            }
        }
        // 2026 November 5.
        if let Some([_, last]) = parts.get(at + 1..at + 3)
            && last.is_short_number()
            && let Some(shown) = found(year, last)
        {
            return Some(shown);
        }
    }
    None
}

fn is_date_word(text: &str) -> bool {
    matches!(text, "年" | "月" | "日" | "년" | "월" | "일")
}

/// Finds a day and a month at the start or end of a text, for the year of the heading above.
fn without_year(text: &str, year: i32) -> Option<Shown> {
    let text = &text[..text.floor_char_boundary(300)];
    let parts = parts(text);
    let pairs = parts.windows(2).take(2).chain(parts.windows(2).rev().take(2));
    for pair in pairs {
        let [one, other] = pair else { continue };
        if one.is_short_number() != other.is_short_number() {
            let shown = Shown::read(&format!("{} {} {year}", one.text, other.text));
            if shown.is_some() {
                return shown;
            }
        }
        let joined = matches!(text.get(one.end()..other.start), Some("-" | "/" | "."));
        if joined && one.is_short_number() && other.is_short_number() && one.text.len() == 2 {
            let (month, day) = (one.number?, other.number?);
            return NaiveDate::from_ymd_opt(year, month, day).map(Shown::of_day);
        }
    }
    None
}

/// Whether dates with slashes begin with the day: one of them has a first number that is not a month.
pub(super) fn is_day_first<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    let mut first = false;
    for text in texts {
        let text = &text[..text.floor_char_boundary(MAX_SEARCHED)];
        for three in parts(text).windows(3) {
            let [a, b, year] = three else { continue };
            if !year.is_year()
                || !a.is_short_number()
                || !b.is_short_number()
                || text.get(a.end()..b.start) != Some("/")
            {
                continue;
            }
            first |= a.number > Some(12);
            if b.number > Some(12) {
                return false;
            }
        }
    }
    first
}

/// Whether a text is no more than a date, and not a title such as "Debian News, December 1, 2026" or "News of May 2026".
pub(super) fn is_date(text: &str) -> bool {
    if text.len() > 40 || Shown::read(text).is_none() {
        return false;
    }
    let words = parts(text).iter().filter(|part| part.number.is_none() && part.text.chars().count() > 2).count();
    // A date may have a weekday, a month and a zone.
    words <= if in_text(text, false).is_some() { 3 } else { 2 }
}

/// Returns the day that a heading is, such as "Sunday, 29 November 2026".
pub(super) fn of_heading(heading: &str) -> Option<Shown> {
    let heading = Some(heading).filter(|heading| heading.len() <= 40)?;
    Shown::read(heading).and_then(|_| in_text(heading, false))
}

/// Returns the year that a heading such as "2026" or "November 2026" names.
pub(super) fn year(heading: &str) -> Option<i32> {
    let heading = Some(heading).filter(|heading| heading.len() <= 40)?;
    parts(heading).iter().find(|part| part.is_year()).and_then(|part| i32::try_from(part.number?).ok())
}
