//! Rebuilds the first page of a damaged library. It contains SQLite's header and the root of the schema, without which no table is found.
//! The rows of the schema are in other pages (<https://www.sqlite.org/fileformat2.html>, sections 1.3, 1.6 and 2.6).

use std::{
    fs::File,
    io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

/// Length of a page of a library, in bytes.
const PAGE: usize = 8192;
/// Length of the header at the start of the first page.
const HEADER: usize = 100;
/// Length of the head of an inner page of a table.
const INNER_HEAD: usize = 12;
/// Types of pages: an inner one of a table, and one with rows.
const INNER: u8 = 5;
const LEAF: u8 = 13;

/// A page with rows of the schema.
pub(super) struct SchemaPage {
    pub(super) number: u32,
    first: u64,
    last: u64,
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
fn schema_rows(page: &[u8]) -> Option<(u64, u64)> {
    if *page.first()? != LEAF {
        return None;
    }
    let rows = usize::from(number(page, 3)?);
    let row = |index: usize| schema_row(page, usize::from(number(page, 8 + 2 * index)?));
    let ids: Vec<u64> = (0..rows).map(row).collect::<Option<_>>()?;
    Some((*ids.first()?, *ids.last()?))
}

/// Returns the id of the row at an offset, if its first column says what kind of object of the schema it is.
fn schema_row(page: &[u8], at: usize) -> Option<u64> {
    let (_, at) = variable(page, at)?;
    let (id, start) = variable(page, at)?;
    let (length, at) = variable(page, start)?;
    let (text, _) = variable(page, at)?;
    let length_of_text = usize::try_from(text.checked_sub(13)? / 2).ok()?;
    let content = start.checked_add(usize::try_from(length).ok()?)?;
    let kind = page.get(content..content.checked_add(length_of_text)?)?;
    let is_kind = [b"table".as_slice(), b"index", b"trigger", b"view"].contains(&kind);
    (text % 2 == 1 && is_kind).then_some(id)
}

/// Builds the first page: the header, and an inner page above those of the schema.
fn first_page(pages: &[SchemaPage]) -> Option<Vec<u8>> {
    let (right, left) = pages.split_last()?;
    let mut page = vec![0; PAGE];
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
    let mut end = PAGE;
    for (index, child) in left.iter().enumerate() {
        let mut cell = child.number.to_be_bytes().to_vec();
        cell.extend(encoded(child.last));
        let pointer = HEADER + INNER_HEAD + 2 * index;
        end = end.checked_sub(cell.len()).filter(|end| *end >= pointer + 2)?;
        page[end..end + cell.len()].copy_from_slice(&cell);
        page[pointer..pointer + 2].copy_from_slice(&(end as u16).to_be_bytes());
    }
    page[HEADER] = INNER;
    page[HEADER + 3..HEADER + 5].copy_from_slice(&(left.len() as u16).to_be_bytes());
    page[HEADER + 5..HEADER + 7].copy_from_slice(&(end as u16).to_be_bytes());
    page[HEADER + 8..HEADER + 12].copy_from_slice(&right.number.to_be_bytes());
    Some(page)
}

fn number(page: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(page.get(at..at + 2)?.try_into().ok()?))
}

/// Reads an integer of variable length, of up to eight bytes, and returns what follows it.
fn variable(page: &[u8], mut at: usize) -> Option<(u64, usize)> {
    let mut value = 0;
    for _ in 0..8 {
        let byte = *page.get(at)?;
        at += 1;
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at));
        }
    }
    None
}

/// Writes an integer of variable length.
fn encoded(mut value: u64) -> Vec<u8> {
    let mut bytes = vec![(value & 0x7f) as u8];
    while value > 0x7f {
        value >>= 7;
        bytes.insert(0, (value & 0x7f) as u8 | 0x80);
    }
    bytes
}
