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
use chrono::Timelike as _;
use gleaner_contract::{ArticleId, Event, Mark, QuietHours, RequestedList, Source};
use gleaner_library::{FeedRow, ItemRow, SavedSearch, now_local};
use std::collections::HashMap;

/// Number of articles named in a notification of several.
const NAMED: usize = 4;
/// Maximum number of articles whose feeds are compared.
const MAX_LOOKED: usize = 500;
/// Maximum number of articles with a notification of their own.
const MAX_SINGLE: usize = 3;

/// Shows notifications of these articles, unless it is quiet. `searches`: the articles that saved searches notify of, each with the id of the
/// search.
pub(crate) async fn request(app: &App, core: &Core, articles: &[i64], searches: &[(i64, i64)]) {
    let Ok(platform) = app.platform() else { return };
    if articles.is_empty() {
        return;
    }
    match notices(core, articles, searches, now_local().hour()).await {
        Ok(notices) => notices.into_iter().for_each(|notice| platform.notify(notice)),
        Err(error) => tracing::warn!(%error, "new articles could not be notified"),
    }
}

/// Returns whether notifications are off at an hour of the day. From 22 to 7 includes midnight; with equal hours, no hour is quiet.
fn is_quiet(hours: QuietHours, hour: u32) -> bool {
    let (from, to) = (u32::from(hours.from), u32::from(hours.to));
    hours.enabled && if from <= to { (from..to).contains(&hour) } else { hour >= from || hour < to }
}

/// Returns the notifications of these articles at an hour of the day.
async fn notices(core: &Core, articles: &[i64], searches: &[(i64, i64)], hour: u32) -> Result<Vec<Notice>> {
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
    // All of several articles may be of one feed.
    for id in articles.iter().rev().take(MAX_LOOKED) {
        match core.library.articles().get(*id).await {
            Ok(item) => newest.push(item),
            // It was deleted in the meantime.
            Err(error) => tracing::debug!(%error, "an article of a notification is gone"),
        }
    }
    let labels = Notice {
        open: catalogue.text(Message::Open),
        mark_read: catalogue.text(Message::MarkRead),
        star: catalogue.text(Message::Star),
        ..Notice::default()
    };
    let feeds = core.library.feeds().list().await?;
    let feed = |id: i64| feeds.iter().find(|feed| feed.id == id).map(|feed| one_line(&feed.shown_title()));
    let saved = if searches.is_empty() { Vec::new() } else { core.library.saved_searches().list().await? };
    let searches: HashMap<i64, &SavedSearch> = searches
        .iter()
        .filter_map(|(article, search)| Some((*article, saved.iter().find(|saved| saved.id == *search)?)))
        .collect();
    if articles.len() > MAX_SINGLE {
        let place = match (common(articles.iter().map(|id| searches.get(id).copied())), articles.len() <= MAX_LOOKED) {
            (Some(search), _) => Some((one_line(&search.name), of_search(search))),
            (None, true) => place(core, &feeds, &newest).await?,
            (None, false) => None,
        };
        let is_of_one_feed = common(newest.iter().map(|item| Some(item.feed_id))).is_some();
        let named = newest.iter().take(NAMED).map(|item| match feed(item.feed_id).filter(|_| !is_of_one_feed) {
            Some(feed) => joined([title(&item.title), feed]),
            None => title(&item.title),
        });
        let count = catalogue.count(Message::NewArticles, articles.len() as u64);
        let (name, list) = place.unzip();
        return Ok(vec![Notice {
            articles: articles.to_vec(),
            list,
            title: joined([Some(count), name].into_iter().flatten()),
            lines: named.collect(),
            ..labels
        }]);
    }
    // The newest one comes last, so that it is on top.
    Ok(newest
        .iter()
        .rev()
        .map(|item| Notice {
            articles: vec![item.id],
            title: title(&item.title),
            lines: vec![joined(
                feed(item.feed_id).into_iter().chain(searches.get(&item.id).map(|search| one_line(&search.name))),
            )],
            ..labels.clone()
        })
        .collect())
}

/// Returns the value that all have; `None` if there is none or if they differ.
fn common<T: PartialEq>(values: impl IntoIterator<Item = Option<T>>) -> Option<T> {
    let mut values = values.into_iter();
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}

fn joined(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(" · ")
}

fn of_search(search: &SavedSearch) -> RequestedList {
    RequestedList { source: Source::Unread, search: Some(search.query.clone()) }
}

/// Returns the name and the list of the feed or the folder that all articles are in; `None` if they are in several.
async fn place(core: &Core, feeds: &[FeedRow], articles: &[ItemRow]) -> Result<Option<(String, RequestedList)>> {
    let of = |article: &ItemRow| feeds.iter().find(|feed| feed.id == article.feed_id);
    let list = |source| RequestedList { source, search: None };
    if let Some(id) = common(articles.iter().map(|article| Some(article.feed_id))) {
        let feed = articles.first().and_then(of);
        return Ok(feed.map(|feed| (one_line(&feed.shown_title()), list(Source::Feed { id }))));
    }
    let Some(id) = common(articles.iter().map(|article| of(article).and_then(|feed| feed.folder_id))) else {
        return Ok(None);
    };
    let folder = core.library.folders().list().await?.into_iter().find(|folder| folder.id == id);
    Ok(folder.map(|folder| (one_line(&folder.name), list(Source::Folder { id }))))
}

/// Does what the user chose in a notification, in the background.
pub fn act(app: &App, notice: &Notice, action: NoticeAction) {
    let (task, articles, list) = (app.clone(), notice.articles.clone(), notice.list.clone());
    app.spawn(async move {
        if let Err(error) = run(&task, articles, list, action).await {
            tracing::warn!(%error, ?action, "an action of a notification failed");
        }
    });
}

async fn run(app: &App, articles: Vec<i64>, list: Option<RequestedList>, action: NoticeAction) -> Result<()> {
    let mark = Mark { ids: articles, read: None, starred: None, hidden: None, kept: None };
    let mark = match action {
        NoticeAction::Open => {
            if let [id] = mark.ids[..] {
                app.emit(Event::ArticleRequested(ArticleId { id }));
            } else {
                app.emit(Event::ListRequested(still_there(app, list).await?));
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

/// Returns the list of a notification, or the list of all unread articles if it has none or its feed or folder was deleted in the meantime.
async fn still_there(app: &App, list: Option<RequestedList>) -> Result<RequestedList> {
    let library = app.core().await?.library;
    let is_there = match list.as_ref().map(|list| list.source) {
        Some(Source::Feed { id }) => library.feeds().list().await?.iter().any(|feed| feed.id == id),
        Some(Source::Folder { id }) => library.folders().list().await?.iter().any(|folder| folder.id == id),
        _ => true,
    };
    Ok(list.filter(|_| is_there).unwrap_or(RequestedList { source: Source::Unread, search: None }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Incoming, Intent, NewItem, NewSubscription, SearchChange};
    use tokio::runtime::Handle;

    #[tokio::test]
    async fn a_notification_of_several_articles_names_and_opens_their_list() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let core = app.core().await.unwrap();
        let library = &core.library;
        let hobby = library.folders().create("Hobby", None).await.unwrap();
        let mut feeds = Vec::new();
        for (name, folder) in
            [("Garden", vec!["Hobby".to_owned()]), ("Boats", vec!["Hobby".to_owned()]), ("City", Vec::new())]
        {
            let new = NewSubscription {
                title: Some(name.to_owned()),
                folder,
                ..NewSubscription::new(format!("https://{name}.example/feed"))
            };
            let feed = library.subscriptions().add(&new).await.unwrap();
            let item = |number: usize| NewItem {
                key: number.to_string(),
                title: format!("{name} {number}"),
                ..NewItem::default()
            };
            let intents = (1..=4).map(|number| Intent::Insert(Box::new(item(number)))).collect();
            library.polls().store(&[&Incoming::of_items(feed, intents)]).await.unwrap();
            feeds.push(feed);
        }
        let search = library.saved_searches().add("Long reads", "words:>3000").await.unwrap();
        library
            .saved_searches()
            .change(search, SearchChange { notify: Some(true), ..SearchChange::default() })
            .await
            .unwrap();
        let notice = async |articles: &[i64], searches: &[(i64, i64)]| {
            let mut notices = notices(&core, articles, searches, 12).await.unwrap();
            assert_eq!(notices.len(), 1);
            notices.remove(0)
        };
        let list = |source, search: Option<&str>| Some(RequestedList { source, search: search.map(str::to_owned) });
        let garden = notice(&[1, 2, 3, 4], &[]).await;
        assert_eq!(garden.title, "4 new articles · Garden");
        assert_eq!(garden.lines, ["Garden 4", "Garden 3", "Garden 2", "Garden 1"]);
        assert_eq!(garden.list, list(Source::Feed { id: feeds[0] }, None));
        let both = notice(&[3, 4, 5, 6], &[]).await;
        assert_eq!((both.title.as_str(), both.lines[0].as_str()), ("4 new articles · Hobby", "Boats 2 · Boats"));
        assert_eq!(both.list, list(Source::Folder { id: hobby }, None));
        let all = notice(&[1, 5, 9, 10], &[(1, search)]).await;
        assert_eq!((all.title.as_str(), &all.list), ("4 new articles", &None));
        let found = notice(&[1, 5, 9, 10], &[(1, search), (5, search), (9, search), (10, search)]).await;
        assert_eq!(found.title, "4 new articles · Long reads");
        assert_eq!(found.list, list(Source::Unread, Some("words:>3000")));
        assert_eq!(notice(&[9], &[(9, search)]).await.lines, ["City · Long reads"]);
        assert_eq!(notice(&[9], &[]).await.lines, ["City"]);
        // A feed that was unsubscribed in the meantime.
        library.feeds().unsubscribe(&[feeds[0]]).await.unwrap();
        let unread = RequestedList { source: Source::Unread, search: None };
        assert_eq!(still_there(&app, garden.list).await.unwrap(), unread);
        assert_eq!(still_there(&app, None).await.unwrap(), unread);
        assert_eq!(still_there(&app, both.list.clone()).await.unwrap(), both.list.unwrap());
        drop(core);
        app.quit().await.unwrap();
    }

    #[test]
    fn quiet_hours_may_include_midnight() {
        let quiet = |from, to, hour| is_quiet(QuietHours { enabled: true, from, to }, hour);
        assert_eq!([21, 22, 23, 0, 6, 7].map(|hour| quiet(22, 7, hour)), [false, true, true, true, true, false]);
        assert_eq!([8, 9, 11, 12].map(|hour| quiet(9, 12, hour)), [false, true, true, false]);
        assert!(!quiet(5, 5, 4) && !quiet(5, 5, 5), "no hours");
        assert!(!is_quiet(QuietHours { enabled: false, from: 0, to: 0 }, 3));
    }
}
