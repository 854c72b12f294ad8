//! Tests whether an article matches a query, and where.

use crate::{
    Expr, Field, Media, State, category_key,
    words::{Phrase, Word, of_address, words},
};
use chrono::{DateTime, TimeZone};
use std::{collections::BTreeSet, ops::Range};

/// The properties of an article that queries use.
#[derive(Debug, Clone, Default)]
pub struct Article<'a> {
    /// Title as plain text.
    pub title: &'a str,
    /// Authors as plain text.
    pub author: &'a str,
    /// Text as plain text.
    pub text: &'a str,
    /// Tags of the user and categories of the feed.
    pub tags: &'a [String],
    /// Keys of its categories, as returned by [`crate::Synonyms::all_of`].
    pub about: BTreeSet<String>,
    /// Address of its page.
    pub url: &'a str,
    /// Title of the feed as shown.
    pub feed_title: &'a str,
    /// Addresses of the feed and its site.
    pub feed_addresses: &'a [&'a str],
    /// Names of the folders from the top down, separated by anything but letters; empty if it is in none.
    pub folder: &'a str,
    /// Language tag of the article, else of its feed.
    pub language: Option<&'a str>,
    /// Date that orders lists, in Unix milliseconds.
    pub date: i64,
    /// Number of words.
    pub words: u32,
    /// Whether it is read.
    pub read: bool,
    /// Whether it is starred.
    pub starred: bool,
    /// Whether it has changed since it was received.
    pub updated: bool,
    /// Whether it is hidden, by the user or a rule.
    pub hidden: bool,
    /// Whether it is protected from deletion, by the user or a rule.
    pub kept: bool,
    /// Whether `tags` contains tags of the user.
    pub tagged: bool,
    /// Highlighted passages and notes.
    pub notes: &'a [String],
    /// Whether it has highlighted passages.
    pub highlighted: bool,
    /// Whether it has notes.
    pub noted: bool,
    /// Media of the article.
    pub media: Vec<Media>,
}

/// An article split into words, for any number of queries. Its state may change in between.
#[derive(Debug)]
pub struct Subject<'a> {
    article: &'a Article<'a>,
    /// Whether it is read, initially as in the article.
    pub read: bool,
    /// Whether it is starred, initially as in the article.
    pub starred: bool,
    /// Whether it is hidden, initially as in the article.
    pub hidden: bool,
    /// Whether it is protected from deletion, initially as in the article.
    pub kept: bool,
    tagged: bool,
    title: Vec<Word>,
    author: Vec<Word>,
    text: Vec<Word>,
    tags: Vec<Vec<Word>>,
    notes: Vec<Vec<Word>>,
    url: Vec<Word>,
    feed: Vec<Vec<Word>>,
    folder: Vec<Word>,
}

impl<'a> Subject<'a> {
    /// Splits the texts of an article into words.
    #[must_use]
    pub fn of(article: &'a Article<'a>) -> Self {
        let addresses = article.feed_addresses.iter().map(|address| words(of_address(address)));
        Self {
            title: words(article.title),
            author: words(article.author),
            text: words(article.text),
            tags: article.tags.iter().map(|tag| words(tag)).collect(),
            notes: article.notes.iter().map(|note| words(note)).collect(),
            url: words(of_address(article.url)),
            feed: std::iter::once(words(article.feed_title)).chain(addresses).collect(),
            folder: words(article.folder),
            read: article.read,
            starred: article.starred,
            hidden: article.hidden,
            kept: article.kept,
            tagged: article.tagged,
            article,
        }
    }

    /// Adds a tag of the user.
    pub fn tag(&mut self, name: &str) {
        self.tags.push(words(name));
        self.tagged = true;
    }

    fn has(&self, field: Field, phrase: &Phrase) -> bool {
        let in_tags = || self.tags.iter().any(|tag| phrase.is_in(tag));
        match field {
            Field::Any => [&self.title, &self.author, &self.text].iter().any(|text| phrase.is_in(text)) || in_tags(),
            Field::Title => phrase.is_in(&self.title),
            Field::Author => phrase.is_in(&self.author),
            Field::Text => phrase.is_in(&self.text),
            Field::Tag => in_tags(),
            Field::Note => self.notes.iter().any(|note| phrase.is_in(note)),
            Field::Url => phrase.is_in(&self.url),
            Field::Feed => self.feed.iter().any(|text| phrase.is_in(text)),
            Field::Folder => phrase.is_in(&self.folder),
        }
    }
}

impl Field {
    /// Returns the phrase to search for in this field; `None` if `text` has no words. The scheme of an address is ignored.
    #[must_use]
    pub fn phrase(self, text: &str, prefix: bool) -> Option<Phrase> {
        let address = self == Self::Url || (text.contains("://") && !text.contains(char::is_whitespace));
        Phrase::of(if address { of_address(text) } else { text }, prefix)
    }
}

impl Expr {
    /// Whether an article matches the query; `now` is in the user's time zone.
    pub fn matches<Zone: TimeZone>(&self, subject: &Subject<'_>, now: &DateTime<Zone>) -> bool {
        let article = subject.article;
        match self {
            Self::All => true,
            Self::And(parts) => parts.iter().all(|part| part.matches(subject, now)),
            Self::Or(parts) => parts.iter().any(|part| part.matches(subject, now)),
            Self::Not(part) => !part.matches(subject, now),
            Self::Text { field, text, prefix } => {
                field.phrase(text, *prefix).is_none_or(|phrase| subject.has(*field, &phrase))
            }
            Self::Category(category) => category_key(category).is_some_and(|key| article.about.contains(&key)),
            Self::Language(tag) => article.language.is_some_and(|language| {
                let language = language.to_ascii_lowercase().replace('_', "-");
                language.strip_prefix(tag.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            }),
            Self::Is(State::Unread) => !subject.read,
            Self::Is(State::Read) => subject.read,
            Self::Is(State::Starred) => subject.starred,
            Self::Is(State::Updated) => article.updated,
            Self::Is(State::Hidden) => subject.hidden,
            Self::Is(State::Kept) => subject.kept,
            Self::Is(State::Tagged) => subject.tagged,
            Self::Is(State::Highlighted) => article.highlighted,
            Self::Is(State::Noted) => article.noted,
            Self::Has(media) => article.media.contains(media),
            Self::After(date) => article.date >= date.range(now).start,
            Self::Before(date) => article.date < date.range(now).start,
            Self::During(date) => date.range(now).contains(&article.date),
            Self::Words(least, most) => article.words >= *least && most.is_none_or(|most| article.words <= most),
        }
    }
}

/// The phrases of a query, to mark them in texts.
#[derive(Debug, Clone, Default)]
pub struct Marks(Vec<(Field, Phrase)>);

impl Marks {
    /// Collects the phrases of a query, except negated ones.
    #[must_use]
    pub fn of(query: &Expr) -> Self {
        fn collect(expr: &Expr, found: &mut Vec<(Field, Phrase)>) {
            match expr {
                Expr::And(parts) | Expr::Or(parts) => parts.iter().for_each(|part| collect(part, found)),
                Expr::Text { field, text, prefix } => {
                    found.extend(field.phrase(text, *prefix).map(|phrase| (*field, phrase)))
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        collect(query, &mut found);
        Self(found)
    }

    /// Returns whether the query searches this field alone.
    #[must_use]
    pub fn search_only(&self, field: Field) -> bool {
        self.0.iter().any(|(of, _)| *of == field)
    }

    /// Returns the byte ranges of matches in a text of `field`, in order and merged if they touch.
    #[must_use]
    pub fn find(&self, field: Field, text: &str) -> Vec<Range<usize>> {
        let found = words(text);
        let applies = |of: Field| {
            of == field
                || (of == Field::Any && matches!(field, Field::Title | Field::Author | Field::Text | Field::Tag))
        };
        let mut ranges: Vec<Range<usize>> =
            self.0.iter().filter(|(of, _)| applies(*of)).flat_map(|(_, phrase)| phrase.find(&found)).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match merged.last_mut().filter(|last| range.start <= last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => merged.push(range),
            }
        }
        merged
    }
}
