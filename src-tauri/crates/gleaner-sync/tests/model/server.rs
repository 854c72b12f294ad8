//! A server in memory, with every fault.

use async_trait::async_trait;
use gleaner_feed::Item;
use gleaner_fetch::{FetchCause, FetchError};
use gleaner_library::{FeedChange, FeedChangeKind, MarkKind, RemoteFeed};
use gleaner_sync::{Abilities, Changed, Changes, Ids, Labels, List, RemoteArticle, Server, SyncError};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};
use tokio::sync::Notify;

/// Maximum numbers of articles and marks per request, so small that there are several requests.
pub const ARTICLES: usize = 7;
const MARKS: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The request does not reach the server.
    Offline,
    /// The server acts, and its response is lost.
    AnswerLost,
    /// The program is killed before the server acts, …
    KillBefore,
    /// … or after it.
    KillAfter,
    /// A list ends early, and the client sees that it does.
    Partial,
    /// Something else than a list, with status 200.
    NotAList,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    pub read: bool,
    pub starred: bool,
}

#[derive(Debug, Default)]
pub struct State {
    pub feeds: Vec<RemoteFeed>,
    pub items: BTreeMap<i64, Marks>,
    /// Faults of the next requests.
    pub faults: Vec<Option<Fault>>,
    pub requests: usize,
    /// The articles with their marks as the last request found them, each with the number of its last change.
    log: BTreeMap<i64, (Marks, u64)>,
    changes: u64,
}

impl State {
    /// Numbers what has changed.
    fn number_changes(&mut self) {
        for (id, marks) in &self.items {
            if self.log.get(id).is_none_or(|(before, _)| before != marks) {
                self.changes += 1;
                self.log.insert(*id, (*marks, self.changes));
            }
        }
    }
}

/// A server in memory. `gullible`: it claims that partial lists are complete, as an engine that trusts them would take them.
#[derive(Debug, Clone, Default)]
pub struct Model {
    pub state: Arc<Mutex<State>>,
    pub killed: Arc<Notify>,
    pub gullible: bool,
    /// Whether it says what changed ([`Changing`]).
    pub changing: bool,
}

impl Model {
    pub fn with(items: i64) -> Self {
        let model = Self::default();
        {
            let mut state = model.state.lock().unwrap();
            let feed = |id: &str| RemoteFeed {
                remote_id: id.to_owned(),
                title: id.to_owned(),
                url: format!("https://feeds.example/{id}"),
                ..RemoteFeed::default()
            };
            state.feeds = vec![feed("one"), feed("two")];
            state.items = (0..items).map(|id| (id, Marks::default())).collect();
        }
        model
    }

    /// Runs a request with its fault.
    async fn request<T>(&self, act: impl FnOnce(&mut State, Option<Fault>) -> T) -> Result<T, SyncError> {
        let fault = {
            let mut state = self.state.lock().unwrap();
            state.requests += 1;
            if state.faults.is_empty() { None } else { state.faults.remove(0) }
        };
        let offline = || FetchError::new(FetchCause::Offline, &"https://server.example/".parse().unwrap()).into();
        match fault {
            Some(Fault::Offline) => return Err(offline()),
            Some(Fault::KillBefore) => self.kill().await,
            _ => {}
        }
        let done = act(&mut self.state.lock().unwrap(), fault);
        match fault {
            Some(Fault::AnswerLost) => Err(offline()),
            Some(Fault::KillAfter) => {
                self.kill().await;
                Err(offline())
            }
            Some(Fault::NotAList) => Err(SyncError::InvalidResponse("list")),
            _ => Ok(done),
        }
    }

    /// The request never ends, and the test drops it.
    async fn kill(&self) {
        self.killed.notify_one();
        std::future::pending::<()>().await;
    }
}

#[async_trait]
impl Server for Model {
    fn abilities(&self) -> Abilities {
        Abilities::new(ARTICLES, MARKS)
    }

    async fn log_in(&mut self) -> Result<(), SyncError> {
        self.request(|_, _| ()).await
    }

    async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError> {
        self.request(|state, _| state.feeds.clone()).await
    }

    async fn labels(&mut self) -> Result<Option<Labels>, SyncError> {
        Ok(None)
    }

    async fn ids(&mut self, list: &List, limit: usize) -> Result<Ids, SyncError> {
        let gullible = self.gullible;
        self.request(|state, fault| {
            let is_in = |marks: &Marks| match list {
                List::Unread => !marks.read,
                List::Starred => marks.starred,
                List::Newest | List::Label(_) => true,
            };
            let all = state.items.iter().rev().filter(|(_, marks)| is_in(marks)).map(|(id, _)| id.to_string());
            let mut ids: Vec<String> = all.take(limit).collect();
            let partial = fault == Some(Fault::Partial) && !ids.is_empty();
            if partial {
                ids.truncate(ids.len() / 2);
            }
            Ids { ids, whole: !partial || gullible }
        })
        .await
    }

    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
        assert!(ids.len() <= ARTICLES);
        self.request(|state, _| {
            ids.iter().filter_map(|id| Some(article(id, state.items.get(&id.parse().unwrap())?))).collect()
        })
        .await
    }

    async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError> {
        assert!(ids.len() <= MARKS);
        self.request(|state, _| {
            for id in ids {
                if let Some(marks) = state.items.get_mut(&id.parse().unwrap()) {
                    set(marks, kind, on);
                }
            }
        })
        .await
    }

    async fn change(&mut self, change: &FeedChange) -> Result<Changed, SyncError> {
        self.request(|state, _| match &change.kind {
            FeedChangeKind::Leave => {
                state.feeds.retain(|feed| Some(&feed.remote_id) != change.remote_id.as_ref());
                Changed::Done(None)
            }
            _ => Changed::Refused,
        })
        .await
    }
}

pub fn set(marks: &mut Marks, kind: &MarkKind, on: bool) {
    match kind {
        MarkKind::Read => marks.read = on,
        MarkKind::Starred => marks.starred = on,
        MarkKind::Label(_) => {}
    }
}

fn article(id: &str, marks: &Marks) -> RemoteArticle {
    let url = Some(format!("https://site.example/{id}"));
    let item = Item { id: id.to_owned(), title: Some(format!("Article {id}")), url, ..Item::default() };
    let feed = if id.len().is_multiple_of(2) { "one" } else { "two" }.to_owned();
    RemoteArticle { feed, item, read: marks.read, starred: marks.starred, labels: Vec::new(), unmarked: false }
}

/// The same server, which says what changed, in the order of the changes.
#[derive(Debug, Clone)]
pub struct Changing(pub Model);

#[async_trait]
impl Server for Changing {
    fn abilities(&self) -> Abilities {
        Abilities { changes: true, ..self.0.abilities() }
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
        self.0.ids(list, limit).await
    }

    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
        self.0.articles(ids).await
    }

    async fn changes(&mut self, position: Option<&str>, _history: usize) -> Result<Changes, SyncError> {
        let after: u64 = position.map_or(0, |position| position.parse().unwrap());
        self.0
            .request(|state, fault| {
                state.number_changes();
                let mut changed: Vec<(u64, i64)> = state.log.iter().map(|(id, (_, at))| (*at, *id)).collect();
                changed.retain(|(at, id)| *at > after && state.items.contains_key(id));
                changed.sort_unstable();
                let size = if fault == Some(Fault::Partial) { 1 } else { 4 };
                let more = changed.len() > size;
                changed.truncate(size);
                let next = changed.last().map_or(after, |(at, _)| *at).to_string();
                let articles = changed.iter().map(|(_, id)| article(&id.to_string(), &state.items[id])).collect();
                Changes { articles, next, more, ..Changes::default() }
            })
            .await
    }

    async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError> {
        self.0.mark(ids, kind, on).await
    }

    async fn change(&mut self, change: &FeedChange) -> Result<Changed, SyncError> {
        self.0.change(change).await
    }
}
