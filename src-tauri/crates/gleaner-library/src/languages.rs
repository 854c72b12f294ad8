//! The languages of articles, from the search index: an article without a language has its feed's. The list of a language is what
//! `lang:` finds.

use crate::{LibraryError, MAX_COUNTED, UnreadFound, search::Search, table::index_words::fact};
use chrono::{DateTime, TimeZone};
use gleaner_query::Expr;

/// Maximum number of languages that are counted, the most frequent first.
const MAX_LANGUAGES: usize = 40;

impl Search<'_> {
    /// Returns the primary subtags of the languages of articles, the most frequent first.
    async fn languages(self) -> Result<Vec<String>, LibraryError> {
        let words: Vec<(String, i64)> =
            sqlx::query_as("SELECT term, doc FROM search_vocab WHERE term >= ? AND term < ?")
                .bind(fact::LANGUAGE.to_string())
                .bind(char::from_u32(u32::from(fact::LANGUAGE) + 1).unwrap_or(char::MAX).to_string())
                .fetch_all(&self.db.readers)
                .await?;
        let known = |(word, articles): (String, i64)| Some((fact::language_of(&word)?.to_owned(), articles));
        let mut languages: Vec<(String, i64)> = words.into_iter().filter_map(known).collect();
        languages.sort_by_key(|(_, articles)| -articles);
        Ok(languages.into_iter().map(|(tag, _)| tag).take(MAX_LANGUAGES).collect())
    }

    /// Returns the languages of articles, the most frequent first, and the number of unread articles in each. Empty if all are
    /// in one language. Takes as long as a search for each language.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_languages<Zone: TimeZone>(
        self,
        now: &DateTime<Zone>,
    ) -> Result<Vec<(String, UnreadFound)>, LibraryError> {
        let mut counts = Vec::new();
        let languages = self.languages().await?;
        if languages.len() < 2 {
            return Ok(counts);
        }
        for tag in languages {
            let found = self.count_unread(&Expr::Language(tag.clone()), now, MAX_COUNTED).await?;
            counts.push((tag, found));
        }
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Library;
    use crate::{CommonWords, Incoming, Intent, NewItem, NewSubscription};

    #[tokio::test]
    async fn counts_languages_by_primary_subtag() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let listed = async |languages: &[Option<&str>]| {
            let item = |(number, language): (usize, &Option<&str>)| {
                let key = format!("{} {number}", languages.len());
                let language = language.map(str::to_owned);
                Intent::Insert(Box::new(NewItem { key, language, ..NewItem::default() }))
            };
            let intents = languages.iter().enumerate().map(item).collect();
            library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
            let unindexed = library.search_index().pending(None, 100).await.unwrap();
            let indexed: Vec<_> = unindexed.iter().map(|item| item.indexed("", &CommonWords::default())).collect();
            library.search_index().add(&indexed).await.unwrap();
            let counted = library.search().count_languages(&chrono::Utc::now()).await.unwrap();
            counted.into_iter().map(|(tag, found)| format!("{tag} {}", found.unread)).collect::<Vec<_>>()
        };
        assert!(listed(&[Some("en"), None]).await.is_empty(), "there is one language only");
        assert_eq!(
            listed(&[Some("de-AT"), Some("de_CH"), Some("fil"), Some("x-klingon")]).await,
            ["de 2", "en 1", "fil 1"]
        );
        library.articles().mark(&[1, 3], Some(true), None).await.unwrap();
        assert_eq!(listed(&[]).await, ["de 1", "en 0", "fil 1"]);
    }
}
