//! What is fetched around an article when its reader asks for it: its comments, from the feed that it names for them, and the chapters of its
//! recording. One polite request each, as pages are fetched (docs/politeness.md); nothing of it is kept.

use crate::{
    ahead::{FullTextError, NoText},
    beside,
    runner::Poller,
};
use gleaner_feed::{Context, Item, NotAFeed};
use gleaner_fetch::{Accept, Answer, Request};
use gleaner_library::{Chapter, LibraryError, Millis};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Bytes of a feed of comments, and of a document of chapters, that are read.
const LARGEST: u64 = 8 << 20;
const LARGEST_CHAPTERS: u64 = 1 << 20;
/// More comments than this are read on their page.
const MOST: usize = 500;

/// The comments on an article, in the order of their feed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comments {
    /// At most five hundred.
    pub list: Vec<Comment>,
    /// There are more.
    pub more: bool,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comment {
    /// Who wrote it.
    pub author: Option<String>,
    /// When.
    pub at: Option<Millis>,
    /// Where it stands by itself.
    pub url: Option<String>,
    /// Sanitised.
    pub html: String,
}

impl Poller {
    /// Fetches the comments on an article.
    ///
    /// # Errors
    /// In words; [`LibraryError::NotFound`] where the feed names none.
    pub async fn comments(&self, item: i64, cancel: &CancellationToken) -> Result<Comments, FullTextError> {
        let beside = self.library.article_text(item).await?.beside;
        let url = beside.comments_feed.ok_or(LibraryError::NotFound("feed of comments"))?;
        let answer = self.fetch_beside(item, &url, LARGEST, cancel).await?;
        let reading = tokio::task::spawn_blocking(move || read(&answer));
        reading.await?.map_err(|error| FullTextError::NoText(NoText::NotAPage(error.to_string())))
    }

    /// The chapters of an article's recording: those of the feed, else those of the document that it names.
    ///
    /// # Errors
    /// In words.
    pub async fn chapters(&self, item: i64, cancel: &CancellationToken) -> Result<Vec<Chapter>, FullTextError> {
        let beside = self.library.article_text(item).await?.beside;
        let Some(url) = beside.chapters_url.filter(|_| beside.chapters.is_empty()) else { return Ok(beside.chapters) };
        let answer = self.fetch_beside(item, &url, LARGEST_CHAPTERS, cancel).await?;
        let found = gleaner_feed::chapters(&answer.body.unwrap_or_default(), Some(answer.url.as_str()));
        let found = found.ok_or_else(|| NoText::NotAPage("no list of chapters".to_owned()))?;
        Ok(found.iter().map(beside::chapter).collect())
    }

    async fn fetch_beside(
        &self,
        item: i64,
        url: &str,
        at_most: u64,
        cancel: &CancellationToken,
    ) -> Result<Answer, FullTextError> {
        let Some(_lock) = self.lock()? else { return Err(FullTextError::Elsewhere) };
        let row = self.library.item(item).await?;
        let feed = self.feeds_reached().await?.remove(&row.feed_id).ok_or(LibraryError::NotFound("feed"))?;
        let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https")).ok_or(NoText::NoPage)?;
        let request = Request {
            accept: Accept::Feed,
            at_most: Some(at_most),
            public_only: !feed.is_inside(),
            ..Request::new(url)
        };
        Ok(self.ask_beside(request, &feed, cancel).await?)
    }
}

fn read(answer: &Answer) -> Result<Comments, NotAFeed> {
    let context = Context { content_type: answer.content_type.as_deref(), base_url: Some(answer.url.as_str()) };
    let parsed = gleaner_feed::parse(answer.body.as_deref().unwrap_or_default(), context)?;
    let more = parsed.items.len() > MOST;
    Ok(Comments { list: parsed.items.iter().take(MOST).map(comment).collect(), more })
}

fn comment(item: &Item) -> Comment {
    let body = item.content.as_ref().or(item.summary.as_ref());
    let html = body.map(|body| gleaner_content::sanitise(&body.html, body.base.as_deref())).unwrap_or_default();
    let name = |person: &gleaner_feed::Person| person.name.clone().or_else(|| person.email.clone());
    // WordPress says who only in the title where it leaves the author out: "By: Ada".
    let titled = || item.title.as_deref()?.strip_prefix("By: ").map(str::to_owned);
    Comment {
        author: item.authors.iter().find_map(name).or_else(titled),
        at: item.published.or(item.updated).map(|at| at.timestamp_millis()),
        url: item.url.clone(),
        html,
    }
}
