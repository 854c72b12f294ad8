//! The accounts on servers for the window: the use cases of [`accounts`] with the types of the contract.

use crate::{
    App,
    accounts::{self, find_server, server_address, store_account},
    connection::{certificate, fingerprint},
    error::{Result, stored_error},
    jobs::Job,
    numbers::to_number,
    sync::{self, sync_account},
};
use gleaner_contract::{
    self as contract, AddServerAccount, AddedServerAccount, RemoveServerAccount, RenameServerAccount, ServerAccountId,
    ServerOnlyFeed, ServerOnlyFeedId, ServerSynced, SetServerLogin, SetServerOptions,
};
use gleaner_library::{Account, Cause, MarkKind};
use gleaner_polling::secrets;
use gleaner_sync::{Found, Options, SyncError};

/// Returns the accounts, also removed ones that can be restored.
pub async fn server_accounts(app: &App, (): ()) -> Result<Vec<contract::ServerAccount>> {
    let library = app.core().await?.library;
    // This only reads, since the window calls it whenever the library was written.
    let accounts = library.accounts().list().await?;
    let waiting = library.sync().count_changes().await?;
    let offline = app.session().offline_accounts.lock().clone();
    let shown = |account: Account| {
        let (waiting, offline) = (waiting.get(&account.id).copied().unwrap_or(0), offline.contains(&account.id));
        shown(account, waiting, offline)
    };
    Ok(accounts.into_iter().map(shown).collect())
}

fn shown(account: Account, waiting_changes: i64, offline: bool) -> contract::ServerAccount {
    let error = account.error_code.map(|code| stored_error(code, account.error_parameters));
    contract::ServerAccount {
        id: account.id,
        name: account.name,
        url: account.url,
        user_name: account.user_name,
        synced_at: account.synced_at,
        waiting_changes,
        error,
        offline,
        removed_at: account.removed_at,
        sync_minutes: account.sync_minutes,
        history: account.history,
    }
}

pub async fn add_server_account(app: &App, new: AddServerAccount) -> Result<AddedServerAccount> {
    let core = app.core().await?;
    let address = server_address(&new.address)?;
    let new = accounts::ServerAccount {
        address: new.address,
        user: new.user_name.trim().to_owned(),
        password: new.password,
        app: new.app,
        in_library: new.password_in_library,
        certificate: new.certificate.as_deref().map(fingerprint).transpose()?,
        ..accounts::ServerAccount::default()
    };
    match or_certificate(find_server(&core, &address, &new).await)? {
        Ok(found) => {
            let account = store_account(app, &core, new, found).await?;
            Ok(AddedServerAccount::Added { account: shown(account, 0, false) })
        }
        Err(certificate) => Ok(AddedServerAccount::Certificate { certificate }),
    }
}

/// Returns the result, or the certificate that is not valid.
fn or_certificate(found: Result<Found, SyncError>) -> Result<Result<Found, contract::Certificate>> {
    match found {
        Err(SyncError::Fetch(error)) => certificate(&error).map(Err).ok_or_else(|| SyncError::Fetch(error).into()),
        found => Ok(Ok(found?)),
    }
}

pub async fn sync_server_account(app: &App, args: ServerAccountId) -> Result<ServerSynced> {
    secrets::ask_again();
    let report = sync_account(app, args.account_id, &Options::default()).await?;
    Ok(ServerSynced {
        new_articles: to_number(report.new),
        changed_articles: to_number(report.changed),
        sent: to_number(report.sent + report.changes_sent),
        refused: [report.refused, report.unsupported].concat(),
    })
}

/// Stops the running synchronisation. What was downloaded stays; the next one continues.
pub async fn cancel_server_sync(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::Sync);
    Ok(())
}

pub async fn set_server_login(app: &App, args: SetServerLogin) -> Result<Option<contract::Certificate>> {
    let core = app.core().await?;
    let account = core.library.accounts().get(args.account_id).await?;
    let change = accounts::ServerAccount {
        address: args.address,
        password: args.password,
        app: args.app,
        in_library: args.password_in_library,
        certificate: args.certificate.as_deref().map(fingerprint).transpose()?,
        ..accounts::ServerAccount::default()
    };
    let new = accounts::new_login(&account, change).await?;
    match or_certificate(find_server(&core, &server_address(&new.address)?, &new).await)? {
        Ok(found) => accounts::store_login(app, &core, account, new, found).await.map(|()| None),
        Err(certificate) => Ok(Some(certificate)),
    }
}

pub async fn remove_server_account(app: &App, args: RemoveServerAccount) -> Result<()> {
    accounts::remove_account(app, args.account_id, args.keep).await
}

/// Returns the feeds of an account that were unsubscribed here and that the server keeps.
pub async fn server_only_feeds(app: &App, args: ServerAccountId) -> Result<Vec<ServerOnlyFeed>> {
    let feeds = accounts::list_server_only_feeds(app, args.account_id).await?;
    let shown = |feed: gleaner_library::ServerOnlyFeed| ServerOnlyFeed {
        title: if feed.title.trim().is_empty() { feed.url } else { feed.title },
        remote_id: feed.remote_id,
    };
    Ok(feeds.into_iter().map(shown).collect())
}

pub async fn restore_server_only_feed(app: &App, args: ServerOnlyFeedId) -> Result<()> {
    accounts::restore_server_only(app, args.account_id, &args.remote_id).await
}

pub async fn restore_server_account(app: &App, args: ServerAccountId) -> Result<()> {
    accounts::restore_account(app, args.account_id).await
}

/// Returns the last synchronisations of an account, newest first.
pub async fn sync_log(app: &App, args: ServerAccountId) -> Result<Vec<contract::SyncLogEntry>> {
    let entries = sync::account_log(app, args.account_id).await?;
    Ok(entries.into_iter().map(sync::shown_entry).collect())
}

/// Returns the progress of the running synchronisation.
pub async fn sync_progress(app: &App, (): ()) -> Result<Option<contract::SyncProgress>> {
    Ok(app.session().syncing.lock().clone())
}

pub async fn set_server_options(app: &App, args: SetServerOptions) -> Result<()> {
    accounts::set_account_options(app, args.account_id, Some(args.sync_minutes), Some(args.history)).await?;
    Ok(())
}

pub async fn rename_server_account(app: &App, args: RenameServerAccount) -> Result<contract::UndoStep> {
    let done = accounts::rename_account(app, args.account_id, &args.name).await?;
    Ok(contract::UndoStep { undo: done.step })
}

pub async fn move_to_account(app: &App, args: contract::MoveToAccount) -> Result<contract::UndoStep> {
    let done = accounts::move_to_account(app, &args.feeds, args.account_id).await?;
    Ok(contract::UndoStep { undo: done.step })
}

/// Returns how the marks of an article changed, newest first.
pub async fn mark_history(app: &App, args: contract::ArticleId) -> Result<contract::MarkHistory> {
    let library = app.core().await?.library;
    let origin = library.sync().origin(args.id).await?;
    let changes = library.sync().mark_changes(args.id).await?;
    let shown = |change: gleaner_library::MarkChange| contract::MarkChange {
        at: change.at,
        mark: match &change.kind {
            MarkKind::Read => contract::MarkName::Read,
            MarkKind::Starred => contract::MarkName::Starred,
            MarkKind::Label(_) => contract::MarkName::Tag,
        },
        tag: if let MarkKind::Label(name) = change.kind { Some(name) } else { None },
        on: change.on,
        cause: match change.cause {
            Cause::Here => contract::MarkCause::Here,
            Cause::Undo => contract::MarkCause::Undo,
            Cause::Rule(_) => contract::MarkCause::Rule,
            Cause::Duplicate => contract::MarkCause::Duplicate,
            Cause::Import => contract::MarkCause::Import,
            Cause::Server => contract::MarkCause::Server,
            Cause::Sent => contract::MarkCause::Sent,
            Cause::Refused => contract::MarkCause::Refused,
        },
        account: change.account,
        rule: change.rule,
    };
    let (account, received_at) = origin.unzip();
    Ok(contract::MarkHistory { account, received_at, changes: changes.into_iter().map(shown).collect() })
}
