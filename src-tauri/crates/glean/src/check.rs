//! `glean check`, `glean backup`, `glean restore` and `glean recover`.

use crate::{
    args::{Check, Restore},
    messages::{Failure, fault, message, unreadable},
    output::count,
};
use chrono::{DateTime, Local};
use gleaner_app::{App, AppError};
use gleaner_library::Occasion;
use gleaner_polling::file;
use std::{
    fs,
    io::{self, Read as _},
    path::Path,
    process::ExitCode,
};

pub async fn run(app: &App, args: &Check) -> Result<ExitCode, Failure> {
    let backed_up = |backup: Result<&gleaner_library::Backup, &AppError>| match backup {
        Ok(backup) => println!("Backup created: {}", backup.path.display()),
        Err(error) => eprintln!("glean: couldn't create a backup first: {}", message(error.clone())),
    };
    let verified = gleaner_app::check(app, args.repair, backed_up).await?;
    for finding in &verified.findings {
        let prefix = if finding.repaired { "repaired: " } else { "" };
        eprintln!("glean: {prefix}{} {}", finding.count, fault(&finding.fault));
    }
    if verified.is_intact() {
        println!("No damage found; checked the texts of {}.", count(verified.articles, "article"));
        return Ok(ExitCode::SUCCESS);
    }
    if verified.articles == 0 {
        eprintln!("glean: `glean recover` builds a new library from the readable data and moves this one aside");
    } else if !args.repair {
        eprintln!("glean: `glean check --repair` repairs what can be derived from other data");
    }
    Ok(ExitCode::from(1))
}

pub async fn back_up(app: &App) -> Result<ExitCode, Failure> {
    let made = gleaner_app::back_up(app).await?;
    println!("{}", made.path.display());
    Ok(ExitCode::SUCCESS)
}

/// Lists the backups without opening the library, which may be damaged.
pub fn list_backups(folder: &Path) -> Result<(), Failure> {
    let backups_folder = folder.join("backups");
    if let Err(error) = fs::read_dir(&backups_folder)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(unreadable(&backups_folder, error).into());
    }
    let backups = gleaner_library::backups(folder);
    if backups.is_empty() {
        eprintln!("glean: no backups in {}", folder.display());
    }
    for backup in backups {
        let at = DateTime::from_timestamp_millis(backup.at).unwrap_or_default().with_timezone(&Local);
        let occasion = match backup.occasion {
            Occasion::Daily => "automatic",
            Occasion::Upgrade => "before an upgrade",
            Occasion::ByHand => "manual",
        };
        println!(
            "{}  {:8.1} MB  {occasion}  {}",
            at.format("%Y-%m-%d %H:%M"),
            backup.bytes as f64 / 1e6,
            backup.path.display()
        );
    }
    Ok(())
}

pub async fn restore(app: &App, args: &Restore) -> Result<ExitCode, Failure> {
    let mut start = [0; 16];
    let is_file = fs::metadata(&args.backup).map(|metadata| metadata.is_file());
    let read = match is_file {
        Ok(true) => file::open(&args.backup).and_then(|mut backup| backup.read_exact(&mut start)),
        // A pipe may never end, or never send anything.
        Ok(false) => Err(io::ErrorKind::UnexpectedEof.into()),
        Err(error) => Err(error),
    };
    let backup = args.backup.display();
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(format!("there is no backup {backup}; `glean backup --list` lists all").into());
        }
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            return Err(unreadable(&args.backup, error).into());
        }
        _ if &start != b"SQLite format 3\0" => {
            return Err(format!("{backup} is not a backup of a library; `glean backup --list` lists all").into());
        }
        _ => {}
    }
    let aside = gleaner_app::restore(app, args.backup.clone()).await?;
    if aside.join("library.sqlite").exists() {
        println!("Restored. The previous library was moved to {}.", aside.display());
    } else {
        println!("Restored.");
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn recover(app: &App) -> Result<ExitCode, Failure> {
    let recovered = gleaner_app::recover(app).await?;
    println!("{} and {} recovered.", count(recovered.feeds, "feed"), count(recovered.articles, "article"));
    for (what, pieces) in &recovered.lost {
        println!("Not fully readable: {what} ({})", count(*pieces, "piece"));
    }
    match &recovered.filled_from {
        Some(backup) => println!("Gaps were filled from {}, as far as it has the data.", backup.path.display()),
        None if !recovered.lost.is_empty() => println!("There is no backup to fill gaps from."),
        None => {}
    }
    println!("The previous library was moved to {}.", recovered.aside.display());
    Ok(ExitCode::SUCCESS)
}
