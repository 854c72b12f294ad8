//! `glean ahead`: full texts and pictures, fetched before anybody asks for them.

use crate::{args, live::Failure, why};
use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::{AheadSettings, AheadWish, FeedScope, Library, Preferences, now};
use gleaner_polling::{Ahead, Poller, ahead};
use indicatif::ProgressBar;
use serde::Serialize;
use std::{process::ExitCode, sync::Arc};
use tokio_util::sync::CancellationToken;

/// `glean ahead --json`: a public contract.
#[derive(Serialize)]
struct Report {
    texts: usize,
    pictures: usize,
    /// Articles of which something did not come just now.
    failed: usize,
    /// Texts and articles' pictures that wait for later.
    waiting: i64,
    /// Those that were given up.
    given_up: i64,
    /// All texts and pictures that are there, and the bytes of these.
    texts_kept: i64,
    pictures_kept: i64,
    picture_bytes: i64,
    offline: bool,
    cancelled: bool,
}

pub async fn run(library: Arc<Library>, args: args::Ahead) -> Result<ExitCode, Failure> {
    if args.feed.is_some() || args.starred || args.all || args.room.is_some() {
        return wish(&library, &args).await;
    }
    if args.text || args.pictures {
        return Err("say of what: --feed FEED, --starred or --all".into());
    }
    let poller = Poller::new(library.clone(), Fetcher::new(Limits::default())?);
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    tokio::spawn(async move {
        // Without a signal to wait for, Ctrl-C simply ends the process: nothing is lost by that either.
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    let done = poller
        .ahead(cancel, |so_far| {
            bar.set_message(format!("{} texts, {} pictures, {} failed", so_far.texts, so_far.pictures, so_far.failed));
            bar.tick();
        })
        .await;
    bar.finish_and_clear();
    let done = done?;
    if done.elsewhere {
        return Err("another Gleaner is refreshing this library just now; try again when it is done".into());
    }
    if done.paused {
        return Err("fetching ahead is paused in the window's settings".into());
    }
    tell(&library, &done, args.json).await?;
    Ok(if done.failed > 0 || done.offline { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

async fn tell(library: &Library, done: &Ahead, json: bool) -> Result<(), Failure> {
    let state = library.ahead_state().await?;
    if json {
        let report = Report {
            texts: done.texts,
            pictures: done.pictures,
            failed: done.failed,
            waiting: state.waiting,
            given_up: state.failed,
            texts_kept: state.texts,
            pictures_kept: state.pictures,
            picture_bytes: state.bytes,
            offline: done.offline,
            cancelled: done.cancelled,
        };
        println!("{}", serde_json::to_string(&report)?);
        return Ok(());
    }
    println!("{} full texts and {} pictures came.", done.texts, done.pictures);
    println!(
        "{} texts and {} pictures ({:.1} MB) are there; {} wait, {} were given up.",
        state.texts,
        state.pictures,
        state.bytes as f64 / 1e6,
        state.waiting,
        state.failed
    );
    if done.offline {
        eprintln!("glean: this computer seems to be offline: the rest waits");
    } else if done.failed > 0 {
        eprintln!("glean: {} could not be fetched", done.failed);
    }
    Ok(())
}

async fn wish(library: &Library, args: &args::Ahead) -> Result<ExitCode, Failure> {
    let wish = AheadWish { text: args.text, pictures: args.pictures };
    let before = library.ahead_settings().await?;
    let room = args.room.map_or(before.room, |room| room * 1_000_000);
    let mut settings = AheadSettings { room, largest: before.largest.min(room), ..before };
    if args.starred {
        settings.starred = wish;
    }
    if args.all {
        settings.all = wish;
    }
    let mut queued = 0;
    if settings != before {
        queued += ahead::wish_of_all(library, &settings, now()).await?;
    }
    if let Some(name) = &args.feed {
        let feed = why::find(library, name).await?;
        let scope = FeedScope::Feed(feed.id);
        let own = library.preferences(scope).await?.own;
        let wished = Preferences { ahead: (!args.as_all).then(|| wish.bits()), ..own };
        queued += ahead::prefer(library, scope, wished, now()).await?;
        println!("{}: {}.", feed.shown_title(), if args.as_all { "as for all feeds" } else { words(wish) });
    } else if args.starred {
        println!("Of starred articles: {}.", words(wish));
    } else if args.all {
        println!("Of feeds without a wish of their own: {}.", words(wish));
    }
    println!("{queued} texts and articles' pictures are asked for; `glean ahead` fetches them.");
    Ok(ExitCode::SUCCESS)
}

fn words(wish: AheadWish) -> &'static str {
    match (wish.text, wish.pictures) {
        (true, true) => "full texts and pictures are fetched ahead",
        (true, false) => "full texts are fetched ahead",
        (false, true) => "pictures are fetched ahead",
        (false, false) => "nothing is fetched ahead",
    }
}
