//! `views`: how the window shows each list, and its reading position. Lists with the default have no row. Ids are never used twice, so a
//! row never applies to another list; triggers delete it with its list.

use crate::{LibraryError, list::Lists};

impl Lists<'_> {
    /// Returns the lists that are not shown by default, with their views: JSON.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn views(self) -> Result<Vec<(String, String)>, LibraryError> {
        Ok(sqlx::query_as("SELECT source, look FROM views").fetch_all(&self.db.readers).await?)
    }

    /// Stores the view of a list.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_view(self, source: &str, view: &str) -> Result<(), LibraryError> {
        self.db.execute(sqlx::query(
            "INSERT INTO views (source, look) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET look = excluded.look",
        )
        .bind(source)
        .bind(view)).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Library;

    #[tokio::test]
    async fn a_view_is_deleted_with_its_list() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let made = library.folders().create("A", None).await.unwrap();
        let own = format!("{{\"kind\":\"folder\",\"id\":{made}}}");
        library.lists().set_view(&own, "1").await.unwrap();
        library.lists().set_view(&own, "2").await.unwrap();
        library.lists().set_view("{\"kind\":\"all\"}", "3").await.unwrap();
        assert_eq!(library.lists().views().await.unwrap().len(), 2);
        library.folders().delete(made).await.unwrap();
        assert_eq!(library.lists().views().await.unwrap(), [("{\"kind\":\"all\"}".to_owned(), "3".to_owned())]);
    }
}
