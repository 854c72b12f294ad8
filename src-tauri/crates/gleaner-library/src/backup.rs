//! Backups: before a change of the schema, once a day if something changed, and on request. SQLite makes them from a snapshot (`VACUUM
//! INTO`, <https://www.sqlite.org/lang_vacuum.html>) without blocking others; they get their name when they are complete.

use crate::{
    LibraryError, Millis, clock,
    database::repository,
    files::{
        create_private_folder, lock_error, lock_file, private_options, remove_if_present, sync_folder, write_error,
    },
};
use chrono::{DateTime, NaiveDateTime};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Subfolder of the library's folder.
const FOLDER: &str = "backups";
const DAY: Millis = 24 * 3_600_000;
const MOMENT: &str = "%Y%m%dT%H%M%S%3f";
const WEEK: Millis = 7 * DAY;
/// Number of automatic backups that are always retained.
const NEWEST: usize = 2;

/// The reason for a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// A day has passed.
    Daily,
    /// The schema is about to change.
    Upgrade,
    /// The user requested it; only the user removes it.
    ByHand,
}

impl Occasion {
    const ALL: [(Self, &str); 3] = [(Self::Daily, "daily"), (Self::Upgrade, "upgrade"), (Self::ByHand, "by-hand")];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(occasion, _)| *occasion == self).map_or("", |(_, name)| name)
    }
}

/// A backup in the subfolder `backups`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// Path of the file.
    pub path: PathBuf,
    /// When it was made.
    pub at: Millis,
    /// Its reason.
    pub occasion: Occasion,
    /// Size in bytes.
    pub bytes: u64,
}

/// Lists the backups of the library in a folder, newest first; none if the subfolder cannot be read.
pub fn backups(folder: &Path) -> Vec<Backup> {
    let Ok(entries) = fs::read_dir(folder.join(FOLDER)) else { return Vec::new() };
    let mut found: Vec<Backup> = entries.filter_map(|entry| read_name(&entry.ok()?.path())).collect();
    found.sort_by_key(|backup| std::cmp::Reverse(backup.at));
    found
}

/// Parses a backup's name, such as "20261121T064512000-daily.sqlite".
fn read_name(path: &Path) -> Option<Backup> {
    let (at, occasion) = path.file_name()?.to_str()?.strip_suffix(".sqlite")?.split_once('-')?;
    let at = NaiveDateTime::parse_from_str(at, MOMENT).ok()?.and_utc().timestamp_millis();
    let (occasion, _) = Occasion::ALL.into_iter().find(|(_, name)| *name == occasion)?;
    Some(Backup { path: path.to_owned(), at, occasion, bytes: fs::metadata(path).ok()?.len() })
}

/// Returns when a backup or another library was written: from its name, or else the date of the file.
pub(crate) fn made_at(path: &Path) -> Option<Millis> {
    let modified = || Some(clock::utc(fs::metadata(path).ok()?.modified().ok()?).timestamp_millis());
    read_name(path).map(|backup| backup.at).or_else(modified)
}

/// Returns the backups to remove, of a list with the newest first. Of the automatic ones the newest two stay, and the first of this
/// week and of the week before; those before an upgrade stay for four weeks.
fn superfluous(backups: &[Backup], now: Millis) -> Vec<&Backup> {
    // Backups dated in the future were made with a wrong clock, and do not displace others.
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

repository!(
    /// Making backups.
    Backups
);

impl Backups<'_> {
    /// Makes a backup.
    ///
    /// # Errors
    /// [`LibraryError::DiskFull`] and [`LibraryError::ReadOnly`]; an unfinished copy is removed.
    pub async fn create(&self, occasion: Occasion) -> Result<Backup, LibraryError> {
        // Copying takes long, so it has its own connection.
        let options = SqliteConnectOptions::new().filename(self.db.folder().join("library.sqlite"));
        let mut connection = options.disable_statement_logging().connect().await?;
        let done = copy(self.db.folder(), &mut connection, occasion, self.db.now()).await;
        connection.close().await?;
        let made = done?;
        for backup in superfluous(&backups(self.db.folder()), made.at) {
            remove(&backup.path)?;
        }
        Ok(made)
    }

    /// Makes a backup if the last one is a day old and something was written since then.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub async fn create_daily(&self) -> Result<Option<Backup>, LibraryError> {
        let written = ["library.sqlite", "library.sqlite-wal"]
            .iter()
            .filter_map(|name| fs::metadata(self.db.folder().join(name)).ok()?.modified().ok())
            .max()
            .map_or(0, |moment| clock::utc(moment).timestamp_millis());
        // A backup dated in the future was made with a wrong clock and is ignored.
        let now = self.db.now();
        let last = backups(self.db.folder()).into_iter().map(|backup| backup.at).find(|at| *at <= now);
        if last.is_some_and(|last| written <= last || now - last < DAY) {
            return Ok(None);
        }
        self.create(Occasion::Daily).await.map(Some)
    }
}

/// Makes a backup over this connection.
pub(crate) async fn copy(
    folder: &Path,
    connection: &mut SqliteConnection,
    occasion: Occasion,
    at: Millis,
) -> Result<Backup, LibraryError> {
    let into = folder.join(FOLDER);
    let denied = |error: io::Error| write_error(&into, &error);
    create_private_folder(&into).and_then(|()| sync_folder(folder)).map_err(denied)?;
    // A process that was killed may have left its copy; the lock lets one process at a time make backups.
    let lock = lock_file(&into, "backup.lock").map_err(denied)?;
    lock.try_lock().map_err(|error| lock_error(&into, error))?;
    let begun = into.join("begun.sqlite");
    remove(&begun)?;
    let done = write(connection, &begun).await.and_then(|()| {
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
    let denied = |error: io::Error| write_error(file, &error);
    // SQLite keeps the permissions of an existing file.
    let copy = private_options().write(true).create_new(true).open(file).map_err(denied)?;
    let name = file.to_str().ok_or_else(|| LibraryError::Invalid(format!("{} is not a name", file.display())))?;
    sqlx::query("VACUUM INTO ?").bind(name).execute(connection).await?;
    copy.sync_all().map_err(denied)
}

fn remove(file: &Path) -> Result<(), LibraryError> {
    remove_if_present(file).map_err(|error| write_error(file, &error))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::NewSubscription;

    fn made(days_ago: i64, occasion: Occasion) -> Backup {
        Backup { path: PathBuf::from(days_ago.to_string()), at: 100 * DAY - days_ago * DAY, occasion, bytes: 1 }
    }

    /// Returns the ages of the backups that remain when one is made each day.
    fn retained_after(days: i64) -> Vec<i64> {
        let mut retained: Vec<Backup> = Vec::new();
        for day in (0..days).rev() {
            retained.insert(0, made(day, Occasion::Daily));
            let gone: Vec<i64> =
                superfluous(&retained, made(day, Occasion::Daily).at).iter().map(|backup| backup.at).collect();
            retained.retain(|backup| !gone.contains(&backup.at));
        }
        retained.iter().map(|backup| 100 - backup.at / DAY).collect()
    }

    #[test]
    fn keeps_a_few_backups_and_an_old_one() {
        assert_eq!(retained_after(2), [0, 1]);
        for days in 21..60 {
            let retained = retained_after(days);
            assert!(
                retained.len() <= 4 && retained[..2] == [0, 1] && (7..14).contains(retained.last().unwrap()),
                "{days}: {retained:?}"
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
    async fn a_backup_has_the_content_of_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        fs::create_dir_all(folder.path().join(FOLDER)).unwrap();
        fs::write(folder.path().join(FOLDER).join("begun.sqlite"), "of one that was killed").unwrap();
        let backup = library.back_up_daily().await.unwrap().unwrap();
        library.subscriptions().add(&NewSubscription::new("https://b.example/feed")).await.unwrap();
        // Less than a day has passed.
        assert_eq!(library.back_up_daily().await.unwrap(), None);
        assert_eq!(library.backups(), std::slice::from_ref(&backup));
        let other = tempfile::tempdir().unwrap();
        fs::copy(&backup.path, other.path().join("library.sqlite")).unwrap();
        let copied = Library::open(other.path()).await.unwrap();
        let urls: Vec<String> = copied.feeds().list().await.unwrap().into_iter().map(|feed| feed.url).collect();
        assert_eq!(urls, ["https://a.example/feed"]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&backup.path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
