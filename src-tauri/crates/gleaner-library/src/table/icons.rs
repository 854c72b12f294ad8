//! Feeds' icons, in three columns of `feeds`: what the feed names (`icon_url`), what came (`icon`, a `data:` URL), and when it was
//! last asked for (`icon_at`). The rows of feeds are read without the pictures; each is read alone, when it is drawn.

use crate::{Library, LibraryError, Millis};
use base64::{Engine as _, prelude::BASE64_STANDARD};

/// The types that an icon has: no drawing, which may hold more than a picture.
pub const ICON_TYPES: [&str; 5] = ["image/png", "image/gif", "image/jpeg", "image/webp", "image/x-icon"];

/// A feed whose icon is to be looked for.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct WithoutIcon {
    /// Its number.
    pub id: i64,
    /// Where it is fetched.
    pub url: String,
    /// Its site.
    pub home_url: Option<String>,
    /// The icon that it names.
    pub icon_url: Option<String>,
}

/// What is in a `data:` URL, where its type is one of [`ICON_TYPES`].
fn unpacked(icon: &str) -> Option<(&'static str, Vec<u8>)> {
    let (kind, content) = icon.strip_prefix("data:")?.split_once(";base64,")?;
    let kind = ICON_TYPES.into_iter().find(|known| *known == kind)?;
    Some((kind, BASE64_STANDARD.decode(content).ok()?))
}

impl Library {
    /// Feeds that answer and have no icon, whose pictures are not unwished, and whose site was not asked for one since then.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn without_icon(&self, since: Millis) -> Result<Vec<WithoutIcon>, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT f.id, f.url, f.home_url, f.icon_url FROM feeds f JOIN polls p ON p.feed_id = f.id JOIN feed_preferences w ON w.feed_id = f.id
             WHERE w.load_images IS NOT 0 AND f.unsubscribed_at IS NULL AND f.local = 0 AND f.icon IS NULL AND ifnull(f.icon_at <= ?, TRUE)
                 AND p.succeeded_at IS NOT NULL ORDER BY f.position, f.id",
        )
        .bind(since)
        .fetch_all(&self.readers)
        .await?)
    }

    /// Keeps what came when a feed's site was asked for its icon: a picture and its type, or nothing.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_icon(&self, feed: i64, came: Option<(&str, &[u8])>, at: Millis) -> Result<(), LibraryError> {
        let icon = came.map(|(kind, bytes)| format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes)));
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query("UPDATE feeds SET icon = ifnull(?2, icon), icon_at = ?3 WHERE id = ?1")
            .bind(feed)
            .bind(icon)
            .bind(at)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    /// A feed's icon and its type.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn icon(&self, feed: i64) -> Result<Option<(&'static str, Vec<u8>)>, LibraryError> {
        let icon: Option<Option<String>> =
            sqlx::query_scalar("SELECT icon FROM feeds WHERE id = ?").bind(feed).fetch_optional(&self.readers).await?;
        Ok(icon.flatten().as_deref().and_then(unpacked))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Incoming, NewSubscription, Poll};

    #[tokio::test]
    async fn a_site_is_asked_for_an_icon_again_only_after_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let url = "https://a.example/feed".to_owned();
        let feed_id = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        assert!(library.without_icon(5).await.unwrap().is_empty(), "it has never answered");
        let poll = Poll { feed_id, succeeded_at: Some(1), ..Poll::default() };
        library.store(&[&Incoming { poll, ..Incoming::default() }]).await.unwrap();
        assert_eq!(library.without_icon(5).await.unwrap().len(), 1);
        library.set_icon(feed_id, None, 10).await.unwrap();
        assert_eq!(
            (library.without_icon(9).await.unwrap().len(), library.without_icon(10).await.unwrap().len()),
            (0, 1)
        );
        assert_eq!(library.feed(feed_id).await.unwrap().icon_at, None);
        library.set_icon(feed_id, Some(("image/png", b"picture".as_slice())), 20).await.unwrap();
        assert!(library.without_icon(30).await.unwrap().is_empty());
        assert_eq!(library.feed(feed_id).await.unwrap().icon_at, Some(20));
        assert_eq!(library.icon(feed_id).await.unwrap(), Some(("image/png", b"picture".to_vec())));
        library.set_icon(feed_id, Some(("image/svg+xml", b"<svg/>".as_slice())), 30).await.unwrap();
        assert_eq!(library.icon(feed_id).await.unwrap(), None, "a drawing is given to nobody");
    }
}
