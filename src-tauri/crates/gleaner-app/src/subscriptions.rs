//! Subscribing to feeds: those that were found or picked, and those of the bundled list.

use crate::{
    App, Core,
    catalogue::Catalogue,
    connection,
    discovery::FRESH,
    error::{AppError, Result},
    refresh, settings, starter,
};
use gleaner_address::is_web;
use gleaner_contract::{FolderChoice, StarterSubject, Subscribe, SubscribeMany, Subscribed};
use gleaner_discovery::AddressProblem;
use gleaner_fetch::Response;
use gleaner_library::{LibraryError, NewSubscription};
use gleaner_polling::{Scope, Summary, connection::ConnectionChange};
use std::sync::Arc;
use url::Url;

/// Subscribes to a feed and polls it.
pub async fn subscribe(app: &App, args: Subscribe) -> Result<Subscribed> {
    let picked = app.session().picked_files.lock().iter().find(|picked| picked.as_str() == args.url).cloned();
    let (named, public, fetched) = match app.session().discovered.lock().iter().find(|found| found.shown == args.url) {
        Some(found) => {
            let response = found.response.clone().filter(|_| found.at.elapsed() < FRESH);
            (Some(found.url.clone()), found.public, response)
        }
        None => (None, false, None),
    };
    let url = match picked.clone().or(named) {
        Some(url) => url,
        None => web_address(&args.url)?,
    };
    let connection = args.connection.map(connection::settings).transpose()?;
    // The settings hold for the server that the user named, not for a feed found elsewhere.
    let settings =
        connection.filter(|(origin, _)| *origin == url.origin().ascii_serialization()).map(|(_, settings)| settings);
    let custom_title = args.title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
    let folder = match &args.folder {
        FolderChoice::New { name } if !name.trim().is_empty() => vec![name.trim().to_owned()],
        _ => Vec::new(),
    };
    let subscription =
        NewSubscription { url: url.to_string(), custom_title, folder, public, ..NewSubscription::default() };
    let into = match args.folder {
        FolderChoice::Existing { id } => Some(id),
        FolderChoice::New { .. } | FolderChoice::None => None,
    };
    let feed = NewFeed { subscription, into, file: picked.is_some(), connection: settings, may_exist: false, fetched };
    let AddedFeed { feed_id, refused, polled, .. } = add_feed(app, feed).await?;
    if let Some(error) = refused {
        return Err(error);
    }
    // The user may subscribe to several of the feeds that were found.
    app.session().discovered.lock().retain(|found| found.shown != args.url);
    connection::start_moving_passwords(app);
    match polled {
        Some(summary) => refresh::first(app, &summary).await?,
        None => {
            app.library_changed(true, false);
            refresh::start(app, Scope::Feeds(vec![feed_id]));
        }
    }
    Ok(Subscribed { feed_id })
}

/// A feed to subscribe to.
#[derive(Debug, Default)]
pub struct NewFeed {
    /// The address, the title, and the path of the folder.
    pub subscription: NewSubscription,
    /// The folder, if it exists.
    pub into: Option<i64>,
    /// Whether it is a local file that the user selected.
    pub file: bool,
    /// Connection settings for its server.
    pub connection: Option<ConnectionChange>,
    /// Whether the rest also applies to a feed that is subscribed already.
    pub may_exist: bool,
    /// What was fetched from its address when looking for feeds: its first poll.
    pub fetched: Option<Arc<Response>>,
}

/// The result of [`add_feed`].
#[derive(Debug)]
pub struct AddedFeed {
    /// Id of the feed.
    pub feed_id: i64,
    /// Whether it was not subscribed before.
    pub new: bool,
    /// Why the connection settings could not be stored. A new feed is unsubscribed again then.
    pub refused: Option<AppError>,
    /// The result of its first poll, if its document was already fetched.
    pub polled: Option<Summary>,
}

/// Subscribes to a feed with its connection settings.
///
/// # Errors
/// `already_subscribed`, unless the feed may exist; when the library cannot be written.
pub async fn add_feed(app: &App, mut feed: NewFeed) -> Result<AddedFeed> {
    let core = app.core().await?;
    let library = &core.library;
    feed.subscription.fetched = feed.fetched.is_some();
    let (feed_id, new) = match library.subscriptions().add_into(&feed.subscription, feed.into, feed.file).await {
        Ok(id) => (id, true),
        Err(LibraryError::AlreadySubscribed(id)) if feed.may_exist => (id, false),
        Err(error) => return Err(error.into()),
    };
    if feed.file && !new {
        library.feeds().pick_file(feed_id, &feed.subscription.url).await?;
    }
    let saved = match feed.connection {
        Some(settings) => connection::save_connection(app, feed_id, settings).await.map(drop),
        None => Ok(()),
    };
    let mut polled = None;
    if saved.is_err() && new {
        library.feeds().unsubscribe(&[feed_id]).await?;
    } else if let Some(response) = feed.fetched.filter(|_| new) {
        polled = Some(core.poller()?.first_poll(feed_id, Arc::unwrap_or_clone(response)).await?);
    }
    Ok(AddedFeed { feed_id, new, refused: saved.err(), polled })
}

/// Parses a web address; other schemes are refused.
pub(crate) fn web_address(url: &str) -> Result<Url> {
    let url = Url::parse(url).map_err(AddressProblem::Malformed)?;
    if !is_web(&url) {
        return Err(AddressProblem::Scheme(url.scheme().to_owned()).into());
    }
    Ok(url)
}

/// Returns the bundled list of well-known feeds, in the user's language.
async fn starter(core: &Core) -> Result<Vec<StarterSubject>> {
    starter::subjects(Catalogue::of(settings::of(&core.library).await?.language))
}

/// Returns the bundled list of well-known feeds.
pub async fn starter_feeds(app: &App, (): ()) -> Result<Vec<StarterSubject>> {
    starter(&app.core().await?).await
}

/// Returns the chosen feeds of the list, each in a folder named after its subject.
fn chosen(subjects: &[StarterSubject], urls: &[String]) -> Vec<NewSubscription> {
    let feeds = subjects.iter().flat_map(|subject| subject.feeds.iter().map(move |feed| (subject, feed)));
    feeds
        .filter(|(_, feed)| urls.contains(&feed.url))
        .map(|(subject, feed)| NewSubscription {
            url: feed.url.clone(),
            title: Some(feed.title.clone()),
            home_url: Some(feed.home_url.clone()),
            folder: vec![subject.name.clone()],
            ..NewSubscription::default()
        })
        .collect()
}

pub async fn subscribe_many(app: &App, args: SubscribeMany) -> Result<Vec<Subscribed>> {
    let core = app.core().await?;
    let subscriptions = chosen(&starter(&core).await?, &args.urls);
    let counts = core.library.subscriptions().import(&[], &subscriptions, |_| true).await?;
    app.library_changed(true, false);
    refresh::start(app, Scope::Feeds(counts.added.clone()));
    Ok(counts.added.into_iter().map(|feed_id| Subscribed { feed_id }).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::discovery::discover;
    use gleaner_contract::{Discover, Discovered, ErrorCode, Language, Settings};
    use gleaner_testserver::{Reply, Server};
    use tokio::runtime::Handle;

    #[tokio::test(flavor = "multi_thread")]
    async fn well_known_feeds_are_in_folders_named_in_the_language_of_the_user() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let settings = Settings { language: Language::De, ..Settings::default() };
        settings::save_settings(&app, settings).await.unwrap();
        let subjects = starter_feeds(&app, ()).await.unwrap();
        assert_eq!(subjects[0].name, "Nachrichten");
        let feeds = chosen(&subjects, &[subjects[0].feeds[1].url.clone()]);
        assert_eq!(feeds.iter().map(|feed| feed.folder.as_slice()).collect::<Vec<_>>(), [["Nachrichten".to_owned()]]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn p01_the_window_subscribes_to_a_feed_with_the_document_that_it_showed() {
        let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
        let rss = "<rss><channel><title>Own</title><item><title>One</title></item></channel></rss>";
        server.on_each("/feed", [Reply::ok(rss).header("ETag", "\"one\""), Reply::status(304)]);
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let search = Discover { address: server.url("/feed"), connection: None };
        let Discovered::Feeds { candidates } = discover(&app, search).await.unwrap() else { panic!("no feeds") };
        let subscribe_to = || {
            let url = candidates[0].url.clone();
            subscribe(&app, Subscribe { url, title: None, folder: FolderChoice::None, connection: None })
        };
        let feed = subscribe_to().await.unwrap().feed_id;
        let core = app.core().await.unwrap();
        assert!(core.library.polls().has_items(feed).await.unwrap());
        let log = core.library.polls().log(feed).await.unwrap();
        assert_eq!((log.len(), log[0].new_items, server.requests().len()), (1, 1, 1));
        assert_eq!(subscribe_to().await.unwrap_err().code(), ErrorCode::AlreadySubscribed);
        refresh::poll(&app, Scope::All, |_| {}).await.unwrap();
        let requests = server.requests();
        assert_eq!((requests.len(), requests[1].text("If-None-Match").as_deref()), (2, Some("\"one\"")));
        drop(core);
        app.quit().await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn p31_the_window_does_not_search_at_a_host_that_asked_to_wait() {
        let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
        server.on("/feed", Reply::ok("<rss><channel><title>Own</title></channel></rss>"));
        server.on("/busy", Reply::status(429).header("Retry-After", "7200"));
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let search = |path: &str| discover(&app, Discover { address: server.url(path), connection: None });
        let Discovered::Feeds { candidates } = search("/feed").await.unwrap() else { panic!("no feeds") };
        let (url, folder) = (candidates[0].url.clone(), FolderChoice::None);
        let feed = subscribe(&app, Subscribe { url, title: None, folder, connection: None }).await.unwrap().feed_id;
        search("/busy").await.unwrap_err();
        server.forget_requests();
        let waits = search("/other").await.unwrap_err();
        assert_eq!(waits.code(), ErrorCode::RetryAfterUntil);
        assert!(waits.ipc.params["until"].parse::<i64>().unwrap() > gleaner_library::now());
        let Discovered::Feeds { candidates } = search("/feed").await.unwrap() else { panic!("no feeds") };
        assert_eq!((candidates[0].subscribed, candidates[0].title.as_str()), (Some(feed), "Own"));
        assert_eq!(server.requests().len(), 0);
        app.quit().await.unwrap();
    }
}
