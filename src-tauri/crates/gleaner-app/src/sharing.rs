//! Saving articles in other services. Articles are queued in the library first, so that none is lost while a service cannot be reached.

use crate::{
    App, Core, accounts,
    error::{AppError, Result, internal},
    jobs::{Job, Running},
    links,
};
use gleaner_contract::{
    self as contract, AddShareService, ArticleIds, ErrorCode, Event, IpcError, ShareArticles, ShareKind,
    ShareServiceId, Shared,
};
use gleaner_exchange::documents;
use gleaner_library::{LibraryError, Millis, NewShareService, Parameters, Secret, ShareCounts, ShareService, now};
use gleaner_polling::secrets::{self, SecretError};
use gleaner_share::{Article, Kind, Service, ShareError, Target, Web};
use serde::{Deserialize, Serialize};
use std::{path::Path, time::Duration};

/// Time until a service is tried again after its first failure. It doubles with each further one.
const FIRST_RETRY: Millis = 60_000;
/// The longest time until a service is tried again.
const LONGEST_RETRY: Millis = 6 * 3_600_000;
/// Time until a service is tried again that was not reached because this computer was offline.
const OFFLINE_RETRY: Millis = 2 * 60_000;
/// The longest time that a service's request to wait is believed.
const LONGEST_WAIT: Millis = 24 * 3_600_000;
/// Maximum length of the summary that a service receives, in characters.
const SUMMARY: usize = 400;
/// Maximum number of articles in one e-mail.
const MOST_IN_MAIL: usize = 500;

/// A service to add.
#[derive(Default)]
pub struct NewService {
    /// Base address of the server, or path of a folder; empty for a service with one address for all users.
    pub address: String,
    /// Name that the user sees; `None`: that of the service.
    pub name: Option<String>,
    /// User name; empty where the service needs none.
    pub user: String,
    /// Password or token; empty where the service needs none.
    pub password: String,
    /// Id of the API client at Wallabag.
    pub client_id: String,
    /// Its secret.
    pub client_secret: String,
    /// Whether secrets may be stored in the library. Otherwise they are stored in the platform's keyring only.
    pub in_library: bool,
}

/// The secrets of a service, as they are stored.
#[derive(Serialize, Deserialize)]
struct Secrets {
    password: String,
    #[serde(default)]
    client_id: String,
    #[serde(default)]
    client_secret: String,
}

impl From<ShareError> for AppError {
    fn from(error: ShareError) -> Self {
        let of = |code| Self::new(code, &error);
        match error {
            ShareError::Fetch(error) => error.into(),
            ShareError::Address => of(ErrorCode::InvalidAddress),
            ShareError::Login => of(ErrorCode::ServerLogin),
            ShareError::Refused => of(ErrorCode::ServiceRefusedArticle),
            ShareError::NoAddress => of(ErrorCode::NoPage),
            ShareError::InvalidResponse => of(ErrorCode::InvalidServerResponse),
            ShareError::Wait(_) => of(ErrorCode::RetryAfter),
            ShareError::File { ref file, ref why } => crate::error::of_io(why, file, ErrorCode::FileUnwritable),
        }
    }
}

/// Adds a service, after it accepted the login.
///
/// # Errors
/// `server_login`, `invalid_server_response` and why the service cannot be reached; `no_keyring`. Then nothing was stored.
pub async fn add_service(app: &App, kind: Kind, new: NewService) -> Result<ShareService> {
    let core = app.core().await?;
    let address = match (kind, kind.address(), new.address.trim()) {
        (Kind::Folder, ..) => new.address.clone(),
        (_, Some(address), "") => address.to_owned(),
        (_, _, address) => accounts::server_address(address)?.to_string(),
    };
    if kind == Kind::Folder && !Path::new(&address).is_absolute() {
        return Err(AppError::new(ErrorCode::FileNotFound, "a folder needs an absolute path").with("file", address));
    }
    let user = new.user.trim().to_owned();
    let secrets = Secrets {
        password: new.password,
        client_id: new.client_id.trim().to_owned(),
        client_secret: new.client_secret,
    };
    let target = target(&address, &user, &secrets);
    gleaner_share::service(kind, target)?.check(&web(&core)?).await?;
    let (mut keyring_entry, mut secret) = (None, None);
    if !secrets.password.is_empty() {
        let stored = serde_json::to_string(&secrets).map_err(internal)?;
        if new.in_library {
            secret = Some(Secret(stored));
        } else {
            let entry = core.library.share_services().new_keyring_entry().await?;
            let kept = secrets::keep(&entry, stored).await;
            kept.map_err(|error| AppError::new(ErrorCode::NoKeyring, error))?;
            keyring_entry = Some(entry);
        }
    }
    let name = new.name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| default_name(kind, &address));
    let row = NewShareService { kind: kind.name().to_owned(), name, address, user_name: user, keyring_entry, secret };
    let id = core.library.share_services().add(&row).await?;
    announce(app, &core).await?;
    Ok(core.library.share_services().get(id).await?)
}

/// Returns the proper name of a service. A folder and a webhook have that of their place.
fn default_name(kind: Kind, address: &str) -> String {
    let host = || url::Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned));
    let folder = || Path::new(address).file_name().map(|name| name.to_string_lossy().into_owned());
    match kind {
        Kind::Wallabag => "Wallabag".to_owned(),
        Kind::Readwise => "Readwise Reader".to_owned(),
        Kind::Instapaper => "Instapaper".to_owned(),
        Kind::Linkding => "Linkding".to_owned(),
        Kind::Karakeep => "Karakeep".to_owned(),
        Kind::Zotero => "Zotero".to_owned(),
        Kind::Folder => folder().unwrap_or_else(|| address.to_owned()),
        Kind::Webhook => host().unwrap_or_else(|| address.to_owned()),
    }
}

fn target(address: &str, user: &str, secrets: &Secrets) -> Target {
    Target {
        address: address.to_owned(),
        user: user.to_owned(),
        secret: secrets.password.clone(),
        client_id: secrets.client_id.clone(),
        client_secret: secrets.client_secret.clone(),
    }
}

fn web(core: &Core) -> Result<Web> {
    Ok(Web::new(core.poller()?.fetcher().clone()))
}

/// Removes a service with what is queued for it.
///
/// # Errors
/// When there is no such service, or the library cannot be written.
pub async fn remove_service(app: &App, id: i64) -> Result<()> {
    let core = app.core().await?;
    core.library.share_services().remove(id).await?;
    secrets::forget_left(&core.library).await?;
    announce(app, &core).await
}

/// Saves articles in a service. What cannot be sent now stays queued, and is sent later.
///
/// # Errors
/// When there is no such service, or the library cannot be read or written. Failures of the service are in the result.
pub async fn save_in_service(app: &App, id: i64, articles: &[i64]) -> Result<Shared> {
    let core = app.core().await?;
    let services = core.library.share_services();
    let queued = services.queue(id, articles).await?;
    announce(app, &core).await?;
    let sent = send(app, &core, id, true).await;
    let left = services.remaining(id, articles).await?;
    announce(app, &core).await?;
    sent?;
    let error = stored_error(&services.get(id).await?);
    let error = match error {
        None => services.refusal(id, articles).await?.map(|code| ipc_error(&code, &Parameters::default())),
        error => error,
    };
    let ShareCounts { waiting, refused } = left;
    Ok(Shared { saved: i64::try_from(queued).unwrap_or(i64::MAX) - waiting - refused, waiting, refused, error })
}

/// Sends again everything that is queued for a service. Returns how many articles it does not have then.
///
/// # Errors
/// As [`save_in_service`].
pub async fn send_again(app: &App, id: i64) -> Result<ShareCounts> {
    let core = app.core().await?;
    let services = core.library.share_services();
    services.get(id).await?;
    services.retry(id).await?;
    let sent = send(app, &core, id, true).await;
    announce(app, &core).await?;
    sent?;
    Ok(services.counts().await?.get(&id).copied().unwrap_or_default())
}

/// Sends what is queued for a service, unless it has to wait. A request to wait applies to the user, too.
async fn send(app: &App, core: &Core, id: i64, by_user: bool) -> Result<()> {
    let run = app.jobs().queue(Job::Share).await;
    let services = core.library.share_services();
    let service = services.get(id).await?;
    let asked_to_wait = service.error_code.as_deref() == Some("retry_after_until");
    if waits(&service, now()) && (!by_user || asked_to_wait) {
        return Ok(());
    }
    let Some(article) = services.next(id).await? else { return Ok(()) };
    match adapter(&service).await {
        Ok(adapter) => send_all(core, id, adapter.as_ref(), article, &run).await,
        Err(error) => failed(core, &service, error, None).await,
    }
}

/// Whether a service is not to be tried now: it failed a short while ago, or the user has to do something first.
fn waits(service: &ShareService, now: Millis) -> bool {
    // A later moment was set by a wrong clock.
    service.error_code.is_some()
        && service.retry_at.is_none_or(|at| (now..now + LONGEST_WAIT.max(LONGEST_RETRY)).contains(&at))
}

async fn adapter(service: &ShareService) -> Result<Box<dyn Service>> {
    let kind: Kind = service.kind.parse().map_err(internal)?;
    let secrets = match secrets::read(&service.access()).await {
        Ok(Some(stored)) => serde_json::from_str(&stored).map_err(internal)?,
        Ok(None) => Secrets { password: String::new(), client_id: String::new(), client_secret: String::new() },
        Err(error @ SecretError::Gone) => return Err(AppError::new(ErrorCode::SecretGone, error)),
        Err(error @ SecretError::Keyring(_)) => return Err(AppError::new(ErrorCode::SecretUnreadable, error)),
    };
    Ok(gleaner_share::service(kind, target(&service.address, &service.user_name, &secrets))?)
}

async fn send_all(core: &Core, id: i64, adapter: &dyn Service, first: (i64, Millis), run: &Running) -> Result<()> {
    let services = core.library.share_services();
    let web = web(core)?;
    let mut next = Some(first);
    while let Some((article, queued_at)) = next {
        if run.is_cancelled() {
            return Ok(());
        }
        let done = match to_share(core, article, queued_at).await {
            Ok(ready) => adapter.save(&web, &ready).await,
            // It was deleted meanwhile, and with it its place in the queue.
            Err(LibraryError::NotFound(_)) => Ok(()),
            Err(error) => return Err(error.into()),
        };
        match done {
            Ok(()) => services.saved(id, article).await?,
            Err(error) if error.is_of_article() => {
                services.refused(id, article, &code_name(AppError::from(error).code())?).await?;
            }
            Err(error) => {
                let service = services.get(id).await?;
                let retry_at = retry_at(&error, service.failures, now());
                let error = match (&error, retry_at) {
                    (ShareError::Wait(_), Some(until)) => {
                        AppError::new(ErrorCode::RetryAfterUntil, &error).with("until", until)
                    }
                    _ => error.into(),
                };
                return failed(core, &service, error, retry_at).await;
            }
        }
        next = services.next(id).await?;
    }
    Ok(())
}

/// Returns when a service is tried again; `None`: when the user asks for it.
fn retry_at(error: &ShareError, failures: i64, now: Millis) -> Option<Millis> {
    let wait = match error {
        _ if error.needs_user() => return None,
        ShareError::Wait(wait) => i64::try_from(wait.as_millis()).unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT),
        ShareError::Fetch(error) if error.kind == gleaner_fetch::FetchErrorKind::Offline => OFFLINE_RETRY,
        _ => (FIRST_RETRY << failures.clamp(0, 16)).min(LONGEST_RETRY),
    };
    Some(now + wait)
}

async fn failed(core: &Core, service: &ShareService, error: AppError, retry_at: Option<Millis>) -> Result<()> {
    tracing::info!(service = service.id, %error, "articles could not be saved in a service");
    let parameters = Parameters(error.ipc.params.clone());
    Ok(core.library.share_services().failed(service.id, &code_name(error.code())?, &parameters, retry_at).await?)
}

fn code_name(code: ErrorCode) -> Result<String> {
    let name = serde_json::to_value(code).map_err(internal)?;
    Ok(name.as_str().unwrap_or_default().to_owned())
}

fn ipc_error(code: &str, parameters: &Parameters) -> IpcError {
    // A code of a later version of Gleaner.
    let code = serde_json::from_value(code.into()).unwrap_or(ErrorCode::Internal);
    IpcError { params: parameters.0.clone(), ..IpcError::new(code) }
}

fn stored_error(service: &ShareService) -> Option<IpcError> {
    service.error_code.as_deref().map(|code| ipc_error(code, &service.error_parameters))
}

/// Reads an article for a service.
async fn to_share(core: &Core, id: i64, queued_at: Millis) -> Result<Article, LibraryError> {
    let article = documents::article(&core.library, id).await?;
    let tags = core.library.tags().names(id).await?;
    let (article, markdown, summary) = tokio::task::spawn_blocking(move || {
        let (markdown, text) = (documents::markdown(&article), gleaner_content::plain_text(&article.html));
        (article, markdown, gleaner_content::excerpt(&text, SUMMARY))
    })
    .await
    .map_err(|error| LibraryError::Invalid(error.to_string()))?;
    Ok(Article {
        id: format!("gleaner-{id}-{queued_at}"),
        title: article.title,
        url: article.url,
        author: article.author,
        feed: article.feed,
        published: article.published,
        summary,
        tags,
        markdown,
    })
}

/// Returns the services of the user.
///
/// # Errors
/// When the library cannot be read.
pub async fn list_services(app: &App) -> Result<Vec<contract::ShareService>> {
    shown(&app.core().await?).await
}

async fn shown(core: &Core) -> Result<Vec<contract::ShareService>> {
    let services = core.library.share_services();
    let counts = services.counts().await?;
    let shown = |service: ShareService| {
        let error = stored_error(&service);
        let ShareCounts { waiting, refused } = counts.get(&service.id).copied().unwrap_or_default();
        // A kind of a later version of Gleaner is not shown.
        let kind: ShareKind = serde_json::from_value(service.kind.into()).ok()?;
        Some(contract::ShareService {
            id: service.id,
            kind,
            name: service.name,
            address: service.address,
            user_name: service.user_name,
            waiting,
            refused,
            error,
        })
    };
    Ok(services.list().await?.into_iter().filter_map(shown).collect())
}

async fn announce(app: &App, core: &Core) -> Result<()> {
    app.emit(Event::SharingChanged(shown(core).await?));
    app.signals().sharing.notify_one();
    Ok(())
}

pub async fn share_services(app: &App, (): ()) -> Result<Vec<contract::ShareService>> {
    list_services(app).await
}

pub async fn add_share_service(app: &App, new: AddShareService) -> Result<bool> {
    let kind: Kind = code_of(new.kind)?;
    let mut address = new.address;
    if kind == Kind::Folder {
        // Only the dialog names the folder, so that a page could not.
        match app.platform()?.pick_folder().await {
            Some(folder) => address = folder.display().to_string(),
            None => return Ok(false),
        }
    }
    let service = NewService {
        address,
        name: None,
        user: new.user_name,
        password: new.password,
        client_id: new.client_id,
        client_secret: new.client_secret,
        in_library: new.password_in_library,
    };
    add_service(app, kind, service).await?;
    Ok(true)
}

fn code_of(kind: ShareKind) -> Result<Kind> {
    let name = serde_json::to_value(kind).map_err(internal)?;
    name.as_str().unwrap_or_default().parse().map_err(internal)
}

pub async fn remove_share_service(app: &App, args: ShareServiceId) -> Result<()> {
    remove_service(app, args.service_id).await
}

pub async fn share_articles(app: &App, args: ShareArticles) -> Result<Shared> {
    save_in_service(app, args.service_id, &args.ids).await
}

pub async fn send_shares_again(app: &App, args: ShareServiceId) -> Result<()> {
    send_again(app, args.service_id).await.map(drop)
}

pub async fn discard_shares(app: &App, args: ShareServiceId) -> Result<()> {
    let core = app.core().await?;
    core.library.share_services().get(args.service_id).await?;
    core.library.share_services().discard(args.service_id).await?;
    announce(app, &core).await
}

pub async fn share_by_mail(app: &App, args: ArticleIds) -> Result<()> {
    let core = app.core().await?;
    let too_long = || AppError::new(ErrorCode::MailTooLong, "an e-mail would be too long");
    if args.ids.len() > MOST_IN_MAIL {
        return Err(too_long());
    }
    let mut articles = Vec::new();
    for id in args.ids {
        let item = core.library.articles().get(id).await?;
        articles.push(Article { title: item.title, url: item.url, ..Article::default() });
    }
    let url = gleaner_share::mail(&articles).ok_or_else(too_long)?;
    links::open(app, &url, false);
    Ok(())
}

/// Sends what is queued whenever a service may take it.
pub(crate) async fn follow(app: App) {
    loop {
        let wait = match round(&app).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::warn!(%error, "queued articles could not be sent");
                Some(Duration::from_millis(LONGEST_RETRY.unsigned_abs()))
            }
        };
        let wake = async {
            match wait {
                Some(wait) => tokio::time::sleep(wait).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = app.signals().sharing.notified() => {}
            () = wake => {}
        }
    }
}

/// Sends to all services that need not wait. Returns how long to wait for the next one.
async fn round(app: &App) -> Result<Option<Duration>> {
    let core = app.core().await?;
    let services = core.library.share_services();
    let counts = services.counts().await?;
    let with_queue = |service: &ShareService| counts.get(&service.id).is_some_and(|counts| counts.waiting > 0);
    for service in services.list().await?.iter().filter(|service| with_queue(service) && !waits(service, now())) {
        send(app, &core, service.id, false).await?;
        app.emit(Event::SharingChanged(shown(&core).await?));
    }
    let now = now();
    let next = services.list().await?.iter().filter(|service| with_queue(service)).filter_map(|s| s.retry_at).min();
    Ok(next.map(|at| Duration::from_millis((at - now).max(1000).unsigned_abs())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Library, NewSubscription};
    use gleaner_testserver::{Reply, Server};
    use tokio::runtime::Handle;

    /// Returns an app whose library has articles with links, and their ids.
    async fn app(folder: &Path, server: &Server) -> (App, Vec<i64>) {
        let app = App::without_window(folder.join("library"), Handle::current());
        let items: String = (1..=3)
            .map(|n| {
                format!("<item><title>Plum {n}</title><link>https://fruit.example/{n}</link><guid>{n}</guid></item>")
            })
            .collect();
        server.on(
            "/feed.xml",
            Reply::ok(format!("<rss version=\"2.0\"><channel><title>Fruit</title>{items}</channel></rss>")),
        );
        let library = app.core().await.unwrap().library;
        let new = NewSubscription { url: server.url("/feed.xml"), ..NewSubscription::default() };
        library.subscriptions().add(&new).await.unwrap();
        crate::poll(&app, gleaner_polling::Scope::All, |_| {}).await.unwrap();
        let ids = ids(&library).await;
        assert_eq!(ids.len(), 3);
        (app, ids)
    }

    async fn ids(library: &Library) -> Vec<i64> {
        let query = gleaner_library::ListQuery::newest(gleaner_library::Source::All, 10);
        library.lists().page(query).await.unwrap().0.into_iter().map(|row| row.id).collect()
    }

    fn linkding(server: &Server) -> NewService {
        NewService {
            address: server.url("/"),
            password: "sesame".to_owned(),
            in_library: true,
            ..NewService::default()
        }
    }

    #[tokio::test]
    async fn articles_are_queued_while_a_service_fails_and_sent_once_when_it_works() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let (app, ids) = app(folder.path(), &server).await;
        server.on("/api/user/profile/", Reply::ok("{}"));
        let service = add_service(&app, Kind::Linkding, linkding(&server)).await.unwrap();
        assert_eq!((service.name.as_str(), service.keyring_entry), ("Linkding", None));

        server.on("/api/bookmarks/", Reply::status(500));
        let shared = save_in_service(&app, service.id, &ids).await.unwrap();
        assert_eq!((shared.saved, shared.waiting), (0, 3));
        assert_eq!(shared.error.unwrap().code, ErrorCode::HttpStatus);
        assert_eq!(server.requests_to("/api/bookmarks/").len(), 1, "the others would fail too");

        // The second one is refused, which holds up no other.
        server.forget_requests();
        let saved = Reply::status(201).body(r#"{"id": 1}"#);
        server.on_each("/api/bookmarks/", [saved.clone(), Reply::status(400), saved]);
        let left = send_again(&app, service.id).await.unwrap();
        assert_eq!(left, ShareCounts { waiting: 0, refused: 1 });
        let listed = list_services(&app).await.unwrap();
        assert_eq!((listed[0].refused, &listed[0].error), (1, &None));

        // A service that asked to wait is left alone, also by the user.
        server.on("/api/bookmarks/", Reply::status(429).header("Retry-After", "600"));
        for _ in 0..2 {
            let shared = save_in_service(&app, service.id, &ids[..1]).await.unwrap();
            assert_eq!(shared.error.unwrap().code, ErrorCode::RetryAfterUntil);
        }
        assert_eq!(server.requests_to("/api/bookmarks/").len(), 4);
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn a_wrong_login_is_refused_and_not_stored() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let (app, _) = app(folder.path(), &server).await;
        server.on("/api/user/profile/", Reply::status(401));
        let error = add_service(&app, Kind::Linkding, linkding(&server)).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ServerLogin);
        assert!(list_services(&app).await.unwrap().is_empty());
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn articles_are_saved_in_a_folder_once() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let (app, ids) = app(folder.path(), &server).await;
        let notes = folder.path().join("Notes");
        std::fs::create_dir(&notes).unwrap();
        let new = |address: &str| NewService { address: address.to_owned(), ..NewService::default() };
        assert!(add_service(&app, Kind::Folder, new("relative")).await.is_err());
        let service = add_service(&app, Kind::Folder, new(notes.to_str().unwrap())).await.unwrap();
        assert_eq!(service.name, "Notes");
        for _ in 0..2 {
            let shared = save_in_service(&app, service.id, &ids).await.unwrap();
            assert_eq!((shared.saved, shared.waiting, shared.error), (3, 0, None));
        }
        assert_eq!(std::fs::read_dir(&notes).unwrap().count(), 3);
        let text = std::fs::read_to_string(notes.join("Plum 1.md")).unwrap();
        assert!(text.contains("url: \"https://fruit.example/1\"") && text.contains("# Plum 1"), "{text}");
        app.quit().await.unwrap();
    }

    #[test]
    fn the_time_until_the_next_attempt_grows_to_a_limit() {
        let after = |failures| retry_at(&ShareError::InvalidResponse, failures, 0);
        assert_eq!([0, 1, 2].map(after), [Some(60_000), Some(120_000), Some(240_000)]);
        assert_eq!(after(9), Some(LONGEST_RETRY));
        assert_eq!(after(i64::MAX), Some(LONGEST_RETRY));
        assert_eq!(retry_at(&ShareError::Login, 0, 0), None);
        assert_eq!(retry_at(&ShareError::Wait(Duration::MAX), 0, 0), Some(LONGEST_WAIT));
    }
}
