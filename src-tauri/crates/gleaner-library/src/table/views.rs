//! `views`: how each list is looked at, and how far it was read, as the window says it. Lists that nobody has looked at otherwise than
//! usual have no row. Numbers are never given twice, so a row never comes to mean another list; triggers take it away with its own.

use crate::{Library, LibraryError};

impl Library {
    /// The lists that are looked at in a way of their own, each with how: JSON.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn views(&self) -> Result<Vec<(String, String)>, LibraryError> {
        Ok(sqlx::query_as("SELECT source, look FROM views").fetch_all(&self.readers).await?)
    }

    /// Remembers how a list is looked at.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_view(&self, source: &str, look: &str) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query(
            "INSERT INTO views (source, look) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET look = excluded.look",
        )
        .bind(source)
        .bind(look)
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Library;

    #[tokio::test]
    async fn a_view_goes_with_what_it_is_of() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let made = library.create_folder("A", None).await.unwrap();
        let own = format!("{{\"kind\":\"folder\",\"id\":{made}}}");
        library.set_view(&own, "1").await.unwrap();
        library.set_view(&own, "2").await.unwrap();
        library.set_view("{\"kind\":\"all\"}", "3").await.unwrap();
        assert_eq!(library.views().await.unwrap().len(), 2);
        library.delete_folder(made).await.unwrap();
        assert_eq!(library.views().await.unwrap(), [("{\"kind\":\"all\"}".to_owned(), "3".to_owned())]);
    }
}
