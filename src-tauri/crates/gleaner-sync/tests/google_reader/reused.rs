//! Servers that count ids, and that were installed again or replaced by others: the known ids are those of other articles.

use super::*;
use gleaner_testserver::google_reader::{Entry, State};
use serde_json::json;
use std::collections::BTreeSet;

fn numbered(number: i64) -> Entry {
    Entry {
        feed: "feed/1".to_owned(),
        title: format!("Article {number}"),
        values: json!({ "canonical": [{ "href": url(number) }], "published": 1_795_000_000 + 100 * number }),
        ..Entry::default()
    }
}

/// Gives a server these articles, with ids from 1 on.
fn fill(state: &mut State, articles: impl Iterator<Item = i64>) {
    state.entries = (1..).zip(articles.map(numbered)).collect();
}

/// The articles 20 to 79, in another order.
fn later() -> impl Iterator<Item = i64> {
    (0..60).map(|at| 20 + (at * 7 + 3) % 60)
}

fn url(number: i64) -> String {
    format!("http://site.test/{number}")
}

/// Numbers of the articles of the server with a mark.
fn marked(state: &State, is_marked: fn(&Entry) -> bool) -> BTreeSet<i64> {
    let number = |entry: &Entry| entry.title.trim_start_matches("Article ").parse().unwrap();
    state.entries.values().filter(|entry| is_marked(entry)).map(number).collect()
}

impl World {
    /// A server with the articles 0 to 59.
    async fn numbered() -> Self {
        let mut world = Self::new(Dialect::Miniflux, 1, 0).await;
        fill(&mut world.server.state(), 0..60);
        assert_eq!(world.sync().await.unwrap().new, 60);
        world
    }

    /// Read and starred of the articles here, by their numbers.
    async fn here(&self) -> BTreeMap<i64, (bool, bool)> {
        let query = gleaner_library::ListQuery::newest(gleaner_library::Source::All, 1000);
        let mut here = BTreeMap::new();
        for row in self.library.lists().page(query).await.unwrap().0 {
            let number = row.title.trim_start_matches("Article ").parse().unwrap();
            assert!(here.insert(number, (row.read, row.starred)).is_none(), "article {number} is here twice");
        }
        here
    }

    /// Numbers of the articles here that have a star.
    async fn stars(&self) -> BTreeSet<i64> {
        let query = gleaner_library::ListQuery::newest(gleaner_library::Source::Starred, 1000);
        let rows = self.library.lists().page(query).await.unwrap().0;
        rows.into_iter().map(|row| row.title.trim_start_matches("Article ").parse().unwrap()).collect()
    }

    async fn mark(&self, numbers: std::ops::Range<i64>, read: Option<bool>, starred: Option<bool>) {
        let query = gleaner_library::ListQuery::newest(gleaner_library::Source::All, 1000);
        let rows = self.library.lists().page(query).await.unwrap().0;
        let is_one = |title: &str| numbers.clone().any(|number| title == format!("Article {number}"));
        let ids: Vec<i64> = rows.iter().filter(|row| is_one(&row.title)).map(|row| row.id).collect();
        self.library.articles().mark(&ids, read, starred).await.unwrap();
    }

    /// Checks that the marks here and there are those of the right articles: 0 to 9 starred here only, 20 to `read` read.
    async fn check_numbers(&mut self, read: i64) {
        for _ in 0..2 {
            self.sync().await.unwrap();
        }
        let expected: BTreeMap<i64, (bool, bool)> =
            (0..80).map(|number| (number, ((20..read).contains(&number), number < 10))).collect();
        assert_eq!(self.here().await, expected);
        let state = self.server.state();
        assert_eq!(marked(&state, |entry| entry.read), (20..read).collect());
        assert_eq!(marked(&state, |entry| entry.starred), BTreeSet::new());
    }
}

#[tokio::test]
async fn marks_that_wait_while_a_server_is_installed_again_go_to_their_articles() {
    for waiting in [true, false] {
        let mut world = World::numbered().await;
        world.mark(0..10, None, Some(true)).await;
        assert_eq!(world.sync().await.unwrap().sent, 10);
        let read = if waiting { 45 } else { 20 };
        world.mark(20..read, Some(true), None).await;
        fill(&mut world.server.state(), later());
        world.check_numbers(read).await;
    }
}

#[tokio::test]
async fn a_server_that_was_installed_again_is_noticed_when_an_article_arrives() {
    let mut world = World::numbered().await;
    fill(&mut world.server.state(), later());
    world.sync().await.unwrap();
    world.server.state().entries.insert(61, numbered(0));
    world.server.server.forget_requests();
    world.sync().await.unwrap();
    assert_eq!(world.here().await.keys().copied().collect::<Vec<_>>(), (0..80).collect::<Vec<_>>());
    world.server.server.forget_requests();
    world.sync().await.unwrap();
    assert_eq!(world.bodies("/stream/items/contents").len(), 0, "nothing is in doubt any more");
}

#[tokio::test]
async fn another_server_at_a_new_address_gets_the_marks_of_its_articles_only() {
    for dialect in [Dialect::Miniflux, Dialect::FreshRss] {
        let mut world = World::numbered().await;
        world.mark(0..10, None, Some(true)).await;
        world.sync().await.unwrap();
        world.mark(20..30, Some(true), None).await;
        let other = TestServer::start(dialect, 1, 0).await;
        fill(&mut other.state(), later());
        let base =
            Url::parse(&other.server.url(if dialect == Dialect::FreshRss { "/api/greader.php" } else { "/" })).unwrap();
        let account = Account { url: base.to_string(), ..world.account().await };
        world.library.accounts().set_login(&account).await.unwrap();
        assert_eq!(world.account().await.synced_at, None);
        let connection = Connection { fetcher: fetcher(), base, certificate: None };
        world.client = GoogleReader::new(connection, "alice".to_owned(), "sesame".to_owned());
        world.server = other;
        world.check_numbers(30).await;
    }
}

#[tokio::test]
async fn looking_at_articles_before_they_are_marked_adds_no_request() {
    let mut world = World::numbered().await;
    // Its contents show that the server tells read from starred.
    world.mark(50..51, Some(true), None).await;
    world.sync().await.unwrap();
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    let without = world.server.server.requests().len();
    world.mark(3..5, Some(true), Some(true)).await;
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().sent, 4);
    // The two changes, and the contents of the articles in place of the lists of what is unread and starred.
    assert_eq!(world.server.server.requests().len(), without + 3);
    world.server.server.forget_requests();
    world.server.state().entries.get_mut(&7).unwrap().read = true;
    assert_eq!(world.sync().await.unwrap().changed, 1);
    assert_eq!(world.server.server.requests().len(), without, "a mark that was set is in no doubt");
}

#[tokio::test]
async fn a_server_that_gives_the_star_as_read_gets_all_marks() {
    for knows_read in [false, true] {
        let mut world = World::numbered().await;
        if knows_read {
            world.mark(50..51, Some(true), None).await;
        }
        world.mark(0..2, None, Some(true)).await;
        world.sync().await.unwrap();
        for (id, entry) in &mut world.server.state().entries {
            // As Miniflux of 2022: read if there is a star, and only then. The ids of the articles begin with 1.
            let states = if *id <= 2 { vec!["read", "starred"] } else { vec![] };
            let states: Vec<String> = states.iter().map(|state| format!("user/1/state/com.google/{state}")).collect();
            entry.values["categories"] = json!(states);
        }
        // Article 2 was read there meanwhile: sending the mark again would remove it.
        world.server.state().entries.get_mut(&3).unwrap().read = true;
        world.mark(0..4, Some(true), None).await;
        world.sync().await.unwrap();
        let mut read: BTreeSet<i64> = (0..4).collect();
        read.extend(knows_read.then_some(50));
        assert_eq!(marked(&world.server.state(), |entry| entry.read), read);
        let edits: Vec<_> =
            world.bodies("/edit-tag").into_iter().filter(|body| body.contains("item%2F0000000000000003")).collect();
        assert!(edits.is_empty(), "{edits:?}");
    }
}

#[tokio::test]
async fn marks_of_articles_below_those_that_a_new_installation_has_go_to_their_articles() {
    let mut world = World::numbered().await;
    world.server.state().entries.extend((100..200).map(|number| (number + 200, numbered(number))));
    world.sync().await.unwrap();
    // The new installation has none of the twenty latest articles with waiting marks.
    world.mark(180..200, Some(true), None).await;
    world.mark(20..25, Some(true), None).await;
    fill(&mut world.server.state(), later());
    for _ in 0..2 {
        world.sync().await.unwrap();
    }
    assert_eq!(marked(&world.server.state(), |entry| entry.read), (20..25).collect());
}

#[tokio::test]
async fn stars_below_thousands_of_articles_that_a_new_installation_lacks_stay() {
    let mut world = World::numbered().await;
    world.mark(0..40, None, Some(true)).await;
    world.sync().await.unwrap();
    world
        .server
        .state()
        .entries
        .extend((0..10_000).map(|at| (20_000 + at, Entry { read: true, ..numbered(1000 + at) })));
    world.sync().await.unwrap();
    fill(&mut world.server.state(), later());
    world.sync().await.unwrap();
    assert_eq!(world.stars().await, (0..40).collect());
}
