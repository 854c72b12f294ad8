//! Typical changes of a library, one after the other, each in one transaction.

use crate::dump;
use gleaner_library::{
    Body, CommonWords, Enclosure, Incoming, Intent, Library, LibraryError, Mark, MarkScope, NewItem, NewSubscription,
    Occasion, Order, PackedReport, Source, Texts,
};
use sqlx::Connection as _;
use std::path::PathBuf;

/// A library with a sequence of changes.
#[derive(Debug)]
pub struct Day {
    folder: PathBuf,
    /// `None` while it is closed.
    library: Option<Library>,
    feeds: Vec<i64>,
    steps: Vec<i64>,
}

/// Number of changes.
pub const ACTS: usize = 28;
/// Number of the change after which opening the library makes the change [`REOPENED`].
pub const LEFT_LONG_AGO: usize = 22;
/// Number of the change that closes the library and opens it again.
pub const REOPENED: usize = 23;

fn item(number: i64, edition: &str) -> NewItem {
    let body = Body { html: format!("<p>word {edition} {}</p>", format!("of {number} ").repeat(120)), base: None };
    NewItem {
        key: number.to_string(),
        title: format!("Article {number} {edition}"),
        canonical_url: Some(format!("https://example.com/{number}")),
        sort_at: 1_700_000_000_000 + number * 1000,
        received_at: 1_700_000_000_000,
        digest: edition.as_bytes().to_vec(),
        texts: Texts::pack(Some(&body), None),
        enclosures: vec![Enclosure { url: format!("https://example.com/{number}.mp3"), ..Enclosure::default() }],
        ..NewItem::default()
    }
}

fn incoming(feed_id: i64, intents: Vec<Intent>) -> Incoming {
    let report = PackedReport::pack("{\"feed\":{\"title\":\"A feed\"}}".repeat(20));
    Incoming { report, ..Incoming::of_items(feed_id, intents) }
}

fn insert(numbers: std::ops::Range<i64>) -> Vec<Intent> {
    numbers.map(|number| Intent::Insert(Box::new(item(number, "first")))).collect()
}

impl Day {
    /// Opens the library in a folder, or creates it.
    ///
    /// # Errors
    /// Returns the library's error.
    pub async fn begin(folder: &std::path::Path) -> Result<Self, LibraryError> {
        let library = Library::open(folder).await?;
        library.scheduled().set_enabled(true).await?;
        Ok(Self { folder: folder.to_owned(), library: Some(library), feeds: Vec::new(), steps: Vec::new() })
    }

    /// Returns the open library.
    pub fn library(&self) -> &Library {
        self.library.as_ref().unwrap()
    }

    /// Closes the library.
    pub async fn end(mut self) {
        self.library.take().unwrap().close().await.unwrap();
    }

    /// Makes the change with this number. A change that failed can be repeated.
    ///
    /// # Errors
    /// Returns the library's error.
    pub async fn act(&mut self, number: usize) -> Result<(), LibraryError> {
        if self.library.is_none() {
            self.library = Some(Library::open(&self.folder).await?);
        }
        let library = self.library.as_ref().unwrap();
        let all: Vec<i64> = (1..=10).collect();
        match number {
            0 => {
                let new = NewSubscription {
                    url: "https://a.example/feed".to_owned(),
                    folder: vec!["News".to_owned(), "Inner".to_owned()],
                    ..NewSubscription::default()
                };
                self.feeds.push(library.subscriptions().add(&new).await?);
            }
            1 => drop(library.polls().store(&[&incoming(self.feeds[0], insert(0..12))]).await?),
            2 => {
                let new = |name: &str| NewSubscription {
                    url: format!("https://{name}.example/feed"),
                    custom_title: Some(format!("Feed {name}")),
                    folder: vec![name.to_owned()],
                    ..NewSubscription::default()
                };
                let counts = library.subscriptions().import(&[], &[new("b"), new("c")], |_| true).await?;
                self.feeds.extend(counts.added);
            }
            3 => {
                let mut one = insert(12..20);
                one.push(Intent::Update(3, Box::new(item(2, "second"))));
                one.push(Intent::Rename(5, "renamed".to_owned()));
                let scheduled = NewItem { due_at: Some(i64::MAX / 2), ..item(20, "scheduled") };
                one.push(Intent::Insert(Box::new(scheduled)));
                let (one, two) = (incoming(self.feeds[0], one), incoming(self.feeds[1], insert(8..40)));
                drop(library.polls().store(&[&one, &two]).await?);
            }
            4 => self.steps.push(library.articles().mark(&all, Some(true), Some(true)).await?.step),
            5 | 13 => {
                let articles: Vec<_> = library
                    .search_index()
                    .pending(None, 25)
                    .await?
                    .iter()
                    .map(|a| a.indexed("word of it", &CommonWords::default()))
                    .collect();
                library.search_index().add(&articles).await.map(|_| ())?;
            }
            6 => self.steps.push(library.tags().set(&all[2..7], "To read", true).await?.step),
            7 => self
                .steps
                .push(library.articles().mark_list_read(Source::All, Order::Newest, MarkScope::All, None).await?.step),
            8 | 14 | 16 | 19 => {
                let step = *self.steps.last().unwrap();
                library.undo(step).await?;
                self.steps.pop();
            }
            9 => self.checkpoint().await?,
            10 => self
                .steps
                .push(library.articles().set_marks(&all[..3], &[(Mark::Hidden, true), (Mark::Kept, true)]).await?.step),
            11 => {
                let older = [item(70, "older"), item(71, "older")];
                library.polls().store_older(self.feeds[2], "", &older, &[], None).await?;
            }
            12 => self.steps.push(library.subscriptions().merge(self.feeds[1], self.feeds[0]).await?.step),
            15 => {
                let tag = library.tags().list().await?[0].id;
                self.steps.push(library.tags().delete(tag).await?.step);
            }
            17 => drop(library.back_up(Occasion::ByHand).await?),
            18 => self.steps.push(library.feeds().unsubscribe(&[self.feeds[1]]).await?.step),
            20 => library.scheduled().release_due(i64::MAX / 2).await.map(drop)?,
            21 => library.tags().rename(library.tags().list().await?[0].id, "Read later").await.map(drop)?,
            LEFT_LONG_AGO => {
                let mut connection = dump::connect(&self.folder).await?;
                let sql = "UPDATE feeds SET unsubscribed_at = 1 WHERE url LIKE '%c.example%'";
                sqlx::query(sql).execute(&mut connection).await?;
                connection.close().await?;
            }
            REOPENED => {
                self.library.take().unwrap().close().await?;
                self.library = Some(Library::open(&self.folder).await?);
            }
            24 => drop(library.polls().store(&[&incoming(self.feeds[0], insert(100..140))]).await?),
            25 => self.checkpoint().await?,
            26 => self.steps.push(library.articles().mark(&[1, 30], Some(false), Some(true)).await?.step),
            27 => self.steps.push(library.notes().add(2, None, 1, "A word on it.").await?.1.step),
            _ => panic!("no change has this number"),
        }
        Ok(())
    }

    /// Writes the log back to the database file, as SQLite does from time to time.
    async fn checkpoint(&self) -> Result<(), LibraryError> {
        let mut connection = dump::connect(&self.folder).await?;
        let done = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&mut connection).await;
        connection.close().await?;
        done?;
        Ok(())
    }
}
