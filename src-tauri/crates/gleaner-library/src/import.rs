//! Imports articles from other readers with their marks, many feeds in one transaction. Articles that the library has only gain marks;
//! their text stays as it is.

use crate::{
    LibraryError, Mark, NewItem, NewSubscription, store,
    subscriptions::Subscriptions,
    table::{
        duplicates,
        id_sequences::{self, Numbered},
        mark_log::Cause,
        states, tags,
    },
};
use sqlx::SqliteConnection;
use std::collections::BTreeMap;

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
    /// Articles that the library does not have. Where it is unknown whether they were read, they count as read.
    pub new: Vec<(NewItem, Marks)>,
    /// Keys of all articles of the batch, known ones included.
    pub keys: Vec<String>,
    /// The next item's id when the articles were looked up (`Polls::next_item`).
    pub since: Option<i64>,
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

    /// Imports articles from another reader, all of them or none. Skips articles of feeds that were unsubscribed meanwhile.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn import_articles(self, feeds: &[ImportedArticles]) -> Result<ImportedCounts, LibraryError> {
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
        self.set_marks(&mut transaction, &added, |_| false).await?;
        let hidden: Vec<i64> = added.iter().filter(|(_, marks)| marks.hidden).map(|(id, _)| *id).collect();
        states::mark_in(self.db, &mut transaction, Mark::Hidden, true, &hidden, Cause::Import).await?;
        done.marked = self.set_marks(&mut transaction, &marked, |marks| marks.read == Some(true)).await?;
        transaction.commit().await?;
        Ok(done)
    }

    /// Sets stars and tags, and marks articles read for which `read` holds. Returns how many articles gained a mark.
    async fn set_marks(
        self,
        connection: &mut SqliteConnection,
        articles: &[(i64, &Marks)],
        read: fn(&Marks) -> bool,
    ) -> Result<usize, LibraryError> {
        let which = |wanted: &dyn Fn(&Marks) -> bool| -> Vec<i64> {
            articles.iter().filter(|(_, marks)| wanted(marks)).map(|(id, _)| *id).collect()
        };
        let mut gained =
            states::mark_in(self.db, connection, Mark::Read, true, &which(&read), Cause::Import).await?.items;
        gained.extend(
            states::mark_in(self.db, connection, Mark::Starred, true, &which(&|marks| marks.starred), Cause::Import)
                .await?
                .items,
        );
        let mut tagged: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for (id, marks) in articles {
            for tag in marks.tags.iter().filter(|tag| !tag.trim().is_empty()) {
                tagged.entry(tag).or_default().push(*id);
            }
        }
        for (tag, ids) in tagged {
            let tag = tags::get_or_create(connection, tag).await?;
            gained.extend(tags::set(connection, tag, true, &ids, self.db.now(), Cause::Import).await?.items);
        }
        gained.sort_unstable();
        gained.dedup();
        Ok(gained.len())
    }
}
