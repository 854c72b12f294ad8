//! Searches: first pages of 50 and next pages, each the median of seven, compared with plain SQLite on the same file
//! without the library's additions.

use super::{corpus::Language, median, open};
use gleaner_library::{Library, SearchOrder};
use std::{path::Path, time::Instant};

const PAGE: u32 = 50;
const TIMES: usize = 7;

pub async fn ask(library: &Library, language: &Language, folder: &Path) {
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
    let mut bare = open(folder).await;
    println!(
        "| query | first page | of | with snippets | deep page | unread counted | bare SQLite |\n|---|---|---|---|---|---|---|"
    );
    for (name, query, order, matching, sql) in cases {
        let query = gleaner_query::parse(&query).unwrap();
        let now = chrono::Utc::now();
        let (mut times, mut shown, mut deep, mut counted, mut bared, mut found) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), 0);
        for _ in 0..TIMES {
            let began = Instant::now();
            let (hits, _) = library.search().find(&query, &now, order, None, PAGE).await.unwrap();
            times.push(began.elapsed().as_secs_f64() * 1e3);
            found = hits.len();
            let began = Instant::now();
            gleaner_search::search(library, &query, &now, order, None, PAGE).await.unwrap();
            shown.push(began.elapsed().as_secs_f64() * 1e3);
            let after = hits.last().map(gleaner_library::Hit::cursor);
            let began = Instant::now();
            library.search().find(&query, &now, order, after, PAGE).await.unwrap();
            deep.push(began.elapsed().as_secs_f64() * 1e3);
            let began = Instant::now();
            library.search().count_unread(&query, &now, gleaner_library::COUNTED).await.unwrap();
            counted.push(began.elapsed().as_secs_f64() * 1e3);
            if let Some(sql) = &sql {
                let began = Instant::now();
                let rows: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql.clone()))
                    .bind(&matching)
                    .fetch_all(&mut bare)
                    .await
                    .unwrap();
                bared.push(began.elapsed().as_secs_f64() * 1e3);
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
    let began = Instant::now();
    let facets = library.categories().list().await.unwrap().len();
    println!("\n{facets} categories counted in {:.1} ms", began.elapsed().as_secs_f64() * 1e3);
}
