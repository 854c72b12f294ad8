//! Imports archives, or checks what importing one would add. After a crash, importing the archive again completes it.

use super::{
    ArchiveError, FIRST, MANIFEST, Problem, Progress, QUERIES, SETTINGS,
    imported::Imported,
    listed,
    lookup::lookup,
    reader::{ArchiveReader, MAX_FILE, Zip, open_zip, read_file, unreadable},
};
use gleaner_library::{
    Library,
    archive::{
        ArchiveImport, ArchiveLookup, FeedRecord, FullTextRecord, Head, ImageRecord, ItemCounts, ItemImageRecord,
        ItemRecord, NoteRecord, PlayQueueRecord, PlaybackRecord, ProgressRecord, ReadingStatsRecord, Record,
        StateRecord, TaggedRecord, TombstoneRecord, TouchRecord, TranscriptRecord, VersionRecord,
    },
    image_type,
};
use std::{
    collections::{HashMap, HashSet},
    io::Read as _,
    path::{Path, PathBuf},
    sync::Arc,
};
use url::Url;

/// Whether a file is an archive, complete or truncated. Exports of other readers may be ZIP files too.
#[must_use]
pub fn is_archive(file: &Path) -> bool {
    let name = FIRST.as_bytes();
    // Reading a pipe would consume its bytes, and may never end.
    if !std::fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    // In a ZIP file, a file's name follows a header of 30 bytes.
    let mut start = vec![0; 30 + name.len()];
    match open_zip(file) {
        Ok(zip) => [MANIFEST, ItemRecord::FILE].iter().any(|name| zip.index_for_name(name).is_some()),
        Err(_) => gleaner_polling::file::open(file)
            .and_then(|mut file| file.read_exact(&mut start))
            .is_ok_and(|()| start.starts_with(b"PK\x03\x04") && start.ends_with(name)),
    }
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

async fn read(
    library: &Library,
    file: &Path,
    check_only: bool,
    progress: impl FnMut(Progress) -> bool + 'static,
) -> Result<Imported, ArchiveError> {
    let mut reader = ArchiveReader::open(file, Box::new(progress))?;
    let done = if check_only { reader.check(library).await } else { reader.import(library).await };
    match done {
        Err(ArchiveError::Cancelled) => reader.report.imported.cancelled = true,
        done => done?,
    }
    Ok(reader.report.imported)
}

impl ArchiveReader {
    /// Reads the small files.
    async fn read_head(&mut self) -> Result<Head, ArchiveError> {
        let mut feeds: Vec<FeedRecord> = self.read_all().await?;
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
            self.report.imported.add_problem(FeedRecord::FILE, None, Problem::InvalidAddresses { count });
        }
        self.report.imported.feeds = feeds.len() as u64;
        let settings = match read_file(&mut self.zip, SETTINGS).and_then(|bytes| {
            serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&bytes)
                .map_err(|error| unreadable(SETTINGS, &error))
        }) {
            Ok(settings) => settings.into_iter().map(|(key, value)| (key, value.to_string())).collect(),
            Err(why) => {
                self.report.imported.add_problem(SETTINGS, None, why);
                Vec::new()
            }
        };
        let mut head = Head {
            folders: self.read_all().await?,
            feeds,
            rules: self.read_all().await?,
            saved_searches: self.read_all().await?,
            synonyms: self.read_all().await?,
            retention: self.read_all().await?,
            tags: self.read_all().await?,
            settings,
        };
        if self.manifest.queries < QUERIES {
            head.convert_queries();
        }
        Ok(head)
    }

    /// If no feed is in the library yet, no article has to be looked up.
    fn lookup(&mut self) -> Result<ArchiveLookup, ArchiveError> {
        let Self { zip, report, .. } = self;
        match report.imported.head.feeds_there {
            0 => Ok(ArchiveLookup::default()),
            _ => lookup(zip, || report.progress(ItemRecord::FILE)),
        }
    }

    /// Imports the archive.
    async fn import(&mut self, library: &Library) -> Result<(), ArchiveError> {
        let head = self.read_head().await?;
        let (mut target, counts) = library.archive().import(&head).await?;
        drop(head);
        self.report.imported.head = counts;
        let done = self.import_articles(library, &mut target).await;
        self.report.imported.gained = target.into_gained();
        done
    }

    async fn import_articles(&mut self, library: &Library, target: &mut ArchiveImport<'_>) -> Result<(), ArchiveError> {
        let mut lookup = self.lookup()?;
        self.read_batches::<ItemRecord>(async |imported, batch| {
            imported.articles += target.items(&mut lookup, &batch).await?;
            Ok(())
        })
        .await?;
        let lost = self.report.imported.articles.lost;
        if lost > 0 {
            self.report.imported.add_problem(ItemRecord::FILE, None, Problem::UnknownFeeds { count: lost });
        }
        self.read_batches::<StateRecord>(async |imported, batch| {
            imported.marked += target.states(&batch).await?;
            Ok(())
        })
        .await?;
        self.read_batches::<TaggedRecord>(async |imported, batch| {
            imported.tagged += target.tagged(&batch).await?;
            Ok(())
        })
        .await?;
        self.read_batches::<NoteRecord>(async |_, batch| target.notes(&batch).await.map(drop)).await?;
        self.read_batches::<VersionRecord>(async |imported, batch| {
            imported.versions += target.versions(&batch).await?;
            Ok(())
        })
        .await?;
        self.read_batches::<FullTextRecord>(async |_, batch| target.full_texts(&batch).await.map(drop)).await?;
        self.read_batches::<TranscriptRecord>(async |_, batch| target.transcripts(&batch).await.map(drop)).await?;
        self.read_batches::<ProgressRecord>(async |_, batch| target.progress(&batch).await.map(drop)).await?;
        self.read_batches::<PlaybackRecord>(async |_, batch| target.playback(&batch).await.map(drop)).await?;
        self.read_batches::<PlayQueueRecord>(async |_, batch| target.play_queue(&batch).await.map(drop)).await?;
        self.read_batches::<TouchRecord>(async |_, batch| target.touches(&batch).await.map(drop)).await?;
        self.read_batches::<ReadingStatsRecord>(async |_, batch| target.reading_stats(&batch).await.map(drop)).await?;
        self.read_batches::<TombstoneRecord>(async |_, batch| target.tombstones(&batch).await.map(drop)).await?;
        self.import_images(library, target).await
    }

    /// Imports images, in batches of the articles that show them: their rows, then their files, then the articles' references.
    async fn import_images(&mut self, library: &Library, target: &mut ArchiveImport<'_>) -> Result<(), ArchiveError> {
        let images: Vec<ImageRecord> = self.read_all().await?;
        let mut waiting: HashMap<String, ImageRecord> =
            images.into_iter().map(|image| (image.digest.clone(), image)).collect();
        let mut zip = open_zip(&self.file)?;
        let mut stored: HashSet<String> = HashSet::new();
        // Images are compressed already. If they unpack to far more than the archive's size, no more are read.
        let mut room = std::fs::metadata(&self.file).map_or(0, |file| file.len()).saturating_mul(2) + MAX_FILE;
        self.read_batches(async |imported, mut batch: Vec<ItemImageRecord>| {
            let new: Vec<ImageRecord> = batch.iter().filter_map(|shown| waiting.remove(&shown.digest)).collect();
            target.images(&new).await?;
            for image in new {
                if room == 0 {
                    imported.add_problem(&format!("images/{}", image.digest), None, Problem::ImagesTooLarge);
                    continue;
                }
                match image_file(&mut zip, library, &image) {
                    Ok((place, bytes)) => {
                        room = room.saturating_sub(bytes.len() as u64);
                        imported.images += u64::from(target.image_bytes(&place, &bytes)?);
                        stored.insert(image.digest);
                    }
                    Err(why) => imported.add_problem(&format!("images/{}", image.digest), None, why),
                }
            }
            batch.retain(|shown| stored.contains(&shown.digest));
            target.item_images(&batch).await.map(drop)
        })
        .await?;
        if !waiting.is_empty() {
            let count = waiting.len();
            self.report.imported.add_problem(ImageRecord::FILE, None, Problem::UnusedImages { count });
        }
        Ok(())
    }

    /// Reads the whole archive and counts what would be imported.
    async fn check(&mut self, library: &Library) -> Result<(), ArchiveError> {
        let head = self.read_head().await?;
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
        self.read_batches::<ItemRecord>(async |imported, batch| {
            let lost = batch.iter().filter(|item| !feeds.contains_key(&item.feed)).count();
            let old = batch.iter().filter_map(|item| Some((feeds.get(&item.feed).copied()??, item)));
            let there = library.archive().count_existing(&mut lookup, &old.collect::<Vec<_>>()).await?;
            let added = batch.len() - there - lost;
            imported.articles += ItemCounts { added, there, lost, ..ItemCounts::default() };
            Ok(())
        })
        .await?;
        self.read_batches::<StateRecord>(async |imported, batch| {
            imported.marked += batch.iter().filter(|state| state.read || state.starred).count() as u64;
            Ok(())
        })
        .await?;
        self.read_batches::<TaggedRecord>(async |imported, batch| {
            imported.tagged += batch.len() as u64;
            Ok(())
        })
        .await?;
        self.read_batches::<NoteRecord>(async |_, _| Ok(())).await?;
        self.read_batches::<VersionRecord>(async |imported, batch| {
            imported.versions += batch.len() as u64;
            Ok(())
        })
        .await?;
        self.read_batches::<FullTextRecord>(async |_, _| Ok(())).await?;
        self.read_batches::<TranscriptRecord>(async |_, _| Ok(())).await?;
        self.read_batches::<ProgressRecord>(async |_, _| Ok(())).await?;
        self.read_batches::<PlaybackRecord>(async |_, _| Ok(())).await?;
        self.read_batches::<PlayQueueRecord>(async |_, _| Ok(())).await?;
        self.read_batches::<TouchRecord>(async |_, _| Ok(())).await?;
        self.read_batches::<ReadingStatsRecord>(async |_, _| Ok(())).await?;
        self.read_batches::<TombstoneRecord>(async |_, _| Ok(())).await?;
        self.report.imported.images = self.read_all::<ImageRecord>().await?.len() as u64;
        self.read_batches::<ItemImageRecord>(async |_, _| Ok(())).await
    }
}

/// Returns an image's path in the library and its bytes, if they match its record.
fn image_file(zip: &mut Zip, library: &Library, image: &ImageRecord) -> Result<(PathBuf, Vec<u8>), Problem> {
    let place = library.archive().image_file(&image.digest).ok_or(Problem::InvalidImage)?;
    let bytes = read_file(zip, &format!("images/{}", image.digest))?;
    let matches = blake3::hash(&bytes).to_hex().as_str() == image.digest
        && u64::try_from(image.bytes) == Ok(bytes.len() as u64)
        && image_type(&bytes) == Some(image.mime_type.as_str());
    if matches { Ok((place, bytes)) } else { Err(Problem::InvalidImage) }
}

/// Whether a feed of an archive may have this address. Other readers have feeds without a web address, with articles: those of programs
/// (`exec:`) and files. They are imported and never requested.
fn is_feed_address(url: &str) -> bool {
    // The welcome feed belongs to each library.
    let is_own = Url::parse(url.trim()).is_ok_and(|url| url.scheme() == "gleaner");
    gleaner_feed::is_subscribable(url) && !is_own
}
