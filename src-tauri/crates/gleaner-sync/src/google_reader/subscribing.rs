//! Subscribing to a feed, which some servers refuse if they have it already.

use super::{
    GoogleReader,
    format::{QuickAdd, label_stream},
};
use crate::{
    Changed, Server as _, SyncError,
    error::{FetchErrorOr, is_refusal, is_refusal_or_failure},
    http::json,
};

impl GoogleReader {
    /// Subscribes to a feed, and gives it a title and a folder.
    pub(super) async fn subscribe(
        &mut self,
        url: &str,
        title: Option<&str>,
        label: Option<&str>,
    ) -> Result<Changed, SyncError> {
        let added = self.request("/subscription/quickadd", &[("output", "json")], Some(&[("quickadd", url)])).await;
        let (id, failure) = match added {
            Ok(response) => (json::<QuickAdd>(response, "subscription/quickadd")?.into_id(), None),
            Err(FetchErrorOr::Fetch(error)) if is_refusal_or_failure(&error) => {
                if is_refusal(&error) && (self.is_fresh_rss() || self.is_comma_feed()) {
                    self.subscribe_by_edit(url).await?;
                }
                // Miniflux fails at a feed that it can't read.
                (None, Some(error).filter(|error| !is_refusal(error) && !self.is_miniflux()))
            }
            Err(error) => return Err(error.into()),
        };
        // A server that has the feed already refuses it.
        let id = match id {
            Some(id) => id,
            None => match self.subscribed_as(url).await? {
                Some(id) => id,
                None => return failure.map_or(Ok(Changed::Refused), |error| Err(error.into())),
            },
        };
        let label = label.map(label_stream);
        let mut form = vec![("ac", "edit"), ("s", id.as_str())];
        form.extend(title.map(|title| ("t", title)));
        form.extend(label.as_deref().map(|label| ("a", label)));
        if form.len() > 2 {
            match self.edit("/subscription/edit", &form).await {
                Err(FetchErrorOr::Fetch(error)) if is_refusal_or_failure(&error) => {}
                done => done?,
            }
        }
        Ok(Changed::Done(Some(id)))
    }

    /// Subscribes by another request, with the address in the form. For the usual one, FreshRSS before 2021 reads the address from the
    /// query, where logs would contain it, and CommaFeed does not have that request.
    async fn subscribe_by_edit(&mut self, url: &str) -> Result<(), SyncError> {
        let feed = format!("feed/{url}");
        match self.edit("/subscription/edit", &[("ac", "subscribe"), ("s", &feed)]).await {
            Err(FetchErrorOr::Fetch(error)) if is_refusal_or_failure(&error) => Ok(()),
            done => Ok(done?),
        }
    }

    async fn subscribed_as(&mut self, url: &str) -> Result<Option<String>, SyncError> {
        let key = gleaner_library::feed_key(url);
        let feeds = self.feeds().await?;
        Ok(feeds.into_iter().find(|feed| gleaner_library::feed_key(&feed.url) == key).map(|feed| feed.remote_id))
    }
}
