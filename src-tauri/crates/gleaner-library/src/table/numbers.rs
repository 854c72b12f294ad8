//! `numbers`: up to where the numbers of items, feeds and folders were given, of those that are gone: written by triggers when the
//! newest one goes. No number is given twice: steps that can be taken back, the window, and what is written down by number (texts
//! packed up to one, articles decided about up to one) would mean another. The tables that came later have `AUTOINCREMENT`.

use sqlx::SqliteConnection;

/// What has such numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Numbered {
    Items,
    Feeds,
    Folders,
}

/// The number of the next one.
pub(crate) async fn next(connection: &mut SqliteConnection, of: Numbered) -> sqlx::Result<i64> {
    let sql = match of {
        Numbered::Items => {
            "SELECT max(ifnull((SELECT max(id) FROM items), 0), ifnull((SELECT last FROM numbers WHERE of = 'items'), 0)) + 1"
        }
        Numbered::Feeds => {
            "SELECT max(ifnull((SELECT max(id) FROM feeds), 0), ifnull((SELECT last FROM numbers WHERE of = 'feeds'), 0)) + 1"
        }
        Numbered::Folders => {
            "SELECT max(ifnull((SELECT max(id) FROM folders), 0), ifnull((SELECT last FROM numbers WHERE of = 'folders'), 0)) + 1"
        }
    };
    sqlx::query_scalar(sql).fetch_one(connection).await
}
