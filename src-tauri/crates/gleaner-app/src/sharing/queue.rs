//! Sends queued articles to services: on request, and in the background whenever a service may take them.

use super::{Secrets, code_name, shown, target, web, without_login};
use crate::{
    App, Core,
    error::{AppError, Result, internal},
    jobs::{Job, Running},
};
use gleaner_contract::{ErrorCode, Event};
use gleaner_exchange::documents;
use gleaner_library::{LibraryError, Millis, Parameters, Queued, ShareService, now};
use gleaner_polling::secrets;
use gleaner_share::{Article, Kind, Service, ShareError};
use std::time::Duration;

/// Time until a service is tried again after its first failure. It doubles with each further failure.
const FIRST_RETRY: Millis = 60_000;
/// The longest time until a service is tried again.
const MAX_RETRY: Millis = 6 * 3_600_000;
/// Time until a service is tried again if this computer was offline.
const OFFLINE_RETRY: Millis = 2 * 60_000;
/// Time until a service is tried again if its password could not be read: the keyring may be locked, or start later.
const KEYRING_RETRY: Millis = 5 * 60_000;
/// Maximum wait that a service can request.
const MAX_WAIT: Millis = 24 * 3_600_000;
/// Maximum length of the summary that a service receives, in characters.
const MAX_SUMMARY: usize = 400;

/// Sends what is queued for a service, unless it has to wait. A request to wait applies to the user, too. Returns how many articles were
/// sent.
pub(super) async fn send(app: &App, core: &Core, id: i64, by_user: bool) -> Result<usize> {
    if by_user {
        secrets::ask_again();
    }
    let run = app.jobs().queue(Job::Share(id)).await;
    let services = core.library.share_services();
    let service = services.get(id).await?;
    let asked_to_wait = service.error_code.as_deref() == Some("retry_after_until");
    if waits(&service, now()) && (!by_user || asked_to_wait) {
        return Ok(0);
    }
    if services.next(id, None).await?.is_none() {
        return Ok(0);
    }
    let stored = service.address.clone();
    let service = without_login(service)?;
    if service.address != stored {
        services.set_login(&service).await?;
    }
    match adapter(&service).await {
        Ok(adapter) => send_all(app, core, id, adapter.as_ref(), &run).await,
        Err(error) => {
            let retry_at = retry_without_secret(error.code(), now());
            failed(core, &service, error, retry_at).await?;
            Ok(0)
        }
    }
}

/// Whether a service has to wait: it failed a short time ago, or the user has to do something first.
fn waits(service: &ShareService, now: Millis) -> bool {
    // A later moment was set by a wrong clock.
    service.error_code.is_some() && service.retry_at.is_none_or(|at| (now..now + MAX_WAIT.max(MAX_RETRY)).contains(&at))
}

async fn adapter(service: &ShareService) -> Result<Box<dyn Service>> {
    let kind: Kind = service.kind.parse().map_err(internal)?;
    let secrets = Secrets::read(service).await?;
    Ok(gleaner_share::service(kind, target(&service.address, &service.user_name, &secrets))?)
}

/// Sends the queue, beginning after the article that failed last: if it is the only one that fails, it does not hold up the others.
async fn send_all(app: &App, core: &Core, id: i64, adapter: &dyn Service, run: &Running) -> Result<usize> {
    let services = core.library.share_services();
    let web = web(core)?;
    let mut last = app.session().failed_shares.lock().remove(&id);
    let mut sent = 0;
    while !run.is_cancelled() {
        let Some(queued) = services.next(id, last).await? else { break };
        let Queued { article, queued_at } = queued;
        let done = match to_share(core, article, queued_at).await {
            // After a kill here, an article that was saved stays queued and is sent again; services recognise its address.
            Ok(ready) => tokio::select! {
                done = adapter.save(&web, &ready) => done.map(|()| 1),
                () = run.cancelled() => break,
            },
            // It was deleted in the meantime, together with its entry in the queue.
            Err(LibraryError::NotFound(_)) => Ok(0),
            Err(error) => return Err(error.into()),
        };
        match done {
            Ok(number) => {
                services.saved(id, article).await?;
                sent += number;
            }
            Err(error) if error.is_of_article() => {
                if matches!(error, ShareError::Refused) {
                    services.answered(id).await?;
                }
                services.refused(id, article, &code_name(AppError::from(error).code())?).await?;
            }
            Err(error) => {
                let may_be_of_article = error.may_be_of_article();
                let service = services.get(id).await?;
                let retry_at = retry_at(&error, service.failures, now());
                let error = match (&error, retry_at) {
                    (ShareError::Wait(_), Some(until)) => {
                        AppError::new(ErrorCode::RetryAfterUntil, &error).with("until", until)
                    }
                    _ => error.into(),
                };
                failed(core, &service, error, retry_at).await?;
                if may_be_of_article {
                    app.session().failed_shares.lock().insert(id, queued);
                }
                break;
            }
        }
        last = Some(queued);
    }
    Ok(sent)
}

/// Returns when a service is tried again; `None`: when the user asks for it.
fn retry_at(error: &ShareError, failures: i64, now: Millis) -> Option<Millis> {
    let wait = match error {
        _ if error.needs_user() => return None,
        ShareError::Wait(wait) => i64::try_from(wait.as_millis()).unwrap_or(MAX_WAIT).min(MAX_WAIT),
        ShareError::Fetch(error) if error.is_own_network() => OFFLINE_RETRY,
        _ => (FIRST_RETRY << failures.clamp(0, 16)).min(MAX_RETRY),
    };
    Some(now + wait)
}

/// Returns when a service is tried again if its stored login cannot be used.
fn retry_without_secret(code: ErrorCode, now: Millis) -> Option<Millis> {
    (code == ErrorCode::SecretUnreadable).then_some(now + KEYRING_RETRY)
}

async fn failed(core: &Core, service: &ShareService, error: AppError, retry_at: Option<Millis>) -> Result<()> {
    tracing::info!(service = service.id, error = %error.without_names(), "articles could not be saved in a service");
    let parameters = Parameters(error.ipc.params.clone());
    Ok(core.library.share_services().failed(service.id, &code_name(error.code())?, &parameters, retry_at).await?)
}

/// Reads an article for a service.
async fn to_share(core: &Core, id: i64, queued_at: Millis) -> Result<Article, LibraryError> {
    let article = documents::article(&core.library, id).await?;
    let tags = core.library.tags().names(id).await?;
    let (article, markdown, summary) = tokio::task::spawn_blocking(move || {
        let (markdown, summary) = (documents::markdown(&article), gleaner_content::summary(&article.html, MAX_SUMMARY));
        (article, markdown, summary)
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

/// Sends the queued articles whenever a service may be tried.
pub(crate) async fn follow(app: App) {
    loop {
        let wait = match round(&app).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::warn!(%error, "queued articles could not be sent");
                Some(Duration::from_millis(MAX_RETRY.unsigned_abs()))
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

/// Sends to all services that do not have to wait. Returns how long to wait for the next one.
async fn round(app: &App) -> Result<Option<Duration>> {
    let core = app.core().await?;
    let services = core.library.share_services();
    let counts = services.counts().await?;
    let with_queue = |service: &ShareService| counts.get(&service.id).is_some_and(|counts| counts.waiting > 0);
    let all = services.list().await?;
    let ready = all.iter().filter(|service| with_queue(service) && !waits(service, now()));
    // A service that is slow, or that cannot be used now, does not hold up the others.
    let sending = ready.map(async |service| {
        let sent = async {
            send(app, &core, service.id, false).await?;
            app.emit(Event::SharingChanged(shown(&core).await?));
            Ok::<_, AppError>(())
        };
        let error = sent.await.err()?;
        tracing::warn!(service = service.id, error = %error.without_names(), "queued articles could not be sent");
        Some(service.id)
    });
    let failed: Vec<i64> = futures::future::join_all(sending).await.into_iter().flatten().collect();
    let (services, now) = (services.list().await?, now());
    let retries = services.iter().filter(|service| with_queue(service)).filter_map(|service| {
        match failed.contains(&service.id) {
            true => Some(now + MAX_RETRY),
            false => service.retry_at,
        }
    });
    Ok(retries.min().map(|at| Duration::from_millis((at - now).max(1000).unsigned_abs())))
}

#[cfg(test)]
mod tests;
