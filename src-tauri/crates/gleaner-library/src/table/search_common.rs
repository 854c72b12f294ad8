//! `search_common`: words that are searched for separately when a query has their prefix, so that the index does not need their prefixes
//! (see table/search.rs). They are chosen from `search_words`, FTS5's list of the words of the index.

use crate::{
    LibraryError,
    json::json,
    table::{
        index_words::{CommonWords, first_letters},
        search::SearchIndex,
    },
};
use std::collections::HashMap;

/// Number of indexed articles from which common words are chosen.
const ENOUGH: i64 = 4096;
/// A word is common from one in this many articles on.
const RARE: i64 = 1000;
/// Maximum number of common words, and of those with the same prefix: a search for the prefix looks for each of them.
const MAX_WORDS: usize = 32_000;
const MAX_WORDS_OF_PREFIX: usize = 32;

impl SearchIndex<'_> {
    /// Returns the words without prefixes in the index. They are chosen as soon as enough articles are indexed.
    ///
    /// # Errors
    /// When the library cannot be read or written.
    pub async fn common_words(self) -> Result<CommonWords, LibraryError> {
        let there: Vec<String> =
            sqlx::query_scalar("SELECT word FROM search_common").fetch_all(&self.db.readers).await?;
        if !there.is_empty() {
            return Ok(there.into_iter().map(String::into_boxed_str).collect());
        }
        let articles: i64 = sqlx::query_scalar("SELECT count(*) FROM (SELECT 1 FROM search_docs LIMIT ?)")
            .bind(ENOUGH)
            .fetch_one(&self.db.readers)
            .await?;
        if articles < ENOUGH {
            return Ok(CommonWords::default());
        }
        // Words of the index that are not words begin with a private-use character.
        let words: Vec<(String, i64)> = sqlx::query_as(
            "SELECT term, doc FROM search_words
             WHERE doc * ?1 >= (SELECT count(*) FROM search_docs) AND unicode(term) NOT BETWEEN 0xe000 AND 0xe0ff
             ORDER BY doc DESC, term",
        )
        .bind(RARE)
        .fetch_all(&self.db.readers)
        .await?;
        let common = most_common(words.into_iter().map(|(word, _)| word));
        let list = json(&common)?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query("INSERT OR IGNORE INTO search_common (word) SELECT value FROM json_each(?)")
            .bind(list)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(common.into_iter().map(String::into_boxed_str).collect())
    }

    /// Returns the common words with a prefix.
    pub(crate) async fn common_words_from(self, beginning: &str) -> Result<Vec<String>, LibraryError> {
        let sql = "SELECT word FROM search_common WHERE word >= ?1 AND word < ?1 || char(0x10ffff)";
        Ok(sqlx::query_scalar(sql).bind(beginning).fetch_all(&self.db.readers).await?)
    }
}

/// Returns the common ones of these words, which are sorted with the most frequent first.
fn most_common(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut of_one: HashMap<String, usize> = HashMap::new();
    let mut common = Vec::new();
    for word in words {
        let Some(beginning) = first_letters(&word) else { continue };
        let count = of_one.entry(beginning.to_owned()).or_default();
        if *count < MAX_WORDS_OF_PREFIX && common.len() < MAX_WORDS {
            *count += 1;
            common.push(word);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::index_words::BEGINNING;

    #[test]
    fn few_words_of_each_prefix_are_common() {
        let words = (0..40).map(|number| format!("con{number}")).chain(["to", "the", "über"].map(str::to_owned));
        let common = most_common(words);
        assert_eq!(common.len(), MAX_WORDS_OF_PREFIX + 2);
        assert!(common.iter().all(|word| word.chars().count() >= BEGINNING));
        assert!(common.contains(&"con0".to_owned()) && !common.contains(&"con39".to_owned()));
    }
}
