//! `search_common`: words that are looked for by themselves where their first letters are, so that the index needs no beginnings of them:
//! see table/search.rs.

use super::search::first_letters;
use crate::{Library, LibraryError};
use std::collections::{HashMap, HashSet};

/// Articles of the index that common words are told from.
const ENOUGH: i64 = 4096;
/// One in so many articles has a common word.
const RARE: i64 = 1000;
/// Common words in all, and of one beginning: a search for it looks for each.
const MOST: usize = 32_000;
const MOST_OF_ONE: usize = 32;

/// Words without beginnings in the index.
#[derive(Debug, Clone, Default)]
pub struct CommonWords(HashSet<Box<str>>);

impl CommonWords {
    /// Whether a folded word is one of them.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    /// There are none yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Box<str>> for CommonWords {
    fn from_iter<T: IntoIterator<Item = Box<str>>>(words: T) -> Self {
        Self(words.into_iter().collect())
    }
}

impl Library {
    /// The words that need no beginnings in the index. They are told from the index as soon as that has enough articles.
    ///
    /// # Errors
    /// When the library cannot be read or written.
    pub async fn common_words(&self) -> Result<CommonWords, LibraryError> {
        let there: Vec<String> = sqlx::query_scalar("SELECT word FROM search_common").fetch_all(&self.readers).await?;
        if !there.is_empty() {
            return Ok(there.into_iter().map(String::into_boxed_str).collect());
        }
        let articles: i64 = sqlx::query_scalar("SELECT count(*) FROM (SELECT 1 FROM search_docs LIMIT ?)")
            .bind(ENOUGH)
            .fetch_one(&self.readers)
            .await?;
        if articles < ENOUGH {
            return Ok(CommonWords::default());
        }
        // The first letter of what is no word is for private use.
        let words: Vec<(String, i64)> = sqlx::query_as(
            "SELECT term, doc FROM search_words
             WHERE doc * ?1 >= (SELECT count(*) FROM search_docs) AND unicode(term) NOT BETWEEN 0xe000 AND 0xe0ff
             ORDER BY doc DESC, term",
        )
        .bind(RARE)
        .fetch_all(&self.readers)
        .await?;
        let common = most_common(words.into_iter().map(|(word, _)| word));
        let list = serde_json::to_string(&common).map_err(|error| LibraryError::Invalid(error.to_string()))?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query("INSERT OR IGNORE INTO search_common (word) SELECT value FROM json_each(?)")
            .bind(list)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(common.into_iter().map(String::into_boxed_str).collect())
    }

    /// Of the common words those that begin so.
    pub(crate) async fn common_words_from(&self, beginning: &str) -> Result<Vec<String>, LibraryError> {
        let sql = "SELECT word FROM search_common WHERE word >= ?1 AND word < ?1 || char(0x10ffff)";
        Ok(sqlx::query_scalar(sql).bind(beginning).fetch_all(&self.readers).await?)
    }
}

/// Of words, the most frequent first, those that are to be common.
fn most_common(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut of_one: HashMap<String, usize> = HashMap::new();
    let mut common = Vec::new();
    for word in words {
        let Some(beginning) = first_letters(&word) else { continue };
        let count = of_one.entry(beginning.to_owned()).or_default();
        if *count < MOST_OF_ONE && common.len() < MOST {
            *count += 1;
            common.push(word);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::{super::search::BEGINNING, *};

    #[test]
    fn few_words_of_each_beginning_are_common() {
        let words = (0..40).map(|number| format!("con{number}")).chain(["to", "the", "über"].map(str::to_owned));
        let common = most_common(words);
        assert_eq!(common.len(), MOST_OF_ONE + 2);
        assert!(common.iter().all(|word| word.chars().count() >= BEGINNING));
        assert!(common.contains(&"con0".to_owned()) && !common.contains(&"con39".to_owned()));
    }
}
