//! Accounts on servers: what the outbox contains after marks, undo, rules and duplicates, and that marks of the server are not sent back.
#![allow(clippy::unwrap_used)]

mod folders;
mod log;
mod reinstalled;

use gleaner_library::{
    Account, FeedChangeKind, Flip, Incoming, Intent, Library, LibraryError, MarkKind, NewAccount, NewItem,
    NewSubscription, Rearrangement, Refusal, RemoteArticles, RemoteFeed, RemoteState,
};

struct Fixture {
    _folder: tempfile::TempDir,
    library: Library,
    account: i64,
}

fn feed(id: &str, label: Option<&str>) -> RemoteFeed {
    RemoteFeed {
        remote_id: id.to_owned(),
        title: format!("Title of {id}"),
        url: format!("https://feeds.example/{id}"),
        label: label.map(str::to_owned),
        ..RemoteFeed::default()
    }
}

fn item(id: &str, read: bool, starred: bool, labels: &[&str]) -> (NewItem, RemoteState) {
    let new = NewItem {
        key: id.to_owned(),
        title: format!("Article {id}"),
        url: Some(format!("https://site.example/{id}")),
        canonical_url: Some(format!("https://site.example/{id}")),
        published_at: Some(1_700_000_000_000),
        digest: id.as_bytes().to_vec(),
        read,
        ..NewItem::default()
    };
    let labels = labels.iter().map(|label| (*label).to_owned()).collect();
    (new, RemoteState { remote_id: id.to_owned(), read, starred, labels })
}

fn name(kind: MarkKind) -> String {
    match kind {
        MarkKind::Read => "read".to_owned(),
        MarkKind::Starred => "starred".to_owned(),
        MarkKind::Label(name) => name,
    }
}

impl Fixture {
    /// An account without feeds.
    async fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let new = NewAccount {
            kind: "google_reader".to_owned(),
            name: "Server".to_owned(),
            url: "https://server.example/api".to_owned(),
            user_name: "ada".to_owned(),
            labels: true,
            history: 100,
            ..NewAccount::default()
        };
        let account = library.accounts().add(&new).await.unwrap();
        Self { _folder: folder, library, account }
    }

    /// An account with the feeds f1 and f2, in the folder Tech; f1 has the articles a (unread), b (read), c (unread, starred, labelled).
    async fn new() -> Self {
        let fixture = Self::empty().await;
        let feeds = [feed("f1", Some("Tech")), feed("f2", Some("Tech"))];
        fixture.library.sync().store_feeds(fixture.account, &feeds, false).await.unwrap();
        let items = vec![item("a", false, false, &[]), item("b", true, false, &[]), item("c", false, true, &["later"])];
        fixture.store("f1", items, &[]).await;
        fixture
    }

    async fn store(&self, feed: &str, items: Vec<(NewItem, RemoteState)>, listed: &[&str]) -> usize {
        let feed = self.library.sync().feeds(self.account).await.unwrap()[feed];
        let listed: Vec<String> = listed.iter().map(|id| (*id).to_owned()).collect();
        let articles = [RemoteArticles { feed, items }];
        self.library.sync().store_articles(self.account, &articles, &listed).await.unwrap().new
    }

    async fn id(&self, remote: &str) -> i64 {
        self.library.sync().known(self.account).await.unwrap()[remote].item.unwrap()
    }

    /// The outbox as text: `a read on`.
    async fn outbox(&self) -> Vec<String> {
        let pending = self.library.sync().pending_marks(self.account, None, 100).await.unwrap();
        let text = |mark: gleaner_library::PendingMark| {
            format!("{} {} {}", mark.remote_id, name(mark.kind), if mark.on { "on" } else { "off" })
        };
        pending.into_iter().map(text).collect()
    }

    async fn send_all(&self) {
        let pending = self.library.sync().pending_marks(self.account, None, 100).await.unwrap();
        self.library.sync().marks_sending(self.account, &pending).await.unwrap();
        self.library.sync().marks_sent(self.account, &pending).await.unwrap();
    }

    async fn changes(&self) -> Vec<FeedChangeKind> {
        let changes = self.library.sync().pending_feed_changes(self.account).await.unwrap();
        changes.into_iter().map(|change| change.kind).collect()
    }

    async fn account(&self) -> Account {
        self.library.accounts().get(self.account).await.unwrap()
    }
}

#[tokio::test]
async fn stores_feeds_and_articles_of_a_server_as_it_has_them() {
    let f = Fixture::new().await;
    let feeds = f.library.feeds().list().await.unwrap();
    assert_eq!(feeds.iter().map(|feed| feed.shown_title()).collect::<Vec<_>>(), ["Title of f1", "Title of f2"]);
    let folders = f.library.folders().list().await.unwrap();
    assert_eq!(folders.iter().map(|folder| folder.name.as_str()).collect::<Vec<_>>(), ["Server", "Tech"]);
    let states: Vec<(bool, bool)> = {
        let mut states = Vec::new();
        for id in ["a", "b", "c"] {
            let row = f.library.articles().get(f.id(id).await).await.unwrap();
            states.push((row.read, row.starred));
        }
        states
    };
    assert_eq!(states, [(false, false), (true, false), (false, true)]);
    assert_eq!(f.library.tags().list().await.unwrap()[0].name, "later");
    assert!(f.outbox().await.is_empty() && f.changes().await.is_empty());
    assert_eq!(f.library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn marks_are_sent_and_undone_marks_are_not() {
    let f = Fixture::new().await;
    let (a, c) = (f.id("a").await, f.id("c").await);
    let read = f.library.articles().mark(&[a], Some(true), None).await.unwrap();
    f.library.articles().mark(&[c], None, Some(false)).await.unwrap();
    assert_eq!(f.outbox().await, ["a read on", "c starred off"]);
    f.library.undo(read.step).await.unwrap();
    assert_eq!(f.outbox().await, ["c starred off"]);
    f.send_all().await;
    assert!(f.outbox().await.is_empty());
    f.library.articles().mark(&[c], None, Some(true)).await.unwrap();
    assert_eq!(f.outbox().await, ["c starred on"]);
}

#[tokio::test]
async fn a_mark_undone_while_it_is_sent_is_sent_again() {
    let f = Fixture::new().await;
    let read = f.library.articles().mark(&[f.id("a").await], Some(true), None).await.unwrap();
    let sent = f.library.sync().pending_marks(f.account, None, 9).await.unwrap();
    f.library.sync().marks_sending(f.account, &sent).await.unwrap();
    f.library.undo(read.step).await.unwrap();
    assert_eq!(f.outbox().await, ["a read off"], "the server may have got it");
    f.library.sync().marks_sent(f.account, &sent).await.unwrap();
    assert_eq!(f.outbox().await, ["a read off"]);
    f.send_all().await;
    assert!(f.outbox().await.is_empty());
}

#[tokio::test]
async fn marks_of_the_server_are_not_sent_back_and_are_one_step_of_undo() {
    let f = Fixture::new().await;
    let flip = |id: &str, kind, on| Flip { remote_id: id.to_owned(), kind, on };
    let flips = [
        flip("a", MarkKind::Read, true),
        flip("c", MarkKind::Read, true),
        flip("b", MarkKind::Starred, true),
        flip("a", MarkKind::Label("Later".to_owned()), true),
        flip("c", MarkKind::Label("later".to_owned()), false),
    ];
    let applied = f.library.sync().apply(f.account, &flips).await.unwrap();
    assert_eq!((applied.articles, f.outbox().await), (3, vec![]));
    assert_eq!(f.library.tags().list().await.unwrap().len(), 1, "names that differ in case are one tag");
    f.library.undo(applied.undo.unwrap().step).await.unwrap();
    assert_eq!(f.outbox().await, ["a read off", "b starred off", "c read off"], "undoing is a change of the user");
}

#[tokio::test]
async fn a_pending_mark_is_not_overwritten_by_the_server() {
    let f = Fixture::new().await;
    f.library.articles().mark(&[f.id("b").await], Some(false), None).await.unwrap();
    f.library.tags().set(&[f.id("a").await], "Own", true).await.unwrap();
    let flips = [
        Flip { remote_id: "b".to_owned(), kind: MarkKind::Read, on: true },
        Flip { remote_id: "a".to_owned(), kind: MarkKind::Label("own".to_owned()), on: false },
    ];
    assert_eq!(f.library.sync().apply(f.account, &flips).await.unwrap().articles, 0);
    assert_eq!(f.outbox().await, ["a Own on", "b read off"]);
}

#[tokio::test]
async fn tags_are_labels_and_deleting_an_article_keeps_its_labels_there() {
    let f = Fixture::new().await;
    let c = f.id("c").await;
    let tag = f.library.tags().list().await.unwrap()[0].id;
    let renamed = f.library.tags().rename(tag, "Weekend").await.unwrap();
    assert_eq!(f.outbox().await, ["c Weekend on", "c later off"]);
    f.library.undo(renamed.step).await.unwrap();
    f.send_all().await;
    f.library.tags().set(&[c], "later", false).await.unwrap();
    assert_eq!(f.outbox().await, ["c later off"]);
    f.send_all().await;
    f.library.tags().set(&[c], "later", true).await.unwrap();
    f.send_all().await;
    let f1 = f.library.sync().feeds(f.account).await.unwrap()["f1"];
    f.library.feeds().unsubscribe(&[f1]).await.unwrap();
    assert!(f.outbox().await.is_empty());
}

#[tokio::test]
async fn a_read_duplicate_is_read_at_the_server_too() {
    let f = Fixture::new().await;
    let local = f.library.subscriptions().add(&NewSubscription::new("https://local.example/feed")).await.unwrap();
    let (copy, _) = item("a", false, false, &[]);
    let incoming = Incoming::of_items(local, vec![Intent::Insert(Box::new(copy))]);
    f.library.polls().store(&[&incoming]).await.unwrap();
    let rows = f.library.articles().publication_dates(local).await.unwrap();
    assert_eq!(rows.len(), 1);
    let copy = f.library.polls().next_item().await.unwrap() - 1;
    f.library.articles().mark(&[copy], Some(true), None).await.unwrap();
    assert_eq!(f.outbox().await, ["a read on"]);
    // And an article that arrives after its duplicate was read.
    let (copy, state) = item("z", false, false, &[]);
    let same = NewItem { canonical_url: Some("https://site.example/a".to_owned()), ..copy };
    f.store("f2", vec![(same, state)], &["a", "b", "c"]).await;
    assert_eq!(f.outbox().await, ["a read on", "z read on"]);
}

#[tokio::test]
async fn an_article_with_a_new_id_is_recognised_and_its_marks_are_sent() {
    let f = Fixture::new().await;
    f.library.articles().mark(&[f.id("a").await, f.id("c").await], Some(true), None).await.unwrap();
    f.send_all().await;
    let a = f.id("a").await;
    let (renumbered, state) = item("a", false, false, &[]);
    let renumbered = NewItem { key: "1001".to_owned(), ..renumbered };
    let state = RemoteState { remote_id: "1001".to_owned(), ..state };
    assert_eq!(f.store("f1", vec![(renumbered.clone(), state.clone())], &["1001", "b", "c"]).await, 0);
    assert_eq!((f.id("1001").await, f.outbox().await), (a, vec!["1001 read on".to_owned()]));
    assert!(f.library.articles().get(a).await.unwrap().read);
    // An article that the server still has under its own id is another one.
    let (other, state) =
        (NewItem { key: "1002".to_owned(), ..renumbered }, RemoteState { remote_id: "1002".to_owned(), ..state });
    assert_eq!(f.store("f1", vec![(other, state)], &["1001", "1002", "b", "c"]).await, 1);
}

#[tokio::test]
async fn changes_of_subscriptions_wait_in_their_order() {
    let f = Fixture::new().await;
    let feeds = f.library.sync().feeds(f.account).await.unwrap();
    let (f1, f2) = (feeds["f1"], feeds["f2"]);
    f.library.feeds().rename(f1, "Mine").await.unwrap();
    let news = f.library.folders().create("News", f.account().await.folder_id).await.unwrap();
    let change = Rearrangement { feeds: vec![f2], parent: Some(news), ..Rearrangement::default() };
    f.library.subscriptions().arrange(&change).await.unwrap();
    let moved = |from: &str, to: &str| FeedChangeKind::Move { from: Some(from.to_owned()), to: Some(to.to_owned()) };
    assert_eq!(f.changes().await, [FeedChangeKind::Rename("Mine".to_owned()), moved("Tech", "News")]);
    f.library.folders().rename(news, "World").await.unwrap();
    assert_eq!(f.changes().await[1], moved("Tech", "World"));
    for change in f.library.sync().pending_feed_changes(f.account).await.unwrap() {
        f.library.sync().feed_change_sending(&change).await.unwrap();
        f.library.sync().feed_change_sent(f.account, &change, None).await.unwrap();
    }
    assert!(f.changes().await.is_empty());
    // The server's form of the title is accepted, and the user's own title stays.
    let list = [RemoteFeed { title: "Ｍine".to_owned(), ..feed("f1", Some("Tech")) }, feed("f2", Some("World"))];
    f.library.sync().store_feeds(f.account, &list, false).await.unwrap();
    assert_eq!(f.library.feeds().get(f1).await.unwrap().shown_title(), "Mine");
    assert!(f.changes().await.is_empty());
    // Renamed and moved on the server.
    let list = [RemoteFeed { title: "Theirs".to_owned(), ..feed("f1", None) }, feed("f2", Some("World"))];
    let stored = f.library.sync().store_feeds(f.account, &list, false).await.unwrap();
    let row = f.library.feeds().get(f1).await.unwrap();
    assert_eq!((stored.changed, row.shown_title().as_str(), row.folder_id), (1, "Theirs", f.account().await.folder_id));
    assert!(f.changes().await.is_empty(), "nothing of the server's is sent back");
}

#[tokio::test]
async fn undoing_a_rename_that_was_sent_sends_the_former_title() {
    let f = Fixture::new().await;
    let f1 = f.library.sync().feeds(f.account).await.unwrap()["f1"];
    let before = f.library.feeds().get(f1).await.unwrap().shown_title();
    let renamed = f.library.feeds().rename(f1, "Mine").await.unwrap();
    for change in f.library.sync().pending_feed_changes(f.account).await.unwrap() {
        f.library.sync().feed_change_sending(&change).await.unwrap();
        f.library.sync().feed_change_sent(f.account, &change, None).await.unwrap();
    }
    let list = [RemoteFeed { title: "Mine".to_owned(), ..feed("f1", Some("Tech")) }, feed("f2", Some("Tech"))];
    f.library.sync().store_feeds(f.account, &list, false).await.unwrap();
    f.library.undo(renamed.step).await.unwrap();
    assert_eq!(f.library.feeds().get(f1).await.unwrap().shown_title(), before);
    assert_eq!(f.changes().await, [FeedChangeKind::Rename(before)]);
}

#[tokio::test]
async fn a_new_installation_of_a_server_uses_ids_for_other_feeds() {
    let f = Fixture::new().await;
    let before = f.library.sync().feeds(f.account).await.unwrap();
    let (f1, f2) = (before["f1"], before["f2"]);
    let as_id = |id: &str, feed: RemoteFeed| RemoteFeed { remote_id: id.to_owned(), ..feed };
    // The ids are swapped, and then one is that of a new feed.
    let swapped = [as_id("f2", feed("f1", Some("Tech"))), as_id("f1", feed("f2", Some("Tech")))];
    let stored = f.library.sync().store_feeds(f.account, &swapped, false).await.unwrap();
    assert_eq!((stored.added.len(), stored.left.len(), stored.changed), (0, 0, 0));
    let after = f.library.sync().feeds(f.account).await.unwrap();
    assert_eq!((after["f2"], after["f1"], after.len()), (f1, f2, 2));
    let list = [as_id("f1", feed("f3", None)), as_id("f9", feed("f2", None)), swapped[0].clone()];
    let stored = f.library.sync().store_feeds(f.account, &list, false).await.unwrap();
    let after = f.library.sync().feeds(f.account).await.unwrap();
    assert_eq!((after["f2"], after["f9"], after["f1"]), (f1, f2, stored.added[0]));
    for (id, url) in [(f1, "f1"), (f2, "f2"), (stored.added[0], "f3")] {
        assert_eq!(f.library.feeds().get(id).await.unwrap().url, feed(url, None).url);
    }
    assert!(f.changes().await.is_empty(), "nothing is sent");
}

#[tokio::test]
async fn leaving_and_undoing_it() {
    let f = Fixture::new().await;
    let f2 = f.library.sync().feeds(f.account).await.unwrap()["f2"];
    let left = f.library.feeds().unsubscribe(&[f2]).await.unwrap();
    assert_eq!(f.changes().await, [FeedChangeKind::Leave]);
    let all = [feed("f1", Some("Tech")), feed("f2", Some("Tech"))];
    f.library.sync().store_feeds(f.account, &all, false).await.unwrap();
    assert_eq!(f.library.feeds().list().await.unwrap().len(), 1, "the server does not know yet");
    f.library.undo(left.step).await.unwrap();
    assert!(f.changes().await.is_empty(), "it was not sent");
    f.library.feeds().unsubscribe(&[f2]).await.unwrap();
    let change = f.library.sync().pending_feed_changes(f.account).await.unwrap().remove(0);
    f.library.sync().feed_change_sending(&change).await.unwrap();
    f.library.sync().feed_change_sent(f.account, &change, None).await.unwrap();
    f.library.sync().store_feeds(f.account, &all[..1], false).await.unwrap();
    assert!(f.changes().await.is_empty());
}

#[tokio::test]
async fn a_feed_deleted_on_the_server_is_removed_but_marked_articles_stay() {
    let f = Fixture::new().await;
    let feeds = f.library.sync().feeds(f.account).await.unwrap();
    let stored = f.library.sync().store_feeds(f.account, &[], false).await.unwrap();
    assert_eq!((stored.missing, stored.left.len()), (0, 2), "two are few");
    let rows = f.library.feeds().list().await.unwrap();
    assert_eq!(rows.iter().map(|feed| feed.id).collect::<Vec<_>>(), [feeds["f1"]]);
    let counts = f.library.counts().by_feed().await.unwrap();
    assert_eq!(counts.iter().find(|count| count.feed_id == feeds["f1"]).unwrap().items, 1, "the starred one stays");
    assert!(f.changes().await.is_empty());
    // The server has it again.
    f.library.sync().store_feeds(f.account, &[feed("f9", None), feed("f1", None)], false).await.unwrap();
    assert_eq!(f.library.sync().feeds(f.account).await.unwrap()["f1"], feeds["f1"]);
}

#[tokio::test]
async fn an_emptied_server_removes_no_feeds() {
    let f = Fixture::new().await;
    let list: Vec<RemoteFeed> = ["f1", "f2", "f3", "f4", "f5"].iter().map(|id| feed(id, None)).collect();
    f.library.sync().store_feeds(f.account, &list, false).await.unwrap();
    let stored = f.library.sync().store_feeds(f.account, &list[..2], false).await.unwrap();
    assert_eq!((stored.missing, stored.left), (3, vec![]));
    assert_eq!(f.library.feeds().list().await.unwrap().len(), 5);
    let stored = f.library.sync().store_feeds(f.account, &list[..2], true).await.unwrap();
    assert_eq!(stored.left.len(), 3);
}

#[tokio::test]
async fn two_feeds_of_a_server_may_have_one_address() {
    let f = Fixture::new().await;
    let twice = RemoteFeed { url: "http://feeds.example/f1".to_owned(), ..feed("f3", None) };
    let list = [feed("f1", Some("Tech")), feed("f2", Some("Tech")), twice];
    for _ in 0..2 {
        f.library.sync().store_feeds(f.account, &list, false).await.unwrap();
        assert_eq!(f.library.sync().feeds(f.account).await.unwrap().len(), 3);
    }
    // Also when both come for the first time.
    let both = ["f4", "f5"].map(|id| RemoteFeed { url: "http://feeds.example/new".to_owned(), ..feed(id, None) });
    let stored = f.library.sync().store_feeds(f.account, &[&list[..], &both[..]].concat(), false).await.unwrap();
    assert_eq!((stored.added.len(), f.library.sync().feeds(f.account).await.unwrap().len()), (2, 5));
}

#[tokio::test]
async fn subscribing_here_waits_for_the_server_and_a_refused_feed_is_left() {
    let f = Fixture::new().await;
    let id =
        f.library.sync().subscribe(f.account, "https://new.example/feed", Some("New"), Some("Tech")).await.unwrap();
    let again = f.library.sync().subscribe(f.account, "http://new.example/feed/", None, None).await;
    assert!(matches!(again, Err(LibraryError::AlreadySubscribed(there)) if there == id));
    let change = f.library.sync().pending_feed_changes(f.account).await.unwrap().remove(0);
    let wanted = FeedChangeKind::Subscribe {
        url: "https://new.example/feed".to_owned(),
        title: Some("New".to_owned()),
        label: Some("Tech".to_owned()),
    };
    assert_eq!(change.kind, wanted);
    f.library.sync().feed_change_sent(f.account, &change, Some("f7")).await.unwrap();
    let new = RemoteFeed { url: "https://new.example/feed".to_owned(), ..feed("f7", Some("Tech")) };
    f.library.sync().store_feeds(f.account, &[feed("f1", None), feed("f2", None), new], false).await.unwrap();
    assert_eq!(f.library.sync().feeds(f.account).await.unwrap()["f7"], id);
    let bad = f.library.sync().subscribe(f.account, "https://bad.example/", None, None).await.unwrap();
    let change = f.library.sync().pending_feed_changes(f.account).await.unwrap().remove(0);
    f.library.sync().feed_change_refused(&change).await.unwrap();
    assert!(matches!(f.library.feeds().get(bad).await, Err(LibraryError::NotFound(_))));
    assert!(f.changes().await.is_empty());
}

#[tokio::test]
async fn feeds_of_a_server_are_never_polled() {
    let f = Fixture::new().await;
    let f1 = f.library.sync().feeds(f.account).await.unwrap()["f1"];
    f.library
        .connections()
        .set(&gleaner_library::Access { feed_id: f1, ..gleaner_library::Access::default() })
        .await
        .unwrap();
    f.library.check(true).await.unwrap();
    assert_eq!(f.library.polls().list().await.unwrap(), []);
    assert_eq!(f.library.polls().due(i64::MAX - 1, i64::MAX).await.unwrap(), []);
    assert_eq!(f.library.polls().next_at().await.unwrap(), None);
    let moved = f.library.feeds().set_url(f1, "https://elsewhere.example/").await;
    assert!(matches!(moved, Err(LibraryError::Refused(Refusal::FeedOfServer))), "{moved:?}");
}

#[tokio::test]
async fn a_removed_account_can_be_restored_and_its_feeds_kept() {
    let f = Fixture::new().await;
    let feeds = f.library.sync().feeds(f.account).await.unwrap();
    f.library.accounts().remove(f.account, false).await.unwrap();
    assert_eq!(f.library.feeds().list().await.unwrap(), []);
    assert!(f.changes().await.is_empty(), "the server keeps its feeds");
    f.library.accounts().restore(f.account).await.unwrap();
    assert_eq!(f.library.feeds().list().await.unwrap().len(), 2);
    assert!(f.changes().await.is_empty());
    // The local account has one of the addresses.
    let local = f.library.subscriptions().add(&NewSubscription::new("https://feeds.example/f2")).await.unwrap();
    let twice = f.library.accounts().remove(f.account, true).await.unwrap();
    assert_eq!(twice, [(feeds["f2"], local)]);
    let polled: Vec<i64> =
        f.library.polls().due(i64::MAX - 1, i64::MAX).await.unwrap().iter().map(|poll| poll.feed_id).collect();
    assert!(polled.contains(&feeds["f1"]) && polled.contains(&local));
    f.library.accounts().restore(f.account).await.unwrap();
    assert_eq!(f.library.sync().feeds(f.account).await.unwrap(), feeds);
    let polled: Vec<i64> = f.library.polls().list().await.unwrap().iter().map(|poll| poll.feed_id).collect();
    assert_eq!(polled, [local]);
}

#[tokio::test]
async fn an_account_is_deleted_with_its_secret_a_day_after_its_removal() {
    let folder = tempfile::tempdir().unwrap();
    let day = std::sync::Arc::new(std::sync::atomic::AtomicI64::new(0));
    let clock = {
        let day = day.clone();
        gleaner_library::Clock::new(move || {
            1_700_000_000_000 + day.load(std::sync::atomic::Ordering::Relaxed) * 86_400_000
        })
    };
    let library = Library::open_with(folder.path(), clock).await.unwrap();
    let new = NewAccount {
        keyring_entry: Some("entry".to_owned()),
        url: "u".to_owned(),
        name: "S".to_owned(),
        ..NewAccount::default()
    };
    let account = library.accounts().add(&new).await.unwrap();
    let exists = library.accounts().add(&new).await;
    assert!(matches!(exists, Err(LibraryError::Refused(Refusal::AccountExists))));
    library.accounts().remove(account, false).await.unwrap();
    // Added again: restoring the former one would make it two.
    let again = library.accounts().add(&new).await.unwrap();
    let twice = library.accounts().restore(account).await;
    assert!(matches!(twice, Err(LibraryError::Refused(Refusal::AccountExists))), "{twice:?}");
    library.accounts().remove(again, false).await.unwrap();
    library.accounts().restore(account).await.unwrap();
    library.accounts().remove(account, false).await.unwrap();
    library.accounts().delete_removed().await.unwrap();
    assert_eq!(library.accounts().list().await.unwrap().len(), 2);
    assert!(library.connections().unused_secrets().await.unwrap().is_empty());
    day.store(2, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(library.accounts().restore(account).await, Err(LibraryError::NotFound(_))));
    library.accounts().delete_removed().await.unwrap();
    assert_eq!(library.accounts().list().await.unwrap(), []);
    assert_eq!(library.connections().unused_secrets().await.unwrap(), ["entry"]);
    assert_ne!(library.accounts().add(&new).await.unwrap(), account, "ids are never reused");
}

#[tokio::test]
async fn only_one_process_synchronises() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (Library::open(folder.path()).await.unwrap(), Library::open(folder.path()).await.unwrap());
    let lock = one.sync_lock().unwrap();
    assert!(lock.is_some() && other.sync_lock().unwrap().is_none());
    drop(lock);
    assert!(other.sync_lock().unwrap().is_some());
}
