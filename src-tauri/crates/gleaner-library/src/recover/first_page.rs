//! Rebuilds the first page of a damaged library. It contains SQLite's header and the root of the schema, without which no table is found.
//! The rows of the schema are in other pages (<https://www.sqlite.org/fileformat2.html>, sections 1.3, 1.6 and 2.6).

use super::pages::{Child, HEADER, LEAF, PAGE, inner_page, rows, variable};
use std::{
    fs::File,
    io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

/// A page with rows of the schema.
pub(super) struct SchemaPage {
    pub(super) number: u32,
    first: i64,
    last: i64,
}

/// Writes a new first page that leads to the readable pages of the schema. If there are none, the file is unchanged.
///
/// # Errors
/// When the file cannot be read or written.
pub(super) fn rebuild(file: &Path) -> io::Result<()> {
    let mut file = File::options().read(true).write(true).open(file)?;
    let pages = schema_pages(&mut file)?;
    let Some(page) = first_page(&pages) else { return Ok(()) };
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&page)
}

/// Finds the pages of the schema, in the order of their rows.
pub(super) fn schema_pages(file: &mut File) -> io::Result<Vec<SchemaPage>> {
    let mut found: Vec<SchemaPage> = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    let (mut reader, mut page) = (BufReader::new(file), [0; PAGE]);
    for number in 1.. {
        match reader.read_exact(&mut page) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            read => read?,
        }
        if let Some((first, last)) = schema_rows(&page) {
            found.push(SchemaPage { number, first, last });
        }
    }
    // Free space may contain an older copy of a page. It has fewer rows than the current page, so it is found later and left out.
    found.sort_by_key(|page| std::cmp::Reverse(page.last));
    let mut pages: Vec<SchemaPage> = Vec::new();
    for page in found {
        if pages.last().is_none_or(|next| page.last < next.first) {
            pages.push(page);
        }
    }
    pages.reverse();
    Ok(pages)
}

/// Returns the ids of the first and last row of a page, if it is one of the schema.
fn schema_rows(page: &[u8]) -> Option<(i64, i64)> {
    // Most pages are none of the schema.
    if *page.first()? != LEAF {
        return None;
    }
    let rows = rows(page, 0)?;
    let is_schema = rows.iter().all(|row| is_schema_record(page, row.record).unwrap_or(false));
    is_schema.then_some((rows.first()?.id, rows.last()?.id))
}

/// Whether the first column of a record says what kind of object of the schema it is.
fn is_schema_record(page: &[u8], start: usize) -> Option<bool> {
    let (length, at) = variable(page, start)?;
    let (text, _) = variable(page, at)?;
    let length_of_text = usize::try_from(text.checked_sub(13)? / 2).ok()?;
    let content = start.checked_add(usize::try_from(length).ok()?)?;
    let kind = page.get(content..content.checked_add(length_of_text)?)?;
    Some(text % 2 == 1 && [b"table".as_slice(), b"index", b"trigger", b"view"].contains(&kind))
}

/// Builds the first page: the header, and an inner page above those of the schema.
fn first_page(pages: &[SchemaPage]) -> Option<Vec<u8>> {
    let children: Vec<Child> = pages.iter().map(|page| Child { page: page.number, last: page.last }).collect();
    let mut page = inner_page(&children, HEADER)?;
    page[..16].copy_from_slice(b"SQLite format 3\0");
    page[16..18].copy_from_slice(&(PAGE as u16).to_be_bytes());
    // A write-ahead log, no reserved space, and fixed fractions.
    page[18..24].copy_from_slice(&[2, 2, 0, 64, 32, 32]);
    // The number of pages is that of the file, since this counter differs from that at 92.
    page[24..28].copy_from_slice(&1_u32.to_be_bytes());
    // Version and format of the schema; UTF-8.
    page[40..44].copy_from_slice(&1_u32.to_be_bytes());
    page[44..48].copy_from_slice(&4_u32.to_be_bytes());
    page[56..60].copy_from_slice(&1_u32.to_be_bytes());
    Some(page)
}
