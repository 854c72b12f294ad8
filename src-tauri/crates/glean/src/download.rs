//! `glean download`: downloads episodes to play them offline.

use crate::{
    args,
    cancel::cancel_on_ctrl_c,
    find::{check_articles, find_feed},
    messages::{Failure, OTHER_PROCESS, message},
    output::{count, inline},
    search::{self, INDEXING, report_query_error},
};
use gleaner_app::App;
use gleaner_library::{Episode, EpisodeState, Library, ListQuery, SearchOrder, SearchPage, Source};
use gleaner_polling::{EpisodeProgress, EpisodesDone, FeedError};
use gleaner_query::{Expr, Media};
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use serde::Serialize;
use std::{
    collections::{HashMap, HashSet},
    io,
    path::Path,
    process::ExitCode,
};

/// Received bytes and length of each file, by article and address.
type Sizes = HashMap<(i64, String), (i64, i64)>;

const NOTHING_QUEUED: &str =
    "No episodes are queued. `glean download --feed FEED` downloads the newest ones of a feed.";

/// Number of articles that are read at a time.
const PAGE: u32 = 200;

/// Output of `glean download --json`; a public contract.
#[derive(Serialize)]
struct Report {
    /// Number of episodes that this run downloaded.
    downloaded: usize,
    /// Number of attempts that failed.
    failed: usize,
    offline: bool,
    cancelled: bool,
    episodes: Vec<EpisodeReport>,
}

#[derive(Serialize)]
struct EpisodeReport {
    id: i64,
    title: String,
    feed: String,
    url: String,
    /// `queued`, `downloaded` or `failed`.
    state: &'static str,
    bytes: i64,
    total: Option<i64>,
    /// The copy that --to made.
    file: Option<String>,
    error: Option<String>,
}

pub async fn run(app: &App, library: &Library, args: args::Download) -> Result<ExitCode, Failure> {
    let text = args.query.join(" ");
    let query = match gleaner_query::parse(&text) {
        Ok(query) => query,
        Err(error) => return report_query_error(&text, &error, false),
    };
    if let Some(to) = args.to.as_deref().filter(|to| to.exists() && !to.is_dir()) {
        return Err(Failure::usage(format!("{} is not a folder", to.display())));
    }
    check_articles(library, &args.article).await?;
    let chosen = choose(app, library, &args, query).await?;
    cancel_on_ctrl_c(app);
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(0) };
    bar.set_style(ProgressStyle::with_template("{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}")?);
    let sizes = Mutex::new(Sizes::new());
    let done = gleaner_app::download_queued_episodes(app, chosen.as_ref(), |episode| show(&bar, &sizes, episode)).await;
    bar.finish_and_clear();
    let done = done?;
    if done.other_process {
        return Err(OTHER_PROCESS.into());
    }
    let touched = sizes.into_inner();
    let mut episodes = library.episodes().list().await?;
    episodes.retain(|episode| match &chosen {
        Some(chosen) => chosen.contains(&episode.item_id),
        None => {
            let open = episode.state != EpisodeState::Downloaded;
            open || touched.contains_key(&(episode.item_id, episode.url.clone()))
        }
    });
    let (reports, copied) = reports(app, library, episodes, args.to.as_deref()).await?;
    for report in &reports {
        if let Some(error) = &report.error {
            eprintln!("glean: {}: {error}", inline(&report.title));
        }
    }
    if done.cancelled {
        eprintln!("glean: cancelled; the received parts were kept, and `glean download` continues them");
    }
    let failed = done.failed > 0 || !copied || reports.iter().any(|report| report.state == "failed");
    if args.json {
        let EpisodesDone { downloaded, failed, offline, cancelled, .. } = done;
        crate::output::json(&Report { downloaded, failed, offline, cancelled, episodes: reports })?;
    } else {
        print(done, &reports, chosen.is_some());
    }
    Ok(if failed || done.offline || done.cancelled { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn print(done: EpisodesDone, reports: &[EpisodeReport], chosen: bool) {
    for file in reports.iter().filter_map(|report| report.file.as_ref()) {
        println!("{}", inline(file));
    }
    if reports.is_empty() {
        println!("{}", if chosen { "No episodes match." } else { NOTHING_QUEUED });
    } else {
        let waiting = reports.iter().filter(|report| report.state == "queued").count();
        let present = reports.iter().filter(|report| report.state == "downloaded").count();
        println!(
            "{} downloaded, {} already present, {waiting} waiting.",
            count(done.downloaded, "episode"),
            present.saturating_sub(done.downloaded)
        );
    }
    if done.offline {
        eprintln!("glean: this computer is offline; run this again once it is online");
    }
}

/// Shows how many bytes of all files were received.
fn show(bar: &ProgressBar, sizes: &Mutex<Sizes>, episode: &EpisodeProgress) {
    let mut sizes = sizes.lock();
    let total = episode.total.unwrap_or(0).max(episode.bytes);
    sizes.insert((episode.item_id, episode.url.clone()), (episode.bytes, total));
    let sum = |one: fn(&(i64, i64)) -> i64| sizes.values().map(one).sum::<i64>().unsigned_abs();
    bar.set_length(sum(|(_, total)| *total));
    bar.set_position(sum(|(bytes, _)| *bytes));
}

/// Queues the chosen episodes, and returns their articles. `None`: nothing was chosen, so all queued episodes are downloaded.
async fn choose(
    app: &App,
    library: &Library,
    args: &args::Download,
    query: Expr,
) -> Result<Option<HashSet<i64>>, Failure> {
    if args.article.is_empty() && args.feed.is_empty() && args.query.is_empty() && !args.play_queue {
        return Ok(None);
    }
    let mut chosen = Vec::new();
    for id in &args.article {
        let article = library.articles().get(*id).await?;
        if library.episodes().queue(&[*id], None).await? == 0 && !is_episode(library, *id).await? {
            return Err(format!("{} has no audio or video to download", inline(&article.title)).into());
        }
        chosen.push(*id);
    }
    for name in &args.feed {
        chosen.extend(newest(library, find_feed(library, name).await?.id, args.limit).await?);
    }
    if !args.query.is_empty() {
        chosen.extend(found(app, query, args.limit).await?);
    }
    library.episodes().queue(&chosen, None).await?;
    if args.play_queue {
        for queued in library.play_queue().list().await? {
            library.episodes().queue(&[queued.item_id], Some(&queued.url)).await?;
            chosen.push(queued.item_id);
        }
    }
    Ok(Some(chosen.into_iter().collect()))
}

async fn is_episode(library: &Library, id: i64) -> Result<bool, Failure> {
    Ok(library.episodes().list().await?.iter().any(|episode| episode.item_id == id))
}

/// Returns the newest articles of a feed that have audio or video.
async fn newest(library: &Library, feed: i64, limit: u32) -> Result<Vec<i64>, Failure> {
    let limit = limit as usize;
    let (mut ids, mut query) = (Vec::new(), ListQuery::newest(Source::Feed(feed), PAGE));
    loop {
        let (rows, more) = library.lists().page(query).await?;
        ids.extend(rows.iter().filter(|row| row.media.is_some()).map(|row| row.id));
        query.after = rows.last().map(gleaner_library::Row::cursor);
        if !more || ids.len() >= limit {
            ids.truncate(limit);
            return Ok(ids);
        }
    }
}

/// Returns the newest articles with audio or video that match a search.
async fn found(app: &App, query: Expr, limit: u32) -> Result<Vec<i64>, Failure> {
    let media = Expr::Or(vec![Expr::Has(Media::Audio), Expr::Has(Media::Video)]);
    let query = match query {
        Expr::All => media,
        Expr::And(mut parts) => {
            parts.push(media);
            Expr::And(parts)
        }
        query => Expr::And(vec![query, media]),
    };
    search::index(app, INDEXING).await;
    let found = gleaner_app::find_articles(app, &query, SearchPage::first(SearchOrder::Date, limit)).await?;
    Ok(found.hits.iter().map(|found| found.hit.row.id).collect())
}

/// Reports the episodes, and copies the downloaded ones. Returns whether that succeeded.
async fn reports(
    app: &App,
    library: &Library,
    episodes: Vec<Episode>,
    to: Option<&Path>,
) -> Result<(Vec<EpisodeReport>, bool), Failure> {
    let feeds: HashMap<i64, String> =
        library.feeds().list().await?.into_iter().map(|feed| (feed.id, feed.shown_title())).collect();
    let (mut reports, mut copied) = (Vec::with_capacity(episodes.len()), true);
    for episode in episodes {
        let feed = feeds.get(&episode.feed_id).cloned().unwrap_or_default();
        let mut error = FeedError::stored(episode.error.as_deref(), &episode.parameters).map(message);
        let mut file = None;
        if let Some(folder) = to.filter(|_| episode.state == EpisodeState::Downloaded) {
            match gleaner_app::copy_episode(app, &episode, &feed, folder).await {
                Ok(copy) => file = Some(copy.display().to_string()),
                Err(problem) => {
                    copied = false;
                    error = Some(not_copied(folder, &problem));
                }
            }
        }
        reports.push(EpisodeReport {
            id: episode.item_id,
            title: episode.title,
            feed,
            url: episode.url,
            state: match episode.state {
                EpisodeState::Queued => "queued",
                EpisodeState::Downloaded => "downloaded",
                EpisodeState::Failed => "failed",
            },
            bytes: episode.bytes,
            total: episode.total,
            file,
            error,
        });
    }
    Ok((reports, copied))
}

fn not_copied(folder: &Path, problem: &io::Error) -> String {
    let folder = folder.display();
    match problem.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!("there is not enough space to copy it to {folder}; free some or use another disk")
        }
        io::ErrorKind::AlreadyExists => {
            format!("{folder} has another file of this name; remove it or use another folder")
        }
        _ => format!("couldn't copy it to {folder}: {problem}"),
    }
}
