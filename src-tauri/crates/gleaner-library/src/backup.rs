//! Copies that the library keeps of itself: before its schema changes, once a day where something changed, and when the user
//! wishes. Made by SQLite from a snapshot (`VACUUM INTO`, <https://www.sqlite.org/lang_vacuum.html>), so nobody waits for them,
//! and put in their place only when they are whole.

use crate::{Library, LibraryError, Millis, now, open::not_locked};
use chrono::{DateTime, NaiveDateTime};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// Below the library's folder.
const FOLDER: &str = "backups";
const DAY: Millis = 24 * 3_600_000;
const MOMENT: &str = "%Y%m%dT%H%M%S%3f";
const WEEK: Millis = 7 * DAY;
/// So many of those made by themselves are kept, however near to each other.
const NEWEST: usize = 2;

/// Why a backup was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// A day had gone by.
    Daily,
    /// The schema was about to change.
    Upgrade,
    /// The user wished so: never removed but by the user.
    ByHand,
}

impl Occasion {
    const ALL: [(Self, &str); 3] = [(Self::Daily, "daily"), (Self::Upgrade, "upgrade"), (Self::ByHand, "by-hand")];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(occasion, _)| *occasion == self).map_or("", |(_, name)| name)
    }
}

/// A copy of a library, in its folder `backups`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// The file.
    pub path: PathBuf,
    /// When it was made.
    pub at: Millis,
    /// Why.
    pub occasion: Occasion,
    /// Its size.
    pub bytes: u64,
}

/// The backups of the library in a folder, newest first; none where that cannot be read.
pub fn backups(folder: &Path) -> Vec<Backup> {
    let Ok(entries) = fs::read_dir(folder.join(FOLDER)) else { return Vec::new() };
    let mut found: Vec<Backup> = entries.filter_map(|entry| read_name(&entry.ok()?.path())).collect();
    found.sort_by_key(|backup| std::cmp::Reverse(backup.at));
    found
}

/// What a backup's name says: "20261121T064512000-daily.sqlite".
fn read_name(path: &Path) -> Option<Backup> {
    let (at, occasion) = path.file_name()?.to_str()?.strip_suffix(".sqlite")?.split_once('-')?;
    let at = NaiveDateTime::parse_from_str(at, MOMENT).ok()?.and_utc().timestamp_millis();
    let (occasion, _) = Occasion::ALL.into_iter().find(|(_, name)| *name == occasion)?;
    Some(Backup { path: path.to_owned(), at, occasion, bytes: fs::metadata(path).ok()?.len() })
}

/// Those that are no longer needed of a list with the newest first. Of those made by themselves the newest two stay, and the
/// first of this week and of the week before; an upgrade's for four weeks, for whoever wants to go back.
fn superfluous(backups: &[Backup], now: Millis) -> Vec<&Backup> {
    // Those from the future were made by a clock that was wrong: they take no other's place.
    let own: Vec<&Backup> =
        backups.iter().filter(|backup| backup.occasion != Occasion::ByHand && backup.at <= now).collect();
    let week = |backup: &Backup| backup.at.div_euclid(WEEK);
    let stays = |at: usize, backup: &Backup| {
        let first_of_week = own.get(at + 1).is_none_or(|before| week(before) != week(backup));
        at < NEWEST
            || first_of_week && week(backup) + 1 >= now.div_euclid(WEEK)
            || backup.occasion == Occasion::Upgrade && now - backup.at < 4 * WEEK
    };
    own.iter().enumerate().filter(|(at, backup)| !stays(*at, backup)).map(|(_, backup)| *backup).collect()
}

impl Library {
    /// The backups, newest first.
    pub fn backups(&self) -> Vec<Backup> {
        backups(self.folder())
    }

    /// Copies the library.
    ///
    /// # Errors
    /// [`LibraryError::DiskFull`] and [`LibraryError::ReadOnly`]; what was begun is removed.
    pub async fn back_up(&self, occasion: Occasion) -> Result<Backup, LibraryError> {
        // A connection of its own: copying takes as long as the library is large.
        let options = SqliteConnectOptions::new().filename(self.folder().join("library.sqlite"));
        let mut connection = options.disable_statement_logging().connect().await?;
        let done = copy(self.folder(), &mut connection, occasion).await;
        connection.close().await?;
        let made = done?;
        for backup in superfluous(&self.backups(), made.at) {
            remove(&backup.path)?;
        }
        Ok(made)
    }

    /// Copies the library where the last copy is a day old, and something was written since.
    ///
    /// # Errors
    /// As [`Library::back_up`].
    pub async fn back_up_daily(&self) -> Result<Option<Backup>, LibraryError> {
        let written = ["library.sqlite", "library.sqlite-wal"]
            .iter()
            .filter_map(|name| fs::metadata(self.folder().join(name)).ok()?.modified().ok())
            .max()
            .map_or(0, |moment| DateTime::<chrono::Utc>::from(moment).timestamp_millis());
        // A copy from the future was made by a clock that was wrong, and says nothing of when the last one was.
        let now = now();
        let last = self.backups().into_iter().map(|backup| backup.at).find(|at| *at <= now);
        if last.is_some_and(|last| written <= last || now - last < DAY) {
            return Ok(None);
        }
        self.back_up(Occasion::Daily).await.map(Some)
    }
}

/// Copies the library that is open on this connection.
pub(crate) async fn copy(
    folder: &Path,
    connection: &mut SqliteConnection,
    occasion: Occasion,
) -> Result<Backup, LibraryError> {
    let denied = |error: io::Error| LibraryError::ReadOnly { folder: folder.join(FOLDER), why: error.to_string() };
    let into = folder.join(FOLDER);
    fs::create_dir_all(&into).and_then(|()| sync_folder(folder)).map_err(denied)?;
    // Left behind by one that was killed; and one at a time, of all processes.
    let lock = File::options().create(true).append(true).open(into.join("backup.lock")).map_err(denied)?;
    lock.try_lock().map_err(|error| not_locked(&into, error))?;
    let begun = into.join("begun.sqlite");
    remove(&begun)?;
    let done = write(connection, &begun).await.and_then(|()| {
        let at = now();
        let moment = DateTime::from_timestamp_millis(at).unwrap_or_default().format(MOMENT);
        let path = into.join(format!("{moment}-{}.sqlite", occasion.name()));
        fs::rename(&begun, &path).and_then(|()| sync_folder(&into)).map_err(denied)?;
        let bytes = fs::metadata(&path).map_err(denied)?.len();
        Ok(Backup { path, at, occasion, bytes })
    });
    if done.is_err() {
        remove(&begun)?;
    }
    done
}

async fn write(connection: &mut SqliteConnection, file: &Path) -> Result<(), LibraryError> {
    let denied = |error: io::Error| LibraryError::ReadOnly { folder: file.to_owned(), why: error.to_string() };
    // It may hold secrets: for the user alone, from the first byte.
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let kept = options.open(file).map_err(denied)?;
    let name = file.to_str().ok_or_else(|| LibraryError::Invalid(format!("{} is not a name", file.display())))?;
    sqlx::query("VACUUM INTO ?").bind(name).execute(connection).await?;
    kept.sync_all().map_err(denied)
}

fn remove(file: &Path) -> Result<(), LibraryError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(LibraryError::ReadOnly { folder: file.to_owned(), why: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// What was renamed is so after a power cut too.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::NewSubscription;

    fn made(days_ago: i64, occasion: Occasion) -> Backup {
        Backup { path: PathBuf::from(days_ago.to_string()), at: 100 * DAY - days_ago * DAY, occasion, bytes: 1 }
    }

    /// How old those are that stay, when one is made a day.
    fn kept_after(days: i64) -> Vec<i64> {
        let mut kept: Vec<Backup> = Vec::new();
        for day in (0..days).rev() {
            kept.insert(0, made(day, Occasion::Daily));
            let gone: Vec<i64> =
                superfluous(&kept, made(day, Occasion::Daily).at).iter().map(|backup| backup.at).collect();
            kept.retain(|backup| !gone.contains(&backup.at));
        }
        kept.iter().map(|backup| 100 - backup.at / DAY).collect()
    }

    #[test]
    fn a_few_are_kept_and_one_of_them_is_old() {
        assert_eq!(kept_after(2), [0, 1]);
        for days in 21..60 {
            let kept = kept_after(days);
            assert!(
                kept.len() <= 4 && kept[..2] == [0, 1] && (7..14).contains(kept.last().unwrap()),
                "{days}: {kept:?}"
            );
        }
        let made = |days: i64, occasion| made(days + 2, occasion);
        let mixed = [
            made(0, Occasion::Daily),
            made(1, Occasion::Daily),
            made(2, Occasion::Daily),
            made(2, Occasion::ByHand),
            made(3, Occasion::Upgrade),
            made(20, Occasion::Upgrade),
            made(20, Occasion::Daily),
            made(40, Occasion::ByHand),
        ];
        let gone: Vec<(i64, Occasion)> =
            superfluous(&mixed, 98 * DAY).iter().map(|b| (98 - b.at / DAY, b.occasion)).collect();
        assert_eq!(gone, [(2, Occasion::Daily), (20, Occasion::Daily)]);
    }

    #[tokio::test]
    async fn a_backup_is_the_library_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let new = |url: &str| NewSubscription { url: url.to_owned(), ..NewSubscription::default() };
        library.subscribe(&new("https://a.example/feed")).await.unwrap();
        fs::create_dir_all(folder.path().join(FOLDER)).unwrap();
        fs::write(folder.path().join(FOLDER).join("begun.sqlite"), "of one that was killed").unwrap();
        let backup = library.back_up_daily().await.unwrap().unwrap();
        library.subscribe(&new("https://b.example/feed")).await.unwrap();
        // A day has not gone by.
        assert_eq!(library.back_up_daily().await.unwrap(), None);
        assert_eq!(library.backups(), std::slice::from_ref(&backup));
        let other = tempfile::tempdir().unwrap();
        fs::copy(&backup.path, other.path().join("library.sqlite")).unwrap();
        let copied = Library::open(other.path()).await.unwrap();
        let urls: Vec<String> = copied.feeds().await.unwrap().into_iter().map(|feed| feed.url).collect();
        assert_eq!(urls, ["https://a.example/feed"]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&backup.path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
