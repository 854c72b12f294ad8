//! The languages that articles are in, as the search index knows them: an article that names none has its feed's. So they need no
//! index of their own, and the list of one is what `lang:` finds.

use crate::{COUNTED, Library, LibraryError, UnreadFound, table::search::fact};
use chrono::{DateTime, TimeZone};
use gleaner_query::Expr;

/// So many are counted, those of most articles first.
const LANGUAGES: usize = 40;

impl Library {
    /// The primary subtags of the languages that articles are in, those of most articles first.
    async fn languages(&self) -> Result<Vec<String>, LibraryError> {
        let words: Vec<(String, i64)> =
            sqlx::query_as("SELECT term, doc FROM search_vocab WHERE term >= ? AND term < ?")
                .bind(fact::LANGUAGE.to_string())
                .bind(char::from_u32(u32::from(fact::LANGUAGE) + 1).unwrap_or(char::MAX).to_string())
                .fetch_all(&self.readers)
                .await?;
        let known = |(word, articles): (String, i64)| Some((fact::language_of(&word)?.to_owned(), articles));
        let mut languages: Vec<(String, i64)> = words.into_iter().filter_map(known).collect();
        languages.sort_by_key(|(_, articles)| -articles);
        Ok(languages.into_iter().map(|(tag, _)| tag).take(LANGUAGES).collect())
    }

    /// The languages that articles are in, those of most articles first, and how many unread ones each has. Where all are in one, none is
    /// counted. Takes as long as a search each, and holds up nobody.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_languages<Zone: TimeZone>(
        &self,
        now: &DateTime<Zone>,
    ) -> Result<Vec<(String, UnreadFound)>, LibraryError> {
        let mut counts = Vec::new();
        let languages = self.languages().await?;
        if languages.len() < 2 {
            return Ok(counts);
        }
        for tag in languages {
            let found = self.count_unread(&Expr::Language(tag.clone()), now, COUNTED).await?;
            counts.push((tag, found));
        }
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{CommonWords, Incoming, Intent, NewItem, NewSubscription, Poll};

    #[tokio::test]
    async fn languages_are_counted_by_their_first_subtag() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let url = "https://a.example/feed".to_owned();
        let feed_id = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        let told = async |languages: &[Option<&str>]| {
            let item = |(number, language): (usize, &Option<&str>)| {
                let key = format!("{} {number}", languages.len());
                let language = language.map(str::to_owned);
                Intent::Insert(Box::new(NewItem { key, language, ..NewItem::default() }))
            };
            let poll = Poll { feed_id, ..Poll::default() };
            let intents = languages.iter().enumerate().map(item).collect();
            library.store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
            let unindexed = library.unindexed(None, 100).await.unwrap();
            let indexed: Vec<_> = unindexed.iter().map(|item| item.indexed("", &CommonWords::default())).collect();
            library.index(&indexed).await.unwrap();
            let counted = library.count_languages(&chrono::Utc::now()).await.unwrap();
            counted.into_iter().map(|(tag, found)| format!("{tag} {}", found.unread)).collect::<Vec<_>>()
        };
        assert!(told(&[Some("en"), None]).await.is_empty(), "there is one language only");
        assert_eq!(
            told(&[Some("de-AT"), Some("de_CH"), Some("fil"), Some("x-klingon")]).await,
            ["de 2", "en 1", "fil 1"]
        );
        library.mark(&[1, 3], Some(true), None).await.unwrap();
        assert_eq!(told(&[]).await, ["de 1", "en 0", "fil 1"]);
    }
}
