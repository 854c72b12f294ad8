//! `images`, `item_images`: pictures that are kept, so that articles have them without a network. Each is kept once, however many
//! articles show it, as a file named after its digest: `images/ab/cdef…` below the library's folder. A file is never without its row:
//! the row comes first with `there = 0`, then the file (under another name until it is whole and on the disk), then `there = 1`
//! together with the article's claim; and goes in the opposite order. So a kill at any moment leaves either a picture that is whole,
//! or a row that says what is to be cleared away. Whoever writes here holds the right to poll, so that there is one.

use crate::{
    Library, LibraryError, Millis,
    table::ahead::{self, AheadWhat},
};
use sqlx::SqliteConnection;
use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Below the library's folder.
const FOLDER: &str = "images";
/// A file that is not whole yet.
const COMING: &str = "coming";
/// So many pictures are let go of in one transaction.
const AT_ONCE: usize = 100;
/// So many articles' pictures make room in one go.
const MAKE_ROOM: i64 = 16;

/// A picture as an article names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemImage {
    /// Absolute.
    pub url: String,
    /// What it is kept as; `None` where it is not to be had.
    pub digest: Option<[u8; 32]>,
    /// Why it is not to be had.
    pub error: Option<String>,
}

/// A picture that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredImage {
    /// By its bytes.
    pub mime_type: String,
    /// Where it is.
    pub path: PathBuf,
}

/// The type of a picture by its first bytes; `None` for all that is no picture, and for drawings (SVG), which may hold more than that.
#[must_use]
pub fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0, 0, 0, length, b'f', b't', b'y', b'p', ..] => {
            // ISO 14496-12, section 4.3: the brands that the file claims.
            let brands = bytes.get(8..usize::from(*length)).unwrap_or_default();
            brands.chunks(4).any(|brand| brand == b"avif" || brand == b"avis").then_some("image/avif")
        }
        _ => None,
    }
}

fn hex(digest: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*digest).to_hex().to_string()
}

fn of_bytes(digest: &[u8]) -> Option<[u8; 32]> {
    digest.try_into().ok()
}

impl Library {
    fn images_folder(&self) -> PathBuf {
        self.folder().join(FOLDER)
    }

    fn image_path(&self, digest: &[u8; 32]) -> PathBuf {
        let name = hex(digest);
        self.images_folder().join(&name[..2]).join(&name[2..])
    }

    /// A picture that is kept; `None` where there is none of this digest.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn image(&self, digest: &[u8; 32]) -> Result<Option<StoredImage>, LibraryError> {
        let sql = "SELECT mime_type FROM images WHERE digest = ? AND there = 1";
        let found: Option<String> =
            sqlx::query_scalar(sql).bind(digest.as_slice()).fetch_optional(&self.readers).await?;
        Ok(found.map(|mime_type| StoredImage { mime_type, path: self.image_path(digest) }))
    }

    /// The pictures of an article that were asked for, by their addresses.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn item_images(&self, item: i64) -> Result<Vec<ItemImage>, LibraryError> {
        let sql = "SELECT url, digest, error FROM item_images WHERE item_id = ?";
        let rows: Vec<(String, Option<Vec<u8>>, Option<String>)> =
            sqlx::query_as(sql).bind(item).fetch_all(&self.readers).await?;
        let image = |(url, digest, error): (String, Option<Vec<u8>>, Option<String>)| ItemImage {
            url,
            digest: digest.as_deref().and_then(of_bytes),
            error,
        };
        Ok(rows.into_iter().map(image).collect())
    }

    /// Gives an article the picture of an address that another article has already: it is not asked for twice. Says whether there
    /// was one.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn share_image(&self, item: i64, url: &str) -> Result<bool, LibraryError> {
        let sql = "SELECT m.digest FROM item_images m JOIN images g ON g.digest = m.digest
            WHERE m.url = ? AND m.digest IS NOT NULL AND g.there = 1 LIMIT 1";
        let known: Option<Vec<u8>> = sqlx::query_scalar(sql).bind(url).fetch_optional(&self.readers).await?;
        let Some(digest) = known else { return Ok(false) };
        self.claim(item, url, &digest).await?;
        Ok(true)
    }

    /// Remembers that a picture of an article is not to be had, and why, in words.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn no_image(&self, item: i64, url: &str, why: &str) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query(
            "INSERT INTO item_images (item_id, url, error) SELECT id, ?2, ?3 FROM items WHERE id = ?1 ON CONFLICT DO NOTHING",
        )
        .bind(item)
        .bind(url)
        .bind(why)
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    /// Keeps a picture of an article.
    ///
    /// # Errors
    /// [`LibraryError::Invalid`] when it is no picture; when the disk is full or the library cannot be written: then it is as if it
    /// had not come.
    pub async fn keep_image(&self, item: i64, url: &str, bytes: Vec<u8>, now: Millis) -> Result<(), LibraryError> {
        let mime_type = image_type(&bytes).ok_or_else(|| LibraryError::Invalid("it is no picture".to_owned()))?;
        let digest = *blake3::hash(&bytes).as_bytes();
        let mut writer = self.writer().await;
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
        let path = self.image_path(&digest);
        let writing = tokio::task::spawn_blocking(move || write(&path, &bytes));
        let written = writing.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        written.map_err(|error| self.not_written(&error))?;
        self.claim(item, url, &digest).await
    }

    async fn claim(&self, item: i64, url: &str, digest: &[u8]) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
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

    pub(crate) fn not_written(&self, error: &io::Error) -> LibraryError {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => LibraryError::DiskFull,
            _ => LibraryError::ReadOnly { folder: self.images_folder(), why: error.to_string() },
        }
    }

    /// Makes room for so many bytes within `room`: pictures of articles that are read go first, then of others, the oldest of each first;
    /// those of starred and kept articles stay. Says whether there is room now.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn make_room(&self, bytes: u64, room: u64, but: i64) -> Result<bool, LibraryError> {
        let left = async || -> Result<bool, LibraryError> {
            let all = "SELECT ifnull(sum(bytes), 0) FROM images";
            let taken: i64 = sqlx::query_scalar(all).fetch_one(&self.readers).await?;
            Ok(u64::try_from(taken).unwrap_or(0).saturating_add(bytes) <= room)
        };
        while !left().await? {
            // All of them are looked at, which holds up nobody: it is a reader that does.
            let go: Vec<i64> = sqlx::query_scalar(
                "SELECT s.item_id FROM states s WHERE s.item_id IN (SELECT item_id FROM item_images WHERE digest IS NOT NULL)
                    AND s.starred = 0 AND s.kept = 0 AND s.item_id <> ?1 ORDER BY s.read DESC, s.sort_at LIMIT ?2",
            )
            .bind(but)
            .bind(MAKE_ROOM)
            .fetch_all(&self.readers)
            .await?;
            if go.is_empty() {
                return Ok(false);
            }
            for item in go {
                self.let_go_of_images(item).await?;
                if left().await? {
                    break;
                }
            }
        }
        Ok(true)
    }

    async fn let_go_of_images(&self, item: i64) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "DELETE FROM item_images WHERE item_id = ? RETURNING digest";
        let digests: Vec<Option<Vec<u8>>> = sqlx::query_scalar(sql).bind(item).fetch_all(&mut *transaction).await?;
        for digest in digests.into_iter().flatten() {
            let_go_of(&mut transaction, &digest).await?;
        }
        transaction.commit().await?;
        drop(writer);
        self.remove_images().await?;
        Ok(())
    }

    /// Takes away the pictures that no article shows any more, and what was begun and not finished. Says how many.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn clear_images(&self) -> Result<usize, LibraryError> {
        // All of them are looked at, which holds up nobody: it is a reader that does.
        let sql = "SELECT digest FROM images WHERE there = 1
            AND NOT EXISTS (SELECT 1 FROM item_images m WHERE m.digest = images.digest AND m.digest IS NOT NULL)";
        let loose: Vec<Vec<u8>> = sqlx::query_scalar(sql).fetch_all(&self.readers).await?;
        for digests in loose.chunks(AT_ONCE) {
            let mut writer = self.writer().await;
            let mut transaction = writer.begin().await?;
            for digest in digests {
                let_go_of(&mut transaction, digest).await?;
            }
            transaction.commit().await?;
        }
        self.remove_images().await
    }

    /// Those that are on their way out, or were never whole.
    async fn remove_images(&self) -> Result<usize, LibraryError> {
        let going: Vec<Vec<u8>> =
            sqlx::query_scalar("SELECT digest FROM images WHERE there = 0").fetch_all(&self.readers).await?;
        for digest in &going {
            if let Some(digest) = of_bytes(digest) {
                let path = self.image_path(&digest);
                remove(&path)
                    .and_then(|()| remove(&path.with_extension(COMING)))
                    .map_err(|error| self.not_written(&error))?;
            }
            let mut writer = self.writer().await;
            let mut transaction = writer.begin().await?;
            let sql = "DELETE FROM images WHERE digest = ? AND there = 0";
            sqlx::query(sql).bind(digest).execute(&mut *transaction).await?;
            transaction.commit().await?;
        }
        Ok(going.len())
    }

    /// Brings the rows and the files together where something else than Gleaner came between them (a restored backup, another disk):
    /// pictures without their file are asked for anew, and files of no picture go. Says how many of each.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn reconcile_images(&self, now: Millis) -> Result<(usize, usize), LibraryError> {
        let found = self.image_faults(false).await?;
        self.mend_images(&found, now).await?;
        Ok((found.lost.len(), found.strange.len()))
    }

    /// What is wrong between rows and files. With `read` the files' bytes are looked at, too.
    pub(crate) async fn image_faults(&self, read: bool) -> Result<ImageFaults, LibraryError> {
        let folder = self.images_folder();
        // First: whatever is there by now has its row.
        let listing = tokio::task::spawn_blocking(move || files(&folder));
        let files = listing.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        let files = files.map_err(|error| self.not_written(&error))?;
        let rows: Vec<(Vec<u8>, bool)> =
            sqlx::query_as("SELECT digest, there FROM images").fetch_all(&self.readers).await?;
        let rows: Vec<([u8; 32], bool)> =
            rows.into_iter().filter_map(|(digest, there)| Some((of_bytes(&digest)?, there))).collect();
        let known: HashSet<PathBuf> = rows
            .iter()
            .flat_map(|(digest, _)| {
                let path = self.image_path(digest);
                [path.with_extension(COMING), path]
            })
            .collect();
        let paths: Vec<([u8; 32], PathBuf)> = rows
            .into_iter()
            .filter(|(_, there)| *there)
            .map(|(digest, _)| (digest, self.image_path(&digest)))
            .collect();
        let reading = tokio::task::spawn_blocking(move || {
            let whole = |(digest, path): &([u8; 32], PathBuf)| match read {
                true => fs::read(path).is_ok_and(|bytes| blake3::hash(&bytes).as_bytes() == digest),
                false => path.is_file(),
            };
            paths.into_iter().filter(|image| !whole(image)).map(|(digest, _)| digest).collect()
        });
        let lost = reading.await.map_err(|error| LibraryError::Invalid(error.to_string()))?;
        // One that was being taken away has gone by now.
        let strange = files.into_iter().filter(|path| !known.contains(path) && path.exists()).collect();
        Ok(ImageFaults { lost, strange })
    }

    pub(crate) async fn mend_images(&self, faults: &ImageFaults, now: Millis) -> Result<(), LibraryError> {
        for digest in &faults.lost {
            let mut writer = self.writer().await;
            let mut transaction = writer.begin().await?;
            ask_anew(&mut transaction, digest, now).await?;
            transaction.commit().await?;
        }
        for path in &faults.strange {
            remove(path).map_err(|error| self.not_written(&error))?;
        }
        self.clear_images().await?;
        Ok(())
    }
}

/// A picture that no article shows is on its way out.
async fn let_go_of(connection: &mut SqliteConnection, digest: &[u8]) -> sqlx::Result<()> {
    let sql = "UPDATE images SET there = 0 WHERE digest = ?1
        AND NOT EXISTS (SELECT 1 FROM item_images m WHERE m.digest = ?1 AND m.digest IS NOT NULL)";
    sqlx::query(sql).bind(digest).execute(connection).await?;
    Ok(())
}

/// What is wrong between rows and files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ImageFaults {
    /// Pictures whose file is gone or is another's.
    pub lost: Vec<[u8; 32]>,
    /// Files that no row knows.
    pub strange: Vec<PathBuf>,
}

/// The articles that show this picture have it no more, and ask for it again.
async fn ask_anew(connection: &mut SqliteConnection, digest: &[u8; 32], now: Millis) -> sqlx::Result<()> {
    let sql = "DELETE FROM item_images WHERE digest = ? RETURNING item_id";
    let items: Vec<i64> = sqlx::query_scalar(sql).bind(digest.as_slice()).fetch_all(&mut *connection).await?;
    let jobs: Vec<(i64, AheadWhat)> = items.into_iter().map(|item| (item, AheadWhat::Pictures)).collect();
    ahead::queue(&mut *connection, &jobs, true, now).await?;
    let sql = "UPDATE images SET there = 0 WHERE digest = ?";
    sqlx::query(sql).bind(digest.as_slice()).execute(connection).await?;
    Ok(())
}

/// All files of pictures.
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

/// Whole and on the disk before it has its name; what could not be written is taken away again.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| io::Error::other("a picture's file has a folder"))?;
    fs::create_dir_all(folder)?;
    let coming = path.with_extension(COMING);
    let written = || {
        let mut file = File::create(&coming)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&coming, path)?;
        // The name, too; other systems than Unix open no folders.
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    };
    written().inspect_err(|_| {
        let _spared = fs::remove_file(&coming);
    })
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::image_type;

    #[test]
    fn pictures_are_known_by_their_bytes() {
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
