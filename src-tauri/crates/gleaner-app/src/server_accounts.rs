//! The accounts at servers for the window: the use cases of [`accounts`] with the types of the contract.

use crate::{
    App,
    accounts::{self, find_server, server_address, store_account, sync_account},
    connection::{certificate, fingerprint},
    convert::count,
    error::Result,
    jobs::Job,
};
use gleaner_contract::{
    self as contract, AddServerAccount, AddedServerAccount, ErrorCode, IpcError, RemoveServerAccount, ServerAccountId,
    ServerSynced, SetServerPassword,
};
use gleaner_library::Account;
use gleaner_sync::{Options, SyncError};

/// Returns the accounts, also removed ones that can be restored.
pub async fn server_accounts(app: &App, (): ()) -> Result<Vec<contract::ServerAccount>> {
    let library = app.core().await?.library;
    // Only reads: the window asks again whenever the library was written.
    let accounts = library.accounts().list().await?;
    let waiting = library.sync().count_changes().await?;
    let shown = |account: Account| {
        let waiting = waiting.get(&account.id).copied().unwrap_or(0);
        shown(account, waiting)
    };
    Ok(accounts.into_iter().map(shown).collect())
}

fn shown(account: Account, waiting_changes: i64) -> contract::ServerAccount {
    let error = account.error_code.map(|code| {
        // A code of a later version of Gleaner.
        let code = serde_json::from_value(code.into()).unwrap_or(ErrorCode::Internal);
        IpcError { params: account.error_parameters.0, ..IpcError::new(code) }
    });
    contract::ServerAccount {
        id: account.id,
        name: account.name,
        url: account.url,
        user_name: account.user_name,
        synced_at: account.synced_at,
        waiting_changes,
        error,
        removed_at: account.removed_at,
    }
}

pub async fn add_server_account(app: &App, new: AddServerAccount) -> Result<AddedServerAccount> {
    let core = app.core().await?;
    let address = server_address(&new.address)?;
    let new = accounts::ServerAccount {
        address: new.address,
        user: new.user_name.trim().to_owned(),
        password: new.password,
        in_library: new.password_in_library,
        certificate: new.certificate.as_deref().map(fingerprint).transpose()?,
        ..accounts::ServerAccount::default()
    };
    let found = match find_server(&core, &address, &new).await {
        Ok(found) => found,
        Err(SyncError::Fetch(error)) => {
            return match certificate(&error) {
                Some(certificate) => Ok(AddedServerAccount::Certificate { certificate }),
                None => Err(SyncError::Fetch(error).into()),
            };
        }
        Err(error) => return Err(error.into()),
    };
    let account = store_account(app, &core, new, found).await?;
    Ok(AddedServerAccount::Added { account: shown(account, 0) })
}

pub async fn sync_server_account(app: &App, args: ServerAccountId) -> Result<ServerSynced> {
    let report = sync_account(app, args.account_id, &Options::default()).await?;
    Ok(ServerSynced {
        new_articles: count(report.new),
        changed_articles: count(report.changed),
        sent: count(report.sent + report.changes_sent),
        refused: [report.refused, report.unsupported].concat(),
    })
}

/// Stops the running synchronisation. What was downloaded stays; the next one continues.
pub async fn cancel_server_sync(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::Sync);
    Ok(())
}

pub async fn set_server_password(app: &App, args: SetServerPassword) -> Result<()> {
    accounts::set_account_password(app, args.account_id, args.password, args.password_in_library).await
}

pub async fn remove_server_account(app: &App, args: RemoveServerAccount) -> Result<()> {
    accounts::remove_account(app, args.account_id, args.keep).await
}

pub async fn restore_server_account(app: &App, args: ServerAccountId) -> Result<()> {
    accounts::restore_account(app, args.account_id).await
}
