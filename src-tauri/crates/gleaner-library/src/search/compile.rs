//! Compiles a query for SQLite.
//!
//! Properties that are in the index (words, languages, media, updates) become one expression of FTS5, which reads from the newest article
//! down and stops when a page is full. Others (dates, feeds, marks, lengths) are checked for each hit. Together with words, such a
//! condition also narrows the scan, by facts of the index or by a range of its row numbers.

use crate::table::{
    index_words::{BEGINNING, bits, fact, in_category, one_of, quoted},
    search_docs::number_of,
};
use chrono::{DateTime, TimeZone};
use gleaner_query::{
    Expr, Field, State, Synonyms,
    words::{self, Phrase},
};
use std::{collections::HashMap, ops::RangeInclusive};

/// Maximum number of feeds that a query names in the index.
const MAX_NAMED_FEEDS: usize = 200;

/// A feed as queries see it.
pub(crate) struct KnownFeed {
    pub id: i64,
    /// Title as shown.
    pub title: String,
    /// Addresses of the feed and its site.
    pub addresses: [Option<String>; 2],
    /// Path of its folder.
    pub folder: Option<String>,
}

/// A plan to find the articles that match a query, or some of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Expression for FTS5.
    pub matching: String,
    /// Whether it has prefixes: they match many words, which is cheap once and expensive for each article.
    pub prefixes: bool,
    /// Whether it has words to rank by.
    pub words: bool,
    /// Row numbers of the index.
    pub numbers: RangeInclusive<i64>,
    /// Conditions on states `s`, docs `d` and items `i`; all must hold.
    pub conditions: Vec<String>,
    /// Parameters of the conditions, from [`FIRST_PARAMETER`] on.
    pub parameters: Vec<String>,
    /// Marks that all its articles have.
    pub marks: Vec<State>,
    /// Whether it includes hidden articles.
    pub hidden: bool,
}

impl Plan {
    /// Returns whether it matches every article of the index.
    pub fn matches_all(&self) -> bool {
        self.matching == quoted(fact::ANY)
    }

    /// Restricts it to these feeds.
    pub fn within(&mut self, feeds: &[i64]) {
        let numbers: Vec<String> = feeds.iter().map(i64::to_string).collect();
        self.conditions.push(format!("s.feed_id IN ({})", numbers.join(",")));
        if feeds.len() <= MAX_NAMED_FEEDS {
            self.matching = both(&[self.matching.clone(), named_feeds(feeds)], &[]);
        }
    }
}

/// The parameters before are the page's.
pub(crate) const FIRST_PARAMETER: usize = 7;

pub(crate) struct Compiler<'a, Zone: TimeZone> {
    pub feeds: &'a [KnownFeed],
    pub now: &'a DateTime<Zone>,
    pub drift: i64,
    /// Whether the query asks for hidden articles too.
    pub hidden: bool,
    /// The user's synonyms of categories.
    pub synonyms: &'a Synonyms,
    /// Common words by prefix.
    pub common: &'a Common,
}

/// The common words for each prefix in a query: the index has no prefixes of these. A prefix that is missing is searched for in all
/// words.
pub(crate) type Common = HashMap<String, Vec<String>>;

/// Returns the prefixes in a query that have this many letters or more.
pub(crate) fn beginnings(query: &Expr, least: usize) -> Vec<String> {
    match query {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().flat_map(|part| beginnings(part, least)).collect(),
        Expr::Not(part) => beginnings(part, least),
        Expr::Text { field, text, prefix } => field
            .phrase(text, *prefix)
            .and_then(|phrase| {
                let (word, letters) = beginning(*field, &phrase)?;
                (least..=BEGINNING).contains(&letters).then(|| word.to_owned())
            })
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

impl<Zone: TimeZone> Compiler<'_, Zone> {
    /// Returns plans that together find the articles that match the query.
    pub fn plans(&self, query: &Expr) -> Vec<Plan> {
        match query {
            Expr::Or(parts) if self.matching(query).is_none() => {
                parts.iter().flat_map(|part| self.plans(part)).collect()
            }
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
            hidden: self.hidden,
        };
        for part in parts {
            plan.prefixes |= has_prefix(part);
            match part {
                Expr::Not(inner) if self.matching(inner).is_some() => negative.extend(self.matching(inner)),
                part => match self.matching(part) {
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
        let shown = if self.hidden { "s.hidden < 2" } else { "s.hidden = 0" };
        plan.conditions.push(shown.to_owned());
        plan
    }

    /// Returns an expression of FTS5 that narrows a condition which is checked for each hit.
    fn narrowing(&self, part: &Expr, plan: &mut Plan) -> Option<String> {
        let (first, last) = (*plan.numbers.start(), *plan.numbers.end());
        // A row's number is that of its date, or lower by at most `drift`.
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
                if feeds.len() <= MAX_NAMED_FEEDS {
                    return Some(named_feeds(&feeds));
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

    /// Returns a condition of SQL on states `s`, docs `d` and items `i`. Ids are part of the text.
    fn condition(&self, part: &Expr, parameters: &mut Vec<String>) -> String {
        if let Some(found) = self.matching(part) {
            parameters.push(found);
            let number = FIRST_PARAMETER - 1 + parameters.len();
            return format!("d.docid IN (SELECT rowid FROM search WHERE search MATCH ?{number})");
        }
        let mut list = |parts: &[Expr], between: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.condition(part, parameters)).collect();
            balanced(&parts, between)
        };
        match part {
            Expr::And(parts) => list(parts, " AND "),
            Expr::Or(parts) => list(parts, " OR "),
            Expr::Not(part) => format!("NOT {}", self.condition(part, parameters)),
            Expr::Text { field, text, prefix } => {
                let feeds = self.feeds_with(*field, text, *prefix);
                let feeds: Vec<String> = feeds.iter().map(i64::to_string).collect();
                format!("s.feed_id IN ({})", feeds.join(","))
            }
            Expr::Is(State::Unread) => "s.read = 0".to_owned(),
            Expr::Is(State::Read) => "s.read = 1".to_owned(),
            Expr::Is(State::Starred) => "s.starred = 1".to_owned(),
            Expr::Is(State::Hidden) => "s.hidden = 1".to_owned(),
            Expr::Is(State::Kept) => "s.kept = 1".to_owned(),
            Expr::Is(State::Highlighted) => "s.noted & 1".to_owned(),
            Expr::Is(State::Noted) => "s.noted & 2".to_owned(),
            Expr::Is(State::Tagged) => "EXISTS (SELECT 1 FROM item_tags m WHERE m.item_id = s.item_id)".to_owned(),
            Expr::After(date) => format!("s.sort_at >= {}", date.range(self.now).start),
            Expr::Before(date) => format!("s.sort_at < {}", date.range(self.now).start),
            Expr::During(date) => {
                let range = date.range(self.now);
                format!("(s.sort_at >= {} AND s.sort_at < {})", range.start, range.end)
            }
            Expr::Words(least, most) => {
                format!("i.word_count BETWEEN {least} AND {}", most.unwrap_or(u32::MAX))
            }
            Expr::All | Expr::Category(_) | Expr::Language(_) | Expr::Is(State::Updated) | Expr::Has(_) => {
                "TRUE".to_owned()
            }
        }
    }

    fn feeds_with(&self, field: Field, text: &str, prefix: bool) -> Vec<i64> {
        let Some(phrase) = field.phrase(text, prefix) else { return self.feeds.iter().map(|feed| feed.id).collect() };
        let has = |text: &str| phrase.is_in_text(text);
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

    /// Returns the expression of FTS5 for what the index can answer.
    fn matching(&self, query: &Expr) -> Option<String> {
        match query {
            Expr::All => Some(quoted(fact::ANY)),
            Expr::And(parts) => {
                let (mut positive, mut negative) = (Vec::new(), Vec::new());
                for part in parts {
                    match part {
                        Expr::Not(inner) => negative.push(self.matching(inner)?),
                        part => positive.push(self.matching(part)?),
                    }
                }
                Some(both(&positive, &negative))
            }
            Expr::Or(parts) => Some(one_of(&parts.iter().map(|part| self.matching(part)).collect::<Option<Vec<_>>>()?)),
            Expr::Not(part) => Some(both(&[], &[self.matching(part)?])),
            Expr::Text { field: Field::Feed | Field::Folder, .. } => None,
            Expr::Text { field, text, prefix } => Some(match field.phrase(text, *prefix) {
                Some(phrase) => self.in_column(*field, &phrase),
                None => quoted(fact::ANY),
            }),
            Expr::Category(category) => Some(in_category(category, self.synonyms)),
            Expr::Language(tag) => Some(quoted(&fact::language(tag))),
            Expr::Has(media) => Some(quoted(fact::media(*media))),
            Expr::Is(State::Updated) => Some(quoted(fact::UPDATED)),
            Expr::Is(_) | Expr::After(_) | Expr::Before(_) | Expr::During(_) | Expr::Words(..) => None,
        }
    }

    fn in_column(&self, field: Field, phrase: &Phrase) -> String {
        let word = |word: &String| match field {
            Field::Url => format!("{}{word}", fact::ADDRESS),
            Field::Note => format!("{}{word}", fact::NOTE),
            _ => word.clone(),
        };
        let words: Vec<String> = phrase.words.iter().map(word).collect();
        // Words consist of letters, digits and marks, which cannot end the quotes.
        let among_all = || format!("{}{}", quoted(&words.join(" ")), if phrase.prefix { " *" } else { "" });
        let phrase = match beginning(field, phrase) {
            Some((word, letters @ ..=BEGINNING)) => self.common.get(word).map_or_else(among_all, |common| {
                let beginning = quoted(&format!("{}{word}", fact::BEGINNING));
                let mut parts: Vec<String> = common.iter().map(|word| quoted(word)).collect();
                // Fewer letters match as a word, and as a prefix of longer prefixes.
                parts.extend(if letters < BEGINNING {
                    vec![quoted(word), format!("{beginning} *")]
                } else {
                    vec![beginning]
                });
                one_of(&parts)
            }),
            _ => among_all(),
        };
        match field {
            Field::Title => format!("title : {phrase}"),
            Field::Author => format!("author : {phrase}"),
            Field::Text => format!("text : {phrase}"),
            Field::Tag => format!("tags : {phrase}"),
            Field::Any | Field::Note | Field::Url | Field::Feed | Field::Folder => phrase,
        }
    }
}

/// Joins conditions as a balanced tree: in SQLite a row of a thousand is as deep as an expression may be.
pub(crate) fn balanced(parts: &[String], between: &str) -> String {
    match parts {
        [] => "TRUE".to_owned(),
        [part] => part.clone(),
        parts => {
            let (first, second) = parts.split_at(parts.len() / 2);
            format!("({}{between}{})", balanced(first, between), balanced(second, between))
        }
    }
}

/// Returns an expression for one of these feeds.
fn named_feeds(feeds: &[i64]) -> String {
    let named: Vec<String> = feeds.iter().map(|feed| quoted(&fact::feed(*feed))).collect();
    // Without feeds nothing matches: no article has the feed 0.
    if named.is_empty() { quoted(&fact::feed(0)) } else { one_of(&named) }
}

fn both(positive: &[String], negative: &[String]) -> String {
    let wanted = match positive {
        [] => quoted(fact::ANY),
        [part] => part.clone(),
        parts => format!("({})", parts.join(" AND ")),
    };
    if negative.is_empty() { wanted } else { format!("({wanted} NOT {})", one_of(negative)) }
}

/// Returns the prefix of a phrase, and its number of letters.
fn beginning(field: Field, phrase: &Phrase) -> Option<(&str, usize)> {
    match phrase.words.as_slice() {
        [word] if phrase.prefix && !matches!(field, Field::Url | Field::Note) => Some((word, word.chars().count())),
        _ => None,
    }
}

fn has_prefix(query: &Expr) -> bool {
    match query {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().any(has_prefix),
        Expr::Not(part) => has_prefix(part),
        Expr::Text { field, text, prefix } => field.phrase(text, *prefix).is_some_and(|phrase| phrase.prefix),
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
