//! Decides whether the day or the month comes first in dates such as `03/04/2021`. A single date does not show it, but all dates of a
//! document have the same order.

use super::{Moment, Names, local, parse_in};
use crate::model::Item;
use chrono::{DateTime, Utc};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, HashMap},
};

/// How the order of a date was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order<T> {
    /// It has a name of a month, or begins with the year.
    Clear,
    /// Only one order is possible.
    Proven { day_first: bool },
    /// Both orders are possible; in the other one, the date would be `other`.
    Guessed { day_first: bool, other: T },
}

/// The orders of all dates of a document, and the language that they are read in.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    day_first: Cell<bool>,
    month_first: Cell<bool>,
    guessed: RefCell<HashMap<DateTime<Utc>, Guess>>,
    /// The language of the document and its names, if known.
    language: Option<(&'static str, &'static Names)>,
    /// The languages in which some dates may be others.
    languages: RefCell<BTreeSet<&'static str>>,
}

/// A guessed date: whether the day comes first, and the date in the other order.
#[derive(Debug)]
struct Guess {
    day_first: bool,
    other: DateTime<Utc>,
}

impl Orders {
    /// Creates this for a document in a language, given by its tag.
    pub(crate) fn of_language(tag: Option<&str>) -> Self {
        Self { language: tag.and_then(local::names), ..Self::default() }
    }

    /// Parses a date in the language of the document.
    pub(crate) fn parse(&self, written: &str) -> Option<Moment> {
        let mut depends_on = |language| {
            self.languages.borrow_mut().insert(language);
        };
        parse_in(written, self.language.map(|(_, names)| names), &mut depends_on)
    }

    /// Whether dates may be others in a language, given by its tag, than in the one they were read in.
    pub(crate) fn depend_on(&self, tag: &str) -> bool {
        local::names(tag).is_some_and(|(language, _)| {
            self.language.is_none_or(|(read, _)| read != language) && self.languages.borrow().contains(language)
        })
    }

    /// Records a date of the document.
    pub(crate) fn record(&self, moment: Moment) {
        match moment.order {
            Order::Clear => {}
            Order::Proven { day_first: true } => self.day_first.set(true),
            Order::Proven { day_first: false } => self.month_first.set(true),
            Order::Guessed { day_first, other } => {
                let mut guessed = self.guessed.borrow_mut();
                let guess = guessed.entry(moment.at).or_insert(Guess { day_first, other });
                // Dates in both orders that give the same moment are left as they are.
                if guess.day_first != day_first {
                    guess.other = moment.at;
                }
            }
        }
    }

    /// Corrects the guessed dates of items by the other dates of the document, or else by its language.
    pub(crate) fn correct(&self, items: &mut [Item], language: Option<&str>) {
        let guessed = self.guessed.borrow();
        if guessed.is_empty() {
            return;
        }
        let day_first = match (self.day_first.get(), self.month_first.get()) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            (false, false) if language.is_some_and(writes_day_first) => Some(true),
            _ => None,
        };
        for item in items.iter_mut().filter(|item| item.date_uncertain) {
            for date in [&mut item.published, &mut item.updated].into_iter().flatten() {
                let Some(guess) = guessed.get(date) else { continue };
                item.date_order_guessed = true;
                if day_first.is_some_and(|day_first| guess.day_first != day_first) {
                    *date = guess.other;
                }
            }
        }
    }
}

/// Languages in which the day comes before the month, and countries in which it does in English.
const DAY_FIRST: [&str; 18] =
    ["ca", "cs", "da", "de", "el", "es", "fr", "gl", "he", "id", "it", "nl", "pl", "pt", "ro", "ru", "tr", "vi"];
const DAY_FIRST_IN_ENGLISH: [&str; 7] = ["au", "gb", "ie", "in", "nz", "uk", "za"];

/// Whether the day comes before the month in a language. In English it depends on the country.
fn writes_day_first(language: &str) -> bool {
    let (primary, country) = language.split_once(['-', '_']).unwrap_or((language, ""));
    if primary == "en" { DAY_FIRST_IN_ENGLISH.contains(&country) } else { DAY_FIRST.contains(&primary) }
}
