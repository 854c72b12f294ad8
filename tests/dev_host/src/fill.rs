//! Creates a library with 20 feeds in 3 folders and 2,000 articles. A server on loopback serves the feeds.

use chrono::{DateTime, Duration, Utc};
use gleaner_feed::Context;
use gleaner_identity::Known;
use gleaner_library::{Incoming, Library, NewSubscription, Poll, now};
use gleaner_polling::{decide, rules::FeedRules};
use gleaner_testserver::{Reply, Server};
use std::{fmt::Write as _, io, path::Path, sync::Arc};

const FEEDS: usize = 20;
const ARTICLES: usize = 100;
const FOLDERS: [&str; 3] = ["Boats", "Fields", "Kitchens"];
const NAMES: [&str; 10] =
    ["Harbour", "Orchard", "Mill", "Bakery", "Lighthouse", "Meadow", "Vineyard", "Ferry", "Granary", "Hedgerow"];
const SUBJECTS: [&str; 8] =
    ["Rye and wheat", "A new keel", "Salt", "Slow bread", "The long jetty", "Apples", "Barley prices", "Rope work"];

/// The server of the feeds, on loopback.
pub struct Feeds {
    server: Server,
}

impl Feeds {
    /// Starts the server.
    pub async fn start() -> Self {
        let server = Server::start().await;
        for feed in 0..FEEDS {
            server.on(&path(feed), Reply::ok(document(feed, Utc::now())).header("Content-Type", "application/rss+xml"));
        }
        Self { server }
    }
}

fn path(feed: usize) -> String {
    format!("/{feed}.xml")
}

fn title(feed: usize) -> String {
    format!("{} {}", NAMES[feed % NAMES.len()], if feed < NAMES.len() { "Post" } else { "Notes" })
}

/// Returns an RSS document whose articles are an hour apart. Their lengths differ, so that lists by length have an order.
fn document(feed: usize, newest: DateTime<Utc>) -> String {
    let mut items = String::new();
    for article in 0..ARTICLES {
        let at = newest - Duration::minutes(i64::try_from(article * 60 + feed).unwrap_or(0));
        let subject = SUBJECTS[(feed + article) % SUBJECTS.len()];
        let text =
            "The tide brought rye, wheat and news from the other bank. ".repeat(1 + (feed * 7 + article * 13) % 90);
        let written = write!(
            items,
            "<item><guid isPermaLink=\"false\">{feed}-{article}</guid><title>{subject}, part {article} of {}</title>\
             <link>https://feed{feed}.example/{article}</link><pubDate>{}</pubDate>\
             <description>&lt;p&gt;{text}&lt;/p&gt;&lt;p&gt;Part {article} of {feed}.&lt;/p&gt;</description></item>",
            title(feed),
            at.to_rfc2822()
        );
        written.unwrap_or_default();
    }
    format!(
        "<rss version=\"2.0\"><channel><title>{}</title><link>https://feed{feed}.example/</link>\
         <description>News</description>{items}</channel></rss>",
        title(feed)
    )
}

/// Fills a new library in `folder`.
pub async fn library(folder: &Path, feeds: &Feeds) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let library = Arc::new(Library::open(folder).await?);
    library.settings().set("welcome_brought", "true").await?;
    library.settings().set("welcome_left", "true").await?;
    for feed in 0..FEEDS {
        let folder = FOLDERS.get(feed % 4).map(|name| (*name).to_owned());
        let url = feeds.server.url(&path(feed));
        let subscription = NewSubscription { url, folder: folder.into_iter().collect(), ..NewSubscription::default() };
        let feed_id = library.subscriptions().add(&subscription).await?;
        let parsed = gleaner_feed::parse(document(feed, Utc::now()).as_bytes(), Context::default())?;
        let at = now();
        let incoming = Incoming {
            poll: Poll {
                feed_id,
                checked_at: Some(at),
                succeeded_at: Some(at),
                next_at: Some(i64::MAX),
                ..Poll::default()
            },
            facts: Some(decide::facts(&parsed)),
            intents: decide::intents(decide::identities(&parsed), &Known::default(), at, &FeedRules::default()),
            ..Incoming::default()
        };
        library.polls().store(&[&incoming]).await?;
    }
    gleaner_search::catch_up(&library, |_| true).await?;
    Arc::into_inner(library).ok_or("the library is in use")?.close().await?;
    Ok(())
}

/// Creates a library without the welcome feed, which is not added later.
pub async fn without_welcome(folder: &Path) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let library = Library::open(folder).await?;
    library.settings().set("welcome_brought", "true").await?;
    library.settings().set("welcome_left", "true").await?;
    library.close().await?;
    Ok(())
}

/// Copies a closed library.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
