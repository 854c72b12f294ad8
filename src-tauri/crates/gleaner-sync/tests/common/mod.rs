//! An account on a server of any API, and random changes on both sides with faults of the server in between.

mod table;

pub use table::{survives_every_fault, survives_odd_entries};

use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::{Account, Clock, Library, NewAccount};
use gleaner_polling::rules::Rules;
use gleaner_sync::{Client, Connection, Found, Kind, Options, Report, SyncError, find};
use gleaner_testserver::{Reply, Server, faults::Fault};
use proptest::prelude::*;
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Read and starred of articles, by their ids on the server.
pub type Marks = BTreeMap<String, (bool, bool)>;

/// A scripted server of any API.
pub trait TestServer {
    /// Whether it has labels for articles.
    const LABELS: bool = false;
    /// The API, if it is not detected.
    const API: Option<Kind> = None;
    /// Returns the server that listens.
    fn server(&self) -> &Server;
    /// Returns the marks of all articles.
    fn marks(&self) -> Marks;
    /// Marks an article.
    fn mark(&self, id: &str, read: Option<bool>, starred: Option<bool>);
    /// Adds an unread article.
    fn arrive(&self);
    /// Deletes an article.
    fn delete(&self, id: &str);
    /// Plans what happens to the next requests.
    fn plan(&self, faults: Vec<Fault>);
}

fn fetcher() -> Fetcher {
    Fetcher::new(Limits::default()).unwrap()
}

pub async fn found(address: &str, user: &str, password: &str, api: Option<Kind>) -> Result<Found, SyncError> {
    find(&fetcher(), &Url::parse(address).unwrap(), None, user, password, api).await
}

fn client(kind: Kind, base: &Url) -> Client {
    let connection = Connection { fetcher: fetcher(), base: base.clone(), certificate: None };
    Client::new(kind, connection, "alice", "sesame".to_owned())
}

pub struct World<T> {
    _folder: tempfile::TempDir,
    pub library: Library,
    pub account: i64,
    pub server: T,
    pub client: Client,
    /// Milliseconds that are added to the clock.
    pub later: Arc<AtomicI64>,
    kind: Kind,
    base: Url,
}

impl<T: TestServer> World<T> {
    pub async fn new(server: T, kind: Kind, history: i64) -> Self {
        let found = found(&server.server().url("/"), "alice", "sesame", T::API).await.unwrap();
        assert_eq!((found.kind, found.labels), (kind, T::LABELS));
        let folder = tempfile::tempdir().unwrap();
        let later = Arc::new(AtomicI64::new(0));
        let added = Arc::clone(&later);
        let clock = Clock::new(move || gleaner_library::now() + added.load(Ordering::Relaxed));
        let library = Library::open_with(folder.path(), clock).await.unwrap();
        let new = NewAccount {
            kind: kind.name().to_owned(),
            name: "Server".to_owned(),
            url: found.base.to_string(),
            history,
            labels: found.labels,
            ..NewAccount::default()
        };
        let account = library.accounts().add(&new).await.unwrap();
        let client = client(kind, &found.base);
        assert!(!format!("{client:?}").contains("sesame"), "a log would contain the password");
        server.server().forget_requests();
        Self { _folder: folder, library, account, server, client, later, kind, base: found.base }
    }

    /// Replaces the client, as in a new process.
    pub fn log_out(&mut self) {
        self.client = client(self.kind, &self.base);
    }

    pub async fn account(&self) -> Account {
        self.library.accounts().get(self.account).await.unwrap()
    }

    pub async fn sync(&mut self) -> Result<Report, SyncError> {
        let account = self.account().await;
        let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
        let report = self.client.sync(&self.library, &account, &rules, &options, &cancel).await?;
        // As the app does, which writes no more than once an hour.
        if account.synced_at.is_none() || account.error_code.is_some() {
            self.library.accounts().record(self.account, None, None).await.unwrap();
        }
        Ok(report)
    }

    /// The library's id of an article.
    pub async fn id(&self, remote: &str) -> i64 {
        self.library.sync().known(self.account).await.unwrap()[remote].item.unwrap()
    }

    /// The library's id of the newest article but `back`.
    pub async fn newest(&self, back: usize) -> i64 {
        let ids = self.server.marks().into_keys().collect::<Vec<_>>();
        self.id(&ids[ids.len() - 1 - back]).await
    }

    /// The marks here.
    pub async fn marks(&self) -> Marks {
        let mut marks = Marks::new();
        for (id, known) in self.library.sync().known(self.account).await.unwrap() {
            if let Some(item) = known.item {
                let row = self.library.articles().get(item).await.unwrap();
                marks.insert(id, (row.read, row.starred));
            }
        }
        marks
    }

    pub fn requests(&self) -> usize {
        self.server.server().requests().len()
    }

    /// Ends when both have the same marks on the server's articles, after two synchronisations without faults.
    async fn settle(&mut self, wanted: &Marks) -> Result<(), String> {
        self.server.plan(Vec::new());
        for _ in 0..2 {
            self.sync().await.map_err(|error| error.to_string())?;
        }
        let (here, there) = (self.marks().await, self.server.marks());
        for (id, marks) in &there {
            if here.get(id) != Some(marks) {
                return Err(format!("article {id} is {:?} here and {marks:?} there", here.get(id)));
            }
        }
        for (id, marks) in wanted {
            if here.get(id) != Some(marks) {
                return Err(format!("article {id} is {:?}, and the user set {marks:?}", here.get(id)));
            }
        }
        let pending = self.library.sync().pending_marks(self.account, None, 99).await.unwrap();
        if pending.is_empty() { Ok(()) } else { Err(format!("still to send: {pending:?}")) }
    }
}

/// What happens. Articles at even places are marked here, others on the server.
#[derive(Debug, Clone)]
pub enum Act {
    Mark(usize, Option<bool>, Option<bool>),
    MarkThere(usize, Option<bool>, Option<bool>),
    Arrive,
    Delete(usize),
    Sync(Vec<u8>),
}

pub fn acts() -> impl Strategy<Value = Vec<Act>> {
    let marks = || (0..8_usize, any::<Option<bool>>(), any::<Option<bool>>());
    let act = prop_oneof![
        4 => marks().prop_map(|(at, read, starred)| Act::Mark(at, read, starred)),
        2 => marks().prop_map(|(at, read, starred)| Act::MarkThere(at, read, starred)),
        1 => Just(Act::Arrive),
        1 => (0..8_usize).prop_map(Act::Delete),
        4 => prop::collection::vec(0..24_u8, 0..12).prop_map(Act::Sync),
    ];
    prop::collection::vec(act, 1..14)
}

fn fault(number: u8) -> Fault {
    match number {
        0 => Fault::Before(Reply::status(500)),
        1 => Fault::After(Reply::raw("")),
        2 => Fault::Before(Reply::ok("<html>Log in</html>")),
        3 => Fault::After(Reply::ok("[{\"id\":1},").cut_after(4)),
        4 => Fault::Before(Reply::ok(r#"{"message":"failed"}"#)),
        5 => Fault::Before(Reply::ok("[]")),
        6 => Fault::Before(Reply::status(401)),
        7 => Fault::Before(Reply::status(429).header("Retry-After", "1")),
        8 => Fault::After(Reply::status(503)),
        9 => Fault::Half,
        10 => Fault::Cut,
        _ => Fault::None,
    }
}

/// Runs acts. Whatever requests failed, both agree in the end, and the user's marks are as the user set them.
pub async fn agree<T: TestServer>(mut world: World<T>, acts: &[Act]) -> Result<(), String> {
    world.sync().await.map_err(|error| error.to_string())?;
    let ids: Vec<String> = world.server.marks().into_keys().collect();
    let mut wanted = Marks::new();
    for act in acts {
        match act {
            Act::Mark(at, read, starred) => {
                let Some(id) = ids.get(at * 2) else { continue };
                let item = world.id(id).await;
                world.library.articles().mark(&[item], *read, *starred).await.unwrap();
                let row = world.library.articles().get(item).await.unwrap();
                wanted.insert(id.clone(), (row.read, row.starred));
            }
            Act::MarkThere(at, read, starred) => {
                if let Some(id) = ids.get(at * 2 + 1) {
                    world.server.mark(id, *read, *starred);
                }
            }
            Act::Arrive => world.server.arrive(),
            Act::Delete(at) => {
                if let Some(id) = ids.get(at * 3) {
                    world.server.delete(id);
                }
            }
            Act::Sync(faults) => {
                world.server.plan(faults.iter().map(|number| fault(*number)).collect());
                drop(world.sync().await);
                world.server.plan(Vec::new());
            }
        }
    }
    world.settle(&wanted).await
}
