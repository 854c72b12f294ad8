//! Saves articles in other services, and adds, changes and removes services. Articles are queued in the library first, so that none is lost
//! while a service cannot be reached.

mod queue;

pub(crate) use queue::follow;

use queue::send;

use crate::{
    App, Core, accounts,
    error::{AppError, Result, internal, invalid_input},
    jobs::Job,
    links::{self, shown_link},
    numbers::to_number,
};
use gleaner_address::{Login, split_user, without_password};
use gleaner_contract::{
    self as contract, AddShareService, ArticleIds, ErrorCode, Event, IpcError, RenameShareService, SetShareLogin,
    ShareArticles, ShareKind, ShareServiceId, Shared, UndoStep,
};
use gleaner_library::{NewShareService, Parameters, Refusal, Secret, ShareCounts, ShareService, Undoable};
use gleaner_polling::secrets::{self, SecretError};
use gleaner_share::{Article, Kind, ShareError, Target, Web};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Maximum number of articles in one e-mail.
const MAX_IN_MAIL: usize = 500;

/// A service to add, or the changes of a service's login.
#[derive(Default)]
pub struct NewService {
    /// Base address of the server, or path of a folder; empty for a service with one address for all users.
    pub address: String,
    /// Name that the user sees; `None`: that of the service.
    pub name: Option<String>,
    /// User name; empty if the service needs none.
    pub user: String,
    /// Password or token; empty if the service needs none.
    pub password: String,
    /// Id of the API client at Wallabag.
    pub client_id: String,
    /// Its secret.
    pub client_secret: String,
    /// Whether secrets may be stored in the library. Otherwise they are stored in the platform's keyring only.
    pub in_library: bool,
}

/// The secrets of a service, as they are stored.
#[derive(Default, Serialize, Deserialize)]
struct Secrets {
    password: String,
    #[serde(default)]
    client_id: String,
    #[serde(default)]
    client_secret: String,
}

impl Secrets {
    fn new(password: String, client_id: &str, client_secret: String) -> Self {
        Self { password, client_id: client_id.trim().to_owned(), client_secret }
    }

    /// Reads those of a service.
    async fn read(service: &ShareService) -> Result<Self> {
        match secrets::read(&service.access()).await {
            Ok(Some(stored)) => serde_json::from_str(&stored).map_err(internal),
            Ok(None) => Ok(Self::default()),
            Err(error @ SecretError::Gone) => Err(AppError::new(ErrorCode::SecretGone, error)),
            Err(error @ SecretError::Keyring(_)) => Err(AppError::new(ErrorCode::SecretUnreadable, error)),
        }
    }
}

impl From<ShareError> for AppError {
    fn from(error: ShareError) -> Self {
        let of = |code| Self::new(code, &error);
        match error {
            ShareError::Fetch(error) => error.into(),
            ShareError::Address => of(ErrorCode::InvalidAddress),
            ShareError::NotRunning => of(ErrorCode::ZoteroNotRunning),
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
/// # Errors `service_exists` if it was added already, or another one has the name; `server_login`, `invalid_server_response` and why the
/// service cannot be reached; `no_keyring`. Then nothing was stored.
pub async fn add_service(app: &App, kind: Kind, mut new: NewService) -> Result<ShareService> {
    let core = app.core().await?;
    let address = match (kind, kind.address(), new.address.trim()) {
        (Kind::Folder, ..) => new.address.clone(),
        (_, Some(address), "") => address.to_owned(),
        (_, _, address) => server_address(kind, address, &mut new.password)?,
    };
    if kind == Kind::Folder && !Path::new(&address).is_absolute() {
        return Err(AppError::new(ErrorCode::FileNotFound, "a folder needs an absolute path").with("file", address));
    }
    let user = new.user.trim().to_owned();
    let name = new.name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let name = free_name(&core.library.share_services().list().await?, (kind, &address, &user), name)?;
    let secrets = Secrets::new(new.password, &new.client_id, new.client_secret);
    let (keyring_entry, secret) = check(&core, kind, target(&address, &user, &secrets), new.in_library).await?;
    let row = NewShareService { kind: kind.name().to_owned(), name, address, user_name: user, keyring_entry, secret };
    let id = core.library.share_services().add(&row).await?;
    announce(app, &core).await?;
    Ok(core.library.share_services().get(id).await?)
}

/// Replaces the password or token of a service, and its address and user name unless they are empty, after it accepted them. A name that
/// the user did not choose follows the address. Its API client, and the token of a webhook, stay if `change` has none and the server is the
/// same: no secret is sent to another one.
///
/// # Errors As [`add_service`]; when there is no such service; `secret_gone` and `secret_unreadable` for a secret that stays.
pub async fn set_service_login(app: &App, id: i64, mut change: NewService) -> Result<()> {
    secrets::ask_again();
    let core = app.core().await?;
    let service = without_login(core.library.share_services().get(id).await?)?;
    let kind = service.kind.parse().map_err(internal)?;
    let address = match change.address.trim() {
        "" => service.address.clone(),
        address => address.to_owned(),
    };
    let address = if kind == Kind::Folder { address } else { server_address(kind, &address, &mut change.password)? };
    let user = match change.user.trim() {
        "" => service.user_name.clone(),
        user => user.to_owned(),
    };
    let mut secrets = Secrets::new(change.password, &change.client_id, change.client_secret);
    let keeps = match kind {
        Kind::Wallabag => secrets.client_id.is_empty() && secrets.client_secret.is_empty(),
        Kind::Webhook => secrets.password.is_empty(),
        _ => false,
    };
    if keeps && is_same_server(&service.address, &address) {
        let former = Secrets::read(&service).await?;
        let password = if secrets.password.is_empty() { former.password } else { secrets.password };
        secrets = Secrets { password, ..former };
    }
    let moves = address != service.address || user != service.user_name;
    let mut others = core.library.share_services().list().await?;
    others.retain(|other| other.id != id);
    let free = if moves { Some(free_name(&others, (kind, &address, &user), None)?) } else { None };
    let (keyring_entry, secret) = check(&core, kind, target(&address, &user, &secrets), change.in_library).await?;
    // A running transfer uses the former login, and would record its failure.
    let run = app.jobs().replace(Job::Share(id)).await;
    // It may have been renamed while its server was asked.
    let present = core.library.share_services().get(id).await?.name;
    let has_default_name = is_default_name(&present, kind, &service.address);
    let name = free.filter(|_| has_default_name).unwrap_or(present);
    let changed = ShareService { name, address, user_name: user, keyring_entry, secret, ..service };
    core.library.share_services().set_login(&changed).await?;
    drop(run);
    secrets::delete_unused(&core.library).await?;
    announce(app, &core).await
}

/// Returns the address that the user entered, without its login. The login of a webhook's address is its secret; other services have
/// separate logins.
fn server_address(kind: Kind, address: &str, secret: &mut String) -> Result<String> {
    let url = accounts::server_address(address)?;
    let Some((bare, login)) = split_user(&url) else { return Ok(url.into()) };
    if kind == Kind::Webhook && secret.is_empty() {
        *secret = secret_of(&login);
    }
    Ok(bare.into())
}

/// Returns the secret of a webhook whose address contained this login.
fn secret_of(login: &Login) -> String {
    format!("Basic {}:{}", login.user, login.password)
}

/// Returns a service without the login in a webhook's address, which older versions stored there. It becomes the secret if there is none.
fn without_login(service: ShareService) -> Result<ShareService> {
    let url = url::Url::parse(&service.address).ok().filter(|_| service.kind == Kind::Webhook.name());
    let Some((address, login)) = url.as_ref().and_then(split_user) else { return Ok(service) };
    let stored = serde_json::to_string(&Secrets::new(secret_of(&login), "", String::new())).map_err(internal)?;
    let is_missing = service.keyring_entry.is_none() && service.secret.is_none();
    let secret = if is_missing { Some(Secret(stored)) } else { service.secret };
    Ok(ShareService { address: address.into(), secret, ..service })
}

fn is_same_server(one: &str, other: &str) -> bool {
    let origin = |address| url::Url::parse(address).ok().map(|url| url.origin());
    origin(one) == origin(other)
}

/// Checks whether a service accepts a login, and stores the secrets in the keyring or returns them to be stored in the library.
async fn check(core: &Core, kind: Kind, target: Target, in_library: bool) -> Result<(Option<String>, Option<Secret>)> {
    let secrets = Secrets::new(target.secret.clone(), &target.client_id, target.client_secret.clone());
    gleaner_share::service(kind, target)?.check(&web(core)?).await?;
    if secrets.password.is_empty() {
        return Ok((None, None));
    }
    let stored = serde_json::to_string(&secrets).map_err(internal)?;
    if in_library {
        return Ok((None, Some(Secret(stored))));
    }
    let entry = core.library.share_services().new_keyring_entry().await?;
    secrets::store(&entry, stored).await.map_err(|error| AppError::new(ErrorCode::NoKeyring, error))?;
    Ok((Some(entry), None))
}

/// Returns the default name of a service: for a folder or webhook its last path segment or host, otherwise the product's name.
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

/// Whether a service still has its default name, with or without a number.
fn is_default_name(name: &str, kind: Kind, address: &str) -> bool {
    let rest = name.strip_prefix(&default_name(kind, address));
    let number = rest.and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')'));
    rest == Some("") || number.is_some_and(|number| number.parse::<u64>().is_ok())
}

/// Returns a name for a new service that no other one has: the user's choice, or the default with a number.
fn free_name(
    there: &[ShareService],
    (kind, address, user): (Kind, &str, &str),
    name: Option<String>,
) -> Result<String> {
    let place = |address: &str| address.trim_end_matches('/').to_owned();
    let is_same = |other: &ShareService| {
        other.kind == kind.name() && place(&other.address) == place(address) && other.user_name == user
    };
    // Only the token distinguishes two accounts there.
    let by_token = matches!(kind, Kind::Readwise | Kind::Linkding | Kind::Karakeep);
    let is_taken = |name: &str| is_taken(there.iter(), name);
    if (!by_token && there.iter().any(is_same)) || name.as_deref().is_some_and(is_taken) {
        return Err(Refusal::ServiceExists.into());
    }
    let default = default_name(kind, address);
    let numbered = (2_u64..).map(|number| format!("{default} ({number})"));
    let free = || std::iter::once(default.clone()).chain(numbered).find(|name| !is_taken(name));
    Ok(name.or_else(free).unwrap_or_default())
}

fn is_taken<'a>(mut there: impl Iterator<Item = &'a ShareService>, name: &str) -> bool {
    there.any(|other| other.name.to_lowercase() == name.to_lowercase())
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

pub async fn rename_share_service(app: &App, args: RenameShareService) -> Result<()> {
    let core = app.core().await?;
    let (services, name) = (core.library.share_services(), args.name.trim());
    if name.is_empty() {
        return Err(invalid_input("a service needs a name"));
    }
    if is_taken(services.list().await?.iter().filter(|other| other.id != args.service_id), name) {
        return Err(Refusal::ServiceExists.into());
    }
    services.rename(args.service_id, name).await?;
    announce(app, &core).await
}

/// Removes a service with what is queued for it.
///
/// # Errors
/// When there is no such service, or the library cannot be written.
pub async fn remove_service(app: &App, id: i64) -> Result<()> {
    let core = app.core().await?;
    core.library.share_services().remove(id).await?;
    secrets::delete_unused(&core.library).await?;
    announce(app, &core).await
}

/// Saves articles in a service. Articles that cannot be sent now stay queued, and are sent later.
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
    // The error of the service is why articles wait, not why it refused others.
    let failure = stored_error(&services.get(id).await?).filter(|_| left.waiting > 0);
    let error = match failure {
        None => services.refusal(id, articles).await?.map(|code| ipc_error(&code, &Parameters::default())),
        error => error,
    };
    let ShareCounts { waiting, refused } = left;
    Ok(Shared { saved: to_number(queued) - waiting - refused, waiting, refused, error })
}

/// Sends everything that is queued for a service again. Returns how many articles were sent, and how many remain.
///
/// # Errors
/// As [`save_in_service`].
pub async fn send_again(app: &App, id: i64) -> Result<(usize, ShareCounts)> {
    let core = app.core().await?;
    let services = core.library.share_services();
    services.get(id).await?;
    services.retry(id).await?;
    let sent = send(app, &core, id, true).await;
    announce(app, &core).await?;
    Ok((sent?, services.counts().await?.get(&id).copied().unwrap_or_default()))
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
        let service = without_login(service).ok()?;
        let error = stored_error(&service);
        let ShareCounts { waiting, refused } = counts.get(&service.id).copied().unwrap_or_default();
        // A kind of a later version of Gleaner is not shown.
        let kind: ShareKind = serde_json::from_value(service.kind.into()).ok()?;
        Some(contract::ShareService {
            id: service.id,
            kind,
            name: service.name,
            address: without_password(&service.address),
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
        name: Some(new.name),
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

pub async fn set_share_login(app: &App, args: SetShareLogin) -> Result<()> {
    let change = NewService {
        address: args.address,
        name: None,
        user: args.user_name,
        password: args.password,
        client_id: args.client_id,
        client_secret: args.client_secret,
        in_library: args.password_in_library,
    };
    set_service_login(app, args.service_id, change).await
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

pub async fn discard_shares(app: &App, args: ShareServiceId) -> Result<UndoStep> {
    Ok(UndoStep { undo: discard(app, args.service_id).await?.step })
}

/// Discards the articles queued for a service.
async fn discard(app: &App, id: i64) -> Result<Undoable> {
    let core = app.core().await?;
    core.library.share_services().get(id).await?;
    // An article that is being sent now would be sent again if this is undone.
    let run = app.jobs().replace(Job::Share(id)).await;
    let done = core.library.share_services().discard(id).await?;
    drop(run);
    announce(app, &core).await?;
    Ok(done)
}

pub async fn restore_shares(app: &App, args: UndoStep) -> Result<()> {
    let core = app.core().await?;
    core.library.undo(args.undo).await?;
    announce(app, &core).await
}

pub async fn share_by_mail(app: &App, args: ArticleIds) -> Result<()> {
    let core = app.core().await?;
    let too_long = || AppError::new(ErrorCode::MailTooLong, "an e-mail would be too long");
    if args.ids.len() > MAX_IN_MAIL {
        return Err(too_long());
    }
    let mut articles = Vec::new();
    for id in args.ids {
        let item = core.library.articles().get(id).await?;
        articles.push(Article { title: item.title, url: item.url.map(shown_link), ..Article::default() });
    }
    let url = gleaner_share::mail(&articles).ok_or_else(too_long)?;
    links::open(app, &url, false);
    Ok(())
}
