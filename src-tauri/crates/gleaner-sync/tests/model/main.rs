//! The engine against a model of a server with every fault, and a real library: after any marks, undo steps, interruptions and kills, both
//! agree in the end, and no mark that the user set is lost. An engine that trusts partial lists fails this test.
#![allow(clippy::unwrap_used)]

mod server;

use async_trait::async_trait;
use gleaner_library::{Account, FeedChange, Library, MarkKind, NewAccount, RemoteFeed};
use gleaner_polling::rules::Rules;
use gleaner_sync::{Abilities, Changed, Ids, Labels, List, Options, RemoteArticle, Report, Server, SyncError, sync};
use proptest::prelude::*;
use server::{Changing, Fault, Marks, Model, set};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};
use tokio_util::sync::CancellationToken;

/// What happens. Articles are numbers; even ones are marked here, odd ones on the server.
#[derive(Debug, Clone)]
enum Act {
    Mark {
        item: i64,
        read: Option<bool>,
        starred: Option<bool>,
    },
    /// Undoes the last mark.
    Undo,
    MarkThere {
        item: i64,
        read: bool,
        on: bool,
    },
    /// The server receives an article, …
    Arrive,
    /// … or deletes one.
    Purge(i64),
    Sync(Vec<Option<Fault>>),
    /// The program ends and starts again.
    Restart,
}

struct World {
    folder: tempfile::TempDir,
    library: Option<Library>,
    account: i64,
    model: Model,
    /// What the user set last: read and starred of even articles.
    wanted: BTreeMap<i64, Marks>,
    undo: Vec<(i64, BTreeMap<i64, Marks>)>,
    next: i64,
}

impl World {
    async fn new(model: Model) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let new =
            NewAccount { kind: "model".to_owned(), name: "Model".to_owned(), history: 1000, ..NewAccount::default() };
        let account = library.accounts().add(&new).await.unwrap();
        let next = model.state.lock().unwrap().items.len() as i64;
        Self { folder, library: Some(library), account, model, wanted: BTreeMap::new(), undo: Vec::new(), next }
    }

    fn library(&self) -> &Library {
        self.library.as_ref().unwrap()
    }

    async fn account(&self) -> Account {
        self.library().accounts().get(self.account).await.unwrap()
    }

    /// Synchronises, until the end, an error or a kill.
    async fn sync(&self) -> Option<Result<Report, SyncError>> {
        let (account, mut server) = (self.account().await, self.model.clone());
        let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
        tokio::select! {
            biased;
            () = self.model.killed.notified() => None,
            done = async {
                if server.changing {
                    let mut server = Changing(server);
                    sync(self.library(), &account, &mut server, &rules, &options, &cancel).await
                } else {
                    sync(self.library(), &account, &mut server, &rules, &options, &cancel).await
                }
            } => Some(done),
        }
    }

    async fn local(&self) -> BTreeMap<i64, Marks> {
        let mut local = BTreeMap::new();
        for (id, known) in self.library().sync().known(self.account).await.unwrap() {
            if let Some(item) = known.item {
                let row = self.library().articles().get(item).await.unwrap();
                local.insert(id.parse().unwrap(), Marks { read: row.read, starred: row.starred });
            }
        }
        local
    }

    async fn act(&mut self, act: &Act) {
        match act {
            Act::Mark { item, read, starred } => {
                let item = item * 2;
                let known = self.library().sync().known(self.account).await.unwrap();
                let Some(id) = known.get(&item.to_string()).and_then(|known| known.item) else { return };
                let before = self.wanted.clone();
                let step = self.library().articles().mark(&[id], *read, *starred).await.unwrap().step;
                let row = self.library().articles().get(id).await.unwrap();
                self.wanted.insert(item, Marks { read: row.read, starred: row.starred });
                self.undo.push((step, before));
            }
            Act::Undo => {
                let Some((step, before)) = self.undo.pop() else { return };
                self.library().undo(step).await.unwrap();
                for (item, marks) in &mut self.wanted {
                    *marks = before.get(item).copied().unwrap_or_default();
                }
            }
            Act::MarkThere { item, read, on } => {
                let mut state = self.model.state.lock().unwrap();
                if let Some(marks) = state.items.get_mut(&(item * 2 + 1)) {
                    set(marks, if *read { &MarkKind::Read } else { &MarkKind::Starred }, *on);
                }
            }
            Act::Arrive => {
                self.model.state.lock().unwrap().items.insert(self.next, Marks::default());
                self.next += 1;
            }
            Act::Purge(item) => drop(self.model.state.lock().unwrap().items.remove(item)),
            Act::Sync(faults) => {
                self.model.state.lock().unwrap().faults.clone_from(faults);
                drop(self.sync().await);
                self.model.state.lock().unwrap().faults.clear();
            }
            Act::Restart => {
                self.library.take().unwrap().close().await.unwrap();
                self.library = Some(Library::open(self.folder.path()).await.unwrap());
                self.undo.clear();
            }
        }
    }

    /// The user's marks are as the user set them, whatever the server did.
    async fn check(&self) -> Result<(), String> {
        let local = self.local().await;
        for (item, wanted) in &self.wanted {
            if local.get(item) != Some(wanted) {
                return Err(format!("article {item} is {:?} and not {wanted:?}", local.get(item)));
            }
        }
        Ok(())
    }

    /// Both agree, without faults.
    async fn settle(&self) -> Result<(), String> {
        self.model.state.lock().unwrap().faults.clear();
        for _ in 0..2 {
            self.sync().await.ok_or("killed")?.map_err(|error| error.to_string())?;
        }
        self.check().await?;
        let pending = self.library().sync().pending_marks(self.account, None, 99).await.unwrap();
        if !pending.is_empty() {
            return Err(format!("still to send: {pending:?}"));
        }
        let (local, there) = (self.local().await, self.model.state.lock().unwrap().items.clone());
        for (item, marks) in &there {
            if local.get(item) != Some(marks) {
                return Err(format!("article {item} is {:?} here and {marks:?} there", local.get(item)));
            }
        }
        Ok(())
    }
}

fn run(model: Model, acts: &[Act]) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut world = World::new(model).await;
        for act in acts {
            world.act(act).await;
            world.check().await.map_err(|why| format!("after {act:?}: {why}"))?;
        }
        world.settle().await
    })
}

fn fault() -> impl Strategy<Value = Option<Fault>> {
    use Fault::{AnswerLost, KillAfter, KillBefore, NotAList, Offline, Partial};
    let faults = prop::sample::select(vec![Offline, AnswerLost, KillBefore, KillAfter, Partial, Partial, NotAList]);
    prop_oneof![4 => Just(None), 1 => faults.prop_map(Some)]
}

fn act() -> impl Strategy<Value = Act> {
    let marks = (0..6_i64, any::<Option<bool>>(), any::<Option<bool>>());
    prop_oneof![
        4 => marks.prop_map(|(item, read, starred)| Act::Mark { item, read, starred }),
        1 => Just(Act::Undo),
        2 => (0..6_i64, any::<bool>(), any::<bool>()).prop_map(|(item, read, on)| Act::MarkThere { item, read, on }),
        1 => Just(Act::Arrive),
        1 => (0..12_i64).prop_map(Act::Purge),
        5 => prop::collection::vec(fault(), 0..14).prop_map(Act::Sync),
        1 => Just(Act::Restart),
    ]
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    prop::collection::vec(act(), 1..16).prop_map(|mut acts| {
        acts.insert(0, Act::Sync(Vec::new()));
        acts
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_agree_in_the_end_and_no_mark_is_lost(acts in acts()) {
        run(Model::with(12), &acts).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn both_agree_if_the_server_reports_changes(acts in acts()) {
        run(Model { changing: true, ..Model::with(12) }, &acts).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn an_engine_that_trusts_partial_lists_loses_marks() {
    let sent = Act::Mark { item: 1, read: Some(true), starred: Some(true) };
    let unread = Act::Mark { item: 1, read: Some(false), starred: None };
    // Login, subscriptions, unread, starred, newest.
    let partial = |at: usize| Act::Sync((0..5).map(|request| (request == at).then_some(Fault::Partial)).collect());
    for (act, list) in [(&sent, 3), (&unread, 2)] {
        let acts = [
            Act::Sync(Vec::new()),
            sent.clone(),
            Act::Sync(Vec::new()),
            act.clone(),
            Act::Sync(Vec::new()),
            partial(list),
        ];
        run(Model::with(12), &acts).unwrap();
        let gullible = Model { gullible: true, ..Model::with(12) };
        let lost = run(gullible, &acts).unwrap_err();
        assert!(lost.contains("article 2 is"), "{lost}");
    }
}

#[test]
fn it_resumes_after_a_kill_at_any_request() {
    for kill in [Fault::KillBefore, Fault::KillAfter, Fault::AnswerLost, Fault::NotAList] {
        // The first synchronisation takes 6 requests with 12 articles; one with marks to send takes 7.
        for at in 0..7 {
            let faults = || (0..=at).map(|request| (request == at).then_some(kill)).collect();
            let acts = [
                Act::Sync(faults()),
                Act::Restart,
                Act::Sync(Vec::new()),
                Act::Mark { item: 0, read: Some(true), starred: Some(true) },
                Act::MarkThere { item: 0, read: true, on: true },
                Act::Sync(faults()),
                Act::Undo,
                Act::Sync(faults()),
                Act::Restart,
            ];
            for changing in [false, true] {
                let done = run(Model { changing, ..Model::with(12) }, &acts);
                done.unwrap_or_else(|why| panic!("{kill:?} at {at}: {why}"));
            }
        }
    }
}

#[tokio::test]
async fn a_second_synchronisation_downloads_nothing_again() {
    let world = World::new(Model::with(30)).await;
    let first = world.sync().await.unwrap().unwrap();
    assert_eq!((first.new, first.feeds_added), (30, 2));
    let requests = world.model.state.lock().unwrap().requests;
    let second = world.sync().await.unwrap().unwrap();
    assert_eq!(second, Report::default());
    assert_eq!(world.model.state.lock().unwrap().requests - requests, 5);
}

#[tokio::test]
async fn an_emptied_server_removes_nothing() {
    let world = World::new(Model::with(30)).await;
    world.sync().await.unwrap().unwrap();
    let before = world.local().await;
    world.model.state.lock().unwrap().items.clear();
    let report = world.sync().await.unwrap().unwrap();
    assert_eq!((report.changed, world.local().await), (0, before));
}

#[tokio::test]
async fn marks_of_most_articles_are_read_twice_and_undone_in_one_step() {
    let world = World::new(Model::with(700)).await;
    world.sync().await.unwrap().unwrap();
    for marks in world.model.state.lock().unwrap().items.values_mut() {
        marks.read = true;
    }
    let requests = world.model.state.lock().unwrap().requests;
    let report = world.sync().await.unwrap().unwrap();
    assert_eq!(report.changed, 700);
    assert_eq!(world.model.state.lock().unwrap().requests - requests, 8, "the lists once more");
    world.library().undo(report.undo.unwrap()).await.unwrap();
    assert!(world.local().await.values().all(|marks| !marks.read));
}

#[tokio::test]
async fn marks_of_most_articles_that_a_second_look_does_not_show_are_ignored() {
    // A server that shows nothing as unread once.
    #[derive(Clone, Debug)]
    struct Confused(Model, Arc<Mutex<usize>>);
    #[async_trait]
    impl Server for Confused {
        fn abilities(&self) -> Abilities {
            Abilities::new(100, 5)
        }
        async fn log_in(&mut self) -> Result<(), SyncError> {
            self.0.log_in().await
        }
        async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError> {
            self.0.feeds().await
        }
        async fn labels(&mut self) -> Result<Option<Labels>, SyncError> {
            Ok(None)
        }
        async fn ids(&mut self, list: &List, limit: usize) -> Result<Ids, SyncError> {
            let confused = *list == List::Unread && {
                let mut left = self.1.lock().unwrap();
                *left = left.wrapping_sub(1);
                *left == 0
            };
            if confused { Ok(Ids { ids: Vec::new(), whole: true }) } else { self.0.ids(list, limit).await }
        }
        async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
            let mut articles = Vec::new();
            for chunk in ids.chunks(server::ARTICLES) {
                articles.extend(self.0.articles(chunk).await?);
            }
            Ok(articles)
        }
        async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError> {
            self.0.mark(ids, kind, on).await
        }
        async fn change(&mut self, change: &FeedChange) -> Result<Changed, SyncError> {
            self.0.change(change).await
        }
    }
    let world = World::new(Model::with(700)).await;
    // The second synchronisation reads the list of unread articles for the second time.
    let mut server = Confused(world.model.clone(), Arc::new(Mutex::new(2)));
    let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
    for _ in 0..2 {
        let account = world.account().await;
        let report = sync(world.library(), &account, &mut server, &rules, &options, &cancel).await.unwrap();
        assert_eq!(report.changed, 0);
    }
    assert!(world.local().await.values().all(|marks| !marks.read));
}
