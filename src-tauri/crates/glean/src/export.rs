//! `glean export`: OPML out, an archive of everything, or articles as documents.

use crate::{
    args::{Export, Form},
    live::Failure,
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

/// So many results are asked for at a time.
const PAGE: u32 = 500;

pub async fn run(library: &Arc<Library>, args: &Export) -> Result<ExitCode, Failure> {
    match (args.everything, args.format) {
        (true, _) => everything(library, args).await,
        (false, Some(form)) => articles(library, args, form).await,
        (false, None) => subscriptions(library, args).await,
    }
}

async fn subscriptions(library: &Library, args: &Export) -> Result<ExitCode, Failure> {
    let text = subscriptions_opml(library.subscriptions().await?);
    match args.words.as_slice() {
        [] => crate::out::all(text.as_bytes()),
        [file] => gleaner_exchange::save(Path::new(file), text.as_bytes())?,
        _ => return Ok(wrong("one FILE at most")),
    }
    Ok(ExitCode::SUCCESS)
}

async fn everything(library: &Arc<Library>, args: &Export) -> Result<ExitCode, Failure> {
    let [file] = args.words.as_slice() else {
        return Ok(wrong("--everything FILE: where is the archive to be written?"));
    };
    let file = Path::new(file).to_owned();
    let progress = progress();
    let exported = archive::export(library.clone(), file.clone(), progress).await?;
    println!(
        "{}: {} feeds, {} articles, {} pictures, {:.1} MB. Its README.txt says what is in it.",
        file.display(),
        exported.feeds,
        exported.articles,
        exported.pictures,
        exported.bytes as f64 / 1e6
    );
    println!(
        "Passwords, tokens and headers are not in it{}.",
        match exported.without_access {
            0 => String::new(),
            1 => ": those of one feed are to be given again where it is taken in".to_owned(),
            n => format!(": those of {n} feeds are to be given again where it is taken in"),
        }
    );
    Ok(ExitCode::SUCCESS)
}

async fn articles(library: &Arc<Library>, args: &Export, form: Form) -> Result<ExitCode, Failure> {
    let Some(words) = args.words.iter().map(|word| word.to_str()).collect::<Option<Vec<&str>>>() else {
        return Ok(wrong("the query is no UTF-8"));
    };
    let written = words.join(" ");
    if written.is_empty() && args.article.is_empty() {
        return Ok(wrong("--format FORM: of which articles? Give a QUERY, or --article NUMBER"));
    }
    if form == Form::Epub && args.output.is_none() {
        return Ok(wrong("--output FILE: where is the book to be written?"));
    }
    let mut ids = args.article.clone();
    if !written.is_empty() {
        let query = match gleaner_query::parse(&written) {
            Ok(query) => query,
            Err(error) => return crate::search::refuse(&written, &error, false),
        };
        // What is not in the index would be missing.
        crate::search::index(library, Duration::MAX).await;
        let waiting = library.index_state().await?.waiting;
        if waiting > 0 {
            eprintln!("glean: {waiting} articles are not in the search index yet, and none of them is written");
        }
        let mut after = None;
        loop {
            let (hits, more) = library.search(&query, &Local::now(), SearchOrder::Date, after, PAGE).await?;
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
        return Err("nothing was found: there is nothing to write".into());
    }
    let wish = documents::Wish {
        articles: ids,
        title: if written.is_empty() { "Gleaner".to_owned() } else { written },
        form: form.into(),
        remote_pictures: args.remote_pictures,
    };
    let count = match &args.output {
        Some(file) => documents::save(library, &wish, file, |_| true).await?,
        None => {
            let folder = tempfile::tempdir()?;
            let file = folder.path().join("document");
            let count = documents::save(library, &wish, &file, |_| true).await?;
            if count > 0 {
                crate::out::all(std::fs::File::open(&file)?);
            }
            count
        }
    };
    if count == 0 {
        return Err("none of these articles is there: `glean search --json` gives their numbers as `id`".into());
    }
    if let Some(file) = &args.output {
        println!("{}: {count} {}", file.display(), if count == 1 { "article" } else { "articles" });
    }
    Ok(ExitCode::SUCCESS)
}

/// Said of wrong words on the command line.
fn wrong(what: &str) -> ExitCode {
    eprintln!("glean: {what}");
    ExitCode::from(2)
}

/// Shows on a terminal how far an archive is, and stops it when the user wishes.
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
