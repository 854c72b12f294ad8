//! `glean import`: lists of feeds, archives and what other readers kept, into the library.

use crate::{args::Import, live::Failure};
use gleaner_exchange::{
    archive::{self, Imported},
    readers::{self, Found, Kind, NotTaken, Step, Took},
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

/// `glean import --json`: one for each file.
#[derive(Default, Serialize)]
struct Report {
    source: String,
    /// The program or the form that it is of.
    kind: Option<&'static str>,
    title: Option<String>,
    repairs: Vec<String>,
    added: usize,
    /// New feeds that are not asked by themselves.
    unasked: usize,
    folders_added: usize,
    already: Vec<String>,
    articles: usize,
    unread: usize,
    starred: usize,
    /// Articles that were there.
    known: usize,
    /// Those of them that gained a mark or a tag.
    marked: usize,
    skipped: Vec<SkippedReport>,
    error: Option<String>,
    /// What else came where it is an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    archive: Option<ArchiveReport>,
}

#[derive(Serialize)]
struct ArchiveReport {
    made_at: String,
    /// Only looked at: this is what would come.
    dry_run: bool,
    feeds_there: usize,
    articles_added: usize,
    articles_there: usize,
    marked: u64,
    tagged: u64,
    versions: u64,
    pictures: u64,
    rules_added: u64,
    searches_added: u64,
    /// In all; `skipped` holds the first of them.
    left_out: u64,
    stopped: bool,
}

/// A file as it was named, and where it can be read more than once.
pub struct Given {
    name: String,
    pub path: PathBuf,
    _copy: Option<NamedTempFile>,
}

/// Standard input (`-`) and pipes are copied first.
pub fn given(files: &[PathBuf]) -> Result<Vec<Given>, Failure> {
    let given = |file: &PathBuf| -> io::Result<Given> {
        let name = file.display().to_string();
        let mut once: Box<dyn Read> = match name.as_str() {
            "-" => Box::new(io::stdin()),
            _ if is_pipe(file) => Box::new(File::open(file)?),
            _ => return Ok(Given { name, path: file.clone(), _copy: None }),
        };
        let mut copy = NamedTempFile::new()?;
        io::copy(&mut once, &mut copy)?;
        Ok(Given { name, path: copy.path().to_owned(), _copy: Some(copy) })
    };
    let failed = |file: &PathBuf, error| format!("{} could not be read: {error}", file.display());
    files.iter().map(|file| given(file).map_err(|error| failed(file, error).into())).collect()
}

fn is_pipe(file: &Path) -> bool {
    #[cfg(unix)]
    return fs::metadata(file).is_ok_and(|there| std::os::unix::fs::FileTypeExt::is_fifo(&there.file_type()));
    #[cfg(not(unix))]
    return false;
}

/// Whether one of the files is an archive: what one would bring is known only beside a library.
pub fn any_archive(files: &[Given]) -> bool {
    files.iter().any(|file| archive::is_archive(&file.path))
}

#[derive(Serialize)]
struct SkippedReport {
    reason: String,
    outline: String,
}

/// What the files and folders hold, lists of feeds first: they say what is subscribed, and in which folders.
pub fn found<'a>(files: impl IntoIterator<Item = &'a Given>) -> Vec<(String, Result<Found, NotTaken>)> {
    let mut all = Vec::new();
    for Given { name, path, .. } in files {
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
    let files = given(&args.files)?;
    let (archives, others): (Vec<&Given>, Vec<&Given>) = files.iter().partition(|file| archive::is_archive(&file.path));
    if let (true, Some(other)) = (args.dry_run, others.first()) {
        eprintln!("glean: {}: --dry-run takes archives by themselves", other.name);
        return Ok(ExitCode::from(2));
    }
    let mut reports = Vec::with_capacity(args.files.len());
    for file in archives {
        let report = whole(library, file, args.dry_run).await;
        if !args.json {
            print_words(&report);
        }
        reports.push(report);
    }
    for (source, found) in found(others) {
        let report = one(library, source, found).await?;
        if !args.json {
            print_words(&report);
        }
        reports.push(report);
    }
    // Of a list something may well be left out; of an archive only what is damaged is.
    let in_part = |report: &Report| report.archive.as_ref().is_some_and(|part| part.stopped || part.left_out > 0);
    let failed = reports.iter().any(|report| report.error.is_some() || in_part(report));
    if args.json {
        // One document: the report itself for one file, a list of them for several.
        let document = if let [report] = reports.as_slice() {
            serde_json::to_string(report)?
        } else {
            serde_json::to_string(&reports)?
        };
        println!("{document}");
    }
    Ok(ExitCode::from(u8::from(failed)))
}

async fn one(library: &Library, source: String, found: Result<Found, NotTaken>) -> Result<Report, Failure> {
    let opened = match found {
        Ok(found) => readers::open(&found).await,
        Err(error) => Err(error),
    };
    let mut kept = match opened {
        Ok(kept) => kept,
        Err(error) => return Ok(Report { source, error: Some(error.to_string()), ..Report::default() }),
    };
    let style =
        ProgressStyle::with_template("{spinner} {pos} articles").unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new_spinner().with_style(style);
    let took = readers::take(library, &mut kept, now(), |step| {
        if let Step::Articles(done) = step {
            bar.set_position(done as u64);
        }
        true
    })
    .await;
    bar.finish_and_clear();
    let (took, error) = match took {
        Ok(mut took) => {
            let damaged = took.damaged.take();
            (took, damaged)
        }
        Err(NotTaken::Library(error)) => return Err(error.into()),
        Err(error) => (Took::default(), Some(error.to_string())),
    };
    Ok(Report {
        source,
        kind: Some(kept.program),
        title: kept.title,
        repairs: kept.repairs,
        added: took.added.len(),
        unasked: took.unasked,
        folders_added: took.folders_added,
        already: took.already,
        articles: took.articles.articles,
        unread: took.articles.unread,
        starred: took.articles.starred,
        known: took.known,
        marked: took.articles.marked,
        skipped: took.skipped.into_iter().map(|s| SkippedReport { reason: s.why, outline: s.what }).collect(),
        error,
        archive: None,
    })
}

/// An archive.
async fn whole(library: &Arc<Library>, file: &Given, only_look: bool) -> Report {
    let source = file.name.clone();
    let done = archive::import(library.clone(), file.path.clone(), only_look, crate::export::progress()).await;
    let (imported, error) = match done {
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
            .troubles
            .iter()
            .map(|trouble| SkippedReport {
                reason: trouble.why.clone(),
                outline: format!("{}{}", trouble.file, place(trouble.line)),
            })
            .collect(),
        archive: error.is_none().then_some(ArchiveReport {
            made_at: imported.made_at,
            dry_run: only_look,
            feeds_there: imported.head.feeds_there,
            articles_added: imported.articles.added,
            articles_there: imported.articles.there,
            marked: imported.marked,
            tagged: imported.tagged,
            versions: imported.versions,
            pictures: imported.pictures,
            rules_added: imported.head.rules_added,
            searches_added: imported.head.searches_added,
            left_out: imported.troubles_in_all,
            stopped: imported.cancelled,
        }),
        error,
        ..Report::default()
    }
}

fn print_words(report: &Report) {
    if let Some(error) = &report.error {
        // What could not be read names itself.
        let named = error.starts_with(&report.source);
        eprintln!("glean: {}{error}", if named { String::new() } else { format!("{}: ", report.source) });
        // Of a damaged file a part may have come in.
        if report.articles + report.known + report.added == 0 {
            return;
        }
    }
    if let Some(archive) = &report.archive {
        print_archive(report, archive);
        return;
    }
    println!(
        "{}: {} feeds added, {} folders made, {} feeds were there already",
        report.source,
        report.added,
        report.folders_added,
        report.already.len()
    );
    if report.unasked > 0 {
        println!("  {} feeds more for their articles; they are not asked for news by themselves", report.unasked);
    }
    if report.articles + report.known > 0 {
        println!(
            "  {} articles added ({} unread, {} starred), {} were there already ({} of them marked anew)",
            report.articles, report.unread, report.starred, report.known, report.marked
        );
    }
    for repair in &report.repairs {
        println!("  mended: {repair}");
    }
    for skipped in &report.skipped {
        println!("  left out: {} ({})", skipped.outline, skipped.reason);
    }
}

fn print_archive(report: &Report, archive: &ArchiveReport) {
    let verb = if archive.dry_run { "would come" } else { "came" };
    println!(
        "{}, of {}: {} feeds and {} articles {verb}; {} feeds and {} articles are here already",
        report.source,
        archive.made_at,
        report.added,
        archive.articles_added,
        archive.feeds_there,
        archive.articles_there
    );
    if !archive.dry_run {
        println!(
            "  {} articles were marked, {} tags given, {} former versions, {} pictures, {} rules and {} saved searches added",
            archive.marked,
            archive.tagged,
            archive.versions,
            archive.pictures,
            archive.rules_added,
            archive.searches_added
        );
        if report.added > 0 {
            println!(
                "  Passwords, tokens and headers are in no archive: `glean access` gives them to feeds that ask for them"
            );
        }
    }
    for skipped in &report.skipped {
        eprintln!("glean: left out: {} ({})", skipped.outline, skipped.reason);
    }
    if archive.left_out > 0 {
        eprintln!("glean: {} could not be read of it; the rest came", archive.left_out);
    }
    if archive.stopped {
        eprintln!("glean: stopped before the end; taking it in again brings the rest");
    }
}
