//! Exports a library as an archive, line by line.

use super::{ArchiveError, FIRST, FORM, FORMAT, Listed, MANIFEST, Manifest, Progress, QUERIES, SETTINGS, VERSION};
use crate::{
    file::{Unfinished, failure},
    subscriptions_opml,
    zip_file::ZipFile,
};
use futures::TryStreamExt as _;
use gleaner_library::{
    Library, OutlineFeed, SubscriptionTree,
    archive::{
        FeedRecord, FolderRecord, FullTextRecord, ImageRecord, ItemImageRecord, ItemRecord, NoteRecord,
        PlayQueueRecord, PlaybackRecord, ProgressRecord, ReadingStatsRecord, Record, RetentionRecord, RuleRecord,
        SavedSearchRecord, Snapshot, StateRecord, SynonymRecord, TagRecord, TaggedRecord, TombstoneRecord, TouchRecord,
        TranscriptRecord, VersionRecord,
    },
};
use ring::digest::{Context, SHA256};
use serde::Serialize;
use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufWriter, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};
use url::Url;
use zip::{CompressionMethod, write::SimpleFileOptions};

/// Number of lines between two progress reports.
const LINES: u64 = 256;

/// Numbers of exported feeds, articles and images.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// Number of feeds.
    pub feeds: u64,
    /// Number of articles.
    pub articles: u64,
    /// Number of images.
    pub images: u64,
    /// Number of feeds whose login, headers, proxy or certificate were left out.
    pub without_access: u64,
    /// Size of the archive, in bytes.
    pub bytes: u64,
}

/// Writes a snapshot of a whole library into one file. `progress` receives the progress and returns whether to continue. An existing file
/// is replaced only by a complete one.
///
/// # Errors
/// [`ArchiveError::Write`], [`ArchiveError::Full`], [`ArchiveError::Cancelled`] and errors of the library. No unfinished file remains then.
pub async fn export(
    library: Arc<Library>,
    file: PathBuf,
    progress: impl FnMut(Progress) -> bool + Send + 'static,
) -> Result<Exported, ArchiveError> {
    let runtime = tokio::runtime::Handle::current();
    let place = file.clone();
    // Compressing blocks the thread.
    let writing = tokio::task::spawn_blocking(move || runtime.block_on(write(&library, &file, progress)));
    writing.await.unwrap_or_else(|error| Err(ArchiveError::Write { file: place, why: std::io::Error::other(error) }))
}

async fn write(
    library: &Library,
    file: &Path,
    progress: impl FnMut(Progress) -> bool,
) -> Result<Exported, ArchiveError> {
    let failed = |error: io::Error| failure(file, error);
    // Notes and the history of reading are as private as the library.
    let (unfinished, out) = Unfinished::create_private(file)?;
    let mut out = Out {
        zip: ZipFile::new(BufWriter::with_capacity(1 << 16, out)),
        file,
        listed: Vec::new(),
        digest: Context::new(&SHA256),
        bytes: 0,
        lines: 0,
        total: 0,
        progress,
    };
    let mut exported = out.all(library).await?;
    let written = out.zip.finish().map_err(failed)?.into_inner().map_err(|error| failed(error.into_error()))?;
    exported.bytes = written.metadata().map_err(failed)?.len();
    unfinished.into_place(file, written)?;
    Ok(exported)
}

struct Out<'a, P> {
    zip: ZipFile,
    file: &'a Path,
    listed: Vec<Listed>,
    digest: Context,
    bytes: u64,
    lines: u64,
    total: u64,
    progress: P,
}

impl<P: FnMut(Progress) -> bool> Out<'_, P> {
    async fn all(&mut self, library: &Library) -> Result<Exported, ArchiveError> {
        let mut snapshot = library.archive().snapshot().await?;
        self.total = u64::try_from(snapshot.articles().await?).unwrap_or(0);
        let mut exported = Exported {
            without_access: u64::try_from(snapshot.feeds_with_access().await?).unwrap_or(0),
            ..Exported::default()
        };
        self.whole(FIRST, FORM.as_bytes())?;
        let folders: Vec<FolderRecord> = snapshot.records().try_collect().await?;
        let mut feeds: Vec<FeedRecord> = snapshot.records().try_collect().await?;
        for feed in &mut feeds {
            feed.url = without_login(&feed.url);
            feed.former_url = feed.former_url.as_deref().map(without_login);
        }
        let list = subscriptions_opml(tree(&folders, &feeds)).map_err(|error| self.failed(io::Error::other(error)))?;
        self.whole("subscriptions.opml", list.as_bytes())?;
        self.list(&folders)?;
        exported.feeds = self.list(&feeds)?;
        exported.articles = self.stream::<ItemRecord>(&mut snapshot).await?;
        self.stream::<StateRecord>(&mut snapshot).await?;
        self.stream::<TagRecord>(&mut snapshot).await?;
        self.stream::<TaggedRecord>(&mut snapshot).await?;
        self.stream::<NoteRecord>(&mut snapshot).await?;
        self.stream::<VersionRecord>(&mut snapshot).await?;
        self.stream::<FullTextRecord>(&mut snapshot).await?;
        self.stream::<TranscriptRecord>(&mut snapshot).await?;
        self.stream::<ProgressRecord>(&mut snapshot).await?;
        self.stream::<PlaybackRecord>(&mut snapshot).await?;
        self.stream::<PlayQueueRecord>(&mut snapshot).await?;
        self.stream::<RuleRecord>(&mut snapshot).await?;
        self.stream::<TouchRecord>(&mut snapshot).await?;
        self.stream::<SavedSearchRecord>(&mut snapshot).await?;
        self.stream::<SynonymRecord>(&mut snapshot).await?;
        self.stream::<RetentionRecord>(&mut snapshot).await?;
        self.stream::<ReadingStatsRecord>(&mut snapshot).await?;
        self.stream::<TombstoneRecord>(&mut snapshot).await?;
        let settings: serde_json::Map<String, serde_json::Value> = snapshot
            .settings()
            .await?
            .into_iter()
            .filter_map(|(key, value)| Some((key, serde_json::from_str(&value).ok()?)))
            .collect();
        self.whole(SETTINGS, &json(&settings)?)?;
        let images = snapshot.images().await?;
        self.stream::<ItemImageRecord>(&mut snapshot).await?;
        drop(snapshot);
        let mut there: Vec<ImageRecord> = Vec::new();
        for (image, file) in images {
            // Images that were deleted meanwhile are downloaded again when needed.
            if let Ok(content) = File::open(file) {
                self.image(&image.digest, content)?;
                there.push(image);
            }
        }
        exported.images = self.list(&there)?;
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            gleaner: env!("CARGO_PKG_VERSION").to_owned(),
            queries: QUERIES,
            made_at: gleaner_library::now_utc().to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            files: std::mem::take(&mut self.listed),
        };
        let manifest = serde_json::to_vec_pretty(&manifest).map_err(|error| self.failed(error.into()))?;
        self.whole(MANIFEST, &manifest)?;
        Ok(exported)
    }

    fn failed(&self, error: io::Error) -> ArchiveError {
        failure(self.file, error)
    }

    fn begin(&mut self, name: &str, method: CompressionMethod) -> Result<(), ArchiveError> {
        // Files may exceed 4 GB.
        let options = SimpleFileOptions::default().compression_method(method).large_file(true);
        self.zip.begin(name, options).map_err(|error| self.failed(error))?;
        (self.digest, self.bytes, self.lines) = (Context::new(&SHA256), 0, 0);
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.digest.update(bytes);
        self.bytes += bytes.len() as u64;
        self.zip.write_all(bytes).map_err(|error| self.failed(error))
    }

    fn end(&mut self, name: &str, of_lines: bool) -> u64 {
        let digest = std::mem::replace(&mut self.digest, Context::new(&SHA256)).finish();
        self.listed.push(Listed {
            name: name.to_owned(),
            bytes: self.bytes,
            lines: of_lines.then_some(self.lines),
            sha256: hex::encode(digest),
        });
        self.lines
    }

    fn whole(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.begin(name, CompressionMethod::Deflated)?;
        self.put(bytes)?;
        self.end(name, false);
        Ok(())
    }

    fn line<R: Record>(&mut self, record: &R) -> Result<(), ArchiveError> {
        if self.lines.is_multiple_of(LINES) {
            let done = if R::FILE == ItemRecord::FILE { self.lines } else { 0 };
            if !(self.progress)(Progress { file: R::FILE, done, total: self.total }) {
                return Err(ArchiveError::Cancelled);
            }
        }
        let mut line = json(record)?;
        line.push(b'\n');
        self.put(&line)?;
        self.lines += 1;
        Ok(())
    }

    fn list<R: Record>(&mut self, records: &[R]) -> Result<u64, ArchiveError> {
        self.begin(R::FILE, CompressionMethod::Deflated)?;
        for record in records {
            self.line(record)?;
        }
        Ok(self.end(R::FILE, true))
    }

    async fn stream<R: Record>(&mut self, snapshot: &mut Snapshot<'_>) -> Result<u64, ArchiveError> {
        self.begin(R::FILE, CompressionMethod::Deflated)?;
        let mut records = snapshot.records::<R>();
        while let Some(record) = records.try_next().await? {
            self.line(&record)?;
        }
        Ok(self.end(R::FILE, true))
    }

    fn image(&mut self, digest: &str, mut image: File) -> Result<(), ArchiveError> {
        if !(self.progress)(Progress { file: ImageRecord::FILE, done: 0, total: self.total }) {
            return Err(ArchiveError::Cancelled);
        }
        let name = format!("images/{digest}");
        // Images are compressed already.
        self.begin(&name, CompressionMethod::Stored)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match image.read(&mut buffer).map_err(|error| self.failed(error))? {
                0 => break,
                length => self.put(&buffer[..length])?,
            }
        }
        self.end(&name, false);
        Ok(())
    }
}

fn json<T: Serialize>(value: &T) -> Result<Vec<u8>, ArchiveError> {
    serde_json::to_vec(value)
        .map_err(|error| ArchiveError::Library(gleaner_library::LibraryError::Invalid(error.to_string())))
}

/// Removes the user name and password from an address.
fn without_login(url: &str) -> String {
    match Url::parse(url) {
        Ok(parsed) if !parsed.username().is_empty() || parsed.password().is_some() => {
            gleaner_address::without_login(&parsed).into()
        }
        _ => url.to_owned(),
    }
}

/// Returns folders and feeds as a tree, for OPML.
fn tree(folders: &[FolderRecord], feeds: &[FeedRecord]) -> SubscriptionTree {
    let mut paths: HashMap<i64, Vec<String>> = HashMap::new();
    for folder in folders {
        let mut path = folder.parent.and_then(|parent| paths.get(&parent).cloned()).unwrap_or_default();
        path.push(folder.name.clone());
        paths.insert(folder.folder, path);
    }
    let mut order: Vec<&FolderRecord> = folders.iter().collect();
    order.sort_by_key(|folder| (folder.position, folder.folder));
    let mut feeds: Vec<&FeedRecord> = feeds.iter().collect();
    feeds.sort_by_key(|feed| (feed.position, feed.feed));
    let outline = |feed: &FeedRecord| feed.outline.as_deref().and_then(|outline| serde_json::from_str(outline).ok());
    SubscriptionTree {
        folders: order.into_iter().filter_map(|folder| paths.get(&folder.folder).cloned()).collect(),
        feeds: feeds
            .into_iter()
            .map(|feed| OutlineFeed {
                url: feed.url.clone(),
                title: feed.listed_title(),
                own_title: feed.title.clone().filter(|own| *own != feed.listed_title() && !own.trim().is_empty()),
                home_url: feed.home_url.clone(),
                folder: feed.folder.and_then(|folder| paths.get(&folder).cloned()).unwrap_or_default(),
                outline: outline(feed).unwrap_or_default(),
            })
            .collect(),
    }
}
