//! A simple model of a library: all data is in memory, and each list is computed from all articles.

use gleaner_library::{Cursor, Mark, MarkScope, Millis, Order, Source};
use std::collections::{BTreeMap, BTreeSet};

/// A subscription, or one that was removed.
#[derive(Debug, Clone)]
pub struct Feed {
    pub url: String,
    pub folder: Option<i64>,
    pub left: bool,
}

/// An article.
#[derive(Debug, Clone)]
pub struct Item {
    pub feed: i64,
    pub key: String,
    pub title: String,
    pub sort_at: Millis,
    pub received_at: Millis,
    pub scheduled: Option<Millis>,
    pub read: bool,
    pub starred: bool,
    pub hidden: bool,
    pub kept: bool,
}

impl Item {
    pub fn mark(&mut self, mark: Mark) -> &mut bool {
        match mark {
            Mark::Read => &mut self.read,
            Mark::Starred => &mut self.starred,
            Mark::Hidden => &mut self.hidden,
            Mark::Kept => &mut self.kept,
        }
    }
}

/// How a step is undone.
#[derive(Debug, Clone)]
pub enum Back {
    Marked(Vec<(Mark, bool, Vec<i64>)>),
    /// `created`: there was no such tag before.
    Tagged {
        tag: i64,
        on: bool,
        created: bool,
        items: Vec<i64>,
    },
    DeletedTag {
        tag: i64,
        name: String,
        items: BTreeSet<i64>,
    },
    Unsubscribed(i64),
    Merged {
        from: i64,
        into: i64,
        moved: Vec<i64>,
        marked: Vec<(Mark, Vec<i64>)>,
        tagged: Vec<(i64, Vec<i64>)>,
    },
    DeletedFolder {
        name: String,
        parent: Option<i64>,
        feeds: Vec<i64>,
        folders: Vec<i64>,
    },
}

/// The whole model.
#[derive(Debug, Clone, Default)]
pub struct Plain {
    pub feeds: BTreeMap<i64, Feed>,
    /// Name and parent.
    pub folders: BTreeMap<i64, (String, Option<i64>)>,
    pub items: BTreeMap<i64, Item>,
    /// Name and articles.
    pub tags: BTreeMap<i64, (String, BTreeSet<i64>)>,
    pub schedules: bool,
}

impl Plain {
    /// Whether the folder is the other one or within it.
    fn is_below(&self, mut folder: Option<i64>, above: i64) -> bool {
        while let Some(id) = folder {
            if id == above {
                return true;
            }
            folder = self.folders.get(&id).and_then(|(_, parent)| *parent);
        }
        false
    }

    /// Whether an article belongs to a source, read or not.
    fn belongs(&self, id: i64, source: Source) -> bool {
        let item = &self.items[&id];
        let feed = &self.feeds[&item.feed];
        if item.scheduled.is_some() || feed.left || (source == Source::Hidden) != item.hidden {
            return false;
        }
        match source {
            Source::Since(moment) => item.sort_at >= moment,
            Source::Unread => !item.read,
            Source::Starred => item.starred,
            // The model has no full-text search.
            Source::Noted | Source::Listening | Source::Downloads => false,
            Source::All | Source::Hidden => true,
            Source::Feed(feed) => item.feed == feed,
            Source::Folder(folder) => self.is_below(feed.folder, folder),
            Source::Tag(tag) => self.tags.get(&tag).is_some_and(|(_, items)| items.contains(&id)),
            // Other sources have tests of their own.
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }

    /// Returns the ids of a list, in its order.
    pub fn list(&self, source: Source, unread: bool, order: Order) -> Vec<i64> {
        let shown = self.items.iter().filter(|(id, item)| self.belongs(**id, source) && !(unread && item.read));
        let mut keys: Vec<(Millis, i64)> = shown.map(|(id, item)| (item.sort_at, *id)).collect();
        keys.sort_unstable();
        if order == Order::Newest {
            keys.reverse();
        }
        keys.into_iter().map(|(_, id)| id).collect()
    }

    /// Marks a list as read and returns those that were not.
    pub fn mark_list(
        &mut self,
        source: Source,
        order: Order,
        scope: MarkScope,
        received_before: Option<Millis>,
    ) -> Vec<i64> {
        let in_scope = |item: &Item, id: i64| {
            let (cursor, above) = match scope {
                MarkScope::All => return true,
                MarkScope::Above(cursor) => (cursor, true),
                MarkScope::Below(cursor) => (cursor, false),
            };
            let Cursor { sort_at, id: at, .. } = cursor;
            if above == (order == Order::Oldest) {
                (item.sort_at, id) < (sort_at, at)
            } else {
                (item.sort_at, id) > (sort_at, at)
            }
        };
        let chosen: Vec<i64> = self
            .list(source, true, order)
            .into_iter()
            .filter(|id| {
                let item = &self.items[id];
                in_scope(item, *id) && received_before.is_none_or(|before| item.received_at <= before)
            })
            .collect();
        chosen.iter().for_each(|id| self.items.get_mut(id).unwrap().read = true);
        chosen
    }

    /// Sets a mark and returns the articles whose mark changed.
    pub fn set(&mut self, mark: Mark, on: bool, ids: &[i64]) -> Vec<i64> {
        let mut changed = Vec::new();
        for id in ids {
            let item = self.items.get_mut(id).unwrap();
            if item.scheduled.is_none() && *item.mark(mark) != on {
                *item.mark(mark) = on;
                changed.push(*id);
            }
        }
        changed
    }

    /// Adds or removes a tag and returns the articles that changed.
    pub fn tag(&mut self, tag: i64, on: bool, ids: &[i64]) -> Vec<i64> {
        let (_, items) = self.tags.get_mut(&tag).unwrap();
        ids.iter().filter(|id| if on { items.insert(**id) } else { items.remove(id) }).copied().collect()
    }

    /// Merges two feeds. An article scheduled in one and shown in the other is shown.
    pub fn merge(&mut self, from: i64, into: i64) -> Back {
        let other =
            |key: &str| self.items.iter().find(|(_, item)| item.feed == into && item.key == key).map(|(id, _)| *id);
        let pairs: Vec<(i64, Option<i64>)> =
            self.items.iter().filter(|(_, item)| item.feed == from).map(|(id, item)| (*id, other(&item.key))).collect();
        let (mut moved, mut marked, mut tagged) = (Vec::new(), Vec::new(), Vec::new());
        for (one, other) in pairs {
            let Some(other) = other else {
                moved.push(one);
                self.items.get_mut(&one).unwrap().feed = into;
                continue;
            };
            for mark in [Mark::Read, Mark::Starred, Mark::Kept, Mark::Hidden] {
                if *self.items.get_mut(&one).unwrap().mark(mark) {
                    marked.push((mark, self.set(mark, true, &[other])));
                }
            }
            let tags: Vec<i64> =
                self.tags.iter().filter(|(_, (_, items))| items.contains(&one)).map(|(tag, _)| *tag).collect();
            tagged.extend(tags.into_iter().map(|tag| (tag, self.tag(tag, true, &[other]))));
        }
        self.feeds.get_mut(&from).unwrap().left = true;
        Back::Merged { from, into, moved, marked, tagged }
    }

    /// Restores a feed; `false` if its address has a new subscription.
    fn resubscribe(&mut self, id: i64) -> bool {
        let url = self.feeds[&id].url.clone();
        if self.feeds.iter().any(|(other, feed)| *other != id && feed.url == url && !feed.left) {
            return false;
        }
        self.feeds.get_mut(&id).unwrap().left = false;
        true
    }

    /// Undoes a step; `false`, without any change, if that is no longer possible.
    pub fn back(&mut self, back: &Back) -> bool {
        match back {
            Back::Marked(marks) => {
                for (mark, on, items) in marks.iter().rev() {
                    self.set(*mark, !on, items);
                }
            }
            Back::Tagged { tag, on, created, items } => {
                if !self.tags.contains_key(tag) {
                    return *on;
                }
                self.tag(*tag, !on, items);
                if *created && self.tags[tag].1.is_empty() {
                    self.tags.remove(tag);
                }
            }
            Back::DeletedTag { tag, name, items } => {
                let there = self.tags.iter().find(|(_, (other, _))| other == name).map(|(id, _)| *id);
                self.tags.entry(there.unwrap_or(*tag)).or_insert((name.clone(), BTreeSet::new())).1.extend(items);
            }
            Back::Unsubscribed(feed) => return self.resubscribe(*feed),
            Back::Merged { from, into, moved, marked, tagged } => {
                if !self.resubscribe(*from) {
                    return false;
                }
                for id in moved {
                    let item = self.items.get_mut(id).unwrap();
                    if item.feed == *into {
                        item.feed = *from;
                    }
                }
                for (mark, items) in marked {
                    self.set(*mark, false, items);
                }
                for (tag, items) in tagged {
                    // A tag that was deleted meanwhile stays deleted.
                    if self.tags.contains_key(tag) {
                        self.tag(*tag, false, items);
                    }
                }
            }
            // The caller adds its new id, which the library chooses.
            Back::DeletedFolder { parent, .. } => {
                return parent.is_none_or(|parent| self.folders.contains_key(&parent));
            }
        }
        true
    }
}
