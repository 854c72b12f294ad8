//! `glean offline`: downloads full texts and images for offline reading.

use crate::{
    args,
    cancel::cancel_on_ctrl_c,
    find::find_feed,
    messages::{Failure, OTHER_PROCESS},
    output::{count, inline, size},
};
use gleaner_app::App;
use gleaner_library::{FeedScope, Library, OfflineContent, OfflineSettings, Preferences};
use gleaner_polling::DownloadProgress;
use indicatif::ProgressBar;
use serde::Serialize;
use std::process::ExitCode;

/// Output of `glean offline --json`; a public contract.
#[derive(Serialize)]
struct Report {
    texts: usize,
    #[serde(rename = "pictures")]
    images: usize,
    /// Number of articles with a failed download in this run.
    failed: usize,
    /// Number of waiting downloads: texts, and articles with images.
    waiting: i64,
    /// Number of downloads that are not tried again.
    #[serde(rename = "given_up")]
    failed_permanently: i64,
    /// Numbers of all stored texts and images, and the size of the images.
    #[serde(rename = "texts_kept")]
    texts_stored: i64,
    #[serde(rename = "pictures_kept")]
    images_stored: i64,
    #[serde(rename = "picture_bytes")]
    image_bytes: i64,
    offline: bool,
    cancelled: bool,
}

/// Output of `glean offline --json` where it changes what is downloaded; a public contract.
#[derive(Serialize)]
struct SetReport {
    text: bool,
    #[serde(rename = "pictures")]
    images: bool,
    /// Whether the setting for all feeds applies to the feed.
    as_all: bool,
    /// Storage limit for images, in bytes.
    room: u64,
    /// Number of downloads that were added: texts, and articles whose images are downloaded if they have any.
    queued: usize,
}

pub async fn run(app: &App, library: &Library, args: args::Offline) -> Result<ExitCode, Failure> {
    if args.feed.is_some() || args.starred || args.all || args.room.is_some() {
        return set(app, library, &args).await;
    }
    cancel_on_ctrl_c(app);
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    let done = gleaner_app::download(app, |so_far| {
        bar.set_message(format!(
            "{}, {}, {} failed",
            count(so_far.texts, "full text"),
            count(so_far.images, "image"),
            so_far.failed
        ));
        bar.tick();
    })
    .await;
    bar.finish_and_clear();
    let done = done?;
    if done.other_process {
        return Err(OTHER_PROCESS.into());
    }
    if done.paused {
        return Err("downloads are paused in the window's settings".into());
    }
    print_result(library, &done, args.json).await?;
    if done.cancelled {
        eprintln!("glean: cancelled; `glean offline` continues the downloads");
    }
    Ok(if done.failed > 0 || done.offline || done.cancelled { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

async fn print_result(library: &Library, done: &DownloadProgress, json: bool) -> Result<(), Failure> {
    let state = library.downloads().state().await?;
    if json {
        let report = Report {
            texts: done.texts,
            images: done.images,
            failed: done.failed,
            waiting: state.waiting,
            failed_permanently: state.failed,
            texts_stored: state.texts,
            images_stored: state.images,
            image_bytes: state.bytes,
            offline: done.offline,
            cancelled: done.cancelled,
        };
        crate::output::json(&report)?;
        return Ok(());
    }
    println!("{} and {} downloaded.", count(done.texts, "full text"), count(done.images, "image"));
    println!(
        "Stored: {} and {} ({}); {} waiting, {} failed permanently.",
        count(state.texts, "full text"),
        count(state.images, "image"),
        size(state.bytes),
        state.waiting,
        state.failed
    );
    if done.offline {
        eprintln!("glean: this computer is offline; run this again once it is online");
    } else if done.failed > 0 {
        eprintln!("glean: {} failed", count(done.failed, "download"));
    }
    Ok(())
}

/// Changes what is downloaded, and adds it to the queue.
async fn set(app: &App, library: &Library, args: &args::Offline) -> Result<ExitCode, Failure> {
    let content = OfflineContent { text: args.text, images: args.images };
    let before = library.downloads().settings().await?;
    let room = args.room.map_or(before.room, |room| room * 1_000_000);
    let mut settings = OfflineSettings { room, largest: before.largest.min(room), ..before };
    if args.starred {
        settings.starred = content;
    }
    if args.all {
        settings.all = content;
    }
    let (mut queued, mut changed) = (0, None);
    if settings != before {
        queued += gleaner_app::save_download_settings(app, &settings).await?;
    }
    if let Some(name) = &args.feed {
        let feed = find_feed(library, name).await?;
        let scope = FeedScope::Feed(feed.id);
        let own = library.preferences().get(scope).await?.own;
        let preferences = Preferences { offline: (!args.as_all).then(|| content.bits()), ..own };
        queued += gleaner_app::set_preferences(app, scope, preferences).await?;
        let what = if args.as_all { "same as all feeds" } else { describe(content) };
        changed = Some(format!("{}: {what}.", inline(&feed.shown_title())));
    } else if args.starred {
        changed = Some(format!("Starred articles: {}.", describe(content)));
    } else if args.all {
        changed = Some(format!("Feeds without a setting of their own: {}.", describe(content)));
    }
    if args.json {
        let OfflineContent { text, images } = content;
        crate::output::json(&SetReport { text, images, as_all: args.as_all, room, queued })?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(changed) = changed {
        println!("{changed}");
    }
    let of_images = if queued > 0 && args.images { " (of images, where an article has any)" } else { "" };
    println!("{} added{of_images}; `glean offline` runs them.", count(queued, "download"));
    Ok(ExitCode::SUCCESS)
}

fn describe(content: OfflineContent) -> &'static str {
    match (content.text, content.images) {
        (true, true) => "full texts and images are downloaded",
        (true, false) => "full texts are downloaded",
        (false, true) => "images are downloaded",
        (false, false) => "nothing is downloaded",
    }
}
