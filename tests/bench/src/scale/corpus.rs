//! A library for benchmarks: articles of 2 KB over five years, from 50,000 words with frequencies by Zipf's law.

use super::{cpu, plain::Plain};
use gleaner_library::{Body, Enclosure, Incoming, Intent, Library, NewItem, NewSubscription, Texts, now};
use std::time::{Duration, Instant};

pub const FEEDS: usize = 5000;
pub const FOLDERS: usize = 40;
const VOCABULARY: usize = 50_000;
/// Words of an article: 2 KB.
const WORDS: usize = 370;
pub const STARRED: usize = 300;
/// One of this number of articles is unread.
pub const UNREAD: usize = 10;

/// A linear congruential generator; its numbers depend only on the seed.
pub struct Numbers(pub u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, most: usize) -> usize {
        (self.next() * most as f64) as usize
    }
}

/// Returns the n-th most frequent word.
fn word(mut rank: usize) -> String {
    let (consonants, vowels) = (b"bdfgklmnprstvz", b"aeiou");
    let mut word = String::new();
    rank += consonants.len() * vowels.len();
    while rank > 0 {
        word.push(char::from(consonants[rank % consonants.len()]));
        rank /= consonants.len();
        word.push(char::from(vowels[rank % vowels.len()]));
        rank /= vowels.len();
    }
    word
}

pub struct Language {
    pub words: Vec<String>,
    /// Cumulative frequencies of the words.
    shares: Vec<f64>,
}

impl Language {
    pub fn new() -> Self {
        let mut sum = 0.0;
        let shares: Vec<f64> = (1..=VOCABULARY)
            .map(|rank| {
                sum += 1.0 / rank as f64;
                sum
            })
            .collect();
        Self { words: (0..VOCABULARY).map(word).collect(), shares: shares.iter().map(|share| share / sum).collect() }
    }

    pub fn text(&self, numbers: &mut Numbers, words: usize) -> String {
        let mut text = String::new();
        for _ in 0..words {
            let at = numbers.next();
            text.push_str(&self.words[self.shares.partition_point(|share| *share < at).min(VOCABULARY - 1)]);
            text.push(' ');
        }
        text
    }

    pub fn article(&self, numbers: &mut Numbers) -> (String, String, String) {
        (self.text(numbers, WORDS), self.text(numbers, 8), self.text(numbers, 2))
    }
}

/// Measurements of filling a library.
pub struct Filled {
    /// Bytes of titles, authors and texts.
    pub raw: usize,
    pub storing: Taken,
    pub storing_plain: Taken,
}

/// Wall-clock and processor time.
#[derive(Default)]
pub struct Taken {
    pub wall: Duration,
    pub cpu: f64,
}

impl Taken {
    fn add(&mut self, (began, before): (Instant, f64)) {
        self.wall += began.elapsed();
        self.cpu += cpu() - before;
    }
}

/// Fills a library, and plain tables with the same content.
pub async fn fill(library: &Library, plain: &mut Plain, language: &Language, articles: usize) -> Filled {
    let feeds: Vec<NewSubscription> = (0..FEEDS)
        .map(|feed| NewSubscription {
            url: format!("https://host{feed}.example/feed"),
            title: Some(format!("Feed {feed}")),
            folder: vec![format!("Folder {}", feed % FOLDERS)],
            ..NewSubscription::default()
        })
        .collect();
    let feeds = library.subscriptions().import(&[], &feeds, |_| true).await.unwrap().added;
    let mut numbers = Numbers(1);
    let last = now();
    let apart = 5 * 365 * 86_400_000 / i64::try_from(articles).unwrap();
    let mut filled = Filled { raw: 0, storing: Taken::default(), storing_plain: Taken::default() };
    let mut at = 0;
    while at < articles {
        let mut batch = Vec::new();
        for _ in 0..200 {
            let feed = feeds[numbers.below(FEEDS)];
            let mut intents = Vec::new();
            for _ in 0..10.min(articles - at) {
                at += 1;
                let (text, title, author) = language.article(&mut numbers);
                filled.raw += text.len() + title.len() + author.len();
                let date = last - apart * i64::try_from(articles - at).unwrap();
                intents.push(Intent::Insert(Box::new(item(at, feed, date, (text, title, author)))));
            }
            batch.push(Incoming::of_items(feed, intents));
        }
        let began = (Instant::now(), cpu());
        library.polls().store(&batch.iter().collect::<Vec<_>>()).await.unwrap();
        filled.storing.add(began);
        let began = (Instant::now(), cpu());
        plain.store(&batch).await;
        filled.storing_plain.add(began);
    }
    let starred: Vec<i64> = (0..STARRED).map(|_| 1 + i64::try_from(numbers.below(articles)).unwrap()).collect();
    library.articles().mark(&starred, None, Some(true)).await.unwrap();
    plain.star(&starred).await;
    let tagged: Vec<i64> = (1..=i64::try_from(articles).unwrap()).step_by(100).collect();
    library.tags().set(&tagged, "Later", true).await.unwrap();
    let hidden: Vec<i64> = (7..=i64::try_from(articles).unwrap()).step_by(1000).collect();
    library.articles().set_marks(&hidden, &[(gleaner_library::Mark::Hidden, true)]).await.unwrap();
    filled
}

fn item(at: usize, feed: i64, date: i64, (text, title, author): (String, String, String)) -> NewItem {
    let url = format!("https://host{feed}.example/{at}");
    let body = Body { html: format!("<p>{text}</p>"), base: None };
    let audio = at.is_multiple_of(50).then(|| Enclosure {
        url: "https://a.example/e".to_owned(),
        mime_type: Some("audio/mpeg".to_owned()),
        ..Enclosure::default()
    });
    NewItem {
        key: at.to_string(),
        canonical_url: Some(url.clone()),
        url: Some(url),
        title,
        title_key: Some(i64::try_from(at).unwrap().wrapping_mul(6_364_136_223_846_793_005)),
        author: Some(author),
        language: Some(if at.is_multiple_of(10) { "de" } else { "en" }.to_owned()),
        excerpt: text[..200].to_owned(),
        word_count: i64::try_from(100 + at % 900).unwrap(),
        sort_at: date,
        published_at: Some(date),
        received_at: date,
        digest: (0..16).map(|byte| (at >> (byte % 8)) as u8 ^ byte).collect(),
        categories: vec![format!("Subject {}/Part {}", at % 40, at % 200)],
        enclosures: audio.into_iter().collect(),
        read: !at.is_multiple_of(UNREAD),
        texts: Texts::pack(Some(&body), None),
        ..NewItem::default()
    }
}
