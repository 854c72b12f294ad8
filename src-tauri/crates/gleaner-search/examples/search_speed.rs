//! How fast searches are: makes a library of so many articles of 2 KB whose words are as frequent as Zipf says, in 5,000 feeds,
//! indexes it, and asks for first pages; beside each what bare SQLite takes for the same on the same file.
//!
//!     cargo run --release -p gleaner-search --example search_speed -- [ARTICLES [FOLDER]]
//!
//! 100,000 articles without a number. A folder that is named is kept, and not filled again where it holds a library.
#![allow(clippy::unwrap_used)]

use gleaner_library::{
    Body, Enclosure, Incoming, Intent, Library, NewItem, NewSubscription, Poll, SearchOrder, Texts, now,
};
use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

const FEEDS: usize = 5000;
const FOLDERS: usize = 40;
const VOCABULARY: usize = 50_000;
const WORDS: usize = 300;
const PAGE: u32 = 50;
const TIMES: usize = 7;

/// A linear congruential generator: what it gives follows from its seed alone.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() * most as f64) as usize
    }
}

/// The n-th most frequent word.
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

struct Language {
    words: Vec<String>,
    /// Of the words up to each.
    shares: Vec<f64>,
}

impl Language {
    fn new() -> Self {
        let mut sum = 0.0;
        let shares: Vec<f64> = (1..=VOCABULARY)
            .map(|rank| {
                sum += 1.0 / rank as f64;
                sum
            })
            .collect();
        Self { words: (0..VOCABULARY).map(word).collect(), shares: shares.iter().map(|share| share / sum).collect() }
    }

    fn text(&self, numbers: &mut Numbers, words: usize) -> String {
        let mut text = String::new();
        for _ in 0..words {
            let at = numbers.next();
            text.push_str(&self.words[self.shares.partition_point(|share| *share < at).min(VOCABULARY - 1)]);
            text.push(' ');
        }
        text
    }
}

#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1);
    let articles: usize = args.next().map_or(100_000, |articles| articles.parse().unwrap());
    let (scratch, named) = (tempfile::tempdir().unwrap(), args.next().map(PathBuf::from));
    let folder = named.unwrap_or_else(|| scratch.path().to_owned());
    let library = Arc::new(Library::open(&folder).await.unwrap());
    let language = Language::new();
    if library.feeds().await.unwrap().is_empty() {
        fill(&library, &language, articles).await;
    }
    index(&library).await;
    println!("library: {:.0} MB", library.bytes_on_disk() as f64 / 1e6);
    sizes(&folder).await;
    ask(&library, &language, &folder).await;
}

async fn fill(library: &Library, language: &Language, articles: usize) {
    let began = Instant::now();
    let feeds: Vec<NewSubscription> = (0..FEEDS)
        .map(|feed| NewSubscription {
            url: format!("https://host{feed}.example/feed"),
            title: Some(format!("Feed {feed}")),
            folder: vec![format!("Folder {}", feed % FOLDERS)],
            ..NewSubscription::default()
        })
        .collect();
    let feeds = library.import(&[], &feeds, |_| true).await.unwrap().added;
    let mut numbers = Numbers(1);
    let last = now();
    // Over five years.
    let apart = 5 * 365 * 86_400_000 / i64::try_from(articles).unwrap();
    let mut at = 0;
    while at < articles {
        let mut batch = Vec::new();
        for _ in 0..200.min(FEEDS) {
            let feed = feeds[numbers.below(FEEDS)];
            let intents = (0..10.min(articles - at)).map(|_| {
                at += 1;
                let date = last - apart * i64::try_from(articles - at).unwrap();
                let body = Body { html: format!("<p>{}</p>", language.text(&mut numbers, WORDS)), base: None };
                let audio = at.is_multiple_of(50).then(|| Enclosure {
                    url: "https://a.example/e".to_owned(),
                    mime_type: Some("audio/mpeg".to_owned()),
                    ..Enclosure::default()
                });
                Intent::Insert(Box::new(NewItem {
                    key: at.to_string(),
                    url: Some(format!("https://host{}.example/{at}", at % FEEDS)),
                    title: language.text(&mut numbers, 8),
                    author: Some(language.text(&mut numbers, 2)),
                    language: Some(if at.is_multiple_of(10) { "de" } else { "en" }.to_owned()),
                    excerpt: body.html[3..240].to_owned(),
                    word_count: i64::try_from(100 + at % 900).unwrap(),
                    sort_at: date,
                    published_at: Some(date),
                    received_at: date,
                    digest: vec![0; 16],
                    enclosures: audio.into_iter().collect(),
                    read: !at.is_multiple_of(10),
                    texts: Texts::pack(Some(&body), None),
                    ..NewItem::default()
                }))
            });
            batch.push(Incoming {
                poll: Poll { feed_id: feed, ..Poll::default() },
                intents: intents.collect(),
                ..Incoming::default()
            });
        }
        library.store(&batch.iter().collect::<Vec<_>>()).await.unwrap();
    }
    let starred: Vec<i64> = (0..300).map(|_| 1 + i64::try_from(numbers.below(articles)).unwrap()).collect();
    library.mark(&starred, None, Some(true)).await.unwrap();
    println!("{articles} articles stored in {:.1} s", began.elapsed().as_secs_f64());
}

async fn index(library: &Arc<Library>) {
    let began = Instant::now();
    let mut longest = Duration::ZERO;
    let mut before = Instant::now();
    let done = gleaner_search::catch_up(library, |_| {
        longest = longest.max(before.elapsed());
        before = Instant::now();
        true
    });
    let done = done.await.unwrap();
    let seconds = began.elapsed().as_secs_f64();
    println!("{done} indexed in {seconds:.1} s, {:.0} a second; longest batch {longest:?}", done as f64 / seconds);
}

async fn sizes(folder: &std::path::Path) {
    let mut bare = bare(folder).await;
    let bytes: i64 =
        sqlx::query_scalar("SELECT ifnull(sum(length(block)), 0) FROM search_data").fetch_one(&mut bare).await.unwrap();
    println!("index: {:.0} MB", bytes as f64 / 1e6);
}

async fn bare(folder: &std::path::Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("library.sqlite")).pragma("mmap_size", "268435456");
    SqliteConnection::connect_with(&options).await.unwrap()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

async fn ask(library: &Library, language: &Language, folder: &std::path::Path) {
    let word = |rank: usize| language.words[rank].clone();
    let (common, other, middling, rare) = (word(14), word(16), word(400), word(40_000));
    let joined =
        "SELECT search.rowid FROM search JOIN search_docs d ON d.docid = search.rowid JOIN items i ON i.id = d.item_id
        JOIN states s ON s.item_id = i.id WHERE search MATCH ? AND";
    let newest = |condition: &str| Some(format!("{joined} {condition} ORDER BY search.rowid DESC LIMIT {PAGE}"));
    let plain = Some(format!("SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT {PAGE}"));
    let ranked = Some(format!("SELECT rowid FROM search WHERE search MATCH ? ORDER BY bm25(search) LIMIT {PAGE}"));
    let prefix = common[..3].to_owned();
    let cases: Vec<(&str, String, SearchOrder, String, Option<String>)> = vec![
        ("common word", common.clone(), SearchOrder::Date, common.clone(), plain.clone()),
        ("rare word", rare.clone(), SearchOrder::Date, rare.clone(), plain.clone()),
        (
            "common and rare",
            format!("{common} {rare}"),
            SearchOrder::Date,
            format!("{common} AND {rare}"),
            plain.clone(),
        ),
        (
            "two common, one not",
            format!("{common} {other} -{middling}"),
            SearchOrder::Date,
            format!("({common} AND {other}) NOT {middling}"),
            plain.clone(),
        ),
        (
            "phrase of common words",
            format!("\"{common} {other}\""),
            SearchOrder::Date,
            format!("\"{common} {other}\""),
            plain.clone(),
        ),
        (
            "phrase, middling",
            format!("\"{middling} {common}\""),
            SearchOrder::Date,
            format!("\"{middling} {common}\""),
            plain.clone(),
        ),
        (
            "prefix of 2 letters",
            format!("{}*", &prefix[..2]),
            SearchOrder::Date,
            format!("{}*", &prefix[..2]),
            plain.clone(),
        ),
        ("prefix of 3 letters", format!("{prefix}*"), SearchOrder::Date, format!("{prefix}*"), plain.clone()),
        (
            "prefix of 4 letters",
            format!("{}*", &common[..4]),
            SearchOrder::Date,
            format!("{}*", &common[..4]),
            plain.clone(),
        ),
        ("title:common", format!("title:{common}"), SearchOrder::Date, format!("title:{common}"), plain.clone()),
        ("not a common word", format!("-{common}"), SearchOrder::Date, String::new(), None),
        ("common, rank", common.clone(), SearchOrder::Rank, common.clone(), ranked.clone()),
        (
            "two common, rank",
            format!("{common} {other}"),
            SearchOrder::Rank,
            format!("{common} AND {other}"),
            ranked.clone(),
        ),
        ("rare, rank", rare.clone(), SearchOrder::Rank, rare.clone(), ranked),
        (
            "common is:unread (10 %)",
            format!("{common} is:unread"),
            SearchOrder::Date,
            common.clone(),
            newest("s.read = 0"),
        ),
        (
            "common is:starred (300)",
            format!("{common} is:starred"),
            SearchOrder::Date,
            common.clone(),
            newest("s.starred = 1"),
        ),
        (
            "prefix is:starred",
            format!("{prefix}* is:starred"),
            SearchOrder::Date,
            format!("{prefix}*"),
            newest("s.starred = 1"),
        ),
        (
            "common in a feed",
            format!("{common} feed:\"feed 77\""),
            SearchOrder::Date,
            common.clone(),
            newest("i.feed_id = 78"),
        ),
        (
            "common in a folder (125 feeds)",
            format!("{common} folder:\"folder 7\""),
            SearchOrder::Date,
            common.clone(),
            newest("i.feed_id % 40 = 8"),
        ),
        (
            "common has:audio lang:de",
            format!("{common} has:audio lang:de"),
            SearchOrder::Date,
            common.clone(),
            newest("i.language = 'de' AND i.id % 50 = 0"),
        ),
        (
            "common, a month four years ago",
            format!("{common} during:2022-11"),
            SearchOrder::Date,
            common.clone(),
            newest("i.sort_at BETWEEN 1667260800000 AND 1669852800000"),
        ),
        (
            "common words:>2000 (none)",
            format!("{common} words:>2000"),
            SearchOrder::Date,
            common.clone(),
            newest("i.word_count > 2000"),
        ),
        ("common OR is:starred", format!("{common} OR is:starred"), SearchOrder::Date, String::new(), None),
        ("rare is:starred", format!("{rare} is:starred"), SearchOrder::Date, rare.clone(), newest("s.starred = 1")),
        ("is:unread", "is:unread".to_owned(), SearchOrder::Date, String::new(), None),
        (
            "common is:unread is:starred feed",
            format!("{common} is:unread is:starred folder:folder"),
            SearchOrder::Date,
            String::new(),
            None,
        ),
    ];
    let mut bare = bare(folder).await;
    println!("| query | first page | of | with snippets | deep page | bare SQLite |\n|---|---|---|---|---|---|");
    for (name, query, order, matching, sql) in cases {
        let query = gleaner_query::parse(&query).unwrap();
        let now = chrono::Utc::now();
        let (mut times, mut shown, mut deep, mut bared, mut found) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), 0);
        for _ in 0..TIMES {
            let began = Instant::now();
            let (hits, _) = library.search(&query, &now, order, None, PAGE).await.unwrap();
            times.push(began.elapsed().as_secs_f64() * 1e3);
            found = hits.len();
            let began = Instant::now();
            gleaner_search::search(library, &query, &now, order, None, PAGE).await.unwrap();
            shown.push(began.elapsed().as_secs_f64() * 1e3);
            let after = hits.last().map(gleaner_library::Hit::cursor);
            let began = Instant::now();
            library.search(&query, &now, order, after, PAGE).await.unwrap();
            deep.push(began.elapsed().as_secs_f64() * 1e3);
            if let Some(sql) = &sql {
                let began = Instant::now();
                let rows: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql.clone()))
                    .bind(&matching)
                    .fetch_all(&mut bare)
                    .await
                    .unwrap();
                bared.push(began.elapsed().as_secs_f64() * 1e3);
                assert_eq!(rows.len(), found, "{name}: {query}");
            }
        }
        let bared = if bared.is_empty() { "–".to_owned() } else { format!("{:.2} ms", median(bared)) };
        println!(
            "| {name} | {:.2} ms | {found} | {:.2} ms | {:.2} ms | {bared} |",
            median(times),
            median(shown),
            median(deep)
        );
    }
}
