//! Rules: their effect on new articles from every source, and that applying them later has the same effect.
#![allow(clippy::unwrap_used)]

use gleaner_library::{Action, Library, NewRule, NewSubscription, RuleScope, SearchChange, Source};
use gleaner_pipeline::{DAY, Scratch, now, rss, travel};
use gleaner_testserver::{Reply, Server};
use proptest::prelude::*;
use sqlx::Connection as _;
use std::sync::Arc;

fn rule(query: &str, actions: &[Action]) -> NewRule {
    NewRule { query: query.to_owned(), actions: actions.to_vec(), ..NewRule::default() }
}

fn tag(name: &str) -> Action {
    Action::Tag(name.to_owned())
}

/// Returns what rules did to the article with this title, in order.
async fn did(library: &Library, title: &str) -> Vec<(i64, String)> {
    let id = id_of(library, title).await;
    let touches = library.rules().applied_to(id).await.unwrap().into_iter();
    touches.flat_map(|touch| touch.did.into_iter().map(move |did| (touch.rule, did.to_string()))).collect()
}

async fn id_of(library: &Library, title: &str) -> i64 {
    for id in 1..1000 {
        if library.articles().get(id).await.unwrap().title == title {
            return id;
        }
    }
    panic!("no article {title}")
}

#[tokio::test]
async fn rules_run_in_the_transaction_that_stores_an_article() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let library = &scratch.library;
    server.on("/feed", Reply::ok(rss(&["Wheat", "Rye", "Oats"])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    let (all, _) = library
        .rules()
        .add(&rule("about wheat", &[Action::Star, Action::Keep, tag("To read"), Action::Notify]))
        .await
        .unwrap();
    let (muted, _) = library.rules().add(&rule("title:rye", &[Action::Hide, Action::FullText])).await.unwrap();
    let scope = RuleScope::Feed(feed);
    let (read, _) = library.rules().add(&NewRule { scope, ..rule("oats", &[Action::Read]) }).await.unwrap();

    let summary = scratch.refresh().await;
    let wheat = id_of(library, "Wheat").await;
    assert_eq!((summary.items_new, summary.notify), (3, vec![wheat]));
    assert_eq!(scratch.titles(Source::All).await, ["Wheat", "Oats"]);
    assert_eq!(scratch.titles(Source::Unread).await, ["Wheat"]);
    assert_eq!(scratch.titles(Source::Starred).await, ["Wheat"]);
    assert_eq!(scratch.titles(Source::Hidden).await, ["Rye"]);
    assert_eq!(library.snapshot().await.unwrap().article(wheat).await.unwrap().tags, ["To read"]);
    let star = |action: &str| (all, action.to_owned());
    assert_eq!(did(library, "Wheat").await, ["star", "keep", "tag:To read", "notify"].map(star));
    assert_eq!(did(library, "Rye").await, [(muted, "hide".to_owned()), (muted, "text".to_owned())]);
    assert_eq!(did(library, "Oats").await, [(read, "read".to_owned())]);
    let count = library.counts().by_feed().await.unwrap()[0];
    assert_eq!((count.items, count.unread, count.starred), (2, 1, 1));
    assert!(library.check(false).await.unwrap().findings.is_empty());

    // Later changes by the user stay: a changed article does not run through the rules again.
    library.articles().mark(&[wheat], None, Some(false)).await.unwrap();
    server.on("/feed", Reply::ok(rss(&["Wheat", "Rye", "Oats"]).replace("About Wheat", "All about wheat")));
    assert_eq!(scratch.refresh().await.items_changed, 1);
    assert!(scratch.titles(Source::Starred).await.is_empty());

    // A deleted rule is still named where it had an effect.
    library.rules().delete(all).await.unwrap();
    let touch = library.rules().applied_to(wheat).await.unwrap().remove(0);
    assert!(touch.deleted && touch.name == "about wheat", "{touch:?}");
}

#[tokio::test]
async fn a_rule_of_a_newer_version_is_skipped() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/feed", Reply::ok(rss(&["Wheat"])));
    scratch.subscribe(&server.url("/feed")).await;
    let (id, _) = scratch.library.rules().add(&rule("wheat", &[Action::Star])).await.unwrap();
    let (other, _) = scratch.library.rules().add(&rule("wheat", &[Action::Keep])).await.unwrap();
    scratch.library.rules().add(&rule("wheat", &[Action::Read])).await.unwrap();
    let Scratch { folder, library, poller, .. } = scratch;
    drop(poller);
    Arc::into_inner(library).unwrap().close().await.unwrap();
    let newer = format!(
        "UPDATE rules SET query = 'has:mood' WHERE id = {id}; UPDATE rules SET actions = '[\"sing\"]' WHERE id = {other}"
    );
    let mut connection =
        sqlx::SqliteConnection::connect(&format!("sqlite://{}", folder.path().join("library.sqlite").display()))
            .await
            .unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(newer)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();

    let scratch = Scratch::reopen(folder).await;
    let summary = scratch.refresh().await;
    assert_eq!((summary.items_new, summary.failed), (1, 0));
    assert!(scratch.titles(Source::Unread).await.is_empty(), "the third rule runs");
    let rules = scratch.library.rules().list().await.unwrap();
    assert!(rules[0].broken.as_ref().unwrap().contains("has:"), "{:?}", rules[0]);
    assert!(rules[1].broken.as_ref().unwrap().contains("sing"), "{:?}", rules[1]);
    assert_eq!(rules[2].broken, None);
    // It can be disabled, and is stored unchanged.
    scratch.library.rules().set_enabled(other, false).await.unwrap();
    assert!(scratch.library.rules().get(other).await.unwrap().broken.is_some());
}

#[tokio::test]
async fn a_saved_search_notifies_of_new_matches_once() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let library = &scratch.library;
    let searches = library.saved_searches();
    let wheat = searches.add("Wheat", "title:wheat is:unread").await.unwrap();
    let rye = searches.add("Rye", "title:rye").await.unwrap();
    searches.add("Silent", "title:oats").await.unwrap();
    let on = SearchChange { notify: Some(true), ..SearchChange::default() };
    searches.change(wheat, on).await.unwrap();
    searches.change(rye, on).await.unwrap();
    let (rule_id, _) = library.rules().add(&rule("wheat", &[Action::Notify])).await.unwrap();
    library.rules().add(&rule("title:rye", &[Action::Read])).await.unwrap();
    server.on("/feed", Reply::ok(rss(&["Wheat", "Rye", "Oats"])));
    scratch.subscribe(&server.url("/feed")).await;
    // By the rule and the search together, and not of what a rule has marked as read.
    assert_eq!(scratch.refresh().await.notify, [id_of(library, "Wheat").await]);
    assert_eq!(did(library, "Wheat").await, [(rule_id, "notify".to_owned())]);
}

#[tokio::test]
async fn rules_run_when_a_scheduled_article_is_stored_and_notify_when_it_is_shown() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.scheduled().set_enabled(true).await.unwrap();
    let tomorrow = chrono::DateTime::from_timestamp_millis(now() + DAY).unwrap().to_rfc2822();
    let feed = rss(&["Wheat"]).replace("Fri, 20 Nov 2026 01:00:00 GMT", &tomorrow);
    server.on("/feed", Reply::ok(feed));
    scratch.subscribe(&server.url("/feed")).await;
    let (id, _) =
        scratch.library.rules().add(&rule("wheat", &[Action::Star, tag("grain"), Action::Notify])).await.unwrap();
    let summary = scratch.refresh().await;
    assert_eq!((summary.items_new, summary.notify.len()), (0, 0));
    assert!(scratch.list(Source::Starred).await.is_empty());
    // The rule as it is then applies to later articles.
    scratch.library.rules().delete(id).await.unwrap();
    travel(2 * DAY);
    let summary = scratch.refresh().await;
    assert_eq!((summary.items_new, summary.notify.len()), (1, 1));
    assert_eq!(scratch.titles(Source::Starred).await, ["Wheat"]);
    let grain = scratch.library.tags().list().await.unwrap().remove(0);
    assert_eq!((grain.name.as_str(), grain.items), ("grain", 1));
}

#[tokio::test]
async fn rules_apply_to_older_articles_without_notifications() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let next = server.url("/older");
    let linked = rss(&["New"]).replace(
        "<channel>",
        &format!("<channel><atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"{next}\"/>"),
    );
    server.on("/feed", Reply::ok(linked));
    server.on("/older", Reply::ok(rss(&["Wheat", "Rye"])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.library.rules().add(&rule("wheat is:read", &[Action::Star, Action::Notify])).await.unwrap();
    scratch.library.rules().add(&rule("rye is:unread", &[Action::Star])).await.unwrap();
    scratch.refresh().await;
    scratch.backfill(feed, 9).await;
    assert_eq!(scratch.titles(Source::Starred).await, ["Wheat"], "older articles are stored as read");
    assert_eq!(did(&scratch.library, "Wheat").await.len(), 1);
}

#[tokio::test]
async fn a_rule_that_marks_as_read_includes_duplicates() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    for path in ["/one", "/two"] {
        server.on(path, Reply::ok(rss(&["Wheat"])));
    }
    scratch.subscribe(&server.url("/one")).await;
    scratch.refresh().await;
    assert_eq!(scratch.list(Source::Unread).await.len(), 1);
    let two = scratch.subscribe(&server.url("/two")).await;
    scratch
        .library
        .rules()
        .add(&NewRule { scope: RuleScope::Feed(two), ..rule("", &[Action::Read]) })
        .await
        .unwrap_err();
    let named = NewRule { name: "Two".to_owned(), scope: RuleScope::Feed(two), ..rule("", &[Action::Read]) };
    scratch.library.rules().add(&named).await.unwrap();
    scratch.refresh_due().await;
    assert!(scratch.list(Source::Unread).await.is_empty());
}

const QUERIES: [&str; 16] = [
    "wheat",
    "rye OR oats",
    "-wheat",
    "\"about wheat\"",
    "title:bar*",
    "is:unread",
    "is:read -rye",
    "is:starred",
    "is:hidden",
    "-is:hidden oats",
    "is:kept OR is:tagged",
    "tag:grain",
    "feed:mill",
    "folder:land",
    "after:2026-11-20 words:<9",
    "url:example.com/barley",
];
const WORDS: [&str; 5] = ["Wheat", "Rye", "Oats", "Barley", "Bread"];

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let one = prop::sample::select(vec![
        Action::Read,
        Action::Star,
        Action::Hide,
        Action::Keep,
        Action::FullText,
        tag("grain"),
        tag("GRAIN "),
        tag("later"),
    ]);
    proptest::collection::vec(one, 1..4)
}

/// Returns a library with two feeds, one of them in a folder, and rules, enabled or disabled.
async fn prepared(server: &Server, rules: &[(usize, usize, Vec<Action>)], at_work: bool) -> (Scratch, Vec<i64>) {
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let folder = vec!["Land".to_owned(), "Inner".to_owned()];
    let new =
        NewSubscription { url: server.url("/mill"), title: Some("The Mill".to_owned()), folder, ..Default::default() };
    let mill = library.subscriptions().add(&new).await.unwrap();
    scratch.subscribe(&server.url("/sea")).await;
    let land = library.folders().list().await.unwrap()[0].id;
    let mut ids = Vec::new();
    for (query, scope, actions) in rules {
        let scope = [RuleScope::Everywhere, RuleScope::Feed(mill), RuleScope::Folder(land)][*scope];
        let (id, _) = library.rules().add(&NewRule { scope, ..rule(QUERIES[*query], actions) }).await.unwrap();
        library.rules().set_enabled(id, at_work).await.unwrap();
        ids.push(id);
    }
    scratch.refresh().await;
    (scratch, ids)
}

/// Returns everything that rules can have done to each article.
async fn made(library: &Library) -> Vec<String> {
    let mut all = Vec::new();
    for id in 1.. {
        let Ok(item) = library.articles().get(id).await else { break };
        let tags: Vec<String> = library
            .snapshot()
            .await
            .unwrap()
            .article(id)
            .await
            .unwrap()
            .tags
            .iter()
            .map(|name| name.to_lowercase())
            .collect();
        let touches: Vec<(i64, Vec<Action>)> =
            library.rules().applied_to(id).await.unwrap().into_iter().map(|touch| (touch.rule, touch.did)).collect();
        all.push(format!(
            "{} {}: read {}, starred {}, hidden {}, kept {}, {tags:?}, {touches:?}",
            item.feed_id, item.title, item.read, item.starred, item.hidden, item.kept
        ));
    }
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 40, ..ProptestConfig::default() })]

    /// Applying rules to new articles has the same effect as applying them to all articles later, one after the other.
    #[test]
    fn rules_affect_new_articles_as_stored_ones(
        rules in proptest::collection::vec((0..QUERIES.len(), 0..3_usize, actions()), 1..7),
        mill in proptest::sample::subsequence(WORDS.to_vec(), 0..=5),
        sea in proptest::sample::subsequence(WORDS.to_vec(), 0..=5),
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async {
            let server = Server::start().await;
            // Different addresses, so that they are not duplicates.
            server.on("/mill", Reply::ok(rss(&mill)));
            server.on("/sea", Reply::ok(rss(&sea).replace("https://example.com/", "https://sea.example/")));
            let (at_once, _) = prepared(&server, &rules, true).await;
            let (afterwards, ids) = prepared(&server, &rules, false).await;
            let before = made(&afterwards.library).await;
            let mut steps = Vec::new();
            for id in ids {
                let done = gleaner_search::apply(&afterwards.library, id, &chrono::Local::now(), |_| true).await.unwrap();
                steps.push(done.unwrap().step);
            }
            prop_assert_eq!(made(&at_once.library).await, made(&afterwards.library).await);
            for library in [&at_once.library, &afterwards.library] {
                prop_assert!(library.check(false).await.unwrap().findings.is_empty());
            }
            // Each step can be undone.
            for step in steps.into_iter().rev() {
                afterwards.library.undo(step).await.unwrap();
            }
            prop_assert_eq!(made(&afterwards.library).await, before);
            Ok(())
        })?;
    }
}
