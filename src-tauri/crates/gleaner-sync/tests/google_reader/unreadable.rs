//! Articles that can't be read, marks that are not accepted, and downloads that stop: each is about itself only.

use super::*;
use gleaner_sync::Delayed;
use gleaner_testserver::faults::Fault;
use serde_json::json;

impl World {
    /// Gives an article values of other types than the usual ones.
    fn spoil(&self, back: usize, values: serde_json::Value) {
        let mut state = self.server.state();
        let id = *state.entries.keys().rev().nth(back).unwrap();
        state.entries.get_mut(&id).unwrap().values = values;
    }

    /// Replaces the client by one that reads only small responses.
    fn read_only(&mut self, bytes: u64) {
        let base = Url::parse(&self.server.server.url("/api/greader.php")).unwrap();
        let fetcher = Fetcher::new(Limits { body: bytes, ..Limits::default() }).unwrap();
        let connection = Connection { fetcher, base, certificate: None };
        self.client = GoogleReader::new(connection, "alice".to_owned(), "sesame".to_owned());
    }
}

#[tokio::test]
async fn articles_with_values_of_other_types_are_read() {
    let mut world = World::new(Dialect::FreshRss, 1, 6).await;
    let all = ["categories", "enclosure", "alternate", "canonical", "summary", "title", "author", "published"];
    for (back, other) in [json!(null), json!(3.5), json!("text"), json!([{}])].into_iter().enumerate() {
        world.spoil(back, all.iter().map(|name| ((*name).to_owned(), other.clone())).collect());
    }
    world.spoil(4, json!({ "id": null }));
    let report = world.sync().await.unwrap();
    assert_eq!(report.new, 5, "all but the one without an id");
    world.spoil(4, json!(null));
    assert_eq!(world.sync().await.unwrap().new, 1);
    let (here, there) = world.both().await;
    assert_eq!(here, there);
}

#[tokio::test]
async fn json_that_begins_with_a_mark_or_has_half_a_character_is_read() {
    let mut world = World::new(Dialect::FreshRss, 1, 1).await;
    let id = *world.server.state().entries.keys().next().unwrap();
    let text = format!(
        "\u{feff}{{\"items\":[{{\"id\":\"{id}\",\"title\":\"Half \\ud83d\tone\",\"origin\":{{\"streamId\":\"feed/1\"}},\"categories\":[]}}]}}"
    );
    world.server.state().replies.insert("/stream/items/contents".to_owned(), Reply::ok(text));
    assert_eq!(world.sync().await.unwrap().new, 1);
    let title = world.library.articles().get(world.id(0).await).await.unwrap().title;
    assert_eq!(title, "Half \u{fffd}\tone");
}

#[tokio::test]
async fn an_article_that_is_too_large_is_left_out_once() {
    let mut world = World::new(Dialect::FreshRss, 1, 40).await;
    world.read_only(60_000);
    world.spoil(7, json!({ "title": "x".repeat(70_000) }));
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.unreadable), (39, 1));
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert!(world.bodies("/stream/items/contents").is_empty(), "it is not requested each time");
}

#[tokio::test]
async fn a_mark_that_is_not_accepted_waits_alone() {
    for refused in [vec![5], vec![0, 1, 2, 3], vec![17, 18, 19]] {
        let mut world = World::new(Dialect::FreshRss, 1, 20).await;
        world.sync().await.unwrap();
        let ids: Vec<i64> = world.server.state().entries.keys().copied().collect();
        world.server.state().refused_articles = refused.iter().map(|at| ids[*at]).collect();
        let mut all = Vec::new();
        for back in 0..20 {
            all.push(world.id(back).await);
        }
        world.library.articles().mark(&all, Some(true), None).await.unwrap();
        world.server.state().add("feed/1");
        let report = world.sync().await.unwrap();
        assert_eq!(report.new, 1, "reading goes on");
        assert!(report.delayed.iter().all(|delayed| delayed.refused && delayed.title.starts_with("Article ")));
        for _ in 0..3 {
            world.sync().await.unwrap();
        }
        let read = |state: &gleaner_testserver::google_reader::State| state.entries.values().filter(|e| e.read).count();
        assert_eq!(read(&world.server.state()), 20 - refused.len(), "{refused:?}");
        let waiting = world.library.sync().pending_marks(world.account, None, 99).await.unwrap();
        assert_eq!(waiting.len(), refused.len(), "nothing is lost");
        world.server.state().refused_articles.clear();
        assert_eq!(world.sync().await.unwrap().sent, refused.len());
    }
}

#[tokio::test]
async fn a_server_that_accepts_no_mark_is_not_asked_for_each() {
    let mut world = World::new(Dialect::FreshRss, 1, 200).await;
    world.sync().await.unwrap();
    let known = world.library.sync().known(world.account).await.unwrap();
    let all: Vec<i64> = known.values().filter_map(|known| known.item).collect();
    world.library.articles().mark(&all, Some(true), Some(true)).await.unwrap();
    for reply in
        [Reply::status(422), Reply::status(502), Reply::ok("<html>"), Reply::status(302).header("Location", "/")]
    {
        world.server.state().replies.insert("/edit-tag".to_owned(), reply);
        world.server.server.forget_requests();
        let report = world.sync().await.unwrap();
        let sent = world.bodies("/edit-tag").iter().filter(|body| !body.is_empty()).count();
        assert!(!report.delayed.is_empty() && sent < 40, "{sent}");
    }
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().sent, 400);
}

#[tokio::test]
async fn a_change_of_a_subscription_that_is_answered_otherwise_waits() {
    let mut world = World::new(Dialect::FreshRss, 1, 1).await;
    world.sync().await.unwrap();
    let feed = world.library.sync().feeds(world.account).await.unwrap()["feed/1"];
    world.library.feeds().rename(feed, "Mine").await.unwrap();
    for reply in [Reply::ok("<html>Log in</html>"), Reply::ok(""), Reply::status(302).header("Location", "/elsewhere")]
    {
        world.server.state().replies.insert("/subscription/edit".to_owned(), reply);
        world.server.state().add("feed/1");
        let report = world.sync().await.unwrap();
        let waits = vec![Delayed { title: "Mine".to_owned(), refused: false }];
        assert_eq!((report.new, report.delayed), (1, waits));
    }
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().changes_sent, 1);
}

#[tokio::test]
async fn an_interrupted_download_resumes() {
    let mut world = World::new(Dialect::FreshRss, 1, 1500).await;
    world.server.state().entries.values_mut().for_each(|entry| entry.read = true);
    let stop = |world: &World, requests: usize| {
        let mut plan = vec![Fault::None; requests];
        plan.push(Fault::Before(Reply::status(429)));
        world.server.state().faults.plan(plan);
    };
    // After the login, the subscriptions, the labels, the lists, and the first articles.
    for requests in [7, 6, 6] {
        stop(&world, requests);
        world.sync().await.unwrap_err();
        world.server.state().faults.plan(Vec::new());
    }
    world.sync().await.unwrap();
    let known = |library: Arc<Library>, account: i64| async move { library.sync().known(account).await.unwrap().len() };
    assert_eq!(known(world.library.clone(), world.account).await, 1500);
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    let asked = world.server.server.requests();
    assert!(asked.iter().all(|request| !request.target.contains("n=10000&") || request.target.contains("xt=")));
    // The same after some time.
    for _ in 0..1400 {
        let id = world.server.state().add("feed/1");
        world.server.state().entries.get_mut(&id).unwrap().read = true;
    }
    stop(&world, 7);
    world.sync().await.unwrap_err();
    world.server.state().faults.plan(Vec::new());
    world.sync().await.unwrap();
    assert_eq!(known(world.library.clone(), world.account).await, 2900);
}

#[tokio::test]
async fn a_label_without_a_name_holds_up_nothing() {
    let mut world = World::new(Dialect::FreshRss, 1, 3).await;
    world.sync().await.unwrap();
    for label in ["   ", "\u{a0}", "kept"] {
        world.server.state().entries.values_mut().next().unwrap().labels.insert(label.to_owned());
    }
    world.server.state().add("feed/1");
    assert_eq!(world.sync().await.unwrap().new, 1);
    assert_eq!(world.library.tags().list().await.unwrap().len(), 1);
}

#[tokio::test]
async fn many_labels_are_read_some_at_a_time() {
    let mut world = World::new(Dialect::FreshRss, 1, 1).await;
    for number in 0..90 {
        world.server.state().entries.values_mut().next().unwrap().labels.insert(format!("label {number}"));
    }
    world.sync().await.unwrap();
    assert_eq!(world.library.tags().list().await.unwrap().len(), 90);
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert!(world.server.server.requests().len() < 40);
    // One that was sent is read at once, so that it is known to be the server's.
    for number in 0..5 {
        world.library.tags().set(&[world.id(0).await], &format!("mine {number}"), true).await.unwrap();
        world.server.server.forget_requests();
        world.sync().await.unwrap();
        let sent = format!("label%2Fmine+{number}&");
        assert!(world.server.server.requests().iter().any(|request| request.target.contains(&sent)), "{sent}");
        world.library.tags().set(&[world.id(0).await], &format!("mine {number}"), false).await.unwrap();
        world.sync().await.unwrap();
    }
    world.server.state().entries.values_mut().next().unwrap().labels.remove("label 7");
    let taken =
        async |world: &World| world.library.tags().list().await.unwrap().iter().map(|tag| tag.items).sum::<i64>();
    for _ in 0..60 {
        world.sync().await.unwrap();
        if taken(&world).await == 89 {
            return;
        }
    }
    panic!("the label was not read again");
}
