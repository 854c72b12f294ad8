//! Checks whether a file is a library, before SQLite opens it.

use crate::{LibraryError, backup, files::open_error, schema::refuse_newer};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};
use std::{
    fs::{self, File},
    io::Read as _,
    path::Path,
};

/// "GLNR" in the file's header says that it is a library.
const APPLICATION_ID: u32 = 0x474c_4e52;

/// The first bytes of a SQLite file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Returns whether the file contains a library, and is not empty.
pub(crate) fn is_sqlite_file(file: &Path) -> bool {
    let mut header = [0; MAGIC.len()];
    File::open(file).and_then(|mut file| file.read_exact(&mut header)).is_ok() && header == *MAGIC
}

/// Reads the file's header without SQLite, so that a newer or foreign file is not touched at all.
pub(crate) fn check_header(folder: &Path, file: &Path) -> Result<(), LibraryError> {
    let mut header = [0; 100];
    let damaged = |why: &str| LibraryError::Damaged { folder: folder.to_owned(), why: why.to_owned() };
    let open = match File::open(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        opened => {
            Some(opened.map_err(|error| LibraryError::ReadOnly { folder: folder.to_owned(), why: error.to_string() })?)
        }
    };
    let length = open.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |file| file.len());
    let Some(mut open) = open.filter(|_| length > 0) else {
        // Only a library that had content has backups or a log: a crash, a full disk or a mistake removed it. SQLite would delete the log.
        let state = if file.exists() { "empty" } else { "missing" };
        if backup::backups(folder).iter().any(|backup| backup.bytes > 0) {
            return Err(damaged(&format!("library.sqlite is {state}, but there are backups")));
        }
        if fs::metadata(folder.join("library.sqlite-wal")).is_ok_and(|log| log.len() > 0) {
            return Err(damaged(&format!("library.sqlite is {state}, but its log is not")));
        }
        return Ok(());
    };
    open.read_exact(&mut header).map_err(|_| damaged("the file is too short to be a library"))?;
    if !header.starts_with(MAGIC) {
        // The power failed during creation: the journal, which is written first, says that the file was empty.
        if fs::metadata(folder.join("library.sqlite-journal")).is_ok_and(|journal| journal.len() > 0) {
            return Ok(());
        }
        return Err(damaged("library.sqlite is not a SQLite file"));
    }
    let number = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let (version, application) = (i64::from(number(60)), number(68));
    if application != APPLICATION_ID && application != 0 {
        return Err(damaged("library.sqlite belongs to another program"));
    }
    refuse_newer(folder, version)
}

/// Returns the schema version in the header of a library, if the header can be read.
pub(crate) fn schema_version(file: &Path) -> Option<i64> {
    let mut header = [0; 100];
    File::open(file).and_then(|mut file| file.read_exact(&mut header)).ok()?;
    let version = u32::from_be_bytes(header[60..64].try_into().ok()?);
    header.starts_with(MAGIC).then_some(i64::from(version))
}

/// Refuses the database of a program that has no name in the header. Gleaner writes its own there last when it creates a library.
pub(crate) async fn refuse_other_program(folder: &Path, file: &Path) -> Result<(), LibraryError> {
    let mut header = [0; 100];
    let named = File::open(file).and_then(|mut file| file.read_exact(&mut header)).is_err() || header[68..72] != [0; 4];
    if named || !is_sqlite_file(file) {
        return Ok(());
    }
    let damaged = |error: sqlx::Error| open_error(folder, error);
    let options = SqliteConnectOptions::new().filename(file).disable_statement_logging();
    let mut connection = options.connect().await.map_err(damaged)?;
    let foreign: bool = sqlx::query_scalar(
        "SELECT count(*) > 0 AND NOT (max(name = 'feeds') AND EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations'))
         FROM sqlite_schema WHERE type = 'table' AND name <> '_sqlx_migrations' AND name NOT LIKE 'sqlite_%'",
    )
    .fetch_one(&mut connection)
    .await
    .map_err(damaged)?;
    connection.close().await.map_err(damaged)?;
    if foreign {
        let why = "library.sqlite belongs to another program".to_owned();
        return Err(LibraryError::Damaged { folder: folder.to_owned(), why });
    }
    Ok(())
}

/// Returns whether the file's header says that it has a write-ahead log (<https://www.sqlite.org/fileformat.html>, 1.3.3).
pub(crate) fn header_says_wal(file: &Path) -> std::io::Result<bool> {
    let mut header = [0; 20];
    match File::open(file)?.read_exact(&mut header) {
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(true),
        read => read.map(|()| header[18..] == [2, 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn application_id_matches_the_pragma() {
        assert_eq!(APPLICATION_ID, 1_196_183_122);
    }
}
