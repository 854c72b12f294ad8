//! Downloads of episodes: whole, resumed, changed meanwhile, refused by the server, by the limit, and cancelled.
#![allow(clippy::unwrap_used)]

use gleaner_library::{Episode, EpisodeSettings, EpisodeState, Parameters};
use gleaner_pipeline::{DAY, Scratch, travel};
use gleaner_polling::EpisodesDone;
use gleaner_testserver::{Reply, Request, Server};
use std::{fs, path::Path};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// More than one piece of a file.
fn sound() -> Vec<u8> {
    (0..3_000_000_u32).map(|at| (at % 251) as u8).collect()
}

/// A library with a podcast of one episode, which is queued.
async fn queued(server: &Server) -> Scratch {
    let scratch = Scratch::new().await;
    let url = server.url("/a.mp3");
    let feed = format!(
        "<rss version=\"2.0\"><channel><title>T</title><item><guid>1</guid><title>E</title>
         <enclosure url=\"{url}\" type=\"audio/mpeg\" length=\"9\"/></item></channel></rss>"
    );
    server.on("/feed", Reply::ok(feed));
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    assert_eq!(scratch.library.episodes().queue(&[1], None).await.unwrap(), 1);
    scratch
}

async fn round(scratch: &Scratch) -> EpisodesDone {
    scratch.poller.download_episodes(None, CancellationToken::new(), |_| {}).await.unwrap()
}

async fn episode(scratch: &Scratch) -> Episode {
    scratch.library.episodes().list().await.unwrap().remove(0)
}

async fn content(scratch: &Scratch) -> Vec<u8> {
    let episode = episode(scratch).await;
    assert_eq!((episode.state, episode.error.as_deref()), (EpisodeState::Downloaded, None));
    let (path, mime) = scratch.library.episodes().by_name(&episode.file_name()).await.unwrap().unwrap();
    assert_eq!(mime.as_deref(), Some("audio/mpeg"));
    fs::read(path).unwrap()
}

/// Makes a failed download due.
async fn again(scratch: &Scratch) {
    assert_eq!(scratch.library.episodes().queue(&[1], None).await.unwrap(), 1);
}

fn files(folder: &Path) -> Vec<u64> {
    fs::read_dir(folder.join("episodes")).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).collect()
}

/// Answers with the requested part, as long as the validator is that of the file.
fn ranges(request: &Request) -> Reply {
    let range = request
        .header("Range")
        .and_then(|range| std::str::from_utf8(range).ok()?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
    let sound = sound();
    match (range, request.header("If-Range")) {
        (Some(from), Some(b"\"one\"")) => {
            let from: usize = from;
            let range = format!("bytes {from}-{}/{}", sound.len() - 1, sound.len());
            Reply::status(206).body(&sound[from..]).header("Content-Range", range)
        }
        _ => Reply::ok(sound).header("ETag", "\"one\""),
    }
}

#[tokio::test]
async fn an_interrupted_download_is_resumed() {
    let server = Server::start().await;
    let scratch = queued(&server).await;
    server.on("/a.mp3", Reply::ok(sound()).header("ETag", "\"one\"").cut_after(2_000_000));
    assert_eq!(round(&scratch).await, EpisodesDone { failed: 1, ..EpisodesDone::default() });
    let broken = episode(&scratch).await;
    assert_eq!((broken.state, broken.error.as_deref()), (EpisodeState::Queued, Some("connection_lost")));
    assert!(broken.bytes > 0 && broken.total == Some(3_000_000));

    // As after a restart.
    scratch.library.episodes().reconcile().await.unwrap();
    server.on_request("/a.mp3", ranges);
    again(&scratch).await;
    assert_eq!(round(&scratch).await, EpisodesDone { downloaded: 1, ..EpisodesDone::default() });
    assert_eq!(content(&scratch).await, sound());
    let range = format!("bytes={}-", broken.bytes);
    assert_eq!(server.requests_to("/a.mp3")[1].header("Range"), Some(range.as_bytes()));
    assert_eq!(files(scratch.path()), [3_000_000]);
}

#[tokio::test]
async fn a_file_that_changed_or_cannot_be_resumed_is_downloaded_whole() {
    for second in [Reply::ok("another file").header("ETag", "\"two\""), Reply::ok("another file")] {
        let server = Server::start().await;
        let scratch = queued(&server).await;
        server.on_each("/a.mp3", [Reply::ok(sound()).header("ETag", "\"one\"").cut_after(2_000_000), second]);
        round(&scratch).await;
        again(&scratch).await;
        round(&scratch).await;
        assert_eq!(content(&scratch).await, b"another file");
    }
}

#[tokio::test]
async fn a_part_of_the_rest_is_not_taken_for_the_whole_file() {
    let part = |from: usize, to: usize, total: usize| {
        let range = format!("bytes {from}-{}/{total}", to - 1);
        Reply::status(206).body(&sound()[from..to]).header("Content-Range", range).header("ETag", "\"one\"")
    };
    // Less than the rest, and more than there is.
    for total in [3_000_000, 2_200_000] {
        let server = Server::start().await;
        let scratch = queued(&server).await;
        server.on("/a.mp3", Reply::ok(sound()).header("ETag", "\"one\"").cut_after(2_000_000));
        round(&scratch).await;
        let from = usize::try_from(episode(&scratch).await.bytes).unwrap();
        server.on("/a.mp3", part(from, 2_500_000, total));
        again(&scratch).await;
        assert_eq!(round(&scratch).await, EpisodesDone { failed: 1, ..EpisodesDone::default() });
        let broken = episode(&scratch).await;
        assert_eq!((broken.state, broken.error.as_deref()), (EpisodeState::Queued, Some("connection_lost")));
        assert_eq!(broken.bytes, if total == 3_000_000 { 2_500_000 } else { 0 });
        server.on_request("/a.mp3", ranges);
        again(&scratch).await;
        round(&scratch).await;
        assert_eq!(content(&scratch).await, sound());
    }
}

#[tokio::test]
async fn a_part_without_the_length_of_the_whole_is_completed_only_at_that_length() {
    let part = |from: usize, to: usize| {
        let range = format!("bytes {from}-{}/*", to - 1);
        Reply::status(206).body(&sound()[from..to]).header("Content-Range", range).header("ETag", "\"one\"")
    };
    let server = Server::start().await;
    let scratch = queued(&server).await;
    server.on("/a.mp3", Reply::ok(sound()).header("ETag", "\"one\"").cut_after(2_000_000));
    round(&scratch).await;
    let from = usize::try_from(episode(&scratch).await.bytes).unwrap();
    server.on("/a.mp3", part(from, 2_500_000));
    again(&scratch).await;
    assert_eq!(round(&scratch).await, EpisodesDone { failed: 1, ..EpisodesDone::default() });
    let broken = episode(&scratch).await;
    assert_eq!((broken.state, broken.error.as_deref()), (EpisodeState::Queued, Some("connection_lost")));
    assert_eq!((broken.bytes, broken.total), (2_500_000, Some(3_000_000)));
    server.on("/a.mp3", part(2_500_000, 3_000_000));
    again(&scratch).await;
    round(&scratch).await;
    assert_eq!(content(&scratch).await, sound());
}

#[tokio::test]
async fn an_empty_file_is_not_an_episode() {
    let server = Server::start().await;
    let scratch = queued(&server).await;
    server.on_each("/a.mp3", [Reply::ok(""), Reply::ok("").chunked(9), Reply::ok("sound")]);
    for _ in 0..2 {
        assert_eq!(round(&scratch).await, EpisodesDone { failed: 1, ..EpisodesDone::default() });
        assert_eq!(episode(&scratch).await.state, EpisodeState::Queued);
        again(&scratch).await;
    }
    round(&scratch).await;
    assert_eq!(content(&scratch).await, b"sound");
}

#[tokio::test]
async fn a_part_that_was_not_requested_is_discarded() {
    let wrong = Reply::status(206).body("xyz").header("Content-Range", "bytes 0-2/3");
    for second in [wrong, Reply::status(416).header("Content-Range", "bytes */3")] {
        let server = Server::start().await;
        let scratch = queued(&server).await;
        let begun = Reply::ok(sound()).header("ETag", "\"one\"").cut_after(2_000_000);
        server.on_each("/a.mp3", [begun, second, Reply::ok("whole")]);
        round(&scratch).await;
        again(&scratch).await;
        assert_eq!(round(&scratch).await, EpisodesDone { downloaded: 1, failed: 1, ..EpisodesDone::default() });
        assert_eq!(content(&scratch).await, b"whole");
        assert_eq!(server.requests_to("/a.mp3")[2].header("Range"), None);
    }
}

#[tokio::test]
async fn the_limit_is_kept_whether_or_not_the_server_says_the_length() {
    for reply in [Reply::ok(sound()), Reply::ok(sound()).chunked(60_000)] {
        let server = Server::start().await;
        let scratch = queued(&server).await;
        let limit = EpisodeSettings { max_bytes: 1_000_000, ..EpisodeSettings::default() };
        scratch.library.episodes().set_settings(limit).await.unwrap();
        server.on("/a.mp3", reply);
        round(&scratch).await;
        let full = episode(&scratch).await;
        assert_eq!((full.state, full.error.as_deref()), (EpisodeState::Failed, Some("episodes_full")));
        assert_eq!((full.bytes, files(scratch.path())), (0, vec![0]));
        scratch.library.episodes().set_settings(EpisodeSettings::default()).await.unwrap();
        again(&scratch).await;
        round(&scratch).await;
        assert_eq!(content(&scratch).await, sound());
    }
}

#[tokio::test]
async fn a_missing_file_fails_and_a_busy_server_is_asked_later() {
    let server = Server::start().await;
    let scratch = queued(&server).await;
    server.on("/a.mp3", Reply::status(404));
    round(&scratch).await;
    let missing = episode(&scratch).await;
    assert_eq!((missing.state, missing.error.as_deref()), (EpisodeState::Failed, Some("http_not_found")));
    again(&scratch).await;
    server.on("/a.mp3", Reply::status(503).header("Retry-After", "120"));
    round(&scratch).await;
    assert_eq!(episode(&scratch).await.state, EpisodeState::Queued);
    assert_eq!(round(&scratch).await, EpisodesDone::default(), "it waits");
}

#[tokio::test]
async fn a_failed_download_is_tried_again_after_the_clock_was_set_back() {
    let server = Server::start().await;
    server.on_request("/a.mp3", ranges);
    let scratch = queued(&server).await;
    let error = ("timeout", &Parameters::default());
    scratch.library.episodes().fail(&episode(&scratch).await, Some(i64::MAX), error).await.unwrap();
    round(&scratch).await;
    assert_eq!(content(&scratch).await, sound());
}

#[tokio::test]
async fn waits_and_progress_use_up_no_tries() {
    let server = Server::start().await;
    let scratch = queued(&server).await;
    let start = Reply::ok(sound()).header("ETag", "\"one\"").cut_after(1_000_000);
    let portal = || Reply::status(511);
    let tried = async |code| {
        assert_eq!(round(&scratch).await, EpisodesDone { failed: 1, ..EpisodesDone::default() });
        let failed = episode(&scratch).await;
        assert_eq!((failed.state, failed.error.as_deref()), (EpisodeState::Queued, Some(code)));
        // The next attempt is due at once, also for a host that asked to wait.
        let error = ("timeout", &Parameters::default());
        scratch.library.episodes().fail(&failed, Some(0), error).await.unwrap();
        travel(2 * DAY);
        failed.tries
    };
    server.on("/a.mp3", start);
    assert_eq!(tried("connection_lost").await, 1);
    server.on("/a.mp3", portal());
    for _ in 0..9 {
        assert_eq!(tried("network_login").await, 1);
    }
    server.on("/a.mp3", Reply::status(429).header("Retry-After", "60"));
    assert_eq!(tried("retry_after_until").await, 1);
    server.on("/a.mp3", Reply::status(500));
    assert_eq!(tried("http_status").await, 2);
    server.on_request("/a.mp3", |request| ranges(request).cut_after(1_500_000));
    assert_eq!(tried("connection_lost").await, 1, "more than a megabyte was added");
    server.on_request("/a.mp3", |request| ranges(request).cut_after(1_000));
    assert_eq!(tried("connection_lost").await, 2);
    server.on_request("/a.mp3", ranges);
    round(&scratch).await;
    assert_eq!(content(&scratch).await, sound());
}

#[tokio::test]
async fn a_removed_download_stops_and_a_stopped_one_goes_on_later() {
    let server = Server::start().await;
    let scratch = queued(&server).await;
    server.on("/a.mp3", Reply::ok(sound()).header("ETag", "\"one\"").hang_in_body(2_000_000));
    let stop = CancellationToken::new();
    let seen = |progress: &gleaner_polling::EpisodeProgress| {
        if progress.bytes >= 1_500_000 {
            stop.cancel();
        }
    };
    let done = scratch.poller.download_episodes(None, stop.clone(), seen).await.unwrap();
    assert_eq!(done, EpisodesDone { cancelled: true, ..EpisodesDone::default() });
    let stopped = episode(&scratch).await;
    assert!(stopped.state == EpisodeState::Queued && stopped.bytes >= 1_500_000, "{stopped:?}");

    server.on_request("/a.mp3", ranges);
    assert_eq!(round(&scratch).await.downloaded, 1);
    assert_eq!(content(&scratch).await, sound());
    scratch.library.episodes().remove(&[1], None).await.unwrap();
    assert!(files(scratch.path()).is_empty());
}

#[tokio::test]
async fn each_episode_that_ends_is_reported_when_the_library_says_so() {
    let server = Server::start().await;
    let scratch = queued(&server).await;
    let ended = std::cell::RefCell::new(Vec::new());
    let seen = |progress: &gleaner_polling::EpisodeProgress| {
        if progress.ended {
            ended.borrow_mut().push(progress.bytes);
        }
    };
    server.on("/a.mp3", Reply::status(404));
    let done = scratch.poller.download_episodes(None, CancellationToken::new(), seen).await.unwrap();
    assert_eq!((done.failed, ended.take()), (1, vec![0]));
    again(&scratch).await;
    server.on("/a.mp3", Reply::ok(sound()));
    scratch.poller.download_episodes(None, CancellationToken::new(), seen).await.unwrap();
    assert_eq!(ended.take(), [i64::try_from(sound().len()).unwrap()]);
}

#[tokio::test]
async fn feeds_of_the_host_are_checked_while_a_file_is_received() {
    let server = Server::start().await;
    let scratch = queued(&server).await;
    server.on("/a.mp3", Reply::ok(sound()).hang_in_body(2_000_000));
    let (stop, begun) = (CancellationToken::new(), Notify::new());
    let checked = async {
        begun.notified().await;
        scratch.refresh().await;
    };
    tokio::select! {
        done = scratch.poller.download_episodes(None, stop, |progress| if progress.bytes > 0 { begun.notify_one() }) => {
            panic!("the feed was not checked before the download ended: {done:?}")
        }
        () = checked => assert_eq!(server.requests_to("/feed").len(), 2),
    }
}
