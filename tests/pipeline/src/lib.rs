//! A scratch library and a poller on it, for the tests of the pipeline.
#![allow(clippy::unwrap_used)]

use gleaner_fetch::{Fetcher, Limits, Settings};
use gleaner_library::{Library, ListQuery, Millis, NewSubscription, Poll, Row, Source};
use gleaner_polling::{Backfill, Poller, RediscoverError, Scope, Suggestion, Summary};
use std::{
    cell::Cell,
    collections::HashMap,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::Arc,
    time::Duration,
};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A minute in milliseconds.
pub const MINUTE: Millis = 60_000;
/// An hour in milliseconds.
pub const HOUR: Millis = 60 * MINUTE;
/// A day in milliseconds.
pub const DAY: Millis = 24 * HOUR;

thread_local! {
    /// Offset of this test's clock. Each test has its own thread, and its poller runs there too.
    static TRAVELLED: Cell<Millis> = const { Cell::new(0) };
}

/// Moves the test's clock forward, or back.
pub fn travel(by: Millis) {
    TRAVELLED.set(TRAVELLED.get() + by);
}

/// Returns the time of the test's clock.
pub fn now() -> Millis {
    gleaner_library::now() + TRAVELLED.get()
}

/// A library in a folder that is removed with this value.
pub struct Scratch {
    /// The folder.
    pub folder: TempDir,
    /// The library in the folder.
    pub library: Arc<Library>,
    /// The poller of the library.
    pub poller: Poller,
    settings: Settings,
}

/// A limit for what never happens.
pub const SHORT: Duration = Duration::from_millis(300);

impl Scratch {
    /// Creates an empty library.
    pub async fn new() -> Self {
        Self::reopen(tempfile::tempdir().unwrap()).await
    }

    /// Opens the library of a folder. No test reaches the limits of time, however busy the machine is; one that waits for a limit makes that
    /// one short.
    pub async fn reopen(folder: TempDir) -> Self {
        let library = Arc::new(Library::open(folder.path()).await.unwrap());
        let limits = Limits { body: 4 << 20, ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        let poller = Self::new_poller(&library, &settings);
        Self { folder, library, poller, settings }
    }

    fn new_poller(library: &Arc<Library>, settings: &Settings) -> Poller {
        Poller::new(library.clone(), Fetcher::with(settings.clone()).unwrap()).with_clock(now)
    }

    /// Makes these names resolve to loopback, or to nothing.
    pub fn look_up(&mut self, names: &[(&str, bool)]) {
        self.look_up_and_trust(names, Vec::new());
    }

    /// Makes these names resolve, and trusts the certificates of these authorities.
    pub fn look_up_and_trust(&mut self, names: &[(&str, bool)], authorities: Vec<Vec<u8>>) {
        let loopback = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let address = |there: bool| if there { vec![loopback] } else { Vec::new() };
        self.settings.names = names.iter().map(|(name, there)| ((*name).to_owned(), address(*there))).collect();
        self.settings.authorities = authorities;
        self.poller = Self::new_poller(&self.library, &self.settings);
    }

    /// Sets the limits of time until the head of a response has arrived and for the whole exchange; `None` for one that nothing reaches.
    pub fn limit(&mut self, first_byte: Option<Duration>, whole: Option<Duration>) {
        let long = Limits::default();
        self.settings.limits.first_byte = first_byte.unwrap_or(long.first_byte);
        self.settings.limits.whole = whole.unwrap_or(long.whole);
        self.poller = Self::new_poller(&self.library, &self.settings);
    }

    /// Returns the folder of the library.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Subscribes to a feed and returns its id.
    pub async fn subscribe(&self, url: &str) -> i64 {
        self.library.subscriptions().add(&NewSubscription::new(url)).await.unwrap()
    }

    /// Polls every feed.
    pub async fn refresh(&self) -> Summary {
        self.poller.refresh(Scope::All, CancellationToken::new(), |_| {}).await.unwrap()
    }

    /// Polls the feeds that are due.
    pub async fn refresh_due(&self) -> Summary {
        self.refresh_with(Scope::Due, CancellationToken::new()).await
    }

    /// Closes the library and opens it again, as a restart does.
    pub async fn restart(self) -> Self {
        let Self { folder, library, poller, .. } = self;
        drop(poller);
        Arc::into_inner(library).unwrap().close().await.unwrap();
        Self::reopen(folder).await
    }

    /// Downloads the older articles of a feed.
    pub async fn backfill(&self, feed: i64, pages: usize) -> Backfill {
        self.poller.backfill(feed, pages, CancellationToken::new(), |_| {}).await.unwrap()
    }

    /// Looks for another feed on the site of a feed.
    pub async fn rediscover(&self, feed: i64) -> Result<(), RediscoverError> {
        self.poller.rediscover(feed).await
    }

    /// Polls the feeds of a scope, until it is cancelled.
    pub async fn refresh_with(&self, scope: Scope, cancel: CancellationToken) -> Summary {
        self.poller.refresh(scope, cancel, |_| {}).await.unwrap()
    }

    /// Returns the first articles of a list.
    pub async fn list(&self, source: Source) -> Vec<Row> {
        let query = ListQuery::newest(source, 400);
        self.library.lists().page(query).await.unwrap().0
    }

    /// Returns the titles of a list.
    pub async fn titles(&self, source: Source) -> Vec<String> {
        self.list(source).await.into_iter().map(|row| row.title).collect()
    }

    /// Returns the polling state of a feed.
    pub async fn poll(&self, feed: i64) -> Poll {
        self.library.polls().list().await.unwrap().into_iter().find(|poll| poll.feed_id == feed).unwrap()
    }

    /// Returns the suggestions for feeds.
    pub async fn suggestions(&self) -> HashMap<i64, Vec<Suggestion>> {
        gleaner_polling::suggestions(&self.library.polls().list().await.unwrap(), now())
    }

    /// Returns the error code of a feed.
    pub async fn feed_error(&self, feed: i64) -> Option<String> {
        self.poll(feed).await.failure.error_code
    }
}

/// Returns an RSS feed with items of these titles, newest first; the title is the guid.
pub fn rss(titles: &[&str]) -> String {
    let items: String = (0..)
        .zip(titles)
        .map(|(age, title)| {
            format!(
                "<item><guid isPermaLink=\"false\">{title}</guid><title>{title}</title><link>https://example.com/{title}</link>\
                 <description>&lt;p&gt;About {title}.&lt;/p&gt;</description><pubDate>Fri, 20 Nov 2026 {:02}:00:00 GMT</pubDate></item>",
                titles.len() - age
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Test</title><link>https://example.com/</link>{items}</channel></rss>"
    )
}

/// Reads a list page by page, and returns its rows.
pub async fn all_pages(library: &Library, mut query: ListQuery) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    loop {
        let (page, more) = library.lists().page(query).await.unwrap();
        query.after = page.last().map(Row::cursor);
        rows.extend(page);
        if !more {
            return rows;
        }
    }
}
