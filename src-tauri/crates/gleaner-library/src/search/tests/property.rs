//! Property: for any library and any query, the index and a check of each article agree.

use super::*;
use crate::{Enclosure, Library, Mark};
use gleaner_query::{Article, Media, Subject, Synonyms, category_key};
use proptest::prelude::*;
use std::collections::HashSet;

/// An article, described by small numbers.
#[derive(Debug, Clone)]
struct Made {
    feed: usize,
    minutes: i64,
    title: Vec<usize>,
    text: Vec<usize>,
    /// Its full text.
    full: Option<Vec<usize>>,
    author: usize,
    tags: Vec<Vec<usize>>,
    url: usize,
    language: usize,
    words: u32,
    media: usize,
    /// Read, starred, updated.
    marks: (bool, bool, bool),
    /// Hidden, kept, tagged with the first word.
    more: (bool, bool, bool),
    /// Highlights and their notes.
    notes: Vec<(Option<Vec<usize>>, Vec<usize>)>,
}

const WORDS: [&str; 12] =
    ["rust", "rusty", "go", "Grün", "grun", "東京都", "京", "the", "iPhone手机", "C++", "don't", "대한민국"];
const AUTHORS: [Option<&str>; 3] = [None, Some("Ada Lovelace"), Some("Grün, Ada")];
const URLS: [Option<&str>; 4] = [
    None,
    Some("https://www.example.com/2026/rust"),
    Some("http://example.com/go-rust"),
    Some("https://other.example/2026"),
];
const LANGUAGES: [Option<&str>; 4] = [None, Some("de"), Some("pt-BR"), Some("DE_at")];
const TYPES: [&[&str]; 4] = [&[], &["audio/mpeg"], &["Video/mp4", "image/png"], &["application/pdf"]];
/// Address, title, folder, language.
const FEEDS: [(&str, &str, &[&str], Option<&str>); 3] = [
    ("https://ars.example/feed", "Ars Technica", &["News", "Tech"], Some("en")),
    ("https://blog.example/rust.xml", "A rust blog", &["News"], None),
    ("https://www.tokyo.example/", "東京 daily", &[], Some("ja")),
];

fn made() -> impl Strategy<Value = Made> {
    let some = |most| proptest::collection::vec(0..WORDS.len(), 0..most);
    let texts =
        ((some(4), some(9), proptest::option::of(some(6))), 0..AUTHORS.len(), proptest::collection::vec(some(3), 0..3));
    let facts = (0..URLS.len(), 0..LANGUAGES.len(), prop_oneof![0_u32..5, 90_u32..2100], 0..TYPES.len());
    let passage = proptest::option::of(proptest::collection::vec(0..WORDS.len(), 1..3));
    let notes = prop_oneof![2 => Just(Vec::new()), 1 => proptest::collection::vec((passage, some(3)), 1..3)];
    let marks = (any::<(bool, bool, bool)>(), any::<(bool, bool, bool)>(), notes);
    (0..FEEDS.len(), -3_i64..100_000, texts, facts, marks).prop_map(
        |(feed, minutes, ((title, text, full), author, tags), (url, language, words, media), (marks, more, notes))| {
            Made { feed, minutes, title, text, full, author, tags, url, language, words, media, marks, more, notes }
        },
    )
}

/// Conditions that queries are made of.
const CONDITIONS: [&str; 84] = [
    "rust",
    "rus*",
    "gru*",
    "-rus*",
    "(rus* OR the*)",
    "title:rus*",
    "tag:rus*",
    "iph*",
    "go*",
    "ru*",
    "text:th*",
    "grün",
    "\"rust go\"",
    "\"the rust*",
    "东",
    "京",
    "京都",
    "東*",
    "手机",
    "\"iphone手\"",
    "c++",
    "c",
    "don't",
    "t",
    "민국",
    "nowhere",
    "title:rust",
    "title:\"go the\"",
    "text:京都",
    "author:ada",
    "author:\"ada lovelace\"",
    "tag:rust",
    "tag:\"rust go\"",
    "url:example.com",
    "url:2026",
    "url:https://www.example.com/2026/r*",
    "https://example.com/go-rust",
    "feed:ars",
    "feed:rust",
    "feed:tokyo.example",
    "feed:nowhere",
    "folder:news",
    "folder:news/tech",
    "folder:x",
    "lang:de",
    "lang:pt",
    "lang:pt-br",
    "lang:en",
    "lang:d*",
    "is:unread",
    "is:read",
    "is:starred",
    "is:updated",
    "is:hidden",
    "is:kept",
    "is:tagged",
    "is:highlighted",
    "is:noted",
    "-is:noted",
    "note:rust",
    "note:ru*",
    "note:\"go the\"",
    "note:京",
    "category:rust",
    "category:\"go the\"",
    "category:CODE",
    "category:c++/go",
    "category:nowhere",
    "has:audio",
    "has:video",
    "has:image",
    "has:enclosure",
    "after:2026-10",
    "before:2026-11-01",
    "during:2026-10",
    "after:30d",
    "during:\"last week\"",
    "before:1m",
    "words:>100",
    "words:<3",
    "words:0",
    "words:100..1000",
    "-",
    "*",
];

fn query() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(CONDITIONS.to_vec());
    let leaf = leaf.prop_map(|leaf| match leaf {
        "\"the rust*" => "\"the rust\"*".to_owned(),
        "lang:d*" => "lang:de-at".to_owned(),
        leaf => leaf.to_owned(),
    });
    leaf.prop_recursive(4, 14, 3, |inner| {
        prop_oneof![
            3 => proptest::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(" "))),
            2 => proptest::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(" OR "))),
            1 => inner.prop_map(|part| format!("-({part})")),
        ]
    })
}

/// Synonyms.
const MEANING: [(&str, &str); 3] = [("Rust", "code"), ("go rust", "code/both"), ("京", "東京都")];

fn synonyms() -> Synonyms {
    Synonyms::of(MEANING.map(|(category, means)| (category_key(category).unwrap(), category_key(means).unwrap())))
}

fn phrase_of(words: &[usize]) -> String {
    words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ")
}

fn new_item(number: usize, made: &Made) -> NewItem {
    let text = phrase_of(&made.text);
    NewItem {
        author: AUTHORS[made.author].map(str::to_owned),
        url: URLS[made.url].map(str::to_owned),
        language: LANGUAGES[made.language].map(str::to_owned),
        sort_at: now().timestamp_millis() - made.minutes * 60_000,
        word_count: made.words.into(),
        // Two words are a path in every other article.
        categories: made
            .tags
            .iter()
            .map(|tag| phrase_of(tag).replace(' ', if number.is_multiple_of(2) { " " } else { " / " }))
            .collect(),
        enclosures: TYPES[made.media]
            .iter()
            .map(|mime| Enclosure {
                url: "https://a.example/e".to_owned(),
                mime_type: Some((*mime).to_owned()),
                ..Enclosure::default()
            })
            .collect(),
        read: made.marks.0,
        ..article(&number.to_string(), &phrase_of(&made.title), &text)
    }
}

/// Returns the group of duplicates that an article belongs to; if it is in none, a group of its own.
fn group_of(id: i64, made: &Made) -> i64 {
    match made.minutes.rem_euclid(5) {
        group @ (0 | 1) => -1 - group,
        _ => id,
    }
}

/// Returns the first article of each group.
fn combined(ids: &[i64], articles: &[Made], there: &[(i64, usize)]) -> Vec<i64> {
    let mut seen = HashSet::new();
    ids.iter().copied().filter(|id| seen.insert(group_in(*id, articles, there))).collect()
}

fn group_in(id: i64, articles: &[Made], there: &[(i64, usize)]) -> i64 {
    let number = there.iter().find(|(other, _)| *other == id).unwrap().1;
    group_of(id, &articles[number])
}

/// Returns the notes that are not empty.
fn noted(made: &Made) -> Vec<(Option<String>, String)> {
    let notes = made.notes.iter().map(|(passage, note)| (passage.as_deref().map(phrase_of), phrase_of(note)));
    notes.filter(|(passage, note)| passage.is_some() || !note.is_empty()).collect()
}

async fn filled(articles: &[Made]) -> (tempfile::TempDir, Library, Vec<(i64, usize)>) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let mut feeds = Vec::new();
    for (url, title, path, language) in FEEDS {
        let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
        let new = NewSubscription {
            url: url.to_owned(),
            title: Some(title.to_owned()),
            folder: path,
            ..NewSubscription::default()
        };
        let feed = library.subscriptions().add(&new).await.unwrap();
        let facts = crate::FeedFacts { language: language.map(str::to_owned), ..crate::FeedFacts::default() };
        let incoming = Incoming { facts: Some(facts), ..Incoming::of_items(feed, Vec::new()) };
        library.polls().store(&[&incoming]).await.unwrap();
        feeds.push(feed);
    }
    let mut there = Vec::new();
    for (number, made) in articles.iter().enumerate() {
        // Words become common while articles are in the index already.
        for (when, words) in [(1, "('rust'), ('the'), ('iphone')"), (2, "('rusty'), ('grun'), ('rust')")] {
            if number == articles.len() * when / 3 {
                let sql = format!("INSERT OR IGNORE INTO search_common (word) VALUES {words}");
                sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(library.db.writer().await.connection()).await.unwrap();
            }
        }
        let mut item = new_item(number, made);
        if made.marks.2 {
            item.title = "as it was before".to_owned();
        }
        store(&library, feeds[made.feed], vec![Intent::Insert(Box::new(item))]).await;
        let id: i64 = sqlx::query_scalar("SELECT max(id) FROM items").fetch_one(&library.db.readers).await.unwrap();
        if number % 3 == 0 {
            index_all(&library, 5).await;
        }
        if made.marks.2 {
            store(&library, feeds[made.feed], vec![Intent::Update(id, Box::new(new_item(number, made)))]).await;
        }
        if let Some(full) = &made.full {
            library.articles().store_full_text(id, "https://a.example/full", &phrase_of(full), false, 1).await.unwrap();
        }
        if made.marks.1 {
            library.articles().mark(&[id], None, Some(true)).await.unwrap();
        }
        let (hidden, kept, tagged) = made.more;
        library.articles().set_marks(&[id], &[(Mark::Hidden, hidden), (Mark::Kept, kept)]).await.unwrap();
        library.tags().set(&[id], WORDS[0], tagged).await.unwrap();
        for (passage, note) in noted(made) {
            let quote = passage.map(|exact| crate::Quote { exact, ..crate::Quote::default() });
            library.notes().add(id, quote.as_ref(), 0, &note).await.unwrap();
        }
        if group_of(id, made) < 0 {
            let sql = format!("INSERT INTO stories (item_id, story_id) VALUES ({id}, {})", group_of(id, made));
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(library.db.writer().await.connection()).await.unwrap();
        }
        there.push((id, number));
    }
    for (category, means) in MEANING {
        library.categories().set_synonym(category, Some(means)).await.unwrap();
    }
    index_all(&library, 5).await;
    (folder, library, there)
}

/// Returns what the query finds when each article is checked.
fn matching(query: &Expr, articles: &[Made], there: &[(i64, usize)]) -> Vec<i64> {
    let own = [WORDS[0].to_owned()];
    let synonyms = synonyms();
    let answers = |number: usize| {
        let made = &articles[number];
        let item = new_item(number, made);
        let (address, title, path, language) = FEEDS[made.feed];
        let full = made.full.as_ref().map(|full| phrase_of(full));
        let text = searched_text(full.as_deref(), &phrase_of(&made.text));
        let media = match made.media {
            1 => vec![Media::Audio, Media::Enclosure],
            2 => vec![Media::Video, Media::Image, Media::Enclosure],
            3 => vec![Media::Enclosure],
            _ => Vec::new(),
        };
        let (hidden, kept, tagged) = made.more;
        if hidden && !query.asks_for_hidden() {
            return false;
        }
        let tags = [item.categories.as_slice(), if tagged { &own } else { &[] }].concat();
        let notes = noted(made);
        let note_words: Vec<String> =
            notes.iter().flat_map(|(passage, note)| [passage.clone().unwrap_or_default(), note.clone()]).collect();
        let article = Article {
            title: &item.title,
            author: item.author.as_deref().unwrap_or_default(),
            text: &text,
            tags: &tags,
            about: synonyms.all_of(&item.categories),
            url: item.url.as_deref().unwrap_or_default(),
            feed_title: title,
            feed_addresses: &[address],
            folder: &path.join(" / "),
            language: item.language.as_deref().or(language),
            date: item.sort_at,
            words: made.words,
            read: made.marks.0,
            starred: made.marks.1,
            updated: made.marks.2,
            hidden,
            kept,
            tagged,
            notes: &note_words,
            highlighted: notes.iter().any(|(passage, _)| passage.is_some()),
            noted: notes.iter().any(|(_, note)| !note.is_empty()),
            media,
        };
        query.matches(&Subject::of(&article), &now())
    };
    let mut found: Vec<i64> = there.iter().filter(|(_, number)| answers(*number)).map(|(id, _)| *id).collect();
    found.sort_unstable();
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 60, ..ProptestConfig::default() })]

    /// The index finds what checking each article finds: page by page, in order, each article and each group of duplicates once.
    #[test]
    fn the_index_finds_what_checking_each_article_finds(
        articles in proptest::collection::vec(made(), 1..14),
        queries in proptest::collection::vec(query(), 120),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (_folder, library, there) = filled(&articles).await;
            for written in &queries {
                let query = parse(written).unwrap_or_else(|error| panic!("{written}: {error}"));
                let expected = matching(&query, &articles, &there);
                let unread = matching(&Expr::and(vec![query.clone(), Expr::Is(State::Unread)]), &articles, &there);
                let unread = combined(&unread, &articles, &there).len();
                let expected = combined(&expected, &articles, &there);
                let counted = library.search().count_unread(&query, &now(), 3).await.unwrap();
                let most = u32::try_from(unread.min(3)).unwrap();
                prop_assert_eq!(counted, crate::UnreadFound { unread: most, more: unread > 3 }, "{}", written);
                for (order, limit) in [(SearchOrder::Date, 100), (SearchOrder::Date, 2), (SearchOrder::Rank, 3)] {
                    let (mut found, mut after) = (Vec::new(), None);
                    loop {
                        let (hits, more) = library.search().find(&query, &now(), SearchPage { order, after, limit }).await.unwrap();
                        prop_assert!(order == SearchOrder::Rank || hits.windows(2).all(|pair| pair[0].docid > pair[1].docid));
                        after = hits.last().map(Hit::cursor);
                        found.extend(hits.into_iter().map(|hit| hit.row.id));
                        if !more {
                            break;
                        }
                    }
                    if order == SearchOrder::Rank {
                        // Another article of the group may be found.
                        let groups: Vec<i64> = found.iter().map(|id| group_in(*id, &articles, &there)).collect();
                        let first = |id: &i64| groups.contains(&group_in(*id, &articles, &there));
                        prop_assert_eq!(found.len(), expected.len(), "{} = {}", written, query);
                        found = expected.iter().copied().filter(first).collect();
                    }
                    found.sort_unstable();
                    prop_assert_eq!(&found, &expected, "{} = {}, {:?} {}", written, query, order, limit);
                }
                let common = library.search().common(&query, SearchOrder::Date).await.unwrap();
                // There are three ways to find rare marks: all give the same.
                for plan in (Compiler {
                    feeds: &library.search().known_feeds().await.unwrap(),
                    now: &now(),
                    drift: 99_999_999,
                    hidden: query.asks_for_hidden(),
                    synonyms: &library.categories().synonym_map().await.unwrap(),
                    common: &common,
                })
                .plans(&query)
                {
                    for mark in &plan.marks {
                        if plan.hidden || !matches!(mark, State::Unread | State::Starred | State::Highlighted | State::Noted) {
                            continue;
                        }
                        let mut found = Vec::new();
                        for marked in [Marked::Checked, Marked::AtHand(*mark), Marked::LookedUp(*mark)] {
                            found.push(library.search().hits_by(&plan, marked, false, None, 100).await.unwrap());
                        }
                        prop_assert!(found[0] == found[1] && found[1] == found[2], "{} by {:?}", written, mark);
                        let mut pages = library.search().hits_among(&plan, *mark, None, 2).await.unwrap();
                        let after = pages.last().map(Hit::cursor);
                        if after.is_some() {
                            pages.extend(library.search().hits_among(&plan, *mark, after, 98).await.unwrap());
                        }
                        prop_assert!(pages == found[0], "{} among {:?}", written, mark);
                    }
                }
            }
            Ok(())
        })?;
    }
}
