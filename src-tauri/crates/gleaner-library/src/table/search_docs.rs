//! `search_docs`: the article of each row of the index. Row numbers rise with the articles' dates: see table/search.rs.

use crate::{LibraryError, Millis, json::json};
use sqlx::SqliteConnection;
use std::collections::HashSet;

/// Returns the row number for a date.
pub(crate) fn number_of(date: Millis) -> i64 {
    date.div_euclid(1000)
}

/// Returns for each of the wanted numbers, which fall, itself or a free one below. Stores the largest distance.
pub(crate) async fn numbers(connection: &mut SqliteConnection, wanted: &[i64]) -> Result<Vec<i64>, LibraryError> {
    let taken: Vec<i64> =
        sqlx::query_scalar("SELECT docid FROM search_docs WHERE docid IN (SELECT value FROM json_each(?))")
            .bind(json(wanted)?)
            .fetch_all(&mut *connection)
            .await?;
    let taken: HashSet<i64> = taken.into_iter().collect();
    let (mut numbers, mut drift) = (Vec::with_capacity(wanted.len()), 0);
    for wanted in wanted {
        let from = numbers.last().map_or(*wanted, |last: &i64| (*wanted).min(last - 1));
        let number =
            if from == *wanted && !taken.contains(wanted) { from } else { free_below(connection, from).await? };
        drift = drift.max(wanted - number);
        numbers.push(number);
    }
    if drift > 0 {
        sqlx::query(
            "UPDATE settings SET value = CAST(?1 AS TEXT) WHERE key = 'search_drift' AND CAST(value AS INTEGER) < ?1",
        )
        .bind(drift)
        .execute(connection)
        .await?;
    }
    Ok(numbers)
}

/// Returns this number or a free one below: with growing steps until one is free, then back to the end of the taken ones, since
/// many articles may have one date.
async fn free_below(connection: &mut SqliteConnection, from: i64) -> sqlx::Result<i64> {
    let (mut taken, mut free) = (-1, 0);
    while is_taken(connection, from - free).await? {
        taken = free;
        free = free * 2 + 1;
    }
    while free - taken > 1 {
        let middle = taken + (free - taken) / 2;
        if is_taken(connection, from - middle).await? {
            taken = middle;
        } else {
            free = middle;
        }
    }
    Ok(from - free)
}

async fn is_taken(connection: &mut SqliteConnection, number: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM search_docs WHERE docid = ?)")
        .bind(number)
        .fetch_one(connection)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_numbers_rise_with_dates() {
        let dates = [-70_000, -60_000, -1, 0, 999, 1000, 59_999, 60_000, 1_700_000_000_000];
        assert!(dates.windows(2).all(|pair| number_of(pair[0]) <= number_of(pair[1])));
        assert_eq!((number_of(-1), number_of(0), number_of(60_000)), (-1, 0, 60));
    }
}
