//! Accounts at feed reader servers: adding, synchronising and removing them. One process synchronises at a time.

use crate::{
    App, Core,
    error::{AppError, Result, internal},
    jobs::{Job, Running},
    notifications, subscriptions,
};
use gleaner_contract::ErrorCode;
use gleaner_fetch::Fingerprint;
use gleaner_library::{Account, DEFAULT_HISTORY, LibraryError, Millis, NewAccount, Parameters, Secret};
use gleaner_polling::secrets;
use gleaner_sync::{Client, Connection, Found, Kind, Options, Report, SyncError};
use std::{collections::HashMap, time::Duration};
use tokio::sync::Mutex;
use url::Url;

/// Time between two synchronisations in the background.
const EVERY: Duration = Duration::from_secs(15 * 60);
/// Time after a mark until it is sent, so that many marks are sent together.
const AFTER_MARKS: Duration = Duration::from_secs(20);
/// The longest time that a server's request to wait is believed.
const LONGEST_WAIT: Millis = 7 * 86_400_000;

/// Sessions at servers, which are kept so that not every synchronisation logs in.
pub(crate) type Sessions = Mutex<HashMap<i64, Client>>;

/// An account to add.
#[derive(Debug, Default)]
pub struct ServerAccount {
    /// Address of the server, or of its API.
    pub address: String,
    /// User name.
    pub user: String,
    /// Password or token.
    pub password: String,
    /// Whether the password may be stored in the library. Otherwise it is stored in the platform's keyring only.
    pub in_library: bool,
    /// The certificate to accept although it is invalid.
    pub certificate: Option<Fingerprint>,
    /// Name that the user sees; `None`: the name of the host.
    pub name: Option<String>,
    /// Number of the newest articles to download; `None`: the default.
    pub history: Option<i64>,
    /// The API to use; `None`: the best one that is found.
    pub api: Option<Kind>,
}

/// Adds an account, after its server accepted the login. Its feeds and articles are downloaded by [`sync_account`].
///
/// # Errors
/// `no_server`, `server_api_off`, `server_too_old`, `server_login`, `invalid_server_response`, `account_exists`, and why the server cannot be
/// reached;
/// `no_keyring`. Then nothing was stored.
pub async fn add_account(app: &App, new: ServerAccount) -> Result<Account> {
    let address = server_address(&new.address)?;
    let core = app.core().await?;
    let found = find_server(&core, &address, &new).await?;
    store_account(app, &core, new, found).await
}

/// Finds the API at an address, and checks the login.
pub(crate) async fn find_server(core: &Core, address: &Url, new: &ServerAccount) -> Result<Found, SyncError> {
    let poller = core.poller().map_err(|_| SyncError::NoServer)?;
    gleaner_sync::find(poller.fetcher(), address, new.certificate, &new.user, &new.password, new.api).await
}

/// Stores an account whose server accepted the login.
pub(crate) async fn store_account(app: &App, core: &Core, new: ServerAccount, found: Found) -> Result<Account> {
    let accounts = core.library.accounts();
    let url = found.base.to_string();
    let there = accounts.list().await?;
    if there.iter().any(|account| account.url == url && account.user_name == new.user && account.removed_at.is_none()) {
        return Err(gleaner_library::Refusal::AccountExists.into());
    }
    let (keyring_entry, secret) = store_password(core, new.password, new.in_library).await?;
    let name = new.name.filter(|name| !name.trim().is_empty());
    let account = NewAccount {
        kind: found.kind.name().to_owned(),
        name: name.unwrap_or_else(|| found.base.host_str().unwrap_or_default().to_owned()),
        url,
        user_name: new.user,
        keyring_entry,
        secret,
        certificate: new.certificate.map(|fingerprint| fingerprint.0.to_vec()),
        labels: found.labels,
        history: new.history.unwrap_or(DEFAULT_HISTORY).max(0),
    };
    let id = accounts.add(&account).await?;
    app.library_changed(true, false);
    app.signals().sync.notify_one();
    Ok(accounts.get(id).await?)
}

/// Stores a password in the keyring, or returns it to be stored in the library.
async fn store_password(core: &Core, password: String, in_library: bool) -> Result<(Option<String>, Option<Secret>)> {
    if in_library {
        return Ok((None, Some(Secret(password))));
    }
    let entry = core.library.accounts().new_keyring_entry().await?;
    secrets::keep(&entry, password).await.map_err(|error| AppError::new(ErrorCode::NoKeyring, error))?;
    Ok((Some(entry), None))
}

/// Returns the address that the user entered; https where it names no scheme.
pub(crate) fn server_address(address: &str) -> Result<Url> {
    let address = address.trim();
    if address.contains("://") {
        subscriptions::web_address(address)
    } else {
        subscriptions::web_address(&format!("https://{address}"))
    }
}

/// Replaces the password of an account, after its server accepted it.
///
/// # Errors
/// As [`add_account`]; when there is no such account.
pub async fn set_account_password(app: &App, id: i64, password: String, in_library: bool) -> Result<()> {
    let core = app.core().await?;
    let account = core.library.accounts().get(id).await?;
    let base = Url::parse(&account.url).map_err(internal)?;
    let certificate = certificate(&account);
    let (fetcher, kind) = (core.poller()?.fetcher(), Some(account.kind.parse()?));
    gleaner_sync::find(fetcher, &base, certificate, &account.user_name, &password, kind).await?;
    let (entry, secret) = store_password(&core, password, in_library).await?;
    core.library.accounts().set_secret(id, entry.as_deref(), secret.as_ref()).await?;
    secrets::forget_left(&core.library).await?;
    app.session().servers.lock().await.remove(&id);
    app.signals().sync.notify_one();
    Ok(())
}

/// Removes an account. `keep`: its feeds become feeds of this computer, with their articles; otherwise they are deleted. Both can be
/// undone for a day.
///
/// # Errors
/// When there is no such account, or the library cannot be written.
pub async fn remove_account(app: &App, id: i64, keep: bool) -> Result<()> {
    let _run = app.jobs().replace(Job::Sync).await;
    let library = app.core().await?.library;
    for (feed, local) in library.accounts().remove(id, keep).await? {
        library.subscriptions().merge(feed, local).await?;
    }
    app.session().servers.lock().await.remove(&id);
    app.library_changed(true, true);
    Ok(())
}

/// Restores an account that was removed less than a day ago.
///
/// # Errors
/// When it was not, or the library cannot be written.
pub async fn restore_account(app: &App, id: i64) -> Result<()> {
    app.core().await?.library.accounts().restore(id).await?;
    app.library_changed(true, true);
    app.signals().sync.notify_one();
    Ok(())
}

/// Synchronises an account with its server, and stores why that failed.
///
/// # Errors
/// Why the server cannot be synchronised with; `busy` while another process does; `retry_after_until` while the server asked to wait.
pub async fn sync_account(app: &App, id: i64, options: &Options) -> Result<Report> {
    let run = app.jobs().queue(Job::Sync).await;
    let core = app.core().await?;
    let done = sync(app, &core, id, options, &run).await;
    core.library.accounts().delete_removed().await?;
    secrets::forget_left(&core.library).await?;
    let report = done?;
    notifications::request(app, &core, &report.notify).await;
    Ok(report)
}

async fn sync(app: &App, core: &Core, id: i64, options: &Options, run: &Running) -> Result<Report> {
    let accounts = core.library.accounts();
    let account = accounts.get(id).await?;
    if account.removed_at.is_some() {
        return Err(LibraryError::NotFound("account").into());
    }
    let now = core.library.now();
    // A later moment was set by a wrong clock.
    if let Some(until) = account.wait_until.filter(|until| (now..now + LONGEST_WAIT).contains(until)) {
        return Err(SyncError::Waiting(until).into());
    }
    let Some(_lock) = core.library.sync_lock()? else { return Err(SyncError::OtherProcess.into()) };
    let done = exchange(app, core, &account, options, run).await;
    match done {
        Ok(report) => {
            let missing = Parameters([("count".to_owned(), report.feeds_missing.to_string())].into());
            let error = (report.feeds_missing > 0).then_some(("server_feeds_missing", &missing));
            let same = account.error_code.as_deref() == error.map(|(code, _)| code) && account.wait_until.is_none();
            // A library without changes is not written to.
            if !same || account.synced_at.is_none_or(|at| now - at > 3_600_000) || report != Report::default() {
                accounts.record(id, error, None).await?;
            }
            if report != Report::default() {
                app.library_changed(true, true);
            }
            Ok(report)
        }
        Err(SyncError::Cancelled) => Err(SyncError::Cancelled.into()),
        Err(error) => {
            let wait = match &error {
                SyncError::Wait(wait) => i64::try_from(wait.as_millis()).ok().map(|wait| now + wait.min(LONGEST_WAIT)),
                _ => None,
            };
            let error = AppError::from(error);
            let error = match wait {
                Some(until) => AppError::new(ErrorCode::RetryAfterUntil, &error).with("until", until),
                None => error,
            };
            // Being offline is normal, and no error of the account.
            if error.code() == ErrorCode::Offline {
                return Err(error);
            }
            let code = serde_json::to_value(error.code()).map_err(internal)?;
            let parameters = Parameters(error.ipc.params.clone());
            accounts.record(id, Some((code.as_str().unwrap_or_default(), &parameters)), wait).await?;
            app.library_changed(true, true);
            Err(error)
        }
    }
}

fn certificate(account: &Account) -> Option<Fingerprint> {
    account.certificate.as_deref().and_then(|bytes| bytes.try_into().ok()).map(Fingerprint)
}

/// Talks to the server.
async fn exchange(
    app: &App,
    core: &Core,
    account: &Account,
    options: &Options,
    run: &Running,
) -> Result<Report, SyncError> {
    let poller = core.poller().map_err(|_| SyncError::NoServer)?;
    let kind: Kind = account.kind.parse()?;
    let base = Url::parse(&account.url).map_err(|_| SyncError::NoServer)?;
    let mut sessions = app.session().servers.lock().await;
    let mut server = match sessions.remove(&account.id) {
        Some(server) => server,
        None => {
            let password = secrets::read(&account.access()).await?.ok_or(secrets::SecretError::Gone)?;
            let connection = Connection { fetcher: poller.fetcher().clone(), base, certificate: certificate(account) };
            Client::new(kind, connection, &account.user_name, password)
        }
    };
    let rules = poller.rules().await?;
    let done = server.sync(&core.library, account, &rules, options, &run.token()).await;
    if !matches!(done, Err(SyncError::Login)) {
        sessions.insert(account.id, server);
    }
    done
}

/// Subscribes to a feed in an account, at the server too. Returns the id of the feed.
///
/// # Errors
/// `server_refused_feed` where the server cannot subscribe to it; as [`sync_account`]. If the server can't be reached, it is informed later.
pub async fn subscribe_in_account(app: &App, id: i64, url: &str, folder: Option<&str>) -> Result<i64> {
    let url = subscriptions::web_address(url)?;
    let library = app.core().await?.library;
    library.accounts().get(id).await?;
    let feed = library.sync().subscribe(id, url.as_str(), None, folder).await?;
    app.library_changed(true, false);
    let first = sync_account(app, id, &Options::default()).await?;
    // The user waits for the answer, and a first refusal is not the last.
    if !first.delayed.is_empty() {
        sync_account(app, id, &Options::default()).await?;
    }
    match library.feeds().get(feed).await {
        Ok(_) => Ok(feed),
        Err(_) => Err(AppError::new(ErrorCode::ServerRefusedFeed, "refused").with("url", url)),
    }
}

/// Synchronises all accounts in the background, without waiting for it.
pub(crate) fn start(app: &App) {
    app.signals().sync.notify_one();
}

/// Synchronises all accounts at the start, from time to time, and some time after a change.
pub(crate) async fn sync_automatically(app: App) {
    loop {
        sync_all(&app).await;
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = app.signals().sync.notified() => {}
            () = changes_settled(&app) => {}
        }
    }
}

/// Waits until there is something to send, and nothing was added to it for a while.
async fn changes_settled(app: &App) {
    loop {
        app.signals().marks.notified().await;
        // Ends when nothing changes within the time.
        while tokio::time::timeout(AFTER_MARKS, app.signals().marks.notified()).await.is_ok() {}
        let Ok(core) = app.core().await else { continue };
        match core.library.sync().has_changes().await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "changes for servers could not be read"),
        }
    }
}

async fn sync_all(app: &App) {
    let accounts = match list_accounts(app).await {
        Ok(accounts) => accounts,
        Err(error) => return tracing::warn!(%error, "the accounts could not be read"),
    };
    for account in accounts.iter().filter(|account| account.removed_at.is_none()) {
        if let Err(error) = sync_account(app, account.id, &Options::default()).await {
            tracing::warn!(account = account.id, %error, "an account could not be synchronised");
        }
    }
}

/// Returns the accounts at servers, also removed ones that can be restored.
///
/// # Errors
/// When the library cannot be read.
pub async fn list_accounts(app: &App) -> Result<Vec<Account>> {
    let library = app.core().await?.library;
    library.accounts().delete_removed().await?;
    Ok(library.accounts().list().await?)
}
