//! `numbers`: the highest ids of deleted items, feeds and folders, written by triggers when the newest one is deleted. No id is used twice:
//! otherwise undo steps, the window, and settings with ids (up to which texts were compressed, or downloads were decided) would refer to
//! another object. Later tables use `AUTOINCREMENT`.

use sqlx::SqliteConnection;

/// Tables with such ids.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Numbered {
    Items,
    Feeds,
    Folders,
}

/// Returns the next id of a table.
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
