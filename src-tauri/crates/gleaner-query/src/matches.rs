use crate::{
    Expr, Field, Media, State, category_key,
    words::{Phrase, Word, of_address, words},
};
use chrono::{DateTime, TimeZone};
use std::{collections::BTreeSet, ops::Range};

/// What a query can ask of an article.
#[derive(Debug, Clone, Default)]
pub struct Article<'a> {
    /// Plain text.
    pub title: &'a str,
    /// Plain text.
    pub author: &'a str,
    /// Plain text.
    pub text: &'a str,
    /// Terms.
    pub tags: &'a [String],
    /// What it is about, by keys, as [`crate::Synonyms::all_of`] gives them.
    pub about: BTreeSet<String>,
    /// What the browser opens.
    pub url: &'a str,
    /// As it is shown.
    pub feed_title: &'a str,
    /// Where the feed is fetched, and its site.
    pub feed_addresses: &'a [&'a str],
    /// Names from the top down, parted by anything that is no letter; empty where it is in none.
    pub folder: &'a str,
    /// A tag; the feed's where the article names none.
    pub language: Option<&'a str>,
    /// Its place in lists: Unix milliseconds.
    pub date: i64,
    /// Words of its text.
    pub words: u32,
    /// The reader's mark.
    pub read: bool,
    /// The reader's mark.
    pub starred: bool,
    /// It said something else before.
    pub updated: bool,
    /// The reader's mark, or a rule's.
    pub hidden: bool,
    /// The reader's mark, or a rule's.
    pub kept: bool,
    /// It has tags of the reader's own, which are among `tags` too.
    pub tagged: bool,
    /// What the reader has marked in it, and written about it.
    pub notes: &'a [String],
    /// The reader has marked something in it.
    pub highlighted: bool,
    /// The reader has written something about it.
    pub noted: bool,
    /// What it carries.
    pub media: Vec<Media>,
}

/// An article with its texts taken apart, for any number of queries. Its marks may change from one to the next.
#[derive(Debug)]
pub struct Subject<'a> {
    article: &'a Article<'a>,
    /// A mark, at first the article's.
    pub read: bool,
    /// A mark, at first the article's.
    pub starred: bool,
    /// A mark, at first the article's.
    pub hidden: bool,
    /// A mark, at first the article's.
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
    /// Takes it apart.
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

    /// Gives it a tag of the reader's own.
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
    /// What is looked for in this field, where `text` has a word at all; of an address, what stands after its scheme.
    #[must_use]
    pub fn phrase(self, text: &str, prefix: bool) -> Option<Phrase> {
        let address = self == Self::Url || (text.contains("://") && !text.contains(char::is_whitespace));
        Phrase::of(if address { of_address(text) } else { text }, prefix)
    }
}

impl Expr {
    /// Whether an article answers the query, `now` in the reader's time zone.
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

/// What of a text answers a query, to be marked where it is shown.
#[derive(Debug, Clone, Default)]
pub struct Marks(Vec<(Field, Phrase)>);

impl Marks {
    /// Of a query: what it asks for, and not what it asks not to be there.
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

    /// Bytes of a text of `field` that answer it, in order, none touching another.
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
