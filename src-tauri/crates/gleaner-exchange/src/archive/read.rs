//! Imports archives: small files at once, articles and their data in batches. After a crash, importing the archive again completes it.

use super::{
    ArchiveError, FIRST, FORMAT, MANIFEST, Manifest, Problem, Progress, SETTINGS, VERSION,
    imported::Imported,
    lines::{Counted, Lines},
    listed,
    lookup::lookup,
};
use gleaner_library::{
    Library, LibraryError,
    archive::{
        ArchiveImport, ArchiveLookup, FeedRecord, FullTextRecord, Head, ImageRecord, ItemCounts, ItemImageRecord,
        ItemRecord, NoteRecord, PlayQueueRecord, PlaybackRecord, ProgressRecord, ReadingStatsRecord, Record,
        StateRecord, TaggedRecord, TombstoneRecord, TouchRecord, TranscriptRecord, VersionRecord,
    },
    image_type,
};
use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{BufReader, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};
use url::Url;
use zip::{ZipArchive, result::ZipError};

/// Maximum number of records in a batch.
const RECORDS: usize = 1000;
/// Maximum size of a batch, in bytes of lines.
const BYTES: usize = 8 << 20;
/// Maximum size of a file that is read at once, and of an image, in bytes.
const MAX_FILE: u64 = 64 << 20;
/// Maximum unpacked size of a file that is read into memory, in bytes, and maximum number of its records.
const HEAD: u64 = 256 << 20;
const MOST: usize = 500_000;

/// Whether a file is an archive, complete or truncated. Exports of other readers may be ZIP files too.
#[must_use]
pub fn is_archive(file: &Path) -> bool {
    let name = FIRST.as_bytes();
    // Reading a pipe would take its bytes away, and may never end.
    if !std::fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    // In a ZIP file, a file's name follows a header of 30 bytes.
    let mut start = vec![0; 30 + name.len()];
    match opened(file) {
        Ok(zip) => [MANIFEST, ItemRecord::FILE].iter().any(|name| zip.index_for_name(name).is_some()),
        Err(_) => File::open(file)
            .and_then(|mut file| file.read_exact(&mut start))
            .is_ok_and(|()| start.starts_with(b"PK\x03\x04") && start.ends_with(name)),
    }
}

type Zip = ZipArchive<BufReader<File>>;

fn opened(file: &Path) -> Result<Zip, ArchiveError> {
    let open = File::open(file).map_err(|error| ArchiveError::Read { file: file.to_owned(), why: error })?;
    ZipArchive::new(BufReader::with_capacity(1 << 16, open))
        .map_err(|error| ArchiveError::CutOff { file: file.to_owned(), why: error.to_string() })
}

/// Imports an archive. `progress` receives the progress and returns whether to continue; if not, the data imported so far stays. With
/// `check_only`, the archive is read to its end and nothing is changed.
///
/// # Errors
/// Fails without changes if the file is not an archive or has a newer format. If the library cannot be written, the data imported so far
/// stays.
pub async fn import(
    library: Arc<Library>,
    file: PathBuf,
    check_only: bool,
    progress: impl FnMut(Progress) -> bool + Send + 'static,
) -> Result<Imported, ArchiveError> {
    let runtime = tokio::runtime::Handle::current();
    let place = file.clone();
    let reading = tokio::task::spawn_blocking(move || runtime.block_on(read(&library, &file, check_only, progress)));
    reading.await.unwrap_or_else(|error| Err(ArchiveError::Read { file: place, why: std::io::Error::other(error) }))
}

struct In<P> {
    file: PathBuf,
    zip: Zip,
    manifest: Manifest,
    report: Report<P>,
}

/// The result so far, and the function that receives the progress.
struct Report<P> {
    imported: Imported,
    progress: P,
    total: u64,
}

async fn read(
    library: &Library,
    file: &Path,
    check_only: bool,
    progress: impl FnMut(Progress) -> bool,
) -> Result<Imported, ArchiveError> {
    let mut zip = opened(file)?;
    let other = |why: String| ArchiveError::Other { file: file.to_owned(), why };
    let manifest = piece(&mut zip, MANIFEST).map_err(|why| other(format!("{MANIFEST}: {why:?}")))?;
    let manifest_json: serde_json::Value =
        serde_json::from_slice(&manifest).map_err(|error| other(format!("{MANIFEST}: {error}")))?;
    if manifest_json["format"] != FORMAT {
        return Err(other(format!("{MANIFEST} does not name the form \"{FORMAT}\"")));
    }
    let found = manifest_json["version"].as_u64().and_then(|version| u32::try_from(version).ok()).unwrap_or(u32::MAX);
    if found > VERSION {
        return Err(ArchiveError::Newer { file: file.to_owned(), found });
    }
    let manifest: Manifest =
        serde_json::from_value(manifest_json).map_err(|error| other(format!("{MANIFEST}: {error}")))?;
    let total = manifest.files.iter().find(|listed| listed.name == ItemRecord::FILE).and_then(|listed| listed.lines);
    let imported = Imported { made_at: manifest.made_at.clone(), ..Imported::default() };
    let report = Report { imported, progress, total: total.unwrap_or(0) };
    let mut reader = In { file: file.to_owned(), zip, manifest, report };
    let done = if check_only { reader.look(library).await } else { reader.take(library).await };
    match done {
        Err(ArchiveError::Cancelled) => reader.report.imported.cancelled = true,
        done => done?,
    }
    Ok(reader.report.imported)
}

/// Reads a small file of the archive.
fn piece(zip: &mut Zip, name: &str) -> Result<Vec<u8>, Problem> {
    let entry = zip.by_name(name).map_err(|error| missing(&error))?;
    let mut bytes = Vec::new();
    entry.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Problem::TooLong);
    }
    Ok(bytes)
}

fn missing(error: &ZipError) -> Problem {
    match error {
        ZipError::FileNotFound => Problem::Missing,
        error => unreadable("", error),
    }
}

fn unreadable(file: &str, error: &impl std::fmt::Display) -> Problem {
    tracing::warn!(file, %error, "a file of an archive cannot be read");
    Problem::Unreadable
}

impl<P: FnMut(Progress) -> bool> Report<P> {
    fn go_on(&mut self, file: &'static str) -> Result<(), ArchiveError> {
        let done = (self.imported.articles.added + self.imported.articles.there) as u64;
        if (self.progress)(Progress { file, done, total: self.total }) { Ok(()) } else { Err(ArchiveError::Cancelled) }
    }
}

impl<P: FnMut(Progress) -> bool> In<P> {
    /// Reads the records of one kind and passes them on in batches. Unreadable ones are reported and skipped.
    async fn batches<R: Record>(
        &mut self,
        take: impl AsyncFnMut(&mut Imported, Vec<R>) -> Result<(), LibraryError>,
    ) -> Result<(), ArchiveError> {
        self.up_to(u64::MAX, take).await
    }

    async fn up_to<R: Record>(
        &mut self,
        most: u64,
        mut take: impl AsyncFnMut(&mut Imported, Vec<R>) -> Result<(), LibraryError>,
    ) -> Result<(), ArchiveError> {
        let Self { zip, manifest, report, .. } = self;
        report.go_on(R::FILE)?;
        let listed = manifest.files.iter().find(|listed| listed.name == R::FILE).map(|listed| listed.sha256.clone());
        let entry = match zip.by_name(R::FILE) {
            Ok(entry) => entry,
            // An older version has no such file.
            Err(ZipError::FileNotFound) if listed.is_none() && !manifest.files.is_empty() => return Ok(()),
            Err(error) => {
                report.imported.problem(R::FILE, None, missing(&error));
                return Ok(());
            }
        };
        let packed = entry.compressed_size();
        let mut lines = Lines::new(Counted::new(entry, packed, most));
        let (mut batch, mut bytes) = (Vec::new(), 0);
        loop {
            let read = match lines.next() {
                Ok(Some(line)) => {
                    bytes += line.len();
                    Ok(Some(serde_json::from_slice::<R>(line)))
                }
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            };
            let number = lines.number;
            let more = match read {
                Ok(Some(Ok(mut record))) => {
                    match record.repair() {
                        Ok(()) => batch.push(record),
                        Err(why) => {
                            tracing::warn!(file = R::FILE, number, why = &*why, "a record of an archive is invalid");
                            report.imported.problem(R::FILE, Some(number), Problem::InvalidRecord);
                        }
                    }
                    true
                }
                Ok(Some(Err(error))) => {
                    tracing::warn!(file = R::FILE, number, %error, "a record of an archive is invalid");
                    report.imported.problem(R::FILE, Some(number), Problem::InvalidRecord);
                    true
                }
                Ok(None) => {
                    let digest = lines.into_inner().digest();
                    if listed.as_deref().is_some_and(|listed| listed != digest) {
                        report.imported.problem(R::FILE, None, Problem::Damaged);
                    }
                    take(&mut report.imported, std::mem::take(&mut batch)).await?;
                    return Ok(());
                }
                Err(error) => {
                    tracing::warn!(file = R::FILE, number, %error, "the rest of a file of an archive cannot be read");
                    report.imported.problem(R::FILE, Some(number + 1), Problem::RestUnreadable);
                    take(&mut report.imported, std::mem::take(&mut batch)).await?;
                    return Ok(());
                }
            };
            if more && (batch.len() >= RECORDS || bytes >= BYTES) {
                bytes = 0;
                take(&mut report.imported, std::mem::take(&mut batch)).await?;
                report.go_on(R::FILE)?;
            }
        }
    }

    async fn all<R: Record>(&mut self) -> Result<Vec<R>, ArchiveError> {
        let (mut all, mut more) = (Vec::new(), 0);
        self.up_to(HEAD, async |_, batch: Vec<R>| {
            more += batch.len();
            all.extend(batch.into_iter().take(MOST - all.len()));
            Ok(())
        })
        .await?;
        more -= all.len();
        if more > 0 {
            self.report.imported.problem(R::FILE, None, Problem::TooMany { count: more });
        }
        Ok(all)
    }

    /// Reads the small files.
    async fn head(&mut self) -> Result<Head, ArchiveError> {
        let mut feeds: Vec<FeedRecord> = self.all().await?;
        let before = feeds.len();
        feeds.retain_mut(|feed| {
            feed.icon = feed.icon.take().filter(|icon| icon.starts_with("data:image/"));
            feed.former_url = feed.former_url.take().filter(|url| is_feed_address(url));
            feed.outline =
                feed.outline.take().filter(|json| serde_json::from_str::<Vec<(String, String)>>(json).is_ok());
            is_feed_address(&feed.url)
        });
        if feeds.len() < before {
            let count = before - feeds.len();
            self.report.imported.problem(FeedRecord::FILE, None, Problem::InvalidAddresses { count });
        }
        self.report.imported.feeds = feeds.len() as u64;
        let settings = match piece(&mut self.zip, SETTINGS).and_then(|bytes| {
            serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&bytes)
                .map_err(|error| unreadable(SETTINGS, &error))
        }) {
            Ok(settings) => settings.into_iter().map(|(key, value)| (key, value.to_string())).collect(),
            Err(why) => {
                self.report.imported.problem(SETTINGS, None, why);
                Vec::new()
            }
        };
        Ok(Head {
            folders: self.all().await?,
            feeds,
            rules: self.all().await?,
            saved_searches: self.all().await?,
            synonyms: self.all().await?,
            retention: self.all().await?,
            tags: self.all().await?,
            settings,
        })
    }

    /// Where no feed is in the library already, no article needs to be looked up.
    fn lookup(&mut self) -> Result<ArchiveLookup, ArchiveError> {
        let Self { zip, report, .. } = self;
        match report.imported.head.feeds_there {
            0 => Ok(ArchiveLookup::default()),
            _ => lookup(zip, || report.go_on(ItemRecord::FILE)),
        }
    }

    async fn take(&mut self, library: &Library) -> Result<(), ArchiveError> {
        let head = self.head().await?;
        let (mut target, counts) = library.archive().import(&head).await?;
        drop(head);
        self.report.imported.head = counts;
        let done = self.take_articles(library, &mut target).await;
        self.report.imported.gained = target.into_gained();
        done
    }

    async fn take_articles(&mut self, library: &Library, target: &mut ArchiveImport<'_>) -> Result<(), ArchiveError> {
        let mut lookup = self.lookup()?;
        self.batches::<ItemRecord>(async |imported, batch| {
            imported.articles += target.items(&mut lookup, &batch).await?;
            Ok(())
        })
        .await?;
        let lost = self.report.imported.articles.lost;
        if lost > 0 {
            self.report.imported.problem(ItemRecord::FILE, None, Problem::UnknownFeeds { count: lost });
        }
        self.batches::<StateRecord>(async |imported, batch| {
            imported.marked += target.states(&batch).await?;
            Ok(())
        })
        .await?;
        self.batches::<TaggedRecord>(async |imported, batch| {
            imported.tagged += target.tagged(&batch).await?;
            Ok(())
        })
        .await?;
        self.batches::<NoteRecord>(async |_, batch| target.notes(&batch).await.map(drop)).await?;
        self.batches::<VersionRecord>(async |imported, batch| {
            imported.versions += target.versions(&batch).await?;
            Ok(())
        })
        .await?;
        self.batches::<FullTextRecord>(async |_, batch| target.full_texts(&batch).await.map(drop)).await?;
        self.batches::<TranscriptRecord>(async |_, batch| target.transcripts(&batch).await.map(drop)).await?;
        self.batches::<ProgressRecord>(async |_, batch| target.progress(&batch).await.map(drop)).await?;
        self.batches::<PlaybackRecord>(async |_, batch| target.playback(&batch).await.map(drop)).await?;
        self.batches::<PlayQueueRecord>(async |_, batch| target.play_queue(&batch).await.map(drop)).await?;
        self.batches::<TouchRecord>(async |_, batch| target.touches(&batch).await.map(drop)).await?;
        self.batches::<ReadingStatsRecord>(async |_, batch| target.reading_stats(&batch).await.map(drop)).await?;
        self.batches::<TombstoneRecord>(async |_, batch| target.tombstones(&batch).await.map(drop)).await?;
        self.images(library, target).await
    }

    /// Imports images, in batches of the articles that show them: their rows, then their files, then the articles' references.
    async fn images(&mut self, library: &Library, target: &mut ArchiveImport<'_>) -> Result<(), ArchiveError> {
        let images: Vec<ImageRecord> = self.all().await?;
        let mut waiting: HashMap<String, ImageRecord> =
            images.into_iter().map(|image| (image.digest.clone(), image)).collect();
        let mut zip = opened(&self.file)?;
        let mut stored: HashSet<String> = HashSet::new();
        // Images are compressed already. If they unpack to far more than the archive's size, no more are read.
        let mut room = std::fs::metadata(&self.file).map_or(0, |file| file.len()).saturating_mul(2) + MAX_FILE;
        self.batches(async |imported, mut batch: Vec<ItemImageRecord>| {
            let new: Vec<ImageRecord> = batch.iter().filter_map(|shown| waiting.remove(&shown.digest)).collect();
            target.images(&new).await?;
            for image in new {
                if room == 0 {
                    imported.problem(&format!("images/{}", image.digest), None, Problem::ImagesTooLarge);
                    continue;
                }
                match image_file(&mut zip, library, &image) {
                    Ok((place, bytes)) => {
                        room = room.saturating_sub(bytes.len() as u64);
                        imported.images += u64::from(target.image_bytes(&place, &bytes)?);
                        stored.insert(image.digest);
                    }
                    Err(why) => imported.problem(&format!("images/{}", image.digest), None, why),
                }
            }
            batch.retain(|shown| stored.contains(&shown.digest));
            target.item_images(&batch).await.map(drop)
        })
        .await?;
        if !waiting.is_empty() {
            let count = waiting.len();
            self.report.imported.problem(ImageRecord::FILE, None, Problem::UnusedImages { count });
        }
        Ok(())
    }

    /// Reads the whole archive and counts what would be imported.
    async fn look(&mut self, library: &Library) -> Result<(), ArchiveError> {
        let head = self.head().await?;
        // The ids of the library's feeds, by their numbers in the archive.
        let mut feeds: HashMap<i64, Option<i64>> = HashMap::new();
        for feed in &head.feeds {
            let there = library.feeds().find_in_any_account(&feed.url).await?;
            match there {
                Some(_) => self.report.imported.head.feeds_there += 1,
                None => self.report.imported.head.feeds_added.push(feed.feed),
            }
            feeds.insert(feed.feed, there);
        }
        self.report.imported.folders = head.folders.len() as u64;
        let is_there = |feed: &FeedRecord| feeds.get(&feed.feed).is_some_and(Option::is_some);
        self.report.imported.listed = listed::list(&head.feeds, &head.folders, is_there);
        let mut lookup = self.lookup()?;
        self.batches::<ItemRecord>(async |imported, batch| {
            let lost = batch.iter().filter(|item| !feeds.contains_key(&item.feed)).count();
            let old = batch.iter().filter_map(|item| Some((feeds.get(&item.feed).copied()??, item)));
            let there = library.archive().count_existing(&mut lookup, &old.collect::<Vec<_>>()).await?;
            let added = batch.len() - there - lost;
            imported.articles += ItemCounts { added, there, lost, ..ItemCounts::default() };
            Ok(())
        })
        .await?;
        self.batches::<StateRecord>(async |imported, batch| {
            imported.marked += batch.iter().filter(|state| state.read || state.starred).count() as u64;
            Ok(())
        })
        .await?;
        self.batches::<TaggedRecord>(async |imported, batch| {
            imported.tagged += batch.len() as u64;
            Ok(())
        })
        .await?;
        self.batches::<NoteRecord>(async |_, _| Ok(())).await?;
        self.batches::<VersionRecord>(async |imported, batch| {
            imported.versions += batch.len() as u64;
            Ok(())
        })
        .await?;
        self.batches::<FullTextRecord>(async |_, _| Ok(())).await?;
        self.batches::<TranscriptRecord>(async |_, _| Ok(())).await?;
        self.batches::<ProgressRecord>(async |_, _| Ok(())).await?;
        self.batches::<PlaybackRecord>(async |_, _| Ok(())).await?;
        self.batches::<PlayQueueRecord>(async |_, _| Ok(())).await?;
        self.batches::<TouchRecord>(async |_, _| Ok(())).await?;
        self.batches::<TombstoneRecord>(async |_, _| Ok(())).await?;
        self.report.imported.images = self.all::<ImageRecord>().await?.len() as u64;
        self.batches::<ItemImageRecord>(async |_, _| Ok(())).await
    }
}

/// Returns an image's path in the library and its bytes, if they match its record.
fn image_file(zip: &mut Zip, library: &Library, image: &ImageRecord) -> Result<(PathBuf, Vec<u8>), Problem> {
    let place = library.archive().image_file(&image.digest).ok_or(Problem::InvalidImage)?;
    let bytes = piece(zip, &format!("images/{}", image.digest))?;
    let matches = blake3::hash(&bytes).to_hex().as_str() == image.digest
        && u64::try_from(image.bytes) == Ok(bytes.len() as u64)
        && image_type(&bytes) == Some(image.mime_type.as_str());
    if matches { Ok((place, bytes)) } else { Err(Problem::InvalidImage) }
}

fn is_feed_address(url: &str) -> bool {
    Url::parse(url.trim()).is_ok_and(|url| matches!(url.scheme(), "http" | "https" | "file"))
}
