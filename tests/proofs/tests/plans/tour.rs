//! A tour of all that a library does, so that each of its statements is run once.

use gleaner_library::{
    Action, ArrangedQuery, Arrangement, Cursor, FeedScope, Incoming, Intent, Keep, Library, ListQuery, Mark, MarkScope,
    NewItem, NewRule, NewSubscription, Place, Poll, Preferences, Quote, Rearrangement, RuleScope, SearchOrder, Source,
};
use gleaner_proofs::{
    acts::{ACTS, Day},
    dump,
};
use sqlx::Connection as _;
use std::path::Path;

/// Queries that between them have every condition of the language.
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

/// Goes through all of it.
pub async fn take(folder: &Path) {
    let mut day = Day::begin(folder).await.unwrap();
    for act in 0..ACTS {
        day.act(act).await.unwrap();
        if act == 10 {
            all_lists(day.library()).await;
        }
    }
    day.library().set_stories_are_one(false).await.unwrap();
    all_lists(day.library()).await;
    day.library().set_stories_are_one(true).await.unwrap();
    stories(day.library()).await;
    notes(day.library()).await;
    index(day.library()).await;
    all_searches(day.library()).await;
    day.library().undo(marked_everywhere(day.library()).await).await.unwrap();
    subscriptions(day.library()).await;
    order(day.library()).await;
    let mut connection = dump::connect(folder).await.unwrap();
    // Nearly everything is read: then those few that are not are looked up one by one, or held at hand.
    for few in [1, 20, 60] {
        let sql = "UPDATE states SET read = 1, starred = 0 /*proof*/; UPDATE states SET read = 0, starred = 1 /*proof*/ WHERE item_id % 200 < ";
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("{sql}{few}"))).execute(&mut connection).await.unwrap();
        all_searches(day.library()).await;
    }
    connection.close().await.unwrap();
    day.end().await;
    packing().await;
}

/// In a library of its own, with as many articles as a dictionary takes.
async fn packing() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let url = "https://tour.example/packed".to_owned();
    let feed_id = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
    let new = |number: usize| {
        let sentence = |at: usize| format!("<p>Sentence {} of {number} says a word.</p>", at * number % 97);
        let body = gleaner_library::Body { html: (0..number % 7 + 4).map(sentence).collect(), base: None };
        let (key, texts) = (number.to_string(), gleaner_library::Texts::pack(Some(&body), None));
        Intent::Insert(Box::new(NewItem { key, texts, ..NewItem::default() }))
    };
    let poll = Poll { feed_id, ..Poll::default() };
    let incoming = Incoming { poll, intents: (0..2100).map(new).collect(), ..Incoming::default() };
    library.store(&[&incoming]).await.unwrap();
    let mut spared = 0;
    while let Some(slice) = library.pack_texts().await.unwrap() {
        spared += slice.spared;
    }
    assert!(spared > 0);
    library.merge_index().await.unwrap();
    library.close().await.unwrap();
}

async fn sources(library: &Library) -> Vec<Source> {
    let (feeds, folders) = (library.feeds().await.unwrap(), library.folders().await.unwrap());
    let mut sources =
        vec![Source::All, Source::Unread, Source::Starred, Source::Noted, Source::Hidden, Source::Since(5)];
    sources.extend([Source::Feed(feeds[0].id), Source::Folder(folders[0].id)]);
    sources.extend(library.tags().await.unwrap().first().map(|tag| Source::Tag(tag.id)));
    sources
}

async fn all_lists(library: &Library) {
    let cursor = Some(Cursor { sort_at: 1_700_000_005_000, id: 5 });
    for source in sources(library).await {
        for (unread_only, oldest_first) in [(false, false), (false, true), (true, false), (true, true)] {
            for (after, before) in [(None, None), (cursor, None), (None, cursor)] {
                library.list(ListQuery { source, unread_only, oldest_first, after, before, limit: 5 }).await.unwrap();
            }
        }
    }
    all_arranged(library).await;
    library.unread_since(1).await.unwrap();
    library.feed_counts().await.unwrap();
    for item in [1, 3] {
        library.item(item).await.unwrap();
        library.article_text(item).await.unwrap();
        library.enclosures(item).await.unwrap();
        library.versions(item).await.unwrap();
        library.tags_of(item).await.unwrap();
        library.elsewhere(item).await.unwrap();
    }
}

async fn all_arranged(library: &Library) {
    let place = Place { id: 5, feed_id: 1, sort_at: 1_700_000_005_000, words: 3 };
    for source in sources(library).await {
        for arrangement in [Arrangement::ByFeed, Arrangement::RareFirst, Arrangement::Longest, Arrangement::Shortest] {
            for (unread_only, after) in [(false, None), (true, None), (false, Some(place)), (true, Some(place))] {
                let query = ArrangedQuery { source, unread_only, arrangement, after, limit: 5 };
                library.arranged_list(query).await.unwrap();
                // However few articles there are here, as it is done with a large library.
                if matches!(source, Source::All | Source::Unread | Source::Feed(_) | Source::Folder(_)) {
                    library.by_length(&query, 5).await.unwrap();
                }
            }
        }
    }
    library.addresses(&[1, 2]).await.unwrap();
}

/// Marks every list read, from every place; gives the last step.
async fn marked_everywhere(library: &Library) -> i64 {
    let cursor = Cursor { sort_at: 1_700_000_005_000, id: 5 };
    let mut last = 0;
    for source in sources(library).await {
        for scope in [MarkScope::All, MarkScope::Above(cursor), MarkScope::Below(cursor)] {
            for oldest_first in [false, true] {
                last = library.mark_list_read(source, oldest_first, scope, Some(9)).await.unwrap().step;
            }
        }
    }
    let place = Place { id: 5, feed_id: 1, sort_at: 1_700_000_005_000, words: 3 };
    for source in sources(library).await {
        let query =
            ArrangedQuery { source, unread_only: true, arrangement: Arrangement::ByFeed, after: None, limit: 0 };
        last = library.mark_arranged_read(query, place, true, Some(9)).await.unwrap().step;
    }
    library.set_view("{}", "{}").await.unwrap();
    library.views().await.unwrap();
    for mark in [Mark::Read, Mark::Starred, Mark::Hidden, Mark::Kept] {
        library.set_marks(&[1, 2], &[(mark, true)]).await.unwrap();
        last = library.set_marks(&[1, 2], &[(mark, false)]).await.unwrap().step;
    }
    last
}

async fn stories(library: &Library) {
    let feeds = library.feeds().await.unwrap();
    let new = |feed_id: i64| {
        let item = NewItem {
            key: "story".to_owned(),
            title: "One story in two feeds".to_owned(),
            title_key: Some(77),
            canonical_url: Some("https://example.com/story".to_owned()),
            excerpt: "The council has decided on Tuesday that the old bridge will be closed for a year".to_owned(),
            ..NewItem::default()
        };
        let poll = Poll { feed_id, ..Poll::default() };
        Incoming { poll, intents: vec![Intent::Insert(Box::new(item))], ..Incoming::default() }
    };
    library.store(&[&new(feeds[0].id), &new(feeds[1].id)]).await.unwrap();
    library.known_items(feeds[0].id, &["story"], &["https://example.com/story".to_owned()]).await.unwrap();
    library.set_hold_future(true).await.unwrap();
    let held = NewItem { key: "held".to_owned(), due_at: Some(i64::MAX / 2), ..NewItem::default() };
    let insert = |item: &NewItem| Intent::Insert(Box::new(item.clone()));
    let poll = Poll { feed_id: feeds[0].id, ..Poll::default() };
    let incoming = Incoming { poll: poll.clone(), intents: vec![insert(&held)], ..Incoming::default() };
    library.store(&[&incoming]).await.unwrap();
    let id = library
        .known_items(feeds[0].id, &["held"], &[])
        .await
        .unwrap()
        .into_iter()
        .find(|i| i.key == "held")
        .unwrap()
        .id;
    let shown = NewItem { due_at: None, ..held.clone() };
    let intents = vec![Intent::Update(id, Box::new(shown)), insert(&NewItem { key: "held too".to_owned(), ..held })];
    library.store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
    library.set_hold_future(false).await.unwrap();
}

async fn notes(library: &Library) {
    let quote = Quote { exact: "word of it".to_owned(), ..Quote::default() };
    // Enough of them that statistics tell something.
    for item in [1, 3, 4, 5, 6, 7, 8, 9, 10] {
        for words in ["", "a word", "another"] {
            library.add_note(item, Some(&quote), 0, words).await.unwrap();
        }
    }
    let (_, step) = library.add_note(2, Some(&quote), 1, "a word").await.unwrap();
    library.undo(step.step).await.unwrap();
    let (note, _) = library.add_note(2, Some(&quote), 1, "a word").await.unwrap();
    for step in [
        library.change_note(note.id, Some(2), Some("another")).await.unwrap().step,
        library.delete_note(note.id).await.unwrap().step,
    ]
    .into_iter()
    .rev()
    {
        library.undo(step).await.unwrap();
    }
    library.notes(2).await.unwrap();
    library.noted_count().await.unwrap();
    library.noted_in(1).await.unwrap();
    library.noted_items().await.unwrap();
}

async fn index(library: &Library) {
    let common = library.common_words().await.unwrap();
    loop {
        let articles = library.unindexed(None, 50).await.unwrap();
        if articles.is_empty() {
            return;
        }
        library.index(&articles.iter().map(|a| a.indexed("word of it", &common)).collect::<Vec<_>>()).await.unwrap();
    }
}

/// Rules, and bounds on what is kept.
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
    let (id, _) = library.add_rule(&rule("one", &actions)).await.unwrap();
    let items: Vec<i64> = (1..9).collect();
    library.would_change(&items, &actions).await.unwrap();
    let applied = library.apply_rule(id, &items, |_| true).await.unwrap().unwrap();
    library.rule_touches(1).await.unwrap();
    library.rules().await.unwrap();
    library.undo(applied.step).await.unwrap();
    library.change_rule(id, &rule("two", &[Action::Notify])).await.unwrap();
    library.enable_rule(id, false).await.unwrap();
    library.order_rules(&[id]).await.unwrap();
    let step = library.delete_rule(id).await.unwrap().step;
    library.undo(step).await.unwrap();
    let bound = Keep { days: Some(1), articles: Some(1), bytes: Some(1), keep_unread: false };
    library.would_go(FeedScope::All, Some(bound), now).await.unwrap();
    let kept = library.keep(FeedScope::All, Some(bound), now, |_| true).await.unwrap();
    library.undo(kept.step).await.unwrap();
    library.let_go(now, |_| true).await.unwrap();
    library.going().await.unwrap();
    library.bring_all_back().await.unwrap();
    for scope in [FeedScope::Feed(1), FeedScope::Folder(1)] {
        library.keeping(scope).await.ok();
    }
    library.clear_out(now, |_| true).await.unwrap();
}

async fn all_searches(library: &Library) {
    let now = chrono::Local::now();
    for query in QUERIES {
        let query = gleaner_query::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
        for order in [SearchOrder::Date, SearchOrder::Rank] {
            let (hits, _) = library.search(&query, &now, order, None, 2).await.unwrap();
            if let Some(last) = hits.last() {
                library.search(&query, &now, order, Some(last.cursor()), 2).await.unwrap();
            }
        }
    }
}

async fn subscriptions(library: &Library) {
    let new = |url: &str| NewSubscription { url: url.to_owned(), ..NewSubscription::default() };
    let feed = library.subscribe(&new("https://tour.example/feed")).await.unwrap();
    library.rename_feed(feed, "Tour").await.unwrap();
    library.pick_file(feed, "file:///feed").await.unwrap();
    let often = Preferences { refresh_minutes: Some(5), ..Preferences::default() };
    for scope in [FeedScope::All, FeedScope::Folder(1), FeedScope::Feed(feed)] {
        library.prefer(scope, often).await.unwrap();
        library.preferences(scope).await.unwrap();
    }
    library.preferred(feed).await.unwrap();
    library.picture_preferences().await.unwrap();
    library.queue_wished(&[], 1).await.unwrap();
    library.offer(feed, "https://tour.example/other", None).await.unwrap();
    let step = library.change_feed_url(feed, "https://tour.example/new").await.unwrap().step;
    library.undo(step).await.unwrap();
    let step = library.keep_silent(feed).await.unwrap().step;
    library.undo(step).await.unwrap();
    let folder = library.create_folder("Tour", None).await.unwrap();
    let inner = library.create_folder("Inner", Some(folder)).await.unwrap();
    library.rename_folder(inner, "Within").await.unwrap();
    library.set_folder_open(inner, false).await.unwrap();
    let wish = |parent| Rearrangement { folders: vec![inner], parent, ..Rearrangement::default() };
    let step = library.arrange(&wish(None)).await.unwrap().step;
    library.undo(step).await.unwrap();
    let wish = Rearrangement { feeds: vec![feed], parent: Some(inner), ..Rearrangement::default() };
    let step = library.arrange(&wish).await.unwrap().step;
    library.undo(step).await.unwrap();
    library.move_feed(feed, Some(inner)).await.unwrap();
    library.without_icon(7).await.unwrap();
    library.set_icon(feed, Some(("image/png", b"picture".as_slice())), 7).await.unwrap();
    library.icon(feed).await.unwrap();
    library.count_languages(&chrono::Local::now()).await.unwrap();
    library.feeds_below(folder).await.unwrap();
    let step = library.delete_folder(inner).await.unwrap().step;
    library.undo(step).await.unwrap();
    library.subscriptions().await.unwrap();
    library.polls().await.unwrap();
    library.polls_due(5, 9).await.unwrap();
    library.next_poll_at().await.unwrap();
    for of in [None, Some(feed)] {
        library.poll_totals(of).await.unwrap();
    }
    library.poll_log(feed).await.unwrap();
    library.report(feed).await.unwrap();
    library.postings(feed).await.unwrap();
    library.items_by_week(feed, 5, 2).await.unwrap();
    library.count_opened(feed, 7).await.unwrap();
    library.statistics(5).await.unwrap();
    library.wait_for_host("tour.example", 7).await.unwrap();
    library.waiting_hosts(1, 9).await.unwrap();
    library.accesses().await.unwrap();
    library.index_state().await.unwrap();
}
