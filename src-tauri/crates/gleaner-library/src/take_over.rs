//! Articles that another reader kept, with what was made of them there: many feeds' in one transaction. What is there already only
//! gains marks; its text stays as it is.

use crate::{
    Library, LibraryError, Mark, NewItem, NewSubscription, store,
    table::{
        numbers::{self, Numbered},
        stories, tags,
    },
};
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, HashMap};

/// What the other reader says that was made of an article.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// `None`: it does not say.
    pub read: Option<bool>,
    /// With a star, or whatever it has in its place.
    pub starred: bool,
    /// Deleted there. It comes in hidden, so that its feed does not bring it back.
    pub hidden: bool,
    /// The reader's own words on it.
    pub tags: Vec<String>,
}

/// Articles of one feed that come from another reader.
#[derive(Debug, Clone, Default)]
pub struct TakenOver {
    /// The feed's number.
    pub feed: i64,
    /// Articles that are not there. Those of which nobody knows whether they were read come in read.
    pub new: Vec<(NewItem, Marks)>,
    /// Articles that are there, by number.
    pub known: Vec<(i64, Marks)>,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TookOver {
    /// Articles that are new.
    pub articles: usize,
    /// Of those, the ones that are unread.
    pub unread: usize,
    /// Of those, the ones that have a star.
    pub starred: usize,
    /// Articles that were there, and were marked read or starred, or tagged.
    pub marked: usize,
}

impl std::ops::AddAssign for TookOver {
    fn add_assign(&mut self, other: Self) {
        self.articles += other.articles;
        self.unread += other.unread;
        self.starred += other.starred;
        self.marked += other.marked;
    }
}

impl Library {
    /// Gives feeds the titles and sites that another reader knows, where they have none; until they say themselves.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn name_feeds(&self, feeds: &[(i64, &NewSubscription)]) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
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

    /// Keeps articles from another reader, all of them or none. Those of feeds that were left meanwhile are passed over.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn take_over(&self, feeds: &[TakenOver]) -> Result<TookOver, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let first = numbers::next(&mut transaction, Numbered::Items).await?;
        let mut next = first;
        let (mut came, mut marked, mut done) = (Vec::new(), Vec::new(), TookOver::default());
        for feed in feeds {
            if !store::is_subscribed(&mut transaction, feed.feed).await? {
                continue;
            }
            marked.extend(feed.known.iter().map(|(id, marks)| (*id, marks)));
            // Another process may have brought some of them in since they were looked up.
            let there = by_key(&mut transaction, feed).await?;
            let mut new: Vec<(i64, i64, &NewItem)> = Vec::with_capacity(feed.new.len());
            for (item, marks) in &feed.new {
                if let Some(id) = there.get(&item.key) {
                    marked.push((*id, marks));
                    continue;
                }
                new.push((next, feed.feed, item));
                came.push((next, marks));
                done.unread += usize::from(!item.read && !marks.hidden);
                done.starred += usize::from(marks.starred);
                next += 1;
            }
            done.articles += new.len();
            store::insert_all(&mut transaction, &new, false).await?;
        }
        if next > first {
            stories::gather(&mut transaction, first, self.stories_are_one()).await?;
        }
        self.give(&mut transaction, &came, |_| false).await?;
        let hidden: Vec<i64> = came.iter().filter(|(_, marks)| marks.hidden).map(|(id, _)| *id).collect();
        self.mark_in(&mut transaction, Mark::Hidden, true, &hidden).await?;
        done.marked = self.give(&mut transaction, &marked, |marks| marks.read == Some(true)).await?;
        transaction.commit().await?;
        Ok(done)
    }

    /// Gives articles their stars and tags, and marks those read that are to be. Says how many gained something.
    async fn give(
        &self,
        connection: &mut SqliteConnection,
        articles: &[(i64, &Marks)],
        read: fn(&Marks) -> bool,
    ) -> Result<usize, LibraryError> {
        let which = |wanted: &dyn Fn(&Marks) -> bool| -> Vec<i64> {
            articles.iter().filter(|(_, marks)| wanted(marks)).map(|(id, _)| *id).collect()
        };
        let mut gained = self.mark_in(connection, Mark::Read, true, &which(&read)).await?.items;
        gained.extend(self.mark_in(connection, Mark::Starred, true, &which(&|marks| marks.starred)).await?.items);
        let mut tagged: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for (id, marks) in articles {
            for tag in marks.tags.iter().filter(|tag| !tag.trim().is_empty()) {
                tagged.entry(tag).or_default().push(*id);
            }
        }
        for (tag, ids) in tagged {
            let tag = tags::named(connection, tag).await?;
            gained.extend(tags::set(connection, tag, true, &ids).await?.items);
        }
        gained.sort_unstable();
        gained.dedup();
        Ok(gained.len())
    }
}

async fn by_key(connection: &mut SqliteConnection, feed: &TakenOver) -> Result<HashMap<String, i64>, LibraryError> {
    let keys: Vec<&str> = feed.new.iter().map(|(item, _)| item.key.as_str()).collect();
    let keys = serde_json::to_string(&keys).map_err(|error| LibraryError::Invalid(error.to_string()))?;
    let there: Vec<(String, i64)> =
        sqlx::query_as("SELECT key, id FROM items WHERE feed_id = ? AND key IN (SELECT value FROM json_each(?))")
            .bind(feed.feed)
            .bind(keys)
            .fetch_all(connection)
            .await?;
    Ok(there.into_iter().collect())
}
