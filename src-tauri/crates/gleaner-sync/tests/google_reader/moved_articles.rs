//! Articles without an address of feeds that are moved into an account.

use super::{Dialect, Reply, Server, World, fetcher};
use gleaner_library::{ListQuery, NewSubscription, Source};
use gleaner_polling::{Poller, Scope};
use gleaner_testserver::google_reader::Entry;
use tokio_util::sync::CancellationToken;

/// More than the newest ones that each new article is compared with.
const ARTICLES: i64 = 250;
const FIRST: i64 = 1_795_406_884_050_000;

/// A feed whose articles have no address, and dates with fractions of a second.
fn atom() -> Reply {
    let entry = |id: i64| {
        let seconds = 1_795_300_000 + id % 1_000_000;
        let at = chrono::DateTime::from_timestamp(seconds, 250_000_000).unwrap().to_rfc3339();
        format!(
            "<entry><id>urn:feed:{id}</id><title>Article {id}</title><published>{at}</published><updated>{at}</updated>\
             <content type='html'>Text of {id}</content></entry>"
        )
    };
    let entries: String = (FIRST..FIRST + ARTICLES).map(entry).collect();
    let head = "<feed xmlns='http://www.w3.org/2005/Atom'><title>Notes</title><id>urn:feed</id>";
    Reply::ok(format!("{head}{entries}</feed>")).header("Content-Type", "application/atom+xml")
}

#[tokio::test]
async fn no_article_is_duplicated_and_marks_are_sent() {
    let mut world = World::new(Dialect::FreshRss, 1, 1).await;
    world.sync().await.unwrap();
    let feeds = Server::start().await;
    feeds.on_request("*", |_| atom());
    let library = world.library.clone();
    let url = feeds.url("/notes.xml");
    let new = NewSubscription { url: url.clone(), ..NewSubscription::default() };
    let feed = library.subscriptions().add_into(&new, None, false).await.unwrap();
    let poller = Poller::new(library.clone(), fetcher());
    poller.refresh(Scope::All, CancellationToken::new(), |_| {}).await.unwrap();
    let rows = || async { library.lists().page(ListQuery::newest(Source::Feed(feed), 500)).await.unwrap().0 };
    let before = rows().await;
    assert_eq!(before.len(), 250);
    assert_eq!(library.articles().get(before[0].id).await.unwrap().url, None);
    library.articles().mark(&[before[0].id, before[249].id], Some(true), Some(true)).await.unwrap();
    library.subscriptions().move_to_account(&[feed], world.account).await.unwrap();
    world.sync().await.unwrap();
    {
        let mut state = world.server.state();
        let feed = state.feeds.iter().find(|(_, feed)| feed.url == url).unwrap().0.clone();
        for id in FIRST..FIRST + ARTICLES {
            let title = format!("Article {id}");
            let entry = Entry { feed: feed.clone(), title, no_address: true, ..Entry::default() };
            state.entries.insert(id, entry);
        }
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.sent), (0, 4));
    let ids = |rows: &[gleaner_library::Row]| rows.iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(&rows().await), ids(&before));
    let state = world.server.state();
    let marked = |id: i64| (state.entries[&id].read, state.entries[&id].starred);
    assert_eq!([FIRST, FIRST + 1, FIRST + ARTICLES - 1].map(marked), [(true, true), (false, false), (true, true)]);
}
