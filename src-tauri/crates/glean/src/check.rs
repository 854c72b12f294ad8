//! `glean check`, `glean backup`, `glean restore`: whether the library is whole, and copies of it for the day when it is not.

use crate::{
    args::{Backup, Check},
    live::Failure,
};
use chrono::{DateTime, Local};
use gleaner_library::{Library, Occasion};
use std::process::ExitCode;

pub async fn run(library: &Library, args: &Check) -> Result<ExitCode, Failure> {
    if args.repair {
        let backup = library.back_up(Occasion::ByHand).await?;
        println!("Copied to {} first.", backup.path.display());
    }
    let verified = library.check(args.repair).await?;
    for finding in &verified.findings {
        let done = if finding.mended { "mended: " } else { "" };
        eprintln!("glean: {done}{} {}", finding.count, finding.what);
    }
    if verified.is_whole() {
        println!("The library is whole; the texts of {} articles were read.", verified.articles);
        return Ok(ExitCode::SUCCESS);
    }
    if !args.repair {
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
