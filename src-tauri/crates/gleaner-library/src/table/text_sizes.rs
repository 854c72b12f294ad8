//! Bounds batches of articles by the lengths of their texts, which zstd can make a thousand times shorter: a batch of a fixed number of
//! articles could otherwise take gigabytes.

use crate::body::unpacked_length;

/// Maximum length in bytes of the texts in a batch, decompressed. A longer text is a batch of its own.
const MAX_BATCH: u64 = 8 << 20;

/// The length of one text of an article as it is stored, and its first [`crate::body::HEAD`] bytes.
#[derive(sqlx::FromRow)]
pub(crate) struct TextSize {
    pub item_id: i64,
    codec: i64,
    head: Option<Vec<u8>>,
    stored: i64,
}

impl TextSize {
    fn length(&self) -> u64 {
        unpacked_length(self.codec, self.head.as_deref().unwrap_or_default(), u64::try_from(self.stored).unwrap_or(0))
    }
}

/// Returns the id of the last article that fits into a batch with those before it. The texts of an article are next to each other.
pub(crate) fn last_that_fits(sizes: &[TextSize]) -> Option<i64> {
    let mut left = MAX_BATCH;
    let mut last = None;
    for of_article in sizes.chunk_by(|one, other| one.item_id == other.item_id) {
        let length = of_article.iter().map(TextSize::length).fold(0, u64::saturating_add);
        if last.is_some() && length > left {
            break;
        }
        left = left.saturating_sub(length);
        last = of_article.first().map(|size| size.item_id);
    }
    last
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        Body, Incoming, Intent, Library, NewItem, NewSubscription, Texts,
        body::{HEAD, PLAIN, pack},
    };

    fn size(item_id: i64, length: usize) -> TextSize {
        let body = Body { html: "a".repeat(length), base: None };
        let packed = pack(Some(&body), None);
        let content = packed.content.unwrap_or_default();
        let stored = i64::try_from(content.len()).unwrap_or(i64::MAX);
        TextSize { item_id, codec: packed.codec, head: Some(content[..content.len().min(HEAD)].to_vec()), stored }
    }

    #[test]
    fn a_batch_is_bounded_by_its_decompressed_texts() {
        let title = |item_id| TextSize { item_id, codec: PLAIN, head: None, stored: 10 };
        let sizes = [title(9), size(9, 3 << 20), title(8), size(8, 4 << 20), title(7), size(7, 3 << 20), size(6, 1)];
        assert_eq!(last_that_fits(&sizes), Some(8));
        assert_eq!(last_that_fits(&sizes[4..]), Some(6));
        assert_eq!(last_that_fits(&[size(5, 20 << 20), size(4, 1)]), Some(5), "a long one alone");
        assert_eq!(last_that_fits(&[]), None);
    }

    #[tokio::test]
    async fn long_texts_are_indexed_in_small_batches() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let text = Body { html: "wheat rye ".repeat(100_000), base: None };
        let insert = |key: usize| {
            let texts = Texts::pack(Some(&text), None);
            Intent::Insert(Box::new(NewItem { key: key.to_string(), texts, ..NewItem::default() }))
        };
        let incoming = Incoming::of_items(feed_id, (0..20).map(insert).collect());
        library.polls().store(&[&incoming]).await.unwrap();
        assert_eq!(library.search_index().pending(None, 512).await.unwrap().len(), 8);
        assert_eq!(library.search_index().pending(Some(5), 512).await.unwrap().len(), 4);
        assert_eq!(library.search_index().pending(None, 3).await.unwrap().len(), 3);
    }
}
