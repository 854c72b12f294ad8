#![allow(clippy::unwrap_used)]
use super::*;
use crate::{Body, Fault, Incoming, Intent, Library, NewItem, NewSubscription, Texts, archive, recover};
use futures::TryStreamExt as _;
use std::path::Path;

const ARTICLES: i64 = 2_200;

fn html(number: i64) -> String {
    let sentence =
        |at: i64| format!("<p class=\"paragraph lead\">Sentence {} of {number} says a word.</p>", at * number % 97);
    format!("<article><h2>Number {number}</h2>{}</article>", (0..number % 7 + 2).map(sentence).collect::<String>())
}

fn item(number: i64, html: String) -> NewItem {
    let summary = (number % 3 == 0).then(|| Body { html: format!("<i>In short</i> {number}"), base: None });
    let body = Body { html, base: Some(format!("https://a.example/{number}")) };
    let texts = Texts::pack(Some(&body), summary.as_ref());
    let categories = vec!["tag".to_owned()];
    let title = format!("Article {number}");
    NewItem { key: number.to_string(), title, digest: vec![0; 16], texts, categories, ..NewItem::default() }
}

async fn store(library: &Library, intents: Vec<Intent>) {
    let incoming = Incoming::of_items(1, intents);
    library.polls().store(&[&incoming]).await.unwrap();
}

async fn filled(folder: &Path, articles: i64) -> Library {
    let library = Library::open(folder).await.unwrap();
    let feed = library.subscriptions().add(&NewSubscription::new("https://a.example/")).await.unwrap();
    assert_eq!(feed, 1);
    store(&library, (1..=articles).map(|number| Intent::Insert(Box::new(item(number, html(number))))).collect()).await;
    library
}

async fn pack(library: &Library) -> usize {
    let mut articles = 0;
    while let Some(slice) = library.dictionaries().recompress_texts().await.unwrap() {
        articles += slice.articles;
    }
    articles
}

async fn assert_same(library: &Library, articles: i64) {
    for number in 1..=articles {
        let text = library.articles().text(number).await.unwrap();
        let (content, summary) = (text.content.unwrap(), text.summary.map(|summary| summary.html));
        assert_eq!((content.html, content.base), (html(number), Some(format!("https://a.example/{number}"))));
        assert_eq!(summary, (number % 3 == 0).then(|| format!("<i>In short</i> {number}")));
        assert_eq!(text.categories, ["tag"]);
    }
}

async fn bytes(library: &Library) -> i64 {
    let sql = "SELECT sum(ifnull(length(content), 0) + ifnull(length(summary), 0)) FROM bodies";
    sqlx::query_scalar(sql).fetch_one(&library.db.readers).await.unwrap()
}

async fn dictionaries(library: &Library) -> Vec<(i64, i64)> {
    let sql = "SELECT id, count(*) FROM dictionaries GROUP BY id ORDER BY made_at";
    sqlx::query_as(sql).fetch_all(&library.db.readers).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn compressed_texts_are_small_and_readable_by_every_process() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path(), ARTICLES).await;
    // Another process that opened before there was a dictionary.
    let other = Library::open(folder.path()).await.unwrap();
    let before = bytes(&library).await;
    let packed = pack(&library).await;
    assert!((ARTICLES - 256..=ARTICLES).contains(&i64::try_from(packed).unwrap()), "{packed}");
    let after = bytes(&library).await;
    assert!(after * 2 < before, "{before} bytes, then {after}");
    assert_same(&library, ARTICLES).await;
    assert_same(&other, ARTICLES).await;
    let made = dictionaries(&library).await;
    assert!(made.len() == 1 && made[0].0 > 1 && made[0].1 == 2, "{made:?}");
    // Later texts use the same dictionary.
    let more = (ARTICLES + 1..=ARTICLES + 256).map(|number| Intent::Insert(Box::new(item(number, html(number)))));
    store(&other, more.collect()).await;
    assert!(pack(&other).await >= 256);
    assert_eq!(dictionaries(&library).await, made);
    assert_same(&library, ARTICLES + 256).await;
    assert!(library.check(false).await.unwrap().is_intact());
}

#[tokio::test(flavor = "multi_thread")]
async fn too_few_articles_are_not_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path(), 300).await;
    assert_eq!((pack(&library).await, dictionaries(&library).await), (0, Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_between_a_dictionary_and_its_use_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path(), ARTICLES).await;
    let (id, _) = library.dictionaries().dictionary().await.unwrap().unwrap();
    drop(library);
    let library = Library::open(folder.path()).await.unwrap();
    assert_same(&library, 100).await;
    library.dictionaries().recompress_texts().await.unwrap().unwrap();
    drop(library);
    // Some are compressed with it and some are not.
    let library = Library::open(folder.path()).await.unwrap();
    assert_same(&library, ARTICLES).await;
    pack(&library).await;
    assert_eq!(dictionaries(&library).await, [(id, 2)]);
    assert_same(&library, ARTICLES).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_during_compression_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path(), ARTICLES).await;
    let (codec, encoder) = library.dictionaries().dictionary().await.unwrap().unwrap();
    let sql = format!("SELECT {COLUMNS} FROM bodies WHERE item_id <= 20 ORDER BY item_id");
    let rows: Vec<Row> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&library.db.readers).await.unwrap();
    let texts: Vec<_> = rows.iter().map(|row| library.dictionaries().texts_of(row)).collect();
    let packed = packed(codec, &encoder, &texts).unwrap();
    store(&library, vec![Intent::Update(7, Box::new(item(7, "<p>changed</p>".repeat(30))))]).await;
    let mut writer = library.db.writer().await;
    let mut transaction = writer.begin().await.unwrap();
    sqlx::query("DELETE FROM items WHERE id = 9").execute(&mut *transaction).await.unwrap();
    rewrite(&mut transaction, &rows, packed).await.unwrap();
    transaction.commit().await.unwrap();
    drop(writer);
    assert_eq!(library.articles().text(7).await.unwrap().content.unwrap().html, "<p>changed</p>".repeat(30));
    assert!(matches!(library.articles().text(9).await, Err(LibraryError::NotFound(_))));
    assert_same(&library, 6).await;
    let codecs: Vec<i64> = sqlx::query_scalar("SELECT codec FROM bodies WHERE item_id <= 8 AND codec = ?")
        .bind(codec)
        .fetch_all(&library.db.readers)
        .await
        .unwrap();
    assert_eq!(codecs.len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_text_compressed_differently_is_no_new_version() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path(), ARTICLES).await;
    pack(&library).await;
    store(&library, vec![Intent::Update(5, Box::new(item(5, html(5))))]).await;
    assert_eq!(library.versions().of_article(5).await.unwrap(), []);
    store(&library, vec![Intent::Update(6, Box::new(item(6, "other".to_owned())))]).await;
    assert_eq!(library.versions().of_article(6).await.unwrap()[0].content.as_ref().unwrap().html, html(6));
    // The former text needs no dictionary.
    let codec: i64 = sqlx::query_scalar("SELECT codec FROM versions").fetch_one(&library.db.readers).await.unwrap();
    assert!(codec < FIRST, "{codec}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_reads_texts_of_every_codec() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path(), ARTICLES).await;
    pack(&library).await;
    let full = "INSERT INTO full_texts (item_id, url, codec, content, fetched_at) SELECT item_id, 'u', codec, content, 1 FROM bodies WHERE item_id = 5";
    sqlx::raw_sql(full).execute(library.db.writer().await.connection()).await.unwrap();
    let fresh = Library::open(folder.path()).await.unwrap();
    assert_eq!(fresh.articles().full_text(5).await.unwrap().unwrap().body.html, html(5));
    let fresh = Library::open(folder.path()).await.unwrap();
    let mut snapshot = fresh.archive().snapshot().await.unwrap();
    let items: Vec<archive::ItemRecord> = snapshot.records().try_collect().await.unwrap();
    assert_eq!(items.len(), usize::try_from(ARTICLES).unwrap());
    assert!(items.iter().all(|item| item.content.as_ref().unwrap().html == html(item.item)));
    let settings = snapshot.settings().await.unwrap();
    assert!(settings.iter().all(|(key, _)| key != "packed_up_to"), "{settings:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_copy_is_reported_and_repaired_from_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path(), ARTICLES).await;
    pack(&library).await;
    let spoil = async |which: &str| {
        let sql = format!("UPDATE dictionaries SET content = zeroblob(length(content)) {which}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(library.db.writer().await.connection()).await.unwrap();
    };
    spoil("WHERE copy = 1").await;
    let fresh = Library::open(folder.path()).await.unwrap();
    assert_same(&fresh, 200).await;
    let found = fresh.check(false).await.unwrap().findings;
    assert_eq!((found.len(), found[0].count, found[0].repaired), (1, 1, false), "{found:?}");
    assert!(fresh.check(true).await.unwrap().is_intact());
    assert_eq!(fresh.check(false).await.unwrap().findings, []);
    // Both unreadable texts are counted.
    spoil("").await;
    let fresh = Library::open(folder.path()).await.unwrap();
    let error = fresh.articles().text(1).await.unwrap_err();
    assert!(matches!(error, LibraryError::Damaged { .. }), "{error}");
    let found = fresh.check(true).await.unwrap();
    let lost: Vec<_> = found.findings.iter().map(|found| (&found.fault, found.count)).collect();
    assert_eq!(lost.first(), Some(&(&Fault::LostDictionaries, 1)));
    assert!(*lost[1].0 == Fault::UnreadableTexts && lost[1].1 > 2000, "{lost:?}");
    assert!(!found.is_intact());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovered_library_can_read_its_texts() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path(), ARTICLES).await;
    pack(&library).await;
    library.close().await.unwrap();
    let recovered = recover(folder.path()).await.unwrap();
    assert_eq!((recovered.articles, recovered.lost.len()), (ARTICLES, 0));
    let library = Library::open(folder.path()).await.unwrap();
    assert_same(&library, ARTICLES).await;
    assert_eq!(dictionaries(&library).await[0].1, 2);
}

#[tokio::test]
async fn long_texts_are_compressed_in_small_slices() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path(), ARTICLES).await;
    pack(&library).await;
    let long = |number| Intent::Insert(Box::new(item(number, html(number).repeat(400))));
    store(&library, (ARTICLES + 1..=ARTICLES + 400).map(long).collect()).await;
    let dictionaries = library.dictionaries();
    let slices = [dictionaries.recompress_texts().await.unwrap(), dictionaries.recompress_texts().await.unwrap()];
    let [before, slice] = slices.map(Option::unwrap);
    assert!(before.articles < 256 && slice.articles < 100, "{before:?}, {slice:?}");
    let number = ARTICLES + i64::try_from(slice.articles).unwrap();
    let after = library.articles().text(number).await.unwrap().content.unwrap().html;
    assert_eq!(after, html(number).repeat(400));
}
