//! Statements for many rows: each statement goes to the thread of its connection and back, which can cost more than its row.

use crate::LibraryError;
use sqlx::{AssertSqlSafe, SqliteConnection, error::BoxDynError, sqlite::SqliteArguments};

/// Maximum number of rows per statement, a power of two. SQLite saves each page that a statement changes once. With 256 rows of new
/// articles per statement, a refresh writes half as much as with 32. `items` has 20 columns, and a statement at most 32,766 parameters.
const CHUNK: usize = 256;

/// Splits rows into parts whose lengths are powers of two, so that a few statements are prepared once.
pub(crate) fn chunks<T>(rows: &[T]) -> impl Iterator<Item = &[T]> {
    let mut rest = rows;
    std::iter::from_fn(move || {
        let (chunk, left) = rest.split_at(CHUNK.min(1 << rest.len().checked_ilog2()?));
        rest = left;
        Some(chunk)
    })
}

/// Returns the values of a row, such as `(?,?)`, as many times, separated by commas.
pub(crate) fn repeated(values: &str, rows: usize) -> String {
    let mut sql = String::with_capacity((values.len() + 1) * rows);
    for row in 0..rows {
        if row > 0 {
            sql.push(',');
        }
        sql.push_str(values);
    }
    sql
}

/// Executes a statement for all rows. `{VALUES}` in it is replaced with parameters, to which `bind` binds `columns` values per row.
pub(crate) async fn execute<T>(
    connection: &mut SqliteConnection,
    rows: &[T],
    (sql, columns): (&str, usize),
    bind: impl Fn(&mut SqliteArguments, &T) -> Result<(), BoxDynError>,
) -> Result<(), LibraryError> {
    let row = format!("({})", repeated("?", columns));
    for chunk in chunks(rows) {
        let mut arguments = SqliteArguments::default();
        for row in chunk {
            bind(&mut arguments, row).map_err(|error| LibraryError::Sql(sqlx::Error::Encode(error)))?;
        }
        let sql = sql.replace("{VALUES}", &format!("VALUES {}", repeated(&row, chunk.len())));
        sqlx::query_with(AssertSqlSafe(sql), arguments).execute(&mut *connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_split_into_powers_of_two() {
        let rows: Vec<usize> = (0..519).collect();
        assert_eq!(chunks(&rows).map(<[usize]>::len).collect::<Vec<_>>(), [256, 256, 4, 2, 1]);
        assert_eq!(chunks(&rows).flatten().copied().collect::<Vec<_>>(), rows);
        assert_eq!(chunks::<usize>(&[]).count(), 0);
        assert_eq!(repeated("(?)", 3), "(?),(?),(?)");
    }
}
