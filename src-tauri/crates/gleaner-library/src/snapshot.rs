//! Several reads of one state of the library, regardless of changes in between.

use crate::{
    ArticleText, Duplicate, Enclosure, FeedHead, FeedRow, FullText, ItemImage, ItemRow, Library, LibraryError, Millis,
    Parameters, Playback, Preferences,
    database::Database,
    table::{
        bodies, downloads, duplicates, enclosures, feeds, full_texts, images, items, preferences, progress, settings,
        tags, transcripts, versions,
    },
};
use sqlx::{Sqlite, Transaction};

/// One state of the library: that of the first read.
#[derive(Debug)]
pub struct Snapshot<'a> {
    db: &'a Database,
    transaction: Transaction<'static, Sqlite>,
}

/// All that is stored of an article.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredArticle {
    /// Title, dates and states.
    pub item: ItemRow,
    /// Its feed.
    pub feed: FeedRow,
    /// The feed's texts, categories and metadata.
    pub text: ArticleText,
    /// The text of its page, if it was fetched.
    pub full_text: Option<FullText>,
    /// Whether the transcript of its recording was fetched.
    pub has_transcript: bool,
    /// Why the full text could not be downloaded, if that is not tried again.
    pub full_text_error: Option<(String, Parameters)>,
    /// The feed's image, participants and links.
    pub head: FeedHead,
    /// Attached files.
    pub enclosures: Vec<Enclosure>,
    /// Images, stored or unavailable.
    pub images: Vec<ItemImage>,
    /// Names of its tags.
    pub tags: Vec<String>,
    /// Reading position: 0 its beginning, 1 its end.
    pub progress: Option<f64>,
    /// Playback positions.
    pub playback: Vec<Playback>,
    /// When its earlier versions were replaced, newest first.
    pub versions: Vec<Millis>,
    /// Its duplicates, each with the title of its feed.
    pub duplicates: Vec<(Duplicate, String)>,
    /// The effective preferences of its feed.
    pub preferences: Preferences,
    /// Average number of words of the feed's newest articles.
    pub average_words: Option<f64>,
}

impl Library {
    /// Begins a snapshot. It occupies a reading connection until it is dropped.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn snapshot(&self) -> Result<Snapshot<'_>, LibraryError> {
        Ok(Snapshot { db: &self.db, transaction: self.db.readers.begin().await? })
    }
}

impl Snapshot<'_> {
    /// Returns all that is stored of an article.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn article(&mut self, id: i64) -> Result<StoredArticle, LibraryError> {
        let (db, reader) = (self.db, &mut *self.transaction);
        let item = items::get(&mut *reader, id).await?;
        let feed = feeds::get(&mut *reader, item.feed_id).await?;
        let found = duplicates::of_article(db, &mut *reader, id).await?;
        // All feeds are read only for the few articles with duplicates.
        let feeds = if found.is_empty() { Vec::new() } else { feeds::list(&mut *reader).await? };
        let duplicates = found.into_iter().filter_map(|duplicate| {
            let title = feeds.iter().find(|feed| feed.id == duplicate.feed_id)?.shown_title();
            Some((duplicate, title))
        });
        Ok(StoredArticle {
            text: bodies::text(db, &mut *reader, id).await?,
            full_text: full_texts::full_text(db, &mut *reader, id).await?,
            has_transcript: transcripts::is_stored(&mut *reader, id).await?,
            full_text_error: downloads::text_error(&mut *reader, id).await?,
            head: feeds::head(&mut *reader, item.feed_id).await?,
            enclosures: enclosures::of_article(&mut *reader, id).await?,
            images: images::of_article(&mut *reader, id).await?,
            tags: tags::of_article(&mut *reader, id).await?.into_iter().map(|(_, name)| name).collect(),
            progress: progress::reading(&mut *reader, id).await?,
            playback: progress::playback(&mut *reader, id).await?,
            versions: versions::dates(&mut *reader, id).await?,
            duplicates: duplicates.collect(),
            preferences: preferences::effective(&mut *reader, item.feed_id).await?,
            average_words: feeds::average_words(&mut *reader, item.feed_id).await?,
            item,
            feed,
        })
    }

    /// Returns a setting, JSON.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn setting(&mut self, key: &str) -> Result<Option<String>, LibraryError> {
        Ok(settings::get(&mut *self.transaction, key).await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Body, Incoming, Intent, Mark, NewItem, NewSubscription, Texts};

    /// An article in which everything that the feed says is `word`.
    fn incoming(feed_id: i64, word: &str, intent: fn(Box<NewItem>) -> Intent) -> Incoming {
        let body = Body { html: format!("<p>{word}</p>"), base: None };
        let item = NewItem {
            key: "1".to_owned(),
            title: word.to_owned(),
            digest: vec![word.len() as u8],
            enclosures: vec![Enclosure { url: format!("https://a.example/{word}.mp3"), ..Enclosure::default() }],
            categories: vec![word.to_owned()],
            texts: Texts::pack(Some(&body), None),
            ..NewItem::default()
        };
        Incoming::of_items(feed_id, vec![intent(Box::new(item))])
    }

    #[tokio::test]
    async fn shows_nothing_of_a_change_after_its_first_read() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        library.polls().store(&[&incoming(feed, "rye", Intent::Insert)]).await.unwrap();
        let before = library.snapshot().await.unwrap().article(1).await.unwrap();
        assert_eq!((before.item.title.as_str(), before.text.categories.as_slice()), ("rye", &["rye".to_owned()][..]));

        let mut snapshot = library.snapshot().await.unwrap();
        assert_eq!(snapshot.setting("window").await.unwrap(), None);
        library.polls().store(&[&incoming(feed, "wheat", |item| Intent::Update(1, item))]).await.unwrap();
        library.articles().set_marks(&[1], &[(Mark::Read, true)]).await.unwrap();
        library.tags().set(&[1], "grain", true).await.unwrap();
        library.progress().set_reading(1, 0.5).await.unwrap();
        library.settings().set("window", "{}").await.unwrap();
        assert_eq!(snapshot.article(1).await.unwrap(), before);
        assert_eq!(snapshot.setting("window").await.unwrap(), None);
        drop(snapshot);

        let after = library.snapshot().await.unwrap().article(1).await.unwrap();
        assert_eq!((after.item.title.as_str(), after.item.read, after.progress), ("wheat", true, Some(0.5)));
        assert_eq!(after.text.content.unwrap().html, "<p>wheat</p>");
        assert_eq!(after.enclosures[0].url, "https://a.example/wheat.mp3");
        assert_eq!((after.tags, after.versions.len()), (vec!["grain".to_owned()], 1));
    }
}
