//! Searches: first pages of 50 and next pages, each the median of seven, compared with plain SQLite on the same file
//! without the library's additions.

use super::{corpus::Language, median, milliseconds, open};
use gleaner_library::{Hit, Library, SearchOrder, SearchPage};
use sqlx::SqliteConnection;
use std::{path::Path, time::Instant};

const PAGE: u32 = 50;
const TIMES: usize = 7;

/// A query, and what plain SQLite does for the same articles.
struct Case {
    name: &'static str,
    query: String,
    order: SearchOrder,
    /// What FTS5 matches, and the statement; `None` if SQLite has nothing like it.
    bare: Option<(String, String)>,
}

impl Case {
    fn new(name: &'static str, query: &str) -> Self {
        Self { name, query: query.to_owned(), order: SearchOrder::Date, bare: None }
    }

    /// Compares it with all matches, newest first.
    fn by_date(self, matching: &str) -> Self {
        let sql = format!("SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT {PAGE}");
        Self { bare: Some((matching.to_owned(), sql)), ..self }
    }

    /// Searches by rank, and compares it with all matches by rank.
    fn ranked(self, matching: &str) -> Self {
        let sql = format!("SELECT rowid FROM search WHERE search MATCH ? ORDER BY bm25(search) LIMIT {PAGE}");
        Self { order: SearchOrder::Rank, bare: Some((matching.to_owned(), sql)), ..self }
    }

    /// Compares it with the matches whose articles meet a condition, newest first.
    fn filtered(self, matching: &str, condition: &str) -> Self {
        let sql = format!(
            "SELECT search.rowid FROM search JOIN search_docs d ON d.docid = search.rowid JOIN items i ON i.id = d.item_id
             JOIN states s ON s.item_id = i.id WHERE search MATCH ? AND {condition} ORDER BY search.rowid DESC LIMIT {PAGE}"
        );
        Self { bare: Some((matching.to_owned(), sql)), ..self }
    }
}

fn cases(language: &Language) -> Vec<Case> {
    let word = |rank: usize| &language.words[rank];
    let (common, other, middling, rare) = (word(14), word(16), word(400), word(40_000));
    let prefix = &common[..3];
    vec![
        Case::new("common word", common).by_date(common),
        Case::new("rare word", rare).by_date(rare),
        Case::new("common and rare", &format!("{common} {rare}")).by_date(&format!("{common} AND {rare}")),
        Case::new("two common, one not", &format!("{common} {other} -{middling}"))
            .by_date(&format!("({common} AND {other}) NOT {middling}")),
        Case::new("phrase of common words", &format!("\"{common} {other}\"")).by_date(&format!("\"{common} {other}\"")),
        Case::new("phrase, middling", &format!("\"{middling} {common}\"")).by_date(&format!("\"{middling} {common}\"")),
        Case::new("prefix of 2 letters", &format!("{}*", &prefix[..2])).by_date(&format!("{}*", &prefix[..2])),
        Case::new("prefix of 3 letters", &format!("{prefix}*")).by_date(&format!("{prefix}*")),
        Case::new("prefix of 4 letters", &format!("{}*", &common[..4])).by_date(&format!("{}*", &common[..4])),
        Case::new("title:common", &format!("title:{common}")).by_date(&format!("title:{common}")),
        Case::new("not a common word", &format!("-{common}")),
        Case::new("common, rank", common).ranked(common),
        Case::new("two common, rank", &format!("{common} {other}")).ranked(&format!("{common} AND {other}")),
        Case::new("rare, rank", rare).ranked(rare),
        Case::new("common is:unread (10 %)", &format!("{common} is:unread")).filtered(common, "s.read = 0"),
        Case::new("common is:starred (300)", &format!("{common} is:starred")).filtered(common, "s.starred = 1"),
        Case::new("prefix is:starred", &format!("{prefix}* is:starred"))
            .filtered(&format!("{prefix}*"), "s.starred = 1"),
        Case::new("common in a feed", &format!("{common} feed:\"feed 77\"")).filtered(common, "i.feed_id = 78"),
        Case::new("common in a folder (125 feeds)", &format!("{common} folder:\"folder 7\""))
            .filtered(common, "i.feed_id % 40 = 8"),
        Case::new("common has:audio lang:de", &format!("{common} has:audio lang:de"))
            .filtered(common, "i.language = 'de' AND i.id % 50 = 0"),
        Case::new("common, a month four years ago", &format!("{common} during:2022-11"))
            .filtered(common, "i.sort_at BETWEEN 1667260800000 AND 1669852800000"),
        Case::new("common words:>2000 (none)", &format!("{common} words:>2000"))
            .filtered(common, "i.word_count > 2000"),
        Case::new("common OR is:starred", &format!("{common} OR is:starred")),
        Case::new("rare is:starred", &format!("{rare} is:starred")).filtered(rare, "s.starred = 1"),
        Case::new("is:unread", "is:unread"),
        Case::new("common is:unread is:starred feed", &format!("{common} is:unread is:starred folder:folder")),
    ]
}

pub async fn ask(library: &Library, language: &Language, folder: &Path) {
    let mut bare = open(folder).await;
    println!(
        "| query | first page | of | with snippets | deep page | unread counted | bare SQLite |\n|---|---|---|---|---|---|---|"
    );
    for case in cases(language) {
        measure(library, &mut bare, &case).await;
    }
    let began = Instant::now();
    let facets = library.categories().list().await.unwrap().len();
    println!("\n{facets} categories counted in {:.1} ms", milliseconds(began));
}

/// Measures a query and prints its row.
async fn measure(library: &Library, bare: &mut SqliteConnection, case: &Case) {
    let Case { name, order, .. } = *case;
    let query = gleaner_query::parse(&case.query).unwrap();
    let now = chrono::Utc::now();
    let (mut times, mut shown, mut deep, mut counted, mut bared, mut found) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), 0);
    for _ in 0..TIMES {
        let began = Instant::now();
        let (hits, _) = library.search().find(&query, &now, SearchPage::first(order, PAGE)).await.unwrap();
        times.push(milliseconds(began));
        found = hits.len();
        let began = Instant::now();
        gleaner_search::search(library, &query, &now, SearchPage::first(order, PAGE)).await.unwrap();
        shown.push(milliseconds(began));
        let after = hits.last().map(Hit::cursor);
        let began = Instant::now();
        library.search().find(&query, &now, SearchPage { order, after, limit: PAGE }).await.unwrap();
        deep.push(milliseconds(began));
        let began = Instant::now();
        library.search().count_unread(&query, &now, gleaner_library::MAX_COUNTED).await.unwrap();
        counted.push(milliseconds(began));
        if let Some((matching, sql)) = &case.bare {
            let began = Instant::now();
            let sql = sqlx::AssertSqlSafe(sql.clone());
            let rows: Vec<i64> = sqlx::query_scalar(sql).bind(matching).fetch_all(&mut *bare).await.unwrap();
            bared.push(milliseconds(began));
            assert!(rows.len() >= found, "{name}: {query}");
        }
    }
    let bared = if bared.is_empty() { "–".to_owned() } else { format!("{:.2} ms", median(bared)) };
    println!(
        "| {name} | {:.2} ms | {found} | {:.2} ms | {:.2} ms | {:.2} ms | {bared} |",
        median(times),
        median(shown),
        median(deep),
        median(counted)
    );
}
