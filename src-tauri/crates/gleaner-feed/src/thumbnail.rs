//! The image among the media of an item that stands for it.

use crate::model::Media;

/// Width in pixels below which an image is not sharp in lists.
pub(crate) const SHARP: u32 = 200;
/// Width in pixels above which an image is too large to replace a thumbnail.
pub(crate) const LARGE: u32 = 2048;

/// Returns the image among media that represents the item: the first that is not too small and not the author's avatar.
pub(crate) fn image(media: &[Media]) -> Option<&Media> {
    let is_image = |media: &&Media| {
        let kind = media.mime_type.as_deref().is_some_and(|kind| kind.starts_with("image/"));
        (kind || media.medium.as_deref() == Some("image")) && !is_avatar(&media.url)
    };
    let mut images = media.iter().filter(is_image);
    let first = images.clone().next();
    images.find(|image| image.width.is_none_or(|width| width >= SHARP)).or(first)
}

/// Whether an image is an avatar, which WordPress attaches to each article of its author.
#[must_use]
pub fn is_avatar(url: &str) -> bool {
    url.contains("gravatar.com/avatar/")
}
