//! `glean account`: accounts on feed reader servers. Passwords are never printed.

mod log;

use crate::{
    access::{self, read_password},
    args::{Account as Args, AccountCommand, Api, AppOptions},
    cancel::cancel_on_ctrl_c,
    find::find_feed,
    messages::{Failure, message, stored_error},
    output::{self, count, moment},
};
use gleaner_address::without_password;
use gleaner_app::{App, ServerAccount};
use gleaner_contract::{AppKeys, ErrorCode};
use gleaner_library::Account;
use gleaner_sync::{Delayed, Options, Progress, Report, Stage};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::process::ExitCode;
use tokio::sync::watch;

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
    /// Titles of feeds that were changed in a way for which the server's API has no request.
    unsupported: &'a [String],
    /// Feeds that were unsubscribed here only: the server keeps them.
    kept: &'a [String],
    feeds_added: usize,
    feeds_left: usize,
    feeds_missing: usize,
    items_new: usize,
    items_changed: usize,
    incomplete: bool,
}

const NO_ACCOUNTS: &str = "No accounts. `glean account add ADDRESS --user NAME` adds one.";

pub async fn run(app: &App, args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        AccountCommand::Add {
            address,
            user,
            password_file,
            app: app_keys,
            password_in_library,
            accept_certificate,
            name,
            history,
            api,
        } => {
            // Errors in arguments are reported before the prompt.
            let certificate = accept_certificate.map(|text| text.parse()).transpose()?;
            let password = read_password(password_file.as_deref(), "Password: ")?;
            let api = api.map(Api::kind);
            let (keys, in_library) = (keys(app_keys)?, password_in_library);
            let new = ServerAccount { address, user, password, app: keys, in_library, certificate, name, history, api };
            add(app, new).await
        }
        AccountCommand::List { json } => list(app, json).await,
        AccountCommand::Sync { account, accept_missing, json } => {
            cancel_on_ctrl_c(app);
            let accounts = match account {
                Some(wanted) => vec![find_active(app, &wanted).await?],
                None => active(app).await?,
            };
            if accounts.is_empty() && !json {
                println!("{NO_ACCOUNTS}");
            }
            sync(app, &accounts, &Options { accept_missing, ..Options::default() }, json).await
        }
        AccountCommand::Log { account, json } => log::run(app, &find_active(app, &account).await?, json).await,
        AccountCommand::Settings { account, every, history } => {
            set_options(app, find_active(app, &account).await?, every, history).await
        }
        AccountCommand::Rename { account, name } => rename(app, &find_active(app, &account).await?, &name).await,
        AccountCommand::Subscribe { account, url, folder } => {
            subscribe(app, &find_active(app, &account).await?, &url, folder.as_deref()).await
        }
        AccountCommand::Move { feeds, to } => move_feeds(app, &feeds, &to).await,
        AccountCommand::Password {
            account,
            address,
            password_file,
            app: app_keys,
            password_in_library: in_library,
            accept_certificate,
        } => {
            let account = find_active(app, &account).await?;
            let certificate = accept_certificate.map(|text| text.parse()).transpose()?;
            let password = read_password(password_file.as_deref(), "Password: ")?;
            let (address, keys) = (address.unwrap_or_default(), keys(app_keys)?);
            let login =
                ServerAccount { address, password, app: keys, in_library, certificate, ..ServerAccount::default() };
            set_login(app, &account, login).await
        }
        AccountCommand::Remove { account, keep, delete: _ } => {
            remove(app, &find_active(app, &account).await?, keep).await
        }
        AccountCommand::Restore { account } => restore(app, &account).await,
    }
}

/// Adds an account, and synchronises it.
async fn add(app: &App, new: ServerAccount) -> Result<ExitCode, Failure> {
    let account = gleaner_app::add_account(app, new).await.map_err(described)?;
    println!("Added {} ({})", account.name, account.url);
    cancel_on_ctrl_c(app);
    sync(app, &[account], &Options::default(), false).await
}

/// Sets how often an account is synchronised and how many articles it downloads, if given, and prints both.
async fn set_options(
    app: &App,
    mut account: Account,
    every: Option<i64>,
    history: Option<i64>,
) -> Result<ExitCode, Failure> {
    if every.is_some() || history.is_some() {
        account = gleaner_app::set_account_options(app, account.id, every, history).await?;
    }
    match account.sync_minutes {
        0 => println!("{}: synchronised only by hand", account.name),
        minutes => println!("{}: synchronised every {}", account.name, count(minutes, "minute")),
    }
    println!("  Downloads unread and starred articles, and the newest {}", account.history);
    Ok(ExitCode::SUCCESS)
}

async fn rename(app: &App, account: &Account, name: &str) -> Result<ExitCode, Failure> {
    if name.trim().is_empty() {
        return Err("an account needs a name".into());
    }
    gleaner_app::rename_account(app, account.id, name).await?;
    println!("Renamed {} to {}.", account.name, name.trim());
    Ok(ExitCode::SUCCESS)
}

async fn subscribe(app: &App, account: &Account, url: &str, folder: Option<&str>) -> Result<ExitCode, Failure> {
    let subscribed = gleaner_app::subscribe_in_account(app, account.id, url, folder).await;
    subscribed.map_err(|error| match error.code() {
        ErrorCode::ServerRefusedFeed if !gleaner_app::changes_subscriptions(account) => {
            format!("{}: its API can't change subscriptions; subscribe on the server", message(error)).into()
        }
        _ => Failure::from(error),
    })?;
    println!("Subscribed to {} in {}", without_password(url), account.name);
    Ok(ExitCode::SUCCESS)
}

async fn set_login(app: &App, account: &Account, login: ServerAccount) -> Result<ExitCode, Failure> {
    gleaner_app::set_account_login(app, account.id, login).await.map_err(described)?;
    println!("Saved the password of {}.", account.name);
    Ok(ExitCode::SUCCESS)
}

async fn remove(app: &App, account: &Account, keep: bool) -> Result<ExitCode, Failure> {
    gleaner_app::remove_account(app, account.id, keep).await?;
    let fate = if keep { "Gleaner checks its feeds from now on" } else { "its feeds and articles are deleted" };
    println!("Removed {}: {fate}. `glean account restore {}` undoes this for a day.", account.name, account.id);
    Ok(ExitCode::SUCCESS)
}

async fn restore(app: &App, wanted: &str) -> Result<ExitCode, Failure> {
    let (removed, active): (Vec<_>, Vec<_>) =
        gleaner_app::list_accounts(app).await?.into_iter().partition(|account| account.removed_at.is_some());
    let account = match (find(removed, wanted), find(active, wanted)) {
        (Err(_), Ok(account)) => return Err(format!("{} was not removed", account.name).into()),
        (account, _) => account?,
    };
    gleaner_app::restore_account(app, account.id).await?;
    println!("Restored {}.", account.name);
    Ok(ExitCode::SUCCESS)
}

/// Returns the keys of an app.
fn keys(app: AppOptions) -> Result<Option<AppKeys>, Failure> {
    let (Some(id), Some(file)) = (app.app_id, app.app_key_file) else { return Ok(None) };
    Ok(Some(AppKeys { id, key: read_password(Some(&file), "")? }))
}

/// Moves feeds into an account, or to this computer.
async fn move_feeds(app: &App, wanted: &[String], to: &str) -> Result<ExitCode, Failure> {
    let account = if to == "local" { None } else { Some(find_active(app, to).await?) };
    let library = app.core().await?.library;
    let mut feeds = Vec::new();
    for wanted in wanted {
        feeds.push(find_feed(&library, wanted).await?.id);
    }
    let moved = gleaner_app::move_to_account(app, &feeds, account.as_ref().map(|account| account.id)).await?;
    let place = account.as_ref().map_or("this computer", |account| account.name.as_str());
    if moved.count == 0 {
        println!("Nothing was moved: the feeds belong to {place} already.");
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "Moved {} to {place}. Servers receive the change with the next synchronisation.",
        output::count(moved.count, "feed")
    );
    Ok(ExitCode::SUCCESS)
}

/// Adds what the user can do to an error.
fn described(error: gleaner_app::AppError) -> Failure {
    match error.code() {
        ErrorCode::CertificateExpired
        | ErrorCode::CertificateNotYetValid
        | ErrorCode::CertificateWrongHost
        | ErrorCode::CertificateUntrusted
        | ErrorCode::CertificateInvalid => {
            format!("{}; if you trust it, add --accept-certificate SHA256", message(error)).into()
        }
        _ => access::described(error),
    }
}

async fn active(app: &App) -> Result<Vec<Account>, Failure> {
    let mut accounts = gleaner_app::list_accounts(app).await?;
    accounts.retain(|account| account.removed_at.is_none());
    Ok(accounts)
}

async fn find_active(app: &App, wanted: &str) -> Result<Account, Failure> {
    find(active(app).await?, wanted)
}

/// Finds an account by its number, its whole name or its whole address.
fn find(mut accounts: Vec<Account>, wanted: &str) -> Result<Account, Failure> {
    let (name, address) = (wanted.trim().to_lowercase(), wanted.trim().trim_end_matches('/'));
    let is = |account: &Account| {
        let has = |own: &str, wanted: &str| !wanted.is_empty() && own == wanted;
        account.id.to_string() == name
            || has(&account.name.trim().to_lowercase(), &name)
            || has(account.url.trim_end_matches('/'), address)
    };
    match accounts.iter().filter(|account| is(account)).count() {
        0 => Err(format!(
            "there is no account {}; `glean account list` lists them",
            gleaner_address::without_password(wanted)
        )
        .into()),
        1 => {
            let at = accounts.iter().position(is).unwrap_or(0);
            Ok(accounts.swap_remove(at))
        }
        _ => Err(format!(
            "several accounts match {}; use the number that `glean account list` shows",
            gleaner_address::without_password(wanted)
        )
        .into()),
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
        output::json(&listed.collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    if accounts.is_empty() {
        println!("{NO_ACCOUNTS}");
    }
    for account in &accounts {
        println!("{:>3}  {}  {} at {}", account.id, account.name, account.user_name, account.url);
        let is_again = |other: &Account| {
            let address = |account: &Account| account.url.trim_end_matches('/').to_owned();
            other.removed_at.is_none() && address(other) == address(account) && other.user_name == account.user_name
        };
        match account.removed_at {
            Some(at) if accounts.iter().any(is_again) => println!("     removed on {}, and added again", moment(at)),
            Some(at) => println!("     removed on {}; `glean account restore {}` restores it", moment(at), account.id),
            None => {}
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

/// Shows the progress of a synchronisation on a terminal.
fn show_progress() -> (watch::Sender<Progress>, ProgressBar) {
    let (sender, mut progress) = watch::channel(Progress::default());
    let bar = ProgressBar::no_length().with_style(ProgressStyle::default_spinner());
    let shown = bar.clone();
    tokio::spawn(async move {
        while progress.changed().await.is_ok() {
            let now = progress.borrow_and_update().clone();
            let what = match now.stage {
                Stage::LogIn => "logging in",
                Stage::Send => "sending changes",
                Stage::Feeds => "reading subscriptions",
                Stage::Lists => "reading lists",
                Stage::Articles => "downloading articles",
            };
            shown.set_message(match (now.done, now.total) {
                (0, None) => what.to_owned(),
                (done, None) => format!("{what}: {done}"),
                (done, Some(total)) => format!("{what}: {done} of {total}"),
            });
            shown.tick();
        }
    });
    (sender, bar)
}

async fn sync(app: &App, accounts: &[Account], options: &Options, json: bool) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    for account in accounts {
        let (sender, bar) = show_progress();
        let done =
            gleaner_app::sync_account(app, account.id, &Options { progress: Some(sender), ..options.clone() }).await;
        bar.finish_and_clear();
        match done {
            Ok(report) if json => output::json(&synced(account.id, &report))?,
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
        kept: &report.kept,
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
        "{}: {}, {} marked on the server, {} sent",
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
        println!("  {title}: this server's API can't change subscriptions; change it on the server");
    }
    for title in &report.kept {
        println!("  {title} is unsubscribed here only: the server keeps it");
    }
    if report.feeds_missing > 0 {
        let parameters = [("count".to_owned(), report.feeds_missing.to_string())].into();
        println!("  {}", stored_error("server_feeds_missing", &parameters));
    }
    if report.unreadable > 0 {
        println!("  Left out, since the server's response can't be read: {}", count(report.unreadable, "article"));
    }
    if report.incomplete {
        println!("  The server's lists were incomplete, so some changes made elsewhere may be missing");
    }
}
