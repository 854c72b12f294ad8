//! An article as the index needs it, and its words for each column.

use crate::{
    Body, Millis, NewItem,
    table::index_words::{CommonWords, bits, fact, first_letters},
};
use gleaner_query::{Media, category_path, words};
use std::collections::{BTreeMap, HashSet};

/// Maximum length of an indexed text, in bytes; longer ones are data dumps.
const MAX_TEXT: usize = 1 << 20;

/// An article that is not indexed in its current form.
#[derive(Debug, Clone)]
pub struct Unindexed {
    pub(super) item: i64,
    pub(super) stamp: i64,
    pub(super) sort_at: Millis,
    pub(super) title: String,
    pub(super) author: Option<String>,
    pub(super) url: Option<String>,
    pub(super) language: Option<String>,
    pub(super) words: u32,
    pub(super) feed: i64,
    pub(super) updated: bool,
    pub(super) media: Vec<Media>,
    /// The feed's categories.
    pub(super) categories: Vec<String>,
    /// The user's tags.
    pub(super) tags: Vec<String>,
    /// Highlights and notes.
    pub(super) notes: Vec<String>,
    /// The most complete text.
    pub content: Option<Body>,
    /// The short form if it has both.
    pub summary: Option<Body>,
    /// The full text, if it was fetched.
    pub full: Option<Body>,
    /// The words of its recording's transcript, where it was fetched.
    pub transcript: Option<String>,
}

/// The words of an article for the index.
#[derive(Debug, Clone)]
pub struct Indexed {
    pub(super) item: i64,
    pub(super) stamp: i64,
    pub(super) sort_at: Millis,
    pub(super) columns: [String; 5],
    pub(super) categories: BTreeMap<String, String>,
}

impl Unindexed {
    /// Returns its words; `text` is its text without markup.
    #[must_use]
    pub fn indexed(&self, text: &str, common: &CommonWords) -> Indexed {
        let with_beginnings = |words: &str| with_beginnings(words, common);
        let written = |text: &str| {
            let mut out = String::with_capacity(text.len() + text.len() / 8);
            words::write(text, &mut out);
            with_beginnings(&out)
        };
        let mut tags = String::new();
        for tag in self.categories.iter().chain(&self.tags) {
            if !tags.is_empty() {
                tags.push(' ');
                tags.push_str(words::BETWEEN);
            }
            words::write(tag, &mut tags);
        }
        let cut = text.floor_char_boundary(MAX_TEXT);
        Indexed {
            item: self.item,
            stamp: self.stamp,
            sort_at: self.sort_at,
            columns: [
                written(&text[..cut]),
                written(&self.title),
                written(self.author.as_deref().unwrap_or_default()),
                with_beginnings(&tags),
                self.facts(),
            ],
            categories: self.paths(),
        }
    }

    fn facts(&self) -> String {
        let mut facts = vec![fact::ANY.to_owned(), fact::feed(self.feed), fact::words(bits(self.words))];
        if self.updated {
            facts.push(fact::UPDATED.to_owned());
        }
        facts.extend(self.media.iter().map(|media| fact::media(*media).to_owned()));
        if let Some(tag) = &self.language {
            let tag = tag.to_ascii_lowercase().replace('_', "-");
            let subtags = tag.match_indices('-').map(|(at, _)| at).chain([tag.len()]);
            facts.extend(subtags.map(|end| fact::language(&tag[..end])));
        }
        let address = words::words(words::of_address(self.url.as_deref().unwrap_or_default()));
        facts.extend(address.iter().map(|word| format!("{}{}", fact::ADDRESS, word.text)));
        facts.extend(self.note_words());
        facts.extend(self.paths().into_keys().map(|key| fact::category(&key)));
        facts.join(" ")
    }

    /// Returns the words of its notes; no phrase spans two of them.
    fn note_words(&self) -> Vec<String> {
        let mut left = MAX_TEXT;
        let mut found = Vec::new();
        for text in &self.notes {
            left = left.saturating_sub(text.len());
            if left == 0 {
                break;
            }
            found.extend(words::words(text).iter().map(|word| format!("{}{}", fact::NOTE, word.text)));
            found.push(words::BETWEEN.to_owned());
        }
        found
    }

    /// Returns its categories and their parents: keys and names.
    fn paths(&self) -> BTreeMap<String, String> {
        self.categories.iter().rev().flat_map(|category| category_path(category)).collect()
    }
}

impl Indexed {
    /// Returns the id of the article.
    pub fn item(&self) -> i64 {
        self.item
    }
}

impl NewItem {
    /// Returns the values of `has:` that match it.
    #[must_use]
    pub fn carries(&self) -> Vec<Media> {
        let mime_types = self.enclosures.iter().map(|enclosure| enclosure.mime_type.clone().unwrap_or_default());
        media(&mime_types.collect::<Vec<_>>(), self.thumbnail_url.is_some())
    }
}

/// Returns the kinds of files attached to an article.
pub(super) fn media(mime_types: &[String], thumbnail: bool) -> Vec<Media> {
    let kinds: Vec<Media> = mime_types.iter().filter_map(|mime_type| Media::of_file(mime_type)).collect();
    let there = [
        (Media::Audio, kinds.contains(&Media::Audio)),
        (Media::Video, kinds.contains(&Media::Video)),
        (Media::Image, thumbnail || kinds.contains(&Media::Image)),
        (Media::Enclosure, !mime_types.is_empty()),
    ];
    there.into_iter().filter_map(|(media, there)| there.then_some(media)).collect()
}

/// Returns the prefixes of the words that are long enough and not common, each once.
fn beginnings<'a>(words: &'a str, common: &CommonWords) -> impl Iterator<Item = &'a str> {
    let mut seen = HashSet::new();
    words
        .split(' ')
        .filter(|word| !common.has(word))
        .filter_map(first_letters)
        .filter(move |beginning| seen.insert(*beginning))
}

fn with_beginnings(words: &str, common: &CommonWords) -> String {
    let mut out = String::with_capacity(words.len() + words.len() / 4);
    for beginning in beginnings(words, common) {
        out.push(fact::BEGINNING);
        out.push_str(beginning);
        out.push(' ');
    }
    out.push_str(words);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_come_before_words_once_each() {
        let words = "we они онидва rust rus rusty";
        let none = CommonWords::default();
        assert_eq!(with_beginnings(words, &none), format!("\u{e00c}они \u{e00c}rus {words}"));
        assert_eq!(with_beginnings("東京 京都 都", &none), "東京 京都 都");
        let common = ["они", "rust", "rusty"].map(Box::from).into_iter().collect();
        assert_eq!(with_beginnings(words, &common), format!("\u{e00c}они \u{e00c}rus {words}"), "onidva, rus");
        assert_eq!(with_beginnings("они rust", &common), "они rust");
    }

    #[test]
    fn finds_the_media_of_an_article() {
        assert_eq!(media(&["Audio/mpeg".to_owned()], false), [Media::Audio, Media::Enclosure]);
        for stream in ["application/vnd.apple.mpegurl", "Application/x-mpegURL"] {
            assert_eq!(media(&[stream.to_owned()], false), [Media::Video, Media::Enclosure]);
        }
        assert_eq!(media(&[String::new()], true), [Media::Image, Media::Enclosure]);
        assert_eq!(media(&[], false), []);
    }
}
