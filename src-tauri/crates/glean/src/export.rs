//! `glean export`: exports subscriptions as OPML, the library as an archive, or articles as documents.

use crate::{
    args::{Export, Format},
    cancel::{cancel_on_ctrl_c, end_on_ctrl_c},
    find::check_articles,
    messages::Failure,
    output::{count, size},
};
use gleaner_app::App;
use gleaner_exchange::{archive::ArchiveError, documents::DocumentOptions};
use gleaner_library::Library;
use indicatif::{ProgressBar, ProgressStyle};
use std::{path::Path, process::ExitCode, time::Duration};
use tempfile::TempDir;

pub async fn run(app: &App, library: &Library, args: &Export) -> Result<ExitCode, Failure> {
    match (args.everything, args.format) {
        (true, _) => everything(app, args).await,
        (false, Some(format)) => articles(app, library, args, format).await,
        (false, None) => subscriptions(app, args).await,
    }
}

async fn subscriptions(app: &App, args: &Export) -> Result<ExitCode, Failure> {
    if args.words.iter().any(|file| file.is_empty()) {
        return Err(Failure::usage("the name of FILE is empty"));
    }
    let text = gleaner_app::export_subscriptions(app).await?;
    match args.words.as_slice() {
        [] => crate::output::copy(text.as_bytes()),
        // As in `glean import -`.
        [file] if file == "-" => crate::output::copy(text.as_bytes()),
        [file] => gleaner_exchange::save(Path::new(file), text.as_bytes())?,
        _ => return Err(Failure::usage("give at most one FILE")),
    }
    Ok(ExitCode::SUCCESS)
}

async fn everything(app: &App, args: &Export) -> Result<ExitCode, Failure> {
    let [file] = args.words.as_slice() else {
        return Err(Failure::usage("--everything needs one FILE for the archive"));
    };
    let temporary = (file == "-").then(gleaner_exchange::temporary_folder).transpose()?;
    let file =
        temporary.as_ref().map_or_else(|| Path::new(file).to_owned(), |folder| folder.path().join("archive.zip"));
    cancel_on_ctrl_c(app);
    let bar = ProgressBar::no_length().with_style(ProgressStyle::with_template("{pos}/{len} articles  {msg}")?);
    let exported = gleaner_app::export_everything(app, &file, move |so_far| {
        if so_far.total > 0 {
            bar.set_length(so_far.total);
        }
        bar.set_position(so_far.done.max(bar.position()));
        bar.set_message(so_far.file);
    });
    let exported = exported.await?.ok_or(ArchiveError::Cancelled)?;
    if temporary.is_some() {
        copy_and_remove(&file, temporary)?;
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "{}: {}, {}, {}, {}. README.txt in the archive describes its contents.",
        file.display(),
        count(exported.feeds, "feed"),
        count(exported.articles, "article"),
        count(exported.images, "image"),
        size(exported.bytes)
    );
    println!("Passwords, tokens and headers are not included.");
    if exported.without_access > 0 {
        println!("Enter those of {} again after importing it.", count(exported.without_access, "feed"));
    }
    Ok(ExitCode::SUCCESS)
}

async fn articles(app: &App, library: &Library, args: &Export, format: Format) -> Result<ExitCode, Failure> {
    let Some(words) = args.words.iter().map(|word| word.to_str()).collect::<Option<Vec<&str>>>() else {
        return Err(Failure::usage("the query is not valid UTF-8"));
    };
    let text = words.join(" ");
    if text.is_empty() && args.article.is_empty() {
        return Err(Failure::usage("--format needs a QUERY or --article NUMBER"));
    }
    if format == Format::Epub && args.output.is_none() {
        return Err(Failure::usage("--format epub needs --output FILE"));
    }
    check_articles(library, &args.article).await?;
    // Without this, Ctrl-C leaves the copy of the articles in the temporary folder.
    cancel_on_ctrl_c(app);
    let query = match (!text.is_empty()).then(|| gleaner_query::parse(&text)).transpose() {
        Ok(query) => query,
        Err(error) => return crate::search::report_query_error(&text, &error, false),
    };
    if query.is_some() {
        // Articles that are not indexed would be missing.
        crate::search::index(app, Duration::MAX).await;
        let waiting = library.search_index().state().await?.waiting;
        if waiting > 0 {
            eprintln!("glean: {} not indexed yet and therefore not exported", count(waiting, "article"));
        }
    }
    let options = DocumentOptions {
        articles: args.article.clone(),
        title: if text.is_empty() { "Gleaner".to_owned() } else { text },
        form: format.into(),
        remote_images: args.remote_images,
    };
    let output = args.output.clone().filter(|file| file != Path::new("-"));
    let temporary = output.is_none().then(gleaner_exchange::temporary_folder).transpose()?;
    let file = output.clone().or_else(|| Some(temporary.as_ref()?.path().join("document"))).unwrap_or_default();
    let (found, written) = gleaner_app::save_document(app, options, query.as_ref(), false, &file, |_, _| {})
        .await?
        .ok_or(ArchiveError::Cancelled)?;
    if found == 0 || written == 0 {
        return Err("no matches; nothing was written".into());
    }
    match output {
        Some(file) => println!("{}: {}", file.display(), count(written, "article")),
        None => copy_and_remove(&file, temporary)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Copies a file to standard output, and removes its folder.
fn copy_and_remove(file: &Path, folder: Option<TempDir>) -> Result<(), Failure> {
    let document = std::fs::File::open(file)?;
    // An open file can be removed first on Unix, so that nothing stays if the copying is interrupted.
    let folder = folder.filter(|_| !cfg!(unix));
    if folder.is_none() {
        end_on_ctrl_c();
    }
    let copied = crate::output::try_copy(document);
    // The program exits if the output is closed.
    drop(folder);
    crate::output::exit_on_error(copied);
    Ok(())
}
