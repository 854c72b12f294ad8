//! Downloads the full text of an article from its page.

use super::fetch::{Feed, RequestError};
use crate::{
    FeedError, FeedErrorCode,
    runner::{PollError, Poller},
};
use gleaner_address::is_web;
use gleaner_content::{
    Extracted, MAX_ARTICLE_BYTES, MAX_ARTICLE_PAGES, MAX_PAGE_BYTES, decode_page, extract, plain_text,
};
use gleaner_fetch::{Accept, FetchError, Response};
use gleaner_library::{DownloadKind, LibraryError, Millis};
use std::collections::HashSet;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Why a page gives no full text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoText {
    /// The feed names no page for this article.
    #[error("the feed names no page for this article")]
    NoPage,
    /// The response is not a web page; its type.
    #[error("the response is not a web page but {0}")]
    NotAPage(String),
    /// No article was found in the page.
    #[error("no article was found in the page; it may need scripts or a login")]
    NoArticle,
    /// The feed's own text is longer.
    #[error("the page has less text than the feed; it may need scripts or a login")]
    LessText,
}

impl From<&NoText> for FeedError {
    fn from(error: &NoText) -> Self {
        match error {
            NoText::NoPage => FeedErrorCode::NoPage.into(),
            NoText::NotAPage(_) => FeedErrorCode::NotAPage.into(),
            NoText::NoArticle => FeedErrorCode::NoArticle.into(),
            NoText::LessText => FeedErrorCode::LessText.into(),
        }
    }
}

/// Why the full text of an article could not be downloaded.
#[derive(Debug, thiserror::Error)]
pub enum FullTextError {
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// No response, or an error status.
    #[error(transparent)]
    Fetch(Box<FetchError>),
    /// The server asked to wait until then.
    #[error("the server asked to wait")]
    Wait(Millis),
    /// The feed's login cannot be read, or its proxy is invalid.
    #[error("{0}")]
    Access(FeedError),
    /// The response has no full text.
    #[error(transparent)]
    NoText(#[from] NoText),
    /// Another process is polling.
    #[error("another Gleaner is refreshing this library; try again when it is done")]
    OtherProcess,
    /// The user cancelled it.
    #[error("cancelled")]
    Cancelled,
    /// A task panicked: a bug.
    #[error("reading the page failed: {0}")]
    Task(#[from] tokio::task::JoinError),
}

impl From<FullTextError> for FeedError {
    fn from(error: FullTextError) -> Self {
        match error {
            FullTextError::Fetch(error) => (&*error).into(),
            FullTextError::Wait(until) => Self::wait(until),
            FullTextError::Access(error) => error,
            FullTextError::NoText(why) => (&why).into(),
            FullTextError::OtherProcess => FeedErrorCode::Busy.into(),
            FullTextError::Cancelled => FeedErrorCode::Cancelled.into(),
            FullTextError::Library(_) | FullTextError::Task(_) => FeedErrorCode::Internal.into(),
        }
    }
}

impl From<RequestError> for FullTextError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Library(error) => Self::Library(error),
            RequestError::Cancelled => Self::Cancelled,
            RequestError::Wait { until, .. } => Self::Wait(until),
            RequestError::Fetch(error) => Self::Fetch(error),
            RequestError::Access(why) => Self::Access(why),
        }
    }
}

impl From<PollError> for FullTextError {
    fn from(error: PollError) -> Self {
        match error {
            PollError::Library(error) => Self::Library(error),
            PollError::Task(error) => Self::Task(error),
        }
    }
}

impl Poller {
    /// Downloads the full text of one article now, even if one is already stored. Its images are queued if preferences say so.
    ///
    /// # Errors
    /// [`FullTextError`]; a text that was stored before stays.
    pub async fn full_text(&self, item: i64, cancel: &CancellationToken) -> Result<(), FullTextError> {
        let Some(_lock) = self.lock()? else { return Err(FullTextError::OtherProcess) };
        let row = self.library.articles().get(item).await?;
        let feed = self.feed_connections().await?.remove(&row.feed_id).ok_or(LibraryError::NotFound("feed"))?;
        self.fetch_text(item, row.url.as_deref(), &feed, cancel).await
    }

    pub(super) async fn fetch_text(
        &self,
        item: i64,
        url: Option<&str>,
        feed: &Feed,
        cancel: &CancellationToken,
    ) -> Result<(), FullTextError> {
        let url = url.and_then(|url| Url::parse(url).ok()).filter(is_web);
        let url = url.ok_or(NoText::NoPage)?;
        let text = self.library.articles().text(item).await?;
        let mut left = MAX_ARTICLE_BYTES;
        let (mut whole, at) = self.article_at(&url, feed, &mut left, cancel).await?;
        let mut seen = HashSet::from([url.to_string(), at.to_string()]);
        while let Some(next) = whole.next_page_url.clone() {
            let next = Url::parse(&next).ok().filter(|next| next.host() == at.host());
            let Some(next) = next.filter(|next| seen.len() < MAX_ARTICLE_PAGES + 1 && seen.insert(next.to_string()))
            else {
                break;
            };
            match self.article_at(&next, feed, &mut left, cancel).await {
                Ok((page, _)) => whole.append(page),
                Err(FullTextError::Cancelled) => return Err(FullTextError::Cancelled),
                Err(FullTextError::Library(error)) => return Err(error.into()),
                // The pages so far are enough.
                Err(_) => break,
            }
        }
        let own = text.content.or(text.summary).unwrap_or_default();
        if whole.content_text.len() * 2 < plain_text(&own.html).len() {
            return Err(NoText::LessText.into());
        }
        let images = match self.library.downloads().candidate(item).await? {
            Some(article) => self.content_for(&article).await?.has(DownloadKind::Images),
            None => false,
        };
        Ok(self.library.articles().store_full_text(item, at.as_str(), &whole.content_html, images, self.now()).await?)
    }

    /// Returns the article of a page, and the page's address after redirects. `left` is how many bytes the article's pages may still have.
    async fn article_at(
        &self,
        url: &Url,
        feed: &Feed,
        left: &mut u64,
        cancel: &CancellationToken,
    ) -> Result<(Extracted, Url), FullTextError> {
        let response = self.get(url, (Accept::Page, MAX_PAGE_BYTES.min(*left)), feed, cancel).await?;
        *left = left.saturating_sub(response.body.as_ref().map_or(0, |body| body.len() as u64));
        let at = response.url.clone();
        // The semaphore is never closed; without a permit the page would only be read sooner.
        let _core = self.cores.acquire().await.ok();
        let reading = tokio::task::spawn_blocking(move || read(response));
        tokio::select! {
            read = reading => Ok((read??, at)),
            // The thread continues although nothing waits for it.
            () = cancel.cancelled() => Err(FullTextError::Cancelled),
        }
    }
}

fn read(response: Response) -> Result<Extracted, NoText> {
    let body = response.body.unwrap_or_default();
    let stated = response.content_type.as_deref();
    if let Some(other) = other_than_page(stated, &body) {
        return Err(NoText::NotAPage(other));
    }
    extract(&decode_page(&body, stated), response.url.as_str()).ok_or(NoText::NoArticle)
}

/// Returns the type of a response that is not a web page, by its header or, if that is vague, by its first bytes.
#[must_use]
pub fn other_than_page(content_type: Option<&str>, body: &[u8]) -> Option<String> {
    let stated = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let begins = String::from_utf8_lossy(&body[..body.len().min(1024)]).to_ascii_lowercase();
    let looks_like_one = begins.contains("<!doctype html") || begins.contains("<html") || begins.contains("<body");
    match stated.as_str() {
        "text/html" | "application/xhtml+xml" => None,
        "" | "text/plain" | "text/xml" | "application/xml" | "application/octet-stream" if looks_like_one => None,
        "" => Some("an unknown type".to_owned()),
        _ => Some(stated),
    }
}

#[cfg(test)]
mod tests {
    use super::other_than_page;

    #[test]
    fn recognises_pages_by_type_and_first_bytes() {
        for (stated, body, other) in [
            (Some("text/html; charset=utf-8"), "anything", None),
            (Some("Application/XHTML+xml"), "", None),
            (None, " <!DOCTYPE html><p>x", None),
            (Some("text/plain"), "<html>", None),
            (Some("text/plain"), "a text", Some("text/plain")),
            (Some("application/pdf"), "<html>", Some("application/pdf")),
            (None, "%PDF", Some("an unknown type")),
        ] {
            assert_eq!(other_than_page(stated, body.as_bytes()).as_deref(), other, "{stated:?} {body}");
        }
    }
}
