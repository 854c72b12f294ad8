//! Property: after any actions of the user and feeds, and at any time, protected articles never expire, and each article is stored or has a
//! tombstone.

use super::*;
use proptest::{prelude::*, test_runner::Config};

/// Actions of the user, and of feeds and time.
#[derive(Debug, Clone)]
enum Act {
    Receive(u8),
    Read(u8, bool),
    Star(u8, bool),
    Keep(u8, bool),
    Tag(u8),
    Hide(u8),
    Bound(Option<i64>, Option<i64>, bool),
    Expire,
    Undo,
    Restore,
    Clear,
    Days(u8),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => (1..9_u8).prop_map(Act::Receive),
        3 => (any::<u8>(), any::<bool>()).prop_map(|(n, on)| Act::Read(n, on)),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(n, on)| Act::Star(n, on)),
        1 => (any::<u8>(), any::<bool>()).prop_map(|(n, on)| Act::Keep(n, on)),
        1 => any::<u8>().prop_map(Act::Tag),
        1 => any::<u8>().prop_map(Act::Hide),
        3 => (prop::option::of(1..9_i64), prop::option::of(1..30_i64), any::<bool>()).prop_map(|(a, d, u)| Act::Bound(a, d, u)),
        2 => Just(Act::Expire),
        1 => Just(Act::Undo),
        1 => Just(Act::Restore),
        2 => Just(Act::Clear),
        2 => (1..20_u8).prop_map(Act::Days),
    ];
    prop::collection::vec(act, 1..40)
}

/// An article in the model.
#[derive(Debug, Clone, Default)]
struct Known {
    starred: bool,
    kept: bool,
    tagged: bool,
    read: bool,
    hidden: bool,
}

/// A library and its model.
struct World {
    _folder: tempfile::TempDir,
    library: Library,
    feed: i64,
    model: BTreeMap<i64, Known>,
    clock: Millis,
    /// Number of the next article.
    next: i64,
    /// The undo step of the last change of the policy.
    undo: Option<i64>,
    keep_unread: bool,
    /// The articles that were visible after the last action.
    shown: BTreeSet<i64>,
    /// The articles that were deleted by then.
    gone: Vec<i64>,
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed = feed(&library, "a", &[]).await;
        Self {
            _folder: folder,
            library,
            feed,
            model: BTreeMap::new(),
            clock: now(),
            next: 1,
            undo: None,
            keep_unread: true,
            shown: BTreeSet::new(),
            gone: Vec::new(),
        }
    }

    /// Returns the id of an article, which may not exist.
    fn article(&self, number: u8) -> i64 {
        1 + i64::from(number) % self.next.max(2)
    }

    fn update(&mut self, id: i64, change: impl FnOnce(&mut Known)) {
        self.model.entry(id).and_modify(change);
    }

    async fn act(&mut self, act: &Act) {
        match *act {
            Act::Receive(count) => self.receive(i64::from(count)).await,
            Act::Read(n, on) => {
                let id = self.article(n);
                self.library.articles().mark(&[id], Some(on), None).await.unwrap();
                self.update(id, |known| known.read = on);
            }
            Act::Star(n, on) => {
                let id = self.article(n);
                self.library.articles().mark(&[id], None, Some(on)).await.unwrap();
                self.update(id, |known| known.starred = on);
            }
            Act::Keep(n, on) => {
                let id = self.article(n);
                self.library.articles().set_marks(&[id], &[(Mark::Kept, on)]).await.unwrap();
                self.update(id, |known| known.kept = on);
            }
            Act::Tag(n) => {
                let id = self.article(n);
                if self.model.contains_key(&id) {
                    self.library.tags().set(&[id], "word", true).await.unwrap();
                }
                self.update(id, |known| known.tagged = true);
            }
            Act::Hide(n) => {
                let id = self.article(n);
                self.library.articles().set_marks(&[id], &[(Mark::Hidden, true)]).await.unwrap();
                self.update(id, |known| known.hidden = true);
            }
            Act::Bound(articles, days, unread) => self.bound(articles, days, unread).await,
            Act::Expire => {
                let retention = self.library.retention();
                retention.expire(self.clock, |_| true).await.unwrap();
                assert_eq!(retention.expire(self.clock, |_| true).await.unwrap(), 0, "nothing is left to expire");
            }
            Act::Undo => {
                if let Some(step) = self.undo.take() {
                    self.library.undo(step).await.unwrap();
                    let policy = self.library.retention().get(FeedScope::All).await.unwrap().0;
                    self.keep_unread = policy.is_none_or(|policy| policy.keep_unread);
                }
            }
            Act::Restore => self.restore().await,
            Act::Clear => {
                self.library.retention().delete_expired(self.clock, |_| true).await.unwrap();
            }
            Act::Days(days) => self.clock += i64::from(days) * DAY,
        }
    }

    async fn receive(&mut self, count: i64) {
        let intents = (0..count).map(|n| item(&(self.next + n).to_string(), self.clock + n, 1));
        store(&self.library, self.feed, intents.collect()).await;
        let sql = "SELECT id FROM items WHERE cast(key AS INTEGER) >= ? ORDER BY id";
        let readers = &self.library.db.readers;
        let ids: Vec<i64> = sqlx::query_scalar(sql).bind(self.next).fetch_all(readers).await.unwrap();
        self.model.extend(ids.into_iter().map(|id| (id, Known::default())));
        self.next += count;
    }

    async fn bound(&mut self, articles: Option<i64>, days: Option<i64>, keep_unread: bool) {
        self.keep_unread = keep_unread;
        let policy = Some(RetentionPolicy { days, articles, bytes: None, keep_unread });
        let retention = self.library.retention();
        let expected = retention.preview(FeedScope::All, policy, self.clock).await.unwrap().articles;
        let done = retention.set(FeedScope::All, policy, self.clock, |_| true).await.unwrap();
        assert_eq!(i64::try_from(done.count).unwrap(), expected, "a preview counts what expires");
        self.undo = Some(done.step);
    }

    async fn restore(&mut self) {
        let sql = "SELECT item_id FROM going";
        let pending: Vec<i64> = sqlx::query_scalar(sql).fetch_all(&self.library.db.readers).await.unwrap();
        self.library.retention().restore_all().await.unwrap();
        for id in pending {
            self.update(id, |known| known.kept = true);
        }
        assert_eq!(self.library.retention().pending_deletion().await.unwrap().articles, 0);
    }

    /// Compares the library with the model, and notes which articles are visible and which are deleted.
    async fn compare(&mut self, act: &Act) {
        let readers = &self.library.db.readers;
        let sql = "SELECT item_id, hidden FROM states";
        let rows: Vec<(i64, i64)> = sqlx::query_as(sql).fetch_all(readers).await.unwrap();
        let there: BTreeMap<i64, i64> = rows.into_iter().collect();
        // Actions on a deleted article do nothing.
        for id in &self.gone {
            self.model.insert(*id, Known::default());
        }
        for (id, known) in &self.model {
            let safe = known.starred || known.kept || known.tagged;
            assert!(!safe || there.get(id).is_some_and(|hidden| *hidden < 2), "{id} {known:?} after {act:?}");
            let went = self.shown.contains(id) && there.get(id).is_none_or(|hidden| *hidden >= 2);
            let safe = self.keep_unread && !known.read && !known.hidden;
            assert!(!(went && safe), "{id} {known:?} is unread, after {act:?}");
        }
        self.gone = self.model.keys().copied().filter(|id| !there.contains_key(id)).collect();
        self.shown = there.iter().filter(|(_, hidden)| **hidden < 2).map(|(id, _)| *id).collect();
        let tombstones: i64 = sqlx::query_scalar("SELECT count(*) FROM tombstones").fetch_one(readers).await.unwrap();
        let all = there.len() + usize::try_from(tombstones).unwrap();
        assert_eq!(all, self.model.len(), "each article is stored or has a tombstone");
        let listed = there.values().filter(|hidden| **hidden == 0).count();
        assert_eq!(usize::try_from(count(&self.library, self.feed).await.items).unwrap(), listed);
        // Deleted articles count as tombstones from now on.
        for (id, known) in &mut self.model {
            if !there.contains_key(id) {
                *known = Known::default();
            }
        }
    }
}

#[test]
fn protected_articles_never_expire() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(24);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    proptest!(config, |(acts in acts())| {
        runtime.block_on(async {
            let mut world = World::new().await;
            for act in &acts {
                world.act(act).await;
                world.compare(act).await;
            }
            assert!(world.library.check(false).await.unwrap().is_intact());
        });
    });
}
