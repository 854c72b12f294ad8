#![allow(clippy::unwrap_used)]
use super::{compile::FIRST_PARAMETER, *};
use crate::{Body, CommonWords, Incoming, Intent, Library, NewItem, NewSubscription, Texts, Unindexed};
use chrono::{FixedOffset, Utc};
use gleaner_query::{Synonyms, parse};

mod duplicates;
mod property;

const HOUR: i64 = 3_600_000;

fn now() -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339("2026-11-21T12:00:00+01:00").unwrap()
}

/// Returns the searched text of an article from its full text and its feed's.
fn searched_text(full: Option<&str>, own: &str) -> String {
    full.map_or_else(|| own.to_owned(), |full| format!("{full}\n\n{own}"))
}

/// These texts are not HTML, so they are their own plain text.
fn text(article: &Unindexed) -> String {
    let own = article.content.as_ref().map(|body| body.html.as_str()).unwrap_or_default();
    searched_text(article.full.as_ref().map(|body| body.html.as_str()), own)
}

async fn index_all(library: &Library, at_once: usize) {
    let common = library.search_index().common_words().await.unwrap();
    loop {
        let batch = library.search_index().pending(None, at_once).await.unwrap();
        if batch.is_empty() {
            return;
        }
        let indexed: Vec<_> = batch.iter().map(|article| article.indexed(&text(article), &common)).collect();
        library.search_index().add(&indexed).await.unwrap();
    }
}

async fn store(library: &Library, feed: i64, intents: Vec<Intent>) {
    let incoming = Incoming::of_items(feed, intents);
    library.polls().store(&[&incoming]).await.unwrap();
}

fn article(key: &str, title: &str, text: &str) -> NewItem {
    let body = Body { html: text.to_owned(), base: None };
    NewItem {
        key: key.to_owned(),
        title: title.to_owned(),
        sort_at: now().timestamp_millis(),
        digest: blake3::hash(format!("{title}{text}").as_bytes()).as_bytes().to_vec(),
        texts: Texts::pack(Some(&body), None),
        ..NewItem::default()
    }
}

struct Scratch {
    library: Library,
    feed: i64,
    folder: tempfile::TempDir,
}

async fn scratch() -> Scratch {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
    Scratch { library, feed, folder }
}

impl Scratch {
    async fn add(&self, articles: Vec<NewItem>) {
        store(&self.library, self.feed, articles.into_iter().map(|item| Intent::Insert(Box::new(item))).collect())
            .await;
        index_all(&self.library, 64).await;
    }

    async fn titles(&self, query: &str) -> Vec<String> {
        titles(&self.library, query, SearchOrder::Date).await
    }
}

async fn titles(library: &Library, query: &str, order: SearchOrder) -> Vec<String> {
    let query = parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let (hits, _) = library.search().find(&query, &now(), SearchPage::first(order, 100)).await.unwrap();
    hits.into_iter().map(|hit| hit.row.title).collect()
}

#[tokio::test]
async fn finds_words_of_every_script() {
    let scratch = scratch().await;
    let texts = [
        ("zh", "我喜欢东京都的夜景。"),
        ("ja", "彼はﾌﾟﾛｸﾞﾗﾐﾝｸﾞが好きです"),
        ("th", "ฉันรักประเทศไทยมาก"),
        ("ko", "대한민국의 수도는 서울이다"),
        ("ar", "كِتَابٌ أَحْمَد الجديد"),
        ("he", "שָׁלוֹם עולם"),
        ("de", "Die Straße nach Köln, schöne GRÜẞE"),
        ("el", "Ο Οδυσσεύς γύρισε"),
        ("ru", "Ёлка и мой йогурт"),
        ("tr", "İstanbul'da ışık"),
        ("hi", "हिन्दी में समाचार"),
        ("my", "မြန်မာနိုင်ငံ"),
        ("km", "ប្រទេសកម្ពុជា"),
        ("fr", "L’été où cœur et naïveté"),
    ];
    scratch.add(texts.iter().map(|(language, text)| article(language, language, text)).collect()).await;
    for (query, language) in [
        ("东京", "zh"),
        ("京", "zh"),
        ("景", "zh"),
        ("京都的夜", "zh"),
        ("プログラ", "ja"),
        ("好", "ja"),
        ("グラミングが", "ja"),
        ("ไทย", "th"),
        ("ประเทศ", "th"),
        ("민국", "ko"),
        ("서울", "ko"),
        ("도", "ko"),
        ("كتاب", "ar"),
        ("احمد", "ar"),
        ("أحمد", "ar"),
        ("שלום", "he"),
        ("strasse", "de"),
        ("STRASSE", "de"),
        ("koln", "de"),
        ("Köln", "de"),
        ("grüsse", "de"),
        ("schon*", "de"),
        ("οδυσσευς", "el"),
        ("ΟΔΥΣΣΕΎΣ", "el"),
        ("елка", "ru"),
        ("мой", "ru"),
        ("istanbul", "tr"),
        ("ISTANBUL", "tr"),
        ("isik", "tr"),
        ("समाचार", "hi"),
        ("နိုင်ငံ", "my"),
        ("កម្ពុជា", "km"),
        ("ete", "fr"),
        ("coeur", "fr"),
        ("naivete", "fr"),
        ("\"l'été où\"", "fr"),
    ] {
        assert_eq!(scratch.titles(query).await, [language], "{query}");
    }
    for nothing in ["都京", "мои", "समाच", "\"cœur et où\"", "streets"] {
        assert!(scratch.titles(nothing).await.is_empty(), "{nothing}");
    }
}

#[tokio::test]
async fn newest_first_in_any_order_of_receipt_and_with_equal_dates() {
    let scratch = scratch().await;
    let same = now().timestamp_millis() - 48 * HOUR;
    let dated =
        |number: i64, date| NewItem { sort_at: date, ..article(&number.to_string(), &number.to_string(), "same word") };
    let mut articles: Vec<NewItem> = (0..700).map(|number| dated(number, same)).collect();
    articles.extend((700..720).map(|number| dated(number, same - (number - 690) * 60_000)));
    articles.extend((720..740).map(|number| dated(number, same + (number - 719) * 30_000)));
    scratch.add(articles).await;
    let listed = scratch.library.lists().page(crate::ListQuery::newest(crate::Source::All, 1000)).await.unwrap().0;
    let query = parse("word").unwrap();
    for limit in [7, 1000] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let (hits, more) = scratch
                .library
                .search()
                .find(&query, &now(), SearchPage { order: SearchOrder::Date, after, limit })
                .await
                .unwrap();
            after = hits.last().map(Hit::cursor);
            found.extend(hits.into_iter().map(|hit| hit.row.sort_at));
            if !more {
                break;
            }
        }
        assert_eq!(found.len(), 740);
        // 700 articles of one moment reach down over almost twelve minutes, among those of these minutes.
        let listed: Vec<i64> = listed.iter().map(|row| row.sort_at).collect();
        assert!(found.iter().zip(&listed).all(|(found, listed)| (found - listed).abs() < 12 * 60_000));
    }
    let before = format!("word before:{}", DateTime::<Utc>::from_timestamp_millis(same).unwrap().format("%Y-%m-%d"));
    let expected = listed.iter().filter(|row| row.sort_at < parse_date(&before)).count();
    assert_eq!(scratch.titles(&before).await.len(), expected.min(100));
    let drift = scratch.library.settings().get("search_drift").await.unwrap();
    assert!(drift.unwrap().parse::<i64>().unwrap() >= 699);
}

fn parse_date(query: &str) -> i64 {
    match parse(query).unwrap() {
        Expr::And(parts) => match &parts[1] {
            Expr::Before(date) => date.range(&now()).start,
            _ => unreachable!(),
        },
        _ => unreachable!(),
    }
}

#[tokio::test]
async fn the_queue_survives_interruptions() {
    let scratch = scratch().await;
    let articles =
        (0..20).map(|n| Intent::Insert(Box::new(article(&n.to_string(), &n.to_string(), "grain")))).collect();
    store(&scratch.library, scratch.feed, articles).await;
    let state = scratch.library.search_index().state().await.unwrap();
    assert_eq!((state.indexed, state.waiting), (0, 20));
    assert!(scratch.titles("grain").await.is_empty());
    let batch = scratch.library.search_index().pending(None, 15).await.unwrap();
    let indexed: Vec<_> =
        batch.iter().map(|article| article.indexed(&text(article), &CommonWords::default())).collect();
    // The indexer dies before it writes, …
    let Scratch { library, feed, folder } = scratch;
    drop(library);
    let library = Library::open(folder.path()).await.unwrap();
    assert_eq!(library.search_index().state().await.unwrap().waiting, 20);
    // … and before the batch is written, one of its articles changes and another is deleted.
    let (changed, gone) = (indexed[0].item(), indexed[1].item());
    store(&library, feed, vec![Intent::Update(changed, Box::new(article("19", "19", "chaff")))]).await;
    let mut writer = library.db.writer().await;
    let mut transaction = writer.begin().await.unwrap();
    sqlx::query("DELETE FROM items WHERE id = ?").bind(gone).execute(&mut *transaction).await.unwrap();
    transaction.commit().await.unwrap();
    drop(writer);
    library.search_index().add(&indexed).await.unwrap();
    // Another indexer writes the same batch.
    library.search_index().add(&indexed).await.unwrap();
    let state = library.search_index().state().await.unwrap();
    assert_eq!((state.indexed, state.waiting), (13, 6));
    index_all(&library, 4).await;
    assert_eq!(library.search_index().state().await.unwrap(), crate::IndexState { indexed: 19, waiting: 0 });
    assert_eq!(titles(&library, "grain", SearchOrder::Date).await.len(), 18);
    assert_eq!(titles(&library, "chaff", SearchOrder::Date).await, ["19"]);
    assert_eq!(titles(&library, "is:updated", SearchOrder::Date).await, ["19"]);
    // Changed again: the former text is not found. Unsubscribed: nothing is, and everything after restoring.
    let id = library
        .search()
        .find(&parse("chaff").unwrap(), &now(), SearchPage::first(SearchOrder::Date, 1))
        .await
        .unwrap()
        .0[0]
        .row
        .id;
    store(&library, feed, vec![Intent::Update(id, Box::new(article("19", "19", "straw")))]).await;
    index_all(&library, 4).await;
    assert!(titles(&library, "chaff", SearchOrder::Date).await.is_empty());
    assert_eq!(titles(&library, "straw", SearchOrder::Date).await, ["19"]);
    let step = library.feeds().unsubscribe(&[feed]).await.unwrap().step;
    assert!(titles(&library, "grain OR straw", SearchOrder::Date).await.is_empty());
    library.undo(step).await.unwrap();
    assert_eq!(titles(&library, "grain OR straw", SearchOrder::Date).await.len(), 19);
    // Deleted.
    let mut writer = library.db.writer().await;
    let mut transaction = writer.begin().await.unwrap();
    sqlx::query("DELETE FROM feeds").execute(&mut *transaction).await.unwrap();
    transaction.commit().await.unwrap();
    drop(writer);
    assert_eq!(library.search_index().state().await.unwrap(), crate::IndexState { indexed: 0, waiting: 0 });
    let left: Vec<i64> = sqlx::query_scalar("SELECT rowid FROM search WHERE search MATCH 'grain OR straw'")
        .fetch_all(&library.db.readers)
        .await
        .unwrap();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn the_rest_stays_queued_when_others_write() {
    let scratch = scratch().await;
    let articles = (0..100).map(|n| Intent::Insert(Box::new(article(&n.to_string(), "grain", "grain")))).collect();
    store(&scratch.library, scratch.feed, articles).await;
    let batch = scratch.library.search_index().pending(None, 100).await.unwrap();
    let indexed: Vec<_> =
        batch.iter().map(|article| article.indexed(&text(article), &CommonWords::default())).collect();
    let mut writer = scratch.library.db.writer().await;
    let mut transaction = writer.begin().await.unwrap();
    let done = crate::table::search::index(&mut transaction, &indexed, || true).await.unwrap();
    transaction.commit().await.unwrap();
    drop(writer);
    let left = i64::try_from(100 - done).unwrap();
    assert!(done > 0 && left > 0, "{done}");
    assert_eq!(
        scratch.library.search_index().state().await.unwrap(),
        crate::IndexState { indexed: 100 - left, waiting: left }
    );
    assert_eq!(scratch.titles("grain").await.len(), done);
    index_all(&scratch.library, 64).await;
    assert_eq!(scratch.titles("grain").await.len(), 100);
}

#[tokio::test]
async fn common_words_come_from_the_index_and_are_found_by_prefix() {
    let scratch = scratch().await;
    // The same as with several thousand articles.
    let texts = (0..4200_usize).map(|n| format!("common number{} rare{n}", n % 3));
    let intents =
        texts.enumerate().map(|(n, text)| Intent::Insert(Box::new(article(&n.to_string(), &n.to_string(), &text))));
    store(&scratch.library, scratch.feed, intents.collect()).await;
    assert!(scratch.library.search_index().common_words().await.unwrap().is_empty());
    index_all(&scratch.library, 500).await;
    let common = scratch.library.search_index().common_words().await.unwrap();
    assert!(common.has("common") && common.has("number2") && !common.has("rare7") && !common.has("\u{e001}"));
    scratch.add(vec![article("a", "after", "common number9 rare"), article("b", "other", "rarely")]).await;
    for (query, found) in [
        ("com*", 100),
        ("num* rare", 1),
        ("rar* title:after", 1),
        ("co* title:after", 1),
        ("ra* -com*", 1),
        ("nu* -number0 -number1 -number2", 1),
    ] {
        assert_eq!(scratch.titles(query).await.len(), found, "{query}");
    }
}

#[tokio::test]
async fn a_library_without_an_index_is_indexed_later() {
    let scratch = scratch().await;
    let mut writer = scratch.library.db.writer().await;
    let mut transaction = writer.begin().await.unwrap();
    // As before the fifth migration.
    sqlx::raw_sql(
        "DROP TRIGGER items_to_search; DROP TRIGGER items_to_search_anew; DROP TRIGGER items_not_to_search;
         DROP TABLE search; DROP TABLE search_docs; DROP TABLE search_queue; DELETE FROM settings WHERE key = 'search_drift';
         DELETE FROM _sqlx_migrations WHERE version = 5; PRAGMA user_version = 3;",
    )
    .execute(&mut *transaction)
    .await
    .unwrap();
    transaction.commit().await.unwrap();
    drop(writer);
    let articles = (0..5).map(|n| Intent::Insert(Box::new(article(&n.to_string(), "old", "grain")))).collect();
    store(&scratch.library, scratch.feed, articles).await;
    scratch.library.close().await.unwrap();
    let library = Library::open(scratch.folder.path()).await.unwrap();
    assert_eq!(library.search_index().state().await.unwrap(), crate::IndexState { indexed: 0, waiting: 5 });
    index_all(&library, 2).await;
    assert_eq!(titles(&library, "grain", SearchOrder::Date).await.len(), 5);
}

#[tokio::test]
async fn rank_orders_by_frequency_page_by_page() {
    let scratch = scratch().await;
    let mut articles: Vec<NewItem> = (0..30)
        .map(|n| article(&n.to_string(), &format!("t{n}"), &format!("wheat {}", "filler ".repeat(n * 3))))
        .collect();
    articles.push(article("x", "Wheat", "nothing more"));
    articles.extend((40..80).map(|n| article(&n.to_string(), "other", "no such thing")));
    scratch.add(articles).await;
    let whole = titles(&scratch.library, "wheat", SearchOrder::Rank).await;
    assert_eq!((whole.len(), whole[0].as_str(), whole[1].as_str()), (31, "Wheat", "t0"));
    let (query, mut found, mut after) = (parse("wheat").unwrap(), Vec::new(), None);
    loop {
        let (hits, more) = scratch
            .library
            .search()
            .find(&query, &now(), SearchPage { order: SearchOrder::Rank, after, limit: 4 })
            .await
            .unwrap();
        after = hits.last().map(Hit::cursor);
        found.extend(hits.into_iter().map(|hit| hit.row.title));
        if !more {
            break;
        }
    }
    assert_eq!(found, whole);
}

#[tokio::test]
async fn answers_the_deepest_and_the_longest_query() {
    let scratch = scratch().await;
    scratch.add(vec![article("1", "one", "grain")]).await;
    let mut deep = String::from("grain");
    for level in 0.. {
        let next = if level % 2 == 0 { format!("(x OR {deep})") } else { format!("(grain {deep})") };
        if parse(&next).is_err() {
            break;
        }
        deep = next;
    }
    assert_eq!(scratch.titles(&deep).await, ["one"]);
    for part in ["-a ", "grain ", "a OR ", "is:unread ", "-is:read ", "(a OR is:unread) ", "grain "] {
        let mut long = part.repeat(gleaner_query::MAX_QUERY / part.len() - 3);
        long.push_str("grain");
        assert_eq!(scratch.titles(&long).await, ["one"], "{part}");
    }
    for (start, part, end) in
        [("-(is:read ", "-a ", ")"), ("-(is:read OR ", "-grain OR ", "x)"), ("(feed:x OR ", "a OR ", "grain)")]
    {
        let long = format!("{start}{}{end}", part.repeat(gleaner_query::MAX_QUERY / part.len() - 9));
        let (found, _) = scratch
            .library
            .search()
            .find(&parse(&long).unwrap(), &now(), SearchPage::first(SearchOrder::Date, 9))
            .await
            .unwrap();
        assert!(found.len() <= 1, "{start}");
    }
}

#[tokio::test]
async fn pages_by_date_read_the_index_without_sorting() {
    let scratch = scratch().await;
    let feeds = scratch.library.search().known_feeds().await.unwrap();
    let common = Common::from([("pre".to_owned(), vec!["prefix".to_owned()])]);
    let synonyms = Synonyms::default();
    let compiler =
        Compiler { feeds: &feeds, now: &now(), drift: 0, hidden: false, synonyms: &synonyms, common: &common };
    for (query, marked) in [
        ("word", Marked::Checked),
        ("\"a phrase\" pre* -not", Marked::Checked),
        ("word feed:a.example lang:de has:audio after:7d before:today words:>100", Marked::Checked),
        ("word is:unread", Marked::Checked),
        ("word is:starred", Marked::AtHand(State::Starred)),
        ("is:unread", Marked::AtHand(State::Unread)),
        ("word (other OR is:starred)", Marked::Checked),
        ("category:news/regional", Marked::Checked),
        ("category:news is:unread -word", Marked::Checked),
        ("word is:starred", Marked::LookedUp(State::Starred)),
        ("word is:unread", Marked::LookedUp(State::Unread)),
        ("word", Marked::Numbered),
        ("is:unread words:>9", Marked::Numbered),
    ] {
        for plan in compiler.plans(&parse(query).unwrap()) {
            let numbered = || combined::numbered(&plan, &[1, 2]).unwrap().0;
            let plan = if marked == Marked::Numbered { numbered() } else { plan };
            for sql in [page_sql(&plan, marked, false, false), page_of("d.item_id", &plan, marked, false, false)] {
                let sql = format!("EXPLAIN QUERY PLAN {sql}");
                let mut statement =
                    sqlx::query_as::<_, (i64, i64, i64, String)>(sqlx::AssertSqlSafe(sql)).bind(&plan.matching);
                for _ in 1..FIRST_PARAMETER - 1 {
                    statement = statement.bind(0);
                }
                for parameter in &plan.parameters {
                    statement = statement.bind(parameter);
                }
                let steps = statement.fetch_all(&scratch.library.db.readers).await.unwrap();
                for (.., step) in &steps {
                    let walks_index = step.starts_with("SCAN search VIRTUAL TABLE")
                        || step.starts_with("SCAN json_each VIRTUAL TABLE")
                        || step.contains("INDEX states_")
                        || step.contains("INDEX feeds_unsubscribed");
                    assert!(walks_index || !step.starts_with("SCAN"), "{query}: {step}");
                    let sorts_a_few = matches!(marked, Marked::LookedUp(_) | Marked::Numbered);
                    assert!(sorts_a_few || !step.contains("TEMP B-TREE"), "{query}: {step}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_scheduled_article_is_found_at_its_date_once_it_is_released() {
    let scratch = scratch().await;
    let (received, due) = (now().timestamp_millis() - 900 * HOUR, now().timestamp_millis() - 9 * HOUR);
    scratch.library.scheduled().set_enabled(true).await.unwrap();
    let scheduled = NewItem { sort_at: received, due_at: Some(due), ..article("1", "scheduled", "wheat") };
    let between = NewItem { sort_at: received + HOUR, ..article("2", "between", "wheat") };
    scratch.add(vec![scheduled, between]).await;
    assert_eq!(scratch.titles("wheat").await, ["between"]);
    // Its row is being written when it is released.
    let sql = "INSERT INTO search_queue (item_id, stamp) VALUES (1, 1)";
    sqlx::raw_sql(sql).execute(scratch.library.db.writer().await.connection()).await.unwrap();
    let read = scratch.library.search_index().pending(None, 1).await.unwrap();
    scratch.library.scheduled().release_due(now().timestamp_millis()).await.unwrap();
    let late = read[0].indexed(&text(&read[0]), &CommonWords::default());
    assert_eq!(scratch.library.search_index().add(&[late]).await.unwrap().articles, 0);
    index_all(&scratch.library, 64).await;
    assert_eq!(scratch.titles("wheat").await, ["scheduled", "between"]);
    assert_eq!(scratch.titles("wheat after:yesterday").await, ["scheduled"]);
    assert_eq!(scratch.library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn articles_are_found_by_a_language_that_their_feed_stated_later() {
    let scratch = scratch().await;
    let polish = NewItem { language: Some("pl".to_owned()), ..article("2", "Polish", "wheat") };
    scratch.add(vec![article("1", "imported", "wheat"), polish]).await;
    assert_eq!(scratch.titles("lang:de").await, [""; 0]);
    // A server that alternates between two languages does not have all articles indexed with each poll.
    for (language, waiting) in [("de", 1), ("de", 0), ("en", 0)] {
        let facts = Some(crate::FeedFacts { language: Some(language.to_owned()), ..crate::FeedFacts::default() });
        let incoming = Incoming { facts, ..Incoming::of_items(scratch.feed, Vec::new()) };
        scratch.library.polls().store(&[&incoming]).await.unwrap();
        assert_eq!(scratch.library.search_index().state().await.unwrap().waiting, waiting);
        index_all(&scratch.library, 64).await;
        assert_eq!(scratch.titles("lang:de").await, ["imported"]);
    }
}
