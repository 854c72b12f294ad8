//! The lists of ids, which some servers return page by page.

use super::{
    GoogleReader, READ, READING_LIST, STARRED,
    format::{Page, label_stream, normal_id},
};
use crate::{
    Ids, List, SyncError,
    http::json,
    lenient::{Readable, Text},
};
use std::{
    collections::{HashSet, hash_map::RandomState},
    hash::BuildHasher as _,
};

/// Ids per page. Lists that are paged are whole on Miniflux only with large pages.
const PAGE: usize = 10_000;
/// Maximum number of pages of a list.
const MAX_PAGES: usize = 100;

/// The pages of a list.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) ids: Ids,
    /// Whether they were read to the last one.
    pub(super) ended: bool,
    /// Whether they were read to the last one, no id was in them twice, and the server leaves none out.
    pub(super) complete: bool,
}

impl GoogleReader {
    /// Reads the pages of a list once.
    pub(super) async fn pages(&mut self, list: &List, limit: usize) -> Result<Pages, SyncError> {
        let stream = match list {
            List::Unread | List::Newest => READING_LIST.to_owned(),
            List::Starred => STARRED.to_owned(),
            List::Label(name) => label_stream(name),
        };
        // Hashes, since there may be very many ids.
        let (mut read, mut seen, hasher) = (Pages::default(), HashSet::new(), RandomState::new());
        let mut unreadable = 0;
        let (mut continuation, mut by_article, mut repeated) = (None::<String>, true, false);
        for _ in 0..MAX_PAGES {
            let left = limit - read.ids.ids.len();
            let size = PAGE.min(left);
            let size_text = size.to_string();
            let mut query = vec![("s", stream.as_str()), ("n", &size_text)];
            if *list == List::Unread {
                query.push(("xt", READ));
            }
            query.extend(continuation.as_deref().map(|from| ("c", from)));
            let page: Page = json(self.get("/stream/items/ids", &query).await?, "stream/items/ids")?;
            let nothing = page.refs.is_none();
            let Readable { list: refs, skipped } = page.refs.unwrap_or(Readable { list: Vec::new(), skipped: 0 });
            unreadable += skipped;
            let is_cut = refs.len() > left;
            let mut ids: Vec<String> =
                refs.into_iter().take(left).map(|found| normal_id(&found.id.into_text())).collect();
            self.listed = ids.first().cloned().or_else(|| self.listed.take());
            let next = page.continuation.map(Text::into_text).filter(|next| !next.is_empty());
            // An id twice: articles moved between the pages while they were read, or have the same date. Others may be missing.
            let (all, last) = (ids.len(), ids.last().cloned());
            ids.retain(|id| seen.insert(hasher.hash_one(id)));
            repeated |= ids.len() < all;
            let is_last = |next: &str| last.as_ref().is_some_and(|last| *last == normal_id(next));
            by_article &= next.as_deref().is_none_or(|next| is_last(next) && next != seen.len().to_string());
            let empty = ids.is_empty();
            read.ids.ids.extend(ids);
            if is_cut {
                // The server does not stop at the number of ids that was requested, or has more than Gleaner reads.
                return Ok(read);
            }
            if next.is_none() || empty {
                // The pages of CommaFeed are in the order of dates, and begin after an id, so that they leave articles out.
                let proves_all = !repeated && unreadable == 0 && (continuation.is_none() || !self.is_comma_feed());
                read.ended = next.is_none() && !nothing;
                read.complete = next.is_none() && proves_all;
                // Pages by offset: where an article leaves a page that was read, another one is skipped, and nothing shows it.
                read.ids.whole = read.ended && proves_all && (by_article || continuation.is_none());
                return Ok(read);
            }
            if read.ids.ids.len() >= limit {
                return Ok(read);
            }
            continuation = next;
        }
        Ok(read)
    }
}
