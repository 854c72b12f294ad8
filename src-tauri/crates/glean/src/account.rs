//! `glean account`: accounts at feed reader servers. Passwords are never printed.

use crate::{
    access::read_password,
    args::{Account as Args, AccountCommand, Api},
    commands::{Failure, cancel_on_ctrl_c},
    messages::{message, stored_error},
    output::count,
    why::moment,
};
use gleaner_app::{App, ServerAccount};
use gleaner_contract::ErrorCode;
use gleaner_library::Account;
use gleaner_sync::{Delayed, Kind, Options, Report};
use serde::Serialize;
use std::process::ExitCode;

/// An account in the output of `glean account list --json`; a public contract.
#[derive(Serialize)]
struct Listed<'a> {
    id: i64,
    name: &'a str,
    api: &'a str,
    url: &'a str,
    user: &'a str,
    /// Times in Unix milliseconds.
    synced_at: Option<i64>,
    error: Option<&'a str>,
    removed_at: Option<i64>,
}

/// Output of `glean account sync --json`; a public contract.
#[derive(Serialize)]
struct Synced<'a> {
    account: i64,
    sent: usize,
    changes_sent: usize,
    refused: &'a [String],
    /// Titles of feeds, and names of labels, whose change is sent again the next time.
    delayed: Vec<&'a str>,
    /// Titles of feeds whose change the server's API has no request for.
    unsupported: &'a [String],
    feeds_added: usize,
    feeds_left: usize,
    feeds_missing: usize,
    items_new: usize,
    items_changed: usize,
    incomplete: bool,
}

pub async fn run(app: &App, args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        AccountCommand::Add {
            address,
            user,
            password_file,
            password_in_library,
            accept_certificate,
            name,
            history,
            api,
        } => {
            let password = read_password(password_file.as_deref(), "Password: ")?;
            let certificate = accept_certificate.map(|text| text.parse()).transpose()?;
            let api = api.map(Api::kind);
            let in_library = password_in_library;
            let new = ServerAccount { address, user, password, in_library, certificate, name, history, api };
            let account = gleaner_app::add_account(app, new).await.map_err(described)?;
            println!("Added {} ({})", account.name, account.url);
            sync(app, &[account], &Options::default(), false).await
        }
        AccountCommand::List { json } => list(app, json).await,
        AccountCommand::Sync { account, accept_missing, json } => {
            cancel_on_ctrl_c(app);
            let mut accounts = active(app).await?;
            if let Some(wanted) = account {
                accounts = vec![find(accounts, &wanted)?];
            }
            sync(app, &accounts, &Options { accept_missing, ..Options::default() }, json).await
        }
        AccountCommand::Subscribe { account, url, folder } => {
            let account = find(active(app).await?, &account)?;
            let subscribed = gleaner_app::subscribe_in_account(app, account.id, &url, folder.as_deref()).await;
            subscribed.map_err(|error| match error.code() {
                ErrorCode::ServerRefusedFeed if account.kind == Kind::Fever.name() => {
                    format!("{}: its API can't change subscriptions; subscribe at the server", message(error)).into()
                }
                _ => Failure::from(error),
            })?;
            println!("Subscribed to {url} in {}", account.name);
            Ok(ExitCode::SUCCESS)
        }
        AccountCommand::Password { account, password_file, password_in_library } => {
            let account = find(active(app).await?, &account)?;
            let password = read_password(password_file.as_deref(), "Password: ")?;
            gleaner_app::set_account_password(app, account.id, password, password_in_library)
                .await
                .map_err(described)?;
            println!("Saved the password of {}", account.name);
            Ok(ExitCode::SUCCESS)
        }
        AccountCommand::Remove { account, keep, delete: _ } => {
            let account = find(active(app).await?, &account)?;
            gleaner_app::remove_account(app, account.id, keep).await?;
            let fate = if keep { "Gleaner checks its feeds from now on" } else { "its feeds and articles are deleted" };
            println!("Removed {}: {fate}. `glean account restore {}` undoes this for a day.", account.name, account.id);
            Ok(ExitCode::SUCCESS)
        }
        AccountCommand::Restore { account } => {
            let mut accounts = gleaner_app::list_accounts(app).await?;
            accounts.retain(|account| account.removed_at.is_some());
            let account = find(accounts, &account)?;
            gleaner_app::restore_account(app, account.id).await?;
            println!("Restored {}", account.name);
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Adds what the user can do to an error.
fn described(error: gleaner_app::AppError) -> Failure {
    match error.code() {
        ErrorCode::NoKeyring => {
            format!("{}; --password-in-library saves the password in the library file", message(error)).into()
        }
        ErrorCode::CertificateExpired
        | ErrorCode::CertificateNotYetValid
        | ErrorCode::CertificateWrongHost
        | ErrorCode::CertificateUntrusted
        | ErrorCode::CertificateInvalid => {
            format!("{}; if you trust it, add --accept-certificate SHA256", message(error)).into()
        }
        _ => error.into(),
    }
}

async fn active(app: &App) -> Result<Vec<Account>, Failure> {
    let mut accounts = gleaner_app::list_accounts(app).await?;
    accounts.retain(|account| account.removed_at.is_none());
    Ok(accounts)
}

/// Finds an account by its number, name or address.
fn find(mut accounts: Vec<Account>, wanted: &str) -> Result<Account, Failure> {
    let name = wanted.to_lowercase();
    let is = |account: &Account| {
        account.id.to_string() == wanted || account.name.to_lowercase() == name || account.url.starts_with(wanted)
    };
    match accounts.iter().filter(|account| is(account)).count() {
        0 => Err(format!("there is no account {wanted}; `glean account list` lists them").into()),
        1 => {
            let at = accounts.iter().position(is).unwrap_or(0);
            Ok(accounts.swap_remove(at))
        }
        _ => Err(format!("several accounts match {wanted}; use the number that `glean account list` shows").into()),
    }
}

async fn list(app: &App, json: bool) -> Result<ExitCode, Failure> {
    let accounts = gleaner_app::list_accounts(app).await?;
    if json {
        let listed = accounts.iter().map(|account| Listed {
            id: account.id,
            name: &account.name,
            api: &account.kind,
            url: &account.url,
            user: &account.user_name,
            synced_at: account.synced_at,
            error: account.error_code.as_deref(),
            removed_at: account.removed_at,
        });
        println!("{}", serde_json::to_string(&listed.collect::<Vec<_>>())?);
        return Ok(ExitCode::SUCCESS);
    }
    if accounts.is_empty() {
        println!("No accounts. `glean account add ADDRESS --user NAME` adds one.");
    }
    for account in accounts {
        println!("{:>3}  {}  {} at {}", account.id, account.name, account.user_name, account.url);
        if let Some(at) = account.removed_at {
            println!("     removed on {}; `glean account restore {}` restores it", moment(at), account.id);
        }
        if let Some(at) = account.synced_at {
            println!("     synchronised on {}", moment(at));
        }
        if let Some(code) = &account.error_code {
            println!("     {}", stored_error(code, &account.error_parameters.0));
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn sync(app: &App, accounts: &[Account], options: &Options, json: bool) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    for account in accounts {
        match gleaner_app::sync_account(app, account.id, options).await {
            Ok(report) if json => println!("{}", serde_json::to_string(&synced(account.id, &report))?),
            Ok(report) => print(account, &report),
            Err(error) => {
                eprintln!("glean: {}: {}", account.name, message(error));
                code = ExitCode::from(1);
            }
        }
    }
    Ok(code)
}

fn synced(account: i64, report: &Report) -> Synced<'_> {
    Synced {
        account,
        sent: report.sent,
        changes_sent: report.changes_sent,
        refused: &report.refused,
        delayed: report.delayed.iter().map(|change| change.title.as_str()).collect(),
        unsupported: &report.unsupported,
        feeds_added: report.feeds_added,
        feeds_left: report.feeds_left,
        feeds_missing: report.feeds_missing,
        items_new: report.new,
        items_changed: report.changed,
        incomplete: report.incomplete,
    }
}

fn print(account: &Account, report: &Report) {
    println!(
        "{}: {}, {} marked at the server, {} sent",
        account.name,
        count(report.new, "new article"),
        count(report.changed, "article"),
        count(report.sent + report.changes_sent, "change")
    );
    if report.feeds_added + report.feeds_left > 0 {
        println!("  {} added, {} left", count(report.feeds_added, "feed"), count(report.feeds_left, "feed"));
    }
    for title in &report.refused {
        println!("  The server refused a change of {title}");
    }
    for Delayed { title, refused } in &report.delayed {
        let why = if *refused { "refused" } else { "failed at" };
        println!("  The server {why} a change of {title}; Gleaner tries again at the next synchronisation");
    }
    for title in &report.unsupported {
        println!("  {title}: this server's API can't change subscriptions; change it at the server");
    }
    if report.feeds_missing > 0 {
        let parameters = [("count".to_owned(), report.feeds_missing.to_string())].into();
        println!("  {}", stored_error("server_feeds_missing", &parameters));
    }
    if report.incomplete {
        println!("  The server's lists were incomplete, so that no article was marked as read or unstarred");
    }
}
