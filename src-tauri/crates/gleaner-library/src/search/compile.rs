//! From a query to what SQLite does for it.
//!
//! What the index knows (words, languages, media, whether something was updated) becomes one expression of FTS5, which walks
//! it from the newest article down and stops when a page is full. What it does not know (dates, feeds, marks, lengths) is
//! checked on each hit; where such a condition stands beside the words it also narrows what is walked, by facts of the index
//! or by a range of its numbers, so that few hits are looked at in vain.

use crate::table::search::{BEGINNING, bits, fact, number_of};
use chrono::{DateTime, TimeZone};
use gleaner_query::{
    Expr, Field, State,
    words::{self, Phrase},
};
use std::{collections::HashMap, ops::RangeInclusive};

/// Of so many feeds at most, each is asked for by name in the index.
const NAMED_FEEDS: usize = 50;

/// A feed as queries see it.
pub(crate) struct KnownFeed {
    pub id: i64,
    /// As it is shown.
    pub title: String,
    /// Its own and its site's.
    pub addresses: [Option<String>; 2],
    /// The path of its folder.
    pub folder: Option<String>,
}

/// A way to find the articles that answer a query, or some of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// For FTS5.
    pub matching: String,
    /// It looks for beginnings that are no words of the index, which FTS5 does all at once: cheap once, dear for each article
    /// again.
    pub prefixes: bool,
    /// Words to rank by.
    pub words: bool,
    /// Numbers of the index.
    pub numbers: RangeInclusive<i64>,
    /// Conditions on items `i`, states `s` and docs `d`, each of them to hold.
    pub conditions: Vec<String>,
    /// What the conditions take from the index: parameters from the number [`FIRST_PARAMETER`] on.
    pub parameters: Vec<String>,
    /// Marks that every article of it has.
    pub marks: Vec<State>,
}

impl Plan {
    /// Every article of the index matches: it asks for no words and no facts.
    pub fn matches_all(&self) -> bool {
        self.matching == quoted(fact::ANY)
    }
}

/// Those before it are the page's own.
pub(crate) const FIRST_PARAMETER: usize = 7;

pub(crate) struct Compiler<'a, Zone: TimeZone> {
    pub feeds: &'a [KnownFeed],
    pub now: &'a DateTime<Zone>,
    pub drift: i64,
}

impl<Zone: TimeZone> Compiler<'_, Zone> {
    /// Plans whose articles together are those that answer the query.
    pub fn plans(&self, query: &Expr) -> Vec<Plan> {
        match query {
            Expr::Or(parts) if matching(query).is_none() => parts.iter().flat_map(|part| self.plans(part)).collect(),
            Expr::And(parts) => vec![self.plan(parts)],
            other => vec![self.plan(std::slice::from_ref(other))],
        }
    }

    fn plan(&self, parts: &[Expr]) -> Plan {
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        let mut plan = Plan {
            matching: String::new(),
            prefixes: false,
            words: false,
            numbers: i64::MIN..=i64::MAX,
            conditions: Vec::new(),
            parameters: Vec::new(),
            marks: Vec::new(),
        };
        for part in parts {
            plan.prefixes |= has_prefix(part);
            match part {
                Expr::Not(inner) if matching(inner).is_some() => negative.extend(matching(inner)),
                part => match matching(part) {
                    Some(found) => {
                        plan.words |= has_words(part);
                        positive.push(found);
                    }
                    None => {
                        positive.extend(self.narrowing(part, &mut plan));
                        let condition = self.condition(part, &mut plan.parameters);
                        plan.conditions.push(condition);
                    }
                },
            }
        }
        plan.matching = both(&positive, &negative);
        plan
    }

    /// What may be said to the index beside a condition that is checked on each hit all the same.
    fn narrowing(&self, part: &Expr, plan: &mut Plan) -> Option<String> {
        let (first, last) = (*plan.numbers.start(), *plan.numbers.end());
        // A row stands where its date says, or further down, by `drift` at most.
        let from = |date: i64| first.max(number_of(date).saturating_sub(self.drift));
        let until = |date: i64| last.min(number_of(date));
        match part {
            Expr::After(date) => plan.numbers = from(date.range(self.now).start)..=last,
            Expr::Before(date) => plan.numbers = first..=until(date.range(self.now).start),
            Expr::During(date) => {
                let range = date.range(self.now);
                plan.numbers = from(range.start)..=until(range.end);
            }
            Expr::Text { field: field @ (Field::Feed | Field::Folder), text, prefix } => {
                let feeds = self.feeds_with(*field, text, *prefix);
                if feeds.len() <= NAMED_FEEDS {
                    let named: Vec<String> = feeds.iter().map(|feed| quoted(&fact::feed(*feed))).collect();
                    // Without any, nothing is found: no article is of the feed 0.
                    return Some(if named.is_empty() { quoted(&fact::feed(0)) } else { one_of(&named) });
                }
            }
            Expr::Words(least, most) => {
                let most = most.map_or(u32::BITS, bits);
                let sizes: Vec<String> = (bits(*least)..=most).map(|bits| quoted(&fact::words(bits))).collect();
                return Some(one_of(&sizes));
            }
            Expr::Is(state) => plan.marks.push(*state),
            Expr::Not(inner) => match **inner {
                Expr::Is(State::Read) => plan.marks.push(State::Unread),
                Expr::Is(State::Unread) => plan.marks.push(State::Read),
                _ => {}
            },
            _ => {}
        }
        None
    }

    /// A condition of SQL on items `i`, states `s` and docs `d`. Numbers are our own, so they may stand in the text.
    fn condition(&self, part: &Expr, parameters: &mut Vec<String>) -> String {
        if let Some(found) = matching(part) {
            parameters.push(found);
            let number = FIRST_PARAMETER - 1 + parameters.len();
            return format!("d.docid IN (SELECT rowid FROM search WHERE search MATCH ?{number})");
        }
        let mut list = |parts: &[Expr], between: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.condition(part, parameters)).collect();
            format!("({})", parts.join(between))
        };
        match part {
            Expr::And(parts) => list(parts, " AND "),
            Expr::Or(parts) => list(parts, " OR "),
            Expr::Not(part) => format!("NOT {}", self.condition(part, parameters)),
            Expr::Text { field, text, prefix } => {
                let feeds = self.feeds_with(*field, text, *prefix);
                let feeds: Vec<String> = feeds.iter().map(i64::to_string).collect();
                format!("i.feed_id IN ({})", feeds.join(","))
            }
            Expr::Is(State::Unread) => "s.read = 0".to_owned(),
            Expr::Is(State::Read) => "s.read = 1".to_owned(),
            Expr::Is(State::Starred) => "s.starred = 1".to_owned(),
            Expr::After(date) => format!("i.sort_at >= {}", date.range(self.now).start),
            Expr::Before(date) => format!("i.sort_at < {}", date.range(self.now).start),
            Expr::During(date) => {
                let range = date.range(self.now);
                format!("(i.sort_at >= {} AND i.sort_at < {})", range.start, range.end)
            }
            Expr::Words(least, most) => {
                format!("i.word_count BETWEEN {least} AND {}", most.unwrap_or(u32::MAX))
            }
            Expr::All | Expr::Language(_) | Expr::Is(State::Updated) | Expr::Has(_) => "TRUE".to_owned(),
        }
    }

    fn feeds_with(&self, field: Field, text: &str, prefix: bool) -> Vec<i64> {
        let Some(phrase) = field.phrase(text, prefix) else { return self.feeds.iter().map(|feed| feed.id).collect() };
        let has = |text: &str| phrase.is_in(&words::words(text));
        let mut folders: HashMap<&str, bool> = HashMap::new();
        let mut found = Vec::new();
        for feed in self.feeds {
            let wanted = match (field, &feed.folder) {
                (Field::Folder, Some(path)) => *folders.entry(path).or_insert_with(|| has(path)),
                (Field::Folder, None) => false,
                _ => has(&feed.title) || feed.addresses.iter().flatten().any(|address| has(words::of_address(address))),
            };
            if wanted {
                found.push(feed.id);
            }
        }
        found
    }
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

fn one_of(parts: &[String]) -> String {
    if let [part] = parts { part.clone() } else { format!("({})", parts.join(" OR ")) }
}

fn both(positive: &[String], negative: &[String]) -> String {
    let wanted = match positive {
        [] => quoted(fact::ANY),
        [part] => part.clone(),
        parts => format!("({})", parts.join(" AND ")),
    };
    if negative.is_empty() { wanted } else { format!("({wanted} NOT {})", one_of(negative)) }
}

/// The expression of FTS5, for what the index knows by itself.
fn matching(query: &Expr) -> Option<String> {
    match query {
        Expr::All => Some(quoted(fact::ANY)),
        Expr::And(parts) => {
            let (mut positive, mut negative) = (Vec::new(), Vec::new());
            for part in parts {
                match part {
                    Expr::Not(inner) => negative.push(matching(inner)?),
                    part => positive.push(matching(part)?),
                }
            }
            Some(both(&positive, &negative))
        }
        Expr::Or(parts) => Some(one_of(&parts.iter().map(matching).collect::<Option<Vec<_>>>()?)),
        Expr::Not(part) => Some(both(&[], &[matching(part)?])),
        Expr::Text { field: Field::Feed | Field::Folder, .. } => None,
        Expr::Text { field, text, prefix } => Some(match field.phrase(text, *prefix) {
            Some(phrase) => in_column(*field, &phrase),
            None => quoted(fact::ANY),
        }),
        Expr::Language(tag) => Some(quoted(&fact::language(tag))),
        Expr::Has(media) => Some(quoted(fact::media(*media))),
        Expr::Is(State::Updated) => Some(quoted(fact::UPDATED)),
        Expr::Is(_) | Expr::After(_) | Expr::Before(_) | Expr::During(_) | Expr::Words(..) => None,
    }
}

fn in_column(field: Field, phrase: &Phrase) -> String {
    let word = |word: &String| if field == Field::Url { format!("{}{word}", fact::ADDRESS) } else { word.clone() };
    let words: Vec<String> = phrase.words.iter().map(word).collect();
    // Words are made of letters, digits and marks: nothing in them ends the quotes.
    let phrase = match beginning(field, phrase) {
        Some((word, BEGINNING)) => quoted(&format!("{}{word}", fact::BEGINNING)),
        // There are fewer beginnings than words, each with one place to go through.
        Some((word, 2..BEGINNING)) => {
            format!("({} OR {} *)", quoted(word), quoted(&format!("{}{word}", fact::BEGINNING)))
        }
        _ => format!("{}{}", quoted(&words.join(" ")), if phrase.prefix { " *" } else { "" }),
    };
    match field {
        Field::Title => format!("title : {phrase}"),
        Field::Author => format!("author : {phrase}"),
        Field::Text => format!("text : {phrase}"),
        Field::Tag => format!("tags : {phrase}"),
        Field::Any | Field::Url | Field::Feed | Field::Folder => phrase,
    }
}

/// The beginning that is looked for in the columns of words, and of how many letters it is.
fn beginning(field: Field, phrase: &Phrase) -> Option<(&str, usize)> {
    match phrase.words.as_slice() {
        [word] if phrase.prefix && field != Field::Url => Some((word, word.chars().count())),
        _ => None,
    }
}

fn has_prefix(query: &Expr) -> bool {
    match query {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().any(has_prefix),
        Expr::Not(part) => has_prefix(part),
        Expr::Text { field, text, prefix } => {
            let stands = |phrase: &Phrase| matches!(beginning(*field, phrase), Some((_, BEGINNING)));
            field.phrase(text, *prefix).is_some_and(|phrase| phrase.prefix && !stands(&phrase))
        }
        _ => false,
    }
}

fn has_words(query: &Expr) -> bool {
    match query {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().any(has_words),
        Expr::Text { .. } => true,
        _ => false,
    }
}
