//! Icons of feeds, in three columns of `feeds`: the address in the feed (`icon_url`), the stored icon (`icon`, a `data:` URL), and
//! when it was last fetched (`icon_at`). Rows of feeds are read without icons; each icon is read when it is drawn.

use crate::{LibraryError, Millis, database::repository};
use base64::{Engine as _, prelude::BASE64_STANDARD};

/// The types of icons. No SVG, which may contain more than an image.
const ICON_TYPES: [&str; 5] = ["image/png", "image/gif", "image/jpeg", "image/webp", "image/x-icon"];

/// A feed whose icon is to be fetched.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct WithoutIcon {
    /// Id of the feed.
    pub id: i64,
    /// Address of the feed.
    pub url: String,
    /// Address of the site.
    pub home_url: Option<String>,
    /// Address of the icon in the feed.
    pub icon_url: Option<String>,
}

/// Returns the content of a `data:` URL whose type is one of [`ICON_TYPES`].
fn unpacked(icon: &str) -> Option<(&'static str, Vec<u8>)> {
    let (kind, content) = icon.strip_prefix("data:")?.split_once(";base64,")?;
    let kind = ICON_TYPES.into_iter().find(|known| *known == kind)?;
    Some((kind, BASE64_STANDARD.decode(content).ok()?))
}

repository!(
    /// The icons of feeds.
    Icons
);

impl Icons<'_> {
    /// Returns working feeds without an icon, whose images are loaded and whose site was not requested since then.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn missing(self, since: Millis) -> Result<Vec<WithoutIcon>, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT f.id, f.url, f.home_url, f.icon_url FROM feeds f JOIN polls p ON p.feed_id = f.id JOIN feed_preferences w ON w.feed_id = f.id
             WHERE w.load_images IS NOT 0 AND f.unsubscribed_at IS NULL AND f.local = 0 AND f.icon IS NULL AND ifnull(f.icon_at <= ?, TRUE)
                 AND p.succeeded_at IS NOT NULL ORDER BY f.position, f.id",
        )
        .bind(since)
        .fetch_all(&self.db.readers)
        .await?)
    }

    /// Stores the icon that was fetched and its type, or that there was none.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set(self, feed: i64, icon: Option<(&str, &[u8])>, at: Millis) -> Result<(), LibraryError> {
        let icon = icon.map(|(kind, bytes)| format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes)));
        self.db
            .execute(
                sqlx::query("UPDATE feeds SET icon = ifnull(?2, icon), icon_at = ?3 WHERE id = ?1")
                    .bind(feed)
                    .bind(icon)
                    .bind(at),
            )
            .await
    }

    /// Returns the icon of a feed and its type.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn get(self, feed: i64) -> Result<Option<(&'static str, Vec<u8>)>, LibraryError> {
        let icon: Option<Option<String>> = sqlx::query_scalar("SELECT icon FROM feeds WHERE id = ?")
            .bind(feed)
            .fetch_optional(&self.db.readers)
            .await?;
        Ok(icon.flatten().as_deref().and_then(unpacked))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Library;
    use crate::{Incoming, NewSubscription, Poll};

    #[tokio::test]
    async fn a_missing_icon_is_fetched_again_only_after_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        assert!(library.icons().missing(5).await.unwrap().is_empty(), "it has never answered");
        let poll = Poll { feed_id, succeeded_at: Some(1), ..Poll::default() };
        library.polls().store(&[&Incoming { poll, ..Incoming::default() }]).await.unwrap();
        assert_eq!(library.icons().missing(5).await.unwrap().len(), 1);
        library.icons().set(feed_id, None, 10).await.unwrap();
        assert_eq!(
            (library.icons().missing(9).await.unwrap().len(), library.icons().missing(10).await.unwrap().len()),
            (0, 1)
        );
        assert_eq!(library.feeds().get(feed_id).await.unwrap().icon_at, None);
        library.icons().set(feed_id, Some(("image/png", b"picture".as_slice())), 20).await.unwrap();
        assert!(library.icons().missing(30).await.unwrap().is_empty());
        assert_eq!(library.feeds().get(feed_id).await.unwrap().icon_at, Some(20));
        assert_eq!(library.icons().get(feed_id).await.unwrap(), Some(("image/png", b"picture".to_vec())));
        library.icons().set(feed_id, Some(("image/svg+xml", b"<svg/>".as_slice())), 30).await.unwrap();
        assert_eq!(library.icons().get(feed_id).await.unwrap(), None, "an SVG icon is not returned");
    }
}
