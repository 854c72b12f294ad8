//! Reads the files of an archive: small ones at once, records line by line and in batches. Unreadable data is reported and skipped.

use super::{
    ArchiveError, FORMAT, MANIFEST, Manifest, Problem, Progress, VERSION,
    imported::Imported,
    lines::{Counted, Lines},
};
use gleaner_library::{
    LibraryError,
    archive::{ItemRecord, Record},
};
use std::{
    fs::File,
    io::{BufReader, Read},
    path::{Path, PathBuf},
};
use zip::{ZipArchive, result::ZipError};

/// Maximum number of records in a batch.
const MAX_BATCH_RECORDS: usize = 1000;
/// Maximum size of a batch, in bytes of lines.
const MAX_BATCH_BYTES: usize = 8 << 20;
/// Maximum size of a file that is read at once, and of an image, in bytes.
pub(super) const MAX_FILE: u64 = 64 << 20;
/// Maximum unpacked size of a file whose records are all read into memory, in bytes.
const MAX_WHOLE: u64 = 256 << 20;
/// Maximum number of the records of such a file.
const MAX_WHOLE_RECORDS: usize = 500_000;

pub(super) type Zip = ZipArchive<BufReader<File>>;

/// Opens a ZIP file.
pub(super) fn open_zip(file: &Path) -> Result<Zip, ArchiveError> {
    let open =
        gleaner_polling::file::open(file).map_err(|error| ArchiveError::Read { file: file.to_owned(), why: error })?;
    ZipArchive::new(BufReader::with_capacity(1 << 16, open))
        .map_err(|error| ArchiveError::CutOff { file: file.to_owned(), why: error.to_string() })
}

/// Reads a small file of the archive.
pub(super) fn read_file(zip: &mut Zip, name: &str) -> Result<Vec<u8>, Problem> {
    let entry = zip.by_name(name).map_err(|error| entry_problem(&error))?;
    let mut bytes = Vec::new();
    entry.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Problem::TooLong);
    }
    Ok(bytes)
}

fn entry_problem(error: &ZipError) -> Problem {
    match error {
        ZipError::FileNotFound => Problem::Missing,
        error => unreadable("", error),
    }
}

/// Logs why a file cannot be read, and returns the problem.
pub(super) fn unreadable(file: &str, error: &impl std::fmt::Display) -> Problem {
    tracing::warn!(file, %error, "a file of an archive cannot be read");
    Problem::Unreadable
}

/// The result so far, and the function that receives the progress and returns whether to continue.
pub(super) struct Report {
    pub imported: Imported,
    on_progress: Box<dyn FnMut(Progress) -> bool>,
    /// Number of articles in the archive; 0 if unknown.
    total: u64,
}

impl Report {
    /// Reports the progress.
    ///
    /// # Errors
    /// [`ArchiveError::Cancelled`] if the import is not to continue.
    pub fn progress(&mut self, file: &'static str) -> Result<(), ArchiveError> {
        let done = (self.imported.articles.added + self.imported.articles.there) as u64;
        let progress = Progress { file, done, total: self.total };
        if (self.on_progress)(progress) { Ok(()) } else { Err(ArchiveError::Cancelled) }
    }
}

/// An open archive.
pub(super) struct ArchiveReader {
    pub file: PathBuf,
    pub zip: Zip,
    pub manifest: Manifest,
    pub report: Report,
}

impl ArchiveReader {
    /// Opens an archive.
    ///
    /// # Errors
    /// Fails if the file is not an archive, or has a newer format.
    pub fn open(file: &Path, on_progress: Box<dyn FnMut(Progress) -> bool>) -> Result<Self, ArchiveError> {
        let mut zip = open_zip(file)?;
        let other = |why: String| ArchiveError::Other { file: file.to_owned(), why };
        let manifest = read_file(&mut zip, MANIFEST).map_err(|why| other(format!("{MANIFEST}: {why:?}")))?;
        let manifest: serde_json::Value =
            serde_json::from_slice(&manifest).map_err(|error| other(format!("{MANIFEST}: {error}")))?;
        if manifest["format"] != FORMAT {
            return Err(other(format!("{MANIFEST} does not name the form \"{FORMAT}\"")));
        }
        let found = manifest["version"].as_u64().and_then(|version| u32::try_from(version).ok()).unwrap_or(u32::MAX);
        if found > VERSION {
            return Err(ArchiveError::Newer { file: file.to_owned(), found });
        }
        let manifest: Manifest =
            serde_json::from_value(manifest).map_err(|error| other(format!("{MANIFEST}: {error}")))?;
        let items = manifest.files.iter().find(|listed| listed.name == ItemRecord::FILE);
        let total = items.and_then(|listed| listed.lines).unwrap_or(0);
        let imported = Imported { made_at: manifest.made_at.clone(), ..Imported::default() };
        let report = Report { imported, on_progress, total };
        Ok(Self { file: file.to_owned(), zip, manifest, report })
    }

    /// Reads the records of one kind and passes them on in batches.
    pub async fn read_batches<R: Record>(
        &mut self,
        import: impl AsyncFnMut(&mut Imported, Vec<R>) -> Result<(), LibraryError>,
    ) -> Result<(), ArchiveError> {
        self.read_batches_up_to(u64::MAX, import).await
    }

    /// Reads all records of one kind, as many as fit into memory.
    pub async fn read_all<R: Record>(&mut self) -> Result<Vec<R>, ArchiveError> {
        let (mut all, mut more) = (Vec::new(), 0);
        self.read_batches_up_to(MAX_WHOLE, async |_, batch: Vec<R>| {
            more += batch.len();
            all.extend(batch.into_iter().take(MAX_WHOLE_RECORDS - all.len()));
            Ok(())
        })
        .await?;
        more -= all.len();
        if more > 0 {
            self.report.imported.add_problem(R::FILE, None, Problem::TooMany { count: more });
        }
        Ok(all)
    }

    /// Only this is compiled for each kind of record: reading lines is the same for all of them.
    async fn read_batches_up_to<R: Record>(
        &mut self,
        max_bytes: u64,
        mut import: impl AsyncFnMut(&mut Imported, Vec<R>) -> Result<(), LibraryError>,
    ) -> Result<(), ArchiveError> {
        let Self { zip, manifest, report, .. } = self;
        report.progress(R::FILE)?;
        let Some(mut file) = RecordFile::open(zip, manifest, R::FILE, max_bytes, &mut report.imported) else {
            return Ok(());
        };
        loop {
            let mut batch = Vec::new();
            let more = file.read_batch(&mut report.imported, &mut |line| {
                let mut record: R = serde_json::from_slice(line).map_err(|error| error.to_string())?;
                record.repair().map_err(|why| why.to_string())?;
                batch.push(record);
                Ok(())
            });
            import(&mut report.imported, batch).await?;
            if !more {
                return Ok(());
            }
            report.progress(R::FILE)?;
        }
    }
}

/// A file with a record on each line.
struct RecordFile<'a> {
    name: &'static str,
    lines: Lines<Counted<Box<dyn Read + 'a>>>,
    /// The digest of the file, in hexadecimal digits, if the manifest lists the file.
    sha256: Option<&'a str>,
}

impl<'a> RecordFile<'a> {
    /// Opens a file of the archive. Returns `None`, and reports the problem, if that is not possible.
    fn open(
        zip: &'a mut Zip,
        manifest: &'a Manifest,
        name: &'static str,
        max_bytes: u64,
        imported: &mut Imported,
    ) -> Option<Self> {
        let listed = manifest.files.iter().find(|listed| listed.name == name);
        let entry = match zip.by_name(name) {
            Ok(entry) => entry,
            // An older version has no such file.
            Err(ZipError::FileNotFound) if listed.is_none() && !manifest.files.is_empty() => return None,
            Err(error) => {
                imported.add_problem(name, None, entry_problem(&error));
                return None;
            }
        };
        let packed = entry.compressed_size();
        let entry: Box<dyn Read + 'a> = Box::new(entry);
        let lines = Lines::new(Counted::new(entry, packed, max_bytes));
        Some(Self { name, lines, sha256: listed.map(|listed| listed.sha256.as_str()) })
    }

    /// Passes the lines of a batch to `parse`, which returns why a line is not a valid record. Returns whether the file goes on after the batch.
    fn read_batch(&mut self, imported: &mut Imported, parse: &mut dyn FnMut(&[u8]) -> Result<(), String>) -> bool {
        let (file, mut records, mut bytes) = (self.name, 0, 0);
        while records < MAX_BATCH_RECORDS && bytes < MAX_BATCH_BYTES {
            let parsed = match self.lines.next() {
                Ok(Some(line)) => {
                    bytes += line.len();
                    parse(line)
                }
                Ok(None) => {
                    let digest = self.lines.get_ref().digest();
                    if self.sha256.is_some_and(|listed| listed != digest) {
                        imported.add_problem(file, None, Problem::Damaged);
                    }
                    return false;
                }
                Err(error) => {
                    let number = self.lines.number;
                    tracing::warn!(file, number, %error, "the rest of a file of an archive cannot be read");
                    imported.add_problem(file, Some(number + 1), Problem::RestUnreadable);
                    return false;
                }
            };
            match parsed {
                Ok(()) => records += 1,
                Err(why) => {
                    let number = self.lines.number;
                    tracing::warn!(file, number, why, "a record of an archive is invalid");
                    imported.add_problem(file, Some(number), Problem::InvalidRecord);
                }
            }
        }
        true
    }
}
