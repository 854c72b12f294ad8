//! Rules and saved searches of version 0.2.0, whose queries had another language: they keep their meaning.

use crate::archive::Head;
use gleaner_query::from_former;
use sqlx::{Connection as _, SqliteConnection};

/// The schemas with rules and saved searches, up to that of version 0.2.0.
const SCHEMAS: std::ops::RangeInclusive<i64> = 6..=25;

/// Converts the queries of a library with this schema, where their meaning would change.
pub(crate) async fn convert(connection: &mut SqliteConnection, schema: i64) -> sqlx::Result<()> {
    if !SCHEMAS.contains(&schema) {
        return Ok(());
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for (all, change) in [
        ("SELECT id, query FROM rules", "UPDATE rules SET query = ?2 WHERE id = ?1"),
        ("SELECT id, query FROM saved_searches", "UPDATE saved_searches SET query = ?2 WHERE id = ?1"),
    ] {
        let queries: Vec<(i64, String)> = sqlx::query_as(all).fetch_all(&mut *transaction).await?;
        for (id, query) in queries {
            if let Some(query) = from_former(&query) {
                sqlx::query(change).bind(id).bind(query).execute(&mut *transaction).await?;
            }
        }
    }
    transaction.commit().await
}

impl Head {
    /// Converts the queries of an archive of version 0.2.0, where their meaning would change.
    pub fn convert_queries(&mut self) {
        let rules = self.rules.iter_mut().map(|rule| &mut rule.query);
        for query in rules.chain(self.saved_searches.iter_mut().map(|search| &mut search.query)) {
            if let Some(converted) = from_former(query) {
                *query = converted;
            }
        }
    }
}
