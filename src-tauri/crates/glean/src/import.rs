//! `glean import`: imports OPML lists, archives and the data of other readers into the library.

use crate::{
    args::{Import, Unopened},
    cancel::cancel_on_ctrl_c,
    messages::{Failure, archive_problem, damaged, message, repair, skip_reason, unreadable},
    output::{count, inline, json},
    web::is_web_address,
};
use gleaner_address::without_password;
use gleaner_app::{App, AppError, ImportSource, ImportedData, ImportedFile};
use gleaner_contract::{ErrorCode, ImportPhase};
use gleaner_discovery::Source;
use gleaner_exchange::{
    archive::{self, ArchiveError, Imported},
    readers::{ImportError, ImportResult},
};
use gleaner_fetch::Request;
use gleaner_polling::connection::AuthorizedFetcher;
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use serde::Serialize;
use std::{
    env, fs,
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
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
    #[serde(rename = "unasked")]
    unpolled: usize,
    folders_added: usize,
    /// Titles of feeds that were already subscribed, or that the file lists a second time.
    already: Vec<String>,
    /// Titles of the feeds that the file lists a second time.
    repeated: Vec<String>,
    articles: usize,
    unread: usize,
    starred: usize,
    /// Articles that were already in the library.
    known: usize,
    /// Those of them that were marked or tagged.
    marked: usize,
    skipped: Vec<SkippedReport>,
    error: Option<String>,
    /// Whether the error names the file.
    #[serde(skip)]
    names_file: bool,
    /// Whether the import was cancelled before or during this file.
    cancelled: bool,
    /// More numbers, for an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    archive: Option<ArchiveReport>,
}

impl From<Unopened> for Report {
    fn from(Unopened { source, error, names_file }: Unopened) -> Self {
        Self { source, error: Some(error), names_file, ..Self::default() }
    }
}

#[derive(Serialize)]
struct ArchiveReport {
    made_at: String,
    /// Whether nothing was imported. The numbers of feeds and articles say what would be; all others, also `folders_added`, are 0, since a
    /// dry run can't know them.
    dry_run: bool,
    feeds_there: usize,
    articles_added: usize,
    articles_there: usize,
    marked: u64,
    tagged: u64,
    versions: u64,
    #[serde(rename = "pictures")]
    images: u64,
    rules_added: u64,
    searches_added: u64,
    /// Number of all errors; `skipped` holds the first of them.
    left_out: u64,
    stopped: bool,
}

/// A file to import, whose path can be read several times.
pub struct Input {
    pub source: ImportSource,
    _copy: Option<NamedTempFile>,
}

/// Maximum sizes of data copied from standard input or a pipe, in bytes: of a list; and of an archive, database or JSON file, which may
/// contain all articles of a library.
const MAX_LIST: u64 = 128 << 20;
const MAX_FILE: u64 = 8 << 30;

/// Returns the files to import, and those that cannot be opened. Standard input (`-`), pipes and documents on the web are copied to
/// temporary files.
pub async fn open_inputs(files: &[PathBuf], web: &impl Source) -> (Vec<Input>, Vec<Unopened>) {
    let (mut inputs, mut unopened) = (Vec::new(), Vec::new());
    for file in files {
        match open(file, web).await {
            Ok(input) => inputs.push(input),
            Err(error) => unopened.push(error),
        }
    }
    (inputs, unopened)
}

async fn open(file: &Path, web: &impl Source) -> Result<Input, Unopened> {
    let name = without_password(&file.display().to_string());
    let failed = |error, names_file| Unopened { source: name.clone(), error, names_file };
    let stream: Box<dyn Read> = match name.as_str() {
        "-" => Box::new(io::stdin()),
        _ if fs::metadata(file).is_ok_and(|metadata| metadata.is_file() || metadata.is_dir()) => {
            return Ok(Input { source: ImportSource { name, path: file.to_owned() }, _copy: None });
        }
        _ if is_web_address(&name) => {
            let body = download(file, web).await.map_err(|error| failed(message(error), false))?;
            Box::new(Cursor::new(body))
        }
        _ => gleaner_polling::file::input(file).map_err(|error| failed(message(error), true))?,
    };
    let copy = NamedTempFile::new().map_err(|error| failed(message(error), false))?;
    let temporary = copy.path().to_owned();
    let copy = copied(stream, copy).map_err(|error| {
        let is_full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        failed(unreadable(if is_full { &temporary } else { file }, error), true)
    })?;
    let copy = copy.map_err(|error| failed(message(error), false))?;
    Ok(Input { source: ImportSource { name, path: copy.path().to_owned() }, _copy: Some(copy) })
}

/// Returns the document at the web address that the user gave in place of a file.
async fn download(address: &Path, web: &impl Source) -> Result<Vec<u8>, Failure> {
    let url = gleaner_discovery::address(&address.to_string_lossy())?;
    let response = web.get(Request::new(url)).await?;
    Ok(response.body.unwrap_or_default())
}

/// Copies a stream to a temporary file, unless it is too large.
fn copied(mut stream: impl Read, mut copy: NamedTempFile) -> io::Result<Result<NamedTempFile, ImportError>> {
    let mut head = Vec::new();
    (&mut stream).take(64).read_to_end(&mut head)?;
    let text = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&head).trim_ascii_start();
    let is_large = [&b"PK"[..], b"SQLite format 3", b"{", b"["].iter().any(|start| text.starts_with(start));
    let limit = if is_large { MAX_FILE } else { MAX_LIST };
    let length = io::copy(&mut head.chain(stream).take(limit + 1), &mut copy)?;
    Ok(if length <= limit { Ok(copy) } else { Err(ImportError::TooLarge { limit }) })
}

/// Returns whether one of the files is an archive, whose dry run needs a library.
pub fn any_archive(files: &[Input]) -> bool {
    files.iter().any(|file| archive::is_archive(&file.source.path))
}

#[derive(Serialize)]
struct SkippedReport {
    reason: String,
    outline: String,
}

pub async fn run(app: &App, args: Import) -> Result<ExitCode, Failure> {
    let core = app.core().await?;
    let (mut inputs, unopened) = open_inputs(&args.files, &AuthorizedFetcher::new(core.poller()?, None)).await;
    drop(core);
    for ImportSource { name, path } in inputs.iter_mut().map(|input| &mut input.source) {
        if let Some(given) = args.names.get(path) {
            given.clone_into(name);
        }
    }
    let other = inputs.iter().find(|input| !archive::is_archive(&input.source.path));
    if let Some(other) = other.filter(|_| args.dry_run) {
        let name = &other.source.name;
        return Err(Failure::usage(format!("{name}: with --dry-run, archives can't be combined with other files")));
    }
    cancel_on_ctrl_c(app);
    let bar = ProgressBar::no_length();
    let progress = {
        let (bar, printed) = (bar.clone(), Arc::new(Mutex::new(Instant::now())));
        move |file: &str, phase, done, total| show(&bar, &printed, file, phase, done, total)
    };
    unopened.iter().for_each(Unopened::print);
    let arguments = args.files.len() + args.unopened.len();
    let mut reports: Vec<Report> = args.unopened.into_iter().chain(unopened).map(Report::from).collect();
    let sources = inputs.iter().map(|input| input.source.clone()).collect();
    let imported = gleaner_app::import_all(app, sources, args.dry_run, progress, |source, imported, _| {
        // The report must not be on the same line as the bar.
        bar.finish_and_clear();
        let report = match imported {
            ImportedFile::Archive(imported) => archive_report(source, imported, args.dry_run),
            ImportedFile::Data(imported) => data_report(source, imported),
        };
        print_error(&report);
        if !args.json {
            print_report(&report);
        }
        reports.push(report);
    });
    let left = imported.await?;
    if !args.dry_run {
        gleaner_app::move_passwords(app).await?;
    }
    if !left.is_empty() || reports.iter().any(|report| report.cancelled && report.archive.is_none()) {
        eprintln!("glean: the import was cancelled; what was imported until then stays");
    }
    reports.extend(left.into_iter().map(|source| Report {
        source,
        error: Some("cancelled".to_owned()),
        cancelled: true,
        ..Report::default()
    }));
    // Lists may contain entries that aren't feeds; in an archive only damage is skipped.
    let damaged = |report: &Report| report.archive.as_ref().is_some_and(|archive| archive.left_out > 0);
    let failed = reports.iter().any(|report| report.error.is_some() || report.cancelled || damaged(report));
    if args.json {
        // The report of a single file is printed as an object, those of several files as a list.
        match reports.as_slice() {
            [report] if arguments == 1 => json(report)?,
            reports => json(reports)?,
        }
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// Time between two lines about the progress if there is no bar.
const PRINT_EVERY: Duration = Duration::from_secs(10);

/// Shows the progress of a file: a bar on a terminal, or else a line from time to time.
fn show(bar: &ProgressBar, printed: &Mutex<Instant>, file: &str, phase: ImportPhase, done: u64, total: u64) {
    let what = match phase {
        ImportPhase::Articles => "articles",
        ImportPhase::Subscribing => "feeds",
        ImportPhase::Reading => return,
    };
    let template = if total > 0 { format!("{{pos}}/{{len}} {what}") } else { format!("{{spinner}} {{pos}} {what}") };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    if bar.is_finished() {
        bar.reset();
    }
    bar.set_length(total);
    bar.set_position(done);
    let mut printed = printed.lock();
    if bar.is_hidden() && printed.elapsed() >= PRINT_EVERY {
        *printed = Instant::now();
        let of = if total > 0 { format!(" of {total}") } else { String::new() };
        eprintln!("glean: {file}: {done}{of} {what} so far");
    }
}

/// Describes an error, and returns whether it names a file. The path of a temporary copy is replaced by the file that the user named, unless
/// the error is about the temporary folder.
pub fn describe_error(source: &str, error: impl Into<AppError>) -> (Option<String>, bool) {
    let mut error = error.into();
    let file = error.ipc.params.get_mut("file");
    let names_file = file.is_some();
    if let Some(file) = file
        && error.ipc.code != ErrorCode::FileDiskFull
        && Path::new(file) != env::temp_dir()
    {
        *file = source.to_owned();
    }
    (Some(message(error)), names_file)
}

fn data_report(source: &str, imported: Result<ImportedData, ImportError>) -> Report {
    let source = source.to_owned();
    let ImportedData { program, title, repairs, result } = match imported {
        Ok(imported) => imported,
        Err(error) => {
            let (error, names_file) = describe_error(&source, error);
            return Report { source, error, names_file, ..Report::default() };
        }
    };
    let (imported, (error, names_file)) = match result {
        Ok(imported) => {
            let error = imported.damaged.then(|| damaged(program));
            (imported, (error, false))
        }
        Err(error) => (ImportResult::default(), describe_error(&source, error)),
    };
    Report {
        source,
        kind: Some(program),
        title,
        repairs: repairs.iter().map(repair).collect(),
        added: imported.added.len(),
        unpolled: imported.unpolled.len(),
        folders_added: imported.folders.len(),
        already: [imported.already, imported.repeated.clone()].concat(),
        repeated: imported.repeated,
        articles: imported.articles.articles,
        unread: imported.articles.unread,
        starred: imported.articles.starred,
        known: imported.known,
        marked: imported.articles.marked,
        skipped: imported
            .skipped
            .into_iter()
            .map(|s| SkippedReport { reason: skip_reason(&s.why), outline: without_password(&s.what) })
            .collect(),
        error,
        names_file,
        cancelled: imported.cancelled,
        archive: None,
    }
}

fn archive_report(source: &str, imported: Result<Imported, ArchiveError>, dry_run: bool) -> Report {
    let (imported, (error, names_file)) = match imported {
        Ok(imported) => (imported, (None, false)),
        Err(error) => (Imported::default(), describe_error(source, error)),
    };
    // In a dry run, these are the numbers of the archive, not of what would be changed.
    let known = |number| if dry_run { 0 } else { number };
    let place = |line: Option<u64>| line.map(|line| format!(", line {line}")).unwrap_or_default();
    Report {
        source: source.to_owned(),
        kind: Some("Gleaner"),
        added: imported.head.feeds_added.len(),
        folders_added: imported.head.folders_added.len(),
        skipped: imported
            .problems
            .iter()
            .map(|problem| SkippedReport {
                reason: archive_problem(problem.why),
                outline: format!("{}{}", problem.file, place(problem.line)),
            })
            .collect(),
        archive: error.is_none().then_some(ArchiveReport {
            made_at: imported.made_at,
            dry_run,
            feeds_there: imported.head.feeds_there,
            articles_added: imported.articles.added,
            articles_there: imported.articles.there,
            marked: known(imported.marked),
            tagged: known(imported.tagged),
            versions: known(imported.versions),
            images: known(imported.images),
            rules_added: imported.head.rules_added,
            searches_added: imported.head.searches_added,
            left_out: imported.problems_total,
            stopped: imported.cancelled,
        }),
        error,
        names_file,
        cancelled: imported.cancelled,
        ..Report::default()
    }
}

fn print_error(report: &Report) {
    if let Some(error) = &report.error {
        let source = if report.names_file { String::new() } else { format!("{}: ", report.source) };
        eprintln!("glean: {source}{error}");
    }
}

/// Prints what was imported, which may be a part of a damaged file.
fn print_report(report: &Report) {
    if report.error.is_some() && report.articles + report.known + report.added == 0 {
        return;
    }
    if let Some(archive) = &report.archive {
        print_archive(report, archive);
        return;
    }
    let repeated = match report.repeated.len() {
        0 => String::new(),
        number => format!(", {number} listed twice"),
    };
    println!(
        "{}: {} and {} added, {} already subscribed{repeated}",
        report.source,
        count(report.added, "feed"),
        count(report.folders_added, "folder"),
        count(report.already.len() - report.repeated.len(), "feed")
    );
    if report.unpolled > 0 {
        let articles_only = if report.articles + report.known > 0 { " for their articles only," } else { "" };
        println!("  {} added{articles_only} without automatic checks", count(report.unpolled, "more feed"));
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
        println!("  skipped: {} ({})", inline(&skipped.outline), skipped.reason);
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
        eprintln!("glean: skipped: {} ({})", inline(&skipped.outline), skipped.reason);
    }
    if archive.left_out > 0 {
        eprintln!("glean: {} couldn't be read; everything else was imported", count(archive.left_out, "part"));
    }
    if archive.stopped {
        eprintln!("glean: cancelled; import the archive again for the rest");
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_list_that_is_too_large_names_the_limit() {
        let error = copied(io::repeat(b' ').take(MAX_LIST + 1), NamedTempFile::new().unwrap()).unwrap().unwrap_err();
        assert_eq!(message(error), "this file is too large to import: it is larger than 128 MB");
        let error = ImportError::TooMany { limit: 200_000 };
        assert_eq!(message(error), "this file has too many entries to import: there are more than 200000");
    }
}
