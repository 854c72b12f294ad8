//! `glean import`: imports OPML lists, archives and the data of other readers into the library.

use crate::{args::Import, commands::Failure, output::count};
use gleaner_exchange::{
    archive::{self, Imported},
    readers::{self, Found, ImportError, ImportResult, Kind, Step},
};
use gleaner_library::{Library, now};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};
use tempfile::NamedTempFile;

/// Output of `glean import --json` for one file; a public contract.
#[derive(Default, Serialize)]
struct Report {
    source: String,
    /// Name of the program or format of the data.
    kind: Option<&'static str>,
    title: Option<String>,
    repairs: Vec<String>,
    added: usize,
    /// New feeds that are not checked automatically.
    unpolled: usize,
    folders_added: usize,
    already: Vec<String>,
    articles: usize,
    unread: usize,
    starred: usize,
    /// Articles that were already in the library.
    known: usize,
    /// Those of them that were marked or tagged.
    marked: usize,
    skipped: Vec<SkippedReport>,
    error: Option<String>,
    /// More numbers, for an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    archive: Option<ArchiveReport>,
}

#[derive(Serialize)]
struct ArchiveReport {
    made_at: String,
    /// Whether nothing was imported; the numbers say what would be.
    dry_run: bool,
    feeds_there: usize,
    articles_added: usize,
    articles_there: usize,
    marked: u64,
    tagged: u64,
    versions: u64,
    images: u64,
    rules_added: u64,
    searches_added: u64,
    /// Number of all errors; `skipped` holds the first of them.
    left_out: u64,
    stopped: bool,
}

/// A file to import.
pub struct Input {
    /// Name given on the command line.
    name: String,
    /// Path that can be read several times.
    pub path: PathBuf,
    _copy: Option<NamedTempFile>,
}

/// Returns the files to import. Standard input (`-`) and pipes are copied to temporary files.
pub fn open_inputs(files: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let open = |file: &PathBuf| -> io::Result<Input> {
        let name = file.display().to_string();
        let mut stream: Box<dyn Read> = match name.as_str() {
            "-" => Box::new(io::stdin()),
            _ if is_pipe(file) => Box::new(File::open(file)?),
            _ => return Ok(Input { name, path: file.clone(), _copy: None }),
        };
        let mut copy = NamedTempFile::new()?;
        io::copy(&mut stream, &mut copy)?;
        Ok(Input { name, path: copy.path().to_owned(), _copy: Some(copy) })
    };
    let failed = |file: &PathBuf, error| format!("couldn't read {}: {error}", file.display());
    files.iter().map(|file| open(file).map_err(|error| failed(file, error).into())).collect()
}

fn is_pipe(file: &Path) -> bool {
    #[cfg(unix)]
    return fs::metadata(file).is_ok_and(|metadata| std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type()));
    #[cfg(not(unix))]
    return false;
}

/// Returns whether one of the files is an archive, whose dry run needs a library.
pub fn any_archive(files: &[Input]) -> bool {
    files.iter().any(|file| archive::is_archive(&file.path))
}

#[derive(Serialize)]
struct SkippedReport {
    reason: String,
    outline: String,
}

/// Finds the data in files and folders, lists of feeds first, since they define subscriptions and folders.
pub fn find<'a>(files: impl IntoIterator<Item = &'a Input>) -> Vec<(String, Result<Found, ImportError>)> {
    let mut all = Vec::new();
    for Input { name, path, .. } in files {
        match readers::find(path) {
            Ok(found) => all.extend(found.into_iter().map(|found| {
                let inside = found.path.strip_prefix(path).ok().filter(|rest| !rest.as_os_str().is_empty());
                let name = inside.map_or_else(|| name.clone(), |rest| path.join(rest).display().to_string());
                (name, Ok(found))
            })),
            Err(error) => all.push((name.clone(), Err(error))),
        }
    }
    all.sort_by_key(|(_, found)| !matches!(found, Ok(Found { kind: Kind::List | Kind::Urls, .. })));
    all
}

pub async fn run(library: &Arc<Library>, args: &Import) -> Result<ExitCode, Failure> {
    let inputs = open_inputs(&args.files)?;
    let (archives, others): (Vec<&Input>, Vec<&Input>) =
        inputs.iter().partition(|input| archive::is_archive(&input.path));
    if let (true, Some(other)) = (args.dry_run, others.first()) {
        eprintln!("glean: {}: with --dry-run, archives can't be combined with other files", other.name);
        return Ok(ExitCode::from(2));
    }
    let mut reports = Vec::with_capacity(args.files.len());
    for file in archives {
        let report = import_archive(library, file, args.dry_run).await;
        if !args.json {
            print_report(&report);
        }
        reports.push(report);
    }
    for (source, found) in find(others) {
        let report = import_data(library, source, found).await?;
        if !args.json {
            print_report(&report);
        }
        reports.push(report);
    }
    // Lists may contain entries that aren't feeds; in an archive only damage is skipped.
    let incomplete =
        |report: &Report| report.archive.as_ref().is_some_and(|archive| archive.stopped || archive.left_out > 0);
    let failed = reports.iter().any(|report| report.error.is_some() || incomplete(report));
    if args.json {
        // The report of a single file is printed as an object, those of several files as a list.
        let document = if let [report] = reports.as_slice() {
            serde_json::to_string(report)?
        } else {
            serde_json::to_string(&reports)?
        };
        println!("{document}");
    }
    Ok(ExitCode::from(u8::from(failed)))
}

async fn import_data(library: &Library, source: String, found: Result<Found, ImportError>) -> Result<Report, Failure> {
    let opened = match found {
        Ok(found) => readers::open(&found).await,
        Err(error) => Err(error),
    };
    let mut data = match opened {
        Ok(data) => data,
        Err(error) => return Ok(Report { source, error: Some(error.to_string()), ..Report::default() }),
    };
    let style =
        ProgressStyle::with_template("{spinner} {pos} articles").unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new_spinner().with_style(style);
    let result = readers::import(library, &mut data, now(), |step| {
        if let Step::Articles(done) = step {
            bar.set_position(done as u64);
        }
        true
    })
    .await;
    bar.finish_and_clear();
    let (imported, error) = match result {
        Ok(mut imported) => {
            let damaged = imported.damaged.take();
            (imported, damaged)
        }
        Err(ImportError::Library(error)) => return Err(error.into()),
        Err(error) => (ImportResult::default(), Some(error.to_string())),
    };
    Ok(Report {
        source,
        kind: Some(data.program),
        title: data.title,
        repairs: data.repairs,
        added: imported.added.len(),
        unpolled: imported.unpolled,
        folders_added: imported.folders_added,
        already: imported.already,
        articles: imported.articles.articles,
        unread: imported.articles.unread,
        starred: imported.articles.starred,
        known: imported.known,
        marked: imported.articles.marked,
        skipped: imported.skipped.into_iter().map(|s| SkippedReport { reason: s.why, outline: s.what }).collect(),
        error,
        archive: None,
    })
}

async fn import_archive(library: &Arc<Library>, file: &Input, dry_run: bool) -> Report {
    let source = file.name.clone();
    let result = archive::import(library.clone(), file.path.clone(), dry_run, crate::export::progress()).await;
    let (imported, error) = match result {
        Ok(imported) => (imported, None),
        Err(error) => (Imported::default(), Some(error.to_string())),
    };
    let place = |line: Option<u64>| line.map(|line| format!(", line {line}")).unwrap_or_default();
    Report {
        source,
        kind: Some("Gleaner"),
        added: imported.head.feeds_added.len(),
        folders_added: imported.head.folders_added,
        skipped: imported
            .problems
            .iter()
            .map(|problem| SkippedReport {
                reason: problem.why.clone(),
                outline: format!("{}{}", problem.file, place(problem.line)),
            })
            .collect(),
        archive: error.is_none().then_some(ArchiveReport {
            made_at: imported.made_at,
            dry_run,
            feeds_there: imported.head.feeds_there,
            articles_added: imported.articles.added,
            articles_there: imported.articles.there,
            marked: imported.marked,
            tagged: imported.tagged,
            versions: imported.versions,
            images: imported.images,
            rules_added: imported.head.rules_added,
            searches_added: imported.head.searches_added,
            left_out: imported.problems_total,
            stopped: imported.cancelled,
        }),
        error,
        ..Report::default()
    }
}

fn print_report(report: &Report) {
    if let Some(error) = &report.error {
        // Some errors already start with the file's name.
        let named = error.starts_with(&report.source);
        eprintln!("glean: {}{error}", if named { String::new() } else { format!("{}: ", report.source) });
        // A damaged file may have been imported in part.
        if report.articles + report.known + report.added == 0 {
            return;
        }
    }
    if let Some(archive) = &report.archive {
        print_archive(report, archive);
        return;
    }
    println!(
        "{}: {} and {} added, {} already subscribed",
        report.source,
        count(report.added, "feed"),
        count(report.folders_added, "folder"),
        count(report.already.len(), "feed")
    );
    if report.unpolled > 0 {
        println!("  {} added for their articles only, without automatic checks", count(report.unpolled, "more feed"));
    }
    if report.articles + report.known > 0 {
        println!(
            "  {} added ({} unread, {} starred), {} already in the library ({} of them updated)",
            count(report.articles, "article"),
            report.unread,
            report.starred,
            report.known,
            report.marked
        );
    }
    for repair in &report.repairs {
        println!("  repaired: {repair}");
    }
    for skipped in &report.skipped {
        println!("  skipped: {} ({})", skipped.outline, skipped.reason);
    }
}

fn print_archive(report: &Report, archive: &ArchiveReport) {
    let verb = if archive.dry_run { "would be added" } else { "added" };
    println!(
        "{}, exported {}: {} and {} {verb}; {} and {} already in the library",
        report.source,
        archive.made_at,
        count(report.added, "feed"),
        count(archive.articles_added, "article"),
        count(archive.feeds_there, "feed"),
        count(archive.articles_there, "article")
    );
    if !archive.dry_run {
        println!(
            "  {} marked, {} assigned; {}, {}, {} and {} added",
            count(archive.marked, "article"),
            count(archive.tagged, "tag"),
            count(archive.versions, "previous version"),
            count(archive.images, "image"),
            count(archive.rules_added, "rule"),
            count(archive.searches_added, "saved search")
        );
        if report.added > 0 {
            println!(
                "  Archives contain no passwords, tokens or headers. Enter them again with `glean access` where needed."
            );
        }
    }
    for skipped in &report.skipped {
        eprintln!("glean: skipped: {} ({})", skipped.outline, skipped.reason);
    }
    if archive.left_out > 0 {
        eprintln!("glean: {} couldn't be read; everything else was imported", count(archive.left_out, "part"));
    }
    if archive.stopped {
        eprintln!("glean: cancelled; import the archive again for the rest");
    }
}
