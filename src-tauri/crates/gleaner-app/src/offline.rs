//! Offline reading: automatic downloads, and full texts on demand.

use crate::{App, articles, error::Result, events::throttle, jobs::Job, numbers::to_number};
use gleaner_contract::{
    Article, Event, FetchFullText, OfflineContent, OfflineProgress, OfflineSettings, OfflineState, ShowText,
};
use gleaner_library::now;
use gleaner_polling::{DownloadProgress, offline, secrets};
use std::time::Duration;

/// Another process may add downloads, or the network may be back, so the queue is checked at least this often.
const CHECK_EVERY: Duration = Duration::from_secs(300);
/// Minimum time between two progress events.
const REPORT_EVERY: Duration = Duration::from_millis(200);

pub(crate) fn to_library(content: OfflineContent) -> gleaner_library::OfflineContent {
    gleaner_library::OfflineContent { text: content.text, images: content.images }
}

pub(crate) fn from_library(content: gleaner_library::OfflineContent) -> OfflineContent {
    OfflineContent { text: content.text, images: content.images }
}

pub async fn offline_state(app: &App, (): ()) -> Result<OfflineState> {
    let library = app.core().await?.library;
    let settings = library.downloads().settings().await?;
    let state = library.downloads().state().await?;
    Ok(OfflineState {
        settings: OfflineSettings {
            all: from_library(settings.all),
            starred: from_library(settings.starred),
            max_total_bytes: to_number(settings.room),
            max_image_bytes: to_number(settings.largest),
            paused: settings.paused,
        },
        queued: state.waiting,
        failed: state.failed,
        texts: state.texts,
        images: state.images,
        bytes: state.bytes,
        running: app.jobs().is_running(Job::Downloads),
        wait: app.session().saving.economy().wait(),
    })
}

pub async fn save_offline_settings(app: &App, args: OfflineSettings) -> Result<()> {
    let settings = gleaner_library::OfflineSettings {
        all: to_library(args.all),
        starred: to_library(args.starred),
        room: u64::try_from(args.max_total_bytes).unwrap_or(0),
        largest: u64::try_from(args.max_image_bytes).unwrap_or(0),
        paused: args.paused,
    };
    save_settings(app, &settings).await.map(drop)
}

/// Stores what to download for all feeds and for starred articles. Returns the number of texts and images queued.
///
/// # Errors
/// The limits contradict each other, or the library cannot be written.
pub async fn save_settings(app: &App, settings: &gleaner_library::OfflineSettings) -> Result<usize> {
    let library = app.core().await?.library;
    let queued = offline::set_for_all(&library, settings, now()).await?;
    if settings.paused {
        app.jobs().cancel(Job::Downloads);
    }
    app.session().downloads_rest.end();
    app.signals().downloads.notify_one();
    Ok(queued)
}

/// Downloads the queue for offline reading.
///
/// # Errors
/// When the library cannot be read or written. Failed downloads are tried again later.
pub async fn download(app: &App, progress: impl FnMut(&DownloadProgress)) -> Result<DownloadProgress> {
    let core = app.core().await?;
    let run = app.jobs().replace(Job::Downloads).await;
    Ok(core.poller()?.download(run.token(), progress).await?)
}

pub async fn start_downloads(app: &App, (): ()) -> Result<()> {
    app.session().saving.ask();
    secrets::ask_again();
    app.session().downloads_rest.end();
    app.signals().downloads.notify_one();
    Ok(())
}

/// Stops downloading. Automatic downloads then also pause for some time.
pub async fn cancel_downloads(app: &App, (): ()) -> Result<()> {
    app.session().downloads_rest.begin();
    app.jobs().cancel(Job::Downloads);
    Ok(())
}

pub async fn fetch_full_text(app: &App, args: FetchFullText) -> Result<Article> {
    if args.by_hand {
        secrets::ask_again();
    }
    let core = app.core().await?;
    let run = app.jobs().replace(Job::FullText).await;
    core.poller()?.full_text(args.id, &run.token()).await?;
    // Its images may have to be downloaded, and its text indexed.
    app.signals().downloads.notify_one();
    app.signals().index.notify_one();
    articles::article(&core.library, args.id, Some(true)).await
}

pub async fn cancel_full_text(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::FullText);
    Ok(())
}

pub async fn show_text(app: &App, args: ShowText) -> Result<Article> {
    articles::article(&app.core().await?.library, args.id, Some(args.full)).await
}

/// Downloads texts and images for offline reading, whenever there may be some to download.
pub(crate) async fn download_automatically(app: App) {
    loop {
        let wait = match round(&app).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::warn!(%error, "downloads for offline reading failed");
                app.emit(Event::OfflineProgress(progress(&DownloadProgress::default(), false)));
                CHECK_EVERY
            }
        };
        tokio::select! {
            () = app.signals().downloads.notified() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}

/// Downloads once. Returns how long to wait for the next time.
async fn round(app: &App) -> Result<Duration> {
    // Feeds go first.
    app.jobs().idle(Job::Refresh).await;
    if !app.session().downloads_rest.remaining().is_zero() || !app.session().saving.may_download() {
        // The window shows the waiting downloads, and the user can start them.
        if app.core().await?.poller()?.queue_downloads().await? > 0 {
            app.emit(Event::OfflineProgress(progress(&DownloadProgress::default(), false)));
        }
        return Ok(CHECK_EVERY);
    }
    let mut may_report = throttle(REPORT_EVERY);
    let mut any = false;
    let done = download(app, |so_far| {
        any = true;
        if may_report() {
            app.emit(Event::OfflineProgress(progress(so_far, true)));
        }
    });
    let done = done.await;
    if any {
        // Downloaded texts are searched, too.
        app.signals().index.notify_one();
        let end = done.as_ref().cloned().unwrap_or_default();
        app.emit(Event::OfflineProgress(progress(&end, false)));
    }
    let done = done?;
    if done.offline || done.other_process || done.paused || done.cancelled {
        return Ok(CHECK_EVERY);
    }
    let next = app.core().await?.library.downloads().next_at().await?;
    let wait = next.map_or(CHECK_EVERY, |next| Duration::from_millis(next.saturating_sub(now()).max(0).unsigned_abs()));
    Ok(wait.clamp(Duration::from_secs(5), CHECK_EVERY))
}

fn progress(downloads: &DownloadProgress, running: bool) -> OfflineProgress {
    OfflineProgress {
        running,
        texts: to_number(downloads.texts),
        images: to_number(downloads.images),
        failed: to_number(downloads.failed),
        remaining: to_number(downloads.left),
        offline: downloads.offline,
        other_process: downloads.other_process,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{NewSubscription, OfflineSettings};
    use gleaner_testserver::{Reply, Server};
    use tokio::runtime::Handle;

    #[tokio::test]
    async fn downloads_that_are_cancelled_start_again_when_the_user_asks() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let item = format!("<item><title>Rye</title><link>{}</link></item>", server.url("/rye"));
        server.on("/feed.xml", Reply::ok(format!("<rss version='2.0'><channel>{item}</channel></rss>")));
        let library = app.core().await.unwrap().library;
        library.subscriptions().add(&NewSubscription::new(server.url("/feed.xml"))).await.unwrap();
        let all = gleaner_library::OfflineContent { text: true, images: false };
        save_settings(&app, &OfflineSettings { all, ..library.downloads().settings().await.unwrap() }).await.unwrap();
        crate::poll(&app, gleaner_polling::Scope::All, |_| {}).await.unwrap();
        cancel_downloads(&app, ()).await.unwrap();
        for (asks, requests) in [(false, 0), (true, 1)] {
            if asks {
                start_downloads(&app, ()).await.unwrap();
            }
            round(&app).await.unwrap();
            assert_eq!(server.requests_to("/rye").len(), requests);
        }
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn downloads_that_wait_are_counted_and_start_when_the_user_asks() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let library = app.core().await.unwrap().library;
        library.subscriptions().add(&NewSubscription::new(server.url("/feed.xml"))).await.unwrap();
        let all = gleaner_library::OfflineContent { text: true, images: false };
        let settings = OfflineSettings { all, ..library.downloads().settings().await.unwrap() };
        save_settings(&app, &settings).await.unwrap();
        // As in the window.
        round(&app).await.unwrap();
        app.session().saving.set(crate::economy::Economy { metered: true, battery: false });
        let item = format!("<item><title>Rye</title><link>{}</link></item>", server.url("/rye"));
        server.on("/feed.xml", Reply::ok(format!("<rss version='2.0'><channel>{item}</channel></rss>")));
        crate::poll(&app, gleaner_polling::Scope::All, |_| {}).await.unwrap();
        round(&app).await.unwrap();
        let state = offline_state(&app, ()).await.unwrap();
        assert_eq!((state.queued, state.wait.is_some()), (1, true));
        assert!(server.requests_to("/rye").is_empty());
        start_downloads(&app, ()).await.unwrap();
        round(&app).await.unwrap();
        assert_eq!(server.requests_to("/rye").len(), 1);
        // While the user has paused downloads, no articles are chosen: they may be read until then.
        save_settings(&app, &OfflineSettings { paused: true, ..settings }).await.unwrap();
        let item = format!("<item><title>Oats</title><link>{}</link></item>", server.url("/oats"));
        server.on("/feed.xml", Reply::ok(format!("<rss version='2.0'><channel>{item}</channel></rss>")));
        let before = offline_state(&app, ()).await.unwrap().queued;
        crate::poll(&app, gleaner_polling::Scope::All, |_| {}).await.unwrap();
        round(&app).await.unwrap();
        assert_eq!(offline_state(&app, ()).await.unwrap().queued, before);
        assert!(server.requests_to("/oats").is_empty());
        app.quit().await.unwrap();
    }
}
