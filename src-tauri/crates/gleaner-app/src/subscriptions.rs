//! Finding feeds and subscribing to them.

use crate::{
    App, Core,
    catalogue::Catalogue,
    connection,
    error::{AppError, Result},
    jobs::Job,
    lock::lock,
    platform::FileFilter,
    refresh,
    session::DiscoveredFeed,
    settings, starter,
};
use gleaner_address::Login;
use gleaner_contract::{
    Candidate, CandidateItem, Discover, Discovered, ErrorCode, Event, FolderChoice, StarterSubject, Subscribe,
    SubscribeMany, Subscribed,
};
use gleaner_discovery::{AddressProblem, DiscoveryError};
use gleaner_feed::Parsed;
use gleaner_fetch::{Answer, FetchErrorKind};
use gleaner_library::{FeedRow, LibraryError, NewSubscription};
use gleaner_polling::{
    Scope, Summary,
    connection::{AuthorizedFetcher, ConnectionChange},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};
use url::Url;

/// Number of items shown of each feed found.
const LATEST: usize = 4;

/// How long the documents that a search for feeds fetched count as the first poll of a new feed.
const FRESH: Duration = Duration::from_secs(600);

pub async fn discover(app: &App, args: Discover) -> Result<Discovered> {
    let core = app.core().await?;
    lock(&app.session().discovered).clear();
    let (address, login) = gleaner_discovery::split_login(&args.address);
    if login.is_none()
        && args.connection.is_none()
        && let Some(feed) = find_subscribed(app, &address).await?
    {
        let url = Url::parse(&feed.url).map_err(AddressProblem::Malformed)?;
        let known = candidate(&core, url, Some(feed.shown_title()), None).await?;
        return Ok(Discovered::Feeds { candidates: vec![Candidate { home_url: feed.home_url, ..known }] });
    }
    let typed = login.and_then(|login| Some((gleaner_discovery::address(&address).ok()?, login)));
    let fetcher = connection::authorised(&core, args.connection, typed.as_ref())?;
    let run = app.jobs().replace(Job::Discovery).await;
    let found = tokio::select! {
        found = gleaner_discovery::discover_with(&fetcher, &address) => found,
        () = run.cancelled() => return Err(AppError::new(ErrorCode::Cancelled, "the search was cancelled")),
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => return question(&error, &fetcher).ok_or_else(|| error.into()),
    };
    let mut candidates = Vec::with_capacity(found.feeds.len());
    let mut discovered = Vec::with_capacity(found.feeds.len());
    for feed in found.feeds {
        let url = with_login(&feed.url, typed.as_ref());
        let shown = gleaner_address::split_login(&url).map_or_else(|| url.clone(), |(bare, _)| bare);
        candidates.push(candidate(&core, shown.clone(), feed.title, feed.parsed.as_deref()).await?);
        let answer = feed.answer.map(Arc::from);
        let public = found.public.contains(&feed.url);
        discovered.push(DiscoveredFeed { shown: shown.into(), url, public, answer, at: Instant::now() });
    }
    *lock(&app.session().discovered) = discovered;
    let task = app.clone();
    app.spawn(async move {
        tokio::time::sleep(FRESH).await;
        let mut discovered = lock(&task.session().discovered);
        for found in discovered.iter_mut().filter(|found| found.at.elapsed() >= FRESH) {
            found.answer = None;
        }
    });
    Ok(Discovered::Feeds { candidates })
}

/// Returns the feed that is subscribed at an address, without a request.
///
/// # Errors
/// When the library cannot be read.
pub async fn find_subscribed(app: &App, address: &str) -> Result<Option<FeedRow>> {
    let Ok(url) = gleaner_discovery::address(address) else { return Ok(None) };
    let feeds = app.core().await?.library;
    let Some(id) = feeds.feeds().find_by_url(url.as_str()).await? else { return Ok(None) };
    Ok(Some(feeds.feeds().get(id).await?))
}

/// Returns an address with the login that the user typed, if it is on the server that it was typed for and has none itself.
pub fn with_login(url: &Url, typed: Option<&(Url, Login)>) -> Url {
    let mut url = url.clone();
    if let Some((named, login)) = typed
        && named.origin() == url.origin()
        && url.password().is_none()
    {
        // Fails only for addresses that cannot have a login, and those of web servers can.
        let _ = url.set_username(&login.user);
        let _ = url.set_password(Some(&login.password));
    }
    url
}

/// What the user can enter so that discovery can continue.
fn question(error: &DiscoveryError, fetcher: &AuthorizedFetcher<'_>) -> Option<Discovered> {
    let DiscoveryError::Fetch(error) = error else { return None };
    let origin = error.url.origin().ascii_serialization();
    if let Some(certificate) = connection::certificate(error) {
        return Some(Discovered::Certificate { origin, certificate });
    }
    let refused = fetcher.has_login_for(&error.url);
    (error.kind == FetchErrorKind::Http(401)).then_some(Discovered::Login { origin, refused })
}

async fn candidate(core: &Core, url: Url, title: Option<String>, parsed: Option<&Parsed>) -> Result<Candidate> {
    let subscribed = core.library.feeds().find_by_url(url.as_str()).await?;
    let latest = parsed.map_or(Vec::new(), |parsed| {
        let shown = |item: &gleaner_feed::Item| CandidateItem {
            title: item.title.clone().unwrap_or_default(),
            published: item.published.or(item.updated).map(|moment| moment.timestamp_millis()),
        };
        parsed.items.iter().take(LATEST).map(shown).collect()
    });
    let title = parsed
        .and_then(|parsed| parsed.feed.title.clone())
        .or(title)
        .filter(|title| !title.trim().is_empty())
        .unwrap_or_else(|| url.host_str().unwrap_or(url.as_str()).to_owned());
    Ok(Candidate {
        title,
        kind: parsed.map(|parsed| kind(parsed.format)),
        description: parsed.and_then(|parsed| parsed.feed.description.clone()),
        home_url: parsed.and_then(|parsed| parsed.feed.home_url.clone()),
        latest,
        subscribed,
        url: url.to_string(),
    })
}

/// The format as people write it: "RSS 2.0".
fn kind(format: gleaner_feed::Format) -> String {
    let name = format.name();
    let (family, version) = match name.rsplit_once('-') {
        Some((family, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => (family, Some(version)),
        _ => (name, None),
    };
    let family = match family {
        "rss" => "RSS",
        "atom" => "Atom",
        "json-feed" => "JSON Feed",
        "cdf" => "CDF",
        other => other,
    };
    version.map_or_else(|| family.to_owned(), |version| format!("{family} {version}"))
}

pub async fn cancel_discover(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::Discovery);
    lock(&app.session().discovered).clear();
    Ok(())
}

/// Lets the user pick a file and reads it as a feed. The window may then subscribe to this file and no other.
pub async fn pick_feed_file(app: &App, (): ()) -> Result<Option<Candidate>> {
    let extensions = &["xml", "rss", "atom", "rdf", "json", "XML", "RSS", "ATOM", "RDF", "JSON"];
    let filters = vec![
        FileFilter::new("RSS, Atom, JSON Feed", extensions),
        FileFilter::all(&settings::catalogue(&app.core().await?.library).await?),
    ];
    let picked = app.platform()?.pick_files(filters, false).await;
    let Some(path) = picked.into_iter().next() else { return Ok(None) };
    let (url, found) = open_feed_file(app, path).await?;
    *lock(&app.session().picked_files) = vec![url];
    Ok(Some(found))
}

/// Reports those of the user's files that are feeds to the window, which may then subscribe to them. Returns the other files.
pub(crate) async fn open_feed_files(app: &App, files: Vec<PathBuf>) -> Vec<PathBuf> {
    let (mut others, mut urls, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        if !may_be_a_feed(&file) {
            others.push(file);
            continue;
        }
        match open_feed_file(app, file.clone()).await {
            Ok((url, found)) if is_json_feed_or_xml(&file, &found) => {
                urls.push(url);
                candidates.push(found);
            }
            // The import reads other formats, and reports what it cannot read.
            _ => others.push(file),
        }
    }
    if !candidates.is_empty() {
        *lock(&app.session().picked_files) = urls;
        app.emit(Event::FeedFilesReceived(candidates));
    }
    others
}

fn extension(file: &Path) -> String {
    file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

fn may_be_a_feed(file: &Path) -> bool {
    ["rss", "atom", "rdf", "xml", "json", "jsonfeed"].contains(&extension(file).as_str())
}

/// Returns false for the JSON of other readers, which has items like a JSON Feed but not its version.
fn is_json_feed_or_xml(file: &Path, found: &Candidate) -> bool {
    extension(file) != "json" || found.kind.as_deref().is_some_and(|kind| kind.starts_with("JSON Feed 1"))
}

/// Reads a file that the user named as a feed.
async fn open_feed_file(app: &App, path: PathBuf) -> Result<(Url, Candidate)> {
    let core = app.core().await?;
    let (url, parsed) = tokio::task::spawn_blocking(move || feed_file(&path)).await??;
    let name = url.path_segments().and_then(|mut parts| parts.next_back().map(str::to_owned));
    let found = candidate(&core, url.clone(), name, Some(&parsed)).await?;
    if let Some(feed_id) = found.subscribed {
        // An imported list may have named the file before. Now it may be read.
        core.library.feeds().pick_file(feed_id, url.as_str()).await?;
        refresh::start(app, Scope::Feeds(vec![feed_id]));
    }
    Ok((url, found))
}

fn feed_file(path: &Path) -> Result<(Url, Parsed)> {
    Ok(gleaner_polling::file::read(path)?)
}

/// Subscribes to a feed and polls it.
pub async fn subscribe(app: &App, args: Subscribe) -> Result<Subscribed> {
    let picked = lock(&app.session().picked_files).iter().find(|picked| picked.as_str() == args.url).cloned();
    let (named, public, fetched) = match lock(&app.session().discovered).iter().find(|found| found.shown == args.url) {
        Some(found) => {
            let answer = found.answer.clone().filter(|_| found.at.elapsed() < FRESH);
            (Some(found.url.clone()), found.public, answer)
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
    lock(&app.session().discovered).retain(|found| found.shown != args.url);
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
    /// The folder, where it exists.
    pub into: Option<i64>,
    /// Whether it is a local file that the user selected.
    pub file: bool,
    /// Connection settings for its server.
    pub connection: Option<ConnectionChange>,
    /// Whether the rest also applies to a feed that is subscribed already.
    pub may_exist: bool,
    /// What was fetched from its address when looking for feeds: its first poll.
    pub fetched: Option<Arc<Answer>>,
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
    /// The result of its first poll, if its document was at hand.
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
    } else if let Some(answer) = feed.fetched.filter(|_| new) {
        polled = Some(core.poller()?.first_poll(feed_id, Arc::unwrap_or_clone(answer)).await?);
    }
    Ok(AddedFeed { feed_id, new, refused: saved.err(), polled })
}

/// Parses an address of the web; other schemes are refused.
pub(crate) fn web_address(url: &str) -> Result<Url> {
    let url = Url::parse(url).map_err(AddressProblem::Malformed)?;
    if !matches!(url.scheme(), "http" | "https") {
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
    use gleaner_contract::{Language, Settings};
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

    #[test]
    fn a_typed_login_is_for_its_server_only() {
        let typed =
            ("https://a.example/".parse().unwrap(), Login { user: "ada".to_owned(), password: "a b".to_owned() });
        let with = |url: &str| with_login(&url.parse().unwrap(), Some(&typed)).to_string();
        assert_eq!(with("https://a.example/feed"), "https://ada:a%20b@a.example/feed");
        for other in ["http://a.example/feed", "https://b.example/feed", "https://eve:x@a.example/feed"] {
            assert_eq!(with(other), other);
        }
    }

    #[test]
    fn a_file_that_was_picked_is_read_as_a_feed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("feed.xml");
        std::fs::write(&path, "<rss><channel><title>Own</title></channel></rss>").unwrap();
        let (url, parsed) = feed_file(&path).unwrap();
        assert!(url.scheme() == "file" && parsed.feed.title.as_deref() == Some("Own"), "{url}");
        std::fs::write(&path, "<html><p>hello</p></html>").unwrap();
        assert_eq!(feed_file(&path).unwrap_err().code(), ErrorCode::NotAFeedWebPage);
        assert_eq!(feed_file(folder.path()).unwrap_err().code(), ErrorCode::NotAFile);
        assert!(web_address(url.as_str()).is_err(), "the window cannot name a file that the user did not choose");
    }

    #[test]
    fn formats_are_named_as_people_write_them() {
        assert_eq!(kind(gleaner_feed::Format::Rss20), "RSS 2.0");
        assert_eq!(kind(gleaner_feed::Format::JsonFeed11), "JSON Feed 1.1");
        assert_eq!(kind(gleaner_feed::Format::Rss), "RSS");
    }
}
