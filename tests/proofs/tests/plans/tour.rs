//! Calls all functions of a library, so that each of its statements is run once.

use super::{media, sharing};
use gleaner_library::{
    Action, Cursor, Exchange, FeedFacts, FeedScope, Flip, Incoming, Intent, LOCAL_ACCOUNT, Library, ListQuery, Mark,
    MarkKind, MarkScope, NewAccount, NewItem, NewRule, NewSubscription, Order, Parameters, Poll, Preferences, Quote,
    Rearrangement, RemoteArticles, RemoteFeed, RemoteState, RemoteTraits, RetentionPolicy, RuleScope, SearchOrder,
    SearchPage, Source, SyncLogEntry,
};
use gleaner_proofs::{
    acts::{ACTS, Day},
    dump,
};
use sqlx::Connection as _;
use std::path::Path;

/// Queries that together contain every condition of the query language.
const QUERIES: &[&str] = &[
    "word",
    "\"word of it\"",
    "wor*",
    "-word",
    "word OR article",
    "title:article",
    "author:ann",
    "text:word",
    "url:example",
    "feed:a",
    "folder:news",
    "tag:read",
    "note:word",
    "is:highlighted",
    "is:noted word",
    "lang:en",
    "is:unread",
    "is:read",
    "is:starred",
    "is:updated",
    "is:hidden",
    "has:audio",
    "has:enclosure",
    "after:2020-01",
    "before:2030",
    "words:>10",
    "is:unread word",
    "is:starred word",
    "is:unread is:starred",
    "is:unread wor*",
    "(is:unread OR word) -title:x",
];

/// Calls all functions.
pub async fn take(folder: &Path) {
    let mut day = Day::begin(folder).await.unwrap();
    for act in 0..ACTS {
        day.act(act).await.unwrap();
        if act == 10 {
            all_lists(day.library()).await;
        }
    }
    day.library().duplicates().set_combined(false).await.unwrap();
    all_lists(day.library()).await;
    day.library().duplicates().set_combined(true).await.unwrap();
    stories(day.library()).await;
    notes(day.library()).await;
    index(day.library()).await;
    all_searches(day.library()).await;
    day.library().undo(marked_everywhere(day.library()).await).await.unwrap();
    subscriptions(day.library()).await;
    order(day.library()).await;
    accounts(day.library()).await;
    sharing::take(day.library()).await;
    media::take(day.library()).await;
    let mut connection = dump::connect(folder).await.unwrap();
    // Nearly all articles are read: the few unread ones are then looked up one by one, or kept in memory.
    for few in [1, 20, 60] {
        let sql = "UPDATE states SET read = 1, starred = 0 /*proof*/; UPDATE states SET read = 0, starred = 1 /*proof*/ WHERE item_id % 200 < ";
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("{sql}{few}"))).execute(&mut connection).await.unwrap();
        all_searches(day.library()).await;
    }
    connection.close().await.unwrap();
    day.end().await;
    packing().await;
}

/// Compresses the texts of a separate library that has as many articles as a dictionary needs.
async fn packing() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed_id = library.subscriptions().add(&NewSubscription::new("https://tour.example/packed")).await.unwrap();
    let new = |number: usize| {
        let sentence = |at: usize| format!("<p>Sentence {} of {number} says a word.</p>", at * number % 97);
        let body = gleaner_library::Body { html: (0..number % 7 + 4).map(sentence).collect(), base: None };
        let (key, texts) = (number.to_string(), gleaner_library::Texts::pack(Some(&body), None));
        Intent::Insert(Box::new(NewItem { key, texts, ..NewItem::default() }))
    };
    let incoming = Incoming::of_items(feed_id, (0..2100).map(new).collect());
    library.polls().store(&[&incoming]).await.unwrap();
    let mut spared = 0;
    while let Some(slice) = library.dictionaries().recompress_texts().await.unwrap() {
        spared += slice.spared;
    }
    assert!(spared > 0);
    library.search_index().merge().await.unwrap();
    library.close().await.unwrap();
}

async fn sources(library: &Library) -> Vec<Source> {
    let (feeds, folders) = (library.feeds().list().await.unwrap(), library.folders().list().await.unwrap());
    let mut sources = vec![
        Source::All,
        Source::Unread,
        Source::Starred,
        Source::Noted,
        Source::Hidden,
        Source::Listening,
        Source::Downloads,
        Source::Since(5),
    ];
    sources.extend([Source::Feed(feeds[0].id), Source::Folder(folders[0].id)]);
    sources.extend(library.tags().list().await.unwrap().first().map(|tag| Source::Tag(tag.id)));
    sources
}

/// A position in the middle of the lists.
const CURSOR: Cursor = Cursor { sort_at: 1_700_000_005_000, id: 5, feed_id: 1, length: 3 };

async fn all_lists(library: &Library) {
    let cursor = Some(CURSOR);
    for source in sources(library).await {
        for (unread_only, order) in
            [(false, Order::Newest), (false, Order::Oldest), (true, Order::Newest), (true, Order::Oldest)]
        {
            for (after, before) in [(None, None), (cursor, None), (None, cursor)] {
                library.lists().page(ListQuery { source, unread_only, order, after, before, limit: 5 }).await.unwrap();
            }
        }
    }
    other_orders(library).await;
    library.counts().unread_since(1).await.unwrap();
    library.counts().by_feed().await.unwrap();
    for item in [1, 3] {
        library.articles().get(item).await.unwrap();
        library.articles().text(item).await.unwrap();
        library.snapshot().await.unwrap().article(item).await.unwrap();
        library.versions().of_article(item).await.unwrap();
        library.versions().groups(item).await.unwrap();
    }
}

async fn other_orders(library: &Library) {
    for source in sources(library).await {
        for order in [
            Order::ByFeed,
            Order::InfrequentFirst,
            Order::Longest,
            Order::Shortest,
            Order::Title,
            Order::AuthorDescending,
        ] {
            for (unread_only, after) in [(false, None), (true, None), (false, Some(CURSOR)), (true, Some(CURSOR))] {
                let query = ListQuery { unread_only, order, after, ..ListQuery::newest(source, 5) };
                library.lists().page(query).await.unwrap();
                // Uses the code for large libraries, though there are few articles here.
                if matches!(source, Source::All | Source::Unread | Source::Feed(_) | Source::Folder(_)) {
                    library.lists().by_length(&query, 5).await.unwrap();
                }
            }
        }
    }
    library.articles().addresses(&[1, 2]).await.unwrap();
}

/// Marks every list as read from every position; returns the last undo step.
async fn marked_everywhere(library: &Library) -> i64 {
    let mut last = 0;
    for source in sources(library).await {
        for scope in [MarkScope::All, MarkScope::Above(CURSOR), MarkScope::Below(CURSOR)] {
            for order in [Order::Newest, Order::Oldest, Order::ByFeed, Order::Title] {
                last = library.articles().mark_list_read(source, order, scope, Some(9)).await.unwrap().step;
            }
        }
    }
    library.lists().set_view("{}", "{}").await.unwrap();
    library.lists().views().await.unwrap();
    for mark in [Mark::Read, Mark::Starred, Mark::Hidden, Mark::Kept] {
        library.articles().set_marks(&[1, 2], &[(mark, true)]).await.unwrap();
        last = library.articles().set_marks(&[1, 2], &[(mark, false)]).await.unwrap().step;
    }
    last
}

async fn stories(library: &Library) {
    let feeds = library.feeds().list().await.unwrap();
    let new = |feed_id: i64| {
        let item = NewItem {
            key: "story".to_owned(),
            title: "One story in two feeds".to_owned(),
            title_key: Some(77),
            canonical_url: Some("https://example.com/story".to_owned()),
            excerpt: "The council has decided on Tuesday that the old bridge will be closed for a year".to_owned(),
            ..NewItem::default()
        };
        Incoming::of_items(feed_id, vec![Intent::Insert(Box::new(item))])
    };
    library.polls().store(&[&new(feeds[0].id), &new(feeds[1].id)]).await.unwrap();
    library.polls().known_items(feeds[0].id, &["story"], &["https://example.com/story".to_owned()]).await.unwrap();
    library.scheduled().set_enabled(true).await.unwrap();
    let scheduled = NewItem { key: "scheduled".to_owned(), due_at: Some(i64::MAX / 2), ..NewItem::default() };
    let insert = |item: &NewItem| Intent::Insert(Box::new(item.clone()));
    library.polls().store(&[&Incoming::of_items(feeds[0].id, vec![insert(&scheduled)])]).await.unwrap();
    let known = library.polls().known_items(feeds[0].id, &["scheduled"], &[]).await.unwrap();
    let id = known.into_iter().find(|item| item.key == "scheduled").unwrap().id;
    let shown = NewItem { due_at: None, ..scheduled.clone() };
    let intents =
        vec![Intent::Update(id, Box::new(shown)), insert(&NewItem { key: "scheduled too".to_owned(), ..scheduled })];
    let poll = Poll { feed_id: feeds[0].id, checked_at: Some(1), ..Poll::default() };
    let facts = Some(FeedFacts { language: Some("en".to_owned()), ..FeedFacts::default() });
    let current = Incoming { poll, intents, exchange: Some(Exchange::default()), facts, ..Incoming::default() };
    library.polls().store(&[&current]).await.unwrap();
    let poll = Poll { url: "https://tour.example/former".to_owned(), ..current.poll.clone() };
    library.polls().store(&[&Incoming { poll, ..current }]).await.unwrap();
    library.scheduled().set_enabled(false).await.unwrap();
}

async fn notes(library: &Library) {
    let quote = Quote { exact: "word of it".to_owned(), ..Quote::default() };
    // Enough rows for useful statistics.
    for item in [1, 3, 4, 5, 6, 7, 8, 9, 10] {
        for words in ["", "a word", "another"] {
            library.notes().add(item, Some(&quote), 0, words).await.unwrap();
        }
    }
    let (_, step) = library.notes().add(2, Some(&quote), 1, "a word").await.unwrap();
    library.undo(step.step).await.unwrap();
    let (note, _) = library.notes().add(2, Some(&quote), 1, "a word").await.unwrap();
    for step in [
        library.notes().change(note.id, Some(2), Some("another")).await.unwrap().step,
        library.notes().delete(note.id).await.unwrap().step,
    ]
    .into_iter()
    .rev()
    {
        library.undo(step).await.unwrap();
    }
    library.notes().of_article(2).await.unwrap();
    library.notes().count_articles().await.unwrap();
    library.notes().count_articles_of_feed(1).await.unwrap();
    library.notes().articles().await.unwrap();
}

async fn index(library: &Library) {
    let common = library.search_index().common_words().await.unwrap();
    loop {
        let articles = library.search_index().pending(None, 50).await.unwrap();
        if articles.is_empty() {
            return;
        }
        library
            .search_index()
            .add(&articles.iter().map(|a| a.indexed("word of it", &common)).collect::<Vec<_>>())
            .await
            .unwrap();
    }
}

/// Rules and limits of retention.
async fn order(library: &Library) {
    let now = gleaner_library::now();
    let rule = |name: &str, actions: &[Action]| NewRule {
        name: name.to_owned(),
        query: "word".to_owned(),
        scope: RuleScope::Everywhere,
        actions: actions.to_vec(),
    };
    let actions =
        [Action::Read, Action::Star, Action::Hide, Action::Keep, Action::FullText, Action::Tag("t".to_owned())];
    let (id, _) = library.rules().add(&rule("one", &actions)).await.unwrap();
    let items: Vec<i64> = (1..9).collect();
    library.rules().preview(&items, &actions).await.unwrap();
    let applied = library.rules().apply(id, &items, |_| true).await.unwrap().unwrap();
    library.rules().applied_to(1).await.unwrap();
    library.rules().list().await.unwrap();
    library.undo(applied.step).await.unwrap();
    library.rules().change(id, &rule("two", &[Action::Notify])).await.unwrap();
    library.rules().set_enabled(id, false).await.unwrap();
    library.rules().reorder(&[id]).await.unwrap();
    let step = library.rules().delete(id).await.unwrap().step;
    library.undo(step).await.unwrap();
    let bound = RetentionPolicy { days: Some(1), articles: Some(1), bytes: Some(1), keep_unread: false };
    library.retention().preview(FeedScope::All, Some(bound), now).await.unwrap();
    let expired = library.retention().set(FeedScope::All, Some(bound), now, |_| true).await.unwrap();
    library.undo(expired.step).await.unwrap();
    library.retention().expire(now, |_| true).await.unwrap();
    library.retention().pending_deletion().await.unwrap();
    library.retention().restore_all().await.unwrap();
    for scope in [FeedScope::Feed(1), FeedScope::Folder(1)] {
        library.retention().get(scope).await.ok();
    }
    library.retention().delete_expired(now, |_| true).await.unwrap();
}

async fn all_searches(library: &Library) {
    let now = chrono::Local::now();
    for query in QUERIES {
        let query = gleaner_query::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
        for order in [SearchOrder::Date, SearchOrder::Rank] {
            let (hits, _) = library.search().find(&query, &now, SearchPage::first(order, 2)).await.unwrap();
            if let Some(last) = hits.last() {
                library
                    .search()
                    .find(&query, &now, SearchPage { order, after: Some(last.cursor()), limit: 2 })
                    .await
                    .unwrap();
            }
        }
    }
}

/// An account on a server: everything that is stored of it, sent to it and received from it.
async fn accounts(library: &Library) {
    let new = NewAccount { kind: "tour".to_owned(), name: "Tour".to_owned(), labels: true, ..NewAccount::default() };
    let account = library.accounts().add(&new).await.unwrap();
    let listed = [vec![new.name.clone()]];
    library.subscriptions().import(&listed, &[] as &[NewSubscription], |_| true).await.unwrap();
    library.accounts().list().await.unwrap();
    let feed = |id: &str, label: Option<&str>| RemoteFeed {
        remote_id: id.to_owned(),
        title: id.to_owned(),
        url: format!("https://server.example/{id}"),
        label: label.map(str::to_owned),
        ..RemoteFeed::default()
    };
    let sync = library.sync();
    sync.store_feeds(account, &[feed("one", None), feed("two", Some("Server"))], false).await.unwrap();
    sync.store_feeds(account, &[feed("one", Some("Server")), feed("two", None)], false).await.unwrap();
    let feeds = sync.feeds(account).await.unwrap();
    let state = RemoteState {
        remote_id: "r1".to_owned(),
        starred: true,
        labels: vec!["tour".to_owned()],
        ..RemoteState::default()
    };
    let item = NewItem {
        key: "r1".to_owned(),
        canonical_url: Some("https://server.example/r1".to_owned()),
        ..NewItem::default()
    };
    let articles = [RemoteArticles { feed: feeds["one"], items: vec![(item, state)] }];
    sync.store_articles(account, &articles, &[]).await.unwrap();
    let known = sync.known(account).await.unwrap()["r1"].item.unwrap();
    library.articles().mark(&[known], Some(true), Some(false)).await.unwrap();
    let tagged = library.tags().set(&[known], "touring", true).await.unwrap();
    library.undo(tagged.step).await.unwrap();
    for (kind, on) in [
        (MarkKind::Read, false),
        (MarkKind::Starred, true),
        (MarkKind::Label("x".to_owned()), true),
        (MarkKind::Label("tour".to_owned()), false),
    ] {
        sync.apply(account, &[Flip { remote_id: "r1".to_owned(), kind, on }]).await.unwrap();
    }
    sync.has_changes().await.unwrap();
    sync.count_changes().await.unwrap();
    let pending = sync.pending_marks(account, None, 10).await.unwrap();
    sync.marks_sending(account, &pending).await.unwrap();
    sync.marks_sent(account, &pending).await.unwrap();
    sync.marks_refused(account, &pending).await.unwrap();
    sync.set_position(account, "7").await.unwrap();
    sync.set_listed(account).await.unwrap();
    assert!(sync.position(account).await.unwrap().listed_at.is_some());
    sync.awaited(account).await.unwrap();
    sync.set_unlisted(account).await.unwrap();
    sync.article_title(account, "r1").await.unwrap();
    sync.bring_back(account, &["r8".to_owned()]).await.unwrap();
    let other = RemoteTraits { remote_id: "r1".to_owned(), ..RemoteTraits::default() };
    sync.separate(account, &[other], &[("i1".to_owned(), MarkKind::Read)]).await.unwrap();
    sync.set_foreign(account, &[("r9".to_owned(), "other".to_owned())]).await.unwrap();
    library.feeds().rename(feeds["two"], "Mine").await.unwrap();
    sync.subscribe(account, "https://server.example/new", Some("New"), None).await.unwrap();
    for change in sync.pending_feed_changes(account).await.unwrap() {
        sync.feed_change_sending(&change).await.unwrap();
        sync.feed_change_sent(account, &change, Some("new")).await.unwrap();
    }
    // Changes that wait: of a feed that has another id, that the server has already, and of one that it lacks.
    let two = |title: &str| RemoteFeed { remote_id: "2".to_owned(), title: title.to_owned(), ..feed("two", None) };
    for (title, list) in [("A", vec![two("two")]), ("B", vec![two("B")]), ("C", vec![])] {
        library.feeds().rename(feeds["two"], title).await.unwrap();
        sync.store_feeds(account, &[vec![feed("one", None)], list].concat(), true).await.unwrap();
    }
    library.accounts().record(account, Some(("offline", &Parameters::default())), Some(7)).await.unwrap();
    library.accounts().record(account, None, None).await.unwrap();
    library.accounts().set_options(account, 30, 7).await.unwrap();
    library.accounts().set_history_extended(account).await.unwrap();
    library.accounts().rename(account, "Work").await.unwrap();
    let failed = SyncLogEntry { error_code: Some("timeout".to_owned()), ..SyncLogEntry::default() };
    sync.write_log(account, &failed).await.unwrap();
    sync.write_log(account, &failed).await.unwrap();
    sync.log(account).await.unwrap();
    sync.mark_changes(known).await.unwrap();
    sync.origin(known).await.unwrap();
    library.accounts().of_feed(feeds["one"]).await.unwrap();
    moves(library, account, feeds["one"]).await;
    for keep in [true, false] {
        library.accounts().remove(account, keep).await.unwrap();
        library.accounts().restore(account).await.unwrap();
    }
    // Added again, its folder has the name of the removed one's.
    library.accounts().remove(account, false).await.unwrap();
    let again = library.accounts().add(&new).await.unwrap();
    library.accounts().remove(again, false).await.unwrap();
    library.accounts().restore(account).await.unwrap();
    sync.store_feeds(account, &[], true).await.unwrap();
}

/// A feed of an account: moved out, back, and out for good; then refused, and merged.
async fn moves(library: &Library, account: i64, feed: i64) {
    let (sync, subscriptions) = (library.sync(), library.subscriptions());
    let out = subscriptions.move_to_account(&[feed], LOCAL_ACCOUNT).await.unwrap();
    library.undo(out.step).await.unwrap();
    subscriptions.move_to_account(&[feed], LOCAL_ACCOUNT).await.unwrap();
    for change in sync.pending_feed_changes(account).await.unwrap() {
        sync.feed_change_sent(account, &change, None).await.unwrap();
    }
    subscriptions.move_to_account(&[feed], account).await.unwrap();
    for change in sync.pending_feed_changes(account).await.unwrap() {
        sync.feed_change_refused(&change).await.unwrap();
    }
    subscriptions.move_to_account(&[feed], account).await.unwrap();
}

async fn subscriptions(library: &Library) {
    let feed = library.subscriptions().add(&NewSubscription::new("https://tour.example/feed")).await.unwrap();
    library.feeds().rename(feed, "Tour").await.unwrap();
    library.feeds().pick_file(feed, "file:///feed").await.unwrap();
    let often = Preferences { refresh_minutes: Some(5), ..Preferences::default() };
    for scope in [FeedScope::All, FeedScope::Folder(1), FeedScope::Feed(feed)] {
        library.preferences().set(scope, often).await.unwrap();
        library.preferences().get(scope).await.unwrap();
    }
    library.preferences().effective(feed).await.unwrap();
    library.preferences().image_loading().await.unwrap();
    library.preferences().queue_downloads(&[], 1).await.unwrap();
    library
        .polls()
        .set_offered_feed(feed, "https://tour.example/feed", "https://tour.example/other", None)
        .await
        .unwrap();
    let step = library.feeds().set_url(feed, "https://tour.example/new").await.unwrap().step;
    library.undo(step).await.unwrap();
    let step = library.feeds().set_url(feed, "https://ada:one@tour.example/new").await.unwrap().step;
    library.subscriptions().add(&NewSubscription::new("https://bob:two@tour.example/new")).await.unwrap();
    library.subscriptions().add(&NewSubscription::new("https://ada:one@tour.example/new")).await.unwrap_err();
    let secret = library.connections().list().await.unwrap()[&feed].secret.clone().unwrap();
    library.connections().secret_moved(feed, "entry", &secret).await.unwrap();
    library.connections().secret_moved(feed, "entry", &secret).await.unwrap();
    library.undo(step).await.unwrap();
    let step = library.feeds().dismiss_inactive(feed).await.unwrap().step;
    library.undo(step).await.unwrap();
    let folder = library.folders().create("Tour", None).await.unwrap();
    let inner = library.folders().create("Inner", Some(folder)).await.unwrap();
    library.folders().rename(inner, "Within").await.unwrap();
    library.folders().set_open(inner, false).await.unwrap();
    let move_folder = |parent| Rearrangement { folders: vec![inner], parent, ..Rearrangement::default() };
    let step = library.subscriptions().arrange(&move_folder(None)).await.unwrap().step;
    library.undo(step).await.unwrap();
    let move_feed = Rearrangement { feeds: vec![feed], parent: Some(inner), ..Rearrangement::default() };
    let step = library.subscriptions().arrange(&move_feed).await.unwrap().step;
    library.undo(step).await.unwrap();
    library.icons().missing(7).await.unwrap();
    library.icons().set(feed, Some(("image/png", b"picture".as_slice())), 7).await.unwrap();
    library.icons().get(feed).await.unwrap();
    library.search().count_languages(&chrono::Local::now()).await.unwrap();
    library.polls().feeds_in_folder(folder).await.unwrap();
    let step = library.folders().delete(inner).await.unwrap().step;
    library.undo(step).await.unwrap();
    library.subscriptions().tree().await.unwrap();
    library.polls().list().await.unwrap();
    library.polls().due(5, 9).await.unwrap();
    library.polls().next_at().await.unwrap();
    for of in [None, Some(feed)] {
        library.polls().totals(of).await.unwrap();
    }
    library.polls().log(feed).await.unwrap();
    library.polls().report(feed).await.unwrap();
    library.articles().publication_dates(feed).await.unwrap();
    library.articles().count_by_week(feed, 5, 2).await.unwrap();
    library.reading_stats().record_opened(feed, 7).await.unwrap();
    library.reading_stats().since(5).await.unwrap();
    library.hosts().wait_until("tour.example", 7).await.unwrap();
    library.hosts().waiting(1, 9).await.unwrap();
    library.connections().list().await.unwrap();
    library.search_index().state().await.unwrap();
}
