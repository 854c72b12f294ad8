//! Pages of tables in a SQLite file (<https://www.sqlite.org/fileformat2.html>, section 1.6). All functions return `None` for bytes that are
//! no such page.

/// Length of a page of a library, in bytes.
pub(super) const PAGE: usize = 8192;
/// Length of the header at the start of the first page.
pub(super) const HEADER: usize = 100;
/// Length of the head of an inner page.
const INNER_HEAD: usize = 12;
/// Length of the head of a page with rows.
const LEAF_HEAD: usize = 8;
/// Type of an inner page.
const INNER: u8 = 5;
/// Type of a page with rows.
pub(super) const LEAF: u8 = 13;

/// A page below an inner one, with the id of the last row below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Child {
    pub(super) page: u32,
    pub(super) last: i64,
}

/// A row: its id, and where its record starts in the page, in bytes.
pub(super) struct Row {
    pub(super) id: i64,
    pub(super) record: usize,
}

/// Returns the rows of a page whose head starts at `head`.
pub(super) fn rows(page: &[u8], head: usize) -> Option<Vec<Row>> {
    let row = |at: usize| {
        let (_, at) = variable(page, at)?;
        let (id, record) = variable(page, at)?;
        Some(Row { id: id.cast_signed(), record })
    };
    let rows: Vec<Row> = cells(page, head, LEAF, LEAF_HEAD)?.into_iter().map(row).collect::<Option<_>>()?;
    (!rows.is_empty() && rows.is_sorted_by(|a, b| a.id < b.id)).then_some(rows)
}

/// Returns the pages below an inner page whose head starts at `head`. The last one has no limit.
pub(super) fn children(page: &[u8], head: usize) -> Option<Vec<Child>> {
    let child = |at: usize| {
        let (last, _) = variable(page, at + 4)?;
        Some(Child { page: number_of_page(page, at)?, last: last.cast_signed() })
    };
    let mut children: Vec<Child> =
        cells(page, head, INNER, INNER_HEAD)?.into_iter().map(child).collect::<Option<_>>()?;
    children.push(Child { page: number_of_page(page, head + 8)?, last: i64::MAX });
    children.is_sorted_by(|a, b| a.last < b.last).then_some(children)
}

/// Builds an inner page above `children`, with its head at `head`.
pub(super) fn inner_page(children: &[Child], head: usize) -> Option<Vec<u8>> {
    let (right, left) = children.split_last()?;
    let mut page = vec![0; PAGE];
    let mut end = PAGE;
    for (index, child) in left.iter().enumerate() {
        let mut cell = child.page.to_be_bytes().to_vec();
        cell.extend(encoded(child.last.cast_unsigned()));
        let pointer = head + INNER_HEAD + 2 * index;
        end = end.checked_sub(cell.len()).filter(|end| *end >= pointer + 2)?;
        page[end..end + cell.len()].copy_from_slice(&cell);
        page[pointer..pointer + 2].copy_from_slice(&u16::try_from(end).ok()?.to_be_bytes());
    }
    page[head] = INNER;
    page[head + 3..head + 5].copy_from_slice(&u16::try_from(left.len()).ok()?.to_be_bytes());
    page[head + 5..head + 7].copy_from_slice(&u16::try_from(end).ok()?.to_be_bytes());
    page[head + 8..head + 12].copy_from_slice(&right.page.to_be_bytes());
    Some(page)
}

/// Reads the number of a page.
pub(super) fn number_of_page(page: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(page.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// Reads an integer of variable length, and returns what follows it.
pub(super) fn variable(page: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut value = 0;
    for next in at..at.checked_add(8)? {
        let byte = *page.get(next)?;
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, next + 1));
        }
    }
    Some((value << 8 | u64::from(*page.get(at + 8)?), at + 9))
}

/// Writes an integer of variable length.
fn encoded(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if value >> 56 > 0 {
        // The ninth byte has eight bits.
        bytes.push((value & 0xff) as u8);
        value >>= 8;
        bytes.extend((0..8).map(|group| (value >> (7 * group) & 0x7f) as u8 | 0x80));
    } else {
        bytes.push((value & 0x7f) as u8);
        value >>= 7;
        while value > 0 {
            bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
    }
    bytes.reverse();
    bytes
}

/// Returns where the cells of a page of this type start.
fn cells(page: &[u8], head: usize, kind: u8, length_of_head: usize) -> Option<Vec<usize>> {
    if *page.get(head)? != kind {
        return None;
    }
    let number = |at: usize| Some(usize::from(u16::from_be_bytes(page.get(at..at + 2)?.try_into().ok()?)));
    let pointers = head + length_of_head;
    let count = number(head + 3)?;
    let cell = |index: usize| number(pointers + 2 * index).filter(|at| *at >= pointers + 2 * count);
    (0..count).map(cell).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn integers_of_any_length_are_written_and_read() {
        for value in [0, 1, 127, 128, 16_383, 16_384, (1 << 56) - 1, 1 << 56, u64::MAX >> 1, u64::MAX] {
            let bytes = encoded(value);
            assert_eq!(variable(&bytes, 0), Some((value, bytes.len())), "{bytes:?}");
            assert_eq!(variable(&bytes[..bytes.len() - 1], 0), None);
        }
    }

    #[test]
    fn an_inner_page_has_its_children() {
        let children_of = |count: u32| -> Vec<Child> {
            (1..=count).map(|page| Child { page, last: i64::from(page) << 40 }).collect()
        };
        let mut three = children_of(3);
        for head in [0, HEADER] {
            let page = inner_page(&three, head).unwrap();
            three[2].last = i64::MAX;
            assert_eq!(children(&page, head).unwrap(), three);
            assert!(rows(&page, head).is_none());
        }
        assert_eq!(inner_page(&children_of(2000), 0), None, "they do not fit");
    }
}
