//! Rebuilds damaged inner pages of tables. Such a page only says where the rows are, but without it all rows below it are lost, and below
//! the first page of a table these are all of them. The pages below it are known from the pointer map: since a library can shrink, SQLite
//! keeps the parent of each page there (<https://www.sqlite.org/fileformat2.html>, section 1.8).

use super::pages::{Child, PAGE, children, inner_page, number_of_page, rows};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

/// Length of an entry of the pointer map: the type of a page, and its parent.
const ENTRY: usize = 5;
/// Number of pages that a page of the pointer map describes. They follow it.
const MAPPED: usize = PAGE / ENTRY;
/// Type of a page that is below another one in a table or index.
const BELOW: u8 = 5;
/// Maximum number of levels of a table: with two pages below each, it would be larger than any file.
const MAX_LEVELS: usize = 32;

/// Rebuilds the damaged inner pages of the tables in `file`, a damaged library. Returns how many pages below them are unreadable, too.
///
/// # Errors
/// When the file cannot be read or written.
pub(super) fn rebuild(file: &Path) -> io::Result<usize> {
    // SQLite merges the log into the file when it closes it. If it could not, the log has newer pages.
    if fs::metadata(file.with_extension("sqlite-wal")).is_ok_and(|log| log.len() > 0) {
        return Ok(0);
    }
    let mut pages = Pages::read(file)?;
    let mut unreadable = 0;
    while let Some((page, below)) = pages.damaged.pop_first() {
        unreadable += pages.rebuild(page, &below, MAX_LEVELS)?;
    }
    Ok(unreadable)
}

struct Pages {
    file: File,
    /// Pages that cannot be read as those of a table, which includes those of indexes, and the pages below each.
    damaged: BTreeMap<u32, Vec<u32>>,
}

/// A page of a table, with the ids of the first and last row below it.
struct Known {
    page: u32,
    first: i64,
    last: i64,
}

impl Pages {
    /// Reads a file once, from its start to its end, and finds its damaged pages.
    fn read(file: &Path) -> io::Result<Pages> {
        let file = File::options().read(true).write(true).open(file)?;
        let mut reader = BufReader::with_capacity(1 << 20, &file);
        let mut page = vec![0; PAGE];
        let (mut map, mut parents, mut is_of_table) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0.. {
            match reader.read_exact(&mut page) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                read => read?,
            }
            // The second page is the first one of the map.
            let mapped = (index + MAPPED) % (MAPPED + 1);
            if mapped == 0 {
                map.clone_from(&page);
            }
            let entry = mapped.checked_sub(1).and_then(|mapped| map.get(ENTRY * mapped..));
            let parent = entry.filter(|entry| entry[0] == BELOW).and_then(|entry| number_of_page(entry, 1));
            parents.push(parent);
            is_of_table.push(rows(&page, 0).is_some() || children(&page, 0).is_some());
        }
        let mut damaged: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (page, parent) in (1..).zip(parents) {
            // The first page of the file is rebuilt in another way.
            let Some(parent) = parent.filter(|parent| *parent > 1) else { continue };
            if is_of_table.get(parent as usize - 1) == Some(&false) {
                damaged.entry(parent).or_default().push(page);
            }
        }
        Ok(Pages { file, damaged })
    }

    /// Writes an inner page above those below it, if these are of a table. Returns how many of them are unreadable.
    fn rebuild(&mut self, page: u32, below: &[u32], levels: usize) -> io::Result<usize> {
        let mut unreadable = 0;
        for child in below {
            if let Some(lower) = self.damaged.remove(child).filter(|_| levels > 0) {
                unreadable += self.rebuild(*child, &lower, levels - 1)?;
            }
        }
        let mut known = Vec::new();
        for child in below {
            known.extend(self.known(*child)?);
        }
        known.sort_by_key(|child| child.first);
        let children: Vec<Child> = known.iter().map(|child| Child { page: child.page, last: child.last }).collect();
        let content = match children.as_slice() {
            // An inner page has at least two children.
            [only] => Some(self.page(only.page)?),
            _ => inner_page(&children, 0).filter(|_| known.is_sorted_by(|a, b| a.last < b.first)),
        };
        let Some(content) = content else { return Ok(unreadable) };
        self.file.seek(SeekFrom::Start(u64::from(page - 1) * PAGE as u64))?;
        self.file.write_all(&content)?;
        Ok(unreadable + below.len() - known.len())
    }

    /// Returns what is below a page, if it is of a table.
    fn known(&mut self, page: u32) -> io::Result<Option<Known>> {
        let (Some(first), Some(last)) = (self.end(page, false)?, self.end(page, true)?) else { return Ok(None) };
        Ok(Some(Known { page, first, last }))
    }

    /// Returns the id of the first or last row below a page.
    fn end(&mut self, mut page: u32, last: bool) -> io::Result<Option<i64>> {
        for _ in 0..MAX_LEVELS {
            let content = self.page(page)?;
            if let Some(rows) = rows(&content, 0) {
                return Ok(if last { rows.last() } else { rows.first() }.map(|row| row.id));
            }
            let Some(children) = children(&content, 0) else { break };
            let Some(child) = (if last { children.last() } else { children.first() }) else { break };
            page = child.page;
        }
        Ok(None)
    }

    /// Reads a page; one that does not exist is empty.
    fn page(&mut self, page: u32) -> io::Result<Vec<u8>> {
        let mut content = Vec::with_capacity(PAGE);
        self.file.seek(SeekFrom::Start(u64::from(page.saturating_sub(1)) * PAGE as u64))?;
        (&self.file).take(PAGE as u64).read_to_end(&mut content)?;
        Ok(content)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use sqlx::{
        ConnectOptions as _, Connection as _,
        sqlite::{SqliteAutoVacuum, SqliteConnectOptions},
    };

    /// Creates a table of three levels, and returns its rows and the texts in them.
    async fn table(file: &Path) -> (i64, i64) {
        let options = SqliteConnectOptions::new().filename(file).create_if_missing(true).page_size(8192);
        let mut connection = options.auto_vacuum(SqliteAutoVacuum::Incremental).connect().await.unwrap();
        let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX i ON t (text);
            WITH n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 6000)
            INSERT INTO t SELECT (n - 3000) * 3000000000000000, printf('%3900d', n) FROM n";
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        let rows = sqlx::query_as(SUM).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        rows
    }

    const SUM: &str = "SELECT count(*), sum(CAST(text AS INTEGER)) FROM t NOT INDEXED";

    async fn rows_of(file: &Path) -> Result<(i64, i64), sqlx::Error> {
        let mut connection = SqliteConnectOptions::new().filename(file).connect().await?;
        let found = sqlx::query_as(SUM).fetch_one(&mut connection).await;
        connection.close().await?;
        found
    }

    #[tokio::test]
    async fn rows_below_damaged_inner_pages_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.sqlite");
        let whole = table(&file).await;
        let bytes = fs::read(&file).unwrap();
        let inner: Vec<usize> =
            (1..bytes.len() / PAGE).filter(|page| children(&bytes[page * PAGE..], 0).is_some()).collect();
        assert!(inner.len() > 2);
        let single = inner.iter().map(|page| vec![*page]);
        for damaged in single.chain([inner.clone()]) {
            let mut copy = bytes.clone();
            for page in &damaged {
                copy[page * PAGE..(page + 1) * PAGE].fill(0xa5);
            }
            fs::write(&file, &copy).unwrap();
            assert!(rows_of(&file).await.is_err());
            assert_eq!(rebuild(&file).unwrap(), 0);
            assert_eq!(rows_of(&file).await.unwrap(), whole, "{damaged:?}");
        }
    }

    #[tokio::test]
    async fn unreadable_pages_below_a_damaged_one_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.sqlite");
        let (count, _) = table(&file).await;
        let mut bytes = fs::read(&file).unwrap();
        let second_leaf = |page: usize| {
            let child = children(&bytes[page * PAGE..], 0)?.get(1)?.page as usize - 1;
            rows(&bytes[child * PAGE..], 0).map(|_| (page, child))
        };
        let (inner, leaf) = (1..).find_map(second_leaf).unwrap();
        for page in [inner, leaf] {
            bytes[page * PAGE..(page + 1) * PAGE].fill(0);
        }
        fs::write(&file, &bytes).unwrap();
        assert_eq!(rebuild(&file).unwrap(), 1);
        let rest = rows_of(&file).await.unwrap().0;
        assert!(rest < count && rest >= count - 3, "{rest}");
    }
}
