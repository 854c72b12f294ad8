//! Downloads the comments on an article from their feed, the chapters and the transcript of its recording, and an image, when the user
//! asks for them. One polite request each (docs/politeness.md); only transcripts are stored.

use crate::{
    metadata,
    offline::{FullTextError, NoText},
    runner::Poller,
};
use gleaner_address::is_web;
use gleaner_feed::{Context, Item, NotAFeed};
use gleaner_fetch::{Accept, Request, Response};
use gleaner_library::{Chapter, LibraryError, Millis, Transcript};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Maximum size of a feed of comments and of a list of chapters, in bytes.
const MAX_BYTES: u64 = 8 << 20;
const MAX_CHAPTERS_BYTES: u64 = 1 << 20;
/// Maximum size of a transcript, in bytes.
const MAX_TRANSCRIPT_BYTES: u64 = 8 << 20;
/// Maximum size of an image, in bytes.
const MAX_IMAGE_BYTES: u64 = 32 << 20;
/// Maximum number of comments shown.
const MAX_COMMENTS: usize = 500;

/// The comments on an article, in the order of their feed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comments {
    /// At most five hundred comments.
    pub list: Vec<Comment>,
    /// Whether the feed has more.
    pub more: bool,
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comment {
    /// Name of its author.
    pub author: Option<String>,
    /// When it was written.
    pub at: Option<Millis>,
    /// Address of the comment.
    pub url: Option<String>,
    /// Sanitised HTML.
    pub html: String,
}

impl Poller {
    /// Downloads the comments on an article.
    ///
    /// # Errors
    /// [`FullTextError`]; [`LibraryError::NotFound`] if the article names no feed of comments.
    pub async fn comments(&self, item: i64, cancel: &CancellationToken) -> Result<Comments, FullTextError> {
        let metadata = self.library.articles().text(item).await?.metadata;
        let url = metadata.comments_feed.ok_or(LibraryError::NotFound("feed of comments"))?;
        let response = self.fetch_for(item, &url, (Accept::Feed, MAX_BYTES), cancel).await?;
        let reading = tokio::task::spawn_blocking(move || read(&response));
        reading.await?.map_err(|error| FullTextError::NoText(NoText::NotAPage(error.to_string())))
    }

    /// Returns the chapters of an article's recording: those in the feed, else those in the document that it names.
    ///
    /// # Errors
    /// [`FullTextError`].
    pub async fn chapters(&self, item: i64, cancel: &CancellationToken) -> Result<Vec<Chapter>, FullTextError> {
        let metadata = self.library.articles().text(item).await?.metadata;
        let Some(url) = metadata.chapters_url.filter(|_| metadata.chapters.is_empty()) else {
            return Ok(metadata.chapters);
        };
        let response = self.fetch_for(item, &url, (Accept::Feed, MAX_CHAPTERS_BYTES), cancel).await?;
        let found = gleaner_feed::chapters(&response.body.unwrap_or_default(), Some(response.url.as_str()));
        let found = found.ok_or_else(|| NoText::NotAPage("not a list of chapters".to_owned()))?;
        Ok(found.iter().map(metadata::chapter).collect())
    }

    /// Returns the transcript of an article's recording: the stored one, else the one that the feed links to, which it stores.
    ///
    /// # Errors
    /// [`FullTextError`]; [`LibraryError::NotFound`] if the feed links to none.
    pub async fn transcript(&self, item: i64, cancel: &CancellationToken) -> Result<Transcript, FullTextError> {
        let links = self.library.articles().text(item).await?.metadata.transcripts;
        let row = self.library.articles().get(item).await?;
        let feed = self.library.feeds().get(row.feed_id).await?;
        let link = metadata::best_transcript(links, row.language.as_deref().or(feed.language.as_deref()));
        let stored = self.library.articles().transcript(item).await?;
        // A transcript that the feed no longer links to stays; another one replaces it.
        if let Some(stored) = stored.filter(|stored| link.as_ref().is_none_or(|link| link.url == stored.url)) {
            return Ok(stored);
        }
        let link = link.ok_or(LibraryError::NotFound("transcript"))?;
        let response = self.fetch_for(item, &link.url, (Accept::Transcript, MAX_TRANSCRIPT_BYTES), cancel).await?;
        let reading = move || {
            gleaner_feed::transcript(response.body.as_deref().unwrap_or_default(), response.content_type.as_deref())
        };
        let found = tokio::task::spawn_blocking(reading).await?;
        let found = found.ok_or_else(|| NoText::NotAPage("not a transcript".to_owned()))?;
        let passages = found.into_iter().map(metadata::passage).collect();
        let transcript = Transcript { url: link.url, language: link.language, passages };
        self.library.articles().store_transcript(item, &transcript, self.now()).await?;
        Ok(transcript)
    }

    /// Downloads an image of an article that the user saves or copies.
    ///
    /// # Errors
    /// [`FullTextError`].
    pub async fn image(&self, item: i64, url: &str, cancel: &CancellationToken) -> Result<Vec<u8>, FullTextError> {
        let response = self.fetch_for(item, url, (Accept::Photograph, MAX_IMAGE_BYTES), cancel).await?;
        Ok(response.body.unwrap_or_default())
    }

    async fn fetch_for(
        &self,
        item: i64,
        url: &str,
        (accept, at_most): (Accept, u64),
        cancel: &CancellationToken,
    ) -> Result<Response, FullTextError> {
        let Some(_lock) = self.lock()? else { return Err(FullTextError::OtherProcess) };
        let row = self.library.articles().get(item).await?;
        let feed = self.feed_connections().await?.remove(&row.feed_id).ok_or(LibraryError::NotFound("feed"))?;
        let url = Url::parse(url).ok().filter(is_web).ok_or(NoText::NoPage)?;
        let request = Request { accept, at_most: Some(at_most), whole: true, ..Request::new(url) };
        Ok(self.request_for(request, &feed, cancel).await?)
    }
}

fn read(response: &Response) -> Result<Comments, NotAFeed> {
    let context = Context { content_type: response.content_type.as_deref(), base_url: Some(response.url.as_str()) };
    let parsed = gleaner_feed::parse(response.body.as_deref().unwrap_or_default(), context)?;
    let more = parsed.items.len() > MAX_COMMENTS;
    Ok(Comments { list: parsed.items.iter().take(MAX_COMMENTS).map(comment).collect(), more })
}

fn comment(item: &Item) -> Comment {
    let body = item.content.as_ref().or(item.summary.as_ref());
    let html = body.map(|body| gleaner_content::sanitise(&body.html, body.base.as_deref())).unwrap_or_default();
    let name = |person: &gleaner_feed::Person| person.name.clone().or_else(|| person.email.clone());
    // WordPress names the author only in the title: "By: Ada".
    let titled = || item.title.as_deref()?.strip_prefix("By: ").map(str::to_owned);
    Comment {
        author: item.authors.iter().find_map(name).or_else(titled),
        at: item.published.or(item.updated).map(|at| at.timestamp_millis()),
        url: item.url.clone(),
        html,
    }
}
