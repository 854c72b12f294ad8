//! `images`, `item_images`: images stored for offline reading. Each is stored once, however many articles have it, as a file named after
//! its digest: `images/ab/cdef…` in the library's folder. A file never exists without its row. First the row is inserted with `there = 0`.
//! Then the file is written, under another name until it is complete. Then `there = 1` is set together with the article's row. Removing
//! uses the opposite order. So a kill at any moment leaves a complete image, or a row that says what to remove. The writer holds the
//! polling lock, so that there is only one.

use crate::{
    LibraryError, Millis, Refusal,
    database::repository,
    files::{self, create_private_folder, private_options, remove_if_present, sync_folder},
    table::downloads::{self, DownloadKind},
};
use sqlx::{SqliteConnection, SqliteExecutor};
use std::{
    collections::HashSet,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Subfolder of the library's folder.
const FOLDER: &str = "images";
/// Extension of an incomplete file.
const INCOMPLETE: &str = "coming";
/// Number of images released per transaction.
const AT_ONCE: usize = 100;
/// Number of articles whose images are released at a time to make room.
const MAKE_ROOM: i64 = 16;

/// An image in an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemImage {
    /// Absolute address.
    pub url: String,
    /// Digest of the stored image; `None` if it is unavailable.
    pub digest: Option<[u8; 32]>,
    /// Why it is unavailable.
    pub error: Option<String>,
}

/// A stored image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredImage {
    /// MIME type by its bytes.
    pub mime_type: String,
    /// Path of its file.
    pub path: PathBuf,
}

/// Returns the type of an image by its first bytes; `None` for other data and for SVG, which may contain more than an image.
#[must_use]
pub fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0, 0, 0, length, b'f', b't', b'y', b'p', ..] => {
            // ISO 14496-12, section 4.3: the brands in the file's header.
            let brands = bytes.get(8..usize::from(*length)).unwrap_or_default();
            brands.chunks(4).any(|brand| brand == b"avif" || brand == b"avis").then_some("image/avif")
        }
        _ => None,
    }
}

fn hex(digest: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*digest).to_hex().to_string()
}

fn digest_of(digest: &[u8]) -> Option<[u8; 32]> {
    digest.try_into().ok()
}

repository!(
    /// Images stored for offline reading.
    Images
);

impl Images<'_> {
    fn folder(self) -> PathBuf {
        self.db.folder().join(FOLDER)
    }

    fn path(self, digest: &[u8; 32]) -> PathBuf {
        let name = hex(digest);
        self.folder().join(&name[..2]).join(&name[2..])
    }

    /// Returns a stored image; `None` if there is none with this digest.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn get(self, digest: &[u8; 32]) -> Result<Option<StoredImage>, LibraryError> {
        let sql = "SELECT mime_type FROM images WHERE digest = ? AND there = 1";
        let found: Option<String> =
            sqlx::query_scalar(sql).bind(digest.as_slice()).fetch_optional(&self.db.readers).await?;
        Ok(found.map(|mime_type| StoredImage { mime_type, path: self.path(digest) }))
    }

    /// Returns the images of an article that were requested.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn of_article(self, item: i64) -> Result<Vec<ItemImage>, LibraryError> {
        Ok(of_article(&self.db.readers, item).await?)
    }

    /// Gives an article the image that another article has under this address, so that it is not fetched twice. Returns whether
    /// there was one.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn share(self, item: i64, url: &str) -> Result<bool, LibraryError> {
        let sql = "SELECT m.digest FROM item_images m JOIN images g ON g.digest = m.digest
            WHERE m.url = ? AND m.digest IS NOT NULL AND g.there = 1 LIMIT 1";
        let known: Option<Vec<u8>> = sqlx::query_scalar(sql).bind(url).fetch_optional(&self.db.readers).await?;
        let Some(digest) = known else { return Ok(false) };
        self.claim(item, url, &digest).await?;
        Ok(true)
    }

    /// Records that an image of an article is unavailable, and why.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn record_failure(self, item: i64, url: &str, why: &str) -> Result<(), LibraryError> {
        self.db.execute(sqlx::query(
            "INSERT INTO item_images (item_id, url, error) SELECT id, ?2, ?3 FROM items WHERE id = ?1 ON CONFLICT DO NOTHING",
        )
        .bind(item)
        .bind(url)
        .bind(why)).await
    }

    /// Stores an image of an article.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] when it is not an image; when the disk is full or the library cannot be written: then nothing was
    /// stored.
    pub async fn store(self, item: i64, url: &str, bytes: Vec<u8>, now: Millis) -> Result<(), LibraryError> {
        let mime_type = image_type(&bytes).ok_or_else(|| LibraryError::from(Refusal::NotAnImage))?;
        let digest = *blake3::hash(&bytes).as_bytes();
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql =
            "INSERT INTO images (digest, mime_type, bytes, fetched_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
        sqlx::query(sql)
            .bind(digest.as_slice())
            .bind(mime_type)
            .bind(i64::try_from(bytes.len()).unwrap_or(i64::MAX))
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        drop(writer);
        let path = self.path(&digest);
        let writing = tokio::task::spawn_blocking(move || write(&path, &bytes));
        let written = writing.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        written.map_err(|error| self.write_error(&error))?;
        self.claim(item, url, &digest).await
    }

    async fn claim(self, item: i64, url: &str, digest: &[u8]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query("UPDATE images SET there = 1 WHERE digest = ? AND there = 0")
            .bind(digest)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO item_images (item_id, url, digest) SELECT id, ?2, ?3 FROM items WHERE id = ?1
             ON CONFLICT DO UPDATE SET digest = ?3, error = NULL",
        )
        .bind(item)
        .bind(url)
        .bind(digest)
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    pub(crate) fn write_error(self, error: &io::Error) -> LibraryError {
        files::write_error(&self.folder(), error)
    }

    /// Makes room for `bytes` within `room`: removes images of read articles first, then of others, the oldest first; images of starred and
    /// kept articles stay. Returns whether there is room now.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn make_room(self, bytes: u64, room: u64, but: i64) -> Result<bool, LibraryError> {
        let left = async || -> Result<bool, LibraryError> {
            let all = "SELECT ifnull(sum(bytes), 0) FROM images";
            let taken: i64 = sqlx::query_scalar(all).fetch_one(&self.db.readers).await?;
            Ok(u64::try_from(taken).unwrap_or(0).saturating_add(bytes) <= room)
        };
        while !left().await? {
            // This reads all rows, but over a reading connection, which does not block writers.
            let candidates: Vec<i64> = sqlx::query_scalar(
                "SELECT s.item_id FROM states s WHERE s.item_id IN (SELECT item_id FROM item_images WHERE digest IS NOT NULL)
                    AND s.starred = 0 AND s.kept = 0 AND s.item_id <> ?1 ORDER BY s.read DESC, s.sort_at LIMIT ?2",
            )
            .bind(but)
            .bind(MAKE_ROOM)
            .fetch_all(&self.db.readers)
            .await?;
            if candidates.is_empty() {
                return Ok(false);
            }
            for item in candidates {
                self.release_of_article(item).await?;
                if left().await? {
                    break;
                }
            }
        }
        Ok(true)
    }

    async fn release_of_article(self, item: i64) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "DELETE FROM item_images WHERE item_id = ? RETURNING digest";
        let digests: Vec<Option<Vec<u8>>> = sqlx::query_scalar(sql).bind(item).fetch_all(&mut *transaction).await?;
        for digest in digests.into_iter().flatten() {
            release(&mut transaction, &digest).await?;
        }
        transaction.commit().await?;
        drop(writer);
        self.remove_unfinished().await?;
        Ok(())
    }

    /// Removes unused images and incomplete ones. Returns their number.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn remove_unused(self) -> Result<usize, LibraryError> {
        // This reads all rows, but over a reading connection, which does not block writers.
        let sql = "SELECT digest FROM images WHERE there = 1
            AND NOT EXISTS (SELECT 1 FROM item_images m WHERE m.digest = images.digest AND m.digest IS NOT NULL)";
        let loose: Vec<Vec<u8>> = sqlx::query_scalar(sql).fetch_all(&self.db.readers).await?;
        for digests in loose.chunks(AT_ONCE) {
            let mut writer = self.db.writer().await;
            let mut transaction = writer.begin().await?;
            for digest in digests {
                release(&mut transaction, digest).await?;
            }
            transaction.commit().await?;
        }
        self.remove_unfinished().await
    }

    /// Removes images that are being removed or were never complete.
    async fn remove_unfinished(self) -> Result<usize, LibraryError> {
        let unfinished: Vec<Vec<u8>> =
            sqlx::query_scalar("SELECT digest FROM images WHERE there = 0").fetch_all(&self.db.readers).await?;
        for digest in &unfinished {
            if let Some(digest) = digest_of(digest) {
                let path = self.path(&digest);
                remove_if_present(&path)
                    .and_then(|()| remove_if_present(&path.with_extension(INCOMPLETE)))
                    .map_err(|error| self.write_error(&error))?;
            }
            let mut writer = self.db.writer().await;
            let mut transaction = writer.begin().await?;
            let sql = "DELETE FROM images WHERE digest = ? AND there = 0";
            sqlx::query(sql).bind(digest).execute(&mut *transaction).await?;
            transaction.commit().await?;
        }
        Ok(unfinished.len())
    }

    /// Repairs differences between rows and files that Gleaner did not cause (a restored backup, another disk): images without their file
    /// are fetched again, and files without a row are removed. Returns the numbers of both.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn reconcile(self, now: Millis) -> Result<(usize, usize), LibraryError> {
        let found = self.faults(false).await?;
        self.repair(&found, now).await?;
        Ok((found.lost.len(), found.unknown.len()))
    }

    /// Finds differences between rows and files. With `read` the files' bytes are checked too.
    pub(crate) async fn faults(self, read: bool) -> Result<ImageFaults, LibraryError> {
        let folder = self.folder();
        // Files are listed before rows: each listed file has its row.
        let listing = tokio::task::spawn_blocking(move || files(&folder));
        let files = listing.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        let files = files.map_err(|error| self.write_error(&error))?;
        let rows: Vec<(Vec<u8>, bool)> =
            sqlx::query_as("SELECT digest, there FROM images").fetch_all(&self.db.readers).await?;
        let rows: Vec<([u8; 32], bool)> =
            rows.into_iter().filter_map(|(digest, there)| Some((digest_of(&digest)?, there))).collect();
        let known: HashSet<PathBuf> = rows
            .iter()
            .flat_map(|(digest, _)| {
                let path = self.path(digest);
                [path.with_extension(INCOMPLETE), path]
            })
            .collect();
        let paths: Vec<([u8; 32], PathBuf)> =
            rows.into_iter().filter(|(_, there)| *there).map(|(digest, _)| (digest, self.path(&digest))).collect();
        let reading = tokio::task::spawn_blocking(move || {
            let whole = |(digest, path): &([u8; 32], PathBuf)| match read {
                true => fs::read(path).is_ok_and(|bytes| blake3::hash(&bytes).as_bytes() == digest),
                false => path.is_file(),
            };
            paths.into_iter().filter(|image| !whole(image)).map(|(digest, _)| digest).collect()
        });
        let lost = reading.await.map_err(|error| LibraryError::Invalid(error.to_string()))?;
        // A file that was being removed is gone by now.
        let unknown = files.into_iter().filter(|path| !known.contains(path) && path.exists()).collect();
        Ok(ImageFaults { lost, unknown })
    }

    pub(crate) async fn repair(self, faults: &ImageFaults, now: Millis) -> Result<(), LibraryError> {
        for digest in &faults.lost {
            let mut writer = self.db.writer().await;
            let mut transaction = writer.begin().await?;
            queue_again(&mut transaction, digest, now).await?;
            transaction.commit().await?;
        }
        for path in &faults.unknown {
            remove_if_present(path).map_err(|error| self.write_error(&error))?;
        }
        self.remove_unused().await?;
        Ok(())
    }
}

/// Returns the images of an article.
pub(crate) async fn of_article<'c>(reader: impl SqliteExecutor<'c>, item: i64) -> sqlx::Result<Vec<ItemImage>> {
    let sql = "SELECT url, digest, error FROM item_images WHERE item_id = ?";
    let rows: Vec<(String, Option<Vec<u8>>, Option<String>)> = sqlx::query_as(sql).bind(item).fetch_all(reader).await?;
    let image = |(url, digest, error): (String, Option<Vec<u8>>, Option<String>)| ItemImage {
        url,
        digest: digest.as_deref().and_then(digest_of),
        error,
    };
    Ok(rows.into_iter().map(image).collect())
}

/// Marks an unused image for removal.
async fn release(connection: &mut SqliteConnection, digest: &[u8]) -> sqlx::Result<()> {
    let sql = "UPDATE images SET there = 0 WHERE digest = ?1
        AND NOT EXISTS (SELECT 1 FROM item_images m WHERE m.digest = ?1 AND m.digest IS NOT NULL)";
    sqlx::query(sql).bind(digest).execute(connection).await?;
    Ok(())
}

/// Differences between rows and files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ImageFaults {
    /// Images whose file is missing or damaged.
    pub lost: Vec<[u8; 32]>,
    /// Files without a row.
    pub unknown: Vec<PathBuf>,
}

/// Queues an image again for the articles that have it.
async fn queue_again(connection: &mut SqliteConnection, digest: &[u8; 32], now: Millis) -> sqlx::Result<()> {
    let sql = "DELETE FROM item_images WHERE digest = ? RETURNING item_id";
    let items: Vec<i64> = sqlx::query_scalar(sql).bind(digest.as_slice()).fetch_all(&mut *connection).await?;
    let jobs: Vec<(i64, DownloadKind)> = items.into_iter().map(|item| (item, DownloadKind::Images)).collect();
    downloads::queue(&mut *connection, &jobs, true, now).await?;
    let sql = "UPDATE images SET there = 0 WHERE digest = ?";
    sqlx::query(sql).bind(digest.as_slice()).execute(connection).await?;
    Ok(())
}

/// Lists all image files.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = |folder: &Path| match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>(),
    };
    let mut found = Vec::new();
    for part in entries(folder)? {
        if part.is_dir() { found.extend(entries(&part)?) } else { found.push(part) }
    }
    Ok(found)
}

/// Writes a complete file under its name; an incomplete one is removed.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| io::Error::other("an image's file has a folder"))?;
    create_private_folder(folder)?;
    let incomplete = path.with_extension(INCOMPLETE);
    let written = || {
        let mut file = private_options().write(true).create(true).truncate(true).open(&incomplete)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&incomplete, path)?;
        sync_folder(folder)
    };
    written().inspect_err(|_| {
        let _spared = fs::remove_file(&incomplete);
    })
}

#[cfg(test)]
mod tests {
    use super::image_type;

    #[test]
    fn recognises_images_by_their_bytes() {
        for (bytes, known) in [
            (&b"\x89PNG\r\n\x1a\n\0\0"[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"GIF89a..", Some("image/gif")),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"\0\0\0\x18ftypavif\0\0\0\0mif1miaf", Some("image/avif")),
            (b"\0\0\0\x18ftypmif1\0\0\0\0avifmiaf", Some("image/avif")),
            (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", None),
            (b"\0\0\0\xffftypavif", None),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
            (b"<html>", None),
            (b"RIFF\x10\0\0\0WAVE", None),
            (b"", None),
        ] {
            assert_eq!(image_type(bytes), known, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
