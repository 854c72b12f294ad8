//! Desktop notifications of new articles, for feeds, folders and rules: a few single ones, or one for all.

use crate::{
    App, Core,
    catalogue::{Catalogue, Message},
    error::Result,
    lists,
    plain::one_line,
    platform::{Notice, NoticeAction},
    settings,
};
use chrono::{Local, Timelike as _};
use gleaner_contract::{ArticleId, Event, Mark, QuietHours};

/// Number of articles named in a notification of several.
const NAMED: usize = 4;
/// Maximum number of articles with a notification of their own.
const MAX_SINGLE: usize = 3;

/// Shows notifications of these articles, unless it is quiet.
pub(crate) async fn request(app: &App, core: &Core, articles: &[i64]) {
    let Ok(platform) = app.platform() else { return };
    if articles.is_empty() {
        return;
    }
    match notices(core, articles, Local::now().hour()).await {
        Ok(notices) => notices.into_iter().for_each(|notice| platform.notify(notice)),
        Err(error) => tracing::warn!(%error, "new articles could not be notified"),
    }
}

/// Returns whether notifications are off at an hour of the day. From 22 to 7 includes midnight; equal hours are the whole day.
fn is_quiet(hours: QuietHours, hour: u32) -> bool {
    let (from, to) = (u32::from(hours.from), u32::from(hours.to));
    hours.enabled && if from < to { (from..to).contains(&hour) } else { hour >= from || hour < to }
}

/// Returns the notifications of these articles at an hour of the day.
async fn notices(core: &Core, articles: &[i64], hour: u32) -> Result<Vec<Notice>> {
    let settings = settings::of(&core.library).await?;
    if is_quiet(settings.quiet_hours, hour) {
        return Ok(Vec::new());
    }
    let catalogue = Catalogue::of(settings.language);
    let title = |title: &str| match one_line(title) {
        title if title.is_empty() => catalogue.text(Message::Untitled),
        title => title,
    };
    let mut newest = Vec::new();
    for id in articles.iter().rev().take(NAMED.max(MAX_SINGLE)) {
        match core.library.articles().get(*id).await {
            Ok(item) => newest.push(item),
            // Deleted since.
            Err(error) => tracing::debug!(%error, "an article of a notification is gone"),
        }
    }
    let labels = Notice {
        open: catalogue.text(Message::Open),
        mark_read: catalogue.text(Message::MarkRead),
        star: catalogue.text(Message::Star),
        ..Notice::default()
    };
    if articles.len() > MAX_SINGLE {
        return Ok(vec![Notice {
            articles: articles.to_vec(),
            title: catalogue.count(Message::NewArticles, articles.len() as u64),
            lines: newest.iter().take(NAMED).map(|item| title(&item.title)).collect(),
            ..labels
        }]);
    }
    let feeds = core.library.feeds().list().await?;
    let feed = |id: i64| feeds.iter().find(|feed| feed.id == id).map(|feed| one_line(&feed.shown_title()));
    // The newest one comes last, so that it is on top.
    Ok(newest
        .iter()
        .rev()
        .map(|item| Notice {
            articles: vec![item.id],
            title: title(&item.title),
            lines: feed(item.feed_id).into_iter().collect(),
            ..labels.clone()
        })
        .collect())
}

/// Does what the user chose in a notification, in the background.
pub fn act(app: &App, articles: Vec<i64>, action: NoticeAction) {
    let task = app.clone();
    app.spawn(async move {
        if let Err(error) = run(&task, articles, action).await {
            tracing::warn!(%error, ?action, "an action of a notification failed");
        }
    });
}

async fn run(app: &App, articles: Vec<i64>, action: NoticeAction) -> Result<()> {
    let mark = Mark { ids: articles, read: None, starred: None, hidden: None, kept: None };
    let mark = match action {
        NoticeAction::Open => {
            if let [id] = mark.ids[..] {
                app.emit(Event::ArticleRequested(ArticleId { id }));
            }
            app.platform()?.raise_window();
            return Ok(());
        }
        NoticeAction::MarkRead => Mark { read: Some(true), ..mark },
        NoticeAction::Star => Mark { starred: Some(true), ..mark },
    };
    let read = mark.read.is_some();
    let marked = lists::mark(app, mark).await?;
    app.library_changed(false, true);
    if read {
        app.emit(Event::MarkedOutside(marked));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_may_include_midnight() {
        let quiet = |from, to, hour| is_quiet(QuietHours { enabled: true, from, to }, hour);
        assert_eq!([21, 22, 23, 0, 6, 7].map(|hour| quiet(22, 7, hour)), [false, true, true, true, true, false]);
        assert_eq!([8, 9, 11, 12].map(|hour| quiet(9, 12, hour)), [false, true, true, false]);
        assert!(quiet(5, 5, 4) && quiet(5, 5, 5));
        assert!(!is_quiet(QuietHours { enabled: false, from: 0, to: 0 }, 3));
    }
}
