//! `glean check`, `glean backup`, `glean restore`: whether the library is whole, and copies of it for the day when it is not.

use crate::{
    args::{Backup, Check, Restore},
    live::Failure,
};
use chrono::{DateTime, Local};
use gleaner_library::{Library, Occasion};
use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
    process::ExitCode,
};

pub async fn run(library: &Library, args: &Check) -> Result<ExitCode, Failure> {
    let mut verified = library.check(false).await?;
    if args.repair && !verified.findings.is_empty() {
        // A file that is damaged may not be copied whole.
        match library.back_up(Occasion::ByHand).await {
            Ok(backup) => println!("Copied to {} first.", backup.path.display()),
            Err(error) if verified.articles > 0 => return Err(error.into()),
            Err(error) => eprintln!("glean: it could not be copied first: {error}"),
        }
        verified = library.check(true).await?;
    }
    for finding in &verified.findings {
        let done = if finding.mended { "mended: " } else { "" };
        eprintln!("glean: {done}{} {}", finding.count, finding.what);
    }
    if verified.is_whole() {
        println!("The library is whole; the texts of {} articles were read.", verified.articles);
        return Ok(ExitCode::SUCCESS);
    }
    if verified.articles == 0 {
        eprintln!("glean: `glean recover` makes a new library of what can be read, and keeps this one");
    } else if !args.repair {
        eprintln!("glean: `glean check --repair` mends what can be derived from the rest");
    }
    Ok(ExitCode::from(1))
}

pub async fn back_up(library: &Library, args: &Backup) -> Result<ExitCode, Failure> {
    if !args.list {
        let made = library.back_up(Occasion::ByHand).await?;
        println!("{}", made.path.display());
        return Ok(ExitCode::SUCCESS);
    }
    for backup in library.backups() {
        let at = DateTime::from_timestamp_millis(backup.at).unwrap_or_default().with_timezone(&Local);
        let why = match backup.occasion {
            Occasion::Daily => "made by itself",
            Occasion::Upgrade => "before an upgrade",
            Occasion::ByHand => "by hand",
        };
        println!(
            "{}  {:8.1} MB  {why}  {}",
            at.format("%Y-%m-%d %H:%M"),
            backup.bytes as f64 / 1e6,
            backup.path.display()
        );
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn restore(folder: &Path, args: &Restore) -> Result<ExitCode, Failure> {
    let mut start = [0; 16];
    let read = File::open(&args.backup).and_then(|mut file| file.read_exact(&mut start));
    let backup = args.backup.display();
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(format!("there is no backup {backup}: `glean backup --list` names those that are there").into());
        }
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            return Err(format!("{backup} cannot be read: {error}").into());
        }
        _ if &start != b"SQLite format 3\0" => {
            return Err(format!(
                "{backup} is no backup of a library: `glean backup --list` names those that are there"
            )
            .into());
        }
        _ => {}
    }
    let aside = gleaner_library::restore(folder, &args.backup).await?;
    println!("Restored. What was there before is in {}.", aside.display());
    Ok(ExitCode::SUCCESS)
}

pub async fn recover(folder: &Path) -> Result<ExitCode, Failure> {
    let recovered = gleaner_library::recover(folder).await?;
    println!("{} feeds and {} articles came through.", recovered.feeds, recovered.articles);
    for (what, pieces) in &recovered.lost {
        println!("Not all could be read of: {what} ({pieces} pieces)");
    }
    match &recovered.filled_from {
        Some(backup) => println!("What was missing came from {}, where it was there.", backup.path.display()),
        None if !recovered.lost.is_empty() => println!("There was no backup to fill the gaps from."),
        None => {}
    }
    println!("The damaged library is in {}.", recovered.aside.display());
    Ok(ExitCode::SUCCESS)
}
