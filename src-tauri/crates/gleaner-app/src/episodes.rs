//! Episodes that are downloaded to play them offline.

use crate::{
    App,
    error::{Result, feeds::stored_feed_error},
    events::throttle,
    export::file_name,
    jobs::Job,
    media_server,
    numbers::to_number,
    session::MediaServer,
};
use gleaner_contract::{EpisodeDownload, EpisodeFiles, EpisodeProgress, EpisodeSettings, EpisodeState as State, Event};
use gleaner_library::{Episode, EpisodeState, Library, now};
use gleaner_polling::{EpisodesDone, secrets};
use parking_lot::Mutex;
use std::{
    collections::HashSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::sync::Notify;

/// The queue is checked at least this often: the network may be back, or a played episode may have to be removed.
const CHECK_EVERY: Duration = Duration::from_secs(300);
/// Minimum time between two progress events.
const REPORT_EVERY: Duration = Duration::from_millis(250);

pub async fn episodes(app: &App, (): ()) -> Result<Vec<EpisodeDownload>> {
    let library = app.core().await?.library;
    list(app, &library).await
}

async fn list(app: &App, library: &Library) -> Result<Vec<EpisodeDownload>> {
    let all = library.episodes().list().await?;
    let server = match all.iter().any(|episode| episode.state == EpisodeState::Downloaded) {
        true => Some(app.session().media_server.get_or_try_init(|| media_server::start(app)).await?),
        false => None,
    };
    Ok(all.into_iter().map(|episode| shown(episode, server)).collect())
}

fn shown(episode: Episode, server: Option<&MediaServer>) -> EpisodeDownload {
    let done = episode.state == EpisodeState::Downloaded;
    EpisodeDownload {
        local_url: server.filter(|_| done).map(|server| server.address(&episode.file_name())),
        id: episode.item_id,
        feed_id: episode.feed_id,
        title: episode.title,
        url: episode.url,
        state: match episode.state {
            EpisodeState::Queued => State::Queued,
            EpisodeState::Downloaded => State::Downloaded,
            EpisodeState::Failed => State::Failed,
        },
        bytes: episode.bytes,
        total: episode.total,
        error: stored_feed_error(episode.error.as_deref(), &episode.parameters),
    }
}

/// Queues the audio or video of articles. Returns the number of files.
pub async fn download_episodes(app: &App, args: EpisodeFiles) -> Result<u32> {
    let library = app.core().await?.library;
    let count = library.episodes().queue(&args.ids, args.url.as_deref()).await?;
    changed(app, &library).await?;
    secrets::ask_again();
    app.signals().episodes.notify_one();
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

pub async fn remove_episodes(app: &App, args: EpisodeFiles) -> Result<()> {
    let library = app.core().await?.library;
    library.episodes().remove(&args.ids, args.url.as_deref()).await?;
    changed(app, &library).await
}

pub async fn episode_settings(app: &App, (): ()) -> Result<EpisodeSettings> {
    let settings = app.core().await?.library.episodes().settings().await?;
    Ok(EpisodeSettings {
        max_total_bytes: to_number(settings.max_bytes),
        remove_after_days: settings.remove_after_days,
    })
}

pub async fn save_episode_settings(app: &App, args: EpisodeSettings) -> Result<()> {
    let settings = gleaner_library::EpisodeSettings {
        max_bytes: u64::try_from(args.max_total_bytes).unwrap_or(0),
        remove_after_days: args.remove_after_days,
    };
    app.core().await?.library.episodes().set_settings(settings).await?;
    app.signals().episodes.notify_one();
    Ok(())
}

/// Downloads the queued episodes now. `only`: those of these articles.
///
/// # Errors
/// When the library cannot be read or written. A download that fails stays in the queue with its error.
pub async fn download_queued(
    app: &App,
    only: Option<&HashSet<i64>>,
    progress: impl Fn(&gleaner_polling::EpisodeProgress),
) -> Result<EpisodesDone> {
    let core = app.core().await?;
    let run = app.jobs().replace(Job::Episodes).await;
    Ok(core.poller()?.download_episodes(only, run.token(), progress).await?)
}

/// Copies a downloaded episode into a folder, named after its feed and title. A copy that is there already is left as it is.
/// Returns its path.
///
/// # Errors
/// When the folder cannot be written, or has another file of this name.
pub async fn copy_episode(app: &App, episode: &Episode, feed: &str, folder: &Path) -> io::Result<PathBuf> {
    let core = app.core().await.map_err(io::Error::other)?;
    let stored = core.library.episodes().by_name(&episode.file_name()).await.map_err(io::Error::other)?;
    let (stored, _) = stored.ok_or(io::ErrorKind::NotFound)?;
    // The number keeps episodes of the same title apart.
    let title = file_name(&format!("{feed} - {}", episode.title));
    let file = folder.join(format!("{title} ({}).{}", episode.item_id, extension(episode)));
    let folder = folder.to_owned();
    let copying = tokio::task::spawn_blocking(move || {
        fs::create_dir_all(&folder)?;
        let mut from = File::open(&stored)?;
        match fs::metadata(&file) {
            Ok(present) if present.len() == from.metadata()?.len() => return Ok(file),
            Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => {}
        }
        // Only a complete copy has the name.
        let mut copy = tempfile::NamedTempFile::new_in(&folder)?;
        io::copy(&mut from, &mut copy)?;
        copy.as_file().sync_all()?;
        copy.persist_noclobber(&file)?;
        Ok(file)
    });
    copying.await?
}

/// Returns the extension of an episode's file: that of its address, else that of its type.
fn extension(episode: &Episode) -> String {
    let path = episode.url.split(['?', '#']).next().unwrap_or_default();
    let written = path.rsplit('/').next().and_then(|name| Some(name.rsplit_once('.')?.1));
    let written = written.filter(|end| (2..=4).contains(&end.len()) && end.bytes().all(|b| b.is_ascii_alphanumeric()));
    written.map_or_else(
        || {
            let known = match episode.mime_type.as_deref().unwrap_or_default() {
                "audio/mp4" | "audio/x-m4a" => "m4a",
                "audio/ogg" => "ogg",
                "audio/opus" => "opus",
                "audio/mpeg" => "mp3",
                "video/webm" => "webm",
                kind if kind.starts_with("video/") => "mp4",
                _ => "bin",
            };
            known.to_owned()
        },
        str::to_ascii_lowercase,
    )
}

/// Announces the downloads. `library`: the open library, since opening it again would wait while this one is in use.
async fn changed(app: &App, library: &Library) -> Result<()> {
    app.emit(Event::EpisodesChanged(list(app, library).await?));
    Ok(())
}

/// Downloads the queued episodes whenever there may be some.
pub(crate) async fn download_automatically(app: App) {
    if let Ok(core) = app.core().await
        && let Err(error) = core.library.episodes().reconcile().await
    {
        tracing::warn!(%error, "the files of downloaded episodes could not be checked");
    }
    loop {
        let wait = match round(&app).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::warn!(%error, "downloading episodes failed");
                CHECK_EVERY
            }
        };
        tokio::select! {
            () = app.signals().episodes.notified() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}

/// Downloads once. Returns how long to wait for the next time.
async fn round(app: &App) -> Result<Duration> {
    let core = app.core().await?;
    let removed = core.library.episodes().remove_played().await?;
    let run = app.jobs().replace(Job::Episodes).await;
    let (may_report, ended) = (Mutex::new(throttle(REPORT_EVERY)), Notify::new());
    let report = |episode: &gleaner_polling::EpisodeProgress| {
        if episode.ended {
            ended.notify_one();
        } else if may_report.lock()() {
            app.emit(Event::EpisodeProgress(EpisodeProgress {
                id: episode.item_id,
                url: episode.url.clone(),
                bytes: episode.bytes,
                total: episode.total,
            }));
        }
    };
    // The others may take hours.
    let announcing = async {
        loop {
            ended.notified().await;
            if let Err(error) = changed(app, &core.library).await {
                break error;
            }
        }
    };
    let poller = core.poller()?;
    let done = tokio::select! {
        done = poller.download_episodes(None, run.token(), report) => done,
        error = announcing => return Err(error),
    };
    if removed > 0 || done.as_ref().is_ok_and(|done| *done != EpisodesDone::default()) {
        changed(app, &core.library).await?;
    }
    let done = done?;
    if done.offline || done.other_process || run.token().is_cancelled() {
        return Ok(CHECK_EVERY);
    }
    let next = core.library.episodes().next_at().await?;
    let wait = next.map_or(CHECK_EVERY, |next| Duration::from_millis(next.saturating_sub(now()).max(0).unsigned_abs()));
    Ok(wait.clamp(Duration::from_secs(5), CHECK_EVERY))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Enclosure, Incoming, Intent, NewItem, NewSubscription};
    use gleaner_testserver::{Reply, Server};
    use std::sync::Arc;
    use tokio::runtime::Handle;

    #[tokio::test]
    async fn a_download_does_not_keep_the_library_open() {
        let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let requested = Arc::new(Notify::new());
        let notify = Arc::clone(&requested);
        server.on_request("/1.mp3", move |_| {
            notify.notify_one();
            Reply::ok("0123456789").hang_in_body(3)
        });
        let app = App::without_window(folder.path().join("library"), Handle::current());
        let library = app.core().await.unwrap().library;
        let new = NewSubscription::new(server.url("/feed.xml"));
        let feed_id = library.subscriptions().add(&new).await.unwrap();
        let enclosure =
            Enclosure { url: server.url("/1.mp3"), mime_type: Some("audio/mpeg".to_owned()), ..Enclosure::default() };
        let item = NewItem { key: "1".to_owned(), enclosures: vec![enclosure], ..NewItem::default() };
        let intents = vec![Intent::Insert(Box::new(item))];
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
        library.episodes().queue(&[1], None).await.unwrap();
        drop(library);
        let downloads = tokio::spawn({
            let app = app.clone();
            async move { round(&app).await }
        });
        requested.notified().await;
        drop(app.closed().await.unwrap());
        downloads.await.unwrap().unwrap();
    }
}
