//! Reads the keys and addresses of all articles of an archive, before any of them is imported: an address that several share identifies
//! none of them.

use super::{
    ArchiveError,
    lines::{Counted, Lines},
};
use gleaner_identity::Traits;
use gleaner_library::{
    Millis,
    archive::{ArchiveLookup, ItemRecord, Record as _},
};
use serde::Deserialize;
use std::{
    borrow::Cow,
    io::{Read, Seek},
};
use zip::ZipArchive;

/// Number of articles after which the import may be cancelled.
const STEP: u64 = 10_000;

#[derive(Deserialize)]
struct Identity<'a> {
    feed: i64,
    #[serde(borrow)]
    key: Cow<'a, str>,
    #[serde(borrow, default)]
    canonical_url: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    title: Cow<'a, str>,
    #[serde(default)]
    published_at: Option<Millis>,
    #[serde(borrow, default)]
    digest: Cow<'a, str>,
}

/// Reads the keys by which the archive's articles are looked up. Unreadable ones are left out: the import reports them.
pub fn lookup(
    zip: &mut ZipArchive<impl Read + Seek>,
    mut go_on: impl FnMut() -> Result<(), ArchiveError>,
) -> Result<ArchiveLookup, ArchiveError> {
    let mut lookup = ArchiveLookup::default();
    let Ok(entry) = zip.by_name(ItemRecord::FILE) else { return Ok(lookup) };
    let packed = entry.compressed_size();
    let mut lines = Lines::new(Counted::new(entry, packed, u64::MAX));
    while let Ok(Some(line)) = lines.next() {
        if let Ok(Identity { feed, key, canonical_url, title, published_at, digest }) = serde_json::from_slice(line) {
            let article = Traits {
                key: &key,
                canonical_url: canonical_url.as_deref(),
                title: &title,
                published_at,
                // Only compared with other articles of the archive.
                digest: digest.as_bytes(),
                ..Traits::default()
            };
            lookup.add(feed, &article);
        }
        if lines.number.is_multiple_of(STEP) {
            go_on()?;
        }
    }
    Ok(lookup)
}
