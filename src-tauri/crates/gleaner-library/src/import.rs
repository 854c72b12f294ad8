//! Imports articles from other readers with their marks, many feeds in one transaction. Articles that the library has only gain marks;
//! their text stays as it is.

use crate::{
    LibraryError, Mark, Millis, NewItem, NewSubscription, store,
    subscriptions::Subscriptions,
    table::{
        duplicates,
        id_sequences::{self, Numbered},
        mark_log::{Cause, MarkChange},
        states::{self, Marked},
        tags::{self, CreatedTag, DeletedTag, Tagged},
        tombstones,
    },
};
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Marks that an article has in another reader.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// `None` if unknown.
    pub read: Option<bool>,
    /// Whether it has a star or an equivalent mark.
    pub starred: bool,
    /// Whether it was deleted there. It is imported as hidden, so that its feed does not add it again.
    pub hidden: bool,
    /// Names of its tags.
    pub tags: Vec<String>,
}

/// Articles of one feed from another reader.
#[derive(Debug, Clone, Default)]
pub struct ImportedArticles {
    /// The feed's id.
    pub feed: i64,
    /// Articles that the library does not have. If it is unknown whether they were read, they count as read.
    pub new: Vec<(NewItem, Marks)>,
    /// Keys of all articles of the batch, known ones included.
    pub keys: Vec<String>,
    /// The next item's id when the articles were looked up (`Polls::next_item`).
    pub since: Option<i64>,
    /// Keys of tombstones to remove: those of articles in `new` that were deleted here.
    pub restored: Vec<String>,
    /// Articles that the library has, by id.
    pub known: Vec<(i64, Marks)>,
}

/// Counts of imported articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportedCounts {
    /// New articles.
    pub articles: usize,
    /// New articles that are unread.
    pub unread: usize,
    /// New articles that have a star.
    pub starred: usize,
    /// Articles that the library had and that were marked read or starred, or tagged.
    pub marked: usize,
}

impl std::ops::AddAssign for ImportedCounts {
    fn add_assign(&mut self, other: Self) {
        self.articles += other.articles;
        self.unread += other.unread;
        self.starred += other.starred;
        self.marked += other.marked;
    }
}

/// Marks that an import gave to articles that the library had, and the tags that it created.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GainedMarks {
    pub(crate) marks: Vec<Marked>,
    pub(crate) tags: Vec<Tagged>,
    /// On known articles, new ones, or none.
    pub(crate) created: Vec<CreatedTag>,
}

impl GainedMarks {
    /// Adds those of the next batch of an import.
    pub fn extend(&mut self, other: Self) {
        self.marks.extend(other.marks);
        self.tags.extend(other.tags);
        self.created.extend(other.created);
        self.marks.retain(|marked| !marked.items.is_empty());
        self.tags.retain(|tagged| !tagged.items.is_empty());
    }

    /// Returns the ids of the articles.
    pub(crate) fn articles(&self) -> HashSet<i64> {
        self.marks.iter().flat_map(|marked| &marked.items).chain(self.all_tagged()).copied().collect()
    }

    fn all_tagged(&self) -> impl Iterator<Item = &i64> {
        self.tags.iter().flat_map(|tagged| &tagged.items)
    }

    /// Keeps only the marks of some articles.
    pub(crate) fn retain(&mut self, articles: &HashSet<i64>) {
        let lists = self.marks.iter_mut().map(|marked| &mut marked.items);
        for items in lists.chain(self.tags.iter_mut().map(|tagged| &mut tagged.items)) {
            items.retain(|item| articles.contains(item));
        }
    }

    /// Number of marks.
    pub(crate) fn count(&self) -> usize {
        self.marks.iter().map(|marked| marked.items.len()).sum::<usize>() + self.all_tagged().count()
    }

    /// Whether there is nothing to undo.
    pub(crate) fn is_empty(&self) -> bool {
        self.count() == 0 && self.created.is_empty()
    }

    /// Deletes the created tags that are on no article, except on articles of these feeds.
    pub(crate) async fn delete_unused_tags(
        &self,
        connection: &mut SqliteConnection,
        feeds: &[i64],
        now: Millis,
    ) -> Result<Vec<DeletedTag>, LibraryError> {
        tags::delete_unused(connection, &self.created, feeds, now).await
    }

    /// Replaces tags by others, by id, which the import has not created.
    pub(crate) fn replace_tags(&mut self, others: &HashMap<i64, i64>) {
        for Tagged { tag, .. } in &mut self.tags {
            *tag = *others.get(tag).unwrap_or(tag);
        }
        self.created.retain(|tag| !others.contains_key(&tag.id));
    }

    /// Undoes or redoes the marks, except those that were changed in the meantime. Returns the step that reverts this.
    pub(crate) async fn undo_in(&self, connection: &mut SqliteConnection, now: Millis) -> Result<Self, LibraryError> {
        let marks = states::unmark_in(connection, &self.marks, now).await?;
        let mut tags = Vec::with_capacity(self.tags.len());
        for Tagged { tag, on, items } in self.tags.iter().rev() {
            tags.push(tags::set(connection, *tag, items, MarkChange { on: !on, at: now, cause: Cause::Undo }).await?);
        }
        Ok(Self { marks, tags, created: Vec::new() })
    }
}

impl Subscriptions<'_> {
    /// Sets the titles and sites of feeds that have none. Their documents override them later.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn set_missing_titles(self, feeds: &[(i64, &NewSubscription)]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        for (feed, known) in feeds {
            sqlx::query(
                "UPDATE feeds SET title = ifnull(title, ?2), home_url = ifnull(home_url, ?3)
                 WHERE id = ?1 AND (title IS NOT ifnull(title, ?2) OR home_url IS NOT ifnull(home_url, ?3))",
            )
            .bind(feed)
            .bind(&known.title)
            .bind(&known.home_url)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Imports articles from another reader, all of them or none. Skips articles of feeds that were unsubscribed in the meantime. Also
    /// returns the marks of the articles that the library had, for [`Self::remember_import`].
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn import_articles(
        self,
        feeds: &[ImportedArticles],
    ) -> Result<(ImportedCounts, GainedMarks), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let first = id_sequences::next(&mut transaction, Numbered::Items).await?;
        let mut next = first;
        let (mut added, mut marked, mut done) = (Vec::new(), Vec::new(), ImportedCounts::default());
        for feed in feeds {
            if !store::is_subscribed(&mut transaction, feed.feed).await? {
                continue;
            }
            marked.extend(feed.known.iter().map(|(id, marks)| (*id, marks)));
            if !feed.restored.is_empty() {
                tombstones::remove(&mut transaction, feed.feed, &feed.restored).await?;
            }
            // A refresh or another process may have added or deleted some since they were looked up.
            let items: Vec<&NewItem> = feed.new.iter().map(|(item, _)| item).collect();
            let unknown = store::unknown(&mut transaction, feed.feed, &items, &feed.keys, feed.since).await?;
            marked.extend(unknown.known.iter().filter_map(|(at, id)| Some((*id, &feed.new.get(*at)?.1))));
            for (at, item) in &unknown.new {
                let Some((_, marks)) = feed.new.get(*at) else { continue };
                added.push((next, marks));
                done.unread += usize::from(!item.read && !marks.hidden);
                done.starred += usize::from(marks.starred);
                next += 1;
            }
            let ids = next - i64::try_from(unknown.new.len()).unwrap_or(0)..;
            let new: Vec<(i64, i64, &NewItem)> =
                ids.zip(&unknown.new).map(|(id, (_, item))| (id, feed.feed, &**item)).collect();
            done.articles += new.len();
            store::insert_all(&mut transaction, &new, false).await?;
        }
        if next > first {
            duplicates::group_new(&mut transaction, first, self.db.combines_duplicates(), self.db.now()).await?;
        }
        let created = self.set_marks(&mut transaction, &added, |_| false).await?.created;
        let hidden: Vec<i64> = added.iter().filter(|(_, marks)| marks.hidden).map(|(id, _)| *id).collect();
        states::mark_in(self.db, &mut transaction, Mark::Hidden, &hidden, MarkChange::on(self.db.now(), Cause::Import))
            .await?;
        let mut gained = self.set_marks(&mut transaction, &marked, |marks| marks.read == Some(true)).await?;
        gained.created.extend(created);
        done.marked = gained.articles().len();
        transaction.commit().await?;
        Ok((done, gained))
    }

    /// Returns how many articles would gain a mark by [`Self::import_articles`].
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_gaining(self, known: &[(i64, Marks)]) -> Result<usize, LibraryError> {
        if known.is_empty() {
            return Ok(0);
        }
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let known: Vec<(i64, &Marks)> = known.iter().map(|(id, marks)| (*id, marks)).collect();
        let gained = self.set_marks(&mut transaction, &known, |marks| marks.read == Some(true)).await?;
        transaction.rollback().await?;
        Ok(gained.articles().len())
    }

    /// Sets stars and tags, and marks articles read for which `read` holds. Returns the marks and tags that were missing.
    async fn set_marks(
        self,
        connection: &mut SqliteConnection,
        articles: &[(i64, &Marks)],
        read: fn(&Marks) -> bool,
    ) -> Result<GainedMarks, LibraryError> {
        let which = |wanted: &dyn Fn(&Marks) -> bool| -> Vec<i64> {
            articles.iter().filter(|(_, marks)| wanted(marks)).map(|(id, _)| *id).collect()
        };
        let mut marks = Vec::with_capacity(2);
        for (mark, ids) in [(Mark::Read, which(&read)), (Mark::Starred, which(&|marks| marks.starred))] {
            marks.push(
                states::mark_in(self.db, connection, mark, &ids, MarkChange::on(self.db.now(), Cause::Import)).await?,
            );
        }
        let mut tagged: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for (id, marks) in articles {
            for tag in marks.tags.iter().filter(|tag| !tag.trim().is_empty()) {
                tagged.entry(tag).or_default().push(*id);
            }
        }
        let (mut tags, mut created) = (Vec::with_capacity(tagged.len()), Vec::new());
        for (tag, ids) in tagged {
            let (tag, new) = tags::ensure(connection, tag).await?;
            created.extend(new);
            tags.push(tags::set(connection, tag, &ids, MarkChange::on(self.db.now(), Cause::Import)).await?);
        }
        Ok(GainedMarks { marks, tags, created })
    }
}
