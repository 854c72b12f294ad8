//! `categories`, `category_synonyms`: the categories of articles, and the user's synonyms. Which articles have a category is stored only in
//! the search index (the column `facts`: the article's categories and their parents). Their numbers come from FTS5's list of words,
//! `search_vocab`, minus articles that no list shows. `categories` has the spelling of each; the index writes it. Synonyms are applied when
//! reading, so that changing one changes nothing else.

use crate::{
    LibraryError, Refusal, Undoable,
    database::{Database, repository, undo::UndoStep},
    json::json,
    table::index_words::{fact, in_category},
};
use futures::future::BoxFuture;
use gleaner_query::{Synonyms, category_key, category_path, one_line};
use sqlx::SqliteConnection;
use std::collections::BTreeMap;

/// A category of articles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facet {
    /// Path of normalised names, separated by `/`.
    pub key: String,
    /// Last part of the path, as it was first written.
    pub name: String,
    /// Number of articles in it or below it, as a search for it finds.
    pub articles: i64,
}

/// A synonym of a category.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Synonym {
    /// Key of the category.
    pub key: String,
    /// The other category, as the user wrote it.
    pub means: String,
}

/// Stores the spelling of categories that have none yet.
pub(crate) async fn name(
    connection: &mut SqliteConnection,
    categories: impl Iterator<Item = (&String, &String)>,
) -> Result<(), LibraryError> {
    let categories: BTreeMap<&String, &String> = categories.collect();
    if categories.is_empty() {
        return Ok(());
    }
    let json = json(&categories)?;
    sqlx::query("INSERT OR IGNORE INTO categories (key, name) SELECT key, value FROM json_each(?)")
        .bind(json)
        .execute(connection)
        .await?;
    Ok(())
}

/// Sets the synonym of a category, by its key, and returns the former one.
///
/// # Errors
/// [`LibraryError::Refused`] if one contains the other, or the other is a synonym of this one: reading would not end.
pub(crate) async fn set_synonym_in(
    connection: &mut SqliteConnection,
    key: &str,
    means: Option<&str>,
) -> Result<Option<String>, LibraryError> {
    let rows: Vec<Synonym> =
        sqlx::query_as("SELECT key, means FROM category_synonyms").fetch_all(&mut *connection).await?;
    if let Some(means) = means {
        let others = rows.iter().filter(|row| row.key != key);
        let known = Synonyms::of(others.filter_map(|row| Some((row.key.clone(), category_key(&row.means)?))));
        if !category_key(means).is_some_and(|means| known.may_mean(key, &means)) {
            return Err(LibraryError::from(Refusal::CircularSynonym(means.to_owned())));
        }
    }
    match means {
        Some(means) => {
            sqlx::query("INSERT OR REPLACE INTO category_synonyms (key, means) VALUES (?, ?)").bind(key).bind(means)
        }
        None => sqlx::query("DELETE FROM category_synonyms WHERE key = ?").bind(key),
    }
    .execute(connection)
    .await?;
    Ok(rows.into_iter().find(|row| row.key == key).map(|row| row.means))
}

/// Categories of indexed articles that no list shows: hidden, expired, scheduled, and of unsubscribed feeds.
const NOT_SHOWN: &str = "SELECT b.categories, count(*) FROM (
        SELECT item_id FROM states WHERE hidden = 1 UNION SELECT item_id FROM going UNION SELECT item_id FROM held
        UNION SELECT i.id FROM feeds f CROSS JOIN items i ON i.feed_id = f.id WHERE f.unsubscribed_at IS NOT NULL) n
    CROSS JOIN bodies b ON b.item_id = n.item_id CROSS JOIN search_docs d ON d.item_id = n.item_id
    WHERE b.categories IS NOT NULL GROUP BY b.categories";

repository!(
    /// The categories of articles, and the user's synonyms for them.
    Categories
);

impl Categories<'_> {
    /// Returns all categories of articles as paths. Categories with a synonym count under that.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<Facet>, LibraryError> {
        let names: Vec<(String, String)> =
            sqlx::query_as("SELECT key, name FROM categories").fetch_all(&self.db.readers).await?;
        let mut names: BTreeMap<String, String> = names.into_iter().collect();
        let words: Vec<(String, i64)> =
            sqlx::query_as("SELECT term, doc FROM search_vocab WHERE term >= ? AND term < ?")
                .bind(fact::CATEGORY.to_string())
                .bind(char::from_u32(u32::from(fact::CATEGORY) + 1).unwrap_or(char::MAX).to_string())
                .fetch_all(&self.db.readers)
                .await?;
        let synonyms = self.synonym_map().await?;
        let mut counts: BTreeMap<String, i64> = BTreeMap::new();
        // Synonyms can unite articles of several categories: those are counted again.
        let mut joined: BTreeMap<String, i64> = BTreeMap::new();
        for (word, articles) in words {
            let Some(key) = fact::category_of(&word) else { continue };
            let place = synonyms.place(&key);
            if place == key {
                counts.insert(key, articles);
            } else {
                let about = synonyms.all_of(std::slice::from_ref(&key)).into_iter();
                joined.extend(about.filter(|key| synonyms.place(key) == *key).map(|key| (key, 0)));
            }
        }
        for row in self.synonyms().await? {
            // A category that only the user has written has the user's spelling.
            for (key, name) in category_path(&row.means) {
                names.entry(key).or_insert(name);
            }
        }
        for (key, articles) in &mut joined {
            *articles = sqlx::query_scalar("SELECT count(*) FROM search WHERE search MATCH ?")
                .bind(in_category(key, &synonyms))
                .fetch_one(&self.db.readers)
                .await?;
        }
        counts.extend(joined);
        let not_shown: Vec<(String, i64)> = sqlx::query_as(NOT_SHOWN).fetch_all(&self.db.readers).await?;
        for (categories, articles) in not_shown {
            let categories: Vec<String> =
                serde_json::from_str(&categories).map_err(|error| LibraryError::Invalid(error.to_string()))?;
            for key in synonyms.all_of(&categories) {
                if let Some(count) = counts.get_mut(&key) {
                    *count -= articles;
                }
            }
        }
        let facet = |(key, articles): (String, i64)| Facet {
            name: names.get(&key).cloned().unwrap_or_else(|| key.rsplit('/').next().unwrap_or_default().to_owned()),
            key,
            articles,
        };
        Ok(counts.into_iter().filter(|(_, articles)| *articles > 0).map(facet).collect())
    }

    /// Returns the user's synonyms, by key.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn synonyms(self) -> Result<Vec<Synonym>, LibraryError> {
        Ok(sqlx::query_as("SELECT key, means FROM category_synonyms ORDER BY key").fetch_all(&self.db.readers).await?)
    }

    /// Returns the synonyms for queries.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn synonym_map(self) -> Result<Synonyms, LibraryError> {
        let rows = self.synonyms().await?;
        Ok(Synonyms::of(rows.into_iter().filter_map(|row| Some((row.key, category_key(&row.means)?)))))
    }

    /// Sets or removes the synonym of a category.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] if a name is empty, or the other is a synonym of this one; when the library cannot be written.
    pub async fn set_synonym(self, category: &str, means: Option<&str>) -> Result<Undoable, LibraryError> {
        let nothing = || LibraryError::from(Refusal::CategoryName);
        let key = category_key(category).ok_or_else(nothing)?;
        let means = means.map(one_line);
        if means.as_deref().is_some_and(|means| category_key(means).is_none()) {
            return Err(nothing());
        }
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let before = set_synonym_in(&mut transaction, &key, means.as_deref()).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(1, SynonymSet { key, before }))
    }

    async fn restore_synonym(self, key: &str, before: Option<&str>) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        set_synonym_in(&mut transaction, key, before).await?;
        Ok(transaction.commit().await?)
    }
}

/// The former synonym of a category.
#[derive(Debug)]
struct SynonymSet {
    key: String,
    before: Option<String>,
}

impl UndoStep for SynonymSet {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Categories::new(db).restore_synonym(&self.key, self.before.as_deref()).await })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::{
        CommonWords, FeedScope, Incoming, Intent, Mark, NewItem, NewSubscription, RetentionPolicy, SearchOrder,
        SearchPage,
    };

    async fn index(library: &Library) {
        let unindexed = library.search_index().pending(None, 100).await.unwrap();
        library
            .search_index()
            .add(&unindexed.iter().map(|article| article.indexed("", &CommonWords::default())).collect::<Vec<_>>())
            .await
            .unwrap();
    }

    async fn listed(library: &Library) -> Vec<String> {
        let facets = library.categories().list().await.unwrap();
        facets.into_iter().map(|facet| format!("{} {} {}", facet.key, facet.name, facet.articles)).collect()
    }

    async fn found(library: &Library, query: &str) -> Vec<i64> {
        let query = gleaner_query::parse(query).unwrap();
        let found = library
            .search()
            .find(&query, &chrono::Utc::now(), SearchPage::first(SearchOrder::Date, 100))
            .await
            .unwrap()
            .0;
        let mut found: Vec<i64> = found.into_iter().map(|hit| hit.row.id).collect();
        found.sort_unstable();
        found
    }

    /// The categories of the library's four articles, each with its number of articles.
    const COUNTED: [&str; 8] = [
        "c++ c++ 1",
        "news news 2",
        "news/regional regional 2",
        "news/world world 1",
        "sci-tech sci-tech 2",
        "sci-tech/physics physics 1",
        "science science 1",
        "science/physics physics 1",
    ];

    /// A library with four articles of a feed.
    struct Scratch {
        _folder: tempfile::TempDir,
        library: Library,
        feed: i64,
    }

    impl Scratch {
        async fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let library = Library::open(folder.path()).await.unwrap();
            let feed = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
            let scratch = Self { _folder: folder, library, feed };
            let items = [
                vec!["News / Regional", "Sci-Tech"],
                vec!["news/regional", "NEWS/World"],
                vec!["Science/Physics", "sci-tech/physics", "C++"],
                vec![],
            ];
            let item = |(number, categories): (usize, &Vec<&str>)| {
                let categories = categories.iter().map(|category| (*category).to_owned()).collect();
                let sort_at = i64::try_from(number).unwrap() * 1000;
                Intent::Insert(Box::new(NewItem { key: number.to_string(), sort_at, categories, ..NewItem::default() }))
            };
            scratch.store(items.iter().enumerate().map(item).collect()).await;
            scratch
        }

        async fn store(&self, intents: Vec<Intent>) {
            self.library.polls().store(&[&Incoming::of_items(self.feed, intents)]).await.unwrap();
            index(&self.library).await;
        }

        async fn set(&self, category: &str, means: Option<&str>) -> i64 {
            self.library.categories().set_synonym(category, means).await.unwrap().step
        }

        /// Returns the listed categories whose key begins with this, in lower case: the spelling of one that has several is any of them.
        async fn listed(&self, prefix: &str) -> Vec<String> {
            let listed = listed(&self.library).await.into_iter().map(|line| line.to_lowercase());
            listed.filter(|line| line.starts_with(prefix)).collect()
        }

        async fn counts_as_many_as_it_finds(&self) {
            for facet in self.library.categories().list().await.unwrap() {
                let found = found(&self.library, &format!("category:\"{}\"", facet.key)).await;
                assert_eq!(usize::try_from(facet.articles).unwrap(), found.len(), "{}", facet.key);
            }
        }
    }

    #[tokio::test]
    async fn counts_categories_by_path_and_applies_synonyms() {
        let scratch = Scratch::new().await;
        let library = &scratch.library;
        assert_eq!(scratch.listed("").await, COUNTED);
        assert_eq!(found(library, "category:news").await, [1, 2]);
        assert_eq!(found(library, "category:\"News/ World\"").await, [2]);
        assert_eq!(found(library, "category:c++ OR category:science").await, [3]);

        let step = scratch.set("Sci-Tech", Some("Science")).await;
        assert_eq!(found(library, "category:science").await, [1, 3]);
        assert_eq!(found(library, "-category:science").await, [2, 4]);
        assert_eq!(scratch.listed("sci").await, ["science science 2", "science/physics physics 1"]);
        for (category, means) in [("Science", "sci-tech"), ("a", "A / b"), ("", "x"), ("x", " ")] {
            let done = library.categories().set_synonym(category, Some(means)).await;
            assert!(matches!(done, Err(LibraryError::Refused(_))), "{category} {means}");
        }
        // Undoing in any order must not create a circle.
        scratch.set("p", Some("q")).await;
        let other = scratch.set("p", None).await;
        let circle = scratch.set("q", Some("p")).await;
        assert!(matches!(library.undo(other).await, Err(LibraryError::Refused(_))));
        library.undo(circle).await.unwrap();
        library.undo(other).await.unwrap();
        scratch.set("p", None).await;
        scratch.set("c++", Some("Languages/C")).await;
        let facets = listed(library).await;
        assert!(facets.contains(&"languages Languages 1".to_owned()), "{facets:?}");
        scratch.set("C++", None).await;
        library.undo(step).await.unwrap();
        assert_eq!(scratch.listed("").await, COUNTED);
    }

    #[tokio::test]
    async fn articles_that_no_list_shows_are_not_counted() {
        let scratch = Scratch::new().await;
        let library = &scratch.library;
        for (category, means) in [("x", "News/Regional/Town"), ("news/regional/town", "Land"), ("C++", "x")] {
            scratch.set(category, Some(means)).await;
        }
        scratch.counts_as_many_as_it_finds().await;
        let hidden = library.articles().set_marks(&[1, 3], &[(Mark::Hidden, true)]).await.unwrap();
        assert_eq!(scratch.listed("news").await, ["news news 1", "news/regional regional 1", "news/world world 1"]);
        scratch.counts_as_many_as_it_finds().await;
        library.undo(hidden.step).await.unwrap();
        let keep = Some(RetentionPolicy { articles: Some(1), keep_unread: false, ..RetentionPolicy::EVERYTHING });
        let expired = library.retention().set(FeedScope::All, keep, i64::MAX / 2, |_| true).await.unwrap();
        assert_eq!(expired.count, 3);
        assert_eq!(listed(library).await, [""; 0]);
        library.undo(expired.step).await.unwrap();
        let left = library.feeds().unsubscribe(&[scratch.feed]).await.unwrap();
        assert_eq!(listed(library).await, [""; 0]);
        library.undo(left.step).await.unwrap();
        for category in ["x", "news/regional/town", "C++"] {
            scratch.set(category, None).await;
        }
        assert_eq!(scratch.listed("").await, COUNTED);
    }

    #[tokio::test]
    async fn changed_and_deleted_articles_are_no_longer_counted() {
        let scratch = Scratch::new().await;
        let library = &scratch.library;
        let none = Box::new(NewItem { key: "1".to_owned(), digest: vec![1], ..NewItem::default() });
        scratch.store(vec![Intent::Update(2, none)]).await;
        let news: Vec<String> = listed(library).await.into_iter().filter(|line| line.starts_with("news")).collect();
        assert_eq!(news, ["news News 1", "news/regional Regional 1"]);
        let mut writer = library.db.writer().await;
        let mut transaction = writer.begin().await.unwrap();
        sqlx::query("DELETE FROM items").execute(&mut *transaction).await.unwrap();
        transaction.commit().await.unwrap();
        drop(writer);
        assert!(listed(library).await.is_empty());
    }
}
