//! `glean export`: exports subscriptions as OPML, the library as an archive, or articles as documents.

use crate::{
    args::{Export, Format},
    commands::Failure,
    output::count,
};
use chrono::Local;
use gleaner_exchange::{archive, documents, subscriptions_opml};
use gleaner_library::{Library, SearchOrder};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    collections::HashSet,
    path::Path,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Number of matches read at a time.
const PAGE: u32 = 500;

pub async fn run(library: &Arc<Library>, args: &Export) -> Result<ExitCode, Failure> {
    match (args.everything, args.format) {
        (true, _) => everything(library, args).await,
        (false, Some(format)) => articles(library, args, format).await,
        (false, None) => subscriptions(library, args).await,
    }
}

async fn subscriptions(library: &Library, args: &Export) -> Result<ExitCode, Failure> {
    let text = subscriptions_opml(library.subscriptions().tree().await?)?;
    match args.words.as_slice() {
        [] => crate::output::copy(text.as_bytes()),
        [file] => gleaner_exchange::save(Path::new(file), text.as_bytes())?,
        _ => return Ok(invalid("give at most one FILE")),
    }
    Ok(ExitCode::SUCCESS)
}

async fn everything(library: &Arc<Library>, args: &Export) -> Result<ExitCode, Failure> {
    let [file] = args.words.as_slice() else {
        return Ok(invalid("--everything needs the FILE to write the archive to"));
    };
    let file = Path::new(file).to_owned();
    let progress = progress();
    let exported = archive::export(library.clone(), file.clone(), progress).await?;
    println!(
        "{}: {}, {}, {}, {:.1} MB. README.txt in the archive describes its contents.",
        file.display(),
        count(exported.feeds, "feed"),
        count(exported.articles, "article"),
        count(exported.images, "image"),
        exported.bytes as f64 / 1e6
    );
    println!("Passwords, tokens and headers are not included.");
    if exported.without_access > 0 {
        println!("Enter those of {} again after importing it.", count(exported.without_access, "feed"));
    }
    Ok(ExitCode::SUCCESS)
}

async fn articles(library: &Arc<Library>, args: &Export, format: Format) -> Result<ExitCode, Failure> {
    let Some(words) = args.words.iter().map(|word| word.to_str()).collect::<Option<Vec<&str>>>() else {
        return Ok(invalid("the query is not valid UTF-8"));
    };
    let text = words.join(" ");
    if text.is_empty() && args.article.is_empty() {
        return Ok(invalid("--format needs a QUERY or --article NUMBER"));
    }
    if format == Format::Epub && args.output.is_none() {
        return Ok(invalid("--format epub needs --output FILE"));
    }
    let mut ids = args.article.clone();
    if !text.is_empty() {
        let query = match gleaner_query::parse(&text) {
            Ok(query) => query,
            Err(error) => return crate::search::report_query_error(&text, &error, false),
        };
        // Articles that are not indexed would be missing.
        crate::search::index(library, Duration::MAX).await;
        let waiting = library.search_index().state().await?.waiting;
        if waiting > 0 {
            eprintln!("glean: {} not indexed yet and therefore not exported", count(waiting, "article"));
        }
        let mut after = None;
        loop {
            let (hits, more) = library.search().find(&query, &Local::now(), SearchOrder::Date, after, PAGE).await?;
            after = hits.last().map(gleaner_library::Hit::cursor);
            ids.extend(hits.iter().map(|hit| hit.row.id));
            if !more {
                break;
            }
        }
    }
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(*id));
    if ids.is_empty() {
        return Err("no matches; nothing was written".into());
    }
    let request = documents::DocumentOptions {
        articles: ids,
        title: if text.is_empty() { "Gleaner".to_owned() } else { text },
        form: format.into(),
        remote_images: args.remote_images,
    };
    let written = match &args.output {
        Some(file) => documents::save(library, &request, file, |_| true).await?,
        None => {
            let folder = tempfile::tempdir()?;
            let file = folder.path().join("document");
            let written = documents::save(library, &request, &file, |_| true).await?;
            if written > 0 {
                crate::output::copy(std::fs::File::open(&file)?);
            }
            written
        }
    };
    if written == 0 {
        return Err("none of these articles exists; `glean search --json` lists the numbers of articles as `id`".into());
    }
    if let Some(file) = &args.output {
        println!("{}: {}", file.display(), count(written, "article"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the error in the arguments and returns exit status 2.
fn invalid(message: &str) -> ExitCode {
    eprintln!("glean: {message}");
    ExitCode::from(2)
}

/// Returns a callback that shows the progress of an archive, and cancels it on Ctrl-C.
pub fn progress() -> impl FnMut(archive::Progress) -> bool + Send + 'static {
    let bar = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} articles  {msg}") {
        bar.set_style(style);
    }
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = stopped.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.store(true, Ordering::Relaxed);
        }
    });
    move |so_far| {
        if so_far.total > 0 {
            bar.set_length(so_far.total);
        }
        bar.set_position(so_far.done.max(bar.position()));
        bar.set_message(so_far.file);
        !stopped.load(Ordering::Relaxed)
    }
}
