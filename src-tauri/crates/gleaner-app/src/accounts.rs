//! Accounts on feed reader servers: adding, changing and removing them.

use crate::{
    App, Core,
    error::{AppError, Result},
    jobs::Job,
    subscriptions,
    sync::{self, certificate, sync_account},
};
use gleaner_contract::{AppKeys, ErrorCode};
use gleaner_fetch::Fingerprint;
use gleaner_library::{
    Account, DEFAULT_HISTORY, LOCAL_ACCOUNT, LibraryError, NewAccount, Secret, ServerOnlyFeed, Undoable, feed_key,
};
use gleaner_polling::secrets;
use gleaner_sync::{AppLogin, Found, Kind, Options, SyncError};
use url::Url;

/// An account to add, or the changes of an account's login.
#[derive(Debug, Default)]
pub struct ServerAccount {
    /// Address of the server, or of its API.
    pub address: String,
    /// User name.
    pub user: String,
    /// Password or token.
    pub password: String,
    /// The keys of an app, if the server requires them (Inoreader).
    pub app: Option<AppKeys>,
    /// Whether the password may be stored in the library. Otherwise it is stored in the platform's keyring only.
    pub in_library: bool,
    /// The certificate to accept although it is invalid.
    pub certificate: Option<Fingerprint>,
    /// Name that the user sees. `None`: the name of the host, with the user name if another account has that name.
    pub name: Option<String>,
    /// Number of the newest articles to download; `None`: the default.
    pub history: Option<i64>,
    /// The API to use; `None`: the best one that is found.
    pub api: Option<Kind>,
}

/// Adds an account, after its server accepted the login. Its feeds and articles are downloaded by [`sync_account`].
///
/// # Errors
/// `no_server`, `server_api_off`, `server_too_old`, `server_login`, `invalid_server_response`, `app_keys_missing`, `account_exists`,
/// `no_keyring`, and why the server cannot be reached. Then nothing was stored.
pub async fn add_account(app: &App, new: ServerAccount) -> Result<Account> {
    let address = server_address(&new.address)?;
    let core = app.core().await?;
    let found = find_server(&core, &address, &new).await?;
    store_account(app, &core, new, found).await
}

/// Finds out which API is at an address, and checks the login.
pub(crate) async fn find_server(core: &Core, address: &Url, new: &ServerAccount) -> Result<Found, SyncError> {
    let poller = core.poller().map_err(|_| SyncError::NoServer)?;
    let secret = secret(&new.password, new.app.as_ref());
    gleaner_sync::find(poller.fetcher(), address, new.certificate, &new.user, &secret, new.api).await
}

/// Returns the text that is stored as the secret of an account: the password and, if there are any, the keys of an app.
fn secret(password: &str, app: Option<&AppKeys>) -> String {
    let password = password.to_owned();
    match app {
        // Spaces that were pasted with it are removed.
        Some(AppKeys { id, key }) => {
            AppLogin { password, app_id: id.trim().to_owned(), app_key: key.trim().to_owned() }.to_secret()
        }
        None => password,
    }
}

/// Stores an account whose server accepted the login.
pub(crate) async fn store_account(app: &App, core: &Core, new: ServerAccount, found: Found) -> Result<Account> {
    let accounts = core.library.accounts();
    let url = found.base.to_string();
    refuse_existing(core, None, &url, &new.user).await?;
    let (keyring_entry, secret) = store_secret(core, secret(&new.password, new.app.as_ref()), new.in_library).await?;
    let name = new.name.filter(|name| !name.trim().is_empty());
    let account = NewAccount {
        kind: found.kind.name().to_owned(),
        name: match name {
            Some(name) => name,
            None => default_name(&accounts.list().await?, found.base.host_str().unwrap_or_default(), &new.user),
        },
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

/// Returns a name for a new account that no other one has.
fn default_name(accounts: &[Account], host: &str, user: &str) -> String {
    let names = accounts.iter().filter(|account| account.removed_at.is_none()).map(|account| &account.name);
    let is_free = |name: &str| names.clone().all(|other| other.to_lowercase() != name.to_lowercase());
    if is_free(host) {
        return host.to_owned();
    }
    let named = if user.is_empty() { host.to_owned() } else { format!("{host} ({user})") };
    let numbered = |number: usize| if number == 1 { named.clone() } else { format!("{named} ({number})") };
    (1..).map(numbered).find(|name| is_free(name)).unwrap_or_default()
}

/// Returns the address of an API in one spelling.
fn spelled(url: &str) -> &str {
    let url = url.trim_end_matches('/');
    // For Tiny Tiny RSS on servers that ignore the rest of the path.
    url.strip_suffix("/api").filter(|rest| rest.ends_with("/api")).unwrap_or(url)
}

/// Refuses a login that another account than `id` has.
async fn refuse_existing(core: &Core, id: Option<i64>, url: &str, user: &str) -> Result<()> {
    let is_same = |account: &Account| {
        spelled(&account.url) == spelled(url) && account.user_name == user && account.removed_at.is_none()
    };
    match core.library.accounts().list().await?.iter().any(|account| is_same(account) && Some(account.id) != id) {
        true => Err(gleaner_library::Refusal::AccountExists.into()),
        false => Ok(()),
    }
}

/// Stores a secret in the keyring, or returns it to be stored in the library.
async fn store_secret(core: &Core, secret: String, in_library: bool) -> Result<(Option<String>, Option<Secret>)> {
    if in_library {
        return Ok((None, Some(Secret(secret))));
    }
    let entry = core.library.accounts().new_keyring_entry().await?;
    secrets::store(&entry, secret).await.map_err(|error| AppError::new(ErrorCode::NoKeyring, error))?;
    Ok((Some(entry), None))
}

/// Returns the address that the user entered, with https if it has no scheme.
pub(crate) fn server_address(address: &str) -> Result<Url> {
    let address = address.trim();
    if address.contains("://") {
        subscriptions::web_address(address)
    } else {
        subscriptions::web_address(&format!("https://{address}"))
    }
}

/// Replaces the password of an account, and the address of its server unless it is empty, after the server accepted the login. The user
/// name stays.
///
/// # Errors
/// As [`add_account`]; when there is no such account.
pub async fn set_account_login(app: &App, id: i64, change: ServerAccount) -> Result<()> {
    let core = app.core().await?;
    let account = core.library.accounts().get(id).await?;
    let new = new_login(&account, change).await?;
    let found = find_server(&core, &server_address(&new.address)?, &new).await?;
    store_login(app, &core, account, new, found).await
}

/// Completes a changed login with what an account has. Its keys and its accepted certificate are for its server only.
pub(crate) async fn new_login(account: &Account, change: ServerAccount) -> Result<ServerAccount> {
    let address = if change.address.trim().is_empty() { account.url.clone() } else { change.address };
    let (api, new) = (account.kind.parse()?, server_address(&address)?);
    let same_server = Url::parse(&account.url).is_ok_and(|url| url.origin() == new.origin());
    secrets::ask_again();
    let app = match change.app {
        None if api == Kind::GoogleReader && same_server => stored_keys(account).await,
        keys => keys,
    };
    let certificate = change.certificate.or_else(|| certificate(account).filter(|_| same_server));
    let user = account.user_name.clone();
    Ok(ServerAccount { address, user, app, certificate, api: Some(api), ..change })
}

/// Stores the changed login of an account, which its server accepted.
pub(crate) async fn store_login(
    app: &App,
    core: &Core,
    account: Account,
    new: ServerAccount,
    found: Found,
) -> Result<()> {
    let (id, url) = (account.id, found.base.to_string());
    refuse_existing(core, Some(id), &url, &new.user).await?;
    let (keyring_entry, secret) = store_secret(core, secret(&new.password, new.app.as_ref()), new.in_library).await?;
    let certificate = new.certificate.map(|fingerprint| fingerprint.0.to_vec());
    // A running synchronisation uses the former login, and would record its failure.
    let _run = app.jobs().replace(Job::Sync).await;
    let changed = Account { url, keyring_entry, secret, certificate, ..account };
    core.library.accounts().set_login(&changed).await?;
    secrets::delete_unused(&core.library).await?;
    app.session().servers.lock().await.remove(&id);
    app.library_changed(true, false);
    app.signals().sync.notify_one();
    Ok(())
}

/// Returns the app keys of an account; none if its secret can't be read. A server that requires them reports that they are missing.
async fn stored_keys(account: &Account) -> Option<AppKeys> {
    let secret = match secrets::read(&account.access()).await {
        Ok(secret) => secret?,
        Err(error) => {
            tracing::info!(%error, "the former password cannot be read");
            return None;
        }
    };
    AppLogin::from_secret(&secret).map(|login| AppKeys { id: login.app_id, key: login.app_key })
}

/// Sets how often an account is synchronised in the background, in minutes (0: only by hand), and how many of the newest articles it
/// downloads, besides unread and starred ones. `None`: as before.
///
/// # Errors
/// When there is no such account, or the library cannot be written.
pub async fn set_account_options(app: &App, id: i64, minutes: Option<i64>, history: Option<i64>) -> Result<Account> {
    let accounts = app.core().await?.library;
    let accounts = accounts.accounts();
    let account = accounts.get(id).await?;
    let (minutes, history) = (minutes.unwrap_or(account.sync_minutes), history.unwrap_or(account.history));
    accounts.set_options(id, minutes, history).await?;
    app.library_changed(true, false);
    app.signals().sync_intervals.notify_one();
    Ok(accounts.get(id).await?)
}

/// Removes an account. `keep`: its feeds become feeds of this computer, with their articles; otherwise they are deleted. Both can be
/// undone for a day.
///
/// # Errors
/// When there is no such account, or the library cannot be written.
pub async fn remove_account(app: &App, id: i64, keep: bool) -> Result<()> {
    let interrupts = app.jobs().is_running(Job::Sync);
    let _run = app.jobs().replace(Job::Sync).await;
    let library = app.core().await?.library;
    for (feed, local) in library.accounts().remove(id, keep).await? {
        library.subscriptions().merge(feed, local).await?;
    }
    app.session().servers.lock().await.remove(&id);
    app.library_changed(true, true);
    // Other accounts continue.
    if interrupts {
        app.signals().sync.notify_one();
    }
    Ok(())
}

/// Restores an account that was removed less than a day ago.
///
/// # Errors When it was not, or the library cannot be written; `account_exists` if it was added again.
pub async fn restore_account(app: &App, id: i64) -> Result<()> {
    app.core().await?.library.accounts().restore(id).await?;
    app.library_changed(true, true);
    sync::start(app);
    Ok(())
}

/// Subscribes to a feed in an account, on the server too. Returns the id of the feed.
///
/// # Errors `server_refused_feed` if the server cannot subscribe to it; as [`sync_account`]. If the server can't be reached, it is informed
/// later. A login in the address is sent to the server, and appears in no message.
pub async fn subscribe_in_account(app: &App, id: i64, url: &str, folder: Option<&str>) -> Result<i64> {
    let url = subscriptions::web_address(url)?;
    let shown = gleaner_address::split_login(&url).map_or_else(|| url.clone(), |(bare, _)| bare);
    let library = app.core().await?.library;
    library.accounts().get(id).await?;
    let key = feed_key(url.as_str());
    let kept = library.sync().server_only_feeds(id).await?.into_iter().find(|feed| feed_key(&feed.url) == key);
    if let Some(kept) = kept {
        restore_server_only(app, id, &kept.remote_id).await?;
        let there = library.sync().feeds(id).await?.get(&kept.remote_id).copied();
        return there.ok_or_else(|| LibraryError::NotFound("feed").into());
    }
    let feed = library.sync().subscribe(id, url.as_str(), None, folder).await?;
    app.library_changed(true, false);
    secrets::ask_again();
    let first = sync_account(app, id, &Options::default()).await?;
    // The user waits for the result, and only a second refusal is final.
    let mut merged = first.merged;
    if !first.delayed.is_empty() {
        merged.extend(sync_account(app, id, &Options::default()).await?.merged);
    }
    // The server may have it already, under another address.
    let feed = merged.into_iter().find_map(|(from, into)| (from == feed).then_some(into)).unwrap_or(feed);
    match library.feeds().get(feed).await {
        Ok(_) => Ok(feed),
        Err(_) => Err(AppError::new(ErrorCode::ServerRefusedFeed, "refused").with("url", shown)),
    }
}

/// Moves feeds into an account, or to this computer (`None`), with their articles and marks. The servers are informed with the next
/// synchronisation. Returns the number of feeds that were not there yet.
///
/// # Errors `server_refused_feed` for a feed that no server can have, or if the API of the account can't subscribe; when there is no such
/// feed or account, or the library cannot be written. Then no feed was moved.
pub async fn move_to_account(app: &App, feeds: &[i64], account: Option<i64>) -> Result<Undoable> {
    let library = app.core().await?.library;
    if let Some(id) = account {
        let subscribes = changes_subscriptions(&library.accounts().get(id).await?);
        let all = library.feeds().list().await?;
        for feed in all.iter().filter(|feed| feeds.contains(&feed.id) && feed.account_id != id) {
            let there = all.iter().any(|other| other.account_id == id && feed_key(&other.url) == feed_key(&feed.url));
            if feed.local || subscriptions::web_address(&feed.url).is_err() || !(subscribes || there) {
                return Err(AppError::new(ErrorCode::ServerRefusedFeed, "no server").with("url", &feed.url));
            }
        }
    }
    let done = library.subscriptions().move_to_account(feeds, account.unwrap_or(LOCAL_ACCOUNT)).await?;
    app.library_changed(true, true);
    Ok(done)
}

/// Renames an account and the folder of its feeds.
///
/// # Errors
/// When there is no such account, the name is empty or another folder has it, or the library cannot be written.
pub async fn rename_account(app: &App, id: i64, name: &str) -> Result<Undoable> {
    let done = app.core().await?.library.accounts().rename(id, name).await?;
    app.library_changed(true, false);
    Ok(done)
}

/// Returns whether the API of an account can subscribe and unsubscribe.
#[must_use]
pub fn changes_subscriptions(account: &Account) -> bool {
    account.kind.parse().is_ok_and(Kind::changes_subscriptions)
}

/// Returns the feeds of an account that the user unsubscribed from here and that the server keeps, by title.
///
/// # Errors
/// When there is no such account, or the library cannot be read.
pub async fn list_server_only_feeds(app: &App, id: i64) -> Result<Vec<ServerOnlyFeed>> {
    let library = app.core().await?.library;
    library.accounts().get(id).await?;
    Ok(library.sync().server_only_feeds(id).await?)
}

/// Shows such a feed here again, and synchronises the account.
///
/// # Errors
/// When there is no such feed, or the library cannot be written; as [`sync_account`], then it follows with the next synchronisation.
pub async fn restore_server_only(app: &App, id: i64, remote_id: &str) -> Result<()> {
    app.core().await?.library.sync().restore_server_only(id, remote_id).await?;
    secrets::ask_again();
    sync_account(app, id, &Options::default()).await.map(drop)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use futures::{FutureExt as _, poll};
    use gleaner_library::NewAccount;
    use std::pin::pin;
    use tokio::runtime::Handle;

    #[tokio::test]
    async fn a_synchronisation_that_the_removal_of_an_account_interrupts_continues() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let library = app.core().await.unwrap().library;
        let signalled = || app.signals().sync.notified().now_or_never().is_some();
        for running in [false, true] {
            let id = library.accounts().add(&NewAccount::default()).await.unwrap();
            let run = if running { Some(app.jobs().queue(Job::Sync).await) } else { None };
            let mut removing = pin!(remove_account(&app, id, false));
            if let Some(run) = run {
                assert!(poll!(&mut removing).is_pending() && run.is_cancelled());
            }
            removing.await.unwrap();
            assert_eq!(signalled(), running);
        }
    }

    #[tokio::test]
    async fn an_account_is_refused_in_any_spelling_of_its_address() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let core = app.core().await.unwrap();
        for (there, same, other) in [
            ("https://a.example/fever", "https://a.example/fever/", "https://a.example/"),
            ("https://b.example/api/api", "https://b.example/api/", "https://b.example/api/fever.php"),
        ] {
            let new = NewAccount { url: there.to_owned(), user_name: "ada".to_owned(), ..NewAccount::default() };
            core.library.accounts().add(&new).await.unwrap();
            let refused = refuse_existing(&core, None, same, "ada").await.unwrap_err();
            assert_eq!(refused.code(), ErrorCode::AccountExists);
            refuse_existing(&core, None, same, "bob").await.unwrap();
            refuse_existing(&core, None, other, "ada").await.unwrap();
        }
    }

    #[test]
    fn accounts_of_one_host_have_different_names() {
        let account = |name: &str, removed_at| Account { name: name.to_owned(), removed_at, ..Account::default() };
        let mut accounts = vec![account("rss.example", Some(1))];
        assert_eq!(default_name(&accounts, "rss.example", "ada"), "rss.example", "that one was removed");
        accounts.push(account("RSS.example", None));
        assert_eq!(default_name(&accounts, "rss.example", "ada"), "rss.example (ada)");
        assert_eq!(default_name(&accounts, "rss.example", ""), "rss.example (2)");
        accounts.push(account("rss.example (ada)", None));
        assert_eq!(default_name(&accounts, "rss.example", "ada"), "rss.example (ada) (2)");
    }

    #[tokio::test]
    async fn an_accepted_certificate_stays_with_its_server() {
        let (kind, url) = (Kind::Miniflux.name().to_owned(), "https://rss.example/v1".to_owned());
        let account = Account { kind, url, certificate: Some(vec![7; 32]), ..Account::default() };
        for (address, kept) in [
            ("", true),
            ("rss.example", true),
            ("https://rss.example:443/other", true),
            ("https://rss.example:8443", false),
            ("http://rss.example", false),
            ("https://other.example", false),
        ] {
            let change = ServerAccount { address: address.to_owned(), ..ServerAccount::default() };
            let login = new_login(&account, change).await.unwrap();
            assert_eq!(login.certificate, kept.then_some(Fingerprint([7; 32])), "{address}");
            let accepted = Some(Fingerprint([8; 32]));
            let change =
                ServerAccount { address: address.to_owned(), certificate: accepted, ..ServerAccount::default() };
            assert_eq!(new_login(&account, change).await.unwrap().certificate, accepted, "{address}");
        }
    }
}
