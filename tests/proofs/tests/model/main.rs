//! Compares a library with a simple model in memory after any sequence of changes and undos: every list, count and tag is the same, and
//! `check` finds nothing.
#![allow(clippy::unwrap_used)]

mod plain;

use gleaner_library::{
    Cursor, Incoming, Intent, Library, LibraryError, ListQuery, Mark, MarkScope, Millis, NewItem, NewSubscription,
    Occasion, Order, Rearrangement, Row, Source, restore,
};
use plain::{Back, Feed, Item, Plain};
use proptest::{prelude::*, sample::Index};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

const BEGIN: Millis = 1_700_000_000_000;
const HOUR: Millis = 3_600_000;

#[derive(Debug, Clone)]
enum Step {
    Subscribe(u8, Option<Index>),
    Folder(Option<Index>),
    Move(Index, Option<Index>),
    DeleteFolder(Index),
    /// Items of a feed: key, edition, one of a few dates, hours for which it is scheduled.
    Store(Index, Vec<(u8, u8, u8, Option<u8>)>),
    Rename(Index),
    Mark(Vec<Index>, Vec<(u8, bool)>),
    MarkList {
        source: Index,
        order: Order,
        scope: Option<bool>,
        at: Index,
        received: Option<u8>,
    },
    Tag(Vec<Index>, u8, bool),
    DeleteTag(Index),
    Unsubscribe(Index),
    Merge(Index, Index),
    Undo(Index),
    Schedule(bool),
    Release(u8),
    Reopen,
    BackUp,
    Restore,
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<Index>;
    let some = || prop::collection::vec(any::<Index>(), 1..5);
    let item = (0_u8..8, 0_u8..3, 0_u8..6, prop::option::weighted(0.2, 1_u8..9));
    let marks = prop::collection::vec((0_u8..4, any::<bool>()), 1..3);
    let order = prop::sample::select(vec![Order::Newest, Order::Oldest]);
    prop_oneof![
        3 => (0_u8..4, prop::option::of(index())).prop_map(|(feed, folder)| Step::Subscribe(feed, folder)),
        1 => prop::option::of(index()).prop_map(Step::Folder),
        1 => (index(), prop::option::of(index())).prop_map(|(feed, folder)| Step::Move(feed, folder)),
        1 => index().prop_map(Step::DeleteFolder),
        6 => (index(), prop::collection::vec(item, 1..7)).prop_map(|(feed, items)| Step::Store(feed, items)),
        1 => index().prop_map(Step::Rename),
        5 => (some(), marks).prop_map(|(items, marks)| Step::Mark(items, marks)),
        3 => (index(), order, any::<Option<bool>>(), index(), prop::option::of(0_u8..6)).prop_map(
            |(source, order, scope, at, received)| Step::MarkList { source, order, scope, at, received }
        ),
        3 => (some(), 0_u8..3, prop::bool::weighted(0.7)).prop_map(|(items, tag, on)| Step::Tag(items, tag, on)),
        1 => index().prop_map(Step::DeleteTag),
        1 => index().prop_map(Step::Unsubscribe),
        1 => (index(), index()).prop_map(|(from, into)| Step::Merge(from, into)),
        6 => index().prop_map(Step::Undo),
        1 => any::<bool>().prop_map(Step::Schedule),
        1 => (0_u8..9).prop_map(Step::Release),
        1 => Just(Step::Reopen),
        1 => Just(Step::BackUp),
        1 => Just(Step::Restore),
    ]
}

/// A library and its model.
struct World {
    folder: tempfile::TempDir,
    library: Option<Library>,
    plain: Plain,
    steps: Vec<(i64, Back)>,
    backup: Option<(PathBuf, Plain)>,
    folders_made: usize,
}

fn pick<T: Copy>(index: &Index, of: impl IntoIterator<Item = T>) -> Option<T> {
    let of: Vec<T> = of.into_iter().collect();
    (!of.is_empty()).then(|| of[index.index(of.len())])
}

impl World {
    fn library(&self) -> &Library {
        self.library.as_ref().unwrap()
    }

    fn subscribed(&self) -> Vec<i64> {
        self.plain.feeds.iter().filter(|(_, feed)| !feed.left).map(|(id, _)| *id).collect()
    }

    fn some_items(&self, indexes: &[Index]) -> Vec<i64> {
        let mut ids: Vec<i64> =
            indexes.iter().filter_map(|index| pick(index, self.plain.items.keys().copied())).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn some_folder(&self, index: Option<&Index>) -> Option<i64> {
        index.and_then(|index| pick(index, self.plain.folders.keys().copied()))
    }

    fn cursors(&self) -> impl Iterator<Item = Cursor> {
        let items = self.plain.items.iter();
        items.map(|(id, item)| Cursor { sort_at: item.sort_at, id: *id, feed_id: item.feed, length: 0 })
    }

    /// Returns the scheduled articles whose date is wanted.
    fn scheduled(&self, wanted: impl Fn(Millis) -> bool) -> Vec<i64> {
        let items = self.plain.items.iter();
        items.filter(|(_, item)| item.scheduled.is_some_and(&wanted)).map(|(id, _)| *id).collect()
    }

    fn sources(&self) -> Vec<Source> {
        let mut sources =
            vec![Source::All, Source::Unread, Source::Starred, Source::Hidden, Source::Since(BEGIN + 3 * HOUR)];
        sources.extend(self.plain.feeds.keys().map(|id| Source::Feed(*id)));
        sources.extend(self.plain.folders.keys().map(|id| Source::Folder(*id)));
        sources.extend(self.plain.tags.keys().map(|id| Source::Tag(*id)));
        sources
    }

    /// Scheduled articles are shown now, at a place that depends on the library's clock.
    async fn released(&mut self, ids: Vec<i64>) {
        for id in ids {
            let there = self.library().articles().get(id).await.unwrap();
            let item = self.plain.items.get_mut(&id).unwrap();
            let until = item.scheduled.take().unwrap();
            assert_eq!(there.sort_at, until.min(there.received_at), "{item:?}");
            (item.sort_at, item.received_at) = (there.sort_at, there.received_at);
        }
    }

    async fn store(&mut self, feed: i64, items: &[(u8, u8, u8, Option<u8>)]) {
        let mut next = self.plain.items.keys().max().copied().unwrap_or(0) + 1;
        let now = gleaner_library::now() / HOUR * HOUR;
        let (mut intents, mut seen) = (Vec::new(), Vec::new());
        let mut released = Vec::new();
        for (key, edition, date, hours) in items {
            let key = format!("key {key}");
            if seen.contains(&key) {
                continue;
            }
            seen.push(key.clone());
            let title = format!("{key}, edition {edition}");
            let due_at = hours.map(|hours| now + i64::from(hours) * 24 * HOUR);
            let sort_at = BEGIN + i64::from(*date) * HOUR;
            let new = NewItem {
                key: key.clone(),
                title: title.clone(),
                sort_at,
                received_at: sort_at,
                due_at,
                ..NewItem::default()
            };
            let known = self.plain.items.iter_mut().find(|(_, item)| item.feed == feed && item.key == key);
            if let Some((id, item)) = known {
                if item.title == title {
                    continue;
                }
                item.title = title;
                if item.scheduled.is_some() {
                    item.scheduled = Some(due_at.unwrap_or(sort_at));
                    if due_at.is_none() {
                        released.push(*id);
                    }
                }
                intents.push(Intent::Update(*id, Box::new(new)));
            } else {
                let scheduled = due_at.filter(|_| self.plain.schedules);
                let (read, starred, hidden, kept) = (false, false, false, false);
                let item =
                    Item { feed, key, title, sort_at, received_at: sort_at, scheduled, read, starred, hidden, kept };
                self.plain.items.insert(next, item);
                next += 1;
                intents.push(Intent::Insert(Box::new(new)));
            }
        }
        let incoming = Incoming::of_items(feed, intents);
        self.library().polls().store(&[&incoming]).await.unwrap();
        self.released(released).await;
    }

    async fn move_to(&self, feed: i64, parent: Option<i64>) {
        let there = Rearrangement { feeds: vec![feed], parent, ..Rearrangement::default() };
        self.library().subscriptions().arrange(&there).await.unwrap();
    }

    async fn take(&mut self, step: &Step) {
        match step {
            Step::Subscribe(feed, folder) => self.subscribe(*feed, folder.as_ref()).await,
            Step::Folder(parent) => self.create_folder(parent.as_ref()).await,
            Step::Move(feed, folder) => {
                let Some(feed) = pick(feed, self.subscribed()) else { return };
                let folder = self.some_folder(folder.as_ref());
                self.move_to(feed, folder).await;
                self.plain.feeds.get_mut(&feed).unwrap().folder = folder;
            }
            Step::DeleteFolder(at) => self.delete_folder(at).await,
            Step::Store(feed, items) => {
                // An unsubscribed feed stores nothing.
                let Some(feed) = pick(feed, self.subscribed()) else { return };
                self.store(feed, items).await;
            }
            Step::Rename(at) => self.rename(at).await,
            Step::Mark(items, marks) => self.mark(items, marks).await,
            Step::MarkList { source, order, scope, at, received } => {
                let scope = match (scope, pick(at, self.cursors())) {
                    (Some(true), Some(cursor)) => MarkScope::Above(cursor),
                    (Some(false), Some(cursor)) => MarkScope::Below(cursor),
                    _ => MarkScope::All,
                };
                let received = received.map(|hours| BEGIN + i64::from(hours) * HOUR);
                self.mark_list(pick(source, self.sources()).unwrap(), *order, scope, received).await;
            }
            Step::Tag(items, tag, on) => self.tag(items, format!("tag {tag}"), *on).await,
            Step::DeleteTag(at) => {
                let Some(id) = pick(at, self.plain.tags.keys().copied()) else { return };
                let step = self.library().tags().delete(id).await.unwrap().step;
                let (name, items) = self.plain.tags.remove(&id).unwrap();
                self.steps.push((step, Back::DeletedTag { tag: id, name, items }));
            }
            Step::Unsubscribe(feed) => {
                let Some(feed) = pick(feed, self.subscribed()) else { return };
                let step = self.library().feeds().unsubscribe(&[feed]).await.unwrap().step;
                self.plain.feeds.get_mut(&feed).unwrap().left = true;
                self.steps.push((step, Back::Unsubscribed(feed)));
            }
            Step::Merge(from, into) => self.merge(from, into).await,
            Step::Undo(at) => self.undo(at).await,
            Step::Schedule(schedules) => {
                self.library().scheduled().set_enabled(*schedules).await.unwrap();
                self.plain.schedules = *schedules;
                if !schedules {
                    let scheduled = self.scheduled(|_| true);
                    self.released(scheduled).await;
                }
            }
            Step::Release(days) => {
                let now = gleaner_library::now() + i64::from(*days) * 24 * HOUR;
                let due = self.scheduled(|until| until <= now || !self.plain.schedules);
                self.library().scheduled().release_due(now).await.unwrap();
                self.released(due).await;
            }
            Step::Reopen => {
                self.library.take().unwrap().close().await.unwrap();
                self.library = Some(Library::open(self.folder.path()).await.unwrap());
                self.steps.clear();
            }
            Step::BackUp => {
                let backup = self.library().back_up(Occasion::ByHand).await.unwrap();
                self.backup = Some((backup.path, self.plain.clone()));
            }
            Step::Restore => {
                let Some((backup, plain)) = self.backup.clone() else { return };
                self.library.take().unwrap().close().await.unwrap();
                restore(self.folder.path(), &backup).await.unwrap();
                self.library = Some(Library::open(self.folder.path()).await.unwrap());
                self.plain = plain;
                self.steps.clear();
            }
        }
    }

    async fn subscribe(&mut self, feed: u8, folder: Option<&Index>) {
        let url = format!("https://{feed}.example/feed");
        let there = self.plain.feeds.iter().find(|(_, feed)| feed.url == url && !feed.left).map(|(id, _)| *id);
        match (self.library().subscriptions().add(&NewSubscription::new(url.clone())).await, there) {
            (Ok(id), None) => {
                let folder = self.some_folder(folder);
                self.move_to(id, folder).await;
                self.plain.feeds.insert(id, Feed { url, folder, left: false });
            }
            (Err(LibraryError::AlreadySubscribed(id)), Some(there)) => assert_eq!(id, there),
            (done, there) => panic!("{done:?}, {there:?}"),
        }
    }

    async fn create_folder(&mut self, parent: Option<&Index>) {
        let parent = self.some_folder(parent);
        self.folders_made += 1;
        let name = format!("Folder {}", self.folders_made);
        let id = self.library().folders().create(&name, parent).await.unwrap();
        self.plain.folders.insert(id, (name, parent));
    }

    async fn delete_folder(&mut self, at: &Index) {
        let Some(id) = pick(at, self.plain.folders.keys().copied()) else { return };
        let step = self.library().folders().delete(id).await.unwrap().step;
        let (name, parent) = self.plain.folders.remove(&id).unwrap();
        let (mut feeds, mut folders) = (Vec::new(), Vec::new());
        for (feed, of) in self.plain.feeds.iter_mut().filter(|(_, feed)| feed.folder == Some(id)) {
            of.folder = parent;
            feeds.push(*feed);
        }
        for (folder, of) in self.plain.folders.iter_mut().filter(|(_, (_, parent))| *parent == Some(id)) {
            of.1 = parent;
            folders.push(*folder);
        }
        self.steps.push((step, Back::DeletedFolder { name, parent, feeds, folders }));
    }

    async fn rename(&mut self, at: &Index) {
        let Some(id) = pick(at, self.plain.items.keys().copied()) else { return };
        let (feed_id, key) = (self.plain.items[&id].feed, format!("renamed {id}"));
        if self.plain.feeds[&feed_id].left {
            return;
        }
        let incoming = Incoming::of_items(feed_id, vec![Intent::Rename(id, key.clone())]);
        self.library().polls().store(&[&incoming]).await.unwrap();
        self.plain.items.get_mut(&id).unwrap().key = key;
    }

    async fn mark(&mut self, items: &[Index], marks: &[(u8, bool)]) {
        let ids = self.some_items(items);
        let of = [Mark::Read, Mark::Starred, Mark::Hidden, Mark::Kept];
        let marks: Vec<(Mark, bool)> = marks.iter().map(|(mark, on)| (of[usize::from(*mark)], *on)).collect();
        let done = self.library().articles().set_marks(&ids, &marks).await.unwrap();
        let back: Vec<_> = marks.iter().map(|(mark, on)| (*mark, *on, self.plain.set(*mark, *on, &ids))).collect();
        assert_eq!(done.count, back.iter().map(|(_, _, items)| items.len()).max().unwrap_or(0));
        self.steps.push((done.step, Back::Marked(back)));
    }

    async fn mark_list(&mut self, source: Source, order: Order, scope: MarkScope, received: Option<Millis>) {
        let done = self.library().articles().mark_list_read(source, order, scope, received).await.unwrap();
        let items = self.plain.mark_list(source, order, scope, received);
        assert_eq!(done.count, items.len(), "{source:?}");
        self.steps.push((done.step, Back::Marked(vec![(Mark::Read, true, items)])));
    }

    async fn tag(&mut self, items: &[Index], tag: String, on: bool) {
        let ids = self.some_items(items);
        let done = self.library().tags().set(&ids, &tag, on).await.unwrap();
        let tags = self.library().tags().list().await.unwrap();
        let Some(number) = tags.into_iter().find(|there| there.name == tag).map(|there| there.id) else {
            assert!(!on && done.count == 0, "only adding a tag creates it");
            return;
        };
        let created = !self.plain.tags.contains_key(&number);
        self.plain.tags.entry(number).or_insert((tag, BTreeSet::new()));
        let items = self.plain.tag(number, on, &ids);
        assert_eq!(done.count, items.len());
        self.steps.push((done.step, Back::Tagged { tag: number, on, created, items }));
    }

    async fn merge(&mut self, from: &Index, into: &Index) {
        let (Some(from), Some(into)) = (pick(from, self.subscribed()), pick(into, self.subscribed())) else { return };
        if from == into {
            let refused = self.library().subscriptions().merge(from, into).await.unwrap_err();
            return assert!(matches!(refused, LibraryError::Refused(_)), "{refused}");
        }
        let items = &self.plain.items;
        let shown =
            |key: &str| items.values().any(|item| item.feed == from && item.key == key && item.scheduled.is_none());
        let scheduled =
            items.iter().filter(|(_, item)| item.feed == into && item.scheduled.is_some() && shown(&item.key));
        let scheduled: Vec<i64> = scheduled.map(|(id, _)| *id).collect();
        let step = self.library().subscriptions().merge(from, into).await.unwrap().step;
        self.released(scheduled).await;
        let back = self.plain.merge(from, into);
        self.steps.push((step, back));
    }

    async fn undo(&mut self, at: &Index) {
        let Some(at) = pick(at, 0..self.steps.len()) else { return };
        let (step, back) = self.steps.remove(at);
        let done = self.library().undo(step).await;
        if !self.plain.back(&back) {
            let refused = done.err().unwrap_or_else(|| panic!("{back:?} was taken back"));
            let expected = matches!(refused, LibraryError::NotFound(_) | LibraryError::AlreadySubscribed(_));
            return assert!(expected, "{back:?}: {refused:?}");
        }
        done.unwrap_or_else(|error| panic!("{back:?}: {error:?}"));
        if let Back::DeletedFolder { name, parent, feeds, folders } = back {
            let made =
                self.library().folders().list().await.unwrap().into_iter().find(|folder| folder.name == name).unwrap();
            assert_eq!(made.parent_id, parent);
            self.plain.folders.insert(made.id, (name, parent));
            for feed in feeds {
                self.plain.feeds.get_mut(&feed).unwrap().folder = Some(made.id);
            }
            for folder in folders {
                if let Some((_, parent)) = self.plain.folders.get_mut(&folder) {
                    *parent = Some(made.id);
                }
            }
        }
    }

    /// Compares every list, one of them also by pages in both directions, every count and every tag.
    async fn compare(&mut self, number: usize, step: &Step) {
        let tags = self.library().tags().list().await.unwrap();
        let names: BTreeMap<i64, &String> = tags.iter().map(|tag| (tag.id, &tag.name)).collect();
        let expected: BTreeMap<i64, &String> = self.plain.tags.iter().map(|(id, (name, _))| (*id, name)).collect();
        assert_eq!(names, expected, "after {step:?}");
        for tag in &tags {
            let all = self.plain.list(Source::Tag(tag.id), false, Order::Oldest).len();
            let unread = self.plain.list(Source::Tag(tag.id), true, Order::Oldest).len();
            assert_eq!((tag.items, tag.unread), (all as i64, unread as i64), "{tag:?} after {step:?}");
        }
        for (at, source) in self.sources().into_iter().enumerate() {
            for (unread_only, order) in
                [(false, Order::Newest), (false, Order::Oldest), (true, Order::Newest), (true, Order::Oldest)]
            {
                let query = ListQuery { unread_only, order, ..ListQuery::newest(source, 400) };
                let expected = self.plain.list(source, unread_only, order);
                let (rows, more) = self.library().lists().page(query).await.unwrap();
                assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), expected, "{query:?} after {step:?}");
                assert!(!more);
                for row in &rows {
                    let item = &self.plain.items[&row.id];
                    let (there, wanted) = ((row.feed_id, row.sort_at, row.read, row.starred, &row.title), item);
                    assert_eq!(there, (wanted.feed, wanted.sort_at, wanted.read, wanted.starred, &wanted.title));
                }
                if (at + number).is_multiple_of(11) {
                    self.paged(query, &rows).await;
                }
            }
        }
        for count in self.library().counts().by_feed().await.unwrap() {
            let of =
                || self.plain.items.values().filter(|i| i.feed == count.feed_id && i.scheduled.is_none() && !i.hidden);
            let (unread, starred) = (of().filter(|item| !item.read).count(), of().filter(|item| item.starred).count());
            let expected = (of().count() as i64, unread as i64, starred as i64);
            assert_eq!((count.items, count.unread, count.starred), expected, "{count:?} after {step:?}");
        }
        let since = self.plain.list(Source::Since(BEGIN + HOUR), true, Order::Oldest).len();
        assert_eq!(self.library().counts().unread_since(BEGIN + HOUR).await.unwrap(), since as i64, "after {step:?}");
        let scheduled = self.plain.items.values().filter_map(|item| item.scheduled).min();
        assert_eq!(self.library().scheduled().next_at().await.unwrap(), scheduled, "after {step:?}");
        assert_eq!(self.library().check(false).await.unwrap().findings, [], "after {step:?}");
    }

    /// Asserts that pages of three, from the start and from the end, give the same list.
    async fn paged(&self, mut query: ListQuery, whole: &[Row]) {
        query.limit = 3;
        let mut there: Vec<Row> = Vec::new();
        loop {
            let (page, more) = self.library().lists().page(query).await.unwrap();
            there.extend(page);
            query.after = there.last().map(Row::cursor);
            if !more {
                break;
            }
        }
        assert_eq!(there, whole, "{query:?}");
        let Some(last) = whole.last() else { return };
        (query.after, query.before) = (None, Some(last.cursor()));
        let mut back = vec![last.clone()];
        loop {
            let (page, more) = self.library().lists().page(query).await.unwrap();
            back.splice(0..0, page);
            query.before = back.first().map(Row::cursor);
            if !more {
                break;
            }
        }
        assert_eq!(back, whole, "{query:?}, backwards");
    }
}

async fn walk(steps: Vec<Step>) {
    let folder = tempfile::tempdir().unwrap();
    let library = Some(Library::open(folder.path()).await.unwrap());
    let (plain, steps_back) = (Plain::default(), Vec::new());
    let mut world = World { folder, library, plain, steps: steps_back, backup: None, folders_made: 0 };
    for (number, step) in steps.iter().enumerate() {
        world.take(step).await;
        world.compare(number, step).await;
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: u32::try_from(gleaner_proofs::rounds(32)).unwrap(),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn the_library_equals_its_model(steps in prop::collection::vec(step(), 1..40)) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(walk(steps));
    }
}
