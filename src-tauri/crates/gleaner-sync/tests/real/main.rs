//! Real servers ([`gleaner_testserver::real`]).
#![allow(clippy::unwrap_used)]

mod coldsweat;
mod tt_rss;

use gleaner_fetch::{Fetcher, Limits, RequestCounter};
use gleaner_library::{Library, NewAccount};
use gleaner_polling::rules::Rules;
use gleaner_sync::{Client, Connection, Kind, Options, Report, find};
use std::{collections::BTreeMap, sync::Arc};
use tokio_util::sync::CancellationToken;
use url::Url;

/// A device with an account on the server.
pub(crate) struct Device {
    _folder: tempfile::TempDir,
    pub(crate) library: Library,
    pub(crate) account: i64,
    client: Client,
    counter: Arc<RequestCounter>,
}

impl Device {
    /// Adds an account of the kind that is found at the address.
    pub(crate) async fn new(address: &Url, user: &str, password: &str, kind: Kind) -> Self {
        let fetcher = Fetcher::new(Limits::default()).unwrap();
        let found = find(&fetcher, address, None, user, password, None).await.unwrap();
        assert_eq!(found.kind, kind);
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let new = NewAccount {
            kind: found.kind.name().to_owned(),
            name: "Server".to_owned(),
            labels: found.labels,
            history: 10_000,
            ..NewAccount::default()
        };
        let account = library.accounts().add(&new).await.unwrap();
        let counter = Arc::<RequestCounter>::default();
        let fetcher = fetcher.with_counter(Arc::clone(&counter));
        let connection = Connection { fetcher, base: found.base, certificate: None };
        let client = Client::new(found.kind, connection, user, password.to_owned());
        Self { _folder: folder, library, account, client, counter }
    }

    /// Returns the number of requests so far.
    pub(crate) fn requests(&self) -> u64 {
        self.counter.requests()
    }

    pub(crate) async fn sync(&mut self) -> Report {
        let account = self.library.accounts().get(self.account).await.unwrap();
        let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
        self.client.sync(&self.library, &account, &rules, &options, &cancel).await.unwrap()
    }

    /// Read and starred by the id on the server.
    pub(crate) async fn marks(&self) -> BTreeMap<String, (bool, bool)> {
        let mut marks = BTreeMap::new();
        for (id, known) in self.library.sync().known(self.account).await.unwrap() {
            let row = self.library.articles().get(known.item.unwrap()).await.unwrap();
            marks.insert(id, (row.read, row.starred));
        }
        marks
    }

    pub(crate) async fn items(&self) -> Vec<i64> {
        let known = self.library.sync().known(self.account).await.unwrap();
        let known: BTreeMap<_, _> = known.into_iter().collect();
        known.into_values().filter_map(|known| known.item).collect()
    }
}
