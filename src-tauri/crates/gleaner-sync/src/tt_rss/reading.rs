//! Reads all articles, then those that arrived.

use super::{
    ALL, PAGE, Page, Position, TtRss,
    counts::{Comparison, Unexplained},
    format::Article,
    is_in,
    place::{Place, below},
    ranges::Ranges,
    stored, view,
};
use crate::{Changes, RemoteArticle, SyncError, first_read::Part};
use serde_json::json;

impl TtRss {
    /// Reads a page of the first reading.
    pub(super) async fn first(&mut self, position: Position) -> Result<Changes, SyncError> {
        let Position::First {
            mut part,
            mut place,
            mut unread,
            mut starred,
            mut left,
            mut since,
            mut top,
            counters,
            renumbered,
            mut read,
        } = position
        else {
            return Err(SyncError::InvalidResponse("getHeadlines"));
        };
        let began = place == Place::default() && part == Part::Newest;
        let page = self.page(ALL, view(part), place.skip, true).await?;
        let Page { articles: page, ids, all } = page;
        let full = all >= PAGE;
        let before = place.clone();
        let joined = place.advance(&ids, all);
        if began {
            since = ids.iter().max().copied().unwrap_or(0);
        }
        top = ids.iter().copied().fold(top, u64::max);
        let mut articles: Vec<Article> = page.into_iter().filter(|article| is_in(part, article)).collect();
        let mut rest = full;
        if part == Part::Newest {
            let repeated = usize::from(before.anchor.is_some() && joined);
            rest |= articles.len() > left + repeated;
            articles.truncate(left + repeated);
            left = left.saturating_sub(articles.len().saturating_sub(repeated));
            for (part, place) in [(Part::Unread, &mut unread), (Part::Starred, &mut starred)] {
                for article in articles.iter().skip(repeated).filter(|article| is_in(part, article)) {
                    *place = Place { skip: place.skip + 1, anchor: article.number() };
                }
            }
        }
        let read_before = read.numbers().map(|number| number.to_string()).collect();
        if renumbered {
            read.extend(articles.iter().filter_map(Article::number));
        }
        let more = full && (part != Part::Newest || left > 0);
        let next = if more || !joined {
            Position::First { part, place, unread, starred, left, since, top, counters, renumbered, read }
        } else if let Some(next) = match part {
            // If there are no others below, all were read.
            Part::Newest if rest => Some((Part::Unread, below(&unread))),
            Part::Unread => Some((Part::Starred, below(&starred))),
            _ => None,
        } {
            (part, place) = next;
            Position::First { part, place, unread, starred, left, since, top, counters, renumbered, read }
        } else {
            // If nothing arrived in the meantime, all later articles have greater ids than these.
            let since = if top > since && self.counters().await?.digest == counters { top } else { since };
            Position::Since { since, skip: 0, top: 0, counters, unexplained: Unexplained::default() }
        };
        let articles = articles.into_iter().map(Article::into_article).collect();
        let next = stored(&next)?;
        Ok(Changes { articles, next, more: true, renumbered, read: read_before, ..Changes::default() })
    }

    /// Returns the position from which all articles are read.
    pub(super) fn beginning(history: usize, counters: String, renumbered: bool) -> Position {
        let (part, place) = (Part::Newest, Place::default());
        let (unread, starred) = (Place::default(), Place::default());
        let (left, since, top, read) = (history, 0, 0, Ranges::default());
        Position::First { part, place, unread, starred, left, since, top, counters, renumbered, read }
    }

    /// Reads a page of new articles. If the server has neither the latest known article nor later ones, it may have been installed again
    /// and count from one: then everything is read again, unless its articles are known.
    pub(super) async fn arrived_since(
        &mut self,
        history: usize,
        since: u64,
        skip: usize,
        top: u64,
        before: String,
        unexplained: Unexplained,
    ) -> Result<Changes, SyncError> {
        self.comparison = None;
        let request = json!({
            "feed_id": ALL, "view_mode": "all_articles", "limit": PAGE, "skip": skip, "since_id": since.saturating_sub(1),
            "show_content": true, "include_attachments": true,
        });
        let Page { articles: page, ids, all } = Page::new(self.get("getHeadlines", request).await?);
        // A server that does not know the parameter returns all articles.
        if ids.iter().any(|id| *id < since) {
            return Err(SyncError::InvalidResponse("getHeadlines"));
        }
        let top = if skip == 0 { ids.iter().max().copied().unwrap_or(since) } else { top };
        let (latest, arrived): (Vec<_>, Vec<_>) = page.into_iter().partition(|article| article.number() == Some(since));
        let latest = latest.into_iter().next().map(Article::into_article);
        let articles: Vec<RemoteArticle> = arrived.into_iter().map(Article::into_article).collect();
        if all >= PAGE {
            let next = Position::Since { since, skip: skip + all, top, counters: before, unexplained };
            return Ok(Changes {
                articles,
                latest,
                next: stored(&next)?,
                more: true,
                lists: true,
                ..Changes::default()
            });
        }
        let counters = self.counters().await?;
        if skip == 0 && all == 0 && counters.digest != before {
            let beginning = Self::beginning(history, counters.digest.clone(), true);
            let begin = stored(&beginning)?;
            let mut first = self.first(beginning).await?;
            first.begin = Some(begin);
            let last = first.articles.iter().filter_map(|article| article.item.id.parse().ok()).max();
            if let Some(since) = last {
                let known = Position::Since { since, skip: 0, top: 0, counters: before, unexplained };
                first.next_if_known = Some(stored(&known)?);
                return Ok(first);
            }
        }
        let lists = skip > 0 || !articles.is_empty() || counters.digest != before;
        let next = Position::Since { since: top, skip: 0, top: 0, counters: before, unexplained: unexplained.clone() };
        self.comparison = lists.then(|| Comparison::new(counters, top, unexplained));
        Ok(Changes { articles, latest, next: stored(&next)?, lists, ..Changes::default() })
    }
}
