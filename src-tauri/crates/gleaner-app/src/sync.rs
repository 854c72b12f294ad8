//! Synchronising accounts with their servers: by hand, at the start, from time to time, and some time after a change. One process
//! synchronises at a time. Each synchronisation that changed something or failed is in the account's log.

use crate::{
    App, Core,
    error::{AppError, Result, internal, stored_error},
    jobs::{Job, Running},
    notifications,
    numbers::to_number,
};
use gleaner_contract::{self as contract, ErrorCode, Event, SyncProgress, SyncStage};
use gleaner_fetch::{Fingerprint, RequestCounter};
use gleaner_library::{Account, LibraryError, Millis, Parameters, RejectionKind, SyncLogEntry};
use gleaner_polling::secrets;
use gleaner_sync::{Client, Connection, Kind, Options, Progress, Report, Stage, SyncError};
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::watch;
use url::Url;

/// Time after a mark until it is sent, so that many marks are sent together.
const AFTER_MARKS: Duration = Duration::from_secs(20);
/// Maximum wait that a server can request.
const MAX_WAIT: Millis = 7 * 86_400_000;
/// A synchronisation without changes is recorded once in this time.
const RECORD_EVERY: Millis = 3_600_000;
/// Time until an account is synchronised again if its password could not be read: the keyring may be locked, or start later.
const KEYRING_RETRY: Duration = Duration::from_secs(5 * 60);
/// Minimum time between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(200);
/// Minimum time between two updates of the window's lists.
const SHOW_EVERY: Duration = Duration::from_secs(2);

/// Returns the accounts on servers, also removed ones that can be restored.
///
/// # Errors
/// When the library cannot be read.
pub async fn list_accounts(app: &App) -> Result<Vec<Account>> {
    let library = app.core().await?.library;
    library.accounts().delete_removed().await?;
    Ok(library.accounts().list().await?)
}

/// Synchronises an account with its server, and stores why that failed.
///
/// # Errors Why the account cannot be synchronised; `busy` while another process does that; `retry_after_until` while the server asked to
/// wait.
pub async fn sync_account(app: &App, id: i64, options: &Options) -> Result<Report> {
    let run = app.jobs().queue(Job::Sync).await;
    let core = app.core().await?;
    let done = sync(app, &core, id, options, &run).await;
    core.library.accounts().delete_removed().await?;
    secrets::delete_unused(&core.library).await?;
    let report = done?;
    notifications::request(app, &core, &report.notify, &report.searches).await;
    Ok(report)
}

async fn sync(app: &App, core: &Core, id: i64, options: &Options, run: &Running) -> Result<Report> {
    let account = core.library.accounts().get(id).await?;
    if account.removed_at.is_some() {
        return Err(LibraryError::NotFound("account").into());
    }
    let now = core.library.now();
    // A later moment was set by a wrong clock.
    if let Some(until) = account.wait_until.filter(|until| (now..now + MAX_WAIT).contains(until)) {
        return Err(SyncError::Waiting(until).into());
    }
    let Some(_lock) = core.library.sync_lock()? else { return Err(SyncError::OtherProcess.into()) };
    let progress = options.progress.clone().unwrap_or_else(|| watch::channel(Progress::default()).0);
    let options = Options { progress: Some(progress.clone()), ..options.clone() };
    let counter = counter(app, id).await;
    let before = (counter.requests(), counter.bytes());
    let began = Instant::now();
    let done = tokio::select! {
        done = exchange(app, core, &account, &options, run, &counter) => done,
        () = report_progress(app, &account, progress.subscribe()) => Err(SyncError::Cancelled),
        // A server that does not respond must not hold up what waits for the end. It is the same as a kill: what was stored stays.
        () = run.cancelled() => Err(SyncError::Cancelled),
    };
    set_progress(app, None, id);
    let report = done.as_ref().map_or_else(|_| progress.borrow().report.clone(), Report::clone);
    let entry = SyncLogEntry {
        at: now,
        took_ms: to_number(began.elapsed().as_millis()),
        requests: to_number(counter.requests() - before.0),
        bytes: to_number(counter.bytes() - before.1),
        ..entry(&report)
    };
    match done {
        Ok(report) => {
            record_success(app, core, &account, &report, entry).await?;
            Ok(report)
        }
        Err(SyncError::Cancelled) => {
            core.library.sync().write_log(id, &SyncLogEntry { stopped: true, ..entry }).await?;
            app.library_changed(true, true);
            Err(SyncError::Cancelled.into())
        }
        Err(error) => {
            let (error, until) = describe(error, now);
            record_failure(app, core, &account, (&error, until), entry).await?;
            Err(error)
        }
    }
}

/// Records that an account was synchronised at `entry.at`, with what the user has to know about it.
async fn record_success(app: &App, core: &Core, account: &Account, report: &Report, entry: SyncLogEntry) -> Result<()> {
    let was_offline = app.session().offline_accounts.lock().remove(&account.id);
    let problem = match report.changes_wait.and_then(|wait| i64::try_from(wait.as_millis()).ok()) {
        _ if report.feeds_missing > 0 => Some(("server_feeds_missing", "count", report.feeds_missing.to_string())),
        Some(wait) => Some(("server_changes_wait", "until", (entry.at + wait).to_string())),
        None => None,
    };
    let code = problem.as_ref().map(|(code, _, _)| *code);
    let parameters = Parameters(problem.iter().map(|(_, name, value)| ((*name).to_owned(), value.clone())).collect());
    let same = account.error_code.as_deref() == code && account.wait_until.is_none();
    // A library without changes is not written to.
    if !same
        || account.synced_at.is_none_or(|at| !(0..=RECORD_EVERY).contains(&(entry.at - at)))
        || *report != Report::default()
    {
        core.library.accounts().record(account.id, code.map(|code| (code, &parameters)), None).await?;
        let (error_code, error_parameters) = (code.map(str::to_owned), parameters);
        let entry = SyncLogEntry { error_code, error_parameters, ..entry };
        core.library.sync().write_log(account.id, &entry).await?;
    }
    if *report != Report::default() {
        app.library_changed(true, true);
    } else if was_offline || !same {
        app.library_changed(true, false);
    }
    Ok(())
}

/// Returns the error for the user, and the moment until which the server asks to wait.
fn describe(error: SyncError, now: Millis) -> (AppError, Option<Millis>) {
    let until = match &error {
        SyncError::Wait(wait) => i64::try_from(wait.as_millis()).ok().map(|wait| now + wait.min(MAX_WAIT)),
        _ => None,
    };
    let error = AppError::from(error);
    let error = match until {
        Some(until) => AppError::new(ErrorCode::RetryAfterUntil, &error).with("until", until),
        None => error,
    };
    (error, until)
}

/// Stores why an account was not synchronised at `entry.at`, and until when the server asks to wait.
async fn record_failure(
    app: &App,
    core: &Core,
    account: &Account,
    (error, until): (&AppError, Option<Millis>),
    entry: SyncLogEntry,
) -> Result<()> {
    let code = serde_json::to_value(error.code()).map_err(internal)?;
    let (code, parameters) = (code.as_str().unwrap_or_default(), Parameters(error.ipc.params.clone()));
    let (error_code, error_parameters) = (Some(code.to_owned()), parameters.clone());
    let entry = SyncLogEntry { error_code, error_parameters, ..entry };
    core.library.sync().write_log(account.id, &entry).await?;
    // Being offline is normal, and no error of the account.
    if error.code() == ErrorCode::Offline {
        if app.session().offline_accounts.lock().insert(account.id) {
            app.library_changed(true, false);
        }
    } else {
        app.session().offline_accounts.lock().remove(&account.id);
        core.library.accounts().record(account.id, Some((code, &parameters)), until).await?;
        app.library_changed(true, true);
    }
    Ok(())
}

/// Returns the log entry of a synchronisation.
fn entry(report: &Report) -> SyncLogEntry {
    let refused = report.refused.iter().map(|title| (RejectionKind::Refused, title.clone()));
    let delayed = report.delayed.iter().map(|change| (RejectionKind::Delayed, change.title.clone()));
    let unsupported = report.unsupported.iter().map(|title| (RejectionKind::Unsupported, title.clone()));
    let kept = report.kept.iter().map(|title| (RejectionKind::Kept, title.clone()));
    SyncLogEntry {
        sent: to_number(report.sent + report.changes_sent),
        new_items: to_number(report.new),
        changed: to_number(report.changed),
        feeds_added: to_number(report.feeds_added),
        feeds_left: to_number(report.feeds_left),
        incomplete: report.incomplete,
        rejections: refused.chain(delayed).chain(unsupported).chain(kept).collect(),
        times: 1,
        ..SyncLogEntry::default()
    }
}

/// Returns the counter of requests to the server of an account.
async fn counter(app: &App, account: i64) -> Arc<RequestCounter> {
    let sessions = app.session().servers.lock().await;
    sessions.get(&account).map_or_else(Arc::default, |(_, counter)| Arc::clone(counter))
}

/// Talks to the server.
async fn exchange(
    app: &App,
    core: &Core,
    account: &Account,
    options: &Options,
    run: &Running,
    counter: &Arc<RequestCounter>,
) -> Result<Report, SyncError> {
    let poller = core.poller().map_err(|_| SyncError::NoServer)?;
    let kind: Kind = account.kind.parse()?;
    let base = Url::parse(&account.url).map_err(|_| SyncError::NoServer)?;
    let mut sessions = app.session().servers.lock().await;
    let mut server = match sessions.remove(&account.id) {
        Some((server, _)) => server,
        None => {
            let password = secrets::read(&account.access()).await?.ok_or(secrets::SecretError::Gone)?;
            let fetcher = poller.fetcher().with_counter(Arc::clone(counter));
            let connection = Connection { fetcher, base, certificate: certificate(account) };
            Client::new(kind, connection, &account.user_name, password)
        }
    };
    let rules = poller.rules().await?;
    let done = server.sync(&core.library, account, &rules, options, &run.token()).await;
    if let Some(pause) = server.pause() {
        app.session().sync_pauses.lock().insert(account.id, Instant::now() + pause);
    }
    if !matches!(done, Err(SyncError::Login)) {
        sessions.insert(account.id, (server, Arc::clone(counter)));
    }
    done
}

/// Returns the certificate that the user accepted for the server of an account.
pub(crate) fn certificate(account: &Account) -> Option<Fingerprint> {
    account.certificate.as_deref().and_then(|bytes| bytes.try_into().ok()).map(Fingerprint)
}

/// Reports progress to the window, and lets its lists follow, until this is dropped.
async fn report_progress(app: &App, account: &Account, mut progress: watch::Receiver<Progress>) {
    let (mut shown, mut shown_at) = (0, Instant::now());
    loop {
        if progress.changed().await.is_err() {
            return std::future::pending().await;
        }
        let now = progress.borrow_and_update().clone();
        let stage = match now.stage {
            Stage::LogIn => SyncStage::LogIn,
            Stage::Send => SyncStage::Send,
            Stage::Feeds => SyncStage::Feeds,
            Stage::Lists => SyncStage::Lists,
            Stage::Articles => SyncStage::Articles,
        };
        let (done, total) = (to_number(now.done), now.total.map(to_number));
        set_progress(app, Some(SyncProgress { account_id: account.id, stage, done, total }), account.id);
        let changed = now.report.new + now.report.feeds_added;
        if changed > shown && (shown == 0 || shown_at.elapsed() > SHOW_EVERY) {
            (shown, shown_at) = (changed, Instant::now());
            app.library_changed(true, true);
        }
        // pause: people can't read more reports than this.
        tokio::time::sleep(REPORT_EVERY).await;
    }
}

/// Sets and announces the progress of an account. `None`: it ended.
fn set_progress(app: &App, progress: Option<SyncProgress>, account_id: i64) {
    let mut running = app.session().syncing.lock();
    if progress.is_none() && running.as_ref().is_none_or(|running| running.account_id != account_id) {
        return;
    }
    running.clone_from(&progress);
    drop(running);
    app.emit(Event::SyncProgress(progress));
}

/// Starts to synchronise all accounts, on request of the user, without waiting for the end.
pub(crate) fn start(app: &App) {
    secrets::ask_again();
    app.signals().sync.notify_one();
}

/// Which accounts are synchronised in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    /// All of them: the user refreshes.
    All,
    /// Those that are not only synchronised by hand.
    Automatic,
    /// Those of them whose time has come.
    Due,
}

/// Synchronises the accounts at the start, each at its interval, and some time after a change.
pub(crate) async fn sync_automatically(app: App) {
    let mut last: HashMap<i64, Instant> = HashMap::new();
    let mut which = Which::Automatic;
    loop {
        for account in present_accounts(&app).await {
            let wait = until_due(&account, last.get(&account.id).copied(), pause(&app, account.id));
            let wanted = match which {
                Which::All => true,
                Which::Automatic => wait.is_some(),
                Which::Due => wait == Some(Duration::ZERO),
            };
            if !wanted {
                continue;
            }
            last.insert(account.id, Instant::now());
            if let Err(error) = sync_account(&app, account.id, &Options::default()).await {
                tracing::warn!(account = account.id, %error, "an account could not be synchronised");
            }
        }
        // Read again, since the time when an account is due also depends on its error.
        let next = present_accounts(&app)
            .await
            .iter()
            .filter_map(|account| until_due(account, last.get(&account.id).copied(), pause(&app, account.id)))
            .min();
        which = wait(&app, next).await;
    }
}

/// Waits until accounts are to be synchronised, the next one after `next`.
async fn wait(app: &App, next: Option<Duration>) -> Which {
    let due = async {
        match next {
            Some(next) => tokio::time::sleep(next).await,
            None => std::future::pending().await,
        }
    };
    let mut unsettled = false;
    let which = tokio::select! {
        () = due => Which::Due,
        () = app.signals().sync.notified() => Which::All,
        () = app.signals().sync_intervals.notified() => Which::Due,
        () = app.signals().replaced.notified() => Which::Automatic,
        () = changes_settled(app, &mut unsettled) => Which::Automatic,
    };
    // The account that has the changes may not be one of those.
    if unsettled && which != Which::Automatic {
        app.signals().marks.notify_one();
    }
    which
}

/// Returns the accounts on servers without removed ones; none if the library cannot be read.
async fn present_accounts(app: &App) -> Vec<Account> {
    let accounts = list_accounts(app).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the accounts could not be read");
        Vec::new()
    });
    accounts.into_iter().filter(|account| account.removed_at.is_none()).collect()
}

/// Returns how long an account waits for its next synchronisation, at least this pause; `None` if it is only synchronised by hand.
fn until_due(account: &Account, last: Option<Instant>, pause: Duration) -> Option<Duration> {
    let minutes = u64::try_from(account.sync_minutes).ok().filter(|minutes| *minutes > 0)?;
    let interval = Duration::from_secs(minutes.saturating_mul(60));
    let is_locked = account.error_code.as_deref() == Some("secret_unreadable");
    let interval = if is_locked { interval.min(KEYRING_RETRY) } else { interval };
    Some(last.map_or(Duration::ZERO, |last| interval.saturating_sub(last.elapsed())).max(pause))
}

/// Returns how long an account still waits, so that its server's limit on requests is not exceeded.
fn pause(app: &App, account: i64) -> Duration {
    let until = app.session().sync_pauses.lock().get(&account).copied();
    until.map(|until| until.saturating_duration_since(Instant::now())).unwrap_or_default()
}

/// Waits until there is something to send and nothing more was added for a while. `unsettled`: whether there may already be something.
async fn changes_settled(app: &App, unsettled: &mut bool) {
    loop {
        *unsettled = false;
        app.signals().marks.notified().await;
        *unsettled = true;
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

/// Returns the last synchronisations of an account, newest first.
///
/// # Errors
/// When there is no such account, or the library cannot be read.
pub async fn account_log(app: &App, id: i64) -> Result<Vec<SyncLogEntry>> {
    let library = app.core().await?.library;
    library.accounts().get(id).await?;
    Ok(library.sync().log(id).await?)
}

pub(crate) fn shown_entry(entry: SyncLogEntry) -> contract::SyncLogEntry {
    contract::SyncLogEntry {
        at: entry.at,
        duration_ms: entry.took_ms,
        requests: entry.requests,
        bytes: entry.bytes,
        sent: entry.sent,
        new_articles: entry.new_items,
        changed_articles: entry.changed,
        feeds_added: entry.feeds_added,
        feeds_left: entry.feeds_left,
        incomplete: entry.incomplete,
        stopped: entry.stopped,
        error: entry.error_code.map(|code| stored_error(code, entry.error_parameters)),
        rejections: entry
            .rejections
            .into_iter()
            .map(|(kind, title)| contract::SyncRejection {
                kind: match kind {
                    RejectionKind::Refused => contract::SyncRejectionKind::Refused,
                    RejectionKind::Delayed => contract::SyncRejectionKind::Delayed,
                    RejectionKind::Unsupported => contract::SyncRejectionKind::Unsupported,
                    RejectionKind::Kept => contract::SyncRejectionKind::Kept,
                },
                title,
            })
            .collect(),
        times: entry.times,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use futures::{FutureExt as _, poll};
    use std::pin::pin;
    use tokio::runtime::Handle;

    #[tokio::test]
    async fn changes_are_sent_though_other_accounts_are_synchronised_first() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        app.signals().marks.notify_one();
        let mut waiting = pin!(wait(&app, None));
        assert!(poll!(&mut waiting).is_pending(), "more changes may follow");
        app.signals().sync_intervals.notify_one();
        assert_eq!(waiting.await, Which::Due);
        assert!(app.signals().marks.notified().now_or_never().is_some());
    }

    #[test]
    fn an_account_is_due_after_its_interval_and_one_that_is_only_synchronised_by_hand_never() {
        let account = |sync_minutes| Account { sync_minutes, ..Account::default() };
        let (now, none, hours) = (Instant::now(), Duration::ZERO, Duration::from_secs(7200));
        assert_eq!(until_due(&account(15), None, none), Some(Duration::ZERO));
        assert!(until_due(&account(15), Some(now), none).unwrap() > Duration::from_secs(14 * 60));
        let before = now.checked_sub(Duration::from_secs(5 * 60)).unwrap();
        assert_eq!(until_due(&account(5), Some(before), none), Some(Duration::ZERO));
        assert_eq!(until_due(&account(5), Some(before), hours), Some(hours));
        assert_eq!(until_due(&account(0), None, hours), None);
        let locked = |minutes| Account { error_code: Some("secret_unreadable".to_owned()), ..account(minutes) };
        assert_eq!(
            until_due(&locked(60), Some(before), none),
            Some(Duration::ZERO),
            "the keyring may be unlocked by now"
        );
        assert_eq!(until_due(&locked(0), Some(before), none), None);
    }
}
