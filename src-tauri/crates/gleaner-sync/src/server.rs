//! The data and methods that the engine needs of a server with any API.

use crate::SyncError;
use async_trait::async_trait;
use gleaner_feed::Item;
use gleaner_library::{FeedChange, MarkKind, Millis, RemoteFeed};
use std::{collections::BTreeMap, fmt, str::FromStr, time::Duration};

/// The API of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The REST API of Miniflux.
    Miniflux,
    /// The API of Nextcloud News.
    NextcloudNews,
    /// The API of Tiny Tiny RSS.
    TtRss,
    /// The API of Feedbin.
    Feedbin,
    /// The Google Reader API: FreshRSS, Miniflux, The Old Reader, BazQux and others.
    GoogleReader,
    /// The Fever API: FreshRSS, Miniflux, yarr, Coldsweat and others.
    Fever,
}

impl Kind {
    /// All of them, those of one server program first, then those with the most functions.
    pub const ALL: [Self; 6] =
        [Self::Miniflux, Self::NextcloudNews, Self::TtRss, Self::Feedbin, Self::GoogleReader, Self::Fever];

    /// Returns whether the API can subscribe and unsubscribe. A feed of another account that the user unsubscribes from is unsubscribed
    /// here only.
    #[must_use]
    pub fn changes_subscriptions(self) -> bool {
        self != Self::Fever
    }

    /// Returns the name that is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Miniflux => "miniflux",
            Self::NextcloudNews => "nextcloud_news",
            Self::TtRss => "tt_rss",
            Self::Feedbin => "feedbin",
            Self::GoogleReader => "google_reader",
            Self::Fever => "fever",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = SyncError;

    fn from_str(name: &str) -> Result<Self, SyncError> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or(SyncError::NoServer)
    }
}

/// A list of articles on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum List {
    /// The unread ones.
    Unread,
    /// Those with a star.
    Starred,
    /// Those with this label.
    Label(String),
    /// The newest ones, read or not.
    Newest,
}

/// The ids of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ids {
    /// Ids, newest first where the server has an order.
    pub ids: Vec<String>,
    /// Whether this is proven to be the complete list: each page was the expected one, to the last page, no id came twice, and no article
    /// can have moved between pages while they were read.
    pub whole: bool,
}

/// The labels of articles on a server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// Their names.
    pub names: Vec<String>,
    /// Whether these are proven to be all.
    pub whole: bool,
}

/// An article of a server.
#[derive(Debug, Clone, Default)]
pub struct RemoteArticle {
    /// Id of its feed on the server.
    pub feed: String,
    /// The article; its id is that of the server.
    pub item: Item,
    /// Whether it was read.
    pub read: bool,
    /// Whether it has a star.
    pub starred: bool,
    /// Names of its labels.
    pub labels: Vec<String>,
    /// Whether the response does not contain its marks, so that `read`, `starred` and `labels` mean nothing.
    pub unmarked: bool,
}

/// Articles in the order of their arrival at the server.
#[derive(Debug, Clone, Default)]
pub struct Arrived {
    /// The articles.
    pub articles: Vec<RemoteArticle>,
    /// The position after them; `None` if there were none.
    pub next: Option<String>,
    /// Whether other articles may have arrived before that position: the server did not return them in order.
    pub unordered: bool,
}

/// Articles that arrived or changed on the server, with their marks.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// The articles, in any order. One that was unchanged does no harm.
    pub articles: Vec<RemoteArticle>,
    /// The latest known article, if the server returns it with what arrived. It shows whether its id now belongs to another article.
    pub latest: Option<RemoteArticle>,
    /// Articles that are older than all that were downloaded, unless they are known.
    pub earlier: Vec<RemoteArticle>,
    /// The position after them, in a form that only the server's module knows.
    pub next: String,
    /// Whether there are more.
    pub more: bool,
    /// Whether there may be changes of marks that only the lists show.
    pub lists: bool,
    /// Whether the server was installed again, so that it has the known articles under other ids, or not at all.
    pub renumbered: bool,
    /// If so, the ids of the articles that were read since, before these.
    pub read: Vec<String>,
    /// If so, the position to store before any of these articles, if it differs. After a kill it shows that the server was installed again.
    pub begin: Option<String>,
    /// If that is only a guess, the position for the case that most of the articles turn out to be known under their ids.
    pub next_if_known: Option<String>,
}

/// Numbers of the marked articles that are known, as the server last had them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// Unread and starred articles by the id of their feed on the server.
    pub feeds: BTreeMap<String, (u64, u64)>,
    /// All starred articles.
    pub starred: u64,
}

/// The result of comparing a server's numbers of marked articles with the known articles.
#[derive(Debug, Clone, Default)]
pub enum Counted {
    /// They agree.
    Same,
    /// They differ. These articles may explain it; then the numbers have to be compared again.
    Differ {
        /// Articles with their marks, without their texts.
        articles: Vec<RemoteArticle>,
        /// Lists that were read completely, and all of whose articles are among these.
        whole: Vec<CountedList>,
    },
    /// They differ, and only the lists of the account show why.
    #[default]
    Unclear,
}

/// A list whose articles a server counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountedList {
    /// The unread articles of a feed.
    Unread(String),
    /// The starred articles of a feed.
    Starred(String),
    /// The articles with a label.
    Label(String),
}

/// The result of a change of a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// The server has the change; the id of a new subscription, if it says it.
    Done(Option<String>),
    /// The API can't change subscriptions: refused for good.
    Unsupported,
    /// The server clearly refuses it, as by a status 4xx. A failure of the server is an error instead.
    Refused,
}

/// The abilities and limits of an API.
#[derive(Debug, Clone, Copy)]
pub struct Abilities {
    /// Whether the server lists new and changed articles, so that its lists are compared only from time to time.
    pub changes: bool,
    /// Maximum time between two comparisons of the lists of such a server, in milliseconds. They show changes that it left out, as after a
    /// restored backup.
    pub lists_every: Millis,
    /// Whether the server counts the marked articles of each feed, so that its lists are read only if the numbers leave marks unexplained.
    pub counts: bool,
    /// Number of marks in the first request; a server may need milliseconds for each.
    pub first_marks: usize,
    /// Whether the server gives articles in the order of their arrival, and has no list of the newest ids.
    pub arrivals: bool,
    /// Maximum number of articles per request.
    pub articles: usize,
    /// Maximum number of marks per request.
    pub marks: usize,
}

impl Abilities {
    /// An API with lists alone, with its maximum numbers of articles and marks per request.
    #[must_use]
    pub const fn new(articles: usize, marks: usize) -> Self {
        Self {
            changes: false,
            lists_every: 7 * 86_400_000,
            counts: false,
            first_marks: 100,
            arrivals: false,
            articles,
            marks,
        }
    }
}

/// Maximum length of an id that a server counts. The ids of others are times in microseconds, or have all digits.
const MAX_COUNTED: usize = 12;

/// Whether an id is a consecutive number, like those of Miniflux.
pub(crate) fn is_counted(id: &str) -> bool {
    id.len() <= MAX_COUNTED
}

/// A server with the account of a user. Requests are sent one after the other.
#[async_trait]
pub trait Server: fmt::Debug + Send + Sync {
    /// Returns what the API can do.
    fn abilities(&self) -> Abilities;

    /// Returns how long synchronisations in the background should wait, so that the remaining requests last until the server allows more;
    /// `None` if it has no limit.
    fn pause(&self) -> Option<Duration> {
        None
    }

    /// Returns whether the server may give an id to another article after it was restored from a backup: its ids are consecutive numbers.
    fn may_reuse(&self, _id: &str) -> bool {
        true
    }

    /// Returns whether nothing but the contents of articles shows that the server was installed again, so that it has given known ids to others.
    fn hides_reuse(&self) -> bool {
        false
    }

    /// Returns whether the server may remove a mark that is set a second time, so that only missing marks may be sent. `id`: an article to
    /// be marked.
    fn may_toggle(&self, _kind: &MarkKind, _on: bool, _id: &str) -> bool {
        false
    }

    /// Logs in, unless that was done.
    async fn log_in(&mut self) -> Result<(), SyncError>;

    /// Returns all subscriptions. An error where the list is not proven to be complete, unless [`Self::lacks_feeds`] says so.
    async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError>;

    /// Returns whether some entries of the last list of subscriptions were left out since they can't be read, so that feeds which are
    /// missing from it may be there.
    fn lacks_feeds(&self) -> bool {
        false
    }

    /// Returns whether the last list of subscriptions was null, which proves nothing about feeds that the account had.
    fn has_null_for_feeds(&self) -> bool {
        false
    }

    /// Returns the labels of articles; `None` if the API has none.
    async fn labels(&mut self) -> Result<Option<Labels>, SyncError>;

    /// Returns whether the server has labels for articles.
    async fn has_labels(&mut self) -> Result<bool, SyncError> {
        Ok(false)
    }

    /// Returns the ids of a list, at most `limit` of the newest ones.
    async fn ids(&mut self, list: &List, limit: usize) -> Result<Ids, SyncError>;

    /// Returns these articles, without those that the server does not have. At most [`Abilities::articles`] are requested at once.
    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError>;

    /// Sets or removes a mark of articles. At most [`Abilities::marks`] are sent at once. [`SyncError::LabelRefused`] if the server clearly refuses
    /// a label.
    async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError>;

    /// Changes a subscription.
    async fn change(&mut self, change: &FeedChange) -> Result<Changed, SyncError>;

    /// Returns the position of the latest of these articles, from which [`Self::arrived`] goes on; `None` if there is none.
    fn latest<'a>(&self, _known: &mut (dyn Iterator<Item = &'a str> + Send)) -> Option<&'a str> {
        None
    }

    /// Returns the articles that arrived after a position, or the first ones, as many as a response has; `with_it`: also the one at the
    /// position. Only with [`Abilities::arrivals`].
    async fn arrived(&mut self, _after: Option<&str>, _with_it: bool) -> Result<Arrived, SyncError> {
        Ok(Arrived::default())
    }

    /// Returns new and changed articles since the position that an earlier call returned, as many as a response has. Without a position:
    /// all unread articles, all starred ones, and the newest ones, at most `history` of them. Only with [`Abilities::changes`].
    async fn changes(&mut self, _position: Option<&str>, _history: usize) -> Result<Changes, SyncError> {
        Ok(Changes::default())
    }

    /// Compares the numbers of marked articles that the last call of [`Self::changes`] read with those that are known. Called again after
    /// the articles of [`Counted::Differ`] were compared. Only with [`Abilities::counts`].
    async fn compare_counts(&mut self, _known: &Counts) -> Result<Counted, SyncError> {
        Ok(Counted::Unclear)
    }

    /// Returns the position to store after the comparison of marks that [`Changes::lists`] asked for; `None` if it stays. `known`: the
    /// articles that are then known, with [`Abilities::counts`].
    fn listed(&mut self, _known: &Counts) -> Result<Option<String>, SyncError> {
        Ok(None)
    }
}
